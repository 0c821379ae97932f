/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Work of which only the newest request counts: a function runs in a worker, and its result reaches
 * the owner in the main thread unless a newer request has been made, it was cancelled, or the owner
 * has gone.  What is outdated is cancelled and its result freed.  Main thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _TsrLatest TsrLatest;

/* In a worker.  (transfer full); NULL and @error. */
typedef gpointer (*TsrLatestFunc) (gpointer job, GCancellable *cancellable, GError **error);
/* In the main thread.  Takes @result; NULL when it failed with @error, never when cancelled. */
typedef void (*TsrLatestDone) (gpointer owner, gpointer result, const GError *error);

/* @owner frees it before it goes itself. */
TsrLatest *tsr_latest_new (gpointer owner, GDestroyNotify free_result);
void tsr_latest_free (TsrLatest *self);
/* Takes @job. */
void tsr_latest_run (
    TsrLatest *self, TsrLatestFunc func, gpointer job, GDestroyNotify free_job, TsrLatestDone done);
void tsr_latest_cancel (TsrLatest *self);
gboolean tsr_latest_is_running (TsrLatest *self);

G_END_DECLS
