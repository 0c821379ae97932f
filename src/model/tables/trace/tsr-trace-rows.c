/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions and answers, and the table of Summary. */

#include "config.h"

#include "tsr-trace-rows-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

static const char *const group_nicks[TSR_TRACE_N_GROUPS]
    = { "name", "prefix", "type", "compute-set", "regex", "tree", "blocks" };

const char *
tsr_trace_group_get_nick (guint group)
{
  g_return_val_if_fail (group < TSR_TRACE_N_GROUPS, NULL);
  return group_nicks[group];
}

void
tsr_trace_answer_free (TsrTraceAnswer *answer)
{
  if (answer == NULL)
    return;
  g_clear_pointer (&answer->rows, tsr_rows_unref);
  g_clear_pointer (&answer->more, tsr_rows_unref);
  g_free (answer->title);
  g_free (answer->text);
  g_free (answer->note);
  g_free (answer->sums);
  g_clear_pointer (&answer->aggregates, g_ptr_array_unref);
  g_clear_pointer (&answer->query.regex, g_regex_unref);
  g_free ((gpointer)answer->query.ipus);
  g_free (answer->row_aggregate);
  g_free (answer->row_group);
  g_clear_pointer (&answer->stages, g_ptr_array_unref);
  g_clear_pointer (&answer->overlap, g_array_unref);
  g_clear_pointer (&answer->copies, g_array_unref);
  g_clear_pointer (&answer->waits, tsr_trace_waits_free);
  g_clear_pointer (&answer->tiles, tsr_trace_tiles_free);
  g_clear_pointer (&answer->steps, g_ptr_array_unref);
  g_clear_pointer (&answer->trace, tsr_trace_unref);
  g_free (answer);
}

/* What the files of answers share */

TsrRowColumn *
tsr_trace_column (
    const char *key, const char *title, const char *definition, TsrValueKind kind, gboolean summed)
{
  TsrRowColumn *column = tsr_grid_column (key, title, definition, kind);

  column->summed = summed;
  return column;
}

gint64
tsr_trace_fraction (double fraction)
{
  return isfinite (fraction) ? (gint64)llround (CLAMP (fraction, -1e9, 1e9) * 1e9) : TSR_UNKNOWN;
}

gint64
tsr_trace_share (gint64 part, gint64 whole)
{
  return part != TSR_UNKNOWN && whole != TSR_UNKNOWN
             ? tsr_trace_fraction ((double)part / (double)whole)
             : TSR_UNKNOWN;
}

gint64
tsr_trace_round (double number)
{
  return isfinite (number) ? (gint64)llround (CLAMP (number, -9e18, 9e18)) : TSR_UNKNOWN;
}

const char *
tsr_trace_intern_ipu_key (TsrGrid *grid, guint ipu)
{
  g_autofree char *key = g_strdup_printf ("ipu%u", ipu);

  return tsr_grid_intern (grid, key);
}

void
tsr_trace_answer_say (TsrTraceAnswer *answer, const char *title, const char *text)
{
  answer->title = g_strdup (title);
  answer->text = g_strdup (text);
}

guint8 *
tsr_trace_question_dup_ipus (const TsrTraceQuestion *question)
{
  guint n = tsr_trace_get_n_ipus (question->trace);
  guint8 *ipus;

  if (question->ipu >= n)
    return NULL;
  ipus = g_new0 (guint8, n);
  ipus[question->ipu] = 1;
  return ipus;
}

/* Summary */

typedef struct
{
  char *name, *key;
  TsrTraceSums sums;
  double compute_cycles, balanced, active_balanced; /* what balances are means over */
  double flops;                                     /* NaN */
  gint64 device;                                    /* cycles; of several IPUs the most */
  gint64 copying; /* of the copies whose bytes these are; of several IPUs the sum */
  guint n_ipus;
} SummaryRow;

static gint64
add_known (gint64 a, gint64 b)
{
  return a == TSR_UNKNOWN || b == TSR_UNKNOWN ? TSR_UNKNOWN : tsr_add_saturating (a, b, NULL);
}

