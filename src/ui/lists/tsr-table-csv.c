/* SPDX-License-Identifier: GPL-3.0-or-later */

/* CSV of rows of a table. */

#include "config.h"

#include "tsr-table-csv.h"

#include <string.h>

static void
append_csv_text (GString *out, const char *text)
{
  if (strpbrk (text, ",\"\n\r") == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, '"');
}

static void
append_csv_row (GString *out, TsrTable *table, guint row)
{
  const TsrTableRow *info = tsr_table_get_row (table, row);

  append_csv_text (out, info->label);
  for (guint i = 0; i < tsr_table_get_n_columns (table); i++)
    {
      gint64 value;

      g_string_append_c (out, ',');
      if (info->heading)
        continue;
      value = tsr_table_get_value (table, row, i);
      if (tsr_table_get_column (table, i)->kind == TSR_VALUE_FRACTION)
        {
          g_autofree char *text = tsr_number_dup_plain (tsr_table_get_fraction (table, row, i));

          g_string_append (out, text);
        }
      else if (value != TSR_UNKNOWN)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, value);
    }
  g_string_append (out, "\r\n");
}

char *
tsr_table_dup_rows_csv (TsrTable *table, const char *label_title, const guint *rows, guint n_rows)
{
  GString *out;

  g_return_val_if_fail (table != NULL && label_title != NULL, NULL);
  out = g_string_new (NULL);
  append_csv_text (out, label_title);
  for (guint i = 0; i < tsr_table_get_n_columns (table); i++)
    {
      g_string_append_c (out, ',');
      append_csv_text (out, tsr_table_get_column (table, i)->title);
    }
  g_string_append (out, "\r\n");
  for (guint i = 0; i < n_rows; i++)
    append_csv_row (out, table, rows[i]);
  return g_string_free (out, FALSE);
}
