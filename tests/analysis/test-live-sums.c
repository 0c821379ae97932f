/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over steps and peaks, against naive loops over steps and rows. */

#include "config.h"

#include "hand-tables.h"
#include "tsr-live-sums.h"
#include "tsr-liveness.h"

/* Not always live on @tile at @step; TSR_UNKNOWN. */
static gint64
naive (const HandTables *t, guint tile, guint step)
{
  gint64 sum = 0;

  for (gsize row = 0; row < t->lowered.n; row++)
    {
      int live = hand_tables_is_live (t, row, step);

      if (t->lowered.tile[row] != tile || t->lowered.always_live[row] == 1 || live == 0)
        continue;
      if (live < 0 || t->lowered.size[row] == TSR_LOWERED_UNKNOWN)
        return TSR_UNKNOWN;
      sum += t->lowered.size[row];
    }
  return sum;
}

/* Of @tile; TSR_UNKNOWN where a size, or whether something is always live, is not told. */
static gint64
naive_always (const HandTables *t, guint tile)
{
  gint64 sum = 0;

  for (gsize row = 0; row < t->lowered.n; row++)
    {
      if (t->lowered.tile[row] != tile || t->lowered.always_live[row] == 0)
        continue;
      if (t->lowered.always_live[row] != 1 || t->lowered.size[row] == TSR_LOWERED_UNKNOWN)
        return TSR_UNKNOWN;
      sum += t->lowered.size[row];
    }
  return sum;
}

static void
compare (const HandTables *t)
{
  guint n_steps = t->liveness.n_steps;
  guint n_tiles = t->lowered.n_tiles;
  g_autofree gint64 *series = g_new (gint64, MAX (n_steps, 1));
  gint64 *bytes[3];
  guint32 *steps[3];
  TsrLiveSums sums;
  TsrLiveAxis axis;

  tsr_live_axis_init (&axis, &t->lowered, n_steps);
  for (guint k = 0; k < 3; k++)
    {
      bytes[k] = g_new (gint64, n_tiles);
      steps[k] = g_new (guint32, n_tiles);
      g_assert_true (tsr_live_sums_find_peaks (&axis, k, bytes[k], steps[k], NULL, NULL));
    }
  tsr_live_sums_init (&sums, &t->lowered);
  for (guint tile = 0; tile < n_tiles; tile++)
    {
      gint64 most = TSR_UNKNOWN;
      guint32 at = TSR_NO_INDEX;
      gboolean known = n_steps > 0;

      tsr_live_sums_reset (&sums);
      tsr_live_sums_add_tile (&sums, tile);
      g_assert_cmpint (sums.always, ==, naive_always (t, tile));
      tsr_live_sums_series (&sums, &axis, series);
      for (guint step = 0; step < n_steps; step++)
        {
          gint64 expected = naive (t, tile, step);

          g_assert_cmpint (series[step], ==, expected);
          known = known && expected != TSR_UNKNOWN;
          if (at == TSR_NO_INDEX || expected > most)
            {
              most = expected;
              at = step;
            }
        }
      for (guint k = 0; k < 3; k++)
        {
          g_assert_cmpint (bytes[k][tile], ==, known ? most : TSR_UNKNOWN);
          g_assert_cmpuint (steps[k][tile], ==, known ? at : TSR_NO_INDEX);
        }
    }
  for (guint k = 0; k < 3; k++)
    {
      g_free (bytes[k]);
      g_free (steps[k]);
    }
  tsr_live_sums_clear (&sums);
  tsr_live_axis_clear (&axis);
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 16; seed++)
    {
      g_autoptr (HandTables) t
          = hand_tables_new_random (seed, seed < 12 ? 30 + 11 * seed : seed - 12, 40, 300);

      compare (t);
      /* Intervals beyond the last step, and across it. */
      t->liveness.n_steps /= 2;
      compare (t);
    }
}

static void
test_unknown (void)
{
  g_autoptr (HandTables) t = hand_tables_new_random (4, 50, 20, 100);

  t->lowered.size[10] = TSR_LOWERED_UNKNOWN;
  t->lowered.size[11] = TSR_LOWERED_UNKNOWN;
  t->lowered.size[50] = TSR_LOWERED_UNKNOWN;
  t->lowered.always_live[90] = 0;
  t->lowered.equivalence_class[90] = TSR_NO_INDEX;
  t->lowered.always_live[70] = 255;
  t->lowered.equivalence_class[70] = TSR_NO_INDEX;
  compare (t);
}

