/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers of a key file are checked before they are believed: somebody may have edited it. */

#include "config.h"

#include "tsr-markers.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define DELAY_MS     500
#define MOST_BYTES   (4 * 1024 * 1024)
#define MOST_NOTE    4096 /* bytes */
#define REPORT_GROUP "report"

struct _TsrMarkers
{
  TsrTraceState *state;
  char *folder;
  char *path; /* (nullable) of the report's file */
  char *location;
  gint64 bytes, mtime_us;
  GError *error;
  void (*error_func) (gpointer data); /* (nullable) */
  gpointer error_data;
  guint timeout;
  gboolean loading; /* what the state says is what the file says */
};

static void
write_file (TsrMarkers *self)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (self->state);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *escaped = NULL;

  if (markers->len == 0)
    {
      if (g_unlink (self->path) != 0 && errno != ENOENT)
        g_set_error (&self->error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s",
                     self->path, g_strerror (errno));
      return;
    }
  escaped = g_strescape (self->location, NULL);
  g_key_file_set_string (file, REPORT_GROUP, "path", escaped);
  g_key_file_set_int64 (file, REPORT_GROUP, "bytes", self->bytes);
  g_key_file_set_int64 (file, REPORT_GROUP, "changed", self->mtime_us);
  for (guint i = 0; i < MIN (markers->len, TSR_MARKERS_MOST); i++)
    {
      const TsrTraceMarker *marker = markers->pdata[i];
      g_autofree char *group = g_strdup_printf ("marker %u", i + 1);

      g_key_file_set_int64 (file, group, "from", marker->from);
      g_key_file_set_int64 (file, group, "to", marker->to);
      g_key_file_set_string (file, group, "note", marker->note);
    }
  if (g_mkdir_with_parents (self->folder, 0700) != 0)
    g_set_error (&self->error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s",
                 self->folder, g_strerror (errno));
  else
    g_key_file_save_to_file (file, self->path, &self->error);
}

static void
save (TsrMarkers *self)
{
  gboolean failed = self->error != NULL;

  if (self->path == NULL)
    return;
  g_clear_error (&self->error);
  write_file (self);
  if (self->error_func != NULL && (failed || self->error != NULL))
    self->error_func (self->error_data);
}

static gboolean
on_timeout (gpointer data)
{
  TsrMarkers *self = data;

  self->timeout = 0;
  save (self);
  return G_SOURCE_REMOVE;
}

static void
on_markers_changed (TsrMarkers *self)
{
  if (self->loading || self->path == NULL)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add (DELAY_MS, on_timeout, self);
}

static GPtrArray *
load (TsrMarkers *self)
{
  GPtrArray *markers = tsr_trace_markers_new ();
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;
  GStatBuf info;

  if (self->path == NULL || g_stat (self->path, &info) != 0 || info.st_size > MOST_BYTES
      || !g_key_file_load_from_file (file, self->path, G_KEY_FILE_NONE, NULL))
    return markers;
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL && markers->len < TSR_MARKERS_MOST; i++)
    {
      g_autoptr (GError) error = NULL;
      TsrTraceMarker *marker;
      gint64 from, to = 0;

      if (g_str_equal (groups[i], REPORT_GROUP))
        continue;
      from = g_key_file_get_int64 (file, groups[i], "from", &error);
      if (error == NULL)
        to = g_key_file_get_int64 (file, groups[i], "to", &error);
      if (error != NULL || to < from)
        continue;
      marker = g_new0 (TsrTraceMarker, 1);
      marker->from = from;
      marker->to = to;
      marker->note = g_key_file_get_string (file, groups[i], "note", NULL);
      if (marker->note == NULL || strlen (marker->note) > MOST_NOTE)
        {
          g_free (marker->note);
          marker->note = g_strdup ("");
        }
      g_ptr_array_add (markers, marker);
    }
  return markers;
}

/* Another recording at the same place is another report. */
static void
set_identity (TsrMarkers *self, TsrReport *report)
{
  const TsrReportFiles *files = report != NULL ? tsr_report_get_files (report) : NULL;
  const TsrReportFile *profile = files != NULL ? &files->files[TSR_FILE_PROFILE] : NULL;
  g_autofree char *text = NULL, *digest = NULL, *name = NULL;

  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->location, g_free);
  if (profile == NULL || !profile->found || profile->path == NULL)
    return;
  self->location = tsr_place_dup_location (tsr_report_get_place (report), profile->path);
  self->bytes = profile->bytes;
  self->mtime_us = profile->mtime_us;
  text = g_strdup_printf ("%s\n%" G_GINT64_FORMAT "\n%" G_GINT64_FORMAT, self->location,
                          profile->bytes, profile->mtime_us);
  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  name = g_strconcat (digest, ".ini", NULL);
  self->path = g_build_filename (self->folder, name, NULL);
}

void
tsr_markers_set_report (TsrMarkers *self, TsrReport *report)
{
  g_return_if_fail (self != NULL && (report == NULL || TSR_IS_REPORT (report)));

  tsr_markers_flush (self);
  g_clear_error (&self->error);
  set_identity (self, report);
  self->loading = TRUE;
  tsr_trace_state_take_markers (self->state, load (self));
  self->loading = FALSE;
}

void
tsr_markers_flush (TsrMarkers *self)
{
  g_return_if_fail (self != NULL);
  if (self->timeout == 0 && self->error == NULL)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  save (self);
}

const GError *
tsr_markers_get_error (TsrMarkers *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->error;
}

void
tsr_markers_set_error_func (TsrMarkers *self, void (*func) (gpointer data), gpointer data)
{
  g_return_if_fail (self != NULL);
  self->error_func = func;
  self->error_data = data;
}

TsrMarkers *
tsr_markers_new (TsrTraceState *state, const char *folder)
{
  TsrMarkers *self;

  g_return_val_if_fail (TSR_IS_TRACE_STATE (state), NULL);
  self = g_new0 (TsrMarkers, 1);
  self->state = g_object_ref (state);
  self->folder = folder != NULL
                     ? g_strdup (folder)
                     : g_build_filename (g_get_user_data_dir (), "tessera", "markers", NULL);
  g_signal_connect_swapped (state, "markers-changed", G_CALLBACK (on_markers_changed), self);
  return self;
}

void
tsr_markers_free (TsrMarkers *self)
{
  if (self == NULL)
    return;
  tsr_markers_flush (self);
  g_signal_handlers_disconnect_by_data (self->state, self);
  g_object_unref (self->state);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->location);
  g_clear_error (&self->error);
  g_free (self);
}
