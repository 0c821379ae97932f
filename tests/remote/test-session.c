/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chains of sessions against real servers: keys, agent, host keys, jump hosts, time-outs, and that
 * cancelling works at any moment. */

#include "config.h"

#include "remote-test.h"
#include "tsr-remote-error.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* What a program on the other end says: proof that bytes go there and back. */
static char *
run_on (TsrSshChain *chain, const char *command)
{
  ssh_channel channel = ssh_channel_new (chain->session);
  GString *out = g_string_new (NULL);
  char bytes[65536];
  int n;

  g_assert_cmpint (ssh_channel_open_session (channel), ==, SSH_OK);
  g_assert_cmpint (ssh_channel_request_exec (channel, command), ==, SSH_OK);
  while ((n = ssh_channel_read (channel, bytes, sizeof bytes, 0)) > 0)
    g_string_append_len (out, bytes, n);
  ssh_channel_free (channel);
  return g_string_free (out, FALSE);
}

static TsrSshChain *
connect_to (RemoteTest *f, TsrSshHost *host, GError **error)
{
  return remote_test_connect (f, test_hosts_new (host, NULL), NULL, error);
}

static void
assert_works (TsrSshChain *chain)
{
  g_autofree char *said = run_on (chain, "echo $((6 * 7))");

  g_assert_cmpstr (said, ==, "42\n");
}

static void
assert_in (const char *text, const char *part)
{
  if (!strstr (text, part))
    g_error ("no \"%s\" in: %s", part, text);
}

/* Files, sockets and pipes; not the events by which GLib wakes its threads, which come and go with
 * them. */
static guint
count_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *file = g_file_read_link (path, NULL);

      n += file == NULL || !g_str_has_prefix (file, "anon_inode:");
    }
  return n;
}

/* What failed has closed all it had opened; the servers' threads may take a moment, and open a file
 * for another. */
static void
check_files_closed (guint before)
{
  guint n = count_files ();

  for (guint i = 0; i < 500 && n > before; i++)
    {
      g_usleep (10000);
      n = count_files ();
    }
  g_assert_cmpuint (n, <=, before);
}

/* Of @file: after a wrong one a second time, and by another login; NULL: of none. */
static void
check_passphrases (RemoteTest *f, SshServer *server, const char *file)
{
  static const char format[]
      = "passphrase tester@t:PORT 1/1 attempt 1 %1$s: Passphrase of the key %1$s\n"
        "passphrase tester@t:PORT 1/1 attempt 2 %1$s: Passphrase of the key %1$s\n"
        "passphrase tester@t:PORT 1/1 attempt 1 %1$s: Passphrase of the key %1$s\n";
  g_autofree char *name = file != NULL ? g_path_get_basename (file) : NULL;
  g_autofree char *asked = name != NULL ? g_strdup_printf (format, name) : g_strdup ("");

  remote_test_check_asked (f, server, asked);
}

static void
test_key (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  ssh_world_know (f.world, server, NULL);
  for (int key = 0; key < SSH_N_KEYS; key++)
    {
      const char *file = ssh_world_get_key (f.world, key);
      gboolean locked = key == SSH_KEY_ENCRYPTED || key == SSH_KEY_PEM;

      if (locked)
        {
          script_asker_expect (f.asker, TSR_QUESTION_PASSPHRASE, "tester@t", "wrong");
          script_asker_expect (f.asker, TSR_QUESTION_PASSPHRASE, "tester@t", SSH_PASSPHRASE);
        }
      chain = connect_to (&f, test_host_new (f.world, server, "t", file), &error);
      if (key == SSH_KEY_STRANGER)
        {
          g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH);
          assert_in (error->message, "publickey");
          assert_in (error->message, file);
          g_clear_error (&error);
          continue;
        }
      g_assert_no_error (error);
      assert_works (chain);
      g_clear_pointer (&chain, tsr_ssh_chain_free);
      if (locked)
        {
          /* Nothing is kept: the next login asks again. */
          script_asker_expect (f.asker, TSR_QUESTION_PASSPHRASE, "tester@t", SSH_PASSPHRASE);
          chain = connect_to (&f, test_host_new (f.world, server, "t", file), &error);
          g_assert_no_error (error);
          g_clear_pointer (&chain, tsr_ssh_chain_free);
        }
      check_passphrases (&f, server, locked ? file : NULL);
    }
  assert_in (f.steps->str, "connecting to tester@t:");
}

