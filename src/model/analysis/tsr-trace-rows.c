/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of a lane: finding an item by time, the longest of a range, what an item is, and the item
 * that holds a slice.  An item's ends rise as its starts do, so all is binary search. */

#include "config.h"

#include "tsr-trace-private.h"

#include <string.h>

void
tsr_trace_init_row (TsrTrace *self, const TsrTraceLane *lane, TsrTraceRowData *data)
{
  TsrTraceRow *row = &data->row;

  row->slices = lane->slices;
  row->slice_base = lane->base;
  row->start = self->tables->slice_start;
  row->end = self->tables->slice_end;
  tsr_trace_forest_init (&data->forest, row);
  row->forest = &data->forest;
  if (row->first == NULL)
    tsr_trace_starts_init (&data->starts, row);
  else
    tsr_trace_ranks_init (&data->ranks, row, lane->n);
}

void
tsr_trace_clear_row (TsrTraceRowData *data)
{
  if (!data->shared)
    {
      if (data->row.last != data->row.first)
        g_free ((gpointer)data->row.last);
      g_free ((gpointer)data->row.first);
      g_free (data->kinds);
      g_free (data->known_kinds);
      tsr_trace_forest_clear (&data->forest);
      tsr_trace_starts_clear (&data->starts);
      tsr_trace_ranks_clear (&data->ranks);
    }
  memset (data, 0, sizeof *data);
}

gsize
tsr_trace_get_row_size (const TsrTraceRowData *data)
{
  gsize size = sizeof *data;

  if (data->shared)
    return size;
  if (data->row.first != NULL)
    size += data->row.n * sizeof (guint32);
  if (data->row.last != data->row.first)
    size += data->row.n * sizeof (guint32);
  if (data->kinds != NULL)
    size += data->row.n + data->n_known_kinds * sizeof *data->known_kinds;
  return size + tsr_trace_forest_get_size (&data->forest, &data->row)
         + tsr_trace_starts_get_size (&data->starts) + tsr_trace_ranks_get_size (&data->ranks);
}

guint
tsr_trace_get_n_rows (const TsrTrace *self, guint track, TsrTraceShape shape)
{
  g_return_val_if_fail (track < self->n_tracks, 0);
  return shape == TSR_TRACE_FLAT ? 1 : self->tracks[track]->n_flame;
}

const TsrTraceRow *
tsr_trace_get_row (const TsrTrace *self, guint track, TsrTraceShape shape, guint depth)
{
  g_return_val_if_fail (track < self->n_tracks, NULL);
  g_return_val_if_fail (depth < tsr_trace_get_n_rows (self, track, shape), NULL);
  if (shape == TSR_TRACE_FLAT)
    return &self->tracks[track]->flat.row;
  return &self->tracks[track]->flame[depth].row;
}

