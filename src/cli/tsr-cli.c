/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses the options that all commands have, and prints messages, diagnostics and the frame of
 * JSON. */

#include "config.h"

#include "tsr-cli.h"

#include "tsr-cli-asker.h"
#include "tsr-cli-terminal.h"
#include "tsr-error.h"
#include "tsr-tables.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Finds the command's report, local or remote, and opens it while showing the progress. */

/* How long something takes before it is spoken of, and how often then. */
#define STATUS_FIRST_MS 1000
#define STATUS_EACH_MS  250
/* A host that has not answered for this many seconds is called silent. */
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

/* Sets the command's path, as the user wrote it.  TSR_ERROR_ARGUMENT. */
static gboolean
take_location (TsrCli *cli, const char *text, GError **error)
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

/* Removes the line that shows the progress of reading. */
static void end_status (TsrCli *cli);

void
tsr_cli_clear (TsrCli *cli)
{
  end_status (cli);
  g_clear_object (&cli->place);
  if (cli->is_remote)
    tsr_remote_place_flush ();
  g_clear_pointer (&cli->remote.cache, tsr_block_cache_unref);
  if (cli->remote.connections != NULL)
    tsr_connections_close_all (cli->remote.connections);
  g_clear_pointer (&cli->remote.connections, tsr_connections_free);
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
  if (stats.bytes_per_s < 1 || copy.here >= copy.bytes || *left == '\0'
      || copy.seconds_left > TSR_REMOTE_MOST_BOUND_S)
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

static void
end_status (TsrCli *cli)
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
        end_status (cli);
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
                    _ ("%s: there is no connection (%s); with --batch the cache on this machine is "
                       "used in place of the host only with --offline"),
                    cli->path, error != NULL ? error->message : _ ("not connected"));
      return FALSE;
    }
  tsr_cli_say (_ ("%s: there is no connection (%s); this is what the cache on this machine has"),
               cli->path, error != NULL ? error->message : _ ("not connected"));
  return TRUE;
}

/* ---------------------------------------------------------------- messages */

static void
say (const char *text)
{
  g_autofree char *printable = tsr_print_dup_clean (text);

  /* What went to stdout before stands before. */
  fflush (stdout);
  fprintf (stderr, "tessera-cli: %s\n", printable);
}

void
tsr_cli_say (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  say (text);
}

int
tsr_cli_fail (TsrCli *cli, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  say (text);
  return cli->status = TSR_EXIT_FAILED;
}

int
tsr_cli_fail_stage (TsrCli *cli, TsrReport *report, TsrStage stage)
{
  const GError *error = tsr_report_get_stage_error (report, stage);

  tsr_cli_say_diagnostics (cli, report);
  return tsr_cli_fail (cli, "%s: %s", cli->path,
                       error != NULL ? error->message : _ ("This part could not be read"));
}

char *
tsr_cli_dup_diagnostic_text (TsrDiagnostics *diagnostics, guint i)
{
  const TsrDiagnostic *entry = tsr_diagnostics_get (diagnostics, i);
  guint64 dropped = tsr_diagnostics_get_dropped (diagnostics, i);
  g_autofree char *count = tsr_units_dup_count ((gint64)dropped);

  if (dropped == 0)
    return g_strdup (entry->text);
  return g_strdup_printf (_ ("%s (%s more like this are not listed)"), entry->text, count);
}

void
tsr_cli_say_list (TsrCli *cli, TsrDiagnostics *diagnostics)
{
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      TsrDiagnostic entry = *tsr_diagnostics_get (diagnostics, i);
      g_autofree char *text = tsr_cli_dup_diagnostic_text (diagnostics, i);
      g_autofree char *line = NULL;

      entry.text = text;
      line = tsr_diagnostic_dup_line (&entry);
      tsr_cli_say ("%s: %s", tsr_severity_get_nick (entry.severity), line);
    }
  if (tsr_diagnostics_get_n_errors (diagnostics) > 0)
    cli->status = MAX (cli->status, TSR_EXIT_ERRORS);
}

void
tsr_cli_say_diagnostics (TsrCli *cli, TsrReport *report)
{
  tsr_cli_say_list (cli, tsr_report_get_diagnostics (report));
}

/* ----------------------------------------------------------------- options */

typedef struct
{
  char *format, *limit, *units, *identity;
  char **paths;
} Words;

static void
words_clear (Words *words)
{
  g_free (words->format);
  g_free (words->limit);
  g_free (words->units);
  g_free (words->identity);
  g_strfreev (words->paths);
}

