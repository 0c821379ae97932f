/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The execution trace as a chart: ruler, for each IPU a header, its runs, the rows of its lanes
 * (flat or flame), blocks and, with BSP, a band of tiles.  x: positions of a TsrTraceFold.  y:
 * pixels from the top of all rows, scrolled by set_top.  Rows of pinned IPUs stand first and do not
 * scroll.
 *
 * Level of detail: in a pixel the longest item stands for all that lie there; describe says how
 * many.  From the first row down in which most pixels belong to items too narrow to be told apart
 * (TSR_TRACE_LEAST_GAP), a lane shows instead what shares the time of each pixel.  That follows
 * from what is visible, so rows come apart one by one as the view gets closer.  A layout costs
 * O(pixels x log n), with lanes beyond an IPU's first O(their steps in view). */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-trace-fold.h"
#include "tsr-trace-live.h"
#include "tsr-trace-marks.h"
#include "tsr-trace-state.h"

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_CHART (tsr_trace_chart_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceChart, tsr_trace_chart, TSR, TRACE_CHART, TsrChartModel)

/* Follows @state's signals.  Either is kept by reference. */
TsrTraceChart *tsr_trace_chart_new (TsrTrace *trace, TsrTraceState *state);
TsrTrace *tsr_trace_chart_get_trace (TsrTraceChart *self);
TsrTraceState *tsr_trace_chart_get_state (TsrTraceChart *self);
TsrTraceFold *tsr_trace_chart_get_fold (TsrTraceChart *self); /* (transfer none) */

/* Height of all rows below the ruler, and of those that are pinned; what is visible begins at @top.
 */
double tsr_trace_chart_get_height (TsrTraceChart *self);
double tsr_trace_chart_get_pinned_height (TsrTraceChart *self);
void tsr_trace_chart_set_top (TsrTraceChart *self, double top);
/* Pixels of one row of steps, 10 to 40, however much room there is; of the tiles' band of an IPU,
 * at least 40. */
void tsr_trace_chart_set_row_height (TsrTraceChart *self, double height);
double tsr_trace_chart_get_row_height (TsrTraceChart *self); /* as it is drawn */
/* Pixels below the ruler: rows of steps take up to 32 each while all rows still fit.  0 (the
 * default): 18. */
void tsr_trace_chart_set_room (TsrTraceChart *self, double height);
void tsr_trace_chart_set_bsp_height (TsrTraceChart *self, double height);
/* Which part of its tiles a band shows (vertical zoom): [from, to) of 0..1. */
void tsr_trace_chart_set_bsp_range (TsrTraceChart *self, double from, double to);
typedef enum
{
  TSR_TRACE_TILES_BY_NUMBER,
  TSR_TRACE_TILES_BY_FINISH, /* of the longest visible step */
} TsrTraceTileOrder;
void tsr_trace_chart_set_tile_order (TsrTraceChart *self, TsrTraceTileOrder order);
/* Slices whose numbers of each tile the last layout lacked (tsr_trace_load_tile_cycles in a worker,
 * then tsr_chart_model_emit_changed).  (transfer full) (element-type guint32) */
GArray *tsr_trace_chart_dup_wanted (TsrTraceChart *self);

/* Where the steps of the selected group stand, which a worker finds (tsr_trace_marks_new with the
 * state's group, shape and hidden types); nothing is marked until it is set.  (transfer none)
 * (nullable): what was set, if it is still of these. */
void tsr_trace_chart_set_marks (TsrTraceChart *self, TsrTraceMarks *marks);
TsrTraceMarks *tsr_trace_chart_get_marks (TsrTraceChart *self);

/* What TSR_TRACE_OPTION_LIVE draws, in @units.  Without @live @why (nullable) stands there. */
void
tsr_trace_chart_set_live (TsrTraceChart *self, TsrTraceLive *live, TsrUnits units, const char *why);

