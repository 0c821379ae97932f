/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One wrong number in a copy of a sound report gives exactly the finding that names it. */

#include "config.h"

#include "analysis-test.h"
#include "drawn-sql.h"
#include "golden.h"
#include "tsr-check.h"
#include "tsr-test-place.h"

#include <gio/gio.h>
#include <string.h>

static int
compare_kinds (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* (transfer full): "code@table", each kind once, sorted. */
static char *
dup_findings (TsrReport *report)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  g_autoptr (GPtrArray) kinds = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *d = tsr_diagnostics_get (diagnostics, i);
      g_autofree char *kind = g_strdup_printf ("%s@%s", d->code, d->table != NULL ? d->table : "");
      g_autofree char *line = tsr_diagnostic_dup_line (d);

      g_test_message ("%s: %s", d->code, line);
      g_assert_true (*d->text != '\0' && !g_str_has_suffix (d->text, "."));
      if (!g_ptr_array_find_with_equal_func (kinds, kind, g_str_equal, NULL))
        g_ptr_array_add (kinds, g_steal_pointer (&kind));
    }
  g_ptr_array_sort (kinds, compare_kinds);
  g_ptr_array_add (kinds, NULL);
  return g_strjoinv (" ", (char **)kinds->pdata);
}

/* What is told of every report, in full and sorted, and its budgets: for the list that is compared
 * at the end. */
static GString *told;

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void
note_report (TsrReport *report, const char *what)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRegex) folder = g_regex_new ("[^ ]*/tessera-test-[^/]*/", 0, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) budgets
      = tsr_check_budgets (report,
                           "maxTileBytes = 1\nfreePercent = 1\npeakLiveBytes = 1\n"
                           "exchangeCodeBytes = 1\ntotalCycles = 1\ndeviceCycles = 1\n"
                           "tileUtilisation = 1\ntileBalance = 1\n",
                           NULL, &error);

  g_string_append_printf (told, "## %s %s\n", g_test_get_path (), what);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      g_autofree char *line = tsr_diagnostic_dup_line (tsr_diagnostics_get (diagnostics, i));

      g_ptr_array_add (lines, g_strdup_printf ("%s (%" G_GUINT64_FORMAT " more)", line,
                                               tsr_diagnostics_get_dropped (diagnostics, i)));
    }
  g_ptr_array_sort (lines, compare_lines);
  for (guint i = 0; i < lines->len; i++)
    {
      /* (The folder has another name each time.) */
      g_autofree char *line = g_regex_replace (folder, lines->pdata[i], -1, 0, "FOLDER/", 0, NULL);

      g_string_append_printf (told, "%s\n", line);
    }
  if (budgets == NULL)
    g_string_append_printf (told, "no budgets: %s\n", error->message);
  for (guint i = 0; budgets != NULL && i < budgets->len; i++)
    {
      const TsrBudget *budget = budgets->pdata[i];

      /* (Whole numbers, which the list compares to the last digit.) */
      if (budget->exact != TSR_UNKNOWN)
        g_string_append_printf (told, "%s: %" G_GINT64_FORMAT, budget->name, budget->exact);
      else
        g_string_append_printf (told, "%s: %.0f millionths", budget->name, budget->value * 1e6);
      g_string_append (told, budget->ok ? ", kept\n" : ", broken\n");
    }
}

static char *
check_folder (const char *folder)
{
  g_autoptr (TsrReport) report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
  g_autoptr (GError) error = NULL;
  char *findings;

  g_assert_true (tsr_check_run (report, NULL, NULL, &error));
  g_assert_no_error (error);
  findings = dup_findings (report);
  note_report (report, findings);
  return findings;
}

/* --------------------------------------------------------------- one wrong */

#define NO_IPU                                                                                     \
  "CREATE TABLE x AS SELECT * FROM steps_by_ipu ORDER BY step_id, ipu; DROP TABLE steps_by_ipu;"   \
  "ALTER TABLE x RENAME TO steps_by_ipu; ALTER TABLE steps_by_ipu DROP COLUMN ipu;"

typedef struct
{
  const char *name, *sql, *findings;
} Wrong;

/* The allocation with the largest id among those that are always live, or not. */
#define ALWAYS "(SELECT max (id) FROM vars_info WHERE always_live = 1)"
#define NOT_ALWAYS                                                                                 \
  "(SELECT max (id) FROM vars_info WHERE always_live = 0 AND equivalence_class IS NOT NULL)"

/* Where the allocations would tell the same first. */
#define WITHOUT_VARS "DROP TABLE vars_info; DROP TABLE tile_vars;"

