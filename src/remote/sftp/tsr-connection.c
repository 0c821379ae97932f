/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A connection and its thread.  Public functions queue jobs and wait for them; the thread waits for
 * jobs, connects when one needs it, and carries requests and answers until the session ends.  Once
 * the session is established, libssh never blocks here: the thread waits only in one poll() over
 * the socket and the wake-up descriptor.  The thread references the core, not the object, so that
 * dropping the last reference to the object ends the thread. */

#include "config.h"

#include "tsr-connection.h"

#include "tsr-error.h"
#include "tsr-remote-error.h"
#include "tsr-remote-file.h"
#include "tsr-sftp-folder.h"
#include "tsr-ssh-clean.h"
#include "tsr-ssh-session.h"
#include "tsr-ssh-socket.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SFTP_TIMEOUT_S   15
#define ALIVE_INTERVAL_S 15
#define ALIVE_COUNT      3
#define MAX_TURNS        16 /* of the channels between two looks at the socket */
#define MAX_RETRY_DELAY  (30 * G_USEC_PER_SEC)

typedef enum
{
  JOB_CONNECT,
  JOB_LIST,
  JOB_STAT,
  JOB_RESOLVE,
  JOB_READ,
  JOB_CLOSE_FILE, /* its owner does not use it any more */
} JobKind;

typedef struct _Core Core;

/* Something for the thread to do; somebody waits for those before JOB_READ. */
typedef struct
{
  gatomicrefcount refs;
  Core *core; /* not counted: a job ends before its core */
  JobKind kind;
  char *path;
  TsrRead *read;
  TsrRemoteFile *file;
  int is_abandoned; /* atomic */
  /* Guarded by the core's mutex. */
  gboolean is_done;
  gpointer result; /* GPtrArray, TsrFolderEntry or char */
  GError *error;
} Job;

struct _Core
{
  gatomicrefcount refs;
  TsrSshAddress *address;
  TsrSshConfig *config; /* (nullable) */
  TsrAsker *asker;
  char *name;     /* "user@host" */
  GWeakRef owner; /* TsrConnection */
  int wake_fd;    /* eventfd: there is something to do */
  GMutex mutex;
  GCond changed; /* a job is done, or a caller gave up waiting */
  /* Guarded by the mutex. */
  char *key_file, *agent_socket; /* (nullable) */
  gboolean is_offline;           /* nothing is connected */
  GThread *thread;
  TsrConnectionState state;
  char *status;
  GError *error;                /* why it is lost */
  gboolean was_ready;           /* since it was last reset */
  gboolean needs_user;          /* an attempt without questions needed an answer */
  gint64 retry_at, retry_delay; /* microseconds: no attempt without questions before */
  gboolean is_closed, is_ending, tells;
  GQueue jobs;           /* new ones */
  GCancellable *attempt; /* (nullable): of connecting */
  char *host_key;        /* (nullable): fingerprint, as of the last session */
  char *target;          /* (nullable): "user@host:port" as ssh_config has it, of that session */
  TsrConnectionStats stats;
  gint64 quiet_since; /* the host owes an answer since then, or since it last said something; 0 */
  gint64 speed_times[20];
  guint64 speed_bytes[20];
  guint speed_at;
  /* Thread only. */
  TsrSshChain *chain;
  ssh_event event;
  TsrReads reads;
  guint alive_interval_s, alive_count;
  guint64 n_received;
  gint64 last_heard, looked_at;
  gboolean pinging;
  guint64 heard_bytes; /* as of last_heard */
};

struct _TsrConnection
{
  GObject parent_instance;
  Core *core;
};

enum
{
  SIGNAL_STATE_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TsrConnection, tsr_connection, G_TYPE_OBJECT)

static gpointer run_thread (gpointer core);

/* --------------------------------------------------------------------- jobs */

static Job *
job_new (Core *core, JobKind kind, const char *path)
{
  Job *job = g_new0 (Job, 1);

  g_atomic_ref_count_init (&job->refs);
  job->core = core;
  job->kind = kind;
  job->path = g_strdup (path);
  return job;
}

static Job *
job_ref (Job *job)
{
  g_atomic_ref_count_inc (&job->refs);
  return job;
}

static void
job_unref (Job *job)
{
  if (!g_atomic_ref_count_dec (&job->refs))
    return;
  if (job->result != NULL && job->kind == JOB_LIST)
    g_ptr_array_unref (job->result);
  else if (job->result != NULL && job->kind == JOB_STAT)
    tsr_folder_entry_free (job->result);
  else
    g_free (job->result);
  g_clear_error (&job->error);
  g_free (job->path);
  g_free (job);
}

