/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists about programs: roots, variables by role both ways, vertices, steps.  What is asked of a
 * program is told of all below it too, each program once.  Reads the file: for a worker. */

#include "config.h"

#include "tsr-program-rows.h"

#include "tsr-grid.h"
#include "tsr-known.h"
#include "tsr-program-tree.h"
#include "tsr-report-read.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* Takes @grid. */
static TsrTableAnswer *
grid_answer (TsrGrid *grid, const char *none, const char *sort_key)
{
  TsrTableAnswer *answer = tsr_table_answer_new (none, NULL);

  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = sort_key;
  return answer;
}

static gint64 *
add_values (TsrGrid *grid, const char *key, const char *title, const char *hint, TsrValueKind kind)
{
  TsrRowColumn *column = tsr_grid_column (key, title, hint, kind);

  column->summed = FALSE;
  return tsr_grid_add_values (grid, column);
}

static const char **
add_texts (TsrGrid *grid, const char *key, const char *title)
{
  return tsr_grid_add_texts (grid, tsr_grid_text_column (key, title, NULL));
}

/* Texts are those of the programs, which are kept, and keep the report. */
static TsrGrid *
grid_new (guint32 n, TsrPrograms *programs)
{
  TsrGrid *grid = tsr_grid_new (n);

  tsr_grid_keep (grid, tsr_programs_ref (programs), (GDestroyNotify)tsr_programs_unref);
  return grid;
}

/* ------------------------------------------------------------------- roots */

/* Of some roots, with all that they lead to. */
typedef struct
{
  gint64 cycles, code, live;
} Total;

static void
add_to (gint64 *sum, gint64 value)
{
  *sum = tsr_known_add (*sum, value);
}

static void
add_program (Total *total, TsrPrograms *programs, guint32 program, guint8 *types)
{
  const TsrProgramTables *t = tsr_programs_get_tables (programs);
  guint32 set = t->program_compute_set[program];

  add_to (&total->cycles, tsr_programs_get (programs, program, TSR_PROGRAM_CYCLES_SELF));
  add_to (&total->code, tsr_programs_get (programs, program, TSR_PROGRAM_CONTROL_SELF));
  add_to (&total->code, tsr_programs_get (programs, program, TSR_PROGRAM_EXCHANGE_SELF));
  total->live = MAX (total->live, tsr_programs_get (programs, program, TSR_PROGRAM_LIVE_SELF));
  if (set == TSR_NO_INDEX)
    return;
  for (guint32 v = t->vertex_start[set]; v < t->vertex_start[set + 1]; v++)
    if (!types[t->vertex_type[v]]++)
      add_to (&total->code, t->vertex_type_code[t->vertex_type[v]].total);
}

/* Each program and each vertex type once: functions call each other. */
static Total
get_total (TsrPrograms *programs, const TsrProgramRoot *roots, guint n)
{
  g_autofree guint8 *seen = g_new0 (guint8, tsr_programs_get_n (programs) + 1);
  g_autofree guint8 *types
      = g_new0 (guint8, tsr_programs_get_tables (programs)->n_vertex_types + 1);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  Total total = { 0, 0, TSR_UNKNOWN };

  for (guint i = 0; i < n; i++)
    g_array_append_val (stack, roots[i].program);
  while (stack->len > 0)
    {
      guint32 program = g_array_index (stack, guint32, stack->len - 1), first, end;

      g_array_set_size (stack, stack->len - 1);
      if (seen[program])
        continue;
      seen[program] = 1;
      add_program (&total, programs, program, types);
      tsr_programs_get_edges (programs, program, &first, &end);
      for (guint32 e = first; e < end; e++)
        {
          guint32 child = tsr_programs_get_child (programs, e);

          g_array_append_val (stack, child);
        }
    }
  return total;
}

