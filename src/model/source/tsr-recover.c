/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Copies an interrupted database and its journal or log to the cache folder, and lets SQLite play
 * them back there. */

#include "config.h"

#include "tsr-recover.h"

#include "tsr-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define CHUNK     (4 << 20)
#define COPY_NAME "profile.pop"

/* Operations of SQLite's machine between two looks at the cancellable. */
#define LOOK_EVERY 4000

/* Names of the files in a private folder: ours, and what SQLite makes beside the copy. */
static const char *const private_names[]
    = { COPY_NAME, COPY_NAME "-journal", COPY_NAME "-wal", COPY_NAME "-shm", "lock" };

static void
remove_folder (const char *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (private_names); i++)
    {
      g_autofree char *path = g_build_filename (folder, private_names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

void
tsr_recovered_free (TsrRecovered *recovered)
{
  if (recovered == NULL)
    return;
  if (recovered->folder != NULL)
    remove_folder (recovered->folder);
  if (recovered->lock >= 0)
    close (recovered->lock);
  g_free (recovered->folder);
  g_free (recovered->path);
  g_free (recovered);
}

/* ---------------------------------------------------------------- looking */

typedef enum
{
  BESIDE_NOTHING,
  BESIDE_OTHER, /* something, but not with that head */
  BESIDE_MAGIC,
} Beside;

/* What @path is: FALSE when something is there and cannot be read. */
static gboolean
look_beside (TsrPlace *place,
             const char *path,
             gsize at_least,
             const guint8 (*magics)[8],
             guint n_magics,
             gsize length,
             Beside *beside,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (TsrFolderEntry) entry = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (GError) local_error = NULL;
  guint8 head[8] = { 0 };

  *beside = BESIDE_NOTHING;
  entry = tsr_place_stat (place, path, cancellable, &local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (entry == NULL || entry->is_folder || entry->is_dangling || entry->size == 0)
    return TRUE;
  source = tsr_place_open (place, path, cancellable, &local_error);
  if (source != NULL
      && tsr_source_read (source, 0, head, sizeof head, cancellable, &local_error) >= 0)
    {
      *beside = BESIDE_OTHER;
      for (guint i = 0; i < n_magics && tsr_source_get_size (source) >= (gint64)at_least; i++)
        if (memcmp (head, magics[i], length) == 0)
          *beside = BESIDE_MAGIC;
      return TRUE;
    }
  g_propagate_prefixed_error (error, g_steal_pointer (&local_error),
                              _ ("The database may have been left in the middle of a write, and "
                                 "the file beside it that would show this cannot be read: "));
  return FALSE;
}

gboolean
tsr_recover_find (TsrPlace *place,
                  const char *path,
                  TsrLeftOver *left_over,
                  GCancellable *cancellable,
                  GError **error)
{
  /* Source: SQLite's file format, sections "rollback journal" and "WAL header". */
  static const guint8 journal_magic[][8] = { { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 } };
  static const guint8 log_magics[][8] = { { 0x37, 0x7f, 0x06, 0x82 }, { 0x37, 0x7f, 0x06, 0x83 } };
  g_autofree char *journal_path = g_strconcat (path, "-journal", NULL);
  g_autofree char *log_path = g_strconcat (path, "-wal", NULL);
  Beside journal;
  Beside log;

  /* A log counts from 32 bytes of header and at least one frame's header on. */
  if (!look_beside (place, journal_path, 28, journal_magic, 1, 8, &journal, cancellable, error)
      || !look_beside (place, log_path, 32 + 24, log_magics, 2, 4, &log, cancellable, error))
    return FALSE;
  *left_over = journal == BESIDE_MAGIC                          ? TSR_LEFT_JOURNAL
               : log == BESIDE_MAGIC                            ? TSR_LEFT_LOG
               : journal == BESIDE_OTHER || log == BESIDE_OTHER ? TSR_LEFT_STALE
                                                                : TSR_LEFT_NOTHING;
  return TRUE;
}

/* ---------------------------------------------------------------- copying */

static gboolean
copy (TsrSource *source,
      const char *to,
      TsrProgress *progress,
      GCancellable *cancellable,
      GError **error)
{
  g_autofree guint8 *buffer = NULL;
  gint64 offset = 0;
  gssize got = 1;
  int fd = g_open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  FILE *file = fd >= 0 ? fdopen (fd, "w") : NULL;

  if (file == NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), _ ("Cannot write %s: %s"), to,
                   g_strerror (errno));
      return FALSE;
    }
  setvbuf (file, NULL, _IONBF, 0);
  buffer = g_malloc (CHUNK);
  while (got > 0)
    {
      got = tsr_source_read (source, offset, buffer, CHUNK, cancellable, error);
      if (got > 0 && fwrite (buffer, 1, (gsize)got, file) != (gsize)got)
        {
          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
                       _ ("Cannot make a private copy of %s in %s: %s"),
                       tsr_source_get_name (source), to, g_strerror (errno));
          got = -1;
        }
      offset += MAX (got, 0);
      tsr_progress_add_done (progress, MAX (got, 0));
    }
  fclose (file);
  return got == 0;
}

