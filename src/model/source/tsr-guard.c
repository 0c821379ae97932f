/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Restricts SQLite: an authorizer that allows reading only, limits, and a check of the text of
 * views before they are parsed. */

#include "config.h"

#include "tsr-guard.h"

#include <string.h>

/* A view stands for at most this many views, itself included: SQLite expands them all before it
 * counts an operation, and twenty views of two views each are a million. */
#define MOST_VIEWS   64
#define LONGEST_VIEW 65536

/* One operation of a view can be as costly as its longest value, hence the time. */
#define OPERATIONS_BASE     (G_GINT64_CONSTANT (50) * 1000 * 1000)
#define OPERATIONS_A_BYTE   64
#define MICROSECONDS_BASE   (G_GINT64_CONSTANT (10) * G_USEC_PER_SEC)
#define BYTES_A_MICROSECOND 4
#define MEMORY_BASE         (G_GINT64_CONSTANT (256) << 20)
#define MEMORY_A_BYTE       2
/* Nobody's file is larger, and no sum overflows. */
#define LARGEST_FILE (G_GINT64_CONSTANT (1) << 50)

TsrGuardAllowance
tsr_guard_get_allowance (gint64 file_size)
{
  gint64 size = CLAMP (file_size, 0, LARGEST_FILE);

  return (TsrGuardAllowance){
    .operations = OPERATIONS_BASE + size * OPERATIONS_A_BYTE,
    .microseconds = MICROSECONDS_BASE + size / BYTES_A_MICROSECOND,
    .memory = MEMORY_BASE + size * MEMORY_A_BYTE,
  };
}

