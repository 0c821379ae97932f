/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables about programs: the tree against the file's links, shared functions and what is opened,
 * hidden and grouped rows, variables both ways against SQL. */

#include "config.h"

#include "hand-programs.h"
#include "tsr-program-rows.h"
#include "tsr-row-outline.h"
#include "tsr-test.h"

#include <string.h>

static TsrProgramQuestion
make_question (TsrPrograms *programs, guint tab)
{
  return (TsrProgramQuestion){ .tab = tab,
                               .programs = programs,
                               .step = TSR_NO_INDEX,
                               .root = TSR_NO_INDEX,
                               .program = TSR_NO_INDEX,
                               .variable = TSR_NO_INDEX };
}

static TsrTableAnswer *
ask (const TsrProgramQuestion *question)
{
  g_autoptr (GError) error = NULL;
  TsrTableAnswer *answer = tsr_program_answer_new (question, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (answer);
  return answer;
}

static guint
find_column (TsrRows *rows, const char *key)
{
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    if (g_strcmp0 (tsr_rows_get_column (rows, i)->key, key) == 0)
      return i;
  g_error ("there is no column %s", key);
}

/* A row of several programs has what they add up to, each of them once; an id and the like only of
 * one, and code that others may have a part in not of several. */
static void
check_group (const TsrProgramQuestion *question, const TsrTableAnswer *answer, guint32 row)
{
  static const char *const of_one[] = { "id", "callers", "cyclesLast", NULL };
  static const char *const of_types[] = { "codeTile", "codeTileSelf", "code", "vertex", NULL };
  const TsrProgramTables *t = tsr_programs_get_tables (question->programs);
  TsrRows *rows = answer->rows;

  for (guint c = 0; c < tsr_rows_get_n_columns (rows); c++)
    {
      const char *key = tsr_rows_get_column (rows, c)->key;
      g_autoptr (GHashTable) of = g_hash_table_new (NULL, NULL);
      gint64 sum = 0, most = TSR_UNKNOWN;
      gboolean types = FALSE;

      if (tsr_rows_get_column (rows, c)->cell != TSR_CELL_KIND_VALUE)
        continue;
      for (guint32 i = row + 1; i < tsr_rows_get_end (rows, row); i++)
        {
          guint32 program = answer->places[i].program;
          gint64 value = tsr_rows_get_value (rows, i, c);

          if (!g_hash_table_add (of, GUINT_TO_POINTER (program)))
            continue;
          sum = sum == TSR_UNKNOWN || value == TSR_UNKNOWN ? TSR_UNKNOWN : sum + value;
          most = MAX (most, value);
          types |= t->program_compute_set[program] != TSR_NO_INDEX;
        }
      g_assert_cmpuint (g_hash_table_size (of), >=, 1);
      if (g_hash_table_size (of) > 1
          && (g_strv_contains (of_one, key) || (types && g_strv_contains (of_types, key))))
        sum = TSR_UNKNOWN;
      if (tsr_rows_get_value (rows, row, c) != (g_str_equal (key, "live") ? most : sum))
        g_error ("%s of %s", key, tsr_rows_get_text (rows, row, 0));
    }
}

/* Keys differ, and rows stand below the program that has them. */
static void
check_tree (const TsrProgramQuestion *question, const TsrTableAnswer *answer)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  TsrRows *rows = answer->rows;

  g_assert_true (tsr_rows_is_tree (rows));
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    {
      const TsrProgramPlace *place = &answer->places[row];
      guint32 parent = tsr_rows_get_parent (rows, row);
      char *key = tsr_rows_dup_key (rows, row);

      if (!g_hash_table_add (keys, key))
        g_error ("\"%s\" stands twice", key);
      if (parent == TSR_NO_INDEX)
        g_assert_cmpuint (place->edge, ==, TSR_NO_INDEX);
      else if (question->hidden == NULL && answer->places[parent].mark != TSR_PLACE_GROUP)
        g_assert_cmpuint (answer->places[parent].program, ==,
                          tsr_programs_find_parent (question->programs, place->edge));
      if (place->edge != TSR_NO_INDEX)
        g_assert_cmpuint (tsr_programs_get_child (question->programs, place->edge), ==,
                          place->program);
    }
}

