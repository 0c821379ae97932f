/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chart without a toolkit: what the chart widget, the paper painter and the command line draw.
 * One subclass for each kind of chart; the widget knows only this.  Data on x are numbered: a datum
 * is a tile, a step ...; its place on the x axis is [position, position + 1).  Main thread, but for
 * _layout on a model that nobody changes meanwhile. */

#pragma once

#include "tsr-draw-list.h"
#include "tsr-units.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define TSR_TYPE_CHART_MODEL (tsr_chart_model_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrChartModel, tsr_chart_model, TSR, CHART_MODEL, GObject)

/* Measures one line of text, in logical pixels; cairo and GTK give their own. */
typedef struct
{
  void (*measure) (gpointer data,
                   const char *text,
                   double font_size,
                   gboolean bold,
                   double *width,
                   double *height);
  gpointer data;
} TsrTextMeasure;

typedef struct
{
  double width, height; /* of the whole chart, axes included; logical pixels */
  double scale;         /* device pixels for each logical one */
  double from, to;      /* visible range, data units */
  double inset;      /* pixels at the plot's top edge that no data reach: a legend stands there */
  gboolean legend;   /* draw the legend into the plot (paper); the widget shows toggles instead */
  const char *title; /* (nullable) paper only */
  TsrTextMeasure measure;
} TsrChartGeometry;

typedef struct
{
  double x, y, width, height; /* of the plot inside the axes */
  double y_from, y_to;        /* data at the bottom and the top */
} TsrPlotArea;

typedef struct
{
  const char *name; /* translated */
  const char *key;  /* (nullable) the same in every language: settings, links */
  guint ink;
  gboolean filled; /* swatch: area or line */
  gboolean dashed;
  gboolean visible;
  gboolean minor; /* hardly seen in the chart: a legend on the screen has it in its list alone */
  gboolean kept;  /* says how to read the chart: the last to leave a legend that has no room */
} TsrChartSeries;

struct _TsrChartModelClass
{
  GObjectClass parent_class;

  void (*get_domain) (TsrChartModel *self, double *from, double *to, double *min_span);
  /* Axes, grid, data; what changes with hover and selection is in _overlay. */
  void (*layout) (TsrChartModel *self,
                  const TsrChartGeometry *geometry,
                  TsrDrawList *list,
                  TsrPlotArea *area);
  /* Selection and, when @hover or @cursor is not TSR_NO_DATUM, their marks. */
  void (*layout_overlay) (TsrChartModel *self,
                          const TsrChartGeometry *geometry,
                          const TsrPlotArea *area,
                          guint32 hover,
                          guint32 cursor,
                          TsrDrawList *list);
  /* The whole domain in a strip, no axes. */
  void (*layout_overview) (TsrChartModel *self,
                           const TsrChartGeometry *geometry,
                           TsrDrawList *list);

  guint32 (*datum_at) (TsrChartModel *self, double x); /* x in data units */
  /* Optional: of the data that touch [from, to), the one that a pixel column this wide shows. */
  guint32 (*datum_near) (TsrChartModel *self, double from, double to);
  double (*position_of) (TsrChartModel *self, guint32 datum);
  char *(*describe) (TsrChartModel *self,
                     guint32 datum); /* lines of text; first line is a heading */
  char *(*dup_caption) (
      TsrChartModel *self); /* what the chart shows: title on paper, accessible name */

  guint (*get_n_series) (TsrChartModel *self);
  void (*get_series) (TsrChartModel *self, guint i, TsrChartSeries *series);
  /* By default a series is remembered as hidden by its key, whether it is there or not; the model
   * asks tsr_chart_model_is_hidden, and is told when it is another set. */
  void (*set_series_visible) (TsrChartModel *self, guint i, gboolean visible);
  void (*hidden_changed) (TsrChartModel *self);

  /* CSV of the data whose positions touch [from, to): one row for each datum, exact numbers. */
  void (*write_csv) (TsrChartModel *self, double from, double to, GString *out);

  /* Another model that shows the same and that nobody else has: for an export in a worker. */
  TsrChartModel *(*dup) (TsrChartModel *self);
};

void tsr_chart_model_get_domain (TsrChartModel *self, double *from, double *to, double *min_span);
void tsr_chart_model_layout (TsrChartModel *self,
                             const TsrChartGeometry *geometry,
                             TsrDrawList *list,
                             TsrPlotArea *area);
void tsr_chart_model_layout_overlay (TsrChartModel *self,
                                     const TsrChartGeometry *geometry,
                                     const TsrPlotArea *area,
                                     guint32 hover,
                                     guint32 cursor,
                                     TsrDrawList *list);
void tsr_chart_model_layout_overview (TsrChartModel *self,
                                      const TsrChartGeometry *geometry,
                                      TsrDrawList *list);
guint32 tsr_chart_model_datum_at (TsrChartModel *self, double x);
/* The datum under a pointer: @from and @to are the data units at the left and right edge of its
 * device pixel column. Where several data share the column it is the one that is drawn (the
 * largest), and what describe() says is what the eye sees. */
guint32 tsr_chart_model_datum_near (TsrChartModel *self, double from, double to);
double tsr_chart_model_position_of (TsrChartModel *self, guint32 datum);
char *tsr_chart_model_describe (TsrChartModel *self, guint32 datum);
char *tsr_chart_model_dup_caption (TsrChartModel *self);
guint tsr_chart_model_get_n_series (TsrChartModel *self);
void tsr_chart_model_get_series (TsrChartModel *self, guint i, TsrChartSeries *series);
void tsr_chart_model_set_series_visible (TsrChartModel *self, guint i, gboolean visible);
/* Keys of the series that are not visible, a line each in alphabetical order; "" when all are. */
void tsr_chart_model_set_hidden (TsrChartModel *self, const char *keys);
char *tsr_chart_model_dup_hidden (TsrChartModel *self); /* (transfer full) */
void tsr_chart_model_write_csv (TsrChartModel *self, double from, double to, GString *out);
/* (transfer full) (nullable): NULL when this kind of chart cannot be copied; then it is laid out
 * where it lives. */
TsrChartModel *tsr_chart_model_dup (TsrChartModel *self);

/* For subclasses: whether a series of that key is; forgets that it is; the same as @from. */
gboolean tsr_chart_model_is_hidden (TsrChartModel *self, const char *key);
void tsr_chart_model_forget_hidden (TsrChartModel *self, const char *key);
void tsr_chart_model_copy_hidden (TsrChartModel *self, TsrChartModel *from);

/* Signals: "changed" (lay out again, and what is marked, too), "overlay-changed" (only what is
 * marked), "domain-changed", "series-changed" (the legend; "changed" follows). */
void tsr_chart_model_emit_changed (TsrChartModel *self);
void tsr_chart_model_emit_overlay_changed (TsrChartModel *self);
void tsr_chart_model_emit_domain_changed (TsrChartModel *self);
void tsr_chart_model_emit_series_changed (TsrChartModel *self);

G_END_DECLS
