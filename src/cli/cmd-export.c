/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli export: the execution as a file for another program. */

#include "config.h"

#include "tsr-cli-trace.h"
#include "tsr-perfetto.h"

#include <glib/gi18n.h>
#include <string.h>

/* Nothing of a report is ever written over: not the file that is read, and nothing in its folder.
 */
static gboolean
is_in_report (TsrReport *report, const char *output)
{
  g_autofree char *folder = NULL;
  g_autofree char *place = NULL;
  g_autofree char *real_folder = NULL;
  g_autofree char *real_place = NULL;
  const char *location = tsr_report_get_location (report);

  if (tsr_place_is_remote (tsr_report_get_place (report)))
    return FALSE;
  folder = g_file_test (location, G_FILE_TEST_IS_DIR) ? g_strdup (location)
                                                      : g_path_get_dirname (location);
  place = g_path_get_dirname (output);
  real_folder = realpath (folder, NULL);
  real_place = realpath (place, NULL);
  return real_folder != NULL && real_place != NULL && g_str_equal (real_folder, real_place);
}

static gboolean
write_file (TsrCli *cli,
            TsrReport *report,
            const TsrTrace *trace,
            const TsrPerfettoRange *range,
            const char *output)
{
  g_autoptr (GFile) file = g_file_new_for_path (output);
  g_autoptr (GFileOutputStream) stream = NULL;
  g_autoptr (GError) error = NULL;

  if (is_in_report (report, output))
    {
      tsr_cli_fail (
          cli, _ ("%s is in the report's folder, where nothing is written; name another place"),
          output);
      return FALSE;
    }
  /* What was there stays until the new file is whole. */
  stream = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, cli->cancellable,
                           &error);
  if (stream != NULL
      && tsr_perfetto_write (trace, tsr_report_get_liveness_tables (report), range,
                             G_OUTPUT_STREAM (stream), cli->cancellable, &error)
      && g_output_stream_close (G_OUTPUT_STREAM (stream), cli->cancellable, &error))
    return TRUE;
  if (stream != NULL && !g_output_stream_is_closed (G_OUTPUT_STREAM (stream)))
    {
      g_autoptr (GCancellable) drop = g_cancellable_new ();

      /* A cancelled close drops the new file. */
      g_cancellable_cancel (drop);
      g_output_stream_close (G_OUTPUT_STREAM (stream), drop, NULL);
    }
  tsr_cli_fail (cli, _ ("%s could not be written: %s"), output, error->message);
  return FALSE;
}

int
tsr_cli_run_export (TsrCli *cli, int argc, char **argv)
{
  TsrCliTraceWords words = { 0 };
  g_autofree char *as = NULL;
  g_autofree char *output = NULL;
  g_autofree char *path = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrTrace) trace = NULL;
  const GOptionEntry entries[] = {
    { "as", 'a', 0, G_OPTION_ARG_STRING, &as, N_ ("the kind of file: perfetto"), N_ ("KIND") },
    { "format", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &as, NULL, NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("the file to write"), N_ ("FILE") },
    { "from", 0, 0, G_OPTION_ARG_STRING, &words.from, N_ ("from this cycle on"), N_ ("C") },
    { "to", 0, 0, G_OPTION_ARG_STRING, &words.to, N_ ("up to this cycle"), N_ ("C") },
    { "ipu", 0, 0, G_OPTION_ARG_STRING, &words.ipu, N_ ("one IPU, counted over all replicas"),
      N_ ("N") },
    { "run", 0, 0, G_OPTION_ARG_STRING, &words.run, N_ ("the steps of one run"), N_ ("N") },
    { NULL }
  };
  TsrCliTraceRange range;

  if (!tsr_cli_parse (cli, entries, 0, argc, argv))
    goto out;
  if (as == NULL || !g_str_equal (as, "perfetto"))
    {
      tsr_cli_fail (cli, _ ("Say what to write: --as=perfetto"));
      goto out;
    }
  if (output == NULL)
    {
      tsr_cli_fail (cli, _ ("Say where to write: --output=FILE"));
      goto out;
    }
  path = g_canonicalize_filename (output, NULL);
  trace = tsr_cli_trace_open (
      cli, TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LOWERED | TSR_LOAD_NO_DEBUG, &report);
  if (trace == NULL)
    goto out;
  if (tsr_cli_trace_range (cli, trace, &words, TRUE, &range))
    {
      const TsrPerfettoRange what = { range.from, range.to, range.ipu, range.run };

      write_file (cli, report, trace, &what, path);
    }
  tsr_cli_say_diagnostics (cli, report);

out:
  tsr_cli_trace_words_clear (&words);
  return cli->status;
}
