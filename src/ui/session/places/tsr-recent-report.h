/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An open report in the list of recent ones, where it stands once: by its folder, a file in it, a
 * link to it, another name of its host or another way there.  Main thread. */

#pragma once

#include "tsr-recents.h"
#include "tsr-report.h"

G_BEGIN_DECLS

/* (transfer full): where @report lies, as it stands in the list: its folder, unless that would open
 * another file. */
char *tsr_recent_report_dup_location (TsrReport *report);
/* Puts @report on top of @recents.  What it is called otherwise is found out in a worker and leaves
 * the list then. */
void tsr_recent_report_add (TsrRecents *recents, TsrReport *report);
/* As tsr_recents_set_outcome. */
void tsr_recent_report_set_outcome (TsrRecents *recents,
                                    TsrReport *report,
                                    TsrOutcome outcome,
                                    double fullest);

G_END_DECLS
