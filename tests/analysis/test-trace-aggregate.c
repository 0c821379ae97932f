/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Groups of steps against sums made by hand, and on random executions against a loop over
 * tsr_trace_get_slice that keeps a table of names. */

#include "config.h"

#include "trace-test.h"
#include "tsr-trace-aggregate.h"

#include <math.h>
#include <string.h>

static TsrTraceAggregate *
aggregate (const TsrTrace *trace, const TsrTraceAggregateQuery *query)
{
  g_autoptr (GError) error = NULL;
  TsrTraceAggregate *answer = tsr_trace_aggregate (trace, query, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (answer);
  return answer;
}

static const TsrTraceAggregateRow *
find_row (const TsrTraceAggregate *answer, const char *name)
{
  for (guint i = 0; i < answer->rows->len; i++)
    {
      const TsrTraceAggregateRow *row = &g_array_index (answer->rows, TsrTraceAggregateRow, i);

      if (strcmp (row->name, name) == 0)
        return row;
    }
  g_error ("no row %s", name);
}

/* One IPU: two runs of model/a (100 and 100 cycles, balance 0.5), model/b (300, 0.9), an exchange
 * of 40 with 30 bytes, a wait of 1000. */
static TraceTest *
make_small (void)
{
  TraceTest *t = trace_test_new (1);
  TraceTestSlice *slice;
  gint64 now = 0;

  for (guint i = 0; i < 2; i++)
    {
      slice = trace_test_add (t, trace_test_add_compute (t, "model/a/Reduce"), 0, now, now + 100);
      slice->cycles = 100;
      slice->active_tile_balance = 0.5;
      slice->tile_balance = 0.25;
      now += 100;
    }
  slice = trace_test_add (t, trace_test_add_compute (t, "model/b/MatMul"), 0, now, now + 300);
  slice->cycles = 310;
  slice->active_tile_balance = 0.9f;
  slice->tile_balance = 0.75;
  now += 300;
  slice
      = trace_test_add (t, trace_test_add_step (t, "DoExchange", "model/b/Copy"), 0, now, now + 40);
  slice->data_in = 10;
  slice->data_out = 20;
  now += 40;
  trace_test_add_simple (t, "StreamCopyEnd", NULL, 0, now, now + 1000);
  trace_test_add (t, trace_test_add_step (t, "Sync", "External"), 0, TSR_UNKNOWN, TSR_UNKNOWN);
  t->target.clock_frequency = 1e9;
  return t;
}

static void
test_names (void)
{
  g_autoptr (TraceTest) t = make_small ();
  g_autoptr (TsrTrace) trace = trace_test_build (t);
  TsrTraceAggregateQuery query = { .from = 0, .to = 1540, .grouping = TSR_TRACE_BY_NAME };
  g_autoptr (TsrTraceAggregate) answer = aggregate (trace, &query);
  const TsrTraceAggregateRow *row = find_row (answer, "model/a/Reduce");

  g_assert_cmpuint (answer->rows->len, ==, 4);
  g_assert_cmpint (answer->total, ==, 1540);
  g_assert_cmpuint (answer->n_unknown, ==, 1);
  g_assert_cmpfloat_with_epsilon (answer->seconds, 1540e-9, 1e-15);
  g_assert_cmpuint (row->count, ==, 2);
  g_assert_cmpint (row->total, ==, 200);
  g_assert_cmpint (row->lost, ==, 100);
  g_assert_cmpfloat_with_epsilon (row->balance, 0.25, 1e-9);
  g_assert_cmpfloat_with_epsilon (row->share, 200. / 1540, 1e-9);
  g_assert_cmpuint (row->n_compute_sets, ==, 1);
  g_assert_cmpint (row->least, ==, TSR_UNKNOWN); /* one compute set has one count */
  g_assert_true (isnan (row->mean));
  g_assert_cmpint (row->bytes, ==, 0);
  row = find_row (answer, "model/b/Copy");
  g_assert_cmpint (row->bytes, ==, 30);
  g_assert_cmpint (row->lost, ==, 0);
  g_assert_true (isnan (row->balance));
  g_assert_cmpint (answer->bytes, ==, 30);
  g_assert_cmpint (answer->lost, ==, 130);
  row = &g_array_index (answer->rows, TsrTraceAggregateRow, 0); /* largest first */
  g_assert_cmpstr (row->name, ==, "");
  g_assert_cmpint (row->total, ==, 1000);
}

/* Compute sets that steps of several groups execute are ones of each of them, once. */
static void
test_shared_sets (void)
{
  static const char *const types[] = { "OnTileExecute", "DoExchange", "OnTileCopy" };
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  TsrTraceAggregateQuery query = { .from = 0, .to = 10000, .grouping = TSR_TRACE_BY_TYPE };
  g_autoptr (TsrTraceAggregate) answer = NULL;

  for (guint i = 0; i < 12; i++)
    {
      const char *type = types[i % 3];
      guint32 step = trace_test_add_compute (t, i % 2 == 0 ? "even" : "odd");
      guint32 set = t->tables.step_compute_set[step];

      if (i % 3 > 0)
        {
          step = trace_test_add_step (t, type, "name");
          t->tables.step_compute_set[step] = set;
        }
      trace_test_add (t, step, 0, 100 * i, 100 * i + 50)->cycles = i % 2 == 0 ? 10 + i : 40 + i;
    }
  trace = trace_test_build (t);
  answer = aggregate (trace, &query);
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      const TsrTraceAggregateRow *row = find_row (answer, types[k]);

      g_assert_cmpuint (row->count, ==, 4);
      g_assert_cmpuint (row->n_compute_sets, ==, 2);
      /* The most of each set, whoever executed it. */
      g_assert_cmpint (row->least, ==, 20);
      g_assert_cmpint (row->most, ==, 51);
      g_assert_cmpfloat_with_epsilon (row->mean, (20 + 51) / 2., 1e-9);
    }
}

