/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What frames of a crowded trace have in common.  Columns begin and end on multiples of a bucket
 * (tsr-trace-chart-sweep.c), so the longest item of a column is the longest of its one or two
 * buckets' longest, exactly; and a bucket's is the same in every frame between two powers of two.
 * Buckets are kept in patches, with what is drawn for their item, and found when a frame first
 * touches one: from those of half its size, when there are such, else in the trace.
 *
 * Which patches there are is the main thread's; threads fill them, each patch by one.  Between two
 * frames a thread fills those that the next ones will need, if the view goes on as it went. */

#include "config.h"

#include "tsr-crew.h"
#include "tsr-trace-chart-private.h"

#include <math.h>

#define MAX_SIZE (16 << 20) /* bytes of patches that the present frame does not need */
#define MAX_BITS 52         /* of a bucket's cycles, and of a cycle: so that no sum overflows */
#define CHUNK    64

/* Positions, and which patches they take. */
typedef struct
{
  double from, to;
  int bits;
} View;

typedef struct _Ahead Ahead;

struct _TsrTracePatches
{
  GHashTable *table; /* of TsrTracePatch, to itself */
  guint64 frame;
  Ahead *ahead;        /* (nullable): at work or done; as long as it works no patch is freed */
  View last, ahead_of; /* the last frame's view, and what is there ahead */
};

static void stop_ahead (TsrTracePatches *self);

static guint
patch_hash (gconstpointer key)
{
  const TsrTracePatchKey *patch = key;
  guint64 mix = ((guint64)(gsize)patch->row >> 4) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  mix = (mix ^ (guint64)patch->index ^ (guint64)patch->bits << 58)
        * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return (guint)(mix >> 32);
}

static gboolean
patch_equal (gconstpointer a, gconstpointer b)
{
  const TsrTracePatchKey *x = a;
  const TsrTracePatchKey *y = b;

  return x->row == y->row && x->index == y->index && x->bits == y->bits;
}

TsrTracePatches *
tsr_trace_patches_new (void)
{
  TsrTracePatches *self = g_new0 (TsrTracePatches, 1);

  self->table = g_hash_table_new_full (patch_hash, patch_equal, g_free, NULL);
  self->last = self->ahead_of = (View){ NAN, NAN, -1 };
  return self;
}

void
tsr_trace_patches_free (TsrTracePatches *self)
{
  if (self == NULL)
    return;
  stop_ahead (self);
  g_hash_table_unref (self->table);
  g_free (self);
}

gsize
tsr_trace_patches_get_size (const TsrTracePatches *self)
{
  return g_hash_table_size (self->table) * sizeof (TsrTracePatch);
}

/* ------------------------------------------------------------------- which */

static gboolean
is_edge (const TsrTraceGrid *self, gint64 cycles)
{
  return ((guint64)cycles & (((guint64)1 << self->bucket_bits) - 1)) == 0;
}

/* Patch of a bucket, appended unless it is the last one.  FALSE: there are too many. */
static gboolean
add_patch (TsrTraceGrid *self, guint most, gint64 index)
{
  if (self->n_patches > 0 && self->patches[self->n_patches - 1] >= index)
    return TRUE;
  if (self->n_patches == most)
    return FALSE;
  self->patches[self->n_patches++] = index;
  return TRUE;
}

static gboolean
list_stretch (TsrTraceGrid *self, guint i, guint most)
{
  const TsrTraceStretch *stretch = &g_array_index (self->stretches, TsrTraceStretch, i);

  for (guint column = stretch->from; column < stretch->to; column++)
    {
      gint64 from = self->from[column + i];
      gint64 to = self->to[column + i];
      gint64 bucket = from >> self->bucket_bits;
      gint64 end = to >> self->bucket_bits;
      guint slot;

      if (!is_edge (self, from) || !is_edge (self, to) || from >= to)
        continue;
      if (!add_patch (self, most, bucket >> TSR_TRACE_PATCH_BITS))
        return FALSE;
      slot = self->n_patches - 1;
      if (!add_patch (self, most, (end - 1) >> TSR_TRACE_PATCH_BITS))
        return FALSE;
      self->bucket[column]
          = slot * TSR_TRACE_PATCH_BUCKETS + ((guint)bucket & (TSR_TRACE_PATCH_BUCKETS - 1));
      self->bucket_end[column] = self->bucket[column] + (guint)(end - bucket);
    }
  return TRUE;
}

