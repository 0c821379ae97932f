/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fills the question that a table of the window is asked by from the command line, and prints the
 * rows. */

#include "config.h"

#include "tsr-cli-tables.h"

#include "tsr-tables.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct
{
  TsrCli *cli;
  const TsrTableInfo *info;
  const TsrCliTableWords *words;
  TsrTableQuestion question;
  TsrVariables *variables;
  GArray *tiles; /* (nullable) guint */
} Asking;

static void
asking_clear (Asking *asking)
{
  TsrTableQuestion *q = &asking->question;

  g_clear_pointer (&asking->tiles, g_array_unref);
  tsr_liveness_source_clear (&q->of_liveness.source);
  g_clear_pointer (&q->insights, tsr_insights_unref);
  g_clear_pointer (&q->plan, tsr_plan_unref);
  g_clear_pointer (&q->of_trace.trace, tsr_trace_unref);
  g_clear_pointer (&q->of_programs.programs, tsr_programs_unref);
  g_clear_pointer (&q->of_programs.code, tsr_program_code_unref);
  g_clear_pointer (&q->of_programs.hidden, g_strfreev);
  g_clear_pointer (&q->of_operations.operations, tsr_operations_unref);
  g_clear_pointer (&q->of_memory.vertices, tsr_vertices_unref);
  g_clear_pointer (&q->of_memory.liveness, tsr_liveness_unref);
  g_free (q->of_memory.why);
  g_clear_pointer (&asking->variables, tsr_variables_unref);
  g_clear_pointer (&q->memory, tsr_memory_unref);
  g_clear_object (&q->report);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asking, asking_clear)

/* Inputs */

static TsrLoadFlags
get_flags (const TsrTableInfo *info)
{
  static const struct
  {
    TsrStage stage;
    TsrLoadFlags without;
  } parts[] = { { TSR_STAGE_PROGRAMS, TSR_LOAD_NO_PROGRAMS },
                { TSR_STAGE_LIVENESS, TSR_LOAD_NO_LIVENESS },
                { TSR_STAGE_LOWERED, TSR_LOAD_NO_LOWERED },
                { TSR_STAGE_EXECUTION, TSR_LOAD_NO_EXECUTION },
                { TSR_STAGE_DEBUG, TSR_LOAD_NO_DEBUG } };
  guint stages = info->needs | info->uses;
  TsrLoadFlags flags = 0;

  if (stages == 1u << TSR_STAGE_SUMMARY)
    return TSR_LOAD_SUMMARY_ONLY;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if ((stages >> parts[i].stage & 1) == 0)
      flags |= parts[i].without;
  /* Steps without the memory of tiles; what is there for each tile is read where it is asked for.
   */
  if ((stages >> TSR_STAGE_EXECUTION & 1) != 0 && (stages >> TSR_STAGE_MEMORY & 1) == 0)
    flags |= TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN;
  return flags;
}

static gboolean
open_report (Asking *asking)
{
  TsrTableQuestion *q = &asking->question;
  guint needs = asking->info->needs;

  q->report = tsr_cli_open (asking->cli, get_flags (asking->info));
  if (q->report == NULL)
    return FALSE;
  /* A window draws the liveness before it has the tiles; here a source of tiles is asked for. */
  if ((needs >> TSR_STAGE_LIVENESS & 1) != 0)
    needs |= 1u << TSR_STAGE_MEMORY;
  for (guint stage = 0; needs >> stage != 0; stage++)
    if ((needs >> stage & 1) != 0
        && tsr_report_get_stage_state (q->report, stage) != TSR_STAGE_READY)
      {
        tsr_cli_fail_stage (asking->cli, q->report, stage);
        return FALSE;
      }
  return TRUE;
}

/* With code on the worst tile where there are tiles. */
static gboolean
make_programs (Asking *asking, GError **error)
{
  TsrTableQuestion *q = &asking->question;
  TsrProgramQuestion *programs = &q->of_programs;
  gboolean tiles = (asking->info->uses >> TSR_STAGE_MEMORY & 1) != 0;

  programs->programs = tsr_programs_new (q->report, asking->cli->cancellable, error);
  if (programs->programs == NULL || q->of_memory.vertices == NULL || !tiles)
    return programs->programs != NULL;
  programs->code = tsr_program_code_new (programs->programs, q->of_memory.vertices,
                                         tsr_program_code_find_worst_tile (q->memory),
                                         asking->cli->cancellable, error);
  return programs->code != NULL;
}

