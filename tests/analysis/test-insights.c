/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Insights of whole reports: every finding's numbers against SQL on the file and loops over all
 * rows and steps; which rules fire on which report. */

#include "config.h"

#include "insights-report.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- the head */

#define NEED "max (overflowed, including_gaps - (SELECT bytes_per_tile FROM target), 0)"

static void
check_head (const AnalysisReport *opened)
{
  gint64 parts[5];
  gint64 sum = 0;
  guint n = 0;
  const guint *top = tsr_insights_peek_top (opened->insights, &n);
  gint64 needing
      = tsr_test_ask (opened->folder, "SELECT count(*) FROM memory_by_tile WHERE " NEED " > 0");
  const guint *critical;

  g_assert_cmpuint (n, ==, 5);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (
        top[i], ==,
        tsr_test_ask (opened->folder,
                      "SELECT tile FROM memory_by_tile ORDER BY including_gaps DESC, tile "
                      "LIMIT 1 OFFSET %u",
                      i));
  g_assert_cmpint (tsr_insights_get_fit (opened->insights), ==,
                   needing > 0 ? TSR_OUT_OF_MEMORY : TSR_FITS);
  critical = tsr_insights_peek_critical (opened->insights, &n);
  g_assert_cmpuint (n, ==, needing > 0 ? needing : 5);
  g_assert_cmpint (critical[0], ==,
                   tsr_test_ask (opened->folder, "SELECT tile FROM memory_by_tile ORDER BY " NEED
                                                 " DESC, including_gaps DESC, tile LIMIT 1"));
  g_assert_cmpint (tsr_insights_get_including_gaps (opened->insights), ==,
                   tsr_test_ask (opened->folder, "SELECT sum(including_gaps) FROM memory_by_tile"));
  g_assert_cmpint (tsr_insights_get_excluding_gaps (opened->insights), ==,
                   tsr_test_ask (opened->folder, "SELECT sum(excluding_gaps) FROM memory_by_tile"));
  g_assert_cmpint (
      tsr_insights_get_memory_per_replica (opened->insights), ==,
      tsr_test_ask (opened->folder,
                    "SELECT bytes_per_tile * tiles_per_ipu * ipus_per_replica FROM target"));
  tsr_insights_get_worst_parts (opened->insights, parts);
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpint (parts[i], >=, 0);
      sum += parts[i];
    }
  g_assert_cmpint (sum, ==,
                   tsr_test_ask (opened->folder,
                                 "SELECT max(including_gaps, (SELECT bytes_per_tile FROM target)) "
                                 "FROM memory_by_tile WHERE tile = %u",
                                 critical[0]));
}

static void
check_histogram (const AnalysisReport *opened)
{
  guint n_ipus = 0;
  const guint *histogram = tsr_insights_peek_histogram (opened->insights, &n_ipus);

  g_assert_cmpint (n_ipus, ==,
                   tsr_test_ask (opened->folder, "SELECT ipus_per_replica FROM target"));
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    for (guint bin = 0; bin <= TSR_N_BINS; bin++)
      {
        gint64 from, to;
        gint64 expected;

        tsr_insights_get_bin (opened->insights, bin, &from, &to);
        if (bin == TSR_N_BINS)
          expected = tsr_test_ask (opened->folder,
                                   "SELECT count(*) FROM memory_by_tile WHERE " NEED
                                   " > 0 AND tile / (SELECT tiles_per_ipu FROM target) = %u",
                                   ipu);
        else
          expected = tsr_test_ask (opened->folder,
                                   "SELECT count(*) FROM memory_by_tile WHERE " NEED
                                   " = 0 AND including_gaps >= %" G_GINT64_FORMAT
                                   " AND including_gaps < %" G_GINT64_FORMAT
                                   " AND tile / (SELECT tiles_per_ipu FROM target) = %u",
                                   from, bin == TSR_N_BINS - 1 ? to + 1 : to, ipu);
        g_assert_cmpint (histogram[ipu * (TSR_N_BINS + 1) + bin], ==, expected);
        /* What a click on it shows. */
        for (guint t = 0; t < tsr_memory_get_n_tiles (opened->memory); t++)
          if (tsr_memory_get_ipu (opened->memory, t) == ipu)
            expected -= tsr_insights_find_bin (opened->insights, opened->memory, t) == bin;
        g_assert_cmpint (expected, ==, 0);
      }
}

/* Where the bytes of @tile are counted: between the bounds of a bin, a full tile in the last but
 * one, whatever lacks memory in the last. */
