/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Insights of one report: runs the rules over the shared quantities and keeps what they say.  Built
 * by one worker thread; immutable afterwards, shared by reference. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _TsrInsights
{
  gatomicrefcount refs;
  TsrFit fit;
  TsrMetric fullness; /* what top tiles and histogram compare */
  guint n_tiles, n_needing, n_unknown;
  gint64 capacity, memory_per_replica;
  gint64 including, excluding;
  gint64 worst_full, worst_need; /* of w: fullness and need */
  gint64 parts[5];
  guint *critical, n_critical, top[5], n_top;
  guint n_ipus;
  guint *histogram;
  gint64 span; /* end of the last bin but one */
  GPtrArray *findings, *fine, *not_checked, *largest;
};

static void
unfired_free (gpointer data)
{
  TsrUnfired *unfired = data;

  g_free (unfired->title);
  g_free (unfired->text);
  g_free (unfired);
}

/* ------------------------------------------------------------------ figures */

/* The bounds are whole bytes. */
static guint
get_bin_of (TsrInsights *self, gint64 bytes)
{
  guint bin = 0;

  if (bytes > self->span)
    return TSR_N_BINS;
  while (bin + 1 < TSR_N_BINS && bytes >= (bin + 1) * self->span / TSR_N_BINS)
    bin++;
  return bin;
}

/* A tile with exactly the capacity is in the last bin but one: it fits. */
static void
fill_histogram (TsrInsights *self, const TsrInsightContext *c)
{
  self->n_ipus = MAX (c->n_ipus, 1);
  self->histogram = g_new0 (guint, (gsize)self->n_ipus * (TSR_N_BINS + 1));
  self->span = c->capacity;
  if (self->span == TSR_UNKNOWN)
    self->span = c->n_top > 0 ? MAX (c->fullness[c->top[0]], TSR_N_BINS) : TSR_N_BINS;
  self->span = CLAMP (self->span, 1, G_MAXINT64 / (TSR_N_BINS + 1));
  for (guint t = 0; c->fullness != NULL && t < c->n_tiles; t++)
    {
      guint ipu = MIN (tsr_insight_get_ipu (c, t), self->n_ipus - 1);
      guint bin;

      if (c->fullness[t] == TSR_UNKNOWN)
        continue;
      bin = c->need[t] > 0 ? TSR_N_BINS : get_bin_of (self, c->fullness[t]);
      self->histogram[ipu * (TSR_N_BINS + 1) + bin]++;
    }
}

static void
fill_parts (TsrInsights *self, const TsrInsightContext *c)
{
  guint w = c->worst;
  gint64 live;

  for (guint i = 0; i < 5; i++)
    self->parts[i] = TSR_UNKNOWN;
  if (w == TSR_NO_INDEX)
    return;
  if (c->always_live != NULL)
    self->parts[0] = c->always_live[w];
  if (c->not_always_live != NULL)
    self->parts[1] = c->not_always_live[w];
  if (self->parts[1] == TSR_UNKNOWN)
    self->parts[1] = c->worst_live;
  live = tsr_insight_add (self->parts[0], self->parts[1]);
  if (c->exc != NULL)
    self->parts[2] = tsr_known_subtract (c->exc[w], live);
  if (c->inc != NULL && c->exc != NULL)
    self->parts[3] = tsr_known_subtract (c->inc[w], c->exc[w]);
  if (c->inc != NULL)
    self->parts[4] = tsr_known_subtract (c->capacity, c->inc[w]);
  /* A bar has no negative parts: what contradicts itself is not told, and a full tile has none
   * free. */
  for (guint i = 0; i < 4; i++)
    if (self->parts[i] < 0)
      self->parts[i] = TSR_UNKNOWN;
  if (self->parts[4] != TSR_UNKNOWN)
    self->parts[4] = MAX (self->parts[4], 0);
}

