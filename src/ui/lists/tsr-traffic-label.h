/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A line below what is still being read over a connection: bytes, how fast, how long still, or that
 * the host says nothing. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TRAFFIC_LABEL (tsr_traffic_label_get_type ())
G_DECLARE_FINAL_TYPE (TsrTrafficLabel, tsr_traffic_label, TSR, TRAFFIC_LABEL, GtkWidget)

/* Hidden until it is told what it waits for. */
TsrTrafficLabel *tsr_traffic_label_new (void);
/* A bit for each stage of the report of @session (nullable: without stages) that is waited for; 0:
 * nothing any more.  A report of this machine has no such line. */
void tsr_traffic_label_set_stages (TsrTrafficLabel *self, TsrSession *session, guint stages);

G_END_DECLS
