/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The register of tables, and how the answers of each family become one kind. */

#include "config.h"

#include "tsr-tables.h"

#include "tsr-debug-details.h"
#include "tsr-grid.h"
#include "tsr-memory-details.h"
#include "tsr-plan-rows.h"
#include "tsr-summary-rows.h"
#include "tsr-value-rows.h"

#include <glib/gi18n.h>

/* Takes @rows. */
static TsrTableAnswer *
answer_new (TsrRows *rows, const char *title, const char *text, const char *sort_key)
{
  TsrTableAnswer *answer = tsr_table_answer_new (title, text);

  answer->rows = rows;
  answer->sort_key = sort_key;
  return answer;
}

/* Families */

static TsrTableAnswer *
answer_details (const TsrTableInfo *info,
                const TsrTableQuestion *question,
                GCancellable *cancellable,
                GError **error)
{
  return answer_new (tsr_memory_details_new (question->memory, question->of_memory.tiles,
                                             question->of_memory.n_tiles),
                     NULL, NULL, NULL);
}

static TsrTableAnswer *
answer_memory (const TsrTableInfo *info,
               const TsrTableQuestion *question,
               GCancellable *cancellable,
               GError **error)
{
  TsrMemoryQuestion asked = question->of_memory;

  asked.tab = info->tab;
  return tsr_memory_answer_new (&asked, cancellable, error);
}

static TsrTableAnswer *
answer_liveness (const TsrTableInfo *info,
                 const TsrTableQuestion *question,
                 GCancellable *cancellable,
                 GError **error)
{
  TsrLivenessQuestion asked = question->of_liveness;

  asked.tab = info->tab;
  return tsr_liveness_answer_new (&asked, cancellable, error);
}

static TsrTableAnswer *
answer_trace (const TsrTableInfo *info,
              const TsrTableQuestion *question,
              GCancellable *cancellable,
              GError **error)
{
  TsrTraceQuestion asked = question->of_trace;
  TsrTraceAnswer *trace;
  TsrTableAnswer *answer;

  asked.tab = info->tab;
  trace = tsr_trace_answer_new (&asked, cancellable, error);
  if (trace == NULL)
    return NULL;
  answer = tsr_table_answer_new (trace->title, trace->text);
  answer->trace = trace;
  answer->note = g_strdup (trace->note);
  if (info->beside)
    {
      answer->rows = trace->more != NULL ? tsr_rows_ref (trace->more) : NULL;
      return answer;
    }
  answer->rows = trace->rows != NULL ? tsr_rows_ref (trace->rows) : NULL;
  answer->more = trace->more != NULL ? tsr_rows_ref (trace->more) : NULL;
  answer->sort_key = trace->sort_key;
  return answer;
}

static TsrTableAnswer *
answer_programs (const TsrTableInfo *info,
                 const TsrTableQuestion *question,
                 GCancellable *cancellable,
                 GError **error)
{
  TsrProgramQuestion asked = question->of_programs;

  asked.tab = info->tab;
  return tsr_program_answer_new (&asked, cancellable, error);
}

/* If debug.cbor could not be read, the answer says why. */
static TsrTableAnswer *
answer_debug (const TsrTableInfo *info,
              const TsrTableQuestion *question,
              GCancellable *cancellable,
              GError **error)
{
  TsrPrograms *programs = question->of_programs.programs;
  guint32 program = question->of_programs.program;
  TsrReport *report = programs != NULL ? tsr_programs_get_report (programs) : NULL;
  const TsrDebugTables *debug = report != NULL ? tsr_report_get_debug_tables (report) : NULL;
  const GError *why = report != NULL && debug == NULL
                          ? tsr_report_get_stage_error (report, TSR_STAGE_DEBUG)
                          : NULL;
  gint64 id;

  if (debug == NULL)
    return tsr_table_answer_new (_ ("No debug information"), why != NULL ? why->message : NULL);
  if (program >= tsr_programs_get_n (programs))
    return tsr_table_answer_new (_ ("Select a program"),
                                 _ ("The contexts that made it are listed here, with their lines "
                                    "of source"));
  id = tsr_programs_get_tables (programs)->program_debug_id[program];
  if (id == TSR_UNKNOWN)
    return tsr_table_answer_new (_ ("No debug information"),
                                 _ ("The program has no debug context (debug_id)"));
  return tsr_debug_details_new (debug, id, cancellable, error);
}

