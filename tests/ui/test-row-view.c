/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of rows in a window: the contract of its model, cells, order, filter, selection, total,
 * columns that make room, CSV. */

#include "config.h"

#include "tsr-grid.h"
#include "tsr-headings.h"
#include "tsr-row-cells.h"
#include "tsr-row-list.h"
#include "tsr-row-view.h"
#include "tsr-rows-print.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  guint32 n;
  GStringChunk *names;
  const char **name;
  gint64 *bytes;
  guint n_columns;
} Data;

static const char *
data_text (gpointer data, guint32 row, guint column)
{
  Data *self = data;

  return self->name[row];
}

static gint64
data_value (gpointer data, guint32 row, guint column)
{
  Data *self = data;

  return column == 1 ? self->bytes[row] : (gint64)row * column;
}

static void
data_free (gpointer data)
{
  Data *self = data;

  g_string_chunk_free (self->names);
  g_free (self->name);
  g_free (self->bytes);
  g_free (self);
}

/* @n_names columns of names, of which the last one is the wide one if there are several, bytes,
 * then columns of counts; some names and some bytes are unknown. */
static TsrRows *
make_named (guint32 n, guint n_names, guint n_columns, const char *first_key)
{
  static const TsrRowSource source = { data_text, data_value };
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  Data *data = g_new0 (Data, 1);

  data->n = n;
  data->names = g_string_chunk_new (4096);
  data->name = g_new0 (const char *, n);
  data->bytes = g_new0 (gint64, n);
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("Layer%u/conv_%u/weights", i % 7, (i * 7919) % n);

      data->name[i] = i % 50 == 49 ? NULL : g_string_chunk_insert (data->names, name);
      data->bytes[i] = i % 50 == 48 ? TSR_UNKNOWN : (i * 104729) % 5000;
    }
  for (guint i = 0; i < n_columns; i++)
    {
      g_autofree char *key = g_strdup_printf ("column-%u", i);
      TsrRowColumn *column
          = tsr_row_column_new (i == 0 ? first_key : key, i == 0 ? "Name" : key,
                                i < n_names ? TSR_CELL_KIND_TEXT : TSR_CELL_KIND_VALUE,
                                i == 1 ? TSR_VALUE_BYTES : TSR_VALUE_COUNT);

      column->filtered = i == 0;
      column->wide = i > 0 && i + 1 == n_names;
      column->pinned = i == 2;
      g_ptr_array_add (columns, column);
    }
  return tsr_rows_new (n, columns, &source, data, data_free);
}

static TsrRows *
make_rows (guint32 n, guint n_columns, const char *first_key)
{
  return make_named (n, 1, n_columns, first_key);
}

static TsrRowView *
make_view (GtkWidget **window, int width)
{
  TsrRowView *view = tsr_row_view_new ();

  *window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (*window), width, 500);
  gtk_window_set_child (GTK_WINDOW (*window), GTK_WIDGET (view));
  tsr_row_view_set_filter_hint (view, "Filter rows");
  gtk_window_present (GTK_WINDOW (*window));
  return view;
}

static GtkSelectionModel *
get_model (TsrRowView *view)
{
  return gtk_column_view_get_model (tsr_row_view_get_column_view (view));
}

static guint32
row_at (TsrRowView *view, guint position)
{
  return tsr_row_model_get_row (TSR_ROW_MODEL (get_model (view)), position);
}

/* The contract: what items-changed tells is what there is, whoever asks and when. */

typedef struct
{
  GListModel *list;
  guint n; /* as the signal has it */
} Contract;

static void
check_contract (Contract *c)
{
  g_assert_cmpuint (g_list_model_get_n_items (c->list), ==, c->n);
  for (guint i = 0; i < c->n; i += 1 + c->n / 97)
    {
      g_autoptr (GObject) item = g_list_model_get_item (c->list, i);

      g_assert_true (g_type_is_a (G_OBJECT_TYPE (item), g_list_model_get_item_type (c->list)));
    }
  g_assert_null (g_list_model_get_item (c->list, c->n));
  g_assert_null (g_list_model_get_item (c->list, G_MAXUINT));
  g_assert_false (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (c->list), c->n));
}

static void
on_items_changed (GListModel *list, guint position, guint removed, guint added, Contract *c)
{
  g_assert_cmpuint (position + removed, <=, c->n);
  c->n += added - removed;
  check_contract (c);
}

static void
test_contract (void)
{
  g_autoptr (TsrRows) few = make_rows (60, 3, "name");
  g_autoptr (TsrRows) many = make_rows (20000, 3, "name");
  g_autoptr (TsrRows) none = make_rows (0, 3, "name");
  g_autoptr (TsrFilter) filter = tsr_filter_new ("layer1", NULL);
  g_autoptr (TsrRowModel) model = tsr_row_model_new ();
  TsrRows *tables[] = { few, many, none, many, few };
  Contract c = { G_LIST_MODEL (model), 0 };

  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &c);
  check_contract (&c);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (guint k = 0; k < 4; k++)
      {
        g_autoptr (TsrRowOrder) order
            = tsr_rows_arrange (tables[i], (int)k - 1, k == 2, k == 3 ? filter : NULL, NULL, NULL);

        tsr_row_model_set (model, tables[i], order, k == 1 ? 7 : G_MAXUINT);
        g_assert_cmpuint (c.n, ==, k == 1 ? MIN (order->n, 7) : order->n);
        while (tsr_row_model_grow (model, 3000))
          g_assert_cmpuint (c.n, <, order->n);
        g_assert_cmpuint (c.n, ==, order->n);
        check_contract (&c);
        for (guint r = 0; r < order->n; r += 13)
          g_assert_cmpuint (tsr_row_model_get_row (model, r), ==, order->rows[r]);
      }
  tsr_row_model_set (model, NULL, NULL, 0);
  g_assert_cmpuint (c.n, ==, 0);
}

