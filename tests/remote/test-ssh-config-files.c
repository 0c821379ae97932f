/* SPDX-License-Identifier: GPL-3.0-or-later */

/* ssh_config without ssh to compare with: the way over jump hosts, names to offer, which files are
 * read, and files that are odd, hostile or not there. */

#include "config.h"

#include "ssh-config-test.h"
#include "tsr-remote-error.h"

#include <glib/gstdio.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --------------------------------------------------------------------- way */

static char *
dup_way (const char *text, const char *location, GError **error)
{
  g_autoptr (TsrSshConfig) config = ssh_config_test_load (text, -1, NULL);
  g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (location, NULL);
  g_autoptr (GPtrArray) hosts = tsr_ssh_config_resolve (config, address, error);
  GString *way = g_string_new (NULL);

  g_assert_true ((hosts == NULL) == (*error != NULL));
  for (guint i = 0; hosts != NULL && i < hosts->len; i++)
    {
      const TsrSshHost *host = hosts->pdata[i];

      g_string_append_printf (way, "%s%s@%s:%u%s%s", i > 0 ? " " : "", host->user, host->host_name,
                              host->port, host->host_key_alias != NULL ? "=" : "",
                              host->host_key_alias != NULL ? host->host_key_alias : "");
    }
  return g_string_free (way, FALSE);
}

static void
expect_way (const char *text, const char *location, const char *way)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *got = dup_way (text, location, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (got, ==, way);
}

static void
expect_no_way (const char *text, const char *location, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *got = dup_way (text, location, &error);

  g_assert_cmpstr (got, ==, "");
  g_assert_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_CONFIG);
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_ways (void)
{
  static const char lab[]
      = "Host node\n HostName node.lab.org\n User me\n ProxyJump gate\nHost gate\n HostName "
        "gate.lab.org\n Port 2222\n User g\n ProxyJump outer\nHost outer\n User o\nHost far\n User "
        "f\n ProxyJump outer,gate,me@node:3\n";

  expect_way ("User u\n", "ssh://node/x", "u@node:22");
  expect_way (lab, "ssh://node/x", "o@outer:22 g@gate.lab.org:2222 me@node.lab.org:22");
  expect_way (lab, "ssh://you@node:7/x", "o@outer:22 g@gate.lab.org:2222 you@node.lab.org:7");
  /* What is given counts before the files, and only the first one's own way is gone. */
  expect_way (lab, "ssh://node/x?jump=none", "me@node.lab.org:22");
  expect_way (lab, "ssh://node/x?jump=outer", "o@outer:22 me@node.lab.org:22");
  expect_way (lab, "ssh://node/x?jump=gate", "o@outer:22 g@gate.lab.org:2222 me@node.lab.org:22");
  expect_way (lab, "ssh://far/x", "o@outer:22 g@gate.lab.org:2222 me@node.lab.org:3 f@far:22");
  expect_way (lab, "ssh://node/x?jump=none&alias=known", "me@node.lab.org:22=known");
  expect_way ("HostKeyAlias file\nUser u\n", "ssh://n/x?alias=known", "u@n:22=known");
  expect_way ("User u\nHost t\n ProxyJump %r@%n-gate\n", "ssh://t/x", "u@t-gate:22 u@t:22");

  expect_no_way ("ProxyCommand nc %h %p\n", "ssh://n/x", "ProxyCommand");
  expect_way ("User u\nHost n\n ProxyCommand nc\n", "ssh://n/x?jump=j", "u@j:22 u@n:22");
  expect_way ("User u\nProxyCommand none\n", "ssh://n/x", "u@n:22");
  expect_no_way ("ProxyJump n\n", "ssh://n/x", "leads from n back to itself");
  expect_no_way ("ProxyJump gate\n", "ssh://n/x", "leads from gate back to itself");
  expect_no_way ("Host a\n ProxyJump b\nHost b\n ProxyJump c\nHost c\n ProxyJump a\n", "ssh://a/x",
                 "leads from a back to itself");
  expect_way ("User u\nHost t\n ProxyJump a,b,c\nHost a\n ProxyJump d,e,f,g,h\n", "ssh://t/x",
              "u@d:22 u@e:22 u@f:22 u@g:22 u@h:22 u@a:22 u@b:22 u@c:22 u@t:22");
  expect_no_way ("Host t\n ProxyJump a,b,c\nHost a\n ProxyJump d,e,f,g,h,i\n", "ssh://t/x",
                 "more than 8 jump hosts");
}