typedef struct
{
  char *folder;
  TsrReport *report;
  TsrPrograms *programs;
} Fixture;

static void
fixture_open (Fixture *f, const char *sql)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;

  f->folder = tsr_test_report_new ("demo");
  if (sql != NULL)
    tsr_test_sql (f->folder, "profile.pop", sql);
  f->report = tsr_report_open_sync (place, f->folder, TSR_LOAD_NO_LOWERED, NULL, &error);
  g_assert_no_error (error);
  f->programs = tsr_programs_new (f->report, NULL, &error);
  g_assert_no_error (error);
}

static void
fixture_close (Fixture *f)
{
  tsr_programs_unref (f->programs);
  g_object_unref (f->report);
  tsr_test_folder_free (f->folder);
}

static guint
count_marks (const TsrTableAnswer *answer, TsrPlaceMark mark)
{
  guint n = 0;

  for (guint32 row = 0; row < tsr_rows_get_n (answer->rows); row++)
    n += answer->places[row].mark == mark;
  return n;
}

/* As many rows as links below what the roots lead to, and the roots; each program once whole. */
static void
test_tree (void)
{
  Fixture f;
  TsrProgramQuestion question;
  g_autoptr (TsrTableAnswer) answer = NULL;
  gint64 links, reached, roots;

  fixture_open (&f, NULL);
  question = make_question (f.programs, TSR_PROGRAM_TAB_TREE);
  answer = ask (&question);
  check_tree (&question, answer);
#define REACH                                                                                      \
  "WITH RECURSIVE e (p, c) AS (SELECT parent, child FROM program_children UNION ALL SELECT id, "   \
  "callee FROM programs WHERE callee IS NOT NULL), w (p) AS (SELECT program FROM program_roots "   \
  "WHERE compilation_step = 1 UNION SELECT c FROM e JOIN w ON w.p = e.p) "
  links = tsr_test_ask (f.folder, REACH "SELECT count (*) FROM e WHERE p IN (SELECT p FROM w)");
  reached = tsr_test_ask (f.folder, REACH "SELECT count (*) FROM w");
#undef REACH
  roots = tsr_test_ask (f.folder, "SELECT count (*) FROM program_roots WHERE compilation_step = 1");
  g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, links + roots);
  g_assert_cmpuint (count_marks (answer, TSR_PLACE_FIRST), ==, reached);
  g_assert_cmpuint (count_marks (answer, TSR_PLACE_CUT), ==, 0);
  for (guint32 p = 0; p < tsr_programs_get_n (f.programs); p++)
    g_assert_cmpuint (answer->places[tsr_program_answer_find (answer, p)].program, ==, p);
  /* One program's tree. */
  {
    g_autoptr (TsrTableAnswer) one = NULL;

    question.root = tsr_programs_find (f.programs, 0);
    one = ask (&question);
    check_tree (&question, one);
    g_assert_cmpuint (tsr_rows_get_n (one->rows), ==, 10);
    g_assert_cmpstr (tsr_rows_get_text (one->rows, 0, 0), ==, "Sequence (model/stem)");
  }
  fixture_close (&f);
}

/* The row of a kind of roots tells the sum over all that they reach, each program once, and each
 * type of vertices. */
