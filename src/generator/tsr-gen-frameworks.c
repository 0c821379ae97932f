/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chains of debug contexts by framework:
 *   ONNX        popartbuilder, onnx, popart, poplibs
 *   PyTorch     poptorch, popart, poplibs
 *   PopXL       popxl, popart, poplibs
 *   TensorFlow  xla_op, hloinstruction, poplar_driver, poplibs
 *   PopLibs     poplibs
 * each with the keys that these write. */

#include "config.h"

#include "tsr-gen-frameworks.h"

#include <string.h>

/* An operation's names in each framework. */
typedef struct
{
  const char *onnx, *aten, *xla, *opcode, *driver, *popxl, *poplibs;
} Words;

static const Words words[][TSR_GEN_N_PHASES] = {
  [TSR_GEN_CONV] = { { "ai.onnx.Conv:11", "aten::conv2d", "Conv2D", "convolution", "Conv2DOp",
                       "conv", "convolution" },
                     { "ai.graphcore.ConvDataGrad:1", "", "Conv2DBackpropInput", "convolution",
                       "ConvBackpropInputOp", "conv_grad", "convolution" },
                     { "ai.graphcore.SGD1ComboUpdate:1", "", "ResourceApplyMomentum",
                       "scaled-inplace-xbpy", "ScaledInplaceOp", "sgd_update", "scaledAddTo" } },
  [TSR_GEN_NORM] = { { "ai.onnx.BatchNormalization:11", "aten::batch_norm", "FusedBatchNormV3",
                       "batch-norm-training", "NormTrainingOp", "batch_norm", "batchNormalise" },
                     { "ai.graphcore.BatchNormGrad:1", "", "FusedBatchNormGradV3",
                       "batch-norm-grad", "NormGradOp", "batch_norm_grad", "batchNormalise" },
                     { "ai.graphcore.SGD1ComboUpdate:1", "", "ResourceApplyMomentum",
                       "scaled-inplace-xbpy", "ScaledInplaceOp", "sgd_update", "scaledAddTo" } },
  [TSR_GEN_RELU]
  = { { "ai.onnx.Relu:6", "aten::relu_", "Relu", "custom-call", "ReluOp", "relu", "nonLinearity" },
      { "ai.graphcore.ReluGrad:1", "", "ReluGrad", "custom-call", "ReluGradOp", "relu_grad",
        "nonLinearity" },
      { NULL } },
  [TSR_GEN_ADD]
  = { { "ai.onnx.Add:7", "aten::add_", "AddV2", "add", "BinaryElementwiseOp", "add", "add" },
      { "ai.graphcore.AddArg0Grad:1", "", "AddN", "add", "BinaryElementwiseOp", "add_grad", "add" },
      { NULL } },
  [TSR_GEN_POOL] = { { "ai.onnx.AveragePool:11", "aten::adaptive_avg_pool2d", "AvgPool",
                       "reduce-window", "PoolOp", "average_pool", "pool" },
                     { "ai.graphcore.AveragePoolGrad:1", "", "AvgPoolGrad", "reduce-window",
                       "PoolGradOp", "average_pool_grad", "pool" },
                     { NULL } },
  [TSR_GEN_FC]
  = { { "ai.onnx.Gemm:11", "aten::linear", "MatMul", "dot", "DotOp", "matmul", "matMul" },
      { "ai.onnx.MatMul:9", "", "MatMul", "dot", "DotOp", "matmul", "matMul" },
      { "ai.graphcore.SGD1ComboUpdate:1", "", "ResourceApplyMomentum", "scaled-inplace-xbpy",
        "ScaledInplaceOp", "sgd_update", "scaledAddTo" } },
  [TSR_GEN_LOSS]
  = { { "ai.onnx.SoftmaxCrossEntropyLoss:12", "aten::cross_entropy_loss",
        "SparseSoftmaxCrossEntropyWithLogits", "fusion", "FusedOp", "nll_loss", "calcLoss" },
      { "ai.graphcore.NllGrad:1", "", "SparseSoftmaxCrossEntropyGrad", "fusion", "FusedOp",
        "nll_loss_grad", "calcLoss" },
      { NULL } },
};

