/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The quark of TSR_REMOTE_ERROR, and which errors are worth another try. */

#include "config.h"

#include "tsr-remote-error.h"

G_DEFINE_QUARK (tsr - remote - error - quark, tsr_remote_error)

gboolean
tsr_remote_error_is_transient (const GError *error)
{
  return g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNKNOWN_HOST)
         || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_REFUSED)
         || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_TIMEOUT)
         || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
}

gboolean
tsr_remote_error_is_unanswered (const GError *error)
{
  return g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NEEDS_ANSWER)
         || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNANSWERED)
         || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN);
}

gboolean
tsr_remote_error_is_away (const GError *error)
{
  return tsr_remote_error_is_transient (error) || tsr_remote_error_is_unanswered (error);
}

gboolean
tsr_remote_error_lacks_bytes (const GError *error)
{
  return error != NULL
         && (tsr_remote_error_is_away (error)
             || g_error_matches (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH));
}
