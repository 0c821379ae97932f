/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window of the channel limits the whole chain behind it, so it is enlarged (tsr-ssh-window.h),
 * unless the near end is slower. */

#include "config.h"

#include "tsr-ssh-pump.h"

#include "tsr-ssh-clean.h"
#include "tsr-ssh-socket.h"
#include "tsr-ssh-window.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <libssh/callbacks.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE     32768
#define MAX_QUEUE (8u << 20) /* to the near end; then the server's window is not grown */

struct _TsrSshPump
{
  ssh_session session;
  ssh_channel channel;
  struct ssh_channel_callbacks_struct callbacks;
  int near;          /* our end of the pair */
  GByteArray *up;    /* from the pair, what the channel has not taken yet */
  GByteArray *queue; /* from the channel, on its way to the pair */
  guint sent;        /* bytes of it that are gone */
  TsrSshWindow window;
  GThread *thread;
};

static int
on_data (ssh_session session,
         ssh_channel channel,
         void *data,
         uint32_t length,
         int is_stderr,
         void *user)
{
  TsrSshPump *self = user;

  (void)session, (void)channel;
  if (!is_stderr)
    {
      g_byte_array_append (self->queue, data, length);
      tsr_ssh_window_note (&self->window, length);
    }
  return (int)length;
}

static void
grow_window (TsrSshPump *self)
{
  if (self->queue->len - self->sent <= MAX_QUEUE)
    tsr_ssh_window_grow (&self->window, self->channel, self->queue);
}

/* FALSE: the near end is closed. */
static gboolean
drain_queue (TsrSshPump *self)
{
  while (self->sent < self->queue->len)
    {
      gssize n = send (self->near, self->queue->data + self->sent, self->queue->len - self->sent,
                       MSG_NOSIGNAL | MSG_DONTWAIT);

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        break;
      if (n <= 0)
        return FALSE;
      self->sent += (guint)n;
    }
  if (self->sent == self->queue->len || self->sent > MAX_QUEUE)
    {
      g_byte_array_remove_range (self->queue, 0, self->sent);
      self->sent = 0;
    }
  return TRUE;
}

static gboolean
can_send (TsrSshPump *self)
{
  return self->up->len == 0 && ssh_channel_window_size (self->channel) > 0
         && !(ssh_get_poll_flags (self->session) & SSH_WRITE_PENDING);
}

/* FALSE: the channel takes nothing any more.  While keys are agreed on anew it takes nothing for a
 * moment. */
static gboolean
send_up (TsrSshPump *self)
{
  guint at = 0;

  while (at < self->up->len)
    {
      int written = ssh_channel_write (self->channel, self->up->data + at, self->up->len - at);

      if (written == SSH_ERROR)
        return FALSE;
      if (written <= 0)
        break;
      at += (guint)written;
    }
  g_byte_array_remove_range (self->up, 0, at);
  return TRUE;
}

/* FALSE: the near end is closed or the channel takes nothing any more. */
static gboolean
take_near (TsrSshPump *self)
{
  guint8 bytes[PIECE];
  gssize n = recv (self->near, bytes, sizeof bytes, MSG_DONTWAIT);

  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return TRUE;
  if (n <= 0)
    return FALSE;
  g_byte_array_append (self->up, bytes, (guint)n);
  return send_up (self);
}

static void
run (TsrSshPump *self, ssh_event event)
{
  gboolean ends = FALSE;

  while (!ends || self->sent < self->queue->len)
    {
      short flags = (short)(ssh_get_poll_flags (self->session) & SSH_WRITE_PENDING ? POLLOUT : 0);
      gboolean is_full = self->queue->len >= MAX_QUEUE;
      struct pollfd fds[]
          = { { ends || is_full ? -1 : ssh_get_fd (self->session), (short)(POLLIN | flags), 0 },
              { self->near,
                (short)((!ends && can_send (self) ? POLLIN : 0)
                        | (self->sent < self->queue->len ? POLLOUT : 0)),
                0 } };

      /* Without its session, which may end while something is sent, nothing would wake it. */
      if (!ends && !ssh_is_connected (self->session))
        {
          ends = TRUE;
          continue;
        }
      if (poll (fds, 2, -1) < 0 && errno != EINTR)
        break;
      if (fds[0].revents)
        {
          int rc = SSH_OK;

          for (guint i = 0; i < 64 && rc == SSH_OK && self->queue->len < MAX_QUEUE; i++)
            rc = ssh_event_dopoll (event, 0);
          tsr_ssh_socket_acknowledge (ssh_get_fd (self->session));
          ends = rc == SSH_ERROR || !ssh_is_connected (self->session)
                 || ssh_channel_is_closed (self->channel) || ssh_channel_is_eof (self->channel);
          if (!ends)
            grow_window (self);
        }
      if (!ends && self->up->len > 0 && !send_up (self))
        break;
      if (!drain_queue (self))
        break;
      if (fds[1].revents & (POLLIN | POLLHUP | POLLERR) && !ends && !take_near (self))
        break;
    }
}

