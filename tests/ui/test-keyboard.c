/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keys and mouse of a real server on every list, tree and chart of every page: which row or datum
 * has the keyboard is counted here, what is copied is what the table prints for it, what was opened
 * goes away with Escape, and what led to another page is taken back. */

#include "config.h"

#include "real-input.h"
#include "tsr-chart.h"
#include "tsr-insights-page.h"
#include "tsr-legend.h"
#include "tsr-lifetime-view.h"
#include "tsr-link.h"
#include "tsr-liveness-page.h"
#include "tsr-memory-page.h"
#include "tsr-operation-page.h"
#include "tsr-plane.h"
#include "tsr-program-page.h"
#include "tsr-row-model.h"
#include "tsr-row-view.h"
#include "tsr-rows-print.h"
#include "tsr-test.h"
#include "tsr-tile-map-view.h"
#include "tsr-trace-page.h"
#include "tsr-trace-view.h"
#include "window-test.h"

#include <math.h>
#include <string.h>

static TsrWindow *window;

static TsrPage *
get_page (void)
{
  return tsr_report_view_get_page (tsr_window_get_report_view (window));
}

static gboolean
is_settled (void)
{
  TsrSession *session = tsr_window_get_session (window);
  TsrPage *page;

  if (!window_test_is (window, "report"))
    return FALSE;
  page = get_page ();
  if (tsr_session_get_liveness (session) == NULL || tsr_session_get_trace (session) == NULL
      || tsr_session_is_lowered_pending (session) || !tsr_page_is_content_shown (page))
    return FALSE;
  if (TSR_IS_LIVENESS_PAGE (page))
    return !tsr_liveness_page_is_busy (TSR_LIVENESS_PAGE (page));
  if (TSR_IS_PROGRAM_PAGE (page))
    return !tsr_program_page_is_busy (TSR_PROGRAM_PAGE (page));
  if (TSR_IS_OPERATION_PAGE (page))
    return !tsr_operation_page_is_busy (TSR_OPERATION_PAGE (page));
  if (TSR_IS_INSIGHTS_PAGE (page))
    return tsr_session_get_insights (session) != NULL;
  return !TSR_IS_TRACE_PAGE (page) || !tsr_trace_page_is_busy (TSR_TRACE_PAGE (page));
}

static void
settle (void)
{
  tsr_ui_test_wait (is_settled ());
  tsr_ui_test_run (30);
  tsr_ui_test_wait (is_settled ());
}

static char *
dup_words (void)
{
  g_autoptr (GHashTable) words = tsr_report_view_dup_words (tsr_window_get_report_view (window));

  return tsr_view_words_dup_text (words);
}

static char *
dup_word (const char *name)
{
  g_autoptr (GHashTable) words = tsr_report_view_dup_words (tsr_window_get_report_view (window));

  return g_strdup (g_hash_table_lookup (words, name));
}

static gboolean
has_word (const char *name, const char *value)
{
  g_autofree char *text = dup_word (name);

  return g_strcmp0 (text, value) == 0;
}

static void
go (const char *words)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.go", "s", words);
  settle ();
}

/* All widgets of @type in @widget that are on the screen. */
static void
collect (GtkWidget *widget, GType type, GPtrArray *found)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, type, found);
}

/* A menu that is not open, of its own. */
static gboolean
has_menu (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER_MENU (child))
      return TRUE;
  return TSR_IS_PLANE (widget);
}

static GtkWidget *
find_menu (GtkWidget *widget)
{
  g_autoptr (GPtrArray) menus = g_ptr_array_new ();

  collect (widget, GTK_TYPE_POPOVER_MENU, menus);
  return menus->len > 0 ? menus->pdata[0] : NULL;
}

static GtkWidget *
find_popover (GtkWidget *widget)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  collect (widget, GTK_TYPE_POPOVER, found);
  return found->len > 0 ? found->pdata[0] : NULL;
}

