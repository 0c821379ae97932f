/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two forms of the same controls, a wide and a narrow one (or nothing).  Which one is shown is
 * decided by the TsrControlRow that it is in. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_FOLD (tsr_fold_get_type ())
G_DECLARE_FINAL_TYPE (TsrFold, tsr_fold, TSR, FOLD, GtkWidget)

/* In a template: <child type="wide"> and <child type="narrow">.  Property "late" (boolean): it is
 * folded only after all that are not. */
GtkWidget *tsr_fold_new (GtkWidget *wide, GtkWidget *narrow);
gboolean tsr_fold_is_late (TsrFold *self);
gboolean tsr_fold_is_folded (TsrFold *self);
/* May be called while a place is given to the row. */
void tsr_fold_set_folded (TsrFold *self, gboolean folded);
/* Natural width of one form; 0 for a narrow one that is not there. */
int tsr_fold_get_width (TsrFold *self, gboolean folded);

G_END_DECLS
