/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Trees of rows in a window: the contract of the list model, order, what is expanded, keys, other
 * numbers in the same rows, cells and CSV; and what scrolls around a list. */

#include "config.h"

#include "tsr-memory-details.h"
#include "tsr-row-view.h"
#include "tsr-scroll.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <string.h>

/* Categories by tile, so that the tree has three levels. */
#define CATEGORIES                                                                                 \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT, allocated_bytes INTEGER);"      \
  "INSERT INTO var_categories VALUES (0, 'variable', 1), (1, 'stack', 1), (2, 'message', 1);"      \
  "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped, overlapped,"      \
  "  PRIMARY KEY (tile, category, region)) WITHOUT ROWID;"                                         \
  "INSERT INTO memory_by_tile_category SELECT tile, id, 0, (id * 5 + tile * 3) % 7, 0"             \
  "  FROM memory_by_tile, var_categories;"

static TsrMemory *
make_memory (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  TsrMemory *memory;

  tsr_ui_test_write_report (folder, 0);
  tsr_test_sql (folder, "profile.pop", CATEGORIES);
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  memory = tsr_memory_new (report);
  tsr_test_folder_free (folder);
  return memory;
}

static TsrRows *
make_table (TsrMemory *memory, const char *tiles)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) array = *tiles != '\0' ? tsr_memory_parse_tiles (memory, tiles, &error)
                                            : g_array_new (FALSE, FALSE, sizeof (guint));

  g_assert_no_error (error);
  return tsr_memory_details_new (memory, (const guint *)(gpointer)array->data, array->len);
}

/* The contract: what items-changed tells is what there is, whoever asks and when. */

typedef struct
{
  GListModel *list;
  guint n; /* as the signal has it */
  guint n_signals;
} Contract;

static void
check_contract (Contract *c)
{
  g_assert_cmpuint (g_list_model_get_n_items (c->list), ==, c->n);
  for (guint i = 0; i < c->n; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (c->list, i);

      g_assert_nonnull (item);
      g_assert_true (g_type_is_a (G_OBJECT_TYPE (item), g_list_model_get_item_type (c->list)));
    }
  g_assert_null (g_list_model_get_item (c->list, c->n));
  g_assert_null (g_list_model_get_item (c->list, c->n + 1000));
  g_assert_null (g_list_model_get_item (c->list, G_MAXUINT));
}

static void
on_items_changed (GListModel *list, guint position, guint removed, guint added, Contract *c)
{
  g_assert_cmpuint (position + removed, <=, c->n);
  c->n += added - removed;
  c->n_signals++;
  check_contract (c);
}

static void
contract_begin (Contract *c, gpointer list)
{
  g_assert_true (G_IS_LIST_MODEL (list));
  *c = (Contract){ .list = list, .n = g_list_model_get_n_items (list) };
  g_signal_connect (list, "items-changed", G_CALLBACK (on_items_changed), c);
  check_contract (c);
}

static void
contract_end (Contract *c)
{
  check_contract (c);
  g_signal_handlers_disconnect_by_data (c->list, c);
}

static TsrRowView *
make_view (GtkWidget **window)
{
  TsrRowView *view = tsr_row_view_new ();

  *window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (*window), 900, 700);
  gtk_window_set_child (GTK_WINDOW (*window), GTK_WIDGET (view));
  gtk_window_present (GTK_WINDOW (*window));
  return view;
}

static TsrRowModel *
get_model (TsrRowView *view)
{
  return TSR_ROW_MODEL (gtk_column_view_get_model (tsr_row_view_get_column_view (view)));
}

static void
wait_for_rows (TsrRowView *view)
{
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
}

static gboolean
has_children (TsrRows *rows, guint32 row)
{
  return tsr_rows_get_end (rows, row) > row + 1;
}

