/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets up worlds, hosts and logins for tests. */

#include "config.h"

#include "remote-test.h"

#include <fcntl.h>
#include <unistd.h>

gboolean
remote_test_set_up (RemoteTest *self)
{
  self->world = ssh_world_new ();
  self->asker = script_asker_new ();
  self->steps = g_string_new (NULL);
  self->cancellable = g_cancellable_new ();
  return self->world != NULL;
}

void
remote_test_clear (RemoteTest *self)
{
  g_clear_pointer (&self->world, ssh_world_free);
  g_clear_object (&self->asker);
  g_string_free (self->steps, TRUE);
  g_clear_object (&self->cancellable);
}

static void
step_cb (const char *text, gpointer data)
{
  g_string_append_printf (data, "%s\n", text);
}

TsrSshChain *
remote_test_connect (RemoteTest *self, GPtrArray *hosts, TsrAsker *asker, GError **error)
{
  g_autoptr (GPtrArray) owned = hosts;
  TsrSshChain *chain
      = tsr_ssh_chain_connect (owned, asker != NULL ? asker : TSR_ASKER (self->asker), step_cb,
                               self->steps, self->cancellable, error);

  /* Nobody else's file is closed. */
  g_assert_cmpint (fcntl (STDIN_FILENO, F_GETFD), !=, -1);
  return chain;
}

void
remote_test_check_asked (RemoteTest *self, SshServer *server, const char *expected)
{
  g_autofree char *log = script_asker_dup_log (self->asker);
  g_autofree char *port = g_strdup_printf (":%u", ssh_server_get_port (server));
  g_autoptr (GString) text = g_string_new (log);

  g_string_replace (text, port, ":PORT", 0);
  g_assert_cmpstr (text->str, ==, expected);
}

TsrSshHost *
test_host_new (SshWorld *world, SshServer *server, const char *alias, const char *key)
{
  TsrSshHost *host = g_new0 (TsrSshHost, 1);
  const char *known[] = { ssh_world_get_known_hosts (world), NULL };
  const char *none[] = { NULL }, *keys[] = { key, NULL };

  host->alias = g_strdup (alias);
  host->host_name = g_strdup ("127.0.0.1");
  host->user = g_strdup (SSH_USER);
  host->port = ssh_server_get_port (server);
  host->identity_files = g_strdupv ((char **)keys);
  host->certificate_files = g_strdupv ((char **)none);
  host->identities_told = TRUE;
  host->identities_only = TRUE;
  host->identity_agent = g_strdup ("");
  host->known_hosts = g_strdupv ((char **)known);
  host->global_known_hosts = g_strdupv ((char **)none);
  host->strict = TSR_STRICT_ASK;
  host->pubkey = host->password = host->keyboard_interactive = TRUE;
  host->n_password_prompts = 3;
  host->alive_count = 3;
  return host;
}

GPtrArray *
test_hosts_new (TsrSshHost *first, ...)
{
  GPtrArray *hosts = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_ssh_host_free);
  va_list args;

  va_start (args, first);
  for (TsrSshHost *host = first; host; host = va_arg (args, TsrSshHost *))
    g_ptr_array_add (hosts, host);
  va_end (args);
  return hosts;
}
