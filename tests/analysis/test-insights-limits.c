/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All rules at once: what is not told, sizes that no sum can hold, and every threshold by its name.
 */

#include "config.h"

#include "insight-fixture.h"

#include <string.h>

static void
test_fit_unknown (void)
{
  g_autoptr (Fixture) one = fixture_new_tiles (50000, 60000);
  g_autoptr (Fixture) capacity = fixture_new_tiles (50000, 60000);
  g_autoptr (Fixture) none = fixture_new (0, FIXTURE_CAPACITY);
  static const char *const rules[]
      = { "out-of-memory", "near-capacity", "tile-imbalance", "gaps-on-full-tiles" };

  one->inc[5] = one->ovf[5] = TSR_UNKNOWN;
  fixture_finish (one, 0);
  g_assert_cmpint (one->c.fit, ==, TSR_FIT_UNKNOWN);
  g_assert_cmpint (fixture_result (one, "out-of-memory"), ==, TSR_RULE_NOT_CHECKED);
  g_assert_cmpint (fixture_result (one, "near-capacity"), ==, TSR_RULE_NOT_CHECKED);
  g_assert_cmpint (fixture_result (one, "tile-imbalance"), ==, TSR_RULE_NOT_CHECKED);
  /* The fullest tile that is told is what this one looks at. */
  g_assert_cmpint (fixture_result (one, "gaps-on-full-tiles"), ==, TSR_RULE_FINE);

  capacity->c.capacity = TSR_UNKNOWN;
  capacity->c.ovf = NULL;
  fixture_finish (capacity, 0);
  fixture_finish (none, 0);
  g_assert_cmpint (none->c.fit, ==, TSR_FIT_UNKNOWN);
  g_assert_cmpuint (none->c.worst, ==, TSR_NO_INDEX);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_assert_cmpint (fixture_result (capacity, rules[i]), ==, TSR_RULE_NOT_CHECKED);
      g_assert_cmpint (fixture_result (none, rules[i]), ==, TSR_RULE_NOT_CHECKED);
    }
}

/* The tiles of @values with most, at most five, the first of equal ones first. */
static guint
find_most (const gint64 *values, guint n, guint top[5])
{
  gboolean used[8] = { FALSE };
  guint n_top = 0;

  while (values != NULL && n_top < 5)
    {
      guint most = n;

      for (guint t = 0; t < n; t++)
        if (!used[t] && values[t] != TSR_UNKNOWN && (most == n || values[t] > values[most]))
          most = t;
      if (most == n)
        break;
      used[most] = TRUE;
      top[n_top++] = most;
    }
  return n_top;
}

static gint64
sum_all (const gint64 *values, guint n)
{
  gint64 sum = values != NULL && n > 0 ? 0 : TSR_UNKNOWN;

  for (guint t = 0; values != NULL && t < n; t++)
    sum = sum == TSR_UNKNOWN || values[t] == TSR_UNKNOWN ? TSR_UNKNOWN : sum + values[t];
  return sum;
}

/* The replica, each IPU and the fullest tiles. */
static void
check_scopes (const TsrInsightContext *c, const guint *top, guint n_top)
{
  const guint n_ipus = c->tiles_per_ipu > 0 ? c->n_ipus : 0;

  g_assert_cmpuint (c->n_listed_ipus, ==, n_ipus);
  g_assert_cmpuint (c->scopes->len, ==, 1 + n_ipus + n_top);
  for (guint i = 0; i < c->scopes->len; i++)
    {
      const TsrInsightScope *scope = &g_array_index (c->scopes, TsrInsightScope, i);
      const gboolean ipu = i > 0 && i <= n_ipus, tile = i > n_ipus;
      const guint index = ipu ? i - 1 : tile ? top[i - 1 - n_ipus] : 0;
      const guint first = ipu ? index * (guint)c->tiles_per_ipu : index;

      g_assert_cmpint (scope->kind, ==,
                       ipu    ? TSR_LIVENESS_IPU
                       : tile ? TSR_LIVENESS_TILES
                              : TSR_LIVENESS_ALL);
      g_assert_cmpuint (scope->index, ==, index);
      g_assert_cmpuint (scope->first, ==, first);
      g_assert_cmpuint (scope->end, ==,
                        ipu    ? MIN (first + (guint)c->tiles_per_ipu, c->n_tiles)
                        : tile ? first + 1
                               : c->n_tiles);
    }
}

