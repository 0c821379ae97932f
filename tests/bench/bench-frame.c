/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chart in a window, drawn again and again without the main loop. */

#include "config.h"

#include "bench-frame.h"

#include "tsr-chart-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define HEIGHT 1000
#define FRAMES 60
#define WARM   6
#define CYCLE  20 /* frames from the whole range to the whole range */
#define ROUNDS 15

typedef struct
{
  int width;
  GtkWidget *window;
  TsrChart *chart;
  cairo_surface_t *surface;
  double built[FRAMES]; /* milliseconds, least of the rounds */
  double drawn[FRAMES];
} Stage;

/* What a profiler wants to see alone; NULL: everything. */
static const char *only;
static guint only_size;
static guint n_rounds = ROUNDS;

/* Half of the frames zoom about a point that wanders, half pan. */
static void
step (TsrViewport *viewport, guint frame, gboolean close)
{
  double from, to;

  if (frame % CYCLE == 0)
    tsr_viewport_fit (viewport);
  tsr_viewport_get_range (viewport, &from, &to);
  if (frame % CYCLE < CYCLE / 2)
    tsr_viewport_zoom_about (viewport, from + (to - from) * (0.3 + 0.02 * (frame % CYCLE)),
                             close ? 1.25 : 1.07, 1);
  else
    tsr_viewport_pan (viewport, (to - from) * 0.03, 1);
}

double
bench_frame_get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double
draw_frame (Stage *stage, double *built)
{
  double start = bench_frame_get_milliseconds ();
  GtkWidget *chart = GTK_WIDGET (stage->chart);
  GtkSnapshot *snapshot;
  GskRenderNode *node;
  cairo_t *cr = cairo_create (stage->surface);

  gtk_widget_measure (chart, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (chart, stage->width, HEIGHT, -1, NULL);
  snapshot = gtk_snapshot_new ();
  GTK_WIDGET_GET_CLASS (chart)->snapshot (chart, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL)
    g_error ("an empty frame");
  *built = bench_frame_get_milliseconds () - start;
  gsk_render_node_draw (node, cr);
  cairo_surface_flush (stage->surface);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  return bench_frame_get_milliseconds () - start;
}

static void
open_stage (Stage *stage, TsrChartModel *model, guint width)
{
  stage->width = (int)width;
  stage->window = gtk_window_new ();
  stage->chart = tsr_chart_new ();
  stage->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, stage->width, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (stage->window), GTK_WIDGET (stage->chart));
  gtk_widget_set_size_request (GTK_WIDGET (stage->chart), stage->width, HEIGHT);
  gtk_window_present (GTK_WINDOW (stage->window));
  tsr_plane_set_model (TSR_PLANE (stage->chart), model);
  while (gtk_widget_get_width (GTK_WIDGET (stage->chart)) != stage->width)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < FRAMES; i++)
    stage->built[i] = stage->drawn[i] = G_MAXDOUBLE;
}

/* The chart as if it had just been opened, the whole range drawn once. */
static void
open_again (Stage *stage, const BenchFrames *frames, guint s)
{
  g_autoptr (TsrChartModel) model = frames->open (frames->data, s);
  double built;

  tsr_plane_set_model (TSR_PLANE (stage->chart), model);
  tsr_viewport_fit (tsr_chart_get_viewport (stage->chart));
  draw_frame (stage, &built);
}

static void
play_round (Stage *stage, const BenchFrames *frames, guint s)
{
  for (guint i = 0; i < FRAMES + WARM; i++)
    {
      double built;
      double drawn;

      if (frames->open != NULL && i % CYCLE == 0 && !g_getenv ("WARM"))
        open_again (stage, frames, s);
      step (tsr_chart_get_viewport (stage->chart), i, frames->close);
      drawn = draw_frame (stage, &built);
      if (i < WARM)
        continue;
      stage->built[i - WARM] = MIN (stage->built[i - WARM], built);
      stage->drawn[i - WARM] = MIN (stage->drawn[i - WARM], drawn);
    }
}

static double
get_most (const double *times)
{
  double most = 0;

  for (guint i = 0; i < FRAMES; i++)
    most = MAX (most, times[i]);
  return most;
}

static double
get_mean (const double *times)
{
  double sum = 0;

  for (guint i = 0; i < FRAMES; i++)
    sum += times[i];
  return sum / FRAMES;
}

void
bench_frame_print (const BenchFrames *frames)
{
  guint width = frames->width > 0 ? frames->width : BENCH_FRAME_WIDTH;
  g_autofree char *what = g_strconcat (frames->what, width > BENCH_FRAME_WIDTH ? ",wide" : "",
                                       frames->close ? ",close" : "", NULL);
  Stage stages[2] = { 0 };

  if (only != NULL && !g_str_equal (what, only))
    return;
  for (guint s = 0; s < 2; s++)
    if (only == NULL || frames->sizes[s] == only_size)
      open_stage (&stages[s], frames->models[s], width);
  for (guint round = 0; round < n_rounds; round++)
    for (guint s = 0; s < 2; s++)
      if (stages[s].chart != NULL)
        play_round (&stages[s], frames, s);
  for (guint s = 0; s < 2; s++)
    if (stages[s].chart != NULL)
      {
        printf ("frame %s %u %.4f\n", what, frames->sizes[s], get_mean (stages[s].built));
        for (guint q = 0; only && q < FRAMES; q++)
          fprintf (stderr, "%u:%.2f ", (q + WARM) % CYCLE, stages[s].built[q]);
        printf ("most %s %u %.4f\n", what, frames->sizes[s], get_most (stages[s].built));
        printf ("drawn %s %u %.4f\n", what, frames->sizes[s], get_mean (stages[s].drawn));
        cairo_surface_destroy (stages[s].surface);
        gtk_window_destroy (GTK_WINDOW (stages[s].window));
      }
  fflush (stdout);
}

gboolean
bench_frame_take_arguments (int argc, char **argv)
{
  if (argc == 1)
    return TRUE;
  if (argc != 4 || atoi (argv[2]) <= 0 || atoi (argv[3]) <= 0)
    {
      fprintf (stderr, "usage: %s [WHAT SIZE ROUNDS]\n", argv[0]);
      return FALSE;
    }
  only = argv[1];
  only_size = (guint)atoi (argv[2]);
  n_rounds = (guint)atoi (argv[3]);
  return TRUE;
}
