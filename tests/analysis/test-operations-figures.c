/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each figure of each operation, by plain loops over the report's tables and SQL: in a sound
 * report, in one that is damaged in thirty places, and in one that was never executed. */

#include "config.h"

#include "operations-fixture.h"
#include "tsr-variables-private.h"

#include <math.h>

/* What is not told is NAN. */
static double
get_told (gint64 value)
{
  return value != TSR_UNKNOWN ? (double)value : NAN;
}

static double
get_larger (double a, double b)
{
  return isnan (a) || isnan (b) ? NAN : MAX (a, b);
}

/* The figure of each operation, and its total behind them. */
static void
check_all (const TsrOperations *operations, TsrOperationFigure figure, const double *wanted)
{
  const guint n = tsr_operations_get_n (operations);

  for (guint i = 0; i <= n; i++)
    {
      const gint64 got = i < n ? tsr_operations_get (operations, i, figure)
                               : tsr_operations_get_total (operations, figure);

      if (got != (isnan (wanted[i]) ? TSR_UNKNOWN : (gint64)wanted[i]))
        g_error ("figure %u of operation %u of %u: %" G_GINT64_FORMAT ", not %.0f", figure, i, n,
                 got, wanted[i]);
    }
}

/* Adds to the figure of an operation, and to its total. */
static void
add_to (double *sums, guint n, guint operation, double value)
{
  sums[operation] += value;
  sums[n] += value;
}

static guint
get_operation_of (Fixture *f, const TsrOperations *operations, guint32 step)
{
  const guint32 program = tsr_programs_get_of_step (
      f->programs, tsr_report_get_execution_tables (f->opened.report), step);

  return program != TSR_NO_INDEX ? tsr_operations_of_program (operations, program)
                                 : tsr_operations_get_n (operations) - 1;
}

static void
check_measured (Fixture *f, const TsrOperations *operations)
{
  const TsrExecutionTables *t = tsr_report_get_execution_tables (f->opened.report);
  const guint n = tsr_operations_get_n (operations);
  g_autofree double *tiles = g_new0 (double, n + 1), *wall = g_new0 (double, n + 1);
  g_autofree double *weights = g_new0 (double, n), *balance = g_new0 (double, n);
  g_autoptr (GHashTable) totals = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      f->opened.folder, "SELECT set_id, ipu, (SELECT total FROM tile_arrays a WHERE a.id ="
                        " cycles_by_tile) FROM tile_cycles ORDER BY rowid DESC");
  g_auto (TsrRunLeads) leads = { NULL };

  for (guint i = 0; i < rows->len; i++)
    {
      GStrv row = rows->pdata[i];
      const guint64 key
          = g_ascii_strtoull (row[0], NULL, 10) * 1000 + g_ascii_strtoull (row[1], NULL, 10);

      g_hash_table_insert (totals, GSIZE_TO_POINTER (key), row[2]);
    }
  tsr_run_leads_init (&leads, t);
  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    {
      g_autofree double *here = g_new0 (double, n + 1);

      tsr_run_leads_begin_ipu (&leads);
      for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
        {
          const guint32 step = t->slice_step[i], set = t->step_tile_cycles[step];
          const char *type = tsr_string_table_get (t->strings, t->type_name[t->step_type[step]]);
          const char *total
              = g_hash_table_lookup (totals, GSIZE_TO_POINTER ((gsize)set * 1000 + ipu));
          const guint operation = get_operation_of (f, operations, step);
          const gint64 longest = tsr_narrow_get (&t->slice_cycles, i);
          double cycles = NAN;

          if (set != TSR_NO_INDEX && total != NULL)
            cycles = *total != '\0' ? g_ascii_strtod (total, NULL) : NAN;
          else if (tsr_narrow_get (&t->slice_active_tiles, i) == 0
                   || (set == TSR_NO_INDEX && !tsr_step_group_is_useful (tsr_step_group_of (type))))
            cycles = 0;
          add_to (tiles, n, operation, cycles);
          if (!tsr_run_leads_take (&leads, i))
            add_to (here, n, operation,
                    t->slice_start[i] != TSR_UNKNOWN ? (double)(t->slice_end[i] - t->slice_start[i])
                                                     : NAN);
          if (!isnan (t->slice_tile_balance[i]) && longest != TSR_UNKNOWN)
            {
              balance[operation] += (double)t->slice_tile_balance[i] * (double)longest;
              weights[operation] += (double)longest;
            }
        }
      for (guint i = 0; i <= n; i++)
        wall[i] = get_larger (wall[i], here[i]);
    }
  check_all (operations, TSR_OPERATION_TILE_CYCLES, tiles);
  check_all (operations, TSR_OPERATION_WALL_CYCLES, wall);
  for (guint i = 0; i < n; i++)
    if (weights[i] > 0)
      g_assert_cmpfloat_with_epsilon (tsr_operations_get_balance (operations, i),
                                      balance[i] / weights[i], 1e-9);
    else
      g_assert_true (isnan (tsr_operations_get_balance (operations, i)));
}