static guint
find_bin (const AnalysisReport *opened, guint tile)
{
  const gint64 *fullness
      = tsr_memory_peek (opened->memory, tsr_memory_get_fullness_metric (opened->memory));
  gint64 from, to;
  guint bin = TSR_N_BINS;

  if (fullness == NULL || fullness[tile] == TSR_UNKNOWN)
    return TSR_NO_INDEX;
  if (tsr_memory_get_need (opened->memory, tile) > 0)
    return TSR_N_BINS;
  for (guint i = 0; i < TSR_N_BINS; i++)
    {
      tsr_insights_get_bin (opened->insights, i, &from, &to);
      if (from <= fullness[tile]
          && (fullness[tile] < to || (i == TSR_N_BINS - 1 && fullness[tile] == to)))
        bin = i;
    }
  return bin;
}

/* Random tiles, of which some are not told, at and beside the bounds of bins; one may lack memory
 * however little it holds. */
static void
test_tiles (void)
{
  static const TsrMetric metrics[] = { TSR_METRIC_ALWAYS_LIVE, TSR_METRIC_NOT_ALWAYS_LIVE,
                                       TSR_METRIC_EXCLUDING_GAPS, TSR_METRIC_INCLUDING_GAPS };
  g_autoptr (GRand) rand = g_rand_new_with_seed (22);

  for (guint round = 0; round < 16; round++)
    {
      const gint cap = 4096;
      g_autoptr (GString) sql = g_string_new (NULL);
      g_auto (AnalysisReport) opened = { 0 };
      const guint *critical, *histogram;
      guint n_tiles, n_ipus, n = 0;
      gint64 parts[5], from, to, last = 0;

      if (round % 4 == 3)
        g_string_append (sql, "UPDATE target SET bytes_per_tile = NULL;");
      if (round % 8 == 5)
        g_string_append (sql, "UPDATE memory_by_tile SET including_gaps = NULL;");
      for (guint t = 0; t < 8; t++)
        {
          const gint inc
              = g_rand_int_range (rand, 1, 25) * cap / 24 + g_rand_int_range (rand, -1, 2);
          const gint exc = inc - g_rand_int_range (rand, -1, 9),
                     live = g_rand_int_range (rand, 0, exc - 9);

          g_string_append_printf (
              sql,
              "UPDATE memory_by_tile SET including_gaps = including_gaps * 0 + %d, "
              "excluding_gaps = %d, always_live = %d, not_always_live = %d, overflowed "
              "= %d WHERE tile = %u;",
              inc, exc, live, exc - live - g_rand_int_range (rand, -1, 9),
              round % 2 == 0 && g_rand_int_range (rand, 0, 4) == 0, t);
          if (g_rand_int_range (rand, 0, 9) == 0)
            g_string_append_printf (sql, "UPDATE memory_by_tile SET %s = NULL WHERE tile = %u;",
                                    round % 3 == 0   ? "including_gaps"
                                    : round % 3 == 1 ? "excluding_gaps"
                                                     : "always_live",
                                    t);
        }
      insights_report_open (&opened, "tiny", sql->str);
      n_tiles = tsr_memory_get_n_tiles (opened.memory);
      histogram = tsr_insights_peek_histogram (opened.insights, &n_ipus);
      for (guint bin = 0; bin <= TSR_N_BINS; bin++)
        {
          tsr_insights_get_bin (opened.insights, bin, &from, &to);
          g_assert_cmpint (from, ==, last);
          g_assert_cmpint (to, >, from);
          last = to;
          for (guint ipu = 0; ipu < n_ipus; ipu++)
            {
              guint expected = 0;

              for (guint t = 0; t < n_tiles; t++)
                expected
                    += tsr_memory_get_ipu (opened.memory, t) == ipu && find_bin (&opened, t) == bin;
              g_assert_cmpuint (histogram[ipu * (TSR_N_BINS + 1) + bin], ==, expected);
            }
        }
      g_assert_cmpint (last, ==, G_MAXINT64);
      if (round % 4 != 3)
        g_assert_cmpint (from, ==, cap);
      for (guint t = 0; t < n_tiles; t++)
        g_assert_cmpuint (tsr_insights_find_bin (opened.insights, opened.memory, t), ==,
                          find_bin (&opened, t));

      critical = tsr_insights_peek_critical (opened.insights, &n);
      g_assert_cmpuint (n, >, 0);
      tsr_insights_get_worst_parts (opened.insights, parts);
      for (guint i = 0; i < 5; i++)
        {
          gint64 of[4], expected;

          for (guint k = 0; k < 4; k++)
            {
              const gint64 *values = tsr_memory_peek (opened.memory, metrics[k]);

              of[k] = values != NULL ? values[critical[0]] : TSR_UNKNOWN;
            }
          expected = i < 2    ? of[i]
                     : i == 2 ? tsr_known_subtract (tsr_known_subtract (of[2], of[0]), of[1])
                     : i == 3 ? tsr_known_subtract (of[3], of[2])
                              : tsr_known_subtract (tsr_memory_get_capacity (opened.memory), of[3]);
          if (i == 4 && expected != TSR_UNKNOWN)
            expected = MAX (expected, 0);
          g_assert_cmpint (parts[i], ==, expected < 0 ? TSR_UNKNOWN : expected);
        }
    }
}

