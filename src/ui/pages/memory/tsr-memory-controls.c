/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The controls of the Memory page: its options, kept as settings and reached as properties and
 * actions; hidden series; the entry for tiles. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-popover.h"

#include <glib/gi18n.h>

enum
{
  PROP_0,
  PROP_BREAKDOWN,
  PROP_ORDER,
  PROP_INCLUDE_GAPS,
  PROP_SHOW_MAX,
  PROP_FIT_DATA,
  PROP_GRAPH,
  PROP_AT_STEP,
  PROP_TAB,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

/* Tile entry */

static void
set_entry_error (TsrMemoryPage *self, const char *text)
{
  GtkWidget *entry = GTK_WIDGET (self->tile_entry);
  graphene_rect_t bounds;

  if (text == NULL)
    {
      gtk_widget_remove_css_class (entry, "error");
      gtk_popover_popdown (GTK_POPOVER (self->error_popover));
      gtk_accessible_reset_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID);
      gtk_accessible_reset_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
      return;
    }
  gtk_widget_add_css_class (entry, "error");
  gtk_label_set_label (self->error_label, text);
  if (gtk_widget_compute_bounds (entry, GTK_WIDGET (self), &bounds))
    gtk_popover_set_pointing_to (
        GTK_POPOVER (self->error_popover),
        &(GdkRectangle){ bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height });
  gtk_popover_popup (GTK_POPOVER (self->error_popover));
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               GTK_ACCESSIBLE_INVALID_TRUE, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

void
tsr_memory_page_show_selection_in_entry (TsrMemoryPage *self)
{
  g_autofree char *text = NULL;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  text = n > 0 ? tsr_memory_format_tiles (tiles, n) : g_strdup ("");
  self->applying = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->tile_entry), text);
  self->applying = FALSE;
  set_entry_error (self, NULL);
}

static void
on_entry_changed (GtkEditable *editable, TsrMemoryPage *self)
{
  if (!self->applying)
    set_entry_error (self, NULL);
}

gboolean
tsr_memory_page_enter_tiles (TsrMemoryPage *self, const char *text)
{
  g_autoptr (GArray) tiles = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  double first;

  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self) && self->memory != NULL, FALSE);
  if (*stripped == '\0')
    {
      tsr_tile_selection_clear (tsr_memory_page_get_selection (self));
      set_entry_error (self, NULL);
      return TRUE;
    }
  tiles = tsr_memory_parse_tiles (self->memory, stripped, &error);
  if (tiles == NULL)
    {
      set_entry_error (self, error->message);
      return FALSE;
    }
  set_entry_error (self, NULL);
  self->applying = TRUE; /* what was typed stays: "top5" says more than five numbers */
  tsr_tile_selection_set (tsr_memory_page_get_selection (self), (const guint *)tiles->data,
                          tiles->len);
  self->applying = FALSE;
  if (tiles->len == 1)
    {
      first = tsr_chart_model_position_of (TSR_CHART_MODEL (self->model),
                                           g_array_index (tiles, guint, 0));
      tsr_viewport_reveal (tsr_chart_get_viewport (self->chart), first, first + 1);
    }
  return TRUE;
}

static void
on_entry_activate (GtkEntry *entry, TsrMemoryPage *self)
{
  if (self->memory != NULL)
    tsr_memory_page_enter_tiles (self, gtk_editable_get_text (GTK_EDITABLE (entry)));
}

static gboolean
on_entry_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tsr_memory_page_show_selection_in_entry (data);
  return TRUE;
}

