/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Columns over somebody's arrays: cells as they are shown.  The order of the rows is in
 * tsr-row-order.c, the printer in tsr-rows-print.c. */

#include "config.h"

#include "tsr-rows-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define FRACTION_PARTS 1e9

static char *
dup_index (gint64 value)
{
  return value == TSR_UNKNOWN ? g_strdup ("–") : g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

char *
tsr_value_dup_text (TsrValueKind kind, gint64 value, double fraction, TsrUnits units)
{
  switch (kind)
    {
    case TSR_VALUE_BYTES_SIGNED:
      return tsr_units_dup_bytes_signed (units, value);
    case TSR_VALUE_COUNT:
    case TSR_VALUE_STEP:
      return tsr_units_dup_count (value);
    case TSR_VALUE_FRACTION:
      return tsr_units_dup_percent (fraction, 1);
    case TSR_VALUE_INDEX:
      return dup_index (value);
    case TSR_VALUE_GIGA:
      return tsr_units_dup_giga (value);
    case TSR_VALUE_BYTES:
    default:
      return tsr_units_dup_bytes (units, value);
    }
}

static char *
tsr_value_dup_exact (TsrValueKind kind, gint64 value, double fraction)
{
  if (kind == TSR_VALUE_FRACTION)
    return tsr_units_dup_percent (fraction, 4);
  if (kind == TSR_VALUE_GIGA)
    return tsr_units_dup_count (value);
  return tsr_value_dup_text (kind, value, fraction, TSR_UNITS_BYTES);
}

TsrRowColumn *
tsr_row_column_new (const char *key, const char *title, TsrCellKind cell, TsrValueKind kind)
{
  TsrRowColumn *self = g_new0 (TsrRowColumn, 1);

  self->key = g_intern_string (key);
  self->title = g_strdup (title);
  self->cell = cell;
  self->kind = kind;
  self->whole = TSR_UNKNOWN;
  self->paint = cell == TSR_CELL_KIND_VALUE && kind == TSR_VALUE_FRACTION ? TSR_CELL_BAR
                                                                          : TSR_CELL_NOT_PAINTED;
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
  self->rest = TSR_NO_INDEX;
  self->columns = columns;
  self->source = *source;
  self->data = data;
  self->free_data = free_data;
  g_mutex_init (&self->lock);
  self->ranks = g_new0 (guint32 *, columns->len);
  return self;
}

void
tsr_rows_set_traits (TsrRows *self, const TsrRowTraits *traits)
{
  g_return_if_fail (self != NULL && traits != NULL);
  self->traits = *traits;
}

void
tsr_rows_set_parents (TsrRows *self, guint32 *parents)
{
  g_return_if_fail (self != NULL && self->parents == NULL);
  g_return_if_fail (parents != NULL || self->n_rows == 0);
  self->parents = parents;
  self->depths = g_new (guint32, self->n_rows);
  self->ends = g_new (guint32, self->n_rows);
  for (guint32 row = 0; row < self->n_rows; row++)
    {
      g_assert (parents[row] == TSR_NO_INDEX || parents[row] < row);
      self->depths[row] = parents[row] != TSR_NO_INDEX ? self->depths[parents[row]] + 1 : 0;
      self->ends[row] = row + 1;
    }
  for (guint32 row = self->n_rows; row-- > 0;)
    {
      self->n_groups += self->ends[row] > row + 1;
      if (parents[row] != TSR_NO_INDEX)
        self->ends[parents[row]] = MAX (self->ends[parents[row]], self->ends[row]);
    }
}

void
tsr_rows_set_rest (TsrRows *self, guint32 row)
{
  g_return_if_fail (self != NULL && row < self->n_rows);
  self->rest = row;
}

guint32
tsr_rows_get_rest (TsrRows *self)
{
  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  return self->rest;
}

gboolean
tsr_rows_is_tree (TsrRows *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->parents != NULL;
}

guint32
tsr_rows_get_n_groups (TsrRows *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_groups;
}

guint32
tsr_rows_get_parent (TsrRows *self, guint32 row)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows, TSR_NO_INDEX);
  return self->parents != NULL ? self->parents[row] : TSR_NO_INDEX;
}

guint32
tsr_rows_get_depth (TsrRows *self, guint32 row)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows, 0);
  return self->depths != NULL ? self->depths[row] : 0;
}

guint32
tsr_rows_get_end (TsrRows *self, guint32 row)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows, row);
  return self->ends != NULL ? self->ends[row] : row + 1;
}

char *
tsr_rows_dup_key (TsrRows *self, guint32 row)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows, NULL);
  return self->traits.dup_key != NULL ? self->traits.dup_key (self->data, row) : NULL;
}

gboolean
tsr_rows_is_heading (TsrRows *self, guint32 row)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows, FALSE);
  return self->traits.is_heading != NULL && self->traits.is_heading (self->data, row);
}

const char *
tsr_rows_get_definition (TsrRows *self, guint32 row)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows, NULL);
  return self->traits.definition != NULL ? self->traits.definition (self->data, row) : NULL;
}

const char *
tsr_rows_get_suffix (TsrRows *self, guint32 row)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows, NULL);
  return self->traits.suffix != NULL ? self->traits.suffix (self->data, row) : NULL;
}

