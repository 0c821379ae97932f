/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads of files (sftp/tsr-remote-file.c) over channels and a time that are made up here: thousands
 * of packets, whose answers come short, late, wrong or not at all.  Each read must end once, with
 * the bytes of the file or with the error that was planted; and at each packet the world, which
 * counts for itself, looks at what is on the way, who goes first, on which channel, and how large
 * the window is.  The real channels are tested in test-connection.c. */

#include "sftp/tsr-remote-file.h"
#include "ssh/tsr-ssh-window.h"
#include "tsr-error.h"
#include "tsr-remote-error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define N_FILES  6 /* two of each priority */
#define MAX_READ 60
#define BLOCK    TSR_BLOCK_BYTES

typedef enum
{
  FAULT_NONE,
  FAULT_SIZE,    /* the file on the server has another size than the one that was listed */
  FAULT_TIME,    /* another time */
  FAULT_SHORT,   /* it is shorter, and the server does not tell sizes */
  FAULT_BAD,     /* it cannot be read behind half of it */
  FAULT_REFUSED, /* opening it fails the first time */
  N_FAULTS,
} Fault;

typedef enum
{
  DEATH_NONE,
  DEATH_OPEN,       /* no file can be opened on the channel */
  DEATH_ATTRIBUTES, /* attributes are cut off */
  DEATH_LONG,       /* more bytes than were asked for */
  DEATH_EMPTY,      /* none */
  DEATH_QUIET,      /* it ends */
  N_DEATHS,
} Death;

struct _TsrSftp
{
  guint number;
  TsrSftpState state;
  GError *error;
  GQueue requests; /* of Request */
  gint64 ready_at, last_due;
  Death death;
  guint n_answers, dies_at;
  gsize in_flight;
  gboolean opened[N_FILES]; /* and answered */
  gboolean asked_to_open[N_FILES];
  guint n_handles;
};

typedef struct
{
  TsrSftp *channel;
  TsrSftpType type;
  guint file;
  guint64 offset;
  guint32 length;
  gint64 sent, due;
  TsrSftpFunc func;
  gpointer data;
} Request;

typedef struct
{
  TsrRemoteFile *remote;
  char *path;
  TsrSourceStamp stamp;
  guint64 size; /* on the server */
  Fault fault;
  gboolean was_refused, is_known;
  guint64 next; /* where the next read begins: no two share a byte */
} File;

typedef struct
{
  guint file;
  guint64 offset, length;    /* as far as the file goes */
  guint64 asked, got, ended; /* bytes; @ended: of which the server has none */
  gsize on_way;
  gboolean is_told, is_doomed;
  gboolean may_fail; /* the first channel died */
  int code;          /* of the error that it must end with, in @domain; 0: none */
  GQuark domain;
} Model;

static struct
{
  GRand *random;
  gint64 now, line_free;
  gint64 latency_us;
  double bytes_per_us;
  gboolean comes_short, is_ending;
  TsrReads reads;
  TsrSftp *channels[TSR_N_CHANNELS];
  guint n_channels;
  File files[N_FILES];
  GPtrArray *models;
  guint last_priority;   /* in one call of tsr_reads_issue */
  guint64 wide[N_FILES]; /* bytes of each file that nobody had asked for when it began */
  gsize bulk_on_way;
  int first_code; /* of what the first channel dies */
  guint64 received;
  /* The window. */
  GArray *seconds;
  double base;
  gint64 base_at, shrunk_at;
  gboolean is_slow;
  gsize window;
} world;

gint64
g_get_monotonic_time (void)
{
  return world.now;
}

static TsrReadPriority
priority_of (guint file)
{
  return (TsrReadPriority)(file / 2);
}

static guint8
byte_at (guint file, guint64 offset)
{
  return (guint8)((offset * 2654435761u >> 11) + 7 * file);
}

