/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables of programs, compute sets, vertices and execution. */

#include "config.h"

#include "tsr-gen-presets.h"
#include "tsr-gen-profile.h"

#include <math.h>
#include <string.h>

/* ---- numbers for each tile */

static guint32
code_array (TsrGenWriter *self, TsrGenVar *const *code, guint32 *values)
{
  const TsrGenModel *model = self->model;

  if (code == NULL)
    return 0;
  for (guint tile = 0; tile < model->n_tiles; tile++)
    {
      const TsrGenVar *var = code[tile / model->tiles_per_ipu];

      values[tile]
          = var == NULL ? 0 : tsr_gen_var_tile_bytes (model, var, tile % model->tiles_per_ipu);
    }
  return tsr_gen_arrays_add (self->arrays, values, model->n_tiles);
}

/* Control code of @program with all that stands under it, for a tile of each IPU. */
static void
control_bytes (const TsrGenModel *model, const TsrGenProgram *program, guint32 *by_ipu)
{
  for (guint ipu = 0; program->children == NULL && ipu < model->n_ipus; ipu++)
    if (program->ipus >> ipu & 1)
      by_ipu[ipu] += program->control_bytes;
  for (guint i = 0; program->children != NULL && i < program->children->len; i++)
    control_bytes (model, g_ptr_array_index (program->children, i), by_ipu);
}

static guint32
control_array (TsrGenWriter *self, const TsrGenProgram *program, guint32 *values)
{
  const TsrGenModel *model = self->model;
  g_autofree guint32 *by_ipu = g_new0 (guint32, model->n_ipus);

  control_bytes (model, program, by_ipu);
  for (guint tile = 0; tile < model->n_tiles; tile++)
    values[tile] = by_ipu[tile / model->tiles_per_ipu];
  return tsr_gen_arrays_add (self->arrays, values, model->n_tiles);
}

static guint32
estimate_array (TsrGenWriter *self, const TsrGenProgram *program, guint32 *values)
{
  const TsrGenModel *model = self->model;
  const double scale = 0.88 + 0.14 * tsr_gen_unit (model->seed, 51, program->id);

  memset (values, 0, sizeof (guint32) * model->n_tiles);
  for (guint ipu = 0; ipu < model->n_ipus; ipu++)
    if (program->ipus >> ipu & 1)
      tsr_gen_clock_tiles (self->clock, program, ipu, scale, values + ipu * model->tiles_per_ipu);
  return tsr_gen_arrays_add (self->arrays, values, model->n_tiles);
}

static void
collect_set (TsrGenWriter *self, const TsrGenComputeSet *set, guint32 *values)
{
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 id = estimate_array (self, set->program, values);

  g_array_append_val (self->set_arrays, id);
  for (guint i = 0; i < set->vertices->len; i++)
    {
      const TsrGenVertices *vertices = g_ptr_array_index (set->vertices, i);

      for (guint tile = 0; tile < self->model->n_tiles; tile++)
        values[tile] = vertices->count[tile];
      id = tsr_gen_arrays_add (self->arrays, values, self->model->n_tiles);
      g_array_append_val (counts, id);
    }
  g_ptr_array_add (self->count_arrays, counts);
}

void
tsr_gen_collect_arrays (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  g_autofree guint32 *values = g_new (guint32, model->n_tiles);
  g_autofree guint32 *others = g_new (guint32, model->n_tiles);

  self->program_arrays = g_array_new (FALSE, TRUE, sizeof (TsrGenProgramArrays));
  self->set_arrays = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->count_arrays = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  self->code_arrays = g_new0 (guint32, model->vertex_types->len);
  for (guint i = 0; i < model->programs->len; i++)
    {
      const TsrGenProgram *program = g_ptr_array_index (model->programs, i);
      TsrGenProgramArrays arrays = { 0 };

      arrays.code = code_array (self, program->code, values);
      arrays.control = control_array (self, program, values);
      if (program->bytes_per_cycle > 0)
        {
          arrays.estimated = estimate_array (self, program, values);
          tsr_gen_clock_data (self->clock, program, values, others);
          arrays.data_in = tsr_gen_arrays_add (self->arrays, values, model->n_tiles);
          arrays.data_out = tsr_gen_arrays_add (self->arrays, others, model->n_tiles);
        }
      g_array_append_val (self->program_arrays, arrays);
    }
  for (guint i = 0; i < model->compute_sets->len; i++)
    collect_set (self, g_ptr_array_index (model->compute_sets, i), values);
  for (guint i = 0; i < model->vertex_types->len; i++)
    {
      const TsrGenVertexType *type = g_ptr_array_index (model->vertex_types, i);
      self->code_arrays[i] = code_array (self, type->code, values);
    }
}

