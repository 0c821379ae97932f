/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads and writes /dev/tty with echo on or off, restores it on signals, and shows the status line.
 * */

#include "config.h"

#include "tsr-cli-terminal.h"

#include "tsr-secret.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Held while a question stands, or the status line is written. */
static GMutex screen;
static gboolean has_status; /* of @screen */

/* The question that stands; its own lock, for signals come while it stands. */
static GMutex lock;
static struct
{
  int fd; /* -1: none */
  gboolean is_hidden;
  struct termios before;
  const char *prompt;
  gboolean is_over; /* the program ends: no more questions */
} question = { .fd = -1 };

void
tsr_cli_terminal_write (int fd, const char *text)
{
  gsize left = strlen (text);

  while (left > 0)
    {
      ssize_t written = write (fd, text, left);

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return;
      text += written;
      left -= (gsize)written;
    }
}

static void
clear_status (void)
{
  if (has_status)
    fputs ("\r\033[K", stderr);
  fflush (stderr);
  has_status = FALSE;
}

int
tsr_cli_terminal_begin (void)
{
  int fd = open ("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

  if (fd < 0)
    return -1;
  g_mutex_lock (&screen);
  clear_status ();
  return fd;
}

void
tsr_cli_terminal_end (int fd)
{
  close (fd);
  g_mutex_unlock (&screen);
}

static void
hide (void)
{
  struct termios hidden = question.before;

  hidden.c_lflag &= ~(tcflag_t)ECHO;
  hidden.c_lflag |= ECHONL;
  tcsetattr (question.fd, TCSAFLUSH, &hidden);
}

static gboolean
begin_question (int fd, const char *prompt, gboolean echo)
{
  gboolean ok;

  g_mutex_lock (&lock);
  ok = !question.is_over;
  if (ok)
    {
      question.fd = fd;
      question.prompt = prompt;
      question.is_hidden = !echo && tcgetattr (fd, &question.before) == 0;
      /* Before the prompt: who sees it may type. */
      if (question.is_hidden)
        hide ();
      tsr_cli_terminal_write (fd, prompt);
    }
  g_mutex_unlock (&lock);
  return ok;
}

static void
end_question (void)
{
  g_mutex_lock (&lock);
  if (question.is_hidden)
    tcsetattr (question.fd, TCSADRAIN, &question.before);
  question.is_hidden = FALSE;
  question.fd = -1;
  question.prompt = NULL;
  g_mutex_unlock (&lock);
}

void
tsr_cli_terminal_restore (void)
{
  g_mutex_lock (&lock);
  if (question.is_hidden)
    tcsetattr (question.fd, TCSANOW, &question.before);
  g_mutex_unlock (&lock);
}

void
tsr_cli_terminal_close (void)
{
  g_mutex_lock (&lock);
  question.is_over = TRUE;
  g_mutex_unlock (&lock);
  tsr_cli_terminal_restore ();
}

void
tsr_cli_terminal_resume (void)
{
  g_mutex_lock (&lock);
  if (question.is_hidden && tcgetattr (question.fd, &question.before) == 0)
    hide ();
  if (question.fd >= 0)
    tsr_cli_terminal_write (question.fd, question.prompt);
  g_mutex_unlock (&lock);
}

/* Waits for input; FALSE when cancelled. */
static gboolean
wait_for_input (int fd, GCancellable *cancellable)
{
  struct pollfd fds[2] = { { fd, POLLIN, 0 }, { -1, POLLIN, 0 } };
  GPollFD cancel;
  gboolean has_cancel = cancellable != NULL && g_cancellable_make_pollfd (cancellable, &cancel);
  int n;

  if (has_cancel)
    fds[1].fd = cancel.fd;
  do
    n = poll (fds, 2, -1);
  while (n < 0 && errno == EINTR);
  if (has_cancel)
    g_cancellable_release_fd (cancellable);
  return n > 0 && !g_cancellable_is_cancelled (cancellable);
}

/* FALSE: cancelled, or no more input before the line's end. */
static gboolean
read_line (int fd, char *line, gsize size, GCancellable *cancellable)
{
  gsize length = 0;
  gboolean ok = FALSE;
  char piece[256];

  while (!ok && wait_for_input (fd, cancellable))
    {
      ssize_t got = read (fd, piece, sizeof piece);

      if (got < 0 && (errno == EINTR || errno == EAGAIN))
        continue;
      if (got <= 0)
        break;
      for (ssize_t i = 0; i < got && !ok; i++)
        if (piece[i] == '\n')
          ok = TRUE;
        else if (length + 1 < size)
          line[length++] = piece[i];
    }
  tsr_secret_wipe (piece, sizeof piece);
  line[length] = '\0';
  return ok;
}

gboolean
tsr_cli_terminal_read (int fd,
                       const char *prompt,
                       gboolean echo,
                       char *line,
                       gsize size,
                       GCancellable *cancellable,
                       GError **error)
{
  gboolean ok = begin_question (fd, prompt, echo);

  if (ok)
    {
      ok = read_line (fd, line, size, cancellable);
      end_question ();
    }
  if (ok)
    return TRUE;
  tsr_secret_wipe (line, size);
  tsr_cli_terminal_write (fd, "\n");
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                       _ ("The question was not answered"));
  return FALSE;
}

/* ------------------------------------------------------------------ status */

static guint
get_width (void)
{
  struct winsize size;

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
}

void
tsr_cli_terminal_show_status (const char *text)
{
  if (!isatty (STDERR_FILENO) || !g_mutex_trylock (&screen))
    return;
  if (text == NULL)
    clear_status ();
  else
    {
      g_autofree char *cut
          = g_utf8_substring (text, 0, MIN (get_width (), g_utf8_strlen (text, -1)));

      fprintf (stderr, "\r%s\033[K", cut);
      fflush (stderr);
      has_status = TRUE;
    }
  g_mutex_unlock (&screen);
}