/* Thread: ends a job that somebody waits for; takes @result and @error. */
static void
finish_job (gpointer result, GError *error, gpointer data)
{
  Job *job = data;
  Core *core = job->core;

  g_mutex_lock (&core->mutex);
  job->result = result;
  job->error = error;
  job->is_done = TRUE;
  g_cond_broadcast (&core->changed);
  g_mutex_unlock (&core->mutex);
  job_unref (job);
}

/* --------------------------------------------------------------------- core */

/* With the port if one is given: the ends of tunnels on this machine differ in nothing else. */
static char *
dup_name (const TsrSshAddress *address, TsrSshConfig *config)
{
  TsrSshHop hop = address->target;
  TsrSshHost *host = NULL;
  char *name;

  if (hop.user == NULL && config != NULL)
    {
      host = tsr_ssh_config_look_up (config, &hop);
      hop.user = host->user;
    }
  name = tsr_ssh_hop_to_string (&hop);
  g_clear_pointer (&host, tsr_ssh_host_free);
  return name;
}

static Core *
core_new (const TsrSshAddress *address, TsrSshConfig *config, TsrAsker *asker)
{
  Core *core = g_new0 (Core, 1);

  g_atomic_ref_count_init (&core->refs);
  core->address = tsr_ssh_address_copy (address);
  core->config = config != NULL ? tsr_ssh_config_ref (config) : NULL;
  core->asker = asker != NULL ? g_object_ref (asker) : tsr_asker_new_silent ();
  core->name = dup_name (address, config);
  core->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  g_weak_ref_init (&core->owner, NULL);
  g_mutex_init (&core->mutex);
  g_cond_init (&core->changed);
  core->reads.who = core->name;
  return core;
}

static Core *
core_ref (Core *core)
{
  g_atomic_ref_count_inc (&core->refs);
  return core;
}

static void
core_unref (Core *core)
{
  if (!g_atomic_ref_count_dec (&core->refs))
    return;
  tsr_ssh_address_free (core->address);
  g_clear_pointer (&core->config, tsr_ssh_config_unref);
  g_object_unref (core->asker);
  g_weak_ref_clear (&core->owner);
  close (core->wake_fd);
  g_clear_object (&core->attempt);
  g_clear_error (&core->error);
  g_mutex_clear (&core->mutex);
  g_cond_clear (&core->changed);
  g_free (core->name);
  g_free (core->status);
  g_free (core->key_file);
  g_free (core->agent_socket);
  g_free (core->host_key);
  g_free (core->target);
  g_free (core);
}

static void
core_wake (Core *core)
{
  guint64 one = 1;

  if (write (core->wake_fd, &one, sizeof one) < 0)
    return; /* full: it is awake */
}

