/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Logging in where a server asks: passwords, keyboard-interactive in rounds, one-time codes,
 * several methods in turn, on each of several hops; what is asked, in which words, how often, and
 * what the server saw. */

#include "config.h"

#include "remote-test.h"
#include "tsr-remote-error.h"
#include "tsr-test.h"

#include <string.h>

/* To one server, known, with the key ED25519. */
static TsrSshChain *
try_server (RemoteTest *f, SshServer *server, GError **error)
{
  return remote_test_connect (
      f,
      test_hosts_new (
          test_host_new (f->world, server, "t", ssh_world_get_key (f->world, SSH_KEY_ED25519)),
          NULL),
      NULL, error);
}

static void
log_in (RemoteTest *f, SshServer *server)
{
  g_autoptr (GError) error = NULL;
  TsrSshChain *chain = try_server (f, server, &error);

  g_assert_no_error (error);
  g_assert_nonnull (chain);
  tsr_ssh_chain_free (chain);
  g_assert_cmpuint (script_asker_get_n_left (f->asker), ==, 0);
}

static void
fail (RemoteTest *f, SshServer *server, GQuark domain, int code, const char *part)
{
  g_autoptr (GError) error = NULL;
  TsrSshChain *chain = try_server (f, server, &error);

  g_assert_null (chain);
  g_assert_error (error, domain, code);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (strstr (error->message, part) == NULL)
    g_error ("no \"%s\" in: %s", part, error->message);
  g_assert_cmpuint (script_asker_get_n_left (f->asker), ==, 0);
}

static void
check_seen (SshServer *server, const char *expected)
{
  g_autofree char *log = ssh_server_dup_log (server);

  g_assert_cmpstr (log, ==, expected);
}

static void
test_password (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password", "--password=geheim", NULL);
  ssh_world_know (f.world, server, NULL);
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, "tester@t", "falsch");
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, "tester@t", "");
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, "tester@t", "geheim");
  log_in (&f, server);
  remote_test_check_asked (&f, server,
                           "password tester@t:PORT 1/1 attempt 1: Password of tester@t:PORT\n"
                           "password tester@t:PORT 1/1 attempt 2: Password of tester@t:PORT\n"
                           "password tester@t:PORT 1/1 attempt 3: Password of tester@t:PORT\n");
  /* The method is offered alone, so no key was tried. */
  check_seen (server, "none as tester\npassword wrong\npassword wrong\npassword right\n");
  /* Nothing is kept: another login asks again. */
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, "tester@t", "geheim");
  log_in (&f, server);
  remote_test_check_asked (&f, server,
                           "password tester@t:PORT 1/1 attempt 1: Password of tester@t:PORT\n");
  for (int i = 0; i < 3; i++)
    script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "falsch");
  fail (&f, server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH, "3 wrong passwords");
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, NULL);
  fail (&f, server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNANSWERED, "not answered");
}

/* Who gives up is not asked in another way. */
static void
test_gives_up (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password,keyboard-interactive",
                                  "--password=geheim", "--round=||Code: =1", NULL);
  ssh_world_know (f.world, server, NULL);
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, NULL);
  fail (&f, server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNANSWERED, "not answered");
  remote_test_check_asked (&f, server,
                           "interactive tester@t:PORT 1/1 attempt 1 \"\" \"\": Code:\n");
  /* What comes after it: all answers of it were wrong. */
  for (guint i = 0; i < 3; i++)
    script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "2");
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, NULL);
  fail (&f, server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNANSWERED, "not answered");
}

