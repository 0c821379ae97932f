/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keys and mouse of the X server that the test runs on: what a person does reaches the widget that
 * has the keyboard, or is under the pointer, as GTK finds it. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* FALSE: there is no X server, or no libXtst (which comes with xdotool). */
gboolean real_input_init (void);
/* Gives @window the keyboard: there is no window manager. */
void real_input_focus (GtkWindow *window);
/* Presses and releases an accelerator, "<Control>c"; it was handled when this returns. */
void real_input_key (const char *accelerator);
/* In coordinates of @widget, whose window stands where the server put it: 0, 0. */
void real_input_move (GtkWidget *widget, double x, double y);
/* Where the pointer is, with modifiers @held (0: none).  @button: 4 and 5 turn the wheel. */
void real_input_click (guint button, guint times, GdkModifierType held);
/* From where the pointer is to there. */
void real_input_drag (GtkWidget *widget, double x, double y, GdkModifierType held);

G_END_DECLS
