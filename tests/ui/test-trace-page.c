/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Execution Trace over a made report: actions are fired and keys' actions, the state and the
 * visible cycles are asserted, and numbers are compared with plain SQL. */

#include "config.h"

#include "trace-page-test.h"
#include "tsr-canvas.h"
#include "tsr-test.h"
#include "tsr-trace-preview.h"

#include <math.h>
#include <string.h>

/* Where the first item of a row is drawn, for clicks; in the widget. */
static void
get_place (PageTest *f, guint32 slice, double *x, double *y)
{
  TsrTraceView *view = page_test_get_view (f);
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
on_toast (GtkWidget *widget, const char *text, char **said)
{
  g_free (*said);
  *said = g_strdup (text);
}

/* Opens on the last complete run; { and } go to the others; the chooser follows and leads. */
static void
test_runs (PageTest *f, gconstpointer data)
{
  guint n_runs = tsr_trace_get_n_runs (page_test_get_trace (f));
  guint last = tsr_trace_get_profiled_run (page_test_get_trace (f));
  GtkDropDown *chooser = tsr_ui_test_child (f->page, "run_chooser");
  g_autofree char *said = NULL;
  gint64 from, to;

  g_assert_cmpuint (n_runs, ==, tsr_test_ask (f->folder, "SELECT count(*) FROM runs"));
  g_assert_cmpuint (last, ==, n_runs - 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (chooser), ==, last + 1);
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (from, ==, tsr_trace_get_run (page_test_get_trace (f), last)->start);
  g_assert_cmpint (to, ==, tsr_trace_get_run (page_test_get_trace (f), last)->end);
  page_test_fire_view (f, "chart.previous-run");
  g_assert_cmpint (tsr_trace_state_get_run (page_test_get_state (f)), ==, (int)last - 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (chooser), ==, last);
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (to, ==, tsr_trace_get_run (page_test_get_trace (f), last - 1)->end);
  g_assert_true (tsr_trace_view_is_whole (page_test_get_view (f)));
  g_signal_connect (page_test_get_view (f), "toast", G_CALLBACK (on_toast), &said);
  page_test_fire_view (f, "chart.next-run");
  g_assert_null (said);
  page_test_fire_view (f, "chart.next-run");
  g_assert_cmpstr (said, ==, "This is the last run");
  g_assert_cmpint (tsr_trace_state_get_run (page_test_get_state (f)), ==, (int)last);
  for (guint i = 0; i < n_runs; i++)
    page_test_fire_view (f, "chart.previous-run");
  g_assert_cmpstr (said, ==, "This is the first run");
  g_assert_cmpint (tsr_trace_state_get_run (page_test_get_state (f)), ==, 0);
  gtk_drop_down_set_selected (chooser, last + 1);
  gtk_drop_down_set_selected (chooser, 0);
  g_assert_cmpint (tsr_trace_state_get_run (page_test_get_state (f)), ==, TSR_TRACE_RUN_ALL);
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (to, ==, tsr_trace_get_run (page_test_get_trace (f), last)->end);
  g_assert_cmpint (from, <=, tsr_trace_get_run (page_test_get_trace (f), 0)->start);
}

/* Another run shows the same place of it. */
static void
test_same_place (PageTest *f, gconstpointer data)
{
  const TsrTraceRun *run = tsr_trace_get_run (page_test_get_trace (f), 2);
  gint64 from, to, a, b, moved;

  tsr_trace_view_show (page_test_get_view (f), run->start + 50000, run->start + 60000);
  page_test_get_visible (f, &from, &to);
  moved = tsr_trace_get_run (page_test_get_trace (f), 1)->wait_end - run->wait_end;
  page_test_fire_view (f, "chart.previous-run");
  page_test_get_visible (f, &a, &b);
  g_assert_cmpint (ABS (a - from - moved), <=, 1);
  g_assert_cmpint (ABS (b - to - moved), <=, 1);
}

static void
test_zoom (PageTest *f, gconstpointer data)
{
  gint64 from, to, a, b, first, end;

  page_test_get_visible (f, &first, &end);
  page_test_fire_view (f, "chart.zoom-in");
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (to - from, <, end - first);
  /* The mini-map says where it is, and goes with the whole, unless it is asked for. */
  tsr_ui_test_wait (tsr_trace_view_get_top (page_test_get_view (f)) > 0);
  page_test_fire_view (f, "chart.last");
  page_test_get_visible (f, &a, &b);
  g_assert_cmpint (b, ==, end);
  page_test_fire_view (f, "chart.first");
  page_test_get_visible (f, &a, &b);
  g_assert_cmpint (a, ==, first);
  page_test_fire_view (f, "chart.undo-zoom");
  page_test_fire_view (f, "chart.undo-zoom");
  page_test_get_visible (f, &a, &b);
  g_assert_cmpint (ABS (a - from), <=, 1);
  g_assert_cmpint (ABS (b - to), <=, 1);
  page_test_fire_view (f, "chart.fit");
  g_assert_true (tsr_trace_view_is_whole (page_test_get_view (f)));
  tsr_ui_test_wait (tsr_trace_view_get_top (page_test_get_view (f)) == 0);
  page_test_fire (f, "trace.mini-map");
  tsr_ui_test_wait (tsr_trace_view_get_top (page_test_get_view (f)) > 0);
  page_test_fire (f, "trace.mini-map");
  tsr_ui_test_wait (tsr_trace_view_get_top (page_test_get_view (f)) == 0);
}

/* A typed span, in cycles and in time, and what is none. */
static void
test_typed (PageTest *f, gconstpointer data)
{
  double clock = tsr_trace_get_clock (page_test_get_trace (f));
  gint64 from, to;

  page_test_fire (f, "trace.edit-range");
  g_assert_true (tsr_trace_page_enter_range (f->page, "800,000 - 900,000"));
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (ABS (from - 800000), <=, 1);
  g_assert_cmpint (ABS (to - 900000), <=, 1);
  g_assert_true (tsr_trace_page_enter_range (f->page, "650 - 700 us"));
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (ABS (from - (gint64)(650e-6 * clock)), <=, 2);
  g_assert_cmpint (ABS (to - (gint64)(700e-6 * clock)), <=, 2);
  g_assert_false (tsr_trace_page_enter_range (f->page, "nonsense"));
  g_assert_true (tsr_ui_test_says (f->window, "Two numbers with a dash between them"));
  g_assert_false (tsr_trace_page_enter_range (f->page, "9,000,000,000 - 9,000,000,009"));
  g_assert_true (tsr_ui_test_says (f->window, "The trace has nothing there"));
  /* In the run before: that one is shown then. */
  g_assert_true (tsr_trace_page_enter_range (f->page, "500,000 - 510,000"));
  g_assert_cmpint (tsr_trace_state_get_run (page_test_get_state (f)), ==, 1);
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (ABS (from - 500000), <=, 1);
}

/* The range's entry, which has the focus: what is typed takes the place of what stands there. */
static GtkEditable *
open_range (PageTest *f)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (f->page));
  GtkEditable *entry;
  int from, to;

  page_test_fire (f, "trace.edit-range");
  tsr_ui_test_run (300); /* a selection may be taken away by the display a little later */
  g_assert_true (GTK_IS_TEXT (gtk_root_get_focus (root)));
  entry = GTK_EDITABLE (gtk_root_get_focus (root));
  g_assert_true (gtk_editable_get_selection_bounds (entry, &from, &to));
  g_assert_cmpint (from, ==, 0);
  g_assert_cmpint (to, ==, (int)strlen (gtk_editable_get_text (entry)));
  return entry;
}

