/* SPDX-License-Identifier: GPL-3.0-or-later */

/* ssh_config: what counts for a host is what the installed ssh says of the same file (ssh -G), over
 * a table of files. */

#include "config.h"

#include "ssh-config-test.h"

#include <netdb.h>
#include <pwd.h>
#include <string.h>
#include <sys/socket.h>
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

/* Of these ssh tells what it makes of "+name", and all that it takes where nothing is told: lists
 * of more than two names are not compared. */
static const char *const algorithms[]
    = { "ciphers", "hostkeyalgorithms", "kexalgorithms", "macs", "pubkeyacceptedalgorithms" };

static gboolean
is_short_list (const char *key, const char *value)
{
  const char *comma = strchr (value, ',');

  for (guint i = 0; i < G_N_ELEMENTS (algorithms); i++)
    if (g_str_equal (algorithms[i], key))
      return strchr ("+-^", *value) == NULL && (comma == NULL || strchr (comma + 1, ',') == NULL);
  return FALSE;
}

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

  if (words[0] == NULL || words[1] == NULL
      || !(is_compared (words[0]) || is_short_list (words[0], words[1])))
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
  /* As ssh does when it asks the agent. */
  if (g_str_equal (words[0], "identityagent") && value[0] == '$' && value[1] != '{')
    value = g_getenv (value + 1) != NULL ? g_getenv (value + 1) : "none";
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

  const char *const lists[] = { host->ciphers, host->host_key_algorithms, host->kex_algorithms,
                                host->macs, host->pubkey_algorithms };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (lists[i] != NULL && is_short_list (algorithms[i], lists[i]))
      add (lines, "%s %s", algorithms[i], lists[i]);
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
  { "IdentityAgent $TSR_TEST_VALUE\n", "a" },
  { "IdentityAgent $TSR_TEST_NOTHING\n", "a" },
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
  { "StrictHostKeyChecking ask\nStrictHostKeyChecking no\n", "a" },
  { "StrictHostKeyChecking False\nPubkeyAuthentication Host-Bound\n", "a" },
  { "StrictHostKeyChecking true\nPubkeyAuthentication Unbound\n", "a" },
  { "StrictHostKeyChecking YES\nPasswordAuthentication True\nPubkeyAuthentication FALSE\n", "a" },
  { "PreferredAuthentications keyboard-interactive,password\nNumberOfPasswordPrompts 1\n", "a" },
  { "ConnectTimeout 30\nServerAliveInterval 2m\nServerAliveCountMax 7\nAddressFamily inet\n", "a" },
  { "ConnectTimeout 1h2m3s\nServerAliveInterval 0\nAddressFamily inet6\n", "a" },
  { "ConnectTimeout none\nAddressFamily any\n", "a" },
  { "Host a\n ConnectTimeout 1s\nHost b\n ConnectTimeout 1m\nHost c\n ConnectTimeout 1h\nHost d\n "
    "ConnectTimeout 1d\nHost e\n ConnectTimeout 1w\nHost f\n ConnectTimeout 2D3h\nHost g\n "
    "ConnectTimeout 1m90\n",
    "a b c d e f g" },
  { "ProxyCommand nc %h %p \t \nUser me\t\n", "a" },
  { "ProxyJump gate \t# of the lab\n", "a" },
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
  { "Match host=a\n Port 2\nMatch host = b\n Port 3\nMatch host =c\n Port 4\nMatch host= d\n Port "
    "5\n",
    "a b c d e" },
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
  /* How a keyword and what follows are cut apart. */
  { "User \"\"x\n", "a" },
  { "User x\"\"\n", "a" },
  { "\"\"User x\n", "a" },
  { "Us\"er\" x\n", "a" },
  { "User=\"x\"\n", "a" },
  { "User=x=y\n", "a" },
  { "User ==x\n", "a" },
  { "User\t=\t\"x y\"\t# z\n", "a" },
  { "User x#y\n", "a" },
  { "User 'x \"y\" z'\n", "a" },
  { "User \"x 'y' z\"\n", "a" },
  { "User \"x\\\\y\"\n", "a" },
  { "User x\\\n", "a" },
  { "  =  User x\n", "a" },
  { "Match host \"a\" user \"me\"\n Port 2\n", "a me@a" },
  { "Match \"host\" a\n Port 2\n", "a b" },
  { "Match host=\"a b\"\n Port 2\n", "a" },
  { "HostName ::1\n", "a" },
  { "HostName LAB.org\n", "a" },
  { "Ciphers +aes128-cbc\nHostKeyAlgorithms -ssh-rsa\nMACs ^hmac-sha2-256\n", "a" },
  { "Ciphers aes256-ctr,aes128-ctr\nHostKeyAlgorithms ssh-ed25519\nKexAlgorithms "
    "curve25519-sha256\nMACs hmac-sha2-512,hmac-sha2-256\nPubkeyAcceptedAlgorithms "
    "rsa-sha2-512\nCiphers aes128-gcm@openssh.com\n",
    "a" },
  { "ServerAliveCountMax 0\n", "a" },
  { "Host a\nHost b\n Port 2\n", "a b" },
  { "Host *.org *.com !x.org\n Port 3\nHost x.*\n Port 4\n", "a.org x.org x.com y.net" },
  { "Port 1\n", "a" },
  { "Port 65535\n", "a" },
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
  { "Host \"\" a\n Port 3\nHost a\n User u\n", "a b" },
  { "Host a \"\"\n Port 3\nHost a\n User u\n", "a b" },
  { "NoSuchOption x\n", "a" },
  { "Host\n", "a" },
  { "Host \"a\n Port 2\n", "a" },
  { "Match\n", "a" },
  { "Match # x\n Port 2\n", "a" },
  { "Match host\n", "a" },
  { "Match all host a\n", "a" },
  { "Match host a all\n", "a" },
  { "Match what x\n", "a" },
  { "Match host==a\n Port 2\n", "a" },
  { "Match host = =a\n Port 2\n", "a" },
  { "ProxyJump a,,b\n", "a" },
  { "ProxyJump a b\n", "a" },
  { "ConnectTimeout 1x\n", "a" },
  { "ConnectTimeout -1\n", "a" },
  { "AddressFamily v6\n", "a" },
  { "HashKnownHosts maybe\n", "a" },
  { "PubkeyAuthentication maybe\n", "a" },
  { "StrictHostKeyChecking perhaps\n", "a" },
  { "UserKnownHostsFile /x-%y\n", "a" },
  { "HostName %r\n", "a" },
  { "UserKnownHostsFile ${TSR_TEST_NOTHING}/y\n", "a" },
  { "Include self\n", "a" },
  { "NumberOfPasswordPrompts x\n", "a" },
  { "User\"x\"\n", "a" },
  { "\"Us\"er x\n", "a" },
  { "User = = x\n", "a" },
  { "User \"x y\" z\n", "a" },
  { "Match host \"\"\n Port 2\n", "a" },
  { "Match host a# x\n Port 2\n", "a" },
};

