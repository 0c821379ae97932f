/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The stage of debug information: debug.cbor in one pass, then what its contexts mean for each
 * other. */

#include "config.h"

#include "tsr-report-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>

#define OPTION "autoReport.outputDebugInfo"

static gboolean
check_part (const TsrReportFile *file, GError **error)
{
  if (file->found)
    return TRUE;
  if (file->note != NULL)
    g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                 _ ("There is no debug information: %s is %s; copy the file of the same run beside "
                    "profile.pop"),
                 file->name, file->note);
  else
    g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                 _ ("There is no debug information: %s is missing; record the report with the "
                    "engine option %s"),
                 file->name, OPTION);
  return FALSE;
}

gpointer
tsr_load_debug (TsrLoading *loading, TsrProgress *progress, GError **error)
{
  const TsrReportFile *file = &loading->files->files[TSR_FILE_DEBUG];
  g_autoptr (TsrSource) source = NULL;
  TsrDebugRows *rows;

  if (!check_part (file, error))
    return NULL;
  source = tsr_place_open (loading->place, file->path, loading->cancellable, error);
  if (source == NULL)
    return NULL;
  tsr_source_prefetch_all (source);
  rows = tsr_debug_rows_read (source, progress, loading->diagnostics, loading->cancellable, error);
  return rows != NULL ? tsr_debug_tables_new (rows, source, loading->diagnostics) : NULL;
}
