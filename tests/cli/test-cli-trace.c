/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli trace and export against rows that plain SQL gives and loops over them. */

#include "config.h"

#include "cli-test.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One row of steps_by_ipu with what belongs to its step. */
typedef struct
{
  gint64 step, ipu, run, start, end, in, out;
  char *type;
  double balance;
  gboolean leading; /* a StreamCopyBegin before which its run did nothing else on that IPU */
} Slice;

static void
slice_free (gpointer data)
{
  Slice *slice = data;

  g_free (slice->type);
  g_free (slice);
}

static gint64
parse (const char *text)
{
  return text == NULL || *text == '\0' ? G_MININT64 : g_ascii_strtoll (text, NULL, 10);
}

/* Every row, by step and IPU. */
static GPtrArray *
read_slices (const char *folder)
{
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (
      folder, "profile.pop",
      "SELECT b.step_id, b.ipu, s.run, s.type, b.cycles_base + b.active_cycles_from_max, "
      "b.cycles_base + b.active_cycles_to_max, b.data_in, b.data_out, b.tile_balance "
      "FROM steps_by_ipu b JOIN steps s ON s.id = b.step_id ORDER BY 1, 2");
  GPtrArray *slices = g_ptr_array_new_with_free_func (slice_free);
  g_autoptr (GHashTable) busy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      char **row = rows->pdata[i];
      Slice *slice = g_new0 (Slice, 1);
      char *key;

      slice->step = parse (row[0]);
      slice->ipu = parse (row[1]);
      slice->run = parse (row[2]);
      slice->type = g_strdup (row[3]);
      slice->start = parse (row[4]);
      slice->end = parse (row[5]);
      slice->in = parse (row[6]);
      slice->out = parse (row[7]);
      slice->balance = *row[8] != '\0' ? g_ascii_strtod (row[8], NULL) : NAN;
      key = g_strdup_printf ("%" PRId64 "/%" PRId64, slice->ipu, slice->run);
      if (slice->end > slice->start)
        {
          slice->leading
              = g_str_equal (slice->type, "StreamCopyBegin") && !g_hash_table_contains (busy, key);
          g_hash_table_add (busy, g_strdup (key));
        }
      g_free (key);
      g_ptr_array_add (slices, slice);
    }
  return slices;
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* Union of the intervals of @type (NULL: every one counts as its own type) on @ipu in [from, to).
 */
static gint64
get_union (GPtrArray *slices, gint64 ipu, const char *type, int leading, gint64 from, gint64 to)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, 2 * sizeof (gint64));
  gint64 sum = 0, reached = G_MININT64;

  for (guint i = 0; i < slices->len; i++)
    {
      const Slice *slice = slices->pdata[i];
      gint64 pair[2] = { MAX (slice->start, from), MIN (slice->end, to) };

      if (slice->ipu == ipu && g_str_equal (slice->type, type)
          && (leading < 0 || slice->leading == leading) && pair[0] < pair[1])
        g_array_append_vals (pairs, pair, 1);
    }
  g_array_sort (pairs, compare_pairs);
  for (guint i = 0; i < pairs->len; i++)
    {
      const gint64 *pair = (const gint64 *)(gpointer)pairs->data + 2 * i;

      sum += MAX (pair[1] - MAX (pair[0], reached), 0);
      reached = MAX (reached, pair[1]);
    }
  return sum;
}

/* (transfer container): types of the slices, each once. */
static GPtrArray *
list_types (GPtrArray *slices)
{
  GPtrArray *types = g_ptr_array_new ();

  for (guint i = 0; i < slices->len; i++)
    {
      char *type = ((Slice *)slices->pdata[i])->type;

      if (!g_ptr_array_find_with_equal_func (types, type, g_str_equal, NULL))
        g_ptr_array_add (types, type);
    }
  return types;
}

/* What tile utilisation has above the line. */
static gboolean
is_busy (const char *type)
{
  return g_str_equal (type, "OnTileExecute") || g_str_equal (type, "DoExchange")
         || g_str_equal (type, "GlobalExchange") || g_str_equal (type, "StreamCopyMid");
}

static gint64
get_member (JsonNode *ipu, const char *object, const char *type)
{
  g_autofree char *path = g_strdup_printf ("%s.%s", object, type);

  return cli_member (ipu, path) != NULL ? cli_int (ipu, path) : 0;
}

