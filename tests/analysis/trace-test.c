/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builds the tables of an execution by hand. */

#include "config.h"

#include "trace-test.h"

#include <math.h>
#include <string.h>

#define GROW(pointer, n, value)                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (((n) & ((n) + 1)) == 0 || (n) < 8)                                                         \
      (pointer) = g_realloc_n ((pointer), 2 * ((gsize)(n) + 4), sizeof *(pointer));                \
    (pointer)[n] = (value);                                                                        \
  }                                                                                                \
  G_STMT_END

TraceTest *
trace_test_new (guint n_ipus)
{
  TraceTest *self = g_new0 (TraceTest, 1);
  TsrTarget *target = &self->target;

  self->tables.strings = tsr_string_table_new ();
  self->programs.strings = tsr_string_table_new ();
  self->tables.n_ipus = n_ipus;
  self->tables.from_max_told = TRUE;
  self->slices = g_array_new (FALSE, FALSE, sizeof (TraceTestSlice));
  target->num_ipus = target->ipus_per_replica = target->num_replicas = TSR_UNKNOWN;
  target->tiles_per_ipu = target->num_tiles = target->tiles_per_replica = TSR_UNKNOWN;
  target->bytes_per_tile = target->bytes_per_ipu = target->memory_per_replica = TSR_UNKNOWN;
  target->total_memory = target->interleaved_start = TSR_UNKNOWN;
  target->clock_frequency = NAN;
  return self;
}

static void
free_tables (TsrExecutionTables *t)
{
  tsr_string_table_free (t->strings);
  g_free (t->type_name);
  g_free (t->run_id);
  g_free (t->run_name);
  g_free (t->run_first);
  g_free (t->run_end);
  g_free (t->run_complete);
  g_free (t->run_microseconds_start);
  g_free (t->run_microseconds_end);
  g_free (t->run_ipu_cycles);
  g_free (t->step_id);
  g_free (t->step_type);
  g_free (t->step_program);
  g_free (t->step_compute_set);
  g_free (t->step_run);
  g_free (t->step_tile_cycles);
  g_free (t->ipu_start);
  g_free (t->slice_step);
  g_free (t->slice_start);
  g_free (t->slice_end);
  tsr_narrow_clear (&t->slice_lead_in);
  tsr_narrow_clear (&t->slice_cycles);
  tsr_narrow_clear (&t->slice_active_tiles);
  g_free (t->slice_tile_balance);
  g_free (t->slice_active_tile_balance);
  tsr_narrow_clear (&t->slice_data_in);
  tsr_narrow_clear (&t->slice_data_out);
}

void
trace_test_free (TraceTest *self)
{
  TsrProgramTables *p = &self->programs;

  trace_test_seal (self); /* makes the narrow columns, which are cleared below */
  free_tables (&self->tables);
  tsr_string_table_free (p->strings);
  g_free (p->program_id);
  g_free (p->program_name);
  g_free (p->program_type);
  g_free (p->program_compute_set);
  g_free (p->program_callee);
  g_free (p->program_repeat_count);
  g_free (p->program_debug_id);
  g_free (p->program_stream_copy_kind);
  g_free (p->child_start);
  g_free (p->child);
  g_free (p->compute_set_id);
  g_free (p->compute_set_name);
  g_free (p->vertex_start);
  g_array_unref (self->slices);
  g_free (self);
}

guint
trace_test_begin_run (TraceTest *self, const char *name)
{
  TsrExecutionTables *t = &self->tables;
  guint n = t->n_runs++;

  g_assert_false (self->sealed);
  GROW (t->run_id, n, (gint64)n);
  GROW (t->run_name, n, tsr_string_table_intern (t->strings, name, -1));
  GROW (t->run_first, n, t->n_steps);
  GROW (t->run_end, n, t->n_steps);
  GROW (t->run_complete, n, 1);
  GROW (t->run_microseconds_start, n, NAN);
  GROW (t->run_microseconds_end, n, NAN);
  return n;
}

