/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs the tests of all rules: each rule of the register has a file of its name here. */

#include "config.h"

#include "execution-bed.h"
#include "insight-rule-tests.h"

#include <string.h>

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

/* ------------------------------------------------------------------ limits */

#define SPAN 100000 /* cycles of most executions below */

/* Lays @x cycles that the rule counts on @ipu; @other is its replica's other one. */
typedef void (*Lay) (Bed *bed, guint ipu, guint other, gint64 x);

static void
lay_imbalance (Bed *bed, guint ipu, guint other, gint64 x)
{
  bed_compute (bed, ipu, "m/a", 2 * x, 0.5, 100);
  bed_run (bed, ipu, "DoExchange", "m/a", SPAN - 2 * x);
}

static void
lay_idle (Bed *bed, guint ipu, guint other, gint64 x)
{
  bed_compute (bed, ipu, "m/a", 2 * x, 1, 50);
  bed_compute (bed, ipu, "m/b", SPAN - 2 * x, 1, 100);
}

static void
lay_exchange_of_run (Bed *bed, guint ipu, guint other, gint64 x)
{
  bed_run (bed, ipu, "DoExchange", "m/a/exchange", x);
  bed_compute (bed, ipu, "m/a/conv", SPAN - x, 1, 100);
}

static void
lay_exchange_of_prefix (Bed *bed, guint ipu, guint other, gint64 x)
{
  bed_run (bed, ipu, "DoExchange", "m/a/exchange", x);
  bed_compute (bed, ipu, "m/a/conv", 10000, 1, 100);
  bed_compute (bed, ipu, "m/b/conv", 80000, 1, 100);
}

static void
lay_exchange_alone (Bed *bed, guint ipu, guint other, gint64 x)
{
  bed_run (bed, ipu, "DoExchange", "m/a/exchange", x);
  bed_compute (bed, ipu, "m/b/conv", SPAN - x, 1, 100);
}

static void
lay_waiting (Bed *bed, guint ipu, guint other, gint64 x)
{
  bed_compute (bed, ipu, "m/a", SPAN - x, 1, 100);
  bed_run (bed, ipu, "StreamCopyBegin", "copyFromHost/input", x);
  bed_run (bed, other, "StreamCopyBegin", "copyFromHost/input", 1);
  bed_compute (bed, other, "m/a", 10, 1, 100);
  bed_run (bed, other, "StreamCopyBegin", "copyFromHost/input", 90000);
}

static void
lay_copy (Bed *bed, guint ipu, guint other, gint64 x)
{
  bed_compute (bed, ipu, "m/a", 50000, 1, 100);
  bed_run (bed, ipu, "StreamCopyMid", "copyFromHost/input", x);
  bed_compute (bed, ipu, "m/b", 50000 - x, 1, 100);
}

static void
lay_tiny (Bed *bed, guint ipu, guint other, gint64 x)
{
  for (guint i = 0; i < 1000; i++)
    bed_compute (bed, ipu, "m/a", i == 0 ? x - 9990 : 10, 1, 100);
  bed_compute (bed, ipu, "m/b", SPAN - x, 1, 100);
}

/* Both IPUs work, then exchange; one works less by twice what even ones would save. */
static void
lay_stages (Bed *bed, guint ipu, guint other, gint64 x)
{
  const guint32 step = trace_test_add_step (bed->t, "GlobalExchange", "globalExchange");

  bed_compute (bed, ipu, "m/a", 90000, 1, 100);
  bed_compute (bed, other, "m/a", 90000 - 2 * x, 1, 100);
  trace_test_add (bed->t, step, ipu, 90000, SPAN);
  trace_test_add (bed->t, step, other, 90000, SPAN);
}

/* One of them works only later on. */
static void
lay_ramp (Bed *bed, guint ipu, guint other, gint64 x)
{
  for (guint i = 0; i < 2; i++)
    {
      const guint32 step = trace_test_add_step (bed->t, "GlobalExchange", "globalExchange");
      const gint64 to = i == 0 ? x : SPAN;

      for (guint side = 0; side < 2; side++)
        {
          const guint at = side == 0 ? ipu : other;

          if (i == 1 || side == 0)
            bed_compute (bed, at, "m/a", to - bed->now[at] - 10, 1, 100);
          trace_test_add (bed->t, step, at, to - 10, to);
          bed->now[at] = to;
        }
    }
}

/* Each rule about the execution says something from its limit on, and nothing just below. */
static void
test_limits (void)
{
  static const struct
  {
    const char *rule;
    Lay lay;
    gint64 limit;
  } cases[] = {
    { "compute-imbalance", lay_imbalance, SPAN / 20 },
    { "idle-tiles", lay_idle, SPAN * 3 / 100 },
    { "exchange-bound", lay_exchange_of_run, SPAN * 35 / 100 },
    { "exchange-bound", lay_exchange_of_prefix, 10000 },
    { "exchange-bound", lay_exchange_alone, SPAN * 3 / 100 },
    { "host-wait", lay_waiting, SPAN / 20 },
    { "unoverlapped-io", lay_copy, SPAN / 20 },
    { "tiny-steps", lay_tiny, SPAN / 10 },
    { "stage-imbalance", lay_stages, SPAN / 10 },
    { "stage-imbalance", lay_ramp, SPAN / 10 },
  };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (cases); i++)
    for (gint64 x = cases[i / 4].limit - 1; x <= cases[i / 4].limit; x++)
      {
        const guint ipu = i % 4; /* of two replicas; nothing runs in the other */
        const char *rule = cases[i / 4].rule;
        g_autoptr (Bed) bed = bed_new (4, 2);
        g_autofree char *scope = g_strdup_printf ("ipu%u", ipu);
        g_autofree char *said = g_strdup_printf ("on IPU %u;", ipu);
        TsrVerdict v;

        cases[i / 4].lay (bed, ipu, ipu ^ 1, x);
        if (x < cases[i / 4].limit)
          {
            g_assert_cmpint (bed_check (bed, rule, &v), ==, TSR_RULE_FINE);
            if (!g_str_equal (rule, "stage-imbalance") && !g_str_equal (rule, "tiny-steps"))
              g_assert_nonnull (strstr (v.text, said));
          }
        else
          {
            g_assert_cmpint (bed_check (bed, rule, &v), ==, TSR_RULE_FIRED);
            if (!g_str_equal (rule, "stage-imbalance"))
              g_assert_cmpstr (v.finding->scope, ==, scope);
            g_assert_nonnull (v.finding->title);
            g_assert_nonnull (v.finding->action);
          }
        tsr_verdict_clear (&v);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insight-rules/all", test_all);
  g_test_add_func ("/insight-rules/limits", test_limits);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    entries[i].add ();
  return g_test_run ();
}
