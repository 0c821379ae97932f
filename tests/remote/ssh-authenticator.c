/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An ssh server for what sshd cannot do without PAM and an account: passwords, keyboard-interactive
 * in several rounds, one-time codes, several steps that must all succeed, banners, slow answers.
 * Serves the connection on descriptor 0; a session runs sftp-server, direct-tcpip leads on.  What
 * was tried is written to standard error, a line for each, which is the server's log.  The message
 * interface of libssh is used since its callbacks know no keyboard-interactive. */

#include "config.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <libssh/callbacks.h>
#include <libssh/server.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define SFTP_SERVER "/usr/lib/openssh/sftp-server"

static char **host_keys, **steps, **rounds;
static char *authorized, *password, *codes, *banner, *offer;
static int delay_ms, max_tries = 6;
static gboolean is_wordless;
static gboolean no_sftp, no_forwarding;

/* FILENAME: any bytes as they are. */
static const GOptionEntry entries[] = {
  { "host-key", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &host_keys, "private key of the host", "FILE" },
  { "authorized", 0, 0, G_OPTION_ARG_FILENAME, &authorized, "keys that may log in", "FILE" },
  { "step", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &steps, "one of these must succeed, each step",
    "A,B" },
  { "password", 0, 0, G_OPTION_ARG_FILENAME, &password, "the right one", "TEXT" },
  { "round", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rounds,
    "of keyboard-interactive; + before a prompt: shown; the answer @code: one of --codes; a NAME "
    "with ! refuses all",
    "NAME|INSTRUCTION|[+]PROMPT=ANSWER|..." },
  { "codes", 0, 0, G_OPTION_ARG_FILENAME, &codes, "codes, each works once", "FILE" },
  { "banner", 0, 0, G_OPTION_ARG_FILENAME, &banner, "sent before anything", "TEXT" },
  { "offer", 0, 0, G_OPTION_ARG_FILENAME, &offer, "what it says it takes, instead of the truth",
    "A,B" },
  { "delay-ms", 0, 0, G_OPTION_ARG_INT, &delay_ms, "before each answer", "N" },
  { "max-tries", 0, 0, G_OPTION_ARG_INT, &max_tries, "then it hangs up", "N" },
  { "wordless", 0, 0, G_OPTION_ARG_NONE, &is_wordless, "without a message", NULL },
  { "no-sftp", 0, 0, G_OPTION_ARG_NONE, &no_sftp, "refuses the subsystem", NULL },
  { "no-forwarding", 0, 0, G_OPTION_ARG_NONE, &no_forwarding, "refuses direct-tcpip", NULL },
  { NULL },
};

typedef struct
{
  ssh_session session;
  ssh_event event;
  guint step, round; /* to be passed next */
  gboolean right;    /* the answers of this run of rounds, so far */
  int n_wrong;
  gboolean is_in; /* all steps passed */
} Login;

/* ---------------------------------------------------------- authentication */

static int
get_methods (const char *names)
{
  static const struct
  {
    const char *name;
    int bit;
  } known[] = {
    { "password", SSH_AUTH_METHOD_PASSWORD },
    { "publickey", SSH_AUTH_METHOD_PUBLICKEY },
    { "keyboard-interactive", SSH_AUTH_METHOD_INTERACTIVE },
    { "hostbased", SSH_AUTH_METHOD_HOSTBASED },
    { "gssapi-with-mic", SSH_AUTH_METHOD_GSSAPI_MIC },
  };
  g_auto (GStrv) words = g_strsplit (names, ",", -1);
  int methods = 0;

  for (guint i = 0; words[i] != NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (known); k++)
      if (g_str_equal (words[i], known[k].name))
        methods |= known[k].bit;
  return methods;
}

static gboolean
is_last (const Login *login)
{
  return steps == NULL || steps[login->step] == NULL || steps[login->step + 1] == NULL;
}

static int
refuse (Login *login, ssh_message message, gboolean counts)
{
  const char *names = offer != NULL ? offer : steps != NULL ? steps[login->step] : "password";

  if (counts && ++login->n_wrong >= max_tries)
    {
      g_printerr ("hangs up\n");
      if (!is_wordless)
        ssh_disconnect (login->session);
      _exit (0);
    }
  ssh_message_auth_set_methods (message, get_methods (names));
  return 1; /* libssh's own answer to what nobody took */
}

