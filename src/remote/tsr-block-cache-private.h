/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the folder of the cache and the files in it.  Only tsr-block-cache.c and
 * tsr-cached-file.c include this. */

#pragma once

#include "tsr-block-index.h"

G_BEGIN_DECLS

struct _TsrBlockCache
{
  gatomicrefcount refs;
  GMutex lock;
  char *folder; /* (nullable): none can be used */
  guint64 limit;
  guint64 used;      /* bytes on disk as far as this process knows */
  gboolean scanned;  /* used was measured */
  gint64 full_until; /* monotonic time: nothing is written before */
  GHashTable *files; /* name to TsrCachedFile, not owned; the open, valid ones */
};

/* The descriptors of an entry; -1: none. */
typedef struct
{
  int index, data;
  gboolean can_write;
} TsrBlockEntry;

/* Opens or creates the entry of @key.  FALSE and @error (nullable) if it cannot be used. */
gboolean tsr_block_cache_open_entry (TsrBlockCache *self,
                                     const TsrBlockKey *key,
                                     const char *name,
                                     TsrBlockEntry *entry,
                                     GError **error);
/* (transfer full): why nothing can be written, from errno @code, and what to do. */
GError *tsr_block_cache_new_keep_error (TsrBlockCache *self, const char *host, int code);
/* Removes the entry @name if it is still the one of @index. */
void tsr_block_cache_drop_entry (TsrBlockCache *self, const char *name, int index);
/* Whether @bytes more may be written; makes room if necessary. */
gboolean tsr_block_cache_reserve (TsrBlockCache *self, guint64 bytes);

/* (transfer full): takes @key, and is in @cache's table of files, whose lock is held. */
TsrCachedFile *tsr_cached_file_new (TsrBlockCache *cache, TsrBlockKey *key, char *name);
/* As tsr_cached_file_ref, with that lock held. */
void tsr_cached_file_ref_locked (TsrCachedFile *self);

G_END_DECLS
