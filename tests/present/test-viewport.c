/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The visible range: clamping, zoom about a point, history by gesture; the tile selection. */

#include "config.h"

#include "tsr-tile-selection.h"
#include "tsr-viewport.h"

#include <math.h>

static void
count (gpointer object, guint *n)
{
  (*n)++;
}

static void
assert_range (TsrViewport *viewport, double from, double to)
{
  double f;
  double t;

  tsr_viewport_get_range (viewport, &f, &t);
  g_assert_cmpfloat_with_epsilon (f, from, 1e-9);
  g_assert_cmpfloat_with_epsilon (t, to, 1e-9);
}

static void
test_zoom (void)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();
  guint n = 0;

  g_signal_connect (viewport, "changed", G_CALLBACK (count), &n);
  tsr_viewport_set_domain (viewport, 0, 1000, 10);
  assert_range (viewport, 0, 1000);
  g_assert_cmpfloat (tsr_viewport_get_magnification (viewport), ==, 1);
  g_assert_false (tsr_viewport_can_undo (viewport));

  /* The point under the pointer stays where it is. */
  tsr_viewport_zoom_about (viewport, 250, 2, 0);
  assert_range (viewport, 125, 625);
  tsr_viewport_zoom_about (viewport, 250, 5, 0);
  assert_range (viewport, 225, 325);
  /* No closer than the least span, and still about the point. */
  tsr_viewport_zoom_about (viewport, 250, 1000, 0);
  assert_range (viewport, 247.5, 257.5);
  n = 0;
  tsr_viewport_zoom_about (viewport, 250, 2, 0);
  g_assert_cmpuint (n, ==, 0);
  /* Out beyond the domain is the domain. */
  tsr_viewport_zoom_about (viewport, 250, 1e-9, 0);
  assert_range (viewport, 0, 1000);
  /* At the edge the range moves inwards and keeps its length. */
  tsr_viewport_set_range (viewport, -50, 50, 0);
  assert_range (viewport, 0, 100);
  tsr_viewport_set_range (viewport, 990, 1090, 0);
  assert_range (viewport, 900, 1000);
  tsr_viewport_set_range (viewport, NAN, 5, 0);
  tsr_viewport_set_range (viewport, 8, 5, 0);
  tsr_viewport_zoom_about (viewport, NAN, 2, 0);
  tsr_viewport_zoom_about (viewport, 5, -2, 0);
  tsr_viewport_pan (viewport, INFINITY, 0);
  assert_range (viewport, 900, 1000);

  tsr_viewport_set_magnification (viewport, 4);
  assert_range (viewport, 750, 1000);
  g_assert_cmpfloat (tsr_viewport_get_magnification (viewport), ==, 4);
  tsr_viewport_set_magnification (viewport, 0.01);
  assert_range (viewport, 0, 1000);
}

static void
test_pan_and_reveal (void)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  tsr_viewport_set_domain (viewport, 0, 1000, 1);
  tsr_viewport_set_range (viewport, 100, 200, 0);
  tsr_viewport_pan (viewport, 50, 0);
  assert_range (viewport, 150, 250);
  tsr_viewport_pan (viewport, -5000, 0);
  assert_range (viewport, 0, 100);
  tsr_viewport_page (viewport, 1);
  assert_range (viewport, 90, 190);
  tsr_viewport_page (viewport, 100);
  assert_range (viewport, 900, 1000);
  tsr_viewport_page (viewport, -1);
  assert_range (viewport, 810, 910);

  tsr_viewport_reveal (viewport, 850, 851);
  assert_range (viewport, 810, 910);
  tsr_viewport_reveal (viewport, 20, 21);
  assert_range (viewport, 20, 120);
  tsr_viewport_reveal (viewport, 500, 501);
  assert_range (viewport, 401, 501);
  tsr_viewport_reveal (viewport, 300, 700);
  assert_range (viewport, 280, 720);
}

static void
test_history (void)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  tsr_viewport_set_domain (viewport, 0, 1000, 1);
  g_assert_false (tsr_viewport_undo (viewport));
  /* One burst of the wheel, one undo. */
  tsr_viewport_zoom_about (viewport, 500, 2, 7);
  tsr_viewport_zoom_about (viewport, 500, 2, 7);
  tsr_viewport_zoom_about (viewport, 500, 2, 7);
  assert_range (viewport, 437.5, 562.5);
  tsr_viewport_pan (viewport, 10, 8);
  tsr_viewport_pan (viewport, 10, 8);
  assert_range (viewport, 457.5, 582.5);
  tsr_viewport_page (viewport, 1);
  g_assert_true (tsr_viewport_undo (viewport));
  assert_range (viewport, 457.5, 582.5);
  g_assert_true (tsr_viewport_undo (viewport));
  assert_range (viewport, 437.5, 562.5);
  /* The same gesture's number after an undo begins a new step. */
  tsr_viewport_pan (viewport, 10, 8);
  g_assert_true (tsr_viewport_undo (viewport));
  assert_range (viewport, 437.5, 562.5);
  g_assert_true (tsr_viewport_can_undo (viewport));
  g_assert_true (tsr_viewport_undo (viewport));
  assert_range (viewport, 0, 1000);
  g_assert_false (tsr_viewport_can_undo (viewport));
  g_assert_false (tsr_viewport_undo (viewport));

  /* What changes nothing is no step. */
  tsr_viewport_pan (viewport, 10, 0);
  tsr_viewport_fit (viewport);
  g_assert_false (tsr_viewport_can_undo (viewport));
}

