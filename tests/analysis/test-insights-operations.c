/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rules 21 and 22 say of whole reports, against the figures of the operations and loops over
 * the rows of the worst tile; and what they say without debug.cbor, or with a damaged one. */

#include "config.h"

#include "insights-report.h"
#include "tsr-operations.h"

#include <inttypes.h>
#include <string.h>

/* A report with its debug.cbor, which made reports do not have. */
static void
open_whole (AnalysisReport *opened, const char *preset, const char *sql, TsrLoadFlags flags)
{
  g_autofree char *folder = tsr_test_report_new (preset);
  g_autofree char *path = g_build_filename (tsr_test_get_report (preset), "debug.cbor", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  tsr_test_write (folder, "debug.cbor", bytes, (gssize)length);
  if (sql != NULL)
    tsr_test_sql (folder, "profile.pop", sql);
  opened->folder = g_steal_pointer (&folder);
  opened->report = analysis_open_report (opened->folder, flags);
  opened->memory = tsr_memory_new (opened->report);
  opened->variables = tsr_variables_new (opened->report, NULL, &error);
  g_assert_no_error (error);
  opened->liveness = tsr_liveness_new (opened->report, opened->memory, opened->variables);
  opened->vertices = tsr_vertices_new (opened->report, opened->memory);
  opened->trace = tsr_trace_new (opened->report, NULL, NULL); /* NULL: nothing ran */
  opened->insights
      = tsr_insights_new (opened->report, opened->memory, opened->liveness, opened->vertices,
                          opened->trace, TSR_UNITS_BINARY, NULL, NULL, &error);
  g_assert_no_error (error);
}

static TsrOperations *
make_operations (const AnalysisReport *opened)
{
  const TsrDebugTables *debug = tsr_report_get_debug_tables (opened->report);
  g_auto (GStrv) layers = tsr_operations_dup_layers (debug);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPrograms) programs = tsr_programs_new (opened->report, NULL, &error);
  TsrOperations *operations;

  g_assert_no_error (error);
  operations = tsr_operations_new (programs, debug, layers[0], opened->memory,
                                   tsr_liveness_get_variables (opened->liveness), NULL, &error);
  g_assert_no_error (error);
  return operations;
}

/* The evidence is the five largest of @values, by operation, the first of equal ones first; @whole:
 * their sum with what has no operation.  @values is overwritten. */
static void
check_evidence (const TsrFinding *finding,
                const TsrOperations *operations,
                gint64 *values,
                gint64 whole,
                gboolean cycles)
{
  guint n = tsr_operations_get_n (operations) - 1;

  g_assert_nonnull (finding);
  g_assert_cmpint (finding->severity, ==, TSR_FINDING_INFO);
  g_assert_cmpint (finding->where.view, ==, TSR_VIEW_OPERATIONS);
  g_assert_cmpstr (finding->where.layer, ==, tsr_operations_get_layer (operations));
  for (guint i = 0; i < 5; i++)
    {
      const TsrEvidence *evidence;
      guint most = 0;

      for (guint k = 1; k < n; k++)
        if (values[k] > values[most])
          most = k;
      if (values[most] <= 0)
        {
          g_assert_cmpuint (finding->evidence->len, ==, i);
          return;
        }
      g_assert_cmpuint (finding->evidence->len, >, i);
      evidence = &g_array_index (finding->evidence, TsrEvidence, i);
      g_assert_nonnull (strstr (evidence->name, tsr_operations_get_name (operations, most)));
      g_assert_cmpint (cycles ? evidence->cycles : evidence->bytes, ==, values[most]);
      g_assert_cmpint (cycles ? evidence->bytes : evidence->cycles, ==, TSR_UNKNOWN);
      g_assert_cmpfloat_with_epsilon (evidence->share, (double)values[most] / (double)whole, 1e-12);
      if (i == 0)
        {
          const guint32 context = tsr_operations_get_context (operations, most);
          g_autofree char *key
              = g_strdup_printf ("%" PRIu64, tsr_operations_get_debug (operations)->id[context]);

          g_assert_cmpstr (finding->where.operation, ==, key);
        }
      values[most] = -1;
    }
}

/* Bytes of each operation's variables on @tile: those of rows that are always live, and those of
 * rows that are live at the first step at which such rows take most. */
static gint64 *
sum_on_tile (const AnalysisReport *opened, const TsrOperations *operations, guint32 tile)
{
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (opened->report);
  TsrVariables *variables = tsr_liveness_get_variables (opened->liveness);
  const guint n_steps = tsr_report_get_liveness_tables (opened->report)->n_steps;
  gint64 *values = g_new0 (gint64, tsr_operations_get_n (operations));
  gint64 most = -1;
  guint peak = 0;

  for (guint step = 0; step <= n_steps; step++)
    {
      const guint at = step < n_steps ? step : peak; /* at last those at the peak are kept */
      gint64 sum = 0;

      for (gsize row = 0; row < lowered->n; row++)
        {
          const guint32 class = lowered->equivalence_class[row];
          gboolean live = FALSE;

          if (lowered->tile[row] != tile)
            continue;
          for (gsize k = lowered->always_live[row] != 1 ? lowered->interval_start[class] : 1;
               lowered->always_live[row] != 1 && k < lowered->interval_start[class + 1]; k++)
            live |= lowered->interval_from[k] <= at && at < lowered->interval_to[k];
          sum += live ? lowered->size[row] : 0;
          if (step == n_steps && (live || lowered->always_live[row] == 1))
            values[tsr_operations_of_variable (operations,
                                               tsr_variables_of_lowered (variables, row))]
                += lowered->size[row];
        }
      if (step < n_steps && sum > most)
        {
          most = sum;
          peak = step;
        }
    }
  return values;
}

