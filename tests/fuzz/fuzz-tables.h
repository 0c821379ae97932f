/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What always holds of the larger tables of a report, whatever was in the file: every index is that
 * of something, every list begins where the one before ends, intervals are in order. */

#pragma once

#include "tsr-report.h"

#include <string.h>

static inline void
fuzz_check_place (guint32 place, guint n)
{
  g_assert_true (place == TSR_NO_INDEX || place < n);
}

/* @starts: @n + 1 of them. */
static inline void
fuzz_check_starts (const guint32 *starts, guint n)
{
  g_assert_cmpuint (starts[0], ==, 0);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (starts[i], <=, starts[i + 1]);
}

static inline void
fuzz_check_ascending (const gint64 *ids, guint n)
{
  for (guint i = 1; i < n; i++)
    g_assert_cmpint (ids[i - 1], <, ids[i]);
}

static inline void
fuzz_check_programs (const TsrProgramTables *t)
{
  const guint n_strings = tsr_string_table_get_length (t->strings);

  fuzz_check_ascending (t->program_id, t->n_programs);
  fuzz_check_ascending (t->compute_set_id, t->n_compute_sets);
  fuzz_check_ascending (t->vertex_type_id, t->n_vertex_types);
  for (guint i = 0; i < t->n_programs; i++)
    {
      fuzz_check_place (t->program_name[i], n_strings);
      fuzz_check_place (t->program_type[i], n_strings);
      fuzz_check_place (t->program_stream_copy_kind[i], n_strings);
      fuzz_check_place (t->program_compute_set[i], t->n_compute_sets);
      fuzz_check_place (t->program_callee[i], t->n_programs);
    }
  fuzz_check_starts (t->child_start, t->n_programs);
  for (guint i = 0; i < t->child_start[t->n_programs]; i++)
    g_assert_cmpuint (t->child[i], <, t->n_programs);
  fuzz_check_starts (t->vertex_start, t->n_compute_sets);
  for (guint i = 0; i < t->vertex_start[t->n_compute_sets]; i++)
    {
      g_assert_cmpuint (t->vertex_type[i], <, t->n_vertex_types);
      g_assert_true (t->vertex_count[i] == TSR_UNKNOWN || t->vertex_count[i] >= 0);
    }
  for (guint i = 0; i < t->n_roots; i++)
    {
      g_assert_cmpuint (t->root_program[i], <, t->n_programs);
      fuzz_check_place (t->root_step[i], t->n_compilation_steps);
      fuzz_check_place (t->root_kind[i], n_strings);
    }
}

static inline void
fuzz_check_liveness (const TsrLivenessTables *t, const TsrProgramTables *programs)
{
  const guint n_strings = tsr_string_table_get_length (t->strings);

  for (guint i = 0; i < t->n_steps; i++)
    {
      fuzz_check_place (t->step_program[i], programs != NULL ? programs->n_programs : 0);
      g_assert_true (t->step_bytes[i] == TSR_UNKNOWN || t->step_bytes[i] >= 0);
      for (guint ipu = 0; ipu < t->n_ipus; ipu++)
        g_assert_true (t->step_ipu_bytes[(gsize)ipu * t->n_steps + i] == TSR_UNKNOWN
                       || t->step_ipu_bytes[(gsize)ipu * t->n_steps + i] >= 0);
    }
  fuzz_check_ascending (t->variable_id, t->n_variables);
  for (guint i = 0; i < t->n_variables; i++)
    {
      fuzz_check_place (t->variable_name[i], n_strings);
      g_assert_true (t->variable_size[i] == TSR_UNKNOWN || t->variable_size[i] >= 0);
      g_assert_true (t->variable_always_live[i] <= 1 || t->variable_always_live[i] == 255);
      for (guint ipu = 0; ipu < t->n_variable_ipus; ipu++)
        g_assert_cmpint (t->variable_ipu_bytes[(gsize)ipu * t->n_variables + i], <=,
                         (gint64)1 << 53);
      for (guint k = t->lifetime_start[i]; k < t->lifetime_start[i + 1]; k++)
        {
          g_assert_cmpuint (t->lifetime_from[k], <, t->lifetime_to[k]);
          g_assert_cmpuint (t->lifetime_to[k], <=, t->n_steps);
          if (k > t->lifetime_start[i])
            g_assert_cmpuint (t->lifetime_from[k - 1], <=, t->lifetime_from[k]);
        }
    }
  fuzz_check_starts (t->lifetime_start, t->n_variables);
}

