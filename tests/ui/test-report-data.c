/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of what is computed from a report, walked node by node: each is computed once for each
 * change of its inputs and after what it is computed from; and nothing here makes a slow report
 * read. */

#include "config.h"

#include "fake-remote.h"
#include "tsr-report-data.h"
#include "tsr-test.h"
#include "tsr-ui-test.h"

#include <glib/gstdio.h>

typedef struct
{
  TsrReport *report;
  TsrReportData *data;
  GString *changes;       /* the first letter of each node that has got another value */
  guint gone[TSR_N_DATA]; /* how often the node has lost its value */
} Walk;

static TsrDataKind counting[TSR_N_DATA];
static int n_computed[TSR_N_DATA]; /* atomic */
static int is_held;                /* atomic: computations wait */

static gpointer
compute_counted (const TsrDataInputs *inputs, GCancellable *cancellable)
{
  const TsrDataKind *kind = &tsr_report_data_peek_kinds ()[inputs->node];

  g_atomic_int_inc (&n_computed[inputs->node]);
  for (guint i = 0; i < TSR_N_DATA; i++)
    {
      /* All that it needs, and nothing else. */
      if ((kind->nodes & 1u << i) != 0)
        g_assert_nonnull (inputs->values[i]);
      if (((kind->nodes | kind->also_nodes | kind->settled_nodes | kind->ended_nodes) & 1u << i)
          == 0)
        g_assert_null (inputs->values[i]);
    }
  while (g_atomic_int_get (&is_held) && !g_cancellable_is_cancelled (cancellable))
    g_usleep (1000);
  return kind->compute (inputs, cancellable);
}

static void
on_changed (TsrReportData *data, TsrData node, Walk *walk)
{
  const char *name = tsr_report_data_peek_kinds ()[node].name;

  if (tsr_report_data_get (data, node) != NULL)
    g_string_append_c (walk->changes, name[0]);
  else
    walk->gone[node]++;
}

static void
begin (Walk *walk, TsrReport *report)
{
  const guint options[TSR_N_DATA_OPTIONS] = { 0 };

  for (guint i = 0; i < TSR_N_DATA; i++)
    {
      counting[i] = tsr_report_data_peek_kinds ()[i];
      counting[i].compute = compute_counted;
      g_atomic_int_set (&n_computed[i], 0);
    }
  *walk = (Walk){ .report = report, .changes = g_string_new (NULL) };
  walk->data = tsr_report_data_new (report, options, counting);
  g_signal_connect (walk->data, "changed", G_CALLBACK (on_changed), walk);
}

static void
end (Walk *walk)
{
  g_clear_object (&walk->data);
  g_clear_object (&walk->report);
  g_string_free (walk->changes, TRUE);
}

static gboolean
is_settled (Walk *walk)
{
  for (guint i = 0; i < TSR_N_DATA; i++)
    if (!tsr_report_data_is_settled (walk->data, i))
      return FALSE;
  return TRUE;
}

/* How often each node was computed since the last call. */
static void
check_computed (Walk *walk, const guint expected[TSR_N_DATA])
{
  tsr_ui_test_wait (is_settled (walk));
  tsr_ui_test_run (50);
  g_assert_true (is_settled (walk));
  for (guint i = 0; i < TSR_N_DATA; i++)
    {
      g_test_message ("%s: %d", counting[i].name, g_atomic_int_get (&n_computed[i]));
      g_assert_cmpuint (g_atomic_int_get (&n_computed[i]), ==, expected[i]);
      g_atomic_int_set (&n_computed[i], 0);
    }
}

static gboolean
has_ended (TsrReport *report, TsrStage stage)
{
  TsrStageState state = tsr_report_get_stage_state (report, stage);

  return state == TSR_STAGE_READY || state == TSR_STAGE_FAILED;
}

/* Sources come before what is computed from them, so that one pass starts all that can be. */
static void
test_order (void)
{
  const TsrDataKind *kinds = tsr_report_data_peek_kinds ();

  for (guint i = 0; i < TSR_N_DATA; i++)
    {
      g_assert_nonnull (kinds[i].name);
      g_assert_true (kinds[i].compute != NULL && kinds[i].ref != NULL && kinds[i].unref != NULL);
      g_assert_cmpuint (
          (kinds[i].nodes | kinds[i].also_nodes | kinds[i].settled_nodes | kinds[i].ended_nodes)
              >> i,
          ==, 0);
      g_assert_cmpuint (kinds[i].stages | kinds[i].nodes | kinds[i].settled_nodes, !=, 0);
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (kinds[i].name, !=, kinds[j].name);
    }
}