/* Opens the context menu, if there is one, by a key, and takes it away by another. */
static void
check_menu (GtkWidget *widget)
{
  static const char *const keys[] = { "Menu", "<Shift>F10" };
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  if (!has_menu (widget))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      real_input_key (keys[i]);
      tsr_ui_test_wait (find_menu (widget) != NULL);
      real_input_key ("Escape");
      tsr_ui_test_wait (find_menu (widget) == NULL);
      g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == focus);
    }
}

static char *clipboard; /* what was read last */

static void
on_text (GObject *source, GAsyncResult *result, gpointer data)
{
  g_free (clipboard);
  clipboard = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
  *(gboolean *)data = TRUE;
}

static const char *
read_clipboard (void)
{
  gboolean done = FALSE;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (window)), NULL, on_text,
                                 &done);
  tsr_ui_test_wait (done);
  return clipboard != NULL ? clipboard : "";
}

static gboolean
has_clipboard (const char *text)
{
  return g_str_equal (read_clipboard (), text);
}

/* ---------------------------------------------------------------- lists and trees */

typedef struct
{
  TsrRowView *view;
  TsrRowModel *model;
  guint n;
} List;

/* A group of programs, which is none: while the keyboard is at it, nothing is selected. */
static gboolean
is_group (TsrRowView *view, guint32 row)
{
  TsrRows *rows = tsr_row_view_get_shown (view);

  return TSR_IS_PROGRAM_PAGE (get_page ()) && tsr_rows_find_column (rows, "id") >= 0
         && tsr_rows_get_value_of (rows, row, "id") == TSR_UNKNOWN;
}

/* That row alone is selected, and has the keyboard. */
static void
check_row (List *list, guint position, const char *key)
{
  const guint32 row = tsr_row_model_get_row (list->model, position);
  g_autoptr (GArray) rows = NULL;

  tsr_ui_test_run (10);
  rows = tsr_row_view_dup_selected (list->view);
  if (is_group (list->view, row))
    {
      g_assert_cmpuint (rows->len, ==, 0);
      return;
    }
  if (rows->len != 1 || g_array_index (rows, guint32, 0) != row)
    g_test_message ("%s: position %u", key, position);
  g_assert_cmpuint (rows->len, ==, 1);
  g_assert_cmpuint (g_array_index (rows, guint32, 0), ==, row);
}

/* A line of titles and the row's own, as the whole table has them. */
static void
check_copied (List *list, guint position)
{
  TsrRows *rows = tsr_row_view_get_shown (list->view);
  g_autoptr (TsrRowOrder) order = tsr_rows_arrange (rows, -1, FALSE, NULL, NULL, NULL);
  g_autofree char *all = tsr_rows_dup_csv (rows, order);
  g_auto (GStrv) lines = g_strsplit (all, "\n", -1);
  g_autofree char *wanted = NULL;
  const guint32 row = tsr_row_model_get_row (list->model, position);

  if (!gtk_widget_get_visible (
          gtk_widget_get_first_child (GTK_WIDGET (tsr_row_view_get_column_view (list->view)))))
    wanted = tsr_rows_dup_whole (rows, row); /* without headings: as text */
  else if (g_strv_length (lines) == tsr_rows_get_n (rows) + 2)
    wanted = g_strdup_printf ("%s\n%s\n", lines[0], lines[1 + row]);
  else
    return; /* a name of several lines */
  real_input_key ("<Control>c");
  tsr_ui_test_wait (has_clipboard (wanted));
}

static guint n_followed;

