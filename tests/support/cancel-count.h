/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How often something looks whether it is cancelled, and what it does when it is at the nth look.
 * A program with this file has its own g_cancellable_is_cancelled() in place of GLib's, and one
 * processor, so that the same work looks as often again. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Runs @run, which @what names: cancelled at its first looks, then at every further one twice as
 * late, until it is not cancelled any more, and once at the last look.  Each time it must end
 * without a result and with G_IO_ERROR_CANCELLED.  @run gives TRUE for a result; that
 * the report lacks something is one, too.  Looks of the
 * first run that came to its end. */
guint cancel_count_walk (const char *what,
                         gboolean (*run) (gpointer data, GCancellable *cancellable, GError **error),
                         gpointer data);

G_END_DECLS
