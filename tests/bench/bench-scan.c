/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The yardstick: a bare sqlite3 scan of one table, every column of every row, nothing else done.
 * bench-scan PROFILE TABLE: prints the number of rows. */

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  char *sql;
  long long n_rows = 0;
  long long sum = 0;
  int status;

  if (argc != 3)
    {
      fprintf (stderr, "usage: bench-scan PROFILE TABLE\n");
      return 2;
    }
  sql = sqlite3_mprintf ("SELECT * FROM \"%w\"", argv[2]);
  if (sqlite3_open_v2 (argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK
      || sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK)
    {
      fprintf (stderr, "%s: %s\n", argv[1], sqlite3_errmsg (db));
      return 1;
    }
  while ((status = sqlite3_step (statement)) == SQLITE_ROW)
    {
      int n = sqlite3_column_count (statement);

      for (int i = 0; i < n; i++)
        sum += sqlite3_column_int64 (statement, i);
      n_rows++;
    }
  printf ("%lld rows, checksum %lld\n", n_rows, sum);
  sqlite3_finalize (statement);
  sqlite3_free (sql);
  sqlite3_close (db);
  return status == SQLITE_DONE ? 0 : 1;
}
