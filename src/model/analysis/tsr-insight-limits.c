/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the rules measure, in words, and their thresholds: each with its value, its unit and what it
 * decides, as the help and docs/insights.md show them; and the words by which rules recognise
 * variables.  Constant; any thread. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const struct
{
  const char *rule, *meaning;
} meanings[] = {
  { "out-of-memory", N_ ("Tiles that need more memory than they have: what overflows, or what they "
                         "need including gaps beyond the memory of a tile.  One such tile is "
                         "enough, however much room the others have.") },
  { "near-capacity", N_ ("How much the fullest tile has free when everything fits.  It does not "
                         "fire when the memory of the profiler alone is the reason.") },
  { "tile-imbalance",
    N_ ("The fullest tile of each IPU against the median of its tiles that compute.  The category "
        "and the variable in which the two differ most are named as the cause.") },
  { "gaps-on-full-tiles", N_ ("Addresses on the worst tile that nothing uses, below others that "
                              "something does.  On a tile with room to spare they cost nothing.") },
  { "peak-spike", N_ ("How much more the steps around the peak need than all other steps: on the "
                      "worst tile where its variables are recorded, else on all tiles, and then "
                      "shares are of their memory.") },
  { "long-lived-activations",
    N_ ("Variables on the worst tile that live for long around its peak while no program touches "
        "them, as activations do that are kept for the backward pass.  Accumulators are left out; "
        "stashes of a pipeline are told apart.") },
  { "fp32-at-peak", N_ ("FP32 variables on the worst tile, live at its peak.  Those that usually "
                        "stay FP32, such as losses, norms and master weights, are listed apart.") },
  { "resident-state", N_ ("Variables of the program that stay on the worst tile all the time: "
                          "weights, constants and optimiser state.") },
  { "exchange-code", N_ ("Code of exchanges between tiles.  Exchanges whose names are equal but "
                         "for digits, with equal code on each tile, could be repeated instead.") },
  { "vertex-memory",
    N_ ("State of all vertices on the worst tile with their fields and descriptors, code of all "
        "vertices, and code of one vertex that is there in several specialisations.") },
  { "io-code-and-headers", N_ ("Code and packet headers of copies to the host and between IPUs.") },
  { "instrumentation", N_ ("Results of profiling on the worst tile.  It also fires when every tile "
                           "that does not fit would fit without them.") },
  { "one-off-code", N_ ("Code on the worst tile that is executed once in a run at most, in a "
                        "program that otherwise repeats itself: exchanges, control code, and "
                        "vertices that nothing else uses.") },
  { "compute-imbalance",
    N_ ("What tiles lose by waiting for the slowest one: cycles of each compute step times the "
        "part that its active tile balance leaves to one, on the IPU where the sum is largest.") },
  { "idle-tiles", N_ ("Compute steps on few of the tiles that compute in the run: their cycles "
                      "times the share of tiles that have nothing to do.") },
  { "exchange-bound",
    N_ ("Cycles of exchange in those of exchange and compute: in the whole run, and in each group "
        "of steps whose names begin with the same two parts.") },
  { "host-wait", N_ ("How long the IPUs wait for the host, on the IPU that waits least.  The wait "
                     "that begins a run does not count, nor do copies of the profiler.") },
  { "unoverlapped-io", N_ ("How long copies to and from host and remote buffers run while their "
                           "IPU neither computes nor exchanges.  Copies before its first and after "
                           "its last compute step cannot be hidden and do not count.") },
  { "stage-imbalance",
    N_ ("What IPUs lose that share the work of a replica unevenly, and for how long some of them "
        "have none: in periods between exchanges that several IPUs take part in.  It also fires "
        "when only one IPU works at a time.") },
  { "tiny-steps",
    N_ ("Very short compute and exchange steps, together with the syncs directly after them.") },
};