static gint64
sum_bytes (GPtrArray *slices, gint64 ipu, const char *type, gboolean in, gint64 from, gint64 to)
{
  gint64 sum = 0;

  for (guint i = 0; i < slices->len; i++)
    {
      const Slice *slice = slices->pdata[i];

      if (slice->ipu == ipu && g_str_equal (slice->type, type) && slice->start >= from
          && slice->start < to && slice->end > slice->start)
        sum += in ? slice->in : slice->out;
    }
  return sum;
}

/* One entry of "ipus" in [from, to) with @excluded (nullable) left out. */
static void
check_ipu (GPtrArray *slices, JsonNode *ipu, gint64 from, gint64 to, const char *excluded)
{
  g_autoptr (GPtrArray) types = list_types (slices);
  gint64 number = cli_int (ipu, "ipu");
  gint64 counted = 0, busy = 0, weight = 0;
  double balance = 0;

  for (guint t = 0; t < types->len; t++)
    {
      gint64 all = get_union (slices, number, types->pdata[t], -1, from, to);
      gint64 out = excluded != NULL && g_str_equal (excluded, types->pdata[t])
                       ? all
                       : get_union (slices, number, types->pdata[t], TRUE, from, to);

      g_assert_cmpint (get_member (ipu, "cyclesByType", types->pdata[t]), ==, all);
      g_assert_cmpint (get_member (ipu, "excludedCyclesByType", types->pdata[t]), ==, out);
      counted += all - out;
      if (is_busy (types->pdata[t]))
        busy += all - out;
    }
  g_assert_cmpint (cli_int (ipu, "countedCycles"), ==, counted);
  if (counted > 0)
    g_assert_cmpfloat_with_epsilon (json_node_get_double (cli_member (ipu, "tileUtilisation")),
                                    (double)busy / (double)counted, 1e-9);
  for (guint i = 0; i < slices->len; i++)
    {
      const Slice *slice = slices->pdata[i];
      gint64 part = MIN (slice->end, to) - MAX (slice->start, from);

      if (slice->ipu != number || !g_str_equal (slice->type, "OnTileExecute") || part <= 0)
        continue;
      weight += part;
      balance += (double)part * slice->balance;
    }
  if (weight > 0)
    g_assert_cmpfloat_with_epsilon (json_node_get_double (cli_member (ipu, "tileBalance")),
                                    balance / (double)weight, 1e-6);
  g_assert_cmpint (cli_int (ipu, "streamCopyRx"), ==,
                   sum_bytes (slices, number, "StreamCopyMid", TRUE, from, to));
  g_assert_cmpint (cli_int (ipu, "streamCopyTx"), ==,
                   sum_bytes (slices, number, "StreamCopyMid", FALSE, from, to));
  g_assert_cmpint (cli_int (ipu, "globalExchangeRx"), ==,
                   sum_bytes (slices, number, "GlobalExchange", TRUE, from, to));
  g_assert_cmpint (cli_int (ipu, "globalExchangeTx"), ==,
                   sum_bytes (slices, number, "GlobalExchange", FALSE, from, to));
}

static void
check_ipus (GPtrArray *slices, JsonNode *root, gint64 from, gint64 to, const char *excluded)
{
  JsonArray *ipus = json_node_get_array (cli_member (root, "ipus"));

  g_assert_cmpuint (json_array_get_length (ipus), >, 0);
  for (guint i = 0; i < json_array_get_length (ipus); i++)
    check_ipu (slices, json_array_get_element (ipus, i), from, to, excluded);
}