void
tsr_memory_page_init_entry (TsrMemoryPage *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->error_popover = gtk_popover_new ();
  self->error_label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->error_label, TRUE);
  gtk_label_set_max_width_chars (self->error_label, 48);
  gtk_widget_add_css_class (GTK_WIDGET (self->error_label), "error");
  tsr_popover_set_child (GTK_POPOVER (self->error_popover), GTK_WIDGET (self->error_label));
  /* It says something and takes nothing: typing goes on. */
  gtk_popover_set_autohide (GTK_POPOVER (self->error_popover), FALSE);
  gtk_widget_set_can_focus (self->error_popover, FALSE);
  gtk_widget_set_parent (self->error_popover, GTK_WIDGET (self));
  gtk_popover_set_position (GTK_POPOVER (self->error_popover), GTK_POS_BOTTOM);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                        gtk_callback_action_new (on_entry_escape, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->tile_entry), keys);
  g_signal_connect (self->tile_entry, "activate", G_CALLBACK (on_entry_activate), self);
  g_signal_connect (self->tile_entry, "changed", G_CALLBACK (on_entry_changed), self);
}

/* Options */

void
tsr_memory_page_save_hidden_series (TsrMemoryPage *self)
{
  TsrSettings *settings = tsr_session_get_settings (tsr_memory_page_get_session (self));
  TsrChartModel *model = TSR_CHART_MODEL (self->model);

  if (self->applying)
    return;
  for (guint i = 0; i < tsr_chart_model_get_n_series (model); i++)
    {
      TsrChartSeries series;

      tsr_chart_model_get_series (model, i, &series);
      tsr_settings_set_word (settings, "memory-hidden-series", series.key, !series.visible);
    }
}

/* What a link wants takes the place of what the settings say of these series. */
static void
take_hidden_series (TsrMemoryPage *self, TsrSettings *settings)
{
  TsrChartModel *model = TSR_CHART_MODEL (self->model);

  for (guint i = 0; i < tsr_chart_model_get_n_series (model); i++)
    {
      TsrChartSeries series;

      tsr_chart_model_get_series (model, i, &series);
      tsr_settings_set_word (
          settings, "memory-hidden-series", series.key,
          g_strv_contains ((const char *const *)self->hidden_series, series.key));
    }
  g_clear_pointer (&self->hidden_series, g_strfreev);
}

void
tsr_memory_page_restore_hidden_series (TsrMemoryPage *self)
{
  TsrSettings *settings = tsr_session_get_settings (tsr_memory_page_get_session (self));
  TsrChartModel *model = TSR_CHART_MODEL (self->model);

  if (self->hidden_series != NULL)
    take_hidden_series (self, settings);
  self->applying = TRUE;
  for (guint i = 0; i < tsr_chart_model_get_n_series (model); i++)
    {
      TsrChartSeries series;
      gboolean hidden;

      tsr_chart_model_get_series (model, i, &series);
      hidden = tsr_settings_has_word (settings, "memory-hidden-series", series.key);
      if (hidden == series.visible)
        tsr_chart_model_set_series_visible (model, i, !hidden);
    }
  self->applying = FALSE;
}

/* The buttons that stand for a choice are named by what is chosen. */
void
tsr_memory_page_update_labels (TsrMemoryPage *self, const TsrMemoryChartOptions *options)
{
  GtkWidget *breakdowns[] = { self->breakdown_none_check, self->breakdown_region_check,
                              self->breakdown_category_check, self->breakdown_liveness_check };
  GtkWidget *orders[] = { self->order_software, self->order_physical, self->order_bytes };

  gtk_menu_button_set_label (self->breakdown_button, gtk_check_button_get_label (GTK_CHECK_BUTTON (
                                                         breakdowns[options->breakdown])));
  gtk_menu_button_set_label (
      self->order_button, gtk_check_button_get_label (GTK_CHECK_BUTTON (orders[options->order])));
}

/* What the report cannot show is insensitive and says why. */
static void
set_possible (GtkWidget *button, gboolean possible, const char *why)
{
  const char *usual = g_object_get_data (G_OBJECT (button), "usual-tooltip");

  if (usual == NULL)
    {
      usual = gtk_widget_get_tooltip_text (button);
      g_object_set_data_full (G_OBJECT (button), "usual-tooltip", g_strdup (usual), g_free);
      usual = g_object_get_data (G_OBJECT (button), "usual-tooltip");
    }
  gtk_widget_set_sensitive (button, possible);
  gtk_widget_set_tooltip_text (button, possible || why == NULL ? usual : why);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  possible || why == NULL ? usual : why, -1);
}