/* A group for each kind with its roots below it. */
static TsrTableAnswer *
answer_roots (const TsrProgramQuestion *question)
{
  static const char *const titles[TSR_N_ROOT_KINDS] = {
    [TSR_ROOT_CONTROL] = N_ ("Control programs"),
    [TSR_ROOT_FUNCTION] = N_ ("Functions"),
    [TSR_ROOT_OTHER] = N_ ("Others"),
  };
  TsrPrograms *programs = question->programs;
  const TsrProgramTables *t = tsr_programs_get_tables (programs);
  const TsrProgramRoot *roots;
  guint first, end, n;
  TsrGrid *grid;
  TsrTableAnswer *answer;
  const char **keys, **names, **kinds;
  guint32 *parents, n_groups = 0, row = 0, group = TSR_NO_INDEX;
  gint64 *ids, *calls, *cycles, *executions, *code, *tile, *live, *flops;

  roots = tsr_programs_peek_roots (programs, &n);
  tsr_programs_find_roots (programs, question->step, &first, &end);
  for (guint i = first; i < end; i++)
    n_groups += i == first || roots[i].kind != roots[i - 1].kind;
  grid = grid_new (end - first + n_groups, programs);
  parents = g_new (guint32, MAX (end - first + n_groups, 1));
  keys = tsr_grid_add_keys (grid);
  names = add_texts (grid, "name", _ ("Program"));
  kinds = add_texts (grid, "kind", _ ("Kind"));
  ids = add_values (grid, "id", _ ("Id"), NULL, TSR_VALUE_INDEX);
  calls = add_values (grid, "callers", _ ("Callers"), _ ("Links that lead to it"), TSR_VALUE_COUNT);
  executions = add_values (grid, "executions", _ ("Executions"),
                           _ ("For one execution of the control program: repeats x calls, all "
                              "branches taken"),
                           TSR_VALUE_COUNT);
  cycles = add_values (grid, "cycles", _ ("Cycles"), _ ("Measured, with all below it"),
                       TSR_VALUE_COUNT);
  code = add_values (grid, "code", _ ("Code"), _ ("Over all tiles of a replica"), TSR_VALUE_BYTES);
  tile = add_values (grid, "codeTile", _ ("Code (worst tile)"), _ ("On the tile with most memory"),
                     TSR_VALUE_BYTES);
  live = add_values (grid, "live", _ ("Live"),
                     _ ("Not-always-live bytes at the largest liveness step below it"),
                     TSR_VALUE_BYTES);
  flops
      = add_values (grid, "flops", _ ("FLOPs"), _ ("Estimated, of one execution"), TSR_VALUE_COUNT);
  for (guint i = first; i < end; i++)
    {
      guint32 program = roots[i].program;
      const char *name = tsr_string_table_get (t->strings, t->program_name[program]);
      g_autofree char *key = g_strdup_printf ("%s.%" PRId64, tsr_root_kind_get_nick (roots[i].kind),
                                              t->program_id[program]);

      if (i == first || roots[i].kind != roots[i - 1].kind)
        {
          guint last = i;
          g_autofree char *count = NULL, *title = NULL;
          Total total;

          while (last < end && roots[last].kind == roots[i].kind)
            last++;
          total = get_total (programs, roots + i, last - i);
          count = tsr_units_dup_count (last - i);
          title = g_strdup_printf ("%s (%s)", _ (titles[roots[i].kind]), count);
          group = row++;
          parents[group] = TSR_NO_INDEX;
          keys[group] = tsr_root_kind_get_nick (roots[i].kind);
          names[group] = tsr_grid_intern (grid, title);
          kinds[group] = tsr_root_kind_get_name (roots[i].kind);
          cycles[group] = total.cycles;
          code[group] = total.code;
          live[group] = total.live;
        }
      parents[row] = group;
      keys[row] = tsr_grid_intern (grid, key);
      /* Nearly all are sequences. */
      names[row]
          = name != NULL && *name != '\0' ? name : tsr_programs_get_label (programs, program);
      kinds[row] = tsr_root_kind_get_name (roots[i].kind);
      ids[row] = t->program_id[program];
      calls[row] = tsr_programs_get_n_parents (programs, program);
      executions[row] = tsr_programs_get (programs, program, TSR_PROGRAM_EXECUTIONS);
      cycles[row] = tsr_programs_get (programs, program, TSR_PROGRAM_CYCLES);
      code[row] = tsr_programs_get (programs, program, TSR_PROGRAM_CODE);
      if (question->code != NULL)
        tile[row] = tsr_program_code_get_total (question->code, program);
      live[row] = tsr_programs_get (programs, program, TSR_PROGRAM_LIVE);
      flops[row] = tsr_programs_get (programs, program, TSR_PROGRAM_FLOPS);
      row++;
    }
  answer = grid_answer (grid, _ ("No programs"), NULL);
  tsr_rows_set_parents (answer->rows, parents);
  return answer;
}