static void
test_domain (void)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();
  guint n = 0;

  /* Whole stays whole. */
  tsr_viewport_set_domain (viewport, 0, 100, 1);
  tsr_viewport_set_domain (viewport, 0, 200, 1);
  assert_range (viewport, 0, 200);
  /* What is visible stays, as far as it is there. */
  tsr_viewport_set_range (viewport, 150, 190, 0);
  tsr_viewport_set_domain (viewport, 0, 400, 1);
  assert_range (viewport, 150, 190);
  tsr_viewport_set_domain (viewport, 0, 170, 1);
  assert_range (viewport, 130, 170);
  tsr_viewport_set_domain (viewport, 0, 30, 1);
  assert_range (viewport, 0, 30);
  g_assert_false (tsr_viewport_can_undo (viewport));
  g_signal_connect (viewport, "changed", G_CALLBACK (count), &n);
  tsr_viewport_set_domain (viewport, 0, 30, 1);
  g_assert_cmpuint (n, ==, 0);
  tsr_viewport_set_domain (viewport, 0, 3, 10);
  assert_range (viewport, 0, 3);
}

/* What was asked for before there is anything to see is seen then; a new beginning has no way back.
 */
static void
test_restart (void)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();
  double from, to;
  guint n = 0;

  g_signal_connect (viewport, "changed", G_CALLBACK (count), &n);
  tsr_viewport_set_range (viewport, NAN, 5, 0);
  tsr_viewport_set_range (viewport, 20, 30, 0);
  g_assert_cmpuint (n, ==, 0);
  tsr_viewport_set_domain (viewport, 0, 100, 4);
  assert_range (viewport, 20, 30);
  g_assert_cmpuint (n, ==, 1);
  tsr_viewport_get_domain (viewport, &from, &to);
  g_assert_cmpfloat (from, ==, 0);
  g_assert_cmpfloat (to, ==, 100);
  /* Not less than the least, about the same middle. */
  tsr_viewport_set_range (viewport, 50, 51, 3);
  assert_range (viewport, 48.5, 52.5);
  g_assert_true (tsr_viewport_can_undo (viewport));
  tsr_viewport_restart (viewport, 10, 40);
  assert_range (viewport, 10, 40);
  g_assert_cmpuint (n, ==, 3);
  g_assert_false (tsr_viewport_can_undo (viewport));
  /* The gesture from before is another one now. */
  tsr_viewport_set_range (viewport, 60, 70, 3);
  g_assert_true (tsr_viewport_undo (viewport));
  assert_range (viewport, 10, 40);
  /* The oldest of very many steps are forgotten. */
  for (guint i = 0; i < 5000; i++)
    tsr_viewport_set_range (viewport, i % 7 * 10, i % 7 * 10 + 10 + i % 2, 0);
  for (n = 0; tsr_viewport_undo (viewport); n++)
    ;
  g_assert_cmpuint (n, >=, 20);
  g_assert_cmpuint (n, <, 5000);
}

static void
assert_tiles (TsrTileSelection *selection, guint n, const guint *tiles)
{
  guint got;
  const guint *array = tsr_tile_selection_peek (selection, &got);

  g_assert_cmpmem (array, got * sizeof (guint), tiles, n * sizeof (guint));
}

static void
test_selection (void)
{
  g_autoptr (TsrTileSelection) selection = tsr_tile_selection_new ();
  guint n = 0;

  tsr_tile_selection_change (selection, TSR_SELECT_ADD, (guint[]){ 5, 3 }, 2);
  assert_tiles (selection, 2, (guint[]){ 3, 5 });
  tsr_tile_selection_change (selection, TSR_SELECT_TOGGLE, (guint[]){ 3, 9 }, 2);
  assert_tiles (selection, 2, (guint[]){ 5, 9 });
  tsr_tile_selection_change (selection, TSR_SELECT_ADD, (guint[]){ 4 }, 1);
  assert_tiles (selection, 3, (guint[]){ 4, 5, 9 });
  tsr_tile_selection_change (selection, TSR_SELECT_REPLACE, (guint[]){ 7 }, 1);
  assert_tiles (selection, 1, (guint[]){ 7 });
  tsr_tile_selection_change (selection, TSR_SELECT_CLEAR, (guint[]){ 1 }, 1);
  assert_tiles (selection, 0, NULL);
  g_signal_connect (selection, "changed", G_CALLBACK (count), &n);
  tsr_tile_selection_clear (selection);
  g_assert_cmpuint (n, ==, 0);
  tsr_tile_selection_set (selection, (guint[]){ 9, 2, 9, 5 }, 4);
  assert_tiles (selection, 3, (guint[]){ 2, 5, 9 });
  g_assert_cmpuint (n, ==, 1);
  tsr_tile_selection_set (selection, (guint[]){ 5, 9, 2 }, 3);
  g_assert_cmpuint (n, ==, 1);
  tsr_tile_selection_toggle (selection, 5);
  assert_tiles (selection, 2, (guint[]){ 2, 9 });
  tsr_tile_selection_toggle (selection, 4);
  assert_tiles (selection, 3, (guint[]){ 2, 4, 9 });
  tsr_tile_selection_add (selection, (guint[]){ 4, 100, 0 }, 3);
  assert_tiles (selection, 5, (guint[]){ 0, 2, 4, 9, 100 });
  g_assert_cmpuint (n, ==, 4);
  tsr_tile_selection_add (selection, (guint[]){ 4 }, 1);
  g_assert_cmpuint (n, ==, 4);
  g_assert_true (tsr_tile_selection_contains (selection, 100));
  g_assert_false (tsr_tile_selection_contains (selection, 99));
  /* The array may come from the selection itself. */
  tsr_tile_selection_set (selection, tsr_tile_selection_peek (selection, NULL), 2);
  assert_tiles (selection, 2, (guint[]){ 0, 2 });
  tsr_tile_selection_clear (selection);
  assert_tiles (selection, 0, NULL);
}