static Model *
find_model (guint file, guint64 offset)
{
  for (guint i = 0; i < world.models->len; i++)
    {
      Model *model = world.models->pdata[i];

      if (model->file == file && offset >= model->offset && offset < model->offset + model->length)
        return model;
    }
  g_assert_not_reached ();
}

static guint
file_of (const char *path)
{
  for (guint i = 0; i < N_FILES; i++)
    if (strcmp (world.files[i].path, path) == 0)
      return i;
  g_assert_not_reached ();
}

/* ------------------------------------------------------- channels, as tsr-sftp.h */

TsrSftp *
tsr_sftp_new (ssh_session session, const char *who)
{
  TsrSftp *self = g_new0 (TsrSftp, 1);

  g_assert_cmpstr (who, ==, "me@there");
  self->number = world.n_channels;
  self->state = self->number == 0 ? TSR_SFTP_READY : TSR_SFTP_OPENING;
  self->ready_at = world.now + 2 * world.latency_us;
  if (self->number > 0)
    self->death = world.comes_short ? g_rand_int_range (world.random, 0, N_DEATHS) : DEATH_NONE;
  self->dies_at = (guint)g_rand_int_range (world.random, 1, 60);
  world.channels[world.n_channels++] = self;
  return self;
}

/* An answer has come, or none will. */
static void
leave_way (const Request *request)
{
  if (request->type != TSR_SFTP_READ)
    return;
  request->channel->in_flight -= request->length;
  find_model (request->file, request->offset)->on_way -= request->length;
  if (priority_of (request->file) != TSR_READ_NOW)
    world.bulk_on_way -= request->length;
}

static void
answer_none (TsrSftp *self)
{
  for (Request *request; (request = g_queue_pop_head (&self->requests)) != NULL; g_free (request))
    {
      leave_way (request);
      if (request->func != NULL)
        request->func (self, NULL, request->data);
    }
}

static void
sftp_free (TsrSftp *self)
{
  g_clear_error (&self->error);
  g_free (self);
}

void
tsr_sftp_free (TsrSftp *self, const GError *error)
{
  self->state = TSR_SFTP_FAILED;
  if (self->error == NULL)
    self->error = g_error_copy (error);
  answer_none (self);
  sftp_free (self);
}

const char *
tsr_sftp_get_who (TsrSftp *self)
{
  return "me@there";
}

TsrSftpState
tsr_sftp_get_state (TsrSftp *self)
{
  return self->state;
}

const GError *
tsr_sftp_get_error (TsrSftp *self)
{
  return self->error;
}

void
tsr_sftp_fail (TsrSftp *self, const char *format, ...)
{
  g_assert_cmpint (self->death, >=, DEATH_ATTRIBUTES);
  self->state = TSR_SFTP_FAILED;
  self->error = g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PROTOCOL, format);
}

static Request *
push (TsrSftp *self, TsrSftpType type, guint file, TsrSftpFunc func, gpointer data)
{
  Request *request = g_new0 (Request, 1);

  request->channel = self;
  request->type = type;
  request->file = file;
  request->func = func;
  request->data = data;
  request->sent = world.now;
  request->due = world.now + world.latency_us + g_rand_int_range (world.random, 0, 2000);
  g_queue_push_tail (&self->requests, request);
  return request;
}

/* Answers come through one line, one after the other. */
static void
put_on_line (Request *request, guint32 length)
{
  request->due = MAX (request->due, world.line_free) + (gint64)(length / world.bytes_per_us);
  request->due = MAX (request->due, request->channel->last_due);
  request->channel->last_due = request->due;
  world.line_free = MAX (world.line_free, request->due);
}

void
tsr_sftp_send_path (
    TsrSftp *self, TsrSftpType type, const char *path, TsrSftpFunc func, gpointer data)
{
  const guint file = file_of (path);

  g_assert_cmpint (type, ==, TSR_SFTP_OPEN_FILE);
  g_assert_cmpint (self->state, ==, TSR_SFTP_READY);
  /* On further channels only what is wide, and on each of them once. */
  g_assert_true (self->number == 0 || world.wide[file] >= 1 << 20);
  g_assert_true (self->number == 0 || !self->asked_to_open[file]);
  g_assert_false (self->opened[file]);
  self->asked_to_open[file] = TRUE;
  put_on_line (push (self, type, file, func, data), 50);
}

