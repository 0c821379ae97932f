/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fix plan: forecasts against a loop over all steps and against reports that were made after
 * the measures; the proposal against all smaller sets. */

#include "config.h"

#include "analysis-test.h"
#include "plan-oracle.h"
#include "tsr-error.h"
#include "tsr-plan.h"

#include <math.h>
#include <string.h>

#define BIT(i) ((TsrMeasureSet)1 << (i))
#define NEED_SQL                                                                                   \
  "SELECT CASE WHEN max (overflowed, including_gaps - bytes_per_tile) > 0"                         \
  " THEN max (overflowed, including_gaps - bytes_per_tile) ELSE including_gaps - bytes_per_tile"   \
  " END FROM memory_by_tile, target ORDER BY tile"

/* A report with its plan. */
typedef struct
{
  char *folder;
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrLiveness *liveness;
  TsrPlan *plan;
  const TsrMeasure *measures;
  guint n;
} Planned;

/* Takes @folder. */
static void
planned_open (Planned *self, char *folder)
{
  g_autoptr (GError) error = NULL;

  memset (self, 0, sizeof *self);
  self->folder = folder;
  self->report = analysis_open_report (folder, TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_DEBUG);
  self->memory = tsr_memory_new (self->report);
  if (tsr_report_get_liveness_tables (self->report) != NULL)
    self->variables = tsr_variables_new (self->report, NULL, NULL);
  if (self->variables != NULL)
    self->liveness = tsr_liveness_new (self->report, self->memory, self->variables);
  self->plan
      = tsr_plan_new (self->report, self->memory, self->liveness, TSR_UNITS_BINARY, NULL, &error);
  g_assert_no_error (error);
  self->measures = tsr_plan_peek_measures (self->plan, &self->n);
}

static void
planned_clear (Planned *self)
{
  g_clear_pointer (&self->plan, tsr_plan_unref);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_clear_pointer (&self->variables, tsr_variables_unref);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  g_clear_object (&self->report);
  g_clear_pointer (&self->folder, tsr_test_folder_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Planned, planned_clear)

static Planned oom; /* as the preset makes it; not to be changed */

static const Planned *
get_oom (void)
{
  if (oom.folder == NULL)
    planned_open (&oom, tsr_test_report_new ("oom"));
  return &oom;
}

/* (transfer full): "oom" as if a tile had @memory bytes and nothing were packed anew. */
static char *
make_wider (const char *memory)
{
  char *folder = tsr_test_report_new ("oom");
  g_autofree char *sql = g_strdup_printf (
      "UPDATE memory_by_tile SET overflowed = max (0, overflowed - %s +"
      " (SELECT bytes_per_tile FROM target)); UPDATE target SET bytes_per_tile = %s",
      memory, memory);

  tsr_test_sql (folder, "profile.pop", sql);
  return folder;
}

/* (transfer full): "oom" with @memory bytes in a tile (NULL: as it is) after @measures (nullable).
 */
static char *
make_oom (const char *memory, const char *measures)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *tiles = g_strconcat ("--tile-memory=", memory, NULL);
  g_autofree char *apply = g_strconcat ("--apply=", measures, NULL);
  const char *options[3] = { NULL };
  guint n = 0;

  if (memory != NULL)
    options[n++] = tiles;
  if (measures != NULL)
    options[n++] = apply;
  tsr_test_make_report (folder, "oom", "--only=profile", "--force", options[0], options[1], NULL);
  return folder;
}

static TsrMeasureSet
get_all (const Planned *p, gboolean bounds)
{
  TsrMeasureSet set = 0;

  for (guint i = 0; i < p->n; i++)
    if (p->measures[i].saved != NULL && (bounds || p->measures[i].kind == TSR_MEASURE_EXACT))
      set |= BIT (i);
  return set;
}

static TsrForecast *
forecast (const Planned *p, TsrMeasureSet set)
{
  g_autoptr (GError) error = NULL;
  TsrForecast *result = tsr_plan_forecast (p->plan, set, NULL, &error);

  g_assert_no_error (error);
  return result;
}

/* ------------------------------------------------------------ against a loop */

