/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The thread of a connection: waits for jobs, connects when one needs it, and carries requests and
 * answers until the session ends.  Once the session is established, libssh never blocks here: the
 * thread waits only in one poll() over the socket and the wake-up descriptor. */

#include "config.h"

#include "tsr-connection-private.h"

#include "tsr-ssh-clean.h"
#include "tsr-ssh-socket.h"
#include "tsr-ssh-window.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <poll.h>
#include <unistd.h>

#define SFTP_TIMEOUT_S   15
#define ALIVE_INTERVAL_S 15
#define ALIVE_COUNT      3
#define MAX_TURNS        16 /* of the channels between two looks at the socket */
#define MAX_RETRY_DELAY  (30 * G_USEC_PER_SEC)

static void
set_state (TsrCore *core, TsrConnectionState state, const char *status, GError *error)
{
  g_mutex_lock (&core->mutex);
  core->state = state;
  g_free (core->status);
  core->status = g_strdup (status);
  g_clear_error (&core->error);
  core->error = error;
  tsr_core_tell (core);
  g_mutex_unlock (&core->mutex);
}

static void
step_cb (const char *text, gpointer data)
{
  TsrCore *core = data;

  g_mutex_lock (&core->mutex);
  g_free (core->status);
  core->status = g_strdup (text);
  tsr_core_tell (core);
  g_mutex_unlock (&core->mutex);
}

static gboolean
shall_stop (TsrCore *core)
{
  gboolean stops;

  g_mutex_lock (&core->mutex);
  stops = core->is_ending || core->is_closed;
  g_mutex_unlock (&core->mutex);
  return stops;
}

/* ----------------------------------------------------------- jobs that fail */

/* Ends a job that is not begun. */
static void
fail_job (TsrCore *core, TsrJob *job, const GError *error)
{
  if (job->kind == TSR_JOB_READ)
    tsr_read_fail (job->read, g_error_copy (error));
  else if (job->kind == TSR_JOB_FORGET_FILE)
    tsr_remote_file_forget (core, job->file);
  else
    tsr_job_finish (job, NULL, NULL, g_error_copy (error));
  tsr_job_unref (job);
}

/* What is queued now; whoever asks later is not meant by what ends now. */
static void
take_jobs (TsrCore *core, GQueue *jobs)
{
  g_mutex_lock (&core->mutex);
  *jobs = core->jobs;
  g_queue_init (&core->jobs);
  g_mutex_unlock (&core->mutex);
}

static void
fail_taken (TsrCore *core, GQueue *jobs, const GError *error)
{
  tsr_reads_fail (core, error);
  for (TsrJob *job; (job = g_queue_pop_head (jobs));)
    fail_job (core, job, error);
}

static void
fail_jobs (TsrCore *core, const GError *error)
{
  GQueue jobs;

  take_jobs (core, &jobs);
  fail_taken (core, &jobs, error);
}

/* --------------------------------------------------------------- connecting */

static GPtrArray *
dup_hosts (TsrCore *core, GError **error)
{
  GPtrArray *hosts;
  TsrSshHost *target;
  gboolean is_offline;

  g_mutex_lock (&core->mutex);
  is_offline = core->is_offline;
  g_mutex_unlock (&core->mutex);
  if (is_offline)
    {
      g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK,
                   _ ("%s: no connection is made, as was asked for"), core->name);
      return NULL;
    }
  hosts = tsr_ssh_config_resolve (core->config, core->address, error);
  if (!hosts)
    return NULL;
  target = hosts->pdata[hosts->len - 1];
  if (core->address->host_key_alias)
    {
      g_free (target->host_key_alias);
      target->host_key_alias = g_strdup (core->address->host_key_alias);
    }
  core->alive_interval_s
      = target->alive_interval_s > 0 ? target->alive_interval_s : ALIVE_INTERVAL_S;
  core->alive_count = target->alive_count > 0 ? target->alive_count : ALIVE_COUNT;
  g_mutex_lock (&core->mutex);
  for (guint i = 0; i < hosts->len; i++)
    {
      TsrSshHost *host = hosts->pdata[i];

      if (core->key_file)
        {
          g_autoptr (GStrvBuilder) files = g_strv_builder_new ();

          g_strv_builder_add (files, core->key_file);
          if (host->identity_files)
            g_strv_builder_addv (files, (const char **)host->identity_files);
          g_strfreev (host->identity_files);
          host->identity_files = g_strv_builder_end (files);
        }
      if (core->agent_socket)
        {
          g_free (host->identity_agent);
          host->identity_agent = g_strdup (core->agent_socket);
        }
    }
  g_mutex_unlock (&core->mutex);
  return hosts;
}

