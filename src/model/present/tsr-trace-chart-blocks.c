/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the pieces of a row are drawn as.  Rows are filled apart from each other, from what does not
 * change while a frame is laid out, so that several are where the trace is large; what comes out is
 * the same. */

#include "config.h"

#include "tsr-crew.h"
#include "tsr-trace-chart-private.h"

#include <math.h>

#define CHUNK 256 /* pieces of which one thing is asked before the next is */

static guint
get_span_ink (TsrTraceChart *self, const TsrTraceChartRow *row, gsize place)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);
  guint32 block = row->spans->index[place];

  if (row->kind == TSR_TRACE_ROW_RUNS)
    return TSR_INK_TRACE + TSR_TRACE_INK_RUN;
  if (tables->block_flags[block] & TSR_BLOCK_STREAM_COPY)
    return TSR_INK_TRACE + TSR_TRACE_INK_TRANSFER;
  return TSR_INK_STRUCTURE + tables->block_name[block] % TSR_N_STRUCTURE_INKS;
}

/* Lower part of a step whose tiles do not all work all the time: 1 - tile balance of it. */
static void
add_shade (const TsrTraceStrip *strip, double balance, TsrTraceBlock *block)
{
  if (!(balance >= 0 && balance < 1))
    return;
  block->split = strip->full_top + (int)(strip->full * balance + 0.5);
  block->shade = TSR_INK_TRACE + TSR_N_TRACE_INKS + TSR_TRACE_INK_COMPUTE;
}

/* Columns in which a piece is drawn. */
static void
place_block (const TsrTraceGrid *self, const TsrTracePiece *piece, TsrTraceBlock *block)
{
  double scale = self->geometry->scale;

  block->from = piece->from;
  block->to = piece->to;
  if (piece->to - piece->from >= TSR_TRACE_LEAST_GAP * scale)
    block->to -= (guint)MAX (floor (scale), 1);
}

/* What is asked of an item lies apart from what is asked of the next one, so one thing is asked of
 * all of them, then the next.  @balances: (nullable) of slices: those of tiles are shaded. */
static void
fill_blocks (
    TsrTraceChart *chart, const TsrTraceStrip *strip, guint first, guint n, const float *balances)
{
  const TsrTraceChartRow *row = strip->row;
  const TsrTracePiece *pieces = strip->pieces + first;
  TsrTraceBlock *blocks = strip->blocks + first;
  guint32 items[CHUNK];
  guint32 shaded[CHUNK];
  TsrTraceKind kinds[CHUNK];
  guint n_shaded = 0;

  for (guint i = 0; i < n; i++)
    items[i] = (guint32)pieces[i].item;
  tsr_trace_get_kinds (chart->trace, row->row, n, items, kinds);
  for (guint i = 0; i < n; i++)
    {
      TsrTraceLook look = tsr_trace_chart_look_of_kind (chart, row, kinds[i]);

      blocks[i].ink = (guint8)(TSR_INK_TRACE + look.ink);
      blocks[i].leaf = look.leaf != 0;
      blocks[i].tall = look.leaf && look.ink == TSR_TRACE_INK_INTER_IPU;
      if (chart->found != NULL && !tsr_trace_chart_is_found (chart, row, pieces[i].item))
        blocks[i].ink += 2 * TSR_N_TRACE_INKS;
      else if (look.leaf && look.ink == TSR_TRACE_INK_COMPUTE && balances != NULL)
        shaded[n_shaded++] = i;
    }
  for (guint i = 0; i < n_shaded; i++)
    items[i] = tsr_trace_row_first_slice (row->row, items[shaded[i]]);
  for (guint i = 0; i < n_shaded; i++)
    add_shade (strip, balances[items[i]], &blocks[shaded[i]]);
}

/* A row with patches: the longest of each column's buckets, and what is drawn for it. */
typedef struct
{
  const TsrTracePatch *patch; /* NULL: nothing is there, or it is @item */
  guint i;
  gsize item;
} Found;

/* Of more than two buckets, or such as have no length to compare. */
static Found
find_in_any (const TsrTraceGrid *self, const TsrTraceStrip *strip, guint column)
{
  Found found = { NULL, 0, G_MAXSIZE };
  guint64 most = 0;
  guint under;

  if (self->bucket[column] == self->bucket_end[column])
    {
      found.item = tsr_trace_grid_item_at (self, strip->row, column, &under);
      return found;
    }
  for (guint b = self->bucket[column]; b < self->bucket_end[column]; b++)
    {
      const TsrTracePatch *patch = strip->patches[b / TSR_TRACE_PATCH_BUCKETS];
      guint i = b % TSR_TRACE_PATCH_BUCKETS;
      guint64 length = tsr_trace_patch_get_length (patch, i);

      if (length > most)
        {
          most = length;
          found = (Found){ patch, i, patch->items[i] };
        }
    }
  return found;
}