static const Wrong wrongs[] = {
  { "nothing", "SELECT 1", "" },
  /* All at one time, which is no error. */
  { "no-time",
    "UPDATE steps_by_ipu SET cycles_base = 5, cycles = 0, active_cycles_from_min = 0,"
    " active_cycles_from_max = 0, active_cycles_to_min = 0, active_cycles_to_max = 0;"
    "DROP TABLE run_cycles_by_ipu; DROP TABLE execution_cycle_totals; DROP TABLE tile_cycles;",
    "" },
  /* Slices of IPUs that there cannot be. */
  { "ipu-of-slice", "UPDATE steps_by_ipu SET ipu = 65535 WHERE step_id = 3 AND ipu = 1",
    "value-out-of-range@steps_by_ipu" },
  { "ipu-of-slice-far", "UPDATE steps_by_ipu SET ipu = 65536 WHERE step_id = 3 AND ipu = 1",
    "value-out-of-range@steps_by_ipu" },
  /* cells */
  { "type", "UPDATE programs SET type = 7 WHERE id = (SELECT max (id) FROM programs)",
    "" /* SQLite makes it text */ },
  { "blob", "UPDATE programs SET type = x'00' WHERE id = (SELECT max (id) FROM programs)",
    "wrong-type@programs" },
  { "missing", "UPDATE programs SET type = NULL WHERE id = (SELECT max (id) FROM programs)",
    "value-missing@programs" },
  { "text-number",
    "UPDATE variables SET always_live = 'yes' WHERE id = (SELECT max (id) FROM variables)",
    "wrong-type@variables" },
  { "balance",
    "UPDATE steps_by_ipu SET tile_balance = 1.5 WHERE (step_id, ipu) ="
    " (SELECT step_id, ipu FROM steps_by_ipu LIMIT 1)",
    "value-out-of-range@steps_by_ipu" },
  { "ipu",
    "UPDATE run_cycles_by_ipu SET ipu = 1000 WHERE (run, ipu) ="
    " (SELECT run, ipu FROM run_cycles_by_ipu LIMIT 1)",
    "value-out-of-range@run_cycles_by_ipu" },
  { "negative",
    "UPDATE program_variables SET bytes = -1 WHERE (program, role, variable, from_element) ="
    " (SELECT program, role, variable, from_element FROM program_variables LIMIT 1)",
    "value-out-of-range@program_variables" },
  /* As much as the readers take, and more. */
  { "large",
    "UPDATE steps_by_ipu SET cycles = 9007199254740992 WHERE (step_id, ipu) ="
    " (SELECT step_id, ipu FROM steps_by_ipu LIMIT 1)",
    "" },
  { "too-large",
    "UPDATE steps_by_ipu SET cycles = 9007199254740993 WHERE (step_id, ipu) ="
    " (SELECT step_id, ipu FROM steps_by_ipu LIMIT 1)",
    "value-out-of-range@steps_by_ipu" },
  { "active-tiles",
    "UPDATE steps_by_ipu SET active_tiles = 100000 WHERE (step_id, ipu) ="
    " (SELECT step_id, ipu FROM steps_by_ipu LIMIT 1)",
    "value-out-of-range@steps_by_ipu" },
  { "tile", "UPDATE tile_vars SET tile = 100000 WHERE tile = (SELECT max (tile) FROM tile_vars)",
    "tile-range-differs@tile_vars value-out-of-range@tile_vars" },
  /* references */
  { "compute-set",
    "UPDATE steps SET compute_set = 99999 WHERE id = (SELECT max (id) FROM steps WHERE compute_set "
    "IS NOT NULL)",
    "reference-broken@steps" },
  { "program", "UPDATE liveness_steps SET program = -1 WHERE step = 0",
    "reference-broken@liveness_steps" },
  { "string", "UPDATE vars_info SET name = 99999999 WHERE id = " ALWAYS,
    "reference-broken@vars_info" },
  { "array",
    "UPDATE programs SET code_bytes_by_tile = 99999999 WHERE id ="
    " (SELECT max (id) FROM programs WHERE code_bytes_by_tile IS NOT NULL)",
    "reference-broken@programs" },
  { "child",
    "UPDATE program_children SET child = 99999999 WHERE (parent, position) ="
    " (SELECT parent, position FROM program_children LIMIT 1)",
    "reference-broken@program_children" },
  { "cycle",
    "INSERT INTO program_children SELECT child, 1000, parent FROM program_children LIMIT 1",
    "program-cycle@program_children" },
  { "self", "INSERT INTO program_children SELECT id, 1000, id FROM programs LIMIT 1",
    "program-cycle@program_children" },
  /* The only step of compilation needs no row, and has the number 0. */
  { "no-step",
    "DELETE FROM compilation_steps; DELETE FROM program_roots WHERE compilation_step <>"
    " (SELECT max (compilation_step) FROM program_roots);"
    "UPDATE program_roots SET compilation_step = 0",
    "" },
  { "no-step-1",
    "DELETE FROM compilation_steps; DELETE FROM program_roots WHERE compilation_step <>"
    " (SELECT max (compilation_step) FROM program_roots);"
    "UPDATE program_roots SET compilation_step = 1",
    "reference-broken@program_roots" },
  /* Any other step is one of those that there are; so is a run 0. */
  { "no-step-0", "DELETE FROM compilation_steps WHERE id = 0", "reference-broken@program_roots" },
  { "no-runs", "DELETE FROM runs",
    "reference-broken@blocks reference-broken@run_cycles_by_ipu reference-broken@steps" },
  { "array-no-encoding",
    "UPDATE tile_arrays SET encoding = NULL WHERE id = (SELECT max (id) FROM tile_arrays)",
    "value-missing@tile_arrays" },
  { "array-no-data",
    "UPDATE tile_arrays SET data = NULL WHERE id = (SELECT max (id) FROM tile_arrays)",
    "value-missing@tile_arrays" },
  /* memory by tile */
  { "total", "UPDATE memory_by_tile SET total = total + 1 WHERE tile = 1",
    "total-differs@memory_by_tile" },
  { "gaps", "UPDATE memory_by_tile SET including_gaps = excluding_gaps - 1 WHERE tile = 1",
    "last-address-differs@memory_by_tile" },
  { "including", "UPDATE memory_by_tile SET including_gaps = including_gaps + 1 WHERE tile = 1",
    "last-address-differs@memory_by_tile" },
  { "overflow",
    "UPDATE memory_by_tile SET overflowed = 4 WHERE tile ="
    " (SELECT tile FROM memory_by_tile WHERE overflowed = 0 LIMIT 1)",
    "overflow-differs@memory_by_tile" },
  { "region", "UPDATE memory_by_tile_region SET bytes = bytes + 8 WHERE tile = 1 AND region = 0",
    "region-sum-differs@memory_by_tile_region" },
  { "region-overlap",
    "UPDATE memory_by_tile_region SET overlapped_bytes = overlapped_bytes + 8 WHERE tile = 1 AND "
    "region = 0",
    "category-sum-differs@memory_by_tile_category" },
  { "category",
    "UPDATE memory_by_tile_category SET non_overlapped = non_overlapped + 4"
    " WHERE (tile, category, region) = (SELECT tile, category, region"
    " FROM memory_by_tile_category WHERE tile = 1 LIMIT 1)",
    "category-sum-differs@memory_by_tile_category" },
  { "category-overlap",
    "UPDATE memory_by_tile_category SET overlapped = overlapped + 4"
    " WHERE (tile, category, region) = (SELECT tile, category, region"
    " FROM memory_by_tile_category WHERE tile = 1 LIMIT 1)",
    "category-allocation-differs@memory_by_tile_category" },
  { "allocated",
    "UPDATE var_categories SET allocated_bytes = allocated_bytes + 1 WHERE id ="
    " (SELECT min (id) FROM var_categories)",
    "allocated-differs@var_categories" },
  { "always-live", "UPDATE memory_by_tile SET always_live = always_live - 4 WHERE tile = 1",
    "always-live-differs@memory_by_tile" },
  { "live",
    "UPDATE memory_by_tile SET not_always_live = excluding_gaps - always_live + 1 WHERE tile = 1",
    "tile-peak-differs@memory_by_tile" },
  { "peak", "UPDATE memory_by_tile SET not_always_live = not_always_live - 1 WHERE tile = 1",
    "tile-peak-differs@memory_by_tile" },
  { "peak-step",
    "UPDATE memory_by_tile SET peak_step = (peak_step + 1) %"
    " (SELECT count (*) FROM liveness_steps) WHERE tile = 1",
    "peak-step-differs@memory_by_tile" },
  { "excluding",
    "UPDATE memory_by_tile SET excluding_gaps = excluding_gaps - 1, total = total - 1"
    " WHERE tile = 1",
    "addresses-differ@memory_by_tile" },
  { "overlap",
    "UPDATE memory_by_tile_region SET overlapped_bytes = bytes + 1 WHERE tile = 1 AND region = 0",
    "overlap-exceeds-region@memory_by_tile_region" },
  { "overlap-sum",
    WITHOUT_VARS "UPDATE memory_by_tile_category SET overlapped = 0 WHERE tile ="
                 " (SELECT tile FROM memory_by_tile_region WHERE overlapped_bytes > 0 LIMIT 1)",
    "overlap-sum-differs@memory_by_tile_category" },
  { "gaps-alone",
    WITHOUT_VARS "UPDATE memory_by_tile SET including_gaps = excluding_gaps - 1 WHERE tile = 1",
    "gaps-negative@memory_by_tile" },
  { "live-alone",
    WITHOUT_VARS "UPDATE memory_by_tile SET not_always_live ="
                 " excluding_gaps - always_live + 1 WHERE tile = 1",
    "live-exceeds-tile@memory_by_tile" },
  /* What names no category is there all the same: only sums beyond what it has differ. */
  { "no-category", "UPDATE vars_info SET category = NULL WHERE id % 5 = 0",
    "value-missing@vars_info" },
  { "no-category-sum",
    "UPDATE vars_info SET category = NULL WHERE id = (SELECT max (id) FROM vars_info);"
    "UPDATE var_categories SET allocated_bytes = allocated_bytes + 1 +"
    " (SELECT size_bytes FROM vars_info ORDER BY id DESC LIMIT 1) WHERE id ="
    " (SELECT min (id) FROM var_categories WHERE allocated_bytes > 0)",
    "allocated-differs@var_categories value-missing@vars_info" },
  { "no-category-tile",
    "UPDATE vars_info SET category = NULL WHERE id = (SELECT max (id) FROM vars_info);"
    "UPDATE memory_by_tile_category SET overlapped = overlapped + 4"
    " WHERE (tile, category, region) = (SELECT tile, category, region"
    " FROM memory_by_tile_category WHERE tile = 1 LIMIT 1)",
    "category-allocation-differs@memory_by_tile_category value-missing@vars_info" },
  /* liveness */
  { "step",
    "UPDATE liveness_steps SET not_always_live_bytes = not_always_live_bytes + 1 WHERE step = 1",
    "liveness-sum-differs@liveness_steps" },
  /* Where nothing is live there is no step of a peak. */
  { "no-peak",
    "DELETE FROM equivalence_class_intervals; DELETE FROM liveness_by_ipu;"
    "DELETE FROM variable_lifetimes; UPDATE liveness_steps SET not_always_live_bytes = 0;"
    "UPDATE vars_info SET equivalence_class = NULL, always_live = 1;"
    "UPDATE memory_by_tile SET peak_step = 5, not_always_live = 0, always_live ="
    " (SELECT sum (size_bytes) FROM vars_info v WHERE v.tile = memory_by_tile.tile)",
    "live-exceeds-tile@memory_by_tile" },
  { "no-allocations", "DELETE FROM vars_info", "" },
  { "step-hole", "DELETE FROM liveness_steps WHERE step = 1", NULL },
  { "by-ipu",
    "UPDATE liveness_by_ipu SET not_always_live_bytes = not_always_live_bytes + 1"
    " WHERE step = 1 AND ipu = 0",
    "ipu-sum-differs@liveness_by_ipu" },
  { "by-ipu-swapped",
    "UPDATE liveness_by_ipu SET not_always_live_bytes = not_always_live_bytes +"
    " CASE ipu WHEN 0 THEN 1 ELSE -1 END WHERE step ="
    " (SELECT step FROM liveness_by_ipu WHERE ipu = 1 AND not_always_live_bytes > 0 LIMIT 1)"
    " AND ipu < 2",
    "ipu-liveness-differs@liveness_by_ipu" },
  { "lowered",
    "DROP TABLE variable_lifetimes; DROP TABLE liveness_by_ipu;"
    "UPDATE liveness_steps SET not_always_live_bytes = not_always_live_bytes + 1 WHERE step = 1",
    "lowered-sum-differs@liveness_steps" },
  { "variable-size",
    "DROP TABLE variables_by_ipu; UPDATE variables SET size_bytes = size_bytes + 1 WHERE id ="
    " (SELECT max (variable) FROM vars_info)",
    "variable-size-differs@variables" },
  { "repeated",
    "CREATE TABLE p AS SELECT * FROM programs; DROP TABLE programs;"
    "ALTER TABLE p RENAME TO programs; INSERT INTO programs SELECT * FROM programs LIMIT 1",
    "id-repeated@programs" },
  { "lifetime",
    "UPDATE variable_lifetimes SET size_bytes = size_bytes + 1 WHERE rowid ="
    " (SELECT max (rowid) FROM variable_lifetimes)",
    "liveness-sum-differs@liveness_steps" },
  { "lifetime-reversed",
    "UPDATE variable_lifetimes SET start_step = end_step WHERE rowid ="
    " (SELECT max (rowid) FROM variable_lifetimes WHERE end_step <"
    " (SELECT count (*) FROM liveness_steps))",
    "interval-reversed@variable_lifetimes liveness-sum-differs@liveness_steps" },
  { "variable-ipu",
    "UPDATE variables_by_ipu SET size_bytes = size_bytes + 1 WHERE (variable, ipu) ="
    " (SELECT variable, ipu FROM variables_by_ipu LIMIT 1)",
    "variable-ipu-sum-differs@variables_by_ipu" },
  { "intervals",
    "INSERT INTO equivalence_class_intervals SELECT * FROM equivalence_class_intervals LIMIT 1",
    "intervals-overlap@equivalence_class_intervals" },
  { "class", "UPDATE vars_info SET equivalence_class = NULL WHERE id = " NOT_ALWAYS,
    "class-missing@vars_info" },
  { "class-too-many",
    "UPDATE vars_info SET equivalence_class ="
    " (SELECT min (equivalence_class) FROM equivalence_class_intervals) WHERE id = " ALWAYS,
    "class-unexpected@vars_info" },
  /* order */
  { "range",
    "UPDATE tile_vars SET end_var = end_var + 1 WHERE tile = (SELECT max (tile) FROM tile_vars)",
    "tile-range-differs@tile_vars" },
  { "outside",
    "UPDATE tile_vars SET first_var = first_var + 1, end_var = end_var + 1"
    " WHERE tile = (SELECT max (tile) FROM tile_vars)",
    "outside-tile-range@vars_info" },
  { "range-reversed", "UPDATE tile_vars SET end_var = first_var - 1 WHERE tile = 1",
    "interval-reversed@tile_vars" },
  /* IPUs that have no numbers are in order. */
  { "no-ipu", NO_IPU, "" },
  { "no-ipu-early",
    NO_IPU "UPDATE steps_by_ipu SET cycles_base = 0"
           " WHERE rowid = (SELECT min (rowid) + 1 FROM steps_by_ipu WHERE step_id = 40)",
    "time-out-of-order@steps_by_ipu" },
  /* arrays */
  { "array-total",
    "UPDATE tile_arrays SET total = total + 1 WHERE id = (SELECT min (id) FROM tile_arrays)",
    "array-total-differs@tile_arrays" },
  { "array-maximum",
    "UPDATE tile_arrays SET maximum = maximum + 1 WHERE id = (SELECT min (id) FROM tile_arrays)",
    "array-maximum-differs@tile_arrays" },
  { "array-encoding",
    "UPDATE tile_arrays SET encoding = 4 WHERE id = (SELECT min (id) FROM tile_arrays)",
    "array-encoding-unknown@tile_arrays" },
  { "array-length",
    "UPDATE tile_arrays SET data = CAST (data || x'00000000' AS BLOB) WHERE id ="
    " (SELECT min (id) FROM tile_arrays WHERE encoding < 2)",
    "array-length-wrong@tile_arrays" },
  { "array-tile",
    "UPDATE tile_arrays SET encoding = 2, total = 2, maximum = 1,"
    " data = x'01000000010000000000000001000000' WHERE id ="
    " (SELECT code_bytes_by_tile FROM programs WHERE code_bytes_by_tile IS NOT NULL)",
    "array-tile-wrong@tile_arrays" },
  { "array-far",
    "UPDATE tile_arrays SET encoding = 2, total = 2, maximum = 1,"
    " data = x'0000000001000000ffffff0001000000' WHERE id ="
    " (SELECT code_bytes_by_tile FROM programs WHERE code_bytes_by_tile IS NOT NULL)",
    "array-tile-wrong@tile_arrays" },
  { "array-next",
    "UPDATE tile_arrays SET encoding = 2, total = 2, maximum = 1,"
    " data = x'07000000010000000800000001000000' WHERE id ="
    " (SELECT code_bytes_by_tile FROM programs WHERE code_bytes_by_tile IS NOT NULL)",
    "array-tile-wrong@tile_arrays" },
  { "array-cut",
    "UPDATE tile_arrays SET data = zeroblob (3) WHERE id = (SELECT min (id) FROM tile_arrays)",
    "array-length-wrong@tile_arrays" },
  { "vertex-count",
    "UPDATE compute_set_vertices SET count = count + 1 WHERE (compute_set, vertex_type) ="
    " (SELECT compute_set, vertex_type FROM compute_set_vertices"
    " WHERE count_by_tile IS NOT NULL LIMIT 1)",
    "count-differs@compute_set_vertices graph-count-differs@graph" },
  { "graph", "UPDATE graph SET num_compute_sets = num_compute_sets + 1",
    "graph-count-differs@graph" },
  /* execution */
  { "cycles",
    "UPDATE steps_by_ipu SET active_cycles_from_min = active_cycles_to_max + 1 WHERE"
    " (step_id, ipu) = (SELECT step_id, ipu FROM steps_by_ipu LIMIT 1)",
    "cycles-reversed@steps_by_ipu" },
  { "from-max",
    "UPDATE steps_by_ipu SET active_cycles_from_max = active_cycles_to_max + 1 WHERE"
    " (step_id, ipu) = (SELECT step_id, ipu FROM steps_by_ipu LIMIT 1)",
    "cycles-reversed@steps_by_ipu" },
  /* Told once: when such a step was is not known. */
  { "reversed-last",
    "UPDATE steps_by_ipu SET cycles_base = cycles_base / 2, active_cycles_from_max ="
    " active_cycles_to_max + 1 WHERE (step_id, ipu) ="
    " (SELECT step_id, ipu FROM steps_by_ipu ORDER BY step_id DESC LIMIT 1)",
    "cycles-reversed@steps_by_ipu" },
  { "run",
    "UPDATE steps SET run = (SELECT max (id) FROM runs) WHERE id = (SELECT min (id) FROM steps)",
    "outside-run@steps" },
  { "run-reversed",
    "UPDATE runs SET end_step = first_step - 1 WHERE id = (SELECT max (id) FROM runs)",
    "interval-reversed@runs" },
  { "run-overlap",
    "UPDATE runs SET first_step = first_step - 1 WHERE id = (SELECT max (id) FROM runs)",
    "runs-overlap@runs" },
  { "run-time-reversed",
    "UPDATE runs SET microseconds_start = microseconds_end + 1 WHERE id = (SELECT max (id) FROM"
    " runs)",
    "interval-reversed@runs" },
  { "run-time-negative",
    "UPDATE runs SET microseconds_start = -1 WHERE id = (SELECT max (id) FROM runs)",
    "value-out-of-range@runs" },
  { "run-time-text",
    "UPDATE runs SET microseconds_start = 'late' WHERE id = (SELECT max (id) FROM runs)",
    "wrong-type@runs" },
  { "elements-reversed",
    "UPDATE program_variables SET from_element = to_element + 1 WHERE (program, role, variable,"
    " from_element) = (SELECT program, role, variable, from_element FROM program_variables LIMIT"
    " 1)",
    "interval-reversed@program_variables" },
  { "interval-empty", "INSERT INTO equivalence_class_intervals VALUES (99999, 7, 7)",
    "interval-reversed@equivalence_class_intervals" },
  { "interval-unknown", "INSERT INTO equivalence_class_intervals VALUES (NULL, 7, 8)",
    "value-missing@equivalence_class_intervals" },
  { "interval-of-one", "INSERT INTO equivalence_class_intervals VALUES (99999, 7, 8)", "" },
  { "vertex-count-unknown",
    "UPDATE compute_set_vertices SET count = NULL WHERE (compute_set, vertex_type) ="
    " (SELECT compute_set, vertex_type FROM compute_set_vertices LIMIT 1)",
    "value-missing@compute_set_vertices" },
  { "vertex-counts-of-one-array",
    "UPDATE compute_set_vertices SET count_by_tile = (SELECT min (count_by_tile) FROM"
    " compute_set_vertices) WHERE (compute_set, vertex_type) = (SELECT compute_set, vertex_type "
    "FROM"
    " compute_set_vertices WHERE count <> (SELECT count FROM compute_set_vertices ORDER BY"
    " count_by_tile LIMIT 1) LIMIT 1)",
    "count-differs@compute_set_vertices" },
  { "time-out-of-order",
    "UPDATE steps_by_ipu SET cycles_base = cycles_base + 100000 WHERE step_id % 2 = 1",
    "time-out-of-order@steps_by_ipu" },
  { "ids-skip",
    "DELETE FROM steps WHERE id = 7; DELETE FROM steps_by_ipu WHERE step_id = 7;"
    "UPDATE runs SET first_step = 8 WHERE id = 0",
    "ids-skip@steps outside-run@steps" },
  { "run-cut-off", "DELETE FROM steps WHERE id > 50; DELETE FROM steps_by_ipu WHERE step_id > 50",
    "run-cut-off@runs" },
  { "run-without-end", "DELETE FROM steps_by_ipu WHERE step_id > 50", "run-cut-off@steps_by_ipu" },
  { "no-slices", "DELETE FROM steps_by_ipu", "rows-missing@steps_by_ipu" },
  { "block",
    "UPDATE blocks SET cycles_to = cycles_from - 1 WHERE id ="
    " (SELECT min (id) FROM blocks WHERE cycles_from > 0 AND NOT is_overflow)",
    "cycles-reversed@blocks" },
};

