/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The SFTP channels of a session, and the reads of files that are striped over them.  A connection
 * has one TsrReads, which survives its sessions.  Only sftp/ includes this; except where noted, the
 * connection's thread. */

#pragma once

#include "tsr-connection.h"
#include "tsr-sftp.h"

G_BEGIN_DECLS

#define TSR_N_CHANNELS 4

typedef struct _TsrRead TsrRead;

typedef struct
{
  const char *who; /* "user@host" */
  ssh_session session;
  TsrSftp *channels[TSR_N_CHANNELS];
  guint n_channels, max_channels;
  guint64 generation;  /* of the session: handles of another one are void */
  gsize channel_bytes; /* that may be requested on a channel without exhausting its window */
  gsize in_flight[TSR_N_CHANNELS];
  gsize bulk_in_flight, bulk_window;
  double base_s; /* recent shortest answer time */
  gint64 base_us, shrunk_us;
  gboolean is_slow_start;
  double least_answer_s[10];
  guint n_answers;
  GQueue queues[3]; /* TsrRead that are not fully requested, by priority */
  /* Any thread, atomic. */
  guint64 received;   /* bytes of files */
  guint64 wanted;     /* as TsrConnectionStats says */
  guint64 latency_us; /* 0: not known */
} TsrReads;

/* Opens the first channel of @session. */
void tsr_reads_begin (TsrReads *self, ssh_session session);
/* The session is over because of @error: closes its channels, and ends all reads. */
void tsr_reads_end (TsrReads *self, const GError *error);
/* Takes @read. */
void tsr_reads_add (TsrReads *self, TsrRead *read);
/* Requests as much as there is room for. */
void tsr_reads_issue (TsrReads *self);

/* (transfer full): a range to read; @func is called once.  Any thread. */
TsrRead *tsr_read_new (TsrRemoteFile *file,
                       gint64 offset,
                       gsize length,
                       TsrReadPriority priority,
                       TsrRemoteReadFunc func,
                       gpointer data);
/* Ends a read that was not added; takes both. */
void tsr_read_fail (TsrRead *read, GError *error);
TsrReadPriority tsr_read_get_priority (const TsrRead *read); /* any thread */

/* (transfer full): any thread. */
TsrRemoteFile *tsr_remote_file_new (TsrReads *reads, const char *path, const TsrSourceStamp *stamp);
void tsr_remote_file_unref (TsrRemoteFile *self);

G_END_DECLS
