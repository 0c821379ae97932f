/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 5, peak-spike: one place that decides the peak
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const TsrInsightLimit limits[] = {
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
};

typedef struct
{
  gboolean tile; /* of w, else of all tiles */
  const gint64 *n;
  guint peak, from, to; /* window: [from, to) */
  gint64 height, next;  /* n at the peak; the largest outside the window */
  guint next_step;      /* the first such step; TSR_NO_INDEX */
  GArray *causes;       /* TsrVariableBytes */
  gboolean only_here;   /* they live in the window only */
  gint64 saving;
} Spike;

static void
spike_clear (Spike *spike)
{
  g_clear_pointer (&spike->causes, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Spike, spike_clear)

static void
find_spike (const TsrInsightContext *c, Spike *spike)
{
  double floor;

  spike->tile = c->worst_series != NULL;
  spike->n = spike->tile ? c->worst_series : c->all_series;
  spike->peak = 0;
  for (guint k = 1; k < c->n_steps; k++)
    if (spike->n[k] > spike->n[spike->peak])
      spike->peak = k;
  spike->height = spike->n[spike->peak];
  floor = LIMIT ("peak-spike.plateau") * (double)spike->height;
  spike->from = spike->peak;
  spike->to = spike->peak + 1;
  while (spike->from > 0 && (double)spike->n[spike->from - 1] >= floor)
    spike->from--;
  while (spike->to < c->n_steps && (double)spike->n[spike->to] >= floor)
    spike->to++;
  spike->next = 0;
  spike->next_step = TSR_NO_INDEX;
  for (guint k = 0; k < c->n_steps; k++)
    if ((k < spike->from || k >= spike->to)
        && (spike->next_step == TSR_NO_INDEX || spike->n[k] > spike->next))
      {
        spike->next = spike->n[k];
        spike->next_step = k;
      }
}

/* What lives in the window only; where nothing does, what is live at the peak and not at the next
 * highest step: that is what makes the difference then. */
static void
find_causes (const TsrInsightContext *c, Spike *spike)
{
  gint64 those = 0;

  spike->causes = tsr_insight_list_inside (c, spike->tile, spike->peak, spike->from, spike->to);
  spike->only_here = spike->causes->len > 0 || spike->next_step == TSR_NO_INDEX;
  if (!spike->only_here)
    {
      g_array_unref (spike->causes);
      spike->causes = tsr_insight_list_not_at (c, spike->tile, spike->peak, spike->next_step);
    }
  for (guint i = 0; i < spike->causes->len; i++)
    those = tsr_insight_add (those, g_array_index (spike->causes, TsrVariableBytes, i).bytes);
  spike->saving = MIN (spike->height - spike->next, those);
}

/* "step 102 (name) needs 12 KiB more on tile 3 than any other step." */
static char *
dup_comparison (const TsrInsightContext *c, const Spike *spike, gboolean at_ends)
{
  const char *name = tsr_rule_get_step_name (c, spike->peak);
  const char *more = SIZE (spike->height - spike->next);
  const char *where
      = spike->tile ? tsr_insight_text (c, _ ("on tile %u"), c->worst) : _ ("over all tiles");

  if (spike->to - spike->from == 1)
    return g_strdup_printf (
        at_ends
            /* Translators: step 7 (name) needs 12 KiB more "on tile 3" or "over all tiles" ... */
            ? _ ("The peak is where data come from or go to the host: step %s (%s) needs %s more "
                 "%s than any other step.")
            : _ ("One place decides the peak: step %s (%s) needs %s more %s than any other step."),
        COUNT (spike->peak), name, more, where);
  return g_strdup_printf (
      at_ends
          ? _ ("The peak is where data come from or go to the host: step %s (%s) needs %s more "
               "%s than any step outside %s to %s.")
          : _ ("One place decides the peak: step %s (%s) needs %s more %s than any step outside "
               "%s to %s."),
      COUNT (spike->peak), name, more, where, COUNT (spike->from), COUNT (spike->to - 1));
}

static void
describe_spike (const TsrInsightContext *c, TsrFinding *finding, const Spike *spike)
{
  guint ends = (guint)(LIMIT ("peak-spike.ends") * c->n_steps);
  gboolean at_ends = spike->peak < ends || spike->peak >= c->n_steps - ends;
  gint64 more = spike->height - spike->next;
  g_autofree char *comparison = dup_comparison (c, spike, at_ends);

  finding->title = g_strdup_printf (_ ("Step %s needs %s more than any other"), COUNT (spike->peak),
                                    SIZE (more));
  finding->text = g_strconcat (
      comparison,
      spike->only_here ? ""
                       : tsr_insight_text (c,
                                           _ ("  No variable lives here only; listed are those "
                                              "that step %u, the next highest, does not have."),
                                           spike->next_step),
      NULL);
  finding->action = g_strdup (
      at_ends ? _ ("Copy less at once: smaller or fewer streams that are live together.")
              : _ ("Lower the available-memory proportion of that operation, split it, or "
                   "serialise it."));
}

static void
fire_spike (const TsrInsightContext *c, TsrVerdict *verdict, const Spike *spike)
{
  gboolean grave = c->fit == TSR_OUT_OF_MEMORY
                   || (c->worst != TSR_NO_INDEX && c->inc != NULL && c->inc[c->worst] != TSR_UNKNOWN
                       && tsr_rule_of_tile (c, c->inc[c->worst]) >= LIMIT ("peak-spike.warning"));
  TsrFinding *finding
      = tsr_verdict_fire (verdict, grave ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  g_autofree guint8 *in = g_new0 (guint8, MAX (c->n_variables, 1));
  gint64 unused;

  for (guint i = 0; i < spike->causes->len; i++)
    {
      const TsrVariableBytes *one = &g_array_index (spike->causes, TsrVariableBytes, i);
      const char *name = c->variables[one->variable].name;

      in[one->variable] = TRUE;
      tsr_finding_add_evidence (finding, name, one->bytes,
                                (double)one->bytes / (double)spike->height);
      tsr_finding_add_name (finding, name);
      tsr_verdict_add_variable (verdict, one->variable);
    }
  tsr_rule_show_in_liveness (c, finding, spike->tile);
  finding->where.step = spike->peak;
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  if (spike->tile)
    {
      const TsrInsightChange change = { in, 1, 0, 0 };

      tsr_insight_get_saving (c, &change, &unused, &finding->bytes);
      finding->bytes_worst_tile = spike->saving;
    }
  else
    finding->bytes = spike->saving;
  describe_spike (c, finding, spike);
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double size = LIMIT ("peak-spike.size");
  double window = LIMIT ("peak-spike.window");
  double steps = LIMIT ("peak-spike.steps");
  g_auto (Spike) spike = { 0 };
  gboolean fires, brief;
  gint64 whole;

  if (c->worst_series == NULL && c->all_series == NULL)
    {
      tsr_verdict_missing (verdict, "liveness_steps");
      return;
    }
  if (c->n_steps < steps)
    {
      tsr_verdict_fine (verdict, _ ("%s liveness steps; fires from %s"), COUNT (c->n_steps),
                        COUNT ((gint64)steps));
      return;
    }
  find_spike (c, &spike);
  find_causes (c, &spike);
  whole = spike.tile ? c->capacity : c->memory_per_replica;
  brief = spike.to - spike.from <= window * c->n_steps;
  fires = (double)(spike.height - spike.next) >= size * (double)whole
          || (spike.tile && tsr_insight_counts (c, spike.saving));
  if (whole <= 0)
    tsr_verdict_missing (verdict, "target.bytes_per_tile");
  else if (!fires || !brief)
    tsr_verdict_fine (verdict,
                      _ ("The peak needs %s more than any other and lasts %s of the steps; fires "
                         "from %s and up to %s"),
                      SIZE (spike.height - spike.next),
                      PERCENT ((double)(spike.to - spike.from) / c->n_steps),
                      SIZE ((gint64)(size * (double)whole)), PERCENT (window));
  else
    fire_spike (c, verdict, &spike);
}

const TsrInsightRule tsr_rule_peak_spike = {
  .id = "peak-spike",
  .title = N_ ("One place that decides the peak"),
  .meaning = N_ ("How much more the steps around the peak need than all other steps: on the "
                 "worst tile where its variables are recorded, else on all tiles, and then "
                 "shares are of their memory."),
  .inputs = "vars_info equivalence_class_intervals liveness_steps",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};
