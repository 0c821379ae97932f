/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows are a GtkTreeListModel over TsrTableLevel models, each in the table's own order.  A new
 * order or table resets the top level; then what the user had expanded is expanded again. */

#include "config.h"

#include "tsr-table-view.h"

#include "tsr-headings.h"
#include "tsr-save-dialog.h"
#include "tsr-scroll.h"
#include "tsr-table-csv.h"
#include "tsr-table-level.h"

#include <glib/gi18n.h>

#define MAX_VISIBLE 8 /* a column view costs by column */

struct _TsrTableView
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkColumnView *view;
  TsrTable *table;
  TsrUnits units;
  TsrTableLevel *top;
  GtkTreeListModel *tree;
  GtkSelectionModel *selection;
  GHashTable *expanded; /* set of keys */
  TsrSettings *settings;
  char *settings_key;
  char *label_title;
  char *file_name;
  TsrTableCsvFunc csv_func;
  gpointer csv_data;
  GMenu *sort_menu;
  int sort_column;
  gboolean sort_descending;
  gboolean rebuilding;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (TsrTableView, tsr_table_view, GTK_TYPE_WIDGET)

enum
{
  TOAST,
  REFRESHED, /* to the cells: the same rows have other numbers */
  N_SIGNALS
};
static guint signals[N_SIGNALS];

#define COLUMN_KEY "tsr-column"
#define NO_COLUMN  (-1)

static void
toast (TsrTableView *self, const char *text)
{
  g_signal_emit (self, signals[TOAST], 0, text);
}

/* Rows */

/* NULL for a row that has left the tree: GTK notifies of its properties once more. */
static const TsrTableRow *
get_row (GtkTreeListRow *tree_row, TsrTable **table, guint *row)
{
  g_autoptr (TsrTableItem) item = gtk_tree_list_row_get_item (tree_row);

  if (item == NULL)
    return NULL;
  *table = tsr_table_item_get_table (item);
  *row = tsr_table_item_get_row (item);
  return tsr_table_get_row (*table, *row);
}

static GListModel *
create_level (gpointer item, gpointer data)
{
  TsrTableView *self = data;
  TsrTable *table = tsr_table_item_get_table (item);
  guint row = tsr_table_item_get_row (item);

  if (tsr_table_get_row (table, row)->n_children == 0)
    return NULL;
  return G_LIST_MODEL (tsr_table_level_new (table, row, self->sort_column, self->sort_descending));
}

static void
remember (TsrTableView *self, const char *key, gboolean expanded)
{
  if (expanded)
    g_hash_table_add (self->expanded, g_strdup (key));
  else
    g_hash_table_remove (self->expanded, key);
  if (self->settings != NULL)
    tsr_settings_set_word (self->settings, self->settings_key, key, expanded);
}

/* Expands what was expanded, or everything, or nothing; children come right behind their parent,
 * so one walk does it. */
static void
restore_expanded (TsrTableView *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->tree)); i++)
    {
      g_autoptr (GtkTreeListRow) tree_row = gtk_tree_list_model_get_row (self->tree, i);
      TsrTable *table;
      guint row;
      const TsrTableRow *info = get_row (tree_row, &table, &row);

      if (gtk_tree_list_row_is_expandable (tree_row))
        gtk_tree_list_row_set_expanded (tree_row,
                                        g_hash_table_contains (self->expanded, info->key));
    }
}

static void
on_row_expanded (GtkTreeListRow *tree_row, GParamSpec *pspec, TsrTableView *self)
{
  TsrTable *table;
  guint row;
  const TsrTableRow *info = get_row (tree_row, &table, &row);

  /* A row that leaves is folded by GTK; that is nobody's wish. */
  if (self->rebuilding || info == NULL)
    return;
  remember (self, info->key, gtk_tree_list_row_get_expanded (tree_row));
  self->rebuilding = TRUE;
  restore_expanded (self);
  self->rebuilding = FALSE;
}

