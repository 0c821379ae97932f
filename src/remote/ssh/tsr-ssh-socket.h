/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sockets for ssh sessions.  We connect them ourselves, so that libssh neither resolves names nor
 * runs programs, and so that cancelling ends every wait.  Any thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A connected socket (to be closed), with TCP_NODELAY; -1 and TSR_REMOTE_ERROR or
 * G_IO_ERROR_CANCELLED. @who names the host in errors; @family AF_UNSPEC, AF_INET, AF_INET6;
 * @silence_s: unanswered data longer than this break the connection. */
int tsr_ssh_socket_connect (const char *who,
                            const char *host,
                            guint port,
                            guint family,
                            guint timeout_s,
                            guint silence_s,
                            GCancellable *cancellable,
                            GError **error);

/* Acknowledges received data at once.  A jump host's sshd, and dropbear, send a small packet only
 * after the previous one is acknowledged, which the kernel delays by 40 ms.  Valid until the next
 * read. */
void tsr_ssh_socket_acknowledge (int fd);

/* Shuts a socket down when @cancellable is cancelled, which ends all waiting on it. */
typedef struct
{
  int fd; /* a duplicate: the owner may close its own at any time */
  GCancellable *cancellable;
  gulong handler;
} TsrSshGuard;

void tsr_ssh_guard_init (TsrSshGuard *guard, int fd, GCancellable *cancellable);
/* Cancelling has no effect from now on. */
void tsr_ssh_guard_disarm (TsrSshGuard *guard);
void tsr_ssh_guard_clear (TsrSshGuard *guard);

G_END_DECLS
