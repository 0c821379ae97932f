/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli trace: what every IPU did in a range of cycles, or the steps themselves. */

#include "config.h"

#include "tsr-cli-tables.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  TsrCli *cli;
  TsrReport *report;
  TsrTrace *trace;
  TsrCliTraceRange range;
  guint32 hidden;
} Listing;

/* ----------------------------------------------------------------- figures */

/* First and last IPU that are listed. */
static void
get_ipus (const Listing *listing, guint *first, guint *end)
{
  gboolean one = listing->range.ipu != TSR_NO_INDEX;

  *first = one ? listing->range.ipu : 0;
  *end = one ? listing->range.ipu + 1 : tsr_trace_get_n_ipus (listing->trace);
}

/* The run whose steps are asked for; NULL: all. */
static const TsrTraceRun *
get_run (const Listing *listing)
{
  return listing->range.run != TSR_NO_INDEX ? tsr_trace_get_run (listing->trace, listing->range.run)
                                            : NULL;
}

/* TRUE if slice @s is of a step of the run that is asked for. */
static gboolean
is_in_run (const Listing *listing, const TsrExecutionTables *tables, gsize s)
{
  const TsrTraceRun *run = get_run (listing);

  return run == NULL
         || (tables->slice_step[s] >= run->first_step && tables->slice_step[s] < run->end_step);
}

/* TRUE if slice @s has times and lies in the range, at least in part. */
static gboolean
touches (const Listing *listing, const TsrExecutionTables *tables, gsize s)
{
  gint64 start = tables->slice_start[s];
  gint64 end = tables->slice_end[s];

  if (start == TSR_UNKNOWN || end == TSR_UNKNOWN || end < listing->range.from)
    return FALSE;
  return start < listing->range.to && (end > listing->range.from || start >= listing->range.from);
}

/* Greatest end less least start in the range; TSR_UNKNOWN when no step there has a time. */
static gint64
get_total (const Listing *listing)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (listing->trace);
  gint64 from = G_MAXINT64, to = G_MININT64;
  guint first, end;

  get_ipus (listing, &first, &end);
  for (gsize s = tables->ipu_start[first]; s < tables->ipu_start[end]; s++)
    if (is_in_run (listing, tables, s) && touches (listing, tables, s))
      {
        from = MIN (from, MAX (tables->slice_start[s], listing->range.from));
        to = MAX (to, MIN (tables->slice_end[s], listing->range.to));
      }
  return from <= to ? to - from : TSR_UNKNOWN;
}

/* Whether a step of @run, on any IPU, has a time: without one the run's length is not known. */
static gboolean
run_has_time (const Listing *listing, const TsrTraceRun *run)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (listing->trace);

  if (run->start != run->end)
    return TRUE;
  for (gsize s = 0; s < tables->ipu_start[tsr_trace_get_n_ipus (listing->trace)]; s++)
    if (tables->slice_step[s] >= run->first_step && tables->slice_step[s] < run->end_step
        && tables->slice_start[s] != TSR_UNKNOWN && tables->slice_end[s] != TSR_UNKNOWN)
      return TRUE;
  return FALSE;
}

static gint64
add (const gint64 values[TSR_N_COPY_KINDS])
{
  gint64 sum = 0;
  gboolean overflow = FALSE;

  for (guint k = 0; k < TSR_N_COPY_KINDS; k++)
    {
      if (values[k] == TSR_UNKNOWN)
        return TSR_UNKNOWN;
      sum = tsr_add_saturating (sum, values[k], &overflow);
    }
  return overflow ? TSR_UNKNOWN : sum;
}

/* -------------------------------------------------------------------- JSON */

/* A balance is kept in single precision: as many digits as that has. */
static void
write_share (TsrJsonWriter *writer, const char *key, double share)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (share))
    tsr_json_writer_null (writer, key);
  else
    tsr_json_writer_raw (writer, key, g_ascii_formatd (text, sizeof text, "%.7g", share));
}

