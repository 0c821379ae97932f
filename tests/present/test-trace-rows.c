/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tabs of the Execution Trace say of a made report, against plain SQL on its file and the
 * figures of the analyses. */

#include "config.h"

#include "rows-check.h"
#include "tsr-test.h"
#include "tsr-tables.h"

#include <math.h>
#include <string.h>

typedef struct
{
  char *folder;
  TsrReport *report;
  TsrMemory *memory;
  TsrTrace *trace;
  TsrTraceQuestion question; /* borrowed; all of the profiled run */
} Fixture;

static void
open_report (Fixture *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  const TsrTraceRun *run;

  f->report = tsr_report_open_sync (place, f->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  f->memory = tsr_memory_new (f->report);
  f->trace = tsr_trace_new (f->report, NULL, &error);
  g_assert_no_error (error);
  run = tsr_trace_get_run (f->trace, tsr_trace_get_profiled_run (f->trace));
  f->question = (TsrTraceQuestion){
    .trace = f->trace,
    .memory = f->memory,
    .from = run->start,
    .to = run->end,
    .ipu = TSR_NO_INDEX,
    .depth = 2,
  };
}

static void
setup (Fixture *f, gconstpointer data)
{
  f->folder = tsr_test_report_new ("demo");
  if (data != NULL)
    tsr_test_copy (tsr_test_get_report ("demo"), f->folder, data);
  open_report (f);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  tsr_trace_unref (f->trace);
  tsr_memory_unref (f->memory);
  g_object_unref (f->report);
  tsr_test_folder_free (f->folder);
}

static TsrTraceAnswer *
ask (Fixture *f, TsrTraceTab tab)
{
  g_autoptr (GError) error = NULL;
  TsrTableQuestion *copy, asked = { 0 };
  TsrTraceAnswer *answer;

  f->question.tab = tab;
  asked.of_trace = f->question;
  copy = tsr_table_question_copy (&asked);
  answer = tsr_trace_answer_new (&copy->of_trace, NULL, &error);
  g_assert_true (tsr_table_question_equal (copy, &asked));
  tsr_table_question_free (copy);
  g_assert_no_error (error);
  g_assert_nonnull (answer);
  rows_check (answer->rows);
  rows_check (answer->more);
  return answer;
}

static gint64 query (Fixture *f, const char *format, ...) G_GNUC_PRINTF (2, 3);
static gint64
query (Fixture *f, const char *format, ...)
{
  g_autofree char *sql = NULL;
  va_list args;

  va_start (args, format);
  sql = g_strdup_vprintf (format, args);
  va_end (args);
  return tsr_test_query (f->folder, "profile.pop", sql);
}

static guint
find_column (TsrRows *rows, const char *key)
{
  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    if (g_str_equal (tsr_rows_get_column (rows, i)->key, key))
      return i;
  g_error ("no column %s", key);
}

static gint64
get_value (TsrRows *rows, guint32 row, const char *key)
{
  return tsr_rows_get_value (rows, row, find_column (rows, key));
}

static guint32
find_row (TsrRows *rows, const char *key, const char *text)
{
  for (guint32 i = 0; i < tsr_rows_get_n (rows); i++)
    if (g_strcmp0 (tsr_rows_get_text (rows, i, find_column (rows, key)), text) == 0)
      return i;
  g_error ("no row %s", text);
}

#define START "(cycles_base + active_cycles_from_max)"
#define SLICES                                                                                     \
  "steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE active_cycles_to_max > "                  \
  "active_cycles_from_max AND "
#define D "(active_cycles_to_max - active_cycles_from_max)"

static void
test_summary (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) answer = ask (f, TSR_TRACE_TAB_SUMMARY);
  gint64 from = f->question.from, to = f->question.to;

  g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, 3); /* two IPUs of one replica, and both */
  for (guint ipu = 0; ipu < 2; ipu++)
    {
      gint64 compute = query (f,
                              "SELECT sum(" D ") FROM " SLICES "s.type = 'OnTileExecute' AND i.ipu "
                              "= %u AND " START " >= %" G_GINT64_FORMAT,
                              ipu, from);
      gint64 rx = query (f,
                         "SELECT sum(data_in) FROM " SLICES "s.type = 'GlobalExchange' AND i.ipu = "
                         "%u AND " START " >= %" G_GINT64_FORMAT,
                         ipu, from);
      gint64 host = query (f,
                           "SELECT coalesce(sum(data_in), 0) FROM steps s JOIN steps_by_ipu i ON "
                           "i.step_id = s.id JOIN programs p ON p.id = s.program WHERE s.type = "
                           "'StreamCopyMid' AND p.stream_copy_kind = 'host' AND i.ipu = %u AND "
                           "active_cycles_to_max > active_cycles_from_max AND " START
                           " >= %" G_GINT64_FORMAT,
                           ipu, from);

      g_assert_cmpint (get_value (answer->rows, ipu, "cyclesByType.OnTileExecute"), ==, compute);
      g_assert_cmpint (get_value (answer->more, ipu, "globalExchangeRx"), ==, rx);
      g_assert_cmpint (get_value (answer->more, ipu, "hostRx"), ==, host);
      g_assert_cmpint (get_value (answer->rows, ipu, "tileUtilisation"), ==,
                       llround (answer->sums[ipu].utilisation * 1e9));
      g_assert_nonnull (
          strstr (tsr_rows_get_text (answer->rows, ipu, find_column (answer->rows, "proportions")),
                  "OnTileExecute"));
    }
  g_assert_cmpint (get_value (answer->rows, 2, "cyclesByType.OnTileExecute"), ==,
                   get_value (answer->rows, 0, "cyclesByType.OnTileExecute")
                       + get_value (answer->rows, 1, "cyclesByType.OnTileExecute"));
  g_assert_cmpint (to, >, from);
}

static void
test_hidden (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) all = ask (f, TSR_TRACE_TAB_SUMMARY);
  g_autoptr (TsrTraceAnswer) seen = NULL, none = NULL;
  gint64 exchange;

  f->question.hidden = tsr_trace_find_types (f->trace, "DoExchange");
  f->question.ipu = 1;
  seen = ask (f, TSR_TRACE_TAB_SUMMARY);
  g_assert_cmpuint (tsr_rows_get_n (seen->rows), ==, 1);
  exchange = get_value (all->rows, 1, "cyclesByType.DoExchange");
  g_assert_cmpint (get_value (seen->rows, 0, "countedCycles"), ==,
                   get_value (all->rows, 1, "countedCycles") - exchange);
  g_assert_cmpint (get_value (seen->rows, 0, "excludedCycles"), ==,
                   get_value (all->rows, 1, "excludedCycles") + exchange);
  /* Of nothing that is seen there are no shares. */
  f->question.hidden = G_MAXUINT32;
  none = ask (f, TSR_TRACE_TAB_SUMMARY);
  g_assert_cmpint (get_value (none->rows, 0, "countedCycles"), ==, 0);
  g_assert_cmpstr (tsr_rows_get_text (none->rows, 0, find_column (none->rows, "proportions")), ==,
                   "not counted: 100.0 % of the time");
}

