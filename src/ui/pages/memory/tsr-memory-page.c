/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page owns no data: the memory, the selection and the visible range are the session's, the
 * options are settings.  Everything that is shown follows from them in two steps: update_model
 * (another memory), update_selection (other tiles). */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-fold.h"
#include "tsr-memory-words.h"

G_DEFINE_FINAL_TYPE (TsrMemoryPage, tsr_memory_page, TSR_TYPE_PAGE)

TsrSession *
tsr_memory_page_get_session (TsrMemoryPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

TsrTileSelection *
tsr_memory_page_get_selection (TsrMemoryPage *self)
{
  return tsr_session_get_selection (tsr_memory_page_get_session (self));
}

/* Selection */

static void
update_extent (TsrMemoryPage *self)
{
  double from = G_MAXDOUBLE, to = -G_MAXDOUBLE;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  for (guint i = 0; self->model != NULL && i < n; i++)
    {
      double position = tsr_chart_model_position_of (TSR_CHART_MODEL (self->model), tiles[i]);

      from = MIN (from, position);
      to = MAX (to, position + 1);
    }
  tsr_chart_set_selected_extent (self->chart, from <= to ? from : 0, from <= to ? to : 0);
}

static void
show_selection (TsrMemoryPage *self)
{
  guint n;

  tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.clear-selection", n > 0);
  if (!self->applying)
    tsr_memory_page_show_selection_in_entry (self);
  if (self->memory == NULL)
    return;
  update_extent (self);
}

static void
on_selection_changed (TsrMemoryPage *self)
{
  show_selection (self);
  tsr_memory_page_update_scope (self);
}

void
tsr_memory_page_select_tiles (TsrMemoryPage *self, const guint *tiles, guint n, int mode)
{
  TsrTileSelection *selection = tsr_memory_page_get_selection (self);

  if (mode == TSR_SELECT_CLEAR)
    tsr_tile_selection_clear (selection);
  else if (mode == TSR_SELECT_TOGGLE)
    for (guint i = 0; i < n; i++)
      tsr_tile_selection_toggle (selection, tiles[i]);
  else if (mode == TSR_SELECT_ADD)
    tsr_tile_selection_add (selection, tiles, n);
  else
    tsr_tile_selection_set (selection, tiles, n);
}

static void
on_chart_select (TsrChart *chart, double from, double to, int mode, TsrMemoryPage *self)
{
  g_autoptr (GArray) data = NULL;

  if (mode == TSR_SELECT_CLEAR)
    {
      tsr_memory_page_select_tiles (self, NULL, 0, mode);
      return;
    }
  data = tsr_chart_dup_data (chart, from, to);
  if (data->len > 0)
    tsr_memory_page_select_tiles (self, (const guint *)(gpointer)data->data, data->len, mode);
}

static void
on_hover_changed (TsrChart *chart, TsrMemoryPage *self)
{
  guint32 tile = tsr_plane_get_hover (TSR_PLANE (chart));
  g_autofree char *text = NULL;

  if (self->memory != NULL && tile != TSR_NO_DATUM)
    text = tsr_memory_words_tile (self->memory, tile);
  tsr_page_set_status_left (TSR_PAGE (self), text);
}

/* Model */

/* What the user wants of the chart; it shows as much as the report has. */
static void
get_wish (TsrMemoryPage *self, TsrMemoryChartOptions *options)
{
  options->breakdown = self->breakdown;
  options->order = self->order;
  options->include_gaps = self->include_gaps;
  options->show_max = self->show_max;
  options->fit_data = self->fit_data;
  options->units = tsr_session_get_units (tsr_memory_page_get_session (self));
}

void
tsr_memory_page_get_options (TsrMemoryPage *self, TsrMemoryChartOptions *options)
{
  g_return_if_fail (TSR_IS_MEMORY_PAGE (self));
  if (self->model != NULL)
    tsr_memory_chart_get_options (self->model, options);
  else
    get_wish (self, options);
}

static void
apply_options (TsrMemoryPage *self)
{
  TsrMemoryChartOptions options;

  get_wish (self, &options);
  if (self->model != NULL)
    {
      self->applying = TRUE;
      tsr_memory_chart_set_options (self->model, &options);
      self->applying = FALSE;
      tsr_memory_page_restore_hidden_series (self);
    }
  tsr_memory_page_get_options (self, &options);
  tsr_memory_page_update_labels (self, &options);
  if (self->variables_model != NULL)
    tsr_variables_chart_set_order (self->variables_model, options.order);
}

void
tsr_memory_page_update_options (TsrMemoryPage *self)
{
  apply_options (self);
  update_extent (self);
  tsr_memory_page_update_scope (self);
}

static void
set_memory (TsrMemoryPage *self, TsrMemory *memory)
{
  TsrMemoryChartOptions options;

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  tsr_plane_set_model (TSR_PLANE (self->chart), NULL);
  g_clear_object (&self->model);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  if (memory == NULL)
    return;
  get_wish (self, &options);
  self->memory = tsr_memory_ref (memory);
  self->model = tsr_memory_chart_new (memory, tsr_memory_page_get_selection (self), &options);
  g_signal_connect_swapped (self->model, "series-changed",
                            G_CALLBACK (tsr_memory_page_save_hidden_series), self);
}

static void
update_model (TsrMemoryPage *self)
{
  TsrMemory *memory = tsr_session_get_memory (tsr_memory_page_get_session (self));

  set_memory (self, memory);
  tsr_page_set_status_left (TSR_PAGE (self), NULL);
  if (memory == NULL)
    {
      /* What was shown stays under the progress; its place is kept. */
      tsr_page_set_status_right (TSR_PAGE (self), NULL);
      tsr_memory_page_update_graphs (self);
      return;
    }
  if (self->scope_replica == NULL)
    tsr_memory_page_make_scope_line (self);
  apply_options (self);
  tsr_memory_page_update_graphs (self);
  show_selection (self);
}

static void
on_units_changed (TsrMemoryPage *self)
{
  apply_options (self);
  tsr_memory_page_update_graphs (self);
  show_selection (self);
}

/* Page */

static void
tsr_memory_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  TsrSettings *settings = tsr_session_get_settings (session);
  TsrViewport *viewport = tsr_session_get_viewport (session, "memory");

  TSR_PAGE_CLASS (tsr_memory_page_parent_class)->set_session (page, session);
  tsr_memory_page_restore_options (self);
  tsr_split_keep_state (self->split, session, "memory");
  tsr_memory_page_restore_graphs (self);
  tsr_memory_page_restore_details (self);
  tsr_row_view_set_settings (self->details, settings, "memory-details-expanded");
  tsr_navigation_set_settings (self->navigation, settings);
  tsr_navigation_set_viewport (self->navigation, viewport);
  tsr_chart_set_viewport (self->chart, viewport);
  g_signal_connect_object (session, "notify::memory", G_CALLBACK (update_model), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_selection (session), "changed",
                           G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  update_model (self);
}

static void
tsr_memory_page_focus_start (TsrPage *page)
{
  gtk_widget_grab_focus (tsr_memory_page_get_graph_widget (TSR_MEMORY_PAGE (page)));
}

/* The tab that is open: the tree of details, or the scope and the table that is shown. */
static char *
tsr_memory_page_dup_text (TsrPage *page)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  TsrRowView *view = tsr_memory_page_get_rows (self, tsr_memory_page_get_tab (self));
  g_autofree char *scope = NULL, *csv = NULL;

  if (view == NULL)
    return tsr_memory_page_dup_details_csv (self);
  scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (page));
  csv = tsr_row_view_dup_csv (view);
  return g_strdup_printf ("%s\n\n%s", scope, csv);
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
  tsr_tile_selection_clear (tsr_memory_page_get_selection (TSR_MEMORY_PAGE (widget)));
}

