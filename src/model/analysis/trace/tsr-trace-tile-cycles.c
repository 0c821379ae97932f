/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers of each tile of a step: which arrays a set has (the table is read once, when the first
 * set is asked for), and the arrays of the latest sets.  Everything here is under one lock but for
 * the reading itself, which has a connection that nobody else uses meanwhile. */

#include "config.h"

#include "tsr-trace-private.h"

#include "tsr-profile-tables.h"

#define MAX_KEPT     512
#define MAX_PROFILES 2 /* connections that wait for the next set */

static TsrTileCycles *
tsr_tile_cycles_ref (TsrTileCycles *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
tsr_tile_cycles_unref (TsrTileCycles *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->count))
    return;
  g_free (self->start);
  g_free (self->cycles);
  g_free (self);
}

/* A row of tile_cycles. */
typedef struct
{
  gint64 key;
  gint64 start, cycles; /* tile_arrays.id, or TSR_UNKNOWN */
} Entry;

typedef struct
{
  gint64 key;
  TsrTileCycles *cycles; /* NULL: the file has no such numbers */
} Kept;

struct _TsrTraceTileCache
{
  GMutex lock;
  GCond indexed;
  enum
  {
    INDEX_MISSING,
    INDEX_READING,
    INDEX_READY,
  } state;
  GArray *index;    /* Entry, by key */
  GHashTable *kept; /* by key: link of latest */
  GQueue latest;    /* Kept, latest first */
  GQueue profiles;  /* idle connections */
};

TsrTraceTileCache *
tsr_trace_tile_cache_new (void)
{
  TsrTraceTileCache *self = g_new0 (TsrTraceTileCache, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->indexed);
  self->index = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->kept = g_hash_table_new (g_int64_hash, g_int64_equal);
  return self;
}

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  g_clear_pointer (&kept->cycles, tsr_tile_cycles_unref);
  g_free (kept);
}

void
tsr_trace_tile_cache_free (TsrTraceTileCache *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->kept);
  g_queue_clear_full (&self->latest, kept_free);
  g_queue_clear_full (&self->profiles, g_object_unref);
  g_array_unref (self->index);
  g_cond_clear (&self->indexed);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gint64
tsr_trace_get_tile_set (const TsrTrace *self, guint32 slice)
{
  const TsrExecutionTables *t = self->tables;
  guint32 step, set;

  g_return_val_if_fail (slice < self->n_slices, TSR_UNKNOWN);
  step = t->slice_step[slice];
  set = step < t->n_steps ? t->step_tile_cycles[step] : TSR_NO_INDEX;
  return set != TSR_NO_INDEX ? (gint64)set * self->n_ipus + tsr_trace_get_ipu_of (self, slice)
                             : TSR_UNKNOWN;
}

/* ------------------------------------------------------------------- cache */

/* With the lock held.  TRUE: @cycles (transfer full) (nullable) is what is kept. */
static gboolean
look_up (TsrTraceTileCache *cache, gint64 key, TsrTileCycles **cycles)
{
  GList *link = g_hash_table_lookup (cache->kept, &key);
  Kept *kept;

  if (link == NULL)
    return FALSE;
  kept = link->data;
  g_queue_unlink (&cache->latest, link);
  g_queue_push_head_link (&cache->latest, link);
  *cycles = kept->cycles != NULL ? tsr_tile_cycles_ref (kept->cycles) : NULL;
  return TRUE;
}

/* With the lock held. */
static void
keep (TsrTraceTileCache *cache, gint64 key, TsrTileCycles *cycles)
{
  Kept *kept;

  if (g_hash_table_contains (cache->kept, &key))
    return;
  kept = g_new0 (Kept, 1);
  kept->key = key;
  kept->cycles = cycles != NULL ? tsr_tile_cycles_ref (cycles) : NULL;
  g_queue_push_head (&cache->latest, kept);
  g_hash_table_insert (cache->kept, &kept->key, cache->latest.head);
  if (cache->latest.length > MAX_KEPT)
    {
      Kept *oldest = g_queue_pop_tail (&cache->latest);

      g_hash_table_remove (cache->kept, &oldest->key);
      kept_free (oldest);
    }
}

/* ------------------------------------------------------------------- index */

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Entry *)a)->key;
  gint64 y = ((const Entry *)b)->key;

  return (x > y) - (x < y);
}

static gboolean
read_index (const TsrTrace *self, TsrProfile *profile, GArray *index, GError **error)
{
  g_auto (TsrTableRows) rows = { 0 };

  if (!tsr_profile_read_table (profile, TSR_TABLE_TILE_CYCLES, NULL, &rows, error))
    return FALSE;
  for (gsize i = 0; i < rows.n; i++)
    {
      gint64 set = rows.columns[TSR_TILE_CYCLES_SET].values[i];
      gint64 ipu = rows.columns[TSR_TILE_CYCLES_IPU].values[i];
      Entry entry = { 0, rows.columns[TSR_TILE_CYCLES_START].values[i],
                      rows.columns[TSR_TILE_CYCLES_CYCLES].values[i] };

      if (ipu == TSR_UNKNOWN && self->n_ipus == 1)
        ipu = 0;
      if ((guint64)set >= TSR_NO_INDEX || (guint64)ipu >= self->n_ipus)
        continue;
      entry.key = set * self->n_ipus + ipu;
      g_array_append_val (index, entry);
    }
  g_array_sort (index, compare_entries);
  return TRUE;
}

