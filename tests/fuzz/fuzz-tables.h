/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What always holds of the larger tables of a report, whatever was in the file: every index is that
 * of something, every list begins where the one before ends, intervals are in order. */

#pragma once

#include "tsr-report.h"

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

/* All of @report that is there; a stage that is not says why. */
static inline void
fuzz_check_tables (TsrReport *report)
{
  const TsrProgramTables *programs = tsr_report_get_program_tables (report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (report);
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (report);

  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    fuzz_check_error (tsr_report_get_stage_state (report, stage) == TSR_STAGE_READY,
                      (GError *)tsr_report_get_stage_error (report, stage));
  if (programs != NULL)
    fuzz_check_programs (programs);
  if (liveness != NULL)
    fuzz_check_liveness (liveness, programs);
  if (lowered != NULL)
    fuzz_check_lowered (lowered, liveness, tsr_report_get_memory_tables (report));
}
