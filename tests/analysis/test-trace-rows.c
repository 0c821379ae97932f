/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of a trace: items by time, the longest of a range, the flame, search; against loops. */

#include "config.h"

#include "trace-test.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ the longest */

static gsize
longest_naively (
    const TsrTrace *trace, const TsrTraceRow *row, gsize first, gsize end, guint32 hidden)
{
  gsize best = G_MAXSIZE;
  gint64 most = -1;

  for (gsize i = first; i < MIN (end, row->n); i++)
    {
      gint64 length = tsr_trace_row_end (row, i) - tsr_trace_row_start (row, i);
      guint32 last = tsr_trace_row_last_slice (row, i);
      gboolean visible = FALSE;

      /* All slices between the first and the last one of the same lane. */
      for (guint32 slice = tsr_trace_row_first_slice (row, i); slice <= last && !visible; slice++)
        {
          TsrTraceSlice what;

          if (hidden == 0)
            visible = TRUE;
          else if (!((hidden >> tsr_trace_get_slice_type (trace, slice)) & 1))
            {
              tsr_trace_get_slice (trace, slice, &what);
              visible = what.lane == tsr_trace_get_track (trace, row->track)->lane;
            }
        }
      if (visible && length > most)
        {
          most = length;
          best = i;
        }
    }
  return best;
}

static void
check_row (const TsrTrace *trace, const TsrTraceRow *row, GRand *random)
{
  for (guint i = 0; i < 60; i++)
    {
      gsize first = (gsize)g_rand_int_range (random, 0, (gint)row->n + 1);
      gsize length = (gsize)g_rand_int_range (random, 0, 100);
      gsize end = i % 2 == 0 ? (gsize)g_rand_int_range (random, (gint)first, (gint)row->n + 1)
                             : MIN (first + length, row->n);
      guint32 hidden = i % 3 == 0 ? g_rand_int (random) : 0;
      gint64 at = tsr_trace_row_start (row, MIN (first, row->n - 1))
                  + g_rand_int_range (random, -100, 100);
      gsize found = tsr_trace_row_find (row, at, i % 5 == 0 ? G_MAXSIZE : end);
      gsize expected = 0;

      g_assert_cmpuint (tsr_trace_row_longest (trace, row, first, end, hidden), ==,
                        longest_naively (trace, row, first, end, hidden));
      while (expected < row->n && tsr_trace_row_end (row, expected) <= at)
        expected++;
      g_assert_cmpuint (found, ==, expected);
    }
}

static void
test_longest (void)
{
  for (guint seed = 0; seed < 8; seed++)
    {
      g_autoptr (TraceTest) t = trace_test_new_random (seed, 2, 50 + 700 * seed, 9);
      g_autoptr (TsrTrace) trace = trace_test_build (t);
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);

      for (guint track = 0; track < tsr_trace_get_n_tracks (trace); track++)
        for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
          for (guint row = 0; row < tsr_trace_get_n_rows (trace, track, shape); row++)
            check_row (trace, tsr_trace_get_row (trace, track, shape, row), random);
    }
}

/* One spike among a million steps is what a pixel shows at every zoom. */
static void
test_planted (void)
{
  const guint n = 1000003;
  const guint planted = 700001;
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  const TsrTraceRow *row;
  gint64 at = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 d = i == planted ? 1001 : 1 + (gint64)(i * 7919u % 1000);

      trace_test_add_simple (t, "OnTileExecute", i % 2 ? "a/b" : "a/c", 0, at, at + d);
      at += d;
    }
  trace = trace_test_build (t);
  row = tsr_trace_get_row (trace, 0, TSR_TRACE_FLAT, 0);
  g_assert_cmpuint (row->n, ==, n);
  for (gsize pixels = 1; pixels <= n; pixels *= 3)
    {
      gsize pixel = (gsize)((guint64)planted * pixels / n);
      gsize first = (gsize)(((guint64)pixel * n + pixels - 1) / pixels);
      gsize end = (gsize)(((guint64)(pixel + 1) * n + pixels - 1) / pixels);

      g_assert_cmpuint (tsr_trace_row_longest (trace, row, first, end, 0), ==, planted);
    }
  g_assert_cmpuint (tsr_trace_row_longest (trace, row, 5, 5, 0), ==, G_MAXSIZE);
  g_assert_cmpuint (tsr_trace_row_longest (trace, row, 0, n, 1), ==, G_MAXSIZE);
  /* Lengths that do not fit 32 bits, the first of equals. */
  g_assert_cmpuint (tsr_trace_get_size (trace), <, (gsize)16 * n);
}

/* ---------------------------------------------------------------------- columns */

/* Long waits, bursts of the shortest steps, equal lengths, holes; @sloppy: neighbours overlap by a
 * little, as lanes tolerate it where lead-ins are not told. */
