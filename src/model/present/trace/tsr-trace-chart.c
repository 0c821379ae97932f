/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The object: what it shows follows the state's signals; each does as little as it needs. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <string.h>

#define ROW_HEIGHT   18.0
#define BAND_HEIGHT  240.0
#define LEAST_BAND   40.0
#define LEAST_CYCLES 16 /* that may be shown */

G_DEFINE_FINAL_TYPE (TsrTraceChart, tsr_trace_chart, TSR_TYPE_CHART_MODEL)

/* ------------------------------------------------------------------ state */

/* (transfer full) (nullable): a byte for each IPU that is shown; NULL: all. */
static guint8 *
dup_ipus (TsrTraceChart *self)
{
  guint ipu = tsr_trace_state_get_ipu (self->state);
  guint n = tsr_trace_get_n_ipus (self->trace);
  guint8 *ipus;

  if (ipu >= n)
    return NULL;
  ipus = g_new0 (guint8, n);
  ipus[ipu] = 1;
  return ipus;
}

static gboolean
folds_equal (const TsrTraceFold *a, const TsrTraceFold *b)
{
  gint64 from[2];
  gint64 to[2];

  tsr_trace_fold_get_domain (a, &from[0], &to[0]);
  tsr_trace_fold_get_domain (b, &from[1], &to[1]);
  if (from[0] != from[1] || to[0] != to[1]
      || tsr_trace_fold_get_n_notches (a) != tsr_trace_fold_get_n_notches (b))
    return FALSE;
  for (guint i = 0; i < tsr_trace_fold_get_n_notches (a); i++)
    {
      tsr_trace_fold_get_notch (a, i, &from[0], &to[0]);
      tsr_trace_fold_get_notch (b, i, &from[1], &to[1]);
      if (from[0] != from[1] || to[0] != to[1])
        return FALSE;
    }
  return TRUE;
}

/* TRUE when the axis is another one. */
static gboolean
update_fold (TsrTraceChart *self)
{
  g_autofree guint8 *ipus = dup_ipus (self);
  g_autoptr (TsrTraceFold) fold = NULL;
  gint64 from;
  gint64 to;

  tsr_trace_state_get_domain (self->state, self->trace, &from, &to);
  if (from >= to)
    tsr_trace_chart_get_block_domain (self, &from, &to);
  fold = tsr_trace_fold_new (self->trace, from, to, ipus,
                             tsr_trace_state_has (self->state, TSR_TRACE_OPTION_FOLD));
  if (self->fold != NULL && folds_equal (self->fold, fold))
    return FALSE;
  g_clear_pointer (&self->fold, tsr_trace_fold_free);
  self->fold = g_steal_pointer (&fold);
  return TRUE;
}

static void
update_axis (TsrTraceChart *self)
{
  if (update_fold (self))
    tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

static void
on_options_changed (TsrTraceState *state, TsrTraceChart *self)
{
  tsr_trace_chart_clear_rows (self);
  tsr_trace_chart_clear_blocks (self);
  update_axis (self);
}

static void
on_run_changed (TsrTraceState *state, TsrTraceChart *self)
{
  update_axis (self);
}

static void
on_hidden_changed (TsrTraceState *state, TsrTraceChart *self)
{
  self->hidden = tsr_trace_state_get_hidden_mask (state, self->trace);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void
update_found (TsrTraceChart *self)
{
  TsrTraceMatches *matches = tsr_trace_state_get_matches (self->state);

  g_clear_pointer (&self->found, g_ptr_array_unref);
  if (matches == NULL)
    return;
  self->found = g_ptr_array_new ();
  for (guint32 name = 0; name < tsr_trace_get_n_names (self->trace); name++)
    if (tsr_trace_matches_has (matches, name))
      g_ptr_array_add (self->found, (gpointer)tsr_trace_get_name (self->trace, name));
  g_ptr_array_sort (self->found, compare_texts);
}

static void
on_search_changed (TsrTraceState *state, TsrTraceChart *self)
{
  update_found (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

static void
on_overlay_changed (TsrTraceState *state, TsrTraceChart *self)
{
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

/* ------------------------------------------------------------------ model */

static void
get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);

  *from = 0;
  *to = MAX (tsr_trace_fold_get_length (self->fold), 1);
  *min_span = MIN (*to, LEAST_CYCLES);
}

/* What is at an x depends on the y: tsr_trace_chart_hit. */
static guint32
datum_at (TsrChartModel *model, double x)
{
  return TSR_NO_DATUM;
}

static guint
get_n_series (TsrChartModel *model)
{
  return tsr_trace_get_n_types (TSR_TRACE_CHART (model)->trace);
}

static void
get_series (TsrChartModel *model, guint i, TsrChartSeries *series)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);
  const TsrTraceType *type = tsr_trace_get_type (self->trace, i);

  *series = (TsrChartSeries){ .name = type->label,
                              .ink = tsr_trace_get_ink (type),
                              .filled = TRUE,
                              .visible = (self->hidden & 1u << i) == 0 };
}

static void
set_series_visible (TsrChartModel *model, guint i, gboolean visible)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);

  tsr_trace_state_set_hidden (self->state, tsr_trace_get_type (self->trace, i)->label, !visible);
}

