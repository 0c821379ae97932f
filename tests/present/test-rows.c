/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of a flat table: every order against a naive sort, every filter against strstr over folded
 * texts, totals, cells and CSV. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-grid.h"
#include "tsr-operation-columns.h"
#include "tsr-records.h"
#include "tsr-rows-print.h"
#include "tsr-tables.h"

#include <math.h>
#include <string.h>

enum
{
  NAME,
  PLACE,
  BYTES,
  SHARE,
  STEP,
  N_COLUMNS
};

typedef struct
{
  guint32 n;
  const char **names;
  const char **places;
  gint64 *values[N_COLUMNS];
} Data;

static const char *
data_text (gpointer data, guint32 row, guint column)
{
  Data *self = data;

  g_assert_true (column == NAME || column == PLACE);
  return column == NAME ? self->names[row] : self->places[row];
}

static gint64
data_value (gpointer data, guint32 row, guint column)
{
  Data *self = data;

  g_assert_true (column == BYTES || column == SHARE || column == STEP);
  return self->values[column][row];
}

static void
data_free (gpointer data)
{
  Data *self = data;

  g_free (self->names);
  g_free (self->places);
  for (guint i = 0; i < N_COLUMNS; i++)
    g_free (self->values[i]);
  g_free (self);
}

static const TsrRowSource source = { data_text, data_value };

static TsrRows *
make_rows (Data *data)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  static const struct
  {
    const char *key;
    TsrCellKind cell;
    TsrValueKind kind;
  } infos[] = { { "name", TSR_CELL_KIND_TEXT, 0 },
                { "place", TSR_CELL_KIND_TEXT, 0 },
                { "bytes", TSR_CELL_KIND_VALUE, TSR_VALUE_BYTES },
                { "share", TSR_CELL_KIND_VALUE, TSR_VALUE_FRACTION },
                { "step", TSR_CELL_KIND_VALUE, TSR_VALUE_INDEX } };

  for (guint i = 0; i < N_COLUMNS; i++)
    {
      TsrRowColumn *column
          = tsr_row_column_new (infos[i].key, infos[i].key, infos[i].cell, infos[i].kind);

      column->filtered = i == NAME || i == PLACE;
      g_ptr_array_add (columns, column);
    }
  return tsr_rows_new (data->n, columns, &source, data, data_free);
}

static Data *
data_new (guint32 n)
{
  Data *data = g_new0 (Data, 1);

  data->n = n;
  data->names = g_new0 (const char *, n);
  data->places = g_new0 (const char *, n);
  for (guint i = 0; i < N_COLUMNS; i++)
    data->values[i] = g_new0 (gint64, n);
  return data;
}

/* Names with few letters, so that there are ties, prefixes of one another and long common
 * beginnings; capitals and letters outside ASCII; now and then none. */
static char *
random_name (void)
{
  static const char *const parts[]
      = { "a",      "B",      "b",  "A",           "ab", "weights", "/", "Größe", "ſ", "STRASSE",
          "straße", "\u212a", "-x", "/layer/one/", "k",  " ",       "é", "É",     "0", "10" };
  GString *name = g_string_new (g_test_rand_int_range (0, 4) == 0 ? "graph/block/conv/" : "");
  int n = g_test_rand_int_range (0, 5);

  for (int i = 0; i < n; i++)
    g_string_append (name, parts[g_test_rand_int_range (0, G_N_ELEMENTS (parts))]);
  return g_string_free (name, FALSE);
}

static gint64
random_value (void)
{
  switch (g_test_rand_int_range (0, 8))
    {
    case 0:
      return TSR_UNKNOWN;
    case 1:
      return G_MAXINT64 - g_test_rand_int_range (0, 2);
    case 2:
      return TSR_UNKNOWN + g_test_rand_int_range (1, 3);
    case 3:
      return -g_test_rand_int_range (0, 5);
    case 4:
      return (gint64)g_test_rand_int () * 1048576;
    default:
      return g_test_rand_int_range (0, 50);
    }
}

