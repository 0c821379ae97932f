/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The stage of lowered variables: first the intervals of the equivalence classes, then vars_info in
 * one scan with two threads, then the rows of each tile.  Unused classes are left out. */

#include "config.h"

#include "tsr-load-rows.h"

#include "tsr-error.h"
#include "tsr-profile-lowered.h"
#include "tsr-scan.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define TABLE  "vars_info"
#define OPTION "autoReport.outputLoweredVars"

G_STATIC_ASSERT (TSR_LOWERED_UNKNOWN == TSR_LOWERED_TELLS_NOT);
G_STATIC_ASSERT (TSR_NO_CATEGORY == G_MAXUINT16);

void
tsr_lowered_tables_free (TsrLoweredTables *tables)
{
  if (tables == NULL)
    return;
  g_free (tables->id);
  g_free (tables->tile);
  g_free (tables->size);
  g_free (tables->offset);
  g_free (tables->name);
  g_free (tables->variable);
  g_free (tables->equivalence_class);
  g_free (tables->category);
  g_free (tables->always_live);
  g_free (tables->alignment);
  g_clear_pointer (&tables->strings, tsr_string_table_free);
  g_free (tables->tile_start);
  g_free (tables->by_tile);
  g_free (tables->class_id);
  g_free (tables->interval_start);
  g_free (tables->interval_from);
  g_free (tables->interval_to);
  g_free (tables);
}

typedef struct
{
  TsrLoading *loading;
  const TsrSummary *summary;
  const TsrMemoryTables *memory;
  const TsrLivenessTables *liveness;
  TsrLoweredTables *tables;
  TsrLoweredKeys keys;
  gint64 *name_ids;
  guint32 *strings;
  gint64 *category_ids;
  guint16 *category_places;
} Builder;

static void
builder_clear (Builder *self)
{
  tsr_id_index_clear (&self->keys.names);
  tsr_id_index_clear (&self->keys.variables);
  tsr_id_index_clear (&self->keys.categories);
  tsr_id_index_clear (&self->keys.classes);
  g_free (self->name_ids);
  g_free (self->strings);
  g_free (self->category_ids);
  g_free (self->category_places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

/* ------------------------------------------------------ what the rows name */

static gboolean
load_strings (Builder *self, GError **error)
{
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_STRINGS, 1,
                                    self->tables->strings, error))
    return FALSE;
  self->name_ids = tsr_sorted_rows_dup (&rows, TSR_STRING_ID);
  self->strings = tsr_sorted_rows_dup_texts (&rows, TSR_STRING_VALUE);
  tsr_id_index_init (&self->keys.names, self->name_ids, rows.n);
  self->keys.strings = self->strings;
  self->keys.n_strings = rows.n;
  return TRUE;
}

static int
compare_categories (gconstpointer a, gconstpointer b, gpointer data)
{
  const gint64 *ids = data;
  gint64 x = ids[*(const guint16 *)a];
  gint64 y = ids[*(const guint16 *)b];

  return x < y ? -1 : x > y;
}

