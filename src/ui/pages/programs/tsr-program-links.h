/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ways from a program to other views of the window.  Where a view has nothing of it, a toast
 * says why.  @widget: in the window; @program: a row of the tables of @programs.  Main thread. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Its first step is selected, and all of its name are found. */
void tsr_program_links_show_in_trace (GtkWidget *widget,
                                      TsrSession *session,
                                      TsrPrograms *programs,
                                      guint32 program);
/* Its liveness steps; of what is below it the one with most bytes. */
void tsr_program_links_show_in_liveness (GtkWidget *widget,
                                         TsrSession *session,
                                         TsrPrograms *programs,
                                         guint32 program);
/* Its code with all below it on every tile, as colours of Memory's tile map; its compute set or
 * exchange in the tables, with the tiles that are selected there. */
void tsr_program_links_show_in_memory (GtkWidget *widget,
                                       TsrSession *session,
                                       TsrPrograms *programs,
                                       guint32 program);

G_END_DECLS
