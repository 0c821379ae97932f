/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The thread of a connection (sftp/tsr-connection.c) over a session, channels and a time that are
 * made up here.  Wherever the thread rests the test looks at what it did since the last rest,
 * counts for itself how long the host has been silent, what came and how fast, and says how the
 * rest ends. Real sessions are tested in test-connection.c, reads in test-reads.c. */

#include "sftp/tsr-remote-file.h"
#include "sftp/tsr-sftp-folder.h"
#include "ssh/tsr-ssh-session.h"
#include "ssh/tsr-ssh-socket.h"
#include "tsr-remote-error.h"
#include "tsr-test.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>

#define FD      12345 /* of the session: nothing is open there */
#define START   (1000 * G_USEC_PER_SEC)
#define DROPPED "the other side\n  hung up"

struct _TsrSftp
{
  TsrSftpState state;
  GError *error;
  guint64 received;
  guint pending, todo; /* requests; steps that find an answer */
  double wait_s;
  TsrSftpFunc ping;
  gpointer ping_data;
};

struct _TsrRead
{
  TsrReadPriority priority;
};

/* How a rest ends. */
typedef struct
{
  int code;           /* errno of poll(); 0 */
  gboolean is_told;   /* the socket has something */
  guint n_turns;      /* of the session until it has no more */
  gboolean is_broken; /* the last of them fails */
  gboolean is_gone;   /* the session is closed behind it */
} End;

typedef struct
{
  GThread *thread;
  TsrConnection *connection;
  GCancellable *cancellable;
  GError *error;
  gboolean ok, is_done;
} Call;

static struct
{
  GMutex mutex;
  GCond changed;
  gint64 now;
  gboolean is_resting, is_connecting;
  int timeout_ms;
  short events;
  End end;
  /* The session. */
  gboolean is_connected, writes, closes; /* @closes: with the next step */
  guint n_turns_left, n_turns, n_acknowledged;
  gint n_sessions, n_events;
  TsrReads *reads;
  TsrSftp channels[TSR_N_CHANNELS];
  guint n_wanted_channels; /* opened with the next requests */
  guint n_issued, n_pings;
  guint64 n_added, n_failed;
  int failed_code, ended_code;
  GError *refusal; /* (nullable): what connecting ends with */
  guint n_attempts, n_wakes;
  GCancellable *attempt; /* of the one that is under way */
} world;

/* ----------------------------------------------------- what the thread calls */

gint64
g_get_monotonic_time (void)
{
  return __atomic_load_n (&world.now, __ATOMIC_SEQ_CST);
}

static void
set_now (gint64 now)
{
  __atomic_store_n (&world.now, now, __ATOMIC_SEQ_CST);
}

int __real_poll (struct pollfd *fds, nfds_t n, int timeout_ms);
int __wrap_poll (struct pollfd *fds, nfds_t n, int timeout_ms);

int
__wrap_poll (struct pollfd *fds, nfds_t n, int timeout_ms)
{
  int code;

  if (n < 2)
    return __real_poll (fds, n, timeout_ms);
  g_assert_cmpint (fds[0].fd, ==, FD);
  g_mutex_lock (&world.mutex);
  g_assert_true (world.is_connected);
  world.timeout_ms = timeout_ms;
  world.events = fds[0].events;
  world.is_resting = TRUE;
  g_cond_broadcast (&world.changed);
  while (world.is_resting)
    g_cond_wait (&world.changed, &world.mutex);
  code = world.end.code;
  world.n_turns_left = world.end.n_turns;
  world.n_turns = 0;
  g_mutex_unlock (&world.mutex);
  if (code != 0)
    {
      errno = code;
      return -1;
    }
  __real_poll (fds + 1, 1, 0);
  fds[0].revents = world.end.is_told ? POLLIN : 0;
  if (!world.end.is_told && world.end.is_gone)
    world.is_connected = FALSE;
  return 1;
}

ssize_t __real_write (int fd, const void *bytes, size_t length);
ssize_t __wrap_write (int fd, const void *bytes, size_t length);

/* Only the thread is woken so: there is something to do. */
ssize_t
__wrap_write (int fd, const void *bytes, size_t length)
{
  g_mutex_lock (&world.mutex);
  world.n_wakes++;
  g_cond_broadcast (&world.changed);
  g_mutex_unlock (&world.mutex);
  return __real_write (fd, bytes, length);
}

int
ssh_is_connected (ssh_session session)
{
  return world.is_connected;
}

int
ssh_get_poll_flags (ssh_session session)
{
  return world.writes ? SSH_WRITE_PENDING : 0;
}