static gboolean
is_one_of (const char *name, const char *const *list)
{
  for (guint i = 0; name != NULL && list[i] != NULL; i++)
    if (g_ascii_strcasecmp (name, list[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Functions whose cost is bounded by their arguments and whose result is not larger: a view may use
 * them, and so do our own statements. */
static const char *const functions[] = {
  "abs",       "avg",   "coalesce", "count", "iif",    "ifnull", "instr",   "length", "like",
  "lower",     "ltrim", "max",      "min",   "nullif", "round",  "rtrim",   "sign",   "substr",
  "substring", "sum",   "total",    "trim",  "typeof", "upper",  "unicode", NULL,
};
/* tsr_database_each: SQLite itself keeps views from it. */
static const char row_function[] = "tessera_row";

/* Pragmas that ask; those of the first list have an argument. */
static const char *const asking_pragmas[] = {
  "table_info", "table_xinfo", "table_list",      "index_info", "index_xinfo",
  "index_list", "quick_check", "integrity_check", NULL,
};
static const char *const plain_pragmas[] = {
  "application_id", "user_version",   "page_size",    "page_count", "encoding",
  "freelist_count", "schema_version", "journal_mode", NULL,
};

static int
authorize (void *data,
           int action,
           const char *first,
           const char *second,
           const char *database,
           const char *trigger)
{
  switch (action)
    {
    case SQLITE_SELECT:
    case SQLITE_READ:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return is_one_of (second, functions) || g_strcmp0 (second, row_function) == 0 ? SQLITE_OK
                                                                                    : SQLITE_DENY;
    case SQLITE_PRAGMA:
      return is_one_of (first, asking_pragmas)
                     || (second == NULL && is_one_of (first, plain_pragmas))
                 ? SQLITE_OK
                 : SQLITE_DENY;
    default:
      return SQLITE_DENY;
    }
}

void
tsr_guard_set_limits (sqlite3 *db, gint64 file_size)
{
  sqlite3_drop_modules (db, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  /* No value is longer than the file that holds it. */
  sqlite3_limit (db, SQLITE_LIMIT_LENGTH, (int)CLAMP (file_size, 1 << 20, 1 << 30));
  sqlite3_limit (db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
  sqlite3_limit (db, SQLITE_LIMIT_EXPR_DEPTH, 200);
  sqlite3_limit (db, SQLITE_LIMIT_COMPOUND_SELECT, 100);
  sqlite3_limit (db, SQLITE_LIMIT_VDBE_OP, 1 << 20);
  sqlite3_limit (db, SQLITE_LIMIT_FUNCTION_ARG, 32);
  sqlite3_limit (db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64);
  sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit (db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
  sqlite3_limit (db, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_exec (db,
                "PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0;"
                "PRAGMA ignore_check_constraints = 1; PRAGMA temp_store = MEMORY;"
                "PRAGMA cache_size = -8192;",
                NULL, NULL, NULL);
  sqlite3_set_authorizer (db, authorize, NULL);
}

/* ------------------------------------------------------------------ views */

typedef struct
{
  char *sql;
  gint weight; /* views that it stands for; 0: not known yet, -1: too many */
} View;

static void
view_free (gpointer data)
{
  g_free (((View *)data)->sql);
  g_free (data);
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (c & 0x80) != 0;
}

/* The next run of letters and digits at *at, in lower case: names, keywords, numbers.  A name in
 * quotes with other characters comes in pieces; then its view is named by a piece or not at all,
 * and such views are refused by _find. */
static char *
next_word (const char **at)
{
  const char *start = *at;
  const char *end;

  while (*start != '\0' && !is_word (*start))
    start++;
  for (end = start; is_word (*end);)
    end++;
  *at = end;
  return end > start ? g_ascii_strdown (start, end - start) : NULL;
}

static gint weigh (GHashTable *views, View *view, guint depth);

static gint
weigh_text (GHashTable *views, View *view, guint depth)
{
  const char *at = view->sql;
  gint weight = 1;
  char *word;

  while ((word = next_word (&at)) != NULL)
    {
      View *other = g_hash_table_lookup (views, word);
      gboolean with = strcmp (word, "with") == 0;

      g_free (word);
      /* Named sub-selects multiply like views do. */
      if (with)
        return -1;
      /* Its own name, as an alias or a column. */
      if (other == NULL || other == view)
        continue;
      if (weigh (views, other, depth + 1) < 0)
        return -1;
      weight += other->weight;
      if (weight > MOST_VIEWS)
        return -1;
    }
  return weight;
}

static gint
weigh (GHashTable *views, View *view, guint depth)
{
  if (view->weight != 0)
    return view->weight;
  /* What leads back to this one until it is known is in a circle. */
  view->weight = -1;
  if (depth < MOST_VIEWS && view->sql != NULL && strlen (view->sql) <= LONGEST_VIEW)
    view->weight = weigh_text (views, view, depth);
  return view->weight;
}

static gboolean
is_plain (const char *name)
{
  const char *at = name;

  while (is_word (*at))
    at++;
  return *at == '\0' && at > name;
}

GHashTable *
tsr_guard_find_unsafe_views (sqlite3 *db)
{
  g_autoptr (GHashTable) views = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, view_free);
  GHashTable *unsafe = NULL;
  sqlite3_stmt *statement = NULL;
  GHashTableIter iter;
  gpointer name;
  gpointer view;
  gboolean all_plain = TRUE;

  if (sqlite3_prepare_v2 (db, "SELECT name, sql FROM sqlite_master WHERE type = 'view'", -1,
                          &statement, NULL)
      != SQLITE_OK)
    return NULL;
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      const char *text = (const char *)sqlite3_column_text (statement, 0);
      View *found = g_new0 (View, 1);

      found->sql = g_strdup ((const char *)sqlite3_column_text (statement, 1));
      all_plain = all_plain && text != NULL && is_plain (text);
      g_hash_table_insert (views, g_ascii_strdown (text != NULL ? text : "", -1), found);
    }
  sqlite3_finalize (statement);

  g_hash_table_iter_init (&iter, views);
  while (g_hash_table_iter_next (&iter, &name, &view))
    if (!all_plain || weigh (views, view, 0) < 0)
      {
        if (unsafe == NULL)
          unsafe = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
        g_hash_table_add (unsafe, g_strdup (name));
      }
  return unsafe;
}
