/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a window shows while a report is open: side menu, bars, the pages and the status strip.
 * Pages are made when they are first shown.  Property "view" (int): the page that is shown. */

#pragma once

#include "tsr-page.h"
#include "tsr-sidebar.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_REPORT_VIEW (tsr_report_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrReportView, tsr_report_view, TSR, REPORT_VIEW, GtkWidget)

void tsr_report_view_set_session (TsrReportView *self, TsrSession *session);

/* Shows the page of @view; a view that has no page yet, or no data, is left alone (FALSE). */
gboolean tsr_report_view_show (TsrReportView *self, TsrView view);
/* The same with what is selected there and how it is shown (tsr-link.h): a step of its own in the
 * history. */
gboolean tsr_report_view_show_words (TsrReportView *self, GHashTable *words);
/* (transfer full): the page that is shown with its state. */
GHashTable *tsr_report_view_dup_words (TsrReportView *self);
/* (transfer none) (nullable) */
TsrPage *tsr_report_view_get_page (TsrReportView *self);
TsrSidebar *tsr_report_view_get_sidebar (TsrReportView *self);

/* Pages that were shown before this one, as in a browser, each with what was selected on it. */
gboolean tsr_report_view_can_go (TsrReportView *self, int by);
void tsr_report_view_go (TsrReportView *self, int by);

/* Forgets pages and history: for a report that is closed. */
void tsr_report_view_reset (TsrReportView *self);

/* A message above the pages with up to one button; NULL takes it away.  @key tells messages from
 * one another: "diagnostics", "changed", "reload". */
void tsr_report_view_set_bar (TsrReportView *self,
                              const char *key,
                              GtkMessageType type,
                              const char *text,
                              const char *button,
                              const char *action_name);
/* (transfer none) (nullable): its text while it is shown. */
const char *tsr_report_view_get_bar (TsrReportView *self, const char *key);

/* What the status strip says of the host that the report lies on; NULL: nothing.  A click shows the
 * popover. */
void tsr_report_view_set_remote_status (TsrReportView *self, const char *text);
const char *tsr_report_view_get_remote_status (TsrReportView *self);
void tsr_report_view_set_remote_popover (TsrReportView *self, GtkWidget *popover);

G_END_DECLS
