/* SPDX-License-Identifier: GPL-3.0-or-later */

/* While a window waits for a connection: questions are shown on it, and a label says what is being
 * done.  Main thread. */

#pragma once

#include "tsr-dialog-asker.h"
#include "tsr-remote-place.h"

G_BEGIN_DECLS

typedef struct _TsrRemoteWait TsrRemoteWait;

/* @window and @label are not kept; they outlive it. */
TsrRemoteWait *tsr_remote_wait_new (TsrDialogAsker *asker,
                                    GtkWindow *window,
                                    TsrConnection *connection,
                                    GtkLabel *label);
/* (nullable): the same for opening something in @place, whose connection is tried again if it was
 * lost; NULL on this machine, where nobody waits. */
TsrRemoteWait *tsr_remote_wait_new_for_place (TsrDialogAsker *asker,
                                              GtkWindow *window,
                                              TsrPlace *place,
                                              GtkLabel *label);
void tsr_remote_wait_free (TsrRemoteWait *self);

G_END_DECLS
