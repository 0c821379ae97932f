/* SPDX-License-Identifier: GPL-3.0-or-later */

/* archive.a: ar headers and ELF headers. */

#include "config.h"

#include "fuzz.h"
#include "tsr-archive.h"
#include "tsr-units.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("archive.a", bytes);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  TsrArchiveRows rows;
  gboolean ok;

  fuzz_begin ();
  ok = tsr_archive_read (source, &rows, diagnostics, NULL, NULL, &error);
  fuzz_check_error (ok, error);
  g_assert_true (ok == (rows.n_members > 0));
  for (guint i = 0; i < rows.n_members; i++)
    {
      g_assert_true (g_utf8_validate (rows.names[i], -1, NULL));
      g_assert_true (rows.text_bytes[i] >= 0 || rows.text_bytes[i] == TSR_UNKNOWN);
      g_assert_cmpint (rows.tiles[i], >=, 0);
      g_assert_true (rows.offsets[i] > 0 && (size_t)rows.offsets[i] < size);
    }
  tsr_archive_rows_clear (&rows);
  return 0;
}
