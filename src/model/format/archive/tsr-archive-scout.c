/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chain that leads to something that is not a header looks for another beginning; one that
 * reaches a header of another chain ends, because the rest is the same.  Deceptive content can cost
 * some tens of round trips and some bytes in vain: the bytes, the restarts of a chain and the
 * rounds are limited. */

#include "config.h"

#include "tsr-archive-scout.h"

#include "tsr-archive-header.h"

#include <string.h>

#define MOST_CHAINS 64
/* Members of a chain: looking for the first of them costs half a member's bytes. */
#define LEAST_LINKS 8
#define MOST_LINKS  24
/* A source fetches in blocks of about this size. */
#define BLOCK_BYTES 32768
/* Looked at with one read. */
#define LOOK_BYTES (2 * BLOCK_BYTES)
/* Beginnings of a chain that led nowhere. */
#define MOST_TRIES 8
/* So many members tell better what a usual one is than what was said, and again so often. */
#define TELLING_LINKS   8
#define MOST_BEGINNINGS 3

typedef enum
{
  LOOKING,
  FOLLOWING,
  ENDED,
} ChainState;

typedef struct
{
  ChainState state;
  gint64 start, end; /* its part of the archive */
  gint64 at;         /* not looked at yet, or where the next header should be */
  gint64 last;       /* the header that it followed last */
  guint n_tries;
} Chain;

typedef struct
{
  TsrSource *source;
  GCancellable *cancellable;
  gint64 size; /* of the file */
  gint64 end;  /* of what is looked at */
  Chain *chains;
  guint n_chains;
  GHashTable *seen;       /* gint64: headers */
  gint64 asked;           /* bytes */
  gint64 n_links, linked; /* members that were followed, their bytes */
  gint64 n_rounds;        /* that are left */
  char *room;             /* LOOK_BYTES */
} Scout;

/* ------------------------------------------------------------------- bytes */

static void
ask (Scout *self, gint64 from, gint64 to)
{
  TsrSourceRange range = { .offset = MAX (from, 0) };

  range.length = (gsize)(MIN (to, self->size) - range.offset);
  self->asked += (range.offset + (gint64)range.length - 1) / BLOCK_BYTES * BLOCK_BYTES
                 - range.offset / BLOCK_BYTES * BLOCK_BYTES + BLOCK_BYTES;
  tsr_source_prefetch (self->source, &range, 1);
}

/* Ends with a block, so that none is asked for twice. */
static gint64
get_look_end (const Scout *self, const Chain *chain)
{
  return MIN ((chain->at + LOOK_BYTES) / BLOCK_BYTES * BLOCK_BYTES, self->size);
}

/* Not a single read, behind which more would be fetched. */
static gboolean
read_bytes (Scout *self, gint64 from, gint64 to, gsize *got)
{
  TsrSourceRange range
      = { .offset = from, .length = (gsize)(to - from), .bytes = (guint8 *)self->room };

  if (!tsr_source_read_ranges (self->source, &range, 1, self->cancellable, NULL))
    return FALSE;
  *got = range.got;
  return TRUE;
}

/* ------------------------------------------------------------------ chains */

static void
end_chain (Chain *chain)
{
  chain->state = ENDED;
  chain->at = chain->end;
}

static void
look_on (Scout *self, Chain *chain, gint64 from)
{
  chain->state = LOOKING;
  chain->at = from;
  if (from >= chain->end || from + TSR_AR_HEADER_LENGTH > self->size)
    end_chain (chain);
  else
    ask (self, chain->at, get_look_end (self, chain));
}

/* There is a header at @offset, and the next one at @next. */
static void
go_on (Scout *self, Chain *chain, gint64 offset, gint64 next)
{
  g_hash_table_add (self->seen, g_memdup2 (&offset, sizeof offset));
  self->n_links++;
  self->linked += next - offset;
  chain->state = FOLLOWING;
  chain->last = offset;
  chain->at = next;
  /* Behind the last member there is its end at least. */
  if (!g_hash_table_contains (self->seen, &next))
    ask (self, MIN (next, self->size) - TSR_AR_BEFORE, next + TSR_AR_BEHIND);
  if (g_hash_table_contains (self->seen, &next) || next >= self->end
      || next + TSR_AR_HEADER_LENGTH > self->size)
    end_chain (chain);
}

/* Position of the first of @length bytes that looks like a header; -1: none does. */
static gssize
find_header (const char *bytes, gsize length, gsize from, TsrArHeader *header)
{
  const char *end = bytes + length - 1;
  const char *mark = bytes + from + TSR_AR_HEADER_LENGTH - 2;

  for (; mark < end && (mark = memchr (mark, '`', (gsize)(end - mark))) != NULL; mark++)
    {
      gsize at = (gsize)(mark + 2 - bytes) - TSR_AR_HEADER_LENGTH;

      if (at % 2 == 0 && tsr_archive_header_is_likely (bytes + at, header))
        return (gssize)at;
    }
  return -1;
}

