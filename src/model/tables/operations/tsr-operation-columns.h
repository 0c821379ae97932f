/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The figures of operations as columns of tables, and how an operation is called in a table.  Any
 * thread. */

#pragma once

#include "tsr-operations.h"
#include "tsr-rows.h"

G_BEGIN_DECLS

/* What a column is about, for a list of columns. */
typedef enum
{
  TSR_OPERATION_HEADING_NAME,
  TSR_OPERATION_HEADING_MEMORY,
  TSR_OPERATION_HEADING_CYCLES,
  TSR_OPERATION_HEADING_COMPUTE,
} TsrOperationHeading;

typedef struct
{
  const char *key, *title, *definition; /* texts to be translated; the last (nullable) */
  TsrOperationHeading heading;
  TsrOperationFigure figure;
  TsrValueKind kind;
  gboolean summed; /* the figures of operations add up to the report's */
  gboolean mean;   /* over all tiles */
} TsrOperationColumn;

extern const TsrOperationColumn tsr_operation_columns[];
extern const guint tsr_operation_n_columns;

/* Of one operation, or of all (TSR_NO_INDEX): the report's. */
gint64 tsr_operation_column_get (const TsrOperationColumn *column,
                                 TsrOperations *operations,
                                 guint operation);
/* What the column shows of a value of its figure, such as a sum. */
gint64 tsr_operation_column_convert (const TsrOperationColumn *column,
                                     TsrOperations *operations,
                                     gint64 value);
/* Of any column of the list. */
TsrOperationHeading tsr_operation_columns_get_heading (const char *key);

/* How many rows the list has. */
guint tsr_operation_rows_get_n (TsrOperations *operations);
/* (transfer full): what the operation is called in a table: its API, else its context's name; NULL
 * of none.  Its records must have been read. */
char *tsr_operation_dup_name (TsrOperations *operations, guint operation);
/* (transfer full): the list's key of an operation: its context's id, or "none". */
char *tsr_operation_dup_key (TsrOperations *operations, guint operation);
/* The operation with @key, also by the id of a context below it; TSR_NO_INDEX without one. */
guint tsr_operation_find (TsrOperations *operations, const char *key);

G_END_DECLS
