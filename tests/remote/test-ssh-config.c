/* SPDX-License-Identifier: GPL-3.0-or-later */

/* ssh_config: what counts for a host is what the installed ssh says of the same file (ssh -G), over
 * a table of files; the way over jump hosts; files that are odd, hostile or not there. */

#include "config.h"

#include "tsr-remote-error.h"
#include "tsr-ssh-config.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <pwd.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ----------------------------------------------------------- the two texts */

static const char *const compared[] = {
  "addressfamily",
  "certificatefile",
  "connecttimeout",
  "globalknownhostsfile",
  "hashknownhosts",
  "hostkeyalias",
  "hostname",
  "identitiesonly",
  "identityagent",
  "identityfile",
  "kbdinteractiveauthentication",
  "numberofpasswordprompts",
  "passwordauthentication",
  "port",
  "preferredauthentications",
  "proxycommand",
  "proxyjump",
  "pubkeyauthentication",
  "serveralivecountmax",
  "serveraliveinterval",
  "stricthostkeychecking",
  "user",
  "userknownhostsfile",
};

static gboolean
is_compared (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (compared); i++)
    if (g_str_equal (compared[i], key))
      return TRUE;
  return FALSE;
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const char *one = *(const char *const *)a;
  const char *other = *(const char *const *)b;

  return strncmp (one, other, MIN (strcspn (one, " "), strcspn (other, " ")) + 1);
}

/* (transfer full): lines by key; those of one key stay in their order. */
static char *
dup_sorted (GPtrArray *lines)
{
  /* An insertion keeps the order that qsort may lose. */
  for (guint i = 1; i < lines->len; i++)
    for (guint j = i; j > 0 && compare_lines (&lines->pdata[j - 1], &lines->pdata[j]) > 0; j--)
      {
        gpointer line = lines->pdata[j];

        lines->pdata[j] = lines->pdata[j - 1];
        lines->pdata[j - 1] = line;
      }
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (GStrv)lines->pdata);
}

/* ssh takes the home folder from the list of users, we (and its Include) from the environment. */
static void
put_home (GString *text)
{
  g_autofree char *theirs = g_strdup_printf (" %s/", getpwuid (getuid ())->pw_dir);
  g_autofree char *ours = g_strdup_printf (" %s/", g_get_home_dir ());

  g_string_replace (text, " ~/", ours, 0);
  g_string_replace (text, theirs, ours, 0);
}

/* A line of ssh -G as we write it, or NULL for one that says nothing. */
static char *
dup_their_line (const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 2);
  g_autoptr (GString) text = NULL;
  const char *value;

  if (words[0] == NULL || words[1] == NULL || !is_compared (words[0]))
    return NULL;
  value = words[1];
  if (g_str_equal (words[0], "identityfile")
      && (g_str_has_suffix (value, "/.ssh/id_xmss") || g_str_has_suffix (value, "/.ssh/id_dsa")))
    return NULL; /* experimental, and not built in; up to 9.9 */
  if (g_str_has_suffix (words[0], "file") && g_str_equal (value, "none"))
    return NULL;
  if (g_str_equal (words[0], "connecttimeout") && g_str_equal (value, "none"))
    return NULL;
  if (g_str_equal (words[0], "proxycommand"))
    value = "yes";
  if (g_str_equal (value, "true") || g_str_equal (value, "unbound")
      || g_str_equal (value, "host-bound"))
    value = "yes";
  if (g_str_equal (value, "false"))
    value = "no";
  text = g_string_new (NULL);
  g_string_printf (text, "%s %s", words[0], value);
  put_home (text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* (transfer full) (nullable): what ssh makes of @hop; NULL when it refuses the file. */
static char *
dup_theirs (const char *file, const TsrSshHop *hop)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *port = g_strdup_printf ("%u", hop->port);
  g_autofree char *out = NULL;
  g_auto (GStrv) lines = NULL;
  int status;

  g_ptr_array_add (argv, (gpointer) "ssh");
  g_ptr_array_add (argv, (gpointer) "-T");
  g_ptr_array_add (argv, (gpointer) "-G");
  g_ptr_array_add (argv, (gpointer) "-F");
  g_ptr_array_add (argv, (gpointer)file);
  if (hop->port != 0)
    {
      g_ptr_array_add (argv, (gpointer) "-p");
      g_ptr_array_add (argv, port);
    }
  if (hop->user != NULL)
    {
      g_ptr_array_add (argv, (gpointer) "-l");
      g_ptr_array_add (argv, hop->user);
    }
  g_ptr_array_add (argv, (gpointer) "--");
  g_ptr_array_add (argv, hop->host);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **)argv->pdata, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
                NULL, NULL, &out, NULL, &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    return NULL;
  lines = g_strsplit (out, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      char *text = dup_their_line (*line);

      if (text != NULL)
        g_ptr_array_add (kept, text);
    }
  return dup_sorted (kept);
}

