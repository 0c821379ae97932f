/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rules look at of a whole report, against loops over its tables, on reports whose programs,
 * code and steps are shuffled. */

#include "config.h"

#include "insights-report.h"

#include "tsr-variables-private.h"

#include <string.h>

static gint64
add (gint64 a, gint64 b)
{
  return a == TSR_UNKNOWN || b == TSR_UNKNOWN ? TSR_UNKNOWN : a + b;
}

/* So that not all of it is unknown, or nothing. */
static guint n_sums[3];      /* unknown, 0, more */
static guint n_exchanges[2]; /* internal ones with unknown code, with known */

/* Bytes of an array in [first, end), times @factor. */
static gint64
sum_tiles (const AnalysisReport *opened, TsrTileArrayRef ref, guint first, guint end, gint64 factor)
{
  g_autofree gint64 *values
      = ref.id != TSR_UNKNOWN ? tsr_vertices_dup_array (opened->vertices, ref, NULL) : NULL;
  gint64 sum = values != NULL ? 0 : TSR_UNKNOWN;

  for (guint t = first; values != NULL && t < end; t++)
    sum = add (sum, values[t] != TSR_UNKNOWN ? factor * values[t] : TSR_UNKNOWN);
  n_sums[sum == TSR_UNKNOWN ? 0 : sum == 0 ? 1 : 2]++;
  return sum;
}

static const char *
get_string (const TsrProgramTables *tables, guint32 name)
{
  const char *text = tsr_string_table_get (tables->strings, name);

  return text != NULL ? text : "";
}

/* ------------------------------------------------------- exchanges and vertices */

static gboolean
are_equal (const AnalysisReport *opened, guint32 p, guint32 q)
{
  const TsrProgramTables *tables = tsr_vertices_get_tables (opened->vertices);
  g_autoptr (GRegex) digits = g_regex_new ("[0-9]+", 0, 0, NULL);
  g_autofree char *x = g_regex_replace_literal (
      digits, get_string (tables, tables->program_name[p]), -1, 0, "#", 0, NULL);
  g_autofree char *y = g_regex_replace_literal (
      digits, get_string (tables, tables->program_name[q]), -1, 0, "#", 0, NULL);
  gboolean equal = g_str_equal (x, y);

  for (guint t = 0; t < tsr_memory_get_n_tiles (opened->memory); t++)
    equal = equal
            && sum_tiles (opened, tables->program_code[p], t, t + 1, 1)
                   == sum_tiles (opened, tables->program_code[q], t, t + 1, 1);
  return equal;
}

static void
check_exchanges (const AnalysisReport *opened, const TsrInsightContext *c)
{
  const TsrProgramTables *tables = c->programs;
  guint n = 0;

  for (guint32 p = 0; p < tables->n_programs; p++)
    n += tables->program_code[p].id != TSR_UNKNOWN;
  g_assert_cmpuint (c->exchanges != NULL ? c->exchanges->len : 0, ==, n);
  for (guint i = 0; i < n; i++)
    {
      const TsrInsightExchange *one = &g_array_index (c->exchanges, TsrInsightExchange, i);
      const TsrTileArrayRef code = tables->program_code[one->program];

      g_assert_cmpstr (one->name, ==, get_string (tables, tables->program_name[one->program]));
      g_assert_cmpint (
          one->internal, ==,
          g_str_equal (get_string (tables, tables->program_type[one->program]), "DoExchange"));
      g_assert_cmpint (one->on_worst, ==, sum_tiles (opened, code, c->worst, c->worst + 1, 1));
      g_assert_cmpint (one->total, ==, sum_tiles (opened, code, 0, c->n_tiles, 1));
      for (guint s = 0; s < c->scopes->len; s++)
        {
          const TsrInsightScope *scope = &g_array_index (c->scopes, TsrInsightScope, s);

          g_assert_cmpint (one->by_scope[s], ==,
                           sum_tiles (opened, code, scope->first, scope->end, 1));
        }
      g_assert_cmpint (one->group < c->n_exchange_groups, ==,
                       one->internal && one->total != TSR_UNKNOWN);
      if (one->internal)
        n_exchanges[one->total != TSR_UNKNOWN]++;
      for (guint k = 0; k < i; k++)
        {
          const TsrInsightExchange *other = &g_array_index (c->exchanges, TsrInsightExchange, k);

          if (one->group < c->n_exchange_groups && other->group < c->n_exchange_groups)
            g_assert_cmpint (one->group == other->group, ==,
                             are_equal (opened, one->program, other->program));
        }
      if (i > 0)
        g_assert_true (one[-1].on_worst > one->on_worst
                       || (one[-1].on_worst == one->on_worst && one[-1].program < one->program));
    }
}

