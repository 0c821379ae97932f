/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adds up live bytes by step with differences at the ends of intervals. */

#include "config.h"

#include "tsr-live-sums.h"

#include <string.h>

/* -------------------------------------------------------------------- axis */

void
tsr_live_axis_init (TsrLiveAxis *self, const TsrLoweredTables *lowered, guint n_steps)
{
  g_autofree guint32 *place = g_new0 (guint32, (gsize)n_steps + 1);
  guint n_marks = 0;
  gsize n;

  g_return_if_fail (self != NULL && lowered != NULL);
  n = lowered->n_classes > 0 ? lowered->interval_start[lowered->n_classes] : 0;
  self->lowered = lowered;
  place[0] = n_steps > 0;
  for (gsize i = 0; i < n; i++)
    {
      place[MIN (lowered->interval_from[i], n_steps)] = 1;
      place[MIN (lowered->interval_to[i], n_steps)] = 1;
    }
  place[n_steps] = 0;
  for (guint step = 0; step < n_steps; step++)
    n_marks += place[step];
  self->mark_step = g_new (guint32, (gsize)n_marks + 1);
  self->n_marks = 0;
  for (guint step = 0; step <= n_steps; step++)
    {
      guint32 marked = place[step];

      place[step] = self->n_marks;
      if (marked)
        self->mark_step[self->n_marks++] = step;
    }
  self->mark_step[self->n_marks] = n_steps;
  self->from = g_new (guint32, MAX (n, 1));
  self->to = g_new (guint32, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    {
      self->from[i] = place[MIN (lowered->interval_from[i], n_steps)];
      self->to[i] = place[MIN (lowered->interval_to[i], n_steps)];
    }
}

void
tsr_live_axis_clear (TsrLiveAxis *self)
{
  g_clear_pointer (&self->mark_step, g_free);
  g_clear_pointer (&self->from, g_free);
  g_clear_pointer (&self->to, g_free);
}

/* -------------------------------------------------------------------- sums */

enum
{
  NOT_MET,
  KNOWN,
  SIZE_UNKNOWN
};

void
tsr_live_sums_init (TsrLiveSums *self, const TsrLoweredTables *lowered)
{
  guint n;

  g_return_if_fail (self != NULL && lowered != NULL);
  n = MAX (lowered->n_classes, 1);
  memset (self, 0, sizeof *self);
  self->lowered = lowered;
  self->bytes = g_new0 (gint64, n);
  self->state = g_new0 (guint8, n);
  self->touched = g_new (guint32, n);
}

void
tsr_live_sums_clear (TsrLiveSums *self)
{
  g_clear_pointer (&self->bytes, g_free);
  g_clear_pointer (&self->state, g_free);
  g_clear_pointer (&self->touched, g_free);
}

void
tsr_live_sums_reset (TsrLiveSums *self)
{
  g_return_if_fail (self != NULL);
  for (guint i = 0; i < self->n_touched; i++)
    {
      self->bytes[self->touched[i]] = 0;
      self->state[self->touched[i]] = NOT_MET;
    }
  self->n_touched = 0;
  self->n_lost = 0;
  self->always = 0;
}

/* Sizes have 32 bits and rows are fewer than 2^31: no sum of theirs overflows. */
static inline void
add (TsrLiveSums *self, guint32 class_index, gint64 bytes)
{
  if (class_index == TSR_CLASS_ALWAYS)
    self->always
        = bytes == TSR_UNKNOWN || self->always == TSR_UNKNOWN ? TSR_UNKNOWN : self->always + bytes;
  else if (class_index >= TSR_CLASS_UNTOLD)
    {
      self->n_lost++;
      if (class_index == TSR_CLASS_UNKNOWN)
        self->always = TSR_UNKNOWN;
    }
  else
    {
      if (self->state[class_index] == NOT_MET)
        {
          self->state[class_index] = KNOWN;
          self->touched[self->n_touched++] = class_index;
        }
      if (bytes == TSR_UNKNOWN)
        self->state[class_index] = SIZE_UNKNOWN;
      else
        self->bytes[class_index] += bytes;
    }
}

void
tsr_live_sums_add (TsrLiveSums *self, guint32 class_index, gint64 bytes)
{
  add (self, class_index, bytes);
}

void
tsr_live_sums_add_tile (TsrLiveSums *self, guint tile)
{
  const TsrLoweredTables *lowered;

  g_return_if_fail (self != NULL && tile < self->lowered->n_tiles);
  lowered = self->lowered;
  for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
    {
      gsize row = tsr_lowered_get_row (lowered, i);

      add (self, tsr_lowered_get_class (lowered, row), tsr_lowered_get_bytes (lowered, row));
    }
}

void
tsr_live_sums_marks (const TsrLiveSums *self, const TsrLiveAxis *axis, gint64 *bytes)
{
  const TsrLoweredTables *lowered;
  g_autofree gint32 *unknown = NULL;
  gint64 sum = 0;
  gint64 n_unknown;

  g_return_if_fail (self != NULL && axis != NULL && bytes != NULL);
  lowered = self->lowered;
  memset (bytes, 0, axis->n_marks * sizeof *bytes);
  n_unknown = self->n_lost > 0;
  for (guint k = 0; k < self->n_touched; k++)
    {
      guint32 c = self->touched[k];

      if (self->state[c] == SIZE_UNKNOWN && unknown == NULL)
        unknown = g_new0 (gint32, (gsize)axis->n_marks + 1);
      for (gsize i = lowered->interval_start[c]; i < lowered->interval_start[c + 1]; i++)
        {
          if (axis->from[i] < axis->n_marks)
            bytes[axis->from[i]] += self->bytes[c];
          if (axis->to[i] < axis->n_marks)
            bytes[axis->to[i]] -= self->bytes[c];
          if (self->state[c] == SIZE_UNKNOWN)
            {
              unknown[axis->from[i]]++;
              unknown[axis->to[i]]--;
            }
        }
    }
  for (guint m = 0; m < axis->n_marks; m++)
    {
      sum += bytes[m];
      n_unknown += unknown != NULL ? unknown[m] : 0;
      bytes[m] = n_unknown > 0 ? TSR_UNKNOWN : sum;
    }
}

/* Marks are no more than steps and no later: from the end they spread in place. */
void
tsr_live_sums_series (const TsrLiveSums *self, const TsrLiveAxis *axis, gint64 *bytes)
{
  g_return_if_fail (self != NULL && axis != NULL && bytes != NULL);
  tsr_live_sums_marks (self, axis, bytes);
  for (guint m = axis->n_marks; m > 0; m--)
    {
      gint64 at_mark = bytes[m - 1];

      for (guint32 step = axis->mark_step[m]; step > axis->mark_step[m - 1]; step--)
        bytes[step - 1] = at_mark;
    }
}

/* -------------------------------------------------------------------- peak */

typedef struct
{
  guint32 mark;
  gint64 change;
} Event;

struct _TsrLiveScratch
{
  gint64 *change; /* [mark], all 0 between two uses; behind them the end, which nobody looks at */
  Event *events;  /* room for n_events */
  gsize n_events;
};

/* Sorting so many events costs about as much as adding up this many marks for each. */
#define MARKS_PER_EVENT 24

TsrLiveScratch *
tsr_live_scratch_new (const TsrLiveAxis *axis)
{
  TsrLiveScratch *self = g_new0 (TsrLiveScratch, 1);

  self->change = g_new0 (gint64, (gsize)axis->n_marks + 1);
  self->n_events = axis->n_marks / MARKS_PER_EVENT + 2;
  self->events = g_new (Event, self->n_events);
  return self;
}

void
tsr_live_scratch_free (TsrLiveScratch *self)
{
  if (self == NULL)
    return;
  g_free (self->change);
  g_free (self->events);
  g_free (self);
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const Event *x = a;
  const Event *y = b;

  return x->mark < y->mark ? -1 : x->mark > y->mark;
}

/* With few intervals: their ends in order. */
static gint64
find_peak_of_events (const TsrLiveSums *self,
                     const TsrLiveAxis *axis,
                     TsrLiveScratch *scratch,
                     guint32 *mark)
{
  const TsrLoweredTables *lowered = self->lowered;
  gsize n = 0;
  gint64 sum = 0;
  gint64 most = 0;

  for (guint k = 0; k < self->n_touched; k++)
    {
      guint32 c = self->touched[k];

      for (gsize i = lowered->interval_start[c]; i < lowered->interval_start[c + 1]; i++)
        {
          scratch->events[n++] = (Event){ axis->from[i], self->bytes[c] };
          scratch->events[n++] = (Event){ axis->to[i], -self->bytes[c] };
        }
    }
  qsort (scratch->events, n, sizeof *scratch->events, compare_marks);
  *mark = 0;
  for (gsize i = 0; i < n; i++)
    {
      /* Nothing is live before the first event, and behind the last one. */
      if (sum > most && scratch->events[i].mark != scratch->events[i - 1].mark)
        {
          most = sum;
          *mark = scratch->events[i - 1].mark;
        }
      sum += scratch->events[i].change;
    }
  return most;
}

static gint64
find_peak_of_marks (const TsrLiveSums *self,
                    const TsrLiveAxis *axis,
                    TsrLiveScratch *scratch,
                    guint32 *mark)
{
  const TsrLoweredTables *lowered = self->lowered;
  gint64 *change = scratch->change;
  gint64 sum = 0;
  gint64 most = 0;

  for (guint k = 0; k < self->n_touched; k++)
    {
      guint32 c = self->touched[k];
      gint64 bytes = self->bytes[c];

      for (gsize i = lowered->interval_start[c]; i < lowered->interval_start[c + 1]; i++)
        {
          change[axis->from[i]] += bytes;
          change[axis->to[i]] -= bytes;
        }
    }
  *mark = 0;
  for (guint m = 0; m < axis->n_marks; m++)
    {
      sum += change[m];
      change[m] = 0;
      if (sum > most)
        {
          most = sum;
          *mark = m;
        }
    }
  return most;
}

/* @n_intervals: of the classes that were met. */
static gboolean
is_known (const TsrLiveSums *self, gsize *n_intervals)
{
  const TsrLoweredTables *lowered = self->lowered;
  gboolean known = self->n_lost == 0;

  *n_intervals = 0;
  for (guint k = 0; k < self->n_touched; k++)
    {
      guint32 c = self->touched[k];
      gsize n = lowered->interval_start[c + 1] - lowered->interval_start[c];

      *n_intervals += n;
      known = known && !(self->state[c] == SIZE_UNKNOWN && n > 0);
    }
  return known;
}

gboolean
tsr_live_sums_is_known (const TsrLiveSums *self)
{
  gsize n_intervals;

  g_return_val_if_fail (self != NULL, FALSE);
  return is_known (self, &n_intervals);
}

void
tsr_live_sums_find_peak (const TsrLiveSums *self,
                         const TsrLiveAxis *axis,
                         TsrLiveScratch *scratch,
                         gint64 *bytes,
                         guint32 *step)
{
  gsize n_intervals;
  guint32 mark;

  *bytes = TSR_UNKNOWN;
  *step = TSR_NO_INDEX;
  if (!is_known (self, &n_intervals) || axis->n_marks == 0)
    return;
  *bytes = 2 * n_intervals <= scratch->n_events && 2 * n_intervals * MARKS_PER_EVENT < axis->n_marks
               ? find_peak_of_events (self, axis, scratch, &mark)
               : find_peak_of_marks (self, axis, scratch, &mark);
  *step = axis->mark_step[mark];
}

typedef struct
{
  const TsrLiveAxis *axis;
  gint64 *bytes;
  guint32 *step;
} Peaks;

typedef struct
{
  TsrLiveSums sums;
  TsrLiveScratch *scratch;
} PeakLocal;

static gpointer
new_peak_local (gpointer data)
{
  Peaks *peaks = data;
  PeakLocal *local = g_new0 (PeakLocal, 1);

  tsr_live_sums_init (&local->sums, peaks->axis->lowered);
  local->scratch = tsr_live_scratch_new (peaks->axis);
  return local;
}

static void
free_peak_local (gpointer data)
{
  PeakLocal *local = data;

  tsr_live_sums_clear (&local->sums);
  tsr_live_scratch_free (local->scratch);
  g_free (local);
}

static void
find_peaks (guint from, guint to, gpointer data, gpointer peaks_data)
{
  PeakLocal *local = data;
  Peaks *peaks = peaks_data;

  for (guint tile = from; tile < to; tile++)
    {
      tsr_live_sums_reset (&local->sums);
      tsr_live_sums_add_tile (&local->sums, tile);
      tsr_live_sums_find_peak (&local->sums, peaks->axis, local->scratch, &peaks->bytes[tile],
                               &peaks->step[tile]);
    }
}

gboolean
tsr_live_sums_find_peaks (const TsrLiveAxis *axis,
                          guint n_threads,
                          gint64 *bytes,
                          guint32 *step,
                          GCancellable *cancellable,
                          GError **error)
{
  static const TsrParallel parallel = { new_peak_local, free_peak_local, find_peaks };
  Peaks peaks = { axis, bytes, step };

  return tsr_parallel_run (&parallel, axis->lowered->n_tiles, n_threads, &peaks, cancellable,
                           error);
}

/* ------------------------------------------------------------------ at a step */

gboolean
tsr_live_sums_is_live_at (const TsrLoweredTables *lowered, guint32 class_index, guint step)
{
  gsize low, end, high;

  g_return_val_if_fail (lowered != NULL && class_index < lowered->n_classes, FALSE);
  low = lowered->interval_start[class_index];
  high = end = lowered->interval_start[class_index + 1];
  /* The first interval that ends behind the step. */
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (lowered->interval_to[middle] <= step)
        low = middle + 1;
      else
        high = middle;
    }
  return low < end && lowered->interval_from[low] <= step;
}