static void G_GNUC_PRINTF (2, 3) add (GPtrArray *lines, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (lines, g_strdup_vprintf (format, args));
  va_end (args);
}

static void
add_flag (GPtrArray *lines, const char *key, gboolean flag)
{
  add (lines, "%s %s", key, flag ? "yes" : "no");
}

static void
add_list (GPtrArray *lines, const char *key, GStrv values)
{
  g_autofree char *text = g_strjoinv (" ", values);

  if (*text != '\0')
    add (lines, "%s %s", key, text);
}

static char *
dup_ours (const TsrSshHost *host)
{
  static const char *const strict[] = { "ask", "yes", "accept-new", "no" };
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *jumps = tsr_ssh_jumps_to_string (host->jumps, host->n_jumps);

  add (lines, "addressfamily %s",
       host->address_family == AF_INET    ? "inet"
       : host->address_family == AF_INET6 ? "inet6"
                                          : "any");
  for (char **file = host->certificate_files; *file != NULL; file++)
    add (lines, "certificatefile %s", *file);
  if (host->connect_timeout_s > 0)
    add (lines, "connecttimeout %u", host->connect_timeout_s);
  add_list (lines, "globalknownhostsfile", host->global_known_hosts);
  add_flag (lines, "hashknownhosts", host->hash_known_hosts);
  if (host->host_key_alias != NULL)
    add (lines, "hostkeyalias %s", host->host_key_alias);
  add (lines, "hostname %s", host->host_name);
  add_flag (lines, "identitiesonly", host->identities_only);
  if (host->identity_agent != NULL)
    add (lines, "identityagent %s", *host->identity_agent != '\0' ? host->identity_agent : "none");
  for (char **file = host->identity_files; *file != NULL; file++)
    add (lines, "identityfile %s", *file);
  add_flag (lines, "kbdinteractiveauthentication", host->keyboard_interactive);
  add (lines, "numberofpasswordprompts %u", host->n_password_prompts);
  add_flag (lines, "passwordauthentication", host->password);
  add (lines, "port %u", host->port);
  if (host->preferred != NULL)
    {
      g_autofree char *text = g_strjoinv (",", host->preferred);

      add (lines, "preferredauthentications %s", text);
    }
  if (host->has_proxy_command)
    add (lines, "proxycommand yes");
  if (host->n_jumps > 0)
    add (lines, "proxyjump %s", jumps);
  add_flag (lines, "pubkeyauthentication", host->pubkey);
  add (lines, "serveralivecountmax %u", host->alive_count);
  add (lines, "serveraliveinterval %u", host->alive_interval_s);
  add (lines, "stricthostkeychecking %s", strict[host->strict]);
  add (lines, "user %s", host->user);
  add_list (lines, "userknownhostsfile", host->known_hosts);
  return dup_sorted (lines);
}

/* ------------------------------------------------------------------- table */

