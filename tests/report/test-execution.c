/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The execution of whole reports: every column against the answer of plain SQL, with all columns
 * and with those only that are known of Poplar's files. */

#include "config.h"

#include "tables-test.h"
#include "tsr-report-exact.h"

#include <math.h>

typedef struct
{
  const char *preset;
  const char *sql; /* (nullable): what is changed in it */
  const char *test;
  char *folder;
  TsrReport *report;
} Fixture;

/* As in Poplar's files, and with one row a step that says of no IPU. */
#define CONFIRMED                                                                                  \
  "CREATE TABLE s AS SELECT id, type, program, compute_set FROM steps ORDER BY id;"                \
  "DROP TABLE steps; ALTER TABLE s RENAME TO steps;"                                               \
  "CREATE TABLE b AS SELECT step_id, ipu, cycles, active_tiles, cycles_base,"                      \
  " active_cycles_from_min, active_cycles_to_max FROM steps_by_ipu ORDER BY step_id, ipu;"         \
  "DROP TABLE steps_by_ipu; DROP TABLE runs; DROP TABLE run_cycles_by_ipu; DROP TABLE blocks;"
#define NO_IPU                                                                                     \
  "CREATE TABLE steps_by_ipu AS SELECT step_id, cycles, active_tiles, cycles_base,"                \
  " active_cycles_from_min, active_cycles_to_max FROM b ORDER BY step_id, ipu; "

static Fixture fixtures[] = {
  { "tiny", NULL, "tiny" },
  { "demo", NULL, "demo" },
  { "demo", CONFIRMED "CREATE VIEW steps_by_ipu AS SELECT * FROM b;", "confirmed" },
  { "demo",
    CONFIRMED "DELETE FROM b WHERE ipu > 0;" NO_IPU
              "CREATE VIEW asked AS SELECT *, 0 AS ipu FROM steps_by_ipu;",
    "one-ipu" },
  { "tiny",
    CONFIRMED NO_IPU "CREATE VIEW asked AS SELECT s.*, (SELECT count(*) FROM steps_by_ipu t WHERE"
                     " t.step_id = s.step_id AND t.rowid < s.rowid) AS ipu FROM steps_by_ipu s;",
    "no-ipu" },
  /* Against the order of the file. */
  { "demo",
    "CREATE TABLE b AS SELECT * FROM steps_by_ipu ORDER BY ipu DESC, step_id DESC;"
    "DROP TABLE steps_by_ipu; ALTER TABLE b RENAME TO steps_by_ipu;"
    "CREATE TABLE s AS SELECT * FROM steps ORDER BY id % 7, id DESC;"
    "DROP TABLE steps; ALTER TABLE s RENAME TO steps;"
    "UPDATE steps SET type = CASE type WHEN 'Sync' THEN 'A' WHEN 'DoExchange' THEN 'B' WHEN "
    "'GlobalExchange' THEN '' ELSE type END;",
    "out-of-order" },
  /* Ids that do not begin at 0. */
  { "tiny",
    "UPDATE steps SET id = id + 1000; UPDATE steps_by_ipu SET step_id = step_id + 1000;"
    "UPDATE runs SET first_step = first_step + 1000, end_step = end_step + 1000;",
    "later-ids" },
  /* Too many for one thread. */
  { "demo",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)"
    " INSERT INTO steps_by_ipu SELECT step_id + i * 10000, ipu, cycles, active_tiles,"
    " cycles_base + i * 1200000, active_cycles_from_min, active_cycles_from_max,"
    " active_cycles_to_min, active_cycles_to_max, tile_balance, active_tile_balance, data_in,"
    " data_out, NULL, NULL, NULL, NULL FROM steps_by_ipu, n ORDER BY i, step_id, ipu;"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)"
    " INSERT INTO steps SELECT id + i * 10000, iif (i > 5, 'x' || type, type), program,"
    " compute_set, NULL, tile_cycles FROM steps, n ORDER BY i, id;",
    "two-threads" },
};

static gint64
ask (const Fixture *f, const char *sql)
{
  return tsr_test_query (f->folder, "profile.pop", sql);
}

static gboolean
has_column (const Fixture *f, const char *table, const char *column)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'", table, column);

  return ask (f, sql) > 0;
}

/* -------------------------------------------------------------------- steps */

static gint64
id_of (const TsrExecutionTables *t, guint step)
{
  return t->step_id != NULL ? t->step_id[step] : t->first_step_id + step;
}

