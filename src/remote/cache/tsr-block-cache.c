/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folder of the cache.  Entries are created, looked up and removed under the lock file, so that
 * two processes never create the same one.  Each user of an entry holds a shared lock on its index;
 * locked entries are not removed. */

#include "config.h"

#include "tsr-block-index.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct _TsrBlockCache
{
  gatomicrefcount refs;
  GMutex lock;
  char *folder; /* (nullable): none can be used */
  guint64 limit;
  guint64 used;      /* bytes on disk as far as this process knows */
  gboolean scanned;  /* used was measured */
  gint64 full_until; /* monotonic time: nothing is written before */
  GHashTable *files; /* name to TsrCachedFile, not owned; the open, valid ones */
};

/* The descriptors of an entry; -1: none. */
typedef struct
{
  int index, data;
  gboolean can_write;
} TsrBlockEntry;

static void tsr_block_cache_drop_entry (TsrBlockCache *self, const char *name, int index);
static gboolean tsr_block_cache_reserve (TsrBlockCache *self, guint64 bytes);
static GError *tsr_block_cache_new_keep_error (TsrBlockCache *self, const char *host, int code);
static gboolean tsr_block_cache_open_entry (TsrBlockCache *self,
                                            const TsrBlockKey *key,
                                            const char *name,
                                            TsrBlockEntry *entry,
                                            GError **error);

/* The blocks of one file, on disk, or in memory if they cannot be written.  The bitmap is what this
 * process knows; another process may have added more, which is in the index. */

/* Blocks of one file that are kept in memory when the disk takes none: 64 MiB. */
#define MEMORY_BLOCKS 2048
#define DISK_PAGE     4096 /* bytes: a file takes a whole number of these */

typedef struct
{
  guint64 block;
  gsize length;
  guint8 *bytes;
  GList link; /* in the order of use */
} MemoryBlock;

struct _TsrCachedFile
{
  guint refs; /* guarded by the cache's lock */
  TsrBlockCache *cache;
  TsrBlockKey key;
  char *name;
  guint64 n_blocks;
  TsrBlockEntry entry; /* set once */

  GMutex lock;
  gboolean is_void;
  gboolean can_write;
  gboolean is_full; /* the last block did not fit into the cache's limit */
  guint8 *here;     /* a bit for each block that is on disk; NULL without an entry */
  guint64 n_here;
  GHashTable *memory; /* guint64 block to MemoryBlock */
  GQueue recent;      /* MemoryBlock, the one used last at the head; empty at first */
  GError *error;      /* (nullable) */
};

static void
memory_block_free (gpointer data)
{
  MemoryBlock *block = data;

  g_free (block->bytes);
  g_free (block);
}

static gboolean
is_set (TsrCachedFile *self, guint64 block)
{
  return self->here != NULL && (self->here[block / 8] >> block % 8 & 1) != 0;
}

static void
set_here (TsrCachedFile *self, guint64 block, gboolean here)
{
  if (is_set (self, block) == here)
    return;
  self->here[block / 8] ^= (guint8)(1 << block % 8);
  self->n_here += here ? 1 : -1;
}

/* (transfer full) (nullable): the checksum of each of @n blocks as the index says; 0: not there. */
static guint64 *
read_sums (int index, gsize n)
{
  g_autofree guint64 *sums = g_new (guint64, n);

  if (pread (index, sums, 8 * n, TSR_INDEX_HEAD_BYTES) != (ssize_t)(8 * n))
    return NULL;
  return g_steal_pointer (&sums);
}

/* Reads the index's table into the bitmap. */
static void
read_table (TsrCachedFile *self)
{
  g_autofree guint64 *sums = read_sums (self->entry.index, self->n_blocks);

  self->here = g_malloc0 (self->n_blocks / 8 + 1);
  for (guint64 i = 0; sums != NULL && i < self->n_blocks; i++)
    if (sums[i] != 0)
      set_here (self, i, TRUE);
}

