/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Watches the files of an open report.  When one changes, appears or goes, "changed" is emitted
 * with is_settled FALSE; once nothing has changed for two seconds (size and time of all files),
 * again with TRUE.  When the files are as they were after all, with nothing in the list.  Files are
 * looked at in a worker: they may lie on a slow disk.  Main thread. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

#define TSR_TYPE_REPORT_WATCH (tsr_report_watch_get_type ())
G_DECLARE_FINAL_TYPE (TsrReportWatch, tsr_report_watch, TSR, REPORT_WATCH, GObject)

/* @report: its files must be known (summary stage ready). */
TsrReportWatch *tsr_report_watch_new (TsrReport *report);
/* (transfer none): base names of files that differ from when the report was opened. */
const char *const *tsr_report_watch_get_changed (TsrReportWatch *self);
gboolean tsr_report_watch_is_settled (TsrReportWatch *self);

G_END_DECLS
