/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses and writes ssh:// addresses, hops and lists of jump hosts. */

#include "config.h"

#include "tsr-ssh-address.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_TEXT (64 * 1024)
#define MAX_NAME 1024
/* What is not letters and digits of a host name, and does no harm in any place it comes to. */
#define NEVER_IN_HOST  "'`\"\\$;&<>|(){}[],/@?#*!%="
#define NEVER_IN_ALIAS "'`\"\\$;&<>|(){},/@?#*!%="
/* What would end the name in a list of hops, or be a password's beginning. */
#define NEVER_IN_USER ":,\"`"

/* ----------------------------------------------------------------- memory */

void
tsr_ssh_hop_clear (TsrSshHop *hop)
{
  g_free (hop->user);
  g_free (hop->host);
  *hop = (TsrSshHop){ NULL };
}

static void
free_hops (TsrSshHop *hops, guint n)
{
  for (guint i = 0; i < n; i++)
    tsr_ssh_hop_clear (&hops[i]);
  g_free (hops);
}

void
tsr_ssh_address_free (TsrSshAddress *address)
{
  if (address == NULL)
    return;
  tsr_ssh_hop_clear (&address->target);
  free_hops (address->jumps, address->n_jumps);
  g_free (address->host_key_alias);
  g_free (address->path);
  g_free (address);
}

static TsrSshHop
copy_hop (const TsrSshHop *hop)
{
  return (TsrSshHop){ g_strdup (hop->user), g_strdup (hop->host), hop->port };
}

TsrSshAddress *
tsr_ssh_address_copy (const TsrSshAddress *address)
{
  TsrSshAddress *copy = g_new0 (TsrSshAddress, 1);

  copy->target = copy_hop (&address->target);
  copy->n_jumps = address->n_jumps;
  copy->has_jumps = address->has_jumps;
  copy->host_key_alias = g_strdup (address->host_key_alias);
  copy->path = g_strdup (address->path);
  copy->jumps = g_new0 (TsrSshHop, address->n_jumps);
  for (guint i = 0; i < address->n_jumps; i++)
    copy->jumps[i] = copy_hop (&address->jumps[i]);
  return copy;
}

/* ------------------------------------------------------------------- hops */

/* Says what is off.  Nothing of the text stands in it: it may be a password. */
static gboolean
refuse (GError **error, const char *text)
{
  g_set_error_literal (error, TSR_ERROR, TSR_ERROR_ARGUMENT, text);
  return FALSE;
}

static gboolean
refuse_password (GError **error)
{
  return refuse (error, _ ("A password cannot stand in an address; leave it out, you are asked for "
                           "it"));
}

static gboolean
refuse_percent (GError **error)
{
  return refuse (error, _ ("A percent sign in an address must come before two hexadecimal digits "
                           "other than 00; the sign itself must be percent-encoded"));
}

static gboolean
is_plain (const char *text, const char *never)
{
  if (*text == '\0' || *text == '-' || strlen (text) > MAX_NAME
      || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (!g_unichar_isgraph (c) || g_unichar_type (c) == G_UNICODE_FORMAT
          || g_utf8_strchr (never, -1, c) != NULL)
        return FALSE;
    }
  return TRUE;
}

/* An address of IP version 6, with or without the zone behind "%". */
static gboolean
is_v6 (const char *text)
{
  const char *zone = strchr (text, '%');
  g_autofree char *number = g_strndup (text, zone != NULL ? (gsize)(zone - text) : strlen (text));
  g_autoptr (GInetAddress) address = NULL;

  if (strchr (number, ':') == NULL || (zone != NULL && !is_plain (zone + 1, NEVER_IN_HOST ":")))
    return FALSE;
  address = g_inet_address_new_from_string (number);
  return address != NULL && g_inet_address_get_family (address) == G_SOCKET_FAMILY_IPV6;
}

static gboolean
take_user (TsrSshHop *hop, char *user, GError **error)
{
  hop->user = user;
  if (strchr (user, ':') != NULL)
    return refuse_password (error);
  if (*user == '\0')
    return refuse (error, _ ("The user name before the @ is missing"));
  if (!is_plain (user, NEVER_IN_USER))
    return refuse (error, _ ("The user name has characters that cannot be in one"));
  return TRUE;
}

