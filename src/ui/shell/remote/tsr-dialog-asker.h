/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who answers the connections' questions: dialogs.  A question is shown on the window that waits
 * for its connection (of several the active one, else the one that began last), where nobody waits
 * for it on the active one, one at a time for each window; one that nobody can be
 * shown is answered with no.  When a window closes, its question goes to another one that waits, or
 * is given up.  Questions come from any thread; everything else is for the main thread. */

#pragma once

#include "tsr-connection.h"
#include "tsr-question-dialog.h"

G_BEGIN_DECLS

#define TSR_TYPE_DIALOG_ASKER (tsr_dialog_asker_get_type ())
G_DECLARE_FINAL_TYPE (TsrDialogAsker, tsr_dialog_asker, TSR, DIALOG_ASKER, TsrAsker)

/* @application is not kept alive: without it everything is answered with no. */
TsrDialogAsker *tsr_dialog_asker_new (GtkApplication *application);

/* @window waits for @connection (nullable: for whichever asks) from now on, and does not any more.
 * Each begin has its end; a window that is destroyed ends by itself. */
void tsr_dialog_asker_begin (TsrDialogAsker *self, GtkWindow *window, TsrConnection *connection);
void tsr_dialog_asker_end (TsrDialogAsker *self, GtkWindow *window, TsrConnection *connection);

/* (transfer none) (nullable): the dialog that has been shown longest; number of questions that are
 * shown or wait.  For tests. */
TsrQuestionDialog *tsr_dialog_asker_get_dialog (TsrDialogAsker *self);
guint tsr_dialog_asker_get_n_questions (TsrDialogAsker *self);

G_END_DECLS