/* A row that is named, of a table in which something else stands than in the sound report, is one
 * of those. */
static guint
check_place (const char *folder, const TsrDiagnostic *d)
{
  const char *sound = tsr_test_get_report ("tiny");
  g_autofree char *sql = NULL;
  g_autofree char *without_rowid = g_strdup_printf (
      "SELECT count(*) FROM sqlite_master WHERE name = '%s' AND sql LIKE '%%WITHOUT ROWID%%'",
      d->table);
  g_autoptr (GPtrArray) columns
      = tsr_test_ask_rows (folder, "SELECT name FROM pragma_table_info ('%s')", d->table);
  const char *key = tsr_test_query (folder, "profile.pop", without_rowid) > 0
                        ? ((GStrv)columns->pdata[0])[0]
                        : "rowid";
  gint64 changed, named;

  sql = g_strdup_printf (
      "ATTACH '%s/profile.pop' AS sound; ATTACH '%s/profile.pop' AS wrong;"
      "CREATE TABLE changed AS SELECT * FROM (SELECT %s AS k, * FROM wrong.%s EXCEPT"
      " SELECT %s, * FROM sound.%s);",
      sound, folder, key, d->table, key, d->table);
  tsr_test_sql (folder, "changed.db", sql);
  changed = tsr_test_query (folder, "changed.db", "SELECT count(*) FROM changed");
  g_free (sql);
  sql = g_strdup_printf ("SELECT count(*) FROM changed WHERE k = %" G_GINT64_FORMAT, d->row);
  named = tsr_test_query (folder, "changed.db", sql);
  tsr_test_sql (folder, "changed.db", "DROP TABLE changed");
  g_free (sql);
  sql = g_strdup_printf ("SELECT count(*) FROM %s WHERE %s = %" G_GINT64_FORMAT, d->table, key,
                         d->row);
  if (changed > 0 && named == 0 && tsr_test_query (folder, "profile.pop", sql) > 0)
    g_error ("%s: row %" G_GINT64_FORMAT " of %s is as it was", d->text, d->row, d->table);
  return changed > 0;
}

