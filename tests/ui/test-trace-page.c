/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Execution Trace over a made report: actions are fired and keys' actions, the state, the
 * visible cycles and the words are asserted, and numbers are compared with plain SQL. */

#include "config.h"

#include "tsr-test.h"
#include "tsr-trace-page.h"
#include "tsr-trace-preview.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <string.h>

typedef struct
{
  char *folder;
  TsrSettings *settings;
  TsrSession *session;
  GtkWidget *window;
  TsrTracePage *page;
} Fixture;

static char *made; /* folder of the demo, made once */

static char *
make_report (void)
{
  const char *words[]
      = { g_getenv ("TESSERA_MAKE_REPORT"), "demo", NULL, "--only=profile", "--force", NULL };
  g_autofree char *from = NULL, *contents = NULL;
  char *folder;
  gsize length;
  int status;

  if (made == NULL)
    {
      words[2] = made = tsr_test_folder_new ();
      g_assert_true (g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                                   NULL, NULL, NULL, &status, NULL));
      g_assert_cmpint (status, ==, 0);
    }
  from = g_build_filename (made, "profile.pop", NULL);
  g_assert_true (g_file_get_contents (from, &contents, &length, NULL));
  folder = tsr_test_folder_new ();
  tsr_test_write (folder, "profile.pop", contents, (gssize)length);
  return folder;
}

static gboolean
is_ready (Fixture *f)
{
  return tsr_session_get_trace (f->session) != NULL
         && tsr_trace_view_get_chart (tsr_trace_page_get_view (f->page)) != NULL
         && !tsr_trace_page_is_busy (f->page);
}

#define settle(f) tsr_ui_test_wait (is_ready (f))

static void
open_report (Fixture *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);

  tsr_session_set_report (f->session, report);
}

static void
make_page (Fixture *f)
{
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 720);
  f->page = g_object_new (TSR_TYPE_TRACE_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
  gtk_window_present (GTK_WINDOW (f->window));
}

static void
setup (Fixture *f, gconstpointer data)
{
  f->folder = make_report ();
  make_page (f);
  open_report (f);
  settle (f);
  tsr_ui_test_wait (tsr_plane_get_area (TSR_PLANE (tsr_trace_page_get_view (f->page)))->width > 0);
}

static void
drop_page (Fixture *f)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  tsr_session_close (f->session);
  tsr_ui_test_wait (G_OBJECT (f->session)->ref_count == 1);
  g_object_unref (f->session);
  g_object_unref (f->settings);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  drop_page (f);
  tsr_test_folder_free (f->folder);
}

/* Helpers */

static TsrTraceState *
get_state (Fixture *f)
{
  return tsr_session_get_trace_state (f->session);
}

static TsrTraceView *
get_view (Fixture *f)
{
  return tsr_trace_page_get_view (f->page);
}

static TsrTrace *
get_trace (Fixture *f)
{
  return tsr_session_get_trace (f->session);
}

static void
fire (Fixture *f, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (f->page), action, NULL));
}

/* Actions of the view, as its keys fire them. */
static void
fire_view (Fixture *f, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (get_view (f)), action, NULL));
}

static void
get_visible (Fixture *f, gint64 *from, gint64 *to)
{
  g_assert_true (tsr_trace_view_get_visible (get_view (f), from, to));
}

static const TsrTraceStepRef *
get_only_step (Fixture *f)
{
  guint n;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (get_state (f), &n);

  g_assert_cmpuint (n, ==, 1);
  return steps;
}

static gboolean
has_selected (Fixture *f)
{
  guint n;

  tsr_trace_state_peek_steps (get_state (f), &n);
  return n > 0;
}

static guint32
get_selected_slice (Fixture *f)
{
  const TsrTraceStepRef *step = get_only_step (f);

  return tsr_trace_find_step (get_trace (f), step->step_id, step->ipu);
}

