/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-archive-ahead.h"

#include <string.h>

/* Of an index at most this part of the file is read. */
#define INDEX_PART 16
/* Read around each header: the end of the member before it, where its sections stand, and what the
 * walk reads. */
#define BEFORE 4096
#define BEHIND 1024
/* A source fetches in blocks of about this size; so near a guess is as good as right. */
#define NEAR 16384
/* Smaller members are not worth being looked for. */
#define SMALL        (64 << 10)
#define FIRST_WINDOW 4
#define MOST_WINDOW  192
/* Ahead of the walk when everything is fetched. */
#define STREAM_BYTES (4 << 20)
/* Fetched while one finds out how. */
#define FIRST_BYTES (1 << 20)

void
tsr_archive_ahead_init (TsrArchiveAhead *self, TsrSource *source)
{
  TsrSourceRange first = { .length = FIRST_BYTES };

  memset (self, 0, sizeof *self);
  self->source = tsr_source_is_slow (source) ? source : NULL;
  self->offsets = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->window = FIRST_WINDOW;
  self->streamed = FIRST_BYTES;
  tsr_source_prefetch (source, &first, 1);
}

void
tsr_archive_ahead_clear (TsrArchiveAhead *self)
{
  g_clear_pointer (&self->offsets, g_array_unref);
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return x < y ? -1 : x > y;
}

static void
sort_offsets (TsrArchiveAhead *self)
{
  guint n = 0;

  g_array_sort (self->offsets, compare_offsets);
  for (guint i = 0; i < self->offsets->len; i++)
    if (n == 0
        || g_array_index (self->offsets, gint64, i) > g_array_index (self->offsets, gint64, n - 1))
      g_array_index (self->offsets, gint64, n++) = g_array_index (self->offsets, gint64, i);
  g_array_set_size (self->offsets, n);
}

static guint64
read_be (const guint8 *bytes, guint width)
{
  guint64 value = 0;

  for (guint i = 0; i < width; i++)
    value = value << 8 | bytes[i];
  return value;
}

void
tsr_archive_ahead_take_index (
    TsrArchiveAhead *self, gint64 offset, gint64 size, gboolean is_64, GCancellable *cancellable)
{
  g_autofree guint8 *bytes = NULL;
  gint64 file_size, previous = 0;
  guint width = is_64 ? 8 : 4;
  guint64 n;

  if (self->source == NULL || self->mode != TSR_AHEAD_GUESS || size < (gint64)width)
    return;
  file_size = tsr_source_get_size (self->source);
  if (size > MAX (file_size / INDEX_PART, 65536))
    return;
  bytes = g_malloc ((gsize)size);
  if (tsr_source_read (self->source, offset, bytes, (gsize)size, cancellable, NULL) != size)
    return;
  n = MIN (read_be (bytes, width), (guint64)(size - width) / width);
  for (guint64 i = 0; i < n; i++)
    {
      guint64 place = read_be (bytes + width * (i + 1), width);
      gint64 member = (gint64)MIN (place, G_MAXINT64);

      /* One for each symbol: those of a member follow each other. */
      if (member != previous && member > offset && member < file_size)
        g_array_append_val (self->offsets, member);
      previous = member;
    }
  sort_offsets (self);
  if (self->offsets->len > 0)
    self->mode = TSR_AHEAD_INDEX;
}

/* ------------------------------------------------------------------- asking */

/* Asks for what is around the offsets up to @end that were not asked for yet. */
static void
ask (TsrArchiveAhead *self, guint end)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (TsrSourceRange));

  for (; self->asked < end; self->asked++)
    {
      gint64 offset = g_array_index (self->offsets, gint64, self->asked);
      gint64 start = MAX (offset - BEFORE, 0);
      TsrSourceRange range = { .offset = start, .length = (gsize)(offset + BEHIND - start) };

      g_array_append_val (ranges, range);
    }
  tsr_source_prefetch (self->source, (const TsrSourceRange *)(gpointer)ranges->data, ranges->len);
}

static void
stream (TsrArchiveAhead *self, gint64 from)
{
  TsrSourceRange range;

  self->mode = TSR_AHEAD_STREAM;
  if (self->streamed - from > STREAM_BYTES * 3 / 4)
    return;
  range.offset = MAX (self->streamed, from - from % 32768);
  range.length = (gsize)(from + STREAM_BYTES - range.offset);
  self->streamed = from + STREAM_BYTES;
  tsr_source_prefetch (self->source, &range, 1);
}

/* Members like the last one from @next on. */
static void
guess (TsrArchiveAhead *self, gint64 next, gint64 stride)
{
  gint64 size = tsr_source_get_size (self->source);

  g_array_set_size (self->offsets, 0);
  self->next = self->asked = 0;
  for (guint i = 0; i < self->window && next + i * stride < size; i++)
    {
      gint64 offset = next + i * stride;

      g_array_append_val (self->offsets, offset);
    }
  ask (self, self->offsets->len);
}

/* Moves behind @offset; whether one of the offsets was near it. */
static gboolean
was_expected (TsrArchiveAhead *self, gint64 offset)
{
  gboolean near = FALSE;

  for (; self->next < self->offsets->len; self->next++)
    {
      gint64 expected = g_array_index (self->offsets, gint64, self->next);

      if (expected > offset + NEAR)
        break;
      near |= ABS (expected - offset) <= NEAR;
      if (expected > offset)
        break;
    }
  return near;
}

void
tsr_archive_ahead_note (TsrArchiveAhead *self, gint64 offset, gint64 next)
{
  gint64 stride = next - offset;
  gboolean begun = self->asked > 0;

  if (self->source == NULL)
    return;
  if (self->mode != TSR_AHEAD_STREAM && begun)
    {
      if (was_expected (self, offset))
        self->hits++;
      else
        self->misses++;
    }
  if (self->mode == TSR_AHEAD_STREAM || (self->mode == TSR_AHEAD_GUESS && stride < SMALL)
      || self->misses * 4 > self->hits + 4)
    {
      stream (self, next);
      return;
    }
  if (self->hits >= self->window)
    self->window = MIN (2 * self->window, MOST_WINDOW);
  if (self->mode == TSR_AHEAD_INDEX)
    {
      guint end = MIN (self->next + MOST_WINDOW, self->offsets->len);

      if (end - self->asked >= MOST_WINDOW / 4 || end == self->offsets->len)
        ask (self, end);
    }
  else if (self->offsets->len - self->next <= self->window / 2)
    guess (self, next, stride);
}