static void
test_trace (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  g_auto (CliRun) run = { 0 };
  g_autofree char *keys = NULL;
  g_autofree char *ipu_keys = NULL;
  g_autofree char *run_keys = NULL;
  g_autoptr (GPtrArray) slices = read_slices (folder);
  JsonArray *runs;

  cli_run_json (&run, "trace", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  keys = cli_keys (run.json, NULL);
  g_assert_cmpstr (keys, ==, "totalCycles ipus runs");
  cli_check_number (folder, run.json, "totalCycles",
                    "SELECT max(cycles_base + active_cycles_to_max) "
                    "- min(cycles_base + active_cycles_from_max) FROM steps_by_ipu");
  check_ipus (slices, run.json, G_MININT64 / 2, G_MAXINT64 / 2, NULL);
  ipu_keys = cli_keys (
      json_array_get_element (json_node_get_array (cli_member (run.json, "ipus")), 0), NULL);
  g_assert_cmpstr (
      ipu_keys, ==,
      "ipu replica cyclesByType countedCycles excludedCyclesByType tileUtilisation tileBalance "
      "streamCopyRx streamCopyTx globalExchangeRx globalExchangeTx");
  runs = json_node_get_array (cli_member (run.json, "runs"));
  g_assert_cmpint (json_array_get_length (runs), ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM runs"));
  run_keys = cli_keys (json_array_get_element (runs, 0), NULL);
  g_assert_cmpstr (run_keys, ==, "id name firstStep endStep start end microseconds");
  for (guint i = 0; i < json_array_get_length (runs); i++)
    {
      JsonNode *node = json_array_get_element (runs, i);
      gint64 id = cli_int (node, "id");

      g_assert_cmpint (
          cli_int (node, "firstStep"), ==,
          tsr_test_ask (folder, "SELECT first_step FROM runs WHERE id = %" PRId64, id));
      g_assert_cmpint (cli_int (node, "endStep"), ==,
                       tsr_test_ask (folder, "SELECT end_step FROM runs WHERE id = %" PRId64, id));
      g_assert_cmpint (
          cli_int (node, "start"), ==,
          tsr_test_ask (folder,
                        "SELECT min(cycles_base + active_cycles_from_max) FROM steps_by_ipu "
                        "JOIN steps ON id = step_id WHERE run = %" PRId64,
                        id));
    }
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

/* Ranges that begin and end inside of steps. */
static void
test_ranges (void)
{
  char *folder = cli_report_new ("demo");
  g_autoptr (GPtrArray) slices = read_slices (folder);
  gint64 end
      = tsr_test_ask (folder, "SELECT max(cycles_base + active_cycles_to_max) FROM steps_by_ipu");

  for (guint i = 0; i < 12; i++)
    {
      gint64 from = (gint64)(g_test_rand_double () * (double)end);
      gint64 to = from + 1 + (gint64)(g_test_rand_double () * (double)(end - from));
      g_autofree char *from_word = g_strdup_printf ("--from=%" PRId64, from);
      g_autofree char *to_word = g_strdup_printf ("--to=%" PRId64, to);
      g_auto (CliRun) run = { 0 };

      cli_run_json (&run, "trace", from_word, to_word, "--exclude=Sync", folder, NULL);
      g_assert_cmpint (run.status, ==, 0);
      check_ipus (slices, run.json, from, to, "Sync");
    }
  tsr_test_folder_free (folder);
}

static void
test_run_and_ipu (void)
{
  char *folder = cli_report_new ("demo");
  g_autoptr (GPtrArray) slices = read_slices (folder);
  gint64 from
      = tsr_test_ask (folder, "SELECT min(cycles_base + active_cycles_from_max) FROM steps_by_ipu "
                              "JOIN steps ON id = step_id WHERE run = 1");
  gint64 to
      = tsr_test_ask (folder, "SELECT max(cycles_base + active_cycles_to_max) FROM steps_by_ipu "
                              "JOIN steps ON id = step_id WHERE run = 1");
  g_auto (CliRun) run = { 0 };
  JsonArray *ipus;

  cli_run_json (&run, "trace", "--run=1", "--ipu=1", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  ipus = json_node_get_array (cli_member (run.json, "ipus"));
  g_assert_cmpuint (json_array_get_length (ipus), ==, 1);
  g_assert_cmpint (cli_int (json_array_get_element (ipus, 0), "ipu"), ==, 1);
  check_ipus (slices, run.json, from, to, NULL);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (cli_member (run.json, "runs"))), ==,
                    1);
  tsr_test_folder_free (folder);
}

/* A number of "budgets" in check. */
static double
get_budget (JsonNode *root, const char *name)
{
  JsonArray *budgets = json_node_get_array (cli_member (root, "budgets"));

  for (guint i = 0; i < json_array_get_length (budgets); i++)
    {
      JsonNode *budget = json_array_get_element (budgets, i);

      if (g_str_equal (json_node_get_string (cli_member (budget, "name")), name))
        return json_node_get_double (cli_member (budget, "value"));
    }
  g_error ("there is no budget %s", name);
}

/* Budgets scan the steps by themselves: their figures are the trace's. */
static void
test_budgets (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  char *beside = tsr_test_folder_new ();
  g_autofree char *file = g_build_filename (beside, "budget.txt", NULL);
  g_autofree char *option = g_strconcat ("--budget=", file, NULL);
  g_auto (CliRun) trace = { 0 };
  g_auto (CliRun) check = { 0 };
  double busy = 0, counted = 0;
  JsonArray *ipus;

  g_assert_true (g_file_set_contents (
      file, "totalCycles = 1\ntileUtilisation = 0.1\ntileBalance = 0.1\n", -1, NULL));
  cli_run_json (&trace, "trace", folder, NULL);
  cli_run_json (&check, "check", option, folder, NULL);
  g_assert_cmpfloat (get_budget (check.json, "totalCycles"), ==,
                     (double)cli_int (trace.json, "totalCycles"));
  ipus = json_node_get_array (cli_member (trace.json, "ipus"));
  for (guint i = 0; i < json_array_get_length (ipus); i++)
    {
      JsonNode *ipu = json_array_get_element (ipus, i);

      busy += (double)(get_member (ipu, "cyclesByType", "OnTileExecute")
                       + get_member (ipu, "cyclesByType", "DoExchange")
                       + get_member (ipu, "cyclesByType", "GlobalExchange")
                       + get_member (ipu, "cyclesByType", "StreamCopyMid"));
      counted += (double)cli_int (ipu, "countedCycles");
    }
  g_assert_cmpfloat_with_epsilon (get_budget (check.json, "tileUtilisation"), busy / counted, 1e-9);
  tsr_test_folder_free (folder);
  tsr_test_folder_free (beside);
}

/* Runs are told by their numbers in the file, not by their places, in every command. */
static void
test_run_numbers (void)
{
  static const char *const calls[][3] = { { "trace", "--ipu=0" },
                                          { "export", "--as=perfetto", "--output=" },
                                          { "render", "--view=trace", "--output=" } };
  char *folder = cli_report_new ("demo");
  char *target = tsr_test_folder_new ();

  tsr_test_sql (folder, "profile.pop",
                "UPDATE runs SET id = id + 10; UPDATE steps SET run = run + 10;"
                "UPDATE run_cycles_by_ipu SET run = run + 10; UPDATE blocks SET run = run + 10;");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *output = g_strdup_printf ("--output=%s/out%u.png", target, i);
      const char *last = calls[i][2] != NULL ? output : calls[i][1];
      g_auto (CliRun) there = { 0 };
      g_auto (CliRun) missing = { 0 };

      cli_run (&there, calls[i][0], calls[i][1], last, "--run=12", folder, NULL);
      g_assert_cmpstr (there.err, ==, "");
      g_assert_cmpint (there.status, ==, 0);
      cli_run (&missing, calls[i][0], calls[i][1], last, "--run=2", folder, NULL);
      g_assert_cmpint (missing.status, ==, 2);
      g_assert_nonnull (strstr (missing.err, "no run 2"));
    }
  tsr_test_folder_free (folder);
  tsr_test_folder_free (target);
}

/* ------------------------------------------------------------------- steps */

#define STEPS_SQL                                                                                  \
  "SELECT b.step_id, b.ipu, s.type, coalesce(c.name, p.name, ''), b.cycles_base + "                \
  "b.active_cycles_from_max, "                                                                     \
  "b.cycles_base + b.active_cycles_to_max, b.active_cycles_from_max - b.active_cycles_from_min, "  \
  "b.cycles, "                                                                                     \
  "b.active_tiles, b.data_in, b.data_out FROM steps_by_ipu b JOIN steps s ON s.id = b.step_id "    \
  "LEFT JOIN compute_sets c ON c.compute_set = s.compute_set LEFT JOIN programs p ON p.id = "      \
  "s.program "

static void
check_steps (const char *folder, JsonNode *json, const char *where)
{
  static const char *const keys[] = { "step",   "ipu",    "type",        "name",   "start",  "end",
                                      "leadIn", "cycles", "activeTiles", "dataIn", "dataOut" };
  g_autofree char *sql = g_strconcat (STEPS_SQL, where, " ORDER BY 1, 2", NULL);
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (folder, "profile.pop", sql);
  JsonArray *array = json_node_get_array (json);

  g_assert_cmpuint (rows->len, >, 0);
  g_assert_cmpuint (json_array_get_length (array), ==, rows->len);
  for (guint i = 0; i < rows->len; i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      char **row = rows->pdata[i];

      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        if (k == 2 || k == 3)
          g_assert_cmpstr (json_node_get_string (cli_member (node, keys[k])), ==, row[k]);
        else
          g_assert_cmpint (cli_int (node, keys[k]), ==, parse (row[k]));
    }
}

static void
test_steps (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  g_auto (CliRun) all = { 0 };
  g_auto (CliRun) some = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_auto (CliRun) few = { 0 };
  g_autoptr (GPtrArray) lines = NULL;

  cli_run_json (&all, "trace", "--steps", folder, NULL);
  g_assert_cmpint (all.status, ==, 0);
  check_steps (folder, all.json, "");
  cli_run_json (&some, "trace", "--steps", "--run=1", "--ipu=0", "--exclude=Sync,StreamCopyEnd",
                folder, NULL);
  check_steps (folder, some.json,
               "WHERE s.run = 1 AND b.ipu = 0 AND s.type NOT IN ('Sync', 'StreamCopyEnd')");
  cli_run (&csv, "trace", "--steps", "--format=csv", folder, NULL);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpint (lines->len, ==, 1 + tsr_test_ask (folder, "SELECT count(*) FROM steps_by_ipu"));
  g_assert_cmpstr (((char **)lines->pdata[0])[0], ==, "step");
  cli_run_json (&few, "trace", "--steps", "--limit=3", folder, NULL);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (few.json)), ==, 3);
  tsr_test_folder_free (folder);
}