gsize
tsr_trace_row_find (const TsrTraceRow *row, gint64 cycles, gsize hint)
{
  gsize low = 0;
  gsize high = row->n;

  if (row->first == NULL)
    return tsr_trace_starts_find (&((const TsrTraceRowData *)row)->starts, row, cycles, hint);
  if (hint < high)
    {
      gsize step = 1;

      if (tsr_trace_row_end (row, hint) > cycles)
        for (high = hint; high >= step && tsr_trace_row_end (row, high - step) > cycles; step *= 2)
          high -= step;
      else
        for (low = hint + 1;
             step <= high - low && tsr_trace_row_end (row, low + step - 1) <= cycles; step *= 2)
          low += step;
      if (low == 0)
        low = high >= step ? high - step : 0;
      else
        high = MIN (high, low + step);
    }
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (tsr_trace_row_end (row, middle) <= cycles)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* ---------------------------------------------------------------- the longest */

typedef struct
{
  const TsrTrace *trace;
  const TsrTraceRow *row;
  guint32 hidden;
} Visible;

/* A group is hidden when all that is in it is. */
static gboolean
is_visible (gsize item, gpointer data)
{
  const Visible *v = data;

  return (tsr_trace_get_kind (v->trace, v->row, item).types & ~v->hidden) != 0;
}

gsize
tsr_trace_row_longest (
    const TsrTrace *self, const TsrTraceRow *row, gsize first, gsize end, guint32 hidden)
{
  Visible visible = { self, row, hidden };

  if (hidden == 0)
    return tsr_trace_forest_longest (row->forest, row, first, end);
  return tsr_trace_forest_longest_of (row->forest, row, first, end, is_visible, &visible);
}

/* ---------------------------------------------------------------- what it is */

/* The name in full, and where its last part begins. */
static void
describe_slice (const TsrTrace *self, guint32 name, TsrTraceItem *out)
{
  const TsrTraceNames *names = &self->names;

  if (name == TSR_NO_NAME)
    return;
  out->path = names->text[name];
  out->path_length = names->length[name];
  out->label_from = names->part_from[names->part_start[name + 1] - 1];
}

/* Row @depth of the flame. */
static void
describe_part (const TsrTrace *self, guint32 name, guint depth, TsrTraceItem *out)
{
  const TsrTraceNames *names = &self->names;
  guint32 part = names->part_start[name] + depth;

  g_assert (part < names->part_start[name + 1]);
  out->path = names->text[name];
  out->path_length = names->part_to[part];
  out->label_from = names->part_from[part];
}

#define COPY_LENGTH 10 /* of "StreamCopy" */

void
tsr_trace_get_item (const TsrTrace *self, const TsrTraceRow *row, gsize item, TsrTraceItem *out)
{
  gboolean flame = row->first != NULL;
  TsrTraceKind contents;
  TsrFlameKind kind;
  guint32 name;

  g_return_if_fail (item < row->n);
  memset (out, 0, sizeof *out);
  out->path = "";
  out->first_slice = tsr_trace_row_first_slice (row, item);
  out->last_slice = tsr_trace_row_last_slice (row, item);
  out->start = tsr_trace_row_start (row, item);
  out->end = tsr_trace_row_end (row, item);
  out->n_slices = flame ? row->last[item] - row->first[item] + 1 : 1;
  contents = tsr_trace_get_kind (self, row, item);
  out->type = contents.type;
  name = tsr_trace_get_slice_name (self, out->first_slice);
  if (!flame)
    {
      describe_slice (self, name, out);
      return;
    }
  kind = tsr_trace_get_flame_kind (self, self->slice_type[out->first_slice], name);
  if (kind == TSR_FLAME_COPY)
    {
      out->path = self->types[self->slice_type[out->first_slice]].name;
      out->path_length = row->depth == 0 ? COPY_LENGTH : (guint)strlen (out->path);
      out->label_from = row->depth == 0 ? 0 : COPY_LENGTH;
    }
  else if (kind == TSR_FLAME_PATH && row->depth < tsr_trace_get_flame_depth (self, kind, name))
    describe_part (self, name, row->depth, out);
  else
    describe_slice (self, name, out);
  out->group = out->n_slices > 1
               || (kind != TSR_FLAME_SYNC
                   && tsr_trace_get_flame_depth (self, kind, name) > row->depth + 1);
  out->has_compute
      = out->group && self->compute != TSR_TRACE_NO_TYPE && ((contents.types >> self->compute) & 1);
}

/* ------------------------------------------------------------ where a slice is */

/* Position of @slice in the lane, or G_MAXSIZE. */
static gsize
find_position (const TsrTraceLane *lane, guint32 slice)
{
  gsize low = 0;
  gsize high = lane->n;

  if (lane->slices == NULL)
    return slice >= lane->base && slice - lane->base < lane->n ? slice - lane->base : G_MAXSIZE;
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (lane->slices[middle] < slice)
        low = middle + 1;
      else
        high = middle;
    }
  return low < lane->n && lane->slices[low] == slice ? low : G_MAXSIZE;
}

static const TsrTraceLane *
find_lane (const TsrTrace *self, guint32 slice, gsize *position)
{
  guint ipu = tsr_trace_get_ipu_of (self, slice);

  for (guint i = 0; ipu < self->n_ipus && i < self->ipus[ipu].n_lanes; i++)
    {
      const TsrTraceLane *lane = &self->ipus[ipu].lanes[i];

      *position = find_position (lane, slice);
      if (*position != G_MAXSIZE)
        return lane;
    }
  return NULL;
}

guint
tsr_trace_get_lane_of (const TsrTrace *self, guint32 slice)
{
  gsize position;
  const TsrTraceLane *lane = find_lane (self, slice, &position);

  return lane != NULL ? lane->track.lane : G_MAXUINT;
}

gboolean
tsr_trace_locate (const TsrTrace *self,
                  guint32 slice,
                  TsrTraceShape shape,
                  guint depth,
                  guint *track,
                  gsize *item)
{
  gsize position = 0;
  const TsrTraceLane *lane = find_lane (self, slice, &position);
  const TsrTraceRow *row;
  gsize low = 0;
  gsize high;

  if (lane == NULL || depth >= (shape == TSR_TRACE_FLAT ? 1 : lane->n_flame))
    return FALSE;
  *track = self->ipus[lane->track.ipu].first_track + lane->track.lane;
  if (shape == TSR_TRACE_FLAT)
    {
      *item = position;
      return TRUE;
    }
  row = &lane->flame[depth].row;
  high = row->n;
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (row->last[middle] < position)
        low = middle + 1;
      else
        high = middle;
    }
  *item = low;
  return low < row->n && row->first[low] <= position;
}
