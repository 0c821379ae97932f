/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The execution in a report: runs, steps, the part of each IPU in each step ("slices"), blocks of
 * lightweight profiling.  Structures of arrays as in tsr-report-tables.h; ten million slices take
 * at most 48 bytes each, and steps 15.  Sealed by the loader, shared without locks afterwards. */

#pragma once

#include "tsr-narrow.h"
#include "tsr-report-tables.h"

G_BEGIN_DECLS

/* There are few step types.  The last number stands for all further ones; their names are not kept,
 * and a diagnostic says so. */
#define TSR_MAX_STEP_TYPES 64

typedef struct
{
  TsrStringTable *strings; /* of types, runs and blocks */

  guint n_types;
  guint32 *type_name; /* into strings; as in the file: an open list */

  guint
      n_runs; /* in id order; a file without runs gets one with all steps and the id TSR_UNKNOWN */
  gint64 *run_id;
  guint32 *run_name;              /* into strings, or TSR_NO_STRING */
  guint32 *run_first, *run_end;   /* rows of steps [first, end); no two runs overlap */
  guint8 *run_complete;           /* all its steps are there */
  double *run_microseconds_start; /* NaN: unknown or not measured */
  double *run_microseconds_end;
  gint64 *run_ipu_cycles; /* (nullable) [run * n_ipus + ipu], TSR_UNKNOWN: run_cycles_by_ipu */

  guint n_steps;             /* in id order */
  gint64 first_step_id;      /* ids are first_step_id + row when step_id is NULL */
  gint64 *step_id;           /* (nullable) */
  guint8 *step_type;         /* into type_name */
  guint32 *step_program;     /* row of TsrProgramTables' programs; TSR_NO_INDEX */
  guint32 *step_compute_set; /* likewise of compute sets */
  guint16 *step_run;         /* row of runs; G_MAXUINT16: in none */
  guint32 *step_tile_cycles; /* tile_cycles.set_id; TSR_NO_INDEX: none, or beyond 32 bits */

  /* Slices of IPU i are ipu_start[i] .. ipu_start[i + 1] - 1, in order of start (then end, then
   * step); those whose start or end is unknown come last, with both TSR_UNKNOWN. */
  guint n_ipus;            /* over all replicas */
  gsize *ipu_start;        /* n_ipus + 1 */
  guint32 *slice_step;     /* row of steps */
  gint64 *slice_start;     /* cycles_base + active_cycles_from_max; without it + from_min, cut where
                              the slice before ends when this one also ends later */
  gint64 *slice_end;       /* cycles_base + active_cycles_to_max; never before the start */
  TsrNarrow slice_lead_in; /* from_max - from_min: before the start; unknown without from_max */
  TsrNarrow slice_cycles;  /* as recorded: the longest tile */
  TsrNarrow slice_active_tiles;
  /* 0..1; NaN: unknown or out of range.  Single precision, so the error is at most 2^-25.  Sums
   * over them are exact (tsr-trace-sums.c), and thus right to 3 in 10^8 of their cycles. */
  float *slice_tile_balance, *slice_active_tile_balance;
  TsrNarrow slice_data_in, slice_data_out; /* bytes */
  gboolean from_max_told;                  /* the file has active_cycles_from_max */

  guint n_blocks; /* lightweight profiling, by (ipu, tile, from) */
  gint64 *block_id;
  guint32 *block_name;                         /* into strings; the block's, else its program's */
  guint32 *block_program;                      /* row of programs; TSR_NO_INDEX */
  guint32 *block_ipu, *block_tile, *block_run; /* run: row, or TSR_NO_INDEX */
  gint64 *block_from, *block_to; /* cycles since the executable was loaded; each IPU's own clock */
  guint8 *block_flags;           /* TsrBlockFlags */

  gint64 *total_cycles; /* (nullable) [n_ipus] execution_cycle_totals, TSR_UNKNOWN */
} TsrExecutionTables;

typedef enum
{
  TSR_BLOCK_STREAM_COPY = 1 << 0,
  TSR_BLOCK_COMMON = 1 << 1,
  TSR_BLOCK_OVERFLOW = 1 << 2,
  TSR_BLOCK_FLUSH = 1 << 3, /* the profiler's own copies */
} TsrBlockFlags;

/* Id of the step in @row. */
static inline gint64
tsr_execution_tables_get_step_id (const TsrExecutionTables *self, guint32 row)
{
  return self->step_id != NULL ? self->step_id[row] : self->first_step_id + (gint64)row;
}

/* Row of the step; TSR_NO_INDEX. */
guint32 tsr_execution_tables_find_step (const TsrExecutionTables *self, gint64 id);

void tsr_execution_tables_free (TsrExecutionTables *tables);

/* A preview of what has been read, shown while the stage is loading.  Immutable, reference-counted.
 */
typedef struct
{
  guint n_ipus, n_columns;
  gint64 from, to; /* cycles that the columns cover */
  guint8 *type;    /* [ipu * n_columns + column]: type (into names) of the longest step there, or
                      0xff: nothing read yet */
  GStrv names;     /* of types */
  double fraction; /* of the rows, 0..1 */
  gatomicrefcount count;
} TsrExecutionPreview;

TsrExecutionPreview *tsr_execution_preview_ref (TsrExecutionPreview *self);
void tsr_execution_preview_unref (TsrExecutionPreview *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrExecutionPreview, tsr_execution_preview_unref)

G_END_DECLS