static void
test_prefixes (void)
{
  g_autoptr (TraceTest) t = make_small ();
  g_autoptr (TsrTrace) trace = trace_test_build (t);
  TsrTraceAggregateQuery query
      = { .from = 150, .to = 520, .grouping = TSR_TRACE_BY_PREFIX, .depth = 1 };
  g_autoptr (TsrTraceAggregate) one = aggregate (trace, &query);
  g_autoptr (TsrTraceAggregate) two = NULL;
  const TsrTraceAggregateRow *row = find_row (one, "model");

  g_assert_cmpuint (one->rows->len, ==, 1);
  g_assert_cmpint (row->total, ==, 370); /* 50 of the second a, 300 of b, 20 of the exchange */
  g_assert_cmpuint (row->count, ==, 3);
  g_assert_cmpuint (row->n_types, ==, 2);
  g_assert_cmpuint (row->n_compute_sets, ==, 2);
  g_assert_cmpint (row->least, ==, 100);
  g_assert_cmpint (row->most, ==, 310);
  g_assert_cmpfloat_with_epsilon (row->mean, 205, 1e-9);
  g_assert_cmpint (row->lost, ==, 55);
  g_assert_cmpfloat_with_epsilon (row->balance, (50 * .25 + 300 * .75) / 350, 1e-9);
  query.depth = 2;
  two = aggregate (trace, &query);
  g_assert_cmpuint (two->rows->len, ==, 2);
  g_assert_cmpint (find_row (two, "model/a")->total, ==, 50);
  g_assert_cmpint (find_row (two, "model/b")->total, ==, 320);
}

static void
test_other_groupings (void)
{
  g_autoptr (TraceTest) t = make_small ();
  g_autoptr (TsrTrace) trace = trace_test_build (t);
  g_autoptr (GRegex) regex = g_regex_new ("^model/([ab])/M|Red", 0, 0, NULL);
  TsrTraceAggregateQuery query = { .from = 0, .to = 1540, .grouping = TSR_TRACE_BY_TYPE };
  g_autoptr (TsrTraceAggregate) types = aggregate (trace, &query);
  g_autoptr (TsrTraceAggregate) sets = NULL, matches = NULL, seen = NULL;

  g_assert_cmpint (find_row (types, "OnTileExecute")->total, ==, 500);
  g_assert_cmpint (find_row (types, "OnTileExecute")->least, ==, 100);
  g_assert_cmpint (find_row (types, "DoExchange")->total, ==, 40);
  query.grouping = TSR_TRACE_BY_COMPUTE_SET;
  sets = aggregate (trace, &query);
  g_assert_cmpint (find_row (sets, "model/a/Reduce")->count, ==, 2);
  g_assert_cmpint (find_row (sets, "DoExchange")->total, ==, 40);
  query.grouping = TSR_TRACE_BY_REGEX;
  query.regex = regex;
  matches = aggregate (trace, &query);
  g_assert_cmpuint (matches->rows->len, ==, 3);
  g_assert_cmpint (find_row (matches, "Red")->total, ==, 200);
  g_assert_cmpint (find_row (matches, "b")->total, ==, 300);
  g_assert_cmpint (find_row (matches, "other")->total, ==, 1040);
  for (guint i = 0; i < 2; i++)
    {
      /* A group that has no part in the match does not name it, one at the begin of the name does.
       */
      g_autoptr (GRegex) other = g_regex_new (i == 0 ? "(x)?/([ab])/M" : "^(mo)del", 0, 0, NULL);
      g_autoptr (TsrTraceAggregate) whole = NULL;

      query.regex = other;
      whole = aggregate (trace, &query);
      g_assert_cmpint (find_row (whole, i == 0 ? "/b/M" : "mo")->total, ==, i == 0 ? 300 : 540);
      query.regex = regex;
    }
  query.hidden = tsr_trace_find_types (trace, "StreamCopyEnd");
  seen = aggregate (trace, &query);
  g_assert_cmpint (find_row (seen, "other")->total, ==, 40);
}

