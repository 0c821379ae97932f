/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The blocks of one remote file while it is being read: a limited number in memory, others in
 * flight, and behind them the cache on disk.
 *
 *   reader -> memory -> cache on disk -> request by priority -> answer -> memory, then disk
 *
 * Readers of the same block share one request, and a read waits for its own blocks only.  The first
 * block always comes over the network before anything from the cache is trusted: it distinguishes
 * states of the file that have the same size and time.  Without a network the cache is used, and
 * blocks of another state are never added to it.  Only remote/ includes this; any thread. */

#pragma once

#include "tsr-block-cache.h"
#include "tsr-connection.h"
#include "tsr-progress.h"

G_BEGIN_DECLS

/* The origin of the bytes: a file of a connection, or of a test.  Any thread; @func may be called
 * in any thread, also before read_async returns. */
typedef struct
{
  void (*read_async) (gpointer file,
                      gint64 offset,
                      gsize length,
                      TsrReadPriority priority,
                      TsrRemoteReadFunc func,
                      gpointer data);
  /* The file as it is now. */
  gboolean (*stat) (gpointer file,
                    TsrSourceStamp *stamp,
                    GCancellable *cancellable,
                    GError **error);
  /* (nullable): whether answers come from the cache only, as of now.  Must not block. */
  void (*set_offline) (gpointer file, gboolean is_offline);
  /* (nullable): a read failed because the bytes are not cached and there is no connection. */
  void (*note_missed) (gpointer file);
  void (*free) (gpointer file);
} TsrBlockReader;

typedef struct _TsrRemoteBlocks TsrRemoteBlocks;

/* @host and @path: the file's key in the cache; @name: to show.  Takes @file.  Requests nothing
 * yet. */
TsrRemoteBlocks *tsr_remote_blocks_new (TsrBlockCache *cache,
                                        const char *host,
                                        const char *path,
                                        const char *name,
                                        const TsrSourceStamp *stamp,
                                        const TsrBlockReader *reader,
                                        gpointer file);
TsrRemoteBlocks *tsr_remote_blocks_ref (TsrRemoteBlocks *self);
void tsr_remote_blocks_unref (TsrRemoteBlocks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrRemoteBlocks, tsr_remote_blocks_unref)
/* Requests the first block, or the first few if nothing of the file is cached. */
void tsr_remote_blocks_start (TsrRemoteBlocks *self);
/* There are no more readers: background fetching ends. */
void tsr_remote_blocks_close (TsrRemoteBlocks *self);

/* As TsrSource says. */
gssize tsr_remote_blocks_read (TsrRemoteBlocks *self,
                               gint64 offset,
                               void *bytes,
                               gsize length,
                               GCancellable *cancellable,
                               GError **error);
gboolean tsr_remote_blocks_read_ranges (TsrRemoteBlocks *self,
                                        TsrSourceRange *ranges,
                                        guint n,
                                        GCancellable *cancellable,
                                        GError **error);
/* The stamp also differs if the first bytes have changed.  Without a network it is the previous
 * one, unless something was read since then, in which case it is unknown. */
gboolean tsr_remote_blocks_stat (TsrRemoteBlocks *self,
                                 TsrSourceStamp *stamp,
                                 GCancellable *cancellable,
                                 GError **error);
void tsr_remote_blocks_prefetch (TsrRemoteBlocks *self, const TsrSourceRange *ranges, guint n);
void tsr_remote_blocks_note_end (TsrRemoteBlocks *self, gint64 offset);
/* Fetches everything that is not cached with TSR_READ_BACKGROUND, and waits until it is on disk.
 * @progress (nullable) counts bytes, including those that were cached before. */
gboolean tsr_remote_blocks_fetch (TsrRemoteBlocks *self,
                                  TsrProgress *progress,
                                  GCancellable *cancellable,
                                  GError **error);
/* Does so in its own thread until _close. */
void tsr_remote_blocks_fetch_in_background (TsrRemoteBlocks *self);
/* Waits until all received blocks of all files are in the cache. */
void tsr_remote_blocks_flush (void);
/* (transfer full) (nullable): why it is not kept on disk, once. */
GError *tsr_remote_blocks_steal_cache_error (TsrRemoteBlocks *self);
gint64 tsr_remote_blocks_count_bytes (TsrRemoteBlocks *self);

G_END_DECLS
