/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads and validates everything in a report, invariants of FORMATS 3.12 included, and measures
 * budgets. Adds what it finds to the report's diagnostics. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* FALSE and @error only when it could not go on (cancelled, file unreadable or changed). */
gboolean
tsr_check_run (TsrReport *report, TsrProgress *progress, GCancellable *cancellable, GError **error);

typedef struct
{
  char *name;
  double limit;
  double value; /* NaN when the report does not tell it */
  gboolean ok;  /* FALSE when not told */
} TsrBudget;
void tsr_budget_free (TsrBudget *budget);

/* (transfer full) (element-type TsrBudget): measures "name = number" lines of @text (# begins a
 * comment). */
GPtrArray *tsr_check_budgets (TsrReport *report, const char *text, GError **error);

G_END_DECLS
