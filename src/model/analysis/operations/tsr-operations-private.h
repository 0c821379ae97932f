/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Inside of TsrOperations, for the files that it is made of. */

#pragma once

#include "tsr-operations.h"

#include "tsr-report-read.h"
#include "tsr-variables-private.h"

G_BEGIN_DECLS

/* Rows of program_variables, by variable: entries start[v] .. start[v + 1] - 1, each operation and
 * role once in a row of equal ones. */
typedef struct
{
  guint32 *start; /* n_variables + 1; NULL: the file does not tell */
  guint32 *operation;
  guint8 *role; /* TsrVariableRole */
} TsrOperationLinks;

struct _TsrOperations
{
  gatomicrefcount refs;
  TsrReport *report;
  const TsrDebugTables *debug;
  TsrPrograms *graph;
  const TsrProgramTables *programs;
  const TsrExecutionTables *execution; /* (nullable) */
  TsrMemory *memory;
  TsrVariables *variables; /* (nullable) */
  guint n_tiles, n_variables;
  double clock; /* Hz; NaN */

  const char *layer; /* the debug tables' */

  guint n;          /* the last one is "no debug information" */
  char *none_title; /* of that one, for people */
  guint32 *context; /* by operation */
  guint32 *of_context;
  guint32 *of_program, *of_variable;
  guint32 *program_start, *program;
  gint64 *figures[TSR_N_OPERATION_FIGURES]; /* by operation */
  gint64 totals[TSR_N_OPERATION_FIGURES];
  double *balance;

  TsrOperationLinks links;
  GMutex worst_lock; /* of the next one, and of the figure CODE_WORST */
  gboolean worst_read;
  GMutex lock; /* of what follows */
  gboolean declared_read;
  GStringChunk *names;     /* of declared tensors and APIs */
  const char **apis;       /* by operation */
  GHashTable *outputs;     /* name to GArray of guint32: operations that declare to write it */
  GHashTable *inputs;      /* likewise, that read it */
  GPtrArray **input_names; /* by operation; NULL: none */
  GPtrArray **output_names;
  GHashTable *variable_of; /* name to entry + 1 */
};

/* (transfer full): recorded steps of each program; without an execution, how often it is executed
 * in one of each control program. */
gint64 *tsr_operations_dup_executions (const TsrOperations *self);
/* Each fills its figures, which are zeroed, and their totals. */
gboolean
tsr_operations_compute_code (TsrOperations *self, GCancellable *cancellable, GError **error);
/* Adds what BY_TILE_CONTROL, _EXCHANGE or _VERTEX is to @sums of the tiles.  FALSE and @error when
 * an array that it needs cannot be used. */
gboolean tsr_operations_add_code (TsrOperations *self,
                                  guint operation,
                                  TsrOperationByTile what,
                                  TsrProfile *profile,
                                  gint64 *sums,
                                  GError **error);
void tsr_operations_set_array_missing (gint64 id, GError **error);
gboolean
tsr_operations_compute_cycles (TsrOperations *self, GCancellable *cancellable, GError **error);
gboolean
tsr_operations_compute_variables (TsrOperations *self, GCancellable *cancellable, GError **error);
void tsr_operations_clear_edges (TsrOperations *self);

G_END_DECLS
