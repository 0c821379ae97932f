/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile map: where each tile is drawn against a floor plan worked out here by walking the chip
 * (docs/formats.md#tiles-on-the-chip), what is under the pointer, and what the pixels show. */

#include "config.h"

#include "chart-test.h"
#include "tsr-palette.h"
#include "tsr-test.h"
#include "tsr-tile-map.h"

#include <math.h>
#include <string.h>

typedef struct
{
  char *folder;
  TsrMemory *memory;
  TsrTileSelection *selection;
  TsrTileMap *map;
  TsrChartModel *model;
  guint n;
  gint64 *values;
} Fixture;

static void
fixture_open (Fixture *self, guint n_ipus, guint per_ipu)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autofree char *sql = g_strdup_printf (
      "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, "
      "bytes_per_tile);"
      "INSERT INTO target VALUES (%u, %u, 1, %u, 20000);"
      "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, "
      "excluding_gaps);"
      "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < %u)"
      "  INSERT INTO memory_by_tile SELECT i, i, i, i FROM t;",
      per_ipu, n_ipus, n_ipus, n_ipus * per_ipu - 1);

  self->folder = tsr_test_folder_new ();
  tsr_test_sql (self->folder, "profile.pop", sql);
  report = tsr_report_open_sync (place, self->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  self->memory = tsr_memory_new (report);
  self->n = tsr_memory_get_n_tiles (self->memory);
  g_assert_cmpuint (self->n, ==, n_ipus * per_ipu);
  self->selection = tsr_tile_selection_new ();
  self->map = tsr_tile_map_new (self->memory, self->selection);
  self->model = TSR_CHART_MODEL (self->map);
  self->values = g_new (gint64, self->n);
  for (guint i = 0; i < self->n; i++)
    self->values[i] = (i * 7919 + 13) % 19000;
  tsr_tile_map_set_values (self->map, self->values, "madeUp", "made up", 20000, TSR_UNITS_BINARY);
}

static void
fixture_close (Fixture *self)
{
  g_assert_finalize_object (self->map);
  g_object_unref (self->selection);
  tsr_memory_unref (self->memory);
  tsr_test_folder_free (self->folder);
  g_free (self->values);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_close)

/* Column and row of each tile of a Mk2: columns are filled two by two, one up, one down; both lanes
 * of a pair stand two columns apart. */
static void
walk_chip (guint columns[1472], guint rows[1472])
{
  guint tile = 0;

  for (guint quad = 0; quad < 16; quad++)
    for (guint up = 0; up < 2; up++)
      for (guint step = 0; step < 23; step++)
        for (guint lane = 0; lane < 2; lane++)
          {
            columns[tile] = quad * 4 + up + (lane == 1 ? 2 : 0);
            rows[tile] = up == 0 ? step : 22 - step;
            tile++;
          }
  g_assert_cmpuint (tile, ==, 1472);
}

/* Every tile lies on its place of the floor plan, and a pointer there finds it. */
static void
check_places (Fixture *f, TsrChartGeometry *geometry, guint n_ipus)
{
  guint columns[1472], rows[1472];

  walk_chip (columns, rows);
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      double x0 = 0, y0 = 0;

      /* Tile 0 is in the corner of its IPU. */
      g_assert_cmpuint (columns[0] + rows[0], ==, 0);
      for (guint i = 0; i < 1472; i++)
        {
          double x, y, width, height;

          g_assert_true (
              tsr_tile_map_get_cell (f->map, geometry, ipu * 1472 + i, &x, &y, &width, &height));
          if (i == 0)
            {
              x0 = x;
              y0 = y;
            }
          g_assert_cmpfloat_with_epsilon (x, x0 + columns[i] * width, 1e-6);
          g_assert_cmpfloat_with_epsilon (y, y0 + rows[i] * height, 1e-6);
          g_assert_cmpuint (tsr_tile_map_tile_at (f->map, geometry, x + width / 2, y + height / 2),
                            ==, ipu * 1472 + i);
        }
    }
}

