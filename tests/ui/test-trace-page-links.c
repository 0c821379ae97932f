/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the Execution Trace finds, keeps and leads to: its search, words, markers, other views. */

#include "config.h"

#include "trace-page-test.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <string.h>

static gboolean
has_selected (PageTest *f)
{
  guint n;

  tsr_trace_state_peek_steps (page_test_get_state (f), &n);
  return n > 0;
}

/* In the run that is shown. */
static guint64
count_names (PageTest *f, const char *like)
{
  const TsrTraceRun *run
      = tsr_trace_state_get_chosen_run (page_test_get_state (f), page_test_get_trace (f));

  return (guint64)tsr_test_ask (
      f->folder,
      "SELECT count(*) FROM steps_by_ipu i JOIN steps s ON s.id = i.step_id LEFT JOIN compute_sets "
      "c ON c.compute_set = s.compute_set LEFT JOIN programs p ON p.id = s.program WHERE "
      "coalesce(nullif(c.name, ''), p.name) LIKE '%%%s%%' AND i.cycles > 0 AND s.run = (SELECT id "
      "FROM runs WHERE name = '%s')",
      like, run->name);
}

static void
test_search (PageTest *f, gconstpointer data)
{
  TsrTraceSearch *search = tsr_ui_test_child (f->page, "search");
  guint64 n, place;
  TsrTraceSlice told, next;
  TsrTraceMatches *matches;
  gint64 from, to, a, b;

  tsr_trace_search_set_text (search, "newtonSchulz");
  page_test_settle (f);
  matches = tsr_trace_state_get_matches (page_test_get_state (f));
  g_assert_nonnull (matches);
  n = tsr_trace_search_get_count (search, NULL);
  g_assert_cmpuint (n, ==, count_names (f, "newtonSchulz"));
  page_test_fire (f, "trace.next-match");
  page_test_settle (f);
  tsr_trace_get_slice (page_test_get_trace (f), page_test_get_selected_slice (f), &told);
  g_assert_nonnull (strstr (told.name, "newtonSchulz"));
  tsr_trace_search_get_count (search, &place);
  g_assert_cmpuint (place, <, n);
  page_test_fire (f, "trace.next-match");
  page_test_settle (f);
  tsr_trace_get_slice (page_test_get_trace (f), page_test_get_selected_slice (f), &next);
  g_assert_cmpint (next.start, >=, told.start);
  g_assert_true (next.slice != told.slice);
  page_test_fire (f, "trace.previous-match");
  page_test_settle (f);
  g_assert_cmpuint (page_test_get_selected_slice (f), ==, told.slice);
  /* Zooming to it is a key of its own; the next plain one only moves. */
  page_test_fire (f, "trace.zoom-to-next-match");
  page_test_settle (f);
  g_assert_cmpuint (page_test_get_selected_slice (f), ==, next.slice);
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (from, <=, next.start);
  g_assert_cmpint (to, >=, next.end);
  g_assert_cmpint (to - from, <, (next.end - next.start + 1) * 40);
  page_test_fire (f, "trace.previous-match");
  page_test_settle (f);
  page_test_get_visible (f, &a, &b);
  g_assert_cmpint (ABS ((b - a) - (to - from)), <=, 1);
  /* What is asked for while names are still looked through comes then. */
  tsr_trace_search_set_text (search, "/no such [name]/");
  page_test_fire (f, "trace.next-match");
  page_test_settle (f);
  g_assert_cmpuint (tsr_trace_search_get_count (search, NULL), ==, 0);
  tsr_trace_search_set_text (search, "");
  g_assert_null (tsr_trace_state_get_matches (page_test_get_state (f)));
  /* Escape in an empty entry leaves it. */
  page_test_fire (f, "trace.search");
  g_assert_true (
      gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (f->window)), GTK_WIDGET (search)));
  g_signal_emit_by_name (gtk_widget_get_parent (gtk_root_get_focus (GTK_ROOT (f->window))),
                         "stop-search");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (f->window)) == GTK_WIDGET (page_test_get_view (f)));
}

static GHashTable *
dup_words (PageTest *f)
{
  GHashTable *words = tsr_view_words_new ();

  tsr_session_save_words (f->session, TSR_VIEW_EXECUTION_TRACE, words);
  tsr_page_save_words (TSR_PAGE (f->page), words);
  return words;
}

/* All that one sees comes back from words, in a window of its own too, before the trace is there.
 */
