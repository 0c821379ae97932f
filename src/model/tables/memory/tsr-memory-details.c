/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Details tree of the Memory page.  Rows are described once (`Field`), so that every kind of
 * column (all tiles, one tile, a statistic over many) asks them the same question: the value of
 * this field in these figures. */

#include "config.h"

#include "tsr-memory-details.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef enum
{
  FIELD_HEADING,
  FIELD_PHYSICAL,
  FIELD_METRIC, /* index: TsrMetric */
  FIELD_REGION, /* index: TsrRegion */
  FIELD_REGION_SHARED,
  FIELD_NOT_OVERLAPPED, /* sum over categories */
  FIELD_OVERLAPPED,     /* each address once */
  FIELD_CATEGORY,       /* index: category, not overlapped */
  FIELD_CATEGORY_OVERLAPPED,
  FIELD_ALLOCATED, /* over the replica only */
  FIELD_PACKING,
  FIELD_GAPS,
  FIELD_NEED,
  FIELD_FREE,
} FieldKind;

/* One row. */
typedef struct
{
  FieldKind kind;
  guint index;
  int parent; /* -1 at the top */
  char *key;
  char *label;
  char *definition; /* (nullable) */
} Field;

/* The figures of some tiles, with what cannot be computed from sums. */
typedef struct
{
  TsrMemoryFigures figures;
  gint64 physical;
  gint64 need; /* does not fit */
  gint64 free;
  gboolean whole; /* the replica */
} Figures;

typedef struct
{
  TsrMemory *memory;
  GArray *fields;     /* Field */
  GPtrArray *columns; /* TsrRowColumn; taken by the rows */
  gint64 *values;     /* row by row, of all columns but the name's */
} Details;

/* ---------------------------------------------------------------- figures */

/* Free bytes: each tile's own, since what one tile lacks another cannot give. */
static gint64
get_free (TsrMemory *memory, const guint *tiles, guint n_tiles)
{
  const gint64 *including = tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS);
  gint64 capacity = tsr_memory_get_capacity (memory);
  gint64 sum = 0;

  if (including == NULL || capacity == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  for (guint i = 0; i < n_tiles; i++)
    {
      guint tile = tiles != NULL ? tiles[i] : i;

      if (including[tile] == TSR_UNKNOWN)
        return TSR_UNKNOWN;
      sum = tsr_add_saturating (sum, MAX (capacity - MAX (including[tile], 0), 0), NULL);
    }
  return sum;
}

/* What does not fit, each tile's own. */
static gint64
get_need (TsrMemory *memory, const guint *tiles, guint n_tiles)
{
  gint64 sum = 0;

  for (guint i = 0; i < n_tiles && sum != TSR_UNKNOWN; i++)
    {
      gint64 need = tsr_memory_get_need (memory, tiles != NULL ? tiles[i] : i);

      sum = need == TSR_UNKNOWN ? TSR_UNKNOWN : tsr_add_saturating (sum, need, NULL);
    }
  return sum;
}

static void
get_figures (TsrMemory *memory, const guint *tiles, guint n_tiles, Figures *out)
{
  gint64 per_ipu = tsr_memory_get_tiles_per_ipu (memory);
  guint n = tiles != NULL ? n_tiles : tsr_memory_get_n_tiles (memory);
  int physical = -1;

  tsr_memory_get_figures (memory, tiles, n_tiles, &out->figures);
  out->whole = tiles == NULL;
  out->need = get_need (memory, tiles, n);
  out->free = get_free (memory, tiles, n);
  if (tiles != NULL && n_tiles == 1 && per_ipu > 0)
    physical = tsr_tile_get_physical (tiles[0] % per_ipu, per_ipu);
  out->physical = physical >= 0 ? physical : TSR_UNKNOWN;
}

static void
figures_clear (Figures *self)
{
  tsr_memory_figures_clear (&self->figures);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Figures, figures_clear)

static gint64
subtract (gint64 a, gint64 b)
{
  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  return tsr_add_saturating (a, b > G_MININT64 + 1 ? -b : G_MAXINT64, NULL);
}

