/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is computed from a report, over files of which one read fails, and cancelled at any time:
 * whoever needed it has no result and says why, and a result is what it is without. */

#include "config.h"

#include "cancel-count.h"
#include "tsr-check.h"
#include "tsr-insights.h"
#include "tsr-operation-list.h"
#include "tsr-operations.h"
#include "tsr-plan.h"
#include "tsr-program-code.h"
#include "tsr-search.h"
#include "tsr-test-place.h"
#include "tsr-test.h"
#include "tsr-trace-balance.h"
#include "tsr-trace-live.h"
#include "tsr-trace-waits.h"

typedef struct
{
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrLiveness *liveness;
  TsrVertices *vertices;
  TsrPrograms *programs;
  TsrTrace *trace;
  TsrOperations *operations;
  guint which; /* of an ask that is several */
} Base;

static void
base_open (Base *self)
{
  g_autoptr (TsrPlace) place = tsr_test_failing_place_new ();
  g_autoptr (GError) error = NULL;

  *self = (Base){ 0 };
  self->report
      = tsr_report_open_sync (place, tsr_test_get_report ("tiny"), TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  self->memory = tsr_memory_new (self->report);
  self->variables = tsr_variables_new (self->report, NULL, &error);
  g_assert_no_error (error);
  self->liveness = tsr_liveness_new (self->report, self->memory, self->variables);
  self->vertices = tsr_vertices_new (self->report, self->memory);
  self->programs = tsr_programs_new (self->report, NULL, &error);
  g_assert_no_error (error);
  self->trace = tsr_trace_new (self->report, NULL, &error);
  g_assert_no_error (error);
  self->operations = tsr_operations_new (self->programs, tsr_report_get_debug_tables (self->report),
                                         "poplibs", self->memory, self->variables, NULL, &error);
  g_assert_no_error (error);
}

static void
base_clear (Base *self)
{
  tsr_operations_unref (self->operations);
  tsr_trace_unref (self->trace);
  tsr_programs_unref (self->programs);
  tsr_vertices_unref (self->vertices);
  tsr_liveness_unref (self->liveness);
  tsr_variables_unref (self->variables);
  tsr_memory_unref (self->memory);
  g_object_unref (self->report);
}

/* --------------------------------------------------------------------- questions */

/* Each: a number of what was found, or -1 and @error. */
typedef gint64 (*Ask) (Base *base, GCancellable *cancellable, GError **error);

static gint64
take (gint64 *values, gsize n)
{
  const gboolean there = values != NULL;
  guint64 sum = 0;

  for (gsize i = 0; there && i < n; i++)
    sum += values[i] == TSR_UNKNOWN ? 1 : (guint64)values[i];
  g_free (values);
  return there ? (gint64)(sum >> 1) : -1;
}

static gint64
take_length (GArray *array)
{
  gint64 length = array == NULL ? -1 : (gint64)array->len;

  g_clear_pointer (&array, g_array_unref);
  return length;
}

static gint64
ask_variables (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrVariables) made = tsr_variables_new (base->report, cancellable, error);

  return made == NULL ? -1 : (gint64)tsr_variables_get_n (made);
}

static gint64
ask_programs (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrPrograms) made = tsr_programs_new (base->report, cancellable, error);

  return made == NULL ? -1 : (gint64)tsr_programs_get_n (made);
}

static gint64
ask_trace (Base *base, GCancellable *cancellable, GError **error)
{
  TsrTrace *made = tsr_trace_new (base->report, cancellable, error);
  gint64 found = made == NULL ? -1 : (gint64)tsr_trace_get_n_ipus (made);

  g_clear_pointer (&made, tsr_trace_unref);
  return found;
}

static gint64
ask_operations (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrOperations) made
      = tsr_operations_new (base->programs, tsr_report_get_debug_tables (base->report), "poplibs",
                            base->memory, base->variables, cancellable, error);
  gint64 sum = made == NULL ? -1 : (gint64)tsr_operations_get_n (made);

  for (guint f = 0; made != NULL && f < TSR_N_OPERATION_FIGURES; f++)
    sum += tsr_operations_get_total (made, f) != TSR_UNKNOWN ? tsr_operations_get_total (made, f)
                                                             : 0;
  return sum;
}