/* (transfer full): takes @key, and is in @cache's table of files, whose lock is held. */
static TsrCachedFile *
tsr_cached_file_new (TsrBlockCache *cache, TsrBlockKey *key, char *name)
{
  TsrCachedFile *self = g_new0 (TsrCachedFile, 1);

  self->refs = 1;
  self->cache = tsr_block_cache_ref (cache);
  self->key = *key;
  self->name = name;
  self->n_blocks = tsr_block_key_count_blocks (key);
  g_mutex_init (&self->lock);
  self->memory = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, memory_block_free);
  if (tsr_block_cache_open_entry (cache, &self->key, name, &self->entry, &self->error))
    {
      self->can_write = self->entry.can_write;
      read_table (self);
    }
  g_hash_table_insert (cache->files, self->name, self);
  return self;
}

/* As tsr_cached_file_ref, with that lock held. */
static void
tsr_cached_file_ref_locked (TsrCachedFile *self)
{
  self->refs++;
}

TsrCachedFile *
tsr_cached_file_ref (TsrCachedFile *self)
{
  g_mutex_lock (&self->cache->lock);
  tsr_cached_file_ref_locked (self);
  g_mutex_unlock (&self->cache->lock);
  return self;
}

/* What was not opened is no file, and closing it does nothing. */
static void
close_entry (TsrBlockEntry *entry)
{
  close (entry->index);
  close (entry->data);
  entry->index = entry->data = -1;
}

void
tsr_cached_file_unref (TsrCachedFile *self)
{
  TsrBlockCache *cache = self->cache;
  gboolean last;

  g_mutex_lock (&cache->lock);
  last = --self->refs == 0;
  if (last && g_hash_table_lookup (cache->files, self->name) == self)
    g_hash_table_remove (cache->files, self->name);
  g_mutex_unlock (&cache->lock);
  if (!last)
    return;
  close_entry (&self->entry);
  g_hash_table_unref (self->memory);
  g_free (self->here);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  tsr_block_key_clear (&self->key);
  g_free (self->name);
  g_free (self);
  tsr_block_cache_unref (cache);
}

/* ------------------------------------------------------------------- asking */

/* The checksum of @block as the index says; 0: not there. */
static guint64
read_sum (TsrCachedFile *self, guint64 block)
{
  guint64 sum;

  return pread (self->entry.index, &sum, 8, (off_t)(TSR_INDEX_HEAD_BYTES + 8 * block)) == 8 ? sum
                                                                                            : 0;
}

/* As far as this process knows; the file's lock is held. */
static gboolean
keeps (TsrCachedFile *self, guint64 block)
{
  return !self->is_void && (is_set (self, block) || g_hash_table_contains (self->memory, &block));
}

gboolean
tsr_cached_file_has (TsrCachedFile *self, guint64 block)
{
  gboolean has;

  if (block >= self->n_blocks)
    return FALSE;
  g_mutex_lock (&self->lock);
  has = keeps (self, block);
  if (!has && !self->is_void && self->here != NULL && read_sum (self, block) != 0)
    {
      set_here (self, block, TRUE);
      has = TRUE;
    }
  g_mutex_unlock (&self->lock);
  return has;
}

static gsize
get_from_memory (TsrCachedFile *self, guint64 number, guint8 *bytes)
{
  MemoryBlock *block = g_hash_table_lookup (self->memory, &number);

  if (block == NULL)
    return 0;
  memcpy (bytes, block->bytes, block->length);
  g_queue_unlink (&self->recent, &block->link);
  g_queue_push_head_link (&self->recent, &block->link);
  return block->length;
}

/* What is not what it was when it was written is forgotten, and fetched again. */
static void
forget (TsrCachedFile *self, guint64 block)
{
  guint64 none = 0;

  /* Where it cannot be written it is as wrong the next time, and fetched again then. */
  if (self->entry.can_write)
    (void)!pwrite (self->entry.index, &none, 8, (off_t)(TSR_INDEX_HEAD_BYTES + 8 * block));
  g_mutex_lock (&self->lock);
  set_here (self, block, FALSE);
  g_mutex_unlock (&self->lock);
}

