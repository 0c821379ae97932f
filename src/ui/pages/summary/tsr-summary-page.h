/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Summary: does it fit, what it ran on, what was recorded, which files there are. */

#pragma once

#include "tsr-page.h"
#include "tsr-row-view.h"

G_BEGIN_DECLS

#define TSR_TYPE_SUMMARY_PAGE (tsr_summary_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrSummaryPage, tsr_summary_page, TSR, SUMMARY_PAGE, TsrPage)

/* (transfer none) (nullable): what is shown, for tests: the value beside @label in the card
 * @section; the verdict; the rows of the options. */
const char *
tsr_summary_page_get_value (TsrSummaryPage *self, const char *section, const char *label);
const char *tsr_summary_page_get_verdict (TsrSummaryPage *self);
TsrRowView *tsr_summary_page_get_options (TsrSummaryPage *self);
void tsr_summary_page_set_filter (TsrSummaryPage *self, const char *text, gboolean recording_only);

G_END_DECLS