int
ssh_event_dopoll (ssh_event event, int timeout_ms)
{
  g_assert_cmpint (timeout_ms, ==, 0);
  g_assert_cmpuint (world.n_turns_left, >, 0);
  world.n_turns++;
  if (--world.n_turns_left > 0)
    return SSH_OK;
  if (world.end.is_gone)
    world.is_connected = FALSE;
  return world.end.is_broken ? SSH_ERROR : SSH_AGAIN;
}

ssh_event
ssh_event_new (void)
{
  world.n_events++;
  return (ssh_event)&world.n_events;
}

void
ssh_event_free (ssh_event event)
{
  world.n_events--;
}

int
ssh_event_add_session (ssh_event event, ssh_session session)
{
  world.n_events++;
  return SSH_OK;
}

int
ssh_event_remove_session (ssh_event event, ssh_session session)
{
  world.n_events--;
  return SSH_OK;
}

void
ssh_set_blocking (ssh_session session, int blocking)
{
  g_assert_cmpint (blocking, ==, 0);
}

const char *
ssh_get_error (void *session)
{
  return DROPPED;
}

void
tsr_ssh_socket_acknowledge (int fd)
{
  g_assert_cmpint (fd, ==, FD);
  world.n_acknowledged++;
}

TsrSshChain *
tsr_ssh_chain_connect (GPtrArray *hosts,
                       TsrAsker *asker,
                       TsrSshStepFunc step,
                       gpointer data,
                       GCancellable *cancellable,
                       GError **error)
{
  TsrSshChain *chain;

  step ("looking around", data);
  g_mutex_lock (&world.mutex);
  world.n_attempts++;
  world.attempt = cancellable;
  world.is_connecting = TRUE;
  g_cond_broadcast (&world.changed);
  while (world.is_connecting && !g_cancellable_is_cancelled (cancellable))
    {
      g_mutex_unlock (&world.mutex);
      g_usleep (100);
      g_mutex_lock (&world.mutex);
    }
  world.is_connecting = FALSE;
  g_cond_broadcast (&world.changed);
  g_mutex_unlock (&world.mutex);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (world.refusal != NULL)
    {
      *error = g_error_copy (world.refusal);
      return NULL;
    }
  chain = g_new0 (TsrSshChain, 1);
  chain->fd = FD;
  chain->host_key = g_strdup ("SHA256:key");
  world.is_connected = TRUE;
  world.n_sessions++;
  return chain;
}

void
tsr_ssh_chain_free (TsrSshChain *chain)
{
  g_free (chain->host_key);
  g_free (chain);
  g_mutex_lock (&world.mutex);
  world.n_sessions--;
  g_cond_broadcast (&world.changed);
  g_mutex_unlock (&world.mutex);
}

void
tsr_reads_begin (TsrReads *self, ssh_session session)
{
  memset (world.channels, 0, sizeof world.channels);
  world.reads = self;
  world.n_wanted_channels = 1;
  world.n_issued = 0;
  self->channels[0] = &world.channels[0];
  self->n_channels = 1;
  self->max_channels = TSR_N_CHANNELS;
}

void
tsr_reads_end (TsrReads *self, const GError *error)
{
  world.ended_code = error->code;
  self->n_channels = 0;
}

void
tsr_reads_add (TsrReads *self, TsrRead *read)
{
  world.n_added++;
  g_free (read);
}

void
tsr_reads_issue (TsrReads *self)
{
  world.n_issued++;
  while (self->n_channels < world.n_wanted_channels)
    {
      self->channels[self->n_channels] = &world.channels[self->n_channels];
      self->n_channels++;
    }
}

TsrRead *
tsr_read_new (TsrRemoteFile *file,
              gint64 offset,
              gsize length,
              TsrReadPriority priority,
              TsrRemoteReadFunc func,
              gpointer data)
{
  TsrRead *read = g_new0 (TsrRead, 1);

  read->priority = priority;
  return read;
}

void
tsr_read_fail (TsrRead *read, GError *error)
{
  g_mutex_lock (&world.mutex);
  world.failed_code = error->code;
  world.n_failed++;
  g_cond_broadcast (&world.changed);
  g_mutex_unlock (&world.mutex);
  g_error_free (error);
  g_free (read);
}

TsrReadPriority
tsr_read_get_priority (const TsrRead *read)
{
  return read->priority;
}

TsrRemoteFile *
tsr_remote_file_new (TsrReads *reads, const char *path, const TsrSourceStamp *stamp)
{
  return (TsrRemoteFile *)&world;
}