static void
test_aliases (void)
{
  g_autoptr (TsrSshConfig) config = ssh_config_test_load (
      "Host b a *.org !c\n Port 2\nHost a d? e@f\nInclude inc1\nMatch host g\nHost z \"q "
      "r\" -o\n",
      -1, NULL);
  g_auto (GStrv) aliases = tsr_ssh_config_dup_aliases (config);
  g_autofree char *text = g_strjoinv (" ", aliases);

  g_assert_cmpstr (text, ==, "b a in z");
}

/* The user's file counts before the system's; neither need be there. */
static void
test_two_files (void)
{
  g_autofree char *user = g_build_filename (ssh_config_test_home, "user", NULL);
  g_autofree char *system = g_build_filename (ssh_config_test_home, "system", NULL);
  g_autofree char *none = g_build_filename (ssh_config_test_home, "none", NULL);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) both = NULL;
  g_autoptr (TsrSshConfig) neither = NULL;
  g_autoptr (TsrSshHost) host = NULL;
  g_autoptr (TsrSshHost) plain = NULL;
  TsrSshHop hop = { NULL, (char *)"a", 0 };

  tsr_test_write (ssh_config_test_home, "user",
                  "Host b\n Port 7\nHost a\n Port 2\n IdentityFile /u\n", -1);
  tsr_test_write (ssh_config_test_home, "system", "Port 3\nUser s\nIdentityFile /s\nInclude ~/x\n",
                  -1);
  both = tsr_ssh_config_load (user, system, diagnostics);
  host = tsr_ssh_config_look_up (both, &hop);
  g_assert_cmpuint (host->port, ==, 2);
  g_assert_cmpstr (host->user, ==, "s");
  g_assert_cmpstr (host->identity_files[0], ==, "/u");
  g_assert_cmpstr (host->identity_files[1], ==, "/s");
  g_assert_true (host->identities_told);
  /* A home folder in the system's file. */
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 1);
  g_assert_cmpstr (tsr_diagnostics_get (diagnostics, 0)->file, ==, system);
  g_assert_cmpint (tsr_diagnostics_get (diagnostics, 0)->row, ==, 4);

  neither = tsr_ssh_config_load (none, none, diagnostics);
  plain = tsr_ssh_config_look_up (neither, &hop);
  g_assert_cmpstr (plain->user, ==, g_get_user_name ());
  g_assert_cmpuint (plain->port, ==, 22);
  g_assert_false (plain->identities_told);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 1);
}

/* Not every OpenSSH has %j: the name of the last jump host. */
static void
test_jump_token (void)
{
  g_autoptr (TsrSshConfig) config = ssh_config_test_load (
      "Host a\n ProxyJump g:7,u@h:8\nHost *\n IdentityFile /k-%j-%%\n", -1, NULL);
  g_autoptr (TsrSshHost) over = NULL;
  g_autoptr (TsrSshHost) straight = NULL;
  TsrSshHop hop = { NULL, (char *)"a", 0 };

  over = tsr_ssh_config_look_up (config, &hop);
  g_assert_cmpstr (over->identity_files[0], ==, "/k-h-%");
  hop.host = (char *)"b";
  straight = tsr_ssh_config_look_up (config, &hop);
  g_assert_cmpstr (straight->identity_files[0], ==, "/k--%");
}

static char *
dup_hash (const char *rest)
{
  char machine[256];
  g_autofree char *text = NULL;

  g_assert_cmpint (gethostname (machine, sizeof machine), ==, 0);
  text = g_strconcat (machine, rest, NULL);
  return g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1);
}

/* Behind a jump host %C has its name in it, by newer ssh: a file of either name is found, and
 * one that is not there has the newer. */
