/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a frame of the memory chart costs while it is zoomed and panned, at 1600 x 1000.  Prints
 * "frame WHAT TILES MILLISECONDS" for layout and snapshot (allocation, layout, render nodes), and
 * "drawn ..." for the same with the nodes drawn by cairo: medians, for 2,944 and 94,208 tiles and
 * each breakdown. */

#include "config.h"

#include "tsr-chart-private.h"
#include "tsr-memory-chart.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"

#include <math.h>
#include <stdio.h>

#define WIDTH  1600
#define HEIGHT 1000
#define FRAMES 60
#define WARM   6

#define TABLES                                                                                     \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (1472, %u, 1, %u, 638976);"                                           \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < %u)"                   \
  "  INSERT INTO memory_by_tile SELECT i, i * 7919 %% 640001, i * 7919 %% 640001 + 9000,"          \
  "    i * 7919 %% 640001, max (i * 7919 %% 640001 + 9000 - 638976, 0), i * 7919 %% 400001,"       \
  "    i * 7919 %% 240001, 3 FROM t;"                                                              \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT, allocated_bytes INTEGER);"      \
  "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 11)"                   \
  "  INSERT INTO var_categories SELECT i, 'category' || i, 1000 FROM c;"                           \
  "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped, overlapped,"      \
  "  PRIMARY KEY (tile, category, region)) WITHOUT ROWID;"                                         \
  "INSERT INTO memory_by_tile_category SELECT tile, id, 0,"                                        \
  "    (tile * 31 + id * 977) %% 50000, 0 FROM memory_by_tile, var_categories;"

static TsrMemory *
make_memory (const char *folder, guint n_tiles)
{
  g_autofree char *sql
      = g_strdup_printf ("BEGIN;" TABLES "COMMIT;", n_tiles / 1472, n_tiles / 1472, n_tiles - 1);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;

  tsr_test_sql (folder, "profile.pop", sql);
  report = tsr_report_open_sync (place, folder, TSR_LOAD_UP_TO_MEMORY, NULL, &error);
  if (report == NULL || tsr_report_get_memory_tables (report) == NULL)
    g_error ("%s", error != NULL ? error->message : "no memory");
  return tsr_memory_new (report);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return x < y ? -1 : x > y;
}

/* Half of the frames zoom about a point that wanders, half pan: between the whole range and half of
 * it, where 2,944 tiles fill every pixel as 94,208 do, or up to nine times closer, where 2,944
 * tiles leave most pixels without an edge. */
static void
step (TsrViewport *viewport, guint n_tiles, guint frame, gboolean close)
{
  double from, to;

  if (frame % 20 == 0)
    tsr_viewport_fit (viewport);
  tsr_viewport_get_range (viewport, &from, &to);
  if (frame % 20 < 10)
    tsr_viewport_zoom_about (viewport, from + (to - from) * (0.3 + 0.02 * (frame % 20)),
                             close ? 1.25 : 1.07, 1);
  else
    tsr_viewport_pan (viewport, (to - from) * 0.03, 1);
}

static double
draw_frame (TsrChart *chart, cairo_surface_t *surface, double *built)
{
  gint64 start = g_get_monotonic_time ();
  GtkSnapshot *snapshot;
  GskRenderNode *node;
  cairo_t *cr = cairo_create (surface);

  gtk_widget_measure (GTK_WIDGET (chart), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (GTK_WIDGET (chart), WIDTH, HEIGHT, -1, NULL);
  snapshot = gtk_snapshot_new ();
  GTK_WIDGET_GET_CLASS (chart)->snapshot (GTK_WIDGET (chart), snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL)
    g_error ("an empty frame");
  *built = (g_get_monotonic_time () - start) / 1000.0;
  gsk_render_node_draw (node, cr);
  cairo_surface_flush (surface);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  return (g_get_monotonic_time () - start) / 1000.0;
}

/* Median milliseconds of layout and snapshot, and of the same with the nodes drawn. */
static void
measure (TsrMemory *memory, TsrBreakdown breakdown, gboolean close, double *built, double *drawn)
{
  GtkWidget *window = gtk_window_new ();
  TsrChart *chart = tsr_chart_new ();
  g_autoptr (TsrTileSelection) selection = tsr_tile_selection_new ();
  g_autoptr (TsrMemoryChart) model = tsr_memory_chart_new (memory, selection);
  TsrMemoryChartOptions options;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  double snapshots[FRAMES];
  double times[FRAMES];
  guint n = 0;

  tsr_memory_chart_get_options (model, &options);
  options.breakdown = breakdown;
  tsr_memory_chart_set_options (model, &options);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (chart));
  gtk_widget_set_size_request (GTK_WIDGET (chart), WIDTH, HEIGHT);
  gtk_window_present (GTK_WINDOW (window));
  tsr_chart_set_model (chart, TSR_CHART_MODEL (model));
  while (gtk_widget_get_width (GTK_WIDGET (chart)) != WIDTH)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < FRAMES + WARM; i++)
    {
      double snapshot;
      double ms;

      step (tsr_chart_get_viewport (chart), tsr_memory_get_n_tiles (memory), i, close);
      ms = draw_frame (chart, surface, &snapshot);
      if (i < WARM)
        continue;
      snapshots[n] = snapshot;
      times[n++] = ms;
    }
  qsort (snapshots, n, sizeof *snapshots, compare);
  qsort (times, n, sizeof *times, compare);
  cairo_surface_destroy (surface);
  gtk_window_destroy (GTK_WINDOW (window));
  *built = snapshots[n / 2];
  *drawn = times[n / 2];
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 2944, 94208 };
  TsrMemory *memories[G_N_ELEMENTS (sizes)];

  gtk_init ();
  tsr_ui_init ();
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      char *folder = tsr_test_folder_new ();

      memories[i] = make_memory (folder, sizes[i]);
      tsr_test_folder_free (folder);
    }
  for (guint close = 0; close < 2; close++)
    for (guint b = TSR_BREAKDOWN_NONE; b <= TSR_BREAKDOWN_LIVENESS; b++)
      for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
        {
          const char *what = tsr_breakdown_get_nick (b);
          double built;
          double drawn;

          measure (memories[i], b, close, &built, &drawn);
          printf ("frame %s%s %u %.3f\n", what, close ? ",close" : "", sizes[i], built);
          printf ("drawn %s%s %u %.3f\n", what, close ? ",close" : "", sizes[i], drawn);
        }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    tsr_memory_unref (memories[i]);
  return 0;
}
