/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prints every context of a report as the table has it and as its record is read, a line of JSON
 * each in the order of the file: list-contexts REPORT.  check-contexts.py compares them. */

#include "config.h"

#include "tsr-report.h"

#include <inttypes.h>

static void
write_location (TsrJsonWriter *writer, const TsrDebugTables *debug, guint32 row)
{
  tsr_json_writer_begin_array (writer, "location");
  tsr_json_writer_string (writer, NULL, tsr_debug_tables_get_text (debug, debug->file_name[row]));
  tsr_json_writer_string (writer, NULL,
                          tsr_debug_tables_get_text (debug, debug->function_name[row]));
  tsr_json_writer_int (writer, NULL, debug->line[row]);
  tsr_json_writer_end_array (writer);
}

static void
write_chain (TsrJsonWriter *writer, const TsrDebugTables *debug, guint32 row)
{
  guint n;
  g_autofree guint32 *chain = tsr_debug_tables_dup_chain (debug, row, &n);

  tsr_json_writer_begin_array (writer, "chain");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *digits = g_strdup_printf ("%" PRIu64, debug->id[chain[i]]);

      tsr_json_writer_raw (writer, NULL, digits);
    }
  tsr_json_writer_end_array (writer);
}

static void
list_context (const TsrDebugTables *debug, guint32 row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrJson) record = tsr_debug_tables_read_record (debug, row, NULL, &error);
  TsrJsonWriter *writer = tsr_json_writer_new_string (0);
  g_autofree char *line = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (tsr_debug_tables_find (debug, (gint64)debug->id[row]), ==, row);
  tsr_json_writer_begin_object (writer, NULL);
  write_chain (writer, debug, row);
  tsr_json_writer_string (
      writer, "layer",
      debug->layer[row] != TSR_DEBUG_NO_LAYER ? debug->layers[debug->layer[row]].name : NULL);
  tsr_json_writer_string (writer, "name", tsr_debug_tables_get_text (debug, debug->name[row]));
  write_location (writer, debug, row);
  tsr_json_write (record, writer, "record");
  tsr_json_writer_end_object (writer);
  line = tsr_json_writer_dup_text (writer);
  g_print ("%s\n", line);
  tsr_json_writer_free (writer);
}

int
main (int argc, char **argv)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  const TsrDebugTables *debug;

  g_assert_cmpint (argc, ==, 2);
  report = tsr_report_open_sync (place, argv[1], TSR_LOAD_SUMMARY_ONLY, NULL, &error);
  g_assert_no_error (error);
  tsr_report_read_stage (report, TSR_STAGE_DEBUG, NULL, &error);
  g_assert_no_error (error);
  debug = tsr_report_get_debug_tables (report);
  g_assert_true (debug->complete);
  for (guint32 row = 0; row < debug->n; row++)
    list_context (debug, row);
  return 0;
}
