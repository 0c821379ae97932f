/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns of each table with their types and ranges, and one loop that reads them all. */

#include "config.h"

#include "tsr-profile-tables.h"

#include "tsr-profile-cursor.h"

#include <string.h>

typedef enum
{
  ID,   /* any integer but TSR_UNKNOWN */
  SIZE, /* bytes, cycles, counts: 0 .. 2^53 */
  FLAG, /* 0 or 1 */
  TEXT,
  REAL, /* its bits; any finite number, or NaN */
} Kind;

typedef struct
{
  const char *names[TSR_TABLE_MAX_COLUMNS + 1];
  Kind kinds[TSR_TABLE_MAX_COLUMNS];
  guint keys; /* a row without one of these columns cannot be used: a set of bits */
} Spec;

static const char *const table_names[TSR_N_TABLES] = {
  [TSR_TABLE_PROGRAMS] = "programs",
  [TSR_TABLE_PROGRAM_CHILDREN] = "program_children",
  [TSR_TABLE_COMPILATION_STEPS] = "compilation_steps",
  [TSR_TABLE_PROGRAM_ROOTS] = "program_roots",
  [TSR_TABLE_COMPUTE_SETS] = "compute_sets",
  [TSR_TABLE_VERTEX_TYPES] = "vertex_types",
  [TSR_TABLE_COMPUTE_SET_VERTICES] = "compute_set_vertices",
  [TSR_TABLE_TILE_ARRAYS] = "tile_arrays",
  [TSR_TABLE_LIVENESS_STEPS] = "liveness_steps",
  [TSR_TABLE_LIVENESS_BY_IPU] = "liveness_by_ipu",
  [TSR_TABLE_VARIABLES] = "variables",
  [TSR_TABLE_VARIABLES_BY_IPU] = "variables_by_ipu",
  [TSR_TABLE_VARIABLE_LIFETIMES] = "variable_lifetimes",
  [TSR_TABLE_STRINGS] = "vars_string_table",
  [TSR_TABLE_CLASS_INTERVALS] = "equivalence_class_intervals",
  [TSR_TABLE_TILE_CYCLES] = "tile_cycles",
  [TSR_TABLE_RUNS] = "runs",
  [TSR_TABLE_RUN_CYCLES] = "run_cycles_by_ipu",
  [TSR_TABLE_BLOCKS] = "blocks",
  [TSR_TABLE_CYCLE_TOTALS] = "execution_cycle_totals",
};

