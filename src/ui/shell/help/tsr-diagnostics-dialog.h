/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was wrong with a report although it opened, as a list: severity, file, table, row, text.
 * Filter, copy all, and the structure of a file with unknown tables for a bug report. */

#pragma once

#include "tsr-report.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_DIAGNOSTICS_DIALOG (tsr_diagnostics_dialog_get_type ())
G_DECLARE_FINAL_TYPE (
    TsrDiagnosticsDialog, tsr_diagnostics_dialog, TSR, DIAGNOSTICS_DIALOG, AdwWindow)

TsrDiagnosticsDialog *tsr_diagnostics_dialog_new (GtkWindow *parent, TsrReport *report);
/* Number of rows that are shown; the list as text, as it is copied; for tests. */
guint tsr_diagnostics_dialog_get_n_shown (TsrDiagnosticsDialog *self);
void tsr_diagnostics_dialog_set_filter (TsrDiagnosticsDialog *self, const char *text);
char *tsr_diagnostics_dialog_dup_text (TsrDiagnosticsDialog *self);

G_END_DECLS
