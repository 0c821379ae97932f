/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What belongs to one operation, a table for each tab. */

#include "config.h"

#include "tsr-operation-details.h"

#include "tsr-debug-details.h"
#include "tsr-error.h"
#include "tsr-grid.h"
#include "tsr-program-rows.h"
#include "tsr-report-read.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

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
add_column (TsrGrid *grid,
            const char *key,
            const char *title,
            const char *hint,
            TsrValueKind kind,
            gboolean summed)
{
  TsrRowColumn *column = tsr_grid_column (key, title, hint, kind);

  column->summed = summed;
  return tsr_grid_add_values (grid, column);
}

static gint64 *
add_values (TsrGrid *grid, const char *key, const char *title, const char *hint, TsrValueKind kind)
{
  return add_column (grid, key, title, hint, kind, FALSE);
}

static const char **
add_texts (TsrGrid *grid, const char *key, const char *title)
{
  return tsr_grid_add_texts (grid, tsr_grid_text_column (key, title, NULL));
}

/* ---- summary */

/* The rates stand behind the figures. */
static double
get_rate (TsrOperations *operations, guint operation)
{
  gint64 flops, cycles;

  if (operation != TSR_NO_INDEX)
    return tsr_operations_get_gflops (operations, operation) * 1e9;
  flops = tsr_operations_get_total (operations, TSR_OPERATION_FLOPS);
  cycles = tsr_operations_get_total (operations, TSR_OPERATION_WALL_CYCLES);
  return flops == TSR_UNKNOWN || cycles == TSR_UNKNOWN || cycles <= 0
             ? NAN
             : (double)flops / ((double)cycles / tsr_operations_get_clock (operations));
}

static gint64
round_rate (double rate)
{
  return isnan (rate) || rate < 0 || rate > 9e18 ? TSR_UNKNOWN : (gint64)llround (rate);
}

/* Without an operation, what all come to. */
static TsrTableAnswer *
answer_summary (const TsrOperationQuestion *question)
{
  TsrOperations *of = question->operations;
  const gboolean any = question->operation < tsr_operations_get_n (of);
  const guint n = tsr_operation_n_columns;
  TsrGrid *grid = tsr_grid_new (n + 2);
  const char **keys = tsr_grid_add_keys (grid);
  TsrValueKind *kinds = tsr_grid_add_row_kinds (grid);
  const char **names = add_texts (grid, "name", _ ("Figure"));
  gint64 *values = any ? add_values (grid, "value", _ ("Operation"),
                                     _ ("Of the selected operation"), TSR_VALUE_COUNT)
                       : NULL;
  gint64 *totals = add_values (grid, "total", _ ("Report"),
                               _ ("Of the whole report, where it has a total"), TSR_VALUE_COUNT);
  gint64 *shares
      = any ? add_values (grid, "share", _ ("Share"), _ ("Of the report's"), TSR_VALUE_FRACTION)
            : NULL;
  TsrRows *rows;
  TsrTableAnswer *answer;

  keys[0] = "nOperations";
  names[0] = _ ("Operations");
  kinds[0] = TSR_VALUE_COUNT;
  totals[0] = tsr_operations_get_n (of) - 1; /* the last is what belongs to none */
  if (any)
    values[0] = 1;
  for (guint i = 0; i < n; i++)
    {
      const TsrOperationColumn *column = &tsr_operation_columns[i];
      const guint row = i + 1;

      keys[row] = column->key;
      names[row] = _ (column->title);
      kinds[row] = column->kind;
      totals[row] = tsr_operation_column_get (column, of, TSR_NO_INDEX);
      if (any)
        values[row] = tsr_operation_column_get (column, of, question->operation);
      if (any && column->summed && totals[row] > 0 && values[row] != TSR_UNKNOWN)
        shares[row] = (gint64)llround ((double)values[row] / (double)totals[row] * 1e9);
    }
  keys[n + 1] = "flopsPerSecond";
  names[n + 1] = _ ("GFLOPS");
  kinds[n + 1] = TSR_VALUE_GIGA;
  totals[n + 1] = round_rate (get_rate (of, TSR_NO_INDEX));
  if (any)
    values[n + 1] = round_rate (get_rate (of, question->operation));
  rows = tsr_grid_to_rows (grid);
  answer = tsr_table_answer_new (NULL, NULL);
  answer->rows = rows;
  return answer;
}

/* ---- programs */

