/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is live on each tile at one step: all of it, of one category, or of one variable; and at
 * each tile's own peak, by category. */

#include "config.h"

#include "tsr-liveness-private.h"

typedef struct
{
  const TsrLoweredTables *lowered;
  const guint8 *live; /* [class] */
  guint16 category;   /* TSR_NO_CATEGORY: all of them, and without what is always live */
  gboolean unknown;   /* it is the one of rows that name none */
  gint64 *bytes;
} TilesAt;

/* What a row is counted with; nothing when it is not live. */
static inline gint64
get_live (const TilesAt *at, gsize row, gboolean with_always)
{
  guint32 c = tsr_lowered_get_class (at->lowered, row);

  if (c == TSR_CLASS_ALWAYS)
    return with_always ? tsr_lowered_get_bytes (at->lowered, row) : 0;
  if (c >= TSR_CLASS_UNTOLD)
    return TSR_UNKNOWN;
  return at->live[c] ? tsr_lowered_get_bytes (at->lowered, row) : 0;
}

static void
sum_tiles_at (guint from, guint to, gpointer local, gpointer data)
{
  TilesAt *at = data;
  const TsrLoweredTables *lowered = at->lowered;
  gboolean all = at->category == TSR_NO_CATEGORY;

  for (guint tile = from; tile < to; tile++)
    {
      gint64 sum = 0;

      for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
        {
          gsize row = tsr_lowered_get_row (lowered, i);
          gint64 bytes;

          if (!all && lowered->category[row] != at->category
              && lowered->category[row] != TSR_NO_CATEGORY)
            continue;
          bytes = get_live (at, row, !all);
          /* It may be of this category. */
          if (!all && !at->unknown && lowered->category[row] == TSR_NO_CATEGORY && bytes != 0)
            bytes = TSR_UNKNOWN;
          tsr_variables_sum_add (&sum, bytes);
        }
      at->bytes[tile] = sum;
    }
}

/* Room for every tile's bytes, @value each; NULL and @error when nothing can be told of @step. */
static gint64 *
begin (TsrLiveness *self, guint step, gint64 value, GError **error)
{
  const TsrLivenessSource tiles = { .kind = TSR_LIVENESS_TILES };
  guint n = tsr_memory_get_n_tiles (self->memory);
  gint64 *bytes;

  if (!tsr_liveness_check_variables (self, &tiles, error)
      || !tsr_liveness_check_step (self, step, error))
    return NULL;
  n = MAX (MAX (n, self->lowered->n_tiles), 1);
  bytes = g_new (gint64, n);
  for (guint tile = 0; tile < n; tile++)
    bytes[tile] = tile < self->lowered->n_tiles ? value : TSR_UNKNOWN;
  return bytes;
}

static gint64 *
dup_at (TsrLiveness *self,
        guint16 category,
        gboolean unknown,
        guint step,
        GCancellable *cancellable,
        GError **error)
{
  static const TsrParallel parallel = { NULL, NULL, sum_tiles_at };
  g_autofree gint64 *bytes = begin (self, step, TSR_UNKNOWN, error);
  g_autofree guint8 *live = NULL;
  TilesAt at = { self->lowered, NULL, category, unknown, bytes };

  if (bytes == NULL)
    return NULL;
  live = tsr_live_sums_dup_classes_at (self->lowered, step);
  at.live = live;
  return tsr_parallel_run (&parallel, self->lowered->n_tiles, 0, &at, cancellable, error)
             ? g_steal_pointer (&bytes)
             : NULL;
}

gint64 *
tsr_liveness_dup_tiles_at (TsrLiveness *self, guint step, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  return dup_at (self, TSR_NO_CATEGORY, FALSE, step, cancellable, error);
}

gint64 *
tsr_liveness_dup_category_at (
    TsrLiveness *self, guint category, guint step, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (category < tsr_memory_get_n_categories (self->memory), NULL);
  return dup_at (
      self, category,
      g_str_equal (tsr_memory_get_category_name (self->memory, category), TSR_UNKNOWN_CATEGORY),
      step, cancellable, error);
}

