/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Marks of a selected group against a loop over all slices: which positions, in which row. */

#include "config.h"

#include "trace-test.h"
#include "tsr-trace-marks.h"

#include <string.h>

typedef struct
{
  const TsrTrace *trace;
  TsrTraceMatches *matches;
  TsrTraceShape shape;
  guint32 hidden;
} Case;

static gboolean
is_selected (const Case *c, const TsrTraceSlice *s)
{
  return s->start != TSR_UNKNOWN && s->end > s->start && !(c->hidden >> s->type & 1)
         && tsr_trace_matches_has_slice (c->matches, c->trace, s->slice);
}

/* Row of the step itself: the deepest that holds it. */
static guint
find_depth (const Case *c, guint32 slice)
{
  guint track;
  gsize item;

  for (guint depth = TSR_TRACE_MAX_DEPTH; depth-- > 0;)
    if (tsr_trace_locate (c->trace, slice, c->shape, depth, &track, &item))
      return depth;
  return G_MAXUINT;
}

static void
check_track (const Case *c, const TsrTraceMarks *marks, guint track, GRand *random)
{
  const TsrTraceRow *flat = tsr_trace_get_row (c->trace, track, TSR_TRACE_FLAT, 0);
  guint n_rows = tsr_trace_get_n_rows (c->trace, track, c->shape);
  g_autofree guint *depths = g_new (guint, flat->n + 1); /* G_MAXUINT: not selected */

  for (gsize i = 0; i < flat->n; i++)
    {
      TsrTraceSlice s;

      tsr_trace_get_slice (c->trace, tsr_trace_row_first_slice (flat, i), &s);
      depths[i] = is_selected (c, &s) ? find_depth (c, s.slice) : G_MAXUINT;
      for (guint depth = 0; depth <= n_rows; depth++) /* nothing is in a row that is not there */
        g_assert_cmpint (tsr_trace_marks_has (marks, track, depth, (guint32)i, (guint32)i + 1), ==,
                         depths[i] == depth);
    }
  for (guint k = 0; k < 60 && flat->n > 0; k++)
    {
      guint32 first = (guint32)g_rand_int_range (random, 0, (gint32)flat->n);
      guint32 end = (guint32)g_rand_int_range (random, (gint32)first, (gint32)flat->n + 1);
      guint depth = (guint)g_rand_int_range (random, 0, (gint32)n_rows);
      gboolean any = FALSE, there = FALSE;

      for (guint32 i = first; i < end; i++)
        {
          any |= depths[i] != G_MAXUINT;
          there |= depths[i] == depth;
        }
      g_assert_cmpint (tsr_trace_marks_has (marks, track, depth, first, end), ==, there);
      g_assert_cmpint (tsr_trace_marks_has (marks, track, TSR_TRACE_ANY_DEPTH, first, end), ==,
                       any);
    }
}

static int
compare_descending (gconstpointer a, gconstpointer b)
{
  const gint64 left = *(const gint64 *)a, right = *(const gint64 *)b;

  return (left < right) - (left > right);
}

/* The longest are as long as the first of all lengths, sorted, and selected, each once. */
static void
check_longest (const Case *c, const TsrTraceMarks *marks, GArray *lengths)
{
  guint n;
  const guint32 *longest = tsr_trace_marks_peek_longest (marks, &n);
  TsrTraceSlice before = { 0 };

  g_array_sort (lengths, compare_descending);
  g_assert_cmpuint (n, ==, MIN (lengths->len, TSR_TRACE_MARKS_LONGEST));
  for (guint i = 0; i < n; i++)
    {
      TsrTraceSlice s;

      tsr_trace_get_slice (c->trace, longest[i], &s);
      g_assert_true (is_selected (c, &s));
      g_assert_cmpint (s.end - s.start, ==, g_array_index (lengths, gint64, i));
      for (guint k = 0; k < i; k++)
        g_assert_cmpuint (longest[k], !=, longest[i]);
      /* Of those of one length on a track the first. */
      if (i > 0 && c->shape == TSR_TRACE_FLAT && before.ipu == s.ipu && before.lane == s.lane
          && before.end - before.start == s.end - s.start)
        g_assert_cmpuint (longest[i - 1], <, longest[i]);
      before = s;
    }
}

static void
check (const Case *c, GRand *random)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (c->trace);
  g_autoptr (TsrTraceMarks) marks
      = tsr_trace_marks_new (c->trace, c->matches, c->shape, c->hidden, NULL);
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 cycles = 0, sum = 0;
  guint64 n = 0;

  for (guint32 i = 0; i < tables->ipu_start[tables->n_ipus]; i++)
    {
      TsrTraceSlice s;

      tsr_trace_get_slice (c->trace, i, &s);
      if (!is_selected (c, &s))
        continue;
      n++;
      s.end -= s.start;
      sum += s.end;
      g_array_append_val (lengths, s.end);
    }
  tsr_trace_marks_unref (tsr_trace_marks_ref (marks));
  check_longest (c, marks, lengths);
  g_assert_cmpuint (tsr_trace_marks_get_n (marks, &cycles), ==, n);
  g_assert_cmpint (cycles, ==, sum);
  g_assert_true (tsr_trace_marks_is_of (marks, c->matches, c->shape, c->hidden));
  g_assert_false (tsr_trace_marks_is_of (marks, c->matches, c->shape, ~c->hidden));
  for (guint track = 0; track < tsr_trace_get_n_tracks (c->trace); track++)
    check_track (c, marks, track, random);
}