/* Where it is close whether a row is a crowd, it is the same in the copy. */
static void
copy_crowding (TsrTraceChart *copy, const TsrTraceChart *self)
{
  if (self->rows == NULL)
    return;
  tsr_trace_chart_ensure_rows (copy);
  g_return_if_fail (copy->rows->len == self->rows->len);
  for (guint i = 0; i < self->rows->len; i++)
    g_array_index (copy->rows, TsrTraceChartRow, i).crowding
        = g_array_index (self->rows, TsrTraceChartRow, i).crowding;
}

static TsrChartModel *
dup_model (TsrChartModel *model)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);
  g_autoptr (TsrTraceState) state = tsr_trace_state_dup (self->state);
  TsrTraceChart *copy = tsr_trace_chart_new (self->trace, state);

  copy->top = self->top;
  copy->row_height = self->row_height;
  copy->room = self->room;
  copy->band_height = self->band_height;
  copy->band_from = self->band_from;
  copy->band_to = self->band_to;
  copy->order = self->order;
  tsr_trace_chart_set_marks (copy, self->marks);
  tsr_trace_chart_set_live (copy, self->live, self->units, self->no_live);
  copy_crowding (copy, self);
  return TSR_CHART_MODEL (copy);
}

/* ----------------------------------------------------------------- object */

static void
tsr_trace_chart_finalize (GObject *object)
{
  TsrTraceChart *self = TSR_TRACE_CHART (object);

  tsr_trace_chart_clear_rows (self);
  tsr_trace_chart_clear_blocks (self);
  tsr_trace_chart_clear_runs (self);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_clear_pointer (&self->marks, tsr_trace_marks_unref);
  g_clear_pointer (&self->live, tsr_trace_live_unref);
  g_free (self->no_live);
  g_clear_pointer (&self->fold, tsr_trace_fold_free);
  g_array_unref (self->wanted);
  g_free (self->pieces);
  g_clear_object (&self->state);
  g_clear_pointer (&self->trace, tsr_trace_unref);
  G_OBJECT_CLASS (tsr_trace_chart_parent_class)->finalize (object);
}

static void
tsr_trace_chart_class_init (TsrTraceChartClass *klass)
{
  TsrChartModelClass *model = TSR_CHART_MODEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tsr_trace_chart_finalize;
  model->get_domain = get_domain;
  model->layout = tsr_trace_chart_layout;
  model->layout_overlay = tsr_trace_chart_layout_overlay;
  model->layout_overview = tsr_trace_chart_layout_overview;
  model->datum_at = datum_at;
  model->describe = tsr_trace_chart_describe;
  model->dup_caption = tsr_trace_chart_dup_caption;
  model->get_n_series = get_n_series;
  model->get_series = get_series;
  model->set_series_visible = set_series_visible;
  model->write_csv = tsr_trace_chart_write_csv;
  model->dup = dup_model;
}

static void
tsr_trace_chart_init (TsrTraceChart *self)
{
  self->row_height = ROW_HEIGHT;
  self->band_height = BAND_HEIGHT;
  self->band_to = 1;
  self->wanted = g_array_new (FALSE, FALSE, sizeof (guint32));
}

TsrTraceChart *
tsr_trace_chart_new (TsrTrace *trace, TsrTraceState *state)
{
  TsrTraceChart *self;
  const struct
  {
    const char *signal;
    gpointer handler;
  } follow[] = {
    { "options-changed", on_options_changed }, { "hidden-changed", on_hidden_changed },
    { "span-changed", on_overlay_changed },    { "steps-changed", on_overlay_changed },
    { "search-changed", on_search_changed },   { "run-changed", on_run_changed },
    { "markers-changed", on_overlay_changed },
  };

  g_return_val_if_fail (trace != NULL, NULL);
  g_return_val_if_fail (TSR_IS_TRACE_STATE (state), NULL);

  self = g_object_new (TSR_TYPE_TRACE_CHART, NULL);
  self->trace = tsr_trace_ref (trace);
  self->state = g_object_ref (state);
  self->hidden = tsr_trace_state_get_hidden_mask (state, trace);
  for (guint t = 0; t < tsr_trace_get_n_types (trace); t++)
    {
      self->inks[t] = (guint8)tsr_trace_type_ink (tsr_trace_get_type (trace, t));
      if (tsr_trace_get_type (trace, t)->group == TSR_STEP_GROUP_COMPUTE)
        self->compute |= 1u << t;
    }
  update_found (self);
  update_fold (self);
  for (guint i = 0; i < G_N_ELEMENTS (follow); i++)
    g_signal_connect_object (state, follow[i].signal, G_CALLBACK (follow[i].handler), self, 0);
  return self;
}

