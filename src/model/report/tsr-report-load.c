/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loading stages: from files and format readers to the immutable parts of a report.  Runs in
 * the loading thread.  Damage to a file affects only what is in it. */

#include "config.h"

#include "tsr-report-private.h"

#include "tsr-error.h"
#include "tsr-target.h"
#include "tsr-views.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

void
tsr_loading_clear (TsrLoading *loading)
{
  g_clear_object (&loading->place);
  g_clear_object (&loading->profile);
  g_clear_object (&loading->archive);
  tsr_tile_rows_clear (&loading->tiles);
}

void
tsr_loading_prefetch (TsrLoading *loading, const char *const *tables)
{
  TsrTablePart parts[16];
  guint n = 0;

  if (loading->profile == NULL)
    return;
  for (; tables[n] != NULL && n < G_N_ELEMENTS (parts); n++)
    parts[n] = (TsrTablePart){ tables[n], TRUE };
  tsr_database_prefetch (tsr_profile_get_database (loading->profile), parts, n);
}

void
tsr_summary_free (TsrSummary *summary)
{
  if (summary == NULL)
    return;
  tsr_target_clear (&summary->target);
  tsr_target_clear (&summary->told);
  g_free (summary->poplar_version);
  g_free (summary->timestamp);
  g_free (summary->report_version);
  g_free (summary->engine_name);
  g_free (summary->compute_instrumentation);
  g_free (summary->external_exchange_instrumentation);
  g_strfreev (summary->engine_options);
  g_clear_pointer (&summary->framework, tsr_json_unref);
  g_clear_pointer (&summary->app, tsr_json_unref);
  for (guint i = 0; i < TSR_N_VIEWS; i++)
    tsr_availability_clear (&summary->views[i]);
  g_strfreev (summary->unknown_tables);
  g_free (summary);
}

void
tsr_memory_tables_free (TsrMemoryTables *tables)
{
  if (tables == NULL)
    return;
  tsr_tile_rows_clear (&tables->tiles);
  tsr_region_rows_clear (&tables->regions);
  tsr_category_rows_clear (&tables->categories);
  tsr_tile_category_rows_clear (&tables->by_category);
  g_free (tables->allocated_by_tile);
  g_free (tables);
}

/* A cancelled load ends; any other error of a part becomes a diagnostic, and the rest goes on. */
static gboolean
part_failed (TsrLoading *loading, const char *file, GError *local_error, GError **error)
{
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_error_matches (local_error, TSR_ERROR, TSR_ERROR_CHANGED))
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (!tsr_diagnostics_tells (loading->diagnostics, file, local_error->message))
    tsr_diagnostics_add (loading->diagnostics, TSR_SEVERITY_ERROR, "part-not-read", file, NULL,
                         TSR_NO_ROW, TSR_NO_ROW, "%s", local_error->message);
  g_error_free (local_error);
  return TRUE;
}

static gboolean
open_profile (TsrLoading *loading, TsrProgress *progress, GError **error)
{
  TsrReportFile *file = &loading->files->files[TSR_FILE_PROFILE];
  g_autoptr (TsrDatabase) database = NULL;
  GError *local_error = NULL;

  if (!file->found)
    return TRUE;
  database = tsr_database_open (loading->place, file->path, loading->diagnostics, progress,
                                loading->cancellable, &local_error);
  if (database != NULL)
    {
      tsr_database_set_cancellable (database, loading->cancellable);
      loading->profile = tsr_profile_new (database, loading->diagnostics, &local_error);
    }
  if (loading->profile != NULL)
    return TRUE;
  /* With an archive beside it there is still something to show. */
  if (!loading->files->files[TSR_FILE_ARCHIVE].found)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  return part_failed (loading, file->name, local_error, error);
}

/* A file that is opened early, so that bytes from a slow source are on their way before it is
 * read. */
typedef struct
{
  TsrReportFile *file;
  TsrSource *source; /* (nullable) */
  GError *error;     /* (nullable) */
} Opened;