static gint64
get_compute (const TsrTrace *trace, const TsrTraceSums *sums, guint32 hidden)
{
  gint64 cycles = 0;

  for (guint i = 0; i < tsr_trace_get_n_types (trace); i++)
    if (tsr_trace_get_type (trace, i)->group == TSR_STEP_GROUP_COMPUTE && (hidden >> i & 1) == 0)
      cycles = add_known (cycles, sums->by_type[i]);
  return cycles;
}

/* Rounded once, not for each IPU. */
static void
add_lost (TsrTraceSums *a, const TsrTraceSums *b)
{
  gint64 rest = (gint64)a->lost_rest + b->lost_rest, carry = (rest + (1ll << 31)) >> 32;

  a->lost = add_known (add_known (a->lost, b->lost), carry);
  a->lost_rest = (gint32)(rest - carry * (1ll << 32));
}

/* Sum over IPUs: cycles of IPUs, not of the clock. */
static void
add_row (SummaryRow *sum, const SummaryRow *row)
{
  TsrTraceSums *a = &sum->sums;
  const TsrTraceSums *b = &row->sums;
  double useful = (isnan (a->utilisation) ? 0 : a->utilisation * (double)a->counted)
                  + (isnan (b->utilisation) ? 0 : b->utilisation * (double)b->counted);

  for (guint i = 0; i < TSR_TRACE_MAX_TYPES; i++)
    a->by_type[i] = add_known (a->by_type[i], b->by_type[i]);
  for (guint i = 0; i < TSR_N_COPY_KINDS; i++)
    {
      a->copy_in[i] = add_known (a->copy_in[i], b->copy_in[i]);
      a->copy_out[i] = add_known (a->copy_out[i], b->copy_out[i]);
    }
  a->counted = add_known (a->counted, b->counted);
  a->excluded = add_known (a->excluded, b->excluded);
  a->utilisation = a->counted > 0 ? useful / (double)a->counted : NAN;
  add_lost (a, b);
  a->n_slices += b->n_slices;
  a->global_in = add_known (a->global_in, b->global_in);
  a->global_out = add_known (a->global_out, b->global_out);
  sum->compute_cycles += row->compute_cycles;
  sum->balanced += row->balanced;
  sum->active_balanced += row->active_balanced;
  a->tile_balance = sum->compute_cycles > 0 ? sum->balanced / sum->compute_cycles : NAN;
  a->active_tile_balance
      = sum->compute_cycles > 0 ? sum->active_balanced / sum->compute_cycles : NAN;
  sum->flops += row->flops;
  sum->device = MAX (sum->device, row->device);
  sum->copying = tsr_add_saturating (sum->copying, row->copying, NULL);
  sum->n_ipus += row->n_ipus;
}

static gboolean
fill_row (const TsrTraceQuestion *question,
          SummaryRow *row,
          guint ipu,
          guint8 *only,
          GCancellable *cancellable,
          GError **error)
{
  TsrTraceAggregateQuery query = { .run = question->run,
                                   .from = question->from,
                                   .to = question->to,
                                   .ipus = only,
                                   .hidden = question->hidden };
  g_autoptr (TsrTraceAggregate) aggregate = NULL;
  gint64 compute;

  row->name = tsr_trace_dup_ipu_name (question->trace, ipu);
  row->key = g_strdup_printf ("ipu%u", ipu);
  row->n_ipus = 1;
  tsr_trace_sum_run (question->trace, question->run, ipu, question->from, question->to,
                     question->hidden, &row->sums);
  compute = get_compute (question->trace, &row->sums, question->hidden);
  if (compute == TSR_UNKNOWN)
    row->compute_cycles = NAN;
  else if (compute > 0)
    {
      row->compute_cycles = (double)compute;
      row->balanced = (double)compute * row->sums.tile_balance;
      row->active_balanced = (double)compute * row->sums.active_tile_balance;
    }
  query.grouping = TSR_TRACE_BY_TYPE;
  only[ipu] = 1;
  aggregate = tsr_trace_aggregate (question->trace, &query, cancellable, error);
  only[ipu] = 0;
  if (aggregate == NULL)
    return FALSE;
  row->device = tsr_trace_get_device_time (question->trace, question->run, ipu, question->from,
                                           question->to);
  row->copying
      = tsr_trace_get_copy_time (question->trace, question->run, ipu, question->from, question->to);
  row->flops = row->sums.counted != TSR_UNKNOWN ? aggregate->flops : NAN;
  return TRUE;
}

