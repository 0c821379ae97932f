/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Figures of a trace from plain SQL and loops. */

#include "config.h"

#include "cli-slices.h"

#include <inttypes.h>
#include <math.h>

static void
slice_free (gpointer data)
{
  CliSlice *slice = data;

  g_free (slice->type);
  g_free (slice);
}

gint64
cli_slices_parse (const char *text)
{
  return text == NULL || *text == '\0' ? G_MININT64 : g_ascii_strtoll (text, NULL, 10);
}

/* Every row, by step and IPU. */
GPtrArray *
cli_slices_read (const char *folder)
{
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (
      folder, "profile.pop",
      "SELECT b.step_id, b.ipu, s.run, s.type, b.cycles_base + b.active_cycles_from_max, "
      "b.cycles_base + b.active_cycles_to_max, b.data_in, b.data_out, b.tile_balance "
      "FROM steps_by_ipu b JOIN steps s ON s.id = b.step_id ORDER BY 1, 2");
  GPtrArray *slices = g_ptr_array_new_with_free_func (slice_free);
  g_autoptr (GHashTable) busy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      char **row = rows->pdata[i];
      CliSlice *slice = g_new0 (CliSlice, 1);
      char *key;

      slice->step = cli_slices_parse (row[0]);
      slice->ipu = cli_slices_parse (row[1]);
      slice->run = cli_slices_parse (row[2]);
      slice->type = g_strdup (row[3]);
      slice->start = cli_slices_parse (row[4]);
      slice->end = cli_slices_parse (row[5]);
      slice->in = cli_slices_parse (row[6]);
      slice->out = cli_slices_parse (row[7]);
      slice->balance = *row[8] != '\0' ? g_ascii_strtod (row[8], NULL) : NAN;
      key = g_strdup_printf ("%" PRId64 "/%" PRId64, slice->ipu, slice->run);
      if (slice->end > slice->start)
        {
          slice->leading
              = g_str_equal (slice->type, "StreamCopyBegin") && !g_hash_table_contains (busy, key);
          g_hash_table_add (busy, g_strdup (key));
        }
      g_free (key);
      g_ptr_array_add (slices, slice);
    }
  return slices;
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* Union of the intervals of @type (NULL: every one counts as its own type) on @ipu in [from, to).
 */
static gint64
get_union (GPtrArray *slices, gint64 ipu, const char *type, int leading, gint64 from, gint64 to)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, 2 * sizeof (gint64));
  gint64 sum = 0, reached = G_MININT64;

  for (guint i = 0; i < slices->len; i++)
    {
      const CliSlice *slice = slices->pdata[i];
      gint64 pair[2] = { MAX (slice->start, from), MIN (slice->end, to) };

      if (slice->ipu == ipu && g_str_equal (slice->type, type)
          && (leading < 0 || slice->leading == leading) && pair[0] < pair[1])
        g_array_append_vals (pairs, pair, 1);
    }
  g_array_sort (pairs, compare_pairs);
  for (guint i = 0; i < pairs->len; i++)
    {
      const gint64 *pair = (const gint64 *)(gpointer)pairs->data + 2 * i;

      sum += MAX (pair[1] - MAX (pair[0], reached), 0);
      reached = MAX (reached, pair[1]);
    }
  return sum;
}

/* (transfer container): types of the slices, each once. */
static GPtrArray *
list_types (GPtrArray *slices)
{
  GPtrArray *types = g_ptr_array_new ();

  for (guint i = 0; i < slices->len; i++)
    {
      char *type = ((CliSlice *)slices->pdata[i])->type;

      if (!g_ptr_array_find_with_equal_func (types, type, g_str_equal, NULL))
        g_ptr_array_add (types, type);
    }
  return types;
}

/* What tile utilisation has above the line. */
static gboolean
is_busy (const char *type)
{
  return g_str_equal (type, "OnTileExecute") || g_str_equal (type, "DoExchange")
         || g_str_equal (type, "GlobalExchange") || g_str_equal (type, "StreamCopyMid");
}

