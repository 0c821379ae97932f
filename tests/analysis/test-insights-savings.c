/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is live when, and what a change saves, against loops over all rows and steps, on random
 * lowered variables. */

#include "config.h"

#include "insight-fixture.h"

#include <math.h>
#include <string.h>

#define N_TILES   4
#define N_ENTRIES 6
#define N_CLASSES 5

/* Intervals of a class are in order and none touches the next. */
static void
replace_classes (Fixture *f, GRand *rand)
{
  TsrLoweredTables *lowered = &f->lowered;
  const guint n_steps = f->c.n_steps;
  gsize n = 0;

  g_free (lowered->interval_start);
  g_free (lowered->interval_from);
  g_free (lowered->interval_to);
  lowered->n_classes = N_CLASSES;
  lowered->interval_start = g_new0 (gsize, N_CLASSES + 1);
  lowered->interval_from = g_new0 (guint32, N_CLASSES * (n_steps + 1));
  lowered->interval_to = g_new0 (guint32, N_CLASSES * (n_steps + 1));
  for (guint class = 0; class < N_CLASSES; class ++)
    {
      for (guint from = (guint)g_rand_int_range (rand, 0, 5); from < n_steps;)
        {
          const guint to = (guint)g_rand_int_range (rand, (gint)from + 1, (gint)n_steps + 1);

          lowered->interval_from[n] = from;
          lowered->interval_to[n++] = MIN (to, from + 9);
          from = lowered->interval_to[n - 1] + (guint)g_rand_int_range (rand, 1, 6);
        }
      lowered->interval_start[class + 1] = n;
    }
}

/* Rows of up to four tiles, of which one is the worst, maybe without any; of some it is not told
 * how large they are, when they are live or whose they are. */
static Fixture *
make_lives (guint seed)
{
  static const char *const names[N_ENTRIES] = { "b", "a", "b", "c", "a", "a" };
  Fixture *f = fixture_new (N_TILES, FIXTURE_CAPACITY);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  TsrLoweredTables *lowered = &f->lowered;
  const guint n = 32, worst = seed % N_TILES, n_tiles = seed % 5 == 0 ? 3 : 4;
  const gboolean in_order = seed % 3 == 0, untold = seed % 2 == 0;

  for (guint v = 0; v < N_ENTRIES; v++)
    fixture_variable (f, names[v], "float", TSR_LIFE_TEMPORARY);
  for (guint i = 0; i < n; i++)
    {
      const guint tile
          = in_order ? i * n_tiles / n : (guint)g_rand_int_range (rand, 0, (gint)n_tiles);

      fixture_row (f, tile, 2 * (guint)g_rand_int_range (rand, 0, 6),
                   (guint)g_rand_int_range (rand, 0, N_ENTRIES), 0,
                   g_rand_int_range (rand, 0, 4) > 0);
    }
  fixture_fill (f, 10, 10);
  f->inc[worst] = 11;
  if (seed % 7 < 3) /* then only those are critical that lack memory */
    {
      f->ovf[worst] = 5;
      f->ovf[(worst + 1) % N_TILES] = seed % 7;
    }
  fixture_finish (f, seed % 11 == 0 ? seed % 2 : 24);
  replace_classes (f, rand);
  for (guint i = 0; i < n; i++)
    {
      const gboolean odd = untold && g_rand_int_range (rand, 0, 12) == 0;

      if (!lowered->always_live[i])
        lowered->equivalence_class[i] = (guint32)g_rand_int_range (rand, 0, N_CLASSES + odd);
      if (odd && seed % 4 == 0)
        lowered->size[i] = TSR_LOWERED_UNKNOWN;
      if (odd && seed % 4 == 2)
        f->c.owned_entry[i] = TSR_NO_INDEX;
    }
  if (in_order)
    g_clear_pointer (&lowered->by_tile, g_free);
  lowered->n_tiles = n_tiles;
  g_clear_pointer (&f->c.worst_series, g_free);
  g_clear_pointer (&f->c.held, g_array_unref);
  g_clear_pointer (&f->c.gaps, g_array_unref);
  g_assert_true (tsr_insight_context_look_at_worst (&f->c, NULL));
  return f;
}

static gboolean
is_told (const TsrLoweredTables *lowered, gsize row)
{
  return lowered->size[row] != TSR_LOWERED_UNKNOWN
         && (lowered->always_live[row] == 1
             || lowered->equivalence_class[row] < lowered->n_classes);
}

