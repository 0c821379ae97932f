/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two forms of the same controls: the wide one is shown where it fits, else the narrow one (or
 * nothing).  It asks for the narrow one's width at least and for the wide one's at best. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_FOLD (tsr_fold_get_type ())
G_DECLARE_FINAL_TYPE (TsrFold, tsr_fold, TSR, FOLD, GtkWidget)

/* In a template: <child type="wide"> and <child type="narrow">. */
GtkWidget *tsr_fold_new (GtkWidget *wide, GtkWidget *narrow);
gboolean tsr_fold_is_folded (TsrFold *self);

G_END_DECLS
