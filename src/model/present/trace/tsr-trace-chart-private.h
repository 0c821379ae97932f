/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the parts of the trace's chart share.
 *
 *   tsr-trace-chart.c         the object: state followed, options, series
 *   tsr-trace-chart-rows.c    which rows there are and where they stand
 *   tsr-trace-chart-sweep.c   what is drawn in each column of a row
 *   tsr-trace-chart-blocks.c  what the pieces of a row are drawn as
 *   tsr-trace-chart-look.c    how one piece of a row looks
 *   tsr-trace-chart-layout.c  rows as rectangles, rasters and labels
 *   tsr-trace-chart-frame.c   ruler, headers, notches
 *   tsr-trace-chart-band.c    tiles of an IPU (BSP)
 *   tsr-trace-chart-mixture.c what shares the time of columns: crowded rows, mini-map, utilisation
 *   tsr-trace-chart-live.c    memory that is live in columns
 *   tsr-trace-chart-hit.c     what lies over it; what is where, and where it is
 *   tsr-trace-chart-texts.c   texts */

#pragma once

#include "tsr-pyramid.h"
#include "tsr-trace-chart.h"

G_BEGIN_DECLS

#define TSR_TRACE_RULER_HEIGHT 26.0
#define TSR_TRACE_LABEL_SIZE   11.0

/* Spans of a row that are no steps: runs, blocks.  Ascending, none overlaps the next. */
typedef struct
{
  guint n;
  gint64 *start, *end;
  gint64 *length;
  guint32 *index; /* of the run or block */
  TsrPyramid *lengths;
} TsrTraceSpans;

typedef enum
{
  TSR_TRACE_ROW_RUNS,
  TSR_TRACE_ROW_STEPS,
  TSR_TRACE_ROW_BLOCKS,
  TSR_TRACE_ROW_BAND, /* from here on: no pieces */
  TSR_TRACE_ROW_USE,
  TSR_TRACE_ROW_LIVE,
} TsrTraceRowKind;

/* What a row was when it was drawn last: it stays that until it is clearly the other, so that
 * panning does not switch it to and fro. */
typedef enum
{
  TSR_TRACE_CROWDING_NEW,
  TSR_TRACE_CROWDING_APART,
  TSR_TRACE_CROWDING_CROWDED,
} TsrTraceCrowding;

typedef struct
{
  TsrTraceRowKind kind;
  guint ipu;
  guint track, depth;         /* STEPS */
  const TsrTraceRow *row;     /* STEPS */
  gboolean flat;              /* STEPS */
  gboolean shared;            /* STEPS: rows of several lanes stand here */
  const TsrTraceSpans *spans; /* RUNS, BLOCKS */
  double y, height;           /* from the top of all rows */
  double foot;                /* STEPS: end of the lane */
  TsrTraceCrowding crowding;  /* STEPS */
} TsrTraceChartRow;

typedef struct
{
  guint ipu;
  gboolean pinned, collapsed;
  double y, height;
  guint first, end; /* rows */
} TsrTraceChartIpu;

struct _TsrTraceChart
{
  TsrChartModel parent_instance;

  TsrTrace *trace;
  TsrTraceState *state;
  TsrTraceFold *fold;
  guint32 hidden;  /* mask of types */
  guint32 compute; /* those that compute */
  guint8 inks[TSR_TRACE_MAX_TYPES];

  GArray *ipus; /* TsrTraceChartIpu; NULL: to be made again */
  GArray *rows; /* TsrTraceChartRow */
  TsrTraceSpans *runs;
  GPtrArray *blocks; /* TsrTraceSpans */
  GHashTable
      *block_slots;    /* of their names, as numbers of the strings: tsr_palette_place_names() */
  GArray *block_rows;  /* TsrTraceBlockRow */
  gint64 *block_shift; /* [n_ipus] from a block's clock to the trace's */
  double height, pinned_height;

  double top, row_height, band_height, band_from, band_to;
  double room;         /* rows of steps may fill; 0: they keep their height */
  double steps_height; /* of a row of steps, once there are rows */
  TsrTraceTileOrder order;
  GArray *wanted;  /* slices */
  gpointer pieces; /* of strips; kept, because the pages of what is new have to be found first */
  gsize pieces_size;

  GPtrArray *found;     /* (nullable) names that match the search, sorted */
  TsrTraceMarks *marks; /* (nullable) of the selected group; perhaps of another one */
  TsrTraceLive *live;   /* (nullable) */
  TsrUnits units;       /* of its bytes */
  char *no_live;        /* (nullable) why there is none */
  TsrTraceHit hover, cursor;
};

