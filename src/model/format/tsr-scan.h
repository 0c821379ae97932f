/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans one table of profile.pop row by row, in the order of the file, with every value as it is
 * stored, in constant memory; for check and budgets.  Interpreting values is up to the caller.  On
 * the thread of the profile; one statement per scan. */

#pragma once

#include "tsr-profile.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_CELL_ABSENT, /* the table has no such column */
  TSR_CELL_NULL,
  TSR_CELL_INTEGER,
  TSR_CELL_REAL,
  TSR_CELL_TEXT,
  TSR_CELL_BLOB,
} TsrCellType;

typedef struct _TsrScan TsrScan;

/* (transfer full) (nullable): NULL without @error if the table or all of @columns are absent.
 * @columns is NULL-terminated; absent ones give TSR_CELL_ABSENT. Names are identifiers of ours,
 * never text from a file. */
TsrScan *
tsr_scan_new (TsrProfile *profile, const char *table, const char *const *columns, GError **error);
/* The rows whose rowid is in [first, end), in rowid order: a search, not a scan. */
TsrScan *tsr_scan_new_range (TsrProfile *profile,
                             const char *table,
                             const char *const *columns,
                             gint64 first,
                             gint64 end,
                             GError **error);
/* The same where rows have no rowid and are stored in the order of columns[0] (tsr_profile_is_key):
 * those whose key is in [first, end). */
TsrScan *tsr_scan_new_keys (TsrProfile *profile,
                            const char *table,
                            const char *const *columns,
                            gint64 first,
                            gint64 end,
                            GError **error);
/* Whether that is so. */
gboolean tsr_scan_is_key (TsrProfile *profile, const char *table, const char *column);
void tsr_scan_free (TsrScan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrScan, tsr_scan_free)

/* Goes to the next row; FALSE at the end, or, with @error, if reading failed. */
gboolean tsr_scan_next (TsrScan *self, GError **error);

/* The rowid of the current row.  If rows have none: the first of @columns that exists, if it is an
 * integer, else the row's number, from 0. */
gint64 tsr_scan_get_row (TsrScan *self);
/* Whether the current row has one: not in a view, nor where rows are stored by a key. */
gboolean tsr_scan_has_rowid (TsrScan *self);
guint64 tsr_scan_get_n_rows (TsrScan *self); /* seen so far */
gboolean tsr_scan_has_column (TsrScan *self, guint column);

/* A cell's storage class; its value if it is an integer, else TSR_UNKNOWN; its value as a number,
 * else NaN. */
TsrCellType tsr_scan_get_type (TsrScan *self, guint column);
gint64 tsr_scan_get_int (TsrScan *self, guint column);
double tsr_scan_get_double (TsrScan *self, guint column);
/* (transfer none) (nullable): valid until the next row; NULL unless stored as this type. */
const char *tsr_scan_peek_text (TsrScan *self, guint column);
const guint8 *tsr_scan_peek_blob (TsrScan *self, guint column, gsize *length);

/* Application id of the file: 0x54535231 for reports of our own schema. */
#define TSR_APPLICATION_ID 0x54535231
gboolean tsr_profile_read_application_id (TsrProfile *self, gint64 *id, GError **error);

/* SQLite's own check of pages, order and indexes: calls @found for each of the first @most findings
 * (in English, SQLite's words).  FALSE and @error if the check could not be completed. */
typedef void (*TsrIntegrityFunc) (const char *text, gpointer data);
gboolean tsr_profile_check_integrity (
    TsrProfile *self, guint most, TsrIntegrityFunc found, gpointer data, GError **error);

G_END_DECLS
