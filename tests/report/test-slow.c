/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A report whose reading is slow, whole and stage by stage as pages ask for it: in the end there is
 * what a quick one has, and the same is complained of, once.  And one of which a read fails: a
 * stage has all of it, or says so. */

#include "config.h"

#include "tables-test.h"

#include "tsr-test-place.h"
#include "tsr-view-words.h"

/* Of the stages, in their order. */
#define LETTERS "SMPLEVD"

static guint n_fetched_whole; /* atomic: of profile.pop */

static void
note_prefetch (TsrSource *source, const TsrSourceRange *ranges, guint n)
{
  if (ranges == NULL && g_str_equal (tsr_source_get_base_name (source), "profile.pop"))
    g_atomic_int_inc (&n_fetched_whole);
}

static const TsrTestPlaceHooks far_away = { .prefetch = note_prefetch };

#define PLANTED "planted here"
static int n_reads; /* atomic */
static int failing; /* which of them */

static gboolean
fail_one (TsrSource *source, gint64 offset, gsize length, GError **error)
{
  if (g_atomic_int_add (&n_reads, 1) != failing)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE, PLANTED);
  return FALSE;
}

static const TsrTestPlaceHooks unsteady = { .read = fail_one };

/* ------------------------------------------------------------------- what is in it */

#define SAME(array, n)                                                                             \
  g_assert_cmpmem (a->array, a->array != NULL ? (n) * sizeof *a->array : 0, b->array,              \
                   b->array != NULL ? (n) * sizeof *b->array : 0)

static void
check_memory (const TsrMemoryTables *a, const TsrMemoryTables *b)
{
  g_assert_cmpuint (a->tiles.n_tiles, ==, b->tiles.n_tiles);
  SAME (tiles.total, a->tiles.n_tiles);
  SAME (tiles.including_gaps, a->tiles.n_tiles);
  g_assert_cmpint (a->regions.present, ==, b->regions.present);
  g_assert_cmpuint (a->categories.n_categories, ==, b->categories.n_categories);
  g_assert_cmpint (a->by_category.present, ==, b->by_category.present);
}

static void
check_program (const TsrProgramTables *a, const TsrProgramTables *b)
{
  g_assert_cmpuint (a->n_programs, ==, b->n_programs);
  g_assert_true (a->has_structure && b->has_structure);
  SAME (program_id, a->n_programs);
  SAME (program_callee, a->n_programs);
  SAME (program_code, a->n_programs);
  SAME (child_start, a->n_programs + 1);
  SAME (child, a->child_start[a->n_programs]);
  SAME (vertex_start, a->n_compute_sets + 1);
  SAME (vertex_count, a->vertex_start[a->n_compute_sets]);
  for (guint i = 0; i < a->n_programs; i++)
    g_assert_cmpstr (tsr_string_table_get (a->strings, a->program_name[i]), ==,
                     tsr_string_table_get (b->strings, b->program_name[i]));
}

static void
check_liveness (const TsrLivenessTables *a, const TsrLivenessTables *b)
{
  g_assert_cmpuint (a->n_steps, ==, b->n_steps);
  g_assert_cmpuint (a->n_variables, ==, b->n_variables);
  SAME (step_program, a->n_steps);
  SAME (step_bytes, a->n_steps);
  SAME (variable_id, a->n_variables);
  SAME (variable_size, a->n_variables);
  SAME (variable_ipu_bytes, (gsize)a->n_variables * a->n_variable_ipus);
}

static void
check_execution (const TsrExecutionTables *a, const TsrExecutionTables *b)
{
  g_assert_cmpuint (a->n_steps, ==, b->n_steps);
  g_assert_cmpuint (a->n_ipus, ==, b->n_ipus);
  g_assert_cmpuint (a->n_runs, ==, b->n_runs);
  SAME (step_program, a->n_steps);
  SAME (ipu_start, a->n_ipus + 1);
  SAME (slice_start, a->ipu_start[a->n_ipus]);
  SAME (slice_end, a->ipu_start[a->n_ipus]);
}

static void
check_lowered (const TsrLoweredTables *a, const TsrLoweredTables *b)
{
  g_assert_cmpuint (a->n, ==, b->n);
  SAME (tile_start, a->n_tiles + 1);
  SAME (size, a->n);
  SAME (variable, a->n);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
list_lines (TsrReport *report)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_ptr_array_add (lines, tsr_diagnostic_dup_line (tsr_diagnostics_get (diagnostics, i)));
  g_ptr_array_sort (lines, compare_lines);
  return lines;
}