/* Where the first item of a row is drawn, for clicks; in the widget. */
static void
get_place (Fixture *f, guint32 slice, double *x, double *y)
{
  TsrTraceView *view = get_view (f);
  TsrChartGeometry geometry;
  TsrPlotArea area;
  TsrTraceHit hit;
  double width, height;
  graphene_point_t point;

  g_assert_true (tsr_trace_chart_hit_slice (tsr_trace_view_get_chart (view), slice, &hit));
  g_assert_true (tsr_plane_get_geometry (TSR_PLANE (view), &geometry, &area));
  g_assert_true (tsr_trace_chart_get_place (tsr_trace_view_get_chart (view), &geometry, &area, &hit,
                                            x, y, &width, &height));
  g_assert_true (gtk_widget_compute_point (
      GTK_WIDGET (tsr_plane_get_plot (TSR_PLANE (view))), GTK_WIDGET (view),
      &GRAPHENE_POINT_INIT (*x + width / 2, *y + height / 2), &point));
  *x = point.x;
  *y = point.y;
}

static void
lay_out (Fixture *f)
{
  gtk_widget_queue_allocate (GTK_WIDGET (get_view (f)));
  tsr_ui_test_run (60);
}

/* The longest slice of computing in the domain on IPU 0. */
static guint32
get_longest (Fixture *f)
{
  TsrTrace *trace = get_trace (f);
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  guint32 best = TSR_NO_SLICE;
  gint64 from, to;

  tsr_trace_state_get_domain (get_state (f), trace, &from, &to);
  for (gsize i = tables->ipu_start[0]; i < tables->ipu_start[1]; i++)
    {
      guint type = tsr_trace_get_slice_type (trace, (guint32)i);

      if (tables->slice_start[i] < from || tables->slice_end[i] > to
          || tables->slice_start[i] == TSR_UNKNOWN
          || tsr_trace_get_type (trace, type)->group != TSR_STEP_GROUP_COMPUTE)
        continue;
      if (best == TSR_NO_SLICE
          || tables->slice_end[i] - tables->slice_start[i]
                 > tables->slice_end[best] - tables->slice_start[best])
        best = (guint32)i;
    }
  g_assert_cmpuint (best, !=, TSR_NO_SLICE);
  return best;
}

/* Tests */

/* Opens on the last complete run; { and } go to the others; the chooser follows and leads. */
static void
test_runs (Fixture *f, gconstpointer data)
{
  guint n_runs = tsr_trace_get_n_runs (get_trace (f));
  guint last = tsr_trace_get_profiled_run (get_trace (f));
  GtkDropDown *chooser = tsr_trace_page_get_run_chooser (f->page);
  gint64 from, to;

  g_assert_cmpuint (n_runs, ==, tsr_test_ask (f->folder, "SELECT count(*) FROM runs"));
  g_assert_cmpuint (last, ==, n_runs - 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (chooser), ==, last + 1);
  get_visible (f, &from, &to);
  g_assert_cmpint (from, ==, tsr_trace_get_run (get_trace (f), last)->start);
  g_assert_cmpint (to, ==, tsr_trace_get_run (get_trace (f), last)->end);
  fire_view (f, "chart.previous-run");
  g_assert_cmpint (tsr_trace_state_get_run (get_state (f)), ==, (int)last - 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (chooser), ==, last);
  get_visible (f, &from, &to);
  g_assert_cmpint (to, ==, tsr_trace_get_run (get_trace (f), last - 1)->end);
  g_assert_true (tsr_trace_view_is_whole (get_view (f)));
  fire_view (f, "chart.next-run");
  fire_view (f, "chart.next-run");
  g_assert_cmpint (tsr_trace_state_get_run (get_state (f)), ==, (int)last);
  gtk_drop_down_set_selected (chooser, 0);
  g_assert_cmpint (tsr_trace_state_get_run (get_state (f)), ==, TSR_TRACE_RUN_ALL);
  get_visible (f, &from, &to);
  g_assert_cmpint (to, ==, tsr_trace_get_run (get_trace (f), last)->end);
  g_assert_cmpint (from, <=, tsr_trace_get_run (get_trace (f), 0)->start);
}

/* Another run shows the same place of it. */
static void
test_same_place (Fixture *f, gconstpointer data)
{
  const TsrTraceRun *run = tsr_trace_get_run (get_trace (f), 2);
  gint64 from, to, a, b, moved;

  tsr_trace_view_show (get_view (f), run->start + 50000, run->start + 60000);
  get_visible (f, &from, &to);
  moved = tsr_trace_get_run (get_trace (f), 1)->wait_end - run->wait_end;
  fire_view (f, "chart.previous-run");
  get_visible (f, &a, &b);
  g_assert_cmpint (ABS (a - from - moved), <=, 1);
  g_assert_cmpint (ABS (b - to - moved), <=, 1);
}

