/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tests' ssh servers are what they say, seen by OpenSSH's own client. */

#include "config.h"

#include "ssh-fixture.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <string.h>

/* sftp with one command. */
static void
sftp (
    SshWorld *world, TsrTestRun *result, const char *host, const char *command, const char *option)
{
  g_autofree char *batch = g_build_filename (ssh_world_get_folder (world), "batch", NULL);
  g_autofree char *line = g_strconcat (command, "\n", NULL);
  const char *words[] = { "sftp",
                          "-F",
                          ssh_world_get_config (world),
                          "-o",
                          option != NULL ? option : "BatchMode=yes",
                          "-b",
                          batch,
                          host,
                          NULL };

  tsr_test_write (ssh_world_get_folder (world), "batch", line, -1);
  tsr_test_run (result, words, NULL);
}

static void
assert_in (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("no \"%s\" in: %s", part, text);
}

static void
test_sftp (gconstpointer data)
{
  g_autoptr (SshWorld) world = ssh_world_new ();
  g_auto (TsrTestRun) run = { 0 };
  SshServer *server;

  if (world == NULL || (server = ssh_server_new (world, data)) == NULL)
    return;
  tsr_test_write (ssh_world_get_home (world), "hello", "x", 1);
  ssh_world_add_host (world, "target", server, NULL);
  sftp (world, &run, "target", "ls -1", NULL);
  g_assert_cmpint (run.status, !=, 0); /* its key is not known yet */
  assert_in (run.err, "Host key verification failed");
  ssh_world_know (world, server, NULL);
  sftp (world, &run, "target", "ls -1", NULL);
  g_assert_cmpint (run.status, ==, 0);
  assert_in (run.out, "hello\n");
  ssh_world_hash_known (world);
  sftp (world, &run, "target", "ls -1", NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpuint (ssh_server_get_n_accepted (server), ==, 3);
}

static void
test_keys (void)
{
  g_autoptr (SshWorld) world = ssh_world_new ();
  g_auto (TsrTestRun) run = { 0 };
  SshServer *server;

  if (world == NULL)
    return;
  server = ssh_server_new (world, NULL);
  ssh_world_know (world, server, NULL);
  ssh_world_add_host (world, "target", server, NULL);
  for (int key = 0; key < SSH_N_KEYS; key++)
    {
      gboolean open = key == SSH_KEY_ED25519 || key == SSH_KEY_ECDSA || key == SSH_KEY_RSA;
      g_autofree char *alias = g_strdup_printf ("key%d", key);
      g_autofree char *line = g_strconcat ("IdentityFile ", ssh_world_get_key (world, key), NULL);
      g_autofree char *text = NULL;

      /* IdentityFile adds up: only that of a host without another one is alone. */
      text = g_strdup_printf ("Host %s\n HostName 127.0.0.1\n Port %u\n User %s\n %s\n"
                              " IdentitiesOnly yes\n IdentityAgent none\n UserKnownHostsFile %s\n",
                              alias, ssh_server_get_port (server), SSH_USER, line,
                              ssh_world_get_known_hosts (world));
      g_file_set_contents (ssh_world_get_config (world), text, -1, NULL);
      sftp (world, &run, alias, "pwd", NULL);
      g_assert_cmpint (run.status, ==, open ? 0 : 255);
      if (!open)
        assert_in (run.err, "Permission denied");
    }
}

static void
test_agent (void)
{
  g_autoptr (SshWorld) world = ssh_world_new ();
  g_autofree char *option = NULL;
  g_auto (TsrTestRun) run = { 0 };
  SshServer *server;

  if (world == NULL)
    return;
  server = ssh_server_new (world, NULL);
  ssh_world_know (world, server, NULL);
  ssh_world_add_host (world, "target", server, "IdentityFile /nonexistent");
  ssh_world_add_to_agent (world, ssh_world_get_key (world, SSH_KEY_RSA));
  option = g_strconcat ("IdentityAgent=", ssh_world_get_agent (world), NULL);
  /* The config's own key is of no use to a server that takes RSA only. */
  ssh_server_set_options (
      server, &(SshServerOptions){ .lines = "PubkeyAcceptedAlgorithms rsa-sha2-256,rsa-sha2-512" });
  sftp (world, &run, "target", "pwd", NULL);
  g_assert_cmpint (run.status, ==, 255);
  sftp (world, &run, "target", "pwd", "IdentitiesOnly=no");
  g_assert_cmpint (run.status, ==, 255);
  sftp (world, &run, "target", "pwd", option);
  g_assert_cmpint (run.status, ==, 255); /* IdentitiesOnly */
  ssh_world_add_host (world, "by-agent", server, "IdentitiesOnly no");
  sftp (world, &run, "by-agent", "pwd", option);
  g_assert_cmpint (run.status, ==, 0);
}

static void
test_jumps (void)
{
  g_autoptr (SshWorld) world = ssh_world_new ();
  g_auto (TsrTestRun) run = { 0 };
  SshServer *servers[3];

  if (world == NULL)
    return;
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *alias = g_strdup_printf ("hop%u", i);
      g_autofree char *jump = g_strdup_printf ("ProxyJump hop%u", i - 1);

      servers[i] = ssh_server_new (world, &(SshServerOptions){ .key_set = i });
      ssh_world_know (world, servers[i], NULL);
      ssh_world_add_host (world, alias, servers[i], i > 0 ? jump : NULL);
    }
  sftp (world, &run, "hop2", "pwd", NULL);
  g_assert_cmpint (run.status, ==, 0);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (ssh_server_get_n_accepted (servers[i]), ==, 1);
  ssh_server_set_options (servers[1],
                          &(SshServerOptions){ .lines = "AllowTcpForwarding no", .key_set = 1 });
  sftp (world, &run, "hop2", "pwd", NULL);
  g_assert_cmpint (run.status, ==, 255);
  assert_in (run.err, "administratively prohibited");
}