gboolean
tsr_trace_grid_list_patches (TsrTraceGrid *self)
{
  /* A stretch between two notches touches one at least: as many again, and nothing is gained. */
  guint most = 2 * (4 * self->n_columns / TSR_TRACE_PATCH_BUCKETS + 2);
  gint64 first;
  gint64 last;

  if (self->patches != NULL || self->bucket_bits < 0 || self->bucket_bits > MAX_BITS)
    return self->patches != NULL;
  tsr_trace_fold_get_domain (self->chart->fold, &first, &last);
  if (first <= -((gint64)1 << (MAX_BITS + TSR_TRACE_PATCH_BITS))
      || last >= (gint64)1 << (MAX_BITS + TSR_TRACE_PATCH_BITS))
    return FALSE;
  tsr_trace_grid_ensure_edges (self);
  self->patches = g_new (gint64, most);
  self->bucket = g_new0 (guint32, 2 * (gsize)self->n_columns);
  self->bucket_end = self->bucket + self->n_columns;
  for (guint i = 0; i < self->stretches->len; i++)
    if (!list_stretch (self, i, most))
      {
        g_clear_pointer (&self->patches, g_free);
        g_clear_pointer (&self->bucket, g_free);
        self->n_patches = 0;
        return FALSE;
      }
  return TRUE;
}

/* -------------------------------------------------------------------- what */

typedef enum
{
  EMPTY,
  TAKEN, /* some thread is at it */
  KNOWN,
} State;

/* One that is missing, and what is there of the same places: (nullable) both of half its size, or
 * the one of twice its size. */
typedef struct
{
  TsrTracePatch *patch;
  TsrTraceChartRow row;
  const TsrTracePatch *halves[2];
  const TsrTracePatch *twice;
} Missing;

/* Patches of one place in rows of one lane: what their columns are is found once. */
typedef struct
{
  guint first, n; /* of those missing */
} Job;

typedef struct
{
  TsrTraceChart *chart;
  GArray *missing; /* Missing */
  GArray *jobs;    /* Job */
} Search;

static void
search_init (Search *self, TsrTraceChart *chart)
{
  self->chart = chart;
  self->missing = g_array_new (FALSE, FALSE, sizeof (Missing));
  self->jobs = g_array_new (FALSE, FALSE, sizeof (Job));
}

static void
search_clear (Search *self)
{
  g_array_unref (self->missing);
  g_array_unref (self->jobs);
}

static void
copy_bucket (TsrTracePatch *to, guint i, const TsrTracePatch *from, guint k)
{
  to->lengths[i] = from->lengths[k];
  to->items[i] = from->items[k];
  to->balances[i] = from->balances[k];
  to->inks[i] = from->inks[k];
  to->leaves[i] = from->leaves[k];
}

static void
join_halves (const Missing *missing)
{
  TsrTracePatch *patch = missing->patch;

  for (guint i = 0; i < TSR_TRACE_PATCH_BUCKETS; i++)
    {
      const TsrTracePatch *half = missing->halves[i >= TSR_TRACE_PATCH_BUCKETS / 2];
      guint k = 2 * i & (TSR_TRACE_PATCH_BUCKETS - 1);

      copy_bucket (patch, i, half,
                   tsr_trace_patch_get_length (half, k + 1) > tsr_trace_patch_get_length (half, k)
                       ? k + 1
                       : k);
    }
}

/* What is drawn for some items of a patch, which stand in @places of it. */
static void
find_looks (TsrTraceChart *chart, const Missing *missing, guint n, const guint32 *places)
{
  const TsrTraceRow *row = missing->row.row;
  const float *balances = tsr_trace_get_tables (chart->trace)->slice_tile_balance;
  TsrTracePatch *patch = missing->patch;
  guint32 items[CHUNK];
  guint32 slices[CHUNK];
  guint32 lengths[CHUNK];
  TsrTraceKind kinds[CHUNK];

  for (guint i = 0; i < n; i++)
    {
      items[i] = patch->items[places[i]];
      slices[i] = tsr_trace_row_first_slice (row, items[i]);
      if (balances != NULL)
        __builtin_prefetch (balances + slices[i]);
    }
  tsr_trace_get_lengths (row, n, items, lengths);
  tsr_trace_get_kinds (chart->trace, row, n, items, kinds);
  for (guint i = 0; i < n; i++)
    {
      TsrTraceLook look = tsr_trace_chart_look_of_kind (chart, &missing->row, kinds[i]);
      guint at = places[i];

      patch->lengths[at] = lengths[i] < G_MAXUINT32 ? lengths[i] + 1 : G_MAXUINT32;
      patch->inks[at] = look.ink;
      patch->leaves[at] = look.leaf != 0;
      patch->balances[at] = NAN;
      if (balances != NULL && look.leaf && look.ink == TSR_TRACE_INK_COMPUTE)
        patch->balances[at] = balances[slices[i]];
    }
}