static guint
file_of_handle (TsrSftp *self, GBytes *handle)
{
  guint channel, file;

  g_assert_cmpint (sscanf (g_bytes_get_data (handle, NULL), "%u %u", &channel, &file), ==, 2);
  g_assert_cmpuint (channel, ==, self->number);
  return file;
}

void
tsr_sftp_send_handle (
    TsrSftp *self, TsrSftpType type, GBytes *handle, TsrSftpFunc func, gpointer data)
{
  const guint file = file_of_handle (self, handle);

  if (type == TSR_SFTP_CLOSE)
    {
      g_assert_null (func);
      g_assert_true (self->opened[file]);
      self->opened[file] = FALSE;
      self->n_handles--;
      return;
    }
  g_assert_cmpint (type, ==, TSR_SFTP_FSTAT);
  put_on_line (push (self, type, file, func, data), 50);
}

/* Whether a packet of the file may go over the channel; as the rules say, counted here. */
static gboolean
has_room (guint channel, guint file)
{
  const TsrSftp *self = world.channels[channel];
  gsize limit = tsr_ssh_window_get_least () - BLOCK;

  if (self->state != TSR_SFTP_READY || !self->opened[file])
    return FALSE;
  if (channel == 0 && priority_of (file) != TSR_READ_NOW)
    for (guint i = 1; i < world.n_channels; i++)
      if (world.channels[i]->state == TSR_SFTP_READY && world.channels[i]->opened[file])
        {
          limit /= 4;
          break;
        }
  return self->in_flight + BLOCK <= limit;
}

void
tsr_sftp_send_read (
    TsrSftp *self, GBytes *handle, guint64 offset, guint32 length, TsrSftpFunc func, gpointer data)
{
  const guint file = file_of_handle (self, handle);
  Model *model = find_model (file, offset);
  Request *request;

  g_assert_cmpuint (length, >, 0);
  g_assert_cmpuint (length, <=, BLOCK);
  g_assert_cmpuint (offset + length, <=, model->offset + model->length);
  g_assert_false (model->is_doomed);
  /* Who waits goes first. */
  g_assert_cmpuint (priority_of (file), >=, world.last_priority);
  world.last_priority = priority_of (file);
  /* Where least is on the way. */
  g_assert_true (has_room (self->number, file));
  for (guint i = 0; i < world.n_channels; i++)
    if (i != self->number && has_room (i, file))
      g_assert_cmpuint (world.channels[i]->in_flight, >=,
                        self->in_flight + (i < self->number ? 1 : 0));
  self->in_flight += length;
  model->on_way += length;
  model->asked = MAX (model->asked, offset + length - model->offset);
  if (priority_of (file) != TSR_READ_NOW)
    {
      g_assert_cmpuint (world.bulk_on_way + BLOCK, <=, world.window);
      world.bulk_on_way += length;
    }
  g_assert_cmpuint (model->asked - model->got, >=, model->on_way);
  request = push (self, TSR_SFTP_READ, file, func, data);
  request->offset = offset;
  request->length = length;
  put_on_line (request, length);
}

GBytes *
tsr_sftp_answer_dup_handle (const TsrSftpAnswer *answer)
{
  return answer->type == TSR_SFTP_HANDLE ? g_bytes_new (answer->body.bytes, answer->body.left)
                                         : NULL;
}

