/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole report with the insights of it. */

#pragma once

#include "analysis-test.h"
#include "tsr-insights-private.h"

G_BEGIN_DECLS

typedef struct
{
  char *folder;
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrLiveness *liveness;
  TsrVertices *vertices;
  TsrTrace *trace;
  TsrInsights *insights;
} InsightsReport;

/* @preset with @sql (nullable) done to it; what the report has not stays NULL, and without memory
 * so do the insights. */
void insights_report_open (InsightsReport *self, const char *preset, const char *sql);
void insights_report_clear (InsightsReport *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (InsightsReport, insights_report_clear)

/* (nullable) */
const TsrFinding *insights_report_find (const InsightsReport *self, const char *rule);
/* @list: of TsrUnfired. */
gboolean insights_report_is_listed (GPtrArray *list, const char *rule);
/* Every rule is in exactly one of the three lists, and every text is there. */
void insights_report_check_shape (const InsightsReport *self);

G_END_DECLS