/* (transfer full): @text with the paths and ports of this run as words. */
static char *
dup_general (RemoteTest *f, SshServer *server, const char *text)
{
  g_autoptr (GString) general = g_string_new (text);
  g_autofree char *port = g_strdup_printf ("%u", ssh_server_get_port (server));

  g_string_replace (general, ssh_world_get_folder (f->world), "FOLDER", 0);
  g_string_replace (general, port, "PORT", 0);
  return g_string_free (g_steal_pointer (&general), FALSE);
}

/* Each file that did not do is told with its reason, in the order in which they were tried. */
static void
test_tried (void)
{
  static const char *const names[]
      = { "missing", "open", "garbage", "folder", "locked", "mistyped", "stranger" };
  static const char expected[]
      = "tester@t:PORT: the server does not let tester in; it takes: publickey; tried: %s"
        "key file FOLDER/open (not used: others may read it; chmod 600 corrects that), "
        "key file FOLDER/garbage (cannot be read), key file FOLDER/locked (no passphrase), "
        "key file FOLDER/mistyped (wrong passphrase), "
        "key file FOLDER/stranger (not accepted); check the user name, and that the key or "
        "password "
        "is the one for this machine";
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;
  char *files[G_N_ELEMENTS (names) + 1] = { NULL };

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  ssh_world_know (f.world, server, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      static const int keys[]
          = { -1, SSH_KEY_ED25519, -1, -1, SSH_KEY_ENCRYPTED, SSH_KEY_ENCRYPTED, SSH_KEY_STRANGER };
      g_autofree char *text = g_strdup ("no key");

      files[i] = g_build_filename (ssh_world_get_folder (f.world), names[i], NULL);
      if (keys[i] >= 0)
        {
          g_free (g_steal_pointer (&text));
          g_assert_true (
              g_file_get_contents (ssh_world_get_key (f.world, keys[i]), &text, NULL, NULL));
        }
      if (i == 3)
        g_assert_cmpint (g_mkdir (files[i], 0700), ==, 0);
      else if (i > 0)
        g_assert_true (g_file_set_contents_full (files[i], text, -1, G_FILE_SET_CONTENTS_NONE,
                                                 i == 1 ? 0640 : 0600, NULL));
    }
  for (guint told = 0; told < 2; told++)
    {
      TsrSshHost *host = test_host_new (f.world, server, "t", NULL);
      g_autoptr (TsrSshChain) chain = NULL;
      g_autoptr (GError) error = NULL;
      /* Of the usual files most are not there. */
      g_autofree char *whole
          = g_strdup_printf (expected, told ? "key file FOLDER/missing (not there), " : "");
      g_autofree char *text = NULL;

      host->identities_told = told != 0;

      g_strfreev (host->identity_files);
      host->identity_files = g_strdupv (files);
      script_asker_expect (f.asker, TSR_QUESTION_PASSPHRASE, "tester@t", "");
      for (guint i = 0; i < 3; i++)
        script_asker_expect (f.asker, TSR_QUESTION_PASSPHRASE, "tester@t", "wrong");
      chain = connect_to (&f, host, &error);
      g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH);
      text = dup_general (&f, server, error->message);
      g_assert_cmpstr (text, ==, whole);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (files[i]);
}

static void
test_agent (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  TsrSshHost *host;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  ssh_world_know (f.world, server, NULL);
  for (int round = 0; round < 3; round++)
    {
      host = test_host_new (f.world, server, "t", NULL);
      host->identities_only = round == 2;
      g_free (host->identity_agent);
      host->identity_agent = g_strdup (ssh_world_get_agent (f.world));
      if (round == 1)
        {
          ssh_world_add_to_agent (f.world, ssh_world_get_key (f.world, SSH_KEY_STRANGER));
          ssh_world_add_to_agent (f.world, ssh_world_get_key (f.world, SSH_KEY_RSA));
        }
      chain = connect_to (&f, host, &error);
      if (round == 1)
        {
          g_assert_no_error (error);
          assert_works (chain);
          g_clear_pointer (&chain, tsr_ssh_chain_free);
        }
      else /* an empty agent; keys that no file tells of */
        g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH);
      g_clear_error (&error);
    }
  /* Told by its public half alone: the private one is in the agent. */
  {
    g_autofree char *file = g_build_filename (ssh_world_get_folder (f.world), "only", NULL);
    g_autofree char *public = g_strconcat (file, ".pub", NULL);
    g_autofree char *from = g_strconcat (ssh_world_get_key (f.world, SSH_KEY_RSA), ".pub", NULL);
    g_autofree char *text = NULL;

    g_assert_true (g_file_get_contents (from, &text, NULL, NULL));
    g_assert_true (g_file_set_contents (public, text, -1, NULL));
    host = test_host_new (f.world, server, "t", file);
    g_free (host->identity_agent);
    host->identity_agent = g_strdup (ssh_world_get_agent (f.world));
    chain = connect_to (&f, host, &error);
    g_assert_no_error (error);
    assert_works (chain);
  }
}

