/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A trace is built in three rounds: types and names from the steps (one thread), then what each IPU
 * did and its lanes, then for each lane its rows and for each IPU its sums; the tasks of a round
 * are shared by as many threads as there are cores.  Here are the rounds, runs, and what is asked
 * of one slice. */

#include "config.h"

#include "tsr-trace-private.h"
#include "tsr-trace-span-private.h"

#include "tsr-column.h"
#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------- tasks */

typedef struct
{
  void (*func) (gpointer data, guint task);
  gpointer data;
  guint n;
  gint next; /* atomic */
} Round;

static gpointer
work (gpointer data)
{
  Round *round = data;
  guint task;

  while ((task = (guint)g_atomic_int_add (&round->next, 1)) < round->n)
    round->func (round->data, task);
  return NULL;
}

/* Calls @func once for each of @n tasks, in threads; returns when all are done. */
static void
run_tasks (guint n, void (*func) (gpointer data, guint task), gpointer data)
{
  Round round = { func, data, n, 0 };
  GThread *threads[16]; /* the first is this one, which does the part of those that there are not */
  guint n_threads = MIN (MIN (n, g_get_num_processors ()), G_N_ELEMENTS (threads));

  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_try_new ("trace", work, &round, NULL);
  work (&round);
  for (guint i = 1; i < n_threads; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
}

typedef struct
{
  TsrTrace *trace;
  guint8 *step_type;
  GCancellable *cancellable;
  gint cancelled; /* atomic */
} Build;

static void
check (Build *build, gboolean done)
{
  if (!done)
    g_atomic_int_set (&build->cancelled, TRUE);
}

static void
build_ipu (gpointer data, guint task)
{
  Build *build = data;
  TsrTraceIpu *ipu = &build->trace->ipus[task];

  if (g_atomic_int_get (&build->cancelled))
    return;
  check (build, tsr_trace_init_slices (build->trace, ipu, build->step_type, build->cancellable)
                    && tsr_trace_init_lanes (build->trace, ipu, build->cancellable));
}

/* Tasks: the flame of each lane, the sums of each IPU, the flat row of each lane. */
static void
build_rows (gpointer data, guint task)
{
  Build *build = data;
  TsrTrace *self = build->trace;

  if (g_atomic_int_get (&build->cancelled))
    return;
  if (task < self->n_tracks)
    check (build, tsr_trace_init_flame (self, self->tracks[task], build->cancellable));
  else if (task < self->n_tracks + self->n_ipus)
    check (build,
           tsr_trace_init_sums (self, &self->ipus[task - self->n_tracks], build->cancellable));
  else
    {
      guint track = task - self->n_tracks - self->n_ipus;
      TsrTraceLane *lane = self->tracks[track];

      lane->flat.row.track = track;
      lane->flat.row.n = lane->n;
      tsr_trace_init_row (self, lane, &lane->flat);
    }
}

static void
number_tracks (TsrTrace *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_ipus; i++)
    n += self->ipus[i].n_lanes;
  self->tracks = g_new (TsrTraceLane *, n);
  for (guint i = 0; i < self->n_ipus; i++)
    {
      self->ipus[i].first_track = self->n_tracks;
      for (guint lane = 0; lane < self->ipus[i].n_lanes; lane++)
        self->tracks[self->n_tracks++] = &self->ipus[i].lanes[lane];
    }
}

/* -------------------------------------------------------------------- runs */

/* The first replica with steps in @run; all IPUs when replicas are not told. */
static void
find_replica (const TsrTrace *self, const TsrTraceRunPart *const *parts, guint *first, guint *end)
{
  gint64 size = self->ipus_per_replica;

  *first = 0;
  *end = self->n_ipus;
  if (size == TSR_UNKNOWN)
    return;
  for (guint i = 0; i < self->n_ipus; i++)
    if (parts[i] != NULL)
      {
        *first = (guint)(i / size * size);
        *end = (guint)MIN ((gint64)*first + size, self->n_ipus);
        return;
      }
}

