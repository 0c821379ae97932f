/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule tile-imbalance at and beside each of its thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
test_imbalance (void)
{
  g_autoptr (Fixture) half_empty = fixture_new_tiles (25000, 50000);
  g_autoptr (Fixture) fires = fixture_new_tiles (55000, 71500);
  g_autoptr (Fixture) ratio = fixture_new_tiles (55010, 71500);
  g_autoptr (Fixture) full = fixture_new_tiles (50000, 69999);
  g_autoptr (Fixture) warning = fixture_new_tiles (60000, 90000);
  g_autoptr (Fixture) gappy = fixture_new_tiles (60000, 80000);
  TsrVerdict v;

  fixture_finish (half_empty, 0);
  g_assert_cmpint (fixture_result (half_empty, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (fires, 0);
  g_assert_cmpint (fixture_check (fires, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 16500);
  g_assert_cmpint (v.finding->bytes, ==, 0);
  g_assert_cmpstr (v.finding->scope, ==, "ipu0");
  tsr_verdict_clear (&v);
  fixture_finish (ratio, 0);
  g_assert_cmpint (fixture_result (ratio, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (full, 0);
  g_assert_cmpint (fixture_result (full, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (warning, 0);
  g_assert_cmpint (fixture_check (warning, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  /* Without categories it fires all the same and says what it does not know. */
  gappy->names->len = 0;
  fixture_finish (gappy, 0);
  g_assert_cmpint (fixture_check (gappy, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "only copy"));
  tsr_verdict_clear (&v);
  gappy->names->len = 1;
}

/* Tiles without a vertex are not compared, and tables of control are no cause. */
static void
test_imbalance_guards (void)
{
  g_autoptr (Fixture) copies = fixture_new_tiles (75000, 80000);
  g_autoptr (Fixture) control = fixture_new_tiles (60000, 80000);
  g_autoptr (Fixture) few = fixture_new (7, FIXTURE_CAPACITY);
  g_autoptr (Fixture) enough = fixture_new (8, FIXTURE_CAPACITY);
  g_autoptr (Fixture) codeless = fixture_new_tiles (60000, 80000);
  g_autoptr (Fixture) cause = fixture_new_tiles (60000, 90000);
  guint32 table = fixture_variable (cause, "table", "float", TSR_LIFE_ALWAYS);
  guint32 other = fixture_variable (cause, "other", "float", TSR_LIFE_ALWAYS);
  TsrVerdict v;

  for (guint t = 8; t < 16; t++)
    {
      copies->inc[t] = 15000;
      fixture_category (copies, "vertexCode")[t] = 0;
    }
  fixture_finish (copies, 0);
  g_assert_cmpint (fixture_result (copies, "tile-imbalance"), ==, TSR_RULE_FINE);

  fixture_category (control, "controlTable")[3] = 20000;
  fixture_finish (control, 0);
  g_assert_cmpint (fixture_result (control, "tile-imbalance"), ==, TSR_RULE_FINE);

  fixture_fill (few, 50000, 50000);
  few->inc[0] = 90000;
  fixture_finish (few, 0);
  g_assert_cmpint (fixture_result (few, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_fill (enough, 50000, 50000);
  enough->inc[0] = 90000;
  fixture_finish (enough, 0);
  g_assert_cmpint (fixture_result (enough, "tile-imbalance"), ==, TSR_RULE_FIRED);

  /* No tile has a vertex: then all are compared. */
  memset (fixture_category (codeless, "vertexCode"), 0, 16 * sizeof (gint64));
  fixture_finish (codeless, 0);
  g_assert_cmpint (fixture_result (codeless, "tile-imbalance"), ==, TSR_RULE_FIRED);

  /* Categories are counted from 0 in the order of their names here: 0 is vertexCode. */
  fixture_category (cause, "vertexCode")[3] = 30010;
  fixture_row (cause, 3, 1000, other, 0, 0);
  fixture_row (cause, 3, 29000, table, 0, 0);
  fixture_row (cause, 0, 900, other, 0, 0);
  fixture_finish (cause, 10);
  g_assert_cmpint (fixture_check (cause, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "vertexCode: table"));
  g_assert_cmpstr (v.finding->where.names[0], ==, "table");
  tsr_verdict_clear (&v);
}

/* An IPU as the rule sees it. */
typedef struct
{
  guint fullest, middle, n_used;
  gint64 most, median, movable;
  gboolean told, uneven;
} Ipu;

static Ipu
look_at (Fixture *f, guint first, guint end)
{
  static const char *const control[] = { "controlId", "controlTable" };
  const TsrInsightContext *c = &f->c;
  Ipu ipu = { first, first, 0, 0, 0, 0, TRUE, FALSE };

  for (guint t = first; t < end; t++)
    {
      ipu.told = ipu.told && f->inc[t] != TSR_UNKNOWN;
      ipu.n_used += f->inc[t] > 0;
      if (f->inc[t] > f->inc[ipu.fullest])
        ipu.fullest = t;
    }
  ipu.middle
      = tsr_median_tile (f->inc, tsr_insight_find_category (c, "vertexCode"), NULL, first, end);
  ipu.most = ipu.movable = f->inc[ipu.fullest];
  ipu.median = f->inc[ipu.middle];
  for (guint i = 0; i < G_N_ELEMENTS (control); i++)
    ipu.movable -= MAX (tsr_insight_get_category (c, control[i], ipu.fullest)
                            - tsr_insight_get_category (c, control[i], ipu.middle),
                        0);
  ipu.uneven = ipu.told && ipu.n_used >= 8 && ipu.median > 0
               && ((c->need[ipu.fullest] > 0 && ipu.movable - ipu.median >= 1024)
                   || ((double)ipu.movable >= 1.3 * (double)ipu.median
                       && (double)ipu.movable >= 0.7 * FIXTURE_CAPACITY));
  return ipu;
}

/* ", because of CATEGORY: VARIABLE" with what the fullest tile has most more of. */
static char *
dup_cause (Fixture *f, const Ipu *ipu)
{
  const TsrInsightContext *c = &f->c;
  gint64 most = 0;
  guint category = TSR_NO_INDEX, variable = TSR_NO_INDEX;

  for (guint i = 0; i < c->n_categories; i++)
    if (!g_str_has_prefix (c->category_names[i], "control")
        && c->category_bytes[i][ipu->fullest] - c->category_bytes[i][ipu->middle] > most)
      {
        most = c->category_bytes[i][ipu->fullest] - c->category_bytes[i][ipu->middle];
        category = i;
      }
  if (category == TSR_NO_INDEX)
    return g_strdup ("");
  most = 0;
  for (guint v = 0; v < c->n_variables; v++)
    {
      gint64 more = 0;

      for (gsize row = 0; row < f->lowered.n; row++)
        if (c->entry[row] == v && f->lowered.category[row] == category
            && f->lowered.size[row] != TSR_LOWERED_UNKNOWN)
          more += f->lowered.tile[row] == ipu->fullest  ? (gint64)f->lowered.size[row]
                  : f->lowered.tile[row] == ipu->middle ? -(gint64)f->lowered.size[row]
                                                        : 0;
      if (more > most)
        {
          most = more;
          variable = v;
        }
    }
  return variable == TSR_NO_INDEX
             ? g_strdup_printf (", because of %s", c->category_labels[category])
             : g_strdup_printf (", because of %s: %s", c->category_labels[category],
                                c->variables[variable].name);
}

/* Random tiles of up to three IPUs around all limits: which IPU is told, and why. */
static void
test_random (void)
{
  static const char *const names[] = { "controlId", "vertexCode", "other", "controlTable", "data" };
  static const char *const variables[] = { "a", "b", "c" };
  static const gint64 more[]
      = { 0, 1023, 1024, 6000, 16199, 16200, 18000, 20000, 19999, 30000, 39999, 46000, 51200 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  guint n_fired = 0;

  for (guint round = 0; round < 800; round++)
    {
      const guint n_ipus = 1 + round % 3, per = 7 + round % 4, n = n_ipus * per - round % 2;
      g_autoptr (Fixture) f = fixture_new (n, FIXTURE_CAPACITY);
      const TsrInsightContext *c = &f->c;
      Ipu worst = { 0 }, any = { 0 };
      guint at = TSR_NO_INDEX, any_at = 0;
      gboolean told = TRUE;
      TsrVerdict v;

      f->c.tiles_per_ipu = n_ipus == 1 && round % 2 > 0 ? TSR_UNKNOWN : per;
      f->c.n_ipus = n_ipus;
      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        fixture_category (f, names[k]);
      for (guint k = 0; k < G_N_ELEMENTS (variables); k++)
        fixture_variable (f, variables[k], "float", TSR_LIFE_ALWAYS);
      for (guint i = 0; i < n_ipus; i++)
        {
          const gint64 base = 50000 + 2000 * g_rand_int_range (rand, 0, 6);
          const guint end = MIN ((i + 1) * per, n);

          for (guint t = i * per; t < end; t++)
            {
              f->inc[t]
                  = base
                    + g_rand_int_range (rand, 0, 2) * (base / 5 + g_rand_int_range (rand, 0, 2));
              if (g_rand_int_range (rand, 0, 30) == 0)
                f->inc[t] = 0;
              if (round % 16 == 3 && g_rand_int_range (rand, 0, 20) == 0)
                f->inc[t] = TSR_UNKNOWN;
              fixture_category (f, names[1])[t] = g_rand_int_range (rand, 0, 4);
              for (guint k = 0; k < G_N_ELEMENTS (names); k++)
                if (k != 1)
                  fixture_category (f, names[k])[t] = 4000 * (g_rand_int_range (rand, 0, 8) / 5);
            }
          at = (guint)g_rand_int_range (rand, (gint)(i * per), (gint)end);
          f->inc[at] = base + more[g_rand_int_range (rand, 0, G_N_ELEMENTS (more))];
          f->ovf[at] = round % 4 == 1 ? 7 : 0;
        }
      at = TSR_NO_INDEX;
      memcpy (f->exc, f->inc, n * sizeof *f->inc);
      for (guint k = 0; k < 3 * n; k++)
        fixture_row (f, k % n, (guint)g_rand_int_range (rand, 0, 4),
                     (guint)g_rand_int_range (rand, 0, G_N_ELEMENTS (variables)), 0, 0);
      fixture_finish (f, 10);
      for (guint k = 0; k < 3 * n; k++)
        {
          f->lowered.category[k] = (guint16)g_rand_int_range (rand, 0, G_N_ELEMENTS (names));
          if (k % 13 == 0)
            f->lowered.size[k] = TSR_LOWERED_UNKNOWN;
          if (k % 17 == 0)
            f->c.owned_entry[k] = TSR_NO_INDEX;
        }

      for (guint i = 0; i < n_ipus; i++)
        {
          const Ipu ipu = look_at (f, i * per, MIN ((i + 1) * per, n));

          told = told && ipu.told;
          if (ipu.uneven
              && (at == TSR_NO_INDEX || ipu.most - ipu.median > worst.most - worst.median))
            {
              worst = ipu;
              at = i;
            }
          else if (ipu.told
                   && (double)ipu.most / (double)MAX (ipu.median, 1)
                          > (double)any.most / (double)MAX (any.median, 1) + 1e-9)
            {
              any = ipu;
              any_at = i;
            }
        }
      if (fixture_check (f, "tile-imbalance", &v) == TSR_RULE_FIRED)
        {
          g_autofree char *cause = dup_cause (f, &worst), *scope = g_strdup_printf ("ipu%u", at);
          const gboolean grave = c->n_needing > 0 || worst.most >= 0.9 * FIXTURE_CAPACITY;
          g_autofree char *said = NULL;
          guint n_above = 0;

          for (guint t = at * per; t < MIN ((at + 1) * per, n); t++)
            n_above += (double)f->inc[t] > 1.2 * (double)worst.median;
          said = g_strdup_printf (
              "IPU %u: tile %u holds %s, the median tile (%u) %s; tiles more than "
              "20 %% above it: %u%s.",
              at, worst.fullest, tsr_insight_size (c, worst.most), worst.middle,
              tsr_insight_size (c, worst.median), n_above, cause);
          g_assert_cmpstr (v.finding->text, ==, said);
          g_assert_cmpstr (v.finding->scope, ==, scope);
          g_assert_cmpint (v.finding->severity, ==,
                           grave ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, worst.most - worst.median);
          g_assert_cmpuint (v.finding->where.n_tiles, ==, 2);
          g_assert_cmpuint (v.finding->where.tiles[0], ==, worst.fullest);
          g_assert_cmpuint (v.finding->where.tiles[1], ==, worst.middle);
          g_assert_cmpstr (v.finding->where.breakdown, ==, "category");
          g_assert_cmpstr (v.finding->where.names != NULL ? v.finding->where.names[0] : "", ==,
                           strchr (cause, ':') != NULL ? strchr (cause, ':') + 2 : "");
          n_fired++;
        }
      else if (!told)
        g_assert_cmpint (v.result, ==, TSR_RULE_NOT_CHECKED);
      else if (any.n_used < 8 || any.median <= 0)
        g_assert_cmpstr (v.text, ==, "Too few tiles are in use to compare them");
      else
        {
          g_autofree char *said = g_strdup_printf (
              "IPU %u: the fullest tile holds %s of the median tile and is %s full; fires from "
              "130 %% and 70 %%",
              any_at, tsr_insight_percent (c, (double)any.most / (double)any.median),
              tsr_insight_percent (c, (double)any.most / FIXTURE_CAPACITY));

          g_assert_cmpstr (v.text, ==, said);
        }
      g_assert_cmpint (v.result == TSR_RULE_FIRED, ==, at != TSR_NO_INDEX);
      tsr_verdict_clear (&v);
    }
  g_assert_cmpuint (n_fired, >, 100);
}

void
add_tile_imbalance_tests (void)
{
  g_test_add_func ("/insight-rules/tile-imbalance/random", test_random);
  g_test_add_func ("/insight-rules/tile-imbalance/imbalance", test_imbalance);
  g_test_add_func ("/insight-rules/tile-imbalance/imbalance-guards", test_imbalance_guards);
}