/* A report that has been read: each option computes what depends on it, once. */
static void
test_options (void)
{
  const char *folder = g_getenv ("TESSERA_TEST_REPORTS");
  g_autofree char *path = g_build_filename (folder, "demo", NULL);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  TsrReport *report = tsr_report_open_sync (place, path, TSR_LOAD_ALL, NULL, NULL);
  gpointer memory;
  Walk walk;

  g_assert_nonnull (report);
  begin (&walk, report);
  check_computed (&walk, (guint[TSR_N_DATA]){ 1, 1, 1, 1, 0 });
  g_assert_null (tsr_report_data_get (walk.data, TSR_DATA_INSIGHTS));
  g_assert_true (strchr (walk.changes->str, 'm') < strchr (walk.changes->str, 'l'));
  g_assert_true (strchr (walk.changes->str, 'm') < strchr (walk.changes->str, 'v'));

  tsr_report_data_ask (walk.data, TSR_DATA_INSIGHTS);
  tsr_report_data_ask (walk.data, TSR_DATA_INSIGHTS);
  check_computed (&walk, (guint[TSR_N_DATA]){ 0, 0, 0, 0, 1, 1, 1 });
  g_assert_nonnull (tsr_report_data_get (walk.data, TSR_DATA_INSIGHTS));

  tsr_report_data_set_option (walk.data, TSR_DATA_OPTION_UNITS, TSR_UNITS_SI);
  tsr_report_data_set_option (walk.data, TSR_DATA_OPTION_UNITS, TSR_UNITS_SI);
  g_assert_nonnull (tsr_report_data_get (walk.data, TSR_DATA_INSIGHTS));
  check_computed (&walk, (guint[TSR_N_DATA]){ [TSR_DATA_INSIGHTS] = 1 });

  /* What is shown stays until the new one is there; then what was computed from it goes. */
  memory = tsr_report_data_get (walk.data, TSR_DATA_MEMORY);
  g_atomic_int_set (&is_held, TRUE);
  g_string_truncate (walk.changes, 0);
  tsr_report_data_set_option (walk.data, TSR_DATA_OPTION_TILES_PER_IPU, 8);
  g_assert_true (tsr_report_data_get (walk.data, TSR_DATA_MEMORY) == memory);
  g_assert_nonnull (tsr_report_data_get (walk.data, TSR_DATA_LIVENESS));
  g_assert_false (tsr_report_data_is_settled (walk.data, TSR_DATA_MEMORY));
  g_assert_false (tsr_report_data_is_settled (walk.data, TSR_DATA_INSIGHTS));
  g_assert_true (tsr_report_data_is_settled (walk.data, TSR_DATA_TRACE));
  tsr_ui_test_wait (g_atomic_int_get (&n_computed[TSR_DATA_MEMORY]) == 1);
  /* A newer one cancels it, and only the newer is shown. */
  tsr_report_data_set_option (walk.data, TSR_DATA_OPTION_TILES_PER_IPU, 4);
  tsr_ui_test_wait (g_atomic_int_get (&n_computed[TSR_DATA_MEMORY]) == 2);
  g_assert_true (tsr_report_data_get (walk.data, TSR_DATA_MEMORY) == memory);
  g_atomic_int_set (&is_held, FALSE);
  check_computed (&walk, (guint[TSR_N_DATA]){ 2, 1, 1, 0, 0, 1, 1 });
  g_assert_cmpint (tsr_memory_get_tiles_per_ipu (tsr_report_data_get (walk.data, TSR_DATA_MEMORY)),
                   ==, 4);
  g_assert_true (tsr_liveness_get_memory (tsr_report_data_get (walk.data, TSR_DATA_LIVENESS))
                 == tsr_report_data_get (walk.data, TSR_DATA_MEMORY));
  g_assert_cmpuint (walk.gone[TSR_DATA_MEMORY], ==, 0);
  g_assert_cmpuint (walk.gone[TSR_DATA_LIVENESS], ==, 1);
  g_assert_cmpuint (walk.gone[TSR_DATA_VERTICES], ==, 1);
  g_assert_cmpuint (walk.gone[TSR_DATA_TRACE], ==, 0);
  g_assert_cmpuint (walk.gone[TSR_DATA_INSIGHTS], ==, 1);
  g_assert_cmpuint (strlen (walk.changes->str), ==, 5);
  g_assert_cmpint (walk.changes->str[0], ==, 'm');
  g_assert_cmpint (walk.changes->str[4], ==, 'i');

  /* The programs are those that insights asked for; their code on the worst tile goes with the
   * memory. */
  tsr_report_data_ask (walk.data, TSR_DATA_PROGRAMS);
  check_computed (&walk, (guint[TSR_N_DATA]){ 0 });
  tsr_report_data_ask (walk.data, TSR_DATA_PROGRAM_CODE);
  check_computed (&walk, (guint[TSR_N_DATA]){ [TSR_DATA_PROGRAM_CODE] = 1 });
  tsr_report_data_set_option (walk.data, TSR_DATA_OPTION_TILES_PER_IPU, 8);
  check_computed (&walk, (guint[TSR_N_DATA]){ 1, 1, 1, 0, 0, 1, 1, 1 });
  end (&walk);
}

