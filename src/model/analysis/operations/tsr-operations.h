/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations of a software layer: what each costs in memory, code and cycles.
 *
 * An operation is a context of the layer with the programs and variables that hang under it.  Each
 * program, and each variable by its own debug id, belongs to exactly one (tsr-operation-rule.h).
 * What has no context in the layer is the last operation, "no debug information".  So figures of
 * what belongs to an operation add up to the report's; those of what it uses together with others
 * (code of vertices, touched bytes, wall cycles) do not, and their totals are the report's own.
 *
 * Memory is of one replica; cycles are of all IPUs that the execution has.  Immutable after _new
 * but for edges, records and the worst tile's code, which are found when first asked for, under
 * locks; shared by reference between threads. */

#pragma once

#include "tsr-debug-tables.h"
#include "tsr-memory.h"
#include "tsr-programs.h"
#include "tsr-variables.h"

G_BEGIN_DECLS

typedef struct _TsrOperations TsrOperations;

/* Bytes over all tiles of a replica unless said otherwise.  TSR_UNKNOWN where the file does not
 * tell. */
typedef enum
{
  TSR_OPERATION_PROGRAMS,
  TSR_OPERATION_CODE,          /* the three below */
  TSR_OPERATION_CODE_WORST,    /* on the tile where the operation has most; unknown before
                                  tsr_operations_read_worst_code() */
  TSR_OPERATION_CONTROL_CODE,  /* of its programs without their children's */
  TSR_OPERATION_EXCHANGE_CODE, /* each program once */
  TSR_OPERATION_VERTEX_CODE,   /* each type once a tile that has it; others may use it too: does not
                                  add up */
  TSR_OPERATION_SHARED_EXCHANGE, /* the part of EXCHANGE_CODE in what several calls share */
  TSR_OPERATION_VERTEX_STATE, /* each compute set once, with the first program that executes it */
  TSR_OPERATION_EXECUTIONS,   /* recorded steps of the program that has most; no sum */
  TSR_OPERATION_TILE_CYCLES,  /* measured, over tiles and executions; waits have none */
  TSR_OPERATION_WALL_CYCLES,  /* from start to end of its steps, on the IPU where that is longest;
                                 without the wait for the host that leads a run */
  TSR_OPERATION_ESTIMATED, /* cycles over tiles and executions; without recorded ones, those of one
                              execution of each control program */
  TSR_OPERATION_FLOPS,     /* estimated, over executions as above */
  TSR_OPERATION_DATA_IN,   /* bytes that its exchanges move to tiles, over executions; from */
  TSR_OPERATION_DATA_OUT,
  TSR_OPERATION_VARIABLES, /* of its variables */
  TSR_OPERATION_ALWAYS_LIVE,
  TSR_OPERATION_TEMPORARY,       /* not always live: not all of it at one time */
  TSR_OPERATION_VARIABLES_WORST, /* on the tile where the operation has most; needs lowered
                                    variables */
  TSR_OPERATION_ALWAYS_LIVE_WORST,
  TSR_OPERATION_TEMPORARY_WORST,
  TSR_OPERATION_TOUCHED, /* of variables that its programs touch, each once; never totalled */
  TSR_N_OPERATION_FIGURES,
} TsrOperationFigure;

/* @layer: a word of the file's, or "poplar" or "poplibs".  @programs: of a report; @variables
 * (nullable) give the bytes of variables, @memory the number of tiles; the execution is used when
 * it is there.  NULL and @error when cancelled, when the file cannot be read, or
 * TSR_ERROR_MISSING_PART when the debug information has no such layer (the text lists those it
 * has). Any thread. */
TsrOperations *tsr_operations_new (TsrPrograms *programs,
                                   const TsrDebugTables *debug,
                                   const char *layer,
                                   TsrMemory *memory,
                                   TsrVariables *variables,
                                   GCancellable *cancellable,
                                   GError **error);
TsrOperations *tsr_operations_ref (TsrOperations *self);
void tsr_operations_unref (TsrOperations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrOperations, tsr_operations_unref)

