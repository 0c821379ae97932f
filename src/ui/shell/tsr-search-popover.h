/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ctrl+K: an entry and what it finds in the report that is open, while one types.  A search runs in
 * a worker; the next letter cancels it.  What is chosen is shown by the window's action win.go.
 * Main thread. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_SEARCH_POPOVER (tsr_search_popover_get_type ())
G_DECLARE_FINAL_TYPE (TsrSearchPopover, tsr_search_popover, TSR, SEARCH_POPOVER, GtkPopover)

TsrSearchPopover *tsr_search_popover_new (TsrSession *session);

/* What typing and Return do. */
void tsr_search_popover_set_text (TsrSearchPopover *self, const char *text);
/* @other_view: as with Shift, a variable in Memory. */
void tsr_search_popover_activate (TsrSearchPopover *self, gboolean other_view);

/* TRUE until the last hit is there. */
gboolean tsr_search_popover_is_busy (TsrSearchPopover *self);
guint tsr_search_popover_get_n_found (TsrSearchPopover *self);
/* (transfer none): name as shown at @position. */
const char *tsr_search_popover_get_name (TsrSearchPopover *self, guint position);
/* (transfer full): where @position leads, as words of win.go: to a page that shows it; NULL only
 * for a context that no program has.  *note (transfer full) (optional): what is shown instead, or
 * what of the selection had to go for that; NULL when nothing did. */
char *tsr_search_popover_dup_target (TsrSearchPopover *self,
                                     guint position,
                                     gboolean other_view,
                                     char **note);

G_END_DECLS
