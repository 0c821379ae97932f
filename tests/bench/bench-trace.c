/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a trace costs once its tables are loaded: bench-trace REPORT prints "trace SCAN BUILD SLICES
 * BYTES PASS SPAN FIRST ALL GROUPS STAGES OVERLAP": seconds, the least of rounds: a bare sqlite3
 * scan of the execution, building the trace, its slices and bytes; one pass over the slices of an
 * IPU that sums their types up, all figures of a span of it; the first match of a name that only
 * the last step has, and counting all matches; all slices in groups by name, the periods of all
 * IPUs, and what their copies overlap. */

#include "config.h"

#include "bench-least.h"
#include "scan-execution.h"
#include "tsr-trace-aggregate.h"
#include "tsr-trace-balance.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS  5
#define N_SPANS 1000

typedef struct
{
  double scan, build, pass, span, first, all, groups, stages, overlap;
} Bench;

static double
since (gint64 start)
{
  return (double)(g_get_monotonic_time () - start) / 1e6;
}

/* What the figures of a span replace. */
static gint64
pass_over (const TsrTrace *trace, guint ipu, gint64 from, gint64 to)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gint64 by_type[TSR_TRACE_MAX_TYPES] = { 0 };
  gint64 total = 0;

  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    {
      gint64 part = MIN (t->slice_end[i], to) - MAX (t->slice_start[i], from);

      if (part > 0)
        by_type[tsr_trace_get_slice_type (trace, (guint32)i)] += part;
    }
  for (guint i = 0; i < TSR_TRACE_MAX_TYPES; i++)
    total += by_type[i];
  return total;
}

static void
measure_spans (Bench *bench, const TsrTrace *trace, GRand *random)
{
  gint64 from, to;
  gint64 start = g_get_monotonic_time ();
  volatile gint64 sum = 0;

  tsr_trace_get_span (trace, &from, &to);
  sum += pass_over (trace, 0, from, to);
  bench_take_least (&bench->pass, since (start));
  start = g_get_monotonic_time ();
  for (guint i = 0; i < N_SPANS; i++)
    {
      gint64 a = from + (gint64)(g_rand_double (random) * (double)(to - from));
      gint64 b = from + (gint64)(g_rand_double (random) * (double)(to - from));
      TsrTraceSums sums;

      tsr_trace_sum (trace, i % tsr_trace_get_n_ipus (trace), MIN (a, b), MAX (a, b), 0, &sums);
      sum += sums.counted;
    }
  bench_take_least (&bench->span, since (start) / N_SPANS);
}

static gboolean
is_none (const char *name, gpointer data)
{
  return FALSE;
}

static gboolean
is_even (const char *name, gpointer data)
{
  return strlen (name) % 2 == 0;
}

/* The worst that a search can meet is that nothing matches. */
static void
measure_search (Bench *bench, const TsrTrace *trace)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (TsrTraceMatches) none = tsr_trace_matches_new (trace, is_none, NULL);
  g_autoptr (TsrTraceMatches) many = tsr_trace_matches_new (trace, is_even, NULL);
  guint64 count, place;

  tsr_trace_find_match (trace, none, NULL, NULL, 0, TSR_NO_SLICE, TRUE);
  bench_take_least (&bench->first, since (start));
  start = g_get_monotonic_time ();
  tsr_trace_count_matches (trace, many, NULL, NULL, 0, (guint32)t->ipu_start[t->n_ipus] / 2, NULL,
                           &count, &place);
  bench_take_least (&bench->all, since (start));
}

static void
measure_analyses (Bench *bench, const TsrTrace *trace)
{
  TsrTraceAggregateQuery query = { .grouping = TSR_TRACE_BY_NAME };
  g_autoptr (TsrTraceAggregate) groups = NULL;
  g_autoptr (GPtrArray) stages = NULL;
  g_autoptr (GArray) overlap = NULL;
  gint64 start = g_get_monotonic_time ();

  tsr_trace_get_span (trace, &query.from, &query.to);
  groups = tsr_trace_aggregate (trace, &query, NULL, NULL);
  bench_take_least (&bench->groups, since (start));
  start = g_get_monotonic_time ();
  stages = tsr_trace_stages (trace, NULL, query.from, query.to, NULL, NULL);
  bench_take_least (&bench->stages, since (start));
  start = g_get_monotonic_time ();
  overlap = tsr_trace_overlap (trace, NULL, query.from, query.to, NULL, NULL);
  bench_take_least (&bench->overlap, since (start));
}

int
main (int argc, char **argv)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autofree char *folder = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  Bench bench = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE,
                  G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-trace REPORT\n");
      return 2;
    }
  folder = g_canonicalize_filename (argv[1], NULL);
  report = tsr_report_open_sync (
      place, folder, TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED, NULL, NULL);
  for (guint i = 0; i < ROUNDS && report != NULL; i++)
    {
      gint64 start;

      g_clear_pointer (&trace, tsr_trace_unref);
      start = g_get_monotonic_time ();
      trace = tsr_trace_new (report, NULL, NULL);
      bench_take_least (&bench.build, since (start));
      if (trace == NULL)
        break;
      bench_take_least (&bench.scan, bench_scan_execution (folder));
      measure_spans (&bench, trace, random);
      measure_search (&bench, trace);
      measure_analyses (&bench, trace);
    }
  if (trace == NULL)
    {
      fprintf (stderr, "%s: there is no trace\n", folder);
      return 1;
    }
  printf ("trace %.6f %.6f %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT
          " %.9f %.9f %.6f %.6f %.6f %.6f %.6f\n",
          bench.scan, bench.build,
          tsr_trace_get_tables (trace)->ipu_start[tsr_trace_get_n_ipus (trace)],
          tsr_trace_get_size (trace), bench.pass, bench.span, bench.first, bench.all, bench.groups,
          bench.stages, bench.overlap);
  return 0;
}
