/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prints rows: one walk over rows and columns; how a cell and a row look is up to the format.  A
 * text is walked twice, first for the widths of its columns: no cell is kept. */

#include "config.h"

#include "tsr-rows-print.h"

#include <string.h>

#define CHUNK        4096 /* rows that are handed on at once */
#define MAX_INDENTED 60   /* levels; deeper rows of a text are not moved in further */
#define MAX_FILLED   240  /* places of a column of text; what is longer moves only its own row */

typedef struct
{
  TsrRows *rows;
  const TsrPrint *print;
  guint *columns; /* that are printed, in their order */
  guint n_columns;
  guint path_column; /* TSR_NO_INDEX */
  int *widths;       /* of a text */
  char **fields;     /* of a row of CSV */
  GString *out;
} Printing;

typedef struct
{
  void (*begin_row) (Printing *p, guint32 row);
  void (*cell) (Printing *p, guint32 row, guint place, const TsrRowColumn *column);
  void (*end_row) (Printing *p, guint32 row);
} Emitter;

/* Text */

/* Format characters turn the direction of what follows. */
static gboolean
is_printable (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);

  return type != G_UNICODE_CONTROL && type != G_UNICODE_FORMAT && type != G_UNICODE_LINE_SEPARATOR
         && type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* By stretches, as a name may have megabytes: nearly all of them are ASCII. */