static TsrTableAnswer *
answer_operations (const TsrTableInfo *info,
                   const TsrTableQuestion *question,
                   GCancellable *cancellable,
                   GError **error)
{
  TsrOperationQuestion asked = question->of_operations;

  asked.tab = info->tab;
  return tsr_operation_answer_new (&asked, cancellable, error);
}

static TsrTableAnswer *
answer_largest (const TsrTableInfo *info,
                const TsrTableQuestion *question,
                GCancellable *cancellable,
                GError **error)
{
  return answer_new (tsr_largest_rows_new (question->insights, question->scope), NULL, NULL,
                     "bytes");
}

static TsrTableAnswer *
answer_plan (const TsrTableInfo *info,
             const TsrTableQuestion *question,
             GCancellable *cancellable,
             GError **error)
{
  TsrPlan *plan = question->plan;
  g_autoptr (TsrForecast) now = NULL, forecast = NULL;

  if (plan == NULL || tsr_plan_get_missing (plan) != NULL)
    return tsr_table_answer_new (_ ("No fix plan"),
                                 plan != NULL ? tsr_plan_get_missing (plan) : NULL);
  now = tsr_plan_forecast (plan, 0, cancellable, error);
  forecast = now != NULL ? tsr_plan_forecast (plan, question->measures, cancellable, error) : NULL;
  if (forecast == NULL)
    return NULL;
  return answer_new (
      tsr_plan_rows_new (now, forecast, question->memory, question->of_liveness.liveness), NULL,
      NULL, "packed");
}

/* framework.json or app.json. */
static TsrTableAnswer *
answer_json (const TsrTableInfo *info,
             const TsrTableQuestion *question,
             GCancellable *cancellable,
             GError **error)
{
  const TsrSummary *summary = tsr_report_get_summary (question->report);
  TsrJson *json = info->tab == TSR_FILE_APP ? summary->app : summary->framework;
  g_autofree char *why = NULL;

  if (json != NULL)
    return answer_new (tsr_value_rows_new_json (json), NULL, NULL, NULL);
  why = g_strdup_printf (tsr_report_get_files (question->report)->files[info->tab].found
                             ? _ ("%s could not be read; the remarks on this report say why")
                             : _ ("There is no %s in this report's folder.  A framework or the "
                                  "program itself may write one"),
                         tsr_file_kind_get_fixed_name (info->tab));
  return tsr_table_answer_new (why, NULL);
}

/* @texts one after the other, four a row: section, name in all languages (NULL: a note), name,
 * value. */
static TsrRows *
make_text_rows (GPtrArray *texts)
{
  guint n = texts->len / 4;
  TsrGrid *grid = tsr_grid_new (n);
  const char **keys = tsr_grid_add_keys (grid);
  const char **sections
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("section", _ ("Section"), NULL));
  const char **names = tsr_grid_add_texts (grid, tsr_grid_text_column ("name", _ ("Name"), NULL));
  const char **values
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("value", _ ("Value"), NULL));

  for (guint i = 0; i < n; i++)
    {
      char **of = (char **)texts->pdata + (gsize)i * 4;
      g_autofree char *key = g_strjoin ("\t", of[0], of[1], NULL);

      keys[i] = tsr_grid_intern (grid, key);
      sections[i] = tsr_grid_intern (grid, of[0]);
      names[i] = tsr_grid_intern (grid, of[2]);
      values[i] = tsr_grid_intern (grid, of[3]);
    }
  return tsr_grid_to_rows (grid);
}

static void
add_texts (
    GPtrArray *texts, const char *section, const char *word, const char *name, const char *value)
{
  const char *all[] = { section, word, name, value };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_ptr_array_add (texts, (gpointer)all[i]);
}

