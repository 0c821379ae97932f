/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The row of controls over a page: children from left to right at their natural widths, what
 * expands takes the rest.  Where they do not all fit, the TsrCompact children take their narrow
 * form, the first one first and late ones last; then everything shrinks, then the scope line is
 * left out, and where that is not enough, what comes after the expanding one goes into a second
 * line. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_CONTROL_ROW (tsr_control_row_get_type ())
G_DECLARE_FINAL_TYPE (TsrControlRow, tsr_control_row, TSR, CONTROL_ROW, GtkWidget)

G_END_DECLS