/* As often as it is asked for. */
static void
test_typed_again (PageTest *f, gconstpointer data)
{
  static const char *const texts[] = { "800,000 - 900,000", "820,000 - 870,000" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GtkEditable *entry = open_range (f);

      gtk_editable_set_text (entry, texts[i]);
      g_signal_emit_by_name (entry, "activate");
      tsr_ui_test_run (100);
    }
  g_assert_cmpstr (gtk_editable_get_text (open_range (f)), ==, "820,000 - 870,000");
}

/* Whether a canvas of the view has the label. */
static gboolean
has_label (GtkWidget *widget, const char *text)
{
  const TsrDrawList *list
      = TSR_IS_CANVAS (widget) ? tsr_canvas_get_list (TSR_CANVAS (widget)) : NULL;

  for (guint i = 0; list != NULL && i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_LABEL && g_str_equal (tsr_draw_list_get_text (list, item), text))
        return TRUE;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_label (child, text))
      return TRUE;
  return FALSE;
}

/* While a part is dragged, what it takes stands over it, in cycles and in time; then no more. */
static void
test_measure (PageTest *f, gconstpointer data)
{
  TsrPlane *plane = TSR_PLANE (page_test_get_view (f));
  TsrTrace *trace = page_test_get_trace (f);
  gint64 from, to;
  double x, y;
  gboolean there = FALSE;

  g_object_set (f->page, "shape", "flat", "fold", FALSE, NULL);
  page_test_lay_out (f);
  get_place (f, page_test_get_longest (f), &x, &y);
  /* A hand that is not quite still selects. */
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (plane, x + 1, y - 1);
  tsr_plane_release (plane, x + 1, y - 1, 0);
  g_assert_false (tsr_trace_state_get_span (page_test_get_state (f), &from, &to));
  g_assert_cmpuint (page_test_get_selected_slice (f), ==, page_test_get_longest (f));
  page_test_fire (f, "trace.clear-selection");
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (plane, x - 100, y);
  page_test_lay_out (f);
  tsr_plane_release (plane, x - 100, y, 0);
  g_assert_true (tsr_trace_state_get_span (page_test_get_state (f), &from, &to));
  g_assert_cmpint (from, <, to);
  page_test_fire (f, "trace.clear-selection");
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (plane, x - 100, y);
  page_test_lay_out (f);
  /* Twice: it is there while the pointer is held.  (Ends are whole cycles only in what is
   * selected.) */
  for (guint i = 0; i < 2; i++)
    {
      there = FALSE;
      for (gint64 length = to - from - 1; length <= to - from + 1; length++)
        {
          g_autofree char *cycles = tsr_trace_format_cycles (trace, length, FALSE);
          g_autofree char *time = tsr_trace_format_cycles (trace, length, TRUE);
          g_autofree char *text = g_strdup_printf ("%s · %s", cycles, time);

          there = there || has_label (GTK_WIDGET (plane), text);
        }
      g_assert_cmpint (there, ==, i == 0);
      tsr_plane_release (plane, x - 100, y, 0);
      page_test_lay_out (f);
    }
}

/* A point of the plot where @kind is hit, in the widget: what is large is found at large steps. */
static gboolean
find_kind (PageTest *f, TsrTraceHitKind kind, TsrTraceHit *hit, double *x, double *y)
{
  TsrTraceView *view = page_test_get_view (f);
  TsrChartGeometry geometry;
  TsrPlotArea area;
  graphene_point_t point;

  page_test_lay_out (f);
  g_assert_true (tsr_plane_get_geometry (TSR_PLANE (view), &geometry, &area));
  for (double step = 16; step >= 2; step /= 2)
    for (*y = 1; *y < geometry.height; *y += step)
      for (*x = 1; *x < geometry.width; *x += step)
        {
          tsr_trace_chart_hit (tsr_trace_view_get_chart (view), &geometry, &area, *x, *y, hit);
          if (hit->kind != kind)
            continue;
          g_assert_true (
              gtk_widget_compute_point (GTK_WIDGET (tsr_plane_get_plot (TSR_PLANE (view))),
                                        GTK_WIDGET (view), &GRAPHENE_POINT_INIT (*x, *y), &point));
          *x = point.x;
          *y = point.y;
          return TRUE;
        }
  return FALSE;
}

static void
click (PageTest *f, double x, double y, int n_press, GdkModifierType state)
{
  TsrPlane *plane = TSR_PLANE (page_test_get_view (f));

  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, n_press, state);
  tsr_plane_release (plane, x, y, state);
}

static void
on_edit_marker (TsrTraceView *view, guint marker, guint *edited)
{
  *edited = marker;
}

static void
on_select_tile (TsrTraceView *view, guint ipu, guint tile, gboolean add, guint *selected)
{
  selected[0] = ipu;
  selected[1] = tile;
  selected[2] = add;
}