static gboolean
on_tell (gpointer data)
{
  Core *core = data;
  g_autoptr (GObject) owner = g_weak_ref_get (&core->owner);

  g_mutex_lock (&core->mutex);
  core->tells = FALSE;
  g_mutex_unlock (&core->mutex);
  if (owner != NULL)
    g_signal_emit (owner, signals[SIGNAL_STATE_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* "state-changed"; mutex held. */
static void
core_tell (Core *core)
{
  if (core->tells)
    return;
  core->tells = TRUE;
  g_idle_add_full (G_PRIORITY_DEFAULT, on_tell, core_ref (core), (GDestroyNotify)core_unref);
}

/* Ends attempt and session.  @ends: the thread too. */
static void
core_stop (Core *core, gboolean ends)
{
  g_autoptr (GCancellable) attempt = NULL;

  g_mutex_lock (&core->mutex);
  if (ends)
    core->is_ending = TRUE;
  else
    core->is_closed = TRUE;
  if (core->state == TSR_CONNECTION_LOST)
    {
      core->state = TSR_CONNECTION_IDLE;
      g_clear_error (&core->error);
      core_tell (core);
    }
  if (core->attempt != NULL)
    attempt = g_object_ref (core->attempt);
  g_mutex_unlock (&core->mutex);
  if (attempt != NULL)
    g_cancellable_cancel (attempt);
  core_wake (core);
}

/* OpenSSL tidies up when the process ends, so no thread may be inside libssh then. */
static GMutex live_mutex;
static GCond live_changed;
static GList *live_cores;
static GList *ended_threads; /* GThread: to be joined */

static gpointer
copy_core (gconstpointer core, gpointer data)
{
  return core_ref ((Core *)core);
}

/* Until a thread is joined, OpenSSL may still be taking back what it had for it. */
static void
join_ended (void)
{
  GList *threads;

  g_mutex_lock (&live_mutex);
  threads = g_steal_pointer (&ended_threads);
  g_mutex_unlock (&live_mutex);
  for (GList *l = threads; l != NULL; l = l->next)
    g_thread_join (l->data);
  g_list_free (threads);
}

static void
on_process_exit (void)
{
  gint64 until = g_get_monotonic_time () + 2 * G_USEC_PER_SEC;
  GList *cores;

  g_mutex_lock (&live_mutex);
  cores = g_list_copy_deep (live_cores, copy_core, NULL);
  g_mutex_unlock (&live_mutex);
  for (GList *l = cores; l != NULL; l = l->next)
    core_stop (l->data, TRUE);
  g_list_free_full (cores, (GDestroyNotify)core_unref);
  g_mutex_lock (&live_mutex);
  while (live_cores != NULL && g_cond_wait_until (&live_changed, &live_mutex, until))
    ;
  g_mutex_unlock (&live_mutex);
  join_ended ();
}

static gpointer
on_thread (gpointer data)
{
  Core *core = data;

  run_thread (core);
  g_mutex_lock (&live_mutex);
  live_cores = g_list_remove (live_cores, core);
  ended_threads = g_list_prepend (ended_threads, g_thread_ref (g_thread_self ()));
  g_cond_broadcast (&live_changed);
  g_mutex_unlock (&live_mutex);
  core_unref (core);
  return NULL;
}

static void
start_thread (Core *core)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      guint8 byte;

      /* OpenSSL sets up what it does at the end when it is used for the first time; what is set up
       * after that is done before it. */
      ssh_init ();
      ssh_get_random (&byte, sizeof byte, 0);
      atexit (on_process_exit);
      g_once_init_leave (&once, 1);
    }
  join_ended ();
  g_mutex_lock (&live_mutex);
  live_cores = g_list_prepend (live_cores, core);
  g_mutex_unlock (&live_mutex);
  core->thread = g_thread_new ("ssh", on_thread, core_ref (core));
  g_thread_unref (core->thread);
}

/* Takes the job; starts the thread if there is none. */
static void
core_submit (Core *core, Job *job)
{
  g_mutex_lock (&core->mutex);
  g_queue_push_tail (&core->jobs, job);
  if (core->thread == NULL)
    start_thread (core);
  g_mutex_unlock (&core->mutex);
  core_wake (core);
}

/* Mutex held: nobody waits for the attempt any more. */
static gboolean
is_orphan (Core *core)
{
  for (GList *l = core->jobs.head; l != NULL; l = l->next)
    {
      Job *job = l->data;

      if (job->kind != JOB_CLOSE_FILE && !g_atomic_int_get (&job->is_abandoned))
        return FALSE;
    }
  return TRUE;
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Core *core = data;

  (void)cancellable;
  g_mutex_lock (&core->mutex);
  g_cond_broadcast (&core->changed);
  g_mutex_unlock (&core->mutex);
}

/* FALSE with the job's error or G_IO_ERROR_CANCELLED. */
static gboolean
core_wait (Core *core, Job *job, GCancellable *cancellable, GError **error)
{
  g_autoptr (GCancellable) orphan = NULL;
  gulong handler = 0;
  gboolean ok = FALSE;

  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), core, NULL);
  g_mutex_lock (&core->mutex);
  while (!job->is_done && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&core->changed, &core->mutex);
  if (job->is_done)
    {
      ok = job->error == NULL;
      if (!ok)
        g_propagate_error (error, g_steal_pointer (&job->error));
    }
  else
    {
      g_atomic_int_set (&job->is_abandoned, TRUE);
      g_cancellable_set_error_if_cancelled (cancellable, error);
      /* An attempt that nobody waits for ends. */
      if (core->attempt != NULL && is_orphan (core))
        orphan = g_object_ref (core->attempt);
    }
  g_mutex_unlock (&core->mutex);
  g_cancellable_disconnect (cancellable, handler);
  g_cancellable_cancel (orphan);
  if (!ok)
    core_wake (core);
  return ok;
}

/* ------------------------------------------------------------------- thread */

static void
set_state (Core *core, TsrConnectionState state, const char *status, GError *error)
{
  g_mutex_lock (&core->mutex);
  core->state = state;
  g_free (core->status);
  core->status = g_strdup (status);
  g_clear_error (&core->error);
  core->error = error;
  core_tell (core);
  g_mutex_unlock (&core->mutex);
}

static void
on_step (const char *text, gpointer data)
{
  Core *core = data;

  g_mutex_lock (&core->mutex);
  g_free (core->status);
  core->status = g_strdup (text);
  core_tell (core);
  g_mutex_unlock (&core->mutex);
}

static gboolean
shall_stop (Core *core)
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
fail_job (Job *job, const GError *error)
{
  if (job->kind < JOB_READ)
    {
      finish_job (NULL, g_error_copy (error), job);
      return;
    }
  if (job->kind == JOB_READ)
    tsr_read_fail (job->read, g_error_copy (error));
  else
    tsr_remote_file_unref (job->file);
  job_unref (job);
}

