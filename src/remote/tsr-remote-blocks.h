/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The blocks of one remote file while somebody reads it: those in memory (a bounded number), those
 * under way, and behind them the cache on disk.
 *
 *   reader -> memory -> cache on disk -> request by priority -> answer -> memory, then disk
 *
 * Readers of the same block share one request, and a read waits for its own blocks only.  The first
 * block always comes over the network before anything from the cache is believed: it tells one
 * state of the file from another that has the same size and time.  Without a network what is in the
 * cache is given, and nothing of another state is ever put beside it.  Only remote/ includes this;
 * any thread. */

#pragma once

#include "tsr-block-cache.h"
#include "tsr-connection.h"
#include "tsr-progress.h"

G_BEGIN_DECLS

/* Where bytes come from: a connection's file, or a test's.  Any thread; @func may be called in any
 * thread, also before read_async returns. */
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
  /* (nullable): answers come from the cache only, or not any more.  Must not wait. */
  void (*set_offline) (gpointer file, gboolean is_offline);
  /* (nullable): somebody read what is not here, and there was nobody to ask. */
  void (*note_missed) (gpointer file);
  void (*free) (gpointer file);
} TsrBlockReader;

typedef struct _TsrRemoteBlocks TsrRemoteBlocks;

/* @host and @path: as the cache knows the file; @name: for people.  Takes @file.  Nothing is asked
 * for yet. */
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
/* Asks for the first block, or the first few of a file of which nothing is here. */
void tsr_remote_blocks_start (TsrRemoteBlocks *self);
/* Nobody reads any more: what fetches in the background ends. */
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
/* The stamp is another one too when the first bytes are not those of before.  Without a network it
 * is that of before, unless something was read since the last time: then nobody knows. */
gboolean tsr_remote_blocks_stat (TsrRemoteBlocks *self,
                                 TsrSourceStamp *stamp,
                                 GCancellable *cancellable,
                                 GError **error);
void tsr_remote_blocks_prefetch (TsrRemoteBlocks *self, const TsrSourceRange *ranges, guint n);
void tsr_remote_blocks_note_end (TsrRemoteBlocks *self, gint64 offset);
/* Fetches with TSR_READ_BACKGROUND all that is not in the cache, and waits until it is on disk.
 * @progress (nullable) moves by the bytes that come, those that were here included. */
gboolean tsr_remote_blocks_fetch (TsrRemoteBlocks *self,
                                  TsrProgress *progress,
                                  GCancellable *cancellable,
                                  GError **error);
/* Does that in a thread of its own until _close. */
void tsr_remote_blocks_fetch_in_background (TsrRemoteBlocks *self);
/* Waits until all blocks of all files that have come so far are in the cache. */
void tsr_remote_blocks_flush (void);
/* (transfer full) (nullable): why it is not kept on disk, once. */
GError *tsr_remote_blocks_steal_cache_error (TsrRemoteBlocks *self);
gint64 tsr_remote_blocks_count_bytes (TsrRemoteBlocks *self);

G_END_DECLS
