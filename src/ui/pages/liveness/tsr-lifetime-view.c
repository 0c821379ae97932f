/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which rows are visible is the adjustment's. */

#include "config.h"

#include "tsr-lifetime-view.h"

#include "tsr-drop-down.h"
#include "tsr-latest.h"

#include <glib/gi18n.h>
#include <math.h>

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
  double row_height;
  double last_x, last_y;
  double threshold; /* of a drag: none once it is over */
  gboolean panning;
  guint gesture;
};

static guint tsr_lifetime_view_get_n_rows (TsrLifetimeView *self);
static void tsr_lifetime_view_set_cursor (TsrLifetimeView *self, double row);
static void tsr_lifetime_view_select_row (TsrLifetimeView *self, guint32 row, gboolean toggle);
static void tsr_lifetime_view_set_row_height (TsrLifetimeView *self, double height);

/* What pointer, wheel and keys do to the lifetimes. */

#define WHEEL_ROWS     3.0
#define DRAG_THRESHOLD 4.0
#define ROW_FACTOR     1.5

/* Pointer */

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  guint32 row = TSR_PLANE_GET_CLASS (plane)->datum_at (plane, x, y);

  self->last_x = x;
  self->last_y = y;
  self->gesture = tsr_plane_new_gesture ();
  self->threshold = DRAG_THRESHOLD;
  self->panning = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
  if (self->panning || button != GDK_BUTTON_PRIMARY)
    return;
  if (row != TSR_NO_DATUM)
    tsr_plane_put_cursor (plane, row, TRUE);
  tsr_lifetime_view_select_row (self, row, (state & GDK_SHIFT_MASK) != 0);
}

static gboolean
drag (TsrPlane *plane, double x, double y)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  double from, to;

  if (!self->panning || hypot (x - self->last_x, y - self->last_y) < self->threshold)
    return FALSE;
  self->threshold = 0;
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (area->width > 0)
    tsr_viewport_pan (self->viewport, (self->last_x - x) / area->width * (to - from),
                      self->gesture);
  gtk_adjustment_set_value (self->adjustment, gtk_adjustment_get_value (self->adjustment)
                                                  + (self->last_y - y) / self->row_height);
  self->last_x = x;
  self->last_y = y;
  return TRUE;
}

/* The wheel goes along the rows; Ctrl zooms the steps. */
static void
scroll (TsrPlane *plane, double x, double y, double dx, double dy, GdkModifierType state)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  gboolean zooms = (state & GDK_CONTROL_MASK) != 0;

  tsr_plane_wheel (plane, x, dx, zooms ? dy : 0);
  if (!zooms)
    gtk_adjustment_set_value (self->adjustment,
                              gtk_adjustment_get_value (self->adjustment)
                                  + dy * MAX (WHEEL_ROWS, 42.0 / self->row_height));
}

/* Keys */

/* The first step goes to what is visible. */
static void
move_rows (TsrPlane *plane, int by)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  guint32 cursor = tsr_plane_get_cursor (plane);

  if (cursor != TSR_NO_DATUM)
    tsr_lifetime_view_set_cursor (self, (double)cursor + by);
  else
    tsr_lifetime_view_set_cursor (self, by > 0 ? gtk_adjustment_get_value (self->adjustment) : 0);
}

static void
move_pages (TsrPlane *plane, int by)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  double page = MAX (gtk_adjustment_get_page_size (self->adjustment) - 1, 1);
  guint32 cursor = tsr_plane_get_cursor (plane);

  tsr_lifetime_view_set_cursor (self, (cursor != TSR_NO_DATUM ? cursor : -1.0) + by * page);
}

static void
move_to_end (TsrPlane *plane, int last)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);

  tsr_lifetime_view_set_cursor (self, last ? tsr_lifetime_view_get_n_rows (self) : 0);
}

static void
select_at_cursor (TsrPlane *plane, int toggle)
{
  tsr_lifetime_view_select_row (TSR_LIFETIME_VIEW (plane), tsr_plane_get_cursor (plane), toggle);
}

static void
clear_selection (TsrPlane *plane, int argument)
{
  tsr_lifetime_view_select_row (TSR_LIFETIME_VIEW (plane), TSR_NO_DATUM, FALSE);
}

static void
change_height (TsrPlane *plane, int direction)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);

  tsr_lifetime_view_set_row_height (self, direction > 0 ? self->row_height * ROW_FACTOR
                                                        : self->row_height / ROW_FACTOR);
}

