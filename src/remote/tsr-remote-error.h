/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The error domain for everything between this machine and a file on another one.  A message says
 * which host (and which hop, if there are several), what failed, the cause, and what the user can
 * do.  It has no full stop at the end and never contains a secret. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TSR_REMOTE_ERROR (tsr_remote_error_quark ())

typedef enum
{
  TSR_REMOTE_ERROR_UNKNOWN_HOST,     /* the name has no address */
  TSR_REMOTE_ERROR_REFUSED,          /* nothing is listening there */
  TSR_REMOTE_ERROR_TIMEOUT,          /* no answer in time */
  TSR_REMOTE_ERROR_NETWORK,          /* unreachable, or the connection was dropped */
  TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN, /* nobody accepted it */
  TSR_REMOTE_ERROR_HOST_KEY_CHANGED, /* differs from the known key */
  TSR_REMOTE_ERROR_HOST_KEY_REVOKED, /* marked @revoked */
  TSR_REMOTE_ERROR_AUTH,             /* the server did not let us in */
  TSR_REMOTE_ERROR_NEEDS_ANSWER,     /* a question would be necessary, but is not allowed */
  TSR_REMOTE_ERROR_UNANSWERED,       /* the user gave up when asked */
  TSR_REMOTE_ERROR_NO_SFTP,          /* no SFTP subsystem, or it does not speak version 3 */
  TSR_REMOTE_ERROR_PERMISSION,       /* that file or folder may not be read */
  TSR_REMOTE_ERROR_VANISHED,         /* it existed before, and no longer does */
  TSR_REMOTE_ERROR_PROTOCOL,         /* the server sent something impossible */
  TSR_REMOTE_ERROR_NOT_SSH,          /* something else listens there */
  TSR_REMOTE_ERROR_CONFIG,           /* a line of ssh_config or known_hosts that cannot be used */
} TsrRemoteError;

GQuark tsr_remote_error_quark (void);

/* TRUE for errors after which connecting again may help: a lost or unreachable network.  @error
 * (nullable) here and below. */
gboolean tsr_remote_error_is_transient (const GError *error);
/* TRUE if logging in failed because a question was not answered, or could not be asked. */
gboolean tsr_remote_error_is_unanswered (const GError *error);
/* Either of the two: there is no reason not to use the cache. */
gboolean tsr_remote_error_is_away (const GError *error);
/* Whether connecting again may bring what is missing, whatever the file says. */
gboolean tsr_remote_error_lacks_bytes (const GError *error);

G_END_DECLS
