/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The register of tables: each entry is a command, and what that prints as JSON, CSV and text is
 * what the window's question is answered with. */

#include "config.h"

#include "cli-test.h"
#include "question-fixture.h"
#include "tsr-locale.h"
#include "tsr-rows-print.h"
#include "tsr-tables.h"

#include <string.h>

typedef struct
{
  char *folder;
  QuestionFixture report;
  gboolean only_json; /* the other formats have the same rows: asked for of one report */
} Fixture;

/* Takes @folder; two steps are selected where a table is of two. */
static void
open_report (Fixture *f, char *folder)
{
  f->folder = folder;
  question_fixture_open (&f->report, folder);
}

static void
close_report (Fixture *f)
{
  question_fixture_close (&f->report);
  tsr_test_folder_free (f->folder);
}

/* (transfer none): the second operation, which has producers and consumers. */
static const char *
select_operation (TsrOperationQuestion *question)
{
  static char option[64];
  const TsrDebugTables *debug;

  question->operation = 1;
  if (question->operations == NULL || tsr_operations_get_n (question->operations) < 3)
    return "--operation=none";
  debug = tsr_operations_get_debug (question->operations);
  g_snprintf (option, sizeof option, "--operation=%" G_GUINT64_FORMAT,
              debug->id[tsr_operations_get_context (question->operations, 1)]);
  return option;
}

/* (transfer none): a variable that programs touch, if there are any. */
static const char *
select_variable (TsrVariables *variables, guint32 *variable)
{
  static char option[256];

  *variable = 0;
  if (variables == NULL || tsr_variables_get_n (variables) == 0)
    return "--variable=none";
  g_snprintf (option, sizeof option, "--variable=%s", tsr_variables_get_name (variables, 0));
  return option;
}

/* (transfer none): the first measure of the plan, if there is a plan. */
static const char *
select_measure (TsrTableQuestion *question)
{
  static char option[256];
  guint n = 0;
  const TsrMeasure *measures = tsr_plan_peek_measures (question->plan, &n);

  question->measures = n > 0 && measures[0].saved != NULL ? 1 : 0;
  g_snprintf (option, sizeof option, "--plan=%s", question->measures != 0 ? measures[0].id : "");
  return option;
}

/* (transfer none): what is selected for the table, as an option of the command. */
static const char *
select_for (Fixture *f, const TsrTableInfo *info)
{
  TsrLivenessQuestion *liveness = &f->report.question.of_liveness;
  TsrTraceQuestion *trace = &f->report.question.of_trace;

  TsrProgramQuestion *programs = &f->report.question.of_programs;

  programs->program = programs->variable = TSR_NO_INDEX;
  if (g_str_equal (info->key, "touching"))
    return select_variable (f->report.variables, &programs->variable);
  if (g_str_equal (info->key, "plan"))
    return select_measure (&f->report.question);
  if (g_str_equal (info->command, "programs") && info->tab >= TSR_PROGRAM_TAB_VARIABLES)
    {
      programs->program = MIN (3, tsr_programs_get_n (programs->programs) - 1);
      return "--program=3";
    }
  if (g_str_equal (info->command, "operations") && info->tab != TSR_OPERATION_TAB_LIST)
    return select_operation (&f->report.question.of_operations);
  liveness->n_steps = trace->n_steps = 0;
  trace->hidden = 0;
  if (g_str_equal (info->key, "a-to-b"))
    {
      liveness->n_steps = 2;
      liveness->steps[0] = 40;
      liveness->steps[1] = 60;
      return "--step=40,60";
    }
  if (g_str_equal (info->command, "trace") && g_str_equal (info->key, "details"))
    {
      const guint ipu = trace->trace != NULL && tsr_trace_get_n_ipus (trace->trace) > 1 ? 1 : 0;

      trace->n_steps = 2;
      trace->steps[0] = (TsrTraceStepRef){ 12, 0 };
      trace->steps[1] = (TsrTraceStepRef){ 15, ipu };
      return ipu == 1 ? "--step=12,15:1" : "--step=12,15:0";
    }
  for (guint i = 0; trace->trace != NULL && g_str_equal (info->key, "aggregate")
                    && i < tsr_trace_get_n_types (trace->trace);
       i++)
    if (tsr_trace_get_type (trace->trace, i)->start_up)
      trace->hidden |= 1u << i;
  return "--units=binary";
}