TsrTrace *
tsr_trace_chart_get_trace (TsrTraceChart *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), NULL);
  return self->trace;
}

TsrTraceState *
tsr_trace_chart_get_state (TsrTraceChart *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), NULL);
  return self->state;
}

TsrTraceFold *
tsr_trace_chart_get_fold (TsrTraceChart *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), NULL);
  return self->fold;
}

/* ------------------------------------------------------------------ marks */

void
tsr_trace_chart_set_marks (TsrTraceChart *self, TsrTraceMarks *marks)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  if (marks != NULL)
    tsr_trace_marks_ref (marks);
  g_clear_pointer (&self->marks, tsr_trace_marks_unref);
  self->marks = marks;
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

void
tsr_trace_chart_set_live (TsrTraceChart *self, TsrTraceLive *live, TsrUnits units, const char *why)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  if (live == self->live && units == self->units && g_strcmp0 (why, self->no_live) == 0)
    return;
  if (live != NULL)
    tsr_trace_live_ref (live);
  g_clear_pointer (&self->live, tsr_trace_live_unref);
  self->live = live;
  self->units = units;
  g_free (self->no_live);
  self->no_live = g_strdup (why);
  tsr_trace_chart_clear_rows (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

/* ---------------------------------------------------------------- heights */

double
tsr_trace_chart_get_height (TsrTraceChart *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), 0);
  tsr_trace_chart_ensure_rows (self);
  return self->height;
}

double
tsr_trace_chart_get_pinned_height (TsrTraceChart *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), 0);
  tsr_trace_chart_ensure_rows (self);
  return self->pinned_height;
}

/* TRUE and everybody told when @place takes another value. */
static gboolean
set_number (TsrTraceChart *self, double *place, double value)
{
  if (*place == value)
    return FALSE;
  *place = value;
  return TRUE;
}

void
tsr_trace_chart_set_top (TsrTraceChart *self, double top)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  if (set_number (self, &self->top, CLAMP (top, 0, G_MAXINT)))
    tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_trace_chart_set_row_height (TsrTraceChart *self, double height)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  height = CLAMP (height, 10, 40);
  if (self->room == 0 && self->row_height == height)
    return;
  self->room = 0;
  self->row_height = height;
  tsr_trace_chart_clear_rows (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

double
tsr_trace_chart_get_row_height (TsrTraceChart *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), 0);
  tsr_trace_chart_ensure_rows (self);
  return self->steps_height;
}

void
tsr_trace_chart_set_room (TsrTraceChart *self, double height)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  if (!set_number (self, &self->room, CLAMP (height, 0, G_MAXINT)))
    return;
  self->row_height = ROW_HEIGHT;
  tsr_trace_chart_clear_rows (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_trace_chart_set_bsp_height (TsrTraceChart *self, double height)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  if (!set_number (self, &self->band_height, CLAMP (height, LEAST_BAND, 1 << 14)))
    return;
  tsr_trace_chart_clear_rows (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_trace_chart_set_bsp_range (TsrTraceChart *self, double from, double to)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  from = CLAMP (from, 0, 1);
  to = CLAMP (to, 0, 1);
  if (to <= from || (from == self->band_from && to == self->band_to))
    return;
  self->band_from = from;
  self->band_to = to;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_trace_chart_set_tile_order (TsrTraceChart *self, TsrTraceTileOrder order)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  if (self->order == order)
    return;
  self->order = order;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

GArray *
tsr_trace_chart_dup_wanted (TsrTraceChart *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), NULL);
  return g_array_copy (self->wanted);
}

static void
set_hit (TsrTraceChart *self, TsrTraceHit *place, const TsrTraceHit *hit)
{
  TsrTraceHit nothing = { .kind = TSR_TRACE_HIT_NOTHING };

  if (hit == NULL)
    hit = &nothing;
  if (memcmp (place, hit, sizeof *hit) == 0)
    return;
  memcpy (place, hit, sizeof *hit);
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

void
tsr_trace_chart_set_hover (TsrTraceChart *self, const TsrTraceHit *hit)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  set_hit (self, &self->hover, hit);
}

void
tsr_trace_chart_set_cursor (TsrTraceChart *self, const TsrTraceHit *hit)
{
  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  set_hit (self, &self->cursor, hit);
}
