/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the Memory page says in words: parts of the scope line, the status strip.  Every function
 * gives (transfer full) translated text. */

#pragma once

#include "tsr-memory.h"
#include "tsr-report.h"
#include "tsr-units.h"

G_BEGIN_DECLS

/* "Tile 1806 · IPU 1 · 612,864 B including gaps · 598,012 B excluding gaps · 95.91 % full". */
char *tsr_memory_texts_tile (TsrMemory *memory, guint tile);
/* "3 tiles: 1.75 MiB including gaps, mean 597 KiB, fullest tile 1806 (612 KiB)", of @metric, which
 * is left out where another place has @told it; of all tiles when none is selected. */
char *tsr_memory_texts_selection (TsrMemory *memory,
                                  TsrMetric metric,
                                  gboolean told,
                                  const guint *tiles,
                                  guint n_tiles,
                                  TsrUnits units);
/* "2,944 tiles on 2 IPUs", with "assumed" where the file does not tell it. */
char *tsr_memory_texts_tiles (TsrMemory *memory);
/* "no selection: all tiles", "selection: tile 7", "selection: tiles 5, 10–20 (12)". */
char *tsr_memory_texts_scope_selection (const guint *tiles, guint n_tiles);
/* What one replica is and how many the report has; @summary (nullable). */
char *tsr_memory_texts_replicas (const TsrSummary *summary, TsrMemory *memory);

G_END_DECLS
