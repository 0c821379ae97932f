/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs as a graph: who has whom below it, how often each is executed, and what it takes, by
 * itself and with all below it.
 *
 * A function is one program with many callers, so the tree that people see is a graph.  Edges lead
 * from a program to its children in their order, then from a Call to its callee.  An edge that
 * closes a ring is cut: it stays, is marked, and counts for nothing; a diagnostic says so.  Nothing
 * here walks over the tree that the graph stands for: every total is one pass over the graph, so 64
 * functions that each call the next twice cost 128 edges.  No recursion: programs may be nested a
 * million deep.  Immutable after _new, shared by reference between threads. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

typedef struct _TsrPrograms TsrPrograms;

/* Which figure of a program.  _SELF: of the program alone; without it, of all below it too.
 * TSR_UNKNOWN where it is not told, or does not fit into 63 bits. */
typedef enum
{
  /* For one execution of each control program of its compilation step: repeats x calls, all
   * branches taken.  Unknown below a loop without a count, and where no root leads. */
  TSR_PROGRAM_EXECUTIONS,
  /* Its own steps in the recorded runs; unknown without an execution. */
  TSR_PROGRAM_STEPS,
  /* Cycles over all recorded steps, of each step those of the IPU where it took longest.  What a
   * program with several callers took is theirs in proportion to how often each executes it (an
   * unknown count as one), so siblings add up to their parent. */
  TSR_PROGRAM_CYCLES_SELF,
  TSR_PROGRAM_CYCLES,
  /* Of the last recorded step alone: what a profile has measured that keeps the last execution. */
  TSR_PROGRAM_CYCLES_LAST,
  /* Estimated cycles of one execution on the slowest tile; with repeats and calls below it. */
  TSR_PROGRAM_ESTIMATED_SELF,
  TSR_PROGRAM_ESTIMATED,
  /* Code bytes over all tiles of a replica.  Control: without its children's.  Vertices: each type
   * once.  The total has each program and each vertex type below it once, however many lead there.
   */
  TSR_PROGRAM_CONTROL_SELF,
  TSR_PROGRAM_EXCHANGE_SELF,
  TSR_PROGRAM_VERTEX_SELF,
  TSR_PROGRAM_CODE,
  /* Not-always-live bytes at its liveness step, the largest of several; of all below: the largest.
   */
  TSR_PROGRAM_LIVE_SELF,
  TSR_PROGRAM_LIVE,
  /* Bytes that one execution receives and sends; with repeats and calls below it. */
  TSR_PROGRAM_MOVED_SELF,
  TSR_PROGRAM_MOVED,
  /* FLOPs of one execution, as estimated; with repeats and calls below it. */
  TSR_PROGRAM_FLOPS_SELF,
  TSR_PROGRAM_FLOPS,
  TSR_N_PROGRAM_FIGURES
} TsrProgramFigure;

typedef enum
{
  TSR_ROOT_CONTROL,
  TSR_ROOT_FUNCTION,
  TSR_ROOT_OTHER, /* another word in the file; or no root leads there */
  TSR_N_ROOT_KINDS
} TsrRootKind;

typedef struct
{
  guint32 program;
  guint32 step; /* compilation step, as in TsrProgramTables; TSR_NO_INDEX: there are none, or no
                   root leads there */
  TsrRootKind kind;
} TsrProgramRoot;

/* The stage of programs of @report must be ready, with its structure; liveness and execution are
 * used when they are there.  NULL and @error when cancelled, or TSR_ERROR_MISSING_PART.  Any
 * thread. */
TsrPrograms *tsr_programs_new (TsrReport *report, GCancellable *cancellable, GError **error);
/* The same from tables that somebody else keeps for as long as the programs live: for tests and
 * benches.  @liveness, @execution, @diagnostics (nullable). */
TsrPrograms *tsr_programs_new_from_tables (const TsrProgramTables *tables,
                                           const TsrLivenessTables *liveness,
                                           const TsrExecutionTables *execution,
                                           TsrDiagnostics *diagnostics,
                                           GCancellable *cancellable,
                                           GError **error);
TsrPrograms *tsr_programs_ref (TsrPrograms *self);
void tsr_programs_unref (TsrPrograms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrPrograms, tsr_programs_unref)

const TsrProgramTables *tsr_programs_get_tables (const TsrPrograms *self);
TsrReport *tsr_programs_get_report (const TsrPrograms *self); /* (nullable) */
guint32 tsr_programs_get_n (const TsrPrograms *self);

