/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table or tree of numbers without a toolkit: rows in depth-first order, columns of values.  What
 * lists/ shows, what is copied and exported.  Immutable; main thread or worker. */

#pragma once

#include "tsr-memory.h"
#include "tsr-units.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_VALUE_BYTES,
  TSR_VALUE_BYTES_SIGNED, /* a difference */
  TSR_VALUE_COUNT,
  TSR_VALUE_FRACTION, /* shown as percent */
  TSR_VALUE_INDEX,    /* a tile or step number */
  TSR_VALUE_GIGA,     /* bytes or operations a second, shown in units of 10^9 */
} TsrValueKind;

/* (transfer full): one number as it is shown; of a fraction (0..1) only @fraction counts.  What is
 * unknown is a dash. */
char *tsr_value_dup_text (TsrValueKind kind, gint64 value, double fraction, TsrUnits units);
/* (transfer full): the same with all its digits, for tooltips. */
char *tsr_value_dup_exact (TsrValueKind kind, gint64 value, double fraction);

typedef struct
{
  char *title;      /* translated, with the unit where it is not in the cells */
  char *definition; /* (nullable) translated: what it means, formula; tooltip of the heading */
  TsrValueKind kind;
} TsrTableColumn;

typedef struct
{
  const char *key;  /* stable word: remembers what is expanded */
  char *label;      /* translated */
  char *definition; /* (nullable) */
  int parent;       /* row index, -1 at the top */
  guint n_children;
  gboolean heading; /* a group without numbers of its own */
} TsrTableRow;

typedef struct _TsrTable TsrTable;

TsrTable *tsr_table_ref (TsrTable *self);
void tsr_table_unref (TsrTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTable, tsr_table_unref)

guint tsr_table_get_n_rows (TsrTable *self);
guint tsr_table_get_n_columns (TsrTable *self); /* of numbers: the label is not counted */
const TsrTableRow *tsr_table_get_row (TsrTable *self, guint row);
const TsrTableColumn *tsr_table_get_column (TsrTable *self, guint column);

/* Value as a number (bytes, count ...); TSR_UNKNOWN.  Fractions are in _get_fraction. */
gint64 tsr_table_get_value (TsrTable *self, guint row, guint column);
double tsr_table_get_fraction (TsrTable *self, guint row, guint column);
/* (transfer full): as shown; exact, for tooltips; plain digits, for CSV. */
char *tsr_table_dup_text (TsrTable *self, guint row, guint column, TsrUnits units);
char *tsr_table_dup_exact (TsrTable *self, guint row, guint column);
char *tsr_table_dup_csv (TsrTable *self);
/* (transfer full): children of @parent (-1: top rows) ordered by @column (-1: as they are), as row
 * indexes. */
GArray *tsr_table_dup_sorted (TsrTable *self, int parent, int column, gboolean descending);

/* The Details tree of the Memory page.  Columns: all tiles; up to TSR_DETAILS_MAX_TILES one column
 * each (with "difference from the median tile" when it is one); beyond: sum, mean, min, max,
 * fullest tile of the selection. */
#define TSR_DETAILS_MAX_TILES 6
TsrTable *tsr_memory_details_new (TsrMemory *memory, const guint *tiles, guint n_tiles);
/* (transfer full): one CSV with a column for every selected tile, however many. */
char *tsr_memory_details_dup_csv (TsrMemory *memory, const guint *tiles, guint n_tiles);

G_END_DECLS
