/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of remote files, kept in the user's cache folder: for each file one sparse data file and a
 * small index (which blocks are there, each with a checksum), in a folder named by the hash of the
 * key: host as it is known (HostKeyAlias or host name, port, user), path, size and mtime; the first
 * page is compared when the file is opened.  Listings of opened folders are kept as well, so that a
 * report can be opened without a network.  Several processes may share the cache: entries are
 * created and removed under a lock, and checksums are verified when reading.  If writing fails
 * (disk full, no permission), the cache continues in memory, with a diagnostic.  Blocks with a
 * wrong checksum are fetched again.  Any thread.
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
 * disk).  Never fails: without a usable folder everything is kept in memory, also with a limit. */
TsrBlockCache *tsr_block_cache_new (const char *folder, guint64 limit);
TsrBlockCache *tsr_block_cache_ref (TsrBlockCache *self);
void tsr_block_cache_unref (TsrBlockCache *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrBlockCache, tsr_block_cache_unref)
#define TSR_BLOCK_CACHE_DEFAULT_LIMIT (G_GUINT64_CONSTANT (4) << 30)
void tsr_block_cache_set_limit (TsrBlockCache *self, guint64 limit);
guint64 tsr_block_cache_get_bytes (TsrBlockCache *self); /* on disk now */
/* Removes what is not in use, least recently used first if there is a limit. */
void tsr_block_cache_clear (TsrBlockCache *self);

/* (transfer full): the blocks of @path at @host in the state @stamp.  Entries for other states of
 * the path are not used, and are removed unless in use. */
TsrCachedFile *tsr_block_cache_open (TsrBlockCache *self,
                                     const char *host,
                                     const char *path,
                                     const TsrSourceStamp *stamp);
/* Bytes of it that are cached; changes nothing. */
gint64 tsr_block_cache_measure (TsrBlockCache *self,
                                const char *host,
                                const char *path,
                                const TsrSourceStamp *stamp);
TsrCachedFile *tsr_cached_file_ref (TsrCachedFile *self);
void tsr_cached_file_unref (TsrCachedFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrCachedFile, tsr_cached_file_unref)
gboolean tsr_cached_file_has (TsrCachedFile *self, guint64 block);
/* Copies the block (shorter at the end of the file) and returns its length; 0 if it is not there.
 */
gsize tsr_cached_file_get (TsrCachedFile *self, guint64 block, guint8 bytes[TSR_BLOCK_BYTES]);
void tsr_cached_file_put (TsrCachedFile *self, guint64 block, const guint8 *bytes, gsize length);
guint64 tsr_cached_file_count (TsrCachedFile *self); /* blocks there */
gint64 tsr_cached_file_count_bytes (TsrCachedFile *self);
/* All of it is on disk. */
gboolean tsr_cached_file_is_whole (TsrCachedFile *self);
/* FALSE while blocks go to memory only, because they cannot be written or do not fit. */
gboolean tsr_cached_file_is_on_disk (TsrCachedFile *self);
/* TRUE if @bytes begin like the cached first block, or if there is none.  A file of the same size
 * and time with other content is another file: then @self becomes invalid (empty, and nothing can
 * be put), and the next tsr_block_cache_open starts empty. */
gboolean tsr_cached_file_check_first (TsrCachedFile *self, const guint8 *bytes, gsize length);
gboolean tsr_cached_file_is_void (TsrCachedFile *self);
/* (transfer full) (nullable): why it is kept in memory only; returned once. */
GError *tsr_cached_file_steal_error (TsrCachedFile *self);

/* The cached listing of a folder, for opening without a network; NULL if there is none. */
void tsr_block_cache_keep_listing (TsrBlockCache *self,
                                   const char *host,
                                   const char *path,
                                   GPtrArray *entries);
GPtrArray *tsr_block_cache_dup_listing (TsrBlockCache *self, const char *host, const char *path);

G_END_DECLS