static void
test_steps (gconstpointer data)
{
  const Fixture *f = data;
  const TsrExecutionTables *t = tsr_report_get_execution_tables (f->report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (f->report);
  gboolean told = has_column (f, "steps", "tile_cycles");
  gint64 last = TSR_UNKNOWN;
  guint n = 0;
  Question q;

  question_open (&q, f->folder,
                 told ? "SELECT id, type, program, compute_set, tile_cycles FROM steps ORDER BY id"
                      : "SELECT id, type, program, compute_set, NULL FROM steps ORDER BY id");
  for (; question_next (&q); n++)
    {
      gint64 set = question_int (&q, 4);

      g_assert_cmpuint (n, <, t->n_steps);
      g_assert_cmpint (question_int (&q, 0), ==, id_of (t, n));
      g_assert_cmpuint (tsr_execution_tables_find_step (t, id_of (t, n)), ==, n);
      if (n == 0 || last + 1 < id_of (t, n))
        {
          g_assert_cmpuint (tsr_execution_tables_find_step (t, id_of (t, n) - 1), ==, TSR_NO_INDEX);
          g_assert_cmpuint (tsr_execution_tables_find_step (t, last + 1), ==, TSR_NO_INDEX);
        }
      last = id_of (t, n);
      g_assert_cmpuint (t->step_type[n], <, t->n_types);
      question_text (&q, 1, t->strings, t->type_name[t->step_type[n]]);
      question_place (&q, 2, programs->program_id, t->step_program[n]);
      question_place (&q, 3, programs->compute_set_id, t->step_compute_set[n]);
      g_assert_cmpint (t->step_tile_cycles[n], ==, set != TSR_UNKNOWN ? set : TSR_NO_INDEX);
    }
  g_assert_cmpuint (t->n_steps, ==, n);
  g_assert_cmpuint (tsr_execution_tables_find_step (t, last + 1), ==, TSR_NO_INDEX);
  g_assert_cmpint (t->n_types, ==, ask (f, "SELECT count(DISTINCT type) FROM steps"));
  g_assert_true ((t->step_id == NULL)
                 == (ask (f, "SELECT max(id) - min(id) + 1 - count(*) FROM steps") == 0));
}

/* --------------------------------------------------------------------- runs */

static void
check_run (const Fixture *f, const TsrExecutionTables *t, guint r, Question *q)
{
  gint64 first = question_int (q, 2);
  gint64 end = question_int (q, 3);

  g_assert_cmpint (t->run_id[r], ==, question_int (q, 0));
  question_text (q, 1, t->strings, t->run_name[r]);
  g_assert_cmpuint (t->run_end[r] - t->run_first[r], ==, end - first);
  g_assert_cmpint (id_of (t, t->run_first[r]), ==, first);
  g_assert_true (t->run_complete[r]);
  if (question_int (q, 4) == 0 && question_int (q, 5) == 0)
    g_assert_true (isnan (t->run_microseconds_start[r]) && isnan (t->run_microseconds_end[r]));
  else
    {
      g_assert_cmpfloat (t->run_microseconds_start[r], ==, sqlite3_column_double (q->statement, 4));
      g_assert_cmpfloat (t->run_microseconds_end[r], ==, sqlite3_column_double (q->statement, 5));
    }
  for (guint i = 0; i < t->n_ipus; i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "SELECT cycles FROM run_cycles_by_ipu WHERE run = %d AND ipu = %u", (int)t->run_id[r], i);

      g_assert_cmpint (t->run_ipu_cycles[r * t->n_ipus + i], ==, ask (f, sql));
    }
}