static void
copy_figures (TsrInsights *self, const TsrInsightContext *c, TsrMemory *memory)
{
  self->fit = c->fit;
  self->fullness = tsr_memory_get_fullness_metric (memory);
  self->n_tiles = c->n_tiles;
  self->n_needing = c->n_needing;
  self->n_unknown = c->n_unknown;
  self->capacity = c->capacity;
  self->memory_per_replica = c->memory_per_replica;
  self->including = c->sum_inc;
  self->excluding = c->sum_exc;
  self->critical = g_memdup2 (c->critical, c->n_critical * sizeof (guint));
  self->n_critical = c->n_critical;
  memcpy (self->top, c->top, sizeof self->top);
  self->n_top = c->n_top;
  self->worst_full = c->n_top > 0 ? c->fullness[c->top[0]] : TSR_UNKNOWN;
  self->worst_need = c->worst != TSR_NO_INDEX ? c->need[c->worst] : TSR_UNKNOWN;
  fill_histogram (self, c);
  fill_parts (self, c);
}

/* -------------------------------------------------------------------- rules */

typedef struct
{
  guint rule;
  TsrVerdict verdict;
  double weight; /* max (bytesWorstTile / T, cycles / S) */
} Fired;

static int
compare_fired (gconstpointer a, gconstpointer b)
{
  const Fired *x = a;
  const Fired *y = b;

  if (x->verdict.finding->severity != y->verdict.finding->severity)
    return x->verdict.finding->severity < y->verdict.finding->severity ? -1 : 1;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->rule < y->rule ? -1 : x->rule > y->rule;
}

/* The smallest first. */
static int
compare_savings (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Fired *)a)->verdict.finding->bytes_worst_tile;
  gint64 y = ((const Fired *)b)->verdict.finding->bytes_worst_tile;

  return (x > y) - (x < y);
}

static gboolean
are_about_the_same (const TsrVerdict *a, const TsrVerdict *b)
{
  if (a->about & b->about)
    return TRUE;
  for (guint i = 0; a->variables != NULL && b->variables != NULL && i < a->variables->len; i++)
    for (guint k = 0; k < b->variables->len; k++)
      if (g_array_index (a->variables, guint32, i) == g_array_index (b->variables, guint32, k))
        return TRUE;
  return FALSE;
}

/* Savings of findings about the same bytes do not add up: each names the others. */
static void
name_others (GArray *fired)
{
  for (guint i = 0; i < fired->len; i++)
    {
      Fired *one = &g_array_index (fired, Fired, i);
      g_autoptr (GString) others = g_string_new (NULL);
      char *text = one->verdict.finding->text;

      for (guint k = 0; k < fired->len; k++)
        {
          const Fired *other = &g_array_index (fired, Fired, k);

          if (k != i && are_about_the_same (&one->verdict, &other->verdict))
            g_string_append_printf (others, "%s\"%s\"", others->len > 0 ? ", " : "",
                                    _ (tsr_insight_rules_get (other->rule)->title));
        }
      if (others->len == 0)
        continue;
      one->verdict.finding->text = g_strdup_printf (
          _ ("%s  Partly the same bytes as %s: savings do not add up."), text, others->str);
      g_free (text);
    }
}

/* Where a tile overflows, what saves more on it than a graver finding is as grave: so the largest
 * saving comes first. */
static void
weigh_savings (GArray *fired, const TsrInsightContext *c)
{
  TsrFindingSeverity gravest = TSR_FINDING_INFO;

  if (c->fit != TSR_OUT_OF_MEMORY)
    return;
  g_array_sort (fired, compare_savings);
  for (guint i = 0; i < fired->len; i++)
    {
      TsrFinding *finding = g_array_index (fired, Fired, i).verdict.finding;

      if (finding->severity == TSR_FINDING_ERROR
          || !tsr_insight_counts (c, finding->bytes_worst_tile))
        continue;
      gravest = MIN (gravest, finding->severity);
      finding->severity = gravest;
    }
}

/* On a report that does not fit, a rule that is content says that it could not help, either. */
static void
say_no_saving (const TsrInsightContext *c, TsrVerdict *verdict)
{
  char *text = verdict->text;

  verdict->text = g_strdup_printf (
      _ ("%s.  The report does not fit, and no saving of %s or more is known on tile %u"), text,
      tsr_insight_size (c, (gint64)tsr_insight_limits_find_shared ("overflow.saving")), c->worst);
  g_free (text);
}

