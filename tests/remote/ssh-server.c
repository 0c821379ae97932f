/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The servers of ssh-fixture.h: each a listener with a thread that starts a program for each
 * connection. */

#include "config.h"

#include "ssh-fixture-private.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SFTP_SERVER "/usr/lib/openssh/sftp-server"
#define DROPBEAR    "/usr/sbin/dropbear"

struct _SshServer
{
  SshWorld *world;
  guint number, port;
  char *log, *keys; /* file; folder of the host keys of all sets */
  GThread *thread;
  int wake; /* eventfd: look at what follows */

  GMutex mutex;
  GCond cond;
  int listener;    /* bound; listens unless it refuses */
  guint n_configs; /* written so far */
  guint key_set;
  GStrv words;      /* to run for a connection */
  GArray *sessions; /* GPid, each the leader of a process group */
  guint n_accepted;
  gboolean silent, frozen, refuses, ended;
  gboolean closes; /* the thread is to close the listener, and tells by the condition */
};

/* ------------------------------------------------------------- connections */

/* The connection @fd is served by a process of its own. */
static void
serve (SshServer *server, int fd)
{
  g_autoptr (GError) error = NULL;
  int log = open (server->log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  GPid pid = 0;

  g_assert_cmpint (log, >=, 0);
  g_spawn_async_with_pipes_and_fds (server->world->folder, (const char *const *)server->words,
                                    (const char *const *)server->world->env,
                                    G_SPAWN_DO_NOT_REAP_CHILD, ssh_fixture_set_up_child, NULL, fd,
                                    fd, log, NULL, NULL, 0, &pid, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  close (log);
  close (fd);
  g_array_append_val (server->sessions, pid);
  server->n_accepted++;
}

/* With the mutex: forgets the sessions that have ended. */
static void
reap (SshServer *server)
{
  for (guint i = server->sessions->len; i > 0; i--)
    if (waitpid (g_array_index (server->sessions, GPid, i - 1), NULL, WNOHANG) != 0)
      g_array_remove_index_fast (server->sessions, i - 1);
}

/* On @server->port, or, when that is 0, any. */
static void
open_listener (SshServer *server)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons ((guint16)server->port) };
  socklen_t length = sizeof address;
  int on = 1, fd;

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  g_assert_cmpint (fd, >=, 0);
  setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind (fd, (struct sockaddr *)&address, sizeof address) != 0)
    g_error ("127.0.0.1:%u: %s", server->port, g_strerror (errno));
  g_assert_cmpint (getsockname (fd, (struct sockaddr *)&address, &length), ==, 0);
  server->port = ntohs (address.sin_port);
  server->listener = fd;
}

/* With the mutex. */
static gboolean
is_open (SshServer *server)
{
  return !server->silent && !server->frozen && !server->refuses;
}

static gpointer
accept_all (gpointer data)
{
  SshServer *server = data;

  for (;;)
    {
      struct pollfd fds[2] = { { server->wake, POLLIN, 0 }, { -1, POLLIN, 0 } };
      guint64 count;
      int fd;

      g_mutex_lock (&server->mutex);
      if (server->ended)
        break;
      if (server->closes)
        {
          /* Bound and not listening: the port stays ours. */
          close (server->listener);
          open_listener (server);
          server->closes = FALSE;
          g_cond_broadcast (&server->cond);
        }
      if (is_open (server))
        fds[1].fd = server->listener;
      g_mutex_unlock (&server->mutex);
      if (poll (fds, 2, -1) < 0)
        continue;
      if (fds[0].revents != 0 && read (server->wake, &count, sizeof count) < 0)
        continue;
      if (fds[1].revents == 0)
        continue;
      g_mutex_lock (&server->mutex);
      reap (server);
      fd = is_open (server) ? accept4 (server->listener, NULL, NULL, SOCK_CLOEXEC) : -1;
      if (fd >= 0)
        serve (server, fd);
      g_mutex_unlock (&server->mutex);
    }
  g_mutex_unlock (&server->mutex);
  return NULL;
}

