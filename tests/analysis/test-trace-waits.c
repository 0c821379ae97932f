/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which IPU waits for which: meetings made by hand, and random ones of 64 IPUs against loops over
 * what they were made of. */

#include "config.h"

#include "trace-test.h"
#include "tsr-trace-waits.h"

static TsrTraceWaits *
get_waits (TsrTrace *trace, gint64 from, gint64 to)
{
  g_autoptr (GError) error = NULL;
  TsrTraceWaits *waits = tsr_trace_waits_new (trace, NULL, from, to, TSR_NO_INDEX, 5, NULL, &error);

  g_assert_no_error (error);
  return waits;
}

#define CELL(waits, a, b) ((waits)->cycles[(a) * (waits)->n + (b)])

static guint32
find (TsrTrace *trace, guint32 step, guint ipu)
{
  guint32 slice = tsr_trace_find_slice (trace, step, ipu);

  g_assert_cmpuint (slice, !=, TSR_NO_SLICE);
  return slice;
}

/* One sync of four IPUs, one of two of them, one in which all come together, and one without a name
 * that says it is external. */
static void
test_by_hand (void)
{
  static const gint64 arrivals[] = { 100, 300, 250, 12645 };
  g_autoptr (TraceTest) t = trace_test_new (4);
  guint32 sync = trace_test_add_step (t, "Sync", "External"), pair, both, internal;
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceWaits) all = NULL, part = NULL;
  g_autofree char *text = NULL, *same = NULL;
  const TsrTraceWait *wait;

  for (guint ipu = 0; ipu < 4; ipu++)
    trace_test_add (t, sync, ipu, arrivals[ipu], 12700);
  pair = trace_test_add_step (t, "Sync", "External");
  trace_test_add (t, pair, 0, 20000, 20000)->active_tiles = 0; /* has no part in it */
  trace_test_add (t, pair, 1, 20100, 20500);
  trace_test_add (t, pair, 2, 20500, 20500)->active_tiles = 1; /* comes last, and all go on */
  trace_test_add (t, pair, 3, 20300, 20300)->active_tiles = 0;
  both = trace_test_add_step (t, "Sync", "External");
  trace_test_add (t, both, 0, 30000, 30040);
  trace_test_add (t, both, 3, 30000, 30040);
  internal = trace_test_add_step (t, "Sync", "Internal");
  for (guint ipu = 0; ipu < 4; ipu++)
    trace_test_add (t, internal, ipu, 40000 + 100 * ipu, 41000);
  trace = trace_test_build (t);

  all = get_waits (trace, 0, 100000);
  for (guint i = 0; i < 4; i++)
    for (guint k = 0; k < 4; k++)
      g_assert_cmpint (CELL (all, i, k), ==,
                       (k == 3 ? 12645 - arrivals[i] : 0) + (i == 1 && k == 2 ? 400 : 0));
  g_assert_cmpuint (all->n_met, ==, 3);
  g_assert_cmpuint (all->n_last[3], ==, 1);
  g_assert_cmpuint (all->n_last[2], ==, 1);
  g_assert_cmpuint (all->n_last[0] + all->n_last[1], ==, 0);
  g_assert_cmpuint (all->n_syncs[0], ==, 2);
  g_assert_cmpuint (all->n_syncs[1], ==, 2);
  g_assert_cmpuint (all->longest->len, ==, 2);
  wait = &g_array_index (all->longest, TsrTraceWait, 0);
  g_assert_cmpuint (wait->slice, ==, find (trace, sync, 3));
  g_assert_cmpuint (wait->first_slice, ==, find (trace, sync, 0));
  g_assert_cmpint (wait->cycles, ==, 12545);
  g_assert_cmpint (wait->sum, ==, 3 * 12645 - 650);
  g_assert_cmpuint (wait->n_kept, ==, 3);

  part = get_waits (trace, 200, 10000); /* cut; the last one comes after it */
  g_assert_cmpint (CELL (part, 0, 3), ==, 9800);
  g_assert_cmpint (CELL (part, 1, 3), ==, 9700);
  g_assert_cmpint (CELL (part, 2, 3), ==, 9750);
  g_assert_cmpuint (part->n_last[3], ==, 0);
  g_assert_cmpuint (part->n_met, ==, 1);

  /* The last one comes at the first cycle of it, or at the one behind. */
  for (gint64 cycle = 12644; cycle <= 12646; cycle++)
    {
      g_autoptr (TsrTraceWaits) from = get_waits (trace, cycle, 20000);
      g_autoptr (TsrTraceWaits) up_to = get_waits (trace, 0, cycle);

      g_assert_cmpuint (from->n_last[3], ==, cycle <= 12645);
      g_assert_cmpuint (up_to->n_last[3], ==, cycle > 12645);
    }

  for (guint ipu = 0; ipu < 4; ipu++)
    {
      g_autofree char *said = tsr_trace_dup_meeting_text (trace, find (trace, sync, ipu));

      g_assert_cmpstr (said, ==, "IPU 3 came last, 12,545 cycles after IPU 0; kept 3 IPUs waiting");
    }
  text = tsr_trace_dup_meeting_text (trace, find (trace, pair, 2));
  g_assert_cmpstr (text, ==, "IPU 2 came last, 400 cycles after IPU 1; kept 1 IPU waiting");
  same = tsr_trace_dup_meeting_text (trace, find (trace, both, 3));
  g_assert_cmpstr (same, ==, "2 IPUs came at the same time");
  g_assert_null (tsr_trace_dup_meeting_text (trace, find (trace, internal, 2)));
  g_assert_null (tsr_trace_dup_meeting_text (trace, find (trace, pair, 0)));
}

