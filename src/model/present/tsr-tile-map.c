/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile map: values, colour scale, view, and what it says in words.  Where things lie is
 * tsr-tile-map-layout.c. */

#include "config.h"

#include "tsr-tile-map-private.h"

#include "tsr-json-writer.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define PHYSICAL_COLUMNS 64
#define MAX_ZOOM         64.0

G_DEFINE_FINAL_TYPE (TsrTileMap, tsr_tile_map, TSR_TYPE_CHART_MODEL)

/* Floor plan */

/* Rows of this many tiles where the real place is not known: the shape of the known one. */
static guint
guess_columns (guint n)
{
  if (n >= 512 && n <= 4096)
    return PHYSICAL_COLUMNS;
  return CLAMP ((guint)ceil (sqrt (n * 64.0 / 23)), 1, MAX (n, 1));
}

static void
make_floor_plan (TsrTileMap *self)
{
  gint64 per_ipu = tsr_memory_get_tiles_per_ipu (self->memory);

  self->n = tsr_memory_get_n_tiles (self->memory);
  self->per_ipu = MAX (per_ipu > 0 && per_ipu < self->n ? (guint)per_ipu : self->n, 1);
  self->physical = per_ipu > 0 && tsr_tile_get_physical (0, (guint)per_ipu) >= 0;
  self->columns = self->physical ? PHYSICAL_COLUMNS : guess_columns (self->per_ipu);
  self->rows = self->physical ? 23 : (self->per_ipu + self->columns - 1) / self->columns;
  self->cell_of = g_new (guint32, self->per_ipu);
  self->tile_of = g_new (guint32, (gsize)self->columns * self->rows);
  for (guint i = 0; i < self->columns * self->rows; i++)
    self->tile_of[i] = TSR_NO_DATUM;
  for (guint i = 0; i < self->per_ipu; i++)
    {
      self->cell_of[i] = self->physical ? (guint)tsr_tile_get_physical (i, (guint)per_ipu) : i;
      self->tile_of[self->cell_of[i]] = i;
    }
}

/* Values */

guint
tsr_tile_map_get_ink (TsrTileMap *self, gint64 value)
{
  gint64 from, to;
  double share;

  if (value == TSR_UNKNOWN)
    return TSR_RASTER_CLEAR;
  if (self->capacity != TSR_UNKNOWN && value > self->capacity)
    return TSR_INK_OVERFLOW;
  if (value <= 0)
    return TSR_INK_GRID; /* nothing is not the same as little */
  tsr_tile_map_get_scale (self, &from, &to);
  share = ((double)value - (double)from) / ((double)to - (double)from);
  return TSR_INK_RAMP + (guint)(CLAMP (share, 0, 1) * (TSR_N_RAMP_INKS - 1) + 0.5);
}

gint64
tsr_tile_map_get_excess (TsrTileMap *self, guint32 tile)
{
  gint64 value = self->values[tile];

  if (self->need != NULL)
    return MAX (self->need[tile], 0);
  return self->capacity != TSR_UNKNOWN && value > self->capacity ? value - self->capacity : 0;
}

guint
tsr_tile_map_get_tile_ink (TsrTileMap *self, guint32 tile)
{
  return tsr_tile_map_get_excess (self, tile) > 0 ? TSR_INK_OVERFLOW
                                                  : tsr_tile_map_get_ink (self, self->values[tile]);
}

/* Takes @need. */
static void
set_values (TsrTileMap *self,
            const gint64 *values,
            gint64 *need,
            const char *label,
            gint64 capacity,
            TsrUnits units)
{
  g_free (self->label);
  self->label = g_strdup (label);
  g_free (self->need);
  self->need = need;
  self->capacity = capacity > 0 ? capacity : TSR_UNKNOWN;
  self->units = units;
  self->least = self->largest = TSR_UNKNOWN;
  for (guint i = 0; i < self->n; i++)
    {
      gint64 value = values != NULL ? values[i] : TSR_UNKNOWN;

      self->values[i] = value;
      if (value == TSR_UNKNOWN)
        continue;
      self->least = self->least == TSR_UNKNOWN ? value : MIN (self->least, value);
      self->largest = self->largest == TSR_UNKNOWN ? value : MAX (self->largest, value);
    }
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_map_set_values (
    TsrTileMap *self, const gint64 *values, const char *label, gint64 capacity, TsrUnits units)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self) && label != NULL);
  set_values (self, values, NULL, label, capacity, units);
}

void
tsr_tile_map_set_metric (TsrTileMap *self, TsrMetric metric, const char *label, TsrUnits units)
{
  gboolean whole = metric <= TSR_METRIC_EXCLUDING_GAPS;

  g_return_if_fail (TSR_IS_TILE_MAP (self) && label != NULL);
  set_values (self, tsr_memory_peek (self->memory, metric),
              whole ? tsr_memory_dup_need (self->memory) : NULL, label,
              whole ? tsr_memory_get_capacity (self->memory) : TSR_UNKNOWN, units);
}

