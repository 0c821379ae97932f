/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every table of variables is made from a TsrLivenessTable: bytes of variables in some columns
 * (one for what is always live, one for each step), which may be grouped first. */

#include "config.h"

#include "tsr-category.h"
#include "tsr-liveness-rows-private.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

/* What the programs of the selected steps execute: vertices, and what the compiler estimates of
 * their cycles and floating-point operations. */

#define CYCLES_OPTION "profiler.includeCycleEstimates"
#define FLOPS_OPTION  "profiler.includeFlopEstimates"

typedef struct
{
  const TsrLivenessQuestion *question;
  const TsrProgramTables *tables;
  const guint *steps;
  guint n_steps;
  guint32 compute_set[TSR_MAX_SELECTED_STEPS]; /* TSR_NO_INDEX: executes none */
  guint32 program[TSR_MAX_SELECTED_STEPS];
  GArray *types;      /* guint32: rows of the table, vertex types */
  GHashTable *places; /* type + 1 -> place in types + 1 */
  guint *tiles;       /* of the source; NULL: all of them */
  guint n_tiles;
  TsrArrayReader *arrays; /* on those tiles */
} Job;

static void
job_clear (Job *job)
{
  g_clear_pointer (&job->types, g_array_unref);
  g_clear_pointer (&job->places, g_hash_table_unref);
  g_clear_pointer (&job->arrays, tsr_array_reader_free);
  g_clear_pointer (&job->tiles, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static void
take_tiles (Job *job)
{
  TsrMemory *memory = tsr_liveness_get_memory (job->question->liveness);
  const TsrLivenessSource *source = &job->question->source;
  guint first, end;

  job->n_tiles = tsr_memory_get_n_tiles (memory);
  if (source->kind == TSR_LIVENESS_ALL)
    return;
  if (source->kind == TSR_LIVENESS_TILES)
    {
      job->n_tiles = source->n_tiles;
      job->tiles = g_memdup2 (source->tiles, source->n_tiles * sizeof *source->tiles);
      return;
    }
  tsr_memory_get_ipu_tiles (memory, source->ipu, &first, &end);
  job->tiles = g_new (guint, job->n_tiles + 1);
  job->n_tiles = 0;
  for (guint tile = first; tile < end; tile++)
    job->tiles[job->n_tiles++] = tile;
}

static const guint *
tsr_liveness_question_peek_steps (const TsrLivenessQuestion *question, guint *n_steps)
{
  if (question->n_steps == 0 && question->peak != TSR_NO_INDEX)
    {
      *n_steps = 1;
      return &question->peak;
    }
  *n_steps = question->n_steps;
  return question->steps;
}

static void
job_init (Job *job, const TsrLivenessQuestion *question, GCancellable *cancellable)
{
  memset (job, 0, sizeof *job);
  job->question = question;
  job->tables = tsr_vertices_get_tables (question->vertices);
  job->steps = tsr_liveness_question_peek_steps (question, &job->n_steps);
  take_tiles (job);
  job->arrays = tsr_array_reader_new (question->vertices, job->tiles, job->n_tiles, cancellable);
  job->types = g_array_new (FALSE, FALSE, sizeof (guint32));
  job->places = g_hash_table_new (NULL, NULL);
  for (guint k = 0; k < job->n_steps; k++)
    {
      guint program = tsr_liveness_get_step_program (question->liveness, job->steps[k]);

      job->program[k] = job->compute_set[k] = TSR_NO_INDEX;
      if (program >= job->tables->n_programs)
        continue;
      job->program[k] = program;
      job->compute_set[k] = job->tables->program_compute_set[program];
    }
}

/* Entries of compute_set_vertices of step @k. */
static void
get_entries (const Job *job, guint k, guint32 *first, guint32 *end)
{
  *first = *end = 0;
  if (job->compute_set[k] == TSR_NO_INDEX)
    return;
  *first = job->tables->vertex_start[job->compute_set[k]];
  *end = job->tables->vertex_start[job->compute_set[k] + 1];
}

static void
collect_types (Job *job)
{
  for (guint k = 0; k < job->n_steps; k++)
    {
      guint32 first, end;

      get_entries (job, k, &first, &end);
      for (guint32 e = first; e < end; e++)
        {
          guint32 type = job->tables->vertex_type[e];
          gpointer key = GUINT_TO_POINTER (type + 1);

          if (g_hash_table_contains (job->places, key))
            continue;
          g_array_append_val (job->types, type);
          g_hash_table_insert (job->places, key, GUINT_TO_POINTER (job->types->len));
        }
    }
}

/* Sum of an array of tiles over the source; @total over all tiles. */
static gint64
sum_tiles (const Job *job, TsrTileArrayRef ref, gint64 total)
{
  gint64 sum, maximum;

  if (job->tiles == NULL)
    return total;
  return tsr_array_reader_get (job->arrays, ref, &sum, &maximum, NULL) ? sum : TSR_UNKNOWN;
}

/* A number of entry @e of compute_set_vertices. */
typedef gint64 (*EntryFunc) (const Job *job, guint32 e);

static gint64
entry_count (const Job *job, guint32 e)
{
  return sum_tiles (job, job->tables->vertex_count_by_tile[e], job->tables->vertex_count[e]);
}

/* As the estimates are: over all tiles, whatever the source. */
static gint64
entry_all_count (const Job *job, guint32 e)
{
  return job->tables->vertex_count[e];
}

static gint64
entry_state (const Job *job, guint32 e)
{
  return tsr_known_multiply (entry_count (job, e),
                             job->tables->vertex_type_size[job->tables->vertex_type[e]]);
}

static gint64
entry_flops (const Job *job, guint32 e)
{
  return job->tables->vertex_flops[e];
}

static gint64
entry_estimate (const Job *job, guint32 e)
{
  return job->tables->vertex_estimated_cycles[e];
}

static gint64
entry_measured (const Job *job, guint32 e)
{
  return job->tables->vertex_measured_cycles[e];
}

/* A column for step @k: what a step does not execute is 0 there. */
static void
add_entries (const Job *job, TsrGrid *grid, guint k, TsrRowColumn *column, EntryFunc func)
{
  gint64 *cells = tsr_grid_add_values (grid, column);
  guint32 first, end;

  for (guint i = 0; i < job->types->len; i++)
    cells[i] = 0;
  get_entries (job, k, &first, &end);
  for (guint32 e = first; e < end; e++)
    {
      guint place = GPOINTER_TO_UINT (
          g_hash_table_lookup (job->places, GUINT_TO_POINTER (job->tables->vertex_type[e] + 1)));

      if (place > 0)
        cells[place - 1] = tsr_known_add (cells[place - 1], func (job, e));
    }
}

static TsrGrid *
new_type_grid (const Job *job)
{
  TsrGrid *grid = tsr_grid_new (job->types->len);
  TsrRowColumn *column = tsr_grid_text_column ("name", _ ("Vertex type"), NULL);
  const char **names;

  column->pinned = TRUE;
  names = tsr_grid_add_texts (grid, column);
  for (guint i = 0; i < job->types->len; i++)
    names[i] = tsr_string_table_get (
        job->tables->strings,
        job->tables->vertex_type_name[g_array_index (job->types, guint32, i)]);
  tsr_grid_keep (grid, tsr_vertices_ref (job->question->vertices),
                 (GDestroyNotify)tsr_vertices_unref);
  return grid;
}

/* Sorted by @word of the first step. */
static TsrTableAnswer *
finish_vertices (const Job *job, TsrGrid *grid, const char *word)
{
  TsrTableAnswer *answer = tsr_table_answer_new (NULL, NULL);

  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = tsr_liveness_step_key (word, job->steps[0]);
  return answer;
}

/* One line for each step, when no step executes anything. */
static TsrTableAnswer *
answer_none (const Job *job, const char *title)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < job->n_steps; k++)
    {
      g_autofree char *words = tsr_liveness_step_text (job->question->liveness, job->steps[k]);

      g_string_append_printf (text, "%s%s", k > 0 ? "\n" : "", words);
    }
  return tsr_table_answer_new (title, text->str);
}

