/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli debug: the contexts of an id, from its own to the outermost one, as JSON; for people
 * a tree from the outermost one down. */

#include "config.h"

#include "tsr-cli.h"
#include "tsr-debug-details.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>

static void
write_number (TsrJsonWriter *writer, const char *key, guint64 number)
{
  char digits[24];

  g_snprintf (digits, sizeof digits, "%" PRIu64, number);
  tsr_json_writer_raw (writer, key, digits);
}

static void
write_location (TsrJsonWriter *writer, const TsrDebugTables *debug, guint32 row)
{
  const char *file = tsr_debug_tables_get_text (debug, debug->file_name[row]);
  const char *function = tsr_debug_tables_get_text (debug, debug->function_name[row]);

  if (file == NULL && function == NULL && debug->line[row] == 0)
    {
      tsr_json_writer_null (writer, "location");
      return;
    }
  tsr_json_writer_begin_object (writer, "location");
  tsr_json_writer_string (writer, "fileName", file);
  tsr_json_writer_string (writer, "functionName", function);
  if (debug->line[row] != 0)
    tsr_json_writer_int (writer, "lineNumber", debug->line[row]);
  else
    tsr_json_writer_null (writer, "lineNumber");
  tsr_json_writer_end_object (writer);
}

/* FALSE, having said why, when its record cannot be read. */
static gboolean
write_context (TsrCli *cli, TsrJsonWriter *writer, const TsrDebugTables *debug, guint32 row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrJson) record = tsr_debug_tables_read_record (debug, row, cli->cancellable, &error);

  tsr_json_writer_begin_object (writer, NULL);
  write_number (writer, "id", debug->id[row]);
  tsr_json_writer_string (
      writer, "layer",
      debug->layer[row] != TSR_DEBUG_NO_LAYER ? debug->layers[debug->layer[row]].name : NULL);
  tsr_json_writer_string (writer, "name", tsr_debug_tables_get_text (debug, debug->name[row]));
  write_location (writer, debug, row);
  if (record != NULL)
    tsr_json_write (record, writer, "record");
  else
    tsr_json_writer_null (writer, "record");
  tsr_json_writer_end_object (writer);
  if (record != NULL)
    return TRUE;
  tsr_cli_say ("%s: %s", cli->path, error->message);
  cli->status = MAX (cli->status, TSR_EXIT_ERRORS);
  return FALSE;
}

static void
print_json (TsrCli *cli, const TsrDebugTables *debug, guint32 row)
{
  TsrJsonWriter *writer = tsr_cli_begin_json ();
  gboolean whole = TRUE;

  tsr_json_writer_begin_array (writer, NULL);
  for (; row != TSR_NO_INDEX && !g_cancellable_is_cancelled (cli->cancellable);
       row = debug->parent[row])
    whole = write_context (cli, writer, debug, row) && whole;
  tsr_json_writer_end_array (writer);
  tsr_cli_end_json (cli, writer, !whole || row != TSR_NO_INDEX);
  tsr_json_writer_free (writer);
}

/* Lines with two spaces for each level; for CSV the same rows as a list. */
static void
print_rows (TsrCli *cli, const TsrDebugTables *debug)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTableAnswer) answer
      = tsr_debug_details_new (debug, (gint64)cli->id, cli->cancellable, &error);

  if (answer == NULL)
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return;
    }
  if (answer->note != NULL)
    tsr_cli_say ("%s", answer->note);
  tsr_cli_print_list (cli, g_steal_pointer (&answer->rows), NULL);
}

int
tsr_cli_run_debug (TsrCli *cli, int argc, char **argv)
{
  g_autoptr (TsrReport) report = NULL;
  const TsrDebugTables *debug;
  guint32 row;

  if (!tsr_cli_parse (cli, NULL, TSR_CLI_FORMAT | TSR_CLI_ID, argc, argv))
    return cli->status;
  report = tsr_cli_open (cli, TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN | TSR_LOAD_NO_PROGRAMS
                                  | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED
                                  | TSR_LOAD_NO_EXECUTION);
  if (report == NULL)
    return cli->status;
  debug = tsr_report_get_debug_tables (report);
  if (debug == NULL)
    return tsr_cli_fail_stage (cli, report, TSR_STAGE_DEBUG);
  row = tsr_debug_tables_find (debug, (gint64)cli->id);
  if (row == TSR_NO_INDEX)
    {
      tsr_cli_say_diagnostics (cli, report);
      return tsr_cli_fail (cli,
                           _ ("%s: No context of debug.cbor has the id %" PRIu64
                              "; ids are the debug_id of programs and variables in profile.pop"),
                           cli->path, cli->id);
    }
  if (cli->format == TSR_FORMAT_JSON)
    print_json (cli, debug, row);
  else
    print_rows (cli, debug);
  tsr_cli_say_diagnostics (cli, report);
  return cli->status;
}
