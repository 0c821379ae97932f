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

  g_assert_nonnull (strstr (one, "6.25 KiB on each of 1."));
  g_assert_nonnull (strstr (few, "600 B on each of 15."));
  g_assert_nonnull (strstr (many, " 2 bytes in a cycle on each active tile"));
  g_assert_null (strstr (many, "on each of"));
  for (guint i = 0; i < 2; i++)
    {
      g_assert_null (strstr (i == 0 ? none : untold, "on each of"));
      g_assert_null (strstr (i == 0 ? none : untold, "bytes in a cycle"));
    }
}

void
add_exchange_bound_tests (void)
{
  g_test_add_func ("/insight-rules/exchange-bound/what-it-moves", test_what_it_moves);
  g_test_add_func ("/insight-rules/exchange-bound/exchange", test_exchange);
}