void
tsr_remote_file_unref (TsrRemoteFile *self)
{
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

guint
tsr_sftp_step (TsrSftp *self)
{
  if (world.closes)
    world.is_connected = FALSE;
  if (self->todo == 0)
    return 0;
  self->todo--;
  self->received += 100;
  if (self->pending > 0)
    self->pending--;
  if (self->pending == 0 && self->ping != NULL)
    {
      self->ping (self, NULL, self->ping_data);
      self->ping = NULL;
    }
  return 1;
}

guint
tsr_sftp_count_pending (TsrSftp *self)
{
  return self->pending;
}

double
tsr_sftp_get_wait (TsrSftp *self)
{
  return self->wait_s;
}

guint64
tsr_sftp_count_received (TsrSftp *self)
{
  return self->received;
}

void
tsr_sftp_send_path (
    TsrSftp *self, TsrSftpType type, const char *path, TsrSftpFunc func, gpointer data)
{
  g_assert_true (self == &world.channels[0]);
  g_assert_cmpint (type, ==, TSR_SFTP_REALPATH);
  g_assert_cmpstr (path, ==, ".");
  self->ping = func;
  self->ping_data = data;
  self->pending++;
  world.n_pings++;
}

void
tsr_sftp_ask_folder (TsrSftp *sftp,
                     TsrSftpType type,
                     const char *path,
                     const int *is_abandoned,
                     TsrSftpFolderFunc func,
                     gpointer data)
{
  g_assert_cmpint (type, ==, TSR_SFTP_REALPATH);
  func (g_strdup (path), NULL, data);
}

/* ------------------------------------------------------------- the test's side */

static gpointer
run_call (gpointer data)
{
  Call *call = data;

  call->ok = tsr_connection_connect (call->connection, call->cancellable, &call->error);
  g_mutex_lock (&world.mutex);
  call->is_done = TRUE;
  g_cond_broadcast (&world.changed);
  g_mutex_unlock (&world.mutex);
  return NULL;
}

static Call *
call_new (TsrConnection *connection)
{
  Call *call = g_new0 (Call, 1);

  call->connection = connection;
  call->cancellable = g_cancellable_new ();
  call->thread = g_thread_new ("call", run_call, call);
  return call;
}

static void
call_free (Call *call)
{
  g_thread_join (call->thread);
  g_object_unref (call->cancellable);
  g_clear_error (&call->error);
  g_free (call);
}

#define AWAIT(condition)                                                                           \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_mutex_lock (&world.mutex);                                                                   \
    while (!(condition))                                                                           \
      g_cond_wait (&world.changed, &world.mutex);                                                  \
    g_mutex_unlock (&world.mutex);                                                                 \
  }                                                                                                \
  G_STMT_END

/* Lets the thread go on from where it rests. */
static void
go_on (End end)
{
  g_mutex_lock (&world.mutex);
  g_assert_true (world.is_resting);
  world.end = end;
  world.is_resting = FALSE;
  g_cond_broadcast (&world.changed);
  g_mutex_unlock (&world.mutex);
}

static void
let_connect (void)
{
  g_mutex_lock (&world.mutex);
  while (!world.is_connecting)
    g_cond_wait (&world.changed, &world.mutex);
  world.is_connecting = FALSE;
  g_cond_broadcast (&world.changed);
  g_mutex_unlock (&world.mutex);
}

static void
await_rest (void)
{
  AWAIT (world.is_resting);
}

/* (transfer full): of a host whose file of settings has @options. */
static TsrConnection *
connection_new (const char *folder, const char *options)
{
  g_autofree char *path = g_build_filename (folder, "config", NULL);
  g_autofree char *text = g_strconcat ("Host *\n", options, NULL);
  g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse ("ssh://ada@ipu/", NULL);
  g_autoptr (TsrSshConfig) config = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  config = tsr_ssh_config_load (path, "/nonexistent", NULL);
  return tsr_connection_new (address, config, NULL);
}

/* The session's first channel is open with the first look at it, and owes @n_owed answers. */
static void
make_session (TsrConnection *connection, guint n_owed)
{
  Call *call = call_new (connection);

  let_connect ();
  AWAIT (world.is_resting);
  world.channels[0].state = TSR_SFTP_READY;
  world.channels[0].pending = n_owed;
  world.n_pings = 0; /* the session before may have ended with one */
  go_on ((End){ .is_told = TRUE, .n_turns = 1 });
  AWAIT (call->is_done);
  g_assert_no_error (call->error);
  g_assert_true (call->ok);
  call_free (call);
}

