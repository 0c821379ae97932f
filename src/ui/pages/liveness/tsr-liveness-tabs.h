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

/* Once. */
void tsr_liveness_tabs_set_session (TsrLivenessTabs *self, TsrSession *session);
/* (nullable): the source that is shown, which must be one that the session's liveness can show. */
void tsr_liveness_tabs_set_source (TsrLivenessTabs *self, const TsrLivenessSource *source);
/* The peaks of that source (element-type TsrPeak) (nullable). */
void tsr_liveness_tabs_set_peaks (TsrLivenessTabs *self, GArray *peaks);
void tsr_liveness_tabs_set_include_always_live (TsrLivenessTabs *self, gboolean include);
/* Place of the peak that the Peak tab takes apart. */
void tsr_liveness_tabs_set_peak (TsrLivenessTabs *self, guint place);
/* The same, when there are peaks. */
void tsr_liveness_tabs_want_peak (TsrLivenessTabs *self, guint place);
guint tsr_liveness_tabs_get_peak (TsrLivenessTabs *self);

/* What a row of the table in @tab is; depth of name prefixes. */
void tsr_liveness_tabs_set_grouping (TsrLivenessTabs *self,
                                     TsrLivenessTab tab,
                                     TsrLivenessBy by,
                                     guint depth);
/* FALSE when its rows are not grouped. */
gboolean tsr_liveness_tabs_get_grouping (TsrLivenessTabs *self,
                                         TsrLivenessTab tab,
                                         TsrLivenessBy *by,
                                         guint *depth);
/* Cycles by tile; A to B only what dies; nothing in other tabs. */
void tsr_liveness_tabs_set_mode (TsrLivenessTabs *self, TsrLivenessTab tab, gboolean second);
gboolean tsr_liveness_tabs_get_mode (TsrLivenessTabs *self, TsrLivenessTab tab);

/* (transfer none) (element-type TsrLivenessGroup): those that are selected; never changed, another
 * array takes its place. */
GPtrArray *tsr_liveness_tabs_peek_groups (TsrLivenessTabs *self);
/* Selects the groups of @tab that have these names, now or when there are any. (nullable) */
void tsr_liveness_tabs_select_groups (TsrLivenessTabs *self,
                                      TsrLivenessTab tab,
                                      const char *const *names);

G_END_DECLS
