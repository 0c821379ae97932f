/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-make-report as a command: the same bytes for the same seed, what it refuses, and the
 * files beside profile.pop, read with libelf and libcbor. */

#include "config.h"

#include "tsr-test.h"

#include <cbor.h>
#include <fcntl.h>
#include <gelf.h>
#include <glib/gstdio.h>
#include <libelf.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static const char *const file_names[]
    = { "profile.pop", "archive.a", "debug.cbor", "framework.json", "app.json" };

/* Runs the command with the words up to NULL; exit status, and what it said. */
static int
run (char **said, const char *first, ...)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  va_list args;
  int status;

  g_ptr_array_add (words, (gpointer)g_getenv ("TESSERA_MAKE_REPORT"));
  va_start (args, first);
  for (const char *word = first; word != NULL; word = va_arg (args, const char *))
    g_ptr_array_add (words, (gpointer)word);
  va_end (args);
  g_ptr_array_add (words, NULL);
  g_spawn_sync (NULL, (char **)words->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
                said, &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static GBytes *
contents (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *data;
  gsize length;

  g_file_get_contents (path, &data, &length, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (data, length);
}

static void
test_same (gconstpointer preset)
{
  char *first = tsr_test_folder_new (), *second = tsr_test_folder_new ();
  char *other = tsr_test_folder_new ();

  g_assert_cmpint (run (NULL, "--seed=5", preset, first, NULL), ==, 0);
  g_assert_cmpint (run (NULL, "--seed=5", preset, second, NULL), ==, 0);
  g_assert_cmpint (run (NULL, "--seed=6", preset, other, NULL), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (file_names); i++)
    {
      g_autoptr (GBytes) a = contents (first, file_names[i]);
      g_autoptr (GBytes) b = contents (second, file_names[i]);
      g_autoptr (GBytes) c = contents (other, file_names[i]);

      g_assert_true (g_bytes_equal (a, b));
      g_assert_cmpuint (g_bytes_get_size (a), >, 100);
      if (i == 0)
        g_assert_false (g_bytes_equal (a, c));
    }
  tsr_test_folder_free (first);
  tsr_test_folder_free (second);
  tsr_test_folder_free (other);
}

/* framework.json names the framework that the preset is of; plain PopLibs has none. */
static void
test_framework (void)
{
  static const char *const sections[][2] = { { "demo", "{\"PopART\": {" },
                                             { "pytorch", "{\"PopTorch\": {" },
                                             { "pod64", "{\"PopXL\": {" },
                                             { "trace", "{\"TensorFlow\": {" },
                                             { "poplibs", NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    {
      char *folder = tsr_test_folder_new ();
      g_autofree char *path = g_build_filename (folder, "framework.json", NULL);
      g_autofree char *text = NULL;
      const gboolean sized = g_str_equal (sections[i][0], "trace");

      tsr_test_write (folder, "framework.json", "old", -1);
      g_assert_cmpint (run (NULL, "--force", "--only=framework", sections[i][0],
                            sized ? "1000" : folder, sized ? folder : NULL, NULL),
                       ==, 0);
      if (sections[i][1] == NULL)
        g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
      else
        {
          g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
          g_assert_true (g_str_has_prefix (text, sections[i][1]));
        }
      tsr_test_folder_free (folder);
    }
}

static void
test_usage (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *kept = NULL;
  g_autofree char *said = NULL;

  g_assert_cmpint (run (NULL, "--help", NULL), ==, 0);
  g_assert_cmpint (run (NULL, "--list", NULL), ==, 0);
  g_assert_cmpint (run (NULL, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "tiny", NULL), ==, 2);
  g_assert_cmpint (run (NULL, "huge", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "--no-such-option", "tiny", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "--only=profile,nothing", "tiny", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "--seed=x", "tiny", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "tiny", "3", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "trace", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "trace", "0", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "trace", "-4", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "--archive-tiles=-1", "tiny", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "--tile-memory=-8", "tiny", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "--tile-memory=1024", "tiny", folder, NULL), ==, 2);
  g_assert_cmpint (run (NULL, "--tile-memory=2001", "tiny", folder, NULL), ==, 2);

  /* What is there stays, and nothing is written beside it. */
  tsr_test_write (folder, "profile.pop", "mine", -1);
  g_assert_cmpint (run (&said, "tiny", folder, NULL), ==, 1);
  g_assert_nonnull (strstr (said, "--force"));
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "mine");
  for (guint i = 1; i < G_N_ELEMENTS (file_names); i++)
    {
      g_autofree char *other = g_build_filename (folder, file_names[i], NULL);
      g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
    }
  g_assert_cmpint (run (NULL, "--force", "--only=profile", "tiny", folder, NULL), ==, 0);
  g_assert_cmpint (tsr_test_query (folder, "profile.pop", "SELECT count (*) FROM memory_by_tile"),
                   ==, 8);
  /* A folder that cannot be. */
  g_assert_cmpint (run (NULL, "tiny", path, NULL), ==, 1);
  tsr_test_folder_free (folder);
}

/* ---- what the schema says about confirmed columns */

static gboolean
is_confirmed (const char *line)
{
  return strstr (line, "[confirmed") != NULL;
}

/* Names of confirmed columns of each confirmed table, as "table column", from docs/report.sql. */
static GPtrArray *
confirmed_columns (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *table = NULL;
  gboolean all = FALSE;

  g_assert_true (g_file_get_contents (g_getenv ("TESSERA_SCHEMA"), &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = NULL;

      if (g_str_has_prefix (lines[i], "CREATE TABLE "))
        {
          words = g_strsplit_set (lines[i], " (", -1);
          g_free (table);
          table = is_confirmed (lines[i]) ? g_strdup (words[2]) : NULL;
          all = strstr (lines[i], "[confirmed by name only]") != NULL;
          continue;
        }
      if (g_str_has_prefix (lines[i], ")"))
        g_clear_pointer (&table, g_free);
      if (table == NULL || !g_str_has_prefix (lines[i], "  ") || (!all && !is_confirmed (lines[i])))
        continue;
      words = g_strsplit (all ? lines[i] : strtok (lines[i], "-"), ",", -1);
      for (guint k = 0; words[k] != NULL; k++)
        {
          g_auto (GStrv) parts = g_strsplit (g_strstrip (words[k]), " ", -1);

          if (parts[0] != NULL && *parts[0] != '\0')
            g_ptr_array_add (found, g_strdup_printf ("%s %s", table, parts[0]));
        }
    }
  return found;
}

static void
test_confirmed (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), "confirmed", NULL);
  g_autofree char *demo = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), "demo", NULL);
  g_autoptr (GPtrArray) columns = confirmed_columns ();
  const char *sums[] = { "SELECT sum (total) FROM memory_by_tile",
                         "SELECT sum (size_bytes * (category + 1)) FROM vars_info",
                         "SELECT sum (cycles_base + active_cycles_to_max) FROM steps_by_ipu",
                         "SELECT total (length (name)) FROM programs" };

  g_assert_cmpuint (columns->len, >=, 24);
  for (guint i = 0; i < columns->len; i++)
    {
      const char *pair = g_ptr_array_index (columns, i);
      g_auto (GStrv) parts = g_strsplit (pair, " ", 2);
      g_autofree char *sql = g_strdup_printf (
          "SELECT count (*) FROM pragma_table_info ('%s') WHERE name = '%s'", parts[0], parts[1]);

      g_test_message ("%s", pair);
      g_assert_cmpint (tsr_test_query (folder, "profile.pop", sql), ==, 1);
    }
  /* And nothing else. */
  g_assert_cmpint (
      tsr_test_query (folder, "profile.pop",
                      "SELECT count (*) FROM sqlite_master m, pragma_table_info (m.name)"
                      " WHERE m.type = 'table'"),
      ==, columns->len);
  g_assert_cmpint (tsr_test_query (folder, "profile.pop", "PRAGMA application_id"), ==, 0);
  g_assert_cmpint (tsr_test_query (folder, "profile.pop", "PRAGMA user_version"), ==, 0);
  g_assert_cmpint (tsr_test_query (demo, "profile.pop", "PRAGMA application_id"), ==, 0x54535231);
  g_assert_cmpint (tsr_test_query (demo, "profile.pop", "PRAGMA user_version"), ==, 1);
  g_assert_cmpint (tsr_test_query (demo, "profile.pop",
                                   "SELECT value FROM report_info WHERE name = 'synthetic'"),
                   ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    g_assert_cmpint (tsr_test_query (folder, "profile.pop", sums[i]), ==,
                     tsr_test_query (demo, "profile.pop", sums[i]));
}

/* Every table has rows, and the odd cases are there. */
static void
test_tiny (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), "tiny", NULL);
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  static const char *const odd[] = {
    "SELECT count (*) FROM programs WHERE name IS NULL",
    "SELECT count (*) FROM programs WHERE type = 'Mystery'",
    "SELECT count (*) FROM steps WHERE program IS NULL",
    "SELECT count (*) FROM variables WHERE length (name) > 1000",
    "SELECT count (*) FROM variables WHERE name <> cast (cast (name AS BLOB) AS TEXT) OR"
    " length (name) < length (cast (name AS BLOB))",
    "SELECT count (*) FROM variables WHERE name = ''",
    "SELECT count (*) FROM variables WHERE name LIKE '%' || char (10) || '%'",
    "SELECT count (*) FROM variables WHERE element_type IS NULL",
    "SELECT count (*) FROM vars_string_table WHERE value LIKE '%#%'",
    "SELECT count (*) FROM vars_info WHERE variable IS NULL",
    "SELECT count (*) FROM steps_by_ipu WHERE tile_balance IS NULL",
    "SELECT count (*) FROM steps_by_ipu WHERE active_cycles_from_min > 0",
    "SELECT count (*) FROM tile_cycles WHERE start_by_tile IS NULL",
    "SELECT count (*) FROM tile_cycles WHERE start_by_tile IS NOT NULL",
    "SELECT count (*) FROM runs WHERE microseconds_end = 0",
    "SELECT count (*) FROM var_categories WHERE allocated_bytes = 0",
    "SELECT count (*) FROM memory_by_tile_region WHERE overlapped_bytes > 0",
    "SELECT count (*) FROM (SELECT equivalence_class FROM equivalence_class_intervals"
    " GROUP BY equivalence_class HAVING count (*) > 1)",
  };
  sqlite3 *db;
  sqlite3_stmt *stmt;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "SELECT name FROM sqlite_master WHERE type = 'table'",
                                       -1, &stmt, NULL),
                   ==, SQLITE_OK);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    {
      g_autofree char *sql
          = g_strdup_printf ("SELECT count (*) FROM %s", sqlite3_column_text (stmt, 0));

      g_test_message ("%s", sql);
      g_assert_cmpint (tsr_test_query (folder, "profile.pop", sql), >, 0);
    }
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    if (tsr_test_query (folder, "profile.pop", odd[i]) <= 0)
      g_error ("%s", odd[i]);
}

