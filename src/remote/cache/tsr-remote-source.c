/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The source is a handle of its blocks, which live until the last answer and the last write: a
 * limited number in memory, others in flight, and behind them the cache on disk.
 *
 *   reader -> memory -> cache on disk -> request by priority -> answer -> memory, then disk
 *
 * Readers of the same block share one request, and a read waits for its own blocks only.  The first
 * block always comes over the network before anything from the cache is trusted: it distinguishes
 * states of the file that have the same size and time.  Without a network the cache is used, and
 * blocks of another state are never added to it.
 *
 * The lock is never held while using the connection or writing to disk, but it is held for short
 * reads from the cache.  A request is shared by all blocks that it fetches and by everyone waiting
 * for them.  It fails as a whole; its blocks are then forgotten, so that the next reader requests
 * them again. */

#include "config.h"

#include "tsr-remote-source.h"

#include "tsr-block-index.h"
#include "tsr-error.h"
#include "tsr-read-ahead.h"
#include "tsr-remote-error.h"
#include "tsr-units.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/* Limit in memory: 32 MiB. */
#define MEMORY_BLOCKS 1024
/* Blocks in one batch of a large read; all batches that are waited for must fit into memory. */
#define WAVE_BLOCKS (MEMORY_BLOCKS / 4)
/* Limit of one request: 256 KiB, so that its first readers do not wait long for the rest. */
#define REQUEST_BLOCKS 8
/* Blocks in the first request for a file that is not cached at all. */
#define START_BLOCKS 4
/* Limit of read-ahead for all readers together. */
#define AHEAD_BLOCKS 512
/* Minimum and maximum in flight for a background copy: a reader that wants one of them waits for
 * those before it. */
#define COPY_BLOCKS      96
#define MOST_COPY_BLOCKS 256
/* Passes of such a copy: requests of readers may have failed meanwhile. */
#define COPY_PASSES 4
/* The part of the first block that identifies the file. */
#define FIRST_BYTES 4096
/* How long a reader waits for a block that is fetched in the background before it requests it
 * itself. */
#define LATE_US 300000
/* Above this many blocks waiting to be written, nothing is read ahead. */
#define MAX_WRITES 1024

typedef enum
{
  TRUST_NOT_YET, /* the first block has not arrived */
  TRUST_ASKING,  /* somebody waits for it */
  TRUST_YES,
  TRUST_OFFLINE, /* the cache alone, as it is */
  TRUST_CHANGED, /* another state than what was given out: for ever */
} Trust;

typedef struct _Blocks Blocks;

/* One range of blocks under way. */
typedef struct
{
  gatomicrefcount refs;
  Blocks *owner; /* a reference while under way */
  guint64 first;
  guint n;
  TsrReadPriority priority;
  gint64 sent; /* monotonic */
  gboolean done;
  GError *error;
} Request;

typedef struct
{
  guint64 number;
  GBytes *bytes;    /* NULL: under way */
  Request *request; /* while under way */
  gboolean fetched; /* tells of a stream: asked for by a reader, or ahead of one */
  gboolean unsaved; /* came before it could be put into the cache */
  GList link;       /* in the order of use */
} Block;

struct _Blocks
{
  gatomicrefcount refs;
  TsrBlockCache *cache;
  char *host, *path, *name;
  TsrSourceStamp stamp;
  guint64 n_blocks;
  TsrConnection *connection;
  TsrRemoteFile *file;
  TsrRemoteState *state;
  GCancellable *closing;

  GMutex lock;
  GCond cond;
  TsrCachedFile *cached;
  Trust trust;
  guint8 first[FIRST_BYTES];
  gsize first_length; /* 0: not known */
  gboolean offline_told;
  gboolean news;     /* blocks came since the file was last looked at */
  GHashTable *table; /* guint64 to Block */
  GQueue recent;     /* Block in memory, the one used last at the head */
  TsrReadAhead ahead;
  guint n_ahead;  /* blocks under way that nobody waits for */
  guint n_writes; /* blocks on their way to the disk */
};

struct _TsrRemoteSource
{
  TsrSource parent_instance;
  Blocks *blocks;
};

G_DEFINE_FINAL_TYPE (TsrRemoteSource, tsr_remote_source, TSR_TYPE_SOURCE)

/* -------------------------------------------------------------------------- life */

static Blocks *
blocks_ref (Blocks *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
blocks_unref (Blocks *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  tsr_connection_close_file (self->connection, self->file);
  g_object_unref (self->connection);
  g_atomic_rc_box_release (self->state);
  g_hash_table_unref (self->table);
  tsr_cached_file_unref (self->cached);
  tsr_block_cache_unref (self->cache);
  g_object_unref (self->closing);
  g_free (self->host);
  g_free (self->path);
  g_free (self->name);
  g_cond_clear (&self->cond);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static TsrCachedFile *
dup_cached (Blocks *self)
{
  TsrCachedFile *cached;

  g_mutex_lock (&self->lock);
  cached = tsr_cached_file_ref (self->cached);
  g_mutex_unlock (&self->lock);
  return cached;
}

static gint64
count_cached_bytes (Blocks *self)
{
  g_autoptr (TsrCachedFile) cached = dup_cached (self);

  return tsr_cached_file_count_bytes (cached);
}

/* ------------------------------------------------------------------- requests */

static Request *
request_new (Blocks *owner, guint64 first, TsrReadPriority priority)
{
  Request *request = g_new0 (Request, 1);

  g_atomic_ref_count_init (&request->refs);
  request->owner = blocks_ref (owner);
  request->first = first;
  request->priority = priority;
  return request;
}

static Request *
request_ref (Request *request)
{
  g_atomic_ref_count_inc (&request->refs);
  return request;
}

static void
request_unref (Request *request)
{
  if (!g_atomic_ref_count_dec (&request->refs))
    return;
  g_clear_error (&request->error);
  g_free (request);
}

static GPtrArray *
requests_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)request_unref);
}