void
tsr_memory_page_update_possible (TsrMemoryPage *self)
{
  GtkWidget *breakdowns[][2] = { { self->breakdown_none, self->breakdown_none_check },
                                 { self->breakdown_region, self->breakdown_region_check },
                                 { self->breakdown_category, self->breakdown_category_check },
                                 { self->breakdown_liveness, self->breakdown_liveness_check } };
  GtkWidget *orders[][2] = { { self->order_software, self->order_software_check },
                             { self->order_physical, self->order_physical_check },
                             { self->order_bytes, self->order_bytes_check } };
  gboolean gaps = tsr_memory_peek (self->memory, TSR_METRIC_INCLUDING_GAPS) != NULL;
  gboolean capacity = tsr_memory_get_capacity (self->memory) != TSR_UNKNOWN;
  gboolean at_step = tsr_memory_chart_get_step (self->model) != TSR_NO_INDEX;

  for (guint i = 0; i < G_N_ELEMENTS (breakdowns); i++)
    {
      g_autofree char *why = NULL;
      gboolean can = tsr_memory_chart_can_break_down (self->model, i, &why);

      if (can && at_step && (i == TSR_BREAKDOWN_REGION || i == TSR_BREAKDOWN_CATEGORY))
        {
          can = FALSE;
          why = g_strdup (_ ("At a liveness step memory is told as a whole or by liveness"));
        }
      set_possible (breakdowns[i][0], can, why);
      set_possible (breakdowns[i][1], can, why);
    }
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree char *why = NULL;
      gboolean can = tsr_memory_chart_can_order (self->model, i, &why);

      set_possible (orders[i][0], can, why);
      set_possible (orders[i][1], can, why);
    }
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.include-gaps", gaps);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.show-max", capacity);
}

void
tsr_memory_page_restore_options (TsrMemoryPage *self)
{
  TsrSettings *settings = tsr_session_get_settings (tsr_memory_page_get_session (self));
  g_autofree char *breakdown = tsr_settings_dup_string (settings, "memory-breakdown");
  g_autofree char *order = tsr_settings_dup_string (settings, "memory-order");

  if (!tsr_breakdown_parse (breakdown, &self->breakdown))
    self->breakdown = TSR_BREAKDOWN_NONE;
  if (!tsr_tile_order_parse (order, &self->order))
    self->order = TSR_ORDER_SOFTWARE;
  self->include_gaps = tsr_settings_get_boolean (settings, "memory-include-gaps");
  self->show_max = tsr_settings_get_boolean (settings, "memory-show-max");
  self->fit_data = tsr_settings_get_boolean (settings, "memory-fit-data");
  for (guint i = 1; i < N_PROPS; i++)
    g_object_notify_by_pspec (G_OBJECT (self), props[i]);
}