static TsrRowColumn *
step_column (const Job *job, guint k, const char *key, const char *what, TsrValueKind kind)
{
  g_autofree char *step = tsr_liveness_question_dup_title (job->question, k);
  g_autofree char *words = tsr_liveness_step_text (job->question->liveness, job->steps[k]);
  g_autofree char *title = NULL;

  title = job->n_steps == 1 ? g_strdup (what) : g_strdup_printf ("%s · %s", step, what);
  return tsr_grid_column (tsr_liveness_step_key (key, job->steps[k]), title, words, kind);
}

static TsrTableAnswer *
answer_types (Job *job)
{
  TsrGrid *grid = new_type_grid (job);
  TsrRowColumn *column;
  gint64 *sizes, *codes;

  for (guint k = 0; k < job->n_steps; k++)
    add_entries (job, grid, k, step_column (job, k, "count", _ ("Instances"), TSR_VALUE_COUNT),
                 entry_count);
  for (guint k = 0; k < job->n_steps; k++)
    add_entries (job, grid, k, step_column (job, k, "stateBytes", _ ("State"), TSR_VALUE_BYTES),
                 entry_state);
  column = tsr_grid_column ("size", _ ("State of one"), _ ("Bytes of state of one instance"),
                            TSR_VALUE_BYTES);
  column->summed = FALSE;
  sizes = tsr_grid_add_values (grid, column);
  codes = tsr_grid_add_values (
      grid, tsr_grid_column ("codeBytes", _ ("Code"),
                             _ ("Bytes of code on the tiles of the source, once on each tile "
                                "that has this type"),
                             TSR_VALUE_BYTES));
  for (guint i = 0; i < job->types->len; i++)
    {
      guint32 type = g_array_index (job->types, guint32, i);
      TsrTileArrayRef code = job->tables->vertex_type_code[type];

      sizes[i] = job->tables->vertex_type_size[type];
      codes[i] = sum_tiles (job, code, code.total);
    }
  return finish_vertices (job, grid, "count");
}

static gboolean
any_known (const gint64 *values, guint n)
{
  for (guint i = 0; i < n; i++)
    if (values[i] != TSR_UNKNOWN)
      return TRUE;
  return FALSE;
}

static gboolean
has_refs (const TsrTileArrayRef *refs, guint n)
{
  for (guint i = 0; i < n; i++)
    if (refs[i].id != TSR_UNKNOWN)
      return TRUE;
  return FALSE;
}

static TsrTableAnswer *
answer_option (const char *title, const char *option)
{
  g_autofree char *text = g_strdup_printf (_ ("The engine option %s records them"), option);

  return tsr_table_answer_new (title, text);
}

/* The array of tiles that tells what step @k costs. */
static TsrTileArrayRef
step_cycles (const Job *job, guint k)
{
  const TsrTileArrayRef none = { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };

  if (job->compute_set[k] != TSR_NO_INDEX)
    return job->tables->compute_set_estimated_cycles[job->compute_set[k]];
  if (job->program[k] != TSR_NO_INDEX)
    return job->tables->program_estimated_cycles[job->program[k]];
  return none;
}