static guint8
find_type (TraceTest *self, const char *type)
{
  TsrExecutionTables *t = &self->tables;
  guint32 name = tsr_string_table_intern (t->strings, type, -1);

  for (guint i = 0; i < t->n_types; i++)
    if (t->type_name[i] == name)
      return i;
  g_assert_cmpuint (t->n_types, <, TSR_MAX_STEP_TYPES);
  GROW (t->type_name, t->n_types, name);
  return t->n_types++;
}

guint32
trace_test_get_program (TraceTest *self, const char *type, const char *name)
{
  TsrProgramTables *p = &self->programs;
  guint32 type_string = tsr_string_table_intern (p->strings, type, -1);
  guint32 name_string = tsr_string_table_intern (p->strings, name, -1);
  guint n = p->n_programs;

  for (guint i = 0; i < n; i++)
    if (p->program_type[i] == type_string && p->program_name[i] == name_string)
      return i;
  GROW (p->program_id, n, 100 + (gint64)n);
  GROW (p->program_name, n, name_string);
  GROW (p->program_type, n, type_string);
  GROW (p->program_compute_set, n, TSR_NO_INDEX);
  GROW (p->program_callee, n, TSR_NO_INDEX);
  GROW (p->program_repeat_count, n, TSR_UNKNOWN);
  GROW (p->program_debug_id, n, TSR_UNKNOWN);
  GROW (p->program_stream_copy_kind, n, TSR_NO_STRING);
  p->n_programs++;
  return n;
}

void
trace_test_set_copy_kind (TraceTest *self, guint32 program, const char *kind)
{
  self->programs.program_stream_copy_kind[program]
      = tsr_string_table_intern (self->programs.strings, kind, -1);
}

guint32
trace_test_add_step (TraceTest *self, const char *type, const char *name)
{
  TsrExecutionTables *t = &self->tables;
  guint32 program = name != NULL ? trace_test_get_program (self, type, name) : TSR_NO_INDEX;
  guint n = t->n_steps++;

  g_assert_false (self->sealed);
  GROW (t->step_id, n, (gint64)n);
  GROW (t->step_type, n, find_type (self, type));
  GROW (t->step_program, n, program);
  GROW (t->step_compute_set, n, TSR_NO_INDEX);
  GROW (t->step_run, n, t->n_runs > 0 ? t->n_runs - 1 : G_MAXUINT16);
  GROW (t->step_tile_cycles, n, TSR_NO_INDEX);
  if (t->n_runs > 0)
    t->run_end[t->n_runs - 1] = t->n_steps;
  return n;
}

static void
set_compute_set (TraceTest *self, guint32 step, const char *compute_set)
{
  TsrProgramTables *p = &self->programs;
  guint32 name = tsr_string_table_intern (p->strings, compute_set, -1);
  guint i;

  for (i = 0; i < p->n_compute_sets && p->compute_set_name[i] != name; i++)
    ;
  if (i == p->n_compute_sets)
    {
      GROW (p->compute_set_id, i, (gint64)i);
      GROW (p->compute_set_name, i, name);
      p->n_compute_sets++;
    }
  self->tables.step_compute_set[step] = i;
}

guint32
trace_test_add_compute (TraceTest *self, const char *compute_set)
{
  guint32 step = trace_test_add_step (self, "OnTileExecute", "Execute");

  set_compute_set (self, step, compute_set);
  return step;
}

void
trace_test_set_step_id (TraceTest *self, guint32 step, gint64 id)
{
  self->tables.step_id[step] = id;
}

void
trace_test_set_tile_cycles (TraceTest *self, guint32 step, gint64 set_id)
{
  g_assert_cmpint (set_id, >=, 0);
  g_assert_cmpint (set_id, <, TSR_NO_INDEX);
  self->tables.step_tile_cycles[step] = (guint32)set_id;
}

TraceTestSlice *
trace_test_add (TraceTest *self, guint32 step, guint ipu, gint64 start, gint64 end)
{
  TraceTestSlice slice = { step,        ipu,         start,       end, TSR_UNKNOWN, TSR_UNKNOWN,
                           TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN, NAN, NAN };

  g_assert_false (self->sealed);
  g_assert_cmpuint (ipu, <, self->tables.n_ipus);
  if (start == TSR_UNKNOWN || end == TSR_UNKNOWN)
    slice.start = slice.end = TSR_UNKNOWN;
  g_array_append_val (self->slices, slice);
  return &g_array_index (self->slices, TraceTestSlice, self->slices->len - 1);
}