static void
test_zoom (Fixture *f, gconstpointer data)
{
  gint64 from, to, a, b, first, end;

  get_visible (f, &first, &end);
  fire_view (f, "chart.zoom-in");
  get_visible (f, &from, &to);
  g_assert_cmpint (to - from, <, end - first);
  fire_view (f, "chart.last");
  get_visible (f, &a, &b);
  g_assert_cmpint (b, ==, end);
  fire_view (f, "chart.first");
  get_visible (f, &a, &b);
  g_assert_cmpint (a, ==, first);
  fire_view (f, "chart.undo-zoom");
  fire_view (f, "chart.undo-zoom");
  get_visible (f, &a, &b);
  g_assert_cmpint (ABS (a - from), <=, 1);
  g_assert_cmpint (ABS (b - to), <=, 1);
  fire_view (f, "chart.fit");
  g_assert_true (tsr_trace_view_is_whole (get_view (f)));
}

/* A typed span, in cycles and in time, and what is none. */
static void
test_typed (Fixture *f, gconstpointer data)
{
  double clock = tsr_trace_get_clock (get_trace (f));
  gint64 from, to;

  fire (f, "trace.edit-range");
  g_assert_true (tsr_trace_page_enter_range (f->page, "800,000 - 900,000"));
  get_visible (f, &from, &to);
  g_assert_cmpint (ABS (from - 800000), <=, 1);
  g_assert_cmpint (ABS (to - 900000), <=, 1);
  g_assert_true (tsr_trace_page_enter_range (f->page, "650 - 700 us"));
  get_visible (f, &from, &to);
  g_assert_cmpint (ABS (from - (gint64)(650e-6 * clock)), <=, 2);
  g_assert_cmpint (ABS (to - (gint64)(700e-6 * clock)), <=, 2);
  g_assert_false (tsr_trace_page_enter_range (f->page, "nonsense"));
  /* In the run before: that one is shown then. */
  g_assert_true (tsr_trace_page_enter_range (f->page, "500,000 - 510,000"));
  g_assert_cmpint (tsr_trace_state_get_run (get_state (f)), ==, 1);
  get_visible (f, &from, &to);
  g_assert_cmpint (ABS (from - 500000), <=, 1);
}

/* A click selects, Shift+click adds, a double click zooms there and back, a drag measures. */
static void
test_pointer (Fixture *f, gconstpointer data)
{
  TsrTraceView *view = get_view (f);
  TsrPlane *plane = TSR_PLANE (view);
  guint32 slice = get_longest (f);
  TsrTraceSlice told;
  gint64 from, to, first, end;
  double x, y;
  guint n;

  g_object_set (f->page, "shape", "flat", NULL);
  tsr_trace_get_slice (get_trace (f), slice, &told);
  tsr_trace_view_zoom_to (view, told.start - 3000, told.end + 3000);
  lay_out (f);
  get_place (f, slice, &x, &y);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_release (plane, x, y, 0);
  g_assert_cmpint (get_only_step (f)->step_id, ==, told.step_id);
  g_assert_cmpuint (get_only_step (f)->ipu, ==, 0);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, GDK_SHIFT_MASK);
  tsr_plane_release (plane, x, y, GDK_SHIFT_MASK);
  tsr_trace_state_peek_steps (get_state (f), &n);
  g_assert_cmpuint (n, ==, 0);
  get_visible (f, &first, &end);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 2, 0);
  get_visible (f, &from, &to);
  g_assert_cmpint (from, <=, told.start);
  g_assert_cmpint (to, >=, told.end);
  g_assert_cmpint (to - from, <, (told.end - told.start) * 5 / 4);
  lay_out (f);
  get_place (f, slice, &x, &y);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 2, 0);
  get_visible (f, &from, &to);
  g_assert_cmpint (from, ==, first);
  g_assert_cmpint (to, ==, end);
  lay_out (f);
  get_place (f, slice, &x, &y);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (plane, x + 100, y);
  tsr_plane_release (plane, x + 100, y, 0);
  g_assert_true (tsr_trace_state_get_span (get_state (f), &from, &to));
  g_assert_cmpint (from, >=, first);
  g_assert_cmpint (to, <=, end);
  g_assert_nonnull (tsr_page_get_status_right (TSR_PAGE (f->page)));
  fire (f, "trace.clear-selection");
  g_assert_false (tsr_trace_state_get_span (get_state (f), &from, &to));
  /* The menu is of what it is opened on, and all executions of that can be selected. */
  lay_out (f);
  get_place (f, slice, &x, &y);
  tsr_plane_press (plane, x, y, GDK_BUTTON_SECONDARY, 1, 0);
  g_assert_cmpint (get_only_step (f)->step_id, ==, told.step_id);
  fire (f, "trace.select-same");
  g_assert_true (tsr_trace_matches_has (tsr_trace_state_get_selected_names (get_state (f)),
                                        tsr_trace_get_slice_name (get_trace (f), slice)));
}

