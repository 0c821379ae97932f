/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What one IPU did: types of its slices, its part in each run, and the lanes in which slices stand
 * that overlap.  One pass over the slices of the IPU for each; IPUs in threads of their own. */

#include "config.h"

#include "tsr-trace-private.h"
#include "tsr-trace-span-private.h"

#include <string.h>

#define CHECK_MASK 0xffff /* slices between two looks whether it was cancelled */

gsize
tsr_trace_lower_start (const TsrExecutionTables *t, gsize first, gsize end, gint64 cycles)
{
  while (first < end)
    {
      gsize middle = first + (end - first) / 2;

      if (t->slice_start[middle] < cycles)
        first = middle + 1;
      else
        end = middle;
    }
  return first;
}

/* First slice of [first, end) whose times are not told. */
static gsize
find_told (const TsrExecutionTables *t, gsize first, gsize end)
{
  while (first < end)
    {
      gsize middle = first + (end - first) / 2;

      if (t->slice_start[middle] != TSR_UNKNOWN)
        first = middle + 1;
      else
        end = middle;
    }
  return first;
}

/* ------------------------------------------------------------ types and runs */

/* Where one run stands while the slices of an IPU pass by. */
typedef struct
{
  TsrTraceRunPart part;
  gboolean begun; /* something other than a sync has run */
  enum
  {
    BEFORE_INPUT,
    AFTER_INPUT,
    IN_MODEL,
    AFTER_MODEL,
  } model;
} RunState;

typedef struct
{
  TsrTrace *trace;
  TsrTraceIpu *ipu;
  guint32 *place;        /* [n_runs] into states, or TSR_NO_INDEX */
  GArray *states;        /* RunState */
  guint32 *extent_place; /* [n_runs] into the IPU's extents, or TSR_NO_INDEX */
  /* Slices of one run that stand side by side: the latest such stretch. */
  guint32 run; /* or TSR_NO_INDEX */
  gsize first;
  gint64 reach, reached; /* where it ends, and where what stands before it does */
} SlicePass;

static RunState *
find_state (SlicePass *pass, guint32 run, gint64 start)
{
  if (pass->place[run] == TSR_NO_INDEX)
    {
      RunState state = { .part = { run, start, start, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN } };

      pass->place[run] = pass->states->len;
      g_array_append_val (pass->states, state);
    }
  return &g_array_index (pass->states, RunState, pass->place[run]);
}

/* docs/formulas.md#runs: the model's part of a run. */
static void
follow_model (
    const TsrTrace *self, RunState *state, guint8 type, guint32 step, gint64 start, gint64 end)
{
  TsrStepGroup group = self->types[type].group;

  if (type == self->copy_end || type == self->copy_begin)
    {
      guint32 name = tsr_trace_step_name (self, step);
      guint8 marks = name != TSR_NO_NAME ? self->names.marks[name] : 0;

      if (type == self->copy_end && state->model == BEFORE_INPUT && (marks & TSR_NAME_FROM_HOST))
        state->model = AFTER_INPUT;
      else if (type == self->copy_begin && state->model == IN_MODEL && (marks & TSR_NAME_TO_HOST))
        state->model = AFTER_MODEL;
    }
  else if (tsr_step_group_is_work (group))
    {
      if (state->model == AFTER_INPUT)
        {
          state->model = IN_MODEL;
          state->part.model_from = start;
          state->part.model_to = end;
        }
      else if (state->model == IN_MODEL)
        state->part.model_to = MAX (state->part.model_to, end);
    }
}

/* The slice's type: its step's, but for the wait that leads its run. */
static guint8
pass_slice (SlicePass *pass, guint32 slice, guint32 run, guint8 type)
{
  const TsrTrace *self = pass->trace;
  const TsrExecutionTables *t = self->tables;
  gint64 start = t->slice_start[slice];
  gint64 end = t->slice_end[slice];
  RunState *state;

  pass->ipu->from = MIN (pass->ipu->from, start);
  pass->ipu->to = MAX (pass->ipu->to, end);
  if (run == TSR_NO_INDEX)
    return type;
  state = find_state (pass, run, start);
  state->part.end = MAX (state->part.end, end);
  if (!state->begun && self->types[type].group != TSR_STEP_GROUP_SYNC)
    {
      state->begun = TRUE;
      if (type == self->copy_begin)
        {
          state->part.wait_end = end;
          pass->ipu->start_up = TRUE;
          return self->start_up;
        }
    }
  follow_model (self, state, type, t->slice_step[slice], start, end);
  return type;
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  guint x = ((const TsrTraceRunPart *)a)->run;
  guint y = ((const TsrTraceRunPart *)b)->run;

  return (x > y) - (x < y);
}