GError *
tsr_sftp_answer_dup_error (TsrSftp *self,
                           const TsrSftpAnswer *answer,
                           const char *path,
                           gboolean opened)
{
  g_assert_true (opened);
  g_assert_cmpint (answer->type, ==, TSR_SFTP_STATUS);
  return g_error_new (TSR_REMOTE_ERROR,
                      answer->status == TSR_SFTP_NO_SUCH_FILE ? TSR_REMOTE_ERROR_VANISHED
                                                              : TSR_REMOTE_ERROR_PERMISSION,
                      "%s", path);
}

gboolean
tsr_sftp_take_attributes (TsrWire *wire, TsrSftpAttributes *attributes)
{
  if (wire->left < sizeof *attributes)
    return FALSE;
  memcpy (attributes, wire->bytes, sizeof *attributes);
  return TRUE;
}

/* ------------------------------------------------------------------- the server */

/* The window as its rules say, from all times of answers so far: it grows while they are close to
 * the lowest one, and shrinks when requests queue up on the way. */
static void
expect_window (double seconds, gboolean is_bulk, TsrReadPriority priority, gsize bulk_left)
{
  const double most = TSR_N_CHANNELS * (double)(tsr_ssh_window_get_least () - BLOCK);
  double least = seconds, limit;

  g_array_append_val (world.seconds, seconds);
  for (guint i = 0; i < 10 && i < world.seconds->len; i++)
    least = fmin (least, g_array_index (world.seconds, double, world.seconds->len - 1 - i));
  g_assert_cmpuint (world.reads.latency_us, ==, (guint64)(least * 1e6));
  if (world.seconds->len == 1 || seconds < world.base || world.now - world.base_at > 30000000)
    {
      world.base = world.seconds->len > 1 && seconds < world.base ? seconds : least;
      world.base_at = world.now;
    }
  if (is_bulk)
    {
      limit = priority == TSR_READ_AHEAD ? 1.5 * world.base + 0.05 : 1.25 * world.base + 0.025;
      if (seconds > limit)
        {
          world.is_slow = FALSE;
          if (world.now - world.shrunk_at > (gint64)(seconds * 1e6))
            {
              world.window -= world.window / 8;
              world.shrunk_at = world.now;
            }
        }
      else if (bulk_left + 2 * BLOCK >= world.window)
        world.window += world.is_slow ? BLOCK : (gsize)BLOCK * BLOCK / world.window + 1;
      world.window = (gsize)CLAMP ((double)world.window, 4. * BLOCK, most);
    }
  g_assert_cmpuint (world.reads.bulk_window, ==, world.window);
}

static void
give (Request *request, TsrSftpType type, TsrSftpStatus status, const void *bytes, gsize length)
{
  TsrSftpAnswer answer = { .type = type, .status = status, .body = { bytes, length } };
  TsrSftp *channel = request->channel;

  leave_way (request);
  request->func (channel, &answer, request->data);
  if (request->type == TSR_SFTP_READ)
    expect_window ((double)(world.now - request->sent) / 1e6,
                   priority_of (request->file) != TSR_READ_NOW, priority_of (request->file),
                   world.bulk_on_way);
}

static void
expect (Model *model, GQuark domain, int code)
{
  model->domain = domain;
  model->code = code;
  model->is_doomed = TRUE;
}

/* All reads of the file that have not ended. */
static void
expect_of (guint file, GQuark domain, int code)
{
  for (guint i = 0; i < world.models->len; i++)
    {
      Model *model = world.models->pdata[i];

      if (model->file == file && !model->is_told && !model->is_doomed)
        expect (model, domain, code);
    }
}

static void
answer_open (Request *request)
{
  TsrSftp *channel = request->channel;
  File *file = &world.files[request->file];
  g_autofree char *handle = g_strdup_printf ("%u %u", channel->number, request->file);

  /* Where that fails it is tried again on the first channel only. */
  channel->asked_to_open[request->file] = channel->number > 0;
  if (channel->death == DEATH_OPEN)
    give (request, TSR_SFTP_STATUS, TSR_SFTP_FAILURE, NULL, 0);
  else if (file->fault == FAULT_REFUSED && !file->was_refused)
    {
      file->was_refused = TRUE;
      expect_of (request->file, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_VANISHED);
      give (request, TSR_SFTP_STATUS, TSR_SFTP_NO_SUCH_FILE, NULL, 0);
    }
  else
    {
      channel->opened[request->file] = TRUE;
      channel->n_handles++;
      give (request, TSR_SFTP_HANDLE, 0, handle, strlen (handle) + 1);
    }
}