/* No class at all, one step, and nothing live at the first steps. */
static void
test_few (void)
{
  static const guint32 intervals[] = { 2, 3, 0, 0 };

  for (guint n_steps = 1; n_steps < 6; n_steps += 4)
    {
      g_autoptr (HandTables) t = hand_tables_new (n_steps, 2);

      hand_tables_add_row (t, 0, 7, "x", TSR_NO_INDEX, TSR_NO_INDEX, 0, 1);
      compare (t);
      hand_tables_add_class (t, intervals);
      hand_tables_add_row (t, 1, 5, "y", TSR_NO_INDEX, 0, 0, 0);
      compare (t);
    }
}

/* So many steps between so few intervals that the ends are sorted, and the other way round. */
static void
test_sparse (void)
{
  g_autoptr (HandTables) t = hand_tables_new (100000, 4);

  for (guint32 c = 0; c < 4000; c++)
    {
      const guint32 intervals[] = { c * 25, c * 25 + 1 + c % 30, 0, 0 };

      hand_tables_add_class (t, intervals);
    }
  for (guint i = 0; i < 3; i++)
    hand_tables_add_row (t, 0, 100 + i, "x", TSR_NO_INDEX, 1000 - 500 * i, 0, 0);
  for (guint i = 0; i < 3; i++)
    hand_tables_add_row (t, 1, 100, "x", TSR_NO_INDEX, 20 + i, 0, 0);
  /* One begins where another ends, whichever comes first. */
  for (guint i = 0; i < 4; i++)
    hand_tables_add_row (t, 2 + i / 2, 100, "x", TSR_NO_INDEX, 24 + (i % 2 == i / 2), 0, 0);
  compare (t);
}

static guint n_processors = 1;

guint
g_get_num_processors (void)
{
  return n_processors;
}

typedef struct
{
  gint n_locals, n_freed; /* atomic */
  guint8 done[1000];
} Shared;

static gpointer
new_local (gpointer data)
{
  g_atomic_int_inc (&((Shared *)data)->n_locals);
  return data;
}

static void
free_local (gpointer data)
{
  g_atomic_int_inc (&((Shared *)data)->n_freed);
}

static void
do_some (guint from, guint to, gpointer local, gpointer data)
{
  g_assert_true (local == data);
  g_assert_cmpuint (to - from, <=, 16);
  for (guint i = from; i < to; i++)
    ((Shared *)data)->done[i]++;
}

/* Each part is done once, by as many threads as there are processors, up to 16, or as many as are
 * wanted, but by none that has nothing to do. */
static void
test_threads (void)
{
  static const TsrParallel parallel = { new_local, free_local, do_some };
  static const guint sizes[] = { 0, 1, 15, 16, 17, 40, 1000 };

  for (n_processors = 1; n_processors < 30; n_processors += 14)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      for (guint wanted = 0; wanted < 4; wanted++)
        {
          const guint most = wanted > 0 ? wanted : MIN (n_processors, 16);
          Shared shared = { 0 };

          g_assert_true (tsr_parallel_run (&parallel, sizes[k], wanted, &shared, NULL, NULL));
          for (guint i = 0; i < G_N_ELEMENTS (shared.done); i++)
            g_assert_cmpuint (shared.done[i], ==, i < sizes[k]);
          g_assert_cmpint (shared.n_locals, ==, MIN (most, sizes[k] / 16 + 1));
          g_assert_cmpint (shared.n_freed, ==, shared.n_locals);
        }
  n_processors = 1;
}

