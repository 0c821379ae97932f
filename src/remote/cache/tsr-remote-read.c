/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading: single reads with read-ahead, many ranges as one batch, and copying everything in the
 * background. */

#include "config.h"

#include "tsr-remote-blocks-private.h"
#include "tsr-remote-error.h"

#include "tsr-error.h"
#include "tsr-units.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/* ---------------------------------------------------------------------- reading */

/* The block from memory or from the cache; NULL: it must be fetched.  The lock is held. */
static TsrBlock *
find_here (TsrRemoteBlocks *self, guint64 number)
{
  TsrBlock *block = tsr_remote_blocks_find (self, number);
  g_autofree guint8 *bytes = NULL;
  gsize length;

  if (block != NULL && block->bytes != NULL)
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
  return tsr_remote_blocks_add (self, number, g_bytes_new_take (g_steal_pointer (&bytes), length));
}

/* What a failed read of a file that is here in part says. */
static void
explain_offline (TsrRemoteBlocks *self, GError *source, GError **error)
{
  gint64 here = tsr_remote_blocks_count_bytes (self);
  g_autofree char *some = tsr_units_dup_bytes (TSR_UNITS_BINARY, here);
  g_autofree char *all = tsr_units_dup_bytes (TSR_UNITS_BINARY, self->stamp.size);

  if (tsr_remote_error_is_away (source) && here > 0)
    {
      g_set_error (error, source->domain, source->code,
                   _ ("%s is only in part on this machine (%s of %s), and what is wanted now is "
                      "not: %s; connect again to read the rest"),
                   self->name, some, all, source->message);
      g_error_free (source);
    }
  else
    g_propagate_error (error, source);
}

/* Who fetches @number: the request under way, or a new one in @requests.  (transfer full)
 * (nullable): NULL when the block is here, or is of another file: then with @error. */
static TsrBlockRequest *
find_request (TsrRemoteBlocks *self,
              guint64 number,
              gboolean is_stream,
              gboolean is_late,
              GPtrArray *requests,
              GError **error)
{
  TsrBlockRequest *request = NULL;
  TsrBlock *block;

  g_mutex_lock (&self->lock);
  if (tsr_cached_file_is_void (self->cached))
    tsr_remote_blocks_set_changed_error (self, error);
  else if (find_here (self, number) == NULL)
    {
      block = tsr_remote_blocks_find (self, number);
      if (block == NULL || (is_late && block->request->priority == TSR_READ_BACKGROUND))
        block = tsr_remote_blocks_plan (self, requests, number, TSR_READ_NOW, is_stream);
      block->fetched |= is_stream;
      request = tsr_block_request_ref (block->request);
    }
  g_mutex_unlock (&self->lock);
  return request;
}

/* One more try for @number; FALSE when it failed. */
static gboolean
fetch_one (TsrRemoteBlocks *self,
           guint64 number,
           gboolean is_stream,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (GPtrArray) requests = tsr_block_requests_new ();
  TsrBlockRequest *request = NULL;
  GError *local_error = NULL;
  gint64 deadline = g_get_monotonic_time () + LATE_US;
  gboolean is_late = FALSE;

  if (tsr_remote_blocks_ensure_trust (self, TRUE, cancellable, &local_error))
    request = find_request (self, number, is_stream, FALSE, requests, &local_error);
  tsr_remote_blocks_send (self, requests);
  /* A copy in the background has to wait as long as others read. */
  while (request != NULL && local_error == NULL && !is_late
         && request->priority == TSR_READ_BACKGROUND)
    {
      tsr_remote_blocks_wait (self, tsr_block_request_is_done, request, deadline, cancellable,
                              &local_error);
      g_clear_pointer (&request, tsr_block_request_unref);
      is_late = TRUE;
      if (local_error == NULL)
        request = find_request (self, number, is_stream, TRUE, requests, &local_error);
      tsr_remote_blocks_send (self, requests);
    }
  if (request != NULL && local_error == NULL
      && tsr_remote_blocks_wait (self, tsr_block_request_is_done, request, 0, cancellable,
                                 &local_error)
      && request->error != NULL && request->priority == TSR_READ_NOW)
    local_error = g_error_copy (request->error);
  g_clear_pointer (&request, tsr_block_request_unref);
  if (local_error == NULL)
    return TRUE;
  if (tsr_remote_error_is_away (local_error))
    {
      g_mutex_lock (&self->lock);
      tsr_remote_blocks_tell_offline (self, TRUE);
      g_mutex_unlock (&self->lock);
    }
  explain_offline (self, local_error, error);
  return FALSE;
}

/* Copies a part of a block, after waiting for it. */
static gboolean
copy_block (TsrRemoteBlocks *self,
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
  TsrBlock *block;

  for (;;)
    {
      if (!tsr_remote_blocks_ensure_trust (self, FALSE, cancellable, error))
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
      requests = tsr_block_requests_new ();
      for (guint64 i = first; i < MIN (first + n, self->n_blocks); i++)
        if (tsr_remote_blocks_find (self, i) == NULL && !tsr_cached_file_has (self->cached, i))
          tsr_remote_blocks_plan (self, requests, i, TSR_READ_AHEAD, TRUE);
    }
  g_mutex_unlock (&self->lock);
  if (requests != NULL)
    tsr_remote_blocks_send (self, requests);
  return TRUE;
}

