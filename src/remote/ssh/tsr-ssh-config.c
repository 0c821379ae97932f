/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads ssh_config into a flat list of entries in file order, with included files in place, and
 * evaluates it for one host: Host and Match conditions, options, tokens.  Each look-up walks
 * through the list once, because Match depends on the host and on the options found so far. */

#include "config.h"

#include "tsr-ssh-config.h"

#include "tsr-remote-error.h"
#include "tsr-ssh-text.h"

#include <arpa/inet.h>
#include <fnmatch.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <netdb.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Limits for the names that a pattern of Include looks at, and for the paths that it may have. */
#define MAX_GLOB_NAMES 100000
#define MAX_GLOB_PATHS 4096

typedef enum
{
  TSR_SSH_ENTRY_OPTION,
  TSR_SSH_ENTRY_HOST,     /* words: patterns; none: never matches */
  TSR_SSH_ENTRY_MATCH,    /* words: "[!]criterion", argument, ...; none: never matches */
  TSR_SSH_ENTRY_FILE,     /* another file begins: everything applies until its first Host */
  TSR_SSH_ENTRY_INCLUDE,  /* an included file begins */
  TSR_SSH_ENTRY_INCLUDED, /* and ends */
} TsrSshEntryKind;

/* The options that we use, in the order of the table of keywords. */
typedef enum
{
  TSR_SSH_ADDRESS_FAMILY,
  TSR_SSH_CERTIFICATE_FILE,
  TSR_SSH_CIPHERS,
  TSR_SSH_CONNECT_TIMEOUT,
  TSR_SSH_GLOBAL_KNOWN_HOSTS,
  TSR_SSH_HASH_KNOWN_HOSTS,
  TSR_SSH_HOST_KEY_ALGORITHMS,
  TSR_SSH_HOST_KEY_ALIAS,
  TSR_SSH_HOST_NAME,
  TSR_SSH_IDENTITIES_ONLY,
  TSR_SSH_IDENTITY_AGENT,
  TSR_SSH_IDENTITY_FILE,
  TSR_SSH_INTERACTIVE,
  TSR_SSH_KEX_ALGORITHMS,
  TSR_SSH_MACS,
  TSR_SSH_PASSWORD,
  TSR_SSH_PASSWORD_PROMPTS,
  TSR_SSH_PORT,
  TSR_SSH_PREFERRED,
  TSR_SSH_PROXY_COMMAND,
  TSR_SSH_PROXY_JUMP,
  TSR_SSH_PUBKEY,
  TSR_SSH_PUBKEY_ALGORITHMS,
  TSR_SSH_ALIVE_COUNT,
  TSR_SSH_ALIVE_INTERVAL,
  TSR_SSH_STRICT,
  TSR_SSH_USER,
  TSR_SSH_KNOWN_HOSTS,
  TSR_SSH_N_OPTIONS,
} TsrSshOption;

typedef struct
{
  guint8 kind;   /* TsrSshEntryKind */
  guint8 option; /* TsrSshOption */
  GStrv words;
} TsrSshEntry;

struct _TsrSshConfig
{
  gatomicrefcount refs;
  GArray *entries; /* TsrSshEntry */
  char *home;      /* the user's */
};

typedef enum
{
  TSR_SSH_TAKES_WORD,  /* one */
  TSR_SSH_TAKES_WORDS, /* one or more */
  TSR_SSH_TAKES_REST,  /* of the line, up to a comment, with its quotes */
} TsrSshTakes;

typedef struct
{
  const char *keyword; /* lower case */
  TsrSshOption option;
  gboolean (*check) (const char *value); /* of each word */
  TsrSshTakes takes;
} TsrSshKeyword;

/* Values of tokens; NULL: not available here. */
typedef struct
{
  const char *home;         /* %d; with it %u, %i, %l and %L, which come from the machine */
  const char *host_name;    /* %h */
  const char *alias;        /* %n */
  const char *port;         /* %p */
  const char *user;         /* %r */
  const char *known_as;     /* %k */
  const char *jump;         /* %j: name of the last jump host, or "" */
  const char *hash;         /* %C */
  gboolean has_environment; /* ${NAME} too */
} TsrSshTokens;

static char *tsr_ssh_expand (const char *text, const TsrSshTokens *tokens);

/* The options of ssh_config that we use, and the values that each takes. */

/* ------------------------------------------------------------------ values */

/* FALSE: not a number of seconds as OpenSSH writes it ("90", "1m30s"). */
static gboolean
tsr_ssh_parse_time (const char *text, guint *seconds)
{
  static const struct
  {
    char unit;
    guint64 seconds;
  } units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 } };
  guint64 sum = 0;

  if (g_ascii_strcasecmp (text, "none") == 0)
    text = "0";
  do
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
  while (*text != '\0');
  *seconds = (guint)sum;
  return TRUE;
}

static gboolean
tsr_ssh_parse_count (const char *text, guint max, guint *count)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 0, max, &number, NULL))
    return FALSE;
  *count = (guint)number;
  return TRUE;
}

/* FALSE: neither a port nor the name of a service of TCP (services(5)). */
static gboolean
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

/* FALSE: neither yes nor no. */
static gboolean
tsr_ssh_parse_flag (const char *text, gboolean *value)
{
  *value = g_ascii_strcasecmp (text, "yes") == 0 || g_ascii_strcasecmp (text, "true") == 0;
  return *value || g_ascii_strcasecmp (text, "no") == 0 || g_ascii_strcasecmp (text, "false") == 0;
}

static gboolean
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

/* (nullable): of an option that counts; @keyword in lower case. */
static const TsrSshKeyword *
tsr_ssh_find_keyword (const char *keyword)
{
  return bsearch (keyword, keywords, G_N_ELEMENTS (keywords), sizeof keywords[0], compare_keyword);
}

/* Whether ssh knows the option but we do not use it. */
static gboolean
tsr_ssh_is_useless_keyword (const char *keyword)
{
  return bsearch (keyword, others, G_N_ELEMENTS (others), sizeof others[0], compare_other) != NULL;
}

