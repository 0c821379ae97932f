/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens reports for tests of analysis. */

#include "config.h"

#include "analysis-test.h"

#include <stdlib.h>
#include <string.h>

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

void
analysis_report_open_folder (AnalysisReport *self,
                             char *folder,
                             const char *sql,
                             TsrLoadFlags flags)
{
  g_autoptr (GError) error = NULL;

  memset (self, 0, sizeof *self);
  self->folder = folder;
  if (sql != NULL)
    tsr_test_sql (folder, "profile.pop", sql);
  self->report = analysis_open_report (folder, flags);
  if (tsr_report_get_memory_tables (self->report) == NULL)
    return;
  self->memory = tsr_memory_new (self->report);
  if (tsr_report_get_liveness_tables (self->report) != NULL)
    {
      self->variables = tsr_variables_new (self->report, NULL, &error);
      g_assert_no_error (error);
      self->liveness = tsr_liveness_new (self->report, self->memory, self->variables);
    }
  if (tsr_report_get_program_tables (self->report) != NULL)
    self->vertices = tsr_vertices_new (self->report, self->memory);
}

static GHashTable *whole; /* preset and flags to AnalysisReport */

static void
free_whole (void)
{
  g_clear_pointer (&whole, g_hash_table_unref);
}

static void
free_report (gpointer data)
{
  analysis_report_clear (data);
  g_free (data);
}

static const AnalysisReport *
get_whole (const char *preset, TsrLoadFlags flags)
{
  g_autofree char *key = g_strdup_printf ("%s %u", preset, (guint)flags);
  AnalysisReport *report;

  if (whole == NULL)
    {
      whole = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_report);
      atexit (free_whole);
    }
  report = g_hash_table_lookup (whole, key);
  if (report == NULL)
    {
      report = g_new0 (AnalysisReport, 1);
      analysis_report_open_folder (report, tsr_test_report_new (preset), NULL, flags);
      g_hash_table_insert (whole, g_steal_pointer (&key), report);
    }
  return report;
}

void
analysis_report_open (AnalysisReport *self, const char *preset, const char *sql, TsrLoadFlags flags)
{
  if (sql != NULL)
    {
      analysis_report_open_folder (self, tsr_test_report_new (preset), sql, flags);
      return;
    }
  *self = *get_whole (preset, flags);
  self->shared = TRUE;
  g_object_ref (self->report);
  if (self->memory != NULL)
    tsr_memory_ref (self->memory);
  if (self->variables != NULL)
    tsr_variables_ref (self->variables);
  if (self->liveness != NULL)
    tsr_liveness_ref (self->liveness);
  if (self->vertices != NULL)
    tsr_vertices_ref (self->vertices);
}

void
analysis_report_clear (AnalysisReport *self)
{
  g_clear_pointer (&self->search, tsr_search_unref);
  g_clear_pointer (&self->insights, tsr_insights_unref);
  g_clear_pointer (&self->trace, tsr_trace_unref);
  g_clear_pointer (&self->vertices, tsr_vertices_unref);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_clear_pointer (&self->variables, tsr_variables_unref);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  g_clear_object (&self->report);
  if (self->shared)
    self->folder = NULL;
  g_clear_pointer (&self->folder, tsr_test_folder_free);
}