static gboolean
is_odd (const char *name, gpointer data)
{
  return strlen (name) % 2 == 1;
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 24; seed++)
    {
      g_autoptr (TraceTest) t = trace_test_new_random (seed, 1 + seed % 3, 500, 10);
      g_autoptr (TsrTrace) trace = trace_test_build (t);
      g_autoptr (TsrTraceMatches) names = tsr_trace_matches_new (trace, is_odd, NULL);
      g_autoptr (TsrTraceMatches) types
          = tsr_trace_matches_new_types (trace, 0x2ad5u >> seed % 3, NULL);
      g_autofree guint8 *flags = g_new0 (guint8, t->programs.n_compute_sets + 1);
      g_autoptr (TsrTraceMatches) sets = NULL;
      GRand *random = g_rand_new_with_seed (seed);

      for (guint i = 0; i < t->programs.n_compute_sets; i++)
        flags[i] = i % 3 == 0;
      sets = tsr_trace_matches_new_types (trace, 8, flags);
      for (guint i = 0; i < 12; i++)
        check (&(Case){ trace,
                        i % 3 == 0   ? names
                        : i % 3 == 1 ? types
                                     : sets,
                        i % 2 == 0 ? TSR_TRACE_FLAME : TSR_TRACE_FLAT,
                        i > 5 ? g_rand_int (random) & g_rand_int (random) : 0 },
               random);
      g_rand_free (random);
    }
}

/* More kinds in a row than are told by a byte, the last of which are steps themselves, and more at
 * a time than there are lanes for. */
static void
test_many (void)
{
  static const char *const types[] = { "OnTileExecute",   "DoExchange",    "Sync",
                                       "StreamCopyBegin", "StreamCopyMid", "StreamCopyEnd",
                                       "SyncAns",         "WriteUndef",    "Sans" };
  g_autoptr (TraceTest) t = trace_test_new (2);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceMatches) some = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gint64 now = 0;

  for (guint i = 1; i < 400; i++)
    for (guint b = 0; b < G_N_ELEMENTS (types); b++, now += 10)
      {
        g_autofree char *name = g_strdup_printf (i < 390 ? "g%u/s" : "g%u", i);

        if (i >> b & 1)
          trace_test_add_simple (t, types[b], name, 1, now, now + 3 + b);
      }
  for (guint i = 0; i < 150; i++)
    trace_test_add_simple (t, types[i % 3], "a", 0, i, 5000 - 3 * i);
  trace = trace_test_build (t);
  some = tsr_trace_matches_new_types (
      trace, tsr_trace_find_types (trace, "Sync") | tsr_trace_find_types (trace, "OnTileExecute"),
      NULL);
  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    check (&(Case){ trace, some, shape, 0 }, random);
}

/* Two compute sets of one name, and a step without either: what is told by the name alone cannot
 * tell them apart. */
static void
test_kinds (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceMatches) bare = NULL, computes = NULL;
  guint32 compute = trace_test_add_compute (t, "a"), copy;
  const guint8 flags[] = { 0, 1 }; /* the only name, and what has none */

  trace_test_add (t, compute, 0, 0, 10);
  trace_test_add_simple (t, "DoExchange", "a", 0, 10, 30);
  copy = trace_test_add_step (t, "DoExchange", NULL);
  trace_test_add (t, copy, 0, 30, 60);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_names (trace), ==, 1);
  bare = tsr_trace_matches_new_names (trace, flags);
  computes
      = tsr_trace_matches_new_types (trace, tsr_trace_find_types (trace, "OnTileExecute"), NULL);
  for (guint32 i = 0; i < 3; i++)
    {
      g_assert_cmpint (tsr_trace_matches_has_slice (bare, trace, i), ==, i == 2);
      g_assert_cmpint (tsr_trace_matches_has_slice (computes, trace, i), ==, i == 0);
    }
  g_assert_null (tsr_trace_matches_peek_names (computes));
  g_assert_nonnull (tsr_trace_matches_peek_names (bare));
}

static void
test_cancelled (void)
{
  g_autoptr (TraceTest) t = trace_test_new_random (1, 1, 50, 4);
  g_autoptr (TsrTrace) trace = trace_test_build (t);
  g_autoptr (TsrTraceMatches) types = tsr_trace_matches_new_types (trace, 1, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    g_assert_null (tsr_trace_marks_new (trace, types, shape, 0, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-marks/random", test_random);
  g_test_add_func ("/trace-marks/many", test_many);
  g_test_add_func ("/trace-marks/kinds", test_kinds);
  g_test_add_func ("/trace-marks/cancelled", test_cancelled);
  return g_test_run ();
}
