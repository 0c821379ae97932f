/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fix plan, of random reports: all that it says against a loop over all steps, and its proposal
 * against all sets.  Of a large one: forecasts likewise, and against reports that were made after
 * the measures. */

#include "config.h"

#include "analysis-test.h"
#include "plan-oracle.h"
#include "plan-report.h"
#include "tsr-error.h"
#include "tsr-plan.h"

#include <math.h>
#include <string.h>

#define BIT(i) ((TsrMeasureSet)1 << (i))

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

/* A plan with what a loop finds of it without any measure. */
typedef struct
{
  const Planned *p;
  PlanOracle *oracle;
  guint n_tiles, worst;
  gint64 capacity;
  gint64 *over, *now, *above; /* by tile: need(t), going on below 0; live, and live above */
  GPtrArray *programs;        /* GStrv: the name of each step's program */
} Checked;

static gint64
subtract (gint64 a, gint64 b)
{
  return a == TSR_UNKNOWN || b == TSR_UNKNOWN ? TSR_UNKNOWN : a - b;
}

static void
checked_init (Checked *self, const Planned *p)
{
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      p->folder, "SELECT overflowed, including_gaps FROM memory_by_tile ORDER BY tile");
  g_autofree guint *steps = NULL;

  self->p = p;
  self->oracle = plan_oracle_new (p->folder);
  self->n_tiles = rows->len;
  self->worst = TSR_NO_INDEX;
  self->capacity = tsr_test_ask (p->folder, "SELECT bytes_per_tile FROM target");
  self->over = g_new (gint64, rows->len);
  steps = g_new (guint, rows->len);
  self->now
      = plan_oracle_dup_live (self->oracle, (const char *const[]){ NULL }, &self->above, steps);
  self->programs = tsr_test_ask_rows (p->folder, "SELECT ifnull (name, 'no name') FROM"
                                                 " liveness_steps LEFT JOIN programs ON"
                                                 " programs.id = program ORDER BY step");
  for (guint tile = 0; tile < rows->len; tile++)
    {
      GStrv cells = rows->pdata[tile];
      gint64 told = *cells[0] != '\0' ? g_ascii_strtoll (cells[0], NULL, 10) : TSR_UNKNOWN;
      gint64 more
          = *cells[1] != '\0' ? g_ascii_strtoll (cells[1], NULL, 10) - self->capacity : TSR_UNKNOWN;

      self->over[tile] = MAX (told, more) > 0  ? MAX (told, more)
                         : more != TSR_UNKNOWN ? more
                                               : told;
      if ((more != TSR_UNKNOWN || told > 0)
          && (self->worst == TSR_NO_INDEX || self->over[tile] > self->over[self->worst]))
        self->worst = tile;
    }
}

static void
checked_clear (Checked *self)
{
  plan_oracle_free (self->oracle);
  g_free (self->over);
  g_free (self->now);
  g_free (self->above);
  g_ptr_array_unref (self->programs);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Checked, checked_clear)

static gint64
get_packed (const Checked *self, guint tile, gint64 live, gint64 above)
{
  gint64 saved = subtract (self->now[tile], live);
  gint64 saved_above = subtract (self->above[tile], above);

  if (saved != TSR_UNKNOWN && self->over[tile] > 0 && saved_above != TSR_UNKNOWN)
    saved = MIN (saved, saved_above);
  return subtract (self->over[tile], saved);
}

static void
check_number (const Checked *self, const TsrPlanNumber *number)
{
  guint n_over = 0;
  guint worst = TSR_NO_INDEX;
  gint64 sum = 0;

  for (guint tile = 0; tile < self->n_tiles; tile++)
    {
      n_over += number->over[tile] > 0;
      sum = number->over[tile] == TSR_UNKNOWN ? TSR_UNKNOWN : sum;
      sum += sum != TSR_UNKNOWN ? MAX (number->over[tile], 0) : 0;
      if (number->over[tile] != TSR_UNKNOWN
          && (worst == TSR_NO_INDEX || number->over[tile] > number->over[worst]))
        worst = tile;
    }
  g_assert_cmpuint (number->n_over, ==, n_over);
  g_assert_cmpuint (number->worst, ==, worst);
  if (worst != TSR_NO_INDEX && (self->worst != TSR_NO_INDEX || number->over[worst] != 0))
    g_assert_cmpint (number->most, ==, number->over[worst]);
  else
    g_assert_cmpint (number->most, ==, TSR_UNKNOWN);
  g_assert_cmpint (number->sum, ==, sum);
}

