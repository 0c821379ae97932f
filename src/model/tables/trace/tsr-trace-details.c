/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What Details tells of each selected step.  Reads the file: for a worker. */

#include "config.h"

#include "tsr-debug-details.h"
#include "tsr-report-read.h"
#include "tsr-trace-rows-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#define MOST_VARIABLES 6  /* that are named of one role */
#define MOST_TYPES     8  /* vertex types of one compute set */
#define MOST_PATH      32 /* programs of a path */

typedef struct
{
  const TsrTraceQuestion *question;
  const TsrTrace *trace;
  TsrReport *report;                /* (nullable) */
  const TsrProgramTables *programs; /* (nullable) */
  GPtrArray *steps;                 /* TsrTraceStepFacts */
  guint32 *parent;                  /* (nullable) [n_programs]: towards a root; TSR_NO_INDEX */
  GArray *variables;                /* (nullable) TsrProgramVariable, of all selected steps */
} Job;

static void
job_clear (Job *job)
{
  g_clear_pointer (&job->parent, g_free);
  g_clear_pointer (&job->variables, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static void
fact_free (gpointer data)
{
  TsrTraceFact *fact = data;

  g_free (fact->value);
  g_free (fact->words);
  g_free (fact);
}

static void
tsr_trace_step_facts_free (TsrTraceStepFacts *facts)
{
  g_free (facts->heading);
  g_free (facts->ipu_name);
  g_ptr_array_unref (facts->facts);
  g_clear_pointer (&facts->cycles, tsr_tile_cycles_unref);
  g_free (facts);
}

/* Takes @value; nothing is told of NULL.  @name is English. */
static TsrTraceFact *
add_fact (TsrTraceStepFacts *facts, const char *name, char *value)
{
  TsrTraceFact *fact;

  if (value == NULL)
    return NULL;
  fact = g_new0 (TsrTraceFact, 1);
  fact->name = name;
  fact->label = _ (name);
  fact->value = value;
  g_ptr_array_add (facts->facts, fact);
  return fact;
}

/* Cycles */

static char *
dup_cycles (const TsrTraceSlice *slice)
{
  g_autofree char *length = NULL, *start = NULL, *end = NULL, *lead_in = NULL;

  if (slice->start == TSR_UNKNOWN || slice->end == TSR_UNKNOWN)
    return g_strdup (_ ("not recorded"));
  length = tsr_units_dup_count (slice->end - slice->start);
  start = tsr_units_dup_count (slice->start);
  end = tsr_units_dup_count (slice->end);
  if (slice->lead_in == TSR_UNKNOWN || slice->lead_in == 0)
    return g_strdup_printf ("%s : %s – %s", length, start, end);
  lead_in = tsr_units_dup_count (slice->lead_in);
  return g_strdup_printf (_ ("%s : %s – %s (%s overlapped with previous)"), length, start, end,
                          lead_in);
}

static char *
dup_active_tiles (const Job *job, const TsrTraceSlice *slice)
{
  gint64 tiles = tsr_trace_get_tiles_per_ipu (job->trace);
  g_autofree char *active = tsr_units_dup_count (slice->active_tiles);
  g_autofree char *all = tsr_units_dup_count (tiles);

  if (slice->active_tiles == TSR_UNKNOWN)
    return NULL;
  return tiles == TSR_UNKNOWN ? g_steal_pointer (&active)
                              : g_strdup_printf (_ ("%s of %s"), active, all);
}

static char *
dup_balance (double balance)
{
  return isnan (balance) ? NULL : tsr_units_dup_percent (balance, 1);
}

/* Least, mean and largest of a number. */
typedef struct
{
  gint64 least, most;
  double sum;
  guint n;
} Spread;

static void
spread_add (Spread *self, gint64 value)
{
  self->least = self->n == 0 ? value : MIN (self->least, value);
  self->most = self->n == 0 ? value : MAX (self->most, value);
  self->sum += (double)value;
  self->n++;
}

static char *
spread_dup_text (const Spread *self)
{
  g_autofree char *least = tsr_units_dup_count (self->least);
  g_autofree char *mean = tsr_units_dup_count ((gint64)llround (self->sum / self->n));
  g_autofree char *most = tsr_units_dup_count (self->most);

  return g_strdup_printf ("{%s, %s, %s}", least, mean, most);
}

/* "from:{min, mean, max} – to:{...}" over the tiles that are active, or all. */
static char *
dup_spread (const TsrTraceStepFacts *facts, gboolean all)
{
  const TsrTileCycles *cycles = facts->cycles;
  Spread from = { 0 }, to = { 0 };
  g_autofree char *begins = NULL, *ends = NULL;
  gint64 base;

  if (cycles == NULL || facts->slice.end == TSR_UNKNOWN)
    return NULL;
  base = facts->slice.end - cycles->to_max;
  for (guint i = 0; i < cycles->n; i++)
    if (all || cycles->cycles[i] > 0)
      {
        gint64 start = base + (cycles->start != NULL ? cycles->start[i] : 0);

        spread_add (&from, start);
        spread_add (&to, start + cycles->cycles[i]);
      }
  if (from.n == 0)
    return NULL;
  begins = spread_dup_text (&from);
  ends = spread_dup_text (&to);
  return g_strdup_printf (_ ("from %s to %s"), begins, ends);
}

static void
add_cycles (const Job *job, TsrTraceStepFacts *facts)
{
  const TsrTraceSlice *slice = &facts->slice;
  double clock = tsr_trace_get_clock (job->trace);

  add_fact (facts, N_ ("Cycles"), dup_cycles (slice));
  if (!isnan (clock) && clock > 0 && slice->start != TSR_UNKNOWN)
    add_fact (
        facts, N_ ("Time"),
        g_strdup_printf (_ ("%.4g µs"), ((double)slice->end - (double)slice->start) / clock * 1e6));
  add_fact (facts, N_ ("Arrivals"), tsr_trace_dup_meeting_text (job->trace, slice->slice));
  add_fact (facts, N_ ("Active Tiles"), dup_active_tiles (job, slice));
  add_fact (facts, N_ ("Tile Balance"), dup_balance (slice->tile_balance));
  add_fact (facts, N_ ("Active Tile Balance"), dup_balance (slice->active_tile_balance));
}

/* Data */

static char *
dup_data (const TsrTraceSlice *slice)
{
  g_autofree char *in = NULL, *out = NULL, *both = NULL;

  if (slice->data_in == TSR_UNKNOWN || slice->data_out == TSR_UNKNOWN)
    return NULL;
  in = tsr_units_dup_count (slice->data_in);
  out = tsr_units_dup_count (slice->data_out);
  both = tsr_units_dup_count (tsr_add_saturating (slice->data_in, slice->data_out, NULL));
  return g_strdup_printf (_ ("%s : (%s/%s) bytes"), both, in, out);
}

/* What an array adds up to; read where the programs came without. */
static gint64
get_total (const Job *job, TsrTileArrayRef ref)
{
  TsrMemory *memory = job->question->memory;
  g_autofree gint64 *values = NULL;
  gint64 sum = 0;
  guint n;

  if (ref.total != TSR_UNKNOWN || memory == NULL || job->report == NULL)
    return ref.total;
  n = tsr_memory_get_n_tiles (memory);
  values = tsr_report_sum_tile_arrays (job->report, &ref.id, 1, n);
  for (guint i = 0; values != NULL && i < n; i++)
    sum += values[i];
  return values != NULL ? sum : TSR_UNKNOWN;
}

/* (total / tiles of the IPU) / largest tile. */
static char *
dup_data_balance (const Job *job, const TsrTraceSlice *slice)
{
  const TsrProgramTables *programs = job->programs;
  TsrMemory *memory = job->question->memory;
  g_autofree gint64 *sums = NULL;
  gint64 replica, place, total = 0, most = 0;
  guint first, end;

  tsr_trace_get_replica (job->trace, slice->ipu, &replica, &place);
  if (memory == NULL || programs == NULL || slice->program >= programs->n_programs || place < 0
      || tsr_memory_get_tiles_per_ipu (memory) == TSR_UNKNOWN
      || place >= tsr_memory_get_n_ipus (memory))
    return NULL;
  {
    const gint64 ids[] = { programs->program_data_in[slice->program].id,
                           programs->program_data_out[slice->program].id };

    sums = tsr_report_sum_tile_arrays (job->report, ids, 2, tsr_memory_get_n_tiles (memory));
  }
  tsr_memory_get_ipu_tiles (memory, (guint)place, &first, &end);
  for (guint i = first; sums != NULL && i < end; i++)
    {
      total += sums[i];
      most = MAX (most, sums[i]);
    }
  return most > 0 ? tsr_units_dup_percent ((double)total / (end - first) / (double)most, 1) : NULL;
}

static void
add_data (const Job *job, TsrTraceStepFacts *facts)
{
  const TsrProgramTables *programs = job->programs;
  const TsrTraceSlice *slice = &facts->slice;

  add_fact (facts, N_ ("Data Total : (Rx/Tx)"), dup_data (slice));
  if (job->report != NULL)
    add_fact (facts, N_ ("Data Balance"), dup_data_balance (job, slice));
  if (programs != NULL && slice->program < programs->n_programs && programs->program_code != NULL)
    {
      gint64 code = get_total (job, programs->program_code[slice->program]);

      if (code != TSR_UNKNOWN)
        add_fact (facts, N_ ("Exchange Code"), tsr_units_dup_bytes_exact (code));
    }
}

/* Variables */

static void
append_variable (GString *text, const TsrLivenessTables *liveness, const TsrProgramVariable *entry)
{
  const char *name
      = tsr_string_table_get (liveness->strings, liveness->variable_name[entry->variable]);

  g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", name != NULL ? name : "");
  if (entry->from != TSR_UNKNOWN && entry->to != TSR_UNKNOWN)
    g_string_append_printf (text, "[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ")", entry->from,
                            entry->to);
}

static char *
dup_variables (const Job *job, guint32 program, TsrVariableRole role)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; job->variables != NULL && i < job->variables->len; i++)
    {
      const TsrProgramVariable *entry = &g_array_index (job->variables, TsrProgramVariable, i);

      if (entry->program == program && entry->role == role && n++ < MOST_VARIABLES)
        append_variable (text, tsr_report_get_liveness_tables (job->report), entry);
    }
  if (n > MOST_VARIABLES)
    {
      g_autofree char *count = tsr_units_dup_count (n);

      g_string_append_printf (text, " … ");
      g_string_append_printf (text, ngettext ("(%s in total)", "(%s in total)", n), count);
    }
  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* One scan for all selected steps. */
