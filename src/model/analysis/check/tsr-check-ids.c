/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sorted, disjoint ranges of ids, searched by bisection. */

#include "config.h"

#include "tsr-check-ids.h"

void
tsr_id_set_init (TsrIdSet *self)
{
  self->ranges = g_array_new (FALSE, FALSE, sizeof (TsrIdRange));
  self->present = FALSE;
  self->in_order = TRUE;
  self->n_ids = 0;
}

void
tsr_id_set_clear (TsrIdSet *self)
{
  g_clear_pointer (&self->ranges, g_array_unref);
}

void
tsr_id_set_add (TsrIdSet *self, gint64 id)
{
  TsrIdRange range = { id, id, 0 };

  if (self->ranges->len > 0)
    {
      TsrIdRange *last = &g_array_index (self->ranges, TsrIdRange, self->ranges->len - 1);

      if (id > last->last && id - 1 == last->last)
        {
          last->last = id;
          return;
        }
      if (id <= last->last)
        self->in_order = FALSE;
    }
  g_array_append_val (self->ranges, range);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const TsrIdRange *)a)->first;
  gint64 y = ((const TsrIdRange *)b)->first;

  return (x > y) - (x < y);
}

guint64
tsr_id_set_seal (TsrIdSet *self)
{
  TsrIdRange *entries = (TsrIdRange *)(void *)self->ranges->data;
  guint64 doubles = 0;
  guint n = 0;

  if (!self->in_order)
    g_array_sort (self->ranges, compare_ranges);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      TsrIdRange range = entries[i];
      TsrIdRange *last = n > 0 ? &entries[n - 1] : NULL;

      if (last != NULL && range.first <= last->last)
        {
          doubles += (guint64)MIN (range.last, last->last) - (guint64)range.first + 1;
          last->last = MAX (last->last, range.last);
        }
      else if (last != NULL && range.first - 1 == last->last)
        last->last = range.last;
      else
        entries[n++] = range;
    }
  g_array_set_size (self->ranges, n);
  self->n_ids = 0;
  for (guint i = 0; i < n; i++)
    {
      entries[i].before = self->n_ids;
      self->n_ids += (guint64)entries[i].last - (guint64)entries[i].first + 1;
    }
  return doubles;
}

gint64
tsr_id_set_index (const TsrIdSet *self, gint64 id)
{
  const TsrIdRange *entries = (const TsrIdRange *)(const void *)self->ranges->data;
  guint low = 0;
  guint high = self->ranges->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (entries[middle].last < id)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->ranges->len || id < entries[low].first)
    return -1;
  return (gint64)(entries[low].before + ((guint64)id - (guint64)entries[low].first));
}

gint64
tsr_id_set_get (const TsrIdSet *self, guint64 place)
{
  const TsrIdRange *entries = (const TsrIdRange *)(const void *)self->ranges->data;
  guint low = 0;
  guint high = self->ranges->len;

  if (place >= self->n_ids)
    return -1;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (entries[middle].before <= place)
        low = middle;
      else
        high = middle;
    }
  return (gint64)((guint64)entries[low].first + (place - entries[low].before));
}

/* Ids of the set that are less than @id. */
static guint64
count_below (const TsrIdSet *self, gint64 id)
{
  guint64 n = 0;
  guint low = 0;
  guint high = self->ranges->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TsrIdRange *range = &g_array_index (self->ranges, TsrIdRange, middle);

      if (range->first >= id)
        high = middle;
      else
        {
          n = range->before + ((guint64)MIN (range->last, id - 1) - (guint64)range->first) + 1;
          low = middle + 1;
        }
    }
  return n;
}

guint64
tsr_id_set_count (const TsrIdSet *self, gint64 first, gint64 end)
{
  return first < end ? count_below (self, end) - count_below (self, first) : 0;
}

gboolean
tsr_id_set_contains (const TsrIdSet *self, gint64 id)
{
  return tsr_id_set_index (self, id) >= 0;
}

gint64
tsr_id_set_last (const TsrIdSet *self)
{
  if (self->ranges->len == 0)
    return -1;
  return g_array_index (self->ranges, TsrIdRange, self->ranges->len - 1).last;
}
