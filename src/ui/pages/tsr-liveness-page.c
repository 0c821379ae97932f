/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page owns no data: liveness, source, steps, variables and the visible range are the
 * session's, the options are settings.  What the graph shows is fed by workers (tsr-liveness-feed),
 * what the tabs show they compute themselves. */

#include "config.h"

#include "tsr-liveness-page-private.h"

#include "tsr-control-row.h"
#include "tsr-fold.h"

#include <glib/gi18n.h>

#define N_PEAK_KEYS 9

G_DEFINE_FINAL_TYPE (TsrLivenessPage, tsr_liveness_page, TSR_TYPE_PAGE)

TsrSession *
tsr_liveness_page_get_session (TsrLivenessPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

TsrStepSelection *
tsr_liveness_page_get_steps (TsrLivenessPage *self)
{
  return tsr_session_get_steps (tsr_liveness_page_get_session (self));
}

guint
tsr_liveness_page_get (TsrLivenessPage *self, TsrLivenessOption option)
{
  return tsr_page_get_option (TSR_PAGE (self), option);
}

/* Selection */

static void
update_extent (TsrLivenessPage *self)
{
  guint n, from = G_MAXUINT, to = 0;
  const guint *steps = tsr_step_selection_peek (tsr_liveness_page_get_steps (self), &n);

  for (guint i = 0; i < n; i++)
    {
      from = MIN (from, steps[i]);
      to = MAX (to, steps[i]);
    }
  tsr_chart_set_selected_extent (self->chart, n > 0 ? from : 0, n > 0 ? to + 1.0 : 0);
}

static void
on_steps_changed (TsrLivenessPage *self)
{
  update_extent (self);
  tsr_liveness_page_update_scope (self);
  tsr_liveness_page_update_status_right (self);
}

/* A range is its two ends: A and B. */
static void
on_chart_select (TsrChart *chart, double from, double to, int mode, TsrLivenessPage *self)
{
  TsrStepSelection *selection = tsr_liveness_page_get_steps (self);
  guint n_steps = self->shown != NULL ? tsr_liveness_get_n_steps (self->shown) : 0, pair[2], n;

  if (mode == TSR_SELECT_CLEAR)
    {
      tsr_step_selection_set (selection, NULL, 0);
      return;
    }
  if (n_steps == 0)
    return;
  pair[0] = CLAMP (from, 0, n_steps - 1);
  pair[1] = CLAMP (to - 1, pair[0], n_steps - 1);
  n = pair[1] > pair[0] ? 2 : 1;
  if (mode == TSR_SELECT_REPLACE)
    tsr_step_selection_set (selection, pair, n);
  else
    for (guint i = 0; i < n; i++)
      tsr_step_selection_toggle (selection, pair[i]);
}

void
tsr_liveness_page_go_to_step (TsrLivenessPage *self, guint step)
{
  g_return_if_fail (TSR_IS_LIVENESS_PAGE (self));
  if (self->shown == NULL || step >= tsr_liveness_get_n_steps (self->shown))
    return;
  tsr_step_selection_set (tsr_liveness_page_get_steps (self), &step, 1);
  tsr_viewport_reveal (tsr_chart_get_viewport (self->chart), step, step + 1.0);
  tsr_plane_set_cursor (TSR_PLANE (self->chart), step);
}

static void
go_to_peak (TsrLivenessPage *self, guint place)
{
  if (self->peaks == NULL || place >= self->peaks->len)
    return;
  tsr_liveness_tabs_set_peak (self->tabs, place);
  tsr_liveness_page_go_to_step (self, g_array_index (self->peaks, TsrPeak, place).step);
}

static void
on_jump (TsrPeaksPopover *popover, guint place, TsrLivenessPage *self)
{
  go_to_peak (self, place);
  gtk_widget_grab_focus (GTK_WIDGET (self->chart));
}

static void
on_peak_changed (TsrLivenessPage *self)
{
  guint place = tsr_liveness_tabs_get_peak (self->tabs);

  if (self->peaks != NULL && place < self->peaks->len && self->shown != NULL)
    tsr_liveness_page_go_to_step (self, g_array_index (self->peaks, TsrPeak, place).step);
}

/* Where the next and previous match begin: cursor, else the step chosen last, else what is seen. */
static void
go_to_match (TsrLivenessPage *self, int direction)
{
  guint step = tsr_plane_get_cursor (TSR_PLANE (self->chart));

  if (step == TSR_NO_DATUM)
    step = tsr_step_selection_get_step (tsr_liveness_page_get_steps (self));
  step = tsr_step_filter_find (self->step_filter, step, direction);
  if (step != TSR_NO_INDEX)
    tsr_liveness_page_go_to_step (self, step);
}

static void
on_next_match (TsrLivenessPage *self)
{
  go_to_match (self, 1);
}

static void
on_previous_match (TsrLivenessPage *self)
{
  go_to_match (self, -1);
}

static void
on_units_changed (TsrLivenessPage *self)
{
  tsr_liveness_page_apply_options (self);
  tsr_liveness_page_update_statistics (self);
}

/* Lifetimes */

static void
move_to (GtkWidget *widget, GtkWidget *box, GtkPaned *paned)
{
  g_object_ref (widget);
  if (gtk_widget_get_parent (widget) == GTK_WIDGET (paned))
    gtk_paned_set_end_child (paned, NULL);
  else if (gtk_widget_get_parent (widget) != NULL)
    gtk_box_remove (GTK_BOX (gtk_widget_get_parent (widget)), widget);
  if (box != NULL)
    gtk_box_append (GTK_BOX (box), widget);
  else
    gtk_paned_set_end_child (paned, widget);
  g_object_unref (widget);
}

static gboolean
on_place_lifetimes (gpointer data)
{
  TsrLivenessPage *self = data;
  gboolean beside = tsr_split_get_orientation (self->split) == GTK_ORIENTATION_HORIZONTAL;
  gboolean below = beside && tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_LIFETIMES);

  self->place_idle = 0;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.lifetimes", beside);
  tsr_lifetime_view_align (self->lifetimes, below || !beside ? self->chart : NULL);
  if (below == self->lifetimes_below)
    return G_SOURCE_REMOVE;
  self->lifetimes_below = below;
  move_to (GTK_WIDGET (self->lifetimes),
           below ? NULL : GTK_WIDGET (tsr_liveness_tabs_get_lifetimes_box (self->tabs)),
           self->paned);
  tsr_liveness_tabs_set_lifetimes_visible (self->tabs, !below);
  tsr_liveness_page_update_lifetimes (self);
  return G_SOURCE_REMOVE;
}

