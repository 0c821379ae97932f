/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A cursor over one table for the readers of tsr-profile: selects the columns that exist, checks
 * each value's type and range, and reports wrong values as diagnostics with table and row.  Lives
 * on the reader's stack.  Only tsr-profile-*.c include this. */

#pragma once

#include "tsr-id-index.h"
#include "tsr-profile.h"

G_BEGIN_DECLS

#define TSR_CURSOR_MAX_COLUMNS 16

/* Maximum of sizes and counts: exact in a double, too, and sums over a table do not overflow by
 * accident. */
#define TSR_MAX_SIZE ((gint64)1 << 53)

typedef struct
{
  TsrProfile *profile;
  const char *table;
  const char *const *columns;
  guint n_columns;
  sqlite3_stmt *statement;            /* NULL: no such table, or none of the columns */
  sqlite3_value **values;             /* (nullable): of the row that _each is at */
  int places[TSR_CURSOR_MAX_COLUMNS]; /* in the result; -1 when absent */
  int row_place;                      /* of the rowid, or of the column that names a row; -1 */
  guint64 n_rows;
  guint64 max_rows; /* a file of this size cannot have more */
  gboolean failed;
  gboolean kept;         /* the statement is the profile's */
  TsrProgress *progress; /* (nullable) counts rows */
  TsrDiagnosticTally tally;
} TsrProfileCursor;

void tsr_profile_cursor_clear (TsrProfileCursor *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrProfileCursor, tsr_profile_cursor_clear)

/* Starts reading @columns (NULL-terminated; like @table, static identifiers of ours) in the order
 * of the file.  TRUE and no statement if there is nothing to read. */
gboolean tsr_profile_cursor_open (TsrProfileCursor *self,
                                  TsrProfile *profile,
                                  const char *table,
                                  const char *const *columns,
                                  GError **error);
/* The same for _each, as are the next two. */
gboolean tsr_profile_cursor_open_all (TsrProfileCursor *self,
                                      TsrProfile *profile,
                                      const char *table,
                                      const char *const *columns,
                                      GError **error);
/* The rows with first <= rowid <= last. */
gboolean tsr_profile_cursor_open_range (TsrProfileCursor *self,
                                        TsrProfile *profile,
                                        const char *table,
                                        const char *const *columns,
                                        gint64 first,
                                        gint64 last,
                                        GError **error);
/* The rows whose first column, a key (tsr_profile_is_key), is at most @value, or those where it is
 * above @value; texts and other types are above all integers. */
gboolean tsr_profile_cursor_open_half (TsrProfileCursor *self,
                                       TsrProfile *profile,
                                       const char *table,
                                       const char *const *columns,
                                       gint64 value,
                                       gboolean above,
                                       GError **error);
/* The row whose first column is @value.  The profile keeps the statement for reuse, so only one
 * such reader may exist at a time. */
gboolean tsr_profile_cursor_open_where (TsrProfileCursor *self,
                                        TsrProfile *profile,
                                        const char *table,
                                        const char *const *columns,
                                        gint64 value,
                                        GError **error);

/* FALSE at the end, or, with @error and self->failed, if reading failed. */
gboolean tsr_profile_cursor_next (TsrProfileCursor *self, GError **error);

/* Takes the row that @self is at; FALSE: no more are wanted. */
typedef gboolean (*TsrProfileRowFunc) (TsrProfileCursor *self, gpointer data);
/* Instead of _next, all rows at once, faster.  FALSE if no more were wanted, or, with @error and
 * self->failed, if reading failed. */
gboolean tsr_profile_cursor_each (TsrProfileCursor *self,
                                  TsrProfileRowFunc func,
                                  gpointer data,
                                  GError **error);

gboolean tsr_profile_cursor_has (TsrProfileCursor *self, guint column);
gint64 tsr_profile_cursor_get_row (TsrProfileCursor *self);
/* The rowid, or TSR_UNKNOWN if rows have none. */
gint64 tsr_profile_cursor_get_rowid (TsrProfileCursor *self);
gboolean tsr_profile_cursor_is_null (TsrProfileCursor *self, guint column);

/* An integer, or a real with an integral value below 2^53.  TSR_UNKNOWN for NULL and an absent
 * column; TSR_UNKNOWN with a diagnostic for anything else and for values outside min .. max. */
gint64 tsr_profile_cursor_get_int (TsrProfileCursor *self, guint column, gint64 min, gint64 max);
/* The same, with a diagnostic for NULL as well: the row is useless without this value. */
gint64 tsr_profile_cursor_get_key (TsrProfileCursor *self, guint column, gint64 min, gint64 max);
/* The place in @index of the id in @column, or TSR_NO_INDEX; a diagnostic for an id that has no row
 * in @table, unless @table is empty. */
guint32 tsr_profile_cursor_find (TsrProfileCursor *self,
                                 guint column,
                                 const TsrIdIndex *index,
                                 const char *table);
/* A finite number; NaN otherwise, with a diagnostic unless NULL or absent. */
double tsr_profile_cursor_get_double (TsrProfileCursor *self, guint column);
/* (transfer none) (nullable): text until the next row; a diagnostic for other types than NULL. */
const char *tsr_profile_cursor_peek_text (TsrProfileCursor *self, guint column, gssize *length);
/* (transfer full) (nullable): valid UTF-8; numbers as SQLite writes them. */
char *tsr_profile_cursor_dup_text (TsrProfileCursor *self, guint column, gboolean numbers_too);

/* Adds a diagnostic of the current row. */
void tsr_profile_cursor_report (TsrProfileCursor *self,
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
gboolean tsr_profile_cursor_need (TsrProfileCursor *self, guint column);

/* A prepared statement that is kept for reuse, and what it was prepared for. */
typedef struct
{
  const char *table; /* with @columns, the static identifiers that it was prepared for */
  const char *const *columns;
  sqlite3_stmt *statement; /* NULL: none yet */
  int places[TSR_CURSOR_MAX_COLUMNS];
  int row_place;
} TsrKeptSelect;
/* (transfer none): the one of @profile. */
TsrKeptSelect *tsr_profile_peek_kept_select (TsrProfile *profile);
/* (transfer none): arrays of @profile that tsr-profile-arrays.c keeps, by the id that each begins
 * with. */
GHashTable *tsr_profile_peek_kept_arrays (TsrProfile *profile);

/* Bytes of the file, at least 1. */
gint64 tsr_profile_get_file_size (TsrProfile *profile);
/* TRUE, with the error set, if there is no memory for the contents of the table. */
gboolean tsr_profile_fail_memory (TsrProfile *profile, const char *table, GError **error);
/* Name of the rowid in @table, or NULL if it has none (a view, WITHOUT ROWID). */
const char *tsr_profile_get_rowid (TsrProfile *profile, const char *table);
/* Whether rows of @table have no rowid and are stored in the order of @column. */
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
/* The same, but an unknown id is added as "category 7" with a diagnostic of the row; -1 if there
 * are too many. */
int tsr_category_index_add (TsrCategoryIndex *self, TsrProfileCursor *rows, gint64 id);

G_END_DECLS
