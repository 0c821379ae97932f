/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A plain SQL scan of the lowered variables, to compare with. */

#include "config.h"

#include "scan-lowered.h"

#include <sqlite3.h>

double
bench_scan_lowered (const char *folder)
{
  static const char sql[] = "SELECT id, tile, size_bytes, category, name, variable, offset,"
                            " always_live, equivalence_class, alignment FROM vars_info";
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  gint64 start = g_get_monotonic_time ();
  sqlite3_stmt *statement = NULL;
  sqlite3 *db = NULL;
  volatile gint64 sum = 0;
  int status = SQLITE_ERROR;

  if (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
      && sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK)
    while ((status = sqlite3_step (statement)) == SQLITE_ROW)
      for (int i = 0; i < 10; i++)
        sum += sqlite3_column_int64 (statement, i);
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return status == SQLITE_DONE ? (double)(g_get_monotonic_time () - start) / 1e6 : -1;
}