static void
test_roots (void)
{
  Fixture f;
  TsrProgramQuestion question;
  g_autoptr (TsrTableAnswer) answer = NULL;
  guint cycles, code, live, id, n_groups = 0;

  fixture_open (&f, NULL);
  question = make_question (f.programs, TSR_PROGRAM_TAB_ROOTS);
  answer = ask (&question);
  cycles = find_column (answer->rows, "cycles");
  code = find_column (answer->rows, "code");
  live = find_column (answer->rows, "live");
  id = find_column (answer->rows, "id");
  for (guint32 row = 0; row < tsr_rows_get_n (answer->rows); row++)
    {
      g_autoptr (GString) roots = g_string_new (NULL);
      g_autoptr (GPtrArray) reached = NULL;
      gint64 sums[2] = { 0 }, most = TSR_UNKNOWN;

      if (tsr_rows_get_parent (answer->rows, row) != TSR_NO_INDEX)
        continue;
      n_groups++;
      for (guint32 i = row + 1; i < tsr_rows_get_n (answer->rows); i++)
        if (tsr_rows_get_parent (answer->rows, i) == row)
          g_string_append_printf (roots, "%s(%" G_GINT64_FORMAT ")", roots->len > 0 ? "," : "",
                                  tsr_rows_get_value (answer->rows, i, id));
#define REACHED                                                                                    \
  "WITH RECURSIVE e (p, c) AS (SELECT parent, child FROM program_children UNION ALL SELECT id, "   \
  "callee FROM programs WHERE callee IS NOT NULL), r (p) AS (VALUES %s), w (p) AS (SELECT p FROM " \
  "r UNION SELECT c FROM e JOIN w ON w.p = e.p) "
      reached = tsr_test_ask_rows (f.folder, REACHED "SELECT p FROM w", roots->str);
      g_assert_cmpuint (reached->len, >, 0);
      for (guint i = 0; i < reached->len; i++)
        {
          guint32 program = tsr_programs_find (
              f.programs, g_ascii_strtoll (((GStrv)reached->pdata[i])[0], NULL, 10));

          sums[0] += tsr_programs_get (f.programs, program, TSR_PROGRAM_CYCLES_SELF);
          sums[1] += tsr_programs_get (f.programs, program, TSR_PROGRAM_CONTROL_SELF)
                     + tsr_programs_get (f.programs, program, TSR_PROGRAM_EXCHANGE_SELF);
          most = MAX (most, tsr_programs_get (f.programs, program, TSR_PROGRAM_LIVE_SELF));
        }
      sums[1] += tsr_test_ask (
          f.folder,
          REACHED "SELECT coalesce (sum (a.total), 0) FROM vertex_types t JOIN tile_arrays a ON "
                  "a.id = t.code_bytes_by_tile WHERE t.id IN (SELECT vertex_type FROM "
                  "compute_set_vertices v JOIN programs q ON q.compute_set = v.compute_set WHERE "
                  "q.id IN (SELECT p FROM w))",
          roots->str);
#undef REACHED
      g_assert_cmpint (tsr_rows_get_value (answer->rows, row, cycles), ==, sums[0]);
      g_assert_cmpint (tsr_rows_get_value (answer->rows, row, code), ==, sums[1]);
      g_assert_cmpint (tsr_rows_get_value (answer->rows, row, live), ==, most);
    }
  g_assert_cmpuint (n_groups, >=, 2);
  fixture_close (&f);
}

