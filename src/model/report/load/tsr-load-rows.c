/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sorts rows by key, replaces ids by indices, and reports rows whose key or references are wrong.
 * */

#include "config.h"

#include "tsr-load-rows.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* A row takes at least this much of a file. */
#define BYTES_A_ROW 5

void
tsr_sorted_rows_clear (TsrSortedRows *self)
{
  if (self->loading != NULL)
    tsr_diagnostic_tally_flush (&self->tally, self->loading->diagnostics,
                                self->loading->files->files[TSR_FILE_PROFILE].name,
                                tsr_profile_tables_get_name (self->rows.kind));
  tsr_table_rows_clear (&self->rows);
  g_clear_pointer (&self->order, g_free);
  self->n = 0;
}

/* ------------------------------------------------------------------- order */

typedef struct
{
  const TsrTableRows *rows;
  guint n_keys;
} Keys;

static int
compare_keys (const Keys *keys, guint32 a, guint32 b)
{
  for (guint i = 0; i < keys->n_keys; i++)
    {
      gint64 x = keys->rows->columns[i].values[a];
      gint64 y = keys->rows->columns[i].values[b];

      if (x != y)
        return x < y ? -1 : 1;
    }
  return 0;
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;
  int order = compare_keys (data, x, y);

  return order != 0 ? order : (x > y) - (x < y);
}

gboolean
tsr_sorted_rows_read (TsrSortedRows *self,
                      TsrLoading *loading,
                      TsrTableKind kind,
                      guint n_keys,
                      TsrStringTable *strings,
                      GError **error)
{
  Keys keys = { &self->rows, n_keys };
  gboolean sorted = TRUE;

  memset (self, 0, sizeof *self);
  self->loading = loading;
  if (!tsr_profile_read_table (loading->profile, kind, strings, &self->rows, error))
    return FALSE;
  self->n = self->rows.n;
  self->order = tsr_loading_alloc (loading, kind, self->n, sizeof *self->order, 0, error);
  if (self->order == NULL)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      self->order[i] = i;
      if (i > 0 && compare_keys (&keys, i - 1, i) > 0)
        sorted = FALSE;
    }
  if (!sorted)
    g_qsort_with_data (self->order, self->n, sizeof *self->order, compare_places, &keys);
  return TRUE;
}

/* What is not told is not the same. */
static gboolean
have_same_keys (const Keys *keys, guint32 a, guint32 b)
{
  for (guint i = 0; i < keys->n_keys; i++)
    if (keys->rows->columns[i].values[a] == TSR_UNKNOWN)
      return FALSE;
  return compare_keys (keys, a, b) == 0;
}

