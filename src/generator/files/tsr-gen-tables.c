/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables of the report, of memory and of liveness. */

#include "config.h"

#include "tsr-gen-presets.h"
#include "tsr-gen-profile.h"

#include <math.h>
#include <string.h>

static const char *const options[] = {
  "autoReport.all",
  "true",
  "autoReport.directory",
  "./report",
  "autoReport.executionProfileProgramRunCount",
  "2",
  "autoReport.outputArchive",
  "true",
  "autoReport.outputDebugInfo",
  "true",
  "autoReport.outputExecutionProfile",
  "true",
  "autoReport.outputGraphProfile",
  "true",
  "autoReport.outputLoweredVars",
  "true",
  "autoReport.streamAtEachRun",
  "true",
  "debug.allowOutOfMemory",
  "true",
  "debug.branchRecordTile",
  "1471",
  "debug.computeInstrumentationLevel",
  "tile",
  "debug.instrument",
  "true",
  "debug.instrumentCompute",
  "true",
  "debug.instrumentControlFlow",
  "true",
  "debug.instrumentExternalExchange",
  "true",
  "debug.outputAllSymbols",
  "true",
  "debug.retainDebugInformation",
  "true",
  "exchange.enablePrefetch",
  "true",
  "exchange.streamBufferOverlap",
  "any",
  "opt.enableInlining",
  "false",
  "opt.internalExchangeOptimisationTarget",
  "cycles",
  "opt.maxComputeSetsPerLoweredCopy",
  "6",
  "prng.seed",
  "42",
  "profiler.blocks.filter",
  ".*",
  "profiler.includeCycleEstimates",
  "true",
  "profiler.includeFlopEstimates",
  "true",
  "streamCallbacks.multiThreadMode",
  "collaborative",
  "streamCallbacks.numWorkerThreads",
  "auto",
  "target.deterministicWorkers",
  "false",
  "target.saveArchive",
  "archive.a",
  "target.syncReplicasIndependently",
  "true",
};

static void
write_info (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  const gboolean ran = model->preset->execution;
  g_autofree char *stamp = g_strdup_printf (
      "2023-03-14T%02u:%02u:53Z", (guint)(model->seed >> 8) % 24, (guint)(model->seed >> 16) % 60);
  g_autofree char *generator
      = g_strdup_printf ("tessera-make-report %s (%s)", TSR_VERSION, model->preset->name);
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "report_info", 2);

  tsr_gen_insert (self, stmt, "ss", "compute_instrumentation", ran ? "tile" : "off");
  tsr_gen_insert (self, stmt, "ss", "engine_name", model->preset->engine);
  tsr_gen_insert (self, stmt, "ss", "external_exchange_instrumentation", ran ? "tile" : "off");
  tsr_gen_insert (self, stmt, "ss", "generator", generator);
  tsr_gen_insert (self, stmt, "ss", "poplar_version", "3.1.0 (a027fa0bd5)");
  if (model->preset->unstable)
    tsr_gen_insert (self, stmt, "ss", "report_unstable", "1");
  tsr_gen_insert (self, stmt, "ss", "report_version", "3.1.0");
  tsr_gen_insert (self, stmt, "ss", "synthetic", "1");
  tsr_gen_insert (self, stmt, "ss", "timestamp", stamp);
  tsr_gen_insert_end (stmt);

  stmt = tsr_gen_insert_begin (self, "engine_options", 2);
  for (guint i = 0; i < G_N_ELEMENTS (options); i += 2)
    {
      const char *value = options[i + 1];

      if (!ran
          && (g_str_equal (options[i], "autoReport.all")
              || g_str_has_prefix (options[i], "autoReport.outputExecution")
              || g_str_has_prefix (options[i], "debug.instrument")))
        value = "false";
      if (!ran && g_str_equal (options[i], "debug.computeInstrumentationLevel"))
        value = "off";
      tsr_gen_insert (self, stmt, "ss", options[i], value);
    }
  tsr_gen_insert_end (stmt);
}

void
tsr_gen_write_report (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  const TsrGenPreset *preset = model->preset;
  guint64 n_vertices = 0, n_edges = 0;
  sqlite3_stmt *stmt;

  write_info (self);
  stmt = tsr_gen_insert_begin (self, "target", 9);
  tsr_gen_insert (self, stmt, "ssiiiiiri", "Ipu", preset->architecture,
                  (gint64)preset->ipus_per_replica * preset->num_replicas,
                  (gint64)preset->ipus_per_replica, (gint64)preset->num_replicas,
                  (gint64)preset->tiles_per_ipu, (gint64)preset->bytes_per_tile,
                  preset->clock_frequency, (gint64)preset->interleaved_start);
  tsr_gen_insert_end (stmt);

  for (guint i = 0; i < model->vertex_types->len; i++)
    {
      const TsrGenVertexType *type = g_ptr_array_index (model->vertex_types, i);

      n_vertices += type->count;
      n_edges += type->count * (2 + type->size_bytes / 12);
    }
  stmt = tsr_gen_insert_begin (self, "graph", 4);
  tsr_gen_insert (self, stmt, "iuuu", (gint64)model->compute_sets->len, n_vertices,
                  preset->n_edges > 0 ? preset->n_edges : n_edges, model->n_rows);
  tsr_gen_insert_end (stmt);
}