static void
sum_run (const TsrTrace *self, TsrTraceRun *run, const TsrTraceRunPart *const *parts)
{
  guint first, end;
  gboolean any = FALSE;
  gboolean model = FALSE;

  run->wait_end = TSR_UNKNOWN;
  for (guint i = 0; i < self->n_ipus; i++)
    if (parts[i] != NULL)
      {
        run->start = any ? MIN (run->start, parts[i]->start) : parts[i]->start;
        run->end = any ? MAX (run->end, parts[i]->end) : parts[i]->end;
        any = TRUE;
        if (parts[i]->wait_end != TSR_UNKNOWN
            && (run->wait_end == TSR_UNKNOWN || parts[i]->wait_end < run->wait_end))
          run->wait_end = parts[i]->wait_end;
      }
  if (run->wait_end == TSR_UNKNOWN)
    run->wait_end = run->start;
  run->device = TSR_UNKNOWN;
  find_replica (self, parts, &first, &end);
  for (guint i = first; i < end; i++)
    if (parts[i] != NULL)
      {
        gint64 from = parts[i]->wait_end != TSR_UNKNOWN ? parts[i]->wait_end : parts[i]->start;
        guint64 length = (guint64)parts[i]->end - (guint64)from;

        run->device = MAX (run->device, (gint64)MIN (length, G_MAXINT64));
        if (parts[i]->model_from == TSR_UNKNOWN)
          continue;
        run->model_from
            = model ? MIN (run->model_from, parts[i]->model_from) : parts[i]->model_from;
        run->model_to = model ? MAX (run->model_to, parts[i]->model_to) : parts[i]->model_to;
        model = TRUE;
      }
}

static void
init_runs (TsrTrace *self)
{
  const TsrExecutionTables *t = self->tables;
  g_autofree guint *at = g_new0 (guint, self->n_ipus);
  g_autofree const TsrTraceRunPart **parts = g_new (const TsrTraceRunPart *, self->n_ipus);

  self->runs = g_new0 (TsrTraceRun, t->n_runs);
  for (guint r = 0; r < t->n_runs; r++)
    {
      TsrTraceRun *run = &self->runs[r];
      const char *name = tsr_string_table_get (t->strings, t->run_name[r]);

      run->name = name != NULL ? name : "";
      run->first_step = t->run_first[r];
      run->end_step = t->run_end[r];
      run->complete = t->run_complete[r] != 0;
      run->microseconds = t->run_microseconds_end[r] - t->run_microseconds_start[r];
      if (!(run->microseconds > 0))
        run->microseconds = NAN;
      for (guint i = 0; i < self->n_ipus; i++)
        {
          const GArray *of_ipu = self->ipus[i].runs;

          parts[i] = NULL;
          if (at[i] < of_ipu->len && g_array_index (of_ipu, TsrTraceRunPart, at[i]).run == r)
            parts[i] = &g_array_index (of_ipu, TsrTraceRunPart, at[i]++);
        }
      sum_run (self, run, parts);
    }
}

guint
tsr_trace_get_n_runs (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->tables->n_runs;
}

const TsrTraceRun *
tsr_trace_get_run (const TsrTrace *self, guint run)
{
  g_return_val_if_fail (run < self->tables->n_runs, NULL);
  return &self->runs[run];
}

guint
tsr_trace_get_profiled_run (const TsrTrace *self)
{
  guint n = self->tables->n_runs;

  for (guint run = n; run-- > 0;)
    if (self->runs[run].complete)
      return run;
  return n > 0 ? n - 1 : TSR_NO_INDEX;
}

void
tsr_trace_get_device_span (const TsrTrace *self, guint run, guint ipu, gint64 *from, gint64 *to)
{
  const GArray *parts;
  guint low = 0;
  guint high;

  g_return_if_fail (run < self->tables->n_runs && ipu < self->n_ipus);
  parts = self->ipus[ipu].runs;
  high = parts->len;
  *from = *to = self->runs[run].start;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (parts, TsrTraceRunPart, middle).run < run)
        low = middle + 1;
      else
        high = middle;
    }
  if (low < parts->len && g_array_index (parts, TsrTraceRunPart, low).run == run)
    {
      const TsrTraceRunPart *part = &g_array_index (parts, TsrTraceRunPart, low);

      *from = part->wait_end != TSR_UNKNOWN ? part->wait_end : part->start;
      *to = part->end;
    }
}

typedef struct
{
  gint64 from, to;
} Span;

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Span *)a)->from;
  gint64 y = ((const Span *)b)->from;

  return (x > y) - (x < y);
}

gint64
tsr_trace_get_device_time (
    const TsrTrace *self, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to)
{
  g_autofree Span *spans = NULL;
  TsrSpanUnion merged = { 0, G_MININT64 };
  guint n = 0;

  g_return_val_if_fail (ipu < self->n_ipus, 0);
  spans = g_new (Span, MAX (self->tables->n_runs, 1));
  for (guint i = 0; i < self->tables->n_runs; i++)
    if (run == NULL || run == &self->runs[i])
      {
        tsr_trace_get_device_span (self, i, ipu, &spans[n].from, &spans[n].to);
        n++;
      }
  if (self->tables->n_runs == 0)
    spans[n++] = (Span){ self->from, self->to };
  qsort (spans, n, sizeof *spans, compare_spans);
  for (guint i = 0; i < n; i++)
    tsr_span_union_add (&merged, MAX (spans[i].from, from), MIN (spans[i].to, to));
  return merged.cycles;
}

