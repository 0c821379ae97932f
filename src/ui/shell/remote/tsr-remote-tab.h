/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The remote tab of the open dialog: which host ("hosts"), getting there ("connecting"), and its
 * folders ("folder").  Connecting may be cancelled at any moment.  Signals: "chosen" (location as a
 * bytestring GVariant) and "state-changed". */

#pragma once

#include "tsr-dialog-asker.h"
#include "tsr-folder-browser.h"
#include "tsr-host-form.h"
#include "tsr-location.h"

G_BEGIN_DECLS

#define TSR_TYPE_REMOTE_TAB (tsr_remote_tab_get_type ())
G_DECLARE_FINAL_TYPE (TsrRemoteTab, tsr_remote_tab, TSR, REMOTE_TAB, GtkWidget)

/* @remote stays the caller's and outlives the tab. */
TsrRemoteTab *tsr_remote_tab_new (TsrRemote *remote, TsrDialogAsker *asker, TsrSettings *settings);

/* "hosts", "connecting" or "folder". */
const char *tsr_remote_tab_get_state (TsrRemoteTab *self);
TsrHostForm *tsr_remote_tab_get_form (TsrRemoteTab *self);
/* (transfer none) (nullable): while folders are shown. */
TsrFolderBrowser *tsr_remote_tab_get_browser (TsrRemoteTab *self);

/* Puts the host and the folder of @location into the fields. */
void tsr_remote_tab_set_location (TsrRemoteTab *self, const char *location);
/* The folder that @location lies in, with @location selected: at once on a host that one is
 * connected to, else when the user connects. */
void tsr_remote_tab_go_beside (TsrRemoteTab *self, const char *location);
/* What the buttons do. */
void tsr_remote_tab_connect (TsrRemoteTab *self);
void tsr_remote_tab_cancel (TsrRemoteTab *self);
void tsr_remote_tab_go_back (TsrRemoteTab *self);

G_END_DECLS