/* What an array comes to; without one nothing, if the program's figure is known. */
static double
get_array (Fixture *f, guint32 program, TsrTileArrayRef ref, TsrProgramFigure figure)
{
  if (ref.id != TSR_UNKNOWN || tsr_programs_get (f->programs, program, figure) == TSR_UNKNOWN)
    return get_told (ref.total);
  return 0;
}

static double
sum_entries (Fixture *f, guint32 program, const gint64 *column)
{
  const TsrProgramTables *t = tsr_report_get_program_tables (f->opened.report);
  const guint32 set = t->program_compute_set[program];
  double all = tsr_programs_tells_vertices (f->programs, program) ? 0 : NAN;

  for (guint32 i = set != TSR_NO_INDEX ? t->vertex_start[set] : 0;
       set != TSR_NO_INDEX && i < t->vertex_start[set + 1]; i++)
    all += get_told (column[i]);
  return all;
}

static void
check_estimates (Fixture *f, const TsrOperations *operations)
{
  const TsrProgramTables *t = tsr_report_get_program_tables (f->opened.report);
  const TsrExecutionTables *e = tsr_report_get_execution_tables (f->opened.report);
  const guint n = tsr_operations_get_n (operations);
  const gboolean executed = e != NULL && e->n_steps > 0;
  static const TsrOperationFigure figures[] = { TSR_OPERATION_ESTIMATED, TSR_OPERATION_FLOPS,
                                                TSR_OPERATION_DATA_IN, TSR_OPERATION_DATA_OUT };
  g_autofree double *sums = g_new0 (double, (n + 1) * G_N_ELEMENTS (figures));
  g_autofree double *times = g_new0 (double, t->n_programs);
  g_autofree gint64 *most = g_new0 (gint64, n);

  for (guint32 step = 0; executed && step < e->n_steps; step++)
    {
      const guint32 program = tsr_programs_get_of_step (f->programs, e, step);

      if (program != TSR_NO_INDEX)
        times[program]++;
    }
  for (guint32 p = 0; p < t->n_programs; p++)
    {
      const guint32 set = t->program_compute_set[p];
      const guint operation = tsr_operations_of_program (operations, p);
      const double estimated
          = set == TSR_NO_INDEX
                ? get_array (f, p, t->program_estimated_cycles[p], TSR_PROGRAM_ESTIMATED_SELF)
            : t->compute_set_estimated_cycles[set].total != TSR_UNKNOWN
                ? (double)t->compute_set_estimated_cycles[set].total
                : sum_entries (f, p, t->vertex_estimated_cycles);
      const double values[] = { estimated, sum_entries (f, p, t->vertex_flops),
                                get_array (f, p, t->program_data_in[p], TSR_PROGRAM_MOVED_SELF),
                                get_array (f, p, t->program_data_out[p], TSR_PROGRAM_MOVED_SELF) };

      if (!executed)
        times[p] = get_told (tsr_programs_get (f->programs, p, TSR_PROGRAM_EXECUTIONS));
      most[operation] = MAX (most[operation], executed ? (gint64)times[p] : 0);
      for (guint k = 0; k < G_N_ELEMENTS (values); k++)
        if (values[k] != 0 && times[p] != 0)
          add_to (sums + k * (n + 1), n, operation, values[k] * times[p]);
    }
  for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
    check_all (operations, figures[k], sums + k * (n + 1));
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (tsr_operations_get (operations, i, TSR_OPERATION_EXECUTIONS), ==,
                     executed ? most[i] : TSR_UNKNOWN);
}

