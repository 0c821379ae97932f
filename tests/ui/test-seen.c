/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is seen, against the lists in seen/ (seen.h): each page as usual, with each value of each
 * option, and after what its buttons, lists and charts do; the window without a report, with a poor
 * one, and with a large one at two sizes.
 *
 * Every option of every page: what a page shows follows from its options alone, however they were
 * set.  For each value of each option that has a name: all that is to be read on the page after it
 * was set is the same when a link says it, and set back, by an action or by a link, the page is as
 * it was. */

#include "config.h"

#include "seen.h"
#include "tsr-link.h"
#include "tsr-liveness-rows.h"
#include "tsr-memory-rows.h"
#include "tsr-operation-tabs.h"
#include "tsr-plane.h"
#include "tsr-program-tabs.h"
#include "tsr-recents.h"
#include "tsr-row-view.h"
#include "tsr-search-popover.h"
#include "tsr-tables.h"
#include "tsr-test.h"
#include "tsr-tile-map-view.h"
#include "tsr-view-state.h"
#include "window-test.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

/* Values of choices; each page takes those that are its.  Tabs follow from their tables. */
static const char *const choices[]
    = { "tree",     "costliest", "icicle",    "none",     "api",  "prefix",   "prefix-2",
        "prefix-3", "region",    "category",  "liveness", "peak", "software", "physical",
        "bytes",    "total",     "variables", "tile-map", "flat", "flame",    "number",
        "finish",   "cycles",    "code",      "replica",  "ipu",  "tile" };

/* The form of a host has the user's name: here everybody is the same. */
const char *__wrap_g_get_user_name (void);

const char *
__wrap_g_get_user_name (void)
{
  return "me";
}

static GPtrArray *values; /* choices and keys of tabs */

static void
add_value (const char *value)
{
  if (!g_ptr_array_find_with_equal_func (values, value, g_str_equal, NULL))
    g_ptr_array_add (values, (gpointer)value);
}

static void
find_values (void)
{
  values = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    add_value (choices[i]);
  for (guint i = 0; i < TSR_PROGRAM_N_DETAILS; i++)
    add_value (tsr_program_detail_get_nick (i));
  for (guint i = 0; i < TSR_OPERATION_N_DETAILS; i++)
    add_value (tsr_operation_detail_get_nick (i));
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    add_value (tsr_tables_get_key ("liveness", i));
  for (guint i = 0; i < TSR_MEMORY_N_TABS; i++)
    add_value (tsr_memory_tab_get_nick (i));
}

static GHashTable *
save (TsrPage *page)
{
  GHashTable *words = tsr_page_new_words (tsr_page_get_view (page));

  tsr_page_save_words (page, words);
  return words;
}

/* ---------------------------------------------------------------- what is to be seen */

/* How much is behind a tab is known once it was looked at; arrows follow from what has room. */
static gboolean
is_of_tab (GtkWidget *widget)
{
  const char *above = gtk_widget_get_css_name (gtk_widget_get_parent (widget));

  return (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "numeric")
          && gtk_widget_get_ancestor (widget, GTK_TYPE_NOTEBOOK) != NULL)
         || (g_str_equal (above, "header") && GTK_IS_BUTTON (widget));
}

static void
tell (GString *out, GtkWidget *widget, int depth)
{
  g_auto (GStrv) classes = gtk_widget_get_css_classes (widget);
  g_autofree char *joined = g_strjoinv (".", classes);

  /* Bars come and go by themselves; of a list, which row widgets are kept is GTK's affair. */
  if (!gtk_widget_get_mapped (widget) || GTK_IS_SCROLLBAR (widget) || GTK_IS_SPINNER (widget)
      || is_of_tab (widget))
    return;
  g_string_append_printf (out, "%*s%s %s%s", depth, "", G_OBJECT_TYPE_NAME (widget), joined,
                          gtk_widget_is_sensitive (widget) ? "" : " off");
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (out, " “%s”", gtk_label_get_text (GTK_LABEL (widget)));
  if (GTK_IS_TOGGLE_BUTTON (widget) && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (widget)))
    g_string_append (out, " pressed");
  if (GTK_IS_CHECK_BUTTON (widget) && gtk_check_button_get_active (GTK_CHECK_BUTTON (widget)))
    g_string_append (out, " checked");
  g_string_append_c (out, '\n');
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    tell (out, child, depth + 1);
}

static char *
dup_seen (TsrPage *page)
{
  GString *out = g_string_new (NULL);

  tell (out, GTK_WIDGET (page), 0);
  return g_string_free (out, FALSE);
}

/* (transfer full): once it has stood still. */
static char *
dup_settled (TsrPage *page)
{
  g_autofree char *before = NULL;
  char *now = dup_seen (page);

  do
    {
      g_free (before);
      before = now;
      tsr_ui_test_run (40);
      now = dup_seen (page);
    }
  while (!g_str_equal (before, now));
  return now;
}

/* What a page says beside what is seen on it. */
static void
say_page (GtkWidget *widget, GString *out)
{
  TsrPage *page = TSR_PAGE (widget);
  g_autoptr (GHashTable) words = save (page);
  g_autofree char *said = tsr_view_words_dup_text (words);
  g_autofree char *text = tsr_page_dup_text (page);

  g_string_append_printf (out, "%s\n%s\n%s\n%s\n", said, text, tsr_page_get_status_left (page),
                          tsr_page_get_status_right (page));
}

