/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Derives the description of the target from what the file has. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* Fills @target from @row (nullable) and @n_tiles, the number of tiles of one replica for which the
 * file has memory (TSR_UNKNOWN if not counted).  With @assume, a missing number of tiles per IPU is
 * guessed from @n_tiles.  Contradictions stay as in the file, with a diagnostic (@diagnostics
 * nullable). */
void tsr_target_derive (TsrTarget *target,
                        const TsrTargetRow *row,
                        gint64 n_tiles,
                        gboolean assume,
                        TsrDiagnostics *diagnostics);
void tsr_target_clear (TsrTarget *target);

/* 1,472 or 1,216 if exactly one of them divides @n_tiles; else TSR_UNKNOWN. */
gint64 tsr_target_guess_tiles_per_ipu (gint64 n_tiles);

/* a x b; TSR_UNKNOWN if either is unknown or negative, or if the product overflows. */
gint64 tsr_multiply_known (gint64 a, gint64 b);

G_END_DECLS
