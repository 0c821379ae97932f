/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the cards of the Summary say, as text: computed from the report and its memory without a
 * widget, for the page, for "Copy all as text" and for tests. */

#pragma once

#include "tsr-memory.h"
#include "tsr-report.h"
#include "tsr-units.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_ROW_PLAIN,
  TSR_ROW_TILES_PER_IPU, /* may be assumed: the page puts a control there */
  TSR_ROW_FILE,          /* found */
  TSR_ROW_DOUBTFUL_FILE, /* found, and something of it could not be read as it should */
  TSR_ROW_NO_FILE,       /* not found */
  TSR_ROW_NOTE,          /* a sentence over the whole width; no value */
} TsrSummaryRowKind;

typedef struct
{
  TsrSummaryRowKind kind;
  const char *name; /* (nullable) the same in all languages */
  char *label;
  char *value;
  char *tooltip;        /* (nullable): exact number, whole path, what it means */
  gboolean space_above; /* begins a group */
} TsrSummaryRow;

typedef struct
{
  const char *id; /* "target": remembers what is folded */
  char *title;
  GPtrArray *rows; /* TsrSummaryRow */
} TsrSummarySection;

/* (transfer full) (element-type TsrSummarySection): cards in their order.  @memory (nullable) gives
 * the tiles, and the tiles of an IPU that it assumes, where the file does not tell them. */
GPtrArray *tsr_summary_rows_new (TsrReport *report, TsrMemory *memory, TsrUnits units);

typedef enum
{
  TSR_SUMMARY_VERDICT_PENDING,
  TSR_SUMMARY_VERDICT_FITS,
  TSR_SUMMARY_VERDICT_DOES_NOT_FIT,
  TSR_SUMMARY_VERDICT_UNKNOWN, /* the report does not tell */
} TsrSummaryVerdictKind;

typedef struct
{
  TsrSummaryVerdictKind kind;
  char *title;          /* "Fits in memory" */
  char *text;           /* one sentence with the figures */
  const char *why;      /* (nullable) what is not told */
  gint64 fullest_tile;  /* or TSR_UNKNOWN */
  double fullest_share; /* of its capacity; NaN when not known */
  char *fullest_text;   /* "541 KiB of 624 KiB" */
} TsrSummaryVerdict;

/* @memory NULL: pending, or unknown with @why. */
void tsr_summary_verdict_init (TsrSummaryVerdict *self,
                               TsrMemory *memory,
                               const char *why,
                               TsrUnits units);
void tsr_summary_verdict_clear (TsrSummaryVerdict *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrSummaryVerdict, tsr_summary_verdict_clear)

/* (transfer full): everything as text: verdict, cards, options, JSON. */
char *tsr_summary_rows_dup_text (TsrReport *report, TsrMemory *memory, TsrUnits units);

/* TRUE for an engine option that changes what a report records. */
gboolean tsr_option_is_recording (const char *name);

G_END_DECLS
