/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The views of a report: their names, and whether a report has what each needs.  If not: which
 * table or file is missing, and which engine option records it. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* Fills @views, one entry per TsrView, from the files and tables that exist.  @profile (nullable).
 */
void tsr_views_probe (TsrAvailability *views, const TsrReportFiles *files, TsrProfile *profile);
/* Prefetches what the summary stage and _probe will read from a slow file. */
void tsr_views_prefetch (TsrProfile *profile);
void tsr_availability_clear (TsrAvailability *availability);

G_END_DECLS