/* Only what the schema marks as confirmed: starts are the first tile's, lead-ins are not told. */
static void
test_confirmed (void)
{
  char *full = cli_report_new ("demo");
  char *folder = cli_confirmed_new (full);
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) steps = { 0 };
  JsonArray *array;

  cli_run_json (&run, "trace", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (cli_member (run.json, "ipus"))), ==,
                    2);
  cli_run_json (&steps, "trace", "--steps", folder, NULL);
  array = json_node_get_array (steps.json);
  g_assert_cmpint (json_array_get_length (array), ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM steps_by_ipu"));
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      g_assert_true (json_node_is_null (cli_member (node, "leadIn")));
      g_assert_true (json_node_is_null (cli_member (node, "tileBalance")));
      g_assert_cmpint (cli_int (node, "start"), <=, cli_int (node, "end"));
    }
  tsr_test_folder_free (folder);
  tsr_test_folder_free (full);
}

/* Steps whose times cannot be are no steps of 0 cycles: what follows from them is null. */
static void
test_no_times (void)
{
  static const char *const damage[] = {
    "UPDATE steps_by_ipu SET cycles_base = cycles_base + 9223372036853000000",
    "DELETE FROM steps_by_ipu",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damage); i++)
    {
      char *folder = cli_report_new ("tiny");
      g_auto (CliRun) run = { 0 };
      g_auto (CliRun) text = { 0 };
      JsonArray *ipus, *runs;

      tsr_test_sql (folder, "profile.pop", damage[i]);
      cli_run_json (&run, "trace", folder, NULL);
      g_assert_cmpint (run.status, <=, 1);
      g_assert_true (json_node_is_null (cli_member (run.json, "totalCycles")));
      ipus = cli_array (run.json, "ipus");
      for (guint k = 0; k < json_array_get_length (ipus); k++)
        {
          static const char *const keys[]
              = { "countedCycles", "tileUtilisation",  "streamCopyRx",
                  "streamCopyTx",  "globalExchangeRx", "globalExchangeTx" };

          for (guint n = 0; n < G_N_ELEMENTS (keys); n++)
            g_assert_true (
                json_node_is_null (cli_member (json_array_get_element (ipus, k), keys[n])));
        }
      runs = cli_array (run.json, "runs");
      g_assert_cmpuint (json_array_get_length (runs), >, 0);
      for (guint k = 0; k < json_array_get_length (runs); k++)
        {
          g_assert_true (
              json_node_is_null (cli_member (json_array_get_element (runs, k), "start")));
          g_assert_true (json_node_is_null (cli_member (json_array_get_element (runs, k), "end")));
        }
      cli_run (&text, "trace", folder, NULL);
      g_assert_null (strstr (text.out, " 0 cycles"));
      tsr_test_folder_free (folder);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *word, *said;
  } calls[] = {
    { "--ipu=2", "no IPU 2" },
    { "--run=9", "no run 9" },
    { "--exclude=Nonsense", "OnTileExecute" },
    { "--from=x", "whole number" },
    { "--ipu=-1", "whole number" },
    { "--to=1e9", "whole number" },
  };
  char *folder = cli_report_new ("demo");
  char *without = cli_report_new ("oom");
  g_auto (CliRun) run = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_auto (CliRun) refused = { 0 };

      cli_run (&refused, "trace", calls[i].word, folder, NULL);
      g_assert_cmpint (refused.status, ==, 2);
      g_assert_nonnull (strstr (refused.err, calls[i].said));
      g_assert_cmpstr (refused.out, ==, "");
    }
  cli_run (&run, "trace", without, NULL);
  g_assert_cmpint (run.status, ==, 2);
  g_assert_nonnull (strstr (run.err, "autoReport.outputExecutionProfile"));
  tsr_test_folder_free (folder);
  tsr_test_folder_free (without);
}

