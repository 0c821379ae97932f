/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The trace of a made report against SQL on its file: slices, cycles by type, runs, and the numbers
 * of each tile of a step. */

#include "config.h"

#include "analysis-test.h"
#include "tsr-error.h"
#include "tsr-trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static TsrTrace *
open_trace (const char *sql, char **folder)
{
  g_autoptr (TsrReport) report
      = analysis_open_preset ("demo", sql, TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED, folder);
  g_autoptr (GError) error = NULL;
  TsrTrace *trace = tsr_trace_new (report, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (tsr_trace_get_report (trace) == report);
  return trace;
}

/* --------------------------------------------------------------------- figures */

static void
test_against_sql (void)
{
  char *folder = NULL;
  g_autoptr (TsrTrace) trace = open_trace (NULL, &folder);
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gint64 from, to;

  tsr_trace_get_span (trace, &from, &to);
  g_assert_cmpint (to, ==,
                   tsr_test_ask (folder, "SELECT max(cycles_base + active_cycles_to_max) FROM "
                                         "steps_by_ipu WHERE active_cycles_to_max > "
                                         "active_cycles_from_max"));
  g_assert_cmpfloat (tsr_trace_get_clock (trace), ==,
                     (double)tsr_test_ask (folder, "SELECT clock_frequency FROM target"));
  g_assert_cmpuint (tsr_trace_get_n_ipus (trace), ==, 2);
  for (guint ipu = 0; ipu < 2; ipu++)
    {
      TsrTraceSums sums;

      tsr_trace_sum (trace, ipu, from, to, 0, &sums);
      g_assert_cmpint (sums.n_slices, ==,
                       tsr_test_ask (folder,
                                     "SELECT count(*) FROM steps_by_ipu WHERE ipu = %u AND "
                                     "active_cycles_to_max > active_cycles_from_max",
                                     ipu));
      for (guint i = 0; i < tsr_trace_get_n_types (trace); i++)
        {
          const TsrTraceType *type = tsr_trace_get_type (trace, i);
          const char *which = type->external                            ? "AND p.name = 'External'"
                              : strcmp (type->name, "Sync") == 0        ? "AND p.name <> 'External'"
                              : type->start_up                          ? "AND s.id IN (SELECT "
                                                                          "first_step FROM runs)"
                              : !strcmp (type->name, "StreamCopyBegin") ? "AND s.id NOT IN (SELECT "
                                                                          "first_step FROM runs)"
                                                                        : "";

          g_assert_cmpint (
              sums.by_type[i], ==,
              tsr_test_ask (folder,
                            "SELECT coalesce(sum(active_cycles_to_max - active_cycles_from_max), 0)"
                            " FROM steps_by_ipu b JOIN steps s ON s.id = b.step_id LEFT JOIN "
                            "programs p ON p.id = s.program WHERE s.type = '%s' AND b.ipu = %u %s",
                            type->name, ipu, which));
        }
      g_assert_cmpint (sums.copy_in[TSR_COPY_HOST] + sums.copy_in[TSR_COPY_REMOTE]
                           + sums.copy_in[TSR_COPY_BOTH] + sums.copy_in[TSR_COPY_NOT_TOLD],
                       ==,
                       tsr_test_ask (folder,
                                     "SELECT sum(data_in) FROM steps_by_ipu b JOIN steps s ON s.id "
                                     "= b.step_id WHERE s.type = 'StreamCopyMid' AND ipu = %u",
                                     ipu));
    }
  g_assert_cmpuint (t->ipu_start[2], ==,
                    tsr_test_ask (folder, "SELECT count(*) FROM steps_by_ipu"));
  tsr_test_folder_free (folder);
}

/* The device span of docs/insights.md#execution: from the end of the run's first wait to its last
 * end. */
static void
test_device_spans (void)
{
  char *folder = NULL;
  g_autoptr (TsrTrace) trace = open_trace (NULL, &folder);

  g_assert_cmpuint (tsr_trace_get_n_runs (trace), ==, 3);
  g_assert_cmpuint (tsr_trace_get_profiled_run (trace), ==, 2);
  for (guint run = 0; run < 3; run++)
    {
      gint64 longest = 0;

      for (guint ipu = 0; ipu < 2; ipu++)
        {
          gint64 from, to;

          tsr_trace_get_device_span (trace, run, ipu, &from, &to);
          g_assert_cmpint (
              from, ==,
              tsr_test_ask (folder,
                            "SELECT cycles_base + active_cycles_to_max FROM steps_by_ipu "
                            "JOIN runs ON step_id = first_step WHERE runs.id = %u AND ipu = %u",
                            run, ipu));
          g_assert_cmpint (
              to, ==,
              tsr_test_ask (folder,
                            "SELECT max(cycles_base + active_cycles_to_max) FROM steps_by_ipu JOIN "
                            "runs ON step_id >= first_step AND step_id < end_step WHERE "
                            "active_cycles_to_max > active_cycles_from_max AND runs.id = %u "
                            "AND ipu = %u",
                            run, ipu));
          longest = MAX (longest, to - from);
        }
      g_assert_cmpint (tsr_trace_get_run (trace, run)->device, ==, longest);
    }
  tsr_test_folder_free (folder);
}

/* docs/formulas.md#runs, by the order of steps. */
static void
test_model_span (void)
{
  static const char work[] = "type IN ('OnTileExecute', 'DoExchange')";
  char *folder = NULL;
  g_autoptr (TsrTrace) trace = open_trace (NULL, &folder);

  for (guint r = 0; r < 3; r++)
    {
      const TsrTraceRun *run = tsr_trace_get_run (trace, r);
      gint64 input = tsr_test_ask (
          folder,
          "SELECT min(s.id) FROM steps s JOIN programs p ON p.id = s.program WHERE run = %u AND "
          "s.type = 'StreamCopyEnd' AND p.name LIKE 'copyFromHost%%'",
          r);
      gint64 first = tsr_test_ask (
          folder, "SELECT min(id) FROM steps WHERE run = %u AND id > %" PRId64 " AND %s", r, input,
          work);
      gint64 output = tsr_test_ask (
          folder,
          "SELECT min(s.id) FROM steps s JOIN programs p ON p.id = s.program WHERE run = %u AND "
          "s.type = 'StreamCopyBegin' AND p.name LIKE 'copyToHost%%' AND s.id > %" PRId64,
          r, first);

      if (first == G_MININT64 || output == G_MININT64)
        {
          g_assert_cmpint (run->model_from, ==, run->model_to);
          continue;
        }
      g_assert_cmpint (
          run->model_from, ==,
          tsr_test_ask (folder,
                        "SELECT min(cycles_base + active_cycles_from_max) FROM steps_by_ipu JOIN "
                        "steps ON steps.id = step_id WHERE active_cycles_to_max > "
                        "active_cycles_from_max AND %s AND step_id >= %" PRId64
                        " AND step_id < %" PRId64,
                        work, first, output));
      g_assert_cmpint (
          run->model_to, ==,
          tsr_test_ask (folder,
                        "SELECT max(cycles_base + active_cycles_to_max) FROM steps_by_ipu JOIN "
                        "steps ON steps.id = step_id WHERE active_cycles_to_max > "
                        "active_cycles_from_max AND %s AND step_id >= %" PRId64
                        " AND step_id < %" PRId64,
                        work, first, output));
      g_assert_cmpint (run->model_from, <, run->model_to);
    }
  g_assert_cmpint (tsr_trace_get_run (trace, 2)->model_to, >, 0);
  tsr_test_folder_free (folder);
}

/* ----------------------------------------------------------------- tile cycles */

static guint32
read_le (const char *hex, guint bytes)
{
  guint32 value = 0;

  for (guint i = 0; i < bytes; i++)
    value
        |= (guint32)(g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]))
           << (8 * i);
  return value;
}