/* ------------------------------------------------------- rules, one by one */

static guint
get_worst (const AnalysisReport *opened)
{
  guint n = 0;

  return tsr_insights_peek_critical (opened->insights, &n)[0];
}

/* Categories are bytes of `non_overlapped`; @where picks tiles. */
static gint64
query_category (const AnalysisReport *opened, const char *name, gint64 tile)
{
  return tsr_test_ask (
      opened->folder,
      "SELECT coalesce(sum(non_overlapped), 0) FROM memory_by_tile_category m JOIN "
      "var_categories c ON c.id = m.category WHERE c.name = '%s' AND (%d < 0 OR tile = "
      "%d)",
      name, (int)tile, (int)tile);
}

static void
check_out_of_memory (const AnalysisReport *opened, const TsrFinding *finding)
{
  g_assert_cmpint (finding->bytes, ==,
                   tsr_test_ask (opened->folder, "SELECT sum(" NEED ") FROM memory_by_tile"));
  g_assert_cmpint (finding->bytes_worst_tile, ==,
                   tsr_test_ask (opened->folder, "SELECT max(" NEED ") FROM memory_by_tile"));
  g_assert_cmpint (
      finding->where.n_tiles, ==,
      tsr_test_ask (opened->folder, "SELECT count(*) FROM memory_by_tile WHERE " NEED " > 0"));
}

#define COMPUTES                                                                                   \
  "tile IN (SELECT tile FROM memory_by_tile_category m JOIN var_categories c ON c.id = "           \
  "m.category WHERE c.name IN ('vertexCode', 'vertexInstanceState') AND non_overlapped > 0)"

static void
check_imbalance (const AnalysisReport *opened, const TsrFinding *finding)
{
  guint fullest = finding->where.tiles[0];
  gint64 per_ipu = tsr_test_ask (opened->folder, "SELECT tiles_per_ipu FROM target");
  gint64 ipu = fullest / per_ipu;
  g_autofree char *where
      = g_strdup_printf ("FROM memory_by_tile WHERE tile / %d = %d", (int)per_ipu, (int)ipu);
  gint64 n = tsr_test_ask (opened->folder, "SELECT count(*) %s AND " COMPUTES, where);
  gint64 median = tsr_test_ask (opened->folder,
                                "SELECT including_gaps %s AND " COMPUTES
                                " ORDER BY including_gaps LIMIT 1 OFFSET %d",
                                where, (int)(n - 1) / 2);
  gint64 most = tsr_test_ask (opened->folder, "SELECT max(including_gaps) %s", where);

  g_assert_cmpint (finding->bytes_worst_tile, ==, most - median);
  g_assert_cmpint (finding->bytes, ==, 0);
  g_assert_cmpint (tsr_test_ask (opened->folder,
                                 "SELECT including_gaps FROM memory_by_tile WHERE tile = %u",
                                 fullest),
                   ==, most);
}

/* n(t,k) and what changes of it, by all rows and all steps. */
typedef struct
{
  const TsrLoweredTables *lowered;
  guint n_steps;
  gint64 *n; /* [tile * n_steps + step] */
} Naive;

static void
naive_init (Naive *naive, const AnalysisReport *opened)
{
  naive->lowered = tsr_report_get_lowered_tables (opened->report);
  naive->n_steps = tsr_liveness_get_n_steps (opened->liveness);
  naive->n = g_new0 (gint64, (gsize)naive->lowered->n_tiles * naive->n_steps);
  for (gsize row = 0; row < naive->lowered->n; row++)
    {
      guint32 class = naive->lowered->equivalence_class[row];
      gint64 *n = naive->n + (gsize)naive->lowered->tile[row] * naive->n_steps;

      if (naive->lowered->always_live[row] == 1)
        continue;
      for (gsize i = naive->lowered->interval_start[class];
           i < naive->lowered->interval_start[class + 1]; i++)
        for (guint k = naive->lowered->interval_from[i]; k < naive->lowered->interval_to[i]; k++)
          n[k] += naive->lowered->size[row];
    }
}

static guint
naive_peak (const Naive *naive, guint tile)
{
  guint peak = 0;

  for (guint k = 1; k < naive->n_steps; k++)
    if (naive->n[(gsize)tile * naive->n_steps + k] > naive->n[(gsize)tile * naive->n_steps + peak])
      peak = k;
  return peak;
}

