/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli memory: the memory of the replica and of each tile. */

#include "config.h"

#include "tsr-cli-tables.h"
#include "tsr-grid.h"
#include "tsr-memory.h"
#include "tsr-records.h"
#include "tsr-scan.h"

#include <glib/gi18n.h>
#include <stdio.h>

typedef struct
{
  TsrCli *cli;
  TsrReport *report;
  TsrMemory *memory;
  guint *tiles; /* that are listed, ascending */
  guint n_tiles;
  gboolean chosen; /* by --tile: with regions and categories */
  guint n_categories;
  gint64 *allocated; /* [place in tiles * n_categories + category] or NULL */
} Listing;

static const char *const region_keys[TSR_N_REGIONS]
    = { "nonInterleaved", "interleaved", "overflowed" };

static const struct
{
  TsrMetric metric;
  const char *key, *title;
} metrics[] = {
  { TSR_METRIC_TOTAL, "total", N_ ("Total") },
  { TSR_METRIC_INCLUDING_GAPS, "includingGaps", N_ ("Including gaps") },
  { TSR_METRIC_EXCLUDING_GAPS, "excludingGaps", N_ ("Excluding gaps") },
  { TSR_METRIC_OVERFLOWED, "overflowed", N_ ("Overflowed") },
  { TSR_METRIC_ALWAYS_LIVE, "alwaysLive", N_ ("Always live") },
  { TSR_METRIC_NOT_ALWAYS_LIVE, "notAlwaysLive", N_ ("Not always live") },
  { TSR_METRIC_PEAK_STEP, "peakStep", N_ ("Peak step") },
};

static gint64
get_metric (Listing *listing, guint tile, TsrMetric metric)
{
  const gint64 *values = tsr_memory_peek (listing->memory, metric);

  return values != NULL ? values[tile] : TSR_UNKNOWN;
}

static gint64
get_ipu (Listing *listing, guint tile)
{
  if (tsr_memory_get_tiles_per_ipu (listing->memory) == TSR_UNKNOWN
      || tsr_memory_is_tiles_per_ipu_assumed (listing->memory))
    return TSR_UNKNOWN;
  return tsr_memory_get_ipu (listing->memory, tile);
}

/* ------------------------------------------- allocated by tile, for --tile */

/* Index of category @id in the report's list, or -1. */
static gint
find_category (Listing *listing, gint64 id)
{
  const TsrCategoryRows *rows = &tsr_report_get_memory_tables (listing->report)->categories;

  for (guint i = 0; i < rows->n_categories; i++)
    if (rows->ids[i] == id)
      return (gint)i;
  return -1;
}

/* Adds what @scan has (category, size_bytes, tile) to the listed tiles' sums; anything that is not
 * told makes them unknown. */
static gboolean
add_allocations (Listing *listing, TsrScan *scan, GHashTable *places, GError **error)
{
  GError *local_error = NULL;

  while (tsr_scan_next (scan, &local_error))
    {
      gint64 bytes = tsr_scan_get_int (scan, 1);
      gint64 tile = tsr_scan_get_int (scan, 2);
      gint category = find_category (listing, tsr_scan_get_int (scan, 0));
      gpointer place;
      gint64 *sum;

      if (tile < 0 || tile > TSR_MAX_TILES || category < 0
          || !g_hash_table_lookup_extended (places, GUINT_TO_POINTER (tile), NULL, &place))
        continue;
      sum = &listing->allocated[GPOINTER_TO_UINT (place) * listing->n_categories + category];
      if (bytes < 0)
        *sum = TSR_UNKNOWN;
      else if (*sum != TSR_UNKNOWN)
        *sum = tsr_add_saturating (*sum, bytes, NULL);
    }
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

/* With tile_vars each tile's rows are a search; else one scan serves all listed tiles. */
static gboolean
read_rows (Listing *listing, TsrProfile *profile, GHashTable *places, GError **error)
{
  const char *columns[] = { "category", "size_bytes", "tile", NULL };
  const char *range_columns[] = { "tile", "first_var", "end_var", NULL };
  GError *local_error = NULL;
  g_autoptr (TsrScan) ranges = NULL;
  g_autoptr (TsrScan) all = NULL;

  if (!tsr_profile_has_rows (profile, "tile_vars"))
    {
      all = tsr_scan_new (profile, "vars_info", columns, error);
      return all != NULL && add_allocations (listing, all, places, error);
    }
  ranges = tsr_scan_new (profile, "tile_vars", range_columns, &local_error);
  while (ranges != NULL && tsr_scan_next (ranges, &local_error))
    {
      gint64 tile = tsr_scan_get_int (ranges, 0);
      g_autoptr (TsrScan) rows = NULL;

      if (tile < 0 || tile > TSR_MAX_TILES
          || !g_hash_table_contains (places, GUINT_TO_POINTER (tile)))
        continue;
      rows = tsr_scan_new_range (profile, "vars_info", columns, tsr_scan_get_int (ranges, 1),
                                 tsr_scan_get_int (ranges, 2), &local_error);
      if (rows == NULL || !add_allocations (listing, rows, places, &local_error))
        break;
    }
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

/* FALSE and @error when vars_info cannot be read. */
static gboolean
read_allocated (Listing *listing, GError **error)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (listing->report, NULL);

  if (profile == NULL || tsr_memory_are_categories_allocated (listing->memory)
      || !tsr_profile_has_rows (profile, "vars_info")
      || !tsr_profile_has_column (profile, "vars_info", "tile")
      || !tsr_profile_has_column (profile, "vars_info", "category")
      || !tsr_profile_has_column (profile, "vars_info", "size_bytes"))
    return TRUE;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), listing->cli->cancellable);
  listing->allocated
      = g_new0 (gint64, (gsize)MAX (listing->n_tiles, 1) * MAX (listing->n_categories, 1));
  for (guint i = 0; i < listing->n_tiles; i++)
    g_hash_table_insert (places, GUINT_TO_POINTER (listing->tiles[i]), GUINT_TO_POINTER (i));
  if (read_rows (listing, profile, places, error))
    return TRUE;
  g_clear_pointer (&listing->allocated, g_free);
  return FALSE;
}

