/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is read ahead of a database over a slow connection, against the pages that SQLite's own
 * dbstat finds in the same file. */

#include "config.h"

#include "database-fixture.h"
#include "tsr-btree.h"
#include "tsr-error.h"

#include <string.h>

/* Bytes of a page of the database that was made last. */
static guint page_size = 512;
#define PAGE page_size

/* A source that keeps, for each page, in which batch of reads it was asked for. */
typedef struct
{
  TsrSource parent_instance;
  char *bytes;
  gsize length;
  guint n_batches;
  GArray *batches; /* guint, by page from 0: 0 if it was not read */
  GArray *times;   /* guint, by page: how often */
  gint64 end;      /* that was noted */
  guint n_ends;    /* and how often */
  guint n_alone;   /* reads in no batch */
  gboolean broken; /* nothing can be read any more */
} SlowSource;

typedef TsrSourceClass SlowSourceClass;

static GType slow_source_get_type (void);
G_DEFINE_TYPE (SlowSource, slow_source, TSR_TYPE_SOURCE)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlowSource, g_object_unref)

static void
slow_source_forget (SlowSource *self)
{
  guint n = (guint)(self->length / PAGE);

  g_array_set_size (self->batches, 0);
  g_array_set_size (self->batches, n);
  g_array_set_size (self->times, 0);
  g_array_set_size (self->times, n);
  self->n_batches = self->n_alone = self->n_ends = 0;
  self->end = 0;
}

static gssize
slow_source_read (TsrSource *source,
                  gint64 offset,
                  void *bytes,
                  gsize length,
                  GCancellable *cancellable,
                  GError **error)
{
  SlowSource *self = (SlowSource *)source;
  gint64 got = CLAMP ((gint64)self->length - offset, 0, (gint64)length);

  if (self->broken)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED, "gone");
      return -1;
    }
  self->n_alone++;
  for (gint64 i = offset / PAGE; i < (offset + got + PAGE - 1) / PAGE; i++)
    g_array_index (self->times, guint, i)++;
  memcpy (bytes, self->bytes + offset, (gsize)got);
  return got;
}

static gboolean
slow_source_read_ranges (
    TsrSource *source, TsrSourceRange *ranges, guint n, GCancellable *cancellable, GError **error)
{
  SlowSource *self = (SlowSource *)source;

  self->n_batches++;
  for (guint i = 0; i < n; i++)
    {
      ranges[i].got = (gsize)slow_source_read (source, ranges[i].offset, ranges[i].bytes,
                                               ranges[i].length, cancellable, error);
      self->n_alone--;
      g_assert_cmpuint (ranges[i].got, ==, PAGE); /* nothing beyond the end is asked for */
      g_array_index (self->batches, guint, ranges[i].offset / PAGE) = self->n_batches;
    }
  return TRUE;
}

static void
slow_source_prefetch (TsrSource *source, const TsrSourceRange *ranges, guint n)
{
}

static void
slow_source_note_end (TsrSource *source, gint64 offset)
{
  ((SlowSource *)source)->end = offset;
  ((SlowSource *)source)->n_ends++;
}

static gboolean
slow_source_stat (TsrSource *source,
                  TsrSourceStamp *stamp,
                  GCancellable *cancellable,
                  GError **error)
{
  *stamp = *tsr_source_get_stamp (source);
  return TRUE;
}

static void
slow_source_finalize (GObject *object)
{
  SlowSource *self = (SlowSource *)object;

  g_free (self->bytes);
  g_array_unref (self->batches);
  g_array_unref (self->times);
  G_OBJECT_CLASS (slow_source_parent_class)->finalize (object);
}

static void
slow_source_init (SlowSource *self)
{
  self->batches = g_array_new (FALSE, TRUE, sizeof (guint));
  self->times = g_array_new (FALSE, TRUE, sizeof (guint));
}

static void
slow_source_class_init (SlowSourceClass *class)
{
  class->read = slow_source_read;
  class->read_ranges = slow_source_read_ranges;
  class->prefetch = slow_source_prefetch;
  class->note_end = slow_source_note_end;
  class->stat = slow_source_stat;
  G_OBJECT_CLASS (class)->finalize = slow_source_finalize;
}

/* Trees of one to three levels, with and without rows' numbers, an index, and rows that overflow
 * their pages. */