/* One rest: until the socket, the wake-up or @timeout_ms.  FALSE: the session is dead. */
static gboolean
rest (TsrCore *core, int timeout_ms)
{
  ssh_session session = core->chain->session;
  gboolean writes = (ssh_get_poll_flags (session) & SSH_WRITE_PENDING) != 0;
  struct pollfd fds[] = { { core->chain->fd, (short)(POLLIN | (writes ? POLLOUT : 0)), 0 },
                          { core->wake_fd, POLLIN, 0 } };
  guint64 number;

  /* A server's good-bye makes libssh close the socket, whose number may be another one's by now. */
  if (!ssh_is_connected (session))
    return FALSE;
  if (poll (fds, 2, timeout_ms) < 0 && errno != EINTR)
    return FALSE;
  if (fds[1].revents && read (core->wake_fd, &number, sizeof number) < 0)
    return TRUE;
  if (fds[0].revents)
    {
      int rc = SSH_OK;

      /* A turn reads 4 KiB. */
      for (guint i = 0; i < 32 && rc == SSH_OK; i++)
        rc = ssh_event_dopoll (core->event, 0);
      tsr_ssh_socket_acknowledge (core->chain->fd);
      if (rc == SSH_ERROR)
        return FALSE;
    }
  return ssh_is_connected (session);
}

static char *
dup_drop_cause (TsrCore *core)
{
  char *cause
      = tsr_ssh_clean_text (ssh_get_error (core->chain->session), TSR_SSH_CLEAN_LINE, FALSE);

  if (*cause)
    return cause;
  g_free (cause);
  return g_strdup (_ ("the server or the network ended it"));
}

static void
close_session (TsrCore *core)
{
  for (guint i = 0; i < core->n_channels; i++)
    g_clear_pointer (&core->channels[i], tsr_sftp_free);
  core->n_channels = 0;
  if (core->event)
    {
      ssh_event_remove_session (core->event, core->chain->session);
      ssh_event_free (core->event);
      core->event = NULL;
    }
  g_clear_pointer (&core->chain, tsr_ssh_chain_free);
}

/* Opens the first SFTP channel. */
static gboolean
open_sftp (TsrCore *core, GCancellable *cancellable, GError **error)
{
  gint64 until = g_get_monotonic_time () + SFTP_TIMEOUT_S * G_USEC_PER_SEC;

  ssh_set_blocking (core->chain->session, 0);
  core->event = ssh_event_new ();
  ssh_event_add_session (core->event, core->chain->session);
  core->channels[0] = tsr_sftp_new (core->chain->session, core->name);
  core->n_channels = 1;
  for (;;)
    {
      gint64 left = until - g_get_monotonic_time ();

      while (tsr_sftp_step (core->channels[0]) > 0)
        ;
      if (tsr_sftp_get_state (core->channels[0]) == TSR_SFTP_READY)
        return TRUE;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (tsr_sftp_get_state (core->channels[0]) == TSR_SFTP_FAILED)
        {
          *error = g_error_copy (tsr_sftp_get_error (core->channels[0]));
          return FALSE;
        }
      if (left <= 0)
        {
          g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_TIMEOUT,
                       _ ("%s: the SFTP server does not start in time; try again later"),
                       core->name);
          return FALSE;
        }
      if (!rest (core, (int)(left / 1000) + 1))
        {
          g_autofree char *cause = dup_drop_cause (core);

          g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK,
                       _ ("%s: the connection was dropped (%s); connect again"), core->name, cause);
          return FALSE;
        }
    }
}

static void
begin_session (TsrCore *core)
{
  core->generation++;
  core->max_channels = TSR_N_CHANNELS;
  /* The answers' heads have room in what is left of the window. */
  core->channel_bytes = tsr_ssh_window_get_least () - TSR_READ_PIECE;
  core->bulk_window = 8 * TSR_READ_PIECE;
  core->bulk_in_flight = 0;
  core->n_answers = 0;
  core->pinging = FALSE;
  core->is_slow_start = TRUE;
  core->base_s = 0;
  core->n_sent = 0;
  core->last_heard = core->looked_at = g_get_monotonic_time ();
  core->heard_bytes = 0;
  for (guint i = 0; i < TSR_N_CHANNELS; i++)
    core->in_flight[i] = 0;
  g_mutex_lock (&core->mutex);
  core->quiet_since = 0;
  g_mutex_unlock (&core->mutex);
}