static gboolean
read_variables (Job *job, GCancellable *cancellable, GError **error)
{
  g_autofree guint32 *programs = g_new (guint32, job->steps->len + 1);

  for (guint i = 0; i < job->steps->len; i++)
    programs[i] = ((TsrTraceStepFacts *)g_ptr_array_index (job->steps, i))->slice.program;
  if (job->report == NULL)
    return TRUE;
  job->variables = tsr_report_read_program_variables (job->report, programs, job->steps->len,
                                                      cancellable, error);
  return job->variables != NULL;
}

/* Programs */

static const char *
get_program_name (const Job *job, guint32 program)
{
  const char *name
      = tsr_string_table_get (job->programs->strings, job->programs->program_name[program]);

  if (name == NULL || *name == '\0')
    name = tsr_string_table_get (job->programs->strings, job->programs->program_type[program]);
  return name != NULL ? name : "";
}

static void
reach (Job *job, GArray *queue, guint32 program, guint32 from)
{
  if (program >= job->programs->n_programs || job->parent[program] != TSR_NO_INDEX)
    return;
  job->parent[program] = from;
  g_array_append_val (queue, program);
}

/* The shortest way from a root to each program: breadth first, through children and calls.  A root
 * is its own parent. */
static void
find_paths (Job *job)
{
  const TsrProgramTables *programs = job->programs;
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (programs == NULL || programs->n_programs == 0)
    return;
  job->parent = g_new (guint32, programs->n_programs);
  for (guint i = 0; i < programs->n_programs; i++)
    job->parent[i] = TSR_NO_INDEX;
  for (guint i = 0; i < programs->n_roots; i++)
    reach (job, queue, programs->root_program[i], programs->root_program[i]);
  for (guint k = 0; k < queue->len; k++)
    {
      guint32 program = g_array_index (queue, guint32, k);

      for (guint32 c = programs->child_start[program]; c < programs->child_start[program + 1]; c++)
        reach (job, queue, programs->child[c], program);
      reach (job, queue, programs->program_callee[program], program);
    }
}

