/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every table of the register, of everything that it can be asked of a small report, against
 * answers.txt: each cell as it is told exactly and to people, keys, what rows stand for, totals.
 * And of each: it is asked through a copy of the question, as by the worker; cancelled at any time
 * it has no answer, and printed to where nothing can be written it fails; keys stand once; in the
 * order of each column no row stands before a smaller one and totals are sums over rows; a filter
 * leaves the rows that have the word.  Answers stand when the report is gone. */

#include "config.h"

#include "cancel-count.h"
#include "golden.h"
#include "question-fixture.h"
#include "short-memory.h"
#include "tsr-error.h"
#include "tsr-operation-list.h"
#include "tsr-plan-rows.h"
#include "tsr-row-outline.h"
#include "tsr-rows-print.h"
#include "tsr-test.h"
#include "tsr-value-rows.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef struct
{
  QuestionFixture f;
  GString *out;
  guint filtered; /* rows that a filter left, over all tables */
  guint n_tables; /* without trees */
  guint n_entries;
  GPtrArray *kept;   /* Kept */
  gboolean has_path; /* the table names the folder, which is never the same */
  gboolean has_rest; /* the first row of the table stands there whatever the order */
} Walk;

/* ------------------------------------------------------------------ one table */

static void
add_text (Walk *self, const char *name, const char *text)
{
  if (text != NULL)
    g_string_append_printf (self->out, "%s: %s\n", name, text);
}

static void
add_numbers (Walk *self, const char *name, const guint32 *numbers, guint n)
{
  if (numbers == NULL)
    return;
  g_string_append_printf (self->out, "%s:", name);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (self->out, " %u", numbers[i]);
  g_string_append_c (self->out, '\n');
}

static void
add_columns (Walk *self, TsrRows *rows)
{
  for (guint c = 0; c < tsr_rows_get_n_columns (rows); c++)
    {
      const TsrRowColumn *column = tsr_rows_get_column (rows, c);

      g_string_append_printf (
          self->out, "%s|%s|%s|%d %d %d|%d%d%d%d%d%d|%" G_GINT64_FORMAT "|%s|%s\n", column->key,
          column->title, column->definition, column->cell, column->kind, column->paint,
          column->json, column->filtered, column->wide, column->pinned, column->summed,
          column->leaves, column->whole, column->total, column->total_hint);
      g_assert_cmpint (tsr_rows_find_column (rows, column->key), ==,
                       column->key != NULL ? (int)c : -1);
    }
}

static void
add_row (Walk *self, TsrRows *rows, guint32 row)
{
  g_autofree char *whole = tsr_rows_dup_whole (rows, row);

  for (guint c = 0; c < tsr_rows_get_n_columns (rows); c++)
    {
      g_autofree char *text = tsr_rows_dup_text (rows, row, c, TSR_UNITS_BINARY);
      g_autofree char *exact = tsr_rows_dup_exact (rows, row, c);

      if (tsr_rows_get_column (rows, c)->cell == TSR_CELL_KIND_VALUE)
        {
          const gint64 value = tsr_rows_get_value (rows, row, c);
          const char *key = tsr_rows_get_column (rows, c)->key;

          g_string_append_printf (self->out, "%" G_GINT64_FORMAT "|", value);
          g_assert_cmpint (tsr_rows_get_value_of (rows, row, key), ==,
                           key != NULL ? value : TSR_UNKNOWN);
        }
      g_string_append_printf (self->out, "%s|%s|%.9f|", text, exact,
                              tsr_rows_get_share (rows, row, c));
    }
  g_string_append_printf (self->out, "%u %u %u %d|%s|%s|%s\n", tsr_rows_get_parent (rows, row),
                          tsr_rows_get_depth (rows, row), tsr_rows_get_end (rows, row),
                          tsr_rows_is_heading (rows, row), tsr_rows_get_definition (rows, row),
                          tsr_rows_get_suffix (rows, row), whole);
}

static gboolean
collect (gpointer data, const char *text, gsize length, GError **error)
{
  g_assert_cmpuint (length, >, 0);
  g_string_append_len (data, text, (gssize)length);
  return TRUE;
}

/* A pipe that is closed after so many writes. */
static gboolean
refuse (gpointer data, const char *text, gsize length, GError **error)
{
  int *left = data;

  if ((*left)-- > 0)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "closed");
  return FALSE;
}

static void
check_refused (TsrRows *rows, TsrFormat format)
{
  for (int n = 0;; n++)
    {
      int left = n;
      const TsrPrint print = { .format = format, .write = refuse, .data = &left };
      g_autoptr (GError) error = NULL;

      if (tsr_rows_print (rows, &print, NULL, &error))
        {
          g_assert_cmpint (left, >=, 0);
          return;
        }
      g_assert_cmpint (left, ==, -1);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
    }
}