static gboolean
is_seen (TsrPage *page, const char *wanted)
{
  g_autofree char *now = dup_seen (page);

  return g_str_equal (now, wanted);
}

/* The first line that differs, for who has to mend it. */
static void
wait_for (TsrPage *page, const char *wanted, const char *way, const char *name)
{
  gint64 until = g_get_monotonic_time () + 5 * G_USEC_PER_SEC;

  while (!is_seen (page, wanted) && g_get_monotonic_time () < until)
    tsr_ui_test_run (20);
  if (!is_seen (page, wanted))
    {
      g_autofree char *now = dup_seen (page);
      g_auto (GStrv) lines = g_strsplit (now, "\n", -1);
      g_auto (GStrv) others = g_strsplit (wanted, "\n", -1);
      guint i = 0;

      while (lines[i] != NULL && others[i] != NULL && g_str_equal (lines[i], others[i]))
        i++;
      g_test_message ("%s, %s: “%s” is not “%s”", name, way, lines[i] != NULL ? lines[i] : "end",
                      others[i] != NULL ? others[i] : "end");
      g_test_fail ();
    }
}

/* ---------------------------------------------------------------- the options */

/* FALSE: that is no value of it. */
static gboolean
set (TsrPage *page, const char *name, gboolean is_switch, guint value)
{
  g_autofree char *text = NULL;
  gboolean on = FALSE;

  if (is_switch)
    {
      g_object_set (page, name, value != 0, NULL);
      g_object_get (page, name, &on, NULL);
      return on == (value != 0);
    }
  g_object_set (page, name, values->pdata[value], NULL);
  g_object_get (page, name, &text, NULL);
  return g_strcmp0 (text, values->pdata[value]) == 0;
}

/* What the words say, the page says after them; and then it looks the same. */
static void
check_words (TsrPage *page, GHashTable *words, const char *seen, const char *name)
{
  g_autofree char *wanted = tsr_view_words_dup_text (words);
  g_autofree char *said = NULL;
  g_autoptr (GHashTable) now = NULL;

  tsr_page_load_words (page, words);
  now = save (page);
  said = tsr_view_words_dup_text (now);
  g_assert_cmpstr (said, ==, wanted);
  wait_for (page, seen, "by words", name);
}

static guint
check_option (TsrPage *page, const char *name, gboolean is_switch, const char *of)
{
  g_autofree char *usual = NULL, *seen_usual = dup_settled (page);
  g_autoptr (GHashTable) words_usual = save (page);
  g_autofree char *told_usual = tsr_view_words_dup_text (words_usual);
  gboolean on = FALSE;
  guint n = is_switch ? 2 : values->len, n_taken = 0;

  if (is_switch)
    g_object_get (page, name, &on, NULL);
  else
    g_object_get (page, name, &usual, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *seen = NULL, *told = NULL;
      g_autoptr (GHashTable) words = NULL;

      if (is_switch ? (i != 0) == on : g_strcmp0 (usual, values->pdata[i]) == 0)
        continue;
      if (!set (page, name, is_switch, i))
        continue;
      n_taken++;
      seen_note (GTK_WIDGET (page), say_page, "%s%s %s", of, name,
                 is_switch ? (i ? "on" : "off") : (const char *)values->pdata[i]);
      seen = dup_settled (page);
      words = save (page);
      told = tsr_view_words_dup_text (words);
      if (!g_str_equal (told, told_usual))
        {
          check_words (page, words_usual, seen_usual, name);
          check_words (page, words, seen, name);
        }
      if (is_switch)
        g_object_set (page, name, on, NULL);
      else
        g_object_set (page, name, usual, NULL);
      wait_for (page, seen_usual, "set back", name);
    }
  return n_taken;
}

/* ---------------------------------------------------------------- what it does */

typedef struct
{
  TsrReportView *view;
  TsrPage *page;
  GtkWidget *dialog;     /* (nullable) that the widget stands in */
  GHashTable *words;     /* what the page is shown by before each widget is used */
  GtkMenuButton *opener; /* (nullable) of the popover that the widget stands in */
  guint number;          /* of the widget that is used */
} Use;

/* At either end of many that are alike. */
#define N_ALIKE 4

static const Use *in_use;

/* What was done may show elsewhere. */
static void
say_view (GtkWidget *widget, GString *out)
{
  GdkContentProvider *content = gdk_clipboard_get_content (gtk_widget_get_clipboard (widget));
  g_autoptr (GHashTable) words = tsr_report_view_dup_words (in_use->view);
  g_autofree char *said = tsr_view_words_dup_text (words);
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  if (content != NULL && gdk_content_provider_get_value (content, &value, NULL))
    g_string_append_printf (out, "%s\n", g_value_get_string (&value));
  g_value_unset (&value);
  g_string_append_printf (out, "%s\n%s\n%s\n", said, tsr_page_get_status_left (in_use->page),
                          tsr_page_get_status_right (in_use->page));
}

