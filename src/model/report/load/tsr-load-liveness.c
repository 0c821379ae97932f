/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The stage of liveness steps and variables.  Steps are array indices: a gap in their numbering is
 * a step about which nothing is known.  Without liveness_steps, the intervals of variables
 * determine the number of steps. */

#include "config.h"

#include "tsr-load-rows.h"

#include "tsr-error.h"
#include "tsr-scan.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define OPTION "autoReport.outputGraphProfile"

void
tsr_liveness_tables_free (TsrLivenessTables *tables)
{
  if (tables == NULL)
    return;
  g_clear_pointer (&tables->strings, tsr_string_table_free);
  g_free (tables->step_program);
  g_free (tables->step_program_id);
  g_free (tables->step_bytes);
  g_free (tables->step_ipu_bytes);
  g_free (tables->variable_id);
  g_free (tables->variable_name);
  g_free (tables->variable_size);
  g_free (tables->variable_always_live);
  g_free (tables->variable_category_id);
  g_free (tables->variable_element_type);
  g_free (tables->variable_shape);
  g_free (tables->variable_debug_id);
  g_free (tables->variable_ipu_bytes);
  g_free (tables->lifetime_start);
  g_free (tables->lifetime_from);
  g_free (tables->lifetime_to);
  g_free (tables->lifetime_bytes);
  g_free (tables);
}

typedef struct
{
  TsrLoading *loading;
  const TsrSummary *summary;
  const TsrProgramTables *programs;
  TsrLivenessTables *tables;
  TsrIdIndex variables;
} Builder;

static gint64 *
new_unknown (Builder *self, TsrTableKind kind, gsize n, GError **error)
{
  gint64 *values = tsr_loading_alloc (self->loading, kind, n, sizeof *values, 0, error);

  for (gsize i = 0; values != NULL && i < n; i++)
    values[i] = TSR_UNKNOWN;
  return values;
}

/* ------------------------------------------------------------------- steps */

/* Drops rows whose @column is not a place in an array that the file can fill.  @most: the first
 * that is not. */
static void
drop_beyond (TsrSortedRows *rows, guint column, const char *name, gint64 most)
{
  guint n = 0;

  for (guint i = 0; i < rows->n; i++)
    {
      gint64 value = tsr_sorted_rows_get (rows, i, column);

      if (value >= 0 && value < most)
        rows->order[n++] = rows->order[i];
      else
        tsr_sorted_rows_report (
            rows, i, TSR_SEVERITY_ERROR, "value-out-of-range",
            _ ("%s is %" PRId64 ", which is not in 0 to %" PRId64 "; the row is left out"), name,
            value, most - 1);
    }
  rows->n = n;
}

/* The largest end of an interval in @table, as far as the file can have so many steps.  What is
 * wrong with the rows is told when they are loaded. */
