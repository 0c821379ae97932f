/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs under the liveness graph (TsrTabs).  The Lifetimes tab holds what the page puts there.
 * Rows of groups are selected here only.
 *
 * Signals: "peak-changed": the user chose another peak to take apart; "groups-changed". */

#pragma once

#include "tsr-liveness-groups.h"
#include "tsr-tabs.h"

G_BEGIN_DECLS

#define TSR_TYPE_LIVENESS_TABS (tsr_liveness_tabs_get_type ())
G_DECLARE_FINAL_TYPE (TsrLivenessTabs, tsr_liveness_tabs, TSR, LIVENESS_TABS, TsrTabs)

/* Once.  @options are the page's. */
void
tsr_liveness_tabs_set_session (TsrLivenessTabs *self, TsrSession *session, TsrViewState *options);
/* (nullable): the source that is shown, which must be one that the session's liveness can show. */
void tsr_liveness_tabs_set_source (TsrLivenessTabs *self, const TsrLivenessSource *source);
/* The peaks of that source (element-type TsrPeak) (nullable). */
void tsr_liveness_tabs_set_peaks (TsrLivenessTabs *self, GArray *peaks);
void tsr_liveness_tabs_set_include_always_live (TsrLivenessTabs *self, gboolean include);
/* Place of the peak that the Peak tab takes apart. */
void tsr_liveness_tabs_set_peak (TsrLivenessTabs *self, guint place);
guint tsr_liveness_tabs_get_peak (TsrLivenessTabs *self);

/* (transfer none) (element-type TsrLivenessGroup): those that are selected; never changed, another
 * array takes its place. */
GPtrArray *tsr_liveness_tabs_peek_groups (TsrLivenessTabs *self);
/* The groups that the options name for the tab that is shown are selected, now or when there are
 * any. */
void tsr_liveness_tabs_show_groups (TsrLivenessTabs *self);

G_END_DECLS
