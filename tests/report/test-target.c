/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What follows from the target's row, from half a row, and from none. */

#include "config.h"

#include "tsr-target.h"

#include <math.h>
#include <string.h>

static TsrTargetRow
unknown_row (void)
{
  return (TsrTargetRow){
    .num_ipus = TSR_UNKNOWN,
    .ipus_per_replica = TSR_UNKNOWN,
    .num_replicas = TSR_UNKNOWN,
    .tiles_per_ipu = TSR_UNKNOWN,
    .bytes_per_tile = TSR_UNKNOWN,
    .interleaved_start = TSR_UNKNOWN,
    .clock_frequency = NAN,
  };
}

/* The reference report: 2 replicas of 2 IPUs of 1,472 tiles of 624 KiB. */
static void
test_whole (void)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  TsrTargetRow row = unknown_row ();
  TsrTarget target = { 0 };

  row.num_ipus = 4;
  row.ipus_per_replica = 2;
  row.num_replicas = 2;
  row.tiles_per_ipu = 1472;
  row.bytes_per_tile = 638976;
  row.interleaved_start = 212992;
  row.clock_frequency = 1.33e9;
  row.type = (char *)"IPU";
  row.architecture = (char *)"Mk2";
  tsr_target_derive (&target, &row, TSR_UNKNOWN, TRUE, diagnostics);
  g_assert_cmpint (target.interleaved_start, ==, 212992);
  g_assert_cmpfloat (target.clock_frequency, ==, 1.33e9);
  g_assert_cmpstr (target.type, ==, "IPU");
  g_assert_cmpstr (target.architecture, ==, "Mk2");
  g_assert_cmpint (target.num_tiles, ==, 5888);
  g_assert_cmpint (target.tiles_per_replica, ==, 2944);
  g_assert_cmpint (target.bytes_per_ipu, ==, 940572672);
  g_assert_cmpint (target.memory_per_replica, ==, 1881145344);
  g_assert_cmpint (target.total_memory, ==, 3762290688);
  g_assert_false (target.tiles_per_ipu_assumed);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 0);
  tsr_target_clear (&target);
}

/* Each number that two others tell, whatever is left out, 0 or does not divide. */
static void
test_each (void)
{
  static const gint64 some[] = { TSR_UNKNOWN, 0, 1, 2, 3, 4 };
  const guint n = G_N_ELEMENTS (some);

  for (guint i = 0; i < n * n * n; i++)
    {
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      TsrTargetRow row = unknown_row ();
      TsrTarget target = { 0 };
      gint64 ipus = some[i % n], per_replica = some[i / n % n], replicas = some[i / n / n];

      row.num_ipus = ipus;
      row.ipus_per_replica = per_replica;
      row.num_replicas = replicas;
      tsr_target_derive (&target, &row, TSR_UNKNOWN, TRUE, diagnostics);
      if (ipus == TSR_UNKNOWN && per_replica > 0 && replicas > 0)
        g_assert_cmpint (target.num_ipus, ==, per_replica * replicas);
      if (per_replica == TSR_UNKNOWN && ipus > 0 && replicas > 0 && ipus % replicas == 0)
        g_assert_cmpint (target.ipus_per_replica, ==, ipus / replicas);
      if (replicas == TSR_UNKNOWN && ipus > 0 && per_replica > 0 && ipus % per_replica == 0)
        g_assert_cmpint (target.num_replicas, ==, ipus / per_replica);
      tsr_target_clear (&target);
    }
}

static void
test_partial (void)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  TsrTargetRow row = unknown_row ();
  TsrTarget target = { 0 };

  row.num_ipus = 4;
  row.ipus_per_replica = 2;
  row.tiles_per_ipu = 1216;
  tsr_target_derive (&target, &row, TSR_UNKNOWN, TRUE, diagnostics);
  g_assert_cmpint (target.num_replicas, ==, 2);
  g_assert_cmpint (target.tiles_per_replica, ==, 2432);
  g_assert_cmpint (target.total_memory, ==, TSR_UNKNOWN);
  tsr_target_clear (&target);

  row.ipus_per_replica = TSR_UNKNOWN;
  row.num_replicas = 3;
  memset (&target, 0, sizeof target);
  tsr_target_derive (&target, &row, TSR_UNKNOWN, TRUE, diagnostics);
  g_assert_cmpint (target.ipus_per_replica, ==, TSR_UNKNOWN);
  tsr_target_clear (&target);
}