static void
test_words (PageTest *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = NULL, again = NULL;
  g_autofree char *text = NULL, *second = NULL;
  guint32 slice = page_test_get_longest (f);

  g_object_set (f->page, "shape", "flat", NULL);
  tsr_trace_state_set_run (page_test_get_state (f), 1);
  tsr_trace_view_show (page_test_get_view (f), 500123, 510457);
  tsr_trace_state_set_span (page_test_get_state (f), 501000, 502000);
  tsr_trace_view_go_to (page_test_get_view (f), slice, TRUE);
  tsr_trace_state_set_run (page_test_get_state (f), 1);
  tsr_trace_view_show (page_test_get_view (f), 500123, 510457);
  tsr_trace_state_set_pinned (page_test_get_state (f), 1, TRUE);
  tsr_trace_state_set_collapsed (page_test_get_state (f), 0, TRUE);
  tsr_trace_state_set_hidden (page_test_get_state (f), "DoExchange", TRUE);
  tsr_trace_search_set_text (tsr_ui_test_child (f->page, "search"), "matmul & more=1");
  page_test_settle (f);
  words = dup_words (f);
  text = tsr_view_words_dup_text (words);
  g_assert_cmpstr (tsr_view_words_get (words, "span"), ==, "501000-502000");
  g_assert_cmpstr (tsr_view_words_get (words, "run"), ==, "1");
  g_assert_cmpstr (tsr_view_words_get (words, "pinned"), ==, "1");
  page_test_drop (f);
  page_test_show (f);
  {
    g_autoptr (GHashTable) parsed = tsr_view_words_parse (text);

    tsr_page_load_words (TSR_PAGE (f->page), parsed);
  }
  page_test_open (f);
  page_test_settle (f);
  again = dup_words (f);
  second = tsr_view_words_dup_text (again);
  g_assert_cmpstr (second, ==, text);
}

/* Words that are off leave things as they are, or as they are at first. */
static void
test_bad_words (PageTest *f, gconstpointer data)
{
  static const char *const texts[]
      = { "page=trace&run=99999&range=5&span=9-1&selected=x@,1@,@2,99@99&ipu=77&pinned=-1,9,,z,2",
          "page=trace&range=-5-99999999999999999999&top=-3&hidden=%0A%0A&collapsed=4294967296",
          "page=trace&selected=12", "page=trace" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GHashTable) words = tsr_view_words_parse (texts[i]);
      gint64 from, to;

      tsr_page_load_words (TSR_PAGE (f->page), words);
      page_test_lay_out (f);
      page_test_get_visible (f, &from, &to);
      g_assert_cmpint (from, <, to);
      g_assert_cmpuint (tsr_trace_state_get_ipu (page_test_get_state (f)), ==, TSR_NO_INDEX);
      g_assert_cmpint (tsr_trace_state_get_run (page_test_get_state (f)), <,
                       (int)tsr_trace_get_n_runs (page_test_get_trace (f)));
      g_assert_false (tsr_trace_state_is_pinned (page_test_get_state (f), 0));
    }
}

/* M asks for a note, the list jumps, and the marker is there when the report is opened again. */
static void
test_markers (PageTest *f, gconstpointer data)
{
  const GPtrArray *markers;
  const TsrTraceMarker *marker;
  GtkListBox *list;
  gint64 from, to;

  tsr_trace_state_set_span (page_test_get_state (f), 900000, 910000);
  page_test_fire_view (f, "chart.mark");
  tsr_trace_note_enter (tsr_trace_page_get_note (f->page), "slow here");
  markers = tsr_trace_state_peek_markers (page_test_get_state (f));
  g_assert_cmpuint (markers->len, ==, 1);
  marker = markers->pdata[0];
  g_assert_cmpint (marker->from, ==, 900000);
  g_assert_cmpint (marker->to, ==, 910000);
  list = tsr_trace_notes_get_list (tsr_ui_test_child (f->page, "notes"));
  g_assert_nonnull (gtk_list_box_get_row_at_index (list, 0));
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 0));
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (from, <=, 900000);
  g_assert_cmpint (to, >=, 910000);
  g_assert_cmpint (to - from, <, 20000);
  page_test_drop (f);
  page_test_show (f);
  page_test_open (f);
  page_test_settle (f);
  markers = tsr_trace_state_peek_markers (page_test_get_state (f));
  g_assert_cmpuint (markers->len, ==, 1);
  g_assert_cmpstr (((const TsrTraceMarker *)markers->pdata[0])->note, ==, "slow here");
  tsr_trace_state_remove_marker (page_test_get_state (f), 0);
  /* Where nothing is selected, in the middle of what is seen. */
  page_test_fire_view (f, "chart.clear-selection");
  tsr_trace_view_show (page_test_get_view (f), 700000, 900001);
  page_test_fire_view (f, "chart.mark");
  tsr_trace_note_enter (tsr_trace_page_get_note (f->page), "here");
  markers = tsr_trace_state_peek_markers (page_test_get_state (f));
  g_assert_cmpuint (markers->len, ==, 1);
  marker = markers->pdata[0];
  g_assert_cmpint (marker->from, ==, 800000);
  g_assert_cmpint (marker->to, ==, 800000);
  /* A point comes to the middle of as much as is seen. */
  tsr_trace_view_show (page_test_get_view (f), 500000, 540000);
  list = tsr_trace_notes_get_list (tsr_ui_test_child (f->page, "notes"));
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 0));
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (from, ==, 780000);
  g_assert_cmpint (to, ==, 820000);
  tsr_trace_state_remove_marker (page_test_get_state (f), 0);
}

