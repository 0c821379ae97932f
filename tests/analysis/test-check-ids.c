/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The set of ids that `check` looks references up in, against a hash table. */

#include "config.h"

#include "tsr-check-ids.h"

#include <glib.h>

static void
test_ids (void)
{
  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (GHashTable) naive = g_hash_table_new (NULL, NULL);
      TsrIdSet set;
      guint n = (guint)g_test_rand_int_range (0, 200);
      guint doubles = 0;
      gint64 smaller = 0;
      int id = 0;

      tsr_id_set_init (&set);
      for (guint i = 0; i < n; i++)
        {
          /* One after the other; anyhow; a few in order from anywhere. */
          if (round % 3 == 0)
            id = (int)i;
          else if (round % 3 == 1 || id == 199 || g_test_rand_int_range (0, 6) == 0)
            id = g_test_rand_int_range (-100, 100);
          else
            id++;
          doubles += g_hash_table_add (naive, GINT_TO_POINTER (id)) ? 0 : 1;
          tsr_id_set_add (&set, id);
        }
      g_assert_cmpuint (tsr_id_set_seal (&set), ==, doubles);
      g_assert_cmpuint (set.n_ids, ==, g_hash_table_size (naive));
      for (id = -102; id < 210; id++)
        {
          gboolean there = g_hash_table_contains (naive, GINT_TO_POINTER (id));

          g_assert_cmpint (tsr_id_set_contains (&set, id), ==, there);
          g_assert_cmpint (tsr_id_set_index (&set, id), ==, there ? smaller : -1);
          g_assert_cmpuint (tsr_id_set_count (&set, -102, id), ==, (guint64)smaller);
          g_assert_cmpuint (tsr_id_set_count (&set, id, 210), ==, set.n_ids - (guint64)smaller);
          if (there)
            g_assert_cmpint (tsr_id_set_get (&set, (guint64)smaller), ==, id);
          smaller += there ? 1 : 0;
        }
      g_assert_cmpint (tsr_id_set_get (&set, set.n_ids), ==, -1);
      tsr_id_set_clear (&set);
    }
}

static void
test_ids_extremes (void)
{
  TsrIdSet set;

  tsr_id_set_init (&set);
  tsr_id_set_add (&set, G_MAXINT64);
  tsr_id_set_add (&set, G_MININT64);
  tsr_id_set_add (&set, G_MAXINT64 - 1);
  tsr_id_set_add (&set, G_MAXINT64);
  g_assert_cmpuint (tsr_id_set_seal (&set), ==, 1);
  g_assert_cmpuint (set.n_ids, ==, 3);
  g_assert_cmpint (tsr_id_set_index (&set, G_MAXINT64), ==, 2);
  g_assert_cmpint (tsr_id_set_last (&set), ==, G_MAXINT64);
  g_assert_cmpuint (tsr_id_set_count (&set, G_MININT64, G_MAXINT64), ==, 2);
  g_assert_cmpuint (tsr_id_set_count (&set, G_MININT64, G_MININT64), ==, 0);
  g_assert_cmpint (tsr_id_set_get (&set, 1), ==, G_MAXINT64 - 1);
  tsr_id_set_clear (&set);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/check/ids/naive", test_ids);
  g_test_add_func ("/check/ids/extremes", test_ids_extremes);
  return g_test_run ();
}
