/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli as a program: words, exit status, broken pipes, bad files, check and render. */

#include "config.h"

#include "cli-test.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------- words */

static void
test_help (void)
{
  const char *const commands[]
      = { "summary", "memory", "insights", "check", "schema", "render", "cache" };
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) version = { 0 };

  cli_run (&run, "--help", NULL);
  g_assert_cmpint (run.status, ==, 0);
  cli_run (&version, "--version", NULL);
  g_assert_cmpint (version.status, ==, 0);
  g_assert_cmpstr (version.out, ==, "tessera-cli " TSR_VERSION "\n");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (CliRun) help = { 0 };

      g_assert_nonnull (strstr (run.out, commands[i]));
      cli_run (&help, commands[i], "--help", NULL);
      g_assert_cmpint (help.status, ==, 0);
      g_assert_nonnull (strstr (help.out, commands[i]));
      g_assert_cmpstr (help.err, ==, "");
    }
}

static void
test_wrong_words (void)
{
  char *folder = cli_report_new ("tiny");
  const char *const calls[][5] = {
    { "memory" },
    { "memory", folder, folder },
    { "memory", "--nonsense", folder },
    { "memory", "--format=xml", folder },
    { "memory", "--limit=0", folder },
    { "memory", "--limit=many", folder },
    { "memory", "--units=stones", folder },
    { "memory", "--tile=ipu99", folder },
    { "memory", "--tile=5-", folder },
    { "memory", "--tile=99999999999999999999", folder },
    { "summary", "ssh://" },
    { "summary", "ssh://host:port/path" },
    { "summary", "--jump=a,,b", folder },
    { "summary", "--identity=/nonexistent", folder },
    { "cache", folder },
    { "cache", "--batch" },
    { "summary", "" },
    { "check", "--budget=/nonexistent", folder },
    { "render", folder },
    { "render", "--view=graph", "--output=/tmp/x.png", folder },
    { "render", "--view=trace", "--gaps", "--output=/tmp/x.png", folder },
    { "render", "--view=memory", "--bsp", "--output=/tmp/x.png", folder },
    { "render", "--view=memory", folder },
  };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_auto (CliRun) run = { 0 };

      cli_run (&run, calls[i][0], calls[i][1], calls[i][2], calls[i][3], NULL);
      if (run.status != 2)
        g_error ("%s %s: %d", calls[i][0], calls[i][1], run.status);
      g_assert_cmpstr (run.out, ==, "");
      g_assert_true (g_str_has_prefix (run.err, "tessera-cli: "));
    }
  tsr_test_folder_free (folder);
}

static void
test_unknown_command (void)
{
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) none = { 0 };

  cli_run (&run, "frobnicate", "/tmp", NULL);
  g_assert_cmpint (run.status, ==, 2);
  g_assert_cmpstr (run.out, ==, "");
  g_assert_nonnull (strstr (run.err, "frobnicate"));
  g_assert_nonnull (strstr (run.err, "schema"));
  cli_run (&none, NULL);
  g_assert_cmpint (none.status, ==, 2);
}

/* --------------------------------------------------------------- bad files */

static void
expect_refused (const char *path, const char *word)
{
  const char *const commands[] = { "summary", "memory", "insights", "check" };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (CliRun) run = { 0 };

      cli_run (&run, commands[i], "--format=json", path, NULL);
      if (run.status != 2)
        g_error ("%s %s: %d\n%s", commands[i], path, run.status, run.err);
      g_assert_cmpstr (run.out, ==, "");
      if (word != NULL && strstr (run.err, word) == NULL)
        g_error ("\"%s\" is not in: %s", word, run.err);
    }
}

static void
test_refused (void)
{
  char *empty = tsr_test_folder_new ();
  char *text = tsr_test_folder_new ();
  char *lfs = tsr_test_folder_new ();
  char *several = tsr_test_folder_new ();
  char *report = cli_report_new ("tiny");
  g_autofree char *training = g_build_filename (several, "training", NULL);
  g_autofree char *inference = g_build_filename (several, "inference", NULL);

  expect_refused ("/nonexistent/report", NULL);
  expect_refused (empty, "No graph profile found");
  tsr_test_write (text, "profile.pop", "just words\n", -1);
  expect_refused (text, "profile.pop");
  tsr_test_write (lfs, "profile.pop", "version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
                  -1);
  expect_refused (lfs, "git-lfs");
  g_assert_cmpint (rename (report, training), ==, 0);
  g_free (report);
  report = cli_report_new ("tiny");
  g_assert_cmpint (rename (report, inference), ==, 0);
  expect_refused (several, "inference");
  g_free (report);
  tsr_test_folder_free (several);
  tsr_test_folder_free (lfs);
  tsr_test_folder_free (text);
  tsr_test_folder_free (empty);
}

