/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Evaluates the entries of ssh_config for one host: Host and Match conditions, options, tokens. */

#include "config.h"

#include "tsr-ssh-config-private.h"

#include "tsr-remote-error.h"
#include "tsr-ssh-text.h"

#include <glib/gi18n-lib.h>
#include <pwd.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

char *
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
               _ ("The way to %s has more jump hosts than the %d that are taken; look at ProxyJump "
                  "in ssh_config"),
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
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *aliases = g_ptr_array_new ();

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
