/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows as a tree: order, filter and totals against a naive recursion, what is shown against a naive
 * walk after anything that a user can do, a million nodes in three shapes, CSV. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-row-outline.h"
#include "tsr-rows-print.h"

#include <string.h>

enum
{
  NAME,
  BYTES,
  SHARE,
  N_COLUMNS
};

typedef struct
{
  guint32 n;
  guint32 *parents;
  char **names;  /* (nullable): the same few */
  gint64 *bytes; /* (nullable): mixed */
  gint64 *shares;
} Data;

static const char *
data_text (gpointer data, guint32 row, guint column)
{
  Data *self = data;

  return self->names != NULL ? self->names[row] : row % 1000 == 999 ? "special" : "node";
}

static gint64
data_value (gpointer data, guint32 row, guint column)
{
  Data *self = data;

  if (self->bytes == NULL)
    return (gint64)(row * 2654435761u % 1000003);
  return column == BYTES ? self->bytes[row] : self->shares[row];
}

static char *
data_key (gpointer data, guint32 row)
{
  return g_strdup_printf ("row-%u", row);
}

static gboolean
data_heading (gpointer data, guint32 row)
{
  return ((Data *)data)->names != NULL && strcmp (((Data *)data)->names[row], "heading") == 0;
}

static const char *
data_definition (gpointer data, guint32 row)
{
  return row == 0 ? "the first" : NULL;
}

static TsrValueKind
data_kind (gpointer data, guint32 row, guint column)
{
  static const TsrValueKind kinds[] = { TSR_VALUE_BYTES, TSR_VALUE_BYTES, TSR_VALUE_FRACTION };
  const char *name = data_text (data, row, NAME);

  return strcmp (name, "step") == 0 ? TSR_VALUE_INDEX : kinds[column];
}

static void
data_free (gpointer data)
{
  Data *self = data;

  for (guint32 i = 0; self->names != NULL && i < self->n; i++)
    g_free (self->names[i]);
  g_free (self->names);
  g_free (self->bytes);
  g_free (self->shares);
  g_free (self->parents);
  g_free (self);
}

/* Takes @data; @parents is copied. */
static TsrRows *
make_rows (Data *data)
{
  static const TsrRowSource source = { data_text, data_value };
  static const TsrRowTraits traits = { data_key, data_heading, data_definition, data_kind };
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_row_column_free);
  TsrRowColumn *name = tsr_row_column_new ("name", "Name", TSR_CELL_KIND_TEXT, 0);
  TsrRows *rows;

  name->filtered = TRUE;
  g_ptr_array_add (columns, name);
  g_ptr_array_add (columns,
                   tsr_row_column_new ("bytes", "Bytes", TSR_CELL_KIND_VALUE, TSR_VALUE_BYTES));
  g_ptr_array_add (columns,
                   tsr_row_column_new ("share", "Share", TSR_CELL_KIND_VALUE, TSR_VALUE_FRACTION));
  rows = tsr_rows_new (data->n, columns, &source, data, data_free);
  tsr_rows_set_traits (rows, &traits);
  tsr_rows_set_parents (rows, g_memdup2 (data->parents, data->n * sizeof (guint32)));
  return rows;
}

/* A random tree of @n rows in depth-first order; each row hangs below the one before it, or beside
 * one of those above that. */
static Data *
random_data (guint32 n)
{
  static const char *const parts[] = { "conv", "Layer", "weights", "é", "x", "" };
  Data *data = g_new0 (Data, 1);

  data->n = n;
  data->parents = g_new (guint32, n);
  data->names = g_new (char *, n);
  data->bytes = g_new (gint64, n);
  data->shares = g_new (gint64, n);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 parent = i > 0 ? i - 1 : TSR_NO_INDEX;

      while (parent != TSR_NO_INDEX && g_test_rand_int_range (0, 5) < 3)
        parent = data->parents[parent];
      data->parents[i] = parent;
      data->names[i] = g_strconcat (parts[g_test_rand_int_range (0, G_N_ELEMENTS (parts))],
                                    parts[g_test_rand_int_range (0, G_N_ELEMENTS (parts))], NULL);
      data->bytes[i]
          = g_test_rand_int_range (0, 5) == 0 ? TSR_UNKNOWN : g_test_rand_int_range (0, 9);
      data->shares[i] = g_test_rand_int_range (0, 3);
    }
  return data;
}

/* ------------------------------------------------------------------ naive */

typedef struct
{
  TsrRows *rows;
  TsrFilter *filter;
  int column;
  gboolean descending;
} Wish;

