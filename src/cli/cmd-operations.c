/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli operations: what each operation of a software layer costs. */

#include "config.h"

#include "tsr-cli-tables.h"
#include "tsr-operation-rows.h"
#include "tsr-records.h"

#include <glib/gi18n.h>
#include <inttypes.h>

typedef struct
{
  TsrOperations *operations;
  const TsrProgramTables *tables;
  GPtrArray *names;  /* by row, made when they are asked for: gaps */
  GString *programs; /* of the line */
} Listing;

typedef struct
{
  const char *name, *debug_name;
  gint64 code, state, tile_cycles, wall, estimated, flops, variables, touched, n_programs;
  const char *programs; /* ids, as JSON */
} Line;

static const char *
write_programs (Listing *listing, guint row)
{
  guint n;
  const guint32 *programs = tsr_operations_get_programs (listing->operations, row, &n);

  g_string_assign (listing->programs, "[");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (listing->programs, "%s%" PRId64, i > 0 ? ", " : "",
                            listing->tables->program_id[programs[i]]);
  return g_string_append_c (listing->programs, ']')->str;
}

static void
fill_line (gpointer data, guint32 row, gpointer record)
{
  Listing *listing = data;
  TsrOperations *of = listing->operations;

  if (listing->names->pdata[row] == NULL)
    listing->names->pdata[row] = tsr_operation_dup_name (of, row);
  *(Line *)record = (Line){
    listing->names->pdata[row],
    tsr_operations_get_name (of, row),
    tsr_operations_get (of, row, TSR_OPERATION_CODE),
    tsr_operations_get (of, row, TSR_OPERATION_VERTEX_STATE),
    tsr_operations_get (of, row, TSR_OPERATION_TILE_CYCLES),
    tsr_operations_get (of, row, TSR_OPERATION_WALL_CYCLES),
    tsr_operations_get (of, row, TSR_OPERATION_ESTIMATED),
    tsr_operations_get (of, row, TSR_OPERATION_FLOPS),
    tsr_operations_get (of, row, TSR_OPERATION_VARIABLES),
    tsr_operations_get (of, row, TSR_OPERATION_TOUCHED),
    tsr_operations_get (of, row, TSR_OPERATION_PROGRAMS),
    write_programs (listing, row),
  };
}

static void
print_list (TsrCli *cli, Listing *listing)
{
  static const TsrField fields[] = {
    TSR_FIELD (Line, name, "name", N_ ("Operation"), TEXT),
    TSR_FIELD (Line, debug_name, "debugName", N_ ("Name"), TEXT),
    TSR_FIELD (Line, code, "codeBytes", N_ ("Code"), BYTES),
    TSR_FIELD (Line, state, "vertexStateBytes", N_ ("Vertex state"), BYTES),
    TSR_FIELD (Line, tile_cycles, "measuredTileCycles", N_ ("Tile cycles"), COUNT),
    TSR_FIELD (Line, wall, "wallCycles", N_ ("Cycles"), COUNT),
    TSR_FIELD (Line, estimated, "estimatedTileCycles", N_ ("Estimated tile cycles"), COUNT),
    TSR_FIELD (Line, flops, "flops", N_ ("FLOPs"), COUNT),
    TSR_FIELD (Line, variables, "variableBytes", N_ ("Variables"), BYTES),
    TSR_FIELD (Line, touched, "touchedBytes", N_ ("Touched"), BYTES),
    TSR_FIELD (Line, n_programs, NULL, N_ ("Programs"), COUNT),
    TSR_FIELD (Line, programs, "programs", NULL, JSON),
  };

  guint n = tsr_operation_rows_get_n (listing->operations);
  g_autoptr (TsrRows) rows = NULL;
  g_autoptr (TsrRowOrder) order = NULL;

  g_ptr_array_set_size (listing->names, (int)n);
  rows = tsr_records_new (n, fields, G_N_ELEMENTS (fields), sizeof (Line), fill_line, listing);
  order = tsr_cli_arrange (cli, rows, NULL);
  if (order != NULL)
    tsr_cli_print_list (cli, tsr_rows_ref (rows), &(TsrPrint){ .order = order });
}

/* TRUE when all that operations need is there; else says what is not. */
static gboolean
check_stages (TsrCli *cli, TsrReport *report)
{
  static const TsrStage needed[] = { TSR_STAGE_MEMORY, TSR_STAGE_PROGRAMS, TSR_STAGE_DEBUG };

  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    if (tsr_report_get_stage_state (report, needed[i]) != TSR_STAGE_READY)
      {
        tsr_cli_fail_stage (cli, report, needed[i]);
        return FALSE;
      }
  return TRUE;
}

static void
print_operations (TsrCli *cli, TsrReport *report, const char *layer)
{
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrVariables) variables = NULL;
  g_autoptr (TsrPrograms) programs = NULL;
  g_autoptr (TsrOperations) operations = NULL;
  g_autoptr (GError) error = NULL;
  Listing listing = { .tables = tsr_report_get_program_tables (report) };

  variables = tsr_variables_new (report, cli->cancellable, NULL); /* not there: bytes unknown */
  programs = tsr_programs_new (report, cli->cancellable, &error);
  if (programs != NULL)
    operations = tsr_operations_new (programs, tsr_report_get_debug_tables (report), layer, memory,
                                     variables, cli->cancellable, &error);
  if (operations == NULL || !tsr_operations_read_records (operations, cli->cancellable, &error))
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return;
    }
  listing.operations = operations;
  listing.names = g_ptr_array_new_with_free_func (g_free);
  listing.programs = g_string_new (NULL);
  print_list (cli, &listing);
  g_string_free (listing.programs, TRUE);
  g_ptr_array_unref (listing.names);
}

int
tsr_cli_run_operations (TsrCli *cli, int argc, char **argv)
{
  g_autofree char *layer = NULL, *operation = NULL, *group = NULL, *depth = NULL;
  const GOptionEntry entries[]
      = { { "layer", 0, 0, G_OPTION_ARG_STRING, &layer,
            N_ ("software layer, by its name in the report (poplibs)"), N_ ("NAME") },
          { "operation", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &operation,
            N_ ("of the other tables: a key of the list"), N_ ("KEY") },
          { "group-by", 0, 0, G_OPTION_ARG_STRING, &group,
            N_ ("the table list, grouped: none, api or prefix"), N_ ("WHAT") },
          { "depth", 0, 0, G_OPTION_ARG_STRING, &depth, N_ ("of a prefix: parts of the name (1)"),
            N_ ("N") },
          { NULL } };
  g_autoptr (TsrReport) report = NULL;

  if (!tsr_cli_parse (cli, entries,
                      TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS | TSR_CLI_TABLE
                          | TSR_CLI_ORDER,
                      argc, argv))
    return cli->status;
  if (group == NULL && depth != NULL)
    group = g_strdup ("prefix");
  if (cli->table == NULL && group != NULL)
    cli->table = g_strdup ("list"); /* the only one that is grouped */
  if (cli->table != NULL)
    return tsr_cli_print_table (
        cli, &(TsrCliTableWords){
                 .layer = layer, .operation = operation, .group = group, .depth = depth });
  /* The lowered variables only tell the worst tile, which is a column of the table. */
  report = tsr_cli_open (cli, TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LOWERED);
  if (report == NULL)
    return cli->status;
  if (check_stages (cli, report))
    {
      print_operations (cli, report, layer != NULL ? layer : "poplibs");
      tsr_cli_say_diagnostics (cli, report);
    }
  return cli->status;
}
