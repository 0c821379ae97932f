/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The slider and the list beside the address map, and playing through the steps. */

#include "config.h"

#include "tsr-address-panel.h"

#include "tsr-legend.h"

#include <glib/gi18n.h>
#include <math.h>

#define FRAME_MS 80
/* A program of any length plays in about this long. */
#define PLAY_SECONDS 20

struct _TsrAddressPanel
{
  GtkWidget parent_instance;

  GtkPaned *paned;
  GtkWidget *map_side;
  TsrAddressView *view;
  TsrLegend *legend;
  GtkLabel *summary, *step_label;
  GtkToggleButton *at_step, *by_category, *by_life;
  GtkRange *slider;
  GtkButton *play;

  TsrSession *session;
  TsrAddressMap *map;
  TsrLiveness *liveness; /* that the map is of */
  guint tile;
  guint timeout; /* source id, while it plays */
  double play_from;
  gint64 play_start;
};

G_DEFINE_FINAL_TYPE (TsrAddressPanel, tsr_address_panel, GTK_TYPE_WIDGET)

static guint
get_n_steps (TsrAddressPanel *self)
{
  return self->liveness != NULL ? tsr_liveness_get_n_steps (self->liveness) : 0;
}

/* Words */

static void
update_summary (TsrAddressPanel *self)
{
  g_autofree char *gaps = NULL, *count = NULL, *text = NULL;
  guint n;

  if (self->map == NULL)
    return;
  n = tsr_address_map_get_n (self->map);
  count = tsr_units_dup_count (n);
  gaps = tsr_units_dup_bytes (tsr_session_get_units (self->session),
                              tsr_address_map_get_gap_bytes (self->map));
  text = g_strdup_printf (
      ngettext ("Tile %u: %s allocation, gaps %s", "Tile %u: %s allocations, gaps %s", n),
      self->tile, count, gaps);
  gtk_label_set_label (self->summary, text);
  /* The legend takes what is left, not the other way round. */
  gtk_label_set_width_chars (self->summary, (int)MIN (g_utf8_strlen (text, -1), 40));
}

static void
update_step_label (TsrAddressPanel *self)
{
  int step = tsr_address_panel_get_step (self);
  const char *name = step >= 0 ? tsr_liveness_get_step_name (self->liveness, (guint)step) : NULL;
  g_autofree char *text = NULL;

  if (step >= 0)
    {
      g_autofree char *number = tsr_units_dup_count (step);

      text = g_strdup_printf (name != NULL ? _ ("Step %s: %s") : _ ("Step %s"), number, name);
    }
  gtk_label_set_label (self->step_label, text != NULL ? text : _ ("All steps"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->step_label), name);
}

/* Step */

int
tsr_address_panel_get_step (TsrAddressPanel *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_PANEL (self), -1);
  if (get_n_steps (self) == 0 || !gtk_toggle_button_get_active (self->at_step))
    return -1;
  return (int)gtk_range_get_value (self->slider);
}

static void
show_step (TsrAddressPanel *self)
{
  int step = tsr_address_panel_get_step (self);

  gtk_widget_set_sensitive (GTK_WIDGET (self->slider), step >= 0);
  if (self->map != NULL)
    tsr_address_map_set_step (self->map, step >= 0 ? (guint)step : TSR_NO_INDEX);
  update_step_label (self);
}

static void
on_slider (TsrAddressPanel *self)
{
  guint step = (guint)gtk_range_get_value (self->slider);

  /* A step that is chosen already may be one of several. */
  if (!gtk_toggle_button_get_active (self->at_step)
      || tsr_step_selection_get_step (tsr_session_get_steps (self->session)) == step)
    show_step (self);
  else
    tsr_step_selection_set (tsr_session_get_steps (self->session), &step, 1);
}