static void
test_wrong (gconstpointer data)
{
  const Wrong *wrong = data;
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *findings = NULL;
  TsrDiagnostics *diagnostics;
  guint n_placed = 0;

  tsr_test_sql (folder, "profile.pop", wrong->sql);
  report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
  g_assert_true (tsr_check_run (report, NULL, NULL, &error));
  g_assert_no_error (error);
  findings = dup_findings (report);
  diagnostics = tsr_report_get_diagnostics (report);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    /* (Of two steps it is the later one that ends early, whichever was changed.) */
    if (tsr_diagnostics_get (diagnostics, i)->row != TSR_NO_ROW
        && !g_str_equal (tsr_diagnostics_get (diagnostics, i)->code, "time-out-of-order"))
      n_placed += check_place (folder, tsr_diagnostics_get (diagnostics, i));
  g_test_message ("placed %u of %u", n_placed, tsr_diagnostics_get_n_kept (diagnostics));
  if (wrong->findings != NULL)
    g_assert_cmpstr (findings, ==, wrong->findings);
  else
    g_assert_cmpstr (findings, !=, "");
  note_report (report, "");
  tsr_test_folder_free (folder);
}

/* -------------------------------------------------------------- from the list */

/* Reports of which a budget is told in another way, or not at all: what comes of them is compared
 * with the list alone. */