/* Everything a user can do to the rows, under the eyes of the contract. */
static void
test_view_contract (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  GtkWidget *window;
  TsrRowView *view = make_view (&window);
  static const char *const selections[] = { "", "3", "4", "0-3", "0-7", "ipu1", "", "2", "top3" };
  Contract c;

  contract_begin (&c, get_model (view));
  for (guint i = 0; i < G_N_ELEMENTS (selections); i++)
    {
      g_autoptr (TsrRows) table = make_table (memory, selections[i]);

      tsr_row_view_set_rows (view, table, i % 3, NULL, FALSE);
      gtk_widget_activate_action (GTK_WIDGET (view), "rows.expand-all", NULL);
      wait_for_rows (view);
      g_assert_cmpuint (c.n, ==, tsr_rows_get_n (table));
      tsr_row_view_sort_by_column (view, 1, i % 2);
      wait_for_rows (view);
      g_assert_cmpuint (c.n, ==, tsr_rows_get_n (table));
      tsr_ui_test_run (20);
      if (i % 2 == 1)
        gtk_widget_activate_action (GTK_WIDGET (view), "rows.collapse-all", NULL);
    }
  tsr_row_view_set_rows (view, NULL, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_cmpuint (c.n, ==, 0);
  contract_end (&c);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_sort (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrRows) table = make_table (memory, "");
  GtkWidget *window;
  TsrRowView *view = make_view (&window);

  tsr_row_view_set_rows (view, table, TSR_UNITS_BINARY, NULL, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (view), "rows.expand-all", NULL);
  for (int way = 0; way < 2; way++)
    {
      gboolean descending = FALSE;
      guint n = tsr_row_view_get_n_shown (view);

      tsr_row_view_sort_by_column (view, 1, way == 1);
      g_assert_cmpint (tsr_row_view_get_sort_column (view, &descending), ==, 1);
      g_assert_cmpint (descending, ==, way == 1);
      /* Among brothers the values ascend or descend; a row comes after its parent. */
      for (guint i = 0; i < n; i++)
        for (guint k = i + 1; k < n; k++)
          {
            guint32 a = tsr_row_model_get_row (get_model (view), i);
            guint32 b = tsr_row_model_get_row (get_model (view), k);
            gint64 va = tsr_rows_get_value (table, a, 1), vb = tsr_rows_get_value (table, b, 1);

            g_assert_cmpuint (tsr_rows_get_parent (table, a), !=, b);
            if (tsr_rows_get_parent (table, a) != tsr_rows_get_parent (table, b)
                || va == TSR_UNKNOWN || vb == TSR_UNKNOWN)
              continue;
            if (way == 0)
              g_assert_cmpint (va, <=, vb);
            else
              g_assert_cmpint (va, >=, vb);
          }
    }
  /* A click on a heading goes through the view's own sorter; this is what it calls. */
  gtk_column_view_sort_by_column (tsr_row_view_get_column_view (view), NULL, GTK_SORT_ASCENDING);
  g_assert_cmpint (tsr_row_view_get_sort_column (view, NULL), ==, -1);
  gtk_widget_activate_action (GTK_WIDGET (view), "rows.sort", "i", 1);
  g_assert_cmpint (tsr_row_view_get_sort_column (view, NULL), ==, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Columns of other tiles: the order is by the one at the same place. */
static void
test_sort_stays (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrRows) all = make_table (memory, "");
  g_autoptr (TsrRows) one = make_table (memory, "3");
  GtkWidget *window;
  TsrRowView *view = make_view (&window);
  gboolean descending = FALSE;
  GMenuModel *menu = tsr_row_view_get_sort_menu (view);

  tsr_row_view_sort_by_column (view, 2, TRUE); /* a link, before there are rows */
  tsr_row_view_set_rows (view, all, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_cmpint (tsr_row_view_get_sort_column (view, &descending), ==, 2);
  g_assert_true (descending);
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 3); /* none, and the columns of numbers */
  tsr_row_view_set_rows (view, one, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_cmpint (tsr_row_view_get_sort_column (view, NULL), ==, 2);
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 4);
  tsr_row_view_sort_by_column (view, 3, FALSE);
  tsr_row_view_set_rows (view, all, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_cmpint (tsr_row_view_get_sort_column (view, NULL), ==, -1); /* it has no such column */
  gtk_window_destroy (GTK_WINDOW (window));
}

static guint32
first_parent (TsrRows *table)
{
  for (guint32 i = 0; i < tsr_rows_get_n (table); i++)
    if (has_children (table, i))
      return i;
  g_assert_not_reached ();
}

static void
test_expanded (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrRows) all = make_table (memory, "");
  g_autoptr (TsrRows) one = make_table (memory, "3");
  g_autoptr (TsrSettings) settings = tsr_settings_new ("none.such");
  guint32 row = first_parent (all);
  g_autofree char *key = tsr_rows_dup_key (all, row);
  GtkWidget *window;
  TsrRowView *view = make_view (&window);
  TsrRowOutline *outline = tsr_row_model_get_outline (get_model (view));

  tsr_settings_set_word (settings, "memory-details-expanded", key, FALSE);
  tsr_row_view_set_settings (view, settings, "memory-details-expanded");
  tsr_row_view_set_rows (view, all, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_run (60);
  g_assert_false (tsr_row_outline_is_expanded (outline, row));
  /* What a double click does. */
  g_signal_emit_by_name (tsr_row_view_get_column_view (view), "activate",
                         tsr_row_outline_find (outline, row));
  g_assert_true (tsr_row_outline_is_expanded (outline, row));
  g_assert_true (tsr_row_view_is_expanded (view, key));
  g_assert_true (tsr_settings_has_word (settings, "memory-details-expanded", key));
  /* Over another selection, another order and a report that is away for a while. */
  tsr_row_view_set_rows (view, one, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_row_view_sort_by_column (view, 1, TRUE);
  tsr_row_view_set_rows (view, NULL, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_run (30);
  g_assert_true (tsr_row_view_is_expanded (view, key));
  tsr_row_view_set_rows (view, all, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_true (tsr_row_outline_is_expanded (outline, row));
  tsr_row_view_set_expanded (view, key, FALSE);
  g_assert_false (tsr_settings_has_word (settings, "memory-details-expanded", key));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Each parent is collapsed as its arrow does it, with all that is below it on screen; what the user
 * had expanded below it is still wished for. */
static void
test_collapse (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrRows) table = make_table (memory, "3");
  GtkWidget *window;
  TsrRowView *view = make_view (&window);
  TsrRowOutline *outline = tsr_row_model_get_outline (get_model (view));
  guint n_collapsed = 0, n_with_parents = 0;

  tsr_row_view_set_rows (view, table, TSR_UNITS_BINARY, NULL, FALSE);
  for (guint32 i = 0; i < tsr_rows_get_n (table); i++)
    {
      guint n_below = 0, n_children = 0;

      if (!has_children (table, i))
        continue;
      gtk_widget_activate_action (GTK_WIDGET (view), "rows.expand-all", NULL);
      wait_for_rows (view);
      tsr_ui_test_run (60); /* rows are bound when the view is laid out */
      for (guint32 k = i + 1; k < tsr_rows_get_n (table); k++)
        {
          guint32 above = tsr_rows_get_parent (table, k);

          n_children += above == i;
          while (above != TSR_NO_INDEX && above > i)
            above = tsr_rows_get_parent (table, above);
          n_below += above == i;
        }
      g_signal_emit_by_name (tsr_row_view_get_column_view (view), "activate",
                             tsr_row_outline_find (outline, i));
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (get_model (view))), ==,
                        tsr_rows_get_n (table) - n_below);
      for (guint32 k = 0; k < tsr_rows_get_n (table); k++)
        if (has_children (table, k))
          {
            g_autofree char *key = tsr_rows_dup_key (table, k);

            g_assert_cmpint (tsr_row_view_is_expanded (view, key), ==, k != i);
          }
      /* Expanded again, it has what it had. */
      g_signal_emit_by_name (tsr_row_view_get_column_view (view), "activate",
                             tsr_row_outline_find (outline, i));
      wait_for_rows (view);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (get_model (view))), ==,
                        tsr_rows_get_n (table));
      n_collapsed++;
      n_with_parents += n_below > n_children;
      tsr_ui_test_run (20);
    }
  g_assert_cmpuint (n_collapsed, >, 1);
  g_assert_cmpuint (n_with_parents, >, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The position of the row whose widget has the focus. */
static guint
get_focus (TsrRowView *view)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (view)));
  GtkWidget *list = gtk_widget_get_parent (focus);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (get_model (view))), at = 0;

  g_assert_true (GTK_IS_LIST_VIEW (list));
  /* Few rows, all of them with a widget, in their order. */
  for (GtkWidget *row = gtk_widget_get_first_child (list); row != focus;
       row = gtk_widget_get_next_sibling (row))
    at++;
  g_assert_cmpuint (at, <, n);
  return at;
}