static char *
dup_number (const char *name, const TsrPlanNumber *number)
{
  g_autofree char *count = tsr_units_dup_count (number->n_over);
  g_autofree char *most = NULL;

  if (number->worst == TSR_NO_INDEX)
    return g_strdup_printf ("%s: not known\n", name);
  if (number->most == TSR_UNKNOWN)
    return g_strdup_printf ("%s: all tiles fit\n", name);
  most = tsr_units_dup_bytes (TSR_UNITS_BINARY, ABS (number->most));
  if (number->n_over == 0)
    return g_strdup_printf ("%s: all tiles fit, %s free on tile %u\n", name, most, number->worst);
  return g_strdup_printf ("%s: %s tile%s, tile %u by %s\n", name, count,
                          number->n_over == 1 ? " overflows" : "s overflow", number->worst, most);
}

/* The words for it: the numbers, the next peak, the costs; and for a ticket, the measures. */
static void
check_text (const Checked *self, const TsrForecast *f)
{
  const Planned *p = self->p;
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autofree char *text = tsr_plan_dup_forecast_text (p->plan, f);
  g_autofree char *ticket = tsr_plan_dup_text (p->plan, f, "X");
  g_autofree char *best = dup_number ("At best", &f->best);
  g_autofree char *packed = dup_number ("Packed as now", &f->packed);
  g_autofree char *status = tsr_plan_dup_status (p->plan);
  g_autofree char *ids = tsr_plan_dup_ids (p->plan, f->set);
  g_autofree char *quoted = g_shell_quote (ids);

  g_string_printf (expected, "%s%s", best, packed);
  if (f->peak_tile != TSR_NO_INDEX)
    {
      guint step = f->peak_step[f->peak_tile];

      g_string_append_printf (expected, "Next peak: tile %u at step %u (%s)\n", f->peak_tile, step,
                              ((GStrv)self->programs->pdata[step])[0]);
    }
  if (f->cycles != TSR_UNKNOWN)
    {
      g_autofree char *cycles = tsr_units_dup_cycles (f->cycles);

      g_string_append_printf (expected, "Costs: %s, estimated\n", cycles);
    }
  if (f->n_unknown_cycles > 0)
    g_string_append_printf (expected, "Costs of %u measure%s: not known\n", f->n_unknown_cycles,
                            f->n_unknown_cycles == 1 ? "" : "s");
  g_assert_cmpstr (text, ==, expected->str);

  g_string_printf (expected, "%s\n\n", status);
  for (guint i = 0; i < p->n; i++)
    if ((f->set & BIT (i)) != 0)
      {
        const TsrMeasure *m = &p->measures[i];
        g_autofree char *bytes = tsr_units_dup_bytes (TSR_UNITS_BINARY, m->worst_tile);

        g_string_append_printf (expected, "- %s", m->title);
        if (self->worst != TSR_NO_INDEX && m->worst_tile != TSR_UNKNOWN)
          g_string_append_printf (expected, ": %s%s on tile %u by itself",
                                  m->kind == TSR_MEASURE_UPPER_BOUND ? "up to " : "", bytes,
                                  self->worst);
        if (m->option != NULL)
          g_string_append_printf (expected, " (%s)", m->option);
        g_string_append_c (expected, '\n');
      }
  g_string_append_printf (expected, "%s\n%s\n%s\n", f->set == 0 ? "No measures\n" : "",
                          tsr_plan_verdict_get_name (f->verdict), text);
  if (f->set != 0)
    g_string_append_printf (expected, "tessera-cli insights --plan=%s 'X'\n", quoted);
  g_assert_cmpstr (ticket, ==, expected->str);
}

