/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of a connection: ranges are cut into pieces of 32 KiB, which are striped over the channels
 * on which the file is open, and reassembled as they arrive.
 *
 * Reads that somebody waits for go first, at once.  The rest shares a window that adapts to
 * response times (like TCP Vegas): it grows while they are close to the lowest seen, and shrinks
 * when requests queue up on the way, so that the next urgent read is not stuck behind megabytes.
 * Opening a file is always followed by a stat, in the same packet as the first reads; their data is
 * used once the stat confirms that it is the file that was listed.  Except where noted, the
 * connection's thread. */

#include "config.h"

#include "tsr-connection-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MIN_WINDOW    (4 * TSR_READ_PIECE)
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
  GPtrArray *held; /* (nullable) of Piece: answered before the look */
} Handle;

struct _TsrRemoteFile
{
  gint refs;
  TsrConnection *connection;
  char *path;
  TsrSourceStamp stamp;
  gboolean has_stamp;
  /* Thread only. */
  gboolean has_seen; /* without a stamp: as the first look saw it */
  TsrSourceStamp seen;
  GError *changed; /* (nullable): it is another file now, for good */
  guint64 generation;
  Handle handles[TSR_N_CHANNELS];
  gsize n_unasked; /* bytes that are queued and not asked for */
};

struct _TsrRead
{
  gint refs;
  TsrRemoteFile *file;
  guint64 offset;
  gsize length;
  TsrReadPriority priority;
  TsrRemoteReadFunc func;
  gpointer data;
  gint is_abandoned; /* atomic */
  /* Thread only. */
  guint8 *bytes;
  gsize asked; /* bytes that were asked for, from the start */
  gsize end;   /* bytes that there are, once the file's end is known */
  guint n_under_way;
  gboolean is_queued, is_told, is_wanted;
  GQueue again; /* of Piece: what came short */
  GError *error;
};

typedef struct
{
  TsrCore *core;
  TsrRead *read;
  gsize at, length; /* within the read */
  guint channel;
  gboolean is_bulk;
  gint64 sent;
} Piece;

typedef struct
{
  TsrCore *core;
  TsrRemoteFile *file;
  guint channel;
} Opening;

/* -------------------------------------------------------------------- files */

TsrRemoteFile *
tsr_remote_file_new (TsrConnection *connection, const char *path, const TsrSourceStamp *stamp)
{
  TsrRemoteFile *self;

  g_return_val_if_fail (TSR_IS_CONNECTION (connection) && path, NULL);
  self = g_new0 (TsrRemoteFile, 1);
  self->refs = 1;
  self->connection = g_object_ref (connection);
  self->path = g_strdup (path);
  self->has_stamp = stamp != NULL;
  if (stamp)
    self->stamp = *stamp;
  return self;
}

TsrRemoteFile *
tsr_remote_file_ref (TsrRemoteFile *self)
{
  g_atomic_int_inc (&self->refs);
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
  TsrCore *core;
  TsrJob *job;

  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  core = tsr_connection_get_core (self->connection);
  if (!tsr_core_has_thread (core))
    {
      tsr_remote_file_forget (core, self);
      return;
    }
  /* Its handles are the thread's to close. */
  job = tsr_job_new (core, TSR_JOB_FORGET_FILE, NULL);
  job->file = self;
  tsr_core_submit (core, job);
  tsr_job_unref (job);
}

void
tsr_remote_file_forget (TsrCore *core, TsrRemoteFile *file)
{
  if (core->chain && file->generation == core->generation)
    for (guint i = 0; i < core->n_channels; i++)
      if (file->handles[i].handle)
        tsr_sftp_send_handle (core->channels[i], TSR_SFTP_CLOSE, file->handles[i].handle, NULL,
                              NULL);
  clear_handles (file);
  g_clear_error (&file->changed);
  g_object_unref (file->connection);
  g_free (file->path);
  g_free (file);
}

/* -------------------------------------------------------------------- reads */

