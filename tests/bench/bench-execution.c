/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the execution stage costs: bench-execution REPORT prints "execution SECONDS SCAN SLICES
 * STEPS BYTES PEAK": the time of the stage in its loading thread and that of a bare one-threaded
 * sqlite3 scan of the same columns, both the least of rounds that alternate; the numbers of slices
 * and steps; the memory that the report holds more with the stage than without it, and the most
 * that loading with it took more than before. */

#include "config.h"

#include "bench-least.h"
#include "bench-stage.h"
#include "scan-execution.h"

#include <stdio.h>

#define ROUNDS  5
#define OTHERS  (TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED)
#define WITHOUT (OTHERS | TSR_LOAD_NO_EXECUTION)

/* Seconds of the stage alone; -1 when there is no execution. */
static double
load (const char *folder, gsize *n_slices, guint *n_steps)
{
  g_autoptr (TsrReport) report = NULL;
  double seconds = bench_stage_time (folder, OTHERS, TSR_STAGE_EXECUTION, &report);
  const TsrExecutionTables *tables = tsr_report_get_execution_tables (report);

  if (tables == NULL)
    return -1;
  *n_slices = tables->ipu_start[tables->n_ipus];
  *n_steps = tables->n_steps;
  return seconds;
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  double scanned = G_MAXDOUBLE;
  double loaded = G_MAXDOUBLE;
  double bytes, peak, peak_without;
  gsize n_slices = 0;
  guint n_steps = 0;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-execution REPORT\n");
      return 2;
    }
  folder = g_canonicalize_filename (argv[1], NULL);
  bytes = -bench_stage_weigh (folder, WITHOUT, &peak_without);
  bytes += bench_stage_weigh (folder, OTHERS, &peak);
  for (guint i = 0; i < ROUNDS; i++)
    {
      bench_take_least (&scanned, bench_scan_execution (folder));
      bench_take_least (&loaded, load (folder, &n_slices, &n_steps));
    }
  if (scanned < 0 || loaded < 0)
    {
      fprintf (stderr, "%s: the execution cannot be read\n", folder);
      return 1;
    }
  printf ("execution %.6f %.6f %" G_GSIZE_FORMAT " %u %.0f %.0f\n", loaded, scanned, n_slices,
          n_steps, bytes, peak - peak_without);
  return 0;
}