static void
test_none (void)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  TsrTarget target = { 0 };

  tsr_target_derive (&target, NULL, 2944, TRUE, diagnostics);
  g_assert_cmpint (target.tiles_per_ipu, ==, 1472);
  g_assert_true (target.tiles_per_ipu_assumed);
  g_assert_cmpint (target.ipus_per_replica, ==, 2);
  g_assert_cmpint (target.num_tiles, ==, 2944);
  g_assert_cmpint (target.num_replicas, ==, TSR_UNKNOWN);
  tsr_target_clear (&target);

  /* 27,968 = 19 x 1,472 = 23 x 1,216: both divide it, so nothing is assumed. */
  g_assert_cmpint (27968 % 1472, ==, 0);
  g_assert_cmpint (27968 % 1216, ==, 0);
  memset (&target, 0, sizeof target);
  tsr_target_derive (&target, NULL, 27968, TRUE, diagnostics);
  g_assert_cmpint (target.tiles_per_ipu, ==, TSR_UNKNOWN);
  g_assert_false (target.tiles_per_ipu_assumed);
  g_assert_cmpint (target.tiles_per_replica, ==, 27968);
  tsr_target_clear (&target);
  g_assert_cmpint (tsr_target_guess_tiles_per_ipu (9728), ==, 1216);
  g_assert_cmpint (tsr_target_guess_tiles_per_ipu (100), ==, TSR_UNKNOWN);
  g_assert_cmpint (tsr_target_guess_tiles_per_ipu (0), ==, TSR_UNKNOWN);
}

/* Of a target that tells nothing, or only its replicas, what the tiles of one replica tell. */
static void
test_tiles (void)
{
  static const gint64 some[] = { TSR_UNKNOWN, 0, 1, 2, 1472, 1473, 2944 };

  for (guint i = 0; i < G_N_ELEMENTS (some); i++)
    for (gint64 replicas = 0; replicas < 4; replicas++)
      {
        g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
        TsrTargetRow row = unknown_row ();
        TsrTarget target = { 0 };
        const gint64 n = some[i] > 0 ? some[i] : TSR_UNKNOWN;

        row.num_replicas = replicas > 0 ? replicas : TSR_UNKNOWN;
        row.bytes_per_tile = 1000;
        tsr_target_derive (&target, &row, some[i], FALSE, diagnostics);
        g_assert_cmpint (target.tiles_per_replica, ==, n);
        g_assert_cmpint (target.num_tiles, ==, n == TSR_UNKNOWN ? n : n * MAX (replicas, 1));
        g_assert_cmpint (target.memory_per_replica, ==, n == TSR_UNKNOWN ? n : n * 1000);
        g_assert_cmpint (target.total_memory, ==,
                         n == TSR_UNKNOWN ? n : n * MAX (replicas, 1) * 1000);
        g_assert_cmpint (target.tiles_per_ipu, ==, TSR_UNKNOWN);
        g_assert_false (target.tiles_per_ipu_assumed);
        tsr_target_clear (&target);
      }
}

static void
test_contradiction (void)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  TsrTargetRow row = unknown_row ();
  TsrTarget target = { 0 };

  row.num_ipus = 5;
  row.ipus_per_replica = 2;
  row.num_replicas = 2;
  row.tiles_per_ipu = G_MAXINT64 / 2;
  row.bytes_per_tile = 638976;
  tsr_target_derive (&target, &row, TSR_UNKNOWN, TRUE, diagnostics);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (diagnostics), ==, 1);
  g_assert_cmpint (target.num_ipus, ==, 5);
  g_assert_cmpint (target.num_tiles, ==, TSR_UNKNOWN);
  g_assert_cmpint (target.bytes_per_ipu, ==, TSR_UNKNOWN);
  tsr_target_clear (&target);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/target/whole", test_whole);
  g_test_add_func ("/target/partial", test_partial);
  g_test_add_func ("/target/each", test_each);
  g_test_add_func ("/target/none", test_none);
  g_test_add_func ("/target/tiles", test_tiles);
  g_test_add_func ("/target/contradiction", test_contradiction);
  return g_test_run ();
}