/* ---- archive.a */

static void
check_archive (const char *folder, const char *profile_folder, guint expected)
{
  g_autofree char *path = g_build_filename (folder, "archive.a", NULL);
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  Elf_Cmd command = ELF_C_READ;
  guint n = 0;
  Elf *archive, *member;

  g_assert_cmpint (fd, >=, 0);
  elf_version (EV_CURRENT);
  archive = elf_begin (fd, ELF_C_READ, NULL);
  g_assert_nonnull (archive);
  g_assert_cmpint (elf_kind (archive), ==, ELF_K_AR);
  while ((member = elf_begin (fd, command, archive)) != NULL)
    {
      const Elf_Arhdr *header = elf_getarhdr (member);

      if (elf_kind (member) == ELF_K_ELF)
        {
          g_autofree char *sql
              = g_strdup_printf ("SELECT total FROM memory_by_tile WHERE tile = %u", n);
          g_autofree char *tail = g_strdup_printf ("_tile_%u.elf", n);
          GElf_Ehdr elf;
          GElf_Shdr section;
          Elf_Scn *scn = NULL;
          gint64 text = -1;
          size_t names;

          g_assert_true (g_str_has_suffix (header->ar_name, tail));
          g_assert_nonnull (gelf_getehdr (member, &elf));
          g_assert_cmpint (elf.e_machine, ==, 248);
          g_assert_cmpint (gelf_getclass (member), ==, ELFCLASS32);
          g_assert_cmpint (elf_getshdrstrndx (member, &names), ==, 0);
          while ((scn = elf_nextscn (member, scn)) != NULL)
            {
              gelf_getshdr (scn, &section);
              if (g_strcmp0 (elf_strptr (member, names, section.sh_name), ".text") == 0)
                text = section.sh_size;
            }
          g_assert_cmpint (text, ==, tsr_test_query (profile_folder, "profile.pop", sql));
          n++;
        }
      command = elf_next (member);
      elf_end (member);
    }
  g_assert_cmpuint (n, ==, expected);
  elf_end (archive);
  close (fd);
}

