/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The details of the Memory page: the tree of figures, and tables of compute sets, vertices,
 * exchanges and variables of the selected tiles, each answered by a worker. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-memory-details.h"
#include "tsr-memory-words.h"
#include "tsr-rows-print.h"

#include <glib/gi18n.h>

#define STATE_TAB "memory-tab"

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

/* Selection of variables */

static TsrVariables *
get_variables (TsrMemoryPage *self)
{
  TsrLiveness *liveness = tsr_session_get_liveness (tsr_memory_page_get_session (self));

  return liveness != NULL ? tsr_liveness_get_variables (liveness) : NULL;
}

/* What is selected in the table is seen in the map. */
static void
reveal_in_map (TsrMemoryTabPage *tab, const GArray *rows)
{
  if (tab->answer->allocations != NULL && rows->len > 0)
    tsr_address_view_reveal (tsr_address_panel_get_view (tab->page->panel),
                             tab->answer->allocations[g_array_index (rows, guint32, 0)]);
}

/* What is selected in the table is selected in the window. */
static void
on_rows_selected (TsrRowView *view, TsrMemoryTabPage *tab)
{
  TsrMemoryPage *self = tab->page;
  TsrVariables *variables = get_variables (self);
  g_autoptr (GArray) rows = NULL;
  g_autoptr (GPtrArray) names = NULL;

  if (!self->applying)
    g_clear_pointer (&tab->wanted, g_free);
  if (self->applying || variables == NULL || tab->answer == NULL || tab->answer->variables == NULL)
    return;
  rows = tsr_row_view_dup_selected (view);
  names = g_ptr_array_new ();
  for (guint i = 0; i < rows->len; i++)
    {
      const char *name = tsr_variables_get_name (
          variables, tab->answer->variables[g_array_index (rows, guint32, i)]);

      if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer)name);
    }
  g_ptr_array_add (names, NULL);
  self->applying = TRUE;
  tsr_step_selection_set_variables (tsr_session_get_steps (tsr_memory_page_get_session (self)),
                                    (const char *const *)names->pdata);
  self->applying = FALSE;
  reveal_in_map (tab, rows);
}

/* (transfer full) (element-type guint32): rows of the variables that are selected in the window. */
static GArray *
list_selected_rows (TsrMemoryTabPage *tab)
{
  const char *const *names = tsr_step_selection_peek_variables (
      tsr_session_get_steps (tsr_memory_page_get_session (tab->page)));
  TsrVariables *variables = get_variables (tab->page);
  g_autoptr (GHashTable) selected = g_hash_table_new (NULL, NULL);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; variables != NULL && names != NULL && names[i] != NULL; i++)
    {
      guint variable = tsr_variables_find (variables, names[i]);

      if (variable != TSR_NO_INDEX)
        g_hash_table_add (selected, GUINT_TO_POINTER (variable));
    }
  for (guint32 row = 0;
       g_hash_table_size (selected) > 0 && row < tsr_rows_get_n (tab->answer->rows); row++)
    if (g_hash_table_contains (selected, GUINT_TO_POINTER (tab->answer->variables[row])))
      g_array_append_val (rows, row);
  return rows;
}

static void
select_rows (TsrMemoryTabPage *tab, const GArray *rows)
{
  tab->page->applying = TRUE;
  tsr_row_view_select (tab->view, (const guint32 *)(gpointer)rows->data, rows->len);
  tab->page->applying = FALSE;
}

/* Another view selected them. */
static void
show_selected_variables (TsrMemoryPage *self)
{
  TsrMemoryTabPage *tab = &self->tabs[TSR_MEMORY_TAB_VARIABLES];
  g_autoptr (GArray) rows = NULL;

  if (self->applying || tab->answer == NULL || tab->answer->variables == NULL)
    return;
  rows = list_selected_rows (tab);
  select_rows (tab, rows);
}

static void
show_wanted (TsrMemoryTabPage *tab)
{
  TsrRows *rows = tab->answer != NULL ? tab->answer->rows : NULL;

  for (guint32 row = 0; tab->wanted != NULL && rows != NULL && row < tsr_rows_get_n (rows); row++)
    if (g_strcmp0 (tsr_rows_get_text (rows, row, 0), tab->wanted) == 0)
      {
        tab->page->applying = TRUE;
        tsr_row_view_select (tab->view, &row, 1);
        tab->page->applying = FALSE;
        return;
      }
}

