/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of remote files, kept in the user's cache folder: for each file one sparse data file and a
 * small index (which blocks are there, each with a checksum), in a folder named by the hash of the
 * key: host as it is known (HostKeyAlias or host name, port, user), path, size and mtime; the first
 * page is compared when the file is opened.  A listing of each folder that was opened is kept too,
 * so that a report can be opened without a network.  Several processes may use the same cache: an
 * entry is made and removed under a lock, and read with its checksums.  What cannot be written
 * (disk full, no permission) is a diagnostic and a cache in memory; what does not match its
 * checksum is fetched again.  Any thread.
 *
 *   tessera/remote/lock
 *   tessera/remote/PLACE-STATE/index   head, a checksum for each block; flock: shared while in use
 *   tessera/remote/PLACE-STATE/data    sparse; a block is written before its checksum
 *   tessera/remote/listings/PLACE */

#pragma once

#include "tsr-folder.h"

G_BEGIN_DECLS

#define TSR_BLOCK_BYTES 32768

typedef struct _TsrBlockCache TsrBlockCache; /* the folder with its limit */
typedef struct _TsrCachedFile TsrCachedFile; /* one file's blocks */

/* (transfer full): @folder NULL: the user's, tessera/remote; @limit in bytes (0: nothing is kept on
 * disk).  Never fails: without a usable folder everything is in memory, bounded too. */
TsrBlockCache *tsr_block_cache_new (const char *folder, guint64 limit);
TsrBlockCache *tsr_block_cache_ref (TsrBlockCache *self);
void tsr_block_cache_unref (TsrBlockCache *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrBlockCache, tsr_block_cache_unref)
#define TSR_BLOCK_CACHE_DEFAULT_LIMIT (G_GUINT64_CONSTANT (4) << 30)
void tsr_block_cache_set_limit (TsrBlockCache *self, guint64 limit);
guint64 tsr_block_cache_get_bytes (TsrBlockCache *self); /* on disk now */
/* Removes what is not in use; least recently used first where a limit asks. */
void tsr_block_cache_clear (TsrBlockCache *self);

/* (transfer full): the blocks of @path at @host in the state @stamp.  Of another state of the same
 * path nothing is taken, and its entry is removed unless in use. */
TsrCachedFile *tsr_block_cache_open (TsrBlockCache *self,
                                     const char *host,
                                     const char *path,
                                     const TsrSourceStamp *stamp);
/* Bytes of it that are here; nothing is made or removed. */
gint64 tsr_block_cache_measure (TsrBlockCache *self,
                                const char *host,
                                const char *path,
                                const TsrSourceStamp *stamp);
TsrCachedFile *tsr_cached_file_ref (TsrCachedFile *self);
void tsr_cached_file_unref (TsrCachedFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrCachedFile, tsr_cached_file_unref)
gboolean tsr_cached_file_has (TsrCachedFile *self, guint64 block);
/* Copies the block (its length at the file's end is less); 0 when it is not there. */
gsize tsr_cached_file_get (TsrCachedFile *self, guint64 block, guint8 bytes[TSR_BLOCK_BYTES]);
void tsr_cached_file_put (TsrCachedFile *self, guint64 block, const guint8 *bytes, gsize length);
guint64 tsr_cached_file_count (TsrCachedFile *self); /* blocks there */
gint64 tsr_cached_file_count_bytes (TsrCachedFile *self);
/* All of it is on disk. */
gboolean tsr_cached_file_is_whole (TsrCachedFile *self);
/* FALSE while what is put goes to memory only: it cannot be written, or does not fit. */
gboolean tsr_cached_file_is_on_disk (TsrCachedFile *self);
/* TRUE when @bytes begin like the first block that is kept, or nothing is kept: the same size and
 * time with other content is another file.  Else @self is void from then on (nothing is in it, and
 * nothing can be put), and the next tsr_block_cache_open starts with nothing. */
gboolean tsr_cached_file_check_first (TsrCachedFile *self, const guint8 *bytes, gsize length);
gboolean tsr_cached_file_is_void (TsrCachedFile *self);
/* (transfer full) (nullable): why it is kept in memory only, once. */
GError *tsr_cached_file_steal_error (TsrCachedFile *self);

/* What a listing said, for opening without a network; NULL when it was never seen. */
void tsr_block_cache_keep_listing (TsrBlockCache *self,
                                   const char *host,
                                   const char *path,
                                   GPtrArray *entries);
GPtrArray *tsr_block_cache_dup_listing (TsrBlockCache *self, const char *host, const char *path);

G_END_DECLS