/* Several prompts, shown and hidden, several rounds, rounds without a prompt. */
static void
test_rounds (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (
      f.world, "--step=keyboard-interactive",
      "--round=Token|Look at your token|+Code: =111111|PIN: =1234", "--round=|Wait for the next",
      "--round=||+Name of your pet? =Möhre|Again: =|Third: =3", "--round=Well done|", NULL);
  ssh_world_know (f.world, server, NULL);
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, "tester@t", "111111\n1234");
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, "tester@t", "Möhre\n\n3");
  log_in (&f, server);
  remote_test_check_asked (
      &f, server,
      "interactive tester@t:PORT 1/1 attempt 1 \"Token\" \"Look at your token\":"
      " Code: (shown), PIN:\n"
      "tell tester@t:PORT: Wait for the next\n"
      "interactive tester@t:PORT 1/1 attempt 1 \"\" \"\":"
      " Name of your pet? (shown), Again:, Third:\n");
  check_seen (server, "none as tester\ninteractive begins\n"
                      "interactive round 1 right\ninteractive round 2 right\n"
                      "interactive round 3 right\ninteractive round 4 right\n");
}

/* Where nothing is asked nothing was answered: it is not tried again. */
static void
test_rounds_unasked (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=keyboard-interactive",
                                  "--round=!|Nobody comes in today", NULL);
  ssh_world_know (f.world, server, NULL);
  fail (&f, server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH, "");
  remote_test_check_asked (&f, server, "tell tester@t:PORT: Nobody comes in today\n");
  check_seen (server, "none as tester\ninteractive begins\ninteractive round 1 wrong\n");
}

/* Only the question that follows a wrong answer is another attempt. */
static void
test_rounds_again (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=keyboard-interactive", "--round=||Name=1",
                                  "--round=||Code=2", NULL);
  ssh_world_know (f.world, server, NULL);
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "0");
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "2");
  log_in (&f, server);
  remote_test_check_asked (&f, server,
                           "interactive tester@t:PORT 1/1 attempt 1 \"\" \"\": Name\n"
                           "interactive tester@t:PORT 1/1 attempt 1 \"\" \"\": Code\n"
                           "interactive tester@t:PORT 1/1 attempt 2 \"\" \"\": Name\n"
                           "interactive tester@t:PORT 1/1 attempt 1 \"\" \"\": Code\n");
}

/* A code works once: never kept, asked for again each time, and again when it was wrong. */
static void
test_codes (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autofree char *option = NULL;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  tsr_test_write (ssh_world_get_folder (f.world), "codes", "111\n222\n333\n", -1);
  option = g_strdup_printf ("--codes=%s/codes", ssh_world_get_folder (f.world));
  server = ssh_authenticator_new (f.world, "--step=keyboard-interactive", option,
                                  "--round=||Code=@code", NULL);
  ssh_world_know (f.world, server, NULL);
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "111");
  log_in (&f, server);
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "111"); /* used up */
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "222");
  log_in (&f, server);
  remote_test_check_asked (&f, server,
                           "interactive tester@t:PORT 1/1 attempt 1 \"\" \"\": Code\n"
                           "interactive tester@t:PORT 1/1 attempt 1 \"\" \"\": Code\n"
                           "interactive tester@t:PORT 1/1 attempt 2 \"\" \"\": Code\n");
}

/* Each step must succeed; after a wrong answer the same step is asked for again. */
static void
test_steps (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=publickey", "--step=keyboard-interactive",
                                  "--step=password", "--round=||Code=1", "--password=geheim", NULL);
  ssh_world_know (f.world, server, NULL);
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "2");
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "geheim");
  log_in (&f, server);
  check_seen (server, "none as tester\npublickey offered taken\npublickey signed taken\n"
                      "interactive begins\ninteractive round 1 wrong\n"
                      "interactive begins\ninteractive round 1 right\npassword right\n");
}