void
tsr_memory_page_want_row (TsrMemoryPage *self, TsrMemoryTab tab, const char *name)
{
  g_free (self->tabs[tab].wanted);
  self->tabs[tab].wanted = g_strdup (name);
  show_wanted (&self->tabs[tab]);
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
on_activate_row (TsrRowView *view, guint row, TsrMemoryTabPage *tab)
{
  TsrVariables *variables = get_variables (tab->page);

  if (variables == NULL || tab->answer == NULL || tab->answer->variables == NULL)
    return;
  tsr_variable_picker_toggle (tab->page->picker,
                              tsr_variables_get_name (variables, tab->answer->variables[row]));
  g_object_set (tab->page, "graph", tsr_memory_graph_get_nick (TSR_MEMORY_GRAPH_VARIABLES), NULL);
}

static guint
get_row_ink (gpointer data, guint32 row)
{
  TsrMemoryTabPage *tab = data;
  TsrAddressMap *map = tsr_address_view_get_map (tsr_address_panel_get_view (tab->page->panel));

  if (map == NULL || tab->answer == NULL || tab->answer->allocations == NULL)
    return TSR_NO_DATUM;
  return tsr_address_map_get_ink (map, tab->answer->allocations[row]);
}

/* Questions and answers */

static const char *const tab_titles[TSR_MEMORY_N_TABS]
    = { N_ ("Details"), N_ ("Compute Sets"), N_ ("Vertices"), N_ ("Exchanges"), N_ ("Variables") };

static void
show_answer (TsrMemoryTabPage *tab)
{
  TsrMemoryPage *self = tab->page;
  TsrMemoryAnswer *answer = tab->answer;

  self->applying = TRUE;
  tsr_row_view_set_placeholder (tab->view, answer->title, answer->text);
  tsr_row_view_set_stages (tab->view, tsr_memory_page_get_session (self), answer->stages);
  tsr_row_view_set_rows (tab->view, answer->rows,
                         tsr_session_get_units (tsr_memory_page_get_session (self)),
                         answer->sort_key, TRUE);
  self->applying = FALSE;
  if (tab->tab == TSR_MEMORY_TAB_VARIABLES && answer->variables != NULL)
    {
      g_autoptr (GArray) rows = list_selected_rows (tab);

      select_rows (tab, rows);
      reveal_in_map (tab, rows);
    }
  else
    show_wanted (tab);
}

static void
on_answered (gpointer owner, gpointer result, const GError *error)
{
  TsrMemoryTabPage *tab = owner;
  TsrMemoryAnswer *old = tab->answer;

  if (result == NULL)
    {
      tab->answer = g_new0 (TsrMemoryAnswer, 1);
      tab->answer->title = g_strdup (_ ("This table could not be computed"));
      tab->answer->text = g_strdup (error->message);
    }
  else
    tab->answer = result;
  show_answer (tab);
  if (old != NULL)
    tsr_memory_answer_free (old);
}

static gpointer
answer_question (gpointer job, GCancellable *cancellable, GError **error)
{
  return tsr_memory_answer_new (job, cancellable, error);
}

static gboolean
is_pending (TsrMemoryPage *self, TsrMemoryTab tab)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  TsrReport *report = tsr_session_get_report (session);
  TsrStage stage = tab == TSR_MEMORY_TAB_VARIABLES ? TSR_STAGE_LOWERED : TSR_STAGE_PROGRAMS;

  if (report == NULL)
    return TRUE;
  if (tsr_report_get_stage_state (report, stage) == TSR_STAGE_FAILED)
    return FALSE;
  return tab == TSR_MEMORY_TAB_VARIABLES ? tsr_session_is_lowered_pending (session) : TRUE;
}

static char *
dup_why (TsrMemoryPage *self, TsrMemoryTab tab)
{
  TsrReport *report = tsr_session_get_report (tsr_memory_page_get_session (self));
  const GError *error
      = report != NULL ? tsr_report_get_stage_error (
            report, tab == TSR_MEMORY_TAB_VARIABLES ? TSR_STAGE_LOWERED : TSR_STAGE_PROGRAMS)
                       : NULL;

  return error != NULL ? g_strdup (error->message) : NULL;
}

/* What a tab that is shown needs is read now. */
static void
want_tab (TsrMemoryPage *self)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  TsrMemoryTab tab = tsr_memory_page_get_tab (self);

  if (session != NULL && tab != TSR_MEMORY_TAB_DETAILS && gtk_widget_get_mapped (GTK_WIDGET (self)))
    tsr_session_want (session,
                      tab == TSR_MEMORY_TAB_VARIABLES ? TSR_STAGE_LOWERED : TSR_STAGE_PROGRAMS);
}

