/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The liveness graph.  Always-live bytes are the same at every step, so that the stack needs no
 * array of its own: not-always-live bytes are laid out as they are in a plot area that is moved
 * down by the always-live ones, and one rectangle stands for those.  What depends on series and
 * options is worked out when they change (`derive`); a layout is O(log n) a pixel column. */

#include "config.h"

#include "tsr-liveness-chart-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A view of fewer steps than this says nothing that the details do not. */
#define MIN_SPAN 8

G_DEFINE_FINAL_TYPE (TsrLivenessChart, tsr_liveness_chart, TSR_TYPE_CHART_MODEL)

/* ---------------------------------------------------------------- entries */

static void
entry_free (gpointer data)
{
  TsrLivenessEntry *entry = data;

  g_free (entry->key);
  g_free (entry->name);
  g_free (entry);
}

static void
lifetime_free (gpointer data)
{
  TsrLivenessLifetime *lifetime = data;

  g_free (lifetime->name);
  g_array_unref (lifetime->spans);
  tsr_lifetime_line_free (lifetime->line);
  g_free (lifetime);
}

const TsrLivenessEntry *
tsr_liveness_chart_find (TsrLivenessChart *self, TsrLivenessSeriesKind kind, guint *index)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->kind == kind && entry->visible)
        {
          if (index != NULL)
            *index = i;
          return entry;
        }
    }
  if (index != NULL)
    *index = TSR_NO_DATUM;
  return NULL;
}

static void
add_entry (TsrLivenessChart *self,
           TsrLivenessSeriesKind kind,
           guint lifetime,
           const char *key,
           const char *name,
           guint ink)
{
  TsrLivenessEntry *entry = g_new0 (TsrLivenessEntry, 1);

  entry->kind = kind;
  entry->lifetime = lifetime;
  entry->key = kind == TSR_LIVENESS_SERIES_VARIABLE ? g_strconcat ("variable ", key, NULL)
                                                    : g_strdup (key);
  entry->name = g_strdup (name);
  entry->ink = ink;
  entry->visible = !g_hash_table_contains (self->hidden, entry->key);
  g_ptr_array_add (self->entries, entry);
}

gboolean
tsr_liveness_chart_wants_always (TsrLivenessChart *self)
{
  return self->options.include_always_live && self->series != NULL
         && self->series->always_live != TSR_UNKNOWN;
}

gint64
tsr_liveness_chart_get_room (TsrLivenessChart *self)
{
  if (self->series == NULL || self->series->capacity == TSR_UNKNOWN
      || self->series->always_live == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  return tsr_add_saturating (self->series->capacity, -MAX (self->series->always_live, 0), NULL);
}

static void
derive_entries (TsrLivenessChart *self)
{
  g_ptr_array_set_size (self->entries, 0);
  if (self->series == NULL)
    return;
  add_entry (self, TSR_LIVENESS_SERIES_NOT_ALWAYS, 0, "notAlwaysLive", _ ("Not always live"),
             TSR_INK_NOT_ALWAYS_LIVE);
  if (tsr_liveness_chart_wants_always (self))
    add_entry (self, TSR_LIVENESS_SERIES_ALWAYS, 0, "alwaysLive", _ ("Always live"),
               TSR_INK_ALWAYS_LIVE);
  if (self->options.show_max && tsr_liveness_chart_get_room (self) != TSR_UNKNOWN)
    add_entry (self, TSR_LIVENESS_SERIES_MAX, 0, "maxMemory",
               tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_ALWAYS, NULL) != NULL
                   ? _ ("Max memory")
                   : _ ("Max memory − always live"),
               TSR_INK_CAPACITY);
  if (self->excess != NULL)
    add_entry (self, TSR_LIVENESS_SERIES_EXCESS, 0, "excess", _ ("Does not fit"), TSR_INK_OVERFLOW);
  if (self->tiles != NULL)
    add_entry (self, TSR_LIVENESS_SERIES_TILES, 0, "tiles",
               self->tiles_label != NULL ? self->tiles_label : _ ("Selected tiles"),
               TSR_INK_SELECTION);
  for (guint i = 0; i < self->lifetimes->len; i++)
    {
      const TsrLivenessLifetime *lifetime = g_ptr_array_index (self->lifetimes, i);

      add_entry (self, TSR_LIVENESS_SERIES_VARIABLE, i, lifetime->name, lifetime->name,
                 TSR_INK_MARK + i);
    }
}

