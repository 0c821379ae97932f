/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The blocks of one file, on disk, or in memory if they cannot be written.  The bitmap is what this
 * process knows; another process may have added more, which is in the index. */

#include "config.h"

#include "tsr-block-cache-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Blocks of one file that are kept in memory when the disk takes none: 64 MiB. */
#define MEMORY_BLOCKS 2048
#define TABLE_CHUNK   8192 /* checksums read at once */

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
  GQueue recent;      /* MemoryBlock, the one used last at the head */
  gboolean told;      /* the error was made */
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

/* Reads the index's table into the bitmap. */
static void
read_table (TsrCachedFile *self)
{
  g_autofree guint64 *sums = g_new (guint64, TABLE_CHUNK);

  self->here = g_malloc0 (self->n_blocks / 8 + 1);
  for (guint64 i = 0; i < self->n_blocks; i += TABLE_CHUNK)
    {
      gsize n = MIN (TABLE_CHUNK, self->n_blocks - i);
      ssize_t got = pread (self->entry.index, sums, 8 * n, (off_t)(TSR_INDEX_HEAD_BYTES + 8 * i));

      if (got != (ssize_t)(8 * n))
        return;
      for (gsize j = 0; j < n; j++)
        if (sums[j] != 0)
          set_here (self, i + j, TRUE);
    }
}

static void
take_error (TsrCachedFile *self, const GError *cause)
{
  if (self->told)
    return;
  self->told = TRUE;
  self->error = g_error_copy (cause);
}

TsrCachedFile *
tsr_cached_file_new (TsrBlockCache *cache, TsrBlockKey *key, char *name)
{
  TsrCachedFile *self = g_new0 (TsrCachedFile, 1);
  g_autoptr (GError) error = NULL;

  self->refs = 1;
  self->cache = tsr_block_cache_ref (cache);
  self->key = *key;
  self->name = name;
  self->n_blocks = tsr_block_key_count_blocks (key);
  self->entry.index = self->entry.data = -1;
  g_mutex_init (&self->lock);
  g_queue_init (&self->recent);
  self->memory = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, memory_block_free);
  if (tsr_block_cache_open_entry (cache, &self->key, name, &self->entry, &error))
    {
      self->can_write = self->entry.can_write;
      read_table (self);
    }
  if (error != NULL)
    take_error (self, error);
  g_hash_table_insert (cache->files, self->name, self);
  return self;
}

void
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
  if (self->entry.data >= 0)
    close (self->entry.data);
  if (self->entry.index >= 0)
    close (self->entry.index);
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
  guint64 sum = 0;

  if (self->entry.index < 0
      || pread (self->entry.index, &sum, 8, (off_t)(TSR_INDEX_HEAD_BYTES + 8 * block)) != 8)
    return 0;
  return sum;
}

gboolean
tsr_cached_file_has (TsrCachedFile *self, guint64 block)
{
  gboolean has;

  if (block >= self->n_blocks)
    return FALSE;
  g_mutex_lock (&self->lock);
  has = !self->is_void && (is_set (self, block) || g_hash_table_contains (self->memory, &block));
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

  if (self->entry.can_write
      && pwrite (self->entry.index, &none, 8, (off_t)(TSR_INDEX_HEAD_BYTES + 8 * block)) != 8)
    g_debug ("the cache's index cannot be written");
  g_mutex_lock (&self->lock);
  set_here (self, block, FALSE);
  g_mutex_unlock (&self->lock);
}

gsize
tsr_cached_file_get (TsrCachedFile *self, guint64 block, guint8 bytes[TSR_BLOCK_BYTES])
{
  gsize length = tsr_block_get_length (self->key.size, block);
  gsize got;
  guint64 sum;

  if (block >= self->n_blocks || !tsr_cached_file_has (self, block))
    return 0;
  g_mutex_lock (&self->lock);
  got = self->is_void ? 0 : get_from_memory (self, block, bytes);
  g_mutex_unlock (&self->lock);
  if (got > 0 || self->here == NULL)
    return got;
  sum = read_sum (self, block);
  if (sum != 0
      && pread (self->entry.data, bytes, length, (off_t)(block * TSR_BLOCK_BYTES))
             == (ssize_t)length
      && tsr_block_sum (block, bytes, length) == sum)
    return length;
  forget (self, block);
  return 0;
}

guint64
tsr_cached_file_count (TsrCachedFile *self)
{
  guint64 n;

  g_mutex_lock (&self->lock);
  n = self->is_void ? 0 : self->n_here + g_hash_table_size (self->memory);
  g_mutex_unlock (&self->lock);
  return n;
}

gint64
tsr_cached_file_count_bytes (TsrCachedFile *self)
{
  gint64 bytes = (gint64)tsr_cached_file_count (self) * TSR_BLOCK_BYTES;

  /* The last block may be a short one. */
  if (self->n_blocks > 0 && tsr_cached_file_has (self, self->n_blocks - 1))
    bytes -= TSR_BLOCK_BYTES - tsr_block_get_length (self->key.size, self->n_blocks - 1);
  return CLAMP (bytes, 0, MAX (self->key.size, 0));
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

static gboolean
write_block (TsrCachedFile *self, guint64 block, const guint8 *bytes, gsize length)
{
  guint64 sum = tsr_block_sum (block, bytes, length);
  ssize_t done = pwrite (self->entry.data, bytes, length, (off_t)(block * TSR_BLOCK_BYTES));

  /* A disk that is full takes a part of it and says so with the next byte only. */
  if (done >= 0 && done < (ssize_t)length)
    errno = ENOSPC;
  if (done != (ssize_t)length)
    return FALSE;
  done = pwrite (self->entry.index, &sum, 8, (off_t)(TSR_INDEX_HEAD_BYTES + 8 * block));
  if (done >= 0 && done < 8)
    errno = ENOSPC;
  return done == 8;
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
  self->can_write = FALSE;
  take_error (self, error);
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
  if (self->n_blocks == 0)
    return TRUE;
  kept_length = tsr_cached_file_get (self, 0, kept);
  if (kept_length > 0 && memcmp (kept, bytes, MIN (kept_length, length)) == 0)
    return TRUE;
  /* The first block is put before all others: without it nobody knows what they are of. */
  if (kept_length == 0 && tsr_cached_file_count (self) == 0)
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