/* @silent: nobody may be asked.  Ends READY, LOST, or IDLE when everybody gave up. */
static gboolean
connect_once (TsrCore *core, gboolean silent)
{
  g_autoptr (TsrAsker) asker = silent ? tsr_asker_new_silent () : g_object_ref (core->asker);
  g_autoptr (GPtrArray) hosts = NULL;
  g_autoptr (GCancellable) attempt = g_cancellable_new ();
  GError *error = NULL, *before = NULL;
  gboolean ok;

  g_mutex_lock (&core->mutex);
  if (silent && core->error)
    before = g_error_copy (core->error);
  core->attempt = g_object_ref (attempt);
  if (core->is_ending || core->is_closed)
    g_cancellable_cancel (attempt);
  g_mutex_unlock (&core->mutex);
  set_state (core, TSR_CONNECTION_CONNECTING, _ ("connecting"), NULL);
  hosts = dup_hosts (core, &error);
  if (hosts)
    core->chain = tsr_ssh_chain_connect (hosts, asker, step_cb, core, attempt, &error);
  ok = core->chain && open_sftp (core, attempt, &error);
  g_mutex_lock (&core->mutex);
  g_clear_object (&core->attempt);
  if (ok)
    {
      const TsrSshHost *target = hosts->pdata[hosts->len - 1];

      g_free (core->host_key);
      core->host_key = g_strdup (core->chain->host_key);
      g_free (core->target);
      core->target = g_strdup_printf ("%s@%s:%u", target->user, target->host_name, target->port);
      core->stats.connects++;
      core->was_ready = TRUE;
      core->needs_user = FALSE;
      core->retry_at = core->retry_delay = 0;
    }
  g_mutex_unlock (&core->mutex);
  if (ok)
    {
      g_clear_error (&before);
      begin_session (core);
      set_state (core, TSR_CONNECTION_READY, NULL, NULL);
      return TRUE;
    }
  if (core->chain)
    close_session (core);
  /* Nobody waits any more.  A user who does not answer is a failure like others: whoever waits is
   * told, and nobody asks again by himself. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && g_cancellable_is_cancelled (attempt))
    {
      set_state (core, before ? TSR_CONNECTION_LOST : TSR_CONNECTION_IDLE, NULL, before);
      /* Who came while it was being given up begins another attempt. */
      if (shall_stop (core))
        fail_jobs (core, error);
      g_error_free (error);
      return FALSE;
    }
  g_clear_error (&before);
  g_mutex_lock (&core->mutex);
  core->needs_user = core->needs_user || !tsr_remote_error_is_transient (error);
  core->retry_delay = CLAMP (2 * core->retry_delay, G_USEC_PER_SEC, MAX_RETRY_DELAY);
  core->retry_at = g_get_monotonic_time () + core->retry_delay;
  g_mutex_unlock (&core->mutex);
  set_state (core, TSR_CONNECTION_LOST, NULL, g_error_copy (error));
  fail_jobs (core, error);
  g_error_free (error);
  return FALSE;
}

/* ------------------------------------------------------------------ serving */

static void
lose (TsrCore *core, GError *error)
{
  GQueue jobs;

  take_jobs (core, &jobs);
  /* The state first: whoever is told of the error asks for it. */
  set_state (core, TSR_CONNECTION_LOST, NULL, g_error_copy (error));
  g_mutex_lock (&core->mutex);
  /* A server that lies would do so again. */
  core->needs_user = core->needs_user || !tsr_remote_error_is_transient (error);
  g_mutex_unlock (&core->mutex);
  core->loss = error;
  close_session (core);
  fail_taken (core, &jobs, error);
  g_clear_error (&core->loss);
}

static void
ping_cb (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  ((TsrCore *)data)->pinging = FALSE;
}

/* A server that answers everything but one request has to be told from a slow one: twice the time
 * that the whole connection may be silent. */
