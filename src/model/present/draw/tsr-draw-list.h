/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chart as a flat array of rectangles, lines, labels and rasters in logical pixels, computed from
 * data and viewport without any toolkit.  The same array is painted on screen and on paper,
 * hit-tested, read out and compared in tests. Colours are inks (roles), so that a change of theme
 * needs no new layout. */

#pragma once

#include "tsr-raster.h"

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_INK_BACKGROUND,
  TSR_INK_TEXT,
  TSR_INK_DIM_TEXT,
  TSR_INK_GRID,
  TSR_INK_AXIS,
  TSR_INK_BOUNDARY, /* between IPUs */
  TSR_INK_CAPACITY, /* max memory */
  TSR_INK_OVERFLOW,
  TSR_INK_SELECTION,
  TSR_INK_HOVER,
  TSR_INK_TOTAL, /* tile memory without gaps */
  TSR_INK_GAPS,  /* tile memory with gaps */
  TSR_INK_REGION_0,
  TSR_INK_REGION_1,
  TSR_INK_REGION_2,
  TSR_INK_ALWAYS_LIVE,
  TSR_INK_NOT_ALWAYS_LIVE,
  TSR_INK_PACKING,
  TSR_INK_SHARED, /* bytes that variables share */
  TSR_INK_OVERVIEW,
  TSR_INK_TOTAL_TINT,    /* area under the total: 10 % of it on the background */
  TSR_INK_TOTAL_SPREAD,  /* from the least to the largest where data share a column */
  TSR_INK_OVERFLOW_TINT, /* under the hatch */
  TSR_INK_ALWAYS_LIVE_TINT,
  TSR_INK_NOT_ALWAYS_LIVE_TINT,
  TSR_INK_NOT_ALWAYS_LIVE_SPREAD,
  TSR_INK_PEAK, /* numbered flags */
  TSR_INK_MARK, /* + i, i < TSR_N_MARK_INKS: steps A to F, variables laid over a graph */
  TSR_INK_STRUCTURE = TSR_INK_MARK + 6, /* + i, i < TSR_N_STRUCTURE_INKS: bands with text on them */
  TSR_INK_CATEGORY
  = TSR_INK_STRUCTURE + 8, /* + i, i < TSR_N_CATEGORY_INKS: neighbours of a stack stay apart */
} TsrInkBase;
#define TSR_N_MARK_INKS      6
#define TSR_N_STRUCTURE_INKS 8
#define TSR_N_CATEGORY_INKS  24
/* A value as a colour, + i, i < TSR_N_RAMP_INKS: from little to much, ever further from the
 * background. */
#define TSR_INK_RAMP    (TSR_INK_CATEGORY + TSR_N_CATEGORY_INKS)
#define TSR_N_RAMP_INKS 64
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

typedef enum
{
  TSR_ITEM_RECT,
  TSR_ITEM_HATCH,    /* a rectangle of diagonal lines */
  TSR_ITEM_LINE,     /* from (x, y) to (x + width, y + height) */
  TSR_ITEM_POLYLINE, /* points[first .. first + n) */
  TSR_ITEM_LABEL,
  TSR_ITEM_RASTER,
} TsrItemKind;

#define TSR_NO_DATUM (G_MAXUINT32)

/* Logical pixels: a label's size unless its maker says otherwise; distance of the 45 degree lines
 * of a hatch along x, the same from whichever edge they are cut (lines x + y = k * spacing). */
#define TSR_FONT_SIZE     12.0
#define TSR_HATCH_SPACING 6.0

typedef struct
{
  guint8 kind;
  guint8 bold; /* labels */
  guint16 ink;
  float alpha;               /* 0..1, of the ink */
  float x, y, width, height; /* POLYLINE: bounds of its points, kept by tsr_draw_list_point */
  float line_width;          /* LINE, POLYLINE, HATCH */
  float dash;                /* length of dashes and gaps; 0: solid */
  float xalign,
      yalign; /* LABEL: which point of the text stands at (x, y); width > 0: ellipsised to it */
  float font_size; /* LABEL, logical pixels */
  guint32 datum;   /* tile, step ... or TSR_NO_DATUM */
  guint32 series;  /* or TSR_NO_DATUM */
  guint32 first,
      n; /* POLYLINE: into points; LABEL: byte offset into texts; RASTER: index into rasters */
} TsrDrawItem;

typedef struct
{
  float x, y;
} TsrDrawPoint;

typedef struct
{
  GArray *items;      /* TsrDrawItem, painted in this order */
  GArray *points;     /* TsrDrawPoint */
  GString *texts;     /* NUL-terminated, one after the other */
  GPtrArray *rasters; /* TsrDrawRaster */
} TsrDrawList;

/* The nearest edge of a device pixel, and the middle of a line @pixels device pixels wide that
 * covers whole ones. */
static inline double
tsr_draw_list_snap (double x, double scale)
{
  return floor (x * scale + 0.5) / scale;
}

static inline double
tsr_draw_list_snap_line (double x, int pixels, double scale)
{
  return (floor (x * scale + 0.5) + (pixels % 2 != 0 ? 0.5 : 0)) / scale;
}

TsrDrawList *tsr_draw_list_new (void);
void tsr_draw_list_free (TsrDrawList *self);
void tsr_draw_list_reset (TsrDrawList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrDrawList, tsr_draw_list_free)

/* Each returns the item so that the caller may set the rest; valid until the next call. */
TsrDrawItem *
tsr_draw_list_rect (TsrDrawList *self, guint ink, double x, double y, double width, double height);
TsrDrawItem *
tsr_draw_list_hatch (TsrDrawList *self, guint ink, double x, double y, double width, double height);
TsrDrawItem *
tsr_draw_list_line (TsrDrawList *self, guint ink, double x1, double y1, double x2, double y2);
TsrDrawItem *tsr_draw_list_label (TsrDrawList *self,
                                  guint ink,
                                  double x,
                                  double y,
                                  double xalign,
                                  double yalign,
                                  const char *text);
/* Points are appended with tsr_draw_list_point until another item begins. */
TsrDrawItem *tsr_draw_list_polyline (TsrDrawList *self, guint ink);
void tsr_draw_list_point (TsrDrawList *self, double x, double y);
/* Takes a raster of width x height device pixels, all clear; fill it through the pointer. */
TsrDrawRaster *tsr_draw_list_raster (
    TsrDrawList *self, double x, double y, double width, double height, double scale);
/* The same, to be filled with layers of columns (tsr_draw_raster_add_layer). */
TsrDrawRaster *tsr_draw_list_columns (
    TsrDrawList *self, double x, double y, double width, double height, double scale);
/* One that is made already.  @raster: (transfer full) */
void tsr_draw_list_take_raster (
    TsrDrawList *self, TsrDrawRaster *raster, double x, double y, double width, double height);

const char *tsr_draw_list_get_text (const TsrDrawList *self, const TsrDrawItem *item);
/* (transfer full): one line an item, for golden files and bug reports. */
char *tsr_draw_list_dup_text (const TsrDrawList *self);

G_END_DECLS
