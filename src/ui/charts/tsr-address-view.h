/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widget of an address map: as high as its rows, so it stands in a scrolled window.  A click
 * selects an allocation, arrows go from one to the next by address, the callout says what is there.
 * Actions have the names of TsrChart's.
 *
 * Signals: "select" (uint row of TsrLoweredTables, or TSR_NO_DATUM; gboolean add);
 * "hover-changed": tsr_address_view_get_hover; "toast". */

#pragma once

#include "tsr-address-map.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_ADDRESS_VIEW (tsr_address_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrAddressView, tsr_address_view, TSR, ADDRESS_VIEW, GtkWidget)

TsrAddressView *tsr_address_view_new (void);
void tsr_address_view_set_map (TsrAddressView *self, TsrAddressMap *map); /* (nullable) */
TsrAddressMap *tsr_address_view_get_map (TsrAddressView *self);
/* The allocation under the pointer, else the one the keyboard is at; TSR_NO_DATUM. */
guint32 tsr_address_view_get_hover (TsrAddressView *self);
guint32 tsr_address_view_get_cursor (TsrAddressView *self);

/* What gestures call; tests call it as well. */
void tsr_address_view_motion (TsrAddressView *self, double x, double y);
void tsr_address_view_press (TsrAddressView *self, double x, double y, GdkModifierType state);

G_END_DECLS