/* (transfer full): "1.36 MiB / 0 B", of the steps that begin in the question's span. */
static char *
dup_pair (Fixture *f, const char *type, gint64 ipu)
{
  static const char *const columns[] = { "data_in", "data_out" };
  g_auto (GStrv) texts = g_new0 (char *, 3);

  for (guint i = 0; i < 2; i++)
    {
      gint64 sum
          = query (f,
                   "SELECT coalesce (sum(%s), 0) FROM " SLICES
                   "s.type = '%s' AND (i.ipu = %" G_GINT64_FORMAT " OR %" G_GINT64_FORMAT
                   " < 0) AND " START " >= %" G_GINT64_FORMAT " AND " START " < %" G_GINT64_FORMAT,
                   columns[i], type, ipu, ipu, f->question.from, f->question.to);

      texts[i] = tsr_units_dup_bytes (TSR_UNITS_BINARY, sum);
    }
  return g_strjoinv (" / ", texts);
}

/* Reports of one and of several IPUs: a row for each, for each of several replicas, and for all of
 * several; what was copied, as the file has it; and each tile of each IPU. */
static void
test_ipus (gconstpointer preset)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrTraceAnswer) summary = NULL;
  Fixture f = { .folder = tsr_test_report_new (preset) };
  g_autoptr (GError) error = NULL;
  const TsrTraceRun *run;
  guint n, n_rows;
  gint64 replicas;

  f.report = tsr_report_open_sync (place, f.folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  f.memory = tsr_memory_new (f.report);
  f.trace = tsr_trace_new (f.report, NULL, &error);
  g_assert_no_error (error);
  run = tsr_trace_get_run (f.trace, 0);
  f.question = (TsrTraceQuestion){
    .trace = f.trace, .memory = f.memory, .from = run->start, .to = run->end, .ipu = TSR_NO_INDEX
  };
  summary = ask (&f, TSR_TRACE_TAB_SUMMARY);
  n = (guint)query (&f, "SELECT count (DISTINCT ipu) FROM steps_by_ipu");
  n_rows = tsr_rows_get_n (summary->rows);
  replicas = query (&f, "SELECT num_replicas FROM target");
  g_assert_cmpint (n_rows, ==, n + (n > 1) + (replicas > 1 ? replicas : 0));
  for (guint row = 0; row < n_rows; row++)
    {
      g_autofree char *copies = dup_pair (&f, "StreamCopyMid", row < n ? (gint64)row : -1);
      g_autofree char *global = dup_pair (&f, "GlobalExchange", row < n ? (gint64)row : -1);

      if (row >= n && row < n_rows - 1)
        continue; /* a replica */
      g_assert_cmpstr (
          tsr_rows_get_text (summary->rows, row, find_column (summary->rows, "streamCopy")), ==,
          copies);
      g_assert_cmpstr (
          tsr_rows_get_text (summary->rows, row, find_column (summary->rows, "globalExchange")), ==,
          global);
    }
  for (guint ipu = 0; ipu < n; ipu++)
    {
      g_autoptr (TsrTraceAnswer) answer = NULL;
      const TsrTraceTiles *tiles;
      guint n_idle = 0;

      f.question.ipu = ipu;
      answer = ask (&f, TSR_TRACE_TAB_TILES);
      tiles = answer->tiles;
      g_assert_cmpuint (answer->ipu, ==, ipu);
      g_assert_cmpint (tsr_rows_get_n (answer->rows), ==,
                       query (&f, "SELECT tiles_per_ipu FROM target"));
      for (guint32 i = 0; i < tsr_rows_get_n (answer->rows); i++)
        {
          const char *role
              = tsr_rows_get_text (answer->rows, i, find_column (answer->rows, "role"));

          g_assert_cmpint (get_value (answer->rows, i, "tile"), ==, i);
          g_assert_cmpint (get_value (answer->rows, i, "compute"), ==, tiles->compute[i]);
          g_assert_cmpint (get_value (answer->rows, i, "exchange"), ==, tiles->exchange[i]);
          g_assert_cmpint (get_value (answer->rows, i, "copy"), ==, tiles->copy[i]);
          g_assert_cmpint (get_value (answer->rows, i, "waiting"), ==, tiles->waiting[i]);
          /* A tile does something, or waits, as long as its IPU has such steps. */
          g_assert_cmpint (tiles->compute[i] + tiles->exchange[i] + tiles->copy[i]
                               + tiles->waiting[i],
                           ==, tiles->span);
          g_assert_cmpstr (role, ==, tiles->io[i] ? "never computes" : "computes");
          n_idle += tiles->io[i];
        }
      g_assert_cmpint (strstr (answer->note, "never compute") != NULL, ==, n_idle > 0);
    }
  teardown (&f, NULL);
}

/* An IPU whose steps have no times: its figures, and those of both together, are not known. */
static void
test_no_times (void)
{
  static const char *const keys[] = { "cyclesByType.OnTileExecute",
                                      "countedCycles",
                                      "excludedCycles",
                                      "lostCycles",
                                      "tileUtilisation",
                                      "tileBalance" };
  static const char *const more[]
      = { "hostRx", "hostTx", "globalExchangeRx", "unknownTx", "flopsPerSecond" };
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrTraceAnswer) answer = NULL;
  Fixture f = { .folder = tsr_test_report_new ("demo") };
  g_autoptr (GError) error = NULL;

  tsr_test_sql (f.folder, "profile.pop",
                "UPDATE steps_by_ipu SET cycles_base = 9223372036854000000 WHERE ipu = 1");
  f.report = tsr_report_open_sync (place, f.folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  f.memory = tsr_memory_new (f.report);
  f.trace = tsr_trace_new (f.report, NULL, &error);
  g_assert_no_error (error);
  f.question = (TsrTraceQuestion){ .trace = f.trace, .to = 100000000, .ipu = TSR_NO_INDEX };
  answer = ask (&f, TSR_TRACE_TAB_SUMMARY);
  g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, 3);
  for (guint32 row = 0; row < 3; row++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        g_assert_cmpint (get_value (answer->rows, row, keys[i]) == TSR_UNKNOWN, ==, row > 0);
      for (guint i = 0; i < G_N_ELEMENTS (more); i++)
        g_assert_cmpint (get_value (answer->more, row, more[i]) == TSR_UNKNOWN, ==, row > 0);
      g_assert_cmpint (g_str_equal (tsr_rows_get_text (answer->rows, row,
                                                       find_column (answer->rows, "streamCopy")),
                                    "– / –"),
                       ==, row > 0);
    }
  teardown (&f, NULL);
}

/* The cycles lost are one number: Summary's last row, and what the rows of any grouping add up to,
 * as the file has them. */