/* What is hidden is gone, and what was below it moves up; equal neighbours are one row. */
static void
test_hidden (void)
{
  Fixture f;
  TsrProgramQuestion question;
  g_autoptr (TsrTableAnswer) answer = NULL;
  g_autoptr (TsrTableAnswer) flat = NULL;
  g_autoptr (TsrTableAnswer) grouped = NULL;
  char *hidden[] = { (char *)"Sync", (char *)"Repeat", (char *)"NoSuchType", NULL };
  guint32 row, parent;
  guint n_groups = 0;

  /* One program three times, two with vertices, two without. */
  fixture_open (&f, "UPDATE programs SET name = 'same' WHERE id IN (1, 3, 4);"
                    "UPDATE programs SET type = 'Sans' WHERE id IN (1, 3, 4);"
                    "UPDATE programs SET name = 'pair' WHERE id IN (17, 19, 20, 22);"
                    "INSERT INTO program_children VALUES (10, 20, 22), (10, 21, 19), (10, 22, 17), "
                    "(10, 23, 20), (23, 50, 26), (23, 51, 26), (23, 52, 26)");
  question = make_question (f.programs, TSR_PROGRAM_TAB_TREE);
  question.hidden = hidden;
  answer = ask (&question);
  check_tree (&question, answer);
  for (row = 0; row < tsr_rows_get_n (answer->rows); row++)
    {
      const char *type = tsr_programs_get_type (f.programs, answer->places[row].program);

      g_assert_cmpstr (type, !=, "Sync");
      g_assert_cmpstr (type, !=, "Repeat");
    }
  row = tsr_program_answer_find (answer, tsr_programs_find (f.programs, 153));
  parent = tsr_rows_get_parent (answer->rows, row);
  g_assert_cmpuint (answer->places[parent].program, ==, tsr_programs_find (f.programs, 148));
  question.tab = TSR_PROGRAM_TAB_COSTLIEST;
  flat = ask (&question);
  g_assert_cmpuint (
      tsr_rows_get_n (flat->rows), ==,
      tsr_test_ask (f.folder,
                    "SELECT count (*) FROM programs WHERE type NOT IN ('Sync', 'Repeat')"));
  /* 1, the hidden sync 2, 3, and 4 follow each other. */
  question.tab = TSR_PROGRAM_TAB_TREE;
  question.grouped = TRUE;
  grouped = ask (&question);
  check_tree (&question, grouped);
  for (row = 0; row < tsr_rows_get_n (grouped->rows); row++)
    if (grouped->places[row].mark == TSR_PLACE_GROUP)
      {
        check_group (&question, grouped, row);
        n_groups++;
      }
  g_assert_cmpuint (n_groups, >=, 4);
  row = tsr_program_answer_find (grouped, tsr_programs_find (f.programs, 1));
  parent = tsr_rows_get_parent (grouped->rows, row);
  g_assert_cmpint (grouped->places[parent].mark, ==, TSR_PLACE_GROUP);
  g_assert_cmpuint (grouped->places[parent].n, ==, 3);
  g_assert_cmpuint (tsr_rows_get_end (grouped->rows, parent), ==, parent + 4);
  g_assert_cmpstr (tsr_rows_get_text (grouped->rows, parent, 0), ==, "3 × Sans (same)");
  g_assert_cmpint (
      tsr_rows_get_value (grouped->rows, parent, find_column (grouped->rows, "cyclesSelf")), ==,
      tsr_test_ask (f.folder, "SELECT sum (c) FROM (SELECT max (i.cycles) c FROM steps "
                              "s JOIN steps_by_ipu i ON i.step_id = s.id WHERE "
                              "s.program IN (1, 3, 4) GROUP BY s.id)"));
  fixture_close (&f);
}

