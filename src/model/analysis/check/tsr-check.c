/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engine of a check: collects the ids that others refer to, then reads every table once, tests
 * every cell by its description and hands the row to the table's own function. */

#include "config.h"

#include "tsr-check-private.h"

#include "tsr-error.h"
#include "tsr-profile-cursor.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

/* ------------------------------------------------------------------- cells */

static void
add_range (TsrCheck *check, gint64 row, const char *column, gint64 value, gint64 first, gint64 last)
{
  if (last < first)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "value-out-of-range", check->table->name, row,
                   _ ("%s is %" PRId64 ", but the report has nothing that this could refer to"),
                   column, value);
  else
    tsr_check_add (check, TSR_SEVERITY_ERROR, "value-out-of-range", check->table->name, row,
                   _ ("%s is %" PRId64 "; it must be from %" PRId64 " to %" PRId64), column, value,
                   first, last);
}

/* Largest value that an integer of @kind may have. */
static gint64
largest_of (TsrCheck *check, TsrKind kind)
{
  gint64 n = TSR_UNKNOWN;

  switch (kind)
    {
    case TSR_KIND_BOOLEAN:
      return 1;
    case TSR_KIND_REGION:
      return TSR_N_REGIONS - 1;
    case TSR_KIND_TILE:
      n = check->n_tiles;
      break;
    case TSR_KIND_TILE_OF_IPU:
      n = check->tiles_per_ipu;
      break;
    case TSR_KIND_IPU:
      n = check->n_ipus;
      break;
    case TSR_KIND_ANY_IPU:
      n = check->n_all_ipus;
      break;
    case TSR_KIND_LIVENESS_STEP:
      n = check->sets[TSR_SET_LIVENESS_STEPS].present ? check->n_steps : TSR_UNKNOWN;
      break;
    case TSR_KIND_LIVENESS_END:
      return check->sets[TSR_SET_LIVENESS_STEPS].present ? check->n_steps : TSR_MAX_SIZE;
    default:
      return TSR_MAX_SIZE;
    }
  return n != TSR_UNKNOWN ? n - 1 : TSR_MAX_SIZE;
}

static gint64
check_reference (TsrCheck *check, const TsrCheckColumn *column, gint64 row, gint64 value)
{
  const TsrIdSet *set = &check->sets[column->set];

  if (!set->present || tsr_id_set_contains (set, value))
    return value;
  /* The only compilation step needs no row of its own. */
  if (column->set == TSR_SET_COMPILATION_STEPS && value == 0 && set->n_ids == 0)
    return value;
  /* No context. */
  if (column->set == TSR_SET_CONTEXTS && value == 0)
    return value;
  /* Poplar's own steps may name a program that the file does not hold. */
  tsr_check_add (check,
                 check->ours || !column->nullable ? TSR_SEVERITY_ERROR : TSR_SEVERITY_WARNING,
                 "reference-broken", check->table->name, row,
                 column->set == TSR_SET_CONTEXTS
                     ? _ ("%s is %" PRId64 ", but no context of debug.cbor has this id")
                     : _ ("%s is %" PRId64 ", but no row has this id"),
                 column->name, value);
  return TSR_UNKNOWN;
}

