/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule exchange-bound at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

#include <string.h>

static Bed *
make_exchange (gint64 exchange, gint64 work, gint64 rest)
{
  Bed *bed = bed_new (1, 1);

  bed_compute (bed, 0, "model/layer1/conv/Convolve", work, 1, 100);
  bed_run (bed, 0, "DoExchange", "model/layer1/conv/ExchangePre", exchange)->active_tiles = 8;
  bed_compute (bed, 0, "model/layer2/conv/Convolve", rest, 1, 100);
  return bed;
}

static void
test_exchange (void)
{
  g_autoptr (Bed) fires = make_exchange (5100, 4900, 40000);
  g_autoptr (Bed) below = make_exchange (4900, 5100, 40000);
  g_autoptr (Bed) small = make_exchange (290, 10, 9710);
  g_autoptr (Bed) whole = make_exchange (3500, 6500, 1);
  g_autoptr (Bed) reference = make_exchange (158, 434, 1);
  TsrVerdict v;

  g_assert_cmpint (bed_check (fires, "exchange-bound", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "model/layer1 spends"));
  g_assert_cmpint (v.finding->cycles, ==, 5100 - 2500);
  g_assert_cmpint (bed_evidence (&v, 0)->cycles, ==, 5100);
  g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_ESTIMATE);
  tsr_verdict_clear (&v);
  g_assert_cmpint (bed_result (below, "exchange-bound"), ==, TSR_RULE_FINE);
  g_assert_cmpint (bed_result (small, "exchange-bound"), ==, TSR_RULE_FINE);
  g_assert_cmpint (bed_result (reference, "exchange-bound"), ==, TSR_RULE_FINE);
  /* 3500 of 10,001: just below 35 %. */
  g_assert_cmpint (bed_result (whole, "exchange-bound"), ==, TSR_RULE_FINE);
  {
    g_autoptr (Bed) run_fires = make_exchange (3501, 6500, 1);

    g_assert_cmpint (bed_result (run_fires, "exchange-bound"), ==, TSR_RULE_FIRED);
  }
}

/* What the longest exchange moves, with @tiles that are active; 6400 bytes come, @out go. */
static char *
dup_exchange_text (gint64 tiles, gint64 out)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TraceTestSlice *slice;
  TsrVerdict v;
  char *text;

  bed_compute (bed, 0, "model/layer1/conv/Convolve", 4900, 1, 100);
  slice = bed_run (bed, 0, "DoExchange", "model/layer1/conv/ExchangePre", 5000);
  slice->active_tiles = tiles;
  slice->data_in = 6400;
  slice->data_out = out;
  g_assert_cmpint (bed_check (bed, "exchange-bound", &v), ==, TSR_RULE_FIRED);
  text = g_strdup (v.finding->text);
  tsr_verdict_clear (&v);
  return text;
}

static void
test_what_it_moves (void)
{
  g_autofree char *one = dup_exchange_text (1, 100);
  g_autofree char *few = dup_exchange_text (15, 9000);
  g_autofree char *many = dup_exchange_text (16, 160000);
  g_autofree char *none = dup_exchange_text (0, 100);
  g_autofree char *untold = dup_exchange_text (TSR_UNKNOWN, 100);
  g_autofree char *no_data = dup_exchange_text (1, TSR_UNKNOWN);

  g_assert_nonnull (strstr (one, "6.25 KiB on each of 1."));
  g_assert_nonnull (strstr (few, "600 B on each of 15."));
  g_assert_nonnull (strstr (many, " 2 bytes in a cycle on each active tile"));
  g_assert_null (strstr (many, "on each of"));
  g_assert_null (strstr (no_data, "on each of"));
  for (guint i = 0; i < 2; i++)
    {
      g_assert_null (strstr (i == 0 ? none : untold, "on each of"));
      g_assert_null (strstr (i == 0 ? none : untold, "bytes in a cycle"));
    }
}

/* Random groups on two IPUs: what each could save, the IPU that could save more, and what it says.
 */