/* 64 functions that each call the next twice: few rows, and more where somebody opens one. */
static void
test_opened (void)
{
  g_autoptr (HandPrograms) hand = hand_programs_new ();
  TsrPrograms *programs;
  TsrProgramQuestion question;
  g_autoptr (TsrTableAnswer) answer = NULL;
  g_autoptr (TsrTableAnswer) opened = NULL;
  g_autoptr (TsrTableAnswer) twice = NULL;
  char *keys[3] = { NULL };
  guint32 previous = hand_programs_add (hand, "Sequence", NULL), row, n;

  hand_programs_root (hand, 0, "control");
  for (guint i = 0; i < 64; i++)
    {
      guint32 next = hand_programs_add (hand, "Sequence", NULL);

      for (guint k = 0; k < 2; k++)
        {
          guint32 call = hand_programs_add (hand, "Call", NULL);

          hand_programs_child (hand, previous, call);
          hand_programs_call (hand, call, next);
        }
      previous = next;
    }
  hand_programs_child (hand, previous, hand_programs_add (hand, "DoExchange", NULL));
  hand_programs_seal (hand);
  programs = tsr_programs_new_from_tables (&hand->tables, NULL, NULL, NULL, NULL, NULL);
  question = make_question (programs, TSR_PROGRAM_TAB_TREE);
  answer = ask (&question);
  check_tree (&question, answer);
  n = tsr_rows_get_n (answer->rows);
  g_assert_cmpuint (n, ==, 1 + 64 * 4 + 1);
  g_assert_cmpuint (count_marks (answer, TSR_PLACE_SEEN), ==, 64);
  /* The second call of main is the last row but one; below it stands the first function again. */
  g_assert_cmpuint (answer->places[n - 1].program, ==, 1);
  g_assert_cmpint (answer->places[n - 1].mark, ==, TSR_PLACE_SEEN);
  g_assert_cmpstr (tsr_rows_get_text (answer->rows, n - 1, 1), ==, "expanded elsewhere");
  keys[0] = tsr_rows_dup_key (answer->rows, n - 1);
  question.opened = keys;
  opened = ask (&question);
  check_tree (&question, opened);
  /* All below the function once more: 63 functions and the leaf. */
  g_assert_cmpuint (tsr_rows_get_n (opened->rows), ==, n + 63 * 4 + 1);
  row = tsr_rows_get_n (opened->rows) - 1;
  keys[1] = tsr_rows_dup_key (opened->rows, row);
  g_assert_true (g_str_has_prefix (keys[1], keys[0]));
  twice = ask (&question);
  g_assert_cmpuint (tsr_rows_get_n (twice->rows), ==, n + 63 * 4 + 1 + 62 * 4 + 1);
  g_free (keys[0]);
  g_free (keys[1]);
  tsr_programs_unref (programs);
}

/* Filters keep what is above; the order is among siblings; a million rows deep and wide. */
static void
test_arranged (void)
{
  const guint n = 1000000;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Fixture f;
  TsrProgramQuestion question;
  g_autoptr (TsrTableAnswer) answer = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new ("layer1.0/conv2", NULL);
  g_autoptr (TsrRowOrder) order = NULL;
  guint cycles;

  fixture_open (&f, NULL);
  question = make_question (f.programs, TSR_PROGRAM_TAB_TREE);
  answer = ask (&question);
  cycles = find_column (answer->rows, "cycles");
  order = tsr_rows_arrange (answer->rows, (int)cycles, TRUE, filter, NULL, NULL);
  g_assert_cmpuint (order->n_passing, ==,
                    tsr_test_ask (f.folder, "SELECT count (*) FROM programs WHERE lower (name) "
                                            "LIKE '%%layer1.0/conv2%%'"));
  g_assert_cmpuint (order->n, >, order->n_passing);
  for (guint32 i = 0; i < order->n; i++)
    {
      guint32 parent = tsr_rows_get_parent (answer->rows, order->rows[i]);

      if (parent != TSR_NO_INDEX)
        g_assert_cmpuint (order->places[parent], <, i);
      for (guint32 k = order->ends[i];
           parent != TSR_NO_INDEX && k < order->ends[order->places[parent]]; k = order->ends[k])
        g_assert_cmpint (tsr_rows_get_value (answer->rows, order->rows[i], cycles), >=,
                         tsr_rows_get_value (answer->rows, order->rows[k], cycles));
    }
  fixture_close (&f);
  g_cancellable_cancel (cancellable);
  for (guint way = 0; way < 2; way++)
    {
      g_autoptr (HandPrograms) hand = hand_programs_new ();
      g_autoptr (TsrTableAnswer) many = NULL;
      g_autoptr (TsrRowOrder) all = NULL;
      g_autoptr (TsrRowOutline) outline = tsr_row_outline_new ();
      TsrPrograms *programs;

      for (guint i = 0; i < n; i++)
        {
          hand_programs_add (hand, "Block", NULL);
          if (i > 0)
            hand_programs_child (hand, way == 0 ? i - 1 : 0, i);
        }
      hand_programs_root (hand, 0, "control");
      hand_programs_seal (hand);
      programs = tsr_programs_new_from_tables (&hand->tables, NULL, NULL, NULL, NULL, NULL);
      question = make_question (programs, TSR_PROGRAM_TAB_TREE);
      many = ask (&question);
      g_assert_cmpuint (tsr_rows_get_n (many->rows), ==, n);
      {
        g_autoptr (GError) error = NULL;

        g_assert_null (tsr_program_answer_new (&question, cancellable, &error));
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      }
      g_assert_cmpuint (tsr_rows_get_depth (many->rows, n - 1), ==, way == 0 ? n - 1 : 1);
      all = tsr_rows_arrange (many->rows, -1, FALSE, NULL, NULL, NULL);
      tsr_row_outline_set (outline, many->rows, all);
      g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, 1);
      tsr_row_outline_set_all_expanded (outline, TRUE);
      g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, n);
      tsr_row_outline_set (outline, NULL, NULL);
      if (way == 1)
        {
          g_autoptr (TsrTableAnswer) one = NULL;

          question.grouped = TRUE;
          one = ask (&question);
          g_assert_cmpuint (tsr_rows_get_n (one->rows), ==, n + 1);
          g_assert_cmpuint (one->places[1].n, ==, n - 1);
        }
      tsr_programs_unref (programs);
    }
}