static gint64
sum_of (const gint64 *values, guint n)
{
  gint64 sum = n > 0 ? 0 : TSR_UNKNOWN;

  for (guint i = 0; i < n; i++)
    {
      if (values[i] == TSR_UNKNOWN)
        return TSR_UNKNOWN;
      sum = tsr_add_saturating (sum, values[i], NULL);
    }
  return sum;
}

static gint64
get_value (const Details *self, const Field *field, const Figures *figures)
{
  const TsrMemoryFigures *f = &figures->figures;

  switch (field->kind)
    {
    case FIELD_PHYSICAL:
      return figures->physical;
    case FIELD_METRIC:
      return f->metrics[field->index];
    case FIELD_REGION:
      return f->regions[field->index];
    case FIELD_REGION_SHARED:
      return f->region_overlapped[field->index];
    case FIELD_NOT_OVERLAPPED:
      return sum_of (f->non_overlapped, f->n_categories);
    case FIELD_OVERLAPPED:
      return sum_of (f->region_overlapped, TSR_N_REGIONS);
    case FIELD_CATEGORY:
      return f->non_overlapped[field->index];
    case FIELD_CATEGORY_OVERLAPPED:
      return f->overlapped[field->index];
    case FIELD_ALLOCATED:
      return figures->whole ? tsr_memory_get_category_allocated (self->memory, field->index)
                            : TSR_UNKNOWN;
    case FIELD_PACKING:
      return subtract (
          subtract (f->metrics[TSR_METRIC_EXCLUDING_GAPS], f->metrics[TSR_METRIC_ALWAYS_LIVE]),
          f->metrics[TSR_METRIC_NOT_ALWAYS_LIVE]);
    case FIELD_GAPS:
      return subtract (f->metrics[TSR_METRIC_INCLUDING_GAPS],
                       f->metrics[TSR_METRIC_EXCLUDING_GAPS]);
    case FIELD_NEED:
      return figures->need;
    case FIELD_FREE:
      return figures->free;
    case FIELD_HEADING:
    default:
      return TSR_UNKNOWN;
    }
}

/* ------------------------------------------------------------------- rows */

static gboolean
is_number (const Field *field)
{
  return field->kind == FIELD_PHYSICAL
         || (field->kind == FIELD_METRIC && field->index == TSR_METRIC_PEAK_STEP);
}

static int
add_field (Details *self,
           int parent,
           FieldKind kind,
           const char *key,
           const char *label,
           const char *definition)
{
  Field field = { .kind = kind,
                  .parent = parent,
                  .key = g_strdup (key),
                  .label = g_strdup (label),
                  .definition = g_strdup (definition) };

  g_array_append_val (self->fields, field);
  return self->fields->len - 1;
}

/* One of several, of metrics, regions, or categories. */
static int
add_one (Details *self,
         int parent,
         FieldKind kind,
         guint index,
         const char *key,
         const char *label,
         const char *definition)
{
  int row = add_field (self, parent, kind, key, label, definition);

  g_array_index (self->fields, Field, row).index = index;
  return row;
}

static void
add_regions (Details *self, int parent)
{
  static const char *const keys[TSR_N_REGIONS] = { "nonInterleaved", "interleaved", "overflowed" };
  const char *const labels[TSR_N_REGIONS]
      = { _ ("Non-interleaved"), _ ("Interleaved"), _ ("Overflowed") };
  const char *const definitions[TSR_N_REGIONS] = {
    _ ("Consecutive words lie in one bank; code must lie here"),
    _ ("Consecutive words alternate between two banks; no code, wide loads and stores"),
    _ ("Beyond the memory that the tile has"),
  };
  int heading = add_field (self, parent, FIELD_HEADING, "byRegion", _ ("By memory region"), NULL);

  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      g_autofree char *key = g_strconcat ("region.", keys[r], NULL);
      g_autofree char *shared = g_strconcat (key, ".shared", NULL);
      int row = add_one (self, heading, FIELD_REGION, r, key, labels[r], definitions[r]);

      add_one (self, row, FIELD_REGION_SHARED, r, shared,
               _ ("Of these shared by several variables"),
               _ ("Addresses that two or more variables use, each counted once"));
    }
}