/* Whatever the bytes are: an exit status of ours, and JSON or nothing. */
static void
expect_no_crash (const char *folder)
{
  const char *const commands[] = { "summary", "memory", "insights", "check" };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (CliRun) run = { 0 };
      g_autoptr (JsonNode) json = NULL;
      g_autoptr (GError) error = NULL;

      cli_run (&run, commands[i], "--format=json", folder, NULL);
      if (run.status > 2)
        g_error ("%s: status %d\n%s", commands[i], run.status, run.err);
      if (run.status == 2)
        {
          g_assert_cmpstr (run.out, ==, "");
          g_assert_cmpstr (run.err, !=, "");
          continue;
        }
      json = json_from_string (run.out, &error);
      g_assert_no_error (error);
      g_assert_true (JSON_NODE_HOLDS_OBJECT (json));
    }
}

static void
test_damaged (void)
{
  char *report = cli_report_new ("tiny");
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (report, "profile.pop", NULL);
  g_autofree char *bytes = NULL;
  const guint n = tsr_test_rounds (24);
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (guint i = 1; i < 8; i++)
    {
      tsr_test_write (folder, "profile.pop", bytes, (gssize)(length * i / 8));
      expect_no_crash (folder);
    }
  for (guint i = 0; i < n; i++)
    {
      gsize at = (gsize)g_test_rand_int_range (0, (gint32)length);
      char was = bytes[at];

      bytes[at] = (char)g_test_rand_int ();
      tsr_test_write (folder, "profile.pop", bytes, (gssize)length);
      expect_no_crash (folder);
      bytes[at] = was;
    }
  tsr_test_folder_free (folder);
  tsr_test_folder_free (report);
}

static void
test_absurd (void)
{
  const char *const changes[] = {
    "UPDATE target SET tiles_per_ipu = 2147483648",
    "UPDATE target SET tiles_per_ipu = -5, bytes_per_tile = 9223372036854775807",
    "UPDATE target SET num_ipus = 'many', clock_frequency = 'fast'",
    "UPDATE memory_by_tile SET including_gaps = 9223372036854775807",
    "UPDATE vars_info SET size_bytes = 9223372036854775807, tile = 9223372036854775807",
    "UPDATE vars_info SET tile = -1, category = 'x', equivalence_class = x'00'",
    "UPDATE equivalence_class_intervals SET start_step = -9223372036854775807",
    "UPDATE liveness_steps SET step = step * 1000000000",
    "UPDATE tile_arrays SET data = zeroblob (3), encoding = 77",
    "UPDATE steps_by_ipu SET ipu = 9223372036854775807 - ipu, cycles_base = 9223372036854775807",
    "UPDATE program_children SET child = parent",
    "UPDATE memory_by_tile_category SET non_overlapped = -1, overlapped = 'x'",
    "DROP TABLE target",
    "DROP TABLE vars_info; CREATE VIEW vars_info AS SELECT 1 AS tile, 2 AS size_bytes",
    "UPDATE tile_vars SET end_var = first_var - 7",
    "DELETE FROM liveness_steps",
    "UPDATE runs SET first_step = 9223372036854775807, end_step = -9223372036854775808",
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      char *folder = cli_report_new ("tiny");

      tsr_test_sql (folder, "profile.pop", changes[i]);
      expect_no_crash (folder);
      tsr_test_folder_free (folder);
    }
}

/* ------------------------------------------------------------------- pipes */