static gboolean
take_host (TsrSshHop *hop, char *host, GError **error)
{
  hop->host = host;
  if (*host == '\0')
    return refuse (error, _ ("The host name is missing: ssh://[user@]host[:port]/path"));
  if (is_v6 (host) || is_plain (host, NEVER_IN_HOST ":"))
    return TRUE;
  return refuse (
      error,
      strchr (host, ':') != NULL ? _ (
          "The host is not an IP version 6 address, which is written in brackets: [2001:db8::1]")
                                 : _ ("The host name has characters that cannot be in one"));
}

static gboolean
take_port (TsrSshHop *hop, const char *text, GError **error)
{
  guint64 port;

  if (*text == '\0')
    return refuse (error, _ ("The port after the colon is missing"));
  if (!g_ascii_string_to_unsigned (text, 10, 1, 65535, &port, NULL))
    return refuse (error, _ ("The port is a number from 1 to 65535"));
  hop->port = (guint)port;
  return TRUE;
}

/* (transfer full) (nullable): @text, decoded where it is part of a URI. */
static char *
dup_part (const char *text, gsize length, gboolean is_uri, GError **error)
{
  char *part
      = is_uri ? g_uri_unescape_segment (text, text + length, NULL) : g_strndup (text, length);

  if (part == NULL)
    refuse_percent (error);
  return part;
}

/* The host between brackets.  A zone's "%" may be written as it is. */
static char *
dup_bracketed (const char *text, gsize length, gboolean is_uri)
{
  char *host = is_uri ? g_uri_unescape_segment (text, text + length, NULL) : NULL;

  return host != NULL ? host : g_strndup (text, length);
}

/* "[user@]host[:port]", all of @text. */
static gboolean
parse_hop (const char *text, gboolean is_uri, TsrSshHop *hop, GError **error)
{
  const char *at = strrchr (text, '@');
  const char *rest = at != NULL ? at + 1 : text;
  const char *colon = strchr (rest, ':');
  const char *port = NULL;
  char *part;

  if (at != NULL)
    {
      part = dup_part (text, (gsize)(at - text), is_uri, error);
      if (part == NULL || !take_user (hop, part, error))
        return FALSE;
    }
  if (*rest == '[')
    {
      const char *end = strchr (rest, ']');

      if (end == NULL || (end[1] != '\0' && end[1] != ':'))
        return refuse (
            error,
            _ ("After [ must come an IP version 6 address and ], then : and a port, or nothing"));
      part = dup_bracketed (rest + 1, (gsize)(end - rest - 1), is_uri);
      port = end[1] == ':' ? end + 2 : NULL;
    }
  else
    {
      /* Without brackets but with several colons it can only be an address without a port. */
      if (colon != NULL && strchr (colon + 1, ':') != NULL)
        colon = NULL;
      port = colon != NULL ? colon + 1 : NULL;
      part = dup_part (rest, colon != NULL ? (gsize)(colon - rest) : strlen (rest), is_uri, error);
    }
  return part != NULL && take_host (hop, part, error)
         && (port == NULL || take_port (hop, port, error));
}

static gboolean
is_scheme (const char *text, const char *scheme)
{
  return g_ascii_strncasecmp (text, scheme, strlen (scheme)) == 0;
}

gboolean
tsr_ssh_hop_parse (const char *text, TsrSshHop *hop, GError **error)
{
  g_autofree char *plain = NULL;
  gboolean is_uri, ok;

  g_return_val_if_fail (text != NULL && hop != NULL, FALSE);
  is_uri = is_scheme (text, "ssh://");
  *hop = (TsrSshHop){ NULL };
  if (strlen (text) > MAX_TEXT)
    return refuse (error, _ ("The address is too long"));
  plain = g_strstrip (g_strdup (is_uri ? text + strlen ("ssh://") : text));
  if (is_uri && g_str_has_suffix (plain, "/"))
    plain[strlen (plain) - 1] = '\0';
  ok = parse_hop (plain, is_uri, hop, error);
  if (!ok)
    tsr_ssh_hop_clear (hop);
  return ok;
}

