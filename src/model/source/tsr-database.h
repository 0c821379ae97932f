/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A read-only SQLite connection over a source, through our own VFS: no journal, no lock, no file
 * next to the report.  If there is a hot journal or a write-ahead log, a private copy in the user's
 * cache folder is recovered; if that fails, the database is refused.  One thread per connection. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-folder.h"
#include "tsr-progress.h"
#include "tsr-source.h"

#include <sqlite3.h>

G_BEGIN_DECLS

#define TSR_TYPE_DATABASE (tsr_database_get_type ())
G_DECLARE_FINAL_TYPE (TsrDatabase, tsr_database, TSR, DATABASE, GObject)

/* Opens the database at @path in @place: looks for -journal and -wal files and for locks of other
 * programs, says what the file is if it is not a database (text, git-lfs pointer, gzip, ...), and
 * recovers a private copy if necessary (and adds the warning "recovered-from-unfinished-write").  A
 * truncated file opens if its tables can be found, with the error diagnostic "file-truncated".
 * Errors: NOT_A_REPORT, TRUNCATED, CORRUPT, BUSY, UNSUPPORTED, or G_IO_ERROR. */
TsrDatabase *tsr_database_open (TsrPlace *place,
                                const char *path,
                                TsrDiagnostics *diagnostics,
                                TsrProgress *progress,
                                GCancellable *cancellable,
                                GError **error);

/* For fuzzing and tests: any source, with no other files. */
TsrDatabase *tsr_database_open_source (TsrSource *source, GError **error);

/* (transfer full): another connection to the same bytes, for another thread, with the same
 * cancellable. */
TsrDatabase *tsr_database_open_again (TsrDatabase *self, GError **error);

/* (transfer none): the connection, for format/ only; limits and a progress handler are set. */
sqlite3 *tsr_database_peek (TsrDatabase *self);
TsrSource *tsr_database_get_source (TsrDatabase *self);

/* A running statement of this connection stops with SQLITE_INTERRUPT soon after @cancellable
 * (nullable) is cancelled, by any thread. */
void tsr_database_set_cancellable (TsrDatabase *self, GCancellable *cancellable);

/* FALSE for a view that must not be queried at all, not even for its columns: it expands to so many
 * others that SQLite would not return, and preparing a statement cannot be interrupted. */
gboolean tsr_database_is_safe (TsrDatabase *self, const char *table);

/* Checks that size, time and change counter are the same as when it was opened; else
 * TSR_ERROR_CHANGED. */
gboolean tsr_database_check_unchanged (TsrDatabase *self, GError **error);

/* (transfer full) (nullable): a statement, ready to step, with a new budget of operations, so that
 * no view in a hostile file runs forever.  @table (nullable) is named in errors. */
sqlite3_stmt *
tsr_database_prepare (TsrDatabase *self, const char *table, const char *sql, GError **error);

/* Resets a statement of this connection to before its first row, with a new budget. */
void tsr_database_restart (TsrDatabase *self, sqlite3_stmt *statement);

/* An aggregate function of every connection. */
#define TSR_DATABASE_ROW "tessera_row"
/* FALSE: no more rows are wanted.  @values live as long as the call. */
typedef gboolean (*TsrDatabaseRowFunc) (sqlite3_value **values, gpointer data);
/* Gives the rows of @statement, "SELECT " TSR_DATABASE_ROW "(a, b) FROM t", to @func, in the order
 * in which it finds them: two thirds of the time that as many sqlite3_step and sqlite3_column_value
 * take.  SQLITE_DONE, SQLITE_ABORT if @func wanted no more, or an error of SQLite. */
int tsr_database_each (TsrDatabase *self,
                       sqlite3_stmt *statement,
                       TsrDatabaseRowFunc func,
                       gpointer data);

/* TRUE if each read may cost a round trip; FALSE for a private copy, wherever the original is. */
gboolean tsr_database_is_slow (TsrDatabase *self);

/* TRUE for a table (not a view) whose root page proves that it has rows; FALSE: look for one. */
gboolean tsr_database_is_large (TsrDatabase *self, const char *table);

/* What will be read of @name: all rows, or just enough to know whether there are any. */
typedef struct
{
  const char *name; /* of a table */
  gboolean whole;
} TsrTablePart;

/* Prefetches pages from a slow source, each level of the B-trees in one batch; does nothing for
 * others.  Skips names that do not exist and tables that are too large to wait for. */
void tsr_database_prefetch (TsrDatabase *self, const TsrTablePart *parts, guint n);

/* (transfer full) (nullable): what the first read failed with since an error was told or this was
 * asked: SQLite's own check of a file goes on after one. */
GError *tsr_database_steal_cause (TsrDatabase *self);

/* Sets @error from the connection's state: names file, @table (nullable), SQLite's message, and
 * what to do. */
void tsr_database_set_error (TsrDatabase *self, const char *table, GError **error);

G_END_DECLS
