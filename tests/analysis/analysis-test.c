/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "analysis-test.h"

TsrReport *
analysis_open_report (const char *folder, TsrLoadFlags flags)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  TsrReport *report = tsr_report_open_sync (place, folder, flags, NULL, &error);

  g_assert_no_error (error);
  return report;
}

TsrReport *
analysis_open_preset (const char *preset, const char *sql, TsrLoadFlags flags, char **folder)
{
  *folder = tsr_test_report_new (preset);
  if (sql != NULL)
    tsr_test_sql (*folder, "profile.pop", sql);
  return analysis_open_report (*folder, flags);
}