static gboolean
is_ignored (TsrCore *core)
{
  for (guint i = 0; i < core->n_channels; i++)
    if (tsr_sftp_get_wait (core->channels[i]) > 2.0 * core->alive_interval_s * core->alive_count)
      return TRUE;
  return FALSE;
}

/* Looks after silence: milliseconds until the next look; -1: dead. */
static int
check_alive (TsrCore *core)
{
  gint64 now = g_get_monotonic_time (), interval = core->alive_interval_s * G_USEC_PER_SEC;
  guint64 bytes = 0;

  for (guint i = 0; i < core->n_channels; i++)
    bytes += tsr_sftp_count_received (core->channels[i]);
  if (bytes != core->heard_bytes)
    {
      core->heard_bytes = bytes;
      core->last_heard = now;
    }
  if (now - core->last_heard >= interval * core->alive_count)
    return -1;
  if (now - core->looked_at >= interval)
    {
      core->looked_at = now;
      if (is_ignored (core))
        return -1;
    }
  if (now - core->last_heard >= interval && !core->pinging)
    {
      core->pinging = TRUE;
      tsr_sftp_send_path (core->channels[0], TSR_SFTP_REALPATH, ".", ping_cb, core);
    }
  return (int)((interval - (now - core->last_heard) % interval) / 1000) + 1;
}

static void
begin_job (TsrCore *core, TsrJob *job)
{
  switch (job->kind)
    {
    case TSR_JOB_CONNECT:
      tsr_job_finish (job, NULL, NULL, NULL);
      break;
    case TSR_JOB_LIST:
    case TSR_JOB_STAT:
    case TSR_JOB_RESOLVE:
      if (!tsr_job_is_abandoned (job))
        tsr_folder_start (core, job);
      break;
    case TSR_JOB_READ:
      tsr_reads_add (core, job->read);
      break;
    case TSR_JOB_FORGET_FILE:
    default:
      tsr_remote_file_forget (core, job->file);
      break;
    }
  tsr_job_unref (job);
}

static void
begin_jobs (TsrCore *core)
{
  GQueue jobs;

  take_jobs (core, &jobs);
  for (TsrJob *job; (job = g_queue_pop_head (&jobs));)
    begin_job (core, job);
}

/* Mutex not held: what has been sent since the last time, and whether the host owes an answer. */
static void
count_sent (TsrCore *core)
{
  gint64 now = g_get_monotonic_time ();
  guint64 n_sent = 0, received = 0;
  guint n_pending = 0;

  for (guint i = 0; i < core->n_channels; i++)
    {
      n_sent += tsr_sftp_count_sent (core->channels[i]);
      n_pending += tsr_sftp_count_pending (core->channels[i]);
      received += tsr_sftp_count_received (core->channels[i]);
    }
  g_mutex_lock (&core->mutex);
  core->stats.requests += n_sent - core->n_sent;
  if (!core->was_busy && n_sent > core->n_sent)
    core->stats.round_trips++;
  if (n_pending == 0)
    core->quiet_since = 0;
  else if (core->quiet_since == 0 || received != core->n_received)
    core->quiet_since = now;
  g_mutex_unlock (&core->mutex);
  core->n_sent = n_sent;
  core->n_received = received;
  core->was_busy = n_pending > 0;
}

/* Lets all channels work; FALSE and @error when the first one is gone.  @more (out): there is more
 * to do at once; a server that never stops must not keep the thread in here. */
static gboolean
step_channels (TsrCore *core, gboolean *more, GError **error)
{
  guint n = 1;

  for (guint turn = 0; turn < MAX_TURNS && n > 0; turn++)
    {
      n = 0;
      tsr_reads_issue (core);
      count_sent (core);
      for (guint i = 0; i < core->n_channels; i++)
        n += tsr_sftp_step (core->channels[i]);
      if (tsr_sftp_get_state (core->channels[0]) == TSR_SFTP_FAILED)
        {
          *error = g_error_copy (tsr_sftp_get_error (core->channels[0]));
          return FALSE;
        }
      /* A server that allows fewer sessions is served with fewer. */
      for (guint i = core->n_channels; i-- > 1;)
        if (tsr_sftp_get_state (core->channels[i]) == TSR_SFTP_FAILED)
          core->max_channels = MIN (core->max_channels, i);
    }
  *more = n > 0;
  return TRUE;
}

