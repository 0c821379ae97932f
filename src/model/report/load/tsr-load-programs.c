/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The stage of programs, compute sets and vertices.  Each table is sorted by id; references are
 * indices.  Nothing here guarantees that programs form a tree: a damaged file may have cycles. */

#include "config.h"

#include "tsr-load-rows.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define OPTION "autoReport.outputGraphProfile"

void
tsr_program_tables_free (TsrProgramTables *tables)
{
  if (tables == NULL)
    return;
  g_clear_pointer (&tables->strings, tsr_string_table_free);
  g_free (tables->program_id);
  g_free (tables->program_name);
  g_free (tables->program_type);
  g_free (tables->program_compute_set);
  g_free (tables->program_callee);
  g_free (tables->program_repeat_count);
  g_free (tables->program_debug_id);
  g_free (tables->program_stream_copy_kind);
  g_free (tables->program_code);
  g_free (tables->program_control_code);
  g_free (tables->program_estimated_cycles);
  g_free (tables->program_data_in);
  g_free (tables->program_data_out);
  g_free (tables->child_start);
  g_free (tables->child);
  g_free (tables->compute_set_id);
  g_free (tables->compute_set_name);
  g_free (tables->compute_set_estimated_cycles);
  g_free (tables->vertex_type_id);
  g_free (tables->vertex_type_name);
  g_free (tables->vertex_type_size);
  g_free (tables->vertex_type_source);
  g_free (tables->vertex_type_code);
  g_free (tables->vertex_start);
  g_free (tables->vertex_type);
  g_free (tables->vertex_count);
  g_free (tables->vertex_count_by_tile);
  g_free (tables->vertex_flops);
  g_free (tables->vertex_estimated_cycles);
  g_free (tables->vertex_measured_cycles);
  g_free (tables->root_step);
  g_free (tables->root_kind);
  g_free (tables->root_program);
  g_free (tables->compilation_step_id);
  g_free (tables->compilation_step_name);
  g_free (tables);
}

/* What the parts of the stage share. */
typedef struct
{
  TsrLoading *loading;
  TsrProgramTables *tables;
  TsrSortedRows arrays;
  gint64 *array_ids;
  TsrIdIndex array_index, programs, compute_sets, vertex_types;
} Builder;

static void
builder_clear (Builder *self)
{
  tsr_sorted_rows_clear (&self->arrays);
  g_free (self->array_ids);
  tsr_id_index_clear (&self->array_index);
  tsr_id_index_clear (&self->programs);
  tsr_id_index_clear (&self->compute_sets);
  tsr_id_index_clear (&self->vertex_types);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

static TsrTileArrayRef *
dup_arrays (Builder *self, TsrSortedRows *rows, guint column)
{
  TsrTileArrayRef *refs = g_new (TsrTileArrayRef, MAX (rows->n, 1));

  for (guint i = 0; i < rows->n; i++)
    {
      guint32 place;

      refs[i] = (TsrTileArrayRef){ TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
      if (self->loading->depth != TSR_DEPTH_WHOLE)
        {
          refs[i].id = tsr_sorted_rows_get (rows, i, column);
          continue;
        }
      place = tsr_sorted_rows_find (rows, i, column, &self->array_index, "tile_arrays");
      if (place == TSR_NO_INDEX)
        continue;
      refs[i].id = self->array_ids[place];
      refs[i].total = tsr_sorted_rows_get (&self->arrays, place, TSR_TILE_ARRAY_TOTAL);
      refs[i].maximum = tsr_sorted_rows_get (&self->arrays, place, TSR_TILE_ARRAY_MAXIMUM);
    }
  return refs;
}

static gboolean
load_arrays (Builder *self, GError **error)
{
  if (self->loading->depth != TSR_DEPTH_WHOLE)
    return TRUE;
  if (!tsr_sorted_rows_read_unique (&self->arrays, self->loading, TSR_TABLE_TILE_ARRAYS, 1, NULL,
                                    error))
    return FALSE;
  self->array_ids = tsr_sorted_rows_dup (&self->arrays, TSR_TILE_ARRAY_ID);
  tsr_id_index_init (&self->array_index, self->array_ids, self->arrays.n);
  return TRUE;
}

static gboolean
load_compute_sets (Builder *self, GError **error)
{
  TsrProgramTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_COMPUTE_SETS, 1,
                                    tables->strings, error))
    return FALSE;
  tables->n_compute_sets = rows.n;
  tables->compute_set_id = tsr_sorted_rows_dup (&rows, TSR_COMPUTE_SET_ID);
  tables->compute_set_name = tsr_sorted_rows_dup_texts (&rows, TSR_COMPUTE_SET_NAME);
  tables->compute_set_estimated_cycles = dup_arrays (self, &rows, TSR_COMPUTE_SET_ESTIMATED_CYCLES);
  tsr_id_index_init (&self->compute_sets, tables->compute_set_id, rows.n);
  return TRUE;
}