static void
test_unknown (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceAggregate) answer = NULL, types = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  TsrTraceAggregateQuery query = { .from = 0, .to = 100, .grouping = TSR_TRACE_BY_NAME };

  trace_test_add (t, trace_test_add_compute (t, "a"), 0, 0, 10)->active_tile_balance = 1;
  trace_test_add (t, trace_test_add_compute (t, "a"), 0, 10, 20)->cycles = 10;
  trace_test_add (t, trace_test_add_compute (t, "b"), 0, 90, 95);
  trace_test_add (t, trace_test_add_step (t, "DoExchange", "x"), 0, 20, 30)->data_in = 5;
  trace_test_add_simple (t, "DoExchange", "empty", 0, 30, 30);
  trace = trace_test_build (t);
  answer = aggregate (trace, &query);
  g_assert_cmpuint (answer->rows->len, ==, 3);
  g_assert_cmpint (find_row (answer, "a")->lost, ==, TSR_UNKNOWN);
  g_assert_cmpint (answer->lost, ==, TSR_UNKNOWN);
  g_assert_cmpint (find_row (answer, "x")->bytes, ==, TSR_UNKNOWN);
  g_assert_cmpint (answer->bytes, ==, TSR_UNKNOWN);
  g_assert_true (isnan (answer->flops));
  query.grouping = TSR_TRACE_BY_TYPE;
  types = aggregate (trace, &query);
  g_assert_cmpuint (find_row (types, "OnTileExecute")->n_compute_sets, ==, 2);
  g_assert_cmpint (find_row (types, "OnTileExecute")->least, ==, TSR_UNKNOWN); /* one tells */
  g_cancellable_cancel (cancelled);
  g_assert_null (tsr_trace_aggregate (trace, &query, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* FLOP of a compute set are of all tiles of a replica: two IPUs with 30 and 10 active tiles, in two
 * replicas. */
static void
test_flops (void)
{
  g_autoptr (TraceTest) t = trace_test_new (4);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceAggregate) all = NULL, one = NULL;
  const guint8 only_first[4] = { 1, 0, 0, 0 };
  TsrTraceAggregateQuery query = { .from = 0, .to = 100, .grouping = TSR_TRACE_BY_NAME };
  gint64 flops[] = { 800, 200 };
  guint32 step = trace_test_add_compute (t, "a");

  for (guint i = 0; i < 4; i++)
    trace_test_add (t, step, i, 0, 10)->active_tiles = i % 2 == 0 ? 30 : 10;
  t->target.ipus_per_replica = 2;
  t->target.num_replicas = 2;
  t->target.num_ipus = 4;
  trace_test_seal (t);
  t->programs.vertex_start[1] = 2;
  t->programs.vertex_flops = flops;
  trace = trace_test_build (t);
  all = aggregate (trace, &query);
  g_assert_cmpfloat_with_epsilon (all->flops, 2000, 1e-9);
  query.ipus = only_first;
  one = aggregate (trace, &query);
  g_assert_cmpfloat_with_epsilon (one->flops, 750, 1e-9);
}

/* Random, against a naive loop */

typedef struct
{
  guint64 count;
  gint64 total, bytes;
  double lost, balance, cycles, flops;
  gboolean no_lost, no_bytes, no_balance;
  GHashTable *sets;
  gint64 types[TSR_TRACE_MAX_TYPES]; /* cycles of each */
  guint32 first;
  gint64 first_start;
} Naive;

static void
free_naive (gpointer data)
{
  Naive *naive = data;

  g_hash_table_unref (naive->sets);
  g_free (naive);
}

static char *
dup_key (const TsrTraceSlice *slice, const TsrTrace *trace, const TsrTraceAggregateQuery *query)
{
  g_auto (GStrv) parts = NULL;

  switch (query->grouping)
    {
    case TSR_TRACE_BY_COMPUTE_SET:
      if (slice->compute_set != TSR_NO_INDEX)
        return g_strdup (tsr_string_table_get (
            tsr_trace_get_programs (trace)->strings,
            tsr_trace_get_programs (trace)->compute_set_name[slice->compute_set]));
      return g_strdup (tsr_trace_get_type (trace, slice->type)->label);
    case TSR_TRACE_BY_TYPE:
      return g_strdup (tsr_trace_get_type (trace, slice->type)->label);
    case TSR_TRACE_BY_PREFIX:
      parts = g_strsplit (slice->name, "/", -1);
      for (guint i = g_strv_length (parts); i > query->depth; i--)
        g_clear_pointer (&parts[i - 1], g_free);
      return g_strjoinv ("/", parts);
    default:
      return g_strdup (slice->name);
    }
}

static Naive *
add_naive (GHashTable *rows,
           const TsrTrace *trace,
           const TsrTraceSlice *s,
           const TsrTraceAggregateQuery *query)
{
  g_autofree char *key = dup_key (s, trace, query);
  Naive *row = g_hash_table_lookup (rows, key);
  gint64 d = MIN (s->end, query->to) - MAX (s->start, query->from);
  TsrStepGroup group = tsr_trace_get_type (trace, s->type)->group;

  if (row == NULL)
    {
      row = g_new0 (Naive, 1);
      row->sets = g_hash_table_new (NULL, NULL);
      row->first_start = G_MAXINT64;
      g_hash_table_insert (rows, g_strdup (key), row);
    }
  row->count++;
  row->total += d;
  row->types[s->type] += d;
  if (s->compute_set != TSR_NO_INDEX)
    g_hash_table_add (row->sets, GUINT_TO_POINTER (s->compute_set));
  if (s->start < row->first_start)
    {
      row->first_start = s->start;
      row->first = s->slice;
    }
  if (s->start >= query->from && s->data_in != TSR_UNKNOWN && s->data_out != TSR_UNKNOWN)
    row->bytes += s->data_in + s->data_out;
  else if (s->start >= query->from
           && (group == TSR_STEP_GROUP_EXCHANGE || group == TSR_STEP_GROUP_INTER_IPU
               || group == TSR_STEP_GROUP_TRANSFER))
    row->no_bytes = TRUE;
  if (group == TSR_STEP_GROUP_COMPUTE)
    {
      row->no_lost |= isnan (s->active_tile_balance);
      row->no_balance |= isnan (s->tile_balance);
      row->lost += isnan (s->active_tile_balance) ? 0 : d * (1 - s->active_tile_balance);
      row->balance += isnan (s->tile_balance) ? 0 : d * s->tile_balance;
      row->cycles += d;
    }
  return row;
}

/* Of what the compute set of the slice's step does: the tiles of the slice's IPU among those of the
 * replica's that take time for the step. */
static double
get_share (const TsrTrace *trace, const TsrTraceSlice *s)
{
  gint64 replica, other, place;
  double all = 0;
  guint n_others = 0;

  tsr_trace_get_replica (trace, s->ipu, &replica, &place);
  for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (trace); ipu++)
    {
      const guint32 slice = tsr_trace_find_slice (trace, s->step, ipu);
      TsrTraceSlice beside;

      tsr_trace_get_replica (trace, ipu, &other, &place);
      if (slice == TSR_NO_SLICE || other != replica)
        continue;
      tsr_trace_get_slice (trace, slice, &beside);
      if (beside.start == TSR_UNKNOWN || beside.end <= beside.start)
        continue;
      all += (double)beside.active_tiles;
      n_others += ipu != s->ipu;
    }
  if (n_others == 0)
    return 1;
  return replica == TSR_UNKNOWN || all <= 0 ? NAN : (double)s->active_tiles / all;
}