/* Somebody chose a step: that is where the slider goes. */
static void
on_steps_changed (TsrAddressPanel *self)
{
  guint step = tsr_step_selection_get_step (tsr_session_get_steps (self->session));

  if (step == TSR_NO_INDEX || step >= get_n_steps (self))
    return;
  if (gtk_range_get_value (self->slider) == step)
    show_step (self);
  else
    gtk_range_set_value (self->slider, step);
}

/* Where nobody chose a step it begins at the one at which this tile is fullest. */
static void
on_at_step (TsrAddressPanel *self)
{
  const gint64 *peaks
      = self->liveness != NULL
            ? tsr_memory_peek (tsr_liveness_get_memory (self->liveness), TSR_METRIC_PEAK_STEP)
            : NULL;
  guint chosen;

  if (self->session == NULL)
    return;
  chosen = tsr_step_selection_get_step (tsr_session_get_steps (self->session));
  if (chosen == TSR_NO_INDEX && peaks != NULL && self->tile != TSR_NO_INDEX
      && peaks[self->tile] >= 0 && peaks[self->tile] < get_n_steps (self)
      && gtk_toggle_button_get_active (self->at_step))
    gtk_range_set_value (self->slider, (double)peaks[self->tile]);
  on_steps_changed (self);
  on_slider (self);
}

static void
stop (TsrAddressPanel *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  gtk_button_set_icon_name (self->play, "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->play), _ ("Play the program"));
}

static gboolean
on_frame (gpointer data)
{
  TsrAddressPanel *self = data;
  double seconds = (double)(g_get_monotonic_time () - self->play_start) / G_USEC_PER_SEC;
  double per_second = MAX (get_n_steps (self) / (double)PLAY_SECONDS, 5);
  double step = floor (self->play_from + seconds * per_second);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || step >= get_n_steps (self))
    {
      self->timeout = 0;
      stop (self);
      return G_SOURCE_REMOVE;
    }
  gtk_range_set_value (self->slider, step);
  return G_SOURCE_CONTINUE;
}

void
tsr_address_panel_set_playing (TsrAddressPanel *self, gboolean playing)
{
  g_return_if_fail (TSR_IS_ADDRESS_PANEL (self));
  stop (self);
  if (!playing || get_n_steps (self) < 2)
    return;
  gtk_toggle_button_set_active (self->at_step, TRUE);
  self->play_from = gtk_range_get_value (self->slider);
  if (self->play_from + 1 >= get_n_steps (self))
    self->play_from = 0;
  self->play_start = g_get_monotonic_time ();
  self->timeout = g_timeout_add (FRAME_MS, on_frame, self);
  gtk_button_set_icon_name (self->play, "media-playback-pause-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->play), _ ("Pause"));
}

gboolean
tsr_address_panel_is_playing (TsrAddressPanel *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_PANEL (self), FALSE);
  return self->timeout != 0;
}

static void
on_play (TsrAddressPanel *self)
{
  tsr_address_panel_set_playing (self, self->timeout == 0);
}

void
tsr_address_panel_bind (TsrAddressPanel *self, TsrViewState *state, guint step, guint colour)
{
  g_return_if_fail (TSR_IS_ADDRESS_PANEL (self));
  tsr_view_state_bind (state, step, self->at_step, "active");
  tsr_view_state_bind (state, colour, self->by_life, "active");
}

/* Map */

static void
on_liveness_changed (TsrAddressPanel *self)
{
  TsrLiveness *liveness = tsr_session_get_liveness (self->session);
  guint n;

  if (liveness == self->liveness)
    return;
  stop (self);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_clear_object (&self->map);
  if (liveness != NULL)
    {
      self->liveness = tsr_liveness_ref (liveness);
      self->map = tsr_address_map_new (liveness, tsr_session_get_steps (self->session));
      tsr_address_map_set_colour (self->map, gtk_toggle_button_get_active (self->by_life)
                                                 ? TSR_ADDRESS_BY_LIFE
                                                 : TSR_ADDRESS_BY_CATEGORY);
    }
  n = get_n_steps (self);
  /* Nobody chooses the step at which a shorter program ends. */
  g_signal_handlers_block_by_func (self->slider, on_slider, self);
  gtk_range_set_range (self->slider, 0, MAX (n, 2) - 1);
  g_signal_handlers_unblock_by_func (self->slider, on_slider, self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->at_step), n > 0);
  gtk_widget_set_sensitive (GTK_WIDGET (self->play), n > 1);
  tsr_address_view_set_map (self->view, self->map);
  tsr_legend_set_model (self->legend, self->map != NULL ? TSR_CHART_MODEL (self->map) : NULL);
  tsr_address_panel_set_tile (self, self->tile);
  on_steps_changed (self);
  show_step (self);
}

