/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is selected of a trace: values, order, limits, and who is told.  The trace is a stand-in
 * with three types and two runs. */

#include "config.h"

#include "tsr-trace-state.h"

#include <string.h>

struct _TsrTrace
{
  guint profiled;
};

struct _TsrTraceMatches
{
  int count;
};

static const TsrTraceType types[] = {
  { "OnTileExecute", "OnTileExecute", TSR_STEP_GROUP_COMPUTE, FALSE, FALSE },
  { "Sync", "Internal Sync", TSR_STEP_GROUP_SYNC, FALSE, FALSE },
  { "Sync", "External Sync", TSR_STEP_GROUP_SYNC, FALSE, TRUE },
};

static const TsrTraceRun runs[] = {
  { .start = 100, .end = 400 },
  { .start = 500, .end = 500 },
  { .start = 600, .end = 900 },
};

guint
tsr_trace_get_n_types (const TsrTrace *self)
{
  return G_N_ELEMENTS (types);
}

const TsrTraceType *
tsr_trace_get_type (const TsrTrace *self, guint type)
{
  return &types[type];
}

guint
tsr_trace_get_n_runs (const TsrTrace *self)
{
  return G_N_ELEMENTS (runs);
}

const TsrTraceRun *
tsr_trace_get_run (const TsrTrace *self, guint run)
{
  return &runs[run];
}

guint
tsr_trace_get_profiled_run (const TsrTrace *self)
{
  return self->profiled;
}

void
tsr_trace_get_span (const TsrTrace *self, gint64 *from, gint64 *to)
{
  *from = 100;
  *to = 900;
}

TsrTraceMatches *
tsr_trace_matches_ref (TsrTraceMatches *self)
{
  self->count++;
  return self;
}

void
tsr_trace_matches_unref (TsrTraceMatches *self)
{
  self->count--;
}

/* ---------------------------------------------------------------- fixture */

static const char *const signal_names[]
    = { "options-changed", "hidden-changed", "span-changed",   "steps-changed",
        "search-changed",  "run-changed",    "markers-changed" };

enum
{
  OPTIONS,
  HIDDEN,
  SPAN,
  STEPS,
  SEARCH,
  RUN,
  MARKERS,
};

typedef struct
{
  TsrTraceState *state;
  guint n[G_N_ELEMENTS (signal_names)];
} Fixture;

static void
count (GObject *object, guint *n)
{
  (*n)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->state = tsr_trace_state_new ();
  for (guint i = 0; i < G_N_ELEMENTS (signal_names); i++)
    g_signal_connect (fixture->state, signal_names[i], G_CALLBACK (count), &fixture->n[i]);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->state);
}

/* Exactly @signal was sent @times since the last look; -1: none at all. */
static void
assert_told (Fixture *fixture, int signal, guint times)
{
  for (int i = 0; i < (int)G_N_ELEMENTS (signal_names); i++)
    {
      g_assert_cmpuint (fixture->n[i], ==, i == signal ? times : 0);
      fixture->n[i] = 0;
    }
}

/* ------------------------------------------------------------------ tests */

static void
assert_options (TsrTraceState *state, guint expected)
{
  for (guint bit = 1; bit <= TSR_TRACE_OPTION_LIVE; bit <<= 1)
    g_assert_true (tsr_trace_state_has (state, bit) == ((expected & bit) != 0));
}

static void
test_options (Fixture *fixture, gconstpointer data)
{
  TsrTraceState *state = fixture->state;

  g_assert_cmpint (tsr_trace_state_get_shape (state), ==, TSR_TRACE_FLAME);
  assert_options (state, TSR_TRACE_OPTIONS_DEFAULT);
  g_assert_true (tsr_trace_state_has (state, TSR_TRACE_OPTION_FOLD));
  g_assert_false (tsr_trace_state_has (state, TSR_TRACE_OPTION_BSP));
  tsr_trace_state_set_shape (state, TSR_TRACE_FLAME);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_FOLD, TRUE);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_shape (state, TSR_TRACE_FLAT);
  assert_told (fixture, OPTIONS, 1);
  g_assert_cmpint (tsr_trace_state_get_shape (state), ==, TSR_TRACE_FLAT);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_BSP, TRUE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_FOLD, FALSE);
  assert_told (fixture, OPTIONS, 2);
  assert_options (state,
                  (TSR_TRACE_OPTIONS_DEFAULT & ~TSR_TRACE_OPTION_FOLD) | TSR_TRACE_OPTION_BSP);
}

