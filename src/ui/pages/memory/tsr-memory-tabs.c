/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The details of the Memory page: what its tabs ask of the selected tiles, the map of addresses
 * beside the variables, and the menu of the tree of figures. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-memory-details.h"
#include "tsr-memory-texts.h"
#include "tsr-rows-print.h"

#include <glib/gi18n.h>

static TsrRows *
new_details_of_each (gpointer data)
{
  TsrMemoryPage *self = data;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  return self->memory != NULL ? tsr_memory_details_new_each (self->memory, tiles, n) : NULL;
}

char *
tsr_memory_page_dup_details_csv (TsrMemoryPage *self)
{
  g_autoptr (TsrRows) rows = new_details_of_each (self);

  return rows != NULL ? tsr_rows_dup_csv (rows, NULL) : NULL;
}

/* Variables */

static TsrVariables *
get_variables (TsrMemoryPage *self)
{
  TsrLiveness *liveness = tsr_session_get_liveness (tsr_memory_page_get_session (self));

  return liveness != NULL ? tsr_liveness_get_variables (liveness) : NULL;
}

/* What is selected in the table is seen in the map. */
static void
reveal_in_map (TsrMemoryPage *self, const TsrTab *tab, const GArray *rows)
{
  if (tab->answer != NULL && tab->answer->allocations != NULL && rows->len > 0)
    tsr_address_view_reveal (tsr_address_panel_get_view (self->panel),
                             tab->answer->allocations[g_array_index (rows, guint32, 0)]);
}

static void
show_wanted (TsrMemoryPage *self, TsrTab *tab)
{
  TsrRows *rows = tab->answer != NULL ? tab->answer->rows : NULL;
  const char *wanted = self->wanted_rows[tab->number];

  for (guint32 row = 0; wanted != NULL && rows != NULL && row < tsr_rows_get_n (rows); row++)
    if (g_strcmp0 (tsr_rows_get_text (rows, row, 0), wanted) == 0)
      {
        tsr_row_view_select (tab->view, &row, 1);
        return;
      }
}

void
tsr_memory_page_want_row (TsrMemoryPage *self, TsrMemoryTab tab, const char *name)
{
  g_free (self->wanted_rows[tab]);
  self->wanted_rows[tab] = g_strdup (name);
  show_wanted (self, tsr_tabs_get (self->tabs, tab));
}

/* An allocation of the address map. */
static void
on_address_select (TsrAddressView *view, guint row, gboolean add, TsrMemoryPage *self)
{
  TsrStepSelection *steps = tsr_session_get_steps (tsr_memory_page_get_session (self));
  TsrVariables *variables = get_variables (self);
  const char *names[2] = { NULL, NULL };

  if (row != TSR_NO_DATUM && variables != NULL)
    names[0] = tsr_variables_get_name (variables, tsr_variables_of_lowered (variables, row));
  if (add && names[0] != NULL)
    tsr_step_selection_toggle_variable (steps, names[0]);
  else if (!add)
    tsr_step_selection_set_variables (steps, names);
}

static void
on_address_hover (TsrPlane *view, TsrMemoryPage *self)
{
  g_autofree char *line = tsr_plane_dup_line (view);

  tsr_page_set_status_left (TSR_PAGE (self), line);
}

/* A double click plots the variable, or takes it away. */
static void
on_activate_row (TsrRowView *view, guint row, TsrTab *tab)
{
  TsrMemoryPage *self
      = TSR_MEMORY_PAGE (gtk_widget_get_ancestor (GTK_WIDGET (tab->tabs), TSR_TYPE_MEMORY_PAGE));
  const TsrTableAnswer *answer = tab->answer;

  if (answer == NULL || answer->variables == NULL || row >= tsr_rows_get_n (answer->rows))
    return;
  tsr_variable_picker_toggle (self->picker,
                              tsr_variables_get_name (tsr_liveness_get_variables (answer->liveness),
                                                      answer->variables[row]));
  g_object_set (self, "graph", tsr_memory_graph_get_nick (TSR_MEMORY_GRAPH_VARIABLES), NULL);
}