static gboolean
look (Scout *self, Chain *chain)
{
  gint64 from = chain->at, end = get_look_end (self, chain);
  TsrArHeader header;
  gsize got;
  gssize at = -2;

  if (!read_bytes (self, from, end, &got))
    return FALSE;
  if (got < TSR_AR_HEADER_LENGTH)
    {
      end_chain (chain);
      return TRUE;
    }
  while ((at = find_header (self->room, got, (gsize)(at + 2), &header)) >= 0)
    {
      gint64 next = tsr_archive_header_get_next (from + at, &header);

      /* Nothing would contradict what leads out of sight. */
      if (next <= self->end && (next < self->end || chain->end == self->end))
        {
          go_on (self, chain, from + at, next);
          return TRUE;
        }
    }
  look_on (self, chain, end - TSR_AR_HEADER_LENGTH + 2);
  return TRUE;
}

static gboolean
follow (Scout *self, Chain *chain)
{
  gint64 at = chain->at;
  TsrArHeader header;
  gsize got;

  if (g_hash_table_contains (self->seen, &at))
    {
      end_chain (chain);
      return TRUE;
    }
  if (!read_bytes (self, at, at + TSR_AR_HEADER_LENGTH, &got))
    return FALSE;
  if (got == TSR_AR_HEADER_LENGTH && tsr_archive_header_parse (self->room, &header))
    go_on (self, chain, at, tsr_archive_header_get_next (at, &header));
  else if (chain != self->chains && chain->n_tries++ < MOST_TRIES)
    look_on (self, chain, chain->last + 2);
  else
    end_chain (chain);
  return TRUE;
}

/* ------------------------------------------------------------------- scout */

/* FALSE when so little is left that one chain would do. */
static gboolean
begin (Scout *self, gint64 from, gint64 stride)
{
  gint64 left = self->size - from;
  gint64 part = CLAMP (left / MOST_CHAINS, LEAST_LINKS * stride, MOST_LINKS * stride);

  part = MAX (part, LOOK_BYTES);
  self->n_chains = (guint)CLAMP (left / part, 1, MOST_CHAINS);
  self->end = left / part > MOST_CHAINS ? from + MOST_CHAINS * part : self->size;
  self->n_links = self->linked = 0;
  /* Some members may be smaller, and some parts have none. */
  self->n_rounds = 2 * (part / stride) + 2 * stride / LOOK_BYTES + 16;
  g_hash_table_remove_all (self->seen);
  memset (self->chains, 0, MOST_CHAINS * sizeof *self->chains);
  for (guint i = 0; i < self->n_chains; i++)
    {
      Chain *chain = &self->chains[i];

      chain->start = i == 0 ? from : (from + i * part) / BLOCK_BYTES * BLOCK_BYTES;
      chain->end = self->end;
      if (i > 0)
        self->chains[i - 1].end = chain->start;
    }
  for (guint i = 1; i < self->n_chains; i++)
    look_on (self, &self->chains[i], self->chains[i].start);
  self->chains[0].state = FOLLOWING;
  self->chains[0].at = self->chains[0].last = from;
  return self->n_chains > 1;
}

/* Each chain one step; how many go on.  -1: nothing could be read. */
static int
step_all (Scout *self)
{
  int n = 0;

  for (guint i = 0; i < self->n_chains; i++)
    {
      Chain *chain = &self->chains[i];

      if (chain->state == ENDED)
        continue;
      if (!(chain->state == LOOKING ? look (self, chain) : follow (self, chain)))
        return -1;
      n += chain->state != ENDED;
    }
  return n;
}

static gint64
count_done (const Scout *self)
{
  gint64 done = self->chains[0].start;

  for (guint i = 0; i < self->n_chains; i++)
    done += MIN (self->chains[i].at, self->chains[i].end) - self->chains[i].start;
  return done;
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return x < y ? -1 : x > y;
}

static void
take_offsets (Scout *self, GArray *offsets)
{
  GHashTableIter iter;
  gpointer offset;

  g_hash_table_iter_init (&iter, self->seen);
  while (g_hash_table_iter_next (&iter, &offset, NULL))
    g_array_append_vals (offsets, offset, 1);
  g_array_sort (offsets, compare_offsets);
}

gint64
tsr_archive_scout (TsrSource *source,
                   gint64 from,
                   gint64 stride,
                   GArray *offsets,
                   TsrProgress *progress,
                   GCancellable *cancellable)
{
  Scout self = { .source = source, .cancellable = cancellable };
  guint n_beginnings = 1;
  int n = 1;

  g_return_val_if_fail (stride > 0, from);

  self.size = tsr_source_get_size (source);
  self.chains = g_new0 (Chain, MOST_CHAINS);
  self.seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self.room = g_malloc (LOOK_BYTES);
  if (!begin (&self, from, stride))
    n = -1;
  while (n > 0 && self.n_rounds-- > 0 && self.asked < (self.end - from) / 4 * 3)
    {
      n = step_all (&self);
      if (n > 0 && self.n_links >= TELLING_LINKS && self.linked / self.n_links < stride / 2
          && self.n_chains < MOST_CHAINS && n_beginnings++ < MOST_BEGINNINGS)
        {
          stride = MAX (self.linked / self.n_links, LOOK_BYTES);
          begin (&self, from, stride);
        }
      tsr_progress_set_done (progress, (guint64)count_done (&self));
    }
  if (n >= 0)
    take_offsets (&self, offsets);
  g_hash_table_unref (self.seen);
  g_free (self.chains);
  g_free (self.room);
  return n >= 0 ? self.end : from;
}