static TsrRead *
read_ref (TsrRead *read)
{
  g_atomic_int_inc (&read->refs);
  return read;
}

void
tsr_read_unref (TsrRead *read)
{
  if (!g_atomic_int_dec_and_test (&read->refs))
    return;
  g_queue_clear_full (&read->again, g_free);
  g_clear_error (&read->error);
  g_free (read->bytes);
  tsr_remote_file_unref (read->file);
  g_free (read);
}

TsrReadPriority
tsr_read_get_priority (TsrRead *read)
{
  return read->priority;
}

static void
tell (TsrRead *read)
{
  g_autoptr (GBytes) bytes = NULL;

  if (read->is_told)
    return;
  read->is_told = TRUE;
  if (read->is_wanted)
    g_atomic_pointer_add (&tsr_remote_file_get_core (read->file)->wanted, -(gssize)read->length);
  if (!read->error)
    bytes = g_bytes_new_take (g_steal_pointer (&read->bytes), MIN (read->end, read->length));
  read->func (bytes, g_steal_pointer (&read->error), read->data);
}

void
tsr_read_fail (TsrRead *read, GError *error)
{
  if (read->is_told || read->error)
    g_error_free (error);
  else
    read->error = error;
  tell (read);
}

TsrRead *
tsr_read_submit (TsrRemoteFile *file,
                 gint64 offset,
                 gsize length,
                 TsrReadPriority priority,
                 TsrRemoteReadFunc func,
                 gpointer data)
{
  TsrCore *core = tsr_connection_get_core (file->connection);
  TsrRead *read = g_new0 (TsrRead, 1);
  TsrJob *job = tsr_job_new (core, TSR_JOB_READ, NULL);

  read->refs = 2; /* the job's and the caller's */
  read->file = tsr_remote_file_ref (file);
  read->offset = (guint64)offset;
  read->length = length;
  read->priority = priority;
  read->func = func;
  read->data = data;
  g_queue_init (&read->again);
  job->read = read;
  tsr_core_submit (core, job);
  tsr_job_unref (job);
  return read;
}

void
tsr_remote_file_read_async (TsrRemoteFile *self,
                            gint64 offset,
                            gsize length,
                            TsrReadPriority priority,
                            TsrRemoteReadFunc func,
                            gpointer data)
{
  g_return_if_fail (self && offset >= 0 && func && priority <= TSR_READ_BACKGROUND);
  tsr_read_unref (tsr_read_submit (self, offset, length, priority, func, data));
}

static void
unqueue (TsrCore *core, TsrRead *read)
{
  if (!read->is_queued)
    return;
  read->is_queued = FALSE;
  read->file->n_unasked -= read->length - read->asked;
  g_queue_remove (&core->reads[read->priority], read);
  tsr_read_unref (read);
}

void
tsr_reads_add (TsrCore *core, TsrRead *read)
{
  TsrRemoteFile *file = read->file;

  /* No more than the file had: a length may be any number. */
  if (file->has_stamp)
    read->length = (guint64)file->stamp.size <= read->offset
                       ? 0
                       : (gsize)MIN (read->length, (guint64)file->stamp.size - read->offset);
  read->end = read->length;
  if (file->changed)
    {
      tsr_read_fail (read, g_error_copy (file->changed));
      return;
    }
  if (read->length == 0)
    {
      tell (read);
      return;
    }
  read->is_queued = TRUE;
  read->is_wanted = read->priority != TSR_READ_BACKGROUND;
  if (read->is_wanted)
    g_atomic_pointer_add (&core->wanted, (gssize)read->length);
  file->n_unasked += read->length;
  g_queue_push_tail (&core->reads[read->priority], read_ref (read));
}

void
tsr_reads_fail (TsrCore *core, const GError *error)
{
  for (guint p = 0; p < G_N_ELEMENTS (core->reads); p++)
    for (TsrRead *read; (read = g_queue_peek_head (&core->reads[p]));)
      {
        read_ref (read);
        unqueue (core, read);
        tsr_read_fail (read, g_error_copy (error));
        tsr_read_unref (read);
      }
}

