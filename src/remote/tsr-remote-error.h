/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The error domain of what can go wrong between here and a file on another machine.  A message says
 * which host (and which hop of several), what failed, the cause, and what the user can do; no
 * trailing stop; never a secret. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_REMOTE_ERROR (tsr_remote_error_quark ())

typedef enum
{
  TSR_REMOTE_ERROR_UNKNOWN_HOST,     /* the name has no address */
  TSR_REMOTE_ERROR_REFUSED,          /* nobody listens there */
  TSR_REMOTE_ERROR_TIMEOUT,          /* no answer in time */
  TSR_REMOTE_ERROR_NETWORK,          /* unreachable, or the connection was dropped */
  TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN, /* nobody said yes to it */
  TSR_REMOTE_ERROR_HOST_KEY_CHANGED, /* another key than the one that is known */
  TSR_REMOTE_ERROR_HOST_KEY_REVOKED, /* marked @revoked */
  TSR_REMOTE_ERROR_AUTH,             /* the server did not let us in */
  TSR_REMOTE_ERROR_NEEDS_ANSWER,     /* somebody would have to be asked, and may not be */
  TSR_REMOTE_ERROR_UNANSWERED,       /* somebody was asked, and gave up */
  TSR_REMOTE_ERROR_NO_SFTP,          /* no SFTP subsystem, or it does not speak version 3 */
  TSR_REMOTE_ERROR_PERMISSION,       /* that file or folder may not be read */
  TSR_REMOTE_ERROR_VANISHED,         /* it was there and is not any more */
  TSR_REMOTE_ERROR_PROTOCOL,         /* the server says what cannot be true */
  TSR_REMOTE_ERROR_NOT_SSH,          /* something else listens there */
  TSR_REMOTE_ERROR_CONFIG,           /* a line of ssh_config or known_hosts that cannot be used */
} TsrRemoteError;

GQuark tsr_remote_error_quark (void);

/* TRUE for errors after which connecting again may help: a lost or unreachable network. */
gboolean tsr_remote_error_is_transient (const GError *error);
/* TRUE when nobody logged in because a question was not answered, or could not be asked. */
gboolean tsr_remote_error_is_unanswered (const GError *error);
/* Either of the two: nothing speaks against what the cache has. */
gboolean tsr_remote_error_is_away (const GError *error);

G_END_DECLS
