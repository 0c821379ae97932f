/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole report made of one profile.pop: all stages of the loader and what must hold of their
 * tables, memory, variables, liveness, vertices, insights and the trace, and everything that check
 * looks at. */

#include "config.h"

#include "fuzz-place.h"
#include "fuzz.h"
#include "fuzz-liveness.h"
#include "fuzz-tables.h"
#include "fuzz-trace.h"
#include "tsr-check.h"
#include "tsr-memory.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TsrPlace) place = fuzz_place_new ();
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok;

  fuzz_begin ();
  fuzz_place_add (place, "/report/profile.pop", FUZZ_FILE, bytes);
  report = tsr_report_open_sync (place, "/report", TSR_LOAD_ALL, NULL, &error);
  fuzz_check_error (report != NULL, error);
  if (report == NULL)
    return 0;
  fuzz_check_tables (report);
  if (tsr_report_get_memory_tables (report) != NULL)
    {
      g_autoptr (TsrMemory) memory = tsr_memory_new (report);

      g_assert_cmpuint (tsr_memory_get_n_tiles (memory), <=, TSR_MAX_TILES);
      fuzz_run_liveness (report, memory);
      fuzz_run_vertices (report, memory);
      fuzz_run_insights (report, memory);
    }
  fuzz_run_trace (report);
  ok = tsr_check_run (report, NULL, NULL, &error);
  fuzz_check_error (ok, error);
  return 0;
}
