/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The roofline: where each operation stands, against plain SQL over its programs; what is drawn,
 * found again at its place and read out; the roof; one operation and many. */

#include "config.h"

#include "tsr-operation-columns.h"
#include "tsr-painter.h"
#include "tsr-roofline.h"
#include "tsr-test.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct
{
  const char *folder;
  TsrReport *report;
  TsrMemory *memory;
  TsrPrograms *programs;
  TsrOperations *operations;
  TsrRoofline *roofline;
} Fixture;

static void
setup (Fixture *f, gconstpointer preset)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;

  f->folder = tsr_test_get_report (preset);
  f->report = tsr_report_open_sync (place, f->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  f->memory = tsr_memory_new (f->report);
  f->programs = tsr_programs_new (f->report, NULL, &error);
  g_assert_no_error (error);
  f->operations = tsr_operations_new (f->programs, tsr_report_get_debug_tables (f->report),
                                      "poplibs", f->memory, NULL, NULL, &error);
  g_assert_no_error (error);
  f->roofline = tsr_roofline_new (f->operations, TSR_UNITS_BINARY);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  g_object_unref (f->roofline);
  tsr_operations_unref (f->operations);
  tsr_programs_unref (f->programs);
  tsr_memory_unref (f->memory);
  g_object_unref (f->report);
}

static TsrChartGeometry
make_geometry (Fixture *f, double width, double height)
{
  TsrChartGeometry geometry = { .width = width, .height = height, .scale = 1 };
  double least;

  tsr_chart_model_get_domain (TSR_CHART_MODEL (f->roofline), &geometry.from, &geometry.to, &least);
  geometry.measure = *tsr_painter_get_measure ();
  return geometry;
}

static gint64
ask (Fixture *f, guint operation, const char *before, const char *after)
{
  g_autoptr (GString) sql = g_string_new (before);
  guint n;
  const guint32 *programs = tsr_operations_get_programs (f->operations, operation, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, "%s%" PRId64, i > 0 ? "," : "",
                            tsr_programs_get_tables (f->programs)->program_id[programs[i]]);
  g_string_append (sql, after);
  return tsr_test_query (f->folder, "profile.pop", sql->str);
}

#define MOVED(column)                                                                              \
  "SELECT coalesce(sum(a.total), 0) FROM steps s JOIN programs p ON p.id = s.program JOIN "        \
  "tile_arrays a ON a.id = p." column " WHERE p.id IN ("

/* GFLOPS by hand: FLOPs of all steps by the time of the IPU that has most. */
static void
test_places (Fixture *f, gconstpointer data)
{
  const gint64 clock = tsr_test_query (f->folder, "profile.pop",
                                       "SELECT CAST (clock_frequency AS INTEGER) FROM target");
  const gint64 n_tiles
      = tsr_test_query (f->folder, "profile.pop", "SELECT count(*) FROM memory_by_tile");
  guint n_placed = 0;

  for (guint i = 0; i < tsr_operations_get_n (f->operations); i++)
    {
      const gint64 flops = ask (
          f, i,
          "SELECT coalesce(sum(v.flops), 0) FROM steps s JOIN programs p ON p.id = s.program "
          "JOIN compute_set_vertices v ON v.compute_set = p.compute_set WHERE p.id IN (",
          ")");
      const gint64 in = ask (f, i, MOVED ("data_in_by_tile"), ")");
      const gint64 out = ask (f, i, MOVED ("data_out_by_tile"), ")");
      const gint64 cycles = ask (f, i,
                                 "SELECT max(c) FROM (SELECT sum(active_cycles_to_max - "
                                 "active_cycles_from_max) c FROM steps s JOIN steps_by_ipu i ON "
                                 "i.step_id = s.id WHERE s.program IN (",
                                 ") GROUP BY i.ipu)");
      double intensity, gflops;
      gboolean placed = tsr_roofline_get_place (f->roofline, i, &intensity, &gflops);

      /* Steps without a program are of the last one. */
      if (tsr_operations_is_none (f->operations, i))
        {
          n_placed += placed;
          continue;
        }
      g_assert_cmpint (placed, ==, flops > 0 && MAX (in, out) > 0 && cycles > 0);
      if (!placed)
        continue;
      n_placed++;
      g_assert_cmpfloat_with_epsilon (intensity, (double)flops / (double)MAX (in, out), 1e-9);
      g_assert_cmpfloat_with_epsilon (gflops,
                                      (double)flops / ((double)cycles / (double)clock) / 1e9, 1e-6);
      g_assert_cmpfloat_with_epsilon (tsr_roofline_get_roof (f->roofline, intensity),
                                      intensity * 4 * (double)n_tiles * (double)clock / 1e9, 1e-3);
    }
  g_assert_cmpuint (n_placed, >, 0);
  g_assert_cmpuint (tsr_roofline_get_n (f->roofline), ==, n_placed);
}