static void
block_free (gpointer data)
{
  Block *block = data;

  g_clear_pointer (&block->bytes, g_bytes_unref);
  g_clear_pointer (&block->request, request_unref);
  g_free (block);
}

static Block *
find_block (Blocks *self, guint64 number)
{
  return g_hash_table_lookup (self->table, &number);
}

static Block *
add_block (Blocks *self, guint64 number)
{
  Block *block = g_new0 (Block, 1);

  block->number = number;
  block->link.data = block;
  g_hash_table_insert (self->table, &block->number, block);
  return block;
}

/* @block has its bytes now; makes room for it. */
static void
keep_block (Blocks *self, Block *block)
{
  g_queue_push_head_link (&self->recent, &block->link);
  while (self->recent.length > MEMORY_BLOCKS)
    {
      Block *last = g_queue_peek_tail (&self->recent);

      if (last->unsaved)
        break; /* only until the first block has come */
      g_queue_unlink (&self->recent, &last->link);
      g_hash_table_remove (self->table, &last->number);
    }
}

/* Puts what the cache has into memory; takes @bytes. */
static Block *
add_cached (Blocks *self, guint64 number, GBytes *bytes)
{
  Block *block = add_block (self, number);

  block->bytes = bytes;
  keep_block (self, block);
  return block;
}

/* ------------------------------------------------------------------- writing */

typedef struct
{
  Blocks *owner;
  TsrCachedFile *cached;
  guint64 number;
  GBytes *bytes;
} Write;

/* One thread, first come, first served. */
static GThreadPool *writers;
static GMutex flush_lock;
static GCond flushed;

/* In the only thread that writes to the cache, so that a slow disk holds up nobody. */
static void
run_write (gpointer data, gpointer user_data)
{
  Write *write = data;
  Blocks *self = write->owner;
  const guint8 *bytes;
  gsize length;

  if (self == NULL)
    {
      g_mutex_lock (&flush_lock);
      write->number = 0;
      g_cond_broadcast (&flushed);
      g_mutex_unlock (&flush_lock);
      return;
    }
  bytes = g_bytes_get_data (write->bytes, &length);
  tsr_cached_file_put (write->cached, write->number, bytes, length);
  g_mutex_lock (&self->lock);
  self->n_writes--;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  tsr_cached_file_unref (write->cached);
  g_bytes_unref (write->bytes);
  blocks_unref (self);
  g_free (write);
}

static void
start_writers (void)
{
  if (g_once_init_enter (&writers))
    g_once_init_leave (&writers, g_thread_pool_new (run_write, NULL, 1, FALSE, NULL));
}

void
tsr_remote_source_flush (void)
{
  /* One that writes nothing, after all the others. */
  Write last = { .number = 1 };

  start_writers ();
  g_thread_pool_push (writers, &last, NULL);
  g_mutex_lock (&flush_lock);
  while (last.number != 0)
    g_cond_wait (&flushed, &flush_lock);
  g_mutex_unlock (&flush_lock);
}

/* Sends it to the disk.  The lock is held. */
static void
save_block (Blocks *self, guint64 number, GBytes *bytes)
{
  Write *write = g_new0 (Write, 1);

  start_writers ();
  write->owner = blocks_ref (self);
  write->cached = tsr_cached_file_ref (self->cached);
  write->number = number;
  write->bytes = g_bytes_ref (bytes);
  self->n_writes++;
  g_thread_pool_push (writers, write, NULL);
}

/* -------------------------------------------------------------------- answers */

/* Whether answers come from the cache only.  The lock is held. */
static void
tell_offline (Blocks *self, gboolean is_offline)
{
  if (self->offline_told != is_offline)
    g_atomic_int_set (&self->state->is_offline, is_offline);
  self->offline_told = is_offline;
}

static void
set_changed_error (Blocks *self, GError **error)
{
  g_set_error (error, TSR_ERROR, TSR_ERROR_CHANGED,
               _ ("%s changed while it was read; wait until the program that writes it has ended, "
                  "then reload the report"),
               self->name);
}

/* Takes what came for one block; somebody may have got it otherwise meanwhile. */
static void
take_block (Blocks *self, Request *request, guint64 number, GBytes *bytes)
{
  Block *block = find_block (self, number);

  if (block == NULL || block->bytes != NULL)
    return;
  if (bytes == NULL)
    {
      if (block->request == request)
        g_hash_table_remove (self->table, &number);
      return;
    }
  block->bytes = g_bytes_ref (bytes);
  g_clear_pointer (&block->request, request_unref);
  block->unsaved = self->trust != TRUST_YES;
  if (!block->unsaved)
    save_block (self, number, bytes);
  self->news |= number != 0 || self->trust == TRUST_YES;
  keep_block (self, block);
}

/* (transfer full) */
static GError *
new_short_error (Blocks *self)
{
  return g_error_new (TSR_ERROR, TSR_ERROR_CHANGED,
                      _ ("%s became shorter while it was read; wait until the program that writes "
                         "it has ended, then reload the report"),
                      self->name);
}