static int
accept_step (Login *login, ssh_message message)
{
  gboolean last = is_last (login);

  if (last)
    login->is_in = TRUE;
  else
    {
      const char *names = offer != NULL ? offer : steps[login->step + 1];

      login->step++;
      ssh_message_auth_set_methods (message, get_methods (names));
    }
  login->round = 0;
  ssh_message_auth_reply_success (message, !last);
  return 0;
}

static gboolean
is_authorized (ssh_key key)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (authorized == NULL || !g_file_get_contents (authorized, &text, NULL, NULL))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 3);
      ssh_key known = NULL;
      gboolean same;

      if (g_strv_length (words) < 2
          || ssh_pki_import_pubkey_base64 (words[1], ssh_key_type_from_name (words[0]), &known)
                 != SSH_OK)
        continue;
      same = ssh_key_cmp (known, key, SSH_KEY_CMP_PUBLIC) == 0;
      ssh_key_free (known);
      if (same)
        return TRUE;
    }
  return FALSE;
}

static int
take_key (Login *login, ssh_message message)
{
  ssh_key key = ssh_message_auth_pubkey (message);
  enum ssh_publickey_state_e state = ssh_message_auth_publickey_state (message);
  gboolean known = is_authorized (key);

  g_printerr ("publickey %s %s\n", state == SSH_PUBLICKEY_STATE_NONE ? "offered" : "signed",
              !known ? "refused" : "taken");
  if (!known || state == SSH_PUBLICKEY_STATE_WRONG || state == SSH_PUBLICKEY_STATE_ERROR)
    return refuse (login, message, TRUE);
  if (state == SSH_PUBLICKEY_STATE_NONE)
    {
      ssh_message_auth_reply_pk_ok_simple (message);
      return 0;
    }
  return accept_step (login, message);
}

