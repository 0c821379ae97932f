/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folder rules, on real folders.  What a superuser's tests cannot make with chmod (a file that
 * may not be read) comes from a place that says so. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-report-files.h"
#include "tsr-test.h"
#include "tsr-units.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

/* ------------------------------------------------------------ a strict place */

/* The local file system, except that what is named in @denied may not be read, and that listings
 * are counted. */
#define TEST_TYPE_PLACE (test_place_get_type ())
G_DECLARE_FINAL_TYPE (TestPlace, test_place, TEST, PLACE, TsrPlace)

struct _TestPlace
{
  TsrPlace parent_instance;
  TsrPlace *local;
  const char *denied;
  guint n_lists;
  GCancellable *cancel_at_list;
};

G_DEFINE_FINAL_TYPE (TestPlace, test_place, TSR_TYPE_PLACE)

static gboolean
is_denied (TestPlace *self, const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);

  if (g_strcmp0 (name, self->denied) != 0)
    return FALSE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "not yours");
  return TRUE;
}

static GPtrArray *
test_place_list (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  TestPlace *self = TEST_PLACE (place);
  GPtrArray *entries;

  self->n_lists++;
  if (self->cancel_at_list != NULL && self->n_lists == 3)
    g_cancellable_cancel (self->cancel_at_list);
  if (is_denied (self, path, error) || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  entries = tsr_place_list (self->local, path, cancellable, error);
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      TsrFolderEntry *entry = g_ptr_array_index (entries, i);

      if (g_strcmp0 (entry->name, self->denied) == 0)
        entry->is_readable = FALSE;
    }
  return entries;
}

static TsrFolderEntry *
test_place_stat (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  TestPlace *self = TEST_PLACE (place);
  TsrFolderEntry *entry = tsr_place_stat (self->local, path, cancellable, error);

  if (entry != NULL && g_strcmp0 (entry->name, self->denied) == 0)
    entry->is_readable = FALSE;
  return entry;
}

static void
test_place_finalize (GObject *object)
{
  g_clear_object (&TEST_PLACE (object)->local);
  G_OBJECT_CLASS (test_place_parent_class)->finalize (object);
}

static void
test_place_class_init (TestPlaceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = test_place_finalize;
  TSR_PLACE_CLASS (class)->list = test_place_list;
  TSR_PLACE_CLASS (class)->stat = test_place_stat;
}

static void
test_place_init (TestPlace *self)
{
  self->local = tsr_local_place_new ();
}

/* ------------------------------------------------------------------- helpers */

typedef struct
{
  char *folder;
  TestPlace *place;
  TsrDiagnostics *diagnostics;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = tsr_test_folder_new ();
  fixture->place = g_object_new (TEST_TYPE_PLACE, NULL);
  fixture->diagnostics = tsr_diagnostics_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  tsr_test_folder_free (fixture->folder);
  g_object_unref (fixture->place);
  tsr_diagnostics_unref (fixture->diagnostics);
}

static void
make_folder (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
}

/* A file of @size bytes in @name, whose folders are made; @age seconds old. */
static void
make_file (Fixture *fixture, const char *name, gsize size, gint64 age)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *bytes = g_malloc0 (size + 1);
  struct utimbuf times;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  tsr_test_write (fixture->folder, name, bytes, size);
  times.actime = times.modtime = 1700000000 - age;
  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
make_link (Fixture *fixture, const char *name, const char *target)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

/* Looks up @name below the folder, "" for the folder itself.  Nothing may be touched. */
static TsrReportFiles *
find (Fixture *fixture, const char *name, GError **error)
{
  g_autofree char *path
      = *name != '\0' ? g_build_filename (fixture->folder, name, NULL) : g_strdup (fixture->folder);
  g_autofree char *before = tsr_test_fingerprint (fixture->folder);
  g_autofree char *after = NULL;
  TsrReportFiles *files
      = tsr_report_files_find (TSR_PLACE (fixture->place), path, fixture->diagnostics, NULL, error);

  after = tsr_test_fingerprint (fixture->folder);
  g_assert_cmpstr (before, ==, after);
  return files;
}