static gboolean
load_programs (Builder *self, GError **error)
{
  TsrProgramTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_PROGRAMS, 1, tables->strings,
                                    error))
    return FALSE;
  tables->n_programs = rows.n;
  tables->program_id = tsr_sorted_rows_dup (&rows, TSR_PROGRAM_ID);
  tsr_id_index_init (&self->programs, tables->program_id, rows.n);
  tables->program_name = tsr_sorted_rows_dup_texts (&rows, TSR_PROGRAM_NAME);
  tables->program_type = tsr_sorted_rows_dup_texts (&rows, TSR_PROGRAM_TYPE);
  tables->program_compute_set = tsr_sorted_rows_dup_places (&rows, TSR_PROGRAM_COMPUTE_SET,
                                                            &self->compute_sets, "compute_sets");
  tables->program_callee
      = tsr_sorted_rows_dup_places (&rows, TSR_PROGRAM_CALLEE, &self->programs, "programs");
  tables->program_repeat_count = tsr_sorted_rows_dup (&rows, TSR_PROGRAM_REPEAT_COUNT);
  tables->program_debug_id = tsr_sorted_rows_dup (&rows, TSR_PROGRAM_DEBUG_ID);
  tables->program_stream_copy_kind
      = tsr_sorted_rows_dup_texts (&rows, TSR_PROGRAM_STREAM_COPY_KIND);
  tables->program_code = dup_arrays (self, &rows, TSR_PROGRAM_CODE);
  tables->program_control_code = dup_arrays (self, &rows, TSR_PROGRAM_CONTROL_CODE);
  tables->program_estimated_cycles = dup_arrays (self, &rows, TSR_PROGRAM_ESTIMATED_CYCLES);
  tables->program_data_in = dup_arrays (self, &rows, TSR_PROGRAM_DATA_IN);
  tables->program_data_out = dup_arrays (self, &rows, TSR_PROGRAM_DATA_OUT);
  return TRUE;
}

/* Rows are in the order of their owners' ids, so those of an owner follow each other. */
static gboolean
load_children (Builder *self, GError **error)
{
  TsrProgramTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };
  guint n = 0;

  if (self->loading->depth == TSR_DEPTH_NAMES)
    return TRUE;
  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_PROGRAM_CHILDREN, 2,
                                    tables->strings, error))
    return FALSE;
  tables->child_start = g_new0 (guint32, (gsize)tables->n_programs + 1);
  tables->child = g_new (guint32, MAX (rows.n, 1));
  for (guint i = 0; i < rows.n; i++)
    {
      guint32 parent
          = tsr_sorted_rows_find (&rows, i, TSR_CHILD_PARENT, &self->programs, "programs");
      guint32 child = tsr_sorted_rows_find (&rows, i, TSR_CHILD_CHILD, &self->programs, "programs");

      if (parent == TSR_NO_INDEX || child == TSR_NO_INDEX)
        continue;
      tables->child_start[parent + 1]++;
      tables->child[n++] = child;
    }
  for (guint i = 0; i < tables->n_programs; i++)
    tables->child_start[i + 1] += tables->child_start[i];
  return TRUE;
}

