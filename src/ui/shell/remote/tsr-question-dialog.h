/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One question of a connection, as a dialog: a password, the passphrase of a key file, the server's
 * own prompts, or whether a host key is the right one.  Says which host asks, and which hop of how
 * many it is.  What is typed lies in locked memory and is wiped when the dialog is answered.  What
 * happens by accident (Escape, closing, Enter on a host key) is no.
 *
 * Signal "answered", once: then the answers can be taken. */

#pragma once

#include "tsr-asker.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_QUESTION_DIALOG (tsr_question_dialog_get_type ())
G_DECLARE_FINAL_TYPE (
    TsrQuestionDialog, tsr_question_dialog, TSR, QUESTION_DIALOG, AdwMessageDialog)

/* @question is not kept; @banner (nullable): what the server said before. */
TsrQuestionDialog *
tsr_question_dialog_new (GtkWindow *parent, const TsrQuestion *question, const char *banner);
TsrQuestionDialog *tsr_question_dialog_new_for_host_key (GtkWindow *parent,
                                                         const TsrHostKeyQuestion *question);

/* TRUE when the user answered and did not give up; then @answers takes the secrets, once. */
gboolean tsr_question_dialog_take_answers (TsrQuestionDialog *self, TsrSecret **answers);
TsrHostKeyAnswer tsr_question_dialog_get_host_key_answer (TsrQuestionDialog *self);

/* What typing does, and what the buttons "cancel", "answer", "once" and "save" do: for tests. */
void tsr_question_dialog_type (TsrQuestionDialog *self, guint prompt, const char *text);
void tsr_question_dialog_respond (TsrQuestionDialog *self, const char *response);
/* (transfer full): everything that is written on it, for tests. */
char *tsr_question_dialog_dup_text (TsrQuestionDialog *self);

G_END_DECLS
