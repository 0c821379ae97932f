/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Variables, liveness, vertices and insights of whatever was loaded: nothing crashes, and what is
 * computed in two ways is the same. */

#pragma once

#include "fuzz.h"
#include "tsr-insights.h"

static inline gint64
fuzz_sum (GArray *list)
{
  gint64 sum = 0;

  for (guint i = 0; i < list->len; i++)
    {
      gint64 bytes = g_array_index (list, TsrVariableBytes, i).bytes;

      if (bytes == TSR_UNKNOWN || sum == TSR_UNKNOWN || __builtin_add_overflow (sum, bytes, &sum))
        sum = TSR_UNKNOWN;
    }
  return sum;
}

/* One tile by itself against the peaks of all, and its variables against its sum. */
static inline void
fuzz_check_tile (TsrLiveness *liveness, guint tile, gint64 peak, guint32 peak_step)
{
  TsrLivenessSource source = { TSR_LIVENESS_TILES, 0, &tile, 1 };
  g_autoptr (TsrLivenessSeries) series = tsr_liveness_compute (liveness, &source, NULL, NULL);
  g_autoptr (GArray) list = NULL;

  if (series == NULL)
    return;
  g_assert_cmpuint (series->peak_step, ==, peak_step);
  if (peak_step == TSR_NO_INDEX)
    return;
  g_assert_cmpint (series->not_always_live[peak_step], ==, peak);
  list = tsr_liveness_list_at (liveness, &source, peak_step, NULL, NULL);
  g_assert_cmpint (fuzz_sum (list), ==, peak);
}

static inline void
fuzz_check_source (TsrLiveness *liveness, const TsrLivenessSource *source)
{
  g_autoptr (TsrLivenessSeries) series = tsr_liveness_compute (liveness, source, NULL, NULL);
  g_autoptr (GArray) always = tsr_liveness_list_always_live (liveness, source, NULL, NULL);
  g_autoptr (GArray) dying = NULL;
  g_autoptr (GArray) peaks = NULL;
  const guint steps[] = { 0, tsr_liveness_get_n_steps (liveness) / 2 };
  g_autoptr (TsrLivenessTable) table = NULL;

  if (series == NULL)
    return;
  peaks = tsr_liveness_find_peaks (series, 10);
  for (guint i = 0; i < peaks->len; i++)
    g_assert_cmpuint (g_array_index (peaks, TsrPeak, i).to, <=, series->n_steps);
  dying = tsr_liveness_list_dying (liveness, source, 0, series->n_steps, NULL, NULL);
  table = tsr_liveness_compare_steps (liveness, source, steps, 2, NULL, NULL);
}

static inline gboolean
fuzz_count_rows (const TsrLoweredTables *batch, gpointer data)
{
  *(gsize *)data += batch->n;
  return TRUE;
}

/* Rows name what is there. */
#define FUZZ_CHECK_ROWS(list, Row, member, n)                                                      \
  for (guint i_ = 0; (list) != NULL && i_ < (list)->len; i_++)                                     \
  g_assert_cmpuint (g_array_index ((list), Row, i_).member, <, (n))

static inline void
fuzz_run_vertices (TsrReport *report, TsrMemory *memory)
{
  g_autoptr (TsrVertices) vertices = NULL;
  const TsrProgramTables *tables = tsr_report_get_program_tables (report);
  const guint tile = 0;

  if (tables == NULL)
    return;
  vertices = tsr_vertices_new (report, memory);
  for (guint n = 0; n < 2; n++)
    {
      const guint *tiles = n > 0 ? &tile : NULL;
      g_autoptr (GArray) types = tsr_vertices_list (vertices, tiles, n, NULL, NULL);
      g_autoptr (GArray) sets = tsr_vertices_list_compute_sets (vertices, tiles, n, NULL, NULL);
      g_autoptr (GArray) exchanges = tsr_vertices_list_exchanges (vertices, tiles, n, NULL, NULL);

      FUZZ_CHECK_ROWS (types, TsrVertexRow, type, tables->n_vertex_types);
      FUZZ_CHECK_ROWS (sets, TsrComputeSetRow, compute_set, tables->n_compute_sets);
      FUZZ_CHECK_ROWS (exchanges, TsrExchangeRow, program, tables->n_programs);
    }
}

/* In order, without overlap, within the steps; bytes known or not, but never below 0. */
static inline void
fuzz_check_variable (TsrVariables *variables, guint v, guint n_steps, guint n_tiles)
{
  g_autoptr (GArray) lifetimes = tsr_variables_dup_lifetimes (variables, v, NULL, 0);
  g_autofree gint64 *by_tile = tsr_variables_dup_bytes_by_tile (variables, v);
  guint32 end = 0;

  for (guint i = 0; i < lifetimes->len; i++)
    {
      const TsrLifetime *l = &g_array_index (lifetimes, TsrLifetime, i);

      g_assert_cmpuint (l->from, >=, end);
      g_assert_cmpuint (l->from, <, l->to);
      end = l->to;
    }
  g_assert_cmpuint (end, <=, n_steps);
  for (guint tile = 0; by_tile != NULL && tile < n_tiles; tile++)
    g_assert_true (by_tile[tile] >= 0 || by_tile[tile] == TSR_UNKNOWN);
}

