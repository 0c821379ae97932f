/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The structure of a database: numbers against plain sqlite3, and that no secret ever appears. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-structure-stats.h"
#include "tsr-structure.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

typedef struct
{
  char *folder;
  char *text; /* JSON as written */
  JsonParser *parser;
  JsonObject *root;
  GError *error;
  GCancellable *cancellable;
  guint limit;
  gboolean quick;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = tsr_test_folder_new ();
}

static void
forget (Fixture *fixture)
{
  g_clear_pointer (&fixture->text, g_free);
  g_clear_object (&fixture->parser);
  g_clear_error (&fixture->error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  forget (fixture);
  g_clear_object (&fixture->cancellable);
  tsr_test_folder_free (fixture->folder);
}

/* Writes the structure of test.db and parses what was written. */
static gboolean
run (Fixture *fixture)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (2);
  g_autofree char *path = g_build_filename (fixture->folder, "test.db", NULL);
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (GError) error = NULL;
  TsrProgress *progress = tsr_progress_new ();
  gboolean ok;

  forget (fixture);
  database = tsr_database_open (place, path, diagnostics, NULL, NULL, &error);
  g_assert_no_error (error);
  ok = tsr_structure_write (database, fixture->quick, fixture->limit, writer, progress,
                            fixture->cancellable, &fixture->error);
  g_assert_true (ok == (fixture->error == NULL));
  if (ok)
    g_assert_cmpfloat (tsr_progress_get_fraction (progress), ==, 1);
  tsr_progress_free (progress);
  g_assert_true (tsr_json_writer_finish (writer, !ok));
  fixture->text = tsr_json_writer_dup_text (writer);
  fixture->parser = json_parser_new ();
  json_parser_load_from_data (fixture->parser, fixture->text, -1, &error);
  g_assert_no_error (error);
  fixture->root = json_node_get_object (json_parser_get_root (fixture->parser));
  return ok;
}

static void
run_ok (Fixture *fixture)
{
  run (fixture);
  g_assert_no_error (fixture->error);
  g_assert_false (json_object_has_member (fixture->root, "incomplete"));
}

static JsonObject *
find_named (JsonArray *array, const char *name)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *object = json_array_get_object_element (array, i);

      if (g_strcmp0 (json_object_get_string_member_with_default (object, "name", NULL), name) == 0)
        return object;
    }
  return NULL;
}

static JsonObject *
get_table (Fixture *fixture, const char *name)
{
  return find_named (json_object_get_array_member (fixture->root, "tables"), name);
}

static JsonObject *
get_column (Fixture *fixture, const char *table, const char *name)
{
  return find_named (json_object_get_array_member (get_table (fixture, table), "columns"), name);
}

static gboolean
is_null (JsonObject *object, const char *member)
{
  return json_object_get_null_member (object, member);
}

static gint64
get_int (JsonObject *object, const char *member)
{
  return json_object_get_int_member (object, member);
}

/* ------------------------------------------------------------------- numbers */

/* Each count, extreme and number of different values, asked of sqlite3. */
static void
check_column (Fixture *fixture, const char *table, const char *column)
{
  static const char *const classes[] = { "null", "integer", "real", "text", "blob" };
  JsonObject *object = get_column (fixture, table, column);
  JsonObject *storage = json_object_get_object_member (object, "storage");

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "SELECT count(*) FROM \"%s\" WHERE typeof(\"%s\") = '%s'", table, column, classes[i]);

      g_assert_cmpint (get_int (storage, classes[i]), ==,
                       tsr_test_query (fixture->folder, "test.db", sql));
    }
  for (guint i = 0; i < 2; i++)
    {
      const char *key = i == 0 ? "min" : "max";
      /* In thousandths, so that one query answers for both classes. */
      g_autofree char *sql = g_strdup_printf (
          "SELECT cast(round(1000.0 * %s(\"%s\")) AS INTEGER) FROM \"%s\" WHERE typeof(\"%s\") IN "
          "('integer', 'real')",
          key, column, table, column);
      gint64 expected = tsr_test_query (fixture->folder, "test.db", sql);

      if (expected == G_MININT64)
        g_assert_true (is_null (object, key));
      else
        g_assert_cmpint (llround (1000 * json_object_get_double_member (object, key)), ==,
                         expected);
    }
  if (get_int (storage, "blob") == 0)
    {
      g_autofree char *sql
          = g_strdup_printf ("SELECT count(DISTINCT \"%s\") FROM \"%s\"", column, table);

      g_assert_cmpint (get_int (object, "distinct"), ==,
                       tsr_test_query (fixture->folder, "test.db", sql));
      g_assert_true (is_null (object, "blobLengths"));
      g_assert_true (is_null (object, "firstBytes"));
    }
}

