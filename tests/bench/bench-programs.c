/* SPDX-License-Identifier: GPL-3.0-or-later */

/* bench-programs FOLDER: a million programs, made there once.  Prints "ratio SECONDS SCAN WHAT" for
 * the tree as a table, from the file on, against SQLite's walk over the tables that it comes from,
 * and "time MILLISECONDS MOST WHAT" for what a person waits for in it; each the least of rounds, in
 * processor time of this process. */

#include "config.h"

#include "bench-least.h"
#include "tsr-program-icicle.h"
#include "tsr-program-rows.h"
#include "tsr-painter.h"
#include "tsr-row-outline.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 4

/* Of this process: other programs do not count. */
static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void
run_sql (sqlite3 *db, const char *sql)
{
  char *message = NULL;

  if (sqlite3_exec (db, sql, NULL, NULL, &message) != SQLITE_OK)
    g_error ("%s: %s", sql, message);
}

/* Sequences of a hundred, in sequences of a hundred, with a shared function for every tenth. */
static void
make_report (const char *path)
{
  sqlite3 *db;

  sqlite3_open (path, &db);
  run_sql (db,
           "PRAGMA synchronous = OFF; BEGIN;"
           "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT, compute_set "
           "INTEGER, repeat_count INTEGER, callee INTEGER, debug_id INTEGER, stream_copy_kind "
           "TEXT, code_bytes_by_tile INTEGER, control_code_by_tile INTEGER, "
           "estimated_cycles_by_tile INTEGER, data_in_by_tile INTEGER, data_out_by_tile INTEGER);"
           "CREATE TABLE program_children (parent INTEGER, position INTEGER, child INTEGER, "
           "PRIMARY KEY (parent, position)) WITHOUT ROWID;"
           "CREATE TABLE program_roots (compilation_step INTEGER, kind TEXT, position INTEGER, "
           "program INTEGER, PRIMARY KEY (compilation_step, kind, position)) WITHOUT ROWID;"
           "INSERT INTO program_roots VALUES (0, 'control', 0, 0);"
           "CREATE TABLE tile_arrays (id INTEGER PRIMARY KEY, format INTEGER, total INTEGER, "
           "maximum INTEGER, data BLOB);"
           "WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 3000) "
           "INSERT INTO tile_arrays SELECT i, 1, i * 1472, i, NULL FROM c;"
           "WITH RECURSIVE c (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM c WHERE i < 999999) "
           "INSERT INTO programs SELECT i, 'model/encoder/layer' || (i / 5000) || "
           "'/attention/matMul' || i || '/Convolve', CASE WHEN i <= 10100 THEN 'Sequence' WHEN i "
           "% 10 = 0 THEN 'Call' WHEN i % 2 = 0 THEN 'DoExchange' ELSE 'OnTileExecute' END, NULL,"
           " NULL, CASE WHEN i > 10100 AND i % 10 = 0 THEN 1 + i % 100 END, i * 7919, NULL, "
           "CASE WHEN i % 10 IN (2, 4, 6, 8) THEN 1 + i % 3000 END, 1 + i % 3000, CASE WHEN i % "
           "10 IN (2, 4, 6, 8) THEN 1 + i % 2999 END, NULL, NULL FROM c;"
           "CREATE TABLE liveness_steps (step INTEGER PRIMARY KEY, program INTEGER, "
           "not_always_live_bytes INTEGER);"
           "INSERT INTO liveness_steps SELECT id - 10101, id, 1000 + id % 977 FROM programs WHERE "
           "id > 10100;"
           "INSERT INTO program_children SELECT (id - 1) / 100, (id - 1) % 100, id FROM programs "
           "WHERE id > 0; COMMIT;");
  sqlite3_close (db);
}

static double
scan (const char *path, guint n_tables)
{
  static const char *const tables[] = { "programs", "program_children", "liveness_steps" };
  double begin = now ();
  gint64 sum = 0;
  sqlite3 *db;

  sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL);
  for (guint i = 0; i < n_tables; i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s", tables[i]);
      sqlite3_stmt *statement;

      sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);
      while (sqlite3_step (statement) == SQLITE_ROW)
        for (int c = 0; c < sqlite3_column_count (statement); c++)
          sum += sqlite3_column_type (statement, c) == SQLITE_TEXT
                     ? sqlite3_column_text (statement, c)[0]
                     : sqlite3_column_int64 (statement, c);
      sqlite3_finalize (statement);
    }
  sqlite3_close (db);
  return sum != 0 ? now () - begin : 0;
}

/* Least of the rounds, in seconds. */
typedef struct
{
  double scan_two, scan_three, ready, ready_live, search, expand, expand_all, icicle, frame;
} Least;

