/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule fp32-at-peak at and beside each of its thresholds, on lowered variables made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
test_fp32 (void)
{
  g_autoptr (Fixture) f = fixture_new_lives ();
  guint32 x = fixture_variable (f, "layer/out", "float", TSR_LIFE_TEMPORARY);
  guint32 w = fixture_variable (f, "weights", "float", TSR_LIFE_ALWAYS);
  guint32 half = fixture_variable (f, "half", "half", TSR_LIFE_TEMPORARY);
  guint32 norm = fixture_variable (f, "batchNorm/mean", "float", TSR_LIFE_ALWAYS);
  TsrVerdict v;

  /* Halving moves the peak from step 10 (12000) to step 60 (9000): 3000 and not 6000. */
  fixture_row (f, 1, 12000, x, 10, 11);
  fixture_row (f, 1, 9000, half, 60, 61);
  fixture_row (f, 1, 1000, w, 0, 0);
  fixture_row (f, 1, 700, norm, 0, 0);
  fixture_row (f, 0, 600, w, 0, 0);
  fixture_finish (f, FIXTURE_STEPS);
  g_assert_cmpint (fixture_check (f, "fp32-at-peak", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 3500);
  g_assert_cmpint (v.finding->bytes, ==, 3800);
  g_assert_cmpuint (v.finding->evidence->len, ==, 2);
  g_assert_cmpint (g_array_index (v.finding->evidence, TsrEvidence, 0).bytes, ==, 12000);
  g_assert_cmpint (g_array_index (v.finding->evidence, TsrEvidence, 1).bytes, ==, 1000);
  g_assert_nonnull (strstr (v.finding->text, "batchNorm/mean"));
  g_assert_cmpuint (tsr_insight_count_tiles (&f->c, w), ==, 2);
  tsr_verdict_clear (&v);
}

/* Where nothing is live, nothing is a share of it. */
static void
test_nothing_live (void)
{
  g_autoptr (Fixture) f = fixture_new_lives ();
  TsrVerdict v;

  fixture_row (f, 1, 0, fixture_variable (f, "layer/out", "float", TSR_LIFE_TEMPORARY), 10, 11);
  fixture_finish (f, FIXTURE_STEPS);
  g_assert_cmpint (fixture_check (f, "fp32-at-peak", &v), ==, TSR_RULE_FINE);
  g_assert_true (g_str_has_prefix (v.text, "0 B on tile 1 (0.0 %, and 0.0 % of"));
  tsr_verdict_clear (&v);
}

/* @size of FP32 on the worst tile, @half of something else; @need that does not fit. */
static TsrRuleResult
check_fp32 (guint size, guint half, const char *type, gint64 need, TsrFindingSeverity *severity)
{
  g_autoptr (Fixture) f = fixture_new_lives ();
  guint32 x = fixture_variable (f, "layer/out", type, TSR_LIFE_TEMPORARY);
  guint32 y = fixture_variable (f, "other", type != NULL ? "half" : NULL, TSR_LIFE_TEMPORARY);
  TsrRuleResult result;
  TsrVerdict v;

  fixture_row (f, 1, size, x, 10, 20);
  fixture_row (f, 1, half, y, 60, 61);
  f->ovf[1] = need;
  fixture_finish (f, FIXTURE_STEPS);
  result = fixture_check (f, "fp32-at-peak", &v);
  if (severity != NULL)
    *severity = v.finding->severity;
  tsr_verdict_clear (&v);
  return result;
}

static void
test_fp32_guards (void)
{
  TsrFindingSeverity severity;

  g_assert_cmpint (check_fp32 (5000, 100, "float", 0, &severity), ==, TSR_RULE_FIRED);
  g_assert_cmpint (severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (check_fp32 (4999, 100, "float", 0, NULL), ==, TSR_RULE_FINE);
  g_assert_cmpint (check_fp32 (5000, 100, "half", 0, NULL), ==, TSR_RULE_FINE);
  g_assert_cmpint (check_fp32 (5000, 100, NULL, 0, NULL), ==, TSR_RULE_NOT_CHECKED);
  /* Half of 5000 covers a need of 2500. */
  g_assert_cmpint (check_fp32 (5000, 100, "float", 2500, &severity), ==, TSR_RULE_FIRED);
  g_assert_cmpint (severity, ==, TSR_FINDING_WARNING);
  g_assert_cmpint (check_fp32 (5000, 100, "float", 2501, &severity), ==, TSR_RULE_FIRED);
  g_assert_cmpint (severity, ==, TSR_FINDING_ADVICE);
}

/* A tenth of what is live at the peak, and a byte less; temporaries that live at other steps do not
 * count, however many they are. */
static void
test_fp32_of_peak (void)
{
  static const guint others[] = { 45000, 45001 };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Fixture) f = fixture_new_lives ();
      guint32 x = fixture_variable (f, "layer/out", "float", TSR_LIFE_TEMPORARY);
      guint32 y = fixture_variable (f, "other", "half", TSR_LIFE_TEMPORARY);
      guint32 code = fixture_variable (f, "code", NULL, TSR_LIFE_ALWAYS);
      TsrVerdict v;

      g_array_index (f->variables, TsrInsightVariable, code).compiler_made = TRUE;
      fixture_row (f, 1, 5000, x, 10, 11);
      fixture_row (f, 1, 20000, code, 0, 0);
      fixture_row (f, 1, others[i] - 20000, y, 10, 11);
      for (guint k = 20; k < 60; k++)
        fixture_row (f, 1, 24000, y, k, k + 1);
      fixture_finish (f, FIXTURE_STEPS);
      g_assert_cmpint (fixture_check (f, "fp32-at-peak", &v), ==,
                       i == 0 ? TSR_RULE_FIRED : TSR_RULE_FINE);
      if (i == 1)
        g_assert_nonnull (strstr (v.text, "(5.0 %, and 10 % of what is live)"));
      tsr_verdict_clear (&v);
    }
}