/* Plans all blocks of [@from, @to) that are not here; returns how many. */
static guint
fetch_missing (
    TsrRemoteBlocks *self, GPtrArray *requests, guint64 from, guint64 to, gboolean is_stream)
{
  guint n = 0;

  for (guint64 i = from; i < to; i++)
    if (tsr_remote_blocks_find (self, i) == NULL && !tsr_cached_file_has (self->cached, i))
      {
        tsr_remote_blocks_plan (self, requests, i, TSR_READ_NOW, is_stream);
        n++;
      }
  return n;
}

/* Begins to fetch what @ranges[0..n) need, as far as that is one wave; returns how many ranges are
 * in it, at least one. */
static guint
send_wave (TsrRemoteBlocks *self, const TsrSourceRange *ranges, guint n, gboolean is_stream)
{
  g_autoptr (GPtrArray) requests = tsr_block_requests_new ();
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
      if (i > 0 && blocks > 0 && blocks + (to - from) > WAVE_BLOCKS)
        break;
      /* The rest of a long one comes as it is read. */
      if (self->trust == TRUST_YES)
        blocks += fetch_missing (self, requests, from, MIN (to, from + WAVE_BLOCKS), is_stream);
    }
  g_mutex_unlock (&self->lock);
  tsr_remote_blocks_send (self, requests);
  return i;
}

/* Copies one range, whose blocks are on their way. */
static gboolean
copy_range (TsrRemoteBlocks *self,
            TsrSourceRange *range,
            gboolean note,
            GCancellable *cancellable,
            GError **error)
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
fail_read (TsrRemoteBlocks *self, GError *source, GError **error)
{
  if (tsr_remote_error_is_away (source) && self->reader->note_missed != NULL)
    self->reader->note_missed (self->file);
  g_propagate_error (error, source);
  return FALSE;
}

gssize
tsr_remote_blocks_read (TsrRemoteBlocks *self,
                        gint64 offset,
                        void *bytes,
                        gsize length,
                        GCancellable *cancellable,
                        GError **error)
{
  TsrSourceRange range = { .offset = offset, .length = length, .bytes = bytes };
  guint64 n_blocks = (guint64)offset % TSR_BLOCK_BYTES + length;
  GError *local_error = NULL;

  if (offset >= self->stamp.size || length == 0)
    return 0;
  if (tsr_remote_blocks_ensure_trust (self, FALSE, cancellable, &local_error))
    {
      if (n_blocks > TSR_BLOCK_BYTES)
        send_wave (self, &range, 1, TRUE);
      if (copy_range (self, &range, TRUE, cancellable, &local_error))
        return (gssize)range.got;
    }
  fail_read (self, local_error, error);
  return -1;
}

