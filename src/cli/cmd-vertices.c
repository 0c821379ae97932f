/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli vertices: vertex types with their state and code. */

#include "config.h"

#include "tsr-cli.h"
#include "tsr-vertices.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>

typedef struct
{
  TsrCli *cli;
  TsrVertices *vertices;
  const TsrProgramTables *tables;
  GArray *list; /* TsrVertexRow */
} Listing;

static const char *
get_name (Listing *listing, const TsrVertexRow *row)
{
  return tsr_string_table_get (listing->tables->strings,
                               listing->tables->vertex_type_name[row->type]);
}

static void
write_json (Listing *listing)
{
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();

  tsr_json_writer_begin_array (writer, NULL);
  for (guint i = 0; i < MIN (listing->cli->limit, listing->list->len); i++)
    {
      const TsrVertexRow *row = &g_array_index (listing->list, TsrVertexRow, i);
      g_autoptr (GArray) sets = tsr_vertices_dup_compute_sets_of (listing->vertices, row->type);

      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_string (writer, "name", get_name (listing, row));
      tsr_json_writer_int (writer, "stateBytes", row->state_bytes);
      tsr_json_writer_int (writer, "codeBytes", row->code_bytes);
      tsr_json_writer_int (writer, "count", row->count);
      tsr_json_writer_begin_array (writer, "computeSets");
      for (guint s = 0; s < sets->len; s++)
        tsr_json_writer_int (writer, NULL,
                             listing->tables->compute_set_id[g_array_index (sets, guint32, s)]);
      tsr_json_writer_end_array (writer);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
  tsr_cli_end_json (listing->cli, writer, FALSE);
}

/* Ids in one field of CSV: "3 7 9". */
static char *
dup_sets (Listing *listing, guint type)
{
  g_autoptr (GArray) sets = tsr_vertices_dup_compute_sets_of (listing->vertices, type);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sets->len; i++)
    g_string_append_printf (text, "%s%" PRId64, i > 0 ? " " : "",
                            listing->tables->compute_set_id[g_array_index (sets, guint32, i)]);
  return g_string_free (text, FALSE);
}

static void
print_table (Listing *listing)
{
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (listing->cli);
  gboolean people = listing->cli->format == TSR_FORMAT_TEXT;
  guint n = MIN (listing->cli->limit, listing->list->len);

  if (!people)
    tsr_cli_table_add_column (table, "", "name", FALSE);
  tsr_cli_table_add_column (table, _ ("State"), "stateBytes", TRUE);
  tsr_cli_table_add_column (table, _ ("Code"), "codeBytes", TRUE);
  tsr_cli_table_add_column (table, _ ("Vertices"), "count", TRUE);
  tsr_cli_table_add_column (table, _ ("Compute sets"), "computeSets", TRUE);
  if (people)
    tsr_cli_table_add_column (table, _ ("Vertex type"), "", FALSE);
  for (guint i = 0; i < n; i++)
    {
      const TsrVertexRow *row = &g_array_index (listing->list, TsrVertexRow, i);

      if (!people)
        tsr_cli_table_text (table, get_name (listing, row));
      tsr_cli_table_bytes (table, row->state_bytes);
      tsr_cli_table_bytes (table, row->code_bytes);
      tsr_cli_table_count (table, row->count);
      if (people)
        {
          tsr_cli_table_count (table, row->n_compute_sets);
          tsr_cli_table_text (table, get_name (listing, row));
        }
      else
        {
          g_autofree char *sets = dup_sets (listing, row->type);

          tsr_cli_table_text (table, sets);
        }
    }
  tsr_cli_table_finish (table);
  if (people && n < listing->list->len)
    {
      guint more = listing->list->len - n;
      g_autofree char *count = tsr_units_dup_count (more);

      printf (ngettext ("%s more type of vertices is not listed\n",
                        "%s more types of vertices are not listed\n", more),
              count);
    }
}

int
tsr_cli_run_vertices (TsrCli *cli, int argc, char **argv)
{
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrVertices) vertices = NULL;
  g_autoptr (GArray) list = NULL;
  g_autoptr (GError) error = NULL;
  Listing listing = { .cli = cli };

  if (!tsr_cli_parse (cli, NULL, TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS, argc, argv))
    return cli->status;
  report = tsr_cli_open (cli, TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED);
  if (report == NULL)
    return cli->status;
  if (tsr_report_get_memory_tables (report) == NULL)
    return tsr_cli_fail_stage (cli, report, TSR_STAGE_MEMORY);
  if (tsr_report_get_program_tables (report) == NULL)
    return tsr_cli_fail_stage (cli, report, TSR_STAGE_PROGRAMS);
  memory = tsr_memory_new (report);
  vertices = tsr_vertices_new (report, memory);
  listing.vertices = vertices;
  listing.tables = tsr_vertices_get_tables (vertices);
  if (listing.tables->n_vertex_types == 0)
    {
      tsr_cli_say_diagnostics (cli, report);
      return tsr_cli_fail (cli,
                           _ ("%s: The report has no vertices: the table vertex_types is missing "
                              "or empty; record it with the engine option "
                              "autoReport.outputGraphProfile"),
                           cli->path);
    }
  list = tsr_vertices_list (vertices, NULL, 0, cli->cancellable, &error);
  if (list == NULL)
    return tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  listing.list = list;
  if (cli->format == TSR_FORMAT_JSON)
    write_json (&listing);
  else
    {
      print_table (&listing);
      tsr_cli_flush (cli);
    }
  tsr_cli_say_diagnostics (cli, report);
  return cli->status;
}
