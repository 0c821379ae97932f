/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Checks host keys itself instead of letting libssh do it: a revoked key wins, and a refusal names
 * both fingerprints, file and line. */

#include "config.h"

#include "tsr-ssh-login.h"

#include "tsr-ssh-algorithms.h"
#include "tsr-ssh-clean.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The name and port that known_hosts has it under. */
static char *
dup_known_name (const TsrSshHost *host, guint *port)
{
  *port = host->host_key_alias != NULL ? 22 : host->port;
  return g_ascii_strdown (host->host_key_alias != NULL ? host->host_key_alias : host->host_name,
                          -1);
}

static char **
dup_files (const TsrSshHost *host)
{
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();

  if (host->known_hosts != NULL)
    g_strv_builder_addv (files, (const char **)host->known_hosts);
  if (host->spare_known_hosts != NULL)
    g_strv_builder_add (files, host->spare_known_hosts);
  if (host->global_known_hosts != NULL)
    g_strv_builder_addv (files, (const char **)host->global_known_hosts);
  return g_strv_builder_end (files);
}

void
tsr_ssh_order_host_keys (TsrSshLogin *self)
{
  static const char *const usual[] = { "ssh-ed25519",
                                       "ecdsa-sha2-nistp256",
                                       "ecdsa-sha2-nistp384",
                                       "ecdsa-sha2-nistp521",
                                       "rsa-sha2-512",
                                       "rsa-sha2-256",
                                       NULL };
  const char *told = self->host->host_key_algorithms;
  g_auto (GStrv) files = dup_files (self->host);
  g_auto (GStrv) types = NULL, wanted = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GString) list = g_string_new (NULL);
  guint port;

  /* As OpenSSH: a list that is told as a whole has its own order. */
  if (told != NULL && !tsr_ssh_algorithms_are_relative (told))
    {
      ssh_options_set (self->session, SSH_OPTIONS_HOSTKEYS, told);
      return;
    }
  wanted = tsr_ssh_algorithms_merge (told, usual);
  name = dup_known_name (self->host, &port);
  types = tsr_known_hosts_dup_types ((const char *const *)files, name, port);
  for (guint known = 2; known-- > 0;)
    for (char **each = wanted; *each; each++)
      {
        const char *type = g_str_has_prefix (*each, "rsa-") ? "ssh-rsa" : *each;

        if ((types && g_strv_contains ((const char *const *)types, type)) == (known == 1))
          g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", *each);
      }
  ssh_options_set (self->session, SSH_OPTIONS_HOSTKEYS, list->str);
}

static GBytes *
dup_key (TsrSshLogin *self, char **type, GError **error)
{
  ssh_key key = NULL;
  char *text = NULL;
  guchar *blob = NULL;
  gsize length = 0;

  if (ssh_get_server_publickey (self->session, &key) == SSH_OK
      && ssh_pki_export_pubkey_base64 (key, &text) == SSH_OK)
    {
      *type = g_strdup (ssh_key_type_to_char (ssh_key_type (key)));
      blob = g_base64_decode (text, &length);
    }
  ssh_string_free_char (text);
  SSH_KEY_FREE (key);
  if (blob != NULL)
    return g_bytes_new_take (blob, length);
  tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_PROTOCOL,
                           _ ("the server's host key cannot be read"));
  return NULL;
}

/* An end of a tunnel on this machine, whose far end has no name of its own; behind a jump host the
 * address is that host's. */
static gboolean
is_tunnel (const TsrSshLogin *self)
{
  const TsrSshHost *host = self->host;

  return self->hop == 1 && host->host_key_alias == NULL && host->port != 22
         && (g_str_has_prefix (host->host_name, "127.") || strcmp (host->host_name, "::1") == 0
             || g_ascii_strcasecmp (host->host_name, "localhost") == 0);
}

static gboolean
refuse_other (TsrSshLogin *self, const TsrHostKeyVerdict *verdict, const char *type, GError **error)
{
  g_autofree char *known
      = g_strdup_printf ("%s %s", verdict->known_type != NULL ? verdict->known_type : "?",
                         verdict->known_fingerprint != NULL ? verdict->known_fingerprint : "?");
  g_autofree char *advice = NULL;

  if (is_tunnel (self))
    advice = g_strdup_printf (
        _ ("port %u of this machine is a tunnel, and one tunnel port that leads to different "
           "machines on different days has different keys: give each machine a host key alias "
           "(the alias field, or HostKeyAlias in ssh_config), or remove that line if the machine "
           "behind the tunnel has a new key"),
        self->host->port);
  else
    advice = g_strdup (
        _ ("somebody may be listening in, or the machine was installed anew: ask its "
           "administrator for the fingerprint, and remove that line only if it is the new one"));
  tsr_ssh_login_set_error (
      self, error, TSR_REMOTE_ERROR_HOST_KEY_CHANGED,
      verdict->state == TSR_HOST_KEY_OTHER
          ? _ ("the host key is not the one that is known: the server shows %s %s, but %s line %u "
               "has only a key of another type, %s; %s")
          : _ ("the host key has changed: the server shows %s %s, and %s line %u has %s; %s"),
      type, self->fingerprint, verdict->file != NULL ? verdict->file : "known_hosts", verdict->line,
      known, advice);
  return FALSE;
}

