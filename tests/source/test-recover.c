/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Databases that another process is writing or left in the middle of a write, made for real: a
 * child writes with plain sqlite3 and kills itself.  Nothing in the user's folder may change. */

#include "config.h"

#include "database-fixture.h"
#include "tsr-error.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ten pages more than the child's cache holds. */
#define ROWS 4000

static const char start_sql[]
    = "CREATE TABLE t (a INTEGER PRIMARY KEY, v INTEGER, pad TEXT);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)"
      " INSERT INTO t SELECT i, 1, printf('%0100d', i) FROM n;";

static char *cache;

/* Runs @sql in a child on @path; then the child says so, and is killed (at once or by _stop) with
 * all its locks and journals as they are. */
static pid_t
start_writer (const char *path, const char *sql)
{
  int ends[2];
  char byte = 0;
  pid_t child;

  g_assert_cmpint (pipe (ends), ==, 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      sqlite3 *db = NULL;

      close (ends[0]);
      if (sqlite3_open (path, &db) != SQLITE_OK
          || sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
        _exit (1);
      if (write (ends[1], "x", 1) != 1)
        _exit (1);
      pause ();
      _exit (0);
    }
  close (ends[1]);
  g_assert_cmpint (read (ends[0], &byte, 1), ==, 1);
  close (ends[0]);
  return child;
}

static void
stop_writer (pid_t child)
{
  int status;

  g_assert_cmpint (kill (child, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
}

static void
kill_while_writing (const char *path, const char *sql)
{
  stop_writer (start_writer (path, sql));
}

/* With so small a cache the pages go to the file before the transaction ends. */
static const char half_written[]
    = "PRAGMA cache_size = 10; BEGIN; UPDATE t SET v = 2; UPDATE t SET pad = pad || 'more';";

static gint64
sum_of_v (TsrDatabase *database)
{
  g_autoptr (GError) error = NULL;
  gint64 sum = fixture_query (database, "SELECT sum(v) FROM t", &error);

  g_assert_no_error (error);
  return sum;
}

static gint64
query_immutable (const char *path, const char *sql)
{
  g_autofree char *uri = g_strdup_printf ("file:%s?immutable=1", path);
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  gint64 answer = G_MININT64;

  g_assert_cmpint (sqlite3_open_v2 (uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL), ==,
                   SQLITE_OK);
  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK
      && sqlite3_step (statement) == SQLITE_ROW)
    answer = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return answer;
}

/* Private copies; each is locked, so that nobody takes it for one that was left behind. */
static guint
count_copies (void)
{
  g_autofree char *path = g_build_filename (cache, "tessera", "recovered", NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  struct stat info;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *lock = g_build_filename (path, name, "lock", NULL);
      int fd = g_open (lock, O_RDWR | O_CLOEXEC, 0);

      g_assert_cmpint (fd, >=, 0);
      g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, -1);
      /* Nobody else's business. */
      g_assert_cmpint (fstat (fd, &info), ==, 0);
      g_assert_cmpint (info.st_mode & 07777, ==, 0600);
      close (fd);
      n++;
    }
  return n;
}

static gboolean
has_diagnostic (Fixture *fixture, const char *code, TsrSeverity severity)
{
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (fixture->diagnostics); i++)
    {
      const TsrDiagnostic *entry = tsr_diagnostics_get (fixture->diagnostics, i);

      if (g_str_equal (entry->code, code) && entry->severity == severity)
        return TRUE;
    }
  return FALSE;
}