static TsrTableAnswer *
answer_tile_cycles (Job *job, GError **error)
{
  TsrMemory *memory = tsr_liveness_get_memory (job->question->liveness);
  const guint *tiles = job->tiles;
  guint n = job->n_tiles;
  g_autoptr (TsrGrid) grid = tsr_grid_new (n);
  TsrRowColumn *column;
  gint64 *numbers, *ipus;
  gboolean any = FALSE;

  column = tsr_grid_column ("tile", _ ("Tile"), NULL, TSR_VALUE_INDEX);
  column->pinned = TRUE;
  numbers = tsr_grid_add_values (grid, column);
  ipus = tsr_grid_add_values (grid, tsr_grid_column ("ipu", _ ("IPU"), NULL, TSR_VALUE_INDEX));
  for (guint i = 0; i < n; i++)
    {
      numbers[i] = tiles != NULL ? tiles[i] : i;
      if (tsr_memory_get_tiles_per_ipu (memory) != TSR_UNKNOWN)
        ipus[i] = tsr_memory_get_ipu (memory, numbers[i]);
    }
  for (guint k = 0; k < job->n_steps; k++)
    {
      TsrTileArrayRef ref = step_cycles (job, k);
      g_autofree gint64 *values = NULL;
      gint64 *cells = tsr_grid_add_values (
          grid, step_column (job, k, "estimatedCycles", _ ("Estimated cycles"), TSR_VALUE_COUNT));

      if (ref.id == TSR_UNKNOWN)
        continue;
      values = tsr_array_reader_dup (job->arrays, ref, error);
      if (values == NULL)
        return NULL;
      any = TRUE;
      for (guint i = 0; i < n; i++)
        cells[i] = values[numbers[i]];
    }
  if (!any)
    return answer_none (job, _ ("No cycle estimates for what is executed here"));
  return finish_vertices (job, g_steal_pointer (&grid), "estimatedCycles");
}

static TsrTableAnswer *
answer_cycles (Job *job, GError **error)
{
  const TsrProgramTables *tables = job->tables;
  guint n_entries = tables->vertex_start[tables->n_compute_sets];
  TsrGrid *grid;

  if (!any_known (tables->vertex_estimated_cycles, n_entries)
      && !has_refs (tables->compute_set_estimated_cycles, tables->n_compute_sets)
      && !has_refs (tables->program_estimated_cycles, tables->n_programs))
    return answer_option (_ ("The report has no cycle estimates"), CYCLES_OPTION);
  if (job->question->by_tile)
    return answer_tile_cycles (job, error);
  if (job->types->len == 0)
    return answer_none (job, _ ("No vertices are executed here"));
  grid = new_type_grid (job);
  for (guint k = 0; k < job->n_steps; k++)
    add_entries (
        job, grid, k,
        step_column (job, k, "estimatedCycles", _ ("Estimated cycles, all tiles"), TSR_VALUE_COUNT),
        entry_estimate);
  for (guint k = 0; k < job->n_steps; k++)
    add_entries (
        job, grid, k,
        step_column (job, k, "measuredCycles", _ ("Measured cycles, all tiles"), TSR_VALUE_COUNT),
        entry_measured);
  return finish_vertices (job, grid, "estimatedCycles");
}

static TsrTableAnswer *
answer_flops (Job *job)
{
  const TsrProgramTables *tables = job->tables;
  guint n_entries = tables->vertex_start[tables->n_compute_sets];
  TsrGrid *grid;

  if (!any_known (tables->vertex_flops, n_entries))
    return answer_option (_ ("The report has no estimates of floating-point operations"),
                          FLOPS_OPTION);
  if (job->types->len == 0)
    return answer_none (job, _ ("No vertices are executed here"));
  grid = new_type_grid (job);
  for (guint k = 0; k < job->n_steps; k++)
    add_entries (job, grid, k,
                 step_column (job, k, "flops", _ ("FLOP, all tiles"), TSR_VALUE_COUNT),
                 entry_flops);
  for (guint k = 0; k < job->n_steps; k++)
    add_entries (job, grid, k,
                 step_column (job, k, "count", _ ("Instances, all tiles"), TSR_VALUE_COUNT),
                 entry_all_count);
  return finish_vertices (job, grid, "flops");
}

static TsrTableAnswer *
answer_job (Job *job, GError **error)
{
  if (job->question->tab == TSR_LIVENESS_TAB_CYCLES)
    return answer_cycles (job, error);
  if (job->question->tab == TSR_LIVENESS_TAB_FLOPS)
    return answer_flops (job);
  if (job->types->len == 0)
    return answer_none (job, _ ("No vertices are executed here"));
  return answer_types (job);
}

/* Vertices, cycle and FLOP estimates of the steps' programs. */
static TsrTableAnswer *
tsr_liveness_answer_vertices (const TsrLivenessQuestion *question,
                              GCancellable *cancellable,
                              GError **error)
{
  g_auto (Job) job = { 0 };
  TsrTableAnswer *answer;

  if (question->vertices == NULL && question->vertices_pending)
    {
      answer = tsr_table_answer_new (_ ("Reading programs and vertices…"), NULL);
      answer->stages = 1u << TSR_STAGE_PROGRAMS;
      return answer;
    }
  if (question->vertices == NULL)
    return tsr_table_answer_new (_ ("There are no vertices"),
                                 _ ("The programs of the report could not be read "
                                    "or are not recorded (programs; engine option "
                                    "autoReport.outputGraphProfile)"));
  job_init (&job, question, cancellable);
  if (job.n_steps == 0)
    return tsr_table_answer_new (_ ("Select a step"),
                                 _ ("Click in the graph; Shift-click adds steps"));
  collect_types (&job);
  answer = answer_job (&job, error);
  /* What could not be read as it was cancelled is not unknown. */
  if (answer != NULL && g_cancellable_set_error_if_cancelled (cancellable, error))
    g_clear_pointer (&answer, tsr_table_answer_free);
  return answer;
}

/* Tables of variables */

typedef struct
{
  guint n_columns; /* of bytes */
  guint32 n_rows;
  guint32 *variables;    /* of a group: its largest */
  gint64 *bytes;         /* [row * n_columns + column] */
  const char **names;    /* (nullable) of groups: into keep */
  guint32 *n_variables;  /* (nullable) of groups */
  guint32 *members;      /* (nullable) their variables, one group after the other */
  guint32 *first;        /* (nullable) [row]: where in members */
  GStringChunk *strings; /* (nullable) */
} Table;

