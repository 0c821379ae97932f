/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A read-only database over a source: what is no database, what is cut off, what a hostile schema
 * tries, and that it can be stopped. */

#include "config.h"

#include "database-fixture.h"
#include "tsr-error.h"
#include "tsr-guard.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *bytes;
    gssize length;
    int code;
    const char *says;
  } cases[] = {
    { "", 0, TSR_ERROR_TRUNCATED, "empty" },
    { "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 52\n", -1,
      TSR_ERROR_NOT_A_REPORT, "git lfs pull" },
    { "\x1f\x8b\x08xxxx", -1, TSR_ERROR_NOT_A_REPORT, "gzip" },
    { "PK\x03\x04xxxx", -1, TSR_ERROR_NOT_A_REPORT, "zip" },
    { "\x28\xb5\x2f\xfdxxx", -1, TSR_ERROR_NOT_A_REPORT, "zstd" },
    { "\n <!doctype HTML><html>", -1, TSR_ERROR_NOT_A_REPORT, "web page" },
    { "{\"graphProfile\": 1}", -1, TSR_ERROR_UNSUPPORTED, "JSON" },
    { "\xef\xbb\xbf [1]", -1, TSR_ERROR_UNSUPPORTED, "JSON" },
    { "\xef\xbb\xbf[1]", -1, TSR_ERROR_UNSUPPORTED, "JSON" },
    { "\xef\xbb\xbf<Html>", -1, TSR_ERROR_NOT_A_REPORT, "web page" },
    { "<?xml", -1, TSR_ERROR_NOT_A_REPORT, "web page" },
    { "<?xm", -1, TSR_ERROR_NOT_A_REPORT, "text file" },
    { " \t\n", -1, TSR_ERROR_NOT_A_REPORT, "text file" },
    { "!<arch>\nxxx", -1, TSR_ERROR_NOT_A_REPORT, "archive.a" },
    { "GC_EXE_3xxx", -1, TSR_ERROR_NOT_A_REPORT, "executable" },
    { "hello, this is text\n", -1, TSR_ERROR_NOT_A_REPORT, "text file" },
    { "\0\0\0\0\0\0\0\0\0\0\0\0", 12, TSR_ERROR_NOT_A_REPORT, "zeros" },
    { "\x01\x02\x03\xff\xfe rubbish", -1, TSR_ERROR_NOT_A_REPORT, "SQLite" },
    { "SQLite for", -1, TSR_ERROR_TRUNCATED, "header" },
    { "SQLite format 3", 16, TSR_ERROR_TRUNCATED, "header" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      tsr_test_write (fixture->folder, "profile.pop", cases[i].bytes, cases[i].length);
      g_assert_null (fixture_open (fixture, &error));
      g_assert_error (error, TSR_ERROR, cases[i].code);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].says));
      g_assert_nonnull (strstr (error->message, fixture->path));
      g_assert_false (g_str_has_suffix (error->message, "."));
    }
}

/* By its first bytes, as soon as all of them are there. */
static void
test_magic (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *magic, *says;
  } cases[] = {
    { "version https://git-lfs", "git lfs pull" },
    { "\x1f\x8b", "gunzip" },
    { "PK\x03\x04", "unzip" },
    { "\x28\xb5\x2f\xfd", "unzstd" },
    { "\xfd\x37zXZ", "unxz" },
    { "BZh", "bunzip2" },
    { "!<arch>\n", "archive.a" },
    { "GC_EXE_", "executable" },
    { "\x04\x22\x4d\x18", "unlz4" },
    { "7z\xbc\xaf", "7z archive" },
    { "\x7f\x45LF", "ELF" },
    { "** This file contains an SQLite 2", "SQLite 2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint missing = 0; missing < 2; missing++)
      {
        g_autoptr (GError) error = NULL;

        tsr_test_write (fixture->folder, "profile.pop", cases[i].magic,
                        (gssize)(strlen (cases[i].magic) - missing));
        g_assert_null (fixture_open (fixture, &error));
        g_assert_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
        g_assert_cmpint (strstr (error->message, cases[i].says) != NULL, ==, missing == 0);
      }
}

/* What only its name tells of. */
static void
test_old_name (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "profile.capnp", NULL);
  g_autoptr (GError) error = NULL;

  tsr_test_write (fixture->folder, "profile.capnp", "\x01\x02", 2);
  g_assert_null (
      tsr_database_open (fixture->place, path, fixture->diagnostics, NULL, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "Cap’n Proto"));
}

