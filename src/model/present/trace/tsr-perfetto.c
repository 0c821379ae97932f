/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Packets are made in a buffer that goes to the stream when it is full.  Names are interned: a
 * packet that uses one for the first time brings it along.  All packets are one sequence. */

#include "config.h"

#include "tsr-perfetto.h"

#include "tsr-proto.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Numbers of fields. */
enum
{
  TRACE_PACKET = 1,

  PACKET_TIMESTAMP = 8,
  PACKET_SEQUENCE_ID = 10,
  PACKET_TRACK_EVENT = 11,
  PACKET_INTERNED_DATA = 12,
  PACKET_SEQUENCE_FLAGS = 13,
  PACKET_TRACK_DESCRIPTOR = 60,

  DESCRIPTOR_UUID = 1,
  DESCRIPTOR_NAME = 2,
  DESCRIPTOR_PROCESS = 3,
  DESCRIPTOR_PARENT_UUID = 5,
  DESCRIPTOR_COUNTER = 8,
  PROCESS_PID = 1,
  PROCESS_NAME = 6,
  COUNTER_UNIT = 3,

  EVENT_ANNOTATION = 4,
  EVENT_TYPE = 9,
  EVENT_NAME_IID = 10,
  EVENT_TRACK_UUID = 11,
  EVENT_COUNTER_VALUE = 30,

  ANNOTATION_NAME_IID = 1,
  ANNOTATION_INT = 4,
  ANNOTATION_DOUBLE = 5,
  ANNOTATION_STRING = 6,

  INTERNED_EVENT_NAMES = 2,
  INTERNED_ANNOTATION_NAMES = 3,
  NAME_IID = 1,
  NAME_TEXT = 2,
};
enum
{
  TYPE_SLICE_BEGIN = 1,
  TYPE_SLICE_END = 2,
  TYPE_COUNTER = 4,

  UNIT_BYTES = 3,

  STATE_CLEARED = 1,
  NEEDS_STATE = 2,
};

#define BUFFER_SIZE (1 << 18)

/* Arguments of a step. */
typedef enum
{
  ARG_STEP,
  ARG_TYPE,
  ARG_CYCLES,
  ARG_ACTIVE_TILES,
  ARG_TILE_BALANCE,
  ARG_ACTIVE_TILE_BALANCE,
  ARG_DATA_IN,
  ARG_DATA_OUT,
  ARG_LEAD_IN,
  N_ARGS,
} Arg;

/* libpva's words. */
static const char *const arg_names[N_ARGS] = {
  [ARG_STEP] = "step",
  [ARG_TYPE] = "type",
  [ARG_CYCLES] = "cycles",
  [ARG_ACTIVE_TILES] = "activeTiles",
  [ARG_TILE_BALANCE] = "tileBalance",
  [ARG_ACTIVE_TILE_BALANCE] = "activeTileBalance",
  [ARG_DATA_IN] = "dataIn",
  [ARG_DATA_OUT] = "dataOut",
  [ARG_LEAD_IN] = "leadIn",
};

typedef struct
{
  const TsrTrace *trace;
  const TsrPerfettoRange *range;
  GOutputStream *stream;
  GCancellable *cancellable;
  GError *error; /* (nullable): the first; nothing is written after it */
  TsrProto *out; /* packets not yet written */
  TsrProto *packet, *event, *inner, *interned;
  GHashTable *names; /* event names -> iid */
  guint64 next_uuid;
  double scale; /* nanoseconds a cycle */
  gboolean begun;
} Writer;

/* ----------------------------------------------------------------- packets */

static void
flush (Writer *self)
{
  if (self->error == NULL
      && !g_cancellable_set_error_if_cancelled (self->cancellable, &self->error))
    g_output_stream_write_all (self->stream, tsr_proto_peek (self->out),
                               tsr_proto_get_size (self->out), NULL, self->cancellable,
                               &self->error);
  tsr_proto_reset (self->out);
}

static void
packet_end (Writer *self)
{
  if (tsr_proto_get_size (self->interned) > 0)
    tsr_proto_message (self->packet, PACKET_INTERNED_DATA, self->interned);
  tsr_proto_uint (self->packet, PACKET_SEQUENCE_ID, 1);
  tsr_proto_uint (self->packet, PACKET_SEQUENCE_FLAGS, self->begun ? NEEDS_STATE : STATE_CLEARED);
  self->begun = TRUE;
  tsr_proto_message (self->out, TRACE_PACKET, self->packet);
  tsr_proto_reset (self->packet);
  tsr_proto_reset (self->interned);
  if (tsr_proto_get_size (self->out) >= BUFFER_SIZE)
    flush (self);
}

