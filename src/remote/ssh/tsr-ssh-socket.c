/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GLib connects (to all addresses of a name in turn, cancellable and with a time-out); the result
 * is a plain file descriptor, which libssh then owns. */

#include "config.h"

#include "tsr-ssh-socket.h"

#include "tsr-remote-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

static void
take_error (const char *who, const char *host, guint port, GError *cause, GError **error)
{
  g_autoptr (GError) owned = cause;

  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&owned));
  else if (cause->domain == G_RESOLVER_ERROR)
    g_set_error (
        error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNKNOWN_HOST,
        _ ("%s: no machine named “%s” is known here (%s); check the name, or whether it is "
           "only known behind a jump host or a VPN"),
        who, host, cause->message);
  else if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_REFUSED,
                 _ ("%s: nobody listens at %s port %u; check the port, and whether the tunnel or "
                    "the ssh server is running"),
                 who, host, port);
  else if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_TIMEOUT,
                 _ ("%s: no answer from %s port %u in time; the machine may be off, or only be "
                    "reachable through a jump host or a VPN"),
                 who, host, port);
  else
    g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK,
                 _ ("%s: cannot reach %s port %u (%s); check the network and try again"), who, host,
                 port, cause->message);
}

int
tsr_ssh_socket_connect (const char *who,
                        const char *host,
                        guint port,
                        guint family,
                        guint timeout_s,
                        guint silence_s,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnectable) address = g_network_address_new (host, (guint16)port);
  g_autoptr (GSocketConnection) connection = NULL;
  GError *cause = NULL;
  guint silence_ms = silence_s * 1000;
  int one = 1, fd;

  g_socket_client_set_enable_proxy (client, FALSE);
  g_socket_client_set_timeout (client, timeout_s);
  if (family == AF_INET)
    g_socket_client_set_family (client, G_SOCKET_FAMILY_IPV4);
  else if (family == AF_INET6)
    g_socket_client_set_family (client, G_SOCKET_FAMILY_IPV6);
  connection = g_socket_client_connect (client, address, cancellable, &cause);
  if (connection == NULL)
    {
      take_error (who, host, port, cause, error);
      return -1;
    }
  fd = fcntl (g_socket_get_fd (g_socket_connection_get_socket (connection)), F_DUPFD_CLOEXEC, 3);
  if (fd < 0)
    {
      g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, "%s: %s", who,
                   g_strerror (errno));
      return -1;
    }
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
  setsockopt (fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms, sizeof silence_ms);
  return fd;
}

void
tsr_ssh_socket_acknowledge (int fd)
{
  int one = 1;

  /* Not of TCP where the hop is behind another one. */
  if (fd >= 0)
    setsockopt (fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  (void)cancellable;
  shutdown (GPOINTER_TO_INT (data), SHUT_RDWR);
}

void
tsr_ssh_guard_init (TsrSshGuard *guard, int fd, GCancellable *cancellable)
{
  guard->fd = fcntl (fd, F_DUPFD_CLOEXEC, 3);
  guard->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  guard->handler = 0;
  if (cancellable != NULL && guard->fd != -1)
    guard->handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled),
                                            GINT_TO_POINTER (guard->fd), NULL);
}

void
tsr_ssh_guard_disarm (TsrSshGuard *guard)
{
  g_cancellable_disconnect (guard->cancellable, guard->handler);
  g_clear_object (&guard->cancellable);
}

void
tsr_ssh_guard_clear (TsrSshGuard *guard)
{
  tsr_ssh_guard_disarm (guard);
  close (guard->fd);
  guard->fd = -1;
}