static const TsrPlaneAction actions[] = {
  { "lifetimes.up", "Up", move_rows, -1 },
  { "lifetimes.down", "Down", move_rows, 1 },
  { "lifetimes.page-up", "Page_Up", move_pages, -1 },
  { "lifetimes.page-down", "Page_Down", move_pages, 1 },
  { "lifetimes.first", "Home", move_to_end, FALSE },
  { "lifetimes.last", "End", move_to_end, TRUE },
  { "lifetimes.left", "Left", tsr_plane_pan, -1 },
  { "lifetimes.right", "Right", tsr_plane_pan, 1 },
  { "lifetimes.select", "space Return", select_at_cursor, FALSE },
  { "lifetimes.select-add", "<Shift>space <Shift>Return", select_at_cursor, TRUE },
  { "lifetimes.clear", "Escape", clear_selection, 0 },
  { "lifetimes.zoom-in", "plus equal", tsr_plane_zoom, 1 },
  { "lifetimes.zoom-out", "minus", tsr_plane_zoom, -1 },
  { "lifetimes.fit", "0", tsr_plane_fit, 0 },
  { "lifetimes.taller", "bracketright", change_height, 1 },
  { "lifetimes.lower", "bracketleft", change_height, -1 },
  { NULL },
};

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Show all"), "lifetimes.fit");
  g_menu_append (menu, _ ("Clear selection"), "lifetimes.clear");
}

/* Pointer, keys and actions. */
static void
tsr_lifetime_view_class_init_input (TsrPlaneClass *klass)
{
  klass->press = press;
  klass->drag = drag;
  klass->scroll = scroll;
  klass->add_menu_items = add_menu_items;
  tsr_plane_class_add_actions (klass, actions);
}

#define ROW_HEIGHT   14.0
#define LEAST_HEIGHT 0.05 /* thousands of rows on the screen */
#define MOST_HEIGHT  48.0

G_DEFINE_FINAL_TYPE (TsrLifetimeView, tsr_lifetime_view, TSR_TYPE_PLANE)

static guint
tsr_lifetime_view_get_n_rows (TsrLifetimeView *self)
{
  TsrLifetimeChart *model = tsr_lifetime_view_get_model (self);

  return model != NULL ? tsr_lifetime_chart_get_n_rows (model) : 0;
}

/* Layout */

static void
update_page_size (TsrLifetimeView *self)
{
  double page = tsr_plane_get_area (TSR_PLANE (self))->height / self->row_height;
  guint n = tsr_lifetime_view_get_n_rows (self);
  double value = CLAMP (gtk_adjustment_get_value (self->adjustment), 0, MAX (n - page, 0));

  gtk_adjustment_configure (self->adjustment, value, 0, MAX (n, page), 1, page * 0.9, page);
}

/* Where the plot's edges shall be, and from that where the canvas begins and how wide it is.  The
 * parents have their places when this one gets its own. */
static void
fit_width (TsrLifetimeView *self, GdkRectangle *canvas)
{
  const TsrPlotArea *area = tsr_plane_layout_for (TSR_PLANE (self), canvas->width, canvas->height);
  double x, plot_width, right;

  if (self->chart == NULL || area->width <= 0)
    return;
  tsr_chart_get_plot_extent (self->chart, &x, &plot_width);
  if (plot_width <= 0
      || !gtk_widget_translate_coordinates (GTK_WIDGET (self->chart), GTK_WIDGET (self), x, 0, &x,
                                            NULL))
    return;
  right = canvas->width - area->x - area->width;
  canvas->width = MAX ((int)lround (plot_width + area->x + right), 1);
  tsr_plane_layout_for (TSR_PLANE (self), canvas->width, canvas->height);
  canvas->x = (int)lround (x - area->x);
}

static void
place (TsrPlane *plane, int width, int height, GdkRectangle *canvas)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  int top, bar;

  gtk_widget_measure (self->controls, GTK_ORIENTATION_VERTICAL, -1, NULL, &top, NULL, NULL);
  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &bar, NULL, NULL);
  *canvas = (GdkRectangle){ 0, top, MAX (width - bar, 1), MAX (height - top, 1) };
  tsr_plane_allocate_child (self->controls, 0, 0, width, top);
  fit_width (self, canvas);
  update_page_size (self);
  tsr_plane_allocate_child (self->scrollbar, width - bar, top, bar, canvas->height);
  tsr_plane_allocate_child (GTK_WIDGET (self->message), 0, top, width, canvas->height);
}

/* Rows */

static guint32
row_at (TsrPlane *plane, double x, double y)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  TsrChartGeometry geometry;
  TsrPlotArea area;

  if (!tsr_plane_get_geometry (plane, &geometry, &area) || area.height <= 0)
    return TSR_NO_DATUM;
  return tsr_lifetime_chart_row_at (tsr_lifetime_view_get_model (self), &geometry, &area, y);
}