gboolean
tsr_ssh_jumps_parse (const char *text, TsrSshHop **jumps, guint *n_jumps, GError **error)
{
  g_autofree char *plain = NULL;
  g_auto (GStrv) words = NULL;

  g_return_val_if_fail (text != NULL && jumps != NULL && n_jumps != NULL, FALSE);
  *jumps = NULL;
  *n_jumps = 0;
  if (strlen (text) > MAX_TEXT)
    return refuse (error, _ ("The address is too long"));
  plain = g_strstrip (g_strdup (text));
  if (*plain == '\0' || g_ascii_strcasecmp (plain, "none") == 0)
    return TRUE;
  words = g_strsplit (plain, ",", -1);
  if (g_strv_length (words) > TSR_SSH_MAX_JUMPS)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT, _ ("There are more than %d jump hosts"),
                   TSR_SSH_MAX_JUMPS);
      return FALSE;
    }
  *jumps = g_new0 (TsrSshHop, g_strv_length (words));
  for (char **word = words; *word != NULL; word++)
    if (!tsr_ssh_hop_parse (*word, &(*jumps)[*n_jumps], error))
      {
        g_prefix_error (error, _ ("Jump host %u: "), *n_jumps + 1);
        free_hops (g_steal_pointer (jumps), *n_jumps);
        *n_jumps = 0;
        return FALSE;
      }
    else
      (*n_jumps)++;
  return TRUE;
}

char *
tsr_ssh_hop_to_string (const TsrSshHop *hop)
{
  gboolean is_v6_like;
  GString *text;

  g_return_val_if_fail (hop != NULL && hop->host != NULL, NULL);
  is_v6_like = strchr (hop->host, ':') != NULL;
  text = g_string_new (NULL);
  if (hop->user != NULL)
    g_string_append_printf (text, "%s@", hop->user);
  g_string_append_printf (text, is_v6_like ? "[%s]" : "%s", hop->host);
  if (hop->port != 0)
    g_string_append_printf (text, ":%u", hop->port);
  return g_string_free (text, FALSE);
}

char *
tsr_ssh_jumps_to_string (const TsrSshHop *jumps, guint n_jumps)
{
  GString *text;

  g_return_val_if_fail (jumps != NULL || n_jumps == 0, NULL);
  text = g_string_new (n_jumps == 0 ? "none" : NULL);
  for (guint i = 0; i < n_jumps; i++)
    {
      g_autofree char *hop = tsr_ssh_hop_to_string (&jumps[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", hop);
    }
  return g_string_free (text, FALSE);
}

/* -------------------------------------------------------------- addresses */

gboolean
tsr_ssh_address_is_one (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);
  return is_scheme (text, "ssh://") || is_scheme (text, "sftp://");
}

/* (transfer full): without "//", "/./" and a slash at the end: the same path has one text.  ".." is
 * left: only the server knows where it leads. */
static char *
dup_tidy_path (const char *path)
{
  GString *tidy = g_string_new (NULL);

  while (*path != '\0')
    {
      gsize length;

      path += strspn (path, "/");
      length = strcspn (path, "/");
      if (length > 0 && !(length == 1 && *path == '.'))
        {
          g_string_append_c (tidy, '/');
          g_string_append_len (tidy, path, (gssize)length);
        }
      path += length;
    }
  if (tidy->len == 0)
    g_string_append_c (tidy, '/');
  return g_string_free (tidy, FALSE);
}

static gboolean
parse_path (TsrSshAddress *address, const char *text, gsize length, GError **error)
{
  g_autofree char *path = NULL;

  /* A NUL makes it fail as well. */
  path = g_uri_unescape_segment (text, text + length, NULL);
  if (path == NULL)
    return refuse_percent (error);
  address->path = dup_tidy_path (path);
  return TRUE;
}

/* TRUE when @word is @key; then @value (nullable, transfer full) is what it says, decoded. */
static gboolean
take_value (const char *word, const char *key, char **value, GError **error)
{
  if (!g_str_has_prefix (word, key))
    return FALSE;
  *value = g_uri_unescape_string (word + strlen (key), NULL);
  if (*value == NULL)
    refuse_percent (error);
  return TRUE;
}

static gboolean
parse_word (TsrSshAddress *address, const char *word, GError **error)
{
  g_autofree char *value = NULL;

  if (!address->has_jumps && take_value (word, "jump=", &value, error))
    {
      address->has_jumps = TRUE;
      return value != NULL
             && tsr_ssh_jumps_parse (value, &address->jumps, &address->n_jumps, error);
    }
  if (address->host_key_alias == NULL && take_value (word, "alias=", &value, error))
    {
      if (value != NULL && !is_plain (value, NEVER_IN_ALIAS))
        return refuse (error, _ ("The alias of the host key has characters that cannot be in one"));
      address->host_key_alias = g_steal_pointer (&value);
      return address->host_key_alias != NULL;
    }
  return refuse (error, _ ("After the question mark only jump=HOSTS and alias=NAME are allowed, "
                           "each once; a question mark in the path must be percent-encoded"));
}

static gboolean
parse_query (TsrSshAddress *address, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, "&", -1);

  for (char **word = words; *word != NULL; word++)
    if (**word != '\0' && !parse_word (address, *word, error))
      return FALSE;
  return TRUE;
}

