/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens a read-only connection: recognises the file, looks for a journal or log, and sets limits
 * against hostile files.  A recovered database is served from its private copy; whether it has
 * changed is checked on the original. */

#include "config.h"

#include "tsr-database.h"

#include "tsr-btree.h"
#include "tsr-error.h"
#include "tsr-guard.h"
#include "tsr-recognise.h"
#include "tsr-recover.h"
#include "tsr-vfs.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

/* Operations of SQLite's machine between two looks at the cancellable. */
#define LOOK_EVERY 4000
/* A larger table is scanned with what is read ahead. */
#define PREFETCH_BYTES (G_GUINT64_CONSTANT (4) << 20)

typedef struct
{
  guint32 page_size; /* 512 .. 65536 */
  guint32 n_pages;   /* from the header; 0 if it does not say */
  guint32 change_counter;
  guint32 valid_for; /* value of the counter when n_pages was written */
} DatabaseHeader;

struct _TsrDatabase
{
  GObject parent_instance;

  TsrSource *original;
  TsrSource *source;       /* the original, or its private copy */
  TsrRecovered *recovered; /* owned by the first connection, which the others keep alive */
  TsrDatabase *first;      /* (nullable) */
  DatabaseHeader header;
  char *name; /* in the VFS */
  sqlite3 *db;
  GCancellable *cancellable;
  gint64 operations_left;
  gint64 time_limit;   /* of the thread that prepared the statement */
  gint64 memory_limit; /* of all of SQLite in this process */
  gboolean spent;
  TsrDatabaseRowFunc row_func; /* (nullable): of the tsr_database_each that runs */
  gpointer row_data;
  GHashTable *unsafe_views; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (TsrDatabase, tsr_database, G_TYPE_OBJECT)

static void
tsr_database_finalize (GObject *object)
{
  TsrDatabase *self = TSR_DATABASE (object);

  if (self->db != NULL)
    sqlite3_close_v2 (self->db);
  if (self->name != NULL)
    tsr_vfs_unregister (self->name);
  g_free (self->name);
  g_clear_object (&self->source);
  g_clear_object (&self->original);
  g_clear_pointer (&self->recovered, tsr_recovered_free);
  g_clear_object (&self->first);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->unsafe_views, g_hash_table_unref);
  G_OBJECT_CLASS (tsr_database_parent_class)->finalize (object);
}

static void
tsr_database_class_init (TsrDatabaseClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_database_finalize;
}

static void
tsr_database_init (TsrDatabase *self)
{
}

/* ----------------------------------------------------------------- limits */