/* Nobody can guess which of two is longer: no branches. */
static inline Found
find_in_column (const TsrTraceGrid *self, const TsrTraceStrip *strip, guint column)
{
  guint a = self->bucket[column];
  guint b = self->bucket_end[column] - 1;
  const TsrTracePatch *patches[2];
  guint32 lengths[2];
  gboolean later;
  Found found;

  if (G_UNLIKELY (b - a > 1))
    return find_in_any (self, strip, column);
  patches[0] = strip->patches[a / TSR_TRACE_PATCH_BUCKETS];
  patches[1] = strip->patches[b / TSR_TRACE_PATCH_BUCKETS];
  lengths[0] = patches[0]->lengths[a % TSR_TRACE_PATCH_BUCKETS];
  lengths[1] = patches[1]->lengths[b % TSR_TRACE_PATCH_BUCKETS];
  if (G_UNLIKELY (MAX (lengths[0], lengths[1]) == G_MAXUINT32))
    return find_in_any (self, strip, column);
  later = lengths[1] > lengths[0];
  found.patch = patches[later];
  found.i = (later ? b : a) % TSR_TRACE_PATCH_BUCKETS;
  found.item = lengths[later] > 0 ? found.patch->items[found.i] : G_MAXSIZE;
  return found;
}

static void
fill_from_patch (const TsrTraceStrip *strip,
                 const Found *found,
                 gboolean shade,
                 TsrTraceBlock *block)
{
  const TsrTracePatch *patch = found->patch;

  *block = (TsrTraceBlock){ .ink = (guint8)(TSR_INK_TRACE + patch->inks[found->i]),
                            .leaf = patch->leaves[found->i],
                            .shade = TSR_RASTER_CLEAR };
  block->tall = block->leaf && patch->inks[found->i] == TSR_TRACE_INK_INTER_IPU;
  if (shade)
    add_shade (strip, patch->balances[found->i], block);
}

static void
fill_patched_stretch (const TsrTraceGrid *self,
                      TsrTraceStrip *strip,
                      const TsrTraceStretch *stretch,
                      const float *balances)
{
  guint n = strip->n;

  for (guint column = stretch->from; column < stretch->to; column++)
    {
      Found found = find_in_column (self, strip, column);
      TsrTracePiece *before = strip->pieces + n - 1;

      if (found.item == G_MAXSIZE)
        continue;
      if (n > 0 && before->item == found.item && before->to == column)
        {
          before->to++;
          continue;
        }
      strip->pieces[n] = (TsrTracePiece){ found.item, column, column + 1 };
      strip->blocks[n] = (TsrTraceBlock){ .shade = TSR_RASTER_CLEAR };
      if (found.patch != NULL)
        fill_from_patch (strip, &found, balances != NULL, &strip->blocks[n]);
      else
        fill_blocks (self->chart, strip, n, 1, balances);
      n++;
    }
  strip->n = n;
}

/* Pieces and looks of all of it. */
static void
fill_patched (const TsrTraceGrid *self, TsrTraceStrip *strip, const float *balances)
{
  strip->n = 0;
  for (guint i = 0; i < self->stretches->len; i++)
    fill_patched_stretch (self, strip, &g_array_index (self->stretches, TsrTraceStretch, i),
                          balances);
}

/* Neighbouring syncs as one. */
static void
merge_syncs (TsrTraceChart *chart, TsrTraceStrip *strip)
{
  guint n = 0;
  gboolean before = FALSE;

  for (guint i = 0; i < strip->n; i++)
    {
      TsrTracePiece piece = strip->pieces[i];
      TsrTraceLook look;
      gboolean sync;

      tsr_trace_chart_get_look (chart, strip->row, piece.item, &look);
      sync
          = look.leaf && tsr_trace_get_type (chart->trace, look.type)->group == TSR_STEP_GROUP_SYNC;
      if (sync && before && strip->pieces[n - 1].to == piece.from)
        strip->pieces[n - 1].to = piece.to;
      else
        strip->pieces[n++] = piece;
      before = sync;
    }
  strip->n = n;
}

