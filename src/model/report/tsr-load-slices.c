/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns the rows of steps_by_ipu, in file order, into the slices of each IPU, sorted by start.
 * Only a permutation of 4 bytes per row is sorted; the columns then follow it one by one, and each
 * frees the column that it was read into, so that loading takes hardly more memory than the result.
 */

#include "config.h"

#include "tsr-load-execution.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TABLE "steps_by_ipu"

typedef struct
{
  TsrTableReporter reporter;
  TsrExecutionTables *tables;
  TsrSliceRows *rows;
  guint32 *order; /* places of rows: those of IPU 0 first */
} Sorter;

static void
sorter_clear (Sorter *self)
{
  tsr_table_reporter_clear (&self->reporter);
  g_clear_pointer (&self->order, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sorter, sorter_clear)

/* -------------------------------------------------------------------- rows */

static gint64
get_step_id (const Sorter *self, guint32 place)
{
  return tsr_execution_tables_get_step_id (self->tables, self->rows->step[place]);
}

/* What names the row at @place: its rowid, or its step; TSR_NO_ROW. */
static gint64
get_row (const Sorter *self, guint32 place)
{
  if (self->rows->by_step)
    return get_step_id (self, place);
  return tsr_row_of_place (self->rows->first_row, place);
}

/* -------------------------------------------------------------------- order */

typedef gboolean (*Before) (const Sorter *self, guint32 a, guint32 b);

static gboolean
is_step_before (const Sorter *self, guint32 a, guint32 b)
{
  const TsrSliceRows *rows = self->rows;

  return rows->step[a] != rows->step[b] ? rows->step[a] < rows->step[b] : a < b;
}

/* By start, then end, then step; what is not told comes last. */
static gboolean
is_start_before (const Sorter *self, guint32 a, guint32 b)
{
  const TsrSliceRows *rows = self->rows;
  guint64 x = (guint64)rows->start[a]; /* TSR_UNKNOWN is the largest */
  guint64 y = (guint64)rows->start[b];

  if (x != y)
    return x < y;
  if (rows->end[a] != rows->end[b])
    return rows->end[a] < rows->end[b];
  return rows->step[a] < rows->step[b];
}

typedef struct
{
  const Sorter *sorter;
  Before before;
} Comparison;

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Comparison *comparison = data;
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;

  if (comparison->before (comparison->sorter, x, y))
    return -1;
  return comparison->before (comparison->sorter, y, x) ? 1 : 0;
}

/* Moves that a slice may take on average before insertion gives up: files are in order but for
 * what runs at the same time. */
#define MOVES_A_SLICE 8

static void
sort (const Sorter *self, guint32 *places, gsize n, Before before)
{
  Comparison comparison = { self, before };
  const gsize most = n <= G_MAXINT ? n * MOVES_A_SLICE : G_MAXSIZE;
  gsize moves = 0;

  for (gsize i = 1; i < n && moves <= most; i++)
    {
      guint32 place = places[i];
      gsize at = i;

      if (!before (self, place, places[i - 1]))
        continue;
      while (at > 0 && before (self, place, places[at - 1]) && moves <= most)
        {
          places[at] = places[at - 1];
          at--;
          moves++;
        }
      places[at] = place;
    }
  if (moves > most)
    g_qsort_with_data (places, (int)n, sizeof *places, compare, &comparison);
}

/* ------------------------------------------------------------------ IPUs */

/* The number of rows that most steps have, of rows in the order of steps; the smaller of two that
 * are equally frequent. */
static guint
most_frequent_length (const Sorter *self, const guint32 *places, gsize n)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  const guint32 *step = self->rows->step;
  guint best = 0;
  guint best_count = 0;

  for (gsize i = 0; i < n;)
    {
      gsize end = i + 1;
      guint length;
      guint count;

      while (end < n && step[places[end]] == step[places[i]])
        end++;
      length = end - i;
      count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (length))) + 1;
      g_hash_table_insert (counts, GUINT_TO_POINTER (length), GUINT_TO_POINTER (count));
      if (count > best_count || (count == best_count && length < best))
        {
          best = length;
          best_count = count;
        }
      i = end;
    }
  return best;
}