/* ------------------------------------------------------------------ export */

/* A message's fields: varints as numbers, all else as bytes. */
typedef struct
{
  guint field;
  guint64 number;
  const guint8 *data;
  gsize length;
} Field;

static guint64
read_varint (const guint8 **p, const guint8 *end)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 64; shift += 7)
    {
      g_assert_true (*p < end);
      value |= (guint64)(**p & 0x7f) << shift;
      if ((*(*p)++ & 0x80) == 0)
        return value;
    }
  g_assert_not_reached ();
}

static gboolean
read_field (const guint8 **p, const guint8 *end, Field *field)
{
  guint64 head;

  if (*p == end)
    return FALSE;
  head = read_varint (p, end);
  *field = (Field){ .field = (guint)(head >> 3) };
  if ((head & 7) == 0)
    field->number = read_varint (p, end);
  else
    {
      g_assert_true ((head & 7) == 1 || (head & 7) == 2);
      field->length = (head & 7) == 1 ? 8 : read_varint (p, end);
      g_assert_cmpuint (field->length, <=, (gsize)(end - *p));
      field->data = *p;
      *p += field->length;
    }
  return TRUE;
}

static gboolean
find_field (const Field *message, guint number, Field *found)
{
  const guint8 *p = message->data;

  while (read_field (&p, message->data + message->length, found))
    if (found->field == number)
      return TRUE;
  return FALSE;
}

