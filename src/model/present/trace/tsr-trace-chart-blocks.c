/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the pieces of a row are drawn as. */

#include "config.h"

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
  return TSR_INK_STRUCTURE
         + GPOINTER_TO_UINT (
             g_hash_table_lookup (self->block_slots, GUINT_TO_POINTER (tables->block_name[block])));
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
fill_strip (TsrTraceGrid *self, TsrTraceStrip *strip)
{
  TsrTraceChart *chart = self->chart;
  const TsrTraceChartRow *row = strip->row;
  gboolean merged
      = row->row != NULL && tsr_trace_state_has (chart->state, TSR_TRACE_OPTION_GROUP_SYNCS);
  const float *balances = tsr_trace_state_has (chart->state, TSR_TRACE_OPTION_BALANCE)
                              ? tsr_trace_get_tables (chart->trace)->slice_tile_balance
                              : NULL;

  if (tsr_trace_grid_is_in_crowd (self, row))
    return;
  strip->n = tsr_trace_grid_fill (self, row, strip->pieces);
  strip->crowded = (!row->shared || tsr_trace_get_track (chart->trace, row->track)->lane == 0)
                   && tsr_trace_grid_is_crowded (self, row, strip->pieces, strip->n);
  /* What the search makes of it does not count. */
  if (chart->found == NULL && row->kind == TSR_TRACE_ROW_STEPS)
    g_array_index (chart->rows, TsrTraceChartRow, row - tsr_trace_chart_peek_row (chart, 0))
        .crowding
        = strip->crowded ? TSR_TRACE_CROWDING_CROWDED : TSR_TRACE_CROWDING_APART;
  if (strip->crowded)
    {
      self->lanes[row->track].crowded = TRUE;
      return;
    }
  if (merged)
    merge_syncs (chart, strip);
  for (guint i = 0; i < strip->n; i++)
    {
      const TsrTracePiece *piece = &strip->pieces[i];

      strip->blocks[i] = (TsrTraceBlock){ .shade = TSR_RASTER_CLEAR };
      if (row->row == NULL)
        strip->blocks[i].ink = (guint8)get_span_ink (chart, row, piece->item);
      place_block (self, piece, &strip->blocks[i]);
      strip->widest = MAX (strip->widest, piece->to - piece->from);
    }
  for (guint i = 0; row->row != NULL && i < strip->n; i += CHUNK)
    fill_blocks (chart, strip, i, MIN (CHUNK, strip->n - i), balances);
  if (strip->n > TSR_TRACE_MAX_ROW_RECTS)
    strip->raster = tsr_trace_strip_make_raster (strip);
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

void
tsr_trace_grid_fill_strips (TsrTraceGrid *self, GArray *strips)
{
  take_room (self, strips);
  for (guint i = 0; i < strips->len; i++)
    {
      TsrTraceStrip *strip = &g_array_index (strips, TsrTraceStrip, i);

      if (strip->row->kind < TSR_TRACE_ROW_BAND)
        fill_strip (self, strip);
    }
}