/* saved(t) of @tile when the variables @in shrink by @factor. */
static gint64
naive_saved (const Naive *naive,
             const AnalysisReport *opened,
             guint tile,
             const guint8 *in,
             double factor,
             double least,
             double trim)
{
  g_autofree gint64 *gone = g_new0 (gint64, naive->n_steps);
  const gint64 *n = naive->n + (gsize)tile * naive->n_steps;
  gint64 peak = 0;
  double left = 0;
  gint64 always = 0;

  for (gsize row = 0; row < naive->lowered->n; row++)
    {
      guint32 class = naive->lowered->equivalence_class[row];

      if (naive->lowered->tile[row] != tile
          || !in[tsr_variables_of_lowered (opened->variables, row)])
        continue;
      if (naive->lowered->always_live[row] == 1)
        {
          always += naive->lowered->size[row];
          continue;
        }
      for (gsize i = naive->lowered->interval_start[class];
           i < naive->lowered->interval_start[class + 1]; i++)
        {
          guint from = naive->lowered->interval_from[i];
          guint to = naive->lowered->interval_to[i];
          guint cut = (guint)ceil (trim * (to - from));

          for (guint k = from + cut; to - from >= least && k + cut < to; k++)
            gone[k] += naive->lowered->size[row];
        }
    }
  for (guint k = 0; k < naive->n_steps; k++)
    {
      peak = MAX (peak, n[k]);
      left = MAX (left, (double)n[k] - factor * (double)gone[k]);
    }
  return (gint64)(factor * (double)always + (double)peak - left);
}

static guint8 *
mark_names (const AnalysisReport *opened, GStrv names)
{
  guint n = tsr_variables_get_n (opened->variables);
  guint8 *in = g_new0 (guint8, n);

  g_assert_cmpuint (g_strv_length (names), <, 20);
  for (guint i = 0; names[i] != NULL; i++)
    {
      guint variable = tsr_variables_find (opened->variables, names[i]);

      g_assert_cmpuint (variable, <, n);
      in[variable] = TRUE;
    }
  return in;
}

static gint64
naive_saved_all (const Naive *naive,
                 const AnalysisReport *opened,
                 const guint8 *in,
                 double factor,
                 double least,
                 double trim)
{
  gint64 sum = 0;

  /* Only some of many tiles hold any of it; each row is looked at for each of them. */
  for (guint t = 0; t < naive->lowered->n_tiles; t++)
    {
      gboolean any = FALSE;

      for (gsize i = naive->lowered->tile_start[t]; i < naive->lowered->tile_start[t + 1]; i++)
        any = any
              || in[tsr_variables_of_lowered (opened->variables, naive->lowered->by_tile != NULL
                                                                     ? naive->lowered->by_tile[i]
                                                                     : i)];
      if (any)
        sum += naive_saved (naive, opened, t, in, factor, least, trim);
    }
  return sum;
}

static void
check_spike (const AnalysisReport *opened, const Naive *naive, const TsrFinding *finding)
{
  guint tile = get_worst (opened);
  const gint64 *n = naive->n + (gsize)tile * naive->n_steps;
  guint peak = naive_peak (naive, tile);
  guint from = peak;
  guint to = peak + 1;
  gint64 next = 0;
  g_autofree guint8 *in = mark_names (opened, finding->where.names);
  gint64 those = 0;

  while (from > 0 && (double)n[from - 1] >= 0.9 * (double)n[peak])
    from--;
  while (to < naive->n_steps && (double)n[to] >= 0.9 * (double)n[peak])
    to++;
  for (guint k = 0; k < naive->n_steps; k++)
    if (k < from || k >= to)
      next = MAX (next, n[k]);
  for (guint i = 0; i < finding->evidence->len; i++)
    those += g_array_index (finding->evidence, TsrEvidence, i).bytes;
  g_assert_cmpuint (finding->where.step, ==, peak);
  g_assert_cmpint (finding->bytes_worst_tile, ==, MIN (n[peak] - next, those));
  g_assert_cmpint (finding->bytes, ==, naive_saved_all (naive, opened, in, 1, 0, 0));
}

static void
check_kept (const AnalysisReport *opened, const Naive *naive, const TsrFinding *finding)
{
  guint tile = get_worst (opened);
  guint peak = naive_peak (naive, tile);
  g_autofree guint8 *in = mark_names (opened, finding->where.names);
  double quarter = 0.25 * naive->n_steps;

  for (guint v = 0; v < tsr_variables_get_n (opened->variables); v++)
    {
      const char *name = tsr_variables_get_name (opened->variables, v);
      g_autoptr (GArray) lives = tsr_variables_dup_lifetimes (opened->variables, v, &tile, 1);
      gboolean long_lived = FALSE;

      for (guint i = 0; i < lives->len; i++)
        {
          const TsrLifetime *life = &g_array_index (lives, TsrLifetime, i);

          long_lived = long_lived
                       || (life->bytes > 0 && life->from < peak && peak + 1 < life->to
                           && life->to - life->from >= quarter);
        }
      /* What is named lives long; what is not lives short, or is excused. */
      if (in[v])
        {
          g_assert_true (long_lived);
          g_assert_null (strstr (name, "Accl"));
        }
    }
  g_assert_cmpuint (finding->where.step, ==, peak);
  g_assert_cmpint (finding->bytes_worst_tile, ==,
                   naive_saved (naive, opened, tile, in, 1, quarter, 0.01));
  g_assert_cmpint (finding->bytes, ==, naive_saved_all (naive, opened, in, 1, quarter, 0.01));
}