static void
test_changes (void)
{
  g_autoptr (SshWorld) world = ssh_world_new ();
  g_autofree char *before = NULL, *after = NULL;
  g_auto (TsrTestRun) run = { 0 };
  SshServer *server;

  if (world == NULL)
    return;
  server = ssh_server_new (world, NULL);
  ssh_world_know (world, server, NULL);
  ssh_world_add_host (world, "target", server, NULL);
  before = ssh_server_dup_fingerprint (server, "ed25519");
  ssh_server_set_options (server, &(SshServerOptions){ .key_set = 1 });
  after = ssh_server_dup_fingerprint (server, "ed25519");
  g_assert_cmpstr (before, !=, after);
  sftp (world, &run, "target", "pwd", NULL);
  g_assert_cmpint (run.status, ==, 255);
  assert_in (run.err, after);
  assert_in (run.err, "REMOTE HOST IDENTIFICATION HAS CHANGED");
  ssh_server_set_options (server, &(SshServerOptions){ .sftp = SSH_SFTP_NONE });
  sftp (world, &run, "target", "pwd", NULL);
  g_assert_cmpint (run.status, ==, 255);
  assert_in (run.err, "subsystem request failed");
  ssh_server_refuse (server);
  sftp (world, &run, "target", "pwd", NULL);
  assert_in (run.err, "Connection refused");
  ssh_server_set_options (server, NULL);
  ssh_server_listen (server);
  sftp (world, &run, "target", "pwd", NULL);
  g_assert_cmpint (run.status, ==, 0);
  ssh_server_freeze (server);
  sftp (world, &run, "target", "pwd", "ConnectTimeout=1");
  g_assert_cmpint (run.status, ==, 255);
  assert_in (run.err, "timed out");
  ssh_server_thaw (server);
  sftp (world, &run, "target", "pwd", NULL);
  g_assert_cmpint (run.status, ==, 0);
}

/* OpenSSH's client starts SFTP and ends it; it asks a script, which has its answers in a file. */
static char *
log_in (SshWorld *world, const char *host, const char *answers, int *status)
{
  const char *folder = ssh_world_get_folder (world);
  g_autofree char *script = g_build_filename (folder, "askpass", NULL);
  g_autofree char *asked = g_build_filename (folder, "asked", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\ncd %s\nprintf '%%s\\n' \"$1\" >>asked\n"
                                           "head -n 1 answers\nsed -i 1d answers\n",
                                           folder);
  g_auto (GStrv) env = g_get_environ ();
  const char *words[] = { "ssh", "-F", ssh_world_get_config (world), "-s", host, "sftp", NULL };
  g_auto (TsrTestRun) run = { 0 };
  char *said = NULL;

  g_remove (asked);
  tsr_test_write (folder, "askpass", text, -1);
  tsr_test_write (folder, "answers", answers, -1);
  g_assert_cmpint (g_chmod (script, 0700), ==, 0);
  env = g_environ_setenv (env, "SSH_ASKPASS", script, TRUE);
  env = g_environ_setenv (env, "SSH_ASKPASS_REQUIRE", "force", TRUE);
  tsr_test_run (&run, words, env);
  *status = run.status;
  if (!g_file_get_contents (asked, &said, NULL, NULL))
    said = g_strdup ("");
  return said;
}

