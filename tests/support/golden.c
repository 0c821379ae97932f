/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A list of what a test walked through, against sums of one that was looked at. */

#include "config.h"

#include "golden.h"

#include <math.h>
#include <string.h>

typedef struct
{
  guint n, hash, place;
  double sum, by_place;
} Section;

/* Takes a line: words and whole numbers into the hash, other numbers into the sums. */
static void
add_line (Section *self, const char *at, const char *end)
{
  for (gboolean more = at < end; more; more = at <= end)
    {
      const char *space = memchr (at, ' ', (gsize)(end - at));
      const char *word_end = space != NULL ? space : end;
      char *number_end;
      const double x = g_ascii_strtod (at, &number_end);

      /* (A number stops at blanks, but begins behind them.) */
      if (number_end > at && number_end <= word_end
          && memchr (at, '.', (gsize)(number_end - at)) != NULL)
        {
          self->sum += x;
          self->by_place += x * (self->place++ % 7 + 1);
          at = number_end;
        }
      for (; at < word_end; at++)
        self->hash = self->hash * 33 + (guchar)*at;
      self->hash = self->hash * 33 + ' ';
      at = word_end + 1;
    }
  self->hash = self->hash * 33 + '\n';
  self->n++;
}

/* What follows the name of a section, also of one that has no lines; and a new one begins. */
static void
end_section (GString *out, Section *section, gboolean is_named)
{
  if (is_named || section->n > 0)
    g_string_append_printf (out, ": %u lines %08x %.3f %.3f\n", section->n, section->hash,
                            section->sum, section->by_place);
  *section = (Section){ .hash = 5381 };
}

/* One line for each section of the list: how many lines it has, a hash of its words and whole
 * numbers, and of the others their sum, plain and by their place. */
static char *
condense (const char *list)
{
  GString *out = g_string_new (NULL);
  Section section = { .hash = 5381 };
  gboolean is_named = FALSE;
  const char *end;

  for (const char *line = list; line != NULL; line = *end != '\0' ? end + 1 : NULL)
    {
      const gboolean is_heading = g_str_has_prefix (line, "## ");

      end = strchr (line, '\n');
      if (end == NULL)
        end = line + strlen (line);
      if (!is_heading)
        add_line (&section, line, end);
      if (!is_heading && *end != '\0')
        continue;
      end_section (out, &section, is_named);
      is_named = is_heading;
      if (is_heading)
        g_string_append_len (out, line + 3, end - line - 3);
    }
  /* A heading may be the last line. */
  end_section (out, &section, is_named && out->len > 0 && out->str[out->len - 1] != '\n');
  return g_string_free (out, FALSE);
}

/* Sums may differ in their last digits: processors round differently. */
static gboolean
is_same_section (const char *a, const char *b)
{
  g_auto (GStrv) x = g_strsplit (a, " ", -1);
  g_auto (GStrv) y = g_strsplit (b, " ", -1);
  const guint n = g_strv_length (x);

  if (n != g_strv_length (y) || n < 3)
    return strcmp (a, b) == 0;
  for (guint i = 0; i + 2 < n; i++)
    if (strcmp (x[i], y[i]) != 0)
      return FALSE;
  return fabs (g_ascii_strtod (x[n - 2], NULL) - g_ascii_strtod (y[n - 2], NULL)) < 0.05
         && fabs (g_ascii_strtod (x[n - 1], NULL) - g_ascii_strtod (y[n - 1], NULL)) < 0.2;
}

gboolean
golden_has (const char *golden, const char *section)
{
  g_autofree char *text = NULL;
  g_autofree char *sums = condense (section);
  const char *colon = strstr (sums, ": ");
  g_auto (GStrv) lines = NULL;

  g_assert_nonnull (colon);
  g_assert_true (g_file_get_contents (golden, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  sums[strlen (sums) - 1] = '\0';
  for (guint i = 0; lines[i] != NULL; i++)
    if (strncmp (lines[i], sums, (gsize)(colon + 2 - sums)) == 0)
      return is_same_section (lines[i], sums);
  return FALSE;
}

void
golden_compare (const char *golden, const char *list)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *sums = condense (list);
  g_autofree char *name = g_path_get_basename (golden);
  g_autofree char *full = g_strconcat (name, ".full", NULL);
  const char *body;
  g_auto (GStrv) made = g_strsplit (sums, "\n", -1);
  g_auto (GStrv) wanted = NULL;

  g_assert_true (g_file_get_contents (golden, &text, NULL, &error));
  /* What was looked at stands before the first empty line. */
  body = strstr (text, "\n\n");
  g_assert_nonnull (body);
  body += 2;
  g_assert_true (g_file_set_contents (full, list, -1, &error));
  if (g_getenv ("TESSERA_GOLDEN") != NULL)
    {
      g_autofree char *all = g_strdup_printf ("%.*s%s", (int)(body - text), text, sums);

      g_assert_true (g_file_set_contents (golden, all, -1, &error));
      return;
    }
  wanted = g_strsplit (body, "\n", -1);
  for (guint i = 0; wanted[i] != NULL; i++)
    if (made[i] == NULL || !is_same_section (wanted[i], made[i]))
      g_error ("%s, not %s; compare %s with that of a build before the change",
               made[i] != NULL ? made[i] : "nothing", wanted[i], full);
  g_assert_cmpuint (g_strv_length (made), ==, g_strv_length (wanted));
}
