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

/* What was read twice is told once, and what came only the second time beside it. */
static void
test_merge_new (void)
{
  g_autoptr (TsrDiagnostics) first = tsr_diagnostics_new ();
  g_autoptr (TsrDiagnostics) second = tsr_diagnostics_new ();
  g_autoptr (TsrDiagnostics) list = tsr_diagnostics_new ();
  const guint n = TSR_DIAGNOSTICS_KEPT + 5;

  for (guint i = 0; i < n; i++)
    {
      tsr_diagnostics_add (first, TSR_SEVERITY_ERROR, "bad", "profile.pop", "steps", i, TSR_NO_ROW,
                           "%u", i);
      tsr_diagnostics_add (second, TSR_SEVERITY_ERROR, "bad", "profile.pop", "steps", i, TSR_NO_ROW,
                           "%u", i);
    }
  for (guint i = 0; i < 3; i++)
    tsr_diagnostics_add (second, TSR_SEVERITY_ERROR, "bad", "profile.pop", "steps", 1000 + i,
                         TSR_NO_ROW, "more");
  tsr_diagnostics_add (second, TSR_SEVERITY_WARNING, "bad", "profile.pop", "runs", 1, TSR_NO_ROW,
                       "1");
  tsr_diagnostics_merge (list, first);
  tsr_diagnostics_merge_new (list, second, first);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (list), ==, n + 4);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (list), ==, n + 3);
  tsr_diagnostics_merge_new (list, second, second);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (list), ==, n + 4);
}

/* A reader that counts what is not kept ends with the same list as one that adds it all. */
static void
test_tally (void)
{
  static const char *const codes[] = { "one", "two", "three" };
  g_autoptr (TsrDiagnostics) all = tsr_diagnostics_new ();
  g_autoptr (TsrDiagnostics) list = tsr_diagnostics_new ();
  TsrDiagnosticTally tally = { 0 };
  guint n_texts = 0;

  for (guint i = 0; i < 1000; i++)
    {
      const char *code = codes[i % 3];
      TsrSeverity severity = i % 3 == 1 ? TSR_SEVERITY_WARNING : TSR_SEVERITY_ERROR;

      tsr_diagnostics_add (all, severity, code, "profile.pop", "steps", i, TSR_NO_ROW, "%u", i);
      if (!tsr_diagnostic_tally_count (&tally, severity, code))
        continue;
      tsr_diagnostics_add (list, severity, code, "profile.pop", "steps", i, TSR_NO_ROW, "%u", i);
      n_texts++;
    }
  tsr_diagnostic_tally_flush (&tally, list, "profile.pop", "steps");
  tsr_diagnostic_tally_flush (&tally, list, "profile.pop", "steps");
  g_assert_cmpuint (n_texts, ==, 3 * TSR_DIAGNOSTICS_KEPT);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (list), ==, 1000);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (list), ==, tsr_diagnostics_get_n_errors (all));
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (list), ==, tsr_diagnostics_get_n_kept (all));
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (all); i++)
    {
      g_assert_cmpint (tsr_diagnostics_get (list, i)->row, ==, tsr_diagnostics_get (all, i)->row);
      g_assert_cmpuint (tsr_diagnostics_get_dropped (list, i), ==,
                        tsr_diagnostics_get_dropped (all, i));
    }
}

/* More kinds than it has room for are added as ever. */
static void
test_tally_many_kinds (void)
{
  static const char *const codes[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };
  TsrDiagnosticTally tally = { 0 };

  for (guint i = 0; i < 100; i++)
    for (guint k = 0; k < G_N_ELEMENTS (codes); k++)
      g_assert_true (tsr_diagnostic_tally_count (&tally, TSR_SEVERITY_ERROR, codes[k])
                     == (k >= 8 || i < TSR_DIAGNOSTICS_KEPT));
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

/* Many files or members, each broken in its own way, cost no more than a bounded list. */
static void
test_many_kinds (void)
{
  g_autoptr (TsrDiagnostics) list = tsr_diagnostics_new ();
  const TsrDiagnostic *last;
  guint64 shown = 0;

  for (guint i = 0; i < 50000; i++)
    {
      g_autofree char *member = g_strdup_printf ("tile_%u\xff.elf", i);

      tsr_diagnostics_add (list, TSR_SEVERITY_ERROR, "not-elf", "archive.a", member, TSR_NO_ROW, i,
                           "no ELF file");
    }
  g_assert_cmpuint (tsr_diagnostics_get_n_total (list), ==, 50000);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (list), ==, 50000);
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (list), <, 5000);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (list); i++)
    {
      g_autofree char *line = tsr_diagnostic_dup_line (tsr_diagnostics_get (list, i));

      g_assert_true (g_utf8_validate (line, -1, NULL));
      shown += 1 + tsr_diagnostics_get_dropped (list, i);
    }
  g_assert_cmpuint (shown, ==, 50000);
  last = tsr_diagnostics_get (list, tsr_diagnostics_get_n_kept (list) - 1);
  g_assert_cmpstr (last->code, ==, "too-many-kinds");
}

static gpointer
add_some (gpointer data)
{
  for (int i = 0; i < 1000; i++)
    tsr_diagnostics_add (data, TSR_SEVERITY_WARNING, "a", "f", NULL, i, TSR_NO_ROW, "text");
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (TsrDiagnostics) list = tsr_diagnostics_new ();
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("adds", add_some, list);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (list), ==, 4000);
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (list), ==, TSR_DIAGNOSTICS_KEPT);
}

static void
test_tells (void)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();

  g_assert_false (tsr_diagnostics_tells (diagnostics, "a", "x"));
  tsr_diagnostics_add (diagnostics, TSR_SEVERITY_ERROR, "c", "a", "t", 1, 2, "left out: %s", "bad");
  g_assert_true (tsr_diagnostics_tells (diagnostics, "a", "bad"));
  g_assert_false (tsr_diagnostics_tells (diagnostics, "a", "worse"));
  g_assert_false (tsr_diagnostics_tells (diagnostics, "b", "bad"));
  g_assert_false (tsr_diagnostics_tells (diagnostics, NULL, "bad"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagnostics/kept-and-dropped", test_kept_and_dropped);
  g_test_add_func ("/diagnostics/merge-new", test_merge_new);
  g_test_add_func ("/diagnostics/tally", test_tally);
  g_test_add_func ("/diagnostics/tally-many-kinds", test_tally_many_kinds);
  g_test_add_func ("/diagnostics/line", test_line);
  g_test_add_func ("/diagnostics/tells", test_tells);
  g_test_add_func ("/diagnostics/many-kinds", test_many_kinds);
  g_test_add_func ("/diagnostics/threads", test_threads);
  return g_test_run ();
}
