/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the stage of lowered variables costs: bench-lowered REPORT prints "lowered SECONDS SCAN ROWS
 * BYTES": the time of the stage in its loading thread, the time of a bare one-threaded sqlite3 scan
 * of the same columns, both the least of rounds that alternate, the number of rows, and the memory
 * that the report holds more with the stage than without it. */

#include "config.h"

#include "scan-lowered.h"
#include "tsr-report.h"

#include <malloc.h>
#include <stdio.h>

#define ROUNDS 5

typedef struct
{
  GMainLoop *loop;
  gint64 start, end;
} Waiting;

static void
on_stage_changed (TsrReport *report, int stage, Waiting *waiting)
{
  TsrStageState state = tsr_report_get_stage_state (report, TSR_STAGE_LOWERED);

  if (stage != TSR_STAGE_LOWERED)
    return;
  if (waiting->start == 0)
    waiting->start = g_get_monotonic_time ();
  if (state != TSR_STAGE_READY && state != TSR_STAGE_FAILED)
    return;
  waiting->end = g_get_monotonic_time ();
  g_main_loop_quit (waiting->loop);
}

/* Seconds of the stage alone. */
static double
load (const char *folder, gsize *n_rows)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Waiting waiting = { .loop = loop };
  g_autoptr (TsrReport) report = tsr_report_open (place, folder, TSR_LOAD_ALL);
  const TsrLoweredTables *tables;

  g_signal_connect (report, "stage-changed", G_CALLBACK (on_stage_changed), &waiting);
  g_main_loop_run (loop);
  tables = tsr_report_get_lowered_tables (report);
  if (tables == NULL)
    return -1;
  *n_rows = tables->n;
  return (double)(waiting.end - waiting.start) / 1e6;
}

/* Bytes that a report holds. */
static double
weigh (const char *folder, TsrLoadFlags flags)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  struct mallinfo2 before = mallinfo2 ();
  g_autoptr (TsrReport) report = tsr_report_open_sync (place, folder, flags, NULL, NULL);
  struct mallinfo2 after = mallinfo2 ();

  if (report == NULL)
    return 0;
  return (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
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
  bytes = weigh (folder, TSR_LOAD_ALL) - weigh (folder, TSR_LOAD_NO_LOWERED);
  for (guint i = 0; i < ROUNDS; i++)
    {
      scanned = MIN (scanned, bench_scan_lowered (folder));
      loaded = MIN (loaded, load (folder, &n_rows));
    }
  if (scanned < 0 || loaded < 0)
    {
      fprintf (stderr, "%s: the lowered variables cannot be read\n", folder);
      return 1;
    }
  printf ("lowered %.6f %.6f %" G_GSIZE_FORMAT " %.0f\n", loaded, scanned, n_rows, bytes);
  return 0;
}
