/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls a fuzz target with each file of its corpus, one TAP test each: what a fuzzer once found
 * stays found, without a fuzzer. */

#include "config.h"

#include "fuzz.h"

static void
replay (gconstpointer path)
{
  g_autofree char *bytes = NULL;
  g_autofree uint8_t *copy = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  /* Without the NUL behind it, so that ASan sees a step over the end. */
  copy = g_memdup2 (bytes, length);
  g_assert_cmpint (LLVMFuzzerTestOneInput (copy != NULL ? copy : (const uint8_t *)"", length), ==,
                   0);
}

int
main (int argc, char **argv)
{
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GError) error = NULL;
  const char *name;
  guint n = 0;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  dir = g_dir_open (argv[1], 0, &error);
  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *test = g_strconcat ("/", name, NULL);

      g_test_add_data_func_full (test, g_build_filename (argv[1], name, NULL), replay, g_free);
      n++;
    }
  g_assert_cmpuint (n, >, 0);
  return g_test_run ();
}