/* The middle of the row. */
static gboolean
get_anchor (TsrPlane *plane, guint32 row, double *x, double *y)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  const TsrPlotArea *area = tsr_plane_get_area (plane);

  *x = area->x + area->width / 2;
  *y = area->y + (row + 0.5 - gtk_adjustment_get_value (self->adjustment)) * self->row_height;
  return *y >= area->y && *y < area->y + area->height;
}

static const char *
get_row_name (TsrLifetimeView *self, guint32 row)
{
  guint variable = row < tsr_lifetime_view_get_n_rows (self)
                       ? tsr_lifetime_chart_get_variable (tsr_lifetime_view_get_model (self), row)
                       : TSR_NO_INDEX;

  return variable != TSR_NO_INDEX
             ? tsr_variables_get_name (tsr_liveness_get_variables (self->liveness), variable)
             : NULL;
}

static void
reveal (TsrPlane *plane, guint32 row)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  double first = gtk_adjustment_get_value (self->adjustment);
  double page = gtk_adjustment_get_page_size (self->adjustment);

  if (row < first)
    gtk_adjustment_set_value (self->adjustment, row);
  else if (row + 1 > first + page)
    gtk_adjustment_set_value (self->adjustment, row + 1 - page);
}

/* Clamped to the rows. */
static void
tsr_lifetime_view_set_cursor (TsrLifetimeView *self, double row)
{
  guint n = tsr_lifetime_view_get_n_rows (self);

  if (n > 0)
    tsr_plane_set_cursor (TSR_PLANE (self), (guint32)CLAMP (row, 0, n - 1));
}

/* TSR_NO_DATUM clears unless it toggles. */
static void
tsr_lifetime_view_select_row (TsrLifetimeView *self, guint32 row, gboolean toggle)
{
  TsrStepSelection *steps = tsr_session_get_steps (self->session);
  const char *names[] = { get_row_name (self, row), NULL };

  if (toggle && names[0] != NULL)
    tsr_step_selection_toggle_variable (steps, names[0]);
  else if (!toggle)
    tsr_step_selection_set_variables (steps, names);
}

/* A variable that was selected elsewhere comes into view. */
static void
on_variables_changed (TsrLifetimeView *self)
{
  const char *const *names
      = tsr_step_selection_peek_variables (tsr_session_get_steps (self->session));
  double first = gtk_adjustment_get_value (self->adjustment);
  double end = first + gtk_adjustment_get_page_size (self->adjustment);

  if (names == NULL || names[0] == NULL)
    return;
  for (guint row = 0; row < tsr_lifetime_view_get_n_rows (self); row++)
    if (g_strcmp0 (get_row_name (self, row), names[0]) == 0)
      {
        if (row < first || row + 1 > end)
          gtk_adjustment_set_value (self->adjustment, row - (end - first) / 2);
        return;
      }
}

static void
on_scrolled (TsrLifetimeView *self)
{
  TsrLifetimeChart *model = tsr_lifetime_view_get_model (self);

  if (model != NULL)
    tsr_lifetime_chart_set_first_row (model, gtk_adjustment_get_value (self->adjustment));
}

static void
tsr_lifetime_view_set_row_height (TsrLifetimeView *self, double height)
{
  TsrLifetimeChart *model = tsr_lifetime_view_get_model (self);
  double least = tsr_plane_get_area (TSR_PLANE (self))->height
                 / MAX (tsr_lifetime_view_get_n_rows (self), 1);

  self->row_height = CLAMP (height, MAX (MIN (least, ROW_HEIGHT), LEAST_HEIGHT), MOST_HEIGHT);
  if (model != NULL)
    tsr_lifetime_chart_set_row_height (model, self->row_height);
  update_page_size (self);
}

/* Model */

typedef struct
{
  TsrLiveness *liveness;
  TsrLivenessSource source;
  TsrFilter *filter; /* (nullable) */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_liveness_unref (job->liveness);
  tsr_liveness_source_clear (&job->source);
  g_clear_pointer (&job->filter, tsr_filter_unref);
  g_free (job);
}

static gpointer
compute_rows (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;

  return tsr_lifetime_rows_new (job->liveness, &job->source, job->filter, cancellable, error);
}

static void
show_message (TsrLifetimeView *self, const char *text)
{
  gtk_label_set_label (self->message, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL);
}