static void
rebuild_rows (TsrTableView *self)
{
  self->rebuilding = TRUE;
  tsr_table_level_reset (self->top, self->table, -1, self->sort_column, self->sort_descending);
  if (self->table != NULL)
    restore_expanded (self);
  self->rebuilding = FALSE;
}

static gboolean
same_structure (TsrTable *a, TsrTable *b)
{
  if (a == NULL || b == NULL || tsr_table_get_n_rows (a) != tsr_table_get_n_rows (b))
    return FALSE;
  for (guint i = 0; i < tsr_table_get_n_rows (a); i++)
    {
      const TsrTableRow *x = tsr_table_get_row (a, i), *y = tsr_table_get_row (b, i);

      if (x->parent != y->parent || g_strcmp0 (x->key, y->key) != 0)
        return FALSE;
    }
  return TRUE;
}

/* Other numbers in the same rows: nothing moves, neither focus nor scrolling.  FALSE when the order
 * is another now. */
static gboolean
refresh_rows (TsrTableView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->tree));

  if (!tsr_table_level_refresh (self->top, self->table, -1, self->sort_column,
                                self->sort_descending))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GtkTreeListRow) tree_row = gtk_tree_list_model_get_row (self->tree, i);
      g_autoptr (TsrTableItem) item = gtk_tree_list_row_get_item (tree_row);
      GListModel *children = gtk_tree_list_row_get_children (tree_row);

      if (children != NULL
          && !tsr_table_level_refresh (TSR_TABLE_LEVEL (children), self->table,
                                       tsr_table_item_get_row (item), self->sort_column,
                                       self->sort_descending))
        return FALSE;
    }
  g_signal_emit (self, signals[REFRESHED], 0);
  return TRUE;
}

/* Cells */

static void
on_label_setup (GtkListItemFactory *factory, GtkListItem *item, TsrTableView *self)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), label);
  gtk_list_item_set_child (item, expander);
}

static void
on_label_bind (GtkListItemFactory *factory, GtkListItem *item, TsrTableView *self)
{
  GtkTreeListRow *tree_row = gtk_list_item_get_item (item);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (item));
  GtkWidget *label = gtk_tree_expander_get_child (expander);
  TsrTable *table;
  guint row;
  const TsrTableRow *info = get_row (tree_row, &table, &row);

  gtk_tree_expander_set_list_row (expander, tree_row);
  gtk_label_set_label (GTK_LABEL (label), info->label);
  gtk_widget_set_tooltip_text (GTK_WIDGET (expander), info->definition);
  if (info->heading)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
  g_signal_connect_object (tree_row, "notify::expanded", G_CALLBACK (on_row_expanded), self, 0);
}

static void
on_label_unbind (GtkListItemFactory *factory, GtkListItem *item, TsrTableView *self)
{
  GtkTreeListRow *tree_row = gtk_list_item_get_item (item);
  GtkWidget *expander = gtk_list_item_get_child (item);

  if (tree_row != NULL)
    g_signal_handlers_disconnect_by_func (tree_row, on_row_expanded, self);
  if (expander != NULL)
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), NULL);
}

static void
on_number_setup (GtkListItemFactory *factory, GtkListItem *item, TsrTableView *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (label), COLUMN_KEY,
                     g_object_get_data (G_OBJECT (factory), COLUMN_KEY));
  gtk_list_item_set_child (item, label);
}

