/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Predicts where the next members of an archive begin, and asks the source to fetch them ahead. */

#include "config.h"

#include "tsr-archive-ahead.h"

#include "tsr-archive-header.h"
#include "tsr-archive-scout.h"

#include <string.h>

/* Of an index at most this part of the file is read. */
#define INDEX_PART 16
/* A source fetches in blocks of about this size; so near a guess is as good as right. */
#define NEAR 16384
/* Smaller members are not worth being looked for: with a block for each, little would be saved. */
#define SMALL (64 << 10)
/* Nor are these, where looking costs something. */
#define SMALL_TO_SCOUT (96 << 10)
/* So often the scout may see less than it should. */
#define MOST_IN_VAIN 1
#define FIRST_WINDOW 4
#define MOST_WINDOW  192
/* Ahead of the walk when everything is fetched. */
#define STREAM_BYTES (4 << 20)
/* Fetched while one finds out how. */
#define FIRST_BYTES (1 << 20)

void
tsr_archive_ahead_init (TsrArchiveAhead *self,
                        TsrSource *source,
                        TsrProgress *progress,
                        GCancellable *cancellable)
{
  TsrSourceRange first = { .length = FIRST_BYTES };

  memset (self, 0, sizeof *self);
  self->source = tsr_source_is_slow (source) ? source : NULL;
  self->progress = progress;
  self->cancellable = cancellable;
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
tsr_archive_ahead_take_index (TsrArchiveAhead *self, gint64 offset, gint64 size, gboolean is_64)
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
  if (tsr_source_read (self->source, offset, bytes, (gsize)size, self->cancellable, NULL) != size)
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
      gint64 start = MAX (offset - TSR_AR_BEFORE, 0);
      TsrSourceRange range = { .offset = start, .length = (gsize)(offset + TSR_AR_BEHIND - start) };

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

/* Whether another member of @stride bytes would fit behind the last guess. */
static gboolean
is_more_to_guess (TsrArchiveAhead *self, gint64 stride)
{
  guint n = self->offsets->len;

  return n == 0
         || g_array_index (self->offsets, gint64, n - 1) + stride
                < tsr_source_get_size (self->source);
}

/* As long as index or guesses hold. */
static void
ask_more (TsrArchiveAhead *self, gint64 offset, gint64 next)
{
  if (self->hits >= self->window)
    self->window = MIN (2 * self->window, MOST_WINDOW);
  if (self->mode == TSR_AHEAD_INDEX)
    {
      guint end = MIN (self->next + MOST_WINDOW, self->offsets->len);

      if (end - self->asked >= MOST_WINDOW / 4 || end == self->offsets->len)
        ask (self, end);
    }
  else if (self->offsets->len - self->next <= self->window / 2
           && is_more_to_guess (self, next - offset))
    guess (self, next, next - offset);
}

/* Bytes of a usual member, header and all. */
static gint64
note_stride (TsrArchiveAhead *self, gint64 stride)
{
  guint n;
  gint64 sum = 0;

  self->strides[self->n_strides++ % TSR_AHEAD_STRIDES] = stride;
  n = MIN (self->n_strides, TSR_AHEAD_STRIDES);
  for (guint i = 0; i < n; i++)
    sum += self->strides[i] / n;
  return MAX (sum, TSR_AR_HEADER_LENGTH);
}

/* Neither an index nor equal sizes tell where the members behind @next are. */
static void
look_ahead (TsrArchiveAhead *self, gint64 next, gint64 stride)
{
  gint64 end;

  /* It should have seen @next, too. */
  if (next < self->scouted)
    self->n_in_vain++;
  if (stride < SMALL_TO_SCOUT || self->n_in_vain > MOST_IN_VAIN)
    {
      stream (self, next);
      return;
    }
  g_array_set_size (self->offsets, 0);
  self->next = self->hits = self->misses = 0;
  end = tsr_archive_scout (self->source, next, stride, self->offsets, self->progress,
                           self->cancellable);
  if (end <= next)
    {
      stream (self, next);
      return;
    }
  self->mode = TSR_AHEAD_SCOUT;
  self->scouted = MAX (end, self->scouted);
  self->asked = self->offsets->len;
}

void
tsr_archive_ahead_note (TsrArchiveAhead *self, gint64 offset, gint64 next)
{
  gint64 usual;

  if (self->source == NULL)
    return;
  usual = note_stride (self, next - offset);
  if (self->mode != TSR_AHEAD_STREAM && self->asked > 0)
    {
      if (was_expected (self, offset))
        self->hits++;
      else
        self->misses++;
    }
  /* Small ones may be over. */
  if (self->mode == TSR_AHEAD_STREAM && usual >= 2 * SMALL_TO_SCOUT
      && self->n_strides % TSR_AHEAD_STRIDES == 0)
    look_ahead (self, next, usual);
  else if (self->mode == TSR_AHEAD_STREAM || (self->mode == TSR_AHEAD_GUESS && usual < SMALL))
    stream (self, next);
  else if (self->misses * 4 > self->hits + 4)
    look_ahead (self, next, usual);
  else if (self->mode == TSR_AHEAD_SCOUT)
    {
      if (self->next >= self->offsets->len)
        look_ahead (self, next, usual);
    }
  else
    ask_more (self, offset, next);
}

gint64
tsr_archive_ahead_get_done (const TsrArchiveAhead *self, gint64 offset)
{
  return self->mode == TSR_AHEAD_SCOUT ? MAX (offset, self->scouted) : offset;
}
