/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The structure of a database, from sqlite_master, SQLite's pragmas, and one scan of each table.
 * Every string that is written passes one of the filters at the top of this file. */

#include "config.h"

#include "tsr-structure.h"

#include "tsr-error.h"
#include "tsr-structure-stats.h"
#include "tsr-units.h"

#include <gio/gio.h>
#include <string.h>

#define SAMPLE 64 /* bytes of a BLOB that are looked at */

typedef struct
{
  char *name;
  const char *kind; /* "table", "view" or "virtual" */
} Item;

typedef struct
{
  char *name;
  char *declared;
  gboolean not_null;
  int primary_key;
  gboolean is_computed; /* a virtual generated column: nothing is stored */
  gboolean is_blob;     /* declared so: read only lengths */
  int place;            /* in the scan's result, -1 for none */
  TsrColumnStats stats;
} Column;

typedef struct
{
  char *name;
  gboolean unique;
  gboolean is_primary_key;
  GPtrArray *columns; /* char *, NULL for an expression */
} Index;

typedef struct
{
  TsrDatabase *database;
  TsrJsonWriter *writer;
  GCancellable *cancellable;
  gboolean quick;
  GHashTable *index_names; /* those of sqlite_master */
  GError *first_error;
} Structure;

static void
item_free (gpointer data)
{
  Item *item = data;

  g_free (item->name);
  g_free (item);
}

static void
column_free (gpointer data)
{
  Column *column = data;

  g_free (column->name);
  g_free (column->declared);
  tsr_column_stats_clear (&column->stats);
  g_free (column);
}

static void
index_free (gpointer data)
{
  Index *index = data;

  g_free (index->name);
  g_ptr_array_unref (index->columns);
  g_free (index);
}

/* ----------------------------------------------------------------- filters */

/* SQLite names a column without a name of its own by its SQL, literals and all. */
static const char *
filter_name (const char *name, gboolean of_view)
{
  gsize length;

  if (name == NULL || strpbrk (name, "'\"") != NULL)
    return NULL;
  if (!of_view)
    return name;
  /* "total" or, for a second one of that name, "total:1". */
  length = strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  if (length == 0 || g_ascii_isdigit (*name))
    return NULL;
  if (name[length] == ':')
    length += 1 + strspn (name + length + 1, "0123456789");
  return name[length] == '\0' ? name : NULL;
}

static gboolean
is_type_word (const char *word)
{
  static const char *const words[] = {
    "ANY",     "BIG",      "BIGINT",   "BINARY",    "BIT",      "BLOB",      "BOOL",     "BOOLEAN",
    "BYTE",    "BYTES",    "CHAR",     "CHARACTER", "CLOB",     "DATE",      "DATETIME", "DEC",
    "DECIMAL", "DOUBLE",   "FIXED",    "FLOAT",     "FLOAT32",  "FLOAT64",   "HALF",     "INT",
    "INT16",   "INT2",     "INT32",    "INT4",      "INT64",    "INT8",      "INTEGER",  "JSON",
    "LONG",    "LONGBLOB", "LONGTEXT", "MEDIUMINT", "NATIONAL", "NATIVE",    "NCHAR",    "NULL",
    "NUMBER",  "NUMERIC",  "NVARCHAR", "PRECISION", "REAL",     "SHORT",     "SIGNED",   "SMALLINT",
    "STRING",  "TEXT",     "TIME",     "TIMESTAMP", "TINYINT",  "UBIGINT",   "UINT",     "UINT16",
    "UINT32",  "UINT64",   "UINT8",    "UNSIGNED",  "UUID",     "VARBINARY", "VARCHAR",  "VARYING",
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (word, words[i]) == 0)
      return TRUE;
  return FALSE;
}

/* (transfer full) (nullable): a declared type of usual words and sizes, like "VARCHAR(20)". */
static char *
filter_type (const char *declared)
{
  g_autofree char *plain = NULL;
  g_auto (GStrv) words = NULL;
  gsize n = 0;

  if (declared == NULL || *declared == '\0')
    return NULL;
  plain = g_strdup (declared);
  for (char *p = plain; *p != '\0'; p++)
    if (strchr ("(),", *p) != NULL)
      *p = ' ';
  words = g_strsplit (plain, " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean is_number = strspn (words[i], "0123456789") == strlen (words[i]);

      if (is_number ? strlen (words[i]) > 5 : !is_type_word (words[i]))
        return g_strdup ("other");
      n++;
    }
  return g_strdup (n > 8 ? "other" : declared);
}