static void
add_printed (Walk *self, TsrRows *rows)
{
  const TsrPrint print
      = { .format = TSR_FORMAT_TEXT, .units = TSR_UNITS_SI, .write = collect, .data = self->out };
  g_autofree char *csv = tsr_rows_dup_csv (rows, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (tsr_rows_print (rows, &print, NULL, &error));
  g_assert_no_error (error);
  g_string_append (self->out, csv);
  check_refused (rows, TSR_FORMAT_TEXT);
  check_refused (rows, TSR_FORMAT_CSV);
}

/* ------------------------------------------------------------------ its order */

/* Whatever memory is short of, there is an error and no order.  (Once more, as what texts are
 * ordered by is kept.) */
static void
check_memory (TsrRows *rows, const char *word)
{
  g_autoptr (TsrFilter) filter = tsr_filter_new (word, NULL);
  const guint n_columns = tsr_rows_get_n_columns (rows);

  for (guint k = 0; k < 2 * MIN (n_columns, 2); k++)
    for (guint n = 0, left = 0; left == 0; n++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (TsrRowOrder) order = NULL;

        short_memory_begin ((int)n);
        order = tsr_rows_arrange (rows, (int)(k / 2), FALSE, filter, NULL, &error);
        left = !short_memory_end ();
        if (left == 0)
          g_assert_error (error, TSR_ERROR, TSR_ERROR_LIMIT);
        g_assert_cmpint (order != NULL, ==, left > 0);
      }
}

/* As the order says: unknown values last, whatever the direction; a tree's siblings alone. */
static void
check_order (
    TsrRows *rows, const TsrRowOrder *order, int column, gboolean descending, guint32 first)
{
  const gboolean text = tsr_rows_get_column (rows, (guint)column)->cell == TSR_CELL_KIND_TEXT;

  g_assert_cmpuint (order->n, ==, tsr_rows_get_n (rows));
  for (guint32 i = first + 1; i < order->n && !tsr_rows_is_tree (rows); i++)
    {
      const gint64 a = tsr_rows_get_value (rows, order->rows[i - 1], (guint)column);
      const gint64 b = tsr_rows_get_value (rows, order->rows[i], (guint)column);

      if (text || a == b)
        continue;
      g_assert_true (b == TSR_UNKNOWN || (a != TSR_UNKNOWN && (descending ? a > b : a < b)));
    }
}

/* Over rows that are not sums of others; unknown when one is. */
static void
check_totals (TsrRows *rows, const TsrRowOrder *order)
{
  for (guint c = 0; c < tsr_rows_get_n_columns (rows); c++)
    {
      const TsrRowColumn *column = tsr_rows_get_column (rows, c);
      gint64 sum = 0;

      if (column->cell != TSR_CELL_KIND_VALUE || !column->summed || column->whole != TSR_UNKNOWN
          || tsr_rows_is_tree (rows))
        continue;
      for (guint32 i = 0; i < order->n && sum != TSR_UNKNOWN; i++)
        {
          const gint64 value = tsr_rows_get_value (rows, order->rows[i], c);

          sum = value == TSR_UNKNOWN || __builtin_add_overflow (sum, value, &sum) ? TSR_UNKNOWN
                                                                                  : sum;
        }
      g_assert_cmpint (order->totals[c], ==, sum);
    }
}

typedef struct
{
  TsrRows *rows;
  TsrFilter *filter;
  int column; /* -2: they are printed */
} Arranging;

static gboolean
arrange (gpointer data, GCancellable *cancellable, GError **error)
{
  const Arranging *self = data;
  g_autoptr (TsrRowOrder) order = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  const TsrPrint print = { .format = TSR_FORMAT_TEXT, .write = collect, .data = text };

  if (self->column == -2)
    return tsr_rows_print (self->rows, &print, cancellable, error);
  order = tsr_rows_arrange (self->rows, self->column, FALSE, self->filter, cancellable, error);
  return order != NULL;
}

/* Cancelled at any time there is no order, and nothing whole is printed. */
static void
check_cancelled (TsrRows *rows)
{
  g_autoptr (TsrFilter) filter = tsr_filter_new ("e", NULL);

  for (int column = -2; column < (int)MIN (tsr_rows_get_n_columns (rows), 4); column++)
    for (guint filtered = 0; filtered < 2; filtered++)
      {
        Arranging arranging = { rows, filtered ? filter : NULL, column };

        cancel_count_walk ("rows in order", arrange, &arranging);
      }
}

static gboolean
has_word (TsrRows *rows, guint32 row, const char *word)
{
  for (guint c = 0; c < tsr_rows_get_n_columns (rows); c++)
    {
      const char *text = tsr_rows_get_text (rows, row, c);
      g_autofree char *folded = text != NULL ? g_utf8_casefold (text, -1) : NULL;

      if (tsr_rows_get_column (rows, c)->filtered && folded != NULL
          && strstr (folded, word) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Each row is found where it is shown, and none that is not. */
static void
check_outline (TsrRows *rows, TsrRowOrder *order)
{
  g_autoptr (TsrRowOutline) outline = tsr_row_outline_new ();
  g_autofree guint32 *places = g_new (guint32, tsr_rows_get_n (rows) + 1);

  tsr_row_outline_set (outline, rows, order);
  tsr_row_outline_set_all_expanded (outline, TRUE);
  memset (places, 0xff, tsr_rows_get_n (rows) * sizeof *places);
  g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, order->n);
  for (guint32 i = 0; i < order->n; i++)
    places[tsr_row_outline_get_row (outline, i)] = i;
  for (guint32 row = 0; row < MIN (tsr_rows_get_n (rows), 100); row++)
    g_assert_cmpuint (tsr_row_outline_find (outline, row), ==, places[row]);
}

static void
check_filter (Walk *self, TsrRows *rows, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new (word, &error);
  g_autoptr (TsrRowOrder) order = tsr_rows_arrange (rows, 0, FALSE, filter, NULL, &error);
  guint32 expected = 0;

  g_assert_no_error (error);
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    expected += has_word (rows, row, word);
  if (!tsr_rows_is_tree (rows))
    g_assert_cmpuint (order->n_passing, ==, expected);
  self->filtered += order->n_passing;
  check_totals (rows, order);
  check_outline (rows, order);
  add_numbers (self, word, order->rows, order->n);
}

/* Filters that only the list holds. */
static void
add_filters (Walk *self, TsrRows *rows)
{
  static const char *const texts[]
      = { "-model", "/[a-f]+[0-9]/", "Fc", "\"fc/w\"", "e -o", "/EX.*e/ -p", " " };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrFilter) filter = tsr_filter_new (texts[i], &error);
      g_autoptr (TsrRowOrder) order = tsr_rows_arrange (rows, -1, FALSE, filter, NULL, &error);

      g_assert_no_error (error);
      g_string_append_printf (self->out, "%u ", order->n_passing);
      add_numbers (self, texts[i], order->rows, order->n);
    }
}

static void
check_orders (Walk *self, TsrRows *rows)
{
  if (tsr_rows_is_tree (rows) || self->n_tables++ % 16 == 0)
    {
      check_cancelled (rows);
      check_memory (rows, NULL);
      check_memory (rows, "e");
    }
  for (int c = 0; c < (int)tsr_rows_get_n_columns (rows) * 2; c++)
    {
      g_autoptr (TsrRowOrder) order = tsr_rows_arrange (rows, c / 2, c % 2 == 1, NULL, NULL, NULL);

      check_order (rows, order, c / 2, c % 2 == 1, self->has_rest ? 1 : 0);
      add_numbers (self, "order", order->rows, order->n);
      if (c > 0)
        continue;
      check_totals (rows, order);
      for (guint t = 0; t < tsr_rows_get_n_columns (rows); t++)
        {
          g_autofree char *text = tsr_rows_format (rows, t, order->totals[t], TSR_UNITS_BINARY);
          g_autofree char *exact = tsr_rows_format_exact (rows, t, order->totals[t]);

          g_string_append_printf (self->out, "total %" G_GINT64_FORMAT " %s %s\n", order->totals[t],
                                  text, exact);
        }
    }
  check_filter (self, rows, "model");
  check_filter (self, rows, "e");
  if (!self->has_path)
    add_filters (self, rows);
}

/* ------------------------------------------------------------------ an answer */

static void
add_rows (Walk *self, const TsrTableInfo *info, TsrRows *rows)
{
  g_auto (GStrv) keys = info != NULL ? tsr_tables_dup_row_keys (info, rows) : NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  self->has_rest = info != NULL && g_str_equal (info->command, "operations")
                   && g_str_equal (info->key, "list");
  self->has_path = info != NULL && g_str_equal (info->command, "summary");
  add_columns (self, rows);
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    {
      if (keys != NULL)
        {
          g_assert_true (g_hash_table_add (seen, keys[row]));
          add_text (self, "key", keys[row]);
        }
      add_row (self, rows, row);
    }
  add_printed (self, rows);
  check_orders (self, rows);
}

static void
add_answer (Walk *self, const TsrTableInfo *info, const TsrTableAnswer *answer)
{
  const guint n = answer->rows != NULL ? tsr_rows_get_n (answer->rows) : 0;

  add_text (self, "title", answer->title);
  add_text (self, "text", answer->text);
  add_text (self, "note", answer->note);
  add_text (self, "sort", answer->sort_key);
  g_string_append_printf (self->out, "stages %x\n", answer->stages);
  if (answer->rows == NULL)
    return;
  add_rows (self, info, answer->rows);
  add_numbers (self, "variables", answer->variables, n);
  add_numbers (self, "allocations", answer->allocations, n);
  for (guint i = 0; i < n && answer->first != NULL; i++)
    add_numbers (self, "members", answer->members + answer->first[i], answer->n[i]);
  for (guint i = 0; i < n && answer->places != NULL; i++)
    g_string_append_printf (self->out, "place %u %u %u %u %u\n", answer->places[i].program,
                            answer->places[i].edge, answer->places[i].n, answer->places[i].scope,
                            answer->places[i].mark);
  for (guint32 p = 0; answer->places != NULL && p < 30; p++)
    g_string_append_printf (self->out, "%u ", tsr_program_answer_find (answer, p));
  g_string_append_c (self->out, '\n');
  if (answer->more != NULL)
    add_rows (self, NULL, answer->more);
}

typedef struct
{
  TsrTableQuestion *question; /* a copy */
  const TsrTableInfo *info;
  TsrTableAnswer *answer; /* of the first run */
} Asking;

static gboolean
ask (gpointer data, GCancellable *cancellable, GError **error)
{
  Asking *self = data;
  TsrTableAnswer *answer = tsr_tables_answer (self->info, self->question, cancellable, error);

  if (self->answer == NULL)
    self->answer = answer;
  else
    tsr_table_answer_free (answer);
  return answer != NULL;
}

/* An answer that outlives the report, and what it said. */
typedef struct
{
  TsrTableAnswer *answer;
  char *text;
} Kept;

static char *
dup_answer (const TsrTableAnswer *answer)
{
  TsrRows *const tables[] = { answer->rows, answer->more };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (guint32 row = 0; tables[i] != NULL && row < tsr_rows_get_n (tables[i]); row++)
      for (guint c = 0; c < tsr_rows_get_n_columns (tables[i]); c++)
        {
          g_autofree char *cell = tsr_rows_dup_text (tables[i], row, c, TSR_UNITS_BINARY);

          g_string_append_printf (text, "%s\n", cell);
        }
  return g_string_free (text, FALSE);
}

static Kept *
kept_new (TsrTableAnswer *answer)
{
  Kept *kept = g_new (Kept, 1);

  *kept = (Kept){ answer, dup_answer (answer) };
  return kept;
}

/* It says the same. */
static void
kept_free (gpointer data)
{
  Kept *kept = data;
  g_autofree char *text = dup_answer (kept->answer);

  g_assert_cmpstr (text, ==, kept->text);
  tsr_table_answer_free (kept->answer);
  g_free (kept->text);
  g_free (kept);
}

static void
add_entry (Walk *self, const TsrTableInfo *info, const char *what)
{
  Asking asking = { tsr_table_question_copy (&self->f.question), info, NULL };
  guint n;
  g_autofree char *name = g_strjoin (" ", info->command, info->key, what, NULL);

  g_string_append_printf (self->out, "# %s\n", name);
  n = cancel_count_walk (name, ask, &asking);
  g_assert_true (tsr_table_question_equal (asking.question, &self->f.question));
  tsr_table_question_free (asking.question);
  g_string_append_printf (self->out, "looks %u\n", n);
  add_answer (self, info, asking.answer);
  if (self->n_entries++ % 7 == 0)
    g_ptr_array_add (self->kept, kept_new (asking.answer));
  else
    tsr_table_answer_free (asking.answer);
}

/* All tables of a command but, where @beside is FALSE, the second ones of their tabs, which come
 * with the first. */
static void add_tables (Walk *self, const char *command, const char *key, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
add_tables (Walk *self, const char *command, const char *key, const char *format, ...)
{
  guint n;
  const TsrTableInfo *infos = tsr_tables_peek (&n);
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  for (guint i = 0; i < n; i++)
    if (g_str_equal (infos[i].command, command) && (key == NULL || g_str_equal (infos[i].key, key))
        && !infos[i].beside)
      add_entry (self, &infos[i], what);
}

/* ------------------------------------------------------------------ questions */

static void
ask_memory (Walk *self)
{
  TsrMemoryQuestion *q = &self->f.question.of_memory;
  guint tiles[] = { 1, 2, 5 };

  add_tables (self, "memory", NULL, "all");
  q->tiles = tiles;
  q->n_tiles = 1;
  add_tables (self, "memory", NULL, "one");
  q->n_tiles = 3;
  add_tables (self, "memory", NULL, "three");
  q->n_tiles = 0;
  q->tiles = NULL;
}

static void
ask_liveness (Walk *self)
{
  static const char *const sources[] = { "all", "ipu1", "1,2,5" };
  TsrLivenessQuestion *q = &self->f.question.of_liveness;
  const guint n_steps = q->liveness != NULL ? tsr_liveness_get_n_steps (q->liveness) : 0;
  TsrVertices *vertices = q->vertices;

  if (n_steps < 6)
    return;
  for (guint s = 0; s < G_N_ELEMENTS (sources); s++)
    {
      tsr_liveness_source_clear (&q->source);
      if (!tsr_liveness_source_parse (self->f.question.memory, sources[s], &q->source, NULL))
        g_assert_true (
            tsr_liveness_source_parse (self->f.question.memory, "ipu0", &q->source, NULL));
      for (guint steps = 0; steps < 3; steps++)
        {
          q->n_steps = steps;
          q->steps[0] = n_steps - 9;
          q->steps[1] = 4;
          q->dying = steps == 2 && s == 1;
          q->by_tile = s == 2;
          q->by = TSR_LIVENESS_BY_VARIABLE;
          add_tables (self, "liveness", NULL, "%s %u steps", sources[s], steps);
        }
      for (guint by = TSR_LIVENESS_BY_PREFIX; by < TSR_LIVENESS_N_BY; by++)
        {
          q->by = by;
          q->depth = by + s;
          q->include_always_live = s != 0;
          q->vertices = s == 2 ? NULL : vertices;
          q->vertices_pending = by == TSR_LIVENESS_BY_LIFE;
          add_tables (self, "liveness", NULL, "%s by %u", sources[s], by);
        }
      q->vertices = vertices;
    }
}

static void
ask_trace (Walk *self)
{
  TsrTraceQuestion *q = &self->f.question.of_trace;
  const TsrExecutionTables *tables;
  const TsrTraceQuestion before = *q;
  char regex[] = "^[^/]*/([a-z]+)";

  if (q->trace == NULL)
    return;
  tables = tsr_trace_get_tables (q->trace);
  add_tables (self, "trace", NULL, "all");
  for (q->ipu = 0; q->ipu <= tsr_trace_get_n_ipus (q->trace); q->ipu++)
    add_tables (self, "trace", NULL, "IPU %u", q->ipu);
  q->ipu = TSR_NO_INDEX;
  q->has_liveness = q->has_debug = TRUE;
  for (guint step = 0; step < tables->n_steps; step += 3)
    for (guint ipu = 0; ipu < 2; ipu++)
      {
        q->steps[0] = (TsrTraceStepRef){ tsr_execution_tables_get_step_id (tables, step), ipu };
        q->steps[1] = (TsrTraceStepRef){
          tsr_execution_tables_get_step_id (tables, (step + 7) % tables->n_steps), 1 - ipu
        };
        q->n_steps = 1 + step % 2;
        add_tables (self, "trace", "details", "step %u %u", step, ipu);
      }
  q->n_steps = 0;
  q->regex = regex;
  for (guint group = 0; group < TSR_TRACE_N_GROUPS; group++)
    for (guint depth = 1; depth <= 3; depth++)
      {
        q->group = group;
        q->depth = depth;
        q->hidden = depth == 2 ? 5 : 0;
        q->flushes = depth == 3;
        q->ipu = depth == 2 ? 1 : TSR_NO_INDEX;
        q->from = before.from + (depth - 1) * (before.to - before.from) / 5;
        q->to = before.to - (depth - 1) * (before.to - before.from) / 7;
        add_tables (self, "trace", group > 0 ? "aggregate" : NULL, "by %u %u", group, depth);
      }
  for (guint run = 0; run < tsr_trace_get_n_runs (q->trace); run++)
    {
      *q = before;
      q->run = tsr_trace_get_run (q->trace, run);
      q->replica = run;
      add_tables (self, "trace", NULL, "of run %u", run);
    }
  *q = before;
}

static void
ask_programs (Walk *self)
{
  TsrProgramQuestion *q = &self->f.question.of_programs;
  const guint n = q->programs != NULL ? tsr_programs_get_n (q->programs) : 0;
  char *hidden[] = { (char *)"Sequence", (char *)"Call", NULL };
  char *opened[] = { (char *)"2.1", (char *)"0.0", NULL };
  TsrProgramCode *code = q->code;

  for (guint variant = 0; n > 0 && variant < 4; variant++)
    {
      q->grouped = variant % 2 == 1;
      q->hidden = variant >= 2 ? hidden : NULL;
      q->opened = variant == 1 ? opened : NULL;
      q->root = variant == 3 ? 1 : TSR_NO_INDEX;
      q->step = variant == 2 ? 0 : TSR_NO_INDEX;
      q->code = variant == 3 ? NULL : code;
      for (guint tab = 0; tab < 3; tab++)
        add_tables (self, "programs", tsr_tables_get_key ("programs", tab), "variant %u", variant);
    }
  q->hidden = q->opened = NULL;
  q->code = code;
  q->grouped = FALSE;
  q->step = q->root = TSR_NO_INDEX;
  for (guint i = 0; n > 0 && i <= n; i++)
    {
      q->program = i < n ? i : TSR_NO_INDEX;
      for (guint tab = TSR_PROGRAM_TAB_VARIABLES; tab < TSR_N_PROGRAM_TABS; tab++)
        if (tab != TSR_PROGRAM_TAB_TOUCHING)
          add_tables (self, "programs", tsr_tables_get_key ("programs", tab), "of %u", i);
    }
  for (guint v = 0; n > 0 && v < 20; v += 3)
    {
      q->variable = v;
      add_tables (self, "programs", "touching", "variable %u", v);
    }
  q->program = q->variable = TSR_NO_INDEX;
}

/* What operations are made of, and what they read later. */
typedef struct
{
  Walk *walk;
  guint what;
} Making;

static TsrOperations *
make_operations (Walk *self, GCancellable *cancellable, GError **error)
{
  const TsrTableQuestion *q = &self->f.question;

  return tsr_operations_new (q->of_programs.programs, tsr_report_get_debug_tables (q->report),
                             "poplibs", q->memory, self->f.variables, cancellable, error);
}

static gboolean
make (gpointer data, GCancellable *cancellable, GError **error)
{
  const Making *self = data;
  const TsrTableQuestion *q = &self->walk->f.question;
  g_autoptr (TsrOperations) operations
      = make_operations (self->walk, self->what == 0 ? cancellable : NULL, error);
  g_autoptr (GArray) edges = NULL;
  g_autofree gint64 *bytes = NULL;
  guint n;

  if (self->what == 0)
    return operations != NULL;
  if (self->what == 1)
    return tsr_operations_read_worst_code (operations, cancellable, error);
  if (self->what == 2)
    return tsr_operations_read_records (operations, cancellable, error);
  if (self->what == 3)
    {
      edges = tsr_operations_dup_edges (operations, 2, TRUE, cancellable, error);
      return edges != NULL;
    }
  if (self->what == 4)
    {
      g_autoptr (TsrOperationList) list = tsr_operation_list_new (
          tsr_report_get_program_tables (q->report), tsr_report_get_debug_tables (q->report),
          tsr_report_get_liveness_tables (q->report), "poplibs", cancellable, error);

      return list != NULL;
    }
  if (self->what == 5)
    {
      TsrPrograms *programs = tsr_programs_new (q->report, cancellable, error);

      g_clear_pointer (&programs, tsr_programs_unref);
      return error == NULL || *error == NULL;
    }
  bytes = tsr_operations_dup_by_tile (operations, 2, self->what - 6, &n, cancellable, error);
  return bytes != NULL;
}

static void
ask_layers (Walk *self)
{
  TsrOperationQuestion *q = &self->f.question.of_operations;
  const TsrDebugTables *debug = tsr_report_get_debug_tables (self->f.question.report);
  g_auto (GStrv) layers = debug != NULL ? tsr_operations_dup_layers (debug) : NULL;

  for (guint layer = 0; layers != NULL && layers[layer] != NULL; layer++)
    {
      question_fixture_set_layer (&self->f, layers[layer]);
      if (q->operations == NULL)
        return;
      for (guint grouping = 0; grouping < TSR_N_OPERATION_GROUPS; grouping++)
        {
          q->grouping = grouping;
          q->depth = 1 + layer;
          add_tables (self, "operations", "list", "%s by %u", layers[layer], grouping);
        }
      q->grouping = TSR_OPERATION_GROUP_NONE;
      for (guint i = 0; i <= tsr_operations_get_n (q->operations); i += 5)
        {
          q->operation = i;
          for (guint tab = TSR_OPERATION_TAB_SUMMARY; tab <= TSR_OPERATION_TAB_DEBUG; tab++)
            if ((tab != TSR_OPERATION_TAB_CODE && tab != TSR_OPERATION_TAB_CYCLES)
                || i + layer == 5)
              add_tables (self, "operations", tsr_tables_get_key ("operations", tab), "%s of %u",
                          layers[layer], i);
        }
      q->operation = TSR_NO_INDEX;
      add_tables (self, "operations", "summary", "%s of none", layers[layer]);
    }
}

static void
ask_operations (Walk *self)
{
  for (guint what = 0; what < 6 + TSR_N_OPERATION_BY_TILE; what++)
    {
      Making making = { self, what };
      g_autofree char *name = g_strdup_printf ("what operations are made of, %u", what);

      cancel_count_walk (name, make, &making);
    }
  ask_layers (self);
}

static void
ask_insights (Walk *self)
{
  TsrTableQuestion *q = &self->f.question;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlan) plan = NULL;

  for (guint scope = 0; scope <= TSR_LARGEST_OF_TILES; scope++)
    {
      q->scope = scope;
      add_tables (self, "insights", "largest", "scope %u", scope);
      for (guint row = 0; tsr_largest_rows_get (q->insights, scope, row) != NULL; row++)
        {
          g_autoptr (GHashTable) words
              = tsr_largest_dup_words (tsr_largest_rows_get (q->insights, scope, row));
          g_autoptr (GList) keys
              = g_list_sort (g_hash_table_get_keys (words), (GCompareFunc)strcmp);

          for (GList *key = keys; key != NULL; key = key->next)
            add_text (self, key->data, g_hash_table_lookup (words, key->data));
        }
    }
  for (guint units = 0; units < 3; units++)
    {
      q->units = units;
      add_tables (self, "summary", NULL, "units %u", units);
    }
  plan = tsr_plan_new (q->report, q->memory, q->of_memory.liveness, TSR_UNITS_BINARY, NULL, &error);
  g_assert_no_error (error);
  if (tsr_plan_get_missing (plan) == NULL)
    {
      g_autoptr (TsrForecast) now = tsr_plan_forecast (plan, 0, NULL, &error);
      g_autoptr (TsrForecast) forecast = tsr_plan_forecast (plan, 1, NULL, &error);
      g_autoptr (TsrRows) rows
          = tsr_plan_rows_new (now, forecast, q->memory, q->of_memory.liveness);

      g_string_append (self->out, "# plan\n");
      add_rows (self, NULL, rows);
    }
}

/* What of a question is a number, and counts; of borrowed parts, which they are. */
#define PART(name)                                                                                 \
  {                                                                                                \
    offsetof (TsrTableQuestion, name), #name                                                       \
  }
static const struct
{
  gsize offset;
  const char *name;
} question_parts[] = {
  PART (report),
  PART (memory),
  PART (insights),
  PART (scope),
  PART (units),
  PART (of_memory.liveness),
  PART (of_memory.vertices),
  PART (of_memory.pending),
  PART (of_liveness.liveness),
  PART (of_liveness.vertices),
  PART (of_liveness.vertices_pending),
  PART (of_liveness.source.kind),
  PART (of_liveness.n_steps),
  PART (of_liveness.steps[0]),
  PART (of_liveness.steps[1]),
  PART (of_liveness.peak),
  PART (of_liveness.by),
  PART (of_liveness.depth),
  PART (of_liveness.include_always_live),
  PART (of_liveness.dying),
  PART (of_liveness.by_tile),
  PART (of_trace.trace),
  PART (of_trace.memory),
  PART (of_trace.live),
  PART (of_trace.has_liveness),
  PART (of_trace.has_debug),
  PART (of_trace.run),
  PART (of_trace.from),
  PART (of_trace.to),
  PART (of_trace.ipu),
  PART (of_trace.hidden),
  PART (of_trace.group),
  PART (of_trace.depth),
  PART (of_trace.flushes),
  PART (of_trace.replica),
  PART (of_trace.n_steps),
  PART (of_trace.steps[0].step_id),
  PART (of_trace.steps[1].ipu),
  PART (of_trace.n_marked),
  PART (of_trace.marked_cycles),
  PART (of_programs.programs),
  PART (of_programs.code),
  PART (of_programs.step),
  PART (of_programs.root),
  PART (of_programs.grouped),
  PART (of_programs.program),
  PART (of_programs.variable),
  PART (of_operations.operations),
  PART (of_operations.operation),
  PART (of_operations.grouping),
  PART (of_operations.depth),
  PART (of_operations.liveness),
};

/* Of a list of words the question has one less, or one that differs; none is an empty list. */
static void
check_words (TsrTableQuestion *question, char ***list)
{
  char *words[] = { (char *)"Call", (char *)"Loop", NULL };
  char *other[] = { (char *)"Call", (char *)"Copy", NULL };
  char *none[] = { NULL };
  char **const lists[] = { NULL, none, words, words + 1, other };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      TsrTableQuestion *copy;

      *list = lists[i];
      copy = tsr_table_question_copy (question);
      for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
        {
          *list = lists[k];
          g_assert_cmpint (tsr_table_question_equal (question, copy), ==, i == k || i + k == 1);
          g_assert_cmpint (tsr_table_question_equal (copy, question), ==, i == k || i + k == 1);
        }
      tsr_table_question_free (copy);
    }
  *list = NULL;
}