static void
test_floor_plan (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry wide = test_geometry (1232, 300, 1, 0, 0),
                   large = test_geometry (1500, 1250, 2, 0, 0);

  fixture_open (&f, 4, 1472);
  check_places (&f, &large, 4);
  tsr_tile_map_set_ipus (f.map, (guint[]){ 0 }, 1);
  check_places (&f, &wide, 1);
  g_assert_true (tsr_tile_map_shows (f.map, 1471));
  g_assert_false (tsr_tile_map_shows (f.map, 1472));
}

static guint
expected_ink (gint64 value, gint64 from, gint64 to, gint64 capacity)
{
  double share = (double)(value - from) / (to - from);

  if (value > capacity)
    return TSR_INK_OVERFLOW;
  if (value == 0)
    return TSR_INK_GRID;
  return TSR_INK_RAMP + (guint)lround (CLAMP (share, 0, 1) * (TSR_N_RAMP_INKS - 1));
}

/* The raster of the cells: the first of the list. */
static const TsrDrawRaster *
layout (Fixture *f, const TsrChartGeometry *geometry, TsrDrawList *list, TsrPlotArea *area)
{
  tsr_draw_list_reset (list);
  tsr_chart_model_layout (f->model, geometry, list, area);
  g_assert_cmpuint (list->rasters->len, ==, 2);
  return g_ptr_array_index (list->rasters, 0);
}

static void
test_pixels (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry = test_geometry (1232, 300, 2, 0, 0);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  const TsrDrawRaster *raster;
  TsrPlotArea area;
  gint64 from, to;

  fixture_open (&f, 2, 1472);
  f.values[17] = 0;
  f.values[30] = 25000;
  f.values[31] = TSR_UNKNOWN;
  f.values[32] = 20000; /* fits exactly */
  tsr_tile_map_set_values (f.map, f.values, "madeUp", "made up", 20000, TSR_UNITS_BINARY);
  for (guint k = 0; k < 3; k++)
    {
      tsr_tile_map_set_scale (f.map, k == 0 ? 0 : 5000, k == 0 ? 0 : 12000);
      if (k == 2)
        tsr_tile_map_zoom_about (f.map, &geometry, 300, 120, 3);
      tsr_tile_map_get_scale (f.map, &from, &to);
      g_assert_cmpint (from, ==, k == 0 ? 0 : 5000);
      g_assert_cmpint (to, ==, k == 0 ? 20000 : 12000);
      raster = layout (&f, &geometry, list, &area);
      for (guint tile = 0; tile < f.n; tile++)
        {
          double x, y, width, height;
          int column, row;

          g_assert_true (tsr_tile_map_get_cell (f.map, &geometry, tile, &x, &y, &width, &height));
          column = (int)floor ((x + width / 2 - area.x) * 2);
          row = (int)floor ((y + height / 2 - area.y) * 2);
          if (column < 0 || row < 0 || column >= (int)raster->width || row >= (int)raster->height)
            continue;
          g_assert_cmpuint (raster->inks[row * raster->width + column], ==,
                            f.values[tile] == TSR_UNKNOWN
                                ? TSR_RASTER_CLEAR
                                : expected_ink (f.values[tile], from, to, 20000));
        }
    }
}

/* 94,208 tiles on fewer pixels: the one hot tile of each IPU is in the pixels, and the pointer
 * finds it there. */
static void
test_more_tiles_than_pixels (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry = test_geometry (420, 220, 1, 0, 0);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  const TsrDrawRaster *raster;
  TsrPlotArea area;

  fixture_open (&f, 64, 1472);
  for (guint i = 0; i < f.n; i++)
    f.values[i] = 1;
  for (guint ipu = 0; ipu < 64; ipu++)
    f.values[ipu * 1472 + ipu * 37 % 1472] = 19999;
  tsr_tile_map_set_values (f.map, f.values, "madeUp", "made up", 20000, TSR_UNITS_BINARY);
  raster = layout (&f, &geometry, list, &area);
  g_assert_cmpuint (list->items->len, <, 700);
  for (guint ipu = 0; ipu < 64; ipu++)
    {
      guint32 hot = ipu * 1472 + ipu * 37 % 1472;
      double x, y, width, height;
      guint column, row;
      gboolean found = FALSE;

      g_assert_true (tsr_tile_map_get_cell (f.map, &geometry, hot, &x, &y, &width, &height));
      g_assert_cmpfloat (width, <, 1);
      column = (guint)floor (x - area.x);
      row = (guint)floor (y - area.y);
      for (guint r = row; r <= MIN (row + 1, raster->height - 1); r++)
        for (guint c = column; c <= MIN (column + 1, raster->width - 1); c++)
          found |= raster->inks[r * raster->width + c] == TSR_INK_RAMP + TSR_N_RAMP_INKS - 1;
      g_assert_true (found);
      g_assert_cmpuint (tsr_tile_map_tile_at (f.map, &geometry, x + width / 2, y + height / 2), ==,
                        hot);
    }
}

