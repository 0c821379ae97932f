/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers the questions of the tabs under the memory graph.  Worker threads. */

#include "config.h"

#include "tsr-memory-rows.h"

#include "tsr-category.h"
#include "tsr-liveness-rows-private.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

static const char *const nicks[TSR_MEMORY_N_TABS]
    = { "details", "compute-sets", "vertices", "exchanges", "variables" };

const char *
tsr_memory_tab_get_nick (TsrMemoryTab tab)
{
  return nicks[MIN (tab, TSR_MEMORY_N_TABS - 1)];
}

/* Until the stage has been read. */
static TsrTableAnswer *
answer_waits (const char *title, TsrStage stage)
{
  TsrTableAnswer *answer = tsr_table_answer_new (title, NULL);

  answer->stages = 1u << stage;
  return answer;
}

/* Takes @grid. */
static TsrTableAnswer *
answer_rows (TsrGrid *grid, const char *sort_key, const char *none)
{
  TsrTableAnswer *answer = tsr_table_answer_new (none, NULL);

  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = sort_key;
  return answer;
}

static TsrRowColumn *
new_name_column (const char *key, const char *title)
{
  TsrRowColumn *column = tsr_grid_text_column (key, title, NULL);

  column->pinned = TRUE;
  return column;
}

static const char **
add_name_column (TsrGrid *grid, const char *key, const char *title)
{
  return tsr_grid_add_texts (grid, new_name_column (key, title));
}

static gint64 *
add_number (
    TsrGrid *grid, const char *key, const char *title, const char *definition, TsrValueKind kind)
{
  return tsr_grid_add_values (grid, tsr_grid_column (key, title, definition, kind));
}

/* Numbers of which a sum says nothing. */
static gint64 *
add_fact (
    TsrGrid *grid, const char *key, const char *title, const char *definition, TsrValueKind kind)
{
  TsrRowColumn *column = tsr_grid_column (key, title, definition, kind);

  column->summed = FALSE;
  return tsr_grid_add_values (grid, column);
}

static gint64
count_of (gsize n)
{
  return (gint64)n;
}

/* ----------------------------------------------- vertices, compute sets ... */

static TsrTableAnswer *
answer_compute_sets (const TsrMemoryQuestion *q, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *t = tsr_vertices_get_tables (q->vertices);
  g_autoptr (GArray) list = tsr_vertices_list_compute_sets (
      q->vertices, q->n_tiles > 0 ? q->tiles : NULL, q->n_tiles, cancellable, error);
  TsrGrid *grid;
  const char **names;
  gint64 *counts, *types, *states, *cycles, *flops;

  if (list == NULL)
    return NULL;
  grid = tsr_grid_new (list->len);
  tsr_grid_keep (grid, tsr_vertices_ref (q->vertices), (GDestroyNotify)tsr_vertices_unref);
  names = add_name_column (grid, "name", _ ("Compute set"));
  states = add_number (grid, "stateBytes", _ ("State"), _ ("Bytes of state of its vertices"),
                       TSR_VALUE_BYTES);
  counts = add_number (grid, "numVertices", _ ("Vertices"), _ ("Instances of vertices"),
                       TSR_VALUE_COUNT);
  types = add_fact (grid, "numVertexTypes", _ ("Types"), _ ("Vertex types that it uses"),
                    TSR_VALUE_COUNT);
  cycles = add_fact (grid, "estimatedCycles", _ ("Estimated cycles"),
                     _ ("Of one execution, on the tile that takes longest"), TSR_VALUE_COUNT);
  flops = add_number (grid, "flops", _ ("Estimated FLOP"),
                      _ ("Floating-point operations of one execution, all tiles together"),
                      TSR_VALUE_COUNT);
  for (guint i = 0; i < list->len; i++)
    {
      const TsrComputeSetRow *row = &g_array_index (list, TsrComputeSetRow, i);

      names[i] = tsr_string_table_get (t->strings, t->compute_set_name[row->compute_set]);
      counts[i] = row->count;
      types[i] = row->n_types;
      states[i] = row->state_bytes;
      cycles[i] = row->estimated_cycles;
      flops[i] = row->flops;
    }
  return answer_rows (grid, "stateBytes", _ ("No compute set has vertices there"));
}

