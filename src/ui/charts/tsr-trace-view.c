/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A datum of the plane is a hash of what was hit; the hits themselves, under the pointer and of the
 * keyboard, are kept here.  What is visible is kept in cycles, too: positions mean something else
 * when waits are folded or another run is chosen. */

#include "config.h"

#include "tsr-trace-view-private.h"

#include "tsr-task.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAP_GAP    4
#define SETTLE_MS  150
#define MOST_READ  64 /* sets of tile numbers at once */
#define LEAST_BSP  240.0
#define TALL       900.0 /* from here on a band has a row for each tile if it can */
#define MOST_BSP   4096.0
#define LEAST_ROW  10.0
#define MOST_ROW   40.0
#define USUAL_ROW  18.0
#define LEAST_BAND 0.01 /* of the tiles */

G_DEFINE_FINAL_TYPE (TsrTraceView, tsr_trace_view, TSR_TYPE_PLANE)

guint tsr_trace_view_signals[TSR_TRACE_VIEW_N_SIGNALS];

TsrTraceState *
tsr_trace_view_get_state (TsrTraceView *self)
{
  return tsr_trace_chart_get_state (self->chart);
}

static TsrTraceFold *
get_fold (TsrTraceView *self)
{
  return tsr_trace_chart_get_fold (self->chart);
}

/* Positions, cycles and pixels */

gint64
tsr_trace_view_cycles_at (TsrTraceView *self, double x)
{
  return tsr_trace_fold_get_cycles (get_fold (self), tsr_plane_data_at (TSR_PLANE (self), x));
}

/* Hits */

static guint32
hash_hit (const TsrTraceHit *hit)
{
  const guint64 parts[]
      = { hit->kind, hit->ipu, hit->index, hit->track, hit->depth, hit->item, hit->slice };
  guint64 hash = G_GUINT64_CONSTANT (14695981039346656037);

  if (hit->kind == TSR_TRACE_HIT_NOTHING)
    return TSR_NO_DATUM;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    hash = (hash ^ parts[i]) * G_GUINT64_CONSTANT (1099511628211);
  return (guint32)(hash ^ hash >> 32) & G_MAXINT32;
}

static gboolean
hit_at (TsrTraceView *self, double x, double y, TsrTraceHit *hit)
{
  TsrChartGeometry geometry;
  TsrPlotArea area;

  memset (hit, 0, sizeof *hit);
  hit->kind = TSR_TRACE_HIT_NOTHING;
  if (self->chart == NULL || !tsr_plane_get_geometry (TSR_PLANE (self), &geometry, &area))
    return FALSE;
  tsr_trace_chart_hit (self->chart, &geometry, &area, x, y, hit);
  return hit->kind != TSR_TRACE_HIT_NOTHING;
}

static guint32
tsr_trace_view_datum_at (TsrPlane *plane, double x, double y)
{
  TsrTraceHit hit;

  hit_at (TSR_TRACE_VIEW (plane), x, y, &hit);
  return hash_hit (&hit);
}

static char *
tsr_trace_view_describe (TsrPlane *plane, guint32 datum)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  if (datum == hash_hit (&self->hit))
    return tsr_trace_chart_describe_hit (self->chart, &self->hit);
  if (datum == hash_hit (&self->cursor))
    return tsr_trace_chart_describe_hit (self->chart, &self->cursor);
  return NULL;
}

static gboolean
tsr_trace_view_get_anchor (TsrPlane *plane, guint32 datum, double *x, double *y)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  const TsrTraceHit *hit = datum == hash_hit (&self->cursor) ? &self->cursor : &self->hit;
  TsrChartGeometry geometry;
  TsrPlotArea area;
  double width, height;

  if (datum != hash_hit (hit) || !tsr_plane_get_geometry (plane, &geometry, &area)
      || !tsr_trace_chart_get_place (self->chart, &geometry, &area, hit, x, y, &width, &height))
    return FALSE;
  *x += width / 2;
  *y += height / 2;
  return TRUE;
}