static void
update_number (GtkListItem *item, TsrTableView *self)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  int column = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (label), COLUMN_KEY));
  GtkTreeListRow *tree_row = gtk_list_item_get_item (item);
  TsrTable *table;
  guint row;
  const TsrTableRow *info = get_row (tree_row, &table, &row);
  g_autofree char *text = NULL, *exact = NULL;

  /* A row that is being folded away is still bound, and has no item any more. */
  if (info == NULL)
    return;
  /* A newer GTK keeps the items of a tree, and with them the table that they were made of. */
  if (self->table != NULL && row < tsr_table_get_n_rows (self->table))
    table = self->table;
  if (!info->heading && column < (int)tsr_table_get_n_columns (table))
    {
      text = tsr_table_dup_text (table, row, column, self->units);
      exact = tsr_table_dup_exact (table, row, column);
    }
  gtk_label_set_label (GTK_LABEL (label), text != NULL ? text : "");
  gtk_widget_set_tooltip_text (label, exact);
}

static void
on_number_bind (GtkListItemFactory *factory, GtkListItem *item, TsrTableView *self)
{
  update_number (item, self);
  /* The rows stay when other numbers stand in them, so it is the view that tells its cells. */
  g_signal_connect_object (self, "refreshed", G_CALLBACK (update_number), item, G_CONNECT_SWAPPED);
}

static void
on_number_unbind (GtkListItemFactory *factory, GtkListItem *item, TsrTableView *self)
{
  g_signal_handlers_disconnect_by_func (self, update_number, item);
}

/* Order */

static void
on_sorter_changed (GtkSorter *sorter, GtkSorterChange change, TsrTableView *self)
{
  gboolean descending;
  int column;

  if (self->rebuilding)
    return;
  column = tsr_headings_get_sort (self->view, &descending);
  if (column == self->sort_column && descending == self->sort_descending)
    return;
  self->sort_column = column;
  self->sort_descending = descending;
  rebuild_rows (self);
}

static GtkColumnViewColumn *
find_column (TsrTableView *self, int column)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) one = g_list_model_get_item (columns, i);

      if (GPOINTER_TO_INT (g_object_get_data (G_OBJECT (one), COLUMN_KEY)) == column)
        return one; /* the list keeps it */
    }
  return NULL;
}

void
tsr_table_view_sort (TsrTableView *self, int column, gboolean descending)
{
  GtkColumnViewColumn *found;

  g_return_if_fail (TSR_IS_TABLE_VIEW (self));
  found = column >= 0 ? find_column (self, column) : NULL;
  if (column >= 0 && found == NULL)
    {
      /* For a table that is still to come. */
      self->sort_column = column;
      self->sort_descending = descending;
      return;
    }
  gtk_column_view_sort_by_column (self->view, found,
                                  descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

int
tsr_table_view_get_sort (TsrTableView *self, gboolean *descending)
{
  g_return_val_if_fail (TSR_IS_TABLE_VIEW (self), NO_COLUMN);
  if (descending != NULL)
    *descending = self->sort_descending;
  return self->sort_column;
}

/* Columns */

static GtkListItemFactory *
number_factory (TsrTableView *self, int column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), COLUMN_KEY, GINT_TO_POINTER (column));
  g_signal_connect (factory, "setup", G_CALLBACK (on_number_setup), self);
  g_signal_connect (factory, "bind", G_CALLBACK (on_number_bind), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_number_unbind), self);
  return factory;
}

static void
append_number_column (TsrTableView *self, int i)
{
  const TsrTableColumn *info = tsr_table_get_column (self->table, i);
  g_autoptr (GtkColumnViewColumn) column
      = gtk_column_view_column_new (info->title, number_factory (self, i));
  g_autoptr (GtkSorter) sorter = tsr_heading_sorter_new (i);

  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_fixed_width (column,
                                          tsr_heading_get_width (GTK_WIDGET (self), info->title));
  g_object_set_data (G_OBJECT (column), COLUMN_KEY, GINT_TO_POINTER (i));
  gtk_column_view_append_column (self->view, column);
}

static void
update_sort_menu (TsrTableView *self)
{
  g_menu_remove_all (self->sort_menu);
  g_menu_append (self->sort_menu, _ ("As in the report"), "table.sort(-1)");
  for (guint i = 0; self->table != NULL && i < tsr_table_get_n_columns (self->table); i++)
    {
      g_autofree char *action = g_strdup_printf ("table.sort(%u)", i);

      g_menu_append (self->sort_menu, tsr_table_get_column (self->table, i)->title, action);
    }
}

