/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds: each with its value, its unit and what it decides, as the help and docs/insights.md
 * show them; those that several rules share; and the words by which rules recognise variables.
 * Constant; any thread. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A tile: T, its bytes; the run: S, the cycles of the profiled run without start-up.  Both are
 * explained in docs/insights.md#quantities, which a test compares with all thresholds. */
static const TsrInsightLimit shared[] = {
  { "overflow.saving", 1024, N_ ("bytes"),
    N_ ("On a tile that does not fit a saving counts from") },
  { "execution.warning", 0.1, N_ ("of the run"), N_ ("A warning when the cost is at least") },
  { "execution.advice", 0.02, N_ ("of the run"), N_ ("Advice when it is at least") },
};

const TsrInsightLimit *
tsr_insight_limits_get_shared (guint *n_limits)
{
  *n_limits = G_N_ELEMENTS (shared);
  return shared;
}

double
tsr_insight_limits_find (const TsrInsightLimit *limits, guint n_limits, const char *name)
{
  for (guint i = 0; i < n_limits; i++)
    if (g_str_equal (limits[i].name, name))
      return limits[i].value;
  g_return_val_if_reached (NAN);
}

double
tsr_insight_limits_find_shared (const char *name)
{
  return tsr_insight_limits_find (shared, G_N_ELEMENTS (shared), name);
}

char *
tsr_insight_limit_dup_value (const TsrInsightLimit *limit)
{
  g_autofree char *number = NULL;

  g_return_val_if_fail (limit != NULL, NULL);
  number = g_str_has_prefix (limit->unit, "of ") ? tsr_units_dup_percent (limit->value, 0)
                                                 : tsr_units_dup_count ((gint64)limit->value);
  /* Translators: a number and what it is of or counts: "5 %" "of a tile", "50" "steps". */
  return g_strdup_printf (C_ ("threshold", "%s %s"), number, _ (limit->unit));
}

#define MOST_PATTERNS 8
static const struct
{
  const char *list;
  const char *words[MOST_PATTERNS];
} patterns[] = {
  { "accumulators", { "Accl", "accum", "grad" } },
  { "stash", { "stash", "fifo" } },
  { "keep-fp32", { "loss", "norm", "running_", "master", "Accl", "seed" } },
  { "optimiser", { "Accl", "momentum", "exp_avg" } },
};

const char *const *
tsr_insight_patterns_get (const char *list)
{
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    if (g_str_equal (patterns[i].list, list))
      return patterns[i].words;
  g_return_val_if_reached (NULL);
}

gboolean
tsr_insight_matches (const char *name, const char *list)
{
  g_autofree char *folded = g_ascii_strdown (name, -1);

  for (const char *const *word = tsr_insight_patterns_get (list); *word != NULL; word++)
    {
      g_autofree char *folded_word = g_ascii_strdown (*word, -1);

      if (strstr (folded, folded_word) != NULL)
        return TRUE;
    }
  return FALSE;
}