void
tsr_trace_view_set_hit (TsrTraceView *self, const TsrTraceHit *hit, double x, double y)
{
  g_autofree char *text = NULL;

  if (hit != NULL)
    self->hit = *hit;
  else
    self->hit.kind = TSR_TRACE_HIT_NOTHING;
  tsr_plane_set_hover (TSR_PLANE (self), hash_hit (&self->hit));
  if (self->chart == NULL)
    return;
  tsr_trace_chart_set_hover (self->chart, hit);
  if (hit != NULL)
    text = tsr_trace_chart_describe_hit (self->chart, hit);
  tsr_plane_show_text (TSR_PLANE (self), text, x, y);
}

static void
tsr_trace_view_motion (TsrPlane *plane, double x, double y)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTraceHit hit;
  gboolean any, press;

  if (self->drag == TSR_TRACE_DRAG_SPAN || self->drag == TSR_TRACE_DRAG_PAN)
    return;
  any = hit_at (self, x, y, &hit);
  press = hit.kind == TSR_TRACE_HIT_ARROW || hit.kind == TSR_TRACE_HIT_PIN
          || hit.kind == TSR_TRACE_HIT_MARKER;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), press ? "pointer" : NULL);
  tsr_trace_view_set_hit (self, any ? &hit : NULL, x, y);
}

/* The pointer has left. */
static void
on_hover_changed (TsrTraceView *self)
{
  if (tsr_plane_get_hover (TSR_PLANE (self)) != TSR_NO_DATUM
      || self->hit.kind == TSR_TRACE_HIT_NOTHING)
    return;
  self->hit.kind = TSR_TRACE_HIT_NOTHING;
  if (self->chart != NULL)
    tsr_trace_chart_set_hover (self->chart, NULL);
}

void
tsr_trace_view_put_cursor (TsrTraceView *self, const TsrTraceHit *hit)
{
  self->cursor = *hit;
  tsr_trace_chart_set_cursor (self->chart, NULL);
  tsr_plane_put_cursor (TSR_PLANE (self), hash_hit (hit), FALSE);
}

void
tsr_trace_view_set_cursor (TsrTraceView *self, const TsrTraceHit *hit)
{
  self->cursor = *hit;
  tsr_trace_chart_set_cursor (self->chart, hit->kind != TSR_TRACE_HIT_NOTHING ? hit : NULL);
  tsr_plane_set_cursor (TSR_PLANE (self), hash_hit (hit));
}

static void
reveal_rows (TsrTraceView *self, const TsrTraceHit *hit)
{
  double page = gtk_adjustment_get_page_size (self->adjustment), top, height;
  double pinned = tsr_trace_chart_get_pinned_height (self->chart);
  gboolean is_pinned;

  if (!tsr_trace_chart_get_row_place (self->chart, hit, &top, &height, &is_pinned) || is_pinned)
    return;
  /* What is pinned stands over what is scrolled. */
  if (top - pinned < gtk_adjustment_get_value (self->adjustment))
    gtk_adjustment_set_value (self->adjustment, top - pinned);
  else if (top + height > gtk_adjustment_get_value (self->adjustment) + page)
    gtk_adjustment_set_value (self->adjustment, top + height - page);
}

/* What is longer than what is visible and in sight already stays where it is. */
static void
tsr_trace_view_reveal (TsrPlane *plane, guint32 datum)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  gint64 from, to;
  double a, b, first, end;

  if (datum != hash_hit (&self->cursor))
    return;
  reveal_rows (self, &self->cursor);
  if (!tsr_trace_view_get_extent (self, &self->cursor, &from, &to))
    return;
  a = tsr_trace_fold_get_position (get_fold (self), from);
  b = tsr_trace_fold_get_position (get_fold (self), to);
  tsr_viewport_get_range (self->viewport, &first, &end);
  if (b - a <= end - first || b <= first || a >= end)
    tsr_viewport_reveal (self->viewport, a, b);
}

/* Layout */