static char *
dup_path (const Job *job, guint32 program)
{
  GString *text;

  if (job->parent == NULL || program >= job->programs->n_programs
      || job->parent[program] == TSR_NO_INDEX)
    return NULL;
  text = g_string_new (get_program_name (job, program));
  for (guint i = 0; i < MOST_PATH && job->parent[program] != program; i++)
    {
      program = job->parent[program];
      g_string_prepend (text, " › ");
      g_string_prepend (text, get_program_name (job, program));
    }
  if (job->parent[program] != program)
    g_string_prepend (text, "… › ");
  return g_string_free (text, FALSE);
}

static char *
dup_vertices (const Job *job, guint32 set)
{
  const TsrProgramTables *programs = job->programs;
  GString *text;
  guint32 first, end;

  if (programs == NULL || set >= programs->n_compute_sets)
    return NULL;
  first = programs->vertex_start[set];
  end = programs->vertex_start[set + 1];
  if (first == end)
    return NULL;
  text = g_string_new (NULL);
  for (guint32 v = first; v < MIN (end, first + MOST_TYPES); v++)
    {
      const char *type = tsr_string_table_get (
          programs->strings, programs->vertex_type_name[programs->vertex_type[v]]);
      g_autofree char *count = tsr_units_dup_count (programs->vertex_count[v]);
      g_autofree char *estimated = tsr_units_dup_count (programs->vertex_estimated_cycles[v]);
      g_autofree char *measured = tsr_units_dup_count (programs->vertex_measured_cycles[v]);

      g_string_append (text, v > first ? "\n" : "");
      g_string_append_printf (
          text, _ ("%s: %s instances, cycles over all tiles %s estimated, %s measured"),
          type != NULL ? type : "", count, estimated, measured);
    }
  if (end - first > MOST_TYPES)
    {
      guint more = end - first - MOST_TYPES;

      g_string_append_c (text, '\n');
      g_string_append_printf (text, ngettext ("and %u more type", "and %u more types", more), more);
    }
  return g_string_free (text, FALSE);
}