static void
look_into_trace (const Search *search,
                 const Missing *missing,
                 const guint32 *first,
                 const guint32 *end)
{
  TsrTraceChart *chart = search->chart;
  TsrTracePatch *patch = missing->patch;
  const TsrTracePatch *twice = missing->twice;
  guint base = (guint)(patch->key.index & 1) * TSR_TRACE_PATCH_BUCKETS / 2;
  guint32 guess[TSR_TRACE_PATCH_BUCKETS];
  guint32 places[CHUNK];
  guint n = 0;

  for (guint i = 0; twice != NULL && i < TSR_TRACE_PATCH_BUCKETS; i++)
    guess[i] = twice->lengths[base + i / 2] > 0 ? twice->items[base + i / 2] : G_MAXUINT32;
  tsr_trace_longest_in_columns (chart->trace, missing->row.row, TSR_TRACE_PATCH_BUCKETS, first, end,
                                chart->hidden, twice != NULL ? guess : NULL, patch->items);
  for (guint i = 0; i < TSR_TRACE_PATCH_BUCKETS; i++)
    if (patch->items[i] == G_MAXUINT32)
      patch->lengths[i] = 0;
    else if (twice != NULL && patch->items[i] == guess[i])
      copy_bucket (patch, i, twice, base + i / 2);
    else if (i == 0 || patch->items[i] != patch->items[i - 1])
      {
        places[n++] = i;
        if (n == CHUNK)
          find_looks (chart, missing, n, places);
        n %= CHUNK;
      }
  find_looks (chart, missing, n, places);
  for (guint i = 1; i < TSR_TRACE_PATCH_BUCKETS; i++)
    if (patch->items[i] != G_MAXUINT32 && patch->items[i] == patch->items[i - 1])
      copy_bucket (patch, i, patch, i - 1);
}

static void
do_job (gpointer data, guint task)
{
  const Search *search = data;
  TsrTraceChart *chart = search->chart;
  const Job *job = &g_array_index (search->jobs, Job, task);
  gint64 edges[TSR_TRACE_PATCH_BUCKETS + 1];
  guint32 first[TSR_TRACE_PATCH_BUCKETS];
  guint32 end[TSR_TRACE_PATCH_BUCKETS];
  gboolean found = FALSE;

  for (guint m = job->first; m < job->first + job->n; m++)
    {
      const Missing *missing = &g_array_index (search->missing, Missing, m);
      TsrTracePatch *patch = missing->patch;

      if (!g_atomic_int_compare_and_exchange (&patch->state, EMPTY, TAKEN))
        continue;
      if (missing->halves[0] != NULL)
        join_halves (missing);
      else
        {
          for (guint i = 0; !found && i <= TSR_TRACE_PATCH_BUCKETS; i++)
            edges[i] = (gint64)(((guint64)patch->key.index * TSR_TRACE_PATCH_BUCKETS + i)
                                << patch->key.bits);
          if (!found)
            tsr_trace_find_columns (chart->trace, missing->row.track, TSR_TRACE_PATCH_BUCKETS,
                                    edges, edges + 1, first, end);
          found = TRUE;
          look_into_trace (search, missing, first, end);
        }
      g_atomic_int_set (&patch->state, KNOWN);
    }
}

/* ------------------------------------------------------------------- table */

static TsrTracePatch *
find_patch (const TsrTracePatches *self, const TsrTraceRow *row, int bits, gint64 index)
{
  const TsrTracePatchKey key = { row, bits, index };

  return g_hash_table_lookup (self->table, &key);
}