/* All reads of a file that wait for it. */
static void
fail_file (TsrCore *core, TsrRemoteFile *file, const GError *error)
{
  for (guint p = 0; p < G_N_ELEMENTS (core->reads); p++)
    for (GList *l = core->reads[p].head, *next; l; l = next)
      {
        TsrRead *read = read_ref (l->data);

        next = l->next;
        if (read->file == file)
          {
            unqueue (core, read);
            tsr_read_fail (read, g_error_copy (error));
          }
        tsr_read_unref (read);
      }
}

/* --------------------------------------------------------------- the window */

/* What an answer's time says about the way there. */
static void
note_answer (TsrCore *core, const Piece *piece, gint64 now)
{
  double seconds = (double)(now - piece->sent) / G_USEC_PER_SEC, least = INFINITY, limit;
  guint n = G_N_ELEMENTS (core->least_answer_s);

  core->least_answer_s[core->n_answers++ % n] = seconds;
  for (guint i = 0; i < MIN (core->n_answers, n); i++)
    least = fmin (least, core->least_answer_s[i]);
  g_mutex_lock (&core->mutex);
  core->stats.latency_s = least;
  g_mutex_unlock (&core->mutex);
  if (core->base_s <= 0 || seconds < core->base_s || now - core->base_at > BASE_AGE_US)
    {
      core->base_s = seconds < core->base_s ? seconds : least;
      core->base_at = now;
    }
  if (!piece->is_bulk)
    return;
  limit = piece->read->priority == TSR_READ_AHEAD ? 1.5 * core->base_s + 2 * LEAST_SLACK_S
                                                  : 1.25 * core->base_s + LEAST_SLACK_S;
  if (seconds <= limit && core->bulk_in_flight + 2 * TSR_READ_PIECE >= core->bulk_window)
    core->bulk_window += core->is_slow_start
                             ? TSR_READ_PIECE
                             : (gsize)TSR_READ_PIECE * TSR_READ_PIECE / core->bulk_window + 1;
  else if (seconds > limit)
    {
      /* At most once in a round trip: the answers of one queue tell the same. */
      core->is_slow_start = FALSE;
      if (now - core->shrunk_at > (gint64)(seconds * G_USEC_PER_SEC))
        {
          core->bulk_window -= core->bulk_window / 8;
          core->shrunk_at = now;
        }
    }
  core->bulk_window
      = CLAMP (core->bulk_window, MIN_WINDOW, (gsize)TSR_N_CHANNELS * core->channel_bytes);
}

/* ------------------------------------------------------------------- pieces */

static void
finish_piece (Piece *piece)
{
  TsrRead *read = piece->read;

  read->n_under_way--;
  if (read->n_under_way == 0 && !read->is_queued && g_queue_is_empty (&read->again))
    {
      TsrRemoteFile *file = read->file;

      if (!read->error && file->has_stamp && read->end < read->length)
        read->error = g_error_new (TSR_ERROR, TSR_ERROR_CHANGED,
                                   _ ("%s: %s is shorter than it was; reload the report"),
                                   piece->core->name, file->path);
      tell (read);
    }
  tsr_read_unref (read);
  g_free (piece);
}

/* Takes @error. */
static void
fail_piece (Piece *piece, GError *error)
{
  TsrRead *read = piece->read;

  unqueue (piece->core, read);
  g_queue_clear_full (&read->again, g_free);
  if (read->error)
    g_error_free (error);
  else
    read->error = error;
  finish_piece (piece);
}

/* Asks for the rest of a piece that came short, before anything else of its read. */
static void
ask_again (Piece *piece, gsize got)
{
  Piece *rest = g_new0 (Piece, 1);
  TsrRead *read = piece->read;

  rest->at = piece->at + got;
  rest->length = piece->length - got;
  g_queue_push_tail (&read->again, rest);
  if (!read->is_queued)
    {
      read->is_queued = TRUE;
      g_queue_push_head (&piece->core->reads[read->priority], read_ref (read));
    }
}