/* (transfer full): a cell as it is told without a format: "" for what is not known. */
static char *
dup_cell (TsrRows *rows, guint32 row, guint column)
{
  const TsrRowColumn *info = tsr_rows_get_column (rows, column);
  gint64 value = tsr_rows_get_value (rows, row, column);

  if (info->cell == TSR_CELL_KIND_TEXT)
    return g_strdup (
        tsr_rows_get_text (rows, row, column) != NULL ? tsr_rows_get_text (rows, row, column) : "");
  if (value == TSR_UNKNOWN)
    return g_strdup ("");
  if (info->kind == TSR_VALUE_FRACTION)
    return g_strdup_printf ("%.9f", (double)value / 1e9);
  return g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

static char *
dup_json_cell (const TsrRowColumn *info, JsonNode *node)
{
  g_assert_nonnull (node);
  if (JSON_NODE_HOLDS_NULL (node))
    return g_strdup ("");
  if (info->cell == TSR_CELL_KIND_TEXT)
    return g_strdup (json_node_get_string (node));
  if (info->kind == TSR_VALUE_FRACTION)
    return g_strdup_printf ("%.9f", json_node_get_double (node));
  return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
}

/* A field of CSV; what a spreadsheet would take for a formula has an apostrophe. */
static char *
dup_csv_cell (const TsrRowColumn *info, const char *field)
{
  if (info->cell == TSR_CELL_KIND_TEXT)
    return g_strdup (*field == '\'' && strchr ("=+-@", field[1]) != NULL ? field + 1 : field);
  if (info->kind == TSR_VALUE_FRACTION && *field != '\0')
    return g_strdup_printf ("%.9f", g_ascii_strtod (field, NULL));
  return g_strdup (field);
}

static void
check_columns (TsrRows *rows, const GStrv heading)
{
  g_autoptr (GRegex) word
      = g_regex_new ("^[a-z][A-Za-z0-9]*(\\.[A-Za-z][A-Za-z0-9 ()-]*)?$", 0, 0, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  g_assert_cmpuint (g_strv_length (heading), ==, tsr_rows_get_n_columns (rows));
  for (guint c = 0; c < tsr_rows_get_n_columns (rows); c++)
    {
      const char *key = tsr_rows_get_column (rows, c)->key;

      g_assert_cmpstr (heading[c], ==, key);
      g_assert_true (g_hash_table_add (seen, (gpointer)key));
      if (!g_regex_match (word, key, 0, NULL))
        g_error ("\"%s\" is no word of JSON", key);
    }
}

/* The first text of a tree's CSV is the path. */
static char *
dup_path (TsrRows *rows, guint32 row)
{
  guint32 parent = tsr_rows_is_tree (rows) ? tsr_rows_get_parent (rows, row) : TSR_NO_INDEX;
  g_autofree char *above = parent != TSR_NO_INDEX ? dup_path (rows, parent) : NULL;
  g_autofree char *name = dup_cell (rows, row, 0);

  return above != NULL ? g_strconcat (above, " / ", name, NULL) : g_steal_pointer (&name);
}

static void
check_rows (const TsrTableInfo *info,
            const TsrTableAnswer *answer,
            JsonArray *json,
            GPtrArray *csv) /* (nullable) */
{
  g_auto (GStrv) keys = tsr_tables_dup_row_keys (info, answer->rows);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (TsrRowOrder) order = NULL;
  gboolean tree = tsr_rows_is_tree (answer->rows);
  guint line = 1;
  int column = -1;

  for (guint c = 0; answer->sort_key != NULL && c < tsr_rows_get_n_columns (answer->rows); c++)
    if (g_str_equal (tsr_rows_get_column (answer->rows, c)->key, answer->sort_key))
      column = (int)c;
  g_assert_true (answer->sort_key == NULL || column >= 0);
  order = tsr_rows_arrange (answer->rows, column, TRUE, NULL, NULL, NULL);
  g_assert_cmpuint (json_array_get_length (json), ==, tsr_rows_get_n (answer->rows));
  if (csv != NULL)
    check_columns (answer->rows, csv->pdata[0]);
  for (guint32 i = 0; i < order->n; i++)
    {
      JsonObject *object = json_array_get_object_element (json, i);
      guint32 row = order->rows[i];

      g_assert_cmpstr (json_object_get_string_member (object, "key"), ==, keys[row]);
      g_assert_true (g_hash_table_add (seen, keys[row]));
      g_assert_null (strstr (keys[row], "\t#")); /* the cells alone tell these rows apart */
      g_assert_cmpuint (json_object_get_size (object), ==,
                        tsr_rows_get_n_columns (answer->rows) + 1 + (tree ? 1 : 0));
      if (tree && tsr_rows_get_parent (answer->rows, row) != TSR_NO_INDEX)
        g_assert_cmpstr (json_object_get_string_member (object, "parent"), ==,
                         keys[tsr_rows_get_parent (answer->rows, row)]);
      else if (tree)
        g_assert_true (json_object_get_null_member (object, "parent"));
      for (guint c = 0; c < tsr_rows_get_n_columns (answer->rows); c++)
        {
          const TsrRowColumn *head = tsr_rows_get_column (answer->rows, c);
          g_autofree char *cell = dup_cell (answer->rows, row, c);
          g_autofree char *in_json
              = dup_json_cell (head, json_object_get_member (object, head->key));

          g_assert_cmpstr (in_json, ==, cell);
          if (csv != NULL && !tsr_rows_is_heading (answer->rows, row))
            {
              g_autofree char *in_csv = dup_csv_cell (head, ((GStrv)csv->pdata[line])[c]);
              g_autofree char *told
                  = c == 0 && tree ? dup_path (answer->rows, row) : g_strdup (cell);

              g_assert_cmpstr (in_csv, ==, told);
            }
        }
      line += tsr_rows_is_heading (answer->rows, row) ? 0 : 1;
    }
  g_assert_true (csv == NULL || csv->len == line);
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

static void
check_entry (Fixture *f, const TsrTableInfo *info)
{
  g_autofree char *table = g_strdup_printf ("--table=%s", info->key);
  const char *option = NULL;
  g_auto (CliRun) run = { 0 };

  g_test_message ("%s %s", info->command, table);
  if ((g_str_equal (info->command, "trace") || g_str_equal (info->key, "steps"))
      && f->report.question.of_trace.trace == NULL)
    {
      option = g_str_equal (info->key, "steps") ? select_for (f, info) : NULL;
      cli_run (&run, info->command, f->folder, table, option, NULL);
      g_assert_cmpint (run.status, ==, 2);
      g_assert_cmpstr (run.out, ==, "");
      return;
    }
  option = select_for (f, info);
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (TsrTableAnswer) answer = tsr_tables_answer (info, &f->report.question, NULL, &error);
    g_auto (CliRun) text = { 0 };
    g_auto (CliRun) comma = { 0 };
    g_autoptr (GPtrArray) csv = NULL;

    g_assert_no_error (error);
    if (answer->rows
        == NULL) /* one IPU makes no pipeline; PopLibs alone writes no framework.json */
      {
        if (g_str_equal (info->command, "trace"))
          g_assert_cmpuint (tsr_trace_get_n_ipus (f->report.question.of_trace.trace), ==, 1);
        else
          g_assert_false (
              tsr_report_get_files (f->report.question.report)->files[TSR_FILE_FRAMEWORK].found);
        g_assert_true (g_str_equal (info->command, "trace")
                       || g_str_equal (info->key, "framework"));
        cli_run (&run, info->command, f->folder, table, option, NULL);
        g_assert_cmpint (run.status, ==, 2);
        g_assert_cmpstr (run.out, ==, "");
        g_assert_nonnull (strstr (run.err, answer->title));
        return;
      }
    g_assert_cmpuint (tsr_rows_get_n (answer->rows), >, 0);
    cli_run_json (&run, info->command, f->folder, table, option, NULL);
    g_assert_cmpstr (run.err, ==, "");
    g_assert_cmpstr (json_node_get_string (cli_member (run.json, "table")), ==, info->key);
    if (f->only_json)
      {
        check_rows (info, answer, cli_array (run.json, "rows"), NULL);
        return;
      }
    cli_run (&comma, info->command, f->folder, table, option, "--format=csv", NULL);
    csv = cli_parse_csv (comma.out);
    check_rows (info, answer, cli_array (run.json, "rows"), csv);
    cli_run (&text, info->command, f->folder, table, option, "--limit=1", NULL);
    g_assert_cmpuint (count_lines (text.out), ==, tsr_rows_get_n (answer->rows) > 1 ? 3 : 2);
  }
}

static void
test_register (gconstpointer data)
{
  Fixture f = { 0 };
  const TsrTableInfo *infos;
  guint n;

  infos = tsr_tables_peek (&n);
  f.only_json = !g_str_equal (data, "demo");
  open_report (&f, cli_report_new (data));
  for (guint i = 0; i < n; i++)
    {
      g_assert_true (tsr_tables_find (infos[i].command, infos[i].key) == &infos[i]);
      check_entry (&f, &infos[i]);
    }
  close_report (&f);
}

/* ---- without the command line: keys and CSV of what the window asks */

#define N_VARIANTS 7 /* at most so many ways to group rows */

/* (transfer full): CSV of all tables with the keys of their rows, grouped in each way; lines of
 * keys have gone to @keys. */
static char *
dup_tables (Fixture *f, GString *keys)
{
  GString *all = g_string_new (NULL);
  const TsrTableInfo *infos;
  guint n;

  infos = tsr_tables_peek (&n);
  for (guint i = 0; i < n * N_VARIANTS; i++)
    {
      const TsrTableInfo *info = &infos[i / N_VARIANTS];
      guint variant = i % N_VARIANTS;
      TsrTableQuestion *q = &f->report.question;
      g_autoptr (TsrTableAnswer) answer = NULL;
      g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
      g_auto (GStrv) of_rows = NULL;
      g_autofree char *csv = NULL;
      g_autoptr (GError) error = NULL;

      select_for (f, info);
      for (guint k = 0; k < q->of_liveness.n_steps; k++)
        q->of_liveness.steps[k] %= tsr_liveness_get_n_steps (q->of_liveness.liveness);
      q->of_liveness.by = MIN (variant, TSR_LIVENESS_N_BY - 1);
      q->of_trace.group = variant;
      q->of_trace.regex = (char *)"^([a-z]*)";
      q->scope = MIN (variant, TSR_LARGEST_OF_TILES);
      answer = tsr_tables_answer (info, q, NULL, &error);
      g_assert_no_error (error);
      if (answer->rows == NULL)
        continue;
      of_rows = tsr_tables_dup_row_keys (info, answer->rows);
      g_string_append_printf (keys, "%s %s %u\n", info->command, info->key, variant);
      for (guint32 row = 0; row < tsr_rows_get_n (answer->rows); row++)
        {
          if (!g_hash_table_add (seen, of_rows[row]))
            g_error ("%s %s: \"%s\" stands twice", info->command, info->key, of_rows[row]);
          g_string_append_printf (keys, "%s\n", of_rows[row]);
        }
      csv = tsr_rows_dup_csv (answer->rows, NULL);
      g_string_append (all, csv);
    }
  return g_string_free (all, FALSE);
}

/* Keys are the same in all languages. */
static void
test_languages (gconstpointer data)
{
  Fixture f = { 0 };
  g_autoptr (GString) keys = g_string_new (NULL);
  g_autoptr (GString) german_keys = g_string_new (NULL);
  g_autofree char *english = NULL;
  g_autofree char *german = NULL;

  if (tsr_test_make_locale ("de_DE"))
    {
      open_report (&f, cli_report_new (data));
      english = dup_tables (&f, keys);
      g_setenv ("LC_ALL", "de_DE.UTF-8", TRUE);
      tsr_locale_init ();
      german = dup_tables (&f, german_keys);
      g_setenv ("LC_ALL", "C.UTF-8", TRUE);
      tsr_locale_init ();
      g_assert_cmpstr (german, !=, english);
      g_assert_nonnull (strstr (german, "Alle IPUs"));
      g_assert_cmpstr (german_keys->str, ==, keys->str);
      close_report (&f);
    }
}

/* What a person sees of a table: rows, or what it is that there are none and what to do.  A tree's
 * rows stand below their parents, and a filter finds a row by what it says. */
static void
check_answer (const TsrTableInfo *info, const TsrTableAnswer *answer)
{
  const guint32 n = answer->rows != NULL ? tsr_rows_get_n (answer->rows) : 0;
  g_auto (GStrv) keys = n > 0 ? tsr_tables_dup_row_keys (info, answer->rows) : NULL;

  if (n == 0)
    {
      g_assert_true (answer->rows != NULL || answer->title != NULL);
      g_assert_true (answer->title == NULL || *answer->title != '\0');
      g_assert_true (answer->text == NULL || *answer->text != '\0');
      return;
    }
  g_assert_cmpuint (g_strv_length (keys), ==, n);
  for (guint32 row = 0; row < n; row++)
    {
      guint32 parent = tsr_rows_is_tree (answer->rows) ? tsr_rows_get_parent (answer->rows, row)
                                                       : TSR_NO_INDEX;

      g_assert_true (parent == TSR_NO_INDEX || parent < row);
      for (guint c = 0; c < tsr_rows_get_n_columns (answer->rows); c++)
        {
          g_autofree char *cell = tsr_rows_dup_text (answer->rows, row, c, TSR_UNITS_BINARY);

          g_assert_true (g_utf8_validate (cell, -1, NULL));
        }
    }
}

/* Each table of a report that lacks something, with nothing selected and with something. */
static void
test_missing (void)
{
  static const char *const lacks[] = {
    "",
    "DELETE FROM variables; DELETE FROM variable_lifetimes;",
    "DROP TABLE variable_lifetimes",
    "DROP TABLE program_variables",
    "DROP TABLE compute_set_vertices",
    "DELETE FROM vertex_types",
    "DROP TABLE vars_info",
    "DROP TABLE steps_by_ipu",
    "DELETE FROM steps WHERE type = 'StreamCopyMid'",
    "DROP TABLE liveness_steps",
    "DROP TABLE memory_by_tile_category",
  };
  const TsrTableInfo *infos;
  guint n, n_rows = 0, n_none = 0;

  infos = tsr_tables_peek (&n);
  for (guint k = 0; k < G_N_ELEMENTS (lacks); k++)
    {
      Fixture f = { 0 };
      TsrTableQuestion *q = &f.report.question;
      char *folder = cli_report_new ("tiny");

      tsr_test_sql (folder, "profile.pop", lacks[k]);
      open_report (&f, folder);
      for (guint i = 0; i < 2 * n; i++)
        {
          const TsrTableInfo *info = &infos[i / 2];
          g_autoptr (TsrTableAnswer) answer = NULL;
          g_autoptr (GError) error = NULL;

          g_test_message ("%s: %s %s %u", lacks[k], info->command, info->key, i % 2);
          if (g_str_equal (info->command, "trace") && q->of_trace.trace == NULL)
            continue;
          select_for (&f, info);
          if (i % 2 == 0)
            {
              q->of_programs.program = q->of_programs.variable = TSR_NO_INDEX;
              q->of_operations.operation = TSR_NO_INDEX;
              q->of_liveness.n_steps = q->of_trace.n_steps = 0;
            }
          for (guint s = 0; s < q->of_liveness.n_steps; s++)
            q->of_liveness.steps[s] %= MAX (tsr_liveness_get_n_steps (q->of_liveness.liveness), 1);
          if (tsr_liveness_get_n_steps (q->of_liveness.liveness) == 0)
            q->of_liveness.n_steps = 0;
          answer = tsr_tables_answer (info, q, NULL, &error);
          g_assert_no_error (error);
          check_answer (info, answer);
          n_rows += answer->rows != NULL;
          n_none += answer->rows == NULL;
        }
      close_report (&f);
    }
  g_assert_cmpuint (n_rows, >, n_none);
  g_assert_cmpuint (n_none, >, G_N_ELEMENTS (lacks));
}

/* Several IPUs and replicas: each of their rows has a key of its own. */
static void
test_ipus (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (GString) keys = g_string_new (NULL);
  g_autofree char *csv = NULL;
  Fixture f = { 0 };

  tsr_test_make_report (folder, "600", "trace", NULL); /* trace 600 */
  open_report (&f, folder);
  csv = dup_tables (&f, keys);
  for (guint ipu = 0; ipu < 4; ipu++)
    {
      g_autofree char *line = g_strdup_printf ("\nipu%u\n", ipu);

      g_assert_nonnull (strstr (keys->str, line));
    }
  close_report (&f);
}

/* Rows of one name, which compilers make, are told apart by their number. */
static void
test_same_names (void)
{
  g_auto (CliRun) run = { 0 };
  char *folder = cli_report_new ("demo");
  JsonArray *rows;
  guint n = 0;

  tsr_test_sql (folder, "profile.pop", "UPDATE vertex_types SET name = 'same' WHERE id < 3");
  cli_run_json (&run, "memory", folder, "--table=vertices", "--filter=same", NULL);
  rows = cli_array (run.json, "rows");
  g_assert_cmpuint (json_array_get_length (rows), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const char *key
          = json_object_get_string_member (json_array_get_object_element (rows, i), "key");

      n |= g_str_equal (key, "same") ? 1 : 0;
      n |= g_str_equal (key, "same\t#2") ? 2 : 0;
      n |= g_str_equal (key, "same\t#3") ? 4 : 0;
    }
  g_assert_cmpuint (n, ==, 7);
  tsr_test_folder_free (folder);
}

/* ---- order */

static const struct
{
  const char *command, *table /* (nullable) */, *key, *member;
  gboolean text;
} orders[] = {
  { "programs", "--table=costliest", "cycles", "cycles", FALSE },
  { "programs", "--table=costliest", "name", "name", TRUE },
  { "operations", NULL, "wallCycles", "wallCycles", FALSE },
  { "operations", NULL, "codeBytes", "codeBytes", FALSE },
  { "operations", NULL, "debugName", "debugName", TRUE },
  { "memory", "--table=vertices", "bytes", "bytes", FALSE },
  { "memory", "--table=vertices", "name", "name", TRUE },
};

/* < 0: @a stands before @b in a list that ascends; what is unknown stands last in both. */
static double
compare_members (JsonObject *a, JsonObject *b, guint i, gboolean descending)
{
  JsonNode *left = json_object_get_member (a, orders[i].member);
  JsonNode *right = json_object_get_member (b, orders[i].member);
  g_autofree char *of_left = NULL, *of_right = NULL;

  if (JSON_NODE_HOLDS_NULL (left) || JSON_NODE_HOLDS_NULL (right))
    return JSON_NODE_HOLDS_NULL (left) - JSON_NODE_HOLDS_NULL (right);
  if (!orders[i].text)
    return (json_node_get_double (left) - json_node_get_double (right)) * (descending ? -1 : 1);
  of_left = g_utf8_casefold (json_node_get_string (left), -1);
  of_right = g_utf8_casefold (json_node_get_string (right), -1);
  return strcmp (of_left, of_right) * (descending ? -1 : 1);
}

/* Numbers largest first and texts from A on; a sign says it for both. */
static void
test_order (void)
{
  static const char *const signs[] = { "", "-", "+" };
  char *folder = cli_report_new ("demo");

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    for (guint k = 0; k < G_N_ELEMENTS (signs); k++)
      {
        const gboolean descending = k == 0 ? !orders[i].text : k == 1;
        g_autofree char *sort = g_strdup_printf ("--sort=%s%s", signs[k], orders[i].key);
        g_auto (CliRun) run = { 0 };
        JsonArray *rows;
        guint n_differ = 0;

        g_test_message ("%s %s %s", orders[i].command,
                        orders[i].table != NULL ? orders[i].table : "", sort);
        cli_run_json (&run, orders[i].command, folder, sort, orders[i].table, NULL);
        rows = orders[i].table != NULL ? cli_array (run.json, "rows")
                                       : json_node_get_array (run.json);
        g_assert_cmpuint (json_array_get_length (rows), >, 2);
        for (guint row = 1; row < json_array_get_length (rows); row++)
          {
            const double order
                = compare_members (json_array_get_object_element (rows, row - 1),
                                   json_array_get_object_element (rows, row), i, descending);

            g_assert_cmpfloat (order, <=, 0);
            n_differ += order < 0;
          }
        g_assert_cmpuint (n_differ, >, 1);
      }
  tsr_test_folder_free (folder);
}

/* --sort and --filter of what is printed without --table. */
static void
test_order_of_lists (void)
{
  g_auto (CliRun) all = { 0 };
  g_auto (CliRun) some = { 0 };
  g_auto (CliRun) programs = { 0 };
  g_auto (CliRun) costliest = { 0 };
  char *folder = cli_report_new ("demo");
  JsonArray *rows, *wanted;
  guint n = 0;

  cli_run_json (&all, "operations", folder, NULL);
  rows = json_node_get_array (all.json);
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);
      JsonNode *name = json_object_get_member (row, "name");
      JsonNode *debug_name = json_object_get_member (row, "debugName");

      n += (!JSON_NODE_HOLDS_NULL (name) && strstr (json_node_get_string (name), "conv") != NULL)
           || (!JSON_NODE_HOLDS_NULL (debug_name)
               && strstr (json_node_get_string (debug_name), "conv") != NULL);
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, json_array_get_length (rows));
  cli_run_json (&some, "operations", folder, "--filter=conv", NULL);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (some.json)), ==, n);

  cli_run_json (&programs, "programs", folder, "--sort=cycles", NULL);
  cli_run_json (&costliest, "programs", folder, "--table=costliest", "--sort=-cycles", NULL);
  rows = json_node_get_array (programs.json);
  wanted = cli_array (costliest.json, "rows");
  g_assert_cmpuint (json_array_get_length (rows), ==, json_array_get_length (wanted));
  for (guint i = 0; i < json_array_get_length (rows); i++)
    g_assert_cmpint (json_object_get_int_member (json_array_get_object_element (rows, i), "id"), ==,
                     json_object_get_int_member (json_array_get_object_element (wanted, i), "id"));
  tsr_test_folder_free (folder);
}