static const double set_flops[] = { 120, NAN, 7 };

/* @set_cycles: of each compute set the most that is recorded of it. */
static GHashTable *
make_naive (const TsrTrace *trace, const TsrTraceAggregateQuery *query, gint64 *set_cycles)
{
  gboolean asked[4][3] = { { FALSE } };
  double flops[4][3];
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  GHashTable *rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_naive);

  for (guint32 i = 0; i < tables->ipu_start[tables->n_ipus]; i++)
    {
      TsrTraceSlice s;
      Naive *row;

      tsr_trace_get_slice (trace, i, &s);
      if (s.start == TSR_UNKNOWN || s.end <= s.start || s.end <= query->from || s.start >= query->to
          || (query->hidden >> s.type & 1) != 0 || (query->ipus != NULL && !query->ipus[s.ipu])
          || (query->run != NULL
              && (s.step < query->run->first_step || s.step >= query->run->end_step)))
        continue;
      row = add_naive (rows, trace, &s, query);
      if (s.compute_set == TSR_NO_INDEX)
        {
          if (s.start >= query->from
              && tsr_trace_get_type (trace, s.type)->group == TSR_STEP_GROUP_COMPUTE)
            row->flops = NAN;
          continue;
        }
      set_cycles[s.compute_set] = MAX (set_cycles[s.compute_set], s.cycles);
      if (s.start < query->from)
        continue;
      /* The same for every execution of it on an IPU. */
      if (!asked[s.ipu][s.compute_set])
        flops[s.ipu][s.compute_set] = set_flops[s.compute_set] * get_share (trace, &s);
      asked[s.ipu][s.compute_set] = TRUE;
      row->flops += flops[s.ipu][s.compute_set];
    }
  return rows;
}

