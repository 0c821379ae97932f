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

guint plan_oracle_get_n_tiles (PlanOracle *self);
/* (transfer full): L'(t) of each tile; in @steps the first step where it is reached; in @above,
 * which is the caller's as well, the same of what lies, in part at least, above the start of
 * interleaved memory; of what a tile receives no place is known, so that it counts there. */
gint64 *
plan_oracle_dup_live (PlanOracle *self, const char *const *ids, gint64 **above, guint *steps);
/* The most that what scales with the batch could grow on @tile, so that no more than @limit is
 * live; infinite when nothing scales. */
double plan_oracle_get_growth (PlanOracle *self, guint tile, gint64 limit);

G_END_DECLS