/* ---- words that are off */

static void
test_words (void)
{
  static const char *const wrong[][4] = {
    { "memory", "--table=nothing", NULL },
    { "memory", "--table=vertices", "--sort=nothing", NULL },
    { "memory", "--table=vertices", "--sort=+", NULL },
    { "memory", "--sort=bytes", NULL }, /* of no table */
    { "trace", "--filter=conv", NULL },
    { "operations", "--sort=programs", NULL }, /* a list */
    { "operations", "--operation=none", NULL },
    { "operations", "--group-by=x", NULL },
    { "operations", "--depth=0", NULL },
    { "trace", "--group-by=name", NULL },
    { "trace", "--steps", "--flushes", NULL },
    { "liveness", "--depth=2", NULL },
    { "liveness", "--gone", NULL },
    { "programs", "--tree", "--group", NULL },
    { "insights", "--scope=ipus", NULL },
    { "memory", "--table=vertices", "--filter=/(/", NULL },
    { "memory", "--table=vertices", "--tile=x", NULL },
    { "liveness", "--table=peak", "--group-by=x", NULL },
    { "liveness", "--table=peak", "--depth=0", NULL },
    { "liveness", "--table=a-to-b", "--step=1,99999", NULL },
    { "liveness", "--table=a-to-b", "--step=1,", NULL },
    { "liveness", "--table=peak", "--source=x", NULL },
    { "trace", "--table=details", "--step=x", NULL },
    { "trace", "--table=details", "--step=1:9", NULL },
    { "trace", "--table=details", NULL },
    { "trace", "--table=aggregate", "--group-by=regex", NULL },
    { "insights", "--table=largest", "--scope=x", NULL },
  };
  char *folder = cli_report_new ("demo");

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (CliRun) run = { 0 };

      cli_run (&run, wrong[i][0], folder, wrong[i][1], wrong[i][2], NULL);
      g_test_message ("%s", run.err);
      g_assert_cmpint (run.status, ==, 2);
      g_assert_cmpstr (run.out, ==, "");
      g_assert_cmpuint (count_lines (run.err), ==, 1);
    }
  tsr_test_folder_free (folder);
}