/* (transfer full): words that @layer may be: "poplibs" first, which stands for Poplar too, then the
 * other layers of the file that have a context.  Empty without any. */
GStrv tsr_operations_dup_layers (const TsrDebugTables *debug);
/* What people call such a word, translated: "Poplar and PopLibs", "ONNX". */
const char *tsr_operations_get_layer_title (const char *layer);

/* The file's word; "poplibs" for Poplar and PopLibs. */
const char *tsr_operations_get_layer (const TsrOperations *self);
const TsrDebugTables *tsr_operations_get_debug (const TsrOperations *self);
TsrReport *tsr_operations_get_report (const TsrOperations *self);
TsrVariables *tsr_operations_get_variables (const TsrOperations *self); /* (nullable) */
guint tsr_operations_get_n_tiles (const TsrOperations *self);           /* of a replica */
TsrPrograms *tsr_operations_get_graph (const TsrOperations *self);

/* Operations with a program or a variable, in the order of their first program; "no debug
 * information" is the last one and is there always, perhaps with nothing in it. */
guint tsr_operations_get_n (const TsrOperations *self);
gboolean tsr_operations_is_none (const TsrOperations *self, guint operation);
/* Row of its context in the debug tables; TSR_NO_INDEX of none. */
guint32 tsr_operations_get_context (const TsrOperations *self, guint operation);
/* (transfer none): what people call the operation of what has no context in the layer, translated:
 * "No operation of ONNX"; of Poplar and PopLibs, which make all, "No debug information". */
const char *tsr_operations_get_none_title (const TsrOperations *self);
/* (transfer none) (nullable): the name of its context ("model/conv1"); NULL of none. */
const char *tsr_operations_get_name (const TsrOperations *self, guint operation);
/* (transfer none): ids of the contexts that it stands for; those may be missing in the file. */
const guint64 *tsr_operations_get_replaced (const TsrOperations *self, guint operation, guint *n);
/* (transfer none): its programs, rows of the program tables, ascending. */
const guint32 *tsr_operations_get_programs (const TsrOperations *self, guint operation, guint *n);
guint tsr_operations_of_program (const TsrOperations *self, guint32 program);
/* @variable: an entry of the TsrVariables. */
guint tsr_operations_of_variable (const TsrOperations *self, guint variable);
/* Its program that took most cycles by itself, else the first one; TSR_NO_INDEX without any. */
guint32 tsr_operations_find_costliest (const TsrOperations *self, guint operation);
/* The operation of a context, which may be any below it; the last one if it has none, or if that
 * has nothing. */
guint tsr_operations_of_context (const TsrOperations *self, guint32 context);

gint64 tsr_operations_get (const TsrOperations *self, guint operation, TsrOperationFigure figure);
/* Mean tile balance of its measured steps, by their cycles, 0..1; NaN.  GFLOPS: FLOPs by the time
 * of its wall cycles; NaN. */
double tsr_operations_get_balance (const TsrOperations *self, guint operation);
double tsr_operations_get_gflops (const TsrOperations *self, guint operation);
/* Hz of a tile; NaN. */
double tsr_operations_get_clock (const TsrOperations *self);
/* The report's, whatever the layer; TSR_UNKNOWN for figures that are not totalled. */
gint64 tsr_operations_get_total (const TsrOperations *self, TsrOperationFigure figure);

/* ---- on each tile */

typedef enum
{
  TSR_OPERATION_BY_TILE_CONTROL, /* bytes on the tiles of a replica, as the figures say */
  TSR_OPERATION_BY_TILE_EXCHANGE,
  TSR_OPERATION_BY_TILE_VERTEX,
  TSR_OPERATION_BY_TILE_ESTIMATED, /* cycles on the tiles of a replica */
  TSR_OPERATION_BY_TILE_MEASURED,  /* cycles on the tiles of all IPUs of the execution */
  TSR_N_OPERATION_BY_TILE,
} TsrOperationByTile;

/* (transfer full): what the figure of @what is on each tile, *n values that add up to it.  Reads
 * the file.  NULL and @error when cancelled, when it cannot be read, or
 * TSR_ERROR_MISSING_PART when the report does not tell it by tile.  Any thread. */