gboolean
tsr_remote_blocks_read_ranges (TsrRemoteBlocks *self,
                               TsrSourceRange *ranges,
                               guint n,
                               GCancellable *cancellable,
                               GError **error)
{
  GError *local_error = NULL;
  guint done = 0;

  if (!tsr_remote_blocks_ensure_trust (self, FALSE, cancellable, &local_error))
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

void
tsr_remote_blocks_prefetch (TsrRemoteBlocks *self, const TsrSourceRange *ranges, guint n)
{
  g_autoptr (GPtrArray) requests = tsr_block_requests_new ();

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < n && self->trust == TRUST_YES; i++)
    {
      guint64 from = (guint64)ranges[i].offset / TSR_BLOCK_BYTES;
      guint64 to
          = ((guint64)ranges[i].offset + ranges[i].length + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES;

      for (guint64 j = from; j < MIN (to, self->n_blocks) && self->n_ahead < AHEAD_BLOCKS; j++)
        if (tsr_remote_blocks_find (self, j) == NULL && !tsr_cached_file_has (self->cached, j))
          tsr_remote_blocks_plan (self, requests, j, TSR_READ_AHEAD, FALSE);
    }
  g_mutex_unlock (&self->lock);
  tsr_remote_blocks_send (self, requests);
}

void
tsr_remote_blocks_note_end (TsrRemoteBlocks *self, gint64 offset)
{
  g_mutex_lock (&self->lock);
  tsr_read_ahead_add_end (&self->ahead, ((guint64)offset + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES);
  g_mutex_unlock (&self->lock);
}

/* ------------------------------------------------------------------------ copying */

static gboolean
is_written (TsrRemoteBlocks *self, gconstpointer data)
{
  return self->n_writes == 0;
}

static gboolean
is_under_way (TsrRemoteBlocks *self, guint64 number)
{
  TsrBlock *block = tsr_remote_blocks_find (self, number);

  return block != NULL && block->bytes == NULL;
}

/* Plans up to @n missing blocks from *@cursor on.  The lock is held. */
static void
plan_copy (TsrRemoteBlocks *self, GPtrArray *requests, guint64 *cursor, guint n)
{
  guint planned = 0;

  for (; *cursor < self->n_blocks && planned < n; (*cursor)++)
    {
      TsrBlock *block = tsr_remote_blocks_find (self, *cursor);

      if (tsr_cached_file_has (self->cached, *cursor) || is_under_way (self, *cursor))
        continue;
      if (block != NULL)
        tsr_remote_blocks_save (self, *cursor, block->bytes);
      else
        {
          tsr_remote_blocks_plan (self, requests, *cursor, TSR_READ_BACKGROUND, FALSE);
          planned++;
        }
    }
}

typedef struct
{
  TsrProgress *progress;
  gint64 told;
  GQueue waiting; /* TsrBlockRequest */
  guint under_way, most;
} Copy;

static void
tell_copied (TsrRemoteBlocks *self, Copy *copy)
{
  gint64 now = tsr_remote_blocks_count_bytes (self);

  if (now > copy->told)
    tsr_progress_add_done (copy->progress, (guint64)(now - copy->told));
  copy->told = MAX (now, copy->told);
}

/* What came quickly did not queue, so more may be under way; what a reader would have to wait for
 * must come before he is too late. */
static void
adapt_copy (Copy *copy, const TsrBlockRequest *request)
{
  if (g_get_monotonic_time () - request->sent < LATE_US / 2)
    copy->most = MIN (copy->most + request->n, MOST_COPY_BLOCKS);
  else
    copy->most = MAX (copy->most - MIN (copy->most, request->n), COPY_BLOCKS);
}

/* Waits for the request that was sent first. */
static gboolean
wait_for_first (TsrRemoteBlocks *self, Copy *copy, GCancellable *cancellable, GError **error)
{
  TsrBlockRequest *request = g_queue_pop_head (&copy->waiting);
  gboolean ok
      = tsr_remote_blocks_wait (self, tsr_block_request_is_done, request, 0, cancellable, error);

  if (ok && request->error != NULL)
    {
      g_propagate_error (error, g_error_copy (request->error));
      ok = FALSE;
    }
  adapt_copy (copy, request);
  copy->under_way -= request->n;
  tsr_block_request_unref (request);
  return ok;
}

/* One pass over the file; what others had under way may be missing afterwards. */
static gboolean
copy_once (TsrRemoteBlocks *self, Copy *copy, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) requests = tsr_block_requests_new ();
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
          TsrBlockRequest *request = g_ptr_array_index (requests, i);

          g_queue_push_tail (&copy->waiting, tsr_block_request_ref (request));
          copy->under_way += request->n;
        }
      tsr_remote_blocks_send (self, requests);
      if (copy->waiting.length > 0)
        ok = wait_for_first (self, copy, cancellable, error);
      else
        ok = tsr_remote_blocks_wait (self, is_written, NULL, 0, cancellable, error);
      ok = ok && tsr_cached_file_is_on_disk (self->cached);
      tell_copied (self, copy);
    }
  g_queue_clear_full (&copy->waiting, (GDestroyNotify)tsr_block_request_unref);
  copy->under_way = 0;
  ok = ok && tsr_remote_blocks_wait (self, is_written, NULL, 0, cancellable, error);
  tell_copied (self, copy);
  return ok;
}

/* Why not all of it is there, when nothing else was said. */
static void
set_not_whole_error (TsrRemoteBlocks *self, GError **error)
{
  GError *cause = tsr_cached_file_steal_error (self->cached);

  if (cause != NULL)
    g_propagate_error (error, cause);
  else if (tsr_cached_file_is_void (self->cached))
    tsr_remote_blocks_set_changed_error (self, error);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                 _ ("%s does not fit into the cache; make its limit larger in the preferences, or "
                    "clear it"),
                 self->name);
}

gboolean
tsr_remote_blocks_fetch (TsrRemoteBlocks *self,
                         TsrProgress *progress,
                         GCancellable *cancellable,
                         GError **error)
{
  Copy copy = { .progress = progress, .most = COPY_BLOCKS };
  GError *local_error = NULL;
  gboolean is_whole;

  g_queue_init (&copy.waiting);
  if (!tsr_remote_blocks_ensure_trust (self, FALSE, cancellable, error))
    return FALSE;
  tell_copied (self, &copy);
  is_whole = tsr_cached_file_is_whole (self->cached);
  for (guint i = 0; i < COPY_PASSES && !is_whole && local_error == NULL; i++)
    {
      if (!tsr_remote_blocks_ensure_trust (self, TRUE, cancellable, &local_error)
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
background_thread (gpointer data)
{
  TsrRemoteBlocks *self = data;
  g_autoptr (GError) error = NULL;

  if (!tsr_remote_blocks_fetch (self, NULL, self->closing, &error))
    g_debug ("%s is not fetched in the background: %s", self->name, error->message);
  tsr_remote_blocks_unref (self);
  return NULL;
}

void
tsr_remote_blocks_fetch_in_background (TsrRemoteBlocks *self)
{
  g_thread_unref (g_thread_new ("remote-copy", background_thread, tsr_remote_blocks_ref (self)));
}