/* The wheel zooms about the pointer: what is under it stays under it. */
static void
test_wheel (Fixture *f, gconstpointer data)
{
  TsrPlane *plane = TSR_PLANE (get_view (f));
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  double x = area->x + area->width * 0.25, y = TSR_TRACE_MAP_HEIGHT + 4 + area->y + 10;
  TsrViewport *viewport = tsr_trace_view_get_viewport (get_view (f));
  double from, to, a, b;

  tsr_viewport_get_range (viewport, &from, &to);
  tsr_plane_motion (plane, x, y);
  tsr_plane_scroll (plane, 0, -3, 0);
  tsr_viewport_get_range (viewport, &a, &b);
  g_assert_cmpfloat (b - a, <, (to - from) * 0.6);
  g_assert_cmpfloat_with_epsilon (a + (b - a) * 0.25, from + (to - from) * 0.25,
                                  (to - from) / area->width);
  tsr_plane_scroll (plane, 0, 2, GDK_SHIFT_MASK);
  tsr_viewport_get_range (viewport, &from, &to);
  g_assert_cmpfloat (from, >, a);
  g_assert_cmpfloat_with_epsilon (to - from, b - a, 1);
}

/* Next and previous execution of a step are those with its compute set on that IPU. */
static void
test_executions (Fixture *f, gconstpointer data)
{
  guint32 slice = get_longest (f);
  TsrTraceSlice told, now;
  gint64 next;

  tsr_trace_get_slice (get_trace (f), slice, &told);
  tsr_trace_view_go_to (get_view (f), slice, TRUE);
  next = tsr_test_ask (
      f->folder,
      "SELECT coalesce(max(s.id), -1) FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id AND "
      "i.ipu = 0 WHERE s.compute_set = (SELECT compute_set FROM steps WHERE id = %d) AND s.id < %d",
      (int)told.step_id, (int)told.step_id);
  g_assert_cmpint (next, >=, 0);
  fire_view (f, "chart.previous-execution");
  g_assert_cmpint (get_only_step (f)->step_id, ==, next);
  tsr_trace_get_slice (get_trace (f), get_selected_slice (f), &now);
  g_assert_cmpstr (now.name, ==, told.name);
  fire_view (f, "chart.next-execution");
  g_assert_cmpint (get_only_step (f)->step_id, ==, told.step_id);
}