/* The copy, and what playing back may add to it. */
static gboolean
check_space (const char *folder, TsrSource *database, TsrSource *beside, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GFileInfo) info
      = g_file_query_filesystem_info (file, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);
  guint64 needed
      = (guint64)tsr_source_get_size (database) + 2 * (guint64)tsr_source_get_size (beside);
  guint64 free_bytes;

  if (info == NULL || !g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE))
    return TRUE;
  free_bytes = g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE);
  if (needed <= free_bytes)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
               _ ("%s was left in the middle of a write and must be recovered on a private copy, "
                  "which needs %" PRIu64 " bytes in %s, but %" PRIu64
                  " are free; make room there and open the report again"),
               tsr_source_get_name (database), needed, folder, free_bytes);
  return FALSE;
}

/* -------------------------------------------------------------- recovering */

static int
look (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

/* "ok" from quick_check is the only row of a database that is whole. */
static int
take_row (void *data, int n, char **values, char **names)
{
  GString *found = data;

  if (g_strcmp0 (values[0], "ok") != 0)
    g_string_append (found, values[0]);
  return 0;
}

static void
harden (sqlite3 *db)
{
  sqlite3_drop_modules (db, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);
}

/* Lets SQLite itself play back what is beside the copy, and turns off the write-ahead log, so that
 * the copy stands alone. */
static gboolean
play_back (const char *copy_path, const char *name, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autofree char *shown = NULL;
  sqlite3 *db = NULL;
  char *message = NULL;
  int code = sqlite3_open_v2 (copy_path, &db, SQLITE_OPEN_READWRITE, "unix");

  if (code == SQLITE_OK)
    {
      harden (db);
      sqlite3_progress_handler (db, LOOK_EVERY, look, cancellable);
      code = sqlite3_exec (db,
                           "PRAGMA ignore_check_constraints = 1; PRAGMA mmap_size = 0;"
                           "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;"
                           "SELECT count(*) FROM sqlite_master;",
                           NULL, NULL, &message);
      if (code == SQLITE_OK)
        code = sqlite3_exec (db, "PRAGMA quick_check(1)", take_row, found, &message);
    }
  shown = g_utf8_make_valid (found->len > 0    ? found->str
                             : message != NULL ? message
                                               : sqlite3_errmsg (db),
                             -1);
  if (!g_cancellable_set_error_if_cancelled (cancellable, error)
      && (code != SQLITE_OK || found->len > 0))
    g_set_error (error, TSR_ERROR, TSR_ERROR_CORRUPT,
                 _ ("%s was left in the middle of a write and cannot be recovered: %s; record the "
                    "report again, or copy it together with the file beside it"),
                 name, shown);
  sqlite3_free (message);
  sqlite3_close (db);
  return code == SQLITE_OK && found->len == 0 && !g_cancellable_is_cancelled (cancellable);
}

/* ---------------------------------------------------------- private folder */

static int
take_lock (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "lock", NULL);
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      close (fd);
      fd = -1;
    }
  return fd;
}

/* Removes copies of programs that did not come to remove their own: nobody holds their lock. */
static void
sweep (const char *parent)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (parent, name, NULL);
      g_autofree char *lock = g_build_filename (folder, "lock", NULL);
      int fd;

      /* One without a lock is being made just now. */
      if (!g_file_test (lock, G_FILE_TEST_IS_REGULAR))
        continue;
      fd = take_lock (folder);
      if (fd < 0)
        continue;
      remove_folder (folder);
      close (fd);
    }
}

static gboolean
make_folder (TsrRecovered *recovered, GError **error)
{
  g_autofree char *parent
      = g_build_filename (g_get_user_cache_dir (), "tessera", "recovered", NULL);
  g_autofree char *folder = g_build_filename (parent, "XXXXXX", NULL);

  if (g_mkdir_with_parents (parent, 0700) == 0)
    {
      sweep (parent);
      if (g_mkdtemp_full (folder, 0700) != NULL)
        {
          recovered->folder = g_steal_pointer (&folder);
          recovered->lock = take_lock (recovered->folder);
          recovered->path = g_build_filename (recovered->folder, COPY_NAME, NULL);
          return TRUE;
        }
    }
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
               _ ("Cannot make a folder for a private copy in %s: %s"), parent, g_strerror (errno));
  return FALSE;
}

TsrRecovered *
tsr_recover_run (TsrPlace *place,
                 const char *path,
                 TsrLeftOver left_over,
                 TsrProgress *progress,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (TsrRecovered) recovered = g_new0 (TsrRecovered, 1);
  const char *ending = left_over == TSR_LEFT_LOG ? "-wal" : "-journal";
  g_autofree char *beside_path = g_strconcat (path, ending, NULL);
  g_autofree char *copy_beside = NULL;
  g_autoptr (TsrSource) database = NULL;
  g_autoptr (TsrSource) beside = NULL;

  recovered->lock = -1;
  if (!make_folder (recovered, error))
    return NULL;
  copy_beside = g_strconcat (recovered->path, ending, NULL);
  database = tsr_place_open (place, path, cancellable, error);
  if (database == NULL)
    return NULL;
  beside = tsr_place_open (place, beside_path, cancellable, error);
  if (beside == NULL)
    return NULL;
  /* The two belong together only if neither changed until both are copied. */
  if (!check_space (recovered->folder, database, beside, error)
      || !copy (database, recovered->path, progress, cancellable, error)
      || !copy (beside, copy_beside, progress, cancellable, error)
      || !tsr_source_check_unchanged (database, cancellable, error)
      || !tsr_source_check_unchanged (beside, cancellable, error)
      || !play_back (recovered->path, tsr_source_get_name (database), cancellable, error))
    return NULL;
  return g_steal_pointer (&recovered);
}