/* A certificate is used with its own key, and one of another key is left alone. */
static void
test_certificate (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *authority = NULL, *public = NULL, *lines = NULL, *key = NULL, *cert = NULL,
                  *other = NULL;
  SshServer *server;
  TsrSshHost *host;

  if (!remote_test_set_up (&f))
    return;
  authority = g_build_filename (ssh_world_get_folder (f.world), "authority", NULL);
  key = g_build_filename (ssh_world_get_folder (f.world), "certified", NULL);
  other = g_build_filename (ssh_world_get_folder (f.world), "other", NULL);
  g_free (ssh_world_run (f.world, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", authority,
                         NULL));
  g_free (ssh_world_run (f.world, "ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", key, NULL));
  g_free (
      ssh_world_run (f.world, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", other, NULL));
  public = g_strconcat (key, ".pub", NULL);
  g_free (ssh_world_run (f.world, "ssh-keygen", "-q", "-s", authority, "-I", "me", "-n", SSH_USER,
                         public, NULL));
  cert = g_strconcat (key, "-cert.pub", NULL);
  lines = g_strdup_printf ("TrustedUserCAKeys %s.pub", authority);
  server = ssh_server_new (f.world, &(SshServerOptions){ .lines = lines });
  ssh_world_know (f.world, server, NULL);
  for (int round = 0; round < 3; round++)
    {
      g_autofree char *elsewhere
          = g_build_filename (ssh_world_get_folder (f.world), "elsewhere-cert.pub", NULL);

      host = test_host_new (f.world, server, "t", round == 2 ? other : key);
      if (round == 1) /* told by CertificateFile, not beside the key, which the agent has as well */
        {
          g_assert_cmpint (g_rename (cert, elsewhere), ==, 0);
          ssh_world_add_to_agent (f.world, key);
          g_free (host->identity_agent);
          host->identity_agent = g_strdup (ssh_world_get_agent (f.world));
        }
      if (round > 0)
        {
          g_strfreev (host->certificate_files);
          host->certificate_files = g_strdupv ((char *[]){ elsewhere, NULL });
        }
      chain = connect_to (&f, host, &error);
      if (round == 2)
        {
          g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_AUTH);
          break;
        }
      g_assert_no_error (error);
      assert_works (chain);
      g_clear_pointer (&chain, tsr_ssh_chain_free);
    }
}

static void
test_host_keys (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL, *second = NULL, *line = NULL, *text = NULL, *host_key = NULL;
  g_autofree char *asked = NULL;
  const char *key;
  TsrSshHost *host;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  key = ssh_world_get_key (f.world, SSH_KEY_ED25519);
  first = ssh_server_dup_fingerprint (server, "ed25519");
  /* Unknown and not accepted, then accepted and written down, then known. */
  chain = connect_to (&f, test_host_new (f.world, server, "t", key), &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN);
  assert_in (error->message, first);
  g_clear_error (&error);
  script_asker_set_host_key (f.asker, TSR_HOST_KEY_SAVE);
  for (int i = 0; i < 2; i++)
    {
      chain = connect_to (&f, test_host_new (f.world, server, "t", key), &error);
      g_assert_no_error (error);
      g_clear_pointer (&chain, tsr_ssh_chain_free);
    }
  asked
      = g_strdup_printf ("host-key tester@t:PORT 1/1 [127.0.0.1]:PORT ssh-ed25519 %1$s known_hosts"
                         " tunnel\n"
                         "host-key tester@t:PORT 1/1 [127.0.0.1]:PORT ssh-ed25519 %1$s known_hosts"
                         " tunnel\n",
                         first);
  remote_test_check_asked (&f, server, asked);
  /* By its name it is this machine, too; with an alias it is another one. */
  script_asker_set_host_key (f.asker, TSR_HOST_KEY_NO);
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *wanted = g_strdup_printf (
          i == 0 ? "host-key tester@t:PORT 1/1 [localhost]:PORT ssh-ed25519 %s known_hosts tunnel\n"
                 : "host-key tester@t:PORT 1/1 [node]:22 ssh-ed25519 %s known_hosts\n",
          first);

      host = test_host_new (f.world, server, "t", key);
      g_free (host->host_name);
      host->host_name = g_strdup ("LocalHost");
      host->host_key_alias = i == 0 ? NULL : g_strdup ("node");
      g_assert_null (connect_to (&f, host, &error));
      g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_UNKNOWN);
      g_clear_error (&error);
      remote_test_check_asked (&f, server, wanted);
    }
  script_asker_set_host_key (f.asker, TSR_HOST_KEY_SAVE);
  /* Changed: refused without a question, with both fingerprints, and what an alias is for. */
  ssh_server_set_options (server, &(SshServerOptions){ .key_set = 1 });
  second = ssh_server_dup_fingerprint (server, "ed25519");
  chain = connect_to (&f, test_host_new (f.world, server, "t", key), &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_CHANGED);
  assert_in (error->message, first);
  assert_in (error->message, second);
  assert_in (error->message, ssh_world_get_known_hosts (f.world));
  assert_in (error->message, "alias");
  g_clear_error (&error);
  /* With an alias the same port is another machine. */
  host = test_host_new (f.world, server, "t", key);
  host->host_key_alias = g_strdup ("gc-poplar-02");
  chain = connect_to (&f, host, &error);
  g_assert_no_error (error);
  g_clear_pointer (&chain, tsr_ssh_chain_free);
  g_assert_true (g_file_get_contents (ssh_world_get_known_hosts (f.world), &text, NULL, NULL));
  assert_in (text, "gc-poplar-02 ssh-ed25519 ");
  /* Revoked wins over known. */
  host_key = ssh_server_dup_host_key (server, "ed25519");
  line = g_strdup_printf ("@revoked * %s\n", host_key);
  ssh_world_add_known (f.world, line);
  host = test_host_new (f.world, server, "t", key);
  host->host_key_alias = g_strdup ("gc-poplar-02");
  chain = connect_to (&f, host, &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_REVOKED);
}

