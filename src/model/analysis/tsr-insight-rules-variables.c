/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 5 to 8: what is live at the peak, how long, as which type, and what stays all the time
 * (docs/insights.md#rules-about-memory).  Pure. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define SIZE(bytes)    tsr_insight_size (c, bytes)
#define PERCENT(share) tsr_insight_percent (c, share)
#define COUNT(count)   tsr_insight_count (c, count)

static double
of_tile (const TsrInsightContext *c, gint64 bytes)
{
  return bytes == TSR_UNKNOWN || c->capacity <= 0 ? NAN : (double)bytes / (double)c->capacity;
}

/* Whether the worst tile's variables are known; else the verdict says what is missing. */
static gboolean
has_held (const TsrInsightContext *c, TsrVerdict *verdict)
{
  if (c->worst == TSR_NO_INDEX)
    tsr_verdict_missing (verdict, "memory_by_tile");
  else if (c->capacity == TSR_UNKNOWN)
    tsr_verdict_missing (verdict, "target.bytes_per_tile");
  else if (c->lowered == NULL || c->held == NULL)
    tsr_verdict_missing (verdict, "vars_info");
  else if (c->worst_series == NULL && c->n_steps == 0)
    tsr_verdict_missing (verdict, "liveness_steps");
  else if (c->worst_series == NULL)
    tsr_verdict_unknown (verdict, "vars_info", c->worst);
  else
    return TRUE;
  return FALSE;
}

static void
show_in_liveness (const TsrInsightContext *c, TsrFinding *finding, gboolean tile)
{
  if (tile)
    tsr_finding_set_tile (finding, c->worst);
  finding->where.view = TSR_VIEW_LIVENESS;
  finding->where.tab = "variables";
  finding->where.step = c->worst_peak;
}

static const char *
get_step_name (const TsrInsightContext *c, guint step)
{
  const char *name = c->step_names != NULL && step < c->n_steps ? c->step_names[step] : NULL;

  return name != NULL ? name : _ ("an unnamed program");
}

/* ----------------------------------------------------------- 5 peak-spike */

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
  floor = tsr_insight_limit ("peak-spike.plateau") * (double)spike->height;
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
  const char *name = get_step_name (c, spike->peak);
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
  guint ends = (guint)(tsr_insight_limit ("peak-spike.ends") * c->n_steps);
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
  gboolean grave
      = c->fit == TSR_OUT_OF_MEMORY
        || (c->worst != TSR_NO_INDEX && c->inc != NULL && c->inc[c->worst] != TSR_UNKNOWN
            && of_tile (c, c->inc[c->worst]) >= tsr_insight_limit ("peak-spike.warning"));
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
  show_in_liveness (c, finding, spike->tile);
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

void
tsr_rule_peak_spike (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double size = tsr_insight_limit ("peak-spike.size");
  double window = tsr_insight_limit ("peak-spike.window");
  double steps = tsr_insight_limit ("peak-spike.steps");
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

/* --------------------------------------------- 6 long-lived-activations */

typedef struct
{
  GArray *list; /* TsrInsightSpan, largest first */
  guint8 *in;   /* by variable */
  gint64 bytes, stash;
  guint n_variables;
  gint64 saving, saving_all; /* on the worst tile, on all tiles */
} Kept;

/* Whether programs leave the variable alone for most of [from, to). */
static gboolean
is_untouched (const TsrInsightContext *c, const TsrInsightSpan *span)
{
  GHashTable *programs;
  guint touched = 0;

  if (c->touched == NULL || c->step_program == NULL)
    return TRUE;
  programs = g_hash_table_lookup (c->touched, GUINT_TO_POINTER (span->variable));
  for (guint k = span->from; programs != NULL && k < span->to; k++)
    touched += g_hash_table_contains (programs, GUINT_TO_POINTER (c->step_program[k]));
  return span->to - span->from - touched
         >= tsr_insight_limit ("long-lived-activations.untouched") * (span->to - span->from);
}

static gboolean
is_kept (const TsrInsightContext *c, const TsrInsightSpan *span)
{
  const TsrInsightVariable *variable = &c->variables[span->variable];
  double steps = c->n_steps;

  return g_strcmp0 (variable->category, "variable") == 0
         && span->to - span->from >= tsr_insight_limit ("long-lived-activations.length") * steps
         && span->from < c->worst_peak && c->worst_peak + 1 < span->to
         && span->from <= tsr_insight_limit ("long-lived-activations.birth") * steps
         && !tsr_insight_matches (variable->name, "accumulators") && is_untouched (c, span);
}

static void
find_kept (const TsrInsightContext *c, Kept *kept)
{
  kept->list = tsr_insight_list_spans (c);
  kept->in = g_new0 (guint8, MAX (c->n_variables, 1));
  for (guint i = 0; i < kept->list->len;)
    {
      const TsrInsightSpan *span = &g_array_index (kept->list, TsrInsightSpan, i);

      if (!is_kept (c, span))
        {
          g_array_remove_index (kept->list, i);
          continue;
        }
      kept->bytes += span->bytes;
      if (tsr_insight_matches (c->variables[span->variable].name, "stash"))
        kept->stash += span->bytes;
      kept->n_variables += !kept->in[span->variable];
      kept->in[span->variable] = TRUE;
      i++;
    }
}

static void
save_kept (const TsrInsightContext *c, Kept *kept)
{
  double least = tsr_insight_limit ("long-lived-activations.length") * c->n_steps;
  const TsrInsightChange change
      = { kept->in, 1, (guint)ceil (least), tsr_insight_limit ("long-lived-activations.trim") };

  tsr_insight_get_saving (c, &change, &kept->saving, &kept->saving_all);
}

static void
kept_clear (Kept *kept)
{
  g_clear_pointer (&kept->list, g_array_unref);
  g_clear_pointer (&kept->in, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Kept, kept_clear)

/* What recomputing costs at least: the estimated cycles of the programs at whose steps the
 * variables are born, or nothing when one is not told. */
static const char *
say_cost (const TsrInsightContext *c, const Kept *kept)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  gint64 cycles = 0;

  for (guint i = 0; i < kept->list->len; i++)
    {
      const TsrInsightSpan *span = &g_array_index (kept->list, TsrInsightSpan, i);
      gint64 one = tsr_insight_get_step_cycles (c, span->from);

      if (g_hash_table_add (seen, GUINT_TO_POINTER (span->from)))
        cycles = tsr_insight_add (cycles, one);
    }
  if (cycles == TSR_UNKNOWN || cycles == 0)
    return "";
  return tsr_insight_text (c, _ ("  The steps that write them take about %s cycles."),
                           COUNT (cycles));
}

static void
fire_kept (const TsrInsightContext *c, TsrVerdict *verdict, const Kept *kept)
{
  const TsrInsightSpan *largest = &g_array_index (kept->list, TsrInsightSpan, 0);
  TsrFinding *finding = tsr_verdict_fire (
      verdict, c->fit == TSR_OUT_OF_MEMORY ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  gboolean stash = kept->stash * 2 > kept->bytes;
  gint64 all = tsr_insight_sum_at (c, kept->in, c->worst_peak);

  show_in_liveness (c, finding, TRUE);
  for (guint i = 0; i < kept->list->len; i++)
    {
      const TsrInsightSpan *span = &g_array_index (kept->list, TsrInsightSpan, i);

      tsr_finding_add_evidence (finding, c->variables[span->variable].name, span->bytes,
                                (double)span->bytes / (double)kept->bytes);
      tsr_finding_add_name (finding, c->variables[span->variable].name);
      tsr_verdict_add_variable (verdict, span->variable);
    }
  finding->bytes_worst_tile = kept->saving;
  finding->bytes = kept->saving_all;
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  finding->title = g_strdup_printf (stash ? _ ("Pipeline stashes hold %s on tile %u")
                                          : _ ("Kept for the backward pass: %s on tile %u"),
                                    SIZE (kept->bytes), c->worst);
  finding->text = g_strdup_printf (
      _ ("Kept from forward to backward: %s variables, %s on tile %u, %s over all tiles; the "
         "largest: %s, steps %u to %u."),
      COUNT (kept->n_variables), SIZE (kept->bytes), c->worst, SIZE (all),
      c->variables[largest->variable].name, largest->from, largest->to - 1);
  if (stash)
    finding->action = g_strdup_printf (
        _ ("Fewer pipeline stages, or recomputation, which stashes less.%s"), say_cost (c, kept));
  else
    finding->action = g_strdup_printf (
        _ ("Recompute them in the backward pass.%s  Or a smaller micro-batch: halving it saves up "
           "to half."),
        say_cost (c, kept));
}

void
tsr_rule_long_lived_activations (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double share = tsr_insight_limit ("long-lived-activations.share");
  double size = tsr_insight_limit ("long-lived-activations.size");
  g_auto (Kept) kept = { 0 };
  gboolean fires;

  if (!has_held (c, verdict))
    return;
  find_kept (c, &kept);
  fires = kept.bytes > 0 && (double)kept.bytes >= share * (double)c->worst_live
          && of_tile (c, kept.bytes) >= size;
  if (kept.bytes > 0 && (fires || c->fit == TSR_OUT_OF_MEMORY))
    save_kept (c, &kept);
  if (fires || tsr_insight_counts (c, kept.saving))
    fire_kept (c, verdict, &kept);
  else
    tsr_verdict_fine (
        verdict,
        _ ("%s on tile %u (%s of its peak) is kept for long; fires from %s of the peak and %s"),
        SIZE (kept.bytes), c->worst, PERCENT ((double)kept.bytes / (double)MAX (c->worst_live, 1)),
        PERCENT (share), SIZE ((gint64)(size * (double)c->capacity)));
}

/* ------------------------------------------------------- 7 fp32-at-peak */

static gboolean
is_fp32 (const TsrInsightVariable *variable)
{
  return (g_strcmp0 (variable->element_type, "float") == 0
          || g_strcmp0 (variable->element_type, "float32") == 0)
         && g_strcmp0 (variable->category, "variable") == 0;
}

static gboolean
has_element_types (const TsrInsightContext *c)
{
  for (guint v = 0; v < c->n_variables; v++)
    if (c->variables[v].element_type != NULL)
      return TRUE;
  return FALSE;
}

typedef struct
{
  guint8 *in;
  gint64 bytes, kept; /* on the worst tile at its peak, to change and usually kept */
  gint64 live;        /* of everything there */
  gint64 saving, saving_all;
  const TsrInsightHeld *largest;
  GString *keep; /* names of those that are usually kept */
} Fp32;

static void
find_fp32 (const TsrInsightContext *c, Fp32 *fp32)
{
  guint n_kept = 0;

  fp32->in = tsr_insight_find_always_live (c);
  fp32->keep = g_string_new (NULL);
  for (guint i = 0; i < c->held->len; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);

      fp32->in[held->variable] |= held->always + held->at_peak > 0;
    }
  for (guint v = 0; v < c->n_variables; v++)
    fp32->in[v] = fp32->in[v] && is_fp32 (&c->variables[v])
                  && !tsr_insight_matches (c->variables[v].name, "keep-fp32");
  for (guint i = 0; i < c->held->len; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);
      const TsrInsightVariable *variable = &c->variables[held->variable];
      gint64 bytes = held->always + held->at_peak;

      fp32->live += bytes;
      if (bytes == 0 || !is_fp32 (variable))
        continue;
      if (fp32->in[held->variable])
        {
          fp32->bytes += bytes;
          fp32->largest = fp32->largest != NULL ? fp32->largest : held;
          continue;
        }
      fp32->kept += bytes;
      if (n_kept++ < 3)
        g_string_append_printf (fp32->keep, "%s%s", n_kept == 1 ? "" : ", ", variable->name);
    }
}

static void
fp32_clear (Fp32 *fp32)
{
  g_free (fp32->in);
  if (fp32->keep != NULL)
    g_string_free (fp32->keep, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fp32, fp32_clear)

static void
fire_fp32 (const TsrInsightContext *c, TsrVerdict *verdict, const Fp32 *fp32)
{
  TsrFinding *finding = tsr_verdict_fire (verdict, TSR_FINDING_ADVICE);

  finding->bytes_worst_tile = fp32->saving;
  finding->bytes = fp32->saving_all;
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  if (c->fit == TSR_OUT_OF_MEMORY && fp32->saving >= c->need[c->worst])
    finding->severity = TSR_FINDING_WARNING;
  show_in_liveness (c, finding, TRUE);
  for (guint i = 0; i < c->held->len; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);
      gint64 bytes = held->always + held->at_peak;

      if (bytes == 0 || !fp32->in[held->variable])
        continue;
      tsr_finding_add_evidence (finding, c->variables[held->variable].name, bytes,
                                (double)bytes / (double)fp32->bytes);
      tsr_finding_add_name (finding, c->variables[held->variable].name);
      tsr_verdict_add_variable (verdict, held->variable);
    }
  finding->title
      = g_strdup_printf (_ ("FP32 at the peak: %s on tile %u"), SIZE (fp32->bytes), c->worst);
  finding->text = g_strdup_printf (
      _ ("%s on tile %u is FP32 at the peak; in FP16 up to %s less.  The largest is %s "
         "(tiles: %s).%s"),
      SIZE (fp32->bytes), c->worst, SIZE (fp32->saving), c->variables[fp32->largest->variable].name,
      COUNT (tsr_insight_count_tiles (c, fp32->largest->variable)),
      fp32->kept > 0 ? tsr_insight_text (c, _ ("  Usually kept in FP32: %s of it besides (%s)."),
                                         SIZE (fp32->kept), fp32->keep->str)
                     : "");
  finding->action
      = g_strdup (_ ("Use FP16 for these where accuracy allows it, with loss scaling."));
}

void
tsr_rule_fp32_at_peak (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double size = tsr_insight_limit ("fp32-at-peak.size");
  double share = tsr_insight_limit ("fp32-at-peak.share");
  g_auto (Fp32) fp32 = { 0 };
  gboolean fires;

  if (!has_held (c, verdict))
    return;
  if (!has_element_types (c))
    {
      tsr_verdict_missing (verdict, "variables.element_type");
      return;
    }
  find_fp32 (c, &fp32);
  fires = fp32.bytes > 0 && of_tile (c, fp32.bytes) >= size
          && (double)fp32.bytes >= share * (double)fp32.live;
  if (fp32.bytes > 0 && (fires || c->fit == TSR_OUT_OF_MEMORY))
    tsr_insight_get_saving (c, &(TsrInsightChange){ fp32.in, 0.5, 0, 0 }, &fp32.saving,
                            &fp32.saving_all);
  if (fires || tsr_insight_counts (c, fp32.saving))
    fire_fp32 (c, verdict, &fp32);
  else
    tsr_verdict_fine (
        verdict,
        _ ("%s on tile %u (%s, and %s of what is live) is FP32 at the peak; fires from %s and %s"),
        SIZE (fp32.bytes), c->worst, PERCENT (of_tile (c, fp32.bytes)),
        PERCENT ((double)fp32.bytes / (double)MAX (fp32.live, 1)), PERCENT (size), PERCENT (share));
}

/* ------------------------------------------------------ 8 resident-state */

typedef struct
{
  gint64 all, constants;
  gint64 optimiser, largest; /* on the worst tile; largest one of the optimiser's */
  guint32 largest_variable;
} Resident;

static gboolean
is_resident (const TsrInsightVariable *variable)
{
  return !variable->compiler_made
         && (variable->life == TSR_LIFE_ALWAYS || variable->life == TSR_LIFE_RESIDENT);
}

static void
measure_resident (const TsrInsightContext *c, Resident *resident)
{
  *resident = (Resident){ .largest_variable = TSR_NO_INDEX };
  for (guint i = 0; i < c->held->len; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);
      const TsrInsightVariable *variable = &c->variables[held->variable];

      if (!is_resident (variable))
        continue;
      resident->all += held->all;
      if (g_strcmp0 (variable->category, "constant") == 0)
        resident->constants += held->all;
      if (!tsr_insight_matches (variable->name, "optimiser"))
        continue;
      resident->optimiser += held->all;
      if (held->all > resident->largest)
        {
          resident->largest = held->all;
          resident->largest_variable = held->variable;
        }
    }
}

