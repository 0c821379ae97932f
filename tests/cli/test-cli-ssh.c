/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli over real ssh servers: every command prints of ssh://... what it prints of the same
 * files here; questions on a terminal, --batch, jump hosts, the cache without a network, errors. */

#include "config.h"

#include "cli-pty.h"
#include "delay-proxy.h"
#include "ssh-fixture.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  SshWorld *world;
  char *home;   /* of whoever runs the client */
  char *report; /* folder in the home folder of the servers' user */
  char **environment;
} Fixture;

static gboolean
set_up (Fixture *f)
{
  g_autofree char *ssh = NULL;
  g_autofree char *include = NULL;
  g_autofree char *cache = NULL;
  g_autofree char *made = NULL;

  f->world = ssh_world_new ();
  if (f->world == NULL)
    return FALSE;
  f->home = tsr_test_folder_new ();
  ssh = g_build_filename (f->home, ".ssh", NULL);
  cache = g_build_filename (f->home, "cache", NULL);
  include = g_strdup_printf ("Include %s\n", ssh_world_get_config (f->world));
  g_assert_cmpint (g_mkdir (ssh, 0700), ==, 0);
  tsr_test_write (ssh, "config", include, -1);
  f->environment = g_get_environ ();
  f->environment = g_environ_setenv (f->environment, "HOME", f->home, TRUE);
  f->environment = g_environ_setenv (f->environment, "XDG_CACHE_HOME", cache, TRUE);
  f->environment = g_environ_unsetenv (f->environment, "SSH_AUTH_SOCK");
  f->report = g_build_filename (ssh_world_get_home (f->world), "training", NULL);
  made = tsr_test_report_new ("tiny");
  g_assert_cmpint (g_rename (made, f->report), ==, 0);
  return TRUE;
}

static void
fixture_clear (Fixture *f)
{
  g_clear_pointer (&f->world, ssh_world_free);
  g_clear_pointer (&f->home, tsr_test_folder_free);
  g_clear_pointer (&f->report, g_free);
  g_clear_pointer (&f->environment, g_strfreev);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* ---------------------------------------------------------------- programs */

/* Without a terminal, whatever the test was started on. */
static void
run_words (Fixture *f, TsrTestRun *run, const char *const *words)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer) "setsid");
  g_ptr_array_add (argv, (gpointer) "-w");
  g_ptr_array_add (argv, (gpointer)g_getenv ("TESSERA_CLI"));
  for (; *words != NULL; words++)
    g_ptr_array_add (argv, (gpointer)*words);
  g_ptr_array_add (argv, NULL);
  tsr_test_run (run, (const char *const *)argv->pdata, f->environment);
}

static void G_GNUC_NULL_TERMINATED
run (Fixture *f, TsrTestRun *result, ...)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  va_list args;
  char *word;

  va_start (args, result);
  while ((word = va_arg (args, char *)) != NULL)
    g_ptr_array_add (words, word);
  va_end (args);
  g_ptr_array_add (words, NULL);
  run_words (f, result, (const char *const *)words->pdata);
}

static void
expect (const TsrTestRun *result, int status, const char *says)
{
  if (result->status != status || strstr (result->err, says) == NULL)
    g_error ("status %d, not %d, or not \"%s\": %s", result->status, status, says, result->err);
  if (status == 2)
    g_assert_cmpstr (result->out, ==, "");
}

static void
start (Fixture *f, Pty *pty, const char *location, const char *option)
{
  pty_start (pty,
             (const char *[]){ g_getenv ("TESSERA_CLI"), "summary", "--format=json", location,
                               option, NULL },
             f->environment, TRUE);
}

/* What the program prints is what it prints of the files here. */
static void
finish (Fixture *f, Pty *pty)
{
  g_auto (TsrTestRun) local = { 0 };
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;

  g_assert_cmpint (pty_finish (pty, &out, &err), ==, 0);
  g_assert_true (pty->left_echo);
  g_assert_cmpstr (err, ==, "");
  run (f, &local, "summary", "--format=json", f->report, NULL);
  g_assert_cmpint (local.status, ==, 0);
  g_assert_cmpstr (out, ==, local.out);
  g_string_free (pty->seen, TRUE);
}