/* Of several compute sets, all of which tell. */
static void
check_sets (const TsrTraceAggregateRow *row, const Naive *naive, const gint64 *set_cycles)
{
  GHashTableIter iter;
  gpointer set;
  gint64 least = G_MAXINT64, most = G_MININT64;
  double sum = 0;

  g_assert_cmpuint (row->n_compute_sets, ==, g_hash_table_size (naive->sets));
  g_hash_table_iter_init (&iter, naive->sets);
  while (g_hash_table_iter_next (&iter, &set, NULL))
    {
      least = MIN (least, set_cycles[GPOINTER_TO_UINT (set)]);
      most = MAX (most, set_cycles[GPOINTER_TO_UINT (set)]);
      sum += (double)set_cycles[GPOINTER_TO_UINT (set)];
    }
  if (row->n_compute_sets < 2 || least == TSR_UNKNOWN)
    {
      g_assert_cmpint (row->least, ==, TSR_UNKNOWN);
      g_assert_cmpint (row->most, ==, TSR_UNKNOWN);
      g_assert_true (isnan (row->mean));
      return;
    }
  g_assert_cmpint (row->least, ==, least);
  g_assert_cmpint (row->most, ==, most);
  g_assert_cmpfloat_with_epsilon (row->mean, sum / row->n_compute_sets, 1e-6);
}

static void
check_row (const TsrTraceAggregateRow *row, const Naive *naive, const gint64 *set_cycles)
{
  guint type = 0, n_types = 0;

  g_assert_nonnull (naive);
  g_assert_cmpuint (row->count, ==, naive->count);
  g_assert_cmpint (row->total, ==, naive->total);
  g_assert_cmpint (row->bytes, ==, naive->no_bytes ? TSR_UNKNOWN : naive->bytes);
  if (naive->no_lost)
    g_assert_cmpint (row->lost, ==, TSR_UNKNOWN);
  else
    g_assert_cmpfloat_with_epsilon ((double)row->lost, naive->lost, 1.01);
  if (naive->no_balance || naive->cycles == 0)
    g_assert_true (isnan (row->balance));
  else
    g_assert_cmpfloat_with_epsilon (row->balance, naive->balance / naive->cycles, 1e-6);
  for (guint i = 0; i < TSR_TRACE_MAX_TYPES; i++)
    {
      n_types += naive->types[i] > 0;
      type = naive->types[i] > naive->types[type] ? i : type;
    }
  if (isnan (naive->flops))
    g_assert_true (isnan (row->flops));
  else
    g_assert_cmpfloat_with_epsilon (row->flops, naive->flops, 1e-6);
  g_assert_cmpuint (row->n_types, ==, n_types);
  g_assert_cmpuint (row->type, ==, type);
  g_assert_cmpint (row->first_slice, ==, naive->first);
  check_sets (row, naive, set_cycles);
}

/* Rows as a selection, and back: all steps of the trace of the same groups, in the span or not. */
static void
check_matches (const TsrTrace *trace,
               const TsrTraceAggregateQuery *query,
               const TsrTraceAggregate *answer)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  g_autofree guint8 *has = g_new0 (guint8, answer->rows->len + 1);
  g_autofree guint8 *found = g_malloc (answer->rows->len + 1);
  const guint8 *flags = has;
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (TsrTraceMatches) matches = NULL;

  for (guint i = 0; i < answer->rows->len; i += 2)
    {
      has[i] = 1;
      g_hash_table_add (keys, (gpointer)g_array_index (answer->rows, TsrTraceAggregateRow, i).name);
    }
  matches = tsr_trace_aggregate_dup_matches (trace, &answer, &flags, 1);
  for (guint32 i = 0; i < tables->ipu_start[tables->n_ipus]; i++)
    {
      g_autofree char *key = NULL;
      TsrTraceSlice s;

      tsr_trace_get_slice (trace, i, &s);
      key = dup_key (&s, trace, query);
      g_assert_cmpint (tsr_trace_matches_has_slice (matches, trace, i), ==,
                       g_hash_table_contains (keys, key));
    }
  memset (found, 0xa5, answer->rows->len);
  tsr_trace_aggregate_find_rows (answer, matches, found);
  g_assert_cmpmem (found, answer->rows->len, has, answer->rows->len);
}

/* Where the whole is told, what is left of each row's lost cycles decides which are rounded up. */
static void
check_rests (const TsrTraceAggregate *answer, GHashTable *naive)
{
  double least_up = 1, most_down = 0;

  for (guint i = 0; i < answer->rows->len; i++)
    {
      const TsrTraceAggregateRow *row = &g_array_index (answer->rows, TsrTraceAggregateRow, i);
      const Naive *own = g_hash_table_lookup (naive, row->name);
      const double rest = own->lost - (double)row->lost;

      g_assert_cmpint (row->lost, !=, TSR_UNKNOWN);
      least_up = rest < 0 ? MIN (least_up, 1 + rest) : least_up;
      most_down = MAX (most_down, rest);
    }
  g_assert_cmpfloat (least_up, >, most_down - 1e-3);
}