/* Arrows move along a row, Return selects, F shows it, Escape clears. */
static void
test_keyboard (Fixture *f, gconstpointer data)
{
  gint64 from, to, first, end;
  guint n;

  g_object_set (f->page, "shape", "flat", NULL);
  fire_view (f, "chart.cursor-right");
  fire_view (f, "chart.cursor-right");
  fire_view (f, "chart.cursor-right");
  fire_view (f, "chart.select");
  get_only_step (f);
  g_assert_nonnull (tsr_page_get_status_left (TSR_PAGE (f->page)));
  get_visible (f, &first, &end);
  fire_view (f, "chart.zoom-to-selection");
  get_visible (f, &from, &to);
  g_assert_cmpint (to - from, <, end - first);
  fire_view (f, "chart.cursor-down");
  fire_view (f, "chart.cursor-up");
  fire_view (f, "chart.measure");
  g_assert_true (tsr_trace_state_get_span (get_state (f), &from, &to));
  fire_view (f, "chart.clear-selection");
  tsr_trace_state_peek_steps (get_state (f), &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_false (tsr_trace_state_get_span (get_state (f), &from, &to));
}

/* Collapse and pin where the cursor is. */
static void
test_rows (Fixture *f, gconstpointer data)
{
  TsrTraceChart *chart = tsr_trace_view_get_chart (get_view (f));
  double height = tsr_trace_chart_get_height (chart);

  fire_view (f, "chart.cursor-right");
  fire_view (f, "chart.collapse");
  g_assert_true (tsr_trace_state_is_collapsed (get_state (f), 0));
  g_assert_cmpfloat (tsr_trace_chart_get_height (chart), <, height);
  fire_view (f, "chart.collapse");
  g_assert_cmpfloat (tsr_trace_chart_get_height (chart), ==, height);
  fire_view (f, "chart.pin");
  g_assert_true (tsr_trace_state_is_pinned (get_state (f), 0));
  g_assert_cmpfloat (tsr_trace_chart_get_pinned_height (chart), >, 0);
  fire_view (f, "chart.pin");
  g_assert_cmpfloat (tsr_trace_chart_get_pinned_height (chart), ==, 0);
  fire_view (f, "chart.rows-taller");
  g_assert_cmpfloat (tsr_trace_chart_get_height (chart), >, height);
}

static guint64
count_names (Fixture *f, const char *like)
{
  return (guint64)tsr_test_ask (
      f->folder,
      "SELECT count(*) FROM steps_by_ipu i JOIN steps s ON s.id = i.step_id LEFT JOIN compute_sets "
      "c ON c.compute_set = s.compute_set LEFT JOIN programs p ON p.id = s.program WHERE "
      "coalesce(nullif(c.name, ''), p.name) LIKE '%%%s%%' AND i.cycles > 0",
      like);
}

static void
test_search (Fixture *f, gconstpointer data)
{
  TsrTraceSearch *search = tsr_trace_page_get_search (f->page);
  guint64 n, place;
  TsrTraceSlice told, next;
  TsrTraceMatches *matches;
  gint64 from, to, a, b;

  tsr_trace_search_set_text (search, "newtonSchulz");
  settle (f);
  matches = tsr_trace_state_get_matches (get_state (f));
  g_assert_nonnull (matches);
  n = tsr_trace_search_get_count (search, NULL);
  g_assert_cmpuint (n, ==, count_names (f, "newtonSchulz"));
  fire (f, "trace.next-match");
  settle (f);
  tsr_trace_get_slice (get_trace (f), get_selected_slice (f), &told);
  g_assert_nonnull (strstr (told.name, "newtonSchulz"));
  tsr_trace_search_get_count (search, &place);
  g_assert_cmpuint (place, <, n);
  fire (f, "trace.next-match");
  settle (f);
  tsr_trace_get_slice (get_trace (f), get_selected_slice (f), &next);
  g_assert_cmpint (next.start, >=, told.start);
  g_assert_true (next.slice != told.slice);
  fire (f, "trace.previous-match");
  settle (f);
  g_assert_cmpuint (get_selected_slice (f), ==, told.slice);
  /* Zooming to it is a key of its own; the next plain one only moves. */
  fire (f, "trace.zoom-to-next-match");
  settle (f);
  g_assert_cmpuint (get_selected_slice (f), ==, next.slice);
  get_visible (f, &from, &to);
  g_assert_cmpint (from, <=, next.start);
  g_assert_cmpint (to, >=, next.end);
  g_assert_cmpint (to - from, <, (next.end - next.start + 1) * 40);
  fire (f, "trace.previous-match");
  settle (f);
  get_visible (f, &a, &b);
  g_assert_cmpint (ABS ((b - a) - (to - from)), <=, 1);
  /* What is asked for while names are still looked through comes then. */
  tsr_trace_search_set_text (search, "/no such [name]/");
  fire (f, "trace.next-match");
  settle (f);
  g_assert_cmpuint (tsr_trace_search_get_count (search, NULL), ==, 0);
  tsr_trace_search_set_text (search, "");
  g_assert_null (tsr_trace_state_get_matches (get_state (f)));
  /* Escape in an empty entry leaves it. */
  fire (f, "trace.search");
  g_assert_true (
      gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (f->window)), GTK_WIDGET (search)));
  g_signal_emit_by_name (gtk_widget_get_parent (gtk_root_get_focus (GTK_ROOT (f->window))),
                         "stop-search");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (f->window)) == GTK_WIDGET (get_view (f)));
}