static void
test_hash_token (void)
{
  g_autofree char *newer = dup_hash ("a7uh");
  g_autofree char *older = dup_hash ("a7u");
  g_autofree char *text = g_strdup_printf (
      "Host a\n ProxyJump g,x@h:9\n Port 7\n User u\n UserKnownHostsFile %s/%%C\n",
      ssh_config_test_home);
  g_autoptr (TsrSshConfig) config = ssh_config_test_load (text, -1, NULL);
  TsrSshHop hop = { NULL, (char *)"a", 0 };
  const char *const files[] = { NULL, older, newer };
  const char *const expected[] = { newer, older, newer };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (ssh_config_test_home, expected[i], NULL);
      g_autoptr (TsrSshHost) host = NULL;

      if (files[i] != NULL)
        tsr_test_write (ssh_config_test_home, files[i], "", -1);
      host = tsr_ssh_config_look_up (config, &hop);
      g_assert_cmpstr (host->known_hosts[0], ==, path);
      g_assert_null (host->spare_known_hosts);
    }
  /* Ours beside the usual one. */
  {
    g_autoptr (TsrSshConfig) none = ssh_config_test_load ("Host a\n User u\n", -1, NULL);
    g_autoptr (TsrSshHost) host = tsr_ssh_config_look_up (none, &hop);

    g_assert_true (g_str_has_suffix (host->spare_known_hosts, "/tessera/known_hosts"));
  }
}

/* Without a name: the file in the home folder, unless others may write to it. */
static void
test_usual_file (void)
{
  g_autofree char *file = g_build_filename (ssh_config_test_home, ".ssh", "config", NULL);
  TsrSshHop hop = { NULL, (char *)"a", 0 };

  for (int mode = 0; mode < 0100; mode++)
    {
      const gboolean is_own = (mode & 022) == 0;
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrSshConfig) config = NULL;
      g_autoptr (TsrSshHost) host = NULL;

      tsr_test_write (ssh_config_test_home, ".ssh/config", "Port 42\n", -1);
      g_assert_cmpint (g_chmod (file, 0600 | mode), ==, 0);
      config = tsr_ssh_config_load (NULL, "/dev/null", diagnostics);
      host = tsr_ssh_config_look_up (config, &hop);
      g_assert_cmpuint (host->port, ==, is_own ? 42 : 22);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, !is_own);
    }
  g_unlink (file);
}

/* ----------------------------------------------------------------- hostile */

static guint
get_port (TsrSshConfig *config, const char *name)
{
  g_autoptr (TsrSshHost) host = NULL;
  TsrSshHop hop = { NULL, (char *)name, 0 };

  host = tsr_ssh_config_look_up (config, &hop);
  return host->port;
}

/* Longer than any name, a word is none. */
static void
test_longest_word (void)
{
  for (guint length = 1023; length <= 1025; length++)
    {
      g_autofree char *word = g_strnfill (length, 'u');
      g_autofree char *text = g_strdup_printf ("User %s\n", word);
      g_autoptr (TsrSshConfig) config = ssh_config_test_load (text, -1, NULL);
      TsrSshHop hop = { NULL, (char *)"a", 0 };
      g_autoptr (TsrSshHost) host = tsr_ssh_config_look_up (config, &hop);

      g_assert_cmpstr (host->user, ==, length <= 1024 ? word : g_get_user_name ());
    }
}

/* A name for host keys has no letter that means something in known_hosts. */
static void
test_odd_aliases (void)
{
  for (const char *c = "- ,*?!#|@"; *c != '\0'; c++)
    {
      g_autofree char *text = g_strdup_printf ("HostKeyAlias \"a%cb\"\n", *c);
      g_autoptr (TsrSshConfig) config = ssh_config_test_load (text, -1, NULL);
      TsrSshHop hop = { NULL, (char *)"a", 0 };
      g_autoptr (TsrSshHost) host = tsr_ssh_config_look_up (config, &hop);

      g_assert_cmpstr (host->host_key_alias, ==, *c == '-' ? "a-b" : NULL);
    }
}

static void
test_odd_bytes (void)
{
  static const char text[]
      = "\xef\xbb\xbfHost a\r\n Port 2\r\nHost b\0 c\n Port 3\nHost \xff\xfe\n Port 4\nUser "
        "\xff\nHostName \xfe\n\x01\x02 x\nIdentityFile /k\xff\nHost d\n Port 5\0\nUser \x1b[0m\n";
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) config = ssh_config_test_load (text, sizeof text - 1, diagnostics);
  g_autoptr (TsrSshHost) host = NULL;
  TsrSshHop hop = { NULL, (char *)"d", 0 };

  g_assert_cmpuint (get_port (config, "a"), ==, 2);
  g_assert_cmpuint (get_port (config, "b"), ==, 3);
  g_assert_cmpuint (get_port (config, "c"), ==, 22);
  g_assert_cmpuint (get_port (config, "\xff\xfe"), ==, 4);
  host = tsr_ssh_config_look_up (config, &hop);
  g_assert_cmpuint (host->port, ==, 5);
  g_assert_true (g_utf8_validate (host->user, -1, NULL));
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_assert_true (g_utf8_validate (tsr_diagnostics_get (diagnostics, i)->text, -1, NULL));
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 4);
}