static const char *const budget_cases[] = {
  "DELETE FROM liveness_steps WHERE step = 3",
  "DELETE FROM liveness_steps WHERE step = (SELECT max (step) FROM liveness_steps)",
  "UPDATE liveness_steps SET not_always_live_bytes = NULL WHERE step = 5",
  "DELETE FROM liveness_steps",
  "UPDATE liveness_steps SET not_always_live_bytes = 9007199254740992 WHERE step = 0",
  "ALTER TABLE memory_by_tile DROP COLUMN always_live",
  "ALTER TABLE memory_by_tile DROP COLUMN always_live; UPDATE vars_info SET always_live = NULL"
  " WHERE id = 7",
  "ALTER TABLE memory_by_tile DROP COLUMN always_live; UPDATE vars_info SET size_bytes = -1"
  " WHERE id = (SELECT max (id) FROM vars_info WHERE always_live = 0)",
  "ALTER TABLE memory_by_tile DROP COLUMN always_live; UPDATE vars_info SET size_bytes = 0"
  " WHERE id % 3 = 0; UPDATE vars_info SET always_live = 2 WHERE id % 7 = 1",
  "ALTER TABLE memory_by_tile DROP COLUMN always_live; ALTER TABLE vars_info DROP COLUMN "
  "size_bytes",
  "ALTER TABLE memory_by_tile DROP COLUMN always_live; ALTER TABLE vars_info DROP COLUMN"
  " always_live",
  "UPDATE memory_by_tile SET always_live = NULL WHERE tile = 1; DROP TABLE vars_info",
  "ALTER TABLE memory_by_tile DROP COLUMN including_gaps",
  "ALTER TABLE memory_by_tile DROP COLUMN including_gaps; ALTER TABLE memory_by_tile DROP COLUMN"
  " total",
  "UPDATE memory_by_tile SET including_gaps = NULL, total = NULL WHERE tile = 1",
  "UPDATE target SET bytes_per_tile = NULL",
  "UPDATE target SET bytes_per_tile = 100",
  "UPDATE var_categories SET name = 'code' WHERE name = 'internalExchangeCode'",
  "UPDATE var_categories SET name = iif (id = (SELECT min (id) FROM var_categories),"
  " 'internalExchangeCode', 'no ' || id)",
  "UPDATE var_categories SET name = iif (id = (SELECT max (id) FROM var_categories),"
  " 'internalExchangeCode', 'no ' || id)",
  "UPDATE memory_by_tile_category SET non_overlapped = NULL",
  "DROP TABLE memory_by_tile_category",
  "DROP TABLE memory_by_tile",
  "DROP TABLE runs",
  "DELETE FROM runs WHERE id > 0",
  "DELETE FROM runs WHERE id > 0; DELETE FROM steps WHERE id = 7; DELETE FROM steps_by_ipu"
  " WHERE step_id = 7",
  "UPDATE runs SET end_step = 40 WHERE id > 0; INSERT INTO runs (id, first_step, end_step) VALUES"
  " (2, 40, 50), (3, 50, 60)",
  "UPDATE runs SET end_step = NULL",
  "UPDATE runs SET first_step = first_step + 1",
  "DELETE FROM steps_by_ipu WHERE step_id > (SELECT max (step_id) - 3 FROM steps_by_ipu)",
  "DELETE FROM steps_by_ipu WHERE step_id = (SELECT min (end_step) - 1 FROM runs)",
  "DELETE FROM steps_by_ipu WHERE step_id < 6",
  "DELETE FROM steps_by_ipu WHERE ipu = 0",
  "DELETE FROM steps_by_ipu",
  "DELETE FROM steps",
  "UPDATE steps_by_ipu SET tile_balance = NULL",
  "UPDATE steps_by_ipu SET tile_balance = NULL WHERE step_id % 2 = 0",
  "UPDATE steps_by_ipu SET tile_balance = 1",
  "UPDATE steps_by_ipu SET tile_balance = 0",
  "UPDATE steps_by_ipu SET cycles = 0",
  "UPDATE steps_by_ipu SET cycles = 1000 + step_id WHERE step_id % 5 = 1",
  "UPDATE steps_by_ipu SET cycles = NULL WHERE step_id % 5 = 1",
  "ALTER TABLE steps_by_ipu DROP COLUMN active_cycles_from_max",
  "ALTER TABLE steps_by_ipu DROP COLUMN active_cycles_from_min",
  "UPDATE steps_by_ipu SET active_cycles_from_min = NULL WHERE step_id % 3 = 0",
  "UPDATE steps_by_ipu SET cycles_base = NULL WHERE step_id % 4 = 0",
  "UPDATE steps_by_ipu SET cycles_base = cycles_base + 1000 WHERE ipu = 1",
  "UPDATE steps_by_ipu SET cycles_base = cycles_base + 10 * step_id",
  "UPDATE steps_by_ipu SET cycles_base = 3 * (cycles_base / 4)",
  "UPDATE steps_by_ipu SET cycles_base = 99999 - cycles_base / 2",
  "CREATE TABLE more AS SELECT * FROM steps_by_ipu WHERE ipu = 0; UPDATE more SET ipu = 2,"
  " active_cycles_to_max = active_cycles_to_max + 9999 * (step_id > 50);"
  "INSERT OR REPLACE INTO steps_by_ipu SELECT * FROM more",
  "UPDATE steps_by_ipu SET active_cycles_to_max = 0, active_cycles_from_max = 0,"
  " active_cycles_from_min = 0",
  "UPDATE steps SET type = 'Sync'",
  "UPDATE steps SET type = 'StreamCopyBegin' WHERE id % 2 = 1",
  "UPDATE steps SET type = 'StreamCopyMid' WHERE type = 'DoExchange'",
  "UPDATE steps SET type = NULL WHERE id % 3 = 2",
  "UPDATE steps SET run = NULL; DROP TABLE runs",
  "UPDATE target SET num_replicas = 2, num_ipus = 2, ipus_per_replica = 1;"
  "INSERT OR REPLACE INTO steps_by_ipu SELECT * FROM steps_by_ipu WHERE ipu = 0",
  "CREATE TABLE more AS SELECT * FROM steps_by_ipu WHERE ipu = 0; UPDATE more SET ipu = 1,"
  " cycles_base = cycles_base - 5, active_cycles_to_max = active_cycles_to_max + 9;"
  "INSERT OR REPLACE INTO steps_by_ipu SELECT * FROM more",
  "CREATE TABLE more AS SELECT * FROM steps_by_ipu WHERE ipu = 0; UPDATE more SET ipu = 2,"
  " cycles_base = cycles_base + 7, active_cycles_to_max = 2 * active_cycles_to_max;"
  "UPDATE target SET num_replicas = 3, num_ipus = 3, ipus_per_replica = 1;"
  "INSERT OR REPLACE INTO steps_by_ipu SELECT * FROM more",
  "CREATE TABLE untold AS SELECT not_always_live_bytes FROM liveness_steps;"
  "DROP TABLE liveness_steps; ALTER TABLE untold RENAME TO liveness_steps",
};