/* Types of one name are one member. */
static void
write_types (Listing *listing,
             TsrJsonWriter *writer,
             const char *key,
             const TsrTraceSums *sums,
             gboolean excluded)
{
  guint n = tsr_trace_get_n_types (listing->trace);

  tsr_json_writer_begin_object (writer, key);
  for (guint t = 0; t < n; t++)
    {
      const char *name = tsr_trace_get_type (listing->trace, t)->name;
      gboolean seen = FALSE;
      gint64 cycles = 0;

      for (guint i = 0; i < n; i++)
        {
          const TsrTraceType *type = tsr_trace_get_type (listing->trace, i);

          if (!g_str_equal (type->name, name))
            continue;
          seen = seen || i < t;
          if (sums->by_type[i] == TSR_UNKNOWN)
            continue;
          if (!excluded || type->start_up || (listing->hidden >> i & 1) != 0)
            cycles += sums->by_type[i];
        }
      if (!seen && cycles != 0)
        tsr_json_writer_int (writer, name, cycles);
    }
  tsr_json_writer_end_object (writer);
}

static void
write_ipu (Listing *listing, TsrJsonWriter *writer, guint ipu)
{
  TsrTraceSums sums;
  gint64 replica, place;

  tsr_trace_sum_run (listing->trace, get_run (listing), ipu, listing->range.from, listing->range.to,
                     listing->hidden, &sums);
  tsr_trace_get_replica (listing->trace, ipu, &replica, &place);
  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "ipu", ipu);
  tsr_json_writer_int (writer, "replica", replica);
  write_types (listing, writer, "cyclesByType", &sums, FALSE);
  tsr_json_writer_int (writer, "countedCycles", sums.counted);
  write_types (listing, writer, "excludedCyclesByType", &sums, TRUE);
  tsr_json_writer_double (writer, "tileUtilisation", sums.utilisation);
  write_share (writer, "tileBalance", sums.tile_balance);
  tsr_json_writer_int (writer, "streamCopyRx", add (sums.copy_in));
  tsr_json_writer_int (writer, "streamCopyTx", add (sums.copy_out));
  tsr_json_writer_int (writer, "globalExchangeRx", sums.global_in);
  tsr_json_writer_int (writer, "globalExchangeTx", sums.global_out);
  tsr_json_writer_end_object (writer);
}

static void
write_run (Listing *listing, TsrJsonWriter *writer, guint i)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (listing->trace);
  const TsrTraceRun *run = tsr_trace_get_run (listing->trace, i);
  gboolean empty = run->first_step >= run->end_step;
  gboolean timed = run_has_time (listing, run);

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "id", tables->run_id[i]);
  tsr_json_writer_string (writer, "name", run->name);
  tsr_json_writer_int (writer, "firstStep",
                       empty ? TSR_UNKNOWN
                             : tsr_execution_tables_get_step_id (tables, run->first_step));
  tsr_json_writer_int (writer, "endStep",
                       empty ? TSR_UNKNOWN
                             : tsr_execution_tables_get_step_id (tables, run->end_step - 1) + 1);
  tsr_json_writer_int (writer, "start", timed ? run->start : TSR_UNKNOWN);
  tsr_json_writer_int (writer, "end", timed ? run->end : TSR_UNKNOWN);
  tsr_json_writer_double (writer, "microseconds", run->microseconds);
  tsr_json_writer_end_object (writer);
}

static gboolean
is_run_listed (const Listing *listing, guint i)
{
  const TsrTraceRun *run = tsr_trace_get_run (listing->trace, i);

  if (listing->range.run != TSR_NO_INDEX)
    return i == listing->range.run;
  return run->start == run->end
         || (run->start < listing->range.to && run->end > listing->range.from);
}