static gboolean
same_columns (TsrTable *a, TsrTable *b)
{
  if (a == NULL || b == NULL || tsr_table_get_n_columns (a) != tsr_table_get_n_columns (b))
    return FALSE;
  for (guint i = 0; i < tsr_table_get_n_columns (a); i++)
    if (g_strcmp0 (tsr_table_get_column (a, i)->title, tsr_table_get_column (b, i)->title) != 0)
      return FALSE;
  return TRUE;
}

static void
rebuild_columns (TsrTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint n = self->table != NULL ? MIN (tsr_table_get_n_columns (self->table), MAX_VISIBLE) : 0;

  self->rebuilding = TRUE;
  while (g_list_model_get_n_items (columns) > 1)
    {
      g_autoptr (GtkColumnViewColumn) column
          = g_list_model_get_item (columns, g_list_model_get_n_items (columns) - 1);

      gtk_column_view_remove_column (self->view, column);
    }
  for (guint i = 0; i < n; i++)
    append_number_column (self, i);
  if (self->sort_column >= (int)n)
    self->sort_column = NO_COLUMN;
  tsr_table_view_sort (self, self->sort_column, self->sort_descending);
  for (guint i = 0; i < n; i++)
    {
      const TsrTableColumn *info = tsr_table_get_column (self->table, i);

      tsr_heading_dress (self->view, i + 1, TRUE,
                         info->definition != NULL ? info->definition : info->title);
    }
  update_sort_menu (self);
  self->rebuilding = FALSE;
}

/* CSV */

char *
tsr_table_view_dup_selected_csv (TsrTableView *self)
{
  g_autoptr (GtkBitset) bits = NULL;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));

  g_return_val_if_fail (TSR_IS_TABLE_VIEW (self), NULL);
  bits = gtk_selection_model_get_selection (self->selection);
  for (guint i = 0; i < gtk_bitset_get_size (bits); i++)
    {
      g_autoptr (GtkTreeListRow) tree_row
          = gtk_tree_list_model_get_row (self->tree, gtk_bitset_get_nth (bits, i));
      TsrTable *table;
      guint row;

      if (tree_row == NULL)
        continue;
      get_row (tree_row, &table, &row);
      g_array_append_val (rows, row);
    }
  if (self->table == NULL || rows->len == 0)
    return NULL;
  return tsr_table_dup_rows_csv (self->table, self->label_title, (const guint *)rows->data,
                                 rows->len);
}

static char *
dup_all_csv (TsrTableView *self)
{
  if (self->csv_func != NULL)
    return self->csv_func (self->csv_data);
  return self->table != NULL ? tsr_table_dup_csv (self->table) : NULL;
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrTableView *self = TSR_TABLE_VIEW (widget);
  g_autofree char *csv = NULL;
  gboolean all = g_str_equal (name, "table.copy-all");

  if (!all)
    csv = tsr_table_view_dup_selected_csv (self);
  if (csv == NULL)
    {
      csv = dup_all_csv (self);
      all = TRUE;
    }
  if (csv == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), csv);
  toast (self, all ? _ ("The whole table is on the clipboard as CSV")
                   : _ ("The selected rows are on the clipboard as CSV"));
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TsrTableView) self = data;
  g_autofree char *name = g_file_get_basename (G_FILE (source));
  g_autofree char *text = g_strdup_printf (_ ("Saved %s"), name);
  g_autoptr (GError) error = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    toast (self, text);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    toast (self, error->message);
}

static void
save_to_file (TsrTableView *self, GFile *file)
{
  char *csv = dup_all_csv (self);
  g_autoptr (GBytes) bytes = NULL;

  if (csv == NULL)
    return;
  bytes = g_bytes_new_take (csv, strlen (csv));
  g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_NONE,
                                       self->cancellable, on_saved, g_object_ref (self));
}

