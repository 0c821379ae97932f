/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fix plan: a bar that says how much is too much, and under it, folded, the measures to tick
 * and what they leave: for all tiles, and tile by tile.  Ticks are forecast in a worker, and only
 * the newest counts.  Main thread.
 *
 * Properties: "open" (unfolded).  Signal "changed": other measures are ticked, or what was asked
 * for is there. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_PLAN_VIEW (tsr_plan_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrPlanView, tsr_plan_view, TSR, PLAN_VIEW, GtkWidget)

TsrPlanView *tsr_plan_view_new (void);
/* Once. */
void tsr_plan_view_set_session (TsrPlanView *self, TsrSession *session);

/* Ticks what the plan proposes, as soon as it is known. */
void tsr_plan_view_propose (TsrPlanView *self);
void tsr_plan_view_clear (TsrPlanView *self);
/* The forecast as text for a ticket, on the clipboard. */
void tsr_plan_view_copy (TsrPlanView *self);
/* (transfer full) (nullable): that text. */
char *tsr_plan_view_dup_text (TsrPlanView *self);

/* Ids of the ticked measures, a line each; those that a plan does not have are not ticked.  They
 * hold for a plan that is still to come. */
void tsr_plan_view_set_ids (TsrPlanView *self, const char *ids);
char *tsr_plan_view_dup_ids (TsrPlanView *self);

/* (transfer none) (nullable): of what is ticked, and of nothing; NULL while it is computed. */
const TsrForecast *tsr_plan_view_get_forecast (TsrPlanView *self);
gboolean tsr_plan_view_is_busy (TsrPlanView *self);
/* The check button of measure @index of the plan; NULL: it cannot be ticked. */
GtkCheckButton *tsr_plan_view_get_check (TsrPlanView *self, guint index);

G_END_DECLS
