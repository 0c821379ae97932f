/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The register of tables, and how the answers of each family become one kind. */

#include "config.h"

#include "tsr-tables.h"

#include "tsr-grid.h"
#include "tsr-memory-details.h"
#include "tsr-summary-rows.h"

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
answer_largest (const TsrTableInfo *info,
                const TsrTableQuestion *question,
                GCancellable *cancellable,
                GError **error)
{
  return answer_new (tsr_largest_rows_new (question->insights, question->scope), NULL, NULL,
                     "bytes");
}

/* Takes the texts one after the other: rows of three. */
static TsrRows *
make_text_rows (GPtrArray *texts)
{
  guint n = texts->len / 3;
  TsrGrid *grid = tsr_grid_new (n);
  const char **sections
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("section", _ ("Section"), NULL));
  const char **names = tsr_grid_add_texts (grid, tsr_grid_text_column ("name", _ ("Name"), NULL));
  const char **values
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("value", _ ("Value"), NULL));

  for (guint i = 0; i < n; i++)
    {
      sections[i] = tsr_grid_intern (grid, texts->pdata[i * 3]);
      names[i] = tsr_grid_intern (grid, texts->pdata[i * 3 + 1]);
      values[i] = tsr_grid_intern (grid, texts->pdata[i * 3 + 2]);
    }
  return tsr_grid_to_rows (grid);
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

          g_ptr_array_add (texts, (gpointer)card->id);
          g_ptr_array_add (texts, row->label);
          g_ptr_array_add (texts, row->value);
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
  const TsrSummary *summary = tsr_report_get_summary (question->report);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  for (char **pair = summary->engine_options; pair != NULL && pair[0] != NULL && pair[1] != NULL;
       pair += 2)
    {
      g_ptr_array_add (texts, (gpointer) "engine");
      g_ptr_array_add (texts, pair[0]);
      g_ptr_array_add (texts, pair[1]);
    }
  return answer_new (make_text_rows (texts), _ ("No engine options"), NULL, NULL);
}

/* The register */

#define SUMMARY   (1u << TSR_STAGE_SUMMARY)
#define MEMORY    (1u << TSR_STAGE_MEMORY)
#define PROGRAMS  (1u << TSR_STAGE_PROGRAMS)
#define LIVENESS  (1u << TSR_STAGE_LIVENESS)
#define EXECUTION (1u << TSR_STAGE_EXECUTION)
#define LOWERED   (1u << TSR_STAGE_LOWERED)
#define LIVE      (MEMORY | LIVENESS)

#define ROW(command, key, title, tab, beside, needs, uses, row_key, answer)                        \
  {                                                                                                \
    command, key, title, tab, beside, needs, uses, row_key, answer                                 \
  }