/* Selection by position is selection of rows, in every order. */
static void
test_selection_model (void)
{
  g_autoptr (TsrRows) rows = make_rows (100, 2, "name");
  g_autoptr (TsrRowModel) model = tsr_row_model_new ();
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (model);
  g_autoptr (TsrRowOrder) plain = tsr_rows_arrange (rows, -1, FALSE, NULL, NULL, NULL);
  g_autoptr (TsrRowOrder) sorted = tsr_rows_arrange (rows, 1, TRUE, NULL, NULL, NULL);
  g_autoptr (GtkBitset) shown = NULL;
  g_autoptr (GtkBitset) odd = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, 100);

  tsr_row_model_set (model, rows, plain, G_MAXUINT);
  gtk_selection_model_select_range (selection, 10, 5, TRUE);
  gtk_selection_model_unselect_item (selection, 12);
  tsr_row_model_set (model, rows, sorted, G_MAXUINT);
  shown = gtk_selection_model_get_selection (selection);
  g_assert_cmpuint (gtk_bitset_get_size (shown), ==, 4);
  for (guint i = 0; i < 100; i++)
    {
      gboolean expected = sorted->rows[i] >= 10 && sorted->rows[i] < 15 && sorted->rows[i] != 12;

      g_assert_cmpint (gtk_bitset_contains (shown, i), ==, expected);
      g_assert_cmpint (gtk_selection_model_is_selected (selection, i), ==, expected);
      if (i % 2 == 1)
        gtk_bitset_add (odd, i);
    }
  gtk_selection_model_set_selection (selection, odd, all);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (gtk_bitset_contains (tsr_row_model_get_selected (model), sorted->rows[i]), ==,
                     i % 2);
  gtk_selection_model_select_all (selection);
  g_assert_cmpuint (gtk_bitset_get_size (tsr_row_model_get_selected (model)), ==, 100);
  tsr_row_model_set_multiple (model, FALSE);
  gtk_selection_model_unselect_all (selection);
  g_assert_false (gtk_selection_model_select_all (selection));
  gtk_selection_model_select_range (selection, 3, 4, FALSE);
  gtk_selection_model_select_item (selection, 9, FALSE);
  g_assert_cmpuint (gtk_bitset_get_size (tsr_row_model_get_selected (model)), ==, 1);
  g_assert_true (gtk_selection_model_is_selected (selection, 9));
  g_assert_cmpuint (tsr_row_model_find_selected (model), ==, 9);
}

/* The texts of all cells under @widget that are on the screen. */
static void
collect (GtkWidget *widget, GString *out)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_get_child_visible (widget))
    return;
  if (GTK_IS_INSCRIPTION (widget))
    g_string_append_printf (out, "%s|", gtk_inscription_get_text (GTK_INSCRIPTION (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, out);
}

static void
check_first_rows (TsrRowView *view, TsrUnits units, guint n_visible_columns)
{
  TsrRows *rows = tsr_row_view_get_rows (view);
  g_autoptr (GString) shown = g_string_new ("|");
  g_autoptr (GString) expected = g_string_new ("|");

  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  tsr_ui_test_run (100);
  collect (GTK_WIDGET (tsr_row_view_get_column_view (view)), shown);
  for (guint i = 0; i < MIN (tsr_row_view_get_n_shown (view), 8); i++)
    for (guint k = 0; k < n_visible_columns; k++)
      {
        g_autofree char *text = tsr_rows_dup_text (rows, row_at (view, i), k, units);

        g_string_append_printf (expected, "%s|", text);
      }
  if (strncmp (shown->str, expected->str, expected->len) != 0)
    g_error ("not shown: %s\nbut: %s", expected->str, shown->str);
}

static gint64
bytes_at (TsrRowView *view, guint position)
{
  return tsr_rows_get_value (tsr_row_view_get_rows (view), row_at (view, position), 1);
}

/* A name beside the first column has no room: whole parts of it are left out there, too. */
static void
test_second_name (void)
{
  TsrGrid *grid = tsr_grid_new (1);
  TsrRowColumn *first = tsr_grid_text_column ("name", "Name", NULL);
  TsrRowColumn *second = tsr_grid_text_column ("usedIn", "Used in", NULL);
  const char **names, **uses;
  g_autoptr (TsrRows) rows = NULL;
  g_autoptr (GString) shown = g_string_new (NULL);
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 700);

  first->pinned = TRUE;
  names = tsr_grid_add_texts (grid, first);
  second->pinned = TRUE;
  uses = tsr_grid_add_texts (grid, second);
  names[0] = "first";
  uses[0] = "Gradient/model/layer1.0/conv1/batchNormGrad/deltas/Grad/Exchange/Reduce/"
            "batchNormGrad/whitenAndScale/Convolve and 5 more";
  rows = tsr_grid_to_rows (grid);
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, "name", FALSE);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  tsr_ui_test_run (100);
  collect (GTK_WIDGET (view), shown);
  g_assert_nonnull (strstr (shown->str, "…/"));
  g_assert_nonnull (strstr (shown->str, "/Convolve and 5 more|"));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_sort_and_filter (void)
{
  g_autoptr (TsrRows) rows = make_rows (20000, 3, "name");
  g_autoptr (TsrRows) same = make_rows (5000, 3, "name");
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 900);

  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, "column-1", TRUE);
  g_assert_true (tsr_row_view_is_busy (view));
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 20000);
  for (guint i = 1; i < 20000; i++)
    g_assert_true (bytes_at (view, i) == TSR_UNKNOWN
                   || bytes_at (view, i - 1) >= bytes_at (view, i));
  g_assert_cmpint (bytes_at (view, 19999), ==, TSR_UNKNOWN);
  check_first_rows (view, TSR_UNITS_BINARY, 3);
  /* Only the last of many wishes is shown. */
  for (guint i = 0; i < 30; i++)
    {
      g_autofree char *text = g_strdup_printf ("layer%u", i % 7);

      tsr_row_view_set_filter (view, text);
      gtk_widget_activate_action (GTK_WIDGET (view), "rows.sort", "i", (int)i % 3);
    }
  tsr_row_view_set_filter (view, "layer3 -conv_1");
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), >, 100);
  for (guint i = 0; i < tsr_row_view_get_n_shown (view); i++)
    {
      const char *name = tsr_rows_get_text (rows, row_at (view, i), 0);

      g_assert_nonnull (strstr (name, "Layer3"));
      g_assert_null (strstr (name, "conv_1"));
    }
  check_first_rows (view, TSR_UNITS_BINARY, 3);
  /* A table with the same columns keeps both. */
  gtk_widget_activate_action (GTK_WIDGET (view), "rows.sort", "i", -1);
  gtk_widget_activate_action (GTK_WIDGET (view), "rows.sort", "i", 1);
  tsr_row_view_set_rows (view, same, TSR_UNITS_SI, "name", FALSE);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  g_assert_cmpstr (tsr_row_view_get_filter (view), ==, "layer3 -conv_1");
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), <, 1000);
  g_assert_cmpint (bytes_at (view, 0), >=, bytes_at (view, 1));
  check_first_rows (view, TSR_UNITS_SI, 3);
  /* So it does after a while without any. */
  tsr_row_view_set_rows (view, NULL, TSR_UNITS_SI, NULL, FALSE);
  tsr_row_view_set_rows (view, same, TSR_UNITS_SI, "name", FALSE);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  g_assert_cmpstr (tsr_row_view_get_filter (view), ==, "layer3 -conv_1");
  g_assert_cmpint (bytes_at (view, 0), >=, bytes_at (view, 1));
  /* A click on a heading: the view's own sorter. */
  gtk_column_view_sort_by_column (tsr_row_view_get_column_view (view), NULL, GTK_SORT_ASCENDING);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  g_assert_cmpuint (row_at (view, 0), <, row_at (view, 1));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Its key is the page's where the view has no entry, and before it is said that it has one. */
