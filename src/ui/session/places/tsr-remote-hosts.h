/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hosts that the user has connected to, newest first, in the settings: how to reach them, the
 * folder that was shown last, and the key file.  Nothing secret.  Main thread. */

#pragma once

#include "tsr-settings.h"
#include "tsr-ssh-address.h"

G_BEGIN_DECLS

#define TSR_REMOTE_HOSTS_MAX 30

typedef struct
{
  TsrSshAddress *address; /* path: the folder that was shown last */
  char *identity;         /* (nullable): key file */
} TsrRemoteHost;

void tsr_remote_host_free (TsrRemoteHost *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrRemoteHost, tsr_remote_host_free)

/* (transfer full) (element-type TsrRemoteHost): what cannot be read is left out. */
GPtrArray *tsr_remote_hosts_dup (TsrSettings *settings);
/* Puts the host on top, in place of the same one: same user, host, port, way there and alias. */
void
tsr_remote_hosts_add (TsrSettings *settings, const TsrSshAddress *address, const char *identity);
void tsr_remote_hosts_remove (TsrSettings *settings, const TsrSshAddress *address);

/* (transfer full) (nullable): the key file that is remembered with the host. */
char *tsr_remote_hosts_dup_identity (TsrSettings *settings, const TsrSshAddress *address);

/* (transfer full): "user@host:port", with the alias where there is one; "through a, b" (nullable).
 */
char *tsr_remote_host_dup_title (const TsrSshAddress *address);
char *tsr_remote_host_dup_way (const TsrSshAddress *address);

G_END_DECLS
