/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One table of profile.pop, row after row, in the order in which the file holds it: for whoever
 * must see every value as it is stored (check, budgets), in constant memory.  What a value means is
 * the caller's business.  The thread of the profile; one statement for each scan. */

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

/* (transfer full) (nullable): NULL without @error when the table or all of @columns are absent.
 * @columns is NULL-terminated; absent ones give TSR_CELL_ABSENT.  Names are identifiers of ours,
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
void tsr_scan_free (TsrScan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrScan, tsr_scan_free)

/* Goes to the next row; FALSE at the end, or with @error when the table cannot be read on. */
gboolean tsr_scan_next (TsrScan *self, GError **error);

/* Of the current row: its rowid; where rows have none the first of @columns that is there, if it is
 * an integer, else the row's place, from 0. */
gint64 tsr_scan_get_row (TsrScan *self);
guint64 tsr_scan_get_n_rows (TsrScan *self); /* seen so far */
gboolean tsr_scan_has_column (TsrScan *self, guint column);

/* A cell's storage; its value when that is an integer, else TSR_UNKNOWN; as a number, else NaN. */
TsrCellType tsr_scan_get_type (TsrScan *self, guint column);
gint64 tsr_scan_get_int (TsrScan *self, guint column);
double tsr_scan_get_double (TsrScan *self, guint column);
/* (transfer none) (nullable): valid until the next row; NULL unless stored so. */
const char *tsr_scan_peek_text (TsrScan *self, guint column);
const guint8 *tsr_scan_peek_blob (TsrScan *self, guint column, gsize *length);

/* Application id of the file: 0x54535231 for reports of our own schema. */
#define TSR_APPLICATION_ID 0x54535231
gboolean tsr_profile_read_application_id (TsrProfile *self, gint64 *id, GError **error);

/* SQLite's own check of pages, order and indexes: calls @found for each of the first @most findings
 * (in English, SQLite's words).  FALSE and @error when it could not be run to the end. */
typedef void (*TsrIntegrityFunc) (const char *text, gpointer data);
gboolean tsr_profile_check_integrity (
    TsrProfile *self, guint most, TsrIntegrityFunc found, gpointer data, GError **error);

G_END_DECLS
