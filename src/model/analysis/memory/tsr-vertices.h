/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vertices, compute sets and exchanges: what code and state they have, where, and in which
 * programs. Figures over all tiles come from the tables' totals; those of some tiles from
 * tile_arrays, read with a connection of the calling thread.  Immutable after _new but for a cache
 * of arrays with a lock of its own; shared by reference between threads. */

#pragma once

#include "tsr-memory.h"

G_BEGIN_DECLS

typedef struct _TsrVertices TsrVertices;

/* The programs stage of @report must be ready. */
TsrVertices *tsr_vertices_new (TsrReport *report, TsrMemory *memory);
TsrVertices *tsr_vertices_ref (TsrVertices *self);
void tsr_vertices_unref (TsrVertices *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrVertices, tsr_vertices_unref)
const TsrProgramTables *tsr_vertices_get_tables (TsrVertices *self);
TsrMemory *tsr_vertices_get_memory (TsrVertices *self);

/* Reads numbers of every tile of a replica: n_tiles values, TSR_UNKNOWN where not told.  (transfer
 * full); NULL and @error when it cannot be read.  Any thread. */
gint64 *tsr_vertices_dup_array (TsrVertices *self, TsrTileArrayRef ref, GError **error);

/* Numbers of several arrays of tiles, with one connection for all of them and each array read once,
 * however many refer to it.  For one thread, shorter-lived than @vertices and @tiles (NULL: all,
 * from totals where the table tells them). */
typedef struct _TsrArrayReader TsrArrayReader;
TsrArrayReader *tsr_array_reader_new (TsrVertices *vertices,
                                      const guint *tiles,
                                      guint n_tiles,
                                      GCancellable *cancellable);
void tsr_array_reader_free (TsrArrayReader *self);
/* Sum and largest over the tiles; TSR_UNKNOWN when not told.  FALSE: cannot be read on, or
 * cancelled. */
gboolean tsr_array_reader_get (
    TsrArrayReader *self, TsrTileArrayRef ref, gint64 *sum, gint64 *maximum, GError **error);
/* The same numbers as tsr_vertices_dup_array. */
gint64 *tsr_array_reader_dup (TsrArrayReader *self, TsrTileArrayRef ref, GError **error);

/* One vertex type on @tiles (all tiles: NULL). */
typedef struct
{
  guint32 type;         /* row of the tables' vertex types */
  gint64 count;         /* instances in compute sets */
  gint64 state_bytes;   /* size x count */
  gint64 code_bytes;    /* once per tile that has it */
  guint n_compute_sets; /* that use it there */
} TsrVertexRow;
/* (transfer full) (element-type TsrVertexRow): by state + code, largest first, ties by name. */
GArray *tsr_vertices_list (TsrVertices *self,
                           const guint *tiles,
                           guint n_tiles,
                           GCancellable *cancellable,
                           GError **error);

/* One compute set on @tiles. */
typedef struct
{
  guint32 compute_set;
  gint64 count; /* instances of vertices */
  gint64 state_bytes;
  guint n_types;
  gint64 estimated_cycles; /* largest of the tiles */
  gint64 flops;            /* all tiles only, else TSR_UNKNOWN */
} TsrComputeSetRow;
GArray *tsr_vertices_list_compute_sets (TsrVertices *self,
                                        const guint *tiles,
                                        guint n_tiles,
                                        GCancellable *cancellable,
                                        GError **error);

/* One exchange: a program with code of its own for exchanging (internal, between IPUs, with the
 * host). A program that several parents have is one. */
typedef struct
{
  guint32 program;
  gint64 code_bytes;                /* on @tiles */
  gint64 executions, cycles, bytes; /* over all recorded steps, on the IPU where it took longest;
                                       bytes go in or out; TSR_UNKNOWN without an execution */
} TsrExchangeRow;
GArray *tsr_vertices_list_exchanges (TsrVertices *self,
                                     const guint *tiles,
                                     guint n_tiles,
                                     GCancellable *cancellable,
                                     GError **error);

/* (transfer full) (element-type guint32): rows of compute sets that use @vertex_type, ascending. */
GArray *tsr_vertices_dup_compute_sets_of (TsrVertices *self, guint vertex_type);

G_END_DECLS