char *
tsr_print_dup_clean (const char *text)
{
  char *valid, *to;

  g_return_val_if_fail (text != NULL, NULL);
  to = valid = g_utf8_make_valid (text, -1);
  for (const char *p = valid; *p != '\0';)
    {
      gsize length = 0;

      while (p[length] >= ' ' && p[length] <= '~')
        length++;
      memmove (to, p, length);
      to += length;
      p += length;
      if (*p == '\0')
        break;
      length = (gsize)(g_utf8_next_char (p) - p);
      if (is_printable (g_utf8_get_char (p)))
        {
          memmove (to, p, length);
          to += length;
        }
      else
        *to++ = ' ';
      p += length;
    }
  *to = '\0';
  return valid;
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

static char *
dup_people (Printing *p, guint32 row, guint column)
{
  g_autofree char *text = tsr_rows_dup_text (p->rows, row, column, p->print->units);
  g_autofree char *clean = tsr_print_dup_clean (text);
  int depth = column == 0 ? (int)MIN (tsr_rows_get_depth (p->rows, row), MAX_INDENTED) : 0;

  return g_strdup_printf ("%*s%s", depth * 2, "", clean);
}

static void
measure_cell (Printing *p, guint32 row, guint place, const TsrRowColumn *column)
{
  g_autofree char *text = dup_people (p, row, p->columns[place]);

  p->widths[place] = MAX (p->widths[place], MIN (text_width (text), MAX_FILLED));
}

/* The last column is not filled up. */
static void
append_text (Printing *p, const char *text, guint place, const TsrRowColumn *column)
{
  gboolean right = column->cell == TSR_CELL_KIND_VALUE || column->json;
  gboolean last = place + 1 == p->n_columns;
  int space = last && !right ? 0 : MAX (p->widths[place] - text_width (text), 0);

  g_string_append_printf (p->out, "%*s%s%*s%s", right ? space : 0, "", text, right ? 0 : space, "",
                          last ? "\n" : "  ");
}

static void
print_text_cell (Printing *p, guint32 row, guint place, const TsrRowColumn *column)
{
  g_autofree char *text = dup_people (p, row, p->columns[place]);

  append_text (p, text, place, column);
}

/* CSV and JSON */

/* (transfer full) (nullable): a cell, exact, NULL where nothing is known. */
static char *
dup_exact (TsrRows *rows, guint32 row, guint column)
{
  const TsrRowColumn *info = tsr_rows_get_column (rows, column);
  gint64 value;

  if (info->cell == TSR_CELL_KIND_TEXT)
    return g_strdup (tsr_rows_get_text (rows, row, column));
  value = tsr_rows_get_value (rows, row, column);
  if (value == TSR_UNKNOWN)
    return NULL;
  return info->kind == TSR_VALUE_FRACTION ? tsr_number_dup_plain ((double)value / 1e9)
                                          : g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

/* "Memory excluding gaps / By data type / Variables": a name alone stands twice in a tree. */
static char *
dup_path (TsrRows *rows, guint32 row, guint column)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GString *path = g_string_new (NULL);

  for (; row != TSR_NO_INDEX && names->len < TSR_CSV_LEVELS; row = tsr_rows_get_parent (rows, row))
    {
      const char *name = tsr_rows_get_text (rows, row, column);

      g_ptr_array_add (names, (char *)(name != NULL ? name : ""));
    }
  if (row != TSR_NO_INDEX)
    g_string_append (path, "… / ");
  for (guint i = names->len; i-- > 0;)
    g_string_append_printf (path, "%s%s", (const char *)names->pdata[i], i > 0 ? " / " : "");
  return g_string_free (path, FALSE);
}

/* "[3, 7]" as "3 7". */
static void
unlist (char *text)
{
  char *to = text;

  for (const char *p = text; *p != '\0'; p++)
    if (strchr ("[],", *p) == NULL)
      *to++ = *p;
  *to = '\0';
}

static void
print_csv_cell (Printing *p, guint32 row, guint place, const TsrRowColumn *column)
{
  guint c = p->columns[place];

  p->fields[place] = c == p->path_column ? dup_path (p->rows, row, c) : dup_exact (p->rows, row, c);
  if (column->json && p->fields[place] != NULL)
    unlist (p->fields[place]);
}

static void
end_csv_row (Printing *p, guint32 row)
{
  if (!tsr_rows_is_heading (p->rows, row))
    tsr_csv_append_row (p->out, p->n_columns, (const char *const *)p->fields);
  for (guint i = 0; i < p->n_columns; i++)
    g_clear_pointer (&p->fields[i], g_free);
}

static void
begin_json_row (Printing *p, guint32 row)
{
  TsrJsonWriter *writer = p->print->writer;
  char *const *keys = p->print->keys;

  tsr_json_writer_begin_object (writer, NULL);
  if (keys == NULL)
    return;
  tsr_json_writer_string (writer, "key", keys[row]);
  if (tsr_rows_is_tree (p->rows))
    {
      guint32 parent = tsr_rows_get_parent (p->rows, row);

      tsr_json_writer_string (writer, "parent", parent != TSR_NO_INDEX ? keys[parent] : NULL);
    }
}

static void
print_json_cell (Printing *p, guint32 row, guint place, const TsrRowColumn *column)
{
  g_autofree char *text = dup_exact (p->rows, row, p->columns[place]);

  if (text != NULL && (column->json || column->cell == TSR_CELL_KIND_VALUE))
    tsr_json_writer_raw (p->print->writer, column->key, text);
  else
    tsr_json_writer_string (p->print->writer, column->key, text);
}

static void
end_json_row (Printing *p, guint32 row)
{
  if (p->print->write_members != NULL)
    p->print->write_members (p->print->data, row, p->print->writer);
  tsr_json_writer_end_object (p->print->writer);
}

/* The walk */

static const Emitter measure = { NULL, measure_cell, NULL };
static const Emitter emitters[] = {
  [TSR_FORMAT_TEXT] = { NULL, print_text_cell, NULL },
  [TSR_FORMAT_JSON] = { begin_json_row, print_json_cell, end_json_row },
  [TSR_FORMAT_CSV] = { NULL, print_csv_cell, end_csv_row },
};

static gboolean
hand_on (Printing *p, GCancellable *cancellable, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || (p->out->len > 0 && !p->print->write (p->print->data, p->out->str, p->out->len, error)))
    return FALSE;
  g_string_truncate (p->out, 0);
  return TRUE;
}

