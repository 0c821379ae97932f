/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page owns no data: trace, state, markers and tiles are the session's.  The chart is made anew
 * with each trace, what it shows is the state's. */

#include "config.h"

#include "tsr-trace-page-private.h"

#include "tsr-control-row.h"
#include "tsr-compact.h"
#include "tsr-subject-parts.h"
#include "tsr-notice.h"
#include "tsr-trace-preview.h"

#include <glib/gi18n.h>

/* Not the view's name: its positions mean nothing in a link, which has cycles. */
#define VIEWPORT "trace-positions"
#define CONTEXT  10 /* times a match, on either side of it */

G_DEFINE_FINAL_TYPE (TsrTracePage, tsr_trace_page, TSR_TYPE_PAGE)

/* The trace */

static void
drop_trace (TsrTracePage *self)
{
  tsr_latest_cancel (self->group_work);
  tsr_trace_view_set_chart (self->view, NULL);
  g_clear_object (&self->chart);
  g_clear_pointer (&self->trace, tsr_trace_unref);
  g_clear_pointer (&self->subject_group, tsr_trace_matches_unref);
}

static void
on_trace_changed (TsrTracePage *self)
{
  TsrSession *session = tsr_trace_page_get_session (self);
  TsrTrace *trace = tsr_session_get_trace (session);

  if (trace == self->trace)
    return;
  drop_trace (self);
  if (trace != NULL)
    {
      self->trace = tsr_trace_ref (trace);
      self->chart = tsr_trace_chart_new (trace, tsr_trace_page_get_state (self));
      tsr_trace_page_update_tile_order (self);
      tsr_trace_view_set_chart (self->view, self->chart);
    }
  tsr_trace_page_fill_controls (self);
  if (trace != NULL)
    tsr_trace_page_apply_words (self);
  tsr_trace_page_update_group (self);
  tsr_trace_page_update_live (self);
  tsr_trace_page_update_scope (self);
  tsr_trace_page_update_status_left (self);
  tsr_trace_page_update_status_right (self);
  tsr_page_update_subject (TSR_PAGE (self));
}

static void
on_settled (TsrTracePage *self)
{
  gint64 from = 0, to = 0;

  if (tsr_trace_view_get_visible (self->view, &from, &to))
    tsr_trace_tabs_set_range (self->tabs, from, to);
  tsr_trace_page_update_scope (self);
}

static void
on_selection_changed (TsrTracePage *self)
{
  tsr_trace_page_update_group (self);
  tsr_trace_page_update_scope (self);
  tsr_trace_page_update_status_right (self);
}

/* A tile of a band is one of the replica that Memory shows. */
static void
on_select_tile (TsrTraceView *view, guint ipu, guint tile, gboolean add, TsrTracePage *self)
{
  TsrTileSelection *selection = tsr_session_get_selection (tsr_trace_page_get_session (self));
  TsrMemory *memory = tsr_session_get_memory (tsr_trace_page_get_session (self));
  gint64 replica, ipu_in_replica, tiles = tsr_trace_get_tiles_per_ipu (self->trace);
  guint64 number;
  guint chosen;

  tsr_trace_get_replica (self->trace, ipu, &replica, &ipu_in_replica);
  if (memory == NULL || tiles == TSR_UNKNOWN)
    return;
  number = (guint64)(ipu_in_replica != TSR_UNKNOWN ? ipu_in_replica : ipu) * (guint64)tiles + tile;
  if (number >= tsr_memory_get_n_tiles (memory))
    return;
  chosen = (guint)number;
  if (add)
    tsr_tile_selection_toggle (selection, chosen);
  else
    tsr_tile_selection_set (selection, &chosen, 1);
}

/* Search */

static void
on_next (TsrTracePage *self)
{
  tsr_trace_page_find (self, 1);
}

static void
on_previous (TsrTracePage *self)
{
  tsr_trace_page_find (self, -1);
}