static void
answer_look (Request *request)
{
  File *file = &world.files[request->file];
  TsrSftpAttributes attributes
      = { .has_size = file->fault != FAULT_SHORT,
          .has_times = g_rand_boolean (world.random) || file->fault == FAULT_TIME,
          .size = file->size,
          .mtime = file->stamp.mtime_us != 0 ? (guint32)(file->stamp.mtime_us / 1000000) : 77 };

  if (file->fault == FAULT_TIME)
    attributes.mtime++;
  if (!attributes.has_times)
    attributes.mtime = 12;
  if (!attributes.has_size)
    attributes.size = 3;
  if (request->channel->death == DEATH_ATTRIBUTES)
    give (request, TSR_SFTP_ATTRS, 0, &attributes, 5);
  else
    {
      if (file->fault == FAULT_TIME || file->fault == FAULT_SIZE)
        {
          file->is_known = TRUE;
          expect_of (request->file, TSR_ERROR, TSR_ERROR_CHANGED);
        }
      give (request, TSR_SFTP_ATTRS, 0, &attributes, sizeof attributes);
      /* What is not the file that was listed is closed. */
      g_assert_cmpint (request->channel->opened[request->file], ==,
                       file->fault != FAULT_TIME && file->fault != FAULT_SIZE);
    }
}

static void
answer_read (Request *request)
{
  TsrSftp *channel = request->channel;
  const File *file = &world.files[request->file];
  Model *model = find_model (request->file, request->offset);
  g_autoptr (GByteArray) wire = g_byte_array_new ();
  guint8 bytes[BLOCK + 1];
  guint64 length = request->length;

  if (file->fault == FAULT_BAD && request->offset + length > file->size / 2)
    {
      if (!model->is_doomed)
        expect (model, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PERMISSION);
      give (request, TSR_SFTP_STATUS, TSR_SFTP_PERMISSION_DENIED, NULL, 0);
      return;
    }
  if (request->offset >= file->size)
    {
      if (model->code == 0)
        {
          model->domain = TSR_ERROR;
          model->code = TSR_ERROR_CHANGED;
        }
      model->ended += request->length;
      give (request, TSR_SFTP_STATUS, TSR_SFTP_EOF, NULL, 0);
      return;
    }
  length = MIN (length, file->size - request->offset);
  if (world.comes_short && length > 1 && g_rand_int_range (world.random, 0, 6) == 0)
    length = (guint64)g_rand_int_range (world.random, 1, (gint)length);
  if (channel->death == DEATH_LONG && channel->n_answers >= channel->dies_at)
    length = request->length + 1;
  if (channel->death == DEATH_EMPTY && channel->n_answers >= channel->dies_at)
    length = 0;
  for (guint i = 0; i < length; i++)
    bytes[i] = byte_at (request->file, request->offset + i);
  tsr_wire_put_string (wire, bytes, length);
  if (length > 0 && length <= request->length)
    {
      world.received += length;
      model->got += length;
    }
  give (request, TSR_SFTP_DATA, 0, wire->data, wire->len);
}

/* The first channel is gone, and with it the connection; what was asked on others may still come.
 */
static void
lose_first (void)
{
  world.first_code = world.channels[0]->death == DEATH_QUIET ? TSR_REMOTE_ERROR_NETWORK
                                                             : TSR_REMOTE_ERROR_PROTOCOL;
  for (guint i = 0; i < world.models->len; i++)
    ((Model *)world.models->pdata[i])->may_fail = TRUE;
}

