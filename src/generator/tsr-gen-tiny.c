/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preset "tiny", by hand: two IPUs of four tiles, each tile 4,096 bytes, region 1 from 1,024.
 */

#include "config.h"

#include "tsr-gen-network.h"

#include <string.h>

static TsrGenVariable *
user (TsrGenModel *model,
      const char *name,
      const char *type,
      guint bytes,
      guint32 elements,
      gboolean always)
{
  TsrGenVariable *variable = tsr_gen_variable (model, name, TSR_GEN_VARIABLE, type, bytes);

  tsr_gen_variable_shape (variable, 1, &elements);
  variable->always_live = always;
  return variable;
}

static TsrGenProgram *
exchange (TsrGenModel *model, TsrGenProgram *parent, const char *name, guint ipu, double cycles)
{
  TsrGenProgram *program = tsr_gen_program (model, "DoExchange", name);

  program->ipus = 1u << ipu;
  program->cycles = cycles;
  program->lead = 14;
  program->balance = 0.5;
  program->control_bytes = 8;
  program->bytes_per_cycle = 1;
  program->code = g_new0 (TsrGenVar *, model->n_ipus);
  program->code[ipu]
      = tsr_gen_compiler_var (model, TSR_GEN_INTERNAL_EXCHANGE, name, ipu, 0, 4, 64, NULL, NULL);
  tsr_gen_append (parent, program);
  return program;
}

static TsrGenProgram *
compute (TsrGenModel *model,
         TsrGenProgram *parent,
         const char *name,
         const char *vertex,
         guint ipu,
         guint tiles,
         double cycles)
{
  TsrGenProgram *program = tsr_gen_program (model, "OnTileExecute", name);
  TsrGenComputeSet *set = tsr_gen_compute_set (model, program);
  TsrGenVertices *vertices
      = tsr_gen_vertices (model, set, tsr_gen_vertex_type (model, vertex, 12, 48), 100);

  program->ipus = 1u << ipu;
  program->count = tiles;
  program->cycles = cycles;
  program->balance = 0.75;
  program->control_bytes = 8;
  for (guint tile = 0; tile < tiles; tile++)
    vertices->count[ipu * model->tiles_per_ipu + tile] = tile + 1;
  tsr_gen_append (parent, program);
  return program;
}

static TsrGenProgram *
plain (TsrGenModel *model, TsrGenProgram *parent, const char *type, const char *name)
{
  TsrGenProgram *program = tsr_gen_program (model, type, name);

  tsr_gen_append (parent, program);
  return program;
}

/* Names that a list, a search or a column may stumble over. */
static void
odd_names (TsrGenModel *model)
{
  g_autofree char *middle = g_strnfill (1000, 'x');
  g_autofree char *longest = g_strconcat ("very/long/", middle, "/name", NULL);
  TsrGenVariable *variable;

  variable = user (model, longest, "float", 4, 4, TRUE);
  tsr_gen_var (model, variable, longest, 0, 0, 1, 16);
  variable = user (model, "Größe/重み/\xf0\x9f\xa7\xa9", "half", 2, 8, TRUE);
  tsr_gen_var (model, variable, variable->name, 0, 1, 1, 16);
  variable = user (model, "=SUM(A1), \"quoted\"\nsecond line", NULL, 4, 4, TRUE);
  tsr_gen_var (model, variable, "=SUM(A1), \"quoted\"\nsecond line#3", 0, 2, 1, 16);
  variable = user (model, "", "unsigned int", 4, 2, TRUE);
  tsr_gen_var (model, variable, "", 0, 3, 1, 8);
}

static void
code_and_buffers (TsrGenModel *model)
{
  for (guint ipu = 0; ipu < 2; ipu++)
    {
      tsr_gen_compiler_var (model, TSR_GEN_STACK, "workerStack", ipu, 0, 4, 4 * 96, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_CONTROL_ID, "programId", ipu, 0, 1, 8, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_INSTRUMENTATION, "cycleCounters", ipu, 0, 4, 64, NULL,
                            NULL);
      tsr_gen_compiler_var (model, TSR_GEN_COPY_DESCRIPTOR, "copyDescriptors", ipu, 1, 2, 24, NULL,
                            NULL);
      tsr_gen_compiler_var (model, TSR_GEN_VECTOR_LIST, "vectorList", ipu, 3, 1, 12, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_VERTEX_FIELD, "fields", ipu, 0, 2, 40, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_HOST_HEADER, "headers", ipu, 0, 1, 16, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_GLOBAL_HEADER, "headers", ipu, 0, 1, 16, NULL, NULL);
      tsr_gen_compiler_var (model, TSR_GEN_SHARED_DATA, "shared", ipu, 2, 2, 32, NULL, NULL);
    }
}

static TsrGenProgram *
copy (TsrGenModel *model, TsrGenProgram *parent, const char *name, const char *kind, double wait)
{
  static const char *const parts[] = { "StreamCopyBegin", "StreamCopyMid", "StreamCopyEnd" };
  TsrGenProgram *mid = NULL;

  for (guint i = 0; i < 3; i++)
    {
      TsrGenProgram *program = plain (model, parent, parts[i], name);

      program->cycles = i == 0 ? wait : i == 1 ? 100 : 10;
      program->control_bytes = 4;
      if (i == 1)
        mid = program;
    }
  mid->copy_kind = kind;
  mid->bytes_per_cycle = 0.5;
  mid->count = 1;
  mid->code = g_new0 (TsrGenVar *, model->n_ipus);
  for (guint ipu = 0; ipu < 2; ipu++)
    mid->code[ipu]
        = tsr_gen_compiler_var (model, TSR_GEN_HOST_EXCHANGE, name, ipu, 0, 1, 32, NULL, NULL);
  return mid;
}