static gint64
ask_worst_code (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrOperations) made
      = tsr_operations_new (base->programs, tsr_report_get_debug_tables (base->report), "poplibs",
                            base->memory, base->variables, NULL, NULL);

  if (made == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE, "not made");
      return -1;
    }
  return tsr_operations_read_worst_code (made, cancellable, error)
             ? tsr_operations_get_total (made, TSR_OPERATION_CODE_WORST)
             : -1;
}

static gint64
ask_group_code (Base *base, GCancellable *cancellable, GError **error)
{
  const guint operations[] = { 0, 1 }, starts[] = { 0, 2 };
  gint64 vertices[1], worst[1];

  return tsr_operations_read_group_code (base->operations, operations, starts, 1, vertices, worst,
                                         cancellable, error)
             ? vertices[0] + worst[0]
             : -1;
}

static gint64
ask_edges (Base *base, GCancellable *cancellable, GError **error)
{
  return take_length (
      tsr_operations_dup_edges (base->operations, 1, base->which != 0, cancellable, error));
}

static gint64
ask_operation_tiles (Base *base, GCancellable *cancellable, GError **error)
{
  guint n = 0;
  gint64 *values = tsr_operations_dup_by_tile (base->operations, 1, (TsrOperationByTile)base->which,
                                               &n, cancellable, error);

  return take (values, n);
}

/* On some tiles: vertices, compute sets, exchanges. */
static gint64
ask_vertices (Base *base, GCancellable *cancellable, GError **error)
{
  const guint tiles[] = { 0, 2 };

  if (base->which == 0)
    return take_length (tsr_vertices_list (base->vertices, tiles, 2, cancellable, error));
  if (base->which == 1)
    return take_length (
        tsr_vertices_list_compute_sets (base->vertices, tiles, 2, cancellable, error));
  return take_length (tsr_vertices_list_exchanges (base->vertices, tiles, 2, cancellable, error));
}

static gint64
ask_code (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProgramCode) made
      = tsr_program_code_new (base->programs, base->vertices, base->which, cancellable, error);

  return made == NULL ? -1 : 0;
}

static gint64
ask_code_by_tile (Base *base, GCancellable *cancellable, GError **error)
{
  gint64 *values = tsr_programs_dup_by_tile (base->programs, base->vertices, 0,
                                             (TsrTileFigure)(base->which % TSR_N_TILE_FIGURES),
                                             base->which >= TSR_N_TILE_FIGURES, cancellable, error);

  return take (values, tsr_memory_get_n_tiles (base->memory));
}

static gint64
ask_live (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrTraceLive) made
      = tsr_trace_live_new (base->trace, base->liveness, cancellable, error);

  return made == NULL ? -1 : 0;
}

static gint64
ask_stages (Base *base, GCancellable *cancellable, GError **error)
{
  GPtrArray *found = tsr_trace_stages (base->trace, NULL, 0, G_MAXINT64, cancellable, error);
  gint64 n = found == NULL ? -1 : (gint64)found->len;

  g_clear_pointer (&found, g_ptr_array_unref);
  return n;
}

static gint64
ask_overlap (Base *base, GCancellable *cancellable, GError **error)
{
  return take_length (tsr_trace_overlap (base->trace, NULL, 0, G_MAXINT64, cancellable, error));
}

static gint64
ask_tiles (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrTraceTiles) found
      = tsr_trace_tiles (base->trace, NULL, 0, 0, G_MAXINT64, cancellable, error);

  return found == NULL ? -1 : 0;
}

static gint64
ask_waits (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrTraceWaits) found
      = tsr_trace_waits_new (base->trace, NULL, 0, G_MAXINT64, 0, 10, cancellable, error);

  return found == NULL ? -1 : 0;
}