/* Of two types the known one is asked for; of another type only is refused. */
static void
test_host_key_types (void)
{
  static const SshServerOptions both = { .host_keys = "ed25519 ecdsa rsa" };
  static const SshServerOptions one = { .host_keys = "ed25519" };
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *rsa = NULL, *line = NULL;
  const char *key;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, &both);
  key = ssh_world_get_key (f.world, SSH_KEY_ED25519);
  rsa = ssh_server_dup_host_key (server, "rsa");
  line = g_strdup_printf ("[127.0.0.1]:%u %s\n", ssh_server_get_port (server), rsa);
  ssh_world_add_known (f.world, line);
  chain = connect_to (&f, test_host_new (f.world, server, "t", key), &error);
  g_assert_no_error (error);
  g_clear_pointer (&chain, tsr_ssh_chain_free);
  ssh_server_set_options (server, &one);
  chain = connect_to (&f, test_host_new (f.world, server, "t", key), &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_CHANGED);
  remote_test_check_asked (&f, server, "");
}

/* Lists that add to the usual ones, as many an ssh_config has them; and one that has nothing. */
static void
test_algorithms (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (GError) error = NULL;
  SshServer *server;
  guint n_files;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  ssh_world_know (f.world, server, NULL);
  for (int round = 0; round < 4; round++)
    {
      static const char *const signs[]
          = { "+ssh-rsa", "^rsa-sha2-512", "-ssh-dss,*nistp521", "none" };
      g_autoptr (TsrSshChain) chain = NULL;
      TsrSshHost *host
          = test_host_new (f.world, server, "t",
                           ssh_world_get_key (f.world, round == 1 ? SSH_KEY_RSA : SSH_KEY_ED25519));

      host->host_key_algorithms = g_strdup (round == 3 ? NULL : signs[round]);
      host->pubkey_algorithms = g_strdup (signs[round]);
      host->ciphers = g_strdup (round == 0 ? "-*cbc" : NULL);
      host->kex_algorithms = g_strdup (round == 0 ? "+diffie-hellman-group14-sha1" : NULL);
      n_files = count_files ();
      chain = connect_to (&f, host, &error);
      if (round == 3)
        {
          g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_CONFIG);
          check_files_closed (n_files);
          break;
        }
      g_assert_no_error (error);
      assert_works (chain);
    }
}