/* A page that is no page: the file is all there, and says what is wrong with it. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize length;
  gint64 page, size;

  tsr_test_sql (fixture->folder, "profile.pop",
                "CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);");
  page = tsr_test_ask (fixture->folder, "SELECT rootpage FROM sqlite_master WHERE name = 't'");
  size = tsr_test_ask (fixture->folder, "PRAGMA page_size");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  memset (bytes + (page - 1) * size, 0xee, (gsize)size);
  tsr_test_write (fixture->folder, "profile.pop", bytes, (gssize)length);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fixture_query (database, "SELECT count(*) FROM t", &error), ==, G_MININT64);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, "table t: the file is damaged"));
  g_clear_error (&error);
  g_clear_object (&database);
  /* Without the list of tables there is nothing to open. */
  memset (bytes + 100, 0xee, (gsize)size - 100);
  tsr_test_write (fixture->folder, "profile.pop", bytes, (gssize)length);
  g_assert_null (fixture_open (fixture, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
}

/* Any byte of a text but the ones that control something. */
static void
test_text (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) one = NULL;

  tsr_test_write (fixture->folder, "profile.pop", "x", 1);
  g_assert_null (fixture_open (fixture, &one));
  g_assert_nonnull (strstr (one->message, "text file"));
  for (guint byte = 0; byte < 256; byte++)
    {
      const char text[] = { 's', 'o', 'm', 'e', (char)byte, 's' };
      g_autoptr (GError) error = NULL;

      tsr_test_write (fixture->folder, "profile.pop", text, sizeof text);
      g_assert_null (fixture_open (fixture, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
      g_assert_cmpint (strstr (error->message, "text file") != NULL, ==,
                       byte >= ' ' || byte == '\t' || byte == '\n' || byte == '\r');
    }
}

static void
test_page_size (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  tsr_test_sql (fixture->folder, "profile.pop", "CREATE TABLE t (a)");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  bytes[16] = 0x13;
  tsr_test_write (fixture->folder, "profile.pop", bytes, length);
  g_assert_null (fixture_open (fixture, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, "byte 16: a page size of 4864"));
}

/* Each length up to the end of the header, and one byte more. */
static void
test_header (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize length;

  tsr_test_sql (fixture->folder, "profile.pop", "CREATE TABLE t (a)");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  for (gssize n = 1; n <= 101; n++)
    {
      g_autofree char *says = g_strdup_printf (" ends at byte %zd, within its header", n);
      g_autoptr (GError) error = NULL;

      tsr_test_write (fixture->folder, "profile.pop", bytes, n);
      g_assert_null (fixture_open (fixture, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED);
      g_assert_cmpint (strstr (error->message, says) != NULL, ==, n < 100);
    }
  for (guint i = 0; i < 16; i++)
    {
      g_autoptr (GError) error = NULL;

      bytes[i] ^= 1;
      tsr_test_write (fixture->folder, "profile.pop", bytes, (gssize)length);
      g_assert_null (fixture_open (fixture, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
      bytes[i] ^= 1;
    }
}

static void
set_n_pages (Fixture *fixture, const char *bytes, gsize length, guint32 n_pages)
{
  g_autofree char *changed = g_memdup2 (bytes, length);

  n_pages = GUINT32_TO_BE (n_pages);
  memcpy (changed + 28, &n_pages, sizeof n_pages);
  tsr_test_write (fixture->folder, "profile.pop", changed, (gssize)length);
}

/* A header that tells of more pages than there are is taken at its word, unless it is beside all
 * reason; with fewer, the rest does not matter. */
static void
test_n_pages (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize length;
  guint32 n, most;
  gint64 page_size;

  tsr_test_sql (fixture->folder, "profile.pop",
                "CREATE TABLE t (a); INSERT INTO t VALUES (17); CREATE TABLE u (a);"
                "INSERT INTO u VALUES (zeroblob (100000));");
  page_size = tsr_test_ask (fixture->folder, "PRAGMA page_size");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  n = (guint32)((gint64)length / page_size);
  most = (guint32)(64 * ((gint64)length + (1 << 20)) / page_size);
  for (guint i = 0; i < 5; i++)
    {
      const guint32 told = ((const guint32[]){ n, n - 1, n + 1, most, most + 1 })[i];
      g_autoptr (TsrDatabase) database = NULL;
      g_autoptr (GError) error = NULL;

      g_clear_pointer (&fixture->diagnostics, tsr_diagnostics_unref);
      fixture->diagnostics = tsr_diagnostics_new ();
      set_n_pages (fixture, bytes, length, told);
      database = fixture_open (fixture, &error);
      g_assert_cmpint (database != NULL, ==, told <= most);
      g_assert_cmpuint (tsr_diagnostics_get_n_errors (fixture->diagnostics), ==, told > n);
      if (database != NULL)
        g_assert_cmpint (fixture_query (database, "SELECT a FROM t", &error), ==, 17);
      else
        g_assert_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED);
    }
}

static const char numbers[]
    = "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); CREATE TABLE u (x);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
      " INSERT INTO t SELECT i, printf('%050d', i) FROM n;"
      "INSERT INTO u VALUES (zeroblob(100000)); INSERT INTO u VALUES (printf('%.100000c', 'x'));";

/* Every page that is missing is an error of what stands on it, and nothing else's: a text or BLOB
 * never ends in zeros that are not in the file. */
static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  gint64 size, page_size;
  gint64 whole_sum;
  guint opened = 0;
  guint read_whole = 0;
  g_autofree char *bytes = NULL;
  gsize length;

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  size = (gint64)length;
  page_size = tsr_test_ask (fixture->folder, "PRAGMA page_size");
  whole_sum = tsr_test_query (fixture->folder, "profile.pop", "SELECT sum(a + length(b)) FROM t");
  for (gint64 cut = size - 512; cut > 0; cut -= 512)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrDatabase) database = NULL;
      gint64 sum;

      g_clear_pointer (&fixture->diagnostics, tsr_diagnostics_unref);
      fixture->diagnostics = tsr_diagnostics_new ();
      tsr_test_write (fixture->folder, "profile.pop", bytes, cut);
      database = fixture_open (fixture, &error);
      g_assert_cmpint (database != NULL, ==, cut >= page_size);
      if (database == NULL)
        {
          g_assert_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED);
          continue;
        }
      opened++;
      g_assert_cmpuint (tsr_diagnostics_get_n_errors (fixture->diagnostics), ==, 1);
      g_assert_cmpstr (tsr_diagnostics_get (fixture->diagnostics, 0)->code, ==, "file-truncated");
      sum = fixture_query (database, "SELECT sum(a + length(b)) FROM t", &error);
      if (sum == G_MININT64)
        g_assert_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED);
      else
        {
          g_assert_cmpint (sum, ==, whole_sum);
          read_whole++;
        }
      g_clear_error (&error);
      /* The large values fill the end: one of them is always cut. */
      g_assert_cmpint (fixture_query (database, "SELECT sum(instr(x, 'y')) FROM u", &error), ==,
                       G_MININT64);
      g_assert_nonnull (error);
    }
  g_assert_cmpuint (opened, >, 10);
  g_assert_cmpuint (read_whole, >, 10);
}