void
tsr_tile_map_set_counts (TsrTileMap *self, gboolean counts)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));
  self->counts = counts;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_map_set_scale (TsrTileMap *self, gint64 from, gint64 to)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));
  if (self->scale_from == from && self->scale_to == to)
    return;
  self->scale_from = from;
  self->scale_to = to;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

gboolean
tsr_tile_map_has_scale (TsrTileMap *self)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP (self), FALSE);
  return self->scale_from < self->scale_to;
}

void
tsr_tile_map_get_scale (TsrTileMap *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));
  *from = self->scale_from;
  *to = self->scale_to;
  if (*from < *to)
    return;
  *from = MAX (self->least, 0);
  *to = MAX (self->largest, 1);
  if (self->capacity != TSR_UNKNOWN)
    *to = MIN (*to, self->capacity);
  if (*from >= *to)
    *from = 0;
}

gint64
tsr_tile_map_get_top (TsrTileMap *self)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP (self), 1);
  return MAX (MAX (self->capacity, self->largest), 1);
}

void
tsr_tile_map_set_ipus (TsrTileMap *self, const guint *ipus, guint n_ipus)
{
  guint n_all;

  g_return_if_fail (TSR_IS_TILE_MAP (self));

  n_all = (self->n + self->per_ipu - 1) / self->per_ipu;
  g_free (self->ipus);
  self->n_ipus = 0;
  self->ipus = g_new (guint, MAX (ipus != NULL ? n_ipus : n_all, 1));
  for (guint i = 0; i < (ipus != NULL ? n_ipus : n_all); i++)
    {
      guint ipu = ipus != NULL ? ipus[i] : i;

      if (ipu < n_all)
        self->ipus[self->n_ipus++] = ipu;
    }
  self->zoom = 1;
  self->view_x = self->view_y = 0.5;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

gboolean
tsr_tile_map_shows (TsrTileMap *self, guint32 tile)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP (self), FALSE);
  for (guint i = 0; tile < self->n && i < self->n_ipus; i++)
    if (self->ipus[i] == tile / self->per_ipu)
      return TRUE;
  return FALSE;
}

/* View */

void
tsr_tile_map_set_view (TsrTileMap *self, double zoom, double x, double y)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));

  zoom = isfinite (zoom) ? CLAMP (zoom, 1, MAX_ZOOM) : 1;
  x = isfinite (x) ? CLAMP (x, 0, 1) : 0.5;
  y = isfinite (y) ? CLAMP (y, 0, 1) : 0.5;
  if (zoom == 1)
    x = y = 0.5;
  if (self->zoom == zoom && self->view_x == x && self->view_y == y)
    return;
  self->zoom = zoom;
  self->view_x = x;
  self->view_y = y;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_map_get_view (TsrTileMap *self, double *zoom, double *x, double *y)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));
  *zoom = self->zoom;
  *x = self->view_x;
  *y = self->view_y;
}

/* Words */

static void
tile_map_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  *from = 0;
  *to = MAX (TSR_TILE_MAP (model)->n, 1);
  *min_span = *to;
}

static guint32
tile_map_datum_at (TsrChartModel *model, double x)
{
  return x >= 0 && x < TSR_TILE_MAP (model)->n ? (guint32)x : TSR_NO_DATUM;
}

static double
tile_map_position_of (TsrChartModel *model, guint32 datum)
{
  return datum;
}

static void
tile_map_layout_overview (TsrChartModel *model, const TsrChartGeometry *geometry, TsrDrawList *list)
{
}

static void
append_value (TsrTileMap *self, const char *label, gint64 value, GString *out)
{
  g_autofree char *exact
      = self->counts ? tsr_units_dup_count (value) : tsr_units_dup_bytes_exact (value);

  g_string_append_printf (out, "\n%s: %s", label, exact);
  if (self->capacity != TSR_UNKNOWN)
    {
      g_autofree char *percent = tsr_units_dup_percent ((double)value / self->capacity, 1);

      g_string_append_printf (out, " (%s)", percent);
    }
}

/* By how much it does not fit, with the extent that says so where another value is shown. */
static void
append_excess (TsrTileMap *self, guint32 tile, GString *out)
{
  const gint64 *including = tsr_memory_peek (self->memory, TSR_METRIC_INCLUDING_GAPS);
  gint64 excess = tsr_tile_map_get_excess (self, tile);
  g_autofree char *bytes = NULL;

  if (excess == 0)
    return;
  if (self->need != NULL && including != NULL && including[tile] != TSR_UNKNOWN
      && including[tile] != self->values[tile])
    append_value (self, _ ("Memory including gaps"), including[tile], out);
  bytes = tsr_units_dup_bytes_exact (excess);
  g_string_append_printf (out, "\n%s: %s", _ ("Does not fit"), bytes);
}

static char *
tile_map_describe (TsrChartModel *model, guint32 datum)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  g_autofree char *name = NULL;
  GString *out;

  if (datum >= self->n)
    return NULL;
  name = tsr_tile_axis_dup_name (self->axis, datum);
  out = g_string_new (name);
  if (self->values[datum] == TSR_UNKNOWN)
    g_string_append_printf (out, _ ("\n%s: not recorded"), self->label);
  else
    append_value (self, self->label, self->values[datum], out);
  append_excess (self, datum, out);
  return g_string_free (out, FALSE);
}

