/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens a report with its insights, and checks what holds for every finding. */

#include "config.h"

#include "insight-fixture.h"
#include "insights-report.h"

#include <string.h>

static void
find_insights (AnalysisReport *opened)
{
  g_autoptr (GError) error = NULL;

  if (opened->memory == NULL)
    return;
  opened->trace = tsr_trace_new (opened->report, NULL, NULL); /* NULL: nothing ran */
  opened->insights
      = tsr_insights_new (opened->report, opened->memory, opened->liveness, opened->vertices,
                          opened->trace, TSR_UNITS_BINARY, NULL, NULL, &error);
  g_assert_no_error (error);
}

void
insights_report_open (AnalysisReport *opened, const char *preset, const char *sql)
{
  analysis_report_open (opened, preset, sql, TSR_LOAD_ALL);
  find_insights (opened);
}

void
insights_report_open_debug (AnalysisReport *opened, const char *preset, const char *sql)
{
  char *folder = tsr_test_report_new (preset);

  tsr_test_copy (tsr_test_get_report (preset), folder, "debug.cbor");
  analysis_report_open_folder (opened, folder, sql, TSR_LOAD_ALL);
  find_insights (opened);
}

const TsrFinding *
insights_report_find (const AnalysisReport *opened, const char *rule)
{
  GPtrArray *findings = tsr_insights_peek_findings (opened->insights);

  for (guint i = 0; i < findings->len; i++)
    if (g_str_equal (((TsrFinding *)g_ptr_array_index (findings, i))->rule, rule))
      return g_ptr_array_index (findings, i);
  return NULL;
}

gboolean
insights_report_is_listed (GPtrArray *list, const char *rule)
{
  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (((TsrUnfired *)g_ptr_array_index (list, i))->rule, rule))
      return TRUE;
  return FALSE;
}

void
insights_report_check_shape (const AnalysisReport *opened)
{
  GPtrArray *findings = tsr_insights_peek_findings (opened->insights);
  GPtrArray *fine = tsr_insights_peek_fine (opened->insights);
  GPtrArray *not_checked = tsr_insights_peek_not_checked (opened->insights);

  g_assert_cmpuint (findings->len + fine->len + not_checked->len, ==, TSR_N_RULES);
  for (guint i = 0; i < TSR_N_RULES; i++)
    {
      const char *rule = tsr_insight_rules_get (i)->id;

      g_assert_cmpint ((insights_report_find (opened, rule) != NULL)
                           + insights_report_is_listed (fine, rule)
                           + insights_report_is_listed (not_checked, rule),
                       ==, 1);
    }
  for (guint i = 0; i < fine->len; i++)
    {
      const TsrUnfired *unfired = g_ptr_array_index (fine, i);

      for (guint k = 0; k < TSR_N_RULES; k++)
        if (g_str_equal (tsr_insight_rules_get (k)->id, unfired->rule))
          fixture_check_fine (tsr_insight_rules_get (k), unfired->text,
                              tsr_memory_get_capacity (opened->memory));
    }
  for (guint i = 0; i < findings->len; i++)
    {
      const TsrFinding *finding = g_ptr_array_index (findings, i);

      if (finding->where.operation == NULL) /* the title has its name */
        g_assert_cmpint (g_utf8_strlen (finding->title, -1), <=, 60);
      g_assert_nonnull (strpbrk (finding->title, "0123456789"));
      g_assert_nonnull (finding->text);
      g_assert_cmpstr (finding->text, !=, "");
      /* A number has its unit beside it. */
      g_assert_null (strstr (finding->text, ") cycles"));
      g_assert_nonnull (finding->action);
      g_assert_cmpstr (finding->action, !=, "");
      g_assert_nonnull (finding->inputs[0]);
      g_assert_cmpuint (finding->evidence->len, <=, 5);
      for (guint t = 0; t < finding->where.n_tiles; t++)
        g_assert_cmpuint (finding->where.tiles[t], <, tsr_memory_get_n_tiles (opened->memory));
      if (i > 0)
        g_assert_cmpint (finding->severity, >=,
                         ((TsrFinding *)g_ptr_array_index (findings, i - 1))->severity);
    }
}