/* Runs "memory --format=json" with @out as its stdout; the exit status as a shell gives it. */
static int
run_into (const char *folder, int out, char **err)
{
  const char *words[] = { g_getenv ("TESSERA_CLI"), "memory", "--format=json", folder, NULL };
  g_autoptr (GError) error = NULL;
  int err_fd;
  GPid pid;
  int status;
  GString *text = g_string_new (NULL);
  char buffer[512];
  gssize n;

  g_spawn_async_with_pipes_and_fds (NULL, words, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, -1,
                                    out, -1, NULL, NULL, 0, &pid, NULL, NULL, &err_fd, &error);
  g_assert_no_error (error);
  while ((n = read (err_fd, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  close (err_fd);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  *err = g_string_free (text, FALSE);
  return WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
}

static void
test_broken_pipe (void)
{
  char *folder = cli_report_new ("tiny");
  g_autofree char *err = NULL;
  int ends[2];

  /* As under a parent that ignores the signal. */
  signal (SIGPIPE, SIG_IGN);
  g_assert_cmpint (pipe (ends), ==, 0);
  close (ends[0]);
  g_assert_cmpint (run_into (folder, ends[1], &err), ==, 128 + SIGPIPE);
  g_assert_cmpstr (err, ==, "");
  close (ends[1]);
  tsr_test_folder_free (folder);
}

static void
test_full_disk (void)
{
  char *folder = cli_report_new ("tiny");
  g_autofree char *err = NULL;
  int full = open ("/dev/full", O_WRONLY);

  if (full < 0)
    {
      g_test_skip ("no /dev/full");
      return;
    }
  g_assert_cmpint (run_into (folder, full, &err), ==, 1);
  g_assert_nonnull (strstr (err, "could not be written"));
  close (full);
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------------- check */

static void
test_check_clean (gconstpointer data)
{
  char *folder = cli_report_new (data);
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) text = { 0 };
  g_autofree char *keys = NULL;

  cli_run_json (&run, "check", folder, NULL);
  if (run.status != 0)
    g_error ("%s", run.err);
  keys = cli_keys (run.json, NULL);
  g_assert_cmpstr (keys, ==, "ok diagnostics budgets");
  g_assert_true (json_node_get_boolean (cli_member (run.json, "ok")));
  g_assert_cmpint (json_array_get_length (cli_array (run.json, "diagnostics")), ==, 0);
  g_assert_cmpint (json_array_get_length (cli_array (run.json, "budgets")), ==, 0);
  cli_run (&text, "check", folder, NULL);
  g_assert_cmpint (text.status, ==, 0);
  g_assert_nonnull (strstr (text.out, "Fine"));
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

static void
test_check_findings (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) limited = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  JsonArray *diagnostics;
  JsonNode *first;
  g_autofree char *keys = NULL;

  tsr_test_sql (folder, "profile.pop",
                "UPDATE steps_by_ipu SET tile_balance = 7 WHERE tile_balance IS NOT NULL");
  cli_run_json (&run, "check", folder, NULL);
  g_assert_cmpint (run.status, ==, 1);
  g_assert_false (json_node_get_boolean (cli_member (run.json, "ok")));
  diagnostics = cli_array (run.json, "diagnostics");
  g_assert_cmpint (json_array_get_length (diagnostics), >=, 2);
  first = json_array_get_element (diagnostics, 0);
  keys = cli_keys (first, NULL);
  g_assert_cmpstr (keys, ==, "severity code file table row offset text");
  g_assert_cmpstr (json_node_get_string (cli_member (first, "severity")), ==, "error");
  g_assert_cmpstr (json_node_get_string (cli_member (first, "code")), ==, "value-out-of-range");
  g_assert_cmpstr (json_node_get_string (cli_member (first, "file")), ==, "profile.pop");
  g_assert_cmpstr (json_node_get_string (cli_member (first, "table")), ==, "steps_by_ipu");
  g_assert_nonnull (strstr (run.err, "steps_by_ipu"));
  cli_run_json (&limited, "check", "--limit=1", folder, NULL);
  g_assert_cmpint (json_array_get_length (cli_array (limited.json, "diagnostics")), ==, 1);
  g_assert_true (json_node_get_boolean (cli_member (limited.json, "truncated")));
  cli_run (&csv, "check", "--format=csv", folder, NULL);
  g_assert_cmpint (csv.status, ==, 1);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpint (lines->len, ==, 1 + json_array_get_length (diagnostics));
  tsr_test_folder_free (folder);
}

/* "3,5" of an array of ids. (transfer full) */
static char *
join_ids (JsonArray *ids)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (ids); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "",
                            json_array_get_int_element (ids, i));
  return g_string_free (text, FALSE);
}

/* Programs that stand whole in the tree, and those that are only referred to. */
static void
count_nested (JsonArray *array, guint *n_whole, guint *n_seen)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *program = json_array_get_object_element (array, i);

      if (json_object_has_member (program, "seen"))
        ++*n_seen;
      else
        {
          ++*n_whole;
          count_nested (json_object_get_array_member (program, "children"), n_whole, n_seen);
        }
    }
}