/* Opens @path, which must be recovered, and expects @sum of v; nothing beside it may change. */
static void
expect_recovered (Fixture *fixture, const char *path, gint64 sum)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = tsr_test_fingerprint (fixture->folder);
  g_autofree char *after = NULL;
  g_autoptr (TsrProgress) progress = tsr_progress_new ();
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (TsrDatabase) again = NULL;

  database = tsr_database_open (fixture->place, path, fixture->diagnostics, progress, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (tsr_progress_get_fraction (progress), ==, 1);
  g_assert_true (has_diagnostic (fixture, "recovered-from-unfinished-write", TSR_SEVERITY_WARNING));
  g_assert_cmpint (sum_of_v (database), ==, sum);
  g_assert_cmpuint (count_copies (), ==, 1);
  g_assert_true (tsr_database_check_unchanged (database, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (tsr_source_get_name (tsr_database_get_source (database)), ==, path);
  again = tsr_database_open_again (database, &error);
  g_assert_no_error (error);
  g_clear_object (&database);
  g_assert_cmpint (sum_of_v (again), ==, sum); /* the copy still stands */
  g_clear_object (&again);
  g_assert_cmpuint (count_copies (), ==, 0);
  after = tsr_test_fingerprint (fixture->folder);
  g_assert_cmpstr (before, ==, after);
}

static void
test_hot_journal (Fixture *fixture, gconstpointer data)
{
  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  /* Who does not look beside the file reads wrong numbers. */
  g_assert_cmpint (query_immutable (fixture->path, "SELECT sum(v) FROM t"), !=, ROWS);
  expect_recovered (fixture, fixture->path, ROWS);
}

static void
test_behind_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->folder, "sub", "profile.pop", NULL);
  g_autofree char *sub = g_path_get_dirname (link);

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  g_assert_cmpint (symlink ("../profile.pop", link), ==, 0);
  expect_recovered (fixture, link, ROWS);
}

static void
test_read_only_folder (Fixture *fixture, gconstpointer data)
{
  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  g_assert_cmpint (g_chmod (fixture->path, 0444), ==, 0);
  g_assert_cmpint (g_chmod (fixture->folder, 0555), ==, 0);
  expect_recovered (fixture, fixture->path, ROWS);
}

static void
test_log (Fixture *fixture, gconstpointer data)
{
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path,
                      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                      "UPDATE t SET v = 3; BEGIN; UPDATE t SET v = 4 WHERE a < 100;");
  g_assert_true (g_file_test (log, G_FILE_TEST_EXISTS));
  g_assert_cmpint (query_immutable (fixture->path, "SELECT sum(v) FROM t"), ==, ROWS);
  expect_recovered (fixture, fixture->path, 3 * ROWS); /* what was committed, no more */
}

/* In write-ahead mode without a log: SQLite itself would want to make files beside it.  The bytes
 * that say so to writers and to readers may differ. */
static void
test_write_ahead_mode (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *beside = g_strconcat (fixture->path, "-journal", NULL);
  const int at = GPOINTER_TO_INT (data);

  tsr_test_sql (fixture->folder, "profile.pop", "PRAGMA journal_mode = WAL");
  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  if (at != 0)
    {
      int fd = g_open (fixture->path, O_RDWR | O_CLOEXEC, 0);

      g_assert_cmpint (pwrite (fd, "\1", 1, at), ==, 1);
      close (fd);
    }
  /* Neither of them is a journal. */
  g_assert_cmpint (at == 18 ? g_mkdir (beside, 0700) : symlink ("nowhere", beside), ==, 0);
  g_assert_cmpint (g_chmod (fixture->folder, 0555), ==, 0);
  before = tsr_test_fingerprint (fixture->folder);
  database
      = tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sum_of_v (database), ==, ROWS);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 0);
  after = tsr_test_fingerprint (fixture->folder);
  g_assert_cmpstr (before, ==, after);
}

static void
test_stale (Fixture *fixture, gconstpointer data)
{
  static const char *const leftovers[] = { "profile.pop-journal", "profile.pop-wal" };

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrDatabase) database = NULL;
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;

      fixture_tear_down (fixture, NULL);
      fixture_set_up (fixture, NULL);
      if (i < 2)
        {
          tsr_test_sql (fixture->folder, "profile.pop", start_sql);
          tsr_test_write (fixture->folder, leftovers[i], "left by something else", -1);
        }
      else /* a journal of a transaction that ended: SQLite only blanks its header */
        {
          g_autofree char *sql = g_strconcat ("PRAGMA journal_mode = PERSIST;", start_sql, NULL);

          tsr_test_sql (fixture->folder, "profile.pop", sql);
        }
      before = tsr_test_fingerprint (fixture->folder);
      database = tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL, NULL,
                                    &error);
      g_assert_no_error (error);
      g_assert_true (has_diagnostic (fixture, "stale-journal", TSR_SEVERITY_INFO));
      g_assert_cmpint (sum_of_v (database), ==, ROWS);
      after = tsr_test_fingerprint (fixture->folder);
      g_assert_cmpstr (before, ==, after);
    }
}

