/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stands around the rows of a trace: labels that do not meet, lengths of folded waits, headers
 * of IPUs. */

#include "config.h"

#include "trace-chart-test.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ labels */

typedef struct
{
  double x0, y0, x1, y1;
} Box;

static Box
get_box (TraceChartTest *fixture, const TsrDrawItem *item)
{
  double width;
  double height;
  Box box;

  fixture->geometry.measure.measure (NULL, tsr_draw_list_get_text (fixture->list, item),
                                     item->font_size, item->bold, &width, &height);
  if (item->width > 0)
    width = MIN (width, item->width);
  box.x0 = item->x - item->xalign * width;
  box.x1 = box.x0 + width;
  box.y0 = item->y - item->yalign * height;
  box.y1 = box.y0 + height;
  return box;
}

static void
check_labels (TraceChartTest *fixture)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));

  for (guint i = 0; i < fixture->list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (fixture->list->items, TsrDrawItem, i);
      Box box;

      if (item->kind != TSR_ITEM_LABEL)
        continue;
      box = get_box (fixture, item);
      for (guint k = 0; k < boxes->len; k++)
        {
          const Box *other = &g_array_index (boxes, Box, k);

          /* Lines of text may touch. */
          g_assert_false (box.x0 < other->x1 - 0.5 && other->x0 < box.x1 - 0.5
                          && box.y0 < other->y1 - 1.5 && other->y0 < box.y1 - 1.5);
        }
      g_array_append_val (boxes, box);
    }
  g_assert_cmpuint (boxes->len, >, 4);
}

static void
test_labels (void)
{
  for (guint seed = 0; seed < 6; seed++)
    {
      TraceChartTest fixture;
      double length;

      trace_chart_test_take (&fixture, trace_test_new_random (seed + 50, 3, 4000, 10));
      tsr_trace_state_set_option (fixture.state, TSR_TRACE_OPTION_FOLD, seed % 2 == 0);
      tsr_trace_state_set_option (fixture.state, TSR_TRACE_OPTION_BALANCE, TRUE);
      tsr_trace_state_set_shape (fixture.state, seed < 3 ? TSR_TRACE_FLAME : TSR_TRACE_FLAT);
      tsr_trace_state_set_pinned (fixture.state, 2, seed % 3 == 1);
      tsr_trace_state_set_collapsed (fixture.state, 1, seed % 3 == 2);
      length = trace_chart_test_get_length (&fixture);
      for (double zoom = 1; zoom <= 3000; zoom *= 4)
        for (double width = 300; width < 3000; width *= 2.3)
          {
            double span = MAX (length / zoom, 16);

            tsr_trace_chart_set_top (fixture.chart, seed * 17);
            trace_chart_test_layout (&fixture, width, 420, 1 + seed % 2, length * 0.3,
                                     length * 0.3 + span);
            test_list_check (fixture.list, width, 420);
            check_labels (&fixture);
          }
      trace_chart_test_tear_down (&fixture);
    }
}

static gboolean
has_label (TraceChartTest *fixture, const char *text)
{
  for (guint i = 0; i < fixture->list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (fixture->list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_LABEL
          && g_strcmp0 (tsr_draw_list_get_text (fixture->list, item), text) == 0)
        return TRUE;
    }
  return FALSE;
}

/* The length of a folded wait stands in one line, also where it is wider than its notch, and covers
 * no number of the ruler. */
static void
test_notches (void)
{
  static const double widths[] = { 260, 640, 1280, 2560 };
  TraceTest *test = trace_test_new (1);
  TraceChartTest fixture;

  trace_test_begin_run (test, "run");
  trace_test_add_simple (test, "StreamCopyBegin", "in", 0, 0, 20000);
  trace_test_add_simple (test, "OnTileExecute", "a", 0, 20000, 22000);
  trace_test_add_simple (test, "StreamCopyBegin", "in", 0, 22000, 322000);
  trace_test_add_simple (test, "OnTileExecute", "b", 0, 322000, 324000);
  trace_chart_test_take (&fixture, test);
  tsr_trace_state_set_option (fixture.state, TSR_TRACE_OPTION_FOLD, TRUE);
  g_assert_cmpuint (tsr_trace_fold_get_n_notches (tsr_trace_chart_get_fold (fixture.chart)), ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      trace_chart_test_layout (&fixture, widths[i], 300, 1, 0,
                               trace_chart_test_get_length (&fixture));
      check_labels (&fixture);
      g_assert_true (has_label (&fixture, "20.0 k"));
      g_assert_true (has_label (&fixture, "300 k"));
    }
  trace_chart_test_tear_down (&fixture);
}