static TsrRows *
random_rows (guint32 n, Data **where, GStringChunk *texts)
{
  Data *data = data_new (n);

  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *name = random_name ();
      g_autofree char *place = random_name ();

      if (g_test_rand_int_range (0, 12) > 0)
        data->names[i] = g_test_rand_bit () ? g_string_chunk_insert_const (texts, name)
                                            : g_string_chunk_insert (texts, name);
      if (g_test_rand_int_range (0, 3) > 0)
        data->places[i] = g_string_chunk_insert_const (texts, place);
      for (guint c = BYTES; c < N_COLUMNS; c++)
        data->values[c][i] = random_value ();
    }
  *where = data;
  return make_rows (data);
}

/* The naive answers */

static TsrRows *sorted_rows;
static guint sorted_column;
static gboolean sorted_descending;

static int
compare_naively (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
  int order = 0;

  if (sorted_column == NAME || sorted_column == PLACE)
    {
      const char *s = tsr_rows_get_text (sorted_rows, x, sorted_column);
      const char *t = tsr_rows_get_text (sorted_rows, y, sorted_column);
      g_autofree char *u = s != NULL ? g_utf8_casefold (s, -1) : NULL;
      g_autofree char *v = t != NULL ? g_utf8_casefold (t, -1) : NULL;

      if ((u == NULL) != (v == NULL))
        return u == NULL ? 1 : -1;
      order = u != NULL ? strcmp (u, v) : 0;
    }
  else
    {
      gint64 s = tsr_rows_get_value (sorted_rows, x, sorted_column);
      gint64 t = tsr_rows_get_value (sorted_rows, y, sorted_column);

      if ((s == TSR_UNKNOWN) != (t == TSR_UNKNOWN))
        return s == TSR_UNKNOWN ? 1 : -1;
      order = (s > t) - (s < t);
    }
  if (sorted_descending)
    order = -order;
  return order != 0 ? order : (x > y) - (x < y);
}

static gboolean
contains (const char *text, const char *word)
{
  g_autofree char *x = g_utf8_casefold (text, -1);
  g_autofree char *y = g_utf8_casefold (word, -1);

  return text != NULL && strstr (x, y) != NULL;
}

static void
check_order (TsrRows *rows, Data *data, int column, gboolean descending, const char *word)
{
  g_autofree char *quoted = g_strconcat ("\"", word, "\"", NULL);
  g_autoptr (TsrFilter) filter = word != NULL ? tsr_filter_new (quoted, NULL) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrRowOrder) order = tsr_rows_arrange (rows, column, descending, filter, NULL, &error);
  g_autofree guint32 *expected = g_new (guint32, data->n + 1);
  gboolean known = TRUE;
  __int128 total = 0;
  guint32 n = 0;

  g_assert_no_error (error);
  for (guint32 i = 0; i < data->n; i++)
    if (word == NULL || (data->names[i] != NULL && contains (data->names[i], word))
        || (data->places[i] != NULL && contains (data->places[i], word)))
      expected[n++] = i;
  sorted_rows = rows;
  sorted_column = MAX (column, 0);
  sorted_descending = descending;
  if (column >= 0 && n > 0)
    qsort (expected, n, sizeof *expected, compare_naively);
  g_assert_cmpuint (order->n, ==, n);
  for (guint32 i = 0; i < n; i++)
    g_assert_cmpuint (order->rows[i], ==, expected[i]);
  for (guint32 i = 0; i < n && known; i++)
    {
      gint64 value = data->values[BYTES][expected[i]];

      known = value != TSR_UNKNOWN;
      total += value;
    }
  known = known && total == (gint64)total;
  g_assert_cmpint (order->totals[BYTES], ==, known ? (gint64)total : TSR_UNKNOWN);
  g_assert_cmpint (order->totals[NAME], ==, TSR_UNKNOWN);
  g_assert_cmpint (order->totals[SHARE], ==, TSR_UNKNOWN);
  g_assert_cmpint (order->totals[STEP], ==, TSR_UNKNOWN);
}

static void
test_order (void)
{
  static const guint32 sizes[] = { 0, 1, 2, 3, 17, 400, 3000 };
  static const char *const words[] = { NULL, "a", "weights", "größe", "strasse", "/", "no such" };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autoptr (GStringChunk) texts = g_string_chunk_new (1024);
      Data *data;
      g_autoptr (TsrRows) rows = random_rows (sizes[s], &data, texts);

      for (int column = -1; column < N_COLUMNS; column++)
        for (guint way = 0; way < 2; way++)
          for (guint w = 0; w < G_N_ELEMENTS (words); w++)
            check_order (rows, data, column, way == 1, words[w]);
    }
}