static void
check_number (const TsrPlanNumber *number, guint n_tiles)
{
  guint n_over = 0;
  guint worst = 0;
  gint64 sum = 0;

  for (guint tile = 0; tile < n_tiles; tile++)
    {
      n_over += number->over[tile] > 0;
      sum += MAX (number->over[tile], 0);
      if (number->over[tile] > number->over[worst])
        worst = tile;
    }
  g_assert_cmpuint (number->n_over, ==, n_over);
  g_assert_cmpuint (number->worst, ==, worst);
  g_assert_cmpint (number->most, ==, number->over[worst]);
  g_assert_cmpint (number->sum, ==, sum);
}

static void
check_forecast (const Planned *p,
                PlanOracle *oracle,
                const gint64 *now,
                const gint64 *above_now,
                TsrMeasureSet set)
{
  g_autoptr (TsrForecast) result = forecast (p, set);
  g_autoptr (GPtrArray) needs = tsr_test_ask_rows (p->folder, NEED_SQL);
  gint64 capacity = tsr_test_ask (p->folder, "SELECT bytes_per_tile FROM target");
  g_autofree char *ids = tsr_plan_dup_ids (p->plan, set);
  g_auto (GStrv) words = g_strsplit (ids, ",", -1);
  g_autofree guint *steps = g_new (guint, result->n_tiles);
  g_autofree gint64 *above = NULL;
  g_autofree gint64 *live
      = plan_oracle_dup_live (oracle, (const char *const *)words, &above, steps);
  gboolean bounded = (set & ~get_all (p, FALSE)) != 0;

  g_test_message ("%s", ids);
  for (guint tile = 0; tile < result->n_tiles; tile++)
    {
      gint64 need = g_ascii_strtoll (((GStrv)needs->pdata[tile])[0], NULL, 10);
      gint64 saved = now[tile] - live[tile];

      if (need > 0)
        saved = MIN (saved, above_now[tile] - above[tile]);

      g_assert_cmpint (result->live_now[tile], ==, now[tile]);
      g_assert_cmpint (result->live[tile], ==, live[tile]);
      g_assert_cmpuint (result->peak_step[tile], ==, steps[tile]);
      g_assert_cmpint (result->best.over[tile], ==, live[tile] - capacity);
      g_assert_cmpint (result->packed.over[tile], ==, need - saved);
    }
  check_number (&result->best, result->n_tiles);
  check_number (&result->packed, result->n_tiles);
  g_assert_cmpint (result->verdict, ==,
                   result->best.n_over > 0                ? TSR_PLAN_DOES_NOT_FIT
                   : result->packed.n_over > 0 || bounded ? TSR_PLAN_MAY_FIT
                                                          : TSR_PLAN_FITS);
  g_assert_cmpuint (result->peak_tile, ==, result->packed.worst);
  g_assert_cmpint (result->n_unknown_cycles > 0 || set == 0 || result->cycles != TSR_UNKNOWN, ==,
                   TRUE);
}

static void
test_oracle (void)
{
  const Planned *p = get_oom ();
  g_autoptr (PlanOracle) oracle = plan_oracle_new (p->folder);
  g_autoptr (GRand) random = g_rand_new_with_seed (17);
  g_autofree guint *steps = g_new (guint, plan_oracle_get_n_tiles (oracle));
  g_autofree gint64 *above = NULL;
  g_autofree gint64 *now
      = plan_oracle_dup_live (oracle, (const char *const[]){ NULL }, &above, steps);
  guint n_recomputed = 0;

  g_assert_cmpuint (p->n, >, 20);
  for (guint i = 0; i < p->n; i++)
    n_recomputed += g_str_has_prefix (p->measures[i].id, "recompute:")
                    && p->measures[i].saved != NULL && p->measures[i].relief > 0;
  g_assert_cmpuint (n_recomputed, >, 0);
  check_forecast (p, oracle, now, above, 0);
  check_forecast (p, oracle, now, above, get_all (p, TRUE));
  check_forecast (p, oracle, now, above, get_all (p, FALSE));
  for (guint i = 0; i < p->n; i++)
    if (p->measures[i].saved != NULL)
      check_forecast (p, oracle, now, above, BIT (i));
  for (guint i = 0; i < 20; i++)
    check_forecast (p, oracle, now, above,
                    ((guint64)g_rand_int (random) << 32 | g_rand_int (random))
                        & ((guint64)g_rand_int (random) << 32 | g_rand_int (random))
                        & get_all (p, TRUE));
}