typedef struct
{
  const char *text;  /* of the file */
  const char *hosts; /* asked for, with spaces */
  gboolean is_odd;   /* ssh takes a line that we do not, or we say something of it */
} Case;

static const Case cases[] = {
  { "", "node me@node:2222 NODE 127.0.0.1" },
  { "Host a\n HostName %h.lab.org\n User x\nHost *\n User y\n Port 99\n", "a b u@a a:7" },
  { "HostName=one\nhostname two\nPORT = 5\n\tUser\t\t\"a b\"   \n", "a" },
  { "Host a b*c !bxc ?z\n Port 2\nHost !a *\n Port 3\nHost \"q\" 'r'\n Port 4\n",
    "a bc bxc bxxc az zz q r s" },
  { "Host A\n Port 2\n", "A a" },
  { "Host a # b\n Port 2 # c\n", "a b" },
  { "Host=a\nPort=2\nHost = b\nPort = 3\nHost =c\n Port =4\n", "a b c" },
  { "Host a\r\n Port 2\r\n\r\nHost *\r\n User u\r\n", "a b" },
  { "Host a\n IdentityFile ~/.ssh/one\n IdentityFile \"~/.ssh/my key\"\nHost *\n IdentityFile "
    "/abs/three\n IdentityFile ~/.ssh/one\n",
    "a b" },
  { "IdentityFile none\n", "a" },
  { "IdentityFile none\nIdentityFile /x\nCertificateFile /c1\nCertificateFile ~/c2\n", "a" },
  { "IdentitiesOnly yes\nIdentityAgent none\n", "a" },
  { "IdentityAgent /run/agent\nHashKnownHosts yes\nHostKeyAlias gc-poplar-01\n", "a" },
  { "UserKnownHostsFile ~/.ssh/k1 \"/tmp/k 2\" /k3\nUserKnownHostsFile /other\n", "a" },
  { "UserKnownHostsFile none\nGlobalKnownHostsFile /g1 /g2\n", "a" },
  { "UserKnownHostsFile /dev/null\nGlobalKnownHostsFile none\nStrictHostKeyChecking no\n", "a" },
  { "HostKeyAlias Known\nHostName real.org\nUserKnownHostsFile /x-%h /x-%n /x-%p /x-%r /x-%u /x-%i "
    "/x-%k /x-%L /x-%l /x-%% %d/x ${TSR_TEST_VALUE}/y\n",
    "Alias me@other:77" },
  { "UserKnownHostsFile /x-%k\n", "Alias" },
  { "StrictHostKeyChecking accept-new\nPubkeyAuthentication no\nPasswordAuthentication no\n"
    "KbdInteractiveAuthentication no\n",
    "a" },
  { "StrictHostKeyChecking off\nPubkeyAuthentication unbound\nChallengeResponseAuthentication no\n",
    "a" },
  { "StrictHostKeyChecking YES\nPasswordAuthentication True\nPubkeyAuthentication FALSE\n", "a" },
  { "PreferredAuthentications keyboard-interactive,password\nNumberOfPasswordPrompts 1\n", "a" },
  { "ConnectTimeout 30\nServerAliveInterval 2m\nServerAliveCountMax 7\nAddressFamily inet\n", "a" },
  { "ConnectTimeout 1h2m3s\nServerAliveInterval 0\nAddressFamily inet6\n", "a" },
  { "ConnectTimeout none\nAddressFamily any\n", "a" },
  { "ProxyJump gate\n", "a" },
  { "ProxyJump me@gate:2222,[::1]:22,c\nProxyJump other\n", "a" },
  { "ProxyJump ssh://u@h:33\n", "a" },
  { "ProxyJump none\nProxyJump x\nProxyCommand y\n", "a" },
  { "ProxyCommand nc %h %p\nProxyJump x\n", "a" },
  { "ProxyCommand none\nProxyJump x\n", "a" },
  { "ProxyJump none\nProxyJump x\n", "a" },
  { "ProxyJump x\nProxyCommand y\n", "a" },
  { "ProxyCommand none\nProxyJump x\nProxyCommand y\n", "a" },
  { "ProxyJump gate # of the lab\n", "a" },
  { "ProxyJump =gate\n", "a" },
  { "Match host a\n Port 2\nMatch host \"b,c*\"\n Port 3\nMatch host !d,*\n Port 4\n",
    "a b cc d e" },
  { "HostName real.org\nMatch host real.org\n Port 2\nMatch originalhost a\n User u\n", "a b" },
  { "Host a\n HostName %h.lab.org\nMatch host *.lab.org\n Port 2\n", "a b" },
  { "User me\nMatch user me\n Port 2\nMatch !user me\n Port 3\n", "a you@a" },
  { "Match user me,you host a\n Port 2\nMatch all\n User x\n", "a me@a you@b you@a" },
  /* Not "host = b", which ssh takes up to 9.9 only. */
  { "Match host=a user=me\n Port 2\n", "a me@a b" },
  { "Match host A\n Port 2\nMatch originalhost B\n Port 3\n", "a A b B" },
  { "Match all # x\n Port 2\n", "a" },
  { "Match !host a\n Port 2\nMatch !final\n User x\n", "a b" },
  { "Match !originalhost a host *\n Port 2\n", "a b" },
  { "Host a\n Include inc1\n Port 5\nHost b\n Include inc2\nHost *\n Include inc1\n User z\n",
    "a b c in" },
  { "Include inc*\nPort 9\n", "a b in" },
  { "Include nothing* also-nothing\nInclude ~/.ssh/inc1 inc2\n", "a in b" },
  { "Match host nobody\n Include inc1\nHost *\n Port 9\n", "a in" },
  { "Include deep1\nUser after\n", "a" },
  { "IgnoreUnknown UseMagic,Other*\nUseMagic yes\nOtherThing x y z\nPort 3\n", "a" },
  { "Host a\n Port ssh\nHost b\n Port \"http\"\nHost c\n Port domain\n", "a b c a:7" },
  { "Host a\n HostName A.org\n Port 7\n User u\nHost a b\n UserKnownHostsFile /k-%C /%%C/%C%C\n"
    " IdentityAgent /run/%C\n",
    "a b me@a me@b:8" },
  { "ForwardX11 yes\nSendEnv LANG LC_*\nCompression yes\nControlPath ~/%C\nPort 3\n", "a" },
  { "Port 22\n\n   \n#comment\n  # comment\nUser u", "a" },
  { "Host a\n\fPort 2\n", "b", TRUE },
  { "User a\\ b\n", "a" },
  { "User \"a\\\"b\"\n", "a" },
  { "User a'b c'd\n", "a" },
  { "\"User\" x\nPort 3\n", "a" },
  { "HostName ::1\n", "a" },
  { "HostName LAB.org\n", "a" },
  { "Ciphers +aes128-cbc\nHostKeyAlgorithms -ssh-rsa\nMACs ^hmac-sha2-256\n", "a" },
  { "Host a\nHost b\n Port 2\n", "a b" },
  { "Host *.org *.com !x.org\n Port 3\nHost x.*\n Port 4\n", "a.org x.org x.com y.net" },
  /* Refused by ssh. */
  { "Port\n", "a" },
  { "Port x\n", "a" },
  { "Port 0\n", "a" },
  { "Port 65536\n", "a" },
  { "Port 2 3\n", "a" },
  { "Port SSH\n", "a" },
  { "Port 0x16\n", "a" },
  { "HostName a b\n", "a" },
  { "IdentityFile \"x\n", "a" },
  { "IdentityFile \"\"\n", "a" },
  { "NoSuchOption x\n", "a" },
  { "Host\n", "a" },
  { "Host \"a\n Port 2\n", "a" },
  { "Match\n", "a" },
  { "Match host\n", "a" },
  { "Match all host a\n", "a" },
  { "Match host a all\n", "a" },
  { "Match what x\n", "a" },
  { "ProxyJump a,,b\n", "a" },
  { "ProxyJump a b\n", "a" },
  { "ConnectTimeout 1x\n", "a" },
  { "ConnectTimeout -1\n", "a" },
  { "AddressFamily v6\n", "a" },
  { "HashKnownHosts maybe\n", "a" },
  { "StrictHostKeyChecking perhaps\n", "a" },
  { "UserKnownHostsFile /x-%y\n", "a" },
  { "HostName %r\n", "a" },
  { "UserKnownHostsFile ${TSR_TEST_NOTHING}/y\n", "a" },
  { "Include self\n", "a" },
  { "NumberOfPasswordPrompts x\n", "a" },
};

