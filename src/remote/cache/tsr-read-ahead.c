/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A small table of streams, each with where its next read is expected and how far it was fetched
 * ahead. */

#include "config.h"

#include "tsr-read-ahead.h"

/* A read that skips at most this many blocks still continues the stream. */
#define SLACK        4
#define FIRST_WINDOW 4

static TsrReadStream *
find_stream (TsrReadAhead *self, guint64 block)
{
  TsrReadStream *oldest = &self->streams[0];

  for (guint i = 0; i < TSR_READ_STREAMS; i++)
    {
      TsrReadStream *stream = &self->streams[i];

      if (stream->clock > 0 && block + 1 >= stream->next && block <= stream->next + SLACK)
        return stream;
      if (stream->clock < oldest->clock)
        oldest = stream;
    }
  *oldest = (TsrReadStream){ .next = block };
  return oldest;
}

void
tsr_read_ahead_add_end (TsrReadAhead *self, guint64 block)
{
  for (guint i = 0; i < TSR_READ_ENDS; i++)
    if (self->ends[i] == block)
      return;
  self->ends[self->n_ends++ % TSR_READ_ENDS] = block;
}

/* @end, or where something ends before that. */
static guint64
cut (const TsrReadAhead *self, guint64 next, guint64 end)
{
  for (guint i = 0; i < TSR_READ_ENDS; i++)
    if (self->ends[i] >= next && self->ends[i] < end)
      end = self->ends[i];
  return end;
}

guint
tsr_read_ahead_note (TsrReadAhead *self, guint64 block, gboolean fetched, guint64 *first)
{
  TsrReadStream *stream = find_stream (self, block);
  guint64 end;

  stream->clock = ++self->clock;
  if (block + 1 == stream->next)
    return 0; /* another page of the same block */
  stream->next = block + 1;
  stream->end = MAX (stream->end, stream->next);
  if (!fetched)
    return 0;
  stream->run++;
  if (stream->run < 2)
    return 0;
  if (stream->window == 0)
    stream->window = FIRST_WINDOW;
  else if (stream->end - stream->next > stream->window / 2
           && (stream->window < TSR_READ_AHEAD_MAX
               || stream->end - stream->next > TSR_READ_AHEAD_MAX * 3 / 4))
    return 0;
  else if (stream->run >= stream->window)
    stream->window = MIN (2 * stream->window, TSR_READ_AHEAD_MAX);
  end = cut (self, stream->next, stream->next + stream->window);
  if (end <= stream->end)
    return 0;
  *first = stream->end;
  stream->end = end;
  return (guint)(end - *first);
}

void
tsr_read_ahead_refuse (TsrReadAhead *self, guint64 first)
{
  for (guint i = 0; i < TSR_READ_STREAMS; i++)
    if (self->streams[i].clock == self->clock)
      self->streams[i].end = first;
}
