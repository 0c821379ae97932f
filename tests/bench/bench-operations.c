/* SPDX-License-Identifier: GPL-3.0-or-later */

/* bench-operations REPORT: prints the seconds that the operations of PopLibs take, and those of one
 * scan by SQLite of the tables that they are made of, of a search through all programs and
 * contexts, and of the worst tile's code of all operations; each the least of several rounds. */

#include "config.h"

#include "bench-least.h"
#include "tsr-operations.h"
#include "tsr-search.h"

#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

#define ROUNDS 3

/* Of this process: other programs do not count. */
static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* All values of all rows, BLOBs to the last byte. */
static gboolean
scan (const char *path)
{
  static const char *const tables[]
      = { "programs",     "compute_sets", "vertex_types", "compute_set_vertices", "steps",
          "steps_by_ipu", "variables",    "tile_cycles",  "program_variables",    "tile_arrays" };
  sqlite3 *db;
  gint64 sum = 0;
  gboolean ok = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;

  for (guint i = 0; ok && i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s", tables[i]);
      sqlite3_stmt *stmt = NULL;

      ok = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) == SQLITE_OK;
      while (ok && sqlite3_step (stmt) == SQLITE_ROW)
        for (int column = 0; column < sqlite3_column_count (stmt); column++)
          if (sqlite3_column_type (stmt, column) == SQLITE_INTEGER)
            sum += sqlite3_column_int64 (stmt, column);
          else if (sqlite3_column_blob (stmt, column) != NULL)
            sum += sqlite3_column_bytes (stmt, column);
      sqlite3_finalize (stmt);
    }
  sqlite3_close (db);
  return ok && sum != 0;
}

static void
ignore (gpointer data, const TsrFound *found, guint n)
{
}

/* Seconds of a search, the slowest of several words: found everywhere, nowhere, in some, many times
 * in each name. */
static double
search (TsrReport *report)
{
  static const char *const words[]
      = { "mat", "nothing", "layer4444", "model step", "e", "e l a 1 m", "9" };
  g_autoptr (TsrSearch) search = tsr_search_new (report, NULL, NULL, 1u << TSR_VIEW_PROGRAM_TREE);
  double most = 0;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      double start = now ();

      if (!tsr_search_run (search, words[i], 50, ignore, NULL, NULL, NULL))
        return G_MAXDOUBLE;
      most = MAX (most, now () - start);
    }
  return most;
}

int
main (int argc, char **argv)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrVariables) variables = NULL;
  g_autoptr (TsrPrograms) programs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = argc == 2 ? g_build_filename (argv[1], "profile.pop", NULL) : NULL;
  double least[4] = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };
  guint n = 0;

  if (argc != 2)
    return 2;
  report = tsr_report_open_sync (place, argv[1], TSR_LOAD_NO_SCAN, NULL, &error);
  if (report != NULL)
    programs = tsr_programs_new (report, NULL, &error);
  if (programs == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  memory = tsr_memory_new (report);
  variables = tsr_variables_new (report, NULL, NULL);
  for (guint round = 0; round < ROUNDS; round++)
    {
      double start = now ();
      g_autoptr (TsrOperations) operations
          = tsr_operations_new (programs, tsr_report_get_debug_tables (report), "poplibs", memory,
                                variables, NULL, &error);

      bench_take_least (&least[0], now () - start);
      n = operations != NULL ? tsr_operations_get_n (operations) : 0;
      start = now ();
      if (operations == NULL || !scan (path))
        return 1;
      bench_take_least (&least[1], now () - start);
      bench_take_least (&least[2], search (report));
      start = now ();
      if (!tsr_operations_read_worst_code (operations, NULL, &error))
        return 1;
      bench_take_least (&least[3], now () - start);
    }
  printf ("operations %u %.4f scan %.4f search %.4f worst %.4f\n", n, least[0], least[1], least[2],
          least[3]);
  return 0;
}