/* --------------------------------------------------------------- new and free */

static void
init_target (TsrTrace *self, const TsrTarget *target)
{
  self->clock = NAN;
  self->tiles_per_ipu = self->ipus_per_replica = TSR_UNKNOWN;
  self->real_replica = TSR_UNKNOWN;
  if (target == NULL)
    return;
  if (target->clock_frequency > 0)
    self->clock = target->clock_frequency;
  if (target->tiles_per_ipu > 0)
    self->tiles_per_ipu = target->tiles_per_ipu;
  if (target->ipus_per_replica > 0)
    self->ipus_per_replica = target->ipus_per_replica;
}

static gsize
count_bytes (const TsrTrace *self)
{
  gsize size = sizeof *self + self->n_slices + self->n_ipus * sizeof (TsrTraceIpu)
               + self->tables->n_runs * sizeof (TsrTraceRun);
  const TsrTraceNames *names = &self->names;

  size += (gsize)names->n * (2 * sizeof (char *) + 2 * sizeof (guint32) + 1)
          + (gsize)names->part_start[names->n] * 3 * sizeof (guint32);
  if (self->programs != NULL)
    size += self->programs->n_programs * (sizeof (guint32) + 1)
            + self->programs->n_compute_sets * sizeof (guint32);
  for (guint i = 0; i < self->n_ipus; i++)
    size += self->ipus[i].size + self->ipus[i].sums.size;
  for (guint i = 0; i < self->n_tracks; i++)
    {
      const TsrTraceLane *lane = self->tracks[i];

      size += sizeof *lane + (lane->slices != NULL ? lane->n * sizeof (guint32) : 0);
      size += tsr_trace_get_row_size (&lane->flat);
      for (guint depth = 0; depth < lane->n_flame; depth++)
        size += tsr_trace_get_row_size (&lane->flame[depth]);
    }
  return size;
}

static void
init_span (TsrTrace *self)
{
  gint64 from = G_MAXINT64;
  gint64 to = G_MININT64;
  gboolean start_up = FALSE;

  for (guint i = 0; i < self->n_ipus; i++)
    {
      from = MIN (from, self->ipus[i].from);
      to = MAX (to, self->ipus[i].to);
      start_up = start_up || self->ipus[i].start_up;
    }
  if (from != G_MAXINT64) /* a slice took time */
    {
      self->from = from;
      self->to = to;
    }
  if (!start_up)
    tsr_trace_drop_start_up (self);
}

static gboolean
build_all (TsrTrace *self, GCancellable *cancellable)
{
  Build build = { .trace = self, .cancellable = cancellable };

  tsr_trace_init_names (self);
  build.step_type = tsr_trace_init_types (self);
  tsr_trace_init_titles (self, build.step_type);
  run_tasks (self->n_ipus, build_ipu, &build);
  g_free (build.step_type);
  if (g_atomic_int_get (&build.cancelled))
    return FALSE;
  number_tracks (self);
  init_span (self);
  init_runs (self);
  run_tasks (2 * self->n_tracks + self->n_ipus, build_rows, &build);
  if (g_atomic_int_get (&build.cancelled))
    return FALSE;
  self->size = count_bytes (self);
  return TRUE;
}

static TsrTrace *
trace_new (const TsrExecutionTables *tables,
           const TsrProgramTables *programs,
           const TsrTarget *target)
{
  TsrTrace *self = g_new0 (TsrTrace, 1);

  g_atomic_ref_count_init (&self->count);
  self->tables = tables;
  self->programs = programs;
  self->n_ipus = tables->n_ipus;
  self->n_slices = tables->ipu_start[tables->n_ipus];
  self->slice_type = tsr_column_alloc (self->n_slices, sizeof *self->slice_type);
  self->ipus = g_new0 (TsrTraceIpu, self->n_ipus);
  self->tiles = tsr_trace_tile_cache_new ();
  for (guint i = 0; i < self->n_ipus; i++)
    self->ipus[i].ipu = i;
  init_target (self, target);
  return self;
}

/* Which replica the engine was told to record; TSR_UNKNOWN: all, or not told. */
static gint64
find_real_replica (const TsrSummary *summary)
{
  const GStrv options = summary->engine_options;
  guint64 replica;

  for (guint i = 0; options != NULL && options[i] != NULL; i += 2)
    if (strcmp (options[i], "profiler.replicaToProfile") == 0
        && g_ascii_string_to_unsigned (options[i + 1], 10, 0, G_MAXINT32, &replica, NULL))
      return (gint64)replica;
  return TSR_UNKNOWN;
}