/* By variable: FP32 that the rule would halve. */
static guint8 *
mark_fp32 (const AnalysisReport *opened, const Naive *naive)
{
  guint n = 0;
  const guint *critical = tsr_insights_peek_critical (opened->insights, &n);
  guint tile = critical[0];
  guint peak = naive_peak (naive, tile);
  guint8 *in = g_new0 (guint8, tsr_variables_get_n (opened->variables));

  for (gsize row = 0; row < naive->lowered->n; row++)
    {
      guint32 v = tsr_variables_of_lowered (opened->variables, row);
      guint32 class = naive->lowered->equivalence_class[row];
      g_autofree char *name = g_ascii_strdown (tsr_variables_get_name (opened->variables, v), -1);
      gboolean counts = FALSE;

      for (guint i = 0; i < n; i++)
        counts = counts
                 || (naive->lowered->always_live[row] == 1
                     && naive->lowered->tile[row] == critical[i]);
      for (gsize i = class < naive->lowered->n_classes ? naive->lowered->interval_start[class] : 0;
           class < naive->lowered->n_classes && i < naive->lowered->interval_start[class + 1]; i++)
        counts = counts
                 || (naive->lowered->tile[row] == tile && naive->lowered->interval_from[i] <= peak
                     && peak < naive->lowered->interval_to[i]);
      if (counts && naive->lowered->size[row] > 0
          && g_strcmp0 (tsr_variables_get_element_type (opened->variables, v), "float") == 0
          && g_strcmp0 (tsr_variables_get_category (opened->variables, v), "variable") == 0
          && strstr (name, "loss") == NULL && strstr (name, "norm") == NULL
          && strstr (name, "running_") == NULL && strstr (name, "master") == NULL
          && strstr (name, "accl") == NULL && strstr (name, "seed") == NULL)
        in[v] = TRUE;
    }
  return in;
}

static void
check_fp32 (const AnalysisReport *opened, const Naive *naive, const TsrFinding *finding)
{
  guint tile = get_worst (opened);
  g_autofree guint8 *in = mark_fp32 (opened, naive);

  g_assert_cmpint (finding->bytes_worst_tile, ==, naive_saved (naive, opened, tile, in, 0.5, 0, 0));
  g_assert_cmpint (finding->bytes, ==, naive_saved_all (naive, opened, in, 0.5, 0, 0));
}

static gboolean
are_alike (const char *a, const char *b)
{
  g_autoptr (GRegex) digits = g_regex_new ("[0-9]+", 0, 0, NULL);
  g_autofree char *x = g_regex_replace_literal (digits, a, -1, 0, "#", 0, NULL);
  g_autofree char *y = g_regex_replace_literal (digits, b, -1, 0, "#", 0, NULL);

  return g_str_equal (x, y);
}

/* Each exchange against all others: its name and its code on every tile. */
static void
check_exchange_code (const AnalysisReport *opened, const TsrFinding *finding)
{
  const TsrProgramTables *tables = tsr_vertices_get_tables (opened->vertices);
  guint tile = get_worst (opened);
  guint n_tiles = tsr_memory_get_n_tiles (opened->memory);
  g_autoptr (GPtrArray) code = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  gint64 worst = 0;
  gint64 all = 0;
  gboolean any = FALSE;

  for (guint p = 0; p < tables->n_programs; p++)
    if (g_str_equal (tsr_string_table_get (tables->strings, tables->program_type[p]), "DoExchange")
        && tables->program_code[p].id != TSR_UNKNOWN)
      {
        g_array_append_val (rows, p);
        g_ptr_array_add (code,
                         tsr_vertices_dup_array (opened->vertices, tables->program_code[p], NULL));
      }
  for (guint i = 0; i < rows->len; i++)
    {
      const gint64 *one = g_ptr_array_index (code, i);
      guint members = 0;
      gboolean first = TRUE;

      for (guint k = 0; k < rows->len; k++)
        if (are_alike (tsr_string_table_get (tables->strings,
                                             tables->program_name[g_array_index (rows, guint, i)]),
                       tsr_string_table_get (tables->strings,
                                             tables->program_name[g_array_index (rows, guint, k)]))
            && memcmp (one, g_ptr_array_index (code, k), n_tiles * sizeof (gint64)) == 0)
          {
            members++;
            first = first && k >= i;
          }
      if (!first || members < 4)
        continue;
      any = TRUE;
      worst += (members - 1) * one[tile];
      for (guint t = 0; t < n_tiles; t++)
        all += (members - 1) * one[t];
    }
  g_assert_cmpint (finding->bytes_worst_tile, ==, any ? worst : TSR_UNKNOWN);
  g_assert_cmpint (finding->bytes, ==, any ? all : TSR_UNKNOWN);
  g_assert_cmpint (g_array_index (finding->evidence, TsrEvidence, 0).bytes, <=,
                   query_category (opened, "internalExchangeCode", tile));
}