/* What the report has of what the table uses; FALSE and @error when cancelled. */
static gboolean
make_inputs (Asking *asking, GError **error)
{
  TsrTableQuestion *q = &asking->question;
  GCancellable *cancellable = asking->cli->cancellable;
  guint stages = asking->info->needs | asking->info->uses;
  g_autoptr (GError) failed = NULL;

  if (tsr_report_get_memory_tables (q->report) != NULL)
    q->memory = tsr_memory_new (q->report);
  if ((stages >> TSR_STAGE_LIVENESS & 1) != 0 && q->memory != NULL)
    asking->variables = tsr_variables_new (q->report, cancellable, &failed);
  if (failed != NULL)
    q->of_memory.why = g_strdup (failed->message);
  if (asking->variables != NULL)
    q->of_memory.liveness = q->of_liveness.liveness
        = tsr_liveness_new (q->report, q->memory, asking->variables);
  if (tsr_report_get_program_tables (q->report) != NULL && q->memory != NULL)
    q->of_memory.vertices = q->of_liveness.vertices = tsr_vertices_new (q->report, q->memory);
  g_clear_error (&failed);
  if (tsr_report_get_execution_tables (q->report) != NULL
      && (stages >> TSR_STAGE_EXECUTION & 1) != 0)
    q->of_trace.trace = tsr_trace_new (q->report, cancellable, &failed);
  q->of_trace.memory = q->memory;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if ((asking->info->needs >> TSR_STAGE_EXECUTION & 1) != 0 && q->of_trace.trace == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  if (g_str_equal (asking->info->command, "programs")
      || g_str_equal (asking->info->command, "operations"))
    return make_programs (asking, error);
  if (!g_str_equal (asking->info->command, "insights"))
    return TRUE;
  if (g_str_equal (asking->info->key, "plan"))
    q->plan = tsr_plan_new (q->report, q->memory, q->of_memory.liveness, asking->cli->units,
                            cancellable, error);
  else
    q->insights
        = tsr_insights_new (q->report, q->memory, q->of_memory.liveness, q->of_memory.vertices,
                            q->of_trace.trace, asking->cli->units, NULL, cancellable, error);
  return q->plan != NULL || q->insights != NULL;
}

/* Words of the command line.  FALSE after printing what is wrong. */

static gboolean
take_number (Asking *asking, const char *option, const char *text, guint least, guint *number)
{
  guint64 value;

  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, least, G_MAXINT32, &value, NULL))
    {
      tsr_cli_fail (asking->cli, _ ("--%s takes a whole number from %u on, not \"%s\""), option,
                    least, text);
      return FALSE;
    }
  *number = (guint)value;
  return TRUE;
}

/* Place of @word in @words; 0 without one. */
static gboolean
take_word (
    Asking *asking, const char *option, const char *word, const char *const *words, guint *place)
{
  g_autofree char *all = NULL;

  *place = 0;
  if (word == NULL)
    return TRUE;
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], word))
      {
        *place = i;
        return TRUE;
      }
  all = g_strjoinv (", ", (char **)words);
  tsr_cli_fail (asking->cli, _ ("--%s takes one of %s, not \"%s\""), option, all, word);
  return FALSE;
}

static gboolean
take_memory (Asking *asking)
{
  TsrMemoryQuestion *q = &asking->question.of_memory;
  g_autoptr (GError) error = NULL;

  if (asking->words->tiles == NULL)
    return TRUE;
  asking->tiles = tsr_memory_parse_tiles (asking->question.memory, asking->words->tiles, &error);
  if (asking->tiles == NULL)
    {
      tsr_cli_fail (asking->cli, "%s", error->message);
      return FALSE;
    }
  q->tiles = (guint *)(gpointer)asking->tiles->data;
  q->n_tiles = asking->tiles->len;
  return TRUE;
}

static gboolean
take_steps (Asking *asking, TsrLivenessQuestion *q)
{
  g_auto (GStrv) words
      = g_strsplit (asking->words->steps != NULL ? asking->words->steps : "", ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (i == TSR_MAX_SELECTED_STEPS)
        tsr_cli_fail (asking->cli, _ ("There are at most %u steps side by side"),
                      TSR_MAX_SELECTED_STEPS);
      else if (take_number (asking, "step", words[i], 0, &q->steps[i])
               && q->steps[i] >= tsr_liveness_get_n_steps (q->liveness))
        tsr_cli_fail (asking->cli, _ ("%s: There is no liveness step %s"), asking->cli->path,
                      words[i]);
      if (asking->cli->status == TSR_EXIT_FAILED)
        return FALSE;
      q->n_steps++;
    }
  return TRUE;
}