typedef struct
{
  guint category;
  gint64 bytes;
} Ranked;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const Ranked *x = a;
  const Ranked *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return (x->category > y->category) - (x->category < y->category);
}

/* A row for each category that occurs anywhere in the replica, the largest first: the same rows
 * whatever is selected. */
static void
add_categories (Details *self, int parent, FieldKind kind, const char *prefix, const Figures *whole)
{
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));

  for (guint c = 0; c < tsr_memory_get_n_categories (self->memory); c++)
    {
      Field field = { .kind = kind, .index = c };
      Ranked entry = { c, get_value (self, &field, whole) };

      if (entry.bytes != 0)
        g_array_append_val (ranked, entry);
    }
  g_array_sort (ranked, compare_ranked);
  for (guint i = 0; i < ranked->len; i++)
    {
      guint c = g_array_index (ranked, Ranked, i).category;
      g_autofree char *key
          = g_strconcat (prefix, ".", tsr_memory_get_category_name (self->memory, c), NULL);

      add_one (self, parent, kind, c, key, tsr_memory_get_category_label (self->memory, c),
               tsr_memory_get_category_meaning (self->memory, c));
    }
}

static gboolean
any_allocated (TsrMemory *memory)
{
  for (guint c = 0; c < tsr_memory_get_n_categories (memory); c++)
    if (tsr_memory_get_category_allocated (memory, c) != TSR_UNKNOWN)
      return TRUE;
  return FALSE;
}

static void
add_data_types (Details *self, int parent, const Figures *whole)
{
  int heading;
  int row;

  if (!tsr_memory_has_categories (self->memory))
    {
      if (!any_allocated (self->memory))
        return;
      heading
          = add_field (self, -1, FIELD_HEADING, "allocated", _ ("Allocated, by data type"), NULL);
      add_categories (self, heading, FIELD_ALLOCATED, "allocated", whole);
      return;
    }
  heading = add_field (self, parent, FIELD_HEADING, "byType", _ ("By data type"), NULL);
  if (tsr_memory_are_categories_allocated (self->memory))
    {
      row = add_field (
          self, heading, FIELD_NOT_OVERLAPPED, "allocatedByTile", _ ("Allocated"),
          _ ("Sizes of all variables; an address that several share counts for each of them, so "
             "that the sum may be larger than the memory excluding gaps"));
      add_categories (self, row, FIELD_CATEGORY, "allocatedByTile", whole);
      return;
    }
  row = add_field (self, heading, FIELD_NOT_OVERLAPPED, "notOverlapped", _ ("Not overlapped"),
                   _ ("Bytes that belong to one variable alone"));
  add_categories (self, row, FIELD_CATEGORY, "notOverlapped", whole);
  row = add_field (self, heading, FIELD_OVERLAPPED, "overlapped",
                   _ ("Overlapped, each address once"),
                   _ ("Bytes at addresses that several variables share.  The rows below count an "
                      "address for each variable, this one counts it once; not overlapped + this "
                      "= memory excluding gaps"));
  add_categories (self, row, FIELD_CATEGORY_OVERLAPPED, "overlapped", whole);
}

