/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens and queries a database that a test has made. */

#include "config.h"

#include "database-fixture.h"

static guint
count_open_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = tsr_test_folder_new ();
  fixture->path = g_build_filename (fixture->folder, "profile.pop", NULL);
  fixture->place = tsr_local_place_new ();
  fixture->diagnostics = tsr_diagnostics_new ();
  fixture->n_open = count_open_files ();
}

void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (count_open_files (), ==, fixture->n_open);
  g_object_unref (fixture->place);
  tsr_diagnostics_unref (fixture->diagnostics);
  g_free (fixture->path);
  tsr_test_folder_free (fixture->folder);
}

TsrDatabase *
fixture_open (Fixture *fixture, GError **error)
{
  return tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL, NULL, error);
}

gint64
fixture_query (TsrDatabase *database, const char *sql, GError **error)
{
  sqlite3_stmt *statement = tsr_database_prepare (database, "t", sql, error);
  gint64 answer = G_MININT64;
  int status;

  if (statement == NULL)
    return answer;
  status = sqlite3_step (statement);
  if (status == SQLITE_ROW)
    answer = sqlite3_column_int64 (statement, 0);
  else if (status != SQLITE_DONE)
    tsr_database_set_error (database, "t", error);
  sqlite3_finalize (statement);
  return answer;
}