/* Takes all jobs that are queued now.  Those that come later must not fail with them. */
static void
take_jobs (Core *core, GQueue *jobs)
{
  g_mutex_lock (&core->mutex);
  *jobs = core->jobs;
  g_queue_init (&core->jobs);
  g_mutex_unlock (&core->mutex);
}

static void
fail_taken (GQueue *jobs, const GError *error)
{
  for (Job *job; (job = g_queue_pop_head (jobs)) != NULL;)
    fail_job (job, error);
}

static void
fail_jobs (Core *core, const GError *error)
{
  GQueue jobs;

  take_jobs (core, &jobs);
  fail_taken (&jobs, error);
}

/* --------------------------------------------------------------- connecting */

static GPtrArray *
dup_hosts (Core *core, GError **error)
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
                   _ ("%s: no connection is made, as requested"), core->name);
      return NULL;
    }
  hosts = tsr_ssh_config_resolve (core->config, core->address, error);
  if (hosts == NULL)
    return NULL;
  target = hosts->pdata[hosts->len - 1];
  core->alive_interval_s
      = target->alive_interval_s > 0 ? target->alive_interval_s : ALIVE_INTERVAL_S;
  core->alive_count = target->alive_count > 0 ? target->alive_count : ALIVE_COUNT;
  g_mutex_lock (&core->mutex);
  for (guint i = 0; i < hosts->len; i++)
    {
      TsrSshHost *host = hosts->pdata[i];

      if (core->key_file != NULL)
        {
          g_autoptr (GStrvBuilder) files = g_strv_builder_new ();

          g_strv_builder_add (files, core->key_file);
          if (host->identity_files != NULL)
            g_strv_builder_addv (files, (const char **)host->identity_files);
          g_strfreev (host->identity_files);
          host->identity_files = g_strv_builder_end (files);
        }
      if (core->agent_socket != NULL)
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
rest (Core *core, int timeout_ms)
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
  if (fds[1].revents)
    (void)!read (core->wake_fd, &number, sizeof number);
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

static void
close_session (Core *core, const GError *error)
{
  tsr_reads_end (&core->reads, error);
  if (core->event != NULL)
    {
      ssh_event_remove_session (core->event, core->chain->session);
      ssh_event_free (core->event);
      core->event = NULL;
    }
  g_clear_pointer (&core->chain, tsr_ssh_chain_free);
}

/* What ended the session without a word. */
static GError *
new_drop_error (Core *core)
{
  g_autofree char *cause
      = tsr_ssh_clean_text (ssh_get_error (core->chain->session), TSR_SSH_CLEAN_LINE, FALSE);

  return g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK,
                      _ ("%s: the connection was dropped (%s); connect again"), core->name,
                      *cause != '\0' ? cause : _ ("the server or the network ended it"));
}

/* Opens the first SFTP channel. */
static gboolean
open_sftp (Core *core, GCancellable *cancellable, GError **error)
{
  gint64 until = g_get_monotonic_time () + SFTP_TIMEOUT_S * G_USEC_PER_SEC;
  TsrSftp *sftp;

  ssh_set_blocking (core->chain->session, 0);
  core->event = ssh_event_new ();
  ssh_event_add_session (core->event, core->chain->session);
  tsr_reads_begin (&core->reads, core->chain->session);
  sftp = core->reads.channels[0];
  for (;;)
    {
      gint64 left = until - g_get_monotonic_time ();

      while (tsr_sftp_step (sftp) > 0)
        ;
      if (tsr_sftp_get_state (sftp) == TSR_SFTP_READY)
        return TRUE;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (tsr_sftp_get_state (sftp) == TSR_SFTP_FAILED)
        {
          *error = g_error_copy (tsr_sftp_get_error (sftp));
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
          *error = new_drop_error (core);
          return FALSE;
        }
    }
}

static void
begin_session (Core *core)
{
  core->pinging = FALSE;
  core->last_heard = core->looked_at = g_get_monotonic_time ();
  core->heard_bytes = 0;
  g_mutex_lock (&core->mutex);
  core->quiet_since = 0;
  g_mutex_unlock (&core->mutex);
}