/* Else the constants are what could go. */
static gboolean
is_about_optimiser (const Resident *resident)
{
  return resident->optimiser > 0 && resident->optimiser >= resident->constants;
}

/* Optimiser state in remote buffers: all of it goes but a buffer for its largest variable. */
static void
save_optimiser (const TsrInsightContext *c, TsrFinding *finding, const Resident *resident)
{
  g_autofree guint8 *in = g_new0 (guint8, MAX (c->n_variables, 1));
  const TsrInsightChange change = { in, 1, 0, 0 };

  for (guint v = 0; v < c->n_variables; v++)
    in[v] = is_resident (&c->variables[v]) && v != resident->largest_variable
            && tsr_insight_matches (c->variables[v].name, "optimiser");
  tsr_insight_get_saving (c, &change, &finding->bytes_worst_tile, &finding->bytes);
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
}

static void
fire_resident (const TsrInsightContext *c, TsrVerdict *verdict, const Resident *resident)
{
  TsrFinding *finding = tsr_verdict_fire (
      verdict, c->fit == TSR_OUT_OF_MEMORY ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  const char *sharding = "";

  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "liveness";
  finding->where.tab = "variables";
  for (guint i = 0; i < c->held->len; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);

      if (!is_resident (&c->variables[held->variable]) || held->all == 0)
        continue;
      tsr_finding_add_evidence (finding, c->variables[held->variable].name, held->all,
                                (double)held->all / (double)resident->all);
      tsr_finding_add_name (finding, c->variables[held->variable].name);
      tsr_verdict_add_variable (verdict, held->variable);
    }
  if (is_about_optimiser (resident))
    save_optimiser (c, finding, resident);
  if (c->n_replicas > 1 && is_about_optimiser (resident))
    sharding = tsr_insight_text (
        c, _ ("  Sharding it over %s replicas saves up to %s on tile %u."), COUNT (c->n_replicas),
        SIZE ((gint64)((double)resident->optimiser * (1 - 1 / (double)c->n_replicas))), c->worst);
  finding->title
      = g_strdup_printf (_ ("%s of tile %u is taken all the time (%s)"), SIZE (resident->all),
                         c->worst, PERCENT (of_tile (c, resident->all)));
  finding->text = g_strdup_printf (
      _ ("Weights and state stay on the chip all the time: %s on tile %u, of it optimiser state %s "
         "and constants %s."),
      SIZE (resident->all), c->worst, SIZE (resident->optimiser), SIZE (resident->constants));
  if (is_about_optimiser (resident))
    finding->action = g_strdup_printf (
        _ ("Keep optimiser state in remote buffers.%s  Or more IPUs per replica."), sharding);
  else
    finding->action = g_strdup (
        _ ("Keep large tables in remote buffers or in FP16; or more IPUs per replica."));
}

void
tsr_rule_resident_state (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double size = tsr_insight_limit ("resident-state.size");
  double optimiser = tsr_insight_limit ("resident-state.optimiser");
  Resident resident;

  if (!has_held (c, verdict))
    return;
  measure_resident (c, &resident);
  if (of_tile (c, resident.all) >= size || of_tile (c, resident.optimiser) >= optimiser
      || tsr_insight_counts (c, resident.all))
    fire_resident (c, verdict, &resident);
  else
    tsr_verdict_fine (verdict,
                      _ ("%s on tile %u (%s) stays, %s (%s) of it optimiser state; fires from %s "
                         "and %s"),
                      SIZE (resident.all), c->worst, PERCENT (of_tile (c, resident.all)),
                      SIZE (resident.optimiser), PERCENT (of_tile (c, resident.optimiser)),
                      PERCENT (size), PERCENT (optimiser));
}