static void
table_free (Table *table)
{
  g_free (table->variables);
  g_free (table->bytes);
  g_free (table->names);
  g_free (table->n_variables);
  g_free (table->members);
  g_free (table->first);
  g_clear_pointer (&table->strings, g_string_chunk_free);
  g_free (table);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Table, table_free)

static Table *
table_from_list (GArray *list)
{
  Table *table = g_new0 (Table, 1);

  table->n_columns = 1;
  table->n_rows = list->len;
  table->variables = g_new (guint32, MAX (list->len, 1));
  table->bytes = g_new (gint64, MAX (list->len, 1));
  for (guint i = 0; i < list->len; i++)
    {
      table->variables[i] = g_array_index (list, TsrVariableBytes, i).variable;
      table->bytes[i] = g_array_index (list, TsrVariableBytes, i).bytes;
    }
  return table;
}

static Table *
table_from_steps (TsrLivenessTable *steps)
{
  Table *table = g_new0 (Table, 1);

  table->n_columns = steps->n_steps;
  table->n_rows = steps->n_rows;
  table->variables = g_steal_pointer (&steps->variables);
  table->bytes = g_steal_pointer (&steps->bytes);
  tsr_liveness_table_free (steps);
  return table;
}

/* Rows of @more are added to rows of the same variable in @table, else appended; one column. */
static void
table_add_list (Table *table, GArray *more)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  guint32 n = table->n_rows;

  for (guint32 i = 0; i < n; i++)
    g_hash_table_insert (rows, GUINT_TO_POINTER (table->variables[i] + 1), GUINT_TO_POINTER (i));
  table->variables = g_renew (guint32, table->variables, (gsize)n + more->len + 1);
  table->bytes = g_renew (gint64, table->bytes, (gsize)n + more->len + 1);
  for (guint i = 0; i < more->len; i++)
    {
      const TsrVariableBytes *item = &g_array_index (more, TsrVariableBytes, i);
      gpointer row;

      if (g_hash_table_lookup_extended (rows, GUINT_TO_POINTER (item->variable + 1), NULL, &row))
        table->bytes[GPOINTER_TO_UINT (row)]
            = tsr_known_add (table->bytes[GPOINTER_TO_UINT (row)], item->bytes);
      else
        {
          table->variables[table->n_rows] = item->variable;
          table->bytes[table->n_rows++] = item->bytes;
        }
    }
}

/* What is the same in all languages; _group_label is what is shown. */
static char *
dup_group_name (TsrVariables *variables, guint32 variable, TsrLivenessBy by, guint depth)
{
  static const char *const lives[] = { [TSR_LIFE_ALWAYS] = "always",
                                       [TSR_LIFE_RESIDENT] = "resident",
                                       [TSR_LIFE_TEMPORARY] = "temporary",
                                       [TSR_LIFE_UNKNOWN] = "unknown" };
  const char *category = tsr_variables_get_category (variables, variable);

  switch (by)
    {
    case TSR_LIVENESS_BY_PREFIX:
      return tsr_name_dup_prefix (tsr_variables_get_name (variables, variable), depth);
    case TSR_LIVENESS_BY_CATEGORY:
      return g_strdup (category != NULL ? category : "");
    default:
      return g_strdup (lives[tsr_variables_get_life (variables, variable)]);
    }
}

/* (transfer none): of the group @name, which @variable is in. */
static const char *
group_label (TsrVariables *variables, guint32 variable, TsrLivenessBy by, const char *name)
{
  const char *category = tsr_variables_get_category (variables, variable);

  if (by == TSR_LIVENESS_BY_CATEGORY)
    return category != NULL ? tsr_category_get_label (category) : _ ("No category");
  return by == TSR_LIVENESS_BY_PREFIX
             ? name
             : tsr_life_get_label (tsr_variables_get_life (variables, variable));
}

static gint64
row_maximum (const Table *table, guint32 row)
{
  gint64 most = TSR_UNKNOWN; /* the least there is */

  for (guint k = 0; k < table->n_columns; k++)
    most = MAX (most, table->bytes[(gsize)row * table->n_columns + k]);
  return most;
}

/* Which variables each group has; @group_of: by row of @table. */
static void
list_members (Table *grouped, const Table *table, const guint32 *group_of)
{
  g_autofree guint32 *next = g_new (guint32, MAX (grouped->n_rows, 1));
  guint32 n = 0;

  grouped->members = g_new (guint32, MAX (table->n_rows, 1));
  grouped->first = g_new (guint32, MAX (grouped->n_rows, 1));
  for (guint32 group = 0; group < grouped->n_rows; group++)
    {
      grouped->first[group] = next[group] = n;
      n += grouped->n_variables[group];
    }
  for (guint32 i = 0; i < table->n_rows; i++)
    grouped->members[next[group_of[i]]++] = table->variables[i];
}

static Table *
table_group (const Table *table, TsrVariables *variables, TsrLivenessBy by, guint depth)
{
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gint64 *most = g_new (gint64, MAX (table->n_rows, 1));
  g_autofree guint32 *group_of = g_new (guint32, MAX (table->n_rows, 1));
  Table *grouped = g_new0 (Table, 1);

  grouped->n_columns = table->n_columns;
  grouped->strings = g_string_chunk_new (4096);
  grouped->variables = g_new (guint32, MAX (table->n_rows, 1));
  grouped->n_variables = g_new0 (guint32, MAX (table->n_rows, 1));
  grouped->names = g_new (const char *, MAX (table->n_rows, 1));
  grouped->bytes = g_new0 (gint64, (gsize)MAX (table->n_rows, 1) * table->n_columns);
  for (guint32 i = 0; i < table->n_rows; i++)
    {
      g_autofree char *name = dup_group_name (variables, table->variables[i], by, depth);
      gpointer value;
      guint32 group;

      if (g_hash_table_lookup_extended (groups, name, NULL, &value))
        group = GPOINTER_TO_UINT (value);
      else
        {
          group = grouped->n_rows++;
          grouped->names[group] = g_string_chunk_insert (grouped->strings, name);
          grouped->variables[group] = table->variables[i];
          most[group] = row_maximum (table, i);
          g_hash_table_insert (groups, (gpointer)grouped->names[group], GUINT_TO_POINTER (group));
        }
      group_of[i] = group;
      grouped->n_variables[group]++;
      if (row_maximum (table, i) > most[group])
        {
          most[group] = row_maximum (table, i);
          grouped->variables[group] = table->variables[i];
        }
      for (guint k = 0; k < table->n_columns; k++)
        {
          gint64 *sum = &grouped->bytes[(gsize)group * table->n_columns + k];

          *sum = tsr_known_add (*sum, table->bytes[(gsize)i * table->n_columns + k]);
        }
    }
  list_members (grouped, table, group_of);
  return grouped;
}