static TsrTableAnswer *
answer_vertices (const TsrMemoryQuestion *q, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *t = tsr_vertices_get_tables (q->vertices);
  g_autoptr (GArray) list = tsr_vertices_list (q->vertices, q->n_tiles > 0 ? q->tiles : NULL,
                                               q->n_tiles, cancellable, error);
  TsrGrid *grid;
  const char **names, **sources;
  gint64 *counts, *sizes, *states, *codes, *sums, *sets;

  if (list == NULL)
    return NULL;
  grid = tsr_grid_new (list->len);
  tsr_grid_keep (grid, tsr_vertices_ref (q->vertices), (GDestroyNotify)tsr_vertices_unref);
  names = add_name_column (grid, "name", _ ("Vertex type"));
  sums = add_number (grid, "bytes", _ ("Bytes"), _ ("Code and state together"), TSR_VALUE_BYTES);
  codes = add_number (grid, "codeBytes", _ ("Code"), _ ("Once on each tile that has the type"),
                      TSR_VALUE_BYTES);
  states = add_number (grid, "stateBytes", _ ("State"), _ ("State of one instance × instances"),
                       TSR_VALUE_BYTES);
  counts = add_number (grid, "count", _ ("Instances"), NULL, TSR_VALUE_COUNT);
  sizes = add_fact (grid, "size", _ ("State of one"), _ ("Bytes of state of one instance"),
                    TSR_VALUE_BYTES);
  sets = add_fact (grid, "numComputeSets", _ ("Compute sets"), _ ("That use it there"),
                   TSR_VALUE_COUNT);
  sources = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("source", _ ("Source"), _ ("Language of the codelet")));
  for (guint i = 0; i < list->len; i++)
    {
      const TsrVertexRow *row = &g_array_index (list, TsrVertexRow, i);

      names[i] = tsr_string_table_get (t->strings, t->vertex_type_name[row->type]);
      sources[i] = tsr_string_table_get (t->strings, t->vertex_type_source[row->type]);
      counts[i] = row->count;
      sizes[i] = t->vertex_type_size[row->type];
      states[i] = row->state_bytes;
      codes[i] = row->code_bytes;
      sums[i] = tsr_known_add (row->state_bytes, row->code_bytes);
      sets[i] = row->n_compute_sets;
    }
  return answer_rows (grid, "bytes", _ ("No vertex has code or state there"));
}

static TsrTableAnswer *
answer_exchanges (const TsrMemoryQuestion *q, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *t = tsr_vertices_get_tables (q->vertices);
  g_autoptr (GArray) list = tsr_vertices_list_exchanges (
      q->vertices, q->n_tiles > 0 ? q->tiles : NULL, q->n_tiles, cancellable, error);
  TsrGrid *grid;
  const char **names, **types;
  gint64 *codes, *executions, *cycles, *bytes;

  if (list == NULL)
    return NULL;
  grid = tsr_grid_new (list->len);
  tsr_grid_keep (grid, tsr_vertices_ref (q->vertices), (GDestroyNotify)tsr_vertices_unref);
  names = add_name_column (grid, "name", _ ("Exchange"));
  codes = add_number (grid, "codeBytes", _ ("Code"), _ ("Bytes of exchange code on these tiles"),
                      TSR_VALUE_BYTES);
  types = tsr_grid_add_texts (grid, tsr_grid_text_column ("type", _ ("Type"), NULL));
  executions = add_number (grid, "executions", _ ("Executions"),
                           _ ("In all recorded steps; not known without an execution profile"),
                           TSR_VALUE_COUNT);
  cycles = add_number (grid, "cycles", _ ("Cycles"),
                       _ ("Of all executions together, on the IPU that takes longest"),
                       TSR_VALUE_COUNT);
  bytes = add_number (grid, "movedBytes", _ ("Bytes moved"), _ ("By all executions together"),
                      TSR_VALUE_BYTES);
  for (guint i = 0; i < list->len; i++)
    {
      const TsrExchangeRow *row = &g_array_index (list, TsrExchangeRow, i);

      names[i] = tsr_string_table_get (t->strings, t->program_name[row->program]);
      types[i] = tsr_string_table_get (t->strings, t->program_type[row->program]);
      codes[i] = row->code_bytes;
      executions[i] = row->executions;
      cycles[i] = row->cycles;
      bytes[i] = row->bytes;
    }
  return answer_rows (grid, "codeBytes", _ ("No exchange has code there"));
}

