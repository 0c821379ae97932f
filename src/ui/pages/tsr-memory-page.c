/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page owns no data: the memory, the selection and the visible range are the session's, the
 * options are settings.  Everything that is shown follows from them in two steps: update_model
 * (another memory), update_selection (other tiles). */

#include "config.h"

#include "tsr-memory-page.h"

#include "tsr-control-row.h"
#include "tsr-fold.h"
#include "tsr-memory-words.h"
#include "tsr-navigation.h"
#include "tsr-ui-init.h"

#include <glib/gi18n.h>

#define STATE_DETAILS "memory-details-visible"
#define STATE_SWAPPED "memory-details-swapped"

struct _TsrMemoryPage
{
  TsrPage parent_instance;

  GtkWidget *breakdown_none, *breakdown_region, *breakdown_category, *breakdown_liveness;
  GtkWidget *order_software, *order_physical, *order_bytes;
  GtkMenuButton *order_button, *sort_button;
  TsrNavigation *navigation;
  GtkEntry *tile_entry;
  TsrSplit *split;
  TsrChart *chart;
  TsrTableView *details;

  /* Parts of the scope line, made with the first memory. */
  GtkWidget *scope_replica, *scope_tiles, *scope_gaps, *scope_selection, *scope_clear;
  GtkLabel *replica_text, *tiles_text;
  GtkSpinButton *tiles_spin;
  GtkWidget *tiles_row;
  GtkWidget *error_popover;
  GtkLabel *error_label;

  TsrMemory *memory; /* that the chart shows */
  TsrMemoryChart *model;
  TsrBreakdown breakdown; /* the user's wish; the report may not have it */
  TsrTileOrder order;
  gboolean include_gaps, show_max, fit_data;
  gboolean applying;  /* the page itself changes series or entry */
  guint details_idle; /* source id */
};

G_DEFINE_FINAL_TYPE (TsrMemoryPage, tsr_memory_page, TSR_TYPE_PAGE)

enum
{
  PROP_0,
  PROP_BREAKDOWN,
  PROP_ORDER,
  PROP_INCLUDE_GAPS,
  PROP_SHOW_MAX,
  PROP_FIT_DATA,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

static TsrSession *
get_session (TsrMemoryPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

static TsrTileSelection *
get_selection (TsrMemoryPage *self)
{
  return tsr_session_get_selection (get_session (self));
}

/* Details */

static char *
dup_details_csv (gpointer data)
{
  TsrMemoryPage *self = data;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (get_selection (self), &n);

  return self->memory != NULL ? tsr_memory_details_dup_csv (self->memory, tiles, n) : NULL;
}

static gboolean
update_details (gpointer data)
{
  TsrMemoryPage *self = data;
  g_autoptr (TsrTable) table = NULL;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (get_selection (self), &n);

  self->details_idle = 0;
  if (self->memory != NULL)
    table = tsr_memory_details_new (self->memory, tiles, n);
  tsr_table_view_set_table (self->details, table, tsr_session_get_units (get_session (self)));
  return G_SOURCE_REMOVE;
}

/* Several changes of the selection in one turn of the main loop cost one table. */
static void
queue_details (TsrMemoryPage *self)
{
  if (self->details_idle == 0)
    self->details_idle = g_idle_add (update_details, self);
}

/* Scope line */

static GtkLabel *
popover_label (GtkWidget *box)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static GtkWidget *
new_popover (GtkWidget **box)
{
  GtkWidget *popover = gtk_popover_new ();

  *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_popover_set_child (GTK_POPOVER (popover), *box);
  gtk_widget_add_css_class (popover, "scope-popover");
  return popover;
}

static void
on_tiles_per_ipu (GtkSpinButton *spin, TsrMemoryPage *self)
{
  if (!self->applying)
    tsr_session_set_tiles_per_ipu (get_session (self), gtk_spin_button_get_value_as_int (spin));
}

static GtkWidget *
new_tiles_popover (TsrMemoryPage *self)
{
  GtkWidget *box, *label, *popover = new_popover (&box);

  self->tiles_text = popover_label (box);
  self->tiles_row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  label = gtk_label_new_with_mnemonic (_ ("Tiles per _IPU"));
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  self->tiles_spin = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (1, G_MAXINT, 1));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), GTK_WIDGET (self->tiles_spin));
  gtk_box_append (GTK_BOX (self->tiles_row), label);
  gtk_box_append (GTK_BOX (self->tiles_row), GTK_WIDGET (self->tiles_spin));
  gtk_box_append (GTK_BOX (box), self->tiles_row);
  g_signal_connect (self->tiles_spin, "value-changed", G_CALLBACK (on_tiles_per_ipu), self);
  return popover;
}