static void
keep_runs (SlicePass *pass)
{
  TsrTraceIpu *ipu = pass->ipu;

  ipu->runs = g_array_sized_new (FALSE, FALSE, sizeof (TsrTraceRunPart), pass->states->len);
  for (guint i = 0; i < pass->states->len; i++)
    {
      TsrTraceRunPart part = g_array_index (pass->states, RunState, i).part;

      if (g_array_index (pass->states, RunState, i).model != AFTER_MODEL)
        part.model_from = part.model_to = TSR_UNKNOWN;
      g_array_append_val (ipu->runs, part);
    }
  g_array_sort (ipu->runs, compare_parts);
}

/* ------------------------------------------------------------------ extents */

static int
compare_extents (gconstpointer a, gconstpointer b)
{
  guint x = ((const TsrTraceExtent *)a)->run;
  guint y = ((const TsrTraceExtent *)b)->run;

  return (x > y) - (x < y);
}

/* The stretch ends before the slice @end. */
static void
end_stretch (SlicePass *pass, gsize end)
{
  const TsrExecutionTables *t = pass->trace->tables;
  TsrTraceExtent fresh = { .run = pass->run, .first = (guint32)pass->first, .reach = G_MININT64 };
  TsrTraceExtent *extent;

  if (pass->run != TSR_NO_INDEX)
    {
      if (pass->extent_place[pass->run] == TSR_NO_INDEX)
        {
          fresh.alone = pass->reached <= t->slice_start[pass->first];
          pass->extent_place[pass->run] = pass->ipu->extents->len;
          g_array_append_val (pass->ipu->extents, fresh);
        }
      extent = &g_array_index (pass->ipu->extents, TsrTraceExtent, pass->extent_place[pass->run]);
      extent->reach = MAX (extent->reach, pass->reach);
      extent->end = (guint32)end;
      extent->n += (guint32)(end - pass->first);
    }
  pass->reached = MAX (pass->reached, pass->reach);
  pass->reach = G_MININT64;
  pass->first = end;
}

/* The slice, of @run, is in this stretch or begins the next one. */
static inline void
follow_run (SlicePass *pass, gsize slice, guint32 run)
{
  const TsrExecutionTables *t = pass->trace->tables;
  gint64 reach = MAX (t->slice_end[slice], tsr_span_add (t->slice_start[slice], 1));

  if (run != pass->run)
    {
      end_stretch (pass, slice);
      pass->run = run;
    }
  pass->reach = MAX (pass->reach, reach);
}

/* After the last slice with times: what follows of all of them, and runs that have none. */
static void
finish_extents (SlicePass *pass)
{
  const TsrTrace *self = pass->trace;
  const TsrExecutionTables *t = self->tables;
  TsrTraceIpu *ipu = pass->ipu;

  end_stretch (pass, ipu->told);
  for (guint i = 0; i < ipu->extents->len; i++)
    {
      TsrTraceExtent *extent = &g_array_index (ipu->extents, TsrTraceExtent, i);

      extent->alone = extent->alone && extent->n == extent->end - extent->first
                      && (extent->end >= ipu->told || t->slice_start[extent->end] >= extent->reach);
    }
  for (gsize i = ipu->told; i < ipu->end; i++)
    {
      TsrTraceExtent untold = { .run = tsr_trace_step_run (self, t->slice_step[i]) };

      if (untold.run == TSR_NO_INDEX || pass->extent_place[untold.run] != TSR_NO_INDEX)
        continue;
      pass->extent_place[untold.run] = ipu->extents->len;
      g_array_append_val (ipu->extents, untold);
    }
  g_array_sort (ipu->extents, compare_extents);
}

/* Where a step can be among slices [first, end): see tsr_trace_find_slice. */
static void
index_steps (TsrTraceIpu *ipu, const TsrExecutionTables *t, guint part, gsize first, gsize end)
{
  gsize n = (end - first + 63) / 64;
  guint32 *most = g_new (guint32, n);
  guint32 *least = g_new (guint32, n);
  guint32 bound = 0;

  for (gsize block = 0; block < n; block++)
    {
      for (gsize i = first + block * 64; i < MIN (end, first + block * 64 + 64); i++)
        bound = MAX (bound, t->slice_step[i]);
      most[block] = bound;
    }
  bound = G_MAXUINT32;
  for (gsize block = n; block-- > 0;)
    {
      for (gsize i = first + block * 64; i < MIN (end, first + block * 64 + 64); i++)
        bound = MIN (bound, t->slice_step[i]);
      least[block] = bound;
    }
  ipu->step_most[part] = most;
  ipu->step_least[part] = least;
  ipu->size += 2 * n * sizeof (guint32);
}