/* Where a row led names what the row does: variable, step or program. */
static void
check_followed (TsrRows *rows, guint32 row)
{
  g_autoptr (GHashTable) words = tsr_report_view_dup_words (tsr_window_get_report_view (window));
  const char *variable = g_hash_table_lookup (words, "variables");
  const char *step = g_hash_table_lookup (words, "selected");
  const char *program = g_hash_table_lookup (words, "program");
  g_autofree char *wanted = NULL;

  n_followed++;
  switch (tsr_page_get_view (get_page ()))
    {
    case TSR_VIEW_LIVENESS:
      /* A part of what is live at a step leads to that. */
      if (g_hash_table_lookup (words, "steps") == NULL)
        g_assert_cmpstr (variable, ==, tsr_rows_get_text (rows, row, 0));
      break;
    case TSR_VIEW_EXECUTION_TRACE:
      wanted = g_strdup_printf ("%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT,
                                tsr_rows_get_value_of (rows, row, "step"),
                                tsr_rows_get_value_of (rows, row, "ipu"));
      g_assert_cmpstr (step, ==, wanted);
      break;
    case TSR_VIEW_PROGRAM_TREE:
      wanted = g_strdup_printf ("%" G_GINT64_FORMAT, tsr_rows_get_value_of (rows, row, "id"));
      g_assert_cmpstr (program, ==, wanted);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* Return goes where the row leads, and Alt+Left comes back; or it expands the row, or is nothing.
 */
static void
check_return (List *list)
{
  g_autofree char *before = dup_words (), *back = NULL;
  g_autoptr (TsrRows) rows = tsr_rows_ref (tsr_row_view_get_shown (list->view));
  const guint position = tsr_row_model_find_selected (list->model);
  TsrPage *page = get_page ();

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  real_input_key ("Return");
  settle ();
  if (page == get_page ())
    return;
  check_followed (rows, tsr_row_model_get_row (list->model, position));
  real_input_key ("<Alt>Left");
  settle ();
  back = dup_words ();
  g_assert_cmpstr (back, ==, before);
  g_assert_true (get_page () == page);
}

static void
walk_list (TsrRowView *view)
{
  List list = { .view = view };
  GtkColumnView *columns = tsr_row_view_get_column_view (view);

  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  list.model = TSR_ROW_MODEL (gtk_column_view_get_model (columns));
  list.n = g_list_model_get_n_items (G_LIST_MODEL (list.model));
  if (list.n == 0 || tsr_row_model_is_growing (list.model))
    return;
  tsr_row_view_select (view, &(guint32){ tsr_row_model_get_row (list.model, 0) }, 1);
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (columns), GTK_DIR_TAB_FORWARD)
                 || gtk_widget_grab_focus (GTK_WIDGET (columns)));
  if (list.n > 1)
    {
      real_input_key ("End");
      check_row (&list, list.n - 1, "End");
      real_input_key ("Home");
    }
  check_row (&list, 0, "Home");
  for (guint i = 1; i < MIN (list.n, 3); i++)
    {
      real_input_key ("Down");
      check_row (&list, i, "Down");
    }
  check_copied (&list, MIN (list.n, 3) - 1);
  check_menu (GTK_WIDGET (view));
  check_row (&list, MIN (list.n, 3) - 1, "Escape");
  if (list.n > 1)
    {
      real_input_key ("Up");
      check_row (&list, MIN (list.n, 3) - 2, "Up");
    }
  check_return (&list);
}

/* ---------------------------------------------------------------- charts */

/* The first key of the action whose name ends so; NULL: it has none. */
static char *
dup_key (TsrPlane *plane, const char *action)
{
  for (const GSList *l = TSR_PLANE_GET_CLASS (plane)->actions; l != NULL; l = l->next)
    for (const TsrPlaneAction *one = l->data; one->name != NULL; one++)
      if (one->keys != NULL && g_str_equal (strchr (one->name, '.') + 1, action))
        {
          g_auto (GStrv) keys = g_strsplit (one->keys, " ", -1);

          /* Those of the keypad hang on a lock. */
          return g_strdup (keys[g_str_has_prefix (keys[0], "KP_") ? 1 : 0]);
        }
  return NULL;
}

static gboolean
press (TsrPlane *plane, const char *action)
{
  g_autofree char *key = dup_key (plane, action);

  if (key != NULL)
    real_input_key (key);
  return key != NULL;
}

typedef struct
{
  double from, to;
} Range;

static Range
get_range (TsrPlane *plane)
{
  Range range;

  tsr_viewport_get_range (tsr_plane_get_viewport (plane), &range.from, &range.to);
  return range;
}

#define check_range(range, first, last, near)                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const Range is_ = range;                                                                       \
                                                                                                   \
    g_assert_cmpfloat_with_epsilon (is_.from, first, near);                                        \
    g_assert_cmpfloat_with_epsilon (is_.to, last, near);                                           \
  }                                                                                                \
  G_STMT_END

