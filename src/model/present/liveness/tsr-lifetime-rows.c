/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lifetimes of all variables of a source, flat, with the orders in which they are shown. */

#include "config.h"

#include "tsr-lifetime-rows-private.h"

#define CHECK_EVERY 64 /* variables between two looks at the cancellable */

typedef struct
{
  TsrLifetimeRows *rows;
  GArray *variable, *bytes, *birth, *end, *start, *from, *to;
} Builder;

static void
builder_init (Builder *self)
{
  self->variable = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->bytes = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->birth = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->end = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->start = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->from = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->to = g_array_new (FALSE, FALSE, sizeof (guint32));
}

/* Steps at which it is live; how many bytes differ from step to step does not part them. */
static void
add_variable (Builder *self, guint32 variable, const GArray *lives, guint n_steps)
{
  gsize first = self->from->len;
  gint64 most = 0;

  for (guint i = 0; i < lives->len; i++)
    {
      const TsrLifetime *life = &g_array_index (lives, TsrLifetime, i);
      guint32 to = MIN (life->to, n_steps);

      if (life->from >= to)
        continue;
      most = most == TSR_UNKNOWN || life->bytes == TSR_UNKNOWN ? TSR_UNKNOWN
                                                               : MAX (most, life->bytes);
      if (self->to->len > first
          && g_array_index (self->to, guint32, self->to->len - 1) >= life->from)
        {
          g_array_index (self->to, guint32, self->to->len - 1) = to;
          continue;
        }
      g_array_append_val (self->from, life->from);
      g_array_append_val (self->to, to);
    }
  if (self->from->len == first)
    return;
  g_array_append_val (self->variable, variable);
  g_array_append_val (self->bytes, most);
  g_array_append_val (self->birth, g_array_index (self->from, guint32, first));
  g_array_append_val (self->end, g_array_index (self->to, guint32, self->to->len - 1));
  g_array_append_val (self->start, first);
}

/* ----------------------------------------------------------------- orders */

static int
by_bytes (const TsrLifetimeRows *rows, guint32 a, guint32 b)
{
  gint64 x = rows->bytes[a];
  gint64 y = rows->bytes[b];

  /* TSR_UNKNOWN is the least: it stands last. */
  return x != y ? (x > y ? -1 : 1) : (a > b) - (a < b);
}

static int
compare_bytes (gconstpointer a, gconstpointer b, gpointer data)
{
  return by_bytes (data, *(const guint32 *)a, *(const guint32 *)b);
}

static int
compare_birth (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrLifetimeRows *rows = data;
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;

  return rows->birth[x] != rows->birth[y] ? (rows->birth[x] < rows->birth[y] ? -1 : 1)
                                          : by_bytes (rows, x, y);
}

static int
compare_death (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrLifetimeRows *rows = data;
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;

  return rows->end[x] != rows->end[y] ? (rows->end[x] < rows->end[y] ? -1 : 1)
                                      : by_bytes (rows, x, y);
}

static void
add_orders (TsrLifetimeRows *self)
{
  static const GCompareDataFunc compare[TSR_N_LIFETIME_ORDERS]
      = { compare_bytes, compare_birth, compare_death };

  for (guint o = 0; o < TSR_N_LIFETIME_ORDERS; o++)
    {
      self->order[o] = g_new (guint32, MAX (self->n, 1));
      for (guint32 i = 0; i < self->n; i++)
        self->order[o][i] = i;
      g_qsort_with_data (self->order[o], self->n, sizeof (guint32), compare[o], self);
    }
}

/* ------------------------------------------------------------------- rows */

static void
builder_finish (Builder *self, TsrLifetimeRows *rows)
{
  gsize n = self->from->len;

  g_array_append_val (self->start, n);
  rows->n = self->variable->len;
  rows->variable = (guint32 *)(gpointer)g_array_free (self->variable, FALSE);
  rows->bytes = (gint64 *)(gpointer)g_array_free (self->bytes, FALSE);
  rows->birth = (guint32 *)(gpointer)g_array_free (self->birth, FALSE);
  rows->end = (guint32 *)(gpointer)g_array_free (self->end, FALSE);
  rows->start = (gsize *)(gpointer)g_array_free (self->start, FALSE);
  rows->from = (guint32 *)(gpointer)g_array_free (self->from, FALSE);
  rows->to = (guint32 *)(gpointer)g_array_free (self->to, FALSE);
}

/* (transfer full): tiles of @source, or NULL for all of them. */
static guint *
dup_tiles (TsrLiveness *liveness, const TsrLivenessSource *source, guint *n_tiles)
{
  guint first;
  guint end;
  guint *tiles;

  if (source->kind == TSR_LIVENESS_ALL)
    return NULL;
  if (source->kind == TSR_LIVENESS_TILES)
    {
      *n_tiles = source->n_tiles;
      return g_memdup2 (source->tiles, MAX (source->n_tiles, 1) * sizeof (guint));
    }
  tsr_memory_get_ipu_tiles (tsr_liveness_get_memory (liveness), source->ipu, &first, &end);
  *n_tiles = end - first;
  tiles = g_new (guint, MAX (end - first, 1));
  for (guint i = 0; i < end - first; i++)
    tiles[i] = first + i;
  return tiles;
}

TsrLifetimeRows *
tsr_lifetime_rows_new (TsrLiveness *liveness,
                       const TsrLivenessSource *source,
                       TsrFilter *filter,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (TsrLifetimeRows) rows = NULL;
  g_autofree guint *tiles = NULL;
  TsrVariables *variables;
  Builder builder;
  guint n_tiles = 0;
  gboolean cancelled = FALSE;

  g_return_val_if_fail (liveness != NULL && source != NULL, NULL);

  rows = g_new0 (TsrLifetimeRows, 1);
  g_atomic_ref_count_init (&rows->refs);
  variables = tsr_liveness_get_variables (liveness);
  rows->n_steps = tsr_liveness_get_n_steps (liveness);
  rows->source_label = tsr_liveness_source_dup_label (source);
  tiles = dup_tiles (liveness, source, &n_tiles);
  builder_init (&builder);
  for (guint32 v = 0; v < tsr_variables_get_n (variables) && !cancelled; v++)
    {
      g_autoptr (GArray) lives = NULL;

      if (v % CHECK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        cancelled = TRUE;
      else if (tsr_variables_get_life (variables, v) != TSR_LIFE_ALWAYS
               && (filter == NULL
                   || tsr_filter_match (filter, tsr_variables_get_name (variables, v))))
        {
          lives = tsr_variables_dup_lifetimes (variables, v, tiles, n_tiles);
          add_variable (&builder, v, lives, rows->n_steps);
        }
    }
  builder_finish (&builder, rows);
  if (cancelled)
    return NULL;
  add_orders (rows);
  return g_steal_pointer (&rows);
}

TsrLifetimeRows *
tsr_lifetime_rows_ref (TsrLifetimeRows *rows)
{
  g_atomic_ref_count_inc (&rows->refs);
  return rows;
}

void
tsr_lifetime_rows_free (TsrLifetimeRows *rows)
{
  if (rows == NULL || !g_atomic_ref_count_dec (&rows->refs))
    return;
  g_free (rows->source_label);
  g_free (rows->variable);
  g_free (rows->bytes);
  g_free (rows->birth);
  g_free (rows->end);
  g_free (rows->start);
  g_free (rows->from);
  g_free (rows->to);
  for (guint o = 0; o < TSR_N_LIFETIME_ORDERS; o++)
    g_free (rows->order[o]);
  g_free (rows);
}
