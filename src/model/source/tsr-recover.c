/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-recover.h"

#include "tsr-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define CHUNK (4 << 20)

void
tsr_recovered_free (TsrRecovered *recovered)
{
  static const char *const endings[] = { "", "-journal", "-wal", "-shm" };

  if (recovered == NULL)
    return;
  for (guint i = 0; recovered->path != NULL && i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *path = g_strconcat (recovered->path, endings[i], NULL);

      g_unlink (path);
    }
  if (recovered->folder != NULL)
    g_rmdir (recovered->folder);
  g_free (recovered->folder);
  g_free (recovered->path);
  g_free (recovered);
}

static gboolean
begins_with (TsrPlace *place,
             const char *path,
             gsize at_least,
             const guint8 (*magics)[8],
             guint n_magics,
             gsize length,
             GCancellable *cancellable)
{
  g_autoptr (TsrSource) source = tsr_place_open (place, path, cancellable, NULL);
  guint8 head[8] = { 0 };

  if (source == NULL || tsr_source_get_size (source) < (gint64)at_least
      || tsr_source_read (source, 0, head, sizeof head, cancellable, NULL) != sizeof head)
    return FALSE;
  for (guint i = 0; i < n_magics; i++)
    if (memcmp (head, magics[i], length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_there (TsrPlace *place, const char *path, GCancellable *cancellable)
{
  TsrFolderEntry *entry = tsr_place_stat (place, path, cancellable, NULL);
  gboolean there = entry != NULL && !entry->is_folder && !entry->is_dangling && entry->size > 0;

  tsr_folder_entry_free (entry);
  return there;
}

TsrLeftOver
tsr_recover_find (TsrPlace *place, const char *path, GCancellable *cancellable)
{
  /* Source: SQLite's file format, sections "rollback journal" and "WAL header". */
  static const guint8 journal_magic[][8] = { { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 } };
  static const guint8 log_magics[][8] = { { 0x37, 0x7f, 0x06, 0x82 }, { 0x37, 0x7f, 0x06, 0x83 } };
  g_autofree char *journal = g_strconcat (path, "-journal", NULL);
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  gboolean stale = FALSE;

  if (is_there (place, journal, cancellable))
    {
      if (begins_with (place, journal, 28, journal_magic, 1, 8, cancellable))
        return TSR_LEFT_JOURNAL;
      stale = TRUE;
    }
  if (is_there (place, log, cancellable))
    {
      /* 32 bytes of header and at least one frame's header. */
      if (begins_with (place, log, 32 + 24, log_magics, 2, 4, cancellable))
        return TSR_LEFT_LOG;
      stale = TRUE;
    }
  return stale ? TSR_LEFT_STALE : TSR_LEFT_NOTHING;
}

static gboolean
write_all (int fd, const guint8 *bytes, gsize length)
{
  while (length > 0)
    {
      ssize_t done = write (fd, bytes, length);

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return FALSE;
      bytes += done;
      length -= done;
    }
  return TRUE;
}

static gboolean
copy (TsrPlace *place,
      const char *from,
      const char *to,
      TsrProgress *progress,
      GCancellable *cancellable,
      GError **error)
{
  g_autoptr (TsrSource) source = tsr_place_open (place, from, cancellable, error);
  g_autofree guint8 *buffer = NULL;
  gboolean ok = TRUE;
  int fd;

  if (source == NULL)
    return FALSE;
  fd = g_open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), _ ("Cannot write %s: %s"), to,
                   g_strerror (errno));
      return FALSE;
    }
  buffer = g_malloc (CHUNK);
  for (gint64 offset = 0; ok;)
    {
      gssize got = tsr_source_read (source, offset, buffer, CHUNK, cancellable, error);

      if (got == 0)
        break;
      ok = got > 0;
      if (ok && !write_all (fd, buffer, got))
        {
          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
                       _ ("Cannot make a private copy of %s in %s: %s"), from, to,
                       g_strerror (errno));
          ok = FALSE;
        }
      offset += MAX (got, 0);
      tsr_progress_add_done (progress, MAX (got, 0));
    }
  close (fd);
  return ok && tsr_source_check_unchanged (source, cancellable, error);
}

/* Lets SQLite itself play back what is beside the copy, and turns off the write-ahead log, so that
 * the copy stands alone. */
static gboolean
play_back (const char *copy_path, const char *name, GError **error)
{
  sqlite3 *db = NULL;
  char *message = NULL;
  int code = sqlite3_open_v2 (copy_path, &db, SQLITE_OPEN_READWRITE, NULL);

  if (code == SQLITE_OK)
    {
      sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
      sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
      sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);
      code = sqlite3_exec (db,
                           "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;"
                           "SELECT count(*) FROM sqlite_master;",
                           NULL, NULL, &message);
    }
  if (code != SQLITE_OK)
    g_set_error (error, TSR_ERROR, TSR_ERROR_CORRUPT,
                 _ ("%s was left in the middle of a write and cannot be recovered: %s; record the "
                    "report again, or copy it together with the file beside it"),
                 name, message != NULL ? message : sqlite3_errmsg (db));
  sqlite3_free (message);
  sqlite3_close (db);
  return code == SQLITE_OK;
}

static gboolean
make_folder (TsrRecovered *recovered, GError **error)
{
  g_autofree char *parent
      = g_build_filename (g_get_user_cache_dir (), "tessera", "recovered", NULL);

  recovered->folder = g_build_filename (parent, "XXXXXX", NULL);
  if (g_mkdir_with_parents (parent, 0700) == 0 && g_mkdtemp_full (recovered->folder, 0700) != NULL)
    {
      recovered->path = g_build_filename (recovered->folder, "profile.pop", NULL);
      return TRUE;
    }
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
               _ ("Cannot make a folder for a private copy in %s: %s"), parent, g_strerror (errno));
  g_clear_pointer (&recovered->folder, g_free);
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
  g_autofree char *beside = g_strconcat (path, ending, NULL);
  g_autofree char *name = g_filename_display_name (path);
  g_autofree char *copy_beside = NULL;

  if (!make_folder (recovered, error))
    return NULL;
  copy_beside = g_strconcat (recovered->path, ending, NULL);
  if (!copy (place, path, recovered->path, progress, cancellable, error)
      || !copy (place, beside, copy_beside, progress, cancellable, error)
      || !play_back (recovered->path, name, error))
    return NULL;
  return g_steal_pointer (&recovered);
}