TsrSshAddress *
tsr_ssh_address_parse (const char *text, GError **error)
{
  g_autoptr (TsrSshAddress) address = NULL;
  g_autofree char *authority = NULL;
  const char *start, *path, *query;

  g_return_val_if_fail (text != NULL, NULL);
  address = g_new0 (TsrSshAddress, 1);
  if (!tsr_ssh_address_is_one (text))
    {
      refuse (error, _ ("An address begins with ssh://: ssh://[user@]host[:port]/path"));
      return NULL;
    }
  if (strlen (text) > MAX_TEXT)
    {
      refuse (error, _ ("The address is too long"));
      return NULL;
    }
  start = strstr (text, "://") + 3;
  path = start + strcspn (start, "/?");
  query = strchr (path, '?');
  authority = g_strndup (start, (gsize)(path - start));
  /* "user:pass/word@host": the slash has cut the password in two. */
  if (strchr (authority, '@') == NULL && strchr (authority, ':') != NULL && *authority != '['
      && strchr (path, '@') != NULL
      && strspn (strchr (authority, ':') + 1, "0123456789") != strlen (strchr (authority, ':') + 1))
    {
      refuse_password (error);
      return NULL;
    }
  if (!parse_hop (authority, TRUE, &address->target, error)
      || !parse_path (address, path, query != NULL ? (gsize)(query - path) : strlen (path), error)
      || (query != NULL && !parse_query (address, query + 1, error)))
    return NULL;
  return g_steal_pointer (&address);
}

/* What RFC 3986 lets stand in each part beside letters and digits. */
#define IN_USER "!$&'()*+;="
#define IN_PATH "!$&'()*+,;=:@/"
#define IN_JUMP "!$'()*;:@,[]"

static void
append_escaped (GString *text, const char *part, const char *allowed)
{
  g_string_append_uri_escaped (text, part, allowed, FALSE);
}

static void
append_target (GString *text, const TsrSshHop *hop)
{
  if (hop->user != NULL)
    {
      append_escaped (text, hop->user, IN_USER);
      g_string_append_c (text, '@');
    }
  if (strchr (hop->host, ':') != NULL)
    {
      g_string_append_c (text, '[');
      append_escaped (text, hop->host, ":");
      g_string_append_c (text, ']');
    }
  else
    append_escaped (text, hop->host, "");
  if (hop->port != 0)
    g_string_append_printf (text, ":%u", hop->port);
}

char *
tsr_ssh_address_dup_location (const TsrSshAddress *address, const char *path)
{
  g_autofree char *tidy = NULL;
  GString *text;

  g_return_val_if_fail (address != NULL && path != NULL && *path == '/', NULL);
  text = g_string_new ("ssh://");
  tidy = dup_tidy_path (path);
  append_target (text, &address->target);
  append_escaped (text, tidy, IN_PATH);
  if (address->has_jumps)
    {
      g_autofree char *jumps = tsr_ssh_jumps_to_string (address->jumps, address->n_jumps);

      g_string_append (text, "?jump=");
      append_escaped (text, jumps, IN_JUMP);
    }
  if (address->host_key_alias != NULL)
    {
      g_string_append (text, address->has_jumps ? "&alias=" : "?alias=");
      append_escaped (text, address->host_key_alias, IN_JUMP);
    }
  return g_string_free (text, FALSE);
}

char *
tsr_ssh_address_to_string (const TsrSshAddress *address)
{
  g_return_val_if_fail (address != NULL, NULL);
  return tsr_ssh_address_dup_location (address, address->path);
}
