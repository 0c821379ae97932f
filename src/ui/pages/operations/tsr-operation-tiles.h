/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code or cycles of an operation on each tile, as a chart beside the table that it is drawn of.
 * Main thread. */

#pragma once

#include "tsr-plane.h"
#include "tsr-row-view.h"

G_BEGIN_DECLS

#define TSR_TYPE_OPERATION_TILES (tsr_operation_tiles_get_type ())
G_DECLARE_FINAL_TYPE (TsrOperationTiles, tsr_operation_tiles, TSR, OPERATION_TILES, GtkWidget)

/* Takes @table in.  @bytes: columns are bytes that stand on each other; else cycles, of which one
 * column is shown at a time. */
TsrOperationTiles *tsr_operation_tiles_new (TsrRowView *table, gboolean bytes);
/* Once. */
void tsr_operation_tiles_set_session (TsrOperationTiles *self, TsrSession *session);
/* @rows (nullable): of the table, with the column "tile"; @name: of the operation; @note
 * (nullable): what they do not tell. */
void tsr_operation_tiles_set_rows (TsrOperationTiles *self,
                                   TsrRows *rows,
                                   const char *name,
                                   const char *note);
/* (transfer none), for tests: NULL without rows. */
TsrPlane *tsr_operation_tiles_get_chart (TsrOperationTiles *self);

G_END_DECLS