/* The note of a marker is changed, and the marker goes, by its own popover and in the list. */
static void
test_marker_note (PageTest *f, gconstpointer data)
{
  TsrTraceState *state = page_test_get_state (f);
  const GPtrArray *markers = tsr_trace_state_peek_markers (state);
  TsrTraceNote *note = tsr_trace_page_get_note (f->page);
  GtkListBox *list = tsr_trace_notes_get_list (tsr_ui_test_child (f->page, "notes"));
  GtkWidget *row;

  while (markers->len > 0)
    tsr_trace_state_remove_marker (state, 0);
  for (guint i = 0; i < 3; i++)
    tsr_trace_state_add_marker (state, 500000 + 1000 * i, 500000 + 1000 * i, i == 1 ? "" : "some");
  g_assert_cmpuint (markers->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      GtkWidget *text = gtk_widget_get_next_sibling (gtk_widget_get_first_child (
          gtk_list_box_row_get_child (gtk_list_box_get_row_at_index (list, (int)i))));

      g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (text)), ==,
                       i == 1 ? "without a note" : "some");
      g_assert_cmpint (gtk_widget_has_css_class (text, "dim-label"), ==, i == 1);
    }
  tsr_trace_note_ask (note, 1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (note)));
  tsr_trace_note_enter (note, "of the second");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (note)));
  g_assert_cmpuint (markers->len, ==, 3);
  g_assert_cmpstr (((const TsrTraceMarker *)markers->pdata[1])->note, ==, "of the second");
  /* The bin in its popover. */
  tsr_trace_note_ask (note, 1);
  for (GtkWidget *child = gtk_widget_get_first_child (gtk_popover_get_child (GTK_POPOVER (note)));
       child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child) && gtk_button_get_icon_name (GTK_BUTTON (child)) != NULL)
      g_signal_emit_by_name (child, "clicked");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (note)));
  g_assert_cmpuint (markers->len, ==, 2);
  g_assert_cmpint (((const TsrTraceMarker *)markers->pdata[1])->from, ==, 502000);
  /* The bin in the list. */
  row = GTK_WIDGET (gtk_list_box_get_row_at_index (list, 0));
  g_signal_emit_by_name (tsr_ui_test_find (row, GTK_TYPE_BUTTON), "clicked");
  g_assert_cmpuint (markers->len, ==, 1);
  g_assert_cmpint (((const TsrTraceMarker *)markers->pdata[0])->from, ==, 502000);
  tsr_trace_state_remove_marker (state, 0);
}

static void
find_error (GtkWidget *widget, char **text)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "error")
      && gtk_widget_get_visible (widget))
    *text = g_strdup (gtk_label_get_label (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && *text == NULL;
       child = gtk_widget_get_next_sibling (child))
    find_error (child, text);
}

