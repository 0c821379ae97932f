/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A cursor over one table for the readers of tsr-profile: takes the columns that exist, checks each
 * value's type and range, and turns what is wrong into diagnostics with table and row.  Lives on
 * the reader's stack.  Only tsr-profile-*.c include this. */

#pragma once

#include "tsr-id-index.h"
#include "tsr-profile.h"

G_BEGIN_DECLS

#define TSR_ROWS_MAX_COLUMNS 16

/* Sizes and counts: exact in a double as well, and no sum of a table overflows by chance. */
#define TSR_MAX_SIZE ((gint64)1 << 53)

typedef struct
{
  TsrProfile *profile;
  const char *table;
  const char *const *columns;
  guint n_columns;
  sqlite3_stmt *statement;          /* NULL: no such table, or none of the columns */
  int places[TSR_ROWS_MAX_COLUMNS]; /* in the result; -1 when absent */
  int row_place;                    /* of the rowid, or of the column that names a row; -1 */
  guint64 n_rows;
  guint64 max_rows; /* more cannot stand in a file of this size */
  gboolean failed;
  gboolean kept;         /* the statement is the profile's */
  TsrProgress *progress; /* (nullable) counts rows */
  TsrDiagnosticTally tally;
} TsrProfileRows;

void tsr_profile_rows_clear (TsrProfileRows *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrProfileRows, tsr_profile_rows_clear)

/* Starts reading @columns (NULL-terminated, like @table static identifiers of ours) in the order in
 * which the file holds the rows.  TRUE and no statement when there is nothing to read. */
gboolean tsr_profile_rows_open (TsrProfileRows *self,
                                TsrProfile *profile,
                                const char *table,
                                const char *const *columns,
                                GError **error);
/* The rows with first <= rowid <= last. */
gboolean tsr_profile_rows_open_range (TsrProfileRows *self,
                                      TsrProfile *profile,
                                      const char *table,
                                      const char *const *columns,
                                      gint64 first,
                                      gint64 last,
                                      GError **error);
/* The rows whose first column, a key (tsr_profile_is_key), is at most @value, or those for which it
 * is above it: texts and the like are above all integers. */
gboolean tsr_profile_rows_open_half (TsrProfileRows *self,
                                     TsrProfile *profile,
                                     const char *table,
                                     const char *const *columns,
                                     gint64 value,
                                     gboolean above,
                                     GError **error);
/* The row whose first column is @value.  The profile keeps the statement for the next time, so one
 * such reader at a time. */
gboolean tsr_profile_rows_open_where (TsrProfileRows *self,
                                      TsrProfile *profile,
                                      const char *table,
                                      const char *const *columns,
                                      gint64 value,
                                      GError **error);

/* FALSE at the end and, with @error and self->failed, when the table cannot be read on. */
gboolean tsr_profile_rows_next (TsrProfileRows *self, GError **error);

gboolean tsr_profile_rows_has (TsrProfileRows *self, guint column);
gint64 tsr_profile_rows_get_row (TsrProfileRows *self);
/* The rowid, or TSR_UNKNOWN when rows have none. */
gint64 tsr_profile_rows_get_rowid (TsrProfileRows *self);
gboolean tsr_profile_rows_is_null (TsrProfileRows *self, guint column);

/* An integer, or a real that is one and below 2^53; TSR_UNKNOWN for NULL and an absent column, and
 * with a diagnostic for anything else and outside min .. max. */
gint64 tsr_profile_rows_get_int (TsrProfileRows *self, guint column, gint64 min, gint64 max);
/* The same, with a diagnostic for NULL too: the row cannot be used without this value. */
gint64 tsr_profile_rows_get_key (TsrProfileRows *self, guint column, gint64 min, gint64 max);
/* The place in @index of what @column names, TSR_NO_INDEX without one; a diagnostic for an id that
 * has no row in @table, if anything has. */
guint32 tsr_profile_rows_find (TsrProfileRows *self,
                               guint column,
                               const TsrIdIndex *index,
                               const char *table);
/* A finite number; NaN otherwise, with a diagnostic unless NULL or absent. */
double tsr_profile_rows_get_double (TsrProfileRows *self, guint column);
/* (transfer none) (nullable): text until the next row; a diagnostic for other types than NULL. */
const char *tsr_profile_rows_peek_text (TsrProfileRows *self, guint column, gssize *length);
/* (transfer full) (nullable): valid UTF-8; numbers as SQLite writes them. */
char *tsr_profile_rows_dup_text (TsrProfileRows *self, guint column, gboolean numbers_too);

/* Adds a diagnostic of the current row. */
void tsr_profile_rows_report (TsrProfileRows *self,
                              TsrSeverity severity,
                              const char *code,
                              const char *format,
                              ...) G_GNUC_PRINTF (4, 5);
/* Adds a diagnostic of the whole table. */
void tsr_profile_report (TsrProfile *profile,
                         const char *table,
                         TsrSeverity severity,
                         const char *code,
                         const char *format,
                         ...) G_GNUC_PRINTF (5, 6);

/* Reports @column's absence; FALSE when the table has rows but not the column.  Call after _open.
 */
gboolean tsr_profile_rows_need (TsrProfileRows *self, guint column);

/* A prepared statement that is asked again and again, with what it was prepared for. */
typedef struct
{
  const char *table; /* with @columns the static identifiers of ours that it was prepared for */
  const char *const *columns;
  sqlite3_stmt *statement; /* NULL: none yet */
  int places[TSR_ROWS_MAX_COLUMNS];
  int row_place;
} TsrKeptSelect;
/* (transfer none): the one of @profile. */
TsrKeptSelect *tsr_profile_peek_kept_select (TsrProfile *profile);

/* Bytes of the file, at least 1. */
gint64 tsr_profile_get_file_size (TsrProfile *profile);
/* TRUE and the error set: there is no room for what the table holds. */
gboolean tsr_profile_fail_memory (TsrProfile *profile, const char *table, GError **error);
/* @error came of reading @table: if it is a view it counts as missing from now on, with a
 * diagnostic, for it would fail again and take as long. */
void tsr_profile_give_up (TsrProfile *profile, const char *table, const GError *error);
/* Name of the rowid in @table, NULL when it has none (a view, WITHOUT ROWID). */
const char *tsr_profile_get_rowid (TsrProfile *profile, const char *table);
/* Whether rows of @table have no rowid and stand in the order of @column first. */
gboolean tsr_profile_is_key (TsrProfile *profile, const char *table, const char *column);
gboolean tsr_profile_is_view (TsrProfile *profile, const char *table);
/* (transfer none): the name as the file spells it. */
const char *tsr_profile_get_file_name (TsrProfile *profile);

/* Places of categories by their id, while @categories grows. */
typedef struct
{
  TsrCategoryRows *categories;
  GHashTable *places; /* id to place + 1 */
  gint64 last_id;
  int last_index; /* -1: none yet */
} TsrCategoryIndex;
void tsr_category_index_init (TsrCategoryIndex *self, TsrCategoryRows *categories);
void tsr_category_index_clear (TsrCategoryIndex *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrCategoryIndex, tsr_category_index_clear)
/* Place of @id, -1 when it is not there. */
int tsr_category_index_find (TsrCategoryIndex *self, gint64 id);
/* The same, added as "category 7" with a diagnostic of the row when it is not there; -1 when there
 * are too many. */
int tsr_category_index_add (TsrCategoryIndex *self, TsrProfileRows *rows, gint64 id);

G_END_DECLS
