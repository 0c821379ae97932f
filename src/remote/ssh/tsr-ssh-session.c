/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chain of hops.  Each hop is connected, its key checked and the user logged in before the next
 * one is tried, so that an error or a question always names the hop that it is about. */

#include "config.h"

#include "tsr-ssh-session.h"

#include "tsr-ssh-login.h"
#include "tsr-ssh-pump.h"
#include "tsr-ssh-algorithms.h"
#include "tsr-ssh-clean.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#define CONNECT_TIMEOUT_S 15
/* libssh may wait for a socket that it has closed itself, when a server hangs up in the middle of
 * a login: neither the end nor a cancel would be seen, so it waits in turns. */
#define TURN_S           1
#define ALIVE_INTERVAL_S 15

/* One hop of a chain that stands. */
typedef struct
{
  TsrSshPump *pump; /* (nullable): the last hop has none */
  TsrSshGuard guard;
} Link;

static void
link_free (gpointer data)
{
  Link *self = data;

  tsr_ssh_pump_free (self->pump);
  tsr_ssh_guard_clear (&self->guard);
  g_free (self);
}

static void
set_timeout (TsrSshLogin *self, long seconds)
{
  ssh_options_set (self->session, SSH_OPTIONS_TIMEOUT, &seconds);
}

/* FALSE: a list without anything that libssh knows.  One that adds to the usual ones, or takes
 * away, is left out where libssh (0.10) cannot read it: the usual ones do. */
static gboolean
set_list (TsrSshLogin *self, enum ssh_options_e option, const char *list)
{
  return !list || ssh_options_set (self->session, option, list) == SSH_OK
         || tsr_ssh_algorithms_are_relative (list);
}

/* "+ssh-rsa" stands in many a file, for old servers. */
static gboolean
set_pubkey_list (TsrSshLogin *self, const char *told)
{
  static const char *const usual[] = { "ssh-ed25519-cert-v01@openssh.com",
                                       "ecdsa-sha2-nistp256-cert-v01@openssh.com",
                                       "ecdsa-sha2-nistp384-cert-v01@openssh.com",
                                       "ecdsa-sha2-nistp521-cert-v01@openssh.com",
                                       "rsa-sha2-512-cert-v01@openssh.com",
                                       "rsa-sha2-256-cert-v01@openssh.com",
                                       "ssh-ed25519",
                                       "ecdsa-sha2-nistp256",
                                       "ecdsa-sha2-nistp384",
                                       "ecdsa-sha2-nistp521",
                                       "sk-ssh-ed25519@openssh.com",
                                       "sk-ecdsa-sha2-nistp256@openssh.com",
                                       "rsa-sha2-512",
                                       "rsa-sha2-256",
                                       NULL };
  g_auto (GStrv) merged = NULL;
  g_autofree char *list = NULL;

  if (!told)
    return TRUE;
  merged = tsr_ssh_algorithms_merge (told, usual);
  list = g_strjoinv (",", merged);
  return ssh_options_set (self->session, SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES, list) == SSH_OK;
}

/* What libssh would read, guess or run by itself is switched off. */
static gboolean
prepare (TsrSshLogin *self, int fd, GError **error)
{
  const TsrSshHost *host = self->host;
  gboolean off = FALSE;
  int port = (int)host->port;
  gboolean ok;

  self->session = ssh_new ();
  if (self->session == NULL)
    {
      tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_NETWORK, "libssh");
      return FALSE;
    }
  ssh_options_set (self->session, SSH_OPTIONS_PROCESS_CONFIG, &off);
  /* If libssh rejects the name, any other will do: the socket is connected already. */
  if (ssh_options_set (self->session, SSH_OPTIONS_HOST,
                       host->host_key_alias != NULL ? host->host_key_alias : host->host_name)
      != SSH_OK)
    ssh_options_set (self->session, SSH_OPTIONS_HOST, "target");
  ssh_options_set (self->session, SSH_OPTIONS_PORT, &port);
  ssh_options_set (self->session, SSH_OPTIONS_KNOWNHOSTS, "/dev/null");
  ssh_options_set (self->session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
  ok = ssh_options_set (self->session, SSH_OPTIONS_USER, host->user) == SSH_OK
       && ssh_options_set (self->session, SSH_OPTIONS_FD, &fd) == SSH_OK;
  ok = ok && set_list (self, SSH_OPTIONS_KEY_EXCHANGE, host->kex_algorithms)
       && set_list (self, SSH_OPTIONS_CIPHERS_C_S, host->ciphers)
       && set_list (self, SSH_OPTIONS_CIPHERS_S_C, host->ciphers)
       && set_list (self, SSH_OPTIONS_HMAC_C_S, host->macs)
       && set_list (self, SSH_OPTIONS_HMAC_S_C, host->macs)
       && set_pubkey_list (self, host->pubkey_algorithms);
  if (!ok)
    tsr_ssh_login_set_error (self, error, TSR_REMOTE_ERROR_CONFIG,
                             _ ("the user name, or a list of ciphers or keys in ssh_config, "
                                "cannot be used (%s)"),
                             ssh_get_error (self->session));
  return ok;
}

static guint
connect_timeout (const TsrSshHost *host)
{
  return host->connect_timeout_s > 0 ? host->connect_timeout_s : CONNECT_TIMEOUT_S;
}

