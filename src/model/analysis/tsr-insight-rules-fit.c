/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 1 to 4: whether it fits, how near, how even, and what gaps cost
 * (docs/insights.md#rules-about-memory).  Pure. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SIZE(bytes)    tsr_insight_size (c, bytes)
#define PERCENT(share) tsr_insight_percent (c, share)
#define COUNT(count)   tsr_insight_count (c, count)

/* Whether the rules about full tiles can say anything; else the verdict says what is missing. */
static gboolean
has_fullness (const TsrInsightContext *c, TsrVerdict *verdict)
{
  if (c->n_tiles == 0)
    tsr_verdict_missing (verdict, "memory_by_tile");
  else if (c->capacity == TSR_UNKNOWN)
    tsr_verdict_missing (verdict, "target.bytes_per_tile");
  else if (c->inc == NULL)
    tsr_verdict_missing (verdict, "memory_by_tile.including_gaps");
  else
    return TRUE;
  return FALSE;
}

/* ---------------------------------------------------------- 1 out-of-memory */

static const char *
would_it_fit (const TsrInsightContext *c)
{
  double capacity = (double)c->capacity;
  double mean;
  gboolean fits_without_gaps = c->exc != NULL;

  if (c->capacity == TSR_UNKNOWN || c->sum_inc == TSR_UNKNOWN)
    return "";
  for (guint t = 0; fits_without_gaps && t < c->n_tiles; t++)
    fits_without_gaps = c->exc[t] != TSR_UNKNOWN && c->exc[t] <= c->capacity;
  mean = (double)c->sum_inc / c->n_tiles;
  if (mean <= tsr_insight_limit ("out-of-memory.spread") * capacity)
    return tsr_insight_text (c,
                             _ ("  If spread evenly it would fit: the mean tile needs %s of %s."),
                             SIZE ((gint64)mean), SIZE (c->capacity));
  if (fits_without_gaps)
    return _ ("  Excluding gaps it would fit on every tile.");
  if (mean > capacity)
    return tsr_insight_text (c, _ ("  It does not fit even if spread evenly: %s too much."),
                             SIZE (c->sum_inc - (gint64)c->n_tiles * c->capacity));
  return _ ("  Even if spread evenly hardly anything would be free.");
}

typedef struct
{
  guint category;
  gint64 bytes;
} CategoryBytes;

static int
compare_categories (gconstpointer a, gconstpointer b)
{
  const CategoryBytes *x = a;
  const CategoryBytes *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->category < y->category ? -1 : x->category > y->category;
}

/* The largest categories on @tile; share is of what the tile holds. */
static void
add_categories (const TsrInsightContext *c, TsrFinding *finding, guint tile)
{
  g_autofree CategoryBytes *list = g_new (CategoryBytes, MAX (c->n_categories, 1));
  guint n = 0;

  for (guint i = 0; c->category_bytes != NULL && i < c->n_categories; i++)
    if (c->category_bytes[i] != NULL && c->category_bytes[i][tile] > 0)
      list[n++] = (CategoryBytes){ i, c->category_bytes[i][tile] };
  qsort (list, n, sizeof *list, compare_categories);
  for (guint i = 0; i < n; i++)
    {
      double whole = c->exc != NULL && c->exc[tile] > 0 ? (double)c->exc[tile] : NAN;

      tsr_finding_add_evidence (finding, c->category_labels[list[i].category], list[i].bytes,
                                (double)list[i].bytes / whole);
    }
}

/* Names of the five largest variables live at the worst tile's peak, and a sentence. */
static const char *
name_variables (const TsrInsightContext *c, TsrFinding *finding)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; c->held != NULL && i < c->held->len && n < 5; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);
      const TsrInsightVariable *variable = &c->variables[held->variable];
      gint64 bytes = tsr_insight_add (held->always, held->at_peak);

      if ((variable->compiler_made && held->at_peak == 0) || bytes <= 0)
        continue;
      tsr_finding_add_name (finding, variable->name);
      g_string_append_printf (text, "%s%s (%s)", n == 0 ? "" : ", ", variable->name, SIZE (bytes));
      n++;
    }
  if (n == 0)
    return "";
  finding->where.step = c->worst_peak;
  return tsr_insight_text (c, _ ("  Largest variables at its peak: %s."), text->str);
}

