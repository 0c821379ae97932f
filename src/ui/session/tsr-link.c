/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses and writes links. */

#include "config.h"

#include "tsr-link.h"

#include "tsr-error.h"
#include "tsr-ssh-address.h"

#include <glib/gi18n.h>
#include <string.h>

/* A link is a line of text, not a file: what is longer was not made by us. */
#define MAX_LENGTH (64 * 1024)

void
tsr_link_clear (TsrLink *link)
{
  g_clear_pointer (&link->path, g_free);
  g_clear_pointer (&link->words, g_hash_table_unref);
}

gboolean
tsr_link_is_link (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);
  return g_ascii_strncasecmp (text, TSR_LINK_SCHEME ":", strlen (TSR_LINK_SCHEME ":")) == 0
         || tsr_ssh_address_is_one (text);
}

/* (transfer full): @location without the words of a view, which go to @words.  What belongs to the
 * way to the host stays. */
static char *
take_words (const char *location, GHashTable **words)
{
  const char *question = strchr (location, '?');
  g_auto (GStrv) parts = g_strsplit (question != NULL ? question + 1 : "", "&", -1);
  GString *rest = g_string_new_len (location, question != NULL ? question - location : -1);
  g_autoptr (GString) query = g_string_new (NULL);
  gboolean first = TRUE;

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_str_has_prefix (parts[i], "jump=") || g_str_has_prefix (parts[i], "alias="))
      {
        g_string_append_printf (rest, "%c%s", first ? '?' : '&', parts[i]);
        first = FALSE;
      }
    else
      g_string_append_printf (query, "%s%s", query->len > 0 ? "&" : "", parts[i]);
  *words = tsr_view_words_parse (query->str);
  return g_string_free (rest, FALSE);
}

/* @text begins with "ssh://": the address is checked, so that it opens or says what is off. */
static gboolean
parse_remote (const char *text, TsrLink *link, GError **error)
{
  g_autoptr (GHashTable) words = NULL;
  g_autofree char *location = take_words (text, &words);
  g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (location, error);

  if (address == NULL)
    return FALSE;
  link->path = tsr_ssh_address_to_string (address);
  link->words = g_steal_pointer (&words);
  return TRUE;
}

static gboolean
parse_local (const char *rest, TsrLink *link, GError **error)
{
  const char *question = strchr (rest, '?');

  link->path = g_uri_unescape_segment (rest, question, NULL);
  if (link->path == NULL)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                   _ ("The link's path is damaged: copy the link again from the menu: %s"), rest);
      return FALSE;
    }
  link->words = tsr_view_words_parse (question != NULL ? question + 1 : NULL);
  return TRUE;
}

gboolean
tsr_link_parse (const char *text, TsrLink *link, GError **error)
{
  g_autofree char *remote = NULL;
  const char *rest;
  gboolean has_host;

  g_return_val_if_fail (text != NULL && link != NULL, FALSE);
  rest = tsr_link_is_link (text) ? strchr (text, ':') + 1 : "";
  has_host = g_str_has_prefix (rest, "//");
  if (has_host)
    rest += 2;
  if ((!has_host && *rest != '/') || strlen (text) > MAX_LENGTH)
    {
      g_set_error (
          error, TSR_ERROR, TSR_ERROR_ARGUMENT,
          _ ("This is not a link of Tessera, which begins with “%s:///” and a report's path"),
          TSR_LINK_SCHEME);
      return FALSE;
    }
  if (tsr_ssh_address_is_one (text))
    return parse_remote (text, link, error);
  if (*rest == '/')
    return parse_local (rest, link, error);
  remote = g_strconcat ("ssh://", rest, NULL);
  return parse_remote (remote, link, error);
}

char *
tsr_link_dup_text (const char *location, GHashTable *words)
{
  g_autofree char *escaped = NULL;
  g_autofree char *query = NULL;

  g_return_val_if_fail (location != NULL && words != NULL, NULL);
  query = tsr_view_words_dup_text (words);
  if (tsr_ssh_address_is_one (location))
    return g_strconcat (location,
                        *query == '\0'                   ? ""
                        : strchr (location, '?') != NULL ? "&"
                                                         : "?",
                        query, NULL);
  escaped = g_uri_escape_bytes ((const guint8 *)location, strlen (location), "/");
  return g_strconcat (TSR_LINK_SCHEME "://", escaped, *query != '\0' ? "?" : "", query, NULL);
}