static gboolean
find_last_end (Builder *self, const char *table, gint64 *last, GError **error)
{
  static const char *const columns[] = { "end_step", NULL };
  gint64 most = tsr_loading_get_most_rows (self->loading);
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = tsr_scan_new (self->loading->profile, table, columns, &local_error);

  while (scan != NULL && tsr_scan_next (scan, &local_error))
    if (tsr_scan_get_int (scan, 0) <= most)
      *last = MAX (*last, tsr_scan_get_int (scan, 0));
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
count_steps (Builder *self, TsrSortedRows *rows, GError **error)
{
  TsrLivenessTables *tables = self->tables;
  gint64 last = 0;

  drop_beyond (rows, TSR_LIVENESS_STEP, "step", tsr_loading_get_most_rows (self->loading));
  if (rows->n > 0)
    {
      tables->n_steps = tsr_sorted_rows_get (rows, rows->n - 1, TSR_LIVENESS_STEP) + 1;
      if (tables->n_steps > rows->n)
        tsr_loading_report (self->loading, "liveness_steps", TSR_SEVERITY_WARNING, "step-missing",
                            ngettext ("%u step has no row; its bytes are not known",
                                      "%u steps have no row; their bytes are not known",
                                      tables->n_steps - rows->n),
                            tables->n_steps - rows->n);
      return TRUE;
    }
  if (!find_last_end (self, "variable_lifetimes", &last, error)
      || !find_last_end (self, "equivalence_class_intervals", &last, error))
    return FALSE;
  tables->n_steps = last;
  if (last > 0)
    tsr_loading_report (self->loading, "liveness_steps", TSR_SEVERITY_WARNING, "step-missing",
                        _ ("the table is missing or empty; there are %u steps by the intervals of "
                           "the variables, and their bytes are not known"),
                        tables->n_steps);
  return TRUE;
}

static gboolean
load_steps (Builder *self, GError **error)
{
  TsrLivenessTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };
  g_auto (TsrIdIndex) programs = { 0 };
  const gboolean known = self->programs != NULL && self->programs->n_programs > 0;

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_LIVENESS_STEPS, 1, NULL, error)
      || !count_steps (self, &rows, error))
    return FALSE;
  tables->step_program = tsr_loading_alloc (self->loading, TSR_TABLE_LIVENESS_STEPS,
                                            tables->n_steps, sizeof (guint32), 0xff, error);
  tables->step_program_id
      = tables->step_program == NULL
            ? NULL
            : new_unknown (self, TSR_TABLE_LIVENESS_STEPS, tables->n_steps, error);
  tables->step_bytes = tables->step_program_id == NULL
                           ? NULL
                           : new_unknown (self, TSR_TABLE_LIVENESS_STEPS, tables->n_steps, error);
  if (tables->step_bytes == NULL)
    return FALSE;
  if (known)
    tsr_id_index_init (&programs, self->programs->program_id, self->programs->n_programs);
  for (guint i = 0; i < rows.n; i++)
    {
      gint64 step = tsr_sorted_rows_get (&rows, i, TSR_LIVENESS_STEP);

      tables->step_program_id[step] = tsr_sorted_rows_get (&rows, i, TSR_LIVENESS_PROGRAM);
      tables->step_bytes[step] = tsr_sorted_rows_get (&rows, i, TSR_LIVENESS_BYTES);
      tables->step_program[step] = tsr_sorted_rows_find (&rows, i, TSR_LIVENESS_PROGRAM, &programs,
                                                         known ? "programs" : NULL);
    }
  return TRUE;
}

/* -------------------------------------------------------------------- IPUs */

/* How many IPUs the rows tell of, at most as many as a table of them and @n_others is no larger
 * than the file justifies. */
static guint
count_ipus (Builder *self, TsrSortedRows *rows, guint column, guint n_others)
{
  gint64 told = self->summary->target.ipus_per_replica;
  gint64 most = tsr_loading_get_most_rows (self->loading);
  gint64 last = -1;

  drop_beyond (rows, column, "ipu", told > 0 ? told : TSR_MAX_TILES);
  for (guint i = 0; i < rows->n; i++)
    last = MAX (last, tsr_sorted_rows_get (rows, i, column));
  /* At most ten values for each row that the file can hold: real tables are denser. */
  if ((last + 1) * MAX (n_others, 1) <= most * 10)
    return last + 1;
  tsr_loading_report (
      self->loading, tsr_profile_tables_get_name (rows->rows.kind), TSR_SEVERITY_ERROR, "limit",
      _ ("a file of this size cannot describe IPU %" PRId64 "; the table is left out"), last);
  return 0;
}