static gboolean
take_liveness (Asking *asking)
{
  static const char *const groups[] = { "variable", "prefix", "category", "life", NULL };
  static const char *const what[] = { "type", "tile", NULL };
  TsrLivenessQuestion *q = &asking->question.of_liveness;
  gboolean cycles = asking->info->tab == TSR_LIVENESS_TAB_CYCLES;
  g_autoptr (TsrLivenessSeries) series = NULL;
  g_autoptr (GError) error = NULL;
  guint group;

  q->depth = 1;
  q->include_always_live = !asking->words->no_always_live;
  q->dying = asking->words->gone;
  if (!take_word (asking, "group-by", asking->words->group, cycles ? what : groups, &group)
      || !take_number (asking, "depth", asking->words->depth, 1, &q->depth)
      || !take_steps (asking, q))
    return FALSE;
  q->by = cycles ? TSR_LIVENESS_BY_VARIABLE : group;
  q->by_tile = cycles && group == 1;
  if (!tsr_liveness_source_parse (asking->question.memory,
                                  asking->words->source != NULL ? asking->words->source : "all",
                                  &q->source, &error)
      || (series = tsr_liveness_compute (q->liveness, &q->source, asking->cli->cancellable, &error))
             == NULL)
    {
      tsr_cli_fail (asking->cli, "%s: %s", asking->cli->path, error->message);
      return FALSE;
    }
  q->peak = series->peak_step;
  return TRUE;
}

/* "12" or "12:1": a step's id, and the IPU. */
static gboolean
take_trace_step (Asking *asking, const char *text)
{
  TsrTraceQuestion *q = &asking->question.of_trace;
  g_auto (GStrv) words = g_strsplit (text, ":", 2);
  TsrTraceStepRef *ref = &q->steps[q->n_steps];

  ref->ipu = 0;
  if (q->n_steps == TSR_TRACE_MAX_SELECTED || words[0] == NULL
      || !g_ascii_string_to_signed (words[0], 10, 0, G_MAXINT64, &ref->step_id, NULL))
    {
      tsr_cli_fail (asking->cli, _ ("--%s takes a whole number from %u on, not \"%s\""), "step", 0,
                    text);
      return FALSE;
    }
  q->n_steps++;
  return words[1] == NULL || tsr_cli_trace_ipu (asking->cli, q->trace, words[1], &ref->ipu);
}

static gboolean
take_trace (Asking *asking)
{
  static const char *const groups[]
      = { "name", "prefix", "type", "compute-set", "regex", "tree", "blocks", NULL };
  const TsrCliTableWords *words = asking->words;
  TsrTraceQuestion *q = &asking->question.of_trace;
  g_auto (GStrv) steps = g_strsplit (words->steps != NULL ? words->steps : "", ",", -1);
  TsrCliTraceRange range;
  guint group;

  q->depth = 2;
  if (!tsr_cli_trace_range (asking->cli, q->trace, words->trace, FALSE, &range)
      || !tsr_cli_trace_exclude (asking->cli, q->trace, words->exclude, &q->hidden)
      || !take_word (asking, "group-by", words->group, groups, &group)
      || !take_number (asking, "depth", words->depth, 1, &q->depth)
      || !take_number (asking, "replica", words->replica, 0, &q->replica))
    return FALSE;
  for (guint i = 0; steps[i] != NULL; i++)
    if (!take_trace_step (asking, steps[i]))
      return FALSE;
  q->from = range.from;
  q->to = range.to;
  q->ipu = range.ipu;
  q->run = range.run != TSR_NO_INDEX ? tsr_trace_get_run (q->trace, range.run) : NULL;
  q->group = group;
  q->regex = (char *)words->expression;
  q->flushes = words->flushes;
  /* As in the window: the wait that begins a run is no group. */
  for (guint i = 0; asking->info->tab == TSR_TRACE_TAB_AGGREGATE
                    && i < tsr_trace_get_n_types (q->trace) && i < TSR_TRACE_MAX_TYPES;
       i++)
    if (tsr_trace_get_type (q->trace, i)->start_up)
      q->hidden |= 1u << i;
  return TRUE;
}

/* The program with the id in @text; FALSE after saying that there is none. */
static gboolean
take_program (Asking *asking, TsrPrograms *programs, const char *text, guint32 *program)
{
  gint64 id;

  *program = TSR_NO_INDEX;
  if (text == NULL)
    return TRUE;
  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &id, NULL))
    *program = tsr_programs_find (programs, id);
  if (*program == TSR_NO_INDEX)
    tsr_cli_fail (asking->cli, _ ("%s: There is no program %s"), asking->cli->path, text);
  return *program != TSR_NO_INDEX;
}

