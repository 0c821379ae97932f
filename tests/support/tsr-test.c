/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Temporary folders, databases from SQL, and programs run by tests. */

#include "config.h"

#include "tsr-test.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <linux/capability.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

char *
tsr_test_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("tessera-test-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK) && g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_chmod (path, 0700);
      dir = g_dir_open (path, 0, NULL);
      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *child = g_build_filename (path, name, NULL);

          remove_tree (child);
        }
    }
  g_remove (path);
}

void
tsr_test_folder_free (char *folder)
{
  remove_tree (folder);
  g_free (folder);
}

void
tsr_test_obey_modes (void)
{
  struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct rights[2];

  g_assert_cmpint (syscall (SYS_capget, &head, rights), ==, 0);
  rights[0].effective &= ~(1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH);
  g_assert_cmpint (syscall (SYS_capset, &head, rights), ==, 0);
}

guint
tsr_test_rounds (guint all)
{
  return g_test_slow () ? all : (all + 4) / 5;
}

gboolean
tsr_test_make_locale (const char *source)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_BUILT, "locales", NULL);
  g_autofree char *name = g_strconcat (source, ".UTF-8", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autofree char *to = g_strdup_printf ("%s/%s.%d", folder, name, (int)getpid ());
      const char *argv[] = { "localedef", "-i", source, "-f", "UTF-8", to, NULL };

      g_mkdir_with_parents (folder, 0700);
      if (g_spawn_sync (NULL, (char **)argv, NULL,
                        G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL
                            | G_SPAWN_STDERR_TO_DEV_NULL,
                        NULL, NULL, NULL, NULL, NULL, NULL))
        g_rename (to, path);
      remove_tree (to); /* another test was first */
    }
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("localedef or its sources (package locales) are not installed");
      return FALSE;
    }
  g_setenv ("LOCPATH", folder, TRUE);
  return TRUE;
}

void
tsr_test_sql (const char *folder, const char *name, const char *sql)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  sqlite3 *db = NULL;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  /* No test survives a power failure. */
  sqlite3_exec (db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
  if (sqlite3_exec (db, sql, NULL, NULL, &message) != SQLITE_OK)
    g_error ("%s in: %s", message, sql);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

gint64
tsr_test_query (const char *folder, const char *name, const char *sql)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  gint64 answer = G_MININT64;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK)
    g_error ("%s in: %s", sqlite3_errmsg (db), sql);
  if (sqlite3_step (statement) == SQLITE_ROW && sqlite3_column_type (statement, 0) != SQLITE_NULL)
    answer = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return answer;
}

GPtrArray *
tsr_test_query_rows (const char *folder, const char *name, const char *sql)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK)
    g_error ("%s in: %s", sqlite3_errmsg (db), sql);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      int n = sqlite3_column_count (statement);
      char **row = g_new0 (char *, (gsize)n + 1);

      for (int i = 0; i < n; i++)
        row[i] = g_strdup (sqlite3_column_type (statement, i) == SQLITE_NULL
                               ? ""
                               : (const char *)sqlite3_column_text (statement, i));
      g_ptr_array_add (rows, row);
    }
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return rows;
}

gint64
tsr_test_ask (const char *folder, const char *format, ...)
{
  g_autofree char *sql = NULL;
  va_list args;

  va_start (args, format);
  sql = g_strdup_vprintf (format, args);
  va_end (args);
  return tsr_test_query (folder, "profile.pop", sql);
}

GPtrArray *
tsr_test_ask_rows (const char *folder, const char *format, ...)
{
  g_autofree char *sql = NULL;
  va_list args;

  va_start (args, format);
  sql = g_strdup_vprintf (format, args);
  va_end (args);
  return tsr_test_query_rows (folder, "profile.pop", sql);
}

void
tsr_test_run_clear (TsrTestRun *run)
{
  g_clear_pointer (&run->out, g_free);
  g_clear_pointer (&run->err, g_free);
}

