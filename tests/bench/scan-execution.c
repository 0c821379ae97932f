/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A plain SQL scan of an execution's tables, to compare with. */

#include "config.h"

#include "scan-execution.h"

#include <sqlite3.h>

static gboolean
scan_table (sqlite3 *db, const char *sql, int n_columns)
{
  sqlite3_stmt *statement = NULL;
  volatile double reals = 0;
  volatile gint64 sum = 0;
  int status = SQLITE_ERROR;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK)
    while ((status = sqlite3_step (statement)) == SQLITE_ROW)
      for (int i = 0; i < n_columns; i++)
        switch (sqlite3_column_type (statement, i))
          {
          case SQLITE_FLOAT:
            reals += sqlite3_column_double (statement, i);
            break;
          case SQLITE_TEXT:
            sum += sqlite3_column_text (statement, i)[0];
            break;
          default:
            sum += sqlite3_column_int64 (statement, i);
          }
  sqlite3_finalize (statement);
  return status == SQLITE_DONE;
}

double
bench_scan_execution (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  gint64 start = g_get_monotonic_time ();
  sqlite3 *db = NULL;
  gboolean ok
      = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
        && scan_table (db, "SELECT id, type, program, compute_set, run, tile_cycles FROM steps", 6)
        && scan_table (db,
                       "SELECT step_id, ipu, cycles, active_tiles, cycles_base,"
                       " active_cycles_from_min, active_cycles_from_max, active_cycles_to_max,"
                       " tile_balance, active_tile_balance, data_in, data_out FROM steps_by_ipu",
                       12);

  sqlite3_close (db);
  return ok ? (double)(g_get_monotonic_time () - start) / 1e6 : -1;
}
