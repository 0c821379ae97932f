/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filter, totals and order of rows.  Numbers are sorted by a radix sort of 64-bit keys from the
 * lowest byte on, which is stable, so that ties keep row order; bytes that are the same in all keys
 * cost nothing.  Texts are given ranks once (an order over all of a column's texts, each address
 * once), remembered by the rows, and sorted by rank from then on. */

#include "config.h"

#include "tsr-rows-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CANCEL_EVERY 8192

TsrRowOrder *
tsr_row_order_new (const guint32 *rows, guint32 n)
{
  TsrRowOrder *order;

  g_return_val_if_fail (rows != NULL || n == 0, NULL);
  order = g_atomic_rc_box_new0 (TsrRowOrder);
  order->n = order->n_passing = n;
  order->rows = g_memdup2 (rows, n * sizeof *rows);
  order->sort_column = -1;
  return order;
}

TsrRowOrder *
tsr_row_order_ref (TsrRowOrder *order)
{
  g_return_val_if_fail (order != NULL, NULL);
  return g_atomic_rc_box_acquire (order);
}

static void
order_clear (gpointer data)
{
  TsrRowOrder *order = data;

  g_free (order->rows);
  g_free (order->ends);
  g_free (order->places);
  g_free (order->totals);
  g_clear_pointer (&order->filter, tsr_filter_unref);
}

void
tsr_row_order_unref (TsrRowOrder *order)
{
  g_atomic_rc_box_release_full (order, order_clear);
}

static gboolean
fail_memory (GError **error)
{
  g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
               _ ("Not enough memory to sort so many rows; close other reports"));
  return FALSE;
}

/* ------------------------------------------------------------- radix sort */

/* Keys and what they belong to, moved together between two halves. */
typedef struct
{
  guint32 n;
  guint64 *keys, *other_keys;
  guint32 *rows, *other_rows;
} Sort;

static void
sort_clear (Sort *sort)
{
  g_free (sort->keys);
  g_free (sort->other_keys);
  g_free (sort->rows);
  g_free (sort->other_rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sort, sort_clear)

static gboolean
sort_init (Sort *sort, guint32 n, GError **error)
{
  sort->n = n;
  sort->keys = g_try_new (guint64, n);
  sort->other_keys = g_try_new (guint64, n);
  sort->rows = g_try_new (guint32, n);
  sort->other_rows = g_try_new (guint32, n);
  if (n > 0
      && (sort->keys == NULL || sort->other_keys == NULL || sort->rows == NULL
          || sort->other_rows == NULL))
    return fail_memory (error);
  return TRUE;
}

static void
radix_pass (Sort *sort, guint32 from, guint32 end, guint shift)
{
  guint32 starts[256] = { 0 };
  guint32 next = from;
  gpointer swap;

  for (guint32 i = from; i < end; i++)
    starts[(sort->keys[i] >> shift) & 0xff]++;
  for (guint b = 0; b < 256; b++)
    {
      guint32 n = starts[b];

      starts[b] = next;
      next += n;
    }
  for (guint32 i = from; i < end; i++)
    {
      guint32 to = starts[(sort->keys[i] >> shift) & 0xff]++;

      sort->other_keys[to] = sort->keys[i];
      sort->other_rows[to] = sort->rows[i];
    }
  swap = sort->keys, sort->keys = sort->other_keys, sort->other_keys = swap;
  swap = sort->rows, sort->rows = sort->other_rows, sort->other_rows = swap;
}

static gboolean
radix_sort (Sort *sort, GCancellable *cancellable, GError **error)
{
  guint64 differing = 0;

  for (guint32 i = 1; i < sort->n; i++)
    differing |= sort->keys[i] ^ sort->keys[0];
  for (guint shift = 0; shift < 64; shift += 8)
    {
      if (((differing >> shift) & 0xff) == 0)
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      radix_pass (sort, 0, sort->n, shift);
    }
  return TRUE;
}

/* ---------------------------------------------------------- order of texts */

typedef struct
{
  guint64 key; /* eight folded bytes of the text, the first one on top */
  guint32 text;
} TextKey;

/* Texts that are the same in their first @depth bytes. */
typedef struct
{
  guint32 from, end;
  gsize depth;
} TextRun;

static int
compare_text_keys (gconstpointer a, gconstpointer b)
{
  const TextKey *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->text > y->text) - (x->text < y->text);
}

/* Bytes @depth to @depth + 8, zeros behind the end. */
static guint64
text_key (const char *text, gsize depth)
{
  guint64 key = 0;

  text += depth;
  for (guint i = 0; i < 8; i++)
    {
      guchar c = *text;

      key = key << 8 | (c >= 'A' && c <= 'Z' ? c + 32u : c);
      text += c != '\0' ? 1 : 0;
    }
  return key;
}