static const Spec specs[TSR_N_TABLES] = {
  [TSR_TABLE_PROGRAMS]
  = { { "id", "name", "type", "compute_set", "repeat_count", "callee", "debug_id",
        "stream_copy_kind", "code_bytes_by_tile", "control_code_by_tile",
        "estimated_cycles_by_tile", "data_in_by_tile", "data_out_by_tile" },
      { ID, TEXT, TEXT, ID, SIZE, ID, ID, TEXT, ID, ID, ID, ID, ID },
      .keys = 1 << TSR_PROGRAM_ID },
  [TSR_TABLE_PROGRAM_CHILDREN] = { { "parent", "position", "child" },
                                   { ID, ID, ID },
                                   .keys = 1 << TSR_CHILD_PARENT | 1 << TSR_CHILD_CHILD },
  [TSR_TABLE_COMPILATION_STEPS]
  = { { "id", "name" }, { ID, TEXT }, .keys = 1 << TSR_COMPILATION_STEP_ID },
  [TSR_TABLE_PROGRAM_ROOTS] = { { "compilation_step", "kind", "position", "program" },
                                { ID, TEXT, ID, ID },
                                .keys = 1 << TSR_ROOT_PROGRAM },
  [TSR_TABLE_COMPUTE_SETS] = { { "compute_set", "name", "estimated_cycles_by_tile" },
                               { ID, TEXT, ID },
                               .keys = 1 << TSR_COMPUTE_SET_ID },
  [TSR_TABLE_VERTEX_TYPES] = { { "id", "name", "size_bytes", "source_type", "code_bytes_by_tile" },
                               { ID, TEXT, SIZE, TEXT, ID },
                               .keys = 1 << TSR_VERTEX_TYPE_ID },
  [TSR_TABLE_COMPUTE_SET_VERTICES] = { { "compute_set", "vertex_type", "count", "count_by_tile",
                                         "flops", "estimated_cycles", "measured_cycles" },
                                       { ID, ID, SIZE, ID, SIZE, SIZE, SIZE },
                                       .keys = 1 << TSR_VERTEX_COMPUTE_SET | 1 << TSR_VERTEX_TYPE },
  [TSR_TABLE_TILE_ARRAYS]
  = { { "id", "total", "maximum" }, { ID, SIZE, SIZE }, .keys = 1 << TSR_TILE_ARRAY_ID },
  [TSR_TABLE_LIVENESS_STEPS] = { { "step", "program", "not_always_live_bytes" },
                                 { ID, ID, SIZE },
                                 .keys = 1 << TSR_LIVENESS_STEP },
  [TSR_TABLE_LIVENESS_BY_IPU] = { { "step", "ipu", "not_always_live_bytes" },
                                  { ID, ID, SIZE },
                                  .keys = 1 << TSR_LIVENESS_IPU_STEP | 1 << TSR_LIVENESS_IPU_IPU },
  [TSR_TABLE_VARIABLES] = { { "id", "name", "size_bytes", "always_live", "category", "element_type",
                              "shape", "debug_id" },
                            { ID, TEXT, SIZE, FLAG, ID, TEXT, TEXT, ID },
                            .keys = 1 << TSR_VARIABLE_ID },
  [TSR_TABLE_VARIABLES_BY_IPU]
  = { { "variable", "ipu", "size_bytes" },
      { ID, ID, SIZE },
      .keys = 1 << TSR_VARIABLE_IPU_VARIABLE | 1 << TSR_VARIABLE_IPU_IPU },
  [TSR_TABLE_VARIABLE_LIFETIMES]
  = { { "variable", "start_step", "end_step", "size_bytes" },
      { ID, ID, ID, SIZE },
      .keys = 1 << TSR_INTERVAL_OF | 1 << TSR_INTERVAL_START | 1 << TSR_INTERVAL_END },
  [TSR_TABLE_STRINGS] = { { "id", "value" }, { ID, TEXT }, .keys = 1 << TSR_STRING_ID },
  [TSR_TABLE_CLASS_INTERVALS]
  = { { "equivalence_class", "start_step", "end_step" },
      { ID, ID, ID },
      .keys = 1 << TSR_INTERVAL_OF | 1 << TSR_INTERVAL_START | 1 << TSR_INTERVAL_END },
  [TSR_TABLE_TILE_CYCLES] = { { "set_id", "ipu", "start_by_tile", "cycles_by_tile" },
                              { ID, ID, ID, ID },
                              .keys = 1 << TSR_TILE_CYCLES_SET },
  [TSR_TABLE_RUNS]
  = { { "id", "name", "first_step", "end_step", "microseconds_start", "microseconds_end" },
      { ID, TEXT, ID, ID, REAL, REAL },
      .keys = 1 << TSR_RUN_ID },
  [TSR_TABLE_RUN_CYCLES] = { { "run", "ipu", "cycles" },
                             { ID, SIZE, SIZE },
                             .keys = 1 << TSR_RUN_CYCLES_RUN | 1 << TSR_RUN_CYCLES_IPU },
  [TSR_TABLE_BLOCKS] = { { "ipu", "tile", "cycles_from", "cycles_to", "id", "program", "name",
                           "run", "is_stream_copy", "is_common", "is_overflow", "is_block_flush" },
                         { SIZE, SIZE, SIZE, SIZE, ID, ID, TEXT, ID, FLAG, FLAG, FLAG, FLAG } },
  [TSR_TABLE_CYCLE_TOTALS]
  = { { "ipu", "total" }, { SIZE, SIZE }, .keys = 1 << TSR_CYCLE_TOTAL_TOTAL },
};

