/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The side menu.  A row whose view has no data is dimmed and told to assistive technology as
 * disabled, but still takes a click: a widget that is really insensitive could not say why. */

#include "config.h"

#include "tsr-sidebar.h"

#include "tsr-page.h"
#include "tsr-popover.h"

#include <glib/gi18n.h>

struct _TsrSidebar
{
  GtkWidget parent_instance;

  TsrSession *session;
  GtkWidget *box;
  GtkWidget *list;
  GtkWidget *buttons[3];
  GtkWidget *popover; /* why a view is not there */
  GtkWidget *popover_title, *popover_label;
  GtkEventController *keys, *clicks; /* of the window, that end it */
  gboolean expanded;
  guint pulse;
};

G_DEFINE_FINAL_TYPE (TsrSidebar, tsr_sidebar, GTK_TYPE_WIDGET)

enum
{
  VIEW_ACTIVATED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

#define INFO_KEY  "tsr-page-info"
#define LABEL_KEY "tsr-label"
#define BAR_KEY   "tsr-bar"

static const struct
{
  const char *icon, *label, *action;
} buttons[] = {
  { "view-refresh-symbolic", N_ ("Reload"), "report.reload" },
  { "window-close-symbolic", N_ ("Close report"), "report.close" },
  { "help-browser-symbolic", N_ ("Help"), "win.help" },
};

static GtkWidget *
find_row (TsrSidebar *self, TsrView view)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      const TsrPageInfo *info = g_object_get_data (G_OBJECT (row), INFO_KEY);

      if (info != NULL && info->view == view)
        return row;
    }
  return NULL;
}

gboolean
tsr_sidebar_is_available (TsrSidebar *self, TsrView view, char **why)
{
  TsrReport *report;
  const TsrSummary *summary;

  g_return_val_if_fail (TSR_IS_SIDEBAR (self), FALSE);
  if (why != NULL)
    *why = NULL;
  report = self->session != NULL ? tsr_session_get_report (self->session) : NULL;
  summary = report != NULL ? tsr_report_get_summary (report) : NULL;
  if (summary == NULL || summary->views[view].available)
    return TRUE;
  if (why != NULL)
    *why = tsr_page_dup_missing (&summary->views[view]);
  return FALSE;
}

static gboolean
is_loading (TsrSidebar *self)
{
  TsrReport *report = self->session != NULL ? tsr_session_get_report (self->session) : NULL;

  for (guint i = 0; report != NULL && i < TSR_N_STAGES; i++)
    if (tsr_report_get_stage_state (report, i) == TSR_STAGE_LOADING)
      return TRUE;
  return FALSE;
}

/* A view waits while its stage is read, and while those before it are. */
static gboolean
is_waiting (TsrSidebar *self, TsrStage stage)
{
  TsrReport *report = self->session != NULL ? tsr_session_get_report (self->session) : NULL;
  TsrStageState state
      = report != NULL ? tsr_report_get_stage_state (report, stage) : TSR_STAGE_READY;

  return state == TSR_STAGE_LOADING
         || (state == TSR_STAGE_PENDING && is_loading (self)
             && !tsr_report_is_waiting (report, stage));
}

static void
update_row (TsrSidebar *self, GtkWidget *row)
{
  const TsrPageInfo *info = g_object_get_data (G_OBJECT (row), INFO_KEY);
  GtkWidget *bar = g_object_get_data (G_OBJECT (row), BAR_KEY);
  GtkWidget *label = g_object_get_data (G_OBJECT (row), LABEL_KEY);
  const char *title = tsr_view_get_title (info->view);
  TsrReport *report = self->session != NULL ? tsr_session_get_report (self->session) : NULL;
  TsrPageClass *klass = g_type_class_ref (info->get_type ());
  gboolean loading = is_waiting (self, klass->stage);
  g_autofree char *why = NULL;
  gboolean available = tsr_sidebar_is_available (self, info->view, &why);
  g_autofree char *tip = available ? g_strdup (self->expanded ? NULL : title)
                                   : g_strdup_printf ("%s\n%s", title, why);

  if (available)
    gtk_widget_remove_css_class (row, "unavailable");
  else
    gtk_widget_add_css_class (row, "unavailable");
  gtk_widget_set_tooltip_text (row, tip);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_DISABLED, !available, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, why != NULL ? why : "", -1);
  gtk_widget_set_visible (label, self->expanded);
  gtk_widget_set_opacity (bar, loading ? 1 : 0);
  if (loading)
    {
      double fraction = tsr_report_get_stage_fraction (report, klass->stage);

      /* Not all of it: GTK would keep a pulsing bar's right end after that. */
      if (fraction >= 0)
        gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), MIN (fraction, 0.999));
      else
        gtk_progress_bar_pulse (GTK_PROGRESS_BAR (bar));
    }
  else
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), 0); /* one that pulses asks for frames */
  g_type_class_unref (klass);
}

static void
update_rows (TsrSidebar *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    update_row (self, row);
}