static void
check_against_naive (const TsrTrace *trace, const TsrTraceAggregateQuery *query)
{
  g_autoptr (TsrTraceAggregate) answer = aggregate (trace, query);
  gint64 set_cycles[3] = { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
  g_autoptr (GHashTable) naive = make_naive (trace, query, set_cycles);
  gint64 total = 0, bytes = 0;

  g_assert_cmpuint (answer->rows->len, ==, g_hash_table_size (naive));
  for (guint i = 0; i < answer->rows->len; i++)
    {
      const TsrTraceAggregateRow *row = &g_array_index (answer->rows, TsrTraceAggregateRow, i);

      check_row (row, g_hash_table_lookup (naive, row->name), set_cycles);
      g_assert_true (i == 0 || row->total < row[-1].total
                     || (row->total == row[-1].total && row->first_slice > row[-1].first_slice));
      g_assert_cmpfloat_with_epsilon (row->share, (double)row->total / (double)answer->total, 1e-9);
      total += row->total;
      bytes = bytes == TSR_UNKNOWN || row->bytes == TSR_UNKNOWN ? TSR_UNKNOWN : bytes + row->bytes;
    }
  g_assert_cmpint (answer->total, ==, total);
  g_assert_cmpint (answer->bytes, ==, bytes);
  if (answer->lost != TSR_UNKNOWN)
    check_rests (answer, naive);
  check_matches (trace, query, answer);
}

static void
test_random (void)
{
  static const TsrTraceGrouping groupings[]
      = { TSR_TRACE_BY_NAME, TSR_TRACE_BY_PREFIX, TSR_TRACE_BY_TYPE, TSR_TRACE_BY_COMPUTE_SET };

  for (guint seed = 0; seed < 20; seed++)
    {
      const guint n_ipus = 1 + seed % 4;
      g_autoptr (TraceTest) t = trace_test_new_random (seed, n_ipus, 400, 10);
      g_autoptr (TsrTrace) trace = NULL;
      gint64 flops[] = { 100, 20, 7 };
      GRand *random = g_rand_new_with_seed (seed);
      guint8 ipus[4] = { 1, 0, 1, 1 };
      gint64 from, to;

      t->target.num_ipus = n_ipus;
      t->target.ipus_per_replica = seed < 16 ? MIN (n_ipus, 2 + seed % 3) : TSR_UNKNOWN;
      g_assert_cmpuint (t->programs.n_compute_sets, ==, 3);
      for (guint set = 1; set <= 3; set++)
        t->programs.vertex_start[set] = set < 3 ? 2 : 3;
      t->programs.vertex_flops = flops;
      for (gsize i = 0; i < t->tables.ipu_start[n_ipus] && seed % 2 == 0; i++)
        if (isnan (t->tables.slice_active_tile_balance[i]))
          t->tables.slice_active_tile_balance[i] = 0.3f;
      trace = trace_test_build (t);
      tsr_trace_get_span (trace, &from, &to);
      for (guint i = 0; i < 16; i++)
        {
          TsrTraceAggregateQuery query = { .from = from, .to = to, .depth = 1 + i % 3 };

          query.grouping = groupings[i % G_N_ELEMENTS (groupings)];
          if (i > 3)
            {
              query.from = g_rand_int_range (random, (gint32)from - 10, (gint32)to);
              query.to = g_rand_int_range (random, (gint32)query.from + 1, (gint32)to + 10);
              query.hidden = g_rand_int (random) & g_rand_int (random);
              query.ipus = i > 6 ? ipus : NULL;
              query.run = i > 12 ? tsr_trace_get_run (trace, i % 3) : NULL;
            }
          check_against_naive (trace, &query);
        }
      g_rand_free (random);
    }
}

/* However the steps are grouped, the cycles lost are the same, are those of the sums of spans, and
 * are what the rows add up to. */
static void
test_lost (void)
{
  for (guint seed = 0; seed < 30; seed++)
    {
      g_autoptr (TraceTest) t = trace_test_new_random (100 + seed, 3, 900, 6);
      const TsrExecutionTables *tables = &t->tables;
      g_autoptr (TsrTrace) trace = NULL;
      g_autoptr (GRegex) regex = g_regex_new ("[a-m]+", 0, 0, NULL);
      gint64 from, to, sum_of_ipus = 0, rest = 0;
      long double naive = 0;
      guint32 compute;

      for (gsize i = 0; i < tables->ipu_start[3]; i++) /* all tell */
        t->tables.slice_active_tile_balance[i] = (float)((seed * 131 + i * 7919) % 1000) / 999;
      trace = trace_test_build (t);
      compute = tsr_trace_find_types (trace, "OnTileExecute");
      tsr_trace_get_span (trace, &from, &to);
      from += seed * 7;
      for (guint32 i = 0; i < tables->ipu_start[3]; i++)
        {
          gint64 d = MIN (tables->slice_end[i], to) - MAX (tables->slice_start[i], from);

          if (tables->slice_start[i] != TSR_UNKNOWN && d > 0
              && compute >> tsr_trace_get_slice_type (trace, i) & 1)
            naive += d * (1 - (long double)tables->slice_active_tile_balance[i]);
        }
      for (guint ipu = 0; ipu < 3; ipu++)
        {
          TsrTraceSums sums;

          tsr_trace_sum (trace, ipu, from, to, 0, &sums);
          sum_of_ipus += sums.lost;
          rest += sums.lost_rest;
        }
      sum_of_ipus += (gint64)llround (ldexp ((double)rest, -32));
      for (TsrTraceGrouping grouping = TSR_TRACE_BY_NAME; grouping <= TSR_TRACE_BY_REGEX;
           grouping++)
        for (guint depth = 1; depth < 4; depth++)
          {
            TsrTraceAggregateQuery query
                = { .from = from, .to = to, .grouping = grouping, .depth = depth, .regex = regex };
            g_autoptr (TsrTraceAggregate) answer = aggregate (trace, &query);
            gint64 sum = 0;

            for (guint i = 0; i < answer->rows->len; i++)
              sum += g_array_index (answer->rows, TsrTraceAggregateRow, i).lost;
            g_assert_cmpint (sum, ==, answer->lost);
            g_assert_cmpint (answer->lost, ==, sum_of_ipus);
            g_assert_cmpfloat_with_epsilon ((double)answer->lost, (double)naive, 0.502);
          }
    }
}

static void
test_blocks (void)
{
  g_autoptr (TraceTest) t = trace_test_new (2);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GArray) all = NULL, first = NULL;
  const guint8 only_first[2] = { 1, 0 };
  guint32 a = tsr_string_table_intern (t->tables.strings, "a", -1);
  guint32 b = tsr_string_table_intern (t->tables.strings, "b", -1);
  guint32 names[] = { a, a, b, b, a, a, b }, ipus[] = { 0, 1, 0, 0, 0, 0, 0 };
  gint64 froms[] = { 0, 50, 100, 0, TSR_UNKNOWN, 30, 5 };
  gint64 tos[] = { 10, 80, 200, 7, 9, 20, TSR_UNKNOWN };
  guint8 flags[] = { 0, 0, 0, TSR_BLOCK_FLUSH, 0, 0, 0 };
  const TsrTraceBlockRow *row;

  t->tables.n_blocks = G_N_ELEMENTS (names);
  t->tables.block_name = names;
  t->tables.block_ipu = ipus;
  t->tables.block_from = froms;
  t->tables.block_to = tos;
  t->tables.block_flags = flags;
  trace_test_add_simple (t, "Sync", "x", 0, 0, 10);
  trace = trace_test_build (t);
  all = tsr_trace_aggregate_blocks (trace, NULL, TRUE);
  g_assert_cmpuint (all->len, ==, 2);
  row = &g_array_index (all, TsrTraceBlockRow, 0);
  g_assert_cmpstr (row->name, ==, "b");
  g_assert_cmpuint (row->count, ==, 2);
  g_assert_cmpint (row->total, ==, 107);
  g_assert_cmpint (row->least, ==, 7);
  g_assert_cmpint (row->most, ==, 100);
  g_assert_cmpfloat_with_epsilon (row->mean, 53.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (row->share, 107. / 147, 1e-9);
  first = tsr_trace_aggregate_blocks (trace, only_first, FALSE);
  row = &g_array_index (first, TsrTraceBlockRow, 1);
  g_assert_cmpstr (row->name, ==, "a");
  g_assert_cmpuint (row->count, ==, 1);
  g_assert_cmpint (row->total, ==, 10);
}

/* Of each IPU the first block that counts, by the definition. */
static void
check_shifts (const TsrTrace *trace, gint64 begin_in_trace)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gint64 first[3] = { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN }, origin = TSR_UNKNOWN;
  gint64 from = 0, to = 0, least = G_MAXINT64, most = G_MININT64;

  for (guint i = 0; i < t->n_blocks; i++)
    if (t->block_from[i] != TSR_UNKNOWN && (t->block_flags[i] & TSR_BLOCK_FLUSH) == 0)
      first[t->block_ipu[i]] = first[t->block_ipu[i]] == TSR_UNKNOWN
                                   ? t->block_from[i]
                                   : MIN (first[t->block_ipu[i]], t->block_from[i]);
  for (guint ipu = 0; ipu < 3 && origin == TSR_UNKNOWN; ipu++)
    origin = first[ipu];
  for (gboolean align = FALSE; align <= TRUE; align++)
    {
      g_autofree gint64 *shifts = tsr_trace_dup_block_shifts (trace, align);

      for (guint ipu = 0; ipu < 3; ipu++)
        g_assert_cmpint (
            shifts[ipu], ==,
            first[ipu] == TSR_UNKNOWN ? 0 : begin_in_trace - (align ? first[ipu] : origin));
    }
  for (guint run = 0; run <= 2; run++)
    {
      gboolean any = FALSE;

      least = G_MAXINT64;
      most = G_MININT64;
      for (guint i = 0; i < t->n_blocks; i++)
        if (t->block_from[i] != TSR_UNKNOWN && t->block_to[i] != TSR_UNKNOWN
            && (run == 2 || t->block_run[i] == run))
          {
            gint64 shift = first[t->block_ipu[i]] == TSR_UNKNOWN
                               ? 0
                               : begin_in_trace - first[t->block_ipu[i]];

            least = MIN (least, t->block_from[i] + shift);
            most = MAX (most, t->block_to[i] + shift);
            any = TRUE;
          }
      g_assert_cmpint (tsr_trace_get_block_span (trace, run == 2 ? TSR_NO_INDEX : run, &from, &to),
                       ==, any);
      g_assert_true (!any || (from == least && to == most));
    }
}