static gboolean
passes (const Wish *wish, guint32 row)
{
  return wish->filter == NULL
         || tsr_filter_match (wish->filter, tsr_rows_get_text (wish->rows, row, NAME));
}

static gboolean
is_kept (const Wish *wish, guint32 row)
{
  gboolean kept = passes (wish, row);

  for (guint32 i = row + 1; i < tsr_rows_get_n (wish->rows) && !kept; i++)
    if (tsr_rows_get_parent (wish->rows, i) == row)
      kept = is_kept (wish, i);
  return kept;
}

/* By the naive folding of the name, or the value; unknown ones last either way. */
static gboolean
comes_before (const Wish *wish, guint32 a, guint32 b)
{
  int order;

  if (wish->column < 0)
    return a < b;
  if (wish->column == NAME)
    {
      g_autofree char *x = g_utf8_casefold (tsr_rows_get_text (wish->rows, a, NAME), -1);
      g_autofree char *y = g_utf8_casefold (tsr_rows_get_text (wish->rows, b, NAME), -1);

      order = strcmp (x, y);
    }
  else
    {
      gint64 x = tsr_rows_get_value (wish->rows, a, wish->column);
      gint64 y = tsr_rows_get_value (wish->rows, b, wish->column);

      if ((x == TSR_UNKNOWN) != (y == TSR_UNKNOWN))
        return y == TSR_UNKNOWN;
      order = (x > y) - (x < y);
    }
  if (order == 0)
    return a < b;
  return wish->descending ? order > 0 : order < 0;
}

/* Appends what is below @parent, by selection sort, recursively.  @expanded (nullable): only what
 * is below such rows. */
static void
list_naive (const Wish *wish, guint32 parent, const gboolean *expanded, GArray *out)
{
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < tsr_rows_get_n (wish->rows); i++)
    if (tsr_rows_get_parent (wish->rows, i) == parent && is_kept (wish, i))
      g_array_append_val (children, i);
  while (children->len > 0)
    {
      guint best = 0;
      guint32 row;

      for (guint i = 1; i < children->len; i++)
        if (comes_before (wish, g_array_index (children, guint32, i),
                          g_array_index (children, guint32, best)))
          best = i;
      row = g_array_index (children, guint32, best);
      g_array_remove_index (children, best);
      g_array_append_val (out, row);
      if (expanded == NULL || expanded[row])
        list_naive (wish, row, expanded, out);
    }
}

static TsrRowOrder *
arrange (const Wish *wish)
{
  g_autoptr (GError) error = NULL;
  TsrRowOrder *order
      = tsr_rows_arrange (wish->rows, wish->column, wish->descending, wish->filter, NULL, &error);

  g_assert_no_error (error);
  return order;
}

static const char *const filters[] = { NULL, "conv", "layer -x", "weights conv", "nothing", "é" };

static TsrFilter *
random_filter (void)
{
  const char *text = filters[g_test_rand_int_range (0, G_N_ELEMENTS (filters))];

  return text != NULL ? tsr_filter_new (text, NULL) : NULL;
}

static gboolean
has_children (TsrRows *rows, guint32 row)
{
  for (guint32 i = 0; i < tsr_rows_get_n (rows); i++)
    if (tsr_rows_get_parent (rows, i) == row)
      return TRUE;
  return FALSE;
}

static void
test_order (void)
{
  for (guint round = 0; round < 150; round++)
    {
      g_autoptr (TsrRows) rows = make_rows (random_data (g_test_rand_int_range (0, 60)));

      for (int column = -1; column < N_COLUMNS; column++)
        {
          g_autoptr (TsrFilter) filter = random_filter ();
          Wish wish = { rows, filter, column, g_test_rand_int_range (0, 2) };
          g_autoptr (TsrRowOrder) order = arrange (&wish);
          g_autoptr (GArray) naive = g_array_new (FALSE, FALSE, sizeof (guint32));
          guint n_passing = 0, n_groups = 0, n_leaves_passing = 0;
          gint64 total = 0;

          list_naive (&wish, TSR_NO_INDEX, NULL, naive);
          g_assert_cmpmem (order->rows, order->n * sizeof (guint32), naive->data,
                           naive->len * sizeof (guint32));
          for (guint32 i = 0; i < tsr_rows_get_n (rows); i++)
            if (passes (&wish, i))
              {
                gint64 value = tsr_rows_get_value (rows, i, BYTES);

                n_passing++;
                n_leaves_passing += !has_children (rows, i);
                total = value == TSR_UNKNOWN || total == TSR_UNKNOWN ? TSR_UNKNOWN : total + value;
              }
          /* Totals are of what passes, not of what stands above it. */
          g_assert_cmpuint (order->n_passing, ==, n_passing);
          g_assert_cmpint (order->totals[BYTES], ==, total);
          g_assert_cmpuint (order->n - order->n_groups, ==, n_leaves_passing);
          for (guint32 i = 0; i < tsr_rows_get_n (rows); i++)
            n_groups += has_children (rows, i);
          g_assert_cmpuint (tsr_rows_get_n_groups (rows), ==, n_groups);
          for (guint32 k = 0; k < order->n; k++)
            {
              guint32 end = k + 1;

              g_assert_cmpuint (order->places[order->rows[k]], ==, k);
              while (end < order->n
                     && tsr_rows_get_depth (rows, order->rows[end])
                            > tsr_rows_get_depth (rows, order->rows[k]))
                end++;
              g_assert_cmpuint (order->ends[k], ==, end);
            }
        }
    }
}