static guint64
get_time (const Writer *self, gint64 cycles)
{
  gint64 cut = CLAMP (cycles, self->range->from, self->range->to);

  return (guint64)llround ((double)(cut - self->range->from) * self->scale);
}

static guint64
intern (Writer *self, const char *text, gssize length)
{
  g_autofree char *name = length >= 0 ? g_strndup (text, length) : g_strdup (text);
  guint64 iid = GPOINTER_TO_SIZE (g_hash_table_lookup (self->names, name));

  if (iid != 0)
    return iid;
  iid = g_hash_table_size (self->names) + 1;
  tsr_proto_reset (self->inner);
  tsr_proto_uint (self->inner, NAME_IID, iid);
  tsr_proto_text (self->inner, NAME_TEXT, name, -1);
  tsr_proto_message (self->interned, INTERNED_EVENT_NAMES, self->inner);
  g_hash_table_insert (self->names, g_steal_pointer (&name), GSIZE_TO_POINTER (iid));
  return iid;
}

/* What follows goes into the event until event_end. */
static void
event_begin (Writer *self, gint64 cycles, guint64 track, guint type)
{
  tsr_proto_uint (self->packet, PACKET_TIMESTAMP, get_time (self, cycles));
  tsr_proto_reset (self->event);
  tsr_proto_uint (self->event, EVENT_TYPE, type);
  tsr_proto_uint (self->event, EVENT_TRACK_UUID, track);
}

static void
event_end (Writer *self)
{
  tsr_proto_message (self->packet, PACKET_TRACK_EVENT, self->event);
  packet_end (self);
}

static void
slice_begin (Writer *self, gint64 cycles, guint64 track, const char *name, gssize length)
{
  guint64 iid = intern (self, name, length);

  event_begin (self, cycles, track, TYPE_SLICE_BEGIN);
  tsr_proto_uint (self->event, EVENT_NAME_IID, iid);
}

static void
slice_end (Writer *self, gint64 cycles, guint64 track)
{
  event_begin (self, cycles, track, TYPE_SLICE_END);
  event_end (self);
}

/* TRUE if what is of @run is asked for. */
static gboolean
is_of_run (const Writer *self, guint run)
{
  return self->range->run == TSR_NO_INDEX || self->range->run == run;
}

/* The same of a step. */
static gboolean
is_step_of_run (const Writer *self, guint32 slice)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);

  return is_of_run (self, tables->step_run[tables->slice_step[slice]]);
}

/* ------------------------------------------------------------------ tracks */

/* Its descriptor is the event until track_end(). */
static guint64
track_begin (Writer *self, guint64 parent, const char *name)
{
  guint64 uuid = self->next_uuid++;

  tsr_proto_reset (self->event);
  tsr_proto_uint (self->event, DESCRIPTOR_UUID, uuid);
  if (parent != 0)
    tsr_proto_uint (self->event, DESCRIPTOR_PARENT_UUID, parent);
  if (name != NULL)
    tsr_proto_text (self->event, DESCRIPTOR_NAME, name, -1);
  return uuid;
}

static void
track_end (Writer *self)
{
  tsr_proto_message (self->packet, PACKET_TRACK_DESCRIPTOR, self->event);
  packet_end (self);
}

static guint64
track_new (Writer *self, guint64 parent, const char *name)
{
  guint64 uuid = track_begin (self, parent, name);

  track_end (self);
  return uuid;
}

static guint64
counter_new (Writer *self, guint64 parent, const char *name)
{
  guint64 uuid = track_begin (self, parent, name);

  tsr_proto_reset (self->inner);
  tsr_proto_uint (self->inner, COUNTER_UNIT, UNIT_BYTES);
  tsr_proto_message (self->event, DESCRIPTOR_COUNTER, self->inner);
  track_end (self);
  return uuid;
}

static guint64
process_new (Writer *self, guint ipu)
{
  g_autofree char *name = tsr_trace_dup_ipu_name (self->trace, ipu);
  guint64 uuid = track_begin (self, 0, NULL);

  tsr_proto_reset (self->inner);
  tsr_proto_uint (self->inner, PROCESS_PID, (guint64)ipu + 1);
  tsr_proto_text (self->inner, PROCESS_NAME, name, -1);
  tsr_proto_message (self->event, DESCRIPTOR_PROCESS, self->inner);
  track_end (self);
  return uuid;
}

