/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builds the programs, vertices and temporaries of one step of a network. */

#include "config.h"

#include "tsr-gen-steps.h"

#include "tsr-gen-frameworks.h"

#include <math.h>
#include <string.h>

static const TsrGenStepSpec conv_forward[] = {
  { "preConvTranspose", "popops::Transpose2D<half>", 16, 330, 0.07, 0.8, 0.7, 0.4, 2, 1 },
  { "Convolve", "conv", 24, 1500, 0.7, 0.86, 1, 0.9, 0, 2 },
  { "Reduce", "popops::ReducePartialsEqualSize<popops::ReduceAdd,half,float,false>", 12, 420, 0.12,
    0.82, 0.9, 0.3, 1, 2 },
  { "Cast", "popops::Cast2D<float,half>", 8, 180, 0.05, 0.9, 0.9, 0, 2, 1 },
  { "postConvTranspose", "popops::Transpose2D<half>", 16, 330, 0.06, 0.8, 0.6, 0, 2, 1 },
  { NULL },
};
static const TsrGenStepSpec conv_backward[] = {
  { "Grad/weightsTranspose", "poplin::WgdDataTransform<half,4,4,3,3>", 20, 800, 0.06, 0.7, 0.5, 0.2,
    2, 1 },
  { "Grad/Convolve", "conv", 24, 1500, 0.75, 0.85, 1, 0.9, 0, 2 },
  { "Grad/Reduce", "popops::ReducePartialsEqualSize<popops::ReduceAdd,half,float,false>", 12, 420,
    0.12, 0.8, 0.9, 0.3, 2, 2 },
  { "Grad/Cast", "popops::Cast2D<float,half>", 8, 180, 0.05, 0.9, 0.9, 0, 2, 1 },
  { "DeltaW/preTranspose", "popops::Transpose2D<half>", 16, 330, 0.09, 0.75, 0.7, 0.4, 2, 1 },
  { "DeltaW/Convolve", "conv", 24, 1500, 0.8, 0.8, 1, 1.1, 1, 2 },
  { "DeltaW/Reduce", "popops::ReducePartialsEqualSize<popops::ReduceAdd,float,float,false>", 12,
    430, 0.15, 0.7, 0.8, 0.3, 2, 2 },
  { "DeltaW/Cast", "popops::Cast2D<float,half>", 8, 180, 0.05, 0.9, 0.9, 0, 2, 1 },
  { "DeltaW/accumulate", "popops::ScaledAddSupervisor<half,half,half,true,false>", 16, 260, 0.08,
    0.9, 0.9, 0, 2, 1 },
  { NULL },
};
static const TsrGenStepSpec conv_update[] = {
  { "weight/unscale", "popops::BinaryOp2DInPlace<popops::MULTIPLY,float>", 16, 210, 0.1, 0.9, 0.9,
    0, 2, 1 },
  { "weight/accl", "popops::ScaledAdd2D<float,float,float,false>", 20, 350, 0.12, 0.9, 0.9, 0, 1,
    1 },
  { "weight/update", "popops::ScaledAdd2D<half,float,half,false>", 20, 380, 0.12, 0.9, 0.9, 0, 0,
    1 },
  { "weight/resetAccumulator", "popops::Fill2d<half>", 8, 90, 0.05, 0.95, 0.8, 0, 2, 1 },
  { NULL },
};
static const TsrGenStepSpec norm_forward[] = {
  { "batchNorm/mean", "popops::ReducePartialsEqualSize<popops::ReduceAdd,float,half,false>", 12,
    410, 0.2, 0.75, 0.8, 0.05, 1, 1 },
  { "batchNorm/power", "popops::ReducePartialsEqualSize<popops::ReduceSquareAdd,float,half,false>",
    12, 450, 0.2, 0.75, 0.8, 0.05, 2, 1 },
  { "batchNorm/iStdDev", "popnn::InverseStdDeviation<float,float,half,false>", 24, 260, 0.05, 0.5,
    0.1, 0, 2, 1 },
  { "batchNorm/whiten", "popops::BroadcastVectorInner2D<popops::ADD,half>", 16, 340, 0.4, 0.9, 1,
    0.2, 0, 1 },
  { NULL },
};
static const TsrGenStepSpec norm_backward[] = {
  { "batchNormGrad/reducePartials",
    "popops::ReducePartialsEqualSize<popops::ReduceAdd,float,half,false>", 12, 410, 0.3, 0.75, 0.8,
    0.1, 2, 1 },
  { "batchNormGrad/reduceFinal", "popops::ReduceFinalStage<popops::ReduceAdd,float,float,false>",
    12, 300, 0.06, 0.5, 0.15, 0, 2, 1 },
  { "batchNormGrad/deltas", "popops::BroadcastVectorInner2D<popops::SUBTRACT,half>", 16, 340, 0.4,
    0.88, 1, 0.2, 0, 1 },
  { "batchNormGrad/scale", "popops::BroadcastVectorInner2D<popops::MULTIPLY,half>", 16, 340, 0.3,
    0.88, 1, 0.1, 2, 1 },
  { NULL },
};
static const TsrGenStepSpec norm_update[] = {
  { "gamma/accl", "popops::ScaledAddSupervisor<float,float,float,true,false>", 16, 250, 0.05, 0.6,
    0.15, 0, 2, 1 },
  { "gamma/update", "popops::ScaledSubtractSupervisor<float,half,true>", 16, 250, 0.05, 0.6, 0.15,
    0, 1, 1 },
  { "beta/accl", "popops::ScaledAddSupervisor<float,float,float,true,false>", 16, 250, 0.05, 0.6,
    0.15, 0, 2, 1 },
  { "beta/update", "popops::ScaledSubtractSupervisor<float,half,true>", 16, 250, 0.05, 0.6, 0.15, 0,
    2, 1 },
  { NULL },
};
static const TsrGenStepSpec relu_forward[] = {
  { "Nonlinearity", "popnn::NonLinearity2D<half,popnn::NonLinearityType::RELU>", 12, 240, 0.25,
    0.95, 1, 0, 0, 1 },
  { NULL },
};
static const TsrGenStepSpec relu_backward[] = {
  { "NonLinearityGrad", "popnn::NonLinearityGrad2D<half,popnn::NonLinearityType::RELU>", 16, 280,
    0.3, 0.95, 1, 0, 1, 1 },
  { NULL },
};
static const TsrGenStepSpec add_forward[] = {
  { "Op/Add", "popops::BinaryOp2D<popops::ADD,half>", 16, 300, 0.3, 0.93, 1, 0, 0, 1 },
  { NULL },
};
static const TsrGenStepSpec add_backward[] = {
  { "Op/AddGrad", "popops::ScaledAdd2D<half,half,half,true>", 20, 360, 0.3, 0.93, 1, 0.1, 1, 1 },
  { NULL },
};
static const TsrGenStepSpec pool_forward[] = {
  { "pool", "popnn::AvgPooling<half>", 20, 520, 0.3, 0.7, 0.8, 0.1, 0, 1 },
  { NULL },
};
static const TsrGenStepSpec pool_backward[] = {
  { "poolGrad", "popnn::MaxPoolingGrad<half>", 20, 560, 0.3, 0.65, 0.8, 0.2, 0, 1 },
  { NULL },
};
static const TsrGenStepSpec loss_forward[] = {
  { "max", "popops::ReducePartialsEqualSize<popops::ReduceMax,half,half,false>", 12, 400, 0.05, 0.6,
    0.2, 0.2, 1, 1 },
  { "subtract_exp", "popops::UnaryOp2D<popops::EXPONENT,half>", 12, 420, 0.1, 0.8, 0.4, 0.2, 1, 1 },
  { "softmax", "popnn::SoftmaxFinal<half>", 16, 300, 0.3, 0.4, 0.25, 0.3, 0, 1 },
  { "loss", "popnn::LossCrossEntropyTransform<half>", 24, 380, 0.2, 0.4, 0.1, 0.2, 0, 1 },
  { NULL },
};
static const TsrGenStepSpec loss_backward[] = {
  { "lossGrad", "popops::ScaledAddSupervisor<half,half,half,true,false>", 16, 260, 0.2, 0.6, 0.2,
    0.2, 0, 1 },
  { NULL },
};
static const TsrGenStepSpec nothing[] = { { NULL } };