/* --------------------------------------------------------------- variables */

static const char *
category_label (TsrVariables *variables, guint variable)
{
  const char *name = tsr_variables_get_category (variables, variable);

  return name != NULL ? tsr_category_get_label (name) : NULL;
}

/* Names of variables, whose sizes add up to more than their tiles have: why. */
static const char **
add_variable_column (TsrGrid *grid, const TsrMemoryQuestion *q)
{
  TsrMemory *memory = tsr_liveness_get_memory (q->liveness);
  TsrRowColumn *column = new_name_column ("name", _ ("Variable"));
  g_auto (TsrMemoryFigures) figures = { 0 };
  gint64 taken;

  tsr_memory_get_figures (memory, q->n_tiles > 0 ? q->tiles : NULL, q->n_tiles, &figures);
  taken = figures.metrics[TSR_METRIC_EXCLUDING_GAPS];
  column->total = g_strdup (_ ("Total, shared addresses counted for each variable"));
  if (taken == TSR_UNKNOWN)
    column->total_hint = g_strdup (_ ("Variables that are never live together share addresses, so "
                                      "that their sizes add up to more than they take"));
  else
    {
      g_autofree char *bytes = tsr_units_dup_bytes_exact (taken);

      column->total_hint
          = g_strdup_printf (_ ("Variables that are never live together share addresses: all of it "
                                "takes %s, each address counted once"),
                             bytes);
    }
  return tsr_grid_add_texts (grid, column);
}

static const char *
life_definition (void)
{
  return _ ("Always: live at every step.  Resident: live at nearly every step (98 %), as large "
            "parameters are.  Temporary: live for a while.");
}