void
tsr_table_view_save_to (TsrTableView *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_return_if_fail (TSR_IS_TABLE_VIEW (self));
  save_to_file (self, file);
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_save_dialog_show (widget, TSR_TABLE_VIEW (widget)->file_name, (TsrSaveFunc)save_to_file,
                        G_OBJECT (widget));
}

/* Other actions */

static void
expand_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrTableView *self = TSR_TABLE_VIEW (widget);
  gboolean expand = g_str_equal (name, "table.expand-all");

  for (guint i = 0; self->table != NULL && i < tsr_table_get_n_rows (self->table); i++)
    {
      const TsrTableRow *row = tsr_table_get_row (self->table, i);

      if (row->n_children > 0)
        remember (self, row->key, expand);
    }
  rebuild_rows (self);
}

static void
sort (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrTableView *self = TSR_TABLE_VIEW (widget);
  int column = g_variant_get_int32 (parameter);

  /* Largest first is what one looks for. */
  tsr_table_view_sort (self, column, column != self->sort_column || !self->sort_descending);
}

/* Object */

static void
tsr_table_view_dispose (GObject *object)
{
  TsrTableView *self = TSR_TABLE_VIEW (object);

  g_cancellable_cancel (self->cancellable);
  self->rebuilding = TRUE;
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->tree);
  g_clear_object (&self->top);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (tsr_table_view_parent_class)->dispose (object);
}

static void
tsr_table_view_finalize (GObject *object)
{
  TsrTableView *self = TSR_TABLE_VIEW (object);

  g_clear_pointer (&self->table, tsr_table_unref);
  g_hash_table_unref (self->expanded);
  g_object_unref (self->sort_menu);
  g_object_unref (self->cancellable);
  g_free (self->settings_key);
  g_free (self->label_title);
  g_free (self->file_name);
  G_OBJECT_CLASS (tsr_table_view_parent_class)->finalize (object);
}

static void
tsr_table_view_class_init (TsrTableViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_table_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_table_view_finalize;
  signals[TOAST] = g_signal_new ("toast", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[REFRESHED] = g_signal_new ("refreshed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "table.copy-all", NULL, copy);
  gtk_widget_class_install_action (widget_class, "table.save", NULL, save);
  gtk_widget_class_install_action (widget_class, "table.expand-all", NULL, expand_all);
  gtk_widget_class_install_action (widget_class, "table.collapse-all", NULL, expand_all);
  gtk_widget_class_install_action (widget_class, "table.sort", "i", sort);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy",
                                       NULL);
}

static void
tsr_table_view_init (TsrTableView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;

  self->expanded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->label_title = g_strdup ("");
  self->file_name = g_strdup ("table");
  self->sort_menu = g_menu_new ();
  self->sort_column = NO_COLUMN;
  self->cancellable = g_cancellable_new ();
  self->top = tsr_table_level_new (NULL, -1, NO_COLUMN, FALSE);
  self->tree = gtk_tree_list_model_new (g_object_ref (G_LIST_MODEL (self->top)), FALSE, FALSE,
                                        create_level, self, NULL);
  self->selection
      = GTK_SELECTION_MODEL (gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (self->tree))));
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (g_object_ref (self->selection)));
  g_signal_connect (factory, "setup", G_CALLBACK (on_label_setup), self);
  g_signal_connect (factory, "bind", G_CALLBACK (on_label_bind), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_label_unbind), self);
  column = gtk_column_view_column_new ("", factory);
  g_object_set_data (G_OBJECT (column), COLUMN_KEY, GINT_TO_POINTER (NO_COLUMN));
  gtk_column_view_column_set_expand (column, TRUE);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_append_column (self->view, column);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed",
                           G_CALLBACK (on_sorter_changed), self, 0);
  self->scroller = gtk_scrolled_window_new ();
  tsr_scroll_chain_add (GTK_SCROLLED_WINDOW (self->scroller));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