static void
add_rows (Details *self, gboolean selected)
{
  g_auto (Figures) whole = { 0 };
  int row;

  get_figures (self->memory, NULL, 0, &whole);
  if (selected)
    add_field (self, -1, FIELD_PHYSICAL, "physicalTile", _ ("Physical tile"),
               _ ("Number of the tile on the chip, within its IPU"));
  if (tsr_memory_peek (self->memory, TSR_METRIC_EXCLUDING_GAPS) == NULL
      && tsr_memory_peek (self->memory, TSR_METRIC_TOTAL) != NULL)
    add_one (self, -1, FIELD_METRIC, TSR_METRIC_TOTAL, "total", _ ("Total in the file"),
             tsr_memory_is_from_archive (self->memory)
                 ? _ ("Size of the tile's .text section in archive.a")
                 : _ ("The total that the file gives for the tile"));
  add_one (self, -1, FIELD_METRIC, TSR_METRIC_INCLUDING_GAPS, "includingGaps",
           _ ("Memory including gaps"),
           _ ("Up to the highest address in use: what must fit into the tile"));
  row = add_one (self, -1, FIELD_METRIC, TSR_METRIC_EXCLUDING_GAPS, "excludingGaps",
                 _ ("Memory excluding gaps"), _ ("Addresses that at least one variable uses"));
  add_regions (self, row);
  add_data_types (self, row, &whole);
  add_field (self, -1, FIELD_NEED, "need", _ ("Does not fit"),
             _ ("What must leave the tile: including gaps − max memory, or what the file says "
                "overflowed if that is more"));
  add_one (self, -1, FIELD_METRIC, TSR_METRIC_ALWAYS_LIVE, "alwaysLive", _ ("Always live"),
           _ ("Variables, code and tables that hold their addresses at every step"));
  add_one (self, -1, FIELD_METRIC, TSR_METRIC_NOT_ALWAYS_LIVE, "notAlwaysLive",
           _ ("Not always live (peak)"),
           _ ("The largest over the liveness steps.  Each tile at its own step: a sum over tiles "
              "is more than the replica ever holds at once"));
  add_one (self, -1, FIELD_METRIC, TSR_METRIC_PEAK_STEP, "peakStep", _ ("Peak step"),
           _ ("The first liveness step where the tile's not-always-live memory is largest"));
  add_field (self, -1, FIELD_PACKING, "packingLoss", _ ("Packing loss"),
             _ ("Excluding gaps − always live − not always live: addresses that are used at some "
                "step, but not at the tile's peak"));
  add_field (self, -1, FIELD_GAPS, "gaps", _ ("Gaps"),
             _ ("Including gaps − excluding gaps: addresses between variables that none can use"));
  add_field (self, -1, FIELD_FREE, "free", _ ("Free"),
             _ ("Max memory − including gaps, for each tile that has any left"));
}

/* ---------------------------------------------------------------- columns */

/* Its number among the values. */
static guint
add_column (
    Details *self, const char *key, TsrValueKind kind, const char *title, const char *definition)
{
  TsrRowColumn *column = tsr_row_column_new (key, title, TSR_CELL_KIND_VALUE, kind);

  column->definition = g_strdup (definition);
  column->summed = FALSE; /* rows are parts of one another */
  g_ptr_array_add (self->columns, column);
  return self->columns->len - 2;
}

/* All columns and rows are there; values begin unknown. */
static void
end_rows (Details *self)
{
  gsize n = (gsize)self->fields->len * (self->columns->len - 1);

  self->values = g_new (gint64, n);
  for (gsize i = 0; i < n; i++)
    self->values[i] = TSR_UNKNOWN;
}

/* A number of a tile or a step is no share of anything, and has no difference. */
static void
set_value (Details *self, guint row, guint column, gint64 value)
{
  const TsrRowColumn *info = g_ptr_array_index (self->columns, column + 1);
  const Field *field = &g_array_index (self->fields, Field, row);

  if (field->kind == FIELD_HEADING
      || (is_number (field)
          && (info->kind == TSR_VALUE_FRACTION || info->kind == TSR_VALUE_BYTES_SIGNED)))
    return;
  self->values[(gsize)row * (self->columns->len - 1) + column] = value;
}

static void
fill_column (Details *self, guint column, const Figures *figures)
{
  for (guint i = 0; i < self->fields->len; i++)
    set_value (self, i, column, get_value (self, &g_array_index (self->fields, Field, i), figures));
}

static void
fill_share (Details *self, guint column, const Figures *figures, guint n_tiles)
{
  gint64 capacity = tsr_memory_get_capacity (self->memory);

  for (guint i = 0; i < self->fields->len; i++)
    {
      gint64 value = get_value (self, &g_array_index (self->fields, Field, i), figures);

      if (value != TSR_UNKNOWN && capacity > 0 && n_tiles > 0)
        set_value (self, i, column,
                   (gint64)floor (1e9 * (double)value / ((double)capacity * n_tiles) + 0.5));
    }
}

