/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli programs: every program once, or the tree from the roots, in which a program stands
 * once and is referred to afterwards. */

#include "config.h"

#include "tsr-cli-tables.h"
#include "tsr-program-rows.h"
#include "tsr-records.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#define TEXT_LEVELS 60 /* deeper rows are not moved in further */

typedef struct
{
  TsrCli *cli;
  TsrPrograms *programs;
  TsrTableAnswer *answer;
  TsrRowOrder *order;
  gboolean tree;
  GString *children, *name; /* of the line */
} Listing;

typedef struct
{
  gint64 id, compute_set, cycles, executions, steps, code;
  double share;
  const char *type, *name, *label, *children;
} Line;

/* ------------------------------------------------------------------- lines */

static gint64
get_compute_set (const Listing *listing, guint32 program)
{
  const TsrProgramTables *t = tsr_programs_get_tables (listing->programs);
  guint32 set = t->program_compute_set[program];

  return set < t->n_compute_sets ? t->compute_set_id[set] : TSR_UNKNOWN;
}

/* (transfer none): ids of what is below, as JSON. */
static const char *
list_children (Listing *listing, guint32 program)
{
  const gint64 *ids = tsr_programs_get_tables (listing->programs)->program_id;
  guint32 first, end;

  tsr_programs_get_edges (listing->programs, program, &first, &end);
  g_string_assign (listing->children, "[");
  for (guint32 e = first; e < end; e++)
    g_string_append_printf (listing->children, "%s%" PRId64, e > first ? ", " : "",
                            ids[tsr_programs_get_child (listing->programs, e)]);
  return g_string_append_c (listing->children, ']')->str;
}

static const char *
make_label (Listing *listing, guint32 row, guint32 program)
{
  guint32 depth = tsr_rows_get_depth (listing->answer->rows, row);
  const char *note = tsr_rows_get_text (listing->answer->rows, row, 1);

  g_string_printf (listing->name, "%*s%s", 2 * (int)MIN (depth, TEXT_LEVELS), "",
                   tsr_programs_get_label (listing->programs, program));
  if (note != NULL)
    g_string_append_printf (listing->name, " – %s", note);
  return listing->name->str;
}

static void
fill_line (gpointer data, guint32 place, gpointer record)
{
  Listing *listing = data;
  guint32 row = listing->order->rows[place];
  guint32 program = listing->answer->places[row].program;
  TsrPrograms *programs = listing->programs;
  gint64 all = tsr_programs_get_all_cycles (programs);
  gint64 cycles = tsr_programs_get (programs, program, TSR_PROGRAM_CYCLES);
  gboolean text = listing->cli->format == TSR_FORMAT_TEXT;

  *(Line *)record = (Line){
    .id = tsr_programs_get_tables (programs)->program_id[program],
    .type = tsr_programs_get_type (programs, program),
    .name = tsr_programs_get_name (programs, program),
    .compute_set = get_compute_set (listing, program),
    .cycles = cycles,
    .share = cycles != TSR_UNKNOWN && all > 0 ? (double)cycles / (double)all : (double)NAN,
    .executions = tsr_programs_get (programs, program, TSR_PROGRAM_EXECUTIONS),
    .steps = tsr_programs_get (programs, program, TSR_PROGRAM_STEPS),
    .code = tsr_programs_get (programs, program, TSR_PROGRAM_CODE),
    .label = text ? make_label (listing, row, program) : NULL,
    .children = !text ? list_children (listing, program) : NULL,
  };
}

static void
print_lines (Listing *listing)
{
  static const TsrField fields[] = {
    TSR_FIELD (Line, id, "id", N_ ("Id"), INDEX),
    TSR_FIELD (Line, type, "type", NULL, TEXT),
    TSR_FIELD (Line, name, "name", NULL, TEXT),
    TSR_FIELD (Line, compute_set, "computeSet", NULL, INDEX),
    TSR_FIELD (Line, children, "children", NULL, JSON),
    TSR_FIELD (Line, cycles, NULL, N_ ("Cycles"), COUNT),
    TSR_FIELD (Line, share, NULL, N_ ("Share"), SHARE),
    TSR_FIELD (Line, executions, NULL, N_ ("Executions"), COUNT),
    TSR_FIELD (Line, steps, NULL, N_ ("Steps"), COUNT),
    TSR_FIELD (Line, code, NULL, N_ ("Code"), BYTES),
    TSR_FIELD (Line, label, NULL, N_ ("Program"), TEXT),
  };

  tsr_cli_print_list (listing->cli,
                      tsr_records_new (listing->order->n, fields, G_N_ELEMENTS (fields),
                                       sizeof (Line), fill_line, listing),
                      NULL);
}

/* ----------------------------------------------------------- tree, as JSON */

static void
begin_program (const Listing *listing, TsrJsonWriter *writer, guint32 row)
{
  const TsrProgramPlace *place = &listing->answer->places[row];
  TsrPrograms *programs = listing->programs;

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "id",
                       tsr_programs_get_tables (programs)->program_id[place->program]);
  if (place->mark != TSR_PLACE_FIRST)
    {
      tsr_json_writer_boolean (writer, "seen", TRUE);
      return;
    }
  tsr_json_writer_string (writer, "type", tsr_programs_get_type (programs, place->program));
  tsr_json_writer_string (writer, "name", tsr_programs_get_name (programs, place->program));
  tsr_json_writer_int (writer, "computeSet", get_compute_set (listing, place->program));
  tsr_json_writer_begin_array (writer, "children");
}

