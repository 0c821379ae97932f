/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The internals of a connection, shared by tsr-connection.c (the public functions),
 * tsr-connection-thread.c (the thread: connecting, loss, the loop), tsr-connection-folder.c
 * (listings and questions about paths) and tsr-remote-file.c (files and striped reads).  The thread
 * references the core, not the object, so that dropping the last reference to the object ends the
 * thread. */

#pragma once

#include "tsr-connection.h"
#include "tsr-remote-error.h"
#include "tsr-sftp.h"
#include "tsr-ssh-session.h"

G_BEGIN_DECLS

#define TSR_N_CHANNELS 4
#define TSR_READ_PIECE 32768

typedef enum
{
  TSR_JOB_CONNECT,
  TSR_JOB_LIST,
  TSR_JOB_STAT,
  TSR_JOB_RESOLVE,
  TSR_JOB_READ,
  TSR_JOB_FORGET_FILE, /* nobody uses the file any more */
} TsrJobKind;

typedef struct _TsrCore TsrCore;
typedef struct _TsrRead TsrRead;

/* Something that a caller waits for. */
typedef struct
{
  gint refs;
  TsrCore *core; /* not counted: a job ends before its core */
  TsrJobKind kind;
  char *path;
  /* Guarded by the core's mutex. */
  gboolean is_done, is_abandoned;
  gpointer result; /* GPtrArray, TsrFolderEntry or char, with @free_result */
  GDestroyNotify free_result;
  GError *error;
  /* Of reads and files. */
  TsrRead *read;
  TsrRemoteFile *file;
} TsrJob;

TsrJob *tsr_job_new (TsrCore *core, TsrJobKind kind, const char *path);
void tsr_job_unref (TsrJob *job);
/* Thread: ends a job; takes @result and @error. */
void tsr_job_finish (TsrJob *job, gpointer result, GDestroyNotify free_result, GError *error);
gboolean tsr_job_is_abandoned (TsrJob *job);

struct _TsrCore
{
  gint refs;
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
  gsize wanted;       /* atomic: of stats */
  /* Thread only. */
  TsrSshChain *chain;
  ssh_event event;
  TsrSftp *channels[TSR_N_CHANNELS];
  guint n_channels, max_channels;
  guint alive_interval_s, alive_count;
  guint64 generation;  /* of the session: handles of another one are void */
  gsize channel_bytes; /* that may be requested on a channel without exhausting its window */
  gsize in_flight[TSR_N_CHANNELS];
  gsize bulk_in_flight, bulk_window;
  double base_s; /* recent shortest answer time */
  gint64 base_at, shrunk_at;
  gboolean is_slow_start;
  GError *loss; /* (nullable): while the session is being closed */
  gboolean was_busy;
  guint64 n_sent, n_received;
  double least_answer_s[10];
  guint n_answers;
  gint64 last_heard, looked_at;
  gboolean pinging;
  guint64 heard_bytes; /* as of last_heard */
  GQueue reads[3];     /* TsrRead that are not fully requested, by priority */
  gint64 speed_times[20];
  guint64 speed_bytes[20];
  guint speed_at;
};

TsrCore *tsr_core_new (const TsrSshAddress *address, TsrSshConfig *config, TsrAsker *asker);
TsrCore *tsr_core_ref (TsrCore *core);
void tsr_core_unref (TsrCore *core);
/* Takes the job; starts the thread if there is none. */
void tsr_core_submit (TsrCore *core, TsrJob *job);
/* Waits; FALSE with the job's error or G_IO_ERROR_CANCELLED. */
gboolean tsr_core_wait (TsrCore *core, TsrJob *job, GCancellable *cancellable, GError **error);
/* Ends attempt and session from outside. @ends: the thread too. */
void tsr_core_stop (TsrCore *core, gboolean ends);
void tsr_core_wake (TsrCore *core);
gboolean tsr_core_has_thread (TsrCore *core);
/* A caller gave up: an attempt without callers ends. */
void tsr_core_check_waiting (TsrCore *core);

/* tsr-connection-thread.c */
gpointer tsr_core_thread (gpointer core);
void tsr_core_tell (TsrCore *core); /* "state-changed", mutex held */

/* tsr-connection-folder.c, thread */
void tsr_folder_start (TsrCore *core, TsrJob *job);
/* (transfer full): the error for the server's answer about @path.  @opened: it existed before. */
GError *tsr_sftp_answer_error (TsrCore *core,
                               const TsrSftpAnswer *answer,
                               const char *path,
                               gboolean opened);

/* tsr-remote-file.c, thread */
void tsr_reads_add (TsrCore *core, TsrRead *read);
void tsr_reads_issue (TsrCore *core);
/* Ends all queued reads with @error; those in flight end with their channels. */
void tsr_reads_fail (TsrCore *core, const GError *error);
/* Takes @error. */
void tsr_read_fail (TsrRead *read, GError *error);
void tsr_read_unref (TsrRead *read); /* any thread */
TsrReadPriority tsr_read_get_priority (TsrRead *read);
/* (transfer full): queued; any thread, as the next three. */
TsrRead *tsr_read_submit (TsrRemoteFile *file,
                          gint64 offset,
                          gsize length,
                          TsrReadPriority priority,
                          TsrRemoteReadFunc func,
                          gpointer data);
void tsr_read_abandon (TsrRead *read);
TsrCore *tsr_remote_file_get_core (TsrRemoteFile *self);
gboolean tsr_read_is_abandoned (TsrRead *read);
void tsr_remote_file_forget (TsrCore *core, TsrRemoteFile *file);
TsrCore *tsr_connection_get_core (TsrConnection *self);

G_END_DECLS
