/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The progress of a piece of work, written by its worker and read by whoever shows it, from any
 * thread, without locks.  The unit of work is up to the worker. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _TsrProgress TsrProgress;

TsrProgress *tsr_progress_new (void);
void tsr_progress_free (TsrProgress *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrProgress, tsr_progress_free)

/* All accept NULL and then do nothing, so that workers need not test for it. */
void tsr_progress_set_total (TsrProgress *self, guint64 total);
void tsr_progress_set_done (TsrProgress *self, guint64 done);
void tsr_progress_add_done (TsrProgress *self, guint64 more);

/* 0..1, or -1 while the total is not known. */
double tsr_progress_get_fraction (TsrProgress *self);

G_END_DECLS
