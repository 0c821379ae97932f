/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The public functions: they create jobs, queue them and wait for them.  Nothing here calls libssh.
 */

#include "config.h"

#include "tsr-connection-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct _TsrConnection
{
  GObject parent_instance;
  TsrCore *core;
};

enum
{
  SIGNAL_STATE_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TsrConnection, tsr_connection, G_TYPE_OBJECT)

/* --------------------------------------------------------------------- jobs */

TsrJob *
tsr_job_new (TsrCore *core, TsrJobKind kind, const char *path)
{
  TsrJob *job = g_new0 (TsrJob, 1);

  job->refs = 1;
  job->core = core;
  job->kind = kind;
  job->path = g_strdup (path);
  return job;
}

void
tsr_job_unref (TsrJob *job)
{
  if (!g_atomic_int_dec_and_test (&job->refs))
    return;
  g_clear_pointer (&job->read, tsr_read_unref);
  if (job->result)
    job->free_result (job->result);
  g_clear_error (&job->error);
  g_free (job->path);
  g_free (job);
}

void
tsr_job_finish (TsrJob *job, gpointer result, GDestroyNotify free_result, GError *error)
{
  TsrCore *core = job->core;

  g_mutex_lock (&core->mutex);
  job->result = result;
  job->free_result = free_result;
  job->error = error;
  job->is_done = TRUE;
  g_cond_broadcast (&core->changed);
  g_mutex_unlock (&core->mutex);
}

gboolean
tsr_job_is_abandoned (TsrJob *job)
{
  gboolean is;

  g_mutex_lock (&job->core->mutex);
  is = job->is_abandoned;
  g_mutex_unlock (&job->core->mutex);
  return is;
}

/* --------------------------------------------------------------------- core */

/* OpenSSL tidies up when the process ends, so no thread may be inside libssh then. */
static GMutex live_mutex;
static GCond live_changed;
static GList *live_cores;
static GList *ended_threads; /* GThread: to be joined */

static gpointer
copy_core (gconstpointer core, gpointer data)
{
  return tsr_core_ref ((TsrCore *)core);
}

/* Until a thread is joined, OpenSSL may still be taking back what it had for it. */
static void
join_ended (void)
{
  GList *threads;

  g_mutex_lock (&live_mutex);
  threads = g_steal_pointer (&ended_threads);
  g_mutex_unlock (&live_mutex);
  for (GList *l = threads; l; l = l->next)
    g_thread_join (l->data);
  g_list_free (threads);
}

static void
end_all_cb (void)
{
  gint64 until = g_get_monotonic_time () + 2 * G_USEC_PER_SEC;
  GList *cores;

  g_mutex_lock (&live_mutex);
  cores = g_list_copy_deep (live_cores, copy_core, NULL);
  g_mutex_unlock (&live_mutex);
  for (GList *l = cores; l; l = l->next)
    tsr_core_stop (l->data, TRUE);
  g_list_free_full (cores, (GDestroyNotify)tsr_core_unref);
  g_mutex_lock (&live_mutex);
  while (live_cores && g_cond_wait_until (&live_changed, &live_mutex, until))
    ;
  g_mutex_unlock (&live_mutex);
  join_ended ();
}

static gpointer
thread_cb (gpointer data)
{
  TsrCore *core = data;

  tsr_core_thread (core);
  g_mutex_lock (&live_mutex);
  live_cores = g_list_remove (live_cores, core);
  ended_threads = g_list_prepend (ended_threads, g_thread_ref (g_thread_self ()));
  g_cond_broadcast (&live_changed);
  g_mutex_unlock (&live_mutex);
  tsr_core_unref (core);
  return NULL;
}

static void
start_thread (TsrCore *core)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      guint8 byte;

      /* OpenSSL sets up what it does at the end when it is used for the first time; what is set up
       * after that is done before it. */
      ssh_init ();
      ssh_get_random (&byte, sizeof byte, 0);
      atexit (end_all_cb);
      g_once_init_leave (&once, 1);
    }
  join_ended ();
  g_mutex_lock (&live_mutex);
  live_cores = g_list_prepend (live_cores, core);
  g_mutex_unlock (&live_mutex);
  core->thread = g_thread_new ("ssh", thread_cb, tsr_core_ref (core));
  g_thread_unref (core->thread);
}

/* With the port where it is told: ends of tunnels differ in nothing else. */
static char *
dup_name (const TsrSshAddress *address, TsrSshConfig *config)
{
  TsrSshHop hop = address->target;
  TsrSshHost *host = NULL;
  char *name;

  if (hop.user == NULL && config)
    {
      host = tsr_ssh_config_look_up (config, &hop);
      hop.user = host->user;
    }
  name = tsr_ssh_hop_to_string (&hop);
  g_clear_pointer (&host, tsr_ssh_host_free);
  return name;
}