static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  static const char *const columns[] = { "id", "a", "b", "c", "d", "e" };
  JsonObject *table;

  tsr_test_sql (
      fixture->folder, "test.db",
      "PRAGMA application_id = 7; PRAGMA user_version = 9;"
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b REAL, c TEXT, d, "
      "e VARCHAR(20));"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)"
      "INSERT INTO t SELECT i * 3, (i * 7919) % 1000 - 300, i / 7.0, 'text ' || (i % 77),"
      "CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN i + 0.25 WHEN 3 THEN 'x' || i"
      " ELSE i * 1.0 END, NULL FROM n;"
      "CREATE TABLE empty (x, y BLOB);"
      "CREATE TABLE words (eight BIG BIG BIG BIG BIG BIG BIG INT, nine BIG BIG BIG BIG BIG BIG BIG "
      "BIG INT, long DECIMAL(12345, 6), longer DECIMAL(123456));");
  run_ok (fixture);
  /* A type has eight words, and numbers five digits. */
  g_assert_cmpstr (
      json_object_get_string_member (get_column (fixture, "words", "eight"), "declaredType"), ==,
      "BIG BIG BIG BIG BIG BIG BIG INT");
  g_assert_cmpstr (
      json_object_get_string_member (get_column (fixture, "words", "nine"), "declaredType"), ==,
      "other");
  g_assert_cmpstr (
      json_object_get_string_member (get_column (fixture, "words", "longer"), "declaredType"), ==,
      "other");
  g_assert_cmpint (get_int (fixture->root, "pageSize"), ==, 4096);
  g_assert_cmpstr (json_object_get_string_member (fixture->root, "encoding"), ==, "UTF-8");
  g_assert_cmpstr (json_object_get_string_member (fixture->root, "journalMode"), ==, "delete");
  g_assert_cmpint (get_int (fixture->root, "userVersion"), ==, 9);
  g_assert_cmpint (get_int (fixture->root, "applicationId"), ==, 7);
  table = get_table (fixture, "t");
  g_assert_cmpint (get_int (table, "rows"), ==, 5000);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    check_column (fixture, "t", columns[i]);
  g_assert_cmpint (get_int (get_column (fixture, "t", "id"), "primaryKey"), ==, 1);
  g_assert_true (json_object_get_boolean_member (get_column (fixture, "t", "a"), "notNull"));
  g_assert_false (json_object_get_boolean_member (get_column (fixture, "t", "b"), "notNull"));
  g_assert_cmpstr (json_object_get_string_member (get_column (fixture, "t", "e"), "declaredType"),
                   ==, "VARCHAR(20)");
  g_assert_true (is_null (get_column (fixture, "t", "d"), "declaredType"));
  g_assert_cmpint (get_int (get_table (fixture, "empty"), "rows"), ==, 0);
  check_column (fixture, "empty", "x");
}

static void
test_extreme_numbers (Fixture *fixture, gconstpointer data)
{
  tsr_test_sql (fixture->folder, "test.db",
                "CREATE TABLE t (a, b, c);"
                "INSERT INTO t VALUES (-9223372036854775807 - 1, 1, 9e999),"
                "(9223372036854775807, 1.0, 2), (3, 1.5, 3);");
  run_ok (fixture);
  g_assert_nonnull (strstr (fixture->text, "\"min\": -9223372036854775808"));
  g_assert_nonnull (strstr (fixture->text, "\"max\": 9223372036854775807"));
  g_assert_cmpint (get_int (get_column (fixture, "t", "a"), "distinct"), ==, 3);
  g_assert_cmpint (get_int (get_column (fixture, "t", "b"), "distinct"), ==, 2);
  g_assert_true (is_null (get_column (fixture, "t", "c"), "max"));
  g_assert_cmpint (get_int (get_column (fixture, "t", "c"), "min"), ==, 2);
}

static void
test_many_different (Fixture *fixture, gconstpointer data)
{
  tsr_test_sql (fixture->folder, "test.db",
                "CREATE TABLE t (a, b);"
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 262144)"
                "INSERT INTO t SELECT i, i / 2 FROM n;");
  run_ok (fixture);
  g_assert_true (is_null (get_column (fixture, "t", "a"), "distinct"));
  check_column (fixture, "t", "b");
}

