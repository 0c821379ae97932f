/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Debug contexts as each framework makes them for the operations of a network.  An operation has a
 * chain of contexts, from the framework down to PopLibs; its programs add one of Poplar. */

#pragma once

#include "tsr-gen-steps.h"

G_BEGIN_DECLS

/* The contexts of @layer (number @index): what its variables and its forward pass hang under.  Sets
 * layer->context. */
void tsr_gen_framework_layer (TsrGenBuilder *self, TsrGenLayer *layer, guint index);
/* A PopLibs context for the programs of one pass through @layer; the framework's own for a pass
 * that is an operation of its own are made above it. */
guint64 tsr_gen_framework_phase (TsrGenBuilder *self, const TsrGenLayer *layer, guint phase);
/* The context of a part of @parent: nested PopLibs contexts where the preset has that detail, else
 * @parent itself. */
guint64 tsr_gen_framework_part (TsrGenBuilder *self, guint64 parent, const TsrGenStepSpec *spec);
/* The context of a tensor that belongs to @layer, which may be NULL: the framework's, the PopLibs
 * function that created it (@api, may be NULL), and Poplar's own. */
guint64 tsr_gen_framework_tensor (TsrGenBuilder *self,
                                  const TsrGenLayer *layer,
                                  const TsrGenVariable *variable,
                                  const char *api);
/* An operation that stands outside the layers: a copy, a reduction over replicas.  PopART and
 * TensorFlow have one of their own, with a PopLibs context below it where there is an @api (else
 * NULL).  0: nobody but Poplar knows of it. */
guint64 tsr_gen_framework_copy (
    TsrGenBuilder *self, const char *name, const char *opid, const char *opcode, const char *api);
/* The context of a call to the function that @block was outlined to, or 0. */
guint64 tsr_gen_framework_call (TsrGenBuilder *self, const char *block, const char *name);
/* Contexts that no program has: what was merged into another operation.  Called last. */
void tsr_gen_framework_finish (TsrGenBuilder *self);

G_END_DECLS
