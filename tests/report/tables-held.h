/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every row of the larger tables of a report as a line of text, so that two reports can be compared
 * in all that they hold. */

#pragma once

#include "tsr-report.h"

#include <inttypes.h>
#include <string.h>

/* Reports with more rows than this are not compared. */
#define HELD_MOST 1000

/* -------------------------------------------------------------------- words */

static inline char *
keep_word (GPtrArray *words, char *word)
{
  g_ptr_array_add (words, word);
  return word;
}

/* "?" where nothing is known; @none is what the column says then. */
static inline const char *
held_number (GPtrArray *words, gint64 value, gint64 none)
{
  return value == none ? "?" : keep_word (words, g_strdup_printf ("%" PRId64, value));
}

/* The first characters of a text. */
static inline const char *
held_text (GPtrArray *words, TsrStringTable *strings, guint32 text)
{
  const char *whole = text != TSR_NO_STRING ? tsr_string_table_get (strings, text) : NULL;

  return whole == NULL ? "?" : keep_word (words, g_strdup_printf ("'%.30s'", whole));
}

static inline const char *
held_array (GPtrArray *words, const TsrTileArrayRef *array)
{
  return keep_word (words, g_strdup_printf ("%s/%s/%s", held_number (words, array->id, TSR_UNKNOWN),
                                            held_number (words, array->total, TSR_UNKNOWN),
                                            held_number (words, array->maximum, TSR_UNKNOWN)));
}

#define HOLD(...)      g_ptr_array_add (lines, g_strdup_printf (__VA_ARGS__))
#define WIDE(value)    held_number (words, value, TSR_UNKNOWN)
#define PLACE(value)   held_number (words, value, TSR_NO_INDEX)
#define NARROW(column) WIDE (tsr_narrow_get (&t->column, i))
#define TEXT(index)    held_text (words, t->strings, index)

/* ------------------------------------------------------------------- summary */

static inline void
hold_target (GPtrArray *lines, GPtrArray *words, const char *name, const TsrTarget *t)
{
  HOLD ("%s: %s IPUs, %s in each of %s replicas, %s tiles each%s, %s and %s tiles, %s bytes a "
        "tile, %s"
        " an IPU, %s a replica, %s in all, interleaved from %s, %g Hz",
        name, WIDE (t->num_ipus), WIDE (t->ipus_per_replica), WIDE (t->num_replicas),
        WIDE (t->tiles_per_ipu), t->tiles_per_ipu_assumed ? " (assumed)" : "", WIDE (t->num_tiles),
        WIDE (t->tiles_per_replica), WIDE (t->bytes_per_tile), WIDE (t->bytes_per_ipu),
        WIDE (t->memory_per_replica), WIDE (t->total_memory), WIDE (t->interleaved_start),
        t->clock_frequency);
}

/* Which views there are, and what they lack. */
static inline void
hold_views (GPtrArray *lines, TsrReport *report)
{
  for (guint v = 0; v < TSR_N_VIEWS; v++)
    {
      const TsrAvailability *view = &tsr_report_get_summary (report)->views[v];

      HOLD ("view %u: %s", v, view->available ? "there" : "not there");
      for (guint i = 0; i < view->missing->len; i++)
        {
          const TsrMissing *missing = view->missing->pdata[i];

          HOLD ("view %u without %s (%s): %s", v, missing->table,
                missing->option != NULL ? missing->option : "?", missing->text);
        }
    }
}

/* ---------------------------------------------------------------- executions */

