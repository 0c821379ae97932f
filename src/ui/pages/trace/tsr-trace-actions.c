/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Actions and keys of the Execution Trace that are not the view's own. */

#include "config.h"

#include "tsr-notice.h"
#include "tsr-trace-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Other views */

/* The liveness steps that a selected step may be; of its program, as long as that is not known. */
static void
show_in_liveness (TsrTracePage *self)
{
  TsrSession *session = tsr_trace_page_get_session (self);
  TsrLiveness *liveness = tsr_session_get_liveness (session);
  TsrTraceLive *live = tsr_session_get_trace_live (session);
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  g_autoptr (GString) steps = g_string_new (NULL);
  guint32 slice = tsr_trace_page_get_slice (self);
  TsrTraceSlice told;
  guint n = 0;

  if (slice == TSR_NO_SLICE)
    return;
  tsr_trace_get_slice (self->trace, slice, &told);
  for (guint i = 0; liveness != NULL && told.program != TSR_NO_INDEX
                    && i < tsr_liveness_get_n_steps (liveness) && n < TSR_MAX_SELECTED_STEPS;
       i++)
    if (tsr_liveness_get_step_program (liveness, i) == told.program
        && (live == NULL || tsr_trace_live_may_be (live, told.step, i)))
      g_string_append_printf (steps, "%s%u", n++ > 0 ? "," : "", i);
  if (n == 0)
    {
      tsr_notice_show (GTK_WIDGET (self), liveness == NULL
                                              ? _ ("There is no liveness")
                                              : _ ("No liveness step executes this program"));
      return;
    }
  tsr_view_words_set (words, "page", tsr_view_get_nick (TSR_VIEW_LIVENESS));
  tsr_view_words_set (words, "steps", steps->str);
  tsr_page_go (GTK_WIDGET (self), words);
}

/* To a view of programs, with the one that a selected step executes. */
static void
show_program_in (TsrTracePage *self, TsrView view)
{
  guint32 slice = tsr_trace_page_get_slice (self);
  TsrTraceSlice told;

  if (slice == TSR_NO_SLICE)
    return;
  tsr_trace_get_slice (self->trace, slice, &told);
  tsr_page_go_to_program (TSR_PAGE (self), view, told.program);
}

static void
show_in_programs (TsrTracePage *self)
{
  show_program_in (self, TSR_VIEW_PROGRAM_TREE);
}

static void
show_in_operations (TsrTracePage *self)
{
  show_program_in (self, TSR_VIEW_OPERATIONS);
}

/* The selected tiles are Memory's already. */
static void
show_in_memory (TsrTracePage *self)
{
  g_autoptr (GHashTable) words = tsr_page_new_words (TSR_VIEW_MEMORY);

  tsr_session_save_words (tsr_trace_page_get_session (self), TSR_VIEW_MEMORY, words);
  tsr_page_go (GTK_WIDGET (self), words);
}

static gboolean
is_name (const char *name, gpointer wanted)
{
  return g_strcmp0 (name, wanted) == 0;
}

static gboolean
is_below (const char *name, gpointer path)
{
  gsize length = strlen (path);

  return strncmp (name, path, length) == 0 && (name[length] == '/' || name[length] == '\0');
}

/* FALSE where groups are no names: the parts of a StreamCopy. */
static gboolean
has_names_below (const TsrTrace *trace, char *path)
{
  for (guint i = 0; i < tsr_trace_get_n_names (trace); i++)
    if (is_below (tsr_trace_get_name (trace, i), path))
      return TRUE;
  return FALSE;
}

/* All executions of the selected step, or of the steps of the group at the cursor, whatever run. */
static void
select_same (TsrTracePage *self)
{
  guint32 slice = tsr_trace_page_get_slice (self);
  g_autofree char *path = tsr_trace_view_dup_group (self->view);
  g_autoptr (TsrTraceMatches) matches = NULL;
  TsrTraceSlice told;

  if (slice == TSR_NO_SLICE)
    return;
  tsr_trace_get_slice (self->trace, slice, &told);
  if (path != NULL && has_names_below (self->trace, path))
    matches = tsr_trace_matches_new (self->trace, is_below, path);
  else
    matches = tsr_trace_matches_new (self->trace, is_name, (gpointer)told.name);
  tsr_trace_state_set_selected_group (tsr_trace_page_get_state (self), matches);
}

/* Actions */

static void
show_all_types (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  g_auto (GStrv) hidden = g_strdupv ((char **)tsr_trace_state_peek_hidden (state));

  for (guint i = 0; hidden[i] != NULL; i++)
    tsr_trace_state_set_hidden (state, hidden[i], FALSE);
}

