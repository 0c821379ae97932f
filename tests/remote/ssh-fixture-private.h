/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Between the fixture's world (keys, files, agent) and its servers; see ssh-fixture.h. */

#pragma once

#include "ssh-fixture.h"

G_BEGIN_DECLS

struct _SshWorld
{
  char *folder, *home, *config, *known_hosts, *authorized;
  char *keys[SSH_N_KEYS];
  char *sshd; /* path */
  char *sshd_lines;
  char **env; /* of servers */
  char *agent;
  GPid agent_pid;
  GPtrArray *servers; /* owned */
};

/* Writes @text at the end of the file, which it makes if need be. */
void ssh_fixture_append (const char *path, const char *text);
/* (transfer full): all of the file. */
char *ssh_fixture_read (const char *path);
/* For g_spawn: a process group of its own that dies with the test. */
void ssh_fixture_set_up_child (gpointer data);

/* (transfer full): of the private key of @type ("ed25519"), which need not be there. */
char *ssh_server_dup_host_key_path (SshServer *server, const char *type);
void ssh_server_free (SshServer *server);

G_END_DECLS
