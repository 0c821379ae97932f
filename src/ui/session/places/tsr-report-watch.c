/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file monitor says that something happened (and a slow clock asks now and then, since monitors
 * are deaf on network disks); then the files are looked at until they stand still.  Files on
 * another machine have no monitor: the clock asks, more slowly, and an answer that does not come
 * says nothing of them. */

#include "config.h"

#include "tsr-report-watch.h"

#include "tsr-remote-error.h"
#include "tsr-task.h"
#include "tsr-units.h"

/* Stands still: the same for this long. */
#define SETTLE_US (2 * G_USEC_PER_SEC)
/* Between looks while something moves, and while nothing does. */
#define BUSY_MS        500
#define IDLE_MS        10000
#define BUSY_REMOTE_MS 2500 /* a listing is believed for two seconds */
#define IDLE_REMOTE_MS 30000

/* Each kind of file under its own path, and under its fixed name where that is another. */
#define N_STAMPS (2 * TSR_N_FILES)

typedef struct
{
  gint64 bytes; /* TSR_UNKNOWN: not there */
  gint64 mtime_us;
} Stamp;

typedef struct
{
  Stamp stamps[N_STAMPS];
} Look;

struct _TsrReportWatch
{
  GObject parent_instance;

  TsrPlace *place;
  gboolean is_remote;
  char *paths[N_STAMPS]; /* NULL: not watched */
  Look first, last;
  gint64 still_since; /* monotonic time of the last change */
  GPtrArray *monitors;
  GCancellable *cancellable;
  guint timeout;
  gboolean looking;
  gboolean look_again;
  GStrv changed;
  gboolean settled;
};

G_DEFINE_FINAL_TYPE (TsrReportWatch, tsr_report_watch, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

typedef struct
{
  TsrPlace *place;
  char *paths[N_STAMPS];
  Look before;
} LookJob;

static void
look_job_free (gpointer data)
{
  LookJob *job = data;

  g_object_unref (job->place);
  for (guint i = 0; i < N_STAMPS; i++)
    g_free (job->paths[i]);
  g_free (job);
}

/* Whether @error says that there is no such file; anything else says nothing. */
static gboolean
is_gone (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
         || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY)
         || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED);
}

static void
look_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  LookJob *job = data;
  Look *look = g_new0 (Look, 1);

  for (guint i = 0; i < N_STAMPS; i++)
    {
      g_autoptr (GError) error = NULL;
      TsrFolderEntry *entry = job->paths[i] != NULL
                                  ? tsr_place_stat (job->place, job->paths[i], cancellable, &error)
                                  : NULL;

      look->stamps[i] = job->before.stamps[i];
      if (error == NULL || is_gone (error))
        look->stamps[i].bytes = TSR_UNKNOWN;
      if (entry != NULL && !entry->is_folder && !entry->is_dangling)
        look->stamps[i] = (Stamp){ entry->size, entry->mtime_us };
      g_clear_pointer (&entry, tsr_folder_entry_free);
    }
  g_task_return_pointer (task, look, g_free);
}

static gboolean
is_same (const Stamp *a, const Stamp *b)
{
  return a->bytes == b->bytes && (a->bytes == TSR_UNKNOWN || a->mtime_us == b->mtime_us);
}

static gboolean
are_same (const Look *a, const Look *b)
{
  for (guint i = 0; i < N_STAMPS; i++)
    if (!is_same (&a->stamps[i], &b->stamps[i]))
      return FALSE;
  return TRUE;
}

static GStrv
dup_changed (TsrReportWatch *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < N_STAMPS; i++)
    if (self->paths[i] != NULL && !is_same (&self->first.stamps[i], &self->last.stamps[i]))
      {
        g_autofree char *name = g_filename_display_basename (self->paths[i]);

        g_strv_builder_add (builder, name);
      }
  return g_strv_builder_end (builder);
}

static void look (TsrReportWatch *self);

static gboolean
on_timeout (gpointer data)
{
  TsrReportWatch *self = data;

  self->timeout = 0;
  look (self);
  return G_SOURCE_REMOVE;
}

static void
look_later (TsrReportWatch *self, guint ms)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add (ms, on_timeout, self);
}