/* The channel is gone: what was asked on it is asked on another one, unless all are. */
static void
lose_piece (Piece *piece, TsrSftp *sftp)
{
  TsrCore *core = piece->core;

  if (core->loss)
    fail_piece (piece, g_error_copy (core->loss));
  else if (piece->channel == 0)
    fail_piece (piece, g_error_copy (tsr_sftp_get_error (sftp)));
  else
    {
      if (!piece->read->error)
        ask_again (piece, 0);
      finish_piece (piece);
    }
}

/* FALSE: the answer cannot be true. */
static gboolean
take_data (Piece *piece, const TsrSftpAnswer *answer)
{
  TsrWire body = answer->body;
  const guint8 *bytes;
  gsize length;

  if (!tsr_wire_take_string (&body, &bytes, &length) || length == 0 || length > piece->length)
    return FALSE;
  g_mutex_lock (&piece->core->mutex);
  piece->core->stats.bytes += length;
  g_mutex_unlock (&piece->core->mutex);
  if (piece->read->is_told || piece->read->error)
    return TRUE;
  memcpy (piece->read->bytes + piece->at, bytes, length);
  if (length < piece->length)
    ask_again (piece, length);
  return TRUE;
}

static void
piece_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Piece *piece = data;
  TsrCore *core = piece->core;
  TsrRemoteFile *file = piece->read->file;
  Handle *handle = &file->handles[piece->channel];

  core->in_flight[piece->channel] -= piece->length;
  if (piece->is_bulk)
    core->bulk_in_flight -= piece->length;
  if (!answer)
    {
      lose_piece (piece, sftp);
      return;
    }
  note_answer (core, piece, g_get_monotonic_time ());
  if (answer->type == TSR_SFTP_STATUS && answer->status == TSR_SFTP_EOF)
    piece->read->end = MIN (piece->read->end, piece->at);
  else if (answer->type != TSR_SFTP_DATA)
    {
      fail_piece (piece, tsr_sftp_answer_error (core, answer, file->path, TRUE));
      return;
    }
  else if (!take_data (piece, answer))
    {
      tsr_sftp_fail (sftp, _ ("more or fewer bytes than were asked for"));
      lose_piece (piece, sftp);
      return;
    }
  if (file->changed)
    {
      fail_piece (piece, g_error_copy (file->changed));
      return;
    }
  if (handle->state != HANDLE_LOOKING)
    {
      finish_piece (piece);
      return;
    }
  if (!handle->held)
    handle->held = g_ptr_array_new ();
  g_ptr_array_add (handle->held, piece);
}

/* ------------------------------------------------------------------- handles */

static gboolean
is_usable (const Handle *handle)
{
  return handle->state == HANDLE_OPEN || handle->state == HANDLE_LOOKING;
}

static gboolean
is_same (TsrRemoteFile *file, const TsrSftpAttributes *attributes)
{
  const TsrSourceStamp *known = file->has_stamp ? &file->stamp : &file->seen;

  if (!file->has_stamp && !file->has_seen)
    {
      file->seen.size = attributes->has_size ? (gint64)attributes->size : -1;
      file->seen.mtime_us = attributes->has_times ? (gint64)attributes->mtime * G_USEC_PER_SEC : 0;
      file->has_seen = TRUE;
      return TRUE;
    }
  if (attributes->has_size && known->size >= 0 && attributes->size != (guint64)known->size)
    return FALSE;
  return !attributes->has_times || known->mtime_us == 0
         || known->mtime_us / G_USEC_PER_SEC == (gint64)attributes->mtime;
}

