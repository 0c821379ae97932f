/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Order of tiles, boundaries of IPUs, and how a tile is called on an axis. */

#include "config.h"

#include "tsr-tile-axis.h"

#include "tsr-chart-marks.h"

#include <glib/gi18n-lib.h>

TsrTileAxis *
tsr_tile_axis_new (TsrMemory *memory)
{
  TsrTileAxis *self = g_new0 (TsrTileAxis, 1);

  self->memory = tsr_memory_ref (memory);
  self->n = tsr_memory_get_n_tiles (memory);
  self->groups = g_array_new (FALSE, FALSE, sizeof (TsrChartGroup));
  self->strings = g_ptr_array_new_with_free_func (g_free);
  tsr_tile_axis_set_order (self, TSR_ORDER_SOFTWARE, NULL);
  return self;
}

void
tsr_tile_axis_free (TsrTileAxis *self)
{
  g_free (self->order);
  g_free (self->position);
  g_array_unref (self->groups);
  g_ptr_array_unref (self->strings);
  tsr_memory_unref (self->memory);
  g_free (self);
}

static int
compare_bytes (gconstpointer a, gconstpointer b, gpointer data)
{
  const gint64 *values = data;
  guint x = *(const guint *)a;
  guint y = *(const guint *)b;

  if (values[x] != values[y])
    return values[x] > values[y] ? -1 : 1;
  return (x > y) - (x < y);
}

static guint *
dup_by_bytes (TsrTileAxis *self, const gint64 *values)
{
  guint *order = g_new (guint, MAX (self->n, 1));

  for (guint i = 0; i < self->n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int)self->n, sizeof *order, compare_bytes, (gpointer)values);
  return order;
}

/* IPUs have no place of their own where tiles of all of them are mixed. */
static void
make_groups (TsrTileAxis *self)
{
  g_array_set_size (self->groups, 0);
  g_ptr_array_set_size (self->strings, 0);
  if ((self->order != NULL && self->wanted == TSR_ORDER_BYTES) || self->n == 0
      || tsr_memory_get_tiles_per_ipu (self->memory) == TSR_UNKNOWN)
    return;
  for (guint ipu = 0; ipu < tsr_memory_get_n_ipus (self->memory); ipu++)
    {
      TsrChartGroup group;
      guint first;
      guint end;
      char *name = g_strdup_printf (tsr_memory_is_tiles_per_ipu_assumed (self->memory)
                                        ? _ ("IPU %u (assumed)")
                                        : _ ("IPU %u"),
                                    ipu);

      tsr_memory_get_ipu_tiles (self->memory, ipu, &first, &end);
      g_ptr_array_add (self->strings, name);
      group = (TsrChartGroup){ first, end, name };
      g_array_append_val (self->groups, group);
    }
}

void
tsr_tile_axis_set_order (TsrTileAxis *self, TsrTileOrder order, const gint64 *values)
{
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->position, g_free);
  self->wanted = order;
  if (order == TSR_ORDER_PHYSICAL)
    self->order = tsr_memory_dup_order (self->memory, order, TSR_METRIC_TOTAL);
  else if (order == TSR_ORDER_BYTES && values != NULL)
    self->order = dup_by_bytes (self, values);
  if (self->order != NULL)
    {
      self->position = g_new (guint, MAX (self->n, 1));
      for (guint i = 0; i < self->n; i++)
        self->position[self->order[i]] = i;
    }
  make_groups (self);
}

void
tsr_tile_axis_get_frame (TsrTileAxis *self, TsrChartFrame *frame)
{
  frame->x_title = _ ("Tile");
  if (self->order != NULL)
    frame->x_title = self->wanted == TSR_ORDER_PHYSICAL ? _ ("Physical tile") : _ ("Rank");
  frame->x_names = self->order == NULL || self->wanted == TSR_ORDER_PHYSICAL;
  frame->by_group = self->order != NULL && self->wanted == TSR_ORDER_PHYSICAL;
  frame->n_groups = self->groups->len;
  frame->groups = (const TsrChartGroup *)(gpointer)self->groups->data;
}

char *
tsr_tile_axis_dup_name (TsrTileAxis *self, guint tile)
{
  gint64 per_ipu = tsr_memory_get_tiles_per_ipu (self->memory);
  GString *out = g_string_new (NULL);
  int physical;

  g_string_append_printf (out, _ ("Tile %u"), tile);
  if (per_ipu == TSR_UNKNOWN || per_ipu <= 0)
    return g_string_free (out, FALSE);
  g_string_append (out, " (");
  g_string_append_printf (
      out, tsr_memory_is_tiles_per_ipu_assumed (self->memory) ? _ ("IPU %u assumed") : _ ("IPU %u"),
      tsr_memory_get_ipu (self->memory, tile));
  physical = tsr_tile_get_physical (tile % per_ipu, per_ipu);
  if (physical >= 0)
    g_string_append_printf (out, _ (", physical %d"), physical);
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

void
tsr_tile_axis_add_headings (TsrTileAxis *self, GPtrArray *fields)
{
  g_ptr_array_add (fields, g_strdup ("tile"));
  g_ptr_array_add (fields, g_strdup ("ipu"));
  g_ptr_array_add (fields, g_strdup ("physicalTile"));
}

void
tsr_tile_axis_add_fields (TsrTileAxis *self, guint tile, GPtrArray *fields)
{
  gint64 per_ipu = tsr_memory_get_tiles_per_ipu (self->memory);
  int physical = per_ipu > 0 ? tsr_tile_get_physical (tile % per_ipu, per_ipu) : -1;

  g_ptr_array_add (fields, g_strdup_printf ("%u", tile));
  g_ptr_array_add (fields, per_ipu > 0
                               ? g_strdup_printf ("%u", tsr_memory_get_ipu (self->memory, tile))
                               : g_strdup (""));
  g_ptr_array_add (fields, physical >= 0 ? g_strdup_printf ("%d", physical) : g_strdup (""));
}

void
tsr_tile_axis_get_domain (const TsrTileAxis *self, double *from, double *to, double *min_span)
{
  *from = 0;
  *to = MAX (self->n, 1);
  *min_span = MIN (*to, TSR_TILE_AXIS_MIN_SPAN);
}

guint32
tsr_tile_axis_datum_at (const TsrTileAxis *self, double x)
{
  return x >= 0 && x < self->n ? tsr_tile_axis_tile_at (self, (guint)x) : TSR_NO_DATUM;
}

void
tsr_tile_axis_layout_overlay (const TsrTileAxis *self,
                              TsrTileSelection *selection,
                              const TsrChartGeometry *geometry,
                              const TsrPlotArea *area,
                              guint32 hover,
                              guint32 cursor,
                              TsrTileAxisDots add_dots,
                              gpointer chart,
                              TsrDrawList *list)
{
  const guint *tiles = NULL;
  guint n_tiles = 0;
  guint position;

  if (area->width <= 0 || !(geometry->to > geometry->from))
    return;
  if (selection != NULL)
    tiles = tsr_tile_selection_peek (selection, &n_tiles);
  tsr_chart_marks_selection (geometry, area, tiles, n_tiles, self->n, self->position, list);
  if (cursor < self->n)
    {
      position = tsr_tile_axis_position_of (self, cursor);
      tsr_chart_marks_cursor (geometry, area, position, cursor, list);
      if (hover == TSR_NO_DATUM)
        add_dots (chart, geometry, area, position, list);
    }
  if (hover < self->n)
    {
      position = tsr_tile_axis_position_of (self, hover);
      tsr_chart_marks_hover (geometry, area, position, hover, list);
      add_dots (chart, geometry, area, position, list);
    }
}
