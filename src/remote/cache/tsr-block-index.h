/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The format of the files of the block cache: the head of an index, the checksum of a block, a
 * cached listing.  Any of it may be damaged or from another version, so everything is checked when
 * read back.  Only remote/ includes this. */

#pragma once

#include "tsr-block-cache.h"

G_BEGIN_DECLS

/* An index is a head of TSR_INDEX_HEAD_BYTES, then 8 bytes for each block: its checksum, or 0 if
 * the block is not there. */
#define TSR_INDEX_HEAD_BYTES 8192
/* Larger files are not cached on disk. */
#define TSR_INDEX_MAX_BLOCKS (G_GUINT64_CONSTANT (1) << 25)

/* The file, and its state, to which the blocks belong. */
typedef struct
{
  char *host, *path;
  gint64 size, mtime_us;
} TsrBlockKey;

void tsr_block_key_clear (TsrBlockKey *key);
guint64 tsr_block_key_count_blocks (const TsrBlockKey *key);
/* Length of @block in a file of @size bytes; 0 beyond its end. */
gsize tsr_block_get_length (gint64 size, guint64 block);

/* FALSE if the key does not fit into a head. */
gboolean tsr_block_index_write_head (const TsrBlockKey *key, guint8 head[TSR_INDEX_HEAD_BYTES]);
/* Parses a head (@key: free with _clear); FALSE if it is damaged, from another version, or does not
 * match @index_size. */
gboolean
tsr_block_index_read_head (const guint8 *head, gsize length, guint64 index_size, TsrBlockKey *key);

/* Never 0; differs for the same bytes at another position. */
guint64 tsr_block_sum (guint64 block, const guint8 *bytes, gsize length);

/* (transfer full): name of the entry's folder: "HASH OF PLACE-HASH OF STATE", both in hex. */
char *tsr_block_key_dup_name (const TsrBlockKey *key);
/* (transfer full): the first half, for all states of one path. */
char *tsr_block_key_dup_place (const char *host, const char *path);

/* (transfer full): a listing as bytes, and back; NULL if it is damaged or of another folder. */
GBytes *tsr_listing_write (const char *host, const char *path, GPtrArray *entries);
GPtrArray *tsr_listing_read (const char *host, const char *path, const guint8 *bytes, gsize length);

G_END_DECLS