static void
end_connection (TsrConnection *connection)
{
  tsr_connection_close (connection);
  if (tsr_connection_get_state (connection) == TSR_CONNECTION_READY)
    {
      AWAIT (world.is_resting);
      go_on ((End){ 0 });
    }
  AWAIT (world.n_sessions == 0);
  g_object_unref (connection);
}

/* The reads are made up: nobody calls it. */
static void
on_read (GPtrArray *blocks, GError *error, gpointer data)
{
}

static void
read_one (TsrConnection *connection, TsrReadPriority priority)
{
  TsrSourceStamp stamp = { .size = 1 };

  tsr_connection_read_async (connection, tsr_connection_open_file (connection, "/file", &stamp), 0,
                             1, priority, on_read, NULL);
}

/* What the host may be silent, what came and how fast: counted from what happened, at each rest. */
typedef struct
{
  gint64 interval, heard, looked, quiet;
  guint64 heard_bytes, received;
  guint count, n_channels;
  gboolean pings;
  GArray *times, *bytes; /* of notes, the last one at the end */
} Model;

/* A turn of the thread from one rest to the next; FALSE: the connection must be dead. */
static gboolean
expect_turn (Model *model, guint *n_turns, int *timeout_ms, guint *n_pings)
{
  const gint64 now = world.now;
  guint64 received = 0;
  guint pending = 0, most = 0;

  for (guint i = 0; i < model->n_channels; i++)
    received += world.channels[i].received;
  if (received != model->heard_bytes)
    model->heard = now;
  model->heard_bytes = received;
  if (now - model->heard >= model->count * model->interval)
    return FALSE;
  if (now - model->looked >= model->interval)
    {
      model->looked = now;
      for (guint i = 0; i < model->n_channels; i++)
        if (world.channels[i].wait_s > 2e-6 * (double)(model->count * model->interval))
          return FALSE;
    }
  *n_pings = now - model->heard >= model->interval && !model->pings;
  if (*n_pings > 0)
    model->pings = TRUE;
  *timeout_ms = (int)((model->interval - (now - model->heard) % model->interval) / 1000 + 1);
  model->n_channels = world.n_wanted_channels;
  received = 0;
  for (guint i = 0; i < model->n_channels; i++)
    {
      most = MAX (most, world.channels[i].todo);
      pending += world.channels[i].pending;
      received += world.channels[i].received;
    }
  pending += *n_pings;
  /* Silence counts from what came with the step before. */
  *n_turns = MIN (most + 1, 16);
  for (guint turn = 0; turn < *n_turns; turn++)
    {
      if (pending == 0)
        model->quiet = 0;
      else if (model->quiet == 0 || received != model->received)
        model->quiet = now;
      model->received = received;
      pending = 0;
      for (guint i = 0; i < model->n_channels; i++)
        {
          const TsrSftp *channel = &world.channels[i];
          guint own = channel->pending + (i == 0 ? *n_pings : 0);

          received += turn < channel->todo ? 100 : 0;
          pending += own - MIN (own, MIN (turn + 1, channel->todo));
          if (i == 0 && turn < channel->todo && own <= MIN (turn + 1, channel->todo))
            model->pings = FALSE;
        }
    }
  if (most >= 16)
    *timeout_ms = 0;
  return TRUE;
}

static void
note (Model *model)
{
  gint64 last
      = model->times->len > 0 ? g_array_index (model->times, gint64, model->times->len - 1) : 0;

  if (world.now - last < G_USEC_PER_SEC / 10)
    return;
  g_array_append_val (model->times, world.now);
  g_array_append_val (model->bytes, world.reads->received);
}

static double
expect_speed (const Model *model)
{
  guint first = model->times->len > 20 ? model->times->len - 20 : 0;

  for (guint i = first; i < model->times->len; i++)
    {
      double s = (double)(world.now - g_array_index (model->times, gint64, i)) / 1e6;

      if (s <= 2)
        return s >= 0.05
                   ? (double)(world.reads->received - g_array_index (model->bytes, guint64, i)) / s
                   : 0;
    }
  return 0;
}

static void
check_stats (TsrConnection *connection, const Model *model)
{
  TsrConnectionStats stats;

  tsr_connection_get_stats (connection, &stats);
  g_assert_cmpuint (stats.bytes, ==, world.reads->received);
  g_assert_cmpuint (stats.wanted, ==, world.reads->wanted);
  g_assert_cmpfloat_with_epsilon (stats.bytes_per_s, expect_speed (model), 1e-3);
  if (world.reads->latency_us == 0)
    g_assert_true (isnan (stats.latency_s));
  else
    g_assert_cmpfloat (stats.latency_s, ==, (double)world.reads->latency_us / 1e6);
  g_assert_cmpfloat (stats.silence_s, ==,
                     model->quiet > 0 ? (double)(world.now - model->quiet) / 1e6 : 0);
}