gboolean
tsr_trace_init_slices (TsrTrace *self,
                       TsrTraceIpu *ipu,
                       const guint8 *step_type,
                       GCancellable *cancellable)
{
  const TsrExecutionTables *t = self->tables;
  g_autofree guint32 *place = tsr_trace_new_unset (t->n_runs);
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (RunState));
  g_autofree guint32 *extent_place = tsr_trace_new_unset (t->n_runs);
  SlicePass pass = { .trace = self,
                     .ipu = ipu,
                     .place = place,
                     .states = states,
                     .extent_place = extent_place,
                     .run = TSR_NO_INDEX,
                     .first = t->ipu_start[ipu->ipu],
                     .reach = G_MININT64,
                     .reached = G_MININT64 };

  ipu->first = pass.first;
  ipu->end = t->ipu_start[ipu->ipu + 1];
  ipu->told = find_told (t, ipu->first, ipu->end);
  ipu->from = G_MAXINT64;
  ipu->extents = g_array_new (FALSE, FALSE, sizeof (TsrTraceExtent));
  ipu->to = G_MININT64;
  for (gsize i = ipu->first; i < ipu->end; i++)
    {
      guint8 type = step_type[MIN (t->slice_step[i], t->n_steps)];

      if (i < ipu->told)
        {
          guint32 run = tsr_trace_step_run (self, t->slice_step[i]);

          follow_run (&pass, i, run);
          if (t->slice_end[i] > t->slice_start[i])
            type = pass_slice (&pass, (guint32)i, run, type);
        }
      self->slice_type[i] = type;
      if ((i & CHECK_MASK) == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
    }
  keep_runs (&pass);
  finish_extents (&pass);
  index_steps (ipu, t, 0, ipu->first, ipu->told);
  index_steps (ipu, t, 1, ipu->told, ipu->end);
  ipu->size += (gsize)ipu->runs->len * sizeof (TsrTraceRunPart)
               + (gsize)ipu->extents->len * sizeof (TsrTraceExtent);
  return TRUE;
}

/* ------------------------------------------------------------------- lanes */

#define NO_LANE 0xff

typedef struct
{
  const TsrExecutionTables *tables;
  guint n;
  guint32 last[TSR_TRACE_MAX_LANES]; /* latest slice of each */
  gsize count[TSR_TRACE_MAX_LANES];
  guint groups[TSR_TRACE_MAX_LANES]; /* bits of TsrStepGroup */
  gsize n_strays;
} Lanes;

/* @a does not begin after @b and takes time; what takes none overlaps nothing. */
static gboolean
really_overlap (const TsrExecutionTables *t, guint32 a, guint32 b)
{
  gint64 end = MIN (t->slice_end[a], t->slice_end[b]);
  guint64 both, shorter;

  if (end <= t->slice_start[b])
    return FALSE;
  if (t->from_max_told)
    return TRUE;
  both = (guint64)end - (guint64)t->slice_start[b];
  shorter = MIN (tsr_trace_cycles (t, a), tsr_trace_cycles (t, b));
  return both > shorter / 100;
}

static inline gboolean
lane_is_free (const Lanes *lanes, guint lane, guint32 slice)
{
  return !really_overlap (lanes->tables, lanes->last[lane], slice);
}

#define MAX_LOOKS 65536

/* Whether @slice overlaps one before it, which is the latest of its lane, or after it. */
static gboolean
overlaps_any (const Lanes *lanes, guint32 slice, gsize told)
{
  const TsrExecutionTables *t = lanes->tables;
  gsize end = MIN (told, (gsize)slice + MAX_LOOKS);

  for (guint lane = 0; lane < lanes->n; lane++)
    if (lanes->count[lane] > 0 && !lane_is_free (lanes, lane, slice))
      return TRUE;
  for (gsize i = (gsize)slice + 1; i < end && t->slice_start[i] < t->slice_end[slice]; i++)
    if (really_overlap (t, slice, (guint32)i))
      return TRUE;
  return FALSE;
}

