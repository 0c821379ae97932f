/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A TsrPlace behind ssh: folders through a connection, files as sources over the block cache with
 * pipelined reads and read-ahead.  For two seconds, a listing answers questions about its files, so
 * that opening a report needs only one request.  Without a network, the cache is used;
 * tsr_remote_place_is_offline says so.  Any thread, as TsrPlace says. */

#pragma once

#include "tsr-block-cache.h"
#include "tsr-connection.h"
#include "tsr-progress.h"

G_BEGIN_DECLS

#define TSR_TYPE_REMOTE_PLACE (tsr_remote_place_get_type ())
G_DECLARE_FINAL_TYPE (TsrRemotePlace, tsr_remote_place, TSR, REMOTE_PLACE, TsrPlace)

TsrRemotePlace *tsr_remote_place_new (TsrConnection *connection, TsrBlockCache *cache);
TsrConnection *tsr_remote_place_get_connection (TsrRemotePlace *self);
gboolean tsr_remote_place_is_offline (TsrRemotePlace *self);
/* How many reads failed because the bytes are not cached and there was no connection. */
guint tsr_remote_place_count_missed (TsrRemotePlace *self);
/* (transfer full): absolute path of the home folder; absolute form of a path that begins with "~".
 */
char *tsr_remote_place_expand (TsrRemotePlace *self,
                               const char *path,
                               GCancellable *cancellable,
                               GError **error);

/* Most of a file is never read, so how long all of it takes says something only while that is
 * soon. */
#define TSR_REMOTE_MOST_BOUND_S 60

typedef struct
{
  gint64 bytes;                     /* of all files */
  gint64 here;                      /* of them in the cache */
  double bytes_per_s, seconds_left; /* NaN: not known */
  gboolean is_whole;
} TsrRemoteCopy;

/* Fetches all files of @paths (absolute) into the cache with TSR_READ_BACKGROUND until all are
 * there or @cancellable is cancelled; continues where an earlier call stopped.  @progress in bytes.
 */
gboolean tsr_remote_place_fetch (TsrRemotePlace *self,
                                 const char *const *paths,
                                 TsrProgress *progress,
                                 GCancellable *cancellable,
                                 GError **error);
/* How much of @paths is cached; any thread, without network. */
void
tsr_remote_place_get_copy (TsrRemotePlace *self, const char *const *paths, TsrRemoteCopy *copy);
/* Waits until everything received so far, from any place, is in the cache.  For the end of a
 * program. */
void tsr_remote_place_flush (void);

G_END_DECLS
