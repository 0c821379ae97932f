/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 3, tile-imbalance: tiles much fuller than others
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "tile-imbalance.ratio", 1.3, N_ ("of the median tile"),
    N_ ("Fires when the fullest tile of an IPU holds at least") },
  { "tile-imbalance.full", 0.7, N_ ("of a tile"), N_ ("and when that tile is full to at least") },
  { "tile-imbalance.warning", 0.9, N_ ("of a tile"), N_ ("A warning when it is full to at least") },
  { "tile-imbalance.above", 1.2, N_ ("of the median tile"),
    N_ ("Tiles counted as fuller than the others hold more than") },
  { "tile-imbalance.tiles", 8, N_ ("tiles"), N_ ("Checked on IPUs that use at least") },
};

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
  above = LIMIT ("tile-imbalance.above") * (double)spread->median;
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
      gint64 more = tsr_known_subtract (tsr_insight_get_category (c, names[i], spread->fullest),
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
      more = tsr_known_subtract (c->category_bytes[i][spread->fullest],
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

  if (spread->n_used < LIMIT ("tile-imbalance.tiles") || spread->median <= 0)
    return FALSE;
  return (c->need[spread->fullest] > 0
          && tsr_insight_counts (c, tsr_known_subtract (movable, spread->median)))
         || (most >= LIMIT ("tile-imbalance.ratio") * (double)spread->median
             && most >= LIMIT ("tile-imbalance.full") * (double)c->capacity);
}

static void
fire_imbalance (const TsrInsightContext *c, TsrVerdict *verdict, const Spread *spread)
{
  gboolean grave
      = c->fit == TSR_OUT_OF_MEMORY
        || (double)spread->most >= LIMIT ("tile-imbalance.warning") * (double)c->capacity;
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
  tsr_rule_add_categories (c, finding, spread->fullest);
  finding->title = g_strdup_printf (_ ("Tile %u holds %s more than the median tile"),
                                    spread->fullest, SIZE (finding->bytes_worst_tile));
  finding->text = g_strdup_printf (
      _ ("IPU %u: tile %u holds %s, the median tile (%u) %s; tiles more than %s above it: "
         "%s%s.%s"),
      spread->ipu, spread->fullest, SIZE (spread->most), spread->middle, SIZE (spread->median),
      PERCENT (LIMIT ("tile-imbalance.above") - 1), COUNT (spread->n_above), cause,
      c->category_bytes == NULL ? _ ("  Which tiles only copy is not known: they are not left out.")
                                : "");
  finding->action
      = g_strdup (_ ("Map that variable, or the work on it, over more tiles.  Moving does not make "
                     "the whole smaller, but the worst tile."));
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  Spread worst = { 0 };
  Spread any = { 0 };
  gboolean fired = FALSE;
  guint unknown = TSR_NO_INDEX;

  if (!tsr_rule_has_fullness (c, verdict))
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
  else if (any.n_used < LIMIT ("tile-imbalance.tiles") || any.median <= 0)
    tsr_verdict_fine (verdict, _ ("Too few tiles are in use to compare them"));
  else
    tsr_verdict_fine (
        verdict,
        _ ("IPU %u: the fullest tile holds %s of the median tile and is %s full; fires "
           "from %s and %s"),
        any.ipu, PERCENT ((double)any.most / (double)any.median),
        PERCENT ((double)any.most / (double)c->capacity), PERCENT (LIMIT ("tile-imbalance.ratio")),
        PERCENT (LIMIT ("tile-imbalance.full")));
}

const TsrInsightRule tsr_rule_tile_imbalance = {
  .id = "tile-imbalance",
  .title = N_ ("Tiles much fuller than others"),
  .meaning
  = N_ ("The fullest tile of each IPU against the median of its tiles that compute.  The category "
        "and the variable in which the two differ most are named as the cause."),
  .inputs = "memory_by_tile memory_by_tile_category vars_info",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};