/* ---------------------------------------------------------------- derived */

static gint64
largest (const TsrPyramid *pyramid, guint n)
{
  gint64 min;
  gint64 max;

  return pyramid != NULL && tsr_pyramid_get_range (pyramid, 0, n, &min, &max) ? MAX (max, 0) : 0;
}

gint64
tsr_liveness_chart_get_top (TsrLivenessChart *self, guint step)
{
  gint64 bytes = self->series->not_always_live[step];

  return bytes != TSR_UNKNOWN ? tsr_add_saturating (self->base, MAX (bytes, 0), NULL) : TSR_UNKNOWN;
}

gint64
tsr_liveness_chart_get_tiles (TsrLivenessChart *self, guint step)
{
  gint64 bytes = step < self->tiles->n_steps ? self->tiles->not_always_live[step] : TSR_UNKNOWN;

  if (bytes == TSR_UNKNOWN || self->base == 0)
    return bytes;
  return self->tiles->always_live != TSR_UNKNOWN
             ? tsr_add_saturating (bytes, self->tiles->always_live, NULL)
             : TSR_UNKNOWN;
}

static void
clear_series (TsrLivenessChart *self)
{
  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->excess_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->excess, g_free);
}

static void
clear_matches (TsrLivenessChart *self)
{
  g_clear_pointer (&self->matched_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->matched_excess_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->matched, g_free);
  g_clear_pointer (&self->matched_excess, g_free);
}

/* What belongs to the series alone: O(steps). */
static void
derive_series (TsrLivenessChart *self)
{
  gint64 room = tsr_liveness_chart_get_room (self);

  clear_series (self);
  if (self->series == NULL)
    return;
  self->pyramid = tsr_pyramid_new (self->series->not_always_live, self->n);
  if (room == TSR_UNKNOWN || largest (self->pyramid, self->n) <= room)
    return;
  self->excess = g_new (gint64, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    {
      gint64 bytes = self->series->not_always_live[i];

      self->excess[i]
          = bytes != TSR_UNKNOWN ? MAX (tsr_add_saturating (bytes, -room, NULL), 0) : TSR_UNKNOWN;
    }
  self->excess_pyramid = tsr_pyramid_new (self->excess, self->n);
}

/* (transfer full): @values of the steps that pass the filter, the others unknown. */
static gint64 *
dup_matched (TsrLivenessChart *self, const gint64 *values)
{
  gint64 *matched = g_new (gint64, MAX (self->n, 1));

  for (guint i = 0; i < self->n; i++)
    matched[i] = self->matches[i] ? values[i] : TSR_UNKNOWN;
  return matched;
}

static void
derive_matches (TsrLivenessChart *self)
{
  clear_matches (self);
  if (self->series == NULL || self->matches == NULL)
    return;
  self->matched = dup_matched (self, self->series->not_always_live);
  self->matched_pyramid = tsr_pyramid_new (self->matched, self->n);
  if (self->excess == NULL)
    return;
  self->matched_excess = dup_matched (self, self->excess);
  self->matched_excess_pyramid = tsr_pyramid_new (self->matched_excess, self->n);
}

static void
derive_axis (TsrLivenessChart *self)
{
  gboolean stacked = tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_ALWAYS, NULL) != NULL;
  gint64 room = tsr_liveness_chart_get_room (self);
  double top;

  self->base = stacked ? MAX (self->series->always_live, 0) : 0;
  self->level = TSR_UNKNOWN;
  if (room != TSR_UNKNOWN && (stacked || room >= 0))
    self->level = stacked ? self->series->capacity : room;
  self->y_from = stacked && self->options.from_always_live ? self->base : 0;
  top = (double)self->base;
  if (tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_NOT_ALWAYS, NULL) != NULL)
    top += largest (self->pyramid, self->n);
  if (tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_TILES, NULL) != NULL)
    top = MAX (top, (double)largest (self->tiles_pyramid, self->tiles->n_steps)
                        + (stacked ? MAX (self->tiles->always_live, 0) : 0));
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->kind == TSR_LIVENESS_SERIES_VARIABLE && entry->visible)
        {
          const TsrLivenessLifetime *lifetime
              = g_ptr_array_index (self->lifetimes, entry->lifetime);

          top = MAX (top, (double)self->y_from + lifetime->line->largest);
        }
    }
  if (self->level != TSR_UNKNOWN
      && tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_MAX, NULL) != NULL)
    top = MAX (top, (double)self->level);
  /* Never so little that the two ends are one number. */
  self->y_to = (double)self->y_from
               + MAX ((top - self->y_from) * TSR_CHART_HEADROOM, MAX (1, self->y_from * 1e-12));
}

