/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tsr-load-execution.c and tsr-load-blocks.c, the parts of the execution stage, share. */

#pragma once

#include "tsr-load-rows.h"
#include "tsr-profile-execution.h"

G_BEGIN_DECLS

/* Rowid of place @i in a table whose first row is @first_row, or TSR_NO_ROW. */
static inline gint64
tsr_load_execution_row_of_place (gint64 first_row, gsize i)
{
  return first_row != TSR_NO_ROW ? first_row + (gint64)i : TSR_NO_ROW;
}

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
  gint64 *counting_ids;              /* owns them, if the tables need not */
  gint64 first_step_row;             /* rowid of the first step; TSR_NO_ROW */
} TsrExecutionBuilder;

/* Loads blocks, after runs; raises tables->n_ipus if they need more. */
gboolean tsr_load_execution_blocks (TsrExecutionBuilder *self, GError **error);
/* Loads cycles by run and IPU, and by IPU; after everything that may raise tables->n_ipus. */
gboolean tsr_load_execution_run_cycles (TsrExecutionBuilder *self, GError **error);
gboolean tsr_load_execution_totals (TsrExecutionBuilder *self, GError **error);

G_END_DECLS