/* ----------------------------------------------------------------- figures */

typedef struct
{
  gint64 non_overlapped, overlapped, allocated;
  const char *label; /* of a line of text */
} CategoryFigures;

/* @place: in the list of tiles, or -1 for the whole replica. */
static CategoryFigures
get_category (Listing *listing, const TsrMemoryFigures *figures, guint category, int place)
{
  gboolean only_allocated = tsr_memory_are_categories_allocated (listing->memory);
  CategoryFigures c
      = { figures->non_overlapped[category], figures->overlapped[category], TSR_UNKNOWN, NULL };

  if (place < 0)
    c.allocated = tsr_memory_get_category_allocated (listing->memory, category);
  else if (only_allocated)
    c.allocated = figures->non_overlapped[category];
  else if (listing->allocated != NULL)
    c.allocated = listing->allocated[(gsize)place * listing->n_categories + category];
  if (only_allocated)
    c.non_overlapped = c.overlapped = TSR_UNKNOWN;
  return c;
}

/* -------------------------------------------------------------------- JSON */

static void
write_parts (Listing *listing, TsrJsonWriter *writer, const TsrMemoryFigures *figures, int place)
{
  tsr_json_writer_begin_object (writer, "regions");
  for (guint r = 0; r < TSR_N_REGIONS; r++)
    tsr_json_writer_int (writer, region_keys[r], figures->regions[r]);
  tsr_json_writer_end_object (writer);
  tsr_json_writer_begin_object (writer, "categories");
  for (guint c = 0; c < listing->n_categories; c++)
    {
      CategoryFigures category = get_category (listing, figures, c, place);

      tsr_json_writer_begin_object (writer, tsr_memory_get_category_name (listing->memory, c));
      tsr_json_writer_int (writer, "nonOverlapped", category.non_overlapped);
      tsr_json_writer_int (writer, "overlapped", category.overlapped);
      tsr_json_writer_int (writer, "allocated", category.allocated);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_object (writer);
}

static void
write_tile_parts (gpointer data, guint32 place, TsrJsonWriter *writer)
{
  Listing *listing = data;
  g_auto (TsrMemoryFigures) figures = { { 0 } };

  tsr_memory_get_figures (listing->memory, &listing->tiles[place], 1, &figures);
  write_parts (listing, writer, &figures, (int)place);
}

/* ------------------------------------------------------------------- tiles */

/* Columns of the parts, for CSV. */
static void
add_parts (Listing *listing, TsrGrid *grid)
{
  static const char *const keys[] = { "nonOverlapped", "overlapped", "allocated" };
  g_autofree gint64 **regions = g_new (gint64 *, TSR_N_REGIONS + 3 * listing->n_categories);
  gint64 **categories = regions + TSR_N_REGIONS;

  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      g_autofree char *key = g_strconcat ("regions.", region_keys[r], NULL);

      regions[r] = tsr_grid_add_values (grid, tsr_grid_column (key, NULL, NULL, TSR_VALUE_BYTES));
    }
  for (guint i = 0; i < 3 * listing->n_categories; i++)
    {
      const char *name = tsr_memory_get_category_name (listing->memory, i / 3);
      g_autofree char *key = g_strconcat ("categories.", name, ".", keys[i % 3], NULL);

      categories[i]
          = tsr_grid_add_values (grid, tsr_grid_column (key, NULL, NULL, TSR_VALUE_BYTES));
    }
  for (guint i = 0; i < listing->n_tiles; i++)
    {
      g_auto (TsrMemoryFigures) figures = { { 0 } };

      tsr_memory_get_figures (listing->memory, &listing->tiles[i], 1, &figures);
      for (guint r = 0; r < TSR_N_REGIONS; r++)
        regions[r][i] = figures.regions[r];
      for (guint c = 0; c < listing->n_categories; c++)
        {
          CategoryFigures category = get_category (listing, &figures, c, (int)i);

          categories[3 * c][i] = category.non_overlapped;
          categories[3 * c + 1][i] = category.overlapped;
          categories[3 * c + 2][i] = category.allocated;
        }
    }
}