static void
test_blobs (Fixture *fixture, gconstpointer data)
{
  JsonObject *column, *lengths;

  tsr_test_sql (
      fixture->folder, "test.db",
      "CREATE TABLE t (numbers BLOB, packed BLOB, many BLOB, mixed BLOB, plain, short);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)"
      "INSERT INTO t SELECT CASE i % 3 WHEN 0 THEN zeroblob(8) WHEN 1 THEN "
      "x'0100000002000000' || zeroblob(0) ELSE zeroblob(1472 * 8) END,"
      "x'789ced9d0b5c14550100c79f', zeroblob(i), CASE i % 2 WHEN 0 THEN i ELSE zeroblob(i) "
      "END, x'0102ff', x'80' FROM n;"
      "UPDATE t SET numbers = cast(numbers AS BLOB);");
  run_ok (fixture);
  column = get_column (fixture, "t", "numbers");
  lengths = json_object_get_object_member (column, "blobLengths");
  g_assert_cmpint (get_int (lengths, "min"), ==, 8);
  g_assert_cmpint (get_int (lengths, "max"), ==, 1472 * 8);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (lengths, "values")), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (column, "firstBytes"), ==, "0000000000000000");
  g_assert_true (is_null (column, "distinct"));
  g_assert_cmpint (get_int (json_object_get_object_member (column, "storage"), "blob"), ==, 100);
  g_assert_cmpstr (
      json_object_get_string_member (get_column (fixture, "t", "packed"), "firstBytes"), ==,
      "789ced9d0b5c1455");
  lengths = json_object_get_object_member (get_column (fixture, "t", "many"), "blobLengths");
  g_assert_cmpint (get_int (lengths, "min"), ==, 0);
  g_assert_cmpint (get_int (lengths, "max"), ==, 99);
  g_assert_true (is_null (lengths, "values"));
  column = get_column (fixture, "t", "mixed");
  g_assert_cmpint (get_int (column, "max"), ==, 98);
  g_assert_cmpint (get_int (json_object_get_object_member (column, "storage"), "integer"), ==, 50);
  column = get_column (fixture, "t", "plain");
  g_assert_cmpint (get_int (column, "distinct"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (column, "firstBytes"), ==, "0102ff");
  g_assert_cmpstr (json_object_get_string_member (get_column (fixture, "t", "short"), "firstBytes"),
                   ==, "80");
}

/* However the rows are stored: each kind of value is counted, and lengths are those of the blobs
 * alone. */