static void
on_found (TsrTraceSearch *search, guint slice, TsrTracePage *self)
{
  TsrTraceSlice told;
  gint64 around;

  tsr_trace_view_go_to (self->view, slice, TRUE);
  if (!self->zoom_to_match)
    return;
  self->zoom_to_match = FALSE;
  tsr_trace_get_slice (self->trace, slice, &told);
  if (told.start == TSR_UNKNOWN || told.end == TSR_UNKNOWN)
    return;
  around = MIN (MAX (told.end - told.start, 1), G_MAXINT64 / 64) * CONTEXT;
  tsr_trace_view_zoom_to (self->view, told.start, told.end);
  tsr_viewport_zoom_middle (tsr_trace_view_get_viewport (self->view),
                            (double)(told.end - told.start + 1)
                                / (double)(told.end - told.start + 2 * around));
}

static void
on_go_to (TsrTraceTabs *tabs, gint64 from, gint64 to, TsrTracePage *self)
{
  tsr_trace_view_zoom_to (self->view, from, to);
}

/* Markers */

static void
point_at (TsrTracePage *self, gint64 cycles)
{
  TsrTraceFold *fold = tsr_trace_chart_get_fold (self->chart);
  double x = tsr_plane_get_area (TSR_PLANE (self->view))->x, width, from, to;

  width = tsr_plane_get_area (TSR_PLANE (self->view))->width;
  tsr_viewport_get_range (tsr_trace_view_get_viewport (self->view), &from, &to);
  x += CLAMP ((tsr_trace_fold_get_position (fold, cycles) - from) / MAX (to - from, 1e-9), 0, 1)
       * width;
  gtk_popover_set_pointing_to (
      GTK_POPOVER (self->note),
      &(GdkRectangle){ (int)x, tsr_trace_view_get_top (self->view) + 4, 1, 18 });
}

static void
on_mark (TsrTraceView *view, gint64 from, gint64 to, TsrTracePage *self)
{
  point_at (self, from);
  tsr_trace_note_ask_new (self->note, from, to);
}

static void
on_edit_marker (TsrTraceView *view, guint marker, TsrTracePage *self)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (tsr_trace_page_get_state (self));

  if (marker >= markers->len)
    return;
  point_at (self, ((const TsrTraceMarker *)markers->pdata[marker])->from);
  tsr_trace_note_ask (self->note, marker);
}

static void
on_jump (TsrTraceNotes *notes, guint index, TsrTracePage *self)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (tsr_trace_page_get_state (self));
  const TsrTraceMarker *marker = index < markers->len ? markers->pdata[index] : NULL;
  gint64 from, to, half;

  if (marker == NULL || !tsr_trace_view_get_visible (self->view, &from, &to))
    return;
  if (marker->from < marker->to)
    {
      tsr_trace_view_zoom_to (self->view, marker->from, marker->to);
      return;
    }
  half = MAX ((to - from) / 2, 1);
  tsr_trace_view_show (self->view, marker->from - half, marker->from + half);
}

/* Page */

/* The toast goes away; below the list of markers it stays for as long as it is so. */
static void
on_markers_error (TsrTracePage *self)
{
  const char *error = tsr_session_get_markers_error (tsr_trace_page_get_session (self));
  g_autofree char *text = NULL;

  if (error != NULL)
    text = g_strdup_printf (
        _ ("The markers could not be saved, they are there until the report is closed: %s"), error);
  tsr_trace_notes_set_error (self->notes, text);
  tsr_notice_show (GTK_WIDGET (self), text != NULL ? text : _ ("The markers are saved"));
}

