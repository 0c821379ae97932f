/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Searches of profile.pop for one question. */

#include "config.h"

#include "tsr-report-read.h"

#include "tsr-id-index.h"
#include "tsr-scan.h"

#define CHECK_EVERY 4096 /* rows between two looks at the cancellable */

GArray *
tsr_report_read_program_variables (TsrReport *self,
                                   const guint32 *programs,
                                   guint n_programs,
                                   GCancellable *cancellable,
                                   GError **error)
{
  static const char *const columns[]
      = { "program", "role", "variable", "from_element", "to_element", NULL };
  const TsrProgramTables *tables = tsr_report_get_program_tables (self);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (self);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsrProgramVariable));
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (TsrScan) scan = NULL;

  for (guint i = 0; tables != NULL && liveness != NULL && i < n_programs; i++)
    if (programs[i] < tables->n_programs)
      g_hash_table_add (wanted, GUINT_TO_POINTER (programs[i]));
  if (g_hash_table_size (wanted) > 0)
    profile = tsr_report_open_profile (self, NULL);
  if (profile != NULL)
    scan = tsr_scan_new (profile, "program_variables", columns, NULL);
  for (guint n = 0; scan != NULL && tsr_scan_next (scan, NULL); n++)
    {
      gint64 role = tsr_scan_get_int (scan, 1);
      TsrProgramVariable entry
          = { tsr_id_index_find_id (tables->program_id, tables->n_programs,
                                    tsr_scan_get_int (scan, 0)),
              tsr_id_index_find_id (liveness->variable_id, liveness->n_variables,
                                    tsr_scan_get_int (scan, 2)),
              role, tsr_scan_get_int (scan, 3), tsr_scan_get_int (scan, 4) };

      if (n % CHECK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (role >= 0 && role < TSR_N_VARIABLE_ROLES && entry.variable != TSR_NO_INDEX
          && g_hash_table_contains (wanted, GUINT_TO_POINTER (entry.program)))
        g_array_append_val (list, entry);
    }
  return g_steal_pointer (&list);
}

gint64 *
tsr_report_sum_tile_arrays (TsrReport *self, const gint64 *ids, guint n_ids, guint n_tiles)
{
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self, NULL);
  g_autofree guint32 *values = g_new (guint32, n_tiles + 1);
  g_autofree gint64 *sums = g_new0 (gint64, n_tiles + 1);

  for (guint i = 0; i < n_ids; i++)
    {
      gboolean found = FALSE;

      if (profile == NULL || ids[i] == TSR_UNKNOWN
          || !tsr_profile_read_tile_array (profile, ids[i], n_tiles, values, &found, NULL)
          || !found)
        return NULL;
      for (guint tile = 0; tile < n_tiles; tile++)
        sums[tile] += values[tile];
    }
  return g_steal_pointer (&sums);
}