static void
make_scope_line (TsrMemoryPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  GtkWidget *box, *popover = new_popover (&box);

  self->replica_text = popover_label (box);
  self->scope_replica = tsr_scope_line_add_popover (
      line, _ ("Per replica"), _ ("Figures are for one replica; click for what that is"), popover);
  self->scope_tiles = tsr_scope_line_add_popover (line, "", _ ("The tiles that the figures cover"),
                                                  new_tiles_popover (self));
  self->scope_gaps = tsr_scope_line_add_button (
      line, "", _ ("Switch between including and excluding gaps"), "memory.include-gaps");
  self->scope_selection = tsr_scope_line_add_button (
      line, "", _ ("Type the tiles to select (Ctrl+T)"), "memory.edit-tiles");
  self->scope_clear = tsr_scope_line_add_button (
      line, _ ("clear"), _ ("Clear the selection (Escape in the chart)"), "memory.clear-selection");
}

static void
update_scope (TsrMemoryPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  TsrReport *report = tsr_session_get_report (get_session (self));
  const TsrSummary *summary = report != NULL ? tsr_report_get_summary (report) : NULL;
  g_autofree char *tiles_text = NULL, *replicas = NULL, *selection = NULL;
  gint64 per_ipu;
  gboolean told, archive;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (get_selection (self), &n);

  if (self->memory == NULL)
    return;
  archive = tsr_memory_is_from_archive (self->memory);
  tiles_text = tsr_memory_words_tiles (self->memory);
  replicas = tsr_memory_words_replicas (summary, self->memory);
  selection = tsr_memory_words_scope_selection (tiles, n);
  tsr_scope_line_set_part_text (line, self->scope_tiles, tiles_text);
  gtk_label_set_label (self->replica_text, replicas);
  tsr_scope_line_set_part_text (line, self->scope_gaps,
                                self->include_gaps ? _ ("with gaps") : _ ("without gaps"));
  tsr_scope_line_set_part_visible (line, self->scope_gaps, !archive);
  tsr_scope_line_set_part_text (line, self->scope_selection, selection);
  tsr_scope_line_set_part_visible (line, self->scope_clear, n > 0);

  per_ipu = tsr_memory_get_tiles_per_ipu (self->memory);
  told = per_ipu != TSR_UNKNOWN && !tsr_memory_is_tiles_per_ipu_assumed (self->memory)
         && tsr_session_get_tiles_per_ipu (get_session (self)) == 0;
  gtk_label_set_label (
      self->tiles_text,
      told ? _ ("Tiles of all IPUs of one replica, one after the other")
           : _ ("The report does not tell how many tiles an IPU has.  Where IPUs are named, this "
                "number is assumed; set it if you know better."));
  gtk_widget_set_visible (self->tiles_row, !told);
  self->applying = TRUE;
  gtk_spin_button_set_range (self->tiles_spin, 1, tsr_memory_get_n_tiles (self->memory));
  gtk_spin_button_set_value (
      self->tiles_spin, per_ipu != TSR_UNKNOWN ? per_ipu : tsr_memory_get_n_tiles (self->memory));
  self->applying = FALSE;
}

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

static void
show_selection_in_entry (TsrMemoryPage *self)
{
  g_autofree char *text = NULL;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (get_selection (self), &n);

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
      tsr_tile_selection_clear (get_selection (self));
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
  tsr_tile_selection_set (get_selection (self), (const guint *)tiles->data, tiles->len);
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
  show_selection_in_entry (data);
  return TRUE;
}

/* Selection */