/* In an idle: the orientation changes while places are given. */
static void
place_lifetimes (TsrLivenessPage *self)
{
  if (self->place_idle == 0)
    self->place_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_place_lifetimes, self, NULL);
}

/* Options */

static const char *
get_tab_nick (guint tab)
{
  return tsr_liveness_tab_get_nick (tab);
}

static const TsrViewOption options[TSR_LIVENESS_N_OPTIONS] = {
  [TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE]
  = { "include-always-live", "always", TRUE, .setting = "liveness-include-always-live",
      .is_named = TRUE },
  [TSR_LIVENESS_OPTION_FROM_ALWAYS_LIVE]
  = { "from-always-live", "from-always", FALSE, .setting = "liveness-from-always-live" },
  [TSR_LIVENESS_OPTION_SHOW_MAX] = { "show-max", "max", TRUE, .setting = "liveness-show-max" },
  [TSR_LIVENESS_OPTION_STRUCTURE]
  = { "structure", "structure", TRUE, .setting = "liveness-structure" },
  [TSR_LIVENESS_OPTION_STATISTICS]
  = { "statistics", "statistics", FALSE, .setting = "liveness-statistics" },
  [TSR_LIVENESS_OPTION_LIFETIMES]
  = { "lifetimes", "lifetimes", TRUE, .setting = "liveness-lifetimes" },
  [TSR_LIVENESS_OPTION_TAB] = { "tab", "tab", TSR_LIVENESS_TAB_TEMPORARY, get_tab_nick,
                                TSR_LIVENESS_N_TABS, .setting = "liveness-tab", .is_named = TRUE },
};

/* Where there is no table, there is none to save. */
static void
show_tab (TsrLivenessPage *self)
{
  TsrLivenessTab tab = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_TAB);
  gboolean table = tsr_liveness_tabs_get_view (self->tabs, tab) != NULL;

  tsr_liveness_tabs_set_tab (self->tabs, tab);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.save-table", table);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.copy-table", table);
  tsr_liveness_page_update_lifetimes (self);
}

static void
on_tab_changed (TsrLivenessPage *self)
{
  tsr_page_set_option (TSR_PAGE (self), TSR_LIVENESS_OPTION_TAB,
                       tsr_liveness_tabs_get_tab (self->tabs));
}