/* ---- what a command prints without --table */

static const struct
{
  const char *command, *option; /* (nullable) */
} plain[] = {
  { "summary", NULL },    { "insights", NULL },  { "memory", NULL },     { "liveness", NULL },
  { "vertices", NULL },   { "variables", NULL }, { "programs", NULL },   { "programs", "--tree" },
  { "operations", NULL }, { "trace", NULL },     { "trace", "--steps" }, { "check", NULL },
};

/* As many rows in CSV and JSON, and where both say the same, with the same keys in that order. */
static void
check_plain (const char *csv, JsonNode *json)
{
  g_autoptr (GPtrArray) lines = cli_parse_csv (csv);
  const guint n_columns = g_strv_length (lines->pdata[0]);
  JsonArray *rows = json_node_get_array (json);

  g_assert_cmpuint (lines->len, ==, json_array_get_length (rows) + 1);
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *object = json_array_get_object_element (rows, i);
      g_autoptr (GList) members = json_object_get_members (object);

      g_assert_cmpuint (g_strv_length (lines->pdata[i + 1]), ==, n_columns);
      g_assert_cmpuint (g_list_length (members), ==, n_columns);
      for (guint k = 0; k < n_columns; k++)
        g_assert_cmpstr (g_list_nth_data (members, k), ==, ((GStrv)lines->pdata[0])[k]);
    }
}

