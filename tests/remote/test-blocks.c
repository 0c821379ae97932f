/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a remote source (cache/tsr-remote-source.c) asks its connection for, request by request,
 * against what a naive list of its blocks expects.  The connection is made up here: what somebody
 * waits for comes at once, and everything else when the test says so.  Time stands where it is put.
 */

#include "config.h"

#include "tsr-error.h"
#include "tsr-read-ahead.h"
#include "tsr-remote-error.h"
#include "tsr-remote-source.h"
#include "tsr-test.h"
#include "tsr-units.h"

#include <glib/gstdio.h>
#include <string.h>

#define BLOCK  TSR_BLOCK_BYTES
#define MEMORY 1024 /* blocks that stay in memory */
#define AHEAD  512  /* blocks that may be under way although nobody waits for them */

typedef struct
{
  guint64 first;
  guint n;
  TsrReadPriority priority;
  TsrRemoteReadFunc func;
  gpointer data;
} Sent;

typedef enum
{
  ANSWER_WELL,
  ANSWER_AWAY,  /* there is no network */
  ANSWER_NO,    /* the server says no */
  ANSWER_SHORT, /* a byte is missing */
  ANSWER_LESS,  /* a block is missing */
  N_ANSWERS,
} Answer;

static struct
{
  GMutex lock;
  GCond cond;
  gint64 now;
  guint n_asked_time; /* by the thread that copies */
  guint64 size;
  guint8 version; /* of the contents */
  GQueue waiting; /* Sent */
  Answer now_answer;
  guint n_faults;     /* so many of what somebody waits for are answered so */
  GArray *asked;      /* guint64: blocks that somebody waited for */
  guint n_now;        /* requests of such blocks */
  gboolean is_looked; /* at the first bytes alone */
  TsrSourceStamp stamp;
  GError *stat_error;
  GCancellable *impatient; /* (nullable): of a reader that is cancelled when it has asked */
} world;

static _Thread_local gboolean is_copying; /* the thread that copies */

gint64
g_get_monotonic_time (void)
{
  gint64 now;

  g_mutex_lock (&world.lock);
  now = world.now;
  world.n_asked_time += is_copying;
  g_cond_broadcast (&world.cond);
  g_mutex_unlock (&world.lock);
  return now;
}

/* ------------------------------------------------------------------- connection */

static guint64
count_blocks (void)
{
  return (world.size + BLOCK - 1) / BLOCK;
}

static gsize
length_of (guint64 number)
{
  return (gsize)MIN (BLOCK, world.size - number * BLOCK);
}

static guint8
byte_at (guint64 offset)
{
  return (guint8)(offset / BLOCK * 37 + offset % 251 + world.version);
}

static GBytes *
make_bytes (guint64 offset, gsize length)
{
  guint8 *bytes = g_malloc (MAX (length, 1));

  for (gsize i = 0; i < length; i++)
    bytes[i] = byte_at (offset + i);
  return g_bytes_new_take (bytes, length);
}

static void
give (Sent *sent, Answer kind)
{
  g_autoptr (GPtrArray) blocks = NULL;
  GError *error = NULL;

  if (kind == ANSWER_AWAY)
    error = g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, "the line is down");
  else if (kind == ANSWER_NO)
    error = g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_PERMISSION, "no");
  else
    {
      blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
      for (guint i = 0; i < sent->n - (kind == ANSWER_LESS); i++)
        g_ptr_array_add (blocks, make_bytes ((sent->first + i) * BLOCK,
                                             length_of (sent->first + i)
                                                 - (kind == ANSWER_SHORT && i + 1 == sent->n)));
    }
  sent->func (blocks, error, sent->data);
  g_free (sent);
}

TsrRemoteFile *
tsr_connection_open_file (TsrConnection *connection, const char *path, const TsrSourceStamp *stamp)
{
  g_assert_cmpint (stamp->size, ==, world.size);
  return g_malloc0 (1);
}

void
tsr_connection_close_file (TsrConnection *connection, TsrRemoteFile *file)
{
  g_free (file);
}

TsrFolderEntry *
tsr_connection_stat (TsrConnection *connection,
                     const char *path,
                     GCancellable *cancellable,
                     GError **error)
{
  TsrFolderEntry *entry;

  if (world.stat_error != NULL)
    {
      g_propagate_error (error, g_error_copy (world.stat_error));
      return NULL;
    }
  entry = g_new0 (TsrFolderEntry, 1);
  entry->size = world.stamp.size;
  entry->mtime_us = world.stamp.mtime_us;
  return entry;
}

