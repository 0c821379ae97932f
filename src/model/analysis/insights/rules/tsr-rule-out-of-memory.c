/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 1, out-of-memory: tiles that do not fit
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const TsrInsightLimit limits[] = {
  { "out-of-memory.spread", 0.95, N_ ("of a tile"),
    N_ ("It would fit if spread evenly when the mean tile holds at most") },
};

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
  if (mean <= LIMIT ("out-of-memory.spread") * capacity)
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

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
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
  tsr_rule_add_categories (c, finding, c->worst);
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
      /* What a plan needs. */
      c->lowered != NULL && c->worst_series != NULL
          ? _ ("The fix plan shows which changes together make it fit; if none do, more IPUs.")
          : _ ("Start with the findings below about the worst tile; then a smaller batch, "
               "recomputation, or more IPUs."));
}

const TsrInsightRule tsr_rule_out_of_memory = {
  .id = "out-of-memory",
  .title = N_ ("Tiles that do not fit"),
  .meaning = N_ ("Tiles that need more memory than they have: what overflows, or what they "
                 "need including gaps beyond the memory of a tile.  One such tile is "
                 "enough, however much room the others have."),
  .inputs = "memory_by_tile target",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};