#define N_HOPS 3

/* Servers with keys of their own, known. */
static void
add_hops (RemoteTest *f, SshServer **servers)
{
  for (guint i = 0; i < N_HOPS; i++)
    {
      servers[i] = ssh_server_new (f->world, &(SshServerOptions){ .key_set = i });
      ssh_world_know (f->world, servers[i], NULL);
    }
}

/* Over the first @n of them, with an encrypted key whose passphrase is asked for once. */
static TsrSshChain *
connect_over (RemoteTest *f, SshServer **servers, guint n, GError **error)
{
  GPtrArray *hosts = test_hosts_new (NULL, NULL);
  TsrSshChain *chain;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *alias = g_strdup_printf ("hop%u", i);

      g_ptr_array_add (hosts, test_host_new (f->world, servers[i], alias,
                                             ssh_world_get_key (f->world, SSH_KEY_ENCRYPTED)));
    }
  script_asker_expect (f->asker, TSR_QUESTION_PASSPHRASE, "tester@hop0", SSH_PASSPHRASE);
  chain = remote_test_connect (f, hosts, NULL, error);
  g_assert_cmpuint (script_asker_get_n_left (f->asker), ==, 0);
  return chain;
}

/* Nothing more comes, and who waits for it is told. */
static void
assert_ends (int fd)
{
  struct pollfd polled = { fd, POLLIN, 0 };
  char bytes[4096];

  do
    g_assert_cmpint (poll (&polled, 1, 10000), ==, 1);
  while (recv (fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0);
}

static void
test_jumps (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  SshServer *servers[N_HOPS];

  if (!remote_test_set_up (&f))
    return;
  add_hops (&f, servers);
  for (guint round = 0; round < 2; round++)
    {
      g_autofree char *big = NULL;

      chain = connect_over (&f, servers, N_HOPS, &error);
      g_assert_no_error (error);
      assert_works (chain);
      remote_test_check_asked (&f, servers[0],
                               "passphrase tester@hop0:PORT 1/3 attempt 1 id_encrypted: "
                               "Passphrase of the key id_encrypted\n");
      /* More than any window or queue holds, through all of them. */
      big = run_on (chain, "head -c 50000000 /dev/zero | tr '\\0' x");
      g_assert_cmpuint (strlen (big), ==, 50000000);
      /* The target's end is seen through all of them. */
      ssh_server_kill (servers[N_HOPS - 1]);
      assert_ends (chain->fd);
      g_clear_pointer (&chain, tsr_ssh_chain_free);
      /* Next: new keys are agreed on in the middle of it. */
      for (guint i = 0; i < N_HOPS; i++)
        ssh_server_set_options (servers[i],
                                &(SshServerOptions){ .key_set = i, .lines = "RekeyLimit 5M" });
    }
}

/* What the last of @n hops shows when a shell runs @script in its place. */
static char *
dup_strange_words (RemoteTest *f, SshServer **servers, guint n, const char *script)
{
  const char *const program[] = { "/bin/sh", "-c", script, NULL };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;

  ssh_server_set_options (servers[n - 1], &(SshServerOptions){ .program = program });
  if (n == 1)
    chain = connect_to (
        f, test_host_new (f->world, servers[0], "t", ssh_world_get_key (f->world, SSH_KEY_ED25519)),
        &error);
  else
    chain = connect_over (f, servers, n, &error);
  g_assert_nonnull (error);
  return g_strdup (error->message);
}

/* An address of this machine is a tunnel's end here, and just an address behind a jump host. */
static void
test_tunnel_words (void)
{
  g_auto (RemoteTest) f = { 0 };
  static const char *const scripts[] = { "exit 0", "printf 'HTTP/1.1 400 Bad Request\\r\\n'",
                                         "printf '220 mail\\r\\n'", "printf '\\001\\002\\003'" };
  SshServer *servers[N_HOPS];

  if (!remote_test_set_up (&f))
    return;
  for (guint i = 0; i < N_HOPS; i++)
    servers[i] = ssh_server_new (f.world, &(SshServerOptions){ .key_set = i });
  script_asker_set_host_key (f.asker, TSR_HOST_KEY_SAVE);
  /* Unknown, then known with the keys of others. */
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (TsrSshChain) chain = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *log = NULL;
      g_auto (GStrv) lines = NULL;

      ssh_server_set_options (servers[N_HOPS - 1],
                              &(SshServerOptions){ .key_set = round == 1 ? 7 : N_HOPS - 1 });
      chain = connect_over (&f, servers, N_HOPS, &error);
      log = script_asker_dup_log (f.asker);
      lines = g_strsplit (log, "\n", -1);
      if (round == 0)
        {
          g_assert_no_error (error);
          for (guint i = 0, hop = 0; lines[i] != NULL; i++)
            if (g_str_has_prefix (lines[i], "host-key "))
              g_assert_cmpint (g_str_has_suffix (lines[i], " tunnel"), ==, ++hop == 1);
        }
      else
        {
          g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_HOST_KEY_CHANGED);
          g_assert_null (strstr (error->message, "tunnel"));
        }
    }
  /* Nor is a tunnel spoken of where something else than ssh listens behind a jump host. */
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *behind = dup_strange_words (&f, servers, 2, scripts[i]);

      g_test_message ("%s", behind);
      assert_in (behind, "check the port");
      g_assert_null (strstr (behind, "tunnel"));
    }
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *here = dup_strange_words (&f, servers, 1, scripts[i]);

      assert_in (here, "tunnel");
    }
}