/* On the connection's thread. */
static void
on_answer (GPtrArray *blocks, GError *error, gpointer data)
{
  Request *request = data;
  Blocks *self = request->owner;
  gboolean is_whole = blocks != NULL && blocks->len == request->n;

  for (guint i = 0; i < request->n && is_whole; i++)
    is_whole = g_bytes_get_size (blocks->pdata[i])
               == tsr_block_get_length (self->stamp.size, request->first + i);
  if (error == NULL && !is_whole)
    error = new_short_error (self);
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < request->n; i++)
    take_block (self, request, request->first + i, error == NULL ? blocks->pdata[i] : NULL);
  if (request->priority != TSR_READ_NOW)
    self->n_ahead -= request->n;
  request->done = TRUE;
  request->error = error;
  /* After a connection that was lost there is another. */
  if (error == NULL && self->trust == TRUST_YES)
    tell_offline (self, FALSE);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  request_unref (request);
  blocks_unref (self);
}

/* Sends what was planned, in one go.  The lock is not held. */
static void
send_requests (Blocks *self, GPtrArray *requests)
{
  for (guint i = 0; i < requests->len; i++)
    {
      Request *request = g_ptr_array_index (requests, i);

      request->sent = g_get_monotonic_time ();
      tsr_connection_read_async (
          self->connection, self->file, (gint64)(request->first * TSR_BLOCK_BYTES),
          (gsize)request->n * TSR_BLOCK_BYTES, request->priority, on_answer, request_ref (request));
    }
  g_ptr_array_set_size (requests, 0);
}

/* Plans to fetch @number with @priority: as a part of the last of @requests where it follows.  The
 * lock is held. */
static Block *
plan (Blocks *self, GPtrArray *requests, guint64 number, TsrReadPriority priority, gboolean fetched)
{
  Request *last = requests->len > 0 ? g_ptr_array_index (requests, requests->len - 1) : NULL;
  Block *block = find_block (self, number);

  if (last == NULL || last->first + last->n != number || last->n >= REQUEST_BLOCKS
      || last->priority != priority)
    {
      last = request_new (self, number, priority);
      g_ptr_array_add (requests, last);
    }
  last->n++;
  if (priority != TSR_READ_NOW)
    self->n_ahead++;
  if (block == NULL)
    block = add_block (self, number);
  g_clear_pointer (&block->request, request_unref);
  block->request = request_ref (last);
  block->fetched |= fetched;
  return block;
}

/* --------------------------------------------------------------------- waiting */

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Blocks *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

/* Waits until @is_over of @data, or @deadline (monotonic; 0: none); FALSE when cancelled. */
static gboolean
wait_until (Blocks *self,
            gboolean (*is_over) (Blocks *self, gconstpointer data),
            gconstpointer data,
            gint64 deadline,
            GCancellable *cancellable,
            GError **error)
{
  gboolean in_time = TRUE;
  gulong handler = cancellable != NULL
                       ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL)
                       : 0;

  g_mutex_lock (&self->lock);
  while (in_time && !is_over (self, data) && !g_cancellable_is_cancelled (cancellable))
    if (deadline > 0)
      in_time = g_cond_wait_until (&self->cond, &self->lock, deadline);
    else
      g_cond_wait (&self->cond, &self->lock);
  g_mutex_unlock (&self->lock);
  g_cancellable_disconnect (cancellable, handler);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static gboolean
is_request_done (Blocks *self, gconstpointer data)
{
  return ((const Request *)data)->done;
}

/* ----------------------------------------------------------------------- trust */

/* Whether the cache belongs to the present state of the file.  The first block decides at the
 * beginning; later, attributes and the first bytes, requested together. */

/* Compares the first block with the cache, whose entry of another state is dropped; then everything
 * that came before it may be kept.  The lock is held. */
static void
trust_first (Blocks *self, GBytes *block, gboolean was_offline)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (block, &length);
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; i < 3 && !tsr_cached_file_check_first (self->cached, bytes, length); i++)
    {
      if (was_offline)
        {
          self->trust = TRUST_CHANGED;
          return;
        }
      tsr_cached_file_unref (self->cached);
      self->cached = tsr_block_cache_open (self->cache, self->host, self->path, &self->stamp);
    }
  self->trust = TRUST_YES;
  self->first_length = MIN (length, FIRST_BYTES);
  memcpy (self->first, bytes, self->first_length);
  /* Before all others: without it nobody knows what they are of. */
  tsr_cached_file_put (self->cached, 0, bytes, length);
  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Block *other = value;

      if (other->unsaved && other->number != 0)
        save_block (self, other->number, other->bytes);
      other->unsaved = FALSE;
    }
}

static gboolean
is_not_asking (Blocks *self, gconstpointer data)
{
  return self->trust != TRUST_ASKING;
}

/* Waits for the first block to come over the network.  (transfer full) */
static GBytes *
ask_first (Blocks *self, gboolean was_offline, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) requests = requests_new ();
  Request *request = NULL;
  GBytes *bytes = NULL;
  Block *block;
  gboolean ok = TRUE;

  g_mutex_lock (&self->lock);
  block = find_block (self, 0);
  /* One that came from the cache says nothing. */
  if (block != NULL && block->bytes != NULL && was_offline)
    {
      g_queue_unlink (&self->recent, &block->link);
      g_hash_table_remove (self->table, &block->number);
      block = NULL;
    }
  if (block == NULL)
    block = plan (self, requests, 0, TSR_READ_NOW, FALSE);
  if (block->request != NULL)
    request = request_ref (block->request);
  g_mutex_unlock (&self->lock);
  send_requests (self, requests);
  if (request != NULL)
    ok = wait_until (self, is_request_done, request, 0, cancellable, error);
  g_mutex_lock (&self->lock);
  block = find_block (self, 0);
  if (ok && block != NULL && block->bytes != NULL)
    bytes = g_bytes_ref (block->bytes);
  else if (ok)
    g_propagate_error (error, request != NULL && request->error != NULL
                                  ? g_error_copy (request->error)
                                  : new_short_error (self));
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&request, request_unref);
  return bytes;
}