static void
write_json (Listing *listing)
{
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();
  gint64 listed = 0;
  guint first, end;

  get_ipus (listing, &first, &end);
  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "totalCycles", get_total (listing));
  tsr_json_writer_begin_array (writer, "ipus");
  for (guint ipu = first; ipu < end && listed < listing->cli->limit; ipu++, listed++)
    write_ipu (listing, writer, ipu);
  tsr_json_writer_end_array (writer);
  tsr_json_writer_begin_array (writer, "runs");
  for (guint i = 0; i < tsr_trace_get_n_runs (listing->trace); i++)
    if (is_run_listed (listing, i))
      write_run (listing, writer, i);
  tsr_json_writer_end_array (writer);
  if (listed < (gint64)end - first)
    tsr_json_writer_boolean (writer, "truncated", TRUE);
  tsr_cli_end_json (listing->cli, writer, FALSE);
}

/* --------------------------------------------------------- tables, CSV too */

static void
print_ipus (Listing *listing)
{
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (listing->cli);
  gint64 listed = 0;
  guint first, end;

  get_ipus (listing, &first, &end);
  tsr_cli_table_add_column (table, _ ("IPU"), "ipu", TRUE);
  tsr_cli_table_add_column (table, _ ("Replica"), "replica", TRUE);
  tsr_cli_table_add_column (table, _ ("Counted"), "countedCycles", TRUE);
  tsr_cli_table_add_column (table, _ ("Not counted"), "excludedCycles", TRUE);
  tsr_cli_table_add_column (table, _ ("Utilisation"), "tileUtilisation", TRUE);
  tsr_cli_table_add_column (table, _ ("Balance"), "tileBalance", TRUE);
  tsr_cli_table_add_column (table, _ ("Copied in"), "streamCopyRx", TRUE);
  tsr_cli_table_add_column (table, _ ("Copied out"), "streamCopyTx", TRUE);
  tsr_cli_table_add_column (table, _ ("Inter-IPU in"), "globalExchangeRx", TRUE);
  tsr_cli_table_add_column (table, _ ("Inter-IPU out"), "globalExchangeTx", TRUE);
  for (guint ipu = first; ipu < end && listed < listing->cli->limit; ipu++, listed++)
    {
      TsrTraceSums sums;
      gint64 replica, place;

      tsr_trace_sum_run (listing->trace, get_run (listing), ipu, listing->range.from,
                         listing->range.to, listing->hidden, &sums);
      tsr_trace_get_replica (listing->trace, ipu, &replica, &place);
      tsr_cli_table_index (table, ipu);
      tsr_cli_table_index (table, replica);
      tsr_cli_table_count (table, sums.counted);
      tsr_cli_table_count (table, sums.excluded);
      tsr_cli_trace_share (table, listing->cli, sums.utilisation);
      tsr_cli_trace_share (table, listing->cli, sums.tile_balance);
      tsr_cli_table_bytes (table, add (sums.copy_in));
      tsr_cli_table_bytes (table, add (sums.copy_out));
      tsr_cli_table_bytes (table, sums.global_in);
      tsr_cli_table_bytes (table, sums.global_out);
    }
  tsr_cli_table_finish (table);
  if (listing->cli->format == TSR_FORMAT_TEXT && listed < (gint64)end - first)
    {
      guint more = (guint)(end - first - listed);
      g_autofree char *count = tsr_units_dup_count (more);

      printf (ngettext ("%s more IPU is not listed\n", "%s more IPUs are not listed\n", more),
              count);
    }
}

/* "27,960,351 cycles, 21.0 ms"; a dash for TSR_UNKNOWN. */
static char *
dup_cycles (Listing *listing, gint64 cycles)
{
  double clock = tsr_trace_get_clock (listing->trace);
  g_autofree char *count = tsr_units_dup_count (cycles);

  if (cycles == TSR_UNKNOWN)
    return g_steal_pointer (&count);
  if (isnan (clock))
    return g_strdup_printf (_ ("%s cycles"), count);
  return g_strdup_printf (_ ("%s cycles, %.4g ms"), count, (double)cycles / clock * 1e3);
}

