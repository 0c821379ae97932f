/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Insights of damaged, empty and partial reports. */

#include "config.h"

#include "insights-report.h"

#include <string.h>

/* ------------------------------------------------------------ what is missing */

static void
test_missing (void)
{
  static const struct
  {
    const char *sql;
    const char *not_checked; /* rules, separated by spaces */
  } cases[] = {
    { "DROP TABLE target",
      "near-capacity tile-imbalance gaps-on-full-tiles long-lived-activations "
      "fp32-at-peak resident-state exchange-code vertex-memory io-code-and-headers "
      "instrumentation one-off-code" },
    { "DROP TABLE memory_by_tile_category; DROP TABLE vars_info",
      "long-lived-activations fp32-at-peak resident-state exchange-code vertex-memory "
      "io-code-and-headers instrumentation" },
    { "DROP TABLE vars_info", "long-lived-activations fp32-at-peak resident-state" },
    { "DROP TABLE equivalence_class_intervals; DROP TABLE liveness_steps;"
      "DROP TABLE variable_lifetimes",
      "peak-spike" },
    { "UPDATE variables SET element_type = NULL", "fp32-at-peak" },
    { "DROP TABLE vertex_types", "vertex-memory one-off-code" },
    { "DROP TABLE compute_set_vertices", "one-off-code" },
    { "DROP TABLE steps", "one-off-code" },
    { "DROP TABLE programs", "one-off-code" },
    { "UPDATE memory_by_tile SET including_gaps = NULL, overflowed = NULL",
      "out-of-memory near-capacity tile-imbalance gaps-on-full-tiles" },
    { "UPDATE memory_by_tile SET excluding_gaps = NULL", "gaps-on-full-tiles" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (AnalysisReport) opened = { 0 };
      g_auto (GStrv) rules = g_strsplit (cases[i].not_checked, " ", -1);

      insights_report_open (&opened, "tiny", cases[i].sql);
      insights_report_check_shape (&opened);
      for (guint r = 0; rules[r] != NULL; r++)
        if (!insights_report_is_listed (tsr_insights_peek_not_checked (opened.insights), rules[r]))
          g_error ("%s: %s is checked", cases[i].sql, rules[r]);
    }
}

/* Whatever the numbers are, every rule says something and nothing is made up. */
static void
test_hostile (void)
{
  static const char *const tables[][2] = {
    { "memory_by_tile", "including_gaps" },
    { "memory_by_tile", "excluding_gaps" },
    { "memory_by_tile", "overflowed" },
    { "memory_by_tile", "always_live" },
    { "memory_by_tile", "not_always_live" },
    { "memory_by_tile_category", "non_overlapped" },
    { "target", "bytes_per_tile" },
    { "target", "tiles_per_ipu" },
    { "target", "interleaved_start" },
    { "vars_info", "size_bytes" },
    { "vars_info", "offset" },
    { "vars_info", "always_live" },
    { "vars_info", "equivalence_class" },
    { "equivalence_class_intervals", "start_step" },
    { "equivalence_class_intervals", "end_step" },
    { "liveness_steps", "not_always_live_bytes" },
    { "variables", "size_bytes" },
    { "vertex_types", "size_bytes" },
    { "vertex_types", "code_bytes_by_tile" },
    { "programs", "code_bytes_by_tile" },
    { "programs", "control_code_by_tile" },
    { "compute_set_vertices", "count_by_tile" },
    { "steps", "program" },
    { "steps", "run" },
    { "program_variables", "variable" },
  };
  static const char *const values[] = { "NULL", "-1", "0", "9223372036854775807", "'x'" };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (guint v = 0; v < G_N_ELEMENTS (values); v++)
      {
        g_autofree char *sql = g_strdup_printf ("UPDATE OR IGNORE %s SET %s = %s", tables[i][0],
                                                tables[i][1], values[v]);
        g_auto (AnalysisReport) opened = { 0 };

        insights_report_open (&opened, "tiny", sql);
        if (opened.insights != NULL)
          {
            g_autofree char *status = tsr_insights_dup_status (opened.insights, TSR_UNITS_BINARY);

            insights_report_check_shape (&opened);
            g_assert_cmpstr (status, !=, "");
          }
      }
}

static void
test_empty (void)
{
  static const char *const sqls[] = {
    "DELETE FROM liveness_steps; DELETE FROM equivalence_class_intervals",
    "DELETE FROM memory_by_tile; DELETE FROM target",
    "DELETE FROM memory_by_tile WHERE tile > 0; UPDATE target SET tiles_per_ipu = 1,"
    " ipus_per_replica = 1",
    "DELETE FROM vars_info; DELETE FROM variables; DELETE FROM variable_lifetimes",
    "DELETE FROM steps",
    "DELETE FROM tile_arrays",
  };

  for (guint i = 0; i < G_N_ELEMENTS (sqls); i++)
    {
      g_auto (AnalysisReport) opened = { 0 };

      insights_report_open (&opened, "tiny", sqls[i]);
      if (opened.insights != NULL)
        insights_report_check_shape (&opened);
    }
}

static void
test_cancelled (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  insights_report_open (&opened, "tiny", NULL);
  g_cancellable_cancel (cancellable);
  g_assert_null (tsr_insights_new (opened.report, opened.memory, opened.liveness, opened.vertices,
                                   opened.trace, TSR_UNITS_BINARY, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/report/missing", test_missing);
  g_test_add_func ("/insights/report/hostile", test_hostile);
  g_test_add_func ("/insights/report/empty", test_empty);
  g_test_add_func ("/insights/report/cancelled", test_cancelled);
  return g_test_run ();
}