static TsrTableAnswer *
answer_cards (const TsrTableInfo *info,
              const TsrTableQuestion *question,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (GPtrArray) cards
      = tsr_summary_rows_new (question->report, question->memory, question->units);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  for (guint i = 0; i < cards->len; i++)
    {
      const TsrSummarySection *card = cards->pdata[i];

      for (guint k = 0; k < card->rows->len; k++)
        {
          const TsrSummaryRow *row = card->rows->pdata[k];

          add_texts (texts, card->id, row->name, row->label, row->value);
        }
    }
  return answer_new (make_text_rows (texts), NULL, NULL, NULL);
}

static TsrTableAnswer *
answer_options (const TsrTableInfo *info,
                const TsrTableQuestion *question,
                GCancellable *cancellable,
                GError **error)
{
  char **options = tsr_report_get_summary (question->report)->engine_options;
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  for (guint i = 0; options != NULL && options[i] != NULL && options[i + 1] != NULL; i += 2)
    add_texts (texts, "engine", options[i], options[i], options[i + 1]);
  return answer_new (make_text_rows (texts), _ ("No engine options"), NULL, NULL);
}

/* The register */

#define SUMMARY   (1u << TSR_STAGE_SUMMARY)
#define MEMORY    (1u << TSR_STAGE_MEMORY)
#define PROGRAMS  (1u << TSR_STAGE_PROGRAMS)
#define LIVENESS  (1u << TSR_STAGE_LIVENESS)
#define EXECUTION (1u << TSR_STAGE_EXECUTION)
#define LOWERED   (1u << TSR_STAGE_LOWERED)
#define DEBUG     (1u << TSR_STAGE_DEBUG)

/* Of each command what its tables have in common.  Without a row_key the rows have their own. */
#define OF_SUMMARY(key, title, tab, uses, answer)                                                  \
  {                                                                                                \
    "summary", key, title, tab, FALSE, SUMMARY, uses, "", answer                                   \
  }
#define OF_MEMORY(key, title, tab, needs, uses, row_key, answer)                                   \
  {                                                                                                \
    "memory", key, title, TSR_MEMORY_TAB_##tab, FALSE, MEMORY | needs, uses, row_key, answer       \
  }
#define OF_LIVENESS(key, title, tab, needs, uses, row_key)                                         \
  {                                                                                                \
    "liveness", key, title, TSR_LIVENESS_TAB_##tab, FALSE, LIVENESS | needs,                       \
        MEMORY | LOWERED | uses, row_key, answer_liveness                                          \
  }
#define OF_PROGRAMS(key, title, tab, uses, row_key)                                                \
  {                                                                                                \
    "programs", key, title, TSR_PROGRAM_TAB_##tab, FALSE, PROGRAMS, uses, row_key, answer_programs \
  }
#define OF_TRACE(key, title, tab, beside, uses, row_key)                                           \
  {                                                                                                \
    "trace", key, title, TSR_TRACE_TAB_##tab, beside, EXECUTION, PROGRAMS | uses, row_key,         \
        answer_trace                                                                               \
  }
#define OF_OPERATIONS(key, title, tab, row_key)                                                    \
  {                                                                                                \
    "operations", key, title, TSR_OPERATION_TAB_##tab, FALSE, MEMORY | PROGRAMS | DEBUG,           \
        LIVENESS | EXECUTION | LOWERED, row_key, answer_operations                                 \
  }