/* One after the other by the methods that are offered, as OpenSSH orders them. */
static void
test_order (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (GError) error = NULL;
  TsrSshChain *chain;
  TsrSshHost *host;
  g_autofree char *log = NULL;
  SshServer *server;
  const char *const preferred[] = { "password", "keyboard-interactive", NULL };

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password,keyboard-interactive,publickey",
                                  "--max-tries=20", "--round=||Code=1", "--password=geheim", NULL);
  ssh_world_know (f.world, server, NULL);
  host = test_host_new (f.world, server, "t", ssh_world_get_key (f.world, SSH_KEY_STRANGER));
  for (int i = 0; i < 3; i++)
    script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "0");
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "geheim");
  chain = remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error);
  g_assert_no_error (error);
  tsr_ssh_chain_free (chain);
  check_seen (server, "none as tester\npublickey offered refused\n"
                      "interactive begins\ninteractive round 1 wrong\n"
                      "interactive begins\ninteractive round 1 wrong\n"
                      "interactive begins\ninteractive round 1 wrong\npassword right\n");
  remote_test_check_asked (
      &f, server,
      "interactive tester@t:PORT 1/1 attempt 1 \"\" \"\": Code\n"
      "interactive tester@t:PORT 1/1 attempt 2 \"\" \"\": Code\n"
      "interactive tester@t:PORT 1/1 attempt 3 \"\" \"\": Code\n"
      "password tester@t:PORT 1/1 attempt 1 after another: Password of tester@t:PORT\n");
  /* PreferredAuthentications leaves the key out and turns the others round. */
  host = test_host_new (f.world, server, "t", ssh_world_get_key (f.world, SSH_KEY_ED25519));
  host->preferred = g_strdupv ((char **)preferred);
  host->n_password_prompts = 1;
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "falsch");
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  chain = remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error);
  g_assert_no_error (error);
  tsr_ssh_chain_free (chain);
  g_assert_cmpuint (script_asker_get_n_left (f.asker), ==, 0);
  remote_test_check_asked (
      &f, server,
      "password tester@t:PORT 1/1 attempt 1: Password of tester@t:PORT\n"
      "interactive tester@t:PORT 1/1 attempt 1 after another \"\" \"\": Code\n");
  /* A key that could not be unlocked. */
  host = test_host_new (f.world, server, "t", ssh_world_get_key (f.world, SSH_KEY_ENCRYPTED));
  for (int i = 0; i < 3; i++)
    script_asker_expect (f.asker, TSR_QUESTION_PASSPHRASE, NULL, "wrong");
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  chain = remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error);
  g_assert_no_error (error);
  tsr_ssh_chain_free (chain);
  log = script_asker_dup_log (f.asker);
  g_assert_nonnull (strstr (log, "interactive tester@t"));
  g_assert_nonnull (strstr (strstr (log, "interactive tester@t"), "attempt 1 after another"));
}

/* How often it was answered in vain is said. */
static void
test_in_vain (void)
{
  static const char *const said[]
      = { "1 wrong answer to its questions", "2 wrong answers to its questions" };
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=keyboard-interactive", "--round=||Code=1", NULL);
  ssh_world_know (f.world, server, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      TsrSshHost *host = test_host_new (f.world, server, "t", NULL);
      g_autoptr (GError) error = NULL;

      host->n_password_prompts = i + 1;
      for (guint k = 0; k <= i; k++)
        script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "2");
      g_assert_null (remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error));
      g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH);
      g_assert_nonnull (strstr (error->message, said[i]));
    }
}

#define STEP "--step=keyboard-interactive"

/* A step that is passed, and one that is not; a server that never has enough. */
static void
test_half_in (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (GError) error = NULL;
  TsrSshHost *host;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password", "--step=keyboard-interactive",
                                  "--password=geheim", "--round=||Code=1", NULL);
  ssh_world_know (f.world, server, NULL);
  host = test_host_new (f.world, server, "t", NULL);
  host->n_password_prompts = 1;
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "geheim");
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "2");
  g_assert_null (remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH);
  g_assert_nonnull (strstr (error->message, "the server wants more before it lets tester in; it "
                                            "takes: keyboard-interactive; tried: "));
  g_clear_error (&error);
  server = ssh_authenticator_new (f.world, STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP,
                                  STEP, "--round=||Code=1", NULL);
  ssh_world_know (f.world, server, NULL);
  for (guint i = 0; i < 9; i++)
    script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  host = test_host_new (f.world, server, "t", NULL);
  g_assert_null (remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH);
  g_assert_cmpuint (script_asker_get_n_left (f.asker), ==, 0);
}