static void
check_host (const Case *one, TsrSshConfig *config, guint64 n_said, const char *name)
{
  g_autofree char *file = ssh_config_test_dup_file ();
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
  config = ssh_config_test_load (one->text, -1, diagnostics);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_test_message ("%s", tsr_diagnostics_get (diagnostics, i)->text);
  for (char **host = hosts; *host != NULL; host++)
    check_host (one, config, tsr_diagnostics_get_n_total (diagnostics), *host);
}

/* Names of ports are those of /etc/services, which a bare system does not have. */
static gboolean
is_for_this_system (const Case *one)
{
  return strstr (one->text, "Port ssh") == NULL || getservbyname ("ssh", "tcp") != NULL;
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
    if (!cases[i].is_odd && strstr (cases[i].text, "IgnoreUnknown") == NULL
        && is_for_this_system (&cases[i]))
      g_string_append_printf (text, "Host set%u\n%s\n", i, cases[i].text);
  config = ssh_config_test_load (text->str, -1, diagnostics);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("set%u", i);

      check_host (&all, config, 0, name);
    }
}

/* Below a head that cannot be read nothing counts; another line that cannot be read takes nothing
 * with it. */
static void
test_unreadable (void)
{
  static const struct
  {
    const char *text;
    guint port;
  } files[] = {
    { "Host\n Port 7\n", 22 },
    { "Host \"b\n Port 7\n", 22 },
    { "Match\n Port 7\n", 22 },
    { "Match host \"b\n Port 7\n", 22 },
    { "User\nPort 7\n", 7 },
    { "User \"b\nPort 7\n", 7 },
    { "Host\n Port 8\nHost a\n Port 7\n", 7 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      g_autoptr (TsrSshConfig) config = ssh_config_test_load (files[i].text, -1, diagnostics);
      TsrSshHop hop = { .host = (char *)"a" };
      g_autoptr (TsrSshHost) host = tsr_ssh_config_look_up (config, &hop);

      g_assert_cmpuint (host->port, ==, files[i].port);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 1);
    }
}

int
main (int argc, char **argv)
{
  ssh_config_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/ssh-config/like-ssh/%02u", i);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/ssh-config/all-in-one", test_all_in_one);
  g_test_add_func ("/ssh-config/unreadable", test_unreadable);
  return ssh_config_test_run ();
}