/* The operations of the first layer are those of the insights; another layer leaves these alone. */
static void
test_layers (void)
{
  const char *folder = g_getenv ("TESSERA_TEST_REPORTS");
  g_autofree char *path = g_build_filename (folder, "demo", NULL);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  TsrReport *report = tsr_report_open_sync (place, path, TSR_LOAD_ALL, NULL, NULL);
  g_auto (GStrv) layers = tsr_operations_dup_layers (tsr_report_get_debug_tables (report));
  gpointer insights, first;
  Walk walk;

  g_assert_cmpuint (g_strv_length (layers), >, 1);
  begin (&walk, report);
  tsr_report_data_ask (walk.data, TSR_DATA_INSIGHTS);
  check_computed (&walk, (guint[TSR_N_DATA]){ 1, 1, 1, 1, 1, 1, 1 });
  insights = tsr_report_data_get (walk.data, TSR_DATA_INSIGHTS);
  first = tsr_report_data_get (walk.data, TSR_DATA_FIRST_OPERATIONS);
  g_assert_nonnull (first);
  tsr_report_data_ask (walk.data, TSR_DATA_OPERATIONS);
  check_computed (&walk, (guint[TSR_N_DATA]){ [TSR_DATA_OPERATIONS] = 1 });
  g_assert_true (tsr_report_data_get (walk.data, TSR_DATA_OPERATIONS) == first);
  for (guint i = 0; i < 2; i++)
    {
      tsr_report_data_set_option (walk.data, TSR_DATA_OPTION_LAYER,
                                  g_quark_from_string (layers[1 - i]));
      check_computed (&walk, (guint[TSR_N_DATA]){ [TSR_DATA_OPERATIONS] = 1 });
      g_assert_cmpstr (
          tsr_operations_get_layer (tsr_report_data_get (walk.data, TSR_DATA_OPERATIONS)), ==,
          layers[1 - i]);
      g_assert_true ((tsr_report_data_get (walk.data, TSR_DATA_OPERATIONS) == first) == (i == 1));
    }
  g_assert_true (tsr_report_data_get (walk.data, TSR_DATA_INSIGHTS) == insights);
  end (&walk);
}

/* Without a part of the report, what is computed from it will not come, and the rest does. */
static void
test_missing (void)
{
  const char *folder = g_getenv ("TESSERA_TEST_REPORTS");
  g_autofree char *path = g_build_filename (folder, "demo", NULL);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  TsrReport *report = tsr_report_open (place, path, TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_EXECUTION);
  Walk walk;

  begin (&walk, report);
  tsr_report_data_ask (walk.data, TSR_DATA_INSIGHTS);
  for (guint i = 0; i < TSR_N_DATA; i++)
    g_assert_false (tsr_report_data_is_settled (walk.data, i));
  check_computed (&walk, (guint[TSR_N_DATA]){ 1, 0, 1, 0, 1, 1, 1 });
  for (guint i = 0; i < TSR_N_DATA; i++)
    g_assert_true (
        (tsr_report_data_get (walk.data, i) == NULL)
        == (i == TSR_DATA_LIVENESS || i == TSR_DATA_TRACE || i >= TSR_DATA_PROGRAM_CODE));
  end (&walk);
}