/* Source: SQLite's "Datatypes", 3.1: BLOB in the name, and none of what makes it INTEGER or TEXT.
 */
static gboolean
is_blob_type (const char *declared)
{
  g_autofree char *upper = declared != NULL ? g_ascii_strup (declared, -1) : g_strdup ("");

  return strstr (upper, "BLOB") != NULL && strstr (upper, "INT") == NULL
         && strstr (upper, "CHAR") == NULL && strstr (upper, "CLOB") == NULL
         && strstr (upper, "TEXT") == NULL;
}

/* ---------------------------------------------------------------- statements */

/* Prepares SQL with names put in by %w. */
static sqlite3_stmt *
prepare (Structure *self, const char *table, GError **error, const char *format, ...)
{
  sqlite3_stmt *statement = NULL;
  va_list args;
  char *sql;

  va_start (args, format);
  sql = sqlite3_vmprintf (format, args);
  va_end (args);
  if (sql != NULL)
    statement = tsr_database_prepare (self->database, table, sql, error);
  else
    tsr_database_set_error (self->database, table, error);
  sqlite3_free (sql);
  return statement;
}

/* Next row.  At the end FALSE; after an error FALSE with @error.  Either way finalized. */
static gboolean
step (Structure *self, sqlite3_stmt *statement, const char *table, GError **error)
{
  int status = sqlite3_step (statement);

  if (status == SQLITE_ROW)
    return TRUE;
  if (status != SQLITE_DONE)
    tsr_database_set_error (self->database, table, error);
  sqlite3_finalize (statement);
  return FALSE;
}

static char *
dup_text (sqlite3_stmt *statement, int place)
{
  return g_strdup ((const char *)sqlite3_column_text (statement, place));
}

/* ------------------------------------------------------------------- reading */

/* (transfer full) (nullable): tables and views in the order of the file. */
static GPtrArray *
read_items (Structure *self, GError **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (item_free);
  GError *local_error = NULL;
  sqlite3_stmt *statement
      = prepare (self, NULL, error,
                 "SELECT type, name, rootpage, sql LIKE 'CREATE VIRTUAL%%' FROM sqlite_master");

  if (statement == NULL)
    return NULL;
  while (step (self, statement, NULL, &local_error))
    {
      const char *type = (const char *)sqlite3_column_text (statement, 0);
      gboolean is_view = g_strcmp0 (type, "view") == 0;
      Item *item;

      if (sqlite3_column_type (statement, 1) != SQLITE_TEXT)
        continue;
      if (g_strcmp0 (type, "index") == 0)
        g_hash_table_add (self->index_names, dup_text (statement, 1));
      if (!is_view && g_strcmp0 (type, "table") != 0)
        continue;
      item = g_new0 (Item, 1);
      item->name = dup_text (statement, 1);
      item->kind = is_view ? "view" : sqlite3_column_int (statement, 3) != 0 ? "virtual" : "table";
      g_ptr_array_add (items, item);
    }
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return NULL;
    }
  return g_steal_pointer (&items);
}

