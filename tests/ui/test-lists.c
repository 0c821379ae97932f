/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tree of numbers: the contract of our list models, order, what is expanded, other numbers in
 * the same rows, and CSV. */

#include "config.h"

#include "tsr-scroll.h"
#include "tsr-table-csv.h"
#include "tsr-table-level.h"
#include "tsr-table-view.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

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

static TsrTable *
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

static void
test_level_contract (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrTable) all = make_table (memory, "");
  g_autoptr (TsrTable) one = make_table (memory, "3");
  g_autoptr (TsrTableLevel) level = tsr_table_level_new (NULL, -1, -1, FALSE);
  Contract c;

  contract_begin (&c, level);
  g_assert_cmpuint (c.n, ==, 0);
  tsr_table_level_reset (level, all, -1, -1, FALSE);
  g_assert_cmpuint (c.n, >, 3);
  tsr_table_level_reset (level, one, -1, 0, TRUE);
  for (guint row = 0; row < tsr_table_get_n_rows (all); row++)
    {
      tsr_table_level_reset (level, all, row, 0, FALSE);
      g_assert_cmpuint (c.n, ==, tsr_table_get_row (all, row)->n_children);
    }
  tsr_table_level_reset (level, NULL, -1, -1, FALSE);
  g_assert_cmpuint (c.n, ==, 0);
  g_assert_cmpuint (c.n_signals, ==, 3 + tsr_table_get_n_rows (all));
  contract_end (&c);
}

static TsrTableView *
make_view (GtkWidget **window)
{
  TsrTableView *view = tsr_table_view_new ();

  *window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (*window), 900, 700);
  gtk_window_set_child (GTK_WINDOW (*window), GTK_WIDGET (view));
  gtk_window_present (GTK_WINDOW (*window));
  tsr_table_view_set_label_title (view, "Memory");
  return view;
}

/* Everything a user can do to the rows, under the eyes of the contract. */
static void
test_view_contract (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  GtkWidget *window;
  TsrTableView *view = make_view (&window);
  static const char *const selections[] = { "", "3", "4", "0-3", "0-7", "ipu1", "", "2", "top3" };
  Contract c;

  contract_begin (&c, tsr_table_view_get_rows (view));
  for (guint i = 0; i < G_N_ELEMENTS (selections); i++)
    {
      g_autoptr (TsrTable) table = make_table (memory, selections[i]);

      tsr_table_view_set_table (view, table, i % 3);
      gtk_widget_activate_action (GTK_WIDGET (view), "table.expand-all", NULL);
      g_assert_cmpuint (c.n, ==, tsr_table_get_n_rows (table));
      tsr_table_view_sort (view, 0, i % 2);
      g_assert_cmpuint (c.n, ==, tsr_table_get_n_rows (table));
      tsr_ui_test_run (20);
      if (i % 2 == 1)
        gtk_widget_activate_action (GTK_WIDGET (view), "table.collapse-all", NULL);
    }
  tsr_table_view_set_table (view, NULL, TSR_UNITS_BINARY);
  g_assert_cmpuint (c.n, ==, 0);
  contract_end (&c);
  gtk_window_destroy (GTK_WINDOW (window));
}

static const TsrTableRow *
row_at (TsrTableView *view, guint position, guint *row)
{
  g_autoptr (GtkTreeListRow) tree_row
      = g_list_model_get_item (G_LIST_MODEL (tsr_table_view_get_rows (view)), position);
  g_autoptr (TsrTableItem) item = gtk_tree_list_row_get_item (tree_row);

  *row = tsr_table_item_get_row (item);
  return tsr_table_get_row (tsr_table_view_get_table (view), *row);
}

static void
test_sort (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrTable) table = make_table (memory, "");
  GtkWidget *window;
  TsrTableView *view = make_view (&window);

  tsr_table_view_set_table (view, table, TSR_UNITS_BINARY);
  gtk_widget_activate_action (GTK_WIDGET (view), "table.expand-all", NULL);
  for (int way = 0; way < 2; way++)
    {
      gboolean descending = FALSE;
      guint n = g_list_model_get_n_items (G_LIST_MODEL (tsr_table_view_get_rows (view)));

      tsr_table_view_sort (view, 0, way == 1);
      g_assert_cmpint (tsr_table_view_get_sort (view, &descending), ==, 0);
      g_assert_cmpint (descending, ==, way == 1);
      /* Among brothers the values ascend or descend; a row comes after its parent. */
      for (guint i = 0; i < n; i++)
        for (guint k = i + 1; k < n; k++)
          {
            guint a, b;
            const TsrTableRow *x = row_at (view, i, &a), *y = row_at (view, k, &b);
            gint64 va = tsr_table_get_value (table, a, 0), vb = tsr_table_get_value (table, b, 0);

            g_assert_cmpint (x->parent, !=, (int)b);
            if (x->parent != y->parent || x->heading || y->heading || va == TSR_UNKNOWN
                || vb == TSR_UNKNOWN || tsr_table_get_column (table, 0)->kind != TSR_VALUE_BYTES)
              continue;
            if (way == 0)
              g_assert_cmpint (va, <=, vb);
            else
              g_assert_cmpint (va, >=, vb);
          }
    }
  /* A click on a heading goes through the view's own sorter; this is what it calls. */
  gtk_column_view_sort_by_column (tsr_table_view_get_column_view (view), NULL, GTK_SORT_ASCENDING);
  g_assert_cmpint (tsr_table_view_get_sort (view, NULL), ==, -1);
  gtk_widget_activate_action (GTK_WIDGET (view), "table.sort", "i", 0);
  g_assert_cmpint (tsr_table_view_get_sort (view, NULL), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkTreeListRow *
find_row (TsrTableView *view, const char *key)
{
  GListModel *rows = G_LIST_MODEL (tsr_table_view_get_rows (view));

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      guint row;

      if (g_str_equal (row_at (view, i, &row)->key, key))
        return g_list_model_get_item (rows, i);
    }
  return NULL;
}