static void
test_lost (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) summary = ask (f, TSR_TRACE_TAB_SUMMARY);
  gint64 lost = get_value (summary->rows, 2, "lostCycles");

  g_assert_cmpint (ABS (lost
                        - query (f,
                                 "SELECT cast(round(sum(" D " * (1 - active_tile_balance))) AS "
                                 "INTEGER) FROM " SLICES "s.type = 'OnTileExecute' AND " START
                                 " >= %" G_GINT64_FORMAT,
                                 f->question.from)),
                   <=, 1);
  for (guint group = TSR_TRACE_GROUP_NAME; group <= TSR_TRACE_GROUP_COMPUTE_SET; group++)
    {
      g_autoptr (TsrTraceAnswer) answer = NULL;
      gint64 sum = 0;

      f->question.group = group;
      f->question.depth = 2;
      answer = ask (f, TSR_TRACE_TAB_AGGREGATE);
      for (guint32 row = 0; row < tsr_rows_get_n (answer->rows); row++)
        sum += get_value (answer->rows, row, "lostCycles");
      g_assert_cmpint (sum, ==, lost);
    }
}

static gint64
round_or_unknown (double value)
{
  return isnan (value) ? TSR_UNKNOWN : (gint64)llround (value);
}

static void
check_aggregate_cells (TsrRows *rows, guint32 row, const TsrTraceAggregateRow *one)
{
  const struct
  {
    const char *key;
    gint64 value;
  } cells[] = {
    { "count", (gint64)one->count },
    { "cycles", one->total },
    { "share", round_or_unknown (one->share * 1e9) },
    { "lostCycles", one->lost },
    { "tileBalance", round_or_unknown (one->balance * 1e9) },
    { "bytes", one->bytes },
    { "meanCycles", round_or_unknown (one->mean) },
    { "leastCycles", one->least },
    { "mostCycles", one->most },
    { "numComputeSets", one->n_compute_sets },
    { "flops", round_or_unknown (one->flops) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    if (ABS (get_value (rows, row, cells[i].key) - cells[i].value) > 1)
      g_error ("%s of %s: %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, cells[i].key, one->name,
               get_value (rows, row, cells[i].key), cells[i].value);
}

/* Each row of the table is one of what was aggregated, whatever the steps are told apart by, and
 * each of those is a row. */
static void
test_cells (Fixture *f, gconstpointer data)
{
  for (guint group = TSR_TRACE_GROUP_NAME; group <= TSR_TRACE_GROUP_COMPUTE_SET; group++)
    {
      g_autoptr (TsrTraceAnswer) answer = NULL;
      guint n = 0;

      f->question.group = group;
      f->question.depth = 2;
      answer = ask (f, TSR_TRACE_TAB_AGGREGATE);
      for (guint i = 0; i < answer->aggregates->len; i++)
        n += ((TsrTraceAggregate *)answer->aggregates->pdata[i])->rows->len;
      g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, n);
      for (guint32 row = 0; row < n; row++)
        {
          const TsrTraceAggregate *of = answer->aggregates->pdata[answer->row_aggregate[row]];
          const TsrTraceAggregateRow *one
              = &g_array_index (of->rows, TsrTraceAggregateRow, answer->row_group[row]);

          check_aggregate_cells (answer->rows, row, one);
        }
    }
}

/* Syncs are called by their type, as in the chart and in Summary. */
static const char *
get_file_name (const char *name)
{
  return g_str_equal (name, "External Sync")   ? "External"
         : g_str_equal (name, "Internal Sync") ? "Internal"
                                               : name;
}

static void
test_aggregate (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) answer = NULL, summary = NULL;
  g_autoptr (TsrTraceMatches) matches = NULL;
  const char *name;
  guint32 row = 0;
  guint n = 0, n_syncs = 0;

  f->question.group = TSR_TRACE_GROUP_NAME;
  answer = ask (f, TSR_TRACE_TAB_AGGREGATE);
  g_assert_nonnull (answer->note);
  g_assert_cmpstr (answer->sort_key, ==, "cycles");
  for (row = 0; row < MIN (tsr_rows_get_n (answer->rows), 12); row++)
    {
      name = tsr_rows_get_text (answer->rows, row, find_column (answer->rows, "name"));
      n_syncs += get_file_name (name) != name;
      name = get_file_name (name);
      g_assert_cmpint (get_value (answer->rows, row, "cycles"), ==,
                       query (f,
                              "SELECT sum(" D ") FROM steps s JOIN steps_by_ipu i ON i.step_id = "
                              "s.id LEFT JOIN compute_sets c ON c.compute_set = s.compute_set LEFT "
                              "JOIN programs p ON p.id = s.program WHERE coalesce(c.name, p.name) "
                              "= '%s' AND active_cycles_to_max > active_cycles_from_max AND " START
                              " >= %" G_GINT64_FORMAT,
                              name, f->question.from));
    }
  g_assert_cmpuint (n_syncs, >=, 1);
  for (row = 2;
       strstr (tsr_rows_get_text (answer->rows, row, find_column (answer->rows, "name")), " Sync")
       != NULL;)
    row++;
  name = tsr_rows_get_text (answer->rows, row, find_column (answer->rows, "name"));
  matches = tsr_trace_answer_dup_matches (answer, &row, 1);
  g_assert_nonnull (matches);
  for (guint i = 0; i < tsr_trace_get_n_names (f->trace); i++)
    {
      n += tsr_trace_matches_has (matches, i);
      if (tsr_trace_matches_has (matches, i))
        g_assert_cmpstr (tsr_trace_get_name (f->trace, i), ==, name);
    }
  g_assert_cmpuint (n, ==, 1);
  /* Without rows there are none, nor of what is no aggregate. */
  g_assert_null (tsr_trace_answer_dup_matches (answer, &row, 0));
  summary = ask (f, TSR_TRACE_TAB_SUMMARY);
  g_assert_null (tsr_trace_answer_dup_matches (summary, &row, 1));
}

/* Each row of the tree holds the cycles of those below it and of its own. */
static void
test_tree (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) answer = NULL, prefixes = NULL;
  guint path, at;

  f->question.group = TSR_TRACE_GROUP_TREE;
  f->question.depth = 3;
  answer = ask (f, TSR_TRACE_TAB_AGGREGATE);
  path = find_column (answer->rows, "path");
  f->question.group = TSR_TRACE_GROUP_PREFIX;
  f->question.depth = 2;
  prefixes = ask (f, TSR_TRACE_TAB_AGGREGATE);
  at = find_column (prefixes->rows, "name");
  g_assert_cmpuint (tsr_rows_get_n (answer->rows), >, tsr_rows_get_n (prefixes->rows));
  for (guint32 i = 0; i < tsr_rows_get_n (prefixes->rows); i++)
    {
      const char *name = get_file_name (tsr_rows_get_text (prefixes->rows, i, at));

      g_assert_cmpint (get_value (prefixes->rows, i, "cycles"), ==,
                       get_value (answer->rows, find_row (answer->rows, "path", name), "cycles"));
    }
  for (guint32 i = 1; i < tsr_rows_get_n (answer->rows); i++)
    {
      const char *name = tsr_rows_get_text (answer->rows, i, path);
      const char *slash = strrchr (name, '/');
      g_autofree char *parent = slash != NULL ? g_strndup (name, slash - name) : NULL;
      guint32 k = i;

      while (parent != NULL && k > 0 /* its parent stands before it */
             && strcmp (tsr_rows_get_text (answer->rows, k, path), parent) != 0)
        k--;
      g_assert_true (parent == NULL
                     || strcmp (tsr_rows_get_text (answer->rows, k, path), parent) == 0);
    }
}