static guint
get_row_ink (gpointer data, guint32 row)
{
  TsrMemoryPage *self = data;
  const TsrTableAnswer *answer = tsr_tabs_get (self->tabs, TSR_MEMORY_TAB_VARIABLES)->answer;
  TsrAddressMap *map = tsr_address_view_get_map (tsr_address_panel_get_view (self->panel));

  if (map == NULL || answer == NULL || answer->allocations == NULL
      || row >= tsr_rows_get_n (answer->rows))
    return TSR_NO_DATUM;
  return tsr_address_map_get_ink (map, answer->allocations[row]);
}

/* Tabs */

static const TsrTabWords words[] = {
  { "details", .is_single = TRUE },
  { "compute-sets", .filter = N_ ("Filter compute sets"), .is_counted = TRUE },
  { "vertices", .filter = N_ ("Filter vertices"), .is_counted = TRUE },
  { "exchanges", .filter = N_ ("Filter exchanges"), .is_counted = TRUE },
  { "variables", .filter = N_ ("Filter variables"), .is_counted = TRUE },
};

/* Whether what is missing may still come; what the tab needs beside the memory, and why it will
 * not. */
static void
ask_stage (TsrMemoryPage *self, TsrStage stage, TsrMemoryQuestion *question)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  TsrReport *report = tsr_session_get_report (session);
  const GError *error = report != NULL ? tsr_report_get_stage_error (report, stage) : NULL;

  question->pending
      = report == NULL
        || (tsr_report_get_stage_state (report, stage) != TSR_STAGE_FAILED
            && (stage == TSR_STAGE_PROGRAMS || tsr_session_is_lowered_pending (session)));
  question->why = error != NULL ? error->message : NULL;
}

static gboolean
ask (gpointer page, const TsrTab *tab, TsrTableQuestion *question)
{
  TsrMemoryPage *self = page;
  TsrSession *session = tsr_memory_page_get_session (self);
  TsrMemoryQuestion *asked = &question->of_memory;

  asked->tiles
      = (guint *)tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &asked->n_tiles);
  question->memory = tsr_session_get_memory (session);
  if (tab->number == TSR_MEMORY_TAB_VARIABLES)
    {
      tsr_address_panel_set_tile (self->panel,
                                  asked->n_tiles == 1 ? asked->tiles[0] : TSR_NO_INDEX);
      if (tsr_tabs_get_shown (self->tabs) == tab)
        tsr_session_want (session, TSR_STAGE_LOWERED);
      asked->liveness = tsr_session_get_liveness (session);
      ask_stage (self, TSR_STAGE_LOWERED, asked);
    }
  else if (tab->number != TSR_MEMORY_TAB_DETAILS)
    {
      asked->vertices = tsr_session_get_vertices (session);
      ask_stage (self, TSR_STAGE_PROGRAMS, asked);
    }
  return question->memory != NULL;
}

#define ROW_HEIGHT 24 /* of the tree of figures, about */

/* In a high window all figures are seen at once, unless the user has opened or folded some. */
static void
open_details (TsrMemoryPage *self, TsrTab *tab)
{
  TsrRows *rows = tab->answer != NULL ? tab->answer->rows : NULL;
  TsrSettings *settings = tsr_session_get_settings (tsr_memory_page_get_session (self));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) keys = NULL, kept = tsr_settings_dup_strv (settings, "memory-details-expanded");

  if (self->details_opened || rows == NULL
      || gtk_widget_get_height (GTK_WIDGET (tab->view)) < ROW_HEIGHT * (int)tsr_rows_get_n (rows))
    return;
  self->details_opened = TRUE;
  if (g_strv_length (kept) != 1 || !g_str_equal (kept[0], "excludingGaps"))
    return;
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    {
      g_autofree char *key = tsr_rows_dup_key (rows, row);

      if (key != NULL && tsr_rows_get_end (rows, row) > row + 1)
        g_strv_builder_add (builder, key);
    }
  keys = g_strv_builder_end (builder);
  tsr_row_view_set_keys (tab->view, (const char *const *)keys);
}

