/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The beginning of a connection.  A port may belong to another service, or to a tunnel that ends
 * nowhere; libssh distinguishes these from a broken network only in the wording of its messages.
 * So we peek at the peer's first bytes, and leave them for libssh to read. */

#include "config.h"

#include "tsr-ssh-clean.h"
#include "tsr-ssh-login.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#define MAX_SAID 256

typedef enum
{
  WORDS_SSH,    /* or not looked at */
  WORDS_NONE,   /* nothing in time */
  WORDS_CLOSED, /* without one */
  WORDS_BUSY,   /* of an ssh server that takes nobody now */
  WORDS_WEB,
  WORDS_OTHER,
} Words;

static Words
judge (const char *said, gssize length)
{
  /* OpenSSH's, in place of its banner. */
  static const char *const busy[] = { "Exceeded MaxStartups", "Not allowed at this time" };

  if (length <= 0)
    return WORDS_CLOSED;
  if (strncmp (said, "SSH-", MIN ((gsize)length, 4)) == 0)
    return WORDS_SSH;
  for (guint i = 0; i < G_N_ELEMENTS (busy); i++)
    if (g_str_has_prefix (said, busy[i]))
      return WORDS_BUSY;
  /* The second is an answer without a head, to what was no question for it. */
  return g_str_has_prefix (said, "HTTP/") || g_ascii_strncasecmp (said, "<!DOCTYPE HTML", 14) == 0
             ? WORDS_WEB
             : WORDS_OTHER;
}

/* Waits until the other side has said something, which stays unread; cancelling shuts @fd down. */
static Words
listen_to (int fd, guint timeout_s, char said[MAX_SAID])
{
  gint64 until = g_get_monotonic_time () + timeout_s * G_USEC_PER_SEC;
  struct pollfd polled = { fd, POLLIN, 0 };
  gssize length;
  int n;

  said[0] = '\0';
  if (fd < 0)
    return WORDS_SSH;
  do
    n = poll (&polled, 1, (int)(MAX (until - g_get_monotonic_time (), 0) / 1000));
  while (n < 0 && errno == EINTR);
  if (n == 0)
    return WORDS_NONE;
  length = recv (fd, said, MAX_SAID - 1, MSG_PEEK | MSG_DONTWAIT);
  said[MAX (length, 0)] = '\0';
  return judge (said, length);
}

/* (transfer full): its first line, fit to be shown; "" when it is no text. */
static char *
dup_line (char *said)
{
  gsize n_odd = 0, length;
  char *clean;

  said[strcspn (said, "\r\n")] = '\0';
  length = strlen (said);
  for (gsize i = 0; i < length; i++)
    n_odd += !g_ascii_isprint (said[i]);
  clean = tsr_ssh_clean_text (said, 80, FALSE);
  if (4 * n_odd > length)
    *clean = '\0';
  return clean;
}

/* Always FALSE. */
static gboolean
fail (TsrSshLogin *self, Words words, char *said, GError **error)
{
  const char *host = self->host->host_name;
  guint port = self->host->port;
  /* Behind a jump host no end of a tunnel on this machine is asked. */
  const gboolean may_be_tunnel = self->hop == 1;
  const char *where
      = may_be_tunnel ? _ ("check the port, or where the tunnel leads") : _ ("check the port");
  g_autofree char *line = NULL;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (words == WORDS_SSH)
    return tsr_ssh_login_fail (self, _ ("no ssh connection could be made"), error);
  line = dup_line (said);
  if (words == WORDS_NONE)
    tsr_ssh_login_set_error (
        self, error, TSR_REMOTE_ERROR_TIMEOUT,
        _ ("%s port %u accepts the connection and says nothing, as no ssh server does; %s"), host,
        port,
        may_be_tunnel ? _ ("check the port, and whether the other end of a tunnel can be reached")
                      : _ ("check the port"));
  else if (words == WORDS_CLOSED)
    tsr_ssh_login_set_error (
        self, error, TSR_REMOTE_ERROR_NETWORK,
        _ ("%s port %u accepts the connection and closes it at once; %s"), host, port,
        may_be_tunnel ? _ ("check the port, whether the other end of a tunnel can be reached, and "
                           "whether the ssh server there accepts connections from this machine")
                      : _ ("check the port, and whether the ssh server there accepts connections "
                           "from the jump host"));
  else if (words == WORDS_BUSY)
    tsr_ssh_login_set_error (
        self, error, TSR_REMOTE_ERROR_NETWORK,
        _ ("the ssh server at %s port %u accepts no more connections now (“%s”); try again later"),
        host, port, line);
  else if (words == WORDS_WEB)
    tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_NOT_SSH,
                             _ ("a web server listens at %s port %u, not an ssh server; %s"), host,
                             port, where);
  else if (*line != '\0')
    tsr_ssh_login_set_error (
        self, error, TSR_REMOTE_ERROR_NOT_SSH,
        _ ("what listens at %s port %u is not an ssh server (it says “%s”); %s"), host, port, line,
        where);
  else
    tsr_ssh_login_set_error (
        self, error, TSR_REMOTE_ERROR_NOT_SSH,
        _ ("what listens at %s port %u is not an ssh server (what it says is not text); %s"), host,
        port, where);
  return FALSE;
}

gboolean
tsr_ssh_greet (TsrSshLogin *self, const TsrSshGuard *guard, guint timeout_s, GError **error)
{
  char said[MAX_SAID];
  Words words;
  int result;

  /* Ours goes first: some wait for it. */
  ssh_set_blocking (self->session, 0);
  result = ssh_connect (self->session);
  ssh_set_blocking (self->session, 1);
  if (result == SSH_OK)
    return TRUE;
  /* libssh may have read what was there already; then its own words have to do. */
  words = listen_to (guard->fd, timeout_s, said);
  if (result != SSH_AGAIN || words == WORDS_NONE || words == WORDS_WEB
      || g_cancellable_is_cancelled (self->cancellable))
    return fail (self, words, said, error);
  /* A server may say something else before its banner. */
  return ssh_connect (self->session) == SSH_OK || fail (self, words, said, error);
}