/* ----------------------------------------------------------------- rasters */

/* Layers of a raster by ink, made when they are first needed. */
typedef struct
{
  guint16 *from[TSR_N_INKS];
  TsrDrawRaster *raster;
} Layers;

/* Rows of pixels [top, bottom), which are in the raster, of columns [from, to). */
static inline void
fill_layer (Layers *self, guint ink, guint from, guint to, guint16 top, guint16 bottom)
{
  guint width = self->raster->width;
  guint16 *columns = self->from[ink];

  if (columns == NULL)
    columns = self->from[ink]
        = tsr_draw_raster_add_layer (self->raster, TSR_LAYER_PLAIN, (guint8)ink, 0)->from;
  for (guint column = from; column < MIN (to, width); column++)
    {
      columns[column] = top;
      columns[width + column] = bottom;
    }
}

/* Colours first, what is darker over them. */
TsrDrawRaster *
tsr_trace_strip_make_raster (const TsrTraceStrip *strip)
{
  guint n = strip->n;
  guint first = strip->pieces[0].from;
  const TsrTraceBlock *blocks = strip->blocks;
  int bottom = strip->bottom;
  Layers layers = { { 0 } };
  guint16 height;
  guint16 tall;

  for (guint i = 0; i < n; i++)
    if (blocks[i].tall)
      bottom = strip->foot;
  layers.raster = tsr_draw_raster_new (strip->pieces[n - 1].to - first, bottom - strip->top, TRUE);
  height = (guint16)CLAMP (strip->bottom - strip->top, 0, (int)layers.raster->height);
  tall = (guint16)CLAMP (strip->foot - strip->top, 0, (int)layers.raster->height);
  for (guint i = 0; i < n; i++)
    fill_layer (&layers, blocks[i].ink, blocks[i].from - first, blocks[i].to - first, 0,
                blocks[i].tall ? tall : height);
  for (guint i = 0; i < n; i++)
    if (blocks[i].shade != TSR_RASTER_CLEAR)
      fill_layer (&layers, blocks[i].shade, blocks[i].from - first, blocks[i].to - first,
                  (guint16)CLAMP (blocks[i].split - strip->top, 0, height), height);
  return layers.raster;
}

/* ------------------------------------------------------------------ strips */

static void
fill_strip (const TsrTraceGrid *self, TsrTraceStrip *strip)
{
  TsrTraceChart *chart = self->chart;
  const TsrTraceChartRow *row = strip->row;
  gboolean merged
      = row->row != NULL && tsr_trace_state_has (chart->state, TSR_TRACE_OPTION_GROUP_SYNCS);
  gboolean looks = strip->patches != NULL && !merged && chart->found == NULL;
  const float *balances = tsr_trace_state_has (chart->state, TSR_TRACE_OPTION_BALANCE)
                              ? tsr_trace_get_tables (chart->trace)->slice_tile_balance
                              : NULL;

  if (strip->patches != NULL)
    fill_patched (self, strip, balances);
  else
    strip->n = tsr_trace_grid_fill (self, row, strip->pieces);
  if (merged)
    merge_syncs (chart, strip);
  for (guint i = 0; i < strip->n; i++)
    {
      const TsrTracePiece *piece = &strip->pieces[i];

      if (!looks)
        strip->blocks[i] = (TsrTraceBlock){ .shade = TSR_RASTER_CLEAR };
      if (row->row == NULL)
        strip->blocks[i].ink = (guint8)get_span_ink (chart, row, piece->item);
      place_block (self, piece, &strip->blocks[i]);
      strip->widest = MAX (strip->widest, piece->to - piece->from);
    }
  for (guint i = 0; !looks && row->row != NULL && i < strip->n; i += CHUNK)
    fill_blocks (chart, strip, i, MIN (CHUNK, strip->n - i), balances);
  if (strip->n > TSR_TRACE_MAX_ROW_RECTS)
    strip->raster = tsr_trace_strip_make_raster (strip);
}

/* ------------------------------------------------------------------- all */

/* The lanes first, then the strips, each of which waits for its lane. */
typedef struct
{
  TsrTraceGrid *grid;
  GArray *strips;
  guint *tracks; /* that are visible */
  guint n_tracks;
  gint *ready; /* by track: atomic */
} Filling;

