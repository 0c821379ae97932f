/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What liveness costs when a report is loaded: bench-liveness REPORT prints "liveness SCAN
 * VARIABLES TILE PEAKS LIST", seconds, the least of rounds: a bare sqlite3 scan of the lowered
 * variables, who they belong to, the slowest of some tiles over all steps, the peaks of all tiles,
 * and what is live at one step on an IPU. */

#include "config.h"

#include "bench-least.h"
#include "scan-lowered.h"
#include "tsr-liveness.h"

#include <stdio.h>

#define ROUNDS  5
#define N_TILES 50

typedef struct
{
  TsrReport *report;
  TsrMemory *memory;
  double scan, variables, tile, peaks, list;
} Bench;

static double
since (gint64 start)
{
  return (double)(g_get_monotonic_time () - start) / 1e6;
}

/* Seconds of the tile that takes longest. */
static double
measure_tiles (Bench *bench, TsrLiveness *liveness)
{
  guint n = tsr_memory_get_n_tiles (bench->memory);
  double longest = 0;

  for (guint i = 0; i < N_TILES; i++)
    {
      guint tile = (guint)((guint64)i * n / N_TILES);
      TsrLivenessSource source = { TSR_LIVENESS_TILES, 0, &tile, 1 };
      gint64 start = g_get_monotonic_time ();
      g_autoptr (TsrLivenessSeries) series = tsr_liveness_compute (liveness, &source, NULL, NULL);

      if (series == NULL)
        return -1;
      longest = MAX (longest, since (start));
    }
  return longest;
}

static gboolean
measure_round (Bench *bench)
{
  const TsrLivenessSource ipu = { .kind = TSR_LIVENESS_IPU };
  gint64 start = g_get_monotonic_time ();
  g_autoptr (TsrVariables) variables = tsr_variables_new (bench->report, NULL, NULL);
  g_autoptr (TsrLiveness) liveness = NULL;
  g_autoptr (GArray) list = NULL;

  if (variables == NULL)
    return FALSE;
  bench_take_least (&bench->variables, since (start));
  liveness = tsr_liveness_new (bench->report, bench->memory, variables);
  bench_take_least (&bench->tile, measure_tiles (bench, liveness));
  start = g_get_monotonic_time ();
  if (!tsr_liveness_get_tile_peaks (liveness, NULL, NULL, NULL, NULL))
    return FALSE;
  bench_take_least (&bench->peaks, since (start));
  start = g_get_monotonic_time ();
  list = tsr_liveness_list_at (liveness, &ipu, tsr_liveness_get_n_steps (liveness) / 2, NULL, NULL);
  bench_take_least (&bench->list, since (start));
  return list != NULL && bench->tile >= 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autofree char *folder = NULL;
  Bench bench = { NULL, NULL, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };
  gboolean ok;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-liveness REPORT\n");
      return 2;
    }
  folder = g_canonicalize_filename (argv[1], NULL);
  bench.report = tsr_report_open_sync (place, folder, TSR_LOAD_NO_PROGRAMS, NULL, NULL);
  ok = bench.report != NULL && tsr_report_get_lowered_tables (bench.report) != NULL
       && tsr_report_get_liveness_tables (bench.report) != NULL
       && tsr_report_get_memory_tables (bench.report) != NULL;
  if (ok)
    bench.memory = tsr_memory_new (bench.report);
  for (guint i = 0; i < ROUNDS && ok; i++)
    {
      bench_take_least (&bench.scan, bench_scan_lowered (folder));
      ok = bench.scan > 0 && measure_round (&bench);
    }
  if (!ok)
    fprintf (stderr, "%s: its liveness cannot be computed\n", folder);
  else
    printf ("liveness %.6f %.6f %.6f %.6f %.6f\n", bench.scan, bench.variables, bench.tile,
            bench.peaks, bench.list);
  g_clear_pointer (&bench.memory, tsr_memory_unref);
  g_clear_object (&bench.report);
  return ok ? 0 : 1;
}
