/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every chart widget is: a TsrChartModel on two canvases (the data, and over them hover,
 * cursor and selection), a datum under the pointer and one the keyboard is at, a callout that says
 * what is there, a context menu, export, and an accessible name and description that follow the
 * cursor.  Abstract; main thread.
 *
 * Another view is a subclass that
 *   - sets .name and .hint in its class_init, and .datum_at; .get_anchor too, when it has a cursor;
 *   - names its actions and keys in one table for tsr_plane_class_add_actions();
 *   - says what a press does (.press, .drag, .release), and the wheel (.scroll), and emits a signal
 *     of its own when something is selected; or has data that are picked one by one, for which all
 *     of this is here (tsr_plane_class_pick);
 *   - with an x axis that zooms and pans: gives the plane a viewport, and the wheel, the span that
 *     is dragged and the actions on the range are those of tsr_plane_set_viewport();
 *   - with controls or scroll bars beside the plot: makes them its children and gives them their
 *     places in .place;
 *   - hands its model over with tsr_plane_set_model() and has the rest from here.
 *
 * Signals: "hover-changed": pointer or cursor are at another datum, tsr_plane_get_current();
 * "toast" (char *): something to tell the user; the window shows it (action "win.toast"). */

#pragma once

#include "tsr-canvas.h"
#include "tsr-export.h"
#include "tsr-viewport.h"

G_BEGIN_DECLS

#define TSR_TYPE_PLANE (tsr_plane_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrPlane, tsr_plane, TSR, PLANE, GtkWidget)

/* All coordinates that a subclass sees are those of the canvases, so of draw list and plot area. */
struct _TsrPlaneClass
{
  GtkWidgetClass parent_class;

  /* Marked for translation: the accessible name while the model has no caption, and the
   * description while the keyboard is nowhere. */
  const char *name, *hint;
  int minimum_width, minimum_height; /* twice that is natural */
  gboolean cursor_needs_focus;       /* its mark goes with the focus */

  /* Optional: sets what a layout has to know beside size and visible range, such as the inset. */
  void (*prepare) (TsrPlane *self, TsrChartGeometry *geometry);
  /* Optional: draws over all the rest, a rubber band say. */
  void (*layout_band) (TsrPlane *self, const TsrPlotArea *area, TsrDrawList *list);
  /* Optional: gives the subclass's own children their places, and the canvases theirs by changing
   * @canvas, which is the whole widget.  tsr_plane_layout_for() tells where the plot would be. */
  void (*place) (TsrPlane *self, int width, int height, GdkRectangle *canvas);

  guint32 (*datum_at) (TsrPlane *self, double x, double y); /* or TSR_NO_DATUM */
  /* Optional: what callout and cursor say of a datum, where it is not the model's describe. */
  char *(*describe) (TsrPlane *self, guint32 datum);
  /* Where @datum is, for callout and menu; FALSE when it is not on the screen. */
  gboolean (*get_anchor) (TsrPlane *self, guint32 datum, double *x, double *y);
  /* Optional: scrolls or pans until @datum is in sight. */
  void (*reveal) (TsrPlane *self, guint32 datum);

  /* What the pointer does, of any button but the secondary one, which opens the menu.  There is a
   * model.  .motion has a default.  A view without .scroll leaves
   * the wheel to what it stands in; Shift has made dy dx already, and .motion follows. */
  void (*press) (
      TsrPlane *self, double x, double y, guint button, int n_press, GdkModifierType state);
  gboolean (*drag) (TsrPlane *self, double x, double y); /* TRUE: it is more than a click now */
  void (*release) (TsrPlane *self, double x, double y, GdkModifierType state);
  void (*cancel) (TsrPlane *self);
  void (*motion) (TsrPlane *self, double x, double y);
  void (*scroll) (TsrPlane *self, double x, double y, double dx, double dy, GdkModifierType state);

  /* Optional: the pointer is about to open the menu there. */
  void (*point_menu) (TsrPlane *self, double x, double y);
  /* Optional: what stands in the context menu before the exports. */
  void (*add_menu_items) (TsrPlane *self, GMenu *menu);
  /* Optional: range and size of an exported image, when they are not those of viewport (else 0 to
   * 1) and canvas. */
  void (*get_export) (TsrPlane *self, TsrExport *what);
  /* Optional: the data stand elsewhere, or the model is a new one (or none). */
  void (*domain_changed) (TsrPlane *self, gboolean new_model);

  /* Of a view whose data are picked: the datum beside @datum (TSR_NO_DATUM: where to begin) in that
   * direction, 1 or -1; and optional: a double click. */
  guint32 (*neighbour) (TsrPlane *self, guint32 datum, int dx, int dy);
  void (*activate) (TsrPlane *self, guint32 datum);
  guint picked; /* signal id */

  GSList *actions; /* of tsr_plane_class_add_actions */
};

typedef struct
{
  const char *name; /* "chart.cursor-left" */
  const char *keys; /* (nullable) accelerators with spaces between: "Left KP_Left" */
  void (*run) (TsrPlane *self, int argument);
  int argument;
} TsrPlaneAction;

/* For class_init: actions without parameters that do nothing without a model, and their keys.  The
 * table ends with a row of zeros and is kept.  Every plane has chart.export-image, -export-data,
 * -copy-image and chart.menu. */
void tsr_plane_class_add_actions (TsrPlaneClass *klass, const TsrPlaneAction *actions);

/* For class_init, with .datum_at and .neighbour: a click, the secondary button and the arrows put
 * the cursor on a datum and emit "select" (uint datum); the wheel zooms, and all is visible
 * whenever the data stand elsewhere. */
