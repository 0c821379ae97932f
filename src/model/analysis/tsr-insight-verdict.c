/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a rule says: a finding, that all is fine, or what it lacks; and the list of the rules.  One
 * thread. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static const TsrInsightRule rules[TSR_N_RULES] = {
  { "out-of-memory", N_ ("Tiles that do not fit"), "memory_by_tile target", tsr_rule_out_of_memory,
    FALSE },
  { "near-capacity", N_ ("A nearly full tile"), "memory_by_tile target", tsr_rule_near_capacity,
    FALSE },
  { "tile-imbalance", N_ ("Tiles much fuller than others"),
    "memory_by_tile memory_by_tile_category vars_info", tsr_rule_tile_imbalance, TRUE },
  { "gaps-on-full-tiles", N_ ("Gaps on full tiles"), "memory_by_tile vars_info",
    tsr_rule_gaps_on_full_tiles, TRUE },
  { "peak-spike", N_ ("One place that decides the peak"),
    "vars_info equivalence_class_intervals liveness_steps", tsr_rule_peak_spike, TRUE },
  { "long-lived-activations", N_ ("Activations kept for the backward pass"),
    "vars_info equivalence_class_intervals variables program_variables",
    tsr_rule_long_lived_activations, TRUE },
  { "fp32-at-peak", N_ ("FP32 variables at the peak"),
    "variables vars_info equivalence_class_intervals", tsr_rule_fp32_at_peak, TRUE },
  { "resident-state", N_ ("Weights and optimiser state on the chip"),
    "variables vars_info equivalence_class_intervals", tsr_rule_resident_state, TRUE },
  { "exchange-code", N_ ("Code of exchanges"), "memory_by_tile_category programs tile_arrays",
    tsr_rule_exchange_code, TRUE },
  { "vertex-memory", N_ ("State and code of vertices"),
    "memory_by_tile_category vertex_types compute_set_vertices tile_arrays", tsr_rule_vertex_memory,
    TRUE },
  { "io-code-and-headers", N_ ("Code and headers of copies to the host and between IPUs"),
    "memory_by_tile_category programs", tsr_rule_io_code_and_headers, TRUE },
  { "instrumentation", N_ ("Memory of the profiler itself"), "memory_by_tile_category",
    tsr_rule_instrumentation, TRUE },
  { "one-off-code", N_ ("Code that runs once"),
    "steps programs compute_set_vertices vertex_types tile_arrays", tsr_rule_one_off_code, TRUE },
  { "compute-imbalance", N_ ("Waiting for the slowest tile"), "steps steps_by_ipu tile_cycles",
    tsr_rule_compute_imbalance, FALSE },
  { "idle-tiles", N_ ("Steps on few tiles"), "steps steps_by_ipu tile_cycles", tsr_rule_idle_tiles,
    FALSE },
  { "exchange-bound", N_ ("Time spent in exchanges"), "steps steps_by_ipu programs",
    tsr_rule_exchange_bound, FALSE },
  { "host-wait", N_ ("Waiting for the host"), "steps steps_by_ipu programs", tsr_rule_host_wait,
    FALSE },
  { "unoverlapped-io", N_ ("Copies that nothing hides"), "steps steps_by_ipu programs",
    tsr_rule_unoverlapped_io, FALSE },
  { "stage-imbalance", N_ ("IPUs with uneven work"), "steps steps_by_ipu target",
    tsr_rule_stage_imbalance, FALSE },
  { "tiny-steps", N_ ("Many very short steps"), "steps steps_by_ipu", tsr_rule_tiny_steps, FALSE },
};

const TsrInsightRule *
tsr_insight_rules_get (guint index)
{
  g_return_val_if_fail (index < TSR_N_RULES, NULL);
  return &rules[index];
}

/* Which engine option records a table; the memory tables need no more than the graph profile. */
static const char *
get_option (const char *part)
{
  if (g_str_has_prefix (part, "vars_info") || g_str_has_prefix (part, "equivalence_class"))
    return "autoReport.outputLoweredVars";
  if (g_str_has_prefix (part, "steps"))
    return "autoReport.outputExecutionProfile";
  return "autoReport.outputGraphProfile";
}

gboolean
tsr_insight_counts (const TsrInsightContext *c, gint64 saving)
{
  return c->fit == TSR_OUT_OF_MEMORY && (double)saving >= tsr_insight_limit ("overflow.saving");
}

void
tsr_verdict_clear (TsrVerdict *verdict)
{
  g_clear_pointer (&verdict->finding, tsr_finding_free);
  g_clear_pointer (&verdict->text, g_free);
  g_clear_pointer (&verdict->variables, g_array_unref);
}

TsrFinding *
tsr_verdict_fire (TsrVerdict *verdict, TsrFindingSeverity severity)
{
  TsrFinding *finding = g_new0 (TsrFinding, 1);

  verdict->result = TSR_RULE_FIRED;
  verdict->finding = finding;
  finding->severity = severity;
  finding->bytes = finding->bytes_worst_tile = finding->cycles = TSR_UNKNOWN;
  finding->scope = g_strdup ("replica");
  finding->evidence = g_array_new (FALSE, FALSE, sizeof (TsrEvidence));
  finding->where.view = TSR_VIEW_MEMORY;
  finding->where.step = finding->where.run = finding->where.ipu = TSR_NO_INDEX;
  finding->confidence = TSR_CONFIDENCE_EXACT;
  return finding;
}

void
tsr_verdict_fine (TsrVerdict *verdict, const char *format, ...)
{
  va_list args;

  verdict->result = TSR_RULE_FINE;
  g_free (verdict->text);
  va_start (args, format);
  verdict->text = g_strdup_vprintf (format, args);
  va_end (args);
}

