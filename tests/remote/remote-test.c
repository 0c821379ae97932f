/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "remote-test.h"

G_DEFINE_FINAL_TYPE (TestAsker, test_asker, TSR_TYPE_ASKER)

static void
wait_cancelled (GCancellable *cancellable)
{
  GPollFD fd;

  if (g_cancellable_make_pollfd (cancellable, &fd))
    {
      g_poll (&fd, 1, 20000);
      g_cancellable_release_fd (cancellable);
    }
}

static TsrHostKeyAnswer
ask_host_key (TsrAsker *asker, const TsrHostKeyQuestion *question, GCancellable *cancellable)
{
  TestAsker *self = TEST_ASKER (asker);

  g_mutex_lock (&self->mutex);
  g_string_append_printf (self->log, "key %u/%u %s %u %s %s\n", question->hop, question->n_hops,
                          question->name, question->port, question->type, question->fingerprint);
  g_mutex_unlock (&self->mutex);
  g_atomic_int_inc (&self->n_asked);
  if (self->waits)
    wait_cancelled (cancellable);
  return self->keys;
}

static gboolean
ask (TsrAsker *asker,
     const TsrQuestion *question,
     TsrSecret **answers,
     GCancellable *cancellable,
     GError **error)
{
  static const char *const kinds[] = { "password", "passphrase", "interactive" };
  TestAsker *self = TEST_ASKER (asker);
  gboolean ok = TRUE;

  g_atomic_int_inc (&self->n_asked);
  if (self->waits)
    wait_cancelled (cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  g_mutex_lock (&self->mutex);
  g_string_append_printf (self->log, "%s %u/%u #%u", kinds[question->kind], question->hop,
                          question->n_hops, question->attempt);
  for (guint i = 0; i < question->n_prompts; i++)
    g_string_append_printf (self->log, " [%s%s]", question->prompts[i].text,
                            question->prompts[i].echo ? " +echo" : "");
  g_string_append_c (self->log, '\n');
  ok = g_queue_get_length (&self->answers) >= question->n_prompts;
  for (guint i = 0; i < question->n_prompts && ok; i++)
    {
      g_autofree char *text = g_queue_pop_head (&self->answers);

      answers[i] = tsr_secret_new (text);
    }
  g_mutex_unlock (&self->mutex);
  if (!ok)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "no answer left");
  return ok;
}

static void
tell (TsrAsker *asker, const char *who, const char *text)
{
  TestAsker *self = TEST_ASKER (asker);

  g_mutex_lock (&self->mutex);
  g_string_append_printf (self->log, "told %s\n", text);
  g_mutex_unlock (&self->mutex);
}

static void
test_asker_finalize (GObject *object)
{
  TestAsker *self = TEST_ASKER (object);

  g_string_free (self->log, TRUE);
  g_queue_clear_full (&self->answers, g_free);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (test_asker_parent_class)->finalize (object);
}

static void
test_asker_class_init (TestAskerClass *klass)
{
  TSR_ASKER_CLASS (klass)->ask_host_key = ask_host_key;
  TSR_ASKER_CLASS (klass)->ask = ask;
  TSR_ASKER_CLASS (klass)->tell = tell;
  G_OBJECT_CLASS (klass)->finalize = test_asker_finalize;
}

static void
test_asker_init (TestAsker *self)
{
  g_mutex_init (&self->mutex);
  self->log = g_string_new (NULL);
  g_queue_init (&self->answers);
}

TestAsker *
test_asker_new (void)
{
  return g_object_new (TEST_TYPE_ASKER, NULL);
}

void
test_asker_answer (TestAsker *self, const char *text)
{
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->answers, g_strdup (text));
  g_mutex_unlock (&self->mutex);
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