static void
update_extent (TsrMemoryPage *self)
{
  double from = G_MAXDOUBLE, to = -G_MAXDOUBLE;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (get_selection (self), &n);

  for (guint i = 0; self->model != NULL && i < n; i++)
    {
      double position = tsr_chart_model_position_of (TSR_CHART_MODEL (self->model), tiles[i]);

      from = MIN (from, position);
      to = MAX (to, position + 1);
    }
  tsr_chart_set_selected_extent (self->chart, from <= to ? from : 0, from <= to ? to : 0);
}

static void
update_status_right (TsrMemoryPage *self)
{
  g_autofree char *text = NULL;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (get_selection (self), &n);

  if (self->memory != NULL)
    text = tsr_memory_words_selection (self->memory, tiles, n,
                                       tsr_session_get_units (get_session (self)));
  tsr_page_set_status_right (TSR_PAGE (self), text);
}

static void
update_selection (TsrMemoryPage *self)
{
  guint n;

  tsr_tile_selection_peek (get_selection (self), &n);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.clear-selection", n > 0);
  if (!self->applying)
    show_selection_in_entry (self);
  if (self->memory == NULL)
    return;
  update_extent (self);
  update_status_right (self);
  update_scope (self);
  queue_details (self);
}

static void
on_chart_select (TsrChart *chart, double from, double to, int mode, TsrMemoryPage *self)
{
  TsrTileSelection *selection = get_selection (self);
  g_autoptr (GArray) data = NULL;

  if (mode == TSR_SELECT_CLEAR)
    {
      tsr_tile_selection_clear (selection);
      return;
    }
  data = tsr_chart_dup_data (chart, from, to);
  if (data->len == 0)
    return;
  if (mode == TSR_SELECT_TOGGLE)
    for (guint i = 0; i < data->len; i++)
      tsr_tile_selection_toggle (selection, g_array_index (data, guint32, i));
  else if (mode == TSR_SELECT_ADD)
    tsr_tile_selection_add (selection, (const guint *)data->data, data->len);
  else
    tsr_tile_selection_set (selection, (const guint *)data->data, data->len);
}

static void
on_hover_changed (TsrChart *chart, TsrMemoryPage *self)
{
  guint32 tile = tsr_chart_get_hover (chart);
  g_autofree char *text = NULL;

  if (self->memory != NULL && tile != TSR_NO_DATUM)
    text = tsr_memory_words_tile (self->memory, tile);
  tsr_page_set_status_left (TSR_PAGE (self), text);
}

static void
on_toast (GtkWidget *widget, const char *text, TsrMemoryPage *self)
{
  tsr_page_toast (widget, text);
}

/* Model */

static void
save_hidden_series (TsrMemoryPage *self)
{
  TsrSettings *settings = tsr_session_get_settings (get_session (self));
  TsrChartModel *model = TSR_CHART_MODEL (self->model);

  if (self->applying)
    return;
  for (guint i = 0; i < tsr_chart_model_get_n_series (model); i++)
    {
      TsrChartSeries series;

      tsr_chart_model_get_series (model, i, &series);
      tsr_settings_set_word (settings, "memory-hidden-series", series.name, !series.visible);
    }
}

static void
restore_hidden_series (TsrMemoryPage *self)
{
  TsrSettings *settings = tsr_session_get_settings (get_session (self));
  TsrChartModel *model = TSR_CHART_MODEL (self->model);

  self->applying = TRUE;
  for (guint i = 0; i < tsr_chart_model_get_n_series (model); i++)
    {
      TsrChartSeries series;
      gboolean hidden;

      tsr_chart_model_get_series (model, i, &series);
      hidden = tsr_settings_has_word (settings, "memory-hidden-series", series.name);
      if (hidden == series.visible)
        tsr_chart_model_set_series_visible (model, i, !hidden);
    }
  self->applying = FALSE;
}

void
tsr_memory_page_get_options (TsrMemoryPage *self, TsrMemoryChartOptions *options)
{
  g_return_if_fail (TSR_IS_MEMORY_PAGE (self));
  options->breakdown = self->breakdown;
  options->order = self->order;
  options->include_gaps = self->include_gaps;
  options->show_max = self->show_max;
  options->fit_data = self->fit_data;
  options->units = tsr_session_get_units (get_session (self));
  if (self->model == NULL)
    return;
  if (!tsr_memory_chart_can_break_down (self->model, options->breakdown, NULL))
    options->breakdown = TSR_BREAKDOWN_NONE;
  if (!tsr_memory_chart_can_order (self->model, options->order, NULL))
    options->order = TSR_ORDER_SOFTWARE;
}