static void
test_budget_case (gconstpointer data)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autofree char *findings = NULL;

  tsr_test_sql (folder, "profile.pop", data);
  findings = check_folder (folder);
  g_string_append_printf (told, "after %s\n", (const char *)data);
  tsr_test_folder_free (folder);
}

/* Each number of a report at its edges: what the check says of it is in check.txt. */
static void
test_edges (void)
{
  char *sql, *what;

  for (guint i = 0; (sql = edge_sql_new (i, &what)) != NULL; i++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autofree char *findings = NULL;

      tsr_test_sql (folder, "profile.pop", sql);
      findings = check_folder (folder);
      g_string_append_printf (told, "with %s\n", what);
      tsr_test_folder_free (folder);
      g_free (what);
      g_free (sql);
    }
}

/* The same numbers written in each other way are as right, and as wrong where one is wrong. */
static void
test_encodings (void)
{
  for (guint i = 0; i < 4; i++)
    {
      const gboolean is_sparse = i % 2 == 1, is_wrong = i >= 2;
      char *folder = tsr_test_report_new ("tiny");
      g_autoptr (GString) sql = g_string_new (NULL);
      g_autofree char *findings = NULL;

      for (guint n = 4; n <= 8; n += 4)
        {
          g_string_append_printf (sql, "UPDATE tile_arrays SET encoding = %u, data = CAST (''",
                                  is_sparse ? 2 : 0);
          for (guint tile = 0; tile < n; tile++)
            {
              if (is_sparse)
                g_string_append_printf (sql, " || x'%02x000000'", tile);
              g_string_append_printf (sql, " || substr (data, %u, 2) || x'0000'", 1 + 2 * tile);
            }
          g_string_append_printf (sql, " AS BLOB) WHERE encoding = 1 AND length (data) = %u;",
                                  2 * n);
        }
      if (is_wrong)
        g_string_append (sql, "UPDATE tile_arrays SET total = total + 1 WHERE id = 4;");
      tsr_test_sql (folder, "profile.pop", sql->str);
      findings = check_folder (folder);
      g_assert_cmpstr (findings, ==, is_wrong ? "array-total-differs@tile_arrays" : "");
      tsr_test_folder_free (folder);
    }
}

/* A finding names the row. */
static void
test_row (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  const TsrDiagnostic *found;

  tsr_test_sql (folder, "profile.pop",
                "UPDATE memory_by_tile SET total = total + 3 WHERE tile = 2");
  report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
  g_assert_true (tsr_check_run (report, NULL, NULL, &error));
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (tsr_report_get_diagnostics (report)), ==, 1);
  found = tsr_diagnostics_get (tsr_report_get_diagnostics (report), 0);
  g_assert_cmpstr (found->file, ==, "profile.pop");
  g_assert_cmpint (found->row, ==, 2);
  g_assert_cmpint (found->severity, ==, TSR_SEVERITY_ERROR);
  tsr_test_folder_free (folder);
}

/* Each run whose last step has no row is told with that step. */
static void
test_runs_cut_off (void)
{
  g_autoptr (GPtrArray) ends = tsr_test_ask_rows (
      tsr_test_get_report ("tiny"), "SELECT max (id), run FROM steps GROUP BY run ORDER BY run");

  g_assert_cmpuint (ends->len, >, 1);
  for (guint i = 0; i < ends->len; i++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autoptr (TsrReport) report = NULL;
      g_autofree char *sql = g_strdup_printf ("DELETE FROM steps_by_ipu WHERE step_id = %s",
                                              ((GStrv)ends->pdata[i])[0]);
      g_autofree char *said = g_strdup_printf ("step %s, the last", ((GStrv)ends->pdata[i])[0]);
      TsrDiagnostics *found;

      tsr_test_sql (folder, "profile.pop", sql);
      report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
      g_assert_true (tsr_check_run (report, NULL, NULL, NULL));
      found = tsr_report_get_diagnostics (report);
      g_assert_cmpuint (tsr_diagnostics_get_n_kept (found), ==, 1);
      g_assert_cmpstr (tsr_diagnostics_get (found, 0)->code, ==, "run-cut-off");
      g_assert_true (g_str_has_prefix (tsr_diagnostics_get (found, 0)->text, said));
      tsr_test_folder_free (folder);
    }
}

static void
test_out_of_order (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autofree char *findings = NULL;

  tsr_test_sql (folder, "profile.pop",
                "UPDATE vars_info SET tile = 0 WHERE id = (SELECT max (id) FROM vars_info)");
  findings = check_folder (folder);
  g_assert_nonnull (strstr (findings, "rows-out-of-order@vars_info"));
  tsr_test_folder_free (folder);
}

/* Without our mark the rules for writers do not hold: Poplar's own order is not a mistake. */
static void
test_foreign (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autofree char *findings = NULL;

  tsr_test_sql (folder, "profile.pop",
                "PRAGMA application_id = 0; DROP TABLE tile_vars;"
                "UPDATE memory_by_tile SET total = including_gaps;"
                "UPDATE vars_info SET tile = 0 WHERE id = (SELECT max (id) FROM vars_info)");
  findings = check_folder (folder);
  g_assert_null (strstr (findings, "rows-out-of-order"));
  g_assert_null (strstr (findings, "total-differs"));
  tsr_test_folder_free (folder);
}