static void
contexts (TsrGenModel *model, TsrGenProgram *program, TsrGenVariable *variable)
{
  guint64 id = tsr_gen_context (model, 0, "onnx", "fc");
  TsrGenContext *context = tsr_gen_context_last (model);

  tsr_gen_context_pair (context, "category", "op");
  tsr_gen_context_pair (context, "opType", "Gemm");
  id = tsr_gen_context (model, id, "popart", "fc");
  tsr_gen_context_pair (tsr_gen_context_last (model), "opid", "ai.onnx.Gemm:11");
  id = tsr_gen_context (model, id, "poplibs", "fc");
  context = tsr_gen_context_last (model);
  context->file = g_strdup ("/poplibs/lib/poplin/MatMul.cpp");
  context->function = g_strdup ("matMul");
  context->line = 512;
  tsr_gen_context_pair (context, "api", "matMul");
  program->debug_id = tsr_gen_context (model, id, "poplar", program->name);
  variable->debug_id = tsr_gen_context (model, id, "poplar", variable->name);
}

void
tsr_gen_build_tiny (TsrGenModel *model)
{
  TsrGenProgram *root = tsr_gen_sequence (model, NULL, "Sequence", "main");
  TsrGenProgram *function = tsr_gen_sequence (model, NULL, "Sequence", "fc");
  TsrGenProgram *input, *repeat, *body, *first, *second, *third, *global, *branch, *block, *sync;
  TsrGenVariable *weights, *activation, *gradient, *stream, *constant;
  TsrGenVar *var;

  g_ptr_array_add (model->control, root);
  g_ptr_array_add (model->functions, function);
  input = copy (model, root, "copyFromHost/input", "host", 500);
  block = tsr_gen_sequence (model, root, "Block", "forward");
  repeat = tsr_gen_sequence (model, block, "Repeat", "loop");
  repeat->repeat_count = 3;
  body = tsr_gen_sequence (model, repeat, "Sequence", "body");
  exchange (model, body, "fc/Convolve/ExchangePre", 0, 40);
  first = compute (model, body, "fc/Convolve",
                   "poplin::ConvPartial1x1Out<half,half,true,false,16,4,false>", 0, 4, 200);
  tsr_gen_call (model, body, function);
  tsr_gen_call (model, root, function);
  exchange (model, function, "fc/Reduce/ExchangePre", 1, 60);
  plain (model, function, "Sync", "Internal")->ipus = 2;
  second = compute (model, function, "fc/Reduce", "popops::ScaledAdd2D<float,float,float,false>", 1,
                    3, 120);
  sync = plain (model, root, "Sync", "External");
  sync->external = TRUE;
  global = plain (model, root, "GlobalExchange", "fc/ipuCopy");
  global->cycles = 90;
  global->bytes_per_cycle = 0.5;
  global->control_bytes = 8;
  global->code = g_new0 (TsrGenVar *, 2);
  for (guint ipu = 0; ipu < 2; ipu++)
    global->code[ipu] = tsr_gen_compiler_var (model, TSR_GEN_GLOBAL_EXCHANGE, "fc/ipuCopy", ipu, 0,
                                              4, 32, NULL, NULL);
  branch = tsr_gen_sequence (model, root, "If", "finite");
  third = compute (model, branch, "fc/weight/update",
                   "popops::ScaledAdd2D<float,float,float,false>", 0, 2, 80);
  plain (model, branch, "WriteUndef", "gradient");
  branch = tsr_gen_sequence (model, root, "OnEveryTileSwitch", "choice");
  plain (model, branch, "OnTileCopy", "copyA");
  plain (model, branch, "Sans", "1 tile");
  plain (model, root, "Mystery", "a type that nobody knows")->anonymous = TRUE;
  plain (model, root, "SyncAns", NULL);
  copy (model, root, "copyToHost/loss", "both", 30);

  weights = user (model, "fc.weight", "half", 2, 512, TRUE);
  tsr_gen_var (model, weights, "fc.weight#0", 0, 0, 4, 1024)->interleaved = TRUE;
  stream = user (model, "input", "half", 2, 128, FALSE);
  var = tsr_gen_var (model, stream, "input#0", 0, 0, 4, 256);
  var->born = input;
  var->dies = first;
  activation = user (model, "fc/out", "float", 4, 256, FALSE);
  var = tsr_gen_var (model, activation, "fc/out#0", 0, 0, 4, 1024);
  var->born = first;
  var->dies = third;
  var->pieces = 2;
  gradient = user (model, "fc/grad", "float", 4, 192, FALSE);
  var = tsr_gen_var (model, gradient, "fc/grad#0", 1, 0, 3, 768);
  var->born = second;
  var->dies = second;
  var = tsr_gen_compiler_var (model, TSR_GEN_MESSAGE, "fc/Convolve/message#", 0, 0, 4, 512, input,
                              first);
  tsr_gen_compiler_var (model, TSR_GEN_VARIABLE, "partials#2", 0, 0, 4, 960, third, third);
  tsr_gen_compiler_var (model, TSR_GEN_VARIABLE, "partials#1", 1, 0, 4, 640, global, global);
  constant = tsr_gen_variable (model, "epsilon", TSR_GEN_CONSTANT, "float", 4);
  constant->always_live = TRUE;
  tsr_gen_var (model, constant, "epsilon", 1, 3, 1, 4);
  tsr_gen_link (first, 0, weights, 1);
  tsr_gen_link (first, 0, activation, 1);
  tsr_gen_link (input, 2, stream, 1);
  tsr_gen_link (global, 1, activation, 0.5);
  tsr_gen_link (global, 2, gradient, 0.5);
  contexts (model, first, weights);
  odd_names (model);
  code_and_buffers (model);
}