/* Whether it is live somewhere in [from, to), without those that always are. */
static gboolean
is_live (const TsrLoweredTables *lowered, gsize row, guint from, guint to)
{
  const guint32 class = lowered->equivalence_class[row];

  for (gsize i = 0; class < lowered->n_classes && i < lowered->interval_start[lowered->n_classes];
       i++)
    if (lowered->interval_start[class] <= i && i < lowered->interval_start[class + 1]
        && lowered->interval_from[i] < to && from < lowered->interval_to[i])
      return TRUE;
  return FALSE;
}

/* ------------------------------------------------------------ the worst tile */

static void
check_series (const Fixture *f)
{
  const TsrInsightContext *c = &f->c;
  gboolean told = c->n_steps > 0, any = FALSE;
  guint peak = TSR_NO_INDEX;
  gint64 most = TSR_UNKNOWN;

  for (gsize row = 0; row < c->lowered->n; row++)
    if (c->lowered->tile[row] == c->worst)
      {
        told = told && is_told (c->lowered, row);
        any = TRUE;
      }
  g_assert_true ((c->worst_series != NULL) == (told && any));
  g_assert_true ((c->held != NULL) == any);
  for (guint k = 0; c->worst_series != NULL && k < c->n_steps; k++)
    {
      gint64 sum = 0;

      for (gsize row = 0; row < c->lowered->n; row++)
        if (c->lowered->tile[row] == c->worst && is_live (c->lowered, row, k, k + 1))
          sum += c->lowered->size[row];
      g_assert_cmpint (c->worst_series[k], ==, sum);
      if (sum > most)
        {
          most = sum;
          peak = k;
        }
    }
  g_assert_cmpint (c->worst_live, ==, most);
  g_assert_cmpuint (c->worst_peak, ==, peak);
}

static void
check_held (const Fixture *f)
{
  const TsrInsightContext *c = &f->c;
  TsrInsightHeld expected[N_ENTRIES] = { 0 };
  gboolean there[N_ENTRIES] = { FALSE };
  guint n = 0;

  for (gsize row = 0; row < c->lowered->n; row++)
    {
      const guint32 v = c->entry[row], size = c->lowered->size[row];

      if (c->lowered->tile[row] != c->worst || v >= N_ENTRIES || !is_told (c->lowered, row))
        continue;
      n += !there[v];
      there[v] = TRUE;
      expected[v].all += size;
      if (c->lowered->always_live[row] == 1)
        expected[v].always += size;
      else if (c->worst_peak != TSR_NO_INDEX
               && is_live (c->lowered, row, c->worst_peak, c->worst_peak + 1))
        expected[v].at_peak += size;
    }
  g_assert_cmpuint (c->held->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      const TsrInsightHeld *one = &g_array_index (c->held, TsrInsightHeld, i);
      int order;

      g_assert_true (there[one->variable]);
      g_assert_cmpint (one->all, ==, expected[one->variable].all);
      g_assert_cmpint (one->always, ==, expected[one->variable].always);
      g_assert_cmpint (one->at_peak, ==, expected[one->variable].at_peak);
      if (i == 0)
        continue;
      order = strcmp (c->variables[one[-1].variable].name, c->variables[one->variable].name);
      g_assert_cmpint (one[-1].always + one[-1].at_peak, >=, one->always + one->at_peak);
      if (one[-1].always + one[-1].at_peak == one->always + one->at_peak)
        g_assert_true (one[-1].all > one->all
                       || (one[-1].all == one->all
                           && (order < 0 || (order == 0 && one[-1].variable < one->variable))));
    }
}

/* ------------------------------------------------- what is live at one step */

/* @list is what of @expected is more than nothing, in order. */
static void
check_list (const TsrInsightContext *c, GArray *list, const gint64 *expected)
{
  guint n = 0;

  for (guint v = 0; v < c->n_variables; v++)
    n += expected[v] > 0;
  g_assert_cmpuint (list->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      const TsrVariableBytes *one = &g_array_index (list, TsrVariableBytes, i);
      const int order
          = i > 0 ? strcmp (c->variables[one[-1].variable].name, c->variables[one->variable].name)
                  : 0;

      g_assert_cmpint (one->bytes, ==, expected[one->variable]);
      if (i > 0)
        g_assert_true (one[-1].bytes > one->bytes
                       || (one[-1].bytes == one->bytes
                           && (order < 0 || (order == 0 && one[-1].variable < one->variable))));
    }
  g_array_unref (list);
}