/* A row for each replica when there are several, and one for all. */
static void
add_totals (const TsrTraceQuestion *question, GArray *rows)
{
  guint n = rows->len;
  SummaryRow all = { 0 }, replica = { 0 };
  gint64 number = TSR_UNKNOWN, next, place;

  all.sums.utilisation = replica.sums.utilisation = NAN;
  for (guint i = 0; i < n; i++)
    {
      const SummaryRow *row = &g_array_index (rows, SummaryRow, i);

      tsr_trace_get_replica (question->trace, i, &next, &place);
      if (next != number)
        {
          replica = (SummaryRow){ .sums.utilisation = NAN };
          number = next;
        }
      add_row (&all, row);
      add_row (&replica, row);
      tsr_trace_get_replica (question->trace, MIN (i + 1, n - 1), &next, &place);
      if (number == TSR_UNKNOWN || replica.n_ipus == n || replica.n_ipus < 2
          || (i + 1 < n && next == number))
        continue;
      replica.name = g_strdup_printf (_ ("Replica %" PRId64), number);
      replica.key = g_strdup_printf ("replica%" PRId64, number);
      g_array_append_val (rows, replica);
    }
  if (n < 2)
    return;
  all.name = g_strdup (_ ("All IPUs"));
  all.key = g_strdup ("all");
  g_array_append_val (rows, all);
}

/* "OnTileExecute 43.4 %, DoExchange 15.8 %": what the bar shows, for tooltip, CSV and assistive
 * technology. */
static char *
dup_proportions (const TsrTrace *trace, const TsrTraceSums *sums, guint32 hidden)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < tsr_trace_get_n_types (trace); i++)
    {
      const TsrTraceType *type = tsr_trace_get_type (trace, i);
      g_autofree char *share = NULL;

      if (sums->by_type[i] <= 0 || type->start_up || (hidden >> i & 1) != 0)
        continue;
      share = tsr_units_dup_percent ((double)sums->by_type[i] / (double)sums->counted, 1);
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", type->label, share);
    }
  if (sums->excluded > 0)
    {
      g_autofree char *share = tsr_units_dup_percent (
          (double)sums->excluded / ((double)sums->counted + (double)sums->excluded), 1);

      g_string_append_printf (text, "%s", text->len > 0 ? "; " : "");
      g_string_append_printf (text, _ ("not counted: %s of the time"), share);
    }
  return g_string_free (text, FALSE);
}

static gint64
sum_copies (const gint64 *kinds)
{
  gint64 sum = 0;

  for (guint i = 0; i < TSR_N_COPY_KINDS; i++)
    sum = add_known (sum, kinds[i]);
  return sum;
}

/* (transfer none): "1.36 MiB / 0 B". */
static const char *
intern_pair (TsrGrid *grid, gint64 in, gint64 out)
{
  g_autofree char *rx = tsr_value_dup_text (TSR_VALUE_BYTES, in, NAN, TSR_UNITS_BINARY);
  g_autofree char *tx = tsr_value_dup_text (TSR_VALUE_BYTES, out, NAN, TSR_UNITS_BINARY);
  g_autofree char *text = g_strdup_printf ("%s / %s", rx, tx);

  return tsr_grid_intern (grid, text);
}

/* Bytes a second; NaN. */
static double
get_copy_rate (const SummaryRow *row, double clock)
{
  gint64 in = sum_copies (row->sums.copy_in), out = sum_copies (row->sums.copy_out);

  return row->copying > 0 && in != TSR_UNKNOWN && out != TSR_UNKNOWN
             ? ((double)in + (double)out) * clock / (double)row->copying
             : NAN;
}

