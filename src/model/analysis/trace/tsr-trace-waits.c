/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Meetings of IPUs in external syncs.  The steps are those of slices that touch the span; the other
 * IPUs' parts in them are looked up, so a wait counts although the last one comes after the span.
 * Nobody can have waited for an IPU that came after it had left: such are different meetings. */

#include "config.h"

#include "tsr-trace-waits.h"

#include "tsr-trace-span-private.h"
#include "tsr-units.h"

#include <glib/gi18n.h>

#define STEPS_AT_ONCE 256 /* between two looks at the cancellable */

/* IPUs that wait for each other in one step; entry n_kept came last. */
typedef struct
{
  const TsrTraceArrival *arrivals;
  guint n;
  guint n_kept; /* that came before the last one */
} Meeting;

typedef struct
{
  const TsrTrace *trace;
  const TsrExecutionTables *tables;
  GArray *arrivals; /* TsrTraceArrival of one step, by meeting, then by arrival */
  GArray *ends;     /* guint: where each of its meetings ends there */
} Meetings;

static void
meetings_init (Meetings *self, const TsrTrace *trace)
{
  self->trace = trace;
  self->tables = tsr_trace_get_tables (trace);
  self->arrivals = g_array_new (FALSE, FALSE, sizeof (TsrTraceArrival));
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
meetings_clear (Meetings *self)
{
  g_clear_pointer (&self->arrivals, g_array_unref);
  g_clear_pointer (&self->ends, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Meetings, meetings_clear)

static const TsrTraceArrival *
peek (const Meetings *self, guint i)
{
  return &g_array_index (self->arrivals, TsrTraceArrival, i);
}

/* The sort is stable: of those that come together the lower IPU first. */
static int
compare_arrivals (gconstpointer pa, gconstpointer pb, gpointer data)
{
  const TsrTraceArrival *a = pa, *b = pb;

  return (a->arrival > b->arrival) - (a->arrival < b->arrival);
}

static gboolean
is_external (const TsrTrace *trace, guint32 slice)
{
  return tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, slice))->external;
}

/* The IPUs that take part; FALSE when the arrival of one is not recorded.  A row without time and
 * without active tiles is of an IPU that has no part in the step. */
static gboolean
find_arrivals (Meetings *self, guint32 step)
{
  guint n = tsr_trace_get_n_ipus (self->trace);

  g_array_set_size (self->arrivals, 0);
  for (guint ipu = 0; ipu < n; ipu++)
    {
      TsrTraceArrival arrival
          = { .slice = tsr_trace_find_slice (self->trace, step, ipu), .ipu = ipu };
      gint64 tiles;

      if (arrival.slice == TSR_NO_SLICE)
        continue;
      arrival.arrival = self->tables->slice_start[arrival.slice];
      arrival.end = self->tables->slice_end[arrival.slice];
      if (arrival.arrival == TSR_UNKNOWN)
        return FALSE;
      tiles = tsr_narrow_get (&self->tables->slice_active_tiles, arrival.slice);
      if (arrival.end > arrival.arrival || tiles > 0)
        g_array_append_val (self->arrivals, arrival);
    }
  return TRUE;
}

static gint64
get_replica (const Meetings *self, guint i)
{
  gint64 replica, place;

  tsr_trace_get_replica (self->trace, peek (self, i)->ipu, &replica, &place);
  return replica;
}

/* Whether replicas wait for each other here: the first to go on does so when the last one has come,
 * and they go on closer to each other than they came.  Replicas by themselves go on as far apart as
 * their last IPUs came. */
static gboolean
is_one_meeting (const Meetings *self)
{
  gint64 first_came = G_MAXINT64, last_came = G_MININT64;
  gint64 first_left = G_MAXINT64, last_left = G_MININT64;

  for (guint i = 0; i < self->arrivals->len;)
    {
      gint64 replica = get_replica (self, i), came = G_MININT64, left = G_MAXINT64;

      for (; i < self->arrivals->len && get_replica (self, i) == replica; i++)
        {
          came = MAX (came, peek (self, i)->arrival);
          left = MIN (left, peek (self, i)->end);
        }
      first_came = MIN (first_came, came);
      last_came = MAX (last_came, came);
      first_left = MIN (first_left, left);
      last_left = MAX (last_left, left);
    }
  return first_came < last_came && first_left >= last_came
         && tsr_span_length (first_left, last_left) <= tsr_span_length (first_came, last_came) / 2;
}

/* Sorts [first, end), which is not empty, by arrival and cuts it where one comes after another has
 * left. */