static void
test_not_files (void)
{
  g_autofree char *pipe = g_build_filename (ssh_config_test_home, "pipe", NULL);
  g_autofree char *closed = g_build_filename (ssh_config_test_home, "closed", NULL);
  const char *const files[] = { ssh_config_test_home, "/dev/zero", pipe, closed, "/dev/null/x" };

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  tsr_test_write (ssh_config_test_home, "closed", "Port 2\n", -1);
  g_assert_cmpint (g_chmod (closed, 0), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrSshConfig) config = tsr_ssh_config_load (files[i], "/dev/null", diagnostics);

      g_assert_cmpuint (get_port (config, "a"), ==, 22);
      if (i < 2 || i == 3)
        g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 1);
    }
}

/* A path that cannot be used takes no other with it. */
static void
test_include_nothing (void)
{
  g_autofree char *text = g_strdup_printf ("Include \"\" %s/more\nUser u\n", ssh_config_test_home);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) config = NULL;

  tsr_test_write (ssh_config_test_home, "more", "Port 9\n", -1);
  config = ssh_config_test_load (text, -1, diagnostics);
  g_assert_cmpuint (get_port (config, "a"), ==, 9);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 1);
}

/* Files that include themselves, each other, everything; a pattern over the whole disk. */
static void
test_include_loops (void)
{
  g_autofree char *folder = g_build_filename (ssh_config_test_home, "many", NULL);
  g_autofree char *all = g_strdup_printf ("Include %s/*\nInclude %s/*\nPort 2\n", folder, folder);
  g_autofree char *disk = g_strdup ("Include /*/*/*/*/*/*/*/*\nPort 3\n");
  gint64 start = g_get_monotonic_time ();

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *name = g_strdup_printf ("file%u", i);

      tsr_test_write (folder, name, all, -1);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrSshConfig) config = ssh_config_test_load (i == 0 ? all : disk, -1, diagnostics);

      g_assert_cmpuint (get_port (config, "a"), ==, i + 2);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), >, 0);
    }
  g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
}

static gboolean
tells (TsrDiagnostics *diagnostics, const char *text)
{
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    if (strstr (tsr_diagnostics_get (diagnostics, i)->text, text) != NULL)
      return TRUE;
  return FALSE;
}

/* A pattern that matches more files than are read says so. */
static void
test_include_many (void)
{
  g_autofree char *folder = g_build_filename (ssh_config_test_home, "crowd", NULL);
  g_autofree char *text = g_strdup_printf ("Include %s/*\nPort 9\n", folder);
  static const guint numbers[] = { 10, 4097 };

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  for (guint i = 0, n = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrSshConfig) config = NULL;

      for (; n < numbers[i]; n++)
        {
          g_autofree char *name = g_strdup_printf ("f%u", n);

          tsr_test_write (folder, name, "", 0);
        }
      config = ssh_config_test_load (text, -1, diagnostics);
      g_assert_cmpuint (get_port (config, "a"), ==, 9);
      g_assert_cmpint (tells (diagnostics, "matches too many files"), ==, i == 1);
    }
}

/* "~" is the home, "~root" that of another user, and of nobody there is none. */
static void
test_tilde (void)
{
  g_autofree char *own = tsr_ssh_expand_tilde ("~", "/home/me");
  g_autofree char *below = tsr_ssh_expand_tilde ("~/a/b", "/home/me");
  g_autofree char *root = tsr_ssh_expand_tilde ("~root", "/home/me");
  g_autofree char *key = tsr_ssh_expand_tilde ("~root/.ssh/~x", "/home/me");
  g_autofree char *none = tsr_ssh_expand_tilde ("~nobody-has-this-name/x", "/home/me");
  g_autofree char *plain = tsr_ssh_expand_tilde ("a/~", "/home/me");
  const struct passwd *entry = getpwnam ("root");
  g_autofree char *expected = g_strconcat (entry->pw_dir, "/.ssh/~x", NULL);

  g_assert_cmpstr (own, ==, "/home/me");
  g_assert_cmpstr (below, ==, "/home/me/a/b");
  g_assert_cmpstr (root, ==, entry->pw_dir);
  g_assert_cmpstr (key, ==, expected);
  g_assert_null (none);
  g_assert_cmpstr (plain, ==, "a/~");
}

