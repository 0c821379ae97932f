/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-elide.h"

#include <string.h>

#define LEAST_FIT 4

/* Bytes that both begin with, a whole number of characters. */
static gsize
get_common_prefix (const char *a, const char *b)
{
  gsize n = 0;

  while (a[n] != '\0' && a[n] == b[n])
    n++;
  while (n > 0 && ((guchar)a[n] & 0xc0) == 0x80)
    n--;
  return n;
}

static gboolean
is_cut (const char *text, guint fit)
{
  return g_utf8_strlen (text, -1) > (glong)fit;
}

static gboolean
has_tail (const char *text, const char *tail)
{
  gsize n = strlen (text), length = strlen (tail);

  return n >= length && memcmp (text + n - length, tail, length) == 0;
}

/* A part's begin at or before @at, unless that is so far that @at is not seen. */
static gsize
get_begin (const char *text, gsize at, guint fit)
{
  gsize begin = at;

  while (begin > 0 && text[begin - 1] != '/')
    begin--;
  if (g_utf8_strlen (text + begin, (gssize)(at - begin)) <= (glong)fit / 2)
    return begin;
  return (gsize)(g_utf8_offset_to_pointer (text + at, -(glong)(fit / 4)) - text);
}

TsrElide
tsr_elide_choose (const char *text, const char *const *others, guint n_others, guint fit)
{
  TsrElide elide = { TSR_ELIDE_MIDDLE, 0 };
  glong length = g_utf8_strlen (text, -1);
  gboolean same_middle = FALSE, same_start = FALSE;
  gsize head, differs = 0;
  const char *middle_tail, *start_tail;

  if (fit < LEAST_FIT || length <= (glong)fit)
    return elide;
  head = (gsize)(g_utf8_offset_to_pointer (text, (fit - 1) / 2) - text);
  middle_tail = g_utf8_offset_to_pointer (text, length - (glong)(fit - 1) / 2);
  start_tail = g_utf8_offset_to_pointer (text, length - (glong)(fit - 1));
  for (guint i = 0; i < n_others; i++)
    {
      gsize common;
      gboolean middle, start;

      if (others[i] == NULL || strcmp (others[i], text) == 0 || !is_cut (others[i], fit))
        continue;
      common = get_common_prefix (text, others[i]);
      middle = common >= head && has_tail (others[i], middle_tail);
      start = has_tail (others[i], start_tail);
      same_middle = same_middle || middle;
      same_start = same_start || start;
      if (middle || start)
        differs = MAX (differs, common);
    }
  if (!same_middle)
    return elide;
  elide.form = same_start ? TSR_ELIDE_BOTH : TSR_ELIDE_START;
  if (same_start)
    elide.from = get_begin (text, differs, fit);
  return elide;
}
