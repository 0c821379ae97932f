/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs, liveness and lowered variables of whole reports: every column against the answer of
 * plain SQL. */

#include "config.h"

#include "tables-test.h"

typedef struct
{
  const char *preset;
  char *folder;
  TsrReport *report;
} Fixture;

static Fixture fixtures[] = { { "tiny" }, { "demo" }, { "oom" } };

/* ---------------------------------------------------------------- programs */

static void
check_array (Question *question, int column, const TsrTileArrayRef *ref)
{
  g_assert_cmpint (question_int (question, column), ==, ref->id);
  g_assert_cmpint (question_int (question, column + 1), ==, ref->total);
  g_assert_cmpint (question_int (question, column + 2), ==, ref->maximum);
}

#define ARRAY(column, alias) column ", " alias ".total, " alias ".maximum"
#define JOIN(column, alias)  " LEFT JOIN tile_arrays " alias " ON " alias ".id = " column

static void
test_programs (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *tables = tsr_report_get_program_tables (f->report);
  Question q;
  guint n = 0;

  question_open (
      &q, f->folder,
      "SELECT p.id, p.name, p.type, p.compute_set, p.callee, p.repeat_count, p.debug_id,"
      " p.stream_copy_kind, " ARRAY ("code_bytes_by_tile", "a") ", " ARRAY (
          "control_code_by_tile",
          "b") ", " ARRAY ("estimated_cycles_by_tile",
                           "c") ", " ARRAY ("data_in_by_tile",
                                            "d") ", " ARRAY ("data_out_by_tile",
                                                             "e") " FROM programs p" JOIN ("code_"
                                                                                           "bytes_"
                                                                                           "by_"
                                                                                           "tile",
                                                                                           "a")
          JOIN ("control_code_by_tile", "b") JOIN ("estimated_cycles_by_tile", "c")
              JOIN ("data_in_by_tile", "d") JOIN ("data_out_by_tile", "e") " ORDER BY p.id");
  for (; question_next (&q); n++)
    {
      g_assert_cmpint (question_int (&q, 0), ==, tables->program_id[n]);
      question_text (&q, 1, tables->strings, tables->program_name[n]);
      question_text (&q, 2, tables->strings, tables->program_type[n]);
      question_place (&q, 3, tables->compute_set_id, tables->program_compute_set[n]);
      question_place (&q, 4, tables->program_id, tables->program_callee[n]);
      g_assert_cmpint (question_int (&q, 5), ==, tables->program_repeat_count[n]);
      g_assert_cmpint (question_int (&q, 6), ==, tables->program_debug_id[n]);
      question_text (&q, 7, tables->strings, tables->program_stream_copy_kind[n]);
      check_array (&q, 8, &tables->program_code[n]);
      check_array (&q, 11, &tables->program_control_code[n]);
      check_array (&q, 14, &tables->program_estimated_cycles[n]);
      check_array (&q, 17, &tables->program_data_in[n]);
      check_array (&q, 20, &tables->program_data_out[n]);
    }
  question_close (&q);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_programs, ==, n);
}

static void
test_children_and_roots (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *tables = tsr_report_get_program_tables (f->report);
  Question q;
  guint n = 0;
  guint parent = 0;

  question_open (&q, f->folder,
                 "SELECT parent, child FROM program_children ORDER BY parent, position");
  for (; question_next (&q); n++)
    {
      while (tables->child_start[parent + 1] <= n)
        parent++;
      g_assert_cmpint (question_int (&q, 0), ==, tables->program_id[parent]);
      question_place (&q, 1, tables->program_id, tables->child[n]);
    }
  question_close (&q);
  g_assert_cmpuint (tables->child_start[tables->n_programs], ==, n);

  n = 0;
  question_open (&q, f->folder,
                 "SELECT compilation_step, kind, program FROM program_roots"
                 " ORDER BY compilation_step, kind, position");
  for (; question_next (&q); n++)
    {
      question_place (&q, 0, tables->compilation_step_id, tables->root_step[n]);
      question_text (&q, 1, tables->strings, tables->root_kind[n]);
      question_place (&q, 2, tables->program_id, tables->root_program[n]);
    }
  question_close (&q);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_roots, ==, n);

  n = 0;
  question_open (&q, f->folder, "SELECT id, name FROM compilation_steps ORDER BY id");
  for (; question_next (&q); n++)
    {
      g_assert_cmpint (question_int (&q, 0), ==, tables->compilation_step_id[n]);
      question_text (&q, 1, tables->strings, tables->compilation_step_name[n]);
    }
  question_close (&q);
  g_assert_cmpuint (tables->n_compilation_steps, ==, n);
}