static void
test_groups (void)
{
  static const gint64 sizes[] = { 0, 1, 290, 300, 700, 1000, 1300, 3000, 3001 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  guint n_fired = 0;

  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (Bed) bed = bed_new (2, 2);
      gint64 exchange[2][8], work[2][8], all[2][2] = { { 0 } }, above[2] = { 0 }, firing[2] = { 0 };
      guint worst[2] = { 8, 8 }, best, n = (guint)g_rand_int_range (rand, 2, 9);
      gboolean run[2];
      TsrVerdict v;

      for (guint ipu = 0; ipu < 2; ipu++)
        for (guint i = 0; i < n; i++)
          {
            g_autofree char *name = g_strdup_printf ("m/p%u/x", i);
            TraceTestSlice *slice;

            exchange[ipu][i] = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
            work[ipu][i] = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
            if (i > 0 && ipu == 1 && round % 3 == 0) /* equal ones */
              {
                exchange[1][i] = exchange[0][i];
                work[1][i] = work[0][i];
              }
            bed_compute (bed, ipu, name, work[ipu][i], 1, 100);
            bed_run (bed, ipu, "Sync", "Internal", i % 2);
            slice = bed_run (bed, ipu, "DoExchange", name, exchange[ipu][i]);
            slice->data_in = 10 * i;
            slice->data_out = 1;
            all[ipu][0] += exchange[ipu][i];
            all[ipu][1] += work[ipu][i];
          }
      if (bed->now[0] == 0 || bed->now[1] == 0)
        continue;
      for (guint ipu = 0; ipu < 2; ipu++)
        {
          const gint64 whole = all[ipu][0] + all[ipu][1];

          for (guint i = 0; i < n; i++)
            if (100 * exchange[ipu][i] >= 3 * MAX (bed->now[0], bed->now[1])
                && 2 * exchange[ipu][i] >= exchange[ipu][i] + work[ipu][i])
              {
                firing[ipu] += exchange[ipu][i];
                above[ipu] += (3 * exchange[ipu][i] - work[ipu][i]) / 4;
                if (worst[ipu] == 8 || exchange[ipu][i] > exchange[ipu][worst[ipu]])
                  worst[ipu] = i;
              }
          run[ipu] = 20 * all[ipu][0] >= 7 * whole;
          if (run[ipu])
            above[ipu] = MAX (above[ipu], (4 * all[ipu][0] - whole) / 4);
        }
      best = above[1] > above[0] || (above[1] == above[0] && all[1][0] > all[0][0]);
      if (bed_check (bed, "exchange-bound", &v) == TSR_RULE_FIRED)
        {
          const double span = (double)MAX (bed->now[0], bed->now[1]);
          g_autofree char *scope = g_strdup_printf ("ipu%u", best);
          g_autofree char *spends
              = g_strdup_printf ("m/p%u spends %" G_GINT64_FORMAT " ", worst[best],
                                 worst[best] < 8 ? exchange[best][worst[best]] : 0);
          g_autofree char *title = g_strdup_printf (
              "Exchanges take %s of the run",
              tsr_insight_percent (&bed->c,
                                   (double)(run[best] ? all[best][0] : firing[best]) / span));
          g_autofree char *on = g_strdup_printf ("on IPU %u exchanging.", best);
          gint64 last = G_MAXINT64;

          g_assert_cmpstr (v.finding->scope, ==, scope);
          g_assert_cmpint (v.finding->cycles, ==, above[best]);
          g_assert_cmpstr (v.finding->title, ==, title);
          g_assert_true ((strstr (v.finding->text, "m/p") != NULL) == (worst[best] < 8));
          if (worst[best] < 8 && exchange[best][worst[best]] < 1000)
            g_assert_nonnull (strstr (v.finding->text, spends));
          g_assert_true ((strstr (v.finding->text, on) != NULL) == run[best]);
          g_assert_true ((strstr (v.finding->text, " spends ") != NULL)
                         == (run[best] || worst[best] < 8));
          for (guint i = 0; i < v.finding->evidence->len; i++)
            {
              const char *name = bed_evidence (&v, i)->name;

              g_assert_cmpstr (name, ==, v.finding->where.names[i]);
              g_assert_cmpint (bed_evidence (&v, i)->cycles, ==,
                               exchange[best][g_ascii_digit_value (name[3])]);
              g_assert_cmpint (bed_evidence (&v, i)->bytes, ==,
                               10 * g_ascii_digit_value (name[3]) + 1);
              g_assert_cmpint (bed_evidence (&v, i)->cycles, <=, last);
              last = bed_evidence (&v, i)->cycles;
            }
          g_assert_cmpuint (g_strv_length (v.finding->where.names), ==, v.finding->evidence->len);
          n_fired++;
        }
      else
        g_assert_false (firing[best] > 0 || run[best]);
      tsr_verdict_clear (&v);
    }
  g_assert_cmpuint (n_fired, >, 100);
}

/* No step of either kind, and a single cycle. */
static void
test_hardly_any (void)
{
  g_autoptr (Bed) none = bed_new (1, 1);
  g_autoptr (Bed) one = bed_new (1, 1);
  TsrVerdict v;

  bed_run (none, 0, "Sync", "Internal", 100);
  g_assert_cmpint (bed_check (none, "exchange-bound", &v), ==, TSR_RULE_FINE);
  g_assert_true (g_str_has_prefix (v.text, "Exchanges are 0.0 % of"));
  tsr_verdict_clear (&v);
  bed_run (one, 0, "DoExchange", "m/a", 1);
  g_assert_cmpint (bed_result (one, "exchange-bound"), ==, TSR_RULE_FIRED);
}

void
add_exchange_bound_tests (void)
{
  g_test_add_func ("/insight-rules/exchange-bound/what-it-moves", test_what_it_moves);
  g_test_add_func ("/insight-rules/exchange-bound/exchange", test_exchange);
  g_test_add_func ("/insight-rules/exchange-bound/groups", test_groups);
  g_test_add_func ("/insight-rules/exchange-bound/hardly-any", test_hardly_any);
}
