/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cycles of a recorded execution, from one scan of runs, steps and steps_by_ipu; for budgets.  The
 * thread that checks. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

typedef struct _TsrCheckExecution TsrCheckExecution;

/* Borrows both; @cancellable (nullable). */
TsrCheckExecution *tsr_check_execution_new (TsrReport *report, GCancellable *cancellable);
void tsr_check_execution_free (TsrCheckExecution *self);

/* Scans, the first time; FALSE only when the file cannot be read on. */
gboolean tsr_check_execution_measure (TsrCheckExecution *self, GError **error);

/* After it: (nullable) what is missing or wrong; then the figures mean nothing. */
const char *tsr_check_execution_get_why_not (const TsrCheckExecution *self);
/* Cycles from the first step's begin to the last one's end, over all IPUs, or TSR_UNKNOWN. */
gint64 tsr_check_execution_get_total (const TsrCheckExecution *self);
/* Cycles of the last complete run without the wait at its begin: the longest of the IPUs of the
 * first replica that has steps; TSR_UNKNOWN when there is no such run. */
gint64 tsr_check_execution_get_device (const TsrCheckExecution *self);
/* 0..1: cycles in compute and exchange by cycles of all steps that count, over all IPUs; NaN when
 * no step takes a cycle. */
double tsr_check_execution_get_utilisation (TsrCheckExecution *self);
/* 0..1: mean of steps_by_ipu.tile_balance over compute steps, weighted by cycles; NaN without. */
double tsr_check_execution_get_balance (const TsrCheckExecution *self);

G_END_DECLS