static gint64
thread_time (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static int
look (void *data)
{
  TsrDatabase *self = data;

  self->operations_left -= LOOK_EVERY;
  if (self->operations_left < 0 || sqlite3_memory_used () > self->memory_limit
      || thread_time () > self->time_limit)
    self->spent = TRUE;
  return self->spent || g_cancellable_is_cancelled (self->cancellable);
}

static void
renew (TsrDatabase *self)
{
  TsrGuardAllowance allowance = tsr_guard_get_allowance (tsr_source_get_size (self->source));

  self->spent = FALSE;
  self->operations_left = allowance.operations;
  self->time_limit = thread_time () + allowance.microseconds;
  self->memory_limit = sqlite3_memory_used () + allowance.memory;
}

/* ------------------------------------------------------------------- rows */

static void
take_row (sqlite3_context *context, int n, sqlite3_value **values)
{
  TsrDatabase *self = sqlite3_user_data (context);

  if (self->row_func == NULL || !self->row_func (values, self->row_data))
    sqlite3_result_error_code (context, SQLITE_ABORT);
}

static void
end_rows (sqlite3_context *context)
{
}

int
tsr_database_each (TsrDatabase *self,
                   sqlite3_stmt *statement,
                   TsrDatabaseRowFunc func,
                   gpointer data)
{
  TsrDatabaseRowFunc outer_func;
  gpointer outer_data;
  int status;

  g_return_val_if_fail (self != NULL && statement != NULL && func != NULL, SQLITE_MISUSE);
  /* @func may run another one. */
  outer_func = self->row_func;
  outer_data = self->row_data;
  self->row_func = func;
  self->row_data = data;
  do
    status = sqlite3_step (statement);
  while (status == SQLITE_ROW);
  self->row_func = outer_func;
  self->row_data = outer_data;
  return status;
}

/* ---------------------------------------------------------------- opening */

/* The size that SQLite is told.  It refuses every table of a file that is shorter than its header
 * says; told that size it can read all tables that are still there, and fails where one is not. */
static gint64
size_to_tell (TsrDatabase *self)
{
  gint64 size = tsr_source_get_size (self->source);
  gint64 expected = (gint64)self->header.page_size * self->header.n_pages;

  /* A header that tells too much is damaged itself. */
  return expected > size && expected / 64 <= size + (1 << 20) ? expected : size;
}

static gboolean
connect (TsrDatabase *self, GError **error)
{
  int code;

  self->name = tsr_vfs_register (self->source, size_to_tell (self));
  tsr_vfs_set_cancellable (self->name, self->cancellable);
  code = sqlite3_open_v2 (self->name, &self->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                          TSR_VFS_NAME);
  if (code == SQLITE_OK)
    {
      renew (self);
      tsr_guard_set_limits (self->db, tsr_source_get_size (self->source));
      sqlite3_progress_handler (self->db, LOOK_EVERY, look, self);
      sqlite3_create_function_v2 (self->db, TSR_DATABASE_ROW, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                  self, NULL, take_row, end_rows, NULL);
      code = sqlite3_exec (self->db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    }
  if (code == SQLITE_OK)
    {
      self->unsafe_views = tsr_guard_find_unsafe_views (self->db);
      return TRUE;
    }
  tsr_database_set_error (self, NULL, error);
  return FALSE;
}

static guint32
read_be32 (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_BE (value);
}

/* Reads the first bytes of @source.  Errors: those of tsr_recognise; TRUNCATED; CORRUPT;
 * G_IO_ERROR. */
static gboolean
read_header (TsrSource *source, DatabaseHeader *header, GCancellable *cancellable, GError **error)
{
  guint8 head[TSR_RECOGNISE_BYTES];
  const char *name = tsr_source_get_name (source);
  gssize got = tsr_source_read (source, 0, head, sizeof head, cancellable, error);
  guint page_size;

  if (got < 0)
    return FALSE;
  if (got == 0)
    {
      g_set_error (
          error, TSR_ERROR, TSR_ERROR_TRUNCATED,
          _ ("%s is empty: the program that should have written it ended early; record the "
             "report again"),
          name);
      return FALSE;
    }
  if (memcmp (head, "SQLite format 3", MIN (got, 16)) != 0)
    {
      tsr_recognise (name, head, got, error);
      return FALSE;
    }
  if (got < 100)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED,
                   _ ("%s ends at byte %zd, within its header: copy it again"), name, got);
      return FALSE;
    }
  page_size = (guint)head[16] << 8 | head[17];
  header->page_size = page_size == 1 ? 65536 : page_size;
  header->change_counter = read_be32 (head + 24);
  header->valid_for = read_be32 (head + 92);
  header->n_pages = header->valid_for == header->change_counter ? read_be32 (head + 28) : 0;
  if (header->page_size >= 512 && (header->page_size & (header->page_size - 1)) == 0)
    return TRUE;
  g_set_error (
      error, TSR_ERROR, TSR_ERROR_CORRUPT,
      _ ("%s, byte 16: a page size of %u is not possible; the file is damaged: copy it again"),
      name, header->page_size);
  return FALSE;
}

static gboolean
check_size (TsrDatabase *self, TsrDiagnostics *diagnostics)
{
  gint64 size = tsr_source_get_size (self->source);
  gint64 expected = (gint64)self->header.page_size * self->header.n_pages;

  if (size >= expected)
    return TRUE;
  if (diagnostics != NULL)
    tsr_diagnostics_add (diagnostics, TSR_SEVERITY_ERROR, "file-truncated",
                         tsr_source_get_base_name (self->original), NULL, TSR_NO_ROW, size,
                         _ ("the file is cut off: it has %" PRId64 " bytes of %" PRId64
                            "; what came after is lost: copy the file again"),
                         size, expected);
  return FALSE;
}