static void
select_fullest (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (widget);

  if (self->memory != NULL)
    tsr_memory_page_enter_tiles (self, "top1");
}

static void
add_variable (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (widget);

  g_object_set (self, "graph", tsr_memory_graph_get_nick (TSR_MEMORY_GRAPH_VARIABLES), NULL);
  tsr_variable_picker_popup (self->picker);
}

static void
tsr_memory_page_dispose (GObject *object)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (object);

  for (guint i = 0; i < TSR_MEMORY_N_TABS; i++)
    g_clear_pointer (&self->wanted_rows[i], g_free);
  tsr_memory_page_clear_graphs (self);
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
  gtk_widget_class_install_action (widget_class, "memory.edit-tiles", NULL, edit_tiles);
  gtk_widget_class_install_action (widget_class, "memory.clear-selection", NULL, clear_selection);
  gtk_widget_class_install_action (widget_class, "memory.select-fullest", NULL, select_fullest);
  gtk_widget_class_install_action (widget_class, "memory.add-variable", NULL, add_variable);
  for (guint i = 0; i < TSR_MEMORY_N_GRAPHS; i++)
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + i, GDK_CONTROL_MASK,
                                         "memory.graph", "s", tsr_memory_graph_get_nick (i));
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_v, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "memory.add-variable", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_t, GDK_CONTROL_MASK,
                                       "memory.edit-tiles", NULL);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_none),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_region),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_category),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_liveness),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_none_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_region_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_category_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_liveness_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_button),
  TSR_PAGE_CHILD (TsrMemoryPage, order_software),
  TSR_PAGE_CHILD (TsrMemoryPage, order_physical),
  TSR_PAGE_CHILD (TsrMemoryPage, order_bytes),
  TSR_PAGE_CHILD (TsrMemoryPage, order_software_check),
  TSR_PAGE_CHILD (TsrMemoryPage, order_physical_check),
  TSR_PAGE_CHILD (TsrMemoryPage, order_bytes_check),
  TSR_PAGE_CHILD (TsrMemoryPage, order_button),
  TSR_PAGE_CHILD (TsrMemoryPage, sort_button),
  TSR_PAGE_CHILD (TsrMemoryPage, navigation),
  TSR_PAGE_CHILD (TsrMemoryPage, tile_entry),
  TSR_PAGE_CHILD (TsrMemoryPage, split),
  TSR_PAGE_CHILD (TsrMemoryPage, chart),
  TSR_PAGE_CHILD (TsrMemoryPage, value_chooser),
  TSR_PAGE_CHILD (TsrMemoryPage, ipu_chooser),
  TSR_PAGE_CHILD (TsrMemoryPage, step_button),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_fold),
  TSR_PAGE_CHILD (TsrMemoryPage, options_fold),
  TSR_PAGE_CHILD (TsrMemoryPage, order_fold),
  TSR_PAGE_CHILD (TsrMemoryPage, picker),
  TSR_PAGE_CHILD (TsrMemoryPage, graph_stack),
  TSR_PAGE_CHILD (TsrMemoryPage, graph_words),
  TSR_PAGE_CHILD (TsrMemoryPage, map_view),
  TSR_PAGE_CHILD (TsrMemoryPage, tabs),
  TSR_PAGE_CHILD (TsrMemoryPage, details_buttons),
  { NULL },
};