static void
test_mixed (Fixture *fixture, gconstpointer data)
{
  static const char *const tables[] = { "t", "w" };
  static const char *const columns[] = { "a", "b", "c" };
  static const char *const classes[] = { "integer", "real", "text", "blob", "null" };

  tsr_test_sql (
      fixture->folder, "test.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c);"
      "CREATE TABLE w (id INTEGER PRIMARY KEY, a, b, c) WITHOUT ROWID;"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
      "INSERT INTO t SELECT i, CASE i % 5 WHEN 0 THEN zeroblob (3 + i * 7 % 11 % 6) WHEN 1 THEN i "
      "- 9"
      " WHEN 2 THEN i - 10.0 WHEN 3 THEN 'text of ' || i END, CASE WHEN i = 17 THEN"
      " x'010203' WHEN i % 2 THEN -3.0 ELSE -3 END, CASE WHEN i > 38 THEN zeroblob (2 * (45 - i))"
      " END FROM n;"
      "INSERT INTO w SELECT * FROM t;");
  run_ok (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (guint j = 0; j < G_N_ELEMENTS (columns); j++)
      {
        JsonObject *column = get_column (fixture, tables[i], columns[j]);
        JsonObject *storage = json_object_get_object_member (column, "storage");
        JsonObject *lengths = json_object_get_object_member (column, "blobLengths");

        for (guint k = 0; k < G_N_ELEMENTS (classes); k++)
          {
            g_autofree char *sql
                = g_strdup_printf ("SELECT count (*) FROM %s WHERE typeof (%s) = '%s'", tables[i],
                                   columns[j], classes[k]);

            g_assert_cmpint (get_int (storage, classes[k]), ==,
                             tsr_test_query (fixture->folder, "test.db", sql));
          }
        for (guint k = 0; k < 2; k++)
          {
            g_autofree char *sql
                = g_strdup_printf ("SELECT %s (length (%s)) FROM %s WHERE typeof (%s) = 'blob'",
                                   k == 0 ? "min" : "max", columns[j], tables[i], columns[j]);

            g_assert_cmpint (get_int (lengths, k == 0 ? "min" : "max"), ==,
                             tsr_test_query (fixture->folder, "test.db", sql));
          }
        for (guint k = 0;
             k < json_array_get_length (json_object_get_array_member (lengths, "values")); k++)
          {
            g_autofree char *sql
                = g_strdup_printf ("SELECT DISTINCT length (%s) FROM %s WHERE typeof (%s) = 'blob'"
                                   " ORDER BY 1 LIMIT 1 OFFSET %u",
                                   columns[j], tables[i], columns[j], k);

            g_assert_cmpint (
                json_array_get_int_element (json_object_get_array_member (lengths, "values"), k),
                ==, tsr_test_query (fixture->folder, "test.db", sql));
          }
      }
  /* One value of two classes is written as an integer. */
  for (guint k = 0; k < 2; k++)
    g_assert_true (json_node_get_value_type (json_object_get_member (get_column (fixture, "w", "b"),
                                                                     k == 0 ? "min" : "max"))
                   == G_TYPE_INT64);
}

/* As the comment of the function says it, of a character by itself. */
static gboolean
is_utf16 (gunichar c)
{
  return (g_unichar_isprint (c) || g_unichar_isspace (c) || (c >= 0xd800 && c <= 0xdfff)
          || c == 0xfeff)
         && !(c >= 0xe000 && c <= 0xf8ff);
}

/* Which bytes are text in UTF-16, either way round, and are not shown: of each character of which
 * neither byte is ASCII or begins UTF-8. */
static void
test_utf16 (Fixture *fixture, gconstpointer data)
{
  guint n = 0;

  for (guint high = 0x80; high <= 0xff; high++)
    for (guint low = 0x80; low < 0xc0; low++)
      {
        const guint8 four[] = { high, low, high, low, high, low, high, low };
        const guint8 ended[] = { high, low, 0, 0, 0xff, 0xff, 0xff, 0xff };
        const guint8 odd[] = { high, low, high, low, 0xff };
        const guint8 at_once[] = { 0, 0, high, low, 0xff, 0xff };
        const struct
        {
          const guint8 *bytes;
          gsize length;
          gboolean text; /* where the character is */
        } cases[]
            = { { four, 8, TRUE },  { four, 4, TRUE }, { four, 2, FALSE },   { four, 3, FALSE },
                { ended, 8, TRUE }, { odd, 5, TRUE },  { at_once, 6, FALSE } };
        const gboolean text = is_utf16 (high << 8 | low) || is_utf16 (low << 8 | high);

        if (g_utf8_get_char_validated ((const char *)four, 8) < 0x110000
            || g_utf8_get_char_validated ((const char *)four, 8) == (gunichar)-2)
          continue;
        for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
          {
            TsrColumnStats stats = { .n_first_bytes = 1 };
            const gboolean shown = !(text && cases[i].text);

            tsr_column_stats_take_first_bytes (&stats, cases[i].bytes, cases[i].length);
            g_assert_cmpuint (stats.n_first_bytes, ==,
                              shown ? MIN (cases[i].length, sizeof stats.first_bytes) : 0);
            g_assert_cmpmem (stats.first_bytes, stats.n_first_bytes, cases[i].bytes,
                             stats.n_first_bytes);
          }
        n++;
      }
  g_assert_cmpuint (n, >, 3000);
}

/* The same, of bytes in any order: a NUL after a character, or the end after two, ends the text. */
static gboolean
is_utf16_text (const guint8 *bytes, gsize length, guint first)
{
  gsize n = 0;

  for (; 2 * n + 1 < length; n++)
    {
      const gunichar c = (gunichar)(bytes[2 * n + first] << 8 | bytes[2 * n + 1 - first]);

      if (c == 0)
        return n > 0;
      if (!is_utf16 (c))
        return FALSE;
    }
  return n >= 2;
}

/* All that stands there but for three bytes at most is characters that print. */
static gboolean
is_utf8_text (const guint8 *bytes, gsize length)
{
  const char *text = (const char *)bytes;
  gsize valid = length;

  while (valid > 0 && !g_utf8_validate_len (text, valid, NULL))
    valid--;
  for (const char *p = text; p < text + valid; p = g_utf8_next_char (p))
    if (!g_unichar_isprint (g_utf8_get_char (p)) && !g_unichar_isspace (g_utf8_get_char (p)))
      return FALSE;
  return valid > 0 && length - valid <= 3;
}

/* Pieces of text of all kinds and of what is none, drawn: what may be text is not shown. */
static void
test_drawn_bytes (Fixture *fixture, gconstpointer data)
{
  static const char *const pieces[]
      = { "a",  "7~ ",      "\n", "\x01",         "\x7f",         "\x80",         "\xff",    "é",
          "因", "\xe5\x9b", "𝔸",  "\xf0\x9d\x94", "\xe2\x80\x83", "\xee\x80\x80", "\xc2\x85" };
  g_autoptr (GRand) random = g_rand_new_with_seed (19);
  guint n_shown = 0;

  for (guint round = 0; round < 60000; round++)
    {
      guint8 bytes[48];
      gsize length = 0;
      const gsize most = (gsize)g_rand_int_range (random, 0, 14);
      const guint kinds = g_rand_boolean (random) ? G_N_ELEMENTS (pieces) + 1 : 3;
      const guint kind = (guint)g_rand_int_range (random, 0, G_N_ELEMENTS (pieces));
      TsrColumnStats stats = { .n_first_bytes = 1 };
      guint n_ascii = 0;
      gsize n;
      gboolean shown;

      while (length < most)
        {
          const guint i = (kind + (guint)g_rand_int_range (random, 0, (gint)kinds))
                          % (G_N_ELEMENTS (pieces) + 1);
          const gsize more = i < G_N_ELEMENTS (pieces) ? strlen (pieces[i]) : 1;

          memcpy (bytes + length, i < G_N_ELEMENTS (pieces) ? pieces[i] : "", more);
          length += more;
        }
      n = MIN (length, 8);
      for (gsize i = 0; i < n; i++)
        n_ascii += g_ascii_isprint (bytes[i]);
      shown = n > 0 && n_ascii < 4 && (n == 8 || n_ascii < n) && !is_utf8_text (bytes, length)
              && !is_utf8_text (bytes, n) && !is_utf16_text (bytes, length, 0)
              && !is_utf16_text (bytes, length, 1);
      tsr_column_stats_take_first_bytes (&stats, bytes, length);
      g_assert_cmpuint (stats.n_first_bytes, ==, shown ? n : 0);
      g_assert_cmpmem (stats.first_bytes, stats.n_first_bytes, bytes, stats.n_first_bytes);
      n_shown += shown;
    }
  g_assert_cmpuint (n_shown, >, 6000);
  g_assert_cmpuint (n_shown, <, 54000);
}

/* Each word that types are written with, and one letter more or less of it. */
static void
test_type_words (Fixture *fixture, gconstpointer data)
{
  static const char *const words[]
      = { "ANY", "BIG",  "bigint", "BLOB",   "Boolean", "CHAR",    "DATE", "DOUBLE",
          "INT", "INT8", "REAL",   "STRING", "TEXT",    "VARCHAR", "UUID", "VARYING" };
  GString *sql = g_string_new ("CREATE TABLE t (z");

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_string_append_printf (sql, ", a%u %s, b%u %sX, c%u X%s", i, words[i], i, words[i], i,
                            words[i]);
  g_string_append_c (sql, ')');
  tsr_test_sql (fixture->folder, "test.db", sql->str);
  g_string_free (sql, TRUE);
  run_ok (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    for (guint k = 0; k < 3; k++)
      {
        g_autofree char *name = g_strdup_printf ("%c%u", "abc"[k], i);

        g_assert_cmpstr (
            json_object_get_string_member (get_column (fixture, "t", name), "declaredType"), ==,
            k == 0 ? words[i] : "other");
      }
}

static void
test_kinds (Fixture *fixture, gconstpointer data)
{
  JsonObject *table, *index;
  JsonArray *indexes;

  tsr_test_sql (fixture->folder, "test.db",
                "CREATE TABLE keyed (tile INTEGER, region INTEGER, bytes INTEGER, PRIMARY KEY "
                "(tile, region)) WITHOUT ROWID;"
                "INSERT INTO keyed VALUES (0, 0, 5), (0, 1, 6), (1, 0, 7);"
                "CREATE TABLE plain (a PRIMARY KEY, b UNIQUE, c);"
                "CREATE INDEX by_c ON plain (c, a + 1, b) WHERE c > 5;"
                "CREATE VIEW totals AS SELECT tile, sum(bytes) AS total FROM keyed GROUP BY tile;"
                "CREATE VIEW broken AS SELECT x FROM not_there;"
                "CREATE VIRTUAL TABLE words USING fts5(body);"
                "CREATE TABLE computed (a, b AS (a + 1) VIRTUAL, c AS (a + 2) STORED);"
                "INSERT INTO computed VALUES (1);");
  run_ok (fixture);
  table = get_table (fixture, "keyed");
  g_assert_cmpstr (json_object_get_string_member (table, "kind"), ==, "table");
  g_assert_true (json_object_get_boolean_member (table, "withoutRowid"));
  g_assert_cmpint (get_int (table, "rows"), ==, 3);
  g_assert_cmpint (get_int (get_column (fixture, "keyed", "region"), "primaryKey"), ==, 2);
  check_column (fixture, "keyed", "bytes");

  table = get_table (fixture, "plain");
  g_assert_false (json_object_get_boolean_member (table, "withoutRowid"));
  indexes = json_object_get_array_member (table, "indexes");
  g_assert_cmpint (json_array_get_length (indexes), ==, 3);
  index = find_named (indexes, "by_c");
  g_assert_false (json_object_get_boolean_member (index, "unique"));
  g_assert_cmpstr (
      json_array_get_string_element (json_object_get_array_member (index, "columns"), 0), ==, "c");
  g_assert_true (json_array_get_null_element (json_object_get_array_member (index, "columns"), 1));
  g_assert_true (
      json_object_get_boolean_member (find_named (indexes, "sqlite_autoindex_plain_2"), "unique"));

  table = get_table (fixture, "totals");
  g_assert_cmpstr (json_object_get_string_member (table, "kind"), ==, "view");
  g_assert_true (is_null (table, "rows"));
  g_assert_true (is_null (get_column (fixture, "totals", "total"), "storage"));
  g_assert_nonnull (get_table (fixture, "broken"));
  g_assert_cmpstr (json_object_get_string_member (get_table (fixture, "words"), "kind"), ==,
                   "virtual");
  g_assert_cmpint (json_array_get_length (
                       json_object_get_array_member (get_table (fixture, "words"), "columns")),
                   ==, 0);
  g_assert_true (is_null (get_column (fixture, "computed", "b"), "storage"));
  g_assert_cmpint (get_int (get_column (fixture, "computed", "c"), "max"), ==, 3);
}

/* ------------------------------------------------------------------- secrets */

static void
test_no_secret (Fixture *fixture, gconstpointer data)
{
  g_autofree char *lower = NULL;

  tsr_test_sql (
      fixture->folder, "test.db",
      "CREATE TABLE vars (\n"
      "  id INTEGER PRIMARY KEY, -- hushhush comment\n"
      "  /* hushhush comment */ name TEXT DEFAULT 'hushhush default',\n"
      "  kind TEXT CHECK (kind <> 'hushhush check') COLLATE NOCASE,\n"
      "  odd \"hushhush type\", odd2 hushhush(7), number INTEGER DEFAULT 20202020,\n"
      "  data BLOB DEFAULT x'6875736868757368', wide BLOB, long BLOB, utf8 BLOB, mixed,\n"
      "  made TEXT AS (name || 'hushhush generated'));"
      "INSERT INTO vars (name, kind, odd, number, data, wide, long, utf8, mixed) VALUES "
      "('hushhush value', 'hushhush', 'hushhush', 5, 'hushhush text', "
      "x'68007500730068006800750073006800', x'00000008' || 'hushhush', 'h\xc3\xbcshhush', "
      "cast('hushhush' AS BLOB));"
      "UPDATE vars SET data = cast('hushhush' AS BLOB), long = cast(x'00000008' || 'hushhush' AS "
      "BLOB), utf8 = x'e59ba0e4b8bae59ba0e4b8bae59ba0e4b8ba';"
      "INSERT INTO vars (name, number, data, wide) VALUES ('hushhush', 6, x'0000000000', "
      "x'e056e056ba4ee056ba4ee056');"
      "CREATE INDEX by_name ON vars (name || 'hushhush expression', lower(kind)) WHERE kind <> "
      "'hushhush partial';"
      "CREATE VIEW shown AS SELECT 'hushhush literal', name || 'hushhush', 4711, \"hushhush "
      "quoted\""
      " FROM vars WHERE name = 'hushhush where';"
      "CREATE TABLE copied AS SELECT 'hushhush literal', name || 'hushhush' FROM vars;"
      "CREATE TRIGGER told AFTER INSERT ON vars BEGIN SELECT 'hushhush trigger'; END;"
      "CREATE VIRTUAL TABLE words USING fts5(body, tokenize = 'unicode61 tokenchars hushhush');"
      "INSERT INTO words VALUES ('hushhush words');"
      "ANALYZE;");
  run_ok (fixture);
  lower = g_ascii_strdown (fixture->text, -1);
  if (strstr (lower, "hush") != NULL)
    g_error ("a secret: %.*s", 300, MAX (strstr (lower, "hush") - 200, lower));
  g_assert_null (strstr (lower, "68757368"));         /* in hexadecimal */
  g_assert_null (strstr (lower, "6800750073006800")); /* in UTF-16 */
  g_assert_null (strstr (lower, "e59ba0"));
  g_assert_null (strstr (lower, "e056"));
  g_assert_null (strstr (lower, "4711"));
  g_assert_null (strstr (lower, "20202020"));
  g_assert_null (strstr (lower, "select"));
  g_assert_null (strstr (lower, "unicode61"));
  /* What is structure is there. */
  g_assert_nonnull (get_column (fixture, "vars", "name"));
  g_assert_cmpstr (
      json_object_get_string_member (get_column (fixture, "vars", "odd"), "declaredType"), ==,
      "other");
  g_assert_true (is_null (get_column (fixture, "vars", "data"), "firstBytes"));
  g_assert_true (is_null (get_column (fixture, "vars", "wide"), "firstBytes"));
  g_assert_true (is_null (get_column (fixture, "vars", "long"), "firstBytes"));
  g_assert_true (is_null (get_column (fixture, "vars", "utf8"), "firstBytes"));
  g_assert_true (is_null (get_column (fixture, "vars", "mixed"), "firstBytes"));
  g_assert_nonnull (get_table (fixture, "shown"));
  g_assert_nonnull (get_table (fixture, "copied"));
}

static void
test_odd_names (Fixture *fixture, gconstpointer data)
{
  tsr_test_sql (fixture->folder, "test.db",
                "CREATE TABLE \"a table; DROP\" (\"select\" INTEGER, \"a b\", \"\xc3\xa4\", `x]`);"
                "INSERT INTO \"a table; DROP\" VALUES (1, 2, 3, 4);"
                "CREATE INDEX \"an index\" ON \"a table; DROP\" (\"a b\");"
                "CREATE TABLE \"it\"\"s\" (\"q\"\"q\" BLOB, `r'r`);"
                "INSERT INTO \"it\"\"s\" VALUES (x'00', 5);"
                "CREATE VIEW twice AS SELECT `select` AS n, `select` + 7 AS n, `select` AS [n 1]"
                " FROM \"a table; DROP\";");
  run_ok (fixture);
  g_assert_nonnull (get_column (fixture, "twice", "n"));
  g_assert_nonnull (get_column (fixture, "twice", "n:1"));
  g_assert_null (strstr (fixture->text, "n 1"));
  g_assert_cmpint (get_int (get_column (fixture, "a table; DROP", "select"), "max"), ==, 1);
  g_assert_cmpint (get_int (get_column (fixture, "a table; DROP", "a b"), "max"), ==, 2);
  g_assert_cmpint (get_int (get_column (fixture, "a table; DROP", "\xc3\xa4"), "max"), ==, 3);
  /* A name with a quote is told by its place only; its numbers are there. */
  g_assert_nonnull (get_table (fixture, NULL));
  g_assert_nonnull (strstr (fixture->text, "\"max\": 5"));
}

/* --------------------------------------------------------------------- modes */

static void
test_quick (Fixture *fixture, gconstpointer data)
{
  static const char *const left_out[]
      = { "\"rows\"", "\"storage\"", "\"min\"", "\"distinct\"", "\"firstBytes\"" };

  tsr_test_sql (fixture->folder, "test.db",
                "CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (5);"
                "CREATE TABLE u (a); CREATE TABLE v (a);");
  fixture->quick = TRUE;
  run_ok (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (left_out); i++)
    g_assert_null (strstr (fixture->text, left_out[i]));
  g_assert_nonnull (get_column (fixture, "t", "a"));
  g_assert_false (json_object_has_member (fixture->root, "truncated"));
  fixture->limit = 2;
  run_ok (fixture);
  g_assert_true (json_object_get_boolean_member (fixture->root, "truncated"));
  g_assert_null (get_table (fixture, "v"));
  fixture->limit = 3;
  run_ok (fixture);
  g_assert_false (json_object_has_member (fixture->root, "truncated"));
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  tsr_test_sql (fixture->folder, "test.db", "CREATE TABLE t (a); INSERT INTO t VALUES (1);");
  fixture->cancellable = g_cancellable_new ();
  g_cancellable_cancel (fixture->cancellable);
  g_assert_false (run (fixture));
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (json_object_get_boolean_member (fixture->root, "incomplete"));
}

/* The root page of the middle table is garbage: the others are told, that one has nulls. */
static void
test_broken_table (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "test.db", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gint64 page;
  gsize length;

  tsr_test_sql (fixture->folder, "test.db",
                "CREATE TABLE first (a); INSERT INTO first VALUES (1), (2);"
                "CREATE TABLE middle (a); INSERT INTO middle VALUES (3), (4);"
                "CREATE TABLE last (a); INSERT INTO last VALUES (5), (6), (7);");
  page = tsr_test_query (fixture->folder, "test.db",
                         "SELECT rootpage FROM sqlite_master WHERE name = 'middle'");
  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  memset (bytes + (page - 1) * 4096, 0xa5, 4096);
  tsr_test_write (fixture->folder, "test.db", bytes, (gssize)length);
  g_assert_false (run (fixture));
  g_assert_error (fixture->error, TSR_ERROR, TSR_ERROR_CORRUPT);
  g_assert_nonnull (strstr (fixture->error->message, "middle"));
  g_assert_true (json_object_get_boolean_member (fixture->root, "incomplete"));
  g_assert_cmpint (get_int (get_table (fixture, "first"), "rows"), ==, 2);
  g_assert_true (is_null (get_table (fixture, "middle"), "rows"));
  g_assert_true (is_null (get_column (fixture, "middle", "a"), "storage"));
  g_assert_cmpint (get_int (get_table (fixture, "last"), "rows"), ==, 3);
  g_assert_cmpint (get_int (get_column (fixture, "last", "a"), "max"), ==, 7);
}

/* A table whose name is no text has none that it could be asked by. */
static void
test_no_name (Fixture *fixture, gconstpointer data)
{
  tsr_test_sql (fixture->folder, "test.db",
                "CREATE TABLE a (x); CREATE TABLE b (y); PRAGMA writable_schema = ON;"
                "UPDATE sqlite_master SET name = x'61' WHERE name = 'a'");
  run_ok (fixture);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (fixture->root, "tables")),
                    ==, 1);
  g_assert_nonnull (get_column (fixture, "b", "y"));
}

