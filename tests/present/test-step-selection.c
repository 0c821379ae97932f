/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps, source and variables that are selected: order, limits, and who is told. */

#include "config.h"

#include "tsr-step-selection.h"

typedef struct
{
  TsrStepSelection *selection;
  guint n_steps, n_source, n_variables; /* signals */
} Fixture;

static void
count (GObject *object, guint *n)
{
  (*n)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->selection = tsr_step_selection_new ();
  g_signal_connect (fixture->selection, "steps-changed", G_CALLBACK (count), &fixture->n_steps);
  g_signal_connect (fixture->selection, "source-changed", G_CALLBACK (count), &fixture->n_source);
  g_signal_connect (fixture->selection, "variables-changed", G_CALLBACK (count),
                    &fixture->n_variables);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->selection);
}

static void
assert_steps (TsrStepSelection *selection, const char *expected)
{
  guint n;
  const guint *steps = tsr_step_selection_peek (selection, &n);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", steps[i]);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_steps (Fixture *fixture, gconstpointer data)
{
  TsrStepSelection *selection = fixture->selection;
  static const guint doubles[] = { 7, 3, 7, 9, 3, 1, 2, 4, 5, 6 };
  static const guint same[] = { 7, 3, 9, 1, 2, 4 };

  assert_steps (selection, "");
  g_assert_cmpuint (tsr_step_selection_get_step (selection), ==, TSR_NO_INDEX);
  tsr_step_selection_set (selection, NULL, 0);
  g_assert_cmpuint (fixture->n_steps, ==, 0);

  /* Each once, in the order in which they were chosen, and no more than there are letters. */
  tsr_step_selection_set (selection, doubles, G_N_ELEMENTS (doubles));
  assert_steps (selection, "7 3 9 1 2 4");
  g_assert_cmpuint (tsr_step_selection_get_step (selection), ==, 4);
  g_assert_cmpuint (fixture->n_steps, ==, 1);
  tsr_step_selection_set (selection, same, G_N_ELEMENTS (same));
  g_assert_cmpuint (fixture->n_steps, ==, 1);

  /* A itself stays when a seventh is chosen. */
  tsr_step_selection_toggle (selection, 0);
  assert_steps (selection, "7 9 1 2 4 0");
  tsr_step_selection_toggle (selection, 100);
  assert_steps (selection, "7 1 2 4 0 100");
  tsr_step_selection_toggle (selection, 2);
  assert_steps (selection, "7 1 4 0 100");
  tsr_step_selection_toggle (selection, 7);
  assert_steps (selection, "1 4 0 100");
  tsr_step_selection_toggle (selection, 100);
  g_assert_cmpuint (tsr_step_selection_get_step (selection), ==, 0);
  tsr_step_selection_toggle (selection, 100);
  g_assert_cmpuint (tsr_step_selection_get_step (selection), ==, 100);
  g_assert_cmpuint (fixture->n_steps, ==, 7);

  tsr_step_selection_clear (selection);
  assert_steps (selection, "");
  g_assert_cmpuint (fixture->n_steps, ==, 8);
  g_assert_cmpuint (fixture->n_source, ==, 0);
  g_assert_cmpuint (fixture->n_variables, ==, 0);
}

static void
test_source (Fixture *fixture, gconstpointer data)
{
  TsrStepSelection *selection = fixture->selection;
  guint tiles[] = { 3, 5, 8 };
  TsrLivenessSource source = { .kind = TSR_LIVENESS_TILES, .tiles = tiles, .n_tiles = 3 };
  const TsrLivenessSource *got;

  g_assert_null (tsr_step_selection_get_source (selection));
  tsr_step_selection_set_source (selection, &source);
  g_assert_cmpuint (fixture->n_source, ==, 1);
  tsr_step_selection_set_source (selection, &source);
  tsr_step_selection_set_source (selection, tsr_step_selection_get_source (selection));
  g_assert_cmpuint (fixture->n_source, ==, 1);

  /* It is a copy. */
  tiles[1] = 6;
  got = tsr_step_selection_get_source (selection);
  g_assert_cmpint (got->kind, ==, TSR_LIVENESS_TILES);
  g_assert_cmpuint (got->n_tiles, ==, 3);
  g_assert_cmpuint (got->tiles[0], ==, 3);
  g_assert_cmpuint (got->tiles[1], ==, 5);
  g_assert_cmpuint (got->tiles[2], ==, 8);
  tsr_step_selection_set_source (selection, &source);
  g_assert_cmpuint (fixture->n_source, ==, 2);
  source.n_tiles = 2;
  tsr_step_selection_set_source (selection, &source);
  g_assert_cmpuint (fixture->n_source, ==, 3);

  source = (TsrLivenessSource){ .kind = TSR_LIVENESS_IPU, .ipu = 1 };
  tsr_step_selection_set_source (selection, &source);
  source.ipu = 2;
  tsr_step_selection_set_source (selection, &source);
  g_assert_cmpuint (tsr_step_selection_get_source (selection)->ipu, ==, 2);
  g_assert_cmpuint (fixture->n_source, ==, 5);

  /* What a kind does not use does not tell two sources apart. */
  source = (TsrLivenessSource){ .kind = TSR_LIVENESS_ALL, .ipu = 7 };
  tsr_step_selection_set_source (selection, &source);
  source.ipu = 0;
  tsr_step_selection_set_source (selection, &source);
  g_assert_cmpuint (fixture->n_source, ==, 6);

  tsr_step_selection_set_source (selection, NULL);
  g_assert_null (tsr_step_selection_get_source (selection));
  tsr_step_selection_clear (selection);
  g_assert_cmpuint (fixture->n_source, ==, 7);
}

static void
test_variables (Fixture *fixture, gconstpointer data)
{
  TsrStepSelection *selection = fixture->selection;
  static const char *const names[] = { "b", "a", "b", "", NULL };
  static const char *const kept[] = { "b", "a", "", NULL };
  static const char *const toggled[] = { "b", "", "c", NULL };
  static const char *const none[] = { NULL };

  g_assert_true (g_strv_equal (tsr_step_selection_peek_variables (selection), none));
  tsr_step_selection_set_variables (selection, NULL);
  tsr_step_selection_set_variables (selection, none);
  g_assert_cmpuint (fixture->n_variables, ==, 0);

  tsr_step_selection_set_variables (selection, names);
  g_assert_true (g_strv_equal (tsr_step_selection_peek_variables (selection), kept));
  tsr_step_selection_set_variables (selection, kept);
  tsr_step_selection_set_variables (selection, tsr_step_selection_peek_variables (selection));
  g_assert_cmpuint (fixture->n_variables, ==, 1);

  tsr_step_selection_toggle_variable (selection, "a");
  tsr_step_selection_toggle_variable (selection, "c");
  g_assert_true (g_strv_equal (tsr_step_selection_peek_variables (selection), toggled));
  g_assert_cmpuint (fixture->n_variables, ==, 3);

  tsr_step_selection_clear (selection);
  g_assert_true (g_strv_equal (tsr_step_selection_peek_variables (selection), none));
  g_assert_cmpuint (fixture->n_variables, ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/step-selection/steps", Fixture, NULL, set_up, test_steps, tear_down);
  g_test_add ("/step-selection/source", Fixture, NULL, set_up, test_source, tear_down);
  g_test_add ("/step-selection/variables", Fixture, NULL, set_up, test_variables, tear_down);
  return g_test_run ();
}
