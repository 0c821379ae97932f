/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two forms of the same controls, a wide and a narrow one (or nothing).  Which one is shown is
 * decided by the TsrControlRow that it is in. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_COMPACT (tsr_compact_get_type ())
G_DECLARE_FINAL_TYPE (TsrCompact, tsr_compact, TSR, COMPACT, GtkWidget)

/* In a template: <child type="wide"> and <child type="narrow">.  Property "late" (boolean): it is
 * made narrow only after all that are not. */
gboolean tsr_compact_is_late (TsrCompact *self);
/* May be called while a place is given to the row. */
void tsr_compact_set_narrow (TsrCompact *self, gboolean narrow);
/* Natural width of one form; 0 for a narrow one that is not there. */
int tsr_compact_get_width (TsrCompact *self, gboolean narrow);

G_END_DECLS