static void
derive (TsrLivenessChart *self)
{
  derive_entries (self);
  derive_axis (self);
}

static void
emit_all (TsrLivenessChart *self)
{
  TsrChartModel *model = TSR_CHART_MODEL (self);

  tsr_chart_model_emit_series_changed (model);
  tsr_chart_model_emit_changed (model);
  tsr_chart_model_emit_overlay_changed (model);
}

/* ------------------------------------------------------------ chart model */

static void
liveness_chart_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);

  *from = 0;
  *to = MAX (self->n, 1);
  *min_span = MIN (*to, MIN_SPAN);
}

static guint32
liveness_chart_datum_at (TsrChartModel *model, double x)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);

  return self->series != NULL && x >= 0 && x < self->n ? (guint32)x : TSR_NO_DATUM;
}

/* A step that passes the filter stands before those that do not. */
static guint32
liveness_chart_datum_near (TsrChartModel *model, double from, double to)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  TsrStepData data = { .n = self->n };
  guint first;
  guint end;
  guint step;

  if (self->series == NULL || !(to > from))
    return TSR_NO_DATUM;
  data.top_pyramid = self->pyramid;
  tsr_step_get_positions (from, to, self->n, &first, &end);
  if (self->matched_pyramid != NULL && first < end
      && tsr_pyramid_get_argmax (self->matched_pyramid, first, end) != TSR_NO_INDEX)
    data.top_pyramid = self->matched_pyramid;
  step = tsr_step_position_at (&data, from, to);
  return step < self->n ? step : TSR_NO_DATUM;
}

static guint
liveness_chart_get_n_series (TsrChartModel *model)
{
  return TSR_LIVENESS_CHART (model)->entries->len;
}

static void
liveness_chart_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  const TsrLivenessEntry *entry;

  g_return_if_fail (i < self->entries->len);
  entry = g_ptr_array_index (self->entries, i);
  *out = (TsrChartSeries){
    .name = entry->name,
    .key = entry->key,
    .ink = entry->ink,
    .filled = entry->kind == TSR_LIVENESS_SERIES_NOT_ALWAYS
              || entry->kind == TSR_LIVENESS_SERIES_ALWAYS
              || entry->kind == TSR_LIVENESS_SERIES_EXCESS,
    .visible = entry->visible,
  };
}

static void
liveness_chart_set_series_visible (TsrChartModel *model, guint i, gboolean visible)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  const TsrLivenessEntry *entry;

  g_return_if_fail (i < self->entries->len);
  entry = g_ptr_array_index (self->entries, i);
  if (!entry->visible == !visible)
    return;
  if (visible)
    g_hash_table_remove (self->hidden, entry->key);
  else
    g_hash_table_add (self->hidden, g_strdup (entry->key));
  derive (self);
  emit_all (self);
}

/* ----------------------------------------------------------------- object */

static TsrStepSelection *
dup_selection (TsrStepSelection *selection)
{
  TsrStepSelection *copy;
  const guint *steps;
  guint n;

  if (selection == NULL)
    return NULL;
  copy = tsr_step_selection_new ();
  steps = tsr_step_selection_peek (selection, &n);
  tsr_step_selection_set (copy, steps, n);
  return copy;
}