static void
check_io_code (const AnalysisReport *opened, const TsrFinding *finding)
{
  guint tile = get_worst (opened);
  gint64 copies
      = tsr_test_ask (opened->folder, "SELECT count(*) FROM programs WHERE type = 'StreamCopyMid'");
  gint64 headers = query_category (opened, "hostExchangePacketHeader", tile)
                   + query_category (opened, "globalExchangePacketHeader", tile);

  if (copies < 8)
    g_assert_cmpint (finding->bytes_worst_tile, ==, TSR_UNKNOWN);
  else
    g_assert_cmpint (finding->bytes_worst_tile, ==, headers - headers * 8 / copies);
}

static void
check_instrumentation (const AnalysisReport *opened, const TsrFinding *finding)
{
  g_assert_cmpint (finding->bytes_worst_tile, ==,
                   query_category (opened, "instrumentationResults", get_worst (opened)));
  g_assert_cmpint (finding->bytes, ==, query_category (opened, "instrumentationResults", -1));
}

/* Programs that occur once in every run that has them. */
#define ONCE                                                                                       \
  "(SELECT program FROM (SELECT program, count(*) n FROM steps WHERE program IS NOT NULL "         \
  "GROUP BY program, run) GROUP BY program HAVING max(n) = 1)"
#define LEAF                                                                                       \
  "p.id NOT IN (SELECT parent FROM program_children) AND p.callee IS NULL AND p.id IN " ONCE

#define SINGLE                                                                                     \
  "t.id IN (SELECT vertex_type FROM compute_set_vertices) AND NOT EXISTS (SELECT 1 FROM "          \
  "compute_set_vertices v WHERE v.vertex_type = t.id AND v.compute_set NOT IN (SELECT "            \
  "compute_set FROM programs WHERE compute_set IS NOT NULL GROUP BY compute_set HAVING count(*) "  \
  "= 1 AND min(id) IN " ONCE "))"

static gint64
get_at (const AnalysisReport *opened, TsrTileArrayRef ref, guint tile)
{
  g_autofree gint64 *values
      = ref.id != TSR_UNKNOWN ? tsr_vertices_dup_array (opened->vertices, ref, NULL) : NULL;

  return values != NULL ? values[tile] : 0;
}

static void
check_one_off (const AnalysisReport *opened, const TsrFinding *finding)
{
  const TsrProgramTables *tables = tsr_vertices_get_tables (opened->vertices);
  guint tile = get_worst (opened);
  gint64 worst = 0;
  gint64 exchange = tsr_test_ask (
      opened->folder, "SELECT coalesce(sum(total), 0) FROM programs p JOIN tile_arrays a ON "
                      "a.id = p.code_bytes_by_tile WHERE p.id IN " ONCE);
  gint64 control = tsr_test_ask (
      opened->folder, "SELECT coalesce(sum(total), 0) FROM programs p JOIN tile_arrays a ON "
                      "a.id = p.control_code_by_tile WHERE " LEAF);
  gint64 vertex = tsr_test_ask (
      opened->folder, "SELECT coalesce(sum(total), 0) FROM vertex_types t JOIN tile_arrays a ON "
                      "a.id = t.code_bytes_by_tile WHERE " SINGLE);

  for (guint p = 0; p < tables->n_programs; p++)
    {
      int id = (int)tables->program_id[p];

      if (tsr_test_ask (opened->folder, "SELECT %d IN " ONCE, id) == 1)
        worst += get_at (opened, tables->program_code[p], tile);
      if (tsr_test_ask (opened->folder, "SELECT count(*) FROM programs p WHERE p.id = %d AND " LEAF,
                        id)
          == 1)
        worst += get_at (opened, tables->program_control_code[p], tile);
    }
  for (guint v = 0; v < tables->n_vertex_types; v++)
    if (tsr_test_ask (opened->folder,
                      "SELECT count(*) FROM vertex_types t WHERE t.id = %d AND " SINGLE,
                      (int)tables->vertex_type_id[v])
        == 1)
      worst += get_at (opened, tables->vertex_type_code[v], tile);
  g_assert_cmpint (finding->bytes, ==, exchange + control + vertex);
  g_assert_cmpint (finding->bytes_worst_tile, ==, worst);
}

