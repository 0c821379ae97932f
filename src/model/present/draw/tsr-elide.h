/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is shown of a name that has no room: whole parts of a path, so that no word is cut, and of
 * those the ones by which it differs from the names around it. Values; any thread. */

#pragma once

#include "tsr-chart-model.h"

G_BEGIN_DECLS

/* Width of @text, in any unit. */
typedef double (*TsrElideMeasure) (gpointer data, const char *text);

/* (transfer full) (nullable): what is shown of @text (UTF-8) in @room beside @others (UTF-8, may
 * hold @text itself), which have as much.  All of it; else the first of these in which no other
 * that has no room either reads the same:
 *
 *   Gradient/…/Grad/Convolve     first and last parts
 *   …/conv2/Grad/Convolve        last parts
 *   …/layer1/attention/…         what differs, and parts after it
 *   Grad…/Convolve               what differs, cut, and the last parts
 *
 * Of "Type (Gradient/.../Convolve)" the type and what is behind the bracket stay, where they leave
 * room for a word.  Where one part alone is too long it is cut, in its middle and nowhere else:
 * "Transp…rePre"; NULL when there is no room for three characters of it.  O(n_others) and some
 * measurements for each part. */
char *tsr_elide_dup (const char *text,
                     const char *const *others,
                     guint n_others,
                     double room,
                     TsrElideMeasure measure,
                     gpointer data);

/* (transfer full) (nullable): the same for a label in a bar, @room logical pixels wide, with
 * nothing to be told from. */
char *tsr_elide_dup_label (const char *text,
                           double font_size,
                           double room,
                           const TsrTextMeasure *measure);

G_END_DECLS
