/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lock is never held while using the connection or writing to disk, but it is held for short
 * reads from the cache.  A request is shared by all blocks that it fetches and by everyone waiting
 * for them.  It fails as a whole; its blocks are then forgotten, so that the next reader requests
 * them again. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-remote-blocks-private.h"
#include "tsr-remote-error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

static void tsr_remote_blocks_remove (TsrRemoteBlocks *self, TsrBlock *block);
static GError *tsr_remote_blocks_dup_short_error (TsrRemoteBlocks *self);

/* Whether the cache belongs to the present state of the file.  The first block decides at the
 * beginning; later, attributes and the first bytes, requested together. */

/* ----------------------------------------------------------------------- trust */

void
tsr_remote_blocks_tell_offline (TsrRemoteBlocks *self, gboolean is_offline)
{
  if (self->offline_told != is_offline && self->reader->set_offline != NULL)
    self->reader->set_offline (self->file, is_offline);
  self->offline_told = is_offline;
}

void
tsr_remote_blocks_set_changed_error (TsrRemoteBlocks *self, GError **error)
{
  g_set_error (error, TSR_ERROR, TSR_ERROR_CHANGED,
               _ ("%s changed while it was read; wait until the program that writes it has ended, "
                  "then reload the report"),
               self->name);
}

/* Compares the first block with the cache, whose entry of another state is dropped; then everything
 * that came before it may be kept.  The lock is held. */
static void
trust_first (TsrRemoteBlocks *self, GBytes *block, gboolean was_offline)
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
      TsrBlock *other = value;

      if (other->unsaved && other->number != 0)
        tsr_remote_blocks_save (self, other->number, other->bytes);
      other->unsaved = FALSE;
    }
}

static gboolean
is_not_asking (TsrRemoteBlocks *self, gconstpointer data)
{
  return self->trust != TRUST_ASKING;
}

/* Waits for the first block to come over the network.  (transfer full) */
static GBytes *
ask_first (TsrRemoteBlocks *self, gboolean was_offline, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) requests = tsr_block_requests_new ();
  TsrBlockRequest *request = NULL;
  GBytes *bytes = NULL;
  TsrBlock *block;
  gboolean ok = TRUE;

  g_mutex_lock (&self->lock);
  block = tsr_remote_blocks_find (self, 0);
  /* One that came from the cache says nothing. */
  if (block != NULL && block->bytes != NULL && was_offline)
    {
      tsr_remote_blocks_remove (self, block);
      block = NULL;
    }
  if (block == NULL)
    block = tsr_remote_blocks_plan (self, requests, 0, TSR_READ_NOW, FALSE);
  if (block->request != NULL)
    request = tsr_block_request_ref (block->request);
  g_mutex_unlock (&self->lock);
  tsr_remote_blocks_send (self, requests);
  if (request != NULL)
    ok = tsr_remote_blocks_wait (self, tsr_block_request_is_done, request, 0, cancellable, error);
  g_mutex_lock (&self->lock);
  block = tsr_remote_blocks_find (self, 0);
  if (ok && block != NULL && block->bytes != NULL)
    bytes = g_bytes_ref (block->bytes);
  else if (ok)
    g_propagate_error (error, request != NULL && request->error != NULL
                                  ? g_error_copy (request->error)
                                  : tsr_remote_blocks_dup_short_error (self));
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&request, tsr_block_request_unref);
  return bytes;
}

gboolean
tsr_remote_blocks_ensure_trust (TsrRemoteBlocks *self,
                                gboolean want_network,
                                GCancellable *cancellable,
                                GError **error)
{
  g_autoptr (GBytes) first = NULL;
  GError *local_error = NULL;
  gboolean was_offline, is_trusted;
  TsrTrust trust;

  g_mutex_lock (&self->lock);
  trust = self->trust;
  g_mutex_unlock (&self->lock);
  if (trust == TRUST_YES || (trust == TRUST_OFFLINE && !want_network))
    return TRUE;
  if (!tsr_remote_blocks_wait (self, is_not_asking, NULL, 0, cancellable, error))
    return FALSE;
  g_mutex_lock (&self->lock);
  trust = self->n_blocks == 0 ? TRUST_YES : self->trust;
  if (trust == TRUST_ASKING) /* another one was quicker */
    {
      g_mutex_unlock (&self->lock);
      return tsr_remote_blocks_ensure_trust (self, want_network, cancellable, error);
    }
  was_offline = trust == TRUST_OFFLINE;
  if (trust == TRUST_NOT_YET || (was_offline && want_network))
    trust = self->trust = TRUST_ASKING;
  g_mutex_unlock (&self->lock);
  if (trust == TRUST_CHANGED)
    tsr_remote_blocks_set_changed_error (self, error);
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
    tsr_remote_blocks_tell_offline (self, trust == TRUST_OFFLINE);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  if (trust == TRUST_CHANGED)
    tsr_remote_blocks_set_changed_error (self, error);
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
  TsrRemoteBlocks *owner;
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
  tsr_remote_blocks_unref (look->owner);
  g_free (look);
}