const TsrGenStepSpec *
tsr_gen_step_specs (TsrGenLayerKind kind, TsrGenPhase phase)
{
  static const TsrGenStepSpec *const specs[][TSR_GEN_N_PHASES] = {
    [TSR_GEN_CONV] = { conv_forward, conv_backward, conv_update },
    [TSR_GEN_NORM] = { norm_forward, norm_backward, norm_update },
    [TSR_GEN_RELU] = { relu_forward, relu_backward, nothing },
    [TSR_GEN_ADD] = { add_forward, add_backward, nothing },
    [TSR_GEN_POOL] = { pool_forward, pool_backward, nothing },
    [TSR_GEN_FC] = { conv_forward, conv_backward, conv_update },
    [TSR_GEN_LOSS] = { loss_forward, loss_backward, nothing },
  };

  return specs[kind][phase];
}

static TsrGenVertexType *
vertex_type (TsrGenBuilder *self, const TsrGenStepSpec *spec, const TsrGenLayer *layer)
{
  g_autofree char *name = NULL;

  if (!g_str_equal (spec->vertex, "conv"))
    return tsr_gen_vertex_type (self->model, spec->vertex, spec->state, spec->code);
  if (layer->kernel == 1)
    name = g_strdup_printf ("poplin::ConvPartial1x1Out<half,%s,true,false,16,%d,false>",
                            strstr (spec->suffix, "DeltaW") != NULL ? "float" : "half",
                            layer->channels >= 512 ? 8 : 4);
  else
    name = g_strdup_printf ("poplin::ConvPartialnx1<half,float,true,false,16,%d,false>",
                            layer->kernel == 7 ? 8 : 4);
  return tsr_gen_vertex_type (self->model, name, spec->state, spec->code);
}