/* One row stands first in every order, whatever it has in the column; all others as without it. */
static void
test_rest (void)
{
  g_autoptr (GStringChunk) texts = g_string_chunk_new (1024);
  const guint32 n = 300, rest = 17;
  Data *data;
  g_autoptr (TsrRows) rows = random_rows (n, &data, texts);
  TsrRowOrder *before[N_COLUMNS][2] = { 0 };

  for (int column = 0; column < N_COLUMNS; column++)
    for (guint way = 0; way < 2; way++)
      before[column][way] = tsr_rows_arrange (rows, column, way == 1, NULL, NULL, NULL);
  tsr_rows_set_rest (rows, rest);
  for (int column = 0; column < N_COLUMNS; column++)
    for (guint way = 0; way < 2; way++)
      {
        g_autoptr (TsrRowOrder) order = tsr_rows_arrange (rows, column, way == 1, NULL, NULL, NULL);
        guint32 place = 1;

        g_assert_cmpuint (order->n, ==, n);
        g_assert_cmpuint (order->rows[0], ==, rest);
        for (guint32 k = 0; k < n; k++)
          if (before[column][way]->rows[k] != rest)
            g_assert_cmpuint (order->rows[place++], ==, before[column][way]->rows[k]);
        g_assert_cmpint (order->totals[BYTES], ==, before[column][way]->totals[BYTES]);
        tsr_row_order_unref (g_steal_pointer (&before[column][way]));
      }
}

/* Long texts that differ late, and the same one twice. */
static gboolean
collect (gpointer data, const char *text, gsize length, GError **error)
{
  g_string_append_len (data, text, (gssize)length);
  return TRUE;
}

/* Of a text in columns: one name of megabytes is whole in its own row, and moves no other one. */
static void
test_wide_text (void)
{
  Data *data = data_new (100);
  g_autoptr (TsrRows) rows = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *huge = g_strnfill (10 << 20, 'x');
  const TsrPrint print
      = { .format = TSR_FORMAT_TEXT, .units = TSR_UNITS_SI, .write = collect, .data = out };
  g_auto (GStrv) lines = NULL;

  for (guint i = 0; i < 100; i++)
    data->names[i] = i == 40 ? huge : "short";
  rows = make_rows (data);
  g_assert_true (tsr_rows_print (rows, &print, NULL, &error));
  g_assert_no_error (error);
  lines = g_strsplit (out->str, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 102);
  for (guint i = 1; i <= 100; i++)
    if (i != 41)
      g_assert_cmpuint (strlen (lines[i]), <, 1000);
  g_assert_nonnull (strstr (lines[41], huge));
}

static void
test_long_texts (void)
{
  enum
  {
    N = 60,
    LENGTH = 5000
  };
  Data *data = data_new (N);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (TsrRows) rows = NULL;

  for (guint i = 0; i < N; i++)
    {
      char *text = g_strnfill (LENGTH + i / 2, 'x');

      text[LENGTH - 1 - g_test_rand_int_range (0, 20)] = g_test_rand_bit () ? 'Y' : 'w';
      g_ptr_array_add (texts, text);
      data->names[i] = text;
    }
  rows = make_rows (data);
  check_order (rows, data, NAME, FALSE, NULL);
  check_order (rows, data, NAME, TRUE, NULL);
  check_order (rows, data, NAME, TRUE, "wxxxxxxx");
}

static void
test_totals (void)
{
  Data *data = data_new (3);
  g_autoptr (TsrRows) rows = make_rows (data);
  g_autoptr (TsrFilter) filter = tsr_filter_new ("a", NULL);
  g_autoptr (TsrRowOrder) all = NULL;
  g_autoptr (TsrRowOrder) some = NULL;
  g_autoptr (TsrRowOrder) beyond = NULL;

  data->names[0] = "a";
  data->names[1] = "b";
  data->names[2] = "aa";
  data->values[BYTES][0] = 5;
  data->values[BYTES][1] = TSR_UNKNOWN;
  data->values[BYTES][2] = 37;
  all = tsr_rows_arrange (rows, -1, FALSE, NULL, NULL, NULL);
  g_assert_cmpint (all->totals[BYTES], ==, TSR_UNKNOWN); /* one is not known */
  some = tsr_rows_arrange (rows, -1, FALSE, filter, NULL, NULL);
  g_assert_cmpint (some->totals[BYTES], ==, 42);
  data->values[BYTES][2] = G_MAXINT64;
  beyond = tsr_rows_arrange (rows, -1, FALSE, filter, NULL, NULL);
  g_assert_cmpint (beyond->totals[BYTES], ==, TSR_UNKNOWN);
}