static TsrReportFiles *
find_ok (Fixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;
  TsrReportFiles *files = find (fixture, name, &error);

  g_assert_no_error (error);
  g_assert_nonnull (files);
  return files;
}

static void
assert_path (Fixture *fixture, const char *path, const char *below)
{
  g_autofree char *expected = *below != '\0' ? g_build_filename (fixture->folder, below, NULL)
                                             : g_strdup (fixture->folder);

  g_assert_cmpstr (path, ==, expected);
}

static const TsrDiagnostic *
find_diagnostic (Fixture *fixture, const char *code)
{
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (fixture->diagnostics); i++)
    if (strcmp (tsr_diagnostics_get (fixture->diagnostics, i)->code, code) == 0)
      return tsr_diagnostics_get (fixture->diagnostics, i);
  return NULL;
}

/* The error has @code, names the folder, and says @what. */
static void
assert_refused (Fixture *fixture, const char *name, GQuark domain, int code, const char *what)
{
  g_autoptr (GError) error = NULL;
  TsrReportFiles *files = find (fixture, name, &error);

  g_assert_null (files);
  g_assert_error (error, domain, code);
  if (strstr (error->message, what) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, what);
  if (strstr (error->message, "tessera-test-") == NULL)
    g_error ("\"%s\" does not name the folder", error->message);
  g_assert_false (g_str_has_suffix (error->message, "."));
}

/* ------------------------------------------------------------------- folders */

static void
test_whole_report (Fixture *fixture, gconstpointer data)
{
  static const char *const names[]
      = { "profile.pop", "archive.a", "debug.cbor", "framework.json", "app.json" };
  g_autoptr (TsrReportFiles) files = NULL;

  for (guint i = 0; i < TSR_N_FILES; i++)
    make_file (fixture, names[i], 10 + i, i);
  make_file (fixture, "profile.pop-journal", 5, 0);
  make_file (fixture, "training/profile.pop", 5, 0);
  files = find_ok (fixture, "");
  assert_path (fixture, files->folder, "");
  assert_path (fixture, files->location, "");
  g_assert_true (g_str_has_prefix (files->name, "tessera-test-"));
  g_assert_null (files->reports);
  g_assert_cmpint (files->asked, ==, TSR_N_FILES);
  for (guint i = 0; i < TSR_N_FILES; i++)
    {
      g_assert_cmpint (files->files[i].kind, ==, i);
      g_assert_cmpstr (files->files[i].name, ==, names[i]);
      g_assert_cmpstr (tsr_file_kind_get_fixed_name (i), ==, names[i]);
      assert_path (fixture, files->files[i].path, names[i]);
      g_assert_true (files->files[i].found);
      g_assert_cmpint (files->files[i].bytes, ==, 10 + i);
      g_assert_cmpint (files->files[i].mtime_us, ==, (gint64)(1700000000 - i) * G_USEC_PER_SEC);
      g_assert_null (files->files[i].note);
    }
  g_assert_cmpint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 0);
  g_assert_cmpint (fixture->place->n_lists, ==, 1);
}

static void
test_archive_only (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;

  make_file (fixture, "archive.a", 3, 0);
  files = find_ok (fixture, "");
  g_assert_true (files->files[TSR_FILE_ARCHIVE].found);
  g_assert_false (files->files[TSR_FILE_PROFILE].found);
  g_assert_cmpint (files->files[TSR_FILE_PROFILE].bytes, ==, TSR_UNKNOWN);
  assert_path (fixture, files->files[TSR_FILE_PROFILE].path, "profile.pop");
}