static void
test_hidden (Fixture *fixture, gconstpointer data)
{
  TsrTraceState *state = fixture->state;
  TsrTrace trace = { 0 };

  g_assert_null (tsr_trace_state_peek_hidden (state)[0]);
  g_assert_cmphex (tsr_trace_state_get_hidden_mask (state, &trace), ==, 0);
  tsr_trace_state_set_hidden (state, "Internal Sync", FALSE);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_hidden (state, "External Sync", TRUE);
  tsr_trace_state_set_hidden (state, "Unheard of", TRUE);
  tsr_trace_state_set_hidden (state, "OnTileExecute", TRUE);
  assert_told (fixture, HIDDEN, 3);
  /* A label, not a name: "Sync" is two types. */
  g_assert_cmphex (tsr_trace_state_get_hidden_mask (state, &trace), ==, 1 << 0 | 1 << 2);
  tsr_trace_state_set_hidden (state, "Unheard of", TRUE);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_hidden (state, "Unheard of", FALSE);
  assert_told (fixture, HIDDEN, 1);
  g_assert_cmpstr (tsr_trace_state_peek_hidden (state)[0], ==, "External Sync");
  g_assert_cmpstr (tsr_trace_state_peek_hidden (state)[1], ==, "OnTileExecute");
  g_assert_null (tsr_trace_state_peek_hidden (state)[2]);
}

static void
assert_domain (Fixture *fixture, guint profiled, int run, gint64 from, gint64 to)
{
  TsrTrace trace = { profiled };
  gint64 is_from;
  gint64 is_to;

  tsr_trace_state_set_run (fixture->state, run);
  tsr_trace_state_get_domain (fixture->state, &trace, &is_from, &is_to);
  g_assert_cmpint (is_from, ==, from);
  g_assert_cmpint (is_to, ==, to);
}

static void
test_run (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (tsr_trace_state_get_run (fixture->state), ==, TSR_TRACE_RUN_PROFILED);
  assert_domain (fixture, 2, TSR_TRACE_RUN_PROFILED, 600, 900);
  assert_told (fixture, -1, 0);
  assert_domain (fixture, 2, TSR_TRACE_RUN_ALL, 100, 900);
  assert_told (fixture, RUN, 1);
  assert_domain (fixture, 2, 0, 100, 400);
  /* A run that took no time; one of another report; a trace without runs. */
  assert_domain (fixture, 2, 1, 100, 900);
  assert_domain (fixture, 2, 77, 600, 900);
  assert_domain (fixture, TSR_NO_INDEX, TSR_TRACE_RUN_PROFILED, 100, 900);
  assert_told (fixture, RUN, 4);
}

static void
test_ipus (Fixture *fixture, gconstpointer data)
{
  TsrTraceState *state = fixture->state;

  g_assert_cmpuint (tsr_trace_state_get_ipu (state), ==, TSR_NO_INDEX);
  tsr_trace_state_set_ipu (state, TSR_NO_INDEX);
  tsr_trace_state_set_pinned (state, 0, FALSE);
  tsr_trace_state_set_collapsed (state, 3, FALSE);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_ipu (state, 2);
  tsr_trace_state_set_pinned (state, 0, TRUE);
  tsr_trace_state_set_collapsed (state, 3, TRUE);
  assert_told (fixture, OPTIONS, 3);
  g_assert_true (tsr_trace_state_is_pinned (state, 0));
  g_assert_false (tsr_trace_state_is_pinned (state, 3));
  g_assert_true (tsr_trace_state_is_collapsed (state, 3));
  g_assert_false (tsr_trace_state_is_collapsed (state, 0));
  tsr_trace_state_set_pinned (state, 0, TRUE);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_all_collapsed (state, 4, TRUE);
  assert_told (fixture, OPTIONS, 1);
  for (guint ipu = 0; ipu < 5; ipu++)
    g_assert_cmpint (tsr_trace_state_is_collapsed (state, ipu), ==, ipu < 4);
  tsr_trace_state_set_all_collapsed (state, 4, TRUE);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_all_collapsed (state, 4, FALSE);
  assert_told (fixture, OPTIONS, 1);
  g_assert_false (tsr_trace_state_is_collapsed (state, 3));
  tsr_trace_state_set_pinned (state, 0, FALSE);
  assert_told (fixture, OPTIONS, 1);
  g_assert_false (tsr_trace_state_is_pinned (state, 0));
}