/* Columns */

static void
add_name (TsrGrid *grid, const Table *table, TsrVariables *variables, TsrLivenessBy by)
{
  static const char *const titles[TSR_LIVENESS_N_BY]
      = { N_ ("Variable"), N_ ("Name prefix"), N_ ("Category"), N_ ("Life") };
  TsrRowColumn *column = tsr_grid_text_column ("name", _ (titles[by]), NULL);
  const char **cells, **keys = table->names != NULL ? tsr_grid_add_keys (grid) : NULL;

  column->pinned = TRUE;
  cells = tsr_grid_add_texts (grid, column);
  for (guint32 i = 0; i < table->n_rows; i++)
    if (table->names == NULL)
      cells[i] = tsr_variables_get_name (variables, table->variables[i]);
    else
      {
        keys[i] = tsr_grid_intern (grid, table->names[i]);
        cells[i] = group_label (variables, table->variables[i], by, keys[i]);
      }
}

static void
add_group_columns (TsrGrid *grid, const Table *table, TsrVariables *variables)
{
  gint64 *counts = tsr_grid_add_values (
      grid, tsr_grid_column ("numVariables", _ ("Variables"), NULL, TSR_VALUE_COUNT));
  const char **largest = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("largestVariable", _ ("Largest variable"), NULL));

  for (guint32 i = 0; i < table->n_rows; i++)
    {
      counts[i] = table->n_variables[i];
      largest[i] = tsr_variables_get_name (variables, table->variables[i]);
    }
}

static const char *
category_label (TsrVariables *variables, guint32 variable)
{
  const char *category = tsr_variables_get_category (variables, variable);

  return category != NULL ? tsr_category_get_label (category) : NULL;
}

static gint64
live_share (TsrVariables *variables, guint32 variable)
{
  double share = tsr_variables_get_live_share (variables, variable);

  return share >= 0 && share <= 1 ? (gint64)(share * 1e9 + 0.5) : TSR_UNKNOWN;
}

/* What is known of each variable beside its bytes. */
static void
add_facts (TsrGrid *grid, const Table *table, TsrVariables *variables, gboolean life)
{
  const char **categories, **types, **shapes, **lives = NULL;
  gint64 *shares = NULL, *ids;

  categories = tsr_grid_add_texts (grid, tsr_grid_text_column ("category", _ ("Category"), NULL));
  if (life)
    {
      lives = tsr_grid_add_texts (
          grid,
          tsr_grid_text_column (
              "life", _ ("Life"),
              _ ("Always: live at every step.  Resident: live at nearly every step (98 %), as "
                 "large parameters are.  Temporary: live for a while.")));
      shares = tsr_grid_add_values (
          grid, tsr_grid_column ("liveShare", _ ("Live"),
                                 _ ("Share of the steps at which any part of it is live"),
                                 TSR_VALUE_FRACTION));
    }
  types = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("elementType", _ ("Type"), _ ("Type of the elements")));
  shapes = tsr_grid_add_texts (grid, tsr_grid_text_column ("shape", _ ("Shape"), NULL));
  ids = tsr_grid_add_values (grid, tsr_grid_column ("debugId", _ ("Debug id"),
                                                    _ ("Number of its debug context in debug.cbor"),
                                                    TSR_VALUE_INDEX));
  for (guint32 i = 0; i < table->n_rows; i++)
    {
      guint32 variable = table->variables[i];

      categories[i] = category_label (variables, variable);
      types[i] = tsr_variables_get_element_type (variables, variable);
      shapes[i] = tsr_variables_get_shape (variables, variable);
      ids[i] = tsr_variables_get_debug_id (variables, variable);
      if (!life)
        continue;
      lives[i] = tsr_life_get_label (tsr_variables_get_life (variables, variable));
      shares[i] = live_share (variables, variable);
    }
}

static gint64
column_total (const Table *table, guint column)
{
  gint64 total = 0;

  for (guint32 i = 0; i < table->n_rows; i++)
    total = tsr_known_add (total, table->bytes[(gsize)i * table->n_columns + column]);
  return total;
}

static void
add_bytes (TsrGrid *grid,
           const Table *table,
           guint column,
           const char *key,
           const char *title,
           const char *definition)
{
  gint64 *cells
      = tsr_grid_add_values (grid, tsr_grid_column (key, title, definition, TSR_VALUE_BYTES));

  for (guint32 i = 0; i < table->n_rows; i++)
    cells[i] = table->bytes[(gsize)i * table->n_columns + column];
}

static void
add_share (TsrGrid *grid, const Table *table, const char *definition)
{
  gint64 total = column_total (table, 0);
  gint64 *cells = tsr_grid_add_values (
      grid, tsr_grid_column ("share", _ ("Share"), definition, TSR_VALUE_FRACTION));

  for (guint32 i = 0; i < table->n_rows; i++)
    cells[i] = tsr_liveness_share (table->bytes[(gsize)i * table->n_columns], total);
}