static void
check_lists (const Fixture *f, GRand *rand)
{
  const TsrInsightContext *c = &f->c;
  const guint peak = (guint)g_rand_int_range (rand, 0, 24), from = peak - peak % 7;
  const guint to = peak + 1 + peak % 5, other = (guint)g_rand_int_range (rand, 0, 24);
  gint64 inside[N_ENTRIES] = { 0 }, not_at[N_ENTRIES] = { 0 };

  for (gsize row = 0; row < c->lowered->n; row++)
    {
      if (c->lowered->tile[row] != c->worst || c->entry[row] >= N_ENTRIES
          || !is_told (c->lowered, row) || !is_live (c->lowered, row, peak, peak + 1))
        continue;
      if (!is_live (c->lowered, row, 0, from) && !is_live (c->lowered, row, to, G_MAXUINT))
        inside[c->entry[row]] += c->lowered->size[row];
      if (!is_live (c->lowered, row, other, other + 1))
        not_at[c->entry[row]] += c->lowered->size[row];
    }
  check_list (c, tsr_insight_list_inside (c, TRUE, peak, from, to), inside);
  check_list (c, tsr_insight_list_not_at (c, TRUE, peak, other), not_at);
}

/* Each span is all that its variable has in that interval; none is twice or missing. */
static void
check_spans (const Fixture *f)
{
  const TsrInsightContext *c = &f->c;
  const TsrLoweredTables *lowered = c->lowered;
  g_autoptr (GArray) list = tsr_insight_list_spans (c);
  gint64 sum = 0;

  for (gsize row = 0; row < lowered->n; row++)
    if (lowered->tile[row] == c->worst && c->entry[row] < N_ENTRIES && is_told (lowered, row)
        && c->worst_peak != TSR_NO_INDEX
        && is_live (lowered, row, c->worst_peak, c->worst_peak + 1))
      sum += lowered->size[row];
  for (guint i = 0; i < list->len; i++)
    {
      const TsrInsightSpan *span = &g_array_index (list, TsrInsightSpan, i);
      gint64 bytes = 0;

      for (gsize row = 0; row < lowered->n; row++)
        {
          const guint32 class = lowered->equivalence_class[row];

          if (lowered->tile[row] != c->worst || c->entry[row] != span->variable
              || !is_told (lowered, row) || class >= lowered->n_classes)
            continue;
          for (gsize k = lowered->interval_start[class]; k < lowered->interval_start[class + 1];
               k++)
            if (lowered->interval_from[k] == span->from && lowered->interval_to[k] == span->to)
              bytes += lowered->size[row];
        }
      g_assert_cmpint (span->bytes, ==, bytes);
      g_assert_true (span->from <= c->worst_peak && c->worst_peak < span->to);
      sum -= bytes;
      if (i > 0 && span[-1].bytes == span->bytes)
        g_assert_true (span[-1].variable < span->variable
                       || (span[-1].variable == span->variable
                           && (span[-1].from < span->from
                               || (span[-1].from == span->from && span[-1].to < span->to))));
      else if (i > 0)
        g_assert_cmpint (span[-1].bytes, >, span->bytes);
    }
  g_assert_cmpint (sum, ==, 0);
}

/* Of all tiles. */
static void
check_tiles (const Fixture *f, const guint8 *in, guint step)
{
  const TsrInsightContext *c = &f->c;
  const TsrLoweredTables *lowered = c->lowered;
  g_autofree guint8 *always = tsr_insight_find_always_live (c);
  gint64 sum = 0;

  for (gsize row = 0; row < lowered->n; row++)
    if (c->entry[row] < N_ENTRIES && in[c->entry[row]] && lowered->always_live[row] != 1)
      sum = !is_told (lowered, row) || sum == TSR_UNKNOWN ? TSR_UNKNOWN
            : is_live (lowered, row, step, step + 1)      ? sum + lowered->size[row]
                                                          : sum;
  g_assert_cmpint (tsr_insight_sum_at (c, in, step), ==, sum);
  for (guint32 v = 0; v < N_ENTRIES; v++)
    {
      gboolean seen[N_TILES] = { FALSE }, found = FALSE;

      for (gsize row = 0; row < lowered->n; row++)
        if (c->entry[row] == v)
          {
            seen[lowered->tile[row]] = TRUE;
            for (guint k = 0; lowered->always_live[row] == 1 && k < c->n_critical; k++)
              found = found || c->critical[k] == lowered->tile[row];
          }
      g_assert_cmpuint (tsr_insight_count_tiles (c, v), ==, seen[0] + seen[1] + seen[2] + seen[3]);
      g_assert_cmpint (always[v], ==, found);
    }
}