/* What a click does to each thing that can be hit, with Shift, and a second click. */
static void
test_hits (PageTest *f, gconstpointer data)
{
  TsrTraceView *view = page_test_get_view (f);
  TsrTraceState *state = page_test_get_state (f);
  TsrTrace *trace = page_test_get_trace (f);
  TsrTraceHit hit;
  double x, y;
  gint64 from, to, first, end;
  guint edited = 99, tile[3] = { 99, 99, 99 };
  gulong handlers[2];

  tsr_trace_state_set_run (state, TSR_TRACE_RUN_ALL);
  page_test_settle (f);
  tsr_trace_state_add_marker (state, 900000, 950000, "here");
  g_assert_true (find_kind (f, TSR_TRACE_HIT_ARROW, &hit, &x, &y));
  for (guint i = 0; i < 2; i++)
    {
      click (f, x, y, 1, 0);
      g_assert_cmpint (tsr_trace_state_is_collapsed (state, hit.ipu), ==, i == 0);
      g_assert_false (tsr_trace_state_is_collapsed (state, 1 - hit.ipu));
    }
  for (guint i = 0; i < 2; i++)
    {
      click (f, x, y, 1, GDK_SHIFT_MASK);
      for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (trace); ipu++)
        g_assert_cmpint (tsr_trace_state_is_collapsed (state, ipu), ==, i == 0);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (find_kind (f, TSR_TRACE_HIT_PIN, &hit, &x, &y));
      click (f, x, y, 1, 0);
      g_assert_cmpint (tsr_trace_state_is_pinned (state, hit.ipu), ==, i == 0);
    }
  handlers[0] = g_signal_connect (view, "edit-marker", G_CALLBACK (on_edit_marker), &edited);
  handlers[1] = g_signal_connect (view, "select-tile", G_CALLBACK (on_select_tile), tile);
  g_assert_true (find_kind (f, TSR_TRACE_HIT_MARKER, &hit, &x, &y));
  click (f, x, y, 1, 0);
  g_assert_cmpuint (edited, ==, 0);
  click (f, x, y, 2, 0);
  page_test_get_visible (f, &first, &end);
  g_assert_cmpint (first, <=, 900000);
  g_assert_cmpint (end, >=, 950000);
  g_assert_cmpint (end - first, <, 100000);
  page_test_fire_view (f, "chart.fit");
  g_assert_true (find_kind (f, TSR_TRACE_HIT_NOTCH, &hit, &x, &y));
  tsr_trace_fold_get_notch (tsr_trace_chart_get_fold (tsr_trace_view_get_chart (view)), hit.index,
                            &from, &to);
  click (f, x, y, 2, 0);
  page_test_get_visible (f, &first, &end);
  g_assert_cmpint (first, <=, from);
  g_assert_cmpint (end, >=, to);
  page_test_fire_view (f, "chart.fit");
  /* A run is measured, and then the only one. */
  g_assert_true (find_kind (f, TSR_TRACE_HIT_RUN, &hit, &x, &y));
  click (f, x, y, 1, 0);
  g_assert_true (tsr_trace_state_get_span (state, &from, &to));
  g_assert_cmpint (from, ==, tsr_trace_get_run (trace, (int)hit.index)->start);
  g_assert_cmpint (to, ==, tsr_trace_get_run (trace, (int)hit.index)->end);
  g_assert_true (find_kind (f, TSR_TRACE_HIT_NOTHING, &hit, &x, &y));
  click (f, x, y, 1, GDK_SHIFT_MASK);
  g_assert_true (tsr_trace_state_get_span (state, &from, &to));
  click (f, x, y, 1, 0);
  g_assert_false (tsr_trace_state_get_span (state, &from, &to));
  g_object_set (f->page, "bsp", TRUE, NULL);
  g_assert_true (find_kind (f, TSR_TRACE_HIT_TILE, &hit, &x, &y));
  for (guint i = 0; i < 2; i++)
    {
      click (f, x, y, 1, i == 0 ? GDK_SHIFT_MASK : 0);
      g_assert_cmpuint (tile[0], ==, hit.ipu);
      g_assert_cmpuint (tile[1], ==, hit.index);
      g_assert_cmpuint (tile[2] != 0, ==, i == 0);
    }
  if (hit.slice != TSR_NO_SLICE)
    g_assert_cmpuint (page_test_get_selected_slice (f), ==, hit.slice);
  g_object_set (f->page, "bsp", FALSE, NULL);
  g_assert_true (find_kind (f, TSR_TRACE_HIT_RUN, &hit, &x, &y));
  click (f, x, y, 2, 0);
  g_assert_cmpint (tsr_trace_state_get_run (state), ==, hit.index);
  g_signal_handler_disconnect (view, handlers[0]);
  g_signal_handler_disconnect (view, handlers[1]);
}

/* A click selects, Shift+click adds, a double click zooms there and back, a drag measures. */
static void
test_pointer (PageTest *f, gconstpointer data)
{
  TsrTraceView *view = page_test_get_view (f);
  TsrPlane *plane = TSR_PLANE (view);
  guint32 slice = page_test_get_longest (f);
  TsrTraceSlice told;
  gint64 from, to, first, end;
  double x, y;
  guint n;

  g_object_set (f->page, "shape", "flat", NULL);
  tsr_trace_get_slice (page_test_get_trace (f), slice, &told);
  tsr_trace_view_zoom_to (view, told.start - 3000, told.end + 3000);
  page_test_lay_out (f);
  get_place (f, slice, &x, &y);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_release (plane, x, y, 0);
  g_assert_cmpint (page_test_get_only_step (f)->step_id, ==, told.step_id);
  g_assert_cmpuint (page_test_get_only_step (f)->ipu, ==, 0);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, GDK_SHIFT_MASK);
  tsr_plane_release (plane, x, y, GDK_SHIFT_MASK);
  tsr_trace_state_peek_steps (page_test_get_state (f), &n);
  g_assert_cmpuint (n, ==, 0);
  page_test_get_visible (f, &first, &end);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 2, 0);
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (from, <=, told.start);
  g_assert_cmpint (to, >=, told.end);
  g_assert_cmpint (to - from, <, (told.end - told.start) * 5 / 4);
  page_test_lay_out (f);
  get_place (f, slice, &x, &y);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 2, 0);
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (from, ==, first);
  g_assert_cmpint (to, ==, end);
  page_test_lay_out (f);
  get_place (f, slice, &x, &y);
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (plane, x + 100, y);
  tsr_plane_release (plane, x + 100, y, 0);
  g_assert_true (tsr_trace_state_get_span (page_test_get_state (f), &from, &to));
  g_assert_cmpint (from, >=, first);
  g_assert_cmpint (to, <=, end);
  g_assert_nonnull (tsr_page_get_status_right (TSR_PAGE (f->page)));
  page_test_fire (f, "trace.clear-selection");
  g_assert_false (tsr_trace_state_get_span (page_test_get_state (f), &from, &to));
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0); /* up and down measures nothing */
  tsr_plane_drag (plane, x + 1, y + 60);
  tsr_plane_release (plane, x + 1, y + 60, 0);
  g_assert_false (tsr_trace_state_get_span (page_test_get_state (f), &from, &to));
  /* The menu is of what it is opened on, and all executions of that can be selected. */
  page_test_lay_out (f);
  get_place (f, slice, &x, &y);
  tsr_plane_press (plane, x, y, GDK_BUTTON_SECONDARY, 1, 0);
  g_assert_cmpint (page_test_get_only_step (f)->step_id, ==, told.step_id);
  page_test_fire (f, "trace.select-same");
  g_assert_true (
      tsr_trace_matches_has (tsr_trace_state_get_selected_group (page_test_get_state (f)),
                             tsr_trace_get_slice_name (page_test_get_trace (f), slice)));
}