static TsrRows *
list_tiles (Listing *listing)
{
  TsrGrid *grid = tsr_grid_new (listing->n_tiles);
  gint64 *tiles
      = tsr_grid_add_values (grid, tsr_grid_column ("tile", _ ("Tile"), NULL, TSR_VALUE_INDEX));
  gint64 *ipus
      = tsr_grid_add_values (grid, tsr_grid_column ("ipu", _ ("IPU"), NULL, TSR_VALUE_INDEX));

  for (guint i = 0; i < listing->n_tiles; i++)
    {
      tiles[i] = listing->tiles[i];
      ipus[i] = get_ipu (listing, listing->tiles[i]);
    }
  for (guint m = 0; m < G_N_ELEMENTS (metrics); m++)
    {
      gboolean step = metrics[m].metric == TSR_METRIC_PEAK_STEP;
      gint64 *values
          = tsr_grid_add_values (grid, tsr_grid_column (metrics[m].key, _ (metrics[m].title), NULL,
                                                        step ? TSR_VALUE_STEP : TSR_VALUE_BYTES));

      for (guint i = 0; i < listing->n_tiles; i++)
        values[i] = get_metric (listing, listing->tiles[i], metrics[m].metric);
    }
  if (listing->chosen && listing->cli->format == TSR_FORMAT_CSV)
    add_parts (listing, grid);
  return tsr_grid_to_rows (grid);
}

/* -------------------------------------------------------------------- text */

static void
print_field (Listing *listing, const char *name, gint64 bytes)
{
  g_autofree char *text = tsr_units_dup_bytes (listing->cli->units, bytes);

  tsr_cli_print_field (name, text);
}

static void
print_parts (Listing *listing, const TsrMemoryFigures *figures, int place)
{
  static const char *const names[]
      = { N_ ("Non-interleaved region"), N_ ("Interleaved region"), N_ ("Overflowed region") };
  static const TsrField fields[] = {
    TSR_FIELD (CategoryFigures, label, NULL, N_ ("Category"), TEXT),
    TSR_FIELD (CategoryFigures, non_overlapped, NULL, N_ ("Not overlapped"), BYTES),
    TSR_FIELD (CategoryFigures, overlapped, NULL, N_ ("Overlapped"), BYTES),
    TSR_FIELD (CategoryFigures, allocated, NULL, N_ ("Allocated"), BYTES),
  };
  g_autofree CategoryFigures *lines = g_new (CategoryFigures, MAX (listing->n_categories, 1));

  for (guint r = 0; tsr_memory_has_regions (listing->memory) && r < TSR_N_REGIONS; r++)
    print_field (listing, _ (names[r]), figures->regions[r]);
  if (listing->n_categories == 0)
    return;
  for (guint c = 0; c < listing->n_categories; c++)
    {
      lines[c] = get_category (listing, figures, c, place);
      lines[c].label = tsr_memory_get_category_label (listing->memory, c);
    }
  tsr_cli_list_part (listing->cli, NULL, NULL,
                     tsr_records_new (listing->n_categories, fields, G_N_ELEMENTS (fields),
                                      sizeof *lines, NULL, lines));
}

static void
print_head (Listing *listing, const TsrMemoryFigures *figures)
{
  tsr_cli_print_heading (tsr_memory_is_from_archive (listing->memory)
                             ? _ ("Memory, from the sections of archive.a")
                             : _ ("Memory of one replica"));
  print_field (listing, _ ("Total"), figures->metrics[TSR_METRIC_TOTAL]);
  print_field (listing, _ ("Including gaps"), figures->metrics[TSR_METRIC_INCLUDING_GAPS]);
  print_field (listing, _ ("Excluding gaps"), figures->metrics[TSR_METRIC_EXCLUDING_GAPS]);
  print_field (listing, _ ("Overflowed"), figures->metrics[TSR_METRIC_OVERFLOWED]);
  print_parts (listing, figures, -1);
  putchar ('\n');
}