static void
judge (TsrReportWatch *self)
{
  g_auto (GStrv) changed = dup_changed (self);
  gboolean settled = g_get_monotonic_time () - self->still_since >= SETTLE_US;
  gboolean news = !g_strv_equal ((const char *const *)changed, (const char *const *)self->changed)
                  || (settled != self->settled && changed[0] != NULL);

  g_strfreev (self->changed);
  self->changed = g_steal_pointer (&changed);
  self->settled = settled;
  if (self->is_remote)
    look_later (self, settled ? IDLE_REMOTE_MS : BUSY_REMOTE_MS);
  else
    look_later (self, settled ? IDLE_MS : BUSY_MS);
  if (news)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrReportWatch *self = TSR_REPORT_WATCH (source);
  g_autofree Look *now = g_task_propagate_pointer (G_TASK (result), NULL);

  self->looking = FALSE;
  if (now == NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  if (!are_same (now, &self->last))
    {
      self->last = *now;
      self->still_since = g_get_monotonic_time ();
    }
  judge (self);
  if (self->look_again)
    {
      self->look_again = FALSE;
      look_later (self, BUSY_MS);
    }
}

static void
look (TsrReportWatch *self)
{
  g_autoptr (GTask) task = NULL;
  LookJob *job;

  if (self->looking)
    {
      self->look_again = TRUE;
      return;
    }
  self->looking = TRUE;
  job = g_new0 (LookJob, 1);
  job->place = g_object_ref (self->place);
  job->before = self->last;
  for (guint i = 0; i < N_STAMPS; i++)
    job->paths[i] = g_strdup (self->paths[i]);
  task = g_task_new (self, self->cancellable, on_looked, NULL);
  g_task_set_source_tag (task, look);
  g_task_set_task_data (task, job, look_job_free);
  tsr_task_run_in_thread (task, look_run);
}

/* Many events come at once; one look a little later is enough for them. */
static void
on_monitor_changed (
    GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, TsrReportWatch *self)
{
  if (!self->looking)
    look_later (self, 100);
  else
    self->look_again = TRUE;
}

static void
watch_folder (TsrReportWatch *self, const char *path)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  GFileMonitor *monitor
      = self->is_remote ? NULL
                        : g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);

  if (monitor == NULL)
    return;
  g_signal_connect_object (monitor, "changed", G_CALLBACK (on_monitor_changed), self, 0);
  g_ptr_array_add (self->monitors, monitor);
}

static void
watch_files (TsrReportWatch *self, const TsrReportFiles *files)
{
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer folder;

  for (guint i = 0; i < TSR_N_FILES; i++)
    {
      const TsrReportFile *file = &files->files[i];
      g_autofree char *fixed
          = g_build_filename (files->folder, tsr_file_kind_get_fixed_name (i), NULL);

      self->paths[2 * i] = g_strdup (file->path != NULL ? file->path : fixed);
      self->first.stamps[2 * i]
          = (Stamp){ file->found ? file->bytes : TSR_UNKNOWN, file->found ? file->mtime_us : 0 };
      self->first.stamps[2 * i + 1].bytes = TSR_UNKNOWN;
      if (!g_str_equal (self->paths[2 * i], fixed))
        self->paths[2 * i + 1] = g_steal_pointer (&fixed);
      g_hash_table_add (folders, g_path_get_dirname (self->paths[2 * i]));
    }
  self->last = self->first;
  g_hash_table_add (folders, g_strdup (files->folder));
  g_hash_table_iter_init (&iter, folders);
  while (g_hash_table_iter_next (&iter, &folder, NULL))
    watch_folder (self, folder);
}

static void
tsr_report_watch_dispose (GObject *object)
{
  TsrReportWatch *self = TSR_REPORT_WATCH (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->timeout, g_source_remove);
  for (guint i = 0; self->monitors != NULL && i < self->monitors->len; i++)
    g_file_monitor_cancel (g_ptr_array_index (self->monitors, i));
  g_clear_pointer (&self->monitors, g_ptr_array_unref);
  G_OBJECT_CLASS (tsr_report_watch_parent_class)->dispose (object);
}

static void
tsr_report_watch_finalize (GObject *object)
{
  TsrReportWatch *self = TSR_REPORT_WATCH (object);

  for (guint i = 0; i < N_STAMPS; i++)
    g_free (self->paths[i]);
  g_strfreev (self->changed);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->place);
  G_OBJECT_CLASS (tsr_report_watch_parent_class)->finalize (object);
}

static void
tsr_report_watch_class_init (TsrReportWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_report_watch_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_report_watch_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_report_watch_init (TsrReportWatch *self)
{
  self->monitors = g_ptr_array_new_with_free_func (g_object_unref);
  self->cancellable = g_cancellable_new ();
  self->changed = g_new0 (char *, 1);
}

TsrReportWatch *
tsr_report_watch_new (TsrReport *report)
{
  TsrReportWatch *self;
  const TsrReportFiles *files;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  files = tsr_report_get_files (report);
  g_return_val_if_fail (files != NULL && files->folder != NULL, NULL);
  self = g_object_new (TSR_TYPE_REPORT_WATCH, NULL);
  self->place = g_object_ref (files->place);
  self->is_remote = tsr_place_is_remote (files->place);
  self->still_since = g_get_monotonic_time ();
  watch_files (self, files);
  look_later (self, self->is_remote ? BUSY_REMOTE_MS : BUSY_MS);
  return self;
}

const char *const *
tsr_report_watch_get_changed (TsrReportWatch *self)
{
  g_return_val_if_fail (TSR_IS_REPORT_WATCH (self), NULL);
  return (const char *const *)self->changed;
}

gboolean
tsr_report_watch_is_settled (TsrReportWatch *self)
{
  g_return_val_if_fail (TSR_IS_REPORT_WATCH (self), FALSE);
  return self->settled;
}