static guint8
choose_lane (Lanes *lanes, guint32 slice, gboolean transfer, gsize told)
{
  guint lane = transfer && overlaps_any (lanes, slice, told) ? 1 : 0;

  while (lane < lanes->n && lanes->count[lane] > 0 && !lane_is_free (lanes, lane, slice))
    lane++;
  if (lane >= TSR_TRACE_MAX_LANES)
    return NO_LANE;
  lanes->n = MAX (lanes->n, lane + 1);
  lanes->last[lane] = slice;
  lanes->count[lane]++;
  return (guint8)lane;
}

/* Slices of each lane, where they are not simply all of the IPU's. */
static void
fill_lanes (TsrTraceIpu *ipu,
            const Lanes *lanes,
            const guint8 *lane_of,
            const TsrExecutionTables *t)
{
  gboolean all = lanes->count[0] == ipu->told - ipu->first;
  gsize at[TSR_TRACE_MAX_LANES] = { 0 };
  gsize stray = 0;

  for (guint i = 0; i < lanes->n; i++)
    {
      TsrTraceLane *lane = &ipu->lanes[i];

      lane->n = lanes->count[i];
      lane->base = (guint32)ipu->first;
      lane->slices = all ? NULL : g_new (guint32, lane->n);
    }
  if (all)
    return;
  ipu->n_strays = lanes->n_strays;
  ipu->strays = g_new (guint32, lanes->n_strays);
  for (gsize i = ipu->first; i < ipu->told; i++)
    {
      guint8 lane = lane_of[i - ipu->first];

      if (lane != NO_LANE)
        ipu->lanes[lane].slices[at[lane]++] = (guint32)i;
      else if (t->slice_end[i] > t->slice_start[i])
        ipu->strays[stray++] = (guint32)i;
    }
  ipu->size += ipu->n_strays * sizeof (guint32);
}

/* If every copy overlapped another one, the first lane is empty, and all others have copies. */
static void
drop_empty_lane (Lanes *lanes, guint8 *lane_of, gsize n)
{
  if (lanes->n == 0 || lanes->count[0] > 0)
    return;
  lanes->n--;
  memmove (lanes->count, lanes->count + 1, lanes->n * sizeof *lanes->count);
  for (gsize i = 0; i < n; i++)
    if (lane_of[i] != NO_LANE)
      lane_of[i]--;
}

gboolean
tsr_trace_init_lanes (TsrTrace *self, TsrTraceIpu *ipu, GCancellable *cancellable)
{
  const guint io
      = 1u << TSR_STEP_GROUP_TRANSFER | 1u << TSR_STEP_GROUP_HOST | 1u << TSR_STEP_GROUP_SYNC;
  const TsrExecutionTables *t = self->tables;
  gsize n = ipu->told - ipu->first;
  g_autofree guint8 *lane_of = g_malloc (n);
  Lanes lanes = { t };

  for (gsize i = 0; i < n; i++)
    {
      gsize slice = ipu->first + i;
      guint8 type = self->slice_type[slice];

      lane_of[i] = NO_LANE;
      if ((i & CHECK_MASK) == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      if (t->slice_end[slice] <= t->slice_start[slice])
        continue;
      lane_of[i] = choose_lane (&lanes, (guint32)slice, type == self->transfer, ipu->told);
      if (lane_of[i] == NO_LANE)
        lanes.n_strays++;
      else
        lanes.groups[lane_of[i]] |= 1u << self->types[type].group;
    }
  drop_empty_lane (&lanes, lane_of, n);
  ipu->n_lanes = lanes.n;
  ipu->lanes = g_new0 (TsrTraceLane, lanes.n);
  for (guint i = 0; i < lanes.n; i++)
    ipu->lanes[i].track = (TsrTraceTrack){ ipu->ipu, i, (lanes.groups[i] & ~io) == 0 };
  fill_lanes (ipu, &lanes, lane_of, t);
  return TRUE;
}

void
tsr_trace_clear_lanes (TsrTraceIpu *ipu)
{
  for (guint i = 0; i < ipu->n_lanes; i++)
    {
      tsr_trace_clear_flame (&ipu->lanes[i]);
      tsr_trace_clear_row (&ipu->lanes[i].flat);
      g_free (ipu->lanes[i].slices);
    }
  g_free (ipu->lanes);
  g_free (ipu->strays);
  for (guint i = 0; i < 2; i++)
    {
      g_free (ipu->step_most[i]);
      g_free (ipu->step_least[i]);
    }
  g_clear_pointer (&ipu->runs, g_array_unref);
  g_clear_pointer (&ipu->extents, g_array_unref);
}