static inline void
hold_execution (GPtrArray *lines, GPtrArray *words, const TsrExecutionTables *t)
{
  HOLD ("%u IPUs, %u steps, %u runs, %u types, %u blocks%s", t->n_ipus, t->n_steps, t->n_runs,
        t->n_types, t->n_blocks, t->from_max_told ? "" : ", without from_max");
  for (guint r = 0; r < t->n_runs; r++)
    {
      HOLD ("run %s %s: steps %u to %u%s, %g to %g us", WIDE (t->run_id[r]), TEXT (t->run_name[r]),
            t->run_first[r], t->run_end[r], t->run_complete[r] ? "" : ", cut off",
            t->run_microseconds_start[r], t->run_microseconds_end[r]);
      for (guint p = 0; t->run_ipu_cycles != NULL && p < t->n_ipus; p++)
        HOLD ("run %s on IPU %u: %s cycles", WIDE (t->run_id[r]), p,
              WIDE (t->run_ipu_cycles[(gsize)r * t->n_ipus + p]));
    }
  for (guint i = 0; i < t->n_steps; i++)
    HOLD ("step %" PRId64 ": %s, program %s, compute set %s, run %s, tile cycles %s",
          tsr_execution_tables_get_step_id (t, i), TEXT (t->type_name[t->step_type[i]]),
          PLACE (t->step_program[i]), PLACE (t->step_compute_set[i]),
          held_number (words, t->step_run[i], G_MAXUINT16), PLACE (t->step_tile_cycles[i]));
  for (guint p = 0; p < t->n_ipus; p++)
    for (gsize i = t->ipu_start[p]; i < t->ipu_start[p + 1]; i++)
      HOLD ("IPU %u step %" PRId64
            ": %s to %s behind %s, %s cycles, %s tiles, %g, %g, in %s, out %s",
            p, tsr_execution_tables_get_step_id (t, t->slice_step[i]), WIDE (t->slice_start[i]),
            WIDE (t->slice_end[i]), NARROW (slice_lead_in), NARROW (slice_cycles),
            NARROW (slice_active_tiles), t->slice_tile_balance[i], t->slice_active_tile_balance[i],
            NARROW (slice_data_in), NARROW (slice_data_out));
  for (guint i = 0; i < t->n_blocks; i++)
    HOLD ("block %s %s: program %s, IPU %u, tile %s, run %s, %s to %s, flags %u",
          WIDE (t->block_id[i]), TEXT (t->block_name[i]), PLACE (t->block_program[i]),
          t->block_ipu[i], PLACE (t->block_tile[i]), PLACE (t->block_run[i]),
          WIDE (t->block_from[i]), WIDE (t->block_to[i]), t->block_flags[i]);
  for (guint p = 0; t->total_cycles != NULL && p < t->n_ipus; p++)
    HOLD ("IPU %u: %s cycles in total", p, WIDE (t->total_cycles[p]));
}

/* ------------------------------------------------------------------ programs */

static inline void
hold_programs (GPtrArray *lines, GPtrArray *words, const TsrProgramTables *t)
{
  for (guint i = 0; i < t->n_programs; i++)
    {
      HOLD ("program %s %s: %s, compute set %s, callee %s, %s times, debug %s, %s, code %s, "
            "control code %s, estimate %s, in %s, out %s",
            WIDE (t->program_id[i]), TEXT (t->program_name[i]), TEXT (t->program_type[i]),
            PLACE (t->program_compute_set[i]), PLACE (t->program_callee[i]),
            WIDE (t->program_repeat_count[i]), WIDE (t->program_debug_id[i]),
            TEXT (t->program_stream_copy_kind[i]), held_array (words, &t->program_code[i]),
            held_array (words, &t->program_control_code[i]),
            held_array (words, &t->program_estimated_cycles[i]),
            held_array (words, &t->program_data_in[i]),
            held_array (words, &t->program_data_out[i]));
      for (guint k = t->child_start[i]; k < t->child_start[i + 1]; k++)
        HOLD ("program %s, child %u: row %u", WIDE (t->program_id[i]), k - t->child_start[i],
              t->child[k]);
    }
  for (guint i = 0; i < t->n_compute_sets; i++)
    {
      HOLD ("compute set %s %s: estimate %s", WIDE (t->compute_set_id[i]),
            TEXT (t->compute_set_name[i]), held_array (words, &t->compute_set_estimated_cycles[i]));
      for (guint k = t->vertex_start[i]; k < t->vertex_start[i + 1]; k++)
        HOLD ("compute set %s, vertex type %u: %s, by tile %s, %s flops, %s and %s cycles",
              WIDE (t->compute_set_id[i]), t->vertex_type[k], WIDE (t->vertex_count[k]),
              held_array (words, &t->vertex_count_by_tile[k]), WIDE (t->vertex_flops[k]),
              WIDE (t->vertex_estimated_cycles[k]), WIDE (t->vertex_measured_cycles[k]));
    }
  for (guint i = 0; i < t->n_vertex_types; i++)
    HOLD ("vertex type %s %s: %s bytes, %s, code %s", WIDE (t->vertex_type_id[i]),
          TEXT (t->vertex_type_name[i]), WIDE (t->vertex_type_size[i]),
          TEXT (t->vertex_type_source[i]), held_array (words, &t->vertex_type_code[i]));
  for (guint i = 0; i < t->n_compilation_steps; i++)
    HOLD ("compilation step %s %s", WIDE (t->compilation_step_id[i]),
          TEXT (t->compilation_step_name[i]));
  for (guint i = 0; i < t->n_roots; i++)
    HOLD ("root %u: compilation step %s, %s, program %u", i, PLACE (t->root_step[i]),
          TEXT (t->root_kind[i]), t->root_program[i]);
}

