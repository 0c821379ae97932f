/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The block cache: what is put comes back, what is damaged or of another state does not; limits,
 * several processes, and disks that take nothing. */

#include "config.h"

#include "tsr-block-cache.h"
#include "tsr-block-index.h"
#include "tsr-test.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOST "user@host:22"
#define PATH "/reports/profile.pop"
#define SIZE (10 * TSR_BLOCK_BYTES + 1000)

typedef struct
{
  char *folder;
  TsrBlockCache *cache;
  guint8 *bytes; /* of the file */
  TsrSourceStamp stamp;
  guint n_open; /* files of this process, before */
} Fixture;

static guint
count_open (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->n_open = count_open ();
  fixture->folder = tsr_test_folder_new ();
  fixture->cache = tsr_block_cache_new (fixture->folder, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
  fixture->bytes = tsr_test_make_bytes (SIZE, 1);
  fixture->stamp = (TsrSourceStamp){ .size = SIZE, .mtime_us = 1700000000000000 };
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  tsr_block_cache_unref (fixture->cache);
  g_free (fixture->bytes);
  tsr_test_folder_free (fixture->folder);
  g_assert_cmpuint (count_open (), ==, fixture->n_open); /* none is left open */
}

static TsrCachedFile *
open_file (Fixture *fixture)
{
  return tsr_block_cache_open (fixture->cache, HOST, PATH, &fixture->stamp);
}

/* As another process sees it. */
static void
open_anew (Fixture *fixture, guint64 limit)
{
  tsr_block_cache_unref (fixture->cache);
  fixture->cache = tsr_block_cache_new (fixture->folder, limit);
}

static void
put (TsrCachedFile *file, const guint8 *bytes, gsize size, guint64 block)
{
  gsize start = block * TSR_BLOCK_BYTES;

  tsr_cached_file_put (file, block, bytes + start, MIN (TSR_BLOCK_BYTES, size - start));
}

static void
put_block (Fixture *fixture, TsrCachedFile *file, guint64 block)
{
  put (file, fixture->bytes, SIZE, block);
}

static void
check_block (TsrCachedFile *file, const guint8 *bytes, gsize size, guint64 block)
{
  guint8 got[TSR_BLOCK_BYTES];
  gsize start = block * TSR_BLOCK_BYTES;

  g_assert_true (tsr_cached_file_has (file, block));
  g_assert_cmpuint (tsr_cached_file_get (file, block, got), ==,
                    MIN (TSR_BLOCK_BYTES, size - start));
  g_assert_cmpmem (got, MIN (TSR_BLOCK_BYTES, size - start), bytes + start,
                   MIN (TSR_BLOCK_BYTES, size - start));
}

static void
check_absent (TsrCachedFile *file, guint64 block)
{
  guint8 got[TSR_BLOCK_BYTES];

  g_assert_cmpuint (tsr_cached_file_get (file, block, got), ==, 0);
  g_assert_false (tsr_cached_file_has (file, block));
}

/* (transfer full): the path of @name in the only entry. */
static char *
find_in_entry (Fixture *fixture, const char *name)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  char *path = NULL;
  const char *entry;

  while ((entry = g_dir_read_name (dir)) != NULL)
    if (strchr (entry, '-') != NULL)
      {
        g_assert_null (path);
        path = g_build_filename (fixture->folder, entry, name, NULL);
      }
  g_assert_nonnull (path);
  return path;
}

static guint
count_entries (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *entry;
  guint n = 0;

  while ((entry = g_dir_read_name (dir)) != NULL)
    n += strchr (entry, '-') != NULL;
  return n;
}

static void
overwrite (const char *path, gint64 offset, const void *bytes, gsize length)
{
  int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);

  g_assert_cmpint (pwrite (fd, bytes, length, offset), ==, length);
  close (fd);
}

/* -------------------------------------------------------------------- tests */