/* The same method for each of two steps. */
static void
test_twice (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (GError) error = NULL;
  TsrSshChain *chain;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=keyboard-interactive",
                                  "--step=keyboard-interactive", "--round=||Code=1", NULL);
  ssh_world_know (f.world, server, NULL);
  for (int i = 0; i < 2; i++)
    script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "1");
  chain = remote_test_connect (
      &f, test_hosts_new (test_host_new (f.world, server, "t", NULL), NULL), NULL, &error);
  g_assert_no_error (error);
  tsr_ssh_chain_free (chain);
  g_assert_cmpuint (script_asker_get_n_left (f.asker), ==, 0);
}

/* A one-time code on each of three hops; who asks is said each time. */
static void
test_hops (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (GPtrArray) hosts = test_hosts_new (NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *log = NULL;
  TsrSshChain *chain;
  SshServer *servers[3];

  if (!remote_test_set_up (&f))
    return;
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *round = g_strdup_printf ("--round=Hop %u||Code=%u", i, i);
      g_autofree char *alias = g_strdup_printf ("hop%u", i);
      g_autofree char *number = g_strdup_printf ("%u", i);

      servers[i] = ssh_authenticator_new (f.world, "--step=keyboard-interactive", round, NULL);
      ssh_world_know (f.world, servers[i], NULL);
      g_ptr_array_add (hosts, test_host_new (f.world, servers[i], alias, NULL));
      script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, alias, number);
    }
  chain = remote_test_connect (&f, g_steal_pointer (&hosts), NULL, &error);
  g_assert_no_error (error);
  tsr_ssh_chain_free (chain);
  log = script_asker_dup_log (f.asker);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *line
          = g_strdup_printf ("interactive tester@hop%u:%u %u/3 attempt 1 \"Hop %u\"", i,
                             ssh_server_get_port (servers[i]), i + 1, i);

      g_assert_nonnull (strstr (log, line));
    }
}

/* What a server says is shown without what could deceive: escape sequences, line breaks in a
 * prompt, directions of writing, bytes that are no text; and not without end. */
static void
test_words (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autofree char *endless = g_strnfill (20000, 'x');
  g_autofree char *round
      = g_strdup_printf ("--round=na\033[31mme|in\x07str|pro\nmpt\xe2\x80\xae=1|%s=2", endless);
  g_autofree char *log = NULL;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=keyboard-interactive", round,
                                  "--banner=Be\033]0;warned\007\nline two", NULL);
  ssh_world_know (f.world, server, NULL);
  script_asker_expect (f.asker, TSR_QUESTION_INTERACTIVE, NULL, "1\n2");
  log_in (&f, server);
  log = script_asker_dup_log (f.asker);
  g_assert_true (g_utf8_validate (log, -1, NULL));
  for (const char *p = log; *p != '\0'; p++)
    g_assert_false ((guchar)*p < 32 && *p != '\n');
  g_assert_null (strstr (log, "\xe2\x80\xae"));
  g_assert_nonnull (strstr (log, "line two"));
  g_assert_cmpuint (strlen (log), <, 8000);
}

/* Methods that nobody here has, or others than those that it takes. */
static void
test_odd_methods (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password", "--offer=hostbased,gssapi-with-mic",
                                  NULL);
  ssh_world_know (f.world, server, NULL);
  fail (&f, server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH,
        "it takes: hostbased, gssapi-with-mic; tried: nothing;");
  /* It offers what it never takes. */
  server
      = ssh_authenticator_new (f.world, "--step=hostbased", "--offer=keyboard-interactive", NULL);
  ssh_world_know (f.world, server, NULL);
  fail (&f, server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH,
        "it takes: keyboard-interactive; tried: nothing;");
}