void
tsr_rule_out_of_memory (const TsrInsightContext *c, TsrVerdict *verdict)
{
  TsrFinding *finding;
  gint64 need;

  if (c->n_tiles == 0)
    tsr_verdict_missing (verdict, "memory_by_tile");
  else if (c->fit == TSR_FIT_UNKNOWN)
    tsr_verdict_missing (verdict, c->capacity == TSR_UNKNOWN ? "target.bytes_per_tile"
                                                             : "memory_by_tile.including_gaps");
  else if (c->fit == TSR_FITS)
    tsr_verdict_fine (verdict, _ ("No tile needs more than it has"));
  if (c->fit != TSR_OUT_OF_MEMORY)
    return;
  need = c->need[c->worst];
  finding = tsr_verdict_fire (verdict, TSR_FINDING_ERROR);
  finding->bytes_worst_tile = need;
  finding->bytes = c->sum_need;
  finding->where.breakdown = "category";
  tsr_finding_set_tiles (finding, c->critical, c->n_critical);
  add_categories (c, finding, c->worst);
  finding->title = g_strdup_printf (_ ("Does not fit: %s of %s tiles, by up to %s"),
                                    COUNT (c->n_needing), COUNT (c->n_tiles), SIZE (need));
  finding->text = g_strdup_printf (
      _ ("%s of %s tiles need more memory than they have, worst tile %u (IPU %u) by %s.%s%s%s"),
      COUNT (c->n_needing), COUNT (c->n_tiles), c->worst, tsr_insight_get_ipu (c, c->worst),
      SIZE (need), would_it_fit (c), name_variables (c, finding),
      c->ovf == NULL ? _ ("  What overflows is not recorded; this compares the bytes including "
                          "gaps with the memory of a tile.")
                     : "");
  finding->action = g_strdup (
      _ ("Start with the findings below about the worst tile; then a smaller batch, recomputation, "
         "or more IPUs."));
}

/* ---------------------------------------------------------- 2 near-capacity */

void
tsr_rule_near_capacity (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = tsr_insight_limit ("near-capacity.free");
  double capacity = (double)c->capacity;
  gint64 instrumentation;
  gint64 free_bytes;
  TsrFinding *finding;

  if (!has_fullness (c, verdict))
    return;
  if (c->fit == TSR_OUT_OF_MEMORY)
    {
      tsr_verdict_fine (verdict, _ ("The report does not fit at all"));
      return;
    }
  if (c->fit == TSR_FIT_UNKNOWN || c->inc[c->worst] == TSR_UNKNOWN)
    {
      tsr_verdict_missing (verdict, "memory_by_tile.including_gaps");
      return;
    }
  free_bytes = c->capacity - c->inc[c->worst];
  if ((double)free_bytes >= limit * capacity)
    {
      tsr_verdict_fine (verdict, _ ("%s free on tile %u (%s); fires below %s"), SIZE (free_bytes),
                        c->worst, PERCENT ((double)free_bytes / capacity), PERCENT (limit));
      return;
    }
  instrumentation = tsr_insight_get_category (c, "instrumentationResults", c->worst);
  if (instrumentation != TSR_UNKNOWN
      && (double)instrumentation > limit * capacity - (double)free_bytes)
    {
      tsr_verdict_fine (verdict, _ ("%s free on tile %u; without instrumentation %s would be free"),
                        SIZE (free_bytes), c->worst,
                        SIZE (tsr_insight_add (free_bytes, instrumentation)));
      return;
    }
  finding = tsr_verdict_fire (
      verdict, (double)free_bytes < tsr_insight_limit ("near-capacity.warning") * capacity
                   ? TSR_FINDING_WARNING
                   : TSR_FINDING_ADVICE);
  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "category";
  add_categories (c, finding, c->worst);
  finding->title = g_strdup_printf (_ ("Tile %u has %s free (%s)"), c->worst, SIZE (free_bytes),
                                    PERCENT ((double)free_bytes / capacity));
  finding->text = g_strdup_printf (
      _ ("Tile %u has %s of %s free (%s).  It fits, but another version of the compiler, more "
         "instrumentation or a slightly larger model may not."),
      c->worst, SIZE (free_bytes), SIZE (c->capacity), PERCENT ((double)free_bytes / capacity));
  finding->action = g_strdup (_ ("Keep some room: see the other findings about this tile."));
}