static void
add_unfired (GPtrArray *list, const TsrInsightRule *rule, TsrVerdict *verdict)
{
  TsrUnfired *unfired = g_new0 (TsrUnfired, 1);

  unfired->rule = rule->id;
  unfired->title = g_strdup (_ (rule->title));
  unfired->text = g_steal_pointer (&verdict->text);
  g_ptr_array_add (list, unfired);
}

static gboolean
run_rules (TsrInsights *self, const TsrInsightContext *c, TsrProgress *progress, GError **error)
{
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (Fired));
  gboolean cancelled = FALSE;

  for (guint i = 0; i < TSR_N_RULES && !cancelled; i++)
    {
      const TsrInsightRule *rule = tsr_insight_rules_get (i);
      Fired one = { i, { 0 }, 0 };

      rule->check (c, &one.verdict);
      tsr_progress_add_done (progress, 1);
      cancelled = g_cancellable_set_error_if_cancelled (c->cancellable, error);
      if (one.verdict.result == TSR_RULE_FIRED)
        {
          one.verdict.finding->rule = rule->id;
          one.verdict.finding->inputs = g_strsplit (rule->inputs, " ", -1);
          if (one.verdict.finding->bytes_worst_tile > 0 && c->capacity > 0)
            one.weight = (double)one.verdict.finding->bytes_worst_tile / (double)c->capacity;
          if (one.verdict.finding->cycles > 0 && c->execution.span > 0)
            one.weight = MAX (one.weight, tsr_insight_of_span (c, one.verdict.finding->cycles));
          g_array_append_val (fired, one);
          continue;
        }
      if (one.verdict.result == TSR_RULE_FINE && rule->saves_bytes && c->fit == TSR_OUT_OF_MEMORY)
        say_no_saving (c, &one.verdict);
      add_unfired (one.verdict.result == TSR_RULE_FINE ? self->fine : self->not_checked, rule,
                   &one.verdict);
      tsr_verdict_clear (&one.verdict);
    }
  weigh_savings (fired, c);
  g_array_sort (fired, compare_fired);
  name_others (fired);
  for (guint i = 0; i < fired->len; i++)
    {
      TsrVerdict *verdict = &g_array_index (fired, Fired, i).verdict;

      g_ptr_array_add (self->findings, g_steal_pointer (&verdict->finding));
      tsr_verdict_clear (verdict);
    }
  return !cancelled;
}

/* The largest things are listed for this many IPUs at most. */
static void
note_ipus (TsrInsights *self, const TsrInsightContext *c)
{
  TsrUnfired *unfired;

  if (c->n_listed_ipus == 0 || c->n_listed_ipus >= c->n_ipus)
    return;
  unfired = g_new0 (TsrUnfired, 1);
  unfired->rule = "largest-of-ipus";
  unfired->title = g_strdup (_ ("The largest on each IPU"));
  unfired->text
      = g_strdup_printf (_ ("listed for the first %u of %u IPUs"), c->n_listed_ipus, c->n_ipus);
  g_ptr_array_add (self->not_checked, unfired);
}

TsrInsights *
tsr_insights_new (TsrReport *report,
                  TsrMemory *memory,
                  TsrLiveness *liveness,
                  TsrVertices *vertices,
                  TsrTrace *trace,
                  TsrUnits units,
                  TsrProgress *progress,
                  GCancellable *cancellable,
                  GError **error)
{
  g_return_val_if_fail (TSR_IS_REPORT (report) && memory != NULL, NULL);
  return tsr_insights_new_with_operations (report, memory, liveness, vertices, trace, NULL, units,
                                           progress, cancellable, error);
}