gsize
tsr_cached_file_get (TsrCachedFile *self, guint64 block, guint8 bytes[TSR_BLOCK_BYTES])
{
  gsize length = tsr_block_get_length (self->key.size, block);
  gsize got;

  if (!tsr_cached_file_has (self, block))
    return 0;
  g_mutex_lock (&self->lock);
  got = get_from_memory (self, block, bytes);
  g_mutex_unlock (&self->lock);
  if (got > 0 || self->here == NULL)
    return got;
  if (pread (self->entry.data, bytes, length, (off_t)(block * TSR_BLOCK_BYTES)) == (ssize_t)length
      && tsr_block_sum (block, bytes, length) == read_sum (self, block))
    return length;
  forget (self, block);
  return 0;
}

/* The file's lock is held. */
static guint64
count_kept (TsrCachedFile *self)
{
  return self->is_void ? 0 : self->n_here + g_hash_table_size (self->memory);
}

guint64
tsr_cached_file_count (TsrCachedFile *self)
{
  guint64 n;

  g_mutex_lock (&self->lock);
  n = count_kept (self);
  g_mutex_unlock (&self->lock);
  return n;
}

gint64
tsr_cached_file_count_bytes (TsrCachedFile *self)
{
  guint64 last = self->n_blocks - 1;
  gint64 bytes;

  g_mutex_lock (&self->lock);
  bytes = (gint64)count_kept (self) * TSR_BLOCK_BYTES;
  /* The last block may be a short one; a file without blocks keeps none. */
  if (keeps (self, last))
    bytes -= TSR_BLOCK_BYTES - tsr_block_get_length (self->key.size, last);
  g_mutex_unlock (&self->lock);
  return bytes;
}

gboolean
tsr_cached_file_is_whole (TsrCachedFile *self)
{
  gboolean is_whole;

  g_mutex_lock (&self->lock);
  is_whole = self->n_here == self->n_blocks && !self->is_void;
  g_mutex_unlock (&self->lock);
  return is_whole;
}

gboolean
tsr_cached_file_is_on_disk (TsrCachedFile *self)
{
  gboolean is_on_disk;

  g_mutex_lock (&self->lock);
  is_on_disk = self->can_write && !self->is_full && !self->is_void;
  g_mutex_unlock (&self->lock);
  return is_on_disk;
}

gboolean
tsr_cached_file_is_void (TsrCachedFile *self)
{
  gboolean is_void;

  g_mutex_lock (&self->lock);
  is_void = self->is_void;
  g_mutex_unlock (&self->lock);
  return is_void;
}

GError *
tsr_cached_file_steal_error (TsrCachedFile *self)
{
  GError *error;

  g_mutex_lock (&self->lock);
  error = g_steal_pointer (&self->error);
  g_mutex_unlock (&self->lock);
  return error;
}

/* ------------------------------------------------------------------- putting */

/* A disk that is full takes a part of it and says so with the next byte only. */
static gboolean
write_at (int fd, const void *bytes, gsize length, guint64 at)
{
  errno = ENOSPC;
  return pwrite (fd, bytes, length, (off_t)at) == (ssize_t)length;
}

static gboolean
write_block (TsrCachedFile *self, guint64 block, const guint8 *bytes, gsize length)
{
  guint64 sum = tsr_block_sum (block, bytes, length);

  return write_at (self->entry.data, bytes, length, block * TSR_BLOCK_BYTES)
         && write_at (self->entry.index, &sum, 8, TSR_INDEX_HEAD_BYTES + 8 * block);
}

