/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Check buttons below each other, each for a word, with headings between them: what a popover of
 * columns or types has.  What is checked is somebody else's, who hears what the user did.  Main
 * thread.
 *
 * Signal "toggled" (char *word, gboolean checked): by the user. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_CHECK_LIST (tsr_check_list_get_type ())
G_DECLARE_FINAL_TYPE (TsrCheckList, tsr_check_list, TSR, CHECK_LIST, GtkWidget)

/* Texts are translated; @tooltip (nullable). */
void tsr_check_list_add_heading (TsrCheckList *self, const char *text);
void
tsr_check_list_add (TsrCheckList *self, const char *word, const char *label, const char *tooltip);
gboolean tsr_check_list_is_empty (TsrCheckList *self);
void tsr_check_list_clear (TsrCheckList *self);
/* FALSE when there are buttons and none is for one of @words. */
gboolean tsr_check_list_knows_any (TsrCheckList *self, const char *const *words);
/* Checks these and no others, or (@but) all but these; nothing is emitted. */
void tsr_check_list_set_checked (TsrCheckList *self, const char *const *words, gboolean but);
/* (transfer full): @words without "", and with @word at their end or without it. */
GStrv tsr_check_list_dup_words (const char *const *words, const char *word, gboolean with);

G_END_DECLS