/* Until this came out well nothing of the cache is given.  @want_network: what is in the cache does
 * not do. */
static gboolean
ensure_trust (Blocks *self, gboolean want_network, GCancellable *cancellable, GError **error)
{
  g_autoptr (GBytes) first = NULL;
  GError *local_error = NULL;
  gboolean was_offline, is_trusted;
  Trust trust;

  g_mutex_lock (&self->lock);
  trust = self->trust;
  g_mutex_unlock (&self->lock);
  if (trust == TRUST_YES || (trust == TRUST_OFFLINE && !want_network))
    return TRUE;
  if (!wait_until (self, is_not_asking, NULL, 0, cancellable, error))
    return FALSE;
  g_mutex_lock (&self->lock);
  trust = self->n_blocks == 0 ? TRUST_YES : self->trust;
  if (trust == TRUST_ASKING) /* another one was quicker */
    {
      g_mutex_unlock (&self->lock);
      return ensure_trust (self, want_network, cancellable, error);
    }
  was_offline = trust == TRUST_OFFLINE;
  if (trust == TRUST_NOT_YET || (was_offline && want_network))
    trust = self->trust = TRUST_ASKING;
  g_mutex_unlock (&self->lock);
  if (trust == TRUST_CHANGED)
    set_changed_error (self, error);
  if (trust != TRUST_ASKING)
    return trust != TRUST_CHANGED;

  first = ask_first (self, was_offline, cancellable, &local_error);
  g_mutex_lock (&self->lock);
  self->trust = was_offline ? TRUST_OFFLINE : TRUST_NOT_YET;
  if (first != NULL)
    trust_first (self, first, was_offline);
  else if (!was_offline && tsr_remote_error_is_away (local_error)
           && tsr_cached_file_count (self->cached) > 0)
    self->trust = TRUST_OFFLINE;
  trust = self->trust;
  is_trusted = trust == TRUST_YES || (trust == TRUST_OFFLINE && !was_offline);
  if (is_trusted)
    tell_offline (self, trust == TRUST_OFFLINE);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  if (trust == TRUST_CHANGED)
    set_changed_error (self, error);
  if (is_trusted)
    {
      g_clear_error (&local_error);
      return TRUE;
    }
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return FALSE;
}

/* ---------------------------------------------------------------------- looking */

typedef struct
{
  Blocks *owner;
  gboolean done, same;
  GError *error;
  gatomicrefcount refs;
} Look;

static void
look_unref (Look *look)
{
  if (!g_atomic_ref_count_dec (&look->refs))
    return;
  g_clear_error (&look->error);
  blocks_unref (look->owner);
  g_free (look);
}

static void
on_looked (GPtrArray *blocks, GError *error, gpointer data)
{
  Look *look = data;
  Blocks *self = look->owner;
  GBytes *bytes = blocks != NULL && blocks->len == 1 ? blocks->pdata[0] : NULL;

  g_mutex_lock (&self->lock);
  look->done = TRUE;
  look->error = error;
  look->same = bytes != NULL && g_bytes_get_size (bytes) == self->first_length
               && memcmp (g_bytes_get_data (bytes, NULL), self->first, self->first_length) == 0;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  look_unref (look);
}

static gboolean
is_looked (Blocks *self, gconstpointer data)
{
  return ((const Look *)data)->done;
}

/* The file as it is now. */
static gboolean
ask_stamp (Blocks *self, TsrSourceStamp *stamp, GCancellable *cancellable, GError **error)
{
  GError *local_error = NULL;
  g_autoptr (TsrFolderEntry) entry
      = tsr_connection_stat (self->connection, self->path, cancellable, &local_error);

  *stamp = (TsrSourceStamp){ 0 };
  if (entry != NULL)
    {
      stamp->size = entry->size;
      stamp->mtime_us = entry->mtime_us;
      return TRUE;
    }
  /* What is gone is not what it was. */
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
      || g_error_matches (local_error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED))
    {
      g_error_free (local_error);
      return TRUE;
    }
  g_propagate_error (error, local_error);
  return FALSE;
}

/* Both at once: attributes, and the first bytes. */
static gboolean
look_again (Blocks *self, TsrSourceStamp *stamp, GCancellable *cancellable, GError **error)
{
  Look *look = g_new0 (Look, 1);
  gboolean ok;

  g_atomic_ref_count_init (&look->refs);
  look->owner = blocks_ref (self);
  look->same = TRUE;
  look->done = self->first_length == 0;
  if (!look->done)
    {
      g_atomic_ref_count_inc (&look->refs);
      tsr_connection_read_async (self->connection, self->file, 0, self->first_length, TSR_READ_NOW,
                                 on_looked, look);
    }
  ok = ask_stamp (self, stamp, cancellable, error)
       && wait_until (self, is_looked, look, 0, cancellable, error);
  if (ok && look->error != NULL)
    {
      g_propagate_error (error, g_error_copy (look->error));
      ok = FALSE;
    }
  if (ok && !look->same && stamp->mtime_us == self->stamp.mtime_us)
    stamp->mtime_us++;
  look_unref (look);
  return ok;
}