/* The numbers of an array, from its data as hexadecimal text. */
static guint32 *
decode (const char *folder, const char *id, guint n)
{
  g_autoptr (GPtrArray) rows
      = tsr_test_ask_rows (folder, "SELECT encoding, hex(data) FROM tile_arrays WHERE id = %s", id);
  const GStrv row = g_ptr_array_index (rows, 0);
  guint32 *values = g_new0 (guint32, n);
  const char *hex = row[1];

  switch (atoi (row[0]))
    {
    case 0:
    case 1:
      for (guint i = 0; i < n; i++)
        values[i] = atoi (row[0]) == 0 ? read_le (hex + 8 * i, 4) : read_le (hex + 4 * i, 2);
      break;
    case 2:
      for (; *hex != '\0'; hex += 16)
        values[read_le (hex, 4)] = read_le (hex + 8, 4);
      break;
    default:
      for (guint i = 0; i < n; i++)
        values[i] = read_le (hex, 4);
    }
  return values;
}

static void
check_tile_cycles (const TsrTrace *trace, const char *folder, guint32 slice)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTileCycles) got = tsr_trace_load_tile_cycles (trace, slice, &error);
  g_autoptr (TsrTileCycles) again = tsr_trace_peek_tile_cycles (trace, slice);
  g_autoptr (GPtrArray) rows = NULL;
  TsrTraceSlice what;

  g_assert_no_error (error);
  tsr_trace_get_slice (trace, slice, &what);
  rows = tsr_test_ask_rows (folder,
                            "SELECT coalesce(start_by_tile, ''), cycles_by_tile FROM steps s JOIN "
                            "tile_cycles c ON c.set_id = s.tile_cycles WHERE s.id = %" PRId64
                            " AND c.ipu = %u ORDER BY c.rowid",
                            what.step_id, what.ipu);
  g_assert_true (got == again);
  if (rows->len == 0)
    {
      g_assert_null (got);
      return;
    }
  else
    {
      const GStrv row = g_ptr_array_index (rows, 0);
      g_autofree guint32 *cycles = decode (folder, row[1], got->n);
      g_autofree guint32 *start = *row[0] != '\0' ? decode (folder, row[0], got->n) : NULL;
      guint32 most = 0;

      g_assert_cmpuint (got->n, ==, 1472);
      g_assert_cmpmem (got->cycles, got->n * sizeof *cycles, cycles, got->n * sizeof *cycles);
      g_assert_true ((got->start == NULL) == (start == NULL));
      if (start != NULL)
        g_assert_cmpmem (got->start, got->n * sizeof *start, start, got->n * sizeof *start);
      for (guint i = 0; i < got->n; i++)
        if (cycles[i] > 0)
          most = MAX (most, cycles[i] + (start != NULL ? start[i] : 0));
      g_assert_cmpuint (got->to_max, ==, most);
    }
}