/* What the server answers first: mostly what it was asked first, but bytes of a file may come
 * before what it says of the file. */
static Request *
peek_first (TsrSftp *channel)
{
  Request *head = g_queue_peek_head (&channel->requests);
  Request *second = g_queue_peek_nth (&channel->requests, 1);

  return head != NULL && head->type == TSR_SFTP_FSTAT && second != NULL
                 && second->type == TSR_SFTP_READ && channel->death != DEATH_ATTRIBUTES
                 && g_rand_boolean (world.random)
             ? second
             : head;
}

/* The next thing that happens. */
static gboolean
step (void)
{
  TsrSftp *first = NULL;
  Request *request = NULL;

  for (guint i = 0; i < world.n_channels; i++)
    {
      TsrSftp *channel = world.channels[i];
      Request *head = peek_first (channel);

      if (channel->state == TSR_SFTP_OPENING && channel->ready_at <= world.now)
        channel->state = TSR_SFTP_READY;
      if (head != NULL && (request == NULL || head->due < request->due))
        {
          first = channel;
          request = head;
        }
    }
  if (request == NULL)
    return FALSE;
  g_queue_remove (&first->requests, request);
  world.now = MAX (world.now + 1, request->due);
  first->n_answers++;
  if (first->number == 0 && first->death != DEATH_NONE && first->n_answers >= first->dies_at)
    lose_first ();
  if (request->type == TSR_SFTP_OPEN_FILE)
    answer_open (request);
  else if (request->type == TSR_SFTP_FSTAT)
    answer_look (request);
  else
    answer_read (request);
  g_free (request);
  if (first->death == DEATH_QUIET && first->n_answers >= first->dies_at && first->error == NULL)
    {
      first->state = TSR_SFTP_FAILED;
      first->error = g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, "ended");
    }
  if (first->state == TSR_SFTP_FAILED)
    answer_none (first);
  return TRUE;
}

/* ---------------------------------------------------------------------- reads */