static void
test_authenticator (void)
{
  g_autoptr (SshWorld) world = ssh_world_new ();
  g_autofree char *codes = NULL, *option = NULL, *first = NULL, *second = NULL, *third = NULL;
  g_autofree char *log = NULL;
  SshServer *server;
  int status;

  if (world == NULL)
    return;
  codes = g_build_filename (ssh_world_get_folder (world), "codes", NULL);
  option = g_strconcat ("--codes=", codes, NULL);
  tsr_test_write (ssh_world_get_folder (world), "codes", "111\n222\n", -1);
  server = ssh_authenticator_new (world, "--step=publickey", "--step=keyboard-interactive",
                                  "--step=password", "--password=pw", option,
                                  "--round=Token|Look at it|+Code: =@code|PIN: =1234",
                                  "--round=||Again: =@code", "--round=Done|Nothing to say", NULL);
  ssh_world_know (world, server, NULL);
  ssh_world_add_host (world, "target", server, "NumberOfPasswordPrompts 1");
  first = log_in (world, "target", "111\n1234\n222\npw\n", &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (first, ==,
                   "(tester@127.0.0.1) Code: \n(tester@127.0.0.1) PIN: \n"
                   "(tester@127.0.0.1) Again: \ntester@127.0.0.1's password: \n");
  log = ssh_server_dup_log (server);
  g_assert_cmpstr (log, ==,
                   "none as tester\npublickey offered taken\npublickey signed taken\n"
                   "interactive begins\ninteractive round 1 right\ninteractive round 2 right\n"
                   "interactive round 3 right\npassword right\n");
  second = log_in (world, "target", "111\n1234\n", &status); /* used up */
  g_assert_cmpint (status, ==, 255);
  tsr_test_write (ssh_world_get_folder (world), "codes", "1\n2\n", -1);
  third = log_in (world, "target", "1\n1234\n2\nno\n", &status);
  g_assert_cmpint (status, ==, 255);
}

/* Over an authenticator to an OpenSSH server. */
static void
test_authenticator_jump (void)
{
  g_autoptr (SshWorld) world = ssh_world_new ();
  SshServer *servers[2];
  g_auto (TsrTestRun) run = { 0 };

  if (world == NULL)
    return;
  servers[0] = ssh_authenticator_new (world, "--step=publickey", "--banner=Hello", NULL);
  servers[1] = ssh_server_new (world, NULL);
  ssh_world_know (world, servers[0], NULL);
  ssh_world_know (world, servers[1], NULL);
  ssh_world_add_host (world, "jump", servers[0], NULL);
  ssh_world_add_host (world, "target", servers[1], "ProxyJump jump");
  sftp (world, &run, "target", "pwd", NULL);
  g_assert_cmpint (run.status, ==, 0);
  assert_in (run.err, "Hello");
}

/* The liar that does not lie is an SFTP server like any other. */
static void
test_truth (void)
{
  g_autoptr (SshWorld) world = ssh_world_new ();
  g_autofree char *bytes = g_malloc (300000), *got = NULL;
  g_autofree char *folder = NULL, *copy = NULL, *command = NULL;
  g_auto (TsrTestRun) run = { 0 };
  SshServer *server;
  gsize length;

  if (world == NULL)
    return;
  for (guint i = 0; i < 300000; i++)
    bytes[i] = (char)(i * 7 + i / 251);
  folder = g_build_filename (ssh_world_get_home (world), "a", NULL);
  copy = g_build_filename (ssh_world_get_folder (world), "copy", NULL);
  command = g_strdup_printf ("get /a/data %s", copy);
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  tsr_test_write (folder, "data", bytes, 300000);
  server = ssh_hostile_new (world, "truth", ssh_world_get_home (world));
  ssh_world_know (world, server, NULL);
  ssh_world_add_host (world, "target", server, NULL);
  sftp (world, &run, "target", "ls -l /a", NULL);
  g_assert_cmpint (run.status, ==, 0);
  assert_in (run.out, "300000");
  sftp (world, &run, "target", command, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_file_get_contents (copy, &got, &length, NULL));
  g_assert_cmpmem (got, length, bytes, 300000);
}

int
main (int argc, char **argv)
{
  static const SshServerOptions program = { .sftp = SSH_SFTP_PROGRAM };
  static const SshServerOptions dropbear = { .is_dropbear = TRUE, .sftp = SSH_SFTP_PROGRAM };
  static const SshServerOptions rsa = { .host_keys = "rsa", .key_set = 7 };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/ssh-fixture/sftp/internal", NULL, test_sftp);
  g_test_add_data_func ("/ssh-fixture/sftp/program", &program, test_sftp);
  g_test_add_data_func ("/ssh-fixture/sftp/dropbear", &dropbear, test_sftp);
  g_test_add_data_func ("/ssh-fixture/sftp/rsa-host-key", &rsa, test_sftp);
  g_test_add_func ("/ssh-fixture/keys", test_keys);
  g_test_add_func ("/ssh-fixture/agent", test_agent);
  g_test_add_func ("/ssh-fixture/jumps", test_jumps);
  g_test_add_func ("/ssh-fixture/changes", test_changes);
  g_test_add_func ("/ssh-fixture/authenticator", test_authenticator);
  g_test_add_func ("/ssh-fixture/authenticator-jump", test_authenticator_jump);
  g_test_add_func ("/ssh-fixture/truth", test_truth);
  return g_test_run ();
}