static void
test_filter_key (void)
{
  TsrRowView *view = g_object_ref_sink (tsr_row_view_new ());
  g_autoptr (GtkShortcutAction) filter = gtk_named_action_new ("rows.filter");

  g_assert_false (gtk_shortcut_action_activate (filter, 0, GTK_WIDGET (view), NULL));
  tsr_row_view_set_filter_hint (view, "Filter rows");
  g_assert_true (gtk_shortcut_action_activate (filter, 0, GTK_WIDGET (view), NULL));
  tsr_row_view_set_filter_hint (view, NULL);
  g_assert_false (gtk_shortcut_action_activate (filter, 0, GTK_WIDGET (view), NULL));
  g_object_unref (view);
}

static void
test_states (void)
{
  g_autoptr (TsrRows) rows = make_rows (300, 3, "name");
  g_autoptr (TsrRows) none = make_rows (0, 3, "name");
  g_autoptr (TsrRows) other = make_rows (30, 2, "other");
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 900);
  GtkWidget *widget = GTK_WIDGET (view), *entry = tsr_ui_test_find (widget, GTK_TYPE_SEARCH_ENTRY);
  TsrTotalRow *total = TSR_TOTAL_ROW (tsr_ui_test_find (widget, TSR_TYPE_TOTAL_ROW));

  /* A filter may be there before the rows. */
  tsr_row_view_set_filter (view, "layer3");
  tsr_row_view_set_placeholder (view, "Nothing chosen", "Choose a tile");
  g_assert_true (tsr_ui_test_says (widget, "Nothing chosen"));
  tsr_row_view_set_rows (view, none, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_true (tsr_ui_test_says (widget, "Choose a tile"));
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 42);
  tsr_row_view_set_filter (view, "");
  g_assert_false (tsr_ui_test_says (widget, "Nothing chosen"));
  g_assert_true (tsr_ui_test_says (widget, "300"));
  tsr_row_view_set_filter (view, "layer3");
  g_assert_true (tsr_ui_test_says (widget, "42 of 300"));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (total)));
  tsr_row_view_set_filter (view, "no such thing");
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 0);
  g_assert_true (tsr_ui_test_says (widget, "No Row Matches"));
  g_assert_true (tsr_ui_test_says (widget, "0 of 300"));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (total)));
  /* An expression that is off leaves the rows. */
  tsr_row_view_set_filter (view, "layer3");
  tsr_row_view_set_filter (view, "/(/");
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 42);
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  g_assert_true (tsr_ui_test_says (widget, "character 2"));
  g_signal_emit_by_name (entry, "stop-search");
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 300);
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  tsr_row_view_set_filter (view, "/Layer[34]/");
  tsr_ui_test_wait (!tsr_row_view_is_busy (view)); /* may be slow, so not at once */
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), >, 42);
  /* Another kind of table begins without a filter. */
  tsr_row_view_set_rows (view, other, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_cmpstr (tsr_row_view_get_filter (view), ==, "");
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 30);
  tsr_row_view_set_rows (view, NULL, TSR_UNITS_BINARY, NULL, FALSE);
  g_assert_true (tsr_ui_test_says (widget, "Nothing chosen"));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A table in a tab that is not shown makes few widgets, and has all its rows when it is turned to.
 */
