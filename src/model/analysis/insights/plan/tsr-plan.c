/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a plan answers in words, and the values that it hands out. */

#include "config.h"

#include "tsr-plan.h"

#include <glib/gi18n-lib.h>

const char *
tsr_plan_verdict_get_nick (TsrPlanVerdict verdict)
{
  static const char *const nicks[] = { "fits", "may-fit", "does-not-fit", "unknown" };

  g_return_val_if_fail ((guint)verdict < G_N_ELEMENTS (nicks), NULL);
  return nicks[verdict];
}

const char *
tsr_plan_verdict_get_name (TsrPlanVerdict verdict)
{
  static const char *const names[]
      = { N_ ("Fits"), N_ ("May fit"), N_ ("Does not fit"), N_ ("Not known") };

  g_return_val_if_fail ((guint)verdict < G_N_ELEMENTS (names), NULL);
  return _ (names[verdict]);
}

void
tsr_forecast_free (TsrForecast *forecast)
{
  if (forecast == NULL)
    return;
  g_free (forecast->live);
  g_free (forecast->live_now);
  g_free (forecast->peak_step);
  g_free (forecast->best.over);
  g_free (forecast->packed.over);
  g_free (forecast->peak_name);
  g_free (forecast);
}

void
tsr_proposal_free (TsrProposal *proposal)
{
  if (proposal == NULL)
    return;
  tsr_forecast_free (proposal->forecast);
  g_free (proposal->text);
  g_free (proposal);
}