/* What a file beside it is taken for: by its first bytes, and by its length, a journal with its
 * header, a log with that and the header of a page. */
static void
test_heads (void)
{
  static const struct
  {
    const char *ending, *head;
    gssize length;
    gboolean played_back;
  } cases[] = {
    { "-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 28, TRUE },
    { "-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 27, FALSE },
    { "-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd6", 600, FALSE },
    { "-wal", "\x37\x7f\x06\x82", 56, TRUE },
    { "-wal", "\x37\x7f\x06\x83", 56, TRUE },
    { "-wal", "\x37\x7f\x06\x82", 55, FALSE },
    { "-wal", "\x37\x7f\x06\x84", 600, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture fixture = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrDatabase) database = NULL;
      g_autofree char *name = g_strconcat ("profile.pop", cases[i].ending, NULL);
      char bytes[600] = { 0 };

      fixture_set_up (&fixture, NULL);
      tsr_test_sql (fixture.folder, "profile.pop", start_sql);
      memcpy (bytes, cases[i].head, strlen (cases[i].head));
      tsr_test_write (fixture.folder, name, bytes, cases[i].length);
      database = fixture_open (&fixture, &error);
      g_assert_no_error (error);
      g_assert_cmpint (
          has_diagnostic (&fixture, "recovered-from-unfinished-write", TSR_SEVERITY_WARNING), ==,
          cases[i].played_back);
      g_assert_cmpint (has_diagnostic (&fixture, "stale-journal", TSR_SEVERITY_INFO), ==,
                       !cases[i].played_back);
      g_assert_cmpint (sum_of_v (database), ==, ROWS);
      g_clear_object (&database);
      fixture_tear_down (&fixture, NULL);
    }
}

/* A file that is no database says so itself, whatever lies beside it. */
static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  static const char journal[28] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  g_autoptr (GError) error = NULL;

  tsr_test_write (fixture->folder, "profile.pop", "some text", -1);
  tsr_test_write (fixture->folder, "profile.pop-journal", journal, sizeof journal);
  g_assert_null (fixture_open (fixture, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
  g_assert_nonnull (strstr (error->message, "text file"));
  g_assert_cmpuint (count_copies (), ==, 0);
}

static void
test_locked (Fixture *fixture, gconstpointer data)
{
  static const char *const writers[] = {
    "BEGIN EXCLUSIVE",
    "BEGIN IMMEDIATE",
    "PRAGMA cache_size = 10; BEGIN; UPDATE t SET v = 2;",
    "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; UPDATE t SET v = 2",
  };

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrDatabase) database = NULL;
      g_autofree char *number = NULL;
      pid_t child = start_writer (fixture->path, writers[i]);
      g_autofree char *before = tsr_test_fingerprint (fixture->folder);
      g_autofree char *after = NULL;

      database = tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL, NULL,
                                    &error);
      g_assert_null (database);
      g_assert_error (error, TSR_ERROR, TSR_ERROR_BUSY);
      number = g_strdup_printf ("process %d", (int)child);
      g_assert_nonnull (strstr (error->message, number));
      after = tsr_test_fingerprint (fixture->folder);
      g_assert_cmpstr (before, ==, after);
      stop_writer (child);
      /* Plain SQLite cleans up what the child left. */
      tsr_test_sql (fixture->folder, "profile.pop", "SELECT count(*) FROM t");
      g_assert_cmpint (tsr_test_query (fixture->folder, "profile.pop", "SELECT sum(v) FROM t"), ==,
                       ROWS);
    }
}