static void
test_lives (void)
{
  for (guint seed = 0; seed < 150; seed++)
    {
      g_autoptr (Fixture) f = make_lives (seed);
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      guint8 in[N_ENTRIES];

      for (guint v = 0; v < N_ENTRIES; v++)
        in[v] = (guint8)g_rand_int_range (rand, 0, 2);
      check_series (f);
      check_tiles (f, in, (guint)g_rand_int_range (rand, 0, 24));
      if (f->c.held == NULL)
        continue;
      check_held (f);
      check_spans (f);
      for (guint i = 0; i < 5; i++)
        check_lists (f, rand);
    }
}

/* Without lowered variables, what all tiles have of each variable in each of its lives. */
static void
test_lifetimes (void)
{
  for (guint seed = 0; seed < 100; seed++)
    {
      static const char *const names[N_ENTRIES] = { "b", "a", "b", "c", "a", "a" };
      g_autoptr (Fixture) f = fixture_new_lives ();
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      const guint peak = seed % 20, from = peak - peak % 3, to = peak + 1 + peak % 4;
      const guint other = (guint)g_rand_int_range (rand, 0, 24);
      gint64 inside[N_ENTRIES] = { 0 }, not_at[N_ENTRIES] = { 0 };
      TsrInsightContext *c = &f->c;

      for (guint v = 0; v < N_ENTRIES; v++)
        fixture_variable (f, names[v], "float", TSR_LIFE_TEMPORARY);
      fixture_finish (f, 24);
      check_list (c, tsr_insight_list_inside (c, FALSE, peak, from, to), inside);
      c->lifetimes = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));
      c->lifetime_start = g_new0 (guint32, N_ENTRIES + 1);
      for (guint v = 0; v < N_ENTRIES; v++)
        {
          gboolean outside = FALSE, at_other = FALSE;
          gint64 at_peak = 0;

          for (guint begin = (guint)g_rand_int_range (rand, 0, 12); begin < 24;)
            {
              const TsrLifetime life = { begin, begin + (guint)g_rand_int_range (rand, 1, 6),
                                         g_rand_int_range (rand, 0, 4) };

              g_array_append_val (c->lifetimes, life);
              if (life.from <= peak && peak < life.to)
                at_peak = life.bytes;
              at_other = at_other || (life.from <= other && other < life.to);
              outside = outside || life.from < from || life.to > to;
              begin = life.to + (guint)g_rand_int_range (rand, 1, 20);
            }
          c->lifetime_start[v + 1] = c->lifetimes->len;
          inside[v] = outside ? 0 : at_peak;
          not_at[v] = at_other ? 0 : at_peak;
        }
      check_list (c, tsr_insight_list_inside (c, FALSE, peak, from, to), inside);
      check_list (c, tsr_insight_list_not_at (c, FALSE, peak, other), not_at);
    }
}