static void
fill_one (gpointer data, guint task)
{
  Filling *self = data;
  TsrTraceStrip *strip;

  if (task < self->n_tracks)
    {
      tsr_trace_grid_find_steps (self->grid, self->tracks[task]);
      g_atomic_int_set (&self->ready[self->tracks[task]], 1);
      return;
    }
  strip = &g_array_index (self->strips, TsrTraceStrip, task - self->n_tracks);
  if (strip->row->row == NULL)
    return;
  while (strip->patches == NULL && !g_atomic_int_get (&self->ready[strip->row->track]))
    g_thread_yield ();
  fill_strip (self->grid, strip);
}

static void
take_room (const TsrTraceGrid *self, GArray *strips)
{
  TsrTraceChart *chart = self->chart;
  gsize n = (gsize)strips->len * self->n_columns;
  TsrTracePiece *pieces;
  TsrTraceBlock *blocks;

  if (n * (sizeof *pieces + sizeof *blocks) > chart->pieces_size)
    {
      g_free (chart->pieces);
      chart->pieces_size = n * (sizeof *pieces + sizeof *blocks);
      chart->pieces = g_malloc (chart->pieces_size);
    }
  pieces = chart->pieces;
  blocks = (TsrTraceBlock *)(pieces + n);
  for (guint i = 0; i < strips->len; i++)
    {
      TsrTraceStrip *strip = &g_array_index (strips, TsrTraceStrip, i);

      strip->pieces = pieces + (gsize)i * self->n_columns;
      strip->blocks = blocks + (gsize)i * self->n_columns;
    }
}

/* Rows of crowded lanes get their patches.  (transfer full): where they stand. */
static TsrTracePatch **
take_patches (TsrTraceGrid *self, GArray *strips)
{
  g_autofree const TsrTraceChartRow **rows = g_new (const TsrTraceChartRow *, MAX (strips->len, 1));
  TsrTracePatch **patches;
  guint n = 0;

  for (guint i = 0; i < strips->len; i++)
    {
      const TsrTraceChartRow *row = g_array_index (strips, TsrTraceStrip, i).row;

      if (row->row != NULL && tsr_trace_grid_begin (self, row->track)
          && self->lanes[row->track].crowded)
        rows[n++] = row;
    }
  if (n == 0 || !tsr_trace_grid_list_patches (self))
    return NULL;
  patches = g_new (TsrTracePatch *, (gsize)n * self->n_patches + 1);
  tsr_trace_grid_take_patches (self, n, rows, patches);
  for (guint i = 0, k = 0; i < strips->len && k < n; i++)
    {
      TsrTraceStrip *strip = &g_array_index (strips, TsrTraceStrip, i);

      if (strip->row == rows[k])
        strip->patches = patches + (gsize)k++ * self->n_patches;
    }
  return patches;
}

void
tsr_trace_grid_fill_strips (TsrTraceGrid *self, GArray *strips)
{
  guint n_all = tsr_trace_get_n_tracks (self->chart->trace);
  g_autofree guint *tracks = g_new (guint, MAX (n_all, 1));
  g_autofree gint *ready = g_new0 (gint, MAX (n_all, 1));
  g_autofree TsrTracePatch **patches = NULL;
  Filling filling = { self, strips, tracks, 0, ready };
  guint n_dense = 0;

  take_room (self, strips);
  patches = take_patches (self, strips);
  for (guint i = 0; i < strips->len; i++)
    {
      TsrTraceStrip *strip = &g_array_index (strips, TsrTraceStrip, i);
      const TsrTraceChartRow *row = strip->row;

      if (row->row == NULL)
        {
          if (row->kind != TSR_TRACE_ROW_BAND)
            fill_strip (self, strip);
          continue;
        }
      n_dense += tsr_trace_grid_begin (self, row->track);
      if (strip->patches != NULL || ready[row->track])
        continue;
      /* A flat row of few steps needs none of what rows of a flame share. */
      ready[row->track] = 1;
      if (self->lanes[row->track].dense || row->row->first != NULL)
        tracks[filling.n_tracks++] = row->track;
    }
  /* A search asks the state, which is this thread's. */
  if (n_dense < 2 || self->chart->found != NULL)
    {
      for (guint i = 0; i < filling.n_tracks + strips->len; i++)
        fill_one (&filling, i);
      return;
    }
  for (guint i = 0; i < filling.n_tracks; i++)
    ready[tracks[i]] = 0;
  tsr_crew_run (filling.n_tracks + strips->len, fill_one, &filling);
}
