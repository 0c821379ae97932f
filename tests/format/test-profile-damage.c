/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A small good profile, damaged in every way that is cheap to try: bits flipped, bytes replaced,
 * pages swapped, cut off.  Nothing may crash, hang or take memory without end; damage that SQLite
 * cannot see is what the readers' own checks are for. */

#include "config.h"

#include "profile-exercise.h"
#include "tsr-error.h"
#include "tsr-scan.h"
#include "tsr-test.h"

#include <sqlite3.h>
#include <string.h>

typedef struct
{
  guint8 *bytes;
  gsize length;
} Profile;

static Profile good;

static guint32
next_random (guint64 *state)
{
  *state = *state * G_GUINT64_CONSTANT (6364136223846793005)
           + G_GUINT64_CONSTANT (1442695040888963407);
  return *state >> 33;
}

static void
exercise_bytes (const guint8 *bytes, gsize length, Exercise *out)
{
  g_autoptr (GBytes) all = g_bytes_new (bytes, length);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("profile.pop", all);

  exercise_profile (source, 0, out);
}

static void
test_good (void)
{
  Exercise out;

  exercise_bytes (good.bytes, good.length, &out);
  g_assert_true (out.opened && out.probed);
  g_assert_cmpuint (out.n_failed, ==, 0);
  g_assert_cmpuint (out.n_values, ==, 8 + 48 + 64 + 64 + 64);
}

static void
test_bits (void)
{
  g_autofree guint8 *bytes = g_memdup2 (good.bytes, good.length);
  guint64 state = 1;
  const guint n = 800 + tsr_test_rounds (3200);
  guint opened = 0;
  guint failed = 0;

  for (guint i = 0; i < n; i++)
    {
      gsize at = next_random (&state) % good.length;
      Exercise out;

      /* Every bit of the header and the schema's first page, then bits anywhere. */
      if (i < 100 * 8)
        at = i / 8;
      bytes[at] ^= 1 << (i % 8);
      exercise_bytes (bytes, good.length, &out);
      opened += out.opened;
      failed += out.n_failed > 0;
      bytes[at] = good.bytes[at];
    }
  /* Neither refuses everything nor believes everything. */
  g_assert_cmpuint (opened, >, n / 2);
  g_assert_cmpuint (failed, >, n / 40);
}

static void
test_many_bytes (void)
{
  static const guint8 values[] = { 0x00, 0xff, 0x7f, 0x80, 0x01 };
  const guint n_rounds = tsr_test_rounds (1500);
  guint64 state = 2;

  for (guint i = 0; i < n_rounds; i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (good.bytes, good.length);
      guint n = 1 + next_random (&state) % 64;
      Exercise out;

      for (guint k = 0; k < n; k++)
        bytes[100 + next_random (&state) % (good.length - 100)]
            = values[next_random (&state) % G_N_ELEMENTS (values)];
      exercise_bytes (bytes, good.length, &out);
    }
}

/* Pages that point to each other in circles. */
static void
test_swapped_pages (void)
{
  const gsize page = 512;
  gsize n_pages = good.length / page;
  const guint n_rounds = tsr_test_rounds (1000);
  guint64 state = 3;

  for (guint i = 0; i < n_rounds; i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (good.bytes, good.length);
      gsize from = next_random (&state) % n_pages;
      gsize to = 1 + next_random (&state) % (n_pages - 1);
      Exercise out;

      memcpy (bytes + to * page, good.bytes + from * page, page);
      exercise_bytes (bytes, good.length, &out);
    }
}

static void
test_cut (void)
{
  guint opened = 0;

  for (gsize length = 0; length <= good.length; length += 64)
    {
      Exercise out;

      exercise_bytes (good.bytes, length, &out);
      opened += out.opened;
      if (out.opened && length < good.length)
        g_assert_cmpuint (out.n_read, >, 0);
    }
  g_assert_cmpuint (opened, >, 10);
}

