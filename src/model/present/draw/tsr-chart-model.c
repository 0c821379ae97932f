/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The abstract chart: calls its subclass and sends the four signals. */

#include "config.h"

#include "tsr-chart-model.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GHashTable *hidden; /* keys */
} TsrChartModelPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TsrChartModel, tsr_chart_model, G_TYPE_OBJECT)
#define PRIVATE(self) ((TsrChartModelPrivate *)tsr_chart_model_get_instance_private (self))

enum
{
  CHANGED,
  OVERLAY_CHANGED,
  DOMAIN_CHANGED,
  SERIES_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
tell_hidden (TsrChartModel *self)
{
  if (TSR_CHART_MODEL_GET_CLASS (self)->hidden_changed != NULL)
    TSR_CHART_MODEL_GET_CLASS (self)->hidden_changed (self);
}

/* What a subclass need not say. */

static void
default_overlay (TsrChartModel *self,
                 const TsrChartGeometry *geometry,
                 const TsrPlotArea *area,
                 guint32 hover,
                 guint32 cursor,
                 TsrDrawList *list)
{
}

static void
default_overview (TsrChartModel *self, const TsrChartGeometry *geometry, TsrDrawList *list)
{
}

static guint32
default_datum_at (TsrChartModel *self, double x)
{
  double from;
  double to;
  double min_span;

  tsr_chart_model_get_domain (self, &from, &to, &min_span);
  if (!(x >= from && x < to) || x < 0 || x >= TSR_NO_DATUM)
    return TSR_NO_DATUM;
  return (guint32)floor (x);
}

static double
default_position_of (TsrChartModel *self, guint32 datum)
{
  return datum;
}

static char *
default_describe (TsrChartModel *self, guint32 datum)
{
  return g_strdup_printf ("%u", datum);
}

static char *
default_dup_caption (TsrChartModel *self)
{
  return g_strdup ("");
}

static guint
default_get_n_series (TsrChartModel *self)
{
  return 0;
}

static void
default_get_series (TsrChartModel *self, guint i, TsrChartSeries *series)
{
  *series = (TsrChartSeries){ .name = "", .visible = TRUE };
}

static void
default_set_series_visible (TsrChartModel *self, guint i, gboolean visible)
{
  GHashTable *hidden = PRIVATE (self)->hidden;
  TsrChartSeries series = { .key = NULL };

  TSR_CHART_MODEL_GET_CLASS (self)->get_series (self, i, &series);
  if (series.key != NULL
      && (visible ? g_hash_table_remove (hidden, series.key)
                  : g_hash_table_add (hidden, g_strdup (series.key))))
    tell_hidden (self);
}

static void
default_write_csv (TsrChartModel *self, double from, double to, GString *out)
{
}

static void
tsr_chart_model_finalize (GObject *object)
{
  g_hash_table_unref (PRIVATE (TSR_CHART_MODEL (object))->hidden);
  G_OBJECT_CLASS (tsr_chart_model_parent_class)->finalize (object);
}

static void
tsr_chart_model_class_init (TsrChartModelClass *klass)
{
  static const char *const names[N_SIGNALS]
      = { "changed", "overlay-changed", "domain-changed", "series-changed" };

  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
  G_OBJECT_CLASS (klass)->finalize = tsr_chart_model_finalize;
  klass->layout_overlay = default_overlay;
  klass->layout_overview = default_overview;
  klass->datum_at = default_datum_at;
  klass->position_of = default_position_of;
  klass->describe = default_describe;
  klass->dup_caption = default_dup_caption;
  klass->get_n_series = default_get_n_series;
  klass->get_series = default_get_series;
  klass->set_series_visible = default_set_series_visible;
  klass->write_csv = default_write_csv;
}

static void
tsr_chart_model_init (TsrChartModel *self)
{
  PRIVATE (self)->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
tsr_chart_model_get_domain (TsrChartModel *self, double *from, double *to, double *min_span)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  TSR_CHART_MODEL_GET_CLASS (self)->get_domain (self, from, to, min_span);
}

void
tsr_chart_model_layout (TsrChartModel *self,
                        const TsrChartGeometry *geometry,
                        TsrDrawList *list,
                        TsrPlotArea *area)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  g_return_if_fail (geometry->scale > 0 && geometry->measure.measure != NULL);
  TSR_CHART_MODEL_GET_CLASS (self)->layout (self, geometry, list, area);
}

void
tsr_chart_model_layout_overlay (TsrChartModel *self,
                                const TsrChartGeometry *geometry,
                                const TsrPlotArea *area,
                                guint32 hover,
                                guint32 cursor,
                                TsrDrawList *list)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  g_return_if_fail (geometry != NULL && area != NULL && list != NULL);
  g_return_if_fail (geometry->scale > 0 && geometry->measure.measure != NULL);
  TSR_CHART_MODEL_GET_CLASS (self)->layout_overlay (self, geometry, area, hover, cursor, list);
}

void
tsr_chart_model_layout_overview (TsrChartModel *self,
                                 const TsrChartGeometry *geometry,
                                 TsrDrawList *list)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  g_return_if_fail (geometry->scale > 0);
  TSR_CHART_MODEL_GET_CLASS (self)->layout_overview (self, geometry, list);
}

guint32
tsr_chart_model_datum_at (TsrChartModel *self, double x)
{
  g_return_val_if_fail (TSR_IS_CHART_MODEL (self), TSR_NO_DATUM);
  return TSR_CHART_MODEL_GET_CLASS (self)->datum_at (self, x);
}

