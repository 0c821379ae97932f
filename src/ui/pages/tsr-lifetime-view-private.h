/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrLifetimeView, shared by its files. */

#pragma once

#include "tsr-latest.h"
#include "tsr-lifetime-view.h"

G_BEGIN_DECLS

struct _TsrLifetimeView
{
  TsrPlane parent_instance;

  GtkWidget *controls, *entry, *scrollbar;
  GtkDropDown *order_chooser, *colour_chooser;
  GtkLabel *count, *message;
  GtkAdjustment *adjustment; /* rows */

  TsrSession *session;
  TsrViewport *viewport; /* the plane's */
  TsrChart *chart;       /* (nullable) stands above */
  TsrLiveness *liveness;
  TsrLivenessSource source;
  TsrLatest *latest;
  TsrLifetimeOrder order;
  TsrLifetimeColour colour;
  double row_height;
  double last_x, last_y;
  double threshold; /* of a drag: none once it is over */
  gboolean panning;
  guint gesture;
};

guint tsr_lifetime_view_get_n_rows (TsrLifetimeView *self);
/* Clamped to the rows. */
void tsr_lifetime_view_set_cursor (TsrLifetimeView *self, double row);
/* TSR_NO_DATUM clears unless it toggles. */
void tsr_lifetime_view_select_row (TsrLifetimeView *self, guint32 row, gboolean toggle);
void tsr_lifetime_view_set_row_height (TsrLifetimeView *self, double height);
/* Pointer, keys and actions. */
void tsr_lifetime_view_class_init_input (TsrPlaneClass *klass);

G_END_DECLS
