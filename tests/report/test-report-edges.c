/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each number of a report at its edges: what is said of it, and what the report holds then that it
 * did not, and no more, against report-edges.txt. */

#include "config.h"

#include "drawn-sql.h"
#include "golden.h"
#include "tables-test.h"

static TsrReport *
open_changed (const char *sql)
{
  char *folder = tsr_test_report_new ("tiny");
  TsrReport *report;

  tsr_test_sql (folder, "profile.pop", sql);
  report = open_tables (folder, TSR_LOAD_ALL);
  tsr_test_folder_free (folder);
  return report;
}

static void
add_report (GString *out, TsrReport *report, GPtrArray *base)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) held = dup_held (report);

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_ptr_array_add (lines, tsr_diagnostic_dup_line (tsr_diagnostics_get (diagnostics, i)));
  g_ptr_array_sort (lines, compare_said);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (out, "%s\n", (const char *)lines->pdata[i]);
  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    if (tsr_report_get_stage_error (report, stage) != NULL)
      g_string_append_printf (out, "stage %u: %s\n", stage,
                              tsr_report_get_stage_error (report, stage)->message);
  if (held == NULL)
    return;
  add_missing (out, base, held, "-", G_MAXUINT);
  add_missing (out, held, base, "+", G_MAXUINT);
}

static void
test_edges (gconstpointer golden)
{
  g_autoptr (TsrReport) plain = open_changed ("");
  g_autoptr (GPtrArray) base = dup_held (plain);
  g_autoptr (GString) out = g_string_new (NULL);
  char *sql, *what;

  for (guint i = 0; (sql = edge_sql_new (i, &what)) != NULL; i++)
    {
      g_autoptr (TsrReport) report = open_changed (sql);

      g_string_append_printf (out, "\n## %s\n%s\n", what, sql);
      add_report (out, report, base);
      g_free (what);
      g_free (sql);
    }
  golden_compare (golden, out->str);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  g_test_add_data_func ("/report-edges", argv[1], test_edges);
  return g_test_run ();
}
