/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of diagnostics: what it keeps, what it only counts, how a line reads. */

#include "config.h"

#include "tsr-diagnostics.h"

static void
test_kept_and_dropped (void)
{
  g_autoptr (TsrDiagnostics) list = tsr_diagnostics_new ();
  g_autoptr (TsrDiagnostics) copy = tsr_diagnostics_new ();
  const guint n = 1000;

  for (guint i = 0; i < n; i++)
    tsr_diagnostics_add (list, TSR_SEVERITY_ERROR, "value-out-of-range", "profile.pop", "steps", i,
                         TSR_NO_ROW, "id %u is too large", i);
  tsr_diagnostics_add (list, TSR_SEVERITY_WARNING, "value-out-of-range", "profile.pop", "programs",
                       7, TSR_NO_ROW, "another table");

  g_assert_cmpuint (tsr_diagnostics_get_n_kept (list), ==, TSR_DIAGNOSTICS_KEPT + 1);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (list), ==, n + 1);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (list), ==, n);
  g_assert_cmpuint (tsr_diagnostics_get_dropped (list, TSR_DIAGNOSTICS_KEPT - 1), ==,
                    n - TSR_DIAGNOSTICS_KEPT);
  g_assert_cmpuint (tsr_diagnostics_get_dropped (list, 0), ==, 0);
  g_assert_cmpint (tsr_diagnostics_get (list, 3)->row, ==, 3);
  g_assert_null (tsr_diagnostics_get (list, TSR_DIAGNOSTICS_KEPT + 1));

  tsr_diagnostics_merge (copy, list);
  tsr_diagnostics_merge (copy, list);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (copy), ==, 2 * (n + 1));
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (copy), ==, 2 * n);
}

static void
test_line (void)
{
  g_autoptr (TsrDiagnostics) list = tsr_diagnostics_new ();
  g_autofree char *line = NULL;
  g_autofree char *bare = NULL;

  tsr_diagnostics_add (list, TSR_SEVERITY_INFO, "a", "profile.pop", "steps", 12, 4096, "x\ny\xff");
  line = tsr_diagnostic_dup_line (tsr_diagnostics_get (list, 0));
  g_assert_cmpstr (line, ==, "profile.pop, steps, row 12, byte 4096: x y\xef\xbf\xbd");
  tsr_diagnostics_add (list, TSR_SEVERITY_INFO, "b", NULL, NULL, TSR_NO_ROW, TSR_NO_ROW, "text");
  bare = tsr_diagnostic_dup_line (tsr_diagnostics_get (list, 1));
  g_assert_cmpstr (bare, ==, "text");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagnostics/kept-and-dropped", test_kept_and_dropped);
  g_test_add_func ("/diagnostics/line", test_line);
  return g_test_run ();
}