static void
ask (TsrMemoryTabPage *tab)
{
  TsrMemoryPage *self = tab->page;
  TsrSession *session = tsr_memory_page_get_session (self);
  g_autofree char *why = dup_why (self, tab->tab);
  TsrMemoryQuestion question = { .tab = tab->tab,
                                 .liveness = tsr_session_get_liveness (session),
                                 .vertices = tsr_session_get_vertices (session),
                                 .pending = is_pending (self, tab->tab),
                                 .why = why };

  question.tiles
      = (guint *)tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &question.n_tiles);
  tsr_latest_run (tab->latest, answer_question, tsr_memory_question_copy (&question),
                  (GDestroyNotify)tsr_memory_question_free, on_answered);
}

static void
ask_all (TsrMemoryPage *self)
{
  TsrMemoryTab first = tsr_memory_page_get_tab (self);
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  want_tab (self);
  tsr_address_panel_set_tile (self->panel, n == 1 ? tiles[0] : TSR_NO_INDEX);
  if (self->memory == NULL)
    return;
  if (first != TSR_MEMORY_TAB_DETAILS)
    ask (&self->tabs[first]);
  for (guint i = TSR_MEMORY_TAB_COMPUTE_SETS; i < TSR_MEMORY_N_TABS; i++)
    if (i != first)
      ask (&self->tabs[i]);
}

static gboolean
update_details (gpointer data)
{
  TsrMemoryPage *self = data;
  g_autoptr (TsrRows) rows = NULL;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  self->details_idle = 0;
  ask_all (self);
  if (self->memory != NULL)
    rows = tsr_memory_details_new (self->memory, tiles, n);
  tsr_row_view_set_rows (self->details, rows,
                         tsr_session_get_units (tsr_memory_page_get_session (self)), NULL, FALSE);
  return G_SOURCE_REMOVE;
}

/* Several changes of the selection in one turn of the main loop cost one table. */
void
tsr_memory_page_queue_details (TsrMemoryPage *self)
{
  if (self->details_idle == 0)
    self->details_idle = g_idle_add_full (G_PRIORITY_DEFAULT, update_details, self, NULL);
}

/* Tabs */

TsrMemoryTab
tsr_memory_page_get_tab (TsrMemoryPage *self)
{
  GtkWidget *child;

  /* A page that is being taken apart has none any more. */
  if (self->notebook == NULL)
    return TSR_MEMORY_TAB_DETAILS;
  child
      = gtk_notebook_get_nth_page (self->notebook, gtk_notebook_get_current_page (self->notebook));
  for (guint i = 0; i < TSR_MEMORY_N_TABS; i++)
    if (self->tabs[i].child == child)
      return i;
  return TSR_MEMORY_TAB_DETAILS;
}

void
tsr_memory_page_set_tab (TsrMemoryPage *self, TsrMemoryTab tab)
{
  gtk_notebook_set_current_page (self->notebook,
                                 gtk_notebook_page_num (self->notebook, self->tabs[tab].child));
}

static void
on_switched (TsrMemoryPage *self)
{
  TsrMemoryTab tab;

  /* The pages of a notebook that is being taken apart go one by one, and it tells of each. */
  if (self->notebook == NULL || gtk_widget_in_destruction (GTK_WIDGET (self)))
    return;
  tab = tsr_memory_page_get_tab (self);
  want_tab (self);
  gtk_widget_set_visible (self->details_buttons, tab == TSR_MEMORY_TAB_DETAILS);
  if (tsr_memory_page_get_session (self) != NULL)
    tsr_session_set_state (tsr_memory_page_get_session (self), STATE_TAB,
                           g_variant_new_string (tsr_memory_tab_get_nick (tab)));
  g_object_notify (G_OBJECT (self), "tab");
}

static void
add_tab (TsrMemoryPage *self, TsrMemoryTab which, const char *hint)
{
  TsrMemoryTabPage *tab = &self->tabs[which];
  TsrTabLabel *label;
  g_autofree char *file = g_strconcat ("memory-", tsr_memory_tab_get_nick (which), NULL);

  tab->view = tsr_row_view_new ();
  tsr_row_view_set_filter_hint (tab->view, hint);
  tsr_row_view_set_file_name (tab->view, file);
  tsr_row_view_set_multiple (tab->view, TRUE);
  tab->child = GTK_WIDGET (tab->view);
  if (which == TSR_MEMORY_TAB_VARIABLES)
    {
      self->panel = tsr_address_panel_new (GTK_WIDGET (tab->view));
      tab->child = GTK_WIDGET (self->panel);
      tsr_row_view_set_ink_func (tab->view, get_row_ink, tab, NULL);
      g_signal_connect (tab->view, "selection-changed", G_CALLBACK (on_rows_selected), tab);
      g_signal_connect (tab->view, "activate-row", G_CALLBACK (on_activate_row), tab);
      g_signal_connect (tsr_address_panel_get_view (self->panel), "select",
                        G_CALLBACK (on_address_select), self);
      g_signal_connect (tsr_address_panel_get_view (self->panel), "hover-changed",
                        G_CALLBACK (on_address_hover), self);
      g_signal_connect (tsr_address_panel_get_view (self->panel), "toast",
                        G_CALLBACK (tsr_page_toast), NULL);
    }
  label = tsr_tab_label_new (_ (tab_titles[which]), NULL, TRUE);
  tsr_tab_label_follow (label, tab->view);
  g_signal_connect (tab->view, "toast", G_CALLBACK (tsr_page_toast), NULL);
  gtk_notebook_append_page (self->notebook, tab->child, GTK_WIDGET (label));
  g_object_set (gtk_notebook_get_page (self->notebook, tab->child), "tab-fill", FALSE, NULL);
}