static void
test_span (Fixture *fixture, gconstpointer data)
{
  gint64 from;
  gint64 to;

  g_assert_false (tsr_trace_state_get_span (fixture->state, &from, &to));
  tsr_trace_state_set_span (fixture->state, 9, 9);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_span (fixture->state, -5, 9);
  tsr_trace_state_set_span (fixture->state, -5, 9);
  assert_told (fixture, SPAN, 1);
  g_assert_true (tsr_trace_state_get_span (fixture->state, &from, &to));
  g_assert_cmpint (from, ==, -5);
  g_assert_cmpint (to, ==, 9);
  tsr_trace_state_set_span (fixture->state, 10, 9);
  assert_told (fixture, SPAN, 1);
  g_assert_false (tsr_trace_state_get_span (fixture->state, NULL, NULL));
}

static void
assert_steps (TsrTraceState *state, const char *expected)
{
  guint n;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (state, &n);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%d@%u", i > 0 ? " " : "", (int)steps[i].step_id, steps[i].ipu);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_steps (Fixture *fixture, gconstpointer data)
{
  TsrTraceState *state = fixture->state;
  static const TsrTraceStepRef twice[] = { { 7, 1 }, { 7, 0 }, { 7, 1 }, { 3, 1 } };
  guint n;

  tsr_trace_state_set_steps (state, NULL, 0);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_steps (state, twice, G_N_ELEMENTS (twice));
  assert_steps (state, "7@1 7@0 3@1");
  tsr_trace_state_set_steps (state, twice, G_N_ELEMENTS (twice));
  assert_told (fixture, STEPS, 1);
  tsr_trace_state_toggle_step (state, 7, 0);
  assert_steps (state, "7@1 3@1");
  tsr_trace_state_toggle_step (state, 7, 0);
  assert_steps (state, "7@1 3@1 7@0");
  assert_told (fixture, STEPS, 2);

  tsr_trace_state_set_steps (state, NULL, 0);
  for (int i = 0; i < TSR_TRACE_MAX_SELECTED + 2; i++)
    tsr_trace_state_toggle_step (state, i, 0);
  assert_told (fixture, STEPS, TSR_TRACE_MAX_SELECTED + 3);
  tsr_trace_state_peek_steps (state, &n);
  g_assert_cmpuint (n, ==, TSR_TRACE_MAX_SELECTED);
  g_assert_cmpint (tsr_trace_state_peek_steps (state, NULL)[0].step_id, ==, 2);
  g_assert_cmpint (tsr_trace_state_peek_steps (state, NULL)[n - 1].step_id, ==,
                   TSR_TRACE_MAX_SELECTED + 1);
}

static void
test_matches (Fixture *fixture, gconstpointer data)
{
  TsrTraceState *state = fixture->state;
  TsrTraceMatches first = { 1 };
  TsrTraceMatches second = { 1 };

  g_assert_cmpstr (tsr_trace_state_get_search (state), ==, "");
  tsr_trace_state_set_search (state, NULL, NULL);
  tsr_trace_state_set_selected_group (state, NULL);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_search (state, "matmul", &first);
  g_assert_true (tsr_trace_state_get_matches (state) == &first);
  tsr_trace_state_set_search (state, tsr_trace_state_get_search (state), &second);
  assert_told (fixture, SEARCH, 2);
  g_assert_cmpstr (tsr_trace_state_get_search (state), ==, "matmul");
  g_assert_cmpint (first.count, ==, 1);
  g_assert_cmpint (second.count, ==, 2);
  tsr_trace_state_set_selected_group (state, &first);
  tsr_trace_state_set_selected_group (state, &first);
  assert_told (fixture, STEPS, 1);
  g_assert_true (tsr_trace_state_get_selected_group (state) == &first);
  tsr_trace_state_clear (state);
  g_assert_cmpint (first.count, ==, 1);
  g_assert_cmpint (second.count, ==, 1);
}

static void
test_markers (Fixture *fixture, gconstpointer data)
{
  TsrTraceState *state = fixture->state;
  const GPtrArray *markers;
  const TsrTraceMarker *marker;

  tsr_trace_state_add_marker (state, 50, 50, "late");
  tsr_trace_state_add_marker (state, 30, 10, NULL);
  assert_told (fixture, MARKERS, 2);
  markers = tsr_trace_state_peek_markers (state);
  g_assert_cmpuint (markers->len, ==, 2);
  marker = g_ptr_array_index (markers, 0);
  g_assert_cmpint (marker->from, ==, 10);
  g_assert_cmpint (marker->to, ==, 30);
  g_assert_cmpstr (marker->note, ==, "");
  tsr_trace_state_set_marker_note (state, 0, "slow");
  tsr_trace_state_set_marker_note (state, 0, "slow");
  assert_told (fixture, MARKERS, 1);
  g_assert_cmpstr (marker->note, ==, "slow");
  tsr_trace_state_remove_marker (state, 0);
  assert_told (fixture, MARKERS, 1);
  marker = g_ptr_array_index (tsr_trace_state_peek_markers (state), 0);
  g_assert_cmpstr (marker->note, ==, "late");
  /* What comes from a file stands in the order of time. */
  {
    static const gint64 ends[][2] = { { 5, 9 }, { 3, 8 }, { 5, 7 }, { 3, 4 }, { 1, 20 } };
    GPtrArray *taken = tsr_trace_markers_new ();

    for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
      {
        TsrTraceMarker *one = g_new0 (TsrTraceMarker, 1);

        one->from = ends[i][0];
        one->to = ends[i][1];
        one->note = g_strdup ("");
        g_ptr_array_add (taken, one);
      }
    tsr_trace_state_take_markers (state, taken);
    assert_told (fixture, MARKERS, 1);
    for (guint i = 1; i < G_N_ELEMENTS (ends); i++)
      {
        const TsrTraceMarker *last = taken->pdata[i - 1], *next = taken->pdata[i];

        g_assert_true (last->from < next->from
                       || (last->from == next->from && last->to < next->to));
      }
  }
  tsr_trace_state_take_markers (state, tsr_trace_markers_new ());
  assert_told (fixture, MARKERS, 1);
  g_assert_cmpuint (tsr_trace_state_peek_markers (state)->len, ==, 0);
}

static void
test_clear (Fixture *fixture, gconstpointer data)
{
  TsrTraceState *state = fixture->state;
  static const TsrTraceStepRef step = { 7, 1 };

  tsr_trace_state_clear (state);
  assert_told (fixture, -1, 0);
  tsr_trace_state_set_shape (state, TSR_TRACE_FLAT);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_BSP, TRUE);
  tsr_trace_state_set_hidden (state, "Sync", TRUE);
  tsr_trace_state_set_run (state, 1);
  tsr_trace_state_set_ipu (state, 1);
  tsr_trace_state_set_pinned (state, 1, TRUE);
  tsr_trace_state_set_collapsed (state, 1, TRUE);
  tsr_trace_state_set_span (state, 1, 2);
  tsr_trace_state_set_steps (state, &step, 1);
  tsr_trace_state_set_search (state, "x", NULL);
  tsr_trace_state_add_marker (state, 1, 2, "x");
  memset (fixture->n, 0, sizeof fixture->n);
  tsr_trace_state_clear (state);
  for (guint i = 0; i < G_N_ELEMENTS (signal_names); i++)
    g_assert_cmpuint (fixture->n[i], ==, 1);
  g_assert_cmpint (tsr_trace_state_get_shape (state), ==, TSR_TRACE_FLAT);
  g_assert_true (tsr_trace_state_has (state, TSR_TRACE_OPTION_BSP));
  g_assert_null (tsr_trace_state_peek_hidden (state)[0]);
  g_assert_cmpint (tsr_trace_state_get_run (state), ==, TSR_TRACE_RUN_PROFILED);
  g_assert_cmpuint (tsr_trace_state_get_ipu (state), ==, TSR_NO_INDEX);
  g_assert_false (tsr_trace_state_is_pinned (state, 1));
  g_assert_false (tsr_trace_state_is_collapsed (state, 1));
  g_assert_false (tsr_trace_state_get_span (state, NULL, NULL));
  assert_steps (state, "");
  g_assert_cmpstr (tsr_trace_state_get_search (state), ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/trace-state/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("options", test_options);
  ADD ("hidden", test_hidden);
  ADD ("run", test_run);
  ADD ("ipus", test_ipus);
  ADD ("span", test_span);
  ADD ("steps", test_steps);
  ADD ("matches", test_matches);
  ADD ("markers", test_markers);
  ADD ("clear", test_clear);
#undef ADD
  return g_test_run ();
}