static void
test_words (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) empty = NULL, off = NULL, none = NULL, lone = NULL;

  f->question.group = TSR_TRACE_GROUP_REGEX;
  empty = ask (f, TSR_TRACE_TAB_AGGREGATE);
  g_assert_null (empty->rows);
  g_assert_nonnull (empty->title);
  f->question.regex = (char *)"(((";
  off = ask (f, TSR_TRACE_TAB_AGGREGATE);
  g_assert_null (off->rows);
  g_assert_nonnull (off->text);
  none = ask (f, TSR_TRACE_TAB_DETAILS);
  g_assert_nonnull (none->title);
  f->question.to = f->question.from + 1; /* only the wait for the host */
  lone = ask (f, TSR_TRACE_TAB_OVERLAP);
  g_assert_null (lone->rows);
  g_assert_nonnull (lone->title);
}

static const TsrTraceFact *
find_fact (const TsrTraceStepFacts *facts, const char *label)
{
  for (guint i = 0; i < facts->facts->len; i++)
    if (g_str_equal (((TsrTraceFact *)g_ptr_array_index (facts->facts, i))->label, label))
      return g_ptr_array_index (facts->facts, i);
  return NULL;
}

static void
check_variables (
    Fixture *f, const TsrTraceStepFacts *facts, gint64 step, guint role, const char *label)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT name || '[' || from_element || ',' || to_element || ')' FROM program_variables p "
      "JOIN variables v ON v.id = p.variable JOIN steps s ON s.program = p.program WHERE role = %u "
      "AND s.id = %" G_GINT64_FORMAT " ORDER BY p.variable, from_element",
      role, step);
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (f->folder, "profile.pop", sql);
  const TsrTraceFact *fact = find_fact (facts, label);

  g_assert_cmpint (fact != NULL, ==, rows->len > 0);
  for (guint i = 0; i < MIN (rows->len, 6); i++)
    g_assert_nonnull (strstr (fact->value, ((GStrv)g_ptr_array_index (rows, i))[0]));
}

/* "{least, mean, most}" of the first cycle (or the one after the last) of the tiles that are
 * active, or of all. */
static char *
dup_spread (const TsrTraceStepFacts *facts, gboolean all, gboolean ends)
{
  const TsrTileCycles *cycles = facts->cycles;
  g_autofree char *least = NULL, *mean = NULL, *most = NULL;
  gint64 low = G_MAXINT64, high = G_MININT64, sum = 0, n = 0;

  for (guint t = 0; t < cycles->n; t++)
    {
      gint64 at
          = facts->slice.end - cycles->to_max + cycles->start[t] + (ends ? cycles->cycles[t] : 0);

      if (!all && cycles->cycles[t] == 0)
        continue;
      low = MIN (low, at);
      high = MAX (high, at);
      sum += at;
      n++;
    }
  least = tsr_units_dup_count (low);
  mean = tsr_units_dup_count ((sum + n / 2) / n);
  most = tsr_units_dup_count (high);
  return g_strdup_printf ("{%s, %s, %s}", least, mean, most);
}

static void
check_spread (const TsrTraceStepFacts *facts, gboolean all, const char *label)
{
  g_autofree char *from = dup_spread (facts, all, FALSE);
  g_autofree char *to = dup_spread (facts, all, TRUE);
  g_autofree char *expected = g_strdup_printf ("from %s to %s", from, to);

  g_assert_cmpstr (find_fact (facts, label)->value, ==, expected);
}

/* Which one it is, not the first of its program: of one, and of two each of which it may be. */
static void
check_liveness_step (Fixture *f, guint32 program, guint32 step)
{
  for (guint n = 1; n <= 2; n++)
    {
      const guint32 programs[] = { TSR_NO_INDEX, n == 2 ? program : TSR_NO_INDEX, program };
      const gint64 bytes[] = { 1, 2, 3 };
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrTraceLive) live
          = tsr_trace_live_new_from_steps (f->trace, programs, 3, bytes, 1, NULL, &error);
      g_autoptr (TsrTraceAnswer) answer = NULL;
      const TsrTraceFact *fact;
      gboolean may[2];

      g_assert_no_error (error);
      f->question.live = live;
      answer = ask (f, TSR_TRACE_TAB_DETAILS);
      f->question.live = NULL;
      fact = find_fact (g_ptr_array_index (answer->steps, 0), "Liveness Step");
      for (guint i = 0; i < 2; i++)
        may[i] = tsr_trace_live_may_be (live, step, i + 1);
      g_assert_true (may[1] || n == 2);
      g_assert_cmpstr (fact->value, ==, may[0] ? may[1] ? "one of 2, 1 to 2" : "1" : "2");
      g_assert_cmpstr (fact->words, ==,
                       may[0] ? may[1] ? "page=liveness&steps=1,2" : "page=liveness&steps=1"
                              : "page=liveness&steps=2");
    }
}

static void
test_details (Fixture *f, gconstpointer data)
{
  gint64 step = query (f, "SELECT s.id FROM " SLICES
                          "s.type = 'DoExchange' AND i.ipu = 1 AND active_cycles_from_max > "
                          "active_cycles_from_min AND data_in > 0 AND s.program IN (SELECT program "
                          "FROM program_variables WHERE role = 1) ORDER BY 1 DESC LIMIT 1");
  g_autoptr (TsrTraceAnswer) answer = NULL;
  const TsrTraceStepFacts *facts;
  g_autofree char *cycles = NULL, *start = NULL, *end = NULL, *lead_in = NULL, *expected = NULL;
  g_autofree char *in = NULL, *out = NULL, *sum = NULL, *moved = NULL;

  f->question.steps[0] = (TsrTraceStepRef){ step, 1 };
  f->question.steps[1] = (TsrTraceStepRef){ 999999, 0 }; /* there is none */
  f->question.n_steps = 2;
  answer = ask (f, TSR_TRACE_TAB_DETAILS);
  g_assert_cmpuint (answer->steps->len, ==, 1);
  facts = g_ptr_array_index (answer->steps, 0);
#define ONE(what)                                                                                  \
  query (f, "SELECT " what " FROM steps_by_ipu WHERE ipu = 1 AND step_id = %" G_GINT64_FORMAT, step)
  cycles = tsr_units_dup_count (ONE (D));
  start = tsr_units_dup_count (ONE (START));
  end = tsr_units_dup_count (ONE ("cycles_base + active_cycles_to_max"));
  lead_in = tsr_units_dup_count (ONE ("active_cycles_from_max - active_cycles_from_min"));
  expected
      = g_strdup_printf ("%s : %s – %s (%s overlapped with previous)", cycles, start, end, lead_in);
  g_assert_cmpstr (find_fact (facts, "Cycles")->value, ==, expected);
  in = tsr_units_dup_count (ONE ("data_in"));
  out = tsr_units_dup_count (ONE ("data_out"));
  sum = tsr_units_dup_count (ONE ("data_in + data_out"));
  moved = g_strdup_printf ("%s : (%s/%s) bytes", sum, in, out);
  g_assert_cmpstr (find_fact (facts, "Data Total : (Rx/Tx)")->value, ==, moved);
  g_assert_nonnull (facts->cycles);
  g_assert_cmpuint (facts->cycles->n, ==, 1472);
  check_spread (facts, FALSE, "Active Cycles");
  check_spread (facts, TRUE, "All Cycles");
  check_variables (f, facts, step, 1, "Source Variables");
  check_variables (f, facts, step, 2, "Destination Variables");
  g_assert_nonnull (find_fact (facts, "Exchange Code"));
  g_assert_true (
      g_str_has_prefix (find_fact (facts, "Liveness Step")->words, "page=liveness&steps="));
  check_liveness_step (f, facts->slice.program, facts->slice.step);
}