/* Parses ssh_config into entries, like OpenSSH's readconf.c: quotes, "=", comments and Include.  A
 * line that makes OpenSSH exit with an error is skipped with a diagnostic; such a Host or Match
 * line matches nothing. */

#define MAX_DEPTH 16
#define MAX_FILES 1024
#define MAX_BYTES TSR_SSH_TEXT_MAX
#define BLANKS    " \t\r\n"

typedef struct
{
  TsrSshConfig *config;
  TsrDiagnostics *diagnostics; /* (nullable) */
  gboolean is_user;
  guint n_files;
  gsize n_bytes;
  GHashTable *open; /* (element-type char): real paths of the files that include this one */
} Reader;

typedef struct
{
  Reader *reader;
  const char *file;
  guint line;
  guint depth;
} Place;

static void read_file (Reader *reader, const char *file, guint depth, gboolean check_owner);

static void G_GNUC_PRINTF (3, 4)
    say (const Place *place, TsrSeverity severity, const char *format, ...)
{
  g_autofree char *name = g_filename_display_name (place->file);
  va_list args;

  if (place->reader->diagnostics == NULL)
    return;
  va_start (args, format);
  tsr_diagnostics_add_va (place->reader->diagnostics, severity, "ssh-config", name, NULL,
                          place->line > 0 ? (gint64)place->line : TSR_NO_ROW, TSR_NO_ROW, format,
                          args);
  va_end (args);
}

static void
add_entry (Reader *reader, TsrSshEntryKind kind, TsrSshOption option, GStrv words)
{
  TsrSshEntry entry = { (guint8)kind, (guint8)option, words };

  g_array_append_val (reader->config->entries, entry);
}

/* ------------------------------------------------------------------- words */

/* (nullable): the next word as strdelim of OpenSSH cuts it: blanks, one "=", quotes with nothing
 * inside that counts.  *@at NULL: there are no more. */
static char *
next_word (char **at)
{
  char *word = *at;
  char *end;
  gboolean had_equals;

  if (word == NULL)
    return NULL;
  end = strpbrk (word, BLANKS "\"=");
  *at = end;
  if (end == NULL)
    return word;
  if (*end == '"')
    {
      /* The quote goes, with what stands before it moved up. */
      memmove (word + 1, word, (gsize)(end - word));
      word++;
      end = strchr (end + 1, '"');
      *at = end != NULL ? end + 1 + strspn (end + 1, BLANKS) : NULL;
      if (end == NULL)
        return NULL;
      *end = '\0';
      return word;
    }
  had_equals = *end == '=';
  *end = '\0';
  *at = end + 1 + strspn (end + 1, BLANKS);
  if (!had_equals && **at == '=')
    *at += 1 + strspn (*at + 1, BLANKS);
  return word;
}

/* (transfer full) (nullable): @text in words, up to a comment; NULL: a quote that does not end. */
static GStrv
split_words (const char *text)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (;;)
    {
      g_autoptr (GString) word = NULL;
      char quote = '\0';

      text += strspn (text, " \t");
      if (*text == '\0' || *text == '#')
        break;
      word = g_string_new (NULL);
      for (; *text != '\0' && (quote != '\0' || (*text != ' ' && *text != '\t')); text++)
        if (*text == '\\' && text[1] != '\0'
            && (strchr ("'\"\\", text[1]) != NULL || (quote == '\0' && text[1] == ' ')))
          g_string_append_c (word, *++text);
        else if (quote == '\0' && (*text == '"' || *text == '\''))
          quote = *text;
        else if (quote != '\0' && *text == quote)
          quote = '\0';
        else
          g_string_append_c (word, *text);
      if (quote != '\0')
        return NULL;
      g_ptr_array_add (words, g_string_free (g_steal_pointer (&word), FALSE));
    }
  g_ptr_array_add (words, NULL);
  return (GStrv)g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

/* ----------------------------------------------------------------- include */

typedef struct
{
  GStrv parts; /* between slashes */
  GPtrArray *paths;
  guint n_names;
  gboolean is_cut;
} Glob;

static void walk_folder (Glob *glob, const char *folder, guint part);

static void
take_path (Glob *glob, char *path, guint part)
{
  GStatBuf status;

  if (glob->parts[part + 1] != NULL)
    walk_folder (glob, path, part + 1);
  else if (glob->paths->len >= MAX_GLOB_PATHS)
    glob->is_cut = TRUE;
  else if (g_lstat (path, &status) == 0)
    {
      g_ptr_array_add (glob->paths, path);
      return;
    }
  g_free (path);
}

static void
walk_folder (Glob *glob, const char *folder, guint part)
{
  const char *pattern = glob->parts[part];
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (strpbrk (pattern, "*?[\\") == NULL)
    {
      take_path (glob, g_build_filename (folder, pattern, NULL), part);
      return;
    }
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && !glob->is_cut && (name = g_dir_read_name (dir)) != NULL)
    if (++glob->n_names > MAX_GLOB_NAMES)
      glob->is_cut = TRUE;
    else if (fnmatch (pattern, name, FNM_PERIOD) == 0)
      take_path (glob, g_build_filename (folder, name, NULL), part);
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* (transfer full) (element-type char): glob(3) with limits: the paths that match the absolute
 * @pattern, sorted by bytes; "*", "?", "[...]" and "\".  @is_cut: there may be more. */
static GPtrArray *
expand_pattern (const char *pattern, gboolean *is_cut)
{
  Glob glob = { NULL };

  glob.paths = g_ptr_array_new_with_free_func (g_free);
  /* A name is at most 255 bytes; deep patterns are deep folders, which nobody has. */
  if (strlen (pattern) < 4096)
    {
      glob.parts = g_strsplit (pattern + strspn (pattern, "/"), "/", -1);
      if (glob.parts[0] != NULL)
        walk_folder (&glob, "/", 0);
      g_strfreev (glob.parts);
    }
  g_ptr_array_sort (glob.paths, compare_paths);
  *is_cut = glob.is_cut;
  return glob.paths;
}

/* ------------------------------------------------------------------- lines */

