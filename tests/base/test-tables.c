/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The small containers that hold a report's tables, and the progress of filling them. */

#include "config.h"

#include "tsr-column.h"
#include "tsr-progress.h"
#include "tsr-string-table.h"

#include <string.h>

static void
test_column (void)
{
  g_auto (TsrColumn) column = { 0 };
  gint64 *kept;

  for (gint64 i = 0; i < 100000; i++)
    tsr_column_append (&column, i * i);
  g_assert_cmpuint (column.length, ==, 100000);
  for (gint64 i = 0; i < 100000; i++)
    g_assert_cmpint (column.values[i], ==, i * i);

  g_assert_true (tsr_column_reserve (&column, 5000));
  kept = column.values;
  for (int i = 0; i < 5000; i++)
    tsr_column_append (&column, -i);
  g_assert_true (column.values == kept);
}

static void
test_column_limit (void)
{
  g_auto (TsrColumn) column = { 0 };

  tsr_column_append (&column, 7);
  g_assert_false (tsr_column_reserve (&column, G_MAXSIZE));
  g_assert_false (tsr_column_reserve (&column, G_MAXSIZE / sizeof (gint64)));
  g_assert_false (tsr_column_reserve (&column, G_MAXSIZE / sizeof (gint64) - 1));
  g_assert_cmpuint (column.length, ==, 1);
  g_assert_cmpint (column.values[0], ==, 7);
  tsr_column_clear (&column);
  g_assert_cmpuint (column.capacity, ==, 0);
}

static void
test_strings (void)
{
  g_autoptr (TsrStringTable) table = tsr_string_table_new ();
  g_autofree char *long_text = g_strnfill (5000, 'x');

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *text = g_strdup_printf ("layer%u/conv", i % 10000);

      g_assert_cmpuint (tsr_string_table_intern (table, text, -1), ==, i % 10000);
    }
  g_assert_cmpuint (tsr_string_table_get_length (table), ==, 10000);
  g_assert_cmpstr (tsr_string_table_get (table, 77), ==, "layer77/conv");
  g_assert_cmpuint (tsr_string_table_find (table, "layer9999/conv"), ==, 9999);
  g_assert_cmpuint (tsr_string_table_find (table, "layer"), ==, TSR_NO_STRING);
  g_assert_cmpuint (tsr_string_table_find (table, NULL), ==, TSR_NO_STRING);
  g_assert_null (tsr_string_table_get (table, 10000));
  g_assert_null (tsr_string_table_get (table, TSR_NO_STRING));

  g_assert_cmpuint (tsr_string_table_intern (table, NULL, -1), ==, TSR_NO_STRING);
  g_assert_cmpuint (tsr_string_table_intern (table, "layer5/convolution", 11), ==, 5);
  g_assert_cmpuint (tsr_string_table_intern (table, "", -1), ==, 10000);
  g_assert_cmpuint (tsr_string_table_intern (table, long_text, -1), ==, 10001);
  g_assert_cmpuint (tsr_string_table_intern (table, long_text, 5000), ==, 10001);
  for (gsize length = 254; length <= 257; length++)
    {
      guint32 index = tsr_string_table_intern (table, long_text, length);

      g_assert_cmpuint (strlen (tsr_string_table_get (table, index)), ==, length);
    }
}

/* Whatever the bytes, what comes out can be shown. */
static void
test_strings_of_any_bytes (void)
{
  g_autoptr (TsrStringTable) table = tsr_string_table_new ();
  char bytes[300];
  guint32 with_nul = tsr_string_table_intern (table, "a\0b", 3);

  g_assert_cmpstr (tsr_string_table_get (table, with_nul), !=, "a");
  g_assert_true (g_utf8_validate (tsr_string_table_get (table, with_nul), -1, NULL));
  for (int i = 0; i < 2000; i++)
    {
      gssize length = g_test_rand_int_range (0, sizeof bytes);
      guint32 index;

      for (gssize k = 0; k < length; k++)
        bytes[k] = g_test_rand_int_range (0, 256);
      index = tsr_string_table_intern (table, bytes, length);
      g_assert_true (g_utf8_validate (tsr_string_table_get (table, index), -1, NULL));
      g_assert_cmpuint (tsr_string_table_intern (table, bytes, length), ==, index);
    }
}

static gpointer
add_many (gpointer data)
{
  for (int i = 0; i < 100000; i++)
    tsr_progress_add_done (data, 1);
  return NULL;
}

static void
test_progress (void)
{
  g_autoptr (TsrProgress) progress = tsr_progress_new ();
  GThread *threads[4];

  g_assert_cmpfloat (tsr_progress_get_fraction (NULL), ==, -1);
  tsr_progress_add_done (NULL, 1);
  tsr_progress_set_done (NULL, 1);
  tsr_progress_set_total (NULL, 1);
  g_assert_cmpfloat (tsr_progress_get_fraction (progress), ==, -1);
  tsr_progress_set_total (progress, 800000);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("adds", add_many, progress);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpfloat (tsr_progress_get_fraction (progress), ==, 0.5);
  tsr_progress_set_done (progress, G_MAXUINT64);
  g_assert_cmpfloat (tsr_progress_get_fraction (progress), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/column/append", test_column);
  g_test_add_func ("/column/limit", test_column_limit);
  g_test_add_func ("/strings/intern", test_strings);
  g_test_add_func ("/strings/any-bytes", test_strings_of_any_bytes);
  g_test_add_func ("/progress/threads", test_progress);
  return g_test_run ();
}