/* @silent: nobody may be asked.  Ends READY, LOST, or IDLE when everybody gave up. */
static gboolean
connect_once (Core *core, gboolean silent)
{
  g_autoptr (TsrAsker) asker = silent ? tsr_asker_new_silent () : g_object_ref (core->asker);
  g_autoptr (GPtrArray) hosts = NULL;
  g_autoptr (GCancellable) attempt = g_cancellable_new ();
  GError *error = NULL, *before = NULL;
  gboolean ok;

  g_mutex_lock (&core->mutex);
  if (silent && core->error != NULL)
    before = g_error_copy (core->error);
  core->attempt = g_object_ref (attempt);
  if (core->is_ending || core->is_closed)
    g_cancellable_cancel (attempt);
  g_mutex_unlock (&core->mutex);
  set_state (core, TSR_CONNECTION_CONNECTING, _ ("connecting"), NULL);
  hosts = dup_hosts (core, &error);
  if (hosts != NULL)
    core->chain = tsr_ssh_chain_connect (hosts, asker, on_step, core, attempt, &error);
  ok = core->chain != NULL && open_sftp (core, attempt, &error);
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
  if (core->chain != NULL)
    close_session (core, error);
  /* No job waits any more.  (If a user does not answer, that is a failure like others: the waiting
   * jobs get the error, and nothing asks again on its own.) */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && g_cancellable_is_cancelled (attempt))
    {
      set_state (core, before != NULL ? TSR_CONNECTION_LOST : TSR_CONNECTION_IDLE, NULL, before);
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
  /* Whoever waits is told with the next look at the jobs: it is too early for another attempt. */
  set_state (core, TSR_CONNECTION_LOST, NULL, error);
  return FALSE;
}

/* ------------------------------------------------------------------ serving */

static void
lose (Core *core, GError *error)
{
  GQueue jobs;

  take_jobs (core, &jobs);
  /* The state first: callers look at it when they get the error. */
  set_state (core, TSR_CONNECTION_LOST, NULL, g_error_copy (error));
  g_mutex_lock (&core->mutex);
  /* A server that lies would do so again. */
  core->needs_user = core->needs_user || !tsr_remote_error_is_transient (error);
  g_mutex_unlock (&core->mutex);
  close_session (core, error);
  fail_taken (&jobs, error);
  g_error_free (error);
}

static void
on_ping (TsrSftp *sftp, const TsrSftpAnswer *answer, gpointer data)
{
  ((Core *)data)->pinging = FALSE;
}

/* A server that answers everything but one request has to be told from a slow one: twice the time
 * that the whole connection may be silent. */
static gboolean
is_ignored (Core *core)
{
  for (guint i = 0; i < core->reads.n_channels; i++)
    if (tsr_sftp_get_wait (core->reads.channels[i])
        > 2.0 * core->alive_interval_s * core->alive_count)
      return TRUE;
  return FALSE;
}

/* Looks after silence: milliseconds until the next look; -1: dead. */
static int
check_alive (Core *core)
{
  gint64 now = g_get_monotonic_time (), interval = core->alive_interval_s * G_USEC_PER_SEC;
  guint64 bytes = 0;

  for (guint i = 0; i < core->reads.n_channels; i++)
    bytes += tsr_sftp_count_received (core->reads.channels[i]);
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
      tsr_sftp_send_path (core->reads.channels[0], TSR_SFTP_REALPATH, ".", on_ping, core);
    }
  return (int)((interval - (now - core->last_heard) % interval) / 1000) + 1;
}

/* Takes the job. */
static void
begin_job (Core *core, Job *job)
{
  static const TsrSftpType types[] = {
    [JOB_LIST] = TSR_SFTP_OPEN_FOLDER,
    [JOB_STAT] = TSR_SFTP_STAT,
    [JOB_RESOLVE] = TSR_SFTP_REALPATH,
  };

  if (job->kind == JOB_CONNECT)
    finish_job (NULL, NULL, job);
  else if (job->kind < JOB_READ && !g_atomic_int_get (&job->is_abandoned))
    tsr_sftp_ask_folder (core->reads.channels[0], types[job->kind], job->path, &job->is_abandoned,
                         finish_job, job);
  else
    {
      if (job->kind == JOB_READ)
        tsr_reads_add (&core->reads, job->read);
      else if (job->kind == JOB_CLOSE_FILE)
        tsr_remote_file_unref (job->file);
      job_unref (job);
    }
}

static void
begin_jobs (Core *core)
{
  GQueue jobs;

  take_jobs (core, &jobs);
  for (Job *job; (job = g_queue_pop_head (&jobs));)
    begin_job (core, job);
}

/* Whether the host owes an answer, and since when. */
static void
note_silence (Core *core)
{
  gint64 now = g_get_monotonic_time ();
  guint64 received = 0;
  guint n_pending = 0;

  for (guint i = 0; i < core->reads.n_channels; i++)
    {
      n_pending += tsr_sftp_count_pending (core->reads.channels[i]);
      received += tsr_sftp_count_received (core->reads.channels[i]);
    }
  g_mutex_lock (&core->mutex);
  if (n_pending == 0)
    core->quiet_since = 0;
  else if (core->quiet_since == 0 || received != core->n_received)
    core->quiet_since = now;
  g_mutex_unlock (&core->mutex);
  core->n_received = received;
}

/* Lets all channels work; FALSE and @error when the first one is gone.  @more (out): there is more
 * to do at once; a server that never stops must not keep the thread in here. */