static void
note_speed (TsrCore *core)
{
  gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&core->mutex);
  if (now - core->speed_times[core->speed_at] >= G_USEC_PER_SEC / 10)
    {
      core->speed_at = (core->speed_at + 1) % G_N_ELEMENTS (core->speed_times);
      core->speed_times[core->speed_at] = now;
      core->speed_bytes[core->speed_at] = core->stats.bytes;
    }
  g_mutex_unlock (&core->mutex);
}

/* Until the session ends, by itself or on request. */
static void
serve (TsrCore *core)
{
  GError *error = NULL;

  while (!shall_stop (core))
    {
      gboolean more = FALSE;
      int timeout_ms;

      begin_jobs (core);
      timeout_ms = check_alive (core);
      if (timeout_ms < 0)
        error
            = g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK,
                           _ ("%s: no answer for %u seconds; check the network and connect again"),
                           core->name, core->alive_interval_s * core->alive_count);
      else if (step_channels (core, &more, &error) && !rest (core, more ? 0 : timeout_ms))
        {
          g_autofree char *cause = dup_drop_cause (core);

          error = g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK,
                               _ ("%s: the connection was dropped (%s); connect again"), core->name,
                               cause);
        }
      if (error)
        {
          lose (core, error);
          return;
        }
      note_speed (core);
    }
}

/* -------------------------------------------------------------------- thread */

/* Waits for jobs; FALSE at the end. */
static gboolean
wait_for_jobs (TsrCore *core)
{
  for (;;)
    {
      struct pollfd fd = { core->wake_fd, POLLIN, 0 };
      guint64 number;
      gboolean has, ends;

      g_mutex_lock (&core->mutex);
      ends = core->is_ending;
      has = !g_queue_is_empty (&core->jobs);
      g_mutex_unlock (&core->mutex);
      if (ends)
        return FALSE;
      if (has)
        return TRUE;
      poll (&fd, 1, -1);
      if (fd.revents && read (core->wake_fd, &number, sizeof number) < 0)
        continue;
    }
}

/* Whether @job may connect again after a loss, without questions; mutex held. */
static gboolean
may_retry (TsrCore *core, TsrJob *job)
{
  return core->was_ready && !core->needs_user && g_get_monotonic_time () >= core->retry_at
         && (job->kind != TSR_JOB_READ || tsr_read_get_priority (job->read) == TSR_READ_NOW);
}

/* Ends the jobs that must not connect; TRUE when some are left. @silent (out). */
static gboolean
sort_out_jobs (TsrCore *core, gboolean *silent)
{
  GQueue kept = G_QUEUE_INIT, failed = G_QUEUE_INIT;
  g_autoptr (GError) error = NULL;
  gboolean connects;

  g_mutex_lock (&core->mutex);
  *silent = core->state == TSR_CONNECTION_LOST;
  if (core->is_closed)
    error = g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("%s: the connection was closed"),
                         core->name);
  else if (core->error)
    error = g_error_copy (core->error);
  for (TsrJob *job; (job = g_queue_pop_head (&core->jobs));)
    {
      gboolean fails = job->is_abandoned || job->kind == TSR_JOB_FORGET_FILE || core->is_closed
                       || (job->read && tsr_read_is_abandoned (job->read))
                       || (*silent && !may_retry (core, job));

      g_queue_push_tail (fails ? &failed : &kept, job);
    }
  connects = !g_queue_is_empty (&kept);
  core->jobs = kept;
  g_mutex_unlock (&core->mutex);
  if (!error)
    error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, core->name);
  for (TsrJob *job; (job = g_queue_pop_head (&failed));)
    fail_job (core, job, error);
  return connects;
}

static void
close_by_request (TsrCore *core)
{
  g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                          _ ("%s: the connection was closed"), core->name);

  set_state (core, TSR_CONNECTION_IDLE, NULL, NULL);
  core->loss = g_error_copy (error);
  if (core->chain)
    close_session (core);
  fail_jobs (core, error);
  g_clear_error (&core->loss);
}

gpointer
tsr_core_thread (gpointer data)
{
  TsrCore *core = data;
  gboolean silent;

  while (wait_for_jobs (core))
    {
      if (!sort_out_jobs (core, &silent) || !connect_once (core, silent))
        continue;
      serve (core);
      if (core->chain)
        close_by_request (core);
    }
  close_by_request (core);
  return NULL;
}
