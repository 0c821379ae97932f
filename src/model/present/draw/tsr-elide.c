/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chooses which part of a name to leave out, by comparing it with its neighbours. */

#include "config.h"

#include "tsr-elide.h"

#include <string.h>

#define LEAST 3 /* characters of a part that is cut */

enum
{
  NOT_KNOWN,
  FITS,
  TOO_LONG,
};

typedef struct
{
  const char *text;
  gsize length;
  const char *const *others;
  guint n_others;
  guint8 *others_fit; /* NOT_KNOWN, or whether one has room: it is asked several times */
  double room;
  TsrElideMeasure measure;
  gpointer data;
} Name;

static gboolean
fits (const Name *self, const char *text)
{
  return self->measure (self->data, text) <= self->room;
}

static gboolean
other_fits (const Name *self, guint i)
{
  if (self->others_fit[i] == NOT_KNOWN)
    self->others_fit[i] = fits (self, self->others[i]) ? FITS : TOO_LONG;
  return self->others_fit[i] == FITS;
}

/* (transfer full): the bytes up to @head and those of [@from, @to), with an ellipsis where some are
 * left out. */
static char *
join (const Name *self, gsize head, gsize from, gsize to)
{
  return g_strdup_printf ("%.*s%s%.*s%s", (int)head, self->text, from > head ? "…" : "",
                          (int)(to - from), self->text + from, to < self->length ? "…" : "");
}

static gboolean
joined_fits (const Name *self, gsize head, gsize from, gsize to)
{
  g_autofree char *text = join (self, head, from, to);

  return fits (self, text);
}

/* The last slash before byte @at; 0 if there is none. */
static gsize
get_slash_before (const Name *self, gsize at)
{
  while (at > 0 && self->text[--at] != '/')
    ;
  return at;
}

/* The first slash at or after byte @at; the length if there is none. */
static gsize
get_slash_from (const Name *self, gsize at)
{
  while (at < self->length && self->text[at] != '/')
    at++;
  return at + 1 < self->length ? at : self->length;
}

/* ------------------------------------------------------------ reads the same */

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

/* Whether another one begins with the first @head bytes, ends with those from @tail on and has no
 * room; *differs: where the last of these to part from this one does. */
static gboolean
is_same (const Name *self, gsize head, gsize tail, gsize *differs)
{
  gboolean any = FALSE;

  *differs = 0;
  for (guint i = 0; i < self->n_others; i++)
    {
      const char *other = self->others[i];

      if (other == NULL || strncmp (other, self->text, head) != 0
          || !g_str_has_suffix (other, self->text + tail) || strcmp (other, self->text) == 0
          || other_fits (self, i))
        continue;
      *differs = MAX (*differs, get_common_prefix (self->text, other));
      any = TRUE;
    }
  return any;
}

/* -------------------------------------------------------------------- forms */

/* As many parts as there is room for, from the tail at @tail on: at the end, and with @heads at the
 * begin, whichever has fewer. */
static void
grow (const Name *self, gboolean heads, gsize *head, gsize *tail)
{
  *head = 0;
  for (;;)
    {
      gsize next_tail = get_slash_before (self, *tail);
      gsize next_head = get_slash_from (self, *head) + 1;
      gboolean tail_fits = next_tail > *head && joined_fits (self, *head, next_tail, self->length);
      gboolean head_fits
          = heads && next_head < *tail && joined_fits (self, next_head, *tail, self->length);

      if (head_fits && (!tail_fits || *head < self->length - *tail))
        *head = next_head;
      else if (tail_fits)
        *tail = next_tail;
      else
        return;
    }
}

/* [@from, @to) with its middle taken out; @before: what stands before it.  A part that is cut has
 * no second ellipsis for those before it: there would be less of it. */
static char *
crop (const Name *self, const char *before, gsize from, gsize to)
{
  const char *text = self->text + from;
  glong n = g_utf8_strlen (text, (gssize)(to - from));

  for (glong keep = n - 1; keep >= LEAST; keep--)
    {
      int head = (int)(g_utf8_offset_to_pointer (text, (keep + 1) / 2) - text);
      const char *tail = g_utf8_offset_to_pointer (text, n - keep / 2);
      g_autofree char *shown = g_strdup_printf ("%s%.*s…%.*s", before, head, text,
                                                (int)(text + (to - from) - tail), tail);
      double width = self->measure (self->data, shown);

      if (width <= self->room)
        return g_steal_pointer (&shown);
      /* Most of what is too much at once. */
      keep = MIN (keep, (glong)((double)(keep + 2) * self->room / width * 1.2) + 2);
    }
  return NULL;
}

/* From the part with byte @differs on, to a part's end; *shared: another reads the same. */
static char *
show_difference (const Name *self, gsize differs, gboolean *shared)
{
  gsize from = get_slash_before (self, differs);
  gsize end = get_slash_from (self, from + 1), next;
  char *shown;

  *shared = FALSE;
  if (!joined_fits (self, 0, from, MIN (end + 1, self->length)))
    {
      /* The part alone is too long: what differs may be in its middle. */
      from += self->text[from] == '/';
      shown = differs - from < (end - from) / 4 ? crop (self, "", from, end) : NULL;
      if (shown != NULL)
        return shown;
      /* The part may end with a character of several bytes. */
      differs = MIN (differs, end - 1);
      while (differs > from && ((guchar)self->text[differs] & 0xc0) == 0x80)
        differs--;
      return crop (self, "…", differs, self->length);
    }
  while (end < self->length
         && (next = get_slash_from (self, end + 1),
             joined_fits (self, 0, from, MIN (next + 1, self->length))))
    end = next;
  end = MIN (end + 1, self->length);
  for (guint i = 0; i < self->n_others && !*shared; i++)
    *shared = self->others[i] != NULL && strcmp (self->others[i], self->text) != 0
              && get_common_prefix (self->others[i], self->text) >= end && !other_fits (self, i);
  return join (self, 0, from, end);
}