static void
take_line (const char *text, gpointer data)
{
  g_ptr_array_add (data, g_strdup (text));
}

/* What SQLite itself finds in the file at @path, without headings. */
static GPtrArray *
ask_sqlite (const char *path, guint most)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA integrity_check(%u)", most);
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  sqlite3 *db;
  sqlite3_stmt *statement;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK)
    while (sqlite3_step (statement) == SQLITE_ROW)
      {
        g_auto (GStrv) parts
            = g_strsplit ((const char *)sqlite3_column_text (statement, 0), "\n", -1);

        for (guint i = 0; parts[i] != NULL; i++)
          if (*parts[i] != '\0' && !g_str_has_prefix (parts[i], "***")
              && strcmp (parts[i], "ok") != 0)
            g_ptr_array_add (lines, g_strdup (parts[i]));
      }
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return lines;
}

/* The check of a whole file says what SQLite says of it, and no more than was asked for. */
static void
test_integrity (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  const gsize page = 512;
  guint n_damaged = 0;

  for (gsize at = 0; at < good.length / page; at++)
    for (guint most = 1; most <= 100; most *= 100)
      {
        g_autofree guint8 *bytes = g_memdup2 (good.bytes, good.length);
        g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
        g_autoptr (GPtrArray) expected = NULL;
        g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
        g_autoptr (TsrDatabase) database = NULL;
        g_autoptr (TsrProfile) profile = NULL;
        g_autoptr (GError) error = NULL;
        const guint32 head = GUINT32_TO_BE (0xfedcba00 + (guint32)at);
        gint64 id = 0;

        /* Whose file it is stands in its head (https://www.sqlite.org/fileformat.html, 1.3). */
        memcpy (bytes + 68, &head, sizeof head);
        /* Page 1 is left as it is; of the others the first cells are somewhere else. */
        if (at > 0)
          memset (bytes + at * page + 8, 0x01, 4);
        tsr_test_write (folder, "profile.pop", bytes, (gssize)good.length);
        database = tsr_database_open (place, path, diagnostics, NULL, NULL, &error);
        profile = database != NULL ? tsr_profile_new (database, diagnostics, &error) : NULL;
        if (profile == NULL)
          {
            g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
            continue;
          }
        g_assert_true (tsr_profile_read_application_id (profile, &id, &error));
        g_assert_cmpint (id, ==, (gint32)GUINT32_FROM_BE (head));
        expected = ask_sqlite (path, most);
        if (!tsr_profile_check_integrity (profile, most, take_line, lines, &error))
          {
            g_assert_nonnull (error);
            continue;
          }
        g_assert_no_error (error);
        g_assert_cmpuint (lines->len, ==, expected->len);
        for (guint i = 0; i < lines->len; i++)
          g_assert_cmpstr (lines->pdata[i], ==, expected->pdata[i]);
        g_assert_true (at > 0 || lines->len == 0);
        n_damaged += lines->len > 0;
      }
  g_assert_cmpuint (n_damaged, >, 10);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  char *folder;
  g_autofree char *path = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = tsr_test_folder_new ();
  path = g_build_filename (folder, "profile.pop", NULL);
  tsr_test_sql (folder, "profile.pop", PROFILE_EXERCISE_SQL);
  g_assert_true (g_file_get_contents (path, (char **)&good.bytes, &good.length, NULL));
  g_test_add_func ("/profile-damage/good", test_good);
  g_test_add_func ("/profile-damage/bits", test_bits);
  g_test_add_func ("/profile-damage/many-bytes", test_many_bytes);
  g_test_add_func ("/profile-damage/swapped-pages", test_swapped_pages);
  g_test_add_func ("/profile-damage/cut", test_cut);
  g_test_add_func ("/profile-damage/integrity", test_integrity);
  status = g_test_run ();
  g_free (good.bytes);
  tsr_test_folder_free (folder);
  return status;
}