static gboolean
load_ipu_steps (Builder *self, GError **error)
{
  TsrLivenessTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_LIVENESS_BY_IPU, 2, NULL,
                                    error))
    return FALSE;
  drop_beyond (&rows, TSR_LIVENESS_IPU_STEP, "step", tables->n_steps);
  tables->n_ipus = count_ipus (self, &rows, TSR_LIVENESS_IPU_IPU, tables->n_steps);
  tables->step_ipu_bytes = new_unknown (self, TSR_TABLE_LIVENESS_BY_IPU,
                                        (gsize)tables->n_ipus * tables->n_steps, error);
  if (tables->step_ipu_bytes == NULL)
    return FALSE;
  for (guint i = 0; i < rows.n && tables->n_ipus > 0; i++)
    {
      gsize ipu = tsr_sorted_rows_get (&rows, i, TSR_LIVENESS_IPU_IPU);
      gsize step = tsr_sorted_rows_get (&rows, i, TSR_LIVENESS_IPU_STEP);

      tables->step_ipu_bytes[ipu * tables->n_steps + step]
          = tsr_sorted_rows_get (&rows, i, TSR_LIVENESS_IPU_BYTES);
    }
  return TRUE;
}

/* Rows are for the IPUs on which a variable is: one that has any has 0 on the others. */
static gboolean
load_ipu_variables (Builder *self, GError **error)
{
  TsrLivenessTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_VARIABLES_BY_IPU, 2, NULL,
                                    error))
    return FALSE;
  tables->n_variable_ipus = count_ipus (self, &rows, TSR_VARIABLE_IPU_IPU, tables->n_variables);
  if (tables->n_variable_ipus == 0 || tables->n_variables == 0)
    {
      tables->n_variable_ipus = 0;
      return TRUE;
    }
  tables->variable_ipu_bytes
      = new_unknown (self, TSR_TABLE_VARIABLES_BY_IPU,
                     (gsize)tables->n_variable_ipus * tables->n_variables, error);
  if (tables->variable_ipu_bytes == NULL)
    return FALSE;
  for (guint i = 0; i < rows.n; i++)
    {
      guint32 variable = tsr_sorted_rows_find (&rows, i, TSR_VARIABLE_IPU_VARIABLE,
                                               &self->variables, "variables");
      gsize ipu = tsr_sorted_rows_get (&rows, i, TSR_VARIABLE_IPU_IPU);
      gint64 previous
          = i > 0 ? tsr_sorted_rows_get (&rows, i - 1, TSR_VARIABLE_IPU_VARIABLE) : TSR_UNKNOWN;

      if (variable == TSR_NO_INDEX)
        continue;
      /* Rows of a variable follow each other. */
      if (tsr_sorted_rows_get (&rows, i, TSR_VARIABLE_IPU_VARIABLE) != previous)
        for (gsize k = 0; k < tables->n_variable_ipus; k++)
          tables->variable_ipu_bytes[k * tables->n_variables + variable] = 0;
      tables->variable_ipu_bytes[ipu * tables->n_variables + variable]
          = tsr_sorted_rows_get (&rows, i, TSR_VARIABLE_IPU_SIZE);
    }
  return TRUE;
}

/* --------------------------------------------------------------- variables */

static gboolean
load_variables (Builder *self, GError **error)
{
  TsrLivenessTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_VARIABLES, 1, tables->strings,
                                    error))
    return FALSE;
  tables->n_variables = rows.n;
  tables->variable_id = tsr_sorted_rows_dup (&rows, TSR_VARIABLE_ID);
  tsr_id_index_init (&self->variables, tables->variable_id, rows.n);
  tables->variable_name = tsr_sorted_rows_dup_texts (&rows, TSR_VARIABLE_NAME);
  tables->variable_size = tsr_sorted_rows_dup (&rows, TSR_VARIABLE_SIZE);
  tables->variable_category_id = tsr_sorted_rows_dup (&rows, TSR_VARIABLE_CATEGORY);
  tables->variable_element_type = tsr_sorted_rows_dup_texts (&rows, TSR_VARIABLE_ELEMENT_TYPE);
  tables->variable_shape = tsr_sorted_rows_dup_texts (&rows, TSR_VARIABLE_SHAPE);
  tables->variable_debug_id = tsr_sorted_rows_dup (&rows, TSR_VARIABLE_DEBUG_ID);
  tables->variable_always_live = g_new (guint8, MAX (rows.n, 1));
  for (guint i = 0; i < rows.n; i++)
    {
      gint64 always_live = tsr_sorted_rows_get (&rows, i, TSR_VARIABLE_ALWAYS_LIVE);

      tables->variable_always_live[i] = always_live != TSR_UNKNOWN ? (guint8)always_live : 255;
    }
  return TRUE;
}