static void
test_rubber_band (void)
{
  static const double bands[][4] = { { 0, 0, 2000, 2000 }, { 100, 40, 210, 77 }, { 5, 5, 1, 1 } };
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry = test_geometry (1232, 300, 1, 0, 0);

  fixture_open (&f, 2, 1472);
  for (guint b = 0; b < G_N_ELEMENTS (bands); b++)
    {
      const double *r = bands[b];
      g_autoptr (GArray) tiles
          = tsr_tile_map_dup_tiles_in (f.map, &geometry, r[0], r[1], r[2], r[3]);
      guint k = 0;

      for (guint tile = 0; tile < f.n; tile++)
        {
          double x, y, width, height;

          g_assert_true (tsr_tile_map_get_cell (f.map, &geometry, tile, &x, &y, &width, &height));
          if (x + width < r[0] || x > r[0] + r[2] || y + height < r[1] || y > r[1] + r[3])
            continue;
          g_assert_cmpuint (k, <, tiles->len);
          g_assert_cmpuint (g_array_index (tiles, guint32, k), ==, tile);
          k++;
        }
      g_assert_cmpuint (k, ==, tiles->len);
    }
}

static void
test_neighbours (void)
{
  g_auto (Fixture) f = { 0 };
  guint columns[1472], rows[1472];

  walk_chip (columns, rows);
  fixture_open (&f, 2, 1472);
  for (guint tile = 0; tile < 1472; tile++)
    for (int dx = -1; dx <= 1; dx++)
      for (int dy = -1; dy <= 1; dy++)
        {
          guint32 other = tsr_tile_map_neighbour (f.map, 1472 + tile, dx, dy);
          int column = (int)columns[tile] + dx, row = (int)rows[tile] + dy;

          if (column < 0 || column > 63 || row < 0 || row > 22)
            {
              g_assert_cmpuint (other, ==, 1472 + tile);
              continue;
            }
          g_assert_cmpuint (columns[other - 1472], ==, column);
          g_assert_cmpuint (rows[other - 1472], ==, row);
        }
}

/* What is under the pointer stays there; nothing is left of the map that could fill the plot. */
static void
test_view (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry = test_geometry (1000, 500, 1, 0, 0);
  double zoom, x, y;

  fixture_open (&f, 1, 1472);
  for (guint i = 0; i < 6; i++)
    {
      guint32 before = tsr_tile_map_tile_at (f.map, &geometry, 300, 200);
      double cell_x, cell_y, width, height;

      tsr_tile_map_zoom_about (f.map, &geometry, 300, 200, 1.5);
      g_assert_true (
          tsr_tile_map_get_cell (f.map, &geometry, before, &cell_x, &cell_y, &width, &height));
      g_assert_cmpfloat (cell_x, <=, 301 + width);
      g_assert_cmpfloat (cell_x + width, >=, 299 - width);
      g_assert_cmpfloat (cell_y, <=, 201 + height);
      g_assert_cmpfloat (cell_y + height, >=, 199 - height);
    }
  tsr_tile_map_get_view (f.map, &zoom, &x, &y);
  g_assert_cmpfloat (zoom, >, 3);
  tsr_tile_map_reveal (f.map, &geometry, 1471);
  {
    double cell_x, cell_y, width, height;

    g_assert_true (
        tsr_tile_map_get_cell (f.map, &geometry, 1471, &cell_x, &cell_y, &width, &height));
    g_assert_cmpuint (
        tsr_tile_map_tile_at (f.map, &geometry, cell_x + width / 2, cell_y + height / 2), ==, 1471);
  }
  tsr_tile_map_pan (f.map, &geometry, -1e9, 1e9);
  g_assert_cmpuint (tsr_tile_map_tile_at (f.map, &geometry, 20, 250), !=, TSR_NO_DATUM);
  tsr_tile_map_zoom_about (f.map, &geometry, 500, 250, 1e-6);
  tsr_tile_map_get_view (f.map, &zoom, &x, &y);
  g_assert_cmpfloat (zoom, ==, 1);
  g_assert_cmpfloat (x, ==, 0.5);
}

