/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A program on each tile of a replica, as a chart: its code by kind, what one execution receives
 * and sends, and its estimated cycles; of the program alone or with all below it.  Read in a worker
 * while it can be seen.  Tiles are selected together with the window's.  Main thread. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_PROGRAM_TILES (tsr_program_tiles_get_type ())
G_DECLARE_FINAL_TYPE (TsrProgramTiles, tsr_program_tiles, TSR, PROGRAM_TILES, GtkWidget)

TsrProgramTiles *tsr_program_tiles_new (void);
/* Once. */
void tsr_program_tiles_set_session (TsrProgramTiles *self, TsrSession *session);
/* Row of the program tables, or TSR_NO_INDEX. */
void tsr_program_tiles_set_program (TsrProgramTiles *self, guint32 program);
gboolean tsr_program_tiles_is_busy (TsrProgramTiles *self);

G_END_DECLS
