/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The side menu of a report: its views, then Reload, Close report and Help.  Labels or icons only.
 * A view without data stays there; a click on it says what is missing.  Signal "view-activated"
 * (TsrView). */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_SIDEBAR (tsr_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (TsrSidebar, tsr_sidebar, TSR, SIDEBAR, GtkWidget)

void tsr_sidebar_set_session (TsrSidebar *self, TsrSession *session);
void tsr_sidebar_set_expanded (TsrSidebar *self, gboolean expanded);
gboolean tsr_sidebar_is_expanded (TsrSidebar *self);
/* Marks @view as the one that is shown. */
void tsr_sidebar_set_current (TsrSidebar *self, TsrView view);
/* What a click on the row of @view does. */
void tsr_sidebar_activate (TsrSidebar *self, TsrView view);
/* FALSE for a view that the report has no data for; *why (transfer full) (nullable): what is
 * missing. */
gboolean tsr_sidebar_is_available (TsrSidebar *self, TsrView view, char **why);
/* (transfer none) (nullable): the text that explains a missing view, while it is shown. */
const char *tsr_sidebar_get_explanation (TsrSidebar *self);

G_END_DECLS
