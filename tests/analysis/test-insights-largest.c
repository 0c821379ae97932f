/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The largest vertices, exchanges, variables and steps against SQL on the file; findings as
 * Markdown. */

#include "config.h"

#include "insights-report.h"

#include <string.h>

/* ----------------------------------------------------------------- largest */

static const TsrLargest *
get_largest (const AnalysisReport *opened,
             TsrLargestKind kind,
             const char *scope,
             gboolean always_live)
{
  GPtrArray *list = tsr_insights_peek_largest (opened->insights);

  for (guint i = 0; i < list->len; i++)
    {
      const TsrLargest *one = g_ptr_array_index (list, i);

      if (one->kind == kind && g_str_equal (one->scope, scope) && one->always_live == always_live)
        return one;
    }
  return NULL;
}

/* More IPUs than any system has: the lists stop, and say so. */
static void
test_many_ipus (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  GPtrArray *list;
  gboolean said = FALSE;

  insights_report_open (
      &opened, "demo",
      "UPDATE target SET tiles_per_ipu = 1, ipus_per_replica = 2944, num_ipus = 2944");
  g_assert_cmpuint (tsr_memory_get_n_ipus (opened.memory), ==, 2944);
  g_assert_nonnull (get_largest (&opened, TSR_LARGEST_STEP, "ipu255", FALSE));
  g_assert_null (get_largest (&opened, TSR_LARGEST_STEP, "ipu256", FALSE));
  g_assert_cmpint (get_largest (&opened, TSR_LARGEST_STEP, "ipu7", FALSE)->bytes, ==,
                   tsr_test_ask (opened.folder,
                                 "SELECT always_live + not_always_live FROM memory_by_tile "
                                 "WHERE tile = 7"));
  list = tsr_insights_peek_not_checked (opened.insights);
  for (guint i = 0; i < list->len; i++)
    {
      const TsrUnfired *unfired = g_ptr_array_index (list, i);

      if (!g_str_equal (unfired->rule, "largest-of-ipus"))
        continue;
      g_assert_nonnull (strstr (unfired->text, "first 256 of 2944"));
      said = TRUE;
    }
  g_assert_true (said);
}

/* What is named is in the file, with that many bytes in the tiles of its scope. */
static void
check_one (const AnalysisReport *opened, const TsrLargest *one)
{
  gint64 per_ipu = tsr_test_ask (opened->folder, "SELECT tiles_per_ipu FROM target");
  gint64 index = g_ascii_strtoll (one->scope + strcspn (one->scope, "0123456789"), NULL, 10);
  gint64 first = 0, end = G_MAXINT32;
  g_autoptr (GPtrArray) rows = NULL;

  if (g_str_has_prefix (one->scope, "ipu"))
    {
      first = index * per_ipu;
      end = first + per_ipu;
    }
  else if (g_str_has_prefix (one->scope, "tile"))
    {
      first = index;
      end = index + 1;
    }
  if (one->kind == TSR_LARGEST_STEP)
    {
      rows = tsr_test_ask_rows (opened->folder,
                                "SELECT name FROM programs p JOIN liveness_steps s ON s.program = "
                                "p.id WHERE s.step = %u",
                                one->step);
      g_assert_cmpstr (((GStrv)rows->pdata[0])[0], ==, one->name);
    }
  else if (one->kind == TSR_LARGEST_VARIABLE && one->always_live
           && tsr_test_ask (opened->folder, "SELECT count(*) FROM variables WHERE name = '%s'",
                            one->name)
                  > 0)
    g_assert_cmpint (
        one->bytes, ==,
        tsr_test_ask (
            opened->folder,
            "SELECT sum (size_bytes) FROM vars_info i WHERE tile >= %d AND tile < %d AND"
            " variable = (SELECT id FROM variables WHERE name = '%s') AND always_live = 1",
            (int)first, (int)end, one->name));
}