static void
cut (Meetings *self, guint first, guint end)
{
  gint64 left = G_MAXINT64;

  g_qsort_with_data (&g_array_index (self->arrivals, TsrTraceArrival, first), (gint)(end - first),
                     sizeof (TsrTraceArrival), compare_arrivals, NULL);
  for (guint i = first; i < end; i++)
    {
      if (peek (self, i)->arrival > left)
        {
          g_array_append_val (self->ends, i);
          left = G_MAXINT64;
        }
      left = MIN (left, peek (self, i)->end);
    }
  g_array_append_val (self->ends, end);
}

/* The meetings of a step; FALSE: an arrival is not recorded. */
static gboolean
find_meetings (Meetings *self, guint32 step)
{
  guint n, first = 0;

  g_array_set_size (self->ends, 0);
  if (!find_arrivals (self, step))
    return FALSE;
  n = self->arrivals->len;
  if (is_one_meeting (self))
    {
      cut (self, 0, n);
      return TRUE;
    }
  for (guint i = 1; i <= n; i++)
    if (i == n || get_replica (self, i) != get_replica (self, first))
      {
        cut (self, first, i);
        first = i;
      }
  return TRUE;
}

static Meeting
get_meeting (const Meetings *self, guint i)
{
  guint first = i > 0 ? g_array_index (self->ends, guint, i - 1) : 0;
  Meeting meeting = { .arrivals = peek (self, first) };

  meeting.n = g_array_index (self->ends, guint, i) - first;
  while (meeting.arrivals[meeting.n_kept].arrival < meeting.arrivals[meeting.n - 1].arrival)
    meeting.n_kept++;
  return meeting;
}

/* One meeting */

static GArray *
tsr_trace_dup_meeting (const TsrTrace *trace, guint32 slice, guint *n_kept)
{
  g_auto (Meetings) meetings = { 0 };

  g_return_val_if_fail (trace != NULL, NULL);
  g_return_val_if_fail (n_kept != NULL, NULL);
  if (!is_external (trace, slice))
    return NULL;
  meetings_init (&meetings, trace);
  if (!find_meetings (&meetings, meetings.tables->slice_step[slice]))
    return NULL;
  for (guint i = 0; i < meetings.ends->len; i++)
    {
      Meeting meeting = get_meeting (&meetings, i);

      for (guint k = 0; k < meeting.n; k++)
        if (meeting.arrivals[k].slice == slice)
          {
            GArray *copy = g_array_new (FALSE, FALSE, sizeof (TsrTraceArrival));

            *n_kept = meeting.n_kept;
            g_array_append_vals (copy, meeting.arrivals, meeting.n);
            return copy;
          }
    }
  return NULL;
}

char *
tsr_trace_dup_meeting_text (const TsrTrace *trace, guint32 slice)
{
  guint n = 0;
  g_autoptr (GArray) arrivals = tsr_trace_dup_meeting (trace, slice, &n);
  const TsrTraceArrival *first, *last;
  g_autofree char *late = NULL, *early = NULL, *cycles = NULL;

  g_return_val_if_fail (trace != NULL, NULL);
  if (arrivals == NULL || arrivals->len < 2)
    return NULL;
  if (n == 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u IPU came at the same time",
                                         "%u IPUs came at the same time", arrivals->len),
                            arrivals->len);
  first = &g_array_index (arrivals, TsrTraceArrival, 0);
  last = &g_array_index (arrivals, TsrTraceArrival, n);
  late = tsr_trace_dup_ipu_name (trace, last->ipu);
  early = tsr_trace_dup_ipu_name (trace, first->ipu);
  cycles = tsr_units_dup_cycles (tsr_span_length (first->arrival, last->arrival));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%s came last, %s after %s; kept %u IPU waiting",
                                       "%s came last, %s after %s; kept %u IPUs waiting", n),
                          late, cycles, early, n);
}

/* All of a span */

gboolean
tsr_trace_has_external_syncs (const TsrTrace *trace)
{
  g_return_val_if_fail (trace != NULL, FALSE);
  for (guint i = 0; i < tsr_trace_get_n_types (trace); i++)
    if (tsr_trace_get_type (trace, i)->external)
      return TRUE;
  return FALSE;
}

static int
compare_steps (gconstpointer pa, gconstpointer pb)
{
  guint32 a = *(const guint32 *)pa, b = *(const guint32 *)pb;

  return (a > b) - (a < b);
}