/* The menu of a group selects all steps whose names are below its own. */
static void
test_group_menu (PageTest *f, gconstpointer data)
{
  TsrPlane *plane = TSR_PLANE (page_test_get_view (f));
  TsrTrace *trace = page_test_get_trace (f);
  guint32 slice = page_test_get_longest (f);
  g_autofree char *prefix = NULL;
  TsrTraceHit hit;
  TsrChartGeometry geometry;
  TsrPlotArea area;
  double x, y, width, height;
  gsize item;
  guint n = 0;
  TsrTraceSlice told;
  TsrTraceMatches *names;

  tsr_trace_get_slice (trace, slice, &told);
  prefix = g_strndup (told.name, strcspn (told.name, "/"));
  g_assert_true (
      tsr_trace_chart_hit_slice (tsr_trace_view_get_chart (page_test_get_view (f)), slice, &hit));
  g_assert_true (tsr_trace_locate (trace, slice, TSR_TRACE_FLAME, 0, &hit.track, &item));
  hit.depth = 0;
  hit.item = item;
  g_assert_true (tsr_plane_get_geometry (plane, &geometry, &area));
  g_assert_true (tsr_trace_chart_get_place (tsr_trace_view_get_chart (page_test_get_view (f)),
                                            &geometry, &area, &hit, &x, &y, &width, &height));
  tsr_plane_press (plane, x + width / 2,
                   tsr_trace_view_get_top (page_test_get_view (f)) + y + height / 2,
                   GDK_BUTTON_SECONDARY, 1, 0);
  page_test_fire (f, "trace.select-same");
  names = tsr_trace_state_get_selected_group (page_test_get_state (f));
  g_assert_nonnull (names);
  for (guint i = 0; i < tsr_trace_get_n_names (trace); i++)
    {
      const char *name = tsr_trace_get_name (trace, i);
      gboolean below = g_str_has_prefix (name, prefix)
                       && (name[strlen (prefix)] == '/' || name[strlen (prefix)] == '\0');

      g_assert_cmpint (tsr_trace_matches_has (names, i), ==, below);
      n += below;
    }
  g_assert_cmpuint (n, >, 1);
}

/* All steps of a type: where they stand is found in a worker, drawn, and said in numbers, which
 * follow what is hidden. */
static void
test_selected_types (PageTest *f, gconstpointer data)
{
  TsrTrace *trace = page_test_get_trace (f);
  TsrTraceState *state = page_test_get_state (f);
  TsrTraceChart *chart = tsr_trace_view_get_chart (page_test_get_view (f));
  guint32 types = tsr_trace_find_types (trace, "DoExchange");
  g_autoptr (TsrTraceMatches) group = tsr_trace_matches_new_types (trace, types, NULL);
  gint64 n = tsr_test_query (f->folder, "profile.pop",
                             "SELECT count(*) FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id "
                             "WHERE type = 'DoExchange' AND active_cycles_to_max > "
                             "active_cycles_from_max");
  g_autofree char *count = tsr_units_dup_count (n);
  g_autofree char *text = g_strdup_printf ("%s steps selected, ", count);
  g_autofree char *all = NULL, *said = NULL;
  GtkWidget *view = GTK_WIDGET (page_test_get_view (f));
  const int height = gtk_widget_get_height (view);

  g_assert_null (tsr_trace_chart_get_marks (chart));
  tsr_trace_state_set_selected_group (state, group);
  tsr_ui_test_wait (!tsr_trace_page_is_busy (f->page));
  g_assert_nonnull (tsr_trace_chart_get_marks (chart));
  g_assert_cmpuint (tsr_trace_marks_get_n (tsr_trace_chart_get_marks (chart), NULL), ==,
                    (guint64)n);
  g_assert_true (g_str_has_prefix (tsr_page_get_status_right (TSR_PAGE (f->page)), text));
  tsr_ui_test_run (100);
  g_assert_cmpint (gtk_widget_get_height (view), ==, height); /* nothing moves under a click */
  tsr_trace_state_set_shape (state, TSR_TRACE_FLAT);
  tsr_ui_test_wait (!tsr_trace_page_is_busy (f->page));
  g_assert_nonnull (tsr_trace_chart_get_marks (chart));
  tsr_trace_state_set_hidden (state, "DoExchange", TRUE);
  tsr_ui_test_wait (!tsr_trace_page_is_busy (f->page));
  g_assert_cmpuint (tsr_trace_marks_get_n (tsr_trace_chart_get_marks (chart), NULL), ==, 0);
  tsr_trace_state_set_selected_group (state, NULL);
  g_assert_null (tsr_trace_chart_get_marks (chart));
  /* With nothing selected it says how many there are, so that it is always there. */
  all = tsr_units_dup_count (tsr_test_ask (f->folder, "SELECT count(*) FROM steps"));
  said = g_strdup_printf ("%s steps", all);
  g_assert_cmpstr (tsr_page_get_status_right (TSR_PAGE (f->page)), ==, said);
}

/* The wheel zooms about the pointer: what is under it stays under it. */
static void
test_wheel (PageTest *f, gconstpointer data)
{
  TsrPlane *plane = TSR_PLANE (page_test_get_view (f));
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  double x = area->x + area->width * 0.25,
         y = tsr_trace_view_get_top (page_test_get_view (f)) + area->y + 10;
  TsrViewport *viewport = tsr_trace_view_get_viewport (page_test_get_view (f));
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
test_executions (PageTest *f, gconstpointer data)
{
  guint32 slice = page_test_get_longest (f);
  TsrTraceSlice told, now;
  gint64 next;

  tsr_trace_get_slice (page_test_get_trace (f), slice, &told);
  tsr_trace_view_go_to (page_test_get_view (f), slice, TRUE);
  next = tsr_test_ask (
      f->folder,
      "SELECT coalesce(max(s.id), -1) FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id AND "
      "i.ipu = 0 WHERE s.compute_set = (SELECT compute_set FROM steps WHERE id = %d) AND s.id < %d",
      (int)told.step_id, (int)told.step_id);
  g_assert_cmpint (next, >=, 0);
  page_test_fire_view (f, "chart.previous-execution");
  g_assert_cmpint (page_test_get_only_step (f)->step_id, ==, next);
  tsr_trace_get_slice (page_test_get_trace (f), page_test_get_selected_slice (f), &now);
  g_assert_cmpstr (now.name, ==, told.name);
  page_test_fire_view (f, "chart.next-execution");
  g_assert_cmpint (page_test_get_only_step (f)->step_id, ==, told.step_id);
}

/* To and fro over all executions of a step that computes and of one that exchanges, which only its
 * program tells; what comes before the first and after the last is said. */
static void
test_all_executions (PageTest *f, gconstpointer data)
{
  static const char *const same[] = { "compute_set", "program" };
  g_autofree char *said = NULL;

  g_signal_connect (page_test_get_view (f), "toast", G_CALLBACK (on_toast), &said);
  page_test_fire_view (f, "chart.next-execution");
  g_assert_cmpstr (said, ==, "Select a step first");
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      g_autofree char *of = g_strdup_printf (
          "FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id AND i.ipu = 0 WHERE s.%s ="
          " (SELECT %s FROM steps t JOIN steps_by_ipu u ON u.step_id = t.id AND u.ipu = 0 WHERE"
          " t.%s IS NOT NULL AND (%u = 0 OR t.compute_set IS NULL) GROUP BY t.%s HAVING count(*)"
          " BETWEEN 2 AND 20 ORDER BY t.id LIMIT 1)",
          same[i], same[i], same[i], i, same[i]);
      g_autofree char *count = g_strconcat ("SELECT count(*) ", of, NULL);
      gint64 n = tsr_test_ask (f->folder, "%s", count);
      g_autofree char *first = g_strconcat ("SELECT min(s.id) ", of, NULL);

      g_assert_cmpint (n, >, 1);
      tsr_trace_view_go_to (
          page_test_get_view (f),
          tsr_trace_find_step (page_test_get_trace (f), tsr_test_ask (f->folder, "%s", first), 0),
          TRUE);
      g_clear_pointer (&said, g_free);
      page_test_fire_view (f, "chart.previous-execution");
      g_assert_cmpstr (said, ==, "The step was not executed before");
      for (gint64 k = 1; k < n; k++)
        {
          g_autofree char *next
              = g_strdup_printf ("SELECT s.id %s ORDER BY s.id LIMIT 1 OFFSET %d", of, (int)k);

          page_test_fire_view (f, "chart.next-execution");
          g_assert_cmpint (page_test_get_only_step (f)->step_id, ==,
                           tsr_test_ask (f->folder, "%s", next));
        }
      page_test_fire_view (f, "chart.next-execution");
      g_assert_cmpstr (said, ==, "The step is not executed again");
    }
}