static inline void
fuzz_check_classes (const TsrLoweredTables *t, guint n_steps)
{
  fuzz_check_ascending (t->class_id, t->n_classes);
  g_assert_cmpuint (t->interval_start[0], ==, 0);
  for (guint c = 0; c < t->n_classes; c++)
    for (gsize i = t->interval_start[c]; i < t->interval_start[c + 1]; i++)
      {
        g_assert_cmpuint (t->interval_from[i], <, t->interval_to[i]);
        g_assert_cmpuint (t->interval_to[i], <=, n_steps);
        if (i > t->interval_start[c])
          g_assert_cmpuint (t->interval_to[i - 1], <, t->interval_from[i]);
      }
}

static inline void
fuzz_check_lowered (const TsrLoweredTables *t,
                    const TsrLivenessTables *liveness,
                    const TsrMemoryTables *memory)
{
  gsize n_on_tiles = 0;

  for (gsize i = 0; i < t->n; i++)
    {
      fuzz_check_place (t->tile[i], t->n_tiles);
      n_on_tiles += t->tile[i] != TSR_NO_INDEX;
      fuzz_check_place (t->name[i], tsr_string_table_get_length (t->strings));
      fuzz_check_place (t->variable[i], liveness != NULL ? liveness->n_variables : 0);
      fuzz_check_place (t->equivalence_class[i], t->n_classes);
      g_assert_true (t->category[i] == TSR_NO_CATEGORY
                     || t->category[i] < memory->categories.n_categories);
      g_assert_true (t->always_live[i] <= 1 || t->always_live[i] == 255);
      g_assert_true (t->alignment[i] <= 31 || t->alignment[i] == 255);
    }
  g_assert_cmpuint (t->tile_start[t->n_tiles], ==, n_on_tiles);
  for (guint tile = 0; tile < t->n_tiles; tile++)
    for (gsize i = t->tile_start[tile]; i < t->tile_start[tile + 1]; i++)
      g_assert_cmpuint (t->tile[t->by_tile != NULL ? t->by_tile[i] : i], ==, tile);
  fuzz_check_classes (t, liveness != NULL ? liveness->n_steps : 0);
}

static inline void
fuzz_check_runs (const TsrExecutionTables *t)
{
  gint64 total = 0;

  g_assert_cmpuint (t->n_runs, >, 0);
  for (guint r = 0; r < t->n_runs; r++)
    {
      g_assert_cmpuint (t->run_first[r], <=, t->run_end[r]);
      g_assert_cmpuint (t->run_end[r], <=, t->n_steps);
      g_assert_true (!(t->run_microseconds_end[r] < t->run_microseconds_start[r]));
      total += t->run_end[r] - t->run_first[r];
      for (guint i = t->run_first[r]; i < t->run_end[r]; i++)
        g_assert_cmpuint (t->step_run[i], ==, r);
      for (guint i = 0; t->run_ipu_cycles != NULL && i < t->n_ipus; i++)
        g_assert_true (t->run_ipu_cycles[(gsize)r * t->n_ipus + i] == TSR_UNKNOWN
                       || t->run_ipu_cycles[(gsize)r * t->n_ipus + i] >= 0);
    }
  for (guint i = 0; i < t->n_steps; i++)
    total -= t->step_run[i] != G_MAXUINT16;
  g_assert_cmpint (total, ==, 0);
}

