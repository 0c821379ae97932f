/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows over records: the last one is kept, as its cells are asked for one after the other. */

#include "config.h"

#include "tsr-records.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

typedef struct
{
  const TsrField *fields;
  gsize size;
  TsrRecordFunc fill;
  gpointer data;
  guint32 row;     /* whose record it is, or TSR_NO_INDEX */
  gint64 record[]; /* any record is aligned */
} Records;

static gconstpointer
get_field (Records *self, guint32 row, guint column)
{
  if (self->fill == NULL)
    return (const char *)self->data + row * self->size + self->fields[column].offset;
  if (self->row != row)
    {
      memset (self->record, 0, self->size);
      self->fill (self->data, row, self->record);
      self->row = row;
    }
  return (const char *)self->record + self->fields[column].offset;
}

static const char *
get_text (gpointer data, guint32 row, guint column)
{
  return *(const char *const *)get_field (data, row, column);
}

static gint64
get_value (gpointer data, guint32 row, guint column)
{
  const Records *self = data;
  gconstpointer field = get_field (data, row, column);
  double share;

  if (self->fields[column].kind != TSR_FIELD_SHARE)
    return *(const gint64 *)field;
  share = *(const double *)field;
  return isfinite (share) ? (gint64)llround (share * 1e9) : TSR_UNKNOWN;
}

TsrRows *
tsr_records_new (guint32 n_rows,
                 const TsrField *fields,
                 guint n_fields,
                 gsize size,
                 TsrRecordFunc fill,
                 gpointer data)
{
  static const TsrRowSource source = { get_text, get_value };
  static const TsrValueKind kinds[] = { [TSR_FIELD_BYTES] = TSR_VALUE_BYTES,
                                        [TSR_FIELD_COUNT] = TSR_VALUE_COUNT,
                                        [TSR_FIELD_INDEX] = TSR_VALUE_INDEX,
                                        [TSR_FIELD_STEP] = TSR_VALUE_STEP,
                                        [TSR_FIELD_SHARE] = TSR_VALUE_FRACTION };
  GPtrArray *columns;
  Records *self;

  g_return_val_if_fail (fields != NULL || n_fields == 0, NULL);
  columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  self = g_malloc0 (sizeof *self + size);
  *self = (Records){ fields, size, fill, data, TSR_NO_INDEX };
  for (guint i = 0; i < n_fields; i++)
    {
      const TsrField *field = &fields[i];
      gboolean text = field->kind <= TSR_FIELD_JSON;
      TsrRowColumn *column = tsr_row_column_new (
          field->key, field->title != NULL ? _ (field->title) : NULL,
          text ? TSR_CELL_KIND_TEXT : TSR_CELL_KIND_VALUE, kinds[field->kind]);

      column->json = field->kind == TSR_FIELD_JSON;
      column->filtered = field->kind == TSR_FIELD_TEXT;
      g_ptr_array_add (columns, column);
    }
  return tsr_rows_new (n_rows, columns, &source, self, g_free);
}