/* ---------------------------------------------------------------- outline */

static void
assert_shown (TsrRowOutline *outline, const Wish *wish, const gboolean *expanded)
{
  g_autoptr (GArray) naive = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *places = NULL;
  g_autofree gboolean *open = NULL, *has_below = NULL;
  guint32 n = tsr_rows_get_n (wish->rows);

  places = g_new (guint32, n);
  memset (places, 0xff, n * sizeof *places);
  list_naive (wish, TSR_NO_INDEX, expanded, naive);
  open = g_new (gboolean, n);
  has_below = g_new0 (gboolean, n);
  for (guint32 row = 0; row < n; row++)
    open[row] = TRUE;
  list_naive (wish, TSR_NO_INDEX, open, all);
  for (guint32 i = 0; i < all->len; i++)
    {
      const guint32 parent = tsr_rows_get_parent (wish->rows, g_array_index (all, guint32, i));

      if (parent != TSR_NO_INDEX)
        has_below[parent] = TRUE;
    }
  g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, naive->len);
  for (guint32 i = 0; i < naive->len; i++)
    {
      guint32 row = g_array_index (naive, guint32, i);

      g_assert_cmpuint (tsr_row_outline_get_row (outline, i), ==, row);
      places[row] = i;
    }
  for (guint32 row = 0; row < n; row++)
    {
      g_assert_cmpuint (tsr_row_outline_find (outline, row), ==, places[row]);
      g_assert_cmpint (tsr_row_outline_can_expand (outline, row), ==, has_below[row]);
      if (has_below[row])
        g_assert_cmpint (tsr_row_outline_is_expanded (outline, row), ==, expanded[row]);
    }
}

/* Anything that a user can do: expand and collapse rows, with what is below them or all, sort,
 * filter, and another table with the same keys. */
static void
test_outline (void)
{
  enum
  {
    N = 40
  };

  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (TsrRowOutline) outline = tsr_row_outline_new ();
      gboolean expanded[N] = { FALSE }, open[N];
      Wish wish = { .column = -1 };

      for (guint step = 0; step < 40; step++)
        {
          guint32 row = g_test_rand_int_range (0, N);
          int what = step == 0 ? 7 : g_test_rand_int_range (0, 9);
          gboolean expand = g_test_rand_bit (), reset = FALSE;
          gboolean *now = wish.filter != NULL ? open : expanded;

          if (what < 4)
            {
              tsr_row_outline_set_expanded (outline, row, expand, FALSE);
              now[row] = expand;
            }
          else if (what == 4)
            {
              tsr_row_outline_set_expanded (outline, row, expand, TRUE);
              for (guint32 i = row; i < tsr_rows_get_end (wish.rows, row); i++)
                now[i] = expand;
            }
          else if (what == 5)
            {
              tsr_row_outline_set_all_expanded (outline, expand);
              for (guint32 i = 0; i < N; i++)
                now[i] = expand;
            }
          else if (what == 6)
            {
              wish.column = g_test_rand_int_range (-1, N_COLUMNS);
              wish.descending = expand;
            }
          else if (what == 7)
            {
              TsrRows *old = wish.rows;

              wish.rows = make_rows (random_data (N));
              /* What has no rows below it keeps no wish. */
              for (guint32 i = 0; old != NULL && i < N; i++)
                if (tsr_rows_get_end (old, i) == i + 1)
                  {
                    g_auto (GStrv) keys = tsr_row_outline_dup_keys (outline);
                    g_autofree char *key = data_key (NULL, i);

                    expanded[i] = g_strv_contains ((const char *const *)keys, key);
                  }
              if (old != NULL)
                tsr_rows_unref (old);
              reset = TRUE;
            }
          else
            {
              g_clear_pointer (&wish.filter, tsr_filter_unref);
              wish.filter = random_filter ();
              reset = TRUE;
            }
          if (reset)
            for (guint32 i = 0; i < N; i++)
              open[i] = TRUE; /* a filter shows all that passes */
          if (what >= 6)
            {
              g_autoptr (TsrRowOrder) order = arrange (&wish);

              tsr_row_outline_set (outline, wish.rows, order);
            }
          assert_shown (outline, &wish, wish.filter != NULL ? open : expanded);
        }
      tsr_row_outline_set (outline, NULL, NULL);
      g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, 0);
      g_clear_pointer (&wish.filter, tsr_filter_unref);
      g_clear_pointer (&wish.rows, tsr_rows_unref);
    }
}