static guint64
array_total (TsrGenWriter *self, guint32 id)
{
  return id == 0 ? 0 : ((TsrGenArray *)g_ptr_array_index (self->arrays->arrays, id - 1))->total;
}

/* ---- programs */

static void
write_roots (TsrGenWriter *self)
{
  GPtrArray *const roots[2] = { self->model->control, self->model->functions };
  static const char *const kinds[2] = { "control", "function" };
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "compilation_steps", 2);

  tsr_gen_insert (self, stmt, "is", (gint64)0, "Before outlining");
  tsr_gen_insert (self, stmt, "is", (gint64)1, "Lowered");
  tsr_gen_insert_end (stmt);
  stmt = tsr_gen_insert_begin (self, "program_roots", 4);
  for (guint step = 0; step < 2; step++)
    for (guint kind = 0; kind <= step; kind++)
      for (guint i = 0; i < roots[kind]->len; i++)
        tsr_gen_insert (self, stmt, "isii", (gint64)step, kinds[kind], (gint64)i,
                        (gint64)((TsrGenProgram *)g_ptr_array_index (roots[kind], i))->id);
  tsr_gen_insert_end (stmt);
}

static void
write_program_variables (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "program_variables", 6);

  for (guint i = 0; i < model->programs->len; i++)
    {
      const TsrGenProgram *program = g_ptr_array_index (model->programs, i);

      for (guint role = 0; role < 3; role++)
        for (guint k = 0; k < program->links->len; k++)
          {
            const TsrGenLink *link = &g_array_index (program->links, TsrGenLink, k);
            const guint element = MAX (1, link->variable->element_bytes);
            guint64 elements = link->variable->size / element;

            elements = MAX (1, (guint64)(elements * link->share));
            if (link->role == role)
              tsr_gen_insert (self, stmt, "iiiiuu", (gint64)i, (gint64)role,
                              (gint64)link->variable->id, (gint64)0, elements, elements * element);
          }
    }
  tsr_gen_insert_end (stmt);
}

static void
write_children (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "program_children", 3);

  for (guint i = 0; i < model->programs->len; i++)
    {
      const TsrGenProgram *program = g_ptr_array_index (model->programs, i);

      for (guint k = 0; program->children != NULL && k < program->children->len; k++)
        tsr_gen_insert (self, stmt, "iii", (gint64)i, (gint64)k,
                        (gint64)((TsrGenProgram *)g_ptr_array_index (program->children, k))->id);
    }
  tsr_gen_insert_end (stmt);
}

static void
write_compute_sets (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  const gboolean ran = model->preset->execution;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "vertex_types", 5);

  for (guint i = 0; i < model->vertex_types->len; i++)
    {
      const TsrGenVertexType *type = g_ptr_array_index (model->vertex_types, i);

      tsr_gen_insert (self, stmt, "isisa", (gint64)i, type->name, (gint64)type->size_bytes,
                      type->assembly ? "asm" : "cpp", self->code_arrays[i]);
    }
  tsr_gen_insert_end (stmt);

  stmt = tsr_gen_insert_begin (self, "compute_sets", 3);
  for (guint i = 0; i < model->compute_sets->len; i++)
    {
      const TsrGenComputeSet *set = g_ptr_array_index (model->compute_sets, i);

      tsr_gen_insert (self, stmt, "isa", (gint64)i, set->name,
                      g_array_index (self->set_arrays, guint32, i));
    }
  tsr_gen_insert_end (stmt);

  stmt = tsr_gen_insert_begin (self, "compute_set_vertices", 7);
  for (guint i = 0; i < model->compute_sets->len; i++)
    {
      const TsrGenComputeSet *set = g_ptr_array_index (model->compute_sets, i);
      const GArray *counts = g_ptr_array_index (self->count_arrays, i);
      guint64 estimated = array_total (self, g_array_index (self->set_arrays, guint32, i));
      guint64 measured = 0, left = 0;

      for (guint ipu = 0; ran && ipu < model->n_ipus; ipu++)
        {
          guint32 start, cycles;

          tsr_gen_clock_arrays (self->clock, set->program, ipu, &start, &cycles);
          measured += array_total (self, cycles);
        }
      for (guint k = 0; k < set->vertices->len; k++)
        left += ((TsrGenVertices *)g_ptr_array_index (set->vertices, k))->total;
      for (guint k = 0; k < set->vertices->len; k++)
        {
          const TsrGenVertices *vertices = g_ptr_array_index (set->vertices, k);
          const double share = left == 0 ? 0 : (double)vertices->total / left;
          const guint64 my_estimated = (guint64)(estimated * share);
          const guint64 my_measured = (guint64)(measured * share);

          tsr_gen_insert (self, stmt, "iiuauum", (gint64)i, (gint64)vertices->type->id,
                          vertices->total, g_array_index (counts, guint32, k),
                          (guint64)(vertices->flops * vertices->total), my_estimated,
                          ran ? (gint64)my_measured : (gint64)-1);
          left -= vertices->total;
          estimated -= my_estimated;
          measured -= my_measured;
        }
    }
  tsr_gen_insert_end (stmt);
}