static void
test_hidden (void)
{
  g_autoptr (TsrRows) rows = make_rows (300, 3, "name");
  GtkWidget *window = gtk_window_new (), *stack = gtk_stack_new ();
  TsrRowView *view = tsr_row_view_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 500);
  gtk_stack_add_named (GTK_STACK (stack), gtk_label_new ("shown"), "other");
  gtk_stack_add_named (GTK_STACK (stack), GTK_WIDGET (view), "rows");
  gtk_window_set_child (GTK_WINDOW (window), stack);
  gtk_window_present (GTK_WINDOW (window));
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_run (100);
  g_assert_false (tsr_row_view_is_busy (view));
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 300);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (get_model (view))), <=, 20);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "rows");
  tsr_ui_test_wait (g_list_model_get_n_items (G_LIST_MODEL (get_model (view))) == 300);
  check_first_rows (view, TSR_UNITS_BINARY, 3);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A total of another kind says which. */
static void
test_total_words (void)
{
  g_autoptr (TsrRows) rows = make_rows (30, 3, "name");
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 900);
  TsrTotalRow *total = TSR_TOTAL_ROW (tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_TOTAL_ROW));
  TsrRowColumn *name = (TsrRowColumn *)tsr_rows_get_column (rows, 0);

  name->total = g_strdup ("Total, counted twice");
  name->total_hint = g_strdup ("Why");
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_run (100);
  g_assert_cmpstr (tsr_total_row_get_text (total, 0), ==, "Total, counted twice");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (gtk_widget_get_first_child (GTK_WIDGET (total))),
                   ==, "Why");
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_total (void)
{
  g_autoptr (TsrRows) rows = make_rows (300, 3, "name");
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 900);
  TsrTotalRow *total = TSR_TOTAL_ROW (tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_TOTAL_ROW));
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (tsr_row_view_get_column_view (view)));
  GtkWidget *title;
  graphene_rect_t heading, foot;
  gint64 counts = 0;
  g_autofree char *text = NULL;

  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_run (200);
  for (guint32 i = 0; i < 300; i++)
    counts += tsr_rows_get_value (rows, i, 2);
  text = tsr_units_dup_count (counts);
  g_assert_cmpstr (tsr_total_row_get_text (total, 0), ==, "Total");
  g_assert_cmpstr (tsr_total_row_get_text (total, 1), ==, "–"); /* some are not known */
  g_assert_cmpstr (tsr_total_row_get_text (total, 2), ==, text);
  tsr_row_view_set_filter (view, "conv_0");
  g_assert_cmpstr (tsr_total_row_get_text (total, 1), !=, "–");
  tsr_ui_test_run (100);
  /* It stands in the headings, under their buttons, and its cells under their columns. */
  g_assert_true (gtk_widget_compute_bounds (header, window, &heading));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (total), window, &foot));
  g_assert_cmpfloat (foot.size.height, >, 10);
  g_assert_cmpfloat (foot.origin.y + foot.size.height, ==, heading.origin.y + heading.size.height);
  title = gtk_widget_get_first_child (header);
  g_assert_true (gtk_widget_compute_bounds (title, window, &heading));
  g_assert_cmpfloat (heading.origin.y + heading.size.height, <=, foot.origin.y);
  title = gtk_widget_get_next_sibling (title);
  g_assert_true (gtk_widget_compute_bounds (title, window, &heading));
  g_assert_true (gtk_widget_compute_bounds (
      gtk_widget_get_next_sibling (gtk_widget_get_first_child (GTK_WIDGET (total))), window,
      &foot));
  g_assert_cmpfloat (foot.origin.x, >=, heading.origin.x);
  g_assert_cmpfloat (foot.origin.x + foot.size.width, <=, heading.origin.x + heading.size.width);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A number is never cut, however short its heading is, nor a word that is not very long. */
static void
test_long_counts (void)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  static const TsrRowSource source = { data_text, data_value };
  Data *data = g_new0 (Data, 1);
  TsrRowColumn *from = tsr_row_column_new ("from", "From", TSR_CELL_KIND_VALUE, TSR_VALUE_COUNT);
  g_autoptr (TsrRows) rows = NULL;
  g_autoptr (GtkColumnViewColumn) column = NULL, kind = NULL;
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 900);
  g_autofree char *text = tsr_units_dup_count (123456789012);
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (view), text);
  int width;

  from->summed = FALSE;
  data->n = 3;
  data->names = g_string_chunk_new (64);
  data->name = g_new0 (const char *, 3);
  data->bytes = g_new0 (gint64, 3);
  data->bytes[0] = TSR_UNKNOWN;
  data->bytes[1] = 123456789012;
  for (guint i = 0; i < 3; i++)
    data->name[i] = g_string_chunk_insert (data->names, i == 1 ? "Internal Exchange Code" : "x");
  g_ptr_array_add (columns,
                   tsr_row_column_new ("name", "Name", TSR_CELL_KIND_TEXT, TSR_VALUE_COUNT));
  g_ptr_array_add (columns, from);
  g_ptr_array_add (columns,
                   tsr_row_column_new ("kind", "Kind", TSR_CELL_KIND_TEXT, TSR_VALUE_COUNT));
  rows = tsr_rows_new (3, columns, &source, data, data_free);
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  column = g_list_model_get_item (gtk_column_view_get_columns (tsr_row_view_get_column_view (view)),
                                  1);
  kind = g_list_model_get_item (gtk_column_view_get_columns (tsr_row_view_get_column_view (view)),
                                2);
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_assert_cmpint (gtk_column_view_column_get_fixed_width (column), >=, width + 12);
  pango_layout_set_text (layout, "Internal Exchange Code", -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_assert_cmpint (gtk_column_view_column_get_fixed_width (kind), >=, width + 12);
  g_object_unref (layout);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* @text, the total of @column, has room as it is drawn: its figures are as wide as each other. */
static void
check_total_fits (GtkWidget *total, guint column, const char *text)
{
  GtkWidget *cell = gtk_widget_get_first_child (total);
  PangoLayout *layout = gtk_widget_create_pango_layout (total, text);
  PangoAttrList *attributes = pango_attr_list_new ();
  int width;

  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);

  tsr_ui_test_wait (g_strcmp0 (tsr_total_row_get_text (TSR_TOTAL_ROW (total), column), text) == 0);
  tsr_ui_test_run (100);
  for (guint i = 0; i < column; i++)
    cell = gtk_widget_get_next_sibling (cell);
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_object_unref (layout);
  g_assert_true (gtk_widget_get_child_visible (cell));
  g_assert_cmpint (gtk_widget_get_width (cell), >=, width);
}