typedef struct
{
  guint ipu, tile, depth;
  TsrTraceSpans *spans;
} TsrTraceBlockRow;

/* ---- rows */
void tsr_trace_chart_ensure_rows (TsrTraceChart *self);
void tsr_trace_chart_clear_rows (TsrTraceChart *self);
void tsr_trace_chart_clear_blocks (TsrTraceChart *self);
void tsr_trace_chart_clear_runs (TsrTraceChart *self);
/* Cycles that the blocks take; FALSE without any. */
gboolean tsr_trace_chart_get_block_domain (TsrTraceChart *self, gint64 *from, gint64 *to);
const TsrTraceChartIpu *tsr_trace_chart_find_ipu (TsrTraceChart *self, guint ipu);

static inline const TsrTraceChartRow *
tsr_trace_chart_peek_row (TsrTraceChart *self, guint i)
{
  return &g_array_index (self->rows, TsrTraceChartRow, i);
}

/* ---- columns */
/* A stretch of columns without a notch. */
typedef struct
{
  guint from, to;
  gint64 first, end; /* cycles */
  double origin;     /* first's edge as a number of columns */
} TsrTraceStretch;

/* Of a lane: in each column the first of its steps that ends after the column begins, and the end
 * of those that begin before it ends.  All rows of its flame are looked up by these, not by time.
 */
typedef struct
{
  gboolean known;       /* whether it is dense */
  gboolean dense;       /* it has about as many steps there as columns, or more */
  gboolean crowded;     /* a row of it is, of those looked at so far */
  guint32 *first, *end; /* (nullable) */
} TsrTraceLaneColumns;

typedef struct
{
  TsrTraceChart *chart;
  const TsrChartGeometry *geometry;
  const TsrPlotArea *area;
  guint n_columns;
  double per;                 /* positions in a column */
  GArray *stretches;          /* TsrTraceStretch, ascending */
  TsrTraceLaneColumns *lanes; /* by track */
  gint64 *from, *to;          /* (nullable) cycles of columns, those of stretch i moved on by i */
  gpointer mixture; /* (nullable) what shares the time of columns, of the latest that ... */
  guint mixture_ipu, mixture_track; /* ... were asked for */
} TsrTraceGrid;

/* FALSE when there is no room for anything. */
gboolean tsr_trace_grid_init (TsrTraceGrid *self,
                              TsrTraceChart *chart,
                              const TsrChartGeometry *geometry,
                              const TsrPlotArea *area);
void tsr_trace_grid_clear (TsrTraceGrid *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrTraceGrid, tsr_trace_grid_clear)

/* The stretch that holds @column, or NULL: a notch. */
const TsrTraceStretch *tsr_trace_grid_find_stretch (const TsrTraceGrid *self, guint column);
/* Cycles that @column touches: [from, to). */
void tsr_trace_grid_get_column (const TsrTraceGrid *self,
                                const TsrTraceStretch *stretch,
                                guint column,
                                gint64 *from,
                                gint64 *to);
/* What is looked up for each column in sums over time is looked up for so many side by side that a
 * row has at most 2,048 of them: 1 but on the widest screens. */
guint tsr_trace_grid_get_stride (const TsrTraceGrid *self);
/* Where these columns of @stretch begin and the last one ends, never falling: [the result + 1], for
 * which [to - from + 1] is room enough. */
guint
tsr_trace_grid_get_edges (const TsrTraceGrid *self, const TsrTraceStretch *stretch, gint64 *edges);
/* Cycles that @column touches with those that are looked up with it. */
void tsr_trace_grid_get_shared (const TsrTraceGrid *self,
                                const TsrTraceStretch *stretch,
                                guint column,
                                gint64 *from,
                                gint64 *to);
/* Column that @x lies in; FALSE outside of the plot. */
gboolean tsr_trace_grid_column_at (const TsrTraceGrid *self, double x, guint *column);
/* x of @cycles, on a device pixel, not cut to the plot but finite. */
double tsr_trace_grid_get_x (const TsrTraceGrid *self, gint64 cycles);
/* Columns [from, to) that a span touches, at least one; FALSE when none is visible. */
gboolean tsr_trace_grid_get_columns (
    const TsrTraceGrid *self, gint64 start, gint64 end, guint *from, guint *to);
