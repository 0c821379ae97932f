/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs a program on a pseudo terminal. */

#include "config.h"

#include "cli-pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define LIMIT_MS 30000

static void G_GNUC_NORETURN
run (const char *const *argv, char **environment, const int *out, const int *err)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  /* Whoever started the tests may ignore it, as nohup does. */
  signal (SIGHUP, SIG_DFL);
  if (out != NULL)
    {
      dup2 (out[1], STDOUT_FILENO);
      dup2 (err[1], STDERR_FILENO);
    }
  if (environment != NULL)
    execve (argv[0], (char *const *)argv, environment);
  else
    execv (argv[0], (char *const *)argv);
  _exit (127);
}

void
pty_start (Pty *pty, const char *const *argv, char **environment, gboolean piped)
{
  int out[2] = { -1, -1 }, err[2] = { -1, -1 };

  if (piped)
    {
      g_assert_cmpint (pipe2 (out, O_CLOEXEC), ==, 0);
      g_assert_cmpint (pipe2 (err, O_CLOEXEC), ==, 0);
    }
  pty->seen = g_string_new (NULL);
  pty->looked_at = 0;
  pty->pid = forkpty (&pty->terminal, NULL, NULL, NULL);
  g_assert_cmpint (pty->pid, >=, 0);
  if (pty->pid == 0)
    run (argv, environment, piped ? out : NULL, err);
  fcntl (pty->terminal, F_SETFD, FD_CLOEXEC);
  pty->out = out[0];
  pty->err = err[0];
  if (piped)
    {
      close (out[1]);
      close (err[1]);
    }
}

/* FALSE: nothing more will come. */
static gboolean
read_some (Pty *pty, int ms)
{
  struct pollfd fd = { pty->terminal, POLLIN, 0 };
  char piece[4096];
  ssize_t got;

  if (poll (&fd, 1, ms) <= 0)
    return TRUE;
  got = read (pty->terminal, piece, sizeof piece);
  if (got > 0)
    g_string_append_len (pty->seen, piece, got);
  return got > 0 || (got < 0 && errno == EINTR);
}

/* What is there already; FALSE: nothing. */
static gboolean
read_more (Pty *pty)
{
  struct pollfd fd = { pty->terminal, POLLIN, 0 };

  return poll (&fd, 1, 0) > 0 && (fd.revents & POLLIN) != 0 && read_some (pty, 0);
}

gboolean
pty_wait_for (Pty *pty, const char *text, guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * G_TIME_SPAN_MILLISECOND;
  gboolean more = TRUE;

  for (;;)
    {
      const char *found = strstr (pty->seen->str + pty->looked_at, text);

      if (found != NULL)
        {
          pty->looked_at = (gsize)(found - pty->seen->str) + strlen (text);
          return TRUE;
        }
      if (!more || g_get_monotonic_time () >= end)
        return FALSE;
      more = read_some (pty, 50);
    }
}

void
pty_expect (Pty *pty, const char *text)
{
  if (!pty_wait_for (pty, text, LIMIT_MS))
    {
      char *err = NULL;
      int status = (kill (pty->pid, SIGKILL), pty_finish (pty, NULL, &err));

      g_error ("\"%s\" did not come, but: %s\nerrors: %s (%d)", text, pty->seen->str, err, status);
    }
}

void
pty_type (Pty *pty, const char *text)
{
  g_assert_cmpint (write (pty->terminal, text, strlen (text)), ==, (gssize)strlen (text));
}

gboolean
pty_has_echo (Pty *pty)
{
  struct termios state;

  g_assert_cmpint (tcgetattr (pty->terminal, &state), ==, 0);
  return (state.c_lflag & ECHO) != 0;
}

static char *
read_all (int fd)
{
  GString *text = g_string_new (NULL);
  char piece[4096];
  ssize_t got;

  while (fd >= 0 && (got = read (fd, piece, sizeof piece)) > 0)
    g_string_append_len (text, piece, got);
  if (fd >= 0)
    close (fd);
  return g_string_free (text, FALSE);
}

int
pty_finish (Pty *pty, char **out, char **err)
{
  gint64 end = g_get_monotonic_time () + LIMIT_MS * G_TIME_SPAN_MILLISECOND;
  g_autofree char *printed = NULL;
  g_autofree char *said = NULL;
  int status = 0;

  /* Pipes hold as much as these programs print before they end. */
  while (waitpid (pty->pid, &status, WNOHANG) == 0)
    {
      read_some (pty, 20);
      if (g_get_monotonic_time () >= end)
        kill (pty->pid, SIGKILL);
    }
  while (read_more (pty))
    ;
  pty->left_echo = pty_has_echo (pty);
  printed = read_all (pty->out);
  said = read_all (pty->err);
  close (pty->terminal);
  if (g_test_verbose ())
    g_test_message ("terminal: %s\nout: %s\nerrors: %s", pty->seen->str, printed, said);
  if (out != NULL)
    *out = g_steal_pointer (&printed);
  if (err != NULL)
    *err = g_steal_pointer (&said);
  return WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
}
