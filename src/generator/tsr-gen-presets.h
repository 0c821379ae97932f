/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The presets in one table.  A target of 0 means that there is none. */

#pragma once

#include "tsr-gen-model.h"
#include "tsr-gen-random.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_GEN_NETWORK_TINY,
  TSR_GEN_NETWORK_SMALL, /* a residual network of some twenty layers */
  TSR_GEN_NETWORK_RESNET50,
  TSR_GEN_NETWORK_TRANSFORMER, /* one block on each IPU */
} TsrGenNetwork;

/* Who made the program, which decides the layers of its debug information. */
typedef enum
{
  TSR_GEN_FRAMEWORK_ONNX,
  TSR_GEN_FRAMEWORK_PYTORCH,
  TSR_GEN_FRAMEWORK_POPXL,
  TSR_GEN_FRAMEWORK_TENSORFLOW,
  TSR_GEN_FRAMEWORK_POPLIBS, /* nobody: plain PopLibs */
} TsrGenFramework;

struct _TsrGenPreset
{
  const char *name;
  const char *summary;
  TsrGenNetwork network;
  TsrGenFramework framework;
  const char *model;  /* prefix of names */
  const char *engine; /* engine_name */
  const char *architecture;
  guint tiles_per_ipu, ipus_per_replica, num_replicas;
  guint bytes_per_tile, interleaved_start;
  double clock_frequency;
  guint detail; /* 0: few compute sets per layer; 2: as many as poplibs makes */
  guint batch;  /* samples of a micro-batch */
  guint micro_batches;
  gboolean repeats;    /* micro-batches are a Repeat, else calls one after another */
  gboolean pipelined;  /* stages work at the same time */
  gboolean io_tiles;   /* some tiles copy while the others compute */
  gboolean execution;  /* ran, not only compiled */
  gboolean findings;   /* has what the insight rules look for */
  gboolean all_cycles; /* has from and to over all tiles, as few files do */
  gboolean unstable;   /* says that a development version wrote it */
  gboolean kinds;      /* has every kind of program */
  double span;         /* share of the tiles that a layer lies on */
  guint n_runs;

  /* exact */
  guint64 n_compute_sets, n_vertices, n_edges, n_rows, n_steps;
  /* MiB over all tiles of a replica; 0: no target */
  double always_live, peak, internal_exchange, vertex_state, vertex_code, vertex_field;
  double host_exchange, host_header, global_exchange;
  /* time of run 0 */
  double run_cycles;   /* from its first step to its last */
  double host_share;   /* of the leading StreamCopyBegin */
  double between_runs; /* cycles of the second run's */
  double utilisation[4];
  guint debug_megabytes; /* debug.cbor is padded to as many, as large programs' is */
};

const TsrGenPreset *tsr_gen_preset_find (const char *name);
const TsrGenPreset *const *tsr_gen_preset_list (void);

G_END_DECLS