static const char *const phase_prefix[TSR_GEN_N_PHASES] = { "", "Gradient/", "WeightUpdate/" };

/* What an operation is to its framework. */
typedef struct
{
  const Words *words;
  const char *name;
  guint line;          /* in the user's program; 0: none */
  guint number;        /* of the operation in the whole program */
  GStrv inputs, users; /* names of tensors; of HLO instructions */
  const char *output, *shape;
} Op;

static guint64
new_context (TsrGenBuilder *self, guint64 parent, const char *layer, const char *name, guint line)
{
  const guint64 id = tsr_gen_context (self->model, parent, layer, name);
  TsrGenContext *context = tsr_gen_context_last (self->model);
  const gboolean poplibs = g_str_equal (layer, "poplibs");

  context->line = line;
  if (line > 0)
    {
      context->file
          = g_strdup (poplibs ? "/poplibs/lib/poplin/Convolution.cpp" : "/work/train/model.py");
      context->function = g_strdup (poplibs ? "convolution" : "forward");
    }
  return id;
}

static void
put (TsrGenBuilder *self, const char *key, const char *value)
{
  tsr_gen_context_pair (tsr_gen_context_last (self->model), key, value);
}

static void
put_value (TsrGenBuilder *self, const char *key, GVariant *value)
{
  tsr_gen_context_value (tsr_gen_context_last (self->model), key, value);
}

static void
put_names (TsrGenBuilder *self, const char *key, char **names)
{
  put_value (self, key, g_variant_new_strv ((const char *const *)names, -1));
}

static void
put_output (TsrGenBuilder *self, const char *key, const Op *op)
{
  put_value (self, key, g_variant_new_strv (&op->output, 1));
}

static GVariant *
tensor_value (const char *shape, const char *type)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&builder, "{sv}", "shape", g_variant_new_string (shape));
  g_variant_builder_add (&builder, "{sv}", "type", g_variant_new_string (type));
  return g_variant_builder_end (&builder);
}

/* {name: ""}, as TensorFlow lists operands and users. */
static GVariant *
name_map (char **names)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_variant_builder_add (&builder, "{sv}", names[i], g_variant_new_string (""));
  return g_variant_builder_end (&builder);
}

/* ---- each framework's contexts */

static guint64
popart (TsrGenBuilder *self, guint64 parent, const Op *op)
{
  const guint64 id = new_context (self, parent, "popart", op->name, 0);
  g_autofree char *instance = g_strdup_printf ("%u", 100 + op->number);
  GVariantBuilder attributes;

  put (self, "category", "op");
  put (self, "opid", op->words->onnx);
  put (self, "instanceId", instance);
  put_names (self, "inputs", op->inputs);
  put_output (self, "outputs", op);
  g_variant_builder_init (&attributes, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&attributes, "{sv}", "__ipu_number", g_variant_new_string ("0"));
  g_variant_builder_add (&attributes, "{sv}", "scheduledPreLoss", g_variant_new_string ("Yes"));
  put_value (self, "attributes", g_variant_builder_end (&attributes));
  put (self, "graphId", "");
  put_value (self, "discard", g_variant_new_int64 (0));
  return id;
}

static guint64
onnx (TsrGenBuilder *self, const Op *op)
{
  const char *dot = strrchr (op->words->onnx, '.'), *colon = strchr (op->words->onnx, ':');
  g_autofree char *type = g_strndup (dot + 1, colon - dot - 1);
  guint64 id = new_context (self, 0, "popartbuilder", op->name, op->line);

  put (self, "category", "api");
  put (self, "api", type);
  put_names (self, "inputs", op->inputs);
  put_output (self, "outputs", op);
  id = new_context (self, id, "onnx", op->name, 0);
  put (self, "category", "op");
  put (self, "opName", op->name);
  put (self, "opType", type);
  put (self, "domain", "ai.onnx");
  put_names (self, "input", op->inputs);
  put_output (self, "output", op);
  return popart (self, id, op);
}

