/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses spans of cycles or time. */

#include "config.h"

#include "tsr-trace-span.h"

#include "tsr-error.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#define MOST 9.2e18 /* cycles: what 64 bits hold */

static const struct
{
  const char *name;
  double seconds; /* 0: cycles */
} units[] = {
  { "cycles", 0 },       { "cycle", 0 }, { "ns", 1e-9 }, { "us", 1e-6 },
  { "\302\265s", 1e-6 }, /* micro sign */
  { "\316\274s", 1e-6 }, /* Greek mu */
  { "ms", 1e-3 },        { "s", 1 },
};

typedef struct
{
  double number;
  const char *unit; /* (nullable) of the table above */
  double seconds;
} Part;

/* Separators of thousands are passed over; a word that is no unit, too: "Zyklen". */
static gboolean
parse_part (const char *text, Part *part)
{
  g_autoptr (GString) digits = g_string_new (NULL);
  gunichar point = *localeconv ()->decimal_point == ',' ? ',' : '.';
  g_autofree char *word = NULL;
  const char *p = text;
  char *end;

  for (; *p != '\0' && !g_unichar_isalpha (g_utf8_get_char (p)); p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == 0xb5)
        break;
      if (g_ascii_isdigit (c))
        g_string_append_c (digits, (char)c);
      else if (c == point)
        g_string_append_c (digits, '.');
      else if (c != ',' && c != '.' && c != '\'' && c != 0x2019 && !g_unichar_isspace (c))
        return FALSE;
    }
  part->number = g_ascii_strtod (digits->str, &end);
  part->unit = NULL;
  part->seconds = 0;
  if (digits->len == 0 || *end != '\0' || !isfinite (part->number))
    return FALSE;
  word = g_strstrip (g_strdup (p));
  if (*word == '\0')
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (word, units[i].name) == 0)
      {
        part->unit = units[i].name;
        part->seconds = units[i].seconds;
        return TRUE;
      }
  return g_strcmp0 (word, _ ("cycles")) == 0;
}

static gboolean
fail (GError **error, const char *text)
{
  g_set_error_literal (error, TSR_ERROR, TSR_ERROR_ARGUMENT, text);
  return FALSE;
}

/* "-", an en dash, a minus or "to" between two numbers, or "+". */
static gboolean
split (const char *text, char **first, char **second, gboolean *plus)
{
  static const char *const signs[] = { "+", "\342\200\223", "\342\210\222", "..", "-" };

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    {
      const char *at = strstr (text, signs[i]);

      if (at == NULL)
        continue;
      *first = g_strndup (text, at - text);
      *second = g_strdup (at + strlen (signs[i]));
      *plus = i == 0;
      return TRUE;
    }
  return FALSE;
}

static double
to_cycles (const Part *part, double clock)
{
  return part->seconds > 0 ? part->number * part->seconds * clock : part->number;
}

gboolean
tsr_trace_span_parse (const char *text, double clock, gint64 *from, gint64 *to, GError **error)
{
  g_autofree char *first = NULL, *second = NULL;
  Part parts[2];
  gboolean plus;
  double a, b;

  g_return_val_if_fail (text != NULL && from != NULL && to != NULL, FALSE);
  if (!g_utf8_validate (text, -1, NULL) || !split (text, &first, &second, &plus)
      || !parse_part (first, &parts[0]) || !parse_part (second, &parts[1]))
    return fail (error,
                 _ ("Two numbers with a dash between them, as in 1000 - 2500 or 10 - 12 ms"));
  /* A unit at the end is meant for both. */
  if (parts[0].unit == NULL && !plus)
    parts[0].seconds = parts[1].seconds;
  if ((parts[0].seconds > 0 || parts[1].seconds > 0) && !(clock > 0))
    return fail (
        error,
        _ ("The report does not record the clock frequency, so a span can only be in cycles"));
  a = to_cycles (&parts[0], clock);
  b = to_cycles (&parts[1], clock) + (plus ? a : 0);
  a = floor (a + 1e-6);
  b = ceil (b - 1e-6);
  if (!(a < b))
    return fail (error, _ ("The second number must be the larger one"));
  if (b > MOST)
    return fail (error, _ ("The number is too large"));
  *from = (gint64)a;
  *to = (gint64)b;
  return TRUE;
}