static void
check_forecast (const Checked *self, TsrMeasureSet set)
{
  const Planned *p = self->p;
  g_autoptr (TsrForecast) result = forecast (p, set);
  g_autofree char *ids = tsr_plan_dup_ids (p->plan, set);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree guint *steps = g_new (guint, self->n_tiles);
  g_autofree gint64 *above = NULL, *live = NULL;
  gboolean bounded = (set & ~get_all (p, FALSE)) != 0;
  gint64 cycles = TSR_UNKNOWN;
  guint n_unknown = 0;
  TsrMeasureSet parsed;

  g_test_message ("%s", ids);
  g_assert_true (tsr_plan_parse (p->plan, ids, &parsed, NULL) && parsed == set);
  for (guint i = 0; i < p->n; i++)
    if ((set & BIT (i)) != 0)
      {
        g_ptr_array_add (words, p->measures[i].id);
        n_unknown += p->measures[i].cycles == TSR_UNKNOWN;
        if (p->measures[i].cycles != TSR_UNKNOWN)
          cycles = MAX (cycles, 0) + p->measures[i].cycles;
      }
  g_ptr_array_add (words, NULL);
  live = plan_oracle_dup_live (self->oracle, (const char *const *)words->pdata, &above, steps);
  for (guint tile = 0; tile < result->n_tiles; tile++)
    {
      g_assert_cmpint (result->live_now[tile], ==, self->now[tile]);
      g_assert_cmpint (result->live[tile], ==, live[tile]);
      g_assert_cmpuint (result->peak_step[tile], ==, steps[tile]);
      g_assert_cmpint (result->best.over[tile], ==, subtract (live[tile], self->capacity));
      g_assert_cmpint (result->packed.over[tile], ==,
                       get_packed (self, tile, live[tile], above[tile]));
    }
  check_number (self, &result->best);
  check_number (self, &result->packed);
  g_assert_cmpint (result->verdict, ==,
                   result->best.n_over > 0 ? TSR_PLAN_DOES_NOT_FIT
                   : result->best.sum == TSR_UNKNOWN || result->packed.sum == TSR_UNKNOWN
                           || result->best.worst == TSR_NO_INDEX
                       ? TSR_PLAN_UNKNOWN
                   : result->packed.n_over > 0 || bounded ? TSR_PLAN_MAY_FIT
                                                          : TSR_PLAN_FITS);
  g_assert_cmpuint (result->peak_tile, ==, result->packed.worst);
  g_assert_cmpint (result->cycles, ==, cycles);
  g_assert_cmpuint (result->n_unknown_cycles, ==, n_unknown);
  check_text (self, result);
}

static TsrMeasureSet
draw_set (GRand *random)
{
  return (guint64)g_rand_int (random) << 32 | g_rand_int (random);
}

static void
test_oracle (void)
{
  g_auto (Checked) c = { 0 };
  const Planned *p = get_oom ();
  g_autoptr (GRand) random = g_rand_new_with_seed (17);
  guint n_recomputed = 0;

  checked_init (&c, p);
  g_assert_cmpuint (p->n, >, 20);
  for (guint i = 0; i < p->n; i++)
    n_recomputed += g_str_has_prefix (p->measures[i].id, "recompute:")
                    && p->measures[i].saved != NULL && p->measures[i].relief > 0;
  g_assert_cmpuint (n_recomputed, >, 0);
  check_forecast (&c, 0);
  check_forecast (&c, get_all (p, TRUE));
  check_forecast (&c, get_all (p, FALSE));
  for (guint i = 0; i < 6; i++)
    check_forecast (&c, draw_set (random) & draw_set (random) & get_all (p, TRUE));
}

/* -------------------------------------------------------- of random reports */

/* A measure as it must be. */
typedef struct
{
  char *id;
  guint place; /* where it was found */
  int rank;    /* 0; -1 lacks something; -2 has no number */
  gint64 relief, worst_tile, cycles;
  gint64 *saved; /* by tile */
  gboolean is_worth_it;
} Expected;

