/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folder of the cache.  Entries are created, looked up and removed under the lock file, so that
 * two processes never create the same one.  Each user of an entry holds a shared lock on its index;
 * locked entries are not removed. */

#include "config.h"

#include "tsr-block-cache-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LISTINGS         "listings"
#define LOCK_TRIES       400
#define LOCK_WAIT_US     5000
#define FULL_FOR_US      (10 * G_USEC_PER_SEC)
#define MAX_LISTING_FILE (64 << 20)
/* Listings of larger folders are not kept. */
#define MAX_LISTED 100000

/* One thing that can be removed to make room. */
typedef struct
{
  char *path;
  gboolean is_entry; /* else a listing */
  guint64 bytes;
  gint64 used_us; /* when it was last used */
} Item;

static void
item_free (gpointer data)
{
  Item *item = data;

  g_free (item->path);
  g_free (item);
}

TsrBlockCache *
tsr_block_cache_new (const char *folder, guint64 limit)
{
  TsrBlockCache *self = g_new0 (TsrBlockCache, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  self->limit = limit;
  self->files = g_hash_table_new (g_str_hash, g_str_equal);
  self->folder = folder != NULL
                     ? g_strdup (folder)
                     : g_build_filename (g_get_user_cache_dir (), "tessera", "remote", NULL);
  return self;
}

TsrBlockCache *
tsr_block_cache_ref (TsrBlockCache *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_block_cache_unref (TsrBlockCache *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_hash_table_unref (self->files);
  g_free (self->folder);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* --------------------------------------------------------------------- locks */

static gboolean
try_lock (int fd, int kind)
{
  for (guint i = 0; i < LOCK_TRIES; i++)
    {
      if (flock (fd, kind | LOCK_NB) == 0)
        return TRUE;
      if (errno != EWOULDBLOCK && errno != EINTR)
        return FALSE;
      g_usleep (LOCK_WAIT_US);
    }
  return FALSE;
}

/* The descriptor whose closing ends the lock; -1: without one nothing is made or removed. */
static int
lock_folder (TsrBlockCache *self)
{
  g_autofree char *path = g_build_filename (self->folder, "lock", NULL);
  int fd;

  if (g_mkdir_with_parents (self->folder, 0700) != 0)
    return -1;
  fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0 && !try_lock (fd, LOCK_EX))
    {
      close (fd);
      errno = EWOULDBLOCK;
      fd = -1;
    }
  return fd;
}

/* ------------------------------------------------------------------- removing */

static void
remove_files (const char *entry)
{
  g_autofree char *index = g_build_filename (entry, "index", NULL);
  g_autofree char *data = g_build_filename (entry, "data", NULL);

  g_unlink (index);
  g_unlink (data);
  g_rmdir (entry);
}

/* FALSE when somebody uses it.  The folder is locked. */
static gboolean
remove_entry (const char *entry)
{
  g_autofree char *index = g_build_filename (entry, "index", NULL);
  int fd = g_open (index, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
  gboolean is_free = fd < 0 || flock (fd, LOCK_EX | LOCK_NB) == 0;

  if (is_free)
    remove_files (entry);
  if (fd >= 0)
    close (fd);
  return is_free;
}

static gboolean
is_entry_name (const char *name)
{
  return strlen (name) == 49 && name[32] == '-'
         && strspn (name, "0123456789abcdef-") == strlen (name);
}

/* What other states of the same path have left. */
static void
remove_other_states (TsrBlockCache *self, const char *name)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *other;

  while (dir != NULL && (other = g_dir_read_name (dir)) != NULL)
    if (is_entry_name (other) && strncmp (other, name, 33) == 0 && strcmp (other, name) != 0)
      {
        g_autofree char *path = g_build_filename (self->folder, other, NULL);

        remove_entry (path);
      }
}

void
tsr_block_cache_drop_entry (TsrBlockCache *self, const char *name, int index)
{
  g_autofree char *entry = g_build_filename (self->folder, name, NULL);
  g_autofree char *path = g_build_filename (entry, "index", NULL);
  struct stat mine, there;
  int lock;

  if (index < 0)
    return;
  g_mutex_lock (&self->lock);
  lock = lock_folder (self);
  /* Whoever else reads it goes on with files that have no name any more. */
  if (lock >= 0 && fstat (index, &mine) == 0 && lstat (path, &there) == 0
      && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
    remove_files (entry);
  if (lock >= 0)
    close (lock);
  g_mutex_unlock (&self->lock);
}

/* ------------------------------------------------------------------ measuring */

static guint64
disk_bytes (const char *folder, const char *name, gint64 *used_us)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  struct stat info;

  if (lstat (path, &info) != 0)
    return 0;
  if (used_us != NULL)
    *used_us = (gint64)info.st_mtim.tv_sec * G_USEC_PER_SEC + info.st_mtim.tv_nsec / 1000;
  return (guint64)info.st_blocks * 512;
}

static void
add_listings (TsrBlockCache *self, GPtrArray *items)
{
  g_autofree char *folder = g_build_filename (self->folder, LISTINGS, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      Item *item = g_new0 (Item, 1);

      item->path = g_build_filename (folder, name, NULL);
      item->bytes = disk_bytes (folder, name, &item->used_us);
      g_ptr_array_add (items, item);
    }
}

/* (transfer full): all that is on disk. */
static GPtrArray *
scan (TsrBlockCache *self, guint64 *total)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (item_free);
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_entry_name (name))
      {
        Item *item = g_new0 (Item, 1);

        item->path = g_build_filename (self->folder, name, NULL);
        item->is_entry = TRUE;
        item->bytes = disk_bytes (item->path, "index", &item->used_us)
                      + disk_bytes (item->path, "data", NULL);
        g_ptr_array_add (items, item);
      }
  add_listings (self, items);
  *total = 0;
  for (guint i = 0; i < items->len; i++)
    *total += ((Item *)items->pdata[i])->bytes;
  return items;
}