static guint64
get_number (const Field *message, guint number)
{
  Field field;

  return find_field (message, number, &field) ? field.number : 0;
}

/* Slices of a track: how deep it stands now, and how many there were with arguments. */
typedef struct
{
  GArray *begun; /* guint64 times */
  guint64 time;
  guint steps;
  guint64 cycles; /* sum of the steps' nanoseconds */
} Track;

static void
track_free (gpointer data)
{
  Track *track = data;

  g_array_unref (track->begun);
  g_free (track);
}

static void
read_event (GHashTable *tracks, guint64 time, const Field *event)
{
  guint64 uuid = get_number (event, 11);
  guint64 type = get_number (event, 9);
  Track *track = g_hash_table_lookup (tracks, GSIZE_TO_POINTER (uuid));
  Field annotation;
  guint64 begun;

  g_assert_nonnull (track); /* told before it is used */
  g_assert_cmpuint (time, >=, track->time);
  track->time = time;
  if (type == 1)
    {
      g_assert_cmpuint (get_number (event, 10), !=, 0);
      begun = time << 1 | (find_field (event, 4, &annotation) ? 1 : 0);
      g_array_append_val (track->begun, begun);
    }
  else if (type == 2)
    {
      g_assert_cmpuint (track->begun->len, >, 0);
      begun = g_array_index (track->begun, guint64, track->begun->len - 1);
      g_array_set_size (track->begun, track->begun->len - 1);
      if ((begun & 1) != 0)
        {
          track->steps++;
          track->cycles += time - (begun >> 1);
        }
    }
  else
    g_assert_cmpuint (type, ==, 4);
}