static void
test_blocks (Fixture *fixture, gconstpointer data)
{
  TsrCachedFile *file = open_file (fixture);
  g_autofree char *entry = NULL;
  struct stat info;

  g_assert_cmpuint (tsr_cached_file_count (file), ==, 0);
  g_assert_true (tsr_cached_file_is_on_disk (file));
  put_block (fixture, file, 0);
  put_block (fixture, file, 10);
  put_block (fixture, file, 4);
  put_block (fixture, file, 4);
  /* Of a wrong length, and behind the end. */
  tsr_cached_file_put (file, 5, fixture->bytes, 1000);
  tsr_cached_file_put (file, 11, fixture->bytes, 1000);
  tsr_cached_file_put (file, G_MAXUINT64, fixture->bytes, 1000);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpuint (tsr_cached_file_count (file), ==, 3);
      g_assert_cmpint (tsr_cached_file_count_bytes (file), ==, 2 * TSR_BLOCK_BYTES + 1000);
      g_assert_cmpint (tsr_block_cache_measure (fixture->cache, HOST, PATH, &fixture->stamp), ==,
                       2 * TSR_BLOCK_BYTES + 1000);
      check_block (file, fixture->bytes, SIZE, 0);
      check_block (file, fixture->bytes, SIZE, 4);
      check_block (file, fixture->bytes, SIZE, 10);
      check_absent (file, 1);
      check_absent (file, 5);
      check_absent (file, 11);
      check_absent (file, G_MAXUINT64);
      tsr_cached_file_unref (file);
      open_anew (fixture, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
      file = open_file (fixture);
    }
  g_assert_null (tsr_cached_file_steal_error (file));
  for (guint i = 0; i < 11; i++)
    {
      g_assert_cmpint (tsr_cached_file_is_whole (file), ==, i == 10);
      put_block (fixture, file, i);
    }
  g_assert_true (tsr_cached_file_is_whole (file));
  g_assert_cmpint (tsr_cached_file_count_bytes (file), ==, SIZE);
  tsr_cached_file_unref (file);
  entry = find_in_entry (fixture, "");
  g_assert_cmpint (g_stat (entry, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
}

/* Files of many sizes whose blocks are on disk, or only in memory, or in both: what is asked of
 * them against an array that says which are there. */
static void
test_sizes (Fixture *fixture, gconstpointer data)
{
  static const gsize sizes[] = { 0,
                                 1,
                                 2,
                                 TSR_BLOCK_BYTES - 1,
                                 TSR_BLOCK_BYTES,
                                 TSR_BLOCK_BYTES + 1,
                                 7 * TSR_BLOCK_BYTES + 1,
                                 8 * TSR_BLOCK_BYTES,
                                 8 * TSR_BLOCK_BYTES + 1,
                                 9 * TSR_BLOCK_BYTES + 1 };
  static const guint64 limits[] = { G_MAXINT64, 0, TSR_INDEX_HEAD_BYTES + 4 * TSR_BLOCK_BYTES };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  const int mine = g_open ("/dev/null", O_RDONLY | O_CLOEXEC); /* the first number */

  for (guint k = 0; k < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (limits); k++)
    {
      const gsize size = sizes[k / G_N_ELEMENTS (limits)];
      const guint64 limit = limits[k % G_N_ELEMENTS (limits)];
      const guint n = (guint)((size + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES);
      g_autofree guint8 *bytes = tsr_test_make_bytes (SIZE, 100 + k);
      g_autofree guint8 *other = tsr_test_make_bytes (SIZE, 200 + k);
      gboolean there[16] = { FALSE };
      gint64 n_bytes = 0;
      guint n_there = 0;
      TsrCachedFile *file;

      tsr_block_cache_clear (fixture->cache);
      open_anew (fixture, limit);
      fixture->stamp.size = (gint64)size;
      file = open_file (fixture);
      g_assert_cmpuint (count_entries (fixture), ==, n > 0 && limit > 0);
      other[0] = bytes[0] ^ 1;
      g_assert_true (tsr_cached_file_check_first (file, other, MIN (size, TSR_BLOCK_BYTES)));
      for (guint i = 0; i < 4 * n; i++)
        {
          /* The first one before all others, each now and then once more. */
          const guint block = i == 0 ? 0 : (guint)g_rand_int_range (random, 0, (gint32)n);
          const gsize length = MIN (TSR_BLOCK_BYTES, size - block * TSR_BLOCK_BYTES);

          put (file, there[block] ? other : bytes, size, block);
          n_bytes += there[block] ? 0 : (gint64)length;
          n_there += !there[block];
          there[block] = TRUE;
          for (guint j = 0; j < n + 2; j++)
            if (j < n && there[j])
              check_block (file, bytes, size, j);
            else
              check_absent (file, j);
          g_assert_cmpuint (tsr_cached_file_count (file), ==, n_there);
          g_assert_cmpint (tsr_cached_file_count_bytes (file), ==, n_bytes);
          g_assert_true (tsr_cached_file_check_first (file, bytes, 1));
          g_assert_true (tsr_cached_file_check_first (file, bytes, MIN (size, TSR_BLOCK_BYTES)));
          if (limit == G_MAXINT64)
            {
              g_assert_cmpint (tsr_cached_file_is_whole (file), ==, n_there == n);
              g_assert_cmpint (
                  tsr_block_cache_measure (fixture->cache, HOST, PATH, &fixture->stamp), ==,
                  n_bytes);
            }
        }
      if (n == 0)
        {
          g_assert_true (tsr_cached_file_is_whole (file));
          check_absent (file, 0);
          g_assert_cmpint (tsr_cached_file_count_bytes (file), ==, 0);
        }
      else
        {
          g_assert_cmpint (tsr_cached_file_is_on_disk (file), ==,
                           limit == G_MAXINT64 || (limit > 0 && n < 3));
          g_assert_false (tsr_cached_file_check_first (file, other, 1));
          g_assert_cmpint (tsr_cached_file_count_bytes (file), ==, 0);
          g_assert_false (tsr_cached_file_is_whole (file));
          g_assert_false (tsr_cached_file_is_on_disk (file));
        }
      g_assert_null (tsr_cached_file_steal_error (file));
      tsr_cached_file_unref (file);
    }
  g_assert_cmpint (close (mine), ==, 0);
}

/* Random puts of two cache objects on one folder, as two processes do, against a plain array. */
static void
test_random (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N = 400
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  gsize size = N * TSR_BLOCK_BYTES - 77;
  g_autofree guint8 *bytes = tsr_test_make_bytes (size, 3);
  g_autoptr (TsrBlockCache) other = tsr_block_cache_new (fixture->folder, G_MAXINT64);
  gboolean there[N] = { FALSE };
  TsrCachedFile *files[2];
  guint n = 0;

  fixture->stamp.size = (gint64)size;
  files[0] = open_file (fixture);
  files[1] = tsr_block_cache_open (other, HOST, PATH, &fixture->stamp);
  for (guint i = 0; i < 1500; i++)
    {
      guint block = g_rand_int_range (rand, 0, N);
      TsrCachedFile *file = files[g_rand_int_range (rand, 0, 2)];

      if (g_rand_int_range (rand, 0, 3) == 0)
        {
          put (file, bytes, size, block);
          n += !there[block];
          there[block] = TRUE;
        }
      else if (there[block])
        check_block (file, bytes, size, block);
      else
        check_absent (file, block);
    }
  for (guint i = 0; i < N; i++)
    g_assert_cmpint (tsr_cached_file_has (files[0], i), ==, there[i]);
  g_assert_cmpuint (tsr_cached_file_count (files[0]), ==, n);
  tsr_cached_file_unref (files[0]);
  tsr_cached_file_unref (files[1]);
}

static void
test_states (Fixture *fixture, gconstpointer data)
{
  TsrCachedFile *file = open_file (fixture);
  TsrCachedFile *later;

  put_block (fixture, file, 0);
  put_block (fixture, file, 3);
  /* One that is in use stays, whatever the state of the file. */
  fixture->stamp.mtime_us += G_USEC_PER_SEC;
  later = open_file (fixture);
  g_assert_cmpuint (tsr_cached_file_count (later), ==, 0);
  check_block (file, fixture->bytes, SIZE, 3);
  g_assert_cmpuint (count_entries (fixture), ==, 2);
  tsr_cached_file_unref (file);
  tsr_cached_file_unref (later);
  /* And goes when it is not. */
  fixture->stamp.size += 5;
  later = open_file (fixture);
  g_assert_cmpuint (count_entries (fixture), ==, 1);
  tsr_cached_file_unref (later);
  /* Other paths and hosts are nobody's other state. */
  file = tsr_block_cache_open (fixture->cache, HOST, PATH "x", &fixture->stamp);
  later = tsr_block_cache_open (fixture->cache, "user@other:22", PATH, &fixture->stamp);
  g_assert_cmpuint (count_entries (fixture), ==, 3);
  tsr_cached_file_unref (file);
  tsr_cached_file_unref (later);
}

static void
test_first_block (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrBlockCache) other = tsr_block_cache_new (fixture->folder, G_MAXINT64);
  g_autofree guint8 *changed = tsr_test_make_bytes (SIZE, 2);
  TsrCachedFile *file = open_file (fixture);
  TsrCachedFile *its = tsr_block_cache_open (other, HOST, PATH, &fixture->stamp);
  g_autofree char *entry = NULL;
  TsrCachedFile *again;

  g_assert_true (tsr_cached_file_check_first (file, changed, TSR_BLOCK_BYTES));
  put_block (fixture, file, 0);
  put_block (fixture, file, 1);
  g_assert_true (tsr_cached_file_check_first (file, fixture->bytes, TSR_BLOCK_BYTES));
  g_assert_true (tsr_cached_file_check_first (file, fixture->bytes, 4096));
  g_assert_false (tsr_cached_file_check_first (file, changed, 4096));
  /* Void: nothing is in it, nothing gets in. */
  g_assert_true (tsr_cached_file_is_void (file));
  g_assert_cmpuint (tsr_cached_file_count (file), ==, 0);
  put (file, changed, SIZE, 1);
  check_absent (file, 1);
  g_assert_false (tsr_cached_file_check_first (file, fixture->bytes, TSR_BLOCK_BYTES));

  again = open_file (fixture);
  g_assert_true (again != file);
  g_assert_cmpuint (tsr_cached_file_count (again), ==, 0);
  g_assert_true (tsr_cached_file_check_first (again, changed, TSR_BLOCK_BYTES));
  put (again, changed, SIZE, 0);
  put (again, changed, SIZE, 2);
  /* The other process goes on with the file that it had. */
  check_block (its, fixture->bytes, SIZE, 0);
  check_block (its, fixture->bytes, SIZE, 1);
  check_absent (its, 2);
  check_block (again, changed, SIZE, 2);
  check_absent (again, 1);
  /* When that one finds out as well, what came after it stays. */
  g_assert_false (tsr_cached_file_check_first (its, changed, TSR_BLOCK_BYTES));
  tsr_cached_file_unref (file);
  tsr_cached_file_unref (its);
  tsr_cached_file_unref (again);
  again = open_file (fixture);
  check_block (again, changed, SIZE, 2);
  /* Without the first one nobody knows what the others are of. */
  entry = find_in_entry (fixture, "data");
  overwrite (entry, 7, "?", 1);
  g_assert_false (tsr_cached_file_check_first (again, changed, TSR_BLOCK_BYTES));
  g_assert_true (tsr_cached_file_is_void (again));
  tsr_cached_file_unref (again);
}

/* Something else of the entry's name: a folder is used, a file is not touched. */
static void
test_occupied (Fixture *fixture, gconstpointer data)
{
  TsrBlockKey key = { (char *)HOST, (char *)PATH, SIZE, fixture->stamp.mtime_us };
  g_autofree char *name = tsr_block_key_dup_name (&key);
  g_autofree char *folder = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *bytes = NULL, *inside = NULL;
  g_autoptr (GError) error = NULL;
  TsrCachedFile *file;

  tsr_test_write (fixture->folder, name, "mine", 4);
  file = open_file (fixture);
  error = tsr_cached_file_steal_error (file);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  put_block (fixture, file, 1);
  check_block (file, fixture->bytes, SIZE, 1);
  tsr_cached_file_unref (file);
  g_assert_true (g_file_get_contents (folder, &bytes, NULL, NULL));
  g_assert_cmpstr (bytes, ==, "mine");
  g_assert_cmpint (g_unlink (folder), ==, 0);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  tsr_test_write (folder, "note", "mine", 4);
  file = open_file (fixture);
  g_assert_null (tsr_cached_file_steal_error (file));
  put_block (fixture, file, 1);
  g_assert_true (tsr_cached_file_is_on_disk (file));
  tsr_cached_file_unref (file);
  tsr_block_cache_clear (fixture->cache);
  g_assert_cmpuint (tsr_block_cache_get_bytes (fixture->cache), ==, 0);

  /* A folder in the place of the data. */
  inside = g_build_filename (folder, "data", NULL);
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  file = open_file (fixture);
  g_clear_error (&error);
  error = tsr_cached_file_steal_error (file);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  tsr_cached_file_unref (file);
}

/* What the index has no room for is in memory. */
static void
test_long_path (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_strnfill (TSR_INDEX_HEAD_BYTES, 'x');
  g_autoptr (TsrCachedFile) file
      = tsr_block_cache_open (fixture->cache, HOST, path, &fixture->stamp);
  g_autoptr (GError) error = tsr_cached_file_steal_error (file);

  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FILENAME_TOO_LONG);
  g_assert_false (tsr_cached_file_is_on_disk (file));
  g_assert_cmpuint (count_entries (fixture), ==, 0);
  put_block (fixture, file, 3);
  check_block (file, fixture->bytes, SIZE, 3);
}

/* What is in the folder and is no entry is neither counted nor removed. */
static void
test_strangers (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "cafe", "0123456789abcdef0123456789abcdef-0123456789abcdeg",
                                       "0123456789abcdef0123456789abcdef0-123456789abcdef",
                                       "0123456789abcdef0123456789abcdef-0123456789abcde",
                                       "0123456789abcdef0123456789abcdef-0123456789abcdef0" };
  TsrCachedFile *file = open_file (fixture);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_build_filename (fixture->folder, names[i], NULL);

      g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
      tsr_test_write (folder, "index", "mine", 4);
      tsr_test_write (folder, "data", "mine", 4);
    }
  tsr_cached_file_unref (file);
  tsr_block_cache_clear (fixture->cache);
  g_assert_cmpuint (tsr_block_cache_get_bytes (fixture->cache), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *index = g_build_filename (fixture->folder, names[i], "index", NULL);

      g_assert_true (g_file_test (index, G_FILE_TEST_IS_REGULAR));
    }
}