static gboolean
step_channels (Core *core, gboolean *more, GError **error)
{
  guint n = 1;

  for (guint turn = 0; turn < MAX_TURNS && n > 0; turn++)
    {
      n = 0;
      tsr_reads_issue (&core->reads);
      note_silence (core);
      for (guint i = 0; i < core->reads.n_channels; i++)
        n += tsr_sftp_step (core->reads.channels[i]);
      if (tsr_sftp_get_state (core->reads.channels[0]) == TSR_SFTP_FAILED)
        {
          *error = g_error_copy (tsr_sftp_get_error (core->reads.channels[0]));
          return FALSE;
        }
      /* A server that allows fewer sessions is served with fewer. */
      for (guint i = core->reads.n_channels; i-- > 1;)
        if (tsr_sftp_get_state (core->reads.channels[i]) == TSR_SFTP_FAILED)
          core->reads.max_channels = MIN (core->reads.max_channels, i);
    }
  *more = n > 0;
  return TRUE;
}

/* Bytes of files that have come; any thread. */
static guint64
count_bytes (Core *core)
{
  return __atomic_load_n (&core->reads.received, __ATOMIC_RELAXED);
}

static void
note_speed (Core *core)
{
  gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&core->mutex);
  if (now - core->speed_times[core->speed_at] >= G_USEC_PER_SEC / 10)
    {
      core->speed_at = (core->speed_at + 1) % G_N_ELEMENTS (core->speed_times);
      core->speed_times[core->speed_at] = now;
      core->speed_bytes[core->speed_at] = count_bytes (core);
    }
  g_mutex_unlock (&core->mutex);
}

/* Until the session ends, by itself or on request. */
static void
serve (Core *core)
{
  GError *error = NULL;

  while (!shall_stop (core))
    {
      gboolean more;
      int timeout_ms;

      begin_jobs (core);
      timeout_ms = check_alive (core);
      if (timeout_ms < 0)
        error
            = g_error_new (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK,
                           _ ("%s: no answer for %u seconds; check the network and connect again"),
                           core->name, core->alive_interval_s * core->alive_count);
      else if (step_channels (core, &more, &error) && !rest (core, more ? 0 : timeout_ms))
        error = new_drop_error (core);
      if (error != NULL)
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
wait_for_jobs (Core *core)
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
may_retry (Core *core, Job *job)
{
  return core->was_ready && !core->needs_user && g_get_monotonic_time () >= core->retry_at
         && (job->kind != JOB_READ || tsr_read_get_priority (job->read) == TSR_READ_NOW);
}

/* Ends the jobs that must not connect; TRUE when some are left. @silent (out). */
static gboolean
sort_out_jobs (Core *core, gboolean *silent)
{
  GQueue kept = G_QUEUE_INIT, failed = G_QUEUE_INIT;
  g_autoptr (GError) error = NULL;
  gboolean connects;

  g_mutex_lock (&core->mutex);
  *silent = core->state == TSR_CONNECTION_LOST;
  if (core->is_closed)
    error = g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("%s: the connection was closed"),
                         core->name);
  else if (core->error != NULL)
    error = g_error_copy (core->error);
  for (Job *job; (job = g_queue_pop_head (&core->jobs));)
    {
      gboolean fails = g_atomic_int_get (&job->is_abandoned) || job->kind == JOB_CLOSE_FILE
                       || core->is_closed || (*silent && !may_retry (core, job));

      g_queue_push_tail (fails ? &failed : &kept, job);
    }
  connects = !g_queue_is_empty (&kept);
  core->jobs = kept;
  g_mutex_unlock (&core->mutex);
  if (error == NULL)
    error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, core->name);
  for (Job *job; (job = g_queue_pop_head (&failed));)
    fail_job (job, error);
  return connects;
}

static void
close_by_request (Core *core)
{
  g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                          _ ("%s: the connection was closed"), core->name);

  set_state (core, TSR_CONNECTION_IDLE, NULL, NULL);
  if (core->chain != NULL)
    close_session (core, error);
  fail_jobs (core, error);
}

static gpointer
run_thread (gpointer data)
{
  Core *core = data;
  gboolean silent;

  while (wait_for_jobs (core))
    {
      if (!sort_out_jobs (core, &silent) || !connect_once (core, silent))
        continue;
      serve (core);
      if (core->chain != NULL)
        close_by_request (core);
    }
  close_by_request (core);
  return NULL;
}

/* ------------------------------------------------------------------- object */

static void
tsr_connection_finalize (GObject *object)
{
  TsrConnection *self = TSR_CONNECTION (object);

  core_stop (self->core, TRUE);
  core_unref (self->core);
  G_OBJECT_CLASS (tsr_connection_parent_class)->finalize (object);
}