static void
print_head (Listing *listing)
{
  g_autofree char *total = dup_cycles (listing, get_total (listing));

  tsr_cli_print_heading (_ ("Execution"));
  tsr_cli_print_field (_ ("Length"), total);
  for (guint i = 0; i < tsr_trace_get_n_runs (listing->trace); i++)
    {
      const TsrTraceRun *run = tsr_trace_get_run (listing->trace, i);
      g_autofree char *name = NULL;
      g_autofree char *length = NULL;

      if (!is_run_listed (listing, i))
        continue;
      name
          = tsr_cli_dup_printable (run->name != NULL && *run->name != '\0' ? run->name : _ ("Run"));
      length
          = dup_cycles (listing, run_has_time (listing, run) ? run->end - run->start : TSR_UNKNOWN);
      tsr_cli_print_field (name, length);
    }
  putchar ('\n');
}

/* -------------------------------------------------------------------- steps */

/* Slices by step, then IPU: a counting sort, whatever order they have in time. (transfer full)
 * (nullable): NULL when there is no memory. */
static guint32 *
order_by_step (const Listing *listing, gsize *n)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (listing->trace);
  g_autofree guint32 *place = g_try_new0 (guint32, (gsize)tables->n_steps + 1);
  guint32 *order;
  guint first, end;

  get_ipus (listing, &first, &end);
  *n = tables->ipu_start[end] - tables->ipu_start[first];
  order = g_try_new (guint32, MAX (*n, 1));
  if (place == NULL || order == NULL)
    {
      g_free (order);
      return NULL;
    }
  for (gsize s = tables->ipu_start[first]; s < tables->ipu_start[end]; s++)
    place[tables->slice_step[s] + 1]++;
  for (guint i = 0; i < tables->n_steps; i++)
    place[i + 1] += place[i];
  for (gsize s = tables->ipu_start[first]; s < tables->ipu_start[end]; s++)
    order[place[tables->slice_step[s]]++] = (guint32)s;
  return order;
}

static gboolean
is_step_listed (const Listing *listing, guint32 slice)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (listing->trace);

  if ((listing->hidden >> tsr_trace_get_slice_type (listing->trace, slice) & 1) != 0)
    return FALSE;
  if (!is_in_run (listing, tables, slice))
    return FALSE;
  /* Without a range also the steps whose time is not told. */
  return !listing->range.cut || touches (listing, tables, slice);
}

static void
write_step (TsrJsonWriter *writer, const TsrTraceSlice *slice)
{
  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_int (writer, "step", slice->step_id);
  tsr_json_writer_int (writer, "ipu", slice->ipu);
  tsr_json_writer_string (writer, "type", slice->type_name);
  tsr_json_writer_string (writer, "name", slice->name);
  tsr_json_writer_int (writer, "start", slice->start);
  tsr_json_writer_int (writer, "end", slice->end);
  tsr_json_writer_int (writer, "leadIn", slice->lead_in);
  tsr_json_writer_int (writer, "cycles", slice->cycles);
  tsr_json_writer_int (writer, "activeTiles", slice->active_tiles);
  write_share (writer, "tileBalance", slice->tile_balance);
  write_share (writer, "activeTileBalance", slice->active_tile_balance);
  tsr_json_writer_int (writer, "dataIn", slice->data_in);
  tsr_json_writer_int (writer, "dataOut", slice->data_out);
  tsr_json_writer_end_object (writer);
}

static void
add_step_columns (TsrCliTable *table, gboolean people)
{
  tsr_cli_table_add_column (table, _ ("Step"), "step", TRUE);
  tsr_cli_table_add_column (table, _ ("IPU"), "ipu", TRUE);
  tsr_cli_table_add_column (table, _ ("Type"), "type", FALSE);
  if (!people)
    tsr_cli_table_add_column (table, "", "name", FALSE);
  tsr_cli_table_add_column (table, _ ("Start"), "start", TRUE);
  tsr_cli_table_add_column (table, _ ("End"), "end", TRUE);
  tsr_cli_table_add_column (table, _ ("Lead-in"), "leadIn", TRUE);
  tsr_cli_table_add_column (table, _ ("Cycles"), "cycles", TRUE);
  tsr_cli_table_add_column (table, _ ("Active tiles"), "activeTiles", TRUE);
  tsr_cli_table_add_column (table, _ ("Balance"), "tileBalance", TRUE);
  tsr_cli_table_add_column (table, _ ("Of active tiles"), "activeTileBalance", TRUE);
  tsr_cli_table_add_column (table, _ ("Data in"), "dataIn", TRUE);
  tsr_cli_table_add_column (table, _ ("Data out"), "dataOut", TRUE);
  if (people)
    tsr_cli_table_add_column (table, _ ("Name"), "", FALSE);
}