static void
test_cut_while_open (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  g_assert_true (tsr_database_check_unchanged (database, NULL));
  g_assert_cmpint (truncate (fixture->path, 8192), ==, 0);
  g_assert_cmpint (fixture_query (database, "SELECT sum(instr(x, 'y')) FROM u", &error), ==,
                   G_MININT64);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
  g_clear_error (&error);
  g_assert_false (tsr_database_check_unchanged (database, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
}

/* Written in place, in the same size and with the same time: the change counter tells. */
static void
test_change_counter (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;
  const TsrSourceStamp *stamp;
  struct timespec times[2] = { 0 };

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  stamp = tsr_source_get_stamp (tsr_database_get_source (database));
  tsr_test_sql (fixture->folder, "profile.pop", "UPDATE t SET b = 'changed' WHERE a = 7");
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = stamp->mtime_us / G_USEC_PER_SEC;
  times[1].tv_nsec = stamp->mtime_us % G_USEC_PER_SEC * 1000;
  g_assert_cmpint (utimensat (AT_FDCWD, fixture->path, times, 0), ==, 0);
  g_assert_true (tsr_source_check_unchanged (tsr_database_get_source (database), NULL, NULL));
  g_assert_false (tsr_database_check_unchanged (database, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *sql;
    int code;
    const char *says;
  } refused[] = {
    { "INSERT INTO t VALUES (-1, 'x')", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "CREATE TABLE v (a)", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "CREATE TEMP TABLE v (a)", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "ATTACH ':memory:' AS other", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "VACUUM", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "BEGIN IMMEDIATE", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "PRAGMA journal_mode = WAL", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "PRAGMA user_version = 3", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "PRAGMA writable_schema", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "PRAGMA writable_schema = 1", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "PRAGMA wal_checkpoint", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "PRAGMA query_only = 0", TSR_ERROR_UNSUPPORTED, "more than to be read" },
    { "SELECT load_extension('x')", TSR_ERROR_CORRUPT, "cannot be read" },
    { "SELECT zeroblob(1000000000)", TSR_ERROR_CORRUPT, "cannot be read" },
    { "SELECT printf('%.1000000000c', 'x')", TSR_ERROR_CORRUPT, "cannot be read" },
    { "SELECT length (x||x||x||x||x||x||x||x||x||x||x||x) FROM u", TSR_ERROR_LIMIT, "too large" },
    { "SELECT fts3_tokenizer('x')", TSR_ERROR_CORRUPT, "cannot be read" },
    { "SELECT * FROM json_each('[1]')", TSR_ERROR_CORRUPT, "cannot be read" },
    { "SELECT * FROM nowhere", TSR_ERROR_CORRUPT, "cannot be read" },
    { "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
      TSR_ERROR_UNSUPPORTED, "more than to be read" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  before = tsr_test_fingerprint (fixture->folder);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      fixture_query (database, refused[i].sql, &error);
      g_test_message ("%s: %s", refused[i].sql, error != NULL ? error->message : "nothing");
      g_assert_error (error, TSR_ERROR, refused[i].code);
      g_assert_nonnull (strstr (error->message, refused[i].says));
      g_assert_true (g_str_has_prefix (error->message, fixture->path));
      g_clear_error (&error);
    }
  g_assert_cmpint (fixture_query (database, "SELECT count(*) FROM t", &error), ==, 2000);
  g_assert_no_error (error);
  g_clear_object (&database);
  after = tsr_test_fingerprint (fixture->folder);
  g_assert_cmpstr (before, ==, after);
}

/* What may be asked, first and last of each list among it. */
static void
test_allowed (Fixture *fixture, gconstpointer data)
{
  static const char *const allowed[] = {
    "SELECT abs (-1)",       "SELECT upper ('x')",         "SELECT unicode ('x')",
    "PRAGMA table_info (t)", "PRAGMA integrity_check (1)", "PRAGMA quick_check (1)",
    "PRAGMA application_id", "PRAGMA user_version",        "PRAGMA journal_mode",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  database = fixture_open (fixture, &error);
  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++)
    {
      fixture_query (database, allowed[i], &error);
      g_assert_no_error (error);
    }
}

/* What cannot be seen from outside: each limit as SQLite itself tells it. */
static void
test_guard (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    int what, value;
  } limits[] = {
    { SQLITE_LIMIT_LENGTH, 1 << 20 },     { SQLITE_LIMIT_SQL_LENGTH, 1 << 20 },
    { SQLITE_LIMIT_EXPR_DEPTH, 200 },     { SQLITE_LIMIT_COMPOUND_SELECT, 100 },
    { SQLITE_LIMIT_VDBE_OP, 1 << 20 },    { SQLITE_LIMIT_FUNCTION_ARG, 32 },
    { SQLITE_LIMIT_ATTACHED, 0 },         { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64 },
    { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },    { SQLITE_LIMIT_WORKER_THREADS, 0 },
  }, switches[] = {
    { SQLITE_DBCONFIG_DEFENSIVE, 1 },
    { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
    { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
    { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
  };
  static const struct
  {
    const char *sql;
    gint64 value;
  } pragmas[] = {
    { "PRAGMA query_only", 1 },
    { "PRAGMA cell_size_check", 1 },
    { "PRAGMA ignore_check_constraints", 1 },
    { "PRAGMA temp_store", 2 },
    { "PRAGMA cache_size", -8192 },
  };
  static const gint64 sizes[]
      = { 0, 3, 4, 1 << 20, (1 << 30) + 1, G_GINT64_CONSTANT (1) << 50, G_MAXINT64 };
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3 *db;

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  db = tsr_database_peek (database);
  g_assert_cmpint (sqlite3_db_readonly (db, "main"), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    g_assert_cmpint (sqlite3_limit (db, limits[i].what, -1), ==, limits[i].value);
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      int value = -1;

      g_assert_cmpint (sqlite3_db_config (db, switches[i].what, -1, &value), ==, SQLITE_OK);
      g_assert_cmpint (value, ==, switches[i].value);
    }
  sqlite3_set_authorizer (db, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pragmas); i++)
    {
      g_assert_cmpint (fixture_query (database, pragmas[i].sql, &error), ==, pragmas[i].value);
      g_assert_no_error (error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      TsrGuardAllowance allowance = tsr_guard_get_allowance (sizes[i]);
      gint64 size = MIN (sizes[i], G_GINT64_CONSTANT (1) << 50);
      sqlite3 *other = NULL;

      g_assert_cmpint (allowance.operations, ==, 50 * 1000 * 1000 + 64 * size);
      g_assert_cmpint (allowance.microseconds, ==, 10 * 1000 * 1000 + size / 4);
      g_assert_cmpint (allowance.memory, ==, (256 << 20) + 2 * size);
      g_assert_cmpint (sqlite3_open (":memory:", &other), ==, SQLITE_OK);
      tsr_guard_set_limits (other, sizes[i]);
      g_assert_cmpint (sqlite3_limit (other, SQLITE_LIMIT_LENGTH, -1), ==,
                       CLAMP (sizes[i], 1 << 20, 1000 * 1000 * 1000));
      sqlite3_close (other);
    }
}

typedef struct
{
  TsrDatabase *database;
  gint64 n, sum, last; /* rows, their sum, after which one to stop */
  gint64 inner;        /* sum of another statement that runs within this one */
} Rows;

static gboolean
take_number (sqlite3_value **values, gpointer data)
{
  Rows *rows = data;

  g_assert_cmpint (sqlite3_value_int64 (values[0]), ==, rows->n + 1);
  g_assert_cmpint (sqlite3_value_type (values[1]), ==, SQLITE_TEXT);
  rows->sum += sqlite3_value_int64 (values[0]);
  return ++rows->n != rows->last;
}

static int
each_number (TsrDatabase *database, TsrDatabaseRowFunc func, Rows *rows)
{
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *statement
      = tsr_database_prepare (database, "t", "SELECT " TSR_DATABASE_ROW "(a, b) FROM t", &error);
  int status;

  g_assert_no_error (error);
  status = tsr_database_each (database, statement, func, rows);
  sqlite3_finalize (statement);
  return status;
}

static gboolean
take_within (sqlite3_value **values, gpointer data)
{
  Rows *rows = data;
  Rows inner = { .last = 5 };

  if (rows->n == 3)
    {
      g_assert_cmpint (each_number (rows->database, take_number, &inner), ==, SQLITE_ABORT);
      rows->inner = inner.sum;
    }
  return take_number (values, data);
}

static void
test_each (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;
  Rows all = { .last = 0 };
  Rows seven = { .last = 7 };
  Rows outer = { .last = 0 };

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  tsr_test_sql (fixture->folder, "profile.pop",
                "CREATE VIEW w AS SELECT " TSR_DATABASE_ROW "(a, b) FROM t");
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpint (each_number (database, take_number, &all), ==, SQLITE_DONE);
  g_assert_cmpint (all.sum, ==, 2000 * 2001 / 2);
  g_assert_cmpint (each_number (database, take_number, &seven), ==, SQLITE_ABORT);
  g_assert_cmpint (seven.sum, ==, 28);
  outer.database = database;
  g_assert_cmpint (each_number (database, take_within, &outer), ==, SQLITE_DONE);
  g_assert_cmpint (outer.sum, ==, 2000 * 2001 / 2);
  g_assert_cmpint (outer.inner, ==, 15);
  /* Nobody takes the rows; a view may not ask for that. */
  fixture_query (database, "SELECT " TSR_DATABASE_ROW "(a, b) FROM t", &error);
  g_assert_nonnull (error);
  g_clear_error (&error);
  fixture_query (database, "SELECT * FROM w", &error);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "unsafe"));
}

/* What a file can bring along to keep its reader busy, or to run something. */
static void
test_hostile_schema (Fixture *fixture, gconstpointer data)
{
  GString *bomb = g_string_new ("CREATE TABLE v0 (a); INSERT INTO v0 VALUES (1);"
                                "CREATE VIEW w0 AS SELECT 1 AS a;");
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;

  for (guint i = 1; i <= 40; i++)
    g_string_append_printf (bomb,
                            "CREATE VIEW v%u AS SELECT x.a FROM v%u AS x, v%u AS y;"
                            "CREATE VIEW w%u AS SELECT x.a FROM w%u AS x, w%u AS y;",
                            i, i - 1, i - 1, i, i - 1, i - 1);
  g_string_append (bomb, "CREATE VIEW named AS WITH c AS (SELECT 1 AS a) SELECT a FROM c;"
                         "CREATE VIEW circle1 AS SELECT * FROM circle2;"
                         "CREATE VIEW circle2 AS SELECT * FROM circle1;"
                         "CREATE VIEW fine AS SELECT a.a AS a FROM t AS a JOIN t AS b ON a.a = b.a;"
                         "CREATE VIEW joined AS SELECT sum(a.a + b.a + c.a + d.a) AS s"
                         " FROM t AS a, t AS b, t AS c, t AS d;"
                         "CREATE TABLE t (a, g AS (hex(zeroblob(1000000))),"
                         " CHECK (a > 0 OR randomblob(1000000) IS NULL));"
                         "CREATE TRIGGER tr AFTER INSERT ON t BEGIN DELETE FROM t; END;"
                         "CREATE VIRTUAL TABLE ft USING fts5 (a);"
                         "INSERT INTO v0 SELECT a FROM v0;");
  tsr_test_sql (fixture->folder, "profile.pop", bomb->str);
  tsr_test_sql (fixture->folder, "profile.pop",
                "DROP TRIGGER tr;"
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
                " INSERT INTO t SELECT i FROM n;");
  g_string_free (bomb, TRUE);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  g_assert_true (tsr_database_is_safe (database, "t"));
  g_assert_true (tsr_database_is_safe (database, "FINE"));
  g_assert_true (tsr_database_is_safe (database, "v3"));
  g_assert_false (tsr_database_is_safe (database, "v40"));
  g_assert_false (tsr_database_is_safe (database, "W40"));
  g_assert_false (tsr_database_is_safe (database, "named"));
  g_assert_false (tsr_database_is_safe (database, "circle1"));
  g_assert_cmpint (fixture_query (database, "SELECT sum(a) FROM fine", &error), ==, 500 * 501 / 2);
  g_assert_no_error (error);
  /* 6 x 10^10 rows: ended, with a word on why. */
  g_assert_cmpint (fixture_query (database, "SELECT s FROM joined", &error), ==, G_MININT64);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "far more time"));
  g_clear_error (&error);
  /* And the next statement has an allowance of its own. */
  g_assert_cmpint (fixture_query (database, "SELECT count(*) FROM t", &error), ==, 500);
  g_assert_no_error (error);
  fixture_query (database, "SELECT g FROM t", &error);
  g_assert_nonnull (error);
  g_clear_error (&error);
  fixture_query (database, "SELECT * FROM ft", &error);
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_clear_object (&database);
  /* With one name that is not plain nobody knows what the views expand to. */
  tsr_test_sql (fixture->folder, "profile.pop", "CREATE VIEW \"not plain\" AS SELECT 1 AS a");
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  g_assert_true (tsr_database_is_safe (database, "t"));
  g_assert_false (tsr_database_is_safe (database, "v3"));
  g_assert_false (tsr_database_is_safe (database, "not plain"));
}

/* (transfer full): @head, n - 1 times @more, and @tail. */
static char *
dup_repeated (const char *head, const char *more, const char *tail, guint n)
{
  GString *text = g_string_new (head);

  for (guint i = 1; i < n; i++)
    g_string_append (text, more);
  g_string_append (text, tail);
  return g_string_free (text, FALSE);
}

/* Of each construct as many as a view of ours could ever have, and not one more. */
static void
test_limits (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *head, *more, *tail;
    guint most;
  } cases[] = {
    { "SELECT 1", " UNION ALL SELECT 1", "", 100 },
    { "SELECT 1", " + 1", "", 200 },
    { "SELECT max (1", ", 1", ")", 32 },
    { "SELECT 'x' LIKE 'a", "a", "'", 64 },
    { "SELECT 1 ", " ", "", (1 << 20) - 8 },
  };
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (GError) error = NULL;

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *most
          = dup_repeated (cases[i].head, cases[i].more, cases[i].tail, cases[i].most);
      g_autofree char *more
          = dup_repeated (cases[i].head, cases[i].more, cases[i].tail, cases[i].most + 1);

      g_test_message ("%.40s ...", most);
      fixture_query (database, most, &error);
      g_assert_no_error (error);
      fixture_query (database, more, &error);
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
  /* A value is not longer than the file, but a MiB is always let through: 10 times 100,000 bytes
   * and 48,576 of them. */
  for (guint more = 0; more < 2; more++)
    {
      g_autofree char *last
          = g_strdup_printf (" || substr (x, 1, %u)) FROM u WHERE x LIKE 'x%%'", 48576 + more);
      g_autofree char *sql = dup_repeated ("SELECT length (x", " || x", last, 10);

      g_assert_cmpint (fixture_query (database, sql, &error), ==, more == 0 ? 1 << 20 : G_MININT64);
      g_assert_true ((error != NULL) == (more > 0));
      g_clear_error (&error);
    }
}

/* A view stands for itself and for what it names: 64 in all. */
static void
test_wide_views (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 70; i++)
    g_string_append_printf (sql, "CREATE VIEW leaf%u AS SELECT 1 AS a;", i);
  for (guint n = 1; n < 70; n++)
    {
      g_string_append_printf (sql, "CREATE VIEW wide%u AS SELECT leaf0.a FROM leaf0", n);
      for (guint i = 1; i < n; i++)
        g_string_append_printf (sql, ", leaf%u", i);
      g_string_append (sql, ";");
    }
  tsr_test_sql (fixture->folder, "profile.pop", sql->str);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  for (guint n = 1; n < 70; n++)
    {
      g_autofree char *name = g_strdup_printf ("wide%u", n);

      /* Its first one is named twice. */
      g_assert_cmpint (tsr_database_is_safe (database, name), ==, 1 + (n + 1) <= 64);
    }
}

