/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Details tree of the Memory page: the figures of a replica, of one tile or of several. */

#pragma once

#include "tsr-rows.h"

G_BEGIN_DECLS

/* A name, and columns: all tiles; up to TSR_DETAILS_MAX_TILES one column each (with "difference
 * from the median tile" when it is one); beyond: sum, mean, min, max, fullest tile of the
 * selection.  Rows have keys that do not depend on the tiles. */
#define TSR_DETAILS_MAX_TILES 6
TsrRows *tsr_memory_details_new (TsrMemory *memory, const guint *tiles, guint n_tiles);
/* With a column for every selected tile, however many: what is saved. */
TsrRows *tsr_memory_details_new_each (TsrMemory *memory, const guint *tiles, guint n_tiles);

G_END_DECLS