static void
test_whole (gconstpointer preset)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (TsrOperations) operations = NULL;
  g_autofree gint64 *cycles = NULL, *bytes = NULL;
  const TsrFinding *finding;
  gint64 whole = 0;
  guint n, tile;

  open_whole (&opened, preset, NULL, TSR_LOAD_ALL);
  insights_report_check_shape (&opened);
  operations = make_operations (&opened);
  n = tsr_operations_get_n (operations);
  cycles = g_new0 (gint64, n);
  for (guint i = 0; i < n; i++)
    whole += cycles[i] = tsr_operations_get (operations, i, TSR_OPERATION_TILE_CYCLES);
  g_assert_cmpint (whole, >, 0);
  check_evidence (insights_report_find (&opened, "operation-cycles"), operations, cycles, whole,
                  TRUE);

  tile = (guint)tsr_test_ask (opened.folder, "SELECT tile FROM memory_by_tile ORDER BY "
                                             "including_gaps DESC, tile LIMIT 1");
  bytes = sum_on_tile (&opened, operations, tile);
  whole = 0;
  for (guint i = 0; i < n; i++)
    whole += bytes[i];
  finding = insights_report_find (&opened, "operation-memory");
  /* Framework tensors belong to no operation of PopLibs: then only what has none is there. */
  if (bytes[n - 1] == whole)
    {
      g_assert_null (finding);
      g_assert_true (
          insights_report_is_listed (tsr_insights_peek_fine (opened.insights), "operation-memory"));
      return;
    }
  check_evidence (finding, operations, bytes, whole, FALSE);
  g_assert_cmpuint (finding->where.n_tiles, ==, 1);
  g_assert_cmpuint (finding->where.tiles[0], ==, tile);
}

/* Without an execution cycles are estimates. */
static void
test_estimated (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (TsrOperations) operations = NULL;
  g_autofree gint64 *cycles = NULL;
  const TsrFinding *finding;
  guint n;

  open_whole (&opened, "demo", "DELETE FROM steps_by_ipu; DELETE FROM steps; DELETE FROM runs",
              TSR_LOAD_ALL);
  operations = make_operations (&opened);
  n = tsr_operations_get_n (operations);
  cycles = g_new0 (gint64, n);
  for (guint i = 0; i < n; i++)
    cycles[i] = tsr_operations_get (operations, i, TSR_OPERATION_ESTIMATED);
  finding = insights_report_find (&opened, "operation-cycles");
  check_evidence (finding, operations, cycles,
                  tsr_operations_get_total (operations, TSR_OPERATION_ESTIMATED), TRUE);
  g_assert_true (g_str_has_prefix (finding->text, "Estimated"));
  g_assert_cmpint (finding->confidence, ==, TSR_CONFIDENCE_ESTIMATE);
}

static void
check_none (const AnalysisReport *opened, gboolean unread)
{
  GPtrArray *fine = unread ? tsr_insights_peek_not_checked (opened->insights)
                           : tsr_insights_peek_fine (opened->insights);
  guint n = 0;

  insights_report_check_shape (opened);
  for (guint i = 0; i < fine->len; i++)
    {
      const TsrUnfired *unfired = g_ptr_array_index (fine, i);

      if (!g_str_has_prefix (unfired->rule, "operation-"))
        continue;
      g_assert_cmpstr (unfired->text, ==,
                       unread ? "debug.cbor has not been read; Operations reads it"
                              : "There is no debug information");
      n++;
    }
  g_assert_cmpuint (n, ==, 2);
}

/* Made reports have no debug.cbor.  Of one that was not loaded, and of one that is not CBOR, nobody
 * can say that there is nothing. */
static void
test_without (gconstpointer what)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (GError) error = NULL;

  if (g_str_equal (what, "gone"))
    insights_report_open (&opened, "demo", NULL);
  else if (g_str_equal (what, "damaged"))
    {
      g_autofree char *folder = tsr_test_report_new ("demo");

      tsr_test_write (folder, "debug.cbor", "\xff\xff\xff", 3);
      opened.folder = g_steal_pointer (&folder);
      opened.report = analysis_open_report (opened.folder, TSR_LOAD_ALL);
    }
  else
    open_whole (&opened, "demo", NULL, TSR_LOAD_NO_DEBUG);
  if (opened.insights == NULL)
    {
      opened.memory = tsr_memory_new (opened.report);
      opened.insights = tsr_insights_new (opened.report, opened.memory, NULL, NULL, NULL,
                                          TSR_UNITS_BINARY, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  check_none (&opened, !g_str_equal (what, "gone"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/insights/operations/demo", "demo", test_whole);
  g_test_add_data_func ("/insights/operations/poplibs", "poplibs", test_whole);
  g_test_add_data_func ("/insights/operations/tiny", "tiny", test_whole);
  g_test_add_func ("/insights/operations/estimated", test_estimated);
  g_test_add_data_func ("/insights/operations/gone", "gone", test_without);
  g_test_add_data_func ("/insights/operations/damaged", "damaged", test_without);
  g_test_add_data_func ("/insights/operations/not-loaded", "not-loaded", test_without);
  return g_test_run ();
}