/* Two replicas of two IPUs: by themselves they go on as far apart as they came; together at once.
 */
static void
test_replicas (void)
{
  g_autoptr (TraceTest) t = trace_test_new (4);
  guint32 alone = trace_test_add_step (t, "Sync", "External"), together;
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceWaits) first = NULL, second = NULL;

  t->target.num_ipus = 4;
  t->target.ipus_per_replica = t->target.num_replicas = 2;
  trace_test_add (t, alone, 0, 0, 140);
  trace_test_add (t, alone, 1, 100, 140);
  trace_test_add (t, alone, 2, 50, 160);
  trace_test_add (t, alone, 3, 120, 160);
  together = trace_test_add_step (t, "Sync", "External");
  trace_test_add (t, together, 0, 1500, 1540);
  trace_test_add (t, together, 1, 1100, 1540);
  trace_test_add (t, together, 2, 1000, 1550);
  trace_test_add (t, together, 3, 1450, 1550);
  trace = trace_test_build (t);
  first = get_waits (trace, 0, 500);
  g_assert_cmpint (CELL (first, 0, 1), ==, 100);
  g_assert_cmpint (CELL (first, 2, 3), ==, 70);
  g_assert_cmpint (CELL (first, 0, 3), ==, 0);
  g_assert_cmpuint (first->n_met, ==, 2);
  second = get_waits (trace, 500, 5000);
  g_assert_cmpint (CELL (second, 1, 0), ==, 400);
  g_assert_cmpint (CELL (second, 2, 0), ==, 500);
  g_assert_cmpint (CELL (second, 3, 0), ==, 50);
  g_assert_cmpuint (second->n_met, ==, 1);
}

