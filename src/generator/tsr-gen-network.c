/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Training as a framework would compile it: each block of the network is outlined into a forward, a
 * backward and an update function; the main program copies a micro-batch in, calls forward blocks
 * in order and backward blocks in reverse, copies between IPUs if the next block is on another one,
 * and updates the weights at the end.  A layer's output lives from its forward to its backward
 * pass, which makes the liveness of a training step rise and fall. */

#include "config.h"

#include "tsr-gen-network.h"

#include "tsr-gen-frameworks.h"
#include "tsr-gen-lower.h"

#include <string.h>

static const char *const phase_prefix[TSR_GEN_N_PHASES] = { "", "Gradient/", "WeightUpdate/" };

typedef struct
{
  const char *name;
  guint ipu;
  TsrGenProgram *functions[TSR_GEN_N_PHASES];
} Block;

/* ---- variables */

static TsrGenVariable *
user_variable (TsrGenBuilder *self,
               const TsrGenLayer *layer,
               const char *suffix,
               const char *type,
               guint bytes,
               guint n,
               const guint32 *dims)
{
  g_autofree char *name = g_strconcat (self->preset->model, "/", layer->name, suffix, NULL);
  TsrGenVariable *variable = tsr_gen_variable (self->model, name, TSR_GEN_VARIABLE, type, bytes);

  tsr_gen_variable_shape (variable, n, dims);
  return variable;
}

static TsrGenVar *
spread_variable (TsrGenBuilder *self, const TsrGenLayer *layer, TsrGenVariable *variable)
{
  const guint64 bytes = tsr_gen_variable_elements (variable) * variable->element_bytes;
  g_autofree char *name = g_strconcat (variable->name, "#0", NULL);
  /* Small variables lie on few tiles: at least 16 bytes each. */
  const guint most = MAX (1, (guint)(self->compute_tiles * self->preset->span));
  const guint count = CLAMP (bytes / 16, 1, most);
  const guint first = count == self->compute_tiles
                          ? 0
                          : tsr_gen_hash (self->model->seed, 31, variable->id)
                                % (self->compute_tiles - count + 1);
  TsrGenVar *var
      = tsr_gen_var (self->model, variable, name, layer->ipu, first, count, (double)bytes);

  var->spread = count == most ? 0.12 : 0;
  var->grain = MAX (8, variable->element_bytes);
  return var;
}

static void
parameter (TsrGenBuilder *self,
           TsrGenLayer *layer,
           const char *suffix,
           guint n,
           const guint32 *dims,
           gboolean resident_only)
{
  g_autofree char *accl = g_strconcat (suffix, "_Accl1", NULL);
  g_autofree char *accum = g_strconcat (suffix, "_Accum", NULL);
  const gboolean half = n > 1;
  TsrGenVariable *weights
      = user_variable (self, layer, suffix, half ? "half" : "float", half ? 2 : 4, n, dims);
  TsrGenVariable *state = user_variable (self, layer, accl, "float", 4, n, dims);

  weights->debug_id = tsr_gen_framework_tensor (self, layer, weights,
                                                !half                       ? NULL
                                                : layer->kind == TSR_GEN_FC ? "createMatMulInputRHS"
                                                                            : "createWeights");
  state->debug_id = tsr_gen_framework_tensor (self, layer, state, NULL);
  weights->always_live = state->always_live = TRUE;
  spread_variable (self, layer, weights)->interleaved
      = n > 1 && layer->kernel == 1 && self->preset->findings;
  spread_variable (self, layer, state);
  if (n > 1)
    {
      TsrGenVariable *gradient = user_variable (self, layer, accum, "half", 2, n, dims);

      gradient->debug_id = tsr_gen_framework_tensor (self, layer, gradient, NULL);
      gradient->always_live = TRUE;
      spread_variable (self, layer, gradient);
      layer->gradient = gradient;
      layer->weights = weights;
    }
}

static void
parameters (TsrGenBuilder *self, TsrGenLayer *layer)
{
  const guint32 conv[4] = { layer->channels, layer->in_channels, layer->kernel, layer->kernel };

  switch (layer->kind)
    {
    case TSR_GEN_CONV:
      parameter (self, layer, ".weight", 4, conv, FALSE);
      break;
    case TSR_GEN_FC:
      parameter (self, layer, ".weight", 2, conv, FALSE);
      parameter (self, layer, ".bias", 1, conv, FALSE);
      break;
    case TSR_GEN_NORM:
      parameter (self, layer, ".gamma", 1, conv, TRUE);
      parameter (self, layer, ".beta", 1, conv, TRUE);
      break;
    case TSR_GEN_RELU:
    case TSR_GEN_ADD:
    case TSR_GEN_POOL:
    case TSR_GEN_LOSS:
    default:
      break;
    }
}

