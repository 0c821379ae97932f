/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every step of logging in to one hop needs: an error that names the hop, notes of what was
 * tried, waiting for the server, and asking the user. */

#include "config.h"

#include "tsr-ssh-login.h"

#include "tsr-ssh-clean.h"

#include <glib/gi18n-lib.h>

#define LOGIN_TIMEOUT_S 180 /* a server that waits for a confirmation on a telephone is silent */

void
tsr_ssh_login_set_error (
    TsrSshLogin *self, GError **error, TsrRemoteError code, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (self->n_hops > 1)
    g_set_error (error, TSR_REMOTE_ERROR, code, _ ("%s (hop %u of %u): %s"), self->who, self->hop,
                 self->n_hops, text);
  else
    g_set_error (error, TSR_REMOTE_ERROR, code, "%s: %s", self->who, text);
}

gboolean
tsr_ssh_login_fail (TsrSshLogin *self, const char *doing, GError **error)
{
  g_autofree char *cause
      = tsr_ssh_clean_text (ssh_get_error (self->session), TSR_SSH_CLEAN_LINE, FALSE);
  TsrRemoteError code = TSR_REMOTE_ERROR_NETWORK;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (g_str_has_prefix (cause, "Timeout"))
    code = TSR_REMOTE_ERROR_TIMEOUT;
  else if (strstr (cause, "Protocol mismatch") != NULL
           || strstr (cause, "No version of SSH") != NULL
           || strstr (cause, "version banner") != NULL
           || strstr (cause, "no match for method") != NULL
           || strstr (cause, "receive_banner")
                  != NULL /* libssh 0.11, in place of what was wrong with it */
           || strstr (cause, "nvalid") != NULL)
    code = TSR_REMOTE_ERROR_PROTOCOL;
  tsr_ssh_login_set_error (
      self, error, code,
      code == TSR_REMOTE_ERROR_PROTOCOL
          ? _ ("%s (%s); check that an ssh server listens at this port, and not a web server or "
               "an older protocol")
          : _ ("%s (%s); check the network, and try again"),
      doing, *cause != '\0' ? cause : _ ("the connection was closed"));
  return FALSE;
}

void
tsr_ssh_login_note (TsrSshLogin *self, const char *format, ...)
{
  va_list args;

  if (self->tried->len > 0)
    g_string_append (self->tried, ", ");
  va_start (args, format);
  g_string_append_vprintf (self->tried, format, args);
  va_end (args);
}

void
tsr_ssh_login_say (TsrSshLogin *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (!self->step)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  self->step (text, self->step_data);
}

gboolean
tsr_ssh_login_goes_on (TsrSshLogin *self, int result)
{
  gint64 now = g_get_monotonic_time ();

  if (result != SSH_AUTH_AGAIN)
    {
      self->waits_until = 0;
      return FALSE;
    }
  if (self->waits_until == 0)
    self->waits_until = now + LOGIN_TIMEOUT_S * G_USEC_PER_SEC;
  return now < self->waits_until && ssh_is_connected (self->session)
         && !g_cancellable_is_cancelled (self->cancellable);
}

TsrSshAnswer
tsr_ssh_ask (TsrSshLogin *self, TsrQuestion *question, TsrSecret **answers, GError **error)
{
  GError *problem = NULL;

  question->who = self->who;
  question->hop = self->hop;
  question->n_hops = self->n_hops;
  question->is_fallback = self->was_wrong && question->attempt == 1;
  self->was_wrong = FALSE;
  if (tsr_asker_ask (self->asker, question, answers, self->cancellable, &problem))
    return TSR_SSH_ANSWERED;
  if (g_error_matches (problem, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NEEDS_ANSWER))
    {
      if (self->unasked != NULL)
        g_error_free (problem);
      else
        self->unasked = problem;
      return TSR_SSH_UNASKED;
    }
  /* The user's no is not the end of what waits: the cache may serve. */
  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && !g_cancellable_is_cancelled (self->cancellable))
    {
      g_error_free (problem);
      tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_UNANSWERED,
                               _ ("the question was not answered, so nobody is logged in"));
    }
  else
    g_propagate_error (error, problem);
  return TSR_SSH_GAVE_UP;
}