/* Totals are longer than any cell: one of what does not add up, and sums of rows that a filter left
 * out at first. */
static void
test_totals_fit (void)
{
  g_autoptr (TsrRows) rows = make_rows (300, 3, "name");
  g_autoptr (TsrRows) more = make_rows (300000, 4, "name");
  g_autofree char *two = tsr_units_dup_count (G_GINT64_CONSTANT (300000) * 299999);
  g_autofree char *three = tsr_units_dup_count (G_GINT64_CONSTANT (150000) * 299999 * 3);
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 2000);
  GtkWidget *total = tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_TOTAL_ROW);
  TsrRowColumn *column = (TsrRowColumn *)tsr_rows_get_column (rows, 2);

  column->summed = FALSE;
  column->whole = 123456789012009950;
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  check_total_fits (total, 2, "123,456,789,012,009,950");

  tsr_row_view_set_filter (view, "conv_7919/");
  tsr_row_view_set_rows (view, more, TSR_UNITS_BINARY, NULL, FALSE);
  check_total_fits (total, 2, "2"); /* of row 1 */
  tsr_row_view_set_filter (view, "");
  check_total_fits (total, 2, two);
  check_total_fits (total, 3, three);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* In a font whose ones are narrow unless figures are tabular. */
static void
test_narrow_figures_fit (void)
{
  g_autoptr (TsrRows) rows = make_rows (300, 3, "name");
  g_autofree char *font = NULL;
  GtkSettings *settings = gtk_settings_get_default ();
  GtkWidget *window;
  TsrRowView *view;
  TsrRowColumn *column = (TsrRowColumn *)tsr_rows_get_column (rows, 2);

  g_object_get (settings, "gtk-font-name", &font, NULL);
  g_object_set (settings, "gtk-font-name", "Cantarell 11", NULL);
  view = make_view (&window, 2000);
  column->summed = FALSE;
  column->whole = 111111111111;
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  check_total_fits (tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_TOTAL_ROW), 2, "111,111,111,111");
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_set (settings, "gtk-font-name", font, NULL);
}

/* The last one of the view only fills it. */
static guint
count_visible (TsrRowView *view, char *which)
{
  GListModel *columns = gtk_column_view_get_columns (tsr_row_view_get_column_view (view));
  guint n = 0, n_columns = MAX (g_list_model_get_n_items (columns), 1) - 1;

  for (guint i = 0; i < n_columns; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      which[i] = gtk_column_view_column_get_visible (column) ? 'x' : '.';
      n += which[i] == 'x';
    }
  which[n_columns] = '\0';
  return n;
}

static gboolean
is_hidden (TsrRowView *view, guint column)
{
  char which[16];

  count_visible (view, which);
  return which[column] == '.';
}

/* Names keep their room: GTK counts hidden columns as well. */
static int
main_width (TsrRowView *view)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (tsr_row_view_get_column_view (view)));

  return gtk_widget_get_width (gtk_widget_get_first_child (header));
}

/* No room: the last ones go first, the pinned one (number 2) last of all. */
static void
test_room (void)
{
  g_autoptr (TsrRows) rows = make_rows (300, 12, "name");
  g_autoptr (TsrRows) longer = make_rows (200000, 12, "name");
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 2200);
  char which[16];
  guint n;

  /* As many as there is room for, from the first one on. */
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (count_visible (view, which) > 8);
  tsr_ui_test_run (300);
  n = count_visible (view, which);
  g_assert_cmpuint (n, >, 8);
  g_assert_cmpuint (strspn (which, "x"), ==, n);
  check_first_rows (view, TSR_UNITS_BINARY, n);
  gtk_window_destroy (GTK_WINDOW (window));

  view = make_view (&window, 500);
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (is_hidden (view, 5));
  tsr_ui_test_wait (main_width (view) >= 180);
  count_visible (view, which);
  g_assert_cmpint (which[0], ==, 'x');
  g_assert_cmpint (which[2], ==, 'x');
  gtk_window_destroy (GTK_WINDOW (window));

  /* New rows of the same columns, with longer numbers: what is hidden takes no room. */
  view = make_view (&window, 500);
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (is_hidden (view, 5));
  tsr_row_view_set_rows (view, longer, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_run (100);
  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (
          gtk_column_view_get_columns (tsr_row_view_get_column_view (view)), i);

      if (!gtk_column_view_column_get_visible (column))
        g_assert_cmpint (gtk_column_view_column_get_fixed_width (column), ==, 0);
    }
  g_assert_cmpint (main_width (view), >=, 180);
  gtk_window_destroy (GTK_WINDOW (window));

  view = make_view (&window, 320);
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (is_hidden (view, 1));
  tsr_ui_test_wait (main_width (view) >= 180);
  count_visible (view, which);
  g_assert_cmpint (which[0], ==, 'x');
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What the list in @view asks for beside its heading. */
static int
least_height (TsrRowView *view)
{
  GtkWidget *columns = GTK_WIDGET (tsr_row_view_get_column_view (view));
  int heading = 0, minimum = 0, natural = 0;

  gtk_widget_queue_resize (columns);
  gtk_widget_measure (gtk_widget_get_ancestor (columns, TSR_TYPE_ROW_LIST),
                      GTK_ORIENTATION_VERTICAL, -1, &minimum, &natural, NULL, NULL);
  gtk_widget_measure (gtk_widget_get_first_child (columns), GTK_ORIENTATION_VERTICAL, -1, &heading,
                      NULL, NULL, NULL);
  g_assert_cmpint (natural, >=, minimum);
  g_assert_cmpint (heading, >, 0);
  return minimum - heading;
}