static gboolean
load_vertex_types (Builder *self, GError **error)
{
  TsrProgramTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_VERTEX_TYPES, 1,
                                    tables->strings, error))
    return FALSE;
  tables->n_vertex_types = rows.n;
  tables->vertex_type_id = tsr_sorted_rows_dup (&rows, TSR_VERTEX_TYPE_ID);
  tables->vertex_type_name = tsr_sorted_rows_dup_texts (&rows, TSR_VERTEX_TYPE_NAME);
  tables->vertex_type_size = tsr_sorted_rows_dup (&rows, TSR_VERTEX_TYPE_SIZE);
  tables->vertex_type_source = tsr_sorted_rows_dup_texts (&rows, TSR_VERTEX_TYPE_SOURCE);
  tables->vertex_type_code = dup_arrays (self, &rows, TSR_VERTEX_TYPE_CODE);
  tsr_id_index_init (&self->vertex_types, tables->vertex_type_id, rows.n);
  return TRUE;
}

/* Keeps the rows whose compute set and vertex type are there. */
static void
keep_vertices (Builder *self, TsrSortedRows *rows)
{
  TsrProgramTables *tables = self->tables;
  guint n = 0;

  tables->vertex_start = g_new0 (guint32, (gsize)tables->n_compute_sets + 1);
  tables->vertex_type = g_new (guint32, MAX (rows->n, 1));
  for (guint i = 0; i < rows->n; i++)
    {
      guint32 set = tsr_sorted_rows_find (rows, i, TSR_VERTEX_COMPUTE_SET, &self->compute_sets,
                                          "compute_sets");
      guint32 type
          = tsr_sorted_rows_find (rows, i, TSR_VERTEX_TYPE, &self->vertex_types, "vertex_types");

      if (set == TSR_NO_INDEX || type == TSR_NO_INDEX)
        continue;
      tables->vertex_start[set + 1]++;
      tables->vertex_type[n] = type;
      rows->order[n++] = rows->order[i];
    }
  rows->n = n;
  for (guint i = 0; i < tables->n_compute_sets; i++)
    tables->vertex_start[i + 1] += tables->vertex_start[i];
}

static gboolean
load_vertices (Builder *self, GError **error)
{
  TsrProgramTables *tables = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (self->loading->depth == TSR_DEPTH_NAMES)
    return TRUE;
  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_COMPUTE_SET_VERTICES, 2,
                                    tables->strings, error))
    return FALSE;
  keep_vertices (self, &rows);
  tables->vertex_count = tsr_sorted_rows_dup (&rows, TSR_VERTEX_COUNT);
  tables->vertex_count_by_tile = dup_arrays (self, &rows, TSR_VERTEX_COUNT_BY_TILE);
  tables->vertex_flops = tsr_sorted_rows_dup (&rows, TSR_VERTEX_FLOPS);
  tables->vertex_estimated_cycles = tsr_sorted_rows_dup (&rows, TSR_VERTEX_ESTIMATED_CYCLES);
  tables->vertex_measured_cycles = tsr_sorted_rows_dup (&rows, TSR_VERTEX_MEASURED_CYCLES);
  return TRUE;
}

typedef struct
{
  const TsrColumn *columns;
  TsrStringTable *strings;
} RootOrder;

static int
compare_values (const TsrColumn *column, guint32 x, guint32 y)
{
  return (column->values[x] > column->values[y]) - (column->values[x] < column->values[y]);
}

static const char *
peek_kind (const RootOrder *order, guint32 row)
{
  gint64 text = order->columns[TSR_ROOT_KIND].values[row];

  return text != TSR_UNKNOWN ? tsr_string_table_get (order->strings, text) : NULL;
}

/* By step, in a step by the name of the kind (texts are interned in the order of the file), then by
 * position. */
static int
compare_roots (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 x = *(const guint32 *)a;
  guint32 y = *(const guint32 *)b;
  const RootOrder *order = data;
  int by_step = compare_values (&order->columns[TSR_ROOT_STEP], x, y);
  int by_kind = g_strcmp0 (peek_kind (order, x), peek_kind (order, y));
  int by_position = compare_values (&order->columns[TSR_ROOT_POSITION], x, y);

  if (by_step != 0)
    return by_step;
  if (by_kind != 0)
    return by_kind;
  return by_position != 0 ? by_position : (x > y) - (x < y);
}

