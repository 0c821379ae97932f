/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether the cache belongs to the present state of the file.  The first block decides at the
 * beginning; later, attributes and the first bytes, requested together. */

#include "config.h"

#include "tsr-remote-blocks-private.h"

#include "tsr-error.h"
#include "tsr-remote-error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

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