/* One view upon the other: each stands for all that are below it. */
static void
test_deep_views (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) sql = g_string_new ("CREATE VIEW deep0 AS SELECT 1 AS a;");

  /* With more than may be, what is below need not be safe any more. */
  for (guint n = 64, i = 1; n <= 200; n += 136)
    {
      g_autoptr (TsrDatabase) database = NULL;
      g_autoptr (GError) error = NULL;

      for (; i < n; i++)
        g_string_append_printf (sql, "CREATE VIEW deep%u AS SELECT a FROM deep%u;", i, i - 1);
      tsr_test_sql (fixture->folder, "profile.pop", sql->str);
      g_string_truncate (sql, 0);
      database = fixture_open (fixture, &error);
      g_assert_no_error (error);
      for (guint k = n == 64 ? 0 : 64; k < n; k++)
        {
          g_autofree char *name = g_strdup_printf ("deep%u", k);

          g_assert_cmpint (tsr_database_is_safe (database, name), ==, k < 64);
        }
      if (n == 64)
        g_assert_cmpint (fixture_query (database, "SELECT a FROM deep63", &error), ==, 1);
      g_assert_no_error (error);
    }
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (50 * 1000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL, again = NULL;
  GThread *thread;

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  tsr_database_set_cancellable (database, cancellable);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  fixture_query (database, "SELECT count(*) FROM t AS a, t AS b, t AS c", &error);
  g_thread_join (thread);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_clear_object (&database);
  /* One that was there from the beginning, for this connection and for others. */
  g_cancellable_reset (cancellable);
  database = tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL,
                                cancellable, &error);
  g_assert_no_error (error);
  again = tsr_database_open_again (database, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fixture_query (again, "SELECT count(*) FROM t", &error), ==, 2000);
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < 2; i++)
    {
      fixture_query (i == 0 ? database : again, "SELECT count(*) FROM t AS a, t AS b", &error);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&error);
      g_assert_false (tsr_database_check_unchanged (i == 0 ? database : again, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&error);
    }
}

