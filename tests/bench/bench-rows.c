/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long the main loop stands still while a list of 10^6 rows is sorted and filtered, in a window
 * of 1280 x 720.  Prints "gap WHAT MILLISECONDS" (longest time between two turns of the loop) and
 * "time WHAT MILLISECONDS" (until the rows are there); WHAT "frame" is one that only draws the list
 * again, and "time qsort" sorts the same numbers with the C library. */

#include "config.h"

#include "tsr-row-view.h"
#include "tsr-ui-init.h"

#include <stdio.h>

#define N 1000000

static char *names;
static guint32 *starts;
static gint64 *bytes;

static const char *
data_text (gpointer data, guint32 row, guint column)
{
  return names + starts[row];
}

static gint64
data_value (gpointer data, guint32 row, guint column)
{
  return column == 1 ? bytes[row] : (gint64)row * column % 100003;
}

static TsrRows *
make_rows (void)
{
  static const TsrRowSource source = { data_text, data_value };
  static const char *const keys[] = { "name", "bytes", "two", "three", "four", "five" };
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  GString *text = g_string_new (NULL);
  guint64 state = 1;

  starts = g_new (guint32, N);
  bytes = g_new (gint64, N);
  for (guint i = 0; i < N; i++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      starts[i] = text->len;
      bytes[i] = (state >> 20) % 50000000;
      g_string_append_printf (text, "resnet50/layer%u/bottleneck_%u/Conv_%u/weights/%u",
                              (unsigned)(state >> 61), (unsigned)(state >> 50) & 15,
                              (unsigned)(state >> 40) & 63, i);
      g_string_append_c (text, '\0');
    }
  names = g_string_free (text, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      TsrRowColumn *column
          = tsr_row_column_new (keys[i], keys[i], i == 0 ? TSR_CELL_KIND_TEXT : TSR_CELL_KIND_VALUE,
                                i == 1 ? TSR_VALUE_BYTES : TSR_VALUE_COUNT);

      column->filtered = i == 0;
      g_ptr_array_add (columns, column);
    }
  return tsr_rows_new (N, columns, &source, NULL, NULL);
}

typedef struct
{
  gint64 last, longest;
} Watch;

/* Runs between all other things of the loop. */
static gboolean
on_turn (gpointer data)
{
  Watch *watch = data;
  gint64 now = g_get_monotonic_time ();

  watch->longest = MAX (watch->longest, now - watch->last);
  watch->last = now;
  return G_SOURCE_CONTINUE;
}

/* Until the rows are there and five frames have been drawn. */
static void
settle (TsrRowView *view, double *gap, double *time)
{
  gint64 start = g_get_monotonic_time (), there = 0;
  Watch watch = { start, 0 };
  guint turn = g_timeout_add_full (G_PRIORITY_HIGH, 1, on_turn, &watch, NULL);

  while (there == 0 || g_get_monotonic_time () < there + 200000)
    {
      g_main_context_iteration (NULL, TRUE);
      if (there == 0 && !tsr_row_view_is_busy (view))
        there = g_get_monotonic_time ();
    }
  g_source_remove (turn);
  *gap = (double)watch.longest / 1000;
  *time = (double)(there - start) / 1000;
}

static void
report (const char *what, TsrRowView *view)
{
  double gap, time;

  settle (view, &gap, &time);
  printf ("gap %s %.2f\ntime %s %.2f\n", what, gap, what, time);
  fflush (stdout);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

static void
report_qsort (void)
{
  g_autofree gint64 *copy = g_memdup2 (bytes, N * sizeof *bytes);
  gint64 start = g_get_monotonic_time ();

  qsort (copy, N, sizeof *copy, compare);
  printf ("time qsort %.2f\n", (double)(g_get_monotonic_time () - start) / 1000);
}

int
main (int argc, char **argv)
{
  g_autoptr (TsrRows) rows = NULL;
  GtkWidget *window;
  TsrRowView *view;
  double gap, time;

  gtk_init ();
  tsr_ui_init ();
  rows = make_rows ();
  window = gtk_window_new ();
  view = tsr_row_view_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 720);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (view));
  tsr_row_view_set_filter_hint (view, "Filter");
  gtk_window_present (GTK_WINDOW (window));
  settle (view, &gap, &time); /* the window comes up */
  tsr_row_view_set_rows (view, rows, TSR_UNITS_BINARY, NULL, FALSE);
  settle (view, &gap, &time); /* columns and their cells are made */
  gtk_widget_queue_resize (GTK_WIDGET (view));
  report ("frame", view);
  for (guint round = 0; round < 3; round++)
    {
      gtk_widget_activate_action (GTK_WIDGET (view), "rows.sort", "i", 1);
      report ("sort-bytes", view);
      gtk_widget_activate_action (GTK_WIDGET (view), "rows.sort", "i", 0);
      report (round == 0 ? "sort-name-first" : "sort-name", view);
      tsr_row_view_set_filter (view, "layer3 conv_1 -bottleneck_7");
      report ("filter-words", view);
      tsr_row_view_set_filter (view, "/layer[35].*9$/");
      report ("filter-expression", view);
      tsr_row_view_set_filter (view, "");
      report ("filter-none", view);
    }
  report_qsort ();
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