static gboolean
on_pulse (gpointer data)
{
  TsrSidebar *self = data;

  update_rows (self);
  if (is_loading (self))
    return G_SOURCE_CONTINUE;
  self->pulse = 0;
  return G_SOURCE_REMOVE;
}

static void
update (TsrSidebar *self)
{
  update_rows (self);
  if (is_loading (self) && self->pulse == 0)
    self->pulse = g_timeout_add (100, on_pulse, self);
}

static void
on_stage_changed (TsrSession *session, int stage, TsrSidebar *self)
{
  update (self);
}

/* Points at the row of @view and says what it lacks. */
static void
explain (TsrSidebar *self, TsrView view, const char *why)
{
  GtkWidget *row = find_row (self, view);
  graphene_rect_t bounds;
  GdkRectangle at;

  gtk_label_set_label (GTK_LABEL (self->popover_title), tsr_view_get_title (view));
  gtk_label_set_label (GTK_LABEL (self->popover_label), why);
  if (!gtk_widget_compute_bounds (row, GTK_WIDGET (self), &bounds))
    return;
  at = (GdkRectangle){ bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height };
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &at);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static gboolean
is_in_popover (TsrSidebar *self, GtkWidget *widget)
{
  return widget != NULL
         && (widget == self->popover || gtk_widget_is_ancestor (widget, self->popover));
}

/* The explanation takes neither keys nor clicks from the window: any of them ends it, and does what
 * it does. */
static gboolean
on_window_key (GtkEventControllerKey *controller,
               guint keyval,
               guint keycode,
               GdkModifierType state,
               TsrSidebar *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (keyval == GDK_KEY_Escape || !is_in_popover (self, gtk_root_get_focus (root)))
    gtk_popover_popdown (GTK_POPOVER (self->popover));
  return GDK_EVENT_PROPAGATE;
}

static void
on_window_pressed (GtkGestureClick *gesture, int n, double x, double y, TsrSidebar *self)
{
  GtkWidget *window = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));

  if (!is_in_popover (self, gtk_widget_pick (window, x, y, GTK_PICK_DEFAULT)))
    gtk_popover_popdown (GTK_POPOVER (self->popover));
}

static void
tsr_sidebar_root (GtkWidget *widget)
{
  TsrSidebar *self = TSR_SIDEBAR (widget);
  GtkWidget *window;

  GTK_WIDGET_CLASS (tsr_sidebar_parent_class)->root (widget);
  window = GTK_WIDGET (gtk_widget_get_root (widget));
  self->keys = gtk_event_controller_key_new ();
  g_signal_connect (self->keys, "key-pressed", G_CALLBACK (on_window_key), self);
  self->clicks = GTK_EVENT_CONTROLLER (gtk_gesture_click_new ());
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (self->clicks), 0);
  g_signal_connect (self->clicks, "pressed", G_CALLBACK (on_window_pressed), self);
  gtk_event_controller_set_propagation_phase (self->keys, GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (self->clicks, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (window, self->keys);
  gtk_widget_add_controller (window, self->clicks);
}

static void
tsr_sidebar_unroot (GtkWidget *widget)
{
  TsrSidebar *self = TSR_SIDEBAR (widget);
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));

  gtk_widget_remove_controller (window, self->keys);
  gtk_widget_remove_controller (window, self->clicks);
  self->keys = self->clicks = NULL;
  GTK_WIDGET_CLASS (tsr_sidebar_parent_class)->unroot (widget);
}

void
tsr_sidebar_activate (TsrSidebar *self, TsrView view)
{
  g_autofree char *why = NULL;

  g_return_if_fail (TSR_IS_SIDEBAR (self));
  if (tsr_sidebar_is_available (self, view, &why))
    {
      g_signal_emit (self, signals[VIEW_ACTIVATED], 0, (int)view);
      return;
    }
  explain (self, view, why);
}

const char *
tsr_sidebar_get_explanation (TsrSidebar *self)
{
  g_return_val_if_fail (TSR_IS_SIDEBAR (self), NULL);
  if (!gtk_widget_get_visible (self->popover))
    return NULL;
  return gtk_label_get_label (GTK_LABEL (self->popover_label));
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, TsrSidebar *self)
{
  const TsrPageInfo *info = g_object_get_data (G_OBJECT (row), INFO_KEY);

  tsr_sidebar_activate (self, info->view);
}

static void
tsr_sidebar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrSidebar *self = TSR_SIDEBAR (widget);

  gtk_widget_size_allocate (self->box, &(GtkAllocation){ 0, 0, width, height }, baseline);
  gtk_popover_present (GTK_POPOVER (self->popover));
}