static void
test_debug_in_parent (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) dangling = NULL;
  g_autoptr (TsrReportFiles) missing = NULL;
  g_autoptr (TsrReportFiles) linked = NULL;

  make_file (fixture, "debug.cbor", 77, 0);
  make_file (fixture, "training/profile.pop", 5, 0);
  make_link (fixture, "training/debug.cbor", "/nowhere/at/all/debug.cbor");
  make_file (fixture, "inference/profile.pop", 5, 0);
  make_file (fixture, "linked/profile.pop", 5, 0);
  make_link (fixture, "linked/debug.cbor", "../debug.cbor");

  dangling = find_ok (fixture, "training");
  g_assert_true (dangling->files[TSR_FILE_DEBUG].found);
  g_assert_cmpint (dangling->files[TSR_FILE_DEBUG].bytes, ==, 77);
  assert_path (fixture, dangling->files[TSR_FILE_DEBUG].path, "debug.cbor");
  g_assert_cmpstr (dangling->files[TSR_FILE_DEBUG].note, ==, "found in the parent folder");

  missing = find_ok (fixture, "inference");
  g_assert_true (missing->files[TSR_FILE_DEBUG].found);
  assert_path (fixture, missing->files[TSR_FILE_DEBUG].path, "debug.cbor");

  linked = find_ok (fixture, "linked/");
  g_assert_true (linked->files[TSR_FILE_DEBUG].found);
  assert_path (fixture, linked->files[TSR_FILE_DEBUG].path, "linked/debug.cbor");
  g_assert_null (linked->files[TSR_FILE_DEBUG].note);
  g_assert_cmpint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 0);
}

static void
test_debug_nowhere (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;

  make_file (fixture, "training/profile.pop", 5, 0);
  make_link (fixture, "training/debug.cbor", "/nowhere/at/all/debug.cbor");
  make_folder (fixture, "debug.cbor");
  files = find_ok (fixture, "training");
  g_assert_false (files->files[TSR_FILE_DEBUG].found);
  g_assert_nonnull (files->files[TSR_FILE_DEBUG].note);
  g_assert_nonnull (find_diagnostic (fixture, "dangling-link"));
}

static void
test_crash (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) one = NULL;
  g_autoptr (TsrReportFiles) newest = NULL;
  g_autoptr (TsrReportFiles) finished = NULL;
  const TsrDiagnostic *diagnostic;

  make_file (fixture, "one/profile_k3Jd9.pop", 20, 0);
  make_file (fixture, "one/profile_.pop", 1, 0);
  make_file (fixture, "one/profile_k3Jd9.pop-journal", 1, 0);
  one = find_ok (fixture, "one");
  g_assert_cmpstr (one->files[TSR_FILE_PROFILE].name, ==, "profile_k3Jd9.pop");
  g_assert_nonnull (one->files[TSR_FILE_PROFILE].note);
  diagnostic = find_diagnostic (fixture, "unfinished-profile");
  g_assert_nonnull (diagnostic);
  g_assert_cmpstr (diagnostic->file, ==, "profile_k3Jd9.pop");

  make_file (fixture, "several/profile_a.pop", 20, 100);
  make_file (fixture, "several/profile_b.pop", 21, 50);
  make_file (fixture, "several/profile_bb.pop", 24, 50);
  make_file (fixture, "several/profile_c.pop", 22, 99);
  newest = find_ok (fixture, "several");
  g_assert_cmpstr (newest->files[TSR_FILE_PROFILE].name, ==, "profile_b.pop");
  g_assert_cmpint (newest->files[TSR_FILE_PROFILE].bytes, ==, 21);
  diagnostic = tsr_diagnostics_get (fixture->diagnostics, 1);
  g_assert_cmpstr (diagnostic->code, ==, "unfinished-profile");
  g_assert_nonnull (strstr (diagnostic->text, "newest of 4"));

  make_file (fixture, "several/profile.pop", 23, 1000);
  finished = find_ok (fixture, "several");
  g_assert_cmpstr (finished->files[TSR_FILE_PROFILE].name, ==, "profile.pop");
  g_assert_null (finished->files[TSR_FILE_PROFILE].note);
  g_assert_nonnull (find_diagnostic (fixture, "more-profiles"));
}