/* Where the user's data cannot be written, the list of markers says so until they could be. */
static void
test_markers_not_kept (PageTest *f, gconstpointer data)
{
  GtkWidget *notes = GTK_WIDGET (tsr_ui_test_child (f->page, "notes"));
  g_autofree char *markers = g_build_filename (g_get_user_data_dir (), "tessera", "markers", NULL);
  g_autofree char *aside = g_strconcat (markers, ".aside", NULL);
  g_autofree char *text = NULL, *none = NULL;
  gboolean moved = g_rename (markers, aside) == 0;

  g_assert_cmpint (g_mkdir_with_parents (markers, 0700), ==, 0);
  g_assert_cmpint (g_rmdir (markers), ==, 0);
  g_assert_true (g_file_set_contents (markers, "", 0, NULL)); /* a file in the folder's place */
  tsr_trace_state_add_marker (page_test_get_state (f), 900000, 910000, "not kept");
  tsr_ui_test_wait (tsr_session_get_markers_error (f->session) != NULL);
  find_error (notes, &text);
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, markers));
  g_assert_cmpuint (tsr_trace_state_peek_markers (page_test_get_state (f))->len, ==, 1);
  g_assert_cmpint (g_unlink (markers), ==, 0);
  tsr_trace_state_remove_marker (page_test_get_state (f), 0);
  tsr_ui_test_wait (tsr_session_get_markers_error (f->session) == NULL);
  find_error (notes, &none);
  g_assert_null (none);
  if (moved)
    {
      g_rmdir (markers);
      g_rename (aside, markers);
    }
}

static void
on_go (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  char **target = data;

  g_free (*target);
  *target = g_variant_dup_string (parameter, NULL);
}

/* A step leads to the liveness steps of its program, as the file has them. */
static void
test_liveness (PageTest *f, gconstpointer data)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("go", G_VARIANT_TYPE_STRING);
  g_autofree char *target = NULL, *expected = NULL;
  g_autoptr (GHashTable) words = NULL;
  guint32 slice = page_test_get_longest (f);
  TsrTraceSlice told;

  g_signal_connect (action, "activate", G_CALLBACK (on_go), &target);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (f->window, "win", G_ACTION_GROUP (group));
  tsr_ui_test_wait (tsr_session_get_liveness (f->session) != NULL);
  tsr_trace_get_slice (page_test_get_trace (f), slice, &told);
  tsr_trace_view_go_to (page_test_get_view (f), slice, TRUE);
  page_test_fire (f, "trace.show-in-liveness");
  g_assert_nonnull (target);
  words = tsr_view_words_parse (target);
  g_assert_cmpstr (tsr_view_words_get (words, "page"), ==, "liveness");
  expected = g_strdup_printf (
      "%" G_GINT64_FORMAT,
      tsr_test_ask (f->folder,
                    "SELECT min(step) FROM liveness_steps WHERE program = (SELECT program FROM "
                    "steps WHERE id = %d)",
                    (int)told.step_id));
  g_assert_true (g_str_has_prefix (tsr_view_words_get (words, "steps"), expected));
}

/* Words of a result of the search lead to the first execution after what is visible. */
static void
test_go_to_match (PageTest *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = tsr_view_words_parse ("page=trace&search=newtonSchulz&go=match");
  gint64 from, to;
  TsrTraceSlice told;

  tsr_page_load_words (TSR_PAGE (f->page), words);
  tsr_ui_test_wait (has_selected (f));
  page_test_settle (f);
  tsr_trace_get_slice (page_test_get_trace (f), page_test_get_selected_slice (f), &told);
  g_assert_nonnull (strstr (told.name, "newtonSchulz"));
  g_assert_cmpuint (told.run, ==, tsr_trace_get_profiled_run (page_test_get_trace (f)));
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (from, <=, told.start);
  g_assert_cmpint (to, >=, told.end);
  g_assert_cmpint (to - from, <, (told.end - told.start + 1) * 40);
  g_clear_pointer (&words, g_hash_table_unref);
  words = dup_words (f);
  g_assert_null (tsr_view_words_get (words, "go"));
}

int
main (int argc, char **argv)
{
  static const PageTestCase cases[] = {
    { "/trace-page-links/search", test_search },
    { "/trace-page-links/words", test_words },
    { "/trace-page-links/bad-words", test_bad_words },
    { "/trace-page-links/markers", test_markers },
    { "/trace-page-links/marker-note", test_marker_note },
    { "/trace-page-links/markers-not-kept", test_markers_not_kept },
    { "/trace-page-links/liveness", test_liveness },
    { "/trace-page-links/go-to-match", test_go_to_match },
  };

  return page_test_main (argc, argv, cases, G_N_ELEMENTS (cases));
}
