/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The execution as a trace file that the Perfetto viewer loads: its protobuf format ("Perfetto
 * trace", a stream of TracePacket messages), of which only track descriptors, slices and counters
 * are used.  Fields: the .proto files of the Perfetto project.
 *
 * An IPU is a process; each of its lanes is a track with the levels of the flame as nested slices
 * (steps are the innermost, with their numbers as arguments); runs and blocks of lightweight
 * profiling, aligned with the steps, have tracks of their own; memory that is live, as far as
 * liveness steps tell it, is a counter for the replica and for each IPU.  Times are nanoseconds by
 * the target's clock; without one a cycle stands as a nanosecond, which the name of the track of
 * runs says. */

#pragma once

#include "tsr-trace.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 from, to; /* cycles: what touches them, cut to them */
  guint ipu;       /* or TSR_NO_INDEX: all */
  guint run;       /* row: only its steps and blocks; TSR_NO_INDEX: all */
} TsrPerfettoRange;

/* Writes to @stream.  @liveness (nullable).  FALSE and @error: cancelled, cannot be written.  Any
 * thread. */
gboolean tsr_perfetto_write (const TsrTrace *trace,
                             const TsrLivenessTables *liveness,
                             const TsrPerfettoRange *range,
                             GOutputStream *stream,
                             GCancellable *cancellable,
                             GError **error);

G_END_DECLS
