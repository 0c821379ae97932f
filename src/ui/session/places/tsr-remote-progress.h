/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How far reading over a connection has come, in words: bytes, how fast, how long still, or that
 * the host says nothing.  Belongs to whoever shows it, who looks several times a second meanwhile.
 * Main thread; nothing waits. */

#pragma once

#include "tsr-connection.h"
#include "tsr-report.h"

G_BEGIN_DECLS

/* A host that has not answered for this many seconds is called silent. */
#define TSR_REMOTE_SILENCE_S 2.0

typedef struct _TsrRemoteProgress TsrRemoteProgress;

/* @report (nullable): whose stages are read. */
TsrRemoteProgress *tsr_remote_progress_new (TsrConnection *connection, TsrReport *report);
/* NULL for a report of this machine. */
TsrRemoteProgress *tsr_remote_progress_new_for_report (TsrReport *report);
void tsr_remote_progress_free (TsrRemoteProgress *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrRemoteProgress, tsr_remote_progress_free)

/* Looks; (transfer full): a line for people, "" where nothing comes of a host.  @stages: a bit for
 * each stage that is waited for. */
char *tsr_remote_progress_look (TsrRemoteProgress *self, guint stages);

/* (transfer full) (nullable): that the host says nothing, when it does not; and for how long. */
char *tsr_remote_progress_dup_silence (TsrConnection *connection);

/* What follows from figures, for tests: bytes still to come when @bytes came with @fraction of the
 * work (-1: not known), and @wanted are known to be under way; -1: not known. */
double tsr_remote_progress_guess_left (double bytes, double fraction, double wanted);
/* Seconds for the @left bytes (-1: not known); NaN when nobody knows, and for a bound (@at_most)
 * that is more than a minute: only a scan tells as much. */
double tsr_remote_progress_guess_seconds (double left, double bytes_per_s, gboolean at_most);

G_END_DECLS