/* Bytes of the user's variables on the worst tile that are live at 98 % of the steps or more,
 * optimiser state and constants apart. */
static gint64
sum_resident (const AnalysisReport *opened,
              const Naive *naive,
              gint64 *optimiser,
              gint64 *constants)
{
  guint tile = get_worst (opened);
  gint64 sum = 0;

  *optimiser = *constants = 0;
  for (gsize row = 0; row < naive->lowered->n; row++)
    {
      guint32 v = tsr_variables_of_lowered (opened->variables, row);
      TsrLife life = tsr_variables_get_life (opened->variables, v);
      g_autofree char *name = g_ascii_strdown (tsr_variables_get_name (opened->variables, v), -1);

      if (naive->lowered->tile[row] != tile || tsr_variables_is_compiler_made (opened->variables, v)
          || (life != TSR_LIFE_ALWAYS && life != TSR_LIFE_RESIDENT))
        continue;
      sum += naive->lowered->size[row];
      if (g_strcmp0 (tsr_variables_get_category (opened->variables, v), "constant") == 0)
        *constants += naive->lowered->size[row];
      if (strstr (name, "accl") != NULL || strstr (name, "momentum") != NULL
          || strstr (name, "exp_avg") != NULL)
        *optimiser += naive->lowered->size[row];
    }
  return sum;
}

static void
check_resident (const AnalysisReport *opened, const Naive *naive, const TsrFinding *finding)
{
  gint64 optimiser, constants;
  gint64 sum = sum_resident (opened, naive, &optimiser, &constants);
  g_autofree char *size = tsr_units_dup_bytes (TSR_UNITS_BINARY, sum);

  g_assert_true (g_str_has_prefix (finding->title, size));
  g_assert_cmpint (finding->bytes_worst_tile == TSR_UNKNOWN, ==,
                   optimiser == 0 || optimiser < constants);
}

static void
check_gaps (const AnalysisReport *opened, const TsrFinding *finding)
{
  g_assert_cmpint (finding->bytes_worst_tile, ==,
                   tsr_test_ask (opened->folder,
                                 "SELECT including_gaps - excluding_gaps FROM memory_by_tile "
                                 "WHERE tile = %u",
                                 get_worst (opened)));
}

/* @saving of 1 KiB is a finding, and less is none unless the rule's own limits say so. */
static void
check_counts (const AnalysisReport *opened, const char *rule, gint64 saving)
{
  const TsrFinding *finding = insights_report_find (opened, rule);

  g_test_message ("%s: %" G_GINT64_FORMAT " bytes", rule, saving);
  if (saving >= 1024)
    g_assert_nonnull (finding);
}

/* A tile does not fit: every saving on it is there, the largest first, and what is fine says that
 * it saves nothing. */
static void
check_overflow (const AnalysisReport *opened, const Naive *naive)
{
  GPtrArray *findings = tsr_insights_peek_findings (opened->insights);
  GPtrArray *fine = tsr_insights_peek_fine (opened->insights);
  g_autofree guint8 *fp32 = mark_fp32 (opened, naive);
  guint tile = get_worst (opened);
  gint64 last = G_MAXINT64;
  gint64 optimiser, constants;

  check_counts (opened, "fp32-at-peak", naive_saved (naive, opened, tile, fp32, 0.5, 0, 0));
  check_counts (opened, "resident-state", sum_resident (opened, naive, &optimiser, &constants));
  check_counts (opened, "instrumentation", query_category (opened, "instrumentationResults", tile));
  check_counts (opened, "gaps-on-full-tiles",
                tsr_test_ask (opened->folder,
                              "SELECT including_gaps - excluding_gaps FROM memory_by_tile "
                              "WHERE tile = %u",
                              tile));
  for (guint i = 0; i < findings->len; i++)
    {
      const TsrFinding *finding = g_ptr_array_index (findings, i);

      if (finding->severity == TSR_FINDING_ERROR || finding->bytes_worst_tile < 1024)
        continue;
      g_assert_cmpint (finding->bytes_worst_tile, <=, last);
      last = finding->bytes_worst_tile;
    }
  g_assert_cmpint (last, <, G_MAXINT64);
  for (guint i = 0; i < fine->len; i++)
    if (!g_str_equal (((TsrUnfired *)g_ptr_array_index (fine, i))->rule, "near-capacity")
        && !g_str_has_prefix (((TsrUnfired *)g_ptr_array_index (fine, i))->rule, "operation-"))
      g_assert_nonnull (strstr (((TsrUnfired *)g_ptr_array_index (fine, i))->text,
                                "no saving of 1.00 KiB or more is known on tile"));
}