/* --------------------------------------------------------------- variables */

/* One side of what touches: a variable or a program, in a role. */
typedef struct
{
  guint32 row; /* of variables or programs */
  TsrVariableRole role;
  gint64 bytes;
  guint n; /* entries */
} Touch;

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrProgramVariable *x = a;
  const TsrProgramVariable *y = b;
  gboolean by_variable = GPOINTER_TO_INT (data);
  guint32 i = by_variable ? x->variable : x->program;
  guint32 k = by_variable ? y->variable : y->program;

  return i != k ? (i > k) - (i < k) : (x->role > y->role) - (x->role < y->role);
}

/* (transfer full) (element-type Touch): @entries by variable (else by program) and role. */
static GArray *
merge (GArray *entries, gboolean by_variable)
{
  GArray *touches = g_array_new (FALSE, TRUE, sizeof (Touch));

  g_array_sort_with_data (entries, compare_entries, GINT_TO_POINTER (by_variable));
  for (guint i = 0; i < entries->len; i++)
    {
      const TsrProgramVariable *entry = &g_array_index (entries, TsrProgramVariable, i);
      guint32 row = by_variable ? entry->variable : entry->program;
      Touch *touch;

      touch = touches->len > 0 ? &g_array_index (touches, Touch, touches->len - 1) : NULL;
      if (touch == NULL || touch->row != row || touch->role != entry->role)
        {
          g_array_set_size (touches, touches->len + 1);
          touch = &g_array_index (touches, Touch, touches->len - 1);
          *touch = (Touch){ row, entry->role, 0, 0 };
        }
      touch->n++;
      if (touch->bytes == TSR_UNKNOWN || entry->bytes == TSR_UNKNOWN
          || __builtin_add_overflow (touch->bytes, entry->bytes, &touch->bytes))
        touch->bytes = TSR_UNKNOWN;
    }
  return touches;
}

static TsrTableAnswer *
answer_variables (const TsrProgramQuestion *question, GCancellable *cancellable, GError **error)
{
  TsrPrograms *programs = question->programs;
  TsrReport *report = tsr_programs_get_report (programs);
  const TsrLivenessTables *t = report != NULL ? tsr_report_get_liveness_tables (report) : NULL;
  g_autoptr (GArray) below = NULL;
  g_autoptr (GArray) entries = NULL;
  g_autoptr (GArray) touches = NULL;
  const char **keys, **names, **roles, **shapes, **types;
  gint64 *sizes, *bytes, *counts;
  TsrGrid *grid;

  if (question->program >= tsr_programs_get_n (programs))
    return tsr_table_answer_new (
        _ ("Select a program"), _ ("The variables that it and all below it touch are listed here"));
  if (t == NULL)
    return tsr_table_answer_new (_ ("Not in the report"),
                                 _ ("It has no variables: the table variables is missing"));
  below = tsr_programs_find_below (programs, question->program);
  entries = tsr_report_read_program_variables (report, (const guint32 *)(gpointer)below->data,
                                               below->len, cancellable, error);
  if (entries == NULL)
    return NULL;
  touches = merge (entries, TRUE);
  grid = grid_new (touches->len, programs);
  keys = tsr_grid_add_keys (grid);
  names = add_texts (grid, "name", _ ("Name"));
  roles = add_texts (grid, "role", _ ("Role"));
  types = add_texts (grid, "elementType", _ ("Type"));
  shapes = add_texts (grid, "shape", _ ("Shape"));
  sizes = add_values (grid, "bytes", _ ("Bytes"), _ ("Of the variable, over all tiles"),
                      TSR_VALUE_BYTES);
  bytes = add_values (grid, "touched", _ ("Touched"),
                      _ ("Bytes of the parts that are touched, added up over all programs"),
                      TSR_VALUE_BYTES);
  counts = add_values (grid, "parts", _ ("Parts"), _ ("That programs touch"), TSR_VALUE_COUNT);
  for (guint i = 0; i < touches->len; i++)
    {
      const Touch *touch = &g_array_index (touches, Touch, i);
      g_autofree char *key
          = g_strdup_printf ("%" PRId64 ".%u", t->variable_id[touch->row], touch->role);

      keys[i] = tsr_grid_intern (grid, key);
      names[i] = tsr_string_table_get (t->strings, t->variable_name[touch->row]);
      roles[i] = tsr_variable_role_get_name (touch->role);
      types[i] = tsr_string_table_get (t->strings, t->variable_element_type[touch->row]);
      shapes[i] = tsr_string_table_get (t->strings, t->variable_shape[touch->row]);
      sizes[i] = t->variable_size[touch->row];
      bytes[i] = touch->bytes;
      counts[i] = touch->n;
    }
  return grid_answer (grid, _ ("It touches no variables"), "bytes");
}

