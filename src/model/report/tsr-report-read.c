/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Searches of profile.pop for one question. */

#include "config.h"

#include "tsr-report-read.h"

#include "tsr-id-index.h"
#include "tsr-profile-lowered.h"
#include "tsr-scan.h"

#include <glib/gi18n-lib.h>

#define CHECK_EVERY 4096 /* rows between two looks at the cancellable */

const char *
tsr_variable_role_get_name (TsrVariableRole role)
{
  static const char *const names[TSR_N_VARIABLE_ROLES]
      = { N_ ("Used"), N_ ("Source"), N_ ("Destination") };

  g_return_val_if_fail (role < TSR_N_VARIABLE_ROLES, NULL);
  return _ (names[role]);
}

/* Rows whose program, or (@by_variable) whose variable, is one of @wanted. */
static GArray *
read_touches (TsrReport *self,
              gboolean by_variable,
              const guint32 *wanted,
              guint n_wanted,
              GCancellable *cancellable,
              GError **error)
{
  static const char *const columns[]
      = { "program", "role", "variable", "from_element", "to_element", "bytes", NULL };
  const TsrProgramTables *tables = tsr_report_get_program_tables (self);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (self);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsrProgramVariable));
  g_autoptr (GHashTable) set = g_hash_table_new (NULL, NULL);
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (TsrScan) scan = NULL;
  guint n_rows = tables == NULL || liveness == NULL ? 0
                 : by_variable                      ? liveness->n_variables
                                                    : tables->n_programs;

  for (guint i = 0; i < n_wanted; i++)
    if (wanted[i] < n_rows)
      g_hash_table_add (set, GUINT_TO_POINTER (wanted[i]));
  if (g_hash_table_size (set) > 0)
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
              role,
              tsr_scan_get_int (scan, 3),
              tsr_scan_get_int (scan, 4),
              tsr_scan_get_int (scan, 5) };
      guint32 key = by_variable ? entry.variable : entry.program;

      if (n % CHECK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (role >= 0 && role < TSR_N_VARIABLE_ROLES && entry.variable != TSR_NO_INDEX
          && entry.program != TSR_NO_INDEX && g_hash_table_contains (set, GUINT_TO_POINTER (key)))
        g_array_append_val (list, entry);
    }
  return g_steal_pointer (&list);
}

GArray *
tsr_report_read_program_variables (TsrReport *self,
                                   const guint32 *programs,
                                   guint n_programs,
                                   GCancellable *cancellable,
                                   GError **error)
{
  g_return_val_if_fail (TSR_IS_REPORT (self), NULL);
  return read_touches (self, FALSE, programs, n_programs, cancellable, error);
}

GArray *
tsr_report_read_touching_programs (TsrReport *self,
                                   const guint32 *variables,
                                   guint n_variables,
                                   GCancellable *cancellable,
                                   GError **error)
{
  g_return_val_if_fail (TSR_IS_REPORT (self) && (variables != NULL || n_variables == 0), NULL);
  return read_touches (self, TRUE, variables, n_variables, cancellable, error);
}

gint64 *
tsr_report_sum_tile_arrays (TsrReport *self, const gint64 *ids, guint n_ids, guint n_tiles)
{
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self, NULL);
  g_autofree guint32 *values = g_new (guint32, n_tiles + 1);
  g_autofree gint64 *sums = g_new0 (gint64, n_tiles + 1);

  for (guint i = 0; i < n_ids; i++)
    {
      gboolean found;

      if (profile == NULL || ids[i] == TSR_UNKNOWN
          || !tsr_profile_read_tile_array (profile, ids[i], n_tiles, values, &found, NULL)
          || !found)
        return NULL;
      for (guint tile = 0; tile < n_tiles; tile++)
        sums[tile] += values[tile];
    }
  return g_steal_pointer (&sums);
}

guint32 *
tsr_report_read_lowered_numbers (
    TsrReport *self, gboolean offsets, gsize *n, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProfile) profile = NULL;
  g_autofree guint32 *values = NULL;
  TsrDatabase *database;

  g_return_val_if_fail (TSR_IS_REPORT (self) && n != NULL, NULL);
  profile = tsr_report_open_profile (self, error);
  if (profile == NULL)
    return NULL;
  database = tsr_profile_get_database (profile);
  tsr_database_set_cancellable (database, cancellable);
  if (!tsr_profile_scan_lowered_numbers (profile, offsets ? TSR_LOWERED_OFFSET : TSR_LOWERED_SIZE,
                                         &values, n, error)
      || !tsr_database_check_unchanged (database, error))
    return NULL;
  return g_steal_pointer (&values);
}
