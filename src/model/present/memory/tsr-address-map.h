/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The address map: every allocation of one tile at its offset, in rows of memory elements of 16
 * KiB, overlapping ones in lanes, gaps hatched, the border of the interleaved region drawn.  With a
 * liveness step only what is live at it is in full colour; the rest is an outline.  A datum is an
 * allocation: its row in TsrLoweredTables. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-liveness.h"
#include "tsr-step-selection.h"

G_BEGIN_DECLS

#define TSR_TYPE_ADDRESS_MAP (tsr_address_map_get_type ())
G_DECLARE_FINAL_TYPE (TsrAddressMap, tsr_address_map, TSR, ADDRESS_MAP, TsrChartModel)

typedef enum
{
  TSR_ADDRESS_BY_CATEGORY,
  TSR_ADDRESS_BY_LIFE,
} TsrAddressColour;

TsrAddressMap *tsr_address_map_new (TsrLiveness *liveness, TsrStepSelection *selection);
/* TSR_NO_INDEX: nothing. */
void tsr_address_map_set_tile (TsrAddressMap *self, guint tile);
/* TSR_NO_INDEX: all of them, whenever they are live. */
void tsr_address_map_set_step (TsrAddressMap *self, guint step);
void tsr_address_map_set_colour (TsrAddressMap *self, TsrAddressColour colour);
/* Height in logical pixels that it takes at @width: the widget scrolls. */
double tsr_address_map_get_height (TsrAddressMap *self, double width);
/* Allocation at a point, or TSR_NO_DATUM; the address there. */
guint32 tsr_address_map_row_at (
    TsrAddressMap *self, const TsrChartGeometry *geometry, double x, double y, gint64 *address);
/* The allocation @by places further by address than @row (keyboard), the first one when @row is
 * none of this tile; and where it begins: FALSE when it has no place. */
guint32 tsr_address_map_step_from (TsrAddressMap *self, guint32 row, int by);
gboolean tsr_address_map_get_place (TsrAddressMap *self,
                                    const TsrChartGeometry *geometry,
                                    guint32 row,
                                    double *x,
                                    double *y,
                                    double *height);
/* Number of allocations that have a place, sum of the gaps below the highest used address. */
guint tsr_address_map_get_n (TsrAddressMap *self);
gint64 tsr_address_map_get_gap_bytes (TsrAddressMap *self);
/* Ink of an allocation (a row of TsrLoweredTables), for swatches. */
guint tsr_address_map_get_ink (TsrAddressMap *self, guint32 row);

G_END_DECLS