static void
on_option_changed (TsrPage *page, guint option)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);

  if (option == TSR_LIVENESS_OPTION_TAB)
    {
      show_tab (self);
      return;
    }
  tsr_liveness_page_apply_options (self);
  if (option == TSR_LIVENESS_OPTION_STATISTICS || option == TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE)
    tsr_liveness_page_update_statistics (self);
  if (option == TSR_LIVENESS_OPTION_LIFETIMES)
    place_lifetimes (self);
}

/* Page */

static void
follow_session (TsrLivenessPage *self, TsrSession *session)
{
  TsrStepSelection *steps = tsr_session_get_steps (session);

  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (tsr_liveness_page_update_feed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (steps, "source-changed", G_CALLBACK (tsr_liveness_page_update_feed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (steps, "steps-changed", G_CALLBACK (on_steps_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (steps, "variables-changed", G_CALLBACK (tsr_liveness_page_update_lines),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_selection (session), "changed",
                           G_CALLBACK (tsr_liveness_page_update_statistics), self,
                           G_CONNECT_SWAPPED);
}

static void
tsr_liveness_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  TsrViewport *viewport = tsr_session_get_viewport (session, "liveness");

  TSR_PAGE_CLASS (tsr_liveness_page_parent_class)->set_session (page, session);
  tsr_split_keep_state (self->split, session, "liveness");
  tsr_source_chooser_set_session (self->source_chooser, session);
  tsr_liveness_tabs_set_session (self->tabs, session);
  tsr_lifetime_view_set_session (self->lifetimes, session, viewport);
  tsr_page_restore_options (page, session);
  show_tab (self);
  g_signal_connect_swapped (self->tabs, "tab-changed", G_CALLBACK (on_tab_changed), self);
  tsr_navigation_set_settings (self->navigation, tsr_session_get_settings (session));
  tsr_navigation_set_viewport (self->navigation, viewport);
  tsr_chart_set_viewport (self->chart, viewport);
  follow_session (self, session);
  update_extent (self);
  tsr_liveness_page_apply_options (self);
  tsr_liveness_page_update_feed (self);
  place_lifetimes (self);
}

static void
tsr_liveness_page_focus_start (TsrPage *page)
{
  gtk_widget_grab_focus (GTK_WIDGET (TSR_LIVENESS_PAGE (page)->chart));
}

/* What the line and the strip say, and the table that is shown. */
static char *
tsr_liveness_page_dup_text (TsrPage *page)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  TsrRowView *view
      = tsr_liveness_tabs_get_view (self->tabs, tsr_liveness_tabs_get_tab (self->tabs));
  g_autofree char *csv = view != NULL ? tsr_row_view_dup_csv (view) : g_strdup ("");
  GString *text = g_string_new (NULL);
  g_autofree char *scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (page));

  g_string_append_printf (text, "%s\n", scope);
  if (tsr_page_get_status_right (page) != NULL)
    g_string_append_printf (text, "%s\n", tsr_page_get_status_right (page));
  if (*csv != '\0')
    g_string_append_printf (text, "\n%s", csv);
  return g_string_free (text, FALSE);
}

/* Actions */

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (widget);

  if (g_str_equal (name, "liveness.edit-source"))
    tsr_source_chooser_popup (self->source_chooser);
  else if (g_str_equal (name, "liveness.source"))
    tsr_source_chooser_enter (self->source_chooser, g_variant_get_string (parameter, NULL));
  else if (g_str_equal (name, "liveness.filter-steps"))
    gtk_widget_grab_focus (GTK_WIDGET (self->step_filter));
  else if (g_str_equal (name, "liveness.next-match"))
    go_to_match (self, 1);
  else if (g_str_equal (name, "liveness.previous-match"))
    go_to_match (self, -1);
  else if (g_str_equal (name, "liveness.peaks"))
    gtk_menu_button_popup (self->peaks_button);
  else if (g_str_equal (name, "liveness.clear-selection"))
    tsr_step_selection_set (tsr_liveness_page_get_steps (self), NULL, 0);
}

/* "liveness.peak-3", "liveness.add-peak-3" */
static void
run_peak_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (widget);
  guint place = name[strlen (name) - 1] - '1';

  if (!g_str_has_prefix (name, "liveness.add-"))
    go_to_peak (self, place);
  else if (self->peaks != NULL && place < self->peaks->len)
    tsr_step_selection_toggle (tsr_liveness_page_get_steps (self),
                               g_array_index (self->peaks, TsrPeak, place).step);
}

/* The menus stand beside the table; the actions are its own. */
static void
run_table_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (widget);
  TsrRowView *view
      = tsr_liveness_tabs_get_view (self->tabs, tsr_liveness_tabs_get_tab (self->tabs));

  if (view != NULL)
    gtk_widget_activate_action (
        GTK_WIDGET (view),
        g_str_equal (name, "liveness.save-table") ? "rows.save" : "rows.copy-all", NULL);
}

