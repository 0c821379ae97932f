/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables: for text, all cells are kept until the widths are known; in CSV each row is written as
 * soon as it is complete. */

#include "config.h"

#include "tsr-cli.h"

#include <math.h>
#include <stdio.h>

typedef struct
{
  char *title, *key;
  gboolean right;
  int width;
} Column;

struct _TsrCliTable
{
  TsrCli *cli;
  GPtrArray *columns; /* Column */
  GPtrArray *cells;   /* char *: of the row that is being made; for people of all rows */
  gboolean begun;     /* CSV: the line of keys was written */
};

static void
column_free (gpointer data)
{
  Column *column = data;

  g_free (column->title);
  g_free (column->key);
  g_free (column);
}

TsrCliTable *
tsr_cli_table_new (TsrCli *cli)
{
  TsrCliTable *self = g_new0 (TsrCliTable, 1);

  self->cli = cli;
  self->columns = g_ptr_array_new_with_free_func (column_free);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
tsr_cli_table_free (TsrCliTable *self)
{
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

/* Places on a terminal: wide characters take two, combining ones none. */
static int
text_width (const char *text)
{
  int width = 0;

  for (const char *p = text; *p != '\0';)
    {
      gsize length = 0;
      gunichar c;

      while (p[length] >= ' ' && p[length] <= '~')
        length++;
      width += (int)MIN (length, G_MAXINT / 4);
      p += length;
      if (*p == '\0')
        break;
      c = g_utf8_get_char (p);
      width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
      p = g_utf8_next_char (p);
    }
  return width;
}

void
tsr_cli_table_add_column (TsrCliTable *self, const char *title, const char *key, gboolean right)
{
  Column *column = g_new0 (Column, 1);

  column->title = g_strdup (title);
  column->key = g_strdup (key);
  column->right = right;
  column->width = text_width (title);
  g_ptr_array_add (self->columns, column);
}

static void
write_csv (TsrCliTable *self, GPtrArray *fields)
{
  g_autoptr (GString) line = g_string_new (NULL);

  tsr_csv_append_row (line, fields->len, (const char *const *)fields->pdata);
  fwrite (line->str, 1, line->len, stdout);
}

static void
begin_csv (TsrCliTable *self)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();

  if (self->begun)
    return;
  self->begun = TRUE;
  for (guint i = 0; i < self->columns->len; i++)
    g_ptr_array_add (keys, ((Column *)g_ptr_array_index (self->columns, i))->key);
  write_csv (self, keys);
}

static void
add_cell (TsrCliTable *self, char *people, char *plain)
{
  Column *column;

  if (self->cli->format == TSR_FORMAT_CSV)
    {
      g_free (people);
      begin_csv (self);
      g_ptr_array_add (self->cells, plain);
      if (self->cells->len < self->columns->len)
        return;
      write_csv (self, self->cells);
      g_ptr_array_set_size (self->cells, 0);
      return;
    }
  g_free (plain);
  column = g_ptr_array_index (self->columns, self->cells->len % self->columns->len);
  if (self->cells->len % self->columns->len + 1 < self->columns->len || column->right)
    column->width = MAX (column->width, text_width (people)); /* the last one is not filled up */
  g_ptr_array_add (self->cells, people);
}

static char *
dup_plain (gint64 value)
{
  return value == TSR_UNKNOWN ? NULL : g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

void
tsr_cli_table_bytes (TsrCliTable *self, gint64 bytes)
{
  add_cell (self, tsr_units_dup_bytes (self->cli->units, bytes), dup_plain (bytes));
}

void
tsr_cli_table_count (TsrCliTable *self, gint64 count)
{
  add_cell (self, tsr_units_dup_count (count), dup_plain (count));
}

void
tsr_cli_table_index (TsrCliTable *self, gint64 number)
{
  add_cell (self, number == TSR_UNKNOWN ? g_strdup ("–") : dup_plain (number), dup_plain (number));
}

void
tsr_cli_table_text (TsrCliTable *self, const char *text)
{
  if (self->cli->format == TSR_FORMAT_CSV)
    add_cell (self, NULL, g_strdup (text));
  else
    add_cell (self, tsr_cli_dup_printable (text != NULL ? text : "–"), NULL);
}

void
tsr_cli_table_number (TsrCliTable *self, double number)
{
  gboolean known = isfinite (number);

  add_cell (self, known ? tsr_number_dup_plain (number) : g_strdup ("–"),
            known ? tsr_number_dup_plain (number) : NULL);
}

static void
print_cell (const Column *column, const char *text, gboolean last)
{
  int space = last && !column->right ? 0 : MAX (column->width - text_width (text), 0);

  if (column->right)
    printf ("%*s%s", space, "", text);
  else
    {
      fputs (text, stdout);
      printf ("%*s", space, "");
    }
  fputs (last ? "\n" : "  ", stdout);
}

void
tsr_cli_table_finish (TsrCliTable *self)
{
  guint n = self->columns->len;

  if (self->cli->format == TSR_FORMAT_CSV)
    {
      begin_csv (self);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      const Column *column = g_ptr_array_index (self->columns, i);

      print_cell (column, column->title, i + 1 == n);
    }
  for (guint i = 0; i + n <= self->cells->len; i += n)
    for (guint c = 0; c < n; c++)
      print_cell (g_ptr_array_index (self->columns, c), g_ptr_array_index (self->cells, i + c),
                  c + 1 == n);
}