/* Zooming in, out, back, by pages and with the mouse: ranges follow from each other. */
static void
check_zoom (TsrPlane *plane)
{
  GtkWidget *plot = GTK_WIDGET (tsr_plane_get_plot (plane));
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  const double x = area->x + area->width * 0.3;
  const double y = area->y + area->height / 2;
  /* The trace's wheel zooms; what stands in a page that scrolls leaves it to the page. */
  const GdkModifierType held = TSR_IS_TRACE_VIEW (plane) ? 0 : GDK_CONTROL_MASK;
  const double x2 = area->x + area->width * 0.45;
  Range all, in, in_more, out, moved;
  double under, near;

  g_assert_true (press (plane, "fit"));
  all = get_range (plane);
  tsr_viewport_get_domain (tsr_plane_get_viewport (plane), &in.from, &in.to);
  check_range (all, in.from, in.to, 1e-9);
  near = (all.to - all.from) / 1e6;
  press (plane, "zoom-in");
  in = get_range (plane);
  g_assert_cmpfloat (in.to - in.from, <, all.to - all.from);
  press (plane, "zoom-in");
  in_more = get_range (plane);
  g_assert_cmpfloat_with_epsilon ((in_more.to - in_more.from) / (in.to - in.from),
                                  (in.to - in.from) / (all.to - all.from), 0.001);
  press (plane, "zoom-out");
  out = get_range (plane);
  g_assert_cmpfloat_with_epsilon (out.to - out.from, in.to - in.from, near);
  if (press (plane, "undo-zoom"))
    check_range (get_range (plane), in_more.from, in_more.to, near);
  in = get_range (plane);
  if (press (plane, "page-left") && tsr_plane_get_cursor (plane) == TSR_NO_DATUM)
    {
      moved = get_range (plane);
      check_range (moved, MAX (all.from, in.from - 0.9 * (in.to - in.from)),
                   MAX (all.from, in.from - 0.9 * (in.to - in.from)) + in.to - in.from, near);
      press (plane, "page-right");
      in = get_range (plane);
      check_range (in, MIN (all.to - (in.to - in.from), moved.from + 0.9 * (in.to - in.from)),
                   MIN (all.to, moved.to + 0.9 * (in.to - in.from)), near);
    }
  /* What is under the pointer stays there. */
  press (plane, "fit");
  real_input_move (plot, x, y);
  under = tsr_plane_data_at (plane, x);
  /* The first turn of a wheel in a window may do no more than tell GTK where the wheel stands. */
  for (guint i = 0; i < 2; i++)
    {
      real_input_click (4, 1, held);
      in = get_range (plane);
      if (in.to - in.from < all.to - all.from)
        break;
    }
  g_assert_cmpfloat (in.to - in.from, <, all.to - all.from);
  /* The pointer is at a whole pixel. */
  g_assert_cmpfloat_with_epsilon (tsr_plane_data_at (plane, x), under,
                                  (all.to - all.from) / area->width);
  real_input_click (4, 2, held);
  in = get_range (plane);
  under = tsr_plane_data_at (plane, x);
  if (TSR_IS_CHART (plane) || TSR_IS_LIFETIME_VIEW (plane))
    {
      real_input_drag (plot, x2, y, GDK_CONTROL_MASK);
      moved = get_range (plane);
      g_assert_cmpfloat (moved.from, <, in.from);
      g_assert_cmpfloat_with_epsilon (moved.to - moved.from, in.to - in.from, near);
      if (moved.from > all.from)
        g_assert_cmpfloat_with_epsilon (tsr_plane_data_at (plane, x2), under,
                                        2 * (in.to - in.from) / area->width);
    }
  press (plane, "fit");
  check_range (get_range (plane), all.from, all.to, 1e-9);
}