static void
expected_clear (gpointer data)
{
  Expected *expected = data;

  g_free (expected->id);
  g_free (expected->saved);
}

static void
find_saved (const Checked *c, Expected *one)
{
  const char *colon = strchr (one->id, ':');
  g_autofree guint *steps = g_new (guint, c->n_tiles);
  g_autofree gint64 *above = NULL, *live = NULL;
  gboolean helps = FALSE, any_needs = FALSE;

  live = plan_oracle_dup_live (c->oracle, (const char *const[]){ one->id, NULL }, &above, steps);
  one->saved = g_new (gint64, c->n_tiles);
  one->relief = 0;
  for (guint tile = 0; tile < c->n_tiles; tile++)
    any_needs |= c->over[tile] > 0;
  for (guint tile = 0; tile < c->n_tiles; tile++)
    {
      gint64 packed = get_packed (c, tile, live[tile], above[tile]);

      one->saved[tile] = subtract (c->now[tile], live[tile]);
      if (packed != TSR_UNKNOWN)
        one->relief += MAX (c->over[tile], 0) - MAX (packed, 0);
      helps |= one->saved[tile] > 0 && (!any_needs || c->over[tile] > 0);
    }
  if (c->worst != TSR_NO_INDEX)
    one->worst_tile = one->saved[c->worst];
  one->is_worth_it = helps;
  if (g_str_has_prefix (one->id, "move:") || g_str_has_prefix (one->id, "recompute:"))
    one->is_worth_it = helps && one->relief > 0;
  if (g_str_has_prefix (one->id, "recompute:"))
    plan_oracle_can_recompute (c->oracle, g_intern_string (colon + 1), &one->cycles);
}

static int
compare_expected (gconstpointer a, gconstpointer b)
{
  const Expected *x = a;
  const Expected *y = b;

  if (x->rank != y->rank)
    return y->rank - x->rank;
  if (x->relief != y->relief)
    return x->relief > y->relief ? -1 : 1;
  if (x->worst_tile != y->worst_tile)
    return x->worst_tile > y->worst_tile ? -1 : 1;
  return x->place < y->place ? -1 : 1;
}

/* What must be left of an upper bound stands behind its text. */
static void
check_shrink (const Checked *c, const TsrMeasure *m)
{
  gint64 need = c->worst != TSR_NO_INDEX ? c->over[c->worst] : 0;
  g_autofree char *saved = NULL, *needed = NULL, *left = NULL, *end = NULL;

  if (m->kind != TSR_MEASURE_UPPER_BOUND || need <= 0 || m->worst_tile <= 0)
    {
      g_assert_null (strstr (m->text, "At most"));
      return;
    }
  saved = tsr_units_dup_bytes (TSR_UNITS_BINARY, m->worst_tile);
  needed = tsr_units_dup_bytes (TSR_UNITS_BINARY, need);
  left = tsr_units_dup_bytes (TSR_UNITS_BINARY, m->worst_tile - need);
  if (m->worst_tile >= need && !g_str_equal (m->id, "batch"))
    end = g_strdup_printf ("  At most %s less on tile %u, which needs %s: no more than %s of it may"
                           " be left at its peak there.",
                           saved, c->worst, needed, left);
  else
    end = g_strdup_printf ("  At most %s less on tile %u, which needs %s.", saved, c->worst,
                           needed);
  g_assert_true (g_str_has_suffix (m->text, end));
}