/* ---------------------------------------------------------------- commands */

static void
compare_command (Fixture *f, const char *const *words, const char *location)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_auto (TsrTestRun) here = { 0 };
  g_auto (TsrTestRun) there = { 0 };

  for (; *words != NULL; words++)
    g_ptr_array_add (all, (gpointer)*words);
  g_ptr_array_add (all, f->report);
  g_ptr_array_add (all, NULL);
  run_words (f, &here, (const char *const *)all->pdata);
  all->pdata[all->len - 2] = (gpointer)location;
  run_words (f, &there, (const char *const *)all->pdata);
  g_test_message ("%s", (char *)all->pdata[0]);
  g_assert_cmpint (there.status, ==, here.status);
  g_assert_cmpstr (there.out, ==, here.out);
  g_assert_cmpstr (there.err, ==, here.err);
}

static void
test_commands (void)
{
  static const char *const commands[][4] = {
    { "summary", "--format=json" },
    { "summary" },
    { "memory", "--format=csv" },
    { "memory", "--tile=top5", "--format=json" },
    { "insights", "--format=json" },
    { "liveness", "--format=csv" },
    { "liveness", "--step=1" },
    { "variables", "--format=csv" },
    { "vertices", "--format=json" },
    { "trace", "--format=json" },
    { "trace", "--steps", "--format=csv" },
    { "check", "--format=json" },
    { "schema", "--format=json" },
  };
  g_auto (Fixture) f = { 0 };
  g_autofree char *absolute = NULL;
  SshServer *server;

  if (!set_up (&f) || (server = ssh_server_new (f.world, NULL)) == NULL)
    return;
  ssh_world_add_host (f.world, "node", server, NULL);
  ssh_world_know (f.world, server, NULL);
  absolute = g_strconcat ("ssh://node", f.report, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    compare_command (&f, commands[i], absolute);
}

/* Files that commands write are the same, too. */
static void
test_output_files (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree char *location = NULL;
  SshServer *server;

  if (!set_up (&f) || (server = ssh_server_new (f.world, NULL)) == NULL)
    return;
  ssh_world_add_host (f.world, "node", server, NULL);
  ssh_world_know (f.world, server, NULL);
  location = g_strconcat ("ssh://node", f.report, NULL);
  for (guint i = 0; i < 2; i++)
    {
      static const char *const kinds[][3]
          = { { "render", "--view=memory", "svg" }, { "export", "--as=perfetto", "trace" } };
      g_autofree char *outputs[2] = { NULL };
      g_autofree char *texts[2] = { NULL };
      gsize lengths[2];

      for (guint j = 0; j < 2; j++)
        {
          g_auto (TsrTestRun) result = { 0 };

          outputs[j] = g_strdup_printf ("%s/out%u.%s", f.home, j, kinds[i][2]);
          run (&f, &result, kinds[i][0], kinds[i][1], "-o", outputs[j],
               j == 0 ? f.report : location, NULL);
          expect (&result, 0, "");
          g_assert_true (g_file_get_contents (outputs[j], &texts[j], &lengths[j], NULL));
          g_free (g_steal_pointer (&outputs[j]));
        }
      g_assert_cmpmem (texts[0], lengths[0], texts[1], lengths[1]);
      g_free (g_steal_pointer (&texts[0]));
      g_free (g_steal_pointer (&texts[1]));
    }
}

/* Below the home folder, as a file, with an address of numbers; over jump hosts, with a key that is
 * given. */
static void
test_locations (void)
{
  g_auto (Fixture) f = { 0 };
  g_auto (TsrTestRun) result = { 0 };
  g_auto (TsrTestRun) other = { 0 };
  g_autofree char *numbers = NULL;
  g_autofree char *identity = NULL;
  g_autofree char *key = NULL;
  g_autofree char *line = NULL;
  g_autofree char *ssh = NULL;
  SshServer *gate, *node;
  guint before;

  if (!set_up (&f) || (gate = ssh_server_new (f.world, NULL)) == NULL)
    return;
  node = ssh_server_new (f.world, NULL);
  ssh_world_add_host (f.world, "gate", gate, NULL);
  ssh_world_add_host (f.world, "node", node, NULL);
  ssh_world_know (f.world, gate, NULL);
  ssh_world_know (f.world, node, NULL);
  run (&f, &result, "summary", "ssh://node/~/training", NULL);
  expect (&result, 0, "");
  run (&f, &other, "summary", "SSH://node/~/training/profile.pop", NULL);
  expect (&other, 0, "");
  g_assert_cmpuint (ssh_server_get_n_accepted (gate), ==, 0);
  /* Paths are those of the machine: what reads them need not know what "~" is. */
  run (&f, &result, "summary", "--format=json", "ssh://node/~/training", NULL);
  run (&f, &other, "summary", "--format=json", f.report, NULL);
  g_assert_cmpstr (result.out, ==, other.out);
  before = ssh_server_get_n_accepted (node);
  run (&f, &result, "summary", "--jump=gate", "ssh://node/~/training", NULL);
  expect (&result, 0, "");
  run (&f, &result, "summary", "ssh://node/~/training?jump=gate", NULL);
  expect (&result, 0, "");
  g_assert_cmpuint (ssh_server_get_n_accepted (gate), ==, 2);
  run (&f, &result, "summary", "-J", "none", "ssh://node/~/training?jump=gate", NULL);
  expect (&result, 0, "");
  g_assert_cmpuint (ssh_server_get_n_accepted (gate), ==, 2);
  g_assert_cmpuint (ssh_server_get_n_accepted (node), ==, before + 3);

  /* Nothing of ssh_config is for this name: it needs the key. */
  numbers = g_strdup_printf ("ssh://" SSH_USER "@127.0.0.1:%u/~/training?alias=known",
                             ssh_server_get_port (node));
  identity = g_strdup_printf ("--identity=%s", ssh_world_get_key (f.world, SSH_KEY_RSA));
  run (&f, &result, "summary", "--batch", identity, numbers, NULL);
  expect (&result, 2, "is not known");
  key = ssh_server_dup_host_key (node, "ed25519");
  line = g_strdup_printf ("known %s\n", key);
  ssh = g_build_filename (f.home, ".ssh", NULL);
  tsr_test_write (ssh, "known_hosts", line, -1);
  run (&f, &result, "summary", "--batch", identity, numbers, NULL);
  expect (&result, 0, "");
  run (&f, &result, "summary", "--batch", numbers, NULL);
  expect (&result, 2, SSH_USER);
}

/* --------------------------------------------------------------- questions */

static void
test_questions (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree char *fingerprint = NULL;
  g_autofree char *known = NULL;
  g_autofree char *location = NULL;
  SshServer *server;
  Pty pty;

  if (!set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password", "--step=keyboard-interactive",
                                  "--password=geheim", "--round=Token||+Code: =123|PIN: =4", NULL);
  if (server == NULL)
    return;
  ssh_world_add_host (f.world, "node", server, NULL);
  location = g_strconcat ("ssh://node", f.report, NULL);
  fingerprint = ssh_server_dup_fingerprint (server, "ed25519");
  start (&f, &pty, location, NULL);
  pty_expect (&pty, "shows a host key that is not known");
  pty_expect (&pty, fingerprint);
  pty_expect (&pty, "Connect?");
  pty_type (&pty, "yes\n");
  pty_expect (&pty, "Password");
  g_assert_false (pty_has_echo (&pty));
  pty_type (&pty, "falsch\n");
  pty_expect (&pty, "That was not accepted");
  pty_expect (&pty, "Password");
  pty_type (&pty, "geheim\n");
  pty_expect (&pty, "Token");
  pty_expect (&pty, "Code:");
  g_assert_true (pty_has_echo (&pty));
  pty_type (&pty, "123\n");
  pty_expect (&pty, "PIN:");
  g_assert_false (pty_has_echo (&pty));
  pty_type (&pty, "4\n");
  g_assert_null (strstr (pty.seen->str, "geheim"));
  finish (&f, &pty);
  /* Written down: the next time it is not asked for. */
  g_assert_true (g_file_get_contents (ssh_world_get_known_hosts (f.world), &known, NULL, NULL));
  g_assert_nonnull (strstr (known, "ssh-ed25519 "));
  start (&f, &pty, location, NULL);
  pty_expect (&pty, "Password");
  g_assert_null (strstr (pty.seen->str, "host key"));
  /* Ctrl+C gives up, and the terminal is as it was. */
  pty_type (&pty, "ge\003");
  g_assert_cmpint (pty_finish (&pty, NULL, NULL), ==, 2);
  g_assert_true (pty.left_echo);
  g_string_free (pty.seen, TRUE);
}

/* Signals that end the program in the middle of a password leave the terminal as it was. */
static void
test_signals (void)
{
  static const int signals[] = { SIGTERM, SIGHUP };
  g_auto (Fixture) f = { 0 };
  SshServer *server;

  if (!set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password", "--password=geheim", NULL);
  if (server == NULL)
    return;
  ssh_world_add_host (f.world, "node", server, NULL);
  ssh_world_know (f.world, server, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      Pty pty;

      start (&f, &pty, "ssh://node/~/training", NULL);
      pty_expect (&pty, "Password");
      g_assert_false (pty_has_echo (&pty));
      g_assert_cmpint (kill (pty.pid, signals[i]), ==, 0);
      g_assert_cmpint (pty_finish (&pty, NULL, NULL), ==, 128 + signals[i]);
      g_assert_true (pty.left_echo);
      g_string_free (pty.seen, TRUE);
    }
}

/* Nobody is asked, on a terminal or without one; what would have been asked is said. */
static void
test_batch (void)
{
  g_auto (Fixture) f = { 0 };
  g_auto (TsrTestRun) result = { 0 };
  g_autofree char *fingerprint = NULL;
  g_autofree char *err = NULL;
  SshServer *server;
  Pty pty;

  if (!set_up (&f))
    return;
  server = ssh_authenticator_new (f.world, "--step=password", "--password=geheim", NULL);
  if (server == NULL)
    return;
  ssh_world_add_host (f.world, "node", server, NULL);
  fingerprint = ssh_server_dup_fingerprint (server, "ed25519");
  run (&f, &result, "summary", "--batch", "ssh://node/~/training", NULL);
  expect (&result, 2, fingerprint);
  ssh_world_know (f.world, server, NULL);
  run (&f, &result, "summary", "--batch", "ssh://node/~/training", NULL);
  expect (&result, 2, "wants a password");
  run (&f, &result, "summary", "ssh://node/~/training", NULL);
  expect (&result, 2, "wants a password");
  run (&f, &result, "schema", "ssh://node/~/training", NULL);
  expect (&result, 2, "wants a password");
  start (&f, &pty, "ssh://node/~/training", "--batch");
  g_assert_cmpint (pty_finish (&pty, NULL, &err), ==, 2);
  g_assert_cmpstr (pty.seen->str, ==, "");
  g_assert_nonnull (strstr (err, "wants a password"));
  g_string_free (pty.seen, TRUE);
}

/* -------------------------------------------------------------- a slow way */

/* A line says how far it has come, and goes; a network that stands still is given up at once. */
static void
test_slow (void)
{
  g_auto (Fixture) f = { 0 };
  g_autoptr (DelayProxy) proxy = NULL;
  g_autofree char *location = NULL;
  g_autofree char *lines = NULL;
  g_auto (TsrTestRun) cleared = { 0 };
  SshServer *server;
  gint64 begin;
  Pty pty;

  if (!set_up (&f) || (server = ssh_server_new (f.world, NULL)) == NULL)
    return;
  proxy = delay_proxy_new (ssh_server_get_port (server));
  delay_proxy_set_link (proxy, 0.2, 100000);
  lines = g_strdup_printf ("  Port %u\n  HostKeyAlias slow", delay_proxy_get_port (proxy));
  ssh_world_add_host (f.world, "node", server, lines);
  ssh_world_know (f.world, server, "slow");
  location = g_strconcat ("ssh://node", f.report, NULL);
  pty_start (&pty, (const char *[]){ g_getenv ("TESSERA_CLI"), "memory", location, NULL },
             f.environment, FALSE);
  pty_expect (&pty, "\r" SSH_USER "@node: ");
  pty_expect (&pty, " read, ");
  pty_expect (&pty, "/s, at most ");
  pty_expect (&pty, " left");
  pty_expect (&pty, "\r\033[K");
  g_assert_cmpint (pty_finish (&pty, NULL, NULL), ==, 0);
  /* Nothing of it stands behind what was printed. */
  g_assert_null (strstr (strstr (pty.seen->str, "IPU"), "\033"));
  g_string_free (pty.seen, TRUE);

  run (&f, &cleared, "cache", "--clear", NULL);
  delay_proxy_freeze_after (proxy, 20000);
  start (&f, &pty, location, NULL);
  delay_proxy_wait_frozen (proxy);
  begin = g_get_monotonic_time ();
  pty_type (&pty, "\003");
  g_assert_cmpint (pty_finish (&pty, NULL, NULL), ==, 2);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 12 * G_USEC_PER_SEC);
  g_string_free (pty.seen, TRUE);
}

/* ------------------------------------------------------------------- cache */

/* What the trace and the liveness are drawn from comes over the network, and not what is there for
 * each tile. */
static void
test_bytes (void)
{
  g_auto (Fixture) f = { 0 };
  g_auto (TsrTestRun) here = { 0 }, there = { 0 };
  g_autofree char *report = NULL, *location = NULL, *lines = NULL;
  g_autoptr (DelayProxy) proxy = NULL;
  SshServer *server;
  const struct
  {
    const char *command, *tables, *option;
  } commands[] = { { "trace", TSR_TEST_TRACE_TABLES },
                   { "trace", TSR_TEST_TRACE_TABLES, "--table=summary" },
                   { "liveness", TSR_TEST_LIVENESS_TABLES } };

  if (!set_up (&f) || (server = ssh_server_new (f.world, NULL)) == NULL)
    return;
  proxy = delay_proxy_new (ssh_server_get_port (server));
  lines = g_strdup_printf ("  Port %u\n  HostKeyAlias counted", delay_proxy_get_port (proxy));
  ssh_world_add_host (f.world, "counted", server, lines);
  ssh_world_know (f.world, server, "counted");
  tsr_test_folder_free (f.report);
  report = tsr_test_report_new ("demo");
  f.report = g_build_filename (ssh_world_get_home (f.world), "training", NULL);
  g_assert_cmpint (g_rename (report, f.report), ==, 0);
  tsr_test_enlarge (f.report);
  location = g_strconcat ("ssh://counted", f.report, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      gint64 bytes = tsr_test_bytes_of_tables (f.report, commands[i].tables);
      DelayProxyCount count;

      tsr_test_run_clear (&here);
      tsr_test_run_clear (&there);
      delay_proxy_reset_count (proxy);
      run (&f, &there, "cache", "--clear", NULL);
      run (&f, &there, commands[i].command, "--format=json", location, commands[i].option, NULL);
      delay_proxy_get_count (proxy, &count);
      run (&f, &here, commands[i].command, "--format=json", f.report, commands[i].option, NULL);
      g_assert_cmpstr (there.out, ==, here.out);
      g_assert_cmpint (there.status, ==, 0);
      g_test_message ("%s: %" G_GUINT64_FORMAT " bytes of %" G_GINT64_FORMAT, commands[i].command,
                      count.to_client, bytes);
      g_assert_cmpuint (count.to_client, <=, (guint64)bytes * 12 / 10);
    }
}

static void
test_cache (void)
{
  g_auto (Fixture) f = { 0 };
  g_auto (TsrTestRun) there = { 0 };
  g_auto (TsrTestRun) offline = { 0 };
  g_auto (TsrTestRun) cache = { 0 };
  SshServer *server;
  guint accepted;

  if (!set_up (&f) || (server = ssh_server_new (f.world, NULL)) == NULL)
    return;
  ssh_world_add_host (f.world, "node", server, NULL);
  ssh_world_know (f.world, server, NULL);
  run (&f, &cache, "cache", "--format=json", NULL);
  expect (&cache, 0, "");
  g_assert_nonnull (strstr (cache.out, "\"bytes\": 0,"));
  run (&f, &there, "summary", "--format=json", "ssh://node/~/training", NULL);
  expect (&there, 0, "");
  run (&f, &cache, "cache", "--format=json", NULL);
  g_assert_null (strstr (cache.out, "\"bytes\": 0,"));
  g_assert_nonnull (strstr (cache.out, f.home));

  ssh_server_refuse (server);
  run (&f, &offline, "summary", "--format=json", "ssh://node/~/training", NULL);
  expect (&offline, 0, "there is no connection");
  g_assert_cmpstr (offline.out, ==, there.out);
  /* A script reads the status only: what was kept is not what is there, unless it says so. */
  run (&f, &offline, "summary", "--format=json", "--batch", "ssh://node/~/training", NULL);
  expect (&offline, 2, "only with --offline");
  run (&f, &offline, "schema", "--batch", "ssh://node/~/training", NULL);
  expect (&offline, 2, "only with --offline");
  ssh_server_listen (server);
  accepted = ssh_server_get_n_accepted (server);
  run (&f, &offline, "summary", "--format=json", "--batch", "--offline", "ssh://node/~/training",
       NULL);
  expect (&offline, 0, "");
  g_assert_cmpstr (offline.err, ==, "");
  g_assert_cmpstr (offline.out, ==, there.out);
  run (&f, &offline, "summary", "--offline", "ssh://node/~/other", NULL);
  expect (&offline, 2, "no connection is made");
  g_assert_cmpuint (ssh_server_get_n_accepted (server), ==, accepted);
  run (&f, &offline, "summary", "--format=json", "--batch", "ssh://node/~/training", NULL);
  expect (&offline, 0, "");
  ssh_server_refuse (server);
  run (&f, &cache, "cache", "--clear", "--format=json", NULL);
  expect (&cache, 0, "");
  g_assert_nonnull (strstr (cache.out, "\"bytes\": 0,"));
  run (&f, &offline, "summary", "--format=json", "ssh://node/~/training", NULL);
  expect (&offline, 2, "node");
  run (&f, &cache, "cache", "word", NULL);
  expect (&cache, 2, "word");
}

/* ------------------------------------------------------------------ errors */

static void
test_errors (void)
{
  g_auto (Fixture) f = { 0 };
  g_auto (TsrTestRun) result = { 0 };
  SshServer *server;

  if (!set_up (&f) || (server = ssh_server_new (f.world, NULL)) == NULL)
    return;
  ssh_world_add_host (f.world, "node", server, NULL);
  ssh_world_know (f.world, server, NULL);
  run (&f, &result, "summary", "ssh://node/nothing/here", NULL);
  expect (&result, 2, "/nothing/here");
  run (&f, &result, "summary", "ssh://node/~/training/nothing", NULL);
  expect (&result, 2, "training/nothing");
  run (&f, &result, "summary", "ssh://node.invalid/x", NULL);
  expect (&result, 2, "node.invalid");
  run (&f, &result, "summary", "ssh://me:geheim@node/x", NULL);
  expect (&result, 2, "password");
  g_assert_null (strstr (result.err, "geheim"));
  run (&f, &result, "summary", "--jump=a,,b", "ssh://node/x", NULL);
  expect (&result, 2, "Jump host 2");
  run (&f, &result, "summary", "--identity=/nothing", "ssh://node/x", NULL);
  expect (&result, 2, "/nothing");
  ssh_server_refuse (server);
  run (&f, &result, "summary", "ssh://node/~/training", NULL);
  expect (&result, 2, "node");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-ssh/commands", test_commands);
  g_test_add_func ("/cli-ssh/output-files", test_output_files);
  g_test_add_func ("/cli-ssh/locations", test_locations);
  g_test_add_func ("/cli-ssh/questions", test_questions);
  g_test_add_func ("/cli-ssh/signals", test_signals);
  g_test_add_func ("/cli-ssh/batch", test_batch);
  g_test_add_func ("/cli-ssh/slow", test_slow);
  g_test_add_func ("/cli-ssh/bytes", test_bytes);
  g_test_add_func ("/cli-ssh/cache", test_cache);
  g_test_add_func ("/cli-ssh/errors", test_errors);
  return g_test_run ();
}