/* ----------------------------------------------------------------- headers */

static void
test_headers (void)
{
  TraceChartTest fixture;
  guint arrows = 0;
  guint pins = 0;

  trace_chart_test_take (&fixture, trace_test_new_random (9, 3, 300, 9));
  tsr_trace_state_set_pinned (fixture.state, 1, TRUE);
  trace_chart_test_layout (&fixture, 900, 700, 1, 0, trace_chart_test_get_length (&fixture));
  g_assert_cmpfloat (tsr_trace_chart_get_pinned_height (fixture.chart), >, 0);
  g_assert_true (test_list_has_label (fixture.list, "IPU 2"));
  for (double y = fixture.area.y; y < fixture.area.y + 700; y += 1)
    for (double x = 0; x < fixture.area.x; x += 1)
      {
        TsrTraceHit hit;

        tsr_trace_chart_hit (fixture.chart, &fixture.geometry, &fixture.area, x, y, &hit);
        arrows += hit.kind == TSR_TRACE_HIT_ARROW;
        pins += hit.kind == TSR_TRACE_HIT_PIN;
        if (hit.kind != TSR_TRACE_HIT_NOTHING)
          {
            const TsrTraceChartIpu *ipu = tsr_trace_chart_find_ipu (fixture.chart, hit.ipu);

            g_assert_cmpfloat (y - fixture.area.y, >=, ipu->y);
            g_assert_cmpfloat (y - fixture.area.y, <, ipu->y + ipu->height);
          }
      }
  g_assert_cmpuint (arrows, >=, 3 * 16 * 16);
  g_assert_cmpuint (pins, >=, 3 * 14 * 16);
  /* The pinned one stands first. */
  g_assert_cmpuint (g_array_index (fixture.chart->ipus, TsrTraceChartIpu, 0).ipu, ==, 1);
  tsr_trace_state_set_ipu (fixture.state, 2);
  tsr_trace_chart_ensure_rows (fixture.chart);
  g_assert_cmpuint (fixture.chart->ipus->len, ==, 1);
  trace_chart_test_tear_down (&fixture);
}

/* Name, replica and utilisation of an IPU with one row of steps do not reach into the next. */
static void
test_low_headers (void)
{
  TraceTest *test = trace_test_new (4);
  TraceChartTest fixture;
  guint n = 0;

  test->target.ipus_per_replica = test->target.num_replicas = 2;
  trace_test_begin_run (test, "run");
  for (guint ipu = 0; ipu < 4; ipu++)
    trace_test_add_simple (test, "OnTileExecute", "a", ipu, 0, 100);
  trace_chart_test_take (&fixture, test);
  tsr_trace_state_set_shape (fixture.state, TSR_TRACE_FLAT);
  trace_chart_test_layout (&fixture, 1232, 700, 1, 0, trace_chart_test_get_length (&fixture));
  for (guint k = 0; k < fixture.list->items->len; k++)
    {
      const TsrDrawItem *item = &g_array_index (fixture.list->items, TsrDrawItem, k);
      gboolean inside = FALSE;
      Box box;

      if (item->kind != TSR_ITEM_LABEL || item->x > fixture.area.x || item->y < fixture.area.y)
        continue;
      box = get_box (&fixture, item);
      for (guint i = 0; i < 4; i++)
        {
          const TsrTraceChartIpu *ipu = &g_array_index (fixture.chart->ipus, TsrTraceChartIpu, i);

          inside = inside
                   || (box.y0 >= fixture.area.y + ipu->y
                       && box.y1 <= fixture.area.y + ipu->y + ipu->height);
        }
      g_assert_true (inside);
      n++;
    }
  g_assert_cmpuint (n, ==, 4 * 3);
  trace_chart_test_tear_down (&fixture);
}

/* Collapsed IPUs tell what part of their time is work, beside their name and apart from it, and
 * which IPU of which replica they are. */