static gpointer
pump_thread (gpointer data)
{
  TsrSshPump *self = data;
  ssh_event event = ssh_event_new ();

  if (event != NULL && ssh_event_add_session (event, self->session) == SSH_OK)
    {
      run (self, event);
      ssh_event_remove_session (event, self->session);
    }
  ssh_event_free (event);
  shutdown (self->near, SHUT_RDWR);
  return NULL;
}

static void
set_open_error (TsrSshLogin *login, const TsrSshHost *next, GError **error)
{
  g_autofree char *cause
      = tsr_ssh_clean_text (ssh_get_error (login->session), TSR_SSH_CLEAN_LINE, FALSE);
  TsrRemoteError code = TSR_REMOTE_ERROR_NETWORK;

  if (g_cancellable_set_error_if_cancelled (login->cancellable, error))
    return;
  /* RFC 4254, 5.1: 1 is "administratively prohibited". */
  if (strstr (cause, "error (1)") != NULL)
    {
      tsr_ssh_login_set_error (
          login, error, code,
          _ ("it does not allow forwarding to %s port %u; ask the jump host's administrator to "
             "allow it (AllowTcpForwarding), or use another jump host"),
          next->host_name, next->port);
      return;
    }
  /* The reasons are OpenSSH's; another server's are told as they are. */
  if (strstr (cause, "refused") != NULL)
    code = TSR_REMOTE_ERROR_REFUSED;
  else if (strstr (cause, "not known") != NULL || strstr (cause, "resolve") != NULL)
    code = TSR_REMOTE_ERROR_UNKNOWN_HOST;
  else if (strstr (cause, "timed out") != NULL)
    code = TSR_REMOTE_ERROR_TIMEOUT;
  tsr_ssh_login_set_error (login, error, code,
                           _ ("it cannot connect to %s port %u (%s); check the name and the port "
                              "as they are known there"),
                           next->host_name, next->port, cause);
}

TsrSshPump *
tsr_ssh_pump_start (TsrSshLogin *login, const TsrSshHost *next, int *fd, GError **error)
{
  TsrSshPump *self;
  ssh_channel channel = ssh_channel_new (login->session);
  int pair[2];

  if (channel == NULL
      || ssh_channel_open_forward (channel, next->host_name, (int)next->port, "127.0.0.1", 0)
             != SSH_OK)
    {
      set_open_error (login, next, error);
      ssh_channel_free (channel);
      return NULL;
    }
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
    {
      tsr_ssh_login_set_error (login, error, TSR_REMOTE_ERROR_NETWORK, "%s", g_strerror (errno));
      ssh_channel_free (channel);
      return NULL;
    }
  self = g_new0 (TsrSshPump, 1);
  self->session = g_steal_pointer (&login->session);
  self->channel = channel;
  self->near = pair[0];
  self->up = g_byte_array_new ();
  self->queue = g_byte_array_new ();
  tsr_ssh_window_init (&self->window);
  self->callbacks.userdata = self;
  self->callbacks.channel_data_function = on_data;
  ssh_callbacks_init (&self->callbacks);
  ssh_set_channel_callbacks (channel, &self->callbacks);
  ssh_set_blocking (self->session, 0);
  *fd = pair[1];
  grow_window (self);
  self->thread = g_thread_new ("ssh-jump", pump_thread, self);
  return self;
}

void
tsr_ssh_pump_free (TsrSshPump *self)
{
  if (self == NULL)
    return;
  shutdown (self->near, SHUT_RDWR);
  g_thread_join (self->thread);
  ssh_channel_free (self->channel);
  ssh_silent_disconnect (self->session);
  ssh_free (self->session);
  close (self->near);
  g_byte_array_unref (self->up);
  g_byte_array_unref (self->queue);
  tsr_ssh_window_clear (&self->window);
  g_free (self);
}