static void
take_host (Place *place, GStrv words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] == '\0')
      {
        say (place, TSR_SEVERITY_WARNING,
             _ ("A name after Host is empty; nothing below the line counts"));
        g_clear_pointer (&words, g_strfreev);
        break;
      }
  add_entry (place->reader, TSR_SSH_ENTRY_HOST, 0, words);
}

/* (nullable): why the criterion cannot be used; @n_words: that it takes.  The files are read once,
 * so "canonical" and "final" are never true, and without them is always so. */
static const char *
get_match_objection (const char *name, guint n_before, gboolean is_last, guint *n_words)
{
  static const char *const with[] = { "host", "originalhost", "user", "localuser" };
  gboolean negated = *name == '!';

  name += negated ? 1 : 0;
  *n_words = 1;
  if (g_str_equal (name, "all"))
    return n_before > 1 || !is_last
               ? _ ("\"all\" must stand alone after Match; nothing below the line counts")
               : NULL;
  if (g_str_equal (name, "exec"))
    return _ ("No program is run for \"Match exec\"; nothing below the line counts");
  if (g_str_equal (name, "canonical") || g_str_equal (name, "final"))
    return negated ? NULL
                   : _ ("Host names are not made canonical, and the files are read once; nothing "
                        "below \"Match canonical\" or \"Match final\" counts");
  for (guint i = 0; i < G_N_ELEMENTS (with); i++)
    if (g_str_equal (name, with[i]))
      {
        *n_words = 2;
        return is_last ? _ ("A condition after Match has no value; nothing below the line counts")
                       : NULL;
      }
  return _ ("The line has an unknown condition; nothing below it counts");
}

static gboolean
is_word_there (const char *word)
{
  return word != NULL && *word != '\0' && *word != '#';
}

static void
take_match (Place *place, char *rest)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  const char *objection = NULL;
  char *word = next_word (&rest);

  while (is_word_there (word) && objection == NULL)
    {
      g_autofree char *name = g_ascii_strdown (word, -1);
      guint n_words;

      word = next_word (&rest);
      objection = get_match_objection (name, words->len / 2, !is_word_there (word), &n_words);
      g_ptr_array_add (words, g_steal_pointer (&name));
      g_ptr_array_add (words, g_strdup (word != NULL ? word : ""));
      if (n_words == 2)
        word = next_word (&rest);
    }
  if (objection == NULL && words->len == 0)
    objection = _ ("There is no condition after Match; nothing below the line counts");
  if (objection != NULL)
    say (place, TSR_SEVERITY_WARNING, "%s", objection);
  g_ptr_array_add (words, NULL);
  add_entry (place->reader, TSR_SSH_ENTRY_MATCH, 0,
             objection == NULL ? (GStrv)g_ptr_array_free (g_steal_pointer (&words), FALSE) : NULL);
}

/* (transfer full) (nullable): the pattern of an Include as an absolute path. */
static char *
dup_include (const Reader *reader, const char *word)
{
  if (*word == '~')
    return reader->is_user ? tsr_ssh_expand_tilde (word, reader->config->home) : NULL;
  if (*word == '/')
    return g_strdup (word);
  return reader->is_user ? g_build_filename (reader->config->home, ".ssh", word, NULL)
                         : g_build_filename ("/etc/ssh", word, NULL);
}

static void
take_include (Place *place, GStrv words)
{
  Reader *reader = place->reader;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *pattern = *words[i] != '\0' ? dup_include (reader, words[i]) : NULL;
      g_autoptr (GPtrArray) paths = NULL;
      gboolean is_cut;

      if (pattern == NULL)
        {
          say (place, TSR_SEVERITY_WARNING, _ ("A path after Include cannot be used"));
          continue;
        }
      paths = expand_pattern (pattern, &is_cut);
      if (is_cut)
        say (place, TSR_SEVERITY_WARNING,
             _ ("The pattern after Include matches too many files; not all of them are read"));
      for (guint j = 0; j < paths->len; j++)
        {
          if (place->depth >= MAX_DEPTH || reader->n_files >= MAX_FILES)
            {
              say (place, TSR_SEVERITY_WARNING,
                   _ ("Files include each other too deeply or too often; the rest is left out"));
              return;
            }
          add_entry (reader, TSR_SSH_ENTRY_INCLUDE, 0, NULL);
          read_file (reader, paths->pdata[j], place->depth + 1, TRUE);
          add_entry (reader, TSR_SSH_ENTRY_INCLUDED, 0, NULL);
        }
    }
}

static gboolean
check_words (const TsrSshKeyword *keyword, GStrv words)
{
  for (; *words != NULL; words++)
    if (**words == '\0' || !keyword->check (*words))
      return FALSE;
  return TRUE;
}

/* Takes @words. */
static void
take_read_option (Place *place, const TsrSshKeyword *keyword, GStrv words)
{
  if (keyword->takes == TSR_SSH_TAKES_WORD && words[1] != NULL)
    say (place, TSR_SEVERITY_WARNING, _ ("There are too many words after %s; the line is ignored"),
         keyword->keyword);
  else if (!check_words (keyword, words))
    say (place, TSR_SEVERITY_WARNING, _ ("The value of %s cannot be used; the line is passed over"),
         keyword->keyword);
  else
    {
      add_entry (place->reader, TSR_SSH_ENTRY_OPTION, keyword->option, words);
      return;
    }
  g_strfreev (words);
}

/* The rest of the line as one word, as ProxyJump and ProxyCommand take it. */
static GStrv
dup_rest (const TsrSshKeyword *keyword, const char *text)
{
  GStrv words = g_new0 (char *, 2);

  text += strspn (text, BLANKS "=");
  words[0] = g_strndup (text, keyword->option == TSR_SSH_PROXY_JUMP ? strcspn (text, "#")
                                                                    : strlen (text));
  g_strchomp (words[0]);
  return words;
}