static int
compare_use (gconstpointer a, gconstpointer b)
{
  const Item *x = *(Item *const *)a;
  const Item *y = *(Item *const *)b;

  return x->used_us < y->used_us ? -1 : x->used_us > y->used_us;
}

/* Removes what is not in use, least recently used first, until at most @limit is left.  The cache
 * is locked. */
static void
evict (TsrBlockCache *self, guint64 limit)
{
  g_autoptr (GPtrArray) items = NULL;
  int lock = lock_folder (self);

  if (lock < 0)
    return;
  items = scan (self, &self->used);
  self->scanned = TRUE;
  g_ptr_array_sort (items, compare_use);
  for (guint i = 0; i < items->len && self->used > limit; i++)
    {
      Item *item = g_ptr_array_index (items, i);

      if (item->is_entry ? remove_entry (item->path) : g_unlink (item->path) == 0)
        self->used -= MIN (self->used, item->bytes);
    }
  close (lock);
}

gboolean
tsr_block_cache_reserve (TsrBlockCache *self, guint64 bytes)
{
  gboolean fits;

  g_mutex_lock (&self->lock);
  if (g_get_monotonic_time () < self->full_until)
    fits = FALSE;
  else
    {
      if (!self->scanned || self->used + bytes > self->limit)
        evict (self, self->limit - self->limit / 16);
      fits = self->used + bytes <= self->limit;
      if (fits)
        self->used += bytes;
      else
        self->full_until = g_get_monotonic_time () + FULL_FOR_US;
    }
  g_mutex_unlock (&self->lock);
  return fits;
}

void
tsr_block_cache_set_limit (TsrBlockCache *self, guint64 limit)
{
  g_mutex_lock (&self->lock);
  self->limit = limit;
  self->full_until = 0;
  evict (self, limit);
  g_mutex_unlock (&self->lock);
}

guint64
tsr_block_cache_get_bytes (TsrBlockCache *self)
{
  g_autoptr (GPtrArray) items = NULL;
  guint64 total;

  g_mutex_lock (&self->lock);
  items = scan (self, &total);
  g_mutex_unlock (&self->lock);
  return total;
}

void
tsr_block_cache_clear (TsrBlockCache *self)
{
  g_mutex_lock (&self->lock);
  evict (self, 0);
  self->full_until = 0;
  g_mutex_unlock (&self->lock);
}

/* -------------------------------------------------------------------- opening */

/* What @fd is the index of; FALSE when it is damaged. */
static gboolean
read_head (int fd, TsrBlockKey *key)
{
  g_autofree guint8 *head = g_malloc (TSR_INDEX_HEAD_BYTES);
  struct stat info;

  memset (key, 0, sizeof *key);
  return fstat (fd, &info) == 0 && S_ISREG (info.st_mode)
         && pread (fd, head, TSR_INDEX_HEAD_BYTES, 0) == TSR_INDEX_HEAD_BYTES
         && tsr_block_index_read_head (head, TSR_INDEX_HEAD_BYTES, (guint64)info.st_size, key);
}

