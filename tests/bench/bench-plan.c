/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the fix plan costs: bench-plan REPORT BYTES prints "plan PEAKS BUILD TICK PROPOSAL",
 * seconds: the peaks of all tiles, a plan, the slowest forecast of one or two measures, a proposal.
 * BYTES: of a tile, as if it had no more: of a report that fits. */

#include "config.h"

#include "tsr-plan.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static double
since (gint64 start)
{
  return (double)(g_get_monotonic_time () - start) / 1e6;
}

/* Each measure that has a number, with the one before it. */
static double
measure_ticks (TsrPlan *plan)
{
  guint n = 0;
  const TsrMeasure *measures = tsr_plan_peek_measures (plan, &n);
  TsrMeasureSet last = 0;
  double longest = 0;

  for (guint i = 0; i < n; i++)
    {
      TsrMeasureSet set = last | (TsrMeasureSet)1 << i;
      gint64 start = g_get_monotonic_time ();
      g_autoptr (TsrForecast) forecast = NULL;

      if (measures[i].saved == NULL)
        continue;
      forecast = tsr_plan_forecast (plan, set, NULL, NULL);
      longest = MAX (longest, since (start));
      last = (TsrMeasureSet)1 << i;
      if (g_getenv ("BENCH_VERBOSE") != NULL)
        fprintf (stderr, "%s %.3f\n", measures[i].id, since (start));
    }
  return longest;
}

static gboolean
set_bytes (const char *folder, const char *bytes)
{
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *sql = g_strdup_printf ("UPDATE target SET bytes_per_tile = %ld", atol (bytes));
  sqlite3 *database = NULL;
  gboolean ok = sqlite3_open (path, &database) == SQLITE_OK
                && sqlite3_exec (database, sql, NULL, NULL, NULL) == SQLITE_OK;

  sqlite3_close (database);
  return ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autofree char *folder = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrVariables) variables = NULL;
  g_autoptr (TsrLiveness) liveness = NULL;
  g_autoptr (TsrPlan) plan = NULL;
  g_autoptr (TsrProposal) proposal = NULL;
  double peaks, build, tick;
  gint64 start;

  if (argc != 3)
    {
      fprintf (stderr, "usage: bench-plan REPORT BYTES\n");
      return 2;
    }
  folder = g_canonicalize_filename (argv[1], NULL);
  if (!set_bytes (folder, argv[2]))
    return 1;
  report
      = tsr_report_open_sync (place, folder, TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_DEBUG, NULL, NULL);
  if (report == NULL || tsr_report_get_memory_tables (report) == NULL)
    return 1;
  memory = tsr_memory_new (report);
  variables = tsr_variables_new (report, NULL, NULL);
  if (variables == NULL)
    return 1;
  liveness = tsr_liveness_new (report, memory, variables);
  start = g_get_monotonic_time ();
  if (!tsr_liveness_get_tile_peaks (liveness, NULL, NULL, NULL, NULL))
    return 1;
  peaks = since (start);
  start = g_get_monotonic_time ();
  plan = tsr_plan_new (report, memory, liveness, TSR_UNITS_BINARY, NULL, NULL);
  build = since (start);
  if (plan == NULL || tsr_plan_get_missing (plan) != NULL)
    return 1;
  tick = measure_ticks (plan);
  start = g_get_monotonic_time ();
  proposal = tsr_plan_propose (plan, NULL, NULL);
  if (g_getenv ("BENCH_VERBOSE") != NULL)
    fprintf (stderr, "%s\n", proposal->text);
  printf ("plan %.6f %.6f %.6f %.6f\n", peaks, build, tick, since (start));
  return 0;
}