static void
on_rows (gpointer owner, gpointer result, const GError *error)
{
  TsrLifetimeView *self = owner;
  g_autofree char *count = NULL;

  tsr_plane_forget (TSR_PLANE (self));
  show_message (self, result == NULL ? error->message : NULL);
  if (result != NULL)
    tsr_lifetime_chart_take_rows (tsr_lifetime_view_get_model (self), result);
  count = tsr_units_dup_count (tsr_lifetime_view_get_n_rows (self));
  gtk_label_set_label (self->count, count);
  if (result != NULL && tsr_lifetime_view_get_n_rows (self) == 0)
    show_message (self,
                  *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0'
                      ? _ ("No variable passes the filter")
                      : _ ("The report does not say when single variables are live "
                           "(variable_lifetimes; engine option autoReport.outputLoweredVars)"));
  tsr_lifetime_view_set_row_height (self, self->row_height);
  tsr_plane_invalidate (TSR_PLANE (self));
  on_variables_changed (self);
}

static void
compute (TsrLifetimeView *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter
      = tsr_filter_new (gtk_editable_get_text (GTK_EDITABLE (self->entry)), &error);
  Job *job;

  if (error != NULL)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  gtk_widget_set_tooltip_text (self->entry, error != NULL ? error->message : NULL);
  if (tsr_lifetime_view_get_model (self) == NULL || error != NULL)
    return;
  job = g_new0 (Job, 1);
  job->liveness = tsr_liveness_ref (self->liveness);
  tsr_liveness_source_copy (&self->source, &job->source);
  job->filter = g_steal_pointer (&filter);
  tsr_latest_run (self->latest, compute_rows, job, job_free, on_rows);
}

static void
drop_model (TsrLifetimeView *self)
{
  tsr_plane_set_model (TSR_PLANE (self), NULL);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
}

static void
make_model (TsrLifetimeView *self, TsrLiveness *liveness)
{
  g_autoptr (TsrLifetimeChart) model
      = tsr_lifetime_chart_new (liveness, tsr_session_get_steps (self->session));

  self->liveness = tsr_liveness_ref (liveness);
  tsr_lifetime_chart_set_order (model, gtk_drop_down_get_selected (self->order_chooser));
  tsr_lifetime_chart_set_colour (model, gtk_drop_down_get_selected (self->colour_chooser));
  tsr_lifetime_chart_set_row_height (model, self->row_height);
  tsr_plane_set_model (TSR_PLANE (self), TSR_CHART_MODEL (model));
}

void
tsr_lifetime_view_set_source (TsrLifetimeView *self,
                              TsrLiveness *liveness,
                              const TsrLivenessSource *source)
{
  g_return_if_fail (TSR_IS_LIFETIME_VIEW (self) && self->session != NULL);

  tsr_latest_cancel (self->latest);
  if (liveness != self->liveness)
    drop_model (self);
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
  show_message (self, NULL);
  if (liveness != NULL)
    {
      tsr_liveness_source_copy (source, &self->source);
      if (tsr_lifetime_view_get_model (self) == NULL)
        make_model (self, liveness);
      compute (self);
    }
  tsr_plane_invalidate (TSR_PLANE (self));
}

void
tsr_lifetime_view_align (TsrLifetimeView *self, TsrChart *chart)
{
  g_return_if_fail (TSR_IS_LIFETIME_VIEW (self));
  if (chart == self->chart)
    return;
  if (self->chart != NULL)
    g_signal_handlers_disconnect_by_data (self->chart, self);
  self->chart = chart;
  if (chart != NULL)
    g_signal_connect_object (chart, "plot-moved", G_CALLBACK (gtk_widget_queue_allocate), self,
                             G_CONNECT_SWAPPED);
  tsr_plane_invalidate (TSR_PLANE (self));
}

static void
on_order (TsrLifetimeView *self)
{
  if (tsr_lifetime_view_get_model (self) == NULL)
    return;
  tsr_lifetime_chart_set_order (tsr_lifetime_view_get_model (self),
                                gtk_drop_down_get_selected (self->order_chooser));
  tsr_plane_forget (TSR_PLANE (self));
  gtk_adjustment_set_value (self->adjustment, 0);
}

static void
on_colour (TsrLifetimeView *self)
{
  if (tsr_lifetime_view_get_model (self) != NULL)
    tsr_lifetime_chart_set_colour (tsr_lifetime_view_get_model (self),
                                   gtk_drop_down_get_selected (self->colour_chooser));
}

void
tsr_lifetime_view_bind (
    TsrLifetimeView *self, TsrViewState *state, guint order, guint colour, guint filter)
{
  g_return_if_fail (TSR_IS_LIFETIME_VIEW (self));
  tsr_view_state_bind (state, order, self->order_chooser, "selected");
  tsr_view_state_bind (state, colour, self->colour_chooser, "selected");
  tsr_view_state_bind (state, filter, self->entry, "text");
}

