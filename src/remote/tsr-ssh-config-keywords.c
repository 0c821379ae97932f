/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of ssh_config that we use, and the values that each takes. */

#include "config.h"

#include "tsr-ssh-config-private.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ values */

gboolean
tsr_ssh_parse_time (const char *text, guint *seconds)
{
  static const struct
  {
    char unit;
    guint64 seconds;
  } units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 } };
  guint64 sum = 0;

  *seconds = 0;
  if (g_ascii_strcasecmp (text, "none") == 0)
    return TRUE;
  if (!g_ascii_isdigit (*text))
    return FALSE;
  while (*text != '\0')
    {
      guint64 number = 0, factor = 0;

      if (!g_ascii_isdigit (*text))
        return FALSE;
      for (; g_ascii_isdigit (*text) && number <= G_MAXINT32; text++)
        number = number * 10 + (guint64)(*text - '0');
      for (guint i = 0; i < G_N_ELEMENTS (units); i++)
        if (g_ascii_tolower (*text) == units[i].unit)
          factor = units[i].seconds;
      if (*text != '\0')
        text++;
      else
        factor = 1;
      sum += number * factor;
      if (factor == 0 || sum > G_MAXINT32)
        return FALSE;
    }
  *seconds = (guint)sum;
  return TRUE;
}

gboolean
tsr_ssh_parse_count (const char *text, guint max, guint *count)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 0, max, &number, NULL))
    return FALSE;
  *count = (guint)number;
  return TRUE;
}

gboolean
tsr_ssh_parse_port (const char *text, guint *port)
{
  struct servent entry, *found = NULL;
  char room[4096];

  if (tsr_ssh_parse_count (text, 65535, port))
    return *port > 0;
  if (getservbyname_r (text, "tcp", &entry, room, sizeof room, &found) != 0 || found == NULL)
    return FALSE;
  *port = ntohs ((guint16)found->s_port);
  return *port > 0;
}

gboolean
tsr_ssh_parse_flag (const char *text, gboolean *value)
{
  *value = g_ascii_strcasecmp (text, "yes") == 0 || g_ascii_strcasecmp (text, "true") == 0;
  return *value || g_ascii_strcasecmp (text, "no") == 0 || g_ascii_strcasecmp (text, "false") == 0;
}

gboolean
tsr_ssh_parse_strict (const char *text, TsrStrictChecking *value)
{
  gboolean flag;

  if (g_ascii_strcasecmp (text, "ask") == 0)
    *value = TSR_STRICT_ASK;
  else if (g_ascii_strcasecmp (text, "accept-new") == 0)
    *value = TSR_STRICT_ACCEPT_NEW;
  else if (g_ascii_strcasecmp (text, "off") == 0)
    *value = TSR_STRICT_NO;
  else if (tsr_ssh_parse_flag (text, &flag))
    *value = flag ? TSR_STRICT_YES : TSR_STRICT_NO;
  else
    return FALSE;
  return TRUE;
}

/* Any value of a token: whether a text can be expanded does not depend on it. */
static const TsrSshTokens any_tokens = { "/", "h", "n", "22", "r", "k", "j", "C", FALSE };

static gboolean
is_count (const char *text)
{
  guint count;

  return tsr_ssh_parse_count (text, G_MAXINT32, &count);
}

static gboolean
is_port (const char *text)
{
  guint port;

  return tsr_ssh_parse_port (text, &port);
}

static gboolean
is_time (const char *text)
{
  guint seconds;

  return tsr_ssh_parse_time (text, &seconds);
}

static gboolean
is_flag (const char *text)
{
  gboolean flag;

  return tsr_ssh_parse_flag (text, &flag);
}

static gboolean
is_pubkey_flag (const char *text)
{
  return is_flag (text) || g_ascii_strcasecmp (text, "unbound") == 0
         || g_ascii_strcasecmp (text, "host-bound") == 0;
}

static gboolean
is_strict (const char *text)
{
  TsrStrictChecking strict;

  return tsr_ssh_parse_strict (text, &strict);
}

static gboolean
is_family (const char *text)
{
  return g_ascii_strcasecmp (text, "any") == 0 || g_ascii_strcasecmp (text, "inet") == 0
         || g_ascii_strcasecmp (text, "inet6") == 0;
}