/* Needs and sums, the fullest and the critical ones of random tiles; some are not told. */
static void
test_tiles (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);

  for (guint round = 0; round < 700; round++)
    {
      static const gint64 per_ipu[] = { TSR_UNKNOWN, 1, 2, 3, 8, 0 };
      const guint n = round % 9, odd = round % 2 * 9;
      const gint64 per = per_ipu[round % G_N_ELEMENTS (per_ipu)];
      g_autoptr (Fixture) f = fixture_new (n, round % 5 == 0 ? TSR_UNKNOWN : 10);
      TsrInsightContext *c = &f->c;
      guint top[8] = { 0 }, n_top, n_needing = 0, n_unknown = 0;
      gint64 needs[8];

      c->tiles_per_ipu = per;
      c->n_ipus = per > 0 ? (n + (guint)per - 1) / (guint)per : 1;
      for (guint t = 0; t < n; t++)
        {
          const gboolean lacks = g_rand_int_range (rand, 0, 6) == 0;

          f->inc[t] = g_rand_int_range (rand, 0, 20) < (gint)odd / 4
                          ? TSR_UNKNOWN
                          : g_rand_int_range (rand, 5, 11 + lacks);
          f->exc[t] = g_rand_int_range (rand, 0, 20) < (gint)odd / 9 ? TSR_UNKNOWN : t;
          f->ovf[t] = g_rand_int_range (rand, 0, 20) < (gint)odd
                          ? TSR_UNKNOWN
                          : g_rand_int_range (rand, -1, 1 + 2 * lacks);
          if (round % 3 > 0)
            fixture_category (f, "hostExchangeCode")[t] = 3 * t;
          if (round % 3 > 0)
            fixture_category (f, "vertexCode")[t] = 10 * t + 1;
        }
      c->ovf = round % 4 == 1 ? NULL : f->ovf;
      c->inc = round % 7 == 2 ? NULL : f->inc;
      c->exc = round % 8 == 3 ? NULL : f->exc;
      c->fullness = round % 10 == 4 ? f->exc : NULL;
      fixture_finish (f, 0);

      for (guint t = 0; t < n; t++)
        {
          needs[t] = c->ovf != NULL && c->ovf[t] != TSR_UNKNOWN ? MAX (c->ovf[t], 0) : TSR_UNKNOWN;
          if (c->inc != NULL && c->inc[t] != TSR_UNKNOWN && c->capacity != TSR_UNKNOWN)
            needs[t] = MAX (needs[t], MAX (c->inc[t] - c->capacity, 0));
          n_needing += needs[t] > 0;
          n_unknown += needs[t] == TSR_UNKNOWN;
          g_assert_cmpint (c->need[t], ==, needs[t]);
          g_assert_cmpuint (tsr_insight_get_ipu (c, t), ==, per > 0 ? t / per : 0);
        }
      g_assert_cmpuint (c->n_needing, ==, n_needing);
      g_assert_cmpuint (c->n_unknown, ==, n_unknown);
      g_assert_cmpint (c->fit, ==,
                       n_needing > 0             ? TSR_OUT_OF_MEMORY
                       : n == 0 || n_unknown > 0 ? TSR_FIT_UNKNOWN
                                                 : TSR_FITS);
      g_assert_cmpint (c->sum_inc, ==, sum_all (c->inc, n));
      g_assert_cmpint (c->sum_exc, ==, sum_all (c->exc, n));
      g_assert_cmpint (c->sum_need, ==, sum_all (needs, n));
      n_top = find_most (c->fullness, n, top);
      g_assert_cmpmem (c->top, c->n_top * sizeof (guint), top, n_top * sizeof (guint));
      check_scopes (c, top, n_top);
      g_assert_cmpuint (c->n_critical, ==, n_needing > 0 ? n_needing : n_top);
      if (n_needing > 0)
        n_top = find_most (needs, n, top);
      g_assert_cmpmem (c->critical, MIN (c->n_critical, n_top) * sizeof (guint), top,
                       MIN (c->n_critical, n_top) * sizeof (guint));
      g_assert_cmpuint (c->worst, ==, n_top > 0 ? top[0] : TSR_NO_INDEX);

      for (guint t = 0; t <= n; t++)
        {
          const gboolean told = c->category_bytes != NULL && t < n;

          g_assert_cmpint (tsr_insight_get_category (c, "vertexCode", t), ==,
                           told ? 10 * t + 1 : TSR_UNKNOWN);
          g_assert_cmpint (tsr_insight_get_category (c, "controlCode", t), ==,
                           told ? 0 : TSR_UNKNOWN);
        }
      g_assert_cmpint (tsr_insight_sum_category (c, "vertexCode"), ==,
                       c->category_bytes != NULL && n > 0 ? 5 * n * (n - 1) + n : TSR_UNKNOWN);
      g_assert_cmpint (tsr_insight_sum_category (c, "controlCode"), ==,
                       c->category_bytes != NULL ? 0 : TSR_UNKNOWN);
      g_assert_cmpstr (tsr_insight_percent (c, 0.0994), ==, "9.9 %");
      g_assert_cmpstr (tsr_insight_percent (c, 0.0995), ==, "10 %");
      g_assert_cmpstr (tsr_insight_percent (c, 0.4), ==, "40 %");
    }
}