static gboolean
is_index_of (int fd, const TsrBlockKey *key)
{
  TsrBlockKey its;
  gboolean is_it = read_head (fd, &its) && strcmp (its.host, key->host) == 0
                   && strcmp (its.path, key->path) == 0 && its.size == key->size
                   && its.mtime_us == key->mtime_us;

  tsr_block_key_clear (&its);
  return is_it;
}

/* The head comes last: without it an index is a damaged one. */
static gboolean
write_new_index (int fd, const TsrBlockKey *key)
{
  g_autofree guint8 *head = g_malloc (TSR_INDEX_HEAD_BYTES);

  if (!tsr_block_index_write_head (key, head))
    {
      errno = ENAMETOOLONG;
      return FALSE;
    }
  if (ftruncate (fd, (off_t)(TSR_INDEX_HEAD_BYTES + 8 * tsr_block_key_count_blocks (key))) != 0)
    return FALSE;
  errno = ENOSPC;
  return pwrite (fd, head, TSR_INDEX_HEAD_BYTES, 0) == TSR_INDEX_HEAD_BYTES;
}

static void
close_entry (TsrBlockEntry *entry)
{
  int code = errno;

  if (entry->index >= 0)
    close (entry->index);
  if (entry->data >= 0)
    close (entry->data);
  entry->index = entry->data = -1;
  errno = code;
}

/* The files as they are there; FALSE when they are not, or are not of @key. */
static gboolean
open_files (const char *folder, const TsrBlockKey *key, int flags, TsrBlockEntry *entry)
{
  g_autofree char *index = g_build_filename (folder, "index", NULL);
  g_autofree char *data = g_build_filename (folder, "data", NULL);

  flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  entry->index = g_open (index, flags, 0600);
  entry->data = entry->index >= 0 ? g_open (data, flags, 0600) : -1;
  entry->can_write = (flags & O_ACCMODE) == O_RDWR;
  if (entry->data >= 0 && try_lock (entry->index, LOCK_SH) && is_index_of (entry->index, key))
    return TRUE;
  close_entry (entry);
  return FALSE;
}

static gboolean
make_files (const char *folder, const TsrBlockKey *key, TsrBlockEntry *entry)
{
  g_autofree char *index = g_build_filename (folder, "index", NULL);
  g_autofree char *data = g_build_filename (folder, "data", NULL);
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;

  remove_files (folder);
  if (g_mkdir (folder, 0700) != 0 && errno != EEXIST)
    return FALSE;
  entry->can_write = TRUE;
  entry->index = g_open (index, flags, 0600);
  entry->data = entry->index >= 0 ? g_open (data, flags, 0600) : -1;
  if (entry->data >= 0 && try_lock (entry->index, LOCK_SH) && write_new_index (entry->index, key))
    return TRUE;
  close_entry (entry);
  remove_files (folder);
  return FALSE;
}

GError *
tsr_block_cache_new_keep_error (TsrBlockCache *self, const char *host, int code)
{
  g_autofree char *shown = g_filename_display_name (self->folder);
  gboolean is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;

  return g_error_new (
      G_IO_ERROR, g_io_error_from_errno (code),
      is_full ? _ ("What is read from %s cannot be kept in %s: %s; it stays in memory, and is "
                   "fetched again the next time: make room there, or clear the cache in the "
                   "preferences")
              : _ ("What is read from %s cannot be kept in %s: %s; it stays in memory, and is "
                   "fetched again the next time: make that folder writable"),
      host, shown, g_strerror (code));
}

gboolean
tsr_block_cache_open_entry (TsrBlockCache *self,
                            const TsrBlockKey *key,
                            const char *name,
                            TsrBlockEntry *entry,
                            GError **error)
{
  g_autofree char *folder = g_build_filename (self->folder, name, NULL);
  int lock, code;

  *entry = (TsrBlockEntry){ .index = -1, .data = -1 };
  if (self->limit == 0 || key->size <= 0 || tsr_block_key_count_blocks (key) > TSR_INDEX_MAX_BLOCKS)
    return FALSE;
  lock = lock_folder (self);
  code = errno;
  if (lock >= 0)
    {
      remove_other_states (self, name);
      if (!open_files (folder, key, O_RDWR, entry))
        {
          if (make_files (folder, key, entry))
            self->used += TSR_INDEX_HEAD_BYTES + 4096 + 8 * tsr_block_key_count_blocks (key);
          else
            code = errno;
        }
      close (lock);
    }
  /* In a folder that cannot be written what is there is still good. */
  if (entry->index < 0)
    open_files (folder, key, O_RDONLY, entry);
  if (entry->index >= 0 && entry->can_write)
    futimens (entry->index, NULL);
  if (entry->index >= 0 && entry->can_write)
    return TRUE;
  g_propagate_error (error, tsr_block_cache_new_keep_error (self, key->host, code));
  return entry->index >= 0;
}