static SlowSource *
make_source (Fixture *fixture)
{
  SlowSource *self = g_object_new (slow_source_get_type (), NULL);
  TsrSourceStamp stamp = { 0 };

  tsr_test_sql (fixture->folder, "profile.pop",
                "PRAGMA page_size = 512;"
                "CREATE TABLE long_names_so_that_the_list_of_tables_has_two_levels_as_well_01 (a);"
                "CREATE TABLE long_names_so_that_the_list_of_tables_has_two_levels_as_well_02 (a);"
                "CREATE TABLE long_names_so_that_the_list_of_tables_has_two_levels_as_well_03 (a);"
                "CREATE TABLE rows (a INTEGER PRIMARY KEY, b); CREATE INDEX of_rows ON rows (b);"
                "CREATE TABLE empty (a); CREATE TABLE one (a); INSERT INTO one VALUES (1);"
                "CREATE TABLE keys (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;"
                "CREATE TABLE blobs (a); CREATE VIEW v AS SELECT * FROM rows;"
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
                " INSERT INTO rows SELECT i * 7919 % 100003, printf ('%020d', i) FROM n;"
                "INSERT INTO keys SELECT b, a FROM rows;"
                "INSERT INTO blobs SELECT zeroblob (rowid % 37 * 50) FROM rows LIMIT 300;");
  g_assert_true (g_file_get_contents (fixture->path, &self->bytes, &self->length, NULL));
  stamp.size = (gint64)self->length;
  tsr_source_set_identity (TSR_SOURCE (self), "slow.pop", &stamp);
  slow_source_forget (self);
  return self;
}

/* Where a tree's pages are, as SQLite says: 1 for its root, 2 for what the root points to, ... */
typedef struct
{
  GHashTable *levels;  /* page: level */
  GHashTable *parents; /* page: which page points to it; 0 for the root */
  guint32 root;
  guint32 last; /* page at its end */
  guint depth;
} Tree;

static void
tree_init (Tree *tree, Fixture *fixture, const char *name)
{
  /* "/" is the root, "/1c2/" its child of that number, and so on. */
  g_autoptr (GPtrArray) rows
      = tsr_test_ask_rows (fixture->folder,
                           "SELECT pageno, (length (path) - 1) / 4 + 1, path FROM dbstat WHERE "
                           "name = '%s' AND pagetype <> "
                           "'overflow' ORDER BY path",
                           name);

  g_autoptr (GHashTable) by_path = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  *tree
      = (Tree){ .levels = g_hash_table_new (NULL, NULL), .parents = g_hash_table_new (NULL, NULL) };
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv row = rows->pdata[i];
      guint level = (guint)g_ascii_strtoull (row[1], NULL, 10);

      tree->last = (guint32)g_ascii_strtoull (row[0], NULL, 10);
      tree->root = i == 0 ? tree->last : tree->root;
      tree->depth = MAX (tree->depth, level);
      g_hash_table_insert (tree->levels, GUINT_TO_POINTER (tree->last), GUINT_TO_POINTER (level));
      g_hash_table_insert (by_path, g_strdup (row[2]), GUINT_TO_POINTER (tree->last));
      row[2][MAX (strlen (row[2]), 4) - 4] = '\0'; /* "/" and "/1c2/" */
      if (i > 0)
        g_hash_table_insert (tree->parents, GUINT_TO_POINTER (tree->last),
                             g_hash_table_lookup (by_path, row[2]));
    }
  g_assert_cmpuint (tree->root, >, 0);
}

static void
tree_clear (Tree *tree)
{
  g_hash_table_unref (tree->levels);
  g_hash_table_unref (tree->parents);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

/* Each page in the batch of its level, and no other one. */
static void
assert_whole (SlowSource *source, const Tree *trees, guint n)
{
  guint depth = 0;

  for (guint i = 0; i < n; i++)
    depth = MAX (depth, trees[i].depth);
  g_assert_cmpuint (source->n_batches, ==, depth);
  for (guint page = 1; page <= source->batches->len; page++)
    {
      guint level = 0;

      for (guint i = 0; i < n; i++)
        level += GPOINTER_TO_UINT (g_hash_table_lookup (trees[i].levels, GUINT_TO_POINTER (page)));
      g_assert_cmpuint (g_array_index (source->batches, guint, page - 1), ==, level);
      g_assert_cmpuint (g_array_index (source->times, guint, page - 1), ==, level > 0);
    }
}

/* So many cells on one page that their number takes two bytes. */
static void
test_many_cells (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SlowSource) source = g_object_new (slow_source_get_type (), NULL);
  g_auto (Tree) tree = { 0 };
  TsrSourceStamp stamp = { 0 };
  TsrBTree root = { 0, TRUE };

  page_size = 4096;
  tsr_test_sql (fixture->folder, "profile.pop",
                "PRAGMA page_size = 4096; CREATE TABLE wide (a INTEGER PRIMARY KEY, b);"
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
                " INSERT INTO wide SELECT i, zeroblob (3000) FROM n;");
  g_assert_true (g_file_get_contents (fixture->path, &source->bytes, &source->length, NULL));
  stamp.size = (gint64)source->length;
  tsr_source_set_identity (TSR_SOURCE (source), "slow.pop", &stamp);
  slow_source_forget (source);
  tree_init (&tree, fixture, "wide");
  g_assert_cmpuint (tree.depth, ==, 2);
  root.root = tree.root;
  tsr_btree_prefetch (TSR_SOURCE (source), PAGE, &root, 1, 1 << 30, NULL);
  assert_whole (source, &tree, 1);
  page_size = 512;
}