static void
clear_selection (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);

  tsr_trace_state_set_span (state, 0, 0);
  tsr_trace_state_set_selected_group (state, NULL);
  tsr_trace_state_set_steps (state, NULL, 0);
}

static void
run_in_tabs (TsrTracePage *self, const char *action)
{
  tsr_tabs_run (TSR_TABS (self->tabs), action);
}

static void
next_match (TsrTracePage *self)
{
  tsr_trace_page_find (self, 1);
}

static void
previous_match (TsrTracePage *self)
{
  tsr_trace_page_find (self, -1);
}

static void
zoom_to_next_match (TsrTracePage *self)
{
  tsr_trace_page_zoom_to_match (self, 1);
}

static void
zoom_to_previous_match (TsrTracePage *self)
{
  tsr_trace_page_zoom_to_match (self, -1);
}

static void
focus_search (TsrTracePage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static void
edit_run (TsrTracePage *self)
{
  gtk_widget_activate (GTK_WIDGET (self->run_chooser));
}

static void
edit_ipu (TsrTracePage *self)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (self->ipu_chooser)))
    return;
  gtk_menu_button_popup (self->view_button);
  gtk_widget_activate (GTK_WIDGET (self->ipu_chooser));
}

static void
edit_types (TsrTracePage *self)
{
  gtk_menu_button_popup (self->view_button);
  gtk_menu_button_popup (self->types_button);
}

static void
set_flat (TsrTracePage *self)
{
  g_object_set (self, "shape", "flat", NULL);
}

static void
set_flame (TsrTracePage *self)
{
  g_object_set (self, "shape", "flame", NULL);
}

static void
toggle_bsp (TsrTracePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "trace.bsp", NULL);
}

static void
toggle_time (TsrTracePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "trace.time", NULL);
}

static const TsrPageAction actions[] = {
  { "trace.search", "slash <Shift>slash <Control>f", G_CALLBACK (focus_search) },
  { "trace.next-match", "n", G_CALLBACK (next_match) },
  { "trace.previous-match", "p", G_CALLBACK (previous_match) },
  { "trace.zoom-to-next-match", "<Shift>n", G_CALLBACK (zoom_to_next_match) },
  { "trace.zoom-to-previous-match", "<Shift>p", G_CALLBACK (zoom_to_previous_match) },
  { "trace.edit-range", "g", G_CALLBACK (tsr_trace_page_edit_range) },
  { "trace.edit-run", "", G_CALLBACK (edit_run) },
  { "trace.edit-ipu", "", G_CALLBACK (edit_ipu) },
  { "trace.edit-types", "", G_CALLBACK (edit_types) },
  { "trace.show-all-types", "", G_CALLBACK (show_all_types) },
  { "trace.clear-selection", "", G_CALLBACK (clear_selection) },
  { "trace.show-in-liveness", "", G_CALLBACK (show_in_liveness) },
  { "trace.show-in-memory", "", G_CALLBACK (show_in_memory) },
  { "trace.show-in-programs", "", G_CALLBACK (show_in_programs) },
  { "trace.show-in-operations", "", G_CALLBACK (show_in_operations) },
  { "trace.select-same", "", G_CALLBACK (select_same) },
  { "trace.flat", "<Control>1", G_CALLBACK (set_flat) },
  { "trace.flame", "<Control>2", G_CALLBACK (set_flame) },
  { "trace.toggle-bsp", "<Control>3", G_CALLBACK (toggle_bsp) },
  { "trace.toggle-time", "t", G_CALLBACK (toggle_time) },
  { "trace.next-tab", "<Control>Page_Down", G_CALLBACK (run_in_tabs), "next", .is_first = TRUE },
  { "trace.previous-tab", "<Control>Page_Up", G_CALLBACK (run_in_tabs), "previous",
    .is_first = TRUE },
  { "trace.save-table", "", G_CALLBACK (run_in_tabs), "rows.save" },
  { "trace.copy-table", "", G_CALLBACK (run_in_tabs), "rows.copy-all" },
};

void
tsr_trace_page_install_actions (TsrPageClass *klass)
{
  tsr_page_class_install_actions (klass, actions, G_N_ELEMENTS (actions));
}

/* Menus stand beside the view; the actions are its own. */
static void
on_forward (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree char *name = g_strdup_printf ("chart.%s", g_action_get_name (G_ACTION (action)));

  gtk_widget_activate_action_variant (widget, name, parameter);
}

void
tsr_trace_page_add_forwarding (TsrTracePage *self)
{
  static const GActionEntry entries[] = {
    { .name = "export-image", .activate = on_forward },
    { .name = "export-data", .activate = on_forward },
    { .name = "copy-image", .activate = on_forward },
    { .name = "measure-visible", .activate = on_forward },
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries),
                                   self->view);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "chart", G_ACTION_GROUP (group));
}
