/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows on stdout, by the printer of the model. */

#include "config.h"

#include "tsr-cli.h"

#include <glib/gi18n.h>
#include <stdio.h>

/* tsr_cli_flush says what could not be written. */
static gboolean
write_out (gpointer data, const char *text, gsize length, GError **error)
{
  fwrite (text, 1, length, stdout);
  return TRUE;
}

/* Takes @rows.  What was interrupted before is printed as far as it came. */
static gboolean
print_rows (TsrCli *cli, TsrJsonWriter *writer, const char *key, TsrRows *rows, TsrPrint *print)
{
  gboolean over = g_cancellable_is_cancelled (cli->cancellable);
  gboolean done;

  print->format = cli->format;
  print->units = cli->units;
  print->writer = writer;
  print->write = write_out;
  if (writer != NULL)
    tsr_json_writer_begin_array (writer, key);
  done = tsr_rows_print (rows, print, over ? NULL : cli->cancellable, NULL);
  if (writer != NULL)
    tsr_json_writer_end_array (writer);
  if (!done)
    cli->status = MAX (cli->status, TSR_EXIT_ERRORS);
  tsr_rows_unref (rows);
  return done;
}

gboolean
tsr_cli_list (
    TsrCli *cli, TsrJsonWriter *writer, const char *key, TsrRows *rows, const TsrPrint *like)
{
  TsrPrint print = like != NULL ? *like : (TsrPrint){ 0 };
  gint64 n = print.order != NULL ? print.order->n : tsr_rows_get_n (rows);
  gboolean done;

  print.limit = cli->limit;
  done = print_rows (cli, writer, key, rows, &print);
  if (n > cli->limit && writer != NULL && key != NULL)
    tsr_json_writer_boolean (writer, "truncated", TRUE);
  else if (n > cli->limit)
    {
      g_autofree char *count = tsr_units_dup_count (n - cli->limit);

      /* A bare array and CSV have no place for it. */
      if (cli->format != TSR_FORMAT_TEXT)
        fflush (stdout);
      fprintf (cli->format == TSR_FORMAT_TEXT ? stdout : stderr,
               ngettext ("%s more row is not listed\n", "%s more rows are not listed\n",
                         (gulong)(n - cli->limit)),
               count);
    }
  return done;
}

void
tsr_cli_list_part (TsrCli *cli, TsrJsonWriter *writer, const char *key, TsrRows *rows)
{
  print_rows (cli, writer, key, rows, &(TsrPrint){ 0 });
}

void
tsr_cli_print_list (TsrCli *cli, TsrRows *rows, const TsrPrint *like)
{
  g_autoptr (TsrJsonWriter) writer = cli->format == TSR_FORMAT_JSON ? tsr_cli_begin_json () : NULL;
  gboolean done = tsr_cli_list (cli, writer, NULL, rows, like);

  if (writer != NULL)
    tsr_cli_end_json (cli, writer, !done);
  else
    tsr_cli_flush (cli);
}