static void
check_vertices (const AnalysisReport *opened, const TsrInsightContext *c)
{
  const TsrProgramTables *tables = c->programs;
  const guint n = tables->n_vertex_types, end = tables->vertex_start[tables->n_compute_sets];

  g_assert_cmpuint (c->vertices->len, ==, n);
  for (guint e = 0; e < end; e++)
    g_assert_cmpint (
        c->entry_counts[e], ==,
        sum_tiles (opened, tables->vertex_count_by_tile[e], c->worst, c->worst + 1, 1));
  for (guint v = 0; v < n; v++)
    {
      const TsrInsightVertex *vertex = &g_array_index (c->vertices, TsrInsightVertex, v);
      gint64 count = 0;

      g_assert_cmpstr (vertex->name, ==, get_string (tables, tables->vertex_type_name[v]));
      g_assert_cmpuint (vertex->row, ==, v);
      g_assert_cmpint (vertex->code, ==,
                       sum_tiles (opened, tables->vertex_type_code[v], c->worst, c->worst + 1, 1));
      g_assert_cmpint (vertex->code_array != NULL, ==,
                       sum_tiles (opened, tables->vertex_type_code[v], 0, 0, 1) == 0);
      for (guint t = 0; vertex->code_array != NULL && t < c->n_tiles; t++)
        g_assert_cmpint (vertex->code_array[t], ==,
                         sum_tiles (opened, tables->vertex_type_code[v], t, t + 1, 1));
      for (guint e = 0; e < end; e++)
        count = tables->vertex_type[e] == v ? add (count, c->entry_counts[e]) : count;
      g_assert_cmpint (vertex->count, ==, count);
      g_assert_cmpint (vertex->state, ==, tsr_known_multiply (count, tables->vertex_type_size[v]));
      for (guint s = 0; s < c->scopes->len; s++)
        {
          const TsrInsightScope *scope = &g_array_index (c->scopes, TsrInsightScope, s);
          gint64 state = 0;

          for (guint e = 0; e < end; e++)
            if (tables->vertex_type[e] == v)
              state = add (state, sum_tiles (opened, tables->vertex_count_by_tile[e], scope->first,
                                             scope->end, tables->vertex_type_size[v]));
          g_assert_cmpint (c->vertex_state[s * n + v], ==, state);
          g_assert_cmpint (
              c->vertex_code[s * n + v], ==,
              sum_tiles (opened, tables->vertex_type_code[v], scope->first, scope->end, 1));
        }
    }
}

/* ------------------------------------------------------- code that runs once */

typedef struct
{
  const char *name, *tab;
  gint64 bytes;
} Part;

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;

  return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes)
                              : strcmp (x->name, y->name);
}

static void
add_part (const AnalysisReport *opened,
          const TsrInsightContext *c,
          TsrTileArrayRef ref,
          Part part,
          gint64 sums[2],
          GArray *parts)
{
  part.bytes = sum_tiles (opened, ref, c->worst, c->worst + 1, 1);
  sums[0] = add (sums[0], part.bytes);
  sums[1] = add (sums[1], sum_tiles (opened, ref, 0, c->n_tiles, 1));
  if (part.bytes > 0)
    g_array_append_val (parts, part);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return (*(const guint *)a > *(const guint *)b) - (*(const guint *)a < *(const guint *)b);
}

/* The most executions of a program, or (@set) of a compute set that is executed by itself, in one
 * of the runs. */
static guint
count_most (GPtrArray *steps, const TsrProgramTables *tables, gint64 id, gboolean set)
{
  guint most = 0;

  for (gint64 run = 0; run < 4; run++)
    {
      guint n = 0;

      for (guint i = 0; i < steps->len; i++)
        {
          char **step = steps->pdata[i];
          const gint64 program = g_ascii_strtoll (step[0], NULL, 10);
          gboolean known = FALSE;

          for (guint p = 0; p < tables->n_programs; p++)
            known = known || tables->program_id[p] == program;
          n += g_ascii_strtoll (step[1], NULL, 10) == run
               && (set ? !known && g_ascii_strtoll (step[2], NULL, 10) == id : program == id);
        }
      most = MAX (most, n);
    }
  return most;
}