static void
update_order_label (TsrMemoryPage *self, TsrTileOrder order)
{
  GtkWidget *buttons[] = { self->order_software, self->order_physical, self->order_bytes };

  gtk_menu_button_set_label (self->order_button,
                             gtk_check_button_get_label (GTK_CHECK_BUTTON (buttons[order])));
}

static void
update_options (TsrMemoryPage *self)
{
  TsrMemoryChartOptions options;

  tsr_memory_page_get_options (self, &options);
  update_order_label (self, options.order);
  if (self->model == NULL)
    return;
  self->applying = TRUE;
  tsr_memory_chart_set_options (self->model, &options);
  self->applying = FALSE;
  restore_hidden_series (self);
  update_extent (self);
  update_scope (self);
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

static void
update_possible (TsrMemoryPage *self)
{
  GtkWidget *breakdowns[] = { self->breakdown_none, self->breakdown_region,
                              self->breakdown_category, self->breakdown_liveness };
  GtkWidget *orders[] = { self->order_software, self->order_physical, self->order_bytes };
  gboolean gaps = tsr_memory_peek (self->memory, TSR_METRIC_INCLUDING_GAPS) != NULL;
  gboolean capacity = tsr_memory_get_capacity (self->memory) != TSR_UNKNOWN;

  for (guint i = 0; i < G_N_ELEMENTS (breakdowns); i++)
    {
      g_autofree char *why = NULL;
      gboolean can = tsr_memory_chart_can_break_down (self->model, i, &why);

      set_possible (breakdowns[i], can, why);
    }
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree char *why = NULL;
      gboolean can = tsr_memory_chart_can_order (self->model, i, &why);

      set_possible (orders[i], can, why);
    }
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.include-gaps", gaps);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.show-max", capacity);
}

static void
set_memory (TsrMemoryPage *self, TsrMemory *memory)
{
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  tsr_chart_set_model (self->chart, NULL);
  g_clear_object (&self->model);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  if (memory == NULL)
    return;
  self->memory = tsr_memory_ref (memory);
  self->model = tsr_memory_chart_new (memory, get_selection (self));
}

static void
update_model (TsrMemoryPage *self)
{
  TsrMemory *memory = tsr_session_get_memory (get_session (self));

  set_memory (self, memory);
  tsr_page_set_status_left (TSR_PAGE (self), NULL);
  if (memory == NULL)
    {
      /* What was shown stays under the progress; its place is kept. */
      g_clear_handle_id (&self->details_idle, g_source_remove);
      tsr_page_set_status_right (TSR_PAGE (self), NULL);
      return;
    }
  if (self->scope_replica == NULL)
    make_scope_line (self);
  update_possible (self);
  update_options (self);
  g_signal_connect_swapped (self->model, "series-changed", G_CALLBACK (save_hidden_series), self);
  tsr_chart_set_model (self->chart, TSR_CHART_MODEL (self->model));
  update_selection (self);
}

static void
on_units_changed (TsrMemoryPage *self)
{
  update_options (self);
  update_selection (self);
}

/* Page */

static void
save_state (TsrMemoryPage *self)
{
  TsrSession *session = get_session (self);

  tsr_session_set_state (session, STATE_DETAILS,
                         g_variant_new_boolean (tsr_split_get_details_visible (self->split)));
  tsr_session_set_state (session, STATE_SWAPPED,
                         g_variant_new_boolean (tsr_split_is_swapped (self->split)));
}

static void
restore_state (TsrMemoryPage *self)
{
  GVariant *visible = tsr_session_get_state (get_session (self), STATE_DETAILS);
  GVariant *swapped = tsr_session_get_state (get_session (self), STATE_SWAPPED);

  if (visible != NULL)
    tsr_split_set_details_visible (self->split, g_variant_get_boolean (visible));
  if (swapped != NULL)
    tsr_split_set_swapped (self->split, g_variant_get_boolean (swapped));
  g_signal_connect_swapped (self->split, "notify::details-visible", G_CALLBACK (save_state), self);
  g_signal_connect_swapped (self->split, "notify::swapped", G_CALLBACK (save_state), self);
}