static gboolean
on_placed (gpointer page)
{
  TsrMemoryPage *self = page;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    open_details (self, tsr_tabs_get (self->tabs, TSR_MEMORY_TAB_DETAILS));
  return G_SOURCE_REMOVE;
}

/* Beside the graph they are high, once they have their place. */
static void
on_orientation (TsrMemoryPage *self)
{
  g_idle_add_full (G_PRIORITY_LOW, on_placed, g_object_ref (self), g_object_unref);
}

static void
on_shown (gpointer page, TsrTab *tab)
{
  TsrMemoryPage *self = page;
  g_autoptr (GArray) rows = NULL;

  if (tab->number == TSR_MEMORY_TAB_DETAILS)
    open_details (self, tab);
  if (tab->answer == NULL || tab->answer->variables == NULL)
    {
      show_wanted (self, tab);
      return;
    }
  rows = tsr_row_view_dup_selected (tab->view);
  reveal_in_map (self, tab, rows);
}

/* The compute set that was selected is the subject of the other pages. */
static void
tell_set (TsrMemoryPage *self, TsrTab *tab, const GArray *rows)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  const char *name
      = rows->len > 0 ? tsr_rows_get_text (tab->answer->rows, g_array_index (rows, guint32, 0), 0)
                      : NULL;

  if (name != NULL)
    tsr_session_set_subject (
        session, &(TsrSubject){ .kind = TSR_SUBJECT_COMPUTE_SET, .name = (char *)name });
  else
    tsr_session_drop_subject (session, TSR_SUBJECT_COMPUTE_SET);
}

static void
on_selected (gpointer page, TsrTab *tab, const GArray *rows)
{
  TsrMemoryPage *self = page;

  g_clear_pointer (&self->wanted_rows[tab->number], g_free);
  self->subject_rows[tab->number] = FALSE;
  if (tab->number == TSR_MEMORY_TAB_COMPUTE_SETS)
    tell_set (self, tab, rows);
  reveal_in_map (self, tab, rows);
}

static void
add_tab (gpointer page, TsrTab *tab)
{
  TsrMemoryPage *self = page;
  TsrAddressView *view;

  if (tab->number == TSR_MEMORY_TAB_COMPUTE_SETS)
    tsr_tab_add_ways (tab, "compute-set", "compute-set");
  if (tab->number != TSR_MEMORY_TAB_VARIABLES)
    return;
  tsr_tab_add_ways (tab, "touching", "variable");
  self->panel = tsr_address_panel_new (tab->child);
  tab->child = GTK_WIDGET (self->panel);
  view = tsr_address_panel_get_view (self->panel);
  tsr_row_view_set_ink_func (tab->view, get_row_ink, self, NULL);
  g_signal_connect (tab->view, "activate-row", G_CALLBACK (on_activate_row), tab);
  g_signal_connect (view, "select", G_CALLBACK (on_address_select), self);
  g_signal_connect (view, "hover-changed", G_CALLBACK (on_address_hover), self);
}

static const TsrTabsSetup setup = {
  .command = "memory",
  .label = N_ ("Memory tables"),
  .words = words,
  .n_words = G_N_ELEMENTS (words),
  .add = add_tab,
  .ask = ask,
  .shown = on_shown,
  .selected = on_selected,
};

TsrMemoryTab
tsr_memory_page_get_tab (TsrMemoryPage *self)
{
  return tsr_tabs_get_shown (self->tabs)->number;
}

static void
on_tab_changed (TsrMemoryPage *self)
{
  const TsrTab *tab = tsr_tabs_get_shown (self->tabs);

  gtk_widget_set_visible (self->details_buttons, tab->number == TSR_MEMORY_TAB_DETAILS);
}