/* The memory stage has them in order of ids but for those that other tables added. */
static void
index_categories (Builder *self)
{
  const TsrCategoryRows *categories = self->memory != NULL ? &self->memory->categories : NULL;
  guint n = categories != NULL ? categories->n_categories : 0;

  self->category_places = g_new (guint16, MAX (n, 1));
  self->category_ids = g_new (gint64, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    self->category_places[i] = i;
  if (n > 0)
    g_qsort_with_data (self->category_places, n, sizeof *self->category_places, compare_categories,
                       categories->ids);
  for (guint i = 0; i < n; i++)
    self->category_ids[i] = categories->ids[self->category_places[i]];
  tsr_id_index_init (&self->keys.categories, self->category_ids, n);
  self->keys.category_places = self->category_places;
}

/* How many tiles there are, and how large they are.  Without memory by tile the target tells it, or
 * else the largest number of a tile, up to what the file has room for. */
static void
set_tiles (Builder *self)
{
  gint64 most = MIN (tsr_loading_get_most_rows (self->loading), TSR_MAX_TILES);
  gint64 told = self->summary->target.tiles_per_replica;

  self->keys.bytes_per_tile = TSR_UNKNOWN;
  self->keys.n_tiles = told > 0 ? MIN (told, most) : most;
  if (self->memory == NULL || self->memory->tiles.n_tiles == 0)
    return;
  self->keys.n_tiles = self->memory->tiles.n_tiles;
  self->keys.bytes_per_tile = self->memory->bytes_per_tile;
  self->keys.overflowed = self->memory->tiles.overflowed;
}

/* ----------------------------------------------------------------- classes */

/* Adds the interval of row @i to those of its class, which are in order of their starts. */
static void
add_interval (TsrLoweredTables *tables, TsrSortedRows *rows, guint i, gint64 n_steps, gsize *n)
{
  gsize first = tables->interval_start[tables->n_classes - 1];
  guint32 from;
  guint32 to;

  if (!tsr_sorted_rows_clip (rows, i, n_steps, &from, &to))
    return;
  if (*n == first || from > tables->interval_to[*n - 1])
    {
      tables->interval_from[*n] = from;
      tables->interval_to[*n] = to;
      ++*n;
      return;
    }
  if (from < tables->interval_to[*n - 1])
    tsr_sorted_rows_report (rows, i, TSR_SEVERITY_WARNING, "intervals-overlap",
                            _ ("the interval from step %u to %u overlaps another one of class "
                               "%" PRId64 "; they count as one"),
                            from, to, tables->class_id[tables->n_classes - 1]);
  tables->interval_to[*n - 1] = MAX (tables->interval_to[*n - 1], to);
}

static guint
count_classes (const TsrSortedRows *rows)
{
  guint n = 0;

  for (guint i = 0; i < rows->n; i++)
    if (i == 0
        || tsr_sorted_rows_get (rows, i, TSR_INTERVAL_OF)
               != tsr_sorted_rows_get (rows, i - 1, TSR_INTERVAL_OF))
      n++;
  return n;
}

static gboolean
load_classes (Builder *self, GError **error)
{
  const TsrTableKind kind = TSR_TABLE_CLASS_INTERVALS;
  TsrLoweredTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };
  guint n_classes;
  gsize n = 0;

  if (!tsr_sorted_rows_read (&rows, self->loading, kind, 3, NULL, error))
    return FALSE;
  n_classes = count_classes (&rows);
  tables->class_id = g_new (gint64, MAX (n_classes, 1));
  tables->interval_start = g_new0 (gsize, (gsize)n_classes + 1);
  tables->interval_from
      = tsr_loading_alloc (self->loading, kind, rows.n, sizeof (guint32), 0, error);
  tables->interval_to
      = tables->interval_from == NULL
            ? NULL
            : tsr_loading_alloc (self->loading, kind, rows.n, sizeof (guint32), 0, error);
  if (tables->interval_to == NULL)
    return FALSE;
  for (guint i = 0; i < rows.n; i++)
    {
      gint64 id = tsr_sorted_rows_get (&rows, i, TSR_INTERVAL_OF);

      if (tables->n_classes == 0 || tables->class_id[tables->n_classes - 1] != id)
        {
          tables->interval_start[tables->n_classes] = n;
          tables->class_id[tables->n_classes++] = id;
        }
      /* Without liveness steps, no interval can be used. */
      if (self->liveness != NULL)
        add_interval (tables, &rows, i, self->liveness->n_steps, &n);
    }
  tables->interval_start[tables->n_classes] = n;
  tsr_id_index_init (&self->keys.classes, tables->class_id, tables->n_classes);
  return TRUE;
}

/* Leaves out the classes that no row names, and those of which no interval could be used: when they
 * are live is not known. */
static void
drop_idle_classes (TsrLoweredTables *tables)
{
  g_autofree guint32 *places = g_new (guint32, MAX (tables->n_classes, 1));
  guint n = 0;
  gsize end = 0;

  memset (places, 0xff, tables->n_classes * sizeof *places);
  for (gsize i = 0; i < tables->n; i++)
    if (tables->equivalence_class[i] != TSR_NO_INDEX)
      places[tables->equivalence_class[i]] = 0;
  for (guint c = 0; c < tables->n_classes; c++)
    {
      gsize from = tables->interval_start[c];
      gsize length = tables->interval_start[c + 1] - from;

      if (places[c] == TSR_NO_INDEX || length == 0)
        {
          places[c] = TSR_NO_INDEX;
          continue;
        }
      memmove (&tables->interval_from[end], &tables->interval_from[from],
               length * sizeof (guint32));
      memmove (&tables->interval_to[end], &tables->interval_to[from], length * sizeof (guint32));
      tables->class_id[n] = tables->class_id[c];
      tables->interval_start[n] = end;
      places[c] = n++;
      end += length;
    }
  if (n < tables->n_classes)
    for (gsize i = 0; i < tables->n; i++)
      if (tables->equivalence_class[i] != TSR_NO_INDEX)
        tables->equivalence_class[i] = places[tables->equivalence_class[i]];
  tables->n_classes = n;
  tables->interval_start[n] = end;
  tables->interval_from = g_renew (guint32, tables->interval_from, MAX (end, 1));
  tables->interval_to = g_renew (guint32, tables->interval_to, MAX (end, 1));
}