/* The stamp also differs if the first bytes have changed.  Without a network it is the previous
 * one, unless something was read since then, in which case it is unknown. */
static gboolean
remote_stat (TsrSource *source, TsrSourceStamp *stamp, GCancellable *cancellable, GError **error)
{
  Blocks *self = TSR_REMOTE_SOURCE (source)->blocks;
  GError *local_error = NULL;
  gboolean news, was_void;
  Trust trust;

  g_mutex_lock (&self->lock);
  news = self->news;
  trust = self->trust;
  was_void = tsr_cached_file_is_void (self->cached);
  /* What comes while one looks is news again. */
  self->news = FALSE;
  g_mutex_unlock (&self->lock);
  *stamp = self->stamp;
  if (trust == TRUST_CHANGED || was_void)
    {
      stamp->mtime_us++;
      return TRUE;
    }
  if (trust == TRUST_OFFLINE && !news)
    return TRUE;
  if (look_again (self, stamp, cancellable, &local_error))
    return TRUE;
  g_mutex_lock (&self->lock);
  self->news |= news;
  g_mutex_unlock (&self->lock);
  if (tsr_remote_error_is_away (local_error) && !news)
    {
      g_error_free (local_error);
      *stamp = self->stamp;
      return TRUE;
    }
  g_propagate_error (error, local_error);
  return FALSE;
}

/* ---------------------------------------------------------------------- reading */

/* The block from memory or from the cache; NULL: it must be fetched, or compared with the cache
 * before it is given.  The lock is held. */
static Block *
find_here (Blocks *self, guint64 number)
{
  Block *block = find_block (self, number);
  g_autofree guint8 *bytes = NULL;
  gsize length;

  if (block != NULL && block->bytes != NULL && !block->unsaved)
    {
      g_queue_unlink (&self->recent, &block->link);
      g_queue_push_head_link (&self->recent, &block->link);
      return block;
    }
  if (block != NULL || !tsr_cached_file_has (self->cached, number))
    return NULL;
  bytes = g_malloc (TSR_BLOCK_BYTES);
  length = tsr_cached_file_get (self->cached, number, bytes);
  if (length == 0)
    return NULL;
  return add_cached (self, number, g_bytes_new_take (g_steal_pointer (&bytes), length));
}

/* What a failed read of a file that is here in part says. */
static void
explain_offline (Blocks *self, GError *source, GError **error)
{
  gint64 here = count_cached_bytes (self);
  g_autofree char *some = tsr_units_dup_bytes (TSR_UNITS_BINARY, here);
  g_autofree char *all = tsr_units_dup_bytes (TSR_UNITS_BINARY, self->stamp.size);

  if (tsr_remote_error_is_away (source) && here > 0)
    {
      g_set_error (error, source->domain, source->code,
                   _ ("%s is only partly on this machine (%s of %s), and what is needed now is "
                      "not: %s; connect again to read the rest"),
                   self->name, some, all, source->message);
      g_error_free (source);
    }
  else
    g_propagate_error (error, source);
}

/* Who fetches @number: the request under way, or a new one in @requests.  (transfer full)
 * (nullable): NULL when the block is here, or is of another file: then with @error. */
static Request *
find_request (Blocks *self,
              guint64 number,
              gboolean is_stream,
              gboolean is_late,
              GPtrArray *requests,
              GError **error)
{
  Request *request = NULL;
  Block *block;

  g_mutex_lock (&self->lock);
  if (tsr_cached_file_is_void (self->cached))
    set_changed_error (self, error);
  else if (find_here (self, number) == NULL)
    {
      block = find_block (self, number);
      if (block == NULL || (is_late && block->request->priority == TSR_READ_BACKGROUND))
        block = plan (self, requests, number, TSR_READ_NOW, is_stream);
      block->fetched |= is_stream;
      request = request_ref (block->request);
    }
  g_mutex_unlock (&self->lock);
  return request;
}

/* One more try for @number; FALSE when it failed. */
static gboolean
fetch_one (
    Blocks *self, guint64 number, gboolean is_stream, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) requests = requests_new ();
  Request *request = NULL;
  GError *local_error = NULL;
  gint64 deadline = g_get_monotonic_time () + LATE_US;
  gboolean is_late = FALSE;

  if (ensure_trust (self, TRUE, cancellable, &local_error))
    request = find_request (self, number, is_stream, FALSE, requests, &local_error);
  send_requests (self, requests);
  /* A copy in the background has to wait as long as others read. */
  while (request != NULL && local_error == NULL && !is_late
         && request->priority == TSR_READ_BACKGROUND)
    {
      wait_until (self, is_request_done, request, deadline, cancellable, &local_error);
      g_clear_pointer (&request, request_unref);
      is_late = TRUE;
      if (local_error == NULL)
        request = find_request (self, number, is_stream, TRUE, requests, &local_error);
      send_requests (self, requests);
    }
  if (request != NULL && local_error == NULL
      && wait_until (self, is_request_done, request, 0, cancellable, &local_error)
      && request->error != NULL && request->priority == TSR_READ_NOW)
    local_error = g_error_copy (request->error);
  g_clear_pointer (&request, request_unref);
  if (local_error == NULL)
    return TRUE;
  if (tsr_remote_error_is_away (local_error))
    {
      g_mutex_lock (&self->lock);
      tell_offline (self, TRUE);
      g_mutex_unlock (&self->lock);
    }
  explain_offline (self, local_error, error);
  return FALSE;
}

