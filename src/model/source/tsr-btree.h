/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Walks B-trees of a database level by level and has each level fetched at once: where a read costs
 * a round trip, SQLite would pay one for each page on its way.  Only bytes are moved; what is
 * damaged is passed over, and SQLite will say so.  Only source/ includes this. */

#pragma once

#include "tsr-source.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 root;   /* page, from 1 */
  gboolean whole; /* all its pages without overflow; else the root */
} TsrBTree;

/* Whether there are pages below @root, and so rows. */
gboolean
tsr_btree_is_deep (TsrSource *source, guint32 page_size, guint32 root, GCancellable *cancellable);

/* Does nothing where reading is quick.  A whole tree of more than @max_bytes is left to whoever
 * scans it; the source is told where it ends. */
void tsr_btree_prefetch (TsrSource *source,
                         guint32 page_size,
                         const TsrBTree *trees,
                         guint n,
                         guint64 max_bytes,
                         GCancellable *cancellable);

G_END_DECLS