static void
exchange_code (
    TsrGenBuilder *self, TsrGenProgram *program, guint category, TsrGenScale scale, double bytes)
{
  TsrGenModel *model = self->model;

  program->code = g_new0 (TsrGenVar *, model->n_ipus);
  for (guint ipu = 0; ipu < model->n_ipus; ipu++)
    if (program->ipus >> ipu & 1)
      {
        TsrGenVar *var = tsr_gen_compiler_var (model, category, program->name, ipu, program->first,
                                               program->count, bytes * program->count, NULL, NULL);

        var->scale = scale;
        var->spread = 0.5;
        program->code[ipu] = var;
      }
}

TsrGenProgram *
tsr_gen_sync (TsrGenBuilder *self, gboolean external)
{
  TsrGenProgram *sync = tsr_gen_program (self->model, "Sync", external ? "External" : "Internal");

  sync->external = external;
  if (!external && self->seq->children->len > 0)
    {
      const TsrGenProgram *last
          = g_ptr_array_index (self->seq->children, self->seq->children->len - 1);
      sync->ipus = last->ipus;
    }
  tsr_gen_append (self->seq, sync);
  return sync;
}

/* Exchange that brings a compute set's inputs to its tiles, with the message that it fills. */
static TsrGenProgram *
exchange_before (TsrGenBuilder *self,
                 const TsrGenStepSpec *spec,
                 const char *name,
                 const TsrGenLayer *layer,
                 const TsrGenFlow *flow)
{
  TsrGenModel *model = self->model;
  g_autofree char *full = g_strconcat (name, "/ExchangePre", NULL);
  TsrGenProgram *exchange = tsr_gen_program (model, "DoExchange", full);
  const double u = tsr_gen_unit (model->seed, 21, exchange->id);
  double share;

  exchange->ipus = G_GUINT64_CONSTANT (1) << layer->ipu;
  share = spec->span * model->preset->span * (0.55 + u / 2);
  exchange->count = MAX (1, (guint)(self->compute_tiles * MIN (1, share)));
  exchange->first = (guint)(tsr_gen_hash (model->seed, 22, exchange->id)
                            % (self->compute_tiles - exchange->count + 1));
  exchange->cycles = 30 + layer->work * spec->work * (0.12 + 0.25 * u);
  exchange->balance = 0.35 + 0.4 * u;
  exchange->lead = 4 + (guint)(12 * u);
  exchange->control_bytes = exchange->id % 7 < 2 ? 4 : 8;
  exchange->bytes_per_cycle = 2.2;
  exchange_code (self, exchange, TSR_GEN_INTERNAL_EXCHANGE, TSR_GEN_SCALE_INTERNAL_EXCHANGE,
                 40 + 160 * u * u * u);
  tsr_gen_link (exchange, 1, flow->in, 1);
  tsr_gen_link (exchange, 1, flow->in2, 0.5);
  tsr_gen_append (self->seq, exchange);
  return exchange;
}