/* Shakes hands over @fd (taken), checks the host's key and logs in. */
static gboolean
open_session (TsrSshLogin *self, int fd, TsrSshGuard *guard, GError **error)
{
  gboolean ok;

  tsr_ssh_guard_init (guard, fd, self->cancellable);
  if (!prepare (self, fd, error))
    {
      close (fd);
      return FALSE;
    }
  tsr_ssh_order_host_keys (self);
  tsr_ssh_login_say (self, _ ("waiting for %s"), self->who);
  set_timeout (self, (long)connect_timeout (self->host));
  ok = tsr_ssh_greet (self, guard, connect_timeout (self->host), error)
       && tsr_ssh_check_host_key (self, error);
  if (ok)
    {
      set_timeout (self, TURN_S);
      ok = tsr_ssh_authenticate (self, error);
    }
  if (ok && g_cancellable_set_error_if_cancelled (self->cancellable, error))
    ok = FALSE;
  if (ok)
    set_timeout (self, (long)connect_timeout (self->host));
  return ok;
}

static int
connect_first (TsrSshLogin *self, GError **error)
{
  const TsrSshHost *host = self->host;
  guint silence = (host->alive_interval_s > 0 ? host->alive_interval_s : ALIVE_INTERVAL_S)
                  * MAX (host->alive_count, 1);

  tsr_ssh_login_say (self, _ ("connecting to %s"), self->who);
  return tsr_ssh_socket_connect (self->who, host->host_name, host->port, host->address_family,
                                 connect_timeout (host), silence, self->cancellable, error);
}

static char *
dup_who (const TsrSshHost *host)
{
  gboolean v6 = strchr (host->alias, ':') != NULL;

  return g_strdup_printf ("%s@%s%s%s:%u", host->user, v6 ? "[" : "", host->alias, v6 ? "]" : "",
                          host->port);
}

static void
login_clear (TsrSshLogin *self)
{
  if (self->session != NULL)
    {
      ssh_silent_disconnect (self->session);
      ssh_free (self->session);
    }
  g_free (self->who);
  g_free (self->fingerprint);
  g_clear_error (&self->unasked);
  g_string_free (self->tried, TRUE);
}

/* One hop, over @fd (-1: a socket of its own); @next_fd: the way on, unless it is the last. */
static gboolean
add_hop (TsrSshChain *chain,
         TsrSshLogin *login,
         const TsrSshHost *next,
         int fd,
         int *next_fd,
         GError **error)
{
  Link *link = g_new0 (Link, 1);

  link->guard.fd = -1;
  g_ptr_array_add (chain->hops, link);
  if (fd < 0)
    fd = connect_first (login, error);
  if (fd < 0 || !open_session (login, fd, &link->guard, error))
    return FALSE;
  if (next != NULL)
    {
      link->pump = tsr_ssh_pump_start (login, next, next_fd, error);
      return link->pump != NULL;
    }
  chain->session = g_steal_pointer (&login->session);
  chain->host_key = g_steal_pointer (&login->fingerprint);
  chain->fd = ssh_get_fd (chain->session);
  return TRUE;
}

TsrSshChain *
tsr_ssh_chain_connect (GPtrArray *hosts,
                       TsrAsker *asker,
                       TsrSshStepFunc step,
                       gpointer data,
                       GCancellable *cancellable,
                       GError **error)
{
  /* One passphrase serves the hops that take the same key; none outlives the login. */
  g_autoptr (GHashTable) login_secrets
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)tsr_secret_unref);
  TsrSshChain *chain;
  gboolean ok = TRUE;
  int fd = -1;

  g_return_val_if_fail (hosts != NULL && hosts->len > 0, NULL);
  ssh_init ();
  chain = g_new0 (TsrSshChain, 1);
  chain->hops = g_ptr_array_new_with_free_func (link_free);
  for (guint i = 0; i < hosts->len && ok; i++)
    {
      TsrSshLogin login = { .host = hosts->pdata[i],
                            .hop = i + 1,
                            .n_hops = hosts->len,
                            .who = dup_who (hosts->pdata[i]),
                            .asker = asker,
                            .login_secrets = login_secrets,
                            .step = step,
                            .step_data = data,
                            .cancellable = cancellable,
                            .tried = g_string_new (NULL) };
      int next_fd = -1;

      ok = !g_cancellable_set_error_if_cancelled (cancellable, error);
      if (ok)
        ok = add_hop (chain, &login, i + 1 < hosts->len ? hosts->pdata[i + 1] : NULL, fd, &next_fd,
                      error);
      else
        close (fd);
      fd = next_fd;
      login_clear (&login);
    }
  if (!ok)
    {
      tsr_ssh_chain_free (chain);
      return NULL;
    }
  for (guint i = 0; i < chain->hops->len; i++)
    tsr_ssh_guard_disarm (&((Link *)chain->hops->pdata[i])->guard);
  return chain;
}

void
tsr_ssh_chain_free (TsrSshChain *chain)
{
  if (chain == NULL)
    return;
  if (chain->session != NULL)
    {
      ssh_silent_disconnect (chain->session);
      ssh_free (chain->session);
    }
  /* From the target back to here: each one's way leads over those before it. */
  while (chain->hops->len > 0)
    g_ptr_array_remove_index (chain->hops, chain->hops->len - 1);
  g_ptr_array_unref (chain->hops);
  g_free (chain->host_key);
  g_free (chain);
}