static void
activation (TsrGenBuilder *self, TsrGenLayer *layer, TsrGenProgram *born)
{
  const gboolean wide = layer->kind == TSR_GEN_NORM && self->preset->findings;
  const guint32 dims[4] = { self->preset->batch, layer->channels, layer->size, layer->size };
  TsrGenVar *var;

  layer->out = user_variable (self, layer, "/out", wide ? "float" : "half", wide ? 4 : 2, 4, dims);
  tsr_gen_own (self->model, layer->out, self->operation);
  var = spread_variable (self, layer, layer->out);
  var->born = var->dies = born;
  var->interleaved = layer->kind == TSR_GEN_CONV && self->preset->findings;
  tsr_gen_link (born, 0, layer->out, 1);
}

/* ---- functions */

static TsrGenProgram *
run_specs (TsrGenBuilder *self,
           TsrGenLayer *layer,
           guint phase,
           const TsrGenFlow *flow,
           gboolean scaled_down)
{
  const TsrGenStepSpec *spec = tsr_gen_step_specs (layer->kind, phase);
  const guint64 context = tsr_gen_framework_phase (self, layer, phase);
  TsrGenProgram *last = NULL;

  self->operation = context;
  for (; spec->suffix != NULL; spec++)
    {
      g_autofree char *name = NULL;

      if (spec->detail > self->preset->detail)
        continue;
      name = g_strconcat (phase_prefix[phase], self->preset->model, "/", layer->name, "/",
                          spec->suffix, NULL);
      last = tsr_gen_step (self, spec, name, layer, flow, context);
    }
  return last;
}

static TsrGenVariable *
output_of (TsrGenBuilder *self, guint index)
{
  return ((TsrGenLayer *)g_ptr_array_index (self->layers, index))->out;
}

/* The layer's output lives until its own backward pass, or, where nothing goes back, until the next
 * layer has read it. */
static void
forward_layer (TsrGenBuilder *self, guint index)
{
  TsrGenLayer *layer = g_ptr_array_index (self->layers, index);
  TsrGenFlow flow = { index > 0 ? output_of (self, index - 1) : NULL, layer->weights, NULL };

  activation (self, layer, run_specs (self, layer, TSR_GEN_FORWARD, &flow, FALSE));
}

static TsrGenVar *
var_of (TsrGenBuilder *self, const TsrGenVariable *variable)
{
  for (guint i = self->model->vars->len; i > 0; i--)
    {
      TsrGenVar *var = g_ptr_array_index (self->model->vars, i - 1);

      if (var->variable == variable)
        return var;
    }
  return NULL;
}

static void
backward_layer (TsrGenBuilder *self, guint index)
{
  TsrGenLayer *layer = g_ptr_array_index (self->layers, index);
  const TsrGenFlow flow = { layer->out, layer->weights, layer->gradient };
  TsrGenProgram *last = run_specs (self, layer, TSR_GEN_BACKWARD, &flow, FALSE);
  const guint32 dims[4] = { self->preset->batch, layer->in_channels, layer->size, layer->size };
  g_autofree char *name = NULL;
  TsrGenVariable *gradient;
  TsrGenVar *var;

  if (last == NULL)
    return;
  /* Norms and pools keep nothing: their input is all that their gradient reads. */
  if (layer->kind != TSR_GEN_POOL)
    var_of (self, layer->out)->dies = last;
  name = g_strconcat (self->preset->model, "/", layer->name, "/grad", NULL);
  gradient = tsr_gen_variable (self->model, name, TSR_GEN_VARIABLE, "half", 2);
  tsr_gen_variable_shape (gradient, 4, dims);
  tsr_gen_own (self->model, gradient, self->operation);
  var = spread_variable (self, layer, gradient);
  var->born = var->dies = last;
  tsr_gen_link (last, 0, gradient, 1);
  /* The gradient of the layer before reads it. */
  if (index + 1 < self->layers->len)
    {
      TsrGenLayer *after = g_ptr_array_index (self->layers, index + 1);
      g_autofree char *of_after
          = g_strconcat (self->preset->model, "/", after->name, "/grad", NULL);

      for (guint i = self->model->vars->len - 1; i > 0; i--)
        {
          TsrGenVar *other = g_ptr_array_index (self->model->vars, i);

          if (g_str_equal (other->variable->name, of_after))
            {
              other->dies = last;
              break;
            }
        }
    }
}

