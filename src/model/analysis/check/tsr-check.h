/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads and validates everything in a report, invariants of docs/formats.md#invariants included,
 * and measures budgets. Adds what it finds to the report's diagnostics. */

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
  double value;      /* NaN when the report does not tell it */
  gint64 exact;      /* value where it is an integer, else TSR_UNKNOWN */
  gboolean at_least; /* ok means value >= limit, else value <= limit */
  gboolean ok;       /* FALSE when not told */
} TsrBudget;

/* (transfer full) (element-type TsrBudget): measures "name = number" lines of @text (# begins a
 * comment).  What the report does not tell is a diagnostic.  TSR_ERROR_UNSUPPORTED for a line that
 * is no budget.
 *
 * maxTileBytes       largest including gaps of a tile (else the file's own total), at most
 * freePercent        100 x (bytes of a tile - maxTileBytes) / bytes of a tile, at least
 * peakLiveBytes      always-live bytes of the replica + its largest step, at most
 * exchangeCodeBytes  category internalExchangeCode of the replica, at most
 * totalCycles        last end - first start over all IPUs, at most
 * deviceCycles       last complete run from the end of its leading StreamCopyBegin to its last end,
 *                    longest IPU of a replica, at most (S of docs/insights.md#execution)
 * tileUtilisation    cycles of OnTileExecute, DoExchange, GlobalExchange and StreamCopyMid by those
 *                    of all types, leading StreamCopyBegin left out, over all IPUs, at least; 0..1
 * tileBalance        mean of tile_balance over OnTileExecute, weighted by cycles, at least; 0..1 */
GPtrArray *
tsr_check_budgets (TsrReport *report, const char *text, GCancellable *cancellable, GError **error);

G_END_DECLS
