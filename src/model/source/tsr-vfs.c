/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SQLite's view of a source.  A TsrVfsFile is allocated by SQLite (szOsFile) and borrows the entry
 * of the registry, which holds the source:
 *
 *   name "/tessera/7"  ->  Entry { source, error }  <-  TsrVfsFile { sqlite3_file, entry }
 *
 * The file claims to be immutable, so SQLite takes no locks and does not see a journal or a log.  A
 * remote source is served by the same code: its block cache and read-ahead are in the source. */

#include "config.h"

#include "tsr-vfs.h"

#include <sqlite3.h>
#include <string.h>

typedef struct
{
  gatomicrefcount refs;
  TsrSource *source;
  gint64 size;               /* that SQLite is told */
  GCancellable *cancellable; /* (nullable) */
  GMutex lock;
  GError *error; /* the first since it was taken */
} Entry;

typedef struct
{
  sqlite3_file base;
  Entry *entry;
} TsrVfsFile;

static GMutex registry_lock;
static GHashTable *registry; /* name to Entry */
static guint64 next_name;

static Entry *
entry_ref (Entry *entry)
{
  g_atomic_ref_count_inc (&entry->refs);
  return entry;
}

static void
entry_unref (gpointer data)
{
  Entry *entry = data;

  if (!g_atomic_ref_count_dec (&entry->refs))
    return;
  g_object_unref (entry->source);
  g_clear_object (&entry->cancellable);
  g_clear_error (&entry->error);
  g_mutex_clear (&entry->lock);
  g_free (entry);
}

static Entry *
find_entry (const char *name)
{
  Entry *entry = NULL;

  g_mutex_lock (&registry_lock);
  if (registry != NULL && name != NULL)
    entry = g_hash_table_lookup (registry, name);
  if (entry != NULL)
    entry_ref (entry);
  g_mutex_unlock (&registry_lock);
  return entry;
}

/* ------------------------------------------------------------------- file */

static int
file_close (sqlite3_file *file)
{
  TsrVfsFile *self = (TsrVfsFile *)(void *)file;

  g_clear_pointer (&self->entry, entry_unref);
  return SQLITE_OK;
}

/* SQLite takes a page that is not there for one of zeros, and zeros in the rest of a long text or
 * BLOB for the truth.  So a page beyond the end is an error, not a short read. */
static int
file_read (sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset)
{
  TsrVfsFile *self = (TsrVfsFile *)(void *)file;
  GError *error = NULL;

  if (tsr_source_read_exactly (self->entry->source, offset, bytes, length, self->entry->cancellable,
                               &error))
    return SQLITE_OK;
  g_mutex_lock (&self->entry->lock);
  if (self->entry->error == NULL)
    self->entry->error = g_steal_pointer (&error);
  g_mutex_unlock (&self->entry->lock);
  g_clear_error (&error);
  return SQLITE_IOERR_READ;
}

static int
file_write (sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset)
{
  return SQLITE_READONLY;
}

static int
file_truncate (sqlite3_file *file, sqlite3_int64 size)
{
  return SQLITE_READONLY;
}

static int
file_sync (sqlite3_file *file, int flags)
{
  return SQLITE_OK;
}

static int
file_size (sqlite3_file *file, sqlite3_int64 *size)
{
  *size = ((TsrVfsFile *)(void *)file)->entry->size;
  return SQLITE_OK;
}

static int
file_lock (sqlite3_file *file, int level)
{
  return SQLITE_OK;
}

static int
file_check_reserved (sqlite3_file *file, int *reserved)
{
  *reserved = 0;
  return SQLITE_OK;
}

static int
file_control (sqlite3_file *file, int operation, void *argument)
{
  return SQLITE_NOTFOUND;
}

static int
file_sector_size (sqlite3_file *file)
{
  return 4096;
}