void
tsr_test_run (TsrTestRun *run, const char *const *words, char **env)
{
  g_autoptr (GError) error = NULL;
  int status = 0;

  tsr_test_run_clear (run);
  g_spawn_sync (NULL, (char **)words, env, G_SPAWN_SEARCH_PATH, NULL, NULL, &run->out, &run->err,
                &status, &error);
  g_assert_no_error (error);
  run->status = WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
  if (g_test_verbose ())
    g_test_message ("%s: %d\n%s\n%s", words[0], run->status, run->out, run->err);
}

/* The report that the build has made of @preset; NULL without one, or if the program that makes
 * them is newer. */
static const char *
get_built (const char *preset)
{
  const char *built = g_getenv ("TESSERA_TEST_REPORTS"), *maker = g_getenv ("TESSERA_MAKE_REPORT");
  g_autofree char *folder = NULL, *profile = NULL;
  struct stat report, program;

  if (built == NULL || maker == NULL)
    return NULL;
  folder = g_build_filename (built, preset, NULL);
  profile = g_build_filename (folder, "profile.pop", NULL);
  if (stat (profile, &report) != 0 || stat (maker, &program) != 0
      || report.st_mtime < program.st_mtime)
    return NULL;
  return g_intern_string (folder);
}

void
tsr_test_make_report (const char *folder, const char *preset, ...)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_auto (TsrTestRun) run = { 0 };
  va_list args;

  g_ptr_array_add (words, (char *)g_getenv ("TESSERA_MAKE_REPORT"));
  va_start (args, preset);
  for (const char *word = va_arg (args, const char *); word != NULL;
       word = va_arg (args, const char *))
    g_ptr_array_add (words, (char *)word);
  va_end (args);
  if (words->len == 1 && get_built (preset) != NULL)
    {
      tsr_test_copy (get_built (preset), folder, NULL);
      return;
    }
  g_ptr_array_add (words, (char *)preset);
  g_ptr_array_add (words, (char *)folder);
  g_ptr_array_add (words, NULL);
  tsr_test_run (&run, (const char *const *)words->pdata, NULL);
  if (run.status != 0)
    g_error ("tessera-make-report %s: %s", preset, run.err);
}

static GHashTable *made; /* preset and option to folder */

static void
free_made (void)
{
  g_clear_pointer (&made, g_hash_table_unref);
}

static const char *
get_made (const char *preset, const char *option)
{
  g_autofree char *key = g_strdup_printf ("%s %s", preset, option != NULL ? option : "");
  const char *built = get_built (preset);
  char *folder;

  if (built != NULL)
    return built;
  if (made == NULL)
    {
      made = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                    (GDestroyNotify)tsr_test_folder_free);
      atexit (free_made);
    }
  folder = g_hash_table_lookup (made, key);
  if (folder == NULL)
    {
      folder = tsr_test_folder_new ();
      tsr_test_make_report (folder, preset, option, NULL);
      g_hash_table_insert (made, g_steal_pointer (&key), folder);
    }
  return folder;
}

const char *
tsr_test_get_report (const char *preset)
{
  return get_made (preset, NULL);
}

char *
tsr_test_report_new (const char *preset)
{
  char *folder = tsr_test_folder_new ();

  tsr_test_copy (get_made (preset, "--only=profile"), folder, "profile.pop");
  return folder;
}