static void
check_variables (Fixture *f, const TsrOperations *operations)
{
  TsrVariables *variables = f->opened.variables;
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (f->opened.report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (f->opened.report);
  const guint n = tsr_operations_get_n (operations), n_variables = tsr_variables_get_n (variables);
  static const TsrOperationFigure figures[]
      = { TSR_OPERATION_VARIABLES,         TSR_OPERATION_ALWAYS_LIVE,
          TSR_OPERATION_TEMPORARY,         TSR_OPERATION_VARIABLES_WORST,
          TSR_OPERATION_ALWAYS_LIVE_WORST, TSR_OPERATION_TEMPORARY_WORST };
  g_autofree double *sums = g_new0 (double, (n + 1) * G_N_ELEMENTS (figures));
  g_autofree double *touched = g_new0 (double, n + 1);
  g_autofree guint8 *roles = g_new0 (guint8, (gsize)n * n_variables);
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      f->opened.folder, "SELECT program, variable, CASE WHEN role IN (1, 2) THEN role ELSE 0 END"
                        " FROM program_variables");

  for (guint v = 0; v < n_variables; v++)
    {
      const guint operation = tsr_operations_of_variable (operations, v);
      const double bytes = get_told (tsr_variables_get_bytes (variables, v));
      const TsrLife life = tsr_variables_get_life (variables, v);
      const double part = life == TSR_LIFE_UNKNOWN && bytes != 0 ? NAN : bytes;

      add_to (sums, n, operation, bytes);
      for (guint k = 1; k < 3; k++)
        if (life == TSR_LIFE_UNKNOWN || (life == TSR_LIFE_ALWAYS) == (k == 1))
          add_to (sums + k * (n + 1), n, operation, part);
    }
  for (guint tile = 0; tile < lowered->n_tiles; tile++)
    for (guint k = 0; k < 3; k++)
      {
        g_autofree double *here = g_new0 (double, n + 1);

        for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
          {
            const gsize row = tsr_lowered_get_row (lowered, i);
            const guint32 life = tsr_lowered_get_class (lowered, row);
            const double bytes = get_told (tsr_lowered_get_bytes (lowered, row));

            if (k == 0 || (k == 1) == (life == TSR_CLASS_ALWAYS))
              add_to (here, n,
                      tsr_operations_of_variable (operations,
                                                  tsr_variables_of_lowered (variables, row)),
                      k > 0 && life == TSR_CLASS_UNKNOWN ? NAN : bytes);
          }
        for (guint i = 0; i <= n; i++)
          {
            double *worst = &sums[(3 + k) * (n + 1) + i];

            *worst = get_larger (*worst, here[i]);
          }
      }
  for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
    check_all (operations, figures[k], sums + k * (n + 1));
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv row = rows->pdata[i];
      const gint64 id = g_ascii_strtoll (row[1], NULL, 10);
      const guint32 program = tsr_programs_find (f->programs, g_ascii_strtoll (row[0], NULL, 10));
      guint v = 0;

      while (v < liveness->n_variables && liveness->variable_id[v] != id)
        v++;
      if (program == TSR_NO_INDEX || v == liveness->n_variables)
        continue;
      roles[(gsize)tsr_operations_of_program (operations, program) * n_variables + v]
          |= 1u << atoi (row[2]);
    }
  for (guint i = 0; i < n; i++)
    for (guint v = 0; v < n_variables; v++)
      {
        const guint8 wanted = roles[(gsize)i * n_variables + v];

        g_assert_cmpuint (tsr_operations_get_roles (operations, i, v), ==, wanted);
        touched[i] += wanted != 0 ? get_told (tsr_variables_get_bytes (variables, v)) : 0;
      }
  touched[n] = NAN; /* it says nothing */
  check_all (operations, TSR_OPERATION_TOUCHED, touched);
}