/* Screen y of a row, and between which y it may be drawn. */
double tsr_trace_grid_get_y (
    const TsrTraceGrid *self, const TsrTraceChartIpu *ipu, double y, double *top, double *bottom);

/* What is drawn in columns [from, to) of a row: an item, or a place in spans. */
typedef struct
{
  gsize item;
  guint from, to;
} TsrTracePiece;

/* The steps of a lane by column, which all rows of its flame share: fills lanes[track]. */
void tsr_trace_grid_find_steps (TsrTraceGrid *self, guint track);
/* The pieces of a row that are visible, from left to right; @pieces has room for as many as the
 * grid has columns.  Returns their number. */
guint tsr_trace_grid_fill (TsrTraceGrid *self, const TsrTraceChartRow *row, TsrTracePiece *pieces);
/* Whether the items of a row cannot be told apart, by its pieces: more than half of the columns
 * that they fill (two fifths when it was crowded the last time, three when it was not) are of such
 * as do not stand apart from the next one, and they stand for further items. From that row to the
 * foot of its lane the columns then show what shares their time.  Never while the search has found
 * names, which single steps have. */
gboolean tsr_trace_grid_is_crowded (const TsrTraceGrid *self,
                                    const TsrTraceChartRow *row,
                                    const TsrTracePiece *pieces,
                                    guint n);
/* Whether the crowded rows of @row's lane, the first lane where several stand in the same place,
 * begin above it. */
gboolean tsr_trace_grid_is_in_crowd (const TsrTraceGrid *self, const TsrTraceChartRow *row);
/* The same for whoever lays nothing out: *first is the row where the crowd begins (nullable). */
gboolean tsr_trace_grid_find_crowd (TsrTraceGrid *self,
                                    const TsrTraceChartIpu *ipu,
                                    const TsrTraceChartRow *row,
                                    const TsrTraceChartRow **first);
/* The same for one column: G_MAXSIZE when there is nothing; *n_under: items that lie there. */
gsize tsr_trace_grid_item_at (const TsrTraceGrid *self,
                              const TsrTraceChartRow *row,
                              guint column,
                              guint *n_under);

/* ---- what an item looks like */
typedef struct
{
  guint8 ink; /* TsrTraceInk */
  guint8 type;
  gboolean leaf; /* a step; where nothing hangs on it (neither compute nor tall), any single one */
} TsrTraceLook;
/* The step itself, no part of its name. */
gboolean tsr_trace_chart_is_step (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item);
static inline TsrTraceLook
tsr_trace_chart_look_of_kind (const TsrTraceChart *self,
                              const TsrTraceChartRow *row,
                              TsrTraceKind kind)
{
  guint32 seen = kind.types & ~self->hidden;
  gboolean computes = (seen & self->compute) != 0;
  TsrTraceLook look;

  /* Of what is not hidden in a group the first type in the order of the key. */
  if (G_UNLIKELY ((self->hidden >> kind.type & 1) != 0 && seen != 0))
    kind.type = (guint8)__builtin_ctz (seen);
  look = (TsrTraceLook){ self->inks[kind.type], kind.type, row->flat || kind.depth > 0 };
  if (row->flat)
    return look;
  if (look.leaf && (computes || look.ink == TSR_TRACE_INK_INTER_IPU))
    look.leaf = kind.depth <= row->depth + 1;
  if (!look.leaf && computes)
    look.ink = TSR_TRACE_INK_GROUP;
  return look;
}

void tsr_trace_chart_get_look (TsrTraceChart *self,
                               const TsrTraceChartRow *row,
                               gsize item,
                               TsrTraceLook *look);
TsrTraceInk tsr_trace_type_ink (const TsrTraceType *type);
/* Does the search find it?  TRUE without a search. */
gboolean tsr_trace_chart_is_found (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item);
/* (transfer full): the text on it. */
char *tsr_trace_chart_dup_label (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item);
char *
tsr_trace_chart_dup_span_label (TsrTraceChart *self, const TsrTraceChartRow *row, guint place);

/* What a piece is drawn as. */
typedef struct
{
  guint from, to;    /* columns */
  guint8 ink, shade; /* shade: of its lower part; TSR_RASTER_CLEAR: none */
  guint8 leaf, tall; /* tall: to the lane's end */
  int split;         /* y at which the lower part begins */
} TsrTraceBlock;

