/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Liveness report: what is live at each program step of a source, as a graph; what it is made
 * of, in tabs; and when each variable is live. */

#pragma once

#include "tsr-chart.h"
#include "tsr-lifetime-view.h"
#include "tsr-liveness-chart.h"
#include "tsr-liveness-tabs.h"
#include "tsr-page.h"
#include "tsr-source-chooser.h"
#include "tsr-split.h"
#include "tsr-step-filter.h"

G_BEGIN_DECLS

#define TSR_TYPE_LIVENESS_PAGE (tsr_liveness_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrLivenessPage, tsr_liveness_page, TSR, LIVENESS_PAGE, TsrPage)

/* Actions: liveness.include-always-live, .from-zero, .show-max, .structure, .statistics,
 * .lifetimes (booleans), .tab (nick), .source (text), .edit-source, .filter-steps, .next-match,
 * .previous-match, .peaks, .peak-1 to .peak-9, .add-peak-1 to .add-peak-9, .clear-selection,
 * .show-in-programs, .show-in-operations, .save-table, .copy-table. */

TsrLifetimeView *tsr_liveness_page_get_lifetimes (TsrLivenessPage *self);
/* (nullable): what is drawn; NULL while it is computed for the first time. */
TsrLivenessChart *tsr_liveness_page_get_model (TsrLivenessPage *self);
/* (transfer none) (element-type TsrPeak) (nullable) */
GArray *tsr_liveness_page_get_peaks (TsrLivenessPage *self);
gboolean tsr_liveness_page_is_busy (TsrLivenessPage *self);

G_END_DECLS