/* Tiles with all that rules look at, but for @without: which part the rule then says it needs. */
static void
check_needs (const char *rule, const char *without, const char *needs)
{
  g_autoptr (Fixture) f = fixture_new_pair (60000);
  g_autofree char *said = g_strdup_printf ("Needs %s, which", needs);
  TsrVerdict v;

  if (!g_str_equal (without, "lowered"))
    fixture_row (f, 1, 100, fixture_variable (f, "a", "float", TSR_LIFE_ALWAYS), 0, 0);
  if (!g_str_equal (without, "categories"))
    fixture_category (f, "vertexCode");
  if (g_str_equal (without, "tiles"))
    f->c.n_tiles = 0;
  if (g_str_equal (without, "told"))
    fixture_fill (f, TSR_UNKNOWN, TSR_UNKNOWN);
  if (g_str_equal (without, "capacity"))
    f->c.capacity = TSR_UNKNOWN;
  if (g_str_equal (without, "gaps"))
    f->c.inc = NULL;
  if (g_str_equal (without, "without-gaps"))
    f->c.exc = NULL;
  f->c.one_off.known = TRUE;
  f->c.operations.layer = f->c.operations.title = "poplibs";
  f->c.operations.list = g_array_new (FALSE, TRUE, sizeof (TsrInsightOperation));
  fixture_finish (f, g_str_equal (without, "steps") ? 0 : FIXTURE_STEPS);
  if (g_str_equal (without, "held"))
    g_clear_pointer (&f->c.held, g_array_unref);
  if (fixture_check (f, rule, &v) != TSR_RULE_NOT_CHECKED || strstr (v.text, said) == NULL)
    g_error ("%s without %s: %s", rule, without, v.text);
  tsr_verdict_clear (&v);
}

