/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the command's report, local or remote, and opens it while showing the progress. */

#include "config.h"

#include "tsr-cli.h"

#include "tsr-cli-asker.h"
#include "tsr-cli-terminal.h"
#include "tsr-error.h"

#include <glib/gi18n.h>
#include <math.h>
#include <unistd.h>

/* How long something takes before it is spoken of, and how often then. */
#define STATUS_FIRST_MS 1000
#define STATUS_EACH_MS  250
/* From so many seconds without an answer on a host is called silent. */
#define SILENCE_S 2.0

/* ------------------------------------------------------------------- words */

/* The address as it counts: jump hosts of the command line win. */
static char *
dup_address (const char *text, const char *jumps, GError **error)
{
  g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (text, error);

  if (address == NULL)
    return NULL;
  if (jumps != NULL)
    {
      for (guint i = 0; i < address->n_jumps; i++)
        tsr_ssh_hop_clear (&address->jumps[i]);
      g_clear_pointer (&address->jumps, g_free);
      address->n_jumps = 0;
      address->has_jumps = TRUE;
      if (!tsr_ssh_jumps_parse (jumps, &address->jumps, &address->n_jumps, error))
        return NULL;
    }
  return tsr_ssh_address_to_string (address);
}

gboolean
tsr_cli_take_location (TsrCli *cli, const char *text, GError **error)
{
  cli->is_remote = tsr_ssh_address_is_one (text);
  cli->path = cli->is_remote ? dup_address (text, cli->jumps, error)
                             : g_canonicalize_filename (text, NULL);
  return cli->path != NULL;
}

/* ------------------------------------------------------------------- place */

guint64
tsr_cli_get_cache_limit (void)
{
  static const char key[] = "remote-cache-limit";
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema
      = source != NULL ? g_settings_schema_source_lookup (source, TSR_APP_ID, TRUE) : NULL;
  g_autoptr (GSettings) settings = NULL;

  /* The window's: what one of them keeps, the other must not throw away. */
  if (schema == NULL || !g_settings_schema_has_key (schema, key))
    return TSR_BLOCK_CACHE_DEFAULT_LIMIT;
  settings = g_settings_new_full (schema, NULL, NULL);
  return (guint64)MAX (g_settings_get_int (settings, key), 0) << 20;
}

static void
prepare_remote (TsrCli *cli)
{
  g_autoptr (TsrAsker) asker = cli->batch ? tsr_asker_new_silent () : tsr_cli_asker_new ();

  cli->remote.connections = tsr_connections_new (asker, NULL);
  tsr_connections_set_offline (cli->remote.connections, cli->offline);
  cli->remote.cache = tsr_block_cache_new (NULL, tsr_cli_get_cache_limit ());
  if (cli->identity != NULL)
    tsr_connections_set_identity (cli->remote.connections, cli->identity, NULL);
}

TsrPlace *
tsr_cli_get_place (TsrCli *cli, const char **path, GError **error)
{
  if (cli->place == NULL)
    {
      if (cli->is_remote)
        prepare_remote (cli);
      cli->place = tsr_location_open (&cli->remote, cli->path, &cli->place_path, error);
    }
  *path = cli->place_path;
  return cli->place;
}

void
tsr_cli_clear (TsrCli *cli)
{
  tsr_cli_end_status (cli);
  g_clear_object (&cli->place);
  if (cli->is_remote)
    tsr_remote_place_flush ();
  g_clear_pointer (&cli->remote.cache, tsr_block_cache_unref);
  if (cli->remote.connections != NULL)
    tsr_connections_close_all (cli->remote.connections);
  g_clear_pointer (&cli->remote.connections, tsr_connections_unref);
  g_clear_pointer (&cli->place_path, g_free);
  g_clear_pointer (&cli->table, g_free);
  g_clear_pointer (&cli->sort, g_free);
  g_clear_pointer (&cli->filter, g_free);
  g_clear_pointer (&cli->path, g_free);
  g_clear_pointer (&cli->jumps, g_free);
  g_clear_pointer (&cli->identity, g_free);
}

/* ------------------------------------------------------------------ status */

/* A thread that tells how a connection is doing. */
struct _TsrCliStatus
{
  TsrRemotePlace *place;
  TsrConnection *connection; /* of the place */
  GStrv paths;               /* of the report's files, as far as one knows before it is open */
  TsrUnits units;
  guint64 bytes; /* that had come when more came last */
  gint64 moved;  /* monotonic: when that was */
  GThread *thread;
  GMutex mutex;
  GCond cond;
  gboolean ends;
};

/* (transfer full): where the files lie of which @path is one, or the folder. */
static GStrv
dup_file_paths (const char *path)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *folder
      = tsr_report_files_is_known_name (base, NULL) ? g_path_get_dirname (path) : g_strdup (path);

  for (guint i = 0; i < TSR_N_FILES; i++)
    {
      g_autofree char *file = g_build_filename (folder, tsr_file_kind_get_fixed_name (i), NULL);

      g_strv_builder_add (paths, file);
    }
  return g_strv_builder_end (paths);
}

