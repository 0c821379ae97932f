/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The plane of an address map: as high as its rows, so it stands in a scrolled window.  A click
 * selects an allocation, arrows go from one to the next by address.  Actions have the names of
 * TsrChart's.
 *
 * Signal: "select" (uint row of TsrLoweredTables, or TSR_NO_DATUM; gboolean add). */

#pragma once

#include "tsr-address-map.h"
#include "tsr-plane.h"

G_BEGIN_DECLS

#define TSR_TYPE_ADDRESS_VIEW (tsr_address_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrAddressView, tsr_address_view, TSR, ADDRESS_VIEW, TsrPlane)

TsrAddressView *tsr_address_view_new (void);
void tsr_address_view_set_map (TsrAddressView *self, TsrAddressMap *map); /* (nullable) */
TsrAddressMap *tsr_address_view_get_map (TsrAddressView *self);
/* Scrolls as little as shows the allocation, as soon as it has its place. */
void tsr_address_view_reveal (TsrAddressView *self, guint32 row);

G_END_DECLS