/* Whatever is opened or made is for the user alone, and for this program alone. */
static void
test_modes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "some", "where", NULL);
  g_autoptr (TsrBlockCache) cache = tsr_block_cache_new (folder, G_MAXINT64);
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  g_autoptr (TsrCachedFile) file = tsr_block_cache_open (cache, HOST, PATH, &fixture->stamp);
  const char *const kinds[] = { "d", "f" }, *const modes[] = { "700", "600" };
  guint n_open = 0;

  tsr_block_cache_keep_listing (cache, HOST, "/", entries);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *command = g_strdup_printf ("find '%s/some' -type %s ! -perm %s",
                                                  fixture->folder, kinds[i], modes[i]);
      g_autofree char *output = NULL;

      g_assert_true (g_spawn_command_line_sync (command, &output, NULL, NULL, NULL));
      g_assert_cmpstr (output, ==, "");
    }
  for (int fd = 0; fd < 100; fd++)
    {
      g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
      g_autofree char *target = g_file_read_link (link, NULL);

      if (target != NULL && g_str_has_prefix (target, folder))
        {
          g_assert_cmpint (fcntl (fd, F_GETFD) & FD_CLOEXEC, !=, 0);
          n_open++;
        }
    }
  g_assert_cmpuint (n_open, ==, 2);
}