/* What made a step: the outermost names along parents that are walked here one by one. */
static void
test_contexts (Fixture *f, gconstpointer data)
{
  const TsrDebugTables *debug = tsr_report_get_debug_tables (f->report);
  gint64 step = query (f, "SELECT min(s.id) FROM steps s JOIN programs p ON p.id = s.program WHERE "
                          "p.debug_id IS NOT NULL AND p.type = 'DoExchange'");
  gint64 id = query (f,
                     "SELECT p.debug_id FROM steps s JOIN programs p ON p.id = s.program "
                     "WHERE s.id = %" G_GINT64_FORMAT,
                     step);
  g_autoptr (TsrTraceAnswer) answer = NULL;
  g_autofree char *made = NULL, *source = NULL;
  const TsrTraceStepFacts *facts;
  guint32 row = TSR_NO_INDEX;

  g_assert_nonnull (debug);
  for (guint32 i = 0; i < debug->n && row == TSR_NO_INDEX; i++)
    row = (gint64)debug->id[i] == id ? i : TSR_NO_INDEX;
  g_assert_cmpuint (row, <, debug->n);
  for (; row != TSR_NO_INDEX; row = debug->parent[row])
    {
      const char *name = tsr_debug_tables_get_text (debug, debug->name[row]);
      const char *file = tsr_debug_tables_get_text (debug, debug->file_name[row]);

      if (name != NULL)
        {
          g_free (made);
          made = g_strdup (name);
        }
      if (file != NULL)
        {
          g_free (source);
          source = g_strdup_printf ("%s:%u", file, debug->line[row]);
        }
    }
  f->question.steps[0] = (TsrTraceStepRef){ step, 0 };
  f->question.n_steps = 1;
  answer = ask (f, TSR_TRACE_TAB_DETAILS);
  facts = g_ptr_array_index (answer->steps, 0);
  g_assert_true (g_str_has_suffix (find_fact (facts, "Made by")->value, made));
  g_assert_true (g_str_has_suffix (find_fact (facts, "Made by")->words, "&tab=debug"));
  g_assert_cmpstr (find_fact (facts, "Source")->value, ==, source);
  g_assert_true (find_fact (facts, "Source")->is_copied);
}

/* ---- classes and rates, cycle by cycle from the file */

static const char *const class_keys[]
    = { "compute", "exchange", "interIpu", "transfer", "host", "sync", "other", "startUp" };

/* Bits of the classes that @ipu is in, for each cycle of the run's span. The wait for the host that
 * begins the run, behind syncs at most, is one of its own. */
static guint8 *
dup_classes (Fixture *f, guint ipu)
{
  static const char *const types[G_N_ELEMENTS (class_keys)] = { "OnTileExecute",
                                                                "DoExchange",
                                                                "GlobalExchange",
                                                                "StreamCopyMid",
                                                                "StreamCopyBegin StreamCopyEnd",
                                                                "Sync SyncAns Sans",
                                                                NULL,
                                                                NULL };
  gint64 from = f->question.from, to = f->question.to;
  guint8 *cycles = g_new0 (guint8, to - from);
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      f->folder,
      "SELECT s.type, " START ", cycles_base + active_cycles_to_max FROM " SLICES
      "i.ipu = %u AND " START " >= %" G_GINT64_FORMAT " ORDER BY " START ", s.id",
      ipu, from);
  gboolean begun = FALSE;

  for (guint i = 0; i < rows->len; i++)
    {
      char **row = rows->pdata[i];
      guint class = 6;

      for (guint k = 0; k < 6; k++)
        {
          g_auto (GStrv) words = g_strsplit (types[k], " ", -1);

          if (g_strv_contains ((const char *const *)words, row[0]))
            class = k;
        }
      if (!begun && class != 5)
        {
          begun = TRUE;
          class = g_str_equal (row[0], "StreamCopyBegin") ? 7 : class;
        }
      for (gint64 c = g_ascii_strtoll (row[1], NULL, 10); c < g_ascii_strtoll (row[2], NULL, 10);
           c++)
        cycles[c - from] |= (guint8)(1u << class);
    }
  return cycles;
}

/* What Stages and Overlap show: each class is what the file says, and together, with what is not
 * recorded and without what is counted again, they are the span. */
static void
test_classes (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) stages = ask (f, TSR_TRACE_TAB_STAGES);
  g_autoptr (TsrTraceAnswer) overlap = ask (f, TSR_TRACE_TAB_OVERLAP);
  TsrRows *const tables[] = { stages->more, overlap->rows };
  gint64 length = f->question.to - f->question.from;

  for (guint ipu = 0; ipu < 2; ipu++)
    {
      g_autofree guint8 *cycles = dup_classes (f, ipu);
      gint64 nothing = 0, again = 0;

      for (gint64 c = 0; c < length; c++)
        {
          guint n = (guint)__builtin_popcount (cycles[c]);

          nothing += n == 0;
          again += n > 1 ? n - 1 : 0;
        }
      for (guint t = 0; t < G_N_ELEMENTS (tables); t++)
        {
          gint64 sum = 0;

          for (guint k = 0; k < G_N_ELEMENTS (class_keys); k++)
            {
              gint64 shown = get_value (tables[t], ipu, class_keys[k]), told = 0;

              for (gint64 c = 0; c < length; c++)
                told += cycles[c] >> k & 1;
              g_assert_cmpint (shown, ==, told);
              sum += shown;
            }
          g_assert_cmpint (get_value (tables[t], ipu, "nothing"), ==, nothing);
          g_assert_cmpint (get_value (tables[t], ipu, "overlapping"), ==, again);
          g_assert_cmpint (sum + nothing - again, ==, length);
        }
      g_assert_cmpint (again, >, 0); /* copies beside compute */
      g_assert_cmpint (get_value (stages->more, ipu, "startUp"), >, 0);
    }
}

