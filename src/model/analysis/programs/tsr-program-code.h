/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code bytes of programs on single tiles: of all programs on one tile, and of one program on all
 * tiles.  Read from tile_arrays.  Immutable, shared by reference between threads. */

#pragma once

#include "tsr-programs.h"
#include "tsr-vertices.h"

G_BEGIN_DECLS

typedef struct _TsrProgramCode TsrProgramCode;

/* Of all programs on @tile of the replica; reads every array of code once.  NULL and @error when
 * cancelled or when one cannot be read.  Any thread. */
TsrProgramCode *tsr_program_code_new (TsrPrograms *programs,
                                      TsrVertices *vertices,
                                      guint tile,
                                      GCancellable *cancellable,
                                      GError **error);
TsrProgramCode *tsr_program_code_ref (TsrProgramCode *self);
void tsr_program_code_unref (TsrProgramCode *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrProgramCode, tsr_program_code_unref)

/* Bytes on the tile, or TSR_UNKNOWN: by itself (control without the children's, exchange, vertex
 * types of its compute set); and with all below it, each program and type once. */
gint64 tsr_program_code_get_self (const TsrProgramCode *self, guint32 program);
/* The first without vertices, and the code of one vertex type. */
gint64 tsr_program_code_get_own (const TsrProgramCode *self, guint32 program);
gint64 tsr_program_code_get_type (const TsrProgramCode *self, guint32 type);
gint64 tsr_program_code_get_total (const TsrProgramCode *self, guint32 program);

/* The tile with most memory (TsrMemory's fullness, ties to the lower): "the worst tile"; 0 where
 * nothing is known. */
guint tsr_program_code_find_worst_tile (TsrMemory *memory);

/* What a program takes of each tile. */
typedef enum
{
  TSR_CODE_CONTROL, /* bytes of code */
  TSR_CODE_EXCHANGE,
  TSR_CODE_VERTEX,
  TSR_N_CODE_KINDS,
  TSR_TILE_RECEIVED = TSR_N_CODE_KINDS, /* bytes */
  TSR_TILE_SENT,                        /* bytes */
  TSR_TILE_ESTIMATED,                   /* cycles */
  TSR_N_TILE_FIGURES
} TsrTileFigure;
/* (transfer full): @figure of each tile of a replica, TSR_UNKNOWN where not told; of @program
 * alone, or (@below) with all below it, each program and type once.  NULL and @error when cancelled
 * or when it cannot be read.  Any thread. */
gint64 *tsr_programs_dup_by_tile (TsrPrograms *programs,
                                  TsrVertices *vertices,
                                  guint32 program,
                                  TsrTileFigure figure,
                                  gboolean below,
                                  GCancellable *cancellable,
                                  GError **error);

G_END_DECLS
