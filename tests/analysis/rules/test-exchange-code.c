/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule exchange-code at and beside each of its thresholds, on code made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
add_exchange (Fixture *f, const char *name, gint64 on_worst, gint64 total, guint32 group)
{
  const TsrInsightExchange exchange = { name, 0, TRUE, total, on_worst, group, g_new0 (gint64, 1) };

  if (f->c.exchanges == NULL)
    f->c.exchanges = g_array_new (FALSE, FALSE, sizeof (TsrInsightExchange));
  g_array_append_val (f->c.exchanges, exchange);
  f->c.n_exchange_groups = MAX (f->c.n_exchange_groups, group + 1);
}

static void
test_exchange_code (void)
{
  static const struct
  {
    gint64 worst, other;
    TsrRuleResult result;
  } cases[] = {
    { 10000, 0, TSR_RULE_FIRED },
    { 9999, 10000, TSR_RULE_FINE },  /* 19999 of 100000 in all */
    { 9999, 10001, TSR_RULE_FIRED }, /* a fifth of all memory */
  };
  TsrVerdict v;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = fixture_new_pair (100000);

      fixture_category (f, "internalExchangeCode")[1] = cases[i].worst;
      fixture_category (f, "internalExchangeCode")[0] = cases[i].other;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "exchange-code", &v), ==, cases[i].result);
      if (v.finding != NULL)
        {
          g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
          g_assert_cmpint (v.finding->bytes, ==, TSR_UNKNOWN);
        }
      tsr_verdict_clear (&v);
    }
}

static void
test_exchange_severity (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Fixture) f = fixture_new (2, FIXTURE_CAPACITY);
      TsrVerdict v;

      fixture_fill (f, 1000, 1000);
      f->inc[1] = f->exc[1] = 80000 - i;
      fixture_category (f, "internalExchangeCode")[1] = 20000;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "exchange-code", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpint (v.finding->severity, ==, i == 0 ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
      tsr_verdict_clear (&v);
    }
}

/* 27 equal exchanges, three equal ones, and one that its callers call 27 times. */
static void
test_exchange_groups (void)
{
  g_autoptr (Fixture) many = fixture_new_pair (60000);
  g_autoptr (Fixture) one = fixture_new_pair (60000);
  g_autoptr (Fixture) missing = fixture_new_pair (60000);
  TsrVerdict v;

  fixture_category (many, "internalExchangeCode")[1] = 20000;
  fixture_finish (many, 0);
  for (guint i = 0; i < 27; i++)
    add_exchange (many, "a/0/ExchangePre", 100, 250, 0);
  for (guint i = 0; i < 3; i++)
    add_exchange (many, "b/0/ExchangePre", 50, 60, 1);
  g_assert_cmpint (fixture_check (many, "exchange-code", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 26 * 100);
  g_assert_cmpint (v.finding->bytes, ==, 26 * 250);
  g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_UPPER_BOUND);
  g_assert_cmpuint (v.finding->evidence->len, ==, 5);
  g_assert_cmpstr (v.finding->where.tab, ==, "exchanges");
  tsr_verdict_clear (&v);

  fixture_category (one, "internalExchangeCode")[1] = 20000;
  fixture_finish (one, 0);
  add_exchange (one, "a/ExchangePre", 2700, 5400, 0);
  g_assert_cmpint (fixture_check (one, "exchange-code", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, TSR_UNKNOWN);
  g_assert_cmpint (v.finding->bytes, ==, TSR_UNKNOWN);
  tsr_verdict_clear (&v);

  fixture_finish (missing, 0);
  g_assert_cmpint (fixture_result (missing, "exchange-code"), ==, TSR_RULE_NOT_CHECKED);
}

/* Random groups of equal exchanges among others, in any order. */
static void
test_random_groups (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (guint round = 0; round < 200; round++)
    {
      const gint64 bytes = round % 2 == 0 ? 20000 : 0;
      g_autoptr (Fixture) f = fixture_new_pair (60000);
      g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
      guint members[3] = { 0 }, first[3] = { 0 }, n = 1 + round % 16, best = 3, n_evidence = 0;
      gint64 sizes[3], worst = TSR_UNKNOWN, all = TSR_UNKNOWN, most = -1;
      TsrVerdict v;

      fixture_category (f, "internalExchangeCode")[1] = bytes;
      fixture_category (f, "internalExchangeCode")[0] = 20000 - bytes;
      fixture_finish (f, 0);
      for (guint g = 0; g < 3; g++)
        sizes[g] = 10 * g_rand_int_range (rand, 0, 4);
      for (guint i = 0; i < n; i++)
        {
          const guint g = (guint)g_rand_int_range (rand, 0, 4);

          g_ptr_array_add (names, g_strdup_printf ("e%u", i));
          add_exchange (f, names->pdata[i], g < 3 ? sizes[g] : 70, g < 3 ? 2 * sizes[g] : 70,
                        g < 3 ? g : TSR_NO_INDEX);
          g_array_index (f->c.exchanges, TsrInsightExchange, i).internal = g < 3;
          if (g < 3 && members[g]++ == 0)
            first[g] = i;
        }
      for (guint g = 0; g < 3; g++)
        if (members[g] >= 4)
          {
            const gint64 saving = (members[g] - 1) * sizes[g];

            worst = MAX (worst, 0) + saving;
            all = MAX (all, 0) + 2 * saving;
            if (saving > most)
              {
                most = saving;
                best = g;
              }
          }
      g_assert_cmpint (fixture_check (f, "exchange-code", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpint (v.finding->bytes_worst_tile, ==, worst);
      g_assert_cmpint (v.finding->bytes, ==, all);
      g_assert_cmpint (v.about, ==, TSR_ABOUT_EXCHANGE_CODE);
      g_assert_true ((strstr (v.finding->text, "have equal code") != NULL) == (best < 3));
      if (best < 3)
        {
          g_autofree char *said = g_strdup_printf (
              "  %u exchanges like e%u have equal code: repeated or outlined once, up to %d B less",
              members[best], first[best], (int)worst);

          g_assert_nonnull (strstr (v.finding->text, said));
        }
      for (guint i = 0; i < n; i++)
        {
          const TsrInsightExchange *one = &g_array_index (f->c.exchanges, TsrInsightExchange, i);
          const TsrEvidence *evidence;

          if (!one->internal || one->on_worst == 0)
            continue;
          g_assert_cmpstr (v.finding->where.names[n_evidence], ==, one->name);
          if (n_evidence++ >= 5)
            continue;
          evidence = &g_array_index (v.finding->evidence, TsrEvidence, n_evidence - 1);
          g_assert_cmpstr (evidence->name, ==, one->name);
          g_assert_cmpfloat (evidence->share, ==, (double)one->on_worst / (double)MAX (bytes, 1));
        }
      g_assert_cmpuint (v.finding->evidence->len, ==, MIN (n_evidence, 5));
      tsr_verdict_clear (&v);
    }
}

void
add_exchange_code_tests (void)
{
  g_test_add_func ("/insight-rules/exchange-code/exchange-code", test_exchange_code);
  g_test_add_func ("/insight-rules/exchange-code/exchange-severity", test_exchange_severity);
  g_test_add_func ("/insight-rules/exchange-code/exchange-groups", test_exchange_groups);
  g_test_add_func ("/insight-rules/exchange-code/random-groups", test_random_groups);
}