/* The jump host does not forward; then the next one refuses: each names its hop. */
static void
test_jumps_refused (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  SshServer *servers[N_HOPS];

  if (!remote_test_set_up (&f))
    return;
  add_hops (&f, servers);
  ssh_server_set_options (servers[0], &(SshServerOptions){ .lines = "AllowTcpForwarding no" });
  chain = connect_over (&f, servers, 2, &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK);
  assert_in (error->message, "hop 1 of 2");
  assert_in (error->message, "not allow forwarding");
  g_clear_error (&error);
  ssh_server_set_options (servers[0], NULL);
  ssh_server_refuse (servers[1]);
  chain = connect_over (&f, servers, 2, &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_REFUSED);
  g_clear_error (&error);
  /* A name that the jump host does not know. */
  {
    const char *key = ssh_world_get_key (f.world, SSH_KEY_ED25519);
    TsrSshHost *next = test_host_new (f.world, servers[1], "hop1", key);

    g_free (next->host_name);
    next->host_name = g_strdup ("no..name");
    chain = remote_test_connect (
        &f, test_hosts_new (test_host_new (f.world, servers[0], "hop0", key), next, NULL), NULL,
        &error);
    g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNKNOWN_HOST);
    assert_in (error->message, "cannot connect to no..name port");
  }
}

static gint64
time_answers (TsrSshChain *chain)
{
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < 30; i++)
    {
      g_autofree char *big = run_on (chain, "head -c 200000 /dev/zero | tr '\\0' x");

      g_assert_cmpuint (strlen (big), ==, 200000);
    }
  return g_get_monotonic_time () - start;
}

/* An answer of several packets comes over a jump host as it comes without one: its sshd waits with
 * the second one until we have acknowledged the first. */
