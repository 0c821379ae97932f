/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The home page: open a report, help, recent reports.  Its widgets fire win.* actions only. */

#pragma once

#include "tsr-recents.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_HOME (tsr_home_get_type ())
G_DECLARE_FINAL_TYPE (TsrHome, tsr_home, TSR, HOME, GtkWidget)

/* Number of recent reports that are shown now; for tests. */
guint tsr_home_get_n_shown (TsrHome *self);
void tsr_home_set_filter (TsrHome *self, const char *text);
/* FALSE until there are enough reports for a filter to make sense. */
gboolean tsr_home_has_filter (TsrHome *self);

G_END_DECLS