/* A link in the place of what was written is neither read through nor written through. */
static void
test_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *lock = g_build_filename (fixture->folder, "lock", NULL);
  g_autoptr (GError) error = NULL;
  char *elsewhere = tsr_test_folder_new ();
  g_autofree char *target = g_build_filename (elsewhere, "data", NULL);
  g_autofree char *link = NULL, *before = NULL, *after = NULL;
  TsrCachedFile *file = open_file (fixture);
  gsize length, n;

  put_block (fixture, file, 0);
  tsr_cached_file_unref (file);
  open_anew (fixture, G_MAXINT64);
  link = find_in_entry (fixture, "data");
  g_assert_true (g_file_get_contents (link, &before, &length, NULL));
  tsr_test_write (elsewhere, "data", before, (gssize)length);
  g_assert_cmpint (g_unlink (link), ==, 0);
  g_assert_cmpint (symlink (target, link), ==, 0);
  file = open_file (fixture);
  check_absent (file, 0);
  put_block (fixture, file, 0);
  put_block (fixture, file, 1);
  check_block (file, fixture->bytes, SIZE, 1);
  tsr_cached_file_unref (file);
  g_assert_true (g_file_get_contents (target, &after, &n, NULL));
  g_assert_cmpmem (before, length, after, n);
  /* Nor is a link locked. */
  tsr_block_cache_clear (fixture->cache);
  g_assert_cmpint (g_unlink (lock), ==, 0);
  g_assert_cmpint (symlink (target, lock), ==, 0);
  file = open_file (fixture);
  error = tsr_cached_file_steal_error (file);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS);
  tsr_cached_file_unref (file);
  tsr_test_folder_free (elsewhere);
}

static void
test_damage (Fixture *fixture, gconstpointer data)
{
  TsrCachedFile *file = open_file (fixture);
  g_autofree char *blocks = NULL;
  g_autofree char *index = NULL;
  guint64 sum = 99;

  for (guint i = 0; i < 5; i++)
    put_block (fixture, file, i);
  tsr_cached_file_unref (file);
  open_anew (fixture, G_MAXINT64);
  blocks = find_in_entry (fixture, "data");
  index = find_in_entry (fixture, "index");
  /* A bit of block 1; the checksum of block 2; a checksum of a block that was never written; a
   * block at another's place. */
  overwrite (blocks, TSR_BLOCK_BYTES + 17, "!", 1);
  overwrite (index, TSR_INDEX_HEAD_BYTES + 8 * 2, &sum, 8);
  overwrite (index, TSR_INDEX_HEAD_BYTES + 8 * 7, &sum, 8);
  overwrite (blocks, 3 * TSR_BLOCK_BYTES, fixture->bytes, TSR_BLOCK_BYTES);
  file = open_file (fixture);
  check_block (file, fixture->bytes, SIZE, 0);
  check_absent (file, 1);
  check_absent (file, 2);
  check_absent (file, 7);
  check_absent (file, 3);
  check_block (file, fixture->bytes, SIZE, 4);
  put_block (fixture, file, 1);
  check_block (file, fixture->bytes, SIZE, 1);
  g_assert_cmpuint (tsr_cached_file_count (file), ==, 3);
  /* Cut off while it is in use. */
  g_assert_cmpint (truncate (index, TSR_INDEX_HEAD_BYTES + 8), ==, 0);
  g_assert_false (tsr_cached_file_has (file, 9));
  check_absent (file, 4);
  check_block (file, fixture->bytes, SIZE, 0);
  tsr_cached_file_unref (file);
}