/* ------------------------------------------------------------------ liveness */

static inline void
hold_liveness (GPtrArray *lines, GPtrArray *words, const TsrLivenessTables *t)
{
  for (guint i = 0; i < t->n_steps; i++)
    {
      HOLD ("liveness step %u: program %s in row %s, %s bytes", i, WIDE (t->step_program_id[i]),
            PLACE (t->step_program[i]), WIDE (t->step_bytes[i]));
      for (guint p = 0; p < t->n_ipus; p++)
        HOLD ("liveness step %u on IPU %u: %s bytes", i, p,
              WIDE (t->step_ipu_bytes[(gsize)p * t->n_steps + i]));
    }
  for (guint v = 0; v < t->n_variables; v++)
    {
      HOLD ("variable %s %s: %s bytes, always live %s, category %s, %s %s, debug %s",
            WIDE (t->variable_id[v]), TEXT (t->variable_name[v]), WIDE (t->variable_size[v]),
            held_number (words, t->variable_always_live[v], 255), WIDE (t->variable_category_id[v]),
            TEXT (t->variable_element_type[v]), TEXT (t->variable_shape[v]),
            WIDE (t->variable_debug_id[v]));
      for (guint p = 0; t->variable_ipu_bytes != NULL && p < t->n_variable_ipus; p++)
        HOLD ("variable %s on IPU %u: %s bytes", WIDE (t->variable_id[v]), p,
              WIDE (t->variable_ipu_bytes[(gsize)p * t->n_variables + v]));
      for (guint i = t->lifetime_start[v]; i < t->lifetime_start[v + 1]; i++)
        HOLD ("variable %s, life %u: steps %u to %u, %s bytes", WIDE (t->variable_id[v]),
              i - t->lifetime_start[v], t->lifetime_from[i], t->lifetime_to[i],
              WIDE (t->lifetime_bytes[i]));
    }
}

/* ------------------------------------------------------------------- lowered */