/* Which liveness step the step is, where that is told. */
static gboolean
add_live (const Job *job, TsrTraceStepFacts *facts)
{
  const TsrTraceLive *live = job->question->live;
  guint32 first, last;
  guint n = live != NULL ? tsr_trace_live_get_steps (live, facts->slice.step, &first, &last) : 0;
  g_autofree char *from = NULL, *to = NULL, *count = NULL;

  if (n == 0)
    return FALSE;
  from = tsr_units_dup_count (first);
  to = tsr_units_dup_count (last);
  count = tsr_units_dup_count (n);
  add_fact (facts, N_ ("Liveness Step"),
            n == 1 ? g_strdup (from) : g_strdup_printf (_ ("one of %s, %s to %s"), count, from, to))
      ->words
      = n == 1 ? g_strdup_printf ("page=liveness&steps=%u", first)
               : g_strdup_printf ("page=liveness&steps=%u,%u", first, last);
  return TRUE;
}

/* The first liveness step of the step's program, as long as no more is known. */
static void
add_liveness (const Job *job, TsrTraceStepFacts *facts)
{
  const TsrLivenessTables *liveness
      = job->report != NULL ? tsr_report_get_liveness_tables (job->report) : NULL;
  guint32 program = facts->slice.program;

  if (add_live (job, facts) || liveness == NULL || program == TSR_NO_INDEX
      || liveness->step_program == NULL)
    return;
  for (guint k = 0; k < liveness->n_steps; k++)
    if (liveness->step_program[k] == program)
      {
        TsrTraceFact *fact
            = add_fact (facts, N_ ("Liveness Step"), tsr_units_dup_count ((gint64)k));

        fact->words = g_strdup_printf ("page=liveness&steps=%u", k);
        return;
      }
}

static void
add_programs (const Job *job, TsrTraceStepFacts *facts)
{
  const TsrTraceSlice *slice = &facts->slice;
  const char *set = NULL;
  TsrTraceFact *fact;

  if (job->programs == NULL)
    return;
  if (slice->compute_set < job->programs->n_compute_sets)
    set = tsr_string_table_get (job->programs->strings,
                                job->programs->compute_set_name[slice->compute_set]);
  add_fact (facts, N_ ("Compute Set"), g_strdup (set));
  add_fact (facts, N_ ("Vertices"), dup_vertices (job, slice->compute_set));
  fact = add_fact (facts, N_ ("Program"), dup_path (job, slice->program));
  if (fact != NULL && slice->program < job->programs->n_programs)
    fact->words = g_strdup_printf ("page=programs&program=%" G_GINT64_FORMAT,
                                   job->programs->program_id[slice->program]);
}

/* (transfer full): why there is none.  Compilers add operations, as all-reduces, that no line of
 * the user's program asked for. */
