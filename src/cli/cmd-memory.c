/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli memory: the memory of the replica and of each tile. */

#include "config.h"

#include "tsr-cli-tables.h"
#include "tsr-memory.h"
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
} CategoryFigures;

/* @place: in the list of tiles, or -1 for the whole replica. */
static CategoryFigures
get_category (Listing *listing, const TsrMemoryFigures *figures, guint category, int place)
{
  gboolean only_allocated = tsr_memory_are_categories_allocated (listing->memory);
  CategoryFigures c
      = { figures->non_overlapped[category], figures->overlapped[category], TSR_UNKNOWN };

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
write_tile (Listing *listing, TsrJsonWriter *writer, guint place)
{
  guint tile = listing->tiles[place];

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "tile", tile);
  tsr_json_writer_int (writer, "ipu", get_ipu (listing, tile));
  for (guint m = 0; m < G_N_ELEMENTS (metrics); m++)
    tsr_json_writer_int (writer, metrics[m].key, get_metric (listing, tile, metrics[m].metric));
  if (listing->chosen)
    {
      g_auto (TsrMemoryFigures) figures = { { 0 } };

      tsr_memory_get_figures (listing->memory, &tile, 1, &figures);
      write_parts (listing, writer, &figures, (int)place);
    }
  tsr_json_writer_end_object (writer);
}

static void
write_json (Listing *listing, const TsrMemoryFigures *figures, gboolean incomplete)
{
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();
  guint n = MIN (listing->cli->limit, listing->n_tiles);

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "includingGaps", figures->metrics[TSR_METRIC_INCLUDING_GAPS]);
  tsr_json_writer_int (writer, "excludingGaps", figures->metrics[TSR_METRIC_EXCLUDING_GAPS]);
  tsr_json_writer_int (writer, "overflowed", figures->metrics[TSR_METRIC_OVERFLOWED]);
  write_parts (listing, writer, figures, -1);
  tsr_json_writer_begin_array (writer, "tiles");
  for (guint i = 0; i < n; i++)
    write_tile (listing, writer, i);
  tsr_json_writer_end_array (writer);
  if (n < listing->n_tiles)
    tsr_json_writer_boolean (writer, "truncated", TRUE);
  tsr_cli_end_json (listing->cli, writer, incomplete);
}

/* --------------------------------------------------------- tables, CSV too */

static void
add_columns (Listing *listing, TsrCliTable *table)
{
  tsr_cli_table_add_column (table, _ ("Tile"), "tile", TRUE);
  tsr_cli_table_add_column (table, _ ("IPU"), "ipu", TRUE);
  for (guint m = 0; m < G_N_ELEMENTS (metrics); m++)
    tsr_cli_table_add_column (table, _ (metrics[m].title), metrics[m].key, TRUE);
  if (!listing->chosen || listing->cli->format != TSR_FORMAT_CSV)
    return;
  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      g_autofree char *key = g_strconcat ("regions.", region_keys[r], NULL);

      tsr_cli_table_add_column (table, "", key, TRUE);
    }
  for (guint c = 0; c < listing->n_categories; c++)
    {
      static const char *const keys[] = { "nonOverlapped", "overlapped", "allocated" };

      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        {
          const char *name = tsr_memory_get_category_name (listing->memory, c);
          g_autofree char *key = g_strconcat ("categories.", name, ".", keys[k], NULL);

          tsr_cli_table_add_column (table, "", key, TRUE);
        }
    }
}

static void
add_parts (Listing *listing, TsrCliTable *table, guint place)
{
  g_auto (TsrMemoryFigures) figures = { { 0 } };

  tsr_memory_get_figures (listing->memory, &listing->tiles[place], 1, &figures);
  for (guint r = 0; r < TSR_N_REGIONS; r++)
    tsr_cli_table_bytes (table, figures.regions[r]);
  for (guint c = 0; c < listing->n_categories; c++)
    {
      CategoryFigures category = get_category (listing, &figures, c, (int)place);

      tsr_cli_table_bytes (table, category.non_overlapped);
      tsr_cli_table_bytes (table, category.overlapped);
      tsr_cli_table_bytes (table, category.allocated);
    }
}

static void
print_tiles (Listing *listing)
{
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (listing->cli);
  guint n = MIN (listing->cli->limit, listing->n_tiles);

  add_columns (listing, table);
  for (guint i = 0; i < n; i++)
    {
      guint tile = listing->tiles[i];

      tsr_cli_table_index (table, tile);
      tsr_cli_table_index (table, get_ipu (listing, tile));
      for (guint m = 0; m < G_N_ELEMENTS (metrics); m++)
        if (metrics[m].metric == TSR_METRIC_PEAK_STEP)
          tsr_cli_table_index (table, get_metric (listing, tile, TSR_METRIC_PEAK_STEP));
        else
          tsr_cli_table_bytes (table, get_metric (listing, tile, metrics[m].metric));
      if (listing->chosen && listing->cli->format == TSR_FORMAT_CSV)
        add_parts (listing, table, i);
    }
  tsr_cli_table_finish (table);
  if (n < listing->n_tiles && listing->cli->format == TSR_FORMAT_TEXT)
    {
      guint more = listing->n_tiles - n;
      g_autofree char *count = tsr_units_dup_count (more);

      printf (ngettext ("%s more tile is not listed\n", "%s more tiles are not listed\n", more),
              count);
    }
}

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
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (listing->cli);

  for (guint r = 0; tsr_memory_has_regions (listing->memory) && r < TSR_N_REGIONS; r++)
    print_field (listing, _ (names[r]), figures->regions[r]);
  if (listing->n_categories == 0)
    return;
  tsr_cli_table_add_column (table, _ ("Category"), "", FALSE);
  tsr_cli_table_add_column (table, _ ("Not overlapped"), "", TRUE);
  tsr_cli_table_add_column (table, _ ("Overlapped"), "", TRUE);
  tsr_cli_table_add_column (table, _ ("Allocated"), "", TRUE);
  for (guint c = 0; c < listing->n_categories; c++)
    {
      CategoryFigures category = get_category (listing, figures, c, place);

      tsr_cli_table_text (table, tsr_memory_get_category_label (listing->memory, c));
      tsr_cli_table_bytes (table, category.non_overlapped);
      tsr_cli_table_bytes (table, category.overlapped);
      tsr_cli_table_bytes (table, category.allocated);
    }
  tsr_cli_table_finish (table);
}

static void
print_text (Listing *listing, const TsrMemoryFigures *figures)
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
  print_tiles (listing);
  for (guint i = 0; listing->chosen && i < MIN (listing->cli->limit, listing->n_tiles); i++)
    {
      g_auto (TsrMemoryFigures) tile_figures = { { 0 } };

      tsr_memory_get_figures (listing->memory, &listing->tiles[i], 1, &tile_figures);
      printf (_ ("\nTile %u\n"), listing->tiles[i]);
      print_parts (listing, &tile_figures, (int)i);
    }
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
  g_autoptr (GError) error = NULL;
  gboolean complete = !listing->chosen || read_allocated (listing, &error);

  if (!complete)
    {
      tsr_cli_say ("%s", error->message);
      listing->cli->status = TSR_EXIT_ERRORS;
    }
  tsr_memory_get_figures (listing->memory, NULL, 0, &figures);
  if (listing->cli->format == TSR_FORMAT_JSON)
    write_json (listing, &figures, !complete);
  else if (listing->cli->format == TSR_FORMAT_CSV)
    print_tiles (listing);
  else
    print_text (listing, &figures);
  tsr_cli_flush (listing->cli);
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
