/* SPDX-License-Identifier: GPL-3.0-or-later */

/* See operations-fixture.h. */

#include "config.h"

#include "operations-fixture.h"

void
fixture_clear (Fixture *self)
{
  g_clear_pointer (&self->programs, tsr_programs_unref);
  analysis_report_clear (&self->opened);
}

void
fixture_open (Fixture *self, const char *sql, const void *debug, gsize length)
{
  g_autofree char *folder = tsr_test_report_new ("demo");
  g_autoptr (GError) error = NULL;
  AnalysisReport *opened = &self->opened;

  if (sql != NULL)
    tsr_test_sql (folder, "profile.pop", sql);
  tsr_test_write (folder, "debug.cbor", debug, (gssize)length);
  opened->folder = g_steal_pointer (&folder);
  opened->report = analysis_open_report (opened->folder, TSR_LOAD_ALL);
  opened->memory = tsr_memory_new (opened->report);
  opened->variables = tsr_variables_new (opened->report, NULL, &error);
  g_assert_no_error (error);
  self->programs = tsr_programs_new (opened->report, NULL, &error);
  g_assert_no_error (error);
}

TsrOperations *
fixture_make (Fixture *self, const char *layer)
{
  g_autoptr (GError) error = NULL;
  TsrOperations *operations
      = tsr_operations_new (self->programs, tsr_report_get_debug_tables (self->opened.report),
                            layer, self->opened.memory, self->opened.variables, NULL, &error);

  g_assert_no_error (error);
  return operations;
}

void
fixture_read_debug (char **bytes, gsize *length)
{
  g_autofree char *path = g_build_filename (tsr_test_get_report ("demo"), "debug.cbor", NULL);
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, bytes, length, &error);
  g_assert_no_error (error);
}