static void
test_runs (gconstpointer data)
{
  const Fixture *f = data;
  const TsrExecutionTables *t = tsr_report_get_execution_tables (f->report);
  guint n = 0;
  Question q;

  for (guint i = 0; i < t->n_steps; i++)
    {
      guint r = t->step_run[i];

      if (r == G_MAXUINT16)
        for (guint k = 0; k < t->n_runs; k++)
          g_assert_true (i < t->run_first[k] || i >= t->run_end[k]);
      else
        g_assert_true (r < t->n_runs && i >= t->run_first[r] && i < t->run_end[r]);
    }
  for (guint i = 0; i < t->n_ipus; i++)
    {
      g_autofree char *sql
          = g_strdup_printf ("SELECT total FROM execution_cycle_totals WHERE ipu = %u", i);

      g_assert_cmpint (t->total_cycles[i], ==, ask (f, sql));
    }
  if (!has_column (f, "runs", "id"))
    {
      g_assert_cmpuint (t->n_runs, ==, 1);
      g_assert_cmpint (t->run_id[0], ==, TSR_UNKNOWN);
      g_assert_cmpuint (t->run_first[0], ==, 0);
      g_assert_cmpuint (t->run_end[0], ==, t->n_steps);
      g_assert_true (t->run_complete[0]);
      g_assert_null (t->run_ipu_cycles);
      return;
    }
  question_open (&q, f->folder, "SELECT * FROM runs ORDER BY id");
  for (; question_next (&q); n++)
    check_run (f, t, n, &q);
  g_assert_cmpuint (n, ==, t->n_runs);
  g_assert_cmpuint (n, >, 0);
}

/* ------------------------------------------------------------------- slices */

typedef struct
{
  gint64 step, start, end, lead_in, cycles, active, in, out;
  double tile_balance, active_tile_balance;
} Slice;

