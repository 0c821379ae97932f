/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs under the liveness graph: a table each (TsrLivenessQuestion), of which only the one
 * that is shown is computed, in a worker.  They follow the session's selected steps and variables,
 * and selecting rows of variables selects those for the whole window.  The Lifetimes tab holds what
 * the page puts there.
 *
 * Rows of groups are selected here only.
 *
 * Signals: "tab-changed"; "peak-changed": the user chose another peak to take apart;
 * "groups-changed"; "toast" (char *). */

#pragma once

#include "tsr-liveness-groups.h"
#include "tsr-liveness-tab-info.h"
#include "tsr-row-view.h"
#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_LIVENESS_TABS (tsr_liveness_tabs_get_type ())
G_DECLARE_FINAL_TYPE (TsrLivenessTabs, tsr_liveness_tabs, TSR, LIVENESS_TABS, GtkWidget)

TsrLivenessTabs *tsr_liveness_tabs_new (void);
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

void tsr_liveness_tabs_set_tab (TsrLivenessTabs *self, TsrLivenessTab tab);
TsrLivenessTab tsr_liveness_tabs_get_tab (TsrLivenessTabs *self);

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
/* Cycles by tile; A to B only what dies. */
void tsr_liveness_tabs_set_mode (TsrLivenessTabs *self, TsrLivenessTab tab, gboolean second);
gboolean tsr_liveness_tabs_get_mode (TsrLivenessTabs *self, TsrLivenessTab tab);

/* (transfer none) (element-type TsrLivenessGroup): those that are selected; never changed, another
 * array takes its place. */
GPtrArray *tsr_liveness_tabs_peek_groups (TsrLivenessTabs *self);
/* Selects the groups of @tab that have these names, now or when there are any. (nullable) */
void tsr_liveness_tabs_select_groups (TsrLivenessTabs *self,
                                      TsrLivenessTab tab,
                                      const char *const *names);

/* (transfer none): box of the Lifetimes tab; hides that tab. */
GtkBox *tsr_liveness_tabs_get_lifetimes_box (TsrLivenessTabs *self);
void tsr_liveness_tabs_set_lifetimes_visible (TsrLivenessTabs *self, gboolean visible);

/* (transfer none) (nullable), for actions and tests. */
TsrRowView *tsr_liveness_tabs_get_view (TsrLivenessTabs *self, TsrLivenessTab tab);
gboolean tsr_liveness_tabs_is_busy (TsrLivenessTabs *self);

G_END_DECLS