static void
write_down (TsrSshLogin *self, const char *name, guint port, const char *type, GBytes *key)
{
  const TsrSshHost *host = self->host;
  g_autoptr (GError) problem = NULL;

  if (host->known_hosts == NULL || host->known_hosts[0] == NULL)
    return;
  if (tsr_known_hosts_add (host->known_hosts[0], name, port, type, key, host->hash_known_hosts,
                           &problem)
      || (host->spare_known_hosts != NULL
          && tsr_known_hosts_add (host->spare_known_hosts, name, port, type, key,
                                  host->hash_known_hosts, NULL)))
    return;
  tsr_asker_tell (self->asker, self->who, problem->message);
}

/* A key that no line speaks of: taken, written down, asked about or refused. */
static gboolean
decide_unknown (
    TsrSshLogin *self, const char *name, guint port, const char *type, GBytes *key, GError **error)
{
  const TsrSshHost *host = self->host;
  TsrHostKeyQuestion question = { .who = self->who,
                                  .hop = self->hop,
                                  .n_hops = self->n_hops,
                                  .name = name,
                                  .port = port,
                                  .type = type,
                                  .fingerprint = self->fingerprint,
                                  .file = host->known_hosts != NULL ? host->known_hosts[0] : NULL,
                                  .is_tunnel = is_tunnel (self) };
  TsrHostKeyAnswer answer = TSR_HOST_KEY_NO;

  if (host->strict == TSR_STRICT_ACCEPT_NEW || host->strict == TSR_STRICT_NO)
    answer = TSR_HOST_KEY_SAVE;
  else if (host->strict == TSR_STRICT_ASK)
    answer = tsr_asker_ask_host_key (self->asker, &question, self->cancellable);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (answer == TSR_HOST_KEY_NO)
    {
      tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN,
                               _ ("its host key %s %s is not known, and was not accepted; compare "
                                  "it with what the machine's administrator says"),
                               type, self->fingerprint);
      return FALSE;
    }
  if (answer == TSR_HOST_KEY_SAVE)
    write_down (self, name, port, type, key);
  return TRUE;
}

gboolean
tsr_ssh_check_host_key (TsrSshLogin *self, GError **error)
{
  g_auto (GStrv) files = dup_files (self->host);
  g_autofree char *type = NULL, *name = NULL;
  g_autoptr (GBytes) key = dup_key (self, &type, error);
  TsrHostKeyVerdict verdict = { 0 };
  gboolean ok = FALSE;
  guint port;

  if (key == NULL)
    return FALSE;
  self->fingerprint = tsr_host_key_fingerprint (key);
  name = dup_known_name (self->host, &port);
  tsr_known_hosts_check ((const char *const *)files, name, port, type, key, NULL, &verdict);
  switch (verdict.state)
    {
    case TSR_HOST_KEY_OK:
      ok = TRUE;
      break;
    case TSR_HOST_KEY_UNKNOWN:
    case TSR_HOST_KEY_NO_FILE:
      ok = decide_unknown (self, name, port, type, key, error);
      break;
    case TSR_HOST_KEY_CHANGED:
    case TSR_HOST_KEY_OTHER:
      ok = refuse_other (self, &verdict, type, error);
      break;
    case TSR_HOST_KEY_REVOKED:
      tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_HOST_KEY_REVOKED,
                               _ ("its host key %s %s is marked as revoked in %s line %u: do not "
                                  "connect; ask the machine's administrator"),
                               type, self->fingerprint,
                               verdict.file != NULL ? verdict.file : "known_hosts", verdict.line);
      break;
    case TSR_HOST_KEY_ERROR:
    default:
      tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_CONFIG,
                               _ ("its host key cannot be checked: %s; correct the file, or name "
                                  "another one in ssh_config (UserKnownHostsFile)"),
                               verdict.error != NULL  ? verdict.error->message
                               : verdict.file != NULL ? verdict.file
                                                      : "known_hosts");
      break;
    }
  tsr_host_key_verdict_clear (&verdict);
  return ok;
}