/* Which measures there are, in which order, and what each does by itself. */
static void
check_measures (const Checked *c)
{
  const Planned *p = c->p;
  const gboolean told = tsr_test_ask (p->folder, "SELECT tiles_per_ipu FROM target") > 0;
  const gboolean typed = tsr_test_ask (p->folder, "SELECT count(element_type) FROM variables") > 0;
  g_autoptr (GPtrArray) ids = plan_oracle_list_offered (c->oracle, c->over, told);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Expected));
  g_autoptr (TsrForecast) any = NULL;
  guint n = 0;

  g_array_set_clear_func (list, expected_clear);
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = ids->pdata[i];
      Expected one = { g_strdup (id), i, 0, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN, NULL, TRUE };

      /* Of exchanges that save as much any may be the first. */
      if (g_str_has_prefix (id, "outline:"))
        one.place = ids->len + tsr_plan_find (p->plan, id);

      if (g_str_equal (id, "exchange") || g_str_equal (id, "layout"))
        one.rank = -2;
      else if (g_str_equal (id, "move") || g_str_equal (id, "recompute")
               || (g_str_equal (id, "halve-fp32") && !typed))
        one.rank = -1;
      else
        find_saved (c, &one);
      if (one.is_worth_it || g_str_equal (id, "batch"))
        g_array_append_val (list, one);
      else
        expected_clear (&one);
    }
  g_array_sort (list, compare_expected);
  for (guint i = 0; i < list->len; i++)
    g_test_message ("%s", g_array_index (list, Expected, i).id);
  any = forecast (p, G_MAXUINT64);
  g_assert_cmphex (any->set, ==, get_all (p, TRUE));
  for (; n < MIN (list->len, p->n); n++)
    {
      const Expected *one = &g_array_index (list, Expected, n);
      const TsrMeasure *m = &p->measures[n];
      const char *colon = strchr (one->id, ':');

      g_assert_cmpstr (m->id, ==, one->id);
      g_assert_cmpint (tsr_plan_find (p->plan, one->id), ==, n);
      g_assert_cmpint (m->relief, ==, one->relief);
      g_assert_cmpint (m->worst_tile, ==, one->worst_tile);
      g_assert_cmpint (m->cycles, ==, one->cycles);
      g_assert_cmpstr (m->variable, ==, colon != NULL ? colon + 1 : NULL);
      g_assert_cmpint (m->missing != NULL, ==, one->rank == -1);
      g_assert_cmpint (m->saved != NULL, ==, one->rank == 0);
      g_assert_cmpint (m->kind, ==,
                       one->rank == -2 ? TSR_MEASURE_LISTED
                       : g_str_equal (one->id, "batch") || g_str_has_prefix (one->id, "serialise:")
                               || g_str_has_prefix (one->id, "memory-proportion:")
                           ? TSR_MEASURE_UPPER_BOUND
                           : TSR_MEASURE_EXACT);
      check_shrink (c, m);
      for (guint tile = 0; one->rank == 0 && tile < c->n_tiles; tile++)
        g_assert_cmpint (m->saved[tile], ==, one->saved[tile]);
    }
  g_assert_cmpuint (p->n, ==, list->len);
}

static void
take_factor (double factor, guint tile, double *least, guint *least_tile)
{
  if (isnan (factor) || isnan (*least))
    *least = NAN;
  else if (factor < *least)
    {
      *least = factor;
      *least_tile = tile;
    }
}

static void
check_growth (const Checked *c)
{
  double best = INFINITY, packed = INFINITY;
  guint best_tile = TSR_NO_INDEX, packed_tile = TSR_NO_INDEX;
  TsrPlanGrowth growth;

  for (guint tile = 0; tile < c->n_tiles; tile++)
    {
      gint64 limit = subtract (c->now[tile], c->over[tile]);
      gint64 above = c->over[tile] > 0 ? subtract (c->above[tile], c->over[tile]) : TSR_UNKNOWN;
      double factor
          = limit == TSR_UNKNOWN ? NAN : plan_oracle_get_growth (c->oracle, tile, FALSE, limit);

      if (limit != TSR_UNKNOWN && above != TSR_UNKNOWN)
        factor = MIN (factor, plan_oracle_get_growth (c->oracle, tile, TRUE, above));
      take_factor (factor, tile, &packed, &packed_tile);
      take_factor (c->now[tile] == TSR_UNKNOWN
                       ? NAN
                       : plan_oracle_get_growth (c->oracle, tile, FALSE, c->capacity),
                   tile, &best, &best_tile);
    }
  tsr_plan_get_growth (c->p->plan, &growth);
  g_assert_cmpuint (growth.best_tile, ==, isnan (best) ? TSR_NO_INDEX : best_tile);
  g_assert_cmpuint (growth.packed_tile, ==, isnan (packed) ? TSR_NO_INDEX : packed_tile);
  g_assert_true (isnan (growth.best) == (isnan (best) || isinf (best)));
  g_assert_true (isnan (growth.packed) == (isnan (packed) || isinf (packed)));
  if (!isnan (growth.best))
    g_assert_cmpfloat_with_epsilon (growth.best, best, 1e-9);
  if (!isnan (growth.packed))
    g_assert_cmpfloat_with_epsilon (growth.packed, packed, 1e-9);
}

