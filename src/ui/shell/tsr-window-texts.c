/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The subtitle of a window and the note in the list of recent reports. */

#include "config.h"

#include "tsr-window-texts.h"

#include "tsr-location-texts.h"
#include "tsr-recent-report.h"
#include "tsr-summary-rows.h"
#include "tsr-units.h"

#include <glib/gi18n.h>
#include <inttypes.h>

static void
append_word (GString *text, const char *separator, char *word)
{
  if (word != NULL && *word != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? separator : "", word);
  g_free (word);
}

char *
tsr_window_texts_dup_subtitle (TsrReport *report)
{
  const TsrSummary *summary = tsr_report_get_summary (report);
  g_autofree char *folder = tsr_report_dup_folder (report);
  GString *text = g_string_new (NULL), *machine = g_string_new (NULL);
  const TsrTarget *target;

  append_word (text, " · ", tsr_location_dup_text (folder));
  if (summary == NULL)
    return g_string_free (text, FALSE);
  if (summary->synthetic)
    append_word (text, " · ", g_strdup (_ ("synthetic")));
  if (summary->poplar_version != NULL)
    append_word (text, " · ", g_strdup_printf (_ ("Poplar %s"), summary->poplar_version));
  target = &summary->target;
  if (target->num_replicas > 1 && target->ipus_per_replica > 0)
    append_word (machine, ", ",
                 g_strdup_printf (_ ("%" PRId64 " replicas × %" PRId64 " IPUs"),
                                  target->num_replicas, target->ipus_per_replica));
  else if (target->num_ipus > 0)
    append_word (machine, ", ",
                 g_strdup_printf (
                     g_dngettext (NULL, "%" PRId64 " IPU", "%" PRId64 " IPUs", target->num_ipus),
                     target->num_ipus));
  append_word (machine, ", ", g_strdup (target->architecture));
  if (target->clock_frequency > 0)
    append_word (machine, ", ", tsr_units_dup_hertz (target->clock_frequency));
  append_word (text, " · ", g_string_free (machine, FALSE));
  return g_string_free (text, FALSE);
}

void
tsr_window_texts_note_outcome (TsrSession *session)
{
  TsrReport *report = tsr_session_get_report (session);
  TsrMemory *memory = tsr_session_get_memory (session);
  g_auto (TsrSummaryVerdict) verdict = { 0 };
  TsrOutcome outcome = TSR_OUTCOME_INCOMPLETE;

  if (report == NULL || tsr_session_is_data_pending (session, TSR_DATA_MEMORY))
    return;
  tsr_summary_verdict_init (&verdict, memory, "", TSR_UNITS_BINARY);
  if (verdict.kind == TSR_SUMMARY_VERDICT_DOES_NOT_FIT)
    outcome = TSR_OUTCOME_DOES_NOT_FIT;
  else if (verdict.kind == TSR_SUMMARY_VERDICT_FITS
           && tsr_diagnostics_get_n_errors (tsr_report_get_diagnostics (report)) == 0)
    outcome = TSR_OUTCOME_FITS;
  tsr_recent_report_set_outcome (tsr_recents_get_default (), report, outcome,
                                 verdict.fullest_share);
}