/* 16 files below each other, as ssh; not 17. */
static void
test_include_depth (void)
{
  for (guint deepest = 16; deepest <= 17; deepest++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrSshConfig) config = NULL;

      for (guint i = 1; i <= deepest; i++)
        {
          g_autofree char *name = g_strdup_printf ("level%u", i);
          g_autofree char *text = i == deepest ? g_strdup ("Port 2\n")
                                               : g_strdup_printf ("Include %s/level%u\n",
                                                                  ssh_config_test_home, i + 1);

          tsr_test_write (ssh_config_test_home, name, text, -1);
        }
      {
        g_autofree char *text = g_strdup_printf ("Include %s/level1\n", ssh_config_test_home);

        config = ssh_config_test_load (text, -1, diagnostics);
      }
      g_assert_cmpuint (get_port (config, "a"), ==, deepest == 16 ? 2 : 22);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, deepest - 16);
    }
}

/* 10^5 Host blocks, a line of 10 MB of each kind, patterns that make naive matching run for ever.
 */
static void
test_large (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) config = NULL;
  g_autofree char *long_name = g_strnfill (250, 'a');
  g_auto (GStrv) aliases = NULL;
  const guint size = tsr_test_rounds (10) << 20;
  gint64 start;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "Host h%u\n Port %u\n", i, i % 60000 + 1);
  g_string_append (text, "Match host ");
  for (guint i = 0; i < (size) / 2; i++)
    g_string_append (text, "\"\"");
  g_string_append (text, "\n Port 1\nHost ");
  for (guint i = 0; i < (size) / 3; i++)
    g_string_append (text, "*q ");
  g_string_append (text, "last\n Port 77\nHost ");
  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "*a");
  g_string_append (text, "b\n Port 78\nIdentityFile ");
  for (guint i = 0; i < size; i++)
    g_string_append_c (text, 'x');
  g_string_append (text, "\nUser ");
  for (guint i = 0; i < size; i++)
    g_string_append_c (text, 'x');
  start = g_get_monotonic_time ();
  config = ssh_config_test_load (text->str, (gssize)text->len, diagnostics);
  g_assert_cmpuint (get_port (config, "h0"), ==, 1);
  g_assert_cmpuint (get_port (config, "h99999"), ==, 40000);
  g_assert_cmpuint (get_port (config, "last"), ==, 77);
  g_assert_cmpuint (get_port (config, long_name), ==, 22);
  aliases = tsr_ssh_config_dup_aliases (config);
  g_assert_cmpuint (g_strv_length (aliases), ==, 100001);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  ssh_config_test_init (&argc, &argv);
  tsr_test_obey_modes ();
  g_test_add_func ("/ssh-config-files/ways", test_ways);
  g_test_add_func ("/ssh-config-files/aliases", test_aliases);
  g_test_add_func ("/ssh-config-files/two-files", test_two_files);
  g_test_add_func ("/ssh-config-files/jump-token", test_jump_token);
  g_test_add_func ("/ssh-config-files/hash-token", test_hash_token);
  g_test_add_func ("/ssh-config-files/usual-file", test_usual_file);
  g_test_add_func ("/ssh-config-files/longest-word", test_longest_word);
  g_test_add_func ("/ssh-config-files/odd-aliases", test_odd_aliases);
  g_test_add_func ("/ssh-config-files/odd-bytes", test_odd_bytes);
  g_test_add_func ("/ssh-config-files/not-files", test_not_files);
  g_test_add_func ("/ssh-config-files/include-nothing", test_include_nothing);
  g_test_add_func ("/ssh-config-files/include-loops", test_include_loops);
  g_test_add_func ("/ssh-config-files/include-depth", test_include_depth);
  g_test_add_func ("/ssh-config-files/include-many", test_include_many);
  g_test_add_func ("/ssh-config-files/tilde", test_tilde);
  g_test_add_func ("/ssh-config-files/large", test_large);
  return ssh_config_test_run ();
}
