/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a report's parts to the quantities that the rules share.  Borrows from the report, its
 * memory and variables, which outlive the context. */

#include "config.h"

#include "tsr-insights-private.h"

#include "tsr-id-index.h"
#include "tsr-scan.h"
#include "tsr-variables-private.h"

#include <errno.h>
#include <string.h>

/* al(t) where memory_by_tile does not tell it: sums of always-live allocations. */
static void
sum_always_live (TsrInsightContext *c)
{
  const TsrLoweredTables *lowered = c->lowered;
  gint64 *sums;

  if (c->always_live != NULL || lowered == NULL || lowered->n == 0)
    return;
  sums = g_new0 (gint64, MAX (c->n_tiles, 1));
  for (gsize row = 0; row < lowered->n; row++)
    {
      guint32 tile = lowered->tile[row];

      if (tile >= c->n_tiles || lowered->always_live[row] == 0)
        continue;
      if (lowered->always_live[row] != 1 || lowered->size[row] == TSR_LOWERED_UNKNOWN)
        sums[tile] = TSR_UNKNOWN;
      else
        sums[tile] = tsr_insight_add (sums[tile], lowered->size[row]);
    }
  c->owned_always_live = sums;
  c->always_live = sums;
}

static void
collect_categories (TsrInsightContext *c, TsrMemory *memory)
{
  if (!tsr_memory_has_categories (memory))
    return;
  c->categories_allocated = tsr_memory_are_categories_allocated (memory);
  c->n_categories = tsr_memory_get_n_categories (memory);
  c->category_names = g_new0 (const char *, MAX (c->n_categories, 1));
  c->category_labels = g_new0 (const char *, MAX (c->n_categories, 1));
  c->category_bytes = g_new0 (gint64 *, MAX (c->n_categories, 1));
  for (guint i = 0; i < c->n_categories; i++)
    {
      c->category_names[i] = tsr_memory_get_category_name (memory, i);
      c->category_labels[i] = tsr_memory_get_category_label (memory, i);
      c->category_bytes[i] = tsr_memory_dup_category (memory, i, FALSE);
    }
}

static void
collect_memory (TsrInsightContext *c, TsrReport *report, TsrMemory *memory)
{
  const TsrSummary *summary = tsr_report_get_summary (report);

  c->capacity = tsr_memory_get_capacity (memory);
  c->n_tiles = tsr_memory_get_n_tiles (memory);
  c->n_ipus = tsr_memory_get_n_ipus (memory);
  c->tiles_per_ipu = tsr_memory_get_tiles_per_ipu (memory);
  c->n_replicas = summary != NULL ? summary->target.num_replicas : TSR_UNKNOWN;
  c->interleaved_start = summary != NULL ? summary->target.interleaved_start : TSR_UNKNOWN;
  c->memory_per_replica = tsr_known_multiply (c->capacity, c->n_tiles);
  c->inc = tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS);
  c->exc = tsr_memory_peek (memory, TSR_METRIC_EXCLUDING_GAPS);
  c->ovf = tsr_memory_peek (memory, TSR_METRIC_OVERFLOWED);
  c->always_live = tsr_memory_peek (memory, TSR_METRIC_ALWAYS_LIVE);
  c->not_always_live = tsr_memory_peek (memory, TSR_METRIC_NOT_ALWAYS_LIVE);
  c->fullness = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  if (tsr_memory_has_regions (memory))
    c->interleaved = tsr_memory_peek_region (memory, TSR_REGION_INTERLEAVED);
  collect_categories (c, memory);
}

/* --------------------------------------------------------------- variables */

static void
collect_entries (TsrInsightContext *c, TsrVariables *variables)
{
  c->n_variables = tsr_variables_get_n (variables);
  c->variables = g_new0 (TsrInsightVariable, MAX (c->n_variables, 1));
  for (guint v = 0; v < c->n_variables; v++)
    c->variables[v] = (TsrInsightVariable){
      tsr_variables_get_name (variables, v),         tsr_variables_get_category (variables, v),
      tsr_variables_get_element_type (variables, v), tsr_variables_get_bytes (variables, v),
      tsr_variables_get_life (variables, v),         tsr_variables_is_compiler_made (variables, v),
    };
}

/* Without lowered variables only what holds for all tiles is known. */
static void
collect_lifetimes (TsrInsightContext *c, TsrVariables *variables)
{
  c->lifetimes = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));
  c->lifetime_start = g_new0 (guint32, (gsize)c->n_variables + 1);
  for (guint v = 0; v < c->n_variables; v++)
    {
      if (c->variables[v].life != TSR_LIFE_ALWAYS)
        {
          g_autoptr (GArray) lives = tsr_variables_dup_lifetimes (variables, v, NULL, 0);

          g_array_append_vals (c->lifetimes, lives->data, lives->len);
        }
      c->lifetime_start[v + 1] = c->lifetimes->len;
    }
}

static void
collect_steps (TsrInsightContext *c, TsrReport *report)
{
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (report);

  if (liveness == NULL)
    return;
  c->n_steps = liveness->n_steps;
  c->step_program = liveness->step_program;
  c->step_names = g_new0 (const char *, MAX (c->n_steps, 1));
  for (guint k = 0; programs != NULL && k < c->n_steps; k++)
    if (liveness->step_program[k] < programs->n_programs)
      c->step_names[k] = tsr_string_table_get (programs->strings,
                                               programs->program_name[liveness->step_program[k]]);
  c->all_series = g_memdup2 (liveness->step_bytes, c->n_steps * sizeof (gint64));
  for (guint k = 0; k < c->n_steps; k++)
    if (c->all_series[k] == TSR_UNKNOWN)
      {
        g_clear_pointer (&c->all_series, g_free);
        break;
      }
}