static void
follow_session (TsrTracePage *self, TsrSession *session)
{
  TsrTraceState *state = tsr_session_get_trace_state (session);
  static const char *const scope[]
      = { "options-changed", "hidden-changed", "run-changed", "span-changed", "steps-changed" };
  static const char *const live[]
      = { "notify::trace-live", "notify::liveness", "notify::units", "stage-changed" };

  g_signal_connect_object (session, "notify::trace", G_CALLBACK (on_trace_changed), self,
                           G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (live); i++)
    g_signal_connect_object (session, live[i], G_CALLBACK (tsr_trace_page_update_live), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "options-changed", G_CALLBACK (tsr_trace_page_update_live), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_selection (session), "changed",
                           G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (scope); i++)
    g_signal_connect_object (state, scope[i], G_CALLBACK (on_selection_changed), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "markers-error-changed", G_CALLBACK (on_markers_error), self,
                           G_CONNECT_SWAPPED);
}

static void
tsr_trace_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrTracePage *self = TSR_TRACE_PAGE (page);
  TsrViewport *viewport = tsr_session_get_viewport (session, VIEWPORT);
  TsrTraceState *state = tsr_session_get_trace_state (session);

  TSR_PAGE_CLASS (tsr_trace_page_parent_class)->set_session (page, session);
  tsr_split_keep_state (self->split, session, "trace");
  tsr_trace_page_restore_options (self);
  self->tabs = tsr_trace_tabs_new (session);
  gtk_widget_set_vexpand (GTK_WIDGET (self->tabs), TRUE);
  gtk_box_append (self->details, GTK_WIDGET (self->tabs));
  g_signal_connect_object (self->tabs, "go-to", G_CALLBACK (on_go_to), self, 0);
  tsr_trace_search_set_session (self->search, session);
  tsr_trace_notes_set_state (self->notes, state);
  self->note = tsr_trace_note_new (state);
  gtk_widget_set_parent (GTK_WIDGET (self->note), GTK_WIDGET (self->view));
  tsr_navigation_set_settings (self->navigation, tsr_session_get_settings (session));
  tsr_navigation_set_viewport (self->navigation, viewport);
  tsr_navigation_set_viewport (self->zoom_menu, viewport);
  tsr_trace_view_set_viewport (self->view, viewport);
  tsr_page_set_preview (page, GTK_WIDGET (tsr_trace_preview_new (session)));
  follow_session (self, session);
  on_trace_changed (self);
}

/* (nullable): the recorded executions of the subject's programs, else those of what is below them;
 * NULL without any. */
static TsrTraceMatches *
match_subject (TsrTracePage *self)
{
  for (guint below = 0; below < 2; below++)
    {
      guint32 n = 0;
      g_autofree guint8 *flags
          = tsr_subject_parts_dup_flags (tsr_trace_page_get_session (self), below != 0, &n);
      g_autoptr (TsrTraceMatches) matches
          = flags != NULL ? tsr_trace_matches_new_programs (self->trace, flags, n) : NULL;

      if (matches != NULL && tsr_trace_matches_has_any (matches, self->trace))
        return g_steal_pointer (&matches);
    }
  return NULL;
}

/* The longest execution of @matches that is wholly in the visible range, else, if the user has not
 * chosen that range, the longest; TSR_NO_SLICE: none. */
static guint32
find_longest (TsrTracePage *self, TsrTraceMatches *matches)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (self->trace);
  gint64 from = 0, to = 0, longest = -1;
  guint32 best = TSR_NO_SLICE;
  gboolean in_view = FALSE;

  tsr_trace_view_get_visible (self->view, &from, &to);
  for (gsize i = 0; i < t->ipu_start[t->n_ipus]; i++)
    {
      TsrTraceSlice told;
      gboolean is_visible;

      if (!tsr_trace_matches_has_slice (matches, self->trace, (guint32)i))
        continue;
      tsr_trace_get_slice (self->trace, (guint32)i, &told);
      is_visible = told.start != TSR_UNKNOWN && told.start >= from && told.end <= to;
      if (in_view > is_visible
          || (in_view == is_visible && tsr_narrow_get (&t->slice_cycles, i) <= longest))
        continue;
      in_view = is_visible;
      longest = tsr_narrow_get (&t->slice_cycles, i);
      best = (guint32)i;
    }
  return in_view || tsr_trace_view_is_whole (self->view) ? best : TSR_NO_SLICE;
}

