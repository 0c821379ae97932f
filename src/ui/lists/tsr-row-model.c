/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another order of a million rows must not cost more than a frame.  GTK 4.8 looks through all added
 * items, one object for each, when its view had some of the removed ones on screen, and makes or
 * fills again the widgets of 200 rows.  So the places stay and are filled again; only at the end of
 * the list places go and come. */

#include "config.h"

#include "tsr-row-model.h"

#define COMPARED_KEYS 256 /* of the rows shown */

struct _TsrRowItem
{
  GObject parent_instance;

  guint position;
};

G_DEFINE_FINAL_TYPE (TsrRowItem, tsr_row_item, G_TYPE_OBJECT)

static void
tsr_row_item_class_init (TsrRowItemClass *klass)
{
}

static void
tsr_row_item_init (TsrRowItem *self)
{
}

guint
tsr_row_item_get_position (TsrRowItem *self)
{
  g_return_val_if_fail (TSR_IS_ROW_ITEM (self), 0);
  return self->position;
}

struct _TsrRowModel
{
  GObject parent_instance;

  TsrRowOutline *outline;
  guint n; /* as the signals have it */
  GtkBitset *selected;
  gboolean multiple;
};

static void row_model_list_init (GListModelInterface *iface);
static void row_model_selection_init (GtkSelectionModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TsrRowModel,
                               tsr_row_model,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, row_model_list_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                          row_model_selection_init))

static guint32
row_at (TsrRowModel *self, guint position)
{
  return tsr_row_outline_get_row (self->outline, position);
}

/* List */

static GType
row_model_get_item_type (GListModel *list)
{
  return TSR_TYPE_ROW_ITEM;
}

static guint
row_model_get_n_items (GListModel *list)
{
  return TSR_ROW_MODEL (list)->n;
}

static gpointer
row_model_get_item (GListModel *list, guint position)
{
  TsrRowModel *self = TSR_ROW_MODEL (list);
  TsrRowItem *item;

  if (position >= self->n)
    return NULL;
  item = g_object_new (TSR_TYPE_ROW_ITEM, NULL);
  item->position = position;
  return item;
}

static void
row_model_list_init (GListModelInterface *iface)
{
  iface->get_item_type = row_model_get_item_type;
  iface->get_n_items = row_model_get_n_items;
  iface->get_item = row_model_get_item;
}

/* Selection */

static gboolean
row_model_is_selected (GtkSelectionModel *model, guint position)
{
  TsrRowModel *self = TSR_ROW_MODEL (model);

  return position < self->n && gtk_bitset_contains (self->selected, row_at (self, position));
}

static GtkBitset *
row_model_get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
  TsrRowModel *self = TSR_ROW_MODEL (model);
  GtkBitset *result = gtk_bitset_new_empty ();
  guint64 left = gtk_bitset_get_size (self->selected);

  for (guint i = 0; i < n_items && left > 0 && position + i < self->n; i++)
    if (gtk_bitset_contains (self->selected, row_at (self, position + i)))
      {
        gtk_bitset_add (result, position + i);
        left--;
      }
  return result;
}

static void
changed (TsrRowModel *self, guint position, guint n_items)
{
  if (n_items > 0)
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), position, n_items);
}

static gboolean
row_model_select_range (GtkSelectionModel *model,
                        guint position,
                        guint n_items,
                        gboolean unselect_rest)
{
  TsrRowModel *self = TSR_ROW_MODEL (model);

  if (position >= self->n || n_items == 0)
    return FALSE;
  n_items = MIN (n_items, self->n - position);
  if (!self->multiple)
    {
      position += n_items - 1;
      n_items = 1;
      unselect_rest = TRUE;
    }
  if (unselect_rest)
    gtk_bitset_remove_all (self->selected);
  for (guint i = 0; i < n_items; i++)
    gtk_bitset_add (self->selected, row_at (self, position + i));
  if (unselect_rest)
    changed (self, 0, self->n);
  else
    changed (self, position, n_items);
  return TRUE;
}

static gboolean
row_model_select_item (GtkSelectionModel *model, guint position, gboolean unselect_rest)
{
  return row_model_select_range (model, position, 1, unselect_rest);
}

static gboolean
row_model_unselect_range (GtkSelectionModel *model, guint position, guint n_items)
{
  TsrRowModel *self = TSR_ROW_MODEL (model);

  if (position >= self->n)
    return FALSE;
  n_items = MIN (n_items, self->n - position);
  for (guint i = 0; i < n_items; i++)
    gtk_bitset_remove (self->selected, row_at (self, position + i));
  changed (self, position, n_items);
  return TRUE;
}