/* The same if it is filled. */
static const TsrTracePatch *
find_known (const TsrTracePatches *self, const TsrTraceRow *row, int bits, gint64 index)
{
  const TsrTracePatch *patch = find_patch (self, row, bits, index);

  return patch != NULL && g_atomic_int_get (&patch->state) == KNOWN ? patch : NULL;
}

static TsrTracePatch *
take_patch (Search *search, const TsrTraceChartRow *row, int bits, gint64 index)
{
  TsrTracePatches *all = search->chart->patches;
  TsrTracePatch *patch = find_patch (all, row->row, bits, index);
  Missing missing = { .row = *row };

  if (patch == NULL)
    {
      patch = g_new (TsrTracePatch, 1);
      patch->key = (TsrTracePatchKey){ row->row, bits, index };
      patch->state = EMPTY;
      g_hash_table_add (all->table, patch);
    }
  patch->frame = all->frame;
  if (g_atomic_int_get (&patch->state) == KNOWN)
    return patch;
  missing.patch = patch;
  missing.halves[0] = find_known (all, row->row, bits - 1, 2 * index);
  missing.halves[1] = find_known (all, row->row, bits - 1, 2 * index + 1);
  if (missing.halves[1] == NULL)
    missing.halves[0] = NULL;
  missing.twice = find_known (all, row->row, bits + 1, index >> 1);
  g_array_append_val (search->missing, missing);
  return patch;
}

/* All of @rows at some places; *patches: (nullable) where they are put. */
static void
take_all (Search *search,
          guint n,
          const TsrTraceChartRow *const *rows,
          int bits,
          guint n_places,
          const gint64 *places,
          TsrTracePatch **patches)
{
  guint end;

  for (guint r = 0; r < n; r = end)
    {
      for (end = r + 1; end < n && rows[end]->track == rows[r]->track;)
        end++;
      for (guint i = 0; i < n_places; i++)
        {
          Job job = { search->missing->len, 0 };

          for (guint k = r; k < end; k++)
            {
              TsrTracePatch *patch = take_patch (search, rows[k], bits, places[i]);

              if (patches != NULL)
                patches[(gsize)k * n_places + i] = patch;
            }
          job.n = search->missing->len - job.first;
          if (job.n > 0)
            g_array_append_val (search->jobs, job);
        }
    }
}

/* ------------------------------------------------------------------- ahead */

/* A search that nobody waits for. */
struct _Ahead
{
  Search search;
  gint stop; /* atomic */
  GMutex lock;
  GCond ended;
  gboolean done;
};

static gboolean
is_at_work (Ahead *self)
{
  gboolean done = TRUE;

  if (self == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  done = self->done;
  g_mutex_unlock (&self->lock);
  return !done;
}

static void
work_ahead (gpointer data, gpointer user_data)
{
  Ahead *self = data;

  for (guint i = 0; i < self->search.jobs->len && !g_atomic_int_get (&self->stop); i++)
    do_job (&self->search, i);
  g_mutex_lock (&self->lock);
  self->done = TRUE;
  g_cond_signal (&self->ended);
  g_mutex_unlock (&self->lock);
}

static void
ahead_free (Ahead *self)
{
  search_clear (&self->search);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->ended);
  g_free (self);
}

/* Waits for the job that it is at, a fraction of a millisecond. */
static void
stop_ahead (TsrTracePatches *self)
{
  Ahead *ahead = g_steal_pointer (&self->ahead);

  if (ahead == NULL)
    return;
  g_atomic_int_set (&ahead->stop, 1);
  g_mutex_lock (&ahead->lock);
  while (!ahead->done)
    g_cond_wait (&ahead->ended, &ahead->lock);
  g_mutex_unlock (&ahead->lock);
  ahead_free (ahead);
}

static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (work_ahead, NULL, 1, FALSE, NULL));
  return pool;
}

void
tsr_trace_patches_clear (TsrTracePatches *self)
{
  stop_ahead (self);
  g_hash_table_remove_all (self->table);
  self->ahead_of.bits = -1;
}

/* The view goes on as it went: twice as close or as far away about the same place, or a third of it
 * to the same side.  FALSE: it stands still. */