static void
looked (GBytes *bytes, GError *error, gpointer data)
{
  Look *look = data;
  TsrRemoteBlocks *self = look->owner;

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
is_looked (TsrRemoteBlocks *self, gconstpointer data)
{
  return ((const Look *)data)->done;
}

/* Both at once: attributes, and the first bytes. */
static gboolean
look_again (TsrRemoteBlocks *self, TsrSourceStamp *stamp, GCancellable *cancellable, GError **error)
{
  Look *look = g_new0 (Look, 1);
  gboolean ok;

  g_atomic_ref_count_init (&look->refs);
  look->owner = tsr_remote_blocks_ref (self);
  look->same = TRUE;
  look->done = self->first_length == 0;
  if (!look->done)
    {
      g_atomic_ref_count_inc (&look->refs);
      self->reader->read_async (self->file, 0, self->first_length, TSR_READ_NOW, looked, look);
    }
  ok = self->reader->stat (self->file, stamp, cancellable, error)
       && tsr_remote_blocks_wait (self, is_looked, look, 0, cancellable, error);
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

gboolean
tsr_remote_blocks_stat (TsrRemoteBlocks *self,
                        TsrSourceStamp *stamp,
                        GCancellable *cancellable,
                        GError **error)
{
  GError *local_error = NULL;
  gboolean news, was_void;
  TsrTrust trust;

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

/* ------------------------------------------------------------------- requests */

static TsrBlockRequest *
request_new (TsrRemoteBlocks *owner, guint64 first, TsrReadPriority priority)
{
  TsrBlockRequest *request = g_new0 (TsrBlockRequest, 1);

  g_atomic_ref_count_init (&request->refs);
  request->owner = tsr_remote_blocks_ref (owner);
  request->first = first;
  request->priority = priority;
  return request;
}

TsrBlockRequest *
tsr_block_request_ref (TsrBlockRequest *request)
{
  g_atomic_ref_count_inc (&request->refs);
  return request;
}

void
tsr_block_request_unref (TsrBlockRequest *request)
{
  if (!g_atomic_ref_count_dec (&request->refs))
    return;
  g_clear_error (&request->error);
  g_free (request);
}

GPtrArray *
tsr_block_requests_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_block_request_unref);
}

static void
block_free (gpointer data)
{
  TsrBlock *block = data;

  g_clear_pointer (&block->bytes, g_bytes_unref);
  g_clear_pointer (&block->request, tsr_block_request_unref);
  g_free (block);
}

TsrBlock *
tsr_remote_blocks_find (TsrRemoteBlocks *self, guint64 number)
{
  return g_hash_table_lookup (self->table, &number);
}

static TsrBlock *
add_block (TsrRemoteBlocks *self, guint64 number)
{
  TsrBlock *block = g_new0 (TsrBlock, 1);

  block->number = number;
  block->link.data = block;
  g_hash_table_insert (self->table, &block->number, block);
  return block;
}

/* @block has its bytes now; makes room for it. */
static void
keep_block (TsrRemoteBlocks *self, TsrBlock *block)
{
  g_queue_push_head_link (&self->recent, &block->link);
  while (self->recent.length > MEMORY_BLOCKS)
    {
      TsrBlock *last = g_queue_peek_tail (&self->recent);

      if (last->unsaved)
        break; /* only until the first block has come */
      g_queue_unlink (&self->recent, &last->link);
      g_hash_table_remove (self->table, &last->number);
    }
}

TsrBlock *
tsr_remote_blocks_add (TsrRemoteBlocks *self, guint64 number, GBytes *bytes)
{
  TsrBlock *block = add_block (self, number);

  block->bytes = bytes;
  keep_block (self, block);
  return block;
}

static void
tsr_remote_blocks_remove (TsrRemoteBlocks *self, TsrBlock *block)
{
  if (block->bytes != NULL)
    g_queue_unlink (&self->recent, &block->link);
  g_hash_table_remove (self->table, &block->number);
}

/* ------------------------------------------------------------------- writing */

typedef struct
{
  TsrRemoteBlocks *owner;
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
write_block (gpointer data, gpointer user_data)
{
  Write *write = data;
  TsrRemoteBlocks *self = write->owner;
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
  tsr_remote_blocks_unref (self);
  g_free (write);
}

static void
start_writers (void)
{
  if (g_once_init_enter (&writers))
    g_once_init_leave (&writers, g_thread_pool_new (write_block, NULL, 1, FALSE, NULL));
}

void
tsr_remote_blocks_flush (void)
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

void
tsr_remote_blocks_save (TsrRemoteBlocks *self, guint64 number, GBytes *bytes)
{
  Write *write = g_new0 (Write, 1);

  start_writers ();
  write->owner = tsr_remote_blocks_ref (self);
  write->cached = tsr_cached_file_ref (self->cached);
  write->number = number;
  write->bytes = g_bytes_ref (bytes);
  self->n_writes++;
  g_thread_pool_push (writers, write, NULL);
}

/* -------------------------------------------------------------------- answers */

/* Takes what came for one block; somebody may have got it otherwise meanwhile. */
static void
take_block (TsrRemoteBlocks *self, TsrBlockRequest *request, guint64 number, GBytes *bytes)
{
  TsrBlock *block = tsr_remote_blocks_find (self, number);

  if (block == NULL || block->bytes != NULL)
    return;
  if (bytes == NULL)
    {
      if (block->request == request)
        g_hash_table_remove (self->table, &number);
      return;
    }
  /* A copy of its own: the whole answer must not stay because of one block. */
  block->bytes = g_bytes_new (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_clear_pointer (&block->request, tsr_block_request_unref);
  block->unsaved = self->trust != TRUST_YES;
  if (!block->unsaved)
    tsr_remote_blocks_save (self, number, block->bytes);
  self->news |= number != 0 || self->trust == TRUST_YES;
  keep_block (self, block);
}

/* (transfer full) */
static GError *
tsr_remote_blocks_dup_short_error (TsrRemoteBlocks *self)
{
  return g_error_new (TSR_ERROR, TSR_ERROR_CHANGED,
                      _ ("%s has become shorter while it was read; wait until the program that "
                         "writes it has ended, then reload the report"),
                      self->name);
}

/* On the connection's thread. */
static void
answered (GBytes *bytes, GError *error, gpointer data)
{
  TsrBlockRequest *request = data;
  TsrRemoteBlocks *self = request->owner;
  gsize offset = 0;

  for (guint i = 0; error == NULL && i < request->n; i++)
    offset += tsr_block_get_length (self->stamp.size, request->first + i);
  if (error == NULL && (bytes == NULL || g_bytes_get_size (bytes) != offset))
    error = tsr_remote_blocks_dup_short_error (self);
  g_mutex_lock (&self->lock);
  offset = 0;
  for (guint i = 0; i < request->n; i++)
    {
      gsize length = tsr_block_get_length (self->stamp.size, request->first + i);
      g_autoptr (GBytes) part
          = error == NULL ? g_bytes_new_from_bytes (bytes, offset, length) : NULL;

      take_block (self, request, request->first + i, part);
      offset += length;
    }
  if (request->priority != TSR_READ_NOW)
    self->n_ahead -= request->n;
  request->done = TRUE;
  request->error = error;
  request->owner = NULL;
  /* After a connection that was lost there is another. */
  if (error == NULL && self->trust == TRUST_YES)
    tsr_remote_blocks_tell_offline (self, FALSE);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  tsr_block_request_unref (request);
  tsr_remote_blocks_unref (self);
}

void
tsr_remote_blocks_send (TsrRemoteBlocks *self, GPtrArray *requests)
{
  for (guint i = 0; i < requests->len; i++)
    {
      TsrBlockRequest *request = g_ptr_array_index (requests, i);
      gsize length = 0;

      for (guint j = 0; j < request->n; j++)
        length += tsr_block_get_length (self->stamp.size, request->first + j);
      request->sent = g_get_monotonic_time ();
      self->reader->read_async (self->file, (gint64)(request->first * TSR_BLOCK_BYTES), length,
                                request->priority, answered, tsr_block_request_ref (request));
    }
  g_ptr_array_set_size (requests, 0);
}

TsrBlock *
tsr_remote_blocks_plan (TsrRemoteBlocks *self,
                        GPtrArray *requests,
                        guint64 number,
                        TsrReadPriority priority,
                        gboolean fetched)
{
  TsrBlockRequest *last
      = requests->len > 0 ? g_ptr_array_index (requests, requests->len - 1) : NULL;
  TsrBlock *block = tsr_remote_blocks_find (self, number);

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
  g_clear_pointer (&block->request, tsr_block_request_unref);
  block->request = tsr_block_request_ref (last);
  block->fetched |= fetched;
  return block;
}

/* --------------------------------------------------------------------- waiting */

static void
wake (GCancellable *cancellable, gpointer data)
{
  TsrRemoteBlocks *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

gboolean
tsr_remote_blocks_wait (TsrRemoteBlocks *self,
                        gboolean (*is_over) (TsrRemoteBlocks *self, gconstpointer data),
                        gconstpointer data,
                        gint64 deadline,
                        GCancellable *cancellable,
                        GError **error)
{
  gboolean in_time = TRUE;
  gulong handler = cancellable != NULL
                       ? g_cancellable_connect (cancellable, G_CALLBACK (wake), self, NULL)
                       : 0;

  g_mutex_lock (&self->lock);
  while (in_time && !is_over (self, data) && !g_cancellable_is_cancelled (cancellable))
    if (deadline > 0)
      in_time = g_cond_wait_until (&self->cond, &self->lock, deadline);
    else
      g_cond_wait (&self->cond, &self->lock);
  g_mutex_unlock (&self->lock);
  if (cancellable != NULL)
    g_cancellable_disconnect (cancellable, handler);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

gboolean
tsr_block_request_is_done (TsrRemoteBlocks *self, gconstpointer data)
{
  return ((const TsrBlockRequest *)data)->done;
}

/* -------------------------------------------------------------------------- life */

TsrRemoteBlocks *
tsr_remote_blocks_new (TsrBlockCache *cache,
                       const char *host,
                       const char *path,
                       const char *name,
                       const TsrSourceStamp *stamp,
                       const TsrBlockReader *reader,
                       gpointer file)
{
  TsrRemoteBlocks *self = g_new0 (TsrRemoteBlocks, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  g_queue_init (&self->recent);
  self->cache = tsr_block_cache_ref (cache);
  self->host = g_strdup (host);
  self->path = g_strdup (path);
  self->name = g_strdup (name);
  self->stamp = *stamp;
  self->stamp.size = MAX (stamp->size, 0);
  self->n_blocks = ((guint64)self->stamp.size + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES;
  self->reader = reader;
  self->file = file;
  self->closing = g_cancellable_new ();
  self->table = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, block_free);
  self->cached = tsr_block_cache_open (cache, host, path, &self->stamp);
  return self;
}

TsrRemoteBlocks *
tsr_remote_blocks_ref (TsrRemoteBlocks *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_remote_blocks_unref (TsrRemoteBlocks *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  if (self->reader->free != NULL)
    self->reader->free (self->file);
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

void
tsr_remote_blocks_start (TsrRemoteBlocks *self)
{
  g_autoptr (GPtrArray) requests = tsr_block_requests_new ();
  guint64 n;

  g_mutex_lock (&self->lock);
  n = tsr_cached_file_count (self->cached) > 0 ? 1 : START_BLOCKS;
  for (guint64 i = 0; i < MIN (n, self->n_blocks); i++)
    if (tsr_remote_blocks_find (self, i) == NULL)
      tsr_remote_blocks_plan (self, requests, i, TSR_READ_NOW, FALSE);
  g_mutex_unlock (&self->lock);
  tsr_remote_blocks_send (self, requests);
}

void
tsr_remote_blocks_close (TsrRemoteBlocks *self)
{
  g_cancellable_cancel (self->closing);
}

static TsrCachedFile *
tsr_remote_blocks_dup_cached (TsrRemoteBlocks *self)
{
  TsrCachedFile *cached;

  g_mutex_lock (&self->lock);
  cached = tsr_cached_file_ref (self->cached);
  g_mutex_unlock (&self->lock);
  return cached;
}

GError *
tsr_remote_blocks_steal_cache_error (TsrRemoteBlocks *self)
{
  g_autoptr (TsrCachedFile) cached = tsr_remote_blocks_dup_cached (self);

  return tsr_cached_file_steal_error (cached);
}

gint64
tsr_remote_blocks_count_bytes (TsrRemoteBlocks *self)
{
  g_autoptr (TsrCachedFile) cached = tsr_remote_blocks_dup_cached (self);

  return tsr_cached_file_count_bytes (cached);
}