static void
check_same (TsrReport *slow, TsrReport *quick)
{
  g_autoptr (GPtrArray) says = list_lines (slow), wanted = list_lines (quick);

  for (TsrStage stage = TSR_STAGE_SUMMARY; stage < TSR_N_STAGES; stage++)
    g_assert_cmpint (tsr_report_get_stage_state (slow, stage), ==,
                     tsr_report_get_stage_state (quick, stage));
  check_memory (tsr_report_get_memory_tables (slow), tsr_report_get_memory_tables (quick));
  check_program (tsr_report_get_program_tables (slow), tsr_report_get_program_tables (quick));
  check_liveness (tsr_report_get_liveness_tables (slow), tsr_report_get_liveness_tables (quick));
  check_execution (tsr_report_get_execution_tables (slow), tsr_report_get_execution_tables (quick));
  check_lowered (tsr_report_get_lowered_tables (slow), tsr_report_get_lowered_tables (quick));
  g_assert_cmpuint (says->len, ==, wanted->len);
  for (guint i = 0; i < says->len; i++)
    g_assert_cmpstr (says->pdata[i], ==, wanted->pdata[i]);
}

/* ------------------------------------------------------------------------ reading */

/* In all that is told of at least one stage. */
#define DAMAGE                                                                                     \
  "PRAGMA synchronous = OFF; UPDATE programs SET repeat_count = -3 WHERE id IN (5, 9);"            \
  "UPDATE memory_by_tile SET total = -1 WHERE tile = 7;"                                           \
  "UPDATE steps SET program = 99999999 WHERE id = 3;"                                              \
  "UPDATE liveness_steps SET program = 99999999 WHERE step = 4;"                                   \
  "UPDATE vars_info SET offset = -8 WHERE id = 7;"

typedef struct
{
  char *folder;
  TsrReport *quick;
  TsrPlace *place;
} Fixture;

static void
set_up (Fixture *f, gconstpointer sql)
{
  f->folder = make_report ("tiny");
  if (sql != NULL)
    tsr_test_sql (f->folder, "profile.pop", sql);
  f->quick = open_tables (f->folder, TSR_LOAD_ALL);
  f->place = tsr_test_place_new (&far_away);
  g_assert_cmpint (count_all (f->quick) > 0, ==, sql != NULL);
  n_fetched_whole = 0;
}

static void
tear_down (Fixture *f, gconstpointer sql)
{
  g_object_unref (f->place);
  g_object_unref (f->quick);
  tsr_test_folder_free (f->folder);
}

static void
test_whole (Fixture *f, gconstpointer sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) slow
      = tsr_report_open_sync (f->place, f->folder, TSR_LOAD_ALL, NULL, &error);

  g_assert_no_error (error);
  g_assert_false (tsr_report_is_on_demand (slow));
  check_same (slow, f->quick);
  g_assert_cmpint (g_atomic_int_get (&n_fetched_whole), ==, 1);
}

static gboolean
has_ended (TsrReport *report, TsrStage stage)
{
  TsrStageState state = tsr_report_get_stage_state (report, stage);

  return state == TSR_STAGE_READY || state == TSR_STAGE_FAILED;
}

static void
wait_for (TsrReport *report, TsrStage stage)
{
  while (!has_ended (report, stage))
    g_main_context_iteration (NULL, TRUE);
}

/* Every stage as the first one that somebody asks for, then the others. */
static void
test_on_demand (Fixture *f, gconstpointer sql)
{
  for (TsrStage first = TSR_STAGE_MEMORY; first < TSR_N_STAGES; first++)
    {
      g_autoptr (TsrReport) slow = tsr_report_open (f->place, f->folder, TSR_LOAD_ON_DEMAND);

      while (!has_ended (slow, TSR_STAGE_SUMMARY) || !tsr_report_is_on_demand (slow))
        g_main_context_iteration (NULL, FALSE);
      for (TsrStage stage = TSR_STAGE_MEMORY; stage < TSR_N_STAGES; stage++)
        g_assert_true (tsr_report_is_waiting (slow, stage));
      tsr_report_want (slow, first);
      g_assert_false (tsr_report_is_waiting (slow, first));
      wait_for (slow, first);
      g_assert_cmpint (tsr_report_get_stage_state (slow, first), ==, TSR_STAGE_READY);
      g_assert_nonnull (tsr_report_get_memory_tables (slow));
      for (TsrStage stage = TSR_STAGE_MEMORY; stage < TSR_N_STAGES; stage++)
        tsr_report_want (slow, stage);
      for (TsrStage stage = TSR_STAGE_MEMORY; stage < TSR_N_STAGES; stage++)
        wait_for (slow, stage);
      check_same (slow, f->quick);
    }
}