guint32
trace_test_add_simple (
    TraceTest *self, const char *type, const char *name, guint ipu, gint64 start, gint64 end)
{
  guint32 step = trace_test_add_step (self, type, name);

  if (ipu != G_MAXUINT)
    trace_test_add (self, step, ipu, start, end);
  else
    for (guint i = 0; i < self->tables.n_ipus; i++)
      trace_test_add (self, step, i, start, end);
  return step;
}

static int
compare_slices (gconstpointer pa, gconstpointer pb)
{
  const TraceTestSlice *a = pa;
  const TraceTestSlice *b = pb;
  gboolean a_told = a->start != TSR_UNKNOWN;
  gboolean b_told = b->start != TSR_UNKNOWN;

  if (a->ipu != b->ipu)
    return a->ipu < b->ipu ? -1 : 1;
  if (a_told != b_told)
    return a_told ? -1 : 1;
  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  if (a->end != b->end)
    return a->end < b->end ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

static void
seal_programs (TsrProgramTables *p)
{
  p->child_start = g_new0 (guint32, p->n_programs + 1);
  p->vertex_start = g_new0 (guint32, p->n_compute_sets + 1);
}

/* A file without runs has one that holds all steps. */
static void
seal_runs (TraceTest *self)
{
  TsrExecutionTables *t = &self->tables;

  if (t->n_runs > 0)
    return;
  trace_test_begin_run (self, NULL);
  t->run_id[0] = TSR_UNKNOWN;
  t->run_first[0] = 0;
  t->run_end[0] = t->n_steps;
  for (guint i = 0; i < t->n_steps; i++)
    t->step_run[i] = 0;
}

void
trace_test_seal (TraceTest *self)
{
  TsrExecutionTables *t = &self->tables;
  gsize n = self->slices->len;

  if (self->sealed)
    return;
  seal_runs (self);
  seal_programs (&self->programs);
  self->sealed = TRUE;
  g_array_sort (self->slices, compare_slices);
  t->ipu_start = g_new0 (gsize, t->n_ipus + 1);
  t->slice_step = g_new (guint32, n + 1);
  t->slice_start = g_new (gint64, n + 1);
  t->slice_end = g_new (gint64, n + 1);
  t->slice_tile_balance = g_new (float, n + 1);
  t->slice_active_tile_balance = g_new (float, n + 1);
  g_assert_true (tsr_narrow_init (&t->slice_lead_in, n));
  g_assert_true (tsr_narrow_init (&t->slice_cycles, n));
  g_assert_true (tsr_narrow_init (&t->slice_active_tiles, n));
  g_assert_true (tsr_narrow_init (&t->slice_data_in, n));
  g_assert_true (tsr_narrow_init (&t->slice_data_out, n));
  for (gsize i = 0; i < n; i++)
    {
      const TraceTestSlice *slice = &g_array_index (self->slices, TraceTestSlice, i);

      for (guint ipu = slice->ipu + 1; ipu <= t->n_ipus; ipu++)
        t->ipu_start[ipu] = i + 1;
      t->slice_step[i] = slice->step;
      t->slice_start[i] = slice->start;
      t->slice_end[i] = slice->end;
      t->slice_tile_balance[i] = slice->tile_balance;
      t->slice_active_tile_balance[i] = slice->active_tile_balance;
      tsr_narrow_set (&t->slice_lead_in, i, slice->lead_in);
      tsr_narrow_set (&t->slice_cycles, i, slice->cycles);
      tsr_narrow_set (&t->slice_active_tiles, i, slice->active_tiles);
      tsr_narrow_set (&t->slice_data_in, i, slice->data_in);
      tsr_narrow_set (&t->slice_data_out, i, slice->data_out);
    }
  tsr_narrow_seal (&t->slice_lead_in);
  tsr_narrow_seal (&t->slice_cycles);
  tsr_narrow_seal (&t->slice_active_tiles);
  tsr_narrow_seal (&t->slice_data_in);
  tsr_narrow_seal (&t->slice_data_out);
}

TsrTrace *
trace_test_build (TraceTest *self)
{
  g_autoptr (GError) error = NULL;
  TsrTrace *trace;

  trace_test_seal (self);
  trace = tsr_trace_new_from_tables (&self->tables, &self->programs, &self->target, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (trace);
  return trace;
}

/* ------------------------------------------------------------------ random */

static const char *
random_type (GRand *random, guint n_types)
{
  static const char *const types[]
      = { "OnTileExecute", "DoExchange",     "Sync",    "StreamCopyBegin", "StreamCopyMid",
          "StreamCopyEnd", "GlobalExchange", "SyncAns", "WriteUndef",      "Sans" };

  return types[g_rand_int_range (random, 0, (gint)MIN (n_types, G_N_ELEMENTS (types)))];
}

static void
random_figures (GRand *random, TraceTestSlice *slice)
{
  gint64 d = slice->end - slice->start;

  if (g_rand_int_range (random, 0, 50) != 0)
    {
      slice->active_tile_balance
          = g_rand_int_range (random, 0, 8) == 0 ? 0 : (float)g_rand_double (random);
      slice->tile_balance = slice->active_tile_balance / 2;
    }
  if (g_rand_int_range (random, 0, 50) != 0)
    {
      slice->data_in = g_rand_int_range (random, 0, 100000);
      slice->data_out = g_rand_int_range (random, 0, 100000);
    }
  slice->cycles = d;
  slice->lead_in = g_rand_int_range (random, 0, 20);
  slice->active_tiles = g_rand_int_range (random, 0, 1472);
}

TraceTest *
trace_test_new_random (guint seed, guint n_ipus, guint n_steps, guint n_types)
{
  static const char *const kinds[] = { "host", "remote_buffer", "both", NULL };
  TraceTest *self = trace_test_new (n_ipus);
  GRand *random = g_rand_new_with_seed (seed);
  g_autofree gint64 *now = g_new0 (gint64, n_ipus);
  guint n_runs = 3;

  for (guint s = 0, run = 0; s < n_steps; s++)
    {
      const char *type = random_type (random, n_types);
      g_autofree char *name = g_strdup_printf (
          "model/layer%d/op%d", g_rand_int_range (random, 0, 4), g_rand_int_range (random, 0, 4));
      guint32 step;

      if (s >= (guint64)n_steps * run / n_runs)
        {
          g_autofree char *label = g_strdup_printf ("Engine::run #%u", run++);

          trace_test_begin_run (self, label);
        }
      step = trace_test_add_step (self, type, g_rand_int_range (random, 0, 9) ? name : NULL);
      if (strcmp (type, "OnTileExecute") == 0 && s % 4 > 0)
        {
          static const char *const sets[] = { "sum", "product", "sum/of/products" };

          set_compute_set (self, step, sets[s % G_N_ELEMENTS (sets)]);
        }
      if (self->tables.step_program[step] != TSR_NO_INDEX)
        trace_test_set_copy_kind (self, self->tables.step_program[step],
                                  kinds[self->tables.step_program[step] % 4]);
      for (guint ipu = 0; ipu < n_ipus; ipu++)
        {
          gint64 start = now[ipu];
          gint64 length = g_rand_int_range (random, 0, 4) == 0 ? g_rand_int_range (random, 0, 3)
                                                               : g_rand_int_range (random, 1, 400);

          if (g_rand_int_range (random, 0, 12) == 0)
            continue;
          if (g_rand_int_range (random, 0, 6) == 0) /* overlaps what was before */
            {
              start -= g_rand_int_range (random, 0, 300);
              start = MAX (start, 0);
            }
          else if (g_rand_int_range (random, 0, 10) == 0)
            start += g_rand_int_range (random, 0, 200);
          random_figures (random, trace_test_add (self, step, ipu, start, start + length));
          now[ipu] = MAX (now[ipu], start + length);
        }
    }
  g_rand_free (random);
  trace_test_seal (self);
  return self;
}