static inline void
fuzz_check_slice (const TsrExecutionTables *t, gsize i)
{
  const TsrNarrow *const narrow[] = { &t->slice_lead_in, &t->slice_cycles, &t->slice_active_tiles,
                                      &t->slice_data_in, &t->slice_data_out };

  g_assert_cmpuint (t->slice_step[i], <, t->n_steps);
  g_assert_true ((t->slice_start[i] == TSR_UNKNOWN) == (t->slice_end[i] == TSR_UNKNOWN));
  g_assert_cmpint (t->slice_start[i], <=, t->slice_end[i]);
  g_assert_cmpint (t->slice_end[i], <=, (gint64)1 << 53);
  g_assert_true (t->slice_start[i] == TSR_UNKNOWN || t->slice_start[i] >= 0);
  for (guint k = 0; k < G_N_ELEMENTS (narrow); k++)
    g_assert_true (tsr_narrow_get (narrow[k], i) >= 0
                   || tsr_narrow_get (narrow[k], i) == TSR_UNKNOWN);
  g_assert_true (!(t->slice_tile_balance[i] < 0) && !(t->slice_tile_balance[i] > 1));
  g_assert_true (!(t->slice_active_tile_balance[i] < 0) && !(t->slice_active_tile_balance[i] > 1));
}

static inline void
fuzz_check_execution (const TsrExecutionTables *t, const TsrProgramTables *programs)
{
  g_autofree guint8 *seen = g_malloc (t->n_steps + 1);

  g_assert_cmpuint (t->n_types, <=, TSR_MAX_STEP_TYPES);
  if (t->step_id != NULL)
    fuzz_check_ascending (t->step_id, t->n_steps);
  for (guint i = 0; i < t->n_steps; i++)
    {
      g_assert_cmpuint (t->step_type[i], <, t->n_types);
      g_assert_nonnull (tsr_string_table_get (t->strings, t->type_name[t->step_type[i]]));
      fuzz_check_place (t->step_program[i], programs != NULL ? programs->n_programs : 0);
      fuzz_check_place (t->step_compute_set[i], programs != NULL ? programs->n_compute_sets : 0);
    }
  fuzz_check_runs (t);
  g_assert_cmpuint (t->ipu_start[0], ==, 0);
  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    {
      memset (seen, 0, t->n_steps);
      g_assert_cmpuint (t->ipu_start[ipu], <=, t->ipu_start[ipu + 1]);
      for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
        {
          fuzz_check_slice (t, i);
          g_assert_false (seen[t->slice_step[i]]++);
          if (i > t->ipu_start[ipu])
            g_assert_cmpuint ((guint64)t->slice_start[i - 1], <=, (guint64)t->slice_start[i]);
        }
    }
  for (guint i = 0; i < t->n_blocks; i++)
    {
      g_assert_cmpuint (t->block_ipu[i], <, t->n_ipus);
      g_assert_cmpint (t->block_from[i], <=, t->block_to[i]);
      fuzz_check_place (t->block_run[i], t->n_runs);
      fuzz_check_place (t->block_program[i], programs != NULL ? programs->n_programs : 0);
      fuzz_check_place (t->block_name[i], tsr_string_table_get_length (t->strings));
    }
}

/* All of @report that is there; a stage that is not says why. */
static inline void
fuzz_check_tables (TsrReport *report)
{
  const TsrProgramTables *programs = tsr_report_get_program_tables (report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (report);
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (report);
  const TsrExecutionTables *execution = tsr_report_get_execution_tables (report);

  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    fuzz_check_error (tsr_report_get_stage_state (report, stage) == TSR_STAGE_READY,
                      (GError *)tsr_report_get_stage_error (report, stage));
  if (programs != NULL)
    fuzz_check_programs (programs);
  if (liveness != NULL)
    fuzz_check_liveness (liveness, programs);
  if (execution != NULL)
    fuzz_check_execution (execution, programs);
  if (lowered != NULL)
    fuzz_check_lowered (lowered, liveness, tsr_report_get_memory_tables (report));
}