static void
close_popovers (GtkWidget *widget)
{
  if (GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget))
    gtk_popover_popdown (GTK_POPOVER (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    close_popovers (child);
}

/* What was done, and then what it opened is closed, and the page is shown. */
static void
note (Use *use, GtkWidget *widget, const char *what)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (use->view)));
  GListModel *windows = gtk_window_get_toplevels ();

  GtkWidget *seen = GTK_WIDGET (use->page);

  tsr_ui_test_run (20);
  /* Another page has its own list. */
  if (use->dialog != NULL)
    seen = gtk_widget_get_mapped (use->dialog) ? use->dialog : window;
  else if (tsr_report_view_get_page (use->view) != use->page)
    seen = GTK_WIDGET (tsr_report_view_get_sidebar (use->view));
  else if (gtk_widget_get_mapped (widget) && (TSR_IS_PLANE (widget) || TSR_IS_ROW_VIEW (widget)))
    seen = widget;
  in_use = use;
  seen_note (seen, say_view, "%s %u %s", G_OBJECT_TYPE_NAME (widget), use->number, what);
  close_popovers (window);
  for (guint i = g_list_model_get_n_items (windows); i-- > 0;)
    {
      g_autoptr (GtkWindow) other = g_list_model_get_item (windows, i);

      if (GTK_WIDGET (other) != window && GTK_WIDGET (other) != use->dialog
          && gtk_widget_get_visible (GTK_WIDGET (other)))
        gtk_window_close (other);
    }
  while (tsr_report_view_get_page (use->view) != use->page
         && tsr_report_view_can_go (use->view, -1))
    {
      tsr_report_view_go (use->view, -1);
      tsr_ui_test_run (20);
    }
  if (use->opener != NULL)
    gtk_menu_button_popup (use->opener);
}

/* The actions without a parameter that the class of @widget has, one after the other. */
static void
use_actions (Use *use, GtkWidget *widget)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const GVariantType *type;
  const char *name, *property;
  GType owner;

  for (guint i = 0; gtk_widget_class_query_action (GTK_WIDGET_GET_CLASS (widget), i, &owner, &name,
                                                   &type, &property);
       i++)
    if (type == NULL && g_str_has_prefix (g_type_name (owner), "Tsr"))
      g_ptr_array_add (names, (gpointer)name);
  /* There and back: what switches is as it was, what moves had room to. */
  for (guint i = 0; i < (TSR_IS_PLANE (widget) ? 2 : 1) * names->len; i++)
    {
      gboolean back = i >= names->len;
      g_autofree char *what = NULL;

      if (!gtk_widget_get_mapped (widget))
        return;
      name = names->pdata[back ? 2 * names->len - 1 - i : i];
      what = g_strconcat (name, back ? " again" : "", NULL);
      gtk_widget_activate_action (widget, name, NULL);
      note (use, widget, what);
    }
}

/* What the signals of GTK's own controllers lead to. */
static void
use_controllers (Use *use, GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  double x = gtk_widget_get_width (widget) * 0.4, y = gtk_widget_get_height (widget) * 0.4;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && gtk_widget_get_mapped (widget);
       i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      g_autofree char *what = g_strdup_printf ("controller %u", i);

      if (GTK_IS_GESTURE_CLICK (controller))
        {
          for (int n = 1; n <= 2; n++)
            {
              g_signal_emit_by_name (controller, "pressed", n, x, y);
              g_signal_emit_by_name (controller, "released", n, x, y);
            }
        }
      else if (GTK_IS_GESTURE_ZOOM (controller))
        g_signal_emit_by_name (controller, "scale-changed", 1.5);
      else if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, "motion", x, y);
      else if (GTK_IS_GESTURE_DRAG (controller) && !TSR_IS_PLANE (widget))
        {
          g_signal_emit_by_name (controller, "drag-begin", x, y);
          g_signal_emit_by_name (controller, "drag-end", 0.0, 0.0);
        }
      else
        continue;
      note (use, widget, what);
    }
}

/* As the pointer does it; where it is, and twice the same place is a double click. */
/* The ends of the scale of colours beside a map of tiles, and what is between them. */
static void
use_scale (Use *use, GtkWidget *widget)
{
  static const double drags[][2] = { { 0.02, 0.3 }, { 0.98, 0.7 }, { 0.5, 0.4 }, { 0.5, 0.9 } };
  TsrPlane *plane = TSR_PLANE (widget);
  double x = gtk_widget_get_width (widget) - 20, height = gtk_widget_get_height (widget);

  for (guint i = 0; i < G_N_ELEMENTS (drags); i++)
    {
      g_autofree char *what = g_strdup_printf ("scale %u", i);

      tsr_plane_press (plane, x, drags[i][0] * height, GDK_BUTTON_PRIMARY, 1, 0);
      tsr_plane_drag (plane, x, drags[i][1] * height);
      tsr_plane_release (plane, x, drags[i][1] * height, 0);
      note (use, widget, what);
    }
}