static void
test_keys (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrRows) table = make_table (memory, "3");
  g_autoptr (TsrRows) other = make_table (memory, "0-7");
  GtkWidget *window;
  TsrRowView *view = make_view (&window);
  TsrRowOutline *outline = tsr_row_model_get_outline (get_model (view));
  guint32 row = first_parent (table);
  guint at, n;

  tsr_row_view_set_rows (view, table, TSR_UNITS_BINARY, NULL, FALSE);
  wait_for_rows (view);
  tsr_ui_test_run (100);
  at = tsr_row_outline_find (outline, row);
  n = tsr_row_view_get_n_shown (view);
  tsr_row_view_select (view, &row, 1);
  tsr_ui_test_run (100);
  g_assert_false (tsr_row_view_key (view, GDK_KEY_Right, 0)); /* nothing has the focus */
  gtk_widget_child_focus (GTK_WIDGET (tsr_row_view_get_column_view (view)), GTK_DIR_TAB_FORWARD);
  while (!GTK_IS_LIST_VIEW (
      gtk_widget_get_parent (gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (view))))))
    gtk_widget_child_focus (window, GTK_DIR_TAB_FORWARD);
  while (get_focus (view) < at)
    gtk_widget_child_focus (window, GTK_DIR_DOWN);
  g_assert_cmpuint (get_focus (view), ==, at);
  /* Left has nothing to collapse; Right expands, then goes down; Left goes up, then collapses. */
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Left, 0));
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, n);
  g_assert_false (tsr_row_view_key (view, GDK_KEY_Right, GDK_CONTROL_MASK));
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Right, 0));
  g_assert_true (tsr_row_outline_is_expanded (outline, row));
  g_assert_cmpuint (get_focus (view), ==, at);
  tsr_ui_test_run (100);
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Right, 0));
  tsr_ui_test_run (100);
  g_assert_cmpuint (get_focus (view), ==, at + 1);
  /* Other numbers, in other columns: nothing moves. */
  tsr_row_view_set_rows (view, other, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_run (100);
  g_assert_cmpuint (get_focus (view), ==, at + 1);
  g_assert_true (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (get_model (view)), at + 1));
  g_assert_true (tsr_row_outline_is_expanded (outline, row));
  tsr_row_view_set_rows (view, table, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_run (100);
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Left, 0));
  tsr_ui_test_run (100);
  if (get_focus (view) == at + 1) /* it was expanded itself */
    g_assert_true (tsr_row_view_key (view, GDK_KEY_Left, 0));
  tsr_ui_test_run (100);
  g_assert_cmpuint (get_focus (view), ==, at);
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Left, 0));
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, n);
  /* With Shift all below. */
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Right, GDK_SHIFT_MASK));
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==,
                    n + tsr_rows_get_end (table, row) - row - 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The texts of all cells under @widget. */