static int
compare_slices (gconstpointer a, gconstpointer b)
{
  const Slice *x = a;
  const Slice *y = b;

  if ((x->start == TSR_UNKNOWN) != (y->start == TSR_UNKNOWN))
    return x->start == TSR_UNKNOWN ? 1 : -1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

static double
question_double (Question *q, int column)
{
  return sqlite3_column_type (q->statement, column) != SQLITE_NULL
             ? sqlite3_column_double (q->statement, column)
             : NAN;
}

/* The slices of an IPU in the order of steps, and then in that of their starts. */
static GArray *
ask_slices (const Fixture *f, guint ipu, gboolean from_max)
{
  const char *table = has_column (f, "asked", "ipu") ? "asked" : "steps_by_ipu";
  g_autofree char *sql = g_strdup_printf (
      "SELECT step_id, cycles_base + %s, cycles_base + active_cycles_to_max, %s, cycles,"
      " active_tiles, %s FROM %s WHERE ipu = %u ORDER BY step_id",
      from_max ? "ifnull (active_cycles_from_max, active_cycles_from_min)"
               : "active_cycles_from_min",
      from_max ? "active_cycles_from_max - active_cycles_from_min" : "NULL",
      from_max ? "data_in, data_out, tile_balance, active_tile_balance" : "NULL, NULL, NULL, NULL",
      table, ipu);
  GArray *slices = g_array_new (FALSE, FALSE, sizeof (Slice));
  gint64 last_end = G_MININT64;
  Question q;

  question_open (&q, f->folder, sql);
  while (question_next (&q))
    {
      Slice slice = { question_int (&q, 0),   question_int (&q, 1), question_int (&q, 2),
                      question_int (&q, 3),   question_int (&q, 4), question_int (&q, 5),
                      question_int (&q, 6),   question_int (&q, 7), question_double (&q, 8),
                      question_double (&q, 9) };

      if (!from_max && slice.start < last_end && slice.end > last_end)
        slice.start = last_end;
      last_end = slice.end;
      g_array_append_val (slices, slice);
    }
  g_array_sort (slices, compare_slices);
  return slices;
}

static void
check_balance (float balance, double expected)
{
  if (isnan (expected))
    g_assert_true (isnan (balance));
  else
    g_assert_cmpfloat (balance, ==, (float)expected);
}

static void
test_slices (gconstpointer data)
{
  const Fixture *f = data;
  const TsrExecutionTables *t = tsr_report_get_execution_tables (f->report);
  gboolean from_max = has_column (f, "steps_by_ipu", "active_cycles_from_max");

  g_assert_true (t->from_max_told == from_max);
  g_assert_cmpuint (t->ipu_start[0], ==, 0);
  g_assert_cmpint (t->ipu_start[t->n_ipus], ==, ask (f, "SELECT count(*) FROM steps_by_ipu"));
  g_assert_cmpuint (t->ipu_start[t->n_ipus], >, 0);
  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    {
      g_autoptr (GArray) slices = ask_slices (f, ipu, from_max);

      g_assert_cmpuint (slices->len, ==, t->ipu_start[ipu + 1] - t->ipu_start[ipu]);
      for (guint k = 0; k < slices->len; k++)
        {
          const Slice *slice = &g_array_index (slices, Slice, k);
          gsize i = t->ipu_start[ipu] + k;

          g_assert_cmpint (id_of (t, t->slice_step[i]), ==, slice->step);
          g_assert_cmpint (t->slice_start[i], ==, slice->start);
          g_assert_cmpint (t->slice_end[i], ==, slice->end);
          g_assert_cmpint (tsr_narrow_get (&t->slice_lead_in, i), ==, slice->lead_in);
          g_assert_cmpint (tsr_narrow_get (&t->slice_cycles, i), ==, slice->cycles);
          g_assert_cmpint (tsr_narrow_get (&t->slice_active_tiles, i), ==, slice->active);
          g_assert_cmpint (tsr_narrow_get (&t->slice_data_in, i), ==, slice->in);
          g_assert_cmpint (tsr_narrow_get (&t->slice_data_out, i), ==, slice->out);
          check_balance (t->slice_tile_balance[i], slice->tile_balance);
          check_balance (t->slice_active_tile_balance[i], slice->active_tile_balance);
        }
    }
}

/* ------------------------------------------------------------------- blocks */

static void
test_blocks (gconstpointer data)
{
  const Fixture *f = data;
  const TsrExecutionTables *t = tsr_report_get_execution_tables (f->report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (f->report);
  guint n = 0;
  Question q;

  if (!has_column (f, "blocks", "id"))
    {
      g_assert_cmpuint (t->n_blocks, ==, 0);
      return;
    }
  question_open (&q, f->folder,
                 "SELECT b.id, ifnull (b.name, p.name), b.program, b.ipu, b.tile, b.run,"
                 " b.cycles_from, b.cycles_to, is_stream_copy | 2 * is_common | 4 * is_overflow"
                 " | 8 * is_block_flush FROM blocks b LEFT JOIN programs p ON p.id = b.program"
                 " ORDER BY ipu, tile, cycles_from, b.rowid");
  for (; question_next (&q); n++)
    {
      g_assert_cmpuint (n, <, t->n_blocks);
      g_assert_cmpint (t->block_id[n], ==, question_int (&q, 0));
      question_text (&q, 1, t->strings, t->block_name[n]);
      question_place (&q, 2, programs->program_id, t->block_program[n]);
      g_assert_cmpint (t->block_ipu[n], ==, question_int (&q, 3));
      g_assert_cmpint (t->block_tile[n], ==, question_int (&q, 4));
      question_place (&q, 5, t->run_id, t->block_run[n]);
      g_assert_cmpint (t->block_from[n], ==, question_int (&q, 6));
      g_assert_cmpint (t->block_to[n], ==, question_int (&q, 7));
      g_assert_cmpint (t->block_flags[n], ==, question_int (&q, 8));
    }
  g_assert_cmpuint (n, ==, t->n_blocks);
  g_assert_cmpuint (n, >, 0);
}

/* -------------------------------------------------------------------- exact */

/* All rows of the first IPUs as they stand in the file, with all columns or with every second one.
 */
static void
check_exact (const Fixture *f, guint wanted, guint n_ipus)
{
  const TsrExecutionTables *t = tsr_report_get_execution_tables (f->report);
  const gboolean told = has_column (f, "steps_by_ipu", "ipu");
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrExactReader) reader = tsr_exact_reader_new (f->report, t, n_ipus, NULL, &error);
  g_autofree TsrExactPage *page = NULL;
  GString *sql = g_string_new ("SELECT step_id, ipu");
  guint n_of_page, n_known = 0, n = 0;
  guint32 step = 0;
  Question q;

  g_assert_no_error (error);
  n_of_page = tsr_exact_reader_get_page_steps (reader);
  for (guint i = 0; i < TSR_N_EXACT; i++)
    {
      const char *name = tsr_exact_column_get_name (i);

      g_string_append_printf (sql, ", %s", has_column (f, "steps_by_ipu", name) ? name : "NULL");
    }
  g_string_append_printf (sql, " FROM %s WHERE ipu < %u ORDER BY step_id, ipu",
                          has_column (f, "asked", "ipu") ? "asked" : "steps_by_ipu",
                          told ? n_ipus : 1);
  question_each (&q, n, f->folder, sql->str)
    {
      gsize at;

      while (id_of (t, step) < question_int (&q, 0))
        step++;
      g_assert_cmpint (id_of (t, step), ==, question_int (&q, 0));
      if (page == NULL || step >= page->first_step + page->n_steps)
        {
          g_free (page);
          page = tsr_exact_reader_read_page (reader, step / n_of_page, wanted, &error);
          g_assert_no_error (error);
          g_assert_cmpuint (page->first_step, ==, step / n_of_page * n_of_page);
          g_assert_cmpuint (page->n_steps, ==, MIN (n_of_page, t->n_steps - page->first_step));
          g_assert_cmpuint (page->n_ipus, ==, n_ipus);
          for (gsize i = 0; i < (gsize)page->n_steps * page->n_ipus; i++)
            n_known += page->values[TSR_EXACT_CYCLES][i].number != TSR_UNKNOWN;
        }
      at = (gsize)(step - page->first_step) * page->n_ipus + (gsize)question_int (&q, 1);
      for (guint i = 0; i < TSR_N_EXACT; i++)
        if ((wanted & 1u << i) == 0)
          g_assert_null (page->values[i]);
        else if (i < TSR_EXACT_TILE_BALANCE)
          question_number (&q, (int)i + 2, page->values[i][at].number);
        else if (isnan (question_double (&q, (int)i + 2)))
          g_assert_true (isnan (page->values[i][at].real));
        else
          g_assert_cmpfloat (page->values[i][at].real, ==, question_double (&q, (int)i + 2));
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, ==, n_known);
  g_string_free (sql, TRUE);
}

/* A step without a row for an IPU has no number there, in any column. */
static void
test_exact_gaps (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrReport) report = NULL;
  const TsrExecutionTables *t;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrExactReader) reader = NULL;
  g_autofree TsrExactPage *page = NULL;

  tsr_test_sql (folder, "profile.pop",
                "DELETE FROM steps_by_ipu WHERE step_id % 3 = 1;"
                "UPDATE steps_by_ipu SET data_in = 12.5, data_out = 1e300 WHERE step_id % 3 = 0");
  report = open_tables (folder, TSR_LOAD_NO_LOWERED);
  t = tsr_report_get_execution_tables (report);
  reader = tsr_exact_reader_new (report, t, t->n_ipus, NULL, &error);
  g_assert_no_error (error);
  page = tsr_exact_reader_read_page (reader, 0, (1u << TSR_N_EXACT) - 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (page->n_steps, >, 3);
  for (gsize at = 0; at < (gsize)page->n_steps * page->n_ipus; at++)
    {
      gboolean is_gap = id_of (t, page->first_step + (guint)(at / page->n_ipus)) % 3 == 1;

      /* Nor is what is not whole one. */
      for (guint i = 0; i < TSR_N_EXACT && !is_gap; i++)
        if (g_str_has_prefix (tsr_exact_column_get_name (i), "data_")
            && id_of (t, page->first_step + (guint)(at / page->n_ipus)) % 3 == 0)
          g_assert_cmpint (page->values[i][at].number, ==, TSR_UNKNOWN);
      for (guint i = 0; i < TSR_N_EXACT && is_gap; i++)
        if (i < TSR_EXACT_TILE_BALANCE)
          g_assert_cmpint (page->values[i][at].number, ==, TSR_UNKNOWN);
        else
          g_assert_true (isnan (page->values[i][at].real));
      if (!is_gap)
        g_assert_cmpint (page->values[TSR_EXACT_CYCLES][at].number, !=, TSR_UNKNOWN);
    }
  tsr_test_folder_free (folder);
}

