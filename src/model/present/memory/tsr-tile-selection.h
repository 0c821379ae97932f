/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The selected tiles of a window: one object that the chart, the tile entry, the details and later
 * pages share. Main thread.  Signal "changed". */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define TSR_TYPE_TILE_SELECTION (tsr_tile_selection_get_type ())
G_DECLARE_FINAL_TYPE (TsrTileSelection, tsr_tile_selection, TSR, TILE_SELECTION, GObject)

/* What a chart's selecting does with what was selected before. */
typedef enum
{
  TSR_SELECT_REPLACE,
  TSR_SELECT_TOGGLE,
  TSR_SELECT_ADD,
  TSR_SELECT_CLEAR, /* whatever is given */
} TsrSelectMode;

TsrTileSelection *tsr_tile_selection_new (void);
/* (transfer full) (nullable): another one with the same tiles; NULL of @self NULL. */
TsrTileSelection *tsr_tile_selection_copy (TsrTileSelection *self);
/* (transfer none): ascending. */
const guint *tsr_tile_selection_peek (TsrTileSelection *self, guint *n_tiles);
gboolean tsr_tile_selection_contains (TsrTileSelection *self, guint tile);
void
tsr_tile_selection_set (TsrTileSelection *self, const guint *tiles, guint n_tiles); /* any order */
void tsr_tile_selection_toggle (TsrTileSelection *self, guint tile);
void tsr_tile_selection_add (TsrTileSelection *self, const guint *tiles, guint n_tiles);
void tsr_tile_selection_clear (TsrTileSelection *self);
void tsr_tile_selection_change (TsrTileSelection *self,
                                TsrSelectMode mode,
                                const guint *tiles,
                                guint n_tiles);

G_END_DECLS