/* Each code of the file works once, for all connections. */
static gboolean
use_code (const char *answer)
{
  g_autofree char *lock_name = g_strconcat (codes, ".lock", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GString) left = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  gboolean found = FALSE;
  int lock = open (lock_name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  flock (lock, LOCK_EX);
  if (g_file_get_contents (codes, &text, NULL, NULL))
    {
      lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        if (!found && *answer != '\0' && g_str_equal (lines[i], answer))
          found = TRUE;
        else if (*lines[i] != '\0')
          g_string_append_printf (left, "%s\n", lines[i]);
      if (found)
        g_file_set_contents (codes, left->str, -1, NULL);
    }
  close (lock);
  return found;
}

static void
ask_round (Login *login, ssh_message message)
{
  g_auto (GStrv) words = g_strsplit (rounds[login->round], "|", -1);
  guint n = g_strv_length (words) - 2;
  g_autofree const char **prompts = g_new0 (const char *, n + 1);
  g_autofree char *echo = g_new0 (char, n + 1);

  for (guint i = 0; i < n; i++)
    {
      char *end = strchr (words[i + 2], '=');

      if (end != NULL)
        *end = '\0';
      echo[i] = words[i + 2][0] == '+';
      prompts[i] = words[i + 2] + echo[i];
    }
  ssh_message_auth_interactive_request (message, words[0], words[1], n, prompts, echo);
}

static void
check_round (Login *login)
{
  g_auto (GStrv) words = g_strsplit (rounds[login->round], "|", -1);
  guint n = g_strv_length (words) - 2;
  int n_answers = ssh_userauth_kbdint_getnanswers (login->session);

  if (n_answers != (int)n || words[0][0] == '!')
    login->right = FALSE;
  for (guint i = 0; i < n && login->right; i++)
    {
      const char *answer = ssh_userauth_kbdint_getanswer (login->session, i);
      const char *right = strchr (words[i + 2], '=') + 1;

      if (answer == NULL)
        login->right = FALSE;
      else if (g_str_equal (right, "@code"))
        login->right = use_code (answer);
      else
        login->right = g_str_equal (right, answer);
    }
  g_printerr ("interactive round %u %s\n", login->round + 1, login->right ? "right" : "wrong");
}

static int
take_interactive (Login *login, ssh_message message)
{
  if (rounds == NULL)
    return refuse (login, message, TRUE);
  if (!ssh_message_auth_kbdint_is_response (message))
    {
      g_printerr ("interactive begins\n");
      login->round = 0;
      login->right = TRUE;
      ask_round (login, message);
      return 0;
    }
  check_round (login);
  if (!login->right)
    return refuse (login, message, TRUE);
  if (rounds[++login->round] != NULL)
    {
      ask_round (login, message);
      return 0;
    }
  return accept_step (login, message);
}

static int
take_auth (Login *login, ssh_message message)
{
  int method = ssh_message_subtype (message);
  const char *answer;
  gboolean right;

  if (method == SSH_AUTH_METHOD_NONE)
    g_printerr ("none as %s\n", ssh_message_auth_user (message));
  if (delay_ms > 0)
    g_usleep ((gulong)delay_ms * 1000);
  if (method == SSH_AUTH_METHOD_NONE)
    return refuse (login, message, FALSE);
  if (steps != NULL && (get_methods (steps[login->step]) & method) == 0)
    {
      g_printerr ("method %d not now\n", method);
      return refuse (login, message, TRUE);
    }
  switch (method)
    {
    case SSH_AUTH_METHOD_PUBLICKEY:
      return take_key (login, message);
    case SSH_AUTH_METHOD_INTERACTIVE:
      return take_interactive (login, message);
    case SSH_AUTH_METHOD_PASSWORD:
      answer = ssh_message_auth_password (message);
      right = password != NULL && answer != NULL && g_str_equal (answer, password);
      g_printerr ("password %s\n", right ? "right" : "wrong");
      return right ? accept_step (login, message) : refuse (login, message, TRUE);
    default:
      return refuse (login, message, TRUE);
    }
}

/* ---------------------------------------------------------------- channels */

/* One end of a channel: a descriptor, and what it was too slow to take. */
typedef struct
{
  ssh_event event;
  ssh_channel channel;
  int fd;
  GByteArray *waiting;
  gboolean ended; /* the client sends no more */
  struct ssh_channel_callbacks_struct callbacks;
} Pipe;

static int handle_fd (socket_t fd, int events, void *data);

static void
watch (Pipe *pipe)
{
  ssh_event_remove_fd (pipe->event, pipe->fd);
  ssh_event_add_fd (pipe->event, pipe->fd, (short)(POLLIN | (pipe->waiting->len > 0 ? POLLOUT : 0)),
                    handle_fd, pipe);
}

static void
push (Pipe *pipe)
{
  gssize n = pipe->waiting->len > 0 ? send (pipe->fd, pipe->waiting->data, pipe->waiting->len,
                                            MSG_NOSIGNAL | MSG_DONTWAIT)
                                    : 0;

  if (n > 0)
    g_byte_array_remove_range (pipe->waiting, 0, (guint)n);
  if (pipe->waiting->len == 0 && pipe->ended)
    shutdown (pipe->fd, SHUT_WR);
}

static int
handle_fd (socket_t fd, int events, void *data)
{
  Pipe *pipe = data;
  guint8 bytes[32768];
  gssize n;

  if (events & POLLOUT)
    {
      push (pipe);
      if (pipe->waiting->len == 0)
        watch (pipe);
    }
  if ((events & (POLLIN | POLLHUP | POLLERR)) == 0)
    return 0;
  n = recv (fd, bytes, sizeof bytes, MSG_DONTWAIT);
  if (n > 0 && ssh_channel_write (pipe->channel, bytes, (uint32_t)n) == n)
    return 0;
  if (n < 0 && errno == EAGAIN)
    return 0;
  ssh_event_remove_fd (pipe->event, fd);
  ssh_channel_send_eof (pipe->channel);
  ssh_channel_request_send_exit_status (pipe->channel, 0);
  ssh_channel_close (pipe->channel);
  close (fd);
  pipe->fd = -1;
  return 0;
}

static int
take_data (ssh_session session,
           ssh_channel channel,
           void *bytes,
           uint32_t length,
           int is_stderr,
           void *data)
{
  Pipe *pipe = data;

  if (pipe->fd < 0)
    return (int)length;
  g_byte_array_append (pipe->waiting, bytes, length);
  push (pipe);
  if (pipe->waiting->len > 0)
    watch (pipe);
  return (int)length;
}

static void
take_end (ssh_session session, ssh_channel channel, void *data)
{
  Pipe *pipe = data;

  pipe->ended = TRUE;
  if (pipe->fd >= 0)
    push (pipe);
}

/* From here on bytes go between @channel and @fd by themselves.  What came behind the request in
 * the same packets is there already. */
static gboolean
connect_channel (Login *login, ssh_channel channel, int fd)
{
  Pipe *pipe = g_new0 (Pipe, 1); /* until the process ends */
  guint8 bytes[4096];
  int n;

  pipe->event = login->event;
  pipe->channel = channel;
  pipe->fd = fd;
  pipe->waiting = g_byte_array_new ();
  pipe->callbacks.userdata = pipe;
  pipe->callbacks.channel_data_function = take_data;
  pipe->callbacks.channel_eof_function = take_end;
  pipe->callbacks.channel_close_function = take_end;
  ssh_callbacks_init (&pipe->callbacks);
  ssh_set_channel_callbacks (channel, &pipe->callbacks);
  while ((n = ssh_channel_read_nonblocking (channel, bytes, sizeof bytes, 0)) > 0)
    take_data (login->session, channel, bytes, (uint32_t)n, 0, pipe);
  return ssh_event_add_fd (login->event, fd, POLLIN, handle_fd, pipe) == SSH_OK;
}

static void
die_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static int
start_sftp (Login *login, ssh_message message)
{
  const char *words[] = { SFTP_SERVER, NULL };
  const char *name = ssh_message_channel_request_subsystem (message);
  int ends[2];

  if (no_sftp || g_strcmp0 (name, "sftp") != 0
      || socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return 1;
  if (!g_spawn_async_with_pipes_and_fds (g_getenv ("HOME"), words, NULL, G_SPAWN_DO_NOT_REAP_CHILD,
                                         die_with_parent, NULL, ends[1], ends[1], 2, NULL, NULL, 0,
                                         NULL, NULL, NULL, NULL, NULL))
    return 1;
  close (ends[1]);
  ssh_message_channel_request_reply_success (message);
  return connect_channel (login, ssh_message_channel_request_channel (message), ends[0]) ? 0 : 1;
}

static int
open_tunnel (Login *login, ssh_message message)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  const char *host = ssh_message_channel_request_open_destination (message);
  int port = ssh_message_channel_request_open_destination_port (message), on = 1;
  ssh_channel channel;
  int fd;

  if (no_forwarding)
    return 1;
  g_printerr ("leads to %s port %d\n", host, port);
  address.sin_port = htons ((guint16)port);
  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect (fd, (struct sockaddr *)&address, sizeof address) != 0)
    {
      close (fd);
      return 1;
    }
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  channel = ssh_message_channel_request_open_reply_accept (message);
  return channel != NULL && connect_channel (login, channel, fd) ? 0 : 1;
}