static TsrTableAnswer *
answer_touching (const TsrProgramQuestion *question, GCancellable *cancellable, GError **error)
{
  TsrPrograms *programs = question->programs;
  TsrReport *report = tsr_programs_get_report (programs);
  const TsrProgramTables *t = tsr_programs_get_tables (programs);
  const TsrLivenessTables *liveness
      = report != NULL ? tsr_report_get_liveness_tables (report) : NULL;
  g_autoptr (GArray) entries = NULL;
  g_autoptr (GArray) touches = NULL;
  const char **keys, **names, **roles;
  gint64 *ids, *bytes, *counts, *cycles;
  TsrGrid *grid;

  if (liveness == NULL || question->variable >= liveness->n_variables)
    return tsr_table_answer_new (_ ("Select a variable"),
                                 _ ("The programs that touch it are listed here"));
  entries = tsr_report_read_touching_programs (report, &question->variable, 1, cancellable, error);
  if (entries == NULL)
    return NULL;
  touches = merge (entries, FALSE);
  grid = grid_new (touches->len, programs);
  keys = tsr_grid_add_keys (grid);
  names = add_texts (grid, "name", _ ("Program"));
  roles = add_texts (grid, "role", _ ("Role"));
  ids = add_values (grid, "id", _ ("Id"), NULL, TSR_VALUE_INDEX);
  bytes = add_values (grid, "touched", _ ("Touched"), _ ("Bytes of the parts that it touches"),
                      TSR_VALUE_BYTES);
  counts = add_values (grid, "parts", _ ("Parts"), _ ("That it touches"), TSR_VALUE_COUNT);
  cycles = add_values (grid, "cyclesSelf", _ ("Cycles"), _ ("Measured in the recorded runs"),
                       TSR_VALUE_COUNT);
  for (guint i = 0; i < touches->len; i++)
    {
      const Touch *touch = &g_array_index (touches, Touch, i);
      g_autofree char *key
          = g_strdup_printf ("%" PRId64 ".%u", t->program_id[touch->row], touch->role);

      keys[i] = tsr_grid_intern (grid, key);
      names[i] = tsr_programs_get_label (programs, touch->row);
      roles[i] = tsr_variable_role_get_name (touch->role);
      ids[i] = t->program_id[touch->row];
      bytes[i] = touch->bytes;
      counts[i] = touch->n;
      cycles[i] = tsr_programs_get (programs, touch->row, TSR_PROGRAM_CYCLES_SELF);
    }
  return grid_answer (grid, _ ("No program touches it"), NULL);
}

/* ---------------------------------------------------------------- vertices */