static gboolean
take_variable (Asking *asking, const char *name, guint32 *variable)
{
  const TsrLivenessTables *t = tsr_report_get_liveness_tables (asking->question.report);

  *variable = TSR_NO_INDEX;
  for (guint i = 0; name != NULL && t != NULL && i < t->n_variables; i++)
    if (g_strcmp0 (tsr_string_table_get (t->strings, t->variable_name[i]), name) == 0)
      {
        *variable = i;
        return TRUE;
      }
  if (name != NULL)
    tsr_cli_fail (asking->cli, _ ("%s: There is no variable %s"), asking->cli->path, name);
  return name == NULL;
}

static gboolean
take_programs (Asking *asking)
{
  TsrProgramQuestion *q = &asking->question.of_programs;
  const TsrCliTableWords *words = asking->words;

  if (asking->info->tab == TSR_PROGRAM_TAB_TOUCHING && words->variable == NULL)
    tsr_cli_fail (asking->cli, _ ("--table=%s needs --variable=NAME, as variables prints it"),
                  asking->info->key);
  else if (asking->info->tab >= TSR_PROGRAM_TAB_VARIABLES && words->program == NULL
           && asking->info->tab != TSR_PROGRAM_TAB_TOUCHING)
    tsr_cli_fail (asking->cli, _ ("--table=%s needs --program=ID, as programs --tree prints it"),
                  asking->info->key);
  if (asking->cli->status != 0)
    return FALSE;
  q->step = TSR_NO_INDEX;
  q->grouped = words->grouped;
  q->hidden = words->hide != NULL ? g_strsplit (words->hide, ",", -1) : NULL;
  if (!take_program (asking, q->programs, words->program, &q->program)
      || !take_variable (asking, words->variable, &q->variable))
    return FALSE;
  q->root = q->program;
  return TRUE;
}

/* An operation by the key that the list prints: its context's id, or "none". */
static gboolean
take_operations (Asking *asking)
{
  TsrTableQuestion *q = &asking->question;
  const char *word = asking->words->operation;
  const TsrDebugTables *debug = tsr_report_get_debug_tables (q->report);
  static const char *const groups[] = { "none", "api", "prefix", NULL };
  TsrOperations *operations;
  g_autoptr (GError) error = NULL;
  guint group;

  q->of_operations.operation = TSR_NO_INDEX;
  q->of_operations.depth = 1;
  if (!take_word (asking, "group-by", asking->words->group, groups, &group)
      || !take_number (asking, "depth", asking->words->depth, 1, &q->of_operations.depth))
    return FALSE;
  q->of_operations.grouping = group;
  operations = tsr_operations_new (q->of_programs.programs, debug,
                                   asking->words->layer != NULL ? asking->words->layer : "poplibs",
                                   q->memory, asking->variables, asking->cli->cancellable, &error);
  q->of_operations.operations = operations;
  if (operations == NULL)
    {
      tsr_cli_fail (asking->cli, "%s: %s", asking->cli->path, error->message);
      return FALSE;
    }
  if (asking->info->tab == TSR_OPERATION_TAB_LIST
      || (asking->info->tab == TSR_OPERATION_TAB_SUMMARY && word == NULL))
    return TRUE;
  if (word == NULL)
    {
      tsr_cli_fail (asking->cli,
                    _ ("--operation takes the key of an operation, as --table=list prints it"));
      return FALSE;
    }
  q->of_operations.operation = tsr_operation_find (operations, word);
  if (q->of_operations.operation == TSR_NO_INDEX)
    tsr_cli_fail (asking->cli, _ ("%s: There is no operation %s in this layer"), asking->cli->path,
                  word);
  return q->of_operations.operation != TSR_NO_INDEX;
}

static gboolean
take_insights (Asking *asking)
{
  static const char *const scopes[] = { "replica", "ipus", "tiles", NULL };
  TsrTableQuestion *q = &asking->question;
  g_autoptr (GError) error = NULL;
  guint scope;

  if (!take_word (asking, "scope", asking->words->scope, scopes, &scope))
    return FALSE;
  q->scope = scope;
  /* What cannot be planned has no measures. */
  if (q->plan == NULL || tsr_plan_get_missing (q->plan) != NULL || asking->words->plan == NULL
      || tsr_plan_parse (q->plan, asking->words->plan, &q->measures, &error))
    return TRUE;
  tsr_cli_fail (asking->cli, "%s: %s", asking->cli->path, error->message);
  return FALSE;
}