static int
take_message (ssh_session session, ssh_message message, void *data)
{
  Login *login = data;
  int subtype = ssh_message_subtype (message);

  switch (ssh_message_type (message))
    {
    case SSH_REQUEST_SERVICE:
      ssh_message_service_reply_success (message);
      if (banner != NULL)
        {
          ssh_string text = ssh_string_from_char (banner);

          ssh_send_issue_banner (session, text);
          ssh_string_free (text);
        }
      return 0;
    case SSH_REQUEST_AUTH:
      return take_auth (login, message);
    case SSH_REQUEST_CHANNEL_OPEN:
      if (!login->is_in)
        return 1;
      if (subtype == SSH_CHANNEL_DIRECT_TCPIP)
        return open_tunnel (login, message);
      if (subtype != SSH_CHANNEL_SESSION)
        return 1;
      return ssh_message_channel_request_open_reply_accept (message) != NULL ? 0 : 1;
    case SSH_REQUEST_CHANNEL:
      return subtype == SSH_CHANNEL_REQUEST_SUBSYSTEM ? start_sftp (login, message) : 1;
    default:
      return 1;
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  Login login = { .session = ssh_new (), .event = ssh_event_new () };
  ssh_bind bind = ssh_bind_new ();
  const bool no = false;
  int nothing;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  ssh_bind_options_set (bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &no);
  for (guint i = 0; host_keys != NULL && host_keys[i] != NULL; i++)
    ssh_bind_options_set (bind, SSH_BIND_OPTIONS_HOSTKEY, host_keys[i]);
  if (ssh_bind_accept_fd (bind, login.session, dup (0)) != SSH_OK)
    {
      g_printerr ("%s\n", ssh_get_error (bind));
      return 1;
    }
  nothing = open ("/dev/null", O_RDWR | O_CLOEXEC);
  dup2 (nothing, 0);
  dup2 (nothing, 1);
  ssh_set_message_callback (login.session, take_message, &login);
  if (ssh_handle_key_exchange (login.session) != SSH_OK)
    {
      g_printerr ("key exchange: %s\n", ssh_get_error (login.session));
      return 1;
    }
  ssh_event_add_session (login.event, login.session);
  while (ssh_event_dopoll (login.event, -1) != SSH_ERROR && ssh_is_connected (login.session))
    ;
  return 0;
}
