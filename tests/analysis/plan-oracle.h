/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is live on each tile after measures of the fix plan, by plain SQL and a loop over all
 * steps: for the tests of TsrPlan.  Follows the words of tsr-plan.h, not its code. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PlanOracle PlanOracle;

PlanOracle *plan_oracle_new (const char *folder);
void plan_oracle_free (PlanOracle *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlanOracle, plan_oracle_free)

/* (transfer full): L'(t) of each tile; in @steps the first step where it is reached; in @above,
 * which is the caller's as well, the same of what lies, in part at least, above the start of
 * interleaved memory; of what a tile receives no place is known, so that it counts there.
 * TSR_UNKNOWN where a size or a place is not told. */
gint64 *
plan_oracle_dup_live (PlanOracle *self, const char *const *ids, gint64 **above, guint *steps);
/* Whether a measure does anything to a row on @tile, or puts one there. */
gboolean plan_oracle_changes (PlanOracle *self, const char *id, guint tile);
/* The most that what scales with the batch could grow on @tile (@above: what of it lies above the
 * start of interleaved memory), so that no more than @limit is live; infinite when nothing scales.
 */
double plan_oracle_get_growth (PlanOracle *self, guint tile, gboolean above, gint64 limit);
/* Whether any interval of @variable (interned) has a hole; what making it costs, or TSR_UNKNOWN. */
gboolean plan_oracle_can_recompute (PlanOracle *self, const char *variable, gint64 *cycles);
/* (transfer full) (element-type utf8): the measures in the order in which they are found, useful or
 * not.  @over: bytes that each tile has too much. */
GPtrArray *plan_oracle_list_offered (PlanOracle *self, const gint64 *over, gboolean tiles_told);

G_END_DECLS