/* A list asks for no more room once it was drawn. */
static void
test_least_height (void)
{
  g_autoptr (TsrRows) rows = make_rows (300, 3, "name");
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 600);
  int before;

  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  before = least_height (view);
  g_assert_cmpint (before, >, 0);
  tsr_ui_test_run (100);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (view)), >, before);
  g_assert_cmpint (least_height (view), ==, before);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The cells of each row stand in it in the order they are seen in, as they are read aloud. */
static void
check_order (TsrRowView *view)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (tsr_row_view_get_column_view (view)));
  guint n_rows = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      int end = 0;

      for (GtkWidget *cell = gtk_widget_get_first_child (row); cell != NULL;
           cell = gtk_widget_get_next_sibling (cell))
        {
          graphene_rect_t bounds;

          g_assert_true (gtk_widget_compute_bounds (cell, row, &bounds));
          g_assert_cmpfloat (bounds.origin.x, >=, end);
          end = (int)(bounds.origin.x + bounds.size.width);
        }
      n_rows += end > 0;
    }
  g_assert_cmpuint (n_rows, >, 0);
}

/* Pinned columns stay where names can be cut, and the others do not. */
static void
test_pinned_room (void)
{
  TsrGrid *grid = tsr_grid_new (1);
  const char **names;
  g_autoptr (TsrRows) rows = NULL;
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 572);
  char which[16];

  for (guint i = 0; i < 4; i++)
    {
      const char *const titles[] = { "Tile", "Too much before", "At best", "Packed as now" };
      TsrRowColumn *column = tsr_grid_column (titles[i], titles[i], NULL, TSR_VALUE_BYTES);

      column->pinned = i != 1;
      tsr_grid_add_values (grid, column)[0] = 100 * 1024;
    }
  names = tsr_grid_add_texts (grid, tsr_grid_text_column ("program", "Program", NULL));
  names[0] = "Gradient/model/layer1.0/conv1/batchNormGrad/deltas/Grad/Exchange/Reduce/Convolve";
  rows = tsr_grid_to_rows (grid);
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, "program", FALSE);
  tsr_ui_test_wait (is_hidden (view, 1));
  tsr_ui_test_run (100);
  count_visible (view, which);
  g_assert_cmpstr (which, ==, "x.xxx");
  gtk_window_set_default_size (GTK_WINDOW (window), 1200, 500);
  tsr_ui_test_wait (!is_hidden (view, 1));
  tsr_ui_test_run (100);
  check_order (view);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Where the heading of @column begins and ends in @view. */
static void
get_heading (TsrRowView *view, guint column, graphene_rect_t *bounds)
{
  GtkWidget *title = gtk_widget_get_first_child (
      gtk_widget_get_first_child (GTK_WIDGET (tsr_row_view_get_column_view (view))));

  for (; column > 0; column--)
    title = gtk_widget_get_next_sibling (title);
  g_assert_true (gtk_widget_compute_bounds (title, GTK_WIDGET (view), bounds));
}