static TsrTableAnswer *
answer_vertices (const TsrProgramQuestion *question)
{
  TsrPrograms *programs = question->programs;
  const TsrProgramTables *t = tsr_programs_get_tables (programs);
  const char **names, **sources;
  gint64 *counts, *state, *code, *flops, *estimated, *measured;
  guint32 set, first;
  TsrGrid *grid;

  if (question->program >= tsr_programs_get_n (programs))
    return tsr_table_answer_new (_ ("Select a program"),
                                 _ ("The vertices of its compute set are listed here"));
  set = t->program_compute_set[question->program];
  if (set == TSR_NO_INDEX)
    return tsr_table_answer_new (_ ("No compute set"),
                                 _ ("Only programs of type OnTileExecute have vertices"));
  first = t->vertex_start[set];
  grid = grid_new (t->vertex_start[set + 1] - first, programs);
  names = add_texts (grid, "name", _ ("Vertex type"));
  sources = add_texts (grid, "source", _ ("Source"));
  counts = add_values (grid, "count", _ ("Vertices"), _ ("Over all tiles"), TSR_VALUE_COUNT);
  state = add_values (grid, "stateBytes", _ ("State"), NULL, TSR_VALUE_BYTES);
  code = add_values (grid, "codeBytes", _ ("Code"),
                     _ ("Of the vertex type, which other compute sets may use too"),
                     TSR_VALUE_BYTES);
  flops
      = add_values (grid, "flops", _ ("FLOPs"), _ ("Estimated, of one execution"), TSR_VALUE_COUNT);
  estimated = add_values (grid, "estimated", _ ("Estimated"),
                          _ ("Cycles of one execution, added up over the tiles"), TSR_VALUE_COUNT);
  measured = add_values (grid, "measured", _ ("Measured"),
                         _ ("Cycles of one execution, added up over the tiles"), TSR_VALUE_COUNT);
  for (guint32 i = first; i < t->vertex_start[set + 1]; i++)
    {
      guint32 type = t->vertex_type[i], row = i - first;

      names[row] = tsr_string_table_get (t->strings, t->vertex_type_name[type]);
      sources[row] = tsr_string_table_get (t->strings, t->vertex_type_source[type]);
      counts[row] = t->vertex_count[i];
      if (t->vertex_count[i] != TSR_UNKNOWN && t->vertex_type_size[type] != TSR_UNKNOWN
          && __builtin_mul_overflow (t->vertex_count[i], t->vertex_type_size[type], &state[row]))
        state[row] = TSR_UNKNOWN;
      code[row] = t->vertex_type_code[type].total;
      flops[row] = t->vertex_flops[i];
      estimated[row] = t->vertex_estimated_cycles[i];
      measured[row] = t->vertex_measured_cycles[i];
    }
  return grid_answer (grid, _ ("No vertices"), "count");
}

/* ------------------------------------------------------------------- steps */

/* Of one step: the slice of the IPU where it took longest. */
typedef struct
{
  guint32 step;
  guint ipu;
  gsize slice; /* G_MAXSIZE: none */
  gint64 cycles;
} Ran;

/* (transfer full) (element-type Ran): the steps of @below, in order. */
static GArray *
find_steps (const TsrPrograms *programs, GArray *below, const TsrExecutionTables *t)
{
  const TsrProgramTables *tables = tsr_programs_get_tables (programs);
  g_autofree guint8 *wanted = g_new0 (guint8, MAX (tables->n_programs, 1));
  g_autofree guint32 *places = g_new (guint32, MAX (t->n_steps, 1));
  GArray *ran = g_array_new (FALSE, FALSE, sizeof (Ran));

  for (guint i = 0; i < below->len; i++)
    wanted[g_array_index (below, guint32, i)] = 1;
  for (guint32 step = 0; step < t->n_steps; step++)
    {
      guint32 program = tsr_programs_get_of_step (programs, t, step);
      Ran one = { step, 0, G_MAXSIZE, TSR_UNKNOWN };

      places[step] = TSR_NO_INDEX;
      if (program == TSR_NO_INDEX || !wanted[program])
        continue;
      places[step] = ran->len;
      g_array_append_val (ran, one);
    }
  for (guint ipu = 0; ipu < t->n_ipus && ran->len > 0; ipu++)
    for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
      {
        guint32 place = places[t->slice_step[i]];
        gint64 cycles = tsr_narrow_get (&t->slice_cycles, i);
        Ran *of = place != TSR_NO_INDEX ? &g_array_index (ran, Ran, place) : NULL;

        if (of != NULL && (of->slice == G_MAXSIZE || cycles > of->cycles))
          *of = (Ran){ of->step, ipu, i, cycles };
      }
  return ran;
}