/* Sorts @keys by @texts: eight bytes at a time, then again in each run of equal ones.  On return a
 * key's own number is 1 where its text differs from the one before it. */
static gboolean
sort_texts (
    const char *const *texts, TextKey *keys, guint32 n, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (TextRun));
  g_autofree guint8 *firsts = g_malloc0 (n);
  TextRun run = { 0, n, 0 };
  guint n_runs = 0;

  g_array_append_val (runs, run);
  while (runs->len > 0)
    {
      run = g_array_index (runs, TextRun, runs->len - 1);
      g_array_set_size (runs, runs->len - 1);
      if (((run.end - run.from) > CANCEL_EVERY || n_runs++ % CANCEL_EVERY == 0)
          && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint32 i = run.from; i < run.end; i++)
        keys[i].key = text_key (texts[keys[i].text], run.depth);
      qsort (keys + run.from, run.end - run.from, sizeof *keys, compare_text_keys);
      firsts[run.from] = 1;
      for (guint32 i = run.from, end; i < run.end; i = end)
        {
          for (end = i + 1; end < run.end && keys[end].key == keys[i].key; end++)
            ;
          firsts[i] = 1;
          if (end - i > 1 && (keys[i].key & 0xff) != 0) /* they go on */
            {
              TextRun more = { i, end, run.depth + 8 };

              g_array_append_val (runs, more);
            }
        }
    }
  for (guint32 i = 0; i < n; i++)
    keys[i].key = firsts[i];
  return TRUE;
}

/* What is compared: the text itself when it is ASCII (its bytes are folded as they are read), else
 * its case folding, which @folded keeps. */
static const char *
fold_text (const char *text, GStringChunk *folded)
{
  g_autofree char *other = NULL;

  for (const char *p = text;; p++)
    {
      if (*p == '\0')
        return text;
      if ((guchar)*p >= 0x80)
        break;
    }
  other = g_utf8_casefold (text, -1);
  return g_string_chunk_insert (folded, other);
}

/* Rank of each row's text, G_MAXUINT32 where there is none; equal texts have equal ranks. */
static guint32 *
make_ranks (TsrRows *self, guint column, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autoptr (GStringChunk) folded = g_string_chunk_new (4096);
  g_autofree guint32 *ranks = g_try_new (guint32, self->n_rows);
  g_autofree guint32 *rank_of = NULL;
  g_autofree TextKey *keys = NULL;
  guint32 rank = 0;

  if (ranks == NULL && self->n_rows > 0)
    return fail_memory (error), NULL;
  for (guint32 row = 0; row < self->n_rows; row++)
    {
      const char *text = self->source.text (self->data, row, column);
      guint number = text != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (numbers, text)) : 0;

      if (row % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (text != NULL && number == 0)
        {
          g_ptr_array_add (texts, (char *)fold_text (text, folded));
          number = texts->len;
          g_hash_table_insert (numbers, (char *)text, GUINT_TO_POINTER (number));
        }
      ranks[row] = number - 1;
    }
  keys = g_try_new (TextKey, texts->len);
  rank_of = g_try_new (guint32, texts->len);
  if (texts->len > 0 && (keys == NULL || rank_of == NULL))
    return fail_memory (error), NULL;
  for (guint32 i = 0; i < texts->len; i++)
    keys[i].text = i;
  if (texts->len > 0
      && !sort_texts ((const char *const *)texts->pdata, keys, texts->len, cancellable, error))
    return NULL;
  for (guint32 i = 0; i < texts->len; i++)
    {
      rank += i > 0 ? keys[i].key : 0;
      rank_of[keys[i].text] = rank;
    }
  for (guint32 row = 0; row < self->n_rows; row++)
    if (ranks[row] != G_MAXUINT32)
      ranks[row] = rank_of[ranks[row]];
  return g_steal_pointer (&ranks);
}