static void
test_archive (void)
{
  g_autofree char *tiny = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), "tiny", NULL);
  g_autofree char *demo = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), "demo", NULL);
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "archive.a", NULL);
  GStatBuf info;

  check_archive (tiny, tiny, 8);
  check_archive (demo, demo, 2944);
  g_assert_cmpint (
      run (NULL, "--only=archive", "--full-archive", "--archive-tiles=40", "demo", folder, NULL),
      ==, 0);
  check_archive (folder, demo, 40);
  /* As large as it says, but made of holes. */
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_size, >,
                   tsr_test_query (demo, "profile.pop",
                                   "SELECT sum (total) FROM memory_by_tile WHERE tile < 40"));
  tsr_test_folder_free (folder);
}

/* ---- debug.cbor */

static cbor_item_t *
member_of (cbor_item_t *map, const char *key)
{
  for (size_t i = 0; i < cbor_map_size (map); i++)
    {
      cbor_item_t *name = cbor_map_handle (map)[i].key;

      if (cbor_string_length (name) == strlen (key)
          && memcmp (cbor_string_handle (name), key, strlen (key)) == 0)
        return cbor_map_handle (map)[i].value;
    }
  return NULL;
}

static gint64
index_of (const cbor_item_t *item)
{
  return cbor_isa_float_ctrl (item) ? (gint64)cbor_float_get_float (item)
                                    : (gint64)cbor_get_int (item);
}