static const struct
{
  const char *key, *title, *hint;
  TsrValueKind kind;
  TsrProgramFigure figure;
} program_columns[] = {
  { "steps", N_ ("Steps"), N_ ("Its own steps in the recorded runs"), TSR_VALUE_COUNT,
    TSR_PROGRAM_STEPS },
  { "cyclesSelf", N_ ("Cycles"),
    N_ ("Measured in the recorded runs: of each step those of the IPU where it took longest"),
    TSR_VALUE_COUNT, TSR_PROGRAM_CYCLES_SELF },
  { "estimated", N_ ("Estimated"),
    N_ ("Cycles of one execution as the compiler estimates them on the slowest tile"),
    TSR_VALUE_COUNT, TSR_PROGRAM_ESTIMATED_SELF },
  { "control", N_ ("Control code"), N_ ("Without that of its children"), TSR_VALUE_BYTES,
    TSR_PROGRAM_CONTROL_SELF },
  { "exchange", N_ ("Exchange code"), NULL, TSR_VALUE_BYTES, TSR_PROGRAM_EXCHANGE_SELF },
  { "vertex", N_ ("Vertex code"),
    N_ ("Code of the vertex types of its compute set on every tile that has it, also for others; "
        "an operation counts tiles with vertices of its own"),
    TSR_VALUE_BYTES, TSR_PROGRAM_VERTEX_SELF },
  { "live", N_ ("Live"), N_ ("Not-always-live bytes at its liveness step"), TSR_VALUE_BYTES,
    TSR_PROGRAM_LIVE_SELF },
  { "moved", N_ ("Exchanged"), N_ ("Bytes that one execution receives and sends"), TSR_VALUE_BYTES,
    TSR_PROGRAM_MOVED_SELF },
  { "flops", N_ ("FLOPs"), N_ ("Of one execution as the compiler estimates them"), TSR_VALUE_COUNT,
    TSR_PROGRAM_FLOPS_SELF },
};

/* (transfer none) (nullable): a program that executes @program. */
static const char *
get_parent_label (TsrPrograms *graph, const guint32 *parents, guint32 program)
{
  return parents[program] != TSR_NO_INDEX ? tsr_programs_get_label (graph, parents[program]) : NULL;
}

/* (transfer full): by program, the first one in the file that executes it. */
static guint32 *
find_parents (TsrPrograms *graph)
{
  const guint32 n = tsr_programs_get_n (graph);
  guint32 *parents = g_new (guint32, MAX (n, 1));

  memset (parents, 0xff, sizeof *parents * n);
  for (guint32 i = n; i-- > 0;)
    {
      guint32 first, end;

      tsr_programs_get_edges (graph, i, &first, &end);
      for (guint32 edge = first; edge < end; edge++)
        parents[tsr_programs_get_child (graph, edge)] = i;
    }
  return parents;
}

static TsrTableAnswer *
answer_programs (const TsrOperationQuestion *question)
{
  TsrPrograms *graph = tsr_operations_get_graph (question->operations);
  g_autofree guint32 *parents = find_parents (graph);
  guint n;
  const guint32 *programs
      = tsr_operations_get_programs (question->operations, question->operation, &n);
  TsrGrid *grid = tsr_grid_new (n);
  const char **keys = tsr_grid_add_keys (grid);
  const char **names = add_texts (grid, "name", _ ("Program"));
  gint64 *ids = add_values (grid, "id", _ ("Id"), NULL, TSR_VALUE_INDEX);
  const char **insides;

  for (guint k = 0; k < G_N_ELEMENTS (program_columns); k++)
    {
      const TsrProgramFigure figure = program_columns[k].figure;
      gint64 *values = add_column (
          grid, program_columns[k].key, _ (program_columns[k].title),
          program_columns[k].hint != NULL ? _ (program_columns[k].hint) : NULL,
          program_columns[k].kind,
          figure == TSR_PROGRAM_STEPS || figure == TSR_PROGRAM_CYCLES_SELF
              || figure == TSR_PROGRAM_CONTROL_SELF || figure == TSR_PROGRAM_EXCHANGE_SELF);

      for (guint i = 0; i < n; i++)
        values[i] = tsr_programs_get (graph, programs[i], figure);
    }
  insides = add_texts (grid, "inside", _ ("In"));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = NULL;

      ids[i] = tsr_programs_get_tables (graph)->program_id[programs[i]];
      key = g_strdup_printf ("%" PRId64, ids[i]);
      keys[i] = tsr_grid_intern (grid, key);
      names[i] = tsr_grid_intern (grid, tsr_programs_get_label (graph, programs[i]));
      insides[i] = tsr_grid_intern (grid, get_parent_label (graph, parents, programs[i]));
    }
  return grid_answer (grid, _ ("It has no programs"), "cyclesSelf");
}

static TsrTableAnswer *
answer_steps (const TsrOperationQuestion *question)
{
  g_autoptr (GArray) of = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n;
  const guint32 *programs
      = tsr_operations_get_programs (question->operations, question->operation, &n);

  if (n > 0)
    g_array_append_vals (of, programs, n);
  return tsr_program_steps_new (tsr_operations_get_graph (question->operations), of);
}