/* Wherever the domain begins, the same is done in it. */
static void
test_shifted (void)
{
  const double shift = 3000;
  /* Always the same: what is rounded may move one of them by a last digit, and not the other. */
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  TsrViewport *viewports[2] = { tsr_viewport_new (), tsr_viewport_new () };
  guint n[2] = { 0, 0 };

  for (guint i = 0; i < 2; i++)
    g_signal_connect (viewports[i], "changed", G_CALLBACK (count), &n[i]);
  for (guint round = 0; round < 3000; round++)
    {
      const guint what = round == 0 ? 0 : (guint)g_rand_int_range (random, 0, 11);
      const guint gesture = (guint)g_rand_int_range (random, 0, 3);
      const double a = g_rand_int_range (random, -50, 1100),
                   b = g_rand_int_range (random, -50, 1100);
      double from[2], to[2], first[2], last[2];
      gboolean undone[2];

      for (guint i = 0; i < 2; i++)
        {
          TsrViewport *v = viewports[i];
          const double by = i * shift;

          switch (what)
            {
            case 0:
              if (round % 5 == 0)
                tsr_viewport_set_domain (v, by, by + 1000 + a, 4);
              break;
            case 1:
              tsr_viewport_set_range (v, by + MIN (a, b), by + MAX (a, b), gesture);
              break;
            case 2:
              tsr_viewport_restart (v, by + MIN (a, b), by + MAX (a, b));
              break;
            case 3:
            case 4:
              tsr_viewport_zoom_about (v, by + a, 1 + b / 1200, gesture);
              break;
            case 5:
              tsr_viewport_pan (v, a - b, gesture);
              break;
            case 6:
              tsr_viewport_page (v, a > b ? 1 : -1);
              break;
            case 7:
              if (round % 7 == 0)
                tsr_viewport_fit (v);
              break;
            case 8:
              tsr_viewport_set_magnification (v, 1 + fabs (b) / 100);
              break;
            case 9:
              undone[i] = tsr_viewport_undo (v);
              break;
            default:
              tsr_viewport_reveal (v, by + MIN (a, b), by + MAX (a, b));
              break;
            }
          tsr_viewport_get_range (v, &from[i], &to[i]);
          tsr_viewport_get_domain (v, &first[i], &last[i]);
          g_assert_cmpfloat (first[i], ==, by);
          g_assert_cmpfloat (from[i], >=, first[i]);
          g_assert_cmpfloat (to[i], <=, last[i] + 1e-9);
          g_assert_cmpfloat (from[i], <, to[i]);
          g_assert_cmpfloat_with_epsilon (tsr_viewport_get_magnification (v),
                                          (last[i] - first[i]) / (to[i] - from[i]), 1e-9);
        }
      g_assert_cmpfloat_with_epsilon (from[1] - from[0], shift, 1e-6);
      g_assert_cmpfloat_with_epsilon (to[1] - to[0], shift, 1e-6);
      g_assert_cmpuint (n[0], ==, n[1]);
      g_assert_true (what != 9 || undone[0] == undone[1]);
      g_assert_true (tsr_viewport_can_undo (viewports[0]) == tsr_viewport_can_undo (viewports[1]));
    }
  g_assert_cmpuint (n[0], >, 500);
  g_object_unref (viewports[0]);
  g_object_unref (viewports[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viewport/zoom", test_zoom);
  g_test_add_func ("/viewport/pan-and-reveal", test_pan_and_reveal);
  g_test_add_func ("/viewport/history", test_history);
  g_test_add_func ("/viewport/domain", test_domain);
  g_test_add_func ("/viewport/shifted", test_shifted);
  g_test_add_func ("/viewport/restart", test_restart);
  g_test_add_func ("/tile-selection", test_selection);
  return g_test_run ();
}