static void
test_keys (void)
{
  static const guint32 parents[] = { TSR_NO_INDEX, 0, 1, 0, TSR_NO_INDEX, 4 };
  static const char *const some[] = { "row-4", "row-0", "no-such", NULL };
  g_autoptr (TsrRowOutline) outline = tsr_row_outline_new ();
  Data *data = g_new0 (Data, 1);
  g_autoptr (TsrRows) rows = NULL;
  g_autoptr (TsrRowOrder) order = NULL;
  g_auto (GStrv) keys = NULL;
  g_autofree char *joined = NULL;

  data->n = 6;
  data->parents = g_memdup2 (parents, sizeof parents);
  rows = make_rows (data);
  order = arrange (&(Wish){ .rows = rows, .column = -1 });
  tsr_row_outline_set_keys (outline, some);
  tsr_row_outline_set (outline, rows, order);
  g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, 5); /* 0, 1, 3, 4, 5 */
  tsr_row_outline_set_expanded (outline, 4, FALSE, FALSE);
  tsr_row_outline_set_expanded (outline, 1, TRUE, FALSE);
  keys = tsr_row_outline_dup_keys (outline);
  joined = g_strjoinv (" ", keys);
  g_assert_cmpstr (joined, ==, "no-such row-0 row-1");
}

/* ---------------------------------------------------------------- a million */

#define MILLION 1000000

typedef enum
{
  BALANCED, /* ten children each */
  CHAIN,
  FAN,
} Shape;

static Data *
big_data (Shape shape)
{
  Data *data = g_new0 (Data, 1);

  data->n = MILLION;
  data->parents = g_new (guint32, data->n);
  for (guint32 i = 0; i < data->n; i++)
    {
      guint32 step = 1;

      /* Depth-first numbers: of ten children each, six levels below the top ones. */
      data->parents[i] = i == 0 ? TSR_NO_INDEX : shape == CHAIN ? i - 1 : 0;
      if (shape != BALANCED)
        continue;
      data->parents[i] = TSR_NO_INDEX;
      for (guint32 size = 111111, at = i; size > 1; size = (size - 1) / 10)
        {
          if (at % size == 0)
            break;
          data->parents[i] = i - at % size;
          at = at % size - 1;
          step++;
        }
      g_assert_cmpuint (step, <=, 7);
    }
  return data;
}