/* Without the lock.  The first caller reads, others wait for it; after an error the next one
 * tries again. */
static gboolean
ensure_index (const TsrTrace *self, TsrProfile *profile, GError **error)
{
  TsrTraceTileCache *cache = self->tiles;
  g_autoptr (GArray) index = NULL;
  gboolean done;

  g_mutex_lock (&cache->lock);
  while (cache->state == INDEX_READING)
    g_cond_wait (&cache->indexed, &cache->lock);
  done = cache->state == INDEX_READY;
  if (!done)
    cache->state = INDEX_READING;
  g_mutex_unlock (&cache->lock);
  if (done)
    return TRUE;
  index = g_array_new (FALSE, FALSE, sizeof (Entry));
  done = read_index (self, profile, index, error);
  g_mutex_lock (&cache->lock);
  if (done)
    {
      g_array_unref (cache->index);
      cache->index = g_steal_pointer (&index);
    }
  cache->state = done ? INDEX_READY : INDEX_MISSING;
  g_cond_broadcast (&cache->indexed);
  g_mutex_unlock (&cache->lock);
  return done;
}

/* The first row of a set and IPU; NULL: there is none.  The index does not change any more. */
static const Entry *
find_entry (const TsrTraceTileCache *cache, gint64 key)
{
  guint low = 0;
  guint high = cache->index->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (cache->index, Entry, middle).key < key)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == cache->index->len || g_array_index (cache->index, Entry, low).key != key)
    return NULL;
  return &g_array_index (cache->index, Entry, low);
}

/* ------------------------------------------------------------------ reading */

static TsrProfile *
take_profile (const TsrTrace *self, GError **error)
{
  TsrTraceTileCache *cache = self->tiles;
  TsrProfile *profile;

  g_mutex_lock (&cache->lock);
  profile = g_queue_pop_head (&cache->profiles);
  g_mutex_unlock (&cache->lock);
  return profile != NULL ? profile : tsr_report_open_profile (self->report, error);
}

static void
give_profile_back (const TsrTrace *self, TsrProfile *profile)
{
  TsrTraceTileCache *cache = self->tiles;

  g_mutex_lock (&cache->lock);
  if (cache->profiles.length < MAX_PROFILES)
    g_queue_push_head (&cache->profiles, g_steal_pointer (&profile));
  g_mutex_unlock (&cache->lock);
  g_clear_object (&profile);
}

/* *cycles stays NULL when the file has no such numbers or they are not what they should be (a
 * diagnostic says so). */
static gboolean
read_arrays (const TsrTrace *self,
             TsrProfile *profile,
             const Entry *entry,
             TsrTileCycles **cycles,
             GError **error)
{
  guint n = (guint)self->tiles_per_ipu;
  g_autoptr (TsrTileCycles) out = g_new0 (TsrTileCycles, 1);
  gboolean found = FALSE;
  guint64 most = 0;

  g_atomic_ref_count_init (&out->count);
  if (entry == NULL || entry->cycles == TSR_UNKNOWN)
    return TRUE;
  out->n = n;
  out->cycles = g_new (guint32, n);
  if (!tsr_profile_read_tile_array (profile, entry->cycles, n, out->cycles, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  if (entry->start != TSR_UNKNOWN)
    {
      out->start = g_new (guint32, n);
      if (!tsr_profile_read_tile_array (profile, entry->start, n, out->start, &found, error))
        return FALSE;
      if (!found)
        return TRUE;
    }
  for (guint i = 0; i < n; i++)
    if (out->cycles[i] > 0)
      most = MAX (most, (guint64)(out->start != NULL ? out->start[i] : 0) + out->cycles[i]);
  if (most > G_MAXUINT32)
    return TRUE;
  out->to_max = (guint32)most;
  *cycles = g_steal_pointer (&out);
  return TRUE;
}

TsrTileCycles *
tsr_trace_peek_tile_cycles (const TsrTrace *self, guint32 slice)
{
  gint64 key = tsr_trace_get_tile_set (self, slice);
  TsrTileCycles *cycles = NULL;

  if (key == TSR_UNKNOWN)
    return NULL;
  g_mutex_lock (&self->tiles->lock);
  look_up (self->tiles, key, &cycles);
  g_mutex_unlock (&self->tiles->lock);
  return cycles;
}

TsrTileCycles *
tsr_trace_load_tile_cycles (const TsrTrace *self, guint32 slice, GError **error)
{
  TsrTraceTileCache *cache;
  gint64 key;
  TsrTileCycles *cycles = NULL;
  g_autoptr (TsrProfile) profile = NULL;
  gboolean known;

  g_return_val_if_fail (self != NULL, NULL);
  key = tsr_trace_get_tile_set (self, slice);
  cache = self->tiles;
  if (key == TSR_UNKNOWN || self->report == NULL || self->tiles_per_ipu <= 0
      || self->tiles_per_ipu > TSR_MAX_TILES)
    return NULL;
  g_mutex_lock (&cache->lock);
  known = look_up (cache, key, &cycles);
  g_mutex_unlock (&cache->lock);
  if (known)
    return cycles;
  profile = take_profile (self, error);
  if (profile == NULL || !ensure_index (self, profile, error)
      || !read_arrays (self, profile, find_entry (cache, key), &cycles, error))
    return NULL;
  g_mutex_lock (&cache->lock);
  keep (cache, key, cycles);
  g_mutex_unlock (&cache->lock);
  give_profile_back (self, g_steal_pointer (&profile));
  return cycles;
}