static char *home;

static TsrSshConfig *
load (const char *text, gssize length, TsrDiagnostics *diagnostics)
{
  g_autofree char *file = g_build_filename (home, "tested", NULL);

  tsr_test_write (home, "tested", text, length);
  return tsr_ssh_config_load (file, "/dev/null", diagnostics);
}

static void
check_host (const Case *one, TsrSshConfig *config, guint64 n_said, const char *name)
{
  g_autofree char *file = g_build_filename (home, "tested", NULL);
  g_autofree char *theirs = NULL;
  g_autofree char *ours = NULL;
  g_autoptr (TsrSshHost) host = NULL;
  g_autoptr (GError) error = NULL;
  TsrSshHop hop;

  g_assert_true (tsr_ssh_hop_parse (name, &hop, &error));
  host = tsr_ssh_config_look_up (config, &hop);
  g_assert_cmpstr (host->alias, ==, hop.host);
  theirs = dup_theirs (file, &hop);
  ours = dup_ours (host);
  if (theirs == NULL)
    g_assert_cmpuint (n_said, >, 0);
  else if (!one->is_odd)
    {
      g_assert_cmpstr (ours, ==, theirs);
      g_assert_cmpuint (n_said, ==, 0);
    }
  tsr_ssh_hop_clear (&hop);
}

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_auto (GStrv) hosts = g_strsplit (one->hosts, " ", -1);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) config = NULL;
  g_autofree char *ssh = g_find_program_in_path ("ssh");

  if (ssh == NULL)
    {
      g_test_skip ("there is no ssh");
      return;
    }
  config = load (one->text, -1, diagnostics);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_test_message ("%s", tsr_diagnostics_get (diagnostics, i)->text);
  for (char **host = hosts; *host != NULL; host++)
    check_host (one, config, tsr_diagnostics_get_n_total (diagnostics), *host);
}