void
tsr_address_panel_set_tile (TsrAddressPanel *self, guint tile)
{
  gboolean shown;

  g_return_if_fail (TSR_IS_ADDRESS_PANEL (self));
  self->tile = tile;
  shown
      = tile != TSR_NO_INDEX && self->liveness != NULL && tsr_liveness_has_lowered (self->liveness);
  gtk_widget_set_visible (self->map_side, shown);
  if (!shown)
    stop (self);
  if (self->map == NULL)
    return;
  tsr_address_map_set_tile (self->map, shown ? tile : TSR_NO_INDEX);
  update_summary (self);
}

static void
on_colour (TsrAddressPanel *self)
{
  /* One of the two is chosen. */
  if (!gtk_toggle_button_get_active (self->by_life))
    gtk_toggle_button_set_active (self->by_category, TRUE);
  if (self->map != NULL)
    tsr_address_map_set_colour (self->map, gtk_toggle_button_get_active (self->by_life)
                                               ? TSR_ADDRESS_BY_LIFE
                                               : TSR_ADDRESS_BY_CATEGORY);
}

void
tsr_address_panel_set_session (TsrAddressPanel *self, TsrSession *session)
{
  g_return_if_fail (TSR_IS_ADDRESS_PANEL (self) && TSR_IS_SESSION (session));
  self->session = session;
  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (on_liveness_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (update_summary), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_steps (session), "steps-changed",
                           G_CALLBACK (on_steps_changed), self, G_CONNECT_SWAPPED);
  on_liveness_changed (self);
}

TsrAddressView *
tsr_address_panel_get_view (TsrAddressPanel *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_PANEL (self), NULL);
  return self->view;
}

/* Widget */

/* Side by side where there is more width than height. */
static void
tsr_address_panel_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrAddressPanel *self = TSR_ADDRESS_PANEL (widget);
  GtkOrientation wanted
      = width > height * 3 / 2 ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL;

  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->paned)) != wanted)
    {
      gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), wanted);
      gtk_paned_set_position (self->paned,
                              (wanted == GTK_ORIENTATION_HORIZONTAL ? width : height) * 55 / 100);
      /* Else the place would be scaled by what the other direction had. */
      gtk_paned_set_resize_start_child (self->paned, FALSE);
    }
  gtk_widget_measure (GTK_WIDGET (self->paned), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL,
                      NULL);
  gtk_widget_allocate (GTK_WIDGET (self->paned), width, height, baseline, NULL);
  gtk_paned_set_resize_start_child (self->paned, TRUE);
}

static void
tsr_address_panel_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  gtk_widget_measure (GTK_WIDGET (TSR_ADDRESS_PANEL (widget)->paned), orientation, for_size,
                      minimum, natural, NULL, NULL);
  /* The direction of the paned may change with the size: only the least is asked for. */
  *minimum = MIN (*minimum, orientation == GTK_ORIENTATION_HORIZONTAL ? 360 : 120);
  *natural = MAX (*natural, *minimum);
}

static void
tsr_address_panel_dispose (GObject *object)
{
  TsrAddressPanel *self = TSR_ADDRESS_PANEL (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->paned != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->paned));
  self->paned = NULL;
  g_clear_object (&self->map);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  G_OBJECT_CLASS (tsr_address_panel_parent_class)->dispose (object);
}