static void
test_debug (gconstpointer name)
{
  g_autofree char *folder = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), name, NULL);
  g_autoptr (GBytes) bytes = contents (folder, "debug.cbor");
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GHashTable) waiting
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  struct cbor_load_result result;
  cbor_item_t *root = cbor_load (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &result);
  cbor_item_t *contexts, *strings;
  gint64 known;

  g_assert_cmpint (result.error.code, ==, CBOR_ERR_NONE);
  g_assert_cmpuint (result.read, ==, g_bytes_get_size (bytes));
  g_assert_true (cbor_map_is_indefinite (root));
  contexts = member_of (root, "contexts");
  strings = member_of (root, "stringTable");
  g_assert_true (cbor_array_is_indefinite (contexts) && cbor_array_is_indefinite (strings));
  for (size_t i = 0; i < cbor_array_size (contexts); i++)
    {
      cbor_item_t *context = cbor_array_handle (contexts)[i];
      const gint64 id = cbor_get_int (member_of (context, "id"));
      cbor_item_t *parent = member_of (context, "parentId");

      g_assert_true (g_hash_table_add (seen, g_memdup2 (&id, sizeof id)));
      g_hash_table_remove (waiting, &id);
      g_assert_cmpint (index_of (member_of (context, "name")), <, cbor_array_size (strings));
      if (parent != NULL)
        {
          const gint64 parent_id = cbor_get_int (parent);

          /* Children come first. */
          g_assert_false (g_hash_table_contains (seen, &parent_id));
          g_hash_table_add (waiting, g_memdup2 (&parent_id, sizeof parent_id));
        }
    }
  g_assert_cmpuint (g_hash_table_size (waiting), ==, 0);
  /* What the profile names is here. */
  for (gint64 i = 0;; i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "SELECT debug_id FROM (SELECT debug_id FROM programs UNION SELECT debug_id FROM "
          "variables)"
          " WHERE debug_id IS NOT NULL ORDER BY 1 LIMIT 1 OFFSET %" G_GINT64_FORMAT,
          i);

      known = tsr_test_query (folder, "profile.pop", sql);
      if (known == G_MININT64)
        {
          g_assert_cmpint (i, >, 1);
          break;
        }
      g_assert_true (g_hash_table_contains (seen, &known));
    }
  cbor_decref (&root);
}

/* The number of steps is what was asked for, whatever it is. */
static void
test_trace (void)
{
  static const char *const numbers[] = { "1", "17", "5000" };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      char *folder = tsr_test_folder_new ();
      const gint64 n = g_ascii_strtoll (numbers[i], NULL, 10);

      g_assert_cmpint (run (NULL, "--only=profile", "trace", numbers[i], folder, NULL), ==, 0);
      g_assert_cmpint (tsr_test_query (folder, "profile.pop", "SELECT count (*) FROM steps"), ==,
                       n);
      g_assert_cmpint (tsr_test_query (folder, "profile.pop", "SELECT count (*) FROM steps_by_ipu"),
                       ==, 4 * n);
      g_assert_cmpint (tsr_test_query (folder, "profile.pop", "SELECT max (end_step) FROM runs"),
                       ==, n);
      tsr_test_folder_free (folder);
    }
}

static void
test_sizes (void)
{
  static const struct
  {
    const char *name;
    gint64 limit;
  } limits[] = { { "tiny", 1000000 }, { "demo", 10000000 }, { "oom", 10000000 } };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      gint64 sum = 0;

      for (guint k = 0; k < G_N_ELEMENTS (file_names); k++)
        {
          g_autofree char *path = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"),
                                                    limits[i].name, file_names[k], NULL);
          GStatBuf info;

          g_assert_cmpint (g_stat (path, &info), ==, 0);
          sum += info.st_size;
        }
      g_assert_cmpint (sum, <, limits[i].limit);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/make-report/same/tiny", "tiny", test_same);
  g_test_add_data_func ("/make-report/same/demo", "demo", test_same);
  g_test_add_func ("/make-report/framework", test_framework);
  g_test_add_func ("/make-report/usage", test_usage);
  g_test_add_func ("/make-report/confirmed", test_confirmed);
  g_test_add_func ("/make-report/tiny", test_tiny);
  g_test_add_func ("/make-report/archive", test_archive);
  g_test_add_data_func ("/make-report/debug/tiny", "tiny", test_debug);
  g_test_add_data_func ("/make-report/debug/demo", "demo", test_debug);
  g_test_add_func ("/make-report/trace", test_trace);
  g_test_add_func ("/make-report/sizes", test_sizes);
  return g_test_run ();
}