static const char *
first_parent (TsrTable *table)
{
  for (guint i = 0; i < tsr_table_get_n_rows (table); i++)
    if (tsr_table_get_row (table, i)->n_children > 0)
      return tsr_table_get_row (table, i)->key;
  g_assert_not_reached ();
}

static void
test_expanded (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrTable) all = make_table (memory, "");
  g_autoptr (TsrTable) one = make_table (memory, "3");
  g_autoptr (TsrSettings) settings = tsr_settings_new ("none.such");
  g_autofree char *key = g_strdup (first_parent (all));
  g_autoptr (GtkTreeListRow) row = NULL;
  g_autoptr (GtkTreeListRow) again = NULL;
  GtkWidget *window;
  TsrTableView *view = make_view (&window);

  tsr_settings_set_word (settings, "memory-details-expanded", key, FALSE);
  tsr_table_view_set_settings (view, settings, "memory-details-expanded");
  tsr_table_view_set_table (view, all, TSR_UNITS_BINARY);
  tsr_ui_test_run (60);
  row = find_row (view, key);
  g_assert_false (gtk_tree_list_row_get_expanded (row));
  gtk_tree_list_row_set_expanded (row, TRUE); /* what the expander does */
  g_assert_true (tsr_table_view_is_expanded (view, key));
  g_assert_true (tsr_settings_has_word (settings, "memory-details-expanded", key));
  /* Over another selection, another order and a report that is away for a while. */
  tsr_table_view_set_table (view, one, TSR_UNITS_BINARY);
  tsr_table_view_sort (view, 0, TRUE);
  tsr_table_view_set_table (view, NULL, TSR_UNITS_BINARY);
  tsr_ui_test_run (30);
  g_assert_true (tsr_table_view_is_expanded (view, key));
  tsr_table_view_set_table (view, all, TSR_UNITS_BINARY);
  again = find_row (view, key);
  g_assert_true (gtk_tree_list_row_get_expanded (again));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Each parent is folded as its expander does it, with all that is below it on screen; what the user
 * had expanded below it is still wished for. */