/* One IPU or all, by the chooser; a step of another IPU brings its own. */
static void
test_ipus (PageTest *f, gconstpointer data)
{
  GtkDropDown *chooser = tsr_ui_test_child (f->page, "ipu_chooser");
  TsrTraceState *state = page_test_get_state (f);
  TsrTraceSearch *search = tsr_ui_test_child (f->page, "search");
  guint n_ipus = tsr_trace_get_n_ipus (page_test_get_trace (f));
  guint32 slices[2] = { TSR_NO_SLICE, TSR_NO_SLICE };
  TsrTraceSlice told;

  g_assert_cmpuint (n_ipus, ==, 2);
  for (guint i = 0; i <= n_ipus; i++)
    {
      gtk_drop_down_set_selected (chooser, (i + 1) % (n_ipus + 1));
      g_assert_cmpuint (tsr_trace_state_get_ipu (state), ==, i == n_ipus ? TSR_NO_INDEX : i);
    }
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      tsr_trace_state_set_ipu (state, ipu);
      g_assert_cmpuint (gtk_drop_down_get_selected (chooser), ==, ipu + 1);
      slices[ipu] = (guint32)tsr_trace_get_tables (page_test_get_trace (f))->ipu_start[ipu];
      tsr_trace_search_set_text (search, "model");
      page_test_settle (f);
      page_test_fire (f, "trace.next-match");
      page_test_settle (f);
      g_assert_cmpint (page_test_get_only_step (f)->ipu, ==, (int)ipu);
      tsr_trace_search_set_text (search, "");
      page_test_settle (f);
    }
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      tsr_trace_view_go_to (page_test_get_view (f), slices[ipu], TRUE);
      g_assert_cmpuint (tsr_trace_state_get_ipu (state), ==, ipu);
      tsr_trace_get_slice (page_test_get_trace (f), page_test_get_selected_slice (f), &told);
      g_assert_cmpuint (told.ipu, ==, ipu);
    }
  tsr_trace_state_set_ipu (state, TSR_NO_INDEX);
  tsr_trace_view_go_to (page_test_get_view (f), slices[0], TRUE);
  g_assert_cmpuint (tsr_trace_state_get_ipu (state), ==, TSR_NO_INDEX);
}

/* Arrows move along a row, Return selects, F shows it, Escape clears. */
static void
test_keyboard (PageTest *f, gconstpointer data)
{
  gint64 from, to, first, end;
  guint n;

  g_object_set (f->page, "shape", "flat", NULL);
  page_test_fire_view (f, "chart.cursor-right");
  page_test_fire_view (f, "chart.cursor-right");
  page_test_fire_view (f, "chart.cursor-right");
  page_test_fire_view (f, "chart.select");
  page_test_get_only_step (f);
  g_assert_nonnull (tsr_page_get_status_left (TSR_PAGE (f->page)));
  page_test_get_visible (f, &first, &end);
  page_test_fire_view (f, "chart.zoom-to-selection");
  page_test_get_visible (f, &from, &to);
  g_assert_cmpint (to - from, <, end - first);
  page_test_fire_view (f, "chart.cursor-down");
  page_test_fire_view (f, "chart.cursor-up");
  page_test_fire_view (f, "chart.measure");
  g_assert_true (tsr_trace_state_get_span (page_test_get_state (f), &from, &to));
  page_test_fire_view (f, "chart.clear-selection");
  tsr_trace_state_peek_steps (page_test_get_state (f), &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_false (tsr_trace_state_get_span (page_test_get_state (f), &from, &to));
}

static void
count_change (guint *n)
{
  ++*n;
}

/* Collapse and pin where the cursor is, or all. */
static void
test_rows (PageTest *f, gconstpointer data)
{
  TsrTraceChart *chart = tsr_trace_view_get_chart (page_test_get_view (f));
  double height = tsr_trace_chart_get_height (chart);

  page_test_fire_view (f, "chart.cursor-right");
  for (guint all = 0; all < 2; all++) /* in one change, and back */
    {
      guint n_changes = 0;
      gulong handler = g_signal_connect_swapped (page_test_get_state (f), "options-changed",
                                                 G_CALLBACK (count_change), &n_changes);

      page_test_fire_view (f, "chart.collapse-all");
      g_assert_cmpuint (n_changes, ==, 1);
      for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (page_test_get_trace (f)); ipu++)
        g_assert_cmpint (tsr_trace_state_is_collapsed (page_test_get_state (f), ipu), ==, all == 0);
      g_signal_handler_disconnect (page_test_get_state (f), handler);
    }
  page_test_fire_view (f, "chart.collapse");
  g_assert_true (tsr_trace_state_is_collapsed (page_test_get_state (f), 0));
  g_assert_cmpfloat (tsr_trace_chart_get_height (chart), <, height);
  page_test_fire_view (f, "chart.collapse");
  g_assert_cmpfloat (tsr_trace_chart_get_height (chart), ==, height);
  page_test_fire_view (f, "chart.pin");
  g_assert_true (tsr_trace_state_is_pinned (page_test_get_state (f), 0));
  g_assert_cmpfloat (tsr_trace_chart_get_pinned_height (chart), >, 0);
  page_test_fire_view (f, "chart.pin");
  g_assert_cmpfloat (tsr_trace_chart_get_pinned_height (chart), ==, 0);
  page_test_fire_view (f, "chart.rows-taller");
  g_assert_cmpfloat (tsr_trace_chart_get_height (chart), >, height);
}

/* Hidden types are said on the scope line, counted no more, and shown again at once. */
static void
test_types (PageTest *f, gconstpointer data)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (f->page));
  const char *label = tsr_trace_get_type (page_test_get_trace (f), 0)->label;
  g_autofree char *before = tsr_scope_line_dup_text (line), *during = NULL, *after = NULL;

  g_assert_null (strstr (before, label));
  tsr_trace_state_set_hidden (page_test_get_state (f), label, TRUE);
  during = tsr_scope_line_dup_text (line);
  g_assert_nonnull (strstr (during, label));
  page_test_fire (f, "trace.show-all-types");
  after = tsr_scope_line_dup_text (line);
  g_assert_cmpstr (after, ==, before);
}