/* ------------------------------------------------------------------- tiles */

static gboolean
fail_memory (Builder *self, GError **error)
{
  g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
               _ ("%s, table %s: there is not enough memory for what it holds; close other "
                  "reports and try again"),
               self->loading->files->files[TSR_FILE_PROFILE].name, TABLE);
  return FALSE;
}

/* Where the rows of each tile are.  Rows without a tile are at no tile. */
static gboolean
index_tiles (Builder *self, guint n_tiles, GError **error)
{
  TsrLoweredTables *tables = self->tables;
  g_autofree gsize *next = NULL;
  gboolean in_order = TRUE;

  tables->n_tiles = n_tiles;
  tables->tile_start = g_new0 (gsize, (gsize)n_tiles + 1);
  for (gsize i = 0; i < tables->n; i++)
    {
      if (tables->tile[i] != TSR_NO_INDEX)
        tables->tile_start[tables->tile[i] + 1]++;
      in_order = in_order && (i == 0 || tables->tile[i - 1] <= tables->tile[i]);
    }
  for (guint t = 0; t < n_tiles; t++)
    tables->tile_start[t + 1] += tables->tile_start[t];
  if (in_order)
    return TRUE;
  tables->by_tile = g_try_new (guint32, MAX (tables->tile_start[n_tiles], 1));
  if (tables->by_tile == NULL)
    return fail_memory (self, error);
  next = g_memdup2 (tables->tile_start, (gsize)n_tiles * sizeof *next);
  for (gsize i = 0; i < tables->n; i++)
    if (tables->tile[i] != TSR_NO_INDEX)
      tables->by_tile[next[tables->tile[i]]++] = i;
  return TRUE;
}

/* With nothing else to tell it, there are as many tiles as rows name. */
static guint
count_tiles (Builder *self)
{
  guint n = 0;

  if ((self->memory != NULL && self->memory->tiles.n_tiles > 0)
      || self->summary->target.tiles_per_replica > 0)
    return self->keys.n_tiles;
  for (gsize i = 0; i < self->tables->n; i++)
    if (self->tables->tile[i] != TSR_NO_INDEX)
      n = MAX (n, self->tables->tile[i] + 1);
  return n;
}

/* ------------------------------------------------------------------- stage */

static void
take_rows (TsrLoweredTables *tables, const TsrLoweredRows *rows)
{
  tables->n = rows->n;
  tables->first_id = rows->first_id;
  tables->id = rows->id;
  tables->tile = rows->tile;
  tables->size = rows->size;
  tables->offset = rows->offset;
  tables->name = rows->name;
  tables->variable = rows->variable;
  tables->equivalence_class = rows->equivalence_class;
  tables->category = rows->category;
  tables->always_live = rows->always_live;
  tables->alignment = rows->alignment;
}

static gboolean
scan (Builder *self, TsrProgress *progress, GError **error)
{
  TsrLoweredRows rows = { 0 };

  if (!tsr_profile_scan_lowered (self->loading->profile, &self->keys, &rows, progress, error))
    {
      tsr_lowered_rows_clear (&rows);
      return FALSE;
    }
  take_rows (self->tables, &rows);
  return TRUE;
}

/* Columns without which the rest is shown all the same. */
static void
report_columns (TsrLoading *loading)
{
  static const char *const columns[]
      = { "category", "name", "variable", "offset", "always_live", "equivalence_class" };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (!tsr_profile_has_column (loading->profile, TABLE, columns[i]))
      tsr_loading_report (loading, TABLE, TSR_SEVERITY_WARNING, "column-missing",
                          _ ("the table has no column %s; it is not known of any allocation"),
                          columns[i]);
  if (tsr_profile_has_column (loading->profile, TABLE, "equivalence_class")
      && !tsr_profile_has_rows (loading->profile, "equivalence_class_intervals"))
    tsr_loading_report (loading, "equivalence_class_intervals", TSR_SEVERITY_WARNING,
                        "table-missing",
                        _ ("the table is missing or empty; when the allocations are live is not "
                           "known"));
}

