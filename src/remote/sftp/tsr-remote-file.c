/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of a connection: ranges are requested in blocks of 32 KiB, which are striped over the
 * channels on which the file is open.  Each block is copied once, out of its packet.
 *
 * Reads that somebody waits for go first, at once.  The rest shares a window that adapts to
 * response times (like TCP Vegas): it grows while they are close to the lowest seen, and shrinks
 * when requests queue up on the way, so that the next urgent read is not stuck behind megabytes.
 * Opening a file is always followed by a stat, in the same packet as the first reads; their data is
 * used once the stat confirms that it is the file that was listed.  Except where noted, the
 * connection's thread. */

#include "config.h"

#include "tsr-remote-file.h"

#include "tsr-error.h"
#include "tsr-remote-error.h"
#include "tsr-ssh-window.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MIN_WINDOW    (4 * TSR_BLOCK_BYTES)
#define LEAST_SLACK_S 0.025 /* a server that is busy for that long is not a queue */
#define BASE_AGE_US   (30 * G_USEC_PER_SEC)
#define MAX_WAITING   64        /* reads that are looked at in vain before the others wait too */
#define WIDE_BYTES    (1 << 20) /* so much to read makes a file open on further channels */

typedef enum
{
  HANDLE_NONE,
  HANDLE_OPENING,
  HANDLE_LOOKING, /* open; whether it is the same file is asked */
  HANDLE_OPEN,
  HANDLE_FAILED, /* on this channel only */
} HandleState;

typedef struct
{
  HandleState state;
  GBytes *handle;
  GPtrArray *held; /* (nullable) of Packet: answered before the look */
} Handle;

struct _TsrRemoteFile
{
  gatomicrefcount refs; /* the last one goes on the connection's thread */
  TsrReads *reads;
  char *path;
  TsrSourceStamp stamp;
  GError *changed; /* (nullable): it is another file now, for good */
  guint64 generation;
  Handle handles[TSR_N_CHANNELS];
  gsize n_unasked; /* bytes that are queued and not asked for */
};

struct _TsrRead
{
  guint refs;
  TsrRemoteFile *file;
  guint64 offset;
  gsize length;
  TsrReadPriority priority;
  TsrRemoteReadFunc func;
  gpointer data;
  GPtrArray *blocks; /* of guint8[], in the order of the file */
  gsize asked;       /* bytes that were asked for, from the start */
  guint n_under_way;
  gboolean is_queued, is_told, is_wanted, is_short;
  GQueue again; /* of Packet: what came short */
  GError *error;
};

/* A packet that asks for a block, or for the rest of one. */
typedef struct
{
  TsrRead *read;
  gsize start, length; /* within the read */
  guint channel;
  gboolean is_bulk;
  gint64 sent;
} Packet;

typedef struct
{
  TsrRemoteFile *file;
  guint channel;
} Opening;

/* -------------------------------------------------------------------- files */

TsrRemoteFile *
tsr_remote_file_new (TsrReads *reads, const char *path, const TsrSourceStamp *stamp)
{
  TsrRemoteFile *self = g_new0 (TsrRemoteFile, 1);

  g_atomic_ref_count_init (&self->refs);
  self->reads = reads;
  self->path = g_strdup (path);
  self->stamp = *stamp;
  return self;
}