static void
check_one_off (const AnalysisReport *opened, const TsrInsightContext *c)
{
  const TsrProgramTables *tables = c->programs;
  const TsrInsightOneOff *code = &c->one_off;
  g_autoptr (GPtrArray) steps = tsr_test_ask_rows (
      opened->folder,
      "SELECT coalesce (program, -1), run, coalesce (compute_set, -1) FROM steps ORDER BY id");
  g_autofree guint *most = g_new0 (guint, tables->n_programs);
  g_autofree guint *used = g_new0 (guint, tables->n_programs);
  g_autofree gboolean *single = g_new0 (gboolean, tables->n_compute_sets);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  gint64 exchange[2] = { 0 }, vertex[2] = { 0 }, control[2] = { 0 };
  guint n = 0, n_once = 0, back = 0;

  for (guint i = 1; i < steps->len; i++)
    back += atoi (((char **)steps->pdata[i])[1]) < atoi (((char **)steps->pdata[i - 1])[1]);
  g_assert_cmpint (code->known, ==, back == 0);
  if (!code->known)
    {
      g_assert_cmpstr (code->missing, ==, "steps.run");
      return;
    }
  for (guint p = 0; p < tables->n_programs; p++)
    {
      const char *name = get_string (tables, tables->program_name[p]);

      most[p] = count_most (steps, tables, tables->program_id[p], FALSE);
      if (most[p] > 0)
        used[n++] = most[p];
      if (most[p] != 1)
        continue;
      n_once++;
      if (tables->program_code[p].id != TSR_UNKNOWN)
        add_part (opened, c, tables->program_code[p], (Part){ name, "exchanges", 0 }, exchange,
                  parts);
      if (tables->child_start[p] == tables->child_start[p + 1]
          && tables->program_callee[p] == TSR_NO_INDEX
          && tables->program_control_code[p].id != TSR_UNKNOWN)
        add_part (opened, c, tables->program_control_code[p], (Part){ name, NULL, 0 }, control,
                  parts);
    }
  for (guint s = 0; s < tables->n_compute_sets; s++)
    {
      guint executions = count_most (steps, tables, tables->compute_set_id[s], TRUE);
      gboolean idle = FALSE;

      for (guint p = 0; p < tables->n_programs; p++)
        if (tables->program_compute_set[p] == s)
          {
            executions += most[p];
            idle = idle || most[p] == 0;
          }
      single[s] = executions == 1 && !idle;
    }
  for (guint v = 0; v < tables->n_vertex_types; v++)
    {
      gboolean once = FALSE, often = FALSE;

      for (guint s = 0; s < tables->n_compute_sets; s++)
        for (guint e = tables->vertex_start[s]; e < tables->vertex_start[s + 1]; e++)
          {
            once = once || (tables->vertex_type[e] == v && single[s]);
            often = often || (tables->vertex_type[e] == v && !single[s]);
          }
      if (once && !often)
        add_part (opened, c, tables->vertex_type_code[v],
                  (Part){ get_string (tables, tables->vertex_type_name[v]), "vertices", 0 }, vertex,
                  parts);
    }
  qsort (used, n, sizeof *used, compare_numbers);
  g_array_sort (parts, compare_parts);
  g_assert_cmpfloat (code->median, ==, n == 0 ? 0 : (used[(n - 1) / 2] + used[n / 2]) / 2.0);
  g_assert_cmpuint (code->n_programs, ==, n_once);
  g_assert_cmpint (code->exchange, ==, exchange[0]);
  g_assert_cmpint (code->exchange_total, ==, exchange[1]);
  g_assert_cmpint (code->control, ==, control[0]);
  g_assert_cmpint (code->control_total, ==, control[1]);
  g_assert_cmpint (code->vertex, ==, vertex[0]);
  g_assert_cmpint (code->vertex_total, ==, vertex[1]);
  g_assert_cmpuint (code->names->len, ==, MIN (parts->len, 5));
  for (guint i = 0; i < code->names->len; i++)
    {
      const Part *part = &g_array_index (parts, Part, i);

      g_assert_cmpstr (code->names->pdata[i], ==, part->name);
      g_assert_cmpint (g_array_index (code->bytes, gint64, i), ==, part->bytes);
      if (i == 0 && (parts->len == 1 || compare_parts (part, part + 1) != 0))
        g_assert_cmpstr (code->tab, ==, part->tab);
    }
}

/* -------------------------------------------------------- variables and memory */