/* Copies a part of a block, after waiting for it. */
static gboolean
copy_block (Blocks *self,
            guint64 number,
            gsize start,
            guint8 *bytes,
            gsize length,
            gboolean note,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (GPtrArray) requests = NULL;
  guint64 first = 0;
  guint n = 0;
  Block *block;

  for (;;)
    {
      if (!ensure_trust (self, FALSE, cancellable, error))
        return FALSE;
      g_mutex_lock (&self->lock);
      block = find_here (self, number);
      if (block != NULL)
        break;
      g_mutex_unlock (&self->lock);
      if (!fetch_one (self, number, note, cancellable, error))
        return FALSE;
    }
  memcpy (bytes, (const guint8 *)g_bytes_get_data (block->bytes, NULL) + start, length);
  if (note && self->trust == TRUST_YES)
    n = tsr_read_ahead_note (&self->ahead, number, block->fetched, &first);
  if (n > 0 && (self->n_ahead + n > AHEAD_BLOCKS || self->n_writes > MAX_WRITES))
    tsr_read_ahead_refuse (&self->ahead, first);
  else if (n > 0)
    {
      requests = requests_new ();
      for (guint64 i = first; i < MIN (first + n, self->n_blocks); i++)
        if (find_block (self, i) == NULL && !tsr_cached_file_has (self->cached, i))
          plan (self, requests, i, TSR_READ_AHEAD, TRUE);
    }
  g_mutex_unlock (&self->lock);
  if (requests != NULL)
    send_requests (self, requests);
  return TRUE;
}

/* Plans all blocks of [@from, @to) that are not here; returns how many. */
static guint
fetch_missing (Blocks *self, GPtrArray *requests, guint64 from, guint64 to, gboolean is_stream)
{
  guint n = 0;

  for (guint64 i = from; i < to; i++)
    if (find_block (self, i) == NULL && !tsr_cached_file_has (self->cached, i))
      {
        plan (self, requests, i, TSR_READ_NOW, is_stream);
        n++;
      }
  return n;
}

/* Begins to fetch what @ranges[0..n) need, as far as that is one wave; returns how many ranges are
 * in it, at least one. */
static guint
send_wave (Blocks *self, const TsrSourceRange *ranges, guint n, gboolean is_stream)
{
  g_autoptr (GPtrArray) requests = requests_new ();
  guint64 blocks = 0;
  guint i;

  g_mutex_lock (&self->lock);
  for (i = 0; i < n; i++)
    {
      guint64 from = (guint64)ranges[i].offset / TSR_BLOCK_BYTES;
      guint64 to = from;

      if (ranges[i].offset < self->stamp.size && ranges[i].length > 0)
        to = ((guint64)MIN (self->stamp.size - 1,
                            ranges[i].offset + (gint64)MIN (ranges[i].length - 1, G_MAXINT32))
              / TSR_BLOCK_BYTES)
             + 1;
      /* Many ranges may be of the same blocks. */
      if (blocks > 0 && blocks + (to - from) > WAVE_BLOCKS)
        break;
      /* The rest of a long one comes as it is read. */
      if (self->trust == TRUST_YES)
        blocks += fetch_missing (self, requests, from, MIN (to, from + WAVE_BLOCKS), is_stream);
    }
  g_mutex_unlock (&self->lock);
  send_requests (self, requests);
  return i;
}

/* Copies one range, whose blocks are on their way. */
static gboolean
copy_range (
    Blocks *self, TsrSourceRange *range, gboolean note, GCancellable *cancellable, GError **error)
{
  gint64 end = MIN (self->stamp.size, range->offset + (gint64)MIN (range->length, G_MAXINT64 / 2));

  range->got = 0;
  while (range->offset + (gint64)range->got < end)
    {
      gint64 at = range->offset + (gint64)range->got;
      guint64 number = (guint64)at / TSR_BLOCK_BYTES;
      gsize start = (gsize)((guint64)at % TSR_BLOCK_BYTES);
      gsize part = (gsize)MIN ((gint64)(TSR_BLOCK_BYTES - start), end - at);

      if (range->got > 0 && start == 0 && number % WAVE_BLOCKS == 0 && part < (gsize)(end - at))
        {
          TsrSourceRange rest = { .offset = at, .length = (gsize)(end - at) };

          send_wave (self, &rest, 1, note);
        }
      if (!copy_block (self, number, start, range->bytes + range->got, part, note, cancellable,
                       error))
        return FALSE;
      range->got += part;
    }
  return TRUE;
}

/* Passes @source on.  Always FALSE. */
static gboolean
fail_read (Blocks *self, GError *source, GError **error)
{
  if (tsr_remote_error_is_away (source))
    g_atomic_int_inc (&self->state->n_missed);
  g_propagate_error (error, source);
  return FALSE;
}

static gssize
remote_read (TsrSource *source,
             gint64 offset,
             void *bytes,
             gsize length,
             GCancellable *cancellable,
             GError **error)
{
  Blocks *self = TSR_REMOTE_SOURCE (source)->blocks;
  TsrSourceRange range = { .offset = offset, .length = length, .bytes = bytes };
  guint64 n_blocks = (guint64)offset % TSR_BLOCK_BYTES + length;
  GError *local_error = NULL;

  if (offset >= self->stamp.size || length == 0)
    return 0;
  if (ensure_trust (self, FALSE, cancellable, &local_error))
    {
      if (n_blocks > TSR_BLOCK_BYTES)
        send_wave (self, &range, 1, TRUE);
      if (copy_range (self, &range, TRUE, cancellable, &local_error))
        return (gssize)range.got;
    }
  fail_read (self, local_error, error);
  return -1;
}