/* Numbers stand in the cells where there is room and not more than 1,600 of them are in sight. */
static void
test_many_numbers (void)
{
  g_auto (Fixture) f = { 0 };
  const TsrChartGeometry geometry = test_geometry (5000, 900, 1, 0, 0);

  fixture_open (&f, 2, 1472);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      TsrPlotArea area;
      guint n = 0;

      tsr_tile_map_set_view (f.map, i == 0 ? 1 : 2, 0.5, 0.5);
      tsr_chart_model_layout (TSR_CHART_MODEL (f.map), &geometry, list, &area);
      for (guint k = 0; k < list->items->len; k++)
        {
          const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, k);

          n += item->kind == TSR_ITEM_LABEL && item->datum < 2944
               && g_ascii_isdigit (*tsr_draw_list_get_text (list, item));
        }
      if (i == 0)
        g_assert_cmpuint (n, ==, 0);
      else
        {
          g_assert_cmpuint (n, >, 100);
          g_assert_cmpuint (n, <=, 1600);
        }
    }
}

static void
count_told (TsrChartModel *model, guint *n)
{
  (*n)++;
}

/* Another view is told, the same is not; what no number is is the middle, and all of it has no
 * other one. */
static void
test_view_told (void)
{
  static const struct
  {
    double zoom, x, y;
    gboolean told;
  } views[] = { { 3, 0.2, 0.3, TRUE },      { 3, 0.2, 0.3, FALSE },  { 3, 0.2, 0.4, TRUE },
                { 3, 0.1, 0.4, TRUE },      { 4, 0.1, 0.4, TRUE },   { 4, NAN, 0.4, TRUE },
                { 4, 0.5, INFINITY, TRUE }, { 4, 0.5, 0.5, FALSE },  { 4, -1, 2, TRUE },
                { 4, 0, 1, FALSE },         { NAN, 0.3, 0.3, TRUE }, { 1, 0.7, 0.2, FALSE },
                { 0.1, 0.5, 0.5, FALSE },   { 2, 0.5, 0.5, TRUE } };
  g_auto (Fixture) f = { 0 };
  guint n = 0;

  fixture_open (&f, 1, 1472);
  g_signal_connect (f.map, "changed", G_CALLBACK (count_told), &n);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      n = 0;
      tsr_tile_map_set_view (f.map, views[i].zoom, views[i].x, views[i].y);
      g_assert_cmpuint (n, ==, views[i].told);
    }
}

/* Each tile is in sight once it was revealed, and the map moves no further than that needs: not at
 * all for what is in sight, and else until the tile is at an edge. */