/* --------------------------------------------------------- 3 tile-imbalance */

typedef struct
{
  guint ipu, fullest, middle; /* tiles */
  guint n_used, n_above;
  gint64 most, median;
  guint category; /* that differs most, or TSR_NO_INDEX */
  guint32 variable;
} Spread;

/* FALSE when a tile of the IPU is not told. */
static gboolean
measure_spread (const TsrInsightContext *c, guint ipu, guint first, guint end, Spread *spread)
{
  double above;

  *spread = (Spread){ ipu, first, first, 0, 0, 0, 0, TSR_NO_INDEX, TSR_NO_INDEX };
  for (guint t = first; t < end; t++)
    {
      if (c->inc[t] == TSR_UNKNOWN)
        return FALSE;
      spread->n_used += c->inc[t] > 0;
      if (c->inc[t] > c->inc[spread->fullest])
        spread->fullest = t;
    }
  spread->middle
      = tsr_median_tile (c->inc, tsr_insight_find_category (c, "vertexCode"),
                         tsr_insight_find_category (c, "vertexInstanceState"), first, end);
  spread->median = c->inc[spread->middle];
  spread->most = c->inc[spread->fullest];
  above = tsr_insight_limit ("tile-imbalance.above") * (double)spread->median;
  for (guint t = first; t < end; t++)
    spread->n_above += (double)c->inc[t] > above;
  return TRUE;
}

/* What the fullest tile holds more than the median one because of a table of control: that cannot
 * be moved. */
static gint64
get_control_excess (const TsrInsightContext *c, const Spread *spread)
{
  static const char *const names[] = { "controlId", "controlTable" };
  gint64 excess = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gint64 more = tsr_insight_sub (tsr_insight_get_category (c, names[i], spread->fullest),
                                     tsr_insight_get_category (c, names[i], spread->middle));

      excess += MAX (more, 0);
    }
  return excess;
}

/* The category, and in it the variable, with the largest difference between the two tiles. */
static void
find_cause (const TsrInsightContext *c, Spread *spread)
{
  g_autofree gint64 *difference = NULL;
  gint64 most = 0;

  for (guint i = 0; c->category_bytes != NULL && i < c->n_categories; i++)
    {
      gint64 more;

      if (g_str_equal (c->category_names[i], "controlId")
          || g_str_equal (c->category_names[i], "controlTable"))
        continue;
      more = tsr_insight_sub (c->category_bytes[i][spread->fullest],
                              c->category_bytes[i][spread->middle]);
      if (more > most)
        {
          most = more;
          spread->category = i;
        }
    }
  if (c->lowered == NULL || c->entry == NULL || spread->category == TSR_NO_INDEX
      || MAX (spread->fullest, spread->middle) >= c->lowered->n_tiles)
    return;
  difference = g_new0 (gint64, MAX (c->n_variables, 1));
  for (guint side = 0; side < 2; side++)
    {
      guint tile = side == 0 ? spread->fullest : spread->middle;

      for (gsize i = c->lowered->tile_start[tile]; i < c->lowered->tile_start[tile + 1]; i++)
        {
          gsize row = c->lowered->by_tile != NULL ? c->lowered->by_tile[i] : i;

          if (c->lowered->category[row] != spread->category
              || c->lowered->size[row] == TSR_LOWERED_UNKNOWN || c->entry[row] >= c->n_variables)
            continue;
          difference[c->entry[row]]
              += side == 0 ? (gint64)c->lowered->size[row] : -(gint64)c->lowered->size[row];
        }
    }
  most = 0;
  for (guint v = 0; v < c->n_variables; v++)
    if (difference[v] > most)
      {
        most = difference[v];
        spread->variable = v;
      }
}

