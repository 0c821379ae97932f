/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the programs of the selected steps execute: vertices, and what the compiler estimates of
 * their cycles and floating-point operations. */

#include "config.h"

#include "tsr-liveness-rows-private.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

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
  job->n_tiles = end - first;
  job->tiles = g_new (guint, MAX (job->n_tiles, 1));
  for (guint i = 0; i < job->n_tiles; i++)
    job->tiles[i] = first + i;
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
      guint32 set = TSR_NO_INDEX;

      if (program < job->tables->n_programs)
        set = job->tables->program_compute_set[program];
      job->program[k] = program < job->tables->n_programs ? program : TSR_NO_INDEX;
      job->compute_set[k] = set < job->tables->n_compute_sets ? set : TSR_NO_INDEX;
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

          if (type >= job->tables->n_vertex_types || g_hash_table_contains (job->places, key))
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

static gint64
multiply (gint64 a, gint64 b)
{
  gint64 product;

  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN || __builtin_mul_overflow (a, b, &product))
    return TSR_UNKNOWN;
  return product;
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
  return multiply (entry_count (job, e),
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
        cells[place - 1] = tsr_liveness_add (cells[place - 1], func (job, e));
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
static TsrLivenessAnswer *
finish (const Job *job, TsrGrid *grid, const char *word)
{
  TsrLivenessAnswer *answer = tsr_liveness_answer_words (NULL, NULL);

  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = tsr_liveness_step_key (word, job->steps[0]);
  return answer;
}

/* One line for each step, when no step executes anything. */
static TsrLivenessAnswer *
answer_none (const Job *job, const char *title)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < job->n_steps; k++)
    {
      g_autofree char *words = tsr_liveness_step_words (job->question->liveness, job->steps[k]);

      g_string_append_printf (text, "%s%s", k > 0 ? "\n" : "", words);
    }
  return tsr_liveness_answer_words (g_strdup (title), g_strdup (text->str));
}

static TsrRowColumn *
step_column (const Job *job, guint k, const char *key, const char *what, TsrValueKind kind)
{
  g_autofree char *step = tsr_liveness_question_dup_title (job->question, k);
  g_autofree char *words = tsr_liveness_step_words (job->question->liveness, job->steps[k]);
  g_autofree char *title = NULL;

  title = job->n_steps == 1 ? g_strdup (what) : g_strdup_printf ("%s · %s", step, what);
  return tsr_grid_column (tsr_liveness_step_key (key, job->steps[k]), title, words, kind);
}

static TsrLivenessAnswer *
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
  return finish (job, grid, "count");
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

static TsrLivenessAnswer *
answer_option (const char *title, const char *option)
{
  return tsr_liveness_answer_words (
      g_strdup (title), g_strdup_printf (_ ("The engine option %s records them"), option));
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

static TsrLivenessAnswer *
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
  return finish (job, g_steal_pointer (&grid), "estimatedCycles");
}

static TsrLivenessAnswer *
answer_cycles (Job *job, GError **error)
{
  const TsrProgramTables *tables = job->tables;
  guint n_entries = tables->n_compute_sets > 0 ? tables->vertex_start[tables->n_compute_sets] : 0;
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
  return finish (job, grid, "estimatedCycles");
}

static TsrLivenessAnswer *
answer_flops (Job *job)
{
  const TsrProgramTables *tables = job->tables;
  guint n_entries = tables->n_compute_sets > 0 ? tables->vertex_start[tables->n_compute_sets] : 0;
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
  return finish (job, grid, "flops");
}

TsrLivenessAnswer *
tsr_liveness_answer_vertices (const TsrLivenessQuestion *question,
                              GCancellable *cancellable,
                              GError **error)
{
  g_auto (Job) job = { 0 };

  if (question->vertices == NULL && question->vertices_pending)
    {
      TsrLivenessAnswer *answer
          = tsr_liveness_answer_words (g_strdup (_ ("Reading programs and vertices…")), NULL);

      answer->stages = 1u << TSR_STAGE_PROGRAMS;
      return answer;
    }
  if (question->vertices == NULL)
    return tsr_liveness_answer_words (g_strdup (_ ("Vertices are not there")),
                                      g_strdup (_ ("The programs of the report could not be read "
                                                   "or are not recorded (programs; engine option "
                                                   "autoReport.outputGraphProfile)")));
  job_init (&job, question, cancellable);
  if (job.n_steps == 0)
    return tsr_liveness_answer_words (g_strdup (_ ("Select a step")),
                                      g_strdup (_ ("Click in the graph; Shift-click adds steps")));
  collect_types (&job);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (question->tab == TSR_LIVENESS_TAB_CYCLES)
    return answer_cycles (&job, error);
  if (question->tab == TSR_LIVENESS_TAB_FLOPS)
    return answer_flops (&job);
  if (job.types->len == 0)
    return answer_none (&job, _ ("No vertices are executed here"));
  return answer_types (&job);
}
