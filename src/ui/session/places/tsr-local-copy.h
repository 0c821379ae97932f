/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeping a local copy of a remote report: fetches in the background what is not in the cache yet,
 * can be paused, and goes on where it stopped, also in another program run.  How much is here is
 * told without it, too.  Main thread; the network is a worker's.  Signal "changed", at most twice a
 * second while it runs. */

#pragma once

#include "tsr-remote-place.h"
#include "tsr-report.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_LOCAL_COPY_IDLE, /* or paused: see the bytes */
  TSR_LOCAL_COPY_RUNNING,
  TSR_LOCAL_COPY_DONE,   /* everything is here */
  TSR_LOCAL_COPY_FAILED, /* see tsr_local_copy_get_error */
} TsrLocalCopyState;

#define TSR_TYPE_LOCAL_COPY (tsr_local_copy_get_type ())
G_DECLARE_FINAL_TYPE (TsrLocalCopy, tsr_local_copy, TSR, LOCAL_COPY, GObject)

/* @report: of a TsrRemotePlace, its files known. */
TsrLocalCopy *tsr_local_copy_new (TsrReport *report);

void tsr_local_copy_start (TsrLocalCopy *self);
/* What has come stays. */
void tsr_local_copy_pause (TsrLocalCopy *self);
/* Looks again at how much is here (in a worker). */
void tsr_local_copy_refresh (TsrLocalCopy *self);

TsrLocalCopyState tsr_local_copy_get_state (TsrLocalCopy *self);
/* (transfer none) (nullable): why it failed. */
const GError *tsr_local_copy_get_error (TsrLocalCopy *self);
/* (transfer none): as last looked. */
const TsrRemoteCopy *tsr_local_copy_peek (TsrLocalCopy *self);

G_END_DECLS