/* A line that is too narrow loses whole words of its longest part: no number is cut. */
static void
test_scope_width (PageTest *f, gconstpointer data)
{
  static const char *const parts[] = { "Run 1, the last complete one of 2",
                                       "all of it: 27,960,307 – 2,645,297,708 (2,617,337,401 "
                                       "cycles, 1.97 s)",
                                       "all 4 IPUs" };
  TsrScopeLine *line = g_object_ref_sink (tsr_scope_line_new ());
  g_autofree char *all = NULL;
  int least, most;
  guint n_cut = 0;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (i == 1)
      tsr_scope_line_add_button (line, parts[i], "hint", NULL);
    else
      tsr_scope_line_add_text (line, parts[i], NULL);
  all = tsr_scope_line_dup_text (line);
  gtk_widget_measure (GTK_WIDGET (line), GTK_ORIENTATION_HORIZONTAL, -1, &least, &most, NULL, NULL);
  g_assert_cmpint (least, <, most / 2);
  for (int width = least; width <= most; width += 7)
    {
      g_autofree char *shown = NULL;
      g_auto (GStrv) words = NULL;

      gtk_widget_size_allocate (GTK_WIDGET (line), &(GtkAllocation){ 0, 0, width, 40 }, -1);
      shown = tsr_scope_line_dup_shown (line);
      words = g_strsplit (shown, " · ", -1);
      g_assert_cmpuint (g_strv_length (words), ==, G_N_ELEMENTS (parts));
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        {
          gsize n = strlen (words[i]);

          if (g_str_equal (words[i], parts[i]))
            continue;
          n_cut++;
          g_assert_true (g_str_equal (words[i], "…") || g_str_has_suffix (words[i], " …"));
          n -= strlen ("…");
          g_assert_cmpint (strncmp (words[i], parts[i], n), ==, 0); /* with the space */
        }
    }
  g_assert_cmpuint (n_cut, >, 10);
  gtk_widget_size_allocate (GTK_WIDGET (line), &(GtkAllocation){ 0, 0, most, 40 }, -1);
  {
    g_autofree char *shown = tsr_scope_line_dup_shown (line);

    g_assert_cmpstr (shown, ==, all);
  }
  g_object_unref (line);
}

/* Options are kept for the next window. */
static void
test_options (PageTest *f, gconstpointer data)
{
  gboolean on;

  page_test_fire (f, "trace.bsp");
  g_assert_true (tsr_trace_state_has (page_test_get_state (f), TSR_TRACE_OPTION_BSP));
  g_object_get (f->page, "bsp", &on, NULL);
  g_assert_true (on);
  page_test_settle (f);
  page_test_lay_out (f);
  page_test_fire (f, "trace.toggle-time");
  g_assert_true (tsr_trace_state_has (page_test_get_state (f), TSR_TRACE_OPTION_TIME));
  g_assert_true (tsr_settings_has_word (f->settings, "trace-options", "bsp"));
  page_test_fire (f, "trace.fold");
  g_assert_false (tsr_settings_has_word (f->settings, "trace-options", "fold"));
  page_test_fire (f, "trace.flat");
  g_assert_cmpint (tsr_trace_state_get_shape (page_test_get_state (f)), ==, TSR_TRACE_FLAT);
}

/* Folding and unfolding waits shows the same cycles. */
static void
test_fold (PageTest *f, gconstpointer data)
{
  gint64 from, to, a, b;

  gtk_drop_down_set_selected (tsr_ui_test_child (f->page, "run_chooser"), 0);
  tsr_trace_view_show (page_test_get_view (f), 900000, 1000000);
  page_test_get_visible (f, &from, &to);
  page_test_fire (f, "trace.fold");
  page_test_get_visible (f, &a, &b);
  g_assert_cmpint (ABS (a - from), <=, 1);
  g_assert_cmpint (ABS (b - to), <=, 1);
  page_test_fire (f, "trace.fold");
  page_test_get_visible (f, &a, &b);
  g_assert_cmpint (ABS (a - from), <=, 1);
  g_assert_cmpint (ABS (b - to), <=, 1);
}

/* A report that is opened again keeps what was looked at. */
static void
test_reload (PageTest *f, gconstpointer data)
{
  gint64 from, to, a, b;

  tsr_trace_view_show (page_test_get_view (f), 900000, 950000);
  page_test_get_visible (f, &from, &to);
  tsr_trace_view_go_to (page_test_get_view (f), page_test_get_longest (f), TRUE);
  tsr_trace_view_show (page_test_get_view (f), 900000, 950000);
  tsr_trace_search_set_text (tsr_ui_test_child (f->page, "search"), "model");
  page_test_settle (f);
  page_test_open (f);
  g_assert_null (tsr_session_get_trace (f->session));
  page_test_settle (f);
  page_test_get_visible (f, &a, &b);
  g_assert_cmpint (a, ==, from);
  g_assert_cmpint (b, ==, to);
  page_test_get_only_step (f);
  g_assert_nonnull (tsr_trace_state_get_matches (page_test_get_state (f)));
}

/* A report without an execution says so, and which option records it. */
static void
test_missing (PageTest *f, gconstpointer data)
{
  page_test_drop (f);
  tsr_test_sql (f->folder, "profile.pop", "DROP TABLE steps_by_ipu; DROP TABLE blocks");
  page_test_show (f);
  page_test_open (f);
  tsr_ui_test_wait (!tsr_session_is_data_pending (f->session, TSR_DATA_TRACE));
  tsr_ui_test_run (100);
  g_assert_false (tsr_page_is_content_shown (TSR_PAGE (f->page)));
}