static void
check_million (Shape shape, guint32 n_top)
{
  g_autoptr (TsrRows) rows = make_rows (big_data (shape));
  g_autoptr (TsrRowOutline) outline = tsr_row_outline_new ();
  g_autoptr (TsrFilter) filter = tsr_filter_new ("special", NULL);
  g_autoptr (TsrRowOrder) sorted = NULL;
  g_autoptr (TsrRowOrder) filtered = NULL;
  g_autofree guint8 *kept = g_new0 (guint8, MILLION);
  gint64 began = g_get_monotonic_time ();
  guint32 n_kept = 0;

  sorted = arrange (&(Wish){ .rows = rows, .column = BYTES, .descending = TRUE });
  g_test_message ("order: %.3f s", (g_get_monotonic_time () - began) / 1e6);
  filtered = arrange (&(Wish){ .rows = rows, .filter = filter, .column = BYTES });
  for (guint32 row = MILLION; row-- > 0;)
    {
      kept[row] |= row % 1000 == 999;
      n_kept += kept[row];
      if (kept[row] && tsr_rows_get_parent (rows, row) != TSR_NO_INDEX)
        kept[tsr_rows_get_parent (rows, row)] = 1;
    }
  g_assert_cmpuint (filtered->n, ==, n_kept);
  g_assert_cmpuint (filtered->n_passing, ==, MILLION / 1000);
  g_assert_cmpuint (sorted->n, ==, MILLION);
  /* Elder siblings are not smaller; what is behind a row and all below it has the same parent, or
   * is behind the parent, too. */
  for (guint32 k = 0; k < MILLION; k++)
    {
      guint32 row = sorted->rows[k], next = sorted->ends[k];

      g_assert_cmpuint (next - k, ==, tsr_rows_get_end (rows, row) - row);
      if (next < MILLION
          && tsr_rows_get_parent (rows, sorted->rows[next]) == tsr_rows_get_parent (rows, row))
        g_assert_cmpint (tsr_rows_get_value (rows, row, BYTES), >=,
                         tsr_rows_get_value (rows, sorted->rows[next], BYTES));
    }

  tsr_row_outline_set (outline, rows, sorted);
  g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, n_top);
  tsr_row_outline_set_all_expanded (outline, TRUE);
  g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, MILLION);
  began = g_get_monotonic_time ();
  for (guint i = 0; i < 100; i++)
    {
      guint32 row = tsr_row_outline_get_row (outline, g_test_rand_int_range (0, MILLION));
      guint32 below = tsr_rows_get_end (rows, row) - row - 1;

      tsr_row_outline_set_expanded (outline, row, FALSE, FALSE);
      g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, MILLION - below);
      g_assert_cmpuint (tsr_row_outline_get_row (outline, tsr_row_outline_find (outline, row)), ==,
                        row);
      tsr_row_outline_set_expanded (outline, row, TRUE, FALSE);
      g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, MILLION);
    }
  g_test_message ("100 collapsed and expanded: %.3f s", (g_get_monotonic_time () - began) / 1e6);
  began = g_get_monotonic_time ();
  tsr_row_outline_set_all_expanded (outline, FALSE);
  for (guint i = 0; i < 1000; i++)
    {
      tsr_row_outline_set_expanded (outline, 0, TRUE, FALSE);
      tsr_row_outline_set_expanded (outline, 0, FALSE, FALSE);
      if (shape == FAN)
        break;
    }
  g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, n_top);
  g_test_message ("1000 of few shown: %.3f s", (g_get_monotonic_time () - began) / 1e6);
  tsr_row_outline_set (outline, rows, filtered);
  g_assert_cmpuint (tsr_row_outline_get_n (outline), ==, n_kept);
}

static void
test_balanced (void)
{
  check_million (BALANCED, (MILLION + 111110) / 111111);
}

/* A row has a million others above it: neither a stack nor a path may grow with it. */
static void
test_chain (void)
{
  g_autoptr (TsrRows) rows = NULL;
  g_autoptr (TsrRowOrder) order = NULL;
  g_autoptr (TsrRowOrder) last = tsr_row_order_new (&(guint32){ MILLION - 1 }, 1);
  g_autofree char *csv = NULL;

  check_million (CHAIN, 1);
  rows = make_rows (big_data (CHAIN));
  order = arrange (&(Wish){ .rows = rows, .column = -1 });
  g_assert_cmpuint (tsr_rows_get_depth (rows, MILLION - 1), ==, MILLION - 1);
  csv = tsr_rows_dup_csv (rows, last);
  g_assert_true (g_str_has_prefix (csv, "name,bytes,share\r\n… / node / node / "));
  g_assert_cmpuint (strlen (csv), <, 400);
}

static void
test_fan (void)
{
  check_million (FAN, 1);
}

/* ------------------------------------------------------------------ cells */

/* Values beside unknown ones, in a row of another kind, in a heading; what sorting makes of them.
 */