/* With a message or without one: after answers that it refused, it is no loss of the network. */
static void
test_hang_up (void)
{
  g_auto (RemoteTest) f = { 0 };

  if (!remote_test_set_up (&f))
    return;
  for (guint round = 0; round < 2; round++)
    {
      SshServer *server
          = ssh_authenticator_new (f.world, "--step=password", "--password=geheim", "--max-tries=2",
                                   round == 1 ? "--wordless" : NULL, NULL);

      ssh_world_know (f.world, server, NULL);
      script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "a");
      script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "b");
      fail (&f, server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH, "2 wrong passwords");
    }
}

/* OpenSSH says "too many" whatever it was too many of; what was tried tells which. */
static void
test_too_many (void)
{
  static const SshServerOptions options
      = { .lines = "PasswordAuthentication yes\nAuthorizedKeysFile none\nMaxAuthTries 2" };
  static const SshKey keys[] = { SSH_KEY_ED25519, SSH_KEY_ECDSA, SSH_KEY_RSA };
  g_auto (RemoteTest) f = { 0 };

  if (!remote_test_set_up (&f))
    return;
  for (guint n_keys = 0; n_keys <= 2; n_keys++)
    {
      g_autoptr (GError) error = NULL;
      SshServer *server = ssh_server_new (f.world, &options);
      TsrSshHost *host = test_host_new (f.world, server, "t", NULL);
      g_autofree char *tried = n_keys == 0 ? g_strdup ("tried: 2 wrong passwords;")
                               : n_keys == 1
                                   ? g_strdup ("tried: 1 key of the agent, 1 wrong password;")
                                   : g_strdup ("tried: 3 keys of the agent;");

      ssh_world_know (f.world, server, NULL);
      for (guint i = 0; i < (n_keys == 1 ? 1 : n_keys == 2 ? 2 : 0); i++)
        ssh_world_add_to_agent (f.world, ssh_world_get_key (f.world, keys[n_keys - 1 + i]));
      if (n_keys > 0)
        {
          host->identities_only = FALSE;
          g_free (host->identity_agent);
          host->identity_agent = g_strdup (ssh_world_get_agent (f.world));
        }
      for (guint i = n_keys; i < 2; i++)
        script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "falsch");
      g_assert_null (remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error));
      g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH);
      if (strstr (error->message, tried) == NULL)
        g_error ("no \"%s\" in: %s", tried, error->message);
      g_assert_cmpint (strstr (error->message, "IdentitiesOnly") != NULL, ==, n_keys == 2);
      g_assert_cmpuint (script_asker_get_n_left (f.asker), ==, 0);
    }
}

/* Seconds that this program's clock is ahead; atomic. */
static int ahead_s;

gint64 __real_g_get_monotonic_time (void);
gint64 __wrap_g_get_monotonic_time (void);

gint64
__wrap_g_get_monotonic_time (void)
{
  return __real_g_get_monotonic_time () + g_atomic_int_get (&ahead_s) * G_USEC_PER_SEC;
}

typedef struct
{
  RemoteTest *f;
  SshServer *server;
  gboolean cancels;
  int is_done; /* atomic */
} Silence;

/* With each line of the server's log more than a minute goes by. */
static gpointer
let_time_pass (gpointer data)
{
  Silence *silence = data;
  guint n_seen = 0;

  while (!g_atomic_int_get (&silence->is_done))
    {
      g_autofree char *log = ssh_server_dup_log (silence->server);
      guint n = 0;

      for (const char *at = log; (at = strchr (at, '\n')) != NULL; at++)
        n++;
      g_atomic_int_add (&ahead_s, 100 * (int)(n - n_seen));
      n_seen = n;
      g_usleep (20000);
    }
  return NULL;
}

/* A server that thinks longer about each answer than a connection may take, and about all of them
 * longer than about one. */