/* All the files that ssh takes, in one: the blocks of each must not leak into the next. */
static void
test_all_in_one (void)
{
  g_autofree char *ssh = g_find_program_in_path ("ssh");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) config = NULL;
  Case all = { NULL };

  if (ssh == NULL)
    {
      g_test_skip ("there is no ssh");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases) && g_strcmp0 (cases[i].text, "Port\n") != 0; i++)
    if (!cases[i].is_odd && strstr (cases[i].text, "IgnoreUnknown") == NULL)
      g_string_append_printf (text, "Host set%u\n%s\n", i, cases[i].text);
  config = load (text->str, -1, diagnostics);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("set%u", i);

      check_host (&all, config, 0, name);
    }
}

/* --------------------------------------------------------------------- way */

static char *
dup_way (const char *text, const char *location, GError **error)
{
  g_autoptr (TsrSshConfig) config = load (text, -1, NULL);
  g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (location, NULL);
  g_autoptr (GPtrArray) hosts = tsr_ssh_config_resolve (config, address, error);
  GString *way = g_string_new (NULL);

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
  expect_no_way ("Host t\n ProxyJump a,b,c\nHost a\n ProxyJump d,e,f,g,h,i\n", "ssh://t/x",
                 "more jump hosts");
}

static void
test_aliases (void)
{
  g_autoptr (TsrSshConfig) config
      = load ("Host b a *.org !c\n Port 2\nHost a d? e@f\nInclude inc1\nMatch host g\nHost z \"q "
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
  g_autofree char *user = g_build_filename (home, "user", NULL);
  g_autofree char *system = g_build_filename (home, "system", NULL);
  g_autofree char *none = g_build_filename (home, "none", NULL);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) both = NULL;
  g_autoptr (TsrSshConfig) neither = NULL;
  g_autoptr (TsrSshHost) host = NULL;
  g_autoptr (TsrSshHost) plain = NULL;
  TsrSshHop hop = { NULL, (char *)"a", 0 };

  tsr_test_write (home, "user", "Host b\n Port 7\nHost a\n Port 2\n IdentityFile /u\n", -1);
  tsr_test_write (home, "system", "Port 3\nUser s\nIdentityFile /s\nInclude ~/x\n", -1);
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
  g_autoptr (TsrSshConfig) config
      = load ("Host a\n ProxyJump g:7,u@h:8\nHost *\n IdentityFile /k-%j-%%\n", -1, NULL);
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
      "Host a\n ProxyJump g,x@h:9\n Port 7\n User u\n UserKnownHostsFile %s/%%C\n", home);
  g_autoptr (TsrSshConfig) config = load (text, -1, NULL);
  TsrSshHop hop = { NULL, (char *)"a", 0 };
  const char *const files[] = { NULL, older, newer };
  const char *const expected[] = { newer, older, newer };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (home, expected[i], NULL);
      g_autoptr (TsrSshHost) host = NULL;

      if (files[i] != NULL)
        tsr_test_write (home, files[i], "", -1);
      host = tsr_ssh_config_look_up (config, &hop);
      g_assert_cmpstr (host->known_hosts[0], ==, path);
    }
}