static void
fill_difference (Details *self, guint column, const Figures *figures, const Figures *median)
{
  for (guint i = 0; i < self->fields->len; i++)
    {
      const Field *field = &g_array_index (self->fields, Field, i);

      set_value (self, i, column,
                 subtract (get_value (self, field, figures), get_value (self, field, median)));
    }
}

static const char *
get_fullness_name (TsrMemory *memory)
{
  switch (tsr_memory_get_fullness_metric (memory))
    {
    case TSR_METRIC_INCLUDING_GAPS:
      return _ ("memory including gaps");
    case TSR_METRIC_EXCLUDING_GAPS:
      return _ ("memory excluding gaps");
    default:
      return _ ("total in the file");
    }
}

static void
build_all (Details *self)
{
  g_auto (Figures) figures = { 0 };
  guint n = tsr_memory_get_n_tiles (self->memory);
  guint all = add_column (self, "all", TSR_VALUE_BYTES, _ ("All tiles"),
                          _ ("Sum over all tiles of one replica"));
  guint share = add_column (self, "share", TSR_VALUE_FRACTION, _ ("Share"),
                            _ ("Part of the memory of all tiles of one replica"));

  get_figures (self->memory, NULL, 0, &figures);
  add_rows (self, FALSE);
  end_rows (self);
  fill_column (self, all, &figures);
  fill_share (self, share, &figures, n);
}

static guint
add_tile_column (Details *self, guint tile)
{
  g_autofree char *key = g_strdup_printf ("tile%u", tile);
  g_autofree char *title = g_strdup_printf (_ ("Tile %u"), tile);

  return add_column (self, key, TSR_VALUE_BYTES, title, NULL);
}

static void
build_tiles (Details *self, const guint *tiles, guint n_tiles)
{
  for (guint i = 0; i < n_tiles; i++)
    add_tile_column (self, tiles[i]);
  add_rows (self, TRUE);
  end_rows (self);
  for (guint i = 0; i < n_tiles; i++)
    {
      g_auto (Figures) figures = { 0 };

      get_figures (self->memory, &tiles[i], 1, &figures);
      fill_column (self, i, &figures);
    }
}

static void
build_one (Details *self, guint tile)
{
  g_auto (Figures) figures = { 0 };
  g_auto (Figures) median_figures = { 0 };
  g_autofree char *title = NULL;
  g_autofree char *definition = NULL;
  guint median = tsr_memory_find_median_tile (self->memory, tile);
  gboolean has_median = median != TSR_NO_INDEX;
  guint column = add_tile_column (self, tile);
  guint share = add_column (self, "share", TSR_VALUE_FRACTION, _ ("Share"),
                            _ ("Part of the memory that a tile has"));
  guint difference;

  title = g_strdup_printf (_ ("Difference from tile %u (median)"), has_median ? median : tile);
  definition = g_strdup_printf (
      _ ("This tile − the median tile: the one in the middle when the tiles of its IPU are "
         "ordered by %s (of two in the middle the lower, ties by tile number); tiles without any "
         "vertex, which only copy, are left out"),
      get_fullness_name (self->memory));
  difference = add_column (self, "difference", TSR_VALUE_BYTES_SIGNED, title, definition);

  get_figures (self->memory, &tile, 1, &figures);
  add_rows (self, TRUE);
  end_rows (self);
  fill_column (self, column, &figures);
  fill_share (self, share, &figures, 1);
  if (!has_median)
    return;
  get_figures (self->memory, &median, 1, &median_figures);
  fill_difference (self, difference, &figures, &median_figures);
}

/* ------------------------------------------------------------- many tiles */

typedef struct
{
  gint64 min, max;
  gboolean unknown; /* for one tile or more */
} Extremes;

enum
{
  COLUMN_SUM,
  COLUMN_MEAN,
  COLUMN_MIN,
  COLUMN_MAX,
  COLUMN_FULLEST,
};

