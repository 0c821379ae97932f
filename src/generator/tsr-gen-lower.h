/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Derives from the program what a compiler would: liveness steps, equivalence classes, code and
 * vertex state on each tile, sizes of all lowered variables, and then their addresses. */

#pragma once

#include "tsr-gen-model.h"

G_BEGIN_DECLS

/* Numbers the liveness steps: the leaves of the control programs in order, calls expanded, each
 * branch and each body once. */
void tsr_gen_number_steps (TsrGenModel *self);
/* Adds leaves to @tail until there are @n steps; FALSE if there are already more. */
gboolean tsr_gen_fill_steps (TsrGenModel *self, TsrGenProgram *tail, guint64 n);
/* Vertex state, vertex code and control code as lowered variables. */
void tsr_gen_add_code (TsrGenModel *self);
/* Adjusts vertex counts and the sizes of vertex types to the preset's numbers. */
gboolean tsr_gen_fit_vertices (TsrGenModel *self);
/* Classes, scales and sizes. */
gboolean tsr_gen_lower (TsrGenModel *self);
/* Totals of what was lowered. */
void tsr_gen_add_up (TsrGenModel *self);

/* tsr-gen-apply.c: changes what was lowered by each measure of @list, which are separated by
 * commas.  FALSE and a message where one is unknown or changes nothing. */
gboolean tsr_gen_apply (TsrGenModel *self, const char *list);

/* tsr-gen-place.c: addresses of all lowered variables and the memory of each tile. */
void tsr_gen_place (TsrGenModel *self);

G_END_DECLS
