/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stands on a notebook's tab: its title, and how many rows it lists, in the middle of the
 * room that both may need: no tab moves when numbers come, and all stand evenly.  Main thread. */

#pragma once

#include "tsr-row-view.h"

G_BEGIN_DECLS

#define TSR_TYPE_TAB_LABEL (tsr_tab_label_get_type ())
G_DECLARE_FINAL_TYPE (TsrTabLabel, tsr_tab_label, TSR, TAB_LABEL, GtkWidget)

/* @tooltip (nullable). */
TsrTabLabel *tsr_tab_label_new (const char *title, const char *tooltip);
/* TSR_UNKNOWN: none. */
void tsr_tab_label_set_count (TsrTabLabel *self, gint64 count);
/* Whenever @view has arranged its rows the number is that of those that it lists. */
void tsr_tab_label_follow (TsrTabLabel *self, TsrRowView *view);
/* Without the room for now; how much wider the label would be with it (0: it has it). */
void tsr_tab_label_set_folded (TsrTabLabel *self, gboolean folded);
int tsr_tab_label_get_folded_width (TsrTabLabel *self);
/* Title and number: "Vertices 12".  Valid until the number changes. */
const char *tsr_tab_label_get_text (TsrTabLabel *self);

G_END_DECLS
