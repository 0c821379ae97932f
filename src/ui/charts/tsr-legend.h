/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The legend of a chart: a row of toggles that show and hide its series.  What does not fit in the
 * row is behind a last button, which lists all of them. */

#pragma once

#include "tsr-chart-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_LEGEND (tsr_legend_get_type ())
G_DECLARE_FINAL_TYPE (TsrLegend, tsr_legend, TSR, LEGEND, GtkWidget)

TsrLegend *tsr_legend_new (void);
void tsr_legend_set_model (TsrLegend *self, TsrChartModel *model);
guint tsr_legend_get_n_entries (TsrLegend *self);
/* (transfer none): the toggle of series @i. */
GtkWidget *tsr_legend_get_toggle (TsrLegend *self, guint i);
/* Shows only series @i, or all again when it is the only one: Ctrl+click on a toggle. */
void tsr_legend_solo (TsrLegend *self, guint i);

G_END_DECLS