TsrCore *
tsr_core_new (const TsrSshAddress *address, TsrSshConfig *config, TsrAsker *asker)
{
  TsrCore *core = g_new0 (TsrCore, 1);

  core->refs = 1;
  core->address = tsr_ssh_address_copy (address);
  core->config = config ? tsr_ssh_config_ref (config) : NULL;
  core->asker = asker ? g_object_ref (asker) : tsr_asker_new_silent ();
  core->name = dup_name (address, config);
  core->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  g_weak_ref_init (&core->owner, NULL);
  g_mutex_init (&core->mutex);
  g_cond_init (&core->changed);
  g_queue_init (&core->jobs);
  for (guint i = 0; i < G_N_ELEMENTS (core->reads); i++)
    g_queue_init (&core->reads[i]);
  core->stats.latency_s = NAN;
  return core;
}

TsrCore *
tsr_core_ref (TsrCore *core)
{
  g_atomic_int_inc (&core->refs);
  return core;
}

void
tsr_core_unref (TsrCore *core)
{
  if (!g_atomic_int_dec_and_test (&core->refs))
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

void
tsr_core_wake (TsrCore *core)
{
  guint64 one = 1;

  if (write (core->wake_fd, &one, sizeof one) < 0)
    return; /* full: it is awake */
}

void
tsr_core_submit (TsrCore *core, TsrJob *job)
{
  g_atomic_int_inc (&job->refs);
  g_mutex_lock (&core->mutex);
  g_queue_push_tail (&core->jobs, job);
  if (!core->thread)
    start_thread (core);
  g_mutex_unlock (&core->mutex);
  tsr_core_wake (core);
}

static gboolean
is_given_up (const TsrJob *job)
{
  return job->is_abandoned || job->kind == TSR_JOB_FORGET_FILE
         || (job->read && tsr_read_is_abandoned (job->read));
}

/* Mutex held: nobody waits for the attempt any more. */
static gboolean
is_orphan (TsrCore *core)
{
  for (GList *l = core->jobs.head; l; l = l->next)
    if (!is_given_up (l->data))
      return FALSE;
  return TRUE;
}

gboolean
tsr_core_has_thread (TsrCore *core)
{
  gboolean has;

  g_mutex_lock (&core->mutex);
  has = core->thread != NULL;
  g_mutex_unlock (&core->mutex);
  return has;
}

void
tsr_core_check_waiting (TsrCore *core)
{
  g_autoptr (GCancellable) orphan = NULL;

  g_mutex_lock (&core->mutex);
  if (core->attempt && is_orphan (core))
    orphan = g_object_ref (core->attempt);
  g_mutex_unlock (&core->mutex);
  if (orphan)
    g_cancellable_cancel (orphan);
  tsr_core_wake (core);
}

static void
cancelled_cb (GCancellable *cancellable, gpointer data)
{
  TsrCore *core = data;

  (void)cancellable;
  g_mutex_lock (&core->mutex);
  g_cond_broadcast (&core->changed);
  g_mutex_unlock (&core->mutex);
}

gboolean
tsr_core_wait (TsrCore *core, TsrJob *job, GCancellable *cancellable, GError **error)
{
  gulong handler = 0;
  gboolean ok = FALSE;

  if (cancellable)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), core, NULL);
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
      job->is_abandoned = TRUE;
      g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  g_mutex_unlock (&core->mutex);
  if (handler)
    g_cancellable_disconnect (cancellable, handler);
  if (!ok)
    tsr_core_check_waiting (core);
  return ok;
}

void
tsr_core_stop (TsrCore *core, gboolean ends)
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
      tsr_core_tell (core);
    }
  if (core->attempt)
    attempt = g_object_ref (core->attempt);
  g_mutex_unlock (&core->mutex);
  if (attempt)
    g_cancellable_cancel (attempt);
  tsr_core_wake (core);
}