/* A ring: the link that is cut is a row that says so. */
static void
test_rings (void)
{
  Fixture f;
  TsrProgramQuestion question;
  g_autoptr (TsrTableAnswer) answer = NULL;
  guint32 n = 0;

  fixture_open (&f, "INSERT INTO program_children VALUES (153, 9999, 148)");
  question = make_question (f.programs, TSR_PROGRAM_TAB_TREE);
  answer = ask (&question);
  check_tree (&question, answer);
  for (guint32 row = 0; row < tsr_rows_get_n (answer->rows); row++)
    if (answer->places[row].mark == TSR_PLACE_CUT)
      {
        n++;
        g_assert_cmpint (tsr_rows_get_value (answer->rows, row, find_column (answer->rows, "id")),
                         ==, 148);
        g_assert_cmpstr (tsr_rows_get_text (answer->rows, row, 1), ==, "leads back to itself");
      }
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (tsr_diagnostics_has (tsr_report_get_diagnostics (f.report), "program-cycle",
                                      "program_children", 153));
  fixture_close (&f);
}

/* Both ways, against the file. */
static void
test_variables (void)
{
  Fixture f;
  TsrProgramQuestion question;
  const TsrLivenessTables *t;
  gint64 total = 0;

  /* Not known is what has a part that is not. */
  fixture_open (&f, "UPDATE program_variables SET bytes = NULL WHERE (program + variable) % 7 = 3");
  t = tsr_report_get_liveness_tables (f.report);
  question = make_question (f.programs, TSR_PROGRAM_TAB_VARIABLES);
  {
    g_autoptr (TsrTableAnswer) none = ask (&question);

    g_assert_null (none->rows);
    g_assert_nonnull (none->title);
  }
  for (guint32 p = 0; p < tsr_programs_get_n (f.programs); p += 5)
    {
      g_autoptr (TsrTableAnswer) answer = NULL;
      g_autofree char *below = g_strdup_printf (
          "WITH RECURSIVE e (p, c) AS (SELECT parent, child FROM program_children UNION ALL SELECT "
          "id, callee FROM programs WHERE callee IS NOT NULL), w (p) AS (VALUES (%d) UNION SELECT "
          "c "
          "FROM e JOIN w ON w.p = e.p) ",
          (int)tsr_programs_get_tables (f.programs)->program_id[p]);
      gint64 touched = 0, unknown = 0;

      question.program = p;
      answer = ask (&question);
      for (guint32 row = 0; row < tsr_rows_get_n (answer->rows); row++)
        {
          gint64 bytes
              = tsr_rows_get_value (answer->rows, row, find_column (answer->rows, "touched"));

          unknown += bytes == TSR_UNKNOWN;
          touched += bytes != TSR_UNKNOWN ? bytes : 0;
        }
      g_assert_cmpuint (
          tsr_rows_get_n (answer->rows), ==,
          tsr_test_ask (f.folder,
                        "%sSELECT count (*) FROM (SELECT DISTINCT variable, role FROM "
                        "program_variables WHERE program IN (SELECT p FROM w))",
                        below));
      g_assert_cmpint (touched, ==,
                       tsr_test_ask (f.folder,
                                     "%sSELECT coalesce (sum (s), 0) FROM (SELECT sum (bytes) AS s "
                                     "FROM program_variables WHERE program IN (SELECT p FROM w) "
                                     "GROUP BY variable, role HAVING count (*) = count (bytes))",
                                     below));
      g_assert_cmpint (unknown, ==,
                       tsr_test_ask (f.folder,
                                     "%sSELECT count (*) FROM (SELECT 1 FROM program_variables "
                                     "WHERE program IN (SELECT p FROM w) GROUP BY variable, role "
                                     "HAVING count (*) > count (bytes))",
                                     below));
    }
  question.tab = TSR_PROGRAM_TAB_TOUCHING;
  for (guint v = 0; v < t->n_variables; v++)
    {
      g_autoptr (TsrTableAnswer) answer = NULL;
      gint64 expected;

      question.variable = v;
      answer = ask (&question);
      expected = tsr_test_ask (f.folder,
                               "SELECT count (*) FROM (SELECT DISTINCT program, role FROM "
                               "program_variables WHERE variable = %d)",
                               (int)t->variable_id[v]);
      g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, expected);
      total += expected;
    }
  g_assert_cmpint (total, >, 100);
  fixture_close (&f);
}

