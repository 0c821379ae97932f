/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What one stage of loading costs, in time and in memory.  Main thread. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* Seconds of @stage alone in its loading thread.  (transfer full): the loaded report in @report. */
double
bench_stage_time (const char *folder, TsrLoadFlags flags, TsrStage stage, TsrReport **report);

/* Bytes that a report loaded with @flags holds; 0 when it cannot be opened.  *peak (nullable): the
 * most that there was more while it was loading. */
double bench_stage_weigh (const char *folder, TsrLoadFlags flags, double *peak);

G_END_DECLS