/* ---- tiles */

typedef struct
{
  TsrOperationByTile what;
  const char *key, *title;
} Series;

/* A row for each tile; what the report does not tell by tile is unknown, and why is the note.  NULL
 * and @error when cancelled or when nothing can be told. */
static TsrTableAnswer *
answer_tiles (const TsrOperationQuestion *question,
              const Series *series,
              guint n_series,
              TsrValueKind kind,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  guint ns[3] = { 0 }, n = 0;
  g_autofree char *why = NULL;
  TsrTableAnswer *answer;
  TsrGrid *grid;
  gint64 *tiles;

  g_assert (n_series <= G_N_ELEMENTS (ns));
  for (guint k = 0; k < n_series; k++)
    {
      GError *local = NULL;
      gint64 *of = tsr_operations_dup_by_tile (question->operations, question->operation,
                                               series[k].what, &ns[k], cancellable, &local);

      if (local != NULL && g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, local);
          return NULL;
        }
      if (local != NULL && why == NULL)
        why = g_strdup (local->message);
      g_clear_error (&local);
      g_ptr_array_add (values, of);
      if (of != NULL)
        n = MAX (n, ns[k]);
    }
  if (n == 0)
    return tsr_table_answer_new (_ ("Not in the report"), why);
  grid = tsr_grid_new (n);
  tiles = add_values (grid, "tile", _ ("Tile"), NULL, TSR_VALUE_INDEX);
  for (guint i = 0; i < n; i++)
    tiles[i] = i;
  for (guint k = 0; k < n_series; k++)
    {
      gint64 *cells = add_column (grid, series[k].key, _ (series[k].title), NULL, kind, TRUE);

      if (values->pdata[k] != NULL)
        memcpy (cells, values->pdata[k], ns[k] * sizeof *cells);
    }
  answer = grid_answer (grid, NULL, NULL);
  answer->note = g_steal_pointer (&why);
  return answer;
}

static TsrTableAnswer *
answer_code (const TsrOperationQuestion *question, GCancellable *cancellable, GError **error)
{
  static const Series series[] = {
    { TSR_OPERATION_BY_TILE_CONTROL, "controlCodeBytes", N_ ("Control code") },
    { TSR_OPERATION_BY_TILE_EXCHANGE, "exchangeCodeBytes", N_ ("Exchange code") },
    { TSR_OPERATION_BY_TILE_VERTEX, "vertexCodeBytes", N_ ("Vertex code") },
  };

  return answer_tiles (question, series, G_N_ELEMENTS (series), TSR_VALUE_BYTES, cancellable,
                       error);
}

static TsrTableAnswer *
answer_cycles (const TsrOperationQuestion *question, GCancellable *cancellable, GError **error)
{
  static const Series series[] = {
    { TSR_OPERATION_BY_TILE_MEASURED, "measured", N_ ("Measured cycles") },
    { TSR_OPERATION_BY_TILE_ESTIMATED, "estimated", N_ ("Estimated cycles") },
  };

  return answer_tiles (question, series, G_N_ELEMENTS (series), TSR_VALUE_COUNT, cancellable,
                       error);
}

/* ---- variables */

/* (transfer full): "Source, Destination", or "". */
static char *
dup_roles (guint roles)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint role = 0; role < TSR_N_VARIABLE_ROLES; role++)
    if (roles & 1u << role)
      g_ptr_array_add (words, (gpointer)tsr_variable_role_get_name (role));
  g_ptr_array_add (words, NULL);
  return g_strjoinv (", ", (char **)words->pdata);
}

