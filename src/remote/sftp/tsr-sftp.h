/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One SFTP channel (protocol version 3) of an ssh session that never blocks: requests go into a
 * queue, tsr_sftp_step() moves bytes, and answers arrive as callbacks in the server's order.
 * libssh's own SFTP functions wait for each answer, and its asynchronous reads differ between 0.10
 * and 0.11; the protocol is small, and here everything from a hostile server has a limit.  One
 * thread. */

#pragma once

#include "tsr-wire.h"

#include <libssh/libssh.h>

G_BEGIN_DECLS

typedef struct _TsrSftp TsrSftp;

typedef enum
{
  TSR_SFTP_OPENING,
  TSR_SFTP_READY,
  TSR_SFTP_FAILED, /* see tsr_sftp_get_error */
} TsrSftpState;

typedef enum
{
  TSR_SFTP_OPEN_FILE = 3,
  TSR_SFTP_CLOSE = 4,
  TSR_SFTP_READ = 5,
  TSR_SFTP_LSTAT = 7,
  TSR_SFTP_FSTAT = 8,
  TSR_SFTP_OPEN_FOLDER = 11,
  TSR_SFTP_READ_FOLDER = 12,
  TSR_SFTP_REALPATH = 16,
  TSR_SFTP_STAT = 17,
  /* Answers. */
  TSR_SFTP_STATUS = 101,
  TSR_SFTP_HANDLE = 102,
  TSR_SFTP_DATA = 103,
  TSR_SFTP_NAME = 104,
  TSR_SFTP_ATTRS = 105,
} TsrSftpType;

typedef enum
{
  TSR_SFTP_OK = 0,
  TSR_SFTP_EOF = 1,
  TSR_SFTP_NO_SUCH_FILE = 2,
  TSR_SFTP_PERMISSION_DENIED = 3,
  TSR_SFTP_FAILURE = 4,
} TsrSftpStatus;

typedef struct
{
  gboolean has_size, has_mode, has_times;
  guint64 size;
  guint32 mode; /* st_mode */
  guint32 mtime;
} TsrSftpAttributes;

typedef struct
{
  TsrSftpType type;
  guint32 status; /* of TSR_SFTP_STATUS */
  char *text;     /* (nullable) of TSR_SFTP_STATUS, cleaned */
  TsrWire body;   /* of the others, behind the request's number */
} TsrSftpAnswer;

/* @answer is NULL if the channel is gone.  The callback may send, but must not free @self. */
typedef void (*TsrSftpFunc) (TsrSftp *self, const TsrSftpAnswer *answer, gpointer data);

/* @who names the host in errors. Opening goes on with each tsr_sftp_step(). */
TsrSftp *tsr_sftp_new (ssh_session session, const char *who);
/* Requests under way are answered with NULL; @error, which becomes the channel's, says why. */
void tsr_sftp_free (TsrSftp *self, const GError *error);
const char *tsr_sftp_get_who (TsrSftp *self);
TsrSftpState tsr_sftp_get_state (TsrSftp *self);
/* (transfer none) (nullable): TSR_REMOTE_ERROR_NO_SFTP, _PROTOCOL, _NETWORK. */
const GError *tsr_sftp_get_error (TsrSftp *self);
/* Fails the channel because of an impossible answer. */
void tsr_sftp_fail (TsrSftp *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Handles what has arrived and sends what is queued; returns the number of answers and state
 * changes. */
guint tsr_sftp_step (TsrSftp *self);
guint tsr_sftp_count_pending (TsrSftp *self);
/* How long the oldest request has been waiting for its answer, in seconds; 0: there is none. */
double tsr_sftp_get_wait (TsrSftp *self);
guint64 tsr_sftp_count_received (TsrSftp *self); /* bytes */

/* LSTAT, STAT, REALPATH, OPEN_FOLDER, OPEN_FILE (to read).  @func NULL: the answer is ignored. */
void tsr_sftp_send_path (
    TsrSftp *self, TsrSftpType type, const char *path, TsrSftpFunc func, gpointer data);
/* CLOSE, FSTAT, READ_FOLDER. */
void tsr_sftp_send_handle (
    TsrSftp *self, TsrSftpType type, GBytes *handle, TsrSftpFunc func, gpointer data);
void tsr_sftp_send_read (
    TsrSftp *self, GBytes *handle, guint64 offset, guint32 length, TsrSftpFunc func, gpointer data);

/* The handle of a TSR_SFTP_HANDLE answer; NULL for any other, or a handle that is too long. */
GBytes *tsr_sftp_answer_dup_handle (const TsrSftpAnswer *answer);

/* (transfer full): the error that a failed @answer means for @path.  @opened: it existed before. */
GError *tsr_sftp_answer_dup_error (TsrSftp *self,
                                   const TsrSftpAnswer *answer,
                                   const char *path,
                                   gboolean opened);

/* FALSE if the packet is too short. */
gboolean tsr_sftp_take_attributes (TsrWire *wire, TsrSftpAttributes *attributes);

G_END_DECLS