TsrCachedFile *
tsr_block_cache_open (TsrBlockCache *self,
                      const char *host,
                      const char *path,
                      const TsrSourceStamp *stamp)
{
  TsrBlockKey key = {
    .host = g_strdup (host),
    .path = g_strdup (path),
    .size = stamp->size,
    .mtime_us = stamp->mtime_us,
  };
  g_autofree char *name = tsr_block_key_dup_name (&key);
  TsrCachedFile *file;

  g_mutex_lock (&self->lock);
  file = g_hash_table_lookup (self->files, name);
  if (file != NULL)
    {
      tsr_cached_file_ref_locked (file);
      tsr_block_key_clear (&key);
    }
  else
    file = tsr_cached_file_new (self, &key, g_steal_pointer (&name));
  g_mutex_unlock (&self->lock);
  return file;
}

gint64
tsr_block_cache_measure (TsrBlockCache *self,
                         const char *host,
                         const char *path,
                         const TsrSourceStamp *stamp)
{
  TsrBlockKey key = {
    .host = (char *)host,
    .path = (char *)path,
    .size = stamp->size,
    .mtime_us = stamp->mtime_us,
  };
  g_autofree char *name = tsr_block_key_dup_name (&key);
  g_autofree char *folder = g_build_filename (self->folder, name, NULL);
  guint64 n_blocks = tsr_block_key_count_blocks (&key);
  g_autofree guint64 *sums = NULL;
  TsrBlockEntry entry = { -1, -1, FALSE };
  gint64 bytes = 0;

  if (n_blocks > TSR_INDEX_MAX_BLOCKS || !open_files (folder, &key, O_RDONLY, &entry))
    return 0;
  sums = g_new0 (guint64, n_blocks);
  if (pread (entry.index, sums, 8 * n_blocks, TSR_INDEX_HEAD_BYTES) == (ssize_t)(8 * n_blocks))
    for (guint64 i = 0; i < n_blocks; i++)
      bytes += sums[i] != 0 ? (gint64)tsr_block_get_length (key.size, i) : 0;
  close_entry (&entry);
  return bytes;
}

/* ------------------------------------------------------------------- listings */

static char *
dup_listing_path (TsrBlockCache *self, const char *host, const char *path)
{
  g_autofree char *name = tsr_block_key_dup_place (host, path);

  return g_build_filename (self->folder, LISTINGS, name, NULL);
}

void
tsr_block_cache_keep_listing (TsrBlockCache *self,
                              const char *host,
                              const char *path,
                              GPtrArray *entries)
{
  g_autofree char *file = dup_listing_path (self, host, path);
  g_autofree char *folder = g_path_get_dirname (file);
  g_autofree char *made = g_strconcat (file, ".new", NULL);
  g_autoptr (GBytes) bytes = NULL;
  gsize length;
  const char *data;

  if (self->limit == 0 || entries->len > MAX_LISTED || g_mkdir_with_parents (folder, 0700) != 0)
    return;
  bytes = tsr_listing_write (host, path, entries);
  data = g_bytes_get_data (bytes, &length);
  /* Without waiting for the disk: what is lost is asked for again. */
  if (g_file_set_contents_full (made, data, (gssize)length, G_FILE_SET_CONTENTS_NONE, 0600, NULL)
      && g_rename (made, file) != 0)
    g_unlink (made);
}

GPtrArray *
tsr_block_cache_dup_listing (TsrBlockCache *self, const char *host, const char *path)
{
  g_autofree char *file = dup_listing_path (self, host, path);
  g_autofree char *bytes = NULL;
  struct stat info;
  gsize length;

  if (lstat (file, &info) != 0 || !S_ISREG (info.st_mode) || info.st_size > MAX_LISTING_FILE
      || !g_file_get_contents (file, &bytes, &length, NULL))
    return NULL;
  return tsr_listing_read (host, path, (const guint8 *)bytes, length);
}