static void
on_chart_forward (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree char *name = g_strdup_printf ("chart.%s", g_action_get_name (G_ACTION (action)));

  gtk_widget_activate_action_variant (widget, name, parameter);
}

static void
on_split_forward (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree char *name = g_strdup_printf ("split.%s", g_action_get_name (G_ACTION (action)));

  gtk_widget_activate_action_variant (widget, name, parameter);
}

static void
add_forwarding (TsrLivenessPage *self)
{
  static const GActionEntry chart_entries[] = {
    { .name = "export-image", .activate = on_chart_forward },
    { .name = "export-data", .activate = on_chart_forward },
    { .name = "copy-image", .activate = on_chart_forward },
  };
  static const GActionEntry split_entries[] = {
    { .name = "swap", .activate = on_split_forward },
    { .name = "toggle-details", .activate = on_split_forward },
  };
  g_autoptr (GSimpleActionGroup) chart = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) split = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (chart), chart_entries,
                                   G_N_ELEMENTS (chart_entries), self->chart);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "chart", G_ACTION_GROUP (chart));
  g_action_map_add_action_entries (G_ACTION_MAP (split), split_entries,
                                   G_N_ELEMENTS (split_entries), self->split);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "split", G_ACTION_GROUP (split));
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  static const char *const names[]
      = { "liveness.edit-source",    "liveness.filter-steps", "liveness.next-match",
          "liveness.previous-match", "liveness.peaks",        "liveness.clear-selection" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_class_install_action (widget_class, names[i], NULL, run_action);
  gtk_widget_class_install_action (widget_class, "liveness.source", "s", run_action);
  gtk_widget_class_install_action (widget_class, "liveness.save-table", NULL, run_table_action);
  gtk_widget_class_install_action (widget_class, "liveness.copy-table", NULL, run_table_action);
  for (guint i = 0; i < N_PEAK_KEYS; i++)
    {
      g_autofree char *go = g_strdup_printf ("liveness.peak-%u", i + 1);
      g_autofree char *add = g_strdup_printf ("liveness.add-peak-%u", i + 1);

      gtk_widget_class_install_action (widget_class, go, NULL, run_peak_action);
      gtk_widget_class_install_action (widget_class, add, NULL, run_peak_action);
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + i, 0, go, NULL);
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_1 + i, 0, go, NULL);
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + i, GDK_CONTROL_MASK, add,
                                           NULL);
    }
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_t, GDK_CONTROL_MASK,
                                       "liveness.edit-source", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_n, 0, "liveness.next-match", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_p, 0, "liveness.previous-match", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_slash, 0, "liveness.filter-steps",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_slash, GDK_SHIFT_MASK,
                                       "liveness.filter-steps", NULL);
}

/* Object */

static void
tsr_liveness_page_dispose (GObject *object)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (object);

  g_clear_handle_id (&self->place_idle, g_source_remove);
  if (self->tabs != NULL)
    g_signal_handlers_disconnect_by_data (self->tabs, self);
  if (self->step_filter != NULL)
    g_signal_handlers_disconnect_by_data (self->step_filter, self);
  if (self->split != NULL)
    g_signal_handlers_disconnect_by_data (self->split, self);
  tsr_liveness_page_clear_feed (self);
  self->tabs = NULL;
  self->step_filter = NULL;
  self->split = NULL;
  G_OBJECT_CLASS (tsr_liveness_page_parent_class)->dispose (object);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrLivenessPage, source_chooser),
  TSR_PAGE_CHILD (TsrLivenessPage, navigation),
  TSR_PAGE_CHILD (TsrLivenessPage, step_filter),
  TSR_PAGE_CHILD (TsrLivenessPage, peaks_button),
  TSR_PAGE_CHILD (TsrLivenessPage, peaks_popover),
  TSR_PAGE_CHILD (TsrLivenessPage, split),
  TSR_PAGE_CHILD (TsrLivenessPage, paned),
  TSR_PAGE_CHILD (TsrLivenessPage, chart),
  TSR_PAGE_CHILD (TsrLivenessPage, message),
  TSR_PAGE_CHILD (TsrLivenessPage, tabs),
  { NULL },
};