static gint64
check_array_reference (TsrCheck *check, const TsrCheckColumn *column, gint64 row, gint64 value)
{
  TsrCheckColumn as_reference = { column->name, TSR_KIND_REFERENCE, FALSE, TSR_SET_ARRAYS };

  if (check_reference (check, &as_reference, row, value) == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  tsr_id_set_add (column->kind == TSR_KIND_ARRAY ? &check->arrays : &check->arrays_of_ipu, value);
  return value;
}

static const char *
type_name (TsrCellType type)
{
  static const char *const names[] = { "absent", "NULL", "integer", "real", "text", "blob" };

  return names[type];
}

static gint64
wrong_type (
    TsrCheck *check, const TsrCheckColumn *column, gint64 row, TsrCellType type, const char *wanted)
{
  tsr_check_add (check, TSR_SEVERITY_ERROR, "wrong-type", check->table->name, row,
                 _ ("%s is stored as %s; it must be %s"), column->name, type_name (type), wanted);
  return TSR_UNKNOWN;
}

/* Numbers that need not be integers: nothing is computed from them, so only the range counts. */
static void
check_number (TsrCheck *check, TsrScan *scan, guint i, const TsrCheckColumn *column, gint64 row)
{
  TsrCellType type = tsr_scan_get_type (scan, i);
  double most = column->kind == TSR_KIND_BALANCE ? 1 : G_MAXDOUBLE;
  double value;

  if (type != TSR_CELL_INTEGER && type != TSR_CELL_REAL)
    {
      wrong_type (check, column, row, type, "a number");
      return;
    }
  value = tsr_scan_get_double (scan, i);
  if (isnan (value) || (value >= 0 && value <= most))
    return;
  tsr_check_add (check, TSR_SEVERITY_ERROR, "value-out-of-range", check->table->name, row,
                 column->kind == TSR_KIND_BALANCE ? _ ("%s is %g; it must be from 0 to 1")
                                                  : _ ("%s is %g; it must not be negative"),
                 column->name, value);
}

static gint64
check_integer (TsrCheck *check, TsrScan *scan, guint i, const TsrCheckColumn *column, gint64 row)
{
  TsrCellType type = tsr_scan_get_type (scan, i);
  gint64 value = tsr_scan_get_int (scan, i);
  gint64 last = largest_of (check, column->kind);

  if (type != TSR_CELL_INTEGER)
    return wrong_type (check, column, row, type, "an integer");
  if (column->kind == TSR_KIND_REFERENCE)
    return check_reference (check, column, row, value);
  if (column->kind == TSR_KIND_ARRAY || column->kind == TSR_KIND_ARRAY_OF_IPU)
    return check_array_reference (check, column, row, value);
  if (column->kind == TSR_KIND_ID || column->kind == TSR_KIND_INTEGER)
    return value;
  if (value >= 0 && value <= last)
    return value;
  add_range (check, row, column->name, value, 0, last);
  return TSR_UNKNOWN;
}

static gint64
check_cell (TsrCheck *check, TsrScan *scan, guint i, const TsrCheckColumn *column, gint64 row)
{
  TsrCellType type = tsr_scan_get_type (scan, i);

  if (type == TSR_CELL_ABSENT)
    return TSR_UNKNOWN;
  if (type == TSR_CELL_NULL)
    {
      if (!column->nullable)
        tsr_check_add (check, TSR_SEVERITY_WARNING, "value-missing", check->table->name, row,
                       _ ("%s is NULL"), column->name);
      return TSR_UNKNOWN;
    }
  switch (column->kind)
    {
    case TSR_KIND_TEXT:
      return type == TSR_CELL_TEXT ? 0 : wrong_type (check, column, row, type, "text");
    case TSR_KIND_BLOB:
      return type == TSR_CELL_BLOB ? 0 : wrong_type (check, column, row, type, "a blob");
    case TSR_KIND_NUMBER:
    case TSR_KIND_BALANCE:
      check_number (check, scan, i, column, row);
      return TSR_UNKNOWN;
    default:
      return check_integer (check, scan, i, column, row);
    }
}

/* ------------------------------------------------------------------ tables */

static void
show_progress (TsrCheck *check)
{
  TsrSource *source = tsr_database_get_source (tsr_profile_get_database (check->profile));

  tsr_progress_set_done (check->progress, tsr_source_get_bytes_read (source) - check->bytes_before);
}

static TsrScan *
new_scan (TsrCheck *check, const TsrCheckTable *table, GError **error)
{
  const char *names[TSR_CHECK_MAX_COLUMNS + 1] = { NULL };

  for (guint i = 0; table->columns[i].name != NULL; i++)
    {
      g_assert (i < TSR_CHECK_MAX_COLUMNS);
      names[i] = table->columns[i].name;
    }
  return tsr_scan_new (check->profile, table->name, names, error);
}

/* Errors that end the check; any other costs only the table. */
static gboolean
goes_on (TsrCheck *check, const char *table, GError *local_error, GError **error)
{
  if (local_error == NULL)
    return TRUE;
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_error_matches (local_error, TSR_ERROR, TSR_ERROR_CHANGED))
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  /* The loader may have come upon the same. */
  if (!tsr_diagnostics_tells (check->diagnostics, check->file, local_error->message))
    tsr_check_add (check, TSR_SEVERITY_ERROR, table != NULL ? "table-not-read" : "database-damaged",
                   table, TSR_NO_ROW, "%s", local_error->message);
  g_error_free (local_error);
  return TRUE;
}