/* Without a name: the file in the home folder, unless others may write to it. */
static void
test_usual_file (void)
{
  g_autofree char *file = g_build_filename (home, ".ssh", "config", NULL);
  TsrSshHop hop = { NULL, (char *)"a", 0 };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrSshConfig) config = NULL;
      g_autoptr (TsrSshHost) host = NULL;

      g_assert_true (g_file_set_contents (file, "Port 42\n", -1, NULL));
      g_assert_cmpint (g_chmod (file, i == 0 ? 0644 : 0666), ==, 0);
      config = tsr_ssh_config_load (NULL, "/dev/null", diagnostics);
      host = tsr_ssh_config_look_up (config, &hop);
      g_assert_cmpuint (host->port, ==, i == 0 ? 42 : 22);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, i);
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

static void
test_odd_bytes (void)
{
  static const char text[]
      = "\xef\xbb\xbfHost a\r\n Port 2\r\nHost b\0 c\n Port 3\nHost \xff\xfe\n Port 4\nUser "
        "\xff\nHostName \xfe\n\x01\x02 x\nIdentityFile /k\xff\nHost d\n Port 5\0\nUser \x1b[0m\n";
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrSshConfig) config = load (text, sizeof text - 1, diagnostics);
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
  g_autofree char *pipe = g_build_filename (home, "pipe", NULL);
  g_autofree char *closed = g_build_filename (home, "closed", NULL);
  const char *const files[] = { home, "/dev/zero", pipe, closed, "/dev/null/x" };

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  tsr_test_write (home, "closed", "Port 2\n", -1);
  g_assert_cmpint (g_chmod (closed, 0), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrSshConfig) config = tsr_ssh_config_load (files[i], "/dev/null", diagnostics);

      if (i != 3 || geteuid () != 0)
        g_assert_cmpuint (get_port (config, "a"), ==, 22);
      if (i < 2 || (i == 3 && geteuid () != 0))
        g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 1);
    }
}