/* Each table may be absent: that is no finding. */
static void
test_missing_tables (void)
{
  static const char *const tables[] = { "report_info",
                                        "engine_options",
                                        "graph",
                                        "variables_by_ipu",
                                        "liveness_by_ipu",
                                        "variable_lifetimes",
                                        "tile_vars",
                                        "program_variables",
                                        "blocks",
                                        "runs",
                                        "run_cycles_by_ipu",
                                        "execution_cycle_totals",
                                        "steps_by_ipu",
                                        "tile_cycles",
                                        "memory_by_tile_region",
                                        "vars_info",
                                        "program_children",
                                        "vars_string_table",
                                        "target",
                                        "memory_by_tile_category" };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autofree char *sql = g_strdup_printf ("DROP TABLE %s", tables[i]);
      g_autofree char *findings = NULL;

      tsr_test_sql (folder, "profile.pop", sql);
      findings = check_folder (folder);
      if (*findings != '\0')
        g_error ("without %s: %s", tables[i], findings);
      tsr_test_folder_free (folder);
    }
}

/* So may each number of the memory. */
static void
test_missing_columns (void)
{
  g_autoptr (GPtrArray) columns = tsr_test_ask_rows (
      tsr_test_get_report ("tiny"),
      "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info (m.name) p WHERE p.pk = 0"
      " AND p.type = 'INTEGER' AND p.name <> 'debug_id' AND m.name IN "
      "('equivalence_class_intervals', 'liveness_by_ipu',"
      " 'liveness_steps', 'memory_by_tile', 'memory_by_tile_category', 'memory_by_tile_region',"
      " 'target', 'tile_vars', 'variable_lifetimes', 'variables', 'variables_by_ipu', "
      "'vars_info')");

  g_assert_cmpuint (columns->len, >, 30);
  for (guint i = 0; i < columns->len; i++)
    {
      char *folder = tsr_test_report_new ("tiny");
      const GStrv names = columns->pdata[i];
      g_autofree char *sql = g_strdup_printf ("ALTER TABLE %s DROP COLUMN %s", names[0], names[1]);
      g_autoptr (TsrReport) report = NULL;
      g_autofree char *findings = NULL;

      tsr_test_sql (folder, "profile.pop", sql);
      report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
      g_assert_true (tsr_check_run (report, NULL, NULL, NULL));
      findings = dup_findings (report);
      if (*findings != '\0')
        g_error ("%s: %s", sql, findings);
      tsr_test_folder_free (folder);
    }
}

/* Addresses and categories of what does not tell when it lives are compared all the same. */
static void
test_lives_untold (void)
{
  static const char *const columns[] = { "always_live", "equivalence_class" };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autofree char *sql = g_strdup_printf (
          "ALTER TABLE vars_info DROP COLUMN %s; UPDATE memory_by_tile SET including_gaps = "
          "including_gaps + 1 WHERE tile = 1; UPDATE var_categories SET allocated_bytes = "
          "allocated_bytes + 1 WHERE id = 2",
          columns[i]);
      g_autoptr (TsrReport) report = NULL;
      g_autofree char *findings = NULL;

      tsr_test_sql (folder, "profile.pop", sql);
      report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
      g_assert_true (tsr_check_run (report, NULL, NULL, NULL));
      findings = dup_findings (report);
      g_test_message ("%s", findings);
      g_assert_nonnull (strstr (findings, "last-address-differs@"));
      g_assert_nonnull (strstr (findings, "allocated-differs@"));
      tsr_test_folder_free (folder);
    }
}

/* As many IPUs and steps as there is room to add up, however small the file; and one IPU more,
 * however large. */
static void
test_room (void)
{
  for (guint more = 0; more < 2; more++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autoptr (TsrReport) report = NULL;
      g_autofree char *findings = NULL;
      g_autofree char *sql = g_strdup_printf (
          "UPDATE target SET ipus_per_replica = %u, num_replicas = 1, num_ipus = %u,"
          " tiles_per_ipu = 1; DELETE FROM liveness_steps WHERE step > 14; DROP TABLE vars_info;"
          "DROP TABLE steps_by_ipu; CREATE TABLE pad AS SELECT zeroblob (%u * 1200000);"
          "UPDATE liveness_by_ipu SET not_always_live_bytes = not_always_live_bytes + 1"
          " WHERE step = 2 AND ipu = 0",
          (1 << 19) + more, (1 << 19) + more, more);

      tsr_test_sql (folder, "profile.pop", sql);
      report = analysis_open_report (folder, TSR_LOAD_SUMMARY_ONLY);
      g_assert_true (tsr_check_run (report, NULL, NULL, NULL));
      findings = dup_findings (report);
      g_assert_true ((strstr (findings, "ipu-sum-differs@") == NULL) == more);
      tsr_test_folder_free (folder);
    }
}

/* Loading and checking both come upon a view that fails; one remark is enough. */
static void
test_view_once (void)
{
  static const char *const tables[] = { "target", "memory_by_tile", "programs", "liveness_steps" };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autofree char *sql
          = g_strdup_printf ("PRAGMA legacy_alter_table = 1; ALTER TABLE %s RENAME TO t;"
                             "CREATE VIEW %s AS SELECT * FROM t WHERE zeroblob (9) IS NOT NULL",
                             tables[i], tables[i]);
      g_autoptr (TsrReport) report = NULL;
      g_autoptr (GError) error = NULL;
      TsrDiagnostics *found;
      guint n = 0;

      tsr_test_sql (folder, "profile.pop", sql);
      report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
      g_assert_true (tsr_check_run (report, NULL, NULL, &error));
      g_assert_no_error (error);
      found = tsr_report_get_diagnostics (report);
      for (guint d = 0; d < tsr_diagnostics_get_n_kept (found); d++)
        {
          const TsrDiagnostic *finding = tsr_diagnostics_get (found, d);

          g_test_message ("%s: %s", finding->code, finding->text);
          n += strstr (finding->text, "zeroblob") != NULL;
        }
      g_assert_cmpuint (n, ==, 1);
      tsr_test_folder_free (folder);
    }
}

static void
test_archive (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autofree char *findings = NULL;
  g_autofree char *differs = NULL;
  g_autofree char *untold = NULL, *beyond = NULL, *without = NULL;

  tsr_test_copy (tsr_test_get_report ("tiny"), folder, "archive.a");
  findings = check_folder (folder);
  g_assert_cmpstr (findings, ==, "");
  /* Consistent in the profile, but no longer what the archive has. */
  tsr_test_sql (
      folder, "profile.pop",
      "PRAGMA application_id = 0; UPDATE memory_by_tile SET total = total + 4 WHERE tile = 1");
  differs = check_folder (folder);
  g_assert_true (g_str_has_prefix (differs, "archive-differs@"));
  /* Nothing is known that it could differ from. */
  tsr_test_sql (folder, "profile.pop", "UPDATE memory_by_tile SET total = NULL WHERE tile = 1");
  untold = check_folder (folder);
  g_assert_null (strstr (untold, "archive-differs@"));
  /* Tiles of the archive beyond the last one of the profile. */
  tsr_test_sql (folder, "profile.pop",
                "UPDATE target SET tiles_per_ipu = 2, ipus_per_replica = 1, num_replicas = 1;"
                "DELETE FROM memory_by_tile WHERE tile > 1");
  beyond = check_folder (folder);
  g_assert_nonnull (strstr (beyond, "archive-incomplete@"));
  g_assert_null (strstr (beyond, "archive-differs@"));
  tsr_test_sql (folder, "profile.pop", "ALTER TABLE memory_by_tile DROP COLUMN total");
  without = check_folder (folder);
  g_assert_null (strstr (without, "archive"));
  tsr_test_folder_free (folder);
}