/* ---------------------------------------------------------------- arguments */

static void
write_arg_names (Writer *self)
{
  for (Arg arg = 0; arg < N_ARGS; arg++)
    {
      tsr_proto_reset (self->inner);
      tsr_proto_uint (self->inner, NAME_IID, (guint64)arg + 1);
      tsr_proto_text (self->inner, NAME_TEXT, arg_names[arg], -1);
      tsr_proto_message (self->interned, INTERNED_ANNOTATION_NAMES, self->inner);
    }
}

static void
arg_begin (Writer *self, Arg arg)
{
  tsr_proto_reset (self->inner);
  tsr_proto_uint (self->inner, ANNOTATION_NAME_IID, (guint64)arg + 1);
}

static void
arg_int (Writer *self, Arg arg, gint64 value)
{
  if (value == TSR_UNKNOWN)
    return;
  arg_begin (self, arg);
  tsr_proto_int (self->inner, ANNOTATION_INT, value);
  tsr_proto_message (self->event, EVENT_ANNOTATION, self->inner);
}

static void
arg_double (Writer *self, Arg arg, double value)
{
  if (!isfinite (value))
    return;
  arg_begin (self, arg);
  tsr_proto_double (self->inner, ANNOTATION_DOUBLE, value);
  tsr_proto_message (self->event, EVENT_ANNOTATION, self->inner);
}

static void
arg_text (Writer *self, Arg arg, const char *value)
{
  arg_begin (self, arg);
  tsr_proto_text (self->inner, ANNOTATION_STRING, value, -1);
  tsr_proto_message (self->event, EVENT_ANNOTATION, self->inner);
}

static void
write_args (Writer *self, guint32 at)
{
  TsrTraceSlice slice;

  tsr_trace_get_slice (self->trace, at, &slice);
  arg_int (self, ARG_STEP, slice.step_id);
  arg_text (self, ARG_TYPE, slice.type_name);
  arg_int (self, ARG_CYCLES, slice.cycles);
  arg_int (self, ARG_ACTIVE_TILES, slice.active_tiles);
  arg_double (self, ARG_TILE_BALANCE, slice.tile_balance);
  arg_double (self, ARG_ACTIVE_TILE_BALANCE, slice.active_tile_balance);
  arg_int (self, ARG_DATA_IN, slice.data_in);
  arg_int (self, ARG_DATA_OUT, slice.data_out);
  if (slice.lead_in > 0)
    arg_int (self, ARG_LEAD_IN, slice.lead_in);
}

/* -------------------------------------------------------------------- lanes */

/* One level of the flame on the way through a track. */
typedef struct
{
  const TsrTraceRow *row;
  gsize next;    /* item */
  gboolean open; /* item next - 1 */
  gint64 end;    /* of the open one */
  gsize last;    /* its last position */
} Level;

static gsize
get_first (const TsrTraceRow *row, gsize item)
{
  return row->first != NULL ? row->first[item] : item;
}

static gsize
get_last (const TsrTraceRow *row, gsize item)
{
  return row->last != NULL ? row->last[item] : item;
}

static void
close_levels (Writer *self, Level *levels, guint n, gsize position, guint64 track)
{
  for (guint d = n; d-- > 0;)
    if (levels[d].open && levels[d].last < position)
      {
        slice_end (self, levels[d].end, track);
        levels[d].open = FALSE;
      }
}

/* The next item of a level, if it is a group; a step by itself is written as one. */
static void
open_item (Writer *self, Level *level, guint64 track)
{
  TsrTraceItem item;
  gsize length;

  tsr_trace_get_item (self->trace, level->row, level->next, &item);
  length = item.path_length - MIN (item.label_from, item.path_length);
  if (item.group)
    {
      if (length > 0)
        slice_begin (self, item.start, track, item.path + item.label_from, (gssize)length);
      else
        slice_begin (self, item.start, track, tsr_trace_get_type (self->trace, item.type)->name,
                     -1);
      event_end (self);
      level->open = TRUE;
      level->end = item.end;
      level->last = get_last (level->row, level->next);
    }
  level->next++;
}

