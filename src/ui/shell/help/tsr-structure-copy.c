/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the structure of a profile in a worker and writes it as text. */

#include "config.h"

#include "tsr-structure-copy.h"

#include "tsr-structure.h"
#include "tsr-task.h"

#include <glib/gi18n.h>

/* A bigger file is not scanned for its structure: that would take minutes. */
#define SCAN_LIMIT (256 << 20)

static void
structure_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TsrReport *report = TSR_REPORT (source);
  GError *error = NULL;
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (report, &error);
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (1);
  TsrDatabase *database;
  gboolean quick;

  if (profile == NULL)
    {
      if (error == NULL)
        g_set_error (&error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                     _ ("This report has no profile.pop, so there is no structure to copy"));
      g_task_return_error (task, error);
      return;
    }
  database = tsr_profile_get_database (profile);
  quick = tsr_source_get_size (tsr_database_get_source (database)) > SCAN_LIMIT;
  if (!tsr_structure_write (database, quick, 0, writer, NULL, NULL, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  tsr_json_writer_finish (writer, FALSE);
  g_task_return_pointer (task, tsr_json_writer_dup_text (writer), g_free);
}

void
tsr_structure_copy_async (TsrReport *report, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (report, NULL, callback, data);

  g_task_set_source_tag (task, tsr_structure_copy_async);
  tsr_task_run_in_thread (task, structure_run);
}

char *
tsr_structure_copy_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