/* Two questions are the same as long as nothing of them differs. */
static void
check_questions (Walk *self)
{
  TsrTableQuestion *q = &self->f.question, *copy;
  guint tiles[] = { 1, 2, 5 }, others[] = { 1, 2, 6 };

  q->of_liveness.n_steps = q->of_trace.n_steps = 2;
  check_words (q, &q->of_programs.hidden);
  check_words (q, &q->of_programs.opened);
  copy = tsr_table_question_copy (q);
  for (guint i = 0; i < G_N_ELEMENTS (question_parts); i++)
    {
      guint8 *part = (guint8 *)q + question_parts[i].offset;

      *part ^= 1;
      if (tsr_table_question_equal (q, copy) || tsr_table_question_equal (copy, q))
        g_error ("%s does not count", question_parts[i].name);
      *part ^= 1;
      g_assert_true (tsr_table_question_equal (q, copy));
    }
  q->of_memory.tiles = tiles;
  q->of_memory.n_tiles = 3;
  g_assert_false (tsr_table_question_equal (q, copy));
  tsr_table_question_free (copy);
  copy = tsr_table_question_copy (q);
  g_assert_true (tsr_table_question_equal (q, copy));
  q->of_memory.tiles = others;
  g_assert_false (tsr_table_question_equal (q, copy));
  q->of_memory.n_tiles = 2;
  g_assert_false (tsr_table_question_equal (q, copy));
  q->of_memory.tiles = NULL;
  q->of_memory.n_tiles = 0;
  tsr_table_question_free (copy);
  q->of_memory.why = (char *)"a";
  q->of_trace.regex = (char *)"b";
  copy = tsr_table_question_copy (q);
  g_assert_true (tsr_table_question_equal (q, copy));
  q->of_memory.why = (char *)"b";
  g_assert_false (tsr_table_question_equal (q, copy));
  q->of_memory.why = (char *)"a";
  q->of_trace.regex = NULL;
  g_assert_false (tsr_table_question_equal (q, copy));
  q->of_memory.why = NULL;
  q->of_liveness.n_steps = q->of_trace.n_steps = 0;
  tsr_table_question_free (copy);
}

