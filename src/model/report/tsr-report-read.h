/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a report does not keep and reads from its file for one question.  Any thread. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_VARIABLE_USED,
  TSR_VARIABLE_SOURCE,
  TSR_VARIABLE_DESTINATION,
  TSR_N_VARIABLE_ROLES
} TsrVariableRole;

const char *tsr_variable_role_get_name (TsrVariableRole role); /* translated: "Source" */

typedef struct
{
  guint32 program, variable; /* rows of the program tables and of the liveness tables */
  TsrVariableRole role;
  gint64 from, to; /* elements, or TSR_UNKNOWN */
  gint64 bytes;    /* or TSR_UNKNOWN */
} TsrProgramVariable;

/* (transfer full) (element-type TsrProgramVariable): the variables of @programs (rows; TSR_NO_INDEX
 * is none), in file order; empty where the file does not tell them or the stages of programs or
 * liveness are not there.  NULL and @error only when cancelled. */
GArray *tsr_report_read_program_variables (TsrReport *self,
                                           const guint32 *programs,
                                           guint n_programs,
                                           GCancellable *cancellable,
                                           GError **error);

/* The same the other way round: the programs that touch @variables (rows of the liveness tables).
 */
GArray *tsr_report_read_touching_programs (TsrReport *self,
                                           const guint32 *variables,
                                           guint n_variables,
                                           GCancellable *cancellable,
                                           GError **error);

/* (transfer full) (nullable): sizes or offsets (@offsets) of all lowered variables, by row as in
 * their tables, *@n of them, without loading these; TSR_LOWERED_UNKNOWN.  NULL without @error where
 * the file does not have them. */
guint32 *tsr_report_read_lowered_numbers (
    TsrReport *self, gboolean offsets, gsize *n, GCancellable *cancellable, GError **error);

/* (transfer full) (nullable): the sums of these arrays on each tile, @n_tiles values; NULL where
 * one cannot be read. */
gint64 *tsr_report_sum_tile_arrays (TsrReport *self, const gint64 *ids, guint n_ids, guint n_tiles);

G_END_DECLS