gint64
cli_slices_get_cycles (JsonNode *ipu, const char *object, const char *type)
{
  g_autofree char *path = g_strdup_printf ("%s.%s", object, type);

  return cli_member (ipu, path) != NULL ? cli_int (ipu, path) : 0;
}

static gint64
sum_bytes (GPtrArray *slices, gint64 ipu, const char *type, gboolean in, gint64 from, gint64 to)
{
  gint64 sum = 0;

  for (guint i = 0; i < slices->len; i++)
    {
      const CliSlice *slice = slices->pdata[i];

      if (slice->ipu == ipu && g_str_equal (slice->type, type) && slice->start >= from
          && slice->start < to && slice->end > slice->start)
        sum += in ? slice->in : slice->out;
    }
  return sum;
}

/* One entry of "ipus" in [from, to) with @excluded (nullable) left out. */
static void
check_ipu (GPtrArray *slices, JsonNode *ipu, gint64 from, gint64 to, const char *excluded)
{
  g_autoptr (GPtrArray) types = list_types (slices);
  gint64 number = cli_int (ipu, "ipu");
  gint64 counted = 0, busy = 0, weight = 0;
  double balance = 0;

  for (guint t = 0; t < types->len; t++)
    {
      gint64 all = get_union (slices, number, types->pdata[t], -1, from, to);
      gint64 out = excluded != NULL && g_str_equal (excluded, types->pdata[t])
                       ? all
                       : get_union (slices, number, types->pdata[t], TRUE, from, to);

      g_assert_cmpint (cli_slices_get_cycles (ipu, "cyclesByType", types->pdata[t]), ==, all);
      g_assert_cmpint (cli_slices_get_cycles (ipu, "excludedCyclesByType", types->pdata[t]), ==,
                       out);
      counted += all - out;
      if (is_busy (types->pdata[t]))
        busy += all - out;
    }
  g_assert_cmpint (cli_int (ipu, "countedCycles"), ==, counted);
  if (counted > 0)
    g_assert_cmpfloat_with_epsilon (json_node_get_double (cli_member (ipu, "tileUtilisation")),
                                    (double)busy / (double)counted, 1e-9);
  for (guint i = 0; i < slices->len; i++)
    {
      const CliSlice *slice = slices->pdata[i];
      gint64 part = MIN (slice->end, to) - MAX (slice->start, from);

      if (slice->ipu != number || !g_str_equal (slice->type, "OnTileExecute") || part <= 0)
        continue;
      weight += part;
      balance += (double)part * slice->balance;
    }
  if (weight > 0)
    g_assert_cmpfloat_with_epsilon (json_node_get_double (cli_member (ipu, "tileBalance")),
                                    balance / (double)weight, 1e-7);
  g_assert_cmpint (cli_int (ipu, "streamCopyRx"), ==,
                   sum_bytes (slices, number, "StreamCopyMid", TRUE, from, to));
  g_assert_cmpint (cli_int (ipu, "streamCopyTx"), ==,
                   sum_bytes (slices, number, "StreamCopyMid", FALSE, from, to));
  g_assert_cmpint (cli_int (ipu, "globalExchangeRx"), ==,
                   sum_bytes (slices, number, "GlobalExchange", TRUE, from, to));
  g_assert_cmpint (cli_int (ipu, "globalExchangeTx"), ==,
                   sum_bytes (slices, number, "GlobalExchange", FALSE, from, to));
}

void
cli_slices_check (
    GPtrArray *slices, JsonNode *root, gint64 run, gint64 from, gint64 to, const char *excluded)
{
  JsonArray *ipus = json_node_get_array (cli_member (root, "ipus"));
  g_autoptr (GPtrArray) counted = g_ptr_array_new ();

  for (guint i = 0; i < slices->len; i++)
    if (run < 0 || ((CliSlice *)slices->pdata[i])->run == run)
      g_ptr_array_add (counted, slices->pdata[i]);
  g_assert_cmpuint (json_array_get_length (ipus), >, 0);
  for (guint i = 0; i < json_array_get_length (ipus); i++)
    check_ipu (counted, json_array_get_element (ipus, i), from, to, excluded);
}