#define ADD_VALUES(key, title, definition, kind, value)                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 *cells_                                                                                 \
        = tsr_grid_add_values (grid, tsr_trace_column (key, title, definition, kind, FALSE));      \
                                                                                                   \
    for (guint i = 0; i < rows->len; i++)                                                          \
      {                                                                                            \
        const SummaryRow *row = &g_array_index (rows, SummaryRow, i);                              \
        const TsrTraceSums *sums = &row->sums;                                                     \
                                                                                                   \
        (void)sums;                                                                                \
        cells_[i] = (value);                                                                       \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

static void
add_head (const TsrTraceQuestion *question, TsrGrid *grid, const GArray *rows)
{
  TsrRowColumn *name = tsr_grid_text_column ("ipuName", _ ("IPU"), NULL);
  TsrRowColumn *bar = tsr_grid_text_column (
      "proportions", _ ("Proportions"),
      _ ("Cycles by type of step, of those that are counted. Hatched, with its share of the time: "
         "what is not counted, hidden types and the wait that begins a run; at most a fifth of "
         "the bar"));
  const char **names, **bars, **keys = tsr_grid_add_keys (grid);

  name->pinned = bar->pinned = TRUE;
  bar->paint = TSR_CELL_PAINTED;
  names = tsr_grid_add_texts (grid, name);
  bars = tsr_grid_add_texts (grid, bar);
  for (guint i = 0; i < rows->len; i++)
    {
      const SummaryRow *row = &g_array_index (rows, SummaryRow, i);
      g_autofree char *text = dup_proportions (question->trace, &row->sums, question->hidden);

      names[i] = tsr_grid_intern (grid, row->name);
      keys[i] = tsr_grid_intern (grid, row->key);
      bars[i] = tsr_grid_intern (grid, text);
    }
  ADD_VALUES ("tileUtilisation", _ ("Tile Utilisation"),
              _ ("Cycles of OnTileExecute, DoExchange, GlobalExchange and StreamCopyMid, divided "
                 "by the cycles of all types that are counted"),
              TSR_VALUE_FRACTION, tsr_trace_fraction (sums->utilisation));
  ADD_VALUES ("tileBalance", _ ("Tile Balance"),
              _ ("Sum of cycles × tile balance, divided by the sum of cycles, over OnTileExecute"),
              TSR_VALUE_FRACTION, tsr_trace_fraction (sums->tile_balance));
}

static void
add_data (const TsrTraceQuestion *question, TsrGrid *grid, const GArray *rows)
{
  double clock = tsr_trace_get_clock (question->trace);
  const char **copies = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("streamCopy", _ ("StreamCopy (Rx/Tx)"),
                                  _ ("Bytes of the StreamCopyMid steps that begin here")));
  const char **global = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("globalExchange", _ ("GlobalExchange (Rx/Tx)"),
                                  _ ("Bytes of the GlobalExchange steps that begin here")));

  for (guint i = 0; i < rows->len; i++)
    {
      const TsrTraceSums *sums = &g_array_index (rows, SummaryRow, i).sums;

      copies[i] = intern_pair (grid, sum_copies (sums->copy_in), sum_copies (sums->copy_out));
      global[i] = intern_pair (grid, sums->global_in, sums->global_out);
    }
  ADD_VALUES ("copyBytesPerSecond", _ ("Copies, GB/s"),
              _ ("Bytes of the StreamCopyMid steps that begin here, divided by their time, on one "
                 "IPU"),
              TSR_VALUE_GIGA, tsr_trace_round (get_copy_rate (row, clock)));
  ADD_VALUES ("flopsPerSecond", _ ("GFLOPS"),
              _ ("Estimated floating-point operations of the compute sets that are executed, "
                 "divided by the time of the device: without the wait that begins a run, and "
                 "without what lies between runs; of several IPUs by the longest"),
              TSR_VALUE_GIGA,
              tsr_trace_round (row->device > 0 ? row->flops * clock / (double)row->device : NAN));
}

static void
add_bytes (TsrGrid *grid, const GArray *rows)
{
  static const char *const keys[TSR_N_COPY_KINDS][2] = { { "hostRx", "hostTx" },
                                                         { "remoteBufferRx", "remoteBufferTx" },
                                                         { "mixedRx", "mixedTx" },
                                                         { "unknownRx", "unknownTx" } };
  static const char *const titles[TSR_N_COPY_KINDS][2]
      = { { N_ ("Host Rx"), N_ ("Host Tx") },
          { N_ ("Remote Buffer Rx"), N_ ("Remote Buffer Tx") },
          { N_ ("Mixed Rx"), N_ ("Mixed Tx") },
          { N_ ("Other Copies Rx"), N_ ("Other Copies Tx") } };

  for (guint k = 0; k < TSR_N_COPY_KINDS; k++)
    {
      ADD_VALUES (keys[k][0], _ (titles[k][0]), NULL, TSR_VALUE_BYTES, sums->copy_in[k]);
      ADD_VALUES (keys[k][1], _ (titles[k][1]), NULL, TSR_VALUE_BYTES, sums->copy_out[k]);
    }
  ADD_VALUES ("globalExchangeRx", _ ("GlobalExchange Rx"), NULL, TSR_VALUE_BYTES, sums->global_in);
  ADD_VALUES ("globalExchangeTx", _ ("GlobalExchange Tx"), NULL, TSR_VALUE_BYTES, sums->global_out);
}