/* One row on the screen, device pixels. */
typedef struct
{
  const TsrTraceChartIpu *ipu;
  const TsrTraceChartRow *row;
  gboolean line;      /* another lane begins here */
  gboolean crowded;   /* here the lane's crowded rows begin: it has pieces, but no blocks */
  double height;      /* logical, uncut */
  int top, bottom;    /* cut */
  int foot;           /* end of the lane, cut */
  int full_top, full; /* uncut */
  /* Belong to the chart, until the next frame. */
  guint n;
  guint widest; /* columns of a piece */
  TsrTracePiece *pieces;
  TsrTraceBlock *blocks;
  TsrDrawRaster *raster; /* (nullable) of the blocks, from the first to the last column; told when
                            they are too many for rectangles */
} TsrTraceStrip;
#define TSR_TRACE_MAX_ROW_RECTS 64
/* (transfer full) */
TsrDrawRaster *tsr_trace_strip_make_raster (const TsrTraceStrip *strip);
#define TSR_TRACE_LEAST_GAP 4.0 /* pixels of a piece that stands apart from the next */
/* Pieces and blocks of all strips that are no bands. (element-type TsrTraceStrip) */
void tsr_trace_grid_fill_strips (TsrTraceGrid *self, GArray *strips);

/* ---- parts of a layout */
void tsr_trace_chart_layout_ruler (const TsrTraceGrid *view, TsrDrawList *list);
void tsr_trace_chart_layout_notches (const TsrTraceGrid *view, TsrDrawList *list);
void tsr_trace_chart_layout_headers (const TsrTraceGrid *view, TsrDrawList *list);
void
tsr_trace_chart_layout_band (TsrTraceGrid *view, const TsrTraceChartRow *row, TsrDrawList *list);
/* A raster for what is visible of a row without pieces: pixels [first, end) of its height, from the
 * top.  FALSE when none is. */
typedef struct
{
  TsrDrawRaster *raster;
  guint height, first, end;
} TsrTraceTrackRaster;
gboolean tsr_trace_grid_add_track (const TsrTraceGrid *self,
                                   const TsrTraceChartRow *row,
                                   TsrDrawList *list,
                                   TsrTraceTrackRaster *track);
/* A crowded row and what stands below it in its lane: of each column that it fills what shares the
 * time of the lane. */
void
tsr_trace_chart_layout_crowd (TsrTraceGrid *view, const TsrTraceStrip *strip, TsrDrawList *list);
void
tsr_trace_chart_layout_use (TsrTraceGrid *view, const TsrTraceChartRow *row, TsrDrawList *list);
void
tsr_trace_chart_layout_live (TsrTraceGrid *view, const TsrTraceChartRow *row, TsrDrawList *list);
/* Tile at @y of a band; TSR_NO_INDEX. */
guint tsr_trace_chart_get_band_tile (TsrTraceGrid *view, const TsrTraceChartRow *row, double y);
void tsr_trace_chart_layout_overview (TsrChartModel *model,
                                      const TsrChartGeometry *geometry,
                                      TsrDrawList *list);
void tsr_trace_chart_layout_overlay (TsrChartModel *model,
                                     const TsrChartGeometry *geometry,
                                     const TsrPlotArea *area,
                                     guint32 hover,
                                     guint32 cursor,
                                     TsrDrawList *list);
void tsr_trace_chart_layout (TsrChartModel *model,
                             const TsrChartGeometry *geometry,
                             TsrDrawList *list,
                             TsrPlotArea *area);

/* Columns of a notch that is visible. */
gboolean tsr_trace_grid_get_notch (const TsrTraceGrid *self, guint notch, guint *from, guint *to);
/* Where the parts of an IPU's header stand; FALSE when it is not visible. */
typedef struct
{
  double x, y, width, height;            /* of what can be pressed: name and bar */
  double arrow_x, arrow_y, pin_x, pin_y; /* middles */
  double top, bottom;                    /* between which it may be drawn */
} TsrTraceHeader;
#define TSR_TRACE_BUTTON 16.0
gboolean tsr_trace_grid_get_header (const TsrTraceGrid *self,
                                    const TsrTraceChartIpu *ipu,
                                    TsrTraceHeader *header);

/* ---- words */
char *tsr_trace_chart_describe (TsrChartModel *model, guint32 datum);
char *tsr_trace_chart_dup_caption (TsrChartModel *model);
void tsr_trace_chart_write_csv (TsrChartModel *model, double from, double to, GString *out);

G_END_DECLS