static guint
count_drawn (const TsrDrawList *list)
{
  guint n = 0;

  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      n += item->kind == TSR_ITEM_RECT && item->datum != TSR_NO_DATUM;
    }
  return n;
}

/* What is drawn is inside, and found again in its middle. */
static void
test_layout (Fixture *f, gconstpointer data)
{
  const TsrChartGeometry geometry = make_geometry (f, 900, 500);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (TsrDrawList) overlay = tsr_draw_list_new ();
  g_autoptr (TsrDrawList) small = tsr_draw_list_new ();
  g_autofree char *text = NULL;
  TsrChartGeometry little = make_geometry (f, 200, 80);
  TsrPlotArea area;
  guint n_roofs = 0;

  tsr_chart_model_layout (TSR_CHART_MODEL (f->roofline), &geometry, list, &area);
  g_assert_cmpuint (count_drawn (list), >, 0);
  g_assert_cmpuint (count_drawn (list), <=, tsr_roofline_get_n (f->roofline));
  g_assert_cmpuint (list->items->len, <, 6000);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
      guint32 found;
      double x, y;

      n_roofs += item->kind == TSR_ITEM_LINE && item->ink == TSR_INK_CAPACITY;
      if (item->kind != TSR_ITEM_RECT || item->datum == TSR_NO_DATUM)
        continue;
      g_assert_true (tsr_roofline_get_point (f->roofline, &geometry, &area, item->datum, &x, &y));
      g_assert_cmpfloat (x, >=, area.x);
      g_assert_cmpfloat (x, <=, area.x + area.width);
      g_assert_cmpfloat (y, >=, area.y);
      g_assert_cmpfloat (y, <=, area.y + area.height);
      g_assert_cmpfloat (fabs (x - (double)item->x - (double)item->width / 2), <=, 1);
      found = tsr_roofline_operation_at (f->roofline, &geometry, &area, x, y);
      if (found != item->datum) /* another one lies over it */
        {
          double other_x, other_y;

          g_assert_true (
              tsr_roofline_get_point (f->roofline, &geometry, &area, found, &other_x, &other_y));
          g_assert_cmpfloat (fabs (other_x - x), <, 20);
          g_assert_cmpfloat (fabs (other_y - y), <, 20);
        }
    }
  g_assert_cmpuint (n_roofs, ==, 1);
  g_assert_cmpuint (
      tsr_roofline_operation_at (f->roofline, &geometry, &area, area.x - 40, area.y - 40), ==,
      TSR_NO_DATUM);
  text = tsr_draw_list_dup_text (list);
  g_assert_nonnull (strstr (text, "No roof of compute"));
  /* What is selected has a frame. */
  tsr_roofline_set_selected (f->roofline, tsr_roofline_neighbour (f->roofline, TSR_NO_DATUM, 0, 0));
  tsr_chart_model_layout_overlay (TSR_CHART_MODEL (f->roofline), &geometry, &area, TSR_NO_DATUM,
                                  TSR_NO_DATUM, overlay);
  g_assert_cmpuint (overlay->items->len, ==, 1);
  /* Without room nothing falls over. */
  tsr_chart_model_layout (TSR_CHART_MODEL (f->roofline), &little, small, &area);
  little.width = little.height = 1;
  tsr_chart_model_layout (TSR_CHART_MODEL (f->roofline), &little, small, &area);
}

