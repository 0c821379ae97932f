/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The order of a row view: by a click, by a link, and what another table keeps of it. */

#include "config.h"

#include "tsr-row-view-private.h"

#include <glib/gi18n.h>

static gboolean
is_text (TsrRows *rows, guint column)
{
  return tsr_rows_get_column (rows, column)->cell == TSR_CELL_KIND_TEXT;
}

static void
set_sort (TsrRowView *self, int column, gboolean descending)
{
  if (column == self->sort_column && descending == self->descending)
    return;
  self->sort_column = column;
  self->descending = descending;
  tsr_row_list_show_sort (self->list, column, descending);
  tsr_row_view_arrange (self);
}

static void
sort_by_user (TsrRowView *self, int column, gboolean descending)
{
  if (column == self->sort_column && descending == self->descending)
    return;
  g_clear_pointer (&self->wanted_key, g_free);
  set_sort (self, column, descending);
}

void
tsr_row_view_on_sort_changed (TsrRowList *list, int column, gboolean descending, TsrRowView *self)
{
  if (self->rows == NULL || column >= (int)tsr_rows_get_n_columns (self->rows))
    return;
  /* Largest first is what one looks for. */
  if (column >= 0 && column != self->sort_column && !is_text (self->rows, column))
    descending = TRUE;
  sort_by_user (self, column, descending);
}

void
tsr_row_view_sort_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrRowView *self = TSR_ROW_VIEW (widget);
  int column = g_variant_get_int32 (parameter);

  if (self->rows == NULL || column >= (int)tsr_rows_get_n_columns (self->rows))
    return;
  column = MAX (column, NO_COLUMN);
  if (column == self->sort_column)
    sort_by_user (self, column, !self->descending);
  else
    sort_by_user (self, column, column >= 0 && !is_text (self->rows, column));
}

static int
find_column (TsrRows *rows, const char *key)
{
  for (guint i = 0; key != NULL && i < tsr_rows_get_n_columns (rows); i++)
    if (g_str_equal (tsr_rows_get_column (rows, i)->key, key))
      return i;
  return NO_COLUMN;
}

void
tsr_row_view_adopt_wishes (TsrRowView *self,
                           TsrRows *rows,
                           const char *sort_key,
                           gboolean descending)
{
  g_autofree char *signature = tsr_row_list_dup_signature (rows);
  const char *main_key = tsr_rows_get_column (rows, tsr_row_list_get_main_column (rows))->key;
  gboolean other = self->main_key != NULL && self->main_key != main_key;

  if (g_strcmp0 (signature, self->signature) == 0)
    return;
  g_free (self->signature);
  self->signature = g_steal_pointer (&signature);
  self->main_key = main_key;
  self->first_key = sort_key != NULL ? g_intern_string (sort_key) : NULL;
  self->first_descending = descending;
  if (find_column (rows, self->wanted_key) >= 0)
    {
      sort_key = self->wanted_key;
      descending = self->wanted_descending;
    }
  if (sort_key == NULL && tsr_rows_is_tree (rows))
    {
      if (self->sort_column >= (int)tsr_rows_get_n_columns (rows))
        self->sort_column = NO_COLUMN;
    }
  else
    {
      self->sort_column = find_column (rows, sort_key);
      self->descending = self->sort_column >= 0 && descending;
    }
  if (!other)
    return;
  g_clear_pointer (&self->filter, tsr_filter_unref);
  self->setting = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  self->setting = FALSE;
}

char *
tsr_row_view_dup_sort (TsrRowView *self)
{
  const char *key;

  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  if (self->rows == NULL || self->sort_column < 0)
    return self->wanted_key != NULL
               ? g_strconcat (self->wanted_descending ? "-" : "", self->wanted_key, NULL)
               : NULL;
  key = tsr_rows_get_column (self->rows, self->sort_column)->key;
  if (g_strcmp0 (key, self->first_key) == 0 && self->descending == self->first_descending)
    return NULL;
  return g_strconcat (self->descending ? "-" : "", key, NULL);
}

void
tsr_row_view_set_sort (TsrRowView *self, const char *sort)
{
  const char *key = self->first_key;
  gboolean descending = self->first_descending;

  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  g_clear_pointer (&self->wanted_key, g_free);
  if (sort != NULL)
    {
      self->wanted_descending = descending = *sort == '-';
      key = self->wanted_key = g_strdup (sort + descending);
    }
  if (self->rows != NULL && find_column (self->rows, key) >= 0)
    set_sort (self, find_column (self->rows, key), descending);
}

int
tsr_row_view_get_sort_column (TsrRowView *self, gboolean *descending)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NO_COLUMN);
  if (descending != NULL)
    *descending = self->descending;
  return self->sort_column;
}

void
tsr_row_view_sort_by_column (TsrRowView *self, int column, gboolean descending)
{
  g_return_if_fail (TSR_IS_ROW_VIEW (self));
  if (self->rows == NULL)
    {
      self->sort_column = column;
      self->descending = descending;
    }
  else if (column < (int)tsr_rows_get_n_columns (self->rows))
    sort_by_user (self, column, descending);
}

void
tsr_row_view_update_sort_menu (TsrRowView *self, TsrRows *rows)
{
  g_menu_remove_all (self->sort_menu);
  g_menu_append (self->sort_menu, _ ("As in the report"), "rows.sort(-1)");
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    {
      g_autofree char *action = g_strdup_printf ("rows.sort(%u)", i);

      if (!is_text (rows, i))
        g_menu_append (self->sort_menu, tsr_rows_get_column (rows, i)->title, action);
    }
}

GMenuModel *
tsr_row_view_get_sort_menu (TsrRowView *self)
{
  g_return_val_if_fail (TSR_IS_ROW_VIEW (self), NULL);
  return G_MENU_MODEL (self->sort_menu);
}
