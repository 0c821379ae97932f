/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A million programs: the tree as a table against SQLite's walk over the two tables that it comes
 * from, a search of all its rows, expanding, and a frame of the icicle.  Ratios of one run. */

#include "config.h"

#include "tsr-program-icicle.h"
#include "tsr-program-rows.h"
#include "tsr-painter.h"
#include "tsr-row-outline.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N 1000000

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
           "INTEGER, repeat_count INTEGER, callee INTEGER, debug_id INTEGER);"
           "CREATE TABLE program_children (parent INTEGER, position INTEGER, child INTEGER, "
           "PRIMARY KEY (parent, position)) WITHOUT ROWID;"
           "CREATE TABLE program_roots (compilation_step INTEGER, kind TEXT, position INTEGER, "
           "program INTEGER, PRIMARY KEY (compilation_step, kind, position)) WITHOUT ROWID;"
           "INSERT INTO program_roots VALUES (0, 'control', 0, 0);"
           "WITH RECURSIVE c (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM c WHERE i < 999999) "
           "INSERT INTO programs SELECT i, 'model/encoder/layer' || (i / 5000) || "
           "'/attention/matMul' || i || '/Convolve', CASE WHEN i <= 10100 THEN 'Sequence' WHEN i "
           "% 10 = 0 THEN 'Call' WHEN i % 2 = 0 THEN 'DoExchange' ELSE 'OnTileExecute' END, NULL,"
           " NULL, CASE WHEN i > 10100 AND i % 10 = 0 THEN 1 + i % 100 END, i * 7919 FROM c;"
           "CREATE TABLE liveness_steps (step INTEGER PRIMARY KEY, program INTEGER, "
           "not_always_live_bytes INTEGER);"
           "INSERT INTO liveness_steps SELECT id - 10101, id, 1000 + id % 977 FROM programs WHERE "
           "id > 10100;"
           "INSERT INTO program_children SELECT (id - 1) / 100, (id - 1) % 100, id FROM programs "
           "WHERE id > 0; COMMIT;");
  sqlite3_close (db);
}

static double
scan (const char *path)
{
  double begin = now ();
  gint64 sum = 0;
  sqlite3 *db;

  sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL);
  for (guint i = 0; i < 2; i++)
    {
      sqlite3_stmt *statement;

      sqlite3_prepare_v2 (db, i == 0 ? "SELECT * FROM programs" : "SELECT * FROM program_children",
                          -1, &statement, NULL);
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

static void
bench (const char *folder, const char *path)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  double begin = now (), loaded, computed, made, arranged, found, expanded, frame, scanned;
  g_autoptr (TsrReport) report = tsr_report_open_sync (
      place, folder, TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LOWERED | TSR_LOAD_NO_EXECUTION, NULL, &error);
  g_autoptr (TsrPrograms) programs = NULL;
  g_autoptr (TsrTableAnswer) answer = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new ("matmul777", NULL);
  g_autoptr (TsrRowOrder) order = NULL;
  g_autoptr (TsrRowOrder) matches = NULL;
  g_autoptr (TsrRowOutline) outline = tsr_row_outline_new ();
  g_autoptr (TsrProgramIcicle) icicle = NULL;
  TsrProgramQuestion question
      = { TSR_PROGRAM_TAB_TREE, .step = TSR_NO_INDEX, .root = TSR_NO_INDEX };

  loaded = now () - begin;
  g_assert_no_error (error);
  begin = now ();
  programs = tsr_programs_new (report, NULL, &error);
  g_assert_no_error (error);
  computed = now () - begin;
  question.programs = programs;
  begin = now ();
  answer = tsr_program_answer_new (&question, NULL, &error);
  made = now () - begin;
  begin = now ();
  order = tsr_rows_arrange (answer->rows, -1, FALSE, NULL, NULL, NULL);
  arranged = now () - begin;
  begin = now ();
  matches = tsr_rows_arrange (answer->rows, -1, FALSE, filter, NULL, NULL);
  found = now () - begin;
  tsr_row_outline_set (outline, answer->rows, order);
  tsr_row_outline_set_expanded (outline, 0, TRUE, FALSE);
  begin = now ();
  tsr_row_outline_set_expanded (outline, tsr_row_outline_get_row (outline, 50), TRUE, FALSE);
  expanded = now () - begin;
  begin = now ();
  tsr_row_outline_set_all_expanded (outline, TRUE);
  frame = now () - begin;
  scanned = scan (path);
  printf ("%u rows, %u match; programs %.1f MB\n", tsr_rows_get_n (answer->rows),
          matches->n_passing, (double)tsr_programs_get_size (programs) / 1e6);
  printf ("scan %.3f s; stage %.3f, programs %.3f, rows %.3f, order %.3f\n", scanned, loaded,
          computed, made, arranged);
  printf ("ready after the stage: %.2f x scan (at most 2); with the stage %.2f x\n",
          (computed + made + arranged) / scanned, (loaded + computed + made + arranged) / scanned);
  {
    TsrChartGeometry geometry = { .width = 1600, .height = 900, .scale = 2 };
    g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
    TsrPlotArea area;
    double least;

    begin = now ();
    icicle = tsr_program_icicle_new (programs, NULL);
    tsr_program_icicle_set_width (icicle, TSR_ICICLE_LIVE);
    printf ("icicle made in %.0f ms, ", (now () - begin) * 1e3);
    tsr_chart_model_get_domain (TSR_CHART_MODEL (icicle), &geometry.from, &geometry.to, &least);
    geometry.measure = *tsr_painter_get_measure ();
    /* The first one loads fonts and makes the cells. */
    tsr_chart_model_layout (TSR_CHART_MODEL (icicle), &geometry, list, &area);
    tsr_draw_list_reset (list);
    begin = now ();
    tsr_chart_model_layout (TSR_CHART_MODEL (icicle), &geometry, list, &area);
    printf ("laid out in %.2f ms (%u items)\n", (now () - begin) * 1e3, list->items->len);
  }
  printf ("search %.0f ms (at most 300), expand %.2f ms (at most 16), expand all %.1f ms\n",
          found * 1e3, expanded * 1e3, frame * 1e3);
  tsr_row_outline_set (outline, NULL, NULL);
}

int
main (void)
{
  g_autofree char *folder = g_dir_make_tmp ("bench-programs-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);

  make_report (path);
  for (guint i = 0; i < 3; i++)
    bench (folder, path);
  g_unlink (path);
  g_rmdir (folder);
  return 0;
}