static int
get_text_width (TsrRowView *view, const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (view), text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* (nullable): the first one in @widget. */
static GtkWidget *
find_sign (GtkWidget *widget)
{
  GtkWidget *found = gtk_widget_has_css_class (widget, "hidden-columns") ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_sign (child);
  return found;
}

static int
get_longest (TsrRowView *view, TsrRows *rows)
{
  int longest = 0;

  for (guint32 i = 0; i < tsr_rows_get_n (rows); i++)
    {
      const char *text = tsr_rows_get_text (rows, i, 0);

      longest = MAX (longest, text != NULL ? get_text_width (view, text) : 0);
    }
  return longest;
}

/* Figures stand next to names, which are all there: neither is at the far end of a wide window, nor
 * does a narrow one push a column out without a word. */
static void
test_names_fit (void)
{
  g_autoptr (TsrRows) rows = make_rows (300, 3, "name");
  g_autoptr (TsrRows) many = make_rows (300, 12, "name");
  graphene_rect_t name, bytes, last;
  GtkWidget *window, *sign;
  TsrRowView *view = make_view (&window, 1800);
  const int longest = get_longest (view, rows);
  char which[16];

  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (main_width (view) >= longest && main_width (view) < 600);
  get_heading (view, 0, &name);
  get_heading (view, 1, &bytes);
  get_heading (view, 2, &last);
  g_assert_cmpfloat (name.size.width, >=, longest);
  g_assert_cmpfloat (name.size.width, <=, longest + 80);
  g_assert_cmpfloat (bytes.origin.x, ==, name.origin.x + name.size.width);
  g_assert_cmpfloat (last.origin.x + last.size.width, <, 900);
  gtk_window_set_default_size (GTK_WINDOW (window), 420, 500);
  tsr_ui_test_wait (gtk_widget_get_width (GTK_WIDGET (view)) < 500);
  tsr_ui_test_run (100);
  get_heading (view, 2, &last);
  g_assert_cmpfloat (last.origin.x + last.size.width, <=, gtk_widget_get_width (GTK_WIDGET (view)));
  gtk_window_destroy (GTK_WINDOW (window));

  view = make_view (&window, 700);
  tsr_row_view_set_rows (view, many, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (is_hidden (view, 11));
  sign = find_sign (GTK_WIDGET (view));
  g_assert_nonnull (sign);
  tsr_ui_test_wait (gtk_widget_get_mapped (sign));
  g_assert_cmpint (atoi (gtk_button_get_label (GTK_BUTTON (sign)) + 1), ==,
                   12 - (int)count_visible (view, which));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (sign), "column-11"));
  g_assert_null (strstr (gtk_widget_get_tooltip_text (sign), "column-1,"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (sign), TRUE);
  tsr_ui_test_wait (count_visible (view, which) == 12);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (sign), FALSE);
  tsr_ui_test_wait (is_hidden (view, 11));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A name of megabytes is wide, as Pango's own numbers would not tell. */
static void
test_name_of_megabytes (void)
{
  g_autofree char *huge = g_strnfill (10 << 20, 'N'), *some = g_strnfill (1000, 'N');
  g_autoptr (GString) wide = g_string_new ("N");
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 600);

  for (guint i = 0; i < 10000; i++)
    g_string_append (wide, "ä");
  g_assert_cmpint (tsr_text_get_width (GTK_WIDGET (view), huge), >,
                   tsr_text_get_width (GTK_WIDGET (view), some));
  /* Cut between letters of two bytes. */
  g_assert_cmpint (tsr_text_get_width (GTK_WIDGET (view), wide->str), >,
                   tsr_text_get_width (GTK_WIDGET (view), some));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* So with two columns of names: where there is room for both, both are as wide as they have to be,
 * and else neither takes all from the other. */
static void
test_two_names (void)
{
  g_autoptr (TsrRows) rows = make_named (300, 2, 4, "name");
  graphene_rect_t first, second, next, last;
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 3000);
  const int longest = get_longest (view, rows);

  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (main_width (view) >= longest && main_width (view) <= longest + 80);
  get_heading (view, 1, &second);
  get_heading (view, 2, &next);
  get_heading (view, 3, &last);
  g_assert_cmpfloat (second.size.width, >=, longest);
  g_assert_cmpfloat (second.size.width, <=, longest + 80);
  g_assert_cmpfloat (next.origin.x, ==, second.origin.x + second.size.width);
  g_assert_cmpfloat (last.origin.x + last.size.width, <, 1000);
  gtk_window_set_default_size (GTK_WINDOW (window), 560, 500);
  tsr_ui_test_wait (gtk_widget_get_width (GTK_WIDGET (view)) < 600);
  tsr_ui_test_wait (main_width (view) < longest);
  tsr_ui_test_run (100);
  get_heading (view, 0, &first);
  get_heading (view, 1, &second);
  get_heading (view, 3, &last);
  g_assert_cmpfloat (first.size.width, >=, 160);
  g_assert_cmpfloat (second.size.width, >=, first.size.width * 0.9);
  g_assert_cmpfloat (last.origin.x + last.size.width, <=, gtk_widget_get_width (GTK_WIDGET (view)));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
on_changed (TsrRowView *view, guint *n)
{
  (*n)++;
}

static void
on_activate_row (TsrRowView *view, guint row, guint *last)
{
  *last = row;
}

static void
test_selection (void)
{
  g_autoptr (TsrRows) rows = make_rows (30000, 2, "name");
  g_autoptr (TsrRows) others = make_rows (20000, 2, "name");
  const guint32 wanted[] = { 29000, 17, 70000 };
  g_autoptr (GArray) pending = NULL;
  g_autoptr (GArray) selected = NULL;
  g_autoptr (GArray) none = NULL;
  guint n_changes = 0, activated = 0;
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 700);

  g_signal_connect (view, "selection-changed", G_CALLBACK (on_changed), &n_changes);
  g_signal_connect (view, "activate-row", G_CALLBACK (on_activate_row), &activated);
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, "column-1", TRUE);
  tsr_row_view_select (view, wanted, 3); /* while the order is being worked out */
  pending = tsr_row_view_dup_selected (view);
  g_assert_cmpuint (pending->len, ==, 2);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  selected = tsr_row_view_dup_selected (view);
  g_assert_cmpuint (selected->len, ==, 2);
  g_assert_cmpuint (g_array_index (selected, guint32, 0), ==, 17);
  g_assert_cmpuint (g_array_index (selected, guint32, 1), ==, 29000);
  g_assert_cmpuint (n_changes, ==, 0); /* not by the user */
  gtk_selection_model_select_item (get_model (view), 4, TRUE);
  g_assert_cmpuint (n_changes, ==, 1);
  g_signal_emit_by_name (tsr_row_view_get_column_view (view), "activate", 4);
  g_assert_cmpuint (activated, ==, row_at (view, 4));
  tsr_row_view_set_rows (view, others, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  none = tsr_row_view_dup_selected (view);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (n_changes, ==, 1);
  tsr_row_view_set_multiple (view, FALSE);
  gtk_selection_model_select_item (get_model (view), 4, FALSE);
  gtk_selection_model_select_item (get_model (view), 6, FALSE);
  g_clear_pointer (&none, g_array_unref);
  none = tsr_row_view_dup_selected (view);
  g_assert_cmpuint (none->len, ==, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
on_toast (TsrRowView *view, const char *text, char **last)
{
  g_free (*last);
  *last = g_strdup (text);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **)data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static void
test_csv (void)
{
  g_autoptr (TsrRows) rows = make_rows (9000, 3, "name");
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "rows.csv", NULL);
  g_autofree char *toast = NULL;
  g_autofree char *saved = NULL;
  g_autofree char *copied = NULL;
  g_autoptr (TsrRowOrder) order = NULL;
  g_autoptr (TsrFilter) filter = tsr_filter_new ("layer2", NULL);
  g_autofree char *expected = NULL;
  g_auto (GStrv) lines = NULL;
  GtkWidget *window;
  TsrRowView *view = make_view (&window, 700);

  g_signal_connect (view, "toast", G_CALLBACK (on_toast), &toast);
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, "column-1", TRUE);
  tsr_row_view_set_filter (view, "layer2");
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  tsr_row_view_save_to (view, path);
  tsr_ui_test_wait (toast != NULL);
  g_assert_true (g_file_get_contents (path, &saved, NULL, NULL));
  order = tsr_rows_arrange (rows, 1, TRUE, filter, NULL, NULL);
  expected = tsr_rows_dup_csv (rows, order);
  g_assert_cmpstr (saved, ==, expected);
  g_clear_pointer (&toast, g_free);
  gtk_selection_model_select_item (get_model (view), 5, TRUE);
  gtk_selection_model_select_item (get_model (view), 2, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (view), "rows.copy", NULL);
  tsr_ui_test_wait (toast != NULL);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)), NULL, on_text,
                                 &copied);
  tsr_ui_test_wait (copied != NULL);
  lines = g_strsplit (copied, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_nonnull (strstr (toast, "selected rows"));
  g_clear_pointer (&toast, g_free);
  gtk_widget_activate_action (GTK_WIDGET (view), "rows.copy-all", NULL);
  tsr_ui_test_wait (toast != NULL);
  g_assert_nonnull (strstr (toast, "whole table"));
  g_assert_true (g_str_has_prefix (lines[1], tsr_rows_get_text (rows, row_at (view, 2), 0)));
  g_assert_true (g_str_has_prefix (lines[2], tsr_rows_get_text (rows, row_at (view, 5), 0)));
  g_clear_pointer (&toast, g_free);
  tsr_row_view_save_to (view, "/nowhere/at/all.csv");
  tsr_ui_test_wait (toast != NULL);
  g_assert_null (strstr (toast, "is saved"));
  gtk_window_destroy (GTK_WINDOW (window));
  tsr_test_folder_free (folder);
}