/* Without an ipu column: the k-th row of a step is IPU k, if all steps have equally many. */
static void
number_ipus (Sorter *self, guint max_ipus)
{
  TsrSliceRows *rows = self->rows;
  guint32 *places = self->order;
  gsize n = 0;
  guint wanted;

  for (gsize i = 0; i < rows->n; i++)
    if (rows->step[i] != TSR_NO_INDEX)
      places[n++] = i;
  sort (self, places, n, is_step_before);
  wanted = most_frequent_length (self, places, n);
  if (wanted > max_ipus)
    tsr_table_reporter_add (&self->reporter, TSR_NO_ROW, TSR_SEVERITY_ERROR, "ipus-uneven",
                            _ ("most steps have %u rows, but the target has %u IPUs, so which IPU "
                               "each row belongs to is not known; those steps are left out"),
                            wanted, max_ipus);
  for (gsize i = 0; i < n;)
    {
      guint32 step = rows->step[places[i]];
      gsize end = i + 1;
      gboolean fits;

      while (end < n && rows->step[places[end]] == step)
        end++;
      fits = end - i == wanted && wanted <= max_ipus;
      if (end - i != wanted)
        tsr_table_reporter_add (
            &self->reporter, get_row (self, places[i]), TSR_SEVERITY_ERROR, "ipus-uneven",
            _ ("step %" PRId64 " has %u rows where other steps have %u, so "
               "which IPU each belongs to is not known; the step is left out"),
            tsr_execution_tables_get_step_id (self->tables, step), (guint)(end - i), wanted);
      for (gsize k = i; k < end; k++)
        if (fits)
          rows->ipu[places[k]] = (guint16)(k - i);
        else
          rows->step[places[k]] = TSR_NO_INDEX;
      i = end;
    }
}

/* Shares the rows out among the IPUs, those of each as they stand in the file. */
static void
share_out (Sorter *self)
{
  const TsrSliceRows *rows = self->rows;
  TsrExecutionTables *tables = self->tables;
  g_autofree gsize *next = NULL;

  for (gsize i = 0; i < rows->n; i++)
    if (rows->step[i] != TSR_NO_INDEX)
      tables->n_ipus = MAX (tables->n_ipus, rows->ipu[i] + 1u);
  tables->ipu_start = g_new0 (gsize, (gsize)tables->n_ipus + 1);
  for (gsize i = 0; i < rows->n; i++)
    if (rows->step[i] != TSR_NO_INDEX)
      tables->ipu_start[rows->ipu[i] + 1]++;
  for (guint i = 0; i < tables->n_ipus; i++)
    tables->ipu_start[i + 1] += tables->ipu_start[i];
  next = g_memdup2 (tables->ipu_start, ((gsize)tables->n_ipus + 1) * sizeof *next);
  for (gsize i = 0; i < rows->n; i++)
    if (rows->step[i] != TSR_NO_INDEX)
      self->order[next[rows->ipu[i]]++] = i;
}

/* --------------------------------------------------------------- each IPU */

/* Two rows for one step and IPU: neither is known to be the right one, the first in the file
 * counts.  @places are in the order of steps. */
static gsize
drop_repeated (Sorter *self, guint32 *places, gsize n, guint ipu)
{
  const TsrSliceRows *rows = self->rows;
  gsize kept = 0;

  for (gsize i = 0; i < n; i++)
    if (kept > 0 && rows->step[places[i]] == rows->step[places[kept - 1]])
      tsr_table_reporter_add (
          &self->reporter, get_row (self, places[i]), TSR_SEVERITY_ERROR, "row-repeated",
          _ ("step %" PRId64 " has another row for IPU %u; the first one "
             "counts"),
          tsr_execution_tables_get_step_id (self->tables, rows->step[places[i]]), ipu);
    else
      places[kept++] = places[i];
  return kept;
}

/* Without the cycle in which the last tile begins, a step seems to begin before the one before it
 * ends: that is its lead-in, unless it also ends earlier and so runs at the same time. */
static void
cut_starts (Sorter *self, const guint32 *places, gsize n)
{
  gint64 *start = self->rows->start;
  const gint64 *end = self->rows->end;
  gint64 last_end = TSR_UNKNOWN;

  for (gsize i = 0; i < n; i++)
    {
      guint32 at = places[i];

      if (start[at] == TSR_UNKNOWN)
        continue;
      if (start[at] < last_end && last_end < end[at])
        start[at] = last_end;
      last_end = end[at];
    }
}

/* The first step that ends before an earlier one of its IPU begins, and how many there are. */
typedef struct
{
  guint64 n;
  guint32 place, earlier; /* of rows */
  guint ipu;
} EarlySteps;

/* @places are in the order of steps. */
static void
follow_time (const Sorter *self, const guint32 *places, gsize n, guint ipu, EarlySteps *early)
{
  const gint64 *start = self->rows->start;
  const gint64 *end = self->rows->end;
  guint32 last = TSR_NO_INDEX; /* the one that begins last */

  for (gsize i = 0; i < n; i++)
    {
      guint32 at = places[i];

      if (start[at] == TSR_UNKNOWN)
        continue;
      if (last == TSR_NO_INDEX || start[at] >= start[last])
        last = at;
      else if (end[at] < start[last] && (early->n++ == 0 || at < early->place))
        {
          early->place = at;
          early->earlier = last;
          early->ipu = ipu;
        }
    }
}

