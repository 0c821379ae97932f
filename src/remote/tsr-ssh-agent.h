/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The user's ssh-agent as libssh sees it: libssh takes the socket from the environment and offers
 * every key, in the agent's order.  So it gets one end of a socket pair, and a thread behind the
 * other end answers with the keys that may be used, in the order that OpenSSH has, and passes
 * requests for a signature on. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _TsrSshAgent TsrSshAgent;

/* (nullable): NULL when there is no agent at @path, it does not answer, or has no key that may be
 * used.  @preferred (element-type GBytes): blobs of public keys that come first; @only: no
 * others.  Blocks, at most for five seconds. */
TsrSshAgent *tsr_ssh_agent_open (const char *path, GPtrArray *preferred, gboolean only);
void tsr_ssh_agent_free (TsrSshAgent *self);
/* libssh's end, which belongs to whoever takes it; -1 the second time. */
int tsr_ssh_agent_steal_fd (TsrSshAgent *self);
guint tsr_ssh_agent_count (TsrSshAgent *self);
gboolean tsr_ssh_agent_has (TsrSshAgent *self, GBytes *blob);
/* Ends what libssh waits for; any thread. */
void tsr_ssh_agent_shut_down (TsrSshAgent *self);

G_END_DECLS