/* Rows that are set and selected while something else is shown in the view's place. */
static void
test_shown_later (void)
{
  g_autoptr (TsrRows) rows = make_rows (1472, 3, "name");
  GtkWidget *window = gtk_window_new (), *stack = gtk_stack_new ();
  TsrRowView *view = tsr_row_view_new ();
  const guint32 selected = 348;
  g_autoptr (GString) shown = g_string_new (NULL);
  g_autofree char *name = NULL;
  guint n_cells = 0;

  gtk_window_set_default_size (GTK_WINDOW (window), 700, 500);
  gtk_window_set_child (GTK_WINDOW (window), stack);
  gtk_stack_add_named (GTK_STACK (stack), GTK_WIDGET (view), "table");
  gtk_stack_add_named (GTK_STACK (stack), gtk_label_new ("map"), "map");
  gtk_window_present (GTK_WINDOW (window));
  tsr_ui_test_run (100);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "map");
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  tsr_row_view_select (view, &selected, 1);
  tsr_ui_test_run (200);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "table");
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  tsr_ui_test_run (200);
  collect (GTK_WIDGET (tsr_row_view_get_column_view (view)), shown);
  for (const char *at = shown->str; (at = strchr (at, '|')) != NULL; at++)
    n_cells++;
  g_assert_cmpuint (n_cells, >, 3 * 10);
  name = tsr_rows_dup_text (rows, selected, 0, TSR_UNITS_BINARY);
  g_assert_nonnull (strstr (shown->str, name)); /* where it is */
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Closing a window while its worker is busy. */
static void
test_dispose (void)
{
  g_autoptr (TsrRows) rows = make_rows (200000, 3, "name");

  for (guint i = 0; i < 4; i++)
    {
      GtkWidget *window;
      TsrRowView *view = make_view (&window, 700);

      tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, i % 2 ? "name" : "column-1", TRUE);
      tsr_row_view_set_filter (view, "/l.y.r/");
      tsr_ui_test_run (i);
      gtk_window_destroy (GTK_WINDOW (window));
      tsr_ui_test_run (30);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  g_test_add_func ("/row-view/contract", test_contract);
  g_test_add_func ("/row-view/selection-model", test_selection_model);
  g_test_add_func ("/row-view/sort-and-filter", test_sort_and_filter);
  g_test_add_func ("/row-view/filter-key", test_filter_key);
  g_test_add_func ("/row-view/states", test_states);
  g_test_add_func ("/row-view/hidden", test_hidden);
  g_test_add_func ("/row-view/total", test_total);
  g_test_add_func ("/row-view/total-words", test_total_words);
  g_test_add_func ("/row-view/long-counts", test_long_counts);
  g_test_add_func ("/row-view/totals-fit", test_totals_fit);
  g_test_add_func ("/row-view/narrow-figures-fit", test_narrow_figures_fit);
  g_test_add_func ("/row-view/room", test_room);
  g_test_add_func ("/row-view/least-height", test_least_height);
  g_test_add_func ("/row-view/pinned-room", test_pinned_room);
  g_test_add_func ("/row-view/names-fit", test_names_fit);
  g_test_add_func ("/row-view/name-of-megabytes", test_name_of_megabytes);
  g_test_add_func ("/row-view/two-names", test_two_names);
  g_test_add_func ("/row-view/selection", test_selection);
  g_test_add_func ("/row-view/second-name", test_second_name);
  g_test_add_func ("/row-view/csv", test_csv);
  g_test_add_func ("/row-view/shown-later", test_shown_later);
  g_test_add_func ("/row-view/dispose", test_dispose);
  return g_test_run ();
}