static void
keep (double *least, double begin)
{
  *least = MIN (*least, now () - begin);
}

static void
bench_icicle (TsrPrograms *programs, Least *least)
{
  g_autoptr (TsrProgramIcicle) icicle = NULL;
  TsrChartGeometry geometry = { .width = 1600, .height = 900, .scale = 2 };
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  double unit;
  double begin = now ();

  icicle = tsr_program_icicle_new (programs, NULL);
  tsr_program_icicle_set_width (icicle, TSR_ICICLE_LIVE);
  keep (&least->icicle, begin);
  tsr_chart_model_get_domain (TSR_CHART_MODEL (icicle), &geometry.from, &geometry.to, &unit);
  geometry.measure = *tsr_painter_get_measure ();
  /* The first one loads fonts and makes the cells. */
  tsr_chart_model_layout (TSR_CHART_MODEL (icicle), &geometry, list, &area);
  tsr_draw_list_reset (list);
  begin = now ();
  tsr_chart_model_layout (TSR_CHART_MODEL (icicle), &geometry, list, &area);
  keep (&least->frame, begin);
}

/* The tree from the file on.  @live: with what is live. */
static void
bench (const char *folder, gboolean live, Least *least)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  double begin = now ();
  g_autoptr (TsrReport) report
      = tsr_report_open_sync (place, folder,
                              TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LOWERED | TSR_LOAD_NO_EXECUTION
                                  | TSR_LOAD_NO_DEBUG | (live ? 0 : TSR_LOAD_NO_LIVENESS),
                              NULL, &error);
  g_autoptr (TsrPrograms) programs = NULL;
  g_autoptr (TsrTableAnswer) answer = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new ("matmul777", NULL);
  g_autoptr (TsrRowOrder) order = NULL;
  g_autoptr (TsrRowOrder) matches = NULL;
  g_autoptr (TsrRowOutline) outline = tsr_row_outline_new ();
  TsrProgramQuestion question
      = { TSR_PROGRAM_TAB_TREE, .step = TSR_NO_INDEX, .root = TSR_NO_INDEX };

  g_assert_no_error (error);
  fprintf (stderr, "stages %.3f", now () - begin);
  programs = tsr_programs_new (report, NULL, &error);
  g_assert_no_error (error);
  fprintf (stderr, ", programs %.3f", now () - begin);
  question.programs = programs;
  answer = tsr_program_answer_new (&question, NULL, &error);
  order = tsr_rows_arrange (answer->rows, -1, FALSE, NULL, NULL, NULL);
  keep (live ? &least->ready_live : &least->ready, begin);
  fprintf (stderr, ", ready %.3f s\n", now () - begin);
  begin = now ();
  matches = tsr_rows_arrange (answer->rows, -1, FALSE, filter, NULL, NULL);
  keep (&least->search, begin);
  g_assert_cmpuint (matches->n_passing, >, 0);
  tsr_row_outline_set (outline, answer->rows, order);
  tsr_row_outline_set_expanded (outline, 0, TRUE, FALSE);
  begin = now ();
  tsr_row_outline_set_expanded (outline, tsr_row_outline_get_row (outline, 50), TRUE, FALSE);
  keep (&least->expand, begin);
  begin = now ();
  tsr_row_outline_set_all_expanded (outline, TRUE);
  keep (&least->expand_all, begin);
  if (live)
    bench_icicle (programs, least);
  tsr_row_outline_set (outline, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = argc == 2 ? g_build_filename (argv[1], "profile.pop", NULL) : NULL;
  Least least = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE,
                  G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-programs FOLDER\n");
      return 2;
    }
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_mkdir_with_parents (argv[1], 0777);
      make_report (path);
    }
  for (guint i = 0; i < ROUNDS; i++)
    {
      bench_take_least (&least.scan_two, scan (path, 2));
      bench (argv[1], FALSE, &least);
      bench_take_least (&least.scan_three, scan (path, 3));
      bench (argv[1], TRUE, &least);
    }
  printf ("ratio %.4f %.4f tree ready, by a scan of its two tables\n", least.ready, least.scan_two);
  printf ("ratio %.4f %.4f ... with liveness, by a scan of three\n", least.ready_live,
          least.scan_three);
  printf ("time %.3f 300 all matches of a search\n", least.search * 1e3);
  printf ("time %.3f 16 expanding\n", least.expand * 1e3);
  printf ("time %.3f 16 expanding all\n", least.expand_all * 1e3);
  printf ("time %.3f 16 a frame of the icicle\n", least.frame * 1e3);
  printf ("time %.3f 300 making the icicle\n", least.icicle * 1e3);
  return 0;
}