static void
test_vertices (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *tables = tsr_report_get_program_tables (f->report);
  Question q;
  guint n = 0;
  guint set = 0;

  question_open (&q, f->folder,
                 "SELECT v.id, v.name, v.size_bytes, v.source_type, " ARRAY (
                     "code_bytes_by_tile", "a") " FROM vertex_types v" JOIN ("code_bytes_by_tile",
                                                                             "a") " ORDER BY v.id");
  for (; question_next (&q); n++)
    {
      g_assert_cmpint (question_int (&q, 0), ==, tables->vertex_type_id[n]);
      question_text (&q, 1, tables->strings, tables->vertex_type_name[n]);
      g_assert_cmpint (question_int (&q, 2), ==, tables->vertex_type_size[n]);
      question_text (&q, 3, tables->strings, tables->vertex_type_source[n]);
      check_array (&q, 4, &tables->vertex_type_code[n]);
    }
  question_close (&q);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_vertex_types, ==, n);

  n = 0;
  question_open (&q, f->folder,
                 "SELECT c.compute_set, c.name, " ARRAY (
                     "estimated_cycles_by_tile", "a") " FROM compute_sets c" JOIN ("estimated_"
                                                                                   "cycles_by_tile",
                                                                                   "a"));
  for (; question_next (&q); n++)
    {
      g_assert_cmpint (question_int (&q, 0), ==, tables->compute_set_id[n]);
      question_text (&q, 1, tables->strings, tables->compute_set_name[n]);
      check_array (&q, 2, &tables->compute_set_estimated_cycles[n]);
    }
  question_close (&q);
  g_assert_cmpuint (tables->n_compute_sets, ==, n);

  n = 0;
  question_open (
      &q, f->folder,
      "SELECT v.compute_set, v.vertex_type, v.count, v.flops, v.estimated_cycles,"
      " v.measured_cycles, " ARRAY ("count_by_tile", "a") " FROM compute_set_vertices v" JOIN (
          "count_by_tile", "a") " ORDER BY 1, 2");
  for (; question_next (&q); n++)
    {
      while (tables->vertex_start[set + 1] <= n)
        set++;
      g_assert_cmpint (question_int (&q, 0), ==, tables->compute_set_id[set]);
      question_place (&q, 1, tables->vertex_type_id, tables->vertex_type[n]);
      g_assert_cmpint (question_int (&q, 2), ==, tables->vertex_count[n]);
      g_assert_cmpint (question_int (&q, 3), ==, tables->vertex_flops[n]);
      g_assert_cmpint (question_int (&q, 4), ==, tables->vertex_estimated_cycles[n]);
      g_assert_cmpint (question_int (&q, 5), ==, tables->vertex_measured_cycles[n]);
      check_array (&q, 6, &tables->vertex_count_by_tile[n]);
    }
  question_close (&q);
  g_assert_cmpuint (tables->vertex_start[tables->n_compute_sets], ==, n);
}

/* ---------------------------------------------------------------- liveness */

static void
test_steps (gconstpointer data)
{
  const Fixture *f = data;
  const TsrProgramTables *programs = tsr_report_get_program_tables (f->report);
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (f->report);
  Question q;
  guint n = 0;

  question_open (&q, f->folder,
                 "SELECT step, program, not_always_live_bytes FROM liveness_steps ORDER BY step");
  for (; question_next (&q); n++)
    {
      g_assert_cmpint (question_int (&q, 0), ==, n);
      g_assert_cmpint (question_int (&q, 1), ==, tables->step_program_id[n]);
      question_place (&q, 1, programs->program_id, tables->step_program[n]);
      g_assert_cmpint (question_int (&q, 2), ==, tables->step_bytes[n]);
    }
  question_close (&q);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_steps, ==, n);

  n = 0;
  question_open (&q, f->folder, "SELECT step, ipu, not_always_live_bytes FROM liveness_by_ipu");
  for (; question_next (&q); n++)
    {
      guint ipu = question_int (&q, 1);

      g_assert_cmpuint (ipu, <, tables->n_ipus);
      g_assert_cmpint (question_int (&q, 2), ==,
                       tables->step_ipu_bytes[ipu * tables->n_steps + question_int (&q, 0)]);
    }
  question_close (&q);
  g_assert_cmpuint (n, ==, tables->n_ipus * tables->n_steps);
}