/* A slow report, stage by stage. */
static void
test_slow (void)
{
  g_autofree char *made = tsr_test_report_new ("demo");
  char *root = tsr_test_folder_new (), *cache_folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (root, "report", NULL);
  FakeRemote *fake;
  TsrBlockCache *cache;
  TsrRemotePlace *place;
  TsrReport *report;
  gpointer early;
  Walk walk;

  g_assert_cmpint (g_rename (made, path), ==, 0);
  fake = fake_remote_new (root);
  cache = tsr_block_cache_new (cache_folder, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
  place = fake_remote_make_place (fake, cache);
  report = tsr_report_open (TSR_PLACE (place), "/report", TSR_LOAD_ON_DEMAND);
  begin (&walk, report);
  /* Nobody asks: totals of the memory come by themselves, and nothing else does. */
  tsr_ui_test_wait (tsr_report_data_get (walk.data, TSR_DATA_MEMORY) != NULL);
  tsr_report_data_ask (walk.data, TSR_DATA_INSIGHTS);
  tsr_ui_test_run (300);
  g_assert_true (tsr_report_is_on_demand (report));
  g_assert_cmpstr (walk.changes->str, ==, "m");
  for (TsrStage stage = TSR_STAGE_MEMORY; stage < TSR_N_STAGES; stage++)
    {
      g_assert_cmpint (tsr_report_get_stage_state (report, stage), ==, TSR_STAGE_PENDING);
      g_assert_true (tsr_report_is_waiting (report, stage));
    }
  for (guint i = 0; i < TSR_N_DATA; i++)
    {
      g_assert_cmpint (g_atomic_int_get (&n_computed[i]), ==, i == TSR_DATA_MEMORY);
      g_assert_false (tsr_report_data_is_settled (walk.data, i));
    }
  early = tsr_report_data_get (walk.data, TSR_DATA_MEMORY);

  tsr_report_want (report, TSR_STAGE_LIVENESS);
  tsr_ui_test_wait (tsr_report_data_get (walk.data, TSR_DATA_LIVENESS) != NULL);
  g_assert_false (tsr_liveness_has_lowered (tsr_report_data_get (walk.data, TSR_DATA_LIVENESS)));
  g_assert_true (tsr_report_data_get (walk.data, TSR_DATA_MEMORY) == early);
  g_assert_cmpstr (walk.changes->str, ==, "ml");
  tsr_report_want (report, TSR_STAGE_LOWERED);
  tsr_ui_test_wait (has_ended (report, TSR_STAGE_LOWERED) && strlen (walk.changes->str) == 3);
  g_assert_cmpstr (walk.changes->str, ==, "mll");
  g_assert_cmpuint (walk.gone[TSR_DATA_LIVENESS], ==, 0);
  tsr_report_want (report, TSR_STAGE_EXECUTION);
  tsr_ui_test_wait (tsr_report_data_get (walk.data, TSR_DATA_TRACE) != NULL);
  tsr_report_want (report, TSR_STAGE_PROGRAMS);
  tsr_ui_test_wait (tsr_report_data_get (walk.data, TSR_DATA_VERTICES) != NULL);
  g_assert_cmpstr (walk.changes->str, ==, "mlltv");
  g_assert_true (tsr_report_data_get (walk.data, TSR_DATA_MEMORY) == early);
  /* The whole memory comes in its place, and what stands on it again. */
  tsr_report_want (report, TSR_STAGE_MEMORY);
  tsr_report_want (report, TSR_STAGE_DEBUG);
  check_computed (&walk, (guint[TSR_N_DATA]){ 2, 3, 2, 1, 0, 0, 1 });
  g_assert_cmpuint (walk.gone[TSR_DATA_LIVENESS], ==, 1);
  g_assert_cmpuint (walk.gone[TSR_DATA_INSIGHTS], ==, 0);
  g_assert_true (g_str_has_prefix (walk.changes->str, "mlltvm"));
  g_assert_true (g_str_has_suffix (walk.changes->str, "i"));
  g_assert_cmpuint (walk.changes->len, ==, strlen ("mlltvm") + strlen ("lvi"));
  end (&walk);
  tsr_remote_place_flush ();
  g_object_unref (place);
  tsr_block_cache_unref (cache);
  fake_remote_unref (fake);
  tsr_test_folder_free (root);
  tsr_test_folder_free (cache_folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report-data/order", test_order);
  g_test_add_func ("/report-data/options", test_options);
  g_test_add_func ("/report-data/layers", test_layers);
  g_test_add_func ("/report-data/missing", test_missing);
  g_test_add_func ("/report-data/slow", test_slow);
  return g_test_run ();
}