/* ------------------------------------------------------------------ values */

static gboolean
is_short (const char *name)
{
  return strlen (name) < 22;
}

static void
ask_values (Walk *self)
{
  static const char *const pairs[] = { "autoReport.all",
                                       "true",
                                       "autoReport.directory",
                                       "/Tmp/x",
                                       "debug.a.b",
                                       "",
                                       "plain",
                                       "1",
                                       "a.b.c",
                                       "ON",
                                       "a.b",
                                       "off",
                                       "a",
                                       "none" };
  static const char *const filters[] = { NULL, "", "a", "REPORT -dir", "-a", "o  n", "nothing" };
  const TsrSummary *summary = tsr_report_get_summary (self->f.question.report);

  for (guint i = 0; i < G_N_ELEMENTS (filters) * 2; i++)
    {
      const char *const all[]
          = { pairs[0], pairs[1], pairs[2],  pairs[3],  pairs[4],  pairs[5],  pairs[6], pairs[7],
              pairs[8], pairs[9], pairs[10], pairs[11], pairs[12], pairs[13], NULL };
      guint n_shown = 99, n_all = 99;
      g_autoptr (TsrRows) rows = tsr_value_rows_new_options (
          all, filters[i / 2], i % 2 == 1 ? is_short : NULL, &n_shown, &n_all);

      g_string_append_printf (self->out, "# options %u %u\n", n_shown, n_all);
      add_rows (self, NULL, rows);
    }
  for (guint i = 0; i < 2; i++)
    {
      TsrJson *json = i == 0 ? summary->framework : summary->app;
      g_autoptr (TsrRows) rows = json != NULL ? tsr_value_rows_new_json (json) : NULL;

      if (rows != NULL)
        add_rows (self, NULL, rows);
    }
  {
    static const char odd[]
        = "{\"a\": 1, \"a\": {\"a\": 2, \"a\": [3, [4, {\"\": null}]], \"b\": true, \"a\": \"\"}, "
          "\"~#2\": [], \"a\": 5e-7, \"c\": {}}";
    g_autoptr (GBytes) bytes = g_bytes_new_static (odd, strlen (odd));
    g_autoptr (TsrSource) source = tsr_bytes_source_new ("odd.json", bytes);
    g_autoptr (GError) error = NULL;
    g_autoptr (TsrJson) json = tsr_json_read (source, NULL, &error);
    g_autoptr (TsrRows) rows = NULL;

    g_assert_no_error (error);
    rows = tsr_value_rows_new_json (json);
    g_string_append (self->out, "# a member again and again\n");
    add_rows (self, tsr_tables_find ("summary", "app"), rows);
  }
}