static void
test_damaged_index (Fixture *fixture, gconstpointer data)
{
  /* Of another file, in one of what tells files apart. */
  const TsrBlockKey others[] = {
    { (char *)"user@other:22", (char *)PATH, SIZE, fixture->stamp.mtime_us },
    { (char *)HOST, (char *)PATH "x", SIZE, fixture->stamp.mtime_us },
    { (char *)HOST, (char *)PATH, SIZE + 1, fixture->stamp.mtime_us },
    { (char *)HOST, (char *)PATH, SIZE, fixture->stamp.mtime_us + 1 },
  };

  for (guint i = 0; i < 5 + G_N_ELEMENTS (others); i++)
    {
      TsrCachedFile *file = open_file (fixture);
      g_autofree char *index = NULL;
      g_autofree char *blocks = NULL;
      guint8 head[TSR_INDEX_HEAD_BYTES];

      g_assert_cmpuint (tsr_cached_file_count (file), ==, 0);
      put_block (fixture, file, 0);
      check_block (file, fixture->bytes, SIZE, 0);
      tsr_cached_file_unref (file);
      index = find_in_entry (fixture, "index");
      blocks = find_in_entry (fixture, "data");
      if (i == 0)
        overwrite (index, 25, "x", 1);
      else if (i == 1)
        g_assert_cmpint (truncate (index, TSR_INDEX_HEAD_BYTES + 8), ==, 0);
      else if (i == 2)
        g_assert_cmpint (truncate (index, 0), ==, 0);
      else if (i == 3)
        g_unlink (blocks);
      else if (i < 4 + G_N_ELEMENTS (others))
        {
          g_assert_true (tsr_block_index_write_head (&others[i - 4], head));
          overwrite (index, 0, head, sizeof head);
        }
      else
        g_assert_cmpint (truncate (blocks, 100), ==, 0);
      open_anew (fixture, G_MAXINT64);
    }
}

/* ------------------------------------------------------------------- limits */

/* What is on the disk, counted here: entries and listings, each with what it takes. */
#define N_PATHS    6
#define N_LISTINGS 2

typedef struct
{
  char *name;
  gboolean is_listing, is_there;
  TsrBlockKey key;
  TsrCachedFile *file; /* (nullable): in use */
  gint64 used_us;
  gboolean has[5], in_memory[5]; /* blocks */
} Thing;

typedef struct
{
  Thing things[N_PATHS + N_LISTINGS];
  guint64 limit, used;
  gboolean is_measured;
  gint64 full_until, used_us;
} Disk;

static gint64 now_us;

gint64
g_get_monotonic_time (void)
{
  return now_us;
}

static guint64
measure (Fixture *fixture, const Thing *thing)
{
  static const char *const parts[] = { "index", "data" };
  guint64 bytes = 0;
  struct stat info;

  for (guint i = 0; i < (thing->is_listing ? 1 : 2); i++)
    {
      g_autofree char *path
          = thing->is_listing ? g_build_filename (fixture->folder, "listings", thing->name, NULL)
                              : g_build_filename (fixture->folder, thing->name, parts[i], NULL);

      g_assert_cmpint (g_stat (path, &info) == 0, ==, thing->is_there);
      bytes += thing->is_there ? (guint64)info.st_blocks * 512 : 0;
    }
  return bytes;
}

/* The time of use, which the disk tells: no two are the same. */
static void
touch (Fixture *fixture, Disk *disk, Thing *thing)
{
  g_autofree char *path = thing->is_listing
                              ? g_build_filename (fixture->folder, "listings", thing->name, NULL)
                              : g_build_filename (fixture->folder, thing->name, "index", NULL);
  struct timespec times[2] = { { 0 } };

  /* Shortly before a full second, and at it. */
  disk->used_us += disk->used_us % G_USEC_PER_SEC == 0 ? G_USEC_PER_SEC - 100 : 100;
  thing->used_us = disk->used_us;
  times[0].tv_sec = times[1].tv_sec = disk->used_us / G_USEC_PER_SEC;
  times[0].tv_nsec = times[1].tv_nsec = disk->used_us % G_USEC_PER_SEC * 1000;
  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

/* Measures, and removes what was used longest ago and is not in use, down to @limit. */
static void
make_room (Fixture *fixture, Disk *disk, guint64 limit, const guint64 *sizes)
{
  disk->used = 0;
  disk->is_measured = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (disk->things); i++)
    disk->used += sizes[i];
  while (disk->used > limit)
    {
      Thing *oldest = NULL;
      guint which = 0;

      for (guint i = 0; i < G_N_ELEMENTS (disk->things); i++)
        {
          Thing *thing = &disk->things[i];

          if (thing->is_there && thing->file == NULL
              && (oldest == NULL || thing->used_us < oldest->used_us))
            {
              oldest = thing;
              which = i;
            }
        }
      if (oldest == NULL)
        return;
      oldest->is_there = FALSE;
      memset (oldest->has, 0, sizeof oldest->has);
      disk->used -= sizes[which];
    }
}