static TraceTest *
new_uneven (guint seed, guint n, gboolean sloppy)
{
  static const char *const names[] = { "a/b/c", "a/b/d", "a/e", "f", "f/g/h/i" };
  TraceTest *t = trace_test_new (2);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  gint64 at[2] = { 0, 7 };

  t->tables.from_max_told = !sloppy;
  for (guint i = 0; i < n; i++)
    {
      guint ipu = (guint)g_rand_int_range (random, 0, 2);
      guint what = i / 40 % 5; /* stretches of one sort */
      gint64 d = what == 0   ? 1
                 : what == 1 ? 1000
                 : what == 2 ? g_rand_int_range (random, 1, 100000)
                             : g_rand_int_range (random, 1, 50);

      if (g_rand_int_range (random, 0, 150) == 0)
        d = G_GINT64_CONSTANT (1) << g_rand_int_range (random, 20, 36);
      if (g_rand_int_range (random, 0, 10) == 0)
        at[ipu] += g_rand_int_range (random, 0, 3) == 0 ? G_GINT64_CONSTANT (1) << 33 : 5;
      if (what == 3 && g_rand_int_range (random, 0, 5) == 0)
        d = 0;
      if (sloppy && d > 0 && at[ipu] > 10)
        at[ipu] -= MIN (d / 200, 4);
      trace_test_add_simple (t,
                             i % 3 == 0   ? "OnTileExecute"
                             : i % 3 == 1 ? "Sync"
                                          : "DoExchange",
                             names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))], ipu,
                             at[ipu], at[ipu] + d);
      at[ipu] += d;
    }
  return t;
}

#define N_COLUMNS 90

/* Columns that meet or share a cycle, of one width, of very different ones or at items' edges. */
static void
random_columns (GRand *random, const TsrTraceRow *row, gint64 *from, gint64 *to)
{
  gsize item = (gsize)g_rand_int_range (random, 0, (gint)row->n);
  double per = pow (2, g_rand_double_range (random, 0, 36));
  gboolean even = g_rand_boolean (random);
  gboolean at_items = g_rand_boolean (random);

  from[0] = tsr_trace_row_start (row, item) - g_rand_int_range (random, -5, 3000);
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      to[i] = from[i] + (gint64)ceil (even ? per : pow (per, g_rand_double (random)));
      item += (gsize)g_rand_int_range (random, 0, 4);
      item = MIN (item, row->n - 1);
      if (at_items)
        {
          gint64 edge = tsr_trace_row_start (row, item) + g_rand_int_range (random, -3, 7);

          to[i] = MAX (from[i] + 1, edge);
        }
      from[i + 1] = to[i] - g_rand_int_range (random, 0, 2);
    }
}

static gsize
longest_of_positions (
    const TsrTrace *trace, const TsrTraceRow *row, guint32 first, guint32 end, guint32 hidden)
{
  gsize from = row->n;
  gsize to = 0;

  for (gsize i = 0; i < row->n; i++)
    if ((row->first != NULL ? row->first[i] : i) < end
        && (row->last != NULL ? row->last[i] : i) >= first)
      {
        from = MIN (from, i);
        to = i + 1;
      }
  return from < to ? longest_naively (trace, row, from, to, hidden) : G_MAXSIZE;
}

static void
check_columns (const TsrTrace *trace, guint track, GRand *random)
{
  const TsrTraceRow *flat = tsr_trace_get_row (trace, track, TSR_TRACE_FLAT, 0);
  guint32 hidden = g_rand_int_range (random, 0, 4) == 0 ? 1 : 0;
  gint64 from[N_COLUMNS + 1];
  gint64 to[N_COLUMNS];
  guint32 first[N_COLUMNS];
  guint32 end[N_COLUMNS];
  guint32 best[N_COLUMNS];
  TsrTraceKind kinds[N_COLUMNS];

  random_columns (random, flat, from, to);
  tsr_trace_find_columns (trace, track, N_COLUMNS, from, to, first, end);
  for (guint c = 0; c < N_COLUMNS; c++)
    {
      gsize expected_first = 0;
      gsize expected_end;

      while (expected_first < flat->n && tsr_trace_row_end (flat, expected_first) <= from[c])
        expected_first++;
      for (expected_end = expected_first;
           expected_end < flat->n && tsr_trace_row_start (flat, expected_end) < to[c];)
        expected_end++;
      g_assert_cmpuint (first[c], ==, expected_first);
      g_assert_cmpuint (end[c], ==, expected_end);
      g_assert_cmpuint (tsr_trace_row_find (flat, from[c], first[(7 * c) % N_COLUMNS]), ==,
                        expected_first);
    }
  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    for (guint depth = 0; depth < tsr_trace_get_n_rows (trace, track, shape); depth++)
      {
        const TsrTraceRow *row = tsr_trace_get_row (trace, track, shape, depth);

        tsr_trace_longest_in_columns (trace, row, N_COLUMNS, first, end, hidden, best);
        for (guint c = 0; c < N_COLUMNS; c++)
          {
            g_assert_cmpuint (best[c], ==,
                              (guint32)longest_of_positions (trace, row, first[c], end[c], hidden));
            best[c] = MIN (best[c], (guint32)row->n - 1);
          }
        tsr_trace_get_kinds (trace, row, N_COLUMNS, best, kinds);
        for (guint c = 0; c < N_COLUMNS; c++)
          {
            const TsrTraceKind kind = tsr_trace_get_kind (trace, row, best[c]);

            g_assert_cmpuint (kinds[c].types, ==, kind.types);
            g_assert_cmpuint (kinds[c].type, ==, kind.type);
            g_assert_cmpuint (kinds[c].depth, ==, kind.depth);
          }
      }
}