/* The step at a position of the track, named by the last part of its name. */
static void
write_step (Writer *self, const TsrTraceRow *flat, gsize position, guint64 track)
{
  guint32 slice = tsr_trace_row_first_slice (flat, position);
  const char *name
      = tsr_trace_get_name (self->trace, tsr_trace_get_slice_name (self->trace, slice));
  const char *part = name != NULL ? strrchr (name, '/') : NULL;

  part = part != NULL ? part + 1 : name;
  if (part == NULL || *part == '\0')
    part = tsr_trace_get_type (self->trace, tsr_trace_get_slice_type (self->trace, slice))->name;
  slice_begin (self, tsr_trace_row_start (flat, position), track, part, -1);
  write_args (self, slice);
  event_end (self);
  slice_end (self, tsr_trace_row_end (flat, position), track);
}

static void
write_track (Writer *self, guint number, guint64 process)
{
  const TsrTraceTrack *place = tsr_trace_get_track (self->trace, number);
  const TsrTraceRow *flat = tsr_trace_get_row (self->trace, number, TSR_TRACE_FLAT, 0);
  guint n = tsr_trace_get_n_rows (self->trace, number, TSR_TRACE_FLAME);
  Level levels[TSR_TRACE_MAX_DEPTH] = { 0 };
  gsize from = tsr_trace_row_find (flat, self->range->from, 0);
  g_autofree char *name = NULL;
  guint64 track;
  gsize position;

  if (place->lane == 0)
    name = g_strdup (_ ("Steps"));
  else
    name = g_strdup_printf (place->io ? _ ("I/O, lane %u") : _ ("Lane %u"), place->lane);
  track = track_new (self, process, name);
  for (guint d = 0; d < n; d++)
    {
      levels[d].row = tsr_trace_get_row (self->trace, number, TSR_TRACE_FLAME, d);
      levels[d].next = tsr_trace_row_find (levels[d].row, self->range->from, 0);
    }
  for (position = from; position < flat->n && self->error == NULL; position++)
    {
      if (tsr_trace_row_start (flat, position) >= self->range->to)
        break;
      if (!is_step_of_run (self, tsr_trace_row_first_slice (flat, position)))
        continue;
      close_levels (self, levels, n, position, track);
      for (guint d = 0; d < n; d++)
        while (levels[d].next < levels[d].row->n
               && get_last (levels[d].row, levels[d].next) < position)
          levels[d].next++; /* of other runs */
      for (guint d = 0; d < n; d++)
        if (!levels[d].open && levels[d].next < levels[d].row->n
            && get_first (levels[d].row, levels[d].next) <= position)
          open_item (self, &levels[d], track);
      write_step (self, flat, position, track);
    }
  close_levels (self, levels, n, G_MAXSIZE, track);
}

/* ------------------------------------------------------- runs, blocks, memory */

static void
write_runs (Writer *self)
{
  g_autofree char *name = g_strdup (isnan (tsr_trace_get_clock (self->trace))
                                        ? _ ("Runs (1 ns is 1 cycle: the clock is not known)")
                                        : _ ("Runs"));
  guint64 track = track_new (self, 0, name);

  for (guint i = 0; i < tsr_trace_get_n_runs (self->trace); i++)
    {
      const TsrTraceRun *run = tsr_trace_get_run (self->trace, i);

      if (!is_of_run (self, i) || run->start >= run->end || run->start >= self->range->to
          || run->end <= self->range->from)
        continue;
      slice_begin (self, run->start, track, run->name != NULL ? run->name : _ ("Run"), -1);
      event_end (self);
      slice_end (self, run->end, track);
    }
}

/* Slices of a track nest: blocks that overlap otherwise are in several. */
typedef struct
{
  guint64 track;
  GArray *open; /* gint64: ends of the blocks that are open */
} BlockLane;

static void
lane_end (Writer *self, BlockLane *lane, gint64 cycles)
{
  while (lane->open->len > 0 && g_array_index (lane->open, gint64, lane->open->len - 1) <= cycles)
    {
      slice_end (self, g_array_index (lane->open, gint64, lane->open->len - 1), lane->track);
      g_array_set_size (lane->open, lane->open->len - 1);
    }
}

static void
lanes_end (Writer *self, GArray *lanes)
{
  for (guint i = 0; i < lanes->len; i++)
    {
      BlockLane *lane = &g_array_index (lanes, BlockLane, i);

      lane_end (self, lane, G_MAXINT64);
      g_array_unref (lane->open);
    }
  g_array_set_size (lanes, 0);
}

