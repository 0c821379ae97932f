/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work that is too short for a thread of its own, a millisecond or so, shared with threads that
 * wait for such.  The caller does its part and is never held up by a thread that has not come yet.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Calls @func once for each of [0, n), in order of beginning; returns when all are done.  Any
 * thread, several at once too.  A task may wait for one before it, never for one after it. */
void tsr_crew_run (guint n, void (*func) (gpointer data, guint task), gpointer data);

G_END_DECLS
