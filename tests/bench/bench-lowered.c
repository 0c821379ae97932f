/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the stage of lowered variables costs: bench-lowered REPORT prints "lowered SECONDS SCAN ROWS
 * BYTES": the time of the stage in its loading thread, the time of a bare one-threaded sqlite3 scan
 * of the same columns, both the least of rounds that alternate, the number of rows, and the memory
 * that the report holds more with the stage than without it. */

#include "config.h"

#include "bench-least.h"
#include "bench-stage.h"
#include "scan-lowered.h"

#include <stdio.h>

#define ROUNDS 5

/* Seconds of the stage alone; -1 when there are no lowered variables. */
static double
load (const char *folder, gsize *n_rows)
{
  g_autoptr (TsrReport) report = NULL;
  double seconds = bench_stage_time (folder, TSR_LOAD_ALL, TSR_STAGE_LOWERED, &report);
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);

  if (tables == NULL)
    return -1;
  *n_rows = tables->n;
  return seconds;
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  double scanned = G_MAXDOUBLE;
  double loaded = G_MAXDOUBLE;
  gsize n_rows = 0;
  double bytes;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-lowered REPORT\n");
      return 2;
    }
  folder = g_canonicalize_filename (argv[1], NULL);
  bytes = bench_stage_weigh (folder, TSR_LOAD_ALL, NULL)
          - bench_stage_weigh (folder, TSR_LOAD_NO_LOWERED, NULL);
  for (guint i = 0; i < ROUNDS; i++)
    {
      bench_take_least (&scanned, bench_scan_lowered (folder));
      bench_take_least (&loaded, load (folder, &n_rows));
    }
  if (scanned < 0 || loaded < 0)
    {
      fprintf (stderr, "%s: the lowered variables cannot be read\n", folder);
      return 1;
    }
  printf ("lowered %.6f %.6f %" G_GSIZE_FORMAT " %.0f\n", loaded, scanned, n_rows, bytes);
  return 0;
}