static void
test_reveal (void)
{
  g_auto (Fixture) f = { 0 };
  const TsrChartGeometry geometry = test_geometry (400, 300, 1, 0, 0);
  guint n_moved = 0;

  fixture_open (&f, 1, 1472);
  tsr_tile_map_set_view (f.map, 6, 0.4, 0.6);
  for (guint32 i = 0; i < 400; i++)
    {
      const guint32 tile = (i * 613) % 1472;
      double zoom, before[2], view[2], cell[2], size[2], again[2];
      gboolean at_edge, moved;

      tsr_tile_map_get_view (f.map, &zoom, &before[0], &before[1]);
      tsr_tile_map_reveal (f.map, &geometry, tile);
      tsr_tile_map_get_view (f.map, &zoom, &view[0], &view[1]);
      g_assert_cmpfloat (zoom, ==, 6);
      g_assert_true (
          tsr_tile_map_get_cell (f.map, &geometry, tile, &cell[0], &cell[1], &size[0], &size[1]));
      g_assert_cmpfloat (size[0], >, 4);
      /* All of it: the four corners are it. */
      for (guint k = 0; k < 4; k++)
        g_assert_cmpuint (tsr_tile_map_tile_at (f.map, &geometry,
                                                cell[0] + (k % 2 ? size[0] - 1 : 1),
                                                cell[1] + (k / 2 ? size[1] - 1 : 1)),
                          ==, tile);
      /* Where it moved, what is beyond the tile is out of sight. */
      for (guint axis = 0; axis < 2; axis++)
        {
          moved = fabs (view[axis] - before[axis]) > 1e-9;
          n_moved += moved;
          if (!moved)
            continue;
          at_edge = tsr_tile_map_tile_at (
                        f.map, &geometry,
                        cell[0] + (axis == 0 ? (view[0] < before[0] ? -2 : size[0] + 2) : 1),
                        cell[1] + (axis == 1 ? (view[1] < before[1] ? -2 : size[1] + 2) : 1))
                    == TSR_NO_DATUM;
          g_assert_true (at_edge);
        }
      tsr_tile_map_reveal (f.map, &geometry, tile);
      tsr_tile_map_get_view (f.map, &zoom, &again[0], &again[1]);
      g_assert_cmpfloat_with_epsilon (again[0], view[0], 1e-9);
      g_assert_cmpfloat_with_epsilon (again[1], view[1], 1e-9);
    }
  g_assert_cmpuint (n_moved, >, 300);
}

static void
test_scale (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry = test_geometry (1000, 400, 1, 0, 0);
  gint64 value, last = G_MAXINT64;
  guint n_from = 0, n_to = 0;

  fixture_open (&f, 1, 1472);
  g_assert_cmpint (tsr_tile_map_get_top (f.map), ==, 20000);
  tsr_tile_map_set_scale (f.map, 4000, 16000);
  for (int y = 0; y < 400; y++)
    {
      TsrScalePart part = tsr_tile_map_scale_at (f.map, &geometry, 935, y, &value);

      g_assert_cmpint (value, <=, last);
      last = value;
      if (part == TSR_SCALE_FROM)
        {
          n_from++;
          g_assert_cmpint (ABS (value - 4000), <, 400);
        }
      if (part == TSR_SCALE_TO)
        {
          n_to++;
          g_assert_cmpint (ABS (value - 16000), <, 400);
        }
    }
  g_assert_cmpuint (n_from, >, 5);
  g_assert_cmpuint (n_to, >, 5);
  g_assert_cmpint (last, ==, 0);
  g_assert_cmpint (tsr_tile_map_scale_at (f.map, &geometry, 300, 200, &value), ==, TSR_SCALE_NONE);
}

static void
test_words (void)
{
  g_auto (Fixture) f = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autofree char *text = NULL, *caption = NULL, *over = NULL;
  g_auto (GStrv) lines = NULL;

  fixture_open (&f, 2, 1472);
  f.values[1474] = 5000;
  f.values[9] = 20100;
  tsr_tile_map_set_values (f.map, f.values, "madeUp", "made up", 20000, TSR_UNITS_BINARY);
  tsr_tile_map_set_ipus (f.map, (guint[]){ 1 }, 1);
  text = tsr_chart_model_describe (f.model, 1474);
  g_assert_cmpstr (text, ==, "Tile 1474 (IPU 1, physical 64)\nmade up: 5,000 B (25.0 %)");
  over = tsr_chart_model_describe (f.model, 9);
  g_assert_nonnull (strstr (over, "Does not fit: 100 B"));
  caption = tsr_chart_model_dup_caption (f.model);
  g_assert_cmpstr (caption, ==, "Tile map of IPU 1: made up");
  tsr_chart_model_write_csv (f.model, 0, 1, csv);
  lines = g_strsplit (csv->str, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1472 + 2);
  g_assert_cmpstr (lines[0], ==, "tile,ipu,physicalTile,madeUp");
  g_assert_cmpstr (lines[3], ==, "1474,1,64,5000");
}