static guint
find_fullest (TsrMemory *memory, const guint *tiles, guint n_tiles)
{
  const gint64 *values = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  guint best = tiles[0];

  for (guint i = 1; values != NULL && i < n_tiles; i++)
    if (values[tiles[i]] > values[best]) /* unknown is the least number there is */
      best = tiles[i];
  return best;
}

static void
add_statistics_columns (Details *self, guint n_tiles, guint fullest)
{
  g_autofree char *count = tsr_units_dup_count (n_tiles);
  g_autofree char *sum = g_strdup_printf (_ ("Selection (%s tiles)"), count);
  g_autofree char *full = g_strdup_printf (_ ("Fullest: tile %u"), fullest);
  g_autofree char *meaning = g_strdup_printf (_ ("The tile of the selection with the largest %s"),
                                              get_fullness_name (self->memory));

  add_column (self, "sum", TSR_VALUE_BYTES, sum, _ ("Sum over the selected tiles"));
  add_column (self, "mean", TSR_VALUE_BYTES, _ ("Mean"),
              _ ("Sum / number of selected tiles, to the nearest byte"));
  add_column (self, "least", TSR_VALUE_BYTES, _ ("Least"),
              _ ("Each row's own least over the selected tiles"));
  add_column (self, "largest", TSR_VALUE_BYTES, _ ("Largest"),
              _ ("Each row's own largest over the selected tiles"));
  add_column (self, "fullest", TSR_VALUE_BYTES, full, meaning);
}

static void
fill_extremes (Details *self, const guint *tiles, guint n_tiles)
{
  g_autofree Extremes *extremes = g_new0 (Extremes, self->fields->len);

  for (guint t = 0; t < n_tiles; t++)
    {
      g_auto (Figures) figures = { 0 };

      get_figures (self->memory, &tiles[t], 1, &figures);
      for (guint i = 0; i < self->fields->len; i++)
        {
          gint64 value = get_value (self, &g_array_index (self->fields, Field, i), &figures);

          extremes[i].unknown |= value == TSR_UNKNOWN;
          if (t == 0 || value < extremes[i].min)
            extremes[i].min = value;
          if (t == 0 || value > extremes[i].max)
            extremes[i].max = value;
        }
    }
  for (guint i = 0; i < self->fields->len; i++)
    {
      const Field *field = &g_array_index (self->fields, Field, i);

      if (extremes[i].unknown || field->kind == FIELD_PHYSICAL)
        continue;
      set_value (self, i, COLUMN_MIN, extremes[i].min);
      set_value (self, i, COLUMN_MAX, extremes[i].max);
    }
}

static void
build_statistics (Details *self, const guint *tiles, guint n_tiles)
{
  g_auto (Figures) sum = { 0 };
  g_auto (Figures) full = { 0 };
  guint fullest = find_fullest (self->memory, tiles, n_tiles);

  add_statistics_columns (self, n_tiles, fullest);
  add_rows (self, TRUE);
  end_rows (self);
  get_figures (self->memory, tiles, n_tiles, &sum);
  get_figures (self->memory, &fullest, 1, &full);
  fill_column (self, COLUMN_SUM, &sum);
  fill_column (self, COLUMN_FULLEST, &full);
  for (guint i = 0; i < self->fields->len; i++)
    {
      gint64 value = get_value (self, &g_array_index (self->fields, Field, i), &sum);

      if (value != TSR_UNKNOWN)
        set_value (self, i, COLUMN_MEAN, (gint64)floor ((double)value / n_tiles + 0.5));
    }
  fill_extremes (self, tiles, n_tiles);
}

/* ----------------------------------------------------------------- public */

/* Tiles that this memory does not have are left out: a selection may be older than a reload. */
static GArray *
list_valid (TsrMemory *memory, const guint *tiles, guint n_tiles)
{
  GArray *valid = g_array_sized_new (FALSE, FALSE, sizeof (guint), n_tiles);

  for (guint i = 0; i < n_tiles; i++)
    if (tiles[i] < tsr_memory_get_n_tiles (memory))
      g_array_append_val (valid, tiles[i]);
  return valid;
}