static gboolean
row_model_unselect_item (GtkSelectionModel *model, guint position)
{
  return row_model_unselect_range (model, position, 1);
}

static gboolean
row_model_select_all (GtkSelectionModel *model)
{
  TsrRowModel *self = TSR_ROW_MODEL (model);

  if (!self->multiple || self->n == 0)
    return FALSE;
  if (self->n < tsr_rows_get_n (tsr_row_outline_get_rows (self->outline)))
    return row_model_select_range (model, 0, self->n, FALSE);
  gtk_bitset_add_range (self->selected, 0, self->n);
  changed (self, 0, self->n);
  return TRUE;
}

static gboolean
row_model_unselect_all (GtkSelectionModel *model)
{
  TsrRowModel *self = TSR_ROW_MODEL (model);

  gtk_bitset_remove_all (self->selected);
  changed (self, 0, self->n);
  return TRUE;
}

/* By positions; in a table of one selected row the last one counts. */
static gboolean
row_model_set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  TsrRowModel *self = TSR_ROW_MODEL (model);
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, mask, &position);
       more && position < self->n; more = gtk_bitset_iter_next (&iter, &position))
    {
      guint32 row = row_at (self, position);

      if (!gtk_bitset_contains (selected, position))
        {
          gtk_bitset_remove (self->selected, row);
          continue;
        }
      if (!self->multiple)
        gtk_bitset_remove_all (self->selected);
      gtk_bitset_add (self->selected, row);
    }
  changed (self, 0, self->n);
  return TRUE;
}

static void
row_model_selection_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = row_model_is_selected;
  iface->get_selection_in_range = row_model_get_selection_in_range;
  iface->select_item = row_model_select_item;
  iface->unselect_item = row_model_unselect_item;
  iface->select_range = row_model_select_range;
  iface->unselect_range = row_model_unselect_range;
  iface->select_all = row_model_select_all;
  iface->unselect_all = row_model_unselect_all;
  iface->set_selection = row_model_set_selection;
}

/* Object */

static void
tsr_row_model_finalize (GObject *object)
{
  TsrRowModel *self = TSR_ROW_MODEL (object);

  tsr_row_outline_free (self->outline);
  gtk_bitset_unref (self->selected);
  G_OBJECT_CLASS (tsr_row_model_parent_class)->finalize (object);
}

static void
tsr_row_model_class_init (TsrRowModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_row_model_finalize;
}

static void
tsr_row_model_init (TsrRowModel *self)
{
  self->outline = tsr_row_outline_new ();
  self->selected = gtk_bitset_new_empty ();
  self->multiple = TRUE;
}

TsrRowModel *
tsr_row_model_new (void)
{
  return g_object_new (TSR_TYPE_ROW_MODEL, NULL);
}

/* The list is @n places long from now on. */
static void
resize (TsrRowModel *self, guint n)
{
  guint old = self->n;

  self->n = n;
  if (n < old)
    g_list_model_items_changed (G_LIST_MODEL (self), n, old - n, 0);
  else if (n > old)
    g_list_model_items_changed (G_LIST_MODEL (self), old, 0, n - old);
}

gboolean
tsr_row_model_is_same_tree (TsrRowModel *self, TsrRows *rows)
{
  TsrRows *old = tsr_row_outline_get_rows (self->outline);

  if (rows == old)
    return TRUE;
  if (rows == NULL || old == NULL || !tsr_rows_is_tree (rows) || !tsr_rows_is_tree (old)
      || tsr_rows_get_n (rows) != tsr_rows_get_n (old))
    return FALSE;
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    if (tsr_rows_get_parent (rows, row) != tsr_rows_get_parent (old, row))
      return FALSE;
  for (guint32 row, i = 0; i < MIN (self->n, COMPARED_KEYS); i++)
    {
      g_autofree char *key = tsr_rows_dup_key (rows, row = row_at (self, i));
      g_autofree char *old_key = tsr_rows_dup_key (old, row);

      if (key == NULL || g_strcmp0 (key, old_key) != 0)
        return FALSE;
    }
  return TRUE;
}

/* The rows stand elsewhere now; what is selected does so, too. */
static void
move_rows (TsrRowModel *self, guint at_most)
{
  guint n = MIN (tsr_row_outline_get_n (self->outline), at_most);

  if (n < self->n)
    resize (self, n);
  if (!gtk_bitset_is_empty (self->selected))
    changed (self, 0, self->n);
  resize (self, n);
}