static void
take_unknown (Place *place, const char *keyword, GPtrArray *ignored)
{
  g_autofree char *name = NULL;

  for (guint i = 0; i < ignored->len; i++)
    if (tsr_ssh_pattern_match_list (keyword, ignored->pdata[i], FALSE) == 1)
      return;
  name = g_strcanon (g_strndup (keyword, 40), G_CSET_a_2_z G_CSET_DIGITS "-_.", '?');
  say (place, TSR_SEVERITY_INFO, _ ("The option %s is not known and is ignored"), name);
}

/* What a Host or Match that cannot be read leaves: nothing under it may count for everybody. */
static void
take_unreadable (Place *place, const char *keyword, const char *text)
{
  say (place, TSR_SEVERITY_WARNING, "%s", text);
  if (g_str_equal (keyword, "host") || g_str_equal (keyword, "match"))
    add_entry (place->reader, TSR_SSH_ENTRY_HOST, 0, NULL);
}

static void
take_line (Place *place, char *text, GPtrArray *ignored)
{
  char *rest = text;
  char *word;
  g_autofree char *keyword = NULL;
  g_auto (GStrv) words = NULL;
  const TsrSshKeyword *found;

  for (gsize length = strlen (text); length > 1 && strchr (BLANKS "\f", text[length - 1]) != NULL;
       length--)
    text[length - 1] = '\0';
  word = next_word (&rest);
  if (word != NULL && *word == '\0')
    word = next_word (&rest);
  if (word == NULL || *word == '\0' || *word == '#')
    return;
  keyword = g_ascii_strdown (word, -1);
  if (rest != NULL)
    rest += strspn (rest, BLANKS);
  if (rest == NULL || *rest == '\0')
    {
      take_unreadable (place, keyword, _ ("There is nothing after the option's name"));
      return;
    }
  if (g_str_equal (keyword, "match"))
    {
      take_match (place, rest);
      return;
    }
  found = tsr_ssh_find_keyword (keyword);
  if (found != NULL && found->takes == TSR_SSH_TAKES_REST)
    {
      take_read_option (place, found, dup_rest (found, rest));
      return;
    }
  words = split_words (rest);
  if (words == NULL)
    take_unreadable (place, keyword, _ ("A quotation mark is not closed; the line is ignored"));
  else if (words[0] == NULL)
    take_unreadable (place, keyword, _ ("There is nothing after the option's name"));
  else if (g_str_equal (keyword, "host"))
    take_host (place, g_steal_pointer (&words));
  else if (g_str_equal (keyword, "include"))
    take_include (place, words);
  else if (g_str_equal (keyword, "ignoreunknown"))
    g_ptr_array_add (ignored, g_ascii_strdown (words[0], -1));
  else if (found != NULL)
    take_read_option (place, found, g_steal_pointer (&words));
  else if (!tsr_ssh_is_useless_keyword (keyword))
    take_unknown (place, keyword, ignored);
}

/* ------------------------------------------------------------------- files */

/* As ssh: whoever else may write to it could send the user anywhere. */
static gboolean
is_own (const char *file)
{
  GStatBuf status;

  return g_stat (file, &status) != 0
         || ((status.st_uid == 0 || status.st_uid == getuid ()) && (status.st_mode & 022) == 0);
}

static void
read_lines (Place *place, char *text, gsize length)
{
  g_autoptr (GPtrArray) ignored = g_ptr_array_new_with_free_func (g_free);
  char *at = tsr_ssh_text_skip_mark (text);
  char *line;

  while ((line = tsr_ssh_text_next_line (&at, text + length)) != NULL)
    {
      place->line++;
      take_line (place, line, ignored);
    }
}

static void
read_file (Reader *reader, const char *file, guint depth, gboolean check_owner)
{
  Place place = { reader, file, 0, depth };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  char *real = realpath (file, NULL);
  gsize length;

  if (real != NULL && g_hash_table_contains (reader->open, real))
    {
      say (&place, TSR_SEVERITY_WARNING, _ ("The file includes itself; it is read once"));
      free (real);
      return;
    }
  if (real != NULL)
    g_hash_table_add (reader->open, real);
  reader->n_files++;
  if (check_owner && !is_own (file))
    say (&place, TSR_SEVERITY_WARNING,
         _ ("The file belongs to somebody else, or others may write to it; it is not used, as by "
            "ssh.  Take away their permission: chmod go-w"));
  else
    text = tsr_ssh_text_read (file, &length, &error);
  if (error != NULL)
    say (&place, TSR_SEVERITY_WARNING, "%s", error->message);
  if (text != NULL && reader->n_bytes + length > MAX_BYTES)
    say (&place, TSR_SEVERITY_WARNING,
         _ ("Together the files are too large; this one is left out"));
  else if (text != NULL)
    {
      reader->n_bytes += length;
      read_lines (&place, text, length);
    }
  if (real != NULL)
    {
      g_hash_table_remove (reader->open, real);
      free (real);
    }
}

/* Reads a file and what it includes to the end of @entries. */
static void
tsr_ssh_config_read (TsrSshConfig *self,
                     const char *file,
                     gboolean is_user,
                     gboolean check_owner,
                     TsrDiagnostics *diagnostics)
{
  Reader reader = { self, diagnostics, is_user };

  reader.open = g_hash_table_new (g_str_hash, g_str_equal);
  add_entry (&reader, TSR_SSH_ENTRY_FILE, 0, NULL);
  read_file (&reader, file, 0, check_owner);
  g_hash_table_unref (reader.open);
}

/* ------------------------------------------------------------------ memory */

static void
clear_entry (gpointer data)
{
  g_strfreev (((TsrSshEntry *)data)->words);
}

TsrSshConfig *
tsr_ssh_config_load (const char *user_file, const char *system_file, TsrDiagnostics *diagnostics)
{
  TsrSshConfig *self = g_new0 (TsrSshConfig, 1);
  g_autofree char *usual = NULL;

  g_atomic_ref_count_init (&self->refs);
  self->entries = g_array_new (FALSE, FALSE, sizeof (TsrSshEntry));
  g_array_set_clear_func (self->entries, clear_entry);
  self->home = g_strdup (g_get_home_dir ());
  usual = g_build_filename (self->home, ".ssh", "config", NULL);
  tsr_ssh_config_read (self, user_file != NULL ? user_file : usual, TRUE, user_file == NULL,
                       diagnostics);
  tsr_ssh_config_read (self, system_file != NULL ? system_file : "/etc/ssh/ssh_config", FALSE,
                       FALSE, diagnostics);
  return self;
}