static void
test_fold (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrTable) table = make_table (memory, "3");
  GtkWidget *window;
  TsrTableView *view = make_view (&window);
  GListModel *rows = G_LIST_MODEL (tsr_table_view_get_rows (view));
  guint n_folded = 0, n_with_parents = 0;

  tsr_table_view_set_table (view, table, TSR_UNITS_BINARY);
  for (guint i = 0; i < tsr_table_get_n_rows (table); i++)
    {
      const TsrTableRow *parent = tsr_table_get_row (table, i);
      g_autoptr (GtkTreeListRow) row = NULL;
      guint n_below = 0;

      if (parent->n_children == 0)
        continue;
      gtk_widget_activate_action (GTK_WIDGET (view), "table.expand-all", NULL);
      tsr_ui_test_run (60); /* rows are bound when the view is laid out */
      for (guint k = i + 1; k < tsr_table_get_n_rows (table); k++)
        {
          int above = tsr_table_get_row (table, k)->parent;

          while (above > (int)i)
            above = tsr_table_get_row (table, above)->parent;
          n_below += above == (int)i;
        }
      row = find_row (view, parent->key);
      gtk_tree_list_row_set_expanded (row, FALSE);
      g_assert_cmpuint (g_list_model_get_n_items (rows), ==,
                        tsr_table_get_n_rows (table) - n_below);
      for (guint k = 0; k < tsr_table_get_n_rows (table); k++)
        if (tsr_table_get_row (table, k)->n_children > 0)
          g_assert_cmpint (tsr_table_view_is_expanded (view, tsr_table_get_row (table, k)->key), ==,
                           k != i);
      /* Unfolded again, it has what it had. */
      gtk_tree_list_row_set_expanded (row, TRUE);
      g_assert_cmpuint (g_list_model_get_n_items (rows), ==, tsr_table_get_n_rows (table));
      n_folded++;
      n_with_parents += n_below > parent->n_children;
      tsr_ui_test_run (20);
    }
  g_assert_cmpuint (n_folded, >, 1);
  g_assert_cmpuint (n_with_parents, >, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The texts of all labels under @widget. */
static void
collect_labels (GtkWidget *widget, GString *out)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (out, "%s|", gtk_label_get_label (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_labels (child, out);
}

/* Every cell of @view as it should be, by the table. */
static void
check_cells (TsrTableView *view, TsrUnits units)
{
  TsrTable *table = tsr_table_view_get_table (view);
  GListModel *rows = G_LIST_MODEL (tsr_table_view_get_rows (view));
  g_autoptr (GString) shown = g_string_new (NULL);
  g_autoptr (GString) expected = g_string_new ("|");

  tsr_ui_test_run (120);
  g_string_append_c (shown, '|');
  collect_labels (GTK_WIDGET (tsr_table_view_get_column_view (view)), shown);
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      guint row;
      const TsrTableRow *info = row_at (view, i, &row);

      g_string_assign (expected, "|");
      g_string_append_printf (expected, "%s|", info->label);
      for (guint k = 0; k < tsr_table_get_n_columns (table); k++)
        {
          g_autofree char *text
              = info->heading ? g_strdup ("") : tsr_table_dup_text (table, row, k, units);

          g_string_append_printf (expected, "%s|", text);
        }
      if (strstr (shown->str, expected->str) == NULL)
        g_error ("row %s is not shown in %s", expected->str, shown->str);
    }
}

static void
test_cells (void)
{
  static const char *const selections[]
      = { "", "3", "4", "0-7", "1-7", "", "0-7", "3", "2,5", "3,6", "2,5,7", "" };
  g_autoptr (TsrMemory) memory = make_memory ();
  GtkWidget *window;
  TsrTableView *view = make_view (&window);

  for (guint i = 0; i < G_N_ELEMENTS (selections); i++)
    {
      g_autoptr (TsrTable) table = make_table (memory, selections[i]);

      tsr_table_view_set_table (view, table, i % 2 ? TSR_UNITS_SI : TSR_UNITS_BYTES);
      check_cells (view, i % 2 ? TSR_UNITS_SI : TSR_UNITS_BYTES);
      if (i == 4)
        gtk_widget_activate_action (GTK_WIDGET (view), "table.expand-all", NULL);
      if (i == 7)
        tsr_table_view_sort (view, 0, TRUE);
      check_cells (view, i % 2 ? TSR_UNITS_SI : TSR_UNITS_BYTES);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_csv (void)
{
  g_autoptr (TsrMemory) memory = make_memory ();
  g_autoptr (TsrTable) table = make_table (memory, "3");
  GtkWidget *window;
  TsrTableView *view = make_view (&window);
  g_autofree char *csv = NULL;
  g_autofree char *start = NULL;
  g_auto (GStrv) lines = NULL;
  guint row;

  tsr_table_view_set_table (view, table, TSR_UNITS_BINARY);
  g_assert_null (tsr_table_view_dup_selected_csv (view));
  tsr_table_view_sort (view, 0, TRUE);
  gtk_selection_model_select_item (tsr_table_view_get_rows (view), 2, TRUE);
  gtk_selection_model_select_item (tsr_table_view_get_rows (view), 0, FALSE);
  csv = tsr_table_view_dup_selected_csv (view);
  lines = g_strsplit (csv, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4); /* heading, two rows, nothing */
  g_assert_true (g_str_has_prefix (lines[0], "Memory,"));
  for (guint i = 0; i < 2; i++)
    {
      const TsrTableRow *info = row_at (view, 2 * i, &row);
      gint64 value = tsr_table_get_value (table, row, 0);
      g_autofree char *prefix
          = value == TSR_UNKNOWN ? g_strdup_printf ("%s,,", info->label)
                                 : g_strdup_printf ("%s,%" G_GINT64_FORMAT ",", info->label, value);

      g_assert_true (g_str_has_prefix (lines[1 + i], prefix));
    }
  start = tsr_table_dup_rows_csv (table, "a \"b\", c", NULL, 0);
  g_assert_true (g_str_has_prefix (start, "\"a \"\"b\"\", c\","));
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
  g_test_add_func ("/lists/level-contract", test_level_contract);
  g_test_add_func ("/lists/view-contract", test_view_contract);
  g_test_add_func ("/lists/sort", test_sort);
  g_test_add_func ("/lists/expanded", test_expanded);
  g_test_add_func ("/lists/fold", test_fold);
  g_test_add_func ("/lists/cells", test_cells);
  g_test_add_func ("/lists/csv", test_csv);
  g_test_add_func ("/lists/follow-focus", test_follow_focus);
  return g_test_run ();
}