/* From end to end: each step has another line, and the way back has the same. */
static void
check_cursor (TsrPlane *plane)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  if (!press (plane, "cursor-first"))
    return;
  for (guint i = 0; i < 4; i++)
    {
      g_ptr_array_add (lines, tsr_plane_dup_line (plane));
      g_assert_nonnull (lines->pdata[i]);
      g_assert_true (i == 0 || !g_str_equal (lines->pdata[i], lines->pdata[i - 1]));
      press (plane, "cursor-right");
    }
  for (guint i = 4; i-- > 0;)
    {
      g_autofree char *line = NULL;

      press (plane, "cursor-left");
      line = tsr_plane_dup_line (plane);
      g_assert_cmpstr (line, ==, lines->pdata[i]);
    }
  for (guint end = 0; end < 2; end++)
    {
      g_autofree char *line = NULL, *still = NULL;

      press (plane, end == 0 ? "cursor-first" : "cursor-last");
      line = tsr_plane_dup_line (plane);
      press (plane, end == 0 ? "cursor-left" : "cursor-right");
      still = tsr_plane_dup_line (plane);
      g_assert_cmpstr (line, ==, still);
    }
}

/* A rectangle that is drawn from any corner selects the same tiles. */
static void
check_band (TsrPlane *plane)
{
  GtkWidget *plot = GTK_WIDGET (tsr_plane_get_plot (plane));
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  const double x[] = { area->x + area->width * 0.2, area->x + area->width * 0.3 };
  const double y[] = { area->y + area->height * 0.3, area->y + area->height * 0.6 };
  g_autofree char *first = NULL;

  for (guint corner = 0; corner < 4; corner++)
    {
      g_autofree char *tiles = NULL;

      real_input_move (plot, x[corner & 1], y[corner >> 1]);
      real_input_drag (plot, x[!(corner & 1)], y[!(corner >> 1)], 0);
      settle ();
      tiles = dup_word ("tiles");
      g_assert_nonnull (strchr (tiles, ','));
      if (first == NULL)
        first = g_strdup (tiles);
      g_assert_cmpstr (tiles, ==, first);
    }
}

/* Every key: what opens goes away, there is a line where the cursor is, and nothing outside of the
 * data is in sight. */
static void
press_all (TsrPlane *plane)
{
  for (const GSList *l = TSR_PLANE_GET_CLASS (plane)->actions; l != NULL; l = l->next)
    for (const TsrPlaneAction *action = l->data; action->name != NULL; action++)
      {
        g_auto (GStrv) keys = g_strsplit (action->keys != NULL ? action->keys : "", " ", -1);
        TsrViewport *viewport = tsr_plane_get_viewport (plane);
        Range domain, range;

        for (guint i = 0; keys[i] != NULL && *keys[i] != '\0'; i++)
          {
            if (g_str_equal (action->name, "chart.menu"))
              {
                check_menu (GTK_WIDGET (plane));
                break;
              }
            real_input_key (keys[i]);
          }
        settle ();
        if (find_popover (GTK_WIDGET (get_page ())) != NULL)
          {
            real_input_key ("Escape");
            tsr_ui_test_wait (find_popover (GTK_WIDGET (get_page ())) == NULL);
            g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == GTK_WIDGET (plane));
          }
        if (tsr_plane_get_cursor (plane) != TSR_NO_DATUM)
          {
            g_autofree char *line = tsr_plane_dup_line (plane);

            g_assert_nonnull (line);
          }
        if (viewport != NULL)
          {
            tsr_viewport_get_domain (viewport, &domain.from, &domain.to);
            range = get_range (plane);
            g_assert_cmpfloat (range.from, >=, domain.from);
            g_assert_cmpfloat (range.to, <=, domain.to);
            g_assert_cmpfloat (range.from, <, range.to);
          }
      }
}

