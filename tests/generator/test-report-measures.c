/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-make-report --apply: what each measure does to "oom", compared with SQL on "oom" itself.
 */

#include "config.h"

#include "tsr-test.h"

#include <sqlite3.h>
#include <string.h>

/* Status of the command; @said: what it said.  @memory: bytes of a tile; 0: as many as it has. */
static int
make_with_memory (guint memory, const char *measures, const char *folder, char **said)
{
  g_autofree char *apply = g_strconcat ("--apply=", measures, NULL);
  g_autofree char *tiles = g_strdup_printf ("--tile-memory=%u", memory);
  const char *words[] = {
    g_getenv ("TESSERA_MAKE_REPORT"), "--only=profile", "--force", tiles, apply, "oom", folder, NULL
  };
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, said,
                &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static int
make (const char *measures, const char *folder, char **said)
{
  return make_with_memory (0, measures, folder, said);
}

/* The report after @measures, with "oom" as "o". */
static sqlite3 *
open_both (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *attach
      = g_strdup_printf ("ATTACH '%s/oom/profile.pop' AS o", g_getenv ("TESSERA_TEST_REPORTS"));
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, attach, NULL, NULL, NULL), ==, SQLITE_OK);
  return db;
}

static gint64
query (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *stmt;
  gint64 value;

  if (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  value = sqlite3_column_int64 (stmt, 0);
  sqlite3_finalize (stmt);
  return value;
}

/* Both selects have the same rows, and at least one. */
static void
assert_same (sqlite3 *db, const char *a, const char *b)
{
  g_autofree char *more = g_strdup_printf ("SELECT count (*) FROM (%s EXCEPT %s)", a, b);
  g_autofree char *less = g_strdup_printf ("SELECT count (*) FROM (%s EXCEPT %s)", b, a);
  g_autofree char *all = g_strdup_printf ("SELECT count (*) FROM (%s)", a);

  g_assert_cmpint (query (db, more), ==, 0);
  g_assert_cmpint (query (db, less), ==, 0);
  g_assert_cmpint (query (db, all), >, 0);
}

/* Bytes of each name on each tile: @bytes of each row for which @where holds. */
static char *
rows (const char *schema, const char *bytes, const char *where)
{
  return g_strdup_printf (
      "SELECT * FROM (SELECT i.tile, s.value, i.always_live, sum (%s)"
      " FROM %s.vars_info i JOIN %s.vars_string_table s ON s.id = i.name"
      " JOIN %s.var_categories c ON c.id = i.category"
      " LEFT JOIN %s.variables v ON v.id = i.variable WHERE %s GROUP BY 1, 2, 3)",
      bytes, schema, schema, schema, schema, where);
}

static const struct
{
  const char *test, *measures;
  const char *bytes, *where; /* of "oom", so that they are the rows after it */
} sizes[] = {
  { "instrumentation", "instrumentation", "i.size_bytes", "c.name <> 'instrumentationResults'" },
  { "drop", "drop:model/preprocess/table_1", "i.size_bytes",
    "v.name IS NOT 'model/preprocess/table_1'" },
  { "halve-fp32", "halve-fp32",
    "CASE WHEN c.name = 'variable' AND v.element_type = 'float' AND NOT (v.name LIKE '%accl%'"
    " OR v.name LIKE '%loss%' OR v.name LIKE '%norm%' OR v.name LIKE '%running_%'"
    " OR v.name LIKE '%master%' OR v.name LIKE '%seed%')"
    " THEN (i.size_bytes + 15) / 16 * 8 ELSE i.size_bytes END",
    "1" },
  { "outline", "outline:Gradient/model/bucket_3/allReduce/ExchangePre", "i.size_bytes",
    "NOT (c.name = 'internalExchangeCode' AND s.value LIKE 'Gradient/model/bucket~__/allReduce/%'"
    " ESCAPE '~' AND s.value NOT LIKE '%bucket~_0/%' ESCAPE '~')" },
  /* What is dropped cannot be spread or computed again. */
  { "dropped", "move:model/preprocess/table_1,drop:model/preprocess/table_1", "i.size_bytes",
    "v.name IS NOT 'model/preprocess/table_1'" },
  /* In any order, and none counts what another has taken. */
  { "together",
    "halve-fp32,drop:model/embedding/lookup_table,instrumentation,drop:model/preprocess/table_0",
    "CASE WHEN c.name = 'variable' AND v.element_type = 'float' AND NOT (v.name LIKE '%accl%'"
    " OR v.name LIKE '%loss%' OR v.name LIKE '%norm%' OR v.name LIKE '%running_%'"
    " OR v.name LIKE '%master%' OR v.name LIKE '%seed%')"
    " THEN (i.size_bytes + 15) / 16 * 8 ELSE i.size_bytes END",
    "c.name <> 'instrumentationResults' AND v.name IS NOT 'model/preprocess/table_0'"
    " AND v.name IS NOT 'model/embedding/lookup_table'" },
};

static void
test_sizes (gconstpointer data)
{
  const guint at = GPOINTER_TO_UINT (data);
  char *folder = tsr_test_folder_new ();
  g_autofree char *before = rows ("o", sizes[at].bytes, sizes[at].where);
  g_autofree char *after = rows ("main", "i.size_bytes", "1");
  sqlite3 *db;

  g_assert_cmpint (make (sizes[at].measures, folder, NULL), ==, 0);
  db = open_both (folder);
  assert_same (db, before, after);
  /* Steps, and when what is left lives, are the same. */
  assert_same (db, "SELECT * FROM o.equivalence_class_intervals",
               "SELECT * FROM main.equivalence_class_intervals");
  g_assert_cmpint (query (db, "SELECT count (*) FROM main.liveness_steps"), ==,
                   query (db, "SELECT count (*) FROM o.liveness_steps"));
  sqlite3_close (db);
  tsr_test_folder_free (folder);
}

static void
test_move (void)
{
  /* Words by receivers, in the order of their tiles; nobody else has any. */
  static const char wanted[]
      = "SELECT * FROM (WITH receivers AS (SELECT tile, row_number () OVER (ORDER BY tile) - 1 AS "
        "k,"
        " count (*) OVER () AS n FROM (SELECT DISTINCT tile FROM o.vars_info i"
        " JOIN o.var_categories c ON c.id = i.category"
        " WHERE c.name IN ('vertexCode', 'vertexInstanceState') AND tile < 1472)),"
        " moved AS (SELECT (sum (i.size_bytes) + 7) / 8 AS words FROM o.vars_info i"
        " JOIN o.variables v ON v.id = i.variable WHERE v.name = 'model/embedding/lookup_table')"
        " SELECT tile, 8 * (words / n + (k < words % n)) FROM receivers, moved)";
  static const char got[]
      = "SELECT i.tile, i.size_bytes FROM main.vars_info i JOIN main.variables v"
        " ON v.id = i.variable WHERE v.name = 'model/embedding/lookup_table'";
  static const char others[] = "v.name IS NOT 'model/embedding/lookup_table'";
  char *folder = tsr_test_folder_new ();
  g_autofree char *before = rows ("o", "i.size_bytes", others);
  g_autofree char *after = rows ("main", "i.size_bytes", others);
  sqlite3 *db;

  g_assert_cmpint (make ("move:model/embedding/lookup_table", folder, NULL), ==, 0);
  db = open_both (folder);
  assert_same (db, wanted, got);
  assert_same (db, before, after);
  g_assert_cmpint (query (db, "SELECT max (including_gaps) FROM memory_by_tile"), <,
                   query (db, "SELECT max (including_gaps) FROM o.memory_by_tile"));
  sqlite3_close (db);
  tsr_test_folder_free (folder);
}

/* The activation is dead between the two steps that touch it and are farthest apart, and at the
 * second of them what the compiler made for its writer is there once more.  Its input lives longer
 * than it does, so nothing else changes. */
static void
test_recompute (void)
{
#define NAME "'model/stem/bn1/out'"
#define TOUCHED                                                                                    \
  "SELECT DISTINCT l.step FROM o.liveness_steps l JOIN o.program_variables p"                      \
  " ON p.program = l.program JOIN o.variables v ON v.id = p.variable"                              \
  " WHERE v.name = " NAME
#define PAIRS "SELECT step AS b, lag (step) OVER (ORDER BY step) AS a FROM (" TOUCHED ")"
  char *folder = tsr_test_folder_new ();
  g_autofree char *wanted = NULL;
  gint64 a, b, first, bytes, again;
  sqlite3 *db;

  g_assert_cmpint (make ("recompute:model/stem/bn1/out", folder, NULL), ==, 0);
  db = open_both (folder);
  a = query (db, "SELECT a FROM (" PAIRS ") ORDER BY b - a DESC, a LIMIT 1");
  b = query (db, "SELECT b FROM (" PAIRS ") ORDER BY b - a DESC, a LIMIT 1");
  first = query (db, "SELECT min (step) FROM (" TOUCHED ")");
  bytes = query (db, "SELECT size_bytes FROM o.variables WHERE name = " NAME);
  again = query (db, "SELECT sum (i.size_bytes) FROM o.vars_info i"
                     " JOIN o.vars_string_table s ON s.id = i.name WHERE i.variable IS NULL"
                     " AND substr (s.value, 1, instr (s.value, '#') - 1) IN (SELECT v.name"
                     " FROM o.program_variables p JOIN o.variables v ON v.id = p.variable"
                     " JOIN o.liveness_steps l ON l.program = p.program WHERE l.step"
                     " = (SELECT min (step) FROM (" TOUCHED ")))");
  g_assert_cmpint (b - a, >, 20);
  g_assert_cmpint (again, >, 0);
  wanted = g_strdup_printf ("SELECT step, not_always_live_bytes - %" G_GINT64_FORMAT
                            " * (step > %" G_GINT64_FORMAT " AND step < %" G_GINT64_FORMAT
                            ") + %" G_GINT64_FORMAT " * (step = %" G_GINT64_FORMAT
                            ") FROM o.liveness_steps",
                            bytes, a, b, again, b);
  assert_same (db, wanted, "SELECT step, not_always_live_bytes FROM main.liveness_steps");
  g_assert_cmpint (first, <, a);
  sqlite3_close (db);
  tsr_test_folder_free (folder);
#undef PAIRS
#undef TOUCHED
#undef NAME
}

/* An input that would be dead by then is kept; one that is computed again itself is not. */
static void
test_recompute_chain (void)
{
  char *alone = tsr_test_folder_new (), *chain = tsr_test_folder_new ();
  static const char lives[]
      = "SELECT sum (e.end_step - e.start_step) FROM (SELECT DISTINCT equivalence_class AS k FROM"
        " main.vars_info i JOIN main.variables v ON v.id = i.variable"
        " WHERE v.name = 'model/layer1.0/bn1/out')"
        " JOIN main.equivalence_class_intervals e ON e.equivalence_class = k";
  sqlite3 *db;
  gint64 kept, remade;

  g_assert_cmpint (make ("recompute:model/layer1.0/conv2/out", alone, NULL), ==, 0);
  g_assert_cmpint (
      make ("recompute:model/layer1.0/bn1/out,recompute:model/layer1.0/conv2/out", chain, NULL), ==,
      0);
  db = open_both (alone);
  kept = query (db, lives);
  sqlite3_close (db);
  db = open_both (chain);
  remade = query (db, lives);
  /* It lives at the step where the other one needs it, and when its own turn comes. */
  g_assert_cmpint (remade, <, kept);
  g_assert_cmpint (query (db, "SELECT count (*) FROM (SELECT DISTINCT equivalence_class AS k FROM"
                              " main.vars_info i JOIN main.variables v ON v.id = i.variable"
                              " WHERE v.name = 'model/layer1.0/bn1/out')"
                              " JOIN main.equivalence_class_intervals e"
                              " ON e.equivalence_class = k"),
                   ==, 3);
  sqlite3_close (db);
  tsr_test_folder_free (alone);
  tsr_test_folder_free (chain);
}

/* On tiles of 788 KiB it takes three measures: neither one nor two of them are enough. */
static void
test_mended (void)
{
  static const struct
  {
    const char *measures;
    gboolean fits;
  } sets[] = {
    { "drop:model/preprocess/table_0", FALSE },
    { "drop:model/preprocess/table_1", FALSE },
    { "halve-fp32", FALSE },
    { "drop:model/preprocess/table_0,drop:model/preprocess/table_1", FALSE },
    { "drop:model/preprocess/table_0,halve-fp32", FALSE },
    { "drop:model/preprocess/table_1,halve-fp32", FALSE },
    { "drop:model/preprocess/table_0,drop:model/preprocess/table_1,halve-fp32", TRUE },
  };
  char *folder = tsr_test_folder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      gint64 over;

      g_assert_cmpint (make_with_memory (788 * 1024, sets[i].measures, folder, NULL), ==, 0);
      g_assert_cmpint (tsr_test_query (folder, "profile.pop", "SELECT bytes_per_tile FROM target"),
                       ==, 788 * 1024);
      over = tsr_test_query (folder, "profile.pop",
                             "SELECT count (*) FROM memory_by_tile WHERE overflowed > 0");
      g_assert_cmpint (over == 0, ==, sets[i].fits);
    }
  tsr_test_folder_free (folder);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *measures, *said;
  } refused[] = {
    { "nonsense", "\"nonsense\"" },
    { "", "\"\"" },
    { "drop:", "\"drop:\"" },
    { "instrumentation,", "\"\"" },
    { "drop:model/none", "\"drop:model/none\" is no variable" },
    /* The compiler's. */
    { "drop:vertexCode", "\"drop:vertexCode\" is no variable" },
    { "move:model/none", "\"move:model/none\" is no variable" },
    { "recompute:model/none", "\"recompute:model/none\"" },
    { "recompute:model/preprocess/table_0", "\"recompute:model/preprocess/table_0\"" },
    { "outline:model/layer1.0/conv1/Convolve/ExchangePre", "no exchange whose code" },
    { "instrumentation,instrumentation", "\"instrumentation\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      char *folder = tsr_test_folder_new ();
      g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
      g_autofree char *said = NULL;

      g_assert_cmpint (make (refused[i].measures, folder, &said), ==, 1);
      if (strstr (said, refused[i].said) == NULL)
        g_error ("%s: %s", refused[i].measures, said);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
      tsr_test_folder_free (folder);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *path = g_strconcat ("/measures/", sizes[i].test, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_sizes);
    }
  g_test_add_func ("/measures/move", test_move);
  g_test_add_func ("/measures/recompute", test_recompute);
  g_test_add_func ("/measures/recompute-chain", test_recompute_chain);
  g_test_add_func ("/measures/mended", test_mended);
  g_test_add_func ("/measures/refused", test_refused);
  return g_test_run ();
}