/* The programs that touch each variable.  Entries of variables begin with the rows of `variables`,
 * in the order of their ids. */
static gboolean
collect_touched (TsrInsightContext *c, TsrReport *report, GError **error)
{
  const char *const columns[] = { "program", "variable", NULL };
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (report);
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (TsrScan) scan = NULL;
  g_autoptr (GError) local_error = NULL;

  if (liveness == NULL || programs == NULL)
    return TRUE;
  profile = tsr_report_open_profile (report, NULL);
  if (profile == NULL || !tsr_profile_has_rows (profile, "program_variables"))
    return TRUE;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), c->cancellable);
  c->touched = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref);
  scan = tsr_scan_new (profile, "program_variables", columns, &local_error);
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    {
      guint32 program = tsr_id_index_find_id (programs->program_id, programs->n_programs,
                                              tsr_scan_get_int (scan, 0));
      guint32 variable = tsr_id_index_find_id (liveness->variable_id, liveness->n_variables,
                                               tsr_scan_get_int (scan, 1));
      GHashTable *set;

      if (program == TSR_NO_INDEX || variable >= c->n_variables
          || g_strcmp0 (c->variables[variable].category, "variable") != 0)
        continue;
      set = g_hash_table_lookup (c->touched, GUINT_TO_POINTER (variable));
      if (set == NULL)
        {
          set = g_hash_table_new (NULL, NULL);
          g_hash_table_insert (c->touched, GUINT_TO_POINTER (variable), set);
        }
      g_hash_table_add (set, GUINT_TO_POINTER (program));
    }
  /* A table that cannot be read on tells nothing: the reader has said so. */
  if (scan == NULL || local_error != NULL)
    g_clear_pointer (&c->touched, g_hash_table_unref);
  return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
}

static gboolean
collect_variables (TsrInsightContext *c, TsrReport *report, TsrVariables *variables, GError **error)
{
  guint32 *entry;

  collect_steps (c, report);
  collect_entries (c, variables);
  /* Of which the entries are: the report may have got more since. */
  c->lowered = variables->lowered;
  if (c->lowered != NULL && c->lowered->n == 0)
    c->lowered = NULL;
  if (c->lowered == NULL)
    {
      collect_lifetimes (c, variables);
      return TRUE;
    }
  entry = g_try_new (guint32, c->lowered->n);
  if (entry == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, g_strerror (ENOMEM));
      return FALSE;
    }
  for (gsize row = 0; row < c->lowered->n; row++)
    entry[row] = tsr_variables_of_lowered (variables, row);
  c->entry = c->owned_entry = entry;
  return collect_touched (c, report, error);
}

gboolean
tsr_insight_context_collect (TsrInsightContext *c,
                             TsrReport *report,
                             TsrMemory *memory,
                             TsrLiveness *liveness,
                             TsrVertices *vertices,
                             TsrOperations *operations,
                             GError **error)
{
  c->worst_peak = TSR_NO_INDEX;
  c->worst_live = c->below_end = TSR_UNKNOWN;
  c->n_stream_copies = TSR_UNKNOWN;
  collect_memory (c, report, memory);
  if (liveness != NULL
      && !collect_variables (c, report, tsr_liveness_get_variables (liveness), error))
    return FALSE;
  sum_always_live (c);
  tsr_insight_context_derive (c);
  if (!tsr_insight_context_look_at_worst (c, error))
    return FALSE;
  if (vertices != NULL && !tsr_insight_context_collect_code (c, report, vertices, error))
    return FALSE;
  return tsr_insight_context_collect_operations (
      c, report, memory, liveness != NULL ? tsr_liveness_get_variables (liveness) : NULL,
      operations, error);
}

void
tsr_insight_context_clear (TsrInsightContext *c)
{
  tsr_insight_context_clear_execution (c);
  for (guint i = 0; c->category_bytes != NULL && i < c->n_categories; i++)
    g_free (c->category_bytes[i]);
  g_clear_pointer (&c->category_bytes, g_free);
  g_clear_pointer (&c->category_names, g_free);
  g_clear_pointer (&c->category_labels, g_free);
  g_clear_pointer (&c->need, g_free);
  g_clear_pointer (&c->critical, g_free);
  g_clear_pointer (&c->variables, g_free);
  g_clear_pointer (&c->worst_series, g_free);
  g_clear_pointer (&c->all_series, g_free);
  g_clear_pointer (&c->held, g_array_unref);
  g_clear_pointer (&c->gaps, g_array_unref);
  g_clear_pointer (&c->lifetimes, g_array_unref);
  g_clear_pointer (&c->lifetime_start, g_free);
  g_clear_pointer (&c->step_names, g_free);
  g_clear_pointer (&c->touched, g_hash_table_unref);
  g_clear_pointer (&c->scopes, g_array_unref);
  g_clear_pointer (&c->vertex_code, g_free);
  g_clear_pointer (&c->vertex_state, g_free);
  for (guint i = 0; c->exchanges != NULL && i < c->exchanges->len; i++)
    g_free (g_array_index (c->exchanges, TsrInsightExchange, i).by_scope);
  g_clear_pointer (&c->exchanges, g_array_unref);
  g_clear_pointer (&c->vertices, g_array_unref);
  g_clear_pointer (&c->arrays, g_ptr_array_unref);
  g_clear_pointer (&c->entry_counts, g_free);
  g_clear_pointer (&c->one_off.names, g_ptr_array_unref);
  g_clear_pointer (&c->one_off.bytes, g_array_unref);
  g_clear_pointer (&c->operations.list, g_array_unref);
  g_clear_pointer (&c->owned_always_live, g_free);
  g_clear_pointer (&c->owned_entry, g_free);
  g_clear_pointer (&c->chunk, g_string_chunk_free);
}
