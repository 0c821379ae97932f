/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule io-code-and-headers at and beside each of its thresholds, on code made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

static void
test_io_code (void)
{
  static const struct
  {
    gint64 headers, code, other;
    gint64 copies;
    TsrRuleResult result;
    gint64 saving;
  } cases[] = {
    { 1600, 2400, 0, 4, TSR_RULE_FIRED, TSR_UNKNOWN },
    { 1600, 2400, 0, 64, TSR_RULE_FIRED, 1400 },
    { 1600, 2400, 0, 8, TSR_RULE_FIRED, 0 },
    { 1600, 2400, 0, 7, TSR_RULE_FIRED, TSR_UNKNOWN },
    { 1600, 2399, 0, 64, TSR_RULE_FINE, 0 },
    { 1600, 1400, 3000, 16, TSR_RULE_FIRED, 800 },
    { 1600, 1400, 2999, 16, TSR_RULE_FINE, 0 },
    { 1600, 2400, 0, TSR_UNKNOWN, TSR_RULE_FIRED, TSR_UNKNOWN },
  };
  g_autoptr (Fixture) missing = fixture_new_pair (200000);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = fixture_new (2, FIXTURE_CAPACITY);
      TsrVerdict v;

      /* 200000 bytes in all, of which 3 % are 6000. */
      f->inc[0] = 99999;
      f->inc[1] = f->exc[0] = f->exc[1] = 100000;
      f->c.capacity = FIXTURE_CAPACITY;
      fixture_category (f, "hostExchangePacketHeader")[1] = cases[i].headers - 100;
      fixture_category (f, "globalExchangePacketHeader")[1] = 100;
      fixture_category (f, "hostExchangeCode")[1] = cases[i].code - 1;
      fixture_category (f, "globalExchangeCode")[1] = 1;
      fixture_category (f, "globalExchangeCode")[0] = cases[i].other;
      f->c.n_stream_copies = cases[i].copies;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "io-code-and-headers", &v), ==, cases[i].result);
      if (v.finding != NULL)
        {
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, cases[i].saving);
          g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
          /* The title says what made it fire: 4 % of a tile, or else the share of all tiles. */
          g_assert_cmpint (strstr (v.finding->title, "on tile 1") != NULL, ==,
                           (cases[i].headers + cases[i].code) * 25 >= FIXTURE_CAPACITY
                               || (cases[i].headers + cases[i].code + cases[i].other) * 100
                                      < 3 * 200000);
        }
      tsr_verdict_clear (&v);
    }
  fixture_finish (missing, 0);
  g_assert_cmpint (fixture_result (missing, "io-code-and-headers"), ==, TSR_RULE_NOT_CHECKED);
}

/* Of all tiles, and parts of what the worst tile has, which may be nothing. */
static void
test_parts (void)
{
  static const char *const names[] = { "hostExchangePacketHeader", "globalExchangePacketHeader",
                                       "hostExchangeCode", "globalExchangeCode" };

  for (guint i = 0; i < 3; i++)
    {
      const gint64 bytes = i == 0 ? 0 : i == 1 ? 1 : 10000;
      g_autoptr (Fixture) f = fixture_new_pair (60000);
      TsrVerdict v;

      for (guint k = 0; k < 4; k++)
        {
          fixture_category (f, names[k])[0] = 1000 + k;
          fixture_category (f, names[k])[1] = bytes * (k + 1) / 10;
        }
      fixture_category (f, names[3])[1] += i == 1;
      f->c.n_stream_copies = 16;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "io-code-and-headers", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpint (v.finding->bytes, ==, (2001 + (i == 2 ? 3000 : 0)) / 2);
      g_assert_cmpint (v.finding->bytes_worst_tile, ==, i == 2 ? 1500 : 0);
      g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_ESTIMATE);
      g_assert_cmpint (v.about, ==, TSR_ABOUT_IO_CODE);
      g_assert_cmpstr (v.finding->where.tab, ==, "exchanges");
      for (guint k = 0; k < 4; k++)
        {
          const TsrEvidence *one = &g_array_index (v.finding->evidence, TsrEvidence, k);

          g_assert_cmpstr (one->name, ==, names[k]);
          g_assert_cmpfloat_with_epsilon (one->share,
                                          i == 0   ? 0
                                          : i == 1 ? k == 3
                                                   : (k + 1) * 0.1,
                                          1e-12);
        }
      tsr_verdict_clear (&v);
    }
}

void
add_io_code_and_headers_tests (void)
{
  g_test_add_func ("/insight-rules/io-code-and-headers/io-code", test_io_code);
  g_test_add_func ("/insight-rules/io-code-and-headers/parts", test_parts);
}
