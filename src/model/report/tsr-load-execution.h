/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the parts of the execution stage share.  Only tsr-load-execution.c, tsr-load-slices.c and
 * tsr-load-blocks.c include this. */

#pragma once

#include "tsr-load-rows.h"
#include "tsr-profile-execution.h"

G_BEGIN_DECLS

/* Diagnostics of one table of profile.pop, the first ones of each kind written out. */
typedef struct
{
  TsrLoading *loading;
  const char *table;
  TsrDiagnosticTally tally;
} TsrTableReporter;

void tsr_table_reporter_clear (TsrTableReporter *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrTableReporter, tsr_table_reporter_clear)

/* @row: rowid, or TSR_NO_ROW. */
void tsr_table_reporter_add (TsrTableReporter *self,
                             gint64 row,
                             TsrSeverity severity,
                             const char *code,
                             const char *format,
                             ...) G_GNUC_PRINTF (5, 6);

/* Rowid of place @i in a table whose first row is @first_row, or TSR_NO_ROW. */
static inline gint64
tsr_row_of_place (gint64 first_row, gsize i)
{
  return first_row != TSR_NO_ROW ? first_row + (gint64)i : TSR_NO_ROW;
}

/* TRUE with @error set: there is no memory for what @table holds. */
gboolean tsr_loading_fail_memory (TsrLoading *loading, const char *table, GError **error);

typedef struct
{
  TsrLoading *loading;
  const TsrSummary *summary;
  const TsrProgramTables *programs; /* (nullable) */
  TsrExecutionTables *tables;
  TsrProgress *progress;
  guint max_ipus;
  TsrIdIndex program_index, compute_set_index, run_index, step_index;
  gint64 *run_first_id, *run_end_id; /* as in the file */
  guint16 *named_run;                /* by step, as in the file */
  const gint64 *step_ids;            /* by step */
  gint64 *counting_ids;              /* those, if the tables need not keep them */
  gint64 first_step_row;             /* rowid of the first step; TSR_NO_ROW */
} TsrExecutionBuilder;

/* Blocks; raises tables->n_ipus to what they need.  After runs. */
gboolean tsr_load_blocks (TsrExecutionBuilder *self, GError **error);
/* Cycles by run and IPU, and by IPU; after all that may raise tables->n_ipus. */
gboolean tsr_load_run_cycles (TsrExecutionBuilder *self, GError **error);
gboolean tsr_load_totals (TsrExecutionBuilder *self, GError **error);

/* Takes @rows apart into the slices of @tables, by IPU and in the order of their starts; numbers
 * the IPUs of files without them, up to @max_ipus; leaves out what is repeated.  Column after
 * column moves over, so that hardly more than one of them is there twice.  Raises tables->n_ipus to
 * what the rows need. */
gboolean tsr_load_slices (TsrLoading *loading,
                          TsrExecutionTables *tables,
                          TsrSliceRows *rows,
                          guint max_ipus,
                          GError **error);

G_END_DECLS
