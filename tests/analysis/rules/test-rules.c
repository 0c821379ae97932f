/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs the tests of all rules: each rule of the register has a file of its name here. */

#include "config.h"

#include "insight-rule-tests.h"
#include "tsr-insights-private.h"

static const struct
{
  const char *rule;
  void (*add) (void);
} entries[] = {
  { "out-of-memory", add_out_of_memory_tests },
  { "near-capacity", add_near_capacity_tests },
  { "tile-imbalance", add_tile_imbalance_tests },
  { "gaps-on-full-tiles", add_gaps_on_full_tiles_tests },
  { "peak-spike", add_peak_spike_tests },
  { "long-lived-activations", add_long_lived_activations_tests },
  { "fp32-at-peak", add_fp32_at_peak_tests },
  { "resident-state", add_resident_state_tests },
  { "exchange-code", add_exchange_code_tests },
  { "vertex-memory", add_vertex_memory_tests },
  { "io-code-and-headers", add_io_code_and_headers_tests },
  { "instrumentation", add_instrumentation_tests },
  { "one-off-code", add_one_off_code_tests },
  { "compute-imbalance", add_compute_imbalance_tests },
  { "idle-tiles", add_idle_tiles_tests },
  { "exchange-bound", add_exchange_bound_tests },
  { "host-wait", add_host_wait_tests },
  { "unoverlapped-io", add_unoverlapped_io_tests },
  { "stage-imbalance", add_stage_imbalance_tests },
  { "tiny-steps", add_tiny_steps_tests },
  { "operation-cycles", add_operation_cycles_tests },
  { "operation-memory", add_operation_memory_tests },
};

static void
test_all (void)
{
  g_assert_cmpuint (G_N_ELEMENTS (entries), ==, TSR_N_RULES);
  for (guint i = 0; i < TSR_N_RULES; i++)
    g_assert_cmpstr (entries[i].rule, ==, tsr_insight_rules_get (i)->id);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insight-rules/all", test_all);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    entries[i].add ();
  return g_test_run ();
}