/* Any number of tiles, any size: nothing outside, nothing without bound. */
static void
test_any_size (void)
{
  static const guint targets[][2] = { { 1, 1 }, { 3, 5 }, { 2, 1216 }, { 64, 1472 }, { 700, 2 } };
  static const double sizes[][2]
      = { { 0, 0 }, { 3, 900 }, { 60, 40 }, { 200, 120 }, { 1232, 300 }, { 2560, 1250 } };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_auto (Fixture) f = { 0 };
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      g_autofree guint *all = NULL;

      fixture_open (&f, targets[i][0], targets[i][1]);
      all = g_new (guint, f.n);
      for (guint t = 0; t < f.n; t++)
        {
          all[t] = t;
          f.values[t] = t % 3 == 0 ? TSR_UNKNOWN : 30000;
        }
      tsr_tile_map_set_values (f.map, f.values, "madeUp", "made up", 20000, TSR_UNITS_SI);
      for (guint k = 0; k < G_N_ELEMENTS (sizes) * 2; k++)
        {
          TsrChartGeometry geometry
              = test_geometry (sizes[k / 2][0], sizes[k / 2][1], 1 + k % 2, 0, 0);
          TsrPlotArea area;

          geometry.title = k % 3 == 0 ? "title" : NULL;
          tsr_tile_selection_set (f.selection, all, k % 2 == 0 ? f.n : MIN (f.n, 100));
          tsr_tile_map_set_view (f.map, 1 + k, 0.1 * k, 0.9);
          tsr_draw_list_reset (list);
          tsr_chart_model_layout (f.model, &geometry, list, &area);
          if (area.width > 0)
            tsr_chart_model_layout_overlay (f.model, &geometry, &area, 0, f.n - 1, list);
          g_assert_cmpuint (list->items->len, <, 6500);
          for (guint n = 0; n < list->items->len; n++)
            {
              const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, n);

              g_assert_true (isfinite (item->x) && isfinite (item->y));
              if (item->kind == TSR_ITEM_LABEL)
                continue;
              g_assert_cmpfloat (item->x, >=, -0.01);
              g_assert_cmpfloat (item->y, >=, -0.01);
              g_assert_cmpfloat (item->x + item->width, <=, geometry.width + 0.01);
              g_assert_cmpfloat (item->y + item->height, <=, geometry.height + 0.01);
            }
        }
    }
}

static void
test_copy (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry = test_geometry (800, 400, 1, 0, 0);
  g_autoptr (TsrDrawList) a = tsr_draw_list_new ();
  g_autoptr (TsrDrawList) b = tsr_draw_list_new ();
  g_autoptr (TsrChartModel) copy = NULL;
  g_autofree char *text_a = NULL, *text_b = NULL;
  TsrPlotArea area;

  fixture_open (&f, 3, 1472);
  tsr_tile_map_set_ipus (f.map, (guint[]){ 0, 2 }, 2);
  tsr_tile_map_set_scale (f.map, 100, 9000);
  tsr_tile_map_set_view (f.map, 2, 0.3, 0.4);
  copy = tsr_chart_model_dup (f.model);
  tsr_chart_model_layout (f.model, &geometry, a, &area);
  tsr_chart_model_layout (copy, &geometry, b, &area);
  text_a = tsr_draw_list_dup_text (a);
  text_b = tsr_draw_list_dup_text (b);
  g_assert_cmpstr (text_a, ==, text_b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tile-map/floor-plan", test_floor_plan);
  g_test_add_func ("/tile-map/many-numbers", test_many_numbers);
  g_test_add_func ("/tile-map/pixels", test_pixels);
  g_test_add_func ("/tile-map/more-tiles-than-pixels", test_more_tiles_than_pixels);
  g_test_add_func ("/tile-map/rubber-band", test_rubber_band);
  g_test_add_func ("/tile-map/neighbours", test_neighbours);
  g_test_add_func ("/tile-map/view", test_view);
  g_test_add_func ("/tile-map/reveal", test_reveal);
  g_test_add_func ("/tile-map/view-told", test_view_told);
  g_test_add_func ("/tile-map/scale", test_scale);
  g_test_add_func ("/tile-map/words", test_words);
  g_test_add_func ("/tile-map/any-size", test_any_size);
  g_test_add_func ("/tile-map/copy", test_copy);
  return g_test_run ();
}