/* Ends what waited for the look; takes @error (nullable: it is the file). */
static void
end_look (TsrCore *core, TsrRemoteFile *file, Handle *handle, TsrSftp *sftp, GError *error)
{
  g_autoptr (GPtrArray) held = g_steal_pointer (&handle->held);

  if (error)
    fail_file (core, file, error);
  for (guint i = 0; held && i < held->len; i++)
    if (error)
      fail_piece (held->pdata[i], g_error_copy (error));
    else if (tsr_sftp_get_state (sftp) == TSR_SFTP_FAILED)
      lose_piece (held->pdata[i], sftp);
    else
      finish_piece (held->pdata[i]);
  g_clear_error (&error);
}

static void
look_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Opening *opening = data;
  TsrRemoteFile *file = opening->file;
  Handle *handle = &file->handles[opening->channel];
  TsrSftpAttributes attributes = { 0 };
  GError *error = NULL;

  if (!answer)
    handle->state = HANDLE_FAILED;
  else
    {
      TsrWire body = answer->body;

      handle->state = HANDLE_OPEN;
      if (answer->type != TSR_SFTP_ATTRS)
        error = tsr_sftp_answer_error (opening->core, answer, file->path, TRUE);
      else if (!tsr_wire_take_attributes (&body, &attributes))
        {
          handle->state = HANDLE_FAILED;
          tsr_sftp_fail (sftp, _ ("attributes are cut off"));
        }
      else if (!is_same (file, &attributes))
        {
          error = g_error_new (TSR_ERROR, TSR_ERROR_CHANGED,
                               _ ("%s: %s is not the file any more that was opened; reload the "
                                  "report"),
                               opening->core->name, file->path);
          if (!file->changed)
            file->changed = g_error_copy (error);
        }
    }
  if (error)
    {
      tsr_sftp_send_handle (sftp, TSR_SFTP_CLOSE, handle->handle, NULL, NULL);
      g_clear_pointer (&handle->handle, g_bytes_unref);
      handle->state = HANDLE_NONE;
    }
  end_look (opening->core, file, handle, sftp, error);
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
open_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  Opening *opening = data;
  TsrRemoteFile *file = opening->file;
  Handle *handle = &file->handles[opening->channel];

  handle->handle = answer ? tsr_sftp_answer_dup_handle (answer) : NULL;
  if (handle->handle)
    {
      handle->state = HANDLE_LOOKING;
      tsr_sftp_send_handle (sftp, TSR_SFTP_FSTAT, handle->handle, look_cb, opening);
      return;
    }
  handle->state = HANDLE_FAILED;
  if (answer && !is_open_somewhere (file))
    {
      g_autoptr (GError) error = tsr_sftp_answer_error (opening->core, answer, file->path, TRUE);

      handle->state = HANDLE_NONE; /* the next read tries again */
      fail_file (opening->core, file, error);
    }
  tsr_remote_file_unref (file);
  g_free (opening);
}

static void
open_on (TsrCore *core, TsrRemoteFile *file, guint channel)
{
  Opening *opening = g_new (Opening, 1);

  opening->core = core;
  opening->file = tsr_remote_file_ref (file);
  opening->channel = channel;
  file->handles[channel].state = HANDLE_OPENING;
  tsr_sftp_send_path (core->channels[channel], TSR_SFTP_OPEN_FILE, file->path, open_cb, opening);
}

static gboolean
is_ready (TsrCore *core, guint channel)
{
  return tsr_sftp_get_state (core->channels[channel]) == TSR_SFTP_READY;
}

/* Opens the file where it has to be, and further channels when there is much to read. */
static void
prepare_file (TsrCore *core, TsrRemoteFile *file)
{
  if (file->generation != core->generation)
    {
      clear_handles (file);
      file->generation = core->generation;
    }
  if (!is_open_somewhere (file))
    open_on (core, file, 0);
  if (file->n_unasked < WIDE_BYTES)
    return;
  for (; core->n_channels < core->max_channels; core->n_channels++)
    core->channels[core->n_channels] = tsr_sftp_new (core->chain->session, core->name);
  for (guint i = 1; i < core->n_channels; i++)
    if (is_ready (core, i) && file->handles[i].state == HANDLE_NONE)
      open_on (core, file, i);
}