void
tsr_row_model_set (TsrRowModel *self, TsrRows *rows, TsrRowOrder *order, guint at_most)
{
  g_return_if_fail (TSR_IS_ROW_MODEL (self) && (rows == NULL) == (order == NULL));
  if (!tsr_row_model_is_same_tree (self, rows) && !gtk_bitset_is_empty (self->selected))
    {
      gtk_bitset_remove_all (self->selected);
      changed (self, 0, self->n);
    }
  tsr_row_outline_set (self->outline, rows, order);
  move_rows (self, at_most);
}

void
tsr_row_model_set_expanded (
    TsrRowModel *self, guint32 row, gboolean expanded, gboolean below, guint more)
{
  g_return_if_fail (TSR_IS_ROW_MODEL (self));
  if (tsr_row_outline_get_rows (self->outline) == NULL)
    return;
  if (row == TSR_NO_INDEX)
    tsr_row_outline_set_all_expanded (self->outline, expanded);
  else
    tsr_row_outline_set_expanded (self->outline, row, expanded, below);
  move_rows (self, more < G_MAXUINT - self->n ? self->n + more : G_MAXUINT);
}

void
tsr_row_model_set_keys (TsrRowModel *self, const char *const *keys, guint more)
{
  g_return_if_fail (TSR_IS_ROW_MODEL (self));
  tsr_row_outline_set_keys (self->outline, keys);
  move_rows (self, more < G_MAXUINT - self->n ? self->n + more : G_MAXUINT);
}

TsrRowOutline *
tsr_row_model_get_outline (TsrRowModel *self)
{
  g_return_val_if_fail (TSR_IS_ROW_MODEL (self), NULL);
  return self->outline;
}

gboolean
tsr_row_model_is_growing (TsrRowModel *self)
{
  g_return_val_if_fail (TSR_IS_ROW_MODEL (self), FALSE);
  return self->n < tsr_row_outline_get_n (self->outline);
}

gboolean
tsr_row_model_grow (TsrRowModel *self, guint n)
{
  guint shown;

  g_return_val_if_fail (TSR_IS_ROW_MODEL (self), FALSE);
  shown = tsr_row_outline_get_n (self->outline);
  resize (self, shown - self->n > n ? self->n + n : shown);
  return tsr_row_model_is_growing (self);
}

guint32
tsr_row_model_get_row (TsrRowModel *self, guint position)
{
  g_return_val_if_fail (TSR_IS_ROW_MODEL (self), 0);
  return row_at (self, position);
}

TsrRows *
tsr_row_model_get_rows (TsrRowModel *self)
{
  g_return_val_if_fail (TSR_IS_ROW_MODEL (self), NULL);
  return tsr_row_outline_get_rows (self->outline);
}

TsrRowOrder *
tsr_row_model_get_order (TsrRowModel *self)
{
  g_return_val_if_fail (TSR_IS_ROW_MODEL (self), NULL);
  return tsr_row_outline_get_order (self->outline);
}

void
tsr_row_model_set_multiple (TsrRowModel *self, gboolean multiple)
{
  g_return_if_fail (TSR_IS_ROW_MODEL (self));
  self->multiple = multiple;
}

GtkBitset *
tsr_row_model_get_selected (TsrRowModel *self)
{
  g_return_val_if_fail (TSR_IS_ROW_MODEL (self), NULL);
  return self->selected;
}

void
tsr_row_model_set_selected (TsrRowModel *self, GtkBitset *rows)
{
  g_return_if_fail (TSR_IS_ROW_MODEL (self) && rows != NULL);
  if (gtk_bitset_equals (self->selected, rows))
    return;
  gtk_bitset_unref (self->selected);
  self->selected = gtk_bitset_copy (rows);
  changed (self, 0, self->n);
}

guint
tsr_row_model_find_selected (TsrRowModel *self)
{
  g_return_val_if_fail (TSR_IS_ROW_MODEL (self), GTK_INVALID_LIST_POSITION);
  if (gtk_bitset_is_empty (self->selected))
    return GTK_INVALID_LIST_POSITION;
  for (guint i = 0; i < tsr_row_outline_get_n (self->outline); i++)
    if (gtk_bitset_contains (self->selected, row_at (self, i)))
      return i;
  return GTK_INVALID_LIST_POSITION;
}