static const TsrTableInfo infos[] = {
  OF_SUMMARY ("cards", N_ ("Summary"), 0, MEMORY | DEBUG, answer_cards),
  OF_SUMMARY ("options", N_ ("Engine options"), 0, 0, answer_options),
  OF_SUMMARY ("framework", N_ ("Framework information"), TSR_FILE_FRAMEWORK, 0, answer_json),
  OF_SUMMARY ("app", N_ ("Application information"), TSR_FILE_APP, 0, answer_json),
  { "insights", "largest", N_ ("Largest"), 0, FALSE, MEMORY,
    PROGRAMS | LIVENESS | EXECUTION | LOWERED, "", answer_largest },
  { "insights", "plan", N_ ("Fix plan"), 0, FALSE, MEMORY, PROGRAMS | LIVENESS | LOWERED, "",
    answer_plan },

  OF_MEMORY ("details", N_ ("Details"), DETAILS, 0, 0, "", answer_details),
  OF_MEMORY ("compute-sets", N_ ("Compute Sets"), COMPUTE_SETS, PROGRAMS, 0, "name", answer_memory),
  OF_MEMORY ("vertices", N_ ("Vertices"), VERTICES, PROGRAMS, 0, "name", answer_memory),
  OF_MEMORY ("exchanges", N_ ("Exchanges"), EXCHANGES, PROGRAMS, EXECUTION, "name", answer_memory),
  OF_MEMORY ("variables",
             N_ ("Variables"),
             VARIABLES,
             0,
             LIVENESS | LOWERED,
             "name offset",
             answer_memory),

  OF_LIVENESS ("always-live", N_ ("Always Live"), ALWAYS, 0, 0, "name"),
  OF_LIVENESS ("not-always-live", N_ ("Not Always Live"), TEMPORARY, 0, PROGRAMS, "name"),
  OF_LIVENESS ("vertices", N_ ("Vertices"), VERTICES, PROGRAMS, 0, "name"),
  OF_LIVENESS ("cycle-estimates", N_ ("Cycle Estimates"), CYCLES, PROGRAMS, 0, "name tile"),
  OF_LIVENESS ("flop-estimates", N_ ("FLOP Estimates"), FLOPS, PROGRAMS, 0, "name"),
  OF_LIVENESS ("peak", N_ ("Peak"), PEAK, 0, PROGRAMS, "name"),
  OF_LIVENESS ("a-to-b", N_ ("A to B"), A_TO_B, 0, PROGRAMS, "name"),
  OF_LIVENESS ("lifetimes", N_ ("Lifetimes"), LIFETIMES, 0, 0, "name"),

  OF_PROGRAMS ("tree", N_ ("Tree"), TREE, MEMORY | LIVENESS | EXECUTION, ""),
  OF_PROGRAMS ("costliest", N_ ("Costliest"), COSTLIEST, MEMORY | LIVENESS | EXECUTION, ""),
  OF_PROGRAMS ("roots", N_ ("Programs"), ROOTS, MEMORY | LIVENESS | EXECUTION, ""),
  OF_PROGRAMS ("variables", N_ ("Variables"), VARIABLES, LIVENESS, ""),
  OF_PROGRAMS ("touching", N_ ("Touched by"), TOUCHING, LIVENESS | EXECUTION, ""),
  OF_PROGRAMS ("vertices", N_ ("Vertices"), VERTICES, 0, "name"),
  OF_PROGRAMS ("steps", N_ ("Steps"), STEPS, EXECUTION, "step"),
  { "programs", "debug", N_ ("Debug"), TSR_PROGRAM_TAB_DEBUG, FALSE, PROGRAMS | DEBUG, 0, "",
    answer_debug },

  OF_TRACE ("summary", N_ ("Summary"), SUMMARY, FALSE, 0, ""),
  OF_TRACE ("details", N_ ("Details"), DETAILS, FALSE, LIVENESS | DEBUG, ""),
  OF_TRACE ("aggregate", N_ ("Aggregate"), AGGREGATE, FALSE, 0, "name"),
  OF_TRACE ("stages", N_ ("Stages"), STAGES, FALSE, MEMORY, "start"),
  OF_TRACE ("overlap", N_ ("Overlap"), OVERLAP, FALSE, 0, ""),
  OF_TRACE ("waits", N_ ("Waits"), WAITS, FALSE, 0, ""),
  OF_TRACE ("tiles", N_ ("Tiles"), TILES, FALSE, 0, "tile"),
  OF_TRACE ("data", N_ ("Data"), SUMMARY, TRUE, 0, ""),
  OF_TRACE ("stages-ipus", N_ ("IPUs of the Stages"), STAGES, TRUE, MEMORY, ""),
  OF_TRACE ("lone-copies", N_ ("Longest Lone Copies"), OVERLAP, TRUE, 0, ""),
  OF_TRACE ("longest-waits", N_ ("Longest Waits"), WAITS, TRUE, 0, ""),

  OF_OPERATIONS ("list", N_ ("Operations"), LIST, ""),
  OF_OPERATIONS ("summary", N_ ("Summary"), SUMMARY, ""),
  OF_OPERATIONS ("programs", N_ ("Program Tree"), PROGRAMS, ""),
  OF_OPERATIONS ("code", N_ ("Code"), CODE, "tile"),
  OF_OPERATIONS ("cycles", N_ ("Cycles"), CYCLES, "tile"),
  OF_OPERATIONS ("steps", N_ ("Executions"), STEPS, "step"),
  OF_OPERATIONS ("variables", N_ ("Variables"), VARIABLES, ""),
  OF_OPERATIONS ("producers", N_ ("Producers"), PRODUCERS, ""),
  OF_OPERATIONS ("consumers", N_ ("Consumers"), CONSUMERS, ""),
  OF_OPERATIONS ("debug", N_ ("Debug"), DEBUG, ""),
};