static void
tsr_sidebar_measure (GtkWidget *widget,
                     GtkOrientation orientation,
                     int for_size,
                     int *minimum,
                     int *natural,
                     int *minimum_baseline,
                     int *natural_baseline)
{
  gtk_widget_measure (TSR_SIDEBAR (widget)->box, orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
tsr_sidebar_dispose (GObject *object)
{
  TsrSidebar *self = TSR_SIDEBAR (object);

  g_clear_handle_id (&self->pulse, g_source_remove);
  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (tsr_sidebar_parent_class)->dispose (object);
}

static void
tsr_sidebar_class_init (TsrSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_sidebar_dispose;
  widget_class->root = tsr_sidebar_root;
  widget_class->unroot = tsr_sidebar_unroot;
  widget_class->measure = tsr_sidebar_measure;
  widget_class->size_allocate = tsr_sidebar_size_allocate;
  signals[VIEW_ACTIVATED]
      = g_signal_new ("view-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_NAVIGATION);
}

static void
add_row (TsrSidebar *self, const TsrPageInfo *info)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *inner = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (tsr_view_get_title (info->view));
  GtkWidget *bar = gtk_progress_bar_new ();

  gtk_widget_set_margin_start (inner, 10);
  gtk_widget_set_margin_end (inner, 10);
  gtk_widget_set_vexpand (inner, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (bar, "stage-progress");
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Loading"), -1);
  gtk_box_append (GTK_BOX (inner), gtk_image_new_from_icon_name (info->icon_name));
  gtk_box_append (GTK_BOX (inner), label);
  gtk_box_append (GTK_BOX (outer), inner);
  gtk_box_append (GTK_BOX (outer), bar);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), outer);
  g_object_set_data (G_OBJECT (row), INFO_KEY, (gpointer)info);
  g_object_set_data (G_OBJECT (row), LABEL_KEY, label);
  g_object_set_data (G_OBJECT (row), BAR_KEY, bar);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
add_button (TsrSidebar *self, guint i)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *inner = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (_ (buttons[i].label));

  gtk_box_append (GTK_BOX (inner), gtk_image_new_from_icon_name (buttons[i].icon));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_append (GTK_BOX (inner), label);
  gtk_button_set_child (GTK_BUTTON (button), inner);
  gtk_widget_add_css_class (button, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), buttons[i].action);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (buttons[i].label), -1);
  g_object_set_data (G_OBJECT (button), LABEL_KEY, label);
  gtk_box_append (GTK_BOX (self->box), button);
  self->buttons[i] = button;
}

static void
tsr_sidebar_init (TsrSidebar *self)
{
  guint n_pages = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);
  GtkWidget *explanation = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_widget_add_css_class (self->box, "side-bar");
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->list = gtk_list_box_new ();
  gtk_widget_add_css_class (self->list, "side-menu");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_set_vexpand (self->list, TRUE);
  gtk_widget_set_margin_top (self->list, 4);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Views of the report"), -1);
  gtk_box_append (GTK_BOX (self->box), self->list);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  for (guint i = 0; i < n_pages; i++)
    add_row (self, &pages[i]);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    add_button (self, i);
  gtk_widget_set_margin_bottom (self->buttons[G_N_ELEMENTS (buttons) - 1], 6);

  self->popover_title = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->popover_title), 0);
  gtk_widget_add_css_class (self->popover_title, "heading");
  self->popover_label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->popover_label), 0);
  gtk_label_set_wrap (GTK_LABEL (self->popover_label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->popover_label), 48);
  gtk_label_set_selectable (GTK_LABEL (self->popover_label), TRUE);
  gtk_box_append (GTK_BOX (explanation), self->popover_title);
  gtk_box_append (GTK_BOX (explanation), self->popover_label);
  self->popover
      = g_object_new (GTK_TYPE_POPOVER, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
  gtk_popover_set_autohide (GTK_POPOVER (self->popover), FALSE);
  tsr_popover_set_child (GTK_POPOVER (self->popover), explanation);
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_RIGHT);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
  self->expanded = TRUE;
  tsr_sidebar_set_expanded (self, FALSE);
}

void
tsr_sidebar_set_session (TsrSidebar *self, TsrSession *session)
{
  g_return_if_fail (TSR_IS_SIDEBAR (self) && TSR_IS_SESSION (session));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_stage_changed), self, 0);
  g_signal_connect_object (session, "notify::report", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

void
tsr_sidebar_set_expanded (TsrSidebar *self, gboolean expanded)
{
  g_return_if_fail (TSR_IS_SIDEBAR (self));

  if (self->expanded == expanded)
    return;
  self->expanded = expanded;
  gtk_widget_set_size_request (self->box, expanded ? 200 : 48, -1);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    {
      gtk_widget_set_visible (g_object_get_data (G_OBJECT (self->buttons[i]), LABEL_KEY), expanded);
      gtk_widget_set_tooltip_text (self->buttons[i], expanded ? NULL : _ (buttons[i].label));
    }
  update_rows (self);
}

gboolean
tsr_sidebar_is_expanded (TsrSidebar *self)
{
  g_return_val_if_fail (TSR_IS_SIDEBAR (self), FALSE);
  return self->expanded;
}

void
tsr_sidebar_set_current (TsrSidebar *self, TsrView view)
{
  GtkWidget *current;

  g_return_if_fail (TSR_IS_SIDEBAR (self));
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  current = find_row (self, view);
  /* Not the list's own selection: that one follows the arrow keys. */
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      if (row == current)
        gtk_widget_add_css_class (row, "current");
      else
        gtk_widget_remove_css_class (row, "current");
      gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_SELECTED,
                                   row == current, -1);
    }
}