TsrTableView *
tsr_table_view_new (void)
{
  return g_object_new (TSR_TYPE_TABLE_VIEW, NULL);
}

void
tsr_table_view_set_label_title (TsrTableView *self, const char *label_title)
{
  GtkColumnViewColumn *column;

  g_return_if_fail (TSR_IS_TABLE_VIEW (self) && label_title != NULL);
  g_free (self->label_title);
  self->label_title = g_strdup (label_title);
  column = find_column (self, NO_COLUMN);
  gtk_column_view_column_set_title (column, label_title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label_title, -1);
}

void
tsr_table_view_set_table (TsrTableView *self, TsrTable *table, TsrUnits units)
{
  gboolean same_rows, same;

  g_return_if_fail (TSR_IS_TABLE_VIEW (self));
  same_rows = same_structure (self->table, table);
  same = same_columns (self->table, table);
  if (table != NULL)
    tsr_table_ref (table);
  g_clear_pointer (&self->table, tsr_table_unref);
  self->table = table;
  self->units = units;
  if (!same)
    rebuild_columns (self);
  if (!same_rows || !refresh_rows (self))
    rebuild_rows (self);
}

TsrTable *
tsr_table_view_get_table (TsrTableView *self)
{
  g_return_val_if_fail (TSR_IS_TABLE_VIEW (self), NULL);
  return self->table;
}

void
tsr_table_view_set_settings (TsrTableView *self, TsrSettings *settings, const char *key)
{
  g_auto (GStrv) words = NULL;

  g_return_if_fail (TSR_IS_TABLE_VIEW (self) && TSR_IS_SETTINGS (settings) && key != NULL);
  g_set_object (&self->settings, settings);
  g_free (self->settings_key);
  self->settings_key = g_strdup (key);
  words = tsr_settings_dup_strv (settings, key);
  g_hash_table_remove_all (self->expanded);
  for (guint i = 0; words[i] != NULL; i++)
    g_hash_table_add (self->expanded, g_strdup (words[i]));
  rebuild_rows (self);
}

void
tsr_table_view_set_csv_func (TsrTableView *self, TsrTableCsvFunc func, gpointer data)
{
  g_return_if_fail (TSR_IS_TABLE_VIEW (self));
  self->csv_func = func;
  self->csv_data = data;
}

void
tsr_table_view_set_file_name (TsrTableView *self, const char *name)
{
  g_return_if_fail (TSR_IS_TABLE_VIEW (self) && name != NULL);
  g_free (self->file_name);
  self->file_name = g_strdup (name);
}

GMenuModel *
tsr_table_view_get_sort_menu (TsrTableView *self)
{
  g_return_val_if_fail (TSR_IS_TABLE_VIEW (self), NULL);
  return G_MENU_MODEL (self->sort_menu);
}

gboolean
tsr_table_view_is_expanded (TsrTableView *self, const char *key)
{
  g_return_val_if_fail (TSR_IS_TABLE_VIEW (self) && key != NULL, FALSE);
  return g_hash_table_contains (self->expanded, key);
}

void
tsr_table_view_set_expanded (TsrTableView *self, const char *key, gboolean expanded)
{
  g_return_if_fail (TSR_IS_TABLE_VIEW (self) && key != NULL);
  remember (self, key, expanded);
  rebuild_rows (self);
}

GtkSelectionModel *
tsr_table_view_get_rows (TsrTableView *self)
{
  g_return_val_if_fail (TSR_IS_TABLE_VIEW (self), NULL);
  return self->selection;
}

GtkColumnView *
tsr_table_view_get_column_view (TsrTableView *self)
{
  g_return_val_if_fail (TSR_IS_TABLE_VIEW (self), NULL);
  return self->view;
}