static void
update_layer (TsrGenBuilder *self, guint index)
{
  TsrGenLayer *layer = g_ptr_array_index (self->layers, index);
  const TsrGenFlow flow = { layer->gradient, layer->weights, layer->weights };

  run_specs (self, layer, TSR_GEN_UPDATE, &flow, TRUE);
}

static void
build_block (TsrGenBuilder *self, Block *block, guint from, guint to, guint phase)
{
  g_autofree char *name
      = g_strconcat (phase_prefix[phase], self->preset->model, "/", block->name, NULL);
  TsrGenProgram *root = tsr_gen_sequence (self->model, NULL, "Sequence", name);

  self->seq = root;
  self->pending = NULL;
  for (guint i = from; i < to; i++)
    if (phase == TSR_GEN_FORWARD)
      forward_layer (self, i);
    else if (phase == TSR_GEN_BACKWARD)
      backward_layer (self, to - 1 - (i - from));
    else
      update_layer (self, i);
  self->pending = NULL;
  if (root->children->len == 0)
    return;
  block->functions[phase] = root;
  g_ptr_array_add (self->model->functions, root);
}

static GArray *
build_blocks (TsrGenBuilder *self)
{
  GArray *blocks = g_array_new (FALSE, TRUE, sizeof (Block));
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->layers->len; i++)
    {
      TsrGenLayer *layer = g_ptr_array_index (self->layers, i);
      const Block block = { .name = layer->block, .ipu = layer->ipu };

      tsr_gen_framework_layer (self, layer, i);
      parameters (self, layer);
      if (blocks->len > 0
          && g_str_equal (g_array_index (blocks, Block, blocks->len - 1).name, layer->block))
        continue;
      g_array_append_val (blocks, block);
      g_array_append_val (starts, i);
    }
  for (guint phase = 0; phase < TSR_GEN_N_PHASES; phase++)
    for (guint i = 0; i < blocks->len; i++)
      {
        /* Backward blocks come last to first, so that gradients find their readers. */
        const guint at = phase == TSR_GEN_BACKWARD ? blocks->len - 1 - i : i;
        const guint to
            = at + 1 < blocks->len ? g_array_index (starts, guint, at + 1) : self->layers->len;

        build_block (self, &g_array_index (blocks, Block, at), g_array_index (starts, guint, at),
                     to, phase);
      }
  return blocks;
}

/* ---- the main program */

static void
call_blocks (TsrGenBuilder *self, TsrGenProgram *parent, GArray *blocks, guint phase)
{
  guint ipu = G_MAXUINT;

  self->seq = parent;
  for (guint i = 0; i < blocks->len; i++)
    {
      const guint at = phase == TSR_GEN_BACKWARD ? blocks->len - 1 - i : i;
      const Block *block = &g_array_index (blocks, Block, at);

      if (block->functions[phase] == NULL)
        continue;
      if (!self->preset->pipelined && phase != TSR_GEN_UPDATE && ipu != G_MAXUINT
          && ipu != block->ipu)
        {
          g_autofree char *name = g_strdup_printf ("%s%s/ipuCopy_%u_to_%u", phase_prefix[phase],
                                                   self->preset->model, ipu, block->ipu);

          tsr_gen_between_ipus (self, name, 6000);
        }
      ipu = block->ipu;
      tsr_gen_call (self->model, parent, block->functions[phase])->debug_id
          = tsr_gen_framework_call (self, block->name, block->functions[phase]->name);
    }
  if (self->preset->pipelined && phase != TSR_GEN_UPDATE)
    {
      g_autofree char *name
          = g_strconcat (phase_prefix[phase], self->preset->model, "/pipelineCopies", NULL);

      tsr_gen_between_ipus (self, name, 2500);
    }
}

static void
input_buffer (TsrGenBuilder *self, TsrGenProgram *mid, guint64 context, TsrGenProgram *until)
{
  const TsrGenLayer *layer = g_ptr_array_index (self->layers, 0);
  const guint32 dims[4] = { self->preset->batch, layer->in_channels, layer->size, layer->size };
  TsrGenVariable *variable = user_variable (self, layer, "/input_stream", "half", 2, 4, dims);
  TsrGenVar *var;

  g_free (variable->name);
  variable->name = g_strdup ("input_stream");
  tsr_gen_own (self->model, variable, context);
  var = spread_variable (self, layer, variable);
  var->born = mid;
  var->dies = until;
  var->spans = TRUE;
  tsr_gen_link (mid, 2, variable, 1);
}

