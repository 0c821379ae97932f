/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the loading stages of programs, liveness and lowered variables share: a table's rows put in
 * the order of their keys, and its columns made into those of a report, where ids of other tables
 * are indices.  Only report/ includes this. */

#pragma once

#include "tsr-id-index.h"
#include "tsr-profile-tables.h"
#include "tsr-report-private.h"

G_BEGIN_DECLS

/* A table's rows in the order of some of its columns. */
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

/* Reads a table and puts it in the order of its first @n_keys columns; rows that are equal in them
 * stay as in the file. */
gboolean tsr_sorted_rows_read (TsrSortedRows *self,
                               TsrLoading *loading,
                               TsrTableKind kind,
                               guint n_keys,
                               TsrStringTable *strings,
                               GError **error);
/* The same, and of several rows with the same keys only the first stays: the others are
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
 * diagnostic that names @target, a table, unless that is NULL. */
guint32 *tsr_sorted_rows_dup_places (TsrSortedRows *self,
                                     guint column,
                                     const TsrIdIndex *index,
                                     const char *target);
/* The place of one value. */
guint32 tsr_sorted_rows_find (
    TsrSortedRows *self, guint i, guint column, const TsrIdIndex *index, const char *target);

/* Rows of variable_lifetimes and equivalence_class_intervals: the interval of row @i as far as it
 * is in [0, @n_steps).  FALSE when nothing is left of it.  What is inverted or leaves the steps is
 * a diagnostic. */
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
 * @error when there is not so much memory: for what grows with the file. */
gpointer tsr_loading_alloc (
    TsrLoading *loading, TsrTableKind kind, gsize n, gsize size, guint8 byte, GError **error);

/* Rows that profile.pop has room for, as a bound for numbers that rows count up to: at least
 * 4,096. */
gint64 tsr_loading_get_most_rows (TsrLoading *loading);

G_END_DECLS
