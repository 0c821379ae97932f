/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tests of the larger tables share: reports to read, and rows asked of the same file with
 * plain sqlite3. */

#pragma once

#include "tables-held.h"

#include "tsr-error.h"
#include "tsr-report.h"
#include "tsr-test.h"

#include <sqlite3.h>
#include <string.h>

/* (transfer full): a folder with a report of @preset. */
static inline char *
make_report (const char *preset)
{
  char *folder = tsr_test_folder_new ();

  tsr_test_make_report (folder, preset, NULL);
  return folder;
}

static inline TsrReport *
open_tables (const char *folder, TsrLoadFlags flags)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  TsrReport *report = tsr_report_open_sync (place, folder, flags, NULL, &error);

  g_assert_no_error (error);
  return report;
}

/* Row of the first diagnostic of @code in @table; the test ends when there is none. */
static inline gint64
find_row (TsrReport *report, const char *code, const char *table)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (diagnostics, i);

      if (g_str_equal (entry->code, code) && g_strcmp0 (entry->table, table) == 0)
        return entry->row;
    }
  g_error ("no %s in %s", code, table);
}

/* Whether a diagnostic of @code in @table says @text. */
static inline gboolean
tells (TsrReport *report, const char *code, const char *table, const char *text)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (diagnostics, i);

      if (g_str_equal (entry->code, code) && g_strcmp0 (entry->table, table) == 0
          && strstr (entry->text, text) != NULL)
        return TRUE;
      g_test_message ("%s: %s", entry->code, entry->text);
    }
  return FALSE;
}

/* -------------------------------------------------- all that is said of damaged reports */

/* What is said of each report in turn, under the path of its test; with the paths and all words;
 * then what it holds otherwise than the one without damage: rows that are gone, and new ones. */
static GString *all_said;

/* What the report without damage holds. */
static GPtrArray *held_base;

static inline int
compare_said (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* Rows that differ are listed up to this number, the others are counted and summed. */
static guint held_listed = 5;

/* Keeps all that is said of @report, which a test has made of @sql with @open, and what it holds.
 */
static inline void
note_said (TsrReport *report, const char *sql, TsrReport *(*open) (const char *sql))
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) held = dup_held (report);

  if (held_base == NULL)
    {
      g_autoptr (TsrReport) plain = open ("");

      held_base = dup_held (plain);
    }
  if (all_said == NULL)
    all_said = g_string_new (NULL);
  g_string_append_printf (all_said, "\n%s\n  %s\n", g_test_get_path (), sql);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_ptr_array_add (lines, tsr_diagnostic_dup_line (tsr_diagnostics_get (diagnostics, i)));
  g_ptr_array_sort (lines, compare_said);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (all_said, "    %s\n", (const char *)lines->pdata[i]);
  if (held == NULL)
    return;
  add_missing (all_said, held_base, held, "-", held_listed);
  add_missing (all_said, held, held_base, "+", held_listed);
}

/* At the end of a program: each report is in the list @name beside the tests, with the same
 * all_said of it; TSR_TEST_WRITE_SAID: the list is written anew, to be looked at.  Slow rounds have
 * other sizes, so other rows. */
static inline void
check_said (const char *name)
{
  g_autofree char *path = g_build_filename (TSR_TEST_REPORT_FOLDER, name, NULL);
  g_autofree char *text = NULL;
  g_autofree char *ended = NULL;
  g_auto (GStrv) reports = NULL;

  g_clear_pointer (&held_base, g_ptr_array_unref);
  if (all_said == NULL || g_test_slow ())
    {
      if (all_said != NULL)
        g_string_free (g_steal_pointer (&all_said), TRUE);
      return;
    }
  if (g_getenv ("TSR_TEST_WRITE_SAID") != NULL)
    {
      g_autofree char *whole = g_strconcat (
          "Written by the test, and looked at in part: tables, rows and numbers are those of"
          " the SQL above them.\n",
          all_said->str, NULL);

      g_assert_true (g_file_set_contents (path, whole, -1, NULL));
    }
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  reports = g_strsplit (all_said->str + 1, "\n\n", -1);
  /* Each to its end: one of which less is said is another. */
  ended = g_strconcat (text, "\n", NULL);
  for (char **one = reports; *one != NULL; one++)
    {
      g_autofree char *wanted = g_strconcat (g_strchomp (*one), "\n\n", NULL);

      if (strstr (ended, wanted) == NULL)
        g_error ("%s does not say this, or else:\n%s", path, *one);
    }
  g_string_free (g_steal_pointer (&all_said), TRUE);
}

/* Notes what is said of the report of @base with each column under another name, and without each
 * table, which makes them as good as missing. */
static inline void
note_missing (const char *base, TsrReport *(*damage) (const char *sql))
{
  g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, base, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_prepare_v2 (db,
                      "SELECT 'DROP TABLE ' || name FROM sqlite_master WHERE type = 'table'"
                      " UNION ALL SELECT 'ALTER TABLE ' || m.name || ' RENAME COLUMN ' || c.name ||"
                      " ' TO other' FROM sqlite_master m, pragma_table_info (m.name) c"
                      " WHERE m.type = 'table'",
                      -1, &statement, NULL);
  while (sqlite3_step (statement) == SQLITE_ROW)
    g_ptr_array_add (changes, g_strdup ((const char *)sqlite3_column_text (statement, 0)));
  sqlite3_finalize (statement);
  sqlite3_close (db);
  g_assert_cmpuint (changes->len, >, 50);
  held_listed = 1;
  for (guint i = 0; i < changes->len; i++)
    {
      g_autoptr (TsrReport) report = damage (changes->pdata[i]);

      g_assert_nonnull (report);
    }
  held_listed = 5;
}