static void
test_several_reports (Fixture *fixture, gconstpointer data)
{
  /* Natural order; one and two levels; what is no report and what is hidden left out. */
  static const char *const expected[]
      = { "cache/engine7", "inference", "run2", "run10", "training" };
  g_autoptr (TsrReportFiles) files = NULL;

  make_file (fixture, "run10/profile.pop", 5, 1);
  make_file (fixture, "run2/archive.a", 6, 2);
  make_file (fixture, "training/profile_x9.pop", 7, 3);
  make_file (fixture, "inference/profile.pop", 8, 4);
  make_file (fixture, "cache/engine7/profile.pop", 9, 5);
  make_file (fixture, "cache/engine7/deeper/profile.pop", 9, 6);
  make_file (fixture, "cache/too/deep/profile.pop", 9, 7);
  make_file (fixture, ".hidden/profile.pop", 9, 8);
  make_file (fixture, "notes/profile.pop/x", 9, 9);
  make_file (fixture, "debug.cbor", 9, 10);
  make_link (fixture, "latest", "run10");
  make_link (fixture, "loop", ".");
  files = find_ok (fixture, "");
  g_assert_null (files->folder);
  g_assert_cmpint (g_strv_length (files->reports), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_path (fixture, files->reports[i], expected[i]);
}

static void
test_link_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;

  make_file (fixture, "store/a/profile.pop", 5, 1);
  make_file (fixture, "reports/b/profile.pop", 5, 2);
  make_link (fixture, "reports/a", "../store/a");
  files = find_ok (fixture, "reports");
  g_assert_cmpint (g_strv_length (files->reports), ==, 2);
  assert_path (fixture, files->reports[0], "reports/a");
  /* Of the same time, and of another length. */
  g_clear_pointer (&files, tsr_report_files_free);
  make_file (fixture, "store/a/profile.pop", 6, 2);
  files = find_ok (fixture, "reports");
  g_assert_cmpint (g_strv_length (files->reports), ==, 2);
  g_clear_pointer (&files, tsr_report_files_free);
  make_file (fixture, "store/a/profile.pop", 5, 2);
  files = find_ok (fixture, "reports");
  g_assert_null (files->reports);
  assert_path (fixture, files->folder, "reports/b");
}

static void
test_only_one_below (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;
  const TsrDiagnostic *diagnostic;

  make_file (fixture, "debug.cbor", 5, 0);
  make_file (fixture, "training/profile.pop", 5, 0);
  make_folder (fixture, "other");
  files = find_ok (fixture, "");
  assert_path (fixture, files->folder, "training");
  assert_path (fixture, files->location, "");
  g_assert_cmpstr (files->name, ==, "training");
  g_assert_null (files->reports);
  assert_path (fixture, files->files[TSR_FILE_DEBUG].path, "debug.cbor");
  diagnostic = find_diagnostic (fixture, "opened-subfolder");
  g_assert_nonnull (diagnostic);
  g_assert_cmpint (diagnostic->severity, ==, TSR_SEVERITY_INFO);
}

static void
test_many_folders (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;
  const guint n = 2 * TSR_FOLDERS_LOOKED_AT;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("run%u/profile.pop", i);

      make_file (fixture, name, 5, i);
    }
  files = find_ok (fixture, "");
  g_assert_cmpint (g_strv_length (files->reports), ==, TSR_FOLDERS_LOOKED_AT);
  assert_path (fixture, files->reports[TSR_FOLDERS_LOOKED_AT - 1], "run255");
  g_assert_nonnull (find_diagnostic (fixture, "folders-not-looked-at"));
  g_assert_cmpint (fixture->place->n_lists, ==, TSR_FOLDERS_LOOKED_AT + 1);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReportFiles) files = NULL;

  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *name = g_strdup_printf ("run%u/x/profile.pop", i);

      make_file (fixture, name, 5, i);
    }
  fixture->place->cancel_at_list = cancellable;
  files = tsr_report_files_find (TSR_PLACE (fixture->place), fixture->folder, NULL, cancellable,
                                 &error);
  g_assert_null (files);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (fixture->place->n_lists, ==, 3);
}

/* --------------------------------------------------------------------- files */