static void
test_jump_speed (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *servers[2];
  const char *key;
  gint64 least = G_MAXINT64, direct = 0, more;
  clock_t idle;

  if (!remote_test_set_up (&f))
    return;
  key = ssh_world_get_key (f.world, SSH_KEY_ED25519);
  for (guint i = 0; i < 2; i++)
    {
      servers[i] = ssh_server_new (f.world, &(SshServerOptions){ .key_set = i });
      ssh_world_know (f.world, servers[i], NULL);
    }
  for (guint i = 0; i < 3; i++)
    {
      TsrSshHost *gate = test_host_new (f.world, servers[0], "gate", key);
      TsrSshHost *node = test_host_new (f.world, servers[1], "node", key);
      TsrSshHost *alone = test_host_new (f.world, servers[1], "node", key);
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrSshChain) straight = connect_to (&f, alone, &error);
      g_autoptr (TsrSshChain) chain = NULL;

      g_assert_no_error (error);
      chain = remote_test_connect (&f, test_hosts_new (gate, node, NULL), NULL, &error);
      g_assert_no_error (error);
      direct = time_answers (straight);
      more = time_answers (chain) - direct;
      least = MIN (least, more);
      /* Who leads its bytes on waits for some. */
      idle = clock ();
      g_usleep (200000);
      g_assert_cmpfloat ((double)(clock () - idle) / CLOCKS_PER_SEC, <, 0.1);
    }
  g_test_message ("30 answers: %.0f ms directly, %.0f ms more over a jump host", direct / 1e3,
                  least / 1e3);
  /* 40 ms each, and more. */
  g_assert_cmpint (least, <, 600000);
}

static void
test_errors (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  const char *key;
  TsrSshHost *host;
  SshServer *server;
  gint64 start;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  ssh_world_know (f.world, server, NULL);
  key = ssh_world_get_key (f.world, SSH_KEY_ED25519);
  ssh_server_refuse (server);
  chain = connect_to (&f, test_host_new (f.world, server, "t", key), &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_REFUSED);
  g_clear_error (&error);
  ssh_server_listen (server);
  ssh_server_set_silent (server, TRUE);
  host = test_host_new (f.world, server, "t", key);
  host->connect_timeout_s = 1;
  start = g_get_monotonic_time ();
  chain = connect_to (&f, host, &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_TIMEOUT);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
  g_clear_error (&error);
  host = test_host_new (f.world, server, "t", key);
  g_free (host->host_name);
  host->host_name = g_strdup ("no-such-machine.invalid");
  chain = connect_to (&f, host, &error);
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_UNKNOWN_HOST);
}

/* What listens at a port that is no ssh server's, what is said of it, and by when. */
typedef struct
{
  const char
      *script; /* of a shell, with the connection as input and output; NULL: nothing at all */
  TsrRemoteError code;
  const char *said;
} Stranger;

static const Stranger strangers[] = {
  { "head -c 10 >/dev/null; printf '<!DOCTYPE HTML>\\n<html>\\n'", TSR_REMOTE_ERROR_NOT_SSH,
    "a web server listens" },
  { "head -c 10 >/dev/null; printf 'HTTP/1.1 400 Bad Request\\r\\nServer: x\\r\\n\\r\\n<html>\\n'",
    TSR_REMOTE_ERROR_NOT_SSH, "a web server listens" },
  { "printf 'HTTP/1.0 408 Request Time-out\\r\\n\\r\\n'", TSR_REMOTE_ERROR_NOT_SSH,
    "a web server listens" },
  { "printf '220 mail.lab.org ESMTP\\033[2J\\r\\n'; sleep 90", TSR_REMOTE_ERROR_NOT_SSH,
    "(it says “220 mail.lab.org ESMTP[2J”)" },
  { "printf '\\025\\003\\001\\000\\002\\002\\026'", TSR_REMOTE_ERROR_NOT_SSH, "is not text" },
  /* A quarter of it are no letters, and more than a quarter. */
  { "printf 'hello \\001\\002\\003 12\\r\\n'; sleep 90", TSR_REMOTE_ERROR_NOT_SSH,
    "(it says “hello  12”)" },
  { "printf 'hello \\001\\002\\003 1\\r\\n'; sleep 90", TSR_REMOTE_ERROR_NOT_SSH, "is not text" },
  { "head -c 300000 /dev/zero | tr '\\0' 'x'; sleep 90", TSR_REMOTE_ERROR_NOT_SSH,
    "(it says “xxxxxx" },
  { "head -c 300000 /dev/zero | tr '\\0' '\\377'", TSR_REMOTE_ERROR_NOT_SSH,
    "is not an ssh server" },
  { "exit 0", TSR_REMOTE_ERROR_NETWORK, "closes it at once" },
  { "printf 'Exceeded MaxStartups\\r\\n'", TSR_REMOTE_ERROR_NETWORK,
    "accepts no more connections now (“Exceeded MaxStartups”)" },
  { "printf 'SSH-1.5-old\\r\\n'; sleep 90", TSR_REMOTE_ERROR_PROTOCOL, "older protocol" },
  { NULL, TSR_REMOTE_ERROR_TIMEOUT, "says nothing" },
};