/* A page of zeros where a table begins. */
static void
test_damaged_page (void)
{
  char *folder = tsr_test_report_new ("tiny");
  gint64 page = tsr_test_query (folder, "profile.pop",
                                "SELECT rootpage FROM sqlite_master WHERE name = 'blocks'");
  gint64 size = tsr_test_query (folder, "profile.pop", "PRAGMA page_size");
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *contents = NULL;
  g_autofree char *findings = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpint (page * size, <=, length);
  memset (contents + (page - 1) * size, 0, (gsize)size);
  tsr_test_write (folder, "profile.pop", contents, (gssize)length);
  findings = check_folder (folder);
  g_assert_cmpstr (findings, ==, "database-damaged@ table-not-read@blocks");
  tsr_test_folder_free (folder);
}

/* An archive that is none: the rest of the report is checked all the same. */
static void
test_no_archive (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autofree char *findings = NULL;

  tsr_test_write (folder, "archive.a", "!<arch>", 7);
  tsr_test_sql (folder, "profile.pop",
                "UPDATE variables SET size_bytes = size_bytes + 1 WHERE id = 2");
  findings = check_folder (folder);
  g_assert_cmpstr (findings, ==, "part-not-read@ variable-ipu-sum-differs@variables_by_ipu");
  tsr_test_folder_free (folder);
}

static void
test_archive_cut (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autofree char *findings = NULL;

  tsr_test_make_report (folder, "tiny", "--only=archive", "--archive-tiles=3", NULL);
  findings = check_folder (folder);
  g_assert_cmpstr (findings, ==, "archive-incomplete@");
  tsr_test_folder_free (folder);
}

static void
test_debug (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autofree char *path = g_build_filename (tsr_test_get_report ("tiny"), "debug.cbor", NULL);
  g_autofree char *contents = NULL;
  g_autofree char *fine = NULL;
  g_autofree char *cut = NULL;
  g_autofree char *dangling = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  tsr_test_write (folder, "debug.cbor", contents, (gssize)length);
  fine = check_folder (folder);
  g_assert_cmpstr (fine, ==, "");
  tsr_test_sql (folder, "profile.pop",
                "UPDATE programs SET debug_id = 123456789 WHERE id ="
                " (SELECT max (id) FROM programs WHERE debug_id IS NOT NULL)");
  dangling = check_folder (folder);
  g_assert_cmpstr (dangling, ==, "reference-broken@programs");
  tsr_test_write (folder, "debug.cbor", contents, (gssize)length - 5);
  cut = check_folder (folder);
  g_assert_cmpstr (cut, ==, "part-not-read@contexts");
  tsr_test_folder_free (folder);
}

static void
test_cancel (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrReport) report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (tsr_check_run (report, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------------- unsteady */

#define PLANTED "planted here"

static int n_reads;           /* atomic */
static int odd_read;          /* which of them, or -1 */
static GCancellable *cancels; /* then; NULL: it fails */

static gboolean
fail_one (TsrSource *source, gint64 offset, gsize length, GError **error)
{
  if (g_atomic_int_add (&n_reads, 1) != odd_read)
    return TRUE;
  if (cancels != NULL)
    g_cancellable_cancel (cancels);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE, PLANTED);
  return cancels != NULL;
}

static const TsrTestPlaceHooks unsteady = { .read = fail_one };

/* Each read of a sound report fails in turn, or the check is cancelled in it: nothing is found but
 * what could not be read, and that is told. */
static void
test_unsteady (gconstpointer cancelled)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrPlace) place = tsr_test_place_new (&unsteady);
  gboolean reached = TRUE;
  guint n_untold = 0;

  for (int n = 0; reached; n++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = NULL;
      TsrDiagnostics *diagnostics;
      gboolean ok;

      odd_read = -1;
      report = tsr_report_open_sync (place, folder, TSR_LOAD_UP_TO_MEMORY, NULL, &error);
      g_assert_no_error (error);
      cancels = cancelled != NULL ? cancellable : NULL;
      n_reads = 0;
      odd_read = n;
      ok = tsr_check_run (report, NULL, cancellable, &error);
      reached = g_atomic_int_get (&n_reads) > n;
      g_assert_true (ok == (error == NULL));
      diagnostics = tsr_report_get_diagnostics (report);
      for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
        g_assert_nonnull (strstr (tsr_diagnostics_get (diagnostics, i)->text, PLANTED));
      if (!reached || cancelled != NULL)
        g_assert_cmpuint (tsr_diagnostics_get_n_kept (diagnostics), ==, 0);
      else if (ok && tsr_diagnostics_get_n_kept (diagnostics) == 0)
        n_untold++;
      if (reached && cancelled != NULL)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      else if (!ok)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE);
    }
  /* A connection reads some pages of the schema again. */
  g_assert_cmpuint (n_untold, <=, 4);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  told = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strconcat ("/check/wrong/", wrongs[i].name, NULL);

      g_test_add_data_func (path, &wrongs[i], test_wrong);
    }
  g_test_add_func ("/check/edges", test_edges);
  g_test_add_func ("/check/encodings", test_encodings);
  g_test_add_func ("/check/row", test_row);
  g_test_add_func ("/check/runs-cut-off", test_runs_cut_off);
  g_test_add_func ("/check/out-of-order", test_out_of_order);
  g_test_add_func ("/check/foreign", test_foreign);
  g_test_add_func ("/check/missing-tables", test_missing_tables);
  g_test_add_func ("/check/missing-columns", test_missing_columns);
  g_test_add_func ("/check/lives-untold", test_lives_untold);
  g_test_add_func ("/check/room", test_room);
  g_test_add_func ("/check/view-once", test_view_once);
  g_test_add_func ("/check/archive", test_archive);
  g_test_add_func ("/check/archive-cut", test_archive_cut);
  g_test_add_func ("/check/no-archive", test_no_archive);
  g_test_add_func ("/check/damaged-page", test_damaged_page);
  g_test_add_func ("/check/debug", test_debug);
  g_test_add_func ("/check/cancel", test_cancel);
  g_test_add_data_func ("/check/unsteady", NULL, test_unsteady);
  g_test_add_data_func ("/check/unsteady/cancel", "", test_unsteady);
  for (guint i = 0; i < G_N_ELEMENTS (budget_cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/check/budgets/%u", i);

      g_test_add_data_func (path, budget_cases[i], test_budget_case);
    }
  status = g_test_run ();
  /* (Not when only some were run, but for tests/mutants, which is to see that some do not do.) */
  if (status == 0 && argc > 1
      && (g_getenv ("TESSERA_TEST_WHOLE") != NULL
          || (strstr (told->str, wrongs[0].name) != NULL
              && strstr (told->str, "/check/budgets/0") != NULL)))
    golden_compare (argv[1], told->str);
  g_string_free (told, TRUE);
  return status;
}