/* A search for the fewest, as tsr-plan-proposal.c words it: with every tile that does not fit for
 * a witness. */
typedef struct
{
  const Checked *c;
  TsrMeasureSet from;
  gboolean best;     /* at best; else packed as now */
  guint64 witnesses; /* a bit for each tile */
} Search;

/* What the witnesses have too much; unknown counts as nothing. */
static gint64
weigh (const Search *self, TsrMeasureSet set)
{
  g_autoptr (TsrForecast) f = forecast (self->c->p, set);
  const gint64 *over = self->best ? f->best.over : f->packed.over;
  gint64 sum = 0;

  for (guint tile = 0; tile < self->c->n_tiles; tile++)
    sum += (self->witnesses >> tile & 1) != 0 ? MAX (over[tile], 0) : 0;
  return sum;
}

static gboolean
is_enough (Search *self, TsrMeasureSet set)
{
  const guint64 witnesses = self->witnesses;
  gint64 most = 0;

  if (weigh (self, set) > 0)
    return FALSE;
  for (guint tile = 0; tile < self->c->n_tiles; tile++)
    {
      Search one = { self->c, self->from, self->best, BIT (tile) };
      gint64 over = weigh (&one, set);

      if (over > most)
        self->witnesses = witnesses | BIT (tile);
      most = MAX (most, over);
    }
  return most == 0;
}

/* The first @size of those from the measure @first on that are enough together with @set. */
static gboolean
find_first (Search *self, guint first, guint size, TsrMeasureSet set, TsrMeasureSet *found)
{
  *found = set;
  if (size == 0)
    return is_enough (self, set);
  for (guint i = first; i < self->c->p->n; i++)
    if ((self->from & BIT (i)) != 0 && find_first (self, i + 1, size - 1, set | BIT (i), found))
      return TRUE;
  return FALSE;
}

/* What helps most, one by one; then without what is not needed. */
static gboolean
find_greedily (Search *self, TsrMeasureSet *found)
{
  for (*found = 0; !is_enough (self, *found);)
    {
      TsrMeasureSet next = 0;
      gint64 least = weigh (self, *found);

      for (guint i = 0; i < self->c->p->n; i++)
        if ((self->from & ~*found & BIT (i)) != 0)
          {
            gint64 sum = weigh (self, *found | BIT (i));

            next = sum < least ? BIT (i) : next;
            least = MIN (least, sum);
          }
      if (next == 0)
        return FALSE;
      *found |= next;
    }
  for (guint i = self->c->p->n; i > 0; i--)
    if ((*found & BIT (i - 1)) != 0 && is_enough (self, *found & ~BIT (i - 1)))
      *found &= ~BIT (i - 1);
  return TRUE;
}

static gboolean
find_set (const Checked *c, TsrMeasureSet from, gboolean best, TsrMeasureSet *found)
{
  Search search = { c, from, best, 0 };
  guint n = (guint)__builtin_popcountll (from);

  for (guint tile = 0; tile < c->n_tiles; tile++)
    search.witnesses |= c->over[tile] > 0 ? BIT (tile) : 0;
  for (guint size = 0; n <= TSR_PLAN_EXACT_CANDIDATES && size <= n; size++)
    if (find_first (&search, 0, size, 0, found))
      return TRUE;
  return find_greedily (&search, found) && n > TSR_PLAN_EXACT_CANDIDATES;
}