static void
draw_measure (TsrTraceView *self, const TsrPlotArea *area, TsrDrawList *list)
{
  double left = MIN (self->span_from, self->span_to), right = MAX (self->span_from, self->span_to);
  double x = tsr_plane_x_of (TSR_PLANE (self), (left + right) / 2);
  gint64 cycles = tsr_trace_fold_get_cycles (get_fold (self), right)
                  - tsr_trace_fold_get_cycles (get_fold (self), left);
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  g_autofree char *count = tsr_trace_format_cycles (trace, cycles, FALSE);
  g_autofree char *time = tsr_trace_format_cycles (trace, cycles, TRUE);
  g_autofree char *text = isfinite (tsr_trace_get_clock (trace))
                              ? g_strdup_printf ("%s · %s", count, time)
                              : g_strdup (count);
  TsrDrawItem *label;

  tsr_plane_draw_span (TSR_PLANE (self), list, left, right);
  label = tsr_draw_list_label (list, TSR_INK_TEXT, x, area->y + 4, 0.5, 0, text);
  label->bold = TRUE;
}

static void
tsr_trace_view_layout_band (TsrPlane *plane, const TsrPlotArea *area, TsrDrawList *list)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  if (self->drag == TSR_TRACE_DRAG_SPAN)
    draw_measure (self, area, list);
}

/* On a tall window a row of pixels for each tile, also when rows scroll for it. */
static void
fit_band (TsrTraceView *self, const TsrPlotArea *area)
{
  gint64 tiles = tsr_trace_get_tiles_per_ipu (tsr_trace_chart_get_trace (self->chart));
  double height = LEAST_BSP;

  if (area->height >= TALL && tiles != TSR_UNKNOWN)
    height = CLAMP (tiles, LEAST_BSP, MOST_BSP);
  if (height == self->bsp_height)
    return;
  self->bsp_height = height;
  tsr_trace_chart_set_bsp_height (self->chart, height);
}

/* When bands of tiles are switched on, the first that is not above comes into sight, if too little
 * of it is. */
static void
reveal_band (TsrTraceView *self)
{
  gboolean bsp = tsr_trace_state_has (tsr_trace_view_get_state (self), TSR_TRACE_OPTION_BSP);
  guint n_ipus = tsr_trace_get_n_ipus (tsr_trace_chart_get_trace (self->chart));
  double page = gtk_adjustment_get_page_size (self->adjustment);
  double value = gtk_adjustment_get_value (self->adjustment);
  double pinned = tsr_trace_chart_get_pinned_height (self->chart);
  gboolean was = self->bsp;

  self->bsp = bsp;
  if (was || !bsp)
    return;
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      TsrTraceHit hit = { .kind = TSR_TRACE_HIT_TILE, .ipu = ipu };
      gboolean is_pinned;
      double top, height;

      if (!tsr_trace_chart_get_row_place (self->chart, &hit, &top, &height, &is_pinned))
        continue;
      if (is_pinned)
        return;
      if (top + height - pinned <= value)
        continue;
      if (value + page - top < MIN (height, LEAST_BSP))
        gtk_adjustment_set_value (self->adjustment, MIN (top + height - page, top - pinned));
      return;
    }
}

/* The chart's signals come back here while places are given: the plot alone is laid out again. */
static const TsrPlotArea *
fit_rows (TsrTraceView *self, int width, int height)
{
  const TsrPlotArea *area = tsr_plane_layout_for (TSR_PLANE (self), width, height);
  double rows, page, value;

  fit_band (self, area);
  rows = tsr_trace_chart_get_height (self->chart);
  page = MAX (area->height, 1);
  value = CLAMP (gtk_adjustment_get_value (self->adjustment), 0, MAX (rows - page, 0));
  gtk_adjustment_configure (self->adjustment, value, 0, MAX (rows, page), self->row_height,
                            page * 0.9, page);
  gtk_widget_set_child_visible (self->scrollbar, rows > page + 0.5);
  reveal_band (self);
  tsr_trace_chart_set_top (self->chart, gtk_adjustment_get_value (self->adjustment));
  return tsr_plane_layout_for (TSR_PLANE (self), width, height);
}