/* The first lane in which a block of @tile from @from to @to lies in what is open there. */
static BlockLane *
lanes_find (Writer *self, GArray *lanes, guint32 tile, gint64 from, gint64 to, guint64 process)
{
  g_autofree char *name = NULL;
  BlockLane lane = { 0 };

  for (guint i = 0; i < lanes->len; i++)
    {
      BlockLane *have = &g_array_index (lanes, BlockLane, i);

      lane_end (self, have, from);
      if (have->open->len == 0 || g_array_index (have->open, gint64, have->open->len - 1) >= to)
        return have;
    }
  name = lanes->len == 0 ? g_strdup_printf (_ ("Blocks, tile %u"), tile)
                         : g_strdup_printf (_ ("Blocks, tile %u, lane %u"), tile, lanes->len);
  lane.track = track_new (self, process, name);
  lane.open = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_array_append_val (lanes, lane);
  return &g_array_index (lanes, BlockLane, lanes->len - 1);
}

/* Where a block lies on the trace's axis, cut to the range; FALSE: nowhere in it. */
static gboolean
get_block (const Writer *self, guint block, gint64 shift, gint64 *from, gint64 *to)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);

  if (tables->block_from[block] == TSR_UNKNOWN || tables->block_to[block] == TSR_UNKNOWN
      || !is_of_run (self, tables->block_run[block]))
    return FALSE;
  *from = MAX (tsr_add_saturating (tables->block_from[block], shift, NULL), self->range->from);
  *to = MIN (tsr_add_saturating (tables->block_to[block], shift, NULL), self->range->to);
  return *from < *to;
}

/* Blocks come by tile and in order of their begin.  @shift: from their clock to the steps'. */
static void
write_blocks (Writer *self, guint ipu, gint64 shift, guint64 process)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (BlockLane));
  guint32 tile = TSR_NO_INDEX;

  for (guint b = 0; b < tables->n_blocks && self->error == NULL; b++)
    {
      const char *name = tsr_string_table_get (tables->strings, tables->block_name[b]);
      BlockLane *lane;
      gint64 from, to;

      if (tables->block_ipu[b] != ipu || !get_block (self, b, shift, &from, &to))
        continue;
      if (tables->block_tile[b] != tile)
        lanes_end (self, lanes);
      tile = tables->block_tile[b];
      lane = lanes_find (self, lanes, tile, from, to, process);
      slice_begin (self, from, lane->track, name != NULL ? name : _ ("Block"), -1);
      event_end (self);
      g_array_append_val (lane->open, to);
    }
  lanes_end (self, lanes);
}

/* Liveness steps by program: entries start[p] .. start[p + 1] - 1 of steps. */
typedef struct
{
  guint32 *start, *steps;
} StepIndex;

static gboolean
step_index_init (StepIndex *self, const TsrLivenessTables *liveness, guint n_programs)
{
  self->start = g_try_new0 (guint32, (gsize)n_programs + 2);
  self->steps = g_try_new (guint32, MAX (liveness->n_steps, 1));
  if (self->start == NULL || self->steps == NULL)
    return FALSE;
  for (guint s = 0; s < liveness->n_steps; s++)
    if (liveness->step_program[s] < n_programs)
      self->start[liveness->step_program[s] + 2]++;
  for (guint p = 0; p <= n_programs; p++)
    self->start[p + 1] += self->start[p];
  for (guint s = 0; s < liveness->n_steps; s++)
    if (liveness->step_program[s] < n_programs)
      self->steps[self->start[liveness->step_program[s] + 1]++] = s;
  return TRUE;
}

/* The liveness step of @program that comes next after @at in the order of execution: the same
 * program may stand at several places. */
static guint
find_step (const StepIndex *self, guint program, guint at)
{
  guint from = self->start[program], to = self->start[program + 1];
  guint low = from, high = to;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->steps[middle] >= at)
        high = middle;
      else
        low = middle + 1;
    }
  if (from == to)
    return TSR_NO_INDEX;
  return self->steps[low < to ? low : from];
}

/* Bytes live from step to step of @ipu, as its own counter or, with @bytes of all, the replica's.
 */