/* The letters of stages as they end. */
static void
note_end (TsrReport *report, int stage, gpointer data)
{
  GString *ended = data;

  if (stage >= 0 && has_ended (report, (TsrStage)stage)
      && strchr (ended->str, LETTERS[stage]) == NULL)
    g_string_append_c (ended, LETTERS[stage]);
}

/* (transfer full): in which order the stages of the report in @folder end; @wanted: those that are
 * asked for at once, as soon as it is known what there is; NULL: all of them, from the beginning.
 */
static char *
dup_order (TsrPlace *place, const char *folder, const char *wanted)
{
  g_autoptr (TsrReport) report
      = tsr_report_open (place, folder, wanted != NULL ? TSR_LOAD_ON_DEMAND : TSR_LOAD_ALL);
  GString *ended = g_string_new (NULL);

  g_signal_connect (report, "stage-changed", G_CALLBACK (note_end), ended);
  if (wanted != NULL)
    while (!has_ended (report, TSR_STAGE_SUMMARY) || !tsr_report_is_on_demand (report))
      g_main_context_iteration (NULL, FALSE);
  for (const char *letter = wanted; letter != NULL && *letter != '\0'; letter++)
    tsr_report_want (report, (TsrStage)(strchr (LETTERS, *letter) - LETTERS));
  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    if (wanted == NULL || strchr (wanted, LETTERS[stage]) != NULL)
      wait_for (report, stage);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_signal_handlers_disconnect_by_data (report, ended);
  return g_string_free (ended, FALSE);
}

/* Near by in the order of the pages; far away liveness before programs, which are much; and of an
 * archive's memory what stands on it waits for it. */