/* ------------------------------------------------------------------- issuing */

/* -1: none has room.  The first channel is kept short of bulk, for what somebody waits for. */
static int
pick_channel (TsrCore *core, TsrRemoteFile *file, gboolean is_bulk)
{
  gboolean has_others = FALSE;
  int best = -1;

  for (guint i = 1; i < core->n_channels; i++)
    has_others = has_others || (is_ready (core, i) && is_usable (&file->handles[i]));
  for (guint i = 0; i < core->n_channels; i++)
    {
      gsize limit = is_bulk && i == 0 && has_others ? core->channel_bytes / 4 : core->channel_bytes;

      if (is_ready (core, i) && is_usable (&file->handles[i])
          && core->in_flight[i] + TSR_READ_PIECE <= limit
          && (best < 0 || core->in_flight[i] < core->in_flight[best]))
        best = (int)i;
    }
  return best;
}

static Piece *
next_piece (TsrRead *read)
{
  Piece *piece = g_queue_pop_head (&read->again);

  if (piece)
    return piece;
  piece = g_new0 (Piece, 1);
  piece->at = read->asked;
  piece->length = MIN (TSR_READ_PIECE, read->length - read->asked);
  read->asked += piece->length;
  read->file->n_unasked -= piece->length;
  return piece;
}

static void
issue_piece (TsrCore *core, TsrRead *read, guint channel, gboolean is_bulk)
{
  Piece *piece = next_piece (read);

  if (!read->bytes)
    read->bytes = g_malloc (read->length);
  piece->core = core;
  piece->read = read_ref (read);
  piece->channel = channel;
  piece->is_bulk = is_bulk;
  piece->sent = g_get_monotonic_time ();
  read->n_under_way++;
  core->in_flight[channel] += piece->length;
  if (is_bulk)
    core->bulk_in_flight += piece->length;
  tsr_sftp_send_read (core->channels[channel], read->file->handles[channel].handle,
                      read->offset + piece->at, (guint32)piece->length, piece_cb, piece);
}

/* As much of a read as there is room for; FALSE: the window is full. */
static gboolean
issue_read (TsrCore *core, TsrRead *read)
{
  gboolean is_bulk = read->priority != TSR_READ_NOW;

  prepare_file (core, read->file);
  while (read->is_queued)
    {
      int channel;

      if (is_bulk && core->bulk_in_flight + TSR_READ_PIECE > core->bulk_window)
        return FALSE;
      channel = pick_channel (core, read->file, is_bulk);
      if (channel < 0)
        return TRUE;
      issue_piece (core, read, (guint)channel, is_bulk);
      if (read->asked == read->length && g_queue_is_empty (&read->again))
        unqueue (core, read);
    }
  return TRUE;
}

void
tsr_reads_issue (TsrCore *core)
{
  for (guint p = 0; p < G_N_ELEMENTS (core->reads); p++)
    {
      guint n_waiting = 0;

      for (GList *l = core->reads[p].head, *next; l && n_waiting < MAX_WAITING; l = next)
        {
          TsrRead *read = read_ref (l->data);
          gboolean goes_on = TRUE;

          next = l->next;
          if (g_atomic_int_get (&read->is_abandoned))
            {
              unqueue (core, read);
              tsr_read_fail (read,
                             g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, core->name));
            }
          else
            {
              goes_on = issue_read (core, read);
              n_waiting += read->is_queued;
            }
          tsr_read_unref (read);
          if (!goes_on)
            return;
        }
    }
}

gboolean
tsr_read_is_abandoned (TsrRead *read)
{
  return g_atomic_int_get (&read->is_abandoned);
}

void
tsr_read_abandon (TsrRead *read)
{
  g_atomic_int_set (&read->is_abandoned, TRUE);
}

TsrCore *
tsr_remote_file_get_core (TsrRemoteFile *self)
{
  return tsr_connection_get_core (self->connection);
}