static inline void
hold_lowered (GPtrArray *lines, GPtrArray *words, const TsrLoweredTables *t)
{
  HOLD ("%u tiles, their allocations %s", t->n_tiles,
        t->by_tile != NULL ? "apart" : "behind each other");
  for (gsize i = 0; i < t->n; i++)
    HOLD ("allocation %" PRId64 " %s: tile %s, %s bytes at %s, variable %s, class %s, category %s,"
          " always live %s, alignment %s",
          t->id != NULL ? t->id[i] : t->first_id + (gint64)i, TEXT (t->name[i]), PLACE (t->tile[i]),
          held_number (words, t->size[i], TSR_LOWERED_UNKNOWN),
          held_number (words, t->offset[i], TSR_LOWERED_UNKNOWN), PLACE (t->variable[i]),
          PLACE (t->equivalence_class[i]), held_number (words, t->category[i], TSR_NO_CATEGORY),
          held_number (words, t->always_live[i], 255), held_number (words, t->alignment[i], 255));
  for (guint p = 0; p < t->n_tiles; p++)
    for (gsize i = t->tile_start[p]; i < t->tile_start[p + 1]; i++)
      HOLD ("tile %u, allocation %" G_GSIZE_FORMAT ": row %" G_GSIZE_FORMAT, p,
            i - t->tile_start[p], t->by_tile != NULL ? t->by_tile[i] : i);
  for (guint c = 0; c < t->n_classes; c++)
    for (gsize i = t->interval_start[c]; i < t->interval_start[c + 1]; i++)
      HOLD ("class %" PRId64 " in row %u, life %" G_GSIZE_FORMAT ": steps %u to %u", t->class_id[c],
            c, i - t->interval_start[c], t->interval_from[i], t->interval_to[i]);
}

#undef HOLD
#undef WIDE
#undef PLACE
#undef NARROW
#undef TEXT

/* --------------------------------------------------------------------- both */

/* (transfer full): all that the stages that are ready hold, a line for each row, each line once
 * unless two rows are equal in all; NULL: too much. */
static inline GPtrArray *
dup_held (TsrReport *report)
{
  const TsrExecutionTables *execution = tsr_report_get_execution_tables (report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (report);
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (report);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *lines;

  if ((execution != NULL && (execution->n_steps > HELD_MOST || execution->n_ipus > 40))
      || (programs != NULL && programs->n_programs > HELD_MOST)
      || (liveness != NULL && liveness->n_steps > HELD_MOST)
      || (lowered != NULL && (lowered->n > HELD_MOST || lowered->n_tiles > HELD_MOST)))
    return NULL;
  lines = g_ptr_array_new_with_free_func (g_free);
  if (tsr_report_get_summary (report) != NULL)
    {
      hold_target (lines, words, "target", &tsr_report_get_summary (report)->target);
      hold_target (lines, words, "target as told", &tsr_report_get_summary (report)->told);
      hold_views (lines, report);
    }
  for (guint i = 0; i < TSR_N_STAGES; i++)
    if (tsr_report_get_stage_error (report, i) != NULL)
      g_ptr_array_add (lines, g_strdup (tsr_report_get_stage_error (report, i)->message));
  if (execution != NULL)
    hold_execution (lines, words, execution);
  if (programs != NULL)
    hold_programs (lines, words, programs);
  if (liveness != NULL)
    hold_liveness (lines, words, liveness);
  if (lowered != NULL)
    hold_lowered (lines, words, lowered);
  return lines;
}

/* Adds the lines of @a that are not in @b, each after @mark, in the order of @a.  Of those after
 * the first @most their number, and one that depends on all of them. */
static inline void
add_missing (GString *text, const GPtrArray *a, const GPtrArray *b, const char *mark, guint most)
{
  g_autoptr (GHashTable) there = g_hash_table_new (g_str_hash, g_str_equal);
  guint32 sum = 0;
  guint n = 0;

  for (guint i = 0; i < b->len; i++)
    g_hash_table_add (there, b->pdata[i]);
  for (guint i = 0; i < a->len; i++)
    if (!g_hash_table_contains (there, a->pdata[i]) && n++ < most)
      g_string_append_printf (text, "    %s %s\n", mark, (const char *)a->pdata[i]);
    else if (!g_hash_table_contains (there, a->pdata[i]))
      sum = sum * 33 + g_str_hash (a->pdata[i]);
  if (n > most)
    g_string_append_printf (text, "    %s %u more (%08x)\n", mark, n - most, sum);
}
