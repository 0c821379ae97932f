/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One libssh session to one host: a socket (TCP, or a channel of the session before it), host key,
 * authentication; and the chain of them that leads over jump hosts.  libssh reads no configuration
 * of its own: processing is switched off, the socket is ours (SSH_OPTIONS_FD).  Only remote/
 * includes this; a session belongs to one thread at a time. */

#pragma once

#include "tsr-asker.h"
#include "tsr-ssh-config.h"

#include <libssh/libssh.h>

G_BEGIN_DECLS

typedef struct
{
  ssh_session session; /* the target's, authenticated */
  int fd;         /* its socket, to be polled; shutting it down ends every call that waits on it */
  char *host_key; /* its fingerprint, "SHA256:..." */
  /* private: sessions, threads and socket pairs of the hops before */
  GPtrArray *hops;
} TsrSshChain;

void tsr_ssh_chain_free (TsrSshChain *chain);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrSshChain, tsr_ssh_chain_free)

/* Tells the user what is happening: "connecting to jump", "waiting for gc-poplar-01". */
typedef void (*TsrSshStepFunc) (const char *text, gpointer data);

/* (transfer full): connects and authenticates every hop of @hosts (TsrSshHost, from here to the
 * target), asking @asker.  Answers are wiped when this returns: the next chain asks again.
 * TSR_REMOTE_ERROR or G_IO_ERROR_CANCELLED; cancelling works at any moment, also while libssh
 * waits. */
TsrSshChain *tsr_ssh_chain_connect (GPtrArray *hosts,
                                    TsrAsker *asker,
                                    TsrSshStepFunc step,
                                    gpointer data,
                                    GCancellable *cancellable,
                                    GError **error);

G_END_DECLS