static const TsrTableInfo infos[] = {
  ROW ("summary", "cards", N_ ("Summary"), 0, FALSE, SUMMARY, MEMORY, "section name", answer_cards),
  ROW ("summary", "options", N_ ("Engine options"), 0, FALSE, SUMMARY, 0, "name", answer_options),
  ROW ("insights",
       "largest",
       N_ ("Largest"),
       0,
       FALSE,
       MEMORY,
       PROGRAMS | LIVENESS | EXECUTION | LOWERED,
       "scope kind name",
       answer_largest),

  ROW ("memory",
       "details",
       N_ ("Details"),
       TSR_MEMORY_TAB_DETAILS,
       FALSE,
       MEMORY,
       0,
       "name",
       answer_details),
  ROW ("memory",
       "compute-sets",
       N_ ("Compute Sets"),
       TSR_MEMORY_TAB_COMPUTE_SETS,
       FALSE,
       MEMORY | PROGRAMS,
       0,
       "name",
       answer_memory),
  ROW ("memory",
       "vertices",
       N_ ("Vertices"),
       TSR_MEMORY_TAB_VERTICES,
       FALSE,
       MEMORY | PROGRAMS,
       0,
       "name",
       answer_memory),
  ROW ("memory",
       "exchanges",
       N_ ("Exchanges"),
       TSR_MEMORY_TAB_EXCHANGES,
       FALSE,
       MEMORY | PROGRAMS,
       EXECUTION,
       "name",
       answer_memory),
  ROW ("memory",
       "variables",
       N_ ("Variables"),
       TSR_MEMORY_TAB_VARIABLES,
       FALSE,
       MEMORY,
       LIVENESS | LOWERED,
       "name offset",
       answer_memory),

  ROW ("liveness",
       "always-live",
       N_ ("Always Live"),
       TSR_LIVENESS_TAB_ALWAYS,
       FALSE,
       LIVE,
       LOWERED,
       "name",
       answer_liveness),
  ROW ("liveness",
       "not-always-live",
       N_ ("Not Always Live"),
       TSR_LIVENESS_TAB_TEMPORARY,
       FALSE,
       LIVE,
       LOWERED | PROGRAMS,
       "name",
       answer_liveness),
  ROW ("liveness",
       "vertices",
       N_ ("Vertices"),
       TSR_LIVENESS_TAB_VERTICES,
       FALSE,
       LIVE | PROGRAMS,
       LOWERED,
       "name",
       answer_liveness),
  ROW ("liveness",
       "cycle-estimates",
       N_ ("Cycle Estimates"),
       TSR_LIVENESS_TAB_CYCLES,
       FALSE,
       LIVE | PROGRAMS,
       LOWERED,
       "name tile",
       answer_liveness),
  ROW ("liveness",
       "flop-estimates",
       N_ ("FLOP Estimates"),
       TSR_LIVENESS_TAB_FLOPS,
       FALSE,
       LIVE | PROGRAMS,
       LOWERED,
       "name",
       answer_liveness),
  ROW ("liveness",
       "peak",
       N_ ("Peak"),
       TSR_LIVENESS_TAB_PEAK,
       FALSE,
       LIVE,
       LOWERED | PROGRAMS,
       "name",
       answer_liveness),
  ROW ("liveness",
       "a-to-b",
       N_ ("A to B"),
       TSR_LIVENESS_TAB_A_TO_B,
       FALSE,
       LIVE,
       LOWERED | PROGRAMS,
       "name",
       answer_liveness),
  ROW ("liveness",
       "lifetimes",
       N_ ("Lifetimes"),
       TSR_LIVENESS_TAB_LIFETIMES,
       FALSE,
       LIVE,
       LOWERED,
       "name",
       answer_liveness),

  ROW ("trace",
       "summary",
       N_ ("Summary"),
       TSR_TRACE_TAB_SUMMARY,
       FALSE,
       EXECUTION,
       PROGRAMS | MEMORY,
       "ipuName",
       answer_trace),
  ROW ("trace",
       "details",
       N_ ("Details"),
       TSR_TRACE_TAB_DETAILS,
       FALSE,
       EXECUTION,
       PROGRAMS | MEMORY | LIVENESS,
       "step ipuName fact",
       answer_trace),
  ROW ("trace",
       "aggregate",
       N_ ("Aggregate"),
       TSR_TRACE_TAB_AGGREGATE,
       FALSE,
       EXECUTION,
       PROGRAMS | MEMORY,
       "path name",
       answer_trace),
  ROW ("trace",
       "stages",
       N_ ("Stages"),
       TSR_TRACE_TAB_STAGES,
       FALSE,
       EXECUTION,
       PROGRAMS | MEMORY,
       "start",
       answer_trace),
  ROW ("trace",
       "overlap",
       N_ ("Overlap"),
       TSR_TRACE_TAB_OVERLAP,
       FALSE,
       EXECUTION,
       PROGRAMS | MEMORY,
       "ipuName",
       answer_trace),
  ROW ("trace",
       "tiles",
       N_ ("Tiles"),
       TSR_TRACE_TAB_TILES,
       FALSE,
       EXECUTION,
       PROGRAMS | MEMORY,
       "tile",
       answer_trace),
  ROW ("trace",
       "data",
       N_ ("Data"),
       TSR_TRACE_TAB_SUMMARY,
       TRUE,
       EXECUTION,
       PROGRAMS | MEMORY,
       "ipuName",
       answer_trace),
  ROW ("trace",
       "stages-ipus",
       N_ ("IPUs of the Stages"),
       TSR_TRACE_TAB_STAGES,
       TRUE,
       EXECUTION,
       PROGRAMS | MEMORY,
       "ipuName",
       answer_trace),
  ROW ("trace",
       "lone-copies",
       N_ ("Longest Lone Copies"),
       TSR_TRACE_TAB_OVERLAP,
       TRUE,
       EXECUTION,
       PROGRAMS | MEMORY,
       "start ipuName name",
       answer_trace),
};

const TsrTableInfo *
tsr_tables_peek (guint *n)
{
  *n = G_N_ELEMENTS (infos);
  return infos;
}

const TsrTableInfo *
tsr_tables_find (const char *command, const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    if (g_str_equal (infos[i].command, command) && g_strcmp0 (infos[i].key, key) == 0)
      return &infos[i];
  return NULL;
}

const char *
tsr_tables_get_key (const char *command, guint tab)
{
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    if (g_str_equal (infos[i].command, command) && infos[i].tab == tab && !infos[i].beside)
      return infos[i].key;
  return NULL;
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
  guint32 n = tsr_rows_get_n (rows);
  GStrv keys = g_new0 (char *, (gsize)n + 1);
  g_auto (GStrv) words = g_strsplit (info->row_key, " ", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) key = g_string_new (NULL);

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