static void
check_variables (const AnalysisReport *opened, const TsrInsightContext *c)
{
  TsrVariables *variables = tsr_liveness_get_variables (opened->liveness);
  const guint n_touched = (guint)tsr_test_ask (
      opened->folder,
      "SELECT count (*) FROM (SELECT DISTINCT program, variable FROM program_variables p "
      "JOIN variables v ON v.id = p.variable JOIN var_categories c ON c.id = v.category "
      "WHERE c.name = 'variable' AND program IN (SELECT id FROM programs))");
  guint n = 0, at = 0;

  g_assert_cmpuint (c->n_variables, ==, tsr_variables_get_n (variables));
  for (guint v = 0; v < c->n_variables; v++)
    {
      const TsrInsightVariable *one = &c->variables[v];
      GHashTable *programs
          = c->touched != NULL ? g_hash_table_lookup (c->touched, GUINT_TO_POINTER (v)) : NULL;

      g_assert_cmpstr (one->name, ==, tsr_variables_get_name (variables, v));
      g_assert_cmpstr (one->category, ==, tsr_variables_get_category (variables, v));
      g_assert_cmpstr (one->element_type, ==, tsr_variables_get_element_type (variables, v));
      g_assert_cmpint (one->bytes, ==, tsr_variables_get_bytes (variables, v));
      g_assert_cmpint (one->life, ==, tsr_variables_get_life (variables, v));
      g_assert_cmpint (one->compiler_made, ==, tsr_variables_is_compiler_made (variables, v));
      for (guint p = 0; programs != NULL && p < c->programs->n_programs; p++)
        if (g_hash_table_contains (programs, GUINT_TO_POINTER (p)))
          {
            n++;
            g_assert_cmpint (
                tsr_test_ask (opened->folder,
                              "SELECT count (*) > 0 FROM program_variables p JOIN variables "
                              "v ON v.id = p.variable WHERE v.name = '%s' AND program = %d",
                              one->name, (int)c->programs->program_id[p]),
                ==, 1);
          }
      if (c->lifetimes != NULL && one->life != TSR_LIFE_ALWAYS)
        {
          g_autoptr (GArray) lives = tsr_variables_dup_lifetimes (variables, v, NULL, 0);

          g_assert_cmpmem (&g_array_index (c->lifetimes, TsrLifetime, at),
                           lives->len * sizeof (TsrLifetime), lives->data,
                           lives->len * sizeof (TsrLifetime));
          at += lives->len;
        }
      if (c->lifetimes != NULL)
        g_assert_cmpuint (c->lifetime_start[v + 1], ==, at);
    }
  if (c->lifetimes == NULL)
    g_assert_cmpuint (n, ==, n_touched);
  else
    g_assert_cmpuint (c->lifetimes->len, ==, at);
  for (gsize row = 0; c->lowered != NULL && row < c->lowered->n; row++)
    g_assert_cmpuint (c->entry[row], ==, tsr_variables_of_lowered (variables, row));
}

static void
check_steps (const AnalysisReport *opened, const TsrInsightContext *c)
{
  g_autoptr (GPtrArray) steps = tsr_test_ask_rows (
      opened->folder,
      "SELECT coalesce (name, ''), coalesce (not_always_live_bytes, -1) FROM liveness_steps "
      "s LEFT JOIN programs p ON p.id = s.program ORDER BY step");
  gboolean told = TRUE;

  g_assert_cmpuint (c->n_steps, ==, steps->len);
  for (guint k = 0; k < c->n_steps; k++)
    told = told && !g_str_equal (((char **)steps->pdata[k])[1], "-1");
  g_assert_cmpint (c->all_series != NULL, ==, told);
  for (guint k = 0; k < c->n_steps; k++)
    {
      char **step = steps->pdata[k];

      g_assert_cmpstr (c->step_names[k] != NULL ? c->step_names[k] : "", ==, step[0]);
      if (told)
        g_assert_cmpint (c->all_series[k], ==, g_ascii_strtoll (step[1], NULL, 10));
    }
}