void
tsr_connection_read_async (TsrConnection *connection,
                           TsrRemoteFile *file,
                           gint64 offset,
                           gsize length,
                           TsrReadPriority priority,
                           TsrRemoteReadFunc func,
                           gpointer data)
{
  Sent *sent = g_new0 (Sent, 1);
  Answer answer = world.n_faults > 0 ? world.now_answer : ANSWER_WELL;

  g_assert_cmpint (offset % BLOCK, ==, 0);
  g_assert_cmpuint (length, >, 0);
  *sent = (Sent){ .first = (guint64)offset / BLOCK,
                  .n = (guint)(length / BLOCK),
                  .priority = priority,
                  .func = func,
                  .data = data };
  if (length % BLOCK != 0)
    {
      /* The bytes that a file is known by. */
      g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);

      g_assert_cmpint (offset, ==, 0);
      g_assert_cmpuint (length, ==, MIN (4096, world.size));
      world.is_looked = TRUE;
      g_ptr_array_add (blocks, make_bytes (0, length));
      func (blocks, NULL, data);
      g_free (sent);
      return;
    }
  g_assert_cmpuint (sent->n, <=, 8);
  g_assert_cmpuint (sent->first + sent->n, <=, count_blocks ());
  if (priority == TSR_READ_NOW && world.impatient == NULL)
    {
      for (guint i = 0; i < sent->n; i++)
        {
          guint64 number = sent->first + i;

          g_array_append_val (world.asked, number);
        }
      world.n_now++;
      world.n_faults -= answer != ANSWER_WELL;
      give (sent, answer);
      return;
    }
  g_mutex_lock (&world.lock);
  g_queue_push_tail (&world.waiting, sent);
  g_cond_broadcast (&world.cond);
  g_mutex_unlock (&world.lock);
  if (priority == TSR_READ_NOW)
    g_cancellable_cancel (world.impatient);
}

/* Answers the @nth of what nobody waits for. */
static void
release (guint nth, Answer answer)
{
  Sent *sent;

  g_mutex_lock (&world.lock);
  sent = g_queue_pop_nth (&world.waiting, nth);
  g_mutex_unlock (&world.lock);
  give (sent, answer);
}

/* ------------------------------------------------------------------------ set-up */

typedef struct
{
  char *folder;
  TsrBlockCache *cache;
  TsrRemoteState *state;
  TsrSource *source;
} Fixture;

static void
open_source (Fixture *self)
{
  g_autoptr (GObject) connection = g_object_new (G_TYPE_OBJECT, NULL);

  g_array_set_size (world.asked, 0);
  world.n_now = 0;
  self->source = tsr_remote_source_new ((TsrConnection *)(gpointer)connection, self->cache,
                                        self->state, "host", "/a/profile.pop", "a/profile.pop",
                                        "ssh://host/a/profile.pop", &world.stamp);
}

static void
set_up (Fixture *self, guint64 size, guint64 limit)
{
  world.asked = g_array_new (FALSE, FALSE, sizeof (guint64));
  world.now = 1;
  world.version = 0;
  world.size = size;
  world.n_faults = 0;
  world.stamp = (TsrSourceStamp){ .size = (gint64)size, .mtime_us = 1700000000000000 };
  self->folder = tsr_test_folder_new ();
  self->cache = tsr_block_cache_new (self->folder, limit);
  self->state = g_atomic_rc_box_new0 (TsrRemoteState);
  open_source (self);
}

static void
tear_down (Fixture *self)
{
  while (world.waiting.length > 0)
    release (0, ANSWER_WELL);
  g_clear_object (&self->source);
  tsr_remote_source_flush ();
  tsr_block_cache_unref (self->cache);
  g_atomic_rc_box_release (self->state);
  tsr_test_folder_free (self->folder);
  g_clear_pointer (&world.asked, g_array_unref);
  g_clear_error (&world.stat_error);
}

static void
check_bytes (const guint8 *bytes, guint64 offset, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (bytes[i] != byte_at (offset + i))
      g_error ("another byte at %" G_GUINT64_FORMAT, offset + i);
}

static gboolean
read_some (Fixture *self, guint64 offset, gsize length, GError **error)
{
  g_autofree guint8 *bytes = g_malloc (length);
  gssize got = tsr_source_read (self->source, (gint64)offset, bytes, length, NULL, error);

  if (got < 0)
    return FALSE;
  g_assert_cmpint (got, ==, offset < world.size ? MIN (length, world.size - offset) : 0);
  check_bytes (bytes, offset, (gsize)got);
  return TRUE;
}

static void
read_well (Fixture *self, guint64 offset, gsize length)
{
  g_autoptr (GError) error = NULL;

  read_some (self, offset, length, &error);
  g_assert_no_error (error);
}

/* -------------------------------------------------------------------------- walk */

typedef enum
{
  BLOCK_MISSING,
  BLOCK_HERE,
  BLOCK_UNDER_WAY, /* nobody waits for it */
} State;

/* The naive list. */
typedef struct
{
  Fixture *fixture;
  GRand *random;
  guint64 n;
  guint8 *states;   /* State */
  guint8 *streamed; /* asked for by a reader, or ahead of one */
  GQueue used;      /* numbers of blocks in memory; the one used last at the head */
  TsrReadAhead ahead;
  guint n_ahead;
  GArray *expected;
  guint n_expected; /* requests of those */
} Walk;

static void
forget (Walk *self, guint64 number)
{
  self->states[number] = BLOCK_MISSING;
  self->streamed[number] = FALSE;
}

