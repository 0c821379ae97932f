/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of presets. */

#include "config.h"

#include "tsr-gen-presets.h"

#include <string.h>

#define MK2                                                                                        \
  .architecture = "Mk2", .tiles_per_ipu = 1472, .bytes_per_tile = 638976,                          \
  .interleaved_start = 212992, .clock_frequency = 1.33e9

/* Of convolutions, on two IPUs. */
#define SMALL_TRAINING                                                                             \
  .network = TSR_GEN_NETWORK_SMALL, .model = "model", .engine = "training", MK2,                   \
  .ipus_per_replica = 2, .num_replicas = 1, .detail = 0, .span = 0.4, .micro_batches = 4,          \
  .repeats = TRUE, .io_tiles = TRUE, .findings = TRUE, .internal_exchange = 130,                   \
  .host_exchange = 4, .host_header = 2.5, .vertex_code = 60

static const TsrGenPreset tiny = {
  .name = "tiny",
  .summary = "Eight tiles, every table and every odd case, numbers that can be checked by hand",
  .network = TSR_GEN_NETWORK_TINY,
  .model = "tiny",
  .engine = "tiny",
  .architecture = "Mk2",
  .tiles_per_ipu = 4,
  .ipus_per_replica = 2,
  .num_replicas = 2,
  .bytes_per_tile = 4096,
  .interleaved_start = 1024,
  .clock_frequency = 1e9,
  .batch = 1,
  .micro_batches = 1,
  .execution = TRUE,
  .n_runs = 2,
  .all_cycles = TRUE,
  .unstable = TRUE,
};

static const TsrGenPreset demo = {
  .name = "demo",
  .summary = "A small training run on two IPUs, with something to find in every view",
  SMALL_TRAINING,
  .batch = 20,
  .pipelined = TRUE,
  .execution = TRUE,
  .n_runs = 3,
  .always_live = 620,
  .peak = 170,
};

static const TsrGenPreset oom = {
  .name = "oom",
  .summary = "A compile-only report of a program that does not fit",
  SMALL_TRAINING,
  .batch = 48,
  .always_live = 600,
  .peak = 430,
};

static const TsrGenPreset resnet50 = {
  .name = "resnet50",
  .summary
  = "ResNet-50 training (PyTorch) on two IPUs and two replicas, at the scale of a real one",
  .network = TSR_GEN_NETWORK_RESNET50,
  .framework = TSR_GEN_FRAMEWORK_PYTORCH,
  .model = "model",
  .engine = "training",
  MK2,
  .ipus_per_replica = 2,
  .num_replicas = 2,
  .detail = 2,
  .span = 1,
  .batch = 2,
  .micro_batches = 7,
  .execution = TRUE,
  .n_runs = 2,
  .n_compute_sets = 2041,
  .n_vertices = 3590145,
  .n_edges = 12985960,
  .n_rows = 8135360,
  .n_steps = 31400,
  .always_live = 651,
  .peak = 180,
  .internal_exchange = 261,
  .vertex_state = 40.5,
  .vertex_code = 33.6,
  .vertex_field = 17.8,
  .host_exchange = 17.5,
  .host_header = 15.1,
  .global_exchange = 2.8,
  .run_cycles = 27960351,
  .host_share = 0.38,
  .between_runs = 2.6e9,
  .utilisation = { 0.7031, 0.2484, 0.7027, 0.2483 },
  .debug_megabytes = 100,
};

static const TsrGenPreset trace = {
  .name = "trace",
  .summary = "N execution steps on four IPUs, and little else (TensorFlow)",
  .network = TSR_GEN_NETWORK_SMALL,
  .framework = TSR_GEN_FRAMEWORK_TENSORFLOW,
  .model = "model",
  .engine = "inference",
  MK2,
  .ipus_per_replica = 4,
  .num_replicas = 1,
  .detail = 1,
  .span = 0.5,
  .batch = 8,
  .micro_batches = 4,
  .repeats = TRUE,
  .pipelined = TRUE,
  .execution = TRUE,
  .n_runs = 8,
};

static const TsrGenPreset pod64 = {
  .name = "pod64",
  .summary = "94,208 tiles in one replica (PopXL)",
  .network = TSR_GEN_NETWORK_TRANSFORMER,
  .framework = TSR_GEN_FRAMEWORK_POPXL,
  .model = "gpt",
  .engine = "training",
  MK2,
  .ipus_per_replica = 64,
  .num_replicas = 1,
  .detail = 0,
  .span = 1,
  .batch = 8,
  .micro_batches = 1,
  .execution = TRUE,
  .n_runs = 1,
};

static const TsrGenPreset poplibs = {
  .name = "poplibs",
  .summary = "A plain PopLibs program on one IPU, with every kind of program and shared functions",
  .network = TSR_GEN_NETWORK_SMALL,
  .framework = TSR_GEN_FRAMEWORK_POPLIBS,
  .model = "net",
  .engine = "main",
  MK2,
  .ipus_per_replica = 1,
  .num_replicas = 1,
  .detail = 1,
  .span = 0.2,
  .batch = 4,
  .micro_batches = 2,
  .repeats = TRUE,
  .kinds = TRUE,
  .execution = TRUE,
  .n_runs = 2,
};

static const TsrGenPreset pytorch = {
  .name = "pytorch",
  .summary = "A small inference on one IPU, as PyTorch makes it",
  .network = TSR_GEN_NETWORK_SMALL,
  .framework = TSR_GEN_FRAMEWORK_PYTORCH,
  .model = "model",
  .engine = "inference",
  MK2,
  .ipus_per_replica = 1,
  .num_replicas = 1,
  .detail = 1,
  .span = 0.2,
  .batch = 4,
  .micro_batches = 2,
  .execution = TRUE,
  .n_runs = 2,
};

static const TsrGenPreset *const presets[]
    = { &tiny, &demo, &oom, &resnet50, &trace, &pod64, &poplibs, &pytorch, NULL };

const TsrGenPreset *
tsr_gen_preset_find (const char *name)
{
  for (guint i = 0; presets[i] != NULL; i++)
    if (g_str_equal (presets[i]->name, name))
      return presets[i];
  return NULL;
}

const TsrGenPreset *const *
tsr_gen_preset_list (void)
{
  return presets;
}
