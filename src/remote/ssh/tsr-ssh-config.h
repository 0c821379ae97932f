/* SPDX-License-Identifier: GPL-3.0-or-later */

/* ~/.ssh/config and /etc/ssh/ssh_config, read by ourselves: libssh's own reader turns ProxyJump
 * into a program.  As ssh_config(5) says: the first value of an option counts, IdentityFile and
 * similar add up; Host with patterns and "!", Match with all, host, originalhost, user, localuser
 * (exec, canonical and final never match, which is a diagnostic), Include with globs up to a depth
 * of 16; quotes, "=", comments; tokens %% %d %h %n %p %r %u %i %k %L %l %j and ~, ${ENV} in paths.
 * Immutable after loading, any thread. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-ssh-address.h"

G_BEGIN_DECLS

typedef struct _TsrSshConfig TsrSshConfig;

/* (transfer full): a missing file counts as empty; unusable lines become diagnostics with file and
 * row, never errors.  NULL paths: the user's and the system's. */
TsrSshConfig *
tsr_ssh_config_load (const char *user_file, const char *system_file, TsrDiagnostics *diagnostics);
TsrSshConfig *tsr_ssh_config_ref (TsrSshConfig *self);
void tsr_ssh_config_unref (TsrSshConfig *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrSshConfig, tsr_ssh_config_unref)

typedef enum
{
  TSR_STRICT_ASK,        /* unknown: ask (also "ask") */
  TSR_STRICT_YES,        /* unknown: refuse */
  TSR_STRICT_ACCEPT_NEW, /* unknown: store it without asking */
  TSR_STRICT_NO,         /* treated as "accept-new": a changed key is never accepted */
} TsrStrictChecking;

/* What ssh_config makes of one hop: everything that connecting to it needs. */
typedef struct
{
  char *alias;     /* what was typed */
  char *host_name; /* where to connect to */
  char *user;      /* never NULL; the local user's name by default */
  guint port;
  char *host_key_alias;    /* (nullable) */
  GStrv identity_files;    /* absolute; the ones configured, else the usual ones in ~/.ssh */
  GStrv certificate_files; /* absolute */
  gboolean identities_told, identities_only;
  char *identity_agent;    /* (nullable): socket; "" for "none"; NULL: SSH_AUTH_SOCK */
  GStrv known_hosts;       /* user's files, the first is written to */
  char *spare_known_hosts; /* (nullable): ours; written to where the first cannot be */
  GStrv global_known_hosts;
  gboolean hash_known_hosts;
  TsrStrictChecking strict;
  gboolean pubkey, password, keyboard_interactive;
  GStrv preferred; /* (nullable): PreferredAuthentications */
  guint n_password_prompts;
  guint connect_timeout_s; /* 0: not told */
  guint alive_interval_s;  /* 0: not told */
  guint alive_count;       /* 3 */
  guint address_family;    /* AF_UNSPEC, AF_INET or AF_INET6 */
  char *host_key_algorithms, *kex_algorithms, *ciphers, *macs, *pubkey_algorithms; /* (nullable) */
  TsrSshHop *jumps; /* of ProxyJump */
  guint n_jumps;
  gboolean has_proxy_command; /* we do not run programs: an error when connecting, unless the user
                                 gives jump hosts */
} TsrSshHost;

void tsr_ssh_host_free (TsrSshHost *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrSshHost, tsr_ssh_host_free)

/* (transfer full): the options for @hop from the files; what @hop contains itself takes precedence.
 */
TsrSshHost *tsr_ssh_config_look_up (TsrSshConfig *self, const TsrSshHop *hop);

/* (transfer full) (element-type TsrSshHost): all hops from here to the target, ProxyJump of
 * @address or of the files resolved, jump hosts of jump hosts too (as ssh does: each jump host's
 * own ProxyJump counts for the first one only).  TSR_REMOTE_ERROR_CONFIG for a loop, more than
 * TSR_SSH_MAX_JUMPS, or a ProxyCommand. */
GPtrArray *
tsr_ssh_config_resolve (TsrSshConfig *self, const TsrSshAddress *address, GError **error);

/* (transfer full): the names after Host without wildcards, in file order, each once: for the list
 * of aliases. */
GStrv tsr_ssh_config_dup_aliases (TsrSshConfig *self);

/* (transfer full) (nullable): "~" and "~user" at the start are expanded; NULL if there is no such
 * user. */
char *tsr_ssh_expand_tilde (const char *text, const char *home);

G_END_DECLS