/* @column minus the first one. */
static void
add_difference (TsrGrid *grid,
                const Table *table,
                guint column,
                const char *key,
                const char *title,
                const char *definition)
{
  gint64 *cells = tsr_grid_add_values (
      grid, tsr_grid_column (key, title, definition, TSR_VALUE_BYTES_SIGNED));

  for (guint32 i = 0; i < table->n_rows; i++)
    {
      const gint64 *row = table->bytes + (gsize)i * table->n_columns;

      cells[i] = tsr_known_subtract (row[column], row[0]);
    }
}

/* How much a row changes, wherever to: what one sorts by first. */
static void
add_size_of_change (TsrGrid *grid, const Table *table)
{
  gint64 *cells = tsr_grid_add_values (
      grid, tsr_grid_column ("changeSize", _ ("|B − A|"),
                             _ ("Bytes by which it changes from step A to step B, born and "
                                "gone alike"),
                             TSR_VALUE_BYTES));

  for (guint32 i = 0; i < table->n_rows; i++)
    {
      gint64 change
          = tsr_known_subtract (table->bytes[(gsize)i * 2 + 1], table->bytes[(gsize)i * 2]);

      cells[i] = change != TSR_UNKNOWN && change < 0 ? -change : change;
    }
}

static TsrTableAnswer *
finish (TsrGrid *grid, Table *table, const TsrLivenessQuestion *question, const char *sort_key)
{
  TsrTableAnswer *answer = tsr_table_answer_new (NULL, NULL);
  TsrVariables *variables = tsr_liveness_get_variables (question->liveness);

  answer->liveness = tsr_liveness_ref (question->liveness);
  answer->variables = g_new (guint32, MAX (table->n_rows, 1));
  for (guint32 i = 0; i < table->n_rows; i++)
    answer->variables[i] = table->names == NULL ? table->variables[i] : TSR_NO_INDEX;
  if (table->names != NULL)
    {
      answer->members = g_steal_pointer (&table->members);
      answer->first = g_steal_pointer (&table->first);
      answer->n = g_steal_pointer (&table->n_variables);
    }
  tsr_grid_keep (grid, tsr_variables_ref (variables), (GDestroyNotify)tsr_variables_unref);
  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = sort_key;
  return answer;
}

/* What stands in place of a table without rows. */
static TsrTableAnswer *
say_nothing (TsrTableAnswer *answer, const char *title, const char *text)
{
  if (tsr_rows_get_n (answer->rows) > 0)
    return answer;
  answer->title = g_strdup (title);
  answer->text = g_strdup (text);
  return answer;
}

/* Answers */

#define CHECK_EVERY 64 /* variables between two looks at the cancellable */

/* From the first step at which a variable is live to behind the last one. */
typedef struct
{
  guint from, to, n_steps;
} Span;

static void
add_life (Span *span, TsrVariableBytes *most, const TsrLifetime *life, guint n_steps)
{
  guint to = MIN (life->to, n_steps);

  if (life->from >= to)
    return;
  if (span->n_steps == 0)
    span->from = life->from;
  span->to = to;
  span->n_steps += to - life->from;
  most->bytes = most->bytes == TSR_UNKNOWN || life->bytes == TSR_UNKNOWN
                    ? TSR_UNKNOWN
                    : MAX (most->bytes, life->bytes);
}

static TsrVariables *
get_variables (const TsrLivenessQuestion *question)
{
  return tsr_liveness_get_variables (question->liveness);
}

static char *
dup_source_label (const TsrLivenessQuestion *question)
{
  return tsr_liveness_source_dup_label (&question->source);
}

/* Groups @table when the question wants it. */
static Table *
grouped (const TsrLivenessQuestion *question, Table *table)
{
  Table *groups;

  if (question->by == TSR_LIVENESS_BY_VARIABLE)
    return table;
  groups = table_group (table, get_variables (question), question->by, MAX (question->depth, 1));
  table_free (table);
  return groups;
}

static void
add_rest (TsrGrid *grid, const Table *table, TsrVariables *variables, gboolean life)
{
  if (table->names != NULL)
    add_group_columns (grid, table, variables);
  else
    add_facts (grid, table, variables, life);
}

static TsrTableAnswer *
answer_always (const TsrLivenessQuestion *question, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) list
      = tsr_liveness_list_always_live (question->liveness, &question->source, cancellable, error);
  g_autoptr (Table) table = NULL;
  g_autofree char *source = NULL;
  TsrGrid *grid;

  if (list == NULL)
    return NULL;
  table = grouped (question, table_from_list (list));
  source = dup_source_label (question);
  grid = tsr_grid_new (table->n_rows);
  add_name (grid, table, get_variables (question), question->by);
  add_bytes (grid, table, 0, "bytes", source,
             _ ("Bytes that are live at every step, on this source"));
  add_share (grid, table, _ ("Share of all that is always live on this source"));
  add_rest (grid, table, get_variables (question), FALSE);
  return finish (grid, table, question, "bytes");
}

static TsrTableAnswer *
answer_temporary (const TsrLivenessQuestion *question, GCancellable *cancellable, GError **error)
{
  TsrVariables *variables = get_variables (question);
  guint n;
  const guint *steps = tsr_liveness_question_peek_steps (question, &n);
  TsrLivenessTable *compared;
  g_autoptr (Table) table = NULL;
  TsrGrid *grid;

  if (n == 0)
    return tsr_table_answer_new (_ ("Select a step"),
                                 _ ("Click in the graph; Shift-click adds steps"));
  compared = tsr_liveness_compare_steps (question->liveness, &question->source, steps, n,
                                         cancellable, error);
  if (compared == NULL)
    return NULL;
  table = grouped (question, table_from_steps (compared));
  grid = tsr_grid_new (table->n_rows);
  add_name (grid, table, variables, question->by);
  for (guint k = 0; k < n; k++)
    {
      g_autofree char *title = tsr_liveness_question_dup_title (question, k);
      g_autofree char *words = tsr_liveness_step_text (question->liveness, steps[k]);

      add_bytes (grid, table, k, tsr_liveness_step_key ("bytes", steps[k]), title, words);
    }
  for (guint k = 1; k < n; k++)
    {
      g_autofree char *title = g_strdup_printf ("%c − A", 'A' + (int)k);

      add_difference (grid, table, k, tsr_liveness_step_key ("difference", steps[k]), title,
                      _ ("Bytes at this step less bytes at step A"));
    }
  if (n == 1)
    add_share (grid, table, _ ("Share of all that is live at this step and not always"));
  add_rest (grid, table, variables, TRUE);
  return finish (grid, table, question, tsr_liveness_step_key ("bytes", steps[0]));
}