static void
on_read (GPtrArray *blocks, GError *error, gpointer data)
{
  Model *model = data;
  guint64 at = 0;

  g_assert_false (model->is_told);
  model->is_told = TRUE;
  if (model->code != 0 || (model->may_fail && error != NULL))
    {
      g_assert_null (blocks);
      if (model->may_fail && !g_error_matches (error, model->domain, model->code))
        g_assert_error (error, TSR_REMOTE_ERROR, world.first_code);
      else
        g_assert_error (error, model->domain, model->code);
      if (!world.is_ending && !model->may_fail)
        g_assert_nonnull (strstr (error->message, world.files[model->file].path));
      g_error_free (error);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (blocks->len, ==, (model->length + BLOCK - 1) / BLOCK);
  for (guint i = 0; i < blocks->len; i++)
    {
      gsize length;
      const guint8 *bytes = g_bytes_get_data (blocks->pdata[i], &length);

      g_assert_cmpuint (length, ==, MIN (BLOCK, model->length - at));
      for (gsize k = 0; k < length; k += 1 + k / 64)
        g_assert_cmpuint (bytes[k], ==, byte_at (model->file, model->offset + at + k));
      g_assert_cmpuint (bytes[length - 1], ==,
                        byte_at (model->file, model->offset + at + length - 1));
      at += length;
    }
}

static void
add_read (void)
{
  const guint number = (guint)g_rand_int_range (world.random, 0, N_FILES);
  File *file = &world.files[number];
  Model *model = g_new0 (Model, 1);
  const guint64 size = (guint64)file->stamp.size;
  gsize length = (gsize)(pow (g_rand_double (world.random), 3)
                         * (priority_of (number) == TSR_READ_NOW ? 300000 : 5000000));

  /* Small files stay on one channel. */
  if (file->fault == FAULT_REFUSED)
    length = MIN (length, 20000);
  if (g_rand_int_range (world.random, 0, 4) == 0)
    length = (length + BLOCK - 1) / BLOCK * BLOCK + (gsize)g_rand_int_range (world.random, 0, 2);
  if (g_rand_int_range (world.random, 0, 20) == 0)
    length = 0;
  model->file = number;
  model->offset = file->next + (guint64)g_rand_int_range (world.random, 0, 2) * 777;
  model->length = model->offset >= size ? 0 : MIN (length, size - model->offset);
  if (g_rand_int_range (world.random, 0, 40) == 0 && model->offset < size)
    {
      length = G_MAXSIZE;
      model->length = MIN (size - model->offset, 900000);
      model->offset = size - model->length;
    }
  file->next = model->offset + model->length;
  g_ptr_array_add (world.models, model);
  if ((file->fault == FAULT_SIZE || file->fault == FAULT_TIME) && file->is_known)
    expect (model, TSR_ERROR, TSR_ERROR_CHANGED);
  tsr_reads_add (&world.reads, tsr_read_new (file->remote, (gint64)model->offset, length,
                                             priority_of (number), on_read, model));
  /* Nothing to wait for. */
  if (model->length == 0 || model->is_doomed)
    g_assert_true (model->is_told);
}

static gsize
left_to_ask (const Model *model)
{
  return model->is_told || model->is_doomed
             ? 0
             : model->length - model->got - model->ended - model->on_way;
}

/* Asks for what there is room for, and for no less. */
static void
issue (void)
{
  guint64 wanted = 0;
  gboolean is_wide = FALSE;

  world.last_priority = 0;
  memset (world.wide, 0, sizeof world.wide);
  for (guint i = 0; i < world.models->len; i++)
    {
      const Model *model = world.models->pdata[i];

      if (!model->is_told && !model->is_doomed)
        world.wide[model->file] += model->length - model->asked;
    }
  for (guint i = 0; i < N_FILES; i++)
    is_wide = is_wide || world.wide[i] >= 1 << 20;
  {
    const guint n = world.n_channels;

    tsr_reads_issue (&world.reads);
    g_assert_true (world.n_channels == n || (is_wide && n == 1 && world.n_channels == 4));
  }
  for (guint i = 0; i < world.models->len; i++)
    {
      const Model *model = world.models->pdata[i];
      const gboolean is_bulk = priority_of (model->file) != TSR_READ_NOW;

      if (!model->is_told && priority_of (model->file) != TSR_READ_BACKGROUND)
        wanted += model->length;
      if (left_to_ask (model) == 0 || (is_bulk && world.bulk_on_way + BLOCK > world.window))
        continue;
      for (guint k = 0; k < world.n_channels; k++)
        g_assert_false (has_room (k, model->file));
    }
  g_assert_cmpuint (world.reads.wanted, ==, wanted);
  g_assert_cmpuint (world.reads.received, ==, world.received);
  g_assert_cmpuint (world.reads.bulk_in_flight, ==, world.bulk_on_way);
  for (guint i = 0; i < world.n_channels; i++)
    g_assert_cmpuint (world.reads.in_flight[i], ==, world.channels[i]->in_flight);
}

static void
begin (void)
{
  world.n_channels = 0;
  world.window = 8 * BLOCK;
  world.is_slow = TRUE;
  world.bulk_on_way = 0;
  g_array_set_size (world.seconds, 0);
  tsr_reads_begin (&world.reads, NULL);
  g_assert_cmpuint (world.n_channels, ==, 1);
}

/* The session is over: all that was not read says so. */
static void
end (void)
{
  g_autoptr (GError) error
      = g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_TIMEOUT, "the line is down");

  for (guint i = 0; i < N_FILES; i++)
    expect_of (i, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_TIMEOUT);
  world.is_ending = TRUE;
  tsr_reads_end (&world.reads, error);
  world.is_ending = FALSE;
  for (guint i = 0; i < world.models->len; i++)
    g_assert_true (((Model *)world.models->pdata[i])->is_told);
  world.n_channels = 0;
  issue ();
}