/* The optimiser's operations have no line of Python: PopART makes them. */
static guint64
poptorch (TsrGenBuilder *self, const Op *op)
{
  guint64 id = 0;

  if (op->line > 0)
    {
      g_autofree char *schema
          = g_strconcat (op->words->aten, "(Tensor input, Tensor? weight=None) -> Tensor", NULL);

      id = new_context (self, 0, "poptorch", op->name, op->line);
      put (self, "torch_schema", schema);
      put (self, "op_type", op->words->aten);
      put (self, "op_name", op->name);
    }
  return popart (self, id, op);
}

static guint64
popxl (TsrGenBuilder *self, const Op *op)
{
  const guint64 id = new_context (self, 0, "popxl", op->name, op->line);

  put (self, "category", "op");
  put (self, "api", op->words->popxl);
  put_names (self, "inputs", op->inputs);
  put_output (self, "outputs", op);
  return popart (self, id, op);
}

static guint64
tensorflow (TsrGenBuilder *self, const Op *op)
{
  g_autofree char *hlo = g_strdup_printf ("%s.%u", op->words->opcode, op->number);
  g_autofree char *hlo_id = g_strdup_printf ("%u", op->number);
  g_autofree char *signature = g_strdup_printf ("(%s%s) -> %s", op->shape,
                                                op->inputs[1] != NULL ? ", f16[]" : "", op->shape);
  g_autofree char *debug
      = g_strdup_printf ("%%%s = %s %s(...), metadata={op_type=\"%s\" op_name=\"%s\"}", hlo,
                         op->shape, op->words->opcode, op->words->xla, op->name);
  guint64 id = new_context (self, 0, "xla_op", op->name, 0);

  put (self, "category", "op");
  put (self, "op_name", op->name);
  put (self, "op_type", op->words->xla);
  put (self, "sourcefile", "/work/train/model.py");
  put_value (self, "sourceline", g_variant_new_int64 (40 + op->number));
  id = new_context (self, id, "hloinstruction", hlo, 0);
  put (self, "category", "op");
  put (self, "hlo_name", hlo);
  put (self, "hlo_id", hlo_id);
  put (self, "opcode", op->words->opcode);
  put (self, "signature", signature);
  put (self, "debug_string", debug);
  put_value (self, "operand_count", g_variant_new_double (g_strv_length (op->inputs)));
  put (self, "computation", "training_step.1");
  put_value (self, "computation_id", g_variant_new_int64 (1));
  put_value (self, "operands", name_map (op->inputs));
  put_value (self, "users", name_map (op->users));
  id = new_context (self, id, "poplar_driver", hlo, 0);
  put (self, "category", "op");
  put (self, "class", op->words->driver);
  return id;
}

static guint64
poplibs (TsrGenBuilder *self, guint64 parent, const char *name, const Op *op, guint line)
{
  const guint64 id = new_context (self, parent, "poplibs", name, line);
  GVariantBuilder args, outputs;

  put (self, "api", op->words->poplibs);
  g_variant_builder_init (&args, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&args, "{sv}", "in", tensor_value (op->shape, "half"));
  g_variant_builder_add (&args, "{sv}", "transposeAndFlipWeights", g_variant_new_boolean (FALSE));
  put_value (self, "args", g_variant_builder_end (&args));
  /* A vector becomes a map from "0" on. */
  g_variant_builder_init (&outputs, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&outputs, "{sv}", "0", tensor_value (op->shape, "half"));
  put_value (self, "outputs", g_variant_builder_end (&outputs));
  return id;
}

