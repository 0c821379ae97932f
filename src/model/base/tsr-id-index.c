/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Looks up rows by id: the id itself where ids are dense, else a table, or a binary search where
 * they are too sparse for one. */

#include "config.h"

#include "tsr-id-index.h"

#include <string.h>

/* A table may have this many places for each id: it stays smaller than what it tells of. */
#define PLACES_AN_ID 4

void
tsr_id_index_init (TsrIdIndex *self, const gint64 *ids, gsize n)
{
  g_return_if_fail (self != NULL && (ids != NULL || n == 0) && n < TSR_NO_INDEX);

  memset (self, 0, sizeof *self);
  self->ids = ids;
  self->n = n;
  if (n == 0)
    return;
  self->first = ids[0];
  self->span = (guint64)ids[n - 1] - (guint64)ids[0] + 1;
  if (self->span == n || self->span / PLACES_AN_ID > n)
    return;
  self->table = g_new (guint32, self->span);
  memset (self->table, 0xff, self->span * sizeof *self->table);
  for (gsize i = 0; i < n; i++)
    self->table[(guint64)ids[i] - (guint64)ids[0]] = i;
}

void
tsr_id_index_clear (TsrIdIndex *self)
{
  g_free (self->table);
  memset (self, 0, sizeof *self);
}

guint32
tsr_id_index_find_id (const gint64 *ids, gsize n, gint64 id)
{
  gsize from = 0;
  gsize to = n;

  while (from < to)
    {
      gsize middle = from + (to - from) / 2;

      if (ids[middle] < id)
        from = middle + 1;
      else
        to = middle;
    }
  return from < n && ids[from] == id ? (guint32)from : TSR_NO_INDEX;
}

guint32
tsr_id_index_search (const TsrIdIndex *self, gint64 id)
{
  return tsr_id_index_find_id (self->ids, self->n, id);
}