TsrSshConfig *
tsr_ssh_config_ref (TsrSshConfig *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_ssh_config_unref (TsrSshConfig *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_array_unref (self->entries);
  g_free (self->home);
  g_free (self);
}

void
tsr_ssh_host_free (TsrSshHost *host)
{
  if (host == NULL)
    return;
  g_free (host->alias);
  g_free (host->host_name);
  g_free (host->user);
  g_free (host->host_key_alias);
  g_strfreev (host->identity_files);
  g_strfreev (host->certificate_files);
  g_free (host->identity_agent);
  g_strfreev (host->known_hosts);
  g_free (host->spare_known_hosts);
  g_strfreev (host->global_known_hosts);
  g_strfreev (host->preferred);
  g_free (host->host_key_algorithms);
  g_free (host->kex_algorithms);
  g_free (host->ciphers);
  g_free (host->macs);
  g_free (host->pubkey_algorithms);
  for (guint i = 0; i < host->n_jumps; i++)
    tsr_ssh_hop_clear (&host->jumps[i]);
  g_free (host->jumps);
  g_free (host);
}

/* --------------------------------------------------------------- expansion */

/* (nullable): what the token stands for; @machine has room for what the machine tells. */
static const char *
get_token (const TsrSshTokens *tokens, char token, char machine[256])
{
  switch (token)
    {
    case '%':
      return "%";
    case 'h':
      return tokens->host_name;
    case 'n':
      return tokens->alias;
    case 'p':
      return tokens->port;
    case 'r':
      return tokens->user;
    case 'k':
      return tokens->known_as;
    case 'j':
      return tokens->jump;
    case 'C':
      return tokens->hash;
    case 'd':
      return tokens->home;
    default:
      break;
    }
  if (tokens->home == NULL)
    return NULL;
  if (token == 'u')
    return g_get_user_name ();
  if (token == 'i')
    {
      g_snprintf (machine, 256, "%lu", (gulong)getuid ());
      return machine;
    }
  if ((token != 'l' && token != 'L') || gethostname (machine, 256) != 0)
    return NULL;
  machine[255] = '\0';
  if (token == 'L')
    *strchrnul (machine, '.') = '\0';
  return machine;
}

/* (transfer full) (nullable): NULL if there is an unknown token or variable. */
static char *
tsr_ssh_expand (const char *text, const TsrSshTokens *tokens)
{
  g_autoptr (GString) out = g_string_new (NULL);

  while (*text != '\0')
    if (*text == '%')
      {
        char machine[256];
        const char *value = get_token (tokens, text[1], machine);

        if (value == NULL)
          return NULL;
        g_string_append (out, value);
        text += 2;
      }
    else if (tokens->has_environment && text[0] == '$' && text[1] == '{')
      {
        const char *end = strchr (text, '}');
        g_autofree char *name = end != NULL ? g_strndup (text + 2, (gsize)(end - text - 2)) : NULL;
        const char *value = name != NULL ? g_getenv (name) : NULL;

        if (value == NULL)
          return NULL;
        g_string_append (out, value);
        text = end + 1;
      }
    else
      g_string_append_c (out, *text++);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
tsr_ssh_expand_tilde (const char *text, const char *home)
{
  gsize length = strcspn (text, "/");
  g_autofree char *name = NULL;
  struct passwd entry, *found = NULL;
  char room[16384];

  if (*text != '~')
    return g_strdup (text);
  if (length == 1)
    return g_strconcat (home, text + 1, NULL);
  name = g_strndup (text + 1, length - 1);
  if (getpwnam_r (name, &entry, room, sizeof room, &found) != 0 || found == NULL)
    return NULL;
  return g_strconcat (found->pw_dir, text + length, NULL);
}

/* (transfer full) (nullable): %C, the hash of %l%h%p%r and, by newer ssh, of %j. */
static char *
dup_hash (const TsrSshTokens *tokens, gboolean with_jump)
{
  TsrSshTokens plain = *tokens;
  g_autofree char *text = NULL;

  plain.has_environment = FALSE;
  text = tsr_ssh_expand (with_jump ? "%l%h%p%r%j" : "%l%h%p%r", &plain);
  return text != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1) : NULL;
}

/* (transfer full) (nullable): with the tokens of @text.  Behind a jump host %C is another one for
 * an older ssh: where only a file of that name is there, it is meant. */
static char *
dup_expanded (const char *text, const TsrSshTokens *tokens)
{
  g_autofree char *path = tsr_ssh_expand (text, tokens);
  TsrSshTokens older = *tokens;
  g_autofree char *hash = NULL;
  g_autofree char *older_path = NULL;

  if (path == NULL || *tokens->jump == '\0' || strstr (text, "%C") == NULL
      || g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  older.hash = hash = dup_hash (tokens, FALSE);
  older_path = tsr_ssh_expand (text, &older);
  if (older_path != NULL && g_file_test (older_path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&older_path);
  return g_steal_pointer (&path);
}

/* (transfer full) (nullable): absolute. */
static char *
dup_path (const char *text, const TsrSshTokens *tokens, const char *home)
{
  g_autofree char *path = tsr_ssh_expand_tilde (text, home);
  g_autofree char *expanded = path != NULL ? dup_expanded (path, tokens) : NULL;

  if (expanded == NULL || *expanded == '\0')
    return NULL;
  return g_path_is_absolute (expanded) ? g_steal_pointer (&expanded)
                                       : g_canonicalize_filename (expanded, NULL);
}

/* -------------------------------------------------------------------- walk */

/* What counts for one hop. */
typedef struct
{
  const TsrSshConfig *config;
  const TsrSshHop *hop;
  const TsrSshEntry *first[TSR_SSH_N_OPTIONS];
  GPtrArray *identities, *certificates; /* (element-type char): words of the entries */
} Found;

typedef struct
{
  gboolean active;
  gboolean never; /* in a file that is included where nothing counts */
} Scope;

static const char *
get_word (const Found *found, TsrSshOption option)
{
  return found->first[option] != NULL ? found->first[option]->words[0] : NULL;
}

/* (transfer full): HostName as far as it is known, or the alias; lower case, as ssh. */
static char *
dup_host_name (const Found *found)
{
  const char *word = get_word (found, TSR_SSH_HOST_NAME);
  TsrSshTokens tokens = { .host_name = found->hop->host };
  g_autofree char *expanded = word != NULL ? tsr_ssh_expand (word, &tokens) : NULL;
  TsrSshHop hop = { NULL };
  char *name;

  /* Without the brackets of an address of IP version 6. */
  if (expanded != NULL && tsr_ssh_hop_parse (expanded, &hop, NULL))
    name = g_ascii_strdown (hop.host, -1);
  else
    name = g_ascii_strdown (found->hop->host, -1);
  tsr_ssh_hop_clear (&hop);
  return name;
}

static const char *
get_user (const Found *found)
{
  const char *word = get_word (found, TSR_SSH_USER);

  if (found->hop->user != NULL)
    return found->hop->user;
  return word != NULL ? word : g_get_user_name ();
}

static gboolean
match_host (const char *host, const GStrv patterns)
{
  gboolean matches = FALSE;

  for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
    {
      gboolean negated = *patterns[i] == '!';

      if (!tsr_ssh_pattern_match (host, patterns[i] + (negated ? 1 : 0)))
        continue;
      if (negated)
        return FALSE;
      matches = TRUE;
    }
  return matches;
}

static gboolean
match_name (const char *name, const char *list)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return tsr_ssh_pattern_match_list (lower, list, TRUE) == 1;
}

static gboolean
match_condition (const Found *found, const char *criterion, const char *argument)
{
  if (g_str_equal (criterion, "all"))
    return TRUE;
  if (g_str_equal (criterion, "host"))
    {
      g_autofree char *name = dup_host_name (found);

      return match_name (name, argument);
    }
  if (g_str_equal (criterion, "originalhost"))
    return match_name (found->hop->host, argument);
  if (g_str_equal (criterion, "user"))
    return tsr_ssh_pattern_match_list (get_user (found), argument, FALSE) == 1;
  if (g_str_equal (criterion, "localuser"))
    return tsr_ssh_pattern_match_list (g_get_user_name (), argument, FALSE) == 1;
  return FALSE; /* canonical, final */
}

static gboolean
match_all (const Found *found, const GStrv words)
{
  for (guint i = 0; words != NULL && words[i] != NULL; i += 2)
    {
      gboolean negated = *words[i] == '!';

      if (match_condition (found, words[i] + (negated ? 1 : 0), words[i + 1]) == negated)
        return FALSE;
    }
  return words != NULL;
}

static void
add_word (GPtrArray *words, char *word)
{
  /* As many as ssh takes, each once. */
  if (words->len < 100 && !g_ptr_array_find_with_equal_func (words, word, g_str_equal, NULL))
    g_ptr_array_add (words, word);
}

static void
take_option (Found *found, const TsrSshEntry *entry)
{
  TsrSshOption option = entry->option;
  const char *jump = get_word (found, TSR_SSH_PROXY_JUMP);

  if (option == TSR_SSH_IDENTITY_FILE)
    add_word (found->identities, entry->words[0]);
  else if (option == TSR_SSH_CERTIFICATE_FILE)
    add_word (found->certificates, entry->words[0]);
  /* Whichever of the two comes first is the way; "none" of a jump leaves it to a command. */
  else if (option == TSR_SSH_PROXY_JUMP && found->first[TSR_SSH_PROXY_COMMAND] != NULL)
    return;
  else if (option == TSR_SSH_PROXY_COMMAND && jump != NULL
           && g_ascii_strcasecmp (jump, "none") != 0)
    return;
  else if (found->first[option] == NULL)
    found->first[option] = entry;
}

static void
walk (Found *found)
{
  g_autoptr (GArray) outer = g_array_new (FALSE, FALSE, sizeof (Scope));
  Scope scope = { TRUE, FALSE };

  for (guint i = 0; i < found->config->entries->len; i++)
    {
      const TsrSshEntry *entry = &g_array_index (found->config->entries, TsrSshEntry, i);

      switch ((TsrSshEntryKind)entry->kind)
        {
        case TSR_SSH_ENTRY_OPTION:
          if (scope.active)
            take_option (found, entry);
          break;
        case TSR_SSH_ENTRY_HOST:
          scope.active = !scope.never && match_host (found->hop->host, entry->words);
          break;
        case TSR_SSH_ENTRY_MATCH:
          scope.active = !scope.never && match_all (found, entry->words);
          break;
        case TSR_SSH_ENTRY_FILE:
          scope = (Scope){ TRUE, FALSE };
          break;
        case TSR_SSH_ENTRY_INCLUDE:
          g_array_append_val (outer, scope);
          scope.never = !scope.active;
          break;
        case TSR_SSH_ENTRY_INCLUDED:
          scope = g_array_index (outer, Scope, outer->len - 1);
          g_array_set_size (outer, outer->len - 1);
          break;
        }
    }
}

/* -------------------------------------------------------------------- host */

static gboolean
get_flag (const Found *found, TsrSshOption option, gboolean usual)
{
  const char *word = get_word (found, option);
  gboolean flag;

  /* "unbound" and "host-bound" are ways of yes. */
  if (word == NULL)
    return usual;
  return tsr_ssh_parse_flag (word, &flag) ? flag : TRUE;
}

static guint
get_count (const Found *found, TsrSshOption option, guint usual)
{
  const char *word = get_word (found, option);
  guint count = usual;

  if (word != NULL)
    tsr_ssh_parse_count (word, G_MAXINT32, &count);
  return count;
}

static guint
get_port (const Found *found)
{
  const char *word = get_word (found, TSR_SSH_PORT);
  guint port = 22;

  if (word != NULL)
    tsr_ssh_parse_port (word, &port);
  return port;
}

static guint
get_seconds (const Found *found, TsrSshOption option)
{
  const char *word = get_word (found, option);
  guint seconds = 0;

  if (word != NULL)
    tsr_ssh_parse_time (word, &seconds);
  return seconds;
}

/* (transfer full): paths of @words, without "none". */
static GStrv
dup_paths (char *const *words, guint n, const TsrSshTokens *tokens, const char *home)
{
  GPtrArray *paths = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      char *path
          = g_ascii_strcasecmp (words[i], "none") != 0 ? dup_path (words[i], tokens, home) : NULL;

      if (path != NULL)
        g_ptr_array_add (paths, path);
    }
  g_ptr_array_add (paths, NULL);
  return (GStrv)g_ptr_array_free (paths, FALSE);
}

static void
take_identities (TsrSshHost *host, const Found *found, const TsrSshTokens *tokens)
{
  static const char *const usual[] = { "~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ecdsa_sk",
                                       "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk" };
  const char *home = found->config->home;
  const char *agent = get_word (found, TSR_SSH_IDENTITY_AGENT);

  host->identities_told = found->identities->len > 0;
  host->identities_only = get_flag (found, TSR_SSH_IDENTITIES_ONLY, FALSE);
  host->identity_files = host->identities_told
                             ? dup_paths ((char *const *)found->identities->pdata,
                                          found->identities->len, tokens, home)
                             : dup_paths ((char *const *)usual, G_N_ELEMENTS (usual), tokens, home);
  host->certificate_files = dup_paths ((char *const *)found->certificates->pdata,
                                       found->certificates->len, tokens, home);
  if (agent == NULL || g_str_equal (agent, "SSH_AUTH_SOCK"))
    return;
  if (g_str_equal (agent, "none"))
    host->identity_agent = g_strdup ("");
  else if (agent[0] == '$' && agent[1] != '{')
    host->identity_agent = g_strdup (g_getenv (agent + 1) != NULL ? g_getenv (agent + 1) : "");
  else
    host->identity_agent = dup_path (agent, tokens, home);
}

static void
take_known_hosts (TsrSshHost *host, const Found *found, const TsrSshTokens *tokens)
{
  static const char *const usual[] = { "~/.ssh/known_hosts", "~/.ssh/known_hosts2", NULL };
  static const char *const global[]
      = { "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2", NULL };
  const TsrSshEntry *own = found->first[TSR_SSH_KNOWN_HOSTS];
  const TsrSshEntry *all = found->first[TSR_SSH_GLOBAL_KNOWN_HOSTS];
  char *const *own_words = own != NULL ? own->words : (char *const *)usual;
  GPtrArray *paths = g_ptr_array_new ();
  const char *strict = get_word (found, TSR_SSH_STRICT);

  host->known_hosts
      = dup_paths (own_words, g_strv_length ((GStrv)own_words), tokens, found->config->home);
  /* In a sandbox there is no way to create a file in ~/.ssh. */
  if (own == NULL)
    host->spare_known_hosts
        = g_build_filename (g_get_user_data_dir (), "tessera", "known_hosts", NULL);
  /* These have neither tokens nor a home folder. */
  for (char *const *word = all != NULL ? all->words : (char *const *)global; *word != NULL; word++)
    if (g_ascii_strcasecmp (*word, "none") != 0)
      g_ptr_array_add (paths, g_canonicalize_filename (*word, NULL));
  g_ptr_array_add (paths, NULL);
  host->global_known_hosts = (GStrv)g_ptr_array_free (paths, FALSE);
  host->hash_known_hosts = get_flag (found, TSR_SSH_HASH_KNOWN_HOSTS, FALSE);
  if (strict != NULL)
    tsr_ssh_parse_strict (strict, &host->strict);
}

static void
take_way (TsrSshHost *host, const Found *found, TsrSshTokens *tokens)
{
  const char *command = get_word (found, TSR_SSH_PROXY_COMMAND);
  const char *jump = get_word (found, TSR_SSH_PROXY_JUMP);
  g_autofree char *expanded = NULL;

  host->has_proxy_command = command != NULL && g_ascii_strcasecmp (command, "none") != 0;
  tokens->jump = "";
  if (jump == NULL)
    return;
  expanded = tsr_ssh_expand (jump, &(TsrSshTokens){ .host_name = tokens->host_name,
                                                    .alias = tokens->alias,
                                                    .port = tokens->port,
                                                    .user = tokens->user });
  if (expanded != NULL)
    tsr_ssh_jumps_parse (expanded, &host->jumps, &host->n_jumps, NULL);
  /* What is before it is the way to it. */
  if (host->n_jumps > 0)
    tokens->jump = host->jumps[host->n_jumps - 1].host;
}

static void
take_authentication (TsrSshHost *host, const Found *found)
{
  const char *preferred = get_word (found, TSR_SSH_PREFERRED);

  host->pubkey = get_flag (found, TSR_SSH_PUBKEY, TRUE);
  host->password = get_flag (found, TSR_SSH_PASSWORD, TRUE);
  host->keyboard_interactive = get_flag (found, TSR_SSH_INTERACTIVE, TRUE);
  host->preferred = preferred != NULL ? g_strsplit (preferred, ",", -1) : NULL;
  host->n_password_prompts = get_count (found, TSR_SSH_PASSWORD_PROMPTS, 3);
  host->host_key_algorithms = g_strdup (get_word (found, TSR_SSH_HOST_KEY_ALGORITHMS));
  host->kex_algorithms = g_strdup (get_word (found, TSR_SSH_KEX_ALGORITHMS));
  host->ciphers = g_strdup (get_word (found, TSR_SSH_CIPHERS));
  host->macs = g_strdup (get_word (found, TSR_SSH_MACS));
  host->pubkey_algorithms = g_strdup (get_word (found, TSR_SSH_PUBKEY_ALGORITHMS));
}

static guint
get_family (const Found *found)
{
  const char *word = get_word (found, TSR_SSH_ADDRESS_FAMILY);

  if (word == NULL || g_ascii_strcasecmp (word, "any") == 0)
    return AF_UNSPEC;
  return g_ascii_strcasecmp (word, "inet") == 0 ? AF_INET : AF_INET6;
}

TsrSshHost *
tsr_ssh_config_look_up (TsrSshConfig *self, const TsrSshHop *hop)
{
  TsrSshHost *host = g_new0 (TsrSshHost, 1);
  g_autoptr (GPtrArray) identities = g_ptr_array_new ();
  g_autoptr (GPtrArray) certificates = g_ptr_array_new ();
  Found found = { self, hop, { NULL }, identities, certificates };
  TsrSshTokens tokens = { .home = self->home, .has_environment = TRUE };
  g_autofree char *port = NULL;
  g_autofree char *hash = NULL;
  const char *known_as;

  walk (&found);
  known_as = get_word (&found, TSR_SSH_HOST_KEY_ALIAS);
  host->alias = g_strdup (hop->host);
  host->host_name = dup_host_name (&found);
  host->user = g_strdup (get_user (&found));
  host->port = hop->port != 0 ? hop->port : get_port (&found);
  if (known_as != NULL)
    host->host_key_alias = g_ascii_strdown (known_as, -1);
  port = g_strdup_printf ("%u", host->port);
  tokens.host_name = host->host_name;
  tokens.alias = host->alias;
  tokens.port = port;
  tokens.user = host->user;
  tokens.known_as = host->host_key_alias != NULL ? host->host_key_alias : host->alias;
  take_way (host, &found, &tokens);
  tokens.hash = hash = dup_hash (&tokens, TRUE);
  take_identities (host, &found, &tokens);
  take_known_hosts (host, &found, &tokens);
  take_authentication (host, &found);
  host->connect_timeout_s = get_seconds (&found, TSR_SSH_CONNECT_TIMEOUT);
  host->alive_interval_s = get_seconds (&found, TSR_SSH_ALIVE_INTERVAL);
  host->alive_count = get_count (&found, TSR_SSH_ALIVE_COUNT, 3);
  host->address_family = get_family (&found);
  return host;
}

/* --------------------------------------------------------------------- way */

static gboolean
add_hop (GPtrArray *hosts, TsrSshHost *host, GError **error)
{
  g_ptr_array_add (hosts, host);
  if (hosts->len <= TSR_SSH_MAX_JUMPS + 1)
    return TRUE;
  g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_CONFIG,
               _ ("The way to %s has more than %d jump hosts; look at ProxyJump in ssh_config"),
               host->alias, TSR_SSH_MAX_JUMPS);
  return FALSE;
}