static void
wake_up (SshServer *server)
{
  guint64 one = 1;

  g_assert_cmpint (write (server->wake, &one, sizeof one), ==, sizeof one);
}

/* ----------------------------------------------------------- configuration */

char *
ssh_server_dup_host_key_path (SshServer *server, const char *type)
{
  return g_strdup_printf ("%s/%u-%s", server->keys, server->key_set, type);
}

static void
make_key (SshWorld *world, const char *type, const char *path)
{
  gboolean is_rsa = g_str_equal (type, "rsa"); /* the shortest that all take: making it is slow */

  g_free (ssh_world_run (world, "ssh-keygen", "-q", "-t", type, "-C", "tester", "-N", "", "-f",
                         path, is_rsa ? "-b" : NULL, "2048", NULL));
}

static void
make_host_keys (SshServer *server, const char *types, gboolean is_dropbear)
{
  g_auto (GStrv) words = g_strsplit (types, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *path = ssh_server_dup_host_key_path (server, words[i]);
      g_autofree char *other = g_strconcat (path, ".dropbear", NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        make_key (server->world, words[i], path);
      if (is_dropbear && !g_file_test (other, G_FILE_TEST_EXISTS))
        g_free (ssh_world_run (server->world, "dropbearconvert", "openssh", "dropbear", path, other,
                               NULL));
    }
}

static char *
write_sshd_config (SshServer *server, const SshServerOptions *options, const char *types)
{
  char *path = g_strdup_printf ("%s/sshd_config-%u", server->keys, server->n_configs++);
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) words = g_strsplit (types, " ", -1);
  const char *subsystem = options->subsystem                   ? options->subsystem
                          : options->sftp == SSH_SFTP_INTERNAL ? "internal-sftp"
                                                               : SFTP_SERVER;

  g_string_append_printf (text, "%s\n%s", options->lines != NULL ? options->lines : "",
                          server->world->sshd_lines);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *key = ssh_server_dup_host_key_path (server, words[i]);

      g_string_append_printf (text, "HostKey %s\n", key);
    }
  if (options->subsystem != NULL || options->sftp != SSH_SFTP_NONE)
    g_string_append_printf (text, "Subsystem sftp %s\n", subsystem);
  g_string_append_printf (text,
                          "AuthorizedKeysFile %s\n"
                          "StrictModes no\n"
                          "UsePAM no\n"
                          "PasswordAuthentication no\n"
                          "KbdInteractiveAuthentication no\n"
                          "PermitRootLogin yes\n"
                          "UseDNS no\n"
                          "PidFile none\n"
                          "PrintMotd no\n"
                          "PrintLastLog no\n"
                          "LogLevel VERBOSE\n",
                          server->world->authorized);
  ssh_fixture_append (path, text->str);
  return path;
}

static GStrv
dup_words (SshServer *server, const SshServerOptions *options, const char *types)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (options->program != NULL)
    for (guint i = 0; options->program[i] != NULL; i++)
      {
        g_autoptr (GString) word = g_string_new (options->program[i]);

        g_string_replace (word, "@KEYS@", server->keys, 0);
        g_strv_builder_add (builder, word->str);
      }
  else if (options->is_dropbear)
    {
      g_auto (GStrv) words = g_strsplit (types, " ", -1);

      g_strv_builder_add_many (builder, DROPBEAR, "-i", "-s", "-m", NULL);
      for (guint i = 0; words[i] != NULL; i++)
        {
          g_autofree char *key = ssh_server_dup_host_key_path (server, words[i]);
          g_autofree char *path = g_strconcat (key, ".dropbear", NULL);

          g_strv_builder_add_many (builder, "-r", path, NULL);
        }
    }
  else
    {
      g_autofree char *path = write_sshd_config (server, options, types);

      g_strv_builder_add_many (builder, server->world->sshd, "-i", "-f", path, "-E", server->log,
                               NULL);
    }
  return g_strv_builder_end (builder);
}