/* Measures alone, and that more of them leave no tile with more. */
static void
test_savings (void)
{
  const Planned *p = get_oom ();
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  gint64 relief = G_MAXINT64;
  guint w;

  w = tsr_plan_get_worst (p->plan);
  g_assert_cmpint (w, ==,
                   tsr_test_ask (p->folder,
                                 "SELECT tile FROM memory_by_tile ORDER BY including_gaps"
                                 " DESC LIMIT 1"));
  for (guint i = 0; i < p->n && p->measures[i].saved != NULL; i++)
    {
      g_autoptr (TsrForecast) none = forecast (p, 0);
      g_autoptr (TsrForecast) one = forecast (p, BIT (i));
      TsrMeasureSet set = g_rand_int (random) & get_all (p, TRUE);
      g_autoptr (TsrForecast) some = forecast (p, set);
      g_autoptr (TsrForecast) more = forecast (p, set | BIT (i));
      gboolean receives = g_str_has_prefix (p->measures[i].id, "move:")
                          || g_str_has_prefix (p->measures[i].id, "recompute:");

      g_assert_cmpint (p->measures[i].worst_tile, ==, p->measures[i].saved[w]);
      g_assert_cmpint (p->measures[i].relief, ==, none->packed.sum - one->packed.sum);
      g_assert_cmpint (p->measures[i].relief, <=, relief);
      relief = p->measures[i].relief;
      for (guint tile = 0; tile < none->n_tiles; tile++)
        {
          g_assert_cmpint (p->measures[i].saved[tile], ==, none->live[tile] - one->live[tile]);
          g_assert_true (receives || more->live[tile] <= some->live[tile]);
        }
    }
}

/* One tile of an IPU computes, and none of another; some variables live at every other step, which
 * makes more begin and end than is listed. */
static void
test_odd (void)
{
  g_auto (Planned) p = { 0 };
  g_autoptr (PlanOracle) oracle = NULL;
  g_autofree guint *steps = NULL;
  g_autofree gint64 *above = NULL, *now = NULL;
  g_autoptr (TsrForecast) none = NULL;
  char *folder = tsr_test_report_new ("oom");
  guint n_recomputed = 0, n_moved = 0;

  tsr_test_sql (
      folder, "profile.pop",
      "DELETE FROM vars_info WHERE tile <> 3 AND category IN (SELECT id FROM var_categories WHERE"
      " name IN ('vertexCode', 'vertexInstanceState'));"
      "DELETE FROM equivalence_class_intervals WHERE equivalence_class BETWEEN 65 AND 80;"
      "WITH RECURSIVE c(i) AS (SELECT 65 UNION ALL SELECT i + 1 FROM c WHERE i < 80),"
      "  k(i) AS (SELECT 0 UNION ALL SELECT i + 2 FROM k WHERE i < 190)"
      "  INSERT INTO equivalence_class_intervals SELECT c.i, k.i + c.i % 2, k.i + c.i % 2 + 1"
      "  FROM c, k");
  planned_open (&p, folder);
  oracle = plan_oracle_new (folder);
  steps = g_new (guint, plan_oracle_get_n_tiles (oracle));
  now = plan_oracle_dup_live (oracle, (const char *const[]){ NULL }, &above, steps);
  none = forecast (&p, 0);
  for (guint i = 0; i < p.n; i++)
    if (p.measures[i].saved != NULL)
      {
        g_autoptr (TsrForecast) one = forecast (&p, BIT (i));

        if (g_str_has_prefix (p.measures[i].id, "move:")
            || g_str_has_prefix (p.measures[i].id, "halve")
            || (g_str_has_prefix (p.measures[i].id, "recompute:") && n_recomputed++ == 0))
          check_forecast (&p, oracle, now, above, BIT (i));
        for (guint tile = 0; tile < none->n_tiles; tile++)
          g_assert_cmpint (p.measures[i].saved[tile], ==, none->live[tile] - one->live[tile]);
        g_assert_cmpint (p.measures[i].relief, ==, none->packed.sum - one->packed.sum);
        n_moved += g_str_has_prefix (p.measures[i].id, "move:");
      }
  g_assert_cmpuint (n_moved, >, 0);
  g_assert_cmpuint (n_recomputed, >, 0);
}