void tsr_plane_class_pick (TsrPlaneClass *klass);

void tsr_plane_set_model (TsrPlane *self, TsrChartModel *model); /* (nullable) */
TsrChartModel *tsr_plane_get_model (TsrPlane *self);
/* 0: twice the least, as a chart that stands alone wants to be. */
void tsr_plane_set_natural_height (TsrPlane *self, int height);
/* Stands in the context menu before the rest.  Once. */
void tsr_plane_set_menu (TsrPlane *self, GMenuModel *menu);
/* A word for the names of exported files: "memory". */
void tsr_plane_set_file_name (TsrPlane *self, const char *name);

/* The datum under the pointer, the one the keyboard is at, and the one to speak of: the first, else
 * the second if it is shown; TSR_NO_DATUM. */
guint32 tsr_plane_get_hover (TsrPlane *self);
guint32 tsr_plane_get_cursor (TsrPlane *self);
guint32 tsr_plane_get_current (TsrPlane *self);
void tsr_plane_set_hover (TsrPlane *self, guint32 datum);
/* (transfer full) (nullable): what is at the current datum, in one line. */
char *tsr_plane_dup_line (TsrPlane *self);
/* By the keyboard: brings it into sight, with callout, and tells assistive technology.  Hover is
 * nowhere until the pointer moves. */
void tsr_plane_set_cursor (TsrPlane *self, guint32 datum);
/* By the pointer: the keyboard goes on from there; @shown: with a mark. */
void tsr_plane_put_cursor (TsrPlane *self, guint32 datum, gboolean shown);
gboolean tsr_plane_shows_cursor (TsrPlane *self);
/* Hover and cursor are nowhere, because what they were at has gone; nothing is emitted. */
void tsr_plane_forget (TsrPlane *self);
guint32 tsr_plane_datum_at (TsrPlane *self, double x, double y); /* of the widget */
/* The default of .motion: hover and callout for what is there. */
void tsr_plane_hover_at (TsrPlane *self, double x, double y);
/* The callout for @datum (TSR_NO_DATUM) or with other text (nullable); NULL and none hide it. */
void tsr_plane_show_callout (TsrPlane *self, guint32 datum, double x, double y);
void tsr_plane_show_text (TsrPlane *self, const char *text, double x, double y);

/* What the plot was laid out with and where, with the visible range of now; FALSE before it was
 * and without a model.  @area (nullable). */
gboolean tsr_plane_get_geometry (TsrPlane *self, TsrChartGeometry *geometry, TsrPlotArea *area);
/* The plot in the canvas; width 0 before it was laid out. */
const TsrPlotArea *tsr_plane_get_area (TsrPlane *self);
gboolean tsr_plane_is_in_area (TsrPlane *self, double x, double y);
/* Lays the plot out for a canvas of that size; for .place. */
const TsrPlotArea *tsr_plane_layout_for (TsrPlane *self, int width, int height);
void tsr_plane_allocate_child (GtkWidget *child, double x, double y, int width, int height);
/* Data, overlay and places; the overlay alone. */
void tsr_plane_invalidate (TsrPlane *self);
void tsr_plane_invalidate_overlay (TsrPlane *self);
/* (transfer none): what lay over the plot in the last frame. */
const TsrDrawList *tsr_plane_get_overlay (TsrPlane *self);
/* (transfer none), for tests and measuring */
TsrCanvas *tsr_plane_get_plot (TsrPlane *self);

/* The visible part of the x axis, in data units: layouts and exports have its range, and are made
 * again when it changes.  All of the following needs it. */
void tsr_plane_set_viewport (TsrPlane *self, TsrViewport *viewport);
TsrViewport *tsr_plane_get_viewport (TsrPlane *self); /* (nullable) */
/* Data units at @x of the canvas, and back. */
double tsr_plane_data_at (TsrPlane *self, double x);
double tsr_plane_x_of (TsrPlane *self, double data);
/* A number for the viewport's history: one for each drag. */
guint tsr_plane_new_gesture (void);
/* Pans by @dx and zooms by @dy about @x; one burst of the wheel is one step of undo. */
void tsr_plane_wheel (TsrPlane *self, double x, double dx, double dy);
/* The band of a span that is being dragged, as wide as the plot at the most. */
void tsr_plane_draw_span (TsrPlane *self, TsrDrawList *list, double from, double to);
/* For tables of actions. */
void tsr_plane_zoom (TsrPlane *self, int direction);
void tsr_plane_pan (TsrPlane *self, int direction);
void tsr_plane_fit (TsrPlane *self, int argument);
void tsr_plane_undo_zoom (TsrPlane *self, int argument);

/* What gestures call, in coordinates of the widget; tests call it as well. */
void tsr_plane_press (
    TsrPlane *self, double x, double y, guint button, int n_press, GdkModifierType state);
void tsr_plane_drag (TsrPlane *self, double x, double y);
void tsr_plane_release (TsrPlane *self, double x, double y, GdkModifierType state);
void tsr_plane_motion (TsrPlane *self, double x, double y);
void tsr_plane_leave (TsrPlane *self);
void tsr_plane_cancel (TsrPlane *self); /* the gesture is void */
/* At where the pointer was last. */
void tsr_plane_scroll (TsrPlane *self, double dx, double dy, GdkModifierType state);
/* Whether the wheel without Ctrl is left to the page that scrolls around it. */
void tsr_plane_set_in_scrolled (TsrPlane *self, gboolean in_scrolled);

/* Write a file; "toast" says how it went. */
void tsr_plane_export_image_to (TsrPlane *self, const char *path);
void tsr_plane_export_data_to (TsrPlane *self, const char *path);

G_END_DECLS