G_STATIC_ASSERT (TSR_TABLE_MAX_COLUMNS <= TSR_CURSOR_MAX_COLUMNS);

void
tsr_table_rows_clear (TsrTableRows *rows)
{
  tsr_column_clear (&rows->row);
  for (guint i = 0; i < G_N_ELEMENTS (rows->columns); i++)
    tsr_column_clear (&rows->columns[i]);
  rows->n = 0;
}

const char *
tsr_profile_tables_get_name (TsrTableKind kind)
{
  g_return_val_if_fail (kind < TSR_N_TABLES, NULL);
  return table_names[kind];
}

static gint64
read_value (TsrProfileCursor *rows, guint column, Kind kind, gboolean key, TsrStringTable *strings)
{
  gint64 (*get) (TsrProfileCursor *, guint, gint64, gint64)
      = key ? tsr_profile_cursor_get_key : tsr_profile_cursor_get_int;
  guint32 index;
  const char *text;
  gssize length;
  gint64 bits;
  double real;

  switch (kind)
    {
    case REAL:
      real = tsr_profile_cursor_get_double (rows, column);
      memcpy (&bits, &real, sizeof bits);
      return bits;
    case SIZE:
      return get (rows, column, 0, TSR_MAX_SIZE);
    case FLAG:
      return get (rows, column, 0, 1);
    case TEXT:
      text = tsr_profile_cursor_peek_text (rows, column, &length);
      index = tsr_string_table_intern (strings, text, length);
      return index != TSR_NO_STRING ? (gint64)index : TSR_UNKNOWN;
    case ID:
    default:
      return get (rows, column, TSR_UNKNOWN + 1, G_MAXINT64);
    }
}

static void
set_lengths (TsrTableRows *out)
{
  out->row.length = out->n;
  for (guint i = 0; i < out->n_columns; i++)
    out->columns[i].length = out->n;
}

/* Room for more rows: all columns have the same. */
static gboolean
reserve (TsrTableRows *out)
{
  gboolean ok;

  set_lengths (out);
  ok = tsr_column_reserve (&out->row, 1);
  for (guint i = 0; i < out->n_columns; i++)
    ok = ok && tsr_column_reserve (&out->columns[i], 1);
  return ok;
}

static void
read_row (TsrProfileCursor *rows, const Spec *spec, TsrStringTable *strings, TsrTableRows *out)
{
  for (guint i = 0; i < out->n_columns; i++)
    {
      gboolean key = (spec->keys & 1u << i) != 0;
      gint64 value = read_value (rows, i, spec->kinds[i], key, strings);

      if (key && value == TSR_UNKNOWN)
        return;
      out->columns[i].values[out->n] = value;
    }
  out->row.values[out->n++] = tsr_profile_cursor_get_row (rows);
}

gboolean
tsr_profile_read_table (
    TsrProfile *self, TsrTableKind kind, TsrStringTable *strings, TsrTableRows *out, GError **error)
{
  const Spec *spec = &specs[kind];
  g_auto (TsrProfileCursor) rows = { 0 };

  g_return_val_if_fail (TSR_IS_PROFILE (self) && kind < TSR_N_TABLES, FALSE);
  memset (out, 0, sizeof *out);
  out->kind = kind;
  out->n_columns = g_strv_length ((char **)spec->names);
  if (!tsr_profile_cursor_open (&rows, self, table_names[kind], spec->names, error))
    return FALSE;
  for (guint i = 0; i < out->n_columns; i++)
    if ((spec->keys & 1u << i) != 0 && !tsr_profile_cursor_need (&rows, i))
      return TRUE;
  while (tsr_profile_cursor_next (&rows, error))
    {
      if (out->n >= TSR_NO_INDEX - 1 || (out->n == out->row.capacity && !reserve (out)))
        return !tsr_profile_fail_memory (self, table_names[kind], error);
      read_row (&rows, spec, strings, out);
    }
  set_lengths (out);
  return !rows.failed;
}
