/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One compute set with what belongs to it (exchange before it, sync, message, partials, exchange
 * code, debug contexts), and the tables of compute sets that each kind of layer has. */

#pragma once

#include "tsr-gen-layers.h"

G_BEGIN_DECLS

typedef struct
{
  const char *suffix; /* of the name; NULL ends a table */
  const char *vertex; /* "conv": a convolution vertex by kernel; else a vertex type's name */
  guint state;        /* bytes of one instance */
  guint code;         /* bytes of the codelet */
  double work;        /* share of the layer's work */
  double balance;     /* shortest tile's share of the longest */
  double span;        /* share of the tiles that compute */
  double temporary;   /* bytes of partials, as a share of the layer's output */
  guint detail;       /* made from this preset detail on */
  guint per_tile;     /* vertices */
} TsrGenStepSpec;

typedef enum
{
  TSR_GEN_FORWARD,
  TSR_GEN_BACKWARD,
  TSR_GEN_UPDATE,
  TSR_GEN_N_PHASES,
} TsrGenPhase;

const TsrGenStepSpec *tsr_gen_step_specs (TsrGenLayerKind kind, TsrGenPhase phase);

typedef struct
{
  TsrGenModel *model;
  const TsrGenPreset *preset;
  GPtrArray *layers;
  TsrGenProgram *seq;  /* where programs go */
  TsrGenVar *pending;  /* partials that die when the next compute set has run */
  guint64 operation;   /* context that what is made last hangs under */
  guint compute_tiles; /* of each IPU; the rest copies */
} TsrGenBuilder;

/* Where a compute set reads and writes, for the program's variables; each may be NULL. */
typedef struct
{
  TsrGenVariable *in, *in2, *out;
} TsrGenFlow;

/* Appends exchange, sync and compute set; returns the OnTileExecute. */
TsrGenProgram *tsr_gen_step (TsrGenBuilder *self,
                             const TsrGenStepSpec *spec,
                             const char *name,
                             const TsrGenLayer *layer,
                             const TsrGenFlow *flow,
                             guint64 context);
TsrGenProgram *tsr_gen_sync (TsrGenBuilder *self, gboolean external);
/* A sync of all IPUs and a copy between them. */
TsrGenProgram *tsr_gen_between_ipus (TsrGenBuilder *self, const char *name, double cycles);
/* Begin, Mid and End; returns the Mid. */
TsrGenProgram *tsr_gen_stream_copy (
    TsrGenBuilder *self, const char *name, const char *kind, double wait, double cycles);

G_END_DECLS