static void
tsr_memory_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (object);

  switch (id)
    {
    case PROP_BREAKDOWN:
      g_value_set_string (value, tsr_breakdown_get_nick (self->breakdown));
      break;
    case PROP_ORDER:
      g_value_set_string (value, tsr_tile_order_get_nick (self->order));
      break;
    case PROP_INCLUDE_GAPS:
      g_value_set_boolean (value, self->include_gaps);
      break;
    case PROP_SHOW_MAX:
      g_value_set_boolean (value, self->show_max);
      break;
    case PROP_FIT_DATA:
      g_value_set_boolean (value, self->fit_data);
      break;
    case PROP_GRAPH:
      g_value_set_string (value, tsr_memory_graph_get_nick (self->graph));
      break;
    case PROP_AT_STEP:
      g_value_set_boolean (value, self->at_step);
      break;
    case PROP_TAB:
      g_value_set_string (value, tsr_memory_tab_get_nick (tsr_memory_page_get_tab (self)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* What is shown, not how: kept in the session, not in the settings. */
static gboolean
set_graph_property (TsrMemoryPage *self, guint id, const GValue *value)
{
  TsrMemoryGraph graph;
  TsrMemoryTab tab;

  if (id == PROP_GRAPH)
    {
      if (tsr_memory_graph_parse (g_value_get_string (value), &graph))
        tsr_memory_page_set_graph (self, graph);
    }
  else if (id == PROP_AT_STEP)
    tsr_memory_page_set_at_step (self, g_value_get_boolean (value));
  else if (id == PROP_TAB)
    {
      if (tsr_memory_tab_parse (g_value_get_string (value), &tab))
        tsr_memory_page_set_tab (self, tab);
    }
  else
    return FALSE;
  return TRUE;
}

static void
tsr_memory_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (object);
  TsrSettings *settings = tsr_session_get_settings (tsr_memory_page_get_session (self));

  if (set_graph_property (self, id, value))
    {
      g_object_notify_by_pspec (object, pspec);
      return;
    }
  switch (id)
    {
    case PROP_BREAKDOWN:
      if (!tsr_breakdown_parse (g_value_get_string (value), &self->breakdown))
        return;
      tsr_settings_set_string (settings, "memory-breakdown", g_value_get_string (value));
      break;
    case PROP_ORDER:
      if (!tsr_tile_order_parse (g_value_get_string (value), &self->order))
        return;
      tsr_settings_set_string (settings, "memory-order", g_value_get_string (value));
      break;
    case PROP_INCLUDE_GAPS:
      self->include_gaps = g_value_get_boolean (value);
      tsr_settings_set_boolean (settings, "memory-include-gaps", self->include_gaps);
      break;
    case PROP_SHOW_MAX:
      self->show_max = g_value_get_boolean (value);
      tsr_settings_set_boolean (settings, "memory-show-max", self->show_max);
      break;
    case PROP_FIT_DATA:
      self->fit_data = g_value_get_boolean (value);
      tsr_settings_set_boolean (settings, "memory-fit-data", self->fit_data);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  g_object_notify_by_pspec (object, pspec);
  tsr_memory_page_update_options (self);
}

void
tsr_memory_page_install_options (GObjectClass *object_class, GtkWidgetClass *widget_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  props[PROP_BREAKDOWN] = g_param_spec_string ("breakdown", NULL, NULL, "none", flags);
  props[PROP_ORDER] = g_param_spec_string ("order", NULL, NULL, "software", flags);
  props[PROP_INCLUDE_GAPS] = g_param_spec_boolean ("include-gaps", NULL, NULL, FALSE, flags);
  props[PROP_SHOW_MAX] = g_param_spec_boolean ("show-max", NULL, NULL, TRUE, flags);
  props[PROP_FIT_DATA] = g_param_spec_boolean ("fit-data", NULL, NULL, FALSE, flags);
  props[PROP_GRAPH] = g_param_spec_string ("graph", NULL, NULL, "total", flags);
  props[PROP_AT_STEP] = g_param_spec_boolean ("at-step", NULL, NULL, FALSE, flags);
  props[PROP_TAB] = g_param_spec_string ("tab", NULL, NULL, "details", flags);
  object_class->get_property = tsr_memory_page_get_property;
  object_class->set_property = tsr_memory_page_set_property;
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_install_property_action (widget_class, "memory.breakdown", "breakdown");
  gtk_widget_class_install_property_action (widget_class, "memory.order", "order");
  gtk_widget_class_install_property_action (widget_class, "memory.include-gaps", "include-gaps");
  gtk_widget_class_install_property_action (widget_class, "memory.show-max", "show-max");
  gtk_widget_class_install_property_action (widget_class, "memory.fit-data", "fit-data");
  gtk_widget_class_install_property_action (widget_class, "memory.graph", "graph");
  gtk_widget_class_install_property_action (widget_class, "memory.at-step", "at-step");
  gtk_widget_class_install_property_action (widget_class, "memory.tab", "tab");
}