static void
use (Walk *self, guint64 number)
{
  gpointer key = GSIZE_TO_POINTER (number);

  g_queue_remove (&self->used, key);
  g_queue_push_head (&self->used, key);
  self->states[number] = BLOCK_HERE;
  /* What comes back from the cache tells of no stream. */
  while (self->used.length > MEMORY)
    self->streamed[GPOINTER_TO_SIZE (g_queue_pop_tail (&self->used))] = FALSE;
}

/* Takes the @nth of what is under way. */
static void
take_nth (Walk *self, guint nth, Answer answer)
{
  const Sent *sent = g_queue_peek_nth (&world.waiting, nth);
  const guint64 first = sent->first;
  const guint n = sent->n;

  g_assert_cmpint (sent->priority, ==, TSR_READ_AHEAD);
  release (nth, answer);
  self->n_ahead -= n;
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (self->states[first + i], ==, BLOCK_UNDER_WAY);
      if (answer == ANSWER_WELL)
        use (self, first + i);
      else
        forget (self, first + i);
    }
}

/* All that is missing of some ranges is asked for together, in requests of up to eight blocks that
 * follow; and what made room for the rest of them once more, when its turn comes. */
static void
expect_wave (Walk *self, guint64 from, guint64 to)
{
  for (guint64 i = from; i < to; i++)
    if (self->states[i] == BLOCK_MISSING)
      {
        self->states[i] = BLOCK_HERE;
        g_array_append_val (self->expected, i);
      }
}

/* The first @n_failing requests come to nothing. */
static void
take_wave (Walk *self, gboolean is_stream, guint n_failing)
{
  const guint64 *all = (const guint64 *)(gconstpointer)self->expected->data;
  guint n = 0;

  for (guint i = 0; i < self->expected->len; i++)
    {
      n = i > 0 && n < 8 && all[i] == all[i - 1] + 1 ? n + 1 : 1;
      self->n_expected += n == 1;
      if (self->n_expected <= n_failing)
        {
          forget (self, all[i]);
          continue;
        }
      self->streamed[all[i]] = is_stream;
      use (self, all[i]);
    }
}

static void
expect_one (Walk *self, guint64 number, gboolean is_stream)
{
  if (self->states[number] == BLOCK_MISSING)
    {
      g_array_append_val (self->expected, number);
      self->n_expected++;
      self->streamed[number] = is_stream;
    }
  use (self, number);
}

static void
check_now (Walk *self)
{
  g_assert_cmpmem (world.asked->data, world.asked->len * sizeof (guint64), self->expected->data,
                   self->expected->len * sizeof (guint64));
  g_assert_cmpuint (world.n_now, ==, self->n_expected);
  g_array_set_size (self->expected, 0);
  g_array_set_size (world.asked, 0);
  world.n_now = self->n_expected = 0;
}

/* Nothing that is needed may be under way, for nobody else would let it come. */
static void
settle (Walk *self, guint64 from, guint64 to)
{
  for (guint i = world.waiting.length; i-- > 0;)
    {
      const Sent *sent = g_queue_peek_nth (&world.waiting, i);

      if (sent->first < to && from < sent->first + sent->n)
        take_nth (self, i, ANSWER_WELL);
    }
}

/* Blocks ahead of a stream or of an announcement: @numbers, some for each of what was read; in
 * requests of up to eight that follow, behind what was under way. */
typedef struct
{
  guint64 number;
  guint64 of;
} Ahead;

static void
check_ahead (Walk *self, guint n_before, const GArray *ahead)
{
  const Ahead *all = (const Ahead *)(gconstpointer)ahead->data;
  guint at = 0;

  for (guint i = n_before; i < world.waiting.length; i++)
    {
      const Sent *sent = g_queue_peek_nth (&world.waiting, i);

      g_assert_cmpint (sent->priority, ==, TSR_READ_AHEAD);
      g_assert_cmpuint (at + sent->n, <=, ahead->len);
      for (guint k = 0; k < sent->n; k++)
        {
          g_assert_cmpuint (all[at + k].number, ==, sent->first + k);
          g_assert_cmpuint (all[at + k].of, ==, all[at].of);
        }
      at += sent->n;
      if (at < ahead->len && sent->n < 8 && all[at].of == all[at - 1].of)
        g_assert_cmpuint (all[at].number, !=, all[at - 1].number + 1);
    }
  g_assert_cmpuint (at, ==, ahead->len);
  g_assert_cmpuint (self->n_ahead, <=, AHEAD);
}

static void
expect_ahead (Walk *self, GArray *ahead, guint64 from, guint64 to, guint64 of, gboolean is_stream)
{
  for (guint64 i = from; i < to && self->n_ahead < AHEAD; i++)
    if (self->states[i] == BLOCK_MISSING)
      {
        const Ahead one = { i, of };

        g_array_append_val (ahead, one);
        self->states[i] = BLOCK_UNDER_WAY;
        self->streamed[i] = is_stream;
        self->n_ahead++;
      }
}

/* Whether the next request that somebody waits for comes to nothing. */
static gboolean
plan_fault (Walk *self)
{
  const gint32 drawn = g_rand_int_range (self->random, 0, 2 * N_ANSWERS);

  world.now_answer = drawn < N_ANSWERS ? (Answer)drawn : ANSWER_WELL;
  world.n_faults = world.now_answer != ANSWER_WELL;
  return world.n_faults > 0;
}