/* dropbear looks for keys nowhere else. */
static void
authorize_for_dropbear (SshWorld *world)
{
  g_autofree char *folder = g_build_filename (world->home, ".ssh", NULL);
  g_autofree char *path = g_build_filename (folder, "authorized_keys", NULL);

  g_mkdir (folder, 0700);
  ssh_world_get_key (world, SSH_KEY_ED25519);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_SYMLINK)
                 || symlink (world->authorized, path) == 0);
}

void
ssh_server_set_options (SshServer *server, const SshServerOptions *options)
{
  static const SshServerOptions usual;
  const char *types;
  g_auto (GStrv) words = NULL;

  if (options == NULL)
    options = &usual;
  types = options->host_keys != NULL ? options->host_keys : "ed25519 ecdsa";
  server->key_set = options->key_set;
  make_host_keys (server, types, options->is_dropbear);
  if (options->is_dropbear)
    authorize_for_dropbear (server->world);
  words = dup_words (server, options, types);
  g_mutex_lock (&server->mutex);
  g_strfreev (server->words);
  server->words = g_steal_pointer (&words);
  g_mutex_unlock (&server->mutex);
}

static gboolean
has_program (const SshServerOptions *options)
{
  const char *needed = options->is_dropbear                ? DROPBEAR
                       : options->sftp == SSH_SFTP_PROGRAM ? SFTP_SERVER
                                                           : NULL;
  g_autofree char *why = NULL;

  if (needed == NULL || g_file_test (needed, G_FILE_TEST_IS_EXECUTABLE))
    return TRUE;
  why = g_strdup_printf ("there is no %s", needed);
  g_test_skip (why);
  return FALSE;
}

SshServer *
ssh_server_new (SshWorld *world, const SshServerOptions *options)
{
  SshServer *server;

  if (options != NULL && !has_program (options))
    return NULL;
  server = g_new0 (SshServer, 1);
  server->world = world;
  server->number = world->servers->len;
  server->keys = g_strdup_printf ("%s/server-%u", world->folder, server->number);
  server->log = g_strconcat (server->keys, ".log", NULL);
  server->sessions = g_array_new (FALSE, FALSE, sizeof (GPid));
  server->wake = eventfd (0, EFD_CLOEXEC);
  g_mutex_init (&server->mutex);
  g_cond_init (&server->cond);
  g_assert_cmpint (g_mkdir (server->keys, 0700), ==, 0);
  ssh_fixture_append (server->log, "");
  ssh_server_set_options (server, options);
  open_listener (server);
  g_assert_cmpint (listen (server->listener, 64), ==, 0);
  server->thread = g_thread_new ("ssh server", accept_all, server);
  g_ptr_array_add (world->servers, server);
  return server;
}

SshServer *
ssh_authenticator_new (SshWorld *world, const char *option, ...)
{
  g_autofree char *known = g_strconcat ("--authorized=", world->authorized, NULL);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  const char *word;
  va_list args;

  g_ptr_array_add (words, (char *)g_getenv ("TSR_TEST_AUTHENTICATOR"));
  g_ptr_array_add (words, (char *)"--host-key=@KEYS@/0-ed25519");
  g_ptr_array_add (words, known);
  va_start (args, option);
  for (word = option; word != NULL; word = va_arg (args, const char *))
    g_ptr_array_add (words, (char *)word);
  va_end (args);
  g_ptr_array_add (words, NULL);
  return ssh_server_new (
      world,
      &(SshServerOptions){ .host_keys = "ed25519", .program = (const char *const *)words->pdata });
}

static char *
dup_lying_command (const char *lie, const char *root)
{
  return g_strdup_printf ("%s %s %s", g_getenv ("TSR_TEST_SFTP"), lie, root);
}

SshServer *
ssh_hostile_new (SshWorld *world, const char *lie, const char *root)
{
  g_autofree char *command = dup_lying_command (lie, root);

  return ssh_server_new (world, &(SshServerOptions){ .subsystem = command });
}

