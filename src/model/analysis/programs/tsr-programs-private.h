/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Inside of TsrPrograms, for the files that it is made of. */

#pragma once

#include "tsr-programs.h"

G_BEGIN_DECLS

struct _TsrPrograms
{
  gatomicrefcount refs;
  TsrReport *report; /* (nullable) */
  const TsrProgramTables *tables;
  guint32 n;

  /* Edges of program p: edge_start[p] .. edge_start[p + 1] - 1. */
  guint32 *edge_start; /* n + 1 */
  guint32 *edge_child;
  guint8 *edge_cut;   /* (nullable): there is none */
  guint32 *n_parents; /* edges to it that are not cut */
  guint32 *order;     /* n: children first */

  /* Of the program's type, by program: types are compared once each. */
  gint64 *repeats;
  guint8 *groups; /* TsrStepGroup */

  TsrProgramRoot *roots;
  guint n_roots;
  guint n_latest; /* of the latest compilation step, and what no root leads to */
  guint32 *reach; /* by program: 0 when the latest step's roots lead there, 1 the one before's ...;
                     TSR_NO_INDEX: none */
  guint32 *n_passing; /* edges to it from programs that the same step leads to */
  double *weights;    /* executions for sharing out cycles; see tsr_programs_get_part */

  gint64 *executions;
  gint64 *steps, *cycles_self, *cycles, *cycles_last; /* (nullable) without an execution */
  guint8 *repeated;                                   /* (nullable) */
  gint64 all_cycles;
  gint64 *estimated, *moved, *flops;
  gint64 *control_self, *code;
  gint64 *live_self, *live; /* (nullable) without liveness */

  guint32 *executing; /* by compute set, the only program that executes it; TSR_NO_INDEX */

  const char **labels; /* by program */
  GStringChunk *texts; /* what labels are */
};

/* Edges, roots, order. */
gboolean tsr_programs_make_graph (TsrPrograms *self,
                                  TsrDiagnostics *diagnostics,
                                  GCancellable *cancellable,
                                  GError **error);
/* Fills in the figures once the graph is there. */
gboolean tsr_programs_compute_figures (TsrPrograms *self,
                                       const TsrLivenessTables *liveness,
                                       const TsrExecutionTables *execution,
                                       TsrDiagnostics *diagnostics,
                                       GCancellable *cancellable,
                                       GError **error);

G_END_DECLS
