/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A read-only SQLite connection over a source, through our own VFS: no journal, no lock, no
 * file beside the report.  A hot journal or a write-ahead log beside it is recovered on a private
 * copy in the user's cache folder; what cannot be recovered is refused.  One thread for each
 * connection. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-folder.h"
#include "tsr-progress.h"
#include "tsr-source.h"

#include <sqlite3.h>

G_BEGIN_DECLS

#define TSR_TYPE_DATABASE (tsr_database_get_type ())
G_DECLARE_FINAL_TYPE (TsrDatabase, tsr_database, TSR, DATABASE, GObject)

/* Opens the database at @path in @place: looks for -journal and -wal beside it, for locks that
 * others hold, for what the file is when it is no database (text, git-lfs pointer, gzip, ...), and
 * recovers a private copy if it must (then a diagnostic "recovered-from-unfinished-write" with
 * severity warning is added).  A file that is cut off opens as far as its tables can be found, with
 * an error diagnostic "file-truncated". Errors: NOT_A_REPORT, TRUNCATED, CORRUPT, BUSY,
 * UNSUPPORTED, or G_IO_ERROR. */
TsrDatabase *tsr_database_open (TsrPlace *place,
                                const char *path,
                                TsrDiagnostics *diagnostics,
                                TsrProgress *progress,
                                GCancellable *cancellable,
                                GError **error);

/* For fuzzing and tests: any source, nothing beside it. */
TsrDatabase *tsr_database_open_source (TsrSource *source, GError **error);

/* (transfer full): another connection to the same bytes, for another thread, with the same
 * cancellable. */
TsrDatabase *tsr_database_open_again (TsrDatabase *self, GError **error);

/* (transfer none): the connection, for format/ only; limits and a progress handler are set. */
sqlite3 *tsr_database_peek (TsrDatabase *self);
TsrSource *tsr_database_get_source (TsrDatabase *self);

/* A running statement on this connection stops with SQLITE_INTERRUPT soon after @cancellable is
 * cancelled (any thread).  NULL: none. */
void tsr_database_set_cancellable (TsrDatabase *self, GCancellable *cancellable);

/* FALSE for a view that must not be asked for anything, not even its columns: it stands for so many
 * others that SQLite would not come back, and while it prepares a statement it cannot be stopped.
 */
gboolean tsr_database_is_safe (TsrDatabase *self, const char *table);

/* Size, time and change counter are those of the opening; else TSR_ERROR_CHANGED. */
gboolean tsr_database_check_unchanged (TsrDatabase *self, GError **error);

/* (transfer full) (nullable): a statement ready to step, with a fresh allowance of operations, so
 * that no view of a hostile file runs for ever.  @table (nullable) names what is read, for errors.
 */
sqlite3_stmt *
tsr_database_prepare (TsrDatabase *self, const char *table, const char *sql, GError **error);

/* A statement of this connection stands before its first row again, with a fresh allowance. */
void tsr_database_restart (TsrDatabase *self, sqlite3_stmt *statement);

/* TRUE where each read may cost a round trip; FALSE for a private copy, wherever its original is.
 */
gboolean tsr_database_is_slow (TsrDatabase *self);

/* TRUE of a table (not a view) of which one page tells that there are rows; else one has to look.
 */
gboolean tsr_database_is_large (TsrDatabase *self, const char *table);

/* What will be read of @name: all rows, or what tells whether there are any. */
typedef struct
{
  const char *name; /* of a table */
  gboolean whole;
} TsrTablePart;

/* Has the pages fetched, each level of their B-trees at once, where the source is slow; else does
 * nothing.  Names that are not there, and tables too large to wait for, are passed over. */
void tsr_database_prefetch (TsrDatabase *self, const TsrTablePart *parts, guint n);

/* Sets @error from the connection's state: names file, @table (nullable), SQLite's message, and
 * what to do. */
void tsr_database_set_error (TsrDatabase *self, const char *table, GError **error);

G_END_DECLS