/* Cycles from the end of the wait that begins the run. */
static gint64
query_device_time (Fixture *f, guint ipu)
{
  gint64 wait = query (f,
                       "SELECT cycles_base + active_cycles_to_max FROM " SLICES
                       "s.type = 'StreamCopyBegin' AND i.ipu = %u AND " START
                       " >= %" G_GINT64_FORMAT " ORDER BY s.id LIMIT 1",
                       ipu, f->question.from);
  gint64 end
      = query (f, "SELECT max(cycles_base + active_cycles_to_max) FROM " SLICES "i.ipu = %u", ipu);

  g_assert_cmpint (wait, >, f->question.from);
  return end - wait;
}

/* GFLOPS divide by the device's time: without the wait that begins the run. */
static void
test_flop_rate (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) summary = ask (f, TSR_TRACE_TAB_SUMMARY);
  double clock = tsr_trace_get_clock (f->trace), all = 0;
  gint64 longest = 0;

  f->question.group = TSR_TRACE_GROUP_TYPE;
  for (guint ipu = 0; ipu < 2; ipu++)
    {
      gint64 device = query_device_time (f, ipu);
      g_autoptr (TsrTraceAnswer) types = NULL;
      double flop;

      f->question.ipu = ipu;
      types = ask (f, TSR_TRACE_TAB_AGGREGATE);
      flop = (double)get_value (types->rows, find_row (types->rows, "name", "OnTileExecute"),
                                "flops");
      g_assert_cmpfloat (flop, >, 0);
      g_assert_cmpfloat_with_epsilon ((double)get_value (summary->rows, ipu, "flopsPerSecond"),
                                      flop * clock / (double)device, 2);
      all += flop;
      longest = MAX (longest, device);
    }
  g_assert_cmpfloat_with_epsilon ((double)get_value (summary->rows, 2, "flopsPerSecond"),
                                  all * clock / (double)longest, 2);
}

/* A span that cuts a copy: bytes and time are of the same steps, those that begin in it. */
static void
test_copy_rate (Fixture *f, gconstpointer data)
{
  gint64 first = query (f,
                        "SELECT min(" START ") FROM " SLICES "s.type = 'StreamCopyMid' AND i.ipu = "
                        "0 AND data_in > 0 AND " START " >= %" G_GINT64_FORMAT,
                        f->question.from);
  g_autoptr (TsrTraceAnswer) summary = NULL;
  gint64 bytes, time;

  f->question.from = first - 1;
  f->question.to = first + 10;
  summary = ask (f, TSR_TRACE_TAB_SUMMARY);
  bytes = query (f,
                 "SELECT sum(data_in + data_out) FROM " SLICES "s.type = 'StreamCopyMid' AND "
                 "i.ipu = 0 AND " START " = %" G_GINT64_FORMAT,
                 first);
  time = query (f,
                "SELECT " D " FROM " SLICES "s.type = 'StreamCopyMid' AND i.ipu = 0 AND " START
                " = %" G_GINT64_FORMAT,
                first);
  g_assert_cmpint (time, >, 10);
  g_assert_cmpfloat_with_epsilon ((double)get_value (summary->rows, 0, "copyBytesPerSecond"),
                                  (double)bytes * tsr_trace_get_clock (f->trace) / (double)time, 1);
}

static void
test_stages (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) answer = ask (f, TSR_TRACE_TAB_STAGES);
  const TsrTraceStages *stages = g_ptr_array_index (answer->stages, 0);
  gint64 work[2] = { 0, 0 }, most = 0;

  g_assert_cmpuint (answer->stages->len, ==, 1);
  g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, stages->periods->len);
  g_assert_cmpuint (stages->periods->len, >, 3);
  for (guint32 i = 0; i < stages->periods->len; i++)
    {
      work[0] += get_value (answer->rows, i, "ipu0");
      work[1] += get_value (answer->rows, i, "ipu1");
      most = MAX (most,
                  MAX (get_value (answer->rows, i, "ipu0"), get_value (answer->rows, i, "ipu1")));
    }
  g_assert_cmpint (answer->most_work, ==, most);
  for (guint ipu = 0; ipu < 2; ipu++)
    {
      g_assert_cmpint (get_value (answer->more, ipu, "work"), ==, work[ipu]);
      g_assert_cmpint (get_value (answer->more, ipu, "freeBytes"), ==,
                       query (f,
                              "SELECT 638976 - max(including_gaps) FROM memory_by_tile WHERE tile "
                              "/ 1472 = %u",
                              ipu));
    }
}

static void
test_overlap (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) overlap = ask (f, TSR_TRACE_TAB_OVERLAP);

  g_assert_cmpuint (tsr_rows_get_n (overlap->rows), ==, 2);
  for (guint ipu = 0; ipu < 2; ipu++)
    g_assert_cmpint (get_value (overlap->rows, ipu, "alone")
                         + get_value (overlap->rows, ipu, "hidden"),
                     ==, g_array_index (overlap->overlap, TsrTraceOverlap, ipu).transfer);
  for (guint ipu = 0; ipu < 2; ipu++) /* host copies follow each other here */
    {
      const char *where = "FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id JOIN programs p ON "
                          "p.id = s.program WHERE s.type = 'StreamCopyMid' AND p.stream_copy_kind "
                          "= 'host'";
      gint64 bytes = query (
          f, "SELECT sum(data_in + data_out) %s AND i.ipu = %u AND " START ">= %" G_GINT64_FORMAT,
          where, ipu, f->question.from);
      gint64 cycles
          = query (f, "SELECT sum(" D ") %s AND i.ipu = %u AND " START ">= %" G_GINT64_FORMAT,
                   where, ipu, f->question.from);

      g_assert_cmpint (bytes, >, 0);
      g_assert_cmpint (get_value (overlap->rows, ipu, "hostBytes"), ==, bytes);
      g_assert_cmpint (get_value (overlap->rows, ipu, "hostBytesPerSecond"), ==,
                       llround ((double)bytes * tsr_trace_get_clock (f->trace) / (double)cycles));
    }
  for (guint32 i = 1; i < tsr_rows_get_n (overlap->more); i++)
    g_assert_cmpint (get_value (overlap->more, i, "alone"), <=,
                     get_value (overlap->more, i - 1, "alone"));
}

/* Each pair of IPUs against SQL: what one's arrival is before the other's in the syncs of the run
 * in which the other came last. */
#define ARRIVALS                                                                                   \
  "WITH a AS (SELECT i.step_id AS step, i.ipu AS ipu, " START " AS at, max(" START                 \
  ") OVER (PARTITION BY i.step_id) AS last FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id "  \
  "JOIN programs p ON p.id = s.program WHERE s.type = 'Sync' AND p.name = 'External' AND " START   \
  " >= %" G_GINT64_FORMAT " AND " START " < %" G_GINT64_FORMAT ") "

