/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The words of a filter.  Texts are mostly ASCII: those are searched as they stand, through a table
 * that folds a byte; only other ones are folded by Unicode's rules.  Any thread. */

#include "config.h"

#include "tsr-rows.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* An expression that goes astray on one text ends as "no match", not never. */
#define MATCH_LIMIT "(*LIMIT_MATCH=100000)"

typedef struct
{
  char *text; /* folded when without case */
  gboolean negative;
  gboolean sensitive;
  GRegex *regex; /* in place of the text */
} Term;

struct _TsrFilter
{
  gatomicrefcount refs;
  GArray *terms; /* Term */
};

static void
term_clear (gpointer data)
{
  Term *term = data;

  g_free (term->text);
  g_clear_pointer (&term->regex, g_regex_unref);
}

/* ---------------------------------------------------------------- grammar */

/* A capital letter makes the filter case-sensitive; the one of "\W" in an expression does not. */
static gboolean
has_capital (const char *text, gsize length, gboolean expression)
{
  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    {
      if (expression && *p == '\\' && p + 1 < text + length)
        p++;
      else if (g_unichar_isupper (g_utf8_get_char (p)))
        return TRUE;
    }
  return FALSE;
}

/* Where "/.../" at @p ends (its last '/'), or NULL: a name may begin with '/' as well, so an end
 * has a space or nothing behind it. */
static const char *
find_expression_end (const char *p)
{
  for (const char *q = p + 1; *q != '\0'; q++)
    {
      if (*q == '\\' && q[1] != '\0')
        q++;
      else if (*q == '/' && q > p + 1 && (q[1] == '\0' || g_ascii_isspace (q[1])))
        return q;
    }
  return NULL;
}

static gboolean
add_expression (TsrFilter *self,
                const char *text,
                const char *begin,
                gsize length,
                gboolean negative,
                GError **error)
{
  g_autofree char *pattern = g_strndup (begin, length);
  g_autofree char *limited = g_strconcat (MATCH_LIMIT, pattern, NULL);
  GRegexCompileFlags flags = G_REGEX_OPTIMIZE;
  g_autoptr (GError) cause = NULL;
  g_autoptr (GRegex) plain = NULL;
  Term term = { .negative = negative };

  if (!has_capital (begin, length, TRUE))
    flags |= G_REGEX_CASELESS;
  plain = g_regex_new (pattern, flags, 0, &cause); /* its message knows nothing of our limit */
  if (plain == NULL)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT, _ ("Filter, character %d: %s"),
                   (int)g_utf8_pointer_to_offset (text, begin) + 1, cause->message);
      return FALSE;
    }
  term.regex = g_regex_new (limited, flags, 0, NULL);
  g_array_append_val (self->terms, term);
  return TRUE;
}

static void
add_word (TsrFilter *self, const char *begin, gsize length, gboolean negative)
{
  Term term = { .negative = negative };

  if (length == 0)
    return;
  term.sensitive = has_capital (begin, length, FALSE);
  term.text = term.sensitive ? g_strndup (begin, length) : g_utf8_casefold (begin, length);
  g_array_append_val (self->terms, term);
}

TsrFilter *
tsr_filter_new (const char *text, GError **error)
{
  g_autoptr (TsrFilter) self = g_new0 (TsrFilter, 1);
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  const char *p = valid;

  g_atomic_ref_count_init (&self->refs);
  self->terms = g_array_new (FALSE, FALSE, sizeof (Term));
  g_array_set_clear_func (self->terms, term_clear);
  while (*p != '\0')
    {
      const char *end;
      gboolean negative;

      if (g_ascii_isspace (*p))
        {
          p++;
          continue;
        }
      negative = *p == '-';
      p += negative ? 1 : 0;
      if (*p == '/' && (end = find_expression_end (p)) != NULL)
        {
          if (!add_expression (self, valid, p + 1, end - p - 1, negative, error))
            return NULL;
          p = end + 1;
        }
      else if (*p == '"')
        {
          end = strchr (p + 1, '"');
          if (end == NULL) /* not yet typed */
            end = p + strlen (p);
          add_word (self, p + 1, end - p - 1, negative);
          p = *end != '\0' ? end + 1 : end;
        }
      else
        {
          for (end = p; *end != '\0' && !g_ascii_isspace (*end); end++)
            ;
          add_word (self, p, end - p, negative);
          p = end;
        }
    }
  return g_steal_pointer (&self);
}