static int
file_characteristics (sqlite3_file *file)
{
  return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods file_methods = {
  .iVersion = 1,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_lock,
  .xCheckReservedLock = file_check_reserved,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
};

/* -------------------------------------------------------------------- vfs */

static int
vfs_open (sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags)
{
  TsrVfsFile *self = (TsrVfsFile *)(void *)file;

  self->base.pMethods = NULL;
  /* Only the database itself: temporary tables and sorts stay in memory (temp_store). */
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
    return SQLITE_CANTOPEN;
  self->entry = find_entry (name);
  if (self->entry == NULL)
    return SQLITE_CANTOPEN;
  self->base.pMethods = &file_methods;
  if (out_flags != NULL)
    *out_flags = (flags & ~SQLITE_OPEN_READWRITE & ~SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}

static int
vfs_delete (sqlite3_vfs *vfs, const char *name, int sync)
{
  return SQLITE_READONLY;
}

static int
vfs_access (sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
  *result = FALSE;
  return SQLITE_OK;
}

static int
vfs_full_name (sqlite3_vfs *vfs, const char *name, int length, char *out)
{
  g_strlcpy (out, name, length);
  return SQLITE_OK;
}

static sqlite3_vfs *
parent_of (sqlite3_vfs *vfs)
{
  return vfs->pAppData;
}

static int
vfs_randomness (sqlite3_vfs *vfs, int length, char *bytes)
{
  return parent_of (vfs)->xRandomness (parent_of (vfs), length, bytes);
}

static int
vfs_sleep (sqlite3_vfs *vfs, int microseconds)
{
  return parent_of (vfs)->xSleep (parent_of (vfs), microseconds);
}

static int
vfs_time (sqlite3_vfs *vfs, double *now)
{
  return parent_of (vfs)->xCurrentTime (parent_of (vfs), now);
}

static int
vfs_last_error (sqlite3_vfs *vfs, int length, char *text)
{
  return 0;
}

static sqlite3_vfs vfs = {
  .iVersion = 1,
  .szOsFile = sizeof (TsrVfsFile),
  .mxPathname = 512,
  .zName = TSR_VFS_NAME,
  .xOpen = vfs_open,
  .xDelete = vfs_delete,
  .xAccess = vfs_access,
  .xFullPathname = vfs_full_name,
  .xRandomness = vfs_randomness,
  .xSleep = vfs_sleep,
  .xCurrentTime = vfs_time,
  .xGetLastError = vfs_last_error,
};

static void
ensure_vfs (void)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      vfs.pAppData = sqlite3_vfs_find (NULL);
      sqlite3_vfs_register (&vfs, 0);
      registry = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_unref);
      g_once_init_leave (&once, 1);
    }
}

char *
tsr_vfs_register (TsrSource *source, gint64 size)
{
  Entry *entry = g_new0 (Entry, 1);
  char *name;

  ensure_vfs ();
  g_atomic_ref_count_init (&entry->refs);
  g_mutex_init (&entry->lock);
  entry->source = g_object_ref (source);
  entry->size = size;
  g_mutex_lock (&registry_lock);
  name = g_strdup_printf ("/tessera/%" G_GUINT64_FORMAT, next_name++);
  g_hash_table_insert (registry, g_strdup (name), entry);
  g_mutex_unlock (&registry_lock);
  return name;
}

void
tsr_vfs_unregister (const char *name)
{
  g_mutex_lock (&registry_lock);
  g_hash_table_remove (registry, name);
  g_mutex_unlock (&registry_lock);
}

void
tsr_vfs_set_cancellable (const char *name, GCancellable *cancellable)
{
  Entry *entry = find_entry (name);

  if (entry == NULL)
    return;
  g_set_object (&entry->cancellable, cancellable);
  entry_unref (entry);
}

GError *
tsr_vfs_steal_error (const char *name)
{
  Entry *entry = find_entry (name);
  GError *error;

  if (entry == NULL)
    return NULL;
  g_mutex_lock (&entry->lock);
  error = g_steal_pointer (&entry->error);
  g_mutex_unlock (&entry->lock);
  entry_unref (entry);
  return error;
}