/* Also where the file has several of a set and IPU, of which the first is taken, and some of IPUs
 * that there are not. */
static void
test_tile_cycles (void)
{
  static const char *const changes[] = {
    NULL,
    "CREATE TABLE more AS SELECT set_id, ipu + 2 AS ipu, start_by_tile, (SELECT max"
    " (cycles_by_tile) FROM tile_cycles) AS cycles_by_tile FROM tile_cycles UNION ALL SELECT"
    " set_id, ipu, start_by_tile, cycles_by_tile FROM tile_cycles UNION ALL SELECT set_id, ipu,"
    " NULL, (SELECT max (cycles_by_tile) FROM tile_cycles) FROM tile_cycles;"
    "DROP TABLE tile_cycles; ALTER TABLE more RENAME TO tile_cycles"
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      char *folder = NULL;
      g_autoptr (TsrTrace) trace = open_trace (changes[i], &folder);
      guint32 n = tsr_trace_get_tables (trace)->ipu_start[2];

      g_assert_null (tsr_trace_peek_tile_cycles (trace, 100));
      for (guint32 slice = 0; slice < n; slice += 61)
        check_tile_cycles (trace, folder, slice);
      tsr_test_folder_free (folder);
    }
}

/* The 512 that were asked for last are kept.  (Each step has its own here.) */
static void
test_kept (void)
{
  char *folder = NULL;
  g_autoptr (TsrTrace) trace = open_trace (
      "CREATE TABLE one AS SELECT cycles_by_tile FROM tile_cycles LIMIT 1; DELETE FROM tile_cycles;"
      "INSERT INTO tile_cycles (set_id, ipu, cycles_by_tile) SELECT id, 0, cycles_by_tile FROM "
      "steps, one; UPDATE steps SET tile_cycles = id",
      &folder);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint32 slices[513];
  guint n = 0;

  for (guint32 slice = 0; n < G_N_ELEMENTS (slices); slice++)
    {
      const gint64 set = tsr_trace_get_tile_set (trace, slice);

      if (set != TSR_UNKNOWN && g_hash_table_add (seen, g_memdup2 (&set, sizeof set)))
        slices[n++] = slice;
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (TsrTileCycles) cycles = tsr_trace_load_tile_cycles (trace, slices[i], NULL);
      g_autoptr (TsrTileCycles) first = tsr_trace_peek_tile_cycles (trace, slices[0]);

      g_assert_nonnull (cycles);
      g_assert_nonnull (first);
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (TsrTileCycles) cycles = tsr_trace_peek_tile_cycles (trace, slices[i]);

      g_assert_cmpint (cycles != NULL, ==, i != 1);
    }
  tsr_test_folder_free (folder);
}