static void
print_step (TsrCliTable *table, const TsrCli *cli, const TsrTraceSlice *slice)
{
  gboolean people = cli->format == TSR_FORMAT_TEXT;

  tsr_cli_table_index (table, slice->step_id);
  tsr_cli_table_index (table, slice->ipu);
  tsr_cli_table_text (table, slice->type_name);
  if (!people)
    tsr_cli_table_text (table, slice->name);
  tsr_cli_table_count (table, slice->start);
  tsr_cli_table_count (table, slice->end);
  tsr_cli_table_count (table, slice->lead_in);
  tsr_cli_table_count (table, slice->cycles);
  tsr_cli_table_count (table, slice->active_tiles);
  tsr_cli_trace_share (table, cli, slice->tile_balance);
  tsr_cli_trace_share (table, cli, slice->active_tile_balance);
  tsr_cli_table_bytes (table, slice->data_in);
  tsr_cli_table_bytes (table, slice->data_out);
  if (people)
    tsr_cli_table_text (table, slice->name);
}

/* Steps as JSON when @writer is given, else into @table; FALSE when interrupted. */
static gboolean
list_steps (Listing *listing,
            const guint32 *order,
            gsize n,
            TsrJsonWriter *writer,
            TsrCliTable *table,
            guint64 *more)
{
  gint64 listed = 0;

  *more = 0;
  for (gsize i = 0; i < n; i++)
    {
      TsrTraceSlice slice;

      if (i % 4096 == 0 && g_cancellable_is_cancelled (listing->cli->cancellable))
        return FALSE;
      if (!is_step_listed (listing, order[i]))
        continue;
      if (listed++ >= listing->cli->limit)
        {
          ++*more;
          continue;
        }
      tsr_trace_get_slice (listing->trace, order[i], &slice);
      if (writer != NULL)
        write_step (writer, &slice);
      else
        print_step (table, listing->cli, &slice);
    }
  return TRUE;
}

static void
print_steps (Listing *listing)
{
  gsize n;
  g_autofree guint32 *order = order_by_step (listing, &n);
  gboolean whole;
  guint64 more;

  if (order == NULL)
    {
      tsr_cli_fail (listing->cli, _ ("%s: There is not enough memory to list the steps"),
                    listing->cli->path);
      return;
    }
  if (listing->cli->format == TSR_FORMAT_JSON)
    {
      g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();

      tsr_json_writer_begin_array (writer, NULL);
      whole = list_steps (listing, order, n, writer, NULL, &more);
      tsr_cli_end_json (listing->cli, writer, !whole);
    }
  else
    {
      g_autoptr (TsrCliTable) table = tsr_cli_table_new (listing->cli);
      gboolean people = listing->cli->format == TSR_FORMAT_TEXT;

      add_step_columns (table, people);
      whole = list_steps (listing, order, n, NULL, table, &more);
      tsr_cli_table_finish (table);
      if (people && more > 0)
        {
          g_autofree char *count = tsr_units_dup_count ((gint64)more);

          printf (ngettext ("%s more step is not listed\n", "%s more steps are not listed\n", more),
                  count);
        }
      tsr_cli_flush (listing->cli);
    }
  if (!whole)
    listing->cli->status = MAX (listing->cli->status, TSR_EXIT_ERRORS);
}

/* --------------------------------------------------------------------- run */