static gboolean
guess_view (const TsrTraceGrid *grid, const View *last, double *from, double *to)
{
  double width = grid->geometry->to - grid->geometry->from;
  double moved = grid->geometry->from - last->from;
  double grown = width - (last->to - last->from);
  double zoom = grown > 0 ? 2 : 0.5;
  double place;

  *from = grid->geometry->from;
  *to = grid->geometry->to;
  if (isnan (grown) || fabs (grown) > 1e-6 * width)
    {
      /* What stood at the same pixel before; nothing was before: what opens is looked into. */
      place = *from + (isnan (grown) ? 0.5 : CLAMP (-moved / grown, 0, 1)) * width;
      *from = place - (place - *from) * zoom;
      *to = place + (*to - place) * zoom;
      return TRUE;
    }
  if (fabs (moved) <= 1e-6 * width)
    return FALSE;
  *from += moved > 0 ? width / 3 : -width / 3;
  *to += moved > 0 ? width / 3 : -width / 3;
  return TRUE;
}

static void
begin_ahead (TsrTracePatches *self,
             TsrTraceGrid *grid,
             guint n,
             const TsrTraceChartRow *const *rows)
{
  Ahead *ahead = g_new0 (Ahead, 1);

  search_init (&ahead->search, grid->chart);
  for (guint r = 0, end; r < n; r = end)
    {
      for (end = r + 1; end < n && rows[end]->track == rows[r]->track;)
        end++;
      if (tsr_trace_grid_begin (grid, rows[r]->track) && grid->lanes[rows[r]->track].crowded)
        take_all (&ahead->search, end - r, rows + r, grid->bucket_bits, grid->n_patches,
                  grid->patches, NULL);
    }
  g_mutex_init (&ahead->lock);
  g_cond_init (&ahead->ended);
  self->ahead = ahead;
  g_thread_pool_push (get_pool (), ahead, NULL);
}

static void
look_ahead (const TsrTraceGrid *grid, guint n, const TsrTraceChartRow *const *rows)
{
  TsrTracePatches *self = grid->chart->patches;
  TsrChartGeometry geometry = *grid->geometry;
  View last = self->last;
  g_auto (TsrTraceGrid) next = { NULL };

  self->last = (View){ geometry.from, geometry.to, grid->bucket_bits };
  if (is_at_work (self->ahead) || !guess_view (grid, &last, &geometry.from, &geometry.to)
      || !tsr_trace_grid_init (&next, grid->chart, &geometry, grid->area) || next.bucket_bits < 0
      || (self->ahead_of.bits == next.bucket_bits && geometry.from >= self->ahead_of.from
          && geometry.to <= self->ahead_of.to)
      || !tsr_trace_grid_list_patches (&next))
    return;
  self->ahead_of = (View){ geometry.from, geometry.to, next.bucket_bits };
  stop_ahead (self);
  begin_ahead (self, &next, n, rows);
}

/* -------------------------------------------------------------------- all */

static gboolean
is_older (gpointer key, gpointer value, gpointer data)
{
  return ((const TsrTracePatch *)key)->frame < *(const guint64 *)data;
}

/* Those that were not used for the longest time go, half of what there was at most. */
static void
drop_old (TsrTracePatches *self)
{
  guint64 frame = self->frame;
  GHashTableIter iter;
  gpointer key;

  if (tsr_trace_patches_get_size (self) <= MAX_SIZE || is_at_work (self->ahead))
    return;
  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    frame = MIN (frame, ((const TsrTracePatch *)key)->frame);
  frame += (self->frame - frame + 1) / 2;
  g_hash_table_foreach_remove (self->table, is_older, &frame);
}

void
tsr_trace_grid_take_patches (const TsrTraceGrid *self,
                             guint n,
                             const TsrTraceChartRow *const *rows,
                             TsrTracePatch **patches)
{
  TsrTracePatches *all = self->chart->patches;
  Search search;

  drop_old (all);
  all->frame++;
  search_init (&search, self->chart);
  take_all (&search, n, rows, self->bucket_bits, self->n_patches, self->patches, patches);
  if (search.jobs->len > 0)
    tsr_crew_run (search.jobs->len, do_job, &search);
  for (guint i = 0; i < search.missing->len; i++)
    while (g_atomic_int_get (&g_array_index (search.missing, Missing, i).patch->state) != KNOWN)
      g_thread_yield ();
  search_clear (&search);
  look_ahead (self, n, rows);
}