/* When the rows have their heights. */
static gboolean
on_go_to_subject (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrTracePage *self = data;

  if (gtk_adjustment_get_page_size (tsr_trace_view_get_adjustment (self->view)) <= 1)
    return G_SOURCE_CONTINUE;
  if (self->trace != NULL && self->subject_group != NULL
      && tsr_trace_state_get_selected_group (tsr_trace_page_get_state (self))
             == self->subject_group)
    tsr_trace_view_go_to (self->view, find_longest (self, self->subject_group), FALSE);
  return G_SOURCE_REMOVE;
}

/* Marked as if they were selected as a group; the cursor goes to one of them, so that the user sees
 * where they are. */
static void
mark_subject (TsrTracePage *self, TsrTraceMatches *matches)
{
  tsr_trace_state_set_selected_group (tsr_trace_page_get_state (self), matches);
  g_clear_pointer (&self->subject_group, tsr_trace_matches_unref);
  if (matches == NULL)
    return;
  self->subject_group = tsr_trace_matches_ref (matches);
  gtk_widget_add_tick_callback (GTK_WIDGET (self->view), on_go_to_subject, self, NULL);
}

/* All executions are marked.  A step of them that is selected already stays so; so does what the
 * user marked if nothing is selected elsewhere. */
static gboolean
tsr_trace_page_take_subject (TsrPage *page, const TsrSubject *subject)
{
  TsrTracePage *self = TSR_TRACE_PAGE (page);
  TsrTraceState *state = tsr_trace_page_get_state (self);
  g_autoptr (GArray) programs = NULL;
  g_autoptr (TsrTraceMatches) matches = NULL;
  guint n = 0;
  guint32 slice;

  if (subject->kind == TSR_SUBJECT_STEP)
    return TRUE;
  programs = self->trace != NULL
                 ? tsr_subject_parts_dup_programs (tsr_trace_page_get_session (self))
                 : NULL;
  if (programs == NULL)
    return FALSE;
  matches = match_subject (self);
  if (matches == NULL)
    {
      if (self->subject_group != NULL
          && tsr_trace_state_get_selected_group (state) == self->subject_group)
        mark_subject (self, NULL);
      return TRUE;
    }
  tsr_trace_state_peek_steps (state, &n);
  slice = n > 0 ? tsr_trace_page_get_slice (self) : TSR_NO_SLICE;
  if (slice == TSR_NO_SLICE || !tsr_trace_matches_has_slice (matches, self->trace, slice))
    tsr_trace_state_set_steps (state, NULL, 0);
  mark_subject (self, matches);
  return TRUE;
}

static void
tsr_trace_page_focus_start (TsrPage *page)
{
  gtk_widget_grab_focus (GTK_WIDGET (TSR_TRACE_PAGE (page)->view));
}

/* What the line and the strip say, and the tab that is shown. */
static char *
tsr_trace_page_dup_text (TsrPage *page)
{
  TsrTracePage *self = TSR_TRACE_PAGE (page);
  g_autofree char *details = tsr_trace_tabs_dup_text (self->tabs);

  return tsr_page_join_text (page, details, NULL);
}

/* Object */