static TsrTableAnswer *
answer_peak (const TsrLivenessQuestion *question, GCancellable *cancellable, GError **error)
{
  TsrVariables *variables = get_variables (question);
  g_autoptr (GArray) list = NULL, always = NULL;
  g_autoptr (Table) table = NULL;
  g_autofree char *words = NULL, *title = NULL, *step = NULL;
  TsrGrid *grid;

  if (question->peak == TSR_NO_INDEX)
    return tsr_table_answer_new (
        _ ("No peak"), tsr_liveness_get_n_steps (question->liveness) > 0
                           ? _ ("The report does not record how much is live at each step")
                           : _ ("The report has no liveness steps"));
  list = tsr_liveness_list_at (question->liveness, &question->source, question->peak, cancellable,
                               error);
  if (list == NULL)
    return NULL;
  table = table_from_list (list);
  if (question->include_always_live)
    {
      always = tsr_liveness_list_always_live (question->liveness, &question->source, cancellable,
                                              error);
      if (always == NULL)
        return NULL;
      table_add_list (table, always);
    }
  table = grouped (question, g_steal_pointer (&table));
  step = tsr_units_dup_count (question->peak);
  title = g_strdup_printf (_ ("At step %s"), step);
  words = tsr_liveness_step_text (question->liveness, question->peak);
  grid = tsr_grid_new (table->n_rows);
  add_name (grid, table, variables, question->by);
  add_bytes (grid, table, 0, "bytes", title, words);
  add_share (grid, table,
             question->include_always_live
                 ? _ ("Share of all that is live at this step, always live or not")
                 : _ ("Share of all that is live at this step and not always"));
  add_rest (grid, table, variables, TRUE);
  return finish (grid, table, question, "bytes");
}

/* Rows that differ between the two columns. */
static void
keep_changes (Table *table)
{
  guint32 kept = 0;

  for (guint32 i = 0; i < table->n_rows; i++)
    {
      gint64 a = table->bytes[(gsize)i * 2], b = table->bytes[(gsize)i * 2 + 1];

      if (a == b && a != TSR_UNKNOWN)
        continue;
      table->variables[kept] = table->variables[i];
      table->bytes[(gsize)kept * 2] = a;
      table->bytes[(gsize)kept * 2 + 1] = b;
      if (table->names != NULL)
        {
          table->names[kept] = table->names[i];
          table->n_variables[kept] = table->n_variables[i];
          table->first[kept] = table->first[i];
        }
      kept++;
    }
  table->n_rows = kept;
}

static const char *
change_label (gint64 a, gint64 b)
{
  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN)
    return NULL;
  if (a == 0)
    return C_ ("change", "Born");
  if (b == 0)
    return C_ ("change", "Died");
  return b > a ? C_ ("change", "Grown") : C_ ("change", "Shrunk");
}

static TsrTableAnswer *
answer_changes (const TsrLivenessQuestion *question,
                const guint pair[2],
                GCancellable *cancellable,
                GError **error)
{
  TsrVariables *variables = get_variables (question);
  TsrLivenessTable *compared = tsr_liveness_compare_steps (question->liveness, &question->source,
                                                           pair, 2, cancellable, error);
  g_autofree char *a = tsr_liveness_step_title (0, pair[0]);
  g_autofree char *b = tsr_liveness_step_title (1, pair[1]);
  g_autofree char *words_a = tsr_liveness_step_text (question->liveness, pair[0]);
  g_autofree char *words_b = tsr_liveness_step_text (question->liveness, pair[1]);
  g_autoptr (Table) table = NULL;
  const char **changes;
  TsrGrid *grid;

  if (compared == NULL)
    return NULL;
  table = grouped (question, table_from_steps (compared));
  keep_changes (table);
  grid = tsr_grid_new (table->n_rows);
  add_name (grid, table, variables, question->by);
  changes = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("change", _ ("Change"),
                                  _ ("From the first step, A, to the second, B")));
  for (guint32 i = 0; i < table->n_rows; i++)
    changes[i] = change_label (table->bytes[(gsize)i * 2], table->bytes[(gsize)i * 2 + 1]);
  add_difference (grid, table, 1, "difference", _ ("B − A"),
                  _ ("Bytes at step B less bytes at step A"));
  add_size_of_change (grid, table);
  add_bytes (grid, table, 0, tsr_liveness_step_key ("bytes", pair[0]), a, words_a);
  add_bytes (grid, table, 1, tsr_liveness_step_key ("bytes", pair[1]), b, words_b);
  add_rest (grid, table, variables, TRUE);
  return say_nothing (finish (grid, table, question, "changeSize"), _ ("Nothing changes"),
                      _ ("The same is live at both steps, A and B"));
}

