/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A report behind ssh, as the programs see it: a server with a report in the user's home, and a
 * connection, a cache and a place to read it, over the world's ssh_config.  Tests change what they
 * need before remote_world_connect(). */

#pragma once

#include "delay-proxy.h"
#include "script-asker.h"
#include "ssh-fixture.h"
#include "tsr-remote-error.h"
#include "tsr-remote-place.h"
#include "tsr-report.h"
#include "tsr-test.h"

G_BEGIN_DECLS

typedef struct
{
  SshWorld *world;
  SshServer *server; /* the host "target" */
  DelayProxy *proxy; /* (nullable) between it and us */
  ScriptAsker *asker;
  TsrBlockCache *cache;
  char *cache_folder;
  TsrConnection *connection;
  TsrRemotePlace *place;
  GCancellable *cancellable;
  char *report; /* of the server's files on this machine */
} RemoteWorld;

/* FALSE: skipped.  @options as for ssh_server_new(); with @has_proxy all goes through one. */
gboolean
remote_world_set_up (RemoteWorld *self, const SshServerOptions *options, gboolean has_proxy);
/* Another server is the host "target"; before any other use. */
void remote_world_set_server (RemoteWorld *self, SshServer *server, const char *lines);
void remote_world_clear (RemoteWorld *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RemoteWorld, remote_world_clear)

/* Writes the preset (tessera-make-report's) to the home folder of the server's user, as "report";
 * made once for the whole program. */
void remote_world_add_report (RemoteWorld *self, const char *preset);
/* (transfer full): path on the server of what is @name in the home folder. */
char *remote_world_path (RemoteWorld *self, const char *name);

/* A new connection to host @alias ("target" when NULL; also "host/?jump=..."), cache and place; the
 * ones before are dropped, and what was cached stays. */
void remote_world_renew (RemoteWorld *self, const char *alias);
/* Nothing is cached any more; before _renew. */
void remote_world_forget (RemoteWorld *self);
/* The connection is made, or the test fails. */
void remote_world_connect (RemoteWorld *self);

/* (transfer full): the file's bytes through the place, or @error. */
GBytes *remote_world_read (RemoteWorld *self, const char *path, GError **error);
/* They are those of the file on this machine. */
void remote_world_check_file (RemoteWorld *self, const char *path);
/* Summary and memory say the same as those of @path on this machine. */
void remote_world_check_report (RemoteWorld *self, TsrReport *report, const char *path);

G_END_DECLS