/* Code that is shared is that of programs that two or more links lead to, and of all below. */
static void
check_code (Fixture *f, const TsrOperations *operations)
{
  const TsrProgramTables *t = tsr_report_get_program_tables (f->opened.report);
  const guint n = tsr_operations_get_n (operations);
  static const TsrOperationFigure figures[]
      = { TSR_OPERATION_CONTROL_CODE, TSR_OPERATION_EXCHANGE_CODE, TSR_OPERATION_SHARED_EXCHANGE,
          TSR_OPERATION_VERTEX_STATE, TSR_OPERATION_CODE };
  g_autofree double *sums = g_new0 (double, (n + 1) * G_N_ELEMENTS (figures));
  g_autofree guint8 *shared = g_new0 (guint8, t->n_programs);
  g_autofree guint *owner = g_new (guint, t->n_compute_sets + 1);
  g_autofree gboolean *untold = g_new0 (gboolean, n + 1); /* code of vertices */
  double *state = sums + 3 * (n + 1), *code = sums + 4 * (n + 1);

  for (guint32 set = 0; set < t->n_compute_sets; set++)
    owner[set] = n - 1;
  for (guint32 p = t->n_programs; p-- > 0;)
    {
      const guint operation = tsr_operations_of_program (operations, p);

      if (t->program_compute_set[p] != TSR_NO_INDEX)
        owner[t->program_compute_set[p]] = operation;
      if (!tsr_programs_tells_vertices (f->programs, p))
        add_to (state, n, operation, NAN);
      if (tsr_programs_get_n_parents (f->programs, p) > 1)
        {
          g_autoptr (GArray) below = tsr_programs_find_below (f->programs, p);

          for (guint i = 0; i < below->len; i++)
            shared[g_array_index (below, guint32, i)] = TRUE;
        }
    }
  for (guint32 p = 0; p < t->n_programs; p++)
    {
      const guint operation = tsr_operations_of_program (operations, p);
      const guint32 set = t->program_compute_set[p];
      const double exchange
          = get_told (tsr_programs_get (f->programs, p, TSR_PROGRAM_EXCHANGE_SELF));

      for (guint32 i = set != TSR_NO_INDEX ? t->vertex_start[set] : 0;
           set != TSR_NO_INDEX && i < t->vertex_start[set + 1]; i++)
        {
          const TsrTileArrayRef *of = &t->vertex_type_code[t->vertex_type[i]];

          untold[operation]
              |= t->vertex_count[i] != 0 && of->total != 0
                 && (t->vertex_count_by_tile[i].id == TSR_UNKNOWN || of->id == TSR_UNKNOWN);
        }
      untold[operation] |= !tsr_programs_tells_vertices (f->programs, p);
      add_to (sums, n, operation,
              get_told (tsr_programs_get (f->programs, p, TSR_PROGRAM_CONTROL_SELF)));
      add_to (sums + n + 1, n, operation, exchange);
      add_to (sums + 2 * (n + 1), n, operation, shared[p] ? exchange : 0);
    }
  for (guint32 set = 0; set < t->n_compute_sets; set++)
    for (guint32 i = t->vertex_start[set]; i < t->vertex_start[set + 1]; i++)
      add_to (state, n, owner[set],
              t->vertex_count[i] == 0 ? 0
                                      : get_told (t->vertex_count[i])
                                            * get_told (t->vertex_type_size[t->vertex_type[i]]));
  for (guint type = 0; type < t->n_vertex_types; type++)
    untold[n] |= t->vertex_type_code[type].total == TSR_UNKNOWN;
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (tsr_operations_get (operations, i, TSR_OPERATION_VERTEX_CODE) == TSR_UNKNOWN,
                     ==, untold[i]);
  g_assert_cmpint (tsr_operations_get_total (operations, TSR_OPERATION_VERTEX_CODE) == TSR_UNKNOWN,
                   ==, untold[n]);
  for (guint i = 0; i <= n; i++)
    code[i] = sums[i] + sums[n + 1 + i]
              + get_told (i < n ? tsr_operations_get (operations, i, TSR_OPERATION_VERTEX_CODE)
                                : tsr_operations_get_total (operations, TSR_OPERATION_VERTEX_CODE));
  for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
    check_all (operations, figures[k], sums + k * (n + 1));
}