static const char *const names[]
    = { "sqlite_schema", "rows", "of_rows", "empty", "one", "keys", "blobs" };

static void
test_levels (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SlowSource) source = NULL;
  TsrBTree all[G_N_ELEMENTS (names)];
  Tree trees[G_N_ELEMENTS (names)];
  guint64 n_bytes = 0;

  source = make_source (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      TsrBTree root;

      tree_init (&trees[i], fixture, names[i]);
      all[i] = (TsrBTree){ trees[i].root, TRUE };
      root = (TsrBTree){ trees[i].root, FALSE };
      slow_source_forget (source);
      tsr_btree_prefetch (TSR_SOURCE (source), PAGE, &all[i], 1, 1 << 30, NULL);
      assert_whole (source, &trees[i], 1);
      g_assert_cmpint (source->end, ==, 0);
      n_bytes += (guint64)g_hash_table_size (trees[i].levels) * PAGE;
      g_assert_cmpuint (tsr_source_get_bytes_read (TSR_SOURCE (source)), ==, n_bytes);
      slow_source_forget (source);
      tsr_btree_prefetch (TSR_SOURCE (source), PAGE, &root, 1, 1 << 30, NULL);
      g_assert_cmpuint (source->n_batches, ==, 1);
      g_assert_cmpuint (g_array_index (source->batches, guint, trees[i].root - 1), ==, 1);
      g_assert_cmpint (tsr_btree_is_deep (TSR_SOURCE (source), PAGE, trees[i].root, NULL), ==,
                       trees[i].depth > 1);
      n_bytes += PAGE + 1;
    }
  slow_source_forget (source);
  tsr_btree_prefetch (TSR_SOURCE (source), PAGE, all, G_N_ELEMENTS (all), 1 << 30, NULL);
  assert_whole (source, trees, G_N_ELEMENTS (trees));
  g_assert_false (tsr_btree_is_deep (TSR_SOURCE (source), PAGE, 0, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    tree_clear (&trees[i]);
}

/* How many pages stand below those that have all below them read; of others the last one at most.
 */
static guint
count_below_whole (SlowSource *source, const Tree *tree)
{
  GHashTableIter iter;
  gpointer parent;
  guint n = 0;

  g_hash_table_iter_init (&iter, tree->levels);
  while (g_hash_table_iter_next (&iter, &parent, NULL))
    {
      GHashTableIter below;
      gpointer page, above;
      guint n_below = 0, n_read = 0;

      g_hash_table_iter_init (&below, tree->parents);
      while (g_hash_table_iter_next (&below, &page, &above))
        if (above == parent)
          {
            n_below++;
            n_read += g_array_index (source->times, guint, GPOINTER_TO_UINT (page) - 1);
          }
      g_assert_true (n_read == n_below || n_read <= 1);
      n += n_read == n_below ? n_below : 0;
    }
  return n;
}

/* Whatever may be read: the whole tree, or not much of it and where it ends. */
static void
test_budget (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SlowSource) source = make_source (fixture);
  g_auto (Tree) tree = { 0 };
  guint n_pages;

  tree_init (&tree, fixture, "rows");
  g_assert_cmpuint (tree.depth, ==, 3);
  n_pages = g_hash_table_size (tree.levels);
  for (guint budget = 0; budget <= n_pages; budget++)
    {
      const TsrBTree root = { tree.root, TRUE };
      guint n_read = 0;

      slow_source_forget (source);
      tsr_btree_prefetch (TSR_SOURCE (source), PAGE, &root, 1, (guint64)budget * PAGE, NULL);
      if (budget >= n_pages - 1)
        {
          assert_whole (source, &tree, 1);
          continue;
        }
      for (guint page = 1; page <= source->batches->len; page++)
        if (g_array_index (source->batches, guint, page - 1) > 0)
          {
            g_assert_true (g_hash_table_contains (tree.levels, GUINT_TO_POINTER (page)));
            g_assert_cmpuint (g_array_index (source->times, guint, page - 1), ==, 1);
            n_read++;
          }
      g_assert_cmpuint (n_read, <=, budget + tree.depth);
      g_assert_cmpuint (count_below_whole (source, &tree), <=, budget);
      g_assert_cmpuint (source->n_batches, ==, tree.depth);
      g_assert_cmpint (source->end, ==, (gint64)tree.last * PAGE);
      g_assert_cmpuint (source->n_ends, ==, 1);
    }
}