/* -------------------------------------------------- against reports made after */

static void
check_variant (const Planned *p, const char *memory, TsrMeasureSet set)
{
  g_autoptr (TsrForecast) result = forecast (p, set);
  g_autofree char *ids = tsr_plan_dup_ids (p->plan, set);
  char *after = make_oom (memory, ids);
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      after, "SELECT always_live + not_always_live, max (overflowed, including_gaps -"
             " bytes_per_tile, 0) FROM memory_by_tile, target ORDER BY tile");
  guint between = 0;
  gboolean fits = TRUE;

  for (guint tile = 0; tile < result->n_tiles; tile++)
    {
      GStrv cells = rows->pdata[tile];
      gint64 over = g_ascii_strtoll (cells[1], NULL, 10);

      g_assert_cmpint (result->live[tile], ==, g_ascii_strtoll (cells[0], NULL, 10));
      g_assert_cmpint (over, >=, MAX (result->best.over[tile], 0));
      between += over <= MAX (result->packed.over[tile], 0);
      fits = fits && over == 0;
    }
  g_test_message ("%s at %s: %s, and %s; between on %u", ids, memory != NULL ? memory : "-",
                  tsr_plan_verdict_get_nick (result->verdict), fits ? "fits" : "does not fit",
                  between);
  g_assert_true (result->verdict != TSR_PLAN_FITS || fits);
  g_assert_true (result->verdict != TSR_PLAN_DOES_NOT_FIT || !fits);
  g_assert_cmpfloat (between, >=, 0.99 * result->n_tiles);
  tsr_test_folder_free (after);
}

static void
test_variants (void)
{
  const Planned *p = get_oom ();

  for (guint i = 0; i < p->n; i++)
    if (p->measures[i].kind == TSR_MEASURE_EXACT && p->measures[i].saved != NULL)
      check_variant (p, NULL, BIT (i));
  check_variant (p, NULL, get_all (p, FALSE));
}