static void
write_memory (Writer *self,
              const TsrLivenessTables *liveness,
              const StepIndex *index,
              guint ipu,
              const gint64 *bytes,
              guint64 counter)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);
  gint64 shown = TSR_UNKNOWN;
  guint at = 0;

  for (gsize s = tables->ipu_start[ipu]; s < tables->ipu_start[ipu + 1] && self->error == NULL; s++)
    {
      guint program = tables->step_program[tables->slice_step[s]];
      guint step;

      if (tables->slice_start[s] == TSR_UNKNOWN || tables->slice_start[s] >= self->range->to)
        break;
      step = program != TSR_NO_INDEX ? find_step (index, program, at) : TSR_NO_INDEX;
      if (step == TSR_NO_INDEX)
        continue;
      at = step;
      if (tables->slice_start[s] < self->range->from || !is_step_of_run (self, (guint32)s)
          || bytes[step] == TSR_UNKNOWN || bytes[step] == shown)
        continue;
      shown = bytes[step];
      event_begin (self, tables->slice_start[s], counter, TYPE_COUNTER);
      tsr_proto_int (self->event, EVENT_COUNTER_VALUE, shown);
      event_end (self);
    }
}

static void
write_memories (Writer *self, const TsrLivenessTables *liveness, const guint64 *processes)
{
  const TsrProgramTables *programs = tsr_trace_get_programs (self->trace);
  guint n_ipus = tsr_trace_get_n_ipus (self->trace);
  guint first = self->range->ipu != TSR_NO_INDEX ? self->range->ipu : 0;
  StepIndex index = { 0 };

  if (liveness == NULL || programs == NULL || liveness->n_steps == 0 || n_ipus == 0)
    return;
  if (step_index_init (&index, liveness, programs->n_programs))
    {
      write_memory (self, liveness, &index, first, liveness->step_bytes,
                    counter_new (self, 0, _ ("Not always live, bytes of a replica")));
      for (guint ipu = 0; ipu < n_ipus && liveness->n_ipus > 0; ipu++)
        if (self->range->ipu == TSR_NO_INDEX || self->range->ipu == ipu)
          write_memory (self, liveness, &index, ipu,
                        liveness->step_ipu_bytes
                            + (gsize)(ipu % liveness->n_ipus) * liveness->n_steps,
                        counter_new (self, processes[ipu], _ ("Not always live, bytes")));
    }
  else
    g_set_error_literal (&self->error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                         _ ("there is not enough memory"));
  g_free (index.start);
  g_free (index.steps);
}

/* -------------------------------------------------------------------- whole */

static void
write_all (Writer *self, const TsrLivenessTables *liveness)
{
  guint n_ipus = tsr_trace_get_n_ipus (self->trace);
  g_autofree guint64 *processes = g_new0 (guint64, MAX (n_ipus, 1));
  g_autofree gint64 *shifts = tsr_trace_dup_block_shifts (self->trace, TRUE);

  write_arg_names (self);
  write_runs (self);
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    if (self->range->ipu == TSR_NO_INDEX || self->range->ipu == ipu)
      processes[ipu] = process_new (self, ipu);
  for (guint t = 0; t < tsr_trace_get_n_tracks (self->trace); t++)
    {
      guint ipu = tsr_trace_get_track (self->trace, t)->ipu;

      if (processes[ipu] != 0)
        write_track (self, t, processes[ipu]);
    }
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    if (processes[ipu] != 0)
      write_blocks (self, ipu, shifts[ipu], processes[ipu]);
  write_memories (self, liveness, processes);
  flush (self);
}

gboolean
tsr_perfetto_write (const TsrTrace *trace,
                    const TsrLivenessTables *liveness,
                    const TsrPerfettoRange *range,
                    GOutputStream *stream,
                    GCancellable *cancellable,
                    GError **error)
{
  double clock = tsr_trace_get_clock (trace);
  Writer self = {
    .trace = trace,
    .range = range,
    .stream = stream,
    .cancellable = cancellable,
    .out = tsr_proto_new (),
    .packet = tsr_proto_new (),
    .event = tsr_proto_new (),
    .inner = tsr_proto_new (),
    .interned = tsr_proto_new (),
    .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .next_uuid = 1,
    .scale = clock > 0 ? 1e9 / clock : 1,
  };

  write_all (&self, liveness);
  tsr_proto_free (self.out);
  tsr_proto_free (self.packet);
  tsr_proto_free (self.event);
  tsr_proto_free (self.inner);
  tsr_proto_free (self.interned);
  g_hash_table_unref (self.names);
  if (self.error == NULL)
    return TRUE;
  g_propagate_error (error, self.error);
  return FALSE;
}