static void
use_plane (Use *use, GtkWidget *widget)
{
  static const struct
  {
    double x, y;
    guint button;
    int n_press;
    GdkModifierType state;
    double to;
  } presses[] = { { 0.3, 0.6, 1, 1, 0, 0 },
                  { 0.3, 0.6, 1, 2, 0, 0 },
                  { 0.6, 0.3, 1, 1, GDK_SHIFT_MASK, 0 },
                  { 0.2, 0.5, 1, 1, 0, 0.5 },
                  { 0.2, 0.5, 1, 1, GDK_CONTROL_MASK, 0.4 },
                  { 0.7, 0.5, 2, 1, 0, 0.6 },
                  { 0.5, 0.9, 3, 1, 0, 0 } };
  TsrPlane *plane = TSR_PLANE (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  for (guint i = 0; i < G_N_ELEMENTS (presses); i++)
    {
      double x = presses[i].x * width, y = presses[i].y * height;
      g_autofree char *there = g_strdup_printf ("motion %u", i);
      g_autofree char *what = g_strdup_printf ("press %u", i);

      if (!gtk_widget_get_mapped (widget))
        return;
      tsr_plane_motion (plane, x, y);
      note (use, widget, there);
      tsr_plane_press (plane, x, y, presses[i].button, presses[i].n_press, presses[i].state);
      if (presses[i].to > 0)
        {
          g_autofree char *dragged = g_strdup_printf ("drag %u", i);

          tsr_plane_drag (plane, presses[i].to * width, y);
          note (use, widget, dragged);
        }
      tsr_plane_release (plane, presses[i].to > 0 ? presses[i].to * width : x, y, presses[i].state);
      note (use, widget, what);
    }
  if (TSR_IS_TILE_MAP_VIEW (widget))
    use_scale (use, widget);
  tsr_plane_scroll (plane, 0, -2, GDK_CONTROL_MASK);
  note (use, widget, "wheel");
  tsr_plane_scroll (plane, 1, 1, 0);
  note (use, widget, "wheel sideways");
  use_actions (use, widget);
  use_controllers (use, widget);
  tsr_plane_leave (plane);
  note (use, widget, "leave");
}

static void
use_rows (Use *use, GtkWidget *widget)
{
  static const guint keys[] = { GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Right };
  TsrRowView *rows = TSR_ROW_VIEW (widget);
  GtkColumnView *list = tsr_row_view_get_column_view (rows);
  TsrRows *table = tsr_row_view_get_rows (rows);
  guint n = table != NULL ? tsr_rows_get_n_columns (table) : 0;

  if (n == 0)
    return;
  gtk_selection_model_select_item (gtk_column_view_get_model (list), 1, TRUE);
  note (use, widget, "select");
  for (guint column = 0; column < n; column++)
    {
      g_autofree char *what = g_strdup_printf ("sort %u", column);

      tsr_row_view_sort_by_column (rows, (int)column, column % 2 == 0);
      note (use, widget, what);
    }
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *what = g_strdup_printf ("key %u", i);

      if (!gtk_widget_get_mapped (widget))
        return;
      tsr_ui_test_press (GTK_WIDGET (list), keys[i], i == 2 ? GDK_SHIFT_MASK : 0);
      note (use, widget, what);
    }
  tsr_row_view_set_filter (rows, "a");
  note (use, widget, "filter");
  tsr_row_view_set_filter (rows, "");
  use_actions (use, widget);
}

/* A drawing that has no widget of its own. */
static gboolean
is_drawing (GtkWidget *widget)
{
  return GTK_IS_BOX (widget) && g_str_equal (gtk_widget_get_css_name (widget), "chart");
}

static void
use_drawing (Use *use, GtkWidget *widget)
{
  static const guint keys[]
      = { GDK_KEY_Right, GDK_KEY_Right, GDK_KEY_Left, GDK_KEY_End, GDK_KEY_Home, GDK_KEY_Return };

  use_controllers (use, widget);
  for (guint i = 0; i < G_N_ELEMENTS (keys) && gtk_widget_get_mapped (widget); i++)
    {
      g_autofree char *what = g_strdup_printf ("key %u", i);

      tsr_ui_test_press (widget, keys[i], 0);
      note (use, widget, what);
    }
}

static gboolean
is_choice (GtkWidget *widget)
{
  return GTK_IS_DROP_DOWN (widget) || ADW_IS_COMBO_ROW (widget);
}

static gboolean
is_whole (GtkWidget *widget)
{
  return GTK_IS_MENU_BUTTON (widget) || GTK_IS_EDITABLE (widget) || is_choice (widget)
         || GTK_IS_SWITCH (widget) || GTK_IS_LIST_VIEW (widget);
}

/* Not the inside of what is used as a whole. */
static void
collect (GtkWidget *widget, GPtrArray *found)
{
  if (!gtk_widget_get_mapped (widget) || GTK_IS_NATIVE (widget))
    return;
  if (g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Tsr") || GTK_IS_BUTTON (widget)
      || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_LIST_BOX (widget) || is_drawing (widget)
      || is_whole (widget))
    g_ptr_array_add (found, g_object_ref (widget));
  if (TSR_IS_ROW_VIEW (widget) || is_whole (widget))
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, found);
}

static void use_widget (Use *use, GtkWidget *widget);

/* In the middle of many that are alike, such as a list of columns. */
static gboolean
is_one_of_many (const GPtrArray *widgets, guint i)
{
  if (i < N_ALIKE || widgets->len - i <= N_ALIKE)
    return FALSE;
  for (guint at = i - N_ALIKE; at <= i + N_ALIKE; at++)
    if (G_OBJECT_TYPE (widgets->pdata[at]) != G_OBJECT_TYPE (widgets->pdata[i]))
      return FALSE;
  return TRUE;
}

static void
use_one (Use *use, GPtrArray *widgets, guint i, guint number)
{
  GtkWidget *widget = widgets->pdata[i];

  if (!gtk_widget_get_mapped (widget) || !gtk_widget_is_sensitive (widget)
      || is_one_of_many (widgets, i))
    return;
  /* What is used is in sight. */
  if (gtk_widget_grab_focus (widget))
    tsr_ui_test_run (20);
  use->number = number + i;
  use_widget (use, widget);
}

/* First what is inside, last what changes the whole page; their numbers begin at @number. */
static void
use_all (Use *use, GPtrArray *widgets, guint number)
{
  for (guint i = widgets->len; i-- > 0;)
    {
      tsr_page_load_words (use->page, use->words);
      tsr_ui_test_run (20);
      use_one (use, widgets, i, number);
    }
}