/* How many blocks were refused. */
static guint
walk_limit (Fixture *fixture, GRand *random)
{
  g_autoptr (GPtrArray) listed = g_ptr_array_new ();
  guint n_refused = 0;
  Disk disk = { .limit = 4096 * (guint64)g_rand_int_range (random, 20, 300) };

  now_us = 0;
  open_anew (fixture, disk.limit);
  for (guint i = 0; i < G_N_ELEMENTS (disk.things); i++)
    {
      Thing *thing = &disk.things[i];

      thing->is_listing = i >= N_PATHS;
      thing->key
          = (TsrBlockKey){ .host = (char *)HOST,
                           .path = g_strdup_printf ("/reports/%u", i),
                           .size
                           = i == 0 ? 1000 : g_rand_int_range (random, 1, 5 * TSR_BLOCK_BYTES),
                           .mtime_us = 1 };
      thing->name = thing->is_listing ? tsr_block_key_dup_place (HOST, thing->key.path)
                                      : tsr_block_key_dup_name (&thing->key);
    }
  for (guint i = 0; i < 250; i++)
    {
      const guint which = (guint)g_rand_int_range (random, 0, N_PATHS + N_LISTINGS);
      Thing *thing = &disk.things[which];
      const gint32 kind = g_rand_int_range (random, 0, 20);
      guint64 sizes[G_N_ELEMENTS (disk.things)], total = 0;

      for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
        total += sizes[j] = measure (fixture, &disk.things[j]);
      g_assert_cmpuint (tsr_block_cache_get_bytes (fixture->cache), ==, total);
      if (kind == 0)
        {
          disk.limit = 4096 * (guint64)g_rand_int_range (random, 20, 300);
          tsr_block_cache_set_limit (fixture->cache, disk.limit);
          make_room (fixture, &disk, disk.limit, sizes);
          disk.full_until = 0;
        }
      else if (kind == 1)
        {
          tsr_block_cache_clear (fixture->cache);
          make_room (fixture, &disk, 0, sizes);
          disk.full_until = 0;
        }
      else if (kind == 2)
        now_us = MAX (now_us, disk.full_until - g_rand_int_range (random, 0, 2));
      else if (thing->is_listing)
        {
          tsr_block_cache_keep_listing (fixture->cache, HOST, thing->key.path, listed);
          thing->is_there = TRUE;
          touch (fixture, &disk, thing);
        }
      else if (thing->file == NULL)
        {
          const TsrSourceStamp stamp = { .size = thing->key.size, .mtime_us = 1 };

          thing->file = tsr_block_cache_open (fixture->cache, HOST, thing->key.path, &stamp);
          if (!thing->is_there)
            disk.used += 8192 + 4096 + 8 * ((thing->key.size - 1) / TSR_BLOCK_BYTES + 1);
          thing->is_there = TRUE;
          touch (fixture, &disk, thing);
        }
      else if (kind < 7)
        {
          g_clear_pointer (&thing->file, tsr_cached_file_unref);
          memset (thing->in_memory, 0, sizeof thing->in_memory);
        }
      else
        {
          const guint n_blocks = (guint)((thing->key.size - 1) / TSR_BLOCK_BYTES + 1);
          const guint block = (guint)g_rand_int_range (random, 0, (gint32)n_blocks);
          const gsize length = MIN (TSR_BLOCK_BYTES, thing->key.size - block * TSR_BLOCK_BYTES);
          const guint64 pages = (length + 4095) / 4096 * 4096;
          gboolean fits = disk.full_until <= now_us;

          put (thing->file, fixture->bytes, (gsize)thing->key.size, block);
          if (!thing->has[block] && !thing->in_memory[block])
            {
              if (fits && (!disk.is_measured || disk.used + pages > disk.limit))
                make_room (fixture, &disk, disk.limit - disk.limit / 16, sizes);
              if (fits && disk.used + pages > disk.limit)
                {
                  disk.full_until = now_us + 10 * G_USEC_PER_SEC;
                  fits = FALSE;
                }
              n_refused += !fits;
              disk.used += fits ? pages : 0;
              (fits ? thing->has : thing->in_memory)[block] = TRUE;
              touch (fixture, &disk, thing);
              g_assert_cmpint (tsr_cached_file_is_on_disk (thing->file), ==, fits);
            }
          check_block (thing->file, fixture->bytes, (gsize)thing->key.size, block);
        }
      for (guint j = 0; j < N_PATHS; j++)
        {
          const TsrSourceStamp stamp = { .size = disk.things[j].key.size, .mtime_us = 1 };
          gint64 bytes = 0;

          for (guint k = 0; k < G_N_ELEMENTS (disk.things[j].has); k++)
            if (disk.things[j].has[k])
              bytes += MIN (TSR_BLOCK_BYTES, stamp.size - k * TSR_BLOCK_BYTES);
          g_assert_cmpint (
              tsr_block_cache_measure (fixture->cache, HOST, disk.things[j].key.path, &stamp), ==,
              bytes);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (disk.things); i++)
    {
      g_clear_pointer (&disk.things[i].file, tsr_cached_file_unref);
      g_free (disk.things[i].key.path);
      g_free (disk.things[i].name);
    }
  tsr_block_cache_clear (fixture->cache);
  g_assert_cmpuint (tsr_block_cache_get_bytes (fixture->cache), ==, 0);
  return n_refused;
}

/* Whatever is opened, put and left, in whatever room: what is kept, what goes to make room for it,
 * and what stays in memory. */
static void
test_limit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (23);
  guint n_refused = 0;

  for (guint i = 0; i < 30; i++)
    n_refused += walk_limit (fixture, random);
  g_assert_cmpuint (n_refused, >, 100);
}

/* What does not fit while in use is in memory. */
static void
test_too_small (Fixture *fixture, gconstpointer data)
{
  TsrCachedFile *file;

  open_anew (fixture, 6 * TSR_BLOCK_BYTES);
  file = open_file (fixture);
  for (guint i = 0; i < 11; i++)
    put_block (fixture, file, i);
  for (guint i = 0; i < 11; i++)
    check_block (file, fixture->bytes, SIZE, i);
  g_assert_cmpuint (tsr_block_cache_get_bytes (fixture->cache), <=, 6 * TSR_BLOCK_BYTES);
  tsr_cached_file_unref (file);
  open_anew (fixture, 0);
  file = open_file (fixture);
  put_block (fixture, file, 2);
  check_block (file, fixture->bytes, SIZE, 2);
  g_assert_false (tsr_cached_file_is_on_disk (file));
  g_assert_null (tsr_cached_file_steal_error (file));
  tsr_cached_file_unref (file);
}

static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "file", "remote", NULL);
  g_autofree guint8 *bytes = g_malloc0 (TSR_BLOCK_BYTES);
  g_autoptr (TsrBlockCache) cache = tsr_block_cache_new (path, G_MAXINT64);
  g_autoptr (TsrCachedFile) file = NULL;
  g_autoptr (GError) error = NULL;

  tsr_test_write (fixture->folder, "file", "x", 1);
  fixture->stamp.size = (gint64)10000 * TSR_BLOCK_BYTES;
  file = tsr_block_cache_open (cache, HOST, PATH, &fixture->stamp);
  error = tsr_cached_file_steal_error (file);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_nonnull (strstr (error->message, "make that folder writable"));
  g_assert_null (tsr_cached_file_steal_error (file));
  for (guint i = 0; i < 3000; i++)
    {
      memcpy (bytes, &i, 4);
      tsr_cached_file_put (file, i, bytes, TSR_BLOCK_BYTES);
    }
  /* Bounded, and the last ones are there. */
  g_assert_cmpuint (tsr_cached_file_count (file), ==, 2048);
  check_absent (file, 100);
  for (guint i = 2990; i < 3000; i++)
    {
      guint8 got[TSR_BLOCK_BYTES];
      guint value;

      g_assert_cmpuint (tsr_cached_file_get (file, i, got), ==, TSR_BLOCK_BYTES);
      memcpy (&value, got, 4);
      g_assert_cmpuint (value, ==, i);
    }
  g_assert_null (tsr_block_cache_dup_listing (cache, HOST, "/"));
}