static TsrChartModel *
liveness_chart_dup (TsrChartModel *model)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  g_autoptr (TsrStepSelection) selection = dup_selection (self->selection);
  TsrLivenessChart *copy = tsr_liveness_chart_new (self->liveness, selection);
  GHashTableIter iter;
  gpointer key;

  copy->options = self->options;
  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (copy->hidden, g_strdup (key));
  if (self->structure != NULL)
    copy->structure = tsr_step_structure_ref (self->structure);
  for (guint i = 0; i < self->lifetimes->len; i++)
    {
      const TsrLivenessLifetime *lifetime = g_ptr_array_index (self->lifetimes, i);

      tsr_liveness_chart_add_lifetime (copy, lifetime->name, lifetime->spans);
    }
  tsr_liveness_chart_set_peaks (copy, self->peaks);
  tsr_liveness_chart_set_tiles_series (copy, self->tiles, self->tiles_label);
  tsr_liveness_chart_set_series (copy, self->series, self->source_label);
  tsr_liveness_chart_set_matches (copy, self->matches);
  return TSR_CHART_MODEL (copy);
}

static void
tsr_liveness_chart_dispose (GObject *object)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_liveness_chart_parent_class)->dispose (object);
}

static void
tsr_liveness_chart_finalize (GObject *object)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (object);

  clear_series (self);
  clear_matches (self);
  g_clear_pointer (&self->tiles_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->series, tsr_liveness_series_unref);
  g_clear_pointer (&self->tiles, tsr_liveness_series_unref);
  g_clear_pointer (&self->structure, tsr_step_structure_unref);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_clear_pointer (&self->peaks, g_array_unref);
  g_ptr_array_unref (self->lifetimes);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->hidden);
  g_free (self->matches);
  g_free (self->source_label);
  g_free (self->tiles_label);
  G_OBJECT_CLASS (tsr_liveness_chart_parent_class)->finalize (object);
}

static void
tsr_liveness_chart_class_init (TsrLivenessChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->dispose = tsr_liveness_chart_dispose;
  object_class->finalize = tsr_liveness_chart_finalize;
  model_class->get_domain = liveness_chart_get_domain;
  model_class->layout = tsr_liveness_chart_layout;
  model_class->layout_overlay = tsr_liveness_chart_layout_overlay;
  model_class->layout_overview = tsr_liveness_chart_layout_overview;
  model_class->datum_at = liveness_chart_datum_at;
  model_class->datum_near = liveness_chart_datum_near;
  model_class->describe = tsr_liveness_chart_describe;
  model_class->dup_caption = tsr_liveness_chart_dup_caption;
  model_class->get_n_series = liveness_chart_get_n_series;
  model_class->get_series = liveness_chart_get_series;
  model_class->set_series_visible = liveness_chart_set_series_visible;
  model_class->write_csv = tsr_liveness_chart_write_csv;
  model_class->dup = liveness_chart_dup;
}

static void
tsr_liveness_chart_init (TsrLivenessChart *self)
{
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->lifetimes = g_ptr_array_new_with_free_func (lifetime_free);
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->options.include_always_live = TRUE;
  self->options.show_max = TRUE;
  self->options.structure = TRUE;
  self->level = TSR_UNKNOWN;
  self->y_to = 1;
}

TsrLivenessChart *
tsr_liveness_chart_new (TsrLiveness *liveness, TsrStepSelection *selection)
{
  TsrLivenessChart *self;

  g_return_val_if_fail (liveness != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_STEP_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_LIVENESS_CHART, NULL);
  self->liveness = tsr_liveness_ref (liveness);
  self->n = tsr_liveness_get_n_steps (liveness);
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_swapped (selection, "steps-changed",
                                G_CALLBACK (tsr_chart_model_emit_overlay_changed), self);
    }
  return self;
}

