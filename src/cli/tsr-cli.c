/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses the options that all commands have, and prints messages, diagnostics and the frame of
 * JSON. */

#include "config.h"

#include "tsr-cli.h"

#include "tsr-error.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------- messages */

static void
say (const char *text)
{
  g_autofree char *printable = tsr_cli_dup_printable (text);

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

/* Format characters turn the direction of what follows. */
static gboolean
is_printable (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);

  return type != G_UNICODE_CONTROL && type != G_UNICODE_FORMAT && type != G_UNICODE_LINE_SEPARATOR
         && type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* By stretches, as a name may have megabytes: nearly all of them are ASCII. */
char *
tsr_cli_dup_printable (const char *text)
{
  char *valid = g_utf8_make_valid (text, -1);
  char *to = valid;

  for (const char *p = valid; *p != '\0';)
    {
      gsize length = 0;

      while (p[length] >= ' ' && p[length] <= '~')
        length++;
      memmove (to, p, length);
      to += length;
      p += length;
      if (*p == '\0')
        break;
      length = (gsize)(g_utf8_next_char (p) - p);
      if (is_printable (g_utf8_get_char (p)))
        {
          memmove (to, p, length);
          to += length;
        }
      else
        *to++ = ' ';
      p += length;
    }
  *to = '\0';
  return valid;
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
                       _ ("The format \"%s\" is not known; there are text, json and csv"),
                       words->format);
          return FALSE;
        }
      cli->format = i;
    }
  if (words->units != NULL && !tsr_units_parse (words->units, &cli->units))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("The units \"%s\" are not known; there are binary, si and bytes"),
                   words->units);
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

static gboolean
take_path (TsrCli *cli, const TsrCommand *command, char **paths, GError **error)
{
  guint n = paths != NULL ? g_strv_length (paths) : 0;

  if (command->synopsis == NULL && n == 0)
    return TRUE;
  if (command->synopsis == NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                 _ ("There is one word too many: \"%s\""), paths[0]);
  else if (n != 1 || *paths[0] == '\0')
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                 n > 1 ? _ ("There is one %s too many: \"%s\"") : _ ("%s is missing"),
                 command->synopsis, n > 1 ? paths[1] : NULL);
  else
    return tsr_cli_take_location (cli, paths[0], error);
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
                                   N_ ("text for people (the default), json or csv"),
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
                                   N_ ("units of sizes for people: binary, si or bytes"),
                                   N_ ("UNITS") };
  entries[n++] = (GOptionEntry){ G_OPTION_REMAINING, 0,    0,   G_OPTION_ARG_FILENAME_ARRAY,
                                 &words->paths,      NULL, NULL };
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
add_table (TsrCli *cli, GOptionContext *context)
{
  const GOptionEntry entries[]
      = { { "table", 0, 0, G_OPTION_ARG_STRING, &cli->table,
            N_ ("a table of the window instead; the manual lists them"), N_ ("TABLE") },
          { "sort", 0, 0, G_OPTION_ARG_STRING, &cli->sort,
            N_ ("with --table: by the column KEY, with a - before it the largest first"),
            N_ ("KEY") },
          { "filter", 0, 0, G_OPTION_ARG_STRING, &cli->filter,
            N_ ("with --table: rows with these words, as in the window's filter"), N_ ("TEXT") },
          { NULL } };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
add_remote (TsrCli *cli, GOptionContext *context, Words *words)
{
  const GOptionEntry entries[] = {
    { "batch", 0, 0, G_OPTION_ARG_NONE, &cli->batch,
      N_ ("ask nothing: a report behind ssh that needs an answer, or is only in the cache, is "
          "not opened"),
      NULL },
    { "offline", 0, 0, G_OPTION_ARG_NONE, &cli->offline,
      N_ ("connect nowhere: take what the cache has of a report behind ssh"), NULL },
    { "jump", 'J', 0, G_OPTION_ARG_STRING, &cli->jumps,
      N_ ("hosts on the way to an ssh:// report, with commas, or none"), N_ ("HOSTS") },
    { "identity", 'i', 0, G_OPTION_ARG_FILENAME, &words->identity,
      N_ ("private key to log in with"), N_ ("FILE") },
    { NULL }
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

gboolean
tsr_cli_parse (TsrCli *cli,
               const TsrCommand *command,
               const GOptionEntry *entries,
               TsrCliOptions options,
               int argc,
               char **argv)
{
  g_autofree char *program = g_strdup_printf ("tessera-cli %s", command->name);
  g_autoptr (GOptionContext) context = g_option_context_new (command->synopsis);
  g_autoptr (GError) error = NULL;
  Words words = { NULL };
  gboolean ok;

  cli->command = command->name;
  cli->limit = G_MAXINT64;
  g_option_context_set_summary (context, _ (command->summary));
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (options & TSR_CLI_TABLE)
    add_table (cli, context);
  add_common (context, options, &words);
  if (command->synopsis != NULL)
    add_remote (cli, context, &words);
  g_set_prgname (program); /* stands in --help before the options */
  ok = g_option_context_parse (context, &argc, &argv, &error) && take_words (cli, &words, &error)
       && take_remote (cli, &words, &error) && take_path (cli, command, words.paths, &error);
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
  g_autofree char *label = tsr_cli_dup_printable (name);
  g_autofree char *text = tsr_cli_dup_printable (value != NULL ? value : "–");
  glong width = g_utf8_strlen (label, -1);

  printf ("  %s%*s %s\n", label, (int)MAX (34 - width, 1), "", text);
}