static void
restore_options (TsrMemoryPage *self, TsrSettings *settings)
{
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
tsr_memory_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  TsrSettings *settings = tsr_session_get_settings (session);
  TsrViewport *viewport = tsr_session_get_viewport (session, "memory");

  TSR_PAGE_CLASS (tsr_memory_page_parent_class)->set_session (page, session);
  restore_options (self, settings);
  restore_state (self);
  tsr_table_view_set_settings (self->details, settings, "memory-details-expanded");
  tsr_navigation_set_settings (self->navigation, settings);
  tsr_navigation_set_viewport (self->navigation, viewport);
  tsr_chart_set_viewport (self->chart, viewport);
  g_signal_connect_object (session, "notify::memory", G_CALLBACK (update_model), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_selection (session), "changed",
                           G_CALLBACK (update_selection), self, G_CONNECT_SWAPPED);
  update_model (self);
}

static void
tsr_memory_page_focus_start (TsrPage *page)
{
  gtk_widget_grab_focus (GTK_WIDGET (TSR_MEMORY_PAGE (page)->chart));
}

static char *
tsr_memory_page_dup_text (TsrPage *page)
{
  return dup_details_csv (page);
}

static void
edit_tiles (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (widget);

  gtk_widget_grab_focus (GTK_WIDGET (self->tile_entry));
  gtk_editable_select_region (GTK_EDITABLE (self->tile_entry), 0, -1);
}

static void
clear_selection (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_tile_selection_clear (get_selection (TSR_MEMORY_PAGE (widget)));
}

static void
select_fullest (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (widget);

  if (self->memory != NULL)
    tsr_memory_page_enter_tiles (self, "top1");
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
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tsr_memory_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (object);
  TsrSettings *settings = tsr_session_get_settings (get_session (self));

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
  update_options (self);
}