TsrLifetimeChart *
tsr_lifetime_view_get_model (TsrLifetimeView *self)
{
  g_return_val_if_fail (TSR_IS_LIFETIME_VIEW (self), NULL);
  return (TsrLifetimeChart *)tsr_plane_get_model (TSR_PLANE (self));
}

gboolean
tsr_lifetime_view_is_busy (TsrLifetimeView *self)
{
  g_return_val_if_fail (TSR_IS_LIFETIME_VIEW (self), FALSE);
  return tsr_latest_is_running (self->latest);
}

/* Object */

void
tsr_lifetime_view_set_session (TsrLifetimeView *self, TsrSession *session, TsrViewport *viewport)
{
  g_return_if_fail (TSR_IS_LIFETIME_VIEW (self) && self->session == NULL);
  self->session = g_object_ref (session);
  self->viewport = viewport;
  tsr_plane_set_viewport (TSR_PLANE (self), viewport);
  g_signal_connect_object (tsr_session_get_steps (session), "variables-changed",
                           G_CALLBACK (on_variables_changed), self, G_CONNECT_SWAPPED);
}

static void
tsr_lifetime_view_dispose (GObject *object)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (object);

  g_clear_pointer (&self->latest, tsr_latest_free);
  drop_model (self);
  self->chart = NULL;
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
  g_clear_object (&self->adjustment);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_lifetime_view_parent_class)->dispose (object);
}

static void
tsr_lifetime_view_class_init (TsrLifetimeViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_lifetime_view_dispose;
  plane_class->name = N_ ("Lifetimes of the variables");
  plane_class->hint = N_ ("Up and Down arrows move along the variables");
  plane_class->cursor_needs_focus = TRUE;
  plane_class->place = place;
  plane_class->datum_at = row_at;
  plane_class->get_anchor = get_anchor;
  plane_class->reveal = reveal;
  tsr_lifetime_view_class_init_input (plane_class);
}

static GtkWidget *
new_button (const char *icon, const char *text, const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, text);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static void
add_controls (TsrLifetimeView *self)
{
  static const char *const colours[]
      = { N_ ("Coloured by name prefix"), N_ ("Coloured by category"), NULL };
  static const char *const orders[]
      = { N_ ("Largest first"), N_ ("By birth"), N_ ("By death"), NULL };

  self->controls = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->controls, "row-controls");
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _ ("Filter variables"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter variables"), -1);
  gtk_widget_set_hexpand (self->entry, TRUE);
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  self->order_chooser = tsr_drop_down_new (orders, _ ("Order of the variables"));
  self->colour_chooser = tsr_drop_down_new (colours, _ ("Colour of the bars"));
  gtk_box_append (GTK_BOX (self->controls), self->entry);
  gtk_box_append (GTK_BOX (self->controls), GTK_WIDGET (self->count));
  gtk_box_append (GTK_BOX (self->controls), GTK_WIDGET (self->order_chooser));
  gtk_box_append (GTK_BOX (self->controls), GTK_WIDGET (self->colour_chooser));
  gtk_box_append (GTK_BOX (self->controls),
                  new_button ("zoom-out-symbolic", _ ("Lower rows ([)"), "lifetimes.lower"));
  gtk_box_append (GTK_BOX (self->controls),
                  new_button ("zoom-in-symbolic", _ ("Taller rows (])"), "lifetimes.taller"));
  gtk_widget_set_parent (self->controls, GTK_WIDGET (self));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (compute), self);
  g_signal_connect_swapped (self->order_chooser, "notify::selected", G_CALLBACK (on_order), self);
  g_signal_connect_swapped (self->colour_chooser, "notify::selected", G_CALLBACK (on_colour), self);
}

static void
tsr_lifetime_view_init (TsrLifetimeView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  tsr_plane_set_file_name (TSR_PLANE (self), "lifetimes");
  self->row_height = ROW_HEIGHT;
  self->latest = tsr_latest_new (self, (GDestroyNotify)tsr_lifetime_rows_free);
  add_controls (self);
  self->message = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_justify (self->message, GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "dim-label");
  gtk_widget_hide (GTK_WIDGET (self->message));
  gtk_widget_set_parent (GTK_WIDGET (self->message), widget);
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 0, 1, 1, 1));
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->adjustment);
  gtk_widget_add_css_class (self->scrollbar, "slim");
  gtk_widget_set_parent (self->scrollbar, widget);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_scrolled), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
}

TsrLifetimeView *
tsr_lifetime_view_new (void)
{
  return g_object_new (TSR_TYPE_LIFETIME_VIEW, NULL);
}
