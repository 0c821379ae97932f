/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds of the rules and the words by which they recognise variables: starting values, each
 * with its unit and a sentence.  Constant; any thread. */

#include "config.h"

#include "tsr-insights-private.h"

#include <math.h>

/* T: bytes of one tile; S: cycles of the profiled run without start-up. */
static const TsrInsightLimit limits[] = {
  { "out-of-memory.spread", 0.95, "of T", "a mean tile below this would fit if spread evenly" },
  { "overflow.saving", 1024, "bytes", "on a tile that does not fit, so much saved always counts" },
  { "near-capacity.free", 0.05, "of T", "less free on the fullest tile fires" },
  { "near-capacity.warning", 0.02, "of T", "less free is a warning" },
  { "tile-imbalance.ratio", 1.3, "of the median tile", "the fullest tile of an IPU fires from" },
  { "tile-imbalance.full", 0.7, "of T", "below this a tile may be as uneven as it likes" },
  { "tile-imbalance.warning", 0.9, "of T", "a warning from here" },
  { "tile-imbalance.above", 1.2, "of the median tile", "tiles that are counted as above it" },
  { "tile-imbalance.tiles", 8, "tiles", "fewer in use say nothing" },
  { "gaps-on-full-tiles.full", 0.85, "of T", "gaps cost nothing on a tile that is less full" },
  { "gaps-on-full-tiles.size", 0.05, "of T", "gaps on the worst tile fire from" },
  { "peak-spike.plateau", 0.9, "of the peak", "steps as full as this belong to the peak" },
  { "peak-spike.size", 0.05, "of T", "what the peak needs beyond any other fires from" },
  { "peak-spike.window", 0.02, "of the steps", "a longer peak is no spike" },
  { "peak-spike.steps", 50, "steps", "fewer say nothing" },
  { "peak-spike.ends", 0.01, "of the steps", "a peak so near to the ends is copies to the host" },
  { "peak-spike.warning", 0.9, "of T", "a warning from here" },
  { "long-lived-activations.length", 0.25, "of the steps",
    "a variable that lives so long is kept" },
  { "long-lived-activations.untouched", 0.8, "of its life", "nobody touches it for so long" },
  { "long-lived-activations.share", 0.1, "of the peak", "such variables fire from" },
  { "long-lived-activations.size", 0.02, "of T", "such variables fire from" },
  { "long-lived-activations.trim", 0.01, "of its life", "needed at both ends all the same" },
  { "long-lived-activations.birth", 0.5, "of the steps", "what is born later is no activation" },
  { "fp32-at-peak.size", 0.05, "of T", "FP32 at the peak fires from" },
  { "fp32-at-peak.share", 0.1, "of what is live", "less of it at the peak does not count" },
  { "resident-state.live", TSR_RESIDENT_SHARE, "of the steps", "a variable live so long stays" },
  { "resident-state.size", 0.4, "of T", "what stays on the worst tile fires from" },
  { "resident-state.optimiser", 0.1, "of T", "optimiser state on the worst tile fires from" },
  { "exchange-code.size", 0.1, "of T", "code on the worst tile fires from" },
  { "exchange-code.share", 0.2, "of all memory", "code on all tiles fires from" },
  { "exchange-code.warning", 0.8, "of T", "a warning when the worst tile is so full" },
  { "exchange-code.group", 4, "exchanges", "so many equal ones could be one" },
  { "vertex-memory.state", 0.1, "of T", "state on the worst tile fires from" },
  { "vertex-memory.specialisations", 4, "types", "so many of one vertex fire ..." },
  { "vertex-memory.code", 0.03, "of T", "... when their code takes so much" },
  { "vertex-memory.all-code", 0.12, "of T", "code of all vertices fires from" },
  { "io-code-and-headers.size", 0.04, "of T", "code and headers on the worst tile fire from" },
  { "io-code-and-headers.share", 0.03, "of all memory", "code and headers on all tiles fire from" },
  { "io-code-and-headers.copies", 8, "copies", "so few could do the same work" },
  { "instrumentation.size", 0.01, "of T", "results on the worst tile fire from" },
  { "one-off-code.size", 0.03, "of T", "code that runs once fires from" },
  { "one-off-code.median", 4, "executions", "the median program of a run has at least so many" },
  { "execution.warning", 0.1, "of S", "a cost from here is a warning" },
  { "execution.advice", 0.02, "of S", "a cost from here is advice" },
  { "compute-imbalance.loss", 0.05, "of S", "waiting for the slowest tile fires from" },
  { "compute-imbalance.cycles", 200, "cycles", "shorter steps do not count" },
  { "idle-tiles.loss", 0.03, "of S", "what idle tiles cost fires from" },
  { "idle-tiles.active", 0.5, "of the tiles that compute", "steps on more tiles do not count" },
  { "idle-tiles.cycles", 1000, "cycles", "shorter steps do not count" },
  { "exchange-bound.cycles", 0.03, "of S", "exchanges of a prefix that take less do not fire" },
  { "exchange-bound.share", 0.5, "of compute and exchange", "a prefix fires from" },
  { "exchange-bound.run", 0.35, "of compute and exchange", "the whole run fires from" },
  { "exchange-bound.normal", 0.25, "of compute and exchange",
    "so much exchange is to be expected" },
  { "exchange-bound.tiles", 16, "tiles", "fewer send or receive everything" },
  { "host-wait.share", 0.05, "of S", "waiting for the host fires from" },
  { "unoverlapped-io.alone", 0.05, "of S", "copies that nothing hides fire from" },
  { "stage-imbalance.loss", 0.1, "of S", "uneven stages fire from" },
  { "stage-imbalance.bubble", 0.1, "of S", "periods in which some IPU has no work fire from" },
  { "tiny-steps.cycles", 300, "cycles", "longer steps are not tiny" },
  { "tiny-steps.steps", 1000, "steps", "fewer do not fire" },
  { "tiny-steps.cost", 0.1, "of S", "tiny steps and their syncs fire from" },
};

const TsrInsightLimit *
tsr_insight_limits_get (guint *n_limits)
{
  if (n_limits != NULL)
    *n_limits = G_N_ELEMENTS (limits);
  return limits;
}

double
tsr_insight_limit (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (g_str_equal (limits[i].name, name))
      return limits[i].value;
  g_return_val_if_reached (NAN);
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