/* Every program once with the ids of those below it, and the tree with every edge once. */
static void
test_programs (void)
{
  char *folder = cli_report_new ("tiny");
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (
      folder, "profile.pop", "SELECT id, type, name, compute_set FROM programs ORDER BY id");
  g_autoptr (GPtrArray) below = tsr_test_query_rows (
      folder, "profile.pop",
      "SELECT p.id, coalesce((SELECT group_concat(c.child, ',') FROM (SELECT child FROM "
      "program_children WHERE parent = p.id ORDER BY position) c), p.callee, '') FROM programs p "
      "ORDER BY p.id");
  g_auto (CliRun) flat = { 0 }, csv = { 0 }, tree = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  guint n_whole = 0, n_seen = 0;
  JsonArray *list;

  cli_run_json (&flat, "programs", folder, NULL);
  g_assert_cmpint (flat.status, ==, 0);
  list = json_node_get_array (flat.json);
  cli_compare_rows (list, "id type name computeSet", rows);
  for (guint i = 0; i < below->len; i++)
    {
      JsonObject *program = json_array_get_object_element (list, i);
      g_autofree char *ids = join_ids (json_object_get_array_member (program, "children"));

      g_assert_cmpstr (ids, ==, ((GStrv)g_ptr_array_index (below, i))[1]);
    }
  cli_run (&csv, "programs", "--format=csv", folder, NULL);
  g_assert_cmpint (csv.status, ==, 0);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpint (lines->len, ==, 1 + rows->len);
  cli_run_json (&tree, "programs", "--tree", folder, NULL);
  g_assert_cmpint (tree.status, ==, 0);
  count_nested (json_node_get_array (tree.json), &n_whole, &n_seen);
  g_assert_cmpint (n_whole, ==, rows->len);
  g_assert_cmpint (n_whole + n_seen, ==,
                   tsr_test_ask (folder,
                                 "SELECT (SELECT count(*) FROM program_children) + (SELECT "
                                 "count(callee) FROM programs) + (SELECT count(*) FROM "
                                 "program_roots WHERE compilation_step = (SELECT max(id) FROM "
                                 "compilation_steps))"));
  tsr_test_folder_free (folder);
}

