/* SPDX-License-Identifier: GPL-3.0-or-later */

/* debug.cbor: whatever is read of it holds together, every record can be looked at or says why not,
 * and no chain of parents goes on for ever. */

#include "config.h"

#include "fuzz.h"
#include "tsr-debug-tables.h"

static void
check_row (const TsrDebugTables *debug, guint32 row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrJson) record = tsr_debug_tables_read_record (debug, row, NULL, &error);
  g_autofree guint32 *chain = NULL;
  guint32 found = tsr_debug_tables_find (debug, (gint64)debug->id[row]);
  guint n;

  fuzz_check_error (record != NULL, error);
  chain = tsr_debug_tables_dup_chain (debug, row, &n);
  g_assert_cmpuint (n, <=, debug->n);
  g_assert_true (found == TSR_NO_INDEX || debug->id[found] == debug->id[row]);
  g_assert_true (debug->name[row] == TSR_NO_STRING
                 || tsr_debug_tables_get_text (debug, debug->name[row]) != NULL);
  g_assert_true (debug->layer[row] == TSR_DEBUG_NO_LAYER || debug->layer[row] < debug->n_layers);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("debug.cbor", bytes);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDebugTables) debug = NULL;
  g_autoptr (GError) error = NULL;
  TsrDebugRows *rows;

  fuzz_begin ();
  rows = tsr_debug_rows_read (source, NULL, diagnostics, NULL, &error);
  fuzz_check_error (rows != NULL, error);
  if (rows == NULL)
    return 0;
  debug = tsr_debug_tables_new (rows, source, diagnostics);
  for (guint32 row = 0; row < debug->n; row++)
    check_row (debug, row);
  return 0;
}