static gboolean
open_source (TsrDatabase *self,
             TsrDiagnostics *diagnostics,
             GCancellable *cancellable,
             GError **error)
{
  GError *local_error = NULL;
  const TsrBTree schema = { 1, TRUE };
  gboolean whole;

  if (!read_header (self->source, &self->header, cancellable, error))
    return FALSE;
  tsr_btree_prefetch (self->source, self->header.page_size, &schema, 1, PREFETCH_BYTES,
                      cancellable);
  whole = check_size (self, diagnostics);
  if (connect (self, &local_error))
    return TRUE;
  if (!whole)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_TRUNCATED,
                   _ ("%s is cut off: it has %" PRId64 " bytes of %" PRId64
                      ", and its tables can no longer be found; copy it again"),
                   tsr_source_get_name (self->original), tsr_source_get_size (self->source),
                   (gint64)self->header.page_size * self->header.n_pages);
      g_error_free (local_error);
      return FALSE;
    }
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
is_being_written (TsrDatabase *self, TsrPlace *place, const char *path, GError **error)
{
  gint64 process = 0;

  if (!tsr_place_find_writer (place, path, &process))
    return FALSE;
  if (process > 0)
    g_set_error (error, TSR_ERROR, TSR_ERROR_BUSY,
                 _ ("%s is being written by process %" PRId64
                    "; wait until that program has ended, then open the report again"),
                 tsr_source_get_name (self->original), process);
  else
    g_set_error (
        error, TSR_ERROR, TSR_ERROR_BUSY,
        _ ("%s is being written by another program; wait until it has ended, then open the "
           "report again"),
        tsr_source_get_name (self->original));
  return TRUE;
}

/* Plays back what a program left, on a copy, and says so. */
static gboolean
recover (TsrDatabase *self,
         TsrPlace *place,
         const char *path,
         TsrLeftOver left_over,
         TsrDiagnostics *diagnostics,
         TsrProgress *progress,
         GCancellable *cancellable,
         GError **error)
{
  tsr_progress_set_total (progress, MAX (tsr_source_get_size (self->original), 1));
  self->recovered = tsr_recover_run (place, path, left_over, progress, cancellable, error);
  if (self->recovered == NULL)
    return FALSE;
  g_clear_object (&self->source);
  self->source = tsr_local_source_new (self->recovered->path, error);
  if (self->source == NULL)
    return FALSE;
  if (diagnostics != NULL)
    tsr_diagnostics_add (
        diagnostics, TSR_SEVERITY_WARNING, "recovered-from-unfinished-write",
        tsr_source_get_base_name (self->original), NULL, TSR_NO_ROW, TSR_NO_ROW,
        left_over == TSR_LEFT_LOG
            ? _ ("recovered from an unfinished write: the program did not end properly, and its "
                 "write-ahead log was replayed on a private copy; the report may be incomplete")
            : _ ("recovered from an unfinished write: the program did not end properly, and its "
                 "journal was replayed on a private copy; the report may be incomplete"));
  return TRUE;
}