void
ssh_hostile_set_lie (SshServer *server, const char *lie, const char *root)
{
  g_autofree char *command = dup_lying_command (lie, root);

  ssh_server_set_options (server, &(SshServerOptions){ .subsystem = command });
}

void
ssh_server_free (SshServer *server)
{
  g_mutex_lock (&server->mutex);
  server->ended = TRUE;
  g_mutex_unlock (&server->mutex);
  wake_up (server);
  g_thread_join (server->thread);
  ssh_server_kill (server);
  if (g_test_verbose ())
    {
      g_autofree char *log = ssh_server_dup_log (server);

      g_test_message ("server %u:\n%s", server->number, log);
    }
  close (server->listener);
  close (server->wake);
  g_array_unref (server->sessions);
  g_strfreev (server->words);
  g_mutex_clear (&server->mutex);
  g_cond_clear (&server->cond);
  g_free (server->keys);
  g_free (server->log);
  g_free (server);
}

guint
ssh_server_get_port (SshServer *server)
{
  return server->port;
}

char *
ssh_server_dup_host_key (SshServer *server, const char *type)
{
  g_autofree char *private_path = ssh_server_dup_host_key_path (server, type);
  g_autofree char *path = g_strconcat (private_path, ".pub", NULL);
  g_autofree char *text = ssh_fixture_read (path);
  g_auto (GStrv) words = g_strsplit (text, " ", 3);

  return g_strjoin (" ", words[0], words[1], NULL);
}

char *
ssh_server_dup_fingerprint (SshServer *server, const char *type)
{
  g_autofree char *path = ssh_server_dup_host_key_path (server, type);
  g_autofree char *text = ssh_world_run (server->world, "ssh-keygen", "-l", "-f", path, NULL);
  g_auto (GStrv) words = g_strsplit (text, " ", 3);

  return g_strdup (words[1]);
}

guint
ssh_server_get_n_accepted (SshServer *server)
{
  guint n;

  g_mutex_lock (&server->mutex);
  n = server->n_accepted;
  g_mutex_unlock (&server->mutex);
  return n;
}

char *
ssh_server_dup_log (SshServer *server)
{
  return ssh_fixture_read (server->log);
}

/* ------------------------------------------------------------ what happens */

static void
send_signal (SshServer *server, int number)
{
  for (guint i = 0; i < server->sessions->len; i++)
    kill (-g_array_index (server->sessions, GPid, i), number);
}

void
ssh_server_kill (SshServer *server)
{
  g_mutex_lock (&server->mutex);
  send_signal (server, SIGKILL);
  for (guint i = 0; i < server->sessions->len; i++)
    waitpid (g_array_index (server->sessions, GPid, i), NULL, 0);
  g_array_set_size (server->sessions, 0);
  g_mutex_unlock (&server->mutex);
}

static void
set_frozen (SshServer *server, gboolean frozen)
{
  g_mutex_lock (&server->mutex);
  server->frozen = frozen;
  send_signal (server, frozen ? SIGSTOP : SIGCONT);
  g_mutex_unlock (&server->mutex);
  wake_up (server);
}

void
ssh_server_freeze (SshServer *server)
{
  set_frozen (server, TRUE);
}

void
ssh_server_thaw (SshServer *server)
{
  set_frozen (server, FALSE);
}

void
ssh_server_refuse (SshServer *server)
{
  g_mutex_lock (&server->mutex);
  server->refuses = TRUE;
  server->closes = TRUE;
  wake_up (server);
  while (server->closes)
    g_cond_wait (&server->cond, &server->mutex);
  g_mutex_unlock (&server->mutex);
}

void
ssh_server_listen (SshServer *server)
{
  g_mutex_lock (&server->mutex);
  g_assert_cmpint (listen (server->listener, 64), ==, 0);
  server->refuses = FALSE;
  g_mutex_unlock (&server->mutex);
  wake_up (server);
}

void
ssh_server_set_silent (SshServer *server, gboolean silent)
{
  g_mutex_lock (&server->mutex);
  server->silent = silent;
  g_mutex_unlock (&server->mutex);
  wake_up (server);
}