guint32
tsr_chart_model_datum_near (TsrChartModel *self, double from, double to)
{
  g_return_val_if_fail (TSR_IS_CHART_MODEL (self), TSR_NO_DATUM);
  if (TSR_CHART_MODEL_GET_CLASS (self)->datum_near != NULL)
    return TSR_CHART_MODEL_GET_CLASS (self)->datum_near (self, from, to);
  return tsr_chart_model_datum_at (self, (from + to) / 2);
}

double
tsr_chart_model_position_of (TsrChartModel *self, guint32 datum)
{
  g_return_val_if_fail (TSR_IS_CHART_MODEL (self), 0);
  return TSR_CHART_MODEL_GET_CLASS (self)->position_of (self, datum);
}

char *
tsr_chart_model_describe (TsrChartModel *self, guint32 datum)
{
  g_return_val_if_fail (TSR_IS_CHART_MODEL (self), NULL);
  return TSR_CHART_MODEL_GET_CLASS (self)->describe (self, datum);
}

char *
tsr_chart_model_dup_caption (TsrChartModel *self)
{
  g_return_val_if_fail (TSR_IS_CHART_MODEL (self), NULL);
  return TSR_CHART_MODEL_GET_CLASS (self)->dup_caption (self);
}

guint
tsr_chart_model_get_n_series (TsrChartModel *self)
{
  g_return_val_if_fail (TSR_IS_CHART_MODEL (self), 0);
  return TSR_CHART_MODEL_GET_CLASS (self)->get_n_series (self);
}

void
tsr_chart_model_get_series (TsrChartModel *self, guint i, TsrChartSeries *series)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  TSR_CHART_MODEL_GET_CLASS (self)->get_series (self, i, series);
}

gboolean
tsr_chart_model_is_hidden (TsrChartModel *self, const char *key)
{
  g_return_val_if_fail (TSR_IS_CHART_MODEL (self) && key != NULL, FALSE);
  return g_hash_table_contains (PRIVATE (self)->hidden, key);
}

void
tsr_chart_model_forget_hidden (TsrChartModel *self, const char *key)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self) && key != NULL);
  g_hash_table_remove (PRIVATE (self)->hidden, key);
}

void
tsr_chart_model_copy_hidden (TsrChartModel *self, TsrChartModel *from)
{
  GHashTableIter iter;
  gpointer key;

  g_return_if_fail (TSR_IS_CHART_MODEL (self) && TSR_IS_CHART_MODEL (from));
  g_hash_table_remove_all (PRIVATE (self)->hidden);
  g_hash_table_iter_init (&iter, PRIVATE (from)->hidden);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (PRIVATE (self)->hidden, g_strdup (key));
}

void
tsr_chart_model_set_hidden (TsrChartModel *self, const char *keys)
{
  g_auto (GStrv) names = g_strsplit (keys != NULL ? keys : "", "\n", -1);
  g_autofree char *before = NULL, *after = NULL;

  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  before = tsr_chart_model_dup_hidden (self);
  g_hash_table_remove_all (PRIVATE (self)->hidden);
  for (guint i = 0; names[i] != NULL; i++)
    if (*names[i] != '\0')
      g_hash_table_add (PRIVATE (self)->hidden, g_strdup (names[i]));
  after = tsr_chart_model_dup_hidden (self);
  if (!g_str_equal (before, after))
    tell_hidden (self);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char *
tsr_chart_model_dup_hidden (TsrChartModel *self)
{
  g_autofree char **keys = NULL;
  guint n;

  g_return_val_if_fail (TSR_IS_CHART_MODEL (self), NULL);
  keys = (char **)g_hash_table_get_keys_as_array (PRIVATE (self)->hidden, &n);
  qsort (keys, n, sizeof keys[0], compare_keys);
  return g_strjoinv ("\n", keys);
}

void
tsr_chart_model_set_series_visible (TsrChartModel *self, guint i, gboolean visible)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  TSR_CHART_MODEL_GET_CLASS (self)->set_series_visible (self, i, visible);
}

void
tsr_chart_model_write_csv (TsrChartModel *self, double from, double to, GString *out)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  TSR_CHART_MODEL_GET_CLASS (self)->write_csv (self, from, to, out);
}

TsrChartModel *
tsr_chart_model_dup (TsrChartModel *self)
{
  g_return_val_if_fail (TSR_IS_CHART_MODEL (self), NULL);
  if (TSR_CHART_MODEL_GET_CLASS (self)->dup == NULL)
    return NULL;
  return TSR_CHART_MODEL_GET_CLASS (self)->dup (self);
}

void
tsr_chart_model_emit_changed (TsrChartModel *self)
{
  g_return_if_fail (TSR_IS_CHART_MODEL (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

void
tsr_chart_model_emit_overlay_changed (TsrChartModel *self)
{
  g_signal_emit (self, signals[OVERLAY_CHANGED], 0);
}

void
tsr_chart_model_emit_domain_changed (TsrChartModel *self)
{
  g_signal_emit (self, signals[DOMAIN_CHANGED], 0);
}

void
tsr_chart_model_emit_series_changed (TsrChartModel *self)
{
  g_signal_emit (self, signals[SERIES_CHANGED], 0);
  tsr_chart_model_emit_changed (self);
}