/* Any damage of any byte: an answer that is JSON, never more. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "test.db", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  tsr_test_sql (fixture->folder, "test.db",
                "PRAGMA page_size = 512; CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT, z BLOB);"
                "CREATE TABLE b (x, y, PRIMARY KEY (y, x)) WITHOUT ROWID; CREATE INDEX i ON a (y);"
                "CREATE VIEW v AS SELECT x FROM b;"
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)"
                "INSERT INTO a SELECT i, 'name' || i, zeroblob(i * 10) FROM n;"
                "INSERT INTO b SELECT x, y FROM a;");
  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 1500; i++)
    {
      g_autofree char *damaged = g_memdup2 (bytes, length);
      g_autoptr (GBytes) wrapped = NULL;
      g_autoptr (TsrSource) source = NULL;
      g_autoptr (TsrDatabase) database = NULL;
      g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
      g_autoptr (JsonParser) parser = json_parser_new ();
      g_autoptr (GError) local_error = NULL;
      g_autofree char *text = NULL;

      for (guint j = 0; j <= i % 5; j++)
        damaged[g_test_rand_int_range (0, i % 2 ? 1024 : (gint32)length)]
            = (char)g_test_rand_int_range (0, 256);
      wrapped = g_bytes_new (damaged, length);
      source = tsr_bytes_source_new ("test.db", wrapped);
      database = tsr_database_open_source (source, &local_error);
      if (database == NULL)
        {
          g_assert_nonnull (local_error);
          continue;
        }
      if (!tsr_structure_write (database, FALSE, 0, writer, NULL, NULL, &local_error))
        g_assert_nonnull (local_error);
      tsr_json_writer_finish (writer, local_error != NULL);
      text = tsr_json_writer_dup_text (writer);
      g_assert_true (json_parser_load_from_data (parser, text, -1, NULL));
    }
}

/* A file that was written with a journal of its own says so in one of two bytes, or both. */
static void
test_journal (Fixture *fixture, gconstpointer data)
{
  static const guint8 versions[][2] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, "test.db", NULL);
      FILE *file;

      tsr_test_sql (fixture->folder, "test.db", "CREATE TABLE IF NOT EXISTS t (x)");
      file = fopen (path, "r+b");
      g_assert_cmpint (fseek (file, 18, SEEK_SET), ==, 0);
      g_assert_cmpint (fwrite (versions[i], 1, 2, file), ==, 2);
      fclose (file);
      g_assert_true (run (fixture));
      g_assert_cmpstr (json_object_get_string_member (fixture->root, "journalMode"), ==,
                       i > 0 ? "wal" : "delete");
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

#define ADD(name, function)                                                                        \
  g_test_add ("/structure/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("numbers", test_numbers);
  ADD ("extreme-numbers", test_extreme_numbers);
  ADD ("many-different", test_many_different);
  ADD ("blobs", test_blobs);
  ADD ("mixed", test_mixed);
  ADD ("utf16", test_utf16);
  ADD ("journal", test_journal);
  ADD ("drawn-bytes", test_drawn_bytes);
  ADD ("type-words", test_type_words);
  ADD ("kinds", test_kinds);
  ADD ("no-secret", test_no_secret);
  ADD ("odd-names", test_odd_names);
  ADD ("quick", test_quick);
  ADD ("cancelled", test_cancelled);
  ADD ("broken-table", test_broken_table);
  ADD ("damaged", test_damaged);
  ADD ("no-name", test_no_name);
  return g_test_run ();
}