const TsrTableInfo *
tsr_tables_peek (guint *n)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = G_N_ELEMENTS (infos);
  return infos;
}

const TsrTableInfo *
tsr_tables_find (const char *command, const char *key)
{
  g_return_val_if_fail (command != NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    if (g_str_equal (infos[i].command, command) && g_strcmp0 (infos[i].key, key) == 0)
      return &infos[i];
  return NULL;
}

const char *
tsr_tables_get_key (const char *command, guint tab)
{
  g_return_val_if_fail (command != NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    if (g_str_equal (infos[i].command, command) && infos[i].tab == tab && !infos[i].beside)
      return infos[i].key;
  return NULL;
}

char *
tsr_tables_dup_keys (const char *command)
{
  GString *all;

  g_return_val_if_fail (command != NULL, NULL);
  all = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    if (g_str_equal (infos[i].command, command))
      g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", infos[i].key);
  return g_string_free (all, FALSE);
}

TsrTableAnswer *
tsr_tables_answer (const TsrTableInfo *info,
                   const TsrTableQuestion *question,
                   GCancellable *cancellable,
                   GError **error)
{
  g_return_val_if_fail (info != NULL && question != NULL, NULL);
  return info->answer (info, question, cancellable, error);
}

/* Keys of rows */

static void
append_cell (GString *key, TsrRows *rows, guint32 row, guint column)
{
  const char *text = tsr_rows_get_text (rows, row, column);

  if (key->len > 0)
    g_string_append_c (key, '\t');
  if (tsr_rows_get_column (rows, column)->cell == TSR_CELL_KIND_TEXT)
    g_string_append (key, text != NULL ? text : "");
  else
    g_string_append_printf (key, "%" G_GINT64_FORMAT, tsr_rows_get_value (rows, row, column));
}

GStrv
tsr_tables_dup_row_keys (const TsrTableInfo *info, TsrRows *rows)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GHashTable) seen = NULL;
  g_autoptr (GString) key = NULL;
  GStrv keys;
  guint32 n;

  g_return_val_if_fail (info != NULL && rows != NULL, NULL);
  n = tsr_rows_get_n (rows);
  keys = g_new0 (char *, (gsize)n + 1);
  words = g_strsplit (info->row_key, " ", -1);
  seen = g_hash_table_new (g_str_hash, g_str_equal);
  key = g_string_new (NULL);
  for (guint32 row = 0; row < n; row++)
    {
      g_autofree char *own = tsr_rows_dup_key (rows, row);
      guint times;

      g_string_assign (key, own != NULL ? own : "");
      for (guint w = 0; own == NULL && words[w] != NULL; w++)
        for (guint c = 0; c < tsr_rows_get_n_columns (rows); c++)
          if (g_str_equal (tsr_rows_get_column (rows, c)->key, words[w]))
            append_cell (key, rows, row, c);
      times = GPOINTER_TO_UINT (g_hash_table_lookup (seen, key->str)) + 1;
      if (times > 1)
        {
          g_hash_table_insert (seen, key->str, GUINT_TO_POINTER (times)); /* keeps the first key */
          g_string_append_printf (key, "\t#%u", times);
        }
      keys[row] = g_strdup (key->str);
      if (times == 1)
        g_hash_table_insert (seen, keys[row], GUINT_TO_POINTER (1));
    }
  return keys;
}