static void
write_regions (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "memory_by_tile_region", 4);

  for (guint i = 0; i < model->n_tiles; i++)
    for (guint region = 0; region < TSR_GEN_N_REGIONS; region++)
      if (model->tiles[i].region[region] > 0)
        tsr_gen_insert (self, stmt, "iiii", (gint64)i, (gint64)region,
                        model->tiles[i].region[region], model->tiles[i].overlapped[region]);
  tsr_gen_insert_end (stmt);
}

static void
write_tile_categories (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "memory_by_tile_category", 5);

  for (guint i = 0; i < model->n_tiles; i++)
    for (guint category = 0; category < TSR_GEN_N_CATEGORIES; category++)
      for (guint region = 0; region < TSR_GEN_N_REGIONS; region++)
        {
          const gint64 alone = model->tiles[i].non_overlapped_by[category][region];
          const gint64 shared = model->tiles[i].overlapped_by[category][region];

          if (alone + shared > 0)
            tsr_gen_insert (self, stmt, "iiiii", (gint64)i, (gint64)category, (gint64)region, alone,
                            shared);
        }
  tsr_gen_insert_end (stmt);
}

void
tsr_gen_write_memory (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "var_categories", 3);

  for (guint i = 0; i < TSR_GEN_N_CATEGORIES; i++)
    tsr_gen_insert (self, stmt, "isu", (gint64)i, tsr_gen_category_name (i), model->allocated[i]);
  if (model->preset->network == TSR_GEN_NETWORK_TINY)
    tsr_gen_insert (self, stmt, "isi", (gint64)40, "mysteryStorage", (gint64)0);
  tsr_gen_insert_end (stmt);

  stmt = tsr_gen_insert_begin (self, "memory_by_tile", 8);
  for (guint i = 0; i < model->n_tiles; i++)
    {
      const TsrGenTile *tile = &model->tiles[i];

      tsr_gen_insert (self, stmt, "iiiiiiii", (gint64)i, tile->excluding, tile->including,
                      tile->excluding, tile->overflowed, tile->always_live, tile->not_always_live,
                      tile->peak_step);
    }
  tsr_gen_insert_end (stmt);
  write_regions (self);
  write_tile_categories (self);
}

/* ---- variables */

static char *
shape_text (const TsrGenVariable *variable)
{
  GString *text;

  if (variable->element_type == NULL || variable->element_bytes == 0)
    return NULL;
  text = g_string_new ("[");
  if (variable->dims->len > 0
      && tsr_gen_variable_elements (variable) * variable->element_bytes == variable->size)
    for (guint i = 0; i < variable->dims->len; i++)
      g_string_append_printf (text, i == 0 ? "%u" : ", %u",
                              g_array_index (variable->dims, guint32, i));
  else
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, variable->size / variable->element_bytes);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static void
write_tile_vars (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  g_autofree guint64 *rows = g_new0 (guint64, model->n_tiles);
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "tile_vars", 3);
  guint64 first = 0;

  for (guint i = 0; i < model->vars->len; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (model->vars, i);

      for (guint k = 0; k < var->count * var->pieces; k++)
        rows[var->ipu * model->tiles_per_ipu
             + (var->first + k / var->pieces) % model->tiles_per_ipu]
            += var->sizes[k] > 0;
    }
  for (guint i = 0; i < model->n_tiles; i++)
    {
      tsr_gen_insert (self, stmt, "iuu", (gint64)i, first, first + rows[i]);
      first += rows[i];
    }
  tsr_gen_insert_end (stmt);
}

void
tsr_gen_write_variables (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "variables", 8);

  for (guint i = 0; i < model->variables->len; i++)
    {
      const TsrGenVariable *variable = g_ptr_array_index (model->variables, i);
      g_autofree char *shape = shape_text (variable);

      tsr_gen_insert (self, stmt, "isuiissm", (gint64)variable->id, variable->name, variable->size,
                      (gint64)variable->always_live, (gint64)variable->category,
                      variable->element_type, shape,
                      variable->debug_id == 0 ? (gint64)-1 : (gint64)variable->debug_id);
    }
  tsr_gen_insert_end (stmt);

  stmt = tsr_gen_insert_begin (self, "variables_by_ipu", 3);
  for (guint i = 0; i < model->variables->len; i++)
    {
      const TsrGenVariable *variable = g_ptr_array_index (model->variables, i);

      for (guint ipu = 0; ipu < model->n_ipus; ipu++)
        if (variable->by_ipu[ipu] > 0)
          tsr_gen_insert (self, stmt, "iiu", (gint64)variable->id, (gint64)ipu,
                          variable->by_ipu[ipu]);
    }
  tsr_gen_insert_end (stmt);

  stmt = tsr_gen_insert_begin (self, "vars_string_table", 2);
  for (guint i = 0; i < model->strings->len; i++)
    tsr_gen_insert (self, stmt, "is", (gint64)i,
                    (const char *)g_ptr_array_index (model->strings, i));
  tsr_gen_insert_end (stmt);
  write_tile_vars (self);
}