gint64 *tsr_operations_dup_by_tile (TsrOperations *self,
                                    guint operation,
                                    TsrOperationByTile what,
                                    guint *n,
                                    GCancellable *cancellable,
                                    GError **error);

/* Reads what TSR_OPERATION_CODE_WORST needs, once: the code of all operations on all tiles, which
 * takes as long as the rest of them.  FALSE and @error when cancelled or when the file cannot be
 * read.  Any thread. */
gboolean
tsr_operations_read_worst_code (TsrOperations *self, GCancellable *cancellable, GError **error);

/* Reads the code of @n_groups groups of operations, of which none is in two: group i is
 * @operations[@starts[i]] up to @starts[i + 1].  Into @vertices the code of vertices, each type
 * once a tile that has one in the group; into @worst all code on the tile where the group has most.
 * TSR_UNKNOWN where the file does not tell.  FALSE and @error when cancelled or when the file
 * cannot be read.  Any thread. */
gboolean tsr_operations_read_group_code (TsrOperations *self,
                                         const guint *operations,
                                         const guint *starts,
                                         guint n_groups,
                                         gint64 *vertices,
                                         gint64 *worst,
                                         GCancellable *cancellable,
                                         GError **error);

/* Into @cycles what TSR_OPERATION_WALL_CYCLES says of one operation, of all of a group: on the IPU
 * where the steps of the group take longest together.  Groups as above.  FALSE and @error when
 * cancelled.  Any thread. */
gboolean tsr_operations_find_group_cycles (const TsrOperations *self,
                                           const guint *operations,
                                           const guint *starts,
                                           guint n_groups,
                                           gint64 *cycles,
                                           GCancellable *cancellable,
                                           GError **error);

/* Reads the records of all operations, once: what was called, and which tensors they name.  FALSE
 * and @error when cancelled; a damaged record says nothing.  Any thread. */
gboolean
tsr_operations_read_records (TsrOperations *self, GCancellable *cancellable, GError **error);
/* (transfer none) (nullable): what was called, as the layer says it: "matMul", "ai.onnx.Conv". NULL
 * before the records are read, of none, and where nothing was. */
const char *tsr_operations_get_api (TsrOperations *self, guint operation);

/* (transfer full) (nullable): names of its own variables with most bytes, the largest first, at
 * most TSR_OPERATIONS_LARGEST; NULL of none and where it has none. */
#define TSR_OPERATIONS_LARGEST 6
GStrv tsr_operations_dup_largest (const TsrOperations *self, guint operation);

/* How its programs touch a variable (an entry), as 1 << TsrVariableRole; 0: they do not, or the
 * file does not tell. */
guint tsr_operations_get_roles (const TsrOperations *self, guint operation, guint variable);

/* ---- who produces what for whom */

typedef enum
{
  TSR_EDGE_RECORDED = 1 << 0, /* programs that write and read the variable (program_variables) */
  TSR_EDGE_DECLARED = 1 << 1, /* contexts whose outputs and inputs name the tensor */
} TsrEdgeKinds;

typedef struct
{
  guint32 from, to; /* operations: that which writes it, and that which reads it */
  guint32 variable; /* an entry of the TsrVariables; TSR_NO_INDEX: only declared */
  const char *name; /* borrowed from the operations */
  gint64 bytes;     /* of the variable; TSR_UNKNOWN */
  TsrEdgeKinds kinds;
} TsrOperationEdge;

/* (transfer full) (element-type TsrOperationEdge): edges to (@produced: from) @operation, by name,
 * then by the other operation; none to itself.  A variable without a recorded writer (role
 * destination) is written, where others only read it, by the operation that it belongs to if that
 * uses it and it is a temporary, else by all that use it.  Reads the contexts'
 * records the first time.  NULL and @error when cancelled or when they cannot be read.  Any thread.
 */
GArray *tsr_operations_dup_edges (TsrOperations *self,
                                  guint operation,
                                  gboolean produced,
                                  GCancellable *cancellable,
                                  GError **error);

G_END_DECLS