static void
test_cells (void)
{
  static const char *const names[] = { "heading", "a, b", "c", "step", "d" };
  static const guint32 parents[] = { TSR_NO_INDEX, 0, 0, 0, TSR_NO_INDEX };
  static const gint64 bytes[] = { 1, 2048, TSR_UNKNOWN, 31, 0 };
  static const gint64 shares[] = { 1, 250000000, TSR_UNKNOWN, TSR_UNKNOWN, 1000000000 };
  Data *data = g_new0 (Data, 1);
  g_autoptr (TsrRows) rows = NULL;
  g_autoptr (TsrRowOrder) order = NULL;
  g_autofree char *csv = NULL;
  g_autofree char *heading = NULL, *step = NULL, *value = NULL, *exact = NULL;

  data->n = G_N_ELEMENTS (names);
  data->parents = g_memdup2 (parents, sizeof parents);
  data->names = g_new (char *, data->n);
  for (guint i = 0; i < data->n; i++)
    data->names[i] = g_strdup (names[i]);
  data->bytes = g_memdup2 (bytes, sizeof bytes);
  data->shares = g_memdup2 (shares, sizeof shares);
  rows = make_rows (data);
  heading = tsr_rows_dup_text (rows, 0, BYTES, TSR_UNITS_BINARY);
  g_assert_cmpstr (heading, ==, "");
  g_assert_true (tsr_rows_is_heading (rows, 0));
  value = tsr_rows_dup_text (rows, 1, BYTES, TSR_UNITS_BYTES);
  g_assert_cmpstr (value, ==, "2,048 B");
  exact = tsr_rows_dup_exact (rows, 1, SHARE);
  g_assert_true (g_str_has_prefix (exact, "25.0000"));
  step = tsr_rows_dup_text (rows, 3, BYTES, TSR_UNITS_BINARY);
  g_assert_cmpstr (step, ==, "31");
  g_assert_cmpstr (tsr_rows_get_definition (rows, 0), ==, "the first");
  g_assert_null (tsr_rows_get_definition (rows, 1));

  order = arrange (&(Wish){ .rows = rows, .column = BYTES, .descending = TRUE });
  csv = tsr_rows_dup_csv (rows, order);
  g_assert_cmpstr (csv, ==,
                   "name,bytes,share\r\n\"heading / a, b\",2048,0.25\r\nheading / step,31,\r\n"
                   "heading / c,,\r\nd,0,1\r\n");
}

/* Brothers with ties and an unknown value, by numbers and by fractions, either way. */
static void
test_sorted (void)
{
  static const char *const names[] = { "heading", "=1+1", "=1+1", "=1+1", "=1+1", "=1+1" };
  static const guint32 parents[] = { TSR_NO_INDEX, 0, 0, 0, 0, 0 };
  static const gint64 values[] = { TSR_UNKNOWN, 5, TSR_UNKNOWN, 7, 5, -1 };
  static const guint32 up[] = { 0, 5, 1, 4, 3, 2 };
  static const guint32 down[] = { 0, 3, 1, 4, 5, 2 };
  Data *data = g_new0 (Data, 1);
  g_autoptr (TsrRows) rows = NULL;
  g_autoptr (TsrRowOrder) plain = NULL;
  g_autofree char *csv = NULL;

  data->n = G_N_ELEMENTS (names);
  data->parents = g_memdup2 (parents, sizeof parents);
  data->names = g_new (char *, data->n);
  data->bytes = g_memdup2 (values, sizeof values);
  data->shares = g_memdup2 (values, sizeof values);
  for (guint i = 0; i < data->n; i++)
    {
      data->names[i] = g_strdup (names[i]);
      if (values[i] != TSR_UNKNOWN)
        data->shares[i] *= 100000000;
    }
  rows = make_rows (data);
  for (int c = BYTES; c <= SHARE; c++)
    {
      g_autoptr (TsrRowOrder) rising = arrange (&(Wish){ .rows = rows, .column = c });
      g_autoptr (TsrRowOrder) falling
          = arrange (&(Wish){ .rows = rows, .column = c, .descending = TRUE });

      g_assert_cmpmem (rising->rows, rising->n * sizeof (guint32), up, sizeof up);
      g_assert_cmpmem (falling->rows, falling->n * sizeof (guint32), down, sizeof down);
    }
  plain = arrange (&(Wish){ .rows = rows, .column = -1, .descending = TRUE });
  csv = tsr_rows_dup_csv (rows, plain);
  g_assert_cmpstr (csv, ==,
                   "name,bytes,share\r\nheading / =1+1,5,0.5\r\nheading / =1+1,,\r\n"
                   "heading / =1+1,7,0.7\r\nheading / =1+1,5,0.5\r\nheading / =1+1,-1,-0.1\r\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-tree/order", test_order);
  g_test_add_func ("/row-tree/outline", test_outline);
  g_test_add_func ("/row-tree/keys", test_keys);
  g_test_add_func ("/row-tree/balanced", test_balanced);
  g_test_add_func ("/row-tree/chain", test_chain);
  g_test_add_func ("/row-tree/fan", test_fan);
  g_test_add_func ("/row-tree/cells", test_cells);
  g_test_add_func ("/row-tree/sorted", test_sorted);
  return g_test_run ();
}