static void
set_file_modes (const char *folder, int mode)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_chmod (path, mode), ==, 0);
    }
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  TsrCachedFile *file;
  g_autoptr (GError) error = NULL;
  g_autofree char *entry = NULL;

  file = open_file (fixture);
  put_block (fixture, file, 0);
  tsr_cached_file_unref (file);
  entry = find_in_entry (fixture, "");
  set_file_modes (entry, 0400);
  g_chmod (entry, 0500);
  g_chmod (fixture->folder, 0500);
  open_anew (fixture, G_MAXINT64);
  file = open_file (fixture);
  check_block (file, fixture->bytes, SIZE, 0);
  put_block (fixture, file, 1);
  check_block (file, fixture->bytes, SIZE, 1);
  error = tsr_cached_file_steal_error (file);
  g_assert_nonnull (error);
  put_block (fixture, file, 2); /* once is enough */
  g_assert_null (tsr_cached_file_steal_error (file));
  tsr_cached_file_unref (file);
  /* Nor is another one made there. */
  file = tsr_block_cache_open (fixture->cache, HOST, PATH "x", &fixture->stamp);
  g_clear_error (&error);
  error = tsr_cached_file_steal_error (file);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  tsr_cached_file_unref (file);
  g_chmod (fixture->folder, 0700);
  g_chmod (entry, 0700);
  set_file_modes (entry, 0600);
}

/* A disk that takes nothing behind some byte. */
static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  TsrCachedFile *file = open_file (fixture);
  g_autoptr (GError) error = NULL;
  struct rlimit old, limit;
  void (*handler) (int) = signal (SIGXFSZ, SIG_IGN);

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  limit = old;
  limit.rlim_cur = 3 * TSR_BLOCK_BYTES + 100;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  for (guint i = 0; i < 11; i++)
    put_block (fixture, file, i);
  for (guint i = 0; i < 11; i++)
    check_block (file, fixture->bytes, SIZE, i);
  g_assert_false (tsr_cached_file_is_on_disk (file));
  error = tsr_cached_file_steal_error (file);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, fixture->folder));
  g_assert_nonnull (strstr (error->message, "make room"));
  put_block (fixture, file, 5);
  g_assert_null (tsr_cached_file_steal_error (file));
  tsr_cached_file_unref (file);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  /* Full before there is a file of it. */
  limit.rlim_cur = 0;
  open_anew (fixture, G_MAXINT64);
  tsr_block_cache_clear (fixture->cache);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  file = open_file (fixture);
  g_clear_error (&error);
  error = tsr_cached_file_steal_error (file);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "make room"));
  for (guint i = 0; i < 2; i++)
    put_block (fixture, file, i);
  check_block (file, fixture->bytes, SIZE, 1);
  tsr_cached_file_unref (file);
  limit.rlim_cur = 3 * TSR_BLOCK_BYTES + 100;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  open_anew (fixture, G_MAXINT64);
  file = open_file (fixture);
  for (guint i = 0; i < 11; i++)
    put_block (fixture, file, i);
  tsr_cached_file_unref (file);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  signal (SIGXFSZ, handler);

  open_anew (fixture, G_MAXINT64);
  file = open_file (fixture);
  g_assert_cmpuint (tsr_cached_file_count (file), ==, 3);
  for (guint i = 0; i < 11; i++)
    if (i < 3)
      check_block (file, fixture->bytes, SIZE, i);
    else
      check_absent (file, i);
  tsr_cached_file_unref (file);
}

/* ---------------------------------------------------------------- processes */

static void
wait_for (pid_t child)
{
  int status;

  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

static void
test_processes (Fixture *fixture, gconstpointer data)
{
  TsrCachedFile *file = open_file (fixture);
  pid_t children[4];

  /* Each puts other blocks, and one that all put. */
  for (guint c = 0; c < G_N_ELEMENTS (children); c++)
    {
      children[c] = fork ();
      if (children[c] != 0)
        continue;
      open_anew (fixture, G_MAXINT64);
      file = open_file (fixture);
      put_block (fixture, file, 0);
      for (guint i = 1 + c; i < 11; i += G_N_ELEMENTS (children))
        put_block (fixture, file, i);
      tsr_block_cache_clear (fixture->cache);
      tsr_cached_file_unref (file);
      _exit (0);
    }
  for (guint c = 0; c < G_N_ELEMENTS (children); c++)
    wait_for (children[c]);
  for (guint i = 0; i < 11; i++)
    check_block (file, fixture->bytes, SIZE, i);
  g_assert_true (tsr_cached_file_is_whole (file));
  tsr_cached_file_unref (file);
  /* Killed while it holds it: nobody is kept out. */
  children[0] = fork ();
  if (children[0] == 0)
    {
      file = open_file (fixture);
      raise (SIGKILL);
    }
  waitpid (children[0], NULL, 0);
  tsr_block_cache_clear (fixture->cache);
  g_assert_cmpuint (count_entries (fixture), ==, 0);
}

/* ----------------------------------------------------------------- listings */

static TsrFolderEntry *
entry_new (const char *name, gint64 size, guint flags)
{
  TsrFolderEntry *entry = g_new0 (TsrFolderEntry, 1);

  entry->name = g_strdup (name);
  entry->size = size;
  entry->mtime_us = size * 3 - 7;
  entry->is_folder = (flags & 1) != 0;
  entry->is_link = (flags & 2) != 0;
  entry->is_dangling = (flags & 4) != 0;
  entry->is_readable = (flags & 8) != 0;
  return entry;
}

/* A folder of somebody else's is where the listing goes. */
static void
check_no_listing_half_made (Fixture *fixture, GPtrArray *entries)
{
  g_autofree char *name = tsr_block_key_dup_place (HOST, "/taken");
  g_autofree char *folder = g_build_filename (fixture->folder, "listings", NULL);
  g_autofree char *place = g_build_filename (folder, name, NULL);
  g_autofree char *made = g_strconcat (place, ".new", NULL);

  g_assert_cmpint (g_mkdir (place, 0700), ==, 0);
  tsr_block_cache_keep_listing (fixture->cache, HOST, "/taken", entries);
  g_assert_null (tsr_block_cache_dup_listing (fixture->cache, HOST, "/taken"));
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_rmdir (place), ==, 0);
}