static gint64
ask_insights (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrInsights) made = tsr_insights_new_with_operations (
      base->report, base->memory, base->liveness, base->vertices, base->trace, base->operations,
      TSR_UNITS_BINARY, NULL, cancellable, error);
  const GPtrArray *findings;
  gint64 sum = 0;

  if (made == NULL)
    return -1;
  findings = tsr_insights_peek_findings (made);
  for (guint i = 0; i < findings->len; i++)
    sum += g_str_hash (((const TsrFinding *)findings->pdata[i])->text);
  return sum + (gint64)(tsr_insights_peek_not_checked (made)->len + 100 * findings->len);
}

static gint64
ask_plan (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrPlan) made = tsr_plan_new (base->report, base->memory, base->liveness,
                                           TSR_UNITS_BINARY, cancellable, error);
  g_autofree char *status = made != NULL ? tsr_plan_dup_status (made) : NULL;
  guint n = 0;

  if (made == NULL)
    return -1;
  tsr_plan_peek_measures (made, &n);
  return g_str_hash (status) + n;
}

static gint64
ask_check (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrPlace) place = tsr_test_failing_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open_sync (place, tsr_test_get_report ("tiny"),
                                                       TSR_LOAD_SUMMARY_ONLY, NULL, error);

  if (report == NULL || !tsr_check_run (report, NULL, cancellable, error))
    return -1;
  return tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report));
}

static gint64
ask_budgets (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) found
      = tsr_check_budgets (base->report, "peakLiveBytes = 1\ntotalCycles = 1", cancellable, error);

  return found == NULL ? -1 : ((const TsrBudget *)found->pdata[0])->exact;
}

/* Six questions to three sources each, and those to all tiles. */
static gint64
ask_liveness (Base *base, GCancellable *cancellable, GError **error)
{
  guint tiles[] = { 0, 2 };
  const guint32 variables[] = { 0, 1, 2 };
  const guint step = 1, n_tiles = tsr_memory_get_n_tiles (base->memory);
  const TsrLivenessSource sources[]
      = { { .kind = TSR_LIVENESS_ALL },
          { .kind = TSR_LIVENESS_IPU },
          { .kind = TSR_LIVENESS_TILES, .tiles = tiles, .n_tiles = 2 } };
  const TsrLivenessSource *source = &sources[base->which % 3];
  g_autoptr (TsrLiveness) made = tsr_liveness_new (base->report, base->memory, base->variables);
  g_autoptr (TsrLivenessSeries) series = NULL;
  g_autoptr (TsrLivenessTable) table = NULL;

  switch (base->which < 18 ? base->which / 3 : base->which)
    {
    case 0:
      series = tsr_liveness_compute (made, source, cancellable, error);
      return series != NULL ? series->peak_bytes : -1;
    case 1:
      return take_length (tsr_liveness_list_always_live (made, source, cancellable, error));
    case 2:
      return take_length (tsr_liveness_list_at (made, source, step, cancellable, error));
    case 3:
      return take_length (
          tsr_liveness_list_dying (made, source, step, step + 9, cancellable, error));
    case 4:
      return take_length (tsr_liveness_dup_sum_of (made, source, variables,
                                                   G_N_ELEMENTS (variables), cancellable, error));
    case 5:
      table = tsr_liveness_compare_steps (made, source, &step, 1, cancellable, error);
      return table != NULL ? (gint64)table->n_rows : -1;
    case 18:
      return take (tsr_liveness_dup_tiles_at (made, step, cancellable, error), n_tiles);
    case 19:
      return take (tsr_liveness_dup_category_at (made, 0, step, cancellable, error), n_tiles);
    case 20:
      return take (tsr_liveness_dup_variable_at (made, 0, step, cancellable, error), n_tiles);
    default:
      return take (tsr_liveness_dup_categories_at_peaks (made, cancellable, error), n_tiles);
    }
}

static void
on_found (gpointer data, const TsrFound *found, guint n_found)
{
  *(guint *)data = n_found;
}

static gint64
ask_search (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrSearch) search
      = tsr_search_new (base->report, base->memory, base->variables, G_MAXUINT);
  guint n = 0;

  return tsr_search_run (search, "a", 1000, on_found, &n, cancellable, error) ? (gint64)n : -1;
}

