/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sources and places: random reads, what is no file, what changed, how folders are listed. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-folder.h"
#include "tsr-sandbox.h"
#include "tsr-test.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = tsr_test_folder_new ();
  fixture->path = g_build_filename (fixture->folder, "file", NULL);
  tsr_test_write (fixture->folder, "file", "0123456789", -1);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->path);
  tsr_test_folder_free (fixture->folder);
}

static void
check_reads (TsrSource *source)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *says = NULL;
  guint8 bytes[16];
  TsrSourceRange ranges[] = { { 8, 4, bytes, 0 }, { 2, 3, bytes + 4, 0 }, { 10, 1, bytes + 7, 0 } };

  g_assert_cmpint (tsr_source_get_size (source), ==, 10);
  g_assert_cmpint (tsr_source_read (source, 3, bytes, 4, NULL, NULL), ==, 4);
  g_assert_cmpmem (bytes, 4, "3456", 4);
  g_assert_cmpint (tsr_source_read (source, 8, bytes, 16, NULL, NULL), ==, 2);
  g_assert_cmpint (tsr_source_read (source, 10, bytes, 1, NULL, NULL), ==, 0);
  g_assert_cmpint (tsr_source_read (source, 9, bytes + 15, 1, NULL, NULL), ==, 1);
  g_assert_cmpint (bytes[15], ==, '9');
  g_assert_cmpint (tsr_source_read (source, G_MAXINT64 - 4, bytes, 1, NULL, NULL), <=, 0);
  g_assert_true (tsr_source_read_ranges (source, ranges, 3, NULL, NULL));
  g_assert_cmpuint (ranges[0].got, ==, 2);
  g_assert_cmpuint (ranges[1].got, ==, 3);
  g_assert_cmpuint (ranges[2].got, ==, 0);
  g_assert_cmpmem (bytes + 4, 3, "234", 3);
  g_assert_cmpuint (tsr_source_get_bytes_read (source), ==, 4 + 2 + 1 + 2 + 3);

  g_assert_false (tsr_source_read_exactly (source, 8, bytes, 3, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED);
  says = g_strdup_printf ("%s ends at byte 10, but 3 bytes are expected at byte 8",
                          tsr_source_get_name (source));
  g_assert_true (g_str_has_prefix (error->message, says));
  g_clear_error (&error);
  g_assert_true (tsr_source_check_unchanged (source, NULL, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_cmpint (tsr_source_read (source, 0, bytes, 1, cancellable, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_reads (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("0123456789", 10);
  g_autoptr (TsrSource) memory = tsr_bytes_source_new ("memory", bytes);
  g_autoptr (TsrSource) local = tsr_local_source_new (fixture->path, NULL);

  check_reads (memory);
  check_reads (local);
  g_assert_cmpstr (tsr_source_get_name (local), ==, fixture->path);
  g_assert_cmpstr (tsr_source_get_base_name (local), ==, "file");
}

/* The kernel gives out some of its own files a few KiB at a time, however much is asked for. */
static void
test_in_pieces (Fixture *fixture, gconstpointer data)
{
  static const char name[] = "/proc/kallsyms";
  g_autoptr (TsrSource) source = tsr_local_source_new (name, NULL);
  FILE *file = fopen (name, "r");
  g_autofree char *wanted = g_malloc (50000);
  g_autofree char *got = g_malloc (50000);
  gsize length;

  if (source == NULL || file == NULL)
    {
      g_test_skip ("no such file here");
      return;
    }
  length = fread (wanted, 1, 50000, file);
  fclose (file);
  g_assert_cmpint (tsr_source_read (source, 0, got, 50000, NULL, NULL), ==, (gssize)length);
  g_assert_cmpmem (got, length, wanted, length);
  if (length > 10000)
    {
      g_assert_cmpint (tsr_source_read (source, 5000, got, 4999, NULL, NULL), ==, 4999);
      g_assert_cmpmem (got, 4999, wanted + 5000, 4999);
    }
}

static void
expect_open_error (const char *path, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (tsr_local_source_new (path, &error));
  g_assert_error (error, domain, code);
}

/* A pipe without a writer must not be waited for. */
static void
test_no_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *pipe = g_build_filename (fixture->folder, "pipe", NULL);
  g_autofree char *link = g_build_filename (fixture->folder, "link", NULL);
  g_autofree char *nothing = g_build_filename (fixture->folder, "nothing", NULL);

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink ("nothing", link), ==, 0);
  expect_open_error (fixture->folder, TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
  expect_open_error (pipe, TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
  expect_open_error ("/dev/zero", TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
  expect_open_error (nothing, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  expect_open_error (link, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpint (g_chmod (fixture->path, 0), ==, 0);
  expect_open_error (fixture->path, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
}

static void
expect_changed (TsrSource *source)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (tsr_source_check_unchanged (source, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
}

static void
test_changes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "other", NULL);
  g_autoptr (TsrSource) first = tsr_local_source_new (fixture->path, NULL);
  g_autoptr (TsrSource) second = NULL;
  g_autoptr (TsrSource) third = NULL;
  guint8 byte;

  /* Cut off: a read beyond the new end is an error or short, never a signal. */
  g_assert_cmpint (truncate (fixture->path, 5), ==, 0);
  expect_changed (first);
  g_assert_cmpint (tsr_source_read (first, 7, &byte, 1, NULL, NULL), ==, 0);
  second = tsr_local_source_new (fixture->path, NULL);
  /* Replaced by another file with the same bytes. */
  tsr_test_write (fixture->folder, "other", "01234", -1);
  g_assert_cmpint (g_rename (other, fixture->path), ==, 0);
  expect_changed (second);
  third = tsr_local_source_new (fixture->path, NULL);
  g_assert_true (tsr_source_check_unchanged (third, NULL, NULL));
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  expect_changed (third);
}

/* What the system refuses is told with the file's name. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "sub", NULL);
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autoptr (TsrSource) memory = tsr_local_source_new ("/proc/self/mem", NULL);
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GError) error = NULL;
  guint8 byte;

  /* No memory is at its begin. */
  g_assert_cmpint (tsr_source_read (memory, 0, &byte, 1, NULL, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_true (g_str_has_prefix (error->message, "Cannot read /proc/self/mem: "));
  g_clear_error (&error);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  tsr_test_write (folder, "file", "x", 1);
  source = tsr_local_source_new (path, NULL);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  tsr_test_write (fixture->folder, "sub", "no folder", -1);
  g_assert_false (tsr_source_check_unchanged (source, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_assert_nonnull (strstr (error->message, path));
}

static const TsrFolderEntry *
find (GPtrArray *entries, const char *name)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrFolderEntry *entry = g_ptr_array_index (entries, i);

      if (g_str_equal (entry->name, name))
        return entry;
    }
  return NULL;
}

static void
test_place (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (TsrFolderEntry) entry = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *sub = g_build_filename (fixture->folder, "sub", NULL);
  g_autofree char *link = g_build_filename (sub, "link", NULL);
  g_autofree char *dangling = g_build_filename (fixture->folder, "dangling", NULL);
  g_autofree char *nothing = g_build_filename (fixture->folder, "nothing", NULL);
  g_autofree char *resolved = NULL;
  g_autofree char *wanted = NULL;
  const struct timespec times[2] = { { 1, 0 }, { 1700000000, 123456789 } };

  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  g_assert_cmpint (symlink ("../file", link), ==, 0);
  g_assert_cmpint (symlink ("/no/such/file", dangling), ==, 0);
  tsr_test_write (fixture->folder, "a \xff name", "x", -1);
  g_assert_cmpint (utimensat (AT_FDCWD, fixture->path, times, 0), ==, 0);
  g_assert_false (tsr_place_is_remote (place));

  entries = tsr_place_list (place, fixture->folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 4);
  for (guint i = 1; i < entries->len; i++)
    g_assert_cmpint (strcmp (((TsrFolderEntry *)entries->pdata[i - 1])->name,
                             ((TsrFolderEntry *)entries->pdata[i])->name),
                     <, 0);
  g_assert_nonnull (find (entries, "a \xff name"));
  g_assert_cmpint (find (entries, "file")->size, ==, 10);
  g_assert_true (find (entries, "file")->is_readable);
  g_assert_cmpint (find (entries, "file")->mtime_us, ==, 1700000000123456);
  g_assert_true (find (entries, "sub")->is_folder);
  g_assert_true (find (entries, "dangling")->is_dangling);
  g_assert_true (find (entries, "dangling")->is_link);
  g_assert_false (find (entries, "dangling")->is_readable);

  entry = tsr_place_stat (place, link, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (entry->is_link);
  g_assert_false (entry->is_dangling);
  g_assert_cmpint (entry->size, ==, 10);
  source = tsr_place_open (place, link, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tsr_source_get_size (source), ==, 10);
  resolved = tsr_place_resolve (place, link);
  wanted = tsr_place_resolve (place, fixture->path);
  g_assert_cmpstr (resolved, ==, wanted);

  g_assert_null (tsr_place_stat (place, nothing, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (tsr_place_list (place, nothing, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* What a sandbox shows, by the permissions that it has. */
static void
test_sandbox (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *permissions, *path;
    gboolean hides;
  } cases[] = {
    { "host:ro;/tmp:ro;", "/home/me/report", FALSE },
    { "host:ro;/tmp:ro;", "/data/report", FALSE },
    { "host:ro;/tmp:ro;", "/tmp/report", FALSE },
    { "host:ro;/tmp:ro;", "/tmp", FALSE },
    { "host:ro;/tmp:ro;", "/tmpdata/report", FALSE },
    { "host:ro;/tmp:ro;", "/var/tmp/report", TRUE },
    { "host:ro;/tmp:ro;", "/usr/share/report", TRUE },
    { "host:ro;/tmp:ro;", "/run/media/me/x", FALSE },
    { "host:ro;", "/tmp/report", TRUE },
    { "host:ro;", "/home/me/../../etc/x", TRUE },
    { "!host;/data/:ro", "/data/report", FALSE },
    { "!host;/data/:ro", "/database", TRUE },
    { "", "/home/me/report", TRUE },
    { "~/x;xdg-download", "/home/me/report", TRUE },
  };
  g_autofree char *info = g_build_filename (fixture->folder, "info", NULL);
  g_autofree char *home = g_build_filename (g_get_home_dir (), "r", NULL);
  g_autofree char *beside = g_build_filename (g_get_home_dir (), "rr", NULL);

  g_assert_false (tsr_sandbox_hides ("/usr/none"));
  g_setenv ("TSR_FLATPAK_INFO", info, TRUE);
  g_assert_false (tsr_sandbox_is_here ());
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "[Application]\nname=x\n\n[Context]\nfilesystems=%s\n", cases[i].permissions);

      tsr_test_write (fixture->folder, "info", text, -1);
      g_assert_true (tsr_sandbox_is_here ());
      g_test_message ("%s %s", cases[i].permissions, cases[i].path);
      g_assert_cmpint (tsr_sandbox_hides (cases[i].path), ==, cases[i].hides);
    }
  for (guint i = 0; i < 3; i++)
    {
      static const char *const permissions[] = { "home", "~", "~/r:ro" };
      g_autofree char *text = g_strdup_printf ("[Context]\nfilesystems=%s\n", permissions[i]);

      tsr_test_write (fixture->folder, "info", text, -1);
      g_assert_false (tsr_sandbox_hides (home));
      g_assert_cmpint (tsr_sandbox_hides (beside), ==, i == 2);
      g_assert_true (tsr_sandbox_hides ("/data/report"));
    }
  g_unsetenv ("TSR_FLATPAK_INFO");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tsr_test_obey_modes ();
  g_test_add ("/source/reads", Fixture, NULL, set_up, test_reads, tear_down);
  g_test_add ("/source/in-pieces", Fixture, NULL, set_up, test_in_pieces, tear_down);
  g_test_add ("/source/no-files", Fixture, NULL, set_up, test_no_files, tear_down);
  g_test_add ("/source/changes", Fixture, NULL, set_up, test_changes, tear_down);
  g_test_add ("/source/refused", Fixture, NULL, set_up, test_refused, tear_down);
  g_test_add ("/source/place", Fixture, NULL, set_up, test_place, tear_down);
  g_test_add ("/source/sandbox", Fixture, NULL, set_up, test_sandbox, tear_down);
  return g_test_run ();
}