static gboolean
read_table (TsrCheck *check, const TsrCheckTable *table, GError **error)
{
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = new_scan (check, table, &local_error);

  check->table = table;
  if (table->row == tsr_check_array_row)
    {
      tsr_id_set_seal (&check->arrays);
      tsr_id_set_seal (&check->arrays_of_ipu);
    }
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    {
      gint64 values[TSR_CHECK_MAX_COLUMNS];
      gint64 row = tsr_scan_get_row (scan);
      gboolean known = tsr_check_is_flagged (check, table->name, row);

      for (guint i = 0; table->columns[i].name != NULL; i++)
        values[i] = known ? tsr_scan_get_int (scan, i)
                          : check_cell (check, scan, i, &table->columns[i], row);
      if (table->row != NULL && !known)
        table->row (check, scan, row, values);
      else if (table->row == tsr_check_vars_row)
        tsr_check_vars_flagged_row (check, row, values);
      if (tsr_scan_get_n_rows (scan) % 4096 == 0)
        show_progress (check);
      if (tsr_scan_get_n_rows (scan) % 4096 == 0
          && g_cancellable_set_error_if_cancelled (check->cancellable, &local_error))
        break;
    }
  if (!goes_on (check, table->name, local_error, error))
    return FALSE;
  if (table->end != NULL && scan != NULL)
    table->end (check);
  return TRUE;
}

/* Ids of every table that others refer to, in one pass of its id column alone. */
static gboolean
collect_ids (TsrCheck *check,
             const TsrCheckTable *table,
             const TsrCheckColumn *column,
             GError **error)
{
  const char *names[] = { column->name, NULL };
  TsrIdSet *set = &check->sets[column->set];
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = NULL;
  guint64 doubles;

  if (!tsr_profile_has_column (check->profile, table->name, column->name))
    return TRUE;
  scan = tsr_scan_new (check->profile, table->name, names, &local_error);
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    {
      if (tsr_scan_get_type (scan, 0) == TSR_CELL_INTEGER)
        tsr_id_set_add (set, tsr_scan_get_int (scan, 0));
      if (tsr_scan_get_n_rows (scan) % 4096 == 0
          && g_cancellable_set_error_if_cancelled (check->cancellable, &local_error))
        break;
    }
  /* With half of the ids every reference would look broken. */
  set->present = local_error == NULL;
  if (local_error != NULL
      && (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
          || g_error_matches (local_error, TSR_ERROR, TSR_ERROR_CHANGED)))
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  g_clear_error (&local_error); /* told when the table is read */
  doubles = tsr_id_set_seal (set);
  if (doubles > 0 && column->set != TSR_SET_CLASSES && column->set != TSR_SET_TILE_CYCLES)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "id-repeated", table->name, TSR_NO_ROW,
                   _ ("%" PRIu64 " rows have the same %s as another row"), doubles, column->name);
  return TRUE;
}

static gboolean
collect_all_ids (TsrCheck *check, GError **error)
{
  for (guint t = 0; tsr_check_tables[t].name != NULL; t++)
    for (guint c = 0; tsr_check_tables[t].columns[c].name != NULL; c++)
      if (tsr_check_tables[t].columns[c].kind == TSR_KIND_ID
          && !collect_ids (check, &tsr_check_tables[t], &tsr_check_tables[t].columns[c], error))
        return FALSE;
  return TRUE;
}