/* A tile of a band goes to Memory's selection. */
static void
test_tiles (PageTest *f, gconstpointer data)
{
  guint n = 0;
  const guint *tiles;

  tsr_ui_test_wait (tsr_session_get_memory (f->session) != NULL);
  g_signal_emit_by_name (page_test_get_view (f), "select-tile", 1, 7, FALSE);
  tiles = tsr_tile_selection_peek (tsr_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (tiles[0], ==, tsr_trace_get_tiles_per_ipu (page_test_get_trace (f)) + 7);
  g_signal_emit_by_name (page_test_get_view (f), "select-tile", 0, 3, TRUE);
  tsr_tile_selection_peek (tsr_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 2);
}

static int
get_least_width (PageTest *f)
{
  int width;

  gtk_widget_measure (GTK_WIDGET (f->page), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL,
                      NULL);
  return width;
}

/* What the controls say, the place among matches or a run without steps, does not make the window
 * wider. */
static void
test_least_width (PageTest *f, gconstpointer data)
{
  int before = get_least_width (f);

  tsr_trace_search_set_text (tsr_ui_test_child (f->page, "search"), "model");
  page_test_settle (f);
  page_test_fire (f, "trace.next-match");
  page_test_settle (f);
  g_assert_cmpint (get_least_width (f), ==, before);
  page_test_drop (f);
  tsr_test_sql (f->folder, "profile.pop", "DELETE FROM steps_by_ipu");
  page_test_show (f);
  page_test_open (f);
  page_test_settle (f);
  tsr_ui_test_run (100);
  g_assert_cmpint (get_least_width (f), <=, before);
}

/* Matches are those of the run that is shown, which the way through them does not leave;
 * Shift+Enter goes back. */
static void
test_search_in_run (PageTest *f, gconstpointer data)
{
  static const char sql[]
      = "SELECT count(*) FROM steps_by_ipu i JOIN steps s ON s.id = i.step_id LEFT JOIN "
        "compute_sets c ON c.compute_set = s.compute_set LEFT JOIN programs p ON p.id = s.program "
        "WHERE active_cycles_to_max > active_cycles_from_max AND coalesce(c.name, p.name) LIKE "
        "'%%%s%%' %s";
  TsrTraceSearch *search = tsr_ui_test_child (f->page, "search");
  gint64 n_all = tsr_test_ask (f->folder, sql, "conv1", "");
  guint64 place;

  tsr_trace_search_set_text (search, "conv1");
  page_test_settle (f);
  for (int run = 1; run < 3; run++)
    {
      g_autofree char *of_run = g_strdup_printf ("AND s.run = %d", run);
      gint64 n = tsr_test_ask (f->folder, sql, "conv1", of_run);
      TsrTrace *trace = tsr_session_get_trace (f->session);
      gint64 first = G_MAXINT64;

      tsr_trace_state_set_run (page_test_get_state (f), run);
      page_test_settle (f);
      g_assert_cmpint ((gint64)tsr_trace_search_get_count (search, NULL), ==, n);
      g_assert_cmpint (n, >, 2);
      g_assert_cmpint (n, <, n_all);
      for (gint64 i = 0; i <= n; i++) /* from the last to the first again */
        {
          TsrTraceSlice slice;

          page_test_fire (f, "trace.next-match");
          page_test_settle (f);
          tsr_trace_get_slice (trace, page_test_get_selected_slice (f), &slice);
          g_assert_cmpuint (slice.run, ==, run);
          g_assert_cmpint ((gint64)tsr_trace_search_get_count (search, &place), ==, n);
          g_assert_cmpint ((gint64)place, ==, i % n);
          first = MIN (first, slice.start);
        }
      page_test_fire (f, "trace.next-match");
      page_test_settle (f);
      tsr_trace_search_get_count (search, &place);
      g_assert_cmpuint (place, ==, 1);
      g_assert_true (tsr_ui_test_shortcut (GTK_WIDGET (search), GDK_KEY_Return, GDK_SHIFT_MASK));
      page_test_settle (f);
      tsr_trace_search_get_count (search, &place);
      g_assert_cmpuint (place, ==, 0);
    }
  tsr_trace_state_set_run (page_test_get_state (f), TSR_TRACE_RUN_ALL);
  page_test_settle (f);
  g_assert_cmpint ((gint64)tsr_trace_search_get_count (search, NULL), ==, n_all);
}

static void
get_band (PageTest *f, guint ipu, double *top, double *height)
{
  TsrTraceHit hit = { .kind = TSR_TRACE_HIT_TILE, .ipu = ipu };
  gboolean pinned;

  g_assert_true (tsr_trace_chart_get_row_place (tsr_trace_view_get_chart (page_test_get_view (f)),
                                                &hit, top, height, &pinned));
}

/* Switched on, a band of tiles is in sight; on a tall window it has a pixel for each tile. */
static void
test_band (PageTest *f, gconstpointer data)
{
  GtkWidget *view = GTK_WIDGET (page_test_get_view (f));
  GtkAdjustment *rows = tsr_trace_view_get_adjustment (page_test_get_view (f));
  double top, height, value;
  int room;

  gtk_adjustment_set_value (rows, 0);
  page_test_fire (f, "trace.bsp");
  page_test_lay_out (f);
  page_test_settle (f);
  get_band (f, 0, &top, &height);
  value = gtk_adjustment_get_value (rows);
  g_assert_cmpfloat (height, ==, 240);
  g_assert_cmpfloat (value, >, 0);
  g_assert_cmpfloat (top, >=, value);
  g_assert_cmpfloat (top + height, <=, value + gtk_adjustment_get_page_size (rows) + 0.5);
  /* Its foot is at the foot of the chart, however the chart came to its height. */
  room = gtk_widget_get_height (view);
  for (int more = 60; more <= 120; more += 60)
    {
      gtk_widget_set_size_request (view, -1, room + more);
      tsr_ui_test_wait (gtk_widget_get_height (view) == room + more);
      page_test_lay_out (f);
      get_band (f, 0, &top, &height);
      g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (rows),
                                      MAX (top + height - gtk_adjustment_get_page_size (rows), 0),
                                      0.5);
    }
  /* It stays where the user puts it. */
  gtk_adjustment_set_value (rows, 3);
  page_test_lay_out (f);
  g_assert_cmpfloat (gtk_adjustment_get_value (rows), ==, 3);
  gtk_widget_set_size_request (view, -1, 1100);
  tsr_ui_test_wait (gtk_widget_get_height (view) > 1000);
  page_test_lay_out (f);
  get_band (f, 0, &top, &height);
  g_assert_cmpfloat (height, ==, 1472);
}

/* Alt and the wheel zoom the band about the tile under the pointer; a drag moves it; 0 shows all.
 */
static void
test_band_zoom (PageTest *f, gconstpointer data)
{
  TsrTraceView *view = page_test_get_view (f);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (view);
  const TsrPlotArea *area = tsr_plane_get_area (TSR_PLANE (view));
  TsrChartGeometry geometry;
  TsrPlotArea plot;
  TsrTraceHit before, after;
  double x, y, top, height;
  guint moved;

  page_test_fire (f, "trace.bsp");
  page_test_lay_out (f);
  page_test_settle (f);
  get_band (f, 0, &top, &height);
  g_assert_true (tsr_plane_get_geometry (TSR_PLANE (view), &geometry, &plot));
  x = area->x + area->width / 2;
  y = area->y + top - gtk_adjustment_get_value (tsr_trace_view_get_adjustment (view)) + height / 3;
#define HIT(y, hit)                                                                                \
  tsr_trace_chart_hit (tsr_trace_view_get_chart (view), &geometry, &plot, x, y, hit)
  HIT (y, &before);
  g_assert_cmpint (before.kind, ==, TSR_TRACE_HIT_TILE);
  for (guint i = 0; i < 6; i++)
    klass->scroll (TSR_PLANE (view), x, y, 0, -1, GDK_ALT_MASK);
  HIT (y, &after);
  g_assert_cmpint (ABS ((int)after.index - (int)before.index), <=, 8);
  HIT (y + 40, &after);
  g_assert_cmpint ((int)after.index - (int)before.index, <, 40 * 1472 / 240 / 3);
  klass->press (TSR_PLANE (view), x, y, GDK_BUTTON_MIDDLE, 1, 0);
  g_assert_true (klass->drag (TSR_PLANE (view), x, y - 20));
  klass->drag (TSR_PLANE (view), x, y - 40);
  klass->release (TSR_PLANE (view), x, y - 40, 0);
  HIT (y - 40, &after);
  moved = after.index;
  g_assert_cmpint (ABS ((int)moved - (int)before.index), <=, 40);
  page_test_fire_view (f, "chart.fit");
  HIT (y, &after);
  g_assert_cmpint (ABS ((int)after.index - (int)before.index), <=, 7);
}