void
tsr_gen_write_rows (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "vars_info", 10);
  g_autoptr (GPtrArray) here = NULL;
  gint64 id = 0;

  for (guint tile = 0; tile < model->n_tiles && !self->failed; tile++)
    {
      tsr_gen_find_vars (model, tile, &here);
      for (guint i = 0; i < here->len; i++)
        {
          const TsrGenVar *var = g_ptr_array_index (here, i);
          const gint64 slot = tsr_gen_var_slot (model, var, tile % model->tiles_per_ipu);
          const gboolean always = var->class_id == TSR_GEN_ALWAYS;

          for (guint k = 0; slot >= 0 && k < var->pieces; k++)
            if (var->sizes[slot + k] > 0)
              tsr_gen_insert (self, stmt, "iiiiimiimi", id++, (gint64)tile,
                              (gint64)var->sizes[slot + k], (gint64)var->category,
                              (gint64)var->string,
                              var->compiler_made ? (gint64)-1 : (gint64)var->variable->id,
                              (gint64)var->offsets[slot + k], (gint64)always,
                              always ? (gint64)-1 : (gint64)var->class_id, (gint64)var->alignment);
        }
    }
  tsr_gen_insert_end (stmt);
}

/* ---- liveness */

static int
compare_vars (gconstpointer a, gconstpointer b)
{
  const TsrGenVar *x = *(const TsrGenVar *const *)a, *y = *(const TsrGenVar *const *)b;

  if (x->variable->id != y->variable->id)
    return x->variable->id < y->variable->id ? -1 : 1;
  if (x->class_id != y->class_id)
    return x->class_id < y->class_id ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Parts of a variable that live together are one row for each interval. */
static void
write_lifetimes (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  g_autoptr (GPtrArray) vars = g_ptr_array_new ();
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "variable_lifetimes", 4);
  guint64 bytes = 0;

  for (guint i = 0; i < model->vars->len; i++)
    {
      TsrGenVar *var = g_ptr_array_index (model->vars, i);

      if (var->class_id != TSR_GEN_ALWAYS)
        g_ptr_array_add (vars, var);
    }
  g_ptr_array_sort (vars, compare_vars);
  for (guint i = 0; i < vars->len; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (vars, i);
      const TsrGenVar *next = i + 1 < vars->len ? g_ptr_array_index (vars, i + 1) : NULL;
      const GArray *intervals = g_ptr_array_index (model->classes, var->class_id);

      for (guint k = 0; k < var->count * var->pieces; k++)
        bytes += var->sizes[k];
      if (next != NULL && next->variable == var->variable && next->class_id == var->class_id)
        continue;
      for (guint k = 0; k < intervals->len && bytes > 0; k++)
        {
          const TsrGenInterval *interval = &g_array_index (intervals, TsrGenInterval, k);

          tsr_gen_insert (self, stmt, "iiiu", (gint64)var->variable->id, (gint64)interval->start,
                          (gint64)interval->end, bytes);
        }
      bytes = 0;
    }
  tsr_gen_insert_end (stmt);
}

void
tsr_gen_write_liveness (TsrGenWriter *self)
{
  const TsrGenModel *model = self->model;
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "liveness_steps", 3);

  for (guint i = 0; i < model->steps->len; i++)
    tsr_gen_insert (self, stmt, "iiu", (gint64)i, (gint64)g_array_index (model->steps, guint32, i),
                    model->live[i]);
  tsr_gen_insert_end (stmt);

  stmt = tsr_gen_insert_begin (self, "liveness_by_ipu", 3);
  for (guint i = 0; i < model->steps->len; i++)
    for (guint ipu = 0; ipu < model->n_ipus; ipu++)
      tsr_gen_insert (self, stmt, "iiu", (gint64)i, (gint64)ipu, model->live_by_ipu[ipu][i]);
  tsr_gen_insert_end (stmt);

  stmt = tsr_gen_insert_begin (self, "equivalence_class_intervals", 3);
  for (guint i = 0; i < model->classes->len; i++)
    {
      const GArray *intervals = g_ptr_array_index (model->classes, i);

      for (guint k = 0; k < intervals->len; k++)
        {
          const TsrGenInterval *interval = &g_array_index (intervals, TsrGenInterval, k);

          tsr_gen_insert (self, stmt, "iii", (gint64)i, (gint64)interval->start,
                          (gint64)interval->end);
        }
    }
  tsr_gen_insert_end (stmt);
  write_lifetimes (self);
}