typedef enum
{
  TSR_TRACE_HIT_NOTHING,
  TSR_TRACE_HIT_ITEM,
  TSR_TRACE_HIT_RUN,
  TSR_TRACE_HIT_BLOCK,
  TSR_TRACE_HIT_TILE,   /* in a band */
  TSR_TRACE_HIT_USE,    /* in the track of utilisation */
  TSR_TRACE_HIT_LIVE,   /* in that of live memory */
  TSR_TRACE_HIT_HEADER, /* name of an IPU */
  TSR_TRACE_HIT_ARROW,  /* its collapse arrow */
  TSR_TRACE_HIT_PIN,
  TSR_TRACE_HIT_NOTCH,
  TSR_TRACE_HIT_MARKER,
  TSR_TRACE_HIT_RULER,
} TsrTraceHitKind;

typedef struct
{
  TsrTraceHitKind kind;
  guint ipu;   /* TSR_NO_INDEX */
  guint index; /* run, block, notch, marker or tile */
  guint track, depth;
  gsize item;    /* that is drawn there: of those in the pixel the longest */
  guint32 slice; /* ITEM: its first, TILE: the step's */
  guint n_under; /* items of the row in that pixel */
  gint64 cycles; /* under the pointer */
  /* USE, LIVE, and ITEM where the row shows what shares the time of its pixels: cycles of the
   * pixel. Then the item is the longest step there, and n_under counts steps.  0, 0 for other hits.
   */
  gint64 from, to;
} TsrTraceHit;

/* What is drawn at (@x, @y) of a layout. */
void tsr_trace_chart_hit (TsrTraceChart *self,
                          const TsrChartGeometry *geometry,
                          const TsrPlotArea *area,
                          double x,
                          double y,
                          TsrTraceHit *hit);
/* Where it is drawn, cut to the plot; FALSE when it is not visible. */
gboolean tsr_trace_chart_get_place (TsrTraceChart *self,
                                    const TsrChartGeometry *geometry,
                                    const TsrPlotArea *area,
                                    const TsrTraceHit *hit,
                                    double *x,
                                    double *y,
                                    double *width,
                                    double *height);
/* Where its row stands: pixels from the top of all rows, the pinned ones included, and whether it
 * is one of those.  FALSE when it is in no row. */
gboolean tsr_trace_chart_get_row_place (
    TsrTraceChart *self, const TsrTraceHit *hit, double *top, double *height, gboolean *pinned);
/* Hover and keyboard cursor, drawn by layout_overlay beside what the state has selected; @hit
 * (nullable): none. */
void tsr_trace_chart_set_hover (TsrTraceChart *self, const TsrTraceHit *hit);
void tsr_trace_chart_set_cursor (TsrTraceChart *self, const TsrTraceHit *hit);
/* (transfer full): text for the callout and for assistive technology: a heading and lines. */
char *tsr_trace_chart_describe_hit (TsrTraceChart *self, const TsrTraceHit *hit);
/* The cursor's next place: left and right along a row (by whole items), up and down over rows, IPUs
 * and lanes. */
typedef enum
{
  TSR_TRACE_MOVE_LEFT,
  TSR_TRACE_MOVE_RIGHT,
  TSR_TRACE_MOVE_UP,
  TSR_TRACE_MOVE_DOWN,
} TsrTraceMove;
gboolean tsr_trace_chart_move (TsrTraceChart *self, TsrTraceMove move, TsrTraceHit *hit);
/* The hit of a slice in the present shape, at its deepest row. */
gboolean tsr_trace_chart_hit_slice (TsrTraceChart *self, guint32 slice, TsrTraceHit *hit);

/* Colour of a step type, and its label in the colour key. */
guint tsr_trace_get_ink (const TsrTraceType *type);
/* Cycles as a text: "27,960,351", or as time "21.0 ms" when @time and the clock is known. */
char *tsr_trace_format_cycles (const TsrTrace *trace, gint64 cycles, gboolean time);
/* Both ends of a span, with digits enough to tell one from the other. */
void tsr_trace_format_span (
    const TsrTrace *trace, gint64 from, gint64 to, gboolean time, char **from_text, char **to_text);

G_END_DECLS
