/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The target: what the file says of it, and what follows from that. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* Fills @target from @row (nullable: there is none) and @n_tiles, the number of tiles of one
 * replica that the file has memory for (TSR_UNKNOWN when not counted).  With @assume the tiles per
 * IPU are guessed from @n_tiles when they are not told.  What contradicts itself stays as the file
 * says and is a diagnostic (@diagnostics nullable). */
void tsr_target_derive (TsrTarget *target,
                        const TsrTargetRow *row,
                        gint64 n_tiles,
                        gboolean assume,
                        TsrDiagnostics *diagnostics);
void tsr_target_clear (TsrTarget *target);

/* 1,472 or 1,216 when exactly one of them divides @n_tiles; else TSR_UNKNOWN. */
gint64 tsr_target_guess_tiles_per_ipu (gint64 n_tiles);

/* a x b, TSR_UNKNOWN when either is, is negative, or the product does not fit. */
gint64 tsr_multiply_known (gint64 a, gint64 b);

G_END_DECLS