static void
put_in_memory (TsrCachedFile *self, guint64 number, const guint8 *bytes, gsize length)
{
  MemoryBlock *block;

  if (g_hash_table_contains (self->memory, &number))
    return;
  while (self->recent.length >= MEMORY_BLOCKS)
    {
      block = g_queue_pop_tail_link (&self->recent)->data;
      g_hash_table_remove (self->memory, &block->block);
    }
  block = g_new0 (MemoryBlock, 1);
  block->block = number;
  block->length = length;
  block->bytes = g_memdup2 (bytes, length);
  block->link.data = block;
  g_queue_push_head_link (&self->recent, &block->link);
  g_hash_table_insert (self->memory, &block->block, block);
}

static void
stop_writing (TsrCachedFile *self, int code)
{
  g_autoptr (GError) error = tsr_block_cache_new_keep_error (self->cache, self->key.host, code);

  g_mutex_lock (&self->lock);
  if (self->can_write)
    self->error = g_steal_pointer (&error);
  self->can_write = FALSE;
  g_mutex_unlock (&self->lock);
}

void
tsr_cached_file_put (TsrCachedFile *self, guint64 block, const guint8 *bytes, gsize length)
{
  gboolean can_write, fits = FALSE, written = FALSE;

  g_return_if_fail (bytes != NULL);
  if (length == 0 || length != tsr_block_get_length (self->key.size, block)
      || tsr_cached_file_has (self, block))
    return;
  g_mutex_lock (&self->lock);
  can_write = self->can_write && !self->is_void;
  g_mutex_unlock (&self->lock);
  if (can_write)
    {
      fits = tsr_block_cache_reserve (self->cache, length);
      written = fits && write_block (self, block, bytes, length);
      if (fits && !written)
        stop_writing (self, errno);
    }
  g_mutex_lock (&self->lock);
  self->is_full = can_write && !fits;
  if (written && !self->is_void)
    set_here (self, block, TRUE);
  else if (!self->is_void)
    put_in_memory (self, block, bytes, length);
  g_mutex_unlock (&self->lock);
}

gboolean
tsr_cached_file_check_first (TsrCachedFile *self, const guint8 *bytes, gsize length)
{
  g_autofree guint8 *kept = g_malloc (TSR_BLOCK_BYTES);
  gsize kept_length;

  if (tsr_cached_file_is_void (self))
    return FALSE;
  kept_length = tsr_cached_file_get (self, 0, kept);
  /* The first block is put before all others: without it nobody knows what they are of. */
  if (kept_length > 0 ? memcmp (kept, bytes, MIN (kept_length, length)) == 0
                      : tsr_cached_file_count (self) == 0)
    return TRUE;
  g_mutex_lock (&self->lock);
  self->is_void = TRUE;
  g_mutex_unlock (&self->lock);
  tsr_block_cache_drop_entry (self->cache, self->name, self->entry.index);
  g_mutex_lock (&self->cache->lock);
  if (g_hash_table_lookup (self->cache->files, self->name) == self)
    g_hash_table_remove (self->cache->files, self->name);
  g_mutex_unlock (&self->cache->lock);
  return FALSE;
}

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
  g_return_val_if_fail (self != NULL, NULL);
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
      if (errno != EWOULDBLOCK)
        return FALSE;
      g_usleep (LOCK_WAIT_US);
    }
  return FALSE;
}

/* The file @name of @folder, never through a link and never waiting; -1: see errno. */
static int
open_in (const char *folder, const char *name, int flags)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_open (path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}