/* With Control a series is shown alone, and all of them again; without it goes and comes back. */
static void
walk_legend (TsrLegend *legend)
{
  const guint n = tsr_legend_get_n_entries (legend);

  if (n < 2)
    return;
  for (guint i = 0; i < MIN (n, 3); i++)
    {
      GtkWidget *toggle = tsr_legend_get_toggle (legend, i);

      for (guint click = 0; click < 4 && gtk_widget_get_mapped (toggle); click++)
        {
          const gboolean is_alone = click == 0, is_left_out = click == 2;

          settle (); /* entries may have moved */
          real_input_move (toggle, gtk_widget_get_width (toggle) / 2.0,
                           gtk_widget_get_height (toggle) / 2.0);
          real_input_click (1, 1, click < 2 ? GDK_CONTROL_MASK : 0);
          for (guint k = 0; k < n; k++)
            g_assert_true (
                gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (tsr_legend_get_toggle (legend, k)))
                == (is_alone      ? k == i
                    : is_left_out ? k != i
                                  : TRUE));
        }
    }
}

static void
walk_plane (TsrPlane *plane)
{
  if (tsr_plane_get_model (plane) == NULL || !gtk_widget_get_focusable (GTK_WIDGET (plane)))
    return;
  g_assert_nonnull (TSR_PLANE_GET_CLASS (plane)->name); /* for screen readers */
  g_assert_nonnull (TSR_PLANE_GET_CLASS (plane)->hint);
  gtk_widget_grab_focus (GTK_WIDGET (plane));
  if (tsr_plane_get_viewport (plane) != NULL && tsr_plane_get_area (plane)->width > 0)
    check_zoom (plane);
  if (TSR_IS_CHART (plane))
    check_cursor (plane);
  if (TSR_IS_TILE_MAP_VIEW (plane))
    check_band (plane);
  press_all (plane);
}

/* ---------------------------------------------------------------- the walk */

/* All tabs only where the page comes for the first time. */
static void
walk_page (const char *words, gboolean first)
{
  g_autoptr (GPtrArray) lists = g_ptr_array_new (), planes = g_ptr_array_new ();
  g_autoptr (GPtrArray) legends = g_ptr_array_new ();
  GtkNotebook *notebook;

  go (words);
  collect (GTK_WIDGET (get_page ()), TSR_TYPE_PLANE, planes);
  for (guint i = 0; i < planes->len; i++)
    {
      g_test_message ("%s: %s", words, G_OBJECT_TYPE_NAME (planes->pdata[i]));
      walk_plane (planes->pdata[i]);
    }
  collect (GTK_WIDGET (get_page ()), TSR_TYPE_LEGEND, legends);
  for (guint i = 0; i < legends->len; i++)
    walk_legend (legends->pdata[i]);
  collect (GTK_WIDGET (get_page ()), TSR_TYPE_ROW_VIEW, lists);
  for (guint i = 0; i < lists->len; i++)
    if (gtk_widget_get_ancestor (lists->pdata[i], GTK_TYPE_NOTEBOOK) == NULL)
      {
        g_test_message ("%s: list %u", words, i);
        walk_list (lists->pdata[i]);
      }
  notebook = GTK_NOTEBOOK (tsr_ui_test_find (GTK_WIDGET (get_page ()), GTK_TYPE_NOTEBOOK));
  for (int tab = 0; first && notebook != NULL && tab < gtk_notebook_get_n_pages (notebook); tab++)
    {
      if (!gtk_widget_get_visible (gtk_notebook_get_nth_page (notebook, tab)))
        continue;
      gtk_notebook_set_current_page (notebook, tab);
      settle ();
      g_ptr_array_set_size (lists, 0);
      collect (gtk_notebook_get_nth_page (notebook, tab), TSR_TYPE_ROW_VIEW, lists);
      for (guint i = 0; i < lists->len; i++)
        {
          g_test_message ("%s: tab %d, list %u", words, tab, i);
          walk_list (lists->pdata[i]);
        }
    }
}

/* ---------------------------------------------------------------- there and back */