static void
test_slow (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (GError) error = NULL;
  Silence silence = { .f = &f };
  GThread *thread;
  TsrSshChain *chain;
  TsrSshHost *host;

  if (!remote_test_set_up (&f))
    return;
  silence.server = ssh_authenticator_new (f.world, "--step=publickey", "--step=password",
                                          "--password=geheim", "--delay-ms=1700", NULL);
  ssh_world_know (f.world, silence.server, NULL);
  host = test_host_new (f.world, silence.server, "t", ssh_world_get_key (f.world, SSH_KEY_ED25519));
  host->connect_timeout_s = 3;
  script_asker_expect (f.asker, TSR_QUESTION_PASSWORD, NULL, "geheim");
  thread = g_thread_new ("time", let_time_pass, &silence);
  chain = remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error);
  g_atomic_int_set (&silence.is_done, TRUE);
  g_thread_join (thread);
  g_atomic_int_set (&ahead_s, 0);
  g_assert_no_error (error);
  tsr_ssh_chain_free (chain);
}

/* Nobody may be asked: the error says what would have been. */
static void
test_silent (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrAsker) silent = tsr_asker_new_silent ();
  g_autoptr (GError) error = NULL;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=publickey", "--step=keyboard-interactive",
                                  "--round=||Code=1", NULL);
  ssh_world_know (f.world, server, NULL);
  g_assert_null (remote_test_connect (
      &f,
      test_hosts_new (
          test_host_new (f.world, server, "t", ssh_world_get_key (f.world, SSH_KEY_ED25519)), NULL),
      silent, &error));
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NEEDS_ANSWER);
  g_assert_nonnull (strstr (error->message, "tester@t"));
}

/* Names are written hashed where ssh_config says so, and found again: by OpenSSH, too. */
static void
test_hashed_names (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autofree char *name = NULL, *known = NULL, *found = NULL;
  g_autoptr (GError) error = NULL;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  script_asker_set_host_key (f.asker, TSR_HOST_KEY_SAVE);
  for (guint round = 0; round < 2; round++)
    {
      TsrSshHost *host
          = test_host_new (f.world, server, "t", ssh_world_get_key (f.world, SSH_KEY_ED25519));
      g_autofree char *log = NULL;
      TsrSshChain *chain;

      host->hash_known_hosts = TRUE;
      chain = remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error);
      g_assert_no_error (error);
      tsr_ssh_chain_free (chain);
      log = script_asker_dup_log (f.asker);
      g_assert_cmpint (strstr (log, "host-key") != NULL, ==, round == 0);
    }
  name = g_strdup_printf ("[127.0.0.1]:%u", ssh_server_get_port (server));
  g_assert_true (g_file_get_contents (ssh_world_get_known_hosts (f.world), &known, NULL, NULL));
  g_assert_true (g_str_has_prefix (known, "|1|"));
  g_assert_null (strstr (known, "127.0.0.1"));
  found = ssh_world_run (f.world, "ssh-keygen", "-F", name, "-f",
                         ssh_world_get_known_hosts (f.world), NULL);
  g_assert_nonnull (strstr (found, "ssh-ed25519"));
}

/* Where known_hosts cannot be written or made, as in a sandbox, a key is remembered in a file of
 * ours, and is found there as well; so are those of the machine's own file. */
static void
test_spare_known_hosts (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autofree char *spare = NULL, *known = NULL;
  g_autoptr (GError) error = NULL;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  spare = g_strconcat (ssh_world_get_known_hosts (f.world), ".data/tessera/known_hosts", NULL);
  server = ssh_server_new (f.world, NULL);
  script_asker_set_host_key (f.asker, TSR_HOST_KEY_SAVE);
  for (guint round = 0; round < 3; round++)
    {
      TsrSshHost *host
          = test_host_new (f.world, server, "t", ssh_world_get_key (f.world, SSH_KEY_ED25519));
      g_autofree char *log = NULL;
      TsrSshChain *chain;

      /* No folder can be made there, whoever tries. */
      g_free (host->known_hosts[0]);
      host->known_hosts[0] = g_strdup ("/proc/none/known_hosts");
      if (round < 2)
        host->spare_known_hosts = g_strdup (spare);
      else
        host->global_known_hosts = g_strdupv ((char *[]){ spare, NULL });
      chain = remote_test_connect (&f, test_hosts_new (host, NULL), NULL, &error);
      g_assert_no_error (error);
      tsr_ssh_chain_free (chain);
      log = script_asker_dup_log (f.asker);
      g_test_message ("%s", log);
      g_assert_cmpint (strstr (log, "host-key") != NULL, ==, round == 0);
    }
  g_assert_true (g_file_get_contents (spare, &known, NULL, NULL));
  g_assert_nonnull (strstr (known, "ssh-ed25519"));
}