static gboolean
check_part (TsrLoading *loading, GError **error)
{
  static const char *const needed[] = { "tile", "size_bytes" };
  const char *name = loading->files->files[TSR_FILE_PROFILE].name;

  if (loading->profile == NULL || !tsr_profile_has_rows (loading->profile, TABLE))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("%s has no lowered variables: the table %s is missing or empty; record the "
                      "report with the engine option %s"),
                   name, TABLE, OPTION);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!tsr_profile_has_column (loading->profile, TABLE, needed[i]))
      {
        g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                     _ ("%s has no lowered variables that can be shown: the column %s.%s is "
                        "missing; record the report with the engine option %s"),
                     name, TABLE, needed[i], OPTION);
        return FALSE;
      }
  return TRUE;
}

/* All that the rows refer to. */
static gboolean
prepare (Builder *self, GError **error)
{
  report_columns (self->loading);
  index_categories (self);
  set_tiles (self);
  if (self->liveness != NULL)
    tsr_id_index_init (&self->keys.variables, self->liveness->variable_id,
                       self->liveness->n_variables);
  return (self->keys.brief || load_strings (self, error)) && load_classes (self, error);
}

static gboolean
build (Builder *self, TsrProgress *progress, GError **error)
{
  TsrLoading *loading = self->loading;

  if (!prepare (self, error) || !scan (self, progress, error))
    return FALSE;
  drop_idle_classes (self->tables);
  return (self->keys.brief || index_tiles (self, count_tiles (self), error))
         && tsr_database_check_unchanged (tsr_profile_get_database (loading->profile), error);
}

static Builder
builder_init (TsrLoading *loading)
{
  return (Builder){ .loading = loading,
                    .summary = loading->parts[TSR_STAGE_SUMMARY],
                    .memory = loading->parts[TSR_STAGE_MEMORY],
                    .liveness = loading->parts[TSR_STAGE_LIVENESS] };
}

static TsrLoweredTables *
load (TsrLoading *loading, gboolean brief, TsrProgress *progress, GError **error)
{
  g_auto (Builder) builder = builder_init (loading);

  builder.keys.brief = brief;
  if (!check_part (loading, error))
    return NULL;
  builder.tables = g_new0 (TsrLoweredTables, 1);
  builder.tables->strings = tsr_string_table_new ();
  if (build (&builder, progress, error))
    return builder.tables;
  tsr_lowered_tables_free (builder.tables);
  return NULL;
}

gpointer
tsr_load_lowered (TsrLoading *loading, TsrProgress *progress, GError **error)
{
  return load (loading, FALSE, progress, error);
}

TsrLoweredTables *
tsr_load_lowered_brief (TsrLoading *loading, GError **error)
{
  return load (loading, TRUE, NULL, error);
}

/* --------------------------------------------------------------- row by row */

typedef struct
{
  TsrLoweredTables *tables;
  TsrLoweredFunc func;
  gpointer data;
} Stream;

static gboolean
give_batch (const TsrLoweredRows *rows, gpointer data)
{
  Stream *stream = data;

  take_rows (stream->tables, rows);
  return stream->func (stream->tables, stream->data);
}

