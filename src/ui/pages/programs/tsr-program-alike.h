/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The programs that the same operation of a software layer made as the selected one did: those
 * whose context in the layer is its context.  A worker finds the contexts of all programs once for
 * each layer.  Main thread. */

#pragma once

#include "tsr-programs.h"

G_BEGIN_DECLS

typedef struct _TsrProgramAlike TsrProgramAlike;

/* @changed: there is another answer; called with @owner, who frees it before it goes itself. */
TsrProgramAlike *tsr_program_alike_new (void (*changed) (gpointer owner), gpointer owner);
void tsr_program_alike_free (TsrProgramAlike *self);

/* (transfer full): words of the layers that the debug information has contexts of: "poplibs" first,
 * which stands for Poplar too.  Empty while there is none. */
GStrv tsr_program_alike_dup_layers (TsrProgramAlike *self);

/* Asks for the programs like @program, a row of the tables of @programs (nullable), TSR_NO_INDEX:
 * none, in @layer, a word; "": the first of the layers.  One that there is not finds nothing. */
void tsr_program_alike_ask (TsrProgramAlike *self,
                            TsrPrograms *programs,
                            const char *layer,
                            guint32 program);
/* (transfer none) (nullable): a byte for each program, 1: it is like the selected one, which is one
 * of them; NULL while they are not known, and when it has no context in the layer. */
const guint8 *tsr_program_alike_peek (TsrProgramAlike *self, guint *n);
/* (transfer full) (nullable): "12 programs of PopLibs: model/conv1"; why there are none; NULL while
 * nobody asks or it is not known. */
char *tsr_program_alike_dup_text (TsrProgramAlike *self);
gboolean tsr_program_alike_is_busy (TsrProgramAlike *self);

G_END_DECLS