static gboolean
is_uneven (const TsrInsightContext *c, const Spread *spread)
{
  gint64 movable = spread->most - get_control_excess (c, spread);
  double most = (double)movable;

  if (spread->n_used < tsr_insight_limit ("tile-imbalance.tiles") || spread->median <= 0)
    return FALSE;
  return (c->need[spread->fullest] > 0
          && tsr_insight_counts (c, tsr_insight_sub (movable, spread->median)))
         || (most >= tsr_insight_limit ("tile-imbalance.ratio") * (double)spread->median
             && most >= tsr_insight_limit ("tile-imbalance.full") * (double)c->capacity);
}

static void
fire_imbalance (const TsrInsightContext *c, TsrVerdict *verdict, const Spread *spread)
{
  gboolean grave = c->fit == TSR_OUT_OF_MEMORY
                   || (double)spread->most
                          >= tsr_insight_limit ("tile-imbalance.warning") * (double)c->capacity;
  TsrFinding *finding
      = tsr_verdict_fire (verdict, grave ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  const guint tiles[] = { spread->fullest, spread->middle };
  const char *cause = "";

  if (spread->variable != TSR_NO_INDEX)
    {
      cause = tsr_insight_text (c, _ (", because of %s: %s"), c->category_labels[spread->category],
                                c->variables[spread->variable].name);
      tsr_finding_add_name (finding, c->variables[spread->variable].name);
    }
  else if (spread->category != TSR_NO_INDEX)
    cause = tsr_insight_text (c, _ (", because of %s"), c->category_labels[spread->category]);
  g_free (finding->scope);
  finding->scope = g_strdup_printf ("ipu%u", spread->ipu);
  tsr_finding_set_tiles (finding, tiles, 2);
  finding->where.breakdown = "category";
  finding->bytes_worst_tile = spread->most - spread->median;
  finding->bytes = 0;
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  add_categories (c, finding, spread->fullest);
  finding->title = g_strdup_printf (_ ("Tile %u holds %s more than the median tile"),
                                    spread->fullest, SIZE (finding->bytes_worst_tile));
  finding->text = g_strdup_printf (
      _ ("IPU %u: tile %u holds %s, the median tile (%u) %s; tiles more than %s above it: "
         "%s%s.%s"),
      spread->ipu, spread->fullest, SIZE (spread->most), spread->middle, SIZE (spread->median),
      PERCENT (tsr_insight_limit ("tile-imbalance.above") - 1), COUNT (spread->n_above), cause,
      c->category_bytes == NULL ? _ ("  Which tiles only copy is not known: they are not left out.")
                                : "");
  finding->action
      = g_strdup (_ ("Map that variable, or the work on it, over more tiles.  Moving does not make "
                     "the whole smaller, but the worst tile."));
}

void
tsr_rule_tile_imbalance (const TsrInsightContext *c, TsrVerdict *verdict)
{
  Spread worst = { 0 };
  Spread any = { 0 };
  gboolean fired = FALSE;
  guint unknown = TSR_NO_INDEX;

  if (!has_fullness (c, verdict))
    return;
  for (guint ipu = 0, first = 0; first < c->n_tiles; ipu++)
    {
      guint end
          = c->tiles_per_ipu > 0 ? (guint)MIN (first + c->tiles_per_ipu, c->n_tiles) : c->n_tiles;
      Spread spread;

      if (!measure_spread (c, ipu, first, end, &spread))
        unknown = ipu;
      else if (is_uneven (c, &spread)
               && (!fired || spread.most - spread.median > worst.most - worst.median))
        {
          worst = spread;
          fired = TRUE;
        }
      else if ((double)spread.most * MAX ((double)any.median, 1)
               > (double)any.most * MAX ((double)spread.median, 1))
        any = spread;
      first = end;
    }
  if (fired)
    {
      find_cause (c, &worst);
      fire_imbalance (c, verdict, &worst);
    }
  else if (unknown != TSR_NO_INDEX)
    tsr_verdict_missing (verdict, "memory_by_tile.including_gaps");
  else if (any.n_used < tsr_insight_limit ("tile-imbalance.tiles") || any.median <= 0)
    tsr_verdict_fine (verdict, _ ("Too few tiles are in use to compare them"));
  else
    tsr_verdict_fine (
        verdict,
        _ ("IPU %u: the fullest tile holds %s of the median tile and is %s full; fires "
           "from %s and %s"),
        any.ipu, PERCENT ((double)any.most / (double)any.median),
        PERCENT ((double)any.most / (double)c->capacity),
        PERCENT (tsr_insight_limit ("tile-imbalance.ratio")),
        PERCENT (tsr_insight_limit ("tile-imbalance.full")));
}

/* ----------------------------------------------------- 4 gaps-on-full-tiles */

/* Bytes of gaps below the interleaved region, when w has anything in that region. */
static gint64
get_gap_below (const TsrInsightContext *c)
{
  if (c->below_end == TSR_UNKNOWN || c->interleaved_start == TSR_UNKNOWN || c->interleaved == NULL
      || c->interleaved[c->worst] == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  if (c->interleaved[c->worst] == 0 || c->below_end > c->interleaved_start)
    return 0;
  return c->interleaved_start - c->below_end;
}

static void
fire_gaps (const TsrInsightContext *c, TsrVerdict *verdict, gint64 gaps)
{
  gboolean alone = c->exc[c->worst] <= c->capacity && c->inc[c->worst] > c->capacity;
  TsrFinding *finding
      = tsr_verdict_fire (verdict, alone ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  gint64 below = get_gap_below (c);
  const char *split = "";

  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "region";
  finding->where.tab = "variables";
  finding->bytes_worst_tile = gaps;
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  if (below != TSR_UNKNOWN && below <= gaps)
    split = tsr_insight_text (c, _ (": %s below the interleaved region, %s elsewhere"),
                              SIZE (below), SIZE (gaps - below));
  for (guint i = 0; c->gaps != NULL && i < c->gaps->len && i < 5; i++)
    {
      const TsrInsightGap *gap = &g_array_index (c->gaps, TsrInsightGap, i);
      g_autofree char *name = g_strdup_printf (
          /* Translators: a gap of memory between two variables. */
          _ ("between %s and %s"), gap->before != NULL ? gap->before : _ ("the start"),
          gap->after != NULL ? gap->after : _ ("the end"));

      tsr_finding_add_evidence (finding, name, gap->bytes, (double)gap->bytes / (double)gaps);
    }
  finding->title = g_strdup_printf (_ ("Gaps hold %s on tile %u"), SIZE (gaps), c->worst);
  finding->text = g_strdup_printf (
      _ ("Gaps hold %s on tile %u%s.%s"), SIZE (gaps), c->worst, split,
      alone ? _ ("  Without them it would fit.")
            : _ ("  They are addresses that nobody uses, below others that somebody does."));
  finding->action = g_strdup (
      _ ("Fewer or smaller variables that must be interleaved (convolution weights and inputs), or "
         "spread over more tiles; smaller alignment."));
}

void
tsr_rule_gaps_on_full_tiles (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double full = tsr_insight_limit ("gaps-on-full-tiles.full");
  double size = tsr_insight_limit ("gaps-on-full-tiles.size");
  double capacity = (double)c->capacity;
  gint64 gaps;

  if (!has_fullness (c, verdict))
    return;
  if (c->exc == NULL)
    {
      tsr_verdict_missing (verdict, "memory_by_tile.excluding_gaps");
      return;
    }
  if (c->worst == TSR_NO_INDEX)
    {
      tsr_verdict_missing (verdict, "memory_by_tile.including_gaps");
      return;
    }
  gaps = tsr_insight_sub (c->inc[c->worst], c->exc[c->worst]);
  if (gaps == TSR_UNKNOWN)
    {
      tsr_verdict_unknown (verdict, "memory_by_tile", c->worst);
      return;
    }
  if (tsr_insight_counts (c, gaps))
    fire_gaps (c, verdict, gaps);
  else if ((double)c->inc[c->worst] < full * capacity)
    tsr_verdict_fine (verdict, _ ("Tile %u is %s full; gaps cost nothing below %s"), c->worst,
                      PERCENT ((double)c->inc[c->worst] / capacity), PERCENT (full));
  else if ((double)gaps < size * capacity)
    tsr_verdict_fine (verdict, _ ("Gaps hold %s on tile %u (%s); fires from %s"), SIZE (gaps),
                      c->worst, PERCENT ((double)gaps / capacity), PERCENT (size));
  else
    fire_gaps (c, verdict, gaps);
}
