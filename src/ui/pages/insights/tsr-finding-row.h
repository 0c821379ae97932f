/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One finding of the Insights page: a line with severity, title, what a change saves and an arrow
 * to where it shows; opened in place it has text, action and evidence.  Keyboard: Return opens and
 * closes, the arrow is a button of its own. */

#pragma once

#include "tsr-insights.h"
#include "tsr-link.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_FINDING_ROW (tsr_finding_row_get_type ())
G_DECLARE_FINAL_TYPE (TsrFindingRow, tsr_finding_row, TSR, FINDING_ROW, GtkWidget)

/* @finding is borrowed: @insights is kept.  @titles, @savings: the two columns of a list's rows. */
GtkWidget *tsr_finding_row_new (TsrInsights *insights,
                                const TsrFinding *finding,
                                const char *location,
                                TsrUnits units,
                                GtkSizeGroup *titles,
                                GtkSizeGroup *savings);
const TsrFinding *tsr_finding_row_get_finding (TsrFindingRow *self);
gboolean tsr_finding_row_is_open (TsrFindingRow *self);
/* At once, without the motion that answers a click. */
void tsr_finding_row_set_open (TsrFindingRow *self, gboolean open);

/* (transfer full): where a finding shows, as words for tsr_page_go; NULL when nowhere. */
GHashTable *tsr_finding_dup_words (const TsrFinding *finding);
/* (transfer full) (nullable): "up to 41 KiB on tile 1806"; "about", "at least" or nothing by the
 * finding's confidence. */
char *tsr_finding_dup_saving (const TsrFinding *finding, guint worst_tile, TsrUnits units);

G_END_DECLS