TsrInsights *
tsr_insights_new_with_operations (TsrReport *report,
                                  TsrMemory *memory,
                                  TsrLiveness *liveness,
                                  TsrVertices *vertices,
                                  TsrTrace *trace,
                                  TsrOperations *operations,
                                  TsrUnits units,
                                  TsrProgress *progress,
                                  GCancellable *cancellable,
                                  GError **error)
{
  g_autoptr (TsrInsights) self = g_new0 (TsrInsights, 1);
  TsrInsightContext context = { .units = units, .cancellable = cancellable };
  gboolean ok;

  g_return_val_if_fail (TSR_IS_REPORT (report) && memory != NULL, NULL);
  g_atomic_ref_count_init (&self->refs);
  self->findings = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_finding_free);
  self->fine = g_ptr_array_new_with_free_func (unfired_free);
  self->not_checked = g_ptr_array_new_with_free_func (unfired_free);
  tsr_progress_set_total (progress, TSR_N_RULES + 2);
  ok = tsr_insight_context_collect (&context, report, memory, liveness, vertices, operations,
                                    error);
  if (ok)
    tsr_insight_context_collect_execution (&context, trace, tsr_report_get_summary (report));
  tsr_progress_add_done (progress, 1);
  if (ok)
    {
      copy_figures (self, &context, memory);
      ok = run_rules (self, &context, progress, error);
    }
  if (ok)
    {
      self->largest = tsr_insight_list_largest (&context, liveness, vertices, cancellable);
      note_ipus (self, &context);
      ok = !g_cancellable_set_error_if_cancelled (cancellable, error);
      tsr_progress_add_done (progress, 1);
    }
  tsr_insight_context_clear (&context);
  return ok ? g_steal_pointer (&self) : NULL;
}

TsrInsights *
tsr_insights_ref (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_insights_unref (TsrInsights *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->critical);
  g_free (self->histogram);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->fine, g_ptr_array_unref);
  g_clear_pointer (&self->not_checked, g_ptr_array_unref);
  g_clear_pointer (&self->largest, g_ptr_array_unref);
  g_free (self);
}

/* ---------------------------------------------------------------- accessors */

TsrFit
tsr_insights_get_fit (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, TSR_FITS);
  return self->fit;
}

/* The fullest tile in words: which, and how full. */
static char *
dup_unknown_status (TsrInsights *self, TsrUnits units)
{
  g_autofree char *full = tsr_units_dup_bytes (units, self->worst_full);
  g_autofree char *capacity = tsr_units_dup_bytes (units, self->capacity);
  g_autofree char *unknown = tsr_units_dup_count (self->n_unknown);

  if (self->n_top == 0)
    return g_strdup (
        _ ("It is not known whether it fits: the memory of the tiles is not recorded"));
  if (self->capacity == TSR_UNKNOWN)
    return g_strdup_printf (_ ("It is not known whether it fits: fullest tile %u uses %s, the "
                               "memory of a tile is not recorded"),
                            self->top[0], full);
  if (self->fullness != TSR_METRIC_INCLUDING_GAPS)
    return g_strdup_printf (_ ("It is not known whether it fits: fullest tile %u uses %s of %s "
                               "excluding gaps, and gaps are not recorded"),
                            self->top[0], full, capacity);
  return g_strdup_printf (_ ("It is not known whether it fits: %s tiles are not recorded; fullest "
                             "tile %u of the others uses %s of %s"),
                          unknown, self->top[0], full, capacity);
}

char *
tsr_insights_dup_status (TsrInsights *self, TsrUnits units)
{
  g_autofree char *full = NULL, *capacity = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  full = tsr_units_dup_bytes (units, self->worst_full);
  capacity = tsr_units_dup_bytes (units, self->capacity);
  if (self->fit == TSR_OUT_OF_MEMORY)
    {
      g_autofree char *needing = tsr_units_dup_count (self->n_needing);
      g_autofree char *tiles = tsr_units_dup_count (self->n_tiles);
      g_autofree char *need = tsr_units_dup_bytes (units, self->worst_need);

      return g_strdup_printf (_ ("Does not fit: %s of %s tiles, worst tile %u by %s"), needing,
                              tiles, self->critical[0], need);
    }
  if (self->fit == TSR_FITS && self->fullness == TSR_METRIC_INCLUDING_GAPS
      && self->capacity != TSR_UNKNOWN && self->worst_full != TSR_UNKNOWN)
    {
      g_autofree char *rest
          = tsr_units_dup_bytes (units, tsr_known_subtract (self->capacity, self->worst_full));
      g_autofree char *percent
          = tsr_units_dup_percent ((double)self->worst_full / (double)self->capacity, 0);

      return g_strdup_printf (_ ("Fits: fullest tile %u uses %s of %s (%s), %s free"), self->top[0],
                              full, capacity, percent, rest);
    }
  if (self->fit == TSR_FITS)
    return g_strdup (_ ("Fits: no tile overflows"));
  return dup_unknown_status (self, units);
}