/* How much of the file is here, as messages say it. */
static char *
dup_part (Walk *self)
{
  g_autofree char *all = tsr_units_dup_bytes (TSR_UNITS_BINARY, (gint64)world.size);
  g_autofree char *some = NULL;
  guint64 bytes = 0;

  for (guint64 i = 0; i < self->n; i++)
    bytes += self->states[i] == BLOCK_HERE ? length_of (i) : 0;
  some = tsr_units_dup_bytes (TSR_UNITS_BINARY, (gint64)bytes);
  return g_strdup_printf ("partly on this machine (%s of %s)", some, all);
}

/* One block that does not come is an error at once; it may come later. */
static void
walk_failure (Walk *self, guint64 number)
{
  static const struct
  {
    GQuark (*domain) (void);
    int code;
    const char *text;
  } errors[N_ANSWERS] = {
    [ANSWER_AWAY] = { tsr_remote_error_quark, TSR_REMOTE_ERROR_NETWORK, "the line is down" },
    [ANSWER_NO] = { tsr_remote_error_quark, TSR_REMOTE_ERROR_PERMISSION, "no" },
    [ANSWER_SHORT] = { tsr_error_quark, TSR_ERROR_CHANGED, "became shorter" },
    [ANSWER_LESS] = { tsr_error_quark, TSR_ERROR_CHANGED, "became shorter" },
  };
  const gboolean is_away = world.now_answer == ANSWER_AWAY;
  const int n_missed = self->fixture->state->n_missed;
  g_autofree char *some = dup_part (self);
  g_autoptr (GError) error = NULL;

  g_assert_false (read_some (self->fixture, number * BLOCK + 5, 7, &error));
  g_assert_error (error, errors[world.now_answer].domain (), errors[world.now_answer].code);
  g_assert_nonnull (strstr (error->message, errors[world.now_answer].text));
  g_assert_true (!is_away || strstr (error->message, some) != NULL);
  g_assert_cmpint (self->fixture->state->n_missed, ==, n_missed + is_away);
  g_assert_true (!is_away || self->fixture->state->is_offline);
  g_array_append_val (self->expected, number);
  self->n_expected = 1;
  check_now (self);
}

static void
walk_read (Walk *self)
{
  guint64 from = g_rand_int_range (self->random, 0, (gint32)self->n);
  guint64 to = from + (guint64)g_rand_int_range (self->random, 1, 30);
  gboolean is_page = g_rand_int_range (self->random, 0, 3) > 0;
  g_autoptr (GArray) ahead = g_array_new (FALSE, FALSE, sizeof (Ahead));
  guint n_before;

  if (is_page && self->ahead.clock > 0)
    from = self->ahead.streams[g_rand_int_range (self->random, 0, 4)].next;
  from = MIN (from, self->n - 1);
  to = is_page ? from + 1 : MIN (to, self->n);
  settle (self, from, to);
  n_before = world.waiting.length;
  if (is_page && self->states[from] == BLOCK_MISSING && plan_fault (self))
    {
      walk_failure (self, from);
      return;
    }
  expect_wave (self, from, to);
  take_wave (self, TRUE, 0);
  for (guint64 i = from; i < to; i++)
    {
      guint64 first = 0;
      guint n;

      expect_one (self, i, TRUE);
      n = tsr_read_ahead_note (&self->ahead, i, self->streamed[i], &first);
      if (n > 0 && self->n_ahead + n > AHEAD)
        tsr_read_ahead_refuse (&self->ahead, first);
      else
        expect_ahead (self, ahead, first, MIN (first + n, self->n), i, TRUE);
    }
  read_well (self->fixture, from * BLOCK + 5, (gsize)((to - from - 1) * BLOCK + 7));
  if (world.n_now > 0)
    g_assert_false (self->fixture->state->is_offline);
  check_now (self);
  check_ahead (self, n_before, ahead);
}

static void
walk_ranges (Walk *self)
{
  TsrSourceRange ranges[5];
  guint8 *all = g_malloc (5 * 4 * BLOCK);
  guint n = (guint)g_rand_int_range (self->random, 1, 6);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      guint64 from = g_rand_int_range (self->random, 0, (gint32)self->n);
      guint64 to = from + (guint64)g_rand_int_range (self->random, 1, 5);

      to = MIN (to, self->n);
      ranges[i] = (TsrSourceRange){ .offset = (gint64)(from * BLOCK),
                                    .length = (gsize)((to - from) * BLOCK),
                                    .bytes = all + i * 4 * BLOCK };
      settle (self, from, to);
    }
  for (guint i = 0; i < n; i++)
    {
      guint64 from = (guint64)ranges[i].offset / BLOCK;

      expect_wave (self, from, from + ranges[i].length / BLOCK);
    }
  /* What failed together is asked for one by one. */
  take_wave (self, FALSE, plan_fault (self));
  for (guint i = 0; i < n; i++)
    for (guint64 k = 0; k < ranges[i].length / BLOCK; k++)
      expect_one (self, (guint64)ranges[i].offset / BLOCK + k, FALSE);
  tsr_source_read_ranges (self->fixture->source, ranges, n, NULL, &error);
  g_assert_no_error (error);
  world.n_faults = 0;
  check_now (self);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (ranges[i].got, ==,
                        MIN (ranges[i].length, world.size - (guint64)ranges[i].offset));
      check_bytes (ranges[i].bytes, (guint64)ranges[i].offset, ranges[i].got);
    }
  g_free (all);
}

