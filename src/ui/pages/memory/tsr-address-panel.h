/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Variables tab for one tile: the address map and, beside or under it, a list that the page
 * gives.  A slider chooses the liveness step that the map shows and plays the program; the step is
 * the session's selected one.  Main thread. */

#pragma once

#include "tsr-address-view.h"
#include "tsr-session.h"

G_BEGIN_DECLS

#define TSR_TYPE_ADDRESS_PANEL (tsr_address_panel_get_type ())
G_DECLARE_FINAL_TYPE (TsrAddressPanel, tsr_address_panel, TSR, ADDRESS_PANEL, GtkWidget)

TsrAddressPanel *tsr_address_panel_new (GtkWidget *list);
void tsr_address_panel_set_session (TsrAddressPanel *self, TsrSession *session);
/* TSR_NO_INDEX: only the list is shown. */
void tsr_address_panel_set_tile (TsrAddressPanel *self, guint tile);
TsrAddressView *tsr_address_panel_get_view (TsrAddressPanel *self);
/* Whether the map shows one step; -1: all of them. */
int tsr_address_panel_get_step (TsrAddressPanel *self);
/* Options of @state: whether it shows one step, and its colours. */
void tsr_address_panel_bind (TsrAddressPanel *self, TsrViewState *state, guint step, guint colour);
void tsr_address_panel_set_playing (TsrAddressPanel *self, gboolean playing);
gboolean tsr_address_panel_is_playing (TsrAddressPanel *self);

G_END_DECLS