static void
test_budgets (void)
{
  char *folder = cli_report_new ("tiny");
  g_autofree char *option = g_strdup_printf ("--budget=%s/budget.txt", folder);
  gint64 fullest = tsr_test_ask (folder, "SELECT max(including_gaps) FROM memory_by_tile");
  g_autofree char *kept
      = g_strdup_printf ("# limits\n maxTileBytes = %d # the fullest\n\n", (int)fullest);
  g_autofree char *exceeded = g_strdup_printf ("maxTileBytes = %d", (int)fullest - 1);
  g_auto (CliRun) fine = { 0 };
  g_auto (CliRun) over = { 0 };
  g_auto (CliRun) text = { 0 };
  g_auto (CliRun) wrong = { 0 };
  JsonNode *budget;
  g_autofree char *keys = NULL;

  tsr_test_write (folder, "budget.txt", kept, -1);
  cli_run_json (&fine, "check", option, folder, NULL);
  g_assert_cmpint (fine.status, ==, 0);
  budget = json_array_get_element (cli_array (fine.json, "budgets"), 0);
  keys = cli_keys (budget, NULL);
  g_assert_cmpstr (keys, ==, "name limit value ok");
  g_assert_cmpint (cli_int (budget, "value"), ==, fullest);
  g_assert_true (json_node_get_boolean (cli_member (budget, "ok")));

  tsr_test_write (folder, "budget.txt", exceeded, -1);
  cli_run_json (&over, "check", option, folder, NULL);
  g_assert_cmpint (over.status, ==, 1);
  g_assert_false (json_node_get_boolean (cli_member (over.json, "ok")));

  /* People are told what is not fine. */
  cli_run (&text, "check", option, folder, NULL);
  g_assert_nonnull (strstr (text.out, "Not fine: 1 budget not kept, 0 errors, "));

  tsr_test_write (folder, "budget.txt", "maxTileByte = 5", -1);
  cli_run (&wrong, "check", option, folder, NULL);
  g_assert_cmpint (wrong.status, ==, 2);
  g_assert_nonnull (strstr (wrong.err, "maxTileByte"));
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------------ render */

/* How often @word stands in @text. */
static guint
count_words (const char *text, const char *word)
{
  guint n = 0;

  for (const char *at = text; (at = strstr (at, word)) != NULL; at += strlen (word))
    n++;
  return n;
}

static void
test_render_trace (void)
{
  char *folder = cli_report_new ("tiny");
  char *out = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (out, "a.svg", NULL);
  g_autofree char *option = g_strconcat ("--output=", path, NULL);
  gint64 n_ipus = tsr_test_ask (folder, "SELECT count(DISTINCT ipu) FROM steps_by_ipu");
  gint64 n_runs = tsr_test_ask (folder, "SELECT count(*) FROM runs");
  g_autofree char *all_but = g_strdup_printf ("--ipu=%" G_GINT64_FORMAT, n_ipus);
  g_autofree char *beyond = g_strdup_printf ("--run=%" G_GINT64_FORMAT, n_runs);
  g_autofree char *contents = NULL;
  g_auto (CliRun) run = { 0 };
  const char *const refused[]
      = { all_but,   beyond,     "--run=last", "--exclude=Nothing", "--step=peak", "--filter=/(/",
          "--to=-5", "--from=x", "--gaps",     "--no-structure" };

  g_assert_cmpint (n_ipus, >, 1);
  cli_run (&run, "render", "--view=trace", option, "--size=1000x700", "--step=0", "--bsp", "--flat",
           "--time", "--filter=x", folder, NULL);
  if (run.status != 0)
    g_error ("%s", run.err);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpuint (count_words (contents, ">Tiles<"), ==, n_ipus);
  g_assert_nonnull (strstr (contents, ">Execution trace"));
  g_assert_nonnull (strstr (contents, ">Time<"));
  g_assert_nonnull (strstr (contents, ">OnTileExecute<"));
  g_clear_pointer (&contents, g_free);
  g_assert_cmpint (g_remove (path), ==, 0);

  cli_run (&run, "render", "--view=trace", option, "--ipu=0", "--run=all",
           "--exclude=OnTileExecute", "--no-labels", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_null (strstr (contents, ">Tiles<"));
  g_assert_null (strstr (contents, ">OnTileExecute<"));
  g_assert_nonnull (strstr (contents, ">Cycles<"));
  g_assert_cmpint (g_remove (path), ==, 0);

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      cli_run (&run, "render", "--view=trace", option, refused[i], folder, NULL);
      if (run.status != 2)
        g_error ("%s: %d %s", refused[i], run.status, run.err);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  tsr_test_folder_free (out);
  tsr_test_folder_free (folder);
}

static void
test_render (void)
{
  char *folder = cli_report_new ("tiny");
  char *out = tsr_test_folder_new ();
  static const struct
  {
    const char *name, *head, *option;
  } kinds[] = { { "a.png", "\x89PNG", "--dark" },
                { "a.svg", "<?xml", "--breakdown=category" },
                { "b.svg", "<?xml", "--breakdown=peak" },
                { "a.pdf", "%PDF", "--breakdown=region" } };
  const char *const refused[][2] = { { "a.jpg", "--gaps" },
                                     { "b.png", "--size=10" },
                                     { "b.png", "--size=99999x99999" },
                                     { "b.png", "--breakdown=colour" },
                                     { "b.png", "--order=random" },
                                     { "b.png", "--tile=x" },
                                     { "b.png", "--from=9" },
                                     { "b.png", "--scale=0" } };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_build_filename (out, kinds[i].name, NULL);
      g_autofree char *option = g_strconcat ("--output=", path, NULL);
      g_autofree char *contents = NULL;
      gsize length;
      g_auto (CliRun) run = { 0 };

      cli_run (&run, "render", "--view=memory", option, "--size=640x360", kinds[i].option, folder,
               NULL);
      if (run.status != 0)
        g_error ("%s", run.err);
      g_assert_cmpstr (run.out, ==, "");
      g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
      g_assert_true (g_str_has_prefix (contents, kinds[i].head));
      if (i == 0)
        {
          /* IHDR: width and height. */
          g_assert_cmpmem (contents + 16, 8, "\0\0\x02\x80\0\0\x01\x68", 8);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_build_filename (out, refused[i][0], NULL);
      g_autofree char *option = g_strconcat ("--output=", path, NULL);
      g_auto (CliRun) run = { 0 };

      cli_run (&run, "render", "--view=memory", option, refused[i][1], folder, NULL);
      if (run.status != 2)
        g_error ("%s: %d %s", refused[i][1], run.status, run.err);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  tsr_test_folder_free (out);
  tsr_test_folder_free (folder);
}

/* The picture says which source, how many steps, and marks what was asked for; words that are off
 * are refused and nothing is written. */
static void
test_render_liveness (void)
{
  char *folder = cli_report_new ("tiny");
  char *out = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (out, "a.svg", NULL);
  g_autofree char *option = g_strconcat ("--output=", path, NULL);
  gint64 n = tsr_test_ask (folder, "SELECT count(*) FROM liveness_steps");
  gint64 peak = tsr_test_ask (folder, "SELECT step FROM liveness_steps ORDER BY"
                                      " not_always_live_bytes DESC, step LIMIT 1");
  g_autofree char *caption
      = g_strdup_printf (">Memory live at %" G_GINT64_FORMAT " program steps, All tiles<", n);
  g_autofree char *too_far = g_strdup_printf ("--step=%" G_GINT64_FORMAT, n);
  g_autofree char *contents = NULL;
  g_auto (CliRun) run = { 0 };
  const char *const refused[]
      = { too_far,           "--step=1,2,3,4,5,6,7", "--source=ipu99",     "--source=nowhere",
          "--variable=none", "--filter=/(/",         "--breakdown=region", "--gaps" };

  g_assert_cmpint (peak, >=, 0);
  cli_run (&run, "render", "--view=liveness", "--source=all", option, "--step=0,peak", folder,
           NULL);
  if (run.status != 0)
    g_error ("%s", run.err);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_nonnull (strstr (contents, caption));
  g_assert_nonnull (strstr (contents, ">A<"));
  g_assert_nonnull (strstr (contents, ">B<"));
  g_assert_nonnull (strstr (contents, ">Always live<"));
  g_clear_pointer (&contents, g_free);
  g_assert_cmpint (g_remove (path), ==, 0);

  cli_run (&run, "render", "--view=liveness", "--source=tile1", "--no-always-live", "--no-max",
           "--no-structure", "--no-peaks", option, folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_nonnull (strstr (contents, ", Tile 1<"));
  g_assert_null (strstr (contents, ">Always live<"));
  g_assert_cmpint (g_remove (path), ==, 0);

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      cli_run (&run, "render", "--view=liveness", option, refused[i], folder, NULL);
      if (run.status != 2)
        g_error ("%s: %d %s", refused[i], run.status, run.err);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  tsr_test_folder_free (out);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/help", test_help);
  g_test_add_func ("/cli/wrong-words", test_wrong_words);
  g_test_add_func ("/cli/unknown-command", test_unknown_command);
  g_test_add_func ("/cli/refused", test_refused);
  g_test_add_func ("/cli/damaged", test_damaged);
  g_test_add_func ("/cli/absurd", test_absurd);
  g_test_add_func ("/cli/broken-pipe", test_broken_pipe);
  g_test_add_func ("/cli/full-disk", test_full_disk);
  g_test_add_data_func ("/cli/check/clean/tiny", "tiny", test_check_clean);
  g_test_add_data_func ("/cli/check/clean/demo", "demo", test_check_clean);
  g_test_add_data_func ("/cli/check/clean/oom", "oom", test_check_clean);
  g_test_add_func ("/cli/check/findings", test_check_findings);
  g_test_add_func ("/cli/check/budgets", test_budgets);
  g_test_add_func ("/cli/programs", test_programs);
  g_test_add_func ("/cli/render", test_render);
  g_test_add_func ("/cli/render/liveness", test_render_liveness);
  g_test_add_func ("/cli/render/trace", test_render_trace);
  return g_test_run ();
}
