/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bad folders, one after the other: what a user is told names the file and a next step, and nothing
 * in the folder is touched. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-report.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void (*MakeFunc) (const char *folder);

/* A folder that must be refused. */
typedef struct
{
  const char *name;
  MakeFunc make;
  int code;
  const char *file; /* what the message names */
  const char *next; /* a word of what to do */
} Refused;

/* A folder that opens, with a diagnostic. */
typedef struct
{
  const char *name;
  MakeFunc make;
  const char *file;  /* of the diagnostic */
  const char *table; /* (nullable) */
  TsrSeverity severity;
} Reported;

static void
make_database (const char *folder)
{
  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total INTEGER);"
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1471)"
                "INSERT INTO memory_by_tile SELECT i, i * 7 FROM n;"
                "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT);"
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
                "INSERT INTO programs SELECT i, 'program ' || i FROM n;");
}

static void
change_file (const char *folder, const char *name, gsize from, gsize to, int byte, gssize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize old;

  g_file_get_contents (path, &bytes, &old, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (to, <=, old);
  memset (bytes + from, byte, to - from);
  tsr_test_write (folder, name, bytes, length >= 0 ? length : (gssize)old);
}

/* ------------------------------------------------------------------ refused */

static void
make_nothing (const char *folder)
{
}

static void
make_notes (const char *folder)
{
  tsr_test_write (folder, "notes.txt", "hello", -1);
}

static void
make_old (const char *folder)
{
  tsr_test_write (folder, "graph.json", "{}", -1);
}

static void
make_text (const char *folder)
{
  tsr_test_write (folder, "profile.pop", "This is a text, and no profile at all.\n", -1);
}

static void
make_lfs (const char *folder)
{
  tsr_test_write (folder, "profile.pop",
                  "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", -1);
}

static void
make_empty_file (const char *folder)
{
  tsr_test_write (folder, "profile.pop", "", 0);
}

static void
make_head_only (const char *folder)
{
  make_database (folder);
  change_file (folder, "profile.pop", 0, 0, 0, 60);
}

static void
make_no_schema (const char *folder)
{
  make_database (folder);
  change_file (folder, "profile.pop", 100, 4096, 0xa5, -1);
}

static void
make_dangling (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);

  g_assert_cmpint (symlink ("/nowhere/at/all/profile.pop", path), ==, 0);
}

static void
make_pipe (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
}

static void
make_folder_named_so (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
}

static void
make_journal_of_nothing (const char *folder)
{
  static const char head[] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7\x00\x00\x00\x09";

  make_database (folder);
  change_file (folder, "profile.pop", 0, 0, 0, 5000);
  tsr_test_write (folder, "profile.pop-journal", head, sizeof head - 1);
}

static const Refused refused[] = {
  { "empty", make_nothing, TSR_ERROR_NOT_A_REPORT, "No graph profile found", "autoReport.all" },
  { "other-files", make_notes, TSR_ERROR_NOT_A_REPORT, "profile.pop", "autoReport.directory" },
  { "old-format", make_old, TSR_ERROR_UNSUPPORTED, "graph.json", "capture the report again" },
  { "text", make_text, TSR_ERROR_NOT_A_REPORT, "profile.pop", "SQLite" },
  { "git-lfs", make_lfs, TSR_ERROR_NOT_A_REPORT, "profile.pop", "git lfs pull" },
  { "empty-file", make_empty_file, TSR_ERROR_TRUNCATED, "profile.pop", "record" },
  { "head-only", make_head_only, TSR_ERROR_TRUNCATED, "profile.pop", "copy it again" },
  { "no-schema", make_no_schema, TSR_ERROR_CORRUPT, "profile.pop", "copy it again" },
  { "dangling-link", make_dangling, TSR_ERROR_NOT_A_REPORT, "profile.pop", "copy the file itself" },
  { "pipe", make_pipe, TSR_ERROR_NOT_A_REPORT, "profile.pop", "open a report" },
  { "folder", make_folder_named_so, TSR_ERROR_NOT_A_REPORT, "profile.pop is a folder", "capture" },
};

/* (transfer full) (nullable): the report in @folder, which is afterwards as it was. */
static TsrReport *
open_unchanged (const char *folder, GError **error)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autofree char *before = tsr_test_fingerprint (folder);
  TsrReport *report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, error);
  g_autofree char *after = tsr_test_fingerprint (folder);

  g_assert_cmpstr (before, ==, after);
  return report;
}

