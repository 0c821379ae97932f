/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Maps an id in a file to the place of its row: O(1) if the ids are dense, as in files from our
 * writers, else a binary search.  Borrows the ids; immutable after _init and shared between
 * threads. */

#pragma once

#include "tsr-units.h"

G_BEGIN_DECLS

typedef struct
{
  const gint64 *ids; /* borrowed: ascending, each once */
  gsize n;
  gint64 first;
  guint64 span;   /* last - first + 1; 0 without ids */
  guint32 *table; /* (nullable) place by id - first, if there are few holes */
} TsrIdIndex;

/* @ids: @n of them, ascending, each once, without TSR_UNKNOWN; fewer than TSR_NO_INDEX. */
void tsr_id_index_init (TsrIdIndex *self, const gint64 *ids, gsize n);
void tsr_id_index_clear (TsrIdIndex *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrIdIndex, tsr_id_index_clear)

/* Place of @id in the ascending @ids, or TSR_NO_INDEX: a binary search, for when an index is not
 * worth it. */
guint32 tsr_id_index_find_id (const gint64 *ids, gsize n, gint64 id);

/* Used by _find if the ids are far apart. */
guint32 tsr_id_index_search (const TsrIdIndex *self, gint64 id);

/* Place of @id among the ids, or TSR_NO_INDEX. */
static inline guint32
tsr_id_index_find (const TsrIdIndex *self, gint64 id)
{
  guint64 place = (guint64)id - (guint64)self->first;

  if (place >= self->span)
    return TSR_NO_INDEX;
  if (self->span == self->n)
    return (guint32)place;
  if (self->table != NULL)
    return self->table[place];
  return tsr_id_index_search (self, id);
}

G_END_DECLS