static void
walk_prefetch (Walk *self)
{
  guint64 from = g_rand_int_range (self->random, 0, (gint32)self->n);
  /* From a block's first byte, to a block's last one, or neither. */
  const guint64 skip = 9 * (guint64)g_rand_boolean (self->random);
  guint64 length = g_rand_boolean (self->random)
                       ? (guint64)g_rand_int_range (self->random, 1, 30) * BLOCK - skip
                       : (guint64)g_rand_int_range (self->random, 1, 700) * 11111;
  const TsrSourceRange range = { .offset = (gint64)(from * BLOCK + skip), .length = (gsize)length };
  g_autoptr (GArray) ahead = g_array_new (FALSE, FALSE, sizeof (Ahead));
  const guint n_before = world.waiting.length;

  tsr_source_prefetch (self->fixture->source, &range, 1);
  expect_ahead (self, ahead, from,
                MIN ((from * BLOCK + skip + length + BLOCK - 1) / BLOCK, self->n), 0, FALSE);
  check_ahead (self, n_before, ahead);
}

/* What is in the cache, to the byte. */
static void
check_cached (Walk *self)
{
  g_autoptr (TsrCachedFile) cached
      = tsr_block_cache_open (self->fixture->cache, "host", "/a/profile.pop", &world.stamp);
  guint64 bytes = 0, n = 0;

  for (guint64 i = 0; i < self->n; i++)
    {
      g_assert_true (tsr_cached_file_has (cached, i) == (self->states[i] == BLOCK_HERE));
      n += self->states[i] == BLOCK_HERE;
      bytes += self->states[i] == BLOCK_HERE ? length_of (i) : 0;
    }
  g_assert_cmpint (tsr_cached_file_count_bytes (cached), ==, bytes);
  g_assert_cmpuint (tsr_cached_file_count (cached), ==, n);
}

static void
walk_source (guint seed, guint64 n, gboolean on_disk)
{
  Fixture f = { 0 };
  Walk self = { .fixture = &f, .n = n };

  set_up (&f, n * BLOCK - 77, on_disk ? G_MAXINT64 : 0);
  self.random = g_rand_new_with_seed (seed);
  self.states = g_new0 (guint8, n);
  self.streamed = g_new0 (guint8, n);
  self.expected = g_array_new (FALSE, FALSE, sizeof (guint64));
  /* The first four of a file of which nothing is here. */
  expect_wave (&self, 0, 4);
  take_wave (&self, FALSE, 0);
  check_now (&self);
  for (guint i = 0; i < 300; i++)
    {
      switch (g_rand_int_range (self.random, 0, 8))
        {
        case 0:
          walk_ranges (&self);
          break;
        case 1:
          walk_prefetch (&self);
          break;
        case 2:
          for (guint k = 0; k < 20 && world.waiting.length > 0; k++)
            take_nth (&self, (guint)g_rand_int_range (self.random, 0, (gint32)world.waiting.length),
                      (Answer)g_rand_int_range (self.random, 0, k < 15 ? 1 : N_ANSWERS));
          break;
        default:
          walk_read (&self);
          break;
        }
      tsr_remote_source_flush ();
    }
  g_test_message ("%u blocks of %u in memory", self.used.length, (guint)n);
  /* What is under way has been counted down again. */
  while (world.waiting.length > 0)
    take_nth (&self, 0, ANSWER_AWAY);
  g_assert_cmpuint (self.n_ahead, ==, 0);
  check_cached (&self);
  for (guint i = 0; i < 3; i++)
    walk_prefetch (&self);
  tear_down (&f);
  g_queue_clear (&self.used);
  g_array_unref (self.expected);
  g_free (self.streamed);
  g_free (self.states);
  g_rand_free (self.random);
}

static void
test_walk (gconstpointer on_disk)
{
  for (guint seed = 0; seed < 4; seed++)
    walk_source (seed, seed % 2 == 0 ? 1500 : 300, on_disk != NULL);
}

/* -------------------------------------------------------------------------- copy */

typedef struct
{
  TsrSource *source;
  TsrProgress *progress;
  GThread *thread;
  gboolean is_over; /* with the world's lock */
  GError *error;
} Copy;

static gpointer
run_copy (gpointer data)
{
  Copy *self = data;
  gboolean ok;

  is_copying = TRUE;
  ok = tsr_remote_source_fetch (TSR_REMOTE_SOURCE (self->source), self->progress, NULL,
                                &self->error);

  g_assert_true (ok == (self->error == NULL));
  g_mutex_lock (&world.lock);
  self->is_over = TRUE;
  g_cond_broadcast (&world.cond);
  g_mutex_unlock (&world.lock);
  return NULL;
}

