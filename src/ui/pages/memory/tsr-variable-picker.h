/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chosen variables as a row of chips, each taken away with a click, and a button that finds more:
 * a filter over all names, the largest first.  Signal "changed".  Main thread. */

#pragma once

#include "tsr-variables.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_VARIABLE_PICKER (tsr_variable_picker_get_type ())
G_DECLARE_FINAL_TYPE (TsrVariablePicker, tsr_variable_picker, TSR, VARIABLE_PICKER, GtkWidget)

/* At most this many names stand in the list. */
#define TSR_PICKER_SUGGESTIONS 60

void tsr_variable_picker_set_variables (TsrVariablePicker *self, TsrVariables *variables);
void tsr_variable_picker_set_units (TsrVariablePicker *self, TsrUnits units);
/* Names; those that the report does not have are kept, but are no chips. */
void tsr_variable_picker_set_names (TsrVariablePicker *self, const char *const *names);
const char *const *tsr_variable_picker_peek_names (TsrVariablePicker *self);
/* (transfer full) (element-type guint32): entries of the chosen ones that are there. */
GArray *tsr_variable_picker_dup_chosen (TsrVariablePicker *self);
/* Adds or takes away, as a click in the list does. */
void tsr_variable_picker_toggle (TsrVariablePicker *self, const char *name);
/* (transfer full) (element-type guint32): what the list shows for @text. */
GArray *tsr_variable_picker_suggest (TsrVariablePicker *self, const char *text);
void tsr_variable_picker_popup (TsrVariablePicker *self);

G_END_DECLS
