/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Columns over somebody's arrays: cells as they are shown and as CSV.  The order of the rows is in
 * tsr-row-order.c. */

#include "config.h"

#include "tsr-rows-private.h"

#include "tsr-json-writer.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define FRACTION_PARTS 1e9

TsrRowColumn *
tsr_row_column_new (const char *key, const char *title, TsrCellKind cell, TsrValueKind kind)
{
  TsrRowColumn *self = g_new0 (TsrRowColumn, 1);

  self->key = g_intern_string (key);
  self->title = g_strdup (title);
  self->cell = cell;
  self->kind = kind;
  self->summed
      = cell == TSR_CELL_KIND_VALUE
        && (kind == TSR_VALUE_BYTES || kind == TSR_VALUE_BYTES_SIGNED || kind == TSR_VALUE_COUNT);
  return self;
}

void
tsr_row_column_free (TsrRowColumn *column)
{
  g_free (column->title);
  g_free (column->definition);
  g_free (column->total);
  g_free (column->total_hint);
  g_free (column);
}

TsrRows *
tsr_rows_new (guint32 n_rows,
              GPtrArray *columns,
              const TsrRowSource *source,
              gpointer data,
              GDestroyNotify free_data)
{
  TsrRows *self = g_new0 (TsrRows, 1);

  g_atomic_ref_count_init (&self->refs);
  self->n_rows = n_rows;
  self->columns = columns;
  self->source = *source;
  self->data = data;
  self->free_data = free_data;
  g_mutex_init (&self->lock);
  self->ranks = g_new0 (guint32 *, columns->len);
  return self;
}

TsrRows *
tsr_rows_ref (TsrRows *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_rows_unref (TsrRows *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < self->columns->len; i++)
    g_free (self->ranks[i]);
  g_free (self->ranks);
  g_mutex_clear (&self->lock);
  g_ptr_array_unref (self->columns);
  if (self->free_data != NULL)
    self->free_data (self->data);
  g_free (self);
}

guint32
tsr_rows_get_n (TsrRows *self)
{
  return self->n_rows;
}

guint
tsr_rows_get_n_columns (TsrRows *self)
{
  return self->columns->len;
}

const TsrRowColumn *
tsr_rows_get_column (TsrRows *self, guint column)
{
  g_return_val_if_fail (column < self->columns->len, NULL);
  return g_ptr_array_index (self->columns, column);
}

gint64
tsr_rows_get_value (TsrRows *self, guint32 row, guint column)
{
  g_return_val_if_fail (row < self->n_rows && column < self->columns->len, TSR_UNKNOWN);
  if (tsr_rows_get_column (self, column)->cell != TSR_CELL_KIND_VALUE)
    return TSR_UNKNOWN;
  return self->source.value (self->data, row, column);
}

const char *
tsr_rows_get_text (TsrRows *self, guint32 row, guint column)
{
  g_return_val_if_fail (row < self->n_rows && column < self->columns->len, NULL);
  if (tsr_rows_get_column (self, column)->cell != TSR_CELL_KIND_TEXT)
    return NULL;
  return self->source.text (self->data, row, column);
}

static double
as_fraction (gint64 parts)
{
  return parts != TSR_UNKNOWN ? (double)parts / FRACTION_PARTS : NAN;
}

char *
tsr_rows_format (TsrRows *self, guint column, gint64 value, TsrUnits units)
{
  const TsrRowColumn *info = tsr_rows_get_column (self, column);

  g_return_val_if_fail (info != NULL, NULL);
  return tsr_value_dup_text (info->kind, value, as_fraction (value), units);
}

char *
tsr_rows_format_exact (TsrRows *self, guint column, gint64 value)
{
  const TsrRowColumn *info = tsr_rows_get_column (self, column);

  g_return_val_if_fail (info != NULL, NULL);
  return tsr_value_dup_exact (info->kind, value, as_fraction (value));
}

static char *
dup_text (TsrRows *self, guint32 row, guint column)
{
  const char *text = tsr_rows_get_text (self, row, column);

  return g_strdup (text != NULL ? text : "–");
}

char *
tsr_rows_dup_text (TsrRows *self, guint32 row, guint column, TsrUnits units)
{
  g_return_val_if_fail (row < self->n_rows && column < self->columns->len, NULL);
  if (tsr_rows_get_column (self, column)->cell == TSR_CELL_KIND_TEXT)
    return dup_text (self, row, column);
  return tsr_rows_format (self, column, tsr_rows_get_value (self, row, column), units);
}

char *
tsr_rows_dup_exact (TsrRows *self, guint32 row, guint column)
{
  g_return_val_if_fail (row < self->n_rows && column < self->columns->len, NULL);
  if (tsr_rows_get_column (self, column)->cell == TSR_CELL_KIND_TEXT)
    return dup_text (self, row, column);
  return tsr_rows_format_exact (self, column, tsr_rows_get_value (self, row, column));
}

/* -------------------------------------------------------------------- CSV */

static char *
dup_csv_value (const TsrRowColumn *info, gint64 value)
{
  if (value == TSR_UNKNOWN)
    return NULL;
  if (info->kind == TSR_VALUE_FRACTION)
    return tsr_number_dup_plain (as_fraction (value));
  return g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

void
tsr_rows_write_csv (TsrRows *self, TsrRowOrder *order, guint32 first, guint32 end, GString *out)
{
  guint n = self->columns->len;
  g_autofree const char **fields = g_new0 (const char *, n);
  g_autofree char **numbers = g_new0 (char *, n);

  g_return_if_fail (order != NULL && end <= order->n);
  for (guint i = 0; i < n; i++)
    fields[i] = tsr_rows_get_column (self, i)->key;
  if (first == 0)
    tsr_csv_append_row (out, n, fields);
  for (guint32 k = first; k < end; k++)
    {
      for (guint i = 0; i < n; i++)
        {
          const TsrRowColumn *info = tsr_rows_get_column (self, i);

          if (info->cell == TSR_CELL_KIND_TEXT)
            fields[i] = tsr_rows_get_text (self, order->rows[k], i);
          else
            fields[i] = numbers[i]
                = dup_csv_value (info, tsr_rows_get_value (self, order->rows[k], i));
        }
      tsr_csv_append_row (out, n, fields);
      for (guint i = 0; i < n; i++)
        g_clear_pointer (&numbers[i], g_free);
    }
}
