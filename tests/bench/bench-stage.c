/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures the time and the memory of a loading stage. */

#include "config.h"

#include "bench-stage.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  GMainLoop *loop;
  TsrStage stage;
  gint64 start, end;
} Waiting;

static void
on_stage_changed (TsrReport *report, int stage, Waiting *waiting)
{
  TsrStageState state = tsr_report_get_stage_state (report, waiting->stage);

  if (stage != (int)waiting->stage)
    return;
  if (waiting->start == 0)
    waiting->start = g_get_monotonic_time ();
  if (state != TSR_STAGE_READY && state != TSR_STAGE_FAILED)
    return;
  waiting->end = g_get_monotonic_time ();
  g_main_loop_quit (waiting->loop);
}

double
bench_stage_time (const char *folder, TsrLoadFlags flags, TsrStage stage, TsrReport **report)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Waiting waiting = { .loop = loop, .stage = stage };

  *report = tsr_report_open (place, folder, flags);
  g_signal_connect (*report, "stage-changed", G_CALLBACK (on_stage_changed), &waiting);
  g_main_loop_run (loop);
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

double
bench_stage_weigh (const char *folder, TsrLoadFlags flags, double *peak)
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
  if (peak != NULL)
    *peak = get_status ("VmHWM") - rss;
  if (report == NULL)
    return 0;
  return (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
}