/* Every allocation of one tile. */
static TsrTableAnswer *
answer_allocations (const TsrMemoryQuestion *q, const TsrLoweredTables *t)
{
  TsrVariables *variables = tsr_liveness_get_variables (q->liveness);
  TsrMemory *memory = tsr_liveness_get_memory (q->liveness);
  guint tile = q->tiles[0];
  gsize first = t->tile_start[tile], n = t->tile_start[tile + 1] - first;
  TsrGrid *grid = tsr_grid_new ((guint32)n);
  const char **names = add_variable_column (grid, q);
  gint64 *bytes = add_number (grid, "bytes", _ ("Bytes"), NULL, TSR_VALUE_BYTES);
  gint64 *offsets = add_fact (grid, "offset", _ ("Address"),
                              _ ("Bytes from the beginning of the tile's memory"), TSR_VALUE_COUNT);
  const char **categories
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("category", _ ("Category"), NULL));
  const char **lives
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("life", _ ("Life"), life_definition ()));
  gint64 *lifetimes
      = add_fact (grid, "numLifetimes", _ ("Lifetimes"),
                  _ ("Stretches of liveness steps at which it is live"), TSR_VALUE_COUNT);
  gint64 *alignments = add_fact (grid, "alignment", _ ("Alignment"), NULL, TSR_VALUE_BYTES);
  TsrTableAnswer *answer;

  tsr_grid_keep (grid, tsr_liveness_ref (q->liveness), (GDestroyNotify)tsr_liveness_unref);
  answer = tsr_table_answer_new (_ ("Nothing is allocated on this tile"), NULL);
  answer->variables = g_new (guint32, MAX (n, 1));
  answer->allocations = g_new (guint32, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    {
      guint32 row = t->by_tile != NULL ? t->by_tile[first + i] : (guint32)(first + i);
      guint32 index = t->equivalence_class[row];

      answer->variables[i] = tsr_variables_of_lowered (variables, row);
      answer->allocations[i] = row;
      names[i] = tsr_string_table_get (t->strings, t->name[row]);
      bytes[i] = t->size[row] != TSR_LOWERED_UNKNOWN ? (gint64)t->size[row] : TSR_UNKNOWN;
      offsets[i] = t->offset[row] != TSR_LOWERED_UNKNOWN ? (gint64)t->offset[row] : TSR_UNKNOWN;
      categories[i] = t->category[row] < tsr_memory_get_n_categories (memory)
                          ? tsr_memory_get_category_label (memory, t->category[row])
                          : NULL;
      lives[i] = tsr_life_get_label (
          t->always_live[row] == 1 ? TSR_LIFE_ALWAYS
                                   : tsr_variables_get_life (variables, answer->variables[i]));
      lifetimes[i] = t->always_live[row] == 1 ? 1
                     : index != TSR_NO_INDEX
                         ? count_of (t->interval_start[index + 1] - t->interval_start[index])
                         : TSR_UNKNOWN;
      alignments[i] = t->alignment[row] != 255
                          ? G_GINT64_CONSTANT (1) << MIN (t->alignment[row], 62)
                          : TSR_UNKNOWN;
    }
  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = "bytes";
  answer->liveness = tsr_liveness_ref (q->liveness);
  return answer;
}

/* Bytes on the tiles by variable: 0 entries are left out.  @variables: those with any. */
static gint64 *
sum_by_variable (const TsrMemoryQuestion *q, const TsrLoweredTables *t, GArray *with)
{
  TsrVariables *variables = tsr_liveness_get_variables (q->liveness);
  guint n = tsr_variables_get_n (variables);
  gint64 *sums = g_new0 (gint64, MAX (n, 1));
  g_autofree guint8 *seen = g_new0 (guint8, MAX (n, 1));

  for (guint k = 0; k < q->n_tiles; k++)
    for (gsize i = t->tile_start[q->tiles[k]]; i < t->tile_start[q->tiles[k] + 1]; i++)
      {
        guint32 row = t->by_tile != NULL ? t->by_tile[i] : (guint32)i;
        guint32 variable = tsr_variables_of_lowered (variables, row);

        if (!seen[variable])
          {
            seen[variable] = 1;
            g_array_append_val (with, variable);
          }
        sums[variable] = tsr_known_add (sums[variable], t->size[row] != TSR_LOWERED_UNKNOWN
                                                            ? (gint64)t->size[row]
                                                            : TSR_UNKNOWN);
      }
  return sums;
}