typedef struct
{
  const TsrTrace *trace;
  guint first;
} Reader;

/* Sum over every seventh slice, each reader from another place on. */
static gpointer
read_many (gpointer data)
{
  const Reader *reader = data;
  guint n = tsr_trace_get_tables (reader->trace)->ipu_start[2] / 7;
  guint64 sum = 0;

  for (guint i = 0; i < n; i++)
    {
      guint32 at = 7 * ((i + reader->first * n / 4) % n);
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrTileCycles) cycles = tsr_trace_load_tile_cycles (reader->trace, at, &error);

      g_assert_no_error (error);
      for (guint k = 0; cycles != NULL && k < cycles->n; k++)
        sum += (guint64)cycles->cycles[k] * (k + 1);
    }
  return GSIZE_TO_POINTER (sum);
}

static void
test_many_readers (void)
{
  char *folder = NULL;
  g_autoptr (TsrTrace) trace = open_trace (NULL, &folder);
  g_autoptr (TsrTrace) alone = tsr_trace_new (tsr_trace_get_report (trace), NULL, NULL);
  GThread *threads[4];
  Reader readers[4];
  gpointer expected;

  for (guint i = 0; i < 4; i++)
    {
      readers[i] = (Reader){ trace, i };
      threads[i] = g_thread_new ("reader", read_many, &readers[i]);
    }
  expected = read_many (&(Reader){ alone, 0 });
  g_assert_nonnull (expected);
  for (guint i = 0; i < 4; i++)
    g_assert_true (g_thread_join (threads[i]) == expected);
  tsr_test_folder_free (folder);
}

/* Arrays that are not what they should be, sets that are not there: no numbers, never wrong ones.
 */