gboolean
tsr_sorted_rows_read_unique (TsrSortedRows *self,
                             TsrLoading *loading,
                             TsrTableKind kind,
                             guint n_keys,
                             TsrStringTable *strings,
                             GError **error)
{
  Keys keys = { &self->rows, n_keys };
  guint n = 0;

  if (!tsr_sorted_rows_read (self, loading, kind, n_keys, strings, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (n > 0 && have_same_keys (&keys, self->order[n - 1], self->order[i]))
      tsr_sorted_rows_report (self, i, TSR_SEVERITY_ERROR, "row-repeated",
                              _ ("another row has the same key; the first one counts"));
    else
      self->order[n++] = self->order[i];
  self->n = n;
  return TRUE;
}

/* ----------------------------------------------------------------- columns */

gint64 *
tsr_sorted_rows_dup (const TsrSortedRows *self, guint column)
{
  gint64 *values = g_new (gint64, MAX (self->n, 1));

  for (guint i = 0; i < self->n; i++)
    values[i] = tsr_sorted_rows_get (self, i, column);
  return values;
}

guint32 *
tsr_sorted_rows_dup_texts (const TsrSortedRows *self, guint column)
{
  guint32 *values = g_new (guint32, MAX (self->n, 1));

  for (guint i = 0; i < self->n; i++)
    {
      gint64 text = tsr_sorted_rows_get (self, i, column);

      values[i] = text != TSR_UNKNOWN ? (guint32)text : TSR_NO_STRING;
    }
  return values;
}

guint32
tsr_sorted_rows_find (
    TsrSortedRows *self, guint i, guint column, const TsrIdIndex *index, const char *target)
{
  gint64 id = tsr_sorted_rows_get (self, i, column);
  guint32 place = id != TSR_UNKNOWN ? tsr_id_index_find (index, id) : TSR_NO_INDEX;

  if (id != TSR_UNKNOWN && place == TSR_NO_INDEX && target != NULL)
    tsr_sorted_rows_report (self, i, TSR_SEVERITY_WARNING, "reference-broken",
                            /* Translators: "the row names 77, which has no row in programs" */
                            _ ("the row names %" PRId64 ", which has no row in %s"), id, target);
  return place;
}

guint32 *
tsr_sorted_rows_dup_places (TsrSortedRows *self,
                            guint column,
                            const TsrIdIndex *index,
                            const char *target)
{
  guint32 *values = g_new (guint32, MAX (self->n, 1));

  for (guint i = 0; i < self->n; i++)
    values[i] = tsr_sorted_rows_find (self, i, column, index, target);
  return values;
}

gboolean
tsr_sorted_rows_clip (
    TsrSortedRows *self, guint i, gint64 n_steps, guint32 *clipped_from, guint32 *clipped_to)
{
  gint64 from = tsr_sorted_rows_get (self, i, TSR_INTERVAL_START);
  gint64 to = tsr_sorted_rows_get (self, i, TSR_INTERVAL_END);

  if (from >= to)
    {
      tsr_sorted_rows_report (
          self, i, TSR_SEVERITY_ERROR, "interval-inverted",
          _ ("the interval from step %" PRId64 " to %" PRId64 " has no step; it is left out"), from,
          to);
      return FALSE;
    }
  if (from < 0 || to > n_steps)
    tsr_sorted_rows_report (self, i, TSR_SEVERITY_ERROR, "interval-out-of-range",
                            _ ("the interval from step %" PRId64 " to %" PRId64
                               " goes beyond the steps, which are 0 to %" PRId64
                               "; only the part within them counts"),
                            from, to, n_steps);
  from = MAX (from, 0);
  to = MIN (to, n_steps);
  if (from >= to)
    return FALSE;
  *clipped_from = from;
  *clipped_to = to;
  return TRUE;
}

/* ------------------------------------------------------------------ reports */

static void G_GNUC_PRINTF (6, 0) add_report (TsrLoading *loading,
                                             const char *table,
                                             gint64 row,
                                             TsrSeverity severity,
                                             const char *code,
                                             const char *format,
                                             va_list args)
{
  tsr_diagnostics_add_va (loading->diagnostics, severity, code,
                          loading->files->files[TSR_FILE_PROFILE].name, table, row, TSR_NO_ROW,
                          format, args);
}

void
tsr_sorted_rows_report (
    TsrSortedRows *self, guint i, TsrSeverity severity, const char *code, const char *format, ...)
{
  va_list args;

  if (!tsr_diagnostic_tally_count (&self->tally, severity, code))
    return;
  va_start (args, format);
  add_report (self->loading, tsr_profile_tables_get_name (self->rows.kind),
              self->rows.row.values[self->order[i]], severity, code, format, args);
  va_end (args);
}

void
tsr_loading_report (TsrLoading *loading,
                    const char *table,
                    TsrSeverity severity,
                    const char *code,
                    const char *format,
                    ...)
{
  va_list args;

  va_start (args, format);
  add_report (loading, table, TSR_NO_ROW, severity, code, format, args);
  va_end (args);
}

gpointer
tsr_loading_alloc (
    TsrLoading *loading, TsrTableKind kind, gsize n, gsize size, guint8 byte, GError **error)
{
  gpointer values = g_try_malloc_n (MAX (n, 1), size);

  if (values != NULL)
    memset (values, byte, MAX (n, 1) * size);
  else
    g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
                 _ ("%s, table %s: there is not enough memory for what it holds; close other "
                    "reports and try again"),
                 loading->files->files[TSR_FILE_PROFILE].name, tsr_profile_tables_get_name (kind));
  return values;
}

gint64
tsr_loading_get_most_rows (TsrLoading *loading)
{
  TsrSource *source = tsr_database_get_source (tsr_profile_get_database (loading->profile));
  gint64 size = tsr_source_get_size (source);

  return CLAMP (size / BYTES_A_ROW, 4096, (gint64)TSR_NO_INDEX - 1);
}