static void
test_waits (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrTraceAnswer) answer = ask (f, TSR_TRACE_TAB_WAITS);
  g_autoptr (TsrTraceAnswer) one = NULL;
  gint64 from = f->question.from, to = f->question.to, most = 0;

  g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, 2);
  for (guint ipu = 0; ipu < 2; ipu++)
    for (guint other = 0; other < 2; other++)
      {
        g_autofree char *key = g_strdup_printf ("ipu%u", other);
        gint64 cycles
            = query (f,
                     ARRIVALS "SELECT coalesce(sum(b.at - a.at), 0) FROM a JOIN a b ON b.step = "
                              "a.step WHERE a.ipu = %u AND b.ipu = %u AND b.at = b.last",
                     from, to, ipu, other);

        g_assert_cmpint (get_value (answer->rows, ipu, key), ==, cycles);
        most = MAX (most, cycles);
      }
  g_assert_cmpint (most, >, 0);
  g_assert_cmpint (answer->most_waited, ==, most);
  g_assert_cmpfloat_with_epsilon (
      (double)get_value (answer->rows, 0, "waitedShare") / 1e9,
      (double)get_value (answer->rows, 0, "waited") / (double)query_device_time (f, 0), 1e-8);
  g_assert_cmpint (get_value (answer->rows, 1, "timesLast"), ==,
                   query (f,
                          ARRIVALS "SELECT count(*) FROM a WHERE ipu = 1 AND at = last AND EXISTS "
                                   "(SELECT 1 FROM a b WHERE b.step = a.step AND b.at < a.at)",
                          from, to));
  g_assert_cmpint (get_value (answer->rows, 0, "syncs"), ==,
                   query (f, ARRIVALS "SELECT count(*) FROM a WHERE ipu = 0", from, to));
  g_assert_cmpint (get_value (answer->more, 0, "cycles"), ==,
                   query (f, ARRIVALS "SELECT max(last - at) FROM a", from, to));
  g_assert_nonnull (strstr (answer->note, "IPU 0 waits most"));
  f->question.ipu = 1;
  one = ask (f, TSR_TRACE_TAB_WAITS);
  g_assert_cmpuint (tsr_rows_get_n (one->rows), ==, 1);
  g_assert_cmpint (get_value (one->rows, 0, "kept"), ==, most);
}

/* Boxes of many IPUs are as dark as they differ. */
static void
test_many_ipus (void)
{
  Fixture f = { .folder = tsr_test_report_new ("demo") };
  g_autoptr (TsrTraceAnswer) answer = NULL;
  g_autofree char *light = NULL, *dark = NULL, *range = NULL;
  gint64 least = G_MAXINT64, most = 0;

  tsr_test_sql (
      f.folder, "profile.pop",
      "CREATE TABLE more AS SELECT * FROM steps_by_ipu;"
      "WITH RECURSIVE k (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM k WHERE k < 8) INSERT "
      "INTO steps_by_ipu SELECT step_id, ipu + 2 * k, cycles, active_tiles, cycles_base + "
      "k, active_cycles_from_min, active_cycles_from_max, active_cycles_to_min, "
      "active_cycles_to_max, tile_balance, active_tile_balance, data_in, data_out, "
      "all_cycles_from_min, all_cycles_from_max, all_cycles_to_min, all_cycles_to_max FROM "
      "more, k; DROP TABLE more;"
      "UPDATE target SET num_ipus = 18, ipus_per_replica = 18");
  open_report (&f);
  answer = ask (&f, TSR_TRACE_TAB_WAITS);
  g_assert_cmpuint (tsr_rows_get_n (answer->rows), ==, 18);
  g_assert_cmpstr (answer->sort_key, ==, "kept");
  g_assert_cmpuint (find_column (answer->rows, "kept"), <, find_column (answer->rows, "waited"));
  for (guint i = 0; i < 18 * 18; i++)
    {
      gint64 cycles = answer->waits->cycles[i];

      least = cycles > 0 ? MIN (least, cycles) : least;
      most = MAX (most, cycles);
    }
  for (guint32 row = 0; row < 18; row++)
    {
      const char *shares
          = tsr_rows_get_text (answer->rows, row, find_column (answer->rows, "waits"));
      double all = 0, before = 100;
      const char *at = shares;

      /* The most first, and all that it waits. */
      while ((at = strstr (at, "IPU ")) != NULL)
        {
          const double share = g_ascii_strtod (strchr (at + 4, ' '), NULL);

          g_assert_true (at == shares || g_str_has_prefix (at - 2, ", "));
          g_assert_cmpfloat (share, <=, before);
          all += before = share;
          at += 4;
        }
      g_assert_cmpfloat_with_epsilon (all, *shares != '\0' ? 100 : 0, 0.9);
    }
  g_assert_cmpint (least, <, most);
  g_assert_cmpint (answer->least_waited, ==, least);
  g_assert_cmpint (answer->most_waited, ==, most);
  light = tsr_units_dup_count (least);
  dark = tsr_units_dup_count (most);
  range = g_strdup_printf (" · light to dark: %s to %s cycles · ", light, dark);
  g_assert_nonnull (strstr (answer->note, range));
  teardown (&f, NULL);
}

/* ---- what is missing, and what is too much */

static const TsrTraceFact *
ask_fact (Fixture *f, gint64 step, const char *label, TsrTraceAnswer **answer)
{
  f->question.steps[0] = (TsrTraceStepRef){ step, 0 };
  f->question.n_steps = 1;
  *answer = ask (f, TSR_TRACE_TAB_DETAILS);
  return find_fact (g_ptr_array_index ((*answer)->steps, 0), label);
}

static guint
count_words (const char *text, const char *word)
{
  g_auto (GStrv) parts = g_strsplit (text, word, -1);

  return g_strv_length (parts) - 1;
}

/* Steps without numbers of each tile, copies without bytes, arrays without a sum. */
static void
test_holes (void)
{
  Fixture f = { .folder = tsr_test_report_new ("demo") };
  g_autoptr (TsrTraceAnswer) tiles = NULL, summary = NULL, code = NULL;
  g_autofree char *left_out = NULL, *bytes = NULL;
  gint64 step;

  tsr_test_sql (
      f.folder, "profile.pop",
      "UPDATE steps SET tile_cycles = NULL WHERE id % 9 = 4;"
      "UPDATE steps_by_ipu SET data_out = NULL WHERE step_id IN (SELECT id FROM steps WHERE "
      "type = 'StreamCopyMid');"
      "UPDATE tile_arrays SET total = NULL");
  open_report (&f);
  f.question.ipu = 0;
  tiles = ask (&f, TSR_TRACE_TAB_TILES);
  left_out = g_strdup_printf (
      " · %d steps have no numbers of each tile and are left out",
      (int)query (&f,
                  "SELECT count (*) FROM " SLICES "i.ipu = 0 AND s.id %% 9 = "
                  "4 AND s.type IN ('OnTileExecute', 'DoExchange', "
                  "'GlobalExchange', 'StreamCopyMid') AND " START " >= %" G_GINT64_FORMAT,
                  f.question.from));
  g_assert_true (g_str_has_suffix (tiles->note, left_out));
  summary = ask (&f, TSR_TRACE_TAB_SUMMARY);
  g_assert_cmpint (get_value (summary->rows, 0, "copyBytesPerSecond"), ==, TSR_UNKNOWN);
  g_assert_true (g_str_has_suffix (
      tsr_rows_get_text (summary->rows, 0, find_column (summary->rows, "streamCopy")), " / –"));
  step = query (&f, "SELECT min (s.id) FROM steps s JOIN programs p ON p.id = s.program WHERE "
                    "p.code_bytes_by_tile IS NOT NULL");
  bytes
      = tsr_units_dup_bytes_exact (tsr_test_ask (tsr_test_get_report ("demo"),
                                                 "SELECT total FROM tile_arrays WHERE id = (SELECT "
                                                 "code_bytes_by_tile FROM programs WHERE id = "
                                                 "(SELECT program FROM steps WHERE id = %d))",
                                                 (int)step));
  g_assert_cmpstr (ask_fact (&f, step, "Exchange Code", &code)->value, ==, bytes);
  teardown (&f, NULL);
}