TsrTrace *
tsr_trace_new (TsrReport *report, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrTrace) self = NULL;
  const TsrExecutionTables *tables;
  const TsrSummary *summary;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  tables = tsr_report_get_execution_tables (report);
  if (tables == NULL)
    {
      const GError *reason = tsr_report_get_stage_error (report, TSR_STAGE_EXECUTION);

      if (reason != NULL)
        g_propagate_error (error, g_error_copy (reason));
      else
        g_set_error_literal (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                             _ ("the execution of this report has not been loaded"));
      return NULL;
    }
  summary = tsr_report_get_summary (report);
  self = trace_new (tables, tsr_report_get_program_tables (report),
                    summary != NULL ? &summary->target : NULL);
  self->report = g_object_ref (report);
  if (summary != NULL)
    self->real_replica = find_real_replica (summary);
  if (!build_all (self, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

TsrTrace *
tsr_trace_new_from_tables (const TsrExecutionTables *tables,
                           const TsrProgramTables *programs,
                           const TsrTarget *target,
                           GCancellable *cancellable,
                           GError **error)
{
  g_autoptr (TsrTrace) self = NULL;

  g_return_val_if_fail (tables != NULL, NULL);
  self = trace_new (tables, programs, target);
  if (!build_all (self, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

TsrTrace *
tsr_trace_ref (TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
tsr_trace_unref (TsrTrace *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->count))
    return;
  for (guint i = 0; i < self->n_ipus; i++)
    {
      tsr_trace_clear_lanes (&self->ipus[i]);
      tsr_trace_clear_sums (&self->ipus[i]);
    }
  tsr_trace_clear_names (self);
  tsr_trace_tile_cache_free (self->tiles);
  g_free (self->ipus);
  g_free (self->tracks);
  g_free (self->runs);
  g_free (self->slice_type);
  g_clear_object (&self->report);
  g_free (self);
}

/* ---------------------------------------------------------------- properties */

const TsrExecutionTables *
tsr_trace_get_tables (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->tables;
}

const TsrProgramTables *
tsr_trace_get_programs (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->programs;
}

TsrReport *
tsr_trace_get_report (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->report;
}

gsize
tsr_trace_get_size (const TsrTrace *self)
{
  return self->size;
}

double
tsr_trace_get_clock (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->clock;
}

gint64
tsr_trace_get_tiles_per_ipu (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, TSR_UNKNOWN);
  return self->tiles_per_ipu;
}

void
tsr_trace_get_span (const TsrTrace *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (self != NULL);
  *from = self->from;
  *to = self->to;
}

guint
tsr_trace_get_n_types (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_types;
}

const TsrTraceType *
tsr_trace_get_type (const TsrTrace *self, guint type)
{
  g_return_val_if_fail (type < self->n_types, NULL);
  return &self->types[type];
}

guint32
tsr_trace_find_types (const TsrTrace *self, const char *name)
{
  guint32 mask = 0;

  for (guint i = 0; i < self->n_types; i++)
    if (g_strcmp0 (self->types[i].name, name) == 0 || g_strcmp0 (self->types[i].label, name) == 0)
      mask |= 1u << i;
  return mask;
}

guint
tsr_trace_get_n_ipus (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_ipus;
}

void
tsr_trace_get_replica (const TsrTrace *self, guint ipu, gint64 *replica, gint64 *ipu_in_replica)
{
  *replica = *ipu_in_replica = TSR_UNKNOWN;
  if (self->ipus_per_replica == TSR_UNKNOWN)
    return;
  *replica = ipu / self->ipus_per_replica;
  *ipu_in_replica = ipu % self->ipus_per_replica;
  /* One replica was recorded, and the option says which. */
  if (self->real_replica != TSR_UNKNOWN && self->n_ipus <= self->ipus_per_replica)
    *replica = self->real_replica;
}

/* FALSE: @ipu is called by its number alone. */
static gboolean
has_replica_name (const TsrTrace *self, guint ipu, gint64 *replica, gint64 *ipu_in_replica)
{
  tsr_trace_get_replica (self, ipu, replica, ipu_in_replica);
  return *replica != TSR_UNKNOWN
         && (self->n_ipus > self->ipus_per_replica || self->real_replica != TSR_UNKNOWN);
}

char *
tsr_trace_dup_ipu_name (const TsrTrace *self, guint ipu)
{
  gint64 replica, ipu_in_replica;

  g_return_val_if_fail (self != NULL, NULL);
  if (!has_replica_name (self, ipu, &replica, &ipu_in_replica))
    return g_strdup_printf (_ ("IPU %u"), ipu);
  return g_strdup_printf (_ ("Replica %" PRId64 " · IPU %" PRId64), replica, ipu_in_replica);
}

char *
tsr_trace_dup_ipu_number (const TsrTrace *self, guint ipu)
{
  gint64 replica, ipu_in_replica;

  g_return_val_if_fail (self != NULL, NULL);
  if (!has_replica_name (self, ipu, &replica, &ipu_in_replica))
    return g_strdup_printf ("%u", ipu);
  return g_strdup_printf ("%" PRId64 "·%" PRId64, replica, ipu_in_replica);
}

guint
tsr_trace_get_n_tracks (const TsrTrace *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_tracks;
}

const TsrTraceTrack *
tsr_trace_get_track (const TsrTrace *self, guint track)
{
  g_return_val_if_fail (track < self->n_tracks, NULL);
  return &self->tracks[track]->track;
}

/* -------------------------------------------------------------------- slices */

guint
tsr_trace_get_slice_type (const TsrTrace *self, guint32 slice)
{
  return self->slice_type[slice];
}

const char *
tsr_trace_get_slice_title (const TsrTrace *self, guint32 slice)
{
  guint32 name = tsr_trace_get_slice_name (self, slice);

  return name != TSR_NO_NAME ? self->names.title[name] : self->types[self->slice_type[slice]].label;
}

void
tsr_trace_get_slice (const TsrTrace *self, guint32 slice, TsrTraceSlice *out)
{
  const TsrExecutionTables *t = self->tables;
  guint32 step;

  memset (out, 0, sizeof *out);
  g_return_if_fail (slice < self->n_slices);
  step = t->slice_step[slice];
  out->slice = slice;
  out->ipu = tsr_trace_get_ipu_of (self, slice);
  out->lane = tsr_trace_get_lane_of (self, slice);
  out->step = step;
  out->type = self->slice_type[slice];
  out->type_name = self->types[out->type].name;
  out->start = t->slice_start[slice];
  out->end = t->slice_end[slice];
  out->lead_in = tsr_narrow_get (&t->slice_lead_in, slice);
  out->cycles = tsr_narrow_get (&t->slice_cycles, slice);
  out->active_tiles = tsr_narrow_get (&t->slice_active_tiles, slice);
  out->data_in = tsr_narrow_get (&t->slice_data_in, slice);
  out->data_out = tsr_narrow_get (&t->slice_data_out, slice);
  out->tile_balance = t->slice_tile_balance[slice];
  out->active_tile_balance = t->slice_active_tile_balance[slice];
  out->name = tsr_trace_get_name (self, tsr_trace_step_name (self, step));
  out->program = out->compute_set = out->run = TSR_NO_INDEX;
  out->step_id = TSR_UNKNOWN;
  if (step >= t->n_steps)
    return;
  out->step_id = tsr_execution_tables_get_step_id (t, step);
  out->run = tsr_trace_step_run (self, step);
  out->program = t->step_program[step];
  out->compute_set = t->step_compute_set[step];
}

/* The slice of @step among [first, end), whose blocks are @part's. */
static guint32
find_step (const TsrTrace *self, const TsrTraceIpu *ipu, guint part, guint32 step)
{
  gsize first = part == 0 ? ipu->first : ipu->told;
  gsize end = part == 0 ? ipu->told : ipu->end;
  gsize n = (end - first + 63) / 64;
  gsize low = 0;
  gsize high = n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (ipu->step_most[part][middle] < step)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < n && ipu->step_least[part][low] <= step; low++)
    for (gsize i = first + low * 64; i < MIN (end, first + low * 64 + 64); i++)
      if (self->tables->slice_step[i] == step)
        return (guint32)i;
  return TSR_NO_SLICE;
}

guint32
tsr_trace_find_slice (const TsrTrace *self, guint32 step, guint ipu)
{
  guint32 slice;

  g_return_val_if_fail (ipu < self->n_ipus, TSR_NO_SLICE);
  slice = find_step (self, &self->ipus[ipu], 0, step);
  return slice != TSR_NO_SLICE ? slice : find_step (self, &self->ipus[ipu], 1, step);
}

guint32
tsr_trace_find_start (const TsrTrace *self, guint ipu, gint64 cycles)
{
  const TsrTraceIpu *part;

  g_return_val_if_fail (ipu < self->n_ipus, 0);
  part = &self->ipus[ipu];
  return (guint32)tsr_trace_lower_start (self->tables, part->first, part->told, cycles);
}
