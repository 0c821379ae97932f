/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adds every kind of program that a program tree knows, functions that several calls share, and
 * operations nested in operations. */

#include "config.h"

#include "tsr-gen-network.h"

#define N_SHARED 5

static TsrGenProgram *
plain (TsrGenBuilder *self, TsrGenProgram *parent, const char *type, const char *name)
{
  TsrGenProgram *program = tsr_gen_program (self->model, type, name);

  program->control_bytes = 4;
  tsr_gen_append (parent, program);
  return program;
}

/* Functions that call the next one twice; the last one computes. */
static TsrGenProgram *
shared_functions (TsrGenBuilder *self)
{
  static const TsrGenStepSpec compare = { "compareExchange",
                                          "popops::bitonic::CompareAndSwapAtDistance<half,void>",
                                          20,
                                          640,
                                          0.3,
                                          0.8,
                                          0.6,
                                          0.1,
                                          0,
                                          1 };
  const TsrGenFlow nothing = { NULL };
  const TsrGenLayer *layer = g_ptr_array_index (self->layers, self->layers->len - 1);
  TsrGenProgram *functions[N_SHARED];
  guint64 context = tsr_gen_poplibs (self->model, 0, "metrics/topK", "topK");

  context = tsr_gen_poplibs (self->model, context, "sort", "bitonicSort");
  for (guint i = 0; i < N_SHARED; i++)
    {
      g_autofree char *name = g_strdup_printf ("metrics/topK/stage_%u", i);

      functions[i] = tsr_gen_sequence (self->model, NULL, "Sequence", name);
      g_ptr_array_add (self->model->functions, functions[i]);
    }
  for (guint i = 0; i + 1 < N_SHARED; i++)
    for (guint k = 0; k < 2; k++)
      tsr_gen_call (self->model, functions[i], functions[i + 1])->debug_id
          = tsr_gen_context (self->model, context, "poplar", functions[i + 1]->name);
  self->seq = functions[N_SHARED - 1];
  tsr_gen_step (self, &compare, "metrics/topK/compareExchange", layer, &nothing, context);
  self->pending = NULL;
  return functions[0];
}

static TsrGenProgram *
branches (TsrGenBuilder *self, TsrGenProgram *parent, const char *type, const char *name, guint n)
{
  TsrGenProgram *choice = tsr_gen_sequence (self->model, parent, type, name);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = g_strdup_printf ("case %u", i);

      tsr_gen_sequence (self->model, choice, "Sequence", label);
    }
  return choice;
}

static TsrGenProgram *
branch_of (const TsrGenProgram *choice, guint i)
{
  return g_ptr_array_index (choice->children, i);
}

/* What a copy on a tile reads and writes. */
static void
checkpoint (TsrGenBuilder *self, TsrGenProgram *copy)
{
  const TsrGenLayer *layer = g_ptr_array_index (self->layers, 0);
  const guint32 dims[1] = { 1024 };
  TsrGenVariable *state
      = tsr_gen_variable (self->model, "checkpoint/state", TSR_GEN_VARIABLE, "half", 2);
  const guint64 context = tsr_gen_poplibs (self->model, 0, "checkpoint", "copy");

  tsr_gen_variable_shape (state, 1, dims);
  state->always_live = TRUE;
  state->debug_id = tsr_gen_context (self->model, context, "poplar", "state");
  tsr_gen_var (self->model, state, "checkpoint/state#0", 0, 0, 64, 2048);
  copy->debug_id = tsr_gen_context (self->model, context, "poplar", "copy");
  tsr_gen_link (copy, 1, layer->out, 0.01);
  tsr_gen_link (copy, 2, state, 1);
}

void
tsr_gen_add_kinds (TsrGenBuilder *self, TsrGenProgram *parent)
{
  static const char *const leaves[] = {
    "SyncAns",           "Sans",         "WriteUndef",       "AssumeEqualAcrossReplicas",
    "SetLocalConsensus", "OnTileSwitch", "CrossReplicaCopy", "GetGlobalConsensus",
  };
  TsrGenModel *model = self->model;
  TsrGenProgram *root = tsr_gen_sequence (model, parent, "Sequence", "metrics");
  TsrGenProgram *shared = shared_functions (self);
  TsrGenProgram *choice, *loop;

  tsr_gen_call (model, root, shared);
  choice = branches (self, root, "Switch", "metric", 3);
  for (guint i = 0; i < 3; i++)
    tsr_gen_call (model, branch_of (choice, i), shared);
  choice = branches (self, root, "IfElse", "isFinite", 2);
  tsr_gen_call (model, branch_of (choice, 0), model->functions->pdata[0]);
  plain (self, branch_of (choice, 1), "Abort", "lossIsNaN");
  loop = tsr_gen_sequence (model, root, "RepeatWhileFalse", "untilSorted");
  loop->repeat_count = 3;
  loop = tsr_gen_sequence (model, loop, "Sequence", "body");
  tsr_gen_call (model, loop, model->functions->pdata[model->functions->len - 2]);
  loop = tsr_gen_sequence (model, root, "RepeatWhileTrue", "whileLarger");
  loop->repeat_count = 2;
  checkpoint (self, plain (self, tsr_gen_sequence (model, loop, "Block", "checkpoint"),
                           "OnTileCopy", "checkpoint"));
  choice = tsr_gen_sequence (model, root, "OnEveryTileSwitch", "part");
  plain (self, choice, "OnTileCopy", "copyA");
  plain (self, choice, "OnTileCopy", "copyB");
  for (guint i = 0; i < G_N_ELEMENTS (leaves); i++)
    plain (self, root, leaves[i], leaves[i]);
  plain (self, root, "TeleportTensor", "a type that nobody knows");
  self->seq = root;
  tsr_gen_between_ipus (self, "metrics/gather", 900);
}