static void
test_perfetto (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  char *target = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (target, "out.perfetto-trace", NULL);
  g_autofree char *output = g_strconcat ("--output=", path, NULL);
  g_autofree char *data = NULL;
  g_autoptr (GHashTable) tracks = g_hash_table_new_full (NULL, NULL, NULL, track_free);
  g_autoptr (GHashTable) names = g_hash_table_new (NULL, NULL);
  g_auto (CliRun) run = { 0 };
  GHashTableIter iter;
  gpointer value;
  gsize length;
  guint steps = 0;
  const guint8 *p;
  Field packet;

  cli_run (&run, "export", "--as=perfetto", output, folder, NULL);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  p = (const guint8 *)data;
  while (read_field (&p, (const guint8 *)data + length, &packet))
    {
      Field field, name;

      g_assert_cmpuint (packet.field, ==, 1);
      g_assert_cmpuint (get_number (&packet, 10), ==, 1);
      g_assert_cmpuint (get_number (&packet, 13), !=, 0);
      if (find_field (&packet, 12, &field) && find_field (&field, 2, &name))
        g_hash_table_add (names, GSIZE_TO_POINTER (get_number (&name, 1)));
      if (find_field (&packet, 60, &field))
        {
          Track *track = g_new0 (Track, 1);

          track->begun = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_hash_table_insert (tracks, GSIZE_TO_POINTER (get_number (&field, 1)), track);
        }
      else if (find_field (&packet, 11, &field))
        {
          if (get_number (&field, 9) == 1)
            g_assert_true (
                g_hash_table_contains (names, GSIZE_TO_POINTER (get_number (&field, 10))));
          read_event (tracks, get_number (&packet, 8), &field);
        }
    }
  g_hash_table_iter_init (&iter, tracks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Track *track = value;

      g_assert_cmpuint (track->begun->len, ==, 0);
      steps += track->steps;
    }
  /* Every slice that took time is there once. */
  g_assert_cmpint (steps, ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM steps_by_ipu "
                                         "WHERE active_cycles_to_max > active_cycles_from_max"));
  tsr_test_folder_free (folder);
  tsr_test_folder_free (target);
}

static void
test_export_refused (void)
{
  char *folder = cli_report_new ("demo");
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  g_autofree char *inside = g_strdup_printf ("--output=%s/profile.pop", folder);
  g_autofree char *nowhere = g_strdup_printf ("--output=%s/none/x", folder);
  const char *const words[] = { inside, nowhere };
  g_auto (CliRun) unsaid = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_auto (CliRun) run = { 0 };

      cli_run (&run, "export", "--as=perfetto", words[i], folder, NULL);
      g_assert_cmpint (run.status, ==, 2);
      g_assert_cmpstr (run.err, !=, "");
    }
  cli_run (&unsaid, "export", "--output=/dev/null", folder, NULL);
  g_assert_cmpint (unsaid.status, ==, 2);
  g_assert_nonnull (strstr (unsaid.err, "--as=perfetto"));
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/trace/tiny", "tiny", test_trace);
  g_test_add_data_func ("/trace/demo", "demo", test_trace);
  g_test_add_func ("/trace/ranges", test_ranges);
  g_test_add_func ("/trace/run-and-ipu", test_run_and_ipu);
  g_test_add_func ("/trace/run-numbers", test_run_numbers);
  g_test_add_data_func ("/trace/budgets/tiny", "tiny", test_budgets);
  g_test_add_data_func ("/trace/budgets/demo", "demo", test_budgets);
  g_test_add_data_func ("/trace/steps/tiny", "tiny", test_steps);
  g_test_add_data_func ("/trace/steps/demo", "demo", test_steps);
  g_test_add_func ("/trace/confirmed", test_confirmed);
  g_test_add_func ("/trace/no-times", test_no_times);
  g_test_add_func ("/trace/refused", test_refused);
  g_test_add_data_func ("/export/perfetto/tiny", "tiny", test_perfetto);
  g_test_add_data_func ("/export/perfetto/demo", "demo", test_perfetto);
  g_test_add_func ("/export/refused", test_export_refused);
  return g_test_run ();
}
