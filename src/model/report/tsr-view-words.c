/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A sorted, escaped list of pairs. */

#include "config.h"

#include "tsr-view-words.h"

#include <string.h>

/* Characters that a value may have as they are, beside letters, digits and "-._~". */
#define PLAIN_IN_VALUE "/,:()[]<>@!*"

GHashTable *
tsr_view_words_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

void
tsr_view_words_set (GHashTable *words, const char *name, const char *value)
{
  g_return_if_fail (words != NULL && name != NULL);
  if (value == NULL)
    g_hash_table_remove (words, name);
  else
    g_hash_table_replace (words, g_strdup (name), g_strdup (value));
}

const char *
tsr_view_words_get (GHashTable *words, const char *name)
{
  g_return_val_if_fail (words != NULL && name != NULL, NULL);
  return g_hash_table_lookup (words, name);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const char *left = *(const char *const *)a, *right = *(const char *const *)b;
  gboolean first = g_str_equal (left, "page"), second = g_str_equal (right, "page");

  return first != second ? (first ? -1 : 1) : strcmp (left, right);
}

char *
tsr_view_words_dup_text (GHashTable *words)
{
  GString *text = g_string_new (NULL);
  g_autofree gpointer *names = NULL;
  guint n = 0;

  g_return_val_if_fail (words != NULL, NULL);
  names = g_hash_table_get_keys_as_array (words, &n);
  qsort (names, n, sizeof names[0], compare_names);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_uri_escape_string (names[i], NULL, FALSE);
      g_autofree char *value
          = g_uri_escape_string (g_hash_table_lookup (words, names[i]), PLAIN_IN_VALUE, FALSE);

      g_string_append_printf (text, "%s%s=%s", i > 0 ? "&" : "", name, value);
    }
  return g_string_free (text, FALSE);
}

GHashTable *
tsr_view_words_parse (const char *text)
{
  GHashTable *words = tsr_view_words_new ();
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", "&", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *equals = strchr (parts[i], '=');
      g_autofree char *name
          = equals != NULL ? g_uri_unescape_segment (parts[i], equals, NULL) : NULL;
      g_autofree char *value = equals != NULL ? g_uri_unescape_string (equals + 1, NULL) : NULL;

      if (name != NULL && value != NULL && *name != '\0' && g_utf8_validate (name, -1, NULL)
          && g_utf8_validate (value, -1, NULL))
        g_hash_table_replace (words, g_steal_pointer (&name), g_steal_pointer (&value));
    }
  return words;
}

TsrView
tsr_view_words_get_view (GHashTable *words)
{
  const char *page = tsr_view_words_get (words, "page");

  for (guint i = 0; page != NULL && i < TSR_N_VIEWS; i++)
    if (g_str_equal (tsr_view_get_nick (i), page))
      return i;
  return TSR_N_VIEWS;
}
