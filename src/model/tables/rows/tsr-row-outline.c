/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is shown is an ascending array of positions in the order, or no array when that is all of
 * them, so that a row is found by halving.  Expanding walks over the rows that come into sight and
 * splices them in; a row that is out of sight is not even asked for its key. */

#include "config.h"

#include "tsr-row-outline.h"

#include <string.h>

/* Of a row without a filter: as its key says, or as it was set since the table came. */
enum
{
  NOT_ASKED,
  COLLAPSED,
  EXPANDED,
  SET_COLLAPSED,
  SET_EXPANDED,
};

struct _TsrRowOutline
{
  TsrRows *rows;      /* (nullable) */
  TsrRowOrder *order; /* (nullable) */
  guint8 *states;     /* of a tree, by row */
  guint8 *hidden;     /* (nullable) by row: its children are, as long as there is this filter */
  GArray *shown;      /* (nullable) guint32: positions in the order; NULL: all of them */
  GHashTable *keys;   /* set of keys of expanded rows, those of SET_ ones as they were before */
};

TsrRowOutline *
tsr_row_outline_new (void)
{
  TsrRowOutline *self = g_new0 (TsrRowOutline, 1);

  self->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
tsr_row_outline_free (TsrRowOutline *self)
{
  g_clear_pointer (&self->rows, tsr_rows_unref);
  g_clear_pointer (&self->order, tsr_row_order_unref);
  g_clear_pointer (&self->shown, g_array_unref);
  g_hash_table_unref (self->keys);
  g_free (self->states);
  g_free (self->hidden);
  g_free (self);
}

static gboolean
is_parent (TsrRows *rows, guint32 row)
{
  return tsr_rows_get_end (rows, row) > row + 1;
}

/* What was set since the table came is written into the keys. */
static void
remember (TsrRowOutline *self)
{
  for (guint32 row = 0; self->states != NULL && row < tsr_rows_get_n (self->rows); row++)
    {
      gboolean expanded = self->states[row] == SET_EXPANDED;
      char *key;

      if (self->states[row] < SET_COLLAPSED || !is_parent (self->rows, row))
        continue;
      self->states[row] = expanded ? EXPANDED : COLLAPSED;
      key = tsr_rows_dup_key (self->rows, row);
      if (key == NULL)
        return; /* none has a key */
      if (expanded)
        g_hash_table_add (self->keys, key);
      else
        {
          g_hash_table_remove (self->keys, key);
          g_free (key);
        }
    }
}

static gboolean
is_expanded (TsrRowOutline *self, guint32 row)
{
  if (self->order->filter != NULL)
    return self->hidden == NULL || !self->hidden[row];
  if (self->states[row] == NOT_ASKED)
    {
      g_autofree char *key
          = g_hash_table_size (self->keys) > 0 ? tsr_rows_dup_key (self->rows, row) : NULL;

      self->states[row]
          = key != NULL && g_hash_table_contains (self->keys, key) ? EXPANDED : COLLAPSED;
    }
  return self->states[row] == EXPANDED || self->states[row] == SET_EXPANDED;
}

/* (transfer full): the positions from @first to @end that can be seen there. */
static GArray *
walk (TsrRowOutline *self, guint32 first, guint32 end)
{
  const TsrRowOrder *order = self->order;
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 *to, n = 0;

  /* Room for all of them: what is not written takes none. */
  g_array_set_size (shown, end - first);
  to = (guint32 *)shown->data;
  for (guint32 at = first; at < end;)
    {
      gboolean open = order->ends[at] == at + 1 || is_expanded (self, order->rows[at]);

      to[n++] = at;
      at = open ? at + 1 : order->ends[at];
    }
  g_array_set_size (shown, n);
  return shown;
}

static void
show (TsrRowOutline *self)
{
  g_clear_pointer (&self->shown, g_array_unref);
  if (self->order == NULL || self->order->ends == NULL
      || (self->order->filter != NULL && self->hidden == NULL))
    return;
  self->shown = walk (self, 0, self->order->n);
}

void
tsr_row_outline_set (TsrRowOutline *self, TsrRows *rows, TsrRowOrder *order)
{
  g_autoptr (TsrRows) old_rows = NULL;
  g_autoptr (TsrRowOrder) old_order = NULL;

  g_return_if_fail (self != NULL && (rows == NULL) == (order == NULL));
  if (rows != self->rows)
    {
      remember (self);
      g_clear_pointer (&self->states, g_free);
      g_clear_pointer (&self->hidden, g_free);
      if (rows != NULL && tsr_rows_is_tree (rows))
        self->states = g_new0 (guint8, tsr_rows_get_n (rows));
    }
  else if (order != NULL && order->filter != self->order->filter)
    g_clear_pointer (&self->hidden, g_free);
  old_rows = g_steal_pointer (&self->rows);
  old_order = g_steal_pointer (&self->order);
  self->rows = rows != NULL ? tsr_rows_ref (rows) : NULL;
  self->order = order != NULL ? tsr_row_order_ref (order) : NULL;
  show (self);
}

TsrRows *
tsr_row_outline_get_rows (TsrRowOutline *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->rows;
}

TsrRowOrder *
tsr_row_outline_get_order (TsrRowOutline *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->order;
}

guint32
tsr_row_outline_get_n (TsrRowOutline *self)
{
  g_return_val_if_fail (self != NULL, 0);
  if (self->shown != NULL)
    return self->shown->len;
  return self->order != NULL ? self->order->n : 0;
}

guint32
tsr_row_outline_get_row (TsrRowOutline *self, guint32 position)
{
  g_return_val_if_fail (self != NULL && position < tsr_row_outline_get_n (self), 0);
  if (self->shown != NULL)
    position = g_array_index (self->shown, guint32, position);
  return self->order->rows[position];
}

/* The first position shown that is not before @place of the order. */
static guint32
find_place (TsrRowOutline *self, guint32 place)
{
  guint32 low = 0, high = tsr_row_outline_get_n (self);

  if (self->shown == NULL)
    return MIN (place, high);
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (g_array_index (self->shown, guint32, middle) < place)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint32
tsr_row_outline_find (TsrRowOutline *self, guint32 row)
{
  guint32 position;

  g_return_val_if_fail (self != NULL && self->rows != NULL && row < tsr_rows_get_n (self->rows),
                        TSR_NO_INDEX);
  if (self->order->places == NULL)
    {
      for (position = 0; position < self->order->n && self->order->rows[position] != row;)
        position++;
      return position < self->order->n ? position : TSR_NO_INDEX;
    }
  if (self->order->places[row] == TSR_NO_INDEX)
    return TSR_NO_INDEX;
  position = find_place (self, self->order->places[row]);
  if (position < tsr_row_outline_get_n (self) && tsr_row_outline_get_row (self, position) == row)
    return position;
  return TSR_NO_INDEX;
}

gboolean
tsr_row_outline_can_expand (TsrRowOutline *self, guint32 row)
{
  guint32 place;

  g_return_val_if_fail (self != NULL && self->rows != NULL && row < tsr_rows_get_n (self->rows),
                        FALSE);
  if (self->states == NULL)
    return FALSE;
  place = self->order->places[row];
  return place != TSR_NO_INDEX && self->order->ends[place] > place + 1;
}

gboolean
tsr_row_outline_is_expanded (TsrRowOutline *self, guint32 row)
{
  return tsr_row_outline_can_expand (self, row) && is_expanded (self, row);
}

/* Rows [first, end) of the table. */
static void
set_states (TsrRowOutline *self, guint32 first, guint32 end, gboolean expanded)
{
  if (self->order->filter == NULL)
    memset (self->states + first, expanded ? SET_EXPANDED : SET_COLLAPSED, end - first);
  else if (self->hidden != NULL || !expanded)
    {
      if (self->hidden == NULL)
        self->hidden = g_new0 (guint8, tsr_rows_get_n (self->rows));
      memset (self->hidden + first, !expanded, end - first);
    }
}

/* What is shown below the row at @position is made anew. */
static void
splice (TsrRowOutline *self, guint32 position)
{
  guint32 place, end, old_end;
  g_autoptr (GArray) below = NULL;

  if (self->shown == NULL)
    {
      show (self);
      return;
    }
  place = g_array_index (self->shown, guint32, position);
  end = self->order->ends[place];
  old_end = find_place (self, end);
  if (is_expanded (self, self->order->rows[place]))
    below = walk (self, place + 1, end);
  if (old_end > position + 1)
    g_array_remove_range (self->shown, position + 1, old_end - position - 1);
  if (below != NULL && below->len > 0)
    g_array_insert_vals (self->shown, position + 1, below->data, below->len);
}

void
tsr_row_outline_set_expanded (TsrRowOutline *self, guint32 row, gboolean expanded, gboolean below)
{
  guint32 position;

  g_return_if_fail (self != NULL && self->rows != NULL && row < tsr_rows_get_n (self->rows));
  if (self->states == NULL)
    return;
  position = tsr_row_outline_find (self, row);
  set_states (self, row, below ? tsr_rows_get_end (self->rows, row) : row + 1, expanded);
  if (position != TSR_NO_INDEX)
    splice (self, position);
}

void
tsr_row_outline_set_all_expanded (TsrRowOutline *self, gboolean expanded)
{
  g_return_if_fail (self != NULL);
  if (self->states == NULL)
    return;
  set_states (self, 0, tsr_rows_get_n (self->rows), expanded);
  show (self);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char **
tsr_row_outline_dup_keys (TsrRowOutline *self)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  g_return_val_if_fail (self != NULL, NULL);
  remember (self);
  g_hash_table_iter_init (&iter, self->keys);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, g_strdup (key));
  g_ptr_array_sort (keys, compare_keys);
  g_ptr_array_add (keys, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&keys), FALSE);
}

void
tsr_row_outline_set_keys (TsrRowOutline *self, const char *const *keys)
{
  g_return_if_fail (self != NULL);
  g_hash_table_remove_all (self->keys);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    g_hash_table_add (self->keys, g_strdup (keys[i]));
  if (self->states != NULL)
    memset (self->states, NOT_ASKED, tsr_rows_get_n (self->rows));
  show (self);
}
