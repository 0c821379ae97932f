/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the execution stage costs: bench-execution REPORT prints "execution SECONDS SCAN SLICES
 * STEPS BYTES PEAK": the time of the stage in its loading thread and that of a bare one-threaded
 * sqlite3 scan of the same columns, both the least of rounds that alternate; the numbers of slices
 * and steps; the memory that the report holds more with the stage than without it, and the most
 * that loading with it took more than before. */

#include "config.h"

#include "scan-execution.h"
#include "tsr-report.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS  5
#define OTHERS  (TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED)
#define WITHOUT (OTHERS | TSR_LOAD_NO_EXECUTION)

/* ----------------------------------------------------------------- the stage */

typedef struct
{
  GMainLoop *loop;
  gint64 start, end;
} Waiting;

static void
on_stage_changed (TsrReport *report, int stage, Waiting *waiting)
{
  TsrStageState state = tsr_report_get_stage_state (report, TSR_STAGE_EXECUTION);

  if (stage != TSR_STAGE_EXECUTION)
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
load (const char *folder, gsize *n_slices, guint *n_steps)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Waiting waiting = { .loop = loop };
  g_autoptr (TsrReport) report = tsr_report_open (place, folder, OTHERS);
  const TsrExecutionTables *tables;

  g_signal_connect (report, "stage-changed", G_CALLBACK (on_stage_changed), &waiting);
  g_main_loop_run (loop);
  tables = tsr_report_get_execution_tables (report);
  if (tables == NULL)
    return -1;
  *n_slices = tables->ipu_start[tables->n_ipus];
  *n_steps = tables->n_steps;
  return (double)(waiting.end - waiting.start) / 1e6;
}

/* A number of /proc/self/status, in bytes. */
static double
get_status (const char *name)
{
  g_autofree char *text = NULL;
  const char *line;
  unsigned long kib;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    return 0;
  line = strstr (text, name);
  return line != NULL && sscanf (line + strlen (name), ": %lu", &kib) == 1 ? 1024.0 * kib : 0;
}

/* Bytes that a report holds, and the most that there was while it was loading. */
static double
weigh (const char *folder, TsrLoadFlags flags, double *peak)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  struct mallinfo2 before, after;
  double rss;

  malloc_trim (0);
  before = mallinfo2 ();
  rss = get_status ("VmRSS");
  /* From now on the peak counts anew. */
  g_file_set_contents_full ("/proc/self/clear_refs", "5", 1, G_FILE_SET_CONTENTS_NONE, 0600, NULL);
  report = tsr_report_open_sync (place, folder, flags, NULL, NULL);
  after = mallinfo2 ();
  *peak = get_status ("VmHWM") - rss;
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
  double bytes, peak, peak_without;
  gsize n_slices = 0;
  guint n_steps = 0;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-execution REPORT\n");
      return 2;
    }
  folder = g_canonicalize_filename (argv[1], NULL);
  bytes = -weigh (folder, WITHOUT, &peak_without);
  bytes += weigh (folder, OTHERS, &peak);
  for (guint i = 0; i < ROUNDS; i++)
    {
      scanned = MIN (scanned, bench_scan_execution (folder));
      loaded = MIN (loaded, load (folder, &n_slices, &n_steps));
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
