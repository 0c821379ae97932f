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

/* All that is found, as one text. */
static char *
dup_findings (const AnalysisReport *opened)
{
  GPtrArray *findings = tsr_insights_peek_findings (opened->insights);
  GPtrArray *fine = tsr_insights_peek_fine (opened->insights);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < findings->len; i++)
    {
      const TsrFinding *finding = g_ptr_array_index (findings, i);

      g_string_append_printf (text, "%s %d: %s\n%s\n%s\n", finding->rule, finding->severity,
                              finding->title, finding->text, finding->action);
    }
  for (guint i = 0; i < fine->len; i++)
    g_string_append_printf (text, "%s: %s\n", ((TsrUnfired *)g_ptr_array_index (fine, i))->rule,
                            ((TsrUnfired *)g_ptr_array_index (fine, i))->text);
  return g_string_free (text, FALSE);
}

/* What is always live on each tile is told, or added up of what lies there, to the same; without
 * one size it is known on all tiles but one. */
static void
test_added_up (void)
{
  static const char *const presets[] = { "tiny", "demo" };
#define OF_TILE "FROM vars_info v WHERE v.tile = memory_by_tile.tile AND v.always_live = 1"

  for (guint i = 0; i < G_N_ELEMENTS (presets) * 2; i++)
    {
      g_auto (AnalysisReport) told = { 0 }, added = { 0 };
      const char *odd = i % 2 == 0
                            ? ""
                            : "UPDATE vars_info SET size_bytes = NULL WHERE id = (SELECT min "
                              "(id) FROM vars_info WHERE always_live = 1);";
      g_autofree char *sql = g_strconcat (
          "CREATE INDEX of_tile ON vars_info (tile, always_live, size_bytes);", odd,
          "UPDATE memory_by_tile SET always_live = CASE WHEN EXISTS (SELECT 1 " OF_TILE
          " AND v.size_bytes IS NULL) THEN NULL ELSE (SELECT coalesce (sum "
          "(v.size_bytes), 0) " OF_TILE ") END; DROP INDEX of_tile",
          NULL);
      g_autofree char *without
          = g_strconcat (odd, "ALTER TABLE memory_by_tile DROP COLUMN always_live", NULL);
      g_autofree char *first = NULL, *second = NULL;

      insights_report_open (&told, presets[i / 2], sql);
      insights_report_open (&added, presets[i / 2], without);
      first = dup_findings (&told);
      second = dup_findings (&added);
      g_assert_cmpstr (second, ==, first);
    }
#undef OF_TILE
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

/* Whether it fits, and what of it is recorded, in words. */
static void
test_status (void)
{
  static const struct
  {
    const char *sql, *status, *detail;
  } cases[] = {
    { "VACUUM", "Fits: fullest tile ", " per replica, excluding gaps (" },
    { "UPDATE memory_by_tile SET excluding_gaps = NULL", "Fits: fullest tile ",
      "– of 32.0 KiB per" },
    { "UPDATE target SET bytes_per_tile = NULL", "Fits: no tile overflows", " of – per replica" },
    { "UPDATE target SET bytes_per_tile = NULL; UPDATE memory_by_tile SET excluding_gaps = NULL, "
      "overflowed = NULL",
      "the memory of a tile is not recorded", "What a replica uses and has is not recorded" },
    { "UPDATE memory_by_tile SET including_gaps = NULL, overflowed = NULL",
      "excluding gaps, and gaps are not recorded", " per replica, excluding gaps (" },
    { "UPDATE memory_by_tile SET including_gaps = NULL, overflowed = NULL WHERE tile IN (1, 2)",
      ": 2 tiles are not recorded; fullest tile ", " per replica, excluding gaps (" },
    { "UPDATE memory_by_tile SET including_gaps = NULL, excluding_gaps = NULL, total = NULL, "
      "overflowed = NULL",
      "the memory of the tiles is not recorded", "– of " },
    { "UPDATE memory_by_tile SET overflowed = 5 WHERE tile = 2",
      "Does not fit: 1 of 8 tiles, worst tile 2 by 5 B", " per replica, excluding gaps (" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (AnalysisReport) opened = { 0 };
      g_autofree char *status = NULL, *detail = NULL;

      insights_report_open (&opened, "tiny", cases[i].sql);
      status = tsr_insights_dup_status (opened.insights, TSR_UNITS_BINARY);
      detail = tsr_insights_dup_status_detail (opened.insights, TSR_UNITS_BINARY);
      if (strstr (status, cases[i].status) == NULL || strstr (detail, cases[i].detail) == NULL)
        g_error ("%s: %s; %s", cases[i].sql, status, detail);
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
  g_test_add_func ("/insights/report/status", test_status);
  g_test_add_func ("/insights/report/cancelled", test_cancelled);
  g_test_add_func ("/insights/report/added-up", test_added_up);
  return g_test_run ();
}