static TsrRemoteFile *
file_ref (TsrRemoteFile *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
clear_handles (TsrRemoteFile *self)
{
  for (guint i = 0; i < TSR_N_CHANNELS; i++)
    {
      Handle *handle = &self->handles[i];

      g_clear_pointer (&handle->handle, g_bytes_unref);
      g_clear_pointer (&handle->held, g_ptr_array_unref);
      handle->state = HANDLE_NONE;
    }
}

void
tsr_remote_file_unref (TsrRemoteFile *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  if (self->generation == self->reads->generation)
    for (guint i = 0; i < self->reads->n_channels; i++)
      if (self->handles[i].handle != NULL)
        tsr_sftp_send_handle (self->reads->channels[i], TSR_SFTP_CLOSE, self->handles[i].handle,
                              NULL, NULL);
  clear_handles (self);
  g_clear_error (&self->changed);
  g_free (self->path);
  g_free (self);
}

/* -------------------------------------------------------------------- reads */

TsrRead *
tsr_read_new (TsrRemoteFile *file,
              gint64 offset,
              gsize length,
              TsrReadPriority priority,
              TsrRemoteReadFunc func,
              gpointer data)
{
  TsrRead *read = g_new0 (TsrRead, 1);

  read->refs = 1;
  read->file = file_ref (file);
  read->offset = (guint64)offset;
  read->length = length;
  read->priority = priority;
  read->func = func;
  read->data = data;
  read->blocks = g_ptr_array_new_with_free_func (g_free);
  return read;
}

static TsrRead *
read_ref (TsrRead *read)
{
  read->refs++;
  return read;
}

static void
read_unref (TsrRead *read)
{
  if (--read->refs > 0)
    return;
  g_queue_clear_full (&read->again, g_free);
  g_clear_error (&read->error);
  g_ptr_array_unref (read->blocks);
  tsr_remote_file_unref (read->file);
  g_free (read);
}

TsrReadPriority
tsr_read_get_priority (const TsrRead *read)
{
  return read->priority;
}

/* Takes @error; the first one counts. */
static void
take_error (TsrRead *read, GError *error)
{
  if (read->is_told || read->error != NULL)
    g_error_free (error);
  else
    read->error = error;
}

static void
tell (TsrRead *read)
{
  g_autoptr (GPtrArray) blocks = NULL;

  if (read->is_told)
    return;
  read->is_told = TRUE;
  if (read->is_wanted)
    __atomic_fetch_sub (&read->file->reads->wanted, read->length, __ATOMIC_RELAXED);
  if (read->error == NULL)
    {
      blocks = g_ptr_array_new_full (read->blocks->len, (GDestroyNotify)g_bytes_unref);
      for (guint i = 0; i < read->blocks->len; i++)
        g_ptr_array_add (
            blocks,
            g_bytes_new_take (g_steal_pointer (&read->blocks->pdata[i]),
                              MIN (TSR_BLOCK_BYTES, read->length - (gsize)i * TSR_BLOCK_BYTES)));
    }
  read->func (blocks, g_steal_pointer (&read->error), read->data);
}

void
tsr_read_fail (TsrRead *read, GError *error)
{
  take_error (read, error);
  tell (read);
  read_unref (read);
}

static void
enqueue (TsrRead *read)
{
  read->is_queued = TRUE;
  g_queue_push_tail (&read->file->reads->queues[read->priority], read_ref (read));
}

static void
unqueue (TsrRead *read)
{
  if (!read->is_queued)
    return;
  read->is_queued = FALSE;
  read->file->n_unasked -= read->length - read->asked;
  g_queue_remove (&read->file->reads->queues[read->priority], read);
  read_unref (read);
}

/* Ends the reads that are queued, of @file or (NULL) of all. */
static void
fail_queued (TsrReads *self, TsrRemoteFile *file, const GError *error)
{
  for (guint p = 0; p < G_N_ELEMENTS (self->queues); p++)
    for (GList *l = self->queues[p].head, *next; l != NULL; l = next)
      {
        TsrRead *read = l->data;

        next = l->next;
        if (file != NULL && read->file != file)
          continue;
        read_ref (read);
        unqueue (read);
        tsr_read_fail (read, g_error_copy (error));
      }
}

void
tsr_reads_add (TsrReads *self, TsrRead *read)
{
  TsrRemoteFile *file = read->file;
  const gint64 left = file->stamp.size - (gint64)read->offset;

  /* No more than the file had: a length may be any number. */
  read->length = MIN (read->length, (gsize)MAX (left, 0));
  if (file->changed != NULL)
    take_error (read, g_error_copy (file->changed));
  if (read->error != NULL || read->length == 0)
    tell (read);
  else
    {
      g_ptr_array_set_size (read->blocks,
                            (gint)((read->length + TSR_BLOCK_BYTES - 1) / TSR_BLOCK_BYTES));
      file->n_unasked += read->length;
      read->is_wanted = read->priority != TSR_READ_BACKGROUND;
      if (read->is_wanted)
        __atomic_fetch_add (&self->wanted, read->length, __ATOMIC_RELAXED);
      enqueue (read);
    }
  read_unref (read);
}

/* --------------------------------------------------------------- the window */

/* What an answer's time says about the way there. */
static void
note_answer (TsrReads *self, const Packet *packet, gint64 now)
{
  double seconds = (double)(now - packet->sent) / G_USEC_PER_SEC, least = INFINITY, limit;
  guint n = G_N_ELEMENTS (self->least_answer_s);

  self->least_answer_s[self->n_answers++ % n] = seconds;
  for (guint i = 0; i < MIN (self->n_answers, n); i++)
    least = fmin (least, self->least_answer_s[i]);
  __atomic_store_n (&self->latency_us, (guint64)(least * G_USEC_PER_SEC), __ATOMIC_RELAXED);
  if (self->base_s <= 0 || seconds < self->base_s || now - self->base_us > BASE_AGE_US)
    {
      self->base_s = seconds < self->base_s ? seconds : least;
      self->base_us = now;
    }
  if (!packet->is_bulk)
    return;
  limit = packet->read->priority == TSR_READ_AHEAD ? 1.5 * self->base_s + 2 * LEAST_SLACK_S
                                                   : 1.25 * self->base_s + LEAST_SLACK_S;
  if (seconds <= limit && self->bulk_in_flight + 2 * TSR_BLOCK_BYTES >= self->bulk_window)
    self->bulk_window += self->is_slow_start
                             ? TSR_BLOCK_BYTES
                             : (gsize)TSR_BLOCK_BYTES * TSR_BLOCK_BYTES / self->bulk_window + 1;
  else if (seconds > limit)
    {
      /* At most once in a round trip: the answers of one queue tell the same. */
      self->is_slow_start = FALSE;
      if (now - self->shrunk_us > (gint64)(seconds * G_USEC_PER_SEC))
        {
          self->bulk_window -= self->bulk_window / 8;
          self->shrunk_us = now;
        }
    }
  self->bulk_window
      = CLAMP (self->bulk_window, MIN_WINDOW, (gsize)TSR_N_CHANNELS * self->channel_bytes);
}

/* ------------------------------------------------------------------ packets */

static void
finish_packet (Packet *packet)
{
  TsrRead *read = packet->read;

  read->n_under_way--;
  if (read->n_under_way == 0 && !read->is_queued && g_queue_is_empty (&read->again))
    {
      if (read->is_short)
        take_error (read, g_error_new (TSR_ERROR, TSR_ERROR_CHANGED,
                                       _ ("%s: %s is shorter than it was; reload the report"),
                                       read->file->reads->who, read->file->path));
      tell (read);
    }
  read_unref (read);
  g_free (packet);
}

/* Takes @error. */
static void
fail_packet (Packet *packet, GError *error)
{
  unqueue (packet->read);
  g_queue_clear_full (&packet->read->again, g_free);
  take_error (packet->read, error);
  finish_packet (packet);
}

/* Asks for the rest of a block that came short, before anything else of its read. */
static void
ask_again (const Packet *packet, gsize got)
{
  TsrRead *read = packet->read;
  Packet *rest = g_new0 (Packet, 1);

  rest->start = packet->start + got;
  rest->length = packet->length - got;
  g_queue_push_tail (&read->again, rest);
  if (!read->is_queued)
    {
      read->is_queued = TRUE;
      g_queue_push_head (&read->file->reads->queues[read->priority], read_ref (read));
    }
}

/* The channel is gone: what was asked on it is asked on another one, unless all are or nobody wants
 * it any more. */
static void
lose_packet (Packet *packet, TsrSftp *sftp)
{
  const GError *error
      = packet->channel == 0 ? tsr_sftp_get_error (sftp) : packet->read->file->changed;

  if (error != NULL)
    {
      fail_packet (packet, g_error_copy (error));
      return;
    }
  if (packet->read->error == NULL)
    ask_again (packet, 0);
  finish_packet (packet);
}

/* FALSE: the answer cannot be true. */
static gboolean
take_data (const Packet *packet, const TsrSftpAnswer *answer)
{
  TsrRead *read = packet->read;
  TsrWire body = answer->body;
  const guint8 *bytes;
  guint8 **block;
  gsize length;

  if (!tsr_wire_take_string (&body, &bytes, &length) || length == 0 || length > packet->length)
    return FALSE;
  __atomic_fetch_add (&read->file->reads->received, length, __ATOMIC_RELAXED);
  if (read->is_told || read->error != NULL)
    return TRUE;
  block = (guint8 **)&read->blocks->pdata[packet->start / TSR_BLOCK_BYTES];
  if (*block == NULL)
    *block = g_malloc (MIN (TSR_BLOCK_BYTES, read->length - packet->start));
  memcpy (*block + packet->start % TSR_BLOCK_BYTES, bytes, length);
  if (length < packet->length)
    ask_again (packet, length);
  return TRUE;
}

static void
on_data (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Packet *packet = data;
  TsrRemoteFile *file = packet->read->file;
  TsrReads *self = file->reads;
  Handle *handle = &file->handles[packet->channel];

  self->in_flight[packet->channel] -= packet->length;
  if (packet->is_bulk)
    self->bulk_in_flight -= packet->length;
  if (answer == NULL)
    {
      lose_packet (packet, sftp);
      return;
    }
  note_answer (self, packet, g_get_monotonic_time ());
  if (answer->type == TSR_SFTP_STATUS && answer->status == TSR_SFTP_EOF)
    packet->read->is_short = TRUE;
  else if (answer->type != TSR_SFTP_DATA)
    {
      fail_packet (packet, tsr_sftp_answer_dup_error (sftp, answer, file->path, TRUE));
      return;
    }
  else if (!take_data (packet, answer))
    {
      tsr_sftp_fail (sftp, _ ("more or fewer bytes than were asked for"));
      lose_packet (packet, sftp);
      return;
    }
  if (file->changed != NULL)
    {
      fail_packet (packet, g_error_copy (file->changed));
      return;
    }
  if (handle->state != HANDLE_LOOKING)
    {
      finish_packet (packet);
      return;
    }
  if (handle->held == NULL)
    handle->held = g_ptr_array_new ();
  g_ptr_array_add (handle->held, packet);
}

/* ------------------------------------------------------------------- handles */

static gboolean
is_usable (const Handle *handle)
{
  return handle->state == HANDLE_OPEN || handle->state == HANDLE_LOOKING;
}

static gboolean
is_same (const TsrSourceStamp *stamp, const TsrSftpAttributes *attributes)
{
  if (attributes->has_size && attributes->size != (guint64)stamp->size)
    return FALSE;
  return !attributes->has_times || stamp->mtime_us == 0
         || stamp->mtime_us / G_USEC_PER_SEC == (gint64)attributes->mtime;
}

/* Ends what waited for the look; takes @error (nullable: it is the file). */
static void
end_look (TsrRemoteFile *file, Handle *handle, TsrSftp *sftp, GError *error)
{
  g_autoptr (GPtrArray) held = g_steal_pointer (&handle->held);

  if (error != NULL)
    fail_queued (file->reads, file, error);
  for (guint i = 0; held != NULL && i < held->len; i++)
    if (error != NULL)
      fail_packet (held->pdata[i], g_error_copy (error));
    else if (tsr_sftp_get_state (sftp) == TSR_SFTP_FAILED)
      lose_packet (held->pdata[i], sftp);
    else
      finish_packet (held->pdata[i]);
  g_clear_error (&error);
}

static void
on_look (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Opening *opening = data;
  TsrRemoteFile *file = opening->file;
  Handle *handle = &file->handles[opening->channel];
  TsrSftpAttributes attributes = { 0 };
  GError *error = NULL;

  if (answer == NULL)
    handle->state = HANDLE_FAILED;
  else
    {
      TsrWire body = answer->body;

      handle->state = HANDLE_OPEN;
      if (answer->type != TSR_SFTP_ATTRS)
        error = tsr_sftp_answer_dup_error (sftp, answer, file->path, TRUE);
      else if (!tsr_sftp_take_attributes (&body, &attributes))
        {
          handle->state = HANDLE_FAILED;
          tsr_sftp_fail (sftp, _ ("attributes are cut off"));
        }
      else if (!is_same (&file->stamp, &attributes))
        {
          error
              = g_error_new (TSR_ERROR, TSR_ERROR_CHANGED,
                             _ ("%s: %s is no longer the file that was opened; reload the report"),
                             tsr_sftp_get_who (sftp), file->path);
          if (file->changed == NULL)
            file->changed = g_error_copy (error);
        }
    }
  if (error != NULL)
    {
      tsr_sftp_send_handle (sftp, TSR_SFTP_CLOSE, handle->handle, NULL, NULL);
      g_clear_pointer (&handle->handle, g_bytes_unref);
      handle->state = HANDLE_NONE;
    }
  end_look (file, handle, sftp, error);
  tsr_remote_file_unref (file);
  g_free (opening);
}

static gboolean
is_open_somewhere (TsrRemoteFile *file)
{
  for (guint i = 0; i < TSR_N_CHANNELS; i++)
    if (file->handles[i].state != HANDLE_NONE && file->handles[i].state != HANDLE_FAILED)
      return TRUE;
  return FALSE;
}

static void
on_open (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Opening *opening = data;
  TsrRemoteFile *file = opening->file;
  Handle *handle = &file->handles[opening->channel];

  handle->handle = answer != NULL ? tsr_sftp_answer_dup_handle (answer) : NULL;
  if (handle->handle != NULL)
    {
      handle->state = HANDLE_LOOKING;
      tsr_sftp_send_handle (sftp, TSR_SFTP_FSTAT, handle->handle, on_look, opening);
      return;
    }
  handle->state = HANDLE_FAILED;
  if (answer != NULL && !is_open_somewhere (file))
    {
      g_autoptr (GError) error = tsr_sftp_answer_dup_error (sftp, answer, file->path, TRUE);

      handle->state = HANDLE_NONE; /* the next read tries again */
      fail_queued (file->reads, file, error);
    }
  tsr_remote_file_unref (file);
  g_free (opening);
}

static void
open_on (TsrRemoteFile *file, guint channel)
{
  Opening *opening = g_new (Opening, 1);

  opening->file = file_ref (file);
  opening->channel = channel;
  file->handles[channel].state = HANDLE_OPENING;
  tsr_sftp_send_path (file->reads->channels[channel], TSR_SFTP_OPEN_FILE, file->path, on_open,
                      opening);
}

static gboolean
is_ready (TsrReads *self, guint channel)
{
  return tsr_sftp_get_state (self->channels[channel]) == TSR_SFTP_READY;
}

/* Opens the file where it has to be, and further channels when there is much to read. */
static void
prepare_file (TsrRemoteFile *file)
{
  TsrReads *self = file->reads;

  if (file->generation != self->generation)
    {
      clear_handles (file);
      file->generation = self->generation;
    }
  if (!is_open_somewhere (file))
    open_on (file, 0);
  if (file->n_unasked < WIDE_BYTES)
    return;
  for (; self->n_channels < self->max_channels; self->n_channels++)
    self->channels[self->n_channels] = tsr_sftp_new (self->session, self->who);
  for (guint i = 1; i < self->n_channels; i++)
    if (is_ready (self, i) && file->handles[i].state == HANDLE_NONE)
      open_on (file, i);
}

/* ------------------------------------------------------------------- issuing */

/* -1: none has room.  The first channel is kept short of bulk, for what somebody waits for. */
static int
pick_channel (TsrReads *self, TsrRemoteFile *file, gboolean is_bulk)
{
  gboolean has_others = FALSE;
  int best = -1;

  for (guint i = 1; i < self->n_channels; i++)
    has_others = has_others || (is_ready (self, i) && is_usable (&file->handles[i]));
  for (guint i = 0; i < self->n_channels; i++)
    {
      gsize limit = is_bulk && i == 0 && has_others ? self->channel_bytes / 4 : self->channel_bytes;

      if (is_ready (self, i) && is_usable (&file->handles[i])
          && self->in_flight[i] + TSR_BLOCK_BYTES <= limit
          && (best < 0 || self->in_flight[i] < self->in_flight[best]))
        best = (int)i;
    }
  return best;
}

static Packet *
next_packet (TsrRead *read)
{
  Packet *packet = g_queue_pop_head (&read->again);

  if (packet != NULL)
    return packet;
  packet = g_new0 (Packet, 1);
  packet->start = read->asked;
  packet->length = MIN (TSR_BLOCK_BYTES, read->length - read->asked);
  read->asked += packet->length;
  read->file->n_unasked -= packet->length;
  return packet;
}

static void
send_packet (TsrRead *read, guint channel, gboolean is_bulk)
{
  TsrReads *self = read->file->reads;
  Packet *packet = next_packet (read);

  packet->read = read_ref (read);
  packet->channel = channel;
  packet->is_bulk = is_bulk;
  packet->sent = g_get_monotonic_time ();
  read->n_under_way++;
  self->in_flight[channel] += packet->length;
  if (is_bulk)
    self->bulk_in_flight += packet->length;
  tsr_sftp_send_read (self->channels[channel], read->file->handles[channel].handle,
                      read->offset + packet->start, (guint32)packet->length, on_data, packet);
}

/* As much of a read as there is room for; FALSE: the window is full. */
static gboolean
issue_read (TsrReads *self, TsrRead *read)
{
  gboolean is_bulk = read->priority != TSR_READ_NOW;

  prepare_file (read->file);
  while (read->is_queued)
    {
      int channel;

      if (is_bulk && self->bulk_in_flight + TSR_BLOCK_BYTES > self->bulk_window)
        return FALSE;
      channel = pick_channel (self, read->file, is_bulk);
      if (channel < 0)
        return TRUE;
      send_packet (read, (guint)channel, is_bulk);
      if (read->asked == read->length && g_queue_is_empty (&read->again))
        unqueue (read);
    }
  return TRUE;
}

void
tsr_reads_issue (TsrReads *self)
{
  for (guint p = 0; p < G_N_ELEMENTS (self->queues); p++)
    {
      guint n_waiting = 0;

      for (GList *l = self->queues[p].head, *next; l != NULL && n_waiting < MAX_WAITING; l = next)
        {
          TsrRead *read = read_ref (l->data);
          gboolean goes_on;

          next = l->next; /* a read that is asked for whole leaves the queue */
          goes_on = issue_read (self, read);
          n_waiting += read->is_queued;
          read_unref (read);
          if (!goes_on)
            return;
        }
    }
}

/* ------------------------------------------------------------------- session */

void
tsr_reads_begin (TsrReads *self, ssh_session session)
{
  self->session = session;
  self->generation++;
  self->max_channels = TSR_N_CHANNELS;
  /* The answers' heads have room in what is left of the window. */
  self->channel_bytes = tsr_ssh_window_get_least () - TSR_BLOCK_BYTES;
  self->bulk_window = 8 * TSR_BLOCK_BYTES;
  self->bulk_in_flight = 0;
  self->n_answers = 0;
  self->is_slow_start = TRUE;
  self->base_s = 0;
  memset (self->in_flight, 0, sizeof self->in_flight);
  self->channels[0] = tsr_sftp_new (session, self->who);
  self->n_channels = 1;
}

void
tsr_reads_end (TsrReads *self, const GError *error)
{
  guint n = self->n_channels;

  /* Handles are void: there is no channel that they could be used on, and the next session is
   * another generation. */
  self->n_channels = 0;
  for (guint i = 0; i < n; i++)
    tsr_sftp_free (self->channels[i], error);
  fail_queued (self, NULL, error);
}