/* How the session may end. */
typedef enum
{
  FATE_SILENCE, /* or with a request that is never answered */
  FATE_CHANNEL,
  FATE_POLL,
  FATE_TURN,
  FATE_GONE,
  FATE_GONE_UNSEEN, /* libssh closed the socket while something else was done */
  FATE_CLOSED,
  N_FATES,
} Fate;

static void
walk (GRand *random, const char *folder, Fate fate)
{
  const guint interval = (guint)g_rand_int_range (random, 0, 3) * 7;
  const guint count = (guint)g_rand_int_range (random, 0, 4);
  g_autofree char *options
      = g_strdup_printf ("ServerAliveInterval %u\nServerAliveCountMax %u\n", interval, count);
  g_autofree char *silent = NULL;
  g_autoptr (GError) error = NULL;
  TsrConnection *connection = connection_new (folder, options);
  const guint n_rests = fate == FATE_SILENCE ? 100000 : 200;
  guint n_turns = 0, n_pings = 0, most_channels = TSR_N_CHANNELS;
  int timeout_ms = 0, expected = TSR_REMOTE_ERROR_NETWORK;
  Model model = { .interval = (interval > 0 ? interval : 15) * G_USEC_PER_SEC,
                  .count = count > 0 ? count : 3,
                  .n_channels = 1,
                  .times = g_array_new (FALSE, FALSE, sizeof (gint64)),
                  .bytes = g_array_new (FALSE, FALSE, sizeof (guint64)) };

  silent
      = g_strdup_printf ("ada@ipu: no answer for %u seconds; check the network and connect again",
                         (guint)(model.interval / G_USEC_PER_SEC) * model.count);
  make_session (connection, g_rand_boolean (random));
  model.heard = model.looked = world.now;
  await_rest ();
  g_assert_true (expect_turn (&model, &n_turns, &timeout_ms, &n_pings));
  for (guint i = 0;; i++)
    {
      End end = { .is_told = g_rand_boolean (random), .n_turns = g_rand_int_range (random, 1, 40) };
      const gboolean ends = i == n_rests;
      gboolean forgets = FALSE;
      const guint64 n_added = world.n_added;
      guint n_reads = g_rand_int_range (random, 0, 3);

      g_assert_cmpint (world.timeout_ms, ==, timeout_ms);
      g_assert_cmpuint (world.n_issued, ==, n_turns);
      g_assert_cmpuint (world.n_pings, ==, n_pings);
      g_assert_cmpint (world.events, ==, POLLIN | (world.writes ? POLLOUT : 0));
      check_stats (connection, &model);
      world.n_issued = world.n_pings = world.n_acknowledged = 0;
      world.writes = g_rand_boolean (random);
      for (guint j = 0; j < n_reads; j++)
        read_one (connection, g_rand_int_range (random, 0, 3));
      /* Until just before, at and after the next look, and for a while. */
      set_now (world.now
               + (g_rand_boolean (random)
                      ? g_rand_int_range (random, 0, 150000)
                      : (gint64)timeout_ms * 1000 + g_rand_int_range (random, -1, 2) * 1000));
      if (fate == FATE_SILENCE && g_rand_int_range (random, 0, 3) == 0)
        {
          /* Just when it is looked for a request that is never answered. */
          set_now (MAX (world.now, model.looked + model.interval - i % 2));
          forgets = g_rand_int_range (random, 0, 8) == 0;
        }
      check_stats (connection, &model);
      world.reads->received += g_rand_int_range (random, 0, 3) * 12345;
      world.reads->wanted = g_rand_int_range (random, 0, 1000);
      world.reads->latency_us = g_rand_int_range (random, 0, 3) * 1000;
      /* More channels, and fewer where one fails. */
      if (world.n_wanted_channels < TSR_N_CHANNELS && g_rand_int_range (random, 0, 30) == 0)
        world.n_wanted_channels++;
      if (world.n_wanted_channels > 1 && g_rand_int_range (random, 0, 60) == 0)
        {
          const guint which = (guint)g_rand_int_range (random, 1, (gint)world.n_wanted_channels);

          world.channels[which].state = TSR_SFTP_FAILED;
          most_channels = MIN (most_channels, which);
        }
      for (guint j = 0; j < world.n_wanted_channels; j++)
        {
          TsrSftp *channel = &world.channels[j];
          const gint32 kind = g_rand_int_range (random, 0, 12);

          if (kind == 0)
            channel->pending += g_rand_int_range (random, 0, 4);
          if (kind == 1)
            channel->todo = g_rand_int_range (random, 0, 20);
          if (kind == 2)
            channel->received += 50;
          /* As long as a request may wait, and where this is to be the end, longer. */
          channel->wait_s = 2e-6 * (double)(model.count * model.interval)
                            + (forgets && j + 1 == world.n_wanted_channels ? 0.001 : 0);
        }
      if (fate != FATE_SILENCE && world.now - model.heard >= model.count * model.interval)
        world.channels[0].received++;
      if (ends && fate == FATE_POLL)
        end.code = ENOMEM;
      else if (g_rand_int_range (random, 0, 10) == 0)
        end.code = EINTR;
      if (ends && (fate == FATE_TURN || fate == FATE_GONE))
        {
          end = (End){ .is_told = fate == FATE_TURN || g_rand_boolean (random), .n_turns = 3 };
          end.is_broken = fate == FATE_TURN;
          end.is_gone = fate == FATE_GONE;
        }
      world.closes = ends && fate == FATE_GONE_UNSEEN;
      if (ends && fate == FATE_CHANNEL)
        {
          world.channels[0].state = TSR_SFTP_FAILED;
          world.channels[0].error
              = g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PROTOCOL, "it lies");
          expected = TSR_REMOTE_ERROR_PROTOCOL;
        }
      if (ends && fate == FATE_CLOSED)
        tsr_connection_close (connection);
      note (&model);
      if (ends || !expect_turn (&model, &n_turns, &timeout_ms, &n_pings))
        {
          if (!ends)
            end = (End){ .is_told = end.is_told, .n_turns = end.n_turns };
          go_on (end);
          break;
        }
      go_on (end);
      await_rest ();
      g_assert_cmpuint (world.reads->max_channels, ==, most_channels);
      if (end.code == 0 && end.is_told)
        {
          g_assert_cmpuint (world.n_turns, ==, MIN (end.n_turns, 32));
          g_assert_cmpuint (world.n_acknowledged, ==, 1);
        }
      else
        {
          g_assert_cmpuint (world.n_turns, ==, 0);
          g_assert_cmpuint (world.n_acknowledged, ==, 0);
        }
      /* What woke it up is taken with the rest that it ended, or with the next one. */
      g_assert_cmpuint (world.n_added, ==, n_added + n_reads);
    }
  AWAIT (world.n_sessions == 0);
  world.closes = FALSE;
  g_assert_cmpint (world.n_events, ==, 0);
  if (fate == FATE_CLOSED)
    {
      while (tsr_connection_get_state (connection) != TSR_CONNECTION_IDLE)
        g_usleep (100);
      g_assert_cmpint (world.ended_code, ==, G_IO_ERROR_CANCELLED);
    }
  else
    {
      error = tsr_connection_dup_error (connection);
      g_assert_cmpint (tsr_connection_get_state (connection), ==, TSR_CONNECTION_LOST);
      g_assert_error (error, TSR_REMOTE_ERROR, expected);
      g_assert_cmpint (world.ended_code, ==, expected);
      g_assert_cmpstr (error->message, ==,
                       fate == FATE_SILENCE ? silent
                       : fate == FATE_CHANNEL
                           ? "it lies"
                           : "ada@ipu: the connection was dropped (the other side   "
                             "hung up); connect again");
    }
  g_clear_error (&world.channels[0].error);
  g_array_unref (model.times);
  g_array_unref (model.bytes);
  end_connection (connection);
}