static void
add_vertices (TsrGenBuilder *self,
              const TsrGenStepSpec *spec,
              const TsrGenLayer *layer,
              TsrGenProgram *program)
{
  TsrGenModel *model = self->model;
  TsrGenComputeSet *set = tsr_gen_compute_set (model, program);
  TsrGenVertices *vertices = tsr_gen_vertices (model, set, vertex_type (self, spec, layer),
                                               layer->work * spec->work * 8);
  TsrGenVertices *zeros = NULL;

  if (spec->per_tile > 1 && model->preset->detail > 0)
    zeros = tsr_gen_vertices (model, set, tsr_gen_vertex_type (model, "popops::Fill<half>", 8, 120),
                              1);
  for (guint tile = 0; tile < model->tiles_per_ipu; tile++)
    if (tsr_gen_program_has_tile (model, program, tile))
      {
        const guint at = layer->ipu * model->tiles_per_ipu + tile;
        const guint64 u = tsr_gen_hash (model->seed, 5000 + program->id, tile);

        vertices->count[at] = 1 + (spec->per_tile > 1 && u % 5 == 0);
        if (zeros != NULL && u % 3 == 0)
          zeros->count[at] = 1;
      }
}

static void
temporaries (TsrGenBuilder *self,
             const TsrGenStepSpec *spec,
             const char *name,
             const TsrGenLayer *layer,
             TsrGenProgram *exchange,
             TsrGenProgram *execute,
             guint64 context)
{
  /* Planners cut large convolutions into more parts: temporaries grow more slowly than outputs. */
  const double out
      = sqrt (8e5 * 2.0 * self->preset->batch * layer->channels * layer->size * layer->size);
  g_autofree char *message = g_strconcat (name, "/message#", NULL);
  g_autofree char *partials = g_strconcat (name, "/partials#", NULL);
  TsrGenVar *var;

  var = tsr_gen_compiler_var (
      self->model, TSR_GEN_MESSAGE, message, layer->ipu, exchange->first, exchange->count,
      out * 0.3 * MIN (spec->work, 1) * spec->span + 16.0 * exchange->count, exchange, execute);
  var->scale = TSR_GEN_SCALE_TEMPORARY;
  var->spread = 0.3;
  tsr_gen_link (exchange, 2, var->variable, 1);
  tsr_gen_link (execute, 0, var->variable, 1);
  if (self->pending != NULL)
    {
      self->pending->dies = execute;
      tsr_gen_link (execute, 0, self->pending->variable, 1);
      self->pending = NULL;
    }
  if (spec->temporary <= 0)
    return;
  var = tsr_gen_compiler_var (
      self->model, TSR_GEN_VARIABLE, partials, layer->ipu, execute->first, execute->count,
      out * spec->temporary * spec->span + 16.0 * execute->count, execute, execute);
  tsr_gen_own (self->model, var->variable, context);
  var->scale = TSR_GEN_SCALE_TEMPORARY;
  var->spread = 0.25;
  var->interleaved = g_str_equal (spec->vertex, "conv");
  tsr_gen_link (execute, 0, var->variable, 1);
  self->pending = var;
}