static guint64
framework_op (TsrGenBuilder *self, const Op *op)
{
  switch (self->preset->framework)
    {
    case TSR_GEN_FRAMEWORK_PYTORCH:
      return poptorch (self, op);
    case TSR_GEN_FRAMEWORK_POPXL:
      return popxl (self, op);
    case TSR_GEN_FRAMEWORK_TENSORFLOW:
      return tensorflow (self, op);
    case TSR_GEN_FRAMEWORK_POPLIBS:
      return poplibs (self, 0, op->name, op, 40 + op->number);
    case TSR_GEN_FRAMEWORK_ONNX:
    default:
      return onnx (self, op);
    }
}

/* ---- how operations are connected */

static const TsrGenLayer *
layer_at (const TsrGenBuilder *self, guint index)
{
  return index < self->layers->len ? g_ptr_array_index (self->layers, index) : NULL;
}

static guint
index_of (const TsrGenBuilder *self, const TsrGenLayer *layer)
{
  guint index = 0;

  g_ptr_array_find (self->layers, layer, &index);
  return index;
}

static guint
op_number (const TsrGenBuilder *self, guint index, guint phase)
{
  return index + phase * self->layers->len;
}

/* What the operation of @index and @phase writes, as the framework calls it.  A number for no layer
 * (also -1, as an unsigned) is what comes from outside. */
static char *
output_name (const TsrGenBuilder *self, guint index, guint phase)
{
  const TsrGenLayer *layer = layer_at (self, index);
  static const char *const suffixes[TSR_GEN_N_PHASES] = { "/out", "/grad", "/updated" };

  if (layer == NULL)
    return g_strdup (phase == TSR_GEN_FORWARD ? "input_stream" : "loss/seed");
  if (self->preset->framework == TSR_GEN_FRAMEWORK_TENSORFLOW)
    return g_strdup_printf ("%s.%u", words[layer->kind][phase].opcode,
                            op_number (self, index, phase));
  return g_strconcat (self->preset->model, "/", layer->name, suffixes[phase], NULL);
}

/* The weights of @layer, as the framework calls them.  In TensorFlow a parameter with contexts of
 * its own gives them, and no program. */
static char *
weights_name (TsrGenBuilder *self, const TsrGenLayer *layer, guint index, guint phase)
{
  g_autofree char *name = g_strconcat (self->preset->model, "/", layer->name, ".weight", NULL);
  char *hlo;
  guint64 id;

  if (self->preset->framework != TSR_GEN_FRAMEWORK_TENSORFLOW)
    return g_steal_pointer (&name);
  hlo = g_strdup_printf ("parameter.%u", index);
  if (phase == TSR_GEN_FORWARD)
    {
      id = new_context (self, 0, "xla_op", name, 0);
      put (self, "category", "op");
      put (self, "op_name", name);
      put (self, "op_type", "ReadVariableOp");
      new_context (self, id, "hloinstruction", hlo, 0);
      put (self, "category", "op");
      put (self, "hlo_name", hlo);
      put (self, "opcode", "parameter");
      put_value (self, "operands", name_map (NULL));
    }
  return hlo;
}