TsrTableAnswer *
tsr_program_steps_new (TsrPrograms *programs, GArray *of_programs)
{
  TsrReport *report = tsr_programs_get_report (programs);
  const TsrExecutionTables *t = report != NULL ? tsr_report_get_execution_tables (report) : NULL;
  g_autoptr (GArray) ran = NULL;
  const char **names, **runs;
  gint64 *ids, *ipus, *starts, *cycles, *balance, *data;
  TsrGrid *grid;

  g_return_val_if_fail (programs != NULL && of_programs != NULL, NULL);
  if (t == NULL)
    return tsr_table_answer_new (_ ("Not in the report"), _ ("It has no execution"));
  ran = find_steps (programs, of_programs, t);
  grid = grid_new (ran->len, programs);
  names = add_texts (grid, "name", _ ("Program"));
  runs = add_texts (grid, "run", _ ("Run"));
  ids = add_values (grid, "step", _ ("Step"), NULL, TSR_VALUE_INDEX);
  ipus = add_values (grid, "ipu", _ ("IPU"), _ ("Where it took longest"), TSR_VALUE_INDEX);
  starts
      = add_values (grid, "start", _ ("Start"), _ ("Cycles since the first step"), TSR_VALUE_COUNT);
  cycles = add_values (grid, "cycles", _ ("Cycles"), _ ("On the IPU where it took longest"),
                       TSR_VALUE_COUNT);
  balance = add_values (grid, "balance", _ ("Tile Balance"), NULL, TSR_VALUE_FRACTION);
  data = add_values (grid, "data", _ ("Data"), _ ("Bytes that this IPU received and sent"),
                     TSR_VALUE_BYTES);
  for (guint i = 0; i < ran->len; i++)
    {
      const Ran *of = &g_array_index (ran, Ran, i);
      guint16 run = t->step_run[of->step];
      gint64 in, out;

      names[i]
          = tsr_programs_get_label (programs, tsr_programs_get_of_step (programs, t, of->step));
      runs[i] = run < t->n_runs ? tsr_string_table_get (t->strings, t->run_name[run]) : NULL;
      ids[i] = tsr_execution_tables_get_step_id (t, of->step);
      if (of->slice == G_MAXSIZE)
        continue;
      ipus[i] = of->ipu;
      starts[i] = t->slice_start[of->slice];
      cycles[i] = of->cycles;
      if (t->slice_tile_balance != NULL && t->slice_tile_balance[of->slice] >= 0)
        balance[i] = (gint64)((double)t->slice_tile_balance[of->slice] * 1e9);
      in = tsr_narrow_get (&t->slice_data_in, of->slice);
      out = tsr_narrow_get (&t->slice_data_out, of->slice);
      data[i] = in != TSR_UNKNOWN && out != TSR_UNKNOWN ? in + out : TSR_UNKNOWN;
    }
  return grid_answer (grid, _ ("It did not run"), NULL);
}

static TsrTableAnswer *
answer_steps (const TsrProgramQuestion *question)
{
  g_autoptr (GArray) below = NULL;

  if (question->program >= tsr_programs_get_n (question->programs))
    return tsr_table_answer_new (_ ("Select a program"), _ ("Its steps are listed here"));
  below = tsr_programs_find_below (question->programs, question->program);
  return tsr_program_steps_new (question->programs, below);
}

/* --------------------------------------------------------------------- all */

TsrTableAnswer *
tsr_program_answer_new (const TsrProgramQuestion *question,
                        GCancellable *cancellable,
                        GError **error)
{
  g_return_val_if_fail (question != NULL, NULL);
  if (question->programs == NULL)
    return tsr_table_answer_new (_ ("Not in the report"), _ ("It has no programs"));
  switch (question->tab)
    {
    case TSR_PROGRAM_TAB_ROOTS:
      return answer_roots (question);
    case TSR_PROGRAM_TAB_VARIABLES:
      return answer_variables (question, cancellable, error);
    case TSR_PROGRAM_TAB_TOUCHING:
      return answer_touching (question, cancellable, error);
    case TSR_PROGRAM_TAB_VERTICES:
      return answer_vertices (question);
    case TSR_PROGRAM_TAB_STEPS:
      return answer_steps (question);
    default:
      return tsr_program_tree_new (question, cancellable, error);
    }
}
