/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows, columns, and one array of cells row by row.  A cell is a number or a fraction, as its
 * column says. */

#include "config.h"

#include "tsr-table-builder.h"

#include "tsr-json-writer.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef union
{
  gint64 value;
  double fraction;
} Cell;

struct _TsrTable
{
  gatomicrefcount refs;
  GArray *columns; /* TsrTableColumn */
  GArray *rows;    /* TsrTableRow */
  GArray *kinds;   /* int for each row: a TsrValueKind, or -1 for the columns' own */
  GArray *cells;   /* Cell, rows x columns */
};

struct _TsrTableBuilder
{
  TsrTable *table;
};

static void
column_clear (gpointer data)
{
  TsrTableColumn *column = data;

  g_free (column->title);
  g_free (column->definition);
}

static void
row_clear (gpointer data)
{
  TsrTableRow *row = data;

  g_free (row->label);
  g_free (row->definition);
}

TsrTable *
tsr_table_ref (TsrTable *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_table_unref (TsrTable *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_array_unref (self->columns);
  g_array_unref (self->rows);
  g_array_unref (self->kinds);
  g_array_unref (self->cells);
  g_free (self);
}

/* ---------------------------------------------------------------- builder */

TsrTableBuilder *
tsr_table_builder_new (void)
{
  TsrTableBuilder *self = g_new0 (TsrTableBuilder, 1);
  TsrTable *table = g_new0 (TsrTable, 1);

  g_atomic_ref_count_init (&table->refs);
  table->columns = g_array_new (FALSE, FALSE, sizeof (TsrTableColumn));
  g_array_set_clear_func (table->columns, column_clear);
  table->rows = g_array_new (FALSE, FALSE, sizeof (TsrTableRow));
  g_array_set_clear_func (table->rows, row_clear);
  table->kinds = g_array_new (FALSE, FALSE, sizeof (int));
  table->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  self->table = table;
  return self;
}

guint
tsr_table_builder_add_column (TsrTableBuilder *self,
                              TsrValueKind kind,
                              const char *title,
                              const char *definition)
{
  TsrTableColumn column = { g_strdup (title), g_strdup (definition), kind };

  g_assert (self->table->rows->len == 0);
  g_array_append_val (self->table->columns, column);
  return self->table->columns->len - 1;
}

int
tsr_table_builder_add_row (TsrTableBuilder *self,
                           int parent,
                           const char *key,
                           const char *label,
                           const char *definition,
                           gboolean heading)
{
  TsrTable *table = self->table;
  TsrTableRow row
      = { g_intern_string (key), g_strdup (label), g_strdup (definition), parent, 0, heading };
  int kind = -1;

  g_assert (parent >= -1 && parent < (int)table->rows->len);
  if (parent >= 0)
    g_array_index (table->rows, TsrTableRow, parent).n_children++;
  g_array_append_val (table->rows, row);
  g_array_append_val (table->kinds, kind);
  for (guint i = 0; i < table->columns->len; i++)
    {
      Cell cell = { .value = TSR_UNKNOWN };

      if (g_array_index (table->columns, TsrTableColumn, i).kind == TSR_VALUE_FRACTION)
        cell.fraction = NAN;
      g_array_append_val (table->cells, cell);
    }
  return table->rows->len - 1;
}

static Cell *
cell_at (const TsrTable *table, guint row, guint column)
{
  return &g_array_index (table->cells, Cell, (gsize)row * table->columns->len + column);
}

void
tsr_table_builder_set_row_kind (TsrTableBuilder *self, int row, TsrValueKind kind)
{
  g_assert (row >= 0 && row < (int)self->table->rows->len);
  g_array_index (self->table->kinds, int, row) = kind;
}

void
tsr_table_builder_set_value (TsrTableBuilder *self, int row, guint column, gint64 value)
{
  g_assert (row >= 0 && row < (int)self->table->rows->len && column < self->table->columns->len);
  cell_at (self->table, row, column)->value = value;
}

void
tsr_table_builder_set_fraction (TsrTableBuilder *self, int row, guint column, double value)
{
  g_assert (row >= 0 && row < (int)self->table->rows->len && column < self->table->columns->len);
  cell_at (self->table, row, column)->fraction = value;
}

TsrTable *
tsr_table_builder_end (TsrTableBuilder *self)
{
  TsrTable *table = self->table;

  g_free (self);
  return table;
}

/* ------------------------------------------------------------------ table */

guint
tsr_table_get_n_rows (TsrTable *self)
{
  return self->rows->len;
}

guint
tsr_table_get_n_columns (TsrTable *self)
{
  return self->columns->len;
}

const TsrTableRow *
tsr_table_get_row (TsrTable *self, guint row)
{
  g_return_val_if_fail (row < self->rows->len, NULL);
  return &g_array_index (self->rows, TsrTableRow, row);
}

const TsrTableColumn *
tsr_table_get_column (TsrTable *self, guint column)
{
  g_return_val_if_fail (column < self->columns->len, NULL);
  return &g_array_index (self->columns, TsrTableColumn, column);
}

/* The kind of one cell; FALSE when it has no value. */
static gboolean
get_kind (TsrTable *self, guint row, guint column, TsrValueKind *kind)
{
  int own = g_array_index (self->kinds, int, row);

  *kind = tsr_table_get_column (self, column)->kind;
  if (g_array_index (self->rows, TsrTableRow, row).heading)
    return FALSE;
  if (own < 0)
    return TRUE;
  if (*kind == TSR_VALUE_FRACTION || *kind == TSR_VALUE_BYTES_SIGNED)
    return FALSE;
  *kind = own;
  return TRUE;
}

gint64
tsr_table_get_value (TsrTable *self, guint row, guint column)
{
  TsrValueKind kind;

  g_return_val_if_fail (row < self->rows->len && column < self->columns->len, TSR_UNKNOWN);
  if (!get_kind (self, row, column, &kind) || kind == TSR_VALUE_FRACTION)
    return TSR_UNKNOWN;
  return cell_at (self, row, column)->value;
}

double
tsr_table_get_fraction (TsrTable *self, guint row, guint column)
{
  TsrValueKind kind;

  g_return_val_if_fail (row < self->rows->len && column < self->columns->len, NAN);
  if (!get_kind (self, row, column, &kind) || kind != TSR_VALUE_FRACTION)
    return NAN;
  return cell_at (self, row, column)->fraction;
}

static char *
dup_index (gint64 value)
{
  return value == TSR_UNKNOWN ? g_strdup ("–") : g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

char *
tsr_value_dup_text (TsrValueKind kind, gint64 value, double fraction, TsrUnits units)
{
  switch (kind)
    {
    case TSR_VALUE_BYTES_SIGNED:
      return tsr_units_dup_bytes_signed (units, value);
    case TSR_VALUE_COUNT:
      return tsr_units_dup_count (value);
    case TSR_VALUE_FRACTION:
      return tsr_units_dup_percent (fraction, 1);
    case TSR_VALUE_INDEX:
      return dup_index (value);
    case TSR_VALUE_GIGA:
      return tsr_units_dup_giga (value);
    case TSR_VALUE_BYTES:
    default:
      return tsr_units_dup_bytes (units, value);
    }
}

char *
tsr_value_dup_exact (TsrValueKind kind, gint64 value, double fraction)
{
  if (kind == TSR_VALUE_FRACTION)
    return tsr_units_dup_percent (fraction, 4);
  if (kind == TSR_VALUE_GIGA)
    return tsr_units_dup_count (value);
  return tsr_value_dup_text (kind, value, fraction, TSR_UNITS_BYTES);
}

char *
tsr_table_dup_text (TsrTable *self, guint row, guint column, TsrUnits units)
{
  TsrValueKind kind;
  const Cell *cell;

  g_return_val_if_fail (row < self->rows->len && column < self->columns->len, NULL);
  if (!get_kind (self, row, column, &kind))
    return g_strdup (g_array_index (self->rows, TsrTableRow, row).heading ? "" : "–");
  cell = cell_at (self, row, column);
  return kind == TSR_VALUE_FRACTION ? tsr_value_dup_text (kind, TSR_UNKNOWN, cell->fraction, units)
                                    : tsr_value_dup_text (kind, cell->value, NAN, units);
}

char *
tsr_table_dup_exact (TsrTable *self, guint row, guint column)
{
  TsrValueKind kind;

  g_return_val_if_fail (row < self->rows->len && column < self->columns->len, NULL);
  if (get_kind (self, row, column, &kind) && kind == TSR_VALUE_FRACTION)
    return tsr_value_dup_exact (kind, TSR_UNKNOWN, cell_at (self, row, column)->fraction);
  return tsr_table_dup_text (self, row, column, TSR_UNITS_BYTES);
}

/* ---------------------------------------------------------------- sorting */

typedef struct
{
  guint row;
  gboolean known;
  gint64 value;
  double fraction;
} SortKey;

static int
compare_known (const SortKey *x, const SortKey *y)
{
  return y->known - x->known; /* what is not known stands last, either way */
}

static int
compare_ascending (gconstpointer a, gconstpointer b)
{
  const SortKey *x = a;
  const SortKey *y = b;

  if (compare_known (x, y) != 0)
    return compare_known (x, y);
  if (x->known && x->value != y->value)
    return x->value < y->value ? -1 : 1;
  if (x->known && x->fraction != y->fraction)
    return x->fraction < y->fraction ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static int
compare_descending (gconstpointer a, gconstpointer b)
{
  const SortKey *x = a;
  const SortKey *y = b;

  if (compare_known (x, y) != 0)
    return compare_known (x, y);
  if (x->known && x->value != y->value)
    return x->value > y->value ? -1 : 1;
  if (x->known && x->fraction != y->fraction)
    return x->fraction > y->fraction ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

GArray *
tsr_table_dup_sorted (TsrTable *self, int parent, int column, gboolean descending)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (SortKey));
  GArray *result = g_array_new (FALSE, FALSE, sizeof (guint));

  g_return_val_if_fail (column < (int)self->columns->len, result);
  for (guint row = MAX (parent, -1) + 1; row < self->rows->len; row++)
    {
      SortKey key = { .row = row };

      if (g_array_index (self->rows, TsrTableRow, row).parent != parent)
        continue;
      if (column >= 0)
        {
          double fraction = tsr_table_get_fraction (self, row, column);

          key.value = tsr_table_get_value (self, row, column);
          key.known = key.value != TSR_UNKNOWN || !isnan (fraction);
          key.fraction = isnan (fraction) ? 0 : fraction;
        }
      g_array_append_val (keys, key);
    }
  if (column >= 0)
    g_array_sort (keys, descending ? compare_descending : compare_ascending);
  for (guint i = 0; i < keys->len; i++)
    g_array_append_val (result, g_array_index (keys, SortKey, i).row);
  return result;
}

/* -------------------------------------------------------------------- CSV */

/* "Memory excluding gaps / By data type / Variables": a label alone stands twice in a tree. */
static char *
dup_path (TsrTable *self, guint row)
{
  const TsrTableRow *info = tsr_table_get_row (self, row);
  g_autofree char *above = NULL;

  if (info->parent < 0)
    return g_strdup (info->label);
  above = dup_path (self, info->parent);
  return g_strconcat (above, " / ", info->label, NULL);
}

static char *
dup_csv_value (TsrTable *self, guint row, guint column)
{
  double fraction = tsr_table_get_fraction (self, row, column);
  gint64 value = tsr_table_get_value (self, row, column);

  if (!isnan (fraction))
    return tsr_number_dup_plain (fraction);
  return value != TSR_UNKNOWN ? g_strdup_printf ("%" G_GINT64_FORMAT, value) : g_strdup ("");
}

static char *
dup_csv_title (const TsrTableColumn *column)
{
  if (column->kind == TSR_VALUE_BYTES || column->kind == TSR_VALUE_BYTES_SIGNED)
    return g_strdup_printf (_ ("%s (bytes)"), column->title);
  return g_strdup (column->title);
}

char *
tsr_table_dup_csv (TsrTable *self)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (fields, g_strdup (_ ("Name")));
  for (guint i = 0; i < self->columns->len; i++)
    g_ptr_array_add (fields, dup_csv_title (tsr_table_get_column (self, i)));
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  for (guint row = 0; row < self->rows->len; row++)
    {
      if (g_array_index (self->rows, TsrTableRow, row).heading)
        continue;
      g_ptr_array_set_size (fields, 0);
      g_ptr_array_add (fields, dup_path (self, row));
      for (guint i = 0; i < self->columns->len; i++)
        g_ptr_array_add (fields, dup_csv_value (self, row, i));
      tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
    }
  return g_string_free (out, FALSE);
}
