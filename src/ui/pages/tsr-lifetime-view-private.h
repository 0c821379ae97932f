/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrLifetimeView, shared by its files. */

#pragma once

#include "tsr-canvas.h"
#include "tsr-latest.h"
#include "tsr-lifetime-view.h"

G_BEGIN_DECLS

struct _TsrLifetimeView
{
  GtkWidget parent_instance;

  GtkWidget *controls, *entry, *scrollbar;
  GtkDropDown *order_chooser, *colour_chooser;
  GtkLabel *count, *message;
  TsrCanvas *plot, *overlay;
  GtkAdjustment *adjustment; /* rows */

  TsrSession *session;
  TsrViewport *viewport;
  TsrChart *chart; /* (nullable) stands above */
  TsrLiveness *liveness;
  TsrLivenessSource source;
  TsrLifetimeChart *model; /* (nullable) */
  TsrLatest *latest;
  TsrLifetimeOrder order;
  TsrLifetimeColour colour;
  TsrChartGeometry geometry; /* of the plot, as it is laid out */
  TsrPlotArea area;          /* in the canvas */
  double plot_x, plot_y;     /* of the canvas in the widget */
  double row_height;
  guint32 hover, cursor; /* rows */
  double last_x, last_y;
  gboolean panning;
  guint gesture;
};

guint tsr_lifetime_view_get_n_rows (TsrLifetimeView *self);
void tsr_lifetime_view_set_hover (TsrLifetimeView *self, guint32 row);
/* Clamped to the rows. */
void tsr_lifetime_view_set_cursor (TsrLifetimeView *self, double row);
/* TSR_NO_DATUM clears unless it toggles. */
void tsr_lifetime_view_select_row (TsrLifetimeView *self, guint32 row, gboolean toggle);
void tsr_lifetime_view_set_row_height (TsrLifetimeView *self, double height);
void tsr_lifetime_view_invalidate_overlay (TsrLifetimeView *self);
void tsr_lifetime_view_update_accessible (TsrLifetimeView *self);

gboolean tsr_lifetime_view_query_tooltip (
    GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip);
void tsr_lifetime_view_add_controllers (TsrLifetimeView *self);
void tsr_lifetime_view_class_add_actions (GtkWidgetClass *widget_class);

G_END_DECLS
