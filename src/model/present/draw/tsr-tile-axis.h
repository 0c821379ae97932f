/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tiles of a replica along an x axis: in what order, and where each IPU begins and ends.  What
 * all graphs over tiles share.  Main thread, or whoever owns it. */

#pragma once

#include "tsr-chart-frame.h"
#include "tsr-memory.h"
#include "tsr-tile-selection.h"

G_BEGIN_DECLS

/* A view of fewer tiles than this says nothing that the details do not. */
#define TSR_TILE_AXIS_MIN_SPAN 8

typedef struct
{
  TsrMemory *memory;
  guint n;
  TsrTileOrder wanted;
  guint *order;       /* tile at each position, or NULL: the same number */
  guint *position;    /* of each tile, or NULL */
  GArray *groups;     /* TsrChartGroup */
  GPtrArray *strings; /* names of groups */
} TsrTileAxis;

TsrTileAxis *tsr_tile_axis_new (TsrMemory *memory);
void tsr_tile_axis_free (TsrTileAxis *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTileAxis, tsr_tile_axis_free)

/* @values (n_tiles, nullable): what tiles are ordered by when they are ordered by bytes; unknown
 * ones last, ties to the lower tile.  An order that is not known for the target leaves tiles in
 * software order. */
void tsr_tile_axis_set_order (TsrTileAxis *self, TsrTileOrder order, const gint64 *values);
/* Title, groups and kind of numbering of a chart's frame. */
void tsr_tile_axis_get_frame (TsrTileAxis *self, TsrChartFrame *frame);
/* (transfer full): "Tile 5 (IPU 0, physical 130)". */
char *tsr_tile_axis_dup_name (TsrTileAxis *self, guint tile);
/* CSV: headings and fields that name a tile (tile, IPU, physical tile).  (element-type char *). */
void tsr_tile_axis_add_headings (TsrTileAxis *self, GPtrArray *fields);
void tsr_tile_axis_add_fields (TsrTileAxis *self, guint tile, GPtrArray *fields);

static inline guint
tsr_tile_axis_tile_at (const TsrTileAxis *self, guint position)
{
  return self->order != NULL ? self->order[position] : position;
}

static inline guint
tsr_tile_axis_position_of (const TsrTileAxis *self, guint tile)
{
  return self->position != NULL && tile < self->n ? self->position[tile] : tile;
}

/* For the chart models of such graphs: the whole axis; the tile at a position, or TSR_NO_DATUM. */
void tsr_tile_axis_get_domain (const TsrTileAxis *self, double *from, double *to, double *min_span);
guint32 tsr_tile_axis_datum_at (const TsrTileAxis *self, double x);

/* A dot on what @chart shows at @position. */
typedef void (*TsrTileAxisDots) (gpointer chart,
                                 const TsrChartGeometry *geometry,
                                 const TsrPlotArea *area,
                                 guint position,
                                 TsrDrawList *list);
/* Selected tiles (@selection nullable), the tile under the pointer and that of the keyboard, either
 * with its dots. */
void tsr_tile_axis_layout_overlay (const TsrTileAxis *self,
                                   TsrTileSelection *selection,
                                   const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   guint32 hover,
                                   guint32 cursor,
                                   TsrTileAxisDots add_dots,
                                   gpointer chart,
                                   TsrDrawList *list);

G_END_DECLS