/* What each table says where nothing is selected, or has no part of the report to tell of. */
static void
ask_nothing (Walk *self)
{
  TsrTableQuestion *q = &self->f.question;
  guint n;
  const TsrTableInfo *infos = tsr_tables_peek (&n);
  g_autoptr (GError) error = NULL;

  q->of_operations.operation = q->of_programs.program = q->of_programs.variable = TSR_NO_INDEX;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (TsrTableAnswer) answer = NULL;

      if (q->of_trace.trace == NULL && g_str_equal (infos[i].command, "trace"))
        continue;
      answer = tsr_tables_answer (&infos[i], q, NULL, &error);
      g_assert_no_error (error);
      g_string_append_printf (self->out, "# %s %s: %u rows\n", infos[i].command, infos[i].key,
                              answer->rows != NULL ? tsr_rows_get_n (answer->rows) : 0);
      add_text (self, "title", answer->title);
      add_text (self, "text", answer->text);
      add_text (self, "note", answer->note);
    }
}

/* ------------------------------------------------------------------ reports */

static const struct
{
  const char *name, *preset, *sql;
} reports[] = {
  { "operations", "poplibs", NULL },
  { "whole", "tiny", NULL },
  /* A value of each kind that is not told. */
  { "odd", "tiny",
    "UPDATE variables SET size_bytes = NULL WHERE id % 7 = 3;"
    "UPDATE liveness_steps SET not_always_live_bytes = NULL WHERE step = 9;"
    "UPDATE programs SET name = NULL WHERE id % 9 = 4;"
    "UPDATE steps SET program = NULL WHERE id % 5 = 1;"
    "UPDATE steps_by_ipu SET active_cycles_to_max = NULL WHERE step_id % 11 = 6;"
    "UPDATE steps_by_ipu SET data_in = NULL WHERE step_id % 13 = 2;"
    "UPDATE steps_by_ipu SET active_tile_balance = NULL WHERE step_id % 6 = 1;"
    "UPDATE compute_set_vertices SET flops = NULL WHERE vertex_type % 3 = 1;"
    "UPDATE memory_by_tile SET not_always_live = NULL WHERE tile = 6;"
    "UPDATE target SET clock_frequency = NULL, bytes_per_tile = NULL" },
  { "without lowered variables", "tiny",
    "DROP TABLE vars_info; DROP TABLE liveness_by_ipu;"
    "DROP TABLE program_variables; DROP TABLE tile_cycles" },
  { "without variables", "tiny", "DROP TABLE variables; DROP TABLE vars_info" },
  { "without execution", "tiny", "DROP TABLE steps; DROP TABLE steps_by_ipu; DROP TABLE blocks" },
  { "without liveness", "tiny", "DROP TABLE liveness_steps; DROP TABLE liveness_by_ipu" },
  { "without vertices", "tiny", "DROP TABLE vertex_types; DROP TABLE compute_set_vertices" },
  { "without memory", "tiny", "DROP TABLE memory_by_tile; DROP TABLE memory_by_tile_category" },
};
/* Of those from here on only what nothing says is listed. */
#define N_WHOLE 4