char *
tsr_filter_dup_name (const char *name)
{
  g_autofree char *escaped = NULL;
  g_autofree char *whole = NULL;
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (name != NULL, NULL);
  if (strpbrk (name, " \t\n") == NULL && (*name == '\0' || strchr ("-/\"", *name) == NULL))
    return g_strdup (name);
  if (strchr (name, '"') == NULL)
    return g_strdup_printf ("\"%s\"", name);
  escaped = g_regex_escape_string (name, -1);
  parts = g_strsplit (escaped, "/", -1);
  whole = g_strjoinv ("\\/", parts);
  return g_strdup_printf ("/^%s$/", whole);
}

TsrFilter *
tsr_filter_ref (TsrFilter *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_filter_unref (TsrFilter *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_array_unref (self->terms);
  g_free (self);
}

gboolean
tsr_filter_is_empty (TsrFilter *self)
{
  g_return_val_if_fail (self != NULL, TRUE);
  return self->terms->len == 0;
}

gboolean
tsr_filter_has_expression (TsrFilter *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  for (guint i = 0; i < self->terms->len; i++)
    if (g_array_index (self->terms, Term, i).regex != NULL)
      return TRUE;
  return FALSE;
}

/* --------------------------------------------------------------- matching */

static gboolean
is_ascii (const char *text)
{
  for (; *text != '\0'; text++)
    if ((guchar)*text >= 0x80)
      return FALSE;
  return TRUE;
}

static inline char
fold (char c)
{
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* @needle is folded, @text is ASCII. */
static gboolean
contains_folded (const char *text, const char *needle)
{
  char first = needle[0];

  for (; *text != '\0'; text++)
    {
      gsize i;

      if (fold (*text) != first)
        continue;
      for (i = 1; needle[i] != '\0' && fold (text[i]) == needle[i]; i++)
        ;
      if (needle[i] == '\0')
        return TRUE;
    }
  return FALSE;
}

/* One text; folded at most once. */
typedef struct
{
  const char *text;
  char *folded;
  gboolean looked; /* whether it is ASCII has been looked at */
  gboolean ascii;
} Subject;

static gboolean
subject_matches (Subject *subject, const Term *term)
{
  if (term->regex != NULL)
    return g_regex_match (term->regex, subject->text, 0, NULL);
  if (term->sensitive)
    return strstr (subject->text, term->text) != NULL;
  if (!subject->looked)
    {
      subject->looked = TRUE;
      subject->ascii = is_ascii (subject->text);
      if (!subject->ascii)
        subject->folded = g_utf8_casefold (subject->text, -1);
    }
  if (subject->ascii)
    return contains_folded (subject->text, term->text);
  return strstr (subject->folded, term->text) != NULL;
}

gboolean
tsr_filter_match_texts (TsrFilter *self, guint n, const char *const *texts)
{
  g_autofree Subject *many = n > 8 ? g_new (Subject, n) : NULL;
  Subject few[8];
  Subject *subjects = many != NULL ? many : few;
  guint n_subjects = 0;
  gboolean passes = TRUE;

  if (self->terms->len == 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    if (texts[i] != NULL)
      subjects[n_subjects++] = (Subject){ .text = texts[i] };
  passes = n_subjects > 0;
  for (guint t = 0; t < self->terms->len && passes; t++)
    {
      const Term *term = &g_array_index (self->terms, Term, t);
      gboolean found = FALSE;

      for (guint i = 0; i < n_subjects && !found; i++)
        found = subject_matches (&subjects[i], term);
      passes = found != term->negative;
    }
  for (guint i = 0; i < n_subjects; i++)
    g_free (subjects[i].folded);
  return passes;
}

gboolean
tsr_filter_match (TsrFilter *self, const char *text)
{
  return tsr_filter_match_texts (self, 1, &text);
}