char *
tsr_insights_dup_status_detail (TsrInsights *self, TsrUnits units)
{
  g_autofree char *used = NULL, *whole = NULL, *percent = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  used = tsr_units_dup_bytes (units, self->excluding);
  whole = tsr_units_dup_bytes (units, self->memory_per_replica);
  percent = tsr_units_dup_percent (self->excluding == TSR_UNKNOWN || self->memory_per_replica <= 0
                                       ? NAN
                                       : (double)self->excluding / (double)self->memory_per_replica,
                                   1);
  if (self->excluding == TSR_UNKNOWN && self->memory_per_replica == TSR_UNKNOWN)
    return g_strdup (_ ("What a replica uses and has is not recorded"));
  return g_strdup_printf (_ ("%s of %s per replica, excluding gaps (%s)"), used, whole, percent);
}

gint64
tsr_insights_get_including_gaps (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, TSR_UNKNOWN);
  return self->including;
}

gint64
tsr_insights_get_excluding_gaps (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, TSR_UNKNOWN);
  return self->excluding;
}

gint64
tsr_insights_get_memory_per_replica (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, TSR_UNKNOWN);
  return self->memory_per_replica;
}

const guint *
tsr_insights_peek_critical (TsrInsights *self, guint *n_tiles)
{
  g_return_val_if_fail (self != NULL, NULL);
  *n_tiles = self->n_critical;
  return self->critical;
}

const guint *
tsr_insights_peek_top (TsrInsights *self, guint *n_tiles)
{
  g_return_val_if_fail (self != NULL, NULL);
  *n_tiles = self->n_top;
  return self->top;
}

void
tsr_insights_get_worst_parts (TsrInsights *self, gint64 parts[5])
{
  g_return_if_fail (self != NULL);
  memcpy (parts, self->parts, sizeof self->parts);
}

const guint *
tsr_insights_peek_histogram (TsrInsights *self, guint *n_ipus)
{
  g_return_val_if_fail (self != NULL, NULL);
  *n_ipus = self->n_ipus;
  return self->histogram;
}

guint
tsr_insights_find_bin (TsrInsights *self, TsrMemory *memory, guint tile)
{
  const gint64 *fullness;

  g_return_val_if_fail (self != NULL && memory != NULL, TSR_NO_INDEX);
  fullness = tsr_memory_peek (memory, self->fullness);
  if (fullness == NULL || fullness[tile] == TSR_UNKNOWN)
    return TSR_NO_INDEX;
  return tsr_memory_get_need (memory, tile) > 0 ? TSR_N_BINS : get_bin_of (self, fullness[tile]);
}

void
tsr_insights_get_bin (TsrInsights *self, guint bin, gint64 *from, gint64 *to)
{
  g_return_if_fail (self != NULL && bin <= TSR_N_BINS);

  *from = bin * self->span / TSR_N_BINS;
  *to = bin == TSR_N_BINS ? G_MAXINT64 : (bin + 1) * self->span / TSR_N_BINS;
}

GPtrArray *
tsr_insights_peek_findings (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->findings;
}

GPtrArray *
tsr_insights_peek_fine (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->fine;
}

GPtrArray *
tsr_insights_peek_not_checked (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->not_checked;
}

char *
tsr_insights_dup_silence (TsrInsights *self)
{
  guint n;

  g_return_val_if_fail (self != NULL, NULL);
  n = self->not_checked->len;
  if (self->findings->len > 0)
    return NULL;
  if (self->fine->len == 0)
    return g_strdup (_ ("No rule could be checked"));
  if (n > 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Nothing found; %u rule not checked",
                                         "Nothing found; %u rules not checked", n),
                            n);
  return g_strdup (_ ("Nothing found that should be changed"));
}

GPtrArray *
tsr_insights_peek_largest (TsrInsights *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->largest;
}