static void
end_program (const Listing *listing, TsrJsonWriter *writer, guint32 row)
{
  if (listing->answer->places[row].mark == TSR_PLACE_FIRST)
    tsr_json_writer_end_array (writer);
  tsr_json_writer_end_object (writer);
}

static void
print_nested (Listing *listing)
{
  TsrRows *rows = listing->answer->rows;
  guint32 n = (guint32)MIN (listing->order->n, listing->cli->limit);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();
  gboolean done = TRUE;

  tsr_json_writer_begin_array (writer, NULL);
  for (guint32 i = 0; i <= n && done; i++)
    {
      guint32 depth = i < n ? tsr_rows_get_depth (rows, listing->order->rows[i]) : 0;

      while (open->len > depth)
        {
          end_program (listing, writer, g_array_index (open, guint32, open->len - 1));
          g_array_set_size (open, open->len - 1);
        }
      done = !g_cancellable_is_cancelled (listing->cli->cancellable);
      if (i < n && done)
        {
          begin_program (listing, writer, listing->order->rows[i]);
          g_array_append_val (open, listing->order->rows[i]);
        }
    }
  if (done)
    tsr_json_writer_end_array (writer);
  else
    listing->cli->status = MAX (listing->cli->status, TSR_EXIT_ERRORS);
  tsr_cli_end_json (listing->cli, writer, !done);
}

/* --------------------------------------------------------------------- run */

static void
print_programs (Listing *listing, TsrReport *report, const TsrCliTableWords *words)
{
  TsrCli *cli = listing->cli;
  TsrProgramQuestion question = {
    .step = TSR_NO_INDEX, .root = TSR_NO_INDEX, .program = TSR_NO_INDEX, .variable = TSR_NO_INDEX
  };
  g_auto (GStrv) hidden = words->hide != NULL ? g_strsplit (words->hide, ",", -1) : NULL;
  g_autoptr (GError) error = NULL;

  listing->programs = tsr_programs_new (report, cli->cancellable, &error);
  if (listing->programs != NULL)
    {
      question.tab = listing->tree ? TSR_PROGRAM_TAB_TREE : TSR_PROGRAM_TAB_COSTLIEST;
      question.programs = listing->programs;
      question.hidden = hidden;
      listing->answer = tsr_program_answer_new (&question, cli->cancellable, &error);
    }
  if (listing->answer == NULL)
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return;
    }
  listing->order = tsr_cli_arrange (cli, listing->answer->rows, NULL);
  if (listing->order == NULL)
    return;
  listing->children = g_string_new (NULL);
  listing->name = g_string_new (NULL);
  if (listing->tree && cli->format == TSR_FORMAT_JSON)
    print_nested (listing);
  else
    print_lines (listing);
  g_string_free (listing->children, TRUE);
  g_string_free (listing->name, TRUE);
}

static TsrLoadFlags
get_flags (const TsrCli *cli)
{
  TsrLoadFlags flags = TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LOWERED | TSR_LOAD_NO_DEBUG;

  if (cli->sort == NULL)
    flags |= TSR_LOAD_NO_LIVENESS;
  if (cli->sort == NULL && cli->format != TSR_FORMAT_TEXT)
    flags |= TSR_LOAD_NO_EXECUTION | TSR_LOAD_LEAN;
  return flags;
}

int
tsr_cli_run_programs (TsrCli *cli, int argc, char **argv)
{
  g_autoptr (TsrReport) report = NULL;
  g_autofree char *program = NULL;
  g_autofree char *variable = NULL;
  g_autofree char *hide = NULL;
  gboolean tree = FALSE, group = FALSE;
  const GOptionEntry entries[] = {
    { "tree", 0, 0, G_OPTION_ARG_NONE, &tree,
      N_ ("as a tree from the roots down; programs that were listed before are only named"), NULL },
    { "hide", 0, 0, G_OPTION_ARG_STRING, &hide,
      N_ ("types that are left out, separated by commas; what is below them moves up"),
      N_ ("TYPES") },
    { "program", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &program,
      N_ ("with --table: of the program with this id; of tree: its tree alone"), N_ ("ID") },
    { "variable", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &variable,
      N_ ("with --table=touching: the variable with this name"), N_ ("NAME") },
    { "group", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_NONE, &group,
      N_ ("with --table=tree: programs of one type and name that follow each other as one"), NULL },
    { NULL }
  };
  TsrCliTableWords words = { 0 };
  Listing listing = { .cli = cli };

  if (!tsr_cli_parse (cli, entries,
                      TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS | TSR_CLI_TABLE
                          | TSR_CLI_ORDER,
                      argc, argv))
    return cli->status;
  words.program = program;
  words.variable = variable;
  words.hide = hide;
  words.grouped = group;
  if (cli->table != NULL)
    return tsr_cli_print_table (cli, &words);
  report = tsr_cli_open (cli, get_flags (cli));
  if (report == NULL)
    return cli->status;
  if (tsr_report_get_program_tables (report) == NULL)
    return tsr_cli_fail_stage (cli, report, TSR_STAGE_PROGRAMS);
  listing.tree = tree;
  print_programs (&listing, report, &words);
  tsr_cli_say_diagnostics (cli, report);
  g_clear_pointer (&listing.order, tsr_row_order_unref);
  tsr_table_answer_free (listing.answer);
  g_clear_pointer (&listing.programs, tsr_programs_unref);
  return cli->status;
}