static void
test_variables (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (f->report);
  Question q;
  guint n = 0;
  guint variable = 0;

  question_open (&q, f->folder,
                 "SELECT id, name, size_bytes, coalesce (always_live, 255), category,"
                 " element_type, shape, debug_id FROM variables ORDER BY id");
  for (; question_next (&q); n++)
    {
      g_assert_cmpint (question_int (&q, 0), ==, tables->variable_id[n]);
      question_text (&q, 1, tables->strings, tables->variable_name[n]);
      g_assert_cmpint (question_int (&q, 2), ==, tables->variable_size[n]);
      g_assert_cmpint (question_int (&q, 3), ==, tables->variable_always_live[n]);
      g_assert_cmpint (question_int (&q, 4), ==, tables->variable_category_id[n]);
      question_text (&q, 5, tables->strings, tables->variable_element_type[n]);
      question_text (&q, 6, tables->strings, tables->variable_shape[n]);
      g_assert_cmpint (question_int (&q, 7), ==, tables->variable_debug_id[n]);
    }
  question_close (&q);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n_variables, ==, n);

  n = 0;
  question_open (&q, f->folder,
                 "SELECT variable, start_step, end_step, size_bytes FROM variable_lifetimes"
                 " ORDER BY 1, 2, 3");
  for (; question_next (&q); n++)
    {
      while (tables->lifetime_start[variable + 1] <= n)
        variable++;
      g_assert_cmpint (question_int (&q, 0), ==, tables->variable_id[variable]);
      g_assert_cmpint (question_int (&q, 1), ==, tables->lifetime_from[n]);
      g_assert_cmpint (question_int (&q, 2), ==, tables->lifetime_to[n]);
      g_assert_cmpint (question_int (&q, 3), ==, tables->lifetime_bytes[n]);
    }
  question_close (&q);
  g_assert_cmpuint (tables->lifetime_start[tables->n_variables], ==, n);
}

static void
test_variables_by_ipu (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (f->report);
  Question q;
  guint n = 0;

  /* A variable without any row is not known; one with rows has nothing on other IPUs. */
  question_open (
      &q, f->folder,
      "SELECT v.id, i.ipu, CASE WHEN EXISTS (SELECT 1 FROM variables_by_ipu WHERE variable = v.id)"
      " THEN coalesce ((SELECT size_bytes FROM variables_by_ipu b WHERE b.variable = v.id"
      " AND b.ipu = i.ipu), 0) END"
      " FROM variables v, (SELECT DISTINCT ipu FROM variables_by_ipu) i ORDER BY i.ipu, v.id");
  for (; question_next (&q); n++)
    g_assert_cmpint (question_int (&q, 2), ==, tables->variable_ipu_bytes[n]);
  question_close (&q);
  g_assert_cmpuint (n, ==, tables->n_variables * tables->n_variable_ipus);
}

/* ----------------------------------------------------------------- lowered */

