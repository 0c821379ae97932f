/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file of a connection as a source, over the block cache and with read-ahead.  Only remote/
 * includes this; any thread. */

#pragma once

#include "tsr-connection.h"
#include "tsr-progress.h"

G_BEGIN_DECLS

#define TSR_TYPE_REMOTE_SOURCE (tsr_remote_source_get_type ())
G_DECLARE_FINAL_TYPE (TsrRemoteSource, tsr_remote_source, TSR, REMOTE_SOURCE, TsrSource)

/* What a place and its sources share; a g_atomic_rc_box. */
typedef struct
{
  int is_offline; /* atomic: answers come from the cache only */
  int n_missed;   /* atomic: reads that failed because the bytes are not cached and there is no
                     connection */
} TsrRemoteState;

/* (transfer full): requests the first blocks.  @host and @path: the file's key in the cache; @name
 * and @location: to show. */
TsrSource *tsr_remote_source_new (TsrConnection *connection,
                                  TsrBlockCache *cache,
                                  TsrRemoteState *state,
                                  const char *host,
                                  const char *path,
                                  const char *name,
                                  const char *location,
                                  const TsrSourceStamp *stamp);
/* Fetches everything that is not cached with TSR_READ_BACKGROUND, and waits until it is on disk.
 * @progress (nullable) counts bytes, including those that were cached before. */
gboolean tsr_remote_source_fetch (TsrRemoteSource *self,
                                  TsrProgress *progress,
                                  GCancellable *cancellable,
                                  GError **error);
/* Waits until all received blocks of all files are in the cache. */
void tsr_remote_source_flush (void);

G_END_DECLS
