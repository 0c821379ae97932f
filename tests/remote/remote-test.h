/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of logging in share: a world, somebody who answers, and hosts as ssh_config would have
 * them. */

#pragma once

#include "script-asker.h"
#include "ssh-fixture.h"
#include "tsr-ssh-session.h"

G_BEGIN_DECLS

typedef struct
{
  SshWorld *world;
  ScriptAsker *asker;
  GString *steps; /* a line for each that was said */
  GCancellable *cancellable;
} RemoteTest;

/* FALSE: skipped. */
gboolean remote_test_set_up (RemoteTest *self);
void remote_test_clear (RemoteTest *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RemoteTest, remote_test_clear)

/* (transfer full) (nullable): a chain over @hosts (taken), which asks @asker (NULL: the test's). */
TsrSshChain *
remote_test_connect (RemoteTest *self, GPtrArray *hosts, TsrAsker *asker, GError **error);
/* The conversation since the last look (see script-asker.h) is @expected, in which PORT is
 * @server's. */
void remote_test_check_asked (RemoteTest *self, SshServer *server, const char *expected);

/* (transfer full): @server at 127.0.0.1 with known_hosts of @world, one key file (nullable) and no
 * agent. */
TsrSshHost *test_host_new (SshWorld *world, SshServer *server, const char *alias, const char *key);
/* (transfer full): of hosts (taken). */
GPtrArray *test_hosts_new (TsrSshHost *first, ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