static void
test_lowered (gconstpointer data)
{
  const Fixture *f = data;
  const TsrMemoryTables *memory = tsr_report_get_memory_tables (f->report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (f->report);
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (f->report);
  Question q;
  gsize n = 0;

  question_open (
      &q, f->folder,
      "SELECT vars_info.id, tile, size_bytes, category, s.value, variable, offset, always_live,"
      " equivalence_class, alignment FROM vars_info"
      " LEFT JOIN vars_string_table s ON s.id = vars_info.name ORDER BY vars_info.id");
  for (; question_next (&q); n++)
    {
      gint64 id = tables->id != NULL ? tables->id[n] : tables->first_id + (gint64)n;

      g_assert_cmpint (question_int (&q, 0), ==, id);
      g_assert_cmpint (question_int (&q, 1), ==, tables->tile[n]);
      g_assert_cmpint (question_int (&q, 2), ==, tables->size[n]);
      question_place (&q, 3, memory->categories.ids,
                      tables->category[n] != TSR_NO_CATEGORY ? tables->category[n] : TSR_NO_INDEX);
      question_text (&q, 4, tables->strings, tables->name[n]);
      question_place (&q, 5, liveness->variable_id, tables->variable[n]);
      g_assert_cmpint (question_int (&q, 6), ==, tables->offset[n]);
      g_assert_cmpint (question_int (&q, 7), ==, tables->always_live[n]);
      question_place (&q, 8, tables->class_id, tables->equivalence_class[n]);
      g_assert_cmpint (question_int (&q, 9), ==, (gint64)1 << tables->alignment[n]);
    }
  question_close (&q);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (tables->n, ==, n);
}

/* The rows of each tile, by the count and the sum of their places. */
static void
test_tiles (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (f->report);
  Question q;

  question_open (&q, f->folder,
                 "SELECT t.tile, count (v.id), coalesce (sum (v.id), 0) FROM memory_by_tile t"
                 " LEFT JOIN vars_info v ON v.tile = t.tile GROUP BY t.tile ORDER BY t.tile");
  for (guint tile = 0; question_next (&q); tile++)
    {
      gint64 sum = 0;

      g_assert_cmpuint (tile, <, tables->n_tiles);
      for (gsize i = tables->tile_start[tile]; i < tables->tile_start[tile + 1]; i++)
        {
          gsize row = tables->by_tile != NULL ? tables->by_tile[i] : i;

          g_assert_cmpuint (tables->tile[row], ==, tile);
          sum += tables->id != NULL ? tables->id[row] : tables->first_id + (gint64)row;
        }
      g_assert_cmpint (question_int (&q, 1), ==,
                       tables->tile_start[tile + 1] - tables->tile_start[tile]);
      g_assert_cmpint (question_int (&q, 2), ==, sum);
    }
  question_close (&q);
}

/* Every class is live at the steps at which the file says so: step by step. */
static void
test_classes (gconstpointer data)
{
  const Fixture *f = data;
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (f->report);
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (f->report);
  const guint n_steps = liveness->n_steps;
  g_autofree guint8 *live = g_malloc0 ((gsize)n_steps * (tables->n_classes + 1));
  Question q;
  guint n = 0;

  question_open (&q, f->folder,
                 "SELECT DISTINCT equivalence_class FROM vars_info"
                 " WHERE equivalence_class IS NOT NULL ORDER BY 1");
  for (; question_next (&q); n++)
    g_assert_cmpint (question_int (&q, 0), ==, tables->class_id[n]);
  question_close (&q);
  g_assert_cmpuint (tables->n_classes, ==, n);

  for (guint c = 0; c < tables->n_classes; c++)
    for (gsize i = tables->interval_start[c]; i < tables->interval_start[c + 1]; i++)
      {
        g_assert_cmpuint (tables->interval_from[i], <, tables->interval_to[i]);
        if (i > tables->interval_start[c])
          g_assert_cmpuint (tables->interval_from[i], >, tables->interval_to[i - 1]);
        memset (live + (gsize)c * n_steps + tables->interval_from[i], 1,
                tables->interval_to[i] - tables->interval_from[i]);
      }
  question_open (&q, f->folder,
                 "SELECT DISTINCT e.equivalence_class, s.step FROM equivalence_class_intervals e,"
                 " liveness_steps s WHERE s.step >= e.start_step AND s.step < e.end_step"
                 " AND e.equivalence_class IN (SELECT equivalence_class FROM vars_info)");
  while (question_next (&q))
    {
      guint c = 0;

      while (tables->class_id[c] != question_int (&q, 0))
        c++;
      live[(gsize)c * n_steps + question_int (&q, 1)] ^= 1;
    }
  question_close (&q);
  for (gsize i = 0; i < (gsize)n_steps * tables->n_classes; i++)
    g_assert_cmpuint (live[i], ==, 0);
}

/* A good report has nothing to complain about. */
static void
test_quiet (gconstpointer data)
{
  const Fixture *f = data;

  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (f->report)), ==, 0);
  for (guint i = 0; i < TSR_N_STAGES; i++)
    g_assert_cmpint (tsr_report_get_stage_state (f->report, i), ==, TSR_STAGE_READY);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    GTestDataFunc run;
  } tests[] = {
    { "quiet", test_quiet },
    { "programs", test_programs },
    { "children-and-roots", test_children_and_roots },
    { "vertices", test_vertices },
    { "steps", test_steps },
    { "variables", test_variables },
    { "variables-by-ipu", test_variables_by_ipu },
    { "lowered", test_lowered },
    { "tiles", test_tiles },
    { "classes", test_classes },
  };
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    {
      fixtures[i].folder = make_report (fixtures[i].preset);
      fixtures[i].report = open_tables (fixtures[i].folder, TSR_LOAD_ALL);
      for (guint k = 0; k < G_N_ELEMENTS (tests); k++)
        {
          g_autofree char *path
              = g_strdup_printf ("/report-tables/%s/%s", fixtures[i].preset, tests[k].name);

          g_test_add_data_func (path, &fixtures[i], tests[k].run);
        }
    }
  status = g_test_run ();
  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    {
      g_object_unref (fixtures[i].report);
      tsr_test_folder_free (fixtures[i].folder);
    }
  return status;
}