static void
print_trace (Listing *listing, gboolean steps)
{
  if (steps)
    print_steps (listing);
  else if (listing->cli->format == TSR_FORMAT_JSON)
    write_json (listing);
  else
    {
      if (listing->cli->format == TSR_FORMAT_TEXT)
        print_head (listing);
      print_ipus (listing);
      tsr_cli_flush (listing->cli);
    }
}

int
tsr_cli_run_trace (TsrCli *cli, int argc, char **argv)
{
  TsrCliTraceWords words = { 0 };
  g_autofree char *exclude = NULL;
  g_autofree char *step = NULL;
  g_autofree char *group = NULL;
  g_autofree char *depth = NULL;
  g_autofree char *expression = NULL;
  g_autofree char *replica = NULL;
  gboolean steps = FALSE, flushes = FALSE;
  const GOptionEntry entries[] = {
    { "from", 0, 0, G_OPTION_ARG_STRING, &words.from, N_ ("from this cycle on"), N_ ("C") },
    { "to", 0, 0, G_OPTION_ARG_STRING, &words.to, N_ ("up to this cycle"), N_ ("C") },
    { "ipu", 0, 0, G_OPTION_ARG_STRING, &words.ipu, N_ ("one IPU, counted over all replicas"),
      N_ ("N") },
    { "run", 0, 0, G_OPTION_ARG_STRING, &words.run, N_ ("the steps of one run"), N_ ("N") },
    { "exclude", 'x', 0, G_OPTION_ARG_STRING, &exclude,
      N_ ("types of steps that do not count, with commas between them"), N_ ("TYPES") },
    { "steps", 0, 0, G_OPTION_ARG_NONE, &steps, N_ ("the steps, one by one"), NULL },
    { "step", 0, 0, G_OPTION_ARG_STRING, &step,
      N_ ("with --table=details: steps by id, as in 12,13:1 for the second IPU"), N_ ("LIST") },
    { "group-by", 0, 0, G_OPTION_ARG_STRING, &group,
      N_ ("with --table=aggregate: name, prefix, type, compute-set, regex, tree or blocks"),
      N_ ("WHAT") },
    { "depth", 0, 0, G_OPTION_ARG_STRING, &depth, N_ ("parts of a prefix, split at /"), N_ ("N") },
    { "expression", 0, 0, G_OPTION_ARG_STRING, &expression,
      N_ ("with --group-by=regex: what its first group matches is the row"), N_ ("REGEX") },
    { "flushes", 0, 0, G_OPTION_ARG_NONE, &flushes,
      N_ ("with --group-by=blocks: with the profiler's own copies"), NULL },
    { "replica", 0, 0, G_OPTION_ARG_STRING, &replica,
      N_ ("with --table=stages: which replica, counted from 0"), N_ ("N") },
    { NULL }
  };
  Listing listing = { .cli = cli };

  if (tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS | TSR_CLI_TABLE,
                     argc, argv)
      && cli->table != NULL)
    tsr_cli_print_table (cli, &(TsrCliTableWords){ .trace = &words,
                                                   .exclude = exclude,
                                                   .steps = step,
                                                   .group = group,
                                                   .depth = depth,
                                                   .expression = expression,
                                                   .replica = replica,
                                                   .flushes = flushes });
  else if (cli->status == TSR_EXIT_FINE)
    {
      listing.trace = tsr_cli_trace_open (
          cli, TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED,
          &listing.report);
      listing.range.cut = words.from != NULL || words.to != NULL;
      if (listing.trace != NULL
          && tsr_cli_trace_range (cli, listing.trace, &words, FALSE, &listing.range)
          && tsr_cli_trace_exclude (cli, listing.trace, exclude, &listing.hidden))
        print_trace (&listing, steps);
      if (listing.trace != NULL)
        tsr_cli_say_diagnostics (cli, listing.report);
    }
  g_clear_pointer (&listing.trace, tsr_trace_unref);
  g_clear_object (&listing.report);
  tsr_cli_trace_words_clear (&words);
  return cli->status;
}