/* While another program holds the folder nothing is made there; it is waited for, two seconds. */
static void
test_held (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "lock", NULL);
  g_autoptr (GError) error = NULL;
  TsrCachedFile *file = open_file (fixture);
  int fd;

  g_assert_true (tsr_cached_file_is_on_disk (file));
  tsr_cached_file_unref (file);
  tsr_block_cache_clear (fixture->cache);
  fd = g_open (path, O_RDWR);
  /* The first free number is the cache's, and may be 0. */
  if (fd == 0)
    {
      fd = dup (fd);
      close (0);
    }
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  file = open_file (fixture);
  error = tsr_cached_file_steal_error (file);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
  put_block (fixture, file, 1);
  check_block (file, fixture->bytes, SIZE, 1);
  g_assert_false (tsr_cached_file_is_on_disk (file));
  tsr_cached_file_unref (file);
  close (fd);
}

static void
test_listing (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "a", "profile.pop", "\xff\xfe odd\n", "z z" };
  g_autoptr (GPtrArray) entries
      = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_folder_entry_free);
  g_autofree char *place = NULL, *path = NULL, *made = NULL;
  g_autoptr (GPtrArray) got = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *content;
  gsize length;

  for (guint i = 0; i < 64; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s%u", names[i % 4], i);

      g_ptr_array_add (entries, entry_new (name, (gint64)i << (i / 2), i % 16));
    }
  g_assert_null (tsr_block_cache_dup_listing (fixture->cache, HOST, "/r"));
  tsr_block_cache_keep_listing (fixture->cache, HOST, "/r", entries);
  g_assert_null (tsr_block_cache_dup_listing (fixture->cache, HOST, "/"));
  g_assert_null (tsr_block_cache_dup_listing (fixture->cache, "x", "/r"));
  open_anew (fixture, G_MAXINT64);
  check_no_listing_half_made (fixture, entries);
  got = tsr_block_cache_dup_listing (fixture->cache, HOST, "/r");
  g_assert_cmpuint (got->len, ==, 64);
  for (guint i = 0; i < got->len; i++)
    {
      const TsrFolderEntry *x = g_ptr_array_index (entries, i), *y = g_ptr_array_index (got, i);

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_cmpint (x->size, ==, y->size);
      g_assert_cmpint (x->mtime_us, ==, y->mtime_us);
      g_assert_cmpint (x->is_folder + 2 * x->is_link + 4 * x->is_dangling + 8 * x->is_readable, ==,
                       y->is_folder + 2 * y->is_link + 4 * y->is_dangling + 8 * y->is_readable);
    }
  /* No damage goes unseen. */
  bytes = tsr_listing_write (HOST, "/r", entries);
  content = g_bytes_get_data (bytes, &length);
  for (gsize i = 0; i < length; i += 3)
    {
      g_autofree guint8 *copy = g_memdup2 (content, length);

      copy[i] ^= 0x10;
      g_assert_null (tsr_listing_read (HOST, "/r", copy, length));
      g_assert_null (tsr_listing_read (HOST, "/r", content, i));
    }
  /* As many as are kept, and one more. */
  while (entries->len < 100000)
    g_ptr_array_add (entries, entry_new ("n", 1, 0));
  tsr_block_cache_keep_listing (fixture->cache, HOST, "/many", entries);
  g_ptr_array_unref (got);
  got = tsr_block_cache_dup_listing (fixture->cache, HOST, "/many");
  g_assert_cmpuint (got->len, ==, 100000);
  g_ptr_array_add (entries, entry_new ("n", 1, 0));
  tsr_block_cache_keep_listing (fixture->cache, HOST, "/more", entries);
  g_assert_null (tsr_block_cache_dup_listing (fixture->cache, HOST, "/more"));
  /* Something else in the place of one. */
  place = tsr_block_key_dup_place (HOST, "/odd");
  path = g_build_filename (fixture->folder, "listings", place, NULL);
  made = g_strconcat (path, ".new", NULL);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (tsr_block_cache_dup_listing (fixture->cache, HOST, "/odd"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_ptr_array_set_size (entries, 1);
  tsr_block_cache_keep_listing (fixture->cache, HOST, "/odd", entries);
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_rmdir (path), ==, 0);
  open_anew (fixture, 0);
  tsr_block_cache_keep_listing (fixture->cache, HOST, "/odd", entries);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *, gconstpointer);
  } tests[] = {
    { "/block-cache/blocks", test_blocks },
    { "/block-cache/sizes", test_sizes },
    { "/block-cache/random", test_random },
    { "/block-cache/states", test_states },
    { "/block-cache/first-block", test_first_block },
    { "/block-cache/occupied", test_occupied },
    { "/block-cache/long-path", test_long_path },
    { "/block-cache/strangers", test_strangers },
    { "/block-cache/modes", test_modes },
    { "/block-cache/link", test_link },
    { "/block-cache/damage", test_damage },
    { "/block-cache/damaged-index", test_damaged_index },
    { "/block-cache/limit", test_limit },
    { "/block-cache/too-small", test_too_small },
    { "/block-cache/no-folder", test_no_folder },
    { "/block-cache/read-only", test_read_only },
    { "/block-cache/full-disk", test_full_disk },
    { "/block-cache/processes", test_processes },
    { "/block-cache/listing", test_listing },
    { "/block-cache/held", test_held },
  };

  g_test_init (&argc, &argv, NULL);
  tsr_test_obey_modes ();
  close (0); /* a file may have that number, too */
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
