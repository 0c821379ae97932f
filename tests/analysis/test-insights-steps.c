/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rules 14 to 20 say of whole reports, against loops over the rows that plain SQL gives. */

#include "config.h"

#include "insights-report.h"
#include "tsr-test.h"
#include "tsr-trace-balance.h"

#include <math.h>
#include <string.h>

/* One row of steps_by_ipu in the profiled run, from the end of the run's leading wait on. */
typedef struct
{
  guint ipu;
  char *type, *name;
  gint64 start, end, set, active; /* set: compute set, -1 for none; active: tiles, -1 for unknown */
  double balance;
} Row;

typedef struct
{
  GPtrArray *rows; /* by IPU, then start */
  guint n_ipus;    /* of the first replica */
  gint64 span;     /* S */
} Rows;

static void
row_free (gpointer data)
{
  Row *row = data;

  g_free (row->type);
  g_free (row->name);
  g_free (row);
}

static void
rows_clear (Rows *rows)
{
  g_clear_pointer (&rows->rows, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

static void
rows_read (Rows *self, const char *folder)
{
  gint64 run
      = tsr_test_ask (folder, "SELECT max(id) FROM runs WHERE end_step - first_step = (SELECT "
                              "count(*) FROM steps WHERE id >= first_step AND id < end_step)");
  g_autoptr (GPtrArray) all = NULL;
  gint64 first = 0;
  gboolean leading = TRUE;
  guint ipu = G_MAXUINT;

  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->n_ipus = (guint)tsr_test_ask (folder, "SELECT ipus_per_replica FROM target");
  all = tsr_test_ask_rows (
      folder,
      "SELECT b.ipu, s.type, coalesce(c.name, p.name, ''), b.cycles_base + "
      "b.active_cycles_from_max, "
      "b.cycles_base + b.active_cycles_to_max, coalesce(s.compute_set, -1), "
      "coalesce(b.active_tile_balance, -1), coalesce(b.active_tiles, -1) FROM steps_by_ipu b JOIN "
      "steps s ON s.id = b.step_id "
      "LEFT JOIN compute_sets c ON c.compute_set = s.compute_set LEFT JOIN programs p ON p.id = "
      "s.program "
      "WHERE s.run = %d AND b.ipu < %u AND b.active_cycles_to_max > b.active_cycles_from_max "
      "ORDER BY b.ipu, 4, 5",
      (int)run, self->n_ipus);
  for (guint i = 0; i < all->len; i++)
    {
      char **text = all->pdata[i];
      Row *row;

      if ((guint)atoi (text[0]) != ipu)
        {
          ipu = (guint)atoi (text[0]);
          leading = TRUE;
        }
      if (leading && g_str_equal (text[1], "StreamCopyBegin"))
        {
          leading = FALSE;
          first = g_ascii_strtoll (text[4], NULL, 10);
          continue;
        }
      if (leading)
        first = g_ascii_strtoll (text[3], NULL, 10);
      leading = FALSE;
      row = g_new0 (Row, 1);
      row->ipu = ipu;
      row->type = g_strdup (text[1]);
      row->name = g_strdup (text[2]);
      row->start = g_ascii_strtoll (text[3], NULL, 10);
      row->end = g_ascii_strtoll (text[4], NULL, 10);
      row->set = g_ascii_strtoll (text[5], NULL, 10);
      row->balance = g_ascii_strtod (text[6], NULL);
      row->active = g_ascii_strtoll (text[7], NULL, 10);
      self->span = MAX (self->span, row->end - first);
      g_ptr_array_add (self->rows, row);
    }
}

static gboolean
is (const Row *row, const char *type)
{
  return g_str_equal (row->type, type);
}

static const TsrFinding *
find (const AnalysisReport *opened, const char *rule)
{
  GPtrArray *findings = tsr_insights_peek_findings (opened->insights);

  for (guint i = 0; i < findings->len; i++)
    if (g_str_equal (((TsrFinding *)findings->pdata[i])->rule, rule))
      return findings->pdata[i];
  return NULL;
}

/* A rule fires exactly when @share reaches @limit; a share right at the limit is not told apart. */
static const TsrFinding *
check_fired (const AnalysisReport *opened, const char *rule, double share, double limit)
{
  const TsrFinding *finding = find (opened, rule);

  g_assert_cmpfloat (fabs (share - limit), >, 1e-6);
  g_test_message ("%s: %g of %g", rule, share, limit);
  g_assert_true ((finding != NULL) == (share >= limit));
  return finding;
}

static gint64
get_evidence (const TsrFinding *finding)
{
  return g_array_index (finding->evidence, TsrEvidence, 0).cycles;
}

/* -------------------------------------------------------------- 14, 17, 20 */

/* Cycles that one IPU's compute steps lose, and of that the dearest compute set's. */
static double
sum_lost (const Rows *rows, guint ipu, double *worst)
{
  g_autoptr (GHashTable) sets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer value;
  double sum = 0;

  *worst = 0;
  for (guint i = 0; i < rows->rows->len; i++)
    {
      const Row *row = rows->rows->pdata[i];
      gint64 d = row->end - row->start;
      double *lost;

      if (row->ipu != ipu || !is (row, "OnTileExecute") || d < 200 || row->balance < 0)
        continue;
      lost = g_hash_table_lookup (sets, &row->set);
      if (lost == NULL)
        {
          lost = g_new0 (double, 1);
          g_hash_table_insert (sets, g_memdup2 (&row->set, sizeof row->set), lost);
        }
      *lost += (double)d * (1 - row->balance);
      sum += (double)d * (1 - row->balance);
    }
  g_hash_table_iter_init (&iter, sets);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    *worst = MAX (*worst, *(double *)value);
  return sum;
}

static void
check_lost (const AnalysisReport *opened, const Rows *rows)
{
  const TsrFinding *stages = find (opened, "stage-imbalance");
  const TsrFinding *finding;
  double most = 0, worst = 0;

  /* Uneven stages leave only the IPU that works most; which one that is other tests say. */
  if (stages != NULL && stages->cycles > 0)
    return;
  for (guint ipu = 0; ipu < rows->n_ipus; ipu++)
    {
      double dearest;
      double lost = sum_lost (rows, ipu, &dearest);

      if (lost > most)
        {
          most = lost;
          worst = dearest;
        }
    }
  finding = check_fired (opened, "compute-imbalance", most / (double)rows->span, 0.05);
  if (finding != NULL)
    g_assert_cmpfloat_with_epsilon ((double)get_evidence (finding), worst, 1 + worst * 1e-5);
}

/* What steps on few tiles cost, of the tiles that compute at all, on the IPU where it is most. */
static void
check_idle (const AnalysisReport *opened, const Rows *rows)
{
  const guint run = tsr_trace_get_profiled_run (opened->trace);
  const TsrFinding *finding;
  double most = -1;
  gint64 most_tiles = 0;

  for (guint ipu = 0; ipu < rows->n_ipus; ipu++)
    {
      gint64 from, to, n = 0;
      g_autoptr (TsrTraceTiles) tiles = NULL;
      double cost = 0;

      tsr_trace_get_device_span (opened->trace, run, ipu, &from, &to);
      tiles = tsr_trace_tiles (opened->trace, tsr_trace_get_run (opened->trace, run), ipu, from, to,
                               NULL, NULL);
      for (guint t = 0; t < tiles->n; t++)
        n += tiles->compute[t] > 0;
      if (n == 0)
        n = tsr_trace_get_tiles_per_ipu (opened->trace);
      for (guint i = 0; i < rows->rows->len; i++)
        {
          const Row *row = rows->rows->pdata[i];

          if (row->ipu == ipu && is (row, "OnTileExecute") && row->end - row->start >= 1000
              && row->active >= 0 && 2 * row->active <= n)
            cost += (double)(row->end - row->start) * (1 - (double)row->active / (double)n);
        }
      if (cost > most)
        {
          most = cost;
          most_tiles = n;
        }
    }
  finding = check_fired (opened, "idle-tiles", most / (double)rows->span, 0.03);
  if (finding != NULL)
    {
      g_autofree char *count = tsr_units_dup_count (most_tiles);
      g_autofree char *of = g_strdup_printf (" of %s tiles that compute", count);

      g_assert_cmpint (finding->cycles, ==, (gint64)(most + 0.5));
      g_assert_nonnull (strstr (finding->text, of));
    }
}

static void
check_waiting (const AnalysisReport *opened, const Rows *rows)
{
  const TsrFinding *finding;
  gint64 least = G_MAXINT64;

  for (guint ipu = 0; ipu < rows->n_ipus; ipu++)
    {
      gint64 sum = 0;

      for (guint i = 0; i < rows->rows->len; i++)
        {
          const Row *row = rows->rows->pdata[i];

          if (row->ipu == ipu && is (row, "StreamCopyBegin")
              && strstr (row->name, "BlockFlush") == NULL)
            sum += row->end - row->start;
        }
      least = MIN (least, sum);
    }
  finding = check_fired (opened, "host-wait", (double)least / (double)rows->span, 0.05);
  if (finding != NULL)
    g_assert_cmpint (finding->cycles, ==, least);
}

static void
check_tiny (const AnalysisReport *opened, const Rows *rows)
{
  const TsrFinding *finding = find (opened, "tiny-steps");
  gint64 most = 0, syncs = 0;
  guint n = 0;

  for (guint ipu = 0; ipu < rows->n_ipus; ipu++)
    {
      gboolean after = FALSE;
      gint64 sum = 0, of_syncs = 0;
      guint count = 0;

      for (guint i = 0; i < rows->rows->len; i++)
        {
          const Row *row = rows->rows->pdata[i];
          gint64 d = row->end - row->start;

          if (row->ipu != ipu)
            continue;
          if (after
              && (is (row, "Sync") || is (row, "StreamCopyEnd") || is (row, "SyncAns")
                  || is (row, "Sans")))
            of_syncs += d;
          else
            {
              after = (is (row, "OnTileExecute") || is (row, "DoExchange")) && d < 300;
              sum += after ? d : 0;
              count += after;
            }
        }
      if (sum + of_syncs > most)
        {
          most = sum + of_syncs;
          syncs = of_syncs;
          n = count;
        }
    }
  g_assert_true ((finding != NULL) == (n >= 1000 && (double)most >= 0.1 * (double)rows->span));
  if (finding != NULL)
    g_assert_cmpint (finding->cycles, ==, syncs);
}

/* ------------------------------------------------------------------- 16 */

static void
check_exchanging (const AnalysisReport *opened, const Rows *rows)
{
  const TsrFinding *finding = find (opened, "exchange-bound");
  gboolean fires = FALSE;

  for (guint ipu = 0; ipu < rows->n_ipus; ipu++)
    {
      g_autoptr (GHashTable) prefixes
          = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      GHashTableIter iter;
      gpointer value;
      double whole[2] = { 0, 0 };

      for (guint i = 0; i < rows->rows->len; i++)
        {
          const Row *row = rows->rows->pdata[i];
          g_auto (GStrv) parts = NULL;
          g_autofree char *prefix = NULL;
          double *sums;

          if (row->ipu != ipu || (!is (row, "OnTileExecute") && !is (row, "DoExchange")))
            continue;
          parts = g_strsplit (row->name, "/", 3);
          prefix = g_strdup_printf ("%s/%s", parts[0] != NULL ? parts[0] : "",
                                    parts[0] != NULL && parts[1] != NULL ? parts[1] : "");
          sums = g_hash_table_lookup (prefixes, prefix);
          if (sums == NULL)
            {
              sums = g_new0 (double, 2);
              g_hash_table_insert (prefixes, g_steal_pointer (&prefix), sums);
            }
          sums[is (row, "DoExchange")] += (double)(row->end - row->start);
          whole[is (row, "DoExchange")] += (double)(row->end - row->start);
        }
      fires = fires || whole[1] >= 0.35 * (whole[0] + whole[1]);
      g_hash_table_iter_init (&iter, prefixes);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        {
          const double *sums = value;

          fires = fires
                  || (sums[1] >= 0.03 * (double)rows->span && sums[1] >= 0.5 * (sums[0] + sums[1]));
        }
    }
  g_assert_true ((finding != NULL) == fires);
}

/* ------------------------------------------------------------------- 18 */

/* Cycles of copies of @ipu that no compute or exchange covers, without those before the first and
 * after the last compute step: cycle by cycle. */
static gint64
count_alone (const Rows *rows, guint ipu)
{
  gint64 first = G_MAXINT64, last = G_MININT64, low = G_MAXINT64, high = G_MININT64, alone = 0;
  g_autofree guint8 *seen = NULL;

  for (guint i = 0; i < rows->rows->len; i++)
    {
      const Row *row = rows->rows->pdata[i];

      if (row->ipu != ipu)
        continue;
      low = MIN (low, row->start);
      high = MAX (high, row->end);
      if (!is (row, "OnTileExecute"))
        continue;
      first = MIN (first, row->start);
      last = MAX (last, row->end);
    }
  if (low >= high)
    return 0;
  seen = g_new0 (guint8, high - low);
  for (guint i = 0; i < rows->rows->len; i++)
    {
      const Row *row = rows->rows->pdata[i];
      guint8 bit = is (row, "StreamCopyMid")                             ? 1
                   : is (row, "OnTileExecute") || is (row, "DoExchange") ? 2
                                                                         : 0;

      for (gint64 at = row->start; row->ipu == ipu && bit != 0 && at < row->end; at++)
        seen[at - low] |= bit;
    }
  for (gint64 at = first; at < last; at++)
    alone += seen[at - low] == 1;
  return alone;
}

static void
check_copies (const AnalysisReport *opened, const Rows *rows)
{
  gint64 most = 0;

  for (guint ipu = 0; ipu < rows->n_ipus; ipu++)
    most = MAX (most, count_alone (rows, ipu));
  check_fired (opened, "unoverlapped-io", (double)most / (double)rows->span, 0.05);
}

static void
test_report (gconstpointer preset)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_auto (Rows) rows = { 0 };

  insights_report_open (&opened, preset, NULL);
  rows_read (&rows, opened.folder);
  g_assert_cmpuint (rows.rows->len, >, 0);
  check_lost (&opened, &rows);
  check_idle (&opened, &rows);
  check_waiting (&opened, &rows);
  check_tiny (&opened, &rows);
  check_exchanging (&opened, &rows);
  check_copies (&opened, &rows);
}

/* Balances that are too low make what waits for tiles too much: the same report, worse. */
static void
test_worse (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_auto (Rows) rows = { 0 };

  insights_report_open (
      &opened, "demo",
      "UPDATE steps_by_ipu SET active_tile_balance = 0.1 WHERE active_tile_balance > 0");
  rows_read (&rows, opened.folder);
  check_lost (&opened, &rows);
  g_assert_nonnull (find (&opened, "compute-imbalance"));
}

/* Longer steps of a few tiles, where all, one or none of them are told to compute. */
static void
test_idle (void)
{
#define ONLY(cycles, n)                                                                            \
  "INSERT INTO tile_arrays (id, encoding, total, maximum, data) SELECT 901, encoding, " n ", " n   \
  ", "                                                                                             \
  "CAST (" cycles " || zeroblob (length (data) - 1) AS BLOB) FROM tile_arrays WHERE id = (SELECT " \
  "min (cycles_by_tile) FROM tile_cycles); UPDATE tile_cycles SET cycles_by_tile = 901;"
  static const char *const sqls[] = { "", ONLY ("X'01'", "1"), ONLY ("X'00'", "0") };
#undef ONLY
  guint n_fired = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sqls); i++)
    {
      g_auto (AnalysisReport) opened = { 0 };
      g_auto (Rows) rows = { 0 };
      g_autofree char *sql = g_strconcat (
          sqls[i],
          "UPDATE steps_by_ipu SET active_tiles = ipu % 2, cycles = cycles * 100, cycles_base = "
          "cycles_base * 100, active_cycles_from_min = active_cycles_from_min * 100, "
          "active_cycles_from_max = active_cycles_from_max * 100, active_cycles_to_min = "
          "active_cycles_to_min * 100, active_cycles_to_max = active_cycles_to_max * 100",
          NULL);

      insights_report_open (&opened, "tiny", sql);
      rows_read (&rows, opened.folder);
      check_idle (&opened, &rows);
      n_fired += find (&opened, "idle-tiles") != NULL;
    }
  g_assert_cmpuint (n_fired, ==, G_N_ELEMENTS (sqls));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/insights/steps/tiny", "tiny", test_report);
  g_test_add_data_func ("/insights/steps/demo", "demo", test_report);
  g_test_add_func ("/insights/steps/worse", test_worse);
  g_test_add_func ("/insights/steps/idle", test_idle);
  return g_test_run ();
}