/* What failed says so in place of its graph. */
static void
on_stage (TsrMemoryPage *self, TsrStage stage)
{
  TsrReport *report = tsr_session_get_report (tsr_memory_page_get_session (self));

  if (report != NULL && tsr_report_get_stage_state (report, stage) == TSR_STAGE_FAILED
      && (stage == TSR_STAGE_LOWERED || stage == TSR_STAGE_LIVENESS))
    tsr_memory_page_update_graphs (self);
}

void
tsr_memory_page_restore_details (TsrMemoryPage *self)
{
  TsrSession *session = tsr_memory_page_get_session (self);

  tsr_address_panel_set_session (self->panel, session);
  tsr_address_panel_bind (self->panel, tsr_page_get_view_state (TSR_PAGE (self)),
                          TSR_MEMORY_OPTION_MAP_STEP, TSR_MEMORY_OPTION_MAP_COLOUR);
  tsr_tabs_bind (self->tabs, tsr_page_get_view_state (TSR_PAGE (self)), TSR_MEMORY_OPTION_TAB);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_stage), self,
                           G_CONNECT_SWAPPED);
  tsr_tabs_set_session (self->tabs, session);
}

TsrAddressPanel *
tsr_memory_page_get_address_panel (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->panel;
}

TsrRowView *
tsr_memory_page_get_rows (TsrMemoryPage *self, TsrMemoryTab tab)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self) && tab < TSR_MEMORY_N_TABS, NULL);
  return tab != TSR_MEMORY_TAB_DETAILS ? tsr_tabs_get (self->tabs, tab)->view : NULL;
}

/* The menus stand beside the chart and the table; their actions are those widgets' own. */
static void
on_forward (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrMemoryPage *self = data;
  gboolean chart = g_str_has_prefix (g_action_get_name (G_ACTION (action)), "export-")
                   || g_str_equal (g_action_get_name (G_ACTION (action)), "copy-image");
  GtkWidget *widget = chart ? tsr_memory_page_get_graph_widget (self) : GTK_WIDGET (self->details);
  const char *prefix = chart ? "chart" : "rows";
  g_autofree char *name = g_strdup_printf ("%s.%s", prefix, g_action_get_name (G_ACTION (action)));

  gtk_widget_activate_action_variant (widget, name, parameter);
}

void
tsr_memory_page_init_details (TsrMemoryPage *self)
{
  static const GActionEntry chart_entries[] = {
    { .name = "export-image", .activate = on_forward },
    { .name = "export-data", .activate = on_forward },
    { .name = "copy-image", .activate = on_forward },
  };
  static const GActionEntry rows_entries[] = {
    { .name = "copy", .activate = on_forward },
    { .name = "copy-all", .activate = on_forward },
    { .name = "save", .activate = on_forward },
    { .name = "expand-all", .activate = on_forward },
    { .name = "collapse-all", .activate = on_forward },
    { .name = "sort", .activate = on_forward, .parameter_type = "i" },
  };
  g_autoptr (GSimpleActionGroup) chart = g_simple_action_group_new ();
  g_autoptr (GSimpleActionGroup) rows = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (chart), chart_entries,
                                   G_N_ELEMENTS (chart_entries), self);
  g_action_map_add_action_entries (G_ACTION_MAP (rows), rows_entries, G_N_ELEMENTS (rows_entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "chart", G_ACTION_GROUP (chart));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "rows", G_ACTION_GROUP (rows));
  tsr_tabs_setup (self->tabs, &setup, self);
  tsr_tabs_set_end (self->tabs, self->details_buttons);
  g_signal_connect_object (self->tabs, "tab-changed", G_CALLBACK (on_tab_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->split, "notify::orientation", G_CALLBACK (on_orientation), self,
                           G_CONNECT_SWAPPED);
  self->details = tsr_tabs_get (self->tabs, TSR_MEMORY_TAB_DETAILS)->view;
  tsr_row_view_set_export_func (self->details, new_details_of_each, self);
  gtk_menu_button_set_menu_model (self->sort_button, tsr_row_view_get_sort_menu (self->details));
}
