/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the loading stages of programs, liveness and lowered variables: sorts the rows of a
 * table by their keys and converts its columns for a report, where ids of other tables become
 * indices.  Only report/ includes this. */

#pragma once

#include "tsr-id-index.h"
#include "tsr-profile-tables.h"
#include "tsr-report-private.h"

G_BEGIN_DECLS

/* A table's rows, sorted by some of its columns. */
typedef struct
{
  TsrLoading *loading;
  TsrTableRows rows;
  guint32 *order; /* places of rows */
  guint n;
  TsrDiagnosticTally tally;
} TsrSortedRows;

void tsr_sorted_rows_clear (TsrSortedRows *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrSortedRows, tsr_sorted_rows_clear)

/* Reads a table and sorts it by its first @n_keys columns; rows with equal keys keep the order of
 * the file. */
gboolean tsr_sorted_rows_read (TsrSortedRows *self,
                               TsrLoading *loading,
                               TsrTableKind kind,
                               guint n_keys,
                               TsrStringTable *strings,
                               GError **error);
/* The same, but keeps only the first of several rows with equal keys; the others become
 * diagnostics. */
gboolean tsr_sorted_rows_read_unique (TsrSortedRows *self,
                                      TsrLoading *loading,
                                      TsrTableKind kind,
                                      guint n_keys,
                                      TsrStringTable *strings,
                                      GError **error);

/* Value of @column in row @i of the order. */
static inline gint64
tsr_sorted_rows_get (const TsrSortedRows *self, guint i, guint column)
{
  return self->rows.columns[column].values[self->order[i]];
}

/* (transfer full): the column in that order: as it is, and as an index into the string table. */
gint64 *tsr_sorted_rows_dup (const TsrSortedRows *self, guint column);
guint32 *tsr_sorted_rows_dup_texts (const TsrSortedRows *self, guint column);
/* (transfer full): as places in @index; an id that is not there becomes TSR_NO_INDEX, with a
 * diagnostic that names the table @target, unless that is NULL. */
guint32 *tsr_sorted_rows_dup_places (TsrSortedRows *self,
                                     guint column,
                                     const TsrIdIndex *index,
                                     const char *target);
/* The place of one value. */
guint32 tsr_sorted_rows_find (
    TsrSortedRows *self, guint i, guint column, const TsrIdIndex *index, const char *target);

/* Rows of variable_lifetimes and equivalence_class_intervals: the interval of row @i, clipped to
 * [0, @n_steps).  FALSE if nothing is left of it.  Reversed intervals and those outside the steps
 * become diagnostics. */
gboolean tsr_sorted_rows_clip (
    TsrSortedRows *self, guint i, gint64 n_steps, guint32 *clipped_from, guint32 *clipped_to);

/* Adds a diagnostic of row @i of the order. */
void tsr_sorted_rows_report (
    TsrSortedRows *self, guint i, TsrSeverity severity, const char *code, const char *format, ...)
    G_GNUC_PRINTF (5, 6);
/* Adds a diagnostic of a whole table of profile.pop. */
void tsr_loading_report (TsrLoading *loading,
                         const char *table,
                         TsrSeverity severity,
                         const char *code,
                         const char *format,
                         ...) G_GNUC_PRINTF (5, 6);

/* An array of @n values of @size bytes each, at least one of them, each byte @byte.  NULL and
 * @error if there is not enough memory.  For arrays that grow with the file. */
gpointer tsr_loading_alloc (
    TsrLoading *loading, TsrTableKind kind, gsize n, gsize size, guint8 byte, GError **error);

/* The number of rows that profile.pop can have, as a limit for numbers in it that count rows; at
 * least 4,096. */
gint64 tsr_loading_get_most_rows (TsrLoading *loading);

G_END_DECLS