TsrGenProgram *
tsr_gen_step (TsrGenBuilder *self,
              const TsrGenStepSpec *spec,
              const char *name,
              const TsrGenLayer *layer,
              const TsrGenFlow *flow,
              guint64 context)
{
  TsrGenModel *model = self->model;
  TsrGenProgram *exchange = exchange_before (self, spec, name, layer, flow);
  TsrGenProgram *execute;

  tsr_gen_sync (self, FALSE);
  execute = tsr_gen_program (model, "OnTileExecute", name);
  execute->ipus = G_GUINT64_CONSTANT (1) << layer->ipu;
  execute->count = MAX (1, (guint)(self->compute_tiles * spec->span * model->preset->span));
  execute->first = execute->count == self->compute_tiles
                       ? 0
                       : (guint)(tsr_gen_hash (model->seed, 23, execute->id)
                                 % (self->compute_tiles - execute->count + 1));
  execute->cycles = 40 + layer->work * spec->work;
  execute->balance = spec->balance * (0.8 + 0.2 * tsr_gen_unit (model->seed, 24, execute->id));
  execute->lead = (guint)(8 * tsr_gen_unit (model->seed, 25, execute->id));
  execute->control_bytes = 8;
  context = tsr_gen_framework_part (self, context, spec);
  execute->debug_id = tsr_gen_context (model, context, "poplar", name);
  exchange->debug_id = tsr_gen_context (model, context, "poplar", exchange->name);
  tsr_gen_append (self->seq, execute);
  add_vertices (self, spec, layer, execute);
  temporaries (self, spec, name, layer, exchange, execute, context);
  if (g_str_equal (spec->vertex, "conv"))
    {
      TsrGenVar *var
          = tsr_gen_compiler_var (model, TSR_GEN_VERTEX_FIELD, name, layer->ipu, execute->first,
                                  execute->count, 40.0 * execute->count, NULL, NULL);
      var->scale = TSR_GEN_SCALE_VERTEX_FIELD;
      var->spread = 0.4;
    }
  tsr_gen_link (execute, 0, flow->in, 1);
  tsr_gen_link (execute, 0, flow->in2, 1);
  tsr_gen_link (execute, 0, flow->out, 1);
  return execute;
}

TsrGenProgram *
tsr_gen_between_ipus (TsrGenBuilder *self, const char *name, double cycles)
{
  TsrGenProgram *copy;

  tsr_gen_sync (self, TRUE);
  copy = tsr_gen_program (self->model, "GlobalExchange", name);
  copy->count = MAX (1, self->compute_tiles / 3);
  copy->cycles = cycles;
  copy->balance = 0.5;
  copy->control_bytes = 8;
  copy->bytes_per_cycle = 0.6;
  self->operation
      = tsr_gen_framework_copy (self, name, "ai.graphcore.IpuCopy:1", "ipu-inter-copy", NULL);
  copy->debug_id = tsr_gen_context (self->model, self->operation, "poplar", name);
  exchange_code (self, copy, TSR_GEN_GLOBAL_EXCHANGE, TSR_GEN_SCALE_GLOBAL_EXCHANGE, 120);
  tsr_gen_append (self->seq, copy);
  return copy;
}

TsrGenProgram *
tsr_gen_stream_copy (
    TsrGenBuilder *self, const char *name, const char *kind, double wait, double cycles)
{
  static const char *const parts[] = { "StreamCopyBegin", "StreamCopyMid", "StreamCopyEnd" };
  TsrGenModel *model = self->model;
  TsrGenProgram *mid = NULL;
  guint64 context;
  const gboolean out = strstr (name, "ToHost") != NULL;
  g_autofree char *opid
      = g_strdup_printf ("ai.graphcore.%s%s:1", g_str_equal (kind, "host") ? "Host" : "Remote",
                         out ? "Store" : "Load");

  self->operation = tsr_gen_framework_copy (self, name, opid, out ? "outfeed" : "infeed", NULL);
  context = tsr_gen_context (model, self->operation, "poplar", name);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      TsrGenProgram *program = tsr_gen_program (model, parts[i], name);

      program->external = TRUE;
      program->control_bytes = 4;
      program->cycles = i == 0 ? wait : i == 1 ? cycles : 60;
      program->debug_id = context;
      tsr_gen_append (self->seq, program);
      if (i == 1)
        mid = program;
    }
  mid->copy_kind = kind;
  mid->balance = 0.6;
  mid->bytes_per_cycle = 0.25;
  mid->first = self->compute_tiles < model->tiles_per_ipu ? self->compute_tiles : 0;
  mid->count = self->compute_tiles < model->tiles_per_ipu ? model->tiles_per_ipu - mid->first
                                                          : MAX (1, model->tiles_per_ipu / 2);
  mid->overlapped = self->preset->io_tiles;
  exchange_code (self, mid, TSR_GEN_HOST_EXCHANGE, TSR_GEN_SCALE_HOST_EXCHANGE, 400);
  for (guint ipu = 0; ipu < model->n_ipus; ipu++)
    {
      TsrGenVar *var = tsr_gen_compiler_var (model, TSR_GEN_HOST_HEADER, name, ipu, mid->first,
                                             mid->count, 340.0 * mid->count, NULL, NULL);
      var->scale = TSR_GEN_SCALE_HOST_HEADER;
      var->grain = 8;
    }
  return mid;
}