/* Three of those that usually stay FP32 are named, with the bytes of all of them; what is not live
 * at the peak is not there. */
static void
test_usually_kept (void)
{
  static const char *const names[] = { "loss", "norm", "running_mean", "seed" };

  for (guint n = 0; n <= 4; n++)
    {
      g_autoptr (Fixture) f = fixture_new_lives ();
      g_autoptr (GString) said = g_string_new (NULL);
      guint bytes = 0;
      TsrVerdict v;

      fixture_row (f, 1, 500, fixture_variable (f, "half", "half", TSR_LIFE_TEMPORARY), 10, 11);
      fixture_row (f, 1, 1, fixture_variable (f, "c", "float", TSR_LIFE_TEMPORARY), 10, 11);
      fixture_row (f, 1, 9000, fixture_variable (f, "a", "float", TSR_LIFE_TEMPORARY), 10, 11);
      fixture_row (f, 1, 8000, fixture_variable (f, "b", "float", TSR_LIFE_TEMPORARY), 10, 11);
      fixture_row (f, 1, 7000, fixture_variable (f, "later", "float", TSR_LIFE_TEMPORARY), 60, 61);
      fixture_row (f, 1, 6000, fixture_variable (f, "norm2", "float", TSR_LIFE_TEMPORARY), 60, 61);
      for (guint i = 0; i < n; i++)
        {
          const guint size = n == 1 ? 1 : 40 - i;

          fixture_row (f, 1, size, fixture_variable (f, names[i], "float", TSR_LIFE_ALWAYS), 0, 0);
          bytes += size;
          if (i < 3)
            g_string_append_printf (said, "%s%s", i > 0 ? ", " : "", names[i]);
        }
      g_string_append_printf (said, ").");
      g_string_prepend (said, " B of it besides (");
      fixture_finish (f, FIXTURE_STEPS);
      g_assert_cmpint (fixture_check (f, "fp32-at-peak", &v), ==, TSR_RULE_FIRED);
      g_assert_true ((strstr (v.finding->text, "Usually kept in FP32") != NULL) == (n > 0));
      if (n > 0)
        {
          g_autofree char *all = g_strdup_printf (": %u%s", bytes, said->str);

          g_assert_nonnull (strstr (v.finding->text, all));
        }
      /* 17501 at step 10 against 13000 at step 60, of which nothing goes. */
      g_assert_cmpint (v.finding->bytes_worst_tile, ==, 4501);
      g_assert_cmpuint (g_strv_length (v.finding->where.names), ==, 3);
      g_assert_cmpuint (v.finding->evidence->len, ==, 3);
      g_assert_cmpuint (v.variables->len, ==, 3);
      g_assert_cmpstr (v.finding->where.names[2], ==, "c");
      for (guint i = 0; i < 2; i++)
        {
          const TsrEvidence *one = &g_array_index (v.finding->evidence, TsrEvidence, i);

          g_assert_cmpstr (one->name, ==, i == 0 ? "a" : "b");
          g_assert_cmpstr (v.finding->where.names[i], ==, one->name);
          g_assert_cmpfloat_with_epsilon (one->share, (9000 - 1000 * i) / 17001.0, 1e-12);
        }
      g_assert_cmpuint (v.finding->where.step, ==, 10);
      tsr_verdict_clear (&v);
    }
}

void
add_fp32_at_peak_tests (void)
{
  g_test_add_func ("/insight-rules/fp32-at-peak/nothing-live", test_nothing_live);
  g_test_add_func ("/insight-rules/fp32-at-peak/fp32", test_fp32);
  g_test_add_func ("/insight-rules/fp32-at-peak/fp32-guards", test_fp32_guards);
  g_test_add_func ("/insight-rules/fp32-at-peak/fp32-of-peak", test_fp32_of_peak);
  g_test_add_func ("/insight-rules/fp32-at-peak/usually-kept", test_usually_kept);
}