typedef struct
{
  TsrTrace *trace;
  GArray *slices; /* guint32 */
} ReadJob;

static void
read_job_free (gpointer data)
{
  ReadJob *job = data;

  tsr_trace_unref (job->trace);
  g_array_unref (job->slices);
  g_free (job);
}

static void
read_tiles (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ReadJob *job = data;

  for (guint i = 0; i < job->slices->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      TsrTileCycles *cycles
          = tsr_trace_load_tile_cycles (job->trace, g_array_index (job->slices, guint32, i), NULL);

      g_clear_pointer (&cycles, tsr_tile_cycles_unref);
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_tiles_read (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrTraceView *self = TSR_TRACE_VIEW (source);

  if (g_task_get_cancellable (G_TASK (result)) != self->reading)
    return;
  g_clear_object (&self->reading);
  if (self->chart != NULL)
    tsr_chart_model_emit_changed (TSR_CHART_MODEL (self->chart));
}

/* Each set once: what cannot be read is not asked for again and again. */
static void
read_wanted (TsrTraceView *self)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  g_autoptr (GArray) wanted = NULL;
  g_autoptr (GTask) task = NULL;
  ReadJob *job;

  if (self->reading != NULL
      || !tsr_trace_state_has (tsr_trace_view_get_state (self), TSR_TRACE_OPTION_BSP))
    return;
  wanted = tsr_trace_chart_dup_wanted (self->chart);
  job = g_new0 (ReadJob, 1);
  job->trace = tsr_trace_ref (trace);
  job->slices = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < wanted->len && job->slices->len < MOST_READ; i++)
    {
      guint32 slice = g_array_index (wanted, guint32, i);
      gint64 set = tsr_trace_get_tile_set (trace, slice);

      if (set != TSR_UNKNOWN && g_hash_table_add (self->tried, g_memdup2 (&set, sizeof set)))
        g_array_append_val (job->slices, slice);
    }
  if (job->slices->len == 0)
    {
      read_job_free (job);
      return;
    }
  self->reading = g_cancellable_new ();
  task = g_task_new (self, self->reading, on_tiles_read, NULL);
  g_task_set_source_tag (task, read_wanted);
  g_task_set_task_data (task, job, read_job_free);
  tsr_task_run_in_thread (task, read_tiles);
}

static void
tsr_trace_view_place (TsrPlane *plane, int width, int height, GdkRectangle *canvas)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  int top = TSR_TRACE_MAP_HEIGHT + MAP_GAP, bar;
  const TsrPlotArea *area;

  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, &bar, NULL, NULL, NULL);
  *canvas = (GdkRectangle){ 0, top, MAX (width - bar, 1), MAX (height - top, 1) };
  if (self->chart == NULL)
    {
      gtk_widget_set_child_visible (self->scrollbar, FALSE);
      gtk_widget_set_child_visible (GTK_WIDGET (self->mini_map), FALSE);
      return;
    }
  self->placing = TRUE;
  area = fit_rows (self, canvas->width, canvas->height);
  self->placing = FALSE;
  gtk_widget_set_child_visible (GTK_WIDGET (self->mini_map), TRUE);
  tsr_plane_allocate_child (GTK_WIDGET (self->mini_map), round (area->x), 0,
                            (int)lround (area->width), TSR_TRACE_MAP_HEIGHT);
  tsr_plane_allocate_child (self->scrollbar, width - bar, round (top + area->y), bar,
                            (int)lround (area->height));
  read_wanted (self);
}

static void
on_scrolled (TsrTraceView *self)
{
  if (self->placing || self->chart == NULL)
    return;
  tsr_trace_chart_set_top (self->chart, gtk_adjustment_get_value (self->adjustment));
  tsr_plane_invalidate (TSR_PLANE (self));
}