/* Something that people may be shown. */
static gboolean
is_word (const char *text)
{
  if (strlen (text) > 1024 || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (!g_unichar_isprint (g_utf8_get_char (text))
        || g_unichar_type (g_utf8_get_char (text)) == G_UNICODE_FORMAT)
      return FALSE;
  return TRUE;
}

static gboolean
is_alias (const char *text)
{
  return is_word (text) && strpbrk (text, " ,*?!#|@\"") == NULL;
}

static gboolean
is_host (const char *text)
{
  static const TsrSshTokens tokens = { .host_name = "h" };
  g_autofree char *host = tsr_ssh_expand (text, &tokens);
  TsrSshHop hop = { NULL };
  gboolean ok = host != NULL && tsr_ssh_hop_parse (host, &hop, NULL) && hop.user == NULL
                && hop.port == 0 && !g_str_has_prefix (host, "ssh:");

  tsr_ssh_hop_clear (&hop);
  return ok;
}

static gboolean
is_path (const char *text)
{
  TsrSshTokens tokens = any_tokens;
  g_autofree char *path = NULL;

  tokens.has_environment = TRUE;
  path = tsr_ssh_expand (text, &tokens);
  return path != NULL;
}

static gboolean
is_plain_path (const char *text)
{
  return *text != '\0';
}

static gboolean
is_jumps (const char *text)
{
  g_autofree char *expanded = tsr_ssh_expand (text, &any_tokens);
  TsrSshHop *jumps = NULL;
  guint n = 0;
  gboolean ok
      = *text != '\0' && expanded != NULL && tsr_ssh_jumps_parse (expanded, &jumps, &n, NULL);

  for (guint i = 0; i < n; i++)
    tsr_ssh_hop_clear (&jumps[i]);
  g_free (jumps);
  return ok;
}

/* ---------------------------------------------------------------- keywords */

static const TsrSshKeyword keywords[] = {
  { "addressfamily", TSR_SSH_ADDRESS_FAMILY, is_family },
  { "certificatefile", TSR_SSH_CERTIFICATE_FILE, is_path },
  { "challengeresponseauthentication", TSR_SSH_INTERACTIVE, is_flag },
  { "ciphers", TSR_SSH_CIPHERS, is_word },
  { "connecttimeout", TSR_SSH_CONNECT_TIMEOUT, is_time },
  { "dsaauthentication", TSR_SSH_PUBKEY, is_pubkey_flag },
  { "globalknownhostsfile", TSR_SSH_GLOBAL_KNOWN_HOSTS, is_plain_path, TSR_SSH_TAKES_WORDS },
  { "hashknownhosts", TSR_SSH_HASH_KNOWN_HOSTS, is_flag },
  { "hostkeyalgorithms", TSR_SSH_HOST_KEY_ALGORITHMS, is_word },
  { "hostkeyalias", TSR_SSH_HOST_KEY_ALIAS, is_alias },
  { "hostname", TSR_SSH_HOST_NAME, is_host },
  { "identitiesonly", TSR_SSH_IDENTITIES_ONLY, is_flag },
  { "identityagent", TSR_SSH_IDENTITY_AGENT, is_path },
  { "identityfile", TSR_SSH_IDENTITY_FILE, is_path },
  { "identityfile2", TSR_SSH_IDENTITY_FILE, is_path },
  { "kbdinteractiveauthentication", TSR_SSH_INTERACTIVE, is_flag },
  { "kexalgorithms", TSR_SSH_KEX_ALGORITHMS, is_word },
  { "macs", TSR_SSH_MACS, is_word },
  { "numberofpasswordprompts", TSR_SSH_PASSWORD_PROMPTS, is_count },
  { "passwordauthentication", TSR_SSH_PASSWORD, is_flag },
  { "port", TSR_SSH_PORT, is_port },
  { "preferredauthentications", TSR_SSH_PREFERRED, is_word },
  { "proxycommand", TSR_SSH_PROXY_COMMAND, is_plain_path, TSR_SSH_TAKES_REST },
  { "proxyjump", TSR_SSH_PROXY_JUMP, is_jumps, TSR_SSH_TAKES_REST },
  { "pubkeyacceptedalgorithms", TSR_SSH_PUBKEY_ALGORITHMS, is_word },
  { "pubkeyacceptedkeytypes", TSR_SSH_PUBKEY_ALGORITHMS, is_word },
  { "pubkeyauthentication", TSR_SSH_PUBKEY, is_pubkey_flag },
  { "serveralivecountmax", TSR_SSH_ALIVE_COUNT, is_count },
  { "serveraliveinterval", TSR_SSH_ALIVE_INTERVAL, is_time },
  { "skeyauthentication", TSR_SSH_INTERACTIVE, is_flag },
  { "stricthostkeychecking", TSR_SSH_STRICT, is_strict },
  { "tisauthentication", TSR_SSH_INTERACTIVE, is_flag },
  { "user", TSR_SSH_USER, is_word },
  { "userknownhostsfile", TSR_SSH_KNOWN_HOSTS, is_path, TSR_SSH_TAKES_WORDS },
};

/* What ssh knows and we have no use for. */
static const char *const others[] = {
  "addkeystoagent",
  "afstokenpassing",
  "batchmode",
  "bindaddress",
  "bindinterface",
  "canonicaldomains",
  "canonicalizefallbacklocal",
  "canonicalizehostname",
  "canonicalizemaxdots",
  "canonicalizepermittedcnames",
  "casignaturealgorithms",
  "channeltimeout",
  "checkhostip",
  "cipher",
  "clearallforwardings",
  "compression",
  "compressionlevel",
  "connectionattempts",
  "controlmaster",
  "controlpath",
  "controlpersist",
  "dynamicforward",
  "enableescapecommandline",
  "enablesshkeysign",
  "escapechar",
  "exitonforwardfailure",
  "fallbacktorsh",
  "fingerprinthash",
  "forkafterauthentication",
  "forwardagent",
  "forwardx11",
  "forwardx11timeout",
  "forwardx11trusted",
  "gatewayports",
  "globalknownhostsfile2",
  "gssapiauthentication",
  "gssapiclientidentity",
  "gssapidelegatecredentials",
  "gssapikexalgorithms",
  "gssapikeyexchange",
  "gssapirenewalforcesrekey",
  "gssapiserveridentity",
  "gssapitrustdns",
  "hostbasedacceptedalgorithms",
  "hostbasedauthentication",
  "hostbasedkeytypes",
  "ignoreunknown",
  "ipqos",
  "kbdinteractivedevices",
  "keepalive",
  "kerberosauthentication",
  "kerberostgtpassing",
  "knownhostscommand",
  "localcommand",
  "localforward",
  "loglevel",
  "logverbose",
  "nohostauthenticationforlocalhost",
  "obscurekeystroketiming",
  "permitlocalcommand",
  "permitremoteopen",
  "pkcs11provider",
  "protocol",
  "proxyusefdpass",
  "refuseconnection",
  "rekeylimit",
  "remotecommand",
  "remoteforward",
  "requesttty",
  "requiredrsasize",
  "revokedhostkeys",
  "rhostsauthentication",
  "rhostsrsaauthentication",
  "rsaauthentication",
  "securitykeyprovider",
  "sendenv",
  "sessiontype",
  "setenv",
  "smartcarddevice",
  "stdinnull",
  "streamlocalbindmask",
  "streamlocalbindunlink",
  "syslogfacility",
  "tag",
  "tcpkeepalive",
  "tunnel",
  "tunneldevice",
  "updatehostkeys",
  "usekeychain",
  "useprivilegedport",
  "userknownhostsfile2",
  "useroaming",
  "usersh",
  "verifyhostkeydns",
  "versionaddendum",
  "visualhostkey",
  "warnweakcrypto",
  "xauthlocation",
};

static int
compare_keyword (const void *a, const void *b)
{
  return strcmp (a, ((const TsrSshKeyword *)b)->keyword);
}

static int
compare_other (const void *a, const void *b)
{
  return strcmp (a, *(const char *const *)b);
}

const TsrSshKeyword *
tsr_ssh_find_keyword (const char *keyword)
{
  return bsearch (keyword, keywords, G_N_ELEMENTS (keywords), sizeof keywords[0], compare_keyword);
}

gboolean
tsr_ssh_is_useless_keyword (const char *keyword)
{
  return bsearch (keyword, others, G_N_ELEMENTS (others), sizeof others[0], compare_other) != NULL;
}