static void
collect_cells (GtkWidget *widget, GString *out)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_get_child_visible (widget))
    return;
  if (GTK_IS_INSCRIPTION (widget))
    g_string_append_printf (out, "%s|", gtk_inscription_get_text (GTK_INSCRIPTION (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_cells (child, out);
}

/* Every cell of @view as it should be, by the table. */
static void
check_cells (TsrRowView *view, TsrUnits units)
{
  TsrRows *table = tsr_row_view_get_rows (view);
  g_autoptr (GString) shown = g_string_new ("|");
  g_autoptr (GString) expected = g_string_new ("|");

  wait_for_rows (view);
  tsr_ui_test_run (120);
  collect_cells (GTK_WIDGET (tsr_row_view_get_column_view (view)), shown);
  for (guint i = 0; i < tsr_row_view_get_n_shown (view); i++)
    for (guint k = 0; k < tsr_rows_get_n_columns (table); k++)
      {
        guint32 row = tsr_row_model_get_row (get_model (view), i);
        g_autofree char *text = tsr_rows_dup_text (table, row, k, units);

        g_string_append_printf (expected, "%s|", text);
      }
  g_assert_cmpstr (shown->str, ==, expected->str);
}

static void
test_cells (void)
{
  static const char *const selections[]
      = { "", "3", "4", "0-7", "1-7", "", "0-7", "3", "2,5", "3,6", "2,5,7", "" };
  g_autoptr (TsrMemory) memory = make_memory ();
  GtkWidget *window;
  TsrRowView *view = make_view (&window);

  gtk_window_set_default_size (GTK_WINDOW (window), 1400, 1500);
  for (guint i = 0; i < G_N_ELEMENTS (selections); i++)
    {
      g_autoptr (TsrRows) table = make_table (memory, selections[i]);

      tsr_row_view_set_rows (view, table, i % 2 ? TSR_UNITS_SI : TSR_UNITS_BYTES, NULL, FALSE);
      check_cells (view, i % 2 ? TSR_UNITS_SI : TSR_UNITS_BYTES);
      if (i == 4)
        gtk_widget_activate_action (GTK_WIDGET (view), "rows.expand-all", NULL);
      if (i == 7)
        tsr_row_view_sort_by_column (view, 1, TRUE);
      check_cells (view, i % 2 ? TSR_UNITS_SI : TSR_UNITS_BYTES);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

static char *
read_clipboard (TsrRowView *view)
{
  GdkContentProvider *content
      = gdk_clipboard_get_content (gtk_widget_get_clipboard (GTK_WIDGET (view)));
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_assert_true (gdk_content_provider_get_value (content, &value, NULL));
  return g_value_dup_string (&value);
}

static gboolean copied;

static void
on_toast (TsrRowView *view, const char *text, gpointer data)
{
  copied = TRUE;
}

static char *
copy (TsrRowView *view, const char *action)
{
  copied = FALSE;
  gtk_widget_activate_action (GTK_WIDGET (view), action, NULL);
  tsr_ui_test_wait (copied);
  return read_clipboard (view);
}

static TsrRows *
export_each (gpointer data)
{
  guint tiles[] = { 1, 2, 3, 4, 5, 6, 7 };

  return tsr_memory_details_new_each (data, tiles, G_N_ELEMENTS (tiles));
}

static void
test_csv (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrRows) table = make_table (memory, "3");
  GtkWidget *window;
  TsrRowView *view = make_view (&window);
  g_autofree char *csv = NULL;
  g_autofree char *all = NULL;
  g_auto (GStrv) lines = NULL;

  g_signal_connect (view, "toast", G_CALLBACK (on_toast), NULL);
  tsr_row_view_set_rows (view, table, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_row_view_set_export_func (view, export_each, memory);
  tsr_row_view_sort_by_column (view, 1, TRUE);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (get_model (view)), 2, TRUE);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (get_model (view)), 0, FALSE);
  csv = copy (view, "rows.copy");
  lines = g_strsplit (csv, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4); /* heading, two rows, nothing */
  g_assert_true (g_str_has_prefix (lines[0], "name,tile3,"));
  for (guint i = 0; i < 2; i++)
    {
      guint32 row = tsr_row_model_get_row (get_model (view), 2 * i);
      const char *label = tsr_rows_get_text (table, row, 0);
      gint64 value = tsr_rows_get_value (table, row, 1);
      g_autofree char *prefix = value == TSR_UNKNOWN
                                    ? g_strdup_printf ("%s,,", label)
                                    : g_strdup_printf ("%s,%" G_GINT64_FORMAT ",", label, value);

      g_assert_true (g_str_has_prefix (lines[1 + i], prefix));
    }
  /* All is what the owner says: each tile of the selection, however many. */
  all = copy (view, "rows.copy-all");
  g_assert_true (
      g_str_has_prefix (all, "name,tile1,tile2,tile3,tile4,tile5,tile6,tile7\r\nPhysical tile,"));
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (get_model (view)));
  g_clear_pointer (&csv, g_free);
  csv = copy (view, "rows.copy"); /* nothing is selected */
  g_assert_cmpstr (csv, ==, all);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A million rows: expanding and collapsing any of them takes no longer than its frame. */

static const char *
big_text (gpointer data, guint32 row, guint column)
{
  return row % 3 == 0 ? "layer" : "conv";
}

static gint64
big_value (gpointer data, guint32 row, guint column)
{
  return row % 1009;
}

static char *
big_key (gpointer data, guint32 row)
{
  return g_strdup_printf ("%u", row);
}

static TsrRows *
make_tree (guint32 n, guint width)
{
  static const TsrRowSource source = { big_text, big_value };
  static const TsrRowTraits traits = { .dup_key = big_key };
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  TsrRowColumn *name = tsr_row_column_new ("name", "Name", TSR_CELL_KIND_TEXT, 0);
  guint32 *parents = g_new (guint32, n);
  TsrRows *rows;

  name->filtered = TRUE;
  g_ptr_array_add (columns, name);
  g_ptr_array_add (columns,
                   tsr_row_column_new ("count", "Count", TSR_CELL_KIND_VALUE, TSR_VALUE_COUNT));
  /* A chain of @width rows, each time below the first row; width 1: a fan, n: a chain. */
  for (guint32 i = 0; i < n; i++)
    parents[i] = i == 0 ? TSR_NO_INDEX : (i - 1) % width == 0 ? 0 : i - 1;
  rows = tsr_rows_new (n, columns, &source, NULL, NULL);
  tsr_rows_set_traits (rows, &traits);
  tsr_rows_set_parents (rows, parents);
  return rows;
}

static void
test_million (void)
{
  static const guint widths[] = { 1, 1000, 1000000 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (TsrRows) rows = make_tree (1000000, widths[i]);
      GtkWidget *window;
      TsrRowView *view = make_view (&window);
      TsrRowOutline *outline = tsr_row_model_get_outline (get_model (view));

      tsr_row_view_set_filter_hint (view, "Filter");
      tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
      wait_for_rows (view);
      g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 1);
      tsr_row_view_set_expanded (view, "0", TRUE);
      wait_for_rows (view);
      g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==,
                        1 + (999999 + widths[i] - 1) / widths[i]);
      gtk_widget_activate_action (GTK_WIDGET (view), "rows.expand-all", NULL);
      wait_for_rows (view);
      g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 1000000);
      tsr_row_view_select (view, (guint32[]){ 999999 }, 1);
      tsr_ui_test_run (100);
      tsr_row_view_set_filter (view, "layer");
      wait_for_rows (view);
      g_assert_cmpuint (tsr_row_view_get_n_shown (view), >=, 333334);
      tsr_row_view_sort_by_column (view, 1, TRUE);
      wait_for_rows (view);
      tsr_row_view_set_filter (view, "");
      wait_for_rows (view);
      g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 1000000);
      gtk_widget_activate_action (GTK_WIDGET (view), "rows.collapse-all", NULL);
      g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 1);
      g_assert_false (tsr_row_outline_is_expanded (outline, 0));
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