static gboolean
load_lifetimes (Builder *self, GError **error)
{
  TsrLivenessTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };
  guint n = 0;

  if (!tsr_sorted_rows_read (&rows, self->loading, TSR_TABLE_VARIABLE_LIFETIMES, 3, NULL, error))
    return FALSE;
  tables->lifetime_start = g_new0 (guint32, (gsize)tables->n_variables + 1);
  tables->lifetime_from = g_new (guint32, MAX (rows.n, 1));
  tables->lifetime_to = g_new (guint32, MAX (rows.n, 1));
  tables->lifetime_bytes = g_new (gint64, MAX (rows.n, 1));
  for (guint i = 0; i < rows.n; i++)
    {
      guint32 variable
          = tsr_sorted_rows_find (&rows, i, TSR_INTERVAL_OF, &self->variables, "variables");

      if (variable == TSR_NO_INDEX
          || !tsr_sorted_rows_clip (&rows, i, tables->n_steps, &tables->lifetime_from[n],
                                    &tables->lifetime_to[n]))
        continue;
      tables->lifetime_bytes[n++] = tsr_sorted_rows_get (&rows, i, TSR_INTERVAL_SIZE);
      tables->lifetime_start[variable + 1]++;
    }
  for (guint v = 0; v < tables->n_variables; v++)
    tables->lifetime_start[v + 1] += tables->lifetime_start[v];
  return TRUE;
}

/* ------------------------------------------------------------------- stage */

static gboolean
has_liveness (TsrProfile *profile)
{
  static const TsrTableKind kinds[]
      = { TSR_TABLE_LIVENESS_STEPS, TSR_TABLE_VARIABLES, TSR_TABLE_CLASS_INTERVALS };

  for (guint i = 0; profile != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (tsr_profile_has_rows (profile, tsr_profile_tables_get_name (kinds[i])))
      return TRUE;
  return FALSE;
}

gpointer
tsr_load_liveness (TsrLoading *loading, TsrProgress *progress, GError **error)
{
  static gboolean (*const parts[]) (Builder *, GError **)
      = { load_steps, load_ipu_steps, load_variables, load_ipu_variables, load_lifetimes };
  static const char *const names[] = { "liveness_steps",   "liveness_by_ipu",    "variables",
                                       "variables_by_ipu", "variable_lifetimes", NULL };
  Builder builder = { .loading = loading,
                      .summary = loading->parts[TSR_STAGE_SUMMARY],
                      .programs = loading->parts[TSR_STAGE_PROGRAMS] };
  TsrLivenessTables *tables;
  gboolean ok = TRUE;

  tsr_loading_prefetch (loading, names);
  if (!has_liveness (loading->profile))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("%s has no liveness: the tables liveness_steps and variables are missing or "
                      "empty; record the report with the engine option %s"),
                   loading->files->files[TSR_FILE_PROFILE].name, OPTION);
      return NULL;
    }
  tables = builder.tables = g_new0 (TsrLivenessTables, 1);
  tables->strings = tsr_string_table_new ();
  tsr_progress_set_total (progress, G_N_ELEMENTS (parts));
  for (guint i = 0; ok && i < G_N_ELEMENTS (parts); i++)
    {
      ok = parts[i](&builder, error);
      tsr_progress_set_done (progress, i + 1);
    }
  tsr_id_index_clear (&builder.variables);
  if (ok && tsr_database_check_unchanged (tsr_profile_get_database (loading->profile), error))
    return tables;
  tsr_liveness_tables_free (tables);
  return NULL;
}
