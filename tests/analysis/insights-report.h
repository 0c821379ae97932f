/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole report with the insights of it. */

#pragma once

#include "analysis-test.h"
#include "tsr-insights-private.h"

G_BEGIN_DECLS

/* @preset with @sql (nullable) done to it; what the report has not stays NULL, and without memory
 * so do the insights. */
void insights_report_open (AnalysisReport *self, const char *preset, const char *sql);
/* The same with the preset's debug information. */
void insights_report_open_debug (AnalysisReport *self, const char *preset, const char *sql);

/* (nullable) */
const TsrFinding *insights_report_find (const AnalysisReport *self, const char *rule);
/* @list: of TsrUnfired. */
gboolean insights_report_is_listed (GPtrArray *list, const char *rule);
/* Every rule is in exactly one of the three lists, and every text is there. */
void insights_report_check_shape (const AnalysisReport *self);

G_END_DECLS