/* Its own, and those that its programs touch. */
static TsrTableAnswer *
answer_variables (const TsrOperationQuestion *question)
{
  TsrOperations *operations = question->operations;
  TsrVariables *variables = tsr_operations_get_variables (operations);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  const char **keys, **names, **owns, **roles, **lives, **types, **shapes;
  gint64 *sizes, *own_sizes;
  TsrTableAnswer *answer;
  TsrGrid *grid;

  if (variables == NULL)
    return tsr_table_answer_new (_ ("Not in the report"),
                                 _ ("It has no variables: the table variables is missing"));
  for (guint32 i = 0; i < tsr_variables_get_n (variables); i++)
    if (tsr_operations_of_variable (operations, i) == question->operation
        || tsr_operations_get_roles (operations, question->operation, i) != 0)
      g_array_append_val (found, i);
  grid = tsr_grid_new (found->len);
  tsr_grid_keep (grid, tsr_variables_ref (variables), (GDestroyNotify)tsr_variables_unref);
  keys = tsr_grid_add_keys (grid);
  names = add_texts (grid, "name", _ ("Name"));
  owns = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("own", _ ("Its own"),
                                  _ ("Whether the variable itself is the operation's, by its "
                                     "debug information")));
  roles = tsr_grid_add_texts (
      grid,
      tsr_grid_text_column ("role", _ ("Role"), _ ("How programs of the operation touch it")));
  sizes = add_values (grid, "bytes", _ ("Bytes"), _ ("Of the variable, over all tiles"),
                      TSR_VALUE_BYTES);
  own_sizes = add_column (grid, "ownBytes", _ ("Own bytes"),
                          _ ("Of those that are its own: they add up to its variables"),
                          TSR_VALUE_BYTES, TRUE);
  lives = add_texts (grid, "life", _ ("Live"));
  types = add_texts (grid, "elementType", _ ("Type"));
  shapes = add_texts (grid, "shape", _ ("Shape"));
  for (guint i = 0; i < found->len; i++)
    {
      const guint32 variable = g_array_index (found, guint32, i);
      const gboolean own = tsr_operations_of_variable (operations, variable) == question->operation;
      g_autofree char *role
          = dup_roles (tsr_operations_get_roles (operations, question->operation, variable));
      g_autofree char *key
          = g_strdup_printf ("%u %s", variable, tsr_variables_get_name (variables, variable));

      keys[i] = tsr_grid_intern (grid, key);
      names[i] = tsr_variables_get_name (variables, variable);
      owns[i] = own ? _ ("Yes") : _ ("No");
      roles[i] = *role != '\0' ? tsr_grid_intern (grid, role) : NULL;
      sizes[i] = tsr_variables_get_bytes (variables, variable);
      own_sizes[i] = own ? sizes[i] : 0;
      lives[i] = tsr_life_get_name (tsr_variables_get_life (variables, variable));
      types[i] = tsr_variables_get_element_type (variables, variable);
      shapes[i] = tsr_variables_get_shape (variables, variable);
    }
  answer = grid_answer (grid, _ ("It has no variables and touches none"), "bytes");
  if (question->liveness != NULL && tsr_liveness_get_variables (question->liveness) == variables)
    {
      answer->liveness = tsr_liveness_ref (question->liveness);
      answer->variables = (guint32 *)(gpointer)g_array_steal (found, NULL);
    }
  return answer;
}

/* ---- contexts */

static TsrTableAnswer *
answer_debug (const TsrOperationQuestion *question, GCancellable *cancellable, GError **error)
{
  const TsrDebugTables *debug = tsr_operations_get_debug (question->operations);
  const guint32 row = tsr_operations_get_context (question->operations, question->operation);

  if (row == TSR_NO_INDEX)
    return tsr_table_answer_new (
        tsr_operations_get_none_title (question->operations),
        _ ("These have no context in this layer: choose another layer to see whose they are"));
  return tsr_debug_details_new (debug, (gint64)debug->id[row], cancellable, error);
}

/* ---- all */

static const char *
get_hint (TsrOperationTab tab)
{
  switch (tab)
    {
    case TSR_OPERATION_TAB_PROGRAMS:
      return _ ("Its programs are listed here");
    case TSR_OPERATION_TAB_CODE:
      return _ ("Its code on each tile is shown here");
    case TSR_OPERATION_TAB_CYCLES:
      return _ ("Its cycles on each tile are shown here");
    case TSR_OPERATION_TAB_STEPS:
      return _ ("Its steps are listed here");
    case TSR_OPERATION_TAB_VARIABLES:
      return _ ("Its own variables and those that it touches are listed here");
    default:
      return _ ("Its contexts are listed here, with their lines of source");
    }
}

TsrTableAnswer *
tsr_operation_details_new (const TsrOperationQuestion *question,
                           GCancellable *cancellable,
                           GError **error)
{
  g_return_val_if_fail (question != NULL && question->operations != NULL, NULL);
  if (question->tab == TSR_OPERATION_TAB_SUMMARY)
    return answer_summary (question);
  if (question->operation >= tsr_operations_get_n (question->operations))
    return tsr_table_answer_new (_ ("Select an operation"), get_hint (question->tab));
  switch (question->tab)
    {
    case TSR_OPERATION_TAB_PROGRAMS:
      return answer_programs (question);
    case TSR_OPERATION_TAB_CODE:
      return answer_code (question, cancellable, error);
    case TSR_OPERATION_TAB_CYCLES:
      return answer_cycles (question, cancellable, error);
    case TSR_OPERATION_TAB_STEPS:
      return answer_steps (question);
    case TSR_OPERATION_TAB_VARIABLES:
      return answer_variables (question);
    default:
      return answer_debug (question, cancellable, error);
    }
}