/* ------------------------------------------------------------ while it loads */

static TsrExecutionPreview *shown; /* what has been read: NULL: nothing */

TsrExecutionPreview *__wrap_tsr_report_dup_execution_preview (TsrReport *report);
TsrExecutionPreview *
__wrap_tsr_report_dup_execution_preview (TsrReport *report)
{
  g_assert_true (TSR_IS_REPORT (report));
  return shown != NULL ? tsr_execution_preview_ref (shown) : NULL;
}

/* Shows @n_ipus times 7 columns; a step of the types told, 0xff: nothing, in turn. */
static void
show_read (guint n_ipus, const guint8 *types, gsize n_types)
{
  static const char *const names[] = { "Sync", "DoExchange", "OnTileExecute", NULL };
  TsrExecutionPreview *preview = g_new0 (TsrExecutionPreview, 1);

  preview->n_ipus = n_ipus;
  preview->n_columns = 7;
  preview->names = g_strdupv ((GStrv)names);
  preview->type = g_new (guint8, n_ipus * 7);
  for (gsize i = 0; i < n_ipus * 7; i++)
    preview->type[i] = types[i % n_types];
  g_atomic_ref_count_init (&preview->count);
  g_clear_pointer (&shown, tsr_execution_preview_unref);
  shown = preview;
}

/* The pixels of @widget on nothing. */
static cairo_surface_t *
draw_alone (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  GskRenderNode *node;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node != NULL)
    gsk_render_node_draw (node, cr);
  g_clear_pointer (&node, gsk_render_node_unref);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Opaque, as cairo keeps it; 0 for a type that has no colour here. */
static guint32
get_pixel (guint8 type)
{
  const TsrTraceType known = { .name = type < 3 ? shown->names[type] : "" };
  TsrTraceType named = known;
  TsrColor colour;

  if (type >= 3)
    return 0;
  named.group = tsr_step_group_of (known.name);
  colour = tsr_palette_get (tsr_trace_get_ink (&named), FALSE);
  return 0xff000000u | (guint32)lround (colour.red * 255) << 16
         | (guint32)lround (colour.green * 255) << 8 | (guint32)lround (colour.blue * 255);
}

/* Each pixel of each band has the colour of the column that it lies in, or the ground's. */
static void
check_read (GtkWidget *widget)
{
  cairo_surface_t *surface = draw_alone (widget);
  const guint8 *data = cairo_image_surface_get_data (surface);
  int width = cairo_image_surface_get_width (surface);
  int height = cairo_image_surface_get_height (surface);

  g_assert_cmpint (width, >, 500);
  g_assert_cmpint (height, ==, (int)MIN (shown->n_ipus, 16) * 22);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const guint8 *row = data + (gsize)y * (gsize)cairo_image_surface_get_stride (surface);
        guint32 found = ((const guint32 *)(gconstpointer)row)[x], expected;
        guint column = 0;

        /* Seven columns do not divide the width. */
        while (column < 6 && x >= (int)((column + 1) * width / 7))
          column++;
        expected = get_pixel (shown->type[(guint)(y / 22) * 7 + column]);
        if (y % 22 >= 18)
          g_assert_cmphex (found, ==, 0);
        else if (expected != 0)
          g_assert_cmphex (found, ==, expected);
        else
          /* Little of the colour of text. */
          {
            g_assert_cmpuint (found >> 24, >, 0);
            g_assert_cmpuint (found >> 24, <, 32);
          }
      }
  cairo_surface_destroy (surface);
}

/* What has been read so far, a band for each IPU; what was there last stays until the trace takes
 * its place. */
static void
test_preview (PageTest *f, gconstpointer data)
{
  static const guint8 some[] = { 0, 0, 1, 0xff, 2, 2, 5, 0xff, 1 }, more[] = { 1, 1, 2, 0 };
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  TsrTracePreview *preview = tsr_trace_preview_new (f->session);
  GtkWidget *widget = GTK_WIDGET (preview);

  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_box_append (GTK_BOX (box), widget);
  gtk_window_set_default_size (GTK_WINDOW (window), 600, 500);
  gtk_window_present (GTK_WINDOW (window));
  tsr_ui_test_draw (window);
  g_assert_cmpint (gtk_widget_get_height (widget), ==, 0);
  show_read (3, some, G_N_ELEMENTS (some));
  /* By itself. */
  tsr_ui_test_wait (gtk_widget_get_height (widget) > 0);
  check_read (widget);
  show_read (3, more, G_N_ELEMENTS (more));
  tsr_ui_test_run (300);
  check_read (widget);
  show_read (20, some, G_N_ELEMENTS (some));
  tsr_ui_test_wait (gtk_widget_get_height (widget) == 16 * 22);
  check_read (widget);
  {
    g_autoptr (TsrExecutionPreview) last = tsr_execution_preview_ref (shown);

    g_clear_pointer (&shown, tsr_execution_preview_unref);
    tsr_ui_test_run (300);
    shown = g_steal_pointer (&last);
  }
  check_read (widget);
  g_clear_pointer (&shown, tsr_execution_preview_unref);
  tsr_session_set_report (f->session, NULL);
  tsr_ui_test_wait (gtk_widget_get_height (widget) == 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  static const PageTestCase cases[] = {
    { "/trace-page/runs", test_runs },
    { "/trace-page/same-place", test_same_place },
    { "/trace-page/zoom", test_zoom },
    { "/trace-page/typed", test_typed },
    { "/trace-page/typed-again", test_typed_again },
    { "/trace-page/pointer", test_pointer },
    { "/trace-page/measure", test_measure },
    { "/trace-page/hits", test_hits },
    { "/trace-page/group-menu", test_group_menu },
    { "/trace-page/selected-types", test_selected_types },
    { "/trace-page/wheel", test_wheel },
    { "/trace-page/executions", test_executions },
    { "/trace-page/all-executions", test_all_executions },
    { "/trace-page/ipus", test_ipus },
    { "/trace-page/keyboard", test_keyboard },
    { "/trace-page/rows", test_rows },
    { "/trace-page/types", test_types },
    { "/trace-page/scope-width", test_scope_width },
    { "/trace-page/options", test_options },
    { "/trace-page/band", test_band },
    { "/trace-page/band-zoom", test_band_zoom },
    { "/trace-page/fold", test_fold },
    { "/trace-page/reload", test_reload },
    { "/trace-page/missing", test_missing },
    { "/trace-page/tiles", test_tiles },
    { "/trace-page/least-width", test_least_width },
    { "/trace-page/search-in-run", test_search_in_run },
    { "/trace-page/preview", test_preview },
  };

  return page_test_main (argc, argv, cases, G_N_ELEMENTS (cases));
}