void
tsr_trace_view_set_row_height (TsrTraceView *self, double height)
{
  self->row_height = CLAMP (round (height), LEAST_ROW, MOST_ROW);
  if (self->chart != NULL)
    tsr_trace_chart_set_row_height (self->chart, self->row_height);
  tsr_plane_invalidate (TSR_PLANE (self));
}

static void
set_band (TsrTraceView *self, double from, double span)
{
  self->bsp_from = CLAMP (from, 0, 1 - span);
  self->bsp_to = self->bsp_from + span;
  if (self->chart != NULL)
    tsr_trace_chart_set_bsp_range (self->chart, self->bsp_from, self->bsp_to);
  tsr_plane_invalidate (TSR_PLANE (self));
}

/* @at: 0..1 of the tiles; @factor > 1: closer, 0: all of them. */
void
tsr_trace_view_zoom_band (TsrTraceView *self, double at, double factor)
{
  double span = self->bsp_to - self->bsp_from;
  double wanted = factor > 0 ? CLAMP (span / factor, LEAST_BAND, 1) : 1;

  set_band (self, at - (at - self->bsp_from) / span * wanted, wanted);
}

/* By a part of what is visible of the tiles. */
void
tsr_trace_view_pan_band (TsrTraceView *self, double part)
{
  double span = self->bsp_to - self->bsp_from;

  set_band (self, self->bsp_from + part * span, span);
}

/* Where @y is in the band that was hit: 0..1 of what is visible of its tiles. */
gboolean
tsr_trace_view_get_band_place (
    TsrTraceView *self, const TsrTraceHit *hit, const TsrPlotArea *area, double y, double *place)
{
  gboolean pinned;
  double top, height;

  if (hit->kind != TSR_TRACE_HIT_TILE
      || !tsr_trace_chart_get_row_place (self->chart, hit, &top, &height, &pinned) || height <= 0)
    return FALSE;
  *place
      = (y - area->y + (pinned ? 0 : gtk_adjustment_get_value (self->adjustment)) - top) / height;
  return TRUE;
}

/* What is visible */

static gboolean
on_settled (gpointer data)
{
  TsrTraceView *self = data;

  self->settle = 0;
  g_signal_emit (self, tsr_trace_view_signals[TSR_TRACE_VIEW_SETTLED], 0);
  return G_SOURCE_REMOVE;
}

static void
note_visible (TsrTraceView *self)
{
  double from, to, first, end;

  if (self->chart == NULL)
    return;
  tsr_viewport_get_range (self->viewport, &from, &to);
  tsr_viewport_get_domain (self->viewport, &first, &end);
  self->whole = from <= first && to >= end;
  self->from = tsr_trace_fold_get_cycles (get_fold (self), from);
  /* The last cycle that is seen at all. */
  self->to = tsr_trace_fold_get_cycles (get_fold (self), ceil (to - 1e-9));
  if (self->whole)
    tsr_trace_fold_get_domain (get_fold (self), &self->from, &self->to);
  g_clear_handle_id (&self->settle, g_source_remove);
  self->settle = g_timeout_add (SETTLE_MS, on_settled, self);
}

static void
on_viewport_changed (TsrTraceView *self)
{
  note_visible (self);
  tsr_plane_invalidate (TSR_PLANE (self));
}

/* The fold is another one: the same cycles are shown again, or the whole if it was the whole.
 * Positions of before mean nothing any more. */
static void
tsr_trace_view_domain_changed (TsrPlane *plane, gboolean new_model)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  gint64 first, end, from = self->from, to = self->to;
  gboolean whole = self->whole || self->from >= self->to;
  double least = 1;
  double a, b;

  if (self->chart == NULL)
    return;
  tsr_trace_fold_get_domain (get_fold (self), &first, &end);
  if (self->wanted_from < self->wanted_to)
    {
      from = self->wanted_from;
      to = self->wanted_to;
      whole = FALSE;
      self->wanted_from = self->wanted_to = 0;
    }
  from = MAX (from, first);
  to = MIN (to, end);
  tsr_chart_model_get_domain (TSR_CHART_MODEL (self->chart), &a, &b, &least);
  if (!(b > a))
    b = a + 1;
  g_signal_handlers_block_by_func (self->viewport, on_viewport_changed, self);
  tsr_viewport_set_domain (self->viewport, a, b, least);
  if (whole || from >= to)
    tsr_viewport_restart (self->viewport, a, b);
  else
    tsr_viewport_restart (self->viewport, tsr_trace_fold_get_position (get_fold (self), from),
                          tsr_trace_fold_get_position (get_fold (self), to));
  g_signal_handlers_unblock_by_func (self->viewport, on_viewport_changed, self);
  on_viewport_changed (self);
}