static TsrTableAnswer *
answer_dying (const TsrLivenessQuestion *question,
              const guint pair[2],
              GCancellable *cancellable,
              GError **error)
{
  TsrVariables *variables = get_variables (question);
  guint from = MIN (pair[0], pair[1]), to = MAX (pair[0], pair[1]);
  g_autoptr (GArray) list = tsr_liveness_list_dying (question->liveness, &question->source, from,
                                                     to, cancellable, error);
  g_autofree char *first = tsr_units_dup_count (from), *last = tsr_units_dup_count (to);
  g_autofree char *title = NULL, *words = NULL;
  g_autoptr (Table) table = NULL;
  TsrGrid *grid;

  if (list == NULL)
    return NULL;
  table = grouped (question, table_from_list (list));
  title = g_strdup_printf (_ ("Gone by step %s"), last);
  words = g_strdup_printf (_ ("Bytes that are live at step %s and no longer at some step up to %s"),
                           first, last);
  grid = tsr_grid_new (table->n_rows);
  add_name (grid, table, variables, question->by);
  add_bytes (grid, table, 0, "bytes", title, words);
  add_share (grid, table, _ ("Share of all that goes"));
  add_rest (grid, table, variables, TRUE);
  return say_nothing (finish (grid, table, question, "bytes"), _ ("Nothing goes"),
                      _ ("What is live at the first step stays so until the second"));
}

static TsrTableAnswer *
answer_a_to_b (const TsrLivenessQuestion *question, GCancellable *cancellable, GError **error)
{
  guint pair[2];

  if (question->n_steps >= 2)
    memcpy (pair, question->steps, sizeof pair);
  else if (question->n_steps == 1 && question->peak != TSR_NO_INDEX
           && question->peak != question->steps[0])
    {
      pair[0] = question->steps[0];
      pair[1] = question->peak;
    }
  else
    return tsr_table_answer_new (
        _ ("Select two steps"),
        _ ("Click the first one in the graph and Shift-click the second, or drag from "
           "one to the other.  A single step is compared with the peak."));
  if (question->dying)
    return answer_dying (question, pair, cancellable, error);
  return answer_changes (question, pair, cancellable, error);
}

/* Variables that are not always live, and when they are: as the chart has them. */
static TsrTableAnswer *
answer_lifetimes (const TsrLivenessQuestion *question, GCancellable *cancellable, GError **error)
{
  TsrVariables *variables = get_variables (question);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsrVariableBytes));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));
  g_autoptr (Table) table = NULL;
  gint64 *births, *ends, *steps;
  TsrGrid *grid;

  for (guint32 v = 0; v < tsr_variables_get_n (variables); v++)
    {
      g_autoptr (GArray) lives = NULL;
      TsrVariableBytes most = { .variable = v };
      Span span = { 0 };

      if (v % CHECK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (tsr_variables_get_life (variables, v) == TSR_LIFE_ALWAYS)
        continue;
      lives = tsr_liveness_dup_lifetimes (question->liveness, &question->source, v);
      for (guint i = 0; lives != NULL && i < lives->len; i++)
        add_life (&span, &most, &g_array_index (lives, TsrLifetime, i),
                  tsr_liveness_get_n_steps (question->liveness));
      if (span.n_steps == 0)
        continue;
      g_array_append_val (list, most);
      g_array_append_val (spans, span);
    }
  table = table_from_list (list);
  grid = tsr_grid_new (table->n_rows);
  add_name (grid, table, variables, TSR_LIVENESS_BY_VARIABLE);
  add_bytes (grid, table, 0, "bytes", _ ("Bytes"), _ ("The most that is live at once"));
  births = tsr_grid_add_values (grid,
                                tsr_grid_column ("from", _ ("First step"), NULL, TSR_VALUE_STEP));
  ends = tsr_grid_add_values (grid,
                              tsr_grid_column ("to", _ ("Gone by step"), NULL, TSR_VALUE_STEP));
  steps = tsr_grid_add_values (
      grid, tsr_grid_column ("numSteps", _ ("Live steps"), NULL, TSR_VALUE_STEP));
  for (guint32 i = 0; i < table->n_rows; i++)
    {
      const Span *span = &g_array_index (spans, Span, i);

      births[i] = span->from;
      ends[i] = span->to;
      steps[i] = span->n_steps;
    }
  add_facts (grid, table, variables, TRUE);
  return finish (grid, table, question, "bytes");
}

/* What is missing stands in the table's place; only what the user stopped is an error. */
static TsrTableAnswer *
answer_error (TsrTableAnswer *answer, GError *failed, GError **error)
{
  if (answer != NULL)
    return answer;
  if (failed == NULL || g_error_matches (failed, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, failed);
      return NULL;
    }
  answer = tsr_table_answer_new (_ ("Not in the report"), failed->message);
  g_error_free (failed);
  return answer;
}

TsrTableAnswer *
tsr_liveness_answer_new (const TsrLivenessQuestion *question,
                         GCancellable *cancellable,
                         GError **error)
{
  TsrTableAnswer *answer = NULL;
  GError *failed = NULL;
  g_autofree char *why = NULL;

  if (question->tab != TSR_LIVENESS_TAB_VERTICES && question->tab != TSR_LIVENESS_TAB_CYCLES
      && question->tab != TSR_LIVENESS_TAB_FLOPS
      && !tsr_liveness_can_show (question->liveness, &question->source, &why))
    return tsr_table_answer_new (_ ("Not in the report"), why);
  switch (question->tab)
    {
    case TSR_LIVENESS_TAB_ALWAYS:
      answer = answer_always (question, cancellable, &failed);
      break;
    case TSR_LIVENESS_TAB_TEMPORARY:
      answer = answer_temporary (question, cancellable, &failed);
      break;
    case TSR_LIVENESS_TAB_VERTICES:
    case TSR_LIVENESS_TAB_CYCLES:
    case TSR_LIVENESS_TAB_FLOPS:
      answer = tsr_liveness_answer_vertices (question, cancellable, &failed);
      break;
    case TSR_LIVENESS_TAB_PEAK:
      answer = answer_peak (question, cancellable, &failed);
      break;
    case TSR_LIVENESS_TAB_A_TO_B:
      answer = answer_a_to_b (question, cancellable, &failed);
      break;
    case TSR_LIVENESS_TAB_LIFETIMES:
      answer = answer_lifetimes (question, cancellable, &failed);
      break;
    default:
      return tsr_table_answer_new (NULL, NULL);
    }
  return answer_error (answer, failed, error);
}
