/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs of Operations (TsrTabs): what belongs to the selected operation; without one, what all
 * come to.  Main thread. */

#pragma once

#include "tsr-operation-tiles.h"
#include "tsr-roofline-view.h"
#include "tsr-tabs.h"

G_BEGIN_DECLS

/* In their order. */
typedef enum
{
  TSR_OPERATION_DETAIL_SUMMARY,
  TSR_OPERATION_DETAIL_PROGRAMS,
  TSR_OPERATION_DETAIL_CODE,
  TSR_OPERATION_DETAIL_CYCLES,
  TSR_OPERATION_DETAIL_STEPS,
  TSR_OPERATION_DETAIL_FLOPS,
  TSR_OPERATION_DETAIL_VARIABLES,
  TSR_OPERATION_DETAIL_PRODUCERS,
  TSR_OPERATION_DETAIL_CONSUMERS,
  TSR_OPERATION_DETAIL_DEBUG,
  TSR_OPERATION_N_DETAILS
} TsrOperationDetail;
const char *tsr_operation_detail_get_nick (guint detail);

#define TSR_TYPE_OPERATION_TABS (tsr_operation_tabs_get_type ())
G_DECLARE_FINAL_TYPE (TsrOperationTabs, tsr_operation_tabs, TSR, OPERATION_TABS, TsrTabs)

/* Once. */
void tsr_operation_tabs_set_session (TsrOperationTabs *self, TsrSession *session);
/* Those of the table (nullable), and the selected one, or TSR_NO_INDEX. */
void tsr_operation_tabs_set_operation (TsrOperationTabs *self,
                                       TsrOperations *operations,
                                       guint operation);
/* (transfer none), for tests: that of the code or of the cycles. */
TsrOperationTiles *tsr_operation_tabs_get_tiles (TsrOperationTabs *self, TsrOperationDetail detail);

/* (transfer none): whose "select" the page follows. */
TsrRooflineView *tsr_operation_tabs_get_roofline (TsrOperationTabs *self);

G_END_DECLS