static void
test_needs (void)
{
  static const char *const cases[][3] = {
    { "near-capacity", "tiles", "memory_by_tile" },
    { "near-capacity", "capacity", "target.bytes_per_tile" },
    { "near-capacity", "gaps", "memory_by_tile.including_gaps" },
    { "out-of-memory", "tiles", "memory_by_tile" },
    { "gaps-on-full-tiles", "without-gaps", "memory_by_tile.excluding_gaps" },
    { "gaps-on-full-tiles", "told", "memory_by_tile.including_gaps" },
    { "tile-imbalance", "tiles", "memory_by_tile" },
    { "instrumentation", "tiles", "memory_by_tile" },
    { "instrumentation", "told", "memory_by_tile" },
    { "instrumentation", "capacity", "target.bytes_per_tile" },
    { "instrumentation", "categories", "memory_by_tile_category" },
    { "exchange-code", "without-gaps", "memory_by_tile.excluding_gaps" },
    { "resident-state", "told", "memory_by_tile" },
    { "resident-state", "capacity", "target.bytes_per_tile" },
    { "resident-state", "lowered", "vars_info" },
    { "resident-state", "held", "vars_info" },
    { "resident-state", "steps", "liveness_steps" },
    { "one-off-code", "told", "memory_by_tile" },
    { "one-off-code", "capacity", "target.bytes_per_tile" },
    { "operation-memory", "told", "memory_by_tile" },
    { "operation-memory", "held", "vars_info" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_needs (cases[i][0], cases[i][1], cases[i][2]);
}

/* Whether a row of @f that is called @name (nullable: any) begins, or ends, at @offset. */
static gboolean
is_edge (const Fixture *f, const char *name, gint64 offset, gboolean ends)
{
  for (guint i = 0; i < f->rows->len; i++)
    {
      const FixtureRow *row = &g_array_index (f->rows, FixtureRow, i);
      const char *of = g_array_index (f->variables, TsrInsightVariable, row->variable).name;

      if (row->offset + (ends ? row->size : 0) == offset && g_strcmp0 (of, name) == 0)
        return TRUE;
    }
  return name == NULL && offset == 0;
}

/* Addresses that nothing covers, as a list of all bytes has them: larger first, then lower. */
static void
test_gaps (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (Fixture) f = fixture_new_lives ();
      guint8 covered[128] = { 0 };
      guint end = 0, n_gaps = 0, n_rows = (guint)g_rand_int_range (rand, 1, 8);

      for (guint i = 0; i < n_rows; i++)
        {
          static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g" };
          guint32 size = (guint32)g_rand_int_range (rand, 0, 12);
          guint32 offset = (guint32)g_rand_int_range (rand, 0, 100);

          fixture_row (f, 1, size, fixture_variable (f, names[i], "float", TSR_LIFE_ALWAYS), 0, 0);
          g_array_index (f->rows, FixtureRow, f->rows->len - 1).offset = offset;
          memset (covered + offset, 1, size);
          end = size > 0 ? MAX (end, offset + size) : end;
        }
      fixture_finish (f, FIXTURE_STEPS);
      for (guint at = 0; at < end; at++)
        n_gaps += covered[at] == 0 && (at == 0 || covered[at - 1] != 0);
      g_assert_cmpuint (f->c.gaps->len, ==, n_gaps);
      for (guint i = 0; i < n_gaps; i++)
        {
          const TsrInsightGap *gap = &g_array_index (f->c.gaps, TsrInsightGap, i);

          g_assert_true (gap->from == 0 || covered[gap->from - 1] != 0);
          g_assert_cmpint (covered[gap->from + gap->bytes], ==, 1);
          for (gint64 at = gap->from; at < gap->from + gap->bytes; at++)
            g_assert_cmpint (covered[at], ==, 0);
          g_assert_true (is_edge (f, gap->before, gap->from, TRUE));
          g_assert_true (is_edge (f, gap->after, gap->from + gap->bytes, FALSE));
          if (i > 0)
            g_assert_true (gap[-1].bytes > gap->bytes
                           || (gap[-1].bytes == gap->bytes && gap[-1].from < gap->from));
        }
    }
}

/* Sizes that no sum can hold stay what they are, and no rule falls over them. */
static void
test_huge (void)
{
  g_autoptr (Fixture) f = fixture_new_tiles (G_MAXINT64 / 4, G_MAXINT64);

  f->ovf[1] = G_MAXINT64;
  fixture_category (f, "instrumentationResults")[3] = G_MAXINT64;
  fixture_category (f, "internalExchangeCode")[3] = G_MAXINT64;
  fixture_finish (f, 0);
  g_assert_cmpint (f->c.fit, ==, TSR_OUT_OF_MEMORY);
  g_assert_cmpint (f->c.sum_inc, ==, G_MAXINT64);
  for (guint i = 0; i < TSR_N_RULES; i++)
    {
      TsrVerdict v;

      fixture_check (f, tsr_insight_rules_get (i)->id, &v);
      tsr_verdict_clear (&v);
    }
}

/* A finding keeps five lines of evidence and twenty names; a verdict keeps the last of its texts.
 */
static void
test_verdicts (void)
{
  static const struct
  {
    gint64 bytes, cycles;
    const char *said;
  } sizes[] = { { 2048, 7, "7 cycles, 2.00 KiB" },
                { 0, TSR_UNKNOWN, "0 B" },
                { TSR_UNKNOWN, 0, "0 cycles" },
                { TSR_UNKNOWN, TSR_UNKNOWN, "" } };
  static const char *const parts[][2]
      = { { "vars_info", "autoReport.outputLoweredVars" },
          { "equivalence_class_intervals", "autoReport.outputLoweredVars" },
          { "steps_by_ipu", "autoReport.outputExecutionProfile" },
          { "programs", "autoReport.outputGraphProfile" } };
  static const char *const names[] = { "1", "2", "3", "4", "5", "6", "7" };
  TsrVerdict v = { 0 };
  TsrFinding *finding;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    for (guint tile = 0; tile < 3; tile++)
      {
        g_autofree char *said = g_strdup_printf (
            tile == 2 ? "Needs %s, which the report does not have; the engine option %s records it"
            : tile == 1
                ? "Needs %s, which does not have all of tile 1; the engine option %s records it"
                : "Needs %s, which does not have all of tile 0; the engine option %s records it",
            parts[i][0], parts[i][1]);

        tsr_verdict_fine (&v, "%u", tile);
        g_assert_cmpint (v.result, ==, TSR_RULE_FINE);
        tsr_verdict_unknown (&v, parts[i][0], tile < 2 ? tile : TSR_NO_INDEX);
        g_assert_cmpint (v.result, ==, TSR_RULE_NOT_CHECKED);
        g_assert_cmpstr (v.text, ==, said);
      }
  tsr_verdict_not_checked (&v, "why");
  g_assert_cmpint (v.result, ==, TSR_RULE_NOT_CHECKED);
  g_assert_cmpstr (v.text, ==, "why");
  finding = tsr_verdict_fire (&v, TSR_FINDING_INFO);
  for (guint i = 0; i < 25; i++)
    {
      tsr_finding_add_name (finding, names[i % 7]);
      tsr_finding_add_cycles (finding, names[i % 7], i, 2 * i, 0.5);
      tsr_verdict_add_variable (&v, i);
    }
  g_assert_cmpuint (v.variables->len, ==, 25);
  g_assert_cmpuint (g_strv_length (finding->where.names), ==, 20);
  g_assert_cmpuint (finding->evidence->len, ==, 5);
  for (guint i = 0; i < 20; i++)
    g_assert_cmpstr (finding->where.names[i], ==, names[i % 7]);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (g_array_index (finding->evidence, TsrEvidence, i).cycles, ==, 2 * i);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const TsrEvidence evidence = { NULL, sizes[i].bytes, sizes[i].cycles, 0 };
      g_autofree char *said = tsr_evidence_dup_size (&evidence, TSR_UNITS_BINARY);

      g_assert_cmpstr (said, ==, sizes[i].said);
    }
  tsr_verdict_clear (&v);
}