static void
tsr_trace_page_dispose (GObject *object)
{
  TsrTracePage *self = TSR_TRACE_PAGE (object);

  if (self->split != NULL)
    g_signal_handlers_disconnect_by_data (self->split, self);
  if (self->view != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->view, self);
      drop_trace (self);
    }
  if (self->note != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->note));
  if (self->range_popover != NULL && gtk_widget_get_parent (self->range_popover) == NULL)
    g_clear_object (&self->range_popover);
  self->note = NULL;
  self->split = NULL;
  self->view = NULL;
  g_clear_pointer (&self->words, g_hash_table_unref);
  g_clear_pointer (&self->group_work, tsr_latest_free);
  G_OBJECT_CLASS (tsr_trace_page_parent_class)->dispose (object);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrTracePage, run_chooser),  TSR_PAGE_CHILD (TsrTracePage, ipu_chooser),
  TSR_PAGE_CHILD (TsrTracePage, types_button), TSR_PAGE_CHILD (TsrTracePage, view_button),
  TSR_PAGE_CHILD (TsrTracePage, notes_button), TSR_PAGE_CHILD (TsrTracePage, types_box),
  TSR_PAGE_CHILD (TsrTracePage, details),      TSR_PAGE_CHILD (TsrTracePage, notes),
  TSR_PAGE_CHILD (TsrTracePage, navigation),   TSR_PAGE_CHILD (TsrTracePage, zoom_menu),
  TSR_PAGE_CHILD (TsrTracePage, search),       TSR_PAGE_CHILD (TsrTracePage, split),
  TSR_PAGE_CHILD (TsrTracePage, view),         { NULL },
};

static void
tsr_trace_page_class_init (TsrTracePageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  object_class->dispose = tsr_trace_page_dispose;
  page_class->view = TSR_VIEW_EXECUTION_TRACE;
  page_class->stage = TSR_STAGE_EXECUTION;
  page_class->set_session = tsr_trace_page_set_session;
  page_class->focus_start = tsr_trace_page_focus_start;
  page_class->dup_text = tsr_trace_page_dup_text;
  page_class->save_words = tsr_trace_page_save_words;
  page_class->load_words = tsr_trace_page_load_words;
  page_class->take_subject = tsr_trace_page_take_subject;
  tsr_trace_page_install_options (page_class);
  tsr_trace_page_install_actions (page_class);
  g_type_ensure (TSR_TYPE_CONTROL_ROW);
  g_type_ensure (TSR_TYPE_COMPACT);
  g_type_ensure (TSR_TYPE_NAVIGATION);
  g_type_ensure (TSR_TYPE_SPLIT);
  g_type_ensure (TSR_TYPE_TRACE_NOTES);
  g_type_ensure (TSR_TYPE_TRACE_SEARCH);
  g_type_ensure (TSR_TYPE_TRACE_VIEW);
  tsr_page_class_set_template (page_class, "tsr-trace-page.ui", children);
}

static void
tsr_trace_page_init (TsrTracePage *self)
{
  self->wanted_top = -1;
  self->group_work = tsr_latest_new (self, (GDestroyNotify)tsr_trace_marks_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
  tsr_trace_page_init_controls (self);
  tsr_trace_page_add_forwarding (self);
  g_signal_connect_swapped (self->view, "settled", G_CALLBACK (on_settled), self);
  g_signal_connect_swapped (self->view, "hover-changed",
                            G_CALLBACK (tsr_trace_page_update_status_left), self);
  g_signal_connect (self->view, "select-tile", G_CALLBACK (on_select_tile), self);
  g_signal_connect (self->view, "mark", G_CALLBACK (on_mark), self);
  g_signal_connect (self->view, "edit-marker", G_CALLBACK (on_edit_marker), self);
  g_signal_connect (self->notes, "jump", G_CALLBACK (on_jump), self);
  g_signal_connect (self->search, "found", G_CALLBACK (on_found), self);
  g_signal_connect_swapped (self->search, "left", G_CALLBACK (gtk_widget_grab_focus), self->view);
  g_signal_connect_swapped (self->search, "next", G_CALLBACK (on_next), self);
  g_signal_connect_swapped (self->search, "previous", G_CALLBACK (on_previous), self);
}

TsrTraceNote *
tsr_trace_page_get_note (TsrTracePage *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_PAGE (self), NULL);
  return self->note;
}

gboolean
tsr_trace_page_is_busy (TsrTracePage *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_PAGE (self), FALSE);
  return tsr_trace_view_is_busy (self->view) || tsr_trace_search_is_busy (self->search)
         || tsr_trace_tabs_is_busy (self->tabs) || tsr_latest_is_running (self->group_work);
}
