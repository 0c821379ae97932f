/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builders: they fill an empty model with a program. */

#pragma once

#include "tsr-gen-steps.h"

G_BEGIN_DECLS

/* Training of the preset's network.  FALSE (and a message) if it cannot meet its numbers. */
gboolean tsr_gen_build_network (TsrGenModel *self);
/* A hand-made program on eight tiles with every odd case that the schema allows. */
void tsr_gen_build_tiny (TsrGenModel *self);

/* Appends what the rules of Insights look for to the training step; @update is where weights
 * change. */
void tsr_gen_add_findings (TsrGenBuilder *self, TsrGenProgram *body, TsrGenProgram *update);
/* Appends programs of all kinds to @parent. */
void tsr_gen_add_kinds (TsrGenBuilder *self, TsrGenProgram *parent);

G_END_DECLS