static void
test_walk (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (19);
  char *folder = tsr_test_folder_new ();

  for (guint i = 0; i < 8 * N_FATES; i++)
    walk (random, folder, i % N_FATES);
  tsr_test_folder_free (folder);
}

/* Until the SFTP server speaks, says that it will not, or has had its time. */
static void
open_once (GRand *random, TsrConnection *connection, gboolean cancels)
{
  const gint64 until = world.now + 15 * G_USEC_PER_SEC;
  const guint n_rests = (guint)g_rand_int_range (random, 0, 6);
  const gboolean fails = !cancels && g_rand_int_range (random, 0, 3) == 0;
  const gboolean breaks = !cancels && !fails && g_rand_int_range (random, 0, 4) == 0;
  Call *call = call_new (connection);
  gboolean is_late = FALSE;
  int code = -1;

  let_connect ();
  for (guint i = 0; !is_late; i++)
    {
      End end = { .is_told = g_rand_boolean (random), .n_turns = 2 };

      await_rest ();
      g_assert_cmpint (world.timeout_ms, ==, (until - world.now) / 1000 + 1);
      g_assert_cmpint (tsr_connection_get_state (connection), ==, TSR_CONNECTION_CONNECTING);
      /* At the last moment, it is in time; what is there then is taken, whatever the time. */
      set_now (i + 1 < n_rests && g_rand_boolean (random)
                   ? until - g_rand_int_range (random, 0, 2)
                   : world.now + g_rand_int_range (random, 1, 4 * G_USEC_PER_SEC));
      is_late = world.now >= until;
      if (i == n_rests && cancels)
        {
          g_cancellable_cancel (call->cancellable);
          is_late = FALSE;
          code = G_IO_ERROR_CANCELLED;
        }
      else if (i == n_rests && breaks)
        {
          end = (End){ .code = EBADF };
          is_late = FALSE;
          code = TSR_REMOTE_ERROR_NETWORK;
        }
      else if (i == n_rests)
        {
          world.channels[0].state = fails ? TSR_SFTP_FAILED : TSR_SFTP_READY;
          if (fails)
            world.channels[0].error
                = g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NO_SFTP, "no sftp");
          is_late = FALSE;
          code = fails ? TSR_REMOTE_ERROR_NO_SFTP : 0;
        }
      if (i == n_rests && cancels)
        AWAIT (call->is_done); /* nobody waits any more */
      go_on (end);
      if (i == n_rests)
        break;
    }
  AWAIT (call->is_done);
  if (is_late)
    {
      code = TSR_REMOTE_ERROR_TIMEOUT;
      g_assert_cmpstr (call->error->message, ==,
                       "ada@ipu: the SFTP server does not start in time; try again later");
    }
  g_assert_cmpint (call->ok, ==, code == 0);
  if (code != 0)
    {
      g_assert_error (call->error, (cancels && !is_late ? G_IO_ERROR : TSR_REMOTE_ERROR), code);
      AWAIT (world.n_sessions == 0);
      while (tsr_connection_get_state (connection)
             != (cancels && !is_late ? TSR_CONNECTION_IDLE : TSR_CONNECTION_LOST))
        g_usleep (100);
      g_clear_error (&world.channels[0].error);
    }
  call_free (call);
}