/* Every threshold by its name: a change here is one that somebody meant. */
static void
test_limits (void)
{
  static const struct
  {
    const char *name;
    double value;
  } expected[] = {
    { "out-of-memory.spread", 0.95 },
    { "overflow.saving", 1024 },
    { "near-capacity.free", 0.05 },
    { "near-capacity.warning", 0.02 },
    { "tile-imbalance.ratio", 1.3 },
    { "tile-imbalance.full", 0.7 },
    { "tile-imbalance.warning", 0.9 },
    { "tile-imbalance.above", 1.2 },
    { "tile-imbalance.tiles", 8 },
    { "gaps-on-full-tiles.full", 0.85 },
    { "gaps-on-full-tiles.size", 0.05 },
    { "peak-spike.plateau", 0.9 },
    { "peak-spike.size", 0.05 },
    { "peak-spike.window", 0.02 },
    { "peak-spike.steps", 50 },
    { "peak-spike.ends", 0.01 },
    { "peak-spike.warning", 0.9 },
    { "long-lived-activations.length", 0.25 },
    { "long-lived-activations.untouched", 0.8 },
    { "long-lived-activations.share", 0.1 },
    { "long-lived-activations.size", 0.02 },
    { "long-lived-activations.trim", 0.01 },
    { "long-lived-activations.birth", 0.5 },
    { "fp32-at-peak.size", 0.05 },
    { "fp32-at-peak.share", 0.1 },
    { "resident-state.live", 0.98 },
    { "resident-state.size", 0.4 },
    { "resident-state.optimiser", 0.1 },
    { "exchange-code.size", 0.1 },
    { "exchange-code.share", 0.2 },
    { "exchange-code.warning", 0.8 },
    { "exchange-code.group", 4 },
    { "vertex-memory.state", 0.1 },
    { "vertex-memory.specialisations", 4 },
    { "vertex-memory.code", 0.03 },
    { "vertex-memory.all-code", 0.12 },
    { "io-code-and-headers.size", 0.04 },
    { "io-code-and-headers.share", 0.03 },
    { "io-code-and-headers.copies", 8 },
    { "instrumentation.size", 0.01 },
    { "one-off-code.size", 0.03 },
    { "one-off-code.median", 4 },
    { "execution.warning", 0.1 },
    { "execution.advice", 0.02 },
    { "compute-imbalance.loss", 0.05 },
    { "compute-imbalance.cycles", 200 },
    { "idle-tiles.loss", 0.03 },
    { "idle-tiles.active", 0.5 },
    { "idle-tiles.cycles", 1000 },
    { "exchange-bound.cycles", 0.03 },
    { "exchange-bound.share", 0.5 },
    { "exchange-bound.run", 0.35 },
    { "exchange-bound.normal", 0.25 },
    { "exchange-bound.tiles", 16 },
    { "host-wait.share", 0.05 },
    { "unoverlapped-io.alone", 0.05 },
    { "stage-imbalance.loss", 0.1 },
    { "stage-imbalance.bubble", 0.1 },
    { "tiny-steps.cycles", 300 },
    { "tiny-steps.steps", 1000 },
    { "tiny-steps.cost", 0.1 },
  };
  guint n = 0;
  const TsrInsightLimit *limits = tsr_insight_limits_get (&n);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < n; i++)
    {
      /* Two hold for all rules about the execution, one for all about memory. */
      gboolean named = g_str_has_prefix (limits[i].name, "execution.")
                       || g_str_has_prefix (limits[i].name, "overflow.");
      guint k;

      for (k = 0; k < n && !g_str_equal (limits[k].name, expected[i].name); k++)
        continue;
      g_assert_cmpuint (k, <, n);
      g_assert_cmpfloat (limits[k].value, ==, expected[i].value);
      g_assert_cmpstr (limits[i].unit, !=, "");
      g_assert_cmpstr (limits[i].meaning, !=, "");
      for (guint r = 0; r < TSR_N_RULES; r++)
        named = named
                || (g_str_has_prefix (limits[i].name, tsr_insight_rules_get (r)->id)
                    && limits[i].name[strlen (tsr_insight_rules_get (r)->id)] == '.');
      g_assert_true (named);
    }
  g_assert_true (tsr_insight_matches ("x/Accl___w", "accumulators"));
  g_assert_true (tsr_insight_matches ("x/ACCUM", "accumulators"));
  g_assert_false (tsr_insight_matches ("x/activation", "accumulators"));
  g_assert_true (tsr_insight_matches ("ipu1/stash:0", "stash"));
  g_assert_true (tsr_insight_matches ("bn/running_mean", "keep-fp32"));
  g_assert_true (tsr_insight_matches ("w/exp_avg_sq", "optimiser"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/fit/fit-unknown", test_fit_unknown);
  g_test_add_func ("/insights/fit/tiles", test_tiles);
  g_test_add_func ("/insights/fit/needs", test_needs);
  g_test_add_func ("/insights/fit/gaps", test_gaps);
  g_test_add_func ("/insights/fit/huge", test_huge);
  g_test_add_func ("/insights/fit/verdicts", test_verdicts);
  g_test_add_func ("/insights/fit/limits", test_limits);
  return g_test_run ();
}