static void
write_head (Listing *listing, const TsrMemoryFigures *figures, TsrJsonWriter *writer)
{
  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "includingGaps", figures->metrics[TSR_METRIC_INCLUDING_GAPS]);
  tsr_json_writer_int (writer, "excludingGaps", figures->metrics[TSR_METRIC_EXCLUDING_GAPS]);
  tsr_json_writer_int (writer, "overflowed", figures->metrics[TSR_METRIC_OVERFLOWED]);
  write_parts (listing, writer, figures, -1);
}

/* --------------------------------------------------------------------- run */

static gboolean
choose_tiles (Listing *listing, const char *list)
{
  g_autoptr (GError) error = NULL;
  GArray *chosen;

  listing->chosen = list != NULL;
  if (list != NULL)
    {
      chosen = tsr_memory_parse_tiles (listing->memory, list, &error);
      if (chosen == NULL)
        {
          tsr_cli_fail (listing->cli, "%s", error->message);
          return FALSE;
        }
      listing->n_tiles = chosen->len;
      listing->tiles = (guint *)(void *)g_array_free (chosen, FALSE);
      return TRUE;
    }
  listing->n_tiles = tsr_memory_get_n_tiles (listing->memory);
  listing->tiles = g_new (guint, MAX (listing->n_tiles, 1));
  for (guint i = 0; i < listing->n_tiles; i++)
    listing->tiles[i] = i;
  return TRUE;
}

static void
print_memory (Listing *listing)
{
  g_auto (TsrMemoryFigures) figures = { { 0 } };
  TsrCli *cli = listing->cli;
  g_autoptr (TsrJsonWriter) writer = cli->format == TSR_FORMAT_JSON ? tsr_cli_begin_json () : NULL;
  gboolean text = cli->format == TSR_FORMAT_TEXT;
  g_autoptr (GError) error = NULL;
  gboolean complete = !listing->chosen || read_allocated (listing, &error);

  if (!complete)
    {
      tsr_cli_say ("%s", error->message);
      listing->cli->status = TSR_EXIT_ERRORS;
    }
  tsr_memory_get_figures (listing->memory, NULL, 0, &figures);
  if (writer != NULL)
    write_head (listing, &figures, writer);
  else if (text)
    print_head (listing, &figures);
  complete = tsr_cli_list (cli, writer, "tiles", list_tiles (listing),
                           &(TsrPrint){ .write_members = listing->chosen ? write_tile_parts : NULL,
                                        .data = listing })
             && complete;
  for (guint i = 0; text && listing->chosen && i < MIN (cli->limit, listing->n_tiles); i++)
    {
      g_auto (TsrMemoryFigures) tile_figures = { { 0 } };

      tsr_memory_get_figures (listing->memory, &listing->tiles[i], 1, &tile_figures);
      printf (_ ("\nTile %u\n"), listing->tiles[i]);
      print_parts (listing, &tile_figures, (int)i);
    }
  if (writer != NULL)
    tsr_cli_end_json (cli, writer, !complete);
  tsr_cli_flush (cli);
}

int
tsr_cli_run_memory (TsrCli *cli, int argc, char **argv)
{
  g_autofree char *list = NULL;
  const GOptionEntry entries[]
      = { { "tile", 't', 0, G_OPTION_ARG_STRING, &list,
            N_ ("only these tiles, with regions and categories: 0,5,10-20,ipu1,top5"),
            N_ ("LIST") },
          { NULL } };
  g_autoptr (TsrReport) report = NULL;
  Listing listing = { .cli = cli };

  if (!tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS | TSR_CLI_TABLE,
                      argc, argv))
    return cli->status;
  if (cli->table != NULL)
    return tsr_cli_print_table (cli, &(TsrCliTableWords){ .tiles = list });
  report = tsr_cli_open (cli, TSR_LOAD_UP_TO_MEMORY);
  if (report == NULL)
    return cli->status;
  if (tsr_report_get_memory_tables (report) == NULL)
    return tsr_cli_fail_stage (cli, report, TSR_STAGE_MEMORY);
  listing.report = report;
  listing.memory = tsr_memory_new (report);
  listing.n_categories = tsr_memory_get_n_categories (listing.memory);
  if (choose_tiles (&listing, list))
    {
      print_memory (&listing);
      tsr_cli_say_diagnostics (cli, report);
    }
  g_free (listing.tiles);
  g_free (listing.allocated);
  tsr_memory_unref (listing.memory);
  return cli->status;
}
