/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What holds for the rows of every table, for the tests that ask for one: each cell of the first
 * ones can be written, rows have keys of their own, and titles begin like those of all tables. */

#pragma once

#include "tsr-rows-print.h"

static inline void
rows_check (TsrRows *rows)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (rows == NULL)
    return;
  for (guint column = 0; column < tsr_rows_get_n_columns (rows); column++)
    {
      const TsrRowColumn *info = tsr_rows_get_column (rows, column);

      g_assert_false (g_ascii_islower (*info->title));
      g_assert_true (info->key == NULL || tsr_rows_find_column (rows, info->key) <= (int)column);
    }
  for (guint32 row = 0; row < MIN (tsr_rows_get_n (rows), 200); row++)
    {
      char *key = tsr_rows_dup_key (rows, row);
      g_autofree char *whole = tsr_rows_get_end (rows, row) == row + 1
                                   ? tsr_rows_dup_whole (rows, row)
                                   : g_strdup ("");

      g_assert_true (key == NULL || g_hash_table_add (keys, key));
      g_assert_nonnull (whole);
      g_assert_cmpuint (tsr_rows_get_end (rows, row), >, row);
      g_assert_cmpuint (tsr_rows_get_end (rows, row), <=, tsr_rows_get_n (rows));
      for (guint column = 0; column < tsr_rows_get_n_columns (rows); column++)
        {
          g_autofree char *text = tsr_rows_dup_text (rows, row, column, TSR_UNITS_BINARY);

          g_assert_true (g_utf8_validate (text, -1, NULL));
        }
    }
}
