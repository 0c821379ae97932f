/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a window says of a report that lies behind ssh, and what can be done about it: host, speed
 * and latency in the status strip, bars for a lost connection, for what comes from the cache and
 * for the local copy, and the actions "remote.reconnect", "remote.keep-copy" and
 * "remote.pause-copy" (of the report view and what is in its window).  Sleeps while the report is a
 * local one.  Main thread; nothing of it waits for the network. */

#pragma once

#include "tsr-dialog-asker.h"
#include "tsr-local-copy.h"
#include "tsr-report-view.h"

G_BEGIN_DECLS

#define TSR_TYPE_REMOTE_MONITOR (tsr_remote_monitor_get_type ())
G_DECLARE_FINAL_TYPE (TsrRemoteMonitor, tsr_remote_monitor, TSR, REMOTE_MONITOR, GObject)

/* @window has the actions; it and @view are not kept and outlive the monitor. */
TsrRemoteMonitor *tsr_remote_monitor_new (GtkWindow *window,
                                          TsrReportView *view,
                                          TsrSession *session,
                                          TsrDialogAsker *asker);

/* (transfer none) (nullable): of the report that is shown. */
TsrLocalCopy *tsr_remote_monitor_get_copy (TsrRemoteMonitor *self);
/* (transfer none): what the status strip says. */
const char *tsr_remote_monitor_get_status (TsrRemoteMonitor *self);

G_END_DECLS