static void
test_order (Fixture *f, gconstpointer sql)
{
  g_autoptr (TsrPlace) near = tsr_local_place_new ();
  const struct
  {
    TsrPlace *place;
    const char *wanted, *ended;
  } cases[] = {
    { near, NULL, "SMPLEVD" }, { f->place, NULL, "SMLPEVD" }, { f->place, "D", "SD" },
    { f->place, "V", "SLV" },  { f->place, "L", "SL" },       { f->place, "P", "SP" },
    { f->place, "M", "SM" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *ended = dup_order (cases[i].place, f->folder, cases[i].wanted);

      g_assert_cmpstr (ended, ==, cases[i].ended);
    }
  tsr_test_sql (f->folder, "profile.pop", "DROP TABLE memory_by_tile");
  {
    g_autofree char *ended = dup_order (f->place, f->folder, "L");

    g_assert_cmpstr (ended, ==, "SML");
  }
}

/* What was read with one read failing, @failed, is all there, or it is said why not. */
static void
check_stages (TsrReport *report, TsrReport *whole, gboolean failed)
{
  g_autoptr (GPtrArray) says = list_lines (report);
  gboolean ready[TSR_N_STAGES];
  gboolean without_file = FALSE;

  for (guint i = 0; i < says->len; i++)
    without_file |= strstr (says->pdata[i], PLANTED) != NULL;
  g_assert_true (failed || says->len == 0);
  for (TsrStage stage = TSR_STAGE_SUMMARY; stage < TSR_N_STAGES; stage++)
    {
      const GError *error = tsr_report_get_stage_error (report, stage);

      ready[stage] = tsr_report_get_stage_state (report, stage) == TSR_STAGE_READY;
      g_assert_true (ready[stage] == (error == NULL));
      if (error != NULL && !without_file)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE);
      g_assert_true (failed || ready[stage]);
    }
  if (without_file)
    return;
    /* Where one is missing, the next have no places of it. */
#define CHECK(STAGE, part)                                                                         \
  g_assert_true (ready[STAGE] == (tsr_report_get_##part##_tables (report) != NULL));               \
  if (!ready[STAGE])                                                                               \
    return;                                                                                        \
  check_##part (tsr_report_get_##part##_tables (report), tsr_report_get_##part##_tables (whole))
  CHECK (TSR_STAGE_MEMORY, memory);
  CHECK (TSR_STAGE_PROGRAMS, program);
  CHECK (TSR_STAGE_LIVENESS, liveness);
  CHECK (TSR_STAGE_EXECUTION, execution);
  CHECK (TSR_STAGE_LOWERED, lowered);
#undef CHECK
}

/* Each read in turn. */
static void
test_failing (Fixture *f, gconstpointer sql)
{
  g_autoptr (TsrPlace) place = tsr_test_place_new (&unsteady);
  gboolean failed = TRUE;

  for (failing = 0; failed; failing++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = NULL;

      g_atomic_int_set (&n_reads, 0);
      report = tsr_report_open_sync (place, f->folder, TSR_LOAD_ALL, NULL, &error);
      failed = g_atomic_int_get (&n_reads) > failing;
      g_assert_true ((report == NULL) == (error != NULL));
      if (report != NULL)
        check_stages (report, f->quick, failed);
      if (report == NULL)
        g_test_message ("%d: %s", failing, error->message);
    }
  g_test_message ("%d reads", failing);
}

/* Tables of the report with a page that is none, and what that costs.  Looked at, each against what
 * its table is read for: a stage fails when it cannot do without, or a note says what is missing.
 */
static const char *const broken[] = {
  "report_info: note",
  "engine_options: note",
  "target: note",
  "graph: note",
  "memory_by_tile: M",
  "memory_by_tile_region: M",
  "var_categories: M",
  "memory_by_tile_category: M",
  "vars_string_table: V",
  "vars_info: V",
  "equivalence_class_intervals: V",
  "variables: L",
  "variables_by_ipu: L",
  "variable_lifetimes: L",
  "liveness_steps: L",
  "liveness_by_ipu: L",
  "programs: P",
  "program_children: P",
  "compilation_steps: P",
  "program_roots: P",
  "compute_sets: P",
  "vertex_types: P",
  "compute_set_vertices: P",
  "runs: E",
  "run_cycles_by_ipu: E",
  "steps: E",
  "steps_by_ipu: E",
  "blocks: E",
  "execution_cycle_totals: E",
  "tile_arrays: P",
};

/* What is there is what there was, as far as what it has places of is there. */
static void
check_parts (TsrReport *report, TsrReport *whole)
{
  gboolean has_memory = tsr_report_get_memory_tables (report) != NULL;
  gboolean has_programs = tsr_report_get_program_tables (report) != NULL;
  gboolean has_liveness = tsr_report_get_liveness_tables (report) != NULL;

#define CHECK(part, is_whole)                                                                      \
  if (tsr_report_get_##part##_tables (report) != NULL && (is_whole))                               \
  check_##part (tsr_report_get_##part##_tables (report), tsr_report_get_##part##_tables (whole))
  CHECK (memory, TRUE);
  CHECK (program, TRUE);
  CHECK (liveness, has_programs);
  CHECK (execution, has_programs);
  CHECK (lowered, has_memory && has_liveness);
#undef CHECK
}

/* Each page of the file in turn: a stage that is there has all of it, one that is not names the
 * table, and so does the note about what can be done without. */
static void
test_broken_pages (Fixture *f, gconstpointer sql)
{
  g_autofree char *path = g_build_filename (f->folder, "profile.pop", NULL);
  g_autoptr (GPtrArray) tables = tsr_test_ask_rows (
      f->folder, "SELECT rootpage, name FROM sqlite_master WHERE rootpage > 0 ORDER BY rootpage");
  g_autofree char *whole = NULL;
  gsize length;
  guint n_listed = 0;

  g_assert_true (g_file_get_contents (path, &whole, &length, NULL));
  for (guint i = 0; i < tables->len; i++)
    {
      const char *const *row = tables->pdata[i];
      g_autofree char *bytes = g_memdup2 (whole, length);
      g_autoptr (GString) said = g_string_new (row[1]);
      g_autoptr (GPtrArray) says = NULL;
      g_autoptr (TsrReport) report = NULL;

      bytes[(g_ascii_strtoull (row[0], NULL, 10) - 1) * 4096] = '\xff';
      tsr_test_write (f->folder, "profile.pop", bytes, (gssize)length);
      report = open_tables (f->folder, TSR_LOAD_ALL);
      g_string_append (said, ":");
      for (TsrStage stage = TSR_STAGE_SUMMARY; stage < TSR_N_STAGES; stage++)
        {
          const GError *error = tsr_report_get_stage_error (report, stage);

          g_assert_true ((error == NULL)
                         == (tsr_report_get_stage_state (report, stage) == TSR_STAGE_READY));
          if (error == NULL)
            continue;
          g_string_append_printf (said, " %c", LETTERS[stage]);
          g_assert_error (error, TSR_ERROR, TSR_ERROR_CORRUPT);
          g_assert_nonnull (strstr (error->message, "profile.pop"));
          g_assert_nonnull (strstr (error->message, row[1]));
        }
      says = list_lines (report);
      for (guint k = 0; k < says->len; k++)
        {
          g_assert_nonnull (strstr (says->pdata[k], row[1]));
          g_string_append (said, " note");
        }
      check_parts (report, f->quick);
      if (said->str[said->len - 1] == ':') /* read when asked for */
        check_same (report, f->quick);
      else
        g_assert_cmpstr (said->str, ==, n_listed < G_N_ELEMENTS (broken) ? broken[n_listed] : "");
      n_listed += said->str[said->len - 1] != ':';
    }
  g_assert_cmpuint (n_listed, ==, G_N_ELEMENTS (broken));
}

/* ------------------------------------------------------------------------- words */

static void
test_words (void)
{
  static const char *const values[]
      = { "", "5", "a b", "a&b=c", "100 %", "äöü €", "/,:()[]<>@!*", "\"'#?+", "-._~" };

  for (TsrView view = 0; view < TSR_N_VIEWS; view++)
    {
      g_autoptr (GHashTable) words = tsr_view_words_new ();
      g_autoptr (GHashTable) again = NULL;
      g_autofree char *text = NULL, *head = NULL;

      g_assert_cmpint (tsr_view_words_get_view (words), ==, TSR_N_VIEWS);
      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        {
          g_autofree char *name = g_strdup_printf ("name %u", i);

          tsr_view_words_set (words, name, "before");
          tsr_view_words_set (words, name, values[i]);
        }
      tsr_view_words_set (words, "gone", "x");
      tsr_view_words_set (words, "gone", NULL);
      tsr_view_words_set (words, "a", "first but for the page");
      tsr_view_words_set (words, "page", tsr_view_get_nick (view));
      g_assert_cmpint (tsr_view_words_get_view (words), ==, view);
      text = tsr_view_words_dup_text (words);
      head
          = g_strdup_printf ("page=%s&a=first%%20but%%20for%%20the%%20page&name%%200=&name%%201=5&",
                             tsr_view_get_nick (view));
      g_assert_true (g_str_has_prefix (text, head));
      g_assert_nonnull (strstr (text, "=/,:()[]<>@!*&"));
      again = tsr_view_words_parse (text);
      g_assert_cmpuint (g_hash_table_size (again), ==, G_N_ELEMENTS (values) + 2);
      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        {
          g_autofree char *name = g_strdup_printf ("name %u", i);

          g_assert_cmpstr (tsr_view_words_get (again, name), ==, values[i]);
        }
    }
  {
    g_autoptr (GHashTable) odd
        = tsr_view_words_parse ("a&=b&%ff=c&d=%ff&e=%zz&f=g&f=h&page=nowhere");
    g_autoptr (GHashTable) none = tsr_view_words_parse (NULL);

    g_assert_cmpuint (g_hash_table_size (odd), ==, 2);
    g_assert_cmpstr (tsr_view_words_get (odd, "f"), ==, "h");
    g_assert_cmpint (tsr_view_words_get_view (odd), ==, TSR_N_VIEWS);
    g_assert_cmpuint (g_hash_table_size (none), ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/slow/whole", Fixture, NULL, set_up, test_whole, tear_down);
  g_test_add ("/slow/whole/damaged", Fixture, DAMAGE, set_up, test_whole, tear_down);
  g_test_add ("/slow/on-demand", Fixture, NULL, set_up, test_on_demand, tear_down);
  g_test_add ("/slow/on-demand/damaged", Fixture, DAMAGE, set_up, test_on_demand, tear_down);
  g_test_add ("/slow/order", Fixture, NULL, set_up, test_order, tear_down);
  g_test_add ("/slow/failing", Fixture, NULL, set_up, test_failing, tear_down);
  g_test_add ("/slow/broken-pages", Fixture, NULL, set_up, test_broken_pages, tear_down);
  g_test_add_func ("/slow/words", test_words);
  return g_test_run ();
}