/* Whatever stands on a page, nothing but whole pages of the file are asked for, and not more of
 * them than may be. */
static void
test_damage (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SlowSource) source = make_source (fixture);
  g_auto (Tree) tree = { 0 };
  char *root;

  tree_init (&tree, fixture, "keys");
  root = source->bytes + (gsize)(tree.root - 1) * PAGE;
  for (guint i = 0; i < PAGE; i++)
    for (guint k = 0; k < 3; k++)
      {
        const TsrBTree whole = { tree.root, TRUE };
        const char before = root[i];
        guint n_read = 0;

        root[i] = (char)("\0\xff\x7f"[k]);
        slow_source_forget (source);
        tsr_btree_prefetch (TSR_SOURCE (source), PAGE, &whole, 1, 40 * PAGE, NULL);
        for (guint page = 0; page < source->times->len; page++)
          n_read += g_array_index (source->times, guint, page);
        g_assert_cmpuint (n_read, <=, 40 + 20);
        root[i] = before;
      }
}

static gint64
count_read (SlowSource *source)
{
  gint64 n = 0;

  for (guint page = 0; page < source->times->len; page++)
    n += g_array_index (source->times, guint, page) > 0;
  return n;
}

/* What was announced is all that reading the rows takes. */
static void
test_database (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SlowSource) source = make_source (fixture);
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Tree) rows = { 0 };
  g_auto (Tree) keys = { 0 };
  g_auto (Tree) schema = { 0 };
  const TsrTablePart parts[]
      = { { "ROWS", TRUE }, { "keys", FALSE }, { "v", TRUE }, { "no such table", TRUE } };
  gint64 n;

  tree_init (&rows, fixture, "rows");
  tree_init (&keys, fixture, "keys");
  tree_init (&schema, fixture, "sqlite_schema");
  g_assert_cmpuint (schema.depth, ==, 2);
  database = tsr_database_open_source (TSR_SOURCE (source), &error);
  g_assert_no_error (error);
  g_assert_true (tsr_database_is_slow (database));
  g_assert_cmpuint (source->n_batches, ==, schema.depth);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (
        tsr_database_is_large (database, names[i]), ==,
        tsr_test_ask (fixture->folder,
                      "SELECT count (*) FROM sqlite_master m JOIN dbstat s ON s.pageno "
                      "= m.rootpage WHERE m.type = 'table' AND m.name = '%s' AND "
                      "s.pagetype = 'internal'",
                      names[i]));
  g_assert_false (tsr_database_is_large (database, "v"));
  slow_source_forget (source);
  tsr_database_prefetch (database, parts, G_N_ELEMENTS (parts));
  n = count_read (source);
  for (guint page = 1; page <= source->batches->len; page++)
    g_assert_cmpuint (g_array_index (source->batches, guint, page - 1), ==,
                      page == keys.root ? 1
                                        : GPOINTER_TO_UINT (g_hash_table_lookup (
                                            rows.levels, GUINT_TO_POINTER (page))));
  g_assert_cmpint (
      fixture_query (database, "SELECT sum (length (b)) FROM rows NOT INDEXED", &error), ==,
      3000 * 20);
  g_assert_no_error (error);
  g_assert_cmpint (count_read (source) - n, <=, 1); /* page 1 says that the file is the same */
  g_assert_true (tsr_database_check_unchanged (database, &error));
  g_assert_no_error (error);
  /* Out of reach is not changed. */
  source->broken = TRUE;
  g_assert_false (tsr_database_check_unchanged (database, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED);
  g_clear_error (&error);
  /* Another answer in any of three numbers of the head is one. */
  source->broken = FALSE;
  for (guint i = 0; i < 3; i++)
    {
      const guint place = ((const guint[]){ 24, 28, 92 })[i];

      source->bytes[place + 3] ^= 1;
      g_assert_false (tsr_database_check_unchanged (database, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
      g_clear_error (&error);
      source->bytes[place + 3] ^= 1;
    }
  g_assert_true (tsr_database_check_unchanged (database, &error));
  source->bytes[0] ^= 1;
  g_assert_false (tsr_database_check_unchanged (database, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/prefetch/" name, Fixture, NULL, fixture_set_up, function, fixture_tear_down)
  ADD ("levels", test_levels);
  ADD ("many-cells", test_many_cells);
  ADD ("budget", test_budget);
  ADD ("damage", test_damage);
  ADD ("database", test_database);
  return g_test_run ();
}
