/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the parts of the execution stage share.  Only tsr-load-execution.c and tsr-load-slices.c
 * include this. */

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