/* What stands with the program of a step, or with its compute set. */
static void
test_step_cycles (void)
{
  TsrTileArrayRef of_programs[] = { { .maximum = 7 }, { .maximum = 8 } };
  TsrTileArrayRef of_sets[] = { { .maximum = 9 } };
  guint32 sets[] = { TSR_NO_INDEX, 0 };
  static const guint32 step_program[] = { 1, 0, TSR_NO_INDEX, 2 };
  const TsrProgramTables tables = { .n_programs = 2,
                                    .program_compute_set = sets,
                                    .program_estimated_cycles = of_programs,
                                    .n_compute_sets = 1,
                                    .compute_set_estimated_cycles = of_sets };
  static const gint64 expected[] = { 9, 7, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
  TsrInsightContext c = { .n_steps = 4, .step_program = step_program };

  for (guint k = 0; k < G_N_ELEMENTS (expected); k++)
    {
      c.programs = NULL;
      g_assert_cmpint (tsr_insight_get_step_cycles (&c, k), ==, TSR_UNKNOWN);
      c.programs = &tables;
      g_assert_cmpint (tsr_insight_get_step_cycles (&c, k), ==, expected[k]);
    }
  c.step_program = NULL;
  g_assert_cmpint (tsr_insight_get_step_cycles (&c, 0), ==, TSR_UNKNOWN);
}

/* -------------------------------------------------------- what a change saves */

/* saved(t) as the formula has it: every step, every row. */
static gint64
naive_saving (const Fixture *f, guint tile, const TsrInsightChange *change)
{
  const TsrInsightContext *c = &f->c;
  const TsrLoweredTables *lowered = c->lowered;
  gboolean told = TRUE, any = FALSE;
  gint64 before = 0, always = 0;
  double after = 0;

  for (gsize row = 0; row < lowered->n; row++)
    {
      if (lowered->tile[row] != tile)
        continue;
      told = told && is_told (lowered, row);
      if (c->entry[row] >= N_ENTRIES || !change->in[c->entry[row]])
        continue;
      if (!is_told (lowered, row))
        return TSR_UNKNOWN;
      if (lowered->always_live[row] == 1)
        always += lowered->size[row];
      else
        any = TRUE;
    }
  if (any && !told)
    return TSR_UNKNOWN;
  for (guint k = 0; any && k < c->n_steps; k++)
    {
      gint64 now = 0;
      double left = 0;

      for (gsize row = 0; row < lowered->n; row++)
        {
          const guint32 class = lowered->equivalence_class[row];

          if (lowered->tile[row] != tile || class >= lowered->n_classes)
            continue;
          for (gsize i = lowered->interval_start[class]; i < lowered->interval_start[class + 1];
               i++)
            {
              const guint from = lowered->interval_from[i], to = lowered->interval_to[i];
              const guint cut = (guint)ceil (change->trim * (to - from));
              const gboolean goes = c->entry[row] < N_ENTRIES && change->in[c->entry[row]]
                                    && to - from >= change->least && k >= from + cut
                                    && k + cut < to;

              if (k < from || k >= to)
                continue;
              now += lowered->size[row];
              left += goes ? lowered->size[row] * (1 - change->factor) : lowered->size[row];
            }
        }
      before = MAX (before, now);
      after = MAX (after, left);
    }
  return (gint64)(change->factor * (double)always + (double)before - after);
}

static void
compare_savings (const Fixture *f, const TsrInsightChange *change)
{
  gint64 worst = 0, all = 0, sum = 0;

  g_assert_true (tsr_insight_get_saving (&f->c, change, &worst, &all));
  for (guint t = 0; t < f->c.lowered->n_tiles; t++)
    {
      const gint64 saved = naive_saving (f, t, change);

      sum = sum == TSR_UNKNOWN || saved == TSR_UNKNOWN ? TSR_UNKNOWN : sum + saved;
      if (t == f->c.worst)
        g_assert_cmpint (worst, ==, saved);
    }
  if (f->c.worst >= f->c.lowered->n_tiles)
    g_assert_cmpint (worst, ==, TSR_UNKNOWN);
  g_assert_cmpint (all, ==, sum);
}

static void
test_savings (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint seed = 0; seed < 150; seed++)
    {
      g_autoptr (Fixture) f = make_lives (seed);
      guint8 in[N_ENTRIES];

      for (guint v = 0; v < N_ENTRIES; v++)
        in[v] = (guint8)g_rand_int_range (rand, 0, 2);
      compare_savings (f, &(TsrInsightChange){ in, 1, 0, 0 });
      compare_savings (f, &(TsrInsightChange){ in, 0.5, 0, 0 });
      compare_savings (f, &(TsrInsightChange){ in, 1, 4, 0.01 });
      compare_savings (f, &(TsrInsightChange){ in, 1, 0, 0.3 });
      compare_savings (f, &(TsrInsightChange){ in, 1, 0, 0.6 }); /* nothing is left between */
    }
}

/* Without lowered variables there is nothing to stop for; else it stops where it is told to. */
static void
test_no_saving (void)
{
  g_autoptr (Fixture) f = make_lives (1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const guint8 in[N_ENTRIES] = { 1, 1, 1, 1, 1, 1 };
  const TsrInsightChange change = { in, 1, 0, 0 };
  gint64 worst = 0, all = 0;

  g_cancellable_cancel (cancellable);
  f->c.cancellable = cancellable;
  g_assert_false (tsr_insight_get_saving (&f->c, &change, &worst, &all));
  for (guint i = 0; i < 2; i++)
    {
      f->c.lowered = i == 0 ? NULL : &f->lowered;
      f->c.entry = i == 0 ? f->c.entry : NULL;
      worst = all = 0;
      g_assert_true (tsr_insight_get_saving (&f->c, &change, &worst, &all));
      g_assert_cmpint (worst, ==, TSR_UNKNOWN);
      g_assert_cmpint (all, ==, TSR_UNKNOWN);
      g_assert_true (tsr_insight_context_look_at_worst (&f->c, NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/savings/lives", test_lives);
  g_test_add_func ("/insights/savings/lifetimes", test_lifetimes);
  g_test_add_func ("/insights/savings/step-cycles", test_step_cycles);
  g_test_add_func ("/insights/savings/savings", test_savings);
  g_test_add_func ("/insights/savings/no-saving", test_no_saving);
  return g_test_run ();
}