TsrRows *
tsr_rows_ref (TsrRows *self)
{
  g_return_val_if_fail (self != NULL, NULL);
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
  g_free (self->parents);
  g_free (self->depths);
  g_free (self->ends);
  g_mutex_clear (&self->lock);
  g_ptr_array_unref (self->columns);
  if (self->free_data != NULL)
    self->free_data (self->data);
  g_free (self);
}

guint32
tsr_rows_get_n (TsrRows *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_rows;
}

guint
tsr_rows_get_n_columns (TsrRows *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->columns->len;
}

const TsrRowColumn *
tsr_rows_get_column (TsrRows *self, guint column)
{
  g_return_val_if_fail (self != NULL && column < self->columns->len, NULL);
  return g_ptr_array_index (self->columns, column);
}

int
tsr_rows_find_column (TsrRows *self, const char *key)
{
  g_return_val_if_fail (self != NULL, -1);
  for (guint i = 0; key != NULL && i < self->columns->len; i++)
    if (g_strcmp0 (tsr_rows_get_column (self, i)->key, key) == 0)
      return (int)i;
  return -1;
}

gint64
tsr_rows_get_value_of (TsrRows *self, guint32 row, const char *key)
{
  int column = tsr_rows_find_column (self, key);

  return column >= 0 ? tsr_rows_get_value (self, row, (guint)column) : TSR_UNKNOWN;
}

gint64
tsr_rows_get_value (TsrRows *self, guint32 row, guint column)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows && column < self->columns->len,
                        TSR_UNKNOWN);
  if (tsr_rows_get_column (self, column)->cell != TSR_CELL_KIND_VALUE)
    return TSR_UNKNOWN;
  return self->source.value (self->data, row, column);
}

const char *
tsr_rows_get_text (TsrRows *self, guint32 row, guint column)
{
  g_return_val_if_fail (self != NULL && row < self->n_rows && column < self->columns->len, NULL);
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
  const TsrRowColumn *info;

  g_return_val_if_fail (self != NULL, NULL);
  info = tsr_rows_get_column (self, column);
  g_return_val_if_fail (info != NULL, NULL);
  return tsr_value_dup_text (info->kind, value, as_fraction (value), units);
}

char *
tsr_rows_format_exact (TsrRows *self, guint column, gint64 value)
{
  const TsrRowColumn *info;

  g_return_val_if_fail (self != NULL, NULL);
  info = tsr_rows_get_column (self, column);
  g_return_val_if_fail (info != NULL, NULL);
  return tsr_value_dup_exact (info->kind, value, as_fraction (value));
}

static char *
dup_text (TsrRows *self, guint32 row, guint column)
{
  const char *text = tsr_rows_get_text (self, row, column);

  return g_strdup (text != NULL ? text : "–");
}

static TsrValueKind
get_kind (TsrRows *self, guint32 row, guint column)
{
  return self->traits.kind != NULL ? self->traits.kind (self->data, row, column)
                                   : tsr_rows_get_column (self, column)->kind;
}

char *
tsr_rows_dup_text (TsrRows *self, guint32 row, guint column, TsrUnits units)
{
  gint64 value;

  g_return_val_if_fail (self != NULL && row < self->n_rows && column < self->columns->len, NULL);
  if (tsr_rows_get_column (self, column)->cell == TSR_CELL_KIND_TEXT)
    return dup_text (self, row, column);
  if (tsr_rows_is_heading (self, row))
    return g_strdup ("");
  value = tsr_rows_get_value (self, row, column);
  return tsr_value_dup_text (get_kind (self, row, column), value, as_fraction (value), units);
}

char *
tsr_rows_dup_exact (TsrRows *self, guint32 row, guint column)
{
  gint64 value;

  g_return_val_if_fail (self != NULL && row < self->n_rows && column < self->columns->len, NULL);
  if (tsr_rows_get_column (self, column)->cell == TSR_CELL_KIND_TEXT)
    return dup_text (self, row, column);
  if (tsr_rows_is_heading (self, row))
    return g_strdup ("");
  value = tsr_rows_get_value (self, row, column);
  return tsr_value_dup_exact (get_kind (self, row, column), value, as_fraction (value));
}

double
tsr_rows_get_share (TsrRows *self, guint32 row, guint column)
{
  gint64 value = tsr_rows_get_value (self, row, column);

  if (value == TSR_UNKNOWN || get_kind (self, row, column) != TSR_VALUE_FRACTION
      || tsr_rows_is_heading (self, row))
    return 0;
  return CLAMP (as_fraction (value), 0, 1);
}

char *
tsr_rows_dup_whole (TsrRows *self, guint32 row)
{
  char *whole;
  GString *text;

  g_return_val_if_fail (self != NULL && row < self->n_rows, NULL);
  whole = self->traits.dup_whole != NULL ? self->traits.dup_whole (self->data, row) : NULL;
  if (whole != NULL)
    return whole;
  text = g_string_new (NULL);
  for (guint32 i = row; i < tsr_rows_get_end (self, row); i++)
    {
      const char *separator = ": ";

      g_string_append_printf (
          text, "%s%*s", i > row ? "\n" : "",
          2 * (int)(tsr_rows_get_depth (self, i) - tsr_rows_get_depth (self, row)), "");
      for (guint column = 0; column < self->columns->len; column++)
        {
          g_autofree char *cell = tsr_rows_dup_exact (self, i, column);

          if (column > 0 && *cell == '\0')
            continue;
          g_string_append_printf (text, "%s%s", column > 0 ? separator : "", cell);
          separator = column > 0 ? ", " : separator;
        }
    }
  return g_string_free (text, FALSE);
}