static guint64
make_op (TsrGenBuilder *self, const TsrGenLayer *layer, guint index, guint phase)
{
  const gboolean weights = layer->kind == TSR_GEN_CONV || layer->kind == TSR_GEN_FC;
  g_autofree char *name
      = g_strconcat (phase_prefix[phase], self->preset->model, "/", layer->name, NULL);
  g_autofree char *shape = g_strdup_printf ("[%u, %u, %u, %u]", self->preset->batch,
                                            layer->channels, layer->size, layer->size);
  g_autofree char *output = output_name (self, index, phase);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) users = g_ptr_array_new_with_free_func (g_free);
  Op op = {
    .words = &words[layer->kind][phase],
    .name = name,
    .line = phase == TSR_GEN_UPDATE ? 0 : 40 + index,
    .number = op_number (self, index, phase),
    .output = output,
    .shape = shape,
  };

  if (phase == TSR_GEN_FORWARD)
    {
      g_ptr_array_add (inputs, output_name (self, index - 1, phase));
      g_ptr_array_add (users, output_name (self, index + 1, phase));
    }
  else if (phase == TSR_GEN_BACKWARD)
    {
      g_ptr_array_add (inputs, output_name (self, index + 1, phase));
      g_ptr_array_add (inputs, output_name (self, index, TSR_GEN_FORWARD));
    }
  else
    g_ptr_array_add (inputs, output_name (self, index, TSR_GEN_BACKWARD));
  if (layer->kind == TSR_GEN_ADD && phase == TSR_GEN_FORWARD) /* around the block */
    {
      guint first = index;

      while (first > 0 && g_str_equal (layer_at (self, first - 1)->block, layer->block))
        first--;
      g_ptr_array_add (inputs, output_name (self, first - 1, phase));
    }
  if (weights)
    g_ptr_array_add (inputs, weights_name (self, layer, index, phase));
  g_ptr_array_add (inputs, NULL);
  g_ptr_array_add (users, NULL);
  op.inputs = (GStrv)inputs->pdata;
  op.users = (GStrv)users->pdata;
  return framework_op (self, &op);
}

/* [1,2], as PopART writes lists of ids. */
static char *
id_list (const GArray *ids)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < ids->len; i++)
    g_string_append_printf (text, i == 0 ? "%" G_GUINT64_FORMAT : ",%" G_GUINT64_FORMAT,
                            g_array_index (ids, guint64, i));
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* What @of stands for since operations that are alike became one: contexts beside it, without
 * programs. */
static void
replace_some (TsrGenBuilder *self, TsrGenContext *of, guint n)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autofree char *list = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s__%u", of->name, i);
      const guint64 id = new_context (self, of->parent, of->layer, name, 0);

      g_array_append_val (ids, id);
      for (guint k = 0; k < of->pairs->len; k++)
        {
          const TsrGenPair *pair = &g_array_index (of->pairs, TsrGenPair, k);

          put_value (self, pair->key, pair->value);
        }
    }
  list = id_list (ids);
  tsr_gen_context_pair (of, "replacedDebugContextIds", list);
}

static gboolean
has_popart (const TsrGenBuilder *self)
{
  return self->preset->framework != TSR_GEN_FRAMEWORK_TENSORFLOW
         && self->preset->framework != TSR_GEN_FRAMEWORK_POPLIBS;
}

static gboolean
is_unrolled (const TsrGenBuilder *self)
{
  return has_popart (self) && !self->preset->repeats && self->preset->micro_batches > 1;
}

/* ---- for the builder */

void
tsr_gen_framework_layer (TsrGenBuilder *self, TsrGenLayer *layer, guint index)
{
  layer->context = make_op (self, layer, index, TSR_GEN_FORWARD);
  if (is_unrolled (self))
    replace_some (self, tsr_gen_context_last (self->model), self->preset->micro_batches);
}

guint64
tsr_gen_framework_phase (TsrGenBuilder *self, const TsrGenLayer *layer, guint phase)
{
  const guint index = index_of (self, layer);
  g_autofree char *name
      = g_strconcat (phase_prefix[phase], self->preset->model, "/", layer->name, NULL);
  g_autofree char *shape = g_strdup_printf ("[%u, %u, %u, %u]", self->preset->batch,
                                            layer->channels, layer->size, layer->size);
  /* The builder of ONNX only knows the forward pass: PopART derives the others from it. */
  const gboolean own = phase != TSR_GEN_FORWARD && self->preset->framework != TSR_GEN_FRAMEWORK_ONNX
                       && self->preset->framework != TSR_GEN_FRAMEWORK_POPLIBS;
  guint64 parent = layer->context;
  Op op = { .words = &words[layer->kind][phase], .name = name, .shape = shape };

  if (self->preset->framework == TSR_GEN_FRAMEWORK_ONNX)
    op.words = &words[layer->kind][TSR_GEN_FORWARD];
  if (op.words->poplibs == NULL) /* the layer has no such pass */
    return 0;
  if (own)
    parent = make_op (self, layer, index, phase);
  if (own && is_unrolled (self) && phase == TSR_GEN_BACKWARD)
    replace_some (self, tsr_gen_context_last (self->model), self->preset->micro_batches);
  return poplibs (self, parent, name, &op, 210 + 37 * phase);
}

