/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli vertices: vertex types with their state and code. */

#include "config.h"

#include "tsr-cli.h"
#include "tsr-records.h"
#include "tsr-vertices.h"

#include <glib/gi18n.h>
#include <inttypes.h>

typedef struct
{
  TsrCli *cli;
  TsrVertices *vertices;
  const TsrProgramTables *tables;
  GArray *list;  /* TsrVertexRow */
  GString *sets; /* of the line */
} Listing;

typedef struct
{
  const char *name;
  gint64 state, code, count, n_sets;
  const char *sets; /* ids, as JSON */
} Line;

static const char *
get_sets (Listing *listing, guint type)
{
  g_autoptr (GArray) sets = tsr_vertices_dup_compute_sets_of (listing->vertices, type);

  g_string_assign (listing->sets, "[");
  for (guint i = 0; i < sets->len; i++)
    g_string_append_printf (listing->sets, "%s%" PRId64, i > 0 ? ", " : "",
                            listing->tables->compute_set_id[g_array_index (sets, guint32, i)]);
  return g_string_append_c (listing->sets, ']')->str;
}

static void
fill_line (gpointer data, guint32 row, gpointer record)
{
  Listing *listing = data;
  const TsrVertexRow *of = &g_array_index (listing->list, TsrVertexRow, row);

  *(Line *)record = (Line){
    tsr_string_table_get (listing->tables->strings, listing->tables->vertex_type_name[of->type]),
    of->state_bytes,
    of->code_bytes,
    of->count,
    of->n_compute_sets,
    listing->cli->format != TSR_FORMAT_TEXT ? get_sets (listing, of->type) : NULL,
  };
}

static void
print_list (Listing *listing)
{
  static const TsrField fields[] = {
    TSR_FIELD (Line, name, "name", N_ ("Vertex type"), TEXT),
    TSR_FIELD (Line, state, "stateBytes", N_ ("State"), BYTES),
    TSR_FIELD (Line, code, "codeBytes", N_ ("Code"), BYTES),
    TSR_FIELD (Line, count, "count", N_ ("Vertices"), COUNT),
    TSR_FIELD (Line, n_sets, NULL, N_ ("Compute sets"), COUNT),
    TSR_FIELD (Line, sets, "computeSets", NULL, JSON),
  };

  tsr_cli_print_list (listing->cli,
                      tsr_records_new (listing->list->len, fields, G_N_ELEMENTS (fields),
                                       sizeof (Line), fill_line, listing),
                      NULL);
}

int
tsr_cli_run_vertices (TsrCli *cli, int argc, char **argv)
{
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrVertices) vertices = NULL;
  g_autoptr (GArray) list = NULL;
  g_autoptr (GString) sets = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  Listing listing = { .cli = cli };

  if (!tsr_cli_parse (cli, NULL, TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS, argc, argv))
    return cli->status;
  report = tsr_cli_open (cli, TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED
                                  | TSR_LOAD_NO_DEBUG);
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
  listing.sets = sets;
  print_list (&listing);
  tsr_cli_say_diagnostics (cli, report);
  return cli->status;
}