void
tsr_gen_write_programs (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt;

  write_roots (self);
  stmt = tsr_gen_insert_begin (self, "programs", 13);
  for (guint i = 0; i < model->programs->len; i++)
    {
      const TsrGenProgram *program = g_ptr_array_index (model->programs, i);
      const TsrGenProgramArrays *arrays
          = &g_array_index (self->program_arrays, TsrGenProgramArrays, i);

      tsr_gen_insert (self, stmt, "issmmmmsaaaaa", (gint64)i, program->name, program->type,
                      program->compute_set == NULL ? (gint64)-1 : (gint64)program->compute_set->id,
                      program->repeat_count == 0 ? (gint64)-1 : (gint64)program->repeat_count,
                      program->callee == NULL ? (gint64)-1 : (gint64)program->callee->id,
                      program->debug_id == 0 ? (gint64)-1 : (gint64)program->debug_id,
                      program->copy_kind, arrays->code, arrays->control, arrays->estimated,
                      arrays->data_in, arrays->data_out);
    }
  tsr_gen_insert_end (stmt);
  write_children (self);
  write_compute_sets (self);
  write_program_variables (self);
}

/* ---- execution */

typedef struct
{
  TsrGenWriter *writer;
  sqlite3_stmt *stmt;
  guint64 limit;
} Pass;

static gboolean
count_step (
    guint64 step, guint run, const TsrGenProgram *program, const TsrGenSlice *slices, gpointer data)
{
  const Pass *pass = data;

  return pass->limit == 0 || step + 1 < pass->limit;
}

static gboolean
write_step (
    guint64 step, guint run, const TsrGenProgram *program, const TsrGenSlice *slices, gpointer data)
{
  const Pass *pass = data;

  tsr_gen_insert (pass->writer, pass->stmt, "usmmim", step, program->type,
                  program->anonymous ? (gint64)-1 : (gint64)program->id,
                  program->compute_set == NULL ? (gint64)-1 : (gint64)program->compute_set->id,
                  (gint64)run, program->set_id == 0 ? (gint64)-1 : (gint64)program->set_id);
  return !pass->writer->failed && count_step (step, run, program, slices, data);
}

/* A tile that does nothing in a step begins and ends with the first one. */
static gboolean
write_slices (
    guint64 step, guint run, const TsrGenProgram *program, const TsrGenSlice *slices, gpointer data)
{
  const Pass *pass = data;
  const TsrGenPreset *preset = pass->writer->model->preset;
  const gboolean moves = program->bytes_per_cycle > 0;
  const gboolean all = preset->all_cycles;

  for (guint ipu = 0; ipu < tsr_gen_clock_n_ipus (pass->writer->clock); ipu++)
    {
      const TsrGenSlice *slice = &slices[ipu];

      const gboolean idle = slice->active_tiles < preset->tiles_per_ipu;

      tsr_gen_insert (pass->writer, pass->stmt, all ? "uiiiiiiiirrmmiiii" : "uiiiiiiiirrmm", step,
                      (gint64)ipu, slice->cycles, (gint64)slice->active_tiles, slice->base,
                      slice->from_min, slice->from_max, slice->to_min, slice->to_max,
                      slice->tile_balance, slice->active_tile_balance, moves ? slice->data_in : -1,
                      moves ? slice->data_out : -1, slice->from_min, slice->from_max,
                      idle ? slice->from_min : slice->to_min, slice->to_max);
    }
  return !pass->writer->failed && count_step (step, run, program, slices, data);
}

