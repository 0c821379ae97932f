/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An SFTP connection that any number of reports, browsers and background reads share: one thread
 * owns libssh's session and channels; everybody else hands it requests and waits, or is called
 * back.
 *
 *   callers -> queue (by priority) -> thread { issue up to a window of reads of <= 32 KiB, striped
 *   over up to four SFTP channels of one session; poll socket and wake-up } -> answers
 *
 * Reads are pipelined and answered in any order; metadata requests are one round trip each.  A
 * cancelled request returns at once; its answer is discarded when it arrives.  If the connection is
 * lost, requests in flight fail with TSR_REMOTE_ERROR_NETWORK and the next one connects again
 * (asking the user if necessary).  Open files survive this: a handle is reopened by its path; if
 * the file is a different one then, that is TSR_ERROR_CHANGED. Any thread; callbacks run on the
 * connection's thread and must not block. */

#pragma once

#include "tsr-asker.h"
#include "tsr-block-cache.h"
#include "tsr-folder.h"
#include "tsr-ssh-config.h"

G_BEGIN_DECLS

#define TSR_TYPE_CONNECTION (tsr_connection_get_type ())
G_DECLARE_FINAL_TYPE (TsrConnection, tsr_connection, TSR, CONNECTION, GObject)

typedef enum
{
  TSR_CONNECTION_IDLE,       /* never connected, or closed on request */
  TSR_CONNECTION_CONNECTING, /* including questions and waiting */
  TSR_CONNECTION_READY,
  TSR_CONNECTION_LOST, /* lost, or could not be made: see tsr_connection_dup_error */
} TsrConnectionState;

typedef enum
{
  TSR_READ_NOW,        /* somebody waits for it */
  TSR_READ_AHEAD,      /* will be needed soon */
  TSR_READ_BACKGROUND, /* the local copy */
} TsrReadPriority;

typedef struct
{
  guint64 bytes; /* of files, received over the network */
  guint64 connects;
  guint64 wanted;     /* bytes that were asked for and have not come, but for background reads */
  double silence_s;   /* since the host said anything, while it owes an answer; else 0 */
  double bytes_per_s; /* over the last two seconds */
  double latency_s;   /* shortest answer time of the last ten; NaN */
} TsrConnectionStats;

/* Uses @config as it is now; does not connect yet.  Never asks without @asker. */
TsrConnection *
tsr_connection_new (const TsrSshAddress *address, TsrSshConfig *config, TsrAsker *asker);
/* Before connecting, as tsr_connections_set_identity(). */
void
tsr_connection_set_identity (TsrConnection *self, const char *key_file, const char *agent_socket);
/* Makes every attempt to connect fail at once, as if there were no network.  Call before
 * connecting. */
void tsr_connection_set_offline (TsrConnection *self, gboolean is_offline);
const TsrSshAddress *tsr_connection_get_address (TsrConnection *self);
/* (transfer none): "user@host" or, if a port was given, "user@host:port", to show. */
const char *tsr_connection_get_name (TsrConnection *self);

/* "state-changed", on the default main context. */
TsrConnectionState tsr_connection_get_state (TsrConnection *self);
/* (transfer full) (nullable): what is happening, or why the connection was lost. */
char *tsr_connection_dup_status (TsrConnection *self);
GError *tsr_connection_dup_error (TsrConnection *self);
void tsr_connection_get_stats (TsrConnection *self, TsrConnectionStats *stats);

/* The machine that answered last, however it was named: the fingerprint of its host key; and
 * "user@host:port" as ssh_config has it (both transfer full).  FALSE before the first session. */
gboolean tsr_connection_dup_machine (TsrConnection *self, char **host_key, char **target);

/* Whether @cancellable, which came with a question, belongs to the current attempt. */
gboolean tsr_connection_is_attempt (TsrConnection *self, GCancellable *cancellable);

/* Blocks until the attempt to connect has ended.  Many may wait for the same attempt; it ends when
 * all of them have been cancelled. */
gboolean tsr_connection_connect (TsrConnection *self, GCancellable *cancellable, GError **error);
/* After a loss, requests fail at once with the error until this is called: a background read must
 * not put a dialog on the screen.  (READ_NOW and metadata requests of a connection that was READY
 * before connect again by themselves only as far as nobody must be asked.) */
void tsr_connection_forget_loss (TsrConnection *self);
/* Ends everything; requests fail with G_IO_ERROR_CANCELLED.  Returns at once. */
void tsr_connection_close (TsrConnection *self);

/* As tsr_place_list and _stat: attributes of what links point to (for those links one more round
 * trip, all sent at once); a folder of too many entries is TSR_ERROR_LIMIT; names are base names,
 * and one with "/" or of no length is a protocol error. */
GPtrArray *tsr_connection_list (TsrConnection *self,
                                const char *path,
                                GCancellable *cancellable,
                                GError **error);
TsrFolderEntry *tsr_connection_stat (TsrConnection *self,
                                     const char *path,
                                     GCancellable *cancellable,
                                     GError **error);
/* (transfer full): absolute path without links, from the server; "." is the home folder. */
char *tsr_connection_resolve (TsrConnection *self,
                              const char *path,
                              GCancellable *cancellable,
                              GError **error);

typedef struct _TsrRemoteFile TsrRemoteFile;
/* (transfer full): sends nothing, for the file is opened with its first read, in the same round
 * trip.  @stamp: from the listing; each time the file is opened it is examined and compared. */
TsrRemoteFile *
tsr_connection_open_file (TsrConnection *self, const char *path, const TsrSourceStamp *stamp);
/* Takes @file; reads that are under way go on. */
void tsr_connection_close_file (TsrConnection *self, TsrRemoteFile *file);

/* @blocks (nullable on error) (element-type GBytes): the range in blocks of TSR_BLOCK_BYTES from
 * its offset on, the last of which may be shorter; the caller keeps the array.  Takes @error. */
typedef void (*TsrRemoteReadFunc) (GPtrArray *blocks, GError *error, gpointer data);
/* Reads a range of any length, as far as the file goes; its blocks are requested at once. */
void tsr_connection_read_async (TsrConnection *self,
                                TsrRemoteFile *file,
                                gint64 offset,
                                gsize length,
                                TsrReadPriority priority,
                                TsrRemoteReadFunc func,
                                gpointer data);

G_END_DECLS