/* For CSV, and wide windows. */
static void
add_numbers (const TsrTraceQuestion *question, TsrGrid *grid, const GArray *rows)
{
  ADD_VALUES ("countedCycles", _ ("Counted"), _ ("Cycles of all types that are counted"),
              TSR_VALUE_COUNT, sums->counted);
  ADD_VALUES ("excludedCycles", _ ("Not Counted"),
              _ ("Cycles of hidden types and of the wait that begins a run"), TSR_VALUE_COUNT,
              sums->excluded);
  ADD_VALUES ("lostCycles", _ ("Lost by Imbalance"),
              _ ("Sum of cycles × (1 − active tile balance) over OnTileExecute"), TSR_VALUE_COUNT,
              sums->lost);
  for (guint t = 0; t < tsr_trace_get_n_types (question->trace); t++)
    {
      const char *label = tsr_trace_get_type (question->trace, t)->label;
      g_autofree char *key = g_strconcat ("cyclesByType.", label, NULL);

      ADD_VALUES (key, label, NULL, TSR_VALUE_COUNT, sums->by_type[t]);
    }
}

/* The IPUs once more, with what they move. */
static TsrRows *
make_data_rows (const TsrTraceQuestion *question, const GArray *rows)
{
  TsrGrid *grid = tsr_grid_new (rows->len);
  TsrRowColumn *name = tsr_grid_text_column ("ipuName", _ ("IPU"), NULL);
  const char **names, **keys = tsr_grid_add_keys (grid);

  name->pinned = TRUE;
  names = tsr_grid_add_texts (grid, name);
  for (guint i = 0; i < rows->len; i++)
    {
      names[i] = tsr_grid_intern (grid, g_array_index (rows, SummaryRow, i).name);
      keys[i] = tsr_grid_intern (grid, g_array_index (rows, SummaryRow, i).key);
    }
  add_data (question, grid, rows);
  add_bytes (grid, rows);
  return tsr_grid_to_rows (grid);
}

static void
fill_summary (const TsrTraceQuestion *question, TsrTraceAnswer *answer, GArray *rows)
{
  TsrGrid *grid = tsr_grid_new (rows->len);

  add_head (question, grid, rows);
  add_data (question, grid, rows);
  add_numbers (question, grid, rows);
  answer->rows = tsr_grid_to_rows (grid);
  answer->more = make_data_rows (question, rows);
  answer->query.hidden = question->hidden;
  answer->n_sums = rows->len;
  answer->sums = g_new (TsrTraceSums, rows->len + 1);
  for (guint i = 0; i < rows->len; i++)
    answer->sums[i] = g_array_index (rows, SummaryRow, i).sums;
}

static void
clear_row (gpointer data)
{
  g_free (((SummaryRow *)data)->name);
  g_free (((SummaryRow *)data)->key);
}

gboolean
tsr_trace_answer_summary (const TsrTraceQuestion *question,
                          TsrTraceAnswer *answer,
                          GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (SummaryRow));
  guint n = tsr_trace_get_n_ipus (question->trace);
  g_autofree guint8 *only = g_new0 (guint8, n + 1);
  gboolean one = question->ipu < n;

  g_array_set_clear_func (rows, clear_row);
  for (guint ipu = one ? question->ipu : 0; ipu < (one ? question->ipu + 1 : n); ipu++)
    {
      g_array_set_size (rows, rows->len + 1);
      if (!fill_row (question, &g_array_index (rows, SummaryRow, rows->len - 1), ipu, only,
                     cancellable, error))
        return FALSE;
    }
  if (!one)
    add_totals (question, rows);
  fill_summary (question, answer, rows);
  return TRUE;
}