static void
use_popover (Use *use, GtkMenuButton *button)
{
  GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  Use inside = *use;

  gtk_menu_button_popup (button);
  tsr_ui_test_run (20);
  seen_note (popover, NULL, "menu button %u", use->number);
  if (!GTK_IS_POPOVER_MENU (popover))
    collect (gtk_widget_get_first_child (popover), found);
  inside.opener = button;
  use_all (&inside, found, 100 * use->number);
  gtk_menu_button_popdown (button);
}

static void
use_property (Use *use, GtkWidget *widget, const char *name, int value)
{
  g_autofree char *what = g_strdup_printf ("%s %d", name, value);

  if (!gtk_widget_get_mapped (widget))
    return;
  g_object_set (widget, name, value, NULL);
  note (use, widget, what);
}

static void
use_widget (Use *use, GtkWidget *widget)
{
  if (TSR_IS_PLANE (widget))
    use_plane (use, widget);
  else if (TSR_IS_ROW_VIEW (widget))
    use_rows (use, widget);
  else if (is_drawing (widget))
    use_drawing (use, widget);
  else if (g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Tsr"))
    {
      use_actions (use, widget);
      use_controllers (use, widget);
    }
  else if (GTK_IS_MENU_BUTTON (widget))
    use_popover (use, GTK_MENU_BUTTON (widget));
  else if (GTK_IS_CHECK_BUTTON (widget))
    use_property (use, widget, "active", !gtk_check_button_get_active (GTK_CHECK_BUTTON (widget)));
  else if (GTK_IS_SWITCH (widget))
    use_property (use, widget, "active", !gtk_switch_get_active (GTK_SWITCH (widget)));
  else if (is_choice (widget))
    {
      g_autoptr (GListModel) model = NULL;

      g_object_get (widget, "model", &model, NULL);
      for (guint i = g_list_model_get_n_items (model); i-- > 0;)
        use_property (use, widget, "selected", i);
    }
  else if (GTK_IS_LIST_BOX (widget)
           && gtk_list_box_get_row_at_index (GTK_LIST_BOX (widget), 0) != NULL)
    {
      g_signal_emit_by_name (widget, "row-activated",
                             gtk_list_box_get_row_at_index (GTK_LIST_BOX (widget), 0));
      note (use, widget, "activate");
    }
  else if (GTK_IS_LIST_VIEW (widget))
    {
      g_signal_emit_by_name (widget, "activate", 0);
      note (use, widget, "activate");
    }
  else if (GTK_IS_EDITABLE (widget))
    {
      static const char *const texts[] = { "1", "x", "" };
      static const char *const matches[] = { "next match", "previous match", "no match" };

      if (GTK_IS_SEARCH_ENTRY (widget))
        gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (widget), 0);
      for (guint i = 0; i < G_N_ELEMENTS (texts) && gtk_widget_get_mapped (widget); i++)
        {
          g_autofree char *what = g_strdup_printf ("“%s”", texts[i]);

          gtk_editable_set_text (GTK_EDITABLE (widget), texts[i]);
          tsr_ui_test_run (20);
          if (GTK_IS_ENTRY (widget) || GTK_IS_SEARCH_ENTRY (widget))
            g_signal_emit_by_name (widget, "activate");
          note (use, widget, what);
          if (!GTK_IS_SEARCH_ENTRY (widget) || !gtk_widget_get_mapped (widget))
            continue;
          g_signal_emit_by_name (widget, i == 0 ? "next-match" : "previous-match");
          note (use, widget, matches[i]);
        }
    }
  else if (GTK_IS_BUTTON (widget))
    {
      g_signal_emit_by_name (widget, "clicked");
      note (use, widget, "click");
      if (GTK_IS_TOGGLE_BUTTON (widget) && gtk_widget_get_mapped (widget))
        g_signal_emit_by_name (widget, "clicked");
    }
}

static void
check_uses (TsrReportView *view)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) words = tsr_report_view_dup_words (view);
  Use use = { .view = view, .page = tsr_report_view_get_page (view), .words = words };

  collect (GTK_WIDGET (use.page), found);
  use_all (&use, found, 0);
}

/* What is selected while a page is used: most of its actions are for that. */
static const char *
get_link (TsrView view)
{
  switch (view)
    {
    case TSR_VIEW_MEMORY:
      return "page=memory&tiles=1-3";
    case TSR_VIEW_LIVENESS:
      return "page=liveness&steps=5,8&variables=partials&source=1-3";
    case TSR_VIEW_PROGRAM_TREE:
      return "page=programs&program=9";
    case TSR_VIEW_OPERATIONS:
      return "page=operations&operation=8488053209661776668";
    case TSR_VIEW_EXECUTION_TRACE:
      return "page=trace&selected=30@0";
    default:
      return NULL;
    }
}

/* Charts that a page has instead of the one that is used with the rest of it. */
static const struct
{
  TsrView view;
  const char *link, *type;
} charts[] = {
  { TSR_VIEW_MEMORY, "page=memory&graph=tile-map&tiles=1-3", "TsrTileMapView" },
  { TSR_VIEW_MEMORY, "page=memory&graph=total&tiles=1&tab=variables", "TsrAddressView" },
  { TSR_VIEW_LIVENESS, "page=liveness&tab=lifetimes&steps=5", "TsrLifetimeView" },
  { TSR_VIEW_EXECUTION_TRACE, "page=trace&shape=flat&ipu=1", "TsrTraceView" },
  { TSR_VIEW_EXECUTION_TRACE, "page=trace&shape=flame&bsp=1", "TsrTraceView" },
  { TSR_VIEW_EXECUTION_TRACE, "page=trace&range=1000-900000", "TsrMiniMap" },
};