/* What does not add up has a whole, which is not that of a part. */
static void
test_whole (void)
{
  Data *data = data_new (2);
  g_autoptr (TsrRows) rows = make_rows (data);
  g_autoptr (TsrFilter) filter = tsr_filter_new ("a", NULL);
  g_autoptr (TsrRowOrder) all = NULL;
  g_autoptr (TsrRowOrder) some = NULL;
  TsrRowColumn *column = (TsrRowColumn *)tsr_rows_get_column (rows, STEP);

  data->names[0] = "a";
  data->names[1] = "b";
  g_assert_false (column->summed);
  column->whole = 77;
  all = tsr_rows_arrange (rows, -1, FALSE, NULL, NULL, NULL);
  some = tsr_rows_arrange (rows, -1, FALSE, filter, NULL, NULL);
  g_assert_cmpint (all->totals[STEP], ==, 77);
  g_assert_cmpint (some->totals[STEP], ==, TSR_UNKNOWN);
}

static void
test_cancel (void)
{
  g_autoptr (GStringChunk) texts = g_string_chunk_new (1024);
  Data *data;
  g_autoptr (TsrRows) rows = random_rows (100, &data, texts);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (TsrFilter) filter = tsr_filter_new ("a", NULL);

  g_cancellable_cancel (cancellable);
  for (int column = -1; column < N_COLUMNS; column++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (tsr_rows_arrange (rows, column, FALSE, filter, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

/* What a filter says about a text */
static const struct
{
  const char *filter;
  const char *text;
  gboolean matches;
} grammar[] = {
  { "", "anything", TRUE },
  { "  ", "anything", TRUE },
  { "\"\"", "anything", TRUE },
  { "-", "anything", TRUE }, /* not yet typed */
  { "-\"\"", "anything", TRUE },
  { "conv", "Layer1/Conv_3", TRUE },
  { "Conv", "Layer1/Conv_3", TRUE },
  { "Conv", "layer1/conv_3", FALSE }, /* a capital letter */
  { "conv WEIGHTS", "conv/weights", FALSE },
  { "Conv weights", "Conv/WEIGHTS", TRUE }, /* each word by itself */
  { "weights conv", "conv/weights", TRUE },
  { "conv bias", "conv/weights", FALSE },
  { "conv -bias", "conv/weights", TRUE },
  { "conv -weights", "conv/weights", FALSE },
  { "-weights", "bias", TRUE },
  { "a-b", "xa-bx", TRUE }, /* only at the start of a word */
  { "\"a b\"", "xa bx", TRUE },
  { "\"a b\"", "b a", FALSE },
  { "-\"a b\"", "xa bx", FALSE },
  { "\"-a\"", "x-a", TRUE },
  { "\"a b", "xa bx", TRUE }, /* not yet closed */
  { "\"a\" -\"b\"", "a", TRUE },
  { "\"a\" -\"b\"", "ab", FALSE },
  { "/conv_[0-9]+$/", "layer/conv_12", TRUE },
  { "/conv_[0-9]+$/", "layer/CONV_12", TRUE },
  { "/conv_[0-9]+$/", "layer/conv_12x", FALSE },
  { "/Conv_\\d/", "layer/conv_1", FALSE },
  { "/conv_\\W/", "CONV_-", TRUE }, /* no capital letter of the text's */
  { "-/conv/", "layer/conv", FALSE },
  { "/^a b$/", "a b", TRUE }, /* spaces inside */
  { "/a/ -/b/", "ac", TRUE },
  { "/a/ -/b/", "ab", FALSE },
  { "/a\\/b/", "a/b", TRUE },
  { "/layer1/weights", "graph/layer1/weights", TRUE }, /* a name, no expression */
  { "/layer1/weights", "graph/layer2/weights", FALSE },
  { "//", "a//b", TRUE },
  { "//", "a/b", FALSE },
  { "größe", "GRÖSSE", TRUE },
  { "grösse", "GRÖßE", TRUE },
  { "é", "É", TRUE },
  { "É", "é", FALSE },
  { "a", NULL, FALSE },
  { "-a", NULL, FALSE },
  { "", NULL, TRUE },
};

static void
test_grammar (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (grammar); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrFilter) filter = tsr_filter_new (grammar[i].filter, &error);

      g_assert_no_error (error);
      if (tsr_filter_match (filter, grammar[i].text) != grammar[i].matches)
        g_error ("filter [%s] on [%s] is not %d", grammar[i].filter, grammar[i].text,
                 grammar[i].matches);
    }
}

static void
test_several_texts (void)
{
  g_autoptr (TsrFilter) filter = tsr_filter_new ("conv stack -bias", NULL);
  const char *both[] = { "Conv_1", NULL, "stack" };
  const char *without[] = { "conv_1", "other", "third" };
  const char *excluded[] = { "conv stack", "bias", NULL };
  const char *none[] = { NULL, NULL, NULL };
  const char *many[12] = { [3] = "conv", [11] = "stack" };

  g_assert_true (tsr_filter_match_texts (filter, 3, both));
  g_assert_false (tsr_filter_match_texts (filter, 3, without));
  g_assert_false (tsr_filter_match_texts (filter, 3, excluded));
  g_assert_false (tsr_filter_match_texts (filter, 3, none));
  g_assert_true (tsr_filter_match_texts (filter, 12, many));
}

static void
test_bad_expression (void)
{
  static const char *const bad[] = { "/(a/", "x /a(/", "-/[/", "/a{2,1}/", "/*/" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (tsr_filter_new (bad[i], &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
      g_assert_null (strstr (error->message, "LIMIT"));
    }
}

/* Expressions that would run for years, and bytes that are no UTF-8. */
static void
test_hostile (void)
{
  g_autofree char *text = g_strnfill (60, 'a');
  g_autoptr (TsrFilter) slow = tsr_filter_new ("/^(a+)+$/ /(a|aa)+b/", NULL);
  g_autoptr (TsrFilter) bytes = tsr_filter_new ("\xff\xfe \xc3", NULL);
  gint64 start = g_get_monotonic_time ();

  text[59] = '!';
  g_assert_true (tsr_filter_has_expression (slow));
  g_assert_false (tsr_filter_match (slow, text));
  g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
  g_assert_nonnull (bytes);
  g_assert_false (tsr_filter_match (bytes, "a"));
}

static void
test_cells (void)
{
  Data *data = data_new (2);
  g_autoptr (TsrRows) rows = make_rows (data);
  g_autoptr (TsrRowOrder) order = NULL;
  g_autoptr (TsrRowOrder) one = NULL;
  g_autofree char *csv = NULL;
  g_autofree char *csv_of_one = NULL;
  const guint32 second = 1;
  static const char *const shown[2][N_COLUMNS]
      = { { "a \"b\", c", "–", "1.00 KiB", "12.5 %", "7" }, { "–", "=x", "–", "–", "–" } };
  static const char *const exact[2][N_COLUMNS]
      = { { "a \"b\", c", "–", "1,024 B", "12.5000 %", "7" }, { "–", "=x", "–", "–", "–" } };

  data->names[0] = "a \"b\", c";
  data->places[1] = "=x";
  data->values[BYTES][0] = 1024;
  data->values[SHARE][0] = 125000000;
  data->values[STEP][0] = 7;
  for (guint c = BYTES; c < N_COLUMNS; c++)
    data->values[c][1] = TSR_UNKNOWN;
  for (guint32 row = 0; row < 2; row++)
    for (guint c = 0; c < N_COLUMNS; c++)
      {
        g_autofree char *text = tsr_rows_dup_text (rows, row, c, TSR_UNITS_BINARY);
        g_autofree char *digits = tsr_rows_dup_exact (rows, row, c);

        g_assert_cmpstr (text, ==, shown[row][c]);
        g_assert_cmpstr (digits, ==, exact[row][c]);
      }
  order = tsr_rows_arrange (rows, NAME, FALSE, NULL, NULL, NULL);
  csv = tsr_rows_dup_csv (rows, order);
  g_assert_cmpstr (csv, ==,
                   "name,place,bytes,share,step\r\n\"a \"\"b\"\", c\",,1024,0.125,7\r\n"
                   ",\"'=x\",,,\r\n");
  one = tsr_row_order_new (&second, 1);
  csv_of_one = tsr_rows_dup_csv (rows, one);
  g_assert_cmpstr (csv_of_one, ==, "name,place,bytes,share,step\r\n,\"'=x\",,,\r\n");
}

/* Columns are found by their keys; a value alone is written as in its cell; the whole row is all of
 * its cells. */
static void
test_by_key (void)
{
  g_autoptr (GStringChunk) texts = g_string_chunk_new (1024);
  Data *data;
  g_autoptr (TsrRows) rows = random_rows (300, &data, texts);
  static const char *const keys[] = { "name", "place", "bytes", "share", "step" };

  g_assert_cmpint (tsr_rows_find_column (rows, "shar"), ==, -1);
  g_assert_cmpint (tsr_rows_find_column (rows, NULL), ==, -1);
  g_assert_cmpint (tsr_rows_get_value_of (rows, 0, "nothing"), ==, TSR_UNKNOWN);
  for (guint32 row = 0; row < data->n; row++)
    {
      g_autofree char *whole = tsr_rows_dup_whole (rows, row);
      g_autoptr (GString) expected = g_string_new (NULL);
      guint n_cells = 0;

      for (guint c = 0; c < N_COLUMNS; c++)
        {
          g_autofree char *exact = tsr_rows_dup_exact (rows, row, c);

          if (c == 0)
            g_string_append (expected, exact);
          else if (*exact != '\0')
            g_string_append_printf (expected, "%s%s", n_cells++ == 0 ? ": " : ", ", exact);
          g_assert_cmpint (tsr_rows_find_column (rows, keys[c]), ==, c);
          if (c < BYTES)
            {
              g_assert_cmpint (tsr_rows_get_value (rows, row, c), ==, TSR_UNKNOWN);
              continue;
            }
          {
            gint64 value = data->values[c][row];
            g_autofree char *text = tsr_rows_dup_text (rows, row, c, TSR_UNITS_SI);
            g_autofree char *alone = tsr_rows_format (rows, c, value, TSR_UNITS_SI);
            g_autofree char *alone_exact = tsr_rows_format_exact (rows, c, value);

            g_assert_null (tsr_rows_get_text (rows, row, c));
            g_assert_cmpint (tsr_rows_get_value_of (rows, row, keys[c]), ==, value);
            g_assert_cmpstr (alone, ==, text);
            g_assert_cmpstr (alone_exact, ==, exact);
          }
        }
      g_assert_cmpstr (whole, ==, expected->str);
    }
}

/* Many threads ask for the same order at once. */
/* The bar of a share is as long as it, never longer than the cell, and nothing else has one. */
static void
test_bars (void)
{
  g_autoptr (GStringChunk) texts = g_string_chunk_new (1024);
  Data *data;
  g_autoptr (TsrRows) rows = random_rows (2000, &data, texts);

  for (guint i = 0; i < N_COLUMNS; i++)
    g_assert_true ((tsr_rows_get_column (rows, i)->paint == TSR_CELL_BAR) == (i == SHARE));
  for (guint32 row = 0; row < data->n; row++)
    {
      gint64 parts = data->values[SHARE][row];
      double share = parts == TSR_UNKNOWN || parts < 0 ? 0 : MIN ((double)parts / 1e9, 1);

      g_assert_cmpfloat (tsr_rows_get_share (rows, row, SHARE), ==, share);
      g_assert_cmpfloat (tsr_rows_get_share (rows, row, NAME), ==, 0);
      g_assert_cmpfloat (tsr_rows_get_share (rows, row, BYTES), ==, 0);
    }
}

static gpointer
arrange_in_thread (gpointer data)
{
  return tsr_rows_arrange (data, NAME, FALSE, NULL, NULL, NULL);
}

static void
test_threads (void)
{
  g_autoptr (GStringChunk) texts = g_string_chunk_new (1024);
  Data *data;
  g_autoptr (TsrRows) rows = random_rows (5000, &data, texts);
  GThread *threads[4];
  TsrRowOrder *first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("arrange", arrange_in_thread, rows);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      TsrRowOrder *order = g_thread_join (threads[i]);

      if (first == NULL)
        first = tsr_row_order_ref (order);
      g_assert_cmpmem (first->rows, first->n * sizeof (guint32), order->rows,
                       order->n * sizeof (guint32));
      tsr_row_order_unref (order);
    }
  tsr_row_order_unref (first);
}

/* A name as a filter finds itself, and of the others at most those that contain it, whatever it is
 * made of. */
static void
test_names (void)
{
  static const char characters[] = "ab-/\"\\ .*[\t^$";
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  char names[400][6];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint length = (guint)g_rand_int_range (random, 1, sizeof names[i]);

      for (guint k = 0; k < length; k++)
        names[i][k] = characters[g_rand_int_range (random, 0, sizeof characters - 1)];
      names[i][length] = '\0';
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = tsr_filter_dup_name (names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrFilter) filter = tsr_filter_new (text, &error);

      g_test_message ("[%s] as [%s]", names[i], text);
      g_assert_no_error (error);
      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        if (strcmp (names[k], names[i]) == 0)
          g_assert_true (tsr_filter_match (filter, names[k]));
        else if (strstr (names[k], names[i]) == NULL)
          g_assert_false (tsr_filter_match (filter, names[k]));
    }
}

/* The list of columns has each under the heading that it has itself; what only the tables add is
 * where what it is made of is. */
static void
test_headings (void)
{
  for (guint i = 0; i < tsr_operation_n_columns; i++)
    g_assert_cmpint (tsr_operation_columns_get_heading (tsr_operation_columns[i].key), ==,
                     tsr_operation_columns[i].heading);
  g_assert_cmpint (tsr_operation_columns_get_heading ("tileCyclesShare"), ==,
                   TSR_OPERATION_HEADING_CYCLES);
  g_assert_cmpint (tsr_operation_columns_get_heading ("balance"), ==, TSR_OPERATION_HEADING_CYCLES);
  g_assert_cmpint (tsr_operation_columns_get_heading ("flopsPerSecond"), ==,
                   TSR_OPERATION_HEADING_COMPUTE);
  g_assert_cmpint (tsr_operation_columns_get_heading ("name"), ==, TSR_OPERATION_HEADING_NAME);
}

/* A row is named by the cells that say which one it is; of several of a name the later ones by
 * their number, too. */
static void
test_row_keys (void)
{
  static const char *const names[] = { "a", "b", "a", NULL, "a", "b" };
  static const gint64 places[] = { 1, 1, 2, 1, 1, 1 };
  static const char *const expected[] = { "a\t1", "b\t1", "a\t2", "1", "a\t1\t#2", "b\t1\t#2" };
  const TsrTableInfo info = { .row_key = "name place" };
  TsrGrid *grid = tsr_grid_new (G_N_ELEMENTS (names));
  const char **texts = tsr_grid_add_texts (grid, tsr_grid_text_column ("name", "Name", NULL));
  gint64 *bytes
      = tsr_grid_add_values (grid, tsr_grid_column ("bytes", "Bytes", NULL, TSR_VALUE_BYTES));
  gint64 *values
      = tsr_grid_add_values (grid, tsr_grid_column ("place", "Place", NULL, TSR_VALUE_INDEX));
  g_autoptr (TsrRows) rows = NULL;
  g_auto (GStrv) keys = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      texts[i] = names[i];
      bytes[i] = (gint64)i;
      values[i] = places[i];
    }
  rows = tsr_grid_to_rows (grid);
  keys = tsr_tables_dup_row_keys (&info, rows);
  g_assert_cmpuint (g_strv_length (keys), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (keys[i], ==, expected[i]);
}

/* A record of each kind of field, as a list of the command line: for people, as CSV and as JSON. */
typedef struct
{
  const char *name, *list;
  gint64 bytes, count, place, step;
  double share;
} Record;

static const Record records[] = { { "a", "[3, 7]", 1536, 1234, 5, 1234, 0.5 },
                                  { "b,\"c\"", "-12.5", 0, TSR_UNKNOWN, 1234, TSR_UNKNOWN, NAN },
                                  { NULL, NULL, TSR_UNKNOWN, 0, 0, 0, 0.25 } };

static void
fill_record (gpointer data, guint32 row, gpointer record)
{
  const Record *of = data;
  Record *to = record;

  g_assert_true (to->name == NULL && to->count == 0); /* zeroed */
  *to = of[row];
}

static gboolean
append_text (gpointer data, const char *text, gsize length, GError **error)
{
  g_string_append_len (data, text, (gssize)length);
  return TRUE;
}

static void
test_records (void)
{
  static const TsrField fields[] = {
    TSR_FIELD (Record, name, "name", "Name", TEXT),
    TSR_FIELD (Record, list, "list", "List", JSON),
    TSR_FIELD (Record, bytes, "bytes", "Bytes", BYTES),
    TSR_FIELD (Record, count, "count", "Count", COUNT),
    TSR_FIELD (Record, place, "place", "Place", INDEX),
    TSR_FIELD (Record, step, "step", "Step", STEP),
    TSR_FIELD (Record, share, "share", "Share", SHARE),
  };
  static const char csv[] = "name,list,bytes,count,place,step,share\r\n"
                            "a,3 7,1536,1234,5,1234,0.5\r\n"
                            "\"b,\"\"c\"\"\",-12.5,0,,1234,,\r\n"
                            ",,,0,0,0,0.25\r\n";
  static const char json[]
      = "[{\"name\": \"a\", \"list\": [3, 7], \"bytes\": 1536, \"count\": 1234, \"place\": 5, "
        "\"step\": 1234, \"share\": 0.5}, "
        "{\"name\": \"b,\\\"c\\\"\", \"list\": -12.5, \"bytes\": 0, \"count\": null, \"place\": "
        "1234, "
        "\"step\": null, \"share\": null}, "
        "{\"name\": null, \"list\": null, \"bytes\": null, \"count\": 0, \"place\": 0, \"step\": "
        "0, "
        "\"share\": 0.25}]\n";
  static const char text[] = "  List     Bytes  Count  Place   Step   Share  Name\n"
                             "[3, 7]  1.50 KiB  1,234      5  1,234  50.0 %  a\n"
                             " -12.5       0 B      –   1234      –       –  b,\"c\"\n"
                             "     –         –      0      0      0  25.0 %  –\n";

  for (guint way = 0; way < 2; way++)
    {
      g_autoptr (TsrRows) rows
          = tsr_records_new (G_N_ELEMENTS (records), fields, G_N_ELEMENTS (fields), sizeof (Record),
                             way == 0 ? NULL : fill_record, (gpointer)records);
      g_autofree char *as_csv = tsr_rows_dup_csv (rows, NULL);
      g_autoptr (GString) as_text = g_string_new (NULL);
      TsrPrint print = { .format = TSR_FORMAT_TEXT, .write = append_text, .data = as_text };
      g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
      g_autofree char *as_json = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpstr (as_csv, ==, csv);
      g_assert_true (tsr_rows_print (rows, &print, NULL, &error));
      g_assert_cmpstr (as_text->str, ==, text);
      print.format = TSR_FORMAT_JSON;
      print.writer = writer;
      tsr_json_writer_begin_array (writer, NULL);
      g_assert_true (tsr_rows_print (rows, &print, NULL, &error));
      tsr_json_writer_end_array (writer);
      g_assert_true (tsr_json_writer_finish (writer, FALSE));
      as_json = tsr_json_writer_dup_text (writer);
      g_assert_cmpstr (as_json, ==, json);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rows/order", test_order);
  g_test_add_func ("/rows/rest", test_rest);
  g_test_add_func ("/rows/long-texts", test_long_texts);
  g_test_add_func ("/rows/wide-text", test_wide_text);
  g_test_add_func ("/rows/totals", test_totals);
  g_test_add_func ("/rows/whole", test_whole);
  g_test_add_func ("/rows/cancel", test_cancel);
  g_test_add_func ("/rows/grammar", test_grammar);
  g_test_add_func ("/rows/several-texts", test_several_texts);
  g_test_add_func ("/rows/bad-expression", test_bad_expression);
  g_test_add_func ("/rows/names", test_names);
  g_test_add_func ("/rows/headings", test_headings);
  g_test_add_func ("/rows/row-keys", test_row_keys);
  g_test_add_func ("/rows/records", test_records);
  g_test_add_func ("/rows/hostile", test_hostile);
  g_test_add_func ("/rows/cells", test_cells);
  g_test_add_func ("/rows/by-key", test_by_key);
  g_test_add_func ("/rows/threads", test_threads);
  g_test_add_func ("/rows/bars", test_bars);
  return g_test_run ();
}