static void
close_files (void)
{
  for (guint i = 0; i < N_FILES; i++)
    tsr_remote_file_unref (g_steal_pointer (&world.files[i].remote));
  for (guint i = 0; i < world.n_channels; i++)
    if (world.channels[i]->state == TSR_SFTP_READY)
      g_assert_cmpuint (world.channels[i]->n_handles, ==, 0);
}

static guint
count_waiting (void)
{
  guint n = 0;

  for (guint i = 0; i < world.models->len; i++)
    n += !((Model *)world.models->pdata[i])->is_told;
  return n;
}

static void
world_init (guint seed, gboolean has_faults)
{
  memset (&world, 0, sizeof world);
  world.random = g_rand_new_with_seed (seed);
  world.now = 1000000;
  world.latency_us = g_rand_int_range (world.random, 100, 200000);
  world.bytes_per_us = pow (10, g_rand_double_range (world.random, 0, 2.5));
  world.comes_short = has_faults;
  world.models = g_ptr_array_new_with_free_func (g_free);
  world.seconds = g_array_new (FALSE, FALSE, sizeof (double));
  world.reads.who = "me@there";
  for (guint i = 0; i < N_FILES; i++)
    {
      File *file = &world.files[i];

      file->path = g_strdup_printf ("/reports/%u/profile.pop", i);
      file->stamp.size = g_rand_int_range (world.random, 1, 60 << 20);
      file->stamp.mtime_us = G_GINT64_CONSTANT (1700000000123456) + i;
      file->size = (guint64)file->stamp.size;
      file->fault = has_faults ? g_rand_int_range (world.random, 0, N_FAULTS) : FAULT_NONE;
      /* Of one nobody knows a time that it could have another than. */
      if (i == 3 && file->fault != FAULT_TIME)
        file->stamp.mtime_us = 0;
      if (file->fault == FAULT_SIZE)
        file->size++;
      if (file->fault == FAULT_SHORT)
        file->size = file->size * 2 / 3;
      file->remote = tsr_remote_file_new (&world.reads, file->path, &file->stamp);
    }
}

static void
world_clear (void)
{
  for (guint i = 0; i < N_FILES; i++)
    g_free (world.files[i].path);
  g_ptr_array_unref (world.models);
  g_array_unref (world.seconds);
  g_rand_free (world.random);
}

static void
test_random (gconstpointer has_faults)
{
  guint n_channels = 0;

  for (guint seed = 1; seed <= 25; seed++)
    {
      world_init (seed, GPOINTER_TO_INT (has_faults));
      begin ();
      for (guint round = 0; round < 3; round++)
        {
          guint left = MAX_READ;

          for (gboolean goes_on = TRUE; goes_on && world.channels[0]->state != TSR_SFTP_FAILED;
               goes_on = step () || left > 0)
            {
              while (left > 0 && count_waiting () < 20
                     && (g_rand_int_range (world.random, 0, 8) == 0 || count_waiting () == 0))
                {
                  add_read ();
                  left--;
                }
              issue ();
              /* What is known of the way is believed for 30 s. */
              if (g_rand_int_range (world.random, 0, 500) == 0)
                world.now += 31000000;
              if (round == 1 && left == MAX_READ / 2)
                break;
              if (round == 1 && left == MAX_READ * 2 / 3 && world.comes_short)
                world.channels[0]->death
                    = (Death)g_rand_int_range (world.random, DEATH_LONG, N_DEATHS);
            }
          n_channels = MAX (n_channels, world.n_channels);
          if (round != 1)
            continue;
          end ();
          begin ();
        }
      g_assert_cmpuint (count_waiting (), ==, 0);
      close_files ();
      end ();
      world_clear ();
    }
  g_assert_cmpuint (n_channels, ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/reads/random", GINT_TO_POINTER (FALSE), test_random);
  g_test_add_data_func ("/reads/faults", GINT_TO_POINTER (TRUE), test_random);
  return g_test_run ();
}
