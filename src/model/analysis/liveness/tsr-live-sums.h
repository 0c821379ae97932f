/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over liveness steps from allocations and the intervals of their classes: the arithmetic of
 * TsrLiveness on tables alone.  n(t, k) of docs/insights.md#memory is the sum of the sizes of the
 * tile's allocations that are not always live and whose class is live at k.
 *
 * The steps are cut at every interval's ends: between two such marks nothing changes, so all sums
 * run over marks (at most the steps, at most two for each interval).  A tile's allocations are
 * first added up by class, and each class is walked once: O(rows + intervals + marks). */

#pragma once

#include "tsr-variables-private.h"

G_BEGIN_DECLS

typedef struct
{
  const TsrLoweredTables *lowered;
  guint n_marks;      /* 0 without steps */
  guint32 *mark_step; /* ascending, the first is 0 */
  guint32 *from, *to; /* [interval]: place of its ends among the marks; n_marks: the end */
} TsrLiveAxis;

void tsr_live_axis_init (TsrLiveAxis *self, const TsrLoweredTables *lowered, guint n_steps);
void tsr_live_axis_clear (TsrLiveAxis *self);

/* Not-always-live bytes by class, of any set of allocations; reused from tile to tile. */
typedef struct
{
  const TsrLoweredTables *lowered;
  gint64 *bytes;    /* [class] */
  guint8 *state;    /* [class]: 1 met, 2 met with an unknown size */
  guint32 *touched; /* classes that were met, in any order */
  guint n_touched;
  guint64 n_lost; /* allocations that may be live at any step: no class is told */
  gint64 always;  /* bytes always live; TSR_UNKNOWN */
} TsrLiveSums;

void tsr_live_sums_init (TsrLiveSums *self, const TsrLoweredTables *lowered);
void tsr_live_sums_clear (TsrLiveSums *self);
void tsr_live_sums_reset (TsrLiveSums *self);
void tsr_live_sums_add (TsrLiveSums *self, guint32 class_index, gint64 bytes);
void tsr_live_sums_add_tile (TsrLiveSums *self, guint tile);

/* Whether the bytes of every step are known. */
gboolean tsr_live_sums_is_known (const TsrLiveSums *self);
/* Bytes from every mark to the next into @bytes, axis->n_marks values; TSR_UNKNOWN where not known.
 */
void tsr_live_sums_marks (const TsrLiveSums *self, const TsrLiveAxis *axis, gint64 *bytes);
/* Bytes at every step into @bytes, n_steps values; TSR_UNKNOWN where not known. */
void tsr_live_sums_series (const TsrLiveSums *self, const TsrLiveAxis *axis, gint64 *bytes);
typedef struct _TsrLiveScratch TsrLiveScratch;
TsrLiveScratch *tsr_live_scratch_new (const TsrLiveAxis *axis);
void tsr_live_scratch_free (TsrLiveScratch *self);
/* The first step with the most; TSR_NO_INDEX and TSR_UNKNOWN when any step's bytes are not known,
 * or there is no step.  @scratch: of this axis. */
void tsr_live_sums_find_peak (const TsrLiveSums *self,
                              const TsrLiveAxis *axis,
                              TsrLiveScratch *scratch,
                              gint64 *bytes,
                              guint32 *step);

/* Peak of each of lowered->n_tiles tiles, on @n_threads threads (0: one for each processor); the
 * result does not depend on their number.  FALSE when cancelled. */
gboolean tsr_live_sums_find_peaks (const TsrLiveAxis *axis,
                                   guint n_threads,
                                   gint64 *bytes,
                                   guint32 *step,
                                   GCancellable *cancellable,
                                   GError **error);

gboolean
tsr_live_sums_is_live_at (const TsrLoweredTables *lowered, guint32 class_index, guint step);
/* (transfer full): for each class whether it is live at @step. */
guint8 *tsr_live_sums_dup_classes_at (const TsrLoweredTables *lowered, guint step);

/* Calls @func for ranges of 0 .. n - 1 on @n_threads threads (0: one for each processor) until all
 * are done or @cancellable is; each thread has one @local of @new_local. */
typedef struct
{
  gpointer (*new_local) (gpointer data); /* (nullable) */
  void (*free_local) (gpointer local);
  void (*func) (guint from, guint to, gpointer local, gpointer data);
} TsrParallel;
gboolean tsr_parallel_run (const TsrParallel *parallel,
                           guint n,
                           guint n_threads,
                           gpointer data,
                           GCancellable *cancellable,
                           GError **error);

G_END_DECLS
