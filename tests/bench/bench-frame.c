/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chart in a window, drawn again and again without the main loop. */

#include "config.h"

#include "bench-frame.h"

#include "tsr-chart-private.h"

#include <math.h>
#include <stdio.h>

#define WIDTH  1600
#define HEIGHT 1000
#define FRAMES 60
#define WARM   6

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return x < y ? -1 : x > y;
}

/* Half of the frames zoom about a point that wanders, half pan. */
static void
step (TsrViewport *viewport, guint frame, gboolean close)
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

void
bench_frame_print (TsrChartModel *model, const char *what, guint size, gboolean close)
{
  GtkWidget *window = gtk_window_new ();
  TsrChart *chart = tsr_chart_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  double snapshots[FRAMES];
  double times[FRAMES];
  guint n = 0;

  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (chart));
  gtk_widget_set_size_request (GTK_WIDGET (chart), WIDTH, HEIGHT);
  gtk_window_present (GTK_WINDOW (window));
  tsr_plane_set_model (TSR_PLANE (chart), model);
  while (gtk_widget_get_width (GTK_WIDGET (chart)) != WIDTH)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < FRAMES + WARM; i++)
    {
      double snapshot;
      double ms;

      step (tsr_chart_get_viewport (chart), i, close);
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
  printf ("frame %s%s %u %.3f\n", what, close ? ",close" : "", size, snapshots[n / 2]);
  printf ("drawn %s%s %u %.3f\n", what, close ? ",close" : "", size, times[n / 2]);
}