static void
copy_file (const char *from, const char *to, const char *name)
{
  g_autoptr (GFile) source = g_file_new_build_filename (from, name, NULL);
  g_autoptr (GFile) target = g_file_new_build_filename (to, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

void
tsr_test_copy (const char *from, const char *to, const char *name)
{
  g_autoptr (GDir) dir = NULL;

  if (name != NULL)
    {
      copy_file (from, to, name);
      return;
    }
  dir = g_dir_open (from, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    copy_file (from, to, name);
}

void
tsr_test_write (const char *folder, const char *name, const void *bytes, gssize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_unlink (path); /* whoever has it open keeps the old one */
  g_file_set_contents_full (path, bytes, length, G_FILE_SET_CONTENTS_NONE, 0666, &error);
  g_assert_no_error (error);
}

guint8 *
tsr_test_make_bytes (gsize size, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint8 *bytes = g_malloc (size + 4);

  for (gsize i = 0; i < size; i += 4)
    {
      guint32 word = g_rand_int (rand);

      memcpy (bytes + i, &word, 4);
    }
  return bytes;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *)a, *(char *const *)b);
}

static void
add_fingerprint (const char *path, GString *text)
{
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autofree char *contents = NULL;
  struct stat info;
  const char *name;
  gsize length = 0;

  if (lstat (path, &info) != 0)
    return;
  g_string_append_printf (text, "%s %o %ld %ld.%09ld", path, info.st_mode, (long)info.st_size,
                          (long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  if (S_ISREG (info.st_mode) && g_file_get_contents (path, &contents, &length, NULL))
    {
      g_autofree char *sum
          = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)contents, length);

      g_string_append_printf (text, " %s", sum);
    }
  g_string_append_c (text, '\n');
  if (!S_ISDIR (info.st_mode))
    return;
  dir = g_dir_open (path, 0, NULL);
  names = g_ptr_array_new_with_free_func (g_free);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *child = g_build_filename (path, g_ptr_array_index (names, i), NULL);

      add_fingerprint (child, text);
    }
}

char *
tsr_test_fingerprint (const char *folder)
{
  GString *text = g_string_new (NULL);

  add_fingerprint (folder, text);
  return g_string_free (text, FALSE);
}

void
tsr_test_enlarge (const char *folder)
{
  tsr_test_sql (
      folder, "profile.pop",
      "CREATE TABLE k (k INTEGER); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
      "WHERE i < 20) INSERT INTO k SELECT i FROM n;"
      "CREATE TEMP TABLE one AS SELECT max (id) + 1 AS n FROM steps;"
      "CREATE TEMP TABLE span AS SELECT max (cycles_base + active_cycles_to_max) AS n FROM "
      "steps_by_ipu;"
      "INSERT INTO steps SELECT id + k * (SELECT n FROM one), type, program, compute_set, NULL, "
      "tile_cycles FROM k, steps ORDER BY 1;"
      "INSERT INTO steps_by_ipu SELECT step_id + k * (SELECT n FROM one), ipu, cycles, "
      "active_tiles, cycles_base + k * (SELECT n FROM span), active_cycles_from_min, "
      "active_cycles_from_max, active_cycles_to_min, active_cycles_to_max, tile_balance, "
      "active_tile_balance, data_in, data_out, NULL, NULL, NULL, NULL FROM k, steps_by_ipu "
      "ORDER BY 1, 2;"
      "UPDATE runs SET end_step = (SELECT max (id) + 1 FROM steps) WHERE id = (SELECT max (id) "
      "FROM runs);"
      "DELETE FROM k; WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
      "300) INSERT INTO k SELECT i FROM n;"
      "INSERT INTO liveness_steps SELECT step + k * 199, program, not_always_live_bytes FROM k, "
      "liveness_steps ORDER BY 1;"
      "INSERT INTO liveness_by_ipu SELECT step + k * 199, ipu, not_always_live_bytes FROM k, "
      "liveness_by_ipu ORDER BY 1, 2;"
      "INSERT INTO variable_lifetimes SELECT variable, start_step + k * 199, end_step + k * 199, "
      "size_bytes FROM k, variable_lifetimes ORDER BY 2;"
      "DROP TABLE k; VACUUM;");
}

gint64
tsr_test_bytes_of_tables (const char *folder, const char *tables)
{
  return tsr_test_ask (
      folder, "SELECT sum (pgsize) FROM dbstat WHERE name IN ('sqlite_schema', %s)", tables);
}