static void
test_opening (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20);
  char *folder = tsr_test_folder_new ();

  for (guint i = 0; i < 200; i++)
    {
      TsrConnection *connection = connection_new (folder, "");

      open_once (random, connection, i % 5 == 0);
      end_connection (connection);
    }
  tsr_test_folder_free (folder);
}

static void
give_up_attempt (TsrConnection *connection, int code)
{
  Call *call = call_new (connection);
  g_autoptr (GError) error = NULL;

  AWAIT (world.is_connecting);
  g_cancellable_cancel (call->cancellable);
  AWAIT (call->is_done && !world.is_connecting);
  call_free (call);
  while (tsr_connection_get_state (connection) == TSR_CONNECTION_CONNECTING)
    g_usleep (100);
  g_assert_cmpint (tsr_connection_get_state (connection), ==, TSR_CONNECTION_LOST);
  error = tsr_connection_dup_error (connection);
  g_assert_error (error, TSR_REMOTE_ERROR, code);
}

/* After a loss: who connects again without being told to, when, and what the others are told. */
static void
test_retries (void)
{
  static const int codes[]
      = { TSR_REMOTE_ERROR_REFUSED, TSR_REMOTE_ERROR_TIMEOUT, TSR_REMOTE_ERROR_AUTH };
  g_autoptr (GRand) random = g_rand_new_with_seed (21);
  char *folder = tsr_test_folder_new ();
  TsrConnection *connection = connection_new (folder, "");
  gint64 retry_at = 0, delay = 0;
  gboolean needs_user = FALSE, is_ready = TRUE, is_idle = FALSE;
  int code = 0;
  guint n_made = 0;

  make_session (connection, 0);
  for (guint i = 0; i < 600; i++)
    {
      const TsrReadPriority priority = (TsrReadPriority)g_rand_int_range (random, 0, 3);
      const guint64 n_failed = world.n_failed;
      const guint n_attempts = world.n_attempts;
      gboolean tries;

      if (is_ready)
        {
          await_rest ();
          go_on ((End){ .code = ENOMEM });
          AWAIT (world.n_sessions == 0);
          is_ready = FALSE;
          code = TSR_REMOTE_ERROR_NETWORK;
        }
      /* A user who asks for it need not wait. */
      if (g_rand_int_range (random, 0, 12) == 0)
        {
          tsr_connection_forget_loss (connection);
          needs_user = FALSE;
          retry_at = delay = 0;
          is_idle = TRUE;
        }
      set_now (MAX (world.now, retry_at + (g_rand_boolean (random) ? 0 : -1)));
      tries = is_idle || (priority == TSR_READ_NOW && !needs_user && world.now >= retry_at);
      /* Of an attempt that was given up nothing is left: it is lost as it was. */
      if (tries && !is_idle && g_rand_int_range (random, 0, 4) == 0)
        {
          give_up_attempt (connection, code);
          g_assert_cmpuint (world.n_attempts, ==, n_attempts + 1);
          world.n_attempts--;
        }
      g_clear_error (&world.refusal);
      if (tries && g_rand_int_range (random, 0, 6) > 0)
        {
          code = codes[g_rand_int_range (random, 0, 12) == 0 ? 2 : g_rand_int_range (random, 0, 2)];
          world.refusal = g_error_new_literal (TSR_REMOTE_ERROR, code, "no");
        }
      read_one (connection, priority);
      if (tries)
        let_connect ();
      if (tries && world.refusal == NULL)
        {
          await_rest ();
          world.channels[0].state = TSR_SFTP_READY;
          go_on ((End){ 0 });
          await_rest ();
          is_ready = TRUE;
          needs_user = FALSE;
          retry_at = delay = 0;
          n_made++;
          g_assert_cmpuint (world.n_failed, ==, n_failed);
        }
      else
        {
          AWAIT (world.n_failed == n_failed + 1);
          g_assert_cmpint (world.failed_code, ==, code);
          g_assert_cmpint (tsr_connection_get_state (connection), ==, TSR_CONNECTION_LOST);
        }
      g_assert_cmpuint (world.n_attempts, ==, n_attempts + (tries ? 1 : 0));
      is_idle = FALSE;
      if (tries && world.refusal != NULL)
        {
          delay = CLAMP (2 * delay, G_USEC_PER_SEC, 30 * G_USEC_PER_SEC);
          retry_at = world.now + delay;
          needs_user |= code == TSR_REMOTE_ERROR_AUTH;
        }
    }
  g_assert_cmpuint (n_made, >, 20);
  g_clear_error (&world.refusal);
  end_connection (connection);
  tsr_test_folder_free (folder);
}