/* Hidden types are said on the scope line, counted no more, and shown again at once. */
static void
test_types (Fixture *f, gconstpointer data)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (f->page));
  const char *label = tsr_trace_get_type (get_trace (f), 0)->label;
  g_autofree char *before = tsr_scope_line_dup_text (line), *during = NULL, *after = NULL;

  g_assert_null (strstr (before, label));
  tsr_trace_state_set_hidden (get_state (f), label, TRUE);
  during = tsr_scope_line_dup_text (line);
  g_assert_nonnull (strstr (during, label));
  fire (f, "trace.show-all-types");
  after = tsr_scope_line_dup_text (line);
  g_assert_cmpstr (after, ==, before);
}

/* Options are kept for the next window. */
static void
test_options (Fixture *f, gconstpointer data)
{
  gboolean on;

  fire (f, "trace.bsp");
  g_assert_true (tsr_trace_state_has (get_state (f), TSR_TRACE_OPTION_BSP));
  g_object_get (f->page, "bsp", &on, NULL);
  g_assert_true (on);
  settle (f);
  lay_out (f);
  fire (f, "trace.toggle-time");
  g_assert_true (tsr_trace_state_has (get_state (f), TSR_TRACE_OPTION_TIME));
  g_assert_true (tsr_settings_has_word (f->settings, "trace-options", "bsp"));
  fire (f, "trace.fold");
  g_assert_false (tsr_settings_has_word (f->settings, "trace-options", "fold"));
  fire (f, "trace.flat");
  g_assert_cmpint (tsr_trace_state_get_shape (get_state (f)), ==, TSR_TRACE_FLAT);
}

/* Folding and unfolding waits shows the same cycles. */
static void
test_fold (Fixture *f, gconstpointer data)
{
  gint64 from, to, a, b;

  gtk_drop_down_set_selected (tsr_trace_page_get_run_chooser (f->page), 0);
  tsr_trace_view_show (get_view (f), 900000, 1000000);
  get_visible (f, &from, &to);
  fire (f, "trace.fold");
  get_visible (f, &a, &b);
  g_assert_cmpint (ABS (a - from), <=, 1);
  g_assert_cmpint (ABS (b - to), <=, 1);
  fire (f, "trace.fold");
  get_visible (f, &a, &b);
  g_assert_cmpint (ABS (a - from), <=, 1);
  g_assert_cmpint (ABS (b - to), <=, 1);
}

static GHashTable *
dup_words (Fixture *f)
{
  GHashTable *words = tsr_words_new ();

  tsr_session_save_words (f->session, TSR_VIEW_EXECUTION_TRACE, words);
  tsr_page_save_words (TSR_PAGE (f->page), words);
  return words;
}

/* All that one sees comes back from words, in a window of its own too, before the trace is there.
 */
static void
test_words (Fixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = NULL, again = NULL;
  g_autofree char *text = NULL, *second = NULL;
  guint32 slice = get_longest (f);

  g_object_set (f->page, "shape", "flat", NULL);
  tsr_trace_state_set_run (get_state (f), 1);
  tsr_trace_view_show (get_view (f), 500123, 510457);
  tsr_trace_state_set_span (get_state (f), 501000, 502000);
  tsr_trace_view_go_to (get_view (f), slice, TRUE);
  tsr_trace_state_set_run (get_state (f), 1);
  tsr_trace_view_show (get_view (f), 500123, 510457);
  tsr_trace_state_set_pinned (get_state (f), 1, TRUE);
  tsr_trace_state_set_collapsed (get_state (f), 0, TRUE);
  tsr_trace_state_set_hidden (get_state (f), "DoExchange", TRUE);
  tsr_trace_search_set_text (tsr_trace_page_get_search (f->page), "matmul & more=1");
  settle (f);
  words = dup_words (f);
  text = tsr_words_dup_text (words);
  g_assert_cmpstr (tsr_words_get (words, "span"), ==, "501000-502000");
  g_assert_cmpstr (tsr_words_get (words, "run"), ==, "1");
  g_assert_cmpstr (tsr_words_get (words, "pinned"), ==, "1");
  drop_page (f);
  make_page (f);
  {
    g_autoptr (GHashTable) parsed = tsr_words_parse (text);

    tsr_page_load_words (TSR_PAGE (f->page), parsed);
  }
  open_report (f);
  settle (f);
  again = dup_words (f);
  second = tsr_words_dup_text (again);
  g_assert_cmpstr (second, ==, text);
}

