/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The world of ssh-fixture.h: its folder with keys, ssh_config and known_hosts, and its agent. */

#include "config.h"

#include "ssh-fixture-private.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --------------------------------------------------------------- processes */

void
ssh_fixture_set_up_child (gpointer data)
{
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static char *
run (SshWorld *world, const char *const *words, const char *agent)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL, *err = NULL, *all = NULL;
  g_auto (GStrv) env = g_get_environ ();
  int status = 0;

  env = g_environ_setenv (env, "HOME", world->folder, TRUE);
  if (agent != NULL)
    env = g_environ_setenv (env, "SSH_AUTH_SOCK", agent, TRUE);
  g_spawn_sync (world->folder, (char **)words, env, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err,
                &status, &error);
  g_assert_no_error (error);
  all = g_strjoinv (" ", (char **)words);
  if (status != 0)
    g_error ("%s: status %d: %s%s", all, status, out, err);
  return g_steal_pointer (&out);
}

char *
ssh_world_run (SshWorld *world, const char *first, ...)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  const char *word;
  va_list args;

  va_start (args, first);
  for (word = first; word != NULL; word = va_arg (args, const char *))
    g_ptr_array_add (words, (char *)word);
  va_end (args);
  g_ptr_array_add (words, NULL);
  return run (world, (const char *const *)words->pdata, NULL);
}