gboolean
tsr_trace_view_get_visible (TsrTraceView *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), FALSE);
  *from = self->chart != NULL ? self->from : self->wanted_from;
  *to = self->chart != NULL ? self->to : self->wanted_to;
  return self->chart != NULL;
}

gboolean
tsr_trace_view_is_whole (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), TRUE);
  return self->chart != NULL ? self->whole : self->wanted_from >= self->wanted_to;
}

void
tsr_trace_view_show (TsrTraceView *self, gint64 from, gint64 to)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self));
  if (self->chart == NULL)
    {
      self->wanted_from = from;
      self->wanted_to = to;
      return;
    }
  if (from >= to)
    return;
  tsr_trace_view_ensure_run (self, from, to);
  tsr_viewport_set_range (self->viewport, tsr_trace_fold_get_position (get_fold (self), from),
                          tsr_trace_fold_get_position (get_fold (self), to), 0);
}

void
tsr_trace_view_zoom_to (TsrTraceView *self, gint64 from, gint64 to)
{
  double a, b, margin;

  g_return_if_fail (TSR_IS_TRACE_VIEW (self));
  if (self->chart == NULL || from > to)
    return;
  tsr_trace_view_ensure_run (self, from, to);
  a = tsr_trace_fold_get_position (get_fold (self), from);
  b = tsr_trace_fold_get_position (get_fold (self), to);
  margin = MAX ((b - a) * 0.05, 1);
  tsr_viewport_set_range (self->viewport, a - margin, b + margin, 0);
}

/* Object */

static void
tsr_trace_view_cancel (TsrPlane *plane)
{
  TSR_TRACE_VIEW (plane)->drag = TSR_TRACE_DRAG_NONE;
  gtk_widget_set_cursor (GTK_WIDGET (plane), NULL);
  tsr_plane_invalidate_overlay (plane);
}