/* In no layer the names of two operations read the same. */
static void
test_names (Fixture *f, gconstpointer data)
{
  const TsrDebugTables *debug = tsr_report_get_debug_tables (f->report);
  guint n_cut = 0;

  for (guint layer = 0; layer < debug->n_layers; layer++)
    {
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
      g_autoptr (GError) error = NULL;
      TsrChartGeometry geometry;
      TsrPlotArea area;

      g_object_unref (f->roofline);
      tsr_operations_unref (f->operations);
      f->operations = tsr_operations_new (f->programs, debug, debug->layers[layer].name, f->memory,
                                          NULL, NULL, &error);
      g_assert_no_error (error);
      f->roofline = tsr_roofline_new (f->operations, TSR_UNITS_BINARY);
      geometry = make_geometry (f, 1600, 900);
      tsr_chart_model_layout (TSR_CHART_MODEL (f->roofline), &geometry, list, &area);
      for (guint i = 0; i < list->items->len; i++)
        {
          const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
          const char *text
              = item->kind == TSR_ITEM_LABEL ? tsr_draw_list_get_text (list, item) : NULL;

          if (text == NULL || item->ink != TSR_INK_TEXT || strstr (text, "…") == NULL)
            continue;
          n_cut++;
          if (!g_hash_table_add (seen, (gpointer)text))
            g_error ("two operations read %s", text);
        }
    }
  g_assert_cmpuint (n_cut, >, 0);
}

/* Every one is reached by the keyboard, and told. */
static void
test_keyboard (Fixture *f, gconstpointer data)
{
  TsrChartModel *model = TSR_CHART_MODEL (f->roofline);
  guint32 at = tsr_roofline_neighbour (f->roofline, TSR_NO_DATUM, 1, 0), next;
  guint n = 1;

  g_assert_cmpuint (at, !=, TSR_NO_DATUM);
  while ((next = tsr_roofline_neighbour (f->roofline, at, -1, 0)) != at)
    at = next;
  while ((next = tsr_roofline_neighbour (f->roofline, at, 1, 0)) != at)
    {
      g_autofree char *told = tsr_chart_model_describe (model, next);

      g_assert_cmpfloat (tsr_chart_model_position_of (model, next), >=,
                         tsr_chart_model_position_of (model, at));
      g_assert_nonnull (strstr (told, "GFLOPS"));
      at = next;
      n++;
    }
  g_assert_cmpuint (n, ==, tsr_roofline_get_n (f->roofline));
}

/* A line for each, and the same of a copy. */
static void
test_csv (Fixture *f, gconstpointer data)
{
  TsrChartModel *model = TSR_CHART_MODEL (f->roofline);
  g_autoptr (TsrChartModel) copy = tsr_chart_model_dup (model);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GString) again = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  double from, to, least;

  tsr_chart_model_get_domain (model, &from, &to, &least);
  tsr_chart_model_write_csv (model, from, to, out);
  tsr_chart_model_write_csv (copy, from, to, again);
  g_assert_cmpstr (out->str, ==, again->str);
  lines = g_strsplit (g_strchomp (out->str), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, tsr_roofline_get_n (f->roofline) + 1);
}

/* A report that was not executed has no place for any. */
static void
test_nothing (Fixture *f, gconstpointer data)
{
  const TsrChartGeometry geometry = make_geometry (f, 600, 300);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autofree char *text = NULL;
  TsrPlotArea area;

  g_assert_cmpuint (tsr_roofline_get_n (f->roofline), ==, 0);
  tsr_chart_model_layout (TSR_CHART_MODEL (f->roofline), &geometry, list, &area);
  g_assert_cmpuint (count_drawn (list), ==, 0);
  text = tsr_draw_list_dup_text (list);
  g_assert_nonnull (strstr (text, "No operation has FLOPs"));
  g_assert_cmpuint (tsr_roofline_neighbour (f->roofline, TSR_NO_DATUM, 1, 0), ==, TSR_NO_DATUM);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*test) (Fixture *f, gconstpointer data);
  } tests[] = { { "places", test_places },
                { "layout", test_layout },
                { "keyboard", test_keyboard },
                { "csv", test_csv } };
  static const char *const presets[] = { "poplibs", "demo", "tiny" };

  g_test_init (&argc, &argv, NULL);
  for (guint p = 0; p < G_N_ELEMENTS (presets); p++)
    for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
      {
        g_autofree char *path = g_strdup_printf ("/roofline/%s/%s", presets[p], tests[i].name);

        g_test_add (path, Fixture, presets[p], setup, tests[i].test, teardown);
      }
  g_test_add ("/roofline/names", Fixture, "pytorch", setup, test_names, teardown);
  g_test_add ("/roofline/nothing", Fixture, "oom", setup, test_nothing, teardown);
  return g_test_run ();
}