static TsrGenProgram *
build_body (TsrGenBuilder *self, TsrGenProgram *parent, GArray *blocks)
{
  TsrGenModel *model = self->model;
  const guint rounds = self->preset->repeats ? 1 : self->preset->micro_batches;
  guint64 context = 0;
  TsrGenProgram *body = parent, *mid = NULL, *last = NULL;

  if (self->preset->repeats)
    {
      TsrGenProgram *repeat = tsr_gen_sequence (model, parent, "Repeat", "microBatches");

      repeat->repeat_count = self->preset->micro_batches;
      body = tsr_gen_sequence (model, repeat, "Sequence", "microBatch");
    }
  for (guint i = 0; i < rounds; i++)
    {
      TsrGenProgram *step = body, *copy;
      g_autofree char *name = g_strdup_printf ("microBatch%u", i);

      if (rounds > 1)
        step = tsr_gen_sequence (model, body, "Sequence", name);
      self->seq = step;
      copy = tsr_gen_stream_copy (self, "copyFromHost/input", "host", 2500, 6500);
      if (mid == NULL)
        {
          mid = copy;
          context = self->operation;
        }
      call_blocks (self, step, blocks, TSR_GEN_FORWARD);
      call_blocks (self, step, blocks, TSR_GEN_BACKWARD);
      if (!self->preset->pipelined)
        tsr_gen_sync (self, TRUE);
      if (last == NULL)
        last = g_ptr_array_index (g_array_index (blocks, Block, 0).functions[0]->children, 0);
    }
  input_buffer (self, mid, context, last);
  return body;
}

static TsrGenProgram *
build_update (TsrGenBuilder *self, TsrGenProgram *main_program, GArray *blocks)
{
  TsrGenModel *model = self->model;
  TsrGenProgram *branch = tsr_gen_sequence (model, main_program, "If", "gradientsFinite");
  TsrGenProgram *update = tsr_gen_sequence (model, branch, "Sequence", "weightUpdate");
  TsrGenProgram *skip = tsr_gen_sequence (model, branch, "Sequence", "skipUpdate");

  call_blocks (self, update, blocks, TSR_GEN_UPDATE);
  tsr_gen_append (skip, tsr_gen_program (model, "WriteUndef", "gradients"));
  return update;
}

/* Weights between host and IPUs: what runs once. */
static void
build_transfer (TsrGenBuilder *self, const char *name, const char *direction)
{
  TsrGenModel *model = self->model;
  TsrGenProgram *root = tsr_gen_sequence (model, NULL, "Sequence", name);

  self->seq = root;
  for (guint i = 0; i < 2 + 2 * model->preset->detail; i++)
    {
      g_autofree char *copy = g_strdup_printf ("%s/weights_%u", direction, i);
      TsrGenProgram *mid = tsr_gen_stream_copy (self, copy, i % 2 == 0 ? "host" : "remote_buffer",
                                                i == 0 ? 400000 : 1500, 22000);

      mid->overlapped = FALSE;
    }
  if (self->preset->io_tiles)
    {
      TsrGenProgram *choice = tsr_gen_sequence (model, root, "Switch", "precision");

      tsr_gen_append (choice, tsr_gen_program (model, "WriteUndef", "half"));
      tsr_gen_append (choice, tsr_gen_program (model, "WriteUndef", "float"));
    }
  g_ptr_array_add (model->control, root);
}

static void
residents (TsrGenBuilder *self)
{
  TsrGenModel *model = self->model;

  for (guint ipu = 0; ipu < model->n_ipus; ipu++)
    {
      const double tiles = model->tiles_per_ipu;
      g_autofree char *name = g_strdup_printf ("%s/preprocess/table_%u", self->preset->model, ipu);
      TsrGenVariable *table = tsr_gen_variable (model, name, TSR_GEN_CONSTANT, "half", 2);
      TsrGenVar *var = tsr_gen_var (model, table, name, ipu, 0, model->tiles_per_ipu, tiles * 256);

      table->debug_id = tsr_gen_framework_tensor (self, NULL, table, NULL);
      table->always_live = TRUE;
      var->scale = TSR_GEN_SCALE_CONSTANT;
      var->spread = 0.1;
      var->grain = 8;
      tsr_gen_compiler_var (model, TSR_GEN_STACK, "supervisorStack", ipu, 0, model->tiles_per_ipu,
                            tiles * 512, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_STACK, "workerStack", ipu, 0, model->tiles_per_ipu,
                            tiles * 960, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_CONTROL_ID, "programId", ipu, 0, model->tiles_per_ipu,
                            tiles * 8, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_COPY_DESCRIPTOR, "copyDescriptors", ipu, 0,
                            model->tiles_per_ipu, tiles * 128, NULL, NULL)
          ->spread
          = 0.3;
      tsr_gen_compiler_var (model, TSR_GEN_GLOBAL_HEADER, "ipuCopyHeaders", ipu, 0,
                            MAX (1, model->tiles_per_ipu / 3), tiles * 24, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_INSTRUMENTATION, "cycleCounters", ipu, 0,
                            model->tiles_per_ipu, tiles * (self->preset->findings ? 9216 : 1024),
                            NULL, NULL);
    }
}