static const Field *
get_field (gpointer data, guint32 row)
{
  return &g_array_index (((Details *)data)->fields, Field, row);
}

static const char *
get_text (gpointer data, guint32 row, guint column)
{
  return get_field (data, row)->label;
}

static gint64
get_cell (gpointer data, guint32 row, guint column)
{
  Details *self = data;

  return self->values[(gsize)row * (self->columns->len - 1) + column - 1];
}

static char *
dup_key (gpointer data, guint32 row)
{
  return g_strdup (get_field (data, row)->key);
}

static gboolean
is_heading (gpointer data, guint32 row)
{
  return get_field (data, row)->kind == FIELD_HEADING;
}

static const char *
get_definition (gpointer data, guint32 row)
{
  return get_field (data, row)->definition;
}

static TsrValueKind
get_kind (gpointer data, guint32 row, guint column)
{
  const TsrRowColumn *info = g_ptr_array_index (((Details *)data)->columns, column);

  const Field *field = get_field (data, row);

  if (info->kind != TSR_VALUE_BYTES || !is_number (field))
    return info->kind;
  return field->kind == FIELD_PHYSICAL ? TSR_VALUE_INDEX : TSR_VALUE_STEP;
}

static void
field_clear (gpointer data)
{
  Field *field = data;

  g_free (field->key);
  g_free (field->label);
  g_free (field->definition);
}

static void
details_free (gpointer data)
{
  Details *self = data;

  g_array_unref (self->fields);
  g_ptr_array_unref (self->columns);
  g_free (self->values);
  g_free (self);
}

/* Takes @self. */
static TsrRows *
make_rows (Details *self)
{
  static const TsrRowSource source = { get_text, get_cell };
  static const TsrRowTraits traits = { dup_key, is_heading, get_definition, get_kind };
  guint n = self->fields->len;
  guint32 *parents = g_new (guint32, n);
  TsrRows *rows;

  for (guint i = 0; i < n; i++)
    parents[i] = (guint32)get_field (self, i)->parent; /* -1 is TSR_NO_INDEX */
  self->memory = NULL;                                 /* it may go before the rows do */
  rows = tsr_rows_new (n, g_ptr_array_ref (self->columns), &source, self, details_free);
  tsr_rows_set_traits (rows, &traits);
  tsr_rows_set_parents (rows, parents);
  return rows;
}

static TsrRows *
details_new (TsrMemory *memory, const guint *tiles, guint n_tiles, gboolean one_column_each)
{
  g_autoptr (GArray) valid = list_valid (memory, tiles, n_tiles);
  const guint *chosen = (const guint *)(gpointer)valid->data;
  Details *self = g_new0 (Details, 1);
  TsrRowColumn *name = tsr_row_column_new ("name", _ ("Memory"), TSR_CELL_KIND_TEXT, 0);

  self->memory = memory;
  self->fields = g_array_new (FALSE, FALSE, sizeof (Field));
  g_array_set_clear_func (self->fields, field_clear);
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  name->filtered = TRUE;
  g_ptr_array_add (self->columns, name);
  if (valid->len == 0)
    build_all (self);
  else if (valid->len == 1 && !one_column_each)
    build_one (self, chosen[0]);
  else if (valid->len <= TSR_DETAILS_MAX_TILES || one_column_each)
    build_tiles (self, chosen, valid->len);
  else
    build_statistics (self, chosen, valid->len);
  return make_rows (self);
}

TsrRows *
tsr_memory_details_new (TsrMemory *memory, const guint *tiles, guint n_tiles)
{
  g_return_val_if_fail (memory != NULL, NULL);
  g_return_val_if_fail (tiles != NULL || n_tiles == 0, NULL);
  return details_new (memory, tiles, n_tiles, FALSE);
}

TsrRows *
tsr_memory_details_new_each (TsrMemory *memory, const guint *tiles, guint n_tiles)
{
  g_return_val_if_fail (memory != NULL, NULL);
  g_return_val_if_fail (tiles != NULL || n_tiles == 0, NULL);
  return details_new (memory, tiles, n_tiles, TRUE);
}