static void
init_tabs (TsrMemoryPage *self)
{
  for (guint i = 0; i < TSR_MEMORY_N_TABS; i++)
    {
      self->tabs[i].page = self;
      self->tabs[i].tab = i;
      self->tabs[i].latest
          = tsr_latest_new (&self->tabs[i], (GDestroyNotify)tsr_memory_answer_free);
    }
  self->tabs[TSR_MEMORY_TAB_DETAILS].child = gtk_notebook_get_nth_page (self->notebook, 0);
  gtk_notebook_set_tab_label (
      self->notebook, self->tabs[TSR_MEMORY_TAB_DETAILS].child,
      GTK_WIDGET (tsr_tab_label_new (_ (tab_titles[TSR_MEMORY_TAB_DETAILS]), NULL, FALSE)));
  add_tab (self, TSR_MEMORY_TAB_COMPUTE_SETS, _ ("Filter compute sets"));
  add_tab (self, TSR_MEMORY_TAB_VERTICES, _ ("Filter vertices"));
  add_tab (self, TSR_MEMORY_TAB_EXCHANGES, _ ("Filter exchanges"));
  add_tab (self, TSR_MEMORY_TAB_VARIABLES, _ ("Filter variables"));
  g_signal_connect_data (self->notebook, "switch-page", G_CALLBACK (on_switched), self, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
on_programs (TsrMemoryPage *self)
{
  for (guint i = TSR_MEMORY_TAB_COMPUTE_SETS; i < TSR_MEMORY_TAB_VARIABLES; i++)
    if (self->memory != NULL)
      ask (&self->tabs[i]);
}

static void
on_liveness (TsrMemoryPage *self)
{
  if (self->memory != NULL)
    ask (&self->tabs[TSR_MEMORY_TAB_VARIABLES]);
}

/* What failed says so in place of its table. */
static void
on_stage (TsrMemoryPage *self, TsrStage stage)
{
  TsrReport *report = tsr_session_get_report (tsr_memory_page_get_session (self));

  if (report == NULL || tsr_report_get_stage_state (report, stage) != TSR_STAGE_FAILED)
    return;
  if (stage == TSR_STAGE_PROGRAMS)
    on_programs (self);
  else if (stage == TSR_STAGE_LOWERED || stage == TSR_STAGE_LIVENESS)
    {
      on_liveness (self);
      tsr_memory_page_update_graphs (self);
    }
}

void
tsr_memory_page_restore_details (TsrMemoryPage *self)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  GVariant *state = tsr_session_get_state (session, STATE_TAB);
  TsrMemoryTab tab;

  tsr_address_panel_set_session (self->panel, session);
  if (state != NULL && tsr_memory_tab_parse (g_variant_get_string (state, NULL), &tab))
    tsr_memory_page_set_tab (self, tab);
  g_signal_connect_object (session, "notify::vertices", G_CALLBACK (on_programs), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (on_liveness), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "stage-changed", G_CALLBACK (on_stage), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_steps (session), "variables-changed",
                           G_CALLBACK (show_selected_variables), self, G_CONNECT_SWAPPED);
}

void
tsr_memory_page_clear_details (TsrMemoryPage *self)
{
  for (guint i = 0; i < TSR_MEMORY_N_TABS; i++)
    {
      g_clear_pointer (&self->tabs[i].latest, tsr_latest_free);
      if (self->tabs[i].view != NULL)
        tsr_row_view_set_rows (self->tabs[i].view, NULL, TSR_UNITS_BINARY, NULL, FALSE);
      g_clear_pointer (&self->tabs[i].answer, tsr_memory_answer_free);
      g_clear_pointer (&self->tabs[i].wanted, g_free);
    }
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
  return self->tabs[tab].view;
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
  init_tabs (self);
  tsr_row_view_set_file_name (self->details, "memory-details");
  tsr_row_view_set_export_func (self->details, new_details_of_each, self);
  gtk_menu_button_set_menu_model (self->sort_button, tsr_row_view_get_sort_menu (self->details));
}