static void
test_formats (gconstpointer preset)
{
  g_autofree char *folder = cli_report_new (preset);

  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    {
      const char *option = plain[i].option;
      g_auto (CliRun) text = { 0 };
      g_auto (CliRun) csv = { 0 };
      g_auto (CliRun) json = { 0 };

      g_test_message ("%s %s", plain[i].command, option != NULL ? option : "");
      cli_run (&text, plain[i].command, folder, "--format=text", option, NULL);
      cli_run (&csv, plain[i].command, folder, "--format=csv", option, NULL);
      cli_run_json (&json, plain[i].command, folder, option, NULL);
      g_assert_cmpint (text.status, ==, csv.status);
      g_assert_cmpint (text.status, ==, json.status);
      g_assert_cmpint (text.status, ==, 0);
      g_assert_cmpstr (csv.err, ==, text.err);
      g_assert_cmpstr (json.err, ==, text.err);
      g_assert_cmpuint (count_lines (text.out), >, 0);
      g_assert_cmpuint (count_lines (csv.out), >, 0);
      /* A tree is nested in JSON. */
      if (JSON_NODE_HOLDS_ARRAY (json.json) && g_strcmp0 (option, "--tree") != 0)
        check_plain (csv.out, json.json);
      else
        g_assert_true (JSON_NODE_HOLDS_OBJECT (json.json) || JSON_NODE_HOLDS_ARRAY (json.json));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli-tables/demo", "demo", test_register);
  g_test_add_data_func ("/cli-tables/oom", "oom", test_register);
  g_test_add_data_func ("/cli-tables/poplibs", "poplibs", test_register);
  g_test_add_data_func ("/cli-tables/languages", "demo", test_languages);
  g_test_add_data_func ("/cli-tables/languages-tiny", "tiny", test_languages);
  g_test_add_data_func ("/cli-tables/formats", "demo", test_formats);
  g_test_add_data_func ("/cli-tables/formats-poplibs", "poplibs", test_formats);
  g_test_add_func ("/cli-tables/missing", test_missing);
  g_test_add_func ("/cli-tables/ipus", test_ipus);
  g_test_add_func ("/cli-tables/same-names", test_same_names);
  g_test_add_func ("/cli-tables/order", test_order);
  g_test_add_func ("/cli-tables/order-of-lists", test_order_of_lists);
  g_test_add_func ("/cli-tables/words", test_words);
  return g_test_run ();
}
