/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Walks the B-trees of a database level by level and prefetches each level in one batch.  If a read
 * costs a round trip, SQLite alone would pay one for each page on its way.  This only moves bytes:
 * damaged pages are skipped here, and reported when SQLite reads them.  Only source/ includes this.
 */

#pragma once

#include "tsr-source.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 root;   /* page, from 1 */
  gboolean whole; /* all its pages except overflow pages; else the root */
} TsrBTree;

/* Whether there are pages below @root, and so rows. */
gboolean
tsr_btree_is_deep (TsrSource *source, guint32 page_size, guint32 root, GCancellable *cancellable);

/* Does nothing for sources that read quickly.  Trees of more than @max_bytes are not prefetched
 * whole: a scan reads them ahead by itself, and the source is told where they end. */
void tsr_btree_prefetch (TsrSource *source,
                         guint32 page_size,
                         const TsrBTree *trees,
                         guint n,
                         guint64 max_bytes,
                         GCancellable *cancellable);

G_END_DECLS