static void
check_findings (const AnalysisReport *opened)
{
  GPtrArray *findings = tsr_insights_peek_findings (opened->insights);
  Naive naive;

  naive_init (&naive, opened);
  for (guint i = 0; i < findings->len; i++)
    {
      const TsrFinding *finding = g_ptr_array_index (findings, i);

      if (finding->where.view == TSR_VIEW_EXECUTION_TRACE)
        continue; /* test-insights-steps.c */
      if (g_str_equal (finding->rule, "out-of-memory"))
        check_out_of_memory (opened, finding);
      else if (g_str_equal (finding->rule, "tile-imbalance"))
        check_imbalance (opened, finding);
      else if (g_str_equal (finding->rule, "peak-spike"))
        check_spike (opened, &naive, finding);
      else if (g_str_equal (finding->rule, "long-lived-activations"))
        check_kept (opened, &naive, finding);
      else if (g_str_equal (finding->rule, "fp32-at-peak"))
        check_fp32 (opened, &naive, finding);
      else if (g_str_equal (finding->rule, "gaps-on-full-tiles"))
        check_gaps (opened, finding);
      else if (g_str_equal (finding->rule, "resident-state"))
        check_resident (opened, &naive, finding);
      else if (g_str_equal (finding->rule, "exchange-code"))
        check_exchange_code (opened, finding);
      else if (g_str_equal (finding->rule, "io-code-and-headers"))
        check_io_code (opened, finding);
      else if (g_str_equal (finding->rule, "instrumentation"))
        check_instrumentation (opened, finding);
      else if (g_str_equal (finding->rule, "one-off-code"))
        check_one_off (opened, finding);
      else
        g_error ("%s fired and has no check of its numbers here", finding->rule);
    }
  if (tsr_insights_get_fit (opened->insights) == TSR_OUT_OF_MEMORY)
    check_overflow (opened, &naive);
  g_free (naive.n);
}

static void
test_preset (gconstpointer preset)
{
  g_auto (AnalysisReport) opened = { 0 };

  insights_report_open (&opened, preset, NULL);
  insights_report_check_shape (&opened);
  check_head (&opened);
  check_histogram (&opened);
  check_findings (&opened);
}

static void
test_what_fires (void)
{
  static const char *const of_oom[]
      = { "out-of-memory",          "tile-imbalance", "peak-spike",     "fp32-at-peak",
          "long-lived-activations", "resident-state", "instrumentation" };
  g_auto (AnalysisReport) demo = { 0 };
  g_auto (AnalysisReport) oom = { 0 };

  insights_report_open (&demo, "demo", NULL);
  g_assert_cmpuint (tsr_insights_peek_findings (demo.insights)->len, >=, 6);
  insights_report_open (&oom, "oom", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (of_oom); i++)
    g_assert_nonnull (insights_report_find (&oom, of_oom[i]));
  g_assert_true (
      insights_report_is_listed (tsr_insights_peek_not_checked (oom.insights), "one-off-code"));
  g_assert_cmpstr (
      ((TsrFinding *)g_ptr_array_index (tsr_insights_peek_findings (oom.insights), 0))->rule, ==,
      "out-of-memory");
}

/* A report with nothing to mend: half precision, few headers, IPUs that do not wait for each other.
 */
static void
test_well_tuned (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autofree char *silence = NULL;

  insights_report_open (&opened, "tiny",
                        "UPDATE variables SET element_type = 'half' WHERE element_type = 'float';"
                        "UPDATE memory_by_tile_category SET non_overlapped = 0 WHERE category IN"
                        " (SELECT id FROM var_categories WHERE name LIKE 'hostExchange%'"
                        "  OR name LIKE 'globalExchange%');"
                        "UPDATE steps SET type = 'Sync' WHERE type = 'GlobalExchange'");
  insights_report_check_shape (&opened);
  g_assert_cmpuint (tsr_insights_peek_findings (opened.insights)->len, ==, 0);
  g_assert_cmpuint (tsr_insights_peek_not_checked (opened.insights)->len, ==, 0);
  silence = tsr_insights_dup_silence (opened.insights);
  g_assert_cmpstr (silence, ==, "Nothing found that should be changed");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/insights/report/tiny", "tiny", test_preset);
  g_test_add_data_func ("/insights/report/demo", "demo", test_preset);
  g_test_add_data_func ("/insights/report/oom", "oom", test_preset);
  g_test_add_func ("/insights/report/tiles", test_tiles);
  g_test_add_func ("/insights/report/what-fires", test_what_fires);
  g_test_add_func ("/insights/report/well-tuned", test_well_tuned);
  return g_test_run ();
}