static void
test_exact (gconstpointer data)
{
  const Fixture *f = data;
  const TsrExecutionTables *t = tsr_report_get_execution_tables (f->report);
  g_autoptr (GError) error = NULL;
  g_autofree double *starts = NULL;
  g_autofree double *ends = NULL;
  guint n = 0;
  Question q;

  for (guint n_read = MAX (t->n_ipus, 2) - 1; n_read <= t->n_ipus; n_read++)
    {
      check_exact (f, (1u << TSR_N_EXACT) - 1, n_read);
      check_exact (f, 0x5555 & ((1u << TSR_N_EXACT) - 1), n_read);
    }
  g_assert_true (tsr_report_read_run_times (f->report, t, &starts, &ends, NULL, &error));
  g_assert_no_error (error);
  if (!has_column (f, "runs", "id"))
    return;
  question_each (&q, n, f->folder,
                 "SELECT microseconds_start, microseconds_end FROM runs ORDER BY id")
    {
      g_assert_cmpfloat (starts[n], ==, question_double (&q, 0));
      g_assert_cmpfloat (ends[n], ==, question_double (&q, 1));
    }
  g_assert_cmpuint (n, ==, t->n_runs);
}

/* ----------------------------------------------------------------- whole */

/* Once all is read there is nothing to preview. */
static void
test_preview (gconstpointer data)
{
  const Fixture *f = data;

  g_assert_null (tsr_report_dup_execution_preview (f->report));
}