/* Appends the way to @hop over @jumps (@told), or over what the files say.  @path: the hops whose
 * way is being looked for. */
static gboolean
add_way (TsrSshConfig *self,
         const TsrSshHop *hop,
         gboolean told,
         const TsrSshHop *jumps,
         guint n_jumps,
         GHashTable *path,
         GPtrArray *hosts,
         GError **error)
{
  g_autoptr (TsrSshHost) host = tsr_ssh_config_look_up (self, hop);
  g_autofree char *name = tsr_ssh_hop_to_string (hop);

  if (!told)
    {
      jumps = host->jumps;
      n_jumps = host->n_jumps;
    }
  if (!g_hash_table_add (path, g_strdup (name)))
    {
      g_set_error (error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_CONFIG,
                   _ ("ProxyJump in ssh_config leads from %s back to itself; write \"ProxyJump "
                      "none\" under a Host line of its own, or give the jump hosts"),
                   name);
      return FALSE;
    }
  if (!told && host->has_proxy_command)
    {
      g_set_error (
          error, TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_CONFIG,
          _ ("ssh_config has a ProxyCommand for %s, and no programs are run; give the jump "
             "hosts, or write ProxyJump instead"),
          name);
      return FALSE;
    }
  /* To the first one, its own way; from there on as told. */
  for (guint i = 0; i < n_jumps; i++)
    if (!(i == 0 ? add_way (self, &jumps[0], FALSE, NULL, 0, path, hosts, error)
                 : add_hop (hosts, tsr_ssh_config_look_up (self, &jumps[i]), error)))
      return FALSE;
  return add_hop (hosts, g_steal_pointer (&host), error);
}