static char *
dup_no_source (const char *layer)
{
  static const char *const compilers[] = { "popart", "hloinstruction", "poplar_driver", NULL };

  return layer != NULL && g_strv_contains (compilers, layer)
             ? g_strdup_printf (_ ("no line recorded: added by %s, not by the program's source"),
                                tsr_debug_layer_get_title (layer))
             : g_strdup (_ ("no line recorded"));
}

/* The outermost context that has a name, and the outermost place in a source file, which may be
 * another's. */
static void
add_contexts (const Job *job, TsrTraceStepFacts *facts, GCancellable *cancellable)
{
  const TsrDebugTables *debug
      = job->report != NULL ? tsr_report_get_debug_tables (job->report) : NULL;
  guint32 program = facts->slice.program, named = TSR_NO_INDEX, inner;
  g_autofree guint32 *chain = NULL;
  const char *layer = NULL;
  char *source = NULL;
  TsrTraceFact *fact;
  guint n = 0;

  if (debug == NULL || job->programs == NULL || program >= job->programs->n_programs)
    return;
  inner = tsr_debug_tables_find (debug, job->programs->program_debug_id[program]);
  if (inner == TSR_NO_INDEX)
    {
      add_fact (facts, N_ ("Made by"), g_strdup (_ ("its program has no debug information")));
      return;
    }
  chain = tsr_debug_tables_dup_chain (debug, inner, &n);
  for (guint i = n; i > n - MIN (n, MOST_PATH); i--)
    {
      guint32 row = chain[i - 1];

      if (named == TSR_NO_INDEX && debug->name[row] != TSR_NO_STRING
          && debug->layer[row] != TSR_DEBUG_NO_LAYER)
        named = row;
      if (source == NULL)
        source = tsr_debug_dup_source (debug, row, cancellable);
    }
  if (named != TSR_NO_INDEX)
    {
      layer = debug->layers[debug->layer[named]].name;
      fact = add_fact (facts, N_ ("Made by"),
                       g_strdup_printf ("%s: %s", tsr_debug_layer_get_title (layer),
                                        tsr_debug_tables_get_text (debug, debug->name[named])));
      fact->words = g_strdup_printf ("page=programs&program=%" G_GINT64_FORMAT "&tab=debug",
                                     job->programs->program_id[program]);
    }
  fact = add_fact (facts, N_ ("Source"), source != NULL ? source : dup_no_source (layer));
  fact->is_copied = source != NULL;
}

/* Steps */

static TsrTraceStepFacts *
begin_step (const Job *job, const TsrTraceStepRef *ref)
{
  guint32 step = tsr_execution_tables_find_step (tsr_trace_get_tables (job->trace), ref->step_id);
  guint32 slice = step != TSR_NO_INDEX && ref->ipu < tsr_trace_get_n_ipus (job->trace)
                      ? tsr_trace_find_slice (job->trace, step, ref->ipu)
                      : TSR_NO_SLICE;
  const TsrTraceType *type;
  TsrTraceStepFacts *facts;
  const char *title;

  if (slice == TSR_NO_SLICE)
    return NULL;
  facts = g_new0 (TsrTraceStepFacts, 1);
  facts->ref = *ref;
  tsr_trace_get_slice (job->trace, slice, &facts->slice);
  facts->ipu_name = tsr_trace_dup_ipu_name (job->trace, ref->ipu);
  title = tsr_trace_get_slice_title (job->trace, slice);
  type = tsr_trace_get_type (job->trace, facts->slice.type);
  facts->heading
      = g_str_equal (title, type->label)
            ? g_strdup (title)
            : g_strdup_printf (
                "%s (%s)", type->group == TSR_STEP_GROUP_SYNC ? type->label : type->name, title);
  facts->facts = g_ptr_array_new_with_free_func (fact_free);
  return facts;
}

static void
finish_step (const Job *job, TsrTraceStepFacts *facts, GCancellable *cancellable)
{
  guint32 program = facts->slice.program;

  facts->cycles = tsr_trace_load_tile_cycles (job->trace, facts->slice.slice, NULL);
  add_contexts (job, facts, cancellable);
  add_cycles (job, facts);
  add_data (job, facts);
  add_fact (facts, N_ ("Source Variables"), dup_variables (job, program, TSR_VARIABLE_SOURCE));
  add_fact (facts, N_ ("Destination Variables"),
            dup_variables (job, program, TSR_VARIABLE_DESTINATION));
  add_fact (facts, N_ ("Variables"), dup_variables (job, program, TSR_VARIABLE_USED));
  add_fact (facts, N_ ("Active Cycles"), dup_spread (facts, FALSE));
  add_fact (facts, N_ ("All Cycles"), dup_spread (facts, TRUE));
  add_programs (job, facts);
  add_liveness (job, facts);
}