static gpointer
sum_again (gpointer data)
{
  g_autoptr (TsrDatabase) again = tsr_database_open_again (data, NULL);
  gint64 *sum = g_new (gint64, 1);

  g_assert_nonnull (again);
  *sum = fixture_query (again, "SELECT sum(a) FROM t", NULL);
  g_assert_true (tsr_database_check_unchanged (again, NULL));
  return sum;
}

static void
test_threads (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;
  GThread *threads[4];

  tsr_test_sql (fixture->folder, "profile.pop", numbers);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("read", sum_again, database);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree gint64 *sum = g_thread_join (threads[i]);

      g_assert_cmpint (*sum, ==, 2000 * 2001 / 2);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define add(name, function)                                                                        \
  g_test_add ("/database/" name, Fixture, NULL, fixture_set_up, function, fixture_tear_down)
  add ("foreign", test_foreign);
  add ("magic", test_magic);
  add ("old-name", test_old_name);
  add ("damaged", test_damaged);
  add ("text", test_text);
  add ("page-size", test_page_size);
  add ("header", test_header);
  add ("n-pages", test_n_pages);
  add ("truncated", test_truncated);
  add ("cut-while-open", test_cut_while_open);
  add ("change-counter", test_change_counter);
  add ("read-only", test_read_only);
  add ("allowed", test_allowed);
  add ("guard", test_guard);
  add ("each", test_each);
  add ("hostile-schema", test_hostile_schema);
  add ("limits", test_limits);
  add ("wide-views", test_wide_views);
  add ("deep-views", test_deep_views);
  add ("cancel", test_cancel);
  add ("threads", test_threads);
  return g_test_run ();
}
