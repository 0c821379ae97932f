/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule out-of-memory at and beside each of its thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
test_out_of_memory (void)
{
  g_autoptr (Fixture) over = fixture_new_tiles (50000, FIXTURE_CAPACITY + 1);
  g_autoptr (Fixture) full = fixture_new_tiles (FIXTURE_CAPACITY, FIXTURE_CAPACITY);
  g_autoptr (Fixture) overflowed = fixture_new_tiles (50000, 50000);
  TsrVerdict v;

  fixture_finish (over, 0);
  g_assert_cmpint (over->c.fit, ==, TSR_OUT_OF_MEMORY);
  g_assert_cmpint (fixture_check (over, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ERROR);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 1);
  g_assert_cmpint (v.finding->bytes, ==, 1);
  g_assert_cmpuint (v.finding->where.n_tiles, ==, 1);
  g_assert_cmpuint (v.finding->where.tiles[0], ==, 3);
  g_assert_nonnull (strstr (v.finding->text, "If spread evenly"));
  tsr_verdict_clear (&v);

  /* Exactly full everywhere fits. */
  fixture_finish (full, 0);
  g_assert_cmpint (full->c.fit, ==, TSR_FITS);
  g_assert_cmpint (fixture_result (full, "out-of-memory"), ==, TSR_RULE_FINE);

  /* What overflowed counts although the extent is small; the largest need comes first. */
  overflowed->ovf[7] = 9;
  overflowed->ovf[8] = 11;
  overflowed->ovf[9] = 11;
  fixture_finish (overflowed, 0);
  g_assert_cmpuint (overflowed->c.n_critical, ==, 3);
  g_assert_cmpuint (overflowed->c.critical[0], ==, 8);
  g_assert_cmpuint (overflowed->c.critical[1], ==, 9);
  g_assert_cmpuint (overflowed->c.critical[2], ==, 7);
  g_assert_cmpint (fixture_check (overflowed, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 11);
  g_assert_cmpint (v.finding->bytes, ==, 31);
  tsr_verdict_clear (&v);
}

/* Which of the sentences about an even spread it is. */
static void
test_would_fit (void)
{
  g_autoptr (Fixture) even = fixture_new_tiles (95000, FIXTURE_CAPACITY + 16 * 100000);
  g_autoptr (Fixture) gaps = fixture_new_tiles (96000, FIXTURE_CAPACITY + 1);
  g_autoptr (Fixture) unknown = fixture_new_tiles (96000, FIXTURE_CAPACITY + 1);
  TsrVerdict v;

  fixture_finish (even, 0);
  g_assert_cmpint (fixture_check (even, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "does not fit even if spread evenly"));
  tsr_verdict_clear (&v);
  fixture_fill (gaps, 96000, 90000);
  gaps->inc[3] = FIXTURE_CAPACITY + 1;
  fixture_finish (gaps, 0);
  g_assert_cmpint (fixture_check (gaps, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "Excluding gaps it would fit"));
  tsr_verdict_clear (&v);

  /* One tile that is not told: it does not fit all the same, and no sum is made up. */
  unknown->inc[5] = unknown->ovf[5] = TSR_UNKNOWN;
  fixture_finish (unknown, 0);
  g_assert_cmpint (unknown->c.fit, ==, TSR_OUT_OF_MEMORY);
  g_assert_cmpint (fixture_check (unknown, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes, ==, TSR_UNKNOWN);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 1);
  tsr_verdict_clear (&v);
}

/* The sentence about an even spread, and the five largest variables at the peak, of small tiles at
 * and beside what they have. */
static void
test_sentences (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint round = 0; round < 500; round++)
    {
      const guint n = (guint)g_rand_int_range (rand, 2, 5), n_held = round % 9;
      g_autoptr (Fixture) f = fixture_new (n, 100);
      g_autoptr (GString) names = g_string_new (NULL);
      gboolean without_gaps = TRUE;
      guint n_named = 0;
      gint64 sum = 0;
      const char *said;
      TsrVerdict v;

      for (guint t = 0; t < n; t++)
        {
          const gint64 drawn = g_rand_int_range (rand, 98, 102);

          f->inc[t] = t == 0 ? 101 + (gint)(round % 3) : g_rand_int_range (rand, 88, 102);
          f->exc[t] = MIN (f->inc[t], drawn);
          without_gaps = without_gaps && f->exc[t] <= 100;
          sum += f->inc[t];
        }
      /* Largest first; of what the compiler made only what is live at the peak. */
      for (guint i = 0; i < n_held; i++)
        {
          static const char *const all[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
          const guint32 of = fixture_variable (f, all[i], "half", TSR_LIFE_ALWAYS);
          const gboolean made = g_rand_boolean (rand), peak = g_rand_boolean (rand);
          const guint size = i == 7 ? 0 : 40 - 5 * i;

          g_array_index (f->variables, TsrInsightVariable, of).compiler_made = made;
          fixture_row (f, 0, size, of, peak ? 10 : 0, peak ? 20 : 0);
          if (size > 0 && (peak || !made) && n_named++ < 5)
            g_string_append_printf (names, "%s%s (%u B)", names->len > 0 ? ", " : "", all[i], size);
        }
      f->ovf[0] = 50;
      fixture_finish (f, FIXTURE_STEPS);
      g_assert_cmpint (fixture_check (f, "out-of-memory", &v), ==, TSR_RULE_FIRED);
      said = sum * 100 <= 95 * 100 * n ? "If spread evenly it would fit"
             : without_gaps            ? "Excluding gaps it would fit on every tile"
             : sum > 100 * n           ? "It does not fit even if spread evenly"
                                       : "Even if spread evenly hardly anything would be free";
      g_assert_nonnull (strstr (v.finding->text, said));
      if (sum > 100 * n && !without_gaps)
        {
          g_autofree char *more
              = g_strdup_printf (": %" G_GINT64_FORMAT " B too much", sum - 100 * n);

          g_assert_nonnull (strstr (v.finding->text, more));
        }
      g_assert_cmpuint (v.finding->where.step, ==, n_named > 0 ? f->c.worst_peak : TSR_NO_INDEX);
      g_string_append (names, ".");
      g_assert_true ((strstr (v.finding->text, "Largest variables at its peak: ") != NULL)
                     == (n_named > 0));
      if (n_named > 0)
        g_assert_nonnull (strstr (v.finding->text, names->str));
      g_assert_cmpuint (v.finding->where.names != NULL ? g_strv_length (v.finding->where.names) : 0,
                        ==, MIN (n_named, 5));
      tsr_verdict_clear (&v);
    }
}

void
add_out_of_memory_tests (void)
{
  g_test_add_func ("/insight-rules/out-of-memory/out-of-memory", test_out_of_memory);
  g_test_add_func ("/insight-rules/out-of-memory/would-fit", test_would_fit);
  g_test_add_func ("/insight-rules/out-of-memory/sentences", test_sentences);
}
