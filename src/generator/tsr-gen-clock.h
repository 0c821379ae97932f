/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long each program takes on each tile, and the runs step by step.  Each IPU has a clock; its
 * steps follow each other without gaps, and a sync of all IPUs waits for the last one.  The slowest
 * tile also starts last, so that a step's cycles are those between the last start and the last end;
 * other tiles may start up to "lead" cycles earlier, while the previous step is still running
 * elsewhere. */

#pragma once

#include "tsr-gen-arrays.h"
#include "tsr-gen-model.h"

G_BEGIN_DECLS

/* One IPU's part of a step; the four times are relative to base. */
typedef struct
{
  gint64 base, from_min, from_max, to_min, to_max;
  gint64 cycles, data_in, data_out;
  guint active_tiles;
  double tile_balance, active_tile_balance; /* NaN: unknown */
} TsrGenSlice;

typedef struct
{
  guint run;
  guint64 first_step, end_step;
  gint64 start, end;
  gint64 *cycles; /* by IPU */
} TsrGenRunTimes;

typedef struct
{
  const TsrGenProgram *program;
  guint run, ipu;
  gint64 from, to;
} TsrGenBlock;

typedef struct _TsrGenClock TsrGenClock;

TsrGenClock *tsr_gen_clock_new (TsrGenModel *model, TsrGenArrays *arrays);
void tsr_gen_clock_free (TsrGenClock *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrGenClock, tsr_gen_clock_free)

guint tsr_gen_clock_n_ipus (const TsrGenClock *self);

/* Called for each step with one slice for each IPU over all replicas; FALSE stops. */
typedef gboolean (*TsrGenStepFunc) (guint64 step,
                                    guint run,
                                    const TsrGenProgram *program,
                                    const TsrGenSlice *slices,
                                    gpointer data);
void tsr_gen_clock_run (TsrGenClock *self, TsrGenStepFunc func, gpointer data);

/* Filled by the last tsr_gen_clock_run. */
const GArray *tsr_gen_clock_runs (const TsrGenClock *self);   /* TsrGenRunTimes */
const GArray *tsr_gen_clock_blocks (const TsrGenClock *self); /* TsrGenBlock */

/* tile_arrays of @program: start (0: all at the same time) and cycles of the tiles of @ipu, over
 * all replicas; both 0 if there are none. */
void tsr_gen_clock_arrays (const TsrGenClock *self,
                           const TsrGenProgram *program,
                           guint ipu,
                           guint32 *start,
                           guint32 *cycles);

/* Cycles of each tile of IPU @ipu of a replica, scaled by @scale. */
void tsr_gen_clock_tiles (const TsrGenClock *self,
                          const TsrGenProgram *program,
                          guint ipu,
                          double scale,
                          guint32 *cycles);
/* Bytes that come in and go out on each tile of the replica. */
void tsr_gen_clock_data (const TsrGenClock *self,
                         const TsrGenProgram *program,
                         guint32 *data_in,
                         guint32 *data_out);

G_END_DECLS
