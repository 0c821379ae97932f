/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A world of ssh for a test: a temporary folder with keys, known_hosts, ssh_config and the home of
 * its one user, "tester", and any number of real servers on 127.0.0.1.  Nothing of ~/.ssh, /etc/ssh
 * or this machine's accounts is read or written, and everything dies with the test.
 *
 *   g_autoptr (SshWorld) world = ssh_world_new ();   NULL: skipped, with the reason
 *   SshServer *server = ssh_server_new (world, NULL);
 *   ssh_world_add_host (world, "target", server, NULL);      a Host in world's ssh_config
 *   ... tsr_ssh_config_load (ssh_world_get_config (world), NULL, ...), host "target"
 *
 * A server is a port with a thread that starts one sshd (or dropbear, or the tests' authenticator)
 * for each connection, as inetd does, so what it is like may change between two connections. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _SshWorld SshWorld;
typedef struct _SshServer SshServer;

typedef enum
{
  SSH_KEY_ED25519,   /* may log in, as the next three */
  SSH_KEY_ECDSA,     /* */
  SSH_KEY_RSA,       /* */
  SSH_KEY_ENCRYPTED, /* ed25519 in OpenSSH's format, with SSH_PASSPHRASE */
  SSH_KEY_PEM,       /* RSA, encrypted, in the older PEM format */
  SSH_KEY_STRANGER,  /* may not log in */
  SSH_N_KEYS,
} SshKey;

#define SSH_USER       "tester"
#define SSH_GUEST      "guest" /* run as root: may log in, too, and reads what everybody may */
#define SSH_PASSPHRASE "correct horse"

/* (transfer full) (nullable): NULL after g_test_skip() with a reason, when there is no sshd. */
SshWorld *ssh_world_new (void);
void ssh_world_free (SshWorld *world);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SshWorld, ssh_world_free)
const char *ssh_world_get_folder (SshWorld *world);
const char *ssh_world_get_home (SshWorld *world);   /* the user's on the servers, empty */
const char *ssh_world_get_config (SshWorld *world); /* path of a client's ssh_config */
const char *ssh_world_get_known_hosts (SshWorld *world);
/* (transfer none): path of a private key, made when first asked for; ".pub" is beside it. */
const char *ssh_world_get_key (SshWorld *world, SshKey key);

/* Adds to the world's ssh_config: Host @alias with address, port, user, the key SSH_KEY_ED25519 and
 * no other, known_hosts of the world and no agent.  @lines (nullable): further options that win
 * over those, one a line.  The real ssh program reads it too (-F). */
void ssh_world_add_host (SshWorld *world, const char *alias, SshServer *server, const char *lines);
/* Writes the server's host keys to the world's known_hosts, under @name (NULL: [127.0.0.1]:port);
 * ssh_world_add_host() needs this too, unless the key is to be unknown. */
void ssh_world_know (SshWorld *world, SshServer *server, const char *name);
/* Adds a text to known_hosts as it is. */
void ssh_world_add_known (SshWorld *world, const char *text);
/* Replaces each name of known_hosts by its hash (ssh-keygen -H). */
void ssh_world_hash_known (SshWorld *world);

/* (transfer none): socket of an ssh-agent without keys, started when first asked for. */
const char *ssh_world_get_agent (SshWorld *world);
/* Adds a key without passphrase. */
void ssh_world_add_to_agent (SshWorld *world, const char *key);
/* Runs a program to its end, which must be success; what it printed (transfer full). */
char *ssh_world_run (SshWorld *world, const char *first, ...) G_GNUC_NULL_TERMINATED;

typedef enum
{
  SSH_SFTP_INTERNAL,
  SSH_SFTP_PROGRAM, /* Debian's sftp-server */
  SSH_SFTP_NONE,
} SshSftp;

/* What a server is like; all zero is an OpenSSH server with keys, SFTP and forwarding. */
typedef struct
{
  guint key_set;         /* other host keys for each number */
  const char *host_keys; /* "ed25519 ecdsa" when NULL; also "rsa" */
  SshSftp sftp;
  const char *subsystem; /* instead: the program and arguments to run as SFTP subsystem */
  const char *lines;     /* (nullable) of sshd_config, winning over the fixture's */
  gboolean is_dropbear;
  const char *const *program; /* instead of a server: run with the connection as its descriptors 0
                                 and 1; "@KEYS@" is replaced by the folder of host keys */
} SshServerOptions;

/* (transfer none): listens when this returns; the world frees it.  NULL @options: all zero.  NULL
 * after g_test_skip() when there is no such program. */
SshServer *ssh_server_new (SshWorld *world, const SshServerOptions *options);
/* (transfer none): the tests' authenticator with @options (NULL ends them; see its --help), with
 * one host key and the world's authorized keys. */
SshServer *ssh_authenticator_new (SshWorld *world, const char *option, ...) G_GNUC_NULL_TERMINATED;
/* (transfer none): an OpenSSH server whose SFTP subsystem is hostile-sftp, which serves @root as
 * "/" and tells @lie (see hostile-sftp.c; "truth": none). */
SshServer *ssh_hostile_new (SshWorld *world, const char *lie, const char *root);
/* It tells another one from now on. */
void ssh_hostile_set_lie (SshServer *server, const char *lie, const char *root);
/* For connections from now on; those that are there keep on. */
void ssh_server_set_options (SshServer *server, const SshServerOptions *options);
guint ssh_server_get_port (SshServer *server);
/* (transfer full): "SHA256:..." of the host key of @type ("ed25519"), as ssh-keygen -l says. */
char *ssh_server_dup_fingerprint (SshServer *server, const char *type);
/* (transfer full): "ssh-ed25519 AAAA..." */
char *ssh_server_dup_host_key (SshServer *server, const char *type);
/* Connections that were accepted so far. */
guint ssh_server_get_n_accepted (SshServer *server);
/* (transfer full): what the servers have logged. */
char *ssh_server_dup_log (SshServer *server);

/* Ends all connections at once (SIGKILL); returns when they are gone.  New ones are taken. */
void ssh_server_kill (SshServer *server);
/* All connections stand still (SIGSTOP), as a machine that hangs, and go on. */
void ssh_server_freeze (SshServer *server);
void ssh_server_thaw (SshServer *server);
/* Refuses new connections (nobody listens), and takes them again on the same port. */
void ssh_server_refuse (SshServer *server);
void ssh_server_listen (SshServer *server);
/* Accepts connections and says nothing at all, until FALSE; what waited is served then. */
void ssh_server_set_silent (SshServer *server, gboolean silent);

G_END_DECLS