static void
test_one_file (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path, *name;
    TsrFileKind asked;
    const char *profile, *archive;
  } cases[] = {
    { "full/profile.pop", "full", TSR_FILE_PROFILE, "profile.pop", "archive.a" },
    { "full/archive.a", "full", TSR_FILE_ARCHIVE, "profile.pop", "archive.a" },
    { "full/mnist.pop", "mnist.pop", TSR_FILE_PROFILE, "mnist.pop", "archive.a" },
    { "full/OLD.POP", "OLD.POP", TSR_FILE_PROFILE, "OLD.POP", "archive.a" },
    { "full/bert.a", "bert.a", TSR_FILE_ARCHIVE, "profile.pop", "bert.a" },
    { "full/debug.cbor", "full", TSR_FILE_DEBUG, "profile.pop", "archive.a" },
    { "full/framework.json", "full", TSR_FILE_FRAMEWORK, "profile.pop", "archive.a" },
    { "full/app.json", "full", TSR_FILE_APP, "profile.pop", "archive.a" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    make_file (fixture, cases[i].path, 5, i);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TsrReportFiles) files = find_ok (fixture, cases[i].path);

      assert_path (fixture, files->location, cases[i].path);
      assert_path (fixture, files->folder, "full");
      g_assert_cmpstr (files->name, ==, cases[i].name);
      g_assert_cmpint (files->asked, ==, cases[i].asked);
      g_assert_cmpstr (files->files[TSR_FILE_PROFILE].name, ==, cases[i].profile);
      g_assert_cmpstr (files->files[TSR_FILE_ARCHIVE].name, ==, cases[i].archive);
      g_assert_true (files->files[cases[i].asked].found);
      g_assert_true (files->files[TSR_FILE_APP].found);
    }
}

static void
test_asked_crash_profile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;

  make_file (fixture, "profile.pop", 5, 0);
  make_file (fixture, "profile_old.pop", 6, 100);
  make_file (fixture, "profile_new.pop", 7, 0);
  files = find_ok (fixture, "profile_old.pop");
  g_assert_cmpstr (files->files[TSR_FILE_PROFILE].name, ==, "profile_old.pop");
  g_assert_cmpint (files->files[TSR_FILE_PROFILE].bytes, ==, 6);
  g_assert_nonnull (files->files[TSR_FILE_PROFILE].note);
}

static void
test_debug_of_parent_asked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;

  make_file (fixture, "debug.cbor", 5, 0);
  make_file (fixture, "inference/profile.pop", 5, 0);
  make_file (fixture, "training/profile.pop", 5, 1);
  files = find_ok (fixture, "debug.cbor");
  g_assert_null (files->folder);
  g_assert_cmpint (g_strv_length (files->reports), ==, 2);
  g_assert_cmpint (files->asked, ==, TSR_FILE_DEBUG);
}

static void
test_odd_names (Fixture *fixture, gconstpointer data)
{
  static const char *const names[]
      = { "with space", " ",       "new\nline", "caf\xc3\xa9", "bad\xff\xfe",
          "-rf",        "100%s%n", "a'b\"c",    "..." };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_strconcat (names[i], "/profile.pop", NULL);
      g_autofree char *slashes = g_strconcat (names[i], "//.///", NULL);
      g_autoptr (TsrReportFiles) files = NULL;

      make_file (fixture, file, 5, i);
      files = find_ok (fixture, slashes);
      assert_path (fixture, files->folder, names[i]);
      assert_path (fixture, files->files[TSR_FILE_PROFILE].path, file);
      g_assert_true (g_utf8_validate (files->name, -1, NULL));
      if (g_utf8_validate (names[i], -1, NULL))
        g_assert_cmpstr (files->name, ==, names[i]);
      else
        g_assert_cmpstr (files->name, ==, "bad\xef\xbf\xbd\xef\xbf\xbd");
    }
}

static void
test_dot_dot (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;
  g_autofree char *real = NULL;

  /* ".." behind a link is the parent of what the link points to. */
  make_file (fixture, "real/deep/x", 5, 0);
  make_file (fixture, "real/profile.pop", 5, 0);
  make_file (fixture, "debug.cbor", 8, 0);
  make_folder (fixture, "elsewhere");
  make_link (fixture, "elsewhere/link", "../real/deep");
  files = find_ok (fixture, "elsewhere/link/..");
  g_assert_true (files->files[TSR_FILE_PROFILE].found);
  g_assert_true (files->files[TSR_FILE_DEBUG].found);
  real = realpath (files->files[TSR_FILE_DEBUG].path, NULL);
  assert_path (fixture, real, "debug.cbor");
}