static guint64
count_of (const Fixture *f, const char *code, const char *table)
{
  return count_diagnostics (f->report, code, table);
}

/* What is as it should be is not complained of. */
static void
test_quiet (gconstpointer data)
{
  const Fixture *f = data;
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (f->report);

  if (g_str_equal (f->test, "out-of-order"))
    {
      g_assert_cmpuint (count_of (f, "rows-out-of-order", "steps"), >, 20);
      g_assert_cmpuint (count_of (f, "rows-out-of-order", "steps_by_ipu"), >, 20);
    }
  else if (g_str_equal (f->test, "two-threads"))
    g_assert_cmpuint (count_of (f, "ids-skip", "steps"), ==, 9);
  else if (g_str_equal (f->test, "tiny") || g_str_equal (f->test, "demo"))
    for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
      g_error ("%s", tsr_diagnostic_dup_line (tsr_diagnostics_get (diagnostics, i)));
}

/* Rows that stand by a key, shared out by the middle of its values: a text is told of, too, and
 * nothing is lost however unevenly they lie. */
static void
test_uneven_keys (void)
{
  char *folder = make_report ("tiny");
  const gint64 n = 30000;
  gint64 sum = 0;

  tsr_test_sql (folder, "profile.pop",
                "DELETE FROM steps; DELETE FROM steps_by_ipu; DROP TABLE runs;"
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 29999)"
                " INSERT INTO steps (id, type) SELECT i + (i > 29000) * 300000, 'Sync' FROM n;"
                "INSERT INTO steps_by_ipu (step_id, ipu, cycles, cycles_base,"
                " active_cycles_from_min, active_cycles_to_max) SELECT id, 0, id % 7, id, 0, 1"
                " FROM steps;"
                "INSERT INTO steps_by_ipu (step_id, ipu) VALUES ('x', 0), (x'00', 1), (-5, 0);");
  {
    g_autoptr (TsrReport) report = open_tables (folder, TSR_LOAD_NO_LOWERED);
    const TsrExecutionTables *t = tsr_report_get_execution_tables (report);

    g_assert_cmpint (t->n_steps, ==, n);
    g_assert_cmpint (t->ipu_start[1], ==, n);
    for (gint64 i = 0; i < n; i++)
      {
        g_assert_cmpint (t->slice_start[i], ==, id_of (t, i));
        g_assert_cmpint (t->slice_step[i], ==, i);
        sum += tsr_narrow_get (&t->slice_cycles, i);
      }
    g_assert_cmpint (
        sum, ==, tsr_test_query (folder, "profile.pop", "SELECT sum (cycles) FROM steps_by_ipu"));
    g_assert_cmpuint (count_diagnostics (report, "value-of-wrong-type", "steps_by_ipu"), ==, 2);
    g_assert_cmpuint (count_diagnostics (report, "reference-broken", "steps_by_ipu"), ==, 1);
  }
  tsr_test_folder_free (folder);
}

static void
add (Fixture *fixture, const char *name, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/execution/%s/%s", fixture->test, name);

  g_test_add_data_func (path, fixture, test);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    {
      Fixture *f = &fixtures[i];

      f->folder = make_report (f->preset);
      if (f->sql != NULL)
        tsr_test_sql (f->folder, "profile.pop", f->sql);
      f->report = open_tables (f->folder, TSR_LOAD_NO_LOWERED);
      g_assert_nonnull (tsr_report_get_execution_tables (f->report));
      add (f, "steps", test_steps);
      add (f, "runs", test_runs);
      add (f, "slices", test_slices);
      add (f, "blocks", test_blocks);
      add (f, "exact", test_exact);
      add (f, "preview", test_preview);
      add (f, "quiet", test_quiet);
    }
  g_test_add_func ("/execution/exact-gaps", test_exact_gaps);
  g_test_add_func ("/execution/uneven-keys", test_uneven_keys);
  status = g_test_run ();
  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    {
      g_object_unref (fixtures[i].report);
      tsr_test_folder_free (fixtures[i].folder);
    }
  return status;
}