static const struct
{
  const char *name;
  void (*ask) (Walk *self);
} parts[] = {
  { "values", ask_values },         { "insights", ask_insights }, { "memory", ask_memory },
  { "liveness", ask_liveness },     { "trace", ask_trace },       { "programs", ask_programs },
  { "operations", ask_operations }, { "nothing", ask_nothing },
};

static void
test_walk (gconstpointer golden)
{
  Walk self = { .out = g_string_new (NULL), .kept = g_ptr_array_new_with_free_func (kept_free) };

  for (guint i = 0; i < G_N_ELEMENTS (reports); i++)
    {
      char *above = tsr_test_folder_new ();
      g_autofree char *folder = g_build_filename (above, "report", NULL);

      g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
      tsr_test_make_report (folder, reports[i].preset, NULL);
      if (reports[i].sql != NULL)
        tsr_test_sql (folder, "profile.pop", reports[i].sql);
      question_fixture_open (&self.f, folder);
      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        {
          /* The small report has no operations, and the other one many tiles. */
          if (parts[k].ask != ask_nothing
              && (i >= N_WHOLE
                  || (parts[k].ask == ask_operations)
                         != g_str_equal (reports[i].preset, "poplibs")))
            continue;
          g_string_append_printf (self.out, "## %s: %s\n", reports[i].name, parts[k].name);
          parts[k].ask (&self);
        }
      if (i < N_WHOLE)
        check_questions (&self);
      question_fixture_close (&self.f);
      g_ptr_array_set_size (self.kept, 0);
      g_string_replace (self.out, above, "", 0);
      memset (&self.f, 0, sizeof self.f);
      tsr_test_folder_free (above);
    }
  g_assert_cmpuint (self.filtered, >, 1000);
  golden_compare (golden, self.out->str);
  g_ptr_array_unref (self.kept);
  g_string_free (self.out, TRUE);
}

