/* SPDX-License-Identifier: GPL-3.0-or-later */

/* known_hosts files: scanned by ourselves, because a revoked key must win over a good line beside
 * it and an error must name the line.  Format: sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT": plain,
 * patterns with "!" "*" "?", [host]:port, hashed |1|salt|hmac, @revoked, @cert-authority (whose
 * keys are not taken for the host's).  Any thread. */

#pragma once

#include "tsr-diagnostics.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_HOST_KEY_UNKNOWN, /* no line for this host; 0, so that nothing forgotten is a yes */
  TSR_HOST_KEY_OK,
  TSR_HOST_KEY_CHANGED, /* another key of the same type */
  TSR_HOST_KEY_OTHER,   /* only keys of other types are known: refused like a changed one */
  TSR_HOST_KEY_REVOKED, /* @revoked, whatever else stands there */
  TSR_HOST_KEY_NO_FILE, /* none of the files is there: unknown, and the file will be made */
  TSR_HOST_KEY_ERROR,   /* a file that cannot be read: nobody knows, refused */
} TsrHostKeyState;

typedef struct
{
  TsrHostKeyState state;
  char *file;                           /* (nullable): where the line that decided is */
  guint line;                           /* from 1; 0: none */
  char *known_type, *known_fingerprint; /* (nullable): "SHA256:..." of that line's key */
  GError *error;                        /* of TSR_HOST_KEY_ERROR */
} TsrHostKeyVerdict;

void tsr_host_key_verdict_clear (TsrHostKeyVerdict *verdict);

/* @name: HostKeyAlias, or what was connected to; with a @port other than 22 (0: the same) it is
 * looked for as [name]:port (an alias never has a port), and if nothing is known of that, a line
 * without port is good for a yes, as for ssh.  @type "ssh-ed25519", ...; @key the public key's
 * blob.
 * @files: user's then global ones.  Lines that make no sense become diagnostics (nullable). */
void tsr_known_hosts_check (const char *const *files,
                            const char *name,
                            guint port,
                            const char *type,
                            GBytes *key,
                            TsrDiagnostics *diagnostics,
                            TsrHostKeyVerdict *verdict);

/* (transfer full): types of the keys that are known for a host, so that the server is asked for one
 * of those first; as ssh does. */
GStrv tsr_known_hosts_dup_types (const char *const *files, const char *name, guint port);

/* Adds a line at the end of @file as OpenSSH does: folder with mode 0700 and file with 0600 when
 * they are not there, hashed when asked, a missing newline before it mended; written in one write,
 * nothing else is changed. G_IO_ERROR. */
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