static void
tsr_connection_class_init (TsrConnectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_connection_finalize;
  signals[SIGNAL_STATE_CHANGED]
      = g_signal_new ("state-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 0);
}

static void
tsr_connection_init (TsrConnection *self)
{
}

TsrConnection *
tsr_connection_new (const TsrSshAddress *address, TsrSshConfig *config, TsrAsker *asker)
{
  TsrConnection *self = g_object_new (TSR_TYPE_CONNECTION, NULL);

  self->core = core_new (address, config, asker);
  g_weak_ref_set (&self->core->owner, self);
  return self;
}

void
tsr_connection_set_identity (TsrConnection *self, const char *key_file, const char *agent_socket)
{
  g_return_if_fail (TSR_IS_CONNECTION (self));
  g_mutex_lock (&self->core->mutex);
  g_free (self->core->key_file);
  g_free (self->core->agent_socket);
  self->core->key_file = g_strdup (key_file);
  self->core->agent_socket = g_strdup (agent_socket);
  g_mutex_unlock (&self->core->mutex);
}

void
tsr_connection_set_offline (TsrConnection *self, gboolean is_offline)
{
  g_return_if_fail (TSR_IS_CONNECTION (self));
  g_mutex_lock (&self->core->mutex);
  self->core->is_offline = is_offline;
  g_mutex_unlock (&self->core->mutex);
}

const TsrSshAddress *
tsr_connection_get_address (TsrConnection *self)
{
  g_return_val_if_fail (TSR_IS_CONNECTION (self), NULL);
  return self->core->address;
}

const char *
tsr_connection_get_name (TsrConnection *self)
{
  g_return_val_if_fail (TSR_IS_CONNECTION (self), NULL);
  return self->core->name;
}

TsrConnectionState
tsr_connection_get_state (TsrConnection *self)
{
  TsrConnectionState state;

  g_return_val_if_fail (TSR_IS_CONNECTION (self), TSR_CONNECTION_IDLE);
  g_mutex_lock (&self->core->mutex);
  state = self->core->state;
  g_mutex_unlock (&self->core->mutex);
  return state;
}

char *
tsr_connection_dup_status (TsrConnection *self)
{
  char *status;

  g_return_val_if_fail (TSR_IS_CONNECTION (self), NULL);
  g_mutex_lock (&self->core->mutex);
  status = g_strdup (self->core->state == TSR_CONNECTION_LOST && self->core->error != NULL
                         ? self->core->error->message
                         : self->core->status);
  g_mutex_unlock (&self->core->mutex);
  return status;
}

GError *
tsr_connection_dup_error (TsrConnection *self)
{
  GError *error;

  g_return_val_if_fail (TSR_IS_CONNECTION (self), NULL);
  g_mutex_lock (&self->core->mutex);
  error = self->core->error != NULL ? g_error_copy (self->core->error) : NULL;
  g_mutex_unlock (&self->core->mutex);
  return error;
}

/* Bytes a second between the oldest note of the last two seconds and now. */
static double
get_speed (Core *core)
{
  gint64 now = g_get_monotonic_time (), since = now;
  guint64 bytes_now = count_bytes (core), bytes = bytes_now;

  for (guint i = 0; i < G_N_ELEMENTS (core->speed_times); i++)
    if (core->speed_times[i] > 0 && now - core->speed_times[i] <= 2 * G_USEC_PER_SEC
        && core->speed_times[i] < since)
      {
        since = core->speed_times[i];
        bytes = core->speed_bytes[i];
      }
  if (now - since < G_USEC_PER_SEC / 20)
    return 0;
  return (double)(bytes_now - bytes) * G_USEC_PER_SEC / (double)(now - since);
}

void
tsr_connection_get_stats (TsrConnection *self, TsrConnectionStats *stats)
{
  guint64 latency_us;

  g_return_if_fail (TSR_IS_CONNECTION (self));
  g_mutex_lock (&self->core->mutex);
  *stats = self->core->stats;
  stats->bytes_per_s = get_speed (self->core);
  stats->bytes = count_bytes (self->core);
  stats->wanted = __atomic_load_n (&self->core->reads.wanted, __ATOMIC_RELAXED);
  latency_us = __atomic_load_n (&self->core->reads.latency_us, __ATOMIC_RELAXED);
  stats->latency_s = latency_us > 0 ? (double)latency_us / G_USEC_PER_SEC : NAN;
  if (self->core->quiet_since > 0 && self->core->state == TSR_CONNECTION_READY)
    stats->silence_s = (double)(g_get_monotonic_time () - self->core->quiet_since) / 1e6;
  g_mutex_unlock (&self->core->mutex);
}

gboolean
tsr_connection_dup_machine (TsrConnection *self, char **host_key, char **target)
{
  g_return_val_if_fail (TSR_IS_CONNECTION (self), FALSE);
  g_mutex_lock (&self->core->mutex);
  *host_key = g_strdup (self->core->host_key);
  *target = g_strdup (self->core->target);
  g_mutex_unlock (&self->core->mutex);
  return *host_key != NULL;
}

gboolean
tsr_connection_is_attempt (TsrConnection *self, GCancellable *cancellable)
{
  gboolean is_attempt;

  g_return_val_if_fail (TSR_IS_CONNECTION (self), FALSE);
  g_mutex_lock (&self->core->mutex);
  is_attempt = cancellable != NULL && self->core->attempt == cancellable;
  g_mutex_unlock (&self->core->mutex);
  return is_attempt;
}

/* FALSE: it failed.  @result (nullable, transfer full): of a job about @path. */
static gboolean
ask (TsrConnection *self,
     JobKind kind,
     const char *path,
     gpointer *result,
     GCancellable *cancellable,
     GError **error)
{
  Job *job;
  gboolean ok;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  job = job_new (self->core, kind, path);
  core_submit (self->core, job_ref (job));
  ok = core_wait (self->core, job, cancellable, error);
  if (ok && result != NULL)
    *result = g_steal_pointer (&job->result);
  job_unref (job);
  return ok;
}

gboolean
tsr_connection_connect (TsrConnection *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (TSR_IS_CONNECTION (self), FALSE);
  g_mutex_lock (&self->core->mutex);
  self->core->is_closed = FALSE;
  g_mutex_unlock (&self->core->mutex);
  return ask (self, JOB_CONNECT, NULL, NULL, cancellable, error);
}

void
tsr_connection_forget_loss (TsrConnection *self)
{
  Core *core;

  g_return_if_fail (TSR_IS_CONNECTION (self));
  core = self->core;
  g_mutex_lock (&core->mutex);
  core->is_closed = FALSE;
  if (core->state == TSR_CONNECTION_LOST)
    {
      core->state = TSR_CONNECTION_IDLE;
      g_clear_error (&core->error);
      core_tell (core);
    }
  core->needs_user = FALSE;
  core->retry_at = core->retry_delay = 0;
  g_mutex_unlock (&core->mutex);
}

void
tsr_connection_close (TsrConnection *self)
{
  g_return_if_fail (TSR_IS_CONNECTION (self));
  core_stop (self->core, FALSE);
}

GPtrArray *
tsr_connection_list (TsrConnection *self,
                     const char *path,
                     GCancellable *cancellable,
                     GError **error)
{
  gpointer result = NULL;

  g_return_val_if_fail (TSR_IS_CONNECTION (self) && path != NULL, NULL);
  ask (self, JOB_LIST, path, &result, cancellable, error);
  return result;
}

TsrFolderEntry *
tsr_connection_stat (TsrConnection *self,
                     const char *path,
                     GCancellable *cancellable,
                     GError **error)
{
  gpointer result = NULL;

  g_return_val_if_fail (TSR_IS_CONNECTION (self) && path != NULL, NULL);
  ask (self, JOB_STAT, path, &result, cancellable, error);
  return result;
}

char *
tsr_connection_resolve (TsrConnection *self,
                        const char *path,
                        GCancellable *cancellable,
                        GError **error)
{
  gpointer result = NULL;

  g_return_val_if_fail (TSR_IS_CONNECTION (self) && path != NULL, NULL);
  ask (self, JOB_RESOLVE, path, &result, cancellable, error);
  return result;
}

TsrRemoteFile *
tsr_connection_open_file (TsrConnection *self, const char *path, const TsrSourceStamp *stamp)
{
  g_return_val_if_fail (TSR_IS_CONNECTION (self) && path != NULL && stamp != NULL, NULL);
  return tsr_remote_file_new (&self->core->reads, path, stamp);
}

void
tsr_connection_read_async (TsrConnection *self,
                           TsrRemoteFile *file,
                           gint64 offset,
                           gsize length,
                           TsrReadPriority priority,
                           TsrRemoteReadFunc func,
                           gpointer data)
{
  Job *job;

  g_return_if_fail (TSR_IS_CONNECTION (self) && file != NULL && offset >= 0 && func != NULL);
  job = job_new (self->core, JOB_READ, NULL);
  job->read = tsr_read_new (file, offset, length, priority, func, data);
  core_submit (self->core, job);
}

void
tsr_connection_close_file (TsrConnection *self, TsrRemoteFile *file)
{
  gboolean has_thread;
  Job *job;

  g_return_if_fail (TSR_IS_CONNECTION (self) && file != NULL);
  g_mutex_lock (&self->core->mutex);
  has_thread = self->core->thread != NULL;
  g_mutex_unlock (&self->core->mutex);
  if (!has_thread)
    {
      tsr_remote_file_unref (file);
      return;
    }
  /* Its handles are the thread's to close. */
  job = job_new (self->core, JOB_CLOSE_FILE, NULL);
  job->file = file;
  core_submit (self->core, job);
}
