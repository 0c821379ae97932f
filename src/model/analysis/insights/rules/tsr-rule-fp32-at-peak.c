/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 7, fp32-at-peak: fP32 variables at the peak
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "fp32-at-peak.size", 0.05, N_ ("of a tile"), N_ ("Fires when FP32 takes at least") },
  { "fp32-at-peak.share", 0.1, N_ ("of what is live"), N_ ("and, at the peak, at least") },
};

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
  tsr_rule_show_in_liveness (c, finding, TRUE);
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

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double size = LIMIT ("fp32-at-peak.size");
  double share = LIMIT ("fp32-at-peak.share");
  g_auto (Fp32) fp32 = { 0 };
  gboolean fires;

  if (!tsr_rule_has_held (c, verdict))
    return;
  if (!has_element_types (c))
    {
      tsr_verdict_missing (verdict, "variables.element_type");
      return;
    }
  find_fp32 (c, &fp32);
  fires
      = tsr_rule_of_tile (c, fp32.bytes) >= size && (double)fp32.bytes >= share * (double)fp32.live;
  if (fires || c->fit == TSR_OUT_OF_MEMORY)
    tsr_insight_get_saving (c, &(TsrInsightChange){ fp32.in, 0.5, 0, 0 }, &fp32.saving,
                            &fp32.saving_all);
  if (fires || tsr_insight_counts (c, fp32.saving))
    fire_fp32 (c, verdict, &fp32);
  else
    tsr_verdict_fine (
        verdict,
        _ ("%s on tile %u (%s, and %s of what is live) is FP32 at the peak; fires from %s and %s"),
        SIZE (fp32.bytes), c->worst, PERCENT (tsr_rule_of_tile (c, fp32.bytes)),
        PERCENT ((double)fp32.bytes / (double)MAX (fp32.live, 1)), PERCENT (size), PERCENT (share));
}

const TsrInsightRule tsr_rule_fp32_at_peak = {
  .id = "fp32-at-peak",
  .title = N_ ("FP32 variables at the peak"),
  .meaning = N_ ("FP32 variables on the worst tile, live at its peak.  Those that usually "
                 "stay FP32, such as losses, norms and master weights, are listed apart."),
  .inputs = "variables vars_info equivalence_class_intervals",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};
