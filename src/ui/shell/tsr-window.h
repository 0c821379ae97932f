/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A window: the home page, or one open report, or why it could not be opened. */

#pragma once

#include "tsr-application.h"
#include "tsr-remote-monitor.h"
#include "tsr-report-view.h"
#include "tsr-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_WINDOW (tsr_window_get_type ())
G_DECLARE_FINAL_TYPE (TsrWindow, tsr_window, TSR, WINDOW, AdwApplicationWindow)

TsrWindow *tsr_window_new (TsrApplication *application);

/* Opens the report at @path, a location behind ssh, or what a link (tsr-link.h) says, in this
 * window, in place of what is there, and goes to @view, or, with TSR_N_VIEWS, to the page that fits
 * the file that was asked for. */
void tsr_window_open (TsrWindow *self, const char *path, TsrView view);
/* TRUE on the home page: the window is free for a report. */
gboolean tsr_window_is_home (TsrWindow *self);
/* "home", "report", "error", "choice" or "opening". */
const char *tsr_window_get_state (TsrWindow *self);

/* (transfer none) (nullable): last location that was asked for; why it could not be opened, while
 * that is shown. */
const char *tsr_window_get_location (TsrWindow *self);
const GError *tsr_window_get_error (TsrWindow *self);

/* (transfer none): what is said of the host that the report lies on. */
TsrRemoteMonitor *tsr_window_get_remote (TsrWindow *self);

/* What a drop of @files (element-type GFile) does: the first opens here, the others in windows of
 * their own.  FALSE when there is none. */
gboolean tsr_window_drop (TsrWindow *self, GSList *files);

/* What a drop of text does: opens the path or link in its first line.  FALSE when it is neither. */
gboolean tsr_window_drop_text (TsrWindow *self, const char *text);

/* A message that goes by itself. */
void tsr_window_toast (TsrWindow *self, const char *text);

/* (transfer none): the palette that finds anything by name (Ctrl+K), a TsrSearchPopover. */
GtkPopover *tsr_window_get_search (TsrWindow *self);

TsrSettings *tsr_window_get_settings (TsrWindow *self);
TsrSession *tsr_window_get_session (TsrWindow *self);
TsrReportView *tsr_window_get_report_view (TsrWindow *self);

/* The actions of menus and of the home page: opening, help, preferences.  Called once. */
void tsr_window_add_actions (TsrWindow *self);

G_END_DECLS
