/* SPDX-License-Identifier: GPL-3.0-or-later */

/* debug.cbor: sound from end to end, ids once, parents there.  Its ids are what programs and
 * variables refer to. */

#include "config.h"

#include "tsr-check-private.h"

#include "tsr-debug-tables.h"

#include "tsr-error.h"

gboolean
tsr_check_debug (TsrCheck *check, GError **error)
{
  const TsrReportFiles *files = tsr_report_get_files (check->report);
  const TsrReportFile *file = &files->files[TSR_FILE_DEBUG];
  TsrIdSet *ids = &check->sets[TSR_SET_CONTEXTS];
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (TsrDebugTables) tables = NULL;
  TsrDebugRows *rows = NULL;
  GError *local_error = NULL;

  if (!file->found)
    return TRUE;
  source = tsr_place_open (files->place, file->path, check->cancellable, &local_error);
  if (source != NULL)
    rows = tsr_debug_rows_read (source, NULL, check->diagnostics, check->cancellable, &local_error);
  if (rows != NULL)
    tables = tsr_debug_tables_new (rows, source, check->diagnostics);
  for (guint i = 0; tables != NULL && i < tables->n; i++)
    if (tables->id[i] != TSR_DEBUG_NO_ID)
      tsr_id_set_add (ids, (gint64)tables->id[i]);
  ids->present = tables != NULL && tables->complete;
  tsr_id_set_seal (ids);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (local_error != NULL)
    tsr_diagnostics_add (check->diagnostics, TSR_SEVERITY_ERROR, "part-not-read", file->name,
                         "contexts", TSR_NO_ROW, TSR_NO_ROW, "%s", local_error->message);
  g_clear_error (&local_error);
  return TRUE;
}