/* (transfer none): "OnTileExecute (model/stem/conv)"; without a name the type alone; what is no
 * type of ours "Unknown (text)".  The same text at the same address for the same type and name. */
const char *tsr_programs_get_label (const TsrPrograms *self, guint32 program);
/* (transfer none): the type as in the file, "" without one; the name, "" without one. */
const char *tsr_programs_get_type (const TsrPrograms *self, guint32 program);
const char *tsr_programs_get_name (const TsrPrograms *self, guint32 program);
/* The program of a row of steps: the one that it names, else the only one that executes its compute
 * set; TSR_NO_INDEX. */
guint32 tsr_programs_get_of_step (const TsrPrograms *self,
                                  const TsrExecutionTables *execution,
                                  guint32 step);
/* Row of the program with this id, or TSR_NO_INDEX. */
guint32 tsr_programs_find (const TsrPrograms *self, gint64 id);
/* The first one, by its place in the file, that executes a compute set of this name, or
 * TSR_NO_INDEX. */
guint32 tsr_programs_find_of_set (const TsrPrograms *self, const char *name);

gint64 tsr_programs_get (const TsrPrograms *self, guint32 program, TsrProgramFigure figure);
/* All cycles of the recorded steps: what shares are parts of.  TSR_UNKNOWN. */
gint64 tsr_programs_get_all_cycles (const TsrPrograms *self);
/* TRUE when all its recorded steps, two or more, have the cycles of one set of tiles: the profile
 * kept one execution and repeats it. */
gboolean tsr_programs_is_repeated (const TsrPrograms *self, guint32 program);
/* How often it executes what is below it: 1, a repeat's count, or TSR_UNKNOWN. */
gint64 tsr_programs_get_repeats (const TsrPrograms *self, guint32 program);

/* FALSE where the file does not tell which vertices the program is of: it executes a compute set
 * that has no row, or there is no row of compute_set_vertices at all.  TRUE of what has none. */
gboolean tsr_programs_tells_vertices (const TsrPrograms *self, guint32 program);

/* Edges of a program: [first, end). */
void
tsr_programs_get_edges (const TsrPrograms *self, guint32 program, guint32 *first, guint32 *end);
guint32 tsr_programs_get_child (const TsrPrograms *self, guint32 edge);
/* The program whose edge it is: O(log n). */
guint32 tsr_programs_find_parent (const TsrPrograms *self, guint32 edge);
/* (transfer full) (element-type guint32): @program and all that it leads to, each once. */
GArray *tsr_programs_find_below (const TsrPrograms *self, guint32 program);
gboolean tsr_programs_is_cut (const TsrPrograms *self, guint32 edge);
/* Edges that lead to a program and are not cut. */
guint32 tsr_programs_get_n_parents (const TsrPrograms *self, guint32 program);
/* The part of what is below the edge of @program that counts for it, 0..1; 0 of a cut one, and of
 * one from an earlier compilation step's tree to what is in a later one's, as that is what ran. The
 * parts of all edges to a program add up to 1. */
double tsr_programs_get_part (const TsrPrograms *self, guint32 program, guint32 edge);
/* (transfer none): n programs, each before all that lead to it by edges that are not cut. */
const guint32 *tsr_programs_peek_order (const TsrPrograms *self);

/* (transfer none): all roots: the latest compilation step first, in a step control programs, then
 * functions, in the file's order; then what no root leads to.  A file without roots: what nothing
 * leads to is a control program. */
const TsrProgramRoot *tsr_programs_peek_roots (const TsrPrograms *self, guint *n);
/* Roots of one compilation step; TSR_NO_INDEX: the latest (with what no root leads to): [first,
 * end). */
void tsr_programs_find_roots (const TsrPrograms *self, guint32 step, guint *first, guint *end);
/* (transfer none): "control", "function", "other"; translated for people. */
const char *tsr_root_kind_get_nick (TsrRootKind kind);
const char *tsr_root_kind_get_name (TsrRootKind kind);

/* (transfer full): for each program the sum of @self_weights, by program, and of @type_weights, by
 * vertex type of its compute set, over all that is below it, each program and each type once.
 * TSR_UNKNOWN where one of them is unknown or the sum does not fit.  NULL and @error: cancelled. */
gint64 *tsr_programs_sum_once (const TsrPrograms *self,
                               const gint64 *self_weights,
                               const gint64 *type_weights,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