static gboolean
tell_cb (gpointer data)
{
  TsrCore *core = data;
  g_autoptr (GObject) owner = g_weak_ref_get (&core->owner);

  g_mutex_lock (&core->mutex);
  core->tells = FALSE;
  g_mutex_unlock (&core->mutex);
  if (owner)
    g_signal_emit (owner, signals[SIGNAL_STATE_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

void
tsr_core_tell (TsrCore *core)
{
  if (core->tells)
    return;
  core->tells = TRUE;
  g_idle_add_full (G_PRIORITY_DEFAULT, tell_cb, tsr_core_ref (core),
                   (GDestroyNotify)tsr_core_unref);
}

/* ------------------------------------------------------------------- object */

static void
tsr_connection_finalize (GObject *object)
{
  TsrConnection *self = TSR_CONNECTION (object);

  tsr_core_stop (self->core, TRUE);
  tsr_core_unref (self->core);
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

  self->core = tsr_core_new (address, config, asker);
  g_weak_ref_set (&self->core->owner, self);
  return self;
}

TsrCore *
tsr_connection_get_core (TsrConnection *self)
{
  return self->core;
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
  status = g_strdup (self->core->state == TSR_CONNECTION_LOST && self->core->error
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
  error = self->core->error ? g_error_copy (self->core->error) : NULL;
  g_mutex_unlock (&self->core->mutex);
  return error;
}

/* Bytes a second between the oldest note of the last two seconds and now. */
static double
get_speed (TsrCore *core)
{
  gint64 now = g_get_monotonic_time (), since = now;
  guint64 bytes = core->stats.bytes;

  for (guint i = 0; i < G_N_ELEMENTS (core->speed_times); i++)
    if (core->speed_times[i] > 0 && now - core->speed_times[i] <= 2 * G_USEC_PER_SEC
        && core->speed_times[i] < since)
      {
        since = core->speed_times[i];
        bytes = core->speed_bytes[i];
      }
  if (now - since < G_USEC_PER_SEC / 20)
    return 0;
  return (double)(core->stats.bytes - bytes) * G_USEC_PER_SEC / (double)(now - since);
}

void
tsr_connection_get_stats (TsrConnection *self, TsrConnectionStats *stats)
{
  g_return_if_fail (TSR_IS_CONNECTION (self));
  g_mutex_lock (&self->core->mutex);
  *stats = self->core->stats;
  stats->bytes_per_s = get_speed (self->core);
  stats->wanted = (gsize)g_atomic_pointer_get (&self->core->wanted);
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

gboolean
tsr_connection_connect (TsrConnection *self, GCancellable *cancellable, GError **error)
{
  TsrJob *job;
  gboolean ok;

  g_return_val_if_fail (TSR_IS_CONNECTION (self), FALSE);
  g_mutex_lock (&self->core->mutex);
  self->core->is_closed = FALSE;
  g_mutex_unlock (&self->core->mutex);
  job = tsr_job_new (self->core, TSR_JOB_CONNECT, NULL);
  tsr_core_submit (self->core, job);
  ok = tsr_core_wait (self->core, job, cancellable, error);
  tsr_job_unref (job);
  return ok;
}

void
tsr_connection_forget_loss (TsrConnection *self)
{
  TsrCore *core;

  g_return_if_fail (TSR_IS_CONNECTION (self));
  core = self->core;
  g_mutex_lock (&core->mutex);
  core->is_closed = FALSE;
  if (core->state == TSR_CONNECTION_LOST)
    {
      core->state = TSR_CONNECTION_IDLE;
      g_clear_error (&core->error);
      tsr_core_tell (core);
    }
  core->needs_user = FALSE;
  core->retry_at = core->retry_delay = 0;
  g_mutex_unlock (&core->mutex);
}

void
tsr_connection_close (TsrConnection *self)
{
  g_return_if_fail (TSR_IS_CONNECTION (self));
  tsr_core_stop (self->core, FALSE);
}

/* (transfer full): the result of a job about @path. */
static gpointer
ask (TsrConnection *self,
     TsrJobKind kind,
     const char *path,
     GCancellable *cancellable,
     GError **error)
{
  TsrJob *job;
  gpointer result = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  job = tsr_job_new (self->core, kind, path);
  tsr_core_submit (self->core, job);
  if (tsr_core_wait (self->core, job, cancellable, error))
    result = g_steal_pointer (&job->result);
  tsr_job_unref (job);
  return result;
}

GPtrArray *
tsr_connection_list (TsrConnection *self,
                     const char *path,
                     GCancellable *cancellable,
                     GError **error)
{
  g_return_val_if_fail (TSR_IS_CONNECTION (self) && path, NULL);
  return ask (self, TSR_JOB_LIST, path, cancellable, error);
}

TsrFolderEntry *
tsr_connection_stat (TsrConnection *self,
                     const char *path,
                     GCancellable *cancellable,
                     GError **error)
{
  g_return_val_if_fail (TSR_IS_CONNECTION (self) && path, NULL);
  return ask (self, TSR_JOB_STAT, path, cancellable, error);
}

char *
tsr_connection_resolve (TsrConnection *self,
                        const char *path,
                        GCancellable *cancellable,
                        GError **error)
{
  g_return_val_if_fail (TSR_IS_CONNECTION (self) && path, NULL);
  return ask (self, TSR_JOB_RESOLVE, path, cancellable, error);
}
