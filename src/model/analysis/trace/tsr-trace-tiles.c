/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Busy and waiting cycles of every tile: each set of numbers is read once, and counts as often as
 * steps of it begin in the span. */

#include "config.h"

#include "tsr-trace-balance.h"

#include "tsr-error.h"
#include "tsr-trace-span-private.h"

#include <glib/gi18n-lib.h>

/* Steps of one set and group. */
typedef struct
{
  gint64 set;
  TsrStepGroup group;
  guint32 slice; /* one of them */
  guint64 count;
  gboolean missing;
} Use;

typedef struct
{
  const TsrTrace *trace;
  const TsrExecutionTables *tables;
  TsrSpanTypes types;
  TsrSpanSlices slices;
  gint64 from;
  GHashTable *uses;
  GPtrArray *order; /* of uses */
  GCancellable *cancellable;
} Source;

/* Few sets are of steps of several groups. */
static guint
hash_use (gconstpointer key)
{
  return g_int64_hash (&((const Use *)key)->set);
}

static gboolean
equal_uses (gconstpointer pa, gconstpointer pb)
{
  const Use *a = pa;
  const Use *b = pb;

  return a->set == b->set && a->group == b->group;
}

static int
compare_uses (gconstpointer pa, gconstpointer pb)
{
  const Use *a = *(Use *const *)pa;
  const Use *b = *(Use *const *)pb;

  return (a->set > b->set) - (a->set < b->set);
}

/* FALSE: the slice does not count. */
static gboolean
get_key (const Source *source, gsize slice, Use *key)
{
  gint64 start = source->tables->slice_start[slice];

  key->slice = (guint32)slice;
  key->group = source->types.group[(guint8)tsr_trace_get_slice_type (source->trace, key->slice)];
  if (start < source->from || start >= source->tables->slice_end[slice]
      || !tsr_step_group_is_useful (key->group)
      || !tsr_span_counts (&source->slices, source->tables, slice))
    return FALSE;
  key->set = tsr_trace_get_tile_set (source->trace, key->slice);
  return TRUE;
}

static gboolean
count_uses (Source *source)
{
  for (gsize slice = source->slices.first; slice < source->slices.end; slice++)
    {
      Use key = { 0 }, *use;

      if (tsr_span_is_cancelled (slice, source->cancellable))
        return FALSE;
      if (!get_key (source, slice, &key))
        continue;
      use = g_hash_table_lookup (source->uses, &key);
      if (use == NULL)
        {
          use = g_memdup2 (&key, sizeof key);
          g_hash_table_add (source->uses, use);
          g_ptr_array_add (source->order, use);
        }
      use->count++;
    }
  return TRUE;
}

/* The merged cycles of the steps whose numbers are there. */
static gboolean
measure_span (const Source *source, TsrTraceTiles *tiles)
{
  TsrSpanUnion span = { 0, G_MININT64 };

  for (gsize slice = source->slices.first; slice < source->slices.end; slice++)
    {
      Use key = { 0 };

      if (tsr_span_is_cancelled (slice, source->cancellable))
        return FALSE;
      if (!get_key (source, slice, &key))
        continue;
      if (((const Use *)g_hash_table_lookup (source->uses, &key))->missing)
        tiles->n_missing++;
      else
        tsr_span_union_add (&span, source->tables->slice_start[slice],
                            source->tables->slice_end[slice]);
    }
  tiles->span = span.cycles;
  return TRUE;
}

static void
set_n_tiles (TsrTraceTiles *tiles, guint n)
{
  if (n <= tiles->n)
    return;
  tiles->compute = g_renew (gint64, tiles->compute, n);
  tiles->exchange = g_renew (gint64, tiles->exchange, n);
  tiles->copy = g_renew (gint64, tiles->copy, n);
  for (guint i = tiles->n; i < n; i++)
    tiles->compute[i] = tiles->exchange[i] = tiles->copy[i] = 0;
  tiles->n = n;
}