void
ssh_fixture_append (const char *path, const char *text)
{
  FILE *file = fopen (path, "a");

  g_assert_nonnull (file);
  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

char *
ssh_fixture_read (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* ------------------------------------------------------------------- world */

/* The machine's own, or what ./dev unpacked. */
static void
find_sshd (SshWorld *world)
{
  const char *unpacked = g_getenv ("TSR_TEST_OPENSSH");
  GString *lines = g_string_new (NULL);
  static const char *const helpers[][2]
      = { { "SshdSessionPath", "sshd-session" }, { "SshdAuthPath", "sshd-auth" } };

  if (g_file_test ("/usr/sbin/sshd", G_FILE_TEST_IS_EXECUTABLE))
    world->sshd = g_strdup ("/usr/sbin/sshd");
  else if (unpacked != NULL)
    {
      world->sshd = g_build_filename (unpacked, "usr/sbin/sshd", NULL);
      if (!g_file_test (world->sshd, G_FILE_TEST_IS_EXECUTABLE))
        g_clear_pointer (&world->sshd, g_free);
      /* From 9.8 on it is several programs. */
      for (guint i = 0; i < G_N_ELEMENTS (helpers); i++)
        {
          g_autofree char *path
              = g_build_filename (unpacked, "usr/lib/openssh", helpers[i][1], NULL);

          if (g_file_test (path, G_FILE_TEST_EXISTS))
            g_string_append_printf (lines, "%s \"%s\"\n", helpers[i][0], path);
        }
    }
  world->sshd_lines = g_string_free (lines, FALSE);
}

static void
make_folder (const char *path)
{
  g_assert_cmpint (g_mkdir_with_parents (path, 0755), ==, 0);
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

SshWorld *
ssh_world_new (void)
{
  g_autoptr (SshWorld) world = g_new0 (SshWorld, 1);
  g_autofree char *users = NULL, *empty = NULL;

  world->servers = g_ptr_array_new ();
  find_sshd (world);
  if (world->sshd == NULL)
    {
      g_test_skip ("there is no sshd: neither openssh-server nor what ./dev test unpacks of it");
      return NULL;
    }
  world->folder = tsr_test_folder_new ();
  g_assert_cmpint (g_chmod (world->folder, 0755), ==, 0);
  world->home = g_build_filename (world->folder, "home", NULL);
  world->config = g_build_filename (world->folder, "ssh_config", NULL);
  world->known_hosts = g_build_filename (world->folder, "known_hosts", NULL);
  world->authorized = g_build_filename (world->folder, "authorized_keys", NULL);
  empty = g_build_filename (world->folder, "empty", NULL);
  make_folder (world->home);
  make_folder (empty);
  ssh_fixture_append (world->config, "");
  ssh_fixture_append (world->authorized, "");
  users = g_strdup_printf ("%s:%u:%u:%s\n%s:65534:65534:%s\n", SSH_USER, (guint)getuid (),
                           (guint)getgid (), world->home, SSH_GUEST, world->home);
  world->env = g_environ_setenv (NULL, "PATH", "/usr/bin:/bin", TRUE);
  world->env = g_environ_setenv (world->env, "LD_PRELOAD", g_getenv ("TSR_TEST_SSH_PASSWD"), TRUE);
  world->env = g_environ_setenv (world->env, "TSR_TEST_PASSWD", users, TRUE);
  world->env = g_environ_setenv (world->env, "TSR_TEST_WORLD", world->folder, TRUE);
  world->env = g_environ_setenv (world->env, "HOME", world->home, TRUE);
  /* For programs of the tests' own that are built so. */
  world->env = g_environ_setenv (world->env, "ASAN_OPTIONS",
                                 "verify_asan_link_order=0:detect_leaks=0", TRUE);
  return g_steal_pointer (&world);
}

void
ssh_world_free (SshWorld *world)
{
  if (world == NULL)
    return;
  for (guint i = world->servers->len; i > 0; i--)
    ssh_server_free (world->servers->pdata[i - 1]);
  g_ptr_array_unref (world->servers);
  if (world->agent_pid != 0)
    {
      kill (world->agent_pid, SIGKILL);
      waitpid (world->agent_pid, NULL, 0);
    }
  if (world->folder != NULL)
    tsr_test_folder_free (world->folder);
  for (guint i = 0; i < SSH_N_KEYS; i++)
    g_free (world->keys[i]);
  g_strfreev (world->env);
  g_free (world->home);
  g_free (world->config);
  g_free (world->known_hosts);
  g_free (world->authorized);
  g_free (world->sshd);
  g_free (world->sshd_lines);
  g_free (world->agent);
  g_free (world);
}

const char *
ssh_world_get_folder (SshWorld *world)
{
  return world->folder;
}

const char *
ssh_world_get_home (SshWorld *world)
{
  return world->home;
}

const char *
ssh_world_get_config (SshWorld *world)
{
  return world->config;
}

const char *
ssh_world_get_known_hosts (SshWorld *world)
{
  return world->known_hosts;
}

const char *
ssh_world_get_key (SshWorld *world, SshKey key)
{
  static const struct
  {
    const char *name, *type, *passphrase;
    const char *format; /* (nullable) */
  } kinds[SSH_N_KEYS] = {
    [SSH_KEY_ED25519] = { "id_ed25519", "ed25519", "", NULL },
    [SSH_KEY_ECDSA] = { "id_ecdsa", "ecdsa", "", NULL },
    [SSH_KEY_RSA] = { "id_rsa", "rsa", "", NULL },
    [SSH_KEY_ENCRYPTED] = { "id_encrypted", "ed25519", SSH_PASSPHRASE, NULL },
    [SSH_KEY_PEM] = { "id_pem", "rsa", SSH_PASSPHRASE, "PEM" },
    [SSH_KEY_STRANGER] = { "id_stranger", "ed25519", "", NULL },
  };
  g_autofree char *path = g_build_filename (world->folder, kinds[key].name, NULL);
  g_autofree char *public_path = g_strconcat (path, ".pub", NULL);

  if (world->keys[key] != NULL)
    return world->keys[key];
  g_free (ssh_world_run (world, "ssh-keygen", "-q", "-t", kinds[key].type, "-C", "tester", "-N",
                         kinds[key].passphrase, "-f", path, kinds[key].format != NULL ? "-m" : NULL,
                         kinds[key].format, NULL));
  if (key != SSH_KEY_STRANGER)
    {
      g_autofree char *text = ssh_fixture_read (public_path);

      ssh_fixture_append (world->authorized, text);
    }
  world->keys[key] = g_steal_pointer (&path);
  return world->keys[key];
}

void
ssh_world_add_host (SshWorld *world, const char *alias, SshServer *server, const char *lines)
{
  g_autofree char *text = g_strdup_printf (
      "Host %s\n%s%s"
      "  HostName 127.0.0.1\n"
      "  Port %u\n"
      "  User " SSH_USER "\n"
      "  IdentityFile %s\n"
      "  IdentitiesOnly yes\n"
      "  IdentityAgent none\n"
      "  UserKnownHostsFile %s\n"
      "  GlobalKnownHostsFile /dev/null\n",
      alias, lines != NULL ? lines : "", lines != NULL ? "\n" : "", ssh_server_get_port (server),
      ssh_world_get_key (world, SSH_KEY_ED25519), world->known_hosts);

  ssh_fixture_append (world->config, text);
}

void
ssh_world_know (SshWorld *world, SshServer *server, const char *name)
{
  static const char *const types[] = { "ed25519", "ecdsa", "rsa" };
  g_autofree char *usual = g_strdup_printf ("[127.0.0.1]:%u", ssh_server_get_port (server));

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = ssh_server_dup_host_key_path (server, types[i]);
      g_autofree char *key = NULL;
      g_autofree char *line = NULL;

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      key = ssh_server_dup_host_key (server, types[i]);
      line = g_strdup_printf ("%s %s\n", name != NULL ? name : usual, key);
      ssh_fixture_append (world->known_hosts, line);
    }
}

void
ssh_world_add_known (SshWorld *world, const char *text)
{
  ssh_fixture_append (world->known_hosts, text);
}

void
ssh_world_hash_known (SshWorld *world)
{
  g_free (ssh_world_run (world, "ssh-keygen", "-H", "-f", world->known_hosts, NULL));
}

const char *
ssh_world_get_agent (SshWorld *world)
{
  const char *words[] = { "ssh-agent", "-D", "-a", NULL, NULL };
  g_autoptr (GError) error = NULL;
  char c;
  int out;

  if (world->agent != NULL)
    return world->agent;
  world->agent = g_build_filename (world->folder, "agent", NULL);
  words[3] = world->agent;
  g_spawn_async_with_pipes (
      world->folder, (char **)words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
      ssh_fixture_set_up_child, NULL, &world->agent_pid, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  /* What it prints comes after it has begun to listen. */
  g_assert_cmpint (read (out, &c, 1), ==, 1);
  close (out);
  return world->agent;
}

void
ssh_world_add_to_agent (SshWorld *world, const char *key)
{
  const char *words[] = { "ssh-add", "-q", key, NULL };

  g_free (run (world, words, ssh_world_get_agent (world)));
}