static gint64
ask_operation_list (Base *base, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrOperationList) made = tsr_operation_list_new (
      tsr_report_get_program_tables (base->report), tsr_report_get_debug_tables (base->report),
      NULL, "poplibs", cancellable, error);

  return made == NULL ? -1 : (gint64)made->n;
}

static const struct
{
  const char *name;
  Ask ask;
  guint n;       /* variants */
  gboolean says; /* or leaves out what could not be read */
} asks[] = {
  { "variables", ask_variables, 1 },
  { "programs", ask_programs, 1 },
  { "trace", ask_trace, 1 },
  { "operations", ask_operations, 1 },
  { "worst code", ask_worst_code, 1 },
  { "code of a group", ask_group_code, 1 },
  { "edges", ask_edges, 2 },
  { "operation by tile", ask_operation_tiles, TSR_N_OPERATION_BY_TILE },
  { "vertices", ask_vertices, 3 },
  { "code", ask_code, 1 },
  { "code by tile", ask_code_by_tile, 2 * TSR_N_TILE_FIGURES },
  { "liveness", ask_liveness, 22 },
  { "search", ask_search, 1 },
  { "list of operations", ask_operation_list, 1 },
  { "live bytes", ask_live, 1 },
  { "stages", ask_stages, 1 },
  { "overlap", ask_overlap, 1 },
  { "tiles", ask_tiles, 1 },
  { "waits", ask_waits, 1 },
  { "insights", ask_insights, 1, TRUE },
  { "plan", ask_plan, 1, TRUE },
  { "check", ask_check, 1, TRUE },
  { "budgets", ask_budgets, 1, TRUE },
};

/* ----------------------------------------------------------------------- walks */

static void
walk (Base *base, guint at)
{
  const gint64 whole = asks[at].ask (base, NULL, NULL);
  guint n_failed = 0, n_other = 0, n = 0;
  gboolean again = TRUE;

  g_assert_cmpint (whole, >=, 0);
  for (; again; n++)
    {
      g_autoptr (GError) error = NULL;
      gint64 found;

      tsr_test_fail_read ((int)n);
      found = asks[at].ask (base, NULL, &error);
      again = tsr_test_has_read_failed ();
      tsr_test_fail_read (G_MAXINT);
      if ((found == -1) != (error != NULL))
        g_error ("%s %u, %u: %s and %s", asks[at].name, base->which, n,
                 found == -1 ? "nothing" : "a result", error != NULL ? error->message : "no error");
      if (!again)
        g_assert_no_error (error);
      if (found != -1 && found != whole && !asks[at].says)
        g_error ("%s %u, %u: %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, asks[at].name,
                 base->which, n, found, whole);
      n_failed += found == -1;
      n_other += found != -1 && found != whole;
    }
  g_test_message ("%s %u: %u of %u failed, %u had another answer", asks[at].name, base->which,
                  n_failed, n - 1, n_other);
}

static void
test_reads (void)
{
  Base base;

  base_open (&base);
  for (guint at = 0; at < G_N_ELEMENTS (asks); at++)
    for (base.which = 0; base.which < asks[at].n; base.which++)
      walk (&base, at);
  base_clear (&base);
}

typedef struct
{
  Base *base;
  Ask ask;
} Run;

static gboolean
run (gpointer data, GCancellable *cancellable, GError **error)
{
  const Run *self = data;

  return self->ask (self->base, cancellable, error) != -1;
}

static void
test_cancelled (void)
{
  Base base;

  base_open (&base);
  for (guint at = 0; at < G_N_ELEMENTS (asks); at++)
    for (base.which = 0; base.which < asks[at].n; base.which++)
      {
        Run what = { &base, asks[at].ask };

        g_test_message ("%s %u: %u looks", asks[at].name, base.which,
                        cancel_count_walk (asks[at].name, run, &what));
      }
  base_clear (&base);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis-errors/reads", test_reads);
  g_test_add_func ("/analysis-errors/cancelled", test_cancelled);
  return g_test_run ();
}