static void
test_strangers (void)
{
  g_auto (RemoteTest) f = { 0 };
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (strangers); i++)
    {
      const char *const program[] = { "/bin/sh", "-c", strangers[i].script, NULL };
      TsrSshHost *host
          = test_host_new (f.world, server, "t", ssh_world_get_key (f.world, SSH_KEY_ED25519));
      g_autofree char *where = g_strdup_printf ("127.0.0.1 port %u", ssh_server_get_port (server));
      g_autoptr (TsrSshChain) chain = NULL;
      g_autoptr (GError) error = NULL;
      gint64 start = g_get_monotonic_time ();
      const guint n_files = count_files ();

      if (strangers[i].script != NULL)
        ssh_server_set_options (server, &(SshServerOptions){ .program = program });
      else
        ssh_server_set_silent (server, TRUE);
      host->connect_timeout_s = 5;
      chain = connect_to (&f, host, &error);
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_error (error, TSR_REMOTE_ERROR, (int)strangers[i].code);
      assert_in (error->message, strangers[i].said);
      if (strangers[i].code != TSR_REMOTE_ERROR_PROTOCOL)
        assert_in (error->message, where);
      g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_cmpuint (strlen (error->message), <, 800);
      /* The first one starts threads of GLib; one that is silent is kept by the server. */
      if (i > 0 && strangers[i].script != NULL)
        check_files_closed (n_files);
    }
}

typedef struct
{
  RemoteTest *test;
  gboolean is_asked; /* when somebody is asked, or else at some time or other */
  gint64 when;
} Cancel;

static gpointer
cancel_thread (gpointer data)
{
  Cancel *cancel = data;

  if (cancel->is_asked)
    script_asker_wait_asked (cancel->test->asker);
  else
    g_usleep (300000);
  cancel->when = g_get_monotonic_time ();
  g_cancellable_cancel (cancel->test->cancellable);
  return NULL;
}

/* While the server says nothing, and while the user is asked for a host key or a passphrase. */
static void
test_cancel (void)
{
  g_auto (RemoteTest) f = { 0 };
  g_autoptr (TsrSshChain) chain = NULL;
  g_autoptr (GError) error = NULL;
  SshServer *server;

  if (!remote_test_set_up (&f))
    return;
  server = ssh_server_new (f.world, NULL);
  for (int round = 0; round < 3; round++)
    {
      const char *key
          = ssh_world_get_key (f.world, round == 2 ? SSH_KEY_ENCRYPTED : SSH_KEY_ED25519);
      Cancel cancel = { .test = &f, .is_asked = round > 0 };
      GThread *thread;

      ssh_server_set_silent (server, round == 0);
      if (round == 2)
        ssh_world_know (f.world, server, NULL);
      if (round > 0)
        script_asker_expect_silence (f.asker);
      thread = g_thread_new ("cancel", cancel_thread, &cancel);
      chain = connect_to (&f, test_host_new (f.world, server, "t", key), &error);
      g_thread_join (thread);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpint (g_get_monotonic_time () - cancel.when, <, 10 * G_USEC_PER_SEC);
      g_assert_cmpuint (script_asker_get_n_left (f.asker), ==, 0);
      g_clear_error (&error);
      g_clear_object (&f.cancellable);
      f.cancellable = g_cancellable_new ();
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/key", test_key);
  g_test_add_func ("/session/tried", test_tried);
  g_test_add_func ("/session/agent", test_agent);
  g_test_add_func ("/session/certificate", test_certificate);
  g_test_add_func ("/session/host-keys", test_host_keys);
  g_test_add_func ("/session/host-key-types", test_host_key_types);
  g_test_add_func ("/session/algorithms", test_algorithms);
  g_test_add_func ("/session/jumps", test_jumps);
  g_test_add_func ("/session/tunnel-words", test_tunnel_words);
  g_test_add_func ("/session/jumps-refused", test_jumps_refused);
  g_test_add_func ("/session/jump-speed", test_jump_speed);
  g_test_add_func ("/session/errors", test_errors);
  g_test_add_func ("/session/strangers", test_strangers);
  g_test_add_func ("/session/cancel", test_cancel);
  return g_test_run ();
}