void
tsr_liveness_chart_set_series (TsrLivenessChart *self,
                               TsrLivenessSeries *series,
                               const char *source_label)
{
  guint n;

  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));

  n = tsr_liveness_get_n_steps (self->liveness);
  if (series != NULL)
    tsr_liveness_series_ref (series);
  g_clear_pointer (&self->series, tsr_liveness_series_unref);
  self->series = series;
  if (series != NULL)
    n = series->n_steps;
  if (g_strcmp0 (self->source_label, source_label) != 0)
    {
      g_free (self->source_label);
      self->source_label = g_strdup (source_label);
    }
  if (n != self->n)
    {
      self->n = n;
      g_clear_pointer (&self->matches, g_free);
      g_clear_pointer (&self->structure, tsr_step_structure_unref);
      tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
    }
  derive_series (self);
  derive_matches (self);
  derive (self);
  emit_all (self);
}

TsrLivenessSeries *
tsr_liveness_chart_get_series (TsrLivenessChart *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_CHART (self), NULL);
  return self->series;
}

void
tsr_liveness_chart_set_options (TsrLivenessChart *self, const TsrLivenessChartOptions *options)
{
  TsrLivenessChartOptions *old;

  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  g_return_if_fail (options != NULL);

  old = &self->options;
  if (!old->include_always_live == !options->include_always_live
      && !old->show_max == !options->show_max
      && !old->from_always_live == !options->from_always_live
      && !old->structure == !options->structure && old->units == options->units)
    return;
  self->options = *options;
  derive (self);
  emit_all (self);
}

void
tsr_liveness_chart_get_options (TsrLivenessChart *self, TsrLivenessChartOptions *options)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  *options = self->options;
}

void
tsr_liveness_chart_set_matches (TsrLivenessChart *self, const guint8 *matches)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  if (matches == NULL && self->matches == NULL)
    return;
  g_free (self->matches);
  self->matches = matches != NULL ? g_memdup2 (matches, self->n) : NULL;
  derive_matches (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_liveness_chart_set_hidden (TsrLivenessChart *self, const char *const *keys)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  g_hash_table_remove_all (self->hidden);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    g_hash_table_add (self->hidden, g_strdup (keys[i]));
  derive (self);
  emit_all (self);
}

GStrv
tsr_liveness_chart_dup_hidden (TsrLivenessChart *self)
{
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer key;

  g_return_val_if_fail (TSR_IS_LIVENESS_CHART (self), NULL);
  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_strv_builder_add (keys, key);
  return g_strv_builder_end (keys);
}

void
tsr_liveness_chart_clear_lifetimes (TsrLivenessChart *self)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  if (self->lifetimes->len == 0)
    return;
  g_ptr_array_set_size (self->lifetimes, 0);
  derive (self);
  emit_all (self);
}

void
tsr_liveness_chart_add_lifetime (TsrLivenessChart *self, const char *name, GArray *lifetimes)
{
  TsrLivenessLifetime *lifetime;

  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  g_return_if_fail (name != NULL && lifetimes != NULL);
  if (self->lifetimes->len >= TSR_MAX_LIFETIMES)
    return;
  lifetime = g_new0 (TsrLivenessLifetime, 1);
  lifetime->name = g_strdup (name);
  lifetime->spans = g_array_ref (lifetimes);
  lifetime->line = tsr_lifetime_line_new (lifetimes, self->n);
  g_ptr_array_add (self->lifetimes, lifetime);
  derive (self);
  emit_all (self);
}

void
tsr_liveness_chart_set_tiles_series (TsrLivenessChart *self,
                                     TsrLivenessSeries *series,
                                     const char *label)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  if (series == NULL && self->tiles == NULL)
    return;
  if (series != NULL)
    tsr_liveness_series_ref (series);
  g_clear_pointer (&self->tiles_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->tiles, tsr_liveness_series_unref);
  self->tiles = series;
  if (series != NULL)
    self->tiles_pyramid = tsr_pyramid_new (series->not_always_live, series->n_steps);
  if (g_strcmp0 (self->tiles_label, label) != 0)
    {
      g_free (self->tiles_label);
      self->tiles_label = g_strdup (label);
    }
  derive (self);
  emit_all (self);
}

void
tsr_liveness_chart_set_peaks (TsrLivenessChart *self, GArray *peaks)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  if (peaks == NULL && self->peaks == NULL)
    return;
  if (peaks != NULL)
    g_array_ref (peaks);
  g_clear_pointer (&self->peaks, g_array_unref);
  self->peaks = peaks;
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}