guint8 *
tsr_live_sums_dup_classes_at (const TsrLoweredTables *lowered, guint step)
{
  guint8 *live;

  g_return_val_if_fail (lowered != NULL, NULL);
  live = g_new0 (guint8, MAX (lowered->n_classes, 1));
  for (guint c = 0; c < lowered->n_classes; c++)
    live[c] = tsr_live_sums_is_live_at (lowered, c, step);
  return live;
}

/* ---------------------------------------------------------------- parallel */

typedef struct
{
  const TsrParallel *parallel;
  gpointer data;
  GCancellable *cancellable;
  guint n, chunk;
  gint next; /* atomic: the first chunk that nobody has taken */
} Run;

static gpointer
run_chunks (gpointer data)
{
  Run *run = data;
  gpointer local = run->parallel->new_local != NULL ? run->parallel->new_local (run->data) : NULL;

  while (!g_cancellable_is_cancelled (run->cancellable))
    {
      guint64 from = (guint64)(guint)g_atomic_int_add (&run->next, 1) * run->chunk;

      if (from >= run->n)
        break;
      run->parallel->func (from, MIN (from + run->chunk, run->n), local, run->data);
    }
  if (run->parallel->free_local != NULL)
    run->parallel->free_local (local);
  return NULL;
}

gboolean
tsr_parallel_run (const TsrParallel *parallel,
                  guint n,
                  guint n_threads,
                  gpointer data,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  Run run = { parallel, data, cancellable, n, 16, 0 };

  n_threads = n_threads > 0 ? n_threads : MIN (g_get_num_processors (), 16);
  n_threads = MIN (n_threads, n / run.chunk + 1);
  for (guint i = 1; i < n_threads; i++)
    {
      GThread *thread = g_thread_try_new ("liveness", run_chunks, &run, NULL);

      /* Without it the others do its part. */
      if (thread != NULL)
        g_ptr_array_add (threads, thread);
    }
  run_chunks (&run);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (threads->pdata[i]);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