static void
check_charts (TsrReportView *view, TsrView of)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (view)));
  Use use = { .view = view, .page = tsr_report_view_get_page (view) };

  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
      guint n_used = 0;

      if (charts[i].view != of)
        continue;
      gtk_widget_activate_action (window, "win.go", "s", charts[i].link);
      if (g_str_equal (charts[i].type, "TsrMiniMap"))
        g_object_set (use.page, "mini-map", TRUE, NULL);
      seen_note (GTK_WIDGET (use.page), say_page, "%s", charts[i].link);
      collect (GTK_WIDGET (use.page), found);
      for (guint k = 0; k < found->len; k++)
        if (g_str_equal (G_OBJECT_TYPE_NAME (found->pdata[k]), charts[i].type))
          {
            use.number = 10000 * (i + 1) + k;
            use_widget (&use, found->pdata[k]);
            n_used++;
          }
      g_assert_cmpuint (n_used, >, 0);
      if (g_str_equal (charts[i].type, "TsrMiniMap"))
        g_object_set (use.page, "mini-map", FALSE, NULL);
    }
}

/* ---------------------------------------------------------------- all of it */

/* Each value of each option of a page; @of: what the names of the sections begin with. */
static void
check_options (TsrPage *page, const TsrPageInfo *info, const char *of)
{
  guint n_props = 0;
  g_autofree GParamSpec **props
      = g_object_class_list_properties (G_OBJECT_GET_CLASS (page), &n_props);

  for (guint p = 0; p < n_props; p++)
    {
      GType type = props[p]->value_type;
      gint64 start = g_get_monotonic_time ();
      guint taken;

      if (props[p]->owner_type != info->get_type ()
          || (type != G_TYPE_BOOLEAN && type != G_TYPE_STRING)
          || (type == G_TYPE_STRING
              && *g_value_get_string (g_param_spec_get_default_value (props[p])) == '\0'))
        continue;
      taken = check_option (page, props[p]->name, type == G_TYPE_BOOLEAN, of);
      g_test_message ("%s.%s: %u, %d ms", tsr_view_get_nick (info->view), props[p]->name, taken,
                      (int)((g_get_monotonic_time () - start) / 1000));
      /* Of a choice that is new, values are missing above. */
      g_assert_cmpuint (taken, >, 0);
    }
}

/* Of the small report; only the large one has operations. */
static void
test_page (gconstpointer data)
{
  const TsrPageInfo *info = data;
  const char *link = get_link (info->view);
  g_autofree char *golden = g_strdup_printf ("ui/seen/%s.txt", tsr_view_get_nick (info->view));
  const char *report = tsr_test_get_report (info->view == TSR_VIEW_OPERATIONS ? "demo" : "tiny");
  TsrWindow *window = window_test_new ();
  TsrReportView *view = tsr_window_get_report_view (window);
  g_autoptr (GHashTable) words = tsr_page_new_words (info->view);
  TsrPage *page;

  seen_begin (golden);
  seen_replace (report, "REPORT");
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 900);
  tsr_window_open (window, report, TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (window_test_is (window, "report"));
  tsr_ui_test_wait (!tsr_session_is_lowered_pending (tsr_window_get_session (window)));
  tsr_ui_test_wait (tsr_report_view_show_words (view, words));
  page = tsr_report_view_get_page (view);
  tsr_ui_test_wait (tsr_page_is_content_shown (page));
  seen_note (GTK_WIDGET (page), say_page, "usual");
  check_options (page, info, "");
  check_charts (view, info->view);
  if (link != NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), "win.go", "s", link);
      seen_note (GTK_WIDGET (page), say_page, "%s", link);
      /* The callout of a slice that was gone to is not among a link's words. */
      if (info->view != TSR_VIEW_EXECUTION_TRACE)
        check_options (page, info, "selected, ");
    }
  check_uses (view);
  seen_end ();
  window_test_close (window);
}

/* ---------------------------------------------------------------- windows */

/* The dialogs of a window and what stands beside its pages, one after the other. */
static void
see_dialogs (TsrWindow *window, const char *name)
{
  static const char *const actions[]
      = { "win.preferences",       "win.about", "win.colours",    "win.diagnostics", "win.help",
          "win.show-help-overlay", "win.open",  "win.open-remote" };
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), actions[i], NULL);
      tsr_ui_test_run (20);
      for (guint at = g_list_model_get_n_items (windows); at-- > 0;)
        {
          g_autoptr (GtkWindow) dialog = g_list_model_get_item (windows, at);

          if (dialog == GTK_WINDOW (window) || !gtk_widget_get_visible (GTK_WIDGET (dialog)))
            continue;
          seen_note (GTK_WIDGET (dialog), NULL, "%s %s", name, actions[i]);
          gtk_window_close (dialog);
        }
    }
}

/* (transfer full): the dialog that @action opens. */
static GtkWidget *
open_dialog (GtkWidget *window, const char *action)
{
  GListModel *windows = gtk_window_get_toplevels ();

  gtk_widget_activate_action (window, action, NULL);
  tsr_ui_test_run (20);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) dialog = g_list_model_get_item (windows, i);

      if (dialog != window && gtk_widget_get_visible (dialog))
        return g_steal_pointer (&dialog);
    }
  g_assert_not_reached ();
}