static void
tsr_address_panel_class_init (TsrAddressPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_address_panel_dispose;
  widget_class->size_allocate = tsr_address_panel_size_allocate;
  widget_class->measure = tsr_address_panel_measure;
}

static GtkToggleButton *
add_toggle (GtkWidget *box, const char *label, const char *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_box_append (GTK_BOX (box), button);
  return GTK_TOGGLE_BUTTON (button);
}

static GtkWidget *
new_head (TsrAddressPanel *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *linked = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_max_width_chars (self->summary, 60);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->summary));
  self->legend = tsr_legend_new ();
  gtk_widget_set_hexpand (GTK_WIDGET (self->legend), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->legend), GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->legend));
  gtk_widget_add_css_class (linked, "linked");
  self->by_category = add_toggle (linked, _ ("Category"), _ ("Colours by category"));
  self->by_life = add_toggle (linked, _ ("Life"), _ ("Colours by how long a variable is live"));
  gtk_toggle_button_set_group (self->by_life, self->by_category);
  gtk_toggle_button_set_active (self->by_category, TRUE);
  gtk_box_append (GTK_BOX (head), linked);
  gtk_widget_set_margin_start (head, 12);
  gtk_widget_set_margin_end (head, 6);
  gtk_widget_set_margin_top (head, 3);
  gtk_widget_add_css_class (head, "address-bar");
  g_signal_connect_swapped (self->by_life, "toggled", G_CALLBACK (on_colour), self);
  return head;
}

static GtkWidget *
new_foot (TsrAddressPanel *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->at_step = add_toggle (foot, _ ("At step"),
                              _ ("Fill only what is live at one liveness step; the rest is an "
                                 "outline"));
  self->play = GTK_BUTTON (gtk_button_new ());
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->play));
  self->slider = GTK_RANGE (gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 1));
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_range_set_round_digits (self->slider, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->slider), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self->slider), 80, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Liveness step"), -1);
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->slider));
  self->step_label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->step_label, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (self->step_label, 16);
  gtk_label_set_max_width_chars (self->step_label, 28);
  gtk_label_set_xalign (self->step_label, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->step_label), "numeric");
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->step_label));
  gtk_widget_set_margin_start (foot, 12);
  gtk_widget_set_margin_end (foot, 6);
  gtk_widget_set_margin_bottom (foot, 3);
  gtk_widget_add_css_class (foot, "address-bar");
  g_signal_connect_swapped (self->at_step, "toggled", G_CALLBACK (on_at_step), self);
  g_signal_connect_swapped (self->play, "clicked", G_CALLBACK (on_play), self);
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (on_slider), self);
  return foot;
}

static void
tsr_address_panel_init (TsrAddressPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *viewport = gtk_viewport_new (NULL, NULL);

  self->tile = TSR_NO_INDEX;
  self->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_VERTICAL));
  gtk_widget_set_parent (GTK_WIDGET (self->paned), GTK_WIDGET (self));
  self->map_side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  self->view = tsr_address_view_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  /* The map is higher than what is seen of it: to show all of it is to jump to its end. */
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), FALSE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), GTK_WIDGET (self->view));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), viewport);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self->map_side), new_head (self));
  gtk_box_append (GTK_BOX (self->map_side), scrolled);
  gtk_box_append (GTK_BOX (self->map_side), new_foot (self));
  gtk_paned_set_start_child (self->paned, self->map_side);
  gtk_paned_set_shrink_start_child (self->paned, TRUE);
  gtk_paned_set_shrink_end_child (self->paned, TRUE);
  gtk_widget_hide (self->map_side);
  stop (self);
}

TsrAddressPanel *
tsr_address_panel_new (GtkWidget *list)
{
  TsrAddressPanel *self = g_object_new (TSR_TYPE_ADDRESS_PANEL, NULL);

  gtk_paned_set_end_child (self->paned, list);
  return self;
}
