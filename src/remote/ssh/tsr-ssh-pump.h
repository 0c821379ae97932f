/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The route through a jump host: a thread that owns the jump host's session and carries bytes
 * between one of its direct-tcpip channels and one end of a socket pair.  The other end is the
 * socket of the next session. */

#pragma once

#include "tsr-ssh-login.h"

G_BEGIN_DECLS

typedef struct _TsrSshPump TsrSshPump;

/* Asks @login's host, which is logged in, to connect to @next; takes login's session on success.
 * @fd (out): the end for the next session. */
TsrSshPump *
tsr_ssh_pump_start (TsrSshLogin *login, const TsrSshHost *next, int *fd, GError **error);
/* Ends the thread and frees the session. */
void tsr_ssh_pump_free (TsrSshPump *self);

G_END_DECLS