/* A line for each fact, for CSV. */
static TsrRows *
make_rows (const GPtrArray *steps)
{
  guint32 n = 0, row = 0;
  gint64 *ids;
  const char **ipus, **headings, **labels, **values, **keys;
  TsrGrid *grid;

  for (guint i = 0; i < steps->len; i++)
    n += ((TsrTraceStepFacts *)g_ptr_array_index (steps, i))->facts->len;
  grid = tsr_grid_new (n);
  keys = tsr_grid_add_keys (grid);
  ids = tsr_grid_add_values (grid,
                             tsr_trace_column ("step", _ ("Step"), NULL, TSR_VALUE_INDEX, FALSE));
  ipus = tsr_grid_add_texts (grid, tsr_grid_text_column ("ipuName", _ ("IPU"), NULL));
  headings = tsr_grid_add_texts (grid, tsr_grid_text_column ("name", _ ("Name"), NULL));
  labels = tsr_grid_add_texts (grid, tsr_grid_text_column ("fact", _ ("Fact"), NULL));
  values = tsr_grid_add_texts (grid, tsr_grid_text_column ("value", _ ("Value"), NULL));
  for (guint i = 0; i < steps->len; i++)
    {
      const TsrTraceStepFacts *facts = g_ptr_array_index (steps, i);

      for (guint k = 0; k < facts->facts->len; k++, row++)
        {
          const TsrTraceFact *fact = g_ptr_array_index (facts->facts, k);
          g_autofree char *key = g_strdup_printf ("%" PRId64 "\tipu%u\t%s", facts->ref.step_id,
                                                  facts->ref.ipu, fact->name);

          keys[row] = tsr_grid_intern (grid, key);
          ids[row] = facts->ref.step_id;
          ipus[row] = tsr_grid_intern (grid, facts->ipu_name);
          headings[row] = tsr_grid_intern (grid, facts->heading);
          labels[row] = fact->label;
          values[row] = tsr_grid_intern (grid, fact->value);
        }
    }
  return tsr_grid_to_rows (grid);
}

/* Over the longest ones of many. */
static void
say_marked (const TsrTraceQuestion *question, TsrTraceAnswer *answer)
{
  g_autofree char *count = tsr_units_dup_count ((gint64)question->n_marked);
  g_autofree char *cycles = tsr_units_dup_count (question->marked_cycles);
  g_autofree char *told = tsr_units_dup_count (answer->steps->len);
  g_autofree char *title
      = g_strdup_printf (g_dngettext (NULL, "%s step is marked: %s cycles",
                                      "%s steps are marked: %s cycles", (gulong)question->n_marked),
                         count, cycles);
  g_autofree char *text = g_strdup_printf (
      g_dngettext (NULL, "The longest one is told here; Aggregate sums them up in groups",
                   "The longest %s are told here; Aggregate sums them up in groups",
                   answer->steps->len),
      told);

  tsr_trace_answer_say (answer, title, question->n_marked > answer->steps->len ? text : NULL);
}

gboolean
tsr_trace_answer_details (const TsrTraceQuestion *question,
                          TsrTraceAnswer *answer,
                          GCancellable *cancellable,
                          GError **error)
{
  g_auto (Job) job = { .question = question, .trace = question->trace };

  job.report = tsr_trace_get_report (question->trace);
  job.programs = tsr_trace_get_programs (question->trace);
  answer->steps = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_trace_step_facts_free);
  job.steps = answer->steps;
  for (guint i = 0; i < question->n_steps; i++)
    {
      TsrTraceStepFacts *facts = begin_step (&job, &question->steps[i]);

      if (facts != NULL)
        g_ptr_array_add (answer->steps, facts);
    }
  if (answer->steps->len == 0)
    {
      tsr_trace_answer_say (answer, _ ("No Step Is Selected"),
                            _ ("Click a step of the trace; Shift-click adds one"));
      return TRUE;
    }
  if (question->n_marked > 0)
    say_marked (question, answer);
  if (!read_variables (&job, cancellable, error))
    return FALSE;
  find_paths (&job);
  for (guint i = 0; i < answer->steps->len; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      finish_step (&job, g_ptr_array_index (answer->steps, i), cancellable);
    }
  answer->rows = make_rows (answer->steps);
  return TRUE;
}