static void
bind_template (TsrPageClass *klass)
{
  g_type_ensure (TSR_TYPE_CHART);
  g_type_ensure (TSR_TYPE_CONTROL_ROW);
  g_type_ensure (TSR_TYPE_FOLD);
  g_type_ensure (TSR_TYPE_LIVENESS_TABS);
  g_type_ensure (TSR_TYPE_NAVIGATION);
  g_type_ensure (TSR_TYPE_PEAKS_POPOVER);
  g_type_ensure (TSR_TYPE_SOURCE_CHOOSER);
  g_type_ensure (TSR_TYPE_SPLIT);
  g_type_ensure (TSR_TYPE_STEP_FILTER);
  tsr_page_class_set_template (klass, "tsr-liveness-page.ui", children);
}

static void
tsr_liveness_page_class_init (TsrLivenessPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  object_class->dispose = tsr_liveness_page_dispose;
  page_class->view = TSR_VIEW_LIVENESS;
  page_class->stage = TSR_STAGE_LIVENESS;
  page_class->set_session = tsr_liveness_page_set_session;
  page_class->focus_start = tsr_liveness_page_focus_start;
  page_class->dup_text = tsr_liveness_page_dup_text;
  page_class->save_words = tsr_liveness_page_save_words;
  page_class->load_words = tsr_liveness_page_load_words;
  tsr_page_class_set_options (page_class, "liveness", options, G_N_ELEMENTS (options),
                              on_option_changed);
  install_actions (GTK_WIDGET_CLASS (klass));
  bind_template (page_class);
}

static void
connect_parts (TsrLivenessPage *self)
{
  g_signal_connect (self->chart, "select", G_CALLBACK (on_chart_select), self);
  g_signal_connect_swapped (self->chart, "hover-changed",
                            G_CALLBACK (tsr_liveness_page_update_status_left), self);
  g_signal_connect (self->chart, "toast", G_CALLBACK (tsr_page_toast), NULL);
  g_signal_connect_object (self->lifetimes, "hover-changed",
                           G_CALLBACK (tsr_liveness_page_update_status_left), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self->lifetimes, "toast", G_CALLBACK (tsr_page_toast), NULL);
  g_signal_connect (self->tabs, "toast", G_CALLBACK (tsr_page_toast), NULL);
  g_signal_connect_swapped (self->tabs, "peak-changed", G_CALLBACK (on_peak_changed), self);
  g_signal_connect_swapped (self->tabs, "groups-changed",
                            G_CALLBACK (tsr_liveness_page_update_lines), self);
  g_signal_connect_swapped (self->step_filter, "matches-changed",
                            G_CALLBACK (tsr_liveness_page_apply_matches), self);
  g_signal_connect_swapped (self->step_filter, "next", G_CALLBACK (on_next_match), self);
  g_signal_connect_swapped (self->step_filter, "previous", G_CALLBACK (on_previous_match), self);
  g_signal_connect_swapped (self->step_filter, "left", G_CALLBACK (gtk_widget_grab_focus),
                            self->chart);
  g_signal_connect (self->peaks_popover, "jump", G_CALLBACK (on_jump), self);
  g_signal_connect_swapped (self->split, "notify::orientation", G_CALLBACK (place_lifetimes), self);
}

static void
tsr_liveness_page_init (TsrLivenessPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->lifetimes = tsr_lifetime_view_new ();
  gtk_box_append (tsr_liveness_tabs_get_lifetimes_box (self->tabs), GTK_WIDGET (self->lifetimes));
  tsr_liveness_page_init_feed (self);
  add_forwarding (self);
  tsr_plane_set_file_name (TSR_PLANE (self->chart), "liveness");
  connect_parts (self);
}

TsrChart *
tsr_liveness_page_get_chart (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->chart;
}

TsrLivenessTabs *
tsr_liveness_page_get_tabs (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->tabs;
}

TsrLifetimeView *
tsr_liveness_page_get_lifetimes (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->lifetimes;
}

TsrSourceChooser *
tsr_liveness_page_get_source_chooser (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->source_chooser;
}

TsrStepFilter *
tsr_liveness_page_get_step_filter (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->step_filter;
}

TsrSplit *
tsr_liveness_page_get_split (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->split;
}

TsrLivenessChart *
tsr_liveness_page_get_model (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->model;
}

GArray *
tsr_liveness_page_get_peaks (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->peaks;
}

gboolean
tsr_liveness_page_is_busy (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), FALSE);
  return tsr_latest_is_running (self->series_work) || tsr_latest_is_running (self->statistics_work)
         || tsr_latest_is_running (self->lines_work) || tsr_liveness_tabs_is_busy (self->tabs)
         || tsr_step_filter_is_busy (self->step_filter)
         || tsr_lifetime_view_is_busy (self->lifetimes) || self->place_idle != 0;
}