/* From a program or operation to where it runs or is live, and back: it is the same. */
static void
test_round_trips (void)
{
  static const struct
  {
    const char *page, *word; /* and what is selected there */
  } ends[] = { { "programs", "program" }, { "operations", "operation" } };
  static const char *const over[] = { "liveness", "trace" };
  const char *folder = tsr_test_get_report ("demo");
  gint64 program = tsr_test_ask (
      folder, "SELECT min(l.program) FROM liveness_steps l JOIN steps s ON s.program = l.program "
              "JOIN programs p ON p.id = l.program WHERE p.debug_id IS NOT NULL");

  for (guint e = 0; e < G_N_ELEMENTS (ends); e++)
    for (guint o = 0; o < G_N_ELEMENTS (over); o++)
      {
        g_autofree char *link
            = g_strdup_printf ("page=%s&program=%" G_GINT64_FORMAT, ends[e].page, program);
        g_autofree char *there = g_strdup_printf ("%s.show-in-%s", ends[e].page, over[o]);
        g_autofree char *back = g_strdup_printf ("%s.show-in-%s", over[o], ends[e].page);
        g_autofree char *from = NULL, *to = NULL, *page = NULL;

        go (link);
        from = dup_word (ends[e].word);
        g_assert_nonnull (from);
        g_assert_true (gtk_widget_activate_action (GTK_WIDGET (get_page ()), there, NULL));
        settle ();
        page = dup_word ("page");
        g_assert_cmpstr (page, ==, over[o]);
        g_assert_true (gtk_widget_activate_action (GTK_WIDGET (get_page ()), back, NULL));
        settle ();
        to = dup_word (ends[e].word);
        g_assert_cmpstr (to, ==, from);
      }
}

/* ---------------------------------------------------------------- dialogs */

static GtkWindow *
find_dialog (void)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) one = g_list_model_get_item (all, i);

      if (one != GTK_WINDOW (window) && gtk_widget_get_mapped (GTK_WIDGET (one)))
        return one;
    }
  return NULL;
}

/* What a key of the window opens, Escape closes. */
static void
test_dialogs (void)
{
  static const struct
  {
    const char *key, *type, *tab; /* (nullable) that is shown */
  } dialogs[] = { { "<Control>o", "TsrOpenDialog", "TsrFolderBrowser" },
                  { "<Control><Shift>o", "TsrOpenDialog", "TsrRemoteTab" },
                  { "<Control>comma", "AdwPreferencesWindow" },
                  { "<Control><Shift>d", "TsrDiagnosticsDialog" },
                  { "F1", "TsrHelp" },
                  { "<Control>question", "GtkShortcutsWindow" } };

  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      GtkWindow *dialog;

      real_input_key (dialogs[i].key);
      tsr_ui_test_wait ((dialog = find_dialog ()) != NULL);
      g_assert_cmpstr (G_OBJECT_TYPE_NAME (dialog), ==, dialogs[i].type);
      if (dialogs[i].tab != NULL)
        {
          GtkWidget *tab
              = tsr_ui_test_find (GTK_WIDGET (dialog), g_type_from_name (dialogs[i].tab));

          tsr_ui_test_wait (gtk_widget_get_mapped (tab));
        }
      real_input_focus (dialog);
      real_input_key ("Escape");
      tsr_ui_test_wait (find_dialog () == NULL);
      real_input_focus (GTK_WINDOW (window));
    }
}

/* What was typed for tiles and not entered is forgotten with Escape. */
static void
test_tile_entry (void)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  GtkEditable *entry = NULL;

  go ("page=memory&tiles=5");
  collect (GTK_WIDGET (get_page ()), GTK_TYPE_ENTRY, entries);
  for (guint i = 0; i < entries->len; i++)
    if (g_str_equal (gtk_editable_get_text (entries->pdata[i]), "5"))
      entry = entries->pdata[i];
  g_assert_nonnull (entry);
  gtk_widget_grab_focus (GTK_WIDGET (entry));
  real_input_key ("End");
  real_input_key ("7");
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "57");
  real_input_key ("Escape");
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "5");
  real_input_key ("End");
  real_input_key ("7");
  real_input_key ("Return");
  tsr_ui_test_wait (has_word ("tiles", "57"));
}

static gboolean
is_histogram (GtkWidget *widget, gconstpointer what)
{
  return GTK_IS_BOX (widget) && gtk_widget_get_mapped (widget) && gtk_widget_get_focusable (widget)
         && g_str_equal (gtk_widget_get_css_name (widget), "chart");
}

