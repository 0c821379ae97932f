/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the tables of programs, vertices, liveness and variables of profile.pop without
 * interpreting them: a column of 64-bit integers for each of the file's, in the file's order.
 * Resolving ids is up to the report.  A row without its keys is left out, with a diagnostic. */

#pragma once

#include "tsr-profile.h"

#include <string.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_TABLE_PROGRAMS,
  TSR_TABLE_PROGRAM_CHILDREN,
  TSR_TABLE_COMPILATION_STEPS,
  TSR_TABLE_PROGRAM_ROOTS,
  TSR_TABLE_COMPUTE_SETS,
  TSR_TABLE_VERTEX_TYPES,
  TSR_TABLE_COMPUTE_SET_VERTICES,
  TSR_TABLE_TILE_ARRAYS, /* without the data */
  TSR_TABLE_LIVENESS_STEPS,
  TSR_TABLE_LIVENESS_BY_IPU,
  TSR_TABLE_VARIABLES,
  TSR_TABLE_VARIABLES_BY_IPU,
  TSR_TABLE_VARIABLE_LIFETIMES,
  TSR_TABLE_STRINGS, /* vars_string_table */
  TSR_TABLE_CLASS_INTERVALS,
  TSR_TABLE_TILE_CYCLES,
  TSR_TABLE_RUNS,
  TSR_TABLE_RUN_CYCLES, /* run_cycles_by_ipu */
  TSR_TABLE_BLOCKS,
  TSR_TABLE_CYCLE_TOTALS, /* execution_cycle_totals */
  TSR_N_TABLES,
} TsrTableKind;