static void
test_damaged_arrays (void)
{
  static const char *const damages[] = {
    "DELETE FROM tile_cycles;",
    "DROP TABLE tile_cycles;",
    "UPDATE tile_cycles SET cycles_by_tile = 99999999;",
    "UPDATE tile_arrays SET data = x'0102030405';",
    "UPDATE tile_arrays SET total = total + 1;",
    "UPDATE tile_cycles SET ipu = ipu + 2;",
    "UPDATE steps SET tile_cycles = -5;",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      char *folder = NULL;
      g_autoptr (TsrTrace) trace = open_trace (damages[i], &folder);

      for (guint32 slice = 0; slice < 200; slice++)
        {
          g_autoptr (GError) error = NULL;

          g_assert_null (tsr_trace_load_tile_cycles (trace, slice, &error));
          g_assert_no_error (error);
        }
      tsr_test_folder_free (folder);
    }
}

/* -------------------------------------------------------------------- search */

static gboolean
has_word (const char *name, gpointer word)
{
  g_autofree char *folded = g_ascii_strdown (name, -1);

  return strstr (folded, word) != NULL;
}

/* All matches, on one IPU, and without a type: as many as SQL's LIKE finds, and as one walks from
 * one to the next. */
static void
check_search (const char *folder, const TsrTrace *trace, const char *word, gint64 least)
{
  static const char sql[]
      = "SELECT count(*) FROM steps_by_ipu b JOIN steps s ON s.id = b.step_id LEFT JOIN "
        "compute_sets c ON c.compute_set = s.compute_set LEFT JOIN programs p ON p.id = s.program "
        "WHERE b.active_cycles_to_max > b.active_cycles_from_max AND coalesce(c.name, p.name) LIKE "
        "'%%%s%%' %s";
  g_autoptr (TsrTraceMatches) matches = tsr_trace_matches_new (trace, has_word, (gpointer)word);
  g_autofree guint8 *one = g_new0 (guint8, tsr_trace_get_n_ipus (trace));
  guint32 exchanges = tsr_trace_find_types (trace, "DoExchange");
  guint32 slice = TSR_NO_SLICE;
  guint64 all, of_ipu, without, place, walked = 0;

  one[1] = 1;
  g_assert_true (tsr_trace_count_matches (trace, matches, NULL, NULL, 0, 0, NULL, &all, NULL));
  g_assert_true (tsr_trace_count_matches (trace, matches, NULL, one, 0, 0, NULL, &of_ipu, NULL));
  g_assert_true (
      tsr_trace_count_matches (trace, matches, NULL, NULL, exchanges, 0, NULL, &without, NULL));
  g_assert_cmpint ((gint64)all, ==, tsr_test_ask (folder, sql, word, ""));
  g_assert_cmpint ((gint64)of_ipu, ==, tsr_test_ask (folder, sql, word, "AND ipu = 1"));
  g_assert_cmpint ((gint64)without, ==,
                   tsr_test_ask (folder, sql, word, "AND s.type <> 'DoExchange'"));
  for (guint run = 0; run < tsr_trace_get_n_runs (trace); run++)
    {
      g_autofree char *of_run = g_strdup_printf ("AND s.run = %u", run);
      guint64 n;

      g_assert_true (tsr_trace_count_matches (trace, matches, tsr_trace_get_run (trace, run), NULL,
                                              0, 0, NULL, &n, NULL));
      g_assert_cmpint ((gint64)n, ==, tsr_test_ask (folder, sql, word, of_run));
    }
  g_assert_cmpint ((gint64)all, >=, least);
  while ((slice = tsr_trace_find_match (trace, matches, NULL, NULL, 0, slice, TRUE))
         != TSR_NO_SLICE)
    {
      if (walked % 97 == 0)
        {
          g_assert_true (
              tsr_trace_count_matches (trace, matches, NULL, NULL, 0, slice, NULL, &all, &place));
          g_assert_cmpuint (place, ==, walked);
        }
      walked++;
    }
  g_assert_cmpuint (walked, ==, all);
}

