/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a check has found, and what it may hold in memory. */

#include "config.h"

#include "tsr-check-private.h"

#define MIN_HELD ((guint64)8 << 20) /* values; see tsr_check_may_hold */

static char *
dup_key (const char *table, gint64 row)
{
  return g_strdup_printf ("%s\n%" G_GINT64_FORMAT, table, row);
}

gboolean
tsr_check_is_flagged (TsrCheck *check, const char *table, gint64 row)
{
  g_autofree char *key = NULL;

  if (g_hash_table_size (check->flagged) == 0)
    return FALSE;
  key = dup_key (table, row);
  return g_hash_table_contains (check->flagged, key);
}

void
tsr_check_add (TsrCheck *check,
               TsrSeverity severity,
               const char *code,
               const char *table,
               gint64 row,
               const char *format,
               ...)
{
  va_list args;

  va_start (args, format);
  tsr_diagnostics_add_va (check->diagnostics, severity, code, check->file, table, row, TSR_NO_ROW,
                          format, args);
  va_end (args);
  /* Enough to tell consequences from causes; a file of rubbish must not fill the memory. */
  if (row != TSR_NO_ROW && g_hash_table_size (check->flagged) < 10000)
    g_hash_table_add (check->flagged, dup_key (table, row));
}

void
tsr_check_note_earlier_findings (TsrCheck *check)
{
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (check->diagnostics); i++)
    {
      const TsrDiagnostic *found = tsr_diagnostics_get (check->diagnostics, i);

      if (found->table != NULL && g_strcmp0 (found->file, check->file) == 0)
        g_hash_table_add (check->flagged, dup_key (found->table, found->row));
    }
}

gboolean
tsr_check_may_hold (TsrCheck *check, guint64 n)
{
  return n <= MAX (MIN_HELD, check->file_bytes / sizeof (gint64));
}

gint64 *
tsr_check_new_values (TsrCheck *check, guint64 n)
{
  if (!tsr_check_may_hold (check, n))
    return NULL;
  return g_try_new0 (gint64, MAX (n, 1));
}
