/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A list model over the children of one row of a table. */

#include "config.h"

#include "tsr-table-level.h"

struct _TsrTableItem
{
  GObject parent_instance;

  TsrTable *table;
  guint row;
};

G_DEFINE_FINAL_TYPE (TsrTableItem, tsr_table_item, G_TYPE_OBJECT)

static void
tsr_table_item_finalize (GObject *object)
{
  tsr_table_unref (TSR_TABLE_ITEM (object)->table);
  G_OBJECT_CLASS (tsr_table_item_parent_class)->finalize (object);
}

static void
tsr_table_item_class_init (TsrTableItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_table_item_finalize;
}

static void
tsr_table_item_init (TsrTableItem *self)
{
}

TsrTable *
tsr_table_item_get_table (TsrTableItem *self)
{
  g_return_val_if_fail (TSR_IS_TABLE_ITEM (self), NULL);
  return self->table;
}

guint
tsr_table_item_get_row (TsrTableItem *self)
{
  g_return_val_if_fail (TSR_IS_TABLE_ITEM (self), 0);
  return self->row;
}

struct _TsrTableLevel
{
  GObject parent_instance;

  TsrTable *table;
  GArray *rows; /* int: row of the table at each position */
};

static void level_list_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TsrTableLevel,
                               tsr_table_level,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, level_list_init))

static GType
level_get_item_type (GListModel *list)
{
  return TSR_TYPE_TABLE_ITEM;
}

static guint
level_get_n_items (GListModel *list)
{
  return TSR_TABLE_LEVEL (list)->rows->len;
}

static gpointer
level_get_item (GListModel *list, guint position)
{
  TsrTableLevel *self = TSR_TABLE_LEVEL (list);
  TsrTableItem *item;

  if (position >= self->rows->len)
    return NULL;
  item = g_object_new (TSR_TYPE_TABLE_ITEM, NULL);
  item->table = tsr_table_ref (self->table);
  item->row = g_array_index (self->rows, int, position);
  return item;
}

static void
level_list_init (GListModelInterface *iface)
{
  iface->get_item_type = level_get_item_type;
  iface->get_n_items = level_get_n_items;
  iface->get_item = level_get_item;
}

static void
tsr_table_level_finalize (GObject *object)
{
  TsrTableLevel *self = TSR_TABLE_LEVEL (object);

  g_clear_pointer (&self->table, tsr_table_unref);
  g_clear_pointer (&self->rows, g_array_unref);
  G_OBJECT_CLASS (tsr_table_level_parent_class)->finalize (object);
}

static void
tsr_table_level_class_init (TsrTableLevelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_table_level_finalize;
}

static void
tsr_table_level_init (TsrTableLevel *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (int));
}

TsrTableLevel *
tsr_table_level_new (TsrTable *table, int parent, int column, gboolean descending)
{
  TsrTableLevel *self = g_object_new (TSR_TYPE_TABLE_LEVEL, NULL);

  tsr_table_level_reset (self, table, parent, column, descending);
  return self;
}

void
tsr_table_level_reset (
    TsrTableLevel *self, TsrTable *table, int parent, int column, gboolean descending)
{
  guint removed;

  g_return_if_fail (TSR_IS_TABLE_LEVEL (self));
  removed = self->rows->len;
  g_array_unref (self->rows);
  if (table != NULL)
    {
      tsr_table_ref (table);
      self->rows = tsr_table_dup_sorted (table, parent, column, descending);
    }
  else
    self->rows = g_array_new (FALSE, FALSE, sizeof (int));
  g_clear_pointer (&self->table, tsr_table_unref);
  self->table = table;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, removed, self->rows->len);
}

gboolean
tsr_table_level_refresh (
    TsrTableLevel *self, TsrTable *table, int parent, int column, gboolean descending)
{
  g_autoptr (GArray) rows = NULL;

  g_return_val_if_fail (TSR_IS_TABLE_LEVEL (self) && table != NULL, FALSE);
  rows = tsr_table_dup_sorted (table, parent, column, descending);
  if (rows->len != self->rows->len
      || memcmp (rows->data, self->rows->data, rows->len * sizeof (int)) != 0)
    return FALSE;
  tsr_table_ref (table);
  g_clear_pointer (&self->table, tsr_table_unref);
  self->table = table;
  return TRUE;
}