/* Steps of some programs: each that has one of them, and no other. */
static void
check_programs (const TsrTrace *trace)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  const guint32 n = tsr_trace_get_programs (trace)->n_programs;
  g_autofree guint8 *flags = g_new0 (guint8, n);

  for (guint32 every = 1; every <= n + 1; every = every * 3 + 1)
    {
      g_autoptr (TsrTraceMatches) matches = NULL;
      guint n_slices = 0;

      for (guint32 p = 0; p < n; p++)
        flags[p] = p % every == every - 1;
      /* Fewer than there are: none of those beyond. */
      matches = tsr_trace_matches_new_programs (trace, flags, n - 1);
      for (guint32 slice = 0; slice < t->ipu_start[t->n_ipus]; slice++)
        {
          const guint32 program = t->step_program[t->slice_step[slice]];
          const gboolean is = program < n - 1 && flags[program];

          g_assert_cmpint (tsr_trace_matches_has_slice (matches, trace, slice), ==, is);
          n_slices += is;
        }
      g_assert_cmpint (tsr_trace_matches_has_any (matches, trace), ==, n_slices > 0);
      for (guint i = 0; i < tsr_trace_get_n_names (trace); i++)
        g_assert_false (tsr_trace_matches_has (matches, i));
    }
  {
    g_autoptr (TsrTraceMatches) none = tsr_trace_matches_new_programs (trace, NULL, 0);

    g_assert_false (tsr_trace_matches_has_any (none, trace));
  }
}

static void
test_search (void)
{
  char *folder = NULL;
  g_autoptr (TsrTrace) trace = open_trace (NULL, &folder);

  check_search (folder, trace, "conv", 100);
  check_search (folder, trace, "model/layer1", 10);
  check_search (folder, trace, "exchangepre", 10);
  check_search (folder, trace, "external", 1);
  check_search (folder, trace, "copyfromhost", 1);
  check_search (folder, trace, "nothing of the kind", 0);
  check_search (folder, trace, "", 1000);
  check_programs (trace);
  tsr_test_folder_free (folder);
}

/* --------------------------------------------------------------------- parts */

/* Lightweight profiling alone is an execution, too: blocks, and no slices. */
static void
test_no_execution (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = NULL;
  g_autoptr (TsrReport) report = analysis_open_preset (
      "demo", "DELETE FROM steps_by_ipu; DELETE FROM blocks;", TSR_LOAD_NO_LIVENESS, &folder);
  g_autoptr (TsrTrace) blocks = NULL;

  g_assert_null (tsr_trace_new (report, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  tsr_test_folder_free (folder);
  blocks = open_trace ("DELETE FROM steps_by_ipu;", &folder);
  g_assert_cmpuint (tsr_trace_get_tables (blocks)->n_blocks, >, 0);
  g_assert_cmpuint (tsr_trace_get_n_tracks (blocks), ==, 0);
  tsr_test_folder_free (folder);
}

static void
test_real_replica (void)
{
  char *folder = NULL;
  g_autoptr (TsrTrace) trace = open_trace (
      "INSERT INTO engine_options (name, value) VALUES ('profiler.replicaToProfile', '3');",
      &folder);
  gint64 replica, ipu;

  tsr_trace_get_replica (trace, 1, &replica, &ipu);
  g_assert_cmpint (replica, ==, 3);
  g_assert_cmpint (ipu, ==, 1);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/report/sql", test_against_sql);
  g_test_add_func ("/trace/report/device-spans", test_device_spans);
  g_test_add_func ("/trace/report/model-span", test_model_span);
  g_test_add_func ("/trace/report/tile-cycles", test_tile_cycles);
  g_test_add_func ("/trace/report/kept", test_kept);
  g_test_add_func ("/trace/report/many-readers", test_many_readers);
  g_test_add_func ("/trace/report/damaged-arrays", test_damaged_arrays);
  g_test_add_func ("/trace/report/search", test_search);
  g_test_add_func ("/trace/report/no-execution", test_no_execution);
  g_test_add_func ("/trace/report/real-replica", test_real_replica);
  return g_test_run ();
}