static void
write_tile_cycles (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "tile_cycles", 5);
  gint64 id = 1;

  for (guint i = 0; i < model->programs->len; i++)
    {
      const TsrGenProgram *program = g_ptr_array_index (model->programs, i);

      for (guint ipu = 0; ipu < tsr_gen_clock_n_ipus (self->clock); ipu++)
        {
          guint32 start, cycles;

          tsr_gen_clock_arrays (self->clock, program, ipu, &start, &cycles);
          if (cycles != 0)
            tsr_gen_insert (self, stmt, "iiiaa", id++, (gint64)program->set_id, (gint64)ipu, start,
                            cycles);
        }
    }
  tsr_gen_insert_end (stmt);
}

static void
write_blocks (TsrGenWriter *self)
{
  const GArray *blocks = tsr_gen_clock_blocks (self->clock);
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "blocks", 12);
  gint64 id = 1;

  for (guint i = 0; i < blocks->len; i++)
    {
      const TsrGenBlock *block = &g_array_index (blocks, TsrGenBlock, i);
      /* Each IPU's clock starts when its executable is loaded. */
      const gint64 offset = 150000 * (gint64)block->ipu + 1000000;

      if (block->to <= block->from) /* nothing of it on this IPU */
        continue;
      tsr_gen_insert (self, stmt, "iisiiiiiiiii", id++, (gint64)block->program->id,
                      block->program->name, (gint64)block->ipu, (gint64)0, (gint64)block->run,
                      block->from + offset, block->to + offset,
                      (gint64)g_str_has_prefix (block->program->type, "StreamCopy"),
                      (gint64)(block->ipu == 0), (gint64)0,
                      (gint64)g_str_equal (block->program->name, "BlockFlush"));
    }
  tsr_gen_insert_end (stmt);
}

void
tsr_gen_write_runs (TsrGenWriter *self)
{
  const TsrGenPreset *preset = self->model->preset;
  const guint n_ipus = tsr_gen_clock_n_ipus (self->clock);
  Pass pass = { self, NULL, self->model->trace_steps };
  g_autofree gint64 *totals = g_new0 (gint64, n_ipus);
  const GArray *runs;
  sqlite3_stmt *stmt;

  if (!preset->execution)
    return;
  tsr_gen_clock_run (self->clock, count_step, &pass);
  runs = tsr_gen_clock_runs (self->clock);
  stmt = tsr_gen_insert_begin (self, "runs", 6);
  for (guint i = 0; i < runs->len; i++)
    {
      const TsrGenRunTimes *times = &g_array_index (runs, TsrGenRunTimes, i);
      const TsrGenRun *run = g_ptr_array_index (self->model->runs, i);
      const double scale = 1e6 / preset->clock_frequency;

      tsr_gen_insert (self, stmt, "isuurr", (gint64)i, run->name, times->first_step,
                      times->end_step, run->measured ? 1500.0 + times->start * scale : 0.0,
                      run->measured ? 1500.0 + times->end * scale : 0.0);
    }
  tsr_gen_insert_end (stmt);
  stmt = tsr_gen_insert_begin (self, "run_cycles_by_ipu", 3);
  for (guint i = 0; i < runs->len; i++)
    for (guint ipu = 0; ipu < n_ipus; ipu++)
      {
        const gint64 cycles = g_array_index (runs, TsrGenRunTimes, i).cycles[ipu];

        totals[ipu] += cycles;
        tsr_gen_insert (self, stmt, "iii", (gint64)i, (gint64)ipu, cycles);
      }
  tsr_gen_insert_end (stmt);
  stmt = tsr_gen_insert_begin (self, "execution_cycle_totals", 2);
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    tsr_gen_insert (self, stmt, "ii", (gint64)ipu, totals[ipu]);
  tsr_gen_insert_end (stmt);
}

void
tsr_gen_write_steps (TsrGenWriter *self)
{
  Pass pass = { self, NULL, self->model->trace_steps };

  if (!self->model->preset->execution)
    return;
  write_tile_cycles (self);
  write_blocks (self);
  pass.stmt = tsr_gen_insert_begin (self, "steps", 6);
  tsr_gen_clock_run (self->clock, write_step, &pass);
  tsr_gen_insert_end (pass.stmt);
  pass.stmt = tsr_gen_insert_begin (self, "steps_by_ipu", 17);
  tsr_gen_clock_run (self->clock, write_slices, &pass);
  tsr_gen_insert_end (pass.stmt);
}
