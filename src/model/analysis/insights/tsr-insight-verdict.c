/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a rule says: a finding, that all is fine, or what it lacks; and the list of the rules.  One
 * thread. */

#include "config.h"

#include "tsr-insights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

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
  return c->fit == TSR_OUT_OF_MEMORY
         && (double)saving >= tsr_insight_limits_find_shared ("overflow.saving");
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
tsr_verdict_not_checked (TsrVerdict *verdict, const char *text)
{
  verdict->result = TSR_RULE_NOT_CHECKED;
  g_free (verdict->text);
  verdict->text = g_strdup (text);
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
  verdict->text = g_strdup_printf (
      _ ("Needs %s, which does not have all of tile %u; the engine option %s records it"), part,
      tile, get_option (part));
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
  g_free (finding->where.layer);
  g_free (finding->where.operation);
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
  g_return_val_if_fail (evidence != NULL, NULL);
  g_autofree char *bytes
      = evidence->bytes != TSR_UNKNOWN ? tsr_units_dup_bytes (units, evidence->bytes) : NULL;
  g_autofree char *cycles
      = evidence->cycles != TSR_UNKNOWN ? tsr_finding_dup_cycles (evidence->cycles) : NULL;

  if (bytes != NULL && cycles != NULL)
    return g_strdup_printf (_ ("%s, %s"), cycles, bytes);
  return g_strdup (bytes != NULL ? bytes : cycles != NULL ? cycles : "");
}