static void
check_memory (const AnalysisReport *opened, const TsrInsightContext *c)
{
  g_assert_cmpint (c->n_replicas, ==,
                   tsr_test_ask (opened->folder, "SELECT num_replicas FROM target"));
  g_assert_cmpint (c->interleaved_start, ==,
                   tsr_test_ask (opened->folder, "SELECT interleaved_start FROM target"));
  g_assert_cmpint (
      c->n_stream_copies, ==,
      tsr_test_ask (opened->folder, "SELECT count (*) FROM programs WHERE type = 'StreamCopyMid'"));
  g_assert_cmpuint (c->n_categories, ==, tsr_memory_get_n_categories (opened->memory));
  for (guint i = 0; i < c->n_categories; i++)
    {
      g_autofree gint64 *bytes = tsr_memory_dup_category (opened->memory, i, FALSE);

      g_assert_cmpstr (c->category_names[i], ==, tsr_memory_get_category_name (opened->memory, i));
      g_assert_cmpstr (c->category_labels[i], ==,
                       tsr_memory_get_category_label (opened->memory, i));
      g_assert_cmpmem (c->category_bytes[i], c->n_tiles * sizeof *bytes, bytes,
                       c->n_tiles * sizeof *bytes);
    }
}

/* Arrays 10 to 21 are of the eight tiles; 9 is of four, and 900 is none. */
static char *
dup_shuffle (guint seed)
{
  return g_strdup_printf (
      "INSERT INTO vertex_types"
      "  SELECT 10 + id, name || '2', 7 + id, source_type, 5 + id %% 3 FROM vertex_types;"
      "INSERT OR IGNORE INTO compute_set_vertices"
      "  SELECT compute_set, 10 + (vertex_type + %1$u) %% 3, count,"
      "    9 + (compute_set * 5 + %1$u) %% 12, flops, estimated_cycles, measured_cycles"
      "  FROM compute_set_vertices"
      "  WHERE 10 + (vertex_type + %1$u) %% 3 IN (SELECT id FROM vertex_types);"
      "UPDATE programs SET"
      "  code_bytes_by_tile = iif ((id * 7 + %1$u) %% 5, 10 + (id * 11 + %1$u) %% 4, NULL),"
      "  control_code_by_tile = iif ((id + %1$u) %% 4, 9 + (id * 3 + %1$u) %% 12, NULL),"
      "  name = CASE id %% 3 WHEN 0 THEN 'x/' || id || '/y' WHEN 1 THEN 'x/' || (id * 10) || '/y'"
      "    ELSE name END;"
      "UPDATE programs SET code_bytes_by_tile = iif (%1$u %% 4 = 1, 900, 9)"
      "  WHERE id %% 7 = %1$u %% 7;"
      "UPDATE programs SET type = 'DoExchange' WHERE (id + %1$u) %% 3 > 0 AND compute_set IS NULL"
      "  AND callee IS NULL AND id NOT IN (SELECT parent FROM program_children);"
      "UPDATE programs SET compute_set = (id + %1$u) %% 3"
      "  WHERE (id * 5 + %1$u) %% 9 = 0 AND type = 'DoExchange';"
      "UPDATE steps SET"
      "  program = iif ((id + %1$u) %% 5, (id * 5 + id / 20 + %1$u) %% 28, NULL),"
      "  compute_set = iif ((id + %1$u) %% 10, NULL, (id / 10) %% 3),"
      "  run = iif (%1$u %% 8 = 5, id %% 2, id / (20 + %1$u));"
      "UPDATE liveness_steps SET not_always_live_bytes = NULL WHERE step = 3 AND %1$u %% 3 = 1;"
      "%2$s",
      seed, seed % 3 == 2 ? "DROP TABLE vars_info;" : "");
}

static void
test_context (void)
{
  for (guint seed = 0; seed < 16; seed++)
    {
      g_autofree char *sql = dup_shuffle (seed);
      g_auto (AnalysisReport) opened = { 0 };
      g_autoptr (GError) error = NULL;
      TsrInsightContext c = { .units = TSR_UNITS_BINARY };

      analysis_report_open (&opened, "tiny", sql, TSR_LOAD_ALL);
      g_assert_true (tsr_insight_context_collect (&c, opened.report, opened.memory, opened.liveness,
                                                  opened.vertices, NULL, &error));
      g_assert_no_error (error);
      check_memory (&opened, &c);
      check_variables (&opened, &c);
      check_steps (&opened, &c);
      check_exchanges (&opened, &c);
      check_vertices (&opened, &c);
      check_one_off (&opened, &c);
      tsr_insight_context_clear (&c);
    }
  for (guint i = 0; i < G_N_ELEMENTS (n_sums); i++)
    g_assert_cmpuint (n_sums[i], >, 500);
  for (guint i = 0; i < G_N_ELEMENTS (n_exchanges); i++)
    g_assert_cmpuint (n_exchanges[i], >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/context/shuffled", test_context);
  return g_test_run ();
}
