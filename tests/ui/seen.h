/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is to be seen of widgets, told as text: the tree of what is shown with each property that is
 * not as usual, what it listens to, what is said of it to those who cannot see it; and what is
 * drawn, as GTK writes it down.
 *
 * A walk notes one state after the other under a name, and at its end compares them with the list
 * that was looked at (golden.h), @folder/NAME.txt.  GTK's own widgets are in it, and the places of
 * letters: where GTK is not 4.8 or its font is not Cantarell, states are gone through and not
 * compared.
 *
 * With TESSERA_GOLDEN=1 the list is written anew, and with TESSERA_PICTURES=FOLDER a picture of
 * each state: who does the one looks at the other. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Says more of @widget than is seen of it, in lines. */
typedef void (*SeenMore) (GtkWidget *widget, GString *out);

/* Nothing moves by itself from here on.  After GTK was initialised. */
void seen_init (void);

/* @path: of the list, below tests. */
void seen_begin (const char *path);
/* Waits until what is seen of @widget, and what @more (nullable) says, is what the list has under
 * that name, or, where there is none to compare with, until it stands still.  The test ends when it
 * stays another. */
void seen_note (GtkWidget *widget, SeenMore more, const char *format, ...) G_GNUC_PRINTF (3, 4);
void seen_end (void);

/* @text is written as @name: what is another each time. */
void seen_replace (const char *text, const char *name);

G_END_DECLS