typedef struct
{
  const TsrLoweredTables *lowered;
  const guint32 *peak; /* [tile] */
  guint n_tiles;       /* of the memory */
  guint n_categories;  /* likewise; behind them those of no category */
  guint untold;        /* where rows that name none go */
  gint64 *bytes;       /* [category * n_tiles + tile] */
} PeaksByCategory;

static void
sum_peaks_by_category (guint from, guint to, gpointer local, gpointer data)
{
  PeaksByCategory *at = data;
  const TsrLoweredTables *lowered = at->lowered;

  for (guint tile = from; tile < to; tile++)
    {
      if (at->peak[tile] == TSR_NO_INDEX)
        continue;
      for (guint c = 0; c <= at->n_categories; c++)
        at->bytes[(gsize)c * at->n_tiles + tile] = 0;
      for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
        {
          gsize row = tsr_lowered_get_row (lowered, i);
          guint32 class_index = tsr_lowered_get_class (lowered, row);
          guint category = lowered->category[row];

          /* Where the peak is known, so is when each row is live. */
          if (class_index != TSR_CLASS_ALWAYS
              && !tsr_live_sums_is_live_at (lowered, class_index, at->peak[tile]))
            continue;
          category = category < at->n_categories ? category : at->untold;
          tsr_variables_sum_add (&at->bytes[(gsize)category * at->n_tiles + tile],
                                 tsr_lowered_get_bytes (lowered, row));
        }
    }
}

gint64 *
tsr_liveness_dup_categories_at_peaks (TsrLiveness *self, GCancellable *cancellable, GError **error)
{
  static const TsrParallel parallel = { NULL, NULL, sum_peaks_by_category };
  const TsrLivenessSource tiles = { .kind = TSR_LIVENESS_TILES };
  PeaksByCategory at = { NULL };
  gint64 *bytes;
  gsize n;

  g_return_val_if_fail (self != NULL, NULL);
  if (!tsr_liveness_check_variables (self, &tiles, error)
      || !tsr_liveness_get_tile_peaks (self, NULL, &at.peak, cancellable, error))
    return NULL;
  at.lowered = self->lowered;
  at.n_tiles = tsr_memory_get_n_tiles (self->memory);
  at.untold = at.n_categories = tsr_memory_get_n_categories (self->memory);
  for (guint c = 0; c < at.n_categories; c++)
    if (g_str_equal (tsr_memory_get_category_name (self->memory, c), TSR_UNKNOWN_CATEGORY))
      at.untold = c;
  n = (gsize)(at.n_categories + 1) * at.n_tiles;
  at.bytes = bytes = g_new (gint64, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    bytes[i] = TSR_UNKNOWN;
  if (tsr_parallel_run (&parallel, MIN (at.n_tiles, self->lowered->n_tiles), 0, &at, cancellable,
                        error))
    return bytes;
  g_free (bytes);
  return NULL;
}

gint64 *
tsr_liveness_dup_variable_at (
    TsrLiveness *self, guint variable, guint step, GCancellable *cancellable, GError **error)
{
  g_autofree gint64 *bytes = begin (self, step, 0, error);
  g_autofree guint8 *live = NULL;
  const guint32 *rows;
  TilesAt at = { self->lowered, NULL, TSR_NO_CATEGORY, FALSE, bytes };
  gsize n_rows;

  if (bytes == NULL)
    return NULL;
  g_return_val_if_fail (variable < self->variables->n, NULL);
  rows = tsr_variables_peek_lowered (self->variables, variable, &n_rows);
  live = tsr_live_sums_dup_classes_at (self->lowered, step);
  at.live = live;
  /* Without any row the file does not tell where the bytes are. */
  for (guint tile = 0;
       n_rows == 0 && self->variables->bytes[variable] != 0 && tile < self->lowered->n_tiles;
       tile++)
    bytes[tile] = TSR_UNKNOWN;
  for (gsize i = 0; i < n_rows; i++)
    if (self->lowered->tile[rows[i]] < self->lowered->n_tiles)
      tsr_variables_sum_add (&bytes[self->lowered->tile[rows[i]]], get_live (&at, rows[i], TRUE));
  return g_cancellable_set_error_if_cancelled (cancellable, error) ? NULL
                                                                   : g_steal_pointer (&bytes);
}
