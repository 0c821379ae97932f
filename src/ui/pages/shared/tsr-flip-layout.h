/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Children side by side, all as high as the highest, where there is room; one under the other where
 * there is not. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_FLIP_LAYOUT (tsr_flip_layout_get_type ())
G_DECLARE_FINAL_TYPE (TsrFlipLayout, tsr_flip_layout, TSR, FLIP_LAYOUT, GtkLayoutManager)

/* Side by side from @width on.  @first_share: of the width, for the first child, the second has
 * the rest and what follows stands below that; 0: all the same.  @stretch: side by side they are
 * all as high as the highest, else each as high as it wants to be.  The last one, if it expands,
 * takes the height that is left. */
GtkLayoutManager *
tsr_flip_layout_new (int width, double first_share, gboolean stretch, int spacing);
/* From @width on what follows the second child stands below the first. */
void tsr_flip_layout_set_under (TsrFlipLayout *self, int width);

G_END_DECLS