static gboolean
load_roots (Builder *self, GError **error)
{
  TsrProgramTables *tables = self->tables;
  g_auto (TsrSortedRows) steps = { 0 };
  g_auto (TsrSortedRows) rows = { 0 };
  g_auto (TsrIdIndex) index = { 0 };
  RootOrder order = { rows.rows.columns, tables->strings };
  guint n = 0;

  if (self->loading->depth == TSR_DEPTH_NAMES)
    return TRUE;
  if (!tsr_sorted_rows_read_unique (&steps, self->loading, TSR_TABLE_COMPILATION_STEPS, 1,
                                    tables->strings, error)
      || !tsr_sorted_rows_read (&rows, self->loading, TSR_TABLE_PROGRAM_ROOTS, 0, tables->strings,
                                error))
    return FALSE;
  tables->n_compilation_steps = steps.n;
  tables->compilation_step_id = tsr_sorted_rows_dup (&steps, TSR_COMPILATION_STEP_ID);
  tables->compilation_step_name = tsr_sorted_rows_dup_texts (&steps, TSR_COMPILATION_STEP_NAME);
  tsr_id_index_init (&index, tables->compilation_step_id, steps.n);
  g_qsort_with_data (rows.order, rows.n, sizeof *rows.order, compare_roots, &order);
  tables->root_program = g_new (guint32, MAX (rows.n, 1));
  for (guint i = 0; i < rows.n; i++)
    {
      guint32 program
          = tsr_sorted_rows_find (&rows, i, TSR_ROOT_PROGRAM, &self->programs, "programs");

      if (program == TSR_NO_INDEX)
        continue;
      tables->root_program[n] = program;
      rows.order[n++] = rows.order[i];
    }
  tables->n_roots = rows.n = n;
  /* With one compilation step there may be no table of them. */
  tables->root_step = tsr_sorted_rows_dup_places (&rows, TSR_ROOT_STEP, &index,
                                                  steps.n > 0 ? "compilation_steps" : NULL);
  tables->root_kind = tsr_sorted_rows_dup_texts (&rows, TSR_ROOT_KIND);
  return TRUE;
}

gpointer
tsr_load_programs (TsrLoading *loading, TsrProgress *progress, GError **error)
{
  static gboolean (*const parts[]) (Builder *, GError **)
      = { load_arrays,       load_compute_sets, load_programs, load_children,
          load_vertex_types, load_vertices,     load_roots };
  static const char *const names[]
      = { "compute_sets",         "programs",          "program_children", "vertex_types",
          "compute_set_vertices", "compilation_steps", "program_roots",    NULL };
  static const char *const only_names[] = { "compute_sets", "programs", "vertex_types", NULL };
  g_auto (Builder) builder = { .loading = loading };
  TsrProgramTables *tables;

  tsr_loading_prefetch (loading, loading->depth == TSR_DEPTH_NAMES ? only_names : names);
  if (loading->profile == NULL
      || !(tsr_profile_has_rows (loading->profile, "programs")
           || tsr_profile_has_rows (loading->profile, "compute_sets")
           || tsr_profile_has_rows (loading->profile, "vertex_types")))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("%s has no programs: the table programs is missing or empty; record the "
                      "report with the engine option %s"),
                   loading->files->files[TSR_FILE_PROFILE].name, OPTION);
      return NULL;
    }
  tables = builder.tables = g_new0 (TsrProgramTables, 1);
  tables->strings = tsr_string_table_new ();
  tables->has_structure = loading->depth != TSR_DEPTH_NAMES;
  tsr_progress_set_total (progress, G_N_ELEMENTS (parts));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (!parts[i](&builder, error))
        {
          tsr_program_tables_free (tables);
          return NULL;
        }
      tsr_progress_set_done (progress, i + 1);
    }
  if (tsr_database_check_unchanged (tsr_profile_get_database (loading->profile), error))
    return tables;
  tsr_program_tables_free (tables);
  return NULL;
}