/* ------------------------------------------------------------------ refusals */

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "", TSR_ERROR, TSR_ERROR_NOT_A_REPORT, "No graph profile found in");
  assert_refused (fixture, "", TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                  "POPLAR_ENGINE_OPTIONS='{\"autoReport.all\":\"true\", "
                  "\"autoReport.directory\":\"./report\"}'");
  assert_refused (fixture, "", TSR_ERROR, TSR_ERROR_NOT_A_REPORT, "is empty");
}

static void
test_other_files (Fixture *fixture, gconstpointer data)
{
  make_file (fixture, "other/notes.txt", 5, 0);
  make_file (fixture, "other/debug.cbor", 5, 0);
  assert_refused (fixture, "other", TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
                  "neither profile.pop nor archive.a");
  assert_refused (fixture, "other/notes.txt", TSR_ERROR, TSR_ERROR_NOT_A_REPORT, "notes.txt");
  make_file (fixture, "named/mnist.pop", 5, 0);
  assert_refused (fixture, "named", TSR_ERROR, TSR_ERROR_NOT_A_REPORT, "mnist.pop");
  make_file (fixture, "folder/profile.pop/x", 5, 0);
  assert_refused (fixture, "folder", TSR_ERROR, TSR_ERROR_NOT_A_REPORT, "profile.pop is a folder");
  make_folder (fixture, "link");
  make_link (fixture, "link/profile.pop", "/nowhere/at/all");
  assert_refused (fixture, "link", TSR_ERROR, TSR_ERROR_NOT_A_REPORT, "profile.pop is a link to");
  assert_refused (fixture, "link/profile.pop", G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "is a link to");
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void
test_old_formats (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "graph.json", "execution.json", "profile_info.json",
                                       "vars.capnp", "graph.cbor",     "serialized_graph.capnp" };
  g_autoptr (TsrReportFiles) files = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_strdup_printf ("old%u", i);
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      make_file (fixture, path, 5, 0);
      assert_refused (fixture, folder, TSR_ERROR, TSR_ERROR_UNSUPPORTED, names[i]);
      assert_refused (fixture, path, TSR_ERROR, TSR_ERROR_UNSUPPORTED, names[i]);
    }
  /* Of several the first four are named. */
  for (guint n = 1; n <= G_N_ELEMENTS (names); n++)
    {
      g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
      g_autofree char *path = g_build_filename ("all", names[n - 1], NULL);
      g_autofree char *listed = NULL, *said = NULL;

      make_file (fixture, path, 5, 0);
      for (guint i = 0; i < n; i++)
        g_ptr_array_add (sorted, (gpointer)names[i]);
      g_ptr_array_sort (sorted, compare_texts);
      g_ptr_array_set_size (sorted, MIN (n, 4) + 1);
      sorted->pdata[MIN (n, 4)] = NULL;
      listed = g_strjoinv (", ", (char **)sorted->pdata);
      said = g_strdup_printf ("it has %s%s, a format", listed, n > 4 ? ", …" : "");
      assert_refused (fixture, "all", TSR_ERROR, TSR_ERROR_UNSUPPORTED, said);
    }
  make_file (fixture, "old0/profile.pop", 5, 0);
  files = find_ok (fixture, "old0");
  g_assert_true (files->files[TSR_FILE_PROFILE].found);
}

static void
test_not_there (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "missing", G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no such file");
}

static void
test_denied (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;

  make_file (fixture, "a/profile.pop", 5, 0);
  fixture->place->denied = "profile.pop";
  assert_refused (fixture, "a", G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "a/profile.pop");
  assert_refused (fixture, "a/profile.pop", G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                  "permission denied");
  make_file (fixture, "a/archive.a", 5, 0);
  files = find_ok (fixture, "a");
  g_assert_true (files->files[TSR_FILE_ARCHIVE].found);
  g_assert_nonnull (files->files[TSR_FILE_PROFILE].note);
  fixture->place->denied = "a";
  assert_refused (fixture, "a", G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "permission denied");
}

