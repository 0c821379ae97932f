/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli trace: what every IPU did in a range of cycles, or the steps themselves. */

#include "config.h"

#include "tsr-cli-tables.h"
#include "tsr-records.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct
{
  TsrCli *cli;
  TsrReport *report;
  TsrTrace *trace;
  TsrCliTraceRange range;
  guint32 hidden;
  GStringChunk *texts; /* of the lists */
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

/* --------------------------------------------------------------- IPUs, runs */

/* JSON: types of one name are one member. */
static const char *
make_types (Listing *listing, const TsrTraceSums *sums, gboolean excluded)
{
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
  g_autofree char *text = NULL;
  guint n = tsr_trace_get_n_types (listing->trace);

  tsr_json_writer_begin_object (writer, NULL);
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
  text = tsr_json_writer_dup_text (writer);
  return g_string_chunk_insert (listing->texts, text);
}

typedef struct
{
  gint64 ipu, replica, counted, excluded, copied_in, copied_out, global_in, global_out;
  double utilisation, balance;
  const char *types, *excluded_types; /* as JSON */
} Ipu;

static void
fill_ipu (gpointer data, guint32 row, gpointer record)
{
  Listing *listing = data;
  gboolean json = listing->cli->format == TSR_FORMAT_JSON;
  TsrTraceSums sums;
  gint64 replica, place;
  guint first, end;

  get_ipus (listing, &first, &end);
  tsr_trace_sum_run (listing->trace, get_run (listing), first + row, listing->range.from,
                     listing->range.to, listing->hidden, &sums);
  tsr_trace_get_replica (listing->trace, first + row, &replica, &place);
  *(Ipu *)record = (Ipu){ .ipu = first + row,
                          .replica = replica,
                          .counted = sums.counted,
                          .excluded = sums.excluded,
                          .copied_in = add (sums.copy_in),
                          .copied_out = add (sums.copy_out),
                          .global_in = sums.global_in,
                          .global_out = sums.global_out,
                          .utilisation = sums.utilisation,
                          .balance = sums.tile_balance,
                          .types = json ? make_types (listing, &sums, FALSE) : NULL,
                          .excluded_types = json ? make_types (listing, &sums, TRUE) : NULL };
}

static TsrRows *
list_ipus (Listing *listing)
{
  static const TsrField fields[] = {
    TSR_FIELD (Ipu, ipu, "ipu", N_ ("IPU"), INDEX),
    TSR_FIELD (Ipu, replica, "replica", N_ ("Replica"), INDEX),
    TSR_FIELD (Ipu, counted, "countedCycles", N_ ("Counted"), COUNT),
    TSR_FIELD (Ipu, excluded, "excludedCycles", N_ ("Not counted"), COUNT),
    TSR_FIELD (Ipu, utilisation, "tileUtilisation", N_ ("Utilisation"), SHARE),
    TSR_FIELD (Ipu, balance, "tileBalance", N_ ("Balance"), SHARE),
    TSR_FIELD (Ipu, copied_in, "streamCopyRx", N_ ("Copied in"), BYTES),
    TSR_FIELD (Ipu, copied_out, "streamCopyTx", N_ ("Copied out"), BYTES),
    TSR_FIELD (Ipu, global_in, "globalExchangeRx", N_ ("Inter-IPU in"), BYTES),
    TSR_FIELD (Ipu, global_out, "globalExchangeTx", N_ ("Inter-IPU out"), BYTES),
  };
  static const TsrField of_json[] = {
    TSR_FIELD (Ipu, ipu, "ipu", NULL, INDEX),
    TSR_FIELD (Ipu, replica, "replica", NULL, INDEX),
    TSR_FIELD (Ipu, types, "cyclesByType", NULL, JSON),
    TSR_FIELD (Ipu, counted, "countedCycles", NULL, COUNT),
    TSR_FIELD (Ipu, excluded_types, "excludedCyclesByType", NULL, JSON),
    TSR_FIELD (Ipu, utilisation, "tileUtilisation", NULL, SHARE),
    TSR_FIELD (Ipu, balance, "tileBalance", NULL, SHARE),
    TSR_FIELD (Ipu, copied_in, "streamCopyRx", NULL, BYTES),
    TSR_FIELD (Ipu, copied_out, "streamCopyTx", NULL, BYTES),
    TSR_FIELD (Ipu, global_in, "globalExchangeRx", NULL, BYTES),
    TSR_FIELD (Ipu, global_out, "globalExchangeTx", NULL, BYTES),
  };
  gboolean json = listing->cli->format == TSR_FORMAT_JSON;
  guint first, end;

  get_ipus (listing, &first, &end);
  return tsr_records_new (end - first, json ? of_json : fields,
                          json ? G_N_ELEMENTS (of_json) : G_N_ELEMENTS (fields), sizeof (Ipu),
                          fill_ipu, listing);
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
      name = tsr_print_dup_clean (run->name != NULL && *run->name != '\0' ? run->name : _ ("Run"));
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

typedef struct
{
  TsrTraceSlice slice;
  gint64 ipu;
} Step;

typedef struct
{
  const TsrTrace *trace;
  const guint32 *slices;
} Steps;

static void
fill_step (gpointer data, guint32 row, gpointer record)
{
  const Steps *steps = data;
  Step *step = record;

  tsr_trace_get_slice (steps->trace, steps->slices[row], &step->slice);
  step->ipu = step->slice.ipu;
}

static void
print_steps (Listing *listing)
{
  static const TsrField fields[] = {
    TSR_FIELD (Step, slice.step_id, "step", N_ ("Step"), INDEX),
    TSR_FIELD (Step, ipu, "ipu", N_ ("IPU"), INDEX),
    TSR_FIELD (Step, slice.type_name, "type", N_ ("Type"), TEXT),
    TSR_FIELD (Step, slice.name, "name", NULL, TEXT),
    TSR_FIELD (Step, slice.start, "start", N_ ("Start"), COUNT),
    TSR_FIELD (Step, slice.end, "end", N_ ("End"), COUNT),
    TSR_FIELD (Step, slice.lead_in, "leadIn", N_ ("Lead-in"), COUNT),
    TSR_FIELD (Step, slice.cycles, "cycles", N_ ("Cycles"), COUNT),
    TSR_FIELD (Step, slice.active_tiles, "activeTiles", N_ ("Active tiles"), COUNT),
    TSR_FIELD (Step, slice.tile_balance, "tileBalance", N_ ("Balance"), SHARE),
    TSR_FIELD (Step, slice.active_tile_balance, "activeTileBalance", N_ ("Of active tiles"), SHARE),
    TSR_FIELD (Step, slice.data_in, "dataIn", N_ ("Data in"), BYTES),
    TSR_FIELD (Step, slice.data_out, "dataOut", N_ ("Data out"), BYTES),
    TSR_FIELD (Step, slice.name, NULL, N_ ("Name"), TEXT),
  };
  gsize n, listed = 0;
  g_autofree guint32 *order = order_by_step (listing, &n);
  Steps steps = { listing->trace, order };

  if (order == NULL)
    {
      tsr_cli_fail (listing->cli, _ ("%s: There is not enough memory to list the steps"),
                    listing->cli->path);
      return;
    }
  for (gsize i = 0; i < n; i++)
    if (is_step_listed (listing, order[i]))
      order[listed++] = order[i];
  tsr_cli_print_list (listing->cli,
                      tsr_records_new ((guint32)listed, fields, G_N_ELEMENTS (fields),
                                       sizeof (Step), fill_step, &steps),
                      NULL);
}

/* --------------------------------------------------------------------- run */

static void
print_trace (Listing *listing)
{
  TsrCli *cli = listing->cli;
  g_autoptr (TsrJsonWriter) writer = cli->format == TSR_FORMAT_JSON ? tsr_cli_begin_json () : NULL;
  gboolean done;

  listing->texts = g_string_chunk_new (4096);
  if (writer != NULL)
    {
      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_int (writer, "totalCycles", get_total (listing));
    }
  else if (cli->format == TSR_FORMAT_TEXT)
    print_head (listing);
  done = tsr_cli_list (cli, writer, "ipus", list_ipus (listing), NULL);
  if (writer != NULL)
    {
      tsr_json_writer_begin_array (writer, "runs");
      for (guint i = 0; i < tsr_trace_get_n_runs (listing->trace); i++)
        if (is_run_listed (listing, i))
          write_run (listing, writer, i);
      tsr_json_writer_end_array (writer);
      tsr_cli_end_json (cli, writer, !done);
    }
  tsr_cli_flush (cli);
  g_string_chunk_free (listing->texts);
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
  const GOptionEntry entries[]
      = { { "from", 0, 0, G_OPTION_ARG_STRING, &words.from, N_ ("from this cycle on"), N_ ("C") },
          { "to", 0, 0, G_OPTION_ARG_STRING, &words.to, N_ ("up to this cycle"), N_ ("C") },
          { "ipu", 0, 0, G_OPTION_ARG_STRING, &words.ipu, N_ ("one IPU, counted over all replicas"),
            N_ ("N") },
          { "run", 0, 0, G_OPTION_ARG_STRING, &words.run, N_ ("the steps of one run"), N_ ("N") },
          { "exclude", 'x', 0, G_OPTION_ARG_STRING, &exclude,
            N_ ("types of steps that are not counted, separated by commas"), N_ ("TYPES") },
          { "steps", 0, 0, G_OPTION_ARG_NONE, &steps, N_ ("the steps, one by one"), NULL },
          { "step", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &step,
            N_ ("with --table=details: steps by id, as in 12,13:1 for the second IPU"),
            N_ ("LIST") },
          { "group-by", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &group,
            N_ ("with --table=aggregate: name, prefix, type, compute-set, regex, tree or blocks"),
            N_ ("WHAT") },
          { "depth", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &depth,
            N_ ("parts of a prefix, split at /"), N_ ("N") },
          { "expression", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &expression,
            N_ ("with --group-by=regex: what its first group matches is the row"), N_ ("REGEX") },
          { "flushes", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_NONE, &flushes,
            N_ ("with --group-by=blocks: with the profiler's own copies"), NULL },
          { "replica", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &replica,
            N_ ("with --table=stages: which replica, counted from 0"), N_ ("N") },
          { NULL } };
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
      listing.trace = tsr_cli_trace_open (cli,
                                          TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS
                                              | TSR_LOAD_NO_LOWERED | TSR_LOAD_NO_DEBUG,
                                          &listing.report);
      listing.range.cut = words.from != NULL || words.to != NULL;
      if (listing.trace != NULL
          && tsr_cli_trace_range (cli, listing.trace, &words, FALSE, &listing.range)
          && tsr_cli_trace_exclude (cli, listing.trace, exclude, &listing.hidden))
        steps ? print_steps (&listing) : print_trace (&listing);
      if (listing.trace != NULL)
        tsr_cli_say_diagnostics (cli, listing.report);
    }
  g_clear_pointer (&listing.trace, tsr_trace_unref);
  g_clear_object (&listing.report);
  tsr_cli_trace_words_clear (&words);
  return cli->status;
}