/* (transfer none): made once. */
static const guint32 *
get_ranks (TsrRows *self, guint column, GCancellable *cancellable, GError **error)
{
  guint32 *ranks, *made;

  g_mutex_lock (&self->lock);
  ranks = self->ranks[column];
  g_mutex_unlock (&self->lock);
  if (ranks != NULL || self->n_rows == 0)
    return ranks;
  made = make_ranks (self, column, cancellable, error);
  if (made == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  if (self->ranks[column] == NULL)
    self->ranks[column] = g_steal_pointer (&made);
  ranks = self->ranks[column];
  g_mutex_unlock (&self->lock);
  g_free (made);
  return ranks;
}

/* ------------------------------------------------------------------- order */

/* What lies at addresses seen lately, so that a text that stands in many rows is matched once. */
#define MEMO_SIZE 4096
typedef struct
{
  const char *text;
  gboolean passes;
} Memo;

static gboolean
pass_all (TsrRows *self, TsrRowOrder *order)
{
  order->rows = g_try_new (guint32, self->n_rows);
  if (order->rows == NULL && self->n_rows > 0)
    return FALSE;
  for (guint32 row = 0; row < self->n_rows; row++)
    order->rows[row] = row;
  order->n = self->n_rows;
  return TRUE;
}

static gboolean
filter_rows (TsrRows *self, TsrRowOrder *order, GCancellable *cancellable, GError **error)
{
  g_autofree guint *columns = g_new (guint, self->columns->len);
  g_autofree const char **texts = g_new (const char *, self->columns->len);
  g_autofree Memo *memos = g_new0 (Memo, MEMO_SIZE);
  gboolean slow = tsr_filter_has_expression (order->filter);
  guint32 *rows = order->rows = g_try_new (guint32, self->n_rows);
  guint32 n = 0, every = slow ? 64 : CANCEL_EVERY;
  guint n_columns = 0;

  if (rows == NULL && self->n_rows > 0)
    return fail_memory (error);
  for (guint i = 0; i < self->columns->len; i++)
    if (tsr_rows_get_column (self, i)->filtered
        && tsr_rows_get_column (self, i)->cell == TSR_CELL_KIND_TEXT)
      columns[n_columns++] = i;
  for (guint32 row = 0; row < self->n_rows; row++)
    {
      Memo *memo;

      if (row % every == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint i = 0; i < n_columns; i++)
        texts[i] = self->source.text (self->data, row, columns[i]);
      if (n_columns != 1 || texts[0] == NULL)
        {
          if (tsr_filter_match_texts (order->filter, n_columns, texts))
            rows[n++] = row;
          continue;
        }
      memo = &memos[g_direct_hash (texts[0]) % MEMO_SIZE];
      if (memo->text != texts[0])
        *memo = (Memo){ texts[0], tsr_filter_match (order->filter, texts[0]) };
      if (memo->passes)
        rows[n++] = row;
    }
  order->n = n;
  return TRUE;
}

static gboolean
add_totals (TsrRows *self, TsrRowOrder *order, GCancellable *cancellable, GError **error)
{
  order->totals = g_new (gint64, self->columns->len);
  for (guint i = 0; i < self->columns->len; i++)
    {
      const TsrRowColumn *info = tsr_rows_get_column (self, i);
      gboolean known = info->summed && info->cell == TSR_CELL_KIND_VALUE;
      __int128 total = 0; /* no order of adding up matters */

      for (guint32 k = 0; k < order->n && known; k++)
        {
          gint64 value = self->source.value (self->data, order->rows[k], i);

          if (k % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          /* What stands above others is their sum. */
          if (info->leaves && self->ends != NULL && self->ends[order->rows[k]] > order->rows[k] + 1)
            continue;
          known = value != TSR_UNKNOWN;
          total += value;
        }
      known = known && total <= G_MAXINT64 && total > G_MININT64;
      if (known)
        order->totals[i] = (gint64)total;
      else
        order->totals[i] = !info->summed && order->n == self->n_rows ? info->whole : TSR_UNKNOWN;
    }
  return TRUE;
}

/* Key of a known value: ascending as an unsigned number, the other way round when descending. */
static guint64
value_key (gint64 value, gboolean descending)
{
  guint64 key = (guint64)value ^ (G_GUINT64_CONSTANT (1) << 63);

  return descending ? ~key : key;
}

static gboolean
sort_rows (TsrRows *self, TsrRowOrder *order, GCancellable *cancellable, GError **error)
{
  guint column = (guint)order->sort_column;
  gboolean by_text = tsr_rows_get_column (self, column)->cell == TSR_CELL_KIND_TEXT;
  const guint32 *ranks = NULL;
  g_auto (Sort) sort = { 0 };
  guint32 n_known = 0, n_unknown = 0, n_rest = 0;

  if (order->n < 2)
    return TRUE;
  if (by_text && (ranks = get_ranks (self, column, cancellable, error)) == NULL)
    return FALSE;
  if (!sort_init (&sort, order->n, error))
    return FALSE;
  for (guint32 k = 0; k < order->n; k++)
    {
      guint32 row = order->rows[k];
      gint64 value = by_text ? (ranks[row] != G_MAXUINT32 ? ranks[row] : TSR_UNKNOWN)
                             : self->source.value (self->data, row, column);

      if (k % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (row == self->rest)
        {
          n_rest = 1;
          continue;
        }
      if (value == TSR_UNKNOWN)
        {
          order->rows[n_unknown++] = row; /* never beyond what has been read */
          continue;
        }
      sort.keys[n_known] = value_key (value, order->descending);
      sort.rows[n_known++] = row;
    }
  sort.n = n_known;
  if (!radix_sort (&sort, cancellable, error))
    return FALSE;
  memmove (order->rows + n_rest + n_known, order->rows, n_unknown * sizeof *order->rows);
  if (n_known > 0)
    memcpy (order->rows + n_rest, sort.rows, n_known * sizeof *order->rows);
  if (n_rest > 0)
    order->rows[0] = self->rest;
  return TRUE;
}

/* -------------------------------------------------------------------- tree */

/* Adds the rows above those that pass; what passes is in row order, and so is the result. */
static gboolean
add_ancestors (TsrRows *self, TsrRowOrder *order, GError **error)
{
  g_autofree guint8 *kept = g_try_new0 (guint8, self->n_rows);
  guint32 n = 0;

  if (kept == NULL && self->n_rows > 0)
    return fail_memory (error);
  for (guint32 k = 0; k < order->n; k++)
    kept[order->rows[k]] = 1;
  for (guint32 row = self->n_rows; row-- > 0;)
    {
      n += kept[row];
      if (kept[row] && self->parents[row] != TSR_NO_INDEX)
        kept[self->parents[row]] = 1;
    }
  g_free (order->rows);
  order->rows = g_try_new (guint32, n);
  if (order->rows == NULL && n > 0)
    return fail_memory (error);
  order->n = 0;
  for (guint32 row = 0; row < self->n_rows; row++)
    if (kept[row])
      order->rows[order->n++] = row;
  return TRUE;
}

/* Rows in any order become depth-first ones with siblings in that order: each row takes the place
 * behind its parent and its elder siblings with all below them.  Parents come before their children
 * among the rows, so that loops do it and no depth is too much. */
static gboolean
nest_rows (TsrRows *self, TsrRowOrder *order, GCancellable *cancellable, GError **error)
{
  const guint32 *parents = self->parents;
  g_autofree guint32 *sizes = g_try_new0 (guint32, self->n_rows);
  g_autofree guint32 *taken = g_try_new0 (guint32, self->n_rows); /* by the children so far */
  guint32 taken_top = 0;

  order->ends = g_try_new (guint32, order->n);
  order->places = g_try_new (guint32, self->n_rows);
  if (self->n_rows > 0
      && (sizes == NULL || taken == NULL || order->places == NULL
          || (order->ends == NULL && order->n > 0)))
    return fail_memory (error);
  for (guint32 k = 0; k < order->n; k++)
    sizes[order->rows[k]] = 1;
  for (guint32 row = self->n_rows; row-- > 0;)
    if (sizes[row] > 0 && parents[row] != TSR_NO_INDEX)
      sizes[parents[row]] += sizes[row];
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  for (guint32 k = 0; k < order->n; k++)
    {
      guint32 row = order->rows[k];
      guint32 *at = parents[row] != TSR_NO_INDEX ? &taken[parents[row]] : &taken_top;

      order->places[row] = *at; /* behind the parent */
      *at += sizes[row];
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  for (guint32 row = 0; row < self->n_rows; row++)
    if (sizes[row] == 0)
      order->places[row] = TSR_NO_INDEX;
    else
      {
        if (parents[row] != TSR_NO_INDEX)
          order->places[row] += order->places[parents[row]] + 1;
        order->rows[order->places[row]] = row;
        order->ends[order->places[row]] = order->places[row] + sizes[row];
        order->n_groups += self->ends[row] > row + 1;
      }
  return TRUE;
}

TsrRowOrder *
tsr_rows_arrange (TsrRows *self,
                  int sort_column,
                  gboolean descending,
                  TsrFilter *filter,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (TsrRowOrder) order = g_atomic_rc_box_new0 (TsrRowOrder);

  g_return_val_if_fail (self != NULL && sort_column < (int)self->columns->len, NULL);
  order->sort_column = MAX (sort_column, -1);
  order->descending = descending;
  if (filter != NULL && !tsr_filter_is_empty (filter))
    {
      order->filter = tsr_filter_ref (filter);
      if (!filter_rows (self, order, cancellable, error))
        return NULL;
    }
  else if (!pass_all (self, order))
    {
      fail_memory (error);
      return NULL;
    }
  order->n_passing = order->n;
  if (!add_totals (self, order, cancellable, error)
      || (self->parents != NULL && order->filter != NULL && !add_ancestors (self, order, error))
      || (sort_column >= 0 && !sort_rows (self, order, cancellable, error))
      || (self->parents != NULL && !nest_rows (self, order, cancellable, error)))
    return NULL;
  return g_steal_pointer (&order);
}