static void
test_cancelled (void)
{
  g_autoptr (HandTables) t = hand_tables_new_random (1, 50, 20, 100);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gint64 *bytes = g_new (gint64, 20);
  g_autofree guint32 *steps = g_new (guint32, 20);
  TsrLiveAxis axis;

  g_cancellable_cancel (cancellable);
  tsr_live_axis_init (&axis, &t->lowered, 50);
  g_assert_false (tsr_live_sums_find_peaks (&axis, 0, bytes, steps, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  tsr_live_axis_clear (&axis);
}

/* ------------------------------------------------------------------- peaks */

/* Prominence by definition: how far the graph falls at least on the way to any higher step, or to
 * an earlier one of the same height; to the ends it need not fall. */
static gboolean
is_peak (const gint64 *bytes, guint n, guint step, gint64 fall)
{
  for (int side = -1; side <= 1; side += 2)
    {
      gint64 lowest = bytes[step];

      for (gint64 i = (gint64)step + side; i >= 0 && i < n; i += side)
        {
          if (bytes[i] == TSR_UNKNOWN)
            continue;
          if ((bytes[i] > bytes[step] || (bytes[i] == bytes[step] && i < step))
              && bytes[step] - lowest < fall)
            return FALSE;
          if (bytes[i] > bytes[step])
            break;
          lowest = MIN (lowest, bytes[i]);
        }
    }
  return TRUE;
}

static void
test_peaks (void)
{
  static const gint64 bases[] = { 0, 1000 };
  static const gint32 ranges[] = { 5, 51, 52, 101, 200 };
  GRand *random = g_rand_new_with_seed (7);

  for (guint round = 0; round < 200; round++)
    {
      gint64 bytes[80];
      guint n = 1 + round % 80;
      TsrLivenessSeries series = { .n_steps = n, .not_always_live = bytes };
      g_autoptr (GArray) peaks = NULL;
      gint64 highest = 0;
      gint64 fall;
      guint n_peaks = 0;

      for (guint i = 0; i < n; i++)
        {
          bytes[i] = bases[round % 2] + g_rand_int_range (random, 0, ranges[round % 5]);
          highest = MAX (highest, bytes[i]);
        }
      fall = (highest + 49) / 50;
      /* What is not known is as if it were not there, but ends a run. */
      for (guint i = 0; i < n && round % 7 == 0; i++)
        if (bytes[i] < highest && g_rand_int_range (random, 0, 4) == 0)
          bytes[i] = TSR_UNKNOWN;
      peaks = tsr_liveness_find_peaks (&series, G_MAXUINT);
      for (guint i = 0; i < n; i++)
        n_peaks += highest > 0 && bytes[i] != TSR_UNKNOWN && is_peak (bytes, n, i, fall);
      g_assert_cmpuint (peaks->len, ==, n_peaks);
      for (guint i = 0; i < peaks->len; i++)
        {
          const TsrPeak *peak = &g_array_index (peaks, TsrPeak, i);

          g_assert_true (is_peak (bytes, n, peak->step, fall));
          g_assert_cmpint (peak->bytes, ==, bytes[peak->step]);
          g_assert_cmpuint (peak->from, <=, peak->step);
          g_assert_cmpuint (peak->to, >, peak->step);
          for (guint k = peak->from; k < peak->to; k++)
            {
              g_assert_cmpint (bytes[k], <=, peak->bytes);
              g_assert_cmpint (bytes[k], >, peak->bytes - fall);
            }
          /* And no further than that. */
          g_assert_true (peak->from == 0 || bytes[peak->from - 1] <= peak->bytes - fall);
          g_assert_true (peak->to == n || bytes[peak->to] <= peak->bytes - fall);
          if (i > 0)
            g_assert_true (peak[-1].bytes > peak->bytes
                           || (peak[-1].bytes == peak->bytes && peak[-1].step < peak->step));
        }
      g_assert_true (highest == 0 || g_array_index (peaks, TsrPeak, 0).bytes == highest);
    }
  g_rand_free (random);
}

static void
test_few_peaks (void)
{
  gint64 bytes[] = { 0, 100, 0, 90, 89, 90, 0, 100, 50, 95, 0, TSR_UNKNOWN, 60 };
  TsrLivenessSeries series = { .n_steps = G_N_ELEMENTS (bytes), .not_always_live = bytes };
  TsrLivenessSeries none = { .n_steps = 0 };
  gint64 zero[3] = { 0, 0, 0 };
  TsrLivenessSeries flat = { .n_steps = 3, .not_always_live = zero };
  g_autoptr (GArray) peaks = tsr_liveness_find_peaks (&series, 3);
  g_autoptr (GArray) no_steps = tsr_liveness_find_peaks (&none, 3);
  g_autoptr (GArray) no_bytes = tsr_liveness_find_peaks (&flat, 3);

  g_assert_cmpuint (peaks->len, ==, 3);
  g_assert_cmpuint (g_array_index (peaks, TsrPeak, 0).step, ==, 1);
  g_assert_cmpuint (g_array_index (peaks, TsrPeak, 1).step, ==, 7);
  g_assert_cmpuint (g_array_index (peaks, TsrPeak, 2).step, ==, 9);
  g_assert_cmpuint (no_steps->len, ==, 0);
  g_assert_cmpuint (no_bytes->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live-sums/random", test_random);
  g_test_add_func ("/live-sums/unknown", test_unknown);
  g_test_add_func ("/live-sums/few", test_few);
  g_test_add_func ("/live-sums/sparse", test_sparse);
  g_test_add_func ("/live-sums/threads", test_threads);
  g_test_add_func ("/live-sums/cancelled", test_cancelled);
  g_test_add_func ("/live-sums/peaks", test_peaks);
  g_test_add_func ("/live-sums/few-peaks", test_few_peaks);
  return g_test_run ();
}