/* Files that include themselves, each other, everything; a pattern over the whole disk. */
static void
test_include_loops (void)
{
  g_autofree char *folder = g_build_filename (home, "many", NULL);
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
      g_autoptr (TsrSshConfig) config = load (i == 0 ? all : disk, -1, diagnostics);

      g_assert_cmpuint (get_port (config, "a"), ==, i + 2);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), >, 0);
    }
  g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
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
          g_autofree char *text = i == deepest
                                      ? g_strdup ("Port 2\n")
                                      : g_strdup_printf ("Include %s/level%u\n", home, i + 1);

          tsr_test_write (home, name, text, -1);
        }
      {
        g_autofree char *text = g_strdup_printf ("Include %s/level1\n", home);

        config = load (text, -1, diagnostics);
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
  gint64 start;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "Host h%u\n Port %u\n", i, i % 60000 + 1);
  g_string_append (text, "Match host ");
  for (guint i = 0; i < (10 << 20) / 2; i++)
    g_string_append (text, "\"\"");
  g_string_append (text, "\n Port 1\nHost ");
  for (guint i = 0; i < (10 << 20) / 3; i++)
    g_string_append (text, "*q ");
  g_string_append (text, "last\n Port 77\nHost ");
  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "*a");
  g_string_append (text, "b\n Port 78\nIdentityFile ");
  for (guint i = 0; i < 10 << 20; i++)
    g_string_append_c (text, 'x');
  g_string_append (text, "\nUser ");
  for (guint i = 0; i < 10 << 20; i++)
    g_string_append_c (text, 'x');
  start = g_get_monotonic_time ();
  config = load (text->str, (gssize)text->len, diagnostics);
  g_assert_cmpuint (get_port (config, "h0"), ==, 1);
  g_assert_cmpuint (get_port (config, "h99999"), ==, 40000);
  g_assert_cmpuint (get_port (config, "last"), ==, 77);
  g_assert_cmpuint (get_port (config, long_name), ==, 22);
  aliases = tsr_ssh_config_dup_aliases (config);
  g_assert_cmpuint (g_strv_length (aliases), ==, 100001);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
}

static void
make_included_files (void)
{
  g_autofree char *folder = g_build_filename (home, ".ssh", NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  tsr_test_write (folder, "inc1", "User one\nHost in\n Port 6\nHost a\n ConnectTimeout 5\n", -1);
  tsr_test_write (folder, "inc2", "Host b\n User two\nMatch all\n Port 8\n", -1);
  tsr_test_write (folder, "deep1", "Include deep2\nPort 11\n", -1);
  tsr_test_write (folder, "deep2", "Host nobody\n Include inc2\nHost *\n HashKnownHosts yes\n", -1);
  tsr_test_write (folder, "self", "Include self\n", -1);
}

int
main (int argc, char **argv)
{
  int status;

  home = tsr_test_folder_new ();
  /* Before anybody asks for it. */
  g_setenv ("HOME", home, TRUE);
  g_setenv ("TSR_TEST_VALUE", "/value", TRUE);
  g_unsetenv ("TSR_TEST_NOTHING");
  g_test_init (&argc, &argv, NULL);
  make_included_files ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/ssh-config/like-ssh/%02u", i);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/ssh-config/all-in-one", test_all_in_one);
  g_test_add_func ("/ssh-config/ways", test_ways);
  g_test_add_func ("/ssh-config/aliases", test_aliases);
  g_test_add_func ("/ssh-config/two-files", test_two_files);
  g_test_add_func ("/ssh-config/jump-token", test_jump_token);
  g_test_add_func ("/ssh-config/hash-token", test_hash_token);
  g_test_add_func ("/ssh-config/usual-file", test_usual_file);
  g_test_add_func ("/ssh-config/odd-bytes", test_odd_bytes);
  g_test_add_func ("/ssh-config/not-files", test_not_files);
  g_test_add_func ("/ssh-config/include-loops", test_include_loops);
  g_test_add_func ("/ssh-config/include-depth", test_include_depth);
  g_test_add_func ("/ssh-config/large", test_large);
  status = g_test_run ();
  tsr_test_folder_free (home);
  return status;
}