static void
test_largest (gconstpointer preset)
{
  g_auto (AnalysisReport) opened = { 0 };
  GPtrArray *list;
  guint same = 0;
  g_autofree char *tile = NULL;

  insights_report_open (&opened, preset, NULL);
  list = tsr_insights_peek_largest (opened.insights);
  g_assert_cmpint (
      get_largest (&opened, TSR_LARGEST_VERTEX_CODE, "replica", FALSE)->bytes, ==,
      tsr_test_ask (opened.folder,
                    "SELECT max(total) FROM vertex_types t JOIN tile_arrays a ON a.id = "
                    "t.code_bytes_by_tile"));
  g_assert_cmpint (
      get_largest (&opened, TSR_LARGEST_VERTEX_STATE, "replica", FALSE)->bytes, ==,
      tsr_test_ask (opened.folder,
                    "SELECT max(s) FROM (SELECT sum(count) * size_bytes s FROM "
                    "compute_set_vertices v JOIN vertex_types t ON t.id = v.vertex_type "
                    "GROUP BY t.id)"));
  g_assert_nonnull (get_largest (&opened, TSR_LARGEST_VERTEX_STATE, "replica", FALSE)->used_in[0]);
  g_assert_cmpint (get_largest (&opened, TSR_LARGEST_EXCHANGE, "replica", FALSE)->bytes, ==,
                   tsr_test_ask (opened.folder,
                                 "SELECT max(total) FROM programs p JOIN tile_arrays a ON a.id = "
                                 "p.code_bytes_by_tile"));
  g_assert_cmpint (
      get_largest (&opened, TSR_LARGEST_VARIABLE, "replica", TRUE)->bytes, ==,
      tsr_test_ask (opened.folder,
                    "SELECT max(s) FROM (SELECT sum(i.size_bytes) s FROM vars_info i JOIN "
                    "variables v ON v.id = i.variable WHERE i.always_live = 1 AND v.category IN "
                    "(SELECT id FROM var_categories WHERE name IN ('variable', 'constant')) "
                    "GROUP BY v.id)"));
  g_assert_cmpint (get_largest (&opened, TSR_LARGEST_STEP, "replica", FALSE)->bytes, ==,
                   tsr_test_ask (opened.folder,
                                 "SELECT (SELECT sum(always_live) FROM memory_by_tile) + "
                                 "max(not_always_live_bytes) FROM liveness_steps"));
  tile = g_strdup_printf ("tile%d", (int)tsr_test_ask (opened.folder,
                                                       "SELECT tile FROM memory_by_tile ORDER BY "
                                                       "including_gaps DESC, tile LIMIT 1"));
  g_assert_nonnull (get_largest (&opened, TSR_LARGEST_VARIABLE, tile, TRUE));
  g_assert_cmpint (
      get_largest (&opened, TSR_LARGEST_STEP, tile, FALSE)->bytes, ==,
      tsr_test_ask (opened.folder,
                    "SELECT always_live + not_always_live FROM memory_by_tile ORDER BY "
                    "including_gaps DESC, tile LIMIT 1"));
  for (guint i = 0; i < list->len; i++)
    check_one (&opened, g_ptr_array_index (list, i));
  for (guint i = 1; i < list->len; i++)
    {
      const TsrLargest *one = g_ptr_array_index (list, i);
      const TsrLargest *before = g_ptr_array_index (list, i - 1);

      same = g_str_equal (one->scope, before->scope) && one->kind == before->kind
                     && one->always_live == before->always_live
                 ? same + 1
                 : 0;
      g_assert_cmpuint (same, <, 5);
      if (same > 0)
        g_assert_cmpint (one->bytes, <=, before->bytes);
    }
}

/* Peaks by what a peak is: the graph falls by a fiftieth of the highest on the way to anything
 * higher, or earlier and as high. */
static gboolean
is_peak (const gint64 *bytes, guint n, guint step)
{
  gint64 highest = 0, fall;

  for (guint k = 0; k < n; k++)
    highest = MAX (highest, bytes[k]);
  fall = (highest + 49) / 50;
  for (guint k = 0; k < n; k++)
    if (bytes[k] > bytes[step] || (k < step && bytes[k] == bytes[step]))
      {
        gint64 least = bytes[step];

        for (guint between = MIN (k, step); between <= MAX (k, step); between++)
          least = MIN (least, bytes[between]);
        if (bytes[step] - least < fall)
          return FALSE;
      }
  return bytes[step] > 0;
}