/* Compute sets that cast gradients, until there are as many as the preset wants. */
static gboolean
fill_compute_sets (TsrGenBuilder *self, TsrGenProgram *update)
{
  static const TsrGenStepSpec cast
      = { "Cast", "popops::Cast1D<half,float>", 8, 160, 0.1, 0.9, 0.5, 0, 0, 1 };
  const guint64 target = self->preset->n_compute_sets;
  const guint have = self->model->compute_sets->len;
  const TsrGenFlow none = { NULL };

  if (target == 0)
    return TRUE;
  if (have > target)
    {
      g_printerr ("tessera-make-report: %s has %u compute sets, more than its %" G_GUINT64_FORMAT
                  "\n",
                  self->preset->name, have, target);
      return FALSE;
    }
  self->seq = update;
  for (guint i = 0; i < target - have; i++)
    {
      const TsrGenLayer *layer = g_ptr_array_index (self->layers, i % self->layers->len);
      g_autofree char *name = g_strdup_printf ("WeightUpdate/%s/%s/castGradient_%u/Cast",
                                               self->preset->model, layer->name, i);

      tsr_gen_step (self, &cast, name, layer, &none, layer->context);
    }
  self->pending = NULL;
  return TRUE;
}

/* What only a run shows: a copy from a remote buffer while others compute, and the profiler's own
 * copy of what it has recorded of blocks.  Made last, so that nothing else changes its number. */
static void
add_copies (TsrGenBuilder *self, TsrGenProgram *body, TsrGenProgram *parent)
{
  GPtrArray *children = body->children;
  guint at = 0;

  while (at < children->len
         && g_strcmp0 (((TsrGenProgram *)children->pdata[at])->name, "regulariser") != 0)
    at++;
  self->seq = body;
  tsr_gen_stream_copy (self, "remoteBufferLoad/accumulators", "remote_buffer", 400, 9000);
  for (guint i = 0; i < 3; i++) /* Begin, Mid, End */
    g_ptr_array_insert (children, (int)(at + i),
                        g_ptr_array_steal_index (children, children->len - 3 + i));
  self->seq = tsr_gen_sequence (self->model, parent, "Block", "BlockFlush");
  tsr_gen_stream_copy (self, "BlockFlush", "host", 900, 350)->overlapped = FALSE;
  for (guint i = 0; i < 3; i++) /* nobody called for them */
    ((TsrGenProgram *)self->seq->children->pdata[i])->debug_id = 0;
}

gboolean
tsr_gen_build_network (TsrGenModel *model)
{
  const TsrGenPreset *preset = model->preset;
  g_autoptr (GPtrArray) layers = tsr_gen_layers_new (preset);
  TsrGenBuilder self = { model, preset, layers };
  g_autoptr (GArray) blocks = NULL;
  TsrGenProgram *main_program, *body, *update, *tail;

  self.compute_tiles = model->tiles_per_ipu - (preset->io_tiles ? 32 : 0);
  blocks = build_blocks (&self);
  residents (&self);
  build_transfer (&self, "weightsFromHost", "copyFromHost");
  main_program = tsr_gen_sequence (model, NULL, "Sequence", "training");
  g_ptr_array_add (model->control, main_program);
  self.seq = main_program;
  tsr_gen_stream_copy (&self, "copyFromHost/learningRate", "host", 20000, 400)->overlapped = FALSE;
  body = build_body (&self, main_program, blocks);
  update = build_update (&self, main_program, blocks);
  if (!fill_compute_sets (&self, update))
    return FALSE;
  if (preset->findings)
    tsr_gen_add_findings (&self, body, update);
  if (preset->kinds)
    tsr_gen_add_kinds (&self, main_program);
  self.seq = main_program;
  tsr_gen_stream_copy (&self, "copyToHost/loss", "host", 1200, 500)->overlapped = FALSE;
  tail = tsr_gen_sequence (model, main_program, "Sequence", "anchorReturn");
  self.seq = tail;
  tsr_gen_sync (&self, FALSE);
  build_transfer (&self, "weightsToHost", "copyToHost");
  if (preset->findings && preset->execution)
    add_copies (&self, body, main_program);
  tsr_gen_framework_finish (&self);
  return preset->n_steps == 0 || tsr_gen_fill_steps (model, tail, preset->n_steps);
}