/* What stands in the dialogs that no other test uses, each after it was opened anew; settings stay
 * as they were changed. */
static void
use_dialogs (TsrReportView *view)
{
  static const char *const actions[]
      = { "win.preferences", "win.colours", "win.diagnostics", "win.help" };
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (view)));
  Use use = { .view = view, .page = tsr_report_view_get_page (view) };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    for (guint n = G_MAXUINT; n > 0;)
      {
        g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);

        use.dialog = open_dialog (window, actions[i]);
        collect (gtk_widget_get_first_child (use.dialog), found);
        g_assert_cmpuint (found->len, >, 0);
        n = MIN (n, found->len) - 1;
        use_one (&use, found, n, 1000 * (i + 1));
        if (gtk_widget_get_mapped (use.dialog))
          gtk_window_close (GTK_WINDOW (use.dialog));
        g_clear_object (&use.dialog);
      }
}

static void
see_menus (GtkWidget *widget, guint *n)
{
  if (GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget))
    {
      gtk_menu_button_popup (GTK_MENU_BUTTON (widget));
      seen_note (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget))), NULL,
                 "menu %u", ++*n);
      gtk_menu_button_popdown (GTK_MENU_BUTTON (widget));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!TSR_IS_PAGE (child))
      see_menus (child, n);
}

/* Without a report: a home page with reports that were open, what cannot be opened, and why. */
static void
test_home (void)
{
  static const guint keys[] = { GDK_KEY_Menu, GDK_KEY_Delete };
  TsrRecents *recents = tsr_recents_get_default ();
  TsrWindow *window;
  char *folder = tsr_test_folder_new ();
  g_autofree char *report = g_build_filename (folder, "run", NULL);

  g_assert_cmpint (g_mkdir (report, 0700), ==, 0);
  seen_begin ("ui/seen/home.txt");
  seen_replace (folder, "FOLDER");
  seen_replace (g_get_home_dir (), "HOME");
  seen_replace (TSR_VERSION, "VERSION");
  window = window_test_new ();
  seen_note (GTK_WIDGET (window), NULL, "empty");
  see_dialogs (window, "home");
  for (guint i = 0; i < 7; i++)
    {
      g_autofree char *path = g_strdup_printf (
          i == 3 ? "ssh://me@host.invalid/data/run%u/training" : "/data/run%u/training", i);

      tsr_recents_add (recents, path, i % 2 ? "training" : "inference");
    }
  seen_note (GTK_WIDGET (window), NULL, "recent");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
      tsr_ui_test_press (gtk_window_get_focus (GTK_WINDOW (window)), keys[i], 0);
      seen_note (GTK_WIDGET (window), NULL, "recent, key %u", i);
      close_popovers (GTK_WIDGET (window));
    }
  tsr_window_open (window, report, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "error"));
  seen_note (GTK_WIDGET (window), NULL, "an empty folder");
  tsr_test_write (report, "profile.pop", "this is no database", -1);
  tsr_window_open (window, report, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "error"));
  seen_note (GTK_WIDGET (window), NULL, "no database");
  tsr_window_open (window, "/nowhere/at/all", TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "error"));
  seen_note (GTK_WIDGET (window), NULL, "no folder");
  tsr_window_open (window, "ssh://[", TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "error"));
  seen_note (GTK_WIDGET (window), NULL, "no address");
  window_test_close (window);
  seen_end ();
  tsr_test_folder_free (folder);
}

/* What a link shows of a large report: in a narrow window, a wide one, and in the dark. */
static void
test_links (void)
{
  static const char *const links[] = {
    "page=summary",
    "page=insights&plan=1",
    "page=memory&graph=total&breakdown=category&tiles=706&step=3",
    "page=memory&graph=total&breakdown=liveness&tiles=5-2000",
    "page=memory&graph=tile-map&tiles=5",
    "page=liveness&source=worst&steps=104&tiles=706",
    "page=liveness&steps=20,90&source=0-3,7",
    "page=liveness&tab=lifetimes&lifetime-order=birth",
    "page=liveness&tab=variables&by=category",
    "page=programs&list=costliest&program=20",
    "page=operations&group=api&program=20",
    "page=trace&tab=details",
    "page=trace&selected=30@0,31@1&tab=details",
    "page=trace&shape=flat&tab=tiles",
    "page=trace&shape=flame&bsp=1&time=1&tab=waits",
  };
  static const int widths[] = { 900, 1920 };
  TsrWindow *window;

  seen_begin ("ui/seen/links.txt");
  seen_replace (tsr_test_get_report ("demo"), "REPORT");
  for (guint size = 0; size < G_N_ELEMENTS (widths); size++)
    {
      window = tsr_window_new (window_test_get_application ());
      gtk_window_set_default_size (GTK_WINDOW (window), widths[size], size == 0 ? 720 : 1080);
      gtk_window_present (GTK_WINDOW (window));
      tsr_window_open (window, tsr_test_get_report ("demo"), TSR_VIEW_SUMMARY);
      tsr_ui_test_wait (window_test_is (window, "report"));
      adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                          size == 0 ? ADW_COLOR_SCHEME_FORCE_DARK
                                                    : ADW_COLOR_SCHEME_DEFAULT);
      for (guint i = 0; i < G_N_ELEMENTS (links); i++)
        {
          gtk_widget_activate_action (GTK_WIDGET (window), "win.go", "s", links[i]);
          seen_note (GTK_WIDGET (window), NULL, "%d %s", widths[size], links[i]);
        }
      window_test_close (window);
    }
  seen_end ();
}