static void
copy_start (Copy *self, Fixture *fixture)
{
  *self = (Copy){ .source = fixture->source, .progress = tsr_progress_new () };
  tsr_progress_set_total (self->progress, world.size);
  read_well (fixture, 0, 1); /* what comes is believed, and saved */
  tsr_remote_source_flush ();
  world.n_asked_time = 0;
  self->thread = g_thread_new ("copy", run_copy, self);
}

static void
copy_end (Copy *self)
{
  g_thread_join (self->thread);
  g_assert_no_error (self->error);
  g_assert_cmpfloat (tsr_progress_get_fraction (self->progress), ==, 1);
  tsr_progress_free (self->progress);
}

/* Until the clock was looked at @n times, which is done for what is sent and for what has come. */
static void
wait_for_clock (guint n)
{
  g_mutex_lock (&world.lock);
  while (world.n_asked_time < n)
    g_cond_wait (&world.cond, &world.lock);
  g_assert_cmpuint (world.n_asked_time, ==, n);
  g_mutex_unlock (&world.lock);
}

static void
wait_for_requests (guint n)
{
  g_mutex_lock (&world.lock);
  while (world.waiting.length < n)
    g_cond_wait (&world.cond, &world.lock);
  g_mutex_unlock (&world.lock);
}

/* Blocks under way at a time: 96, and more, up to 256, as long as they come quickly. */
static void
test_copy (gconstpointer seed)
{
  const guint n = 1300;
  Fixture f = { 0 };
  Copy copy;
  g_autoptr (GRand) random = g_rand_new_with_seed (GPOINTER_TO_UINT (seed));
  g_autoptr (GArray) sent = g_array_new (FALSE, FALSE, sizeof (gint64)); /* each that waits */
  guint cursor = 4, under_way = 0, most = 96, n_looks = 0, largest = 0;

  set_up (&f, n * BLOCK - 3, G_MAXINT64);
  copy_start (&copy, &f);
  do
    {
      static const gint64 delays[] = { 0, 1, 149999, 150000, 150001, 400000 };
      guint planned = under_way + 8 <= most ? MIN (most - under_way, n - cursor) : 0;
      const Sent *one;

      for (guint at = cursor; at < cursor + planned; at += 8)
        {
          g_array_append_val (sent, world.now);
          n_looks++;
        }
      wait_for_clock (n_looks);
      wait_for_requests (sent->len);
      g_assert_cmpuint (world.waiting.length, ==, sent->len);
      for (guint i = 0, at = cursor; at < cursor + planned; i++, at += 8)
        {
          one = g_queue_peek_nth (&world.waiting, sent->len - (planned + 7) / 8 + i);
          g_assert_cmpint (one->priority, ==, TSR_READ_BACKGROUND);
          g_assert_cmpuint (one->first, ==, at);
          g_assert_cmpuint (one->n, ==, MIN (8, cursor + planned - at));
        }
      cursor += planned;
      under_way += planned;
      largest = MAX (largest, under_way);
      if (g_rand_int_range (random, 0, 1 + GPOINTER_TO_INT (seed) * 10) == 0)
        world.now += delays[g_rand_int_range (random, 0, G_N_ELEMENTS (delays))];
      one = g_queue_peek_head (&world.waiting);
      under_way -= one->n;
      if (world.now - g_array_index (sent, gint64, 0) < 150000)
        most = MIN (most + one->n, 256);
      else
        most = MAX (most - one->n, 96);
      g_array_remove_index (sent, 0);
      n_looks++;
      release (0, ANSWER_WELL);
    }
  while (cursor < n || under_way > 0);
  copy_end (&copy);
  g_test_message ("up to %u blocks", largest);
  g_assert_cmpuint (world.asked->len, ==, 4);
  tear_down (&f);
}

/* What others had under way is waited for, and fetched if it did not come. */
static void
test_copy_beside (gconstpointer answer)
{
  const TsrSourceRange range = { .offset = 50 * BLOCK, .length = 1 };
  const guint n_more = GPOINTER_TO_UINT (answer) != ANSWER_WELL;
  Fixture f = { 0 };
  Copy copy;

  set_up (&f, 100 * BLOCK, G_MAXINT64);
  /* What is here is not known to be of this file before somebody reads. */
  tsr_source_prefetch (f.source, &range, 1);
  g_assert_cmpuint (world.waiting.length, ==, 0);
  read_well (&f, 0, 1);
  tsr_source_prefetch (f.source, &range, 1);
  g_assert_cmpuint (world.waiting.length, ==, 1);
  copy_start (&copy, &f);
  wait_for_requests (1 + 13);
  while (world.waiting.length > 1)
    release (1, ANSWER_WELL);
  g_usleep (30000);
  g_assert_cmpuint (world.waiting.length, ==, 1);
  g_mutex_lock (&world.lock);
  g_assert_false (copy.is_over);
  g_mutex_unlock (&world.lock);
  release (0, GPOINTER_TO_UINT (answer));
  wait_for_requests (n_more);
  g_assert_cmpuint (world.waiting.length, ==, n_more);
  if (n_more > 0)
    {
      const Sent *one = g_queue_peek_head (&world.waiting);

      g_assert_cmpuint (one->first, ==, 50);
      g_assert_cmpuint (one->n, ==, 1);
      g_assert_cmpint (one->priority, ==, TSR_READ_BACKGROUND);
      release (0, ANSWER_WELL);
    }
  copy_end (&copy);
  tear_down (&f);
}