/* Variables of several tiles, or of all of them. */
static TsrTableAnswer *
answer_by_variable (const TsrMemoryQuestion *q, const TsrLoweredTables *t)
{
  TsrVariables *variables = tsr_liveness_get_variables (q->liveness);
  g_autoptr (GArray) with = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree gint64 *sums = NULL;
  TsrTableAnswer *answer = tsr_table_answer_new (_ ("No variables there"), NULL);
  TsrGrid *grid;
  const char **names, **categories, **lives, **types, **shapes;
  gint64 *bytes, *shares;

  if (q->n_tiles > 0)
    sums = sum_by_variable (q, t, with);
  else
    for (guint32 v = 0; v < tsr_variables_get_n (variables); v++)
      g_array_append_val (with, v);
  grid = tsr_grid_new (with->len);
  tsr_grid_keep (grid, tsr_liveness_ref (q->liveness), (GDestroyNotify)tsr_liveness_unref);
  names = add_variable_column (grid, q);
  bytes = add_number (grid, "bytes", _ ("Bytes"),
                      q->n_tiles > 0 ? _ ("Allocated on the selected tiles")
                                     : _ ("Allocated on all tiles of a replica"),
                      TSR_VALUE_BYTES);
  categories = tsr_grid_add_texts (grid, tsr_grid_text_column ("category", _ ("Category"), NULL));
  lives = tsr_grid_add_texts (grid, tsr_grid_text_column ("life", _ ("Life"), life_definition ()));
  shares = add_fact (grid, "liveShare", _ ("Live"),
                     _ ("Share of the steps at which any part of it is live"), TSR_VALUE_FRACTION);
  types = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("elementType", _ ("Type"), _ ("Type of the elements")));
  shapes = tsr_grid_add_texts (grid, tsr_grid_text_column ("shape", _ ("Shape"), NULL));
  answer->variables = g_new (guint32, MAX (with->len, 1));
  for (guint i = 0; i < with->len; i++)
    {
      guint32 v = g_array_index (with, guint32, i);
      double share = tsr_variables_get_live_share (variables, v);

      answer->variables[i] = v;
      names[i] = tsr_variables_get_name (variables, v);
      bytes[i] = sums != NULL ? sums[v] : tsr_variables_get_bytes (variables, v);
      categories[i] = category_label (variables, v);
      lives[i] = tsr_life_get_label (tsr_variables_get_life (variables, v));
      shares[i] = share == share ? (gint64)(share * 1e9 + 0.5) : TSR_UNKNOWN;
      types[i] = tsr_variables_get_element_type (variables, v);
      shapes[i] = tsr_variables_get_shape (variables, v);
    }
  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = "bytes";
  answer->liveness = tsr_liveness_ref (q->liveness);
  return answer;
}

static TsrTableAnswer *
answer_variables (const TsrMemoryQuestion *q)
{
  const TsrLoweredTables *t = NULL;

  if (q->liveness != NULL && tsr_liveness_has_lowered (q->liveness))
    t = tsr_report_get_lowered_tables (tsr_liveness_get_report (q->liveness));
  if (q->n_tiles == 0 && q->liveness != NULL)
    return answer_by_variable (q, t);
  if (t == NULL)
    return q->pending
               ? answer_waits (_ ("Reading the variables of each tile…"), TSR_STAGE_LOWERED)
               : tsr_table_answer_new (
                   _ ("No variables by tile"),
                   q->why != NULL ? q->why
                                  : _ ("The report has no lowered variables (table vars_info, "
                                       "engine option autoReport.outputLoweredVars)"));
  for (guint k = 0; k < q->n_tiles; k++)
    if (q->tiles[k] >= t->n_tiles)
      return tsr_table_answer_new (_ ("No variables by tile"), NULL);
  return q->n_tiles == 1 ? answer_allocations (q, t) : answer_by_variable (q, t);
}

TsrTableAnswer *
tsr_memory_answer_new (const TsrMemoryQuestion *question, GCancellable *cancellable, GError **error)
{
  if (question->tab == TSR_MEMORY_TAB_VARIABLES)
    return answer_variables (question);
  if (question->vertices == NULL)
    return question->pending
               ? answer_waits (_ ("Reading programs and vertices…"), TSR_STAGE_PROGRAMS)
               : tsr_table_answer_new (
                   _ ("No programs"),
                   question->why != NULL
                       ? question->why
                       : _ (
                           "The report has no programs and vertices (tables programs, compute_sets "
                           "and vertex_types, engine option autoReport.outputGraphProfile)"));
  switch (question->tab)
    {
    case TSR_MEMORY_TAB_COMPUTE_SETS:
      return answer_compute_sets (question, cancellable, error);
    case TSR_MEMORY_TAB_VERTICES:
      return answer_vertices (question, cancellable, error);
    default:
      return answer_exchanges (question, cancellable, error);
    }
}
