/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The home page: open a report, help, recent reports. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_HOME (tsr_home_get_type ())
G_DECLARE_FINAL_TYPE (TsrHome, tsr_home, TSR, HOME, GtkWidget)

G_END_DECLS
