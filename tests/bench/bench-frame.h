/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a frame of a chart costs while it is zoomed and panned, 1,000 pixels high: with few data
 * and with many, in turns, so that both see the same machine. */

#pragma once

#include "tsr-chart-model.h"

G_BEGIN_DECLS

#define BENCH_FRAME_WIDTH 1600

/* Two charts that differ in nothing but the number of their data: few, many. */
typedef struct
{
  const char *what;
  TsrChartModel *models[2];
  guint sizes[2];
  gboolean close; /* up to nine times closer instead of between the whole range and half of it */
  /* (nullable) (transfer full): the chart of sizes[@i] anew, as if it had just been opened; taken
   * whenever the sequence comes back to the whole range, so that nothing is found that was kept
   * from an earlier round.  Its first frame, in which it opens, does not count. */
  TsrChartModel *(*open) (gpointer data, guint i);
  gpointer data;
  guint width; /* pixels; 0: BENCH_FRAME_WIDTH.  Wider ones are "WHAT,wide" */
} BenchFrames;

/* Milliseconds of this thread's time on a processor. */
double bench_frame_get_milliseconds (void);

/* Milliseconds of the processor for layout and snapshot (allocation, layout, render nodes), and of
 * the same with the nodes drawn by cairo; printed as "frame WHAT SIZE MS" and "drawn WHAT SIZE MS";
 * "most WHAT SIZE MS" is the frame that takes longest, cairo left out.  Each frame of the sequence
 * counts with the least of all rounds, so that what else the machine does is left out; the number
 * is the mean over the frames, so that what some frames take longer is not. */
void bench_frame_print (const BenchFrames *frames);

/* Called with main's arguments.  "WHAT SIZE ROUNDS": bench_frame_print then draws that chart alone,
 * as often as it is told, for a profiler; FALSE when they are no such words. */
gboolean bench_frame_take_arguments (int argc, char **argv);

G_END_DECLS