static gboolean
take_words (TsrCli *cli, const Words *words, GError **error)
{
  static const char *const formats[] = { "text", "json", "csv" };

  if (words->format != NULL)
    {
      guint i = 0;

      while (i < G_N_ELEMENTS (formats) && !g_str_equal (formats[i], words->format))
        i++;
      if (i == G_N_ELEMENTS (formats))
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _ ("There is no format \"%s\"; choose text, json or csv"), words->format);
          return FALSE;
        }
      cli->format = i;
    }
  if (words->units != NULL && !tsr_units_parse (words->units, &cli->units))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("There are no units \"%s\"; choose binary, si or bytes"), words->units);
      return FALSE;
    }
  if (words->limit != NULL
      && !g_ascii_string_to_signed (words->limit, 10, 1, G_MAXINT32, &cli->limit, NULL))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("The limit must be a whole number from 1 on, not \"%s\""), words->limit);
      return FALSE;
    }
  return TRUE;
}

/* From 2^63 on an id stands in a file as a negative number. */
static gboolean
take_id (TsrCli *cli, const char *text)
{
  gint64 negative;

  if (g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT64, &cli->id, NULL))
    return TRUE;
  if (!g_ascii_string_to_signed (text, 10, G_MININT64, -1, &negative, NULL))
    return FALSE;
  cli->id = (guint64)negative;
  return TRUE;
}

static gboolean
take_path (
    TsrCli *cli, const TsrCommand *command, TsrCliOptions options, char **paths, GError **error)
{
  const guint wanted = (options & TSR_CLI_ID) != 0 ? 2 : 1;
  guint n = paths != NULL ? g_strv_length (paths) : 0;

  if (command->synopsis == NULL && n == 0)
    return TRUE;
  if (command->synopsis == NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                 _ ("\"%s\" is one argument too many"), paths[0]);
  else if (n != wanted || *paths[0] == '\0')
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                 n > wanted ? _ ("There is one %s too many: \"%s\"") : _ ("%s is missing"),
                 wanted == 2 ? "ID" : command->synopsis, n > wanted ? paths[wanted] : NULL);
  else if (wanted == 2 && !take_id (cli, paths[1]))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("ID is the number of a debug context, not \"%s\""), paths[1]);
  else
    return take_location (cli, paths[0], error);
  return FALSE;
}

