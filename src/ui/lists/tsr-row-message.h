/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stands in the place of rows: a title, a text, how far
 * reading has come, and a button that clears the filter. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_ROW_MESSAGE (tsr_row_message_get_type ())
G_DECLARE_FINAL_TYPE (TsrRowMessage, tsr_row_message, TSR, ROW_MESSAGE, GtkWidget)

/* Emits "clear" when its button is clicked. */
TsrRowMessage *tsr_row_message_new (void);
/* @title (nullable) and @text (nullable): a part that is NULL takes no place.  The button is there
 * when
 * @can_clear. */
void
tsr_row_message_set (TsrRowMessage *self, const char *title, const char *text, gboolean can_clear);
/* Below them a line on how far @session (nullable: without stages) has come with the reading of
 * @stages (a bit each; 0: none). */
void tsr_row_message_set_stages (TsrRowMessage *self, TsrSession *session, guint stages);

G_END_DECLS