/* The allocations of a tile by themselves. */
static inline void
fuzz_check_few (TsrReport *report, TsrMemory *memory)
{
  guint tiles[] = { 0, 1 };
  const TsrLivenessSource source = { TSR_LIVENESS_TILES, 0, tiles, 1 };
  g_autoptr (TsrVariables) variables = tsr_variables_new_on_tiles (report, tiles, 2, NULL, NULL);
  g_autoptr (TsrLiveness) liveness = NULL;

  if (variables == NULL || tsr_memory_get_n_tiles (memory) == 0)
    return;
  liveness = tsr_liveness_new (report, memory, variables);
  fuzz_check_source (liveness, &source);
}

static inline void
fuzz_run_liveness (TsrReport *report, TsrMemory *memory)
{
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (report);
  const TsrLivenessSource all = { .kind = TSR_LIVENESS_ALL };
  const TsrLivenessSource ipu = { .kind = TSR_LIVENESS_IPU };
  g_autoptr (TsrVariables) variables = tsr_variables_new (report, NULL, NULL);
  g_autoptr (TsrLiveness) liveness = NULL;
  const gint64 *peaks;
  const guint32 *steps;
  gsize n = 0;

  /* A damaged file may hold other rows in one scan than in two halves. */
  if (lowered != NULL
      && tsr_report_stream_lowered (report, TSR_NO_INDEX, fuzz_count_rows, &n, NULL, NULL))
    g_assert_cmpuint (n, <=, G_MAXUINT32);
  if (variables == NULL || tsr_report_get_liveness_tables (report) == NULL)
    return;
  for (guint v = 0; v < MIN (tsr_variables_get_n (variables), 20); v++)
    fuzz_check_variable (variables, v, tsr_report_get_liveness_tables (report)->n_steps,
                         lowered != NULL ? lowered->n_tiles : 0);
  fuzz_check_few (report, memory);
  liveness = tsr_liveness_new (report, memory, variables);
  fuzz_check_source (liveness, &all);
  fuzz_check_source (liveness, &ipu);
  if (!tsr_liveness_has_lowered (liveness)
      || !tsr_liveness_get_tile_peaks (liveness, &peaks, &steps, NULL, NULL))
    return;
  for (guint tile = 0; tile < MIN (tsr_memory_get_n_tiles (memory), 8); tile++)
    fuzz_check_tile (liveness, tile, peaks[tile], steps[tile]);
}

static inline void
fuzz_check_finding (const TsrFinding *finding, guint n_tiles)
{
  g_autofree char *markdown = tsr_finding_dup_markdown (finding, "/report", TSR_UNITS_BINARY);

  g_assert_true (finding->rule != NULL && finding->title != NULL && finding->text != NULL);
  g_assert_true (g_utf8_validate (finding->title, -1, NULL));
  g_assert_true (g_utf8_validate (finding->text, -1, NULL));
  g_assert_true (finding->bytes == TSR_UNKNOWN || finding->bytes >= 0);
  g_assert_true (finding->bytes_worst_tile == TSR_UNKNOWN || finding->bytes_worst_tile >= 0);
  g_assert_cmpuint (finding->evidence->len, <=, 5);
  for (guint i = 0; i < finding->where.n_tiles; i++)
    g_assert_cmpuint (finding->where.tiles[i], <, n_tiles);
  g_assert_true (g_utf8_validate (markdown, -1, NULL));
}

/* Each tile that is told is in the histogram once. */
static inline void
fuzz_check_histogram (TsrInsights *insights, TsrMemory *memory)
{
  const gint64 *fullness = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  guint n_ipus = 0;
  const guint *histogram = tsr_insights_peek_histogram (insights, &n_ipus);
  gint64 told = 0;

  for (guint i = 0; i < n_ipus * (TSR_N_BINS + 1); i++)
    told -= histogram[i];
  for (guint t = 0; fullness != NULL && t < tsr_memory_get_n_tiles (memory); t++)
    told += fullness[t] != TSR_UNKNOWN;
  g_assert_cmpint (told, ==, 0);
}

static inline void
fuzz_run_insights (TsrReport *report, TsrMemory *memory)
{
  const guint n_tiles = tsr_memory_get_n_tiles (memory);
  g_autoptr (TsrVariables) variables = NULL;
  g_autoptr (TsrLiveness) liveness = NULL;
  g_autoptr (TsrVertices) vertices = NULL;
  g_autoptr (TsrInsights) insights = NULL;
  g_autofree char *status = NULL;
  g_autofree char *detail = NULL;
  GPtrArray *findings;

  if (tsr_report_get_liveness_tables (report) != NULL)
    variables = tsr_variables_new (report, NULL, NULL);
  if (variables != NULL)
    liveness = tsr_liveness_new (report, memory, variables);
  if (tsr_report_get_program_tables (report) != NULL)
    vertices = tsr_vertices_new (report, memory);
  insights = tsr_insights_new (report, memory, liveness, vertices, NULL, TSR_UNITS_BINARY, NULL,
                               NULL, NULL);
  if (insights == NULL)
    return;
  status = tsr_insights_dup_status (insights, TSR_UNITS_BINARY);
  detail = tsr_insights_dup_status_detail (insights, TSR_UNITS_BINARY);
  fuzz_check_histogram (insights, memory);
  findings = tsr_insights_peek_findings (insights);
  for (guint i = 0; i < findings->len; i++)
    fuzz_check_finding (g_ptr_array_index (findings, i), n_tiles);
}