/* --jump and --identity, also where the path is of this machine: a script has them once. */
static gboolean
take_remote (TsrCli *cli, const Words *words, GError **error)
{
  TsrSshHop *jumps = NULL;
  guint n = 0;

  if (words->identity != NULL)
    cli->identity = g_canonicalize_filename (words->identity, NULL);
  if (cli->identity != NULL && g_access (cli->identity, R_OK) != 0)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("The key file %s cannot be read: %s"), cli->identity, g_strerror (errno));
      return FALSE;
    }
  if (cli->jumps != NULL && !tsr_ssh_jumps_parse (cli->jumps, &jumps, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    tsr_ssh_hop_clear (&jumps[i]);
  g_free (jumps);
  return TRUE;
}

static void
add_common (GOptionContext *context, TsrCliOptions options, Words *words)
{
  GOptionEntry entries[5] = { { NULL } };
  guint n = 0;

  if (options & TSR_CLI_FORMAT)
    entries[n++] = (GOptionEntry){ "format",
                                   'f',
                                   0,
                                   G_OPTION_ARG_STRING,
                                   &words->format,
                                   N_ ("readable text (the default), json or csv"),
                                   N_ ("FORMAT") };
  if (options & TSR_CLI_LIMIT)
    entries[n++] = (GOptionEntry){ "limit",
                                   'n',
                                   0,
                                   G_OPTION_ARG_STRING,
                                   &words->limit,
                                   N_ ("at most N entries of the main list"),
                                   N_ ("N") };
  if (options & TSR_CLI_UNITS)
    entries[n++] = (GOptionEntry){ "units",
                                   'u',
                                   0,
                                   G_OPTION_ARG_STRING,
                                   &words->units,
                                   N_ ("units of sizes in readable text: binary, si or bytes"),
                                   N_ ("UNITS") };
  entries[n++] = (GOptionEntry){ G_OPTION_REMAINING, 0,    0,   G_OPTION_ARG_FILENAME_ARRAY,
                                 &words->paths,      NULL, NULL };
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
add_table (TsrCli *cli, GOptionContext *context, TsrCliOptions options)
{
  gboolean any = (options & TSR_CLI_ORDER) != 0;
  const GOptionEntry entries[]
      = { { "table", 0, 0, G_OPTION_ARG_STRING, &cli->table,
            N_ ("a table of the window instead; see below"), N_ ("TABLE") },
          { "sort", 0, 0, G_OPTION_ARG_STRING, &cli->sort,
            any ? N_ ("by the column KEY: numbers largest first; -KEY: largest first, +KEY: "
                      "smallest first")
                : N_ ("with --table: by the column KEY: numbers largest first; -KEY: largest "
                      "first, +KEY: smallest first"),
            N_ ("KEY") },
          { "filter", 0, 0, G_OPTION_ARG_STRING, &cli->filter,
            any ? N_ ("rows with these words, as in the window's filter")
                : N_ ("with --table: rows with these words, as in the window's filter"),
            N_ ("TEXT") },
          { NULL } };
  g_autofree char *tables = tsr_tables_dup_keys (cli->command->name);
  g_autofree char *below = g_strdup_printf (_ ("Tables: %s"), tables);

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_description (context, below);
}

static void
add_remote (TsrCli *cli, GOptionContext *context, Words *words)
{
  const GOptionEntry entries[]
      = { { "batch", 0, 0, G_OPTION_ARG_NONE, &cli->batch,
            N_ ("ask nothing: a report over ssh that needs an answer, or is only in the cache, is "
                "not opened"),
            NULL },
          { "offline", 0, 0, G_OPTION_ARG_NONE, &cli->offline,
            N_ ("connect nowhere: take what the cache has of a report over ssh"), NULL },
          { "jump", 'J', 0, G_OPTION_ARG_STRING, &cli->jumps,
            N_ ("hosts on the way to an ssh:// report, separated by commas, or none"),
            N_ ("HOSTS") },
          { "identity", 'i', 0, G_OPTION_ARG_FILENAME, &words->identity,
            N_ ("private key to log in with"), N_ ("FILE") },
          { NULL } };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static gboolean
is_given (const GOptionEntry *entry)
{
  return entry->arg == G_OPTION_ARG_NONE ? *(const gboolean *)entry->arg_data
                                         : *(char *const *)entry->arg_data != NULL;
}

/* Nothing that was asked for is left out without a word. */
static gboolean
take_table (const TsrCli *cli, const GOptionEntry *entries, TsrCliOptions options, GError **error)
{
  const char *option = NULL;

  if ((options & TSR_CLI_ORDER) == 0)
    option = cli->sort != NULL ? "sort" : cli->filter != NULL ? "filter" : NULL;
  for (const GOptionEntry *entry = entries; entry != NULL && entry->long_name != NULL; entry++)
    if ((entry->flags & TSR_CLI_OF_TABLE) != 0 && is_given (entry))
      option = entry->long_name;
  if (option == NULL || cli->table != NULL)
    return TRUE;
  g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT, _ ("--%s is of a table: --table=TABLE"),
               option);
  return FALSE;
}

gboolean
tsr_cli_parse (
    TsrCli *cli, const GOptionEntry *entries, TsrCliOptions options, int argc, char **argv)
{
  const TsrCommand *command = cli->command;
  g_autofree char *program = g_strdup_printf ("tessera-cli %s", command->name);
  g_autoptr (GOptionContext) context = g_option_context_new (command->synopsis);
  g_autoptr (GError) error = NULL;
  Words words = { NULL };
  gboolean ok;

  cli->limit = G_MAXINT64;
  g_option_context_set_summary (context, _ (command->summary));
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (options & TSR_CLI_TABLE)
    add_table (cli, context, options);
  add_common (context, options, &words);
  if (command->synopsis != NULL)
    add_remote (cli, context, &words);
  g_set_prgname (program); /* stands in --help before the options */
  ok = g_option_context_parse (context, &argc, &argv, &error) && take_words (cli, &words, &error)
       && take_remote (cli, &words, &error) && take_table (cli, entries, options, &error)
       && take_path (cli, command, options, words.paths, &error);
  words_clear (&words);
  if (!ok)
    tsr_cli_fail (cli, _ ("%s: %s; see tessera-cli %s --help"), command->name, error->message,
                  command->name);
  return ok;
}

/* ------------------------------------------------------------------ output */

TsrJsonWriter *
tsr_cli_begin_json (void)
{
  return tsr_json_writer_new_file (stdout, 2);
}

gboolean
tsr_cli_flush (TsrCli *cli)
{
  errno = 0;
  if (fflush (stdout) == 0 && !ferror (stdout))
    return TRUE;
  tsr_cli_say (_ ("The output could not be written: %s"),
               errno != 0 ? g_strerror (errno) : _ ("write error"));
  cli->status = MAX (cli->status, TSR_EXIT_ERRORS);
  return FALSE;
}

void
tsr_cli_end_json (TsrCli *cli, TsrJsonWriter *writer, gboolean incomplete)
{
  tsr_json_writer_finish (writer, incomplete);
  tsr_cli_flush (cli);
  if (incomplete)
    cli->status = MAX (cli->status, TSR_EXIT_ERRORS);
}

void
tsr_cli_print_heading (const char *heading)
{
  printf ("%s\n", heading);
}

void
tsr_cli_print_field (const char *name, const char *value)
{
  g_autofree char *label = tsr_print_dup_clean (name);
  g_autofree char *text = tsr_print_dup_clean (value != NULL ? value : "–");
  glong width = g_utf8_strlen (label, -1);

  printf ("  %s%*s %s\n", label, (int)MAX (34 - width, 1), "", text);
}