static void
bind_template (TsrPageClass *klass)
{
  g_type_ensure (TSR_TYPE_CHART);
  g_type_ensure (TSR_TYPE_CONTROL_ROW);
  g_type_ensure (TSR_TYPE_FOLD);
  g_type_ensure (TSR_TYPE_NAVIGATION);
  g_type_ensure (TSR_TYPE_ROW_MESSAGE);
  g_type_ensure (TSR_TYPE_SPLIT);
  g_type_ensure (TSR_TYPE_TABS);
  g_type_ensure (TSR_TYPE_TILE_MAP_VIEW);
  g_type_ensure (TSR_TYPE_VARIABLE_PICKER);
  tsr_page_class_set_template (klass, "tsr-memory-page.ui", children);
}

static void
tsr_memory_page_class_init (TsrMemoryPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  object_class->dispose = tsr_memory_page_dispose;
  page_class->view = TSR_VIEW_MEMORY;
  page_class->stage = TSR_STAGE_MEMORY;
  page_class->set_session = tsr_memory_page_set_session;
  page_class->focus_start = tsr_memory_page_focus_start;
  page_class->dup_text = tsr_memory_page_dup_text;
  page_class->save_words = tsr_memory_page_save_words;
  page_class->load_words = tsr_memory_page_load_words;
  tsr_memory_page_install_options (object_class, GTK_WIDGET_CLASS (klass));
  install_actions (GTK_WIDGET_CLASS (klass));
  bind_template (page_class);
}

static void
tsr_memory_page_init (TsrMemoryPage *self)
{
  self->show_max = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  tsr_memory_page_init_entry (self);
  tsr_memory_page_init_graphs (self);
  tsr_memory_page_init_details (self);
  tsr_plane_set_file_name (TSR_PLANE (self->chart), "memory");
  g_signal_connect (self->chart, "select", G_CALLBACK (on_chart_select), self);
  g_signal_connect (self->chart, "hover-changed", G_CALLBACK (on_hover_changed), self);
  g_signal_connect (self->chart, "toast", G_CALLBACK (tsr_page_toast), NULL);
}

TsrChart *
tsr_memory_page_get_chart (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->chart;
}

TsrRowView *
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