/* What stands beside the pages, and the pages of a report of which files and tables are missing. */
static void
test_window (void)
{
  static const char *const typed[] = { "a", "tile 1", "nothing like it" };
  char *folder = tsr_test_folder_new ();
  g_autofree char *report = g_build_filename (folder, "run", NULL);
  TsrWindow *window;
  GtkWidget *search;
  guint n_pages = 0, n_menus = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);

  seen_begin ("ui/seen/window.txt");
  seen_replace (folder, "FOLDER");
  seen_replace (TSR_VERSION, "VERSION");
  g_assert_cmpint (g_mkdir (report, 0700), ==, 0);
  tsr_test_copy (tsr_test_get_report ("tiny"), report, "profile.pop");
  tsr_test_sql (report, "profile.pop",
                "DROP TABLE IF EXISTS steps; DROP TABLE IF EXISTS variable_lifetimes;");
  window = window_test_new ();
  tsr_window_open (window, report, TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (window_test_is (window, "report"));
  for (guint i = 0; i < n_pages; i++)
    {
      tsr_report_view_show (tsr_window_get_report_view (window), pages[i].view);
      seen_note (GTK_WIDGET (window), NULL, "%s", tsr_view_get_nick (pages[i].view));
    }
  see_dialogs (window, "report");
  see_menus (GTK_WIDGET (window), &n_menus);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.toggle-sidebar", NULL);
  seen_note (GTK_WIDGET (window), NULL, "without menu");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.toggle-sidebar", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "find", NULL);
  search = GTK_WIDGET (tsr_window_get_search (window));
  for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      tsr_search_popover_set_text (TSR_SEARCH_POPOVER (search), typed[i]);
      seen_note (search, NULL, "find %s", typed[i]);
    }
  gtk_popover_popdown (GTK_POPOVER (search));
  use_dialogs (tsr_window_get_report_view (window));
  tsr_window_toast (window, "done");
  seen_note (GTK_WIDGET (window), NULL, "toast");
  gtk_widget_activate_action (GTK_WIDGET (window), "report.close", NULL);
  window_test_close (window);
  seen_end ();
  tsr_test_folder_free (folder);
}

/* The pages of reports that are unlike the others: more IPUs than the histogram names, one without
 * clock, sizes, estimates and layers, a program of PopLibs alone. */
static void
test_reports (void)
{
  static const struct
  {
    const char *name, *preset, *sql;
    gboolean has_debug;
  } reports[] = {
    { "eight IPUs", "tiny",
      "UPDATE target SET tiles_per_ipu = 1, ipus_per_replica = 8, num_ipus = 8, num_replicas = 1;",
      FALSE },
    { "bare", "tiny",
      "UPDATE target SET clock_frequency = NULL, bytes_per_tile = NULL;"
      "UPDATE programs SET estimated_cycles_by_tile = NULL;"
      "UPDATE memory_by_tile SET excluding_gaps = NULL; DELETE FROM variable_lifetimes;",
      FALSE },
    { "poplibs", "poplibs", "", TRUE },
  };
  guint n_pages = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);

  seen_begin ("ui/seen/reports.txt");
  seen_replace (TSR_VERSION, "VERSION");
  for (guint i = 0; i < G_N_ELEMENTS (reports); i++)
    {
      char *folder = tsr_test_folder_new ();
      g_autofree char *report = g_build_filename (folder, "run", NULL);
      TsrWindow *window = window_test_new ();

      seen_replace (folder, "FOLDER");
      g_assert_cmpint (g_mkdir (report, 0700), ==, 0);
      tsr_test_copy (tsr_test_get_report (reports[i].preset), report, "profile.pop");
      tsr_test_sql (report, "profile.pop", reports[i].sql);
      if (reports[i].has_debug)
        tsr_test_copy (tsr_test_get_report (reports[i].preset), report, "debug.cbor");
      else
        tsr_test_write (report, "debug.cbor",
                        "\xa2\x68"
                        "contexts\x80\x6b"
                        "stringTable\x80",
                        -1);
      tsr_window_open (window, report, TSR_VIEW_SUMMARY);
      tsr_ui_test_wait (window_test_is (window, "report"));
      for (guint page = 0; page < n_pages; page++)
        {
          tsr_report_view_show (tsr_window_get_report_view (window), pages[page].view);
          seen_note (GTK_WIDGET (window), NULL, "%s, %s", reports[i].name,
                     tsr_view_get_nick (pages[page].view));
        }
      gtk_widget_activate_action (GTK_WIDGET (window), "win.go", "s", "page=insights&plan=1");
      seen_note (GTK_WIDGET (window), NULL, "%s, plan", reports[i].name);
      window_test_close (window);
      tsr_test_folder_free (folder);
    }
  seen_end ();
}

int
main (int argc, char **argv)
{
  guint n_pages = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);
  int status;

  window_test_init (&argc, &argv);
  seen_init ();
  find_values ();
  for (guint i = 0; i < n_pages; i++)
    {
      g_autofree char *path = g_strconcat ("/seen/", tsr_view_get_nick (pages[i].view), NULL);

      g_test_add_data_func (path, &pages[i], test_page);
    }
  g_test_add_func ("/seen/home", test_home);
  g_test_add_func ("/seen/links", test_links);
  g_test_add_func ("/seen/window", test_window);
  g_test_add_func ("/seen/reports", test_reports);
  status = window_test_run ();
  g_ptr_array_unref (values);
  return status;
}