TsrDatabase *
tsr_database_open (TsrPlace *place,
                   const char *path,
                   TsrDiagnostics *diagnostics,
                   TsrProgress *progress,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (TsrDatabase) self = NULL;
  g_autofree char *resolved = NULL;
  TsrLeftOver left_over;

  g_return_val_if_fail (TSR_IS_PLACE (place), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  self = g_object_new (TSR_TYPE_DATABASE, NULL);
  g_set_object (&self->cancellable, cancellable);
  self->original = tsr_place_open (place, path, cancellable, error);
  if (self->original == NULL)
    return NULL;
  self->source = g_object_ref (self->original);
  resolved = tsr_place_resolve (place, path);
  if (is_being_written (self, place, resolved, error)
      || !tsr_recover_find (place, resolved, &left_over, cancellable, error))
    return NULL;
  /* A file that is no database at all says so itself, whatever lies beside it. */
  if ((left_over == TSR_LEFT_JOURNAL || left_over == TSR_LEFT_LOG)
      && (!read_header (self->source, &self->header, cancellable, error)
          || !recover (self, place, resolved, left_over, diagnostics, progress, cancellable,
                       error)))
    return NULL;
  if (left_over == TSR_LEFT_STALE && diagnostics != NULL)
    tsr_diagnostics_add (
        diagnostics, TSR_SEVERITY_INFO, "stale-journal", tsr_source_get_base_name (self->original),
        NULL, TSR_NO_ROW, TSR_NO_ROW,
        _ ("a journal or log beside the file has nothing to replay; it was left alone"));
  if (!open_source (self, diagnostics, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

TsrDatabase *
tsr_database_open_source (TsrSource *source, GError **error)
{
  g_autoptr (TsrDatabase) self = g_object_new (TSR_TYPE_DATABASE, NULL);

  self->original = g_object_ref (source);
  self->source = g_object_ref (source);
  if (!open_source (self, NULL, NULL, error))
    return NULL;
  return g_steal_pointer (&self);
}

TsrDatabase *
tsr_database_open_again (TsrDatabase *self, GError **error)
{
  g_autoptr (TsrDatabase) again = g_object_new (TSR_TYPE_DATABASE, NULL);

  g_return_val_if_fail (self != NULL, NULL);
  again->original = g_object_ref (self->original);
  again->source = g_object_ref (self->source);
  again->first = g_object_ref (self->first != NULL ? self->first : self);
  again->header = self->header;
  g_set_object (&again->cancellable, self->cancellable);
  if (!connect (again, error))
    return NULL;
  return g_steal_pointer (&again);
}

/* --------------------------------------------------------------- accessors */

sqlite3 *
tsr_database_peek (TsrDatabase *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->db;
}

TsrSource *
tsr_database_get_source (TsrDatabase *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->original;
}

void
tsr_database_set_cancellable (TsrDatabase *self, GCancellable *cancellable)
{
  g_return_if_fail (self != NULL);
  g_set_object (&self->cancellable, cancellable);
  tsr_vfs_set_cancellable (self->name, cancellable);
}

gboolean
tsr_database_is_safe (TsrDatabase *self, const char *table)
{
  g_autofree char *key = NULL;

  g_return_val_if_fail (self != NULL && table != NULL, FALSE);
  key = g_ascii_strdown (table, -1);
  return self->unsafe_views == NULL || !g_hash_table_contains (self->unsafe_views, key);
}

sqlite3_stmt *
tsr_database_prepare (TsrDatabase *self, const char *table, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  renew (self);
  if (sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL) == SQLITE_OK)
    return statement;
  tsr_database_set_error (self, table, error);
  return NULL;
}

gboolean
tsr_database_is_slow (TsrDatabase *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return tsr_source_is_slow (self->source);
}

void
tsr_database_prefetch (TsrDatabase *self, const TsrTablePart *parts, guint n)
{
  g_autoptr (GArray) trees = g_array_new (FALSE, FALSE, sizeof (TsrBTree));
  sqlite3_stmt *statement;

  if (!tsr_database_is_slow (self))
    return;
  statement = tsr_database_prepare (
      self, "sqlite_master", "SELECT tbl_name, rootpage, type = 'table' FROM sqlite_master", NULL);
  while (statement != NULL && sqlite3_step (statement) == SQLITE_ROW)
    for (guint i = 0; i < n; i++)
      {
        const char *name = (const char *)sqlite3_column_text (statement, 0);
        gint64 root = sqlite3_column_int64 (statement, 1);
        gboolean is_table = sqlite3_column_int (statement, 2);
        TsrBTree tree = { (guint32)CLAMP (root, 0, G_MAXUINT32), parts[i].whole };

        if (name != NULL && is_table && g_ascii_strcasecmp (name, parts[i].name) == 0)
          g_array_append_val (trees, tree);
      }
  sqlite3_finalize (statement);
  tsr_btree_prefetch (self->source, self->header.page_size, (const TsrBTree *)(gpointer)trees->data,
                      trees->len, PREFETCH_BYTES, self->cancellable);
}

gboolean
tsr_database_is_large (TsrDatabase *self, const char *table)
{
  static const char sql[] = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?1";
  sqlite3_stmt *statement;
  gint64 root = 0;

  g_return_val_if_fail (self != NULL && table != NULL, FALSE);
  statement = tsr_database_prepare (self, "sqlite_master", sql, NULL);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, table, -1, SQLITE_TRANSIENT);
  if (sqlite3_step (statement) == SQLITE_ROW)
    root = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return tsr_btree_is_deep (self->source, self->header.page_size,
                            (guint32)CLAMP (root, 0, G_MAXUINT32), self->cancellable);
}

void
tsr_database_restart (TsrDatabase *self, sqlite3_stmt *statement)
{
  sqlite3_reset (statement);
  renew (self);
}

gboolean
tsr_database_check_unchanged (TsrDatabase *self, GError **error)
{
  DatabaseHeader now = { 0 };
  GError *local_error = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  if (!tsr_source_check_unchanged (self->original, self->cancellable, error))
    return FALSE;
  /* Of a recovered one the copy stands in the header, and nobody writes to that. */
  if (self->original != self->source
      || (read_header (self->original, &now, self->cancellable, &local_error)
          && now.change_counter == self->header.change_counter
          && now.valid_for == self->header.valid_for && now.n_pages == self->header.n_pages))
    return TRUE;
  /* What cannot be read may be as it was. */
  if (local_error != NULL && local_error->domain != TSR_ERROR)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  g_clear_error (&local_error);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  g_set_error (error, TSR_ERROR, TSR_ERROR_CHANGED,
               _ ("%s changed while it was read; wait until the program that writes it has ended, "
                  "then reload the report"),
               tsr_source_get_name (self->original));
  return FALSE;
}

GError *
tsr_database_steal_cause (TsrDatabase *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return tsr_vfs_steal_error (self->name);
}

void
tsr_database_set_error (TsrDatabase *self, const char *table, GError **error)
{
  int code;
  g_autofree char *message = NULL, *shown = NULL, *where = NULL;
  GError *cause;

  g_return_if_fail (self != NULL);
  code = self->db != NULL ? sqlite3_extended_errcode (self->db) : SQLITE_NOMEM;
  /* Names in a damaged schema are any bytes, and SQLite repeats them. */
  message = g_utf8_make_valid (self->db != NULL ? sqlite3_errmsg (self->db) : "out of memory", -1);
  shown = table != NULL ? g_utf8_make_valid (table, -1) : NULL;
  where = table != NULL
              ? g_strdup_printf (_ ("%s, table %s"), tsr_source_get_name (self->original), shown)
              : g_strdup (tsr_source_get_name (self->original));
  cause = tsr_vfs_steal_error (self->name);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    g_clear_error (&cause);
  else if (g_error_matches (cause, TSR_ERROR, TSR_ERROR_TRUNCATED)
           && !tsr_source_check_unchanged (self->original, NULL, error))
    g_clear_error (&cause); /* cut off just now */
  else if (cause != NULL)
    g_propagate_prefixed_error (error, cause, "%s: ", where);
  else if (self->spent)
    g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
                 _ ("%s: reading takes far more time or memory than a file of this size should "
                    "need, so it was stopped; the file may have been made to do so"),
                 where);
  else if ((code & 0xff) == SQLITE_NOMEM)
    g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
                 _ ("%s: there is not enough memory; close other reports and try again"), where);
  else if ((code & 0xff) == SQLITE_AUTH)
    g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
                 _ ("%s: it asks for more than to be read: %s; it was not read"), where, message);
  else if ((code & 0xff) == SQLITE_TOOBIG)
    g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT, _ ("%s: a value is too large: %s"), where,
                 message);
  else if ((code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB)
    g_set_error (error, TSR_ERROR, TSR_ERROR_CORRUPT,
                 _ ("%s: the file is damaged: %s; copy it again, or record the report again"),
                 where, message);
  else
    g_set_error (error, TSR_ERROR, TSR_ERROR_CORRUPT, _ ("%s cannot be read: %s"), where, message);
}