/* Rows of the external syncs that touch the span, ascending; NULL: cancelled. */
static GArray *
find_steps (const TsrTrace *trace,
            const TsrTraceRun *run,
            gint64 from,
            gint64 to,
            GCancellable *cancellable)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n = 0;

  for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (trace); ipu++)
    {
      TsrSpanSlices slices = tsr_span_find (trace, run, ipu, from, to);

      for (gsize slice = slices.first; slice < slices.end; slice++)
        {
          if (tsr_span_is_cancelled (slice, cancellable))
            return NULL;
          if (is_external (trace, (guint32)slice) && tables->slice_end[slice] > from
              && tsr_span_counts (&slices, tables, slice))
            g_array_append_val (steps, tables->slice_step[slice]);
        }
    }
  g_array_sort (steps, compare_steps);
  for (guint i = 0; i < steps->len; i++)
    if (i == 0 || g_array_index (steps, guint32, i) != g_array_index (steps, guint32, n - 1))
      g_array_index (steps, guint32, n++) = g_array_index (steps, guint32, i);
  g_array_set_size (steps, n);
  return g_steal_pointer (&steps);
}

/* The longest first; the sort is stable, and they come as the steps do. */
static int
compare_waits (gconstpointer pa, gconstpointer pb)
{
  const TsrTraceWait *a = pa, *b = pb;

  return (b->cycles > a->cycles) - (b->cycles < a->cycles);
}

/* Keeps the longest: sorted whenever there are twice as many as are wanted. */
static void
add_longest (TsrTraceWaits *self, const TsrTraceWait *wait, guint limit)
{
  g_array_append_val (self->longest, *wait);
  if (self->longest->len < 2 * (gsize)limit + 64)
    return;
  g_array_sort (self->longest, compare_waits);
  g_array_set_size (self->longest, limit);
}

static void
add_meeting (TsrTraceWaits *self,
             guint32 step,
             const Meeting *meeting,
             gint64 from,
             gint64 to,
             guint ipu,
             guint limit)
{
  const TsrTraceArrival *last = &meeting->arrivals[meeting->n_kept];
  TsrTraceWait wait = { .step = step,
                        .slice = last->slice,
                        .first_slice = meeting->arrivals[0].slice,
                        .n = meeting->n,
                        .n_kept = meeting->n_kept };
  gboolean listed = ipu == TSR_NO_INDEX || ipu == last->ipu;

  self->n_met++;
  for (guint i = 0; i < meeting->n; i++)
    {
      const TsrTraceArrival *arrival = &meeting->arrivals[i];
      gint64 cycles = tsr_span_length (MAX (arrival->arrival, from), MIN (last->arrival, to));
      gint64 *cell = &self->cycles[(gsize)arrival->ipu * self->n + last->ipu];

      self->n_syncs[arrival->ipu]++;
      *cell = tsr_span_add (*cell, cycles);
      wait.sum = tsr_span_add (wait.sum, cycles);
      wait.cycles = MAX (wait.cycles, cycles);
      listed = listed || (arrival->ipu == ipu && cycles > 0);
    }
  if (meeting->n_kept > 0 && last->arrival >= from && last->arrival < to)
    self->n_last[last->ipu]++;
  if (listed && wait.cycles > 0)
    add_longest (self, &wait, limit);
}

TsrTraceWaits *
tsr_trace_waits_new (const TsrTrace *trace,
                     const TsrTraceRun *run,
                     gint64 from,
                     gint64 to,
                     guint ipu,
                     guint limit,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TsrTraceWaits) self = g_new0 (TsrTraceWaits, 1);
  g_autoptr (GArray) steps = NULL;
  g_auto (Meetings) meetings = { 0 };

  g_return_val_if_fail (trace != NULL, NULL);
  meetings_init (&meetings, trace);
  self->n = tsr_trace_get_n_ipus (trace);
  self->cycles = g_new0 (gint64, (gsize)self->n * self->n + 1);
  self->n_last = g_new0 (guint64, self->n + 1);
  self->n_syncs = g_new0 (guint64, self->n + 1);
  self->longest = g_array_new (FALSE, FALSE, sizeof (TsrTraceWait));
  steps = find_steps (trace, run, from, to, cancellable);
  for (guint i = 0; steps != NULL && i < steps->len; i++)
    {
      guint32 step = g_array_index (steps, guint32, i);

      if (i % STEPS_AT_ONCE == 0 && g_cancellable_is_cancelled (cancellable))
        g_clear_pointer (&steps, g_array_unref);
      else if (!find_meetings (&meetings, step))
        self->n_missing++;
      else
        for (guint k = 0; k < meetings.ends->len; k++)
          {
            Meeting meeting = get_meeting (&meetings, k);

            if (meeting.n > 1)
              add_meeting (self, step, &meeting, from, to, ipu, limit);
          }
    }
  if (steps == NULL)
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  g_array_sort (self->longest, compare_waits);
  g_array_set_size (self->longest, MIN (self->longest->len, limit));
  return g_steal_pointer (&self);
}

void
tsr_trace_waits_free (TsrTraceWaits *self)
{
  if (self == NULL)
    return;
  g_free (self->cycles);
  g_free (self->n_last);
  g_free (self->n_syncs);
  g_clear_pointer (&self->longest, g_array_unref);
  g_free (self);
}
