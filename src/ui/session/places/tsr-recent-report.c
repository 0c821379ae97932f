/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A report is the file that its numbers come from, without links, on a machine.  A machine behind
 * ssh is the one with its host key.  Machines may have been copied with their keys, so the host's
 * address, or the file's size and time, must be the same as well. */

#include "config.h"

#include "tsr-recent-report.h"

#include "tsr-remote-place.h"
#include "tsr-task.h"

char *
tsr_recent_report_dup_location (TsrReport *report)
{
  const TsrReportFiles *files = tsr_report_get_files (report);
  g_autofree char *asked = g_path_get_basename (tsr_report_get_location (report));

  if (files != NULL && (files->asked == TSR_FILE_PROFILE || files->asked == TSR_FILE_ARCHIVE)
      && g_strcmp0 (asked, tsr_file_kind_get_fixed_name (files->asked)) != 0)
    return tsr_report_dup_location (report);
  return tsr_report_dup_folder (report);
}

static const TsrReportFile *
get_file (TsrReport *report)
{
  const TsrReportFiles *files = tsr_report_get_files (report);

  if (files == NULL)
    return NULL;
  return &files->files[files->files[TSR_FILE_PROFILE].found ? TSR_FILE_PROFILE : TSR_FILE_ARCHIVE];
}

/* (transfer full): without links to the file or on the way to it. */
static char *
dup_real_path (TsrPlace *place, const char *path)
{
  g_autofree char *file = tsr_place_resolve (place, path);
  g_autofree char *dirname = g_path_get_dirname (file);
  g_autofree char *folder = tsr_place_resolve (place, dirname);
  g_autofree char *name = g_path_get_basename (file);

  return g_build_filename (folder, name, NULL);
}

/* (transfer full): words; none where the machine has not been spoken to. */
static GStrv
dup_ids (TsrPlace *place, const TsrReportFile *file)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_autofree char *real = NULL, *path = NULL, *key = NULL, *target = NULL;

  if (TSR_IS_REMOTE_PLACE (place)
      && !tsr_connection_dup_machine (tsr_remote_place_get_connection (TSR_REMOTE_PLACE (place)),
                                      &key, &target))
    return g_strv_builder_end (ids);
  real = dup_real_path (place, file->path);
  path = g_uri_escape_string (real, "/", FALSE);
  if (key == NULL)
    g_strv_builder_add (ids, path);
  else
    {
      g_autofree char *by_address = g_strdup_printf ("%s %s %s", key, target, path);
      g_autofree char *by_stamp
          = g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s", key, file->bytes,
                             file->mtime_us, path);

      g_strv_builder_add (ids, by_address);
      g_strv_builder_add (ids, by_stamp);
    }
  return g_strv_builder_end (ids);
}

static void
identify_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TsrReport *report = data;

  g_task_return_pointer (task, dup_ids (tsr_report_get_place (report), get_file (report)),
                         (GDestroyNotify)g_strfreev);
}

static void
on_identified (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree char *location
      = tsr_recent_report_dup_location (g_task_get_task_data (G_TASK (result)));
  g_auto (GStrv) ids = g_task_propagate_pointer (G_TASK (result), NULL);

  if (ids != NULL && ids[0] != NULL)
    tsr_recents_identify (TSR_RECENTS (source), location, (const char *const *)ids);
}

void
tsr_recent_report_add (TsrRecents *recents, TsrReport *report)
{
  g_autofree char *location = NULL;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (TSR_IS_RECENTS (recents) && TSR_IS_REPORT (report));
  location = tsr_recent_report_dup_location (report);
  tsr_recents_add (recents, location, tsr_report_get_name (report));
  if (get_file (report) == NULL)
    return;
  task = g_task_new (recents, NULL, on_identified, NULL);
  g_task_set_source_tag (task, tsr_recent_report_add);
  g_task_set_task_data (task, g_object_ref (report), g_object_unref);
  tsr_task_run_in_thread (task, identify_run);
}

void
tsr_recent_report_set_outcome (TsrRecents *recents,
                               TsrReport *report,
                               TsrOutcome outcome,
                               double fullest)
{
  g_autofree char *location = NULL;

  g_return_if_fail (TSR_IS_RECENTS (recents) && TSR_IS_REPORT (report));
  location = tsr_recent_report_dup_location (report);
  tsr_recents_set_outcome (recents, location, outcome, fullest);
}