void
tsr_verdict_missing (TsrVerdict *verdict, const char *part)
{
  verdict->result = TSR_RULE_NOT_CHECKED;
  g_free (verdict->text);
  verdict->text = g_strdup_printf (
      /* Translators: a table of the report, and the engine option that records it. */
      _ ("Needs %s, which the report does not have; the engine option %s records it"), part,
      get_option (part));
}

void
tsr_verdict_unknown (TsrVerdict *verdict, const char *part, guint tile)
{
  if (tile == TSR_NO_INDEX)
    {
      tsr_verdict_missing (verdict, part);
      return;
    }
  verdict->result = TSR_RULE_NOT_CHECKED;
  g_free (verdict->text);
  verdict->text
      = g_strdup_printf (_ ("Needs %s, which does not tell all of tile %u; the engine option %s "
                            "records it"),
                         part, tile, get_option (part));
}

void
tsr_verdict_add_variable (TsrVerdict *verdict, guint32 variable)
{
  if (verdict->variables == NULL)
    verdict->variables = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (verdict->variables, variable);
}

/* ---------------------------------------------------------------- findings */

void
tsr_finding_free (TsrFinding *finding)
{
  g_free (finding->title);
  g_free (finding->text);
  g_free (finding->action);
  g_free (finding->scope);
  for (guint i = 0; i < finding->evidence->len; i++)
    g_free (g_array_index (finding->evidence, TsrEvidence, i).name);
  g_array_unref (finding->evidence);
  g_free (finding->where.tiles);
  g_strfreev (finding->where.names);
  g_strfreev (finding->inputs);
  g_free (finding);
}

#define MOST_EVIDENCE 5

void
tsr_finding_add_evidence (TsrFinding *finding, const char *name, gint64 bytes, double share)
{
  const TsrEvidence evidence = { g_strdup (name), bytes, TSR_UNKNOWN, share };

  if (finding->evidence->len < MOST_EVIDENCE)
    g_array_append_val (finding->evidence, evidence);
  else
    g_free (evidence.name);
}

void
tsr_finding_set_tiles (TsrFinding *finding, const guint *tiles, guint n_tiles)
{
  g_free (finding->where.tiles);
  finding->where.tiles = g_memdup2 (tiles, n_tiles * sizeof (guint));
  finding->where.n_tiles = n_tiles;
}

void
tsr_finding_set_tile (TsrFinding *finding, guint tile)
{
  tsr_finding_set_tiles (finding, &tile, 1);
  g_free (finding->scope);
  finding->scope = g_strdup_printf ("tile%u", tile);
}

/* More names than this select nothing that anybody could still tell apart. */
#define MOST_NAMES 20

void
tsr_finding_add_name (TsrFinding *finding, const char *name)
{
  guint n = finding->where.names != NULL ? g_strv_length (finding->where.names) : 0;

  if (n >= MOST_NAMES)
    return;
  finding->where.names = g_renew (char *, finding->where.names, n + 2);
  finding->where.names[n] = g_strdup (name);
  finding->where.names[n + 1] = NULL;
}

const char *
tsr_finding_severity_get_nick (TsrFindingSeverity severity)
{
  static const char *const nicks[] = { "error", "warning", "advice", "info" };

  g_return_val_if_fail (severity < G_N_ELEMENTS (nicks), NULL);
  return nicks[severity];
}

const char *
tsr_confidence_get_nick (TsrConfidence confidence)
{
  static const char *const nicks[] = { "exact", "estimate", "upper-bound" };

  g_return_val_if_fail (confidence < G_N_ELEMENTS (nicks), NULL);
  return nicks[confidence];
}

const char *
tsr_finding_get_saving_title (const TsrFinding *finding, gboolean worst_tile)
{
  g_return_val_if_fail (finding != NULL, NULL);
  if (finding->at_least)
    return worst_tile ? _ ("Saves at least, on the worst tile")
                      : _ ("Saves at least, over all tiles");
  switch (finding->confidence)
    {
    case TSR_CONFIDENCE_EXACT:
      return worst_tile ? _ ("Saves, on the worst tile") : _ ("Saves, over all tiles");
    case TSR_CONFIDENCE_ESTIMATE:
      return worst_tile ? _ ("Saves about, on the worst tile") : _ ("Saves about, over all tiles");
    default:
      return worst_tile ? _ ("Saves up to, on the worst tile") : _ ("Saves up to, over all tiles");
    }
}

const char *
tsr_finding_get_cycles_title (const TsrFinding *finding)
{
  g_return_val_if_fail (finding != NULL, NULL);
  switch (finding->confidence)
    {
    case TSR_CONFIDENCE_EXACT:
      return _ ("Saves, in the run");
    case TSR_CONFIDENCE_ESTIMATE:
      return _ ("Saves about, in the run");
    default:
      return _ ("Saves up to, in the run");
    }
}

char *
tsr_finding_dup_cycles (gint64 cycles)
{
  return tsr_units_dup_cycles (cycles);
}

char *
tsr_evidence_dup_size (const TsrEvidence *evidence, TsrUnits units)
{
  g_autofree char *bytes
      = evidence->bytes != TSR_UNKNOWN ? tsr_units_dup_bytes (units, evidence->bytes) : NULL;
  g_autofree char *cycles
      = evidence->cycles != TSR_UNKNOWN ? tsr_finding_dup_cycles (evidence->cycles) : NULL;

  if (bytes != NULL && cycles != NULL)
    return g_strdup_printf (_ ("%s, %s"), cycles, bytes);
  return g_strdup (bytes != NULL ? bytes : cycles != NULL ? cycles : "");
}