static char *
dup_proposal_text (const TsrProposal *proposal)
{
  guint n = (guint)__builtin_popcountll (proposal->set);
  const TsrForecast *f = proposal->forecast;
  const char *s = n == 1 ? "" : "s";
  const char *how = proposal->n_candidates > TSR_PLAN_EXACT_CANDIDATES && n > 1
                        ? "chosen one by one: fewer may be enough"
                        : "no fewer are enough";
  g_autofree char *most = tsr_units_dup_bytes (TSR_UNITS_BINARY, f->best.most);

  switch (f->verdict)
    {
    case TSR_PLAN_FITS:
      return n == 0 ? g_strdup ("Nothing is needed")
                    : g_strdup_printf ("%u measure%s %s enough (%s)", n, s, n == 1 ? "is" : "are",
                                       how);
    case TSR_PLAN_MAY_FIT:
      return n == 0 ? g_strdup ("Nothing is needed")
                    : g_strdup_printf ("%u measure%s may be enough (%s)", n, s, how);
    case TSR_PLAN_DOES_NOT_FIT:
      return n == 0 ? g_strdup ("No measure helps")
                    : g_strdup_printf ("Not enough: with these %u measures %u tiles overflow still,"
                                       " tile %u by %s",
                                       n, f->best.n_over, f->best.worst, most);
    case TSR_PLAN_UNKNOWN:
    default:
      return g_strdup ("Nothing can be proposed: the memory of some tiles is not known");
    }
}

static void
check_proposal (const Checked *c)
{
  const Planned *p = c->p;
  g_autoptr (TsrProposal) proposal = tsr_plan_propose (p->plan, NULL, NULL);
  g_autofree char *text = dup_proposal_text (proposal);
  TsrMeasureSet exact = 0, all = 0, found = 0;
  guint n_needing = 0, n_candidates = 0;

  for (guint tile = 0; tile < c->n_tiles; tile++)
    for (guint i = 0; c->over[tile] > 0 && i < p->n; i++)
      if (p->measures[i].saved != NULL && plan_oracle_changes (c->oracle, p->measures[i].id, tile))
        all |= BIT (i);
  exact = all & get_all (p, FALSE);
  for (guint tile = 0; tile < c->n_tiles; tile++)
    n_needing += c->over[tile] > 0;
  g_assert_cmpuint (tsr_plan_get_n_needing (p->plan), ==, n_needing);
  if (n_needing > 0)
    {
      n_candidates = (guint)__builtin_popcountll (exact);
      if (!find_set (c, exact, FALSE, &found))
        {
          n_candidates = (guint)__builtin_popcountll (all);
          find_set (c, all, TRUE, &found);
        }
    }
  g_assert_cmpuint (proposal->n_candidates, ==, n_candidates);
  g_assert_cmpint (proposal->greedy, ==, n_candidates > TSR_PLAN_EXACT_CANDIDATES);
  g_assert_cmphex (proposal->set, ==, found);
  g_assert_cmpint (proposal->bounded, ==, (found & ~exact) != 0);
  g_assert_cmphex (proposal->forecast->set, ==, found);
  g_assert_cmpstr (proposal->text, ==, text);
}

static void
check_status (const Checked *c)
{
  g_autofree char *status = tsr_plan_dup_status (c->p->plan);
  g_autofree char *expected = NULL, *size = NULL;
  guint n_needing = 0, n_unknown = 0;

  for (guint tile = 0; tile < c->n_tiles; tile++)
    {
      n_needing += c->over[tile] > 0;
      n_unknown += c->over[tile] == TSR_UNKNOWN;
    }
  if (c->worst != TSR_NO_INDEX)
    size = tsr_units_dup_bytes (TSR_UNITS_BINARY, ABS (c->over[c->worst]));
  if (n_needing > 0)
    expected = g_strdup_printf ("%s too much on tile %u, %u tile%s", size, c->worst, n_needing,
                                n_needing == 1 ? " overflows" : "s overflow");
  else if (n_unknown > 0)
    expected = g_strdup ("It is not known whether it fits");
  else if (c->worst == TSR_NO_INDEX)
    expected = g_strdup ("Fits: no tile overflows");
  else
    expected = g_strdup_printf ("Fits: %s are free on tile %u, the fullest", size, c->worst);
  g_assert_cmpstr (status, ==, expected);
  tsr_plan_unref (tsr_plan_ref (c->p->plan));
  g_assert_cmpuint (tsr_plan_get_worst (c->p->plan), ==, c->worst);
  g_assert_cmpint (tsr_plan_get_fit (c->p->plan), ==,
                   n_needing > 0   ? TSR_OUT_OF_MEMORY
                   : n_unknown > 0 ? TSR_FIT_UNKNOWN
                                   : TSR_FITS);
}