static gpointer
release_later (gpointer data)
{
  g_usleep (30000);
  release (0, ANSWER_WELL);
  return NULL;
}

/* Who needs what a copy has under way waits for a while, and then asks for it himself. */
static void
test_late (void)
{
  Fixture f = { 0 };
  Copy copy;
  GThread *thread;

  set_up (&f, 60 * BLOCK, G_MAXINT64);
  copy_start (&copy, &f);
  wait_for_requests (7);
  g_array_set_size (world.asked, 0);
  read_well (&f, 21 * BLOCK, 5);
  g_assert_cmpuint (world.asked->len, ==, 1);
  g_assert_cmpuint (g_array_index (world.asked, guint64, 0), ==, 21);
  read_well (&f, 21 * BLOCK, 5);
  g_assert_cmpuint (world.asked->len, ==, 1);
  world.now = g_get_real_time (); /* long after any time since the machine was started */
  thread = g_thread_new ("release", release_later, NULL);
  read_well (&f, 4 * BLOCK, 5);
  g_thread_join (thread);
  g_assert_cmpuint (world.asked->len, ==, 1);
  while (world.waiting.length > 0)
    release (0, ANSWER_WELL);
  copy_end (&copy);
  tear_down (&f);
}

/* ------------------------------------------------------------------------- looks */

/* Without a network a file is what it was, unless something came since it was last looked at. */
static void
test_news (void)
{
  for (guint blocks = 1; blocks < 4; blocks++)
    {
      Fixture f = { 0 };
      g_autoptr (GError) error = NULL;

      set_up (&f, blocks * BLOCK, G_MAXINT64);
      read_well (&f, 0, blocks * BLOCK);
      tsr_remote_source_flush ();
      g_assert_true (tsr_source_check_unchanged (f.source, NULL, &error));
      world.stat_error
          = g_error_new_literal (TSR_REMOTE_ERROR, TSR_REMOTE_ERROR_NETWORK, "the line is down");
      g_assert_true (tsr_source_check_unchanged (f.source, NULL, &error));
      /* Again: the first block, which says what is in the cache, is nothing new. */
      g_object_unref (f.source);
      open_source (&f);
      g_assert_cmpuint (world.asked->len, ==, 1);
      g_assert_true (tsr_source_check_unchanged (f.source, NULL, &error));
      g_assert_no_error (error);
      read_well (&f, 0, blocks * BLOCK);
      g_assert_cmpuint (world.asked->len, ==, 1);
      g_assert_true (tsr_source_check_unchanged (f.source, NULL, &error));
      /* Nothing of it is here: all that comes is. */
      g_object_unref (f.source);
      tsr_remote_source_flush ();
      tsr_block_cache_clear (f.cache);
      open_source (&f);
      g_assert_cmpuint (world.asked->len, ==, blocks);
      g_assert_true (tsr_source_check_unchanged (f.source, NULL, &error) == (blocks == 1));
      g_clear_error (&error);
      tear_down (&f);
    }
}

/* Offline, blocks of the cache are given; the first block of another state, which came although its
 * reader did not wait for it, is not given among them. */