/* Peaks of one program are one row: its highest, with their number. */
static void
test_repeats (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  GPtrArray *list;
  gint64 bytes[199], program[199];
  guint n = 0, n_folded = 0;

  insights_report_open (&opened, "demo",
                        "UPDATE liveness_steps SET program = (SELECT program FROM liveness_steps "
                        "WHERE step = 43) WHERE step BETWEEN 36 AND 60;"
                        "UPDATE liveness_steps SET program = (SELECT program FROM liveness_steps "
                        "WHERE step = 84) WHERE step IN (93, 96)");
  g_assert_cmpint (tsr_test_ask (opened.folder, "SELECT count(*) FROM liveness_steps"), ==,
                   G_N_ELEMENTS (bytes));
  for (guint k = 0; k < G_N_ELEMENTS (bytes); k++)
    {
      bytes[k] = tsr_test_ask (
          opened.folder, "SELECT not_always_live_bytes FROM liveness_steps WHERE step = %u", k);
      program[k]
          = tsr_test_ask (opened.folder, "SELECT program FROM liveness_steps WHERE step = %u", k);
    }
  list = tsr_insights_peek_largest (opened.insights);
  for (guint i = 0; i < list->len; i++)
    {
      const TsrLargest *one = g_ptr_array_index (list, i);
      guint repeats = 0;

      if (one->kind != TSR_LARGEST_STEP || !g_str_equal (one->scope, "replica"))
        continue;
      for (guint k = 0; k < G_N_ELEMENTS (bytes); k++)
        if (program[k] == program[one->step] && is_peak (bytes, G_N_ELEMENTS (bytes), k))
          {
            repeats++;
            g_assert_true (bytes[k] < bytes[one->step]
                           || (bytes[k] == bytes[one->step] && k >= one->step));
          }
      g_assert_cmpuint (one->n_peaks, ==, repeats);
      n_folded += repeats > 1;
      n++;
    }
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpuint (n_folded, ==, 2);
}

/* ---------------------------------------------------------------- markdown */

static void
test_markdown (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  GPtrArray *findings;
  TsrFinding hostile = { 0 };
  const TsrEvidence evidence = { (char *)"a|b\n*c*<i>", 2048, TSR_UNKNOWN, 0.5 };
  g_autofree char *text = NULL;

  insights_report_open (&opened, "oom", NULL);
  findings = tsr_insights_peek_findings (opened.insights);
  for (guint i = 0; i < findings->len; i++)
    {
      const TsrFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *markdown
          = tsr_finding_dup_markdown (finding, "/tmp/it's here", TSR_UNITS_BINARY);

      g_assert_true (g_str_has_prefix (markdown, "### "));
      g_assert_nonnull (strstr (markdown, "\n    tessera-cli insights '/tmp/it'\\''s here'\n"));
      if (finding->evidence->len > 0)
        g_assert_nonnull (strstr (markdown, "| --- | ---: | ---: |"));
    }
  hostile.title = (char *)"t\n# h";
  hostile.text = (char *)"x";
  hostile.action = (char *)"y";
  hostile.bytes = hostile.bytes_worst_tile = TSR_UNKNOWN;
  hostile.evidence = g_array_new (FALSE, FALSE, sizeof (TsrEvidence));
  g_array_append_val (hostile.evidence, evidence);
  text = tsr_finding_dup_markdown (&hostile, "r\n# evil", TSR_UNITS_BINARY);
  g_assert_nonnull (strstr (text, "### t \\# h\n"));
  g_assert_nonnull (strstr (text, "| a\\|b \\*c\\*\\<i\\> | 2.00 KiB | 50.0 % |"));
  g_assert_null (strstr (text, "\n# evil"));
  g_array_unref (hostile.evidence);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/insights/largest/tiny", "tiny", test_largest);
  g_test_add_data_func ("/insights/largest/demo", "demo", test_largest);
  g_test_add_func ("/insights/largest/many-ipus", test_many_ipus);
  g_test_add_func ("/insights/largest/repeats", test_repeats);
  g_test_add_func ("/insights/markdown", test_markdown);
  return g_test_run ();
}
