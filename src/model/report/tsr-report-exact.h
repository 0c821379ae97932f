/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the execution tables round, clip or leave out, as the file has it: rows of steps_by_ipu,
 * read by pages of steps, and the times of runs.  One thread at a time for a reader. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* What a row has beside its step and IPU.  The four pairs below base are relative to it. */
typedef enum
{
  TSR_EXACT_CYCLES,
  TSR_EXACT_ACTIVE_TILES,
  TSR_EXACT_BASE,
  TSR_EXACT_FROM_MIN,
  TSR_EXACT_FROM_MAX,
  TSR_EXACT_TO_MIN,
  TSR_EXACT_TO_MAX,
  TSR_EXACT_ALL_FROM_MIN,
  TSR_EXACT_ALL_FROM_MAX,
  TSR_EXACT_ALL_TO_MIN,
  TSR_EXACT_ALL_TO_MAX,
  TSR_EXACT_DATA_IN,
  TSR_EXACT_DATA_OUT,
  TSR_EXACT_TILE_BALANCE, /* from here on: reals */
  TSR_EXACT_ACTIVE_TILE_BALANCE,
  TSR_N_EXACT,
} TsrExactColumn;

typedef union
{
  gint64 number; /* TSR_UNKNOWN */
  double real;   /* NaN: unknown */
} TsrExactValue;

/* Some steps' slices on all IPUs, of them those columns that were asked for.  Free with g_free. */
typedef struct
{
  guint32 first_step, n_steps; /* rows of the execution tables */
  guint n_ipus;
  TsrExactValue *values[TSR_N_EXACT]; /* by TsrExactColumn, [(step - first_step) * n_ipus + ipu];
                                         NULL: not asked for */
  TsrExactValue store[];
} TsrExactPage;

typedef struct _TsrExactReader TsrExactReader;

/* (transfer full): of @report, with its steps in @tables, which must outlive it.  Where the rows
 * are not stored by step, they are scanned once for where those of which steps lie.  @n_ipus: over
 * all replicas. */
TsrExactReader *tsr_exact_reader_new (TsrReport *report,
                                      const TsrExecutionTables *tables,
                                      guint n_ipus,
                                      GCancellable *cancellable,
                                      GError **error);
void tsr_exact_reader_free (TsrExactReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrExactReader, tsr_exact_reader_free)

/* Steps on a page: that of @step is @step / this. */
guint tsr_exact_reader_get_page_steps (const TsrExactReader *self);
/* (transfer full): columns @wanted (a bit of TsrExactColumn each) of page @page; the last one may
 * have fewer steps. */
TsrExactPage *
tsr_exact_reader_read_page (TsrExactReader *self, guint page, guint wanted, GError **error);
const char *tsr_exact_column_get_name (TsrExactColumn column);

/* Start and end of each run in microseconds, as in the file (0 and 0: not measured), by its row;
 * NaN: unknown.  (transfer full): both arrays. */
gboolean tsr_report_read_run_times (TsrReport *self,
                                    const TsrExecutionTables *tables,
                                    double **start,
                                    double **end,
                                    GCancellable *cancellable,
                                    GError **error);

G_END_DECLS