static void
test_columns (void)
{
  for (guint seed = 0; seed < 24; seed++)
    {
      static const guint sizes[] = { 1, 2, 31, 64, 65, 400, 1500, 2500 };
      guint n = sizes[seed % G_N_ELEMENTS (sizes)];
      g_autoptr (TraceTest) t = seed % 3 == 0 ? trace_test_new_random (seed, 2, n, 9)
                                              : new_uneven (seed, n, seed % 3 == 1);
      g_autoptr (TsrTrace) trace = trace_test_build (t);
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);

      for (guint track = 0; track < tsr_trace_get_n_tracks (trace); track++)
        for (guint i = 0; i < 8; i++)
          check_columns (trace, track, random);
    }
}

/* Some long ones among short ones, mostly long ones, such as overlap by a little; each has ties. On
 * the second IPU; every other has slices that are in no lane. */
static TraceTest *
new_row (guint n, guint sort)
{
  static const gint64 longs[] = { 65535, 65534, G_GINT64_CONSTANT (1) << 33, 65536, 65535 };
  TraceTest *t = trace_test_new (2);
  gint64 at = 100;

  t->tables.from_max_told = sort != 3;
  trace_test_add_simple (t, "DoExchange", NULL, 0, 7, 1000000);
  if (sort % 2 == 1)
    trace_test_add_simple (t, "Sync", NULL, 1, at, at);
  for (guint i = 0; i < n; i++)
    {
      gint64 d = sort == 2   ? (i % 3 == 0 ? 70000 : (gint64)G_MAXUINT32 - 1 + i * 7 % 3)
                 : sort == 3 ? 300 + i % 50
                             : 1 + i * 7 % 5;

      if (sort == 1 && i % 64 == 62)
        d = longs[i / 64 % G_N_ELEMENTS (longs)];
      trace_test_add_simple (t, i % 5 == 2 ? "DoExchange" : "OnTileExecute", NULL, 1, at, at + d);
      at += sort == 3 ? d - i % 4 : d + (i % 11 == 10 ? 3 : 0);
    }
  return t;
}

/* The longest of ranges, with and without a type. */
static void
check_ranges (const TsrTrace *trace, const TsrTraceRow *row, gsize every)
{
  const guint32 hidden = tsr_trace_find_types (trace, "OnTileExecute");

  for (gsize first = 0; first < row->n; first += every)
    {
      gsize best[2] = { G_MAXSIZE, G_MAXSIZE };
      gint64 most[2] = { 0, 0 };

      g_assert_cmpuint (tsr_trace_row_longest (trace, row, first, first, 0), ==, G_MAXSIZE);
      for (gsize i = first; i < row->n; i++)
        {
          const gint64 length = tsr_trace_row_end (row, i) - tsr_trace_row_start (row, i);
          const gboolean seen = (tsr_trace_get_kind (trace, row, i).types & hidden) == 0;

          for (guint k = 0; k < 2; k++)
            if (length > most[k] && (k == 0 || seen))
              {
                most[k] = length;
                best[k] = i;
              }
          g_assert_cmpuint (tsr_trace_row_longest (trace, row, first, i + 1, 0), ==, best[0]);
          g_assert_cmpuint (tsr_trace_row_longest (trace, row, first, i + 1, hidden), ==, best[1]);
        }
    }
}