/* (transfer full) (nullable): where others begin with what show_difference () shows, as many
 * characters as there is room for before the last part, or as few last ones as are none of theirs,
 * byte @differs among them. */
static char *
show_ends (const Name *self, gsize differs, gsize last)
{
  for (gsize tail = last; tail > differs; tail = get_slash_before (self, tail))
    {
      gsize head = 0, next, ignored;

      while ((next = (gsize)(g_utf8_next_char (self->text + head) - self->text)) < tail
             && joined_fits (self, next, tail, self->length))
        head = next;
      if (head <= differs || head < LEAST)
        return NULL;
      if (!is_same (self, head, tail, &ignored))
        return join (self, head, tail, self->length);
    }
  return NULL;
}

#define MOST_HEAD 32 /* characters */

/* "Type (name/of/it)": the length of "Type (", and in @tail that from the last bracket; 0: it is
 * none. */
static gsize
find_head (const char *text, gsize *tail)
{
  const char *open = strstr (text, " ("), *close = strrchr (text, ')');
  const char *slash = strchr (text, '/');

  if (open == NULL || close == NULL || slash == NULL || slash < open || slash > close
      || open - text > MOST_HEAD)
    return 0;
  *tail = (gsize)(close - text);
  return (gsize)(open - text) + 2;
}

/* (transfer full) (nullable): with head and tail as they are, and what is between them elided.
 * Others with another head read otherwise. */
static char *
elide_inside (const Name *name, gsize head, gsize tail)
{
  g_autofree char *before = g_strndup (name->text, head);
  g_autofree char *inside = g_strndup (name->text + head, tail - head);
  g_autofree char *ends = g_strconcat (before, name->text + tail, NULL);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *shown = NULL;
  double room = name->room - name->measure (name->data, ends);

  for (guint i = 0; room > 0 && i < name->n_others; i++)
    {
      const char *other = name->others[i];
      gsize of_tail, of_head = find_head (other, &of_tail);

      if (of_head == head && strncmp (other, name->text, head) == 0)
        g_ptr_array_add (others, g_strndup (other + head, of_tail - head));
    }
  if (room > 0)
    shown = tsr_elide_dup (inside, (const char *const *)others->pdata, others->len, room,
                           name->measure, name->data);
  return shown != NULL ? g_strconcat (before, shown, name->text + tail, NULL) : NULL;
}

char *
tsr_elide_dup (const char *text,
               const char *const *others,
               guint n_others,
               double room,
               TsrElideMeasure measure,
               gpointer data)
{
  g_autofree guint8 *others_fit = g_new0 (guint8, n_others + 1);
  const Name self = { text, strlen (text), others, n_others, others_fit, room, measure, data };
  gsize last = get_slash_before (&self, self.length - (self.length > 0)), head = 0, tail = last;
  gsize differs, ends = 0, begins = find_head (text, &ends);
  gboolean shared;
  char *shown;

  if (fits (&self, text))
    return g_strdup (text);
  if (begins > 0 && (shown = elide_inside (&self, begins, ends)) != NULL)
    return shown;
  if (last == 0 || !joined_fits (&self, 0, last, self.length))
    {
      gsize from = last + (text[last] == '/');

      if (last > 0 && is_same (&self, 0, last, &differs)
          && (shown = show_difference (&self, differs, &shared)) != NULL)
        return shown;
      shown = join (&self, 0, from, self.length);
      if (last > 0 && fits (&self, shown))
        return shown;
      g_free (shown);
      return crop (&self, "", from, self.length);
    }
  grow (&self, TRUE, &head, &tail);
  if (is_same (&self, head, tail, &differs))
    {
      tail = last;
      grow (&self, FALSE, &head, &tail);
      if (is_same (&self, 0, tail, &differs))
        {
          g_autofree char *ends_shown = NULL;

          shown = show_difference (&self, differs, &shared);
          if (shared && (ends_shown = show_ends (&self, differs, last)) != NULL)
            {
              g_free (shown);
              return g_steal_pointer (&ends_shown);
            }
          if (shown != NULL)
            return shown;
        }
    }
  return join (&self, head, tail, self.length);
}

typedef struct
{
  const TsrTextMeasure *measure;
  double font_size;
} LabelFont;

static double
measure_label (gpointer data, const char *text)
{
  const LabelFont *font = data;
  double width;

  font->measure->measure (font->measure->data, text, font->font_size, FALSE, &width, NULL);
  return width;
}

char *
tsr_elide_dup_label (const char *text, double font_size, double room, const TsrTextMeasure *measure)
{
  LabelFont font = { measure, font_size };

  return tsr_elide_dup (text, NULL, 0, room, measure_label, &font);
}