/* The descriptor whose closing ends the lock; -1: without one nothing is made or removed. */
static int
lock_folder (TsrBlockCache *self)
{
  int fd;

  if (g_mkdir_with_parents (self->folder, 0700) != 0)
    return -1;
  fd = open_in (self->folder, "lock", O_RDWR | O_CREAT);
  if (fd == -1 || try_lock (fd, LOCK_EX))
    return fd;
  close (fd);
  return -1;
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
  int fd = open_in (entry, "index", O_RDONLY);
  gboolean is_free = fd == -1 || flock (fd, LOCK_EX | LOCK_NB) == 0;

  if (is_free)
    remove_files (entry);
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

/* Removes the entry @name if it is still the one of @index. */
static void
tsr_block_cache_drop_entry (TsrBlockCache *self, const char *name, int index)
{
  g_autofree char *entry = g_build_filename (self->folder, name, NULL);
  g_autofree char *path = g_build_filename (entry, "index", NULL);
  struct stat mine, there;
  int lock;

  if (index == -1)
    return;
  g_mutex_lock (&self->lock);
  lock = lock_folder (self);
  /* Whoever else reads it goes on with files that have no name any more. */
  if (lock != -1 && fstat (index, &mine) == 0 && lstat (path, &there) == 0
      && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
    remove_files (entry);
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

  if (lock == -1)
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

/* Whether @bytes more may be written; makes room if necessary.  The disk gives whole pages. */
static gboolean
tsr_block_cache_reserve (TsrBlockCache *self, guint64 bytes)
{
  gboolean fits = FALSE;

  bytes = (bytes + DISK_PAGE - 1) / DISK_PAGE * DISK_PAGE;
  g_mutex_lock (&self->lock);
  if (g_get_monotonic_time () >= self->full_until)
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
  g_return_if_fail (self != NULL);
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

  g_return_val_if_fail (self != NULL, 0);
  g_mutex_lock (&self->lock);
  items = scan (self, &total);
  g_mutex_unlock (&self->lock);
  return total;
}

void
tsr_block_cache_clear (TsrBlockCache *self)
{
  g_return_if_fail (self != NULL);
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
  return write_at (fd, head, TSR_INDEX_HEAD_BYTES, 0);
}

/* The files as they are there; FALSE when they are not, or are not of @key. */
static gboolean
open_files (const char *folder, const TsrBlockKey *key, int flags, TsrBlockEntry *entry)
{
  entry->index = open_in (folder, "index", flags);
  entry->data = entry->index != -1 ? open_in (folder, "data", flags) : -1;
  entry->can_write = flags == O_RDWR;
  if (entry->data != -1 && try_lock (entry->index, LOCK_SH) && is_index_of (entry->index, key))
    return TRUE;
  close_entry (entry);
  return FALSE;
}

/* After open_files with O_RDWR. */
static gboolean
make_files (const char *folder, const TsrBlockKey *key, TsrBlockEntry *entry)
{
  const int flags = O_RDWR | O_CREAT | O_EXCL;
  int code;

  remove_files (folder);
  if (g_mkdir (folder, 0700) != 0 && errno != EEXIST)
    return FALSE;
  entry->index = open_in (folder, "index", flags);
  entry->data = entry->index != -1 ? open_in (folder, "data", flags) : -1;
  if (entry->data != -1 && try_lock (entry->index, LOCK_SH) && write_new_index (entry->index, key))
    return TRUE;
  code = errno;
  close_entry (entry);
  remove_files (folder);
  errno = code;
  return FALSE;
}

/* (transfer full): why nothing can be written, from errno @code, and what to do. */
static GError *
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

/* Opens or creates the entry of @key.  FALSE and @error (nullable) if it cannot be used. */
static gboolean
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
  if (lock != -1)
    {
      remove_other_states (self, name);
      if (!open_files (folder, key, O_RDWR, entry))
        {
          if (make_files (folder, key, entry))
            self->used += TSR_INDEX_HEAD_BYTES + DISK_PAGE + 8 * tsr_block_key_count_blocks (key);
          else
            code = errno;
        }
      close (lock);
    }
  /* In a folder that cannot be written what is there is still good. */
  if (entry->index == -1)
    open_files (folder, key, O_RDONLY, entry);
  if (entry->index != -1 && entry->can_write)
    {
      futimens (entry->index, NULL);
      return TRUE;
    }
  g_propagate_error (error, tsr_block_cache_new_keep_error (self, key->host, code));
  return entry->index != -1;
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
  sums = read_sums (entry.index, n_blocks);
  for (guint64 i = 0; sums != NULL && i < n_blocks; i++)
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