/* Places of the columns in TsrTableRows.columns. */
enum
{
  TSR_PROGRAM_ID,
  TSR_PROGRAM_NAME,
  TSR_PROGRAM_TYPE,
  TSR_PROGRAM_COMPUTE_SET,
  TSR_PROGRAM_REPEAT_COUNT,
  TSR_PROGRAM_CALLEE,
  TSR_PROGRAM_DEBUG_ID,
  TSR_PROGRAM_STREAM_COPY_KIND,
  TSR_PROGRAM_CODE,
  TSR_PROGRAM_CONTROL_CODE,
  TSR_PROGRAM_ESTIMATED_CYCLES,
  TSR_PROGRAM_DATA_IN,
  TSR_PROGRAM_DATA_OUT,
};
enum
{
  TSR_CHILD_PARENT,
  TSR_CHILD_POSITION,
  TSR_CHILD_CHILD,
};
enum
{
  TSR_COMPILATION_STEP_ID,
  TSR_COMPILATION_STEP_NAME,
};
enum
{
  TSR_ROOT_STEP,
  TSR_ROOT_KIND,
  TSR_ROOT_POSITION,
  TSR_ROOT_PROGRAM,
};
enum
{
  TSR_COMPUTE_SET_ID,
  TSR_COMPUTE_SET_NAME,
  TSR_COMPUTE_SET_ESTIMATED_CYCLES,
};
enum
{
  TSR_VERTEX_TYPE_ID,
  TSR_VERTEX_TYPE_NAME,
  TSR_VERTEX_TYPE_SIZE,
  TSR_VERTEX_TYPE_SOURCE,
  TSR_VERTEX_TYPE_CODE,
};
enum
{
  TSR_VERTEX_COMPUTE_SET,
  TSR_VERTEX_TYPE,
  TSR_VERTEX_COUNT,
  TSR_VERTEX_COUNT_BY_TILE,
  TSR_VERTEX_FLOPS,
  TSR_VERTEX_ESTIMATED_CYCLES,
  TSR_VERTEX_MEASURED_CYCLES,
};
enum
{
  TSR_TILE_ARRAY_ID,
  TSR_TILE_ARRAY_TOTAL,
  TSR_TILE_ARRAY_MAXIMUM,
};
enum
{
  TSR_LIVENESS_STEP,
  TSR_LIVENESS_PROGRAM,
  TSR_LIVENESS_BYTES,
};
enum
{
  TSR_LIVENESS_IPU_STEP,
  TSR_LIVENESS_IPU_IPU,
  TSR_LIVENESS_IPU_BYTES,
};
enum
{
  TSR_VARIABLE_ID,
  TSR_VARIABLE_NAME,
  TSR_VARIABLE_SIZE,
  TSR_VARIABLE_ALWAYS_LIVE,
  TSR_VARIABLE_CATEGORY,
  TSR_VARIABLE_ELEMENT_TYPE,
  TSR_VARIABLE_SHAPE,
  TSR_VARIABLE_DEBUG_ID,
};
enum
{
  TSR_VARIABLE_IPU_VARIABLE,
  TSR_VARIABLE_IPU_IPU,
  TSR_VARIABLE_IPU_SIZE,
};
/* Lifetimes and class intervals: whose, from, to. */
enum
{
  TSR_INTERVAL_OF,
  TSR_INTERVAL_START,
  TSR_INTERVAL_END,
  TSR_INTERVAL_SIZE, /* lifetimes only */
};
enum
{
  TSR_STRING_ID,
  TSR_STRING_VALUE,
};
enum
{
  TSR_TILE_CYCLES_SET,
  TSR_TILE_CYCLES_IPU, /* TSR_UNKNOWN in a file of one IPU without such a column */
  TSR_TILE_CYCLES_START,
  TSR_TILE_CYCLES_CYCLES,
};
enum
{
  TSR_RUN_ID,
  TSR_RUN_NAME,
  TSR_RUN_FIRST_STEP,
  TSR_RUN_END_STEP,
  TSR_RUN_MICROSECONDS_START, /* tsr_profile_tables_get_real */
  TSR_RUN_MICROSECONDS_END,
};
enum
{
  TSR_RUN_CYCLES_RUN,
  TSR_RUN_CYCLES_IPU,
  TSR_RUN_CYCLES_CYCLES,
};
enum
{
  TSR_BLOCK_IPU,
  TSR_BLOCK_TILE,
  TSR_BLOCK_FROM,
  TSR_BLOCK_TO,
  TSR_BLOCK_ID,
  TSR_BLOCK_PROGRAM,
  TSR_BLOCK_NAME,
  TSR_BLOCK_RUN,
  TSR_BLOCK_IS_STREAM_COPY,
  TSR_BLOCK_IS_COMMON,
  TSR_BLOCK_IS_OVERFLOW,
  TSR_BLOCK_IS_FLUSH,
};
enum
{
  TSR_CYCLE_TOTAL_IPU,
  TSR_CYCLE_TOTAL_TOTAL,
};

#define TSR_TABLE_MAX_COLUMNS 16

typedef struct
{
  TsrTableKind kind;
  gsize n;
  TsrColumn row; /* rowid for diagnostics, or TSR_NO_ROW */
  /* TSR_UNKNOWN if unknown or out of range.  For text: an index into the string table. */
  TsrColumn columns[TSR_TABLE_MAX_COLUMNS];
  guint n_columns;
} TsrTableRows;

void tsr_table_rows_clear (TsrTableRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrTableRows, tsr_table_rows_clear)

const char *tsr_profile_tables_get_name (TsrTableKind kind);

/* A value of a column of real numbers, which stores their bits; NaN if unknown. */
static inline double
tsr_profile_tables_get_real (gint64 value)
{
  double real;

  memcpy (&real, &value, sizeof real);
  return real;
}

/* Reads all of table @kind; no rows if the table or its key columns are missing.  Texts go to
 * @strings.  FALSE and @error as for all readers of the profile. */
gboolean tsr_profile_read_table (TsrProfile *self,
                                 TsrTableKind kind,
                                 TsrStringTable *strings,
                                 TsrTableRows *rows,
                                 GError **error);

G_END_DECLS