/* When replicas of two IPUs wait for each other. */
static void
test_one_meeting (void)
{
  static const struct
  {
    guint n_replicas;
    gint64 arrivals[6], ends[6];
    gboolean one;
  } cases[] = {
    { 2, { 100, 90, 150, 200 }, { 200, 210, 270, 250 }, TRUE }, /* 50 apart, and came 100 apart */
    { 2, { 100, 90, 150, 200 }, { 200, 210, 270, 251 }, FALSE },
    { 2, { 100, 90, 150, 200 }, { 199, 210, 240, 240 }, FALSE }, /* goes on before the last came */
    { 2, { 150, 200, 100, 90 }, { 270, 250, 210, 200 }, TRUE },
    { 2, { 90, 100, 100, 90 }, { 200, 200, 200, 200 }, FALSE }, /* come together */
    { 2, { 90, 100, 101, 90 }, { 200, 200, 200, 200 }, TRUE },
    { 3, { 150, 0, 0, 100, 200, 0 }, { 240, 300, 200, 300, 250, 300 }, TRUE },
    { 3, { 150, 0, 0, 200, 100, 0 }, { 251, 300, 240, 300, 200, 300 }, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint n = 2 * cases[i].n_replicas;
      g_autoptr (TraceTest) t = trace_test_new (n);
      guint32 step = trace_test_add_step (t, "Sync", "External");
      g_autoptr (TsrTrace) trace = NULL;
      g_autoptr (TsrTraceWaits) waits = NULL;

      t->target.num_ipus = n;
      t->target.ipus_per_replica = 2;
      t->target.num_replicas = cases[i].n_replicas;
      for (guint ipu = 0; ipu < n; ipu++)
        trace_test_add (t, step, ipu, cases[i].arrivals[ipu], cases[i].ends[ipu]);
      trace = trace_test_build (t);
      waits = get_waits (trace, 0, 1000);
      g_assert_true (tsr_trace_has_external_syncs (trace));
      g_assert_cmpuint (waits->n_met, ==, cases[i].one ? 1 : cases[i].n_replicas);
      if (cases[i].one)
        {
          const TsrTraceWait *wait = &g_array_index (waits->longest, TsrTraceWait, 0);
          const gint64 *arrivals = cases[i].arrivals;
          guint first = 0, last = 0;

          for (guint ipu = 1; ipu < n; ipu++)
            {
              first = arrivals[ipu] < arrivals[first] ? ipu : first;
              last = arrivals[ipu] > arrivals[last] ? ipu : last;
            }
          g_assert_cmpuint (wait->n, ==, n);
          g_assert_cmpint (wait->cycles, ==, arrivals[last] - arrivals[first]);
          g_assert_cmpuint (wait->first_slice, ==, find (trace, step, first));
          g_assert_cmpuint (wait->slice, ==, find (trace, step, last));
        }
    }
}

static void
test_no_external (void)
{
  g_autoptr (TraceTest) t = trace_test_new (2);
  g_autoptr (TsrTrace) trace = NULL;

  trace_test_add_simple (t, "Sync", "Internal", G_MAXUINT, 0, 10);
  trace = trace_test_build (t);
  g_assert_false (tsr_trace_has_external_syncs (trace));
}

/* Nobody waits for one that comes after it has left; an arrival that is not told leaves out the
 * step. */
static void
test_odd (void)
{
  g_autoptr (TraceTest) t = trace_test_new (4);
  guint32 apart = trace_test_add_step (t, "Sync", "External"), unknown;
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceWaits) waits = NULL;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  trace_test_add (t, apart, 0, 0, 100);
  trace_test_add (t, apart, 1, 60, 100);
  trace_test_add (t, apart, 2, 500, 600);
  trace_test_add (t, apart, 3, 550, 600);
  unknown = trace_test_add_step (t, "Sync", "External");
  trace_test_add (t, unknown, 0, 1000, 2000);
  trace_test_add (t, unknown, 1, TSR_UNKNOWN, TSR_UNKNOWN);
  trace_test_add (t, unknown, 2, 1900, 2000);
  trace = trace_test_build (t);
  waits = get_waits (trace, 0, 5000);
  g_assert_cmpint (CELL (waits, 0, 1), ==, 60);
  g_assert_cmpint (CELL (waits, 0, 2), ==, 0);
  g_assert_cmpint (CELL (waits, 2, 3), ==, 50);
  g_assert_cmpuint (waits->n_met, ==, 2);
  g_assert_cmpuint (waits->n_missing, ==, 1);
  g_assert_null (tsr_trace_dup_meeting_text (trace, find (trace, unknown, 0)));
  g_cancellable_cancel (cancelled);
  g_assert_null (tsr_trace_waits_new (trace, NULL, 0, 5000, TSR_NO_INDEX, 5, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static int
compare_cycles (gconstpointer pa, gconstpointer pb)
{
  const TsrTraceWait *a = pa, *b = pb;

  return (a->cycles < b->cycles) - (a->cycles > b->cycles);
}

/* The longest of @expected, which come in the order of steps: of all, and of those that an IPU
 * waits or comes last in (@has: bits of IPUs for each). */
static void
check_longest (TsrTrace *trace, gint64 from, gint64 to, GArray *expected, GArray *has)
{
  const struct
  {
    guint ipu, limit;
  } asks[] = { { TSR_NO_INDEX, 5 }, { TSR_NO_INDEX, 1000 }, { 0, 3 }, { 17, 1000 }, { 63, 20 } };

  for (guint i = 0; i < G_N_ELEMENTS (asks); i++)
    {
      g_autoptr (TsrTraceWaits) waits
          = tsr_trace_waits_new (trace, NULL, from, to, asks[i].ipu, asks[i].limit, NULL, NULL);
      g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (TsrTraceWait));

      for (guint k = 0; k < expected->len; k++)
        if (asks[i].ipu == TSR_NO_INDEX || g_array_index (has, guint64, k) >> asks[i].ipu & 1)
          g_array_append_val (wanted, g_array_index (expected, TsrTraceWait, k));
      g_array_sort (wanted, compare_cycles);
      g_assert_cmpuint (waits->longest->len, ==, MIN (wanted->len, asks[i].limit));
      for (guint k = 0; k < waits->longest->len; k++)
        {
          const TsrTraceWait *a = &g_array_index (waits->longest, TsrTraceWait, k);
          const TsrTraceWait *b = &g_array_index (wanted, TsrTraceWait, k);

          g_assert_cmpuint (a->step, ==, b->step);
          g_assert_cmpuint (a->slice, ==, b->slice);
          g_assert_cmpuint (a->first_slice, ==, b->first_slice);
          g_assert_cmpint (a->cycles, ==, b->cycles);
          g_assert_cmpint (a->sum, ==, b->sum);
          g_assert_cmpuint (a->n, ==, b->n);
          g_assert_cmpuint (a->n_kept, ==, b->n_kept);
        }
    }
}

/* 64 IPUs in one replica as in a pod, some of which have no part in a sync.  Cell by cell against
 * the arrivals that the tables were made of. */
#define N_IPUS  64
#define N_SYNCS 300
static void
test_random (void)
{
  for (guint seed = 0; seed < 3; seed++)
    {
      g_autoptr (TraceTest) t = trace_test_new (N_IPUS);
      g_autoptr (TsrTrace) trace = NULL;
      GRand *random = g_rand_new_with_seed (seed);
      g_autofree gint64 *arrivals = g_new (gint64, N_SYNCS * N_IPUS);
      gint64 now = 0;

      for (guint s = 0; s < N_SYNCS; s++)
        {
          guint32 step = trace_test_add_step (t, "Sync", "External");
          gint64 last = now;

          for (guint ipu = 0; ipu < N_IPUS; ipu++)
            {
              gint64 *arrival = &arrivals[s * N_IPUS + ipu];

              *arrival = g_rand_int_range (random, 0, 5) == 0
                             ? TSR_UNKNOWN
                             : now + g_rand_int_range (random, 0, 2000);
              last = MAX (last, *arrival);
            }
          for (guint ipu = 0; ipu < N_IPUS; ipu++)
            if (arrivals[s * N_IPUS + ipu] != TSR_UNKNOWN)
              trace_test_add (t, step, ipu, arrivals[s * N_IPUS + ipu], last + 40);
          now = last + 40;
        }
      trace = trace_test_build (t);
      for (guint round = 0; round < 3; round++)
        {
          gint64 from = round == 0 ? 0 : g_rand_int_range (random, 0, (gint32)now / 2);
          gint64 to = round == 0 ? now : g_rand_int_range (random, (gint32)from, (gint32)now);
          g_autoptr (TsrTraceWaits) waits = get_waits (trace, from, to);
          g_autofree gint64 *expected = g_new0 (gint64, N_IPUS * N_IPUS);
          guint64 n_last[N_IPUS] = { 0 }, n_syncs[N_IPUS] = { 0 }, n_met = 0;
          g_autoptr (GArray) longest = g_array_new (FALSE, FALSE, sizeof (TsrTraceWait));
          g_autoptr (GArray) has = g_array_new (FALSE, FALSE, sizeof (guint64));

          for (guint s = 0; s < N_SYNCS; s++)
            {
              const gint64 *at = arrivals + s * N_IPUS;
              guint last = 0, first = N_IPUS;
              TsrTraceWait wait = { .step = s };
              guint64 waiting = 0;

              for (guint ipu = 0; ipu < N_IPUS; ipu++)
                {
                  last = at[ipu] > at[last] ? ipu : last;
                  if (at[ipu] != TSR_UNKNOWN && (first == N_IPUS || at[ipu] < at[first]))
                    first = ipu;
                  wait.n += at[ipu] != TSR_UNKNOWN;
                }
              g_assert_cmpuint (wait.n, >, 1);
              n_last[last] += at[last] >= from && at[last] < to;
              if (at[first] >= to || at[last] + 40 <= from)
                continue;
              n_met++;
              for (guint ipu = 0; ipu < N_IPUS; ipu++)
                if (at[ipu] != TSR_UNKNOWN)
                  {
                    gint64 cycles = MAX (MIN (at[last], to) - MAX (at[ipu], from), 0);

                    n_syncs[ipu]++;
                    expected[ipu * N_IPUS + last] += cycles;
                    wait.sum += cycles;
                    wait.cycles = MAX (wait.cycles, cycles);
                    wait.n_kept += at[ipu] < at[last];
                    waiting |= (guint64)(cycles > 0 || ipu == last) << ipu;
                  }
              wait.slice = find (trace, s, last);
              wait.first_slice = find (trace, s, first);
              if (wait.cycles > 0)
                {
                  g_array_append_val (longest, wait);
                  g_array_append_val (has, waiting);
                }
            }
          g_assert_cmpmem (waits->cycles, N_IPUS * N_IPUS * sizeof (gint64), expected,
                           N_IPUS * N_IPUS * sizeof (gint64));
          g_assert_cmpmem (waits->n_last, sizeof n_last, n_last, sizeof n_last);
          g_assert_cmpmem (waits->n_syncs, sizeof n_syncs, n_syncs, sizeof n_syncs);
          g_assert_cmpuint (waits->n_met, ==, n_met);
          check_longest (trace, from, to, longest, has);
        }
      g_rand_free (random);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-waits/by-hand", test_by_hand);
  g_test_add_func ("/trace-waits/replicas", test_replicas);
  g_test_add_func ("/trace-waits/one-meeting", test_one_meeting);
  g_test_add_func ("/trace-waits/no-external", test_no_external);
  g_test_add_func ("/trace-waits/odd", test_odd);
  g_test_add_func ("/trace-waits/random", test_random);
  return g_test_run ();
}