static void
add_cycles (TsrTraceTiles *tiles, const Use *use, const TsrTileCycles *cycles)
{
  gint64 *column;

  set_n_tiles (tiles, cycles->n);
  column = use->group == TSR_STEP_GROUP_COMPUTE    ? tiles->compute
           : use->group == TSR_STEP_GROUP_TRANSFER ? tiles->copy
                                                   : tiles->exchange;
  for (guint tile = 0; tile < cycles->n; tile++)
    {
      gint64 sum;

      if (__builtin_mul_overflow ((gint64)cycles->cycles[tile], (gint64)use->count, &sum))
        sum = G_MAXINT64;
      column[tile] = tsr_span_add (column[tile], sum);
    }
}

/* Reads every set once, in order, and keeps none. */
static gboolean
read_sets (Source *source, TsrTraceTiles *tiles, GError **error)
{
  g_ptr_array_sort (source->order, compare_uses);
  for (guint i = 0; i < source->order->len; i++)
    {
      Use *use = g_ptr_array_index (source->order, i);
      g_autoptr (TsrTileCycles) cycles = NULL;
      GError *local = NULL;

      if (g_cancellable_set_error_if_cancelled (source->cancellable, error))
        return FALSE;
      if (use->set != TSR_UNKNOWN)
        cycles = tsr_trace_load_tile_cycles (source->trace, use->slice, &local);
      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      use->missing = cycles == NULL;
      if (cycles != NULL)
        add_cycles (tiles, use, cycles);
    }
  return TRUE;
}

static void
finish_tiles (TsrTraceTiles *tiles)
{
  gboolean computes = FALSE;

  tiles->waiting = g_new0 (gint64, tiles->n);
  tiles->io = g_new0 (guint8, tiles->n);
  for (guint i = 0; i < tiles->n; i++)
    {
      gint64 busy
          = tsr_span_add (tsr_span_add (tiles->compute[i], tiles->exchange[i]), tiles->copy[i]);

      tiles->waiting[i] = MAX (tiles->span - busy, 0);
      computes = computes || tiles->compute[i] > 0;
    }
  for (guint i = 0; i < tiles->n; i++)
    tiles->io[i] = computes && tiles->compute[i] == 0;
}

static gboolean
fill_tiles (Source *source, TsrTraceTiles *tiles, GError **error)
{
  if (!count_uses (source) || !read_sets (source, tiles, error) || !measure_span (source, tiles))
    {
      if (error == NULL || *error == NULL)
        g_cancellable_set_error_if_cancelled (source->cancellable, error);
      return FALSE;
    }
  if (tiles->n == 0)
    {
      g_set_error_literal (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                           _ ("No step of this span has cycles of each tile. They are recorded "
                              "with debug.computeInstrumentationLevel = tile"));
      return FALSE;
    }
  finish_tiles (tiles);
  return TRUE;
}

TsrTraceTiles *
tsr_trace_tiles (const TsrTrace *trace,
                 const TsrTraceRun *run,
                 guint ipu,
                 gint64 from,
                 gint64 to,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (TsrTraceTiles) tiles = g_new0 (TsrTraceTiles, 1);
  g_autoptr (GHashTable) uses = g_hash_table_new_full (hash_use, equal_uses, g_free, NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  Source source = { .trace = trace, .from = from, .uses = uses, .order = order };

  g_return_val_if_fail (ipu < tsr_trace_get_n_ipus (trace), NULL);
  source.cancellable = cancellable;
  source.tables = tsr_trace_get_tables (trace);
  source.slices = tsr_span_find (trace, run, ipu, from, to);
  tsr_span_types_init (&source.types, trace);
  return fill_tiles (&source, tiles, error) ? g_steal_pointer (&tiles) : NULL;
}

void
tsr_trace_tiles_free (TsrTraceTiles *self)
{
  if (self == NULL)
    return;
  g_free (self->compute);
  g_free (self->exchange);
  g_free (self->copy);
  g_free (self->waiting);
  g_free (self->io);
  g_free (self);
}