/* The bins of the histogram by their keys: together all tiles, each once, and in their order. */
static void
test_histogram (void)
{
  const char *folder = tsr_test_get_report ("demo");
  const gint64 n_tiles = tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile");
  g_autofree guint8 *seen = g_new0 (guint8, n_tiles);
  g_autoptr (GPtrArray) rows
      = tsr_test_ask_rows (folder, "SELECT including_gaps FROM memory_by_tile ORDER BY tile");
  gint64 n = 0, most = 0, largest = 0, least;
  GtkWidget *histogram = NULL;

  go ("page=insights");
  /* It comes with the findings. */
  tsr_ui_test_wait (
      (histogram = tsr_ui_test_find_where (GTK_WIDGET (get_page ()), is_histogram, NULL)) != NULL);
  real_input_move (GTK_WIDGET (window), 2, 2);
  for (guint bin = 0; n < n_tiles; bin++)
    {
      g_autoptr (GArray) tiles = NULL;
      g_autofree char *text = NULL;

      g_assert_cmpuint (bin, <, 100);
      gtk_widget_grab_focus (histogram);
      real_input_key ("Right");
      real_input_key ("Return");
      if (!TSR_IS_MEMORY_PAGE (get_page ()))
        continue;
      settle ();
      text = dup_word ("tiles");
      tiles = tsr_memory_parse_tiles (tsr_session_get_memory (tsr_window_get_session (window)),
                                      text, NULL);
      g_assert_nonnull (tiles);
      least = G_MAXINT64;
      for (guint i = 0; i < tiles->len; i++)
        {
          const guint tile = g_array_index (tiles, guint, i);

          g_assert_false (seen[tile]);
          seen[tile] = TRUE;
          n++;
          least = MIN (least, g_ascii_strtoll (((GStrv)rows->pdata[tile])[0], NULL, 10));
          largest = MAX (largest, g_ascii_strtoll (((GStrv)rows->pdata[tile])[0], NULL, 10));
        }
      g_assert_cmpint (least, >=, most);
      most = largest;
      real_input_key ("<Alt>Left");
      settle ();
    }
}

/* @name: of the page. */
static void
test_page (gconstpointer name)
{
  static const char *const pages[] = { "page=insights",
                                       "page=memory&tiles=706",
                                       "page=memory&graph=tile-map&tiles=5",
                                       "page=liveness&steps=40,90",
                                       "page=liveness&lower=lifetimes",
                                       "page=programs&list=tree",
                                       "page=programs&list=costliest",
                                       "page=programs&list=icicle",
                                       "page=operations",
                                       "page=trace" };

  g_autofree char *start = g_strconcat ("page=", name, NULL);
  gboolean first = TRUE;

  n_followed = 0;
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (g_str_has_prefix (pages[i], start))
      {
        walk_page (pages[i], first);
        first = FALSE;
      }
  g_assert_false (first);
  /* Rows of these lead elsewhere. */
  g_assert_true (n_followed > 0 || g_str_equal (name, "memory") || g_str_equal (name, "liveness")
                 || g_str_equal (name, "trace"));
}

int
main (int argc, char **argv)
{
  static const char *const pages[]
      = { "insights", "memory", "liveness", "programs", "operations", "trace" };
  int status;

  window_test_init (&argc, &argv);
  if (!real_input_init ())
    {
      g_print ("1..0 # SKIP there is no X server with libXtst\n");
      return 77;
    }
  window = window_test_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 900);
  tsr_window_open (window, tsr_test_get_report ("demo"), TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (window_test_is (window, "report"));
  settle ();
  real_input_focus (GTK_WINDOW (window));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *path = g_strdup_printf ("/keyboard/%s/lists-and-charts", pages[i]);

      g_test_add_data_func (path, pages[i], test_page);
    }
  g_test_add_func ("/keyboard/links/round-trips", test_round_trips);
  g_test_add_func ("/keyboard/insights/histogram", test_histogram);
  g_test_add_func ("/keyboard/links/dialogs", test_dialogs);
  g_test_add_func ("/keyboard/memory/tile-entry", test_tile_entry);
  status = window_test_run ();
  return status;
}