/* Also where the file does not tell this or that: only those that need it are unknown. */
static void
test_figures (void)
{
  static const char *const changes[] = {
    NULL,
    "UPDATE steps SET tile_cycles = NULL WHERE program % 37 = 3;"
    "UPDATE steps SET program = NULL WHERE compute_set IS NOT NULL AND id % 4 = 1;"
    "UPDATE steps_by_ipu SET active_tiles = 0 WHERE step_id % 5 = 1;"
    "DELETE FROM tile_cycles WHERE set_id % 41 = 4;"
    "UPDATE tile_cycles SET cycles_by_tile = 123456789 WHERE set_id % 43 = 5;"
    "CREATE TABLE more AS SELECT set_id, ipu + 2 AS ipu, (SELECT max (id) FROM tile_arrays) AS"
    " cycles_by_tile FROM tile_cycles UNION ALL SELECT set_id, ipu, cycles_by_tile FROM tile_cycles"
    " UNION ALL SELECT set_id, ipu, cycles_by_tile + 1 FROM tile_cycles; DROP TABLE tile_cycles;"
    "ALTER TABLE more RENAME TO tile_cycles;"
    "UPDATE steps_by_ipu SET cycles_base = NULL WHERE step_id % 301 = 9;"
    "UPDATE steps_by_ipu SET tile_balance = NULL WHERE step_id % 3 = 0;"
    "UPDATE steps_by_ipu SET cycles = NULL WHERE step_id % 7 = 5;"
    "UPDATE compute_sets SET estimated_cycles_by_tile = NULL WHERE compute_set % 2;"
    "UPDATE programs SET estimated_cycles_by_tile = NULL WHERE id % 31 = 2;"
    "UPDATE programs SET data_in_by_tile = NULL WHERE id % 29 = 3;"
    "UPDATE programs SET data_out_by_tile = 123456789 WHERE id % 31 = 4;"
    "UPDATE compute_set_vertices SET flops = NULL WHERE compute_set % 37 = 1;"
    "UPDATE compute_set_vertices SET estimated_cycles = NULL WHERE compute_set % 37 = 3;"
    "UPDATE compute_set_vertices SET count = NULL WHERE compute_set % 47 = 2;"
    "UPDATE compute_set_vertices SET count = 0 WHERE compute_set % 5 = 1;"
    "UPDATE compute_set_vertices SET count_by_tile = 123456789 WHERE compute_set % 59 = 3;"
    "UPDATE vertex_types SET size_bytes = NULL WHERE id = 7;"
    "UPDATE vertex_types SET code_bytes_by_tile = NULL WHERE id = 9;"
    "UPDATE programs SET compute_set = (SELECT max (compute_set) FROM compute_sets) WHERE"
    " compute_set % 53 = 7;"
    "UPDATE programs SET code_bytes_by_tile = 123456789 WHERE id % 31 = 6;"
    "INSERT INTO program_children SELECT (SELECT min (program) FROM program_roots), 10000 + child,"
    " child FROM program_children WHERE child % 11 = 2;"
    "UPDATE variables SET size_bytes = NULL WHERE id % 61 = 4;"
    "UPDATE variables SET always_live = NULL WHERE id % 61 = 3;"
    "UPDATE vars_info SET size_bytes = NULL WHERE id % 5003 = 7;"
    "UPDATE vars_info SET always_live = NULL, equivalence_class = NULL WHERE id % 4001 = 8;"
    "UPDATE program_variables SET role = 9 WHERE role = 1 AND program % 3 = 1",
    "DELETE FROM steps; DELETE FROM steps_by_ipu;"
    "UPDATE programs SET repeat_count = NULL WHERE id % 2",
  };
  g_autofree char *debug = NULL;
  gsize length;

  fixture_read_debug (&debug, &length);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (Fixture) f = { 0 };
      g_autoptr (TsrOperations) operations = NULL;

      fixture_open (&f, changes[i], debug, length);
      operations = fixture_make (&f, "poplibs");
      check_code (&f, operations);
      check_estimates (&f, operations);
      if (i < 2)
        check_measured (&f, operations);
      check_variables (&f, operations);
    }
}
int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/operations/figures", test_figures);
  return g_test_run ();
}
