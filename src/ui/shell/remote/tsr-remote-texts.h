/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What people read of errors and states behind ssh, and the chooser of a key file. */

#pragma once

#include "tsr-connections.h"
#include "tsr-remote-error.h"
#include "tsr-settings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* (transfer none): the class of an error in a few words; its message says the rest. */
const char *tsr_remote_texts_get_title (const GError *error);
/* TRUE for errors that a host key alias may solve. */
gboolean tsr_remote_texts_is_host_key (const GError *error);
/* TRUE for anything that happened between here and another machine. */
gboolean tsr_remote_texts_is_remote (const GError *error);

/* (transfer full): "me@host · 11.2 MiB/s · 48 ms", for the status strip. */
char *tsr_remote_texts_dup_status (TsrConnection *connection, gboolean is_offline);
/* (transfer full): "1.2 MiB/s". */
char *tsr_remote_texts_dup_speed (double bytes_per_s);

/* Says which keys new connections try: @file (nullable), else the one of the preferences; and the
 * agent of the preferences. */
void tsr_remote_texts_apply_identity (TsrConnections *connections,
                                      TsrSettings *settings,
                                      const char *file);

/* (transfer full): not shown yet; begins in ~/.ssh. */
GtkNativeDialog *tsr_remote_texts_new_key_chooser (GtkWindow *parent);

G_END_DECLS