static char *
tile_map_dup_caption (TsrChartModel *model)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  guint n_all = (self->n + self->per_ipu - 1) / self->per_ipu;
  g_autofree char *what = NULL;

  if (self->n_ipus == 1 && n_all > 1)
    what = g_strdup_printf (_ ("Tile map of IPU %u: %s"), self->ipus[0], self->label);
  else
    what = g_strdup_printf (_ ("Tile map: %s"), self->label);
  if (self->physical)
    return g_steal_pointer (&what);
  return g_strdup_printf (_ ("%s (in software order: where the tiles lie on the chip is known only "
                             "for IPUs of 1,472 tiles)"),
                          what);
}

static guint
tile_map_get_n_series (TsrChartModel *model)
{
  return 0;
}

static void
tile_map_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);

  tsr_tile_axis_add_headings (self->axis, fields);
  g_ptr_array_add (
      fields, g_strdup_printf (self->counts ? _ ("%s (cycles)") : _ ("%s (bytes)"), self->label));
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  for (guint tile = 0; tile < self->n; tile++)
    {
      if (!tsr_tile_map_shows (self, tile))
        continue;
      g_ptr_array_set_size (fields, 0);
      tsr_tile_axis_add_fields (self->axis, tile, fields);
      g_ptr_array_add (fields, self->values[tile] != TSR_UNKNOWN
                                   ? g_strdup_printf ("%" G_GINT64_FORMAT, self->values[tile])
                                   : g_strdup (""));
      tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
    }
}

/* Object */

static TsrChartModel *
tile_map_dup (TsrChartModel *model)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  g_autoptr (TsrTileSelection) selection = NULL;
  TsrTileMap *copy;

  if (self->selection != NULL)
    {
      guint n_tiles;
      const guint *tiles = tsr_tile_selection_peek (self->selection, &n_tiles);

      selection = tsr_tile_selection_new ();
      tsr_tile_selection_set (selection, tiles, n_tiles);
    }
  copy = tsr_tile_map_new (self->memory, selection);
  tsr_tile_map_set_ipus (copy, self->ipus, self->n_ipus);
  copy->counts = self->counts;
  set_values (copy, self->values, g_memdup2 (self->need, self->n * sizeof *self->need), self->label,
              self->capacity, self->units);
  tsr_tile_map_set_scale (copy, self->scale_from, self->scale_to);
  tsr_tile_map_set_view (copy, self->zoom, self->view_x, self->view_y);
  return TSR_CHART_MODEL (copy);
}

static void
tsr_tile_map_dispose (GObject *object)
{
  TsrTileMap *self = TSR_TILE_MAP (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_tile_map_parent_class)->dispose (object);
}

static void
tsr_tile_map_finalize (GObject *object)
{
  TsrTileMap *self = TSR_TILE_MAP (object);

  g_clear_pointer (&self->axis, tsr_tile_axis_free);
  g_free (self->cell_of);
  g_free (self->tile_of);
  g_free (self->values);
  g_free (self->need);
  g_free (self->label);
  g_free (self->ipus);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  G_OBJECT_CLASS (tsr_tile_map_parent_class)->finalize (object);
}

static void
tsr_tile_map_class_init (TsrTileMapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->dispose = tsr_tile_map_dispose;
  object_class->finalize = tsr_tile_map_finalize;
  model_class->get_domain = tile_map_get_domain;
  model_class->layout = tsr_tile_map_layout;
  model_class->layout_overlay = tsr_tile_map_layout_overlay;
  model_class->layout_overview = tile_map_layout_overview;
  model_class->datum_at = tile_map_datum_at;
  model_class->position_of = tile_map_position_of;
  model_class->describe = tile_map_describe;
  model_class->dup_caption = tile_map_dup_caption;
  model_class->get_n_series = tile_map_get_n_series;
  model_class->write_csv = tile_map_write_csv;
  model_class->dup = tile_map_dup;
}

static void
tsr_tile_map_init (TsrTileMap *self)
{
  self->label = g_strdup ("");
  self->capacity = self->least = self->largest = TSR_UNKNOWN;
  self->zoom = 1;
  self->view_x = self->view_y = 0.5;
}

TsrTileMap *
tsr_tile_map_new (TsrMemory *memory, TsrTileSelection *selection)
{
  TsrTileMap *self;

  g_return_val_if_fail (memory != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_TILE_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_TILE_MAP, NULL);
  self->memory = tsr_memory_ref (memory);
  self->axis = tsr_tile_axis_new (memory);
  make_floor_plan (self);
  self->values = g_new (gint64, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    self->values[i] = TSR_UNKNOWN;
  tsr_tile_map_set_ipus (self, NULL, 0);
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_swapped (selection, "changed",
                                G_CALLBACK (tsr_chart_model_emit_overlay_changed), self);
    }
  return self;
}