/* Notes what is said of the reports after each of @changes, a list that ends with NULL. */
static inline void
note_each (const char *const *changes, TsrReport *(*damage) (const char *sql))
{
  for (guint i = 0; changes[i] != NULL; i++)
    {
      g_autoptr (TsrReport) report = damage (changes[i]);

      g_assert_nonnull (report);
    }
}

static inline guint64
count_all (TsrReport *report)
{
  return tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report));
}

/* Diagnostics of @code in @table, kept or not. */
static inline guint64
count_diagnostics (TsrReport *report, const char *code, const char *table)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  guint64 n = 0;

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (diagnostics, i);

      if (g_str_equal (entry->code, code) && g_strcmp0 (entry->table, table) == 0)
        n += 1 + tsr_diagnostics_get_dropped (diagnostics, i);
    }
  return n;
}

typedef struct
{
  sqlite3 *db;
  sqlite3_stmt *statement;
} Question;

static inline void
question_open (Question *self, const char *folder, const char *sql)
{
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);

  g_assert_cmpint (sqlite3_open_v2 (path, &self->db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  if (sqlite3_prepare_v2 (self->db, sql, -1, &self->statement, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (self->db));
}

/* FALSE after the last row, and the question is closed. */
static inline gboolean
question_next (Question *self)
{
  int status = sqlite3_step (self->statement);

  g_assert_true (status == SQLITE_ROW || status == SQLITE_DONE);
  if (status == SQLITE_ROW)
    return TRUE;
  sqlite3_finalize (self->statement);
  sqlite3_close (self->db);
  return FALSE;
}

/* For each row of the answer, of which @n is the number; after it, how many there were. */
#define question_each(self, n, folder, sql)                                                        \
  for (n = (question_open (self, folder, sql), 0); question_next (self); n++)

/* The number in @column, TSR_UNKNOWN for NULL. */
static inline gint64
question_int (Question *self, int column)
{
  if (sqlite3_column_type (self->statement, column) == SQLITE_NULL)
    return TSR_UNKNOWN;
  return sqlite3_column_int64 (self->statement, column);
}

/* Asserts that the number in @column is @value. */
static inline void
question_number (Question *self, int column, gint64 value)
{
  g_assert_cmpint (question_int (self, column), ==, value);
}

/* Asserts that the text in @column is the string @index. */
static inline void
question_text (Question *self, int column, TsrStringTable *strings, guint32 index)
{
  g_assert_cmpstr ((const char *)sqlite3_column_text (self->statement, column), ==,
                   tsr_string_table_get (strings, index));
}

/* Asserts that @column is the id at @place of @ids, or NULL and no place. */
static inline void
question_place (Question *self, int column, const gint64 *ids, guint32 place)
{
  g_assert_cmpint (question_int (self, column), ==,
                   place != TSR_NO_INDEX ? ids[place] : TSR_UNKNOWN);
}

/* -------------------------------------------------------------- allocations of some tiles */

static inline gint64
lowered_id (const TsrLoweredTables *t, gsize i)
{
  return t->id != NULL ? t->id[i] : t->first_id + (gint64)i;
}

static inline gint64
lowered_class (const TsrLoweredTables *t, gsize i)
{
  return t->equivalence_class[i] != TSR_NO_INDEX ? t->class_id[t->equivalence_class[i]]
                                                 : TSR_UNKNOWN;
}

/* Row @i of @a is row @k of @b, in every column. */
static inline void
check_same_row (const TsrLoweredTables *a, gsize i, const TsrLoweredTables *b, gsize k)
{
  g_assert_cmpint (lowered_id (a, i), ==, lowered_id (b, k));
  g_assert_cmpuint (a->tile[i], ==, b->tile[k]);
  g_assert_cmpuint (a->size[i], ==, b->size[k]);
  g_assert_cmpuint (a->offset[i], ==, b->offset[k]);
  g_assert_cmpstr (tsr_string_table_get (a->strings, a->name[i]), ==,
                   tsr_string_table_get (b->strings, b->name[k]));
  g_assert_cmpuint (a->variable[i], ==, b->variable[k]);
  g_assert_cmpint (lowered_class (a, i), ==, lowered_class (b, k));
  g_assert_cmpuint (a->category[i], ==, b->category[k]);
  g_assert_cmpuint (a->always_live[i], ==, b->always_live[k]);
  g_assert_cmpuint (a->alignment[i], ==, b->alignment[k]);
}

/* The rows of @tiles, read alone, are those of the stage, and so is what is told of their tiles. */
static inline void
check_of (TsrReport *report, const guint *tiles, guint n_tiles)
{
  const TsrLoweredTables *all = tsr_report_get_lowered_tables (report);
  g_autoptr (GError) error = NULL;
  TsrLoweredTables *of = tsr_report_read_lowered_of (report, tiles, n_tiles, NULL, &error);
  gsize n = 0;

  g_assert_no_error (error);
  for (gsize i = 0; i < all->n; i++)
    {
      gboolean is_wanted = FALSE;

      for (guint t = 0; t < n_tiles; t++)
        is_wanted |= tiles[t] == all->tile[i];
      if (!is_wanted)
        continue;
      g_assert_cmpuint (n, <, of->n);
      check_same_row (of, n++, all, i);
    }
  g_assert_cmpuint (n, ==, of->n);
  for (guint t = 0; t < n_tiles && tiles[t] < of->n_tiles; t++)
    for (gsize i = of->tile_start[tiles[t]]; i < of->tile_start[tiles[t] + 1]; i++)
      g_assert_cmpuint (of->tile[of->by_tile != NULL ? of->by_tile[i] : i], ==, tiles[t]);
  if (of->n_tiles > 0)
    g_assert_cmpuint (of->tile_start[of->n_tiles], ==, of->n);
  tsr_lowered_tables_free (of);
}