/* --------------------------------------------------------------------- run */

static void
found_damage (const char *text, gpointer data)
{
  TsrCheck *check = data;

  tsr_check_add (
      check, TSR_SEVERITY_ERROR, "database-damaged", NULL, TSR_NO_ROW,
      _ ("SQLite reports that the file is damaged: %s; copy the report again, or record it again"),
      text);
}

static void
set_counts (TsrCheck *check)
{
  const TsrSummary *summary = tsr_report_get_summary (check->report);

  check->memory = tsr_report_get_memory_tables (check->report);
  check->n_tiles = check->tiles_per_ipu = check->n_ipus = check->n_all_ipus = TSR_UNKNOWN;
  check->bytes_per_tile = check->interleaved_start = TSR_UNKNOWN;
  if (summary != NULL)
    {
      const TsrTarget *target = &summary->target;

      check->bytes_per_tile = target->bytes_per_tile;
      check->interleaved_start = target->interleaved_start;
      check->n_tiles = target->tiles_per_replica;
      if (!target->tiles_per_ipu_assumed)
        {
          check->tiles_per_ipu = target->tiles_per_ipu;
          check->n_ipus = target->ipus_per_replica;
          check->n_all_ipus = target->num_ipus;
        }
    }
  if (check->n_tiles == TSR_UNKNOWN && check->memory != NULL && !check->memory->from_archive)
    check->n_tiles = check->memory->tiles.n_tiles;
  if (check->n_tiles > TSR_MAX_TILES || check->n_tiles <= 0)
    check->n_tiles = TSR_UNKNOWN;
  if (check->tiles_per_ipu <= 0)
    check->tiles_per_ipu = TSR_UNKNOWN;
}

static void
check_init (TsrCheck *check)
{
  check->flagged = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < TSR_N_SETS; i++)
    tsr_id_set_init (&check->sets[i]);
  tsr_id_set_init (&check->arrays);
  tsr_id_set_init (&check->arrays_of_ipu);
  check->intervals = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));
  check->tile_vars = g_array_new (FALSE, FALSE, sizeof (TsrSpan));
  check->tile_allocations = g_array_new (FALSE, FALSE, sizeof (TsrAllocation));
  check->edges = g_array_new (FALSE, FALSE, sizeof (TsrEdge));
  check->runs = g_array_new (FALSE, FALSE, sizeof (TsrSpan));
  check->run_ends = g_array_new (FALSE, FALSE, sizeof (TsrRunEnd));
  check->last_starts = g_array_new (FALSE, FALSE, sizeof (TsrLastStart));
  check->slice_step = TSR_UNKNOWN;
  check->vertex_counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  check->tile = -1;
  check->vars_sound = check->vars_in_order = check->intervals_sound = TRUE;
  check->lives_told = TRUE;
}

static void
check_clear (TsrCheck *check)
{
  gint64 *values[] = { check->declared,         check->lifetimes,      check->ipu_declared,
                       check->ipu_lowered,      check->variable_bytes, check->variable_ipu_bytes,
                       check->variable_lowered, check->allocated,      check->tile_category,
                       check->tile_steps };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_free (values[i]);
  g_free (check->class_start);
  for (guint i = 0; i < TSR_N_SETS; i++)
    tsr_id_set_clear (&check->sets[i]);
  tsr_id_set_clear (&check->arrays);
  tsr_id_set_clear (&check->arrays_of_ipu);
  g_array_unref (check->intervals);
  g_array_unref (check->tile_vars);
  g_array_unref (check->tile_allocations);
  g_array_unref (check->edges);
  g_array_unref (check->runs);
  g_array_unref (check->run_ends);
  g_array_unref (check->last_starts);
  g_hash_table_unref (check->vertex_counts);
  g_hash_table_unref (check->flagged);
  g_clear_object (&check->profile);
}

