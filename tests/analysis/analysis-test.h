/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tests of analysis share: a report that opens without an error, and what is computed from
 * it. */

#pragma once

#include "tsr-insights.h"
#include "tsr-search.h"
#include "tsr-test.h"

G_BEGIN_DECLS

/* (transfer full) */
TsrReport *analysis_open_report (const char *folder, TsrLoadFlags flags);
/* (transfer full): @preset made anew in a folder of its own, with @sql (nullable) done to it. */
TsrReport *
analysis_open_preset (const char *preset, const char *sql, TsrLoadFlags flags, char **folder);

/* All nullable. */
typedef struct
{
  char *folder;
  gboolean shared; /* the folder is that of others, too, and stays */
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrLiveness *liveness;
  TsrVertices *vertices;
  TsrTrace *trace; /* this and what follows: by whoever wants it */
  TsrInsights *insights;
  TsrSearch *search;
} AnalysisReport;

/* The report in @folder (taken) with @sql (nullable) done to it; what it has not stays NULL. */
void analysis_report_open_folder (AnalysisReport *self,
                                  char *folder,
                                  const char *sql,
                                  TsrLoadFlags flags);
/* @preset with @sql done to it, or (NULL) as it is, which is loaded once for all; what the report
 * has not stays NULL. */
void analysis_report_open (AnalysisReport *self,
                           const char *preset,
                           const char *sql,
                           TsrLoadFlags flags);
void analysis_report_clear (AnalysisReport *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AnalysisReport, analysis_report_clear)

G_END_DECLS
