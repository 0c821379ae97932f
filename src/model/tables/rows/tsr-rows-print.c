/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows as JSON. */

#include "config.h"

#include "tsr-rows-print.h"

void
tsr_rows_write_json (TsrRows *self,
                     TsrRowOrder *order,
                     guint32 first,
                     guint32 end,
                     char *const *keys,
                     TsrJsonWriter *writer)
{
  g_return_if_fail (self != NULL && order != NULL && writer != NULL && end <= order->n);
  for (guint32 i = first; i < end; i++)
    {
      guint32 row = order->rows[i];

      tsr_json_writer_begin_object (writer, NULL);
      if (keys != NULL)
        tsr_json_writer_string (writer, "key", keys[row]);
      if (keys != NULL && tsr_rows_is_tree (self))
        {
          guint32 parent = tsr_rows_get_parent (self, row);

          tsr_json_writer_string (writer, "parent", parent != TSR_NO_INDEX ? keys[parent] : NULL);
        }
      for (guint c = 0; c < tsr_rows_get_n_columns (self); c++)
        {
          const TsrRowColumn *column = tsr_rows_get_column (self, c);
          gint64 value = tsr_rows_get_value (self, row, c);

          if (column->cell == TSR_CELL_KIND_TEXT)
            tsr_json_writer_string (writer, column->key, tsr_rows_get_text (self, row, c));
          else if (column->kind == TSR_VALUE_FRACTION && value != TSR_UNKNOWN)
            tsr_json_writer_double (writer, column->key, (double)value / 1e9);
          else
            tsr_json_writer_int (writer, column->key, value);
        }
      tsr_json_writer_end_object (writer);
    }
}