static void
test_denied_below (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrReportFiles) files = NULL;

  make_file (fixture, "mine/profile.pop", 5, 0);
  make_file (fixture, "theirs/profile.pop", 5, 0);
  fixture->place->denied = "theirs";
  files = find_ok (fixture, "");
  assert_path (fixture, files->folder, "mine");
  g_assert_nonnull (find_diagnostic (fixture, "folder-not-read"));
}

static void
test_known_names (void)
{
  TsrFileKind kind;

  g_assert_true (tsr_report_files_is_known_name ("profile.pop", &kind));
  g_assert_cmpint (kind, ==, TSR_FILE_PROFILE);
  g_assert_true (tsr_report_files_is_known_name ("profile_x.pop", &kind));
  g_assert_cmpint (kind, ==, TSR_FILE_PROFILE);
  g_assert_true (tsr_report_files_is_known_name ("archive.a", &kind));
  g_assert_cmpint (kind, ==, TSR_FILE_ARCHIVE);
  g_assert_true (tsr_report_files_is_known_name ("app.json", NULL));
  g_assert_false (tsr_report_files_is_known_name ("libpoplar.a", &kind));
  g_assert_false (tsr_report_files_is_known_name (".pop", &kind));
  g_assert_false (tsr_report_files_is_known_name ("profile.pop-journal", &kind));
  g_assert_false (tsr_report_files_is_known_name ("Archive.a", &kind));
  g_assert_false (tsr_report_files_is_known_name ("", &kind));
}

/* What a sandbox hides is told as that. */
static void
test_sandbox (Fixture *fixture, gconstpointer data)
{
  g_autofree char *info = g_build_filename (fixture->folder, "info", NULL);

  g_setenv ("TSR_FLATPAK_INFO", info, TRUE);
  tsr_test_write (fixture->folder, "info", "[Context]\nfilesystems=host:ro;\n", -1);
  for (guint i = 0; i < 2; i++)
    {
      static const char *const paths[] = { "/usr/none/report", "/none/report" };
      static const char *const words[] = { "sandbox", "no such file or folder" };
      g_autoptr (TsrPlace) place = tsr_local_place_new ();
      g_autoptr (GError) error = NULL;

      g_assert_null (tsr_report_files_find (place, paths[i], NULL, NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (error->message, paths[i]));
      g_assert_nonnull (strstr (error->message, words[i]));
      g_assert_null (strstr (error->message, words[1 - i]));
    }
  g_unsetenv ("TSR_FLATPAK_INFO");
}

#define ADD(name, function)                                                                        \
  g_test_add ("/report-files/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("whole-report", test_whole_report);
  ADD ("archive-only", test_archive_only);
  ADD ("debug-in-parent", test_debug_in_parent);
  ADD ("debug-nowhere", test_debug_nowhere);
  ADD ("crash", test_crash);
  ADD ("several-reports", test_several_reports);
  ADD ("link-elsewhere", test_link_elsewhere);
  ADD ("only-one-below", test_only_one_below);
  ADD ("many-folders", test_many_folders);
  ADD ("cancel", test_cancel);
  ADD ("one-file", test_one_file);
  ADD ("asked-crash-profile", test_asked_crash_profile);
  ADD ("debug-of-parent-asked", test_debug_of_parent_asked);
  ADD ("odd-names", test_odd_names);
  ADD ("dot-dot", test_dot_dot);
  ADD ("empty", test_empty);
  ADD ("other-files", test_other_files);
  ADD ("old-formats", test_old_formats);
  ADD ("not-there", test_not_there);
  ADD ("sandbox", test_sandbox);
  ADD ("denied", test_denied);
  ADD ("denied-below", test_denied_below);
  g_test_add_func ("/report-files/known-names", test_known_names);
  return g_test_run ();
}