/* The rowids that hold the rows of @tile; all when nobody tells. */
static gboolean
find_range (TsrLoading *loading, guint tile, gint64 *first, gint64 *last, GError **error)
{
  static const char *const columns[] = { "tile", "first_var", "end_var", NULL };
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = NULL;

  *first = G_MININT64;
  *last = G_MAXINT64;
  if (tile == TSR_NO_INDEX)
    return TRUE;
  scan = tsr_scan_new_range (loading->profile, "tile_vars", columns, tile, (gint64)tile + 1,
                             &local_error);
  if (scan != NULL && tsr_scan_next (scan, &local_error) && tsr_scan_get_int (scan, 0) == tile
      && tsr_scan_get_int (scan, 1) >= 0 && tsr_scan_get_int (scan, 2) > tsr_scan_get_int (scan, 1))
    {
      *first = tsr_scan_get_int (scan, 1);
      *last = tsr_scan_get_int (scan, 2) - 1;
    }
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

gboolean
tsr_stream_lowered (
    TsrLoading *loading, guint tile, TsrLoweredFunc func, gpointer data, GError **error)
{
  g_auto (Builder) builder = builder_init (loading);
  Stream stream = { g_new0 (TsrLoweredTables, 1), func, data };
  const TsrLoweredRows nothing = { 0 };
  gint64 first;
  gint64 last;
  gboolean ok;

  builder.tables = stream.tables;
  stream.tables->strings = tsr_string_table_new ();
  ok = check_part (loading, error) && prepare (&builder, error)
       && find_range (loading, tile, &first, &last, error)
       && tsr_profile_stream_lowered (loading->profile, &builder.keys, first, last, give_batch,
                                      &stream, error)
       && tsr_database_check_unchanged (tsr_profile_get_database (loading->profile), error);
  take_rows (stream.tables, &nothing);
  tsr_lowered_tables_free (stream.tables);
  return ok;
}

/* -------------------------------------------------------------- of some tiles */

/* Picks rows of some tiles out of batches. */
typedef struct
{
  const guint *tiles; /* ascending */
  guint n_tiles;
  guint tile; /* whose rows are first .. last, and these only; TSR_NO_INDEX: wherever they are */
  gint64 first, last;
  TsrLoweredRows rows;
  gsize room;
  gboolean wrong; /* the tile's rows are not where tile_vars says */
  gboolean full;  /* no memory */
} Picking;

static gboolean
is_picked (const Picking *self, guint tile)
{
  guint from = 0;
  guint to = self->n_tiles;

  while (from < to)
    {
      guint middle = from + (to - from) / 2;

      if (self->tiles[middle] < tile)
        from = middle + 1;
      else
        to = middle;
    }
  return from < self->n_tiles && self->tiles[from] == tile;
}

static gboolean
pick_rows (const TsrLoweredRows *rows, gpointer data)
{
  Picking *self = data;

  for (gsize i = 0; i < rows->n; i++)
    {
      gint64 id = tsr_lowered_rows_get_id (rows, i);
      gboolean picked = is_picked (self, rows->tile[i]);

      if (self->tile != TSR_NO_INDEX)
        {
          picked = rows->tile[i] == self->tile;
          self->wrong = picked != (id >= self->first && id <= self->last);
        }
      if (picked && !self->wrong)
        self->full = !tsr_lowered_rows_append (&self->rows, &self->room, rows, i);
      if (self->wrong || self->full)
        return FALSE;
    }
  return TRUE;
}

/* Reads the rows of one tile with a row on either side, which must be of other tiles; none may be
 * missing between them.  FALSE: they cannot be found so, or an error. */
static gboolean
pick_tile (Builder *self, Picking *picking, guint tile, GError **error)
{
  gsize before = picking->rows.n;
  gint64 first;
  gint64 last;

  picking->tile = tile;
  if (!find_range (self->loading, tile, &picking->first, &picking->last, error))
    return FALSE;
  if (picking->first == G_MININT64)
    return FALSE;
  first = MAX (picking->first, G_MININT64 + 2) - 1;
  last = MIN (picking->last, G_MAXINT64 - 2) + 1;
  return tsr_profile_stream_lowered (self->loading->profile, &self->keys, first, last, pick_rows,
                                     picking, error)
         && !picking->wrong && !picking->full
         && (guint64)(picking->rows.n - before) == (guint64)picking->last - picking->first + 1;
}

static gboolean
pick (Builder *self, Picking *picking, GError **error)
{
  GError *local_error = NULL;
  gboolean found = TRUE;

  for (guint i = 0; i < picking->n_tiles && found; i++)
    found = pick_tile (self, picking, picking->tiles[i], &local_error);
  if (!found && local_error == NULL && !picking->full)
    {
      picking->tile = TSR_NO_INDEX;
      picking->rows.n = 0;
      picking->wrong = FALSE;
      tsr_profile_stream_lowered (self->loading->profile, &self->keys, G_MININT64, G_MAXINT64,
                                  pick_rows, picking, &local_error);
    }
  if (picking->full && local_error == NULL)
    return fail_memory (self, error);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

TsrLoweredTables *
tsr_load_lowered_of (TsrLoading *loading, const guint *tiles, guint n_tiles, GError **error)
{
  g_auto (Builder) builder = builder_init (loading);
  Picking picking = { .tiles = tiles, .n_tiles = n_tiles };
  gboolean ok;

  if (!check_part (loading, error))
    return NULL;
  builder.tables = g_new0 (TsrLoweredTables, 1);
  builder.tables->strings = tsr_string_table_new ();
  ok = prepare (&builder, error) && pick (&builder, &picking, error);
  take_rows (builder.tables, &picking.rows);
  if (ok)
    {
      drop_idle_classes (builder.tables);
      ok = index_tiles (&builder, count_tiles (&builder), error)
           && tsr_database_check_unchanged (tsr_profile_get_database (loading->profile), error);
    }
  if (ok)
    return builder.tables;
  tsr_lowered_tables_free (builder.tables);
  return NULL;
}
