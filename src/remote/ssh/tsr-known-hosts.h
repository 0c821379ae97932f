/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads known_hosts files.  We scan them ourselves because a revoked key must win over a good line
 * for the same host, and because an error must name the line.  Format: sshd(8), "SSH_KNOWN_HOSTS
 * FILE FORMAT": plain, patterns with "!" "*" "?", [host]:port, hashed |1|salt|hmac, @revoked,
 * @cert-authority (whose keys do not count as the host's).  Any thread. */

#pragma once

#include "tsr-diagnostics.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_HOST_KEY_UNKNOWN, /* no line for this host; 0, so that a forgotten initialisation never means
                           yes */
  TSR_HOST_KEY_OK,
  TSR_HOST_KEY_CHANGED, /* another key of the same type */
  TSR_HOST_KEY_OTHER,   /* only keys of other types are known; refused like a changed key */
  TSR_HOST_KEY_REVOKED, /* @revoked, whatever other lines say */
  TSR_HOST_KEY_NO_FILE, /* none of the files exists; unknown, and the file will be created */
  TSR_HOST_KEY_ERROR,   /* a file cannot be read; refused */
} TsrHostKeyState;

typedef struct
{
  TsrHostKeyState state;
  char *file;                           /* (nullable): the file with the deciding line */
  guint line;                           /* from 1; 0: none */
  char *known_type, *known_fingerprint; /* (nullable): "SHA256:..." of that line's key */
  GError *error;                        /* of TSR_HOST_KEY_ERROR */
} TsrHostKeyVerdict;

void tsr_host_key_verdict_clear (TsrHostKeyVerdict *verdict);

/* @name: HostKeyAlias, or what was connected to; with a @port other than 22 it is looked for as
 * [name]:port (an alias never has a port), and if that is unknown, a line without port counts as a
 * match, as in ssh.  @type "ssh-ed25519", ...; @key the public key's blob.
 * @files: user's then global ones.  Lines that cannot be parsed become diagnostics (nullable). */
void tsr_known_hosts_check (const char *const *files,
                            const char *name,
                            guint port,
                            const char *type,
                            GBytes *key,
                            TsrDiagnostics *diagnostics,
                            TsrHostKeyVerdict *verdict);

/* (transfer full): types of the known keys of a host, so that the server is asked for one of these
 * first, as in ssh. */
GStrv tsr_known_hosts_dup_types (const char *const *files, const char *name, guint port);

/* Appends a line to @file as OpenSSH does: creates the folder with mode 0700 and the file with 0600
 * if necessary, hashes the name if asked to, and adds a missing newline before it.  A single write;
 * nothing else is changed.  G_IO_ERROR. */
gboolean tsr_known_hosts_add (const char *file,
                              const char *name,
                              guint port,
                              const char *type,
                              GBytes *key,
                              gboolean hashed,
                              GError **error);

/* (transfer full): "SHA256:..." of a public key's blob, base64 without padding, as ssh-keygen -l.
 */
char *tsr_host_key_fingerprint (GBytes *key);

G_END_DECLS