static void
test_refused (gconstpointer data)
{
  const Refused *item = data;
  char *folder = tsr_test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;

  item->make (folder);
  report = open_unchanged (folder, &error);
  g_assert_null (report);
  g_test_message ("%s", error->message);
  g_assert_error (error, TSR_ERROR, item->code);
  g_assert_nonnull (strstr (error->message, folder));
  g_assert_nonnull (strstr (error->message, item->file));
  g_assert_nonnull (strstr (error->message, item->next));
  g_assert_false (g_str_has_suffix (error->message, "."));
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------------- reported */

static void
make_cut_off (const char *folder)
{
  make_database (folder);
  change_file (folder, "profile.pop", 0, 0, 0, 3 * 4096);
}

static void
make_absurd_target (const char *folder)
{
  make_database (folder);
  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE target (num_ipus INTEGER, tiles_per_ipu INTEGER, bytes_per_tile "
                "INTEGER); INSERT INTO target VALUES (2147483648, 2147483648, -5);");
}

static void
make_odd_tiles (const char *folder)
{
  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE target (num_ipus INTEGER, ipus_per_replica INTEGER, num_replicas "
                "INTEGER, tiles_per_ipu INTEGER); INSERT INTO target VALUES (1, 1, 1, 4);"
                "CREATE TABLE memory_by_tile (tile INTEGER, total INTEGER);"
                "INSERT INTO memory_by_tile VALUES (0, 5), (1, -7), (9, 1), (NULL, 1), ('x', 1);");
}

static void
make_deep_json (const char *folder)
{
  g_autofree char *deep = g_strnfill (1000000, '[');

  make_database (folder);
  tsr_test_write (folder, "app.json", deep, -1);
}

static void
make_comment_json (const char *folder)
{
  make_database (folder);
  tsr_test_write (folder, "framework.json", "{\n  // made by hand\n}", -1);
}

static void
make_text_archive (const char *folder)
{
  make_database (folder);
  change_file (folder, "profile.pop", 0, 100, 'x', -1);
  tsr_test_write (folder, "archive.a",
                  "!<arch>\n"
                  "notes.txt/      0           0     0     644     5         `\nhello\n",
                  -1);
}

static void
make_crash (const char *folder)
{
  g_autofree char *from = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *to = g_build_filename (folder, "profile_Ab12.pop", NULL);

  make_database (folder);
  g_assert_cmpint (g_rename (from, to), ==, 0);
}

static const Reported reported[] = {
  { "cut-off", make_cut_off, "profile.pop", NULL, TSR_SEVERITY_ERROR },
  { "absurd-target", make_absurd_target, "profile.pop", "target", TSR_SEVERITY_WARNING },
  { "odd-tiles", make_odd_tiles, "profile.pop", "memory_by_tile", TSR_SEVERITY_WARNING },
  { "deep-json", make_deep_json, "app.json", NULL, TSR_SEVERITY_ERROR },
  { "comment-json", make_comment_json, "framework.json", NULL, TSR_SEVERITY_ERROR },
  { "crash", make_crash, "profile_Ab12.pop", NULL, TSR_SEVERITY_WARNING },
};

/* Whether something of at least that severity is said of the file and table. */
static gboolean
is_reported (TsrDiagnostics *diagnostics, const Reported *item)
{
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *diagnostic = tsr_diagnostics_get (diagnostics, i);
      g_autofree char *line = tsr_diagnostic_dup_line (diagnostic);

      g_test_message ("%s: %s", diagnostic->code, line);
      g_assert_true (g_utf8_validate (diagnostic->text, -1, NULL));
      if (diagnostic->severity >= item->severity && g_strcmp0 (diagnostic->file, item->file) == 0
          && (item->table == NULL || g_strcmp0 (diagnostic->table, item->table) == 0))
        return TRUE;
    }
  return FALSE;
}

static void
test_reported (gconstpointer data)
{
  const Reported *item = data;
  char *folder = tsr_test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;

  item->make (folder);
  report = open_unchanged (folder, &error);
  g_assert_no_error (error);
  g_assert_nonnull (tsr_report_get_summary (report));
  g_assert_true (is_reported (tsr_report_get_diagnostics (report), item));
  tsr_test_folder_free (folder);
}

/* An archive without a tile beside a profile that is none: neither can be shown, both are said. */
static void
test_nothing_readable (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;

  make_text_archive (folder);
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (tsr_report_get_diagnostics (report)), >, 0);
  g_assert_null (tsr_report_get_memory_tables (report));
  g_assert_nonnull (tsr_report_get_stage_error (report, TSR_STAGE_MEMORY));
  g_assert_nonnull (
      strstr (tsr_report_get_stage_error (report, TSR_STAGE_MEMORY)->message, "archive.a"));
  tsr_test_folder_free (folder);
}

/* A journal that says the file was being written, and cannot be played back. */
static void
test_journal (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  make_journal_of_nothing (folder);
  before = tsr_test_fingerprint (folder);
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  if (report == NULL)
    g_assert_nonnull (strstr (error->message, "profile.pop"));
  else
    g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report)), >, 0);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_strconcat ("/hostile-folders/refused/", refused[i].name, NULL);

      g_test_add_data_func (path, &refused[i], test_refused);
    }
  for (guint i = 0; i < G_N_ELEMENTS (reported); i++)
    {
      g_autofree char *path = g_strconcat ("/hostile-folders/reported/", reported[i].name, NULL);

      g_test_add_data_func (path, &reported[i], test_reported);
    }
  g_test_add_func ("/hostile-folders/nothing-readable", test_nothing_readable);
  g_test_add_func ("/hostile-folders/journal", test_journal);
  return g_test_run ();
}