/* Words that are off leave things as they are, or as they are at first. */
static void
test_bad_words (Fixture *f, gconstpointer data)
{
  static const char *const texts[]
      = { "page=trace&run=99999&range=5&span=9-1&selected=x@,1@,@2,99@99&ipu=77&pinned=-1,9,,z",
          "page=trace&range=-5-99999999999999999999&top=-3&hidden=%0A%0A&collapsed=4294967296",
          "page=trace&selected=12", "page=trace" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GHashTable) words = tsr_words_parse (texts[i]);
      gint64 from, to;

      tsr_page_load_words (TSR_PAGE (f->page), words);
      lay_out (f);
      get_visible (f, &from, &to);
      g_assert_cmpint (from, <, to);
      g_assert_cmpuint (tsr_trace_state_get_ipu (get_state (f)), ==, TSR_NO_INDEX);
      g_assert_false (tsr_trace_state_is_pinned (get_state (f), 0));
    }
}

/* M asks for a note, the list jumps, and the marker is there when the report is opened again. */
static void
test_markers (Fixture *f, gconstpointer data)
{
  const GPtrArray *markers;
  const TsrTraceMarker *marker;
  GtkListBox *list;
  gint64 from, to;

  tsr_trace_state_set_span (get_state (f), 900000, 910000);
  fire_view (f, "chart.mark");
  tsr_trace_note_enter (tsr_trace_page_get_note (f->page), "slow here");
  markers = tsr_trace_state_peek_markers (get_state (f));
  g_assert_cmpuint (markers->len, ==, 1);
  marker = markers->pdata[0];
  g_assert_cmpint (marker->from, ==, 900000);
  g_assert_cmpint (marker->to, ==, 910000);
  list = tsr_trace_notes_get_list (tsr_trace_page_get_notes (f->page));
  g_assert_nonnull (gtk_list_box_get_row_at_index (list, 0));
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 0));
  get_visible (f, &from, &to);
  g_assert_cmpint (from, <=, 900000);
  g_assert_cmpint (to, >=, 910000);
  g_assert_cmpint (to - from, <, 20000);
  drop_page (f);
  make_page (f);
  open_report (f);
  settle (f);
  markers = tsr_trace_state_peek_markers (get_state (f));
  g_assert_cmpuint (markers->len, ==, 1);
  g_assert_cmpstr (((const TsrTraceMarker *)markers->pdata[0])->note, ==, "slow here");
  tsr_trace_state_remove_marker (get_state (f), 0);
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
test_liveness (Fixture *f, gconstpointer data)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("go", G_VARIANT_TYPE_STRING);
  g_autofree char *target = NULL, *expected = NULL;
  g_autoptr (GHashTable) words = NULL;
  guint32 slice = get_longest (f);
  TsrTraceSlice told;

  g_signal_connect (action, "activate", G_CALLBACK (on_go), &target);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (f->window, "win", G_ACTION_GROUP (group));
  tsr_ui_test_wait (tsr_session_get_liveness (f->session) != NULL);
  tsr_trace_get_slice (get_trace (f), slice, &told);
  tsr_trace_view_go_to (get_view (f), slice, TRUE);
  fire (f, "trace.show-in-liveness");
  g_assert_nonnull (target);
  words = tsr_words_parse (target);
  g_assert_cmpstr (tsr_words_get (words, "page"), ==, "liveness");
  expected = g_strdup_printf (
      "%" G_GINT64_FORMAT,
      tsr_test_ask (f->folder,
                    "SELECT min(step) FROM liveness_steps WHERE program = (SELECT program FROM "
                    "steps WHERE id = %d)",
                    (int)told.step_id));
  g_assert_true (g_str_has_prefix (tsr_words_get (words, "steps"), expected));
}

/* Words of a result of the search lead to the first execution after what is visible. */
static void
test_go_to_match (Fixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = tsr_words_parse ("page=trace&search=newtonSchulz&go=match");
  gint64 from, to;
  TsrTraceSlice told;

  tsr_page_load_words (TSR_PAGE (f->page), words);
  tsr_ui_test_wait (has_selected (f));
  settle (f);
  tsr_trace_get_slice (get_trace (f), get_selected_slice (f), &told);
  g_assert_nonnull (strstr (told.name, "newtonSchulz"));
  g_assert_cmpuint (told.run, ==, tsr_trace_get_profiled_run (get_trace (f)));
  get_visible (f, &from, &to);
  g_assert_cmpint (from, <=, told.start);
  g_assert_cmpint (to, >=, told.end);
  g_assert_cmpint (to - from, <, (told.end - told.start + 1) * 40);
  g_clear_pointer (&words, g_hash_table_unref);
  words = dup_words (f);
  g_assert_null (tsr_words_get (words, "go"));
}

