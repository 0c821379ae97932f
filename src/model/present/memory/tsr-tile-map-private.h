/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests ask of a tile map. */

#pragma once

#include "tsr-tile-map.h"

G_BEGIN_DECLS

/* Ink of @tile, and the bytes of it that do not fit (0: it fits, or that is not known). */
guint tsr_tile_map_get_tile_ink (TsrTileMap *self, guint32 tile);

G_END_DECLS