static gboolean
take_words (Asking *asking)
{
  const char *command = asking->info->command;

  asking->question.units = asking->cli->units;
  return g_str_equal (command, "memory")       ? take_memory (asking)
         : g_str_equal (command, "liveness")   ? take_liveness (asking)
         : g_str_equal (command, "trace")      ? take_trace (asking)
         : g_str_equal (command, "programs")   ? take_programs (asking)
         : g_str_equal (command, "operations") ? take_operations (asking)
         : g_str_equal (command, "insights")   ? take_insights (asking)
                                               : TRUE;
}

/* Printing */

static void
print_rows (Asking *asking, TsrRows *rows, TsrRowOrder *order)
{
  TsrCli *cli = asking->cli;
  gboolean json = cli->format == TSR_FORMAT_JSON;
  g_autoptr (TsrJsonWriter) writer = json ? tsr_cli_begin_json () : NULL;
  g_auto (GStrv) keys = json ? tsr_tables_dup_row_keys (asking->info, rows) : NULL;
  gboolean done;

  if (json)
    {
      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_string (writer, "table", asking->info->key);
    }
  done = tsr_cli_list (cli, writer, "rows", tsr_rows_ref (rows),
                       &(TsrPrint){ .order = order, .keys = keys });
  if (json)
    tsr_cli_end_json (cli, writer, !done);
  tsr_cli_flush (cli);
}

/* -1: as the rows are.  FALSE after saying what is wrong. */
static gboolean
find_order (TsrCli *cli, TsrRows *rows, const char *sort_key, int *column, gboolean *descending)
{
  const char *key = cli->sort != NULL ? cli->sort : sort_key;
  gboolean told = key != NULL && (*key == '-' || *key == '+');
  g_autoptr (GString) all = g_string_new (NULL);

  *column = -1;
  *descending = cli->sort == NULL || *key == '-';
  if (key == NULL)
    return TRUE;
  key += told;
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    {
      const TsrRowColumn *found = tsr_rows_get_column (rows, i);

      if (found->key == NULL || found->json)
        continue;
      g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", found->key);
      if (!g_str_equal (found->key, key))
        continue;
      *column = (int)i;
      /* As a click on a heading: largest first is what one looks for. */
      *descending |= !told && found->cell == TSR_CELL_KIND_VALUE;
    }
  if (*column >= 0)
    return TRUE;
  tsr_cli_fail (cli, _ ("--%s takes one of %s, not \"%s\""), "sort", all->str, key);
  return FALSE;
}

TsrRowOrder *
tsr_cli_arrange (TsrCli *cli, TsrRows *rows, const char *sort_key)
{
  g_autoptr (TsrFilter) filter = NULL;
  g_autoptr (GError) error = NULL;
  gboolean descending;
  int column;
  TsrRowOrder *order;

  if (!find_order (cli, rows, sort_key, &column, &descending))
    return NULL;
  if (cli->filter != NULL && (filter = tsr_filter_new (cli->filter, &error)) == NULL)
    {
      tsr_cli_fail (cli, "%s", error->message);
      return NULL;
    }
  order = tsr_rows_arrange (rows, column, descending, filter, cli->cancellable, &error);
  if (order == NULL)
    tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  return order;
}

static void
print_answer (Asking *asking, const TsrTableAnswer *answer)
{
  TsrCli *cli = asking->cli;
  g_autoptr (TsrRowOrder) order = NULL;

  if (answer->rows == NULL)
    {
      tsr_cli_fail (cli, answer->text != NULL ? "%s: %s: %s" : "%s: %s", cli->path,
                    answer->title != NULL ? answer->title : _ ("This table is empty"),
                    answer->text);
      return;
    }
  order = tsr_cli_arrange (cli, answer->rows, answer->sort_key);
  if (order != NULL)
    print_rows (asking, answer->rows, order);
}

static const TsrTableInfo *
find_table (TsrCli *cli)
{
  const TsrTableInfo *info = tsr_tables_find (cli->command->name, cli->table);
  g_autofree char *all = tsr_tables_dup_keys (cli->command->name);

  if (info == NULL)
    tsr_cli_fail (cli, _ ("--%s takes one of %s, not \"%s\""), "table", all, cli->table);
  return info;
}

int
tsr_cli_print_table (TsrCli *cli, const TsrCliTableWords *words)
{
  g_auto (Asking) asking = { .cli = cli, .words = words };
  g_autoptr (TsrTableAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;

  asking.info = find_table (cli);
  if (asking.info == NULL || !open_report (&asking))
    return cli->status;
  if (!make_inputs (&asking, &error))
    return tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  if (take_words (&asking))
    {
      answer = tsr_tables_answer (asking.info, &asking.question, cli->cancellable, &error);
      if (answer == NULL)
        return tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      print_answer (&asking, answer);
    }
  tsr_cli_say_diagnostics (cli, asking.question.report);
  return cli->status;
}