/* Longer lists and paths than are told, more marks than steps, and programs without a name. */
static void
test_much (void)
{
  Fixture f = { .folder = tsr_test_report_new ("demo") };
  g_autoptr (TsrTraceAnswer) vertices = NULL, path = NULL, variables = NULL;
  const TsrTraceFact *fact;
  g_autofree char *more = NULL;
  gint64 n;

  tsr_test_sql (
      f.folder, "profile.pop",
      "WITH RECURSIVE c (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM c WHERE i < 1039) "
      "INSERT INTO programs (id, type, callee) SELECT i, 'Call', CASE WHEN i < 1039 THEN i "
      "+ 1 ELSE 148 END FROM c;"
      "DELETE FROM program_roots WHERE kind = 'function' OR compilation_step = 0 OR position > 0;"
      "UPDATE program_roots SET program = 1000;"
      "INSERT OR IGNORE INTO compute_set_vertices SELECT 3, id, 1, NULL, 1, 1, 1 FROM "
      "vertex_types");
  open_report (&f);
  fact = ask_fact (&f, query (&f, "SELECT min (id) FROM steps WHERE compute_set = 3"), "Vertices",
                   &vertices);
  n = query (&f, "SELECT count (*) FROM vertex_types");
  g_assert_cmpint (n, >, 9);
  g_assert_cmpuint (count_words (fact->value, "\n"), ==, 8);
  more = g_strdup_printf ("\nand %d more types", (int)n - 8);
  g_assert_true (g_str_has_suffix (fact->value, more));
  fact = ask_fact (&f,
                   query (&f,
                          "SELECT min (s.id) FROM steps s WHERE s.program IN (SELECT program FROM "
                          "program_variables WHERE role = 0 GROUP BY 1 HAVING count (*) = 7)"),
                   "Variables", &variables);
  g_assert_true (g_str_has_suffix (fact->value, ") … (7 in total)"));
  g_assert_cmpuint (count_words (fact->value, "), "), ==, 5);
  fact = ask_fact (&f,
                   query (&f, "SELECT max (id) FROM steps WHERE program IN (SELECT child FROM "
                              "program_children WHERE parent = 10)"),
                   "Program", &path);
  g_assert_true (g_str_has_prefix (fact->value, "… › Call › "));
  g_assert_cmpuint (count_words (fact->value, " › "), ==, 33);
  for (guint n_marked = 1; n_marked <= 3; n_marked += 2)
    {
      g_autoptr (TsrTraceAnswer) marked = NULL;

      f.question.n_marked = n_marked;
      f.question.marked_cycles = 12345;
      marked = ask (&f, TSR_TRACE_TAB_DETAILS);
      g_assert_cmpstr (marked->title, ==,
                       n_marked == 1 ? "1 step is marked: 12,345 cycles"
                                     : "3 steps are marked: 12,345 cycles");
      g_assert_cmpint (marked->text != NULL, ==, n_marked > 1);
      g_assert_nonnull (marked->rows);
    }
  teardown (&f, NULL);
}

/* What there is instead of a table. */
static void
test_no_waits (void)
{
  static const struct
  {
    const char *preset, *sql, *title;
  } cases[] = {
    { "demo", "UPDATE programs SET name = 'Internal' WHERE type = 'Sync'", "No External Syncs" },
    { "poplibs", "VACUUM", "One IPU" },
    { "demo", "DELETE FROM steps_by_ipu WHERE ipu = 1", "No IPU Meets Another Here" },
    { "demo", "UPDATE steps_by_ipu SET cycles_base = 9223372036854000000 WHERE ipu = 1",
      "No IPU Meets Another Here" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TsrPlace) place = tsr_local_place_new ();
      Fixture f = { .folder = tsr_test_report_new (cases[i].preset) };
      g_autoptr (TsrTraceAnswer) answer = NULL;
      g_autoptr (GError) error = NULL;

      tsr_test_sql (f.folder, "profile.pop", cases[i].sql);
      f.report = tsr_report_open_sync (place, f.folder, TSR_LOAD_ALL, NULL, &error);
      g_assert_no_error (error);
      f.memory = tsr_memory_new (f.report);
      f.trace = tsr_trace_new (f.report, NULL, &error);
      g_assert_no_error (error);
      f.question = (TsrTraceQuestion){ .trace = f.trace, .to = 100000000, .ipu = TSR_NO_INDEX };
      answer = ask (&f, TSR_TRACE_TAB_WAITS);
      g_assert_null (answer->rows);
      g_assert_cmpstr (answer->title, ==, cases[i].title);
      g_assert_nonnull (answer->text);
      teardown (&f, NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/trace-rows/" path, Fixture, NULL, setup, function, teardown)
  ADD ("summary", test_summary);
  ADD ("hidden", test_hidden);
  g_test_add_func ("/trace-rows/no-times", test_no_times);
  g_test_add_data_func ("/trace-rows/ipus/one", "poplibs", test_ipus);
  g_test_add_data_func ("/trace-rows/ipus/four", "tiny", test_ipus);
  ADD ("aggregate", test_aggregate);
  ADD ("lost", test_lost);
  ADD ("cells", test_cells);
  ADD ("tree", test_tree);
  ADD ("words", test_words);
  ADD ("details", test_details);
  g_test_add ("/trace-rows/contexts", Fixture, "debug.cbor", setup, test_contexts, teardown);
  ADD ("classes", test_classes);
  ADD ("flop-rate", test_flop_rate);
  ADD ("copy-rate", test_copy_rate);
  ADD ("stages", test_stages);
  ADD ("overlap", test_overlap);
  ADD ("waits", test_waits);
  g_test_add_func ("/trace-rows/no-waits", test_no_waits);
  g_test_add_func ("/trace-rows/many-ipus", test_many_ipus);
  g_test_add_func ("/trace-rows/holes", test_holes);
  g_test_add_func ("/trace-rows/much", test_much);
  return g_test_run ();
}
