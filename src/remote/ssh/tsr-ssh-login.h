/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state of logging in to one hop, shared by tsr-ssh-session.c, tsr-ssh-greeting.c,
 * tsr-ssh-host-key.c, tsr-ssh-auth.c and tsr-ssh-keys.c.  Private to remote/; one thread. */

#pragma once

#include "tsr-remote-error.h"
#include "tsr-ssh-session.h"
#include "tsr-ssh-socket.h"

G_BEGIN_DECLS

typedef struct
{
  const TsrSshHost *host;
  guint hop, n_hops; /* from 1 */
  char *who;         /* "user@host:port", by its alias */
  TsrAsker *asker;
  GHashTable *login_secrets; /* passphrases by "passphrase:FILE", until the chain is there */
  TsrSshStepFunc step;
  gpointer step_data;
  GCancellable *cancellable;
  ssh_session session;
  char *fingerprint;  /* of the host key, once that is checked */
  GError *unasked;    /* (nullable): the first question that nobody may be asked */
  GString *tried;     /* for the error if everything failed */
  guint n_refused;    /* answers that the server has refused */
  guint n_agent_keys; /* that it was offered */
  gboolean was_wrong; /* the last answer, and nothing was asked since */
  gint64 waits_until; /* monotonic deadline for the server's answer; 0: none */
} TsrSshLogin;

/* Sets an error of @code whose text begins with the hop's name (and its number, if there are
 * several). */
void tsr_ssh_login_set_error (TsrSshLogin *self,
                              GError **error,
                              TsrRemoteError code,
                              const char *format,
                              ...) G_GNUC_PRINTF (4, 5);
/* After libssh failed: G_IO_ERROR_CANCELLED, or what libssh says. Always FALSE. */
gboolean tsr_ssh_login_fail (TsrSshLogin *self, const char *doing, GError **error);
/* Adds to what was tried. */
void tsr_ssh_login_note (TsrSshLogin *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void tsr_ssh_login_say (TsrSshLogin *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* After a call of ssh_userauth_*: TRUE if it must be called again because the answer has not
 * arrived. */
gboolean tsr_ssh_login_goes_on (TsrSshLogin *self, int result);

/* Does the handshake over the session's socket, which @guard holds as well; reports a peer that is
 * not an ssh server. */
gboolean
tsr_ssh_greet (TsrSshLogin *self, const TsrSshGuard *guard, guint timeout_s, GError **error);

/* Before the key exchange: requests a host key of a known type first. */
void tsr_ssh_order_host_keys (TsrSshLogin *self);
/* After it: checks that the server's key is known, or was accepted by the user. */
gboolean tsr_ssh_check_host_key (TsrSshLogin *self, GError **error);

gboolean tsr_ssh_authenticate (TsrSshLogin *self, GError **error);

typedef enum
{
  TSR_SSH_ANSWERED,
  TSR_SSH_UNASKED, /* nobody may be asked: another way may work */
  TSR_SSH_GAVE_UP, /* @error is set */
} TsrSshAnswer;

/* Asks @question, in which kind, texts and attempt are filled in. */
TsrSshAnswer
tsr_ssh_ask (TsrSshLogin *self, TsrQuestion *question, TsrSecret **answers, GError **error);

/* Tries the agent's keys and the key files: an ssh_auth_e; SSH_AUTH_ERROR with @error. */
typedef struct _TsrSshKeys TsrSshKeys;
TsrSshKeys *tsr_ssh_keys_new (TsrSshLogin *login);
void tsr_ssh_keys_free (TsrSshKeys *self);
int tsr_ssh_keys_try (TsrSshKeys *self, GError **error);

G_END_DECLS