static void
stop_reading (TsrTraceView *self)
{
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

static void
tsr_trace_view_dispose (GObject *object)
{
  TsrTraceView *self = TSR_TRACE_VIEW (object);

  g_clear_handle_id (&self->settle, g_source_remove);
  stop_reading (self);
  if (self->viewport != NULL)
    g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_clear_object (&self->chart);
  G_OBJECT_CLASS (tsr_trace_view_parent_class)->dispose (object);
  g_clear_object (&self->viewport);
  g_clear_object (&self->adjustment);
  g_clear_pointer (&self->tried, g_hash_table_unref);
}

static void
tsr_trace_view_class_init (TsrTraceViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);
  guint *signals = tsr_trace_view_signals;

  G_OBJECT_CLASS (klass)->dispose = tsr_trace_view_dispose;
  plane_class->name = N_ ("Execution trace");
  plane_class->hint = N_ ("Arrow keys move along and over the steps");
  plane_class->minimum_height = 140;
  plane_class->layout_band = tsr_trace_view_layout_band;
  plane_class->place = tsr_trace_view_place;
  plane_class->datum_at = tsr_trace_view_datum_at;
  plane_class->describe = tsr_trace_view_describe;
  plane_class->get_anchor = tsr_trace_view_get_anchor;
  plane_class->reveal = tsr_trace_view_reveal;
  plane_class->motion = tsr_trace_view_motion;
  plane_class->cancel = tsr_trace_view_cancel;
  plane_class->domain_changed = tsr_trace_view_domain_changed;
  plane_class->add_menu_items = tsr_trace_view_add_menu_items;
  tsr_trace_view_class_add_input (plane_class);
  tsr_trace_view_class_add_actions (plane_class);
  signals[TSR_TRACE_VIEW_SETTLED]
      = g_signal_new ("settled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TSR_TRACE_VIEW_SELECT_TILE]
      = g_signal_new ("select-tile", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                      G_TYPE_UINT, G_TYPE_UINT, G_TYPE_BOOLEAN);
  signals[TSR_TRACE_VIEW_EDIT_MARKER] = g_signal_new (
      "edit-marker", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[TSR_TRACE_VIEW_MARK] = g_signal_new ("mark", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                               G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
}

static void
tsr_trace_view_init (TsrTraceView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->whole = TRUE;
  self->row_height = USUAL_ROW;
  self->bsp_to = 1;
  self->tried = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->viewport = tsr_viewport_new ();
  tsr_plane_set_viewport (TSR_PLANE (self), self->viewport);
  g_signal_connect_swapped (self->viewport, "changed", G_CALLBACK (on_viewport_changed), self);
  self->mini_map = tsr_mini_map_new (self->viewport);
  gtk_widget_set_parent (GTK_WIDGET (self->mini_map), widget);
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->adjustment);
  gtk_widget_add_css_class (self->scrollbar, "slim");
  gtk_widget_set_parent (self->scrollbar, widget);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_scrolled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "hover-changed", G_CALLBACK (on_hover_changed), NULL);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  tsr_plane_set_file_name (TSR_PLANE (self), "trace");
}

TsrTraceView *
tsr_trace_view_new (void)
{
  return g_object_new (TSR_TYPE_TRACE_VIEW, NULL);
}

void
tsr_trace_view_set_chart (TsrTraceView *self, TsrTraceChart *chart)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self) && (chart == NULL || TSR_IS_TRACE_CHART (chart)));
  if (chart == self->chart)
    return;
  stop_reading (self);
  g_hash_table_remove_all (self->tried);
  self->hit.kind = self->cursor.kind = TSR_TRACE_HIT_NOTHING;
  g_set_object (&self->chart, chart);
  self->bsp_height = 0;
  if (chart != NULL)
    {
      self->bsp = tsr_trace_state_has (tsr_trace_chart_get_state (chart), TSR_TRACE_OPTION_BSP);
      tsr_trace_chart_set_row_height (chart, self->row_height);
      tsr_trace_chart_set_bsp_range (chart, self->bsp_from, self->bsp_to);
    }
  tsr_mini_map_set_model (self->mini_map, (TsrChartModel *)chart);
  tsr_plane_set_model (TSR_PLANE (self), (TsrChartModel *)chart);
}

TsrTraceChart *
tsr_trace_view_get_chart (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  return self->chart;
}

void
tsr_trace_view_set_viewport (TsrTraceView *self, TsrViewport *viewport)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self) && TSR_IS_VIEWPORT (viewport));
  g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_set_object (&self->viewport, viewport);
  tsr_plane_set_viewport (TSR_PLANE (self), viewport);
  g_signal_connect_swapped (viewport, "changed", G_CALLBACK (on_viewport_changed), self);
  tsr_mini_map_set_viewport (self->mini_map, viewport);
  tsr_trace_view_domain_changed (TSR_PLANE (self), FALSE);
}

TsrViewport *
tsr_trace_view_get_viewport (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  return self->viewport;
}

GtkAdjustment *
tsr_trace_view_get_adjustment (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  return self->adjustment;
}

void
tsr_trace_view_get_hit (TsrTraceView *self, TsrTraceHit *hit)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self) && hit != NULL);
  *hit = self->hit.kind != TSR_TRACE_HIT_NOTHING ? self->hit : self->cursor;
}

char *
tsr_trace_view_dup_hover (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  return self->chart != NULL ? tsr_plane_dup_line (TSR_PLANE (self)) : NULL;
}

gboolean
tsr_trace_view_is_busy (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), FALSE);
  return self->reading != NULL || self->settle != 0;
}