/* (transfer full) */
static char *
dup_status (TsrCliStatus *self)
{
  const char *name = tsr_connection_get_name (self->connection);
  g_autofree char *text = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *speed = NULL;
  g_autofree char *left = NULL;
  TsrConnectionStats stats;
  TsrRemoteCopy copy;

  if (tsr_connection_get_state (self->connection) != TSR_CONNECTION_READY)
    {
      /* Says itself which host it is about. */
      text = tsr_connection_dup_status (self->connection);
      return text != NULL ? g_steal_pointer (&text) : g_strdup (name);
    }
  tsr_connection_get_stats (self->connection, &stats);
  if (stats.bytes != self->bytes)
    self->moved = g_get_monotonic_time ();
  self->bytes = stats.bytes;
  bytes = tsr_units_dup_bytes (self->units, (gint64)stats.bytes);
  if (stats.silence_s >= SILENCE_S)
    {
      left = tsr_units_dup_duration (floor (stats.silence_s));
      return g_strdup_printf (_ ("%s has not answered for %s"), name, left);
    }
  /* What takes its time now is not the way. */
  if (g_get_monotonic_time () - self->moved > STATUS_FIRST_MS * G_TIME_SPAN_MILLISECOND)
    return g_strdup_printf (_ ("%s: %s read"), name, bytes);
  speed = tsr_units_dup_bytes (self->units, (gint64)stats.bytes_per_s);
  tsr_remote_place_get_copy (self->place, (const char *const *)self->paths, &copy);
  left = tsr_units_dup_duration (copy.seconds_left);
  if (stats.bytes_per_s < 1 || copy.here >= copy.bytes || *left == '\0')
    return g_strdup_printf (_ ("%s: %s read, %s/s"), name, bytes, speed);
  /* A command that needs parts only is done before. */
  return g_strdup_printf (_ ("%s: %s read, %s/s, at most %s left"), name, bytes, speed, left);
}

static gpointer
show_status (gpointer data)
{
  TsrCliStatus *self = data;
  gint64 until = g_get_monotonic_time () + STATUS_FIRST_MS * G_TIME_SPAN_MILLISECOND;

  g_mutex_lock (&self->mutex);
  while (!self->ends)
    if (!g_cond_wait_until (&self->cond, &self->mutex, until))
      {
        g_autofree char *text = dup_status (self);

        tsr_cli_terminal_show_status (text);
        until = g_get_monotonic_time () + STATUS_EACH_MS * G_TIME_SPAN_MILLISECOND;
      }
  g_mutex_unlock (&self->mutex);
  tsr_cli_terminal_show_status (NULL);
  return NULL;
}

static void
begin_status (TsrCli *cli)
{
  TsrCliStatus *self;

  if (cli->status_line != NULL || !TSR_IS_REMOTE_PLACE (cli->place) || !isatty (STDERR_FILENO))
    return;
  self = g_new0 (TsrCliStatus, 1);
  self->place = g_object_ref (TSR_REMOTE_PLACE (cli->place));
  self->connection = g_object_ref (tsr_remote_place_get_connection (self->place));
  self->paths = dup_file_paths (cli->place_path);
  self->units = cli->units;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->thread = g_thread_new ("status", show_status, self);
  cli->status_line = self;
}

void
tsr_cli_end_status (TsrCli *cli)
{
  TsrCliStatus *self = g_steal_pointer (&cli->status_line);

  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->ends = TRUE;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_strfreev (self->paths);
  g_object_unref (self->connection);
  g_object_unref (self->place);
  g_free (self);
}

/* ------------------------------------------------------------------ report */

TsrReport *
tsr_cli_open (TsrCli *cli, TsrLoadFlags flags)
{
  g_autoptr (GError) error = NULL;
  TsrReport *report = NULL;
  const char *path;
  TsrPlace *place = tsr_cli_get_place (cli, &path, &error);

  if (place != NULL)
    {
      begin_status (cli);
      report = tsr_report_open_sync (place, path, flags, cli->cancellable, &error);
      /* On a screen, it would stand between the command's own lines from here on. */
      if (report == NULL || isatty (STDOUT_FILENO))
        tsr_cli_end_status (cli);
    }
  if (report == NULL)
    tsr_cli_fail (cli, "%s", error->message);
  else if (!tsr_cli_accept_offline (cli))
    g_clear_object (&report);
  return report;
}

gboolean
tsr_cli_accept_offline (TsrCli *cli)
{
  TsrRemotePlace *place = TSR_IS_REMOTE_PLACE (cli->place) ? TSR_REMOTE_PLACE (cli->place) : NULL;
  g_autoptr (GError) error = NULL;

  if (place == NULL || cli->offline || !tsr_remote_place_is_offline (place))
    return TRUE;
  error = tsr_connection_dup_error (tsr_remote_place_get_connection (place));
  /* Who reads the status only would take what the report was for what it is. */
  if (cli->batch)
    {
      tsr_cli_fail (cli,
                    _ ("%s: there is no connection (%s); with --batch the cache on this machine "
                       "does not stand for the host, unless --offline says so"),
                    cli->path, error != NULL ? error->message : _ ("not connected"));
      return FALSE;
    }
  tsr_cli_say (_ ("%s: there is no connection (%s); this is what the cache on this machine has"),
               cli->path, error != NULL ? error->message : _ ("not connected"));
  return TRUE;
}