/* Anything, in any order: what is shown is what the outline says, and nothing warns. */
static void
test_anything (void)
{
  static const char *const filters[] = { "", "layer", "conv", "-layer", "/(/", "none" };
  GtkWidget *window;
  TsrRowView *view = make_view (&window);
  TsrRowOutline *outline = tsr_row_model_get_outline (get_model (view));
  Contract c;

  contract_begin (&c, get_model (view));
  tsr_row_view_set_filter_hint (view, "Filter");
  for (guint i = 0; i < 400; i++)
    {
      guint n = tsr_row_view_get_n_shown (view);
      guint32 row = n > 0 ? tsr_row_model_get_row (get_model (view), g_test_rand_int_range (0, n))
                          : TSR_NO_INDEX;
      g_autofree char *key = g_strdup_printf ("%u", row);
      g_autoptr (TsrRows) rows = NULL;

      switch (g_test_rand_int_range (0, 9))
        {
        case 0:
          rows = g_test_rand_int_range (0, 8) > 0
                     ? make_tree (g_test_rand_int_range (1, 3000), g_test_rand_int_range (1, 40))
                     : NULL;
          tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
          break;
        case 1:
          tsr_row_view_set_filter (view, filters[g_test_rand_int_range (0, 6)]);
          break;
        case 2:
          gtk_widget_activate_action (GTK_WIDGET (view), "rows.sort", "i",
                                      g_test_rand_int_range (-1, 3));
          break;
        case 3:
          gtk_widget_activate_action (GTK_WIDGET (view),
                                      g_test_rand_bit () ? "rows.expand-all" : "rows.collapse-all",
                                      NULL);
          break;
        case 4:
          tsr_row_view_select (view, &row, row != TSR_NO_INDEX);
          gtk_widget_child_focus (window, GTK_DIR_TAB_FORWARD);
          break;
        case 5:
          tsr_row_view_key (view, g_test_rand_bit () ? GDK_KEY_Left : GDK_KEY_Right,
                            g_test_rand_bit () ? GDK_SHIFT_MASK : 0);
          break;
        default:
          tsr_row_view_set_expanded (view, key, g_test_rand_bit ());
          break;
        }
      if (i % 4 == 0)
        tsr_ui_test_run (15);
      g_assert_cmpuint (c.n, <=, tsr_row_outline_get_n (outline));
      if (i % 16 == 0)
        {
          wait_for_rows (view);
          g_assert_cmpuint (c.n, ==, tsr_row_outline_get_n (outline));
        }
    }
  contract_end (&c);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Whatever takes the rows of a scrolled list away: who scrolls before the next frame scrolls
 * nothing, and the rows that come are shown from their top. */
static void
test_scroll_emptied (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrRows) tree = make_tree (1000, 1), other = make_table (memory, "0-7");
  GtkWidget *window;
  TsrRowView *view = make_view (&window);
  GtkAdjustment *adjustment
      = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (tsr_row_view_get_column_view (view)));

  tsr_row_view_set_filter_hint (view, "Filter");
  for (guint way = 0; way < 3; way++)
    {
      tsr_row_view_set_filter (view, "");
      tsr_row_view_set_rows (view, tree, TSR_UNITS_BINARY, NULL, FALSE);
      gtk_widget_activate_action (GTK_WIDGET (view), "rows.expand-all", NULL);
      tsr_row_view_select (view, (guint32[]){ 999 }, 1);
      tsr_ui_test_wait (!tsr_row_view_is_busy (view)
                        && gtk_adjustment_get_value (adjustment) > 999);
      /* What is selected would be scrolled to as soon as it is there again. */
      g_assert_true (gtk_selection_model_unselect_all (
          gtk_column_view_get_model (tsr_row_view_get_column_view (view))));
      if (way == 0)
        tsr_row_view_set_rows (view, NULL, TSR_UNITS_BINARY, NULL, FALSE);
      else if (way == 1)
        tsr_row_view_set_filter (view, "none");
      if (way != 1)
        tsr_row_view_set_rows (view, other, TSR_UNITS_BINARY, NULL, FALSE);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
      gtk_adjustment_set_value (adjustment, 500); /* a wheel */
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
      tsr_row_view_set_filter (view, "");
      gtk_adjustment_set_value (adjustment, 500);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
      tsr_ui_test_run (100);
      tsr_ui_test_wait (!tsr_row_view_is_busy (view));
      tsr_ui_test_run (100);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What gets the focus is seen; what is higher than the page does not move it while any of it is. */
static void
test_follow_focus (void)
{
  GtkWidget *window = gtk_window_new (), *scrolled = gtk_scrolled_window_new ();
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *buttons[3];
  static const int heights[3] = { 100, 2000, 100 };
  GtkAdjustment *adjustment;
  double page;

  for (guint i = 0; i < 3; i++)
    {
      buttons[i] = gtk_button_new ();
      gtk_widget_set_size_request (buttons[i], -1, heights[i]);
      gtk_box_append (GTK_BOX (box), buttons[i]);
    }
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), box);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), viewport);
  tsr_scroll_follow_focus (GTK_VIEWPORT (viewport));
  gtk_window_set_child (GTK_WINDOW (window), scrolled);
  gtk_window_set_default_size (GTK_WINDOW (window), 300, 400);
  gtk_window_present (GTK_WINDOW (window));
  tsr_ui_test_run (200);
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  page = gtk_adjustment_get_page_size (adjustment);
  g_assert_cmpfloat (page, <, 500);

  gtk_widget_grab_focus (buttons[0]);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  gtk_widget_grab_focus (buttons[1]);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  gtk_widget_grab_focus (buttons[2]);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (adjustment), 2200 - page, 1);
  gtk_adjustment_set_value (adjustment, 700);
  gtk_widget_grab_focus (buttons[1]);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 700);
  gtk_widget_grab_focus (buttons[0]);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  g_test_add_func ("/lists/view-contract", test_view_contract);
  g_test_add_func ("/lists/sort", test_sort);
  g_test_add_func ("/lists/sort-stays", test_sort_stays);
  g_test_add_func ("/lists/expanded", test_expanded);
  g_test_add_func ("/lists/collapse", test_collapse);
  g_test_add_func ("/lists/keys", test_keys);
  g_test_add_func ("/lists/cells", test_cells);
  g_test_add_func ("/lists/csv", test_csv);
  g_test_add_func ("/lists/million", test_million);
  g_test_add_func ("/lists/anything", test_anything);
  g_test_add_func ("/lists/scroll-emptied", test_scroll_emptied);
  g_test_add_func ("/lists/follow-focus", test_follow_focus);
  return g_test_run ();
}