/* Never asked of a virtual table: that would load and run its module. */
static gboolean
read_columns (Structure *self, const Item *item, GPtrArray *columns, GError **error)
{
  GError *local_error = NULL;
  sqlite3_stmt *statement
      = prepare (self, item->name, error, "PRAGMA main.table_xinfo(\"%w\")", item->name);

  if (statement == NULL)
    return FALSE;
  while (step (self, statement, item->name, &local_error))
    {
      Column *column = g_new0 (Column, 1);

      column->name = dup_text (statement, 1);
      column->declared = dup_text (statement, 2);
      column->not_null = sqlite3_column_int (statement, 3) != 0;
      column->primary_key = sqlite3_column_int (statement, 5);
      column->is_computed = sqlite3_column_int (statement, 6) == 2;
      column->is_blob = is_blob_type (column->declared);
      column->place = -1;
      g_ptr_array_add (columns, column);
    }
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

static gboolean
read_index_columns (Structure *self, const Item *item, Index *index, GError **error)
{
  GError *local_error = NULL;
  sqlite3_stmt *statement
      = prepare (self, item->name, error, "PRAGMA main.index_info(\"%w\")", index->name);

  if (statement == NULL)
    return FALSE;
  while (step (self, statement, item->name, &local_error))
    g_ptr_array_add (index->columns, dup_text (statement, 2));
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

static gboolean
read_indexes (Structure *self, const Item *item, GPtrArray *indexes, GError **error)
{
  GError *local_error = NULL;
  sqlite3_stmt *statement
      = prepare (self, item->name, error, "PRAGMA main.index_list(\"%w\")", item->name);

  if (statement == NULL)
    return FALSE;
  while (step (self, statement, item->name, &local_error))
    {
      Index *index = g_new0 (Index, 1);

      index->name = dup_text (statement, 1);
      index->unique = sqlite3_column_int (statement, 2) != 0;
      index->is_primary_key
          = g_strcmp0 ((const char *)sqlite3_column_text (statement, 3), "pk") == 0;
      index->columns = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (indexes, index);
    }
  for (guint i = 0; i < indexes->len && local_error == NULL; i++)
    read_index_columns (self, item, g_ptr_array_index (indexes, i), &local_error);
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

/* The key of a table WITHOUT ROWID is the table itself, so no index in sqlite_master. */
static gboolean
is_without_rowid (Structure *self, GPtrArray *indexes)
{
  for (guint i = 0; i < indexes->len; i++)
    {
      const Index *index = g_ptr_array_index (indexes, i);

      if (index->is_primary_key && index->name != NULL
          && !g_hash_table_contains (self->index_names, index->name))
        return TRUE;
    }
  return FALSE;
}

/* ------------------------------------------------------------------ the scan */

/* (transfer full): SELECT of all stored columns; of BLOB columns the numbers and the lengths only,
 * so that SQLite need not read the pages of a long one. */
static char *
dup_scan_sql (const Item *item, GPtrArray *columns)
{
  sqlite3_str *sql = sqlite3_str_new (NULL);
  int place = 0;

  sqlite3_str_appendall (sql, "SELECT ");
  for (guint i = 0; i < columns->len; i++)
    {
      Column *column = g_ptr_array_index (columns, i);

      if (column->is_computed || column->name == NULL)
        continue;
      if (place > 0)
        sqlite3_str_appendall (sql, ", ");
      column->place = place;
      if (column->is_blob)
        sqlite3_str_appendf (sql,
                             "CASE WHEN typeof(\"%w\") <> 'blob' THEN \"%w\" END, "
                             "CASE WHEN typeof(\"%w\") = 'blob' THEN length(\"%w\") END",
                             column->name, column->name, column->name, column->name);
      else
        sqlite3_str_appendf (sql, "\"%w\"", column->name);
      place += column->is_blob ? 2 : 1;
    }
  if (place == 0)
    sqlite3_str_appendall (sql, "NULL");
  sqlite3_str_appendf (sql, " FROM main.\"%w\"", item->name);
  return sqlite3_str_finish (sql);
}

static void
count_row (sqlite3_stmt *statement, GPtrArray *columns)
{
  for (guint i = 0; i < columns->len; i++)
    {
      Column *column = g_ptr_array_index (columns, i);

      if (column->place < 0)
        continue;
      if (column->is_blob && sqlite3_column_type (statement, column->place + 1) != SQLITE_NULL)
        tsr_column_stats_add_blob (&column->stats,
                                   sqlite3_column_int64 (statement, column->place + 1));
      else
        tsr_column_stats_add (&column->stats, statement, column->place);
    }
}

static gboolean
read_first_bytes (Structure *self, const Item *item, Column *column, GError **error)
{
  GError *local_error = NULL;
  sqlite3_stmt *statement = prepare (self, item->name, error,
                                     "SELECT substr(\"%w\", 1, %d) FROM main.\"%w\" WHERE "
                                     "typeof(\"%w\") = 'blob' AND length(\"%w\") > 0 LIMIT 1",
                                     column->name, SAMPLE, item->name, column->name, column->name);

  if (statement == NULL)
    return FALSE;
  while (step (self, statement, item->name, &local_error))
    tsr_column_stats_take_first_bytes (&column->stats, sqlite3_column_blob (statement, 0),
                                       sqlite3_column_bytes (statement, 0));
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

static gboolean
scan (Structure *self, const Item *item, GPtrArray *columns, guint64 *n_rows, GError **error)
{
  char *sql = dup_scan_sql (item, columns);
  sqlite3_stmt *statement = prepare (self, item->name, error, "%s", sql);
  GError *local_error = NULL;

  sqlite3_free (sql);
  if (statement == NULL)
    return FALSE;
  for (*n_rows = 0; step (self, statement, item->name, &local_error); ++*n_rows)
    count_row (statement, columns);
  for (guint i = 0; i < columns->len && local_error == NULL; i++)
    {
      Column *column = g_ptr_array_index (columns, i);

      if (column->stats.n_blob > 0)
        read_first_bytes (self, item, column, &local_error);
    }
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

/* ------------------------------------------------------------------- writing */

static void
write_indexes (Structure *self, GPtrArray *indexes)
{
  tsr_json_writer_begin_array (self->writer, "indexes");
  for (guint i = 0; i < indexes->len; i++)
    {
      const Index *index = g_ptr_array_index (indexes, i);

      tsr_json_writer_begin_object (self->writer, NULL);
      tsr_json_writer_string (self->writer, "name", filter_name (index->name, FALSE));
      tsr_json_writer_boolean (self->writer, "unique", index->unique);
      tsr_json_writer_begin_array (self->writer, "columns");
      for (guint j = 0; j < index->columns->len; j++)
        tsr_json_writer_string (self->writer, NULL,
                                filter_name (g_ptr_array_index (index->columns, j), FALSE));
      tsr_json_writer_end_array (self->writer);
      tsr_json_writer_end_object (self->writer);
    }
  tsr_json_writer_end_array (self->writer);
}

static void
write_columns (Structure *self, const Item *item, GPtrArray *columns, gboolean scanned)
{
  gboolean is_view = strcmp (item->kind, "view") == 0;

  tsr_json_writer_begin_array (self->writer, "columns");
  for (guint i = 0; i < columns->len; i++)
    {
      const Column *column = g_ptr_array_index (columns, i);
      g_autofree char *type = filter_type (column->declared);

      tsr_json_writer_begin_object (self->writer, NULL);
      tsr_json_writer_string (self->writer, "name", filter_name (column->name, is_view));
      tsr_json_writer_string (self->writer, "declaredType", type);
      tsr_json_writer_boolean (self->writer, "notNull", column->not_null);
      tsr_json_writer_int (self->writer, "primaryKey", column->primary_key);
      if (!self->quick)
        tsr_column_stats_write (scanned && column->place >= 0 ? &column->stats : NULL,
                                self->writer);
      tsr_json_writer_end_object (self->writer);
    }
  tsr_json_writer_end_array (self->writer);
}

static void
keep_error (Structure *self, GError *error)
{
  if (self->first_error == NULL)
    self->first_error = error;
  else
    g_clear_error (&error);
}

static void
write_item (Structure *self, const Item *item)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (column_free);
  g_autoptr (GPtrArray) indexes = g_ptr_array_new_with_free_func (index_free);
  gboolean is_table = strcmp (item->kind, "table") == 0;
  gboolean scanned = FALSE;
  guint64 n_rows = 0;
  GError *error = NULL;

  if (strcmp (item->kind, "virtual") != 0 && tsr_database_is_safe (self->database, item->name))
    {
      read_columns (self, item, columns, &error);
      /* A view of tables that are not there has no columns; the file is not damaged by that. */
      if (!is_table && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_clear_error (&error);
    }
  if (is_table && error == NULL && read_indexes (self, item, indexes, &error) && !self->quick)
    scanned = scan (self, item, columns, &n_rows, &error);
  if (error != NULL)
    keep_error (self, error);

  tsr_json_writer_begin_object (self->writer, NULL);
  tsr_json_writer_string (self->writer, "name", filter_name (item->name, FALSE));
  tsr_json_writer_string (self->writer, "kind", item->kind);
  tsr_json_writer_boolean (self->writer, "withoutRowid", is_without_rowid (self, indexes));
  if (!self->quick)
    tsr_json_writer_int (self->writer, "rows", scanned ? (gint64)n_rows : TSR_UNKNOWN);
  write_indexes (self, indexes);
  write_columns (self, item, columns, scanned);
  tsr_json_writer_end_object (self->writer);
}

static gint64
read_number (Structure *self, const char *pragma)
{
  GError *error = NULL;
  gint64 value = TSR_UNKNOWN;
  sqlite3_stmt *statement = prepare (self, NULL, &error, "PRAGMA main.%s", pragma);

  while (statement != NULL && step (self, statement, NULL, &error))
    value = sqlite3_column_int64 (statement, 0);
  if (error != NULL)
    keep_error (self, error);
  return value;
}

/* One of three words of SQLite's own. */
static const char *
read_encoding (Structure *self)
{
  static const char *const known[] = { "UTF-8", "UTF-16le", "UTF-16be" };
  const char *encoding = NULL;
  GError *error = NULL;
  sqlite3_stmt *statement = prepare (self, NULL, &error, "PRAGMA main.encoding");

  while (statement != NULL && step (self, statement, NULL, &error))
    for (guint i = 0; i < G_N_ELEMENTS (known); i++)
      if (g_strcmp0 ((const char *)sqlite3_column_text (statement, 0), known[i]) == 0)
        encoding = known[i];
  if (error != NULL)
    keep_error (self, error);
  return encoding;
}

/* As the file says: our own connection never uses a journal.  Source: SQLite's file format, bytes
 * 18 and 19. */
static const char *
read_journal_mode (Structure *self)
{
  guint8 versions[2];
  GError *error = NULL;

  if (!tsr_source_read_exactly (tsr_database_get_source (self->database), 18, versions,
                                sizeof versions, self->cancellable, &error))
    {
      keep_error (self, error);
      return NULL;
    }
  return versions[0] == 2 || versions[1] == 2 ? "wal" : "delete";
}

static void
write_header (Structure *self)
{
  tsr_json_writer_int (self->writer, "pageSize", read_number (self, "page_size"));
  tsr_json_writer_string (self->writer, "encoding", read_encoding (self));
  tsr_json_writer_string (self->writer, "journalMode", read_journal_mode (self));
  tsr_json_writer_int (self->writer, "userVersion", read_number (self, "user_version"));
  tsr_json_writer_int (self->writer, "applicationId", read_number (self, "application_id"));
}

static void
write_items (Structure *self, GPtrArray *items, guint limit, TsrProgress *progress)
{
  guint n = limit > 0 ? MIN (limit, items->len) : items->len;

  tsr_progress_set_total (progress, n);
  tsr_json_writer_begin_array (self->writer, "tables");
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (self->cancellable); i++)
    {
      write_item (self, g_ptr_array_index (items, i));
      tsr_progress_add_done (progress, 1);
    }
  tsr_json_writer_end_array (self->writer);
  if (n < items->len)
    {
      tsr_json_writer_int (self->writer, "numTables", items->len);
      tsr_json_writer_boolean (self->writer, "truncated", TRUE);
    }
}

gboolean
tsr_structure_write (TsrDatabase *database,
                     gboolean quick,
                     guint limit,
                     TsrJsonWriter *writer,
                     TsrProgress *progress,
                     GCancellable *cancellable,
                     GError **error)
{
  Structure self = {
    .database = database,
    .writer = writer,
    .cancellable = cancellable,
    .quick = quick,
  };
  g_autoptr (GPtrArray) items = NULL;
  GError *local_error = NULL;

  g_return_val_if_fail (TSR_IS_DATABASE (database), FALSE);
  g_return_val_if_fail (writer != NULL, FALSE);

  self.index_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  tsr_database_set_cancellable (database, cancellable);
  tsr_json_writer_begin_object (writer, NULL);
  write_header (&self);
  items = read_items (&self, &local_error);
  if (items != NULL)
    write_items (&self, items, limit, progress);
  else
    keep_error (&self, local_error);
  tsr_database_set_cancellable (database, NULL);
  g_hash_table_unref (self.index_names);
  /* A table that failed because of the cancelling is not damaged. */
  if (g_cancellable_is_cancelled (cancellable))
    {
      g_clear_error (&self.first_error);
      g_cancellable_set_error_if_cancelled (cancellable, &self.first_error);
    }
  if (self.first_error != NULL)
    {
      g_propagate_error (error, self.first_error);
      return FALSE;
    }
  tsr_json_writer_end_object (writer);
  return TRUE;
}