/* Shares are parts of what all have, of those whose part is told. */
static void
test_shares (void)
{
  static const char *const changes[]
      = { "VACUUM", "UPDATE steps SET tile_cycles = NULL WHERE id % 23 = 5" };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      Walk self = { 0 };
      char *folder = tsr_test_report_new ("poplibs");
      g_autoptr (TsrTableAnswer) answer = NULL;
      g_autoptr (GError) error = NULL;
      guint n_known = 0;
      gint64 total;

      tsr_test_copy (tsr_test_get_report ("poplibs"), folder, "debug.cbor");
      tsr_test_sql (folder, "profile.pop", changes[i]);
      question_fixture_open (&self.f, folder);
      total = tsr_operations_get_total (self.f.question.of_operations.operations,
                                        TSR_OPERATION_TILE_CYCLES);
      answer = tsr_tables_answer (tsr_tables_find ("operations", "list"), &self.f.question, NULL,
                                  &error);
      g_assert_no_error (error);
      for (guint32 row = 0; row < tsr_rows_get_n (answer->rows); row++)
        {
          gint64 cycles = tsr_rows_get_value_of (answer->rows, row, "measuredTileCycles");
          gint64 share = tsr_rows_get_value_of (answer->rows, row, "tileCyclesShare");

          if (cycles == TSR_UNKNOWN || total <= 0)
            g_assert_cmpint (share, ==, TSR_UNKNOWN);
          else
            g_assert_cmpint (share, ==, (gint64)llround ((double)cycles / (double)total * 1e9));
          n_known += share != TSR_UNKNOWN;
        }
      g_assert_cmpint (n_known > 0, ==, i == 0);
      question_fixture_close (&self.f);
      tsr_test_folder_free (folder);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  g_test_add_data_func ("/answers", argv[1], test_walk);
  g_test_add_func ("/shares", test_shares);
  return g_test_run ();
}