static gboolean
remote_read_ranges (
    TsrSource *source, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error)
{
  Blocks *self = TSR_REMOTE_SOURCE (source)->blocks;
  GError *local_error = NULL;
  guint done = 0;

  if (!ensure_trust (self, FALSE, cancellable, &local_error))
    return fail_read (self, local_error, error);
  while (done < n)
    {
      guint wave = send_wave (self, ranges + done, n - done, FALSE);

      for (guint i = done; i < done + wave; i++)
        if (!copy_range (self, &ranges[i], FALSE, cancellable, &local_error))
          return fail_read (self, local_error, error);
      done += wave;
    }
  return TRUE;
}

static void
prefetch (Blocks *self, const TsrSourceRange *ranges, guint n)
{
  g_autoptr (GPtrArray) requests = requests_new ();

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < n && self->trust == TRUST_YES; i++)
    {
      guint64 from = (guint64)ranges[i].offset / TSR_BLOCK_BYTES;
      guint64 to
          = ((guint64)ranges[i].offset + ranges[i].length + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES;

      for (guint64 j = from; j < MIN (to, self->n_blocks) && self->n_ahead < AHEAD_BLOCKS; j++)
        if (find_block (self, j) == NULL && !tsr_cached_file_has (self->cached, j))
          plan (self, requests, j, TSR_READ_AHEAD, FALSE);
    }
  g_mutex_unlock (&self->lock);
  send_requests (self, requests);
}

static void
remote_note_end (TsrSource *source, gint64 offset)
{
  Blocks *self = TSR_REMOTE_SOURCE (source)->blocks;
  g_mutex_lock (&self->lock);
  tsr_read_ahead_add_end (&self->ahead, ((guint64)offset + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES);
  g_mutex_unlock (&self->lock);
}

/* ------------------------------------------------------------------------ copying */

/* Nothing is on its way here, whoever wants it, or to the disk. */
static gboolean
is_settled (Blocks *self, gconstpointer data)
{
  return self->n_writes == 0 && g_hash_table_size (self->table) == self->recent.length;
}

static gboolean
is_under_way (Blocks *self, guint64 number)
{
  Block *block = find_block (self, number);

  return block != NULL && block->bytes == NULL;
}

/* Plans up to @n missing blocks from *@cursor on.  The lock is held. */
static void
plan_copy (Blocks *self, GPtrArray *requests, guint64 *cursor, guint n)
{
  guint planned = 0;

  for (; *cursor < self->n_blocks && planned < n; (*cursor)++)
    {
      Block *block = find_block (self, *cursor);

      if (tsr_cached_file_has (self->cached, *cursor) || is_under_way (self, *cursor))
        continue;
      if (block != NULL)
        save_block (self, *cursor, block->bytes);
      else
        {
          plan (self, requests, *cursor, TSR_READ_BACKGROUND, FALSE);
          planned++;
        }
    }
}

typedef struct
{
  TsrProgress *progress;
  gint64 told;
  GQueue waiting; /* Request */
  guint under_way, most;
} Copy;

static void
tell_copied (Blocks *self, Copy *copy)
{
  gint64 now = count_cached_bytes (self);

  if (now <= copy->told)
    return;
  tsr_progress_add_done (copy->progress, (guint64)(now - copy->told));
  copy->told = now;
}

/* What came quickly did not queue, so more may be under way; what a reader would have to wait for
 * must come before he is too late. */
static void
adapt_copy (Copy *copy, const Request *request)
{
  if (g_get_monotonic_time () - request->sent < LATE_US / 2)
    copy->most = MIN (copy->most + request->n, MOST_COPY_BLOCKS);
  else
    copy->most = MAX (copy->most - MIN (copy->most, request->n), COPY_BLOCKS);
}

/* Waits for the request that was sent first. */
static gboolean
wait_for_first (Blocks *self, Copy *copy, GCancellable *cancellable, GError **error)
{
  Request *request = g_queue_pop_head (&copy->waiting);
  gboolean ok = wait_until (self, is_request_done, request, 0, cancellable, error);

  if (ok && request->error != NULL)
    {
      g_propagate_error (error, g_error_copy (request->error));
      ok = FALSE;
    }
  adapt_copy (copy, request);
  copy->under_way -= request->n;
  request_unref (request);
  return ok;
}

/* One pass over the file; what others had under way may be missing afterwards, for it may have
 * failed. */
static gboolean
copy_once (Blocks *self, Copy *copy, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) requests = requests_new ();
  guint64 cursor = 0;
  gboolean ok = TRUE;

  while (ok && (cursor < self->n_blocks || copy->waiting.length > 0))
    {
      g_mutex_lock (&self->lock);
      if (self->n_writes <= MAX_WRITES && copy->under_way + REQUEST_BLOCKS <= copy->most)
        plan_copy (self, requests, &cursor, copy->most - copy->under_way);
      g_mutex_unlock (&self->lock);
      for (guint i = 0; i < requests->len; i++)
        {
          Request *request = g_ptr_array_index (requests, i);

          g_queue_push_tail (&copy->waiting, request_ref (request));
          copy->under_way += request->n;
        }
      send_requests (self, requests);
      if (copy->waiting.length > 0)
        ok = wait_for_first (self, copy, cancellable, error);
      else
        ok = wait_until (self, is_settled, NULL, 0, cancellable, error);
      ok = ok && tsr_cached_file_is_on_disk (self->cached);
      tell_copied (self, copy);
    }
  g_queue_clear_full (&copy->waiting, (GDestroyNotify)request_unref);
  copy->under_way = 0;
  ok = ok && wait_until (self, is_settled, NULL, 0, cancellable, error);
  tell_copied (self, copy);
  return ok;
}