/* What is sized by the tables themselves, once their ids are known. */
static void
make_room (TsrCheck *check)
{
  guint64 n_variables = check->sets[TSR_SET_VARIABLES].n_ids;
  guint64 n_categories = check->sets[TSR_SET_CATEGORIES].n_ids;

  check->n_steps = (gint64)check->sets[TSR_SET_LIVENESS_STEPS].n_ids;
  check->declared = tsr_check_new_values (check, check->n_steps + 1);
  check->lifetimes = tsr_check_new_values (check, check->n_steps + 1);
  check->tile_steps = tsr_check_new_values (check, check->n_steps + 1);
  if (check->n_ipus != TSR_UNKNOWN && check->n_ipus > 0 && check->n_ipus <= TSR_MAX_TILES)
    {
      check->ipu_declared = tsr_check_new_values (check, check->n_ipus * (check->n_steps + 1));
      /* Without it no row of vars_info tells its IPU. */
      if (check->tiles_per_ipu != TSR_UNKNOWN)
        check->ipu_lowered = tsr_check_new_values (check, check->n_ipus * (check->n_steps + 1));
    }
  check->variable_bytes = tsr_check_new_values (check, n_variables);
  check->variable_ipu_bytes = tsr_check_new_values (check, n_variables);
  check->variable_lowered = tsr_check_new_values (check, n_variables);
  check->allocated = tsr_check_new_values (check, n_categories + 1);
  if (check->n_tiles != TSR_UNKNOWN && n_categories <= TSR_MAX_TILES)
    check->tile_category
        = tsr_check_new_values (check, (guint64)check->n_tiles * (n_categories + 1));
}

static gboolean
check_profile (TsrCheck *check, GError **error)
{
  TsrDatabase *database = tsr_profile_get_database (check->profile);
  TsrSource *source = tsr_database_get_source (database);
  GError *local_error = NULL;
  gint64 id = 0;

  tsr_database_set_cancellable (database, check->cancellable);
  check->file_bytes = (guint64)MAX (tsr_source_get_size (source), 0);
  check->bytes_before = tsr_source_get_bytes_read (source);
  /* Once for SQLite's own check, once for the tables, and again for the ids. */
  tsr_progress_set_total (check->progress, check->file_bytes * 5 / 2 + 1);
  if (!tsr_profile_read_application_id (check->profile, &id, &local_error)
      || !tsr_profile_check_integrity (check->profile, TSR_DIAGNOSTICS_KEPT, found_damage, check,
                                       &local_error))
    if (!goes_on (check, NULL, local_error, error))
      return FALSE;
  check->ours = id == TSR_APPLICATION_ID;
  if (!collect_all_ids (check, error))
    return FALSE;
  make_room (check);
  for (guint i = 0; tsr_check_tables[i].name != NULL; i++)
    if (!read_table (check, &tsr_check_tables[i], error))
      return FALSE;
  tsr_check_memory_invariants (check);
  tsr_check_liveness_invariants (check);
  return tsr_database_check_unchanged (database, error);
}

gboolean
tsr_check_run (TsrReport *report, TsrProgress *progress, GCancellable *cancellable, GError **error)
{
  const TsrReportFiles *files = tsr_report_get_files (report);
  GError *local_error = NULL;
  TsrCheck check = { .report = report, .progress = progress, .cancellable = cancellable };
  gboolean ok = TRUE;

  g_return_val_if_fail (TSR_IS_REPORT (report), FALSE);
  g_return_val_if_fail (files != NULL, FALSE);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  check.diagnostics = tsr_report_get_diagnostics (report);
  check.file = files->files[TSR_FILE_PROFILE].name;
  check_init (&check);
  tsr_check_note_earlier_findings (&check);
  set_counts (&check);
  ok = tsr_check_debug (&check, error);
  check.profile = !ok ? NULL : tsr_report_open_profile (report, &local_error);
  if (check.profile != NULL)
    ok = check_profile (&check, error);
  else if (local_error != NULL)
    ok = goes_on (&check, NULL, local_error, error);
  ok = ok && tsr_check_archive (&check, error);
  check_clear (&check);
  tsr_progress_set_total (progress, 1);
  tsr_progress_set_done (progress, 1);
  return ok;
}