/* What is at, before and after each edge, whatever the hint. */
static void
check_edges (const TsrTrace *trace, const TsrTraceRow *row, gsize every)
{
  g_autoptr (GArray) from = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree gint64 *to = NULL;
  g_autofree guint32 *first = NULL, *end = NULL;
  gsize ended = 0, started = 0;

  for (gsize i = 0; i < row->n; i++)
    for (gint64 k = 0; k < 6; k++)
      {
        gint64 at = (k < 3 ? tsr_trace_row_start (row, i) : tsr_trace_row_end (row, i) - 3) - 1 + k;

        if (from->len == 0 || at > g_array_index (from, gint64, from->len - 1))
          g_array_append_val (from, at);
      }
  to = g_new (gint64, from->len);
  first = g_new (guint32, from->len);
  end = g_new (guint32, from->len);
  for (guint c = 0; c + 1 < from->len; c++)
    to[c] = g_array_index (from, gint64, c + 1) + c % 3 % 2;
  tsr_trace_find_columns (trace, row->track, from->len - 1, (gint64 *)from->data, to, first, end);
  for (guint c = 0; c + 1 < from->len; c++)
    {
      const gint64 at = g_array_index (from, gint64, c);

      for (; ended < row->n && tsr_trace_row_end (row, ended) <= at; ended++)
        ;
      for (started = ended; started < row->n && tsr_trace_row_start (row, started) < to[c];)
        started++;
      g_assert_cmpuint (first[c], ==, ended);
      g_assert_cmpuint (end[c], ==, started);
      for (gsize hint = 0; hint < row->n + 2; hint += every)
        g_assert_cmpuint (tsr_trace_row_find (row, at, hint), ==, ended);
      g_assert_cmpuint (tsr_trace_row_find (row, at, G_MAXSIZE), ==, ended);
    }
}

/* Rows that end at, before and after the end of a block of whatever size. */
static void
test_every_length (void)
{
  for (guint n = 1; n < 300; n += n < 34 || (n + 1) % 32 < 2 ? 1 : 31 - n % 32)
    for (guint sort = 0; sort < 4; sort++)
      {
        g_autoptr (TraceTest) t = new_row (n, sort);
        g_autoptr (TsrTrace) trace = trace_test_build (t);
        gint64 from, to;

        for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
          {
            const TsrTraceRow *row = tsr_trace_get_row (trace, 1, shape, 0);

            g_assert_cmpuint (row->n, ==, n);
            check_ranges (trace, row, n < 70 ? 1 : 13);
            check_edges (trace, row, n < 70 ? 1 : 31);
          }
        tsr_trace_get_span (trace, &from, &to);
        trace_test_check_sums (trace, 1, from, to, 0);
        for (guint32 step = 0; step < t->tables.n_steps; step++)
          g_assert_cmpuint (tsr_trace_find_slice (trace, step, step > 0), ==, step);
      }
}

static void
test_long_steps (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  gint64 at = 0;

  for (guint i = 0; i < 1000; i++)
    {
      gint64 d = (G_GINT64_CONSTANT (1) << 32) - 3 + g_rand_int_range (random, 0, 6);

      trace_test_add_simple (t, "Sync", NULL, 0, at, at + d);
      at += d;
    }
  trace = trace_test_build (t);
  check_row (trace, tsr_trace_get_row (trace, 0, TSR_TRACE_FLAT, 0), random);
  check_row (trace, tsr_trace_get_row (trace, 0, TSR_TRACE_FLAME, 0), random);
}

/* ---------------------------------------------------------------------- flame */

/* What a slice is in the flame: NULL for a sync that has no place of its own. */
static GStrv
split_naively (const TsrTraceSlice *slice, const TsrTraceType *type)
{
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  g_auto (GStrv) all = g_strsplit (slice->name, "/", -1);
  const char *at = slice->name;
  guint n = 0;

  if (g_str_has_prefix (type->name, "StreamCopy"))
    {
      /* A Begin starts another one, so what is the same is told by the caller. */
      g_strv_builder_add (parts, "StreamCopy");
      g_strv_builder_add (parts, type->name + strlen ("StreamCopy"));
      return g_strv_builder_end (parts);
    }
  for (guint i = 0; all[i] != NULL; at += strlen (all[i++]) + 1)
    if (*all[i] != '\0' && ++n <= TSR_TRACE_MAX_DEPTH)
      g_strv_builder_add (parts, n < TSR_TRACE_MAX_DEPTH ? all[i] : at);
  if (type->group == TSR_STEP_GROUP_SYNC && n <= 1)
    return NULL;
  if (n == 0)
    g_strv_builder_add (parts, "");
  return g_strv_builder_end (parts);
}

typedef struct
{
  TsrTraceSlice slice;
  const TsrTraceType *type;
  GStrv parts; /* NULL: sync */
} Leaf;

static guint
shared_naively (const Leaf *a, const Leaf *b, const TsrTraceSlice *before)
{
  gint64 hole = b->slice.start - before->end;
  guint n = 0;

  if (a->slice.run != b->slice.run)
    return 0;
  if (g_str_has_prefix (a->type->name, "StreamCopy")
      && g_str_has_prefix (b->type->name, "StreamCopy"))
    return strcmp (a->slice.name, b->slice.name) == 0
           && strcmp (a->type->name, "StreamCopyEnd") != 0
           && strcmp (b->type->name, "StreamCopyBegin") != 0
           && hole <= MIN (before->end - before->start, b->slice.end - b->slice.start);
  if (g_str_has_prefix (a->type->name, "StreamCopy")
      || g_str_has_prefix (b->type->name, "StreamCopy") || *a->slice.name == '\0'
      || *b->slice.name == '\0')
    return 0;
  while (a->parts[n] != NULL && b->parts[n] != NULL && strcmp (a->parts[n], b->parts[n]) == 0)
    n++;
  return a->parts[n] == NULL && b->parts[n] == NULL ? n - 1 : n;
}

