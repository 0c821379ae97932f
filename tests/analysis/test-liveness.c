/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Liveness of made reports against naive SQL on the same file: the invariants of
 * docs/formats.md#invariants and what is live where, with and without the tables that tell it
 * directly. */

#include "config.h"

#include "analysis-test.h"
#include "tsr-error.h"
#include "tsr-liveness.h"

#include <string.h>

static gint64
get_number (GPtrArray *rows, guint row, guint column)
{
  const char *text = ((GStrv)g_ptr_array_index (rows, row))[column];

  return *text == '\0' ? TSR_UNKNOWN : g_ascii_strtoll (text, NULL, 10);
}

static const char *
get_text (GPtrArray *rows, guint row, guint column)
{
  return ((GStrv)g_ptr_array_index (rows, row))[column];
}

/* Sums by class, class by class over the steps: what allocations on tiles WHERE hold. */
#define STEP_SUMS                                                                                  \
  "SELECT s.step, coalesce(sum(c.bytes), 0) FROM liveness_steps s "                                \
  "LEFT JOIN equivalence_class_intervals i ON i.start_step <= s.step AND s.step < i.end_step "     \
  "LEFT JOIN (SELECT equivalence_class AS e, sum(size_bytes) AS bytes FROM vars_info "             \
  "           WHERE always_live = 0 AND %s GROUP BY 1) c ON c.e = i.equivalence_class "            \
  "GROUP BY s.step ORDER BY s.step"

static TsrLivenessSeries *
compute (AnalysisReport *self, const char *text)
{
  g_auto (TsrLivenessSource) source = { 0 };
  g_autoptr (GError) error = NULL;
  TsrLivenessSeries *series;

  g_assert_true (tsr_liveness_source_parse (self->memory, text, &source, &error));
  series = tsr_liveness_compute (self->liveness, &source, NULL, &error);
  g_assert_no_error (error);
  return series;
}

/* Of a series whose steps are all known: around each peak there is nothing higher, and all of that
 * is above what is beside it. */
static void
check_peaks (const TsrLivenessSeries *series)
{
  g_autoptr (GArray) peaks = tsr_liveness_find_peaks (series, G_MAXUINT);

  for (guint i = 0; i < peaks->len; i++)
    {
      const TsrPeak *peak = &g_array_index (peaks, TsrPeak, i);
      gint64 least = G_MAXINT64;

      g_assert_true (peak->from <= peak->step && peak->step < peak->to);
      g_assert_cmpuint (peak->to, <=, series->n_steps);
      g_assert_cmpint (peak->bytes, ==, series->not_always_live[peak->step]);
      for (guint step = peak->from; step < peak->to; step++)
        {
          g_assert_cmpint (series->not_always_live[step], <=, peak->bytes);
          least = MIN (least, series->not_always_live[step]);
        }
      g_assert_true (peak->from == 0 || series->not_always_live[peak->from - 1] < least);
      g_assert_true (peak->to == series->n_steps || series->not_always_live[peak->to] < least);
    }
}

/* @where: its tiles, in vars_info and memory_by_tile. */
static void
check_series (AnalysisReport *self, const char *text, const char *where)
{
  g_autoptr (TsrLivenessSeries) series = compute (self, text);
  g_autoptr (GPtrArray) steps = tsr_test_ask_rows (self->folder, STEP_SUMS, where);
  g_autoptr (GPtrArray) always = tsr_test_ask_rows (
      self->folder,
      "SELECT coalesce(sum(size_bytes), 0), count(*) FROM vars_info WHERE always_live = 1 AND %s",
      where);
  g_autoptr (GPtrArray) capacity = tsr_test_ask_rows (
      self->folder,
      "SELECT count(*) * (SELECT bytes_per_tile FROM target) FROM memory_by_tile "
      "WHERE %s",
      where);
  gint64 most = -1;
  guint at = 0;

  g_assert_cmpuint (series->n_steps, ==, steps->len);
  for (guint step = 0; step < steps->len; step++)
    {
      gint64 bytes = get_number (steps, step, 1);

      g_assert_cmpint (series->not_always_live[step], ==, bytes);
      if (bytes > most)
        {
          most = bytes;
          at = step;
        }
    }
  g_assert_cmpint (series->always_live, ==, get_number (always, 0, 0));
  g_assert_cmpint (series->capacity, ==, get_number (capacity, 0, 0));
  g_assert_cmpuint (series->peak_step, ==, at);
  g_assert_cmpint (series->peak_bytes, ==, series->always_live + most);
  check_peaks (series);
}

static void
check_sources (AnalysisReport *self)
{
  guint n = tsr_memory_get_n_tiles (self->memory);
  guint n_ipus = tsr_memory_get_n_ipus (self->memory);
  g_autofree char *last = g_strdup_printf ("tile%u", n - 1);
  g_autofree char *where_last = g_strdup_printf ("tile = %u", n - 1);

  check_series (self, "all", "1");
  check_series (self, last, where_last);
  check_series (self, "0", "tile = 0");
  check_series (self, "1,2-3", "tile IN (1, 2, 3)");
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      g_autofree char *text = g_strdup_printf ("ipu%u", ipu);
      g_autofree char *where
          = g_strdup_printf ("tile / (SELECT tiles_per_ipu FROM target) = %u", ipu);

      check_series (self, text, where);
    }
}

/* docs/formats.md#invariants on every tile, and the file's own tables. */
static void
test_invariants (gconstpointer data)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (GPtrArray) tiles = NULL;
  g_autoptr (GPtrArray) steps = NULL;
  g_autoptr (TsrLivenessSeries) all = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 *bytes;
  const guint32 *at;

  analysis_report_open (&opened, data, NULL, TSR_LOAD_ALL);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (tsr_report_get_diagnostics (opened.report)), ==,
                    0);
  g_assert_true (tsr_liveness_has_lowered (opened.liveness));
  tiles = tsr_test_ask_rows (
      opened.folder, "SELECT m.always_live, m.not_always_live, m.peak_step, m.excluding_gaps, "
                     "(SELECT coalesce(sum(size_bytes), 0) FROM vars_info v WHERE v.tile = m.tile "
                     " AND v.id >= t.first_var AND v.id < t.end_var AND v.always_live = 1) "
                     "FROM memory_by_tile m LEFT JOIN tile_vars t ON t.tile = m.tile "
                     "ORDER BY m.tile");
  g_assert_true (tsr_liveness_get_tile_peaks (opened.liveness, &bytes, &at, NULL, &error));
  g_assert_cmpuint (tiles->len, ==, tsr_memory_get_n_tiles (opened.memory));
  for (guint tile = 0; tile < tiles->len; tile++)
    {
      g_assert_cmpint (get_number (tiles, tile, 0), ==, get_number (tiles, tile, 4));
      g_assert_cmpint (bytes[tile], ==, get_number (tiles, tile, 1));
      g_assert_cmpint (at[tile], ==, get_number (tiles, tile, 2));
      g_assert_cmpint (get_number (tiles, tile, 3), >=, get_number (tiles, tile, 0) + bytes[tile]);
    }
  all = compute (&opened, "all");
  steps = tsr_test_ask_rows (
      opened.folder, "SELECT not_always_live_bytes, program FROM liveness_steps ORDER BY step");
  g_assert_cmpuint (steps->len, ==, all->n_steps);
  for (guint step = 0; step < steps->len; step++)
    g_assert_cmpint (all->not_always_live[step], ==, get_number (steps, step, 0));
  for (guint ipu = 0; ipu < tsr_memory_get_n_ipus (opened.memory); ipu++)
    {
      g_autofree char *text = g_strdup_printf ("ipu%u", ipu);
      g_autoptr (TsrLivenessSeries) series = compute (&opened, text);
      g_autoptr (GPtrArray) told = tsr_test_ask_rows (
          opened.folder,
          "SELECT not_always_live_bytes FROM liveness_by_ipu WHERE ipu = %u ORDER BY step", ipu);

      for (guint step = 0; step < told->len; step++)
        g_assert_cmpint (series->not_always_live[step], ==, get_number (told, step, 0));
    }
  check_sources (&opened);
}