/* A report that is opened again keeps what was looked at. */
static void
test_reload (Fixture *f, gconstpointer data)
{
  gint64 from, to, a, b;

  tsr_trace_view_show (get_view (f), 900000, 950000);
  get_visible (f, &from, &to);
  tsr_trace_view_go_to (get_view (f), get_longest (f), TRUE);
  tsr_trace_view_show (get_view (f), 900000, 950000);
  tsr_trace_search_set_text (tsr_trace_page_get_search (f->page), "model");
  settle (f);
  open_report (f);
  g_assert_null (tsr_session_get_trace (f->session));
  settle (f);
  get_visible (f, &a, &b);
  g_assert_cmpint (a, ==, from);
  g_assert_cmpint (b, ==, to);
  get_only_step (f);
  g_assert_nonnull (tsr_trace_state_get_matches (get_state (f)));
}

/* A report without an execution says so, and which option records it. */
static void
test_missing (Fixture *f, gconstpointer data)
{
  drop_page (f);
  tsr_test_sql (f->folder, "profile.pop", "DROP TABLE steps_by_ipu; DROP TABLE blocks");
  make_page (f);
  open_report (f);
  tsr_ui_test_wait (!tsr_session_is_trace_pending (f->session));
  tsr_ui_test_run (100);
  g_assert_false (tsr_page_is_content_shown (TSR_PAGE (f->page)));
}

/* A tile of a band goes to Memory's selection. */
static void
test_tiles (Fixture *f, gconstpointer data)
{
  guint n = 0;
  const guint *tiles;

  tsr_ui_test_wait (tsr_session_get_memory (f->session) != NULL);
  g_signal_emit_by_name (get_view (f), "select-tile", 1, 7, FALSE);
  tiles = tsr_tile_selection_peek (tsr_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (tiles[0], ==, tsr_trace_get_tiles_per_ipu (get_trace (f)) + 7);
  g_signal_emit_by_name (get_view (f), "select-tile", 0, 3, TRUE);
  tsr_tile_selection_peek (tsr_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 2);
}

static int
get_least_width (Fixture *f)
{
  int width;

  gtk_widget_measure (GTK_WIDGET (f->page), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL,
                      NULL);
  return width;
}

/* What the controls say, the place among matches or a run without steps, does not make the window
 * wider. */
static void
test_least_width (Fixture *f, gconstpointer data)
{
  int before = get_least_width (f);

  tsr_trace_search_set_text (tsr_trace_page_get_search (f->page), "model");
  settle (f);
  fire (f, "trace.next-match");
  settle (f);
  g_assert_cmpint (get_least_width (f), ==, before);
  drop_page (f);
  tsr_test_sql (f->folder, "profile.pop", "DELETE FROM steps_by_ipu");
  make_page (f);
  open_report (f);
  settle (f);
  tsr_ui_test_run (100);
  g_assert_cmpint (get_least_width (f), <=, before);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*test) (Fixture *f, gconstpointer data);
  } tests[] = {
    { "/trace-page/runs", test_runs },
    { "/trace-page/same-place", test_same_place },
    { "/trace-page/zoom", test_zoom },
    { "/trace-page/typed", test_typed },
    { "/trace-page/pointer", test_pointer },
    { "/trace-page/wheel", test_wheel },
    { "/trace-page/executions", test_executions },
    { "/trace-page/keyboard", test_keyboard },
    { "/trace-page/rows", test_rows },
    { "/trace-page/search", test_search },
    { "/trace-page/types", test_types },
    { "/trace-page/options", test_options },
    { "/trace-page/fold", test_fold },
    { "/trace-page/words", test_words },
    { "/trace-page/bad-words", test_bad_words },
    { "/trace-page/markers", test_markers },
    { "/trace-page/liveness", test_liveness },
    { "/trace-page/go-to-match", test_go_to_match },
    { "/trace-page/reload", test_reload },
    { "/trace-page/missing", test_missing },
    { "/trace-page/tiles", test_tiles },
    { "/trace-page/least-width", test_least_width },
  };
  int result;

  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, setup, tests[i].test, teardown);
  result = g_test_run ();
  if (made != NULL)
    tsr_test_folder_free (made);
  return result;
}
