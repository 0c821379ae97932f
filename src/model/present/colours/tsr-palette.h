/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The one table of colours.  An ink is a role, not a colour: what it means, what it is called, and
 * how it looks light and dark stand in one row, and charts, legends, the key of colours, the style
 * sheet and exports take it from there.  Pure, any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_N_MARK_INKS     6
#define TSR_N_NAME_INKS     12
#define TSR_N_IPU_INKS      8
#define TSR_N_CATEGORY_INKS 24
#define TSR_N_RAMP_INKS     64

typedef enum
{
  TSR_INK_BACKGROUND,
  TSR_INK_TEXT,
  TSR_INK_DIM_TEXT,
  TSR_INK_GRID,
  TSR_INK_FREE, /* what a bar has left: to be seen on a card, too */
  TSR_INK_AXIS,
  TSR_INK_BOUNDARY, /* between IPUs */
  TSR_INK_OVERVIEW,
  TSR_INK_CALLOUT, /* what the text at the pointer stands on, in either theme */
  TSR_INK_CALLOUT_TEXT,
  TSR_INK_SELECTION,
  TSR_INK_HOVER,
  TSR_INK_CAPACITY, /* max memory */
  TSR_INK_OVERFLOW, /* does not fit; got worse: nothing else is red */
  TSR_INK_WARNING,
  TSR_INK_FITS,  /* also: got better */
  TSR_INK_TOTAL, /* tile memory without gaps */
  TSR_INK_GAPS,  /* tile memory with gaps */
  TSR_INK_REGION_0,
  TSR_INK_REGION_1,
  TSR_INK_REGION_2,
  TSR_INK_ALWAYS_LIVE,
  TSR_INK_NOT_ALWAYS_LIVE,
  TSR_INK_RESIDENT,
  TSR_INK_PACKING,
  TSR_INK_SHARED, /* bytes that variables share */
  TSR_INK_REST,   /* the many that have no colour of their own */
  TSR_INK_PEAK,   /* numbered flags */
  TSR_INK_MARK,   /* + i: steps A to F, variables laid over a graph */
  /* A part of a name: + tsr_palette_place_names().  First as bars and lines, then, of the same hue,
   * as bands with text on them. */
  TSR_INK_NAME = TSR_INK_MARK + TSR_N_MARK_INKS,
  TSR_INK_STRUCTURE = TSR_INK_NAME + TSR_N_NAME_INKS,
  TSR_INK_IPU = TSR_INK_STRUCTURE + TSR_N_NAME_INKS, /* + number % TSR_N_IPU_INKS */
  TSR_INK_CATEGORY = TSR_INK_IPU + TSR_N_IPU_INKS,   /* tsr_palette_get_category_ink() */
  /* Mixtures of the above with the background. */
  TSR_INK_TOTAL_TINT = TSR_INK_CATEGORY + TSR_N_CATEGORY_INKS, /* area under the total */
  TSR_INK_TOTAL_SPREAD,  /* from the least to the largest where data share a column */
  TSR_INK_OVERFLOW_TINT, /* under the hatch */
  TSR_INK_ALWAYS_LIVE_TINT,
  TSR_INK_NOT_ALWAYS_LIVE_TINT,
  TSR_INK_NOT_ALWAYS_LIVE_SPREAD,
  /* A value as a colour, + i, i < TSR_N_RAMP_INKS: from little to much, ever further from the
   * background. */
  TSR_INK_RAMP,
} TsrInkBase;
/* On steps below this one text is in TSR_INK_TEXT, on the others in TSR_INK_BACKGROUND. */
#define TSR_RAMP_TEXT_STEP 32
/* Steps of a trace: + TsrTraceInk; + TSR_N_TRACE_INKS: darker, the part of a step
 * that its tiles do not use; + 2 TSR_N_TRACE_INKS: what a search does not find. */
#define TSR_INK_TRACE (TSR_INK_RAMP + TSR_N_RAMP_INKS)
typedef enum
{
  TSR_TRACE_INK_COMPUTE,
  TSR_TRACE_INK_EXCHANGE,
  TSR_TRACE_INK_INTER_IPU,
  TSR_TRACE_INK_HOST,     /* waiting for it, and the end of a copy */
  TSR_TRACE_INK_TRANSFER, /* between host and tiles */
  TSR_TRACE_INK_SYNC,
  TSR_TRACE_INK_OTHER,
  TSR_TRACE_INK_GROUP, /* a name's part with compute below it */
  TSR_TRACE_INK_RUN,
  TSR_N_TRACE_INKS,
} TsrTraceInk;
#define TSR_INK_TRACE_TEXT      (TSR_INK_TRACE + 3 * TSR_N_TRACE_INKS) /* on steps, in either theme */
#define TSR_INK_TRACE_WAIT_TEXT (TSR_INK_TRACE_TEXT + 1)
#define TSR_INK_TRACE_NOTCH     (TSR_INK_TRACE_TEXT + 2) /* what is folded */
#define TSR_INK_TRACE_NEUTRAL   (TSR_INK_TRACE_TEXT + 3) /* tiles whose numbers are not there */
#define TSR_N_INKS              (TSR_INK_TRACE_TEXT + 4)

/* What a colour tells of: the sections of the key. */
typedef enum
{
  TSR_COLOUR_NONE, /* frame and text */
  TSR_COLOUR_VERDICT,
  TSR_COLOUR_MARK,
  TSR_COLOUR_MEMORY,
  TSR_COLOUR_LIFE,
  TSR_COLOUR_REGION,
  TSR_COLOUR_AMOUNT,
  TSR_COLOUR_STEP,
  TSR_COLOUR_IPU,
  TSR_COLOUR_NAME,
  TSR_COLOUR_CATEGORY,
  TSR_N_COLOUR_SUBJECTS,
} TsrColourSubject;

typedef struct
{
  float red, green, blue, alpha; /* 0..1, sRGB, not premultiplied */
} TsrColor;

TsrColor tsr_palette_get (guint ink, gboolean dark);
/* Writes the ink's name in files and style sheets ("not-always", "category-3") to @buffer. */
const char *tsr_palette_get_nick (guint ink, char *buffer, gsize size);
/* (transfer none) (nullable): what it means, translated; NULL: the ink is one of a row whose
 * members have no meaning of their own (names), or part of the frame. */
const char *tsr_palette_get_name (guint ink);
TsrColourSubject tsr_palette_get_subject (guint ink);
/* (transfer none): heading of the key, translated. */
const char *tsr_palette_get_subject_name (TsrColourSubject subject);
/* (transfer none) (nullable): a translated sentence below the heading. */
const char *tsr_palette_get_subject_note (TsrColourSubject subject);

/* Ink of libpva's category @name, the same in every report; of one that is not known by its
 * letters; TSR_INK_REST of none. */
guint tsr_palette_get_category_ink (const char *name);
/* slots[i] < TSR_N_NAME_INKS of names[i], for TSR_INK_NAME and TSR_INK_STRUCTURE: by the letters of
 * the name; of two that meet the second in the order of names takes the next one that is free. */
void tsr_palette_place_names (const char *const *names, guint n, guint8 *slots);

/* (transfer full): the colours that the style sheet needs, as @define-color. */
char *tsr_palette_dup_css (gboolean dark);

G_END_DECLS