static void
test_collapsed (void)
{
  static const char *const names[][4]
      = { { "IPU 0", "IPU 1", "IPU 2", "IPU 3" },
          { "R0 · IPU 0", "R0 · IPU 1", "R1 · IPU 0", "R1 · IPU 1" } };

  for (guint replicas = 1; replicas <= 2; replicas++)
    {
      TraceTest *test = trace_test_new (4);
      TraceChartTest fixture;

      test->target.num_replicas = replicas;
      test->target.ipus_per_replica = 4 / replicas;
      trace_test_begin_run (test, "run");
      for (guint ipu = 0; ipu < 4; ipu++)
        {
          trace_test_add_simple (test, "OnTileExecute", "a", ipu, 0, 100 * ipu + 50);
          trace_test_add_simple (test, "Sync", "External", ipu, 100 * ipu + 50, 400);
        }
      trace_chart_test_take (&fixture, test);
      tsr_trace_state_set_all_collapsed (fixture.state, 4, TRUE);
      trace_chart_test_layout (&fixture, 1232, 700, 1, 0, trace_chart_test_get_length (&fixture));
      for (guint ipu = 0; ipu < 4; ipu++)
        g_assert_true (test_list_has_label (fixture.list, names[replicas - 1][ipu]));
      if (replicas == 1) /* of 400 cycles: 50, 150, 250, 350 */
        {
          g_assert_true (test_list_has_label (fixture.list, "12 %")
                         || test_list_has_label (fixture.list, "13 %"));
          g_assert_true (test_list_has_label (fixture.list, "62 %")
                         || test_list_has_label (fixture.list, "63 %"));
        }
      check_labels (&fixture);
      trace_chart_test_tear_down (&fixture);
    }
}

/* Where the marker's note is drawn as a label of the overlay; FALSE when it is not. */
static gboolean
find_note (TraceChartTest *f, const char *note, double *from, double *to)
{
  g_autoptr (TsrDrawList) overlay = tsr_draw_list_new ();

  tsr_chart_model_layout_overlay (TSR_CHART_MODEL (f->chart), &f->geometry, &f->area, TSR_NO_DATUM,
                                  TSR_NO_DATUM, overlay);
  for (guint i = 0; i < overlay->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (overlay->items, TsrDrawItem, i);
      double width, height;

      if (item->kind != TSR_ITEM_LABEL
          || strcmp (tsr_draw_list_get_text (overlay, item), note) != 0)
        continue;
      f->geometry.measure.measure (NULL, note, item->font_size, item->bold, &width, &height);
      *from = item->x - item->xalign * width;
      *to = *from + width;
      return TRUE;
    }
  return FALSE;
}

/* A marker is hit all over its flag, where that is drawn, and at its place. */
static void
test_flags (void)
{
  static const char *const notes[] = { "the first one", "hidden", "third" };
  TraceChartTest f;
  double length, from, to;
  TsrTraceHit hit;

  trace_chart_test_take (&f, trace_test_new_random (7, 2, 400, 9));
  length = trace_chart_test_get_length (&f);
  trace_chart_test_layout (&f, 900, 500, 1, 0, length);
  /* The second one stands in the first one's flag, so it has only its pole. */
  for (guint i = 0; i < 3; i++)
    {
      gint64 at
          = tsr_trace_fold_get_cycles (f.chart->fold, length * (i < 2 ? 0.3 + 0.02 * i : 0.7));

      tsr_trace_state_add_marker (f.state, at, at, notes[i]);
    }
  for (guint i = 0; i < 3; i++)
    {
      const TsrTraceMarker *marker = g_ptr_array_index (tsr_trace_state_peek_markers (f.state), i);
      double pole
          = f.area.x
            + tsr_trace_fold_get_position (f.chart->fold, marker->from) / length * f.area.width;
      g_autofree char *text = NULL;

      tsr_trace_chart_hit (f.chart, &f.geometry, &f.area, pole, f.area.y - 12, &hit);
      g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_MARKER);
      g_assert_cmpuint (hit.index, ==, i);
      text = tsr_trace_chart_describe_hit (f.chart, &hit);
      g_assert_true (g_str_has_prefix (text, notes[i]));
      g_assert_nonnull (strstr (text, "When"));
      g_assert_cmpint (find_note (&f, notes[i], &from, &to), ==, i != 1);
      if (i == 1)
        continue;
      tsr_trace_chart_hit (f.chart, &f.geometry, &f.area, to - 1, f.area.y - 12, &hit);
      g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_MARKER);
      g_assert_cmpuint (hit.index, ==, i);
      tsr_trace_chart_set_hover (f.chart, &hit); /* its place is not written over it */
      g_assert_true (find_note (&f, notes[i], &from, &to));
      tsr_trace_chart_hit (f.chart, &f.geometry, &f.area, to + 20, f.area.y - 12, &hit);
      g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_RULER);
    }
  trace_chart_test_tear_down (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-chart-frame/labels", test_labels);
  g_test_add_func ("/trace-chart-frame/notches", test_notches);
  g_test_add_func ("/trace-chart-frame/headers", test_headers);
  g_test_add_func ("/trace-chart-frame/low-headers", test_low_headers);
  g_test_add_func ("/trace-chart-frame/collapsed", test_collapsed);
  g_test_add_func ("/trace-chart-frame/flags", test_flags);
  return g_test_run ();
}