static gboolean
walk (Printing *p, const Emitter *emitter, GCancellable *cancellable, GError **error)
{
  const TsrRowOrder *order = p->print->order;
  guint32 n = order != NULL ? order->n : tsr_rows_get_n (p->rows);

  if (p->print->limit > 0)
    n = (guint32)MIN (p->print->limit, n);
  for (guint32 k = 0; k < n; k++)
    {
      guint32 row = order != NULL ? order->rows[k] : k;

      if (k % CHUNK == 0 && !hand_on (p, cancellable, error))
        return FALSE;
      if (emitter->begin_row != NULL)
        emitter->begin_row (p, row);
      for (guint i = 0; i < p->n_columns; i++)
        emitter->cell (p, row, i, tsr_rows_get_column (p->rows, p->columns[i]));
      if (emitter->end_row != NULL)
        emitter->end_row (p, row);
    }
  return hand_on (p, cancellable, error);
}

/* Of a text names, which are long, stand last. */
static void
choose_columns (Printing *p)
{
  guint n = tsr_rows_get_n_columns (p->rows);
  gboolean text = p->print->format == TSR_FORMAT_TEXT;
  guint first
      = text && n > 1 && g_strcmp0 (tsr_rows_get_column (p->rows, 0)->key, "name") == 0 ? 1 : 0;

  /* Names of programs are long and stand last, unless something longer does. */
  if (n > 1 && tsr_rows_get_column (p->rows, n - 1)->wide)
    first = 0;
  p->columns = g_new (guint, MAX (n, 1));
  p->path_column = TSR_NO_INDEX;
  for (guint i = 0; i < n; i++)
    {
      guint c = (i + first) % n;
      const TsrRowColumn *column = tsr_rows_get_column (p->rows, c);

      if (column->cell == TSR_CELL_KIND_TEXT && tsr_rows_is_tree (p->rows))
        p->path_column = MIN (p->path_column, c);
      if (text ? column->title != NULL && column->paint != TSR_CELL_PAINTED : column->key != NULL)
        p->columns[p->n_columns++] = c;
    }
}

static gboolean
print_head (Printing *p, GCancellable *cancellable, GError **error)
{
  gboolean text = p->print->format == TSR_FORMAT_TEXT;

  for (guint i = 0; i < p->n_columns; i++)
    {
      const TsrRowColumn *column = tsr_rows_get_column (p->rows, p->columns[i]);

      if (text)
        p->widths[i] = text_width (column->title);
      else
        p->fields[i] = g_strdup (column->key);
    }
  if (!text)
    {
      tsr_csv_append_row (p->out, p->n_columns, (const char *const *)p->fields);
      for (guint i = 0; i < p->n_columns; i++)
        g_clear_pointer (&p->fields[i], g_free);
      return TRUE;
    }
  if (!walk (p, &measure, cancellable, error))
    return FALSE;
  for (guint i = 0; i < p->n_columns; i++)
    {
      const TsrRowColumn *column = tsr_rows_get_column (p->rows, p->columns[i]);

      append_text (p, column->title, i, column);
    }
  return TRUE;
}

gboolean
tsr_rows_print (TsrRows *self, const TsrPrint *print, GCancellable *cancellable, GError **error)
{
  Printing p = { .rows = self, .print = print };
  gboolean json = print->format == TSR_FORMAT_JSON;
  gboolean done;

  g_return_val_if_fail (self != NULL && (json ? print->writer != NULL : print->write != NULL),
                        FALSE);
  choose_columns (&p);
  p.widths = g_new0 (int, p.n_columns);
  p.fields = g_new0 (char *, p.n_columns + 1);
  p.out = g_string_new (NULL);
  done = (json || print_head (&p, cancellable, error))
         && walk (&p, &emitters[print->format], cancellable, error);
  g_free (p.columns);
  g_free (p.widths);
  g_strfreev (p.fields);
  g_string_free (p.out, TRUE);
  return done;
}

static gboolean
append_to_string (gpointer data, const char *text, gsize length, GError **error)
{
  g_string_append_len (data, text, (gssize)length);
  return TRUE;
}

char *
tsr_rows_dup_csv (TsrRows *self, TsrRowOrder *order)
{
  GString *csv;

  g_return_val_if_fail (self != NULL, NULL);
  csv = g_string_new (NULL);
  tsr_rows_print (
      self, &(TsrPrint){ TSR_FORMAT_CSV, .order = order, .write = append_to_string, .data = csv },
      NULL, NULL);
  return g_string_free (csv, FALSE);
}