static void
test_variants_that_fit (gconstpointer memory)
{
  g_auto (Planned) p = { 0 };
  g_autoptr (TsrProposal) proposal = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (23);
  g_autoptr (GError) error = NULL;

  planned_open (&p, make_oom (memory, NULL));
  proposal = tsr_plan_propose (p.plan, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (proposal->forecast->verdict, ==, TSR_PLAN_FITS);
  g_assert_false (proposal->bounded);
  check_variant (&p, memory, proposal->set);
  for (guint i = 0; i < 6; i++)
    {
      TsrMeasureSet set = g_rand_int (random) & get_all (&p, FALSE);

      check_variant (&p, memory, set);
    }
}

/* ----------------------------------------------------------------- proposal */

/* So few candidates that all sets are tried: none is recomputed or spread. */
static void
test_exact (gconstpointer memory)
{
  g_auto (Planned) p = { 0 };
  g_autoptr (TsrProposal) proposal = NULL;
  char *folder = make_wider (memory);
  TsrMeasureSet all;
  guint size;

  tsr_test_sql (folder, "profile.pop",
                "DROP TABLE program_variables; UPDATE target SET tiles_per_ipu = NULL");
  planned_open (&p, folder);
  all = get_all (&p, FALSE);
  proposal = tsr_plan_propose (p.plan, NULL, NULL);
  g_assert_false (proposal->greedy);
  g_assert_cmpuint (proposal->n_candidates, <=, TSR_PLAN_EXACT_CANDIDATES);
  g_assert_cmpint (proposal->forecast->verdict, ==, TSR_PLAN_FITS);
  size = (guint)__builtin_popcountll (proposal->set);
  g_assert_cmpuint (size, >, 0);
  for (TsrMeasureSet set = 0; set <= all; set++)
    {
      guint n = (guint)__builtin_popcountll (set);
      g_autoptr (TsrForecast) one = NULL;
      TsrMeasureSet first = (set ^ proposal->set) & -(set ^ proposal->set);

      /* Of equally many the one whose first difference stands earlier in the list. */
      if ((set & ~all) != 0 || n > size || (n == size && (set & first) == 0))
        continue;
      one = forecast (&p, set);
      g_assert_cmpint (one->verdict, !=, TSR_PLAN_FITS);
    }
}

/* Whether any @size more exact measures from @first on fit together with @set. */
static gboolean
any_fits (const Planned *p, TsrMeasureSet set, guint first, guint size)
{
  if (size == 0)
    {
      g_autoptr (TsrForecast) one = forecast (p, set);

      return one->verdict == TSR_PLAN_FITS;
    }
  for (guint i = first; i < p->n; i++)
    if ((get_all (p, FALSE) & BIT (i)) != 0 && any_fits (p, set | BIT (i), i + 1, size - 1))
      return TRUE;
  return FALSE;
}

/* One by one may take more than the fewest, which all sets tell, but no more than one more here. */
static void
test_greedy (gconstpointer memory)
{
  g_auto (Planned) p = { 0 };
  g_autoptr (TsrProposal) proposal = NULL;
  guint size, fewest;

  planned_open (&p, make_wider (memory));
  proposal = tsr_plan_propose (p.plan, NULL, NULL);
  g_assert_true (proposal->greedy);
  g_assert_cmpuint (proposal->n_candidates, >, TSR_PLAN_EXACT_CANDIDATES);
  g_assert_cmpint (proposal->forecast->verdict, ==, TSR_PLAN_FITS);
  for (guint i = 0; i < p.n; i++)
    if ((proposal->set >> i & 1) != 0)
      {
        g_autoptr (TsrForecast) without = forecast (&p, proposal->set & ~BIT (i));

        g_assert_cmpint (without->verdict, !=, TSR_PLAN_FITS);
      }
  size = (guint)__builtin_popcountll (proposal->set);
  for (fewest = 0; fewest < size && !any_fits (&p, 0, 0, fewest); fewest++)
    ;
  g_test_message ("%u one by one, the fewest are %u", size, fewest);
  g_assert_cmpuint (size, <=, fewest + 1);
}

/* Nothing exact is enough for the whole of it. */
static void
test_bounded (void)
{
  const Planned *p = get_oom ();
  g_autoptr (TsrProposal) proposal = NULL;

  proposal = tsr_plan_propose (p->plan, NULL, NULL);
  g_assert_true (proposal->bounded);
  g_assert_cmpint (proposal->forecast->verdict, ==, TSR_PLAN_MAY_FIT);
}

/* --------------------------------------------------------------------- rest */

static void
test_growth (void)
{
  g_auto (Planned) p = { 0 };
  g_autoptr (PlanOracle) oracle = NULL;
  g_autoptr (TsrProposal) proposal = NULL;
  g_autoptr (TsrForecast) none = NULL;
  TsrPlanGrowth growth;
  gint64 capacity;
  double best = INFINITY;
  double packed = INFINITY;

  planned_open (&p, tsr_test_report_new ("tiny"));
  g_assert_cmpint (tsr_plan_get_fit (p.plan), ==, TSR_FITS);
  oracle = plan_oracle_new (p.folder);
  capacity = tsr_test_ask (p.folder, "SELECT bytes_per_tile FROM target");
  none = forecast (&p, 0);
  g_assert_cmpint (none->verdict, ==, TSR_PLAN_FITS);
  for (guint tile = 0; tile < none->n_tiles; tile++)
    {
      gint64 lost = tsr_test_ask (p.folder,
                                  "SELECT including_gaps FROM memory_by_tile WHERE tile = %u", tile)
                    - none->live[tile];

      best = MIN (best, plan_oracle_get_growth (oracle, tile, capacity));
      packed = MIN (packed, plan_oracle_get_growth (oracle, tile, capacity - lost));
    }
  tsr_plan_get_growth (p.plan, &growth);
  g_assert_cmpfloat_with_epsilon (growth.best, best, 1e-9);
  g_assert_cmpfloat_with_epsilon (growth.packed, packed, 1e-9);
  g_assert_cmpfloat (growth.packed, >, 1);
  proposal = tsr_plan_propose (p.plan, NULL, NULL);
  g_assert_true (proposal->set == 0);
  g_assert_cmpstr (proposal->text, ==, "Nothing is needed");
}

/* One variable that tells its type is enough, whichever it is. */
static void
test_one_type (void)
{
  static const char *const which[] = { "min", "max" };

  for (guint i = 0; i < G_N_ELEMENTS (which); i++)
    {
      g_auto (Planned) p = { 0 };
      g_autofree char *sql
          = g_strdup_printf ("UPDATE variables SET element_type = iif (id = (SELECT %s (id) FROM"
                             " variables), 'float', NULL)",
                             which[i]);
      char *folder = tsr_test_report_new ("oom");
      guint measure;

      tsr_test_sql (folder, "profile.pop", sql);
      planned_open (&p, folder);
      measure = tsr_plan_find (p.plan, "halve-fp32");
      if (measure != TSR_NO_INDEX)
        g_assert_null (p.measures[measure].missing);
    }
}

/* Of a tile of which it is not told how full it is, only the best case is known. */
static void
test_growth_unknown (void)
{
  g_auto (Planned) p = { 0 };
  g_auto (Planned) whole = { 0 };
  char *folder = tsr_test_report_new ("tiny");
  TsrPlanGrowth growth, known;

  tsr_test_sql (
      folder, "profile.pop",
      "UPDATE memory_by_tile SET including_gaps = NULL, overflowed = NULL WHERE tile = 3");
  planned_open (&p, folder);
  planned_open (&whole, tsr_test_report_new ("tiny"));
  tsr_plan_get_growth (p.plan, &growth);
  tsr_plan_get_growth (whole.plan, &known);
  g_assert_cmpfloat_with_epsilon (growth.best, known.best, 1e-9);
  g_assert_true (isnan (growth.packed));
}

static void
check_missing (const char *sql, const char *id, const char *part)
{
  g_auto (Planned) p = { 0 };
  char *folder = tsr_test_report_new ("oom");
  g_autoptr (GError) error = NULL;
  TsrMeasureSet set;
  guint i;

  tsr_test_sql (folder, "profile.pop", sql);
  planned_open (&p, folder);
  if (id == NULL)
    {
      g_assert_cmpuint (p.n, ==, 0);
      g_assert_nonnull (strstr (tsr_plan_get_missing (p.plan), part));
      return;
    }
  i = tsr_plan_find (p.plan, id);
  g_assert_cmpuint (i, !=, TSR_NO_INDEX);
  g_assert_null (p.measures[i].saved);
  g_assert_nonnull (strstr (p.measures[i].missing, part));
  g_assert_false (tsr_plan_parse (p.plan, id, &set, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
}

static void
test_missing (void)
{
  check_missing ("DROP TABLE vars_info", NULL, "autoReport.outputLoweredVars");
  check_missing ("DROP TABLE equivalence_class_intervals", NULL, "equivalence_class_intervals");
  check_missing ("DROP TABLE liveness_steps; DROP TABLE equivalence_class_intervals; DROP TABLE "
                 "liveness_by_ipu; DROP TABLE variable_lifetimes",
                 NULL, "liveness_steps");
  check_missing ("DELETE FROM program_variables", "recompute", "program_variables");
  check_missing ("UPDATE variables SET element_type = NULL", "halve-fp32",
                 "variables.element_type");
}

/* Only archive.a: no table is what is missing. */
static void
test_archive (void)
{
  g_auto (Planned) p = { 0 };
  char *folder = tsr_test_folder_new ();

  tsr_test_copy (tsr_test_get_report ("tiny"), folder, "archive.a");
  planned_open (&p, folder);
  g_assert_cmpuint (p.n, ==, 0);
  g_assert_nonnull (strstr (tsr_plan_get_missing (p.plan), "profile.pop"));
  g_assert_null (strstr (tsr_plan_get_missing (p.plan), "vars_info"));
}

/* Numbers of tiles are written as everywhere. */
static void
test_many_tiles (void)
{
  g_auto (Planned) p = { 0 };
  char *folder = tsr_test_report_new ("oom");
  g_autofree char *status = NULL, *text = NULL;
  g_autoptr (TsrForecast) none = NULL;

  tsr_test_sql (folder, "profile.pop", "UPDATE target SET bytes_per_tile = 560000");
  planned_open (&p, folder);
  status = tsr_plan_dup_status (p.plan);
  none = forecast (&p, 0);
  text = tsr_plan_dup_forecast_text (p.plan, none);
  g_assert_cmpuint (tsr_plan_get_n_needing (p.plan), ==, 1683);
  g_assert_nonnull (strstr (status, ", 1,683 tiles overflow"));
  g_assert_nonnull (strstr (text, "Packed as now: 1,683 tiles overflow"));
}

/* A tile that fits, and does not tell how full it is, is not the fullest one. */
static void
test_untold (void)
{
  static const struct
  {
    const char *sql, *status;
  } cases[] = {
    { "SELECT 1", "Fits: 1,000 B are free on tile 2, the fullest" },
    { "UPDATE memory_by_tile SET including_gaps = NULL WHERE tile = 2",
      "Fits: 1,001 B are free on tile 1, the fullest" },
    { "UPDATE memory_by_tile SET including_gaps = NULL", "Fits: no tile overflows" },
    { "UPDATE memory_by_tile SET overflowed = NULL, including_gaps = NULL WHERE tile = 5",
      "It is not known whether it fits" },
    { "UPDATE memory_by_tile SET overflowed = 7, including_gaps = NULL WHERE tile = 3",
      "7 B too much on tile 3, 1 tile overflows" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Planned) p = { 0 };
      char *folder = tsr_test_report_new ("tiny");
      g_autofree char *status = NULL;

      tsr_test_sql (folder, "profile.pop",
                    "UPDATE target SET bytes_per_tile = 9000;"
                    "UPDATE memory_by_tile SET overflowed = 0,"
                    " including_gaps = CASE tile WHEN 2 THEN 8000 WHEN 1 THEN 7999 ELSE 0 END");
      tsr_test_sql (folder, "profile.pop", cases[i].sql);
      planned_open (&p, folder);
      status = tsr_plan_dup_status (p.plan);
      g_assert_cmpstr (status, ==, cases[i].status);
    }
}

/* What helps no tile that overflows is not listed, whichever tile it is. */
static void
test_one_tile (void)
{
  static const guint tiles[] = { 0, 1471 };

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    {
      g_auto (Planned) p = { 0 };
      char *folder = tsr_test_report_new ("demo");
      g_autofree char *sql = g_strdup_printf (
          "UPDATE memory_by_tile SET overflowed = iif (tile = %u, 100, 0)", tiles[i]);
      guint n_saving = 0;

      tsr_test_sql (folder, "profile.pop", sql);
      planned_open (&p, folder);
      g_assert_cmpuint (tsr_plan_get_n_needing (p.plan), ==, 1);
      for (guint m = 0; m < p.n; m++)
        {
          if (p.measures[m].kind != TSR_MEASURE_EXACT)
            continue;
          g_assert_cmpint (p.measures[m].saved[tiles[i]], >, 0);
          n_saving++;
        }
      g_assert_cmpuint (n_saving, >, 0);
    }
}

/* That nothing overflows can be recorded without how large a tile is: what is free is not known
 * then. */
static void
test_roomless (void)
{
  g_auto (Planned) p = { 0 };
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrForecast) none = NULL;
  g_autofree char *text = NULL;

  tsr_test_sql (folder, "profile.pop", "UPDATE target SET bytes_per_tile = NULL");
  planned_open (&p, folder);
  none = forecast (&p, 0);
  g_assert_cmpuint (none->packed.n_over, ==, 0);
  g_assert_cmpint (none->packed.most, ==, TSR_UNKNOWN);
  text = tsr_plan_dup_forecast_text (p.plan, none);
  g_assert_nonnull (strstr (text, "At best: not known\nPacked as now: all tiles fit\n"));
}

/* A size that is not told makes its tile unknown, until what has it is gone. */
static void
test_unknown (void)
{
  g_auto (Planned) p = { 0 };
  char *folder = tsr_test_report_new ("oom");
  g_autoptr (TsrForecast) none = NULL;
  g_autoptr (TsrForecast) without = NULL;

  tsr_test_sql (folder, "profile.pop",
                "UPDATE vars_info SET size_bytes = NULL WHERE tile = 706 AND name = (SELECT id FROM"
                " vars_string_table WHERE value = 'model/embedding/lookup_table#0')");
  planned_open (&p, folder);
  none = forecast (&p, 0);
  g_assert_cmpint (none->live[706], ==, TSR_UNKNOWN);
  g_assert_cmpint (none->packed.over[706], ==, TSR_UNKNOWN);
  g_assert_cmpint (none->live[705], !=, TSR_UNKNOWN);
  g_assert_cmpint (none->packed.sum, ==, TSR_UNKNOWN);
  without = forecast (&p, BIT (tsr_plan_find (p.plan, "drop:model/embedding/lookup_table")));
  g_assert_cmpint (without->live[706], !=, TSR_UNKNOWN);
  g_assert_cmpint (without->best.over[706], !=, TSR_UNKNOWN);
  g_assert_cmpint (without->packed.over[706], ==, TSR_UNKNOWN);
}

static void
test_words (void)
{
  const Planned *p = get_oom ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (TsrForecast) result = NULL;
  g_autofree char *status = NULL;
  g_autofree char *text = NULL;
  TsrMeasureSet set;

  status = tsr_plan_dup_status (p->plan);
  g_assert_cmpstr (status, ==, "298 KiB too much on tile 706, 869 tiles overflow");
  g_assert_true (
      tsr_plan_parse (p->plan, "halve-fp32,drop:model/embedding/lookup_table", &set, NULL));
  g_assert_cmpint (__builtin_popcountll (set), ==, 2);
  result = forecast (p, set);
  text = tsr_plan_dup_text (p->plan, result, "/a b");
  g_assert_nonnull (strstr (text, status));
  g_assert_nonnull (strstr (text, "Does not fit"));
  g_assert_nonnull (strstr (text, "tessera-cli insights --plan='halve-fp32,"));
  g_assert_nonnull (strstr (text, "'/a b'"));
  g_assert_false (tsr_plan_parse (p->plan, "halve-fp32,nonsense", &set, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "nonsense"));
  for (guint i = 0; i < p->n; i++)
    {
      const char *id = p->measures[i].id;
      const gboolean has_number = p->measures[i].saved != NULL;

      g_assert_true ((strstr (error->message, id) != NULL) == has_number);
      g_assert_true (tsr_plan_parse (p->plan, id, &set, NULL) == has_number);
      g_assert_true (!has_number || set == BIT (i));
    }
  g_clear_error (&error);
  g_assert_false (tsr_plan_parse (p->plan, "layout", &set, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
  g_assert_nonnull (
      strstr (error->message, "“layout” cannot be forecast: its saving is not known"));
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_null (tsr_plan_forecast (p->plan, set, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (tsr_plan_propose (p->plan, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (
      tsr_plan_new (p->report, p->memory, p->liveness, TSR_UNITS_BINARY, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/oracle", test_oracle);
  g_test_add_func ("/plan/savings", test_savings);
  g_test_add_func ("/plan/odd", test_odd);
  g_test_add_func ("/plan-variants/oom", test_variants);
  g_test_add_data_func ("/plan-variants/that-fit-3", "802000", test_variants_that_fit);
  g_test_add_data_func ("/plan-variants/that-fit-2", "870000", test_variants_that_fit);
  g_test_add_data_func ("/plan/exact-2", "870000", test_exact);
  g_test_add_data_func ("/plan/exact-1", "938000", test_exact);
  g_test_add_data_func ("/plan/greedy-3", "802000", test_greedy);
  g_test_add_data_func ("/plan/greedy-2", "815000", test_greedy);
  g_test_add_func ("/plan/bounded", test_bounded);
  g_test_add_func ("/plan/growth", test_growth);
  g_test_add_func ("/plan/growth-unknown", test_growth_unknown);
  g_test_add_func ("/plan/one-type", test_one_type);
  g_test_add_func ("/plan/missing", test_missing);
  g_test_add_func ("/plan/archive", test_archive);
  g_test_add_func ("/plan/many-tiles", test_many_tiles);
  g_test_add_func ("/plan/unknown", test_unknown);
  g_test_add_func ("/plan/roomless", test_roomless);
  g_test_add_func ("/plan/one-tile", test_one_tile);
  g_test_add_func ("/plan/untold", test_untold);
  g_test_add_func ("/plan/words", test_words);
  status = g_test_run ();
  planned_clear (&oom);
  return status;
}