/* Where blocks lie on the axis: with the program's first step in the block's run, or of what runs
 * as part of it; else with the trace. */
static void
test_block_shifts (void)
{
  for (guint variant = 0; variant < 6; variant++)
    {
      g_autoptr (TraceTest) t = trace_test_new (3);
      g_autoptr (TsrTrace) trace = NULL;
      guint32 name = tsr_string_table_intern (t->tables.strings, "a", -1);
      guint32 names[] = { name, name, name, name, name, name }, programs[6];
      guint32 ipus[] = { 1, 1, 2, 2, 1, 1 }, runs[] = { 1, 1, 1, 0, 1, TSR_NO_INDEX };
      gint64 froms[] = { 900, 700, 40, 60, 5, TSR_UNKNOWN };
      gint64 tos[] = { 950, 800, TSR_UNKNOWN, 90, 30, 7 };
      guint8 flags[] = { 0, 0, 0, 0, TSR_BLOCK_FLUSH, 0 };
      guint32 outer = trace_test_get_program (t, "Sequence", "outer");
      guint32 inner = trace_test_get_program (t, "OnTileExecute", "inner");
      guint32 other = trace_test_get_program (t, "OnTileExecute", "other");

      trace_test_begin_run (t, "first");
      trace_test_add_simple (t, "OnTileExecute", "inner", 1, 100, 150);
      trace_test_begin_run (t, "second");
      trace_test_add_simple (t, "OnTileExecute", "other", 1, 200, 250);
      trace_test_add_simple (t, "OnTileExecute", "inner", 0, 260, 290);
      trace_test_add_simple (t, "OnTileExecute", "inner", 1, 300, 350);
      t->tables.n_blocks = G_N_ELEMENTS (names);
      t->tables.block_name = names;
      t->tables.block_ipu = ipus;
      t->tables.block_run = runs;
      t->tables.block_program = programs;
      t->tables.block_from = froms;
      t->tables.block_to = tos;
      t->tables.block_flags = flags;
      for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
        programs[i] = (guint32[]){ inner, outer, other, TSR_NO_INDEX, outer, inner }[variant];
      if (variant == 5)
        runs[1] = TSR_NO_INDEX;
      trace_test_seal (t);
      if (variant == 1)
        t->programs.program_callee[outer] = inner;
      if (variant == 4)
        {
          /* A loop of children: outer, and inner below it. */
          t->programs.child = g_renew (guint32, t->programs.child, 2);
          t->programs.child[0] = outer;
          t->programs.child[1] = inner;
          for (guint p = outer + 1; p <= t->programs.n_programs; p++)
            t->programs.child_start[p] = 2;
        }
      trace = trace_test_build (t);
      check_shifts (trace, (gint64[]){ 300, 300, 200, 100, 300, 100 }[variant]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-aggregate/names", test_names);
  g_test_add_func ("/trace-aggregate/prefixes", test_prefixes);
  g_test_add_func ("/trace-aggregate/shared-sets", test_shared_sets);
  g_test_add_func ("/trace-aggregate/other-groupings", test_other_groupings);
  g_test_add_func ("/trace-aggregate/unknown", test_unknown);
  g_test_add_func ("/trace-aggregate/flops", test_flops);
  g_test_add_func ("/trace-aggregate/random", test_random);
  g_test_add_func ("/trace-aggregate/lost", test_lost);
  g_test_add_func ("/trace-aggregate/blocks", test_blocks);
  g_test_add_func ("/trace-aggregate/block-shifts", test_block_shifts);
  return g_test_run ();
}
