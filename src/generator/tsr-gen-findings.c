/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adds what the rules of Insights look for, so that the demo report has findings: a few tiles that
 * hold much more than the others, one place that decides the peak, a vertex in many
 * specialisations, equal exchanges, a loop of tiny steps, a compute set on few tiles, waiting for
 * the host. */

#include "config.h"

#include "tsr-gen-frameworks.h"
#include "tsr-gen-network.h"

#include <string.h>

static const TsrGenFlow nothing = { NULL };

/* Tiles 700 to 707 of IPU 0 hold a table of their own. */
static void
hot_tiles (TsrGenBuilder *self)
{
  TsrGenVariable *table = tsr_gen_variable (self->model, "model/embedding/lookup_table",
                                            TSR_GEN_VARIABLE, "float", 4);
  const guint32 dims[2] = { 8 * 300, 100 };
  TsrGenVar *var;

  tsr_gen_variable_shape (table, 2, dims);
  table->debug_id = tsr_gen_framework_tensor (self, NULL, table, NULL);
  table->always_live = TRUE;
  var = tsr_gen_var (self->model, table, "model/embedding/lookup_table#0", 0, 700, 8,
                     4.0 * dims[0] * dims[1]);
  var->interleaved = TRUE;
}

static TsrGenProgram *
step (TsrGenBuilder *self,
      const TsrGenStepSpec *spec,
      const char *name,
      const TsrGenLayer *layer,
      const char *api)
{
  TsrGenProgram *program;

  self->operation = tsr_gen_poplibs (self->model, layer->context, name, api);
  program = tsr_gen_step (self, spec, name, layer, &nothing, self->operation);
  self->pending = NULL;
  return program;
}

/* One compute set whose partials are larger than anything else at that time. */
static void
spike (TsrGenBuilder *self, const TsrGenLayer *layer)
{
  static const TsrGenStepSpec spec
      = { "gramMatrix",
          "poplin::ConvPartial1x1Out<float,float,true,false,16,4,false>",
          24,
          1500,
          6,
          0.5,
          0.9,
          0,
          0,
          1 };
  TsrGenProgram *program
      = step (self, &spec, "model/layer2.0/regulariser/gramMatrix", layer, "matMul");
  TsrGenVar *var = tsr_gen_compiler_var (
      self->model, TSR_GEN_VARIABLE, "model/layer2.0/regulariser/gramMatrix/partials#", layer->ipu,
      program->first, program->count, 60000.0 * program->count, program, program);

  tsr_gen_own (self->model, var->variable, self->operation);
  var->compiler_made = FALSE;
  var->spread = 0.1;
}

static void
specialisations (TsrGenBuilder *self)
{
  static const char *const types[]
      = { "popops::ScaledAdd2D<float,float,float,true>",
          "popops::ScaledAdd2D<half,half,half,false>", "popops::ScaledAdd2D<half,half,float,true>",
          "popops::ScaledAdd2D<float,half,half,false>",
          "popops::ScaledAdd2D<float,half,float,false>" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const TsrGenStepSpec spec = { "", types[i], 20, 1800, 0.2, 0.9, 0.5, 0, 0, 1 };
      const TsrGenLayer *layer
          = g_ptr_array_index (self->layers, i % 2 == 0 ? 0 : self->layers->len - 1);
      g_autofree char *name = g_strdup_printf ("WeightUpdate/model/momentum_%u/AddTo", i);

      step (self, &spec, name, layer, "scaledAddTo");
    }
}

/* Exchanges with equal names (but for a number) and equal code on every tile. */
static void
equal_exchanges (TsrGenBuilder *self)
{
  TsrGenModel *model = self->model;
  const guint64 reduction
      = tsr_gen_framework_copy (self, "Gradient/model/allReduce",
                                "ai.graphcore.ReplicatedAllReduce:1", "all-reduce", "allReduce");

  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("Gradient/model/bucket_%u/allReduce/ExchangePre", i);
      TsrGenProgram *exchange = tsr_gen_program (model, "DoExchange", name);

      exchange->debug_id = tsr_gen_context (model, reduction, "poplar", name);
      exchange->ipus = 1;
      exchange->count = self->compute_tiles / 2;
      exchange->cycles = 2600;
      exchange->balance = 0.9;
      exchange->control_bytes = 8;
      exchange->bytes_per_cycle = 3.2;
      exchange->code = g_new0 (TsrGenVar *, model->n_ipus);
      exchange->code[0]
          = tsr_gen_compiler_var (model, TSR_GEN_INTERNAL_EXCHANGE, name, 0, 0, exchange->count,
                                  3072.0 * exchange->count, NULL, NULL);
      tsr_gen_append (self->seq, exchange);
      tsr_gen_sync (self, FALSE);
    }
}

static void
tiny_steps (TsrGenBuilder *self)
{
  static const TsrGenStepSpec spec = {
    "norm", "popops::UnaryOp1DInPlaceSupervisor<popops::SQRT,float>", 12, 200, 0.05, 0.8, 0.3, 0, 0,
    1
  };
  TsrGenProgram *outer = self->seq;
  TsrGenProgram *loop = tsr_gen_sequence (self->model, outer, "RepeatWhileTrue", "newtonSchulz");

  loop->repeat_count = 400;
  self->seq = tsr_gen_sequence (self->model, loop, "Sequence", "iteration");
  step (self, &spec, "WeightUpdate/model/newtonSchulz/norm", g_ptr_array_index (self->layers, 1),
        "sqrt");
  self->seq = outer;
}

void
tsr_gen_add_findings (TsrGenBuilder *self, TsrGenProgram *body, TsrGenProgram *update)
{
  static const TsrGenStepSpec lonely
      = { "topK", "popnn::ReduceMaxNClassSparse<float>", 24, 600, 40, 0.15, 0.3, 0, 0, 1 };
  static const TsrGenStepSpec few
      = { "argMax", "popnn::ReduceMaxClassGather<float,unsigned int>", 20, 500, 30, 0.7, 0.02, 0, 0,
          1 };
  const TsrGenLayer *first = g_ptr_array_index (self->layers, 0);
  const TsrGenLayer *last = g_ptr_array_index (self->layers, self->layers->len - 1);
  TsrGenProgram *block;

  hot_tiles (self);
  self->seq = tsr_gen_sequence (self->model, body, "Block", "regulariser");
  spike (self, first);
  step (self, &lonely, "model/head/metrics/topK", last, "topK");
  step (self, &few, "model/head/metrics/argMax", last, "argMax");
  block = tsr_gen_sequence (self->model, body, "Block", "allReduce");
  self->seq = block;
  equal_exchanges (self);
  self->seq = update;
  specialisations (self);
  tiny_steps (self);
}
