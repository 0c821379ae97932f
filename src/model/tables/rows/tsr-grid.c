/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Collects columns and turns them into TsrRows. */

#include "config.h"

#include "tsr-grid.h"

typedef struct
{
  gint64 *values;     /* or */
  const char **texts; /* n_rows */
  TsrValueKind kind;
} Cells;

typedef struct
{
  gpointer data;
  GDestroyNotify free_data;
} Kept;

struct _TsrGrid
{
  guint32 n_rows;
  GPtrArray *columns; /* TsrRowColumn */
  GArray *cells;      /* Cells, by column */
  GArray *kept;       /* Kept */
  GStringChunk *strings;
  const char **keys;   /* (nullable) by row */
  TsrValueKind *kinds; /* likewise */
};

TsrGrid *
tsr_grid_new (guint32 n_rows)
{
  TsrGrid *self = g_new0 (TsrGrid, 1);

  self->n_rows = n_rows;
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  self->cells = g_array_new (FALSE, TRUE, sizeof (Cells));
  self->kept = g_array_new (FALSE, TRUE, sizeof (Kept));
  self->strings = g_string_chunk_new (4096);
  return self;
}

void
tsr_grid_free (TsrGrid *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->cells->len; i++)
    {
      Cells *cells = &g_array_index (self->cells, Cells, i);

      g_free (cells->values);
      g_free (cells->texts);
    }
  for (guint i = 0; i < self->kept->len; i++)
    {
      Kept *kept = &g_array_index (self->kept, Kept, i);

      kept->free_data (kept->data);
    }
  g_array_unref (self->cells);
  g_array_unref (self->kept);
  g_clear_pointer (&self->columns, g_ptr_array_unref);
  g_string_chunk_free (self->strings);
  g_free (self->keys);
  g_free (self->kinds);
  g_free (self);
}

TsrRowColumn *
tsr_grid_column (const char *key, const char *title, const char *definition, TsrValueKind kind)
{
  TsrRowColumn *column;

  g_return_val_if_fail (key != NULL, NULL);
  column = tsr_row_column_new (key, title, TSR_CELL_KIND_VALUE, kind);
  column->definition = g_strdup (definition);
  return column;
}

TsrRowColumn *
tsr_grid_text_column (const char *key, const char *title, const char *definition)
{
  TsrRowColumn *column = tsr_row_column_new (key, title, TSR_CELL_KIND_TEXT, TSR_VALUE_COUNT);

  column->definition = g_strdup (definition);
  column->filtered = TRUE;
  return column;
}

gint64 *
tsr_grid_add_values (TsrGrid *self, TsrRowColumn *column)
{
  Cells cells = { 0 };

  g_return_val_if_fail (self != NULL && column != NULL, NULL);
  cells.values = g_new (gint64, MAX (self->n_rows, 1));
  cells.kind = column->kind;
  for (guint32 i = 0; i < self->n_rows; i++)
    cells.values[i] = TSR_UNKNOWN;
  g_ptr_array_add (self->columns, column);
  g_array_append_val (self->cells, cells);
  return cells.values;
}

const char **
tsr_grid_add_texts (TsrGrid *self, TsrRowColumn *column)
{
  Cells cells = { .texts = g_new0 (const char *, MAX (self->n_rows, 1)) };

  g_ptr_array_add (self->columns, column);
  g_array_append_val (self->cells, cells);
  return cells.texts;
}

const char **
tsr_grid_add_keys (TsrGrid *self)
{
  return self->keys = g_new0 (const char *, MAX (self->n_rows, 1));
}

TsrValueKind *
tsr_grid_add_row_kinds (TsrGrid *self)
{
  return self->kinds = g_new0 (TsrValueKind, MAX (self->n_rows, 1));
}

const char *
tsr_grid_intern (TsrGrid *self, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (self->strings, text) : NULL;
}

void
tsr_grid_keep (TsrGrid *self, gpointer data, GDestroyNotify free_data)
{
  Kept kept = { data, free_data };

  g_array_append_val (self->kept, kept);
}

static const char *
get_text (gpointer data, guint32 row, guint column)
{
  TsrGrid *self = data;
  const Cells *cells = &g_array_index (self->cells, Cells, column);

  return cells->texts != NULL ? cells->texts[row] : NULL;
}

static gint64
get_value (gpointer data, guint32 row, guint column)
{
  TsrGrid *self = data;
  const Cells *cells = &g_array_index (self->cells, Cells, column);

  return cells->values != NULL ? cells->values[row] : TSR_UNKNOWN;
}

static char *
dup_key (gpointer data, guint32 row)
{
  return g_strdup (((TsrGrid *)data)->keys[row]);
}

static TsrValueKind
get_kind (gpointer data, guint32 row, guint column)
{
  TsrGrid *self = data;

  const Cells *cells = &g_array_index (self->cells, Cells, column);

  return cells->kind == TSR_VALUE_FRACTION ? TSR_VALUE_FRACTION : self->kinds[row];
}

TsrRows *
tsr_grid_to_rows (TsrGrid *self)
{
  static const TsrRowSource source = { get_text, get_value };
  TsrRowTraits traits = { 0 };
  TsrRows *rows;

  g_return_val_if_fail (self != NULL, NULL);
  traits.dup_key = self->keys != NULL ? dup_key : NULL;
  traits.kind = self->kinds != NULL ? get_kind : NULL;
  rows = tsr_rows_new (self->n_rows, g_steal_pointer (&self->columns), &source, self,
                       (GDestroyNotify)tsr_grid_free);
  if (self->keys != NULL || self->kinds != NULL)
    tsr_rows_set_traits (rows, &traits);
  return rows;
}