static void
tsr_memory_page_dispose (GObject *object)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (object);

  g_clear_handle_id (&self->details_idle, g_source_remove);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  g_clear_pointer (&self->error_popover, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_memory_page_parent_class)->dispose (object);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_property_action (widget_class, "memory.breakdown", "breakdown");
  gtk_widget_class_install_property_action (widget_class, "memory.order", "order");
  gtk_widget_class_install_property_action (widget_class, "memory.include-gaps", "include-gaps");
  gtk_widget_class_install_property_action (widget_class, "memory.show-max", "show-max");
  gtk_widget_class_install_property_action (widget_class, "memory.fit-data", "fit-data");
  gtk_widget_class_install_action (widget_class, "memory.edit-tiles", NULL, edit_tiles);
  gtk_widget_class_install_action (widget_class, "memory.clear-selection", NULL, clear_selection);
  gtk_widget_class_install_action (widget_class, "memory.select-fullest", NULL, select_fullest);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_t, GDK_CONTROL_MASK,
                                       "memory.edit-tiles", NULL);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  props[PROP_BREAKDOWN] = g_param_spec_string ("breakdown", NULL, NULL, "none", flags);
  props[PROP_ORDER] = g_param_spec_string ("order", NULL, NULL, "software", flags);
  props[PROP_INCLUDE_GAPS] = g_param_spec_boolean ("include-gaps", NULL, NULL, FALSE, flags);
  props[PROP_SHOW_MAX] = g_param_spec_boolean ("show-max", NULL, NULL, TRUE, flags);
  props[PROP_FIT_DATA] = g_param_spec_boolean ("fit-data", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  g_type_ensure (TSR_TYPE_CHART);
  g_type_ensure (TSR_TYPE_CONTROL_ROW);
  g_type_ensure (TSR_TYPE_FOLD);
  g_type_ensure (TSR_TYPE_NAVIGATION);
  g_type_ensure (TSR_TYPE_SPLIT);
  g_type_ensure (TSR_TYPE_TABLE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               TSR_RESOURCE_PATH "/tsr-memory-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, breakdown_none);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, breakdown_region);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, breakdown_category);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, breakdown_liveness);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, order_software);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, order_physical);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, order_bytes);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, order_button);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, sort_button);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, navigation);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, tile_entry);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, split);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, chart);
  gtk_widget_class_bind_template_child (widget_class, TsrMemoryPage, details);
}

static void
tsr_memory_page_class_init (TsrMemoryPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  object_class->dispose = tsr_memory_page_dispose;
  object_class->get_property = tsr_memory_page_get_property;
  object_class->set_property = tsr_memory_page_set_property;
  page_class->view = TSR_VIEW_MEMORY;
  page_class->stage = TSR_STAGE_MEMORY;
  page_class->set_session = tsr_memory_page_set_session;
  page_class->focus_start = tsr_memory_page_focus_start;
  page_class->dup_text = tsr_memory_page_dup_text;
  install_properties (object_class);
  install_actions (GTK_WIDGET_CLASS (klass));
  bind_template (GTK_WIDGET_CLASS (klass));
}

/* The menus stand beside the chart and the table; their actions are those widgets' own. */
static void
on_forward (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  const char *prefix = TSR_IS_CHART (widget) ? "chart" : "table";
  g_autofree char *name = g_strdup_printf ("%s.%s", prefix, g_action_get_name (G_ACTION (action)));

  gtk_widget_activate_action_variant (widget, name, parameter);
}

static void
add_forwarding (TsrMemoryPage *self)
{
  static const GActionEntry chart_entries[] = {
    { .name = "export-image", .activate = on_forward },
    { .name = "export-data", .activate = on_forward },
    { .name = "copy-image", .activate = on_forward },
  };
  static const GActionEntry table_entries[] = {
    { .name = "copy", .activate = on_forward },
    { .name = "copy-all", .activate = on_forward },
    { .name = "save", .activate = on_forward },
    { .name = "expand-all", .activate = on_forward },
    { .name = "collapse-all", .activate = on_forward },
    { .name = "sort", .activate = on_forward, .parameter_type = "i" },
  };
  g_autoptr (GSimpleActionGroup) chart = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) table = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (chart), chart_entries,
                                   G_N_ELEMENTS (chart_entries), self->chart);
  g_action_map_add_action_entries (G_ACTION_MAP (table), table_entries,
                                   G_N_ELEMENTS (table_entries), self->details);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "chart", G_ACTION_GROUP (chart));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "table", G_ACTION_GROUP (table));
}

static void
add_error_popover (TsrMemoryPage *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->error_popover = gtk_popover_new ();
  self->error_label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->error_label, TRUE);
  gtk_label_set_max_width_chars (self->error_label, 48);
  gtk_widget_add_css_class (GTK_WIDGET (self->error_label), "error");
  gtk_popover_set_child (GTK_POPOVER (self->error_popover), GTK_WIDGET (self->error_label));
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
}

static void
tsr_memory_page_init (TsrMemoryPage *self)
{
  self->show_max = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  add_error_popover (self);
  add_forwarding (self);
  tsr_chart_set_file_name (self->chart, "memory");
  tsr_table_view_set_file_name (self->details, "memory-details");
  tsr_table_view_set_label_title (self->details, _ ("Memory"));
  tsr_table_view_set_csv_func (self->details, dup_details_csv, self);
  gtk_menu_button_set_menu_model (self->sort_button, tsr_table_view_get_sort_menu (self->details));
  g_signal_connect (self->chart, "select", G_CALLBACK (on_chart_select), self);
  g_signal_connect (self->chart, "hover-changed", G_CALLBACK (on_hover_changed), self);
  g_signal_connect (self->chart, "toast", G_CALLBACK (on_toast), self);
  g_signal_connect (self->details, "toast", G_CALLBACK (on_toast), self);
  g_signal_connect (self->tile_entry, "activate", G_CALLBACK (on_entry_activate), self);
  g_signal_connect (self->tile_entry, "changed", G_CALLBACK (on_entry_changed), self);
}

TsrChart *
tsr_memory_page_get_chart (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->chart;
}

TsrTableView *
tsr_memory_page_get_details (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->details;
}

TsrSplit *
tsr_memory_page_get_split (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->split;
}

GtkEntry *
tsr_memory_page_get_tile_entry (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->tile_entry;
}