/* An attempt ends when nobody waits for it any more, and not before. */
static void
test_waiting (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (22);
  char *folder = tsr_test_folder_new ();

  for (guint i = 0; i < 60; i++)
    {
      TsrConnection *connection = connection_new (folder, "");
      const guint n_calls = (guint)g_rand_int_range (random, 1, 4);
      const gboolean reads = g_rand_int_range (random, 0, 3) == 0;
      const guint64 n_failed = world.n_failed;
      Call *calls[3];
      TsrSourceStamp stamp = { .size = 1 };

      world.n_wakes = 0;
      for (guint j = 0; j < n_calls; j++)
        calls[j] = call_new (connection);
      AWAIT (world.is_connecting && world.n_wakes == n_calls);
      g_assert_true (tsr_connection_is_attempt (connection, world.attempt));
      g_assert_false (tsr_connection_is_attempt (connection, calls[0]->cancellable));
      tsr_connection_close_file (connection, tsr_connection_open_file (connection, "/f", &stamp));
      if (reads)
        read_one (connection, TSR_READ_BACKGROUND);
      for (guint j = 0; j < n_calls; j++)
        {
          g_assert_true (world.is_connecting);
          g_cancellable_cancel (calls[j]->cancellable);
          AWAIT (calls[j]->is_done);
          g_assert_error (calls[j]->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        }
      if (reads)
        {
          g_usleep (2000);
          g_assert_true (world.is_connecting);
          tsr_connection_close (connection);
          AWAIT (world.n_failed == n_failed + 1);
          g_assert_cmpint (world.failed_code, ==, G_IO_ERROR_CANCELLED);
        }
      while (tsr_connection_get_state (connection) != TSR_CONNECTION_IDLE)
        g_usleep (100);
      g_assert_false (world.is_connecting);
      for (guint j = 0; j < n_calls; j++)
        call_free (calls[j]);
      g_object_unref (connection);
    }
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  set_now (START);
  g_test_add_func ("/serving/walk", test_walk);
  g_test_add_func ("/serving/opening", test_opening);
  g_test_add_func ("/serving/retries", test_retries);
  g_test_add_func ("/serving/waiting", test_waiting);
  return g_test_run ();
}