static void
report_early (Sorter *self, const EarlySteps *early)
{
  const TsrSliceRows *rows = self->rows;

  if (early->n == 0)
    return;
  tsr_table_reporter_add (
      &self->reporter, get_row (self, early->place), TSR_SEVERITY_WARNING, "time-out-of-order",
      _ ("step %" PRId64 " of IPU %" PRId64 " ends at cycle %" PRId64 ", but step %" PRId64
         " before it begins at cycle %" PRId64 "; steps that are out of order in time: %" PRIu64),
      get_step_id (self, early->place), (gint64)early->ipu, rows->end[early->place],
      get_step_id (self, early->earlier), rows->start[early->earlier], early->n);
}

/* Puts the slices of each IPU in order, and those of the next one behind them. */
static void
sort_ipus (Sorter *self)
{
  TsrExecutionTables *tables = self->tables;
  EarlySteps early = { 0 };
  gsize n = 0;

  for (guint ipu = 0; ipu < tables->n_ipus; ipu++)
    {
      guint32 *places = self->order + tables->ipu_start[ipu];
      gsize length = tables->ipu_start[ipu + 1] - tables->ipu_start[ipu];

      sort (self, places, length, is_step_before);
      length = drop_repeated (self, places, length, ipu);
      follow_time (self, places, length, ipu, &early);
      if (!self->rows->has_from_max)
        cut_starts (self, places, length);
      sort (self, places, length, is_start_before);
      memmove (self->order + n, places, length * sizeof *places);
      tables->ipu_start[ipu] = n;
      n += length;
    }
  tables->ipu_start[tables->n_ipus] = n;
  report_early (self, &early);
}

/* ------------------------------------------------------------------ columns */

/* The column's values in order; @column is freed.  NULL when there is no memory. */
#define DEFINE_MOVE(name, type)                                                                    \
  static type *name (type **column, const guint32 *order, gsize n)                                 \
  {                                                                                                \
    const type *from = *column;                                                                    \
    type *to = g_try_new (type, MAX (n, 1));                                                       \
                                                                                                   \
    for (gsize i = 0; to != NULL && i < n; i++)                                                    \
      to[i] = from[order[i]];                                                                      \
    g_clear_pointer (column, g_free);                                                              \
    return to;                                                                                     \
  }

DEFINE_MOVE (move_32, guint32)
DEFINE_MOVE (move_64, gint64)
DEFINE_MOVE (move_float, float)

static gboolean
move_narrow (TsrNarrow *column, const guint32 *order, gsize n, TsrNarrow *to)
{
  gboolean ok = tsr_narrow_init (to, n);

  for (gsize i = 0; ok && i < n; i++)
    {
      guint32 value = column->values[order[i]];

      if (G_LIKELY (value != TSR_NARROW_WIDE))
        to->values[i] = value;
      else
        tsr_narrow_set (to, i, tsr_narrow_get (column, order[i]));
    }
  tsr_narrow_clear (column);
  if (ok)
    tsr_narrow_seal (to);
  return ok;
}

static gboolean
move_columns (Sorter *self)
{
  TsrSliceRows *rows = self->rows;
  TsrExecutionTables *t = self->tables;
  const guint32 *order = self->order;
  const gsize n = t->ipu_start[t->n_ipus];

  g_clear_pointer (&rows->ipu, g_free);
  t->slice_start = move_64 (&rows->start, order, n);
  t->slice_end = move_64 (&rows->end, order, n);
  t->slice_step = move_32 (&rows->step, order, n);
  t->slice_tile_balance = move_float (&rows->tile_balance, order, n);
  t->slice_active_tile_balance = move_float (&rows->active_tile_balance, order, n);
  return t->slice_start != NULL && t->slice_end != NULL && t->slice_step != NULL
         && t->slice_tile_balance != NULL && t->slice_active_tile_balance != NULL
         && move_narrow (&rows->lead_in, order, n, &t->slice_lead_in)
         && move_narrow (&rows->cycles, order, n, &t->slice_cycles)
         && move_narrow (&rows->active_tiles, order, n, &t->slice_active_tiles)
         && move_narrow (&rows->data_in, order, n, &t->slice_data_in)
         && move_narrow (&rows->data_out, order, n, &t->slice_data_out);
}

gboolean
tsr_load_slices (TsrLoading *loading,
                 TsrExecutionTables *tables,
                 TsrSliceRows *rows,
                 guint max_ipus,
                 GError **error)
{
  g_auto (Sorter) self
      = { .reporter = { .loading = loading, .table = TABLE }, .tables = tables, .rows = rows };

  self.order = g_try_new (guint32, MAX (rows->n, 1));
  if (self.order == NULL)
    return !tsr_loading_fail_memory (loading, TABLE, error);
  if (!rows->has_ipu)
    number_ipus (&self, max_ipus);
  share_out (&self);
  sort_ipus (&self);
  tables->from_max_told = rows->has_from_max;
  return move_columns (&self) || !tsr_loading_fail_memory (loading, TABLE, error);
}
