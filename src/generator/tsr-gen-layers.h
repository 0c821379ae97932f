/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The layers of the networks that the presets train. */

#pragma once

#include "tsr-gen-presets.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_GEN_CONV,
  TSR_GEN_NORM,
  TSR_GEN_RELU,
  TSR_GEN_ADD,
  TSR_GEN_POOL,
  TSR_GEN_FC,
  TSR_GEN_LOSS,
} TsrGenLayerKind;

typedef struct
{
  char *name;  /* "layer4.0/conv2" */
  char *block; /* "layer4.0": what is outlined into one function */
  TsrGenLayerKind kind;
  guint ipu;
  guint kernel, in_channels, channels, size; /* size: height and width of the output */
  double work; /* cycles of its main compute set in one forward pass */

  /* filled by the builder */
  TsrGenVariable *out, *weights, *gradient;
  guint64 context;
} TsrGenLayer;

/* (transfer full): layers in forward order. */
GPtrArray *tsr_gen_layers_new (const TsrGenPreset *preset);

G_END_DECLS
