/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A value of the session that a worker computes from a sealed report and from other such values: at
 * most one computation of each runs, a newer request cancels the older one, and the value shown
 * stays until the new one is there.  Only session/ includes this.  Main thread. */

#pragma once

#include "tsr-insights.h"

G_BEGIN_DECLS

/* What a computation may use; it holds references of its own. */
typedef struct
{
  TsrReport *report;
  guint tiles_per_ipu; /* 0: as in the file */
  TsrUnits units;      /* of sizes in texts */
  TsrMemory *memory;
  TsrLiveness *liveness;
  TsrVertices *vertices;
  TsrTrace *trace;
} TsrDerivedInputs;

typedef struct _TsrDerived TsrDerived;

typedef struct
{
  /* Worker thread.  (transfer full) (nullable) */
  gpointer (*compute) (const TsrDerivedInputs *inputs, GCancellable *cancellable);
  GDestroyNotify unref;
  /* Main thread: the new value is in place. */
  void (*ready) (GObject *owner, TsrDerived *self);
} TsrDerivedKind;

struct _TsrDerived
{
  const TsrDerivedKind *kind;
  gpointer value;        /* (nullable) */
  GCancellable *running; /* (nullable): of the computation that is wanted */
  gboolean done;         /* the last computation came to its end, with a value or without */
};

void tsr_derived_start (TsrDerived *self, GObject *owner, const TsrDerivedInputs *inputs);
/* TRUE when nothing is there, nothing runs and nothing was tried in vain. */
gboolean tsr_derived_is_open (const TsrDerived *self);
/* Cancels what is running; the value stays. */
void tsr_derived_stop (TsrDerived *self);
/* The same, and drops the value. */
void tsr_derived_clear (TsrDerived *self);

G_END_DECLS
