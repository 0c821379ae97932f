/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A filter between libssh and the user's ssh-agent. libssh takes the socket from the environment
 * and offers every key in the agent's order.  We give it one end of a socket pair instead; a thread
 * at the other end lists only the keys that may be used, in OpenSSH's order, and forwards requests
 * for signatures. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _TsrSshAgent TsrSshAgent;

/* (nullable): NULL if there is no agent at @path, or it does not answer, or it has no key that may
 * be used.  @preferred (element-type GBytes): blobs of public keys that come first; @only: no
 * others.  Blocks, at most for five seconds. */
TsrSshAgent *tsr_ssh_agent_open (const char *path, GPtrArray *preferred, gboolean only);
void tsr_ssh_agent_free (TsrSshAgent *self);
/* libssh's end, which then belongs to the caller; -1 the second time. */
int tsr_ssh_agent_steal_fd (TsrSshAgent *self);
guint tsr_ssh_agent_count (TsrSshAgent *self);
gboolean tsr_ssh_agent_has (TsrSshAgent *self, GBytes *blob);
/* Ends libssh's waiting; any thread. */
void tsr_ssh_agent_shut_down (TsrSshAgent *self);

G_END_DECLS