/* Without the tables that tell sums, allocations give the same; also where one tile, the first or
 * the last, does not tell its own. */
static void
test_from_lowered (void)
{
  static const char *const changes[]
      = { "UPDATE liveness_steps SET not_always_live_bytes = NULL;"
          "DROP TABLE liveness_by_ipu; UPDATE memory_by_tile SET always_live = NULL;",
          "UPDATE memory_by_tile SET always_live = NULL WHERE tile = 0",
          "UPDATE memory_by_tile SET always_live = NULL"
          " WHERE tile = (SELECT max(tile) FROM memory_by_tile)" };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (AnalysisReport) opened = { 0 };

      analysis_report_open (&opened, "demo", changes[i], TSR_LOAD_ALL);
      check_sources (&opened);
    }
}

/* Without allocations, the lifetimes of variables do for all tiles. */
static void
test_from_lifetimes (void)
{
  g_auto (AnalysisReport) sound = { 0 };
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (TsrLivenessSeries) expected = NULL;
  g_autoptr (TsrLivenessSeries) all = NULL;
  g_autoptr (TsrLivenessSeries) ipu = NULL;
  g_autoptr (TsrLivenessSeries) sound_ipu = NULL;
  g_auto (TsrLivenessSource) tile = { 0 };
  g_autofree char *why = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 *bytes;
  const guint32 *at;

  analysis_report_open (&sound, "demo", NULL, TSR_LOAD_ALL);
  analysis_report_open (&opened, "demo",
                        "UPDATE liveness_steps SET not_always_live_bytes = NULL WHERE step > 20;"
                        "UPDATE memory_by_tile SET always_live = NULL;"
                        "DROP TABLE vars_info; DROP TABLE equivalence_class_intervals;",
                        TSR_LOAD_ALL);
  g_assert_false (tsr_liveness_has_lowered (opened.liveness));
  expected = compute (&sound, "all");
  all = compute (&opened, "all");
  for (guint step = 0; step < expected->n_steps; step++)
    g_assert_cmpint (all->not_always_live[step], ==, expected->not_always_live[step]);
  g_assert_cmpint (all->peak_bytes, ==, expected->peak_bytes);
  sound_ipu = compute (&sound, "ipu1");
  ipu = compute (&opened, "ipu1");
  g_assert_cmpint (ipu->peak_bytes, ==, sound_ipu->peak_bytes);
  for (guint step = 0; step < expected->n_steps; step += 13)
    {
      const TsrLivenessSource everywhere = { TSR_LIVENESS_ALL };
      g_autoptr (GArray) here
          = tsr_liveness_list_at (opened.liveness, &everywhere, step, NULL, &error);
      g_autoptr (GArray) there
          = tsr_liveness_list_at (sound.liveness, &everywhere, step, NULL, &error);

      g_assert_cmpuint (here->len, ==, there->len);
      for (guint i = 0; i < here->len; i++)
        {
          const TsrVariableBytes *a = &g_array_index (here, TsrVariableBytes, i);
          const TsrVariableBytes *b = &g_array_index (there, TsrVariableBytes, i);

          g_assert_cmpint (a->bytes, ==, b->bytes);
          g_assert_cmpstr (tsr_variables_get_name (opened.variables, a->variable), ==,
                           tsr_variables_get_name (sound.variables, b->variable));
        }
    }

  g_assert_true (tsr_liveness_source_parse (opened.memory, "tile7", &tile, NULL));
  g_assert_false (tsr_liveness_can_show (opened.liveness, &tile, &why));
  g_assert_nonnull (strstr (why, "vars_info"));
  g_assert_nonnull (strstr (why, "autoReport.outputLoweredVars"));
  g_assert_null (tsr_liveness_compute (opened.liveness, &tile, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_clear_error (&error);
  g_assert_null (tsr_liveness_list_at (opened.liveness, &tile, 0, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_clear_error (&error);
  g_assert_null (tsr_liveness_dup_tiles_at (opened.liveness, 0, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_clear_error (&error);
  g_assert_null (tsr_liveness_dup_categories_at_peaks (opened.liveness, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_clear_error (&error);
  /* The tiles' own peaks are still told. */
  g_assert_true (tsr_liveness_get_tile_peaks (opened.liveness, &bytes, &at, NULL, &error));
  g_assert_cmpint (bytes[5], ==,
                   tsr_test_query (opened.folder, "profile.pop",
                                   "SELECT not_always_live FROM memory_by_tile WHERE tile = 5"));
}

/* ------------------------------------------------------------------- lists */

/* Names as docs/formats.md#variables has them: the variable's, else the base name; of what the
 * compiler made for always that of the category. */
#define VARIABLE_NAME                                                                              \
  "CASE WHEN x.name IS NOT NULL THEN x.name WHEN v.always_live = 1 THEN k.name "                   \
  "ELSE substr(n.value, 1, instr(n.value || '#', '#') - 1) END"
#define ALLOCATIONS                                                                                \
  "FROM vars_info v LEFT JOIN variables x ON x.id = v.variable "                                   \
  "LEFT JOIN vars_string_table n ON n.id = v.name LEFT JOIN var_categories k ON k.id = "           \
  "v.category "

static void
compare_list (AnalysisReport *self, GArray *list, const char *where)
{
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      self->folder,
      "SELECT " VARIABLE_NAME " AS which, sum(v.size_bytes) AS bytes " ALLOCATIONS
      "WHERE %s GROUP BY which ORDER BY bytes DESC, which",
      where);

  g_assert_nonnull (list);
  g_assert_cmpuint (list->len, ==, rows->len);
  for (guint i = 0; i < list->len; i++)
    {
      const TsrVariableBytes *entry = &g_array_index (list, TsrVariableBytes, i);

      g_assert_cmpstr (tsr_variables_get_name (self->variables, entry->variable), ==,
                       get_text (rows, i, 0));
      g_assert_cmpint (entry->bytes, ==, get_number (rows, i, 1));
    }
}

static void
test_lists (void)
{
  static const struct
  {
    const char *text, *where;
  } sources[] = { { "all", "1" },
                  { "ipu1", "v.tile >= 1472" },
                  { "tile5", "v.tile = 5" },
                  { "7,100-120,2900", "(v.tile IN (7, 2900) OR v.tile BETWEEN 100 AND 120)" } };
  static const guint steps[] = { 0, 17, 95, 192 };
  g_auto (AnalysisReport) opened = { 0 };

  analysis_report_open (&opened, "demo", NULL, TSR_LOAD_ALL);
  for (guint s = 0; s < G_N_ELEMENTS (sources); s++)
    {
      g_auto (TsrLivenessSource) source = { 0 };
      g_autofree char *always = g_strdup_printf ("v.always_live = 1 AND %s", sources[s].where);
      g_autoptr (GArray) list = NULL;

      g_assert_true (tsr_liveness_source_parse (opened.memory, sources[s].text, &source, NULL));
      list = tsr_liveness_list_always_live (opened.liveness, &source, NULL, NULL);
      compare_list (&opened, list, always);
      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        {
          g_autofree char *at = g_strdup_printf (
              "v.always_live = 0 AND %s AND v.equivalence_class IN (SELECT equivalence_class FROM "
              "equivalence_class_intervals WHERE start_step <= %u AND %u < end_step)",
              sources[s].where, steps[i], steps[i]);
          g_autofree char *dying = g_strdup_printf (
              "v.always_live = 0 AND %s AND v.equivalence_class IN (SELECT equivalence_class FROM "
              "equivalence_class_intervals WHERE start_step <= %u AND %u < end_step AND end_step "
              "<= %u)",
              sources[s].where, steps[i], steps[i], MIN (steps[i] + 30, 192));
          g_autoptr (GArray) live
              = tsr_liveness_list_at (opened.liveness, &source, steps[i], NULL, NULL);
          g_autoptr (GArray) gone = tsr_liveness_list_dying (opened.liveness, &source, steps[i],
                                                             steps[i] + 30, NULL, NULL);

          compare_list (&opened, live, at);
          compare_list (&opened, gone, dying);
        }
    }
}

/* The largest first; of as many bytes by name, and of one name by number. */
static void
test_order_of_lists (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_auto (TsrLivenessSource) source = { 0 };
  guint n_same = 0;

  analysis_report_open (&opened, "demo", "UPDATE variables SET name = 'v' || (id % 3)",
                        TSR_LOAD_ALL);
  g_assert_true (tsr_liveness_source_parse (opened.memory, "all", &source, NULL));
  for (guint step = 0; step < 193; step += 32)
    {
      g_autoptr (GArray) list = tsr_liveness_list_at (opened.liveness, &source, step, NULL, NULL);

      for (guint i = 1; i < list->len; i++)
        {
          const TsrVariableBytes *a = &g_array_index (list, TsrVariableBytes, i - 1);
          const TsrVariableBytes *b = a + 1;
          const int names = strcmp (tsr_variables_get_name (opened.variables, a->variable),
                                    tsr_variables_get_name (opened.variables, b->variable));

          g_assert_true (a->bytes > b->bytes
                         || (a->bytes == b->bytes
                             && (names < 0 || (names == 0 && a->variable < b->variable))));
          n_same += a->bytes == b->bytes && names == 0;
        }
    }
  g_assert_cmpuint (n_same, >, 0);
}

static void
test_table (void)
{
  static const guint steps[] = { 95, 17, 95 };
  g_auto (AnalysisReport) opened = { 0 };
  g_auto (TsrLivenessSource) source = { 0 };
  g_autoptr (TsrLivenessTable) table = NULL;
  g_autoptr (GError) error = NULL;
  guint n_all = 0;

  analysis_report_open (&opened, "demo", NULL, TSR_LOAD_ALL);
  g_assert_true (tsr_liveness_source_parse (opened.memory, "ipu0", &source, NULL));
  table = tsr_liveness_compare_steps (opened.liveness, &source, steps, 3, NULL, &error);
  g_assert_no_error (error);
  for (guint k = 0; k < 3; k++)
    {
      g_autoptr (GArray) list
          = tsr_liveness_list_at (opened.liveness, &source, steps[k], NULL, NULL);
      gint64 total = 0;

      for (guint i = 0; i < list->len; i++)
        {
          const TsrVariableBytes *entry = &g_array_index (list, TsrVariableBytes, i);
          guint row = 0;

          while (row < table->n_rows && table->variables[row] != entry->variable)
            row++;
          g_assert_cmpuint (row, <, table->n_rows);
          g_assert_cmpint (table->bytes[row * 3 + k], ==, entry->bytes);
          total += entry->bytes;
        }
      g_assert_cmpint (table->totals[k], ==, total);
      n_all = MAX (n_all, list->len);
    }
  g_assert_cmpuint (table->n_rows, >=, n_all);
  for (guint row = 1; row < table->n_rows; row++)
    g_assert_cmpint (MAX (table->bytes[row * 3 - 3], table->bytes[row * 3 - 2]), >=,
                     MAX (table->bytes[row * 3], table->bytes[row * 3 + 1]));
  g_assert_null (tsr_liveness_compare_steps (
      opened.liveness, &source, &tsr_report_get_liveness_tables (opened.report)->n_steps, 1, NULL,
      &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
}

static void
test_tiles_at (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autofree gint64 *bytes = NULL;
  g_autoptr (GPtrArray) rows = NULL;

  analysis_report_open (&opened, "oom", NULL, TSR_LOAD_ALL);
  bytes = tsr_liveness_dup_tiles_at (opened.liveness, 95, NULL, NULL);
  rows = tsr_test_ask_rows (
      opened.folder,
      "SELECT m.tile, coalesce(sum(v.size_bytes), 0) FROM memory_by_tile m "
      "LEFT JOIN (SELECT tile, size_bytes FROM vars_info WHERE always_live = 0 AND "
      "equivalence_class IN (SELECT equivalence_class FROM equivalence_class_intervals "
      "WHERE start_step <= 95 AND 95 < end_step)) v ON v.tile = m.tile "
      "GROUP BY m.tile ORDER BY m.tile");
  for (guint tile = 0; tile < rows->len; tile++)
    g_assert_cmpint (bytes[tile], ==, get_number (rows, tile, 1));
}

/* Of a category, and of a variable, with what is always live; against SQL. */
static void
compare_tiles (AnalysisReport *opened, const gint64 *bytes, guint step, const char *where)
{
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      opened->folder,
      "SELECT m.tile, (SELECT coalesce(sum(v.size_bytes), 0) FROM vars_info v WHERE v.tile = "
      "m.tile "
      "AND %s AND (v.always_live = 1 OR v.equivalence_class IN (SELECT equivalence_class FROM "
      "equivalence_class_intervals WHERE start_step <= %u AND %u < end_step))) FROM memory_by_tile "
      "m ORDER BY m.tile",
      where, step, step);
  gint64 sum = 0;

  g_assert_nonnull (bytes);
  g_assert_cmpuint (rows->len, ==, tsr_memory_get_n_tiles (opened->memory));
  for (guint i = 0; i < rows->len; i++)
    {
      g_assert_cmpint (bytes[i], ==, get_number (rows, i, 1));
      sum += bytes[i];
    }
  g_assert_cmpint (sum, >, 0);
}

/* On every tile the categories at its own peak are those that SQL adds up, and with packing loss
 * they are what it takes without gaps: nothing twice, nothing left out. */
static void
test_categories_at_peaks (gconstpointer data)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autofree gint64 *bytes = NULL;
  g_autoptr (GHashTable) indices = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) rows = NULL, tiles = NULL;
  g_autoptr (GError) error = NULL;
  guint n, n_categories;

  analysis_report_open (&opened, data, NULL, TSR_LOAD_ALL);
  n = tsr_memory_get_n_tiles (opened.memory);
  n_categories = tsr_memory_get_n_categories (opened.memory);
  for (guint c = 0; c < n_categories; c++)
    g_hash_table_insert (indices, (char *)tsr_memory_get_category_name (opened.memory, c),
                         GUINT_TO_POINTER (c));
  bytes = tsr_liveness_dup_categories_at_peaks (opened.liveness, NULL, &error);
  g_assert_no_error (error);
  tiles = tsr_test_ask_rows (opened.folder, "SELECT always_live + not_always_live, excluding_gaps "
                                            "FROM memory_by_tile ORDER BY tile");
  g_assert_cmpuint (tiles->len, ==, n);
  for (guint tile = 0; tile < n; tile++)
    {
      gint64 sum = 0;

      for (guint c = 0; c <= n_categories; c++)
        sum += bytes[(gsize)c * n + tile];
      g_assert_cmpint (sum, ==, get_number (tiles, tile, 0));
      g_assert_cmpint (sum, <=, get_number (tiles, tile, 1));
    }
  rows = tsr_test_ask_rows (
      opened.folder,
      "SELECT tile, (SELECT name FROM var_categories WHERE id = category), sum (size_bytes) FROM ("
      "SELECT v.tile, category, size_bytes FROM vars_info v WHERE always_live = 1 UNION ALL "
      "SELECT v.tile, category, size_bytes FROM vars_info v "
      "JOIN memory_by_tile m ON m.tile = v.tile "
      "JOIN equivalence_class_intervals i ON i.equivalence_class = v.equivalence_class "
      "WHERE v.always_live = 0 AND start_step <= m.peak_step AND m.peak_step < end_step) "
      "GROUP BY 1, 2");
  g_assert_cmpuint (rows->len, >, n);
  for (guint i = 0; i < rows->len; i++)
    {
      gpointer c;

      g_assert_true (g_hash_table_lookup_extended (indices, get_text (rows, i, 1), NULL, &c));
      g_assert_cmpint (bytes[(gsize)GPOINTER_TO_UINT (c) * n + get_number (rows, i, 0)], ==,
                       get_number (rows, i, 2));
    }
}

static void
test_tiles_at_of (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_auto (AnalysisReport) damaged = { 0 };
  g_autofree gint64 *unknown = NULL;
  g_autoptr (GError) error = NULL;
  guint n_steps, n_met = 0;

  analysis_report_open (&opened, "tiny", NULL, TSR_LOAD_ALL);
  n_steps = tsr_liveness_get_n_steps (opened.liveness);
  for (guint c = 0; c < tsr_memory_get_n_categories (opened.memory); c++)
    {
      const char *name = tsr_memory_get_category_name (opened.memory, c);
      g_autofree gint64 *bytes = NULL;
      g_autofree char *where = g_strdup_printf (
          "v.category = (SELECT id FROM var_categories WHERE name = '%s')", name);
      g_autoptr (GPtrArray) any = tsr_test_ask_rows (
          opened.folder, "SELECT count(*) FROM vars_info v WHERE always_live = 1 AND %s", where);

      if (get_number (any, 0, 0) == 0)
        continue;
      bytes = tsr_liveness_dup_category_at (opened.liveness, c, n_steps / 2, NULL, NULL);
      compare_tiles (&opened, bytes, n_steps / 2, where);
      n_met++;
    }
  g_assert_cmpuint (n_met, >, 1);
  n_met = 0;
  for (guint v = 0; v < tsr_variables_get_n (opened.variables); v++)
    {
      g_autoptr (GArray) lives = tsr_variables_dup_lifetimes (opened.variables, v, NULL, 0);
      g_autofree char *where
          = g_strdup_printf ("v.id IN (SELECT v.id " ALLOCATIONS "WHERE " VARIABLE_NAME " = '%s')",
                             tsr_variables_get_name (opened.variables, v));
      g_autofree gint64 *bytes = NULL;
      guint step;

      if (tsr_variables_is_compiler_made (opened.variables, v) || lives->len == 0)
        continue;
      step = g_array_index (lives, TsrLifetime, lives->len - 1).from;
      bytes = tsr_liveness_dup_variable_at (opened.liveness, v, step, NULL, NULL);
      compare_tiles (&opened, bytes, step, where);
      n_met++;
    }
  g_assert_cmpuint (n_met, >, 1);
  /* Something live of no known category may be of any. */
  analysis_report_open (
      &damaged, "tiny",
      "UPDATE vars_info SET category = NULL WHERE id = (SELECT min(id) FROM vars_info "
      "WHERE tile = 1 AND always_live = 1);"
      "INSERT INTO variables (id, name, size_bytes, always_live) VALUES (901, 'none', 0, 0),"
      " (902, 'one', 1, 0), (903, 'some', 64, 0)",
      TSR_LOAD_ALL);
  unknown = tsr_liveness_dup_category_at (damaged.liveness, 0, 1, NULL, NULL);
  g_assert_cmpint (unknown[1], ==, TSR_UNKNOWN);
  g_assert_cmpint (unknown[2], !=, TSR_UNKNOWN);
  /* Where a variable without allocations has its bytes is not told, unless it has none. */
  for (guint i = 0; i < 3; i++)
    {
      static const char *const names[] = { "none", "one", "some" };
      g_autofree gint64 *bytes = tsr_liveness_dup_variable_at (
          damaged.liveness, tsr_variables_find (damaged.variables, names[i]), 1, NULL, NULL);

      for (guint tile = 0; tile < tsr_memory_get_n_tiles (damaged.memory); tile++)
        g_assert_cmpint (bytes[tile], ==, i == 0 ? 0 : TSR_UNKNOWN);
    }
  g_assert_null (tsr_liveness_dup_tiles_at (opened.liveness, n_steps, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
}

/* Many variables together, against the list at every step. */
static void
check_sum_of (AnalysisReport *opened, const char *text, const char *prefix)
{
  guint n = tsr_variables_get_n (opened->variables);
  g_auto (TsrLivenessSource) source = { 0 };
  g_autofree guint32 *members = g_new (guint32, n);
  g_autofree gint64 *sums = NULL;
  g_autoptr (GArray) lifetimes = NULL;
  guint n_steps = tsr_liveness_get_n_steps (opened->liveness), n_members = 0, end = 0;
  gint64 most = 0;

  g_assert_true (tsr_liveness_source_parse (opened->memory, text, &source, NULL));
  for (guint v = 0; v < n; v++)
    if (g_str_has_prefix (tsr_variables_get_name (opened->variables, v), prefix))
      members[n_members++] = v;
  g_assert_cmpuint (n_members, >, 1);
  lifetimes = tsr_liveness_dup_sum_of (opened->liveness, &source, members, n_members, NULL, NULL);
  sums = g_new0 (gint64, n_steps);
  for (guint i = 0; i < lifetimes->len; i++)
    {
      const TsrLifetime *one = &g_array_index (lifetimes, TsrLifetime, i);

      g_assert_cmpuint (one->from, >=, end);
      g_assert_cmpuint (one->from, <, one->to);
      end = one->to;
      for (guint step = one->from; step < one->to; step++)
        sums[step] = one->bytes;
    }
  g_assert_cmpuint (end, <=, n_steps);
  for (guint step = 0; step < n_steps; step++)
    {
      g_autoptr (GArray) list = tsr_liveness_list_at (opened->liveness, &source, step, NULL, NULL);
      gint64 sum = 0;

      for (guint i = 0; i < list->len; i++)
        {
          const TsrVariableBytes *one = &g_array_index (list, TsrVariableBytes, i);

          if (g_str_has_prefix (tsr_variables_get_name (opened->variables, one->variable), prefix))
            sum += one->bytes;
        }
      g_assert_cmpint (sums[step], ==, sum);
      most = MAX (most, sum);
    }
  g_assert_cmpint (most, >, 0);
}

static void
test_sum_of (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_auto (AnalysisReport) told = { 0 };

  analysis_report_open (&opened, "demo", NULL, TSR_LOAD_ALL);
  check_sum_of (&opened, "all", "model/");
  check_sum_of (&opened, "ipu1", "model/");
  check_sum_of (&opened, "tile2000", "model/");
  check_sum_of (&opened, "3,1000-1100", "model/");
  /* Without allocations variable_lifetimes tell. */
  analysis_report_open (&told, "demo",
                        "DELETE FROM vars_info; DELETE FROM equivalence_class_intervals",
                        TSR_LOAD_ALL);
  check_sum_of (&told, "all", "model/");
}

/* ------------------------------------------------------- lifetimes that are told */

#define ABSENT -1

/* What is told of @variable at @step. */
static gint64
ask_told (const TsrLivenessTables *t, guint variable, guint step)
{
  gint64 sum = ABSENT;

  for (guint32 i = t->lifetime_start[variable];
       t->variable_always_live[variable] != 1 && i < t->lifetime_start[variable + 1]; i++)
    if (t->lifetime_from[i] <= step && step < t->lifetime_to[i])
      sum = t->lifetime_bytes[i] == TSR_UNKNOWN || sum == TSR_UNKNOWN
                ? TSR_UNKNOWN
                : MAX (sum, 0) + t->lifetime_bytes[i];
  return sum;
}

static void
compare_told (GArray *list, const gint64 *wanted, guint n)
{
  guint n_wanted = 0;

  for (guint v = 0; v < n; v++)
    n_wanted += wanted[v] != ABSENT;
  g_assert_cmpuint (list->len, ==, n_wanted);
  for (guint i = 0; i < list->len; i++)
    g_assert_cmpint (g_array_index (list, TsrVariableBytes, i).bytes, ==,
                     wanted[g_array_index (list, TsrVariableBytes, i).variable]);
}

/* Of each variable none to four lifetimes, some of which touch or overlap; of some without bytes.
 */
static char *
draw_lifetimes (guint seed, guint n_steps)
{
  GString *sql = g_string_new ("DROP TABLE vars_info; DELETE FROM variable_lifetimes;"
                               "UPDATE memory_by_tile SET always_live = NULL;"
                               "UPDATE liveness_steps SET not_always_live_bytes = NULL;"
                               "UPDATE variables_by_ipu SET size_bytes = (variable + ipu) % 3;");
  g_autoptr (GPtrArray) ids
      = tsr_test_ask_rows (tsr_test_get_report ("tiny"), "SELECT id FROM variables");
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (guint v = 0; v < ids->len; v++)
    {
      const gint n = g_rand_int_range (rand, seed % 2, 5);
      guint at = 0;

      for (gint i = 0; i < n; i++)
        {
          guint from = g_rand_boolean (rand) ? at : (guint)g_rand_int_range (rand, 0, n_steps);
          guint length = (guint)g_rand_int_range (rand, 1, 9);

          from = MIN (from, n_steps - 1);
          at = MIN (from + length, n_steps);
          g_string_append_printf (
              sql, "INSERT INTO variable_lifetimes VALUES (%s, %u, %u, %s);", get_text (ids, v, 0),
              from, at,
              v % 8 == 5 ? "NULL"
                         : (const char *[]){ "0", "1", "2", "64" }[g_rand_int_range (rand, 0, 4)]);
        }
    }
  return g_string_free (sql, FALSE);
}

static void
check_told_step (AnalysisReport *opened, guint step)
{
  const TsrLivenessTables *t = tsr_report_get_liveness_tables (opened->report);
  const TsrLivenessSource all = { TSR_LIVENESS_ALL };
  const guint ends[] = { 0, step + 1, step + 2, step + 7, t->n_steps - 1, t->n_steps, G_MAXUINT };
  const guint steps[] = { step, (step * 7 + 3) % t->n_steps, (step * 5 + 1) % t->n_steps };
  g_autofree gint64 *wanted = g_new (gint64, t->n_variables);
  g_autoptr (GArray) live = tsr_liveness_list_at (opened->liveness, &all, step, NULL, NULL);
  g_autoptr (TsrLivenessTable) table
      = tsr_liveness_compare_steps (opened->liveness, &all, steps, 3, NULL, NULL);
  gint64 last = G_MAXINT64, totals[3] = { 0 };
  guint n_met = 0;

  for (guint v = 0; v < t->n_variables; v++)
    wanted[v] = ask_told (t, v, step);
  compare_told (live, wanted, t->n_variables);
  for (guint k = 0; k < G_N_ELEMENTS (ends); k++)
    {
      const guint end = MIN (ends[k], t->n_steps - 1);
      g_autoptr (GArray) gone
          = tsr_liveness_list_dying (opened->liveness, &all, step, ends[k], NULL, NULL);

      for (guint v = 0; v < t->n_variables; v++)
        {
          const gint64 here = ask_told (t, v, step);
          gint64 least = here;

          for (guint s = step; s <= end; s++)
            least = MIN (least, MAX (ask_told (t, v, s), 0));
          wanted[v] = here == ABSENT || end <= step ? ABSENT
                      : here == TSR_UNKNOWN         ? TSR_UNKNOWN
                      : least < here                ? here - least
                                                    : ABSENT;
        }
      compare_told (gone, wanted, t->n_variables);
    }
  for (guint v = 0; v < t->n_variables; v++)
    n_met += ask_told (t, v, steps[0]) != ABSENT || ask_told (t, v, steps[1]) != ABSENT
             || ask_told (t, v, steps[2]) != ABSENT;
  g_assert_cmpuint (table->n_rows, ==, n_met);
  for (guint r = 0; r < table->n_rows; r++)
    {
      gint64 most = G_MININT64;

      for (guint k = 0; k < 3; k++)
        {
          const gint64 told = ask_told (t, table->variables[r], steps[k]);

          g_assert_cmpint (table->bytes[r * 3 + k], ==, told == ABSENT ? 0 : told);
          most = MAX (most, table->bytes[r * 3 + k]);
          totals[k] = told == TSR_UNKNOWN || totals[k] == TSR_UNKNOWN ? TSR_UNKNOWN
                                                                      : totals[k] + MAX (told, 0);
        }
      g_assert_cmpint (most, <=, last);
      last = most;
    }
  for (guint k = 0; k < 3; k++)
    g_assert_cmpint (table->totals[k], ==, totals[k]);
}

/* The variables @from .. together, and all of them as a series. */
static void
check_told_sums (AnalysisReport *opened, guint from)
{
  const TsrLivenessTables *t = tsr_report_get_liveness_tables (opened->report);
  const TsrLivenessSource all = { TSR_LIVENESS_ALL };
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) sum = NULL;
  g_autoptr (TsrLivenessSeries) series = compute (opened, "all");
  gboolean known = TRUE;
  guint i = 0;

  for (guint32 v = from; v < t->n_variables; v++)
    {
      g_array_append_val (members, v);
      known = known
              && (t->variable_always_live[v] == 1 || t->variable_size[v] == 0
                  || t->lifetime_start[v] < t->lifetime_start[v + 1]);
    }
  sum = tsr_liveness_dup_sum_of (opened->liveness, &all, (const guint32 *)(void *)members->data,
                                 members->len, NULL, NULL);
  for (guint step = 0; step < t->n_steps; step++)
    {
      gint64 bytes = 0;

      for (guint v = from; v < t->n_variables; v++)
        if (ask_told (t, v, step) == TSR_UNKNOWN || bytes == TSR_UNKNOWN)
          bytes = TSR_UNKNOWN;
        else
          bytes += MAX (ask_told (t, v, step), 0);
      while (i < sum->len && g_array_index (sum, TsrLifetime, i).to <= step)
        i++;
      g_assert_cmpint (bytes, ==,
                       i < sum->len && g_array_index (sum, TsrLifetime, i).from <= step
                           ? g_array_index (sum, TsrLifetime, i).bytes
                           : 0);
      if (from == 0)
        g_assert_cmpint (series->not_always_live[step], ==, known ? bytes : TSR_UNKNOWN);
    }
  for (i = 1; i < sum->len; i++)
    g_assert_true (g_array_index (sum, TsrLifetime, i - 1).to
                       < g_array_index (sum, TsrLifetime, i).from
                   || g_array_index (sum, TsrLifetime, i - 1).bytes
                          != g_array_index (sum, TsrLifetime, i).bytes);
}

/* What is always live on an IPU. */
static void
check_told_ipu (AnalysisReport *opened, guint ipu)
{
  const TsrLivenessTables *t = tsr_report_get_liveness_tables (opened->report);
  const TsrLivenessSource source = { .kind = TSR_LIVENESS_IPU, .ipu = ipu };
  g_autofree gint64 *wanted = g_new (gint64, t->n_variables);
  g_autoptr (TsrLivenessSeries) series
      = tsr_liveness_compute (opened->liveness, &source, NULL, NULL);
  g_autoptr (GArray) list = tsr_liveness_list_always_live (opened->liveness, &source, NULL, NULL);
  gint64 sum = 0;

  g_assert_true ((list != NULL) == (ipu < tsr_memory_get_n_ipus (opened->memory)));
  for (guint v = 0; list != NULL && v < t->n_variables; v++)
    {
      const gint64 bytes
          = tsr_test_ask (opened->folder,
                          "SELECT total (size_bytes) FROM variables_by_ipu WHERE ipu = %u AND"
                          " variable = %d",
                          ipu, (int)t->variable_id[v]);

      wanted[v] = t->variable_always_live[v] == 1 && bytes != 0 ? bytes : ABSENT;
      sum += MAX (wanted[v], 0);
    }
  if (list == NULL)
    return;
  compare_told (list, wanted, t->n_variables);
  g_assert_cmpint (series->always_live, ==, sum);
}

/* Lists, what dies, and sums of variables without allocations, step by step. */
static void
test_told (void)
{
  for (guint seed = 0; seed < 6; seed++)
    {
      g_auto (AnalysisReport) opened = { 0 };
      const guint n_steps = (guint)tsr_test_ask (tsr_test_get_report ("tiny"),
                                                 "SELECT count(*) FROM liveness_steps");
      g_autofree char *sql = draw_lifetimes (seed, n_steps);

      analysis_report_open (&opened, "tiny", sql, TSR_LOAD_ALL);
      g_assert_cmpuint (tsr_liveness_get_n_steps (opened.liveness), ==, n_steps);
      for (guint step = 0; step < n_steps; step++)
        check_told_step (&opened, step);
      for (guint from = 0; from < tsr_variables_get_n (opened.variables); from += 4)
        check_told_sums (&opened, from);
      for (guint ipu = 0; ipu <= tsr_memory_get_n_ipus (opened.memory); ipu++)
        check_told_ipu (&opened, ipu);
      for (guint i = 0; i < tsr_diagnostics_get_n_kept (tsr_report_get_diagnostics (opened.report));
           i++)
        g_assert_cmpstr (tsr_diagnostics_get (tsr_report_get_diagnostics (opened.report), i)->code,
                         !=, "sum-too-large");
    }
}

/* What dies of classes that live again later. */
static void
test_dying_twice (void)
{
  const TsrLivenessSource all = { TSR_LIVENESS_ALL };
  g_auto (AnalysisReport) opened = { 0 };

  analysis_report_open (
      &opened, "tiny",
      "INSERT INTO equivalence_class_intervals SELECT equivalence_class, max (end_step) + 1, min"
      " (max (end_step) + 4, (SELECT count(*) FROM liveness_steps)) FROM"
      " equivalence_class_intervals GROUP BY 1 HAVING max (end_step) + 1 < (SELECT count(*) FROM"
      " liveness_steps)",
      TSR_LOAD_ALL);
  for (guint step = 0; step < tsr_liveness_get_n_steps (opened.liveness); step++)
    for (guint end = step; end < step + 8; end++)
      {
        g_autoptr (GArray) gone
            = tsr_liveness_list_dying (opened.liveness, &all, step, end, NULL, NULL);
        g_autofree char *where = g_strdup_printf (
            "v.always_live = 0 AND v.equivalence_class IN (SELECT equivalence_class FROM "
            "equivalence_class_intervals WHERE start_step <= %u AND %u < end_step AND end_step <= "
            "min (%u, (SELECT max (step) FROM liveness_steps)))",
            step, step, end);

        compare_list (&opened, gone, where);
      }
}

/* Where variables live on a source is where they do on its tiles. */
static void
test_lifetimes_of (void)
{
  static const char *const texts[] = { "all", "ipu0", "ipu1", "2,5" };
  g_auto (AnalysisReport) opened = { 0 };

  analysis_report_open (&opened, "tiny", NULL, TSR_LOAD_ALL);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (TsrLivenessSource) source = { 0 };
      g_autoptr (GArray) tiles = NULL;

      g_assert_true (tsr_liveness_source_parse (opened.memory, texts[i], &source, NULL));
      if (i > 0)
        tiles = tsr_memory_parse_tiles (opened.memory, texts[i], NULL);
      for (guint v = 0; v < tsr_variables_get_n (opened.variables); v++)
        {
          g_autoptr (GArray) found = tsr_liveness_dup_lifetimes (opened.liveness, &source, v);
          g_autoptr (GArray) wanted = tsr_variables_dup_lifetimes (
              opened.variables, v, i > 0 ? (const guint *)(void *)tiles->data : NULL,
              i > 0 ? tiles->len : 0);

          g_assert_cmpmem (found->data, found->len * sizeof (TsrLifetime), wanted->data,
                           wanted->len * sizeof (TsrLifetime));
        }
    }
}

/* ----------------------------------------------------------------- sources */

static void
test_sources (void)
{
  static const struct
  {
    const char *text, *shortest, *label;
  } cases[] = { { "all", "all", "All tiles" },        { " ALL ", "all", "All tiles" },
                { "ipu1", "ipu1", "IPU 1" },          { "IPU0", "ipu0", "IPU 0" },
                { "tile5", "tile5", "Tile 5" },       { "5", "tile5", "Tile 5" },
                { "Tile 7", "tile7", "Tile 7" },      { "3,1,2,9", "1-3,9", "4 tiles" },
                { "tile3, tile9", "3,9", "2 tiles" }, { "ipu0,1472", "0-1472", "1,473 tiles" } };
  const TsrLivenessSource no_tiles = { .kind = TSR_LIVENESS_TILES };
  static const char *const wrong[] = { "", "tile", "ipu2", "2944", "tile2944", "all,3", "x" };
  g_auto (AnalysisReport) opened = { 0 };

  analysis_report_open (&opened, "demo", NULL, TSR_LOAD_ALL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (TsrLivenessSource) source = { 0 };
      g_auto (TsrLivenessSource) again = { 0 };
      g_auto (TsrLivenessSource) copy = { 0 };
      g_autofree char *text = NULL;
      g_autofree char *label = NULL;

      source = (TsrLivenessSource){ .kind = TSR_LIVENESS_IPU, .ipu = 7 }; /* nothing of it stays */
      g_assert_true (tsr_liveness_source_parse (opened.memory, cases[i].text, &source, NULL));
      text = tsr_liveness_source_dup_text (&source);
      label = tsr_liveness_source_dup_label (&source);
      g_assert_cmpstr (text, ==, cases[i].shortest);
      g_assert_cmpstr (label, ==, cases[i].label);
      g_assert_true (tsr_liveness_source_parse (opened.memory, text, &again, NULL));
      g_assert_true (tsr_liveness_source_equal (&source, &again));
      tsr_liveness_source_copy (&source, &copy);
      g_assert_true (tsr_liveness_source_equal (&source, &copy));
      tsr_liveness_source_clear (&copy);
      g_assert_true (copy.tiles == NULL && copy.n_tiles == 0 && copy.kind == 0);
      /* No two of different texts are the same, and none of those is of no tiles. */
      for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
        {
          g_auto (TsrLivenessSource) other = { 0 };

          g_assert_true (tsr_liveness_source_parse (opened.memory, cases[k].text, &other, NULL));
          g_assert_cmpint (tsr_liveness_source_equal (&source, &other), ==,
                           g_str_equal (cases[i].shortest, cases[k].shortest));
        }
      g_assert_false (tsr_liveness_source_equal (&source, &no_tiles));
    }
  g_assert_true (tsr_liveness_source_equal (&no_tiles, &no_tiles));
  {
    g_autoptr (TsrMemory) many = tsr_memory_new_with_tiles_per_ipu (opened.report, 200);
    g_auto (TsrLivenessSource) tenth = { 0 };

    g_assert_true (tsr_liveness_source_parse (many, "ipu10", &tenth, NULL));
    g_assert_cmpuint (tenth.ipu, ==, 10);
  }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (TsrLivenessSource) source = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_false (tsr_liveness_source_parse (opened.memory, wrong[i], &source, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
    }
}

static void
test_default_source (void)
{
  g_auto (AnalysisReport) fits = { 0 };
  g_auto (AnalysisReport) full = { 0 };
  g_auto (AnalysisReport) one = { 0 };
  g_auto (TsrLivenessSource) source = { 0 };
  g_auto (TsrLivenessSource) worst = { 0 };

  analysis_report_open (&fits, "demo", NULL, TSR_LOAD_ALL);
  tsr_liveness_get_default_source (fits.liveness, &source);
  g_assert_cmpint (source.kind, ==, TSR_LIVENESS_ALL);
  analysis_report_open (&full, "oom", NULL, TSR_LOAD_ALL);
  tsr_liveness_get_default_source (full.liveness, &worst);
  g_assert_cmpint (worst.kind, ==, TSR_LIVENESS_TILES);
  g_assert_cmpuint (worst.n_tiles, ==, 1);
  g_assert_cmpint (worst.tiles[0], ==,
                   tsr_test_query (full.folder, "profile.pop",
                                   "SELECT tile FROM memory_by_tile ORDER BY max(overflowed, "
                                   "including_gaps - (SELECT bytes_per_tile FROM target)) DESC, "
                                   "tile LIMIT 1"));
  tsr_liveness_source_clear (&worst);
  /* Of the same need the first, however little it is. */
  analysis_report_open (&one, "tiny",
                        "UPDATE memory_by_tile SET overflowed = 1, including_gaps = NULL",
                        TSR_LOAD_ALL);
  tsr_liveness_get_default_source (one.liveness, &worst);
  g_assert_cmpint (worst.kind, ==, TSR_LIVENESS_TILES);
  g_assert_cmpuint (worst.tiles[0], ==, 0);
}

/* ---------------------------------------------------------------- bad input */

/* With the variables on each tile, and not when they are live, it is said that only this lacks. */
static void
test_no_intervals (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_auto (AnalysisReport) opened = { 0 };
      g_auto (TsrLivenessSource) tile = { 0 };
      g_autofree char *why = NULL;

      analysis_report_open (&opened, "tiny",
                            i == 0 ? "DROP TABLE equivalence_class_intervals"
                                   : "DELETE FROM vars_info",
                            TSR_LOAD_ALL);
      g_assert_true (tsr_liveness_source_parse (opened.memory, "tile1", &tile, NULL));
      g_assert_false (tsr_liveness_can_show (opened.liveness, &tile, &why));
      g_assert_true ((strstr (why, "(equivalence_class_intervals;") != NULL) == (i == 0));
      g_assert_true ((strstr (why, "(vars_info;") != NULL) == (i == 1));
    }
}

static void
test_no_steps (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  const TsrLivenessSource all = { TSR_LIVENESS_ALL };
  g_autoptr (GArray) always = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;
  const gint64 *bytes;
  const guint32 *at;

  analysis_report_open (&opened, "tiny",
                        "DELETE FROM liveness_steps; DELETE FROM liveness_by_ipu;"
                        "DELETE FROM equivalence_class_intervals; DELETE FROM variable_lifetimes;",
                        TSR_LOAD_ALL);
  g_assert_cmpuint (tsr_liveness_get_n_steps (opened.liveness), ==, 0);
  g_assert_false (tsr_liveness_can_show (opened.liveness, &all, &why));
  g_assert_nonnull (strstr (why, "liveness_steps"));
  g_assert_null (tsr_liveness_compute (opened.liveness, &all, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_clear_error (&error);
  g_assert_null (tsr_liveness_list_at (opened.liveness, &all, 0, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  /* The file's own peaks of tiles stand, at no step. */
  g_assert_true (tsr_liveness_get_tile_peaks (opened.liveness, &bytes, &at, NULL, NULL));
  for (guint tile = 0; tile < tsr_memory_get_n_tiles (opened.memory); tile++)
    {
      g_assert_cmpint (bytes[tile], ==,
                       tsr_memory_peek (opened.memory, TSR_METRIC_NOT_ALWAYS_LIVE)[tile]);
      g_assert_cmpuint (at[tile], ==, TSR_NO_INDEX);
    }
  /* What is always live needs no steps. */
  always = tsr_liveness_list_always_live (opened.liveness, &all, NULL, NULL);
  g_assert_cmpuint (always->len, >, 0);
}

static void
test_damage (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (TsrLivenessSeries) all = NULL;
  g_autoptr (TsrLivenessSeries) hit = NULL;
  const gint64 *bytes;
  const guint32 *at;

  /* One allocation of unknown size, one of a class that nobody defines, one step that is missing,
   * and two sizes that no sum can hold. */
  analysis_report_open (
      &opened, "demo",
      "UPDATE vars_info SET size_bytes = NULL WHERE id = (SELECT min(id) FROM vars_info "
      "WHERE tile = 5 AND always_live = 0);"
      "UPDATE vars_info SET equivalence_class = 99999 WHERE id = (SELECT min(id) FROM "
      "vars_info WHERE tile = 6 AND always_live = 0);"
      "DELETE FROM liveness_steps WHERE step = 100;"
      "UPDATE liveness_steps SET not_always_live_bytes = 'x' WHERE step = 3;",
      TSR_LOAD_ALL);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (opened.report)), >, 0);
  g_assert_true (tsr_liveness_get_tile_peaks (opened.liveness, &bytes, &at, NULL, NULL));
  g_assert_cmpint (bytes[5], ==, TSR_UNKNOWN);
  g_assert_cmpuint (at[5], ==, TSR_NO_INDEX);
  g_assert_cmpint (bytes[6], ==, TSR_UNKNOWN);
  g_assert_cmpint (bytes[7], ==,
                   tsr_test_query (opened.folder, "profile.pop",
                                   "SELECT not_always_live FROM memory_by_tile WHERE tile = 7"));
  /* The file's sums stand; step 3 cannot be had from allocations that are not known. */
  all = compute (&opened, "all");
  g_assert_cmpint (all->not_always_live[3], ==, TSR_UNKNOWN);
  g_assert_cmpint (
      all->not_always_live[4], ==,
      tsr_test_query (opened.folder, "profile.pop",
                      "SELECT not_always_live_bytes FROM liveness_steps WHERE step = 4"));
  g_assert_cmpint (all->peak_bytes, ==, TSR_UNKNOWN);
  g_assert_cmpuint (all->peak_step, ==, TSR_NO_INDEX);
  hit = compute (&opened, "tile6");
  g_assert_cmpint (hit->not_always_live[0], ==, TSR_UNKNOWN);
}

static void
test_overflow (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (TsrLivenessSeries) all = NULL;
  guint64 before;

  analysis_report_open (
      &opened, "demo",
      "UPDATE liveness_steps SET not_always_live_bytes = NULL; DROP TABLE vars_info;"
      "DELETE FROM variable_lifetimes WHERE variable = 49;"
      "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2000) "
      "INSERT INTO variable_lifetimes SELECT 49, 10, 20, 9007199254740992 FROM t;",
      TSR_LOAD_ALL);
  before = tsr_diagnostics_get_n_errors (tsr_report_get_diagnostics (opened.report));
  all = compute (&opened, "all");
  g_assert_cmpint (all->not_always_live[9], !=, TSR_UNKNOWN);
  g_assert_cmpint (all->not_always_live[10], ==, TSR_UNKNOWN);
  g_assert_cmpint (all->not_always_live[19], ==, TSR_UNKNOWN);
  g_assert_cmpint (all->not_always_live[20], !=, TSR_UNKNOWN);
  g_assert_cmpint (all->peak_bytes, ==, TSR_UNKNOWN);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (tsr_report_get_diagnostics (opened.report)), >,
                    before);
}

static void
test_one_tile (void)
{
  g_auto (AnalysisReport) opened = { 0 };

  analysis_report_open (
      &opened, "tiny",
      "DELETE FROM vars_info WHERE tile > 0; DELETE FROM memory_by_tile WHERE tile > 0;"
      "DELETE FROM memory_by_tile_category WHERE tile > 0;"
      "DELETE FROM memory_by_tile_region WHERE tile > 0; DELETE FROM liveness_by_ipu;"
      "DELETE FROM tile_vars WHERE tile > 0; DELETE FROM variables;"
      "DELETE FROM variable_lifetimes; UPDATE vars_info SET variable = NULL;"
      "UPDATE liveness_steps SET not_always_live_bytes = NULL;"
      "UPDATE target SET tiles_per_ipu = 1, ipus_per_replica = 1, num_ipus = 1;",
      TSR_LOAD_ALL);
  check_series (&opened, "all", "1");
  check_series (&opened, "tile0", "1");
  check_series (&opened, "ipu0", "1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/liveness/invariants/tiny", "tiny", test_invariants);
  g_test_add_data_func ("/liveness/invariants/demo", "demo", test_invariants);
  g_test_add_data_func ("/liveness/invariants/oom", "oom", test_invariants);
  g_test_add_func ("/liveness/from-lowered", test_from_lowered);
  g_test_add_func ("/liveness/from-lifetimes", test_from_lifetimes);
  g_test_add_func ("/liveness/lists", test_lists);
  g_test_add_func ("/liveness/order-of-lists", test_order_of_lists);
  g_test_add_func ("/liveness/table", test_table);
  g_test_add_func ("/liveness/tiles-at", test_tiles_at);
  g_test_add_data_func ("/liveness/categories-at-peaks/tiny", "tiny", test_categories_at_peaks);
  g_test_add_data_func ("/liveness/categories-at-peaks/oom", "oom", test_categories_at_peaks);
  g_test_add_func ("/liveness/tiles-at-of", test_tiles_at_of);
  g_test_add_func ("/liveness/sum-of", test_sum_of);
  g_test_add_func ("/liveness/told", test_told);
  g_test_add_func ("/liveness/dying-twice", test_dying_twice);
  g_test_add_func ("/liveness/lifetimes-of", test_lifetimes_of);
  g_test_add_func ("/liveness/sources", test_sources);
  g_test_add_func ("/liveness/default-source", test_default_source);
  g_test_add_func ("/liveness/no-steps", test_no_steps);
  g_test_add_func ("/liveness/no-intervals", test_no_intervals);
  g_test_add_func ("/liveness/damage", test_damage);
  g_test_add_func ("/liveness/overflow", test_overflow);
  g_test_add_func ("/liveness/one-tile", test_one_tile);
  return g_test_run ();
}