/* Where a function runs: the steps of all below it. */
static void
test_steps (void)
{
  Fixture f;
  TsrProgramQuestion question;
  g_autoptr (TsrTableAnswer) answer = NULL;
  g_autoptr (GPtrArray) rows = NULL;

  fixture_open (&f, NULL);
  question = make_question (f.programs, TSR_PROGRAM_TAB_STEPS);
  question.program = tsr_programs_find (f.programs, 0);
  answer = ask (&question);
  rows = tsr_test_ask_rows (
      f.folder, "SELECT s.id, max (i.cycles), min (i.cycles_base + i.active_cycles_from_max) FROM "
                "steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE s.program BETWEEN 0 AND 9 "
                "GROUP BY s.id ORDER BY s.id");
  g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, rows->len);
  g_assert_cmpuint (rows->len, >, 20);
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv row = rows->pdata[i];

      g_assert_cmpint (tsr_rows_get_value (answer->rows, i, find_column (answer->rows, "step")), ==,
                       g_ascii_strtoll (row[0], NULL, 10));
      g_assert_cmpint (tsr_rows_get_value (answer->rows, i, find_column (answer->rows, "cycles")),
                       ==, g_ascii_strtoll (row[1], NULL, 10));
    }
  fixture_close (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program-rows/tree", test_tree);
  g_test_add_func ("/program-rows/roots", test_roots);
  g_test_add_func ("/program-rows/hidden", test_hidden);
  g_test_add_func ("/program-rows/opened", test_opened);
  g_test_add_func ("/program-rows/arranged", test_arranged);
  g_test_add_func ("/program-rows/rings", test_rings);
  g_test_add_func ("/program-rows/variables", test_variables);
  g_test_add_func ("/program-rows/steps", test_steps);
  return g_test_run ();
}