gboolean
tsr_insight_rules_describe (guint index, TsrInsightRuleText *text)
{
  const TsrInsightRule *rule = index < TSR_N_RULES ? tsr_insight_rules_get (index) : NULL;

  g_return_val_if_fail (text != NULL, FALSE);
  if (rule == NULL)
    return FALSE;
  *text = (TsrInsightRuleText){ rule->id, rule->title, NULL };
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (g_str_equal (meanings[i].rule, rule->id))
      text->meaning = meanings[i].meaning;
  g_return_val_if_fail (text->meaning != NULL, FALSE);
  return TRUE;
}

/* A tile: T, its bytes; the run: S, the cycles of the profiled run without start-up.  Both are
 * explained in docs/insights.md#quantities, which a test compares with this table. */
static const TsrInsightLimit limits[] = {
  { "out-of-memory.spread", 0.95, N_ ("of a tile"),
    N_ ("It would fit if spread evenly when the mean tile holds at most") },
  { "overflow.saving", 1024, N_ ("bytes"),
    N_ ("On a tile that does not fit a saving counts from") },
  { "near-capacity.free", 0.05, N_ ("of a tile"),
    N_ ("Fires when the fullest tile has less free than") },
  { "near-capacity.warning", 0.02, N_ ("of a tile"), N_ ("A warning when it has less free than") },
  { "tile-imbalance.ratio", 1.3, N_ ("of the median tile"),
    N_ ("Fires when the fullest tile of an IPU holds at least") },
  { "tile-imbalance.full", 0.7, N_ ("of a tile"), N_ ("and when that tile is full to at least") },
  { "tile-imbalance.warning", 0.9, N_ ("of a tile"), N_ ("A warning when it is full to at least") },
  { "tile-imbalance.above", 1.2, N_ ("of the median tile"),
    N_ ("Tiles counted as fuller than the others hold more than") },
  { "tile-imbalance.tiles", 8, N_ ("tiles"), N_ ("Checked on IPUs that use at least") },
  { "gaps-on-full-tiles.full", 0.85, N_ ("of a tile"),
    N_ ("Checked when the worst tile is full to at least") },
  { "gaps-on-full-tiles.size", 0.05, N_ ("of a tile"),
    N_ ("Fires when the gaps on it take at least") },
  { "peak-spike.plateau", 0.9, N_ ("of the peak"),
    N_ ("Steps around the peak belong to it when they hold at least") },
  { "peak-spike.size", 0.05, N_ ("of a tile"),
    N_ ("Fires when all other steps need less than the peak by at least") },
  { "peak-spike.window", 0.02, N_ ("of the steps"), N_ ("and when the peak lasts at most") },
  { "peak-spike.steps", 50, N_ ("steps"), N_ ("Checked when the liveness has at least") },
  { "peak-spike.ends", 0.01, N_ ("of the steps"),
    N_ ("A peak is a copy from or to the host within the first or last") },
  { "peak-spike.warning", 0.9, N_ ("of a tile"),
    N_ ("A warning when the worst tile is full to at least") },
  { "long-lived-activations.length", 0.25, N_ ("of the steps"),
    N_ ("A variable is kept when it lives through the peak, for at least") },
  { "long-lived-activations.untouched", 0.8, N_ ("of its life"),
    N_ ("and when no program touches it for at least") },
  { "long-lived-activations.share", 0.1, N_ ("of the peak"),
    N_ ("Fires when such variables hold at least") },
  { "long-lived-activations.size", 0.02, N_ ("of a tile"), N_ ("and at least") },
  { "long-lived-activations.trim", 0.01, N_ ("of its life"),
    N_ ("The saving keeps it at either end for") },
  { "long-lived-activations.birth", 0.5, N_ ("of the steps"),
    N_ ("It is an activation when it is born within the first") },
  { "fp32-at-peak.size", 0.05, N_ ("of a tile"), N_ ("Fires when FP32 takes at least") },
  { "fp32-at-peak.share", 0.1, N_ ("of what is live"), N_ ("and, at the peak, at least") },
  { "resident-state.live", TSR_RESIDENT_SHARE, N_ ("of the steps"),
    N_ ("A variable stays when it is live at no less than") },
  { "resident-state.size", 0.4, N_ ("of a tile"), N_ ("Fires when what stays takes at least") },
  { "resident-state.optimiser", 0.1, N_ ("of a tile"),
    N_ ("or when optimiser state takes at least") },
  { "exchange-code.size", 0.1, N_ ("of a tile"),
    N_ ("Fires when it takes, on the worst tile, at least") },
  { "exchange-code.share", 0.2, N_ ("of all memory"), N_ ("or, on all tiles, at least") },
  { "exchange-code.warning", 0.8, N_ ("of a tile"),
    N_ ("A warning when the worst tile is full to at least") },
  { "exchange-code.group", 4, N_ ("exchanges"),
    N_ ("Exchanges with equal code form a group from") },
  { "vertex-memory.state", 0.1, N_ ("of a tile"),
    N_ ("Fires when state on the worst tile takes at least") },
  { "vertex-memory.specialisations", 4, N_ ("specialisations"),
    N_ ("or when a vertex has at least") },
  { "vertex-memory.code", 0.03, N_ ("of a tile"), N_ ("whose code takes at least") },
  { "vertex-memory.all-code", 0.12, N_ ("of a tile"),
    N_ ("or when code of all vertices takes at least") },
  { "io-code-and-headers.size", 0.04, N_ ("of a tile"),
    N_ ("Fires when they take, on the worst tile, at least") },
  { "io-code-and-headers.share", 0.03, N_ ("of all memory"), N_ ("or, on all tiles, at least") },
  { "io-code-and-headers.copies", 8, N_ ("copies"),
    N_ ("The saving assumes that the same work is done by") },
  { "instrumentation.size", 0.01, N_ ("of a tile"), N_ ("Fires when they take at least") },
  { "one-off-code.size", 0.03, N_ ("of a tile"), N_ ("Fires when such code takes at least") },
  { "one-off-code.median", 4, N_ ("executions"),
    N_ ("Checked when the median program of a run has at least") },
  { "execution.warning", 0.1, N_ ("of the run"), N_ ("A warning when the cost is at least") },
  { "execution.advice", 0.02, N_ ("of the run"), N_ ("Advice when it is at least") },
  { "compute-imbalance.loss", 0.05, N_ ("of the run"), N_ ("Fires when waiting costs at least") },
  { "compute-imbalance.cycles", 200, N_ ("cycles"), N_ ("Steps count when they take at least") },
  { "idle-tiles.loss", 0.03, N_ ("of the run"), N_ ("Fires when idle tiles cost at least") },
  { "idle-tiles.active", 0.5, N_ ("of the tiles that compute"),
    N_ ("Steps count when they use at most") },
  { "idle-tiles.cycles", 1000, N_ ("cycles"), N_ ("and take at least") },
  { "exchange-bound.cycles", 0.03, N_ ("of the run"),
    N_ ("A group of steps counts when its exchanges take at least") },
  { "exchange-bound.share", 0.5, N_ ("of compute and exchange"),
    N_ ("Fires when its exchanges are at least") },
  { "exchange-bound.run", 0.35, N_ ("of compute and exchange"),
    N_ ("or when those of the whole run are at least") },
  { "exchange-bound.normal", 0.25, N_ ("of compute and exchange"),
    N_ ("The saving is what lies above") },
  { "exchange-bound.tiles", 16, N_ ("tiles"),
    N_ ("Few tiles send or receive everything when fewer are active than") },
  { "host-wait.share", 0.05, N_ ("of the run"), N_ ("Fires when waiting takes at least") },
  { "unoverlapped-io.alone", 0.05, N_ ("of the run"),
    N_ ("Fires when copies run alone for at least") },
  { "stage-imbalance.loss", 0.1, N_ ("of the run"),
    N_ ("Fires when even stages would save at least") },
  { "stage-imbalance.bubble", 0.1, N_ ("of the run"),
    N_ ("or when some IPU has no work for at least") },
  { "tiny-steps.cycles", 300, N_ ("cycles"), N_ ("Steps count when they are shorter than") },
  { "tiny-steps.steps", 1000, N_ ("steps"), N_ ("Fires when there are at least") },
  { "tiny-steps.cost", 0.1, N_ ("of the run"), N_ ("and when they cost at least") },
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