static void
free_host (gpointer host)
{
  tsr_ssh_host_free (host);
}

GPtrArray *
tsr_ssh_config_resolve (TsrSshConfig *self, const TsrSshAddress *address, GError **error)
{
  g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (free_host);
  g_autoptr (GHashTable) path = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (!add_way (self, &address->target, address->has_jumps, address->jumps, address->n_jumps, path,
                hosts, error))
    return NULL;
  if (address->host_key_alias != NULL)
    {
      TsrSshHost *target = hosts->pdata[hosts->len - 1];

      g_free (target->host_key_alias);
      target->host_key_alias = g_strdup (address->host_key_alias);
    }
  return g_steal_pointer (&hosts);
}

/* ----------------------------------------------------------------- aliases */

GStrv
tsr_ssh_config_dup_aliases (TsrSshConfig *self)
{
  g_autoptr (GHashTable) seen = NULL;
  GPtrArray *aliases;

  g_return_val_if_fail (self != NULL, NULL);
  seen = g_hash_table_new (g_str_hash, g_str_equal);
  aliases = g_ptr_array_new ();
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrSshEntry *entry = &g_array_index (self->entries, TsrSshEntry, i);

      if (entry->kind != TSR_SSH_ENTRY_HOST || entry->words == NULL)
        continue;
      for (char **word = entry->words; *word != NULL; word++)
        {
          TsrSshHop hop = { NULL };

          /* Only what can be connected to by that name. */
          if (strpbrk (*word, "*?!") == NULL && tsr_ssh_hop_parse (*word, &hop, NULL)
              && hop.user == NULL && hop.port == 0 && g_str_equal (hop.host, *word)
              && g_hash_table_add (seen, *word))
            g_ptr_array_add (aliases, g_strdup (*word));
          tsr_ssh_hop_clear (&hop);
        }
    }
  g_ptr_array_add (aliases, NULL);
  return (GStrv)g_ptr_array_free (aliases, FALSE);
}