static void
opened_clear (Opened *opened)
{
  g_clear_object (&opened->source);
  g_clear_error (&opened->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Opened, opened_clear)

static void
open_file (TsrLoading *loading, TsrFileKind kind, Opened *opened)
{
  opened->file = &loading->files->files[kind];
  if (opened->file->found)
    opened->source
        = tsr_place_open (loading->place, opened->file->path, loading->cancellable, &opened->error);
}

static gboolean
load_json (TsrLoading *loading, Opened *opened, TsrJson **json, GError **error)
{
  if (!opened->file->found)
    return TRUE;
  if (opened->source != NULL)
    *json = tsr_json_read (opened->source, loading->cancellable, &opened->error);
  return *json != NULL
         || part_failed (loading, opened->file->name, g_steal_pointer (&opened->error), error);
}

static char *
steal_info (GHashTable *info, const char *name)
{
  return g_strdup (g_hash_table_lookup (info, name));
}

static gboolean
load_identity (TsrLoading *loading, TsrSummary *summary, GError **error)
{
  g_autoptr (GHashTable) info = NULL;

  if (!tsr_profile_read_info (loading->profile, &info, error)
      || !tsr_profile_read_engine_options (loading->profile, &summary->engine_options, error))
    return FALSE;
  if (info == NULL)
    return TRUE;
  summary->poplar_version = steal_info (info, "poplar_version");
  summary->timestamp = steal_info (info, "timestamp");
  summary->report_version = steal_info (info, "report_version");
  summary->engine_name = steal_info (info, "engine_name");
  summary->compute_instrumentation = steal_info (info, "compute_instrumentation");
  summary->external_exchange_instrumentation
      = steal_info (info, "external_exchange_instrumentation");
  summary->unstable = g_strcmp0 (g_hash_table_lookup (info, "report_unstable"), "1") == 0;
  summary->synthetic = g_strcmp0 (g_hash_table_lookup (info, "synthetic"), "1") == 0;
  return TRUE;
}

/* Number of tiles of a replica that the target tells, or TSR_UNKNOWN. */
static gint64
tiles_of_target (const TsrTargetRow *row)
{
  gint64 ipus = row->ipus_per_replica;

  if (ipus == TSR_UNKNOWN && row->num_replicas != TSR_UNKNOWN && row->num_ipus != TSR_UNKNOWN)
    ipus = row->num_ipus / row->num_replicas;
  return tsr_multiply_known (row->tiles_per_ipu, ipus);
}

static gboolean
load_target (TsrLoading *loading, TsrSummary *summary, GError **error)
{
  TsrTargetRow row = { 0 };
  gboolean found = FALSE;
  gboolean graph_found = FALSE;
  gint64 n_tiles = TSR_UNKNOWN;
  gboolean ok;

  ok = tsr_profile_read_target (loading->profile, &row, &found, error)
       && tsr_profile_read_graph (loading->profile, &summary->graph, &graph_found, error);
  if (ok && (!found || tiles_of_target (&row) == TSR_UNKNOWN)
      && tsr_profile_has_table (loading->profile, "memory_by_tile"))
    {
      ok = tsr_profile_read_tiles (loading->profile, TSR_UNKNOWN, &loading->tiles, error);
      loading->tiles_read = ok;
      n_tiles = loading->tiles.n_tiles;
    }
  if (ok)
    {
      tsr_target_derive (&summary->target, found ? &row : NULL, n_tiles, TRUE,
                         loading->diagnostics);
      tsr_target_derive (&summary->told, found ? &row : NULL, n_tiles, FALSE, NULL);
    }
  if (!graph_found)
    summary->graph.num_compute_sets = summary->graph.num_vertices = summary->graph.num_edges
        = summary->graph.num_vars = TSR_UNKNOWN;
  tsr_target_row_clear (&row);
  return ok;
}

gpointer
tsr_load_summary (TsrLoading *loading, TsrProgress *progress, GError **error)
{
  TsrSummary *summary = g_new0 (TsrSummary, 1);
  g_auto (Opened) framework = { 0 };
  g_auto (Opened) app = { 0 };
  GError *local_error = NULL;
  gboolean ok;

  open_file (loading, TSR_FILE_FRAMEWORK, &framework);
  open_file (loading, TSR_FILE_APP, &app);
  if (!loading->files->files[TSR_FILE_PROFILE].found)
    loading->archive = tsr_place_open (loading->place, loading->files->files[TSR_FILE_ARCHIVE].path,
                                       loading->cancellable, NULL);
  ok = open_profile (loading, progress, error);
  if (ok && loading->profile != NULL)
    tsr_views_prefetch (loading->profile);
  tsr_target_derive (&summary->target, NULL, TSR_UNKNOWN, TRUE, NULL);
  tsr_target_derive (&summary->told, NULL, TSR_UNKNOWN, FALSE, NULL);
  summary->graph.num_compute_sets = summary->graph.num_vertices = summary->graph.num_edges
      = summary->graph.num_vars = TSR_UNKNOWN;
  if (ok && loading->profile != NULL
      && !(load_identity (loading, summary, &local_error)
           && load_target (loading, summary, &local_error)))
    ok = part_failed (loading, loading->files->files[TSR_FILE_PROFILE].name, local_error, error);
  ok = ok && load_json (loading, &framework, &summary->framework, error)
       && load_json (loading, &app, &summary->app, error);
  if (ok)
    {
      if (summary->engine_options == NULL)
        summary->engine_options = g_new0 (char *, 1);
      tsr_views_probe (summary->views, loading->files, loading->profile);
      summary->unknown_tables
          = loading->profile != NULL
                ? g_strdupv ((char **)tsr_profile_get_unknown_tables (loading->profile))
                : g_new0 (char *, 1);
    }
  /* What was cancelled may have left something out. */
  if (ok && !g_cancellable_set_error_if_cancelled (loading->cancellable, error))
    return summary;
  tsr_summary_free (summary);
  return NULL;
}

/* ------------------------------------------------------------------ memory */

static gboolean
load_archive (TsrLoading *loading, TsrMemoryTables *tables, TsrProgress *progress, GError **error)
{
  TsrReportFile *file = &loading->files->files[TSR_FILE_ARCHIVE];
  g_autoptr (TsrSource) source = NULL;
  TsrArchiveRows rows = { 0 };
  gint64 last = 0;

  source = loading->archive != NULL
               ? g_steal_pointer (&loading->archive)
               : tsr_place_open (loading->place, file->path, loading->cancellable, error);
  if (source == NULL
      || !tsr_archive_read (source, &rows, loading->diagnostics, progress, loading->cancellable,
                            error))
    return FALSE;
  /* Below TSR_MAX_TILES, and one at least. */
  for (guint i = 0; i < rows.n_members; i++)
    last = MAX (last, rows.tiles[i]);
  tables->from_archive = TRUE;
  tables->tiles.n_tiles = last + 1;
  tables->tiles.total = g_new (gint64, last + 1);
  for (gint64 i = 0; i <= last; i++)
    tables->tiles.total[i] = TSR_UNKNOWN;
  for (guint i = 0; i < rows.n_members; i++)
    tables->tiles.total[rows.tiles[i]] = rows.text_bytes[i];
  tsr_archive_rows_clear (&rows);
  return TRUE;
}

/* Values that a table of @n_tiles x @n_categories may take: no more than a generous multiple of the
 * file. */
static gboolean
fits_file (TsrLoading *loading, guint n_tiles, guint n_categories)
{
  TsrSource *source = tsr_database_get_source (tsr_profile_get_database (loading->profile));
  guint64 bytes = (guint64)n_tiles * n_categories * sizeof (gint64);

  return bytes <= MAX ((guint64)64 << 20, (guint64)MAX (tsr_source_get_size (source), 0));
}

/* Without sums in the file they come from one scan of the allocations. */
static gboolean
scan_allocations (TsrLoading *loading,
                  TsrMemoryTables *tables,
                  TsrProgress *progress,
                  GError **error)
{
  gboolean wanted = FALSE;

  if ((loading->flags & TSR_LOAD_NO_SCAN) != 0
      || !tsr_profile_has_rows (loading->profile, "vars_info"))
    return TRUE;
  for (guint i = 0; i < tables->categories.n_categories; i++)
    if (tables->categories.allocated[i] == TSR_UNKNOWN)
      wanted = TRUE;
  if ((wanted || tables->categories.n_categories == 0)
      && !tsr_profile_scan_allocated (loading->profile, &tables->categories, progress, error))
    return FALSE;
  if (tables->by_category.present || tables->categories.n_categories == 0)
    return TRUE;
  if (!fits_file (loading, tables->tiles.n_tiles, tables->categories.n_categories))
    {
      tsr_diagnostics_add (loading->diagnostics, TSR_SEVERITY_WARNING, "limit", "profile.pop",
                           "var_categories", TSR_NO_ROW, TSR_NO_ROW,
                           _ ("%u categories on %u tiles are more than a file of this size can "
                              "hold; bytes by category and tile are left out"),
                           tables->categories.n_categories, tables->tiles.n_tiles);
      return TRUE;
    }
  return tsr_profile_scan_allocated_by_tile (loading->profile, &tables->categories,
                                             tables->tiles.n_tiles, progress,
                                             &tables->allocated_by_tile, error);
}

static gboolean
load_tables (TsrLoading *loading, TsrMemoryTables *tables, TsrProgress *progress, GError **error)
{
  static const char *const names[] = { "memory_by_tile", "memory_by_tile_region", "var_categories",
                                       "memory_by_tile_category", NULL };
  static const char *const lean[] = { "memory_by_tile", "var_categories", NULL };
  TsrProfile *profile = loading->profile;
  const TsrSummary *summary = loading->parts[TSR_STAGE_SUMMARY];
  gint64 hint = summary->target.tiles_per_replica;

  tsr_loading_prefetch (loading, loading->depth != TSR_DEPTH_WHOLE ? lean : names);
  if (loading->tiles_read)
    {
      tables->tiles = loading->tiles;
      memset (&loading->tiles, 0, sizeof loading->tiles);
      loading->tiles_read = FALSE;
    }
  else if (!tsr_profile_read_tiles (profile, hint, &tables->tiles, error))
    return FALSE;
  if (loading->depth != TSR_DEPTH_WHOLE)
    return tsr_profile_read_categories (profile, &tables->categories, error)
           && tsr_database_check_unchanged (tsr_profile_get_database (profile), error);
  return tsr_profile_read_regions (profile, tables->tiles.n_tiles, &tables->regions, error)
         && tsr_profile_read_categories (profile, &tables->categories, error)
         && tsr_profile_read_tile_categories (profile, tables->tiles.n_tiles, &tables->categories,
                                              &tables->by_category, error)
         && scan_allocations (loading, tables, progress, error)
         && tsr_database_check_unchanged (tsr_profile_get_database (profile), error);
}

gpointer
tsr_load_memory (TsrLoading *loading, TsrProgress *progress, GError **error)
{
  const TsrSummary *summary = loading->parts[TSR_STAGE_SUMMARY];
  TsrMemoryTables *tables = g_new0 (TsrMemoryTables, 1);
  gboolean ok;

  if (loading->profile != NULL && tsr_profile_has_rows (loading->profile, "memory_by_tile"))
    ok = load_tables (loading, tables, progress, error);
  else if (loading->files->files[TSR_FILE_ARCHIVE].found)
    ok = load_archive (loading, tables, progress, error);
  else
    {
      g_set_error (
          error, TSR_ERROR, TSR_ERROR_MISSING_PART,
          _ ("%s has no memory of the tiles: the table memory_by_tile is missing or empty; "
             "record the report with the engine option autoReport.outputGraphProfile"),
          loading->files->files[TSR_FILE_PROFILE].name);
      ok = FALSE;
    }
  if (!ok)
    {
      tsr_memory_tables_free (tables);
      return NULL;
    }
  tables->bytes_per_tile = summary->target.bytes_per_tile;
  tables->tiles_per_ipu = summary->target.tiles_per_ipu;
  tables->tiles_per_ipu_assumed = summary->target.tiles_per_ipu_assumed;
  if (tables->tiles_per_ipu == TSR_UNKNOWN)
    {
      tables->tiles_per_ipu = tsr_target_guess_tiles_per_ipu (tables->tiles.n_tiles);
      tables->tiles_per_ipu_assumed = tables->tiles_per_ipu != TSR_UNKNOWN;
    }
  return tables;
}