guint64
tsr_gen_framework_part (TsrGenBuilder *self, guint64 parent, const TsrGenStepSpec *spec)
{
  static const struct
  {
    const char *vertex, *api;
  } parts[] = { { "Transpose", "partialTranspose" },
                { "WgdData", "weightsTransposeChansFlipXY" },
                { "Reduce", "reduce" },
                { "Cast", "cast" },
                { "Fill", "zero" },
                { "ScaledAdd", "scaledAddTo" },
                { "UnaryOp", "map" },
                { "BinaryOp", "map" } };

  for (guint i = 0; parent != 0 && self->preset->detail > 0 && i < G_N_ELEMENTS (parts); i++)
    if (strstr (spec->vertex, parts[i].vertex) != NULL && *spec->suffix != '\0')
      {
        const Words part = { .poplibs = parts[i].api };
        const Op op = { .words = &part, .shape = "[]" };

        return poplibs (self, parent, spec->suffix, &op, 90 + i);
      }
  return parent;
}

guint64
tsr_gen_framework_tensor (TsrGenBuilder *self,
                          const TsrGenLayer *layer,
                          const TsrGenVariable *variable,
                          const char *api)
{
  guint64 id = layer == NULL ? 0 : layer->context;

  if (has_popart (self))
    {
      id = new_context (self, id, "popart", variable->name, 0);
      put (self, "category", "tensor");
      put (self, "tensorId", variable->name);
    }
  if (api != NULL)
    id = tsr_gen_poplibs (self->model, id, variable->name, api);
  return new_context (self, id, "poplar", variable->name, 0);
}

guint64
tsr_gen_framework_copy (
    TsrGenBuilder *self, const char *name, const char *opid, const char *opcode, const char *api)
{
  guint64 id = 0;

  if (has_popart (self))
    {
      id = new_context (self, 0, "popart", name, 0);
      put (self, "category", "op");
      put (self, "opid", opid);
    }
  else if (self->preset->framework == TSR_GEN_FRAMEWORK_TENSORFLOW)
    {
      id = new_context (self, 0, "hloinstruction", name, 0);
      put (self, "category", "op");
      put (self, "hlo_name", name);
      put (self, "opcode", opcode);
      put_value (self, "operands", name_map (NULL));
    }
  return api == NULL ? id : tsr_gen_poplibs (self->model, id, name, api);
}

guint64
tsr_gen_framework_call (TsrGenBuilder *self, const char *block, const char *name)
{
  g_autoptr (GArray) ids = NULL;
  g_autofree char *list = NULL;
  guint64 id;

  if (!is_unrolled (self))
    return 0;
  ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < self->layers->len; i++)
    if (g_str_equal (layer_at (self, i)->block, block))
      g_array_append_val (ids, layer_at (self, i)->context);
  list = id_list (ids);
  id = new_context (self, 0, "popart", name, 0);
  put (self, "category", "op");
  put (self, "opid", "ai.graphcore.Call:1");
  put (self, "outlinedDebugContextIds", list);
  return id;
}

void
tsr_gen_framework_finish (TsrGenBuilder *self)
{
  const TsrGenLayer *last = layer_at (self, self->layers->len - 1);

  if (!has_popart (self) || is_unrolled (self))
    return;
  for (guint i = 0; i < self->model->contexts->len; i++)
    {
      TsrGenContext *context = g_ptr_array_index (self->model->contexts, i);

      if (context->id == last->context)
        {
          replace_some (self, context, 2);
          break;
        }
    }
}