/* Others that only read do not matter. */
static void
test_other_reader (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;
  pid_t child;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  child = start_writer (fixture->path, "BEGIN; SELECT count(*) FROM t");
  database
      = tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sum_of_v (database), ==, ROWS);
  stop_writer (child);
}

/* The database behind the journal is damaged: refused, not shown. */
static void
test_beyond_recovery (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) database = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, "PRAGMA cache_size = 1; BEGIN;"
                                     "UPDATE t SET v = 2 WHERE a BETWEEN 100 AND 1500;");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  memset (bytes + 90 * 4096, 0x5a, 4096); /* a page that the journal does not hold */
  tsr_test_write (fixture->folder, "profile.pop", bytes, length);
  before = tsr_test_fingerprint (fixture->folder);
  database
      = tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL, NULL, &error);
  g_assert_null (database);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, "cannot be recovered: *** in database main ***"));
  g_assert_cmpuint (count_copies (), ==, 0);
  after = tsr_test_fingerprint (fixture->folder);
  g_assert_cmpstr (before, ==, after);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  g_cancellable_cancel (cancellable);
  g_assert_null (tsr_database_open (fixture->place, fixture->path, fixture->diagnostics, NULL,
                                    cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (count_copies (), ==, 0);
}

/* SQLite itself does not know what to do with it. */
static void
test_malformed (Fixture *fixture, gconstpointer data)
{
  static const char journal[28] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  memset (bytes + 100, 0x5a, 4096 - 100);
  tsr_test_write (fixture->folder, "profile.pop", bytes, (gssize)length);
  tsr_test_write (fixture->folder, "profile.pop-journal", journal, sizeof journal);
  g_assert_null (fixture_open (fixture, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (
      strstr (error->message, "cannot be recovered: database disk image is malformed;"));
  g_assert_cmpuint (count_copies (), ==, 0);
}

/* A place in which one file is another one as soon as it was read to its end. */
typedef struct
{
  TsrPlace parent_instance;
  TsrPlace *local;
  const char *fickle; /* how its name ends */
  gint64 more;        /* bytes that a file pretends to have */
} FicklePlace;

typedef TsrPlaceClass FicklePlaceClass;

static GType fickle_place_get_type (void);
G_DEFINE_TYPE (FicklePlace, fickle_place, TSR_TYPE_PLACE)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FicklePlace, g_object_unref)

typedef struct
{
  TsrSource parent_instance;
  TsrSource *local;
  gboolean is_fickle, was_read;
} FickleSource;

typedef TsrSourceClass FickleSourceClass;

static GType fickle_source_get_type (void);
G_DEFINE_TYPE (FickleSource, fickle_source, TSR_TYPE_SOURCE)

static gssize
fickle_source_read (TsrSource *source,
                    gint64 offset,
                    void *bytes,
                    gsize length,
                    GCancellable *cancellable,
                    GError **error)
{
  FickleSource *self = (FickleSource *)source;
  gssize got = tsr_source_read (self->local, offset, bytes, length, cancellable, error);

  self->was_read |= got == 0;
  return got;
}

static gboolean
fickle_source_stat (TsrSource *source,
                    TsrSourceStamp *stamp,
                    GCancellable *cancellable,
                    GError **error)
{
  FickleSource *self = (FickleSource *)source;

  *stamp = *tsr_source_get_stamp (source);
  stamp->mtime_us += self->is_fickle && self->was_read;
  return TRUE;
}

static void
fickle_source_finalize (GObject *object)
{
  g_object_unref (((FickleSource *)object)->local);
  G_OBJECT_CLASS (fickle_source_parent_class)->finalize (object);
}

static void
fickle_source_init (FickleSource *self)
{
}

static void
fickle_source_class_init (FickleSourceClass *class)
{
  class->read = fickle_source_read;
  class->stat = fickle_source_stat;
  G_OBJECT_CLASS (class)->finalize = fickle_source_finalize;
}

static TsrFolderEntry *
fickle_place_stat (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_place_stat (((FicklePlace *)place)->local, path, cancellable, error);
}

static TsrSource *
fickle_place_open (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  FicklePlace *self = (FicklePlace *)place;
  FickleSource *source = g_object_new (fickle_source_get_type (), NULL);
  TsrSourceStamp stamp;

  source->local = tsr_place_open (self->local, path, cancellable, error);
  g_assert_nonnull (source->local);
  source->is_fickle = g_str_has_suffix (path, self->fickle);
  stamp = *tsr_source_get_stamp (source->local);
  stamp.size += self->more;
  tsr_source_set_identity (TSR_SOURCE (source), path, &stamp);
  return TSR_SOURCE (source);
}

static void
fickle_place_finalize (GObject *object)
{
  g_object_unref (((FicklePlace *)object)->local);
  G_OBJECT_CLASS (fickle_place_parent_class)->finalize (object);
}

static void
fickle_place_init (FicklePlace *self)
{
  self->local = tsr_local_place_new ();
}

static void
fickle_place_class_init (FicklePlaceClass *class)
{
  class->stat = fickle_place_stat;
  class->open = fickle_place_open;
  G_OBJECT_CLASS (class)->finalize = fickle_place_finalize;
}

/* A database and its journal belong together only as they were when the copying began. */
static void
test_changes_meanwhile (Fixture *fixture, gconstpointer data)
{
  static const char *const fickle[] = { "profile.pop", "profile.pop-journal", "other" };
  g_autoptr (FicklePlace) place = g_object_new (fickle_place_get_type (), NULL);

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  for (guint i = 0; i < G_N_ELEMENTS (fickle); i++)
    {
      g_autoptr (TsrDatabase) database = NULL;
      g_autoptr (GError) error = NULL;

      place->fickle = fickle[i];
      database = tsr_database_open (TSR_PLACE (place), fixture->path, NULL, NULL, NULL, &error);
      g_assert_cmpint (database != NULL, ==, i == 2);
      if (database == NULL)
        {
          g_autofree char *says = g_strdup_printf ("/%s changed while", fickle[i]);

          g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
          g_assert_nonnull (strstr (error->message, says));
        }
      else
        g_assert_cmpint (sum_of_v (database), ==, ROWS);
      g_assert_cmpuint (count_copies (), ==, database != NULL);
    }
}

/* What the copy may take is asked for before. */
static void
test_no_space (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FicklePlace) place = g_object_new (fickle_place_get_type (), NULL);
  g_autofree char *journal = g_strconcat (fixture->path, "-journal", NULL);
  g_autofree char *says = NULL;
  g_autoptr (GError) error = NULL;
  GStatBuf info, beside;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  g_assert_cmpint (g_stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (g_stat (journal, &beside), ==, 0);
  place->fickle = "none";
  place->more = G_GINT64_CONSTANT (1) << 56;
  g_assert_null (tsr_database_open (TSR_PLACE (place), fixture->path, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  /* The database, and twice the journal: what it holds may come to it. */
  says = g_strdup_printf ("needs %" G_GINT64_FORMAT " bytes in %s",
                          (gint64)info.st_size + 2 * (gint64)beside.st_size + 3 * place->more,
                          cache);
  g_assert_nonnull (strstr (error->message, says));
  g_assert_cmpuint (count_copies (), ==, 0);
}

/* A lock that belongs to no process. */
static void
test_lock_of_nobody (Fixture *fixture, gconstpointer data)
{
  struct flock lock
      = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000000, .l_len = 1 };
  g_autoptr (GError) error = NULL;
  int fd;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  fd = g_open (fixture->path, O_RDWR | O_CLOEXEC, 0);
  g_assert_cmpint (fcntl (fd, F_OFD_SETLK, &lock), ==, 0);
  g_assert_null (fixture_open (fixture, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_BUSY);
  g_assert_nonnull (strstr (error->message, "by another program"));
  close (fd);
}

/* Copies of a program that crashed go when the next one makes its own. */
static void
test_sweep (Fixture *fixture, gconstpointer data)
{
  char *folders[8];
  g_autoptr (TsrDatabase) other = NULL, database = NULL;
  g_autoptr (GError) error = NULL;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  /* Every second one is being made, and one in their middle is in use. */
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      if (i == G_N_ELEMENTS (folders) / 2)
        other = fixture_open (fixture, &error);
      g_assert_no_error (error);
      g_autofree char *name = g_strdup_printf ("%u", i);

      folders[i] = g_build_filename (cache, "tessera", "recovered", name, NULL);
      g_assert_cmpint (g_mkdir_with_parents (folders[i], 0700), ==, 0);
      tsr_test_write (folders[i], "profile.pop", "x", 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (folders); i += 2)
    tsr_test_write (folders[i], "lock", "", 0);
  database = fixture_open (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sum_of_v (other), ==, ROWS);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *copy = g_build_filename (folders[i], "profile.pop", NULL);

      g_assert_cmpint (g_file_test (folders[i], G_FILE_TEST_EXISTS), ==, i % 2);
      g_assert_cmpint (g_unlink (copy), ==, i % 2 ? 0 : -1);
      g_assert_cmpint (g_rmdir (folders[i]), ==, i % 2 ? 0 : -1);
      g_free (folders[i]);
    }
  g_clear_object (&other);
  g_clear_object (&database);
  expect_recovered (fixture, fixture->path, ROWS);
}

/* Nobody sweeps the copy of one that is open. */
static void
test_two (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrDatabase) first = NULL;
  g_autoptr (TsrDatabase) second = NULL;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  first = fixture_open (fixture, &error);
  g_assert_no_error (error);
  second = fixture_open (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_copies (), ==, 2);
  g_assert_cmpint (sum_of_v (first), ==, ROWS);
  g_assert_cmpint (sum_of_v (second), ==, ROWS);
  g_clear_object (&second);
  g_assert_cmpuint (count_copies (), ==, 1);
}

static void
test_no_cache (Fixture *fixture, gconstpointer data)
{
  g_autofree char *recovered = g_build_filename (cache, "tessera", "recovered", NULL);
  g_autofree char *folder = g_build_filename (cache, "tessera", NULL);
  g_autoptr (GError) error = NULL;

  tsr_test_sql (fixture->folder, "profile.pop", start_sql);
  kill_while_writing (fixture->path, half_written);
  g_rmdir (recovered);
  tsr_test_write (folder, "recovered", "no folder", -1);
  g_assert_null (fixture_open (fixture, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_assert_nonnull (strstr (error->message, recovered));
  g_assert_cmpint (g_unlink (recovered), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  cache = tsr_test_folder_new ();
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
#define add(name, function)                                                                        \
  g_test_add ("/recover/" name, Fixture, NULL, fixture_set_up, function, fixture_tear_down)
  add ("hot-journal", test_hot_journal);
  add ("behind-link", test_behind_link);
  add ("read-only-folder", test_read_only_folder);
  add ("log", test_log);
  add ("write-ahead-mode", test_write_ahead_mode);
  g_test_add ("/recover/write-ahead-mode/writers", Fixture, GINT_TO_POINTER (19), fixture_set_up,
              test_write_ahead_mode, fixture_tear_down);
  g_test_add ("/recover/write-ahead-mode/readers", Fixture, GINT_TO_POINTER (18), fixture_set_up,
              test_write_ahead_mode, fixture_tear_down);
  add ("stale", test_stale);
  g_test_add_func ("/recover/heads", test_heads);
  add ("foreign", test_foreign);
  add ("locked", test_locked);
  add ("other-reader", test_other_reader);
  add ("beyond-recovery", test_beyond_recovery);
  add ("malformed", test_malformed);
  add ("cancelled", test_cancelled);
  add ("changes-meanwhile", test_changes_meanwhile);
  add ("no-space", test_no_space);
  add ("lock-of-nobody", test_lock_of_nobody);
  add ("sweep", test_sweep);
  add ("two", test_two);
  add ("no-cache", test_no_cache);
  status = g_test_run ();
  tsr_test_folder_free (cache);
  return status;
}