/* Once the server was asked: somebody loses patience, or much time goes by. */
static gpointer
end_silence (gpointer data)
{
  Silence *silence = data;

  for (gboolean was_asked = FALSE; !was_asked;)
    {
      g_autofree char *log = ssh_server_dup_log (silence->server);

      was_asked = strstr (log, "none as") != NULL;
      g_usleep (20000);
    }
  if (silence->cancels)
    g_cancellable_cancel (silence->f->cancellable);
  while (!g_atomic_int_get (&silence->is_done))
    {
      if (!silence->cancels)
        g_atomic_int_add (&ahead_s, 100);
      g_usleep (200000);
    }
  return NULL;
}

/* A server that is asked how to log in, and says nothing. */
static void
test_no_answer (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_auto (RemoteTest) f = { 0 };
      Silence silence = { .f = &f, .cancels = i == 1 };
      GThread *thread;

      if (!remote_test_set_up (&f))
        return;
      silence.server
          = ssh_authenticator_new (f.world, "--step=password", "--delay-ms=100000", NULL);
      ssh_world_know (f.world, silence.server, NULL);
      thread = g_thread_new ("silence", end_silence, &silence);
      if (i == 0)
        fail (&f, silence.server, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_TIMEOUT,
              "does not answer while logging in");
      else
        fail (&f, silence.server, G_IO_ERROR, G_IO_ERROR_CANCELLED, "");
      g_atomic_int_set (&silence.is_done, TRUE);
      g_thread_join (thread);
      g_atomic_int_set (&ahead_s, 0);
    }
}

static gpointer
cancel_when_asked (gpointer data)
{
  RemoteTest *f = data;

  script_asker_wait_asked (f->asker);
  g_cancellable_cancel (f->cancellable);
  return NULL;
}

static void
test_cancel (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;
  GThread *thread;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password", NULL);
  ssh_world_know (f.world, server, NULL);
  script_asker_expect_silence (f.asker);
  thread = g_thread_new ("cancel", cancel_when_asked, &f);
  fail (&f, server, G_IO_ERROR, G_IO_ERROR_CANCELLED, "");
  g_thread_join (thread);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/login/password", test_password);
  g_test_add_func ("/login/gives-up", test_gives_up);
  g_test_add_func ("/login/rounds", test_rounds);
  g_test_add_func ("/login/rounds-unasked", test_rounds_unasked);
  g_test_add_func ("/login/rounds-again", test_rounds_again);
  g_test_add_func ("/login/codes", test_codes);
  g_test_add_func ("/login/steps", test_steps);
  g_test_add_func ("/login/order", test_order);
  g_test_add_func ("/login/in-vain", test_in_vain);
  g_test_add_func ("/login/half-in", test_half_in);
  g_test_add_func ("/login/twice", test_twice);
  g_test_add_func ("/login/hops", test_hops);
  g_test_add_func ("/login/words", test_words);
  g_test_add_func ("/login/odd-methods", test_odd_methods);
  g_test_add_func ("/login/hang-up", test_hang_up);
  g_test_add_func ("/login/too-many", test_too_many);
  g_test_add_func ("/login/slow", test_slow);
  g_test_add_func ("/login/silent", test_silent);
  g_test_add_func ("/login/hashed-names", test_hashed_names);
  g_test_add_func ("/login/spare-known-hosts", test_spare_known_hosts);
  g_test_add_func ("/login/no-answer", test_no_answer);
  g_test_add_func ("/login/cancel", test_cancel);
  return g_test_run ();
}
