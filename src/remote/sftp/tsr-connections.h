/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All connections of a process: one for each user, host, port and route, so that authenticating
 * once per hop serves every report, browser and window.  Any thread. */

#pragma once

#include "tsr-connection.h"

G_BEGIN_DECLS

typedef struct _TsrConnections TsrConnections;

/* (transfer full): @asker (nullable) answers for connections made here; @config (nullable) is
 * loaded from the user's files when NULL, and again for each new connection. */
TsrConnections *tsr_connections_new (TsrAsker *asker, TsrSshConfig *config);
void tsr_connections_free (TsrConnections *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrConnections, tsr_connections_free)

/* (transfer full): the existing connection for @address (its path does not matter), or a new one.
 */
TsrConnection *tsr_connections_get (TsrConnections *self, const TsrSshAddress *address);
/* (transfer full): @text (nullable) as a path: "~" and "~user" at its head become a folder. */
char *tsr_connections_dup_path (const char *text);
/* @key_file (nullable): beside those of ssh_config, tried first; @agent_socket instead of
 * SSH_AUTH_SOCK (NULL: as the environment says, "": none), both as a user writes them.  For
 * connections made from now on. */
void
tsr_connections_set_identity (TsrConnections *self, const char *key_file, const char *agent_socket);
/* Connections made from now on never connect: only the cache is used. */
void tsr_connections_set_offline (TsrConnections *self, gboolean is_offline);
void tsr_connections_close_all (TsrConnections *self);

G_END_DECLS