static void
test_impatient (void)
{
  g_autoptr (GError) error = NULL;
  guint8 byte;
  Fixture f = { 0 };

  set_up (&f, 8 * BLOCK, G_MAXINT64);
  read_well (&f, 0, BLOCK);
  g_object_unref (f.source);
  tsr_remote_source_flush ();
  world.now_answer = ANSWER_AWAY;
  world.n_faults = 100;
  open_source (&f);
  read_well (&f, 0, 2 * BLOCK);
  world.n_faults = 0;
  world.version = 1;
  world.impatient = g_cancellable_new ();
  g_assert_cmpint (tsr_source_read (f.source, 6 * BLOCK, &byte, 1, world.impatient, &error), ==,
                   -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_clear_object (&world.impatient);
  g_assert_cmpuint (world.waiting.length, ==, 1);
  release (0, ANSWER_WELL);
  g_assert_cmpint (tsr_source_read (f.source, 0, &byte, 1, NULL, &error), ==, -1);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
  tear_down (&f);
}

/* Streams one by one, as tsr-read-ahead.h tells of them. */
typedef struct
{
  guint64 next, end, run, window, clock;
} Stream;

static void
test_streams (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  TsrReadAhead ahead = { 0 };
  Stream streams[TSR_READ_STREAMS] = { 0 };
  GQueue ends = G_QUEUE_INIT; /* known ones, the newest at the tail */
  guint64 clock = 0;
  guint n_wanted = 0, n_cut = 0;

  for (guint i = 0; i < 200000; i++)
    {
      const guint which = (guint)g_rand_int_range (random, 0, TSR_READ_STREAMS);
      const gboolean fetched = g_rand_int_range (random, 0, 20) > 0;
      guint64 block = streams[which].next, first = 99, until;
      Stream *stream = NULL, *oldest = &streams[0];
      guint n, wanted = 0;

      if (g_rand_int_range (random, 0, 30) == 0)
        block = (guint64)g_rand_int_range (random, 0, 5000);
      else if (g_rand_int_range (random, 0, 10) == 0)
        block += (guint64)g_rand_int_range (random, 0, 7) - MIN (block, 1);
      if (g_rand_int_range (random, 0, 400) == 0)
        {
          const guint64 end = block + (guint64)g_rand_int_range (random, 1, 200);
          gpointer key = GSIZE_TO_POINTER (end);

          tsr_read_ahead_add_end (&ahead, end);
          if (g_queue_find (&ends, key) == NULL)
            g_queue_push_tail (&ends, key);
          if (ends.length > TSR_READ_ENDS)
            g_queue_pop_head (&ends);
        }
      /* The one that goes on here, with a gap of up to four; else that of which most time ago was
       * read. */
      for (guint k = 0; k < TSR_READ_STREAMS && stream == NULL; k++)
        {
          if (streams[k].clock > 0 && block + 1 >= streams[k].next && block <= streams[k].next + 4)
            stream = &streams[k];
          if (streams[k].clock < oldest->clock)
            oldest = &streams[k];
        }
      if (stream == NULL)
        {
          stream = oldest;
          *stream = (Stream){ .next = block };
        }
      stream->clock = ++clock;
      if (block + 1 != stream->next)
        {
          stream->next = block + 1;
          stream->end = MAX (stream->end, stream->next);
          stream->run += fetched;
          if (fetched && stream->run >= 2)
            {
              const guint64 before = stream->end - stream->next;
              gboolean asks = TRUE;

              /* Four blocks, then twice as many each time, up to 128. */
              if (stream->window == 0)
                stream->window = 4;
              else if (before > stream->window / 2 && (stream->window < 128 || before > 96))
                asks = FALSE;
              else if (stream->run >= stream->window)
                stream->window = MIN (stream->window * 2, 128);
              until = stream->next + stream->window;
              for (GList *l = ends.head; l != NULL; l = l->next)
                if (GPOINTER_TO_SIZE (l->data) >= stream->next)
                  until = MIN (until, GPOINTER_TO_SIZE (l->data));
              if (asks && until > stream->end)
                {
                  wanted = (guint)(until - stream->end);
                  stream->end = until;
                }
            }
        }
      n = tsr_read_ahead_note (&ahead, block, fetched, &first);
      g_assert_cmpuint (n, ==, wanted);
      n_wanted += n > 0;
      n_cut += n > 0 && g_queue_find (&ends, GSIZE_TO_POINTER (stream->end)) != NULL;
      if (n > 0)
        g_assert_cmpuint (first, ==, stream->end - n);
      if (n > 0 && g_rand_int_range (random, 0, 10) == 0)
        {
          tsr_read_ahead_refuse (&ahead, first);
          stream->end = first;
        }
    }
  g_queue_clear (&ends);
  g_test_message ("%u times, %u of them up to an end", n_wanted, n_cut);
  g_assert_cmpuint (n_wanted, >, 3000);
  g_assert_cmpuint (n_cut, >, 20);
}

/* A file of any size is looked at by its attributes and its first bytes, if it has some. */
static void
test_sizes (void)
{
  static const guint64 sizes[]
      = { 0, 1, 4095, 4096, 4097, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 1 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Fixture f = { 0 };
      g_autoptr (GError) error = NULL;

      set_up (&f, sizes[i], G_MAXINT64);
      g_assert_cmpuint (world.asked->len, ==, MIN ((sizes[i] + BLOCK - 1) / BLOCK, 4));
      read_well (&f, 0, 6 * BLOCK);
      world.is_looked = FALSE;
      g_assert_true (tsr_source_check_unchanged (f.source, NULL, &error));
      g_assert_no_error (error);
      g_assert_true (world.is_looked == (sizes[i] > 0));
      if (sizes[i] > 0)
        {
          Copy copy;

          copy_start (&copy, &f);
          copy_end (&copy);
          world.version = 1;
          g_assert_false (tsr_source_check_unchanged (f.source, NULL, &error));
          g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
        }
      tear_down (&f);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/blocks/walk/memory", NULL, test_walk);
  g_test_add_data_func ("/blocks/walk/disk", GINT_TO_POINTER (TRUE), test_walk);
  for (guint seed = 0; seed < 4; seed++)
    {
      g_autofree char *name = g_strdup_printf ("/blocks/copy/%u", seed);

      g_test_add_data_func (name, GUINT_TO_POINTER (seed), test_copy);
    }
  g_test_add_data_func ("/blocks/copy/beside", GUINT_TO_POINTER (ANSWER_WELL), test_copy_beside);
  g_test_add_data_func ("/blocks/copy/beside-in-vain", GUINT_TO_POINTER (ANSWER_NO),
                        test_copy_beside);
  g_test_add_func ("/blocks/late", test_late);
  g_test_add_func ("/blocks/sizes", test_sizes);
  g_test_add_func ("/blocks/news", test_news);
  g_test_add_func ("/blocks/impatient", test_impatient);
  g_test_add_func ("/blocks/streams", test_streams);
  return g_test_run ();
}