static void
test_random (gconstpointer seed)
{
  static const char *const words[]
      = { "instrumentation", "halve-fp32",         "batch",     "drop:", "move:", "recompute:",
          "outline:",        "memory-proportion:", "serialise:" };
  g_autoptr (GRand) random = g_rand_new_with_seed (GPOINTER_TO_UINT (seed));
  guint met = 0;

  for (guint round = 0; round < 10; round++)
    {
      g_auto (Planned) p = { 0 };
      g_auto (Checked) c = { 0 };

      g_test_message ("round %u", round);
      planned_open (&p, plan_report_new (random, round));
      checked_init (&c, &p);
      check_status (&c);
      check_measures (&c);
      check_growth (&c);
      check_forecast (&c, 0);
      for (guint i = 0; i < p.n; i++)
        if (p.measures[i].saved != NULL)
          {
            check_forecast (&c, BIT (i));
            for (guint k = 0; k < G_N_ELEMENTS (words); k++)
              met |= g_str_has_prefix (p.measures[i].id, words[k]) << k;
          }
      for (guint i = 0; i < 12; i++)
        check_forecast (&c, (i % 2 == 0 ? G_MAXUINT64 : draw_set (random)) & draw_set (random)
                                & get_all (&p, TRUE));
      check_proposal (&c);
    }
  g_assert_cmpuint (met, ==, (1 << G_N_ELEMENTS (words)) - 1);
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

/* "oom" as if a tile had more bytes and nothing were packed anew: one by one may take more than the
 * fewest, which all sets tell, but no more than one more here. */
static void
test_greedy (void)
{
  g_auto (Planned) p = { 0 };
  g_autoptr (TsrProposal) proposal = NULL;
  char *folder = tsr_test_report_new ("oom");
  guint size, fewest;

  tsr_test_sql (folder, "profile.pop",
                "UPDATE memory_by_tile SET overflowed = max (0, overflowed - 815000 +"
                " (SELECT bytes_per_tile FROM target)); UPDATE target SET bytes_per_tile = 815000");
  planned_open (&p, folder);
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

/* --------------------------------------------------------------------- rest */

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
      char *folder = tsr_test_report_new ("tiny");
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
  char *folder = tsr_test_report_new ("tiny");
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
  /* Measures of every kind come of each. */
  static const guint seeds[] = { 9, 23, 27, 41 };
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      g_autofree char *path = g_strdup_printf ("/plan-random/%u", seeds[i]);

      g_test_add_data_func (path, GUINT_TO_POINTER (seeds[i]), test_random);
    }
  g_test_add_func ("/plan/oracle", test_oracle);
  g_test_add_func ("/plan-variants/oom", test_variants);
  g_test_add_data_func ("/plan-variants/that-fit-3", "802000", test_variants_that_fit);
  g_test_add_data_func ("/plan-variants/that-fit-2", "870000", test_variants_that_fit);
  g_test_add_func ("/plan/greedy", test_greedy);
  g_test_add_func ("/plan/growth-unknown", test_growth_unknown);
  g_test_add_func ("/plan/one-type", test_one_type);
  g_test_add_func ("/plan/missing", test_missing);
  g_test_add_func ("/plan/archive", test_archive);
  g_test_add_func ("/plan/many-tiles", test_many_tiles);
  g_test_add_func ("/plan/roomless", test_roomless);
  g_test_add_func ("/plan/untold", test_untold);
  g_test_add_func ("/plan/words", test_words);
  status = g_test_run ();
  planned_clear (&oom);
  return status;
}