/* Why not all of it is there, when nothing else was said. */
static void
set_not_whole_error (Blocks *self, GError **error)
{
  GError *cause = tsr_cached_file_steal_error (self->cached);

  if (cause != NULL)
    g_propagate_error (error, cause);
  else if (tsr_cached_file_is_void (self->cached))
    set_changed_error (self, error);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                 _ ("%s does not fit into the cache; make its limit larger in the preferences, or "
                    "clear it"),
                 self->name);
}

static gboolean
fetch_all (Blocks *self, TsrProgress *progress, GCancellable *cancellable, GError **error)
{
  Copy copy = { .progress = progress, .most = COPY_BLOCKS };
  GError *local_error = NULL;
  gboolean is_whole;

  g_queue_init (&copy.waiting);
  if (!ensure_trust (self, FALSE, cancellable, error))
    return FALSE;
  tell_copied (self, &copy);
  is_whole = tsr_cached_file_is_whole (self->cached);
  for (guint i = 0; i < COPY_PASSES && !is_whole && local_error == NULL; i++)
    {
      if (!ensure_trust (self, TRUE, cancellable, &local_error)
          || !tsr_cached_file_is_on_disk (self->cached)
          || !copy_once (self, &copy, cancellable, &local_error))
        break;
      is_whole = tsr_cached_file_is_whole (self->cached);
    }
  if (is_whole)
    return TRUE;
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  else
    set_not_whole_error (self, error);
  return FALSE;
}

static gpointer
run_copy (gpointer data)
{
  Blocks *self = data;
  g_autoptr (GError) error = NULL;

  if (!fetch_all (self, NULL, self->closing, &error))
    g_debug ("%s is not fetched in the background: %s", self->name, error->message);
  blocks_unref (self);
  return NULL;
}

/* ------------------------------------------------------------------------ source */

static void
remote_prefetch (TsrSource *source, const TsrSourceRange *ranges, guint n)
{
  Blocks *self = TSR_REMOTE_SOURCE (source)->blocks;

  if (n > 0)
    prefetch (self, ranges, n);
  else
    g_thread_unref (g_thread_new ("remote-copy", run_copy, blocks_ref (self)));
}

static GError *
remote_steal_warning (TsrSource *source)
{
  g_autoptr (TsrCachedFile) cached = dup_cached (TSR_REMOTE_SOURCE (source)->blocks);

  return tsr_cached_file_steal_error (cached);
}

static void
tsr_remote_source_finalize (GObject *object)
{
  TsrRemoteSource *self = TSR_REMOTE_SOURCE (object);

  /* There are no more readers: copying ends. */
  g_cancellable_cancel (self->blocks->closing);
  blocks_unref (self->blocks);
  G_OBJECT_CLASS (tsr_remote_source_parent_class)->finalize (object);
}

static void
tsr_remote_source_class_init (TsrRemoteSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_remote_source_finalize;
  TSR_SOURCE_CLASS (class)->read = remote_read;
  TSR_SOURCE_CLASS (class)->read_ranges = remote_read_ranges;
  TSR_SOURCE_CLASS (class)->stat = remote_stat;
  TSR_SOURCE_CLASS (class)->prefetch = remote_prefetch;
  TSR_SOURCE_CLASS (class)->note_end = remote_note_end;
  TSR_SOURCE_CLASS (class)->steal_warning = remote_steal_warning;
}

static void
tsr_remote_source_init (TsrRemoteSource *self)
{
}

/* Requests the first block, or the first few if nothing of the file is cached. */
static void
start (Blocks *self)
{
  g_autoptr (GPtrArray) requests = requests_new ();
  guint64 n;

  g_mutex_lock (&self->lock);
  n = tsr_cached_file_count (self->cached) > 0 ? 1 : START_BLOCKS;
  for (guint64 i = 0; i < MIN (n, self->n_blocks); i++)
    plan (self, requests, i, TSR_READ_NOW, FALSE);
  g_mutex_unlock (&self->lock);
  send_requests (self, requests);
}

TsrSource *
tsr_remote_source_new (TsrConnection *connection,
                       TsrBlockCache *cache,
                       TsrRemoteState *state,
                       const char *host,
                       const char *path,
                       const char *name,
                       const char *location,
                       const TsrSourceStamp *stamp)
{
  TsrRemoteSource *source = g_object_new (TSR_TYPE_REMOTE_SOURCE, NULL);
  Blocks *self = source->blocks = g_new0 (Blocks, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  self->cache = tsr_block_cache_ref (cache);
  self->host = g_strdup (host);
  self->path = g_strdup (path);
  self->name = g_strdup (location);
  self->stamp = *stamp;
  self->stamp.size = MAX (stamp->size, 0);
  self->n_blocks = ((guint64)self->stamp.size + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES;
  self->connection = g_object_ref (connection);
  self->file = tsr_connection_open_file (connection, path, stamp);
  self->state = g_atomic_rc_box_acquire (state);
  self->closing = g_cancellable_new ();
  self->table = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, block_free);
  self->cached = tsr_block_cache_open (cache, host, path, &self->stamp);
  tsr_source_set_identity (TSR_SOURCE (source), name, stamp);
  start (self);
  return TSR_SOURCE (source);
}

gboolean
tsr_remote_source_fetch (TsrRemoteSource *self,
                         TsrProgress *progress,
                         GCancellable *cancellable,
                         GError **error)
{
  return fetch_all (self->blocks, progress, cancellable, error);
}