/* Items of row @depth as text: "first-last label" for each. */
static char *
dump_naively (const Leaf *leaves, guint n, guint depth)
{
  g_autoptr (GString) out = g_string_new ("");
  int before = -1; /* latest leaf that is no sync */
  int first = -1;  /* begin of the item that is open */
  int below = -1;  /* latest leaf that stands below its own name */

  for (guint i = 0; i <= n; i++)
    {
      guint shared;

      if (i < n && leaves[i].parts == NULL)
        continue;
      shared = i < n && before >= 0
                   ? shared_naively (&leaves[before], &leaves[i], &leaves[i - 1].slice)
                   : 0;
      if (first >= 0 && shared <= depth)
        {
          g_string_append_printf (out, "%d-%d %s\n", first, before, leaves[first].parts[depth]);
          first = -1;
        }
      if (depth > 0 && shared == depth && g_strv_length (leaves[before].parts) == depth
          && below != before)
        g_string_append_printf (out, "%d-%d %s\n", before, before, leaves[before].parts[depth - 1]);
      if (shared == depth)
        for (guint sync = (guint)(before + 1); sync < i; sync++)
          g_string_append_printf (out, "%u-%u %s\n", sync, sync,
                                  leaves[sync].slice.name + strspn (leaves[sync].slice.name, "/"));
      if (depth > 0 && shared == depth && i < n && g_strv_length (leaves[i].parts) == depth)
        {
          g_string_append_printf (out, "%u-%u %s\n", i, i, leaves[i].parts[depth - 1]);
          below = (int)i;
        }
      if (i < n && first < 0 && g_strv_length (leaves[i].parts) > depth)
        first = (int)i;
      before = (int)i;
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
check_item (
    const TsrTrace *trace, const Leaf *leaves, guint first, guint last, const TsrTraceItem *item)
{
  gint64 by_type[TSR_TRACE_MAX_TYPES] = { 0 };
  guint most = 0; /* of those that took longest the first */

  for (guint i = first; i <= last; i++)
    by_type[leaves[i].slice.type] += leaves[i].slice.end - leaves[i].slice.start;
  for (guint type = 0; type < TSR_TRACE_MAX_TYPES; type++)
    if (by_type[type] > by_type[most])
      most = type;
  g_assert_cmpuint (item->type, ==, most);
  g_assert_cmpuint (item->n_slices, ==, last - first + 1);
  g_assert_cmpint (item->start, ==, leaves[first].slice.start);
  g_assert_cmpint (item->end, ==, leaves[last].slice.end);
  if (first != last)
    g_assert_true (item->group);
}

static void
check_kind (const Leaf *leaves, guint first, guint last, TsrTraceKind kind)
{
  guint32 types = 0;

  for (guint i = first; i <= last; i++)
    types |= 1u << leaves[i].slice.type;
  g_assert_cmpuint (kind.types, ==, types);
  if (first < last)
    g_assert_cmpuint (kind.depth, ==, 0);
  else
    g_assert_cmpuint (kind.depth, ==,
                      leaves[first].parts != NULL ? g_strv_length (leaves[first].parts) : 1);
}

static char *
dump_row (const TsrTrace *trace, const TsrTraceRow *row, const Leaf *leaves, const guint *of_slice)
{
  g_autoptr (GString) out = g_string_new ("");

  for (gsize i = 0; i < row->n; i++)
    {
      TsrTraceItem item;
      TsrTraceKind kind;
      guint32 item_index;
      guint first, last;

      tsr_trace_get_item (trace, row, i, &item);
      first = of_slice[item.first_slice];
      last = of_slice[item.last_slice];
      g_string_append_printf (out, "%u-%u %.*s\n", first, last,
                              (int)(item.path_length - item.label_from),
                              item.path + item.label_from);
      check_item (trace, leaves, first, last, &item);
      item_index = (guint32)i;
      tsr_trace_get_kinds (trace, row, 1, &item_index, &kind);
      check_kind (leaves, first, last, tsr_trace_get_kind (trace, row, i));
      check_kind (leaves, first, last, kind);
      for (guint k = first; k <= last; k++)
        {
          guint track;
          gsize found;

          g_assert_true (tsr_trace_locate (trace, leaves[k].slice.slice, TSR_TRACE_FLAME,
                                           row->depth, &track, &found));
          g_assert_cmpuint (track, ==, row->track);
          g_assert_cmpuint (found, ==, i);
        }
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
check_flame (const TsrTrace *trace, guint track)
{
  const TsrTraceRow *flat = tsr_trace_get_row (trace, track, TSR_TRACE_FLAT, 0);
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  g_autofree Leaf *leaves = g_new0 (Leaf, flat->n);
  g_autofree guint *of_slice = g_new0 (guint, t->ipu_start[t->n_ipus]);
  guint n_rows = tsr_trace_get_n_rows (trace, track, TSR_TRACE_FLAME);
  g_autofree char *beyond = NULL;

  for (gsize i = 0; i < flat->n; i++)
    {
      guint32 slice = tsr_trace_row_first_slice (flat, i);

      of_slice[slice] = i;
      tsr_trace_get_slice (trace, slice, &leaves[i].slice);
      leaves[i].type = tsr_trace_get_type (trace, leaves[i].slice.type);
      leaves[i].parts = split_naively (&leaves[i].slice, leaves[i].type);
    }
  g_assert_cmpuint (n_rows, <=, TSR_TRACE_MAX_DEPTH);
  for (guint depth = 0; depth < n_rows; depth++)
    {
      g_autofree char *expected = dump_naively (leaves, flat->n, depth);
      g_autofree char *got = dump_row (
          trace, tsr_trace_get_row (trace, track, TSR_TRACE_FLAME, depth), leaves, of_slice);

      g_assert_true (strcmp (got, expected) == 0); /* too long to be printed */
    }
  beyond = dump_naively (leaves, flat->n, n_rows);
  g_assert_cmpstr (beyond, ==, "");
  for (gsize i = 0; i < flat->n; i++)
    g_strfreev (leaves[i].parts);
}

static char *
random_name (GRand *random)
{
  g_autoptr (GString) name = g_string_new ("");
  guint n = (guint)g_rand_int_range (random, 1, g_rand_int_range (random, 0, 40) == 0 ? 40 : 6);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (name, "%s%s%c", i > 0 ? "/" : "",
                            g_rand_int_range (random, 0, 30) == 0 ? "/" : "",
                            'a' + g_rand_int_range (random, 0, 2));
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static void
add_random_step (TraceTest *t, GRand *random, gint64 *at)
{
  static const char *const types[] = { "OnTileExecute", "DoExchange", "Sync",           "Sync",
                                       "SyncAns",       "WriteUndef", "StreamCopyBegin" };
  static const char *const copies[] = { "StreamCopyBegin", "StreamCopyMid", "StreamCopyEnd" };
  guint kind = (guint)g_rand_int_range (random, 0, G_N_ELEMENTS (types));
  g_autofree char *name = g_rand_int_range (random, 0, 20) == 0 ? NULL : random_name (random);

  if (kind == 6)
    for (guint i = 0; i < 3; i++)
      {
        gint64 d = g_rand_int_range (random, 0, 5);

        if (g_rand_int_range (random, 0, 3) == 0)
          *at += g_rand_int_range (random, 1, 6);
        trace_test_add_simple (t, copies[i], name, 0, *at, *at + d);
        *at += d;
        if (g_rand_int_range (random, 0, 3) == 0)
          {
            trace_test_add_simple (t, "Sync", "Internal", 0, *at, *at + 1);
            *at += 1;
          }
      }
  else
    {
      gint64 d = g_rand_int_range (random, 0, 9);

      trace_test_add_simple (t, types[kind], kind == 2 ? "External" : name, 0, *at, *at + d);
      *at += d;
    }
}

static void
test_flame (void)
{
  for (guint seed = 0; seed < 60; seed++)
    {
      g_autoptr (TraceTest) t = trace_test_new (1);
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TsrTrace) trace = NULL;
      guint n = seed < 20 ? seed : 600;
      gint64 at = 0;

      for (guint i = 0; i < n; i++)
        {
          if (i % 150 == 0)
            trace_test_begin_run (t, "run");
          add_random_step (t, random, &at);
        }
      trace = trace_test_build (t);
      for (guint track = 0; track < tsr_trace_get_n_tracks (trace); track++)
        check_flame (trace, track);
    }
  for (guint seed = 0; seed < 6; seed++) /* with lanes */
    {
      g_autoptr (TraceTest) t = trace_test_new_random (seed, 2, 700, 9);
      g_autoptr (TsrTrace) trace = trace_test_build (t);

      for (guint track = 0; track < tsr_trace_get_n_tracks (trace); track++)
        check_flame (trace, track);
    }
}

/* Types come together in more ways than a row has numbers for. */
static void
check_many_kinds (gboolean lanes)
{
  g_autoptr (TraceTest) t = trace_test_new (2);
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  g_autoptr (TsrTrace) trace = NULL;

  for (gint i = 0; i < 3000; i++)
    {
      g_autofree char *type = g_strdup_printf ("Type%d", g_rand_int_range (random, 0, 28));
      g_autofree char *name = g_strdup_printf ("group%d/step%d", i / 3 % 7, i);

      trace_test_add_simple (t, type, name, 1, 10 * i, 10 * i + g_rand_int_range (random, 1, 9));
    }
  for (gint i = 3000; i < 3100; i++) /* by themselves, and deeper */
    {
      g_autofree char *name = g_strdup_printf ("alone%d/a/b", i);

      trace_test_add_simple (t, i % 2 == 0 ? "Sync" : "Type3", name, 1, 10 * i, 10 * i + 3);
    }
  trace_test_add_simple (t, "Sync", NULL, 0, 0, 5);
  if (lanes)
    trace_test_add_simple (t, "StreamCopyMid", "in", 1, 4, 40);
  trace = trace_test_build (t);
  check_flame (trace, 1);
  check_row (trace, tsr_trace_get_row (trace, 1, TSR_TRACE_FLAME, 0), random);
}

static void
test_many_kinds (void)
{
  check_many_kinds (FALSE);
  check_many_kinds (TRUE);
}

/* By hand: an operation of a layer is exchange, sync, compute; then a copy. */
static void
test_flame_example (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  static const char *const expected[] = {
    "0-4 model",    "5-5 External", "6-8 StreamCopy", NULL,       "0-2 conv",
    "3-3 Internal", "4-4 relu",     "6-6 Begin",      "7-7 Mid",  "8-8 End",
    NULL,           "0-0 Pre",      "1-1 Internal",   "2-2 conv", NULL,
  };
  guint k = 0;

  trace_test_add_simple (t, "DoExchange", "model/conv/Pre", 0, 0, 10);
  trace_test_add_simple (t, "Sync", "Internal", 0, 10, 12);
  trace_test_add_simple (t, "OnTileExecute", "model/conv", 0, 12, 30);
  trace_test_add_simple (t, "Sync", "Internal", 0, 30, 31);
  trace_test_add_simple (t, "OnTileExecute", "model/relu", 0, 31, 40);
  trace_test_add_simple (t, "Sync", "External", 0, 40, 44);
  trace_test_add_simple (t, "StreamCopyBegin", "copyToHost/loss", 0, 44, 50);
  trace_test_add_simple (t, "StreamCopyMid", "copyToHost/loss", 0, 50, 55);
  trace_test_add_simple (t, "StreamCopyEnd", "copyToHost/loss", 0, 55, 60);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_rows (trace, 0, TSR_TRACE_FLAME), ==, 3);
  for (guint depth = 0; depth < 3; depth++, k++)
    {
      const TsrTraceRow *row = tsr_trace_get_row (trace, 0, TSR_TRACE_FLAME, depth);

      for (gsize i = 0; i < row->n; i++, k++)
        {
          g_autofree char *got = NULL;
          TsrTraceItem item;

          tsr_trace_get_item (trace, row, i, &item);
          got = g_strdup_printf ("%u-%u %.*s", item.first_slice, item.last_slice,
                                 (int)(item.path_length - item.label_from),
                                 item.path + item.label_from);
          g_assert_cmpstr (got, ==, expected[k]);
        }
      g_assert_null (expected[k]);
    }
}

/* Copies in a lane of their own: those that follow each other are one item, those with nothing
 * between them for long are not. */
static void
test_flame_holes (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  static const gint64 starts[] = { 10, 20, 500, 900, 915 };
  const TsrTraceRow *row;

  trace_test_add_simple (t, "OnTileExecute", "model/conv", 0, 0, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    trace_test_add_simple (t, "StreamCopyMid", "copyFromHost/input", 0, starts[i], starts[i] + 10);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_tracks (trace), ==, 2);
  row = tsr_trace_get_row (trace, 1, TSR_TRACE_FLAME, 0);
  g_assert_cmpuint (row->n, ==, 3);
  g_assert_cmpint (tsr_trace_row_start (row, 0), ==, 10);
  g_assert_cmpint (tsr_trace_row_end (row, 0), ==, 30);
  g_assert_cmpint (tsr_trace_row_end (row, 1), ==, 510);
  g_assert_cmpint (tsr_trace_row_start (row, 2), ==, 900);
  g_assert_cmpint (tsr_trace_row_end (row, 2), ==, 925);
}

/* --------------------------------------------------------------------- search */

static gboolean
ends_in_one (const char *name, gpointer data)
{
  return g_str_has_suffix (name, "1");
}

/* Slices that match, in order of start, then IPU, then place. */
static GArray *
list_matches (const TsrTrace *trace, const TsrTraceRun *run, const guint8 *ipus, guint32 hidden)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  GArray *all = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 n = t->ipu_start[t->n_ipus];

  for (guint32 slice = 0; slice < n; slice++)
    if (ipus[tsr_trace_get_ipu_of (trace, slice)] && t->slice_end[slice] > t->slice_start[slice]
        && (run == NULL
            || (t->slice_step[slice] >= run->first_step && t->slice_step[slice] < run->end_step))
        && !((hidden >> tsr_trace_get_slice_type (trace, slice)) & 1)
        && g_str_has_suffix (tsr_trace_get_name (trace, tsr_trace_get_slice_name (trace, slice)),
                             "1"))
      {
        guint at = all->len;

        while (at > 0
               && t->slice_start[g_array_index (all, guint32, at - 1)] > t->slice_start[slice])
          at--;
        g_array_insert_val (all, at, slice);
      }
  return all;
}

/* All IPUs do the same at once, and at last what has no times. */
static TraceTest *
new_tied (void)
{
  TraceTest *t = trace_test_new (3);

  trace_test_begin_run (t, "run");
  for (guint i = 0; i < 300; i++)
    trace_test_add_simple (t, i % 2 ? "OnTileExecute" : "DoExchange", i % 3 ? "a1" : "b", G_MAXUINT,
                           10 * i, 10 * i + 10);
  trace_test_add_simple (t, "DoExchange", "a1", G_MAXUINT, TSR_UNKNOWN, TSR_UNKNOWN);
  return t;
}

static void
test_search (void)
{
  for (guint seed = 0; seed < 8; seed++)
    {
      g_autoptr (TraceTest) t = seed < 6 ? trace_test_new_random (seed, 3, 800, 9) : new_tied ();
      g_autoptr (TsrTrace) trace = trace_test_build (t);
      g_autoptr (TsrTraceMatches) matches = tsr_trace_matches_new (trace, ends_in_one, NULL);
      const guint8 ipus[3] = { 1, seed % 2, 1 };
      guint32 hidden = seed < 6 && seed % 3 == 0 ? 3 : 0;
      const TsrTraceRun *run = seed > 2 && tsr_trace_get_n_runs (trace) > 0
                                   ? tsr_trace_get_run (trace, seed % tsr_trace_get_n_runs (trace))
                                   : NULL;
      g_autoptr (GArray) all = list_matches (trace, run, ipus, hidden);
      guint32 slice = TSR_NO_SLICE;
      guint64 count, place;

      g_assert_cmpuint (all->len, >, 0);
      g_assert_true (
          tsr_trace_count_matches (trace, matches, run, ipus, hidden, slice, NULL, &count, &place));
      g_assert_cmpuint (place, ==, 0);
      if (seed >= 6) /* from one that stands behind all others */
        {
          const guint32 last = (guint32)t->tables.ipu_start[1] - 1;

          g_assert_true (tsr_trace_count_matches (trace, matches, run, ipus, hidden, last, NULL,
                                                  &count, &place));
          g_assert_cmpuint (place, ==, all->len);
          g_assert_cmpuint (tsr_trace_find_match (trace, matches, run, ipus, hidden, last, TRUE),
                            ==, TSR_NO_SLICE);
          g_assert_cmpuint (tsr_trace_find_match (trace, matches, run, ipus, hidden, last, FALSE),
                            ==, g_array_index (all, guint32, all->len - 1));
        }
      for (guint i = 0; i < all->len; i++)
        {
          slice = tsr_trace_find_match (trace, matches, run, ipus, hidden, slice, TRUE);
          g_assert_cmpuint (slice, ==, g_array_index (all, guint32, i));
          g_assert_true (tsr_trace_count_matches (trace, matches, run, ipus, hidden, slice, NULL,
                                                  &count, &place));
          g_assert_cmpuint (count, ==, all->len);
          g_assert_cmpuint (place, ==, i);
        }
      g_assert_cmpuint (tsr_trace_find_match (trace, matches, run, ipus, hidden, slice, TRUE), ==,
                        TSR_NO_SLICE);
      slice = TSR_NO_SLICE;
      for (guint i = all->len; i-- > 0;)
        {
          slice = tsr_trace_find_match (trace, matches, run, ipus, hidden, slice, FALSE);
          g_assert_cmpuint (slice, ==, g_array_index (all, guint32, i));
        }
      g_assert_cmpuint (tsr_trace_find_match (trace, matches, run, ipus, hidden, slice, FALSE), ==,
                        TSR_NO_SLICE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/longest", test_longest);
  g_test_add_func ("/trace/planted", test_planted);
  g_test_add_func ("/trace/columns", test_columns);
  g_test_add_func ("/trace/every-length", test_every_length);
  g_test_add_func ("/trace/long-steps", test_long_steps);
  g_test_add_func ("/trace/flame", test_flame);
  g_test_add_func ("/trace/many-kinds", test_many_kinds);
  g_test_add_func ("/trace/flame-example", test_flame_example);
  g_test_add_func ("/trace/flame-holes", test_flame_holes);
  g_test_add_func ("/trace/search", test_search);
  return g_test_run ();
}
