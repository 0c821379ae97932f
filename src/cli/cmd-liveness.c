/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli liveness: the live memory of a source at each step, or the variables that are live at
 * one. */

#include "config.h"

#include "tsr-cli-tables.h"
#include "tsr-error.h"
#include "tsr-liveness.h"
#include "tsr-records.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>

typedef struct
{
  TsrCli *cli;
  const char *words; /* --source */
  gint64 step;       /* TSR_UNKNOWN without --step */
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrLiveness *liveness;
  TsrLivenessSource source;
  TsrLivenessSeries *series;
  GArray *list; /* TsrVariableBytes, with --step */
} Listing;

static void
listing_close (Listing *listing)
{
  g_clear_pointer (&listing->list, g_array_unref);
  g_clear_pointer (&listing->series, tsr_liveness_series_unref);
  tsr_liveness_source_clear (&listing->source);
  g_clear_pointer (&listing->liveness, tsr_liveness_unref);
  g_clear_pointer (&listing->variables, tsr_variables_unref);
  g_clear_pointer (&listing->memory, tsr_memory_unref);
  g_clear_object (&listing->report);
}

static const TsrLivenessTables *
get_tables (Listing *listing)
{
  return tsr_report_get_liveness_tables (listing->report);
}

/* ----------------------------------------------------------------- loading */

/* The report with @flags, up to what the source needs; FALSE after saying why not. */
static gboolean
open_report (Listing *listing, TsrLoadFlags flags)
{
  TsrCli *cli = listing->cli;
  g_autoptr (GError) error = NULL;

  listing_close (listing);
  listing->report = tsr_cli_open (cli, flags);
  if (listing->report == NULL)
    return FALSE;
  if (tsr_report_get_memory_tables (listing->report) == NULL)
    return tsr_cli_fail_stage (cli, listing->report, TSR_STAGE_MEMORY) == TSR_EXIT_FINE;
  if (get_tables (listing) == NULL)
    return tsr_cli_fail_stage (cli, listing->report, TSR_STAGE_LIVENESS) == TSR_EXIT_FINE;
  listing->memory = tsr_memory_new (listing->report);
  listing->variables = tsr_variables_new (listing->report, cli->cancellable, &error);
  if (listing->variables == NULL
      || !tsr_liveness_source_parse (listing->memory, listing->words, &listing->source, &error))
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return FALSE;
    }
  listing->liveness = tsr_liveness_new (listing->report, listing->memory, listing->variables);
  return TRUE;
}

static gboolean
compute (Listing *listing, GError **error)
{
  GCancellable *cancellable = listing->cli->cancellable;

  g_clear_pointer (&listing->series, tsr_liveness_series_unref);
  g_clear_pointer (&listing->list, g_array_unref);
  if (listing->step != TSR_UNKNOWN)
    {
      listing->list
          = tsr_liveness_list_at (listing->liveness, &listing->source,
                                  (guint)MIN (listing->step, G_MAXUINT), cancellable, error);
      if (listing->list == NULL)
        return FALSE;
    }
  listing->series = tsr_liveness_compute (listing->liveness, &listing->source, cancellable, error);
  return listing->series != NULL;
}

/* Whether the tables of sums tell all that is asked for, so that the allocations need no look. */
static gboolean
is_told (Listing *listing)
{
  const TsrLivenessTables *tables = get_tables (listing);

  if (listing->source.kind == TSR_LIVENESS_TILES
      || (listing->step != TSR_UNKNOWN && listing->source.kind == TSR_LIVENESS_IPU)
      || !tsr_liveness_can_show (listing->liveness, &listing->source, NULL))
    return FALSE;
  return listing->step == TSR_UNKNOWN || tables->n_variables == 0
         || tables->lifetime_start[tables->n_variables] > 0;
}

/* More tiles than these are read faster in one scan of all. */
#define FEW_TILES 64

/* The allocations of the source's tiles and of no other; nothing changes without any. */
static gboolean
load_tiles (Listing *listing, GError **error)
{
  GError *local_error = NULL;
  TsrVariables *variables
      = tsr_variables_new_on_tiles (listing->report, listing->source.tiles, listing->source.n_tiles,
                                    listing->cli->cancellable, &local_error);

  if (variables != NULL)
    {
      tsr_liveness_unref (listing->liveness);
      tsr_variables_unref (listing->variables);
      listing->variables = variables;
      listing->liveness = tsr_liveness_new (listing->report, listing->memory, variables);
      return TRUE;
    }
  if (g_error_matches (local_error, TSR_ERROR, TSR_ERROR_MISSING_PART))
    {
      g_error_free (local_error);
      return TRUE;
    }
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
load (Listing *listing)
{
  g_autoptr (GError) error = NULL;
  gboolean few;
  gboolean ok;

  if (!open_report (listing, TSR_LOAD_LEAN | TSR_LOAD_NAMES | TSR_LOAD_NO_SCAN
                                 | TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_LOWERED | TSR_LOAD_NO_DEBUG))
    return FALSE;
  if (is_told (listing))
    {
      if (!compute (listing, &error))
        {
          tsr_cli_fail (listing->cli, "%s: %s", listing->cli->path, error->message);
          return FALSE;
        }
      if (listing->series->peak_bytes != TSR_UNKNOWN)
        return TRUE;
    }
  few = listing->source.kind == TSR_LIVENESS_TILES && listing->source.n_tiles <= FEW_TILES;
  if (!few
      && !open_report (listing, TSR_LOAD_LEAN | TSR_LOAD_NAMES | TSR_LOAD_NO_SCAN
                                    | TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_DEBUG))
    return FALSE;
  ok = (!few || load_tiles (listing, &error)) && compute (listing, &error);
  if (ok)
    return TRUE;
  tsr_cli_say_diagnostics (listing->cli, listing->report);
  tsr_cli_fail (listing->cli, "%s: %s", listing->cli->path, error->message);
  return FALSE;
}

/* ------------------------------------------------------------------- lists */

typedef struct
{
  gint64 step, program, bytes;
  const char *type, *name;
} Step;

static void
fill_step (gpointer data, guint32 row, gpointer record)
{
  Listing *listing = data;

  *(Step *)record = (Step){
    row,
    get_tables (listing)->step_program_id[row],
    listing->series->not_always_live[row],
    tsr_liveness_get_step_type (listing->liveness, row),
    tsr_liveness_get_step_name (listing->liveness, row),
  };
}

static TsrRows *
list_steps (Listing *listing)
{
  static const TsrField fields[] = {
    TSR_FIELD (Step, step, "step", N_ ("Step"), STEP),
    TSR_FIELD (Step, program, "program", N_ ("Program"), INDEX),
    TSR_FIELD (Step, bytes, "notAlwaysLive", N_ ("Not always live"), BYTES),
    TSR_FIELD (Step, type, NULL, N_ ("Type"), TEXT),
    TSR_FIELD (Step, name, NULL, N_ ("Name"), TEXT),
  };

  return tsr_records_new (listing->series->n_steps, fields, G_N_ELEMENTS (fields), sizeof (Step),
                          fill_step, listing);
}

typedef struct
{
  const char *name;
  gint64 bytes;
} Variable;

static void
fill_variable (gpointer data, guint32 row, gpointer record)
{
  Listing *listing = data;
  const TsrVariableBytes *entry = &g_array_index (listing->list, TsrVariableBytes, row);

  *(Variable *)record
      = (Variable){ tsr_variables_get_name (listing->variables, entry->variable), entry->bytes };
}

static TsrRows *
list_variables (Listing *listing)
{
  static const TsrField fields[] = {
    TSR_FIELD (Variable, name, "name", N_ ("Variable"), TEXT),
    TSR_FIELD (Variable, bytes, "bytes", N_ ("Bytes"), BYTES),
  };

  return tsr_records_new (listing->list->len, fields, G_N_ELEMENTS (fields), sizeof (Variable),
                          fill_variable, listing);
}

static gint64
known_index (guint step)
{
  return step != TSR_NO_INDEX ? (gint64)step : TSR_UNKNOWN;
}

static void
write_head (Listing *listing, TsrJsonWriter *writer)
{
  const TsrLivenessSeries *series = listing->series;
  g_autofree char *source = tsr_liveness_source_dup_text (&listing->source);

  tsr_json_writer_begin_object (writer, NULL);
  if (listing->list != NULL)
    {
      tsr_json_writer_int (writer, "step", listing->step);
      tsr_json_writer_int (writer, "program", get_tables (listing)->step_program_id[listing->step]);
      tsr_json_writer_int (writer, "notAlwaysLive", series->not_always_live[listing->step]);
      return;
    }
  tsr_json_writer_string (writer, "source", source);
  tsr_json_writer_int (writer, "alwaysLive", series->always_live);
  tsr_json_writer_int (writer, "peakStep", known_index (series->peak_step));
  tsr_json_writer_int (writer, "peakBytes", series->peak_bytes);
}

static void
print_field (Listing *listing, const char *name, gint64 bytes)
{
  g_autofree char *text = tsr_units_dup_bytes (listing->cli->units, bytes);

  tsr_cli_print_field (name, text);
}

static void
print_step (const char *name, gint64 number)
{
  g_autofree char *text = number == TSR_UNKNOWN ? NULL : tsr_units_dup_count (number);

  tsr_cli_print_field (name, text);
}

static void
print_head (Listing *listing)
{
  const TsrLivenessSeries *series = listing->series;
  g_autofree char *label = tsr_liveness_source_dup_label (&listing->source);
  guint step = listing->list != NULL ? (guint)listing->step : series->peak_step;

  tsr_cli_print_heading (listing->list != NULL ? _ ("Not always live at one step")
                                               : _ ("Live memory"));
  tsr_cli_print_field (_ ("Source"), label);
  if (listing->list == NULL)
    {
      print_field (listing, _ ("Capacity"), series->capacity);
      print_field (listing, _ ("Always live"), series->always_live);
      print_field (listing, _ ("Peak, always live included"), series->peak_bytes);
    }
  print_step (listing->list != NULL ? _ ("Step") : _ ("Peak step"), known_index (step));
  if (step != TSR_NO_INDEX)
    {
      tsr_cli_print_field (_ ("Type"), tsr_liveness_get_step_type (listing->liveness, step));
      tsr_cli_print_field (_ ("Name"), tsr_liveness_get_step_name (listing->liveness, step));
      print_field (listing, _ ("Not always live"), series->not_always_live[step]);
    }
  putchar ('\n');
}

/* --------------------------------------------------------------------- run */

static void
print_liveness (Listing *listing)
{
  TsrCli *cli = listing->cli;
  g_autoptr (TsrJsonWriter) writer = cli->format == TSR_FORMAT_JSON ? tsr_cli_begin_json () : NULL;
  gboolean done;

  if (writer != NULL)
    write_head (listing, writer);
  else if (cli->format == TSR_FORMAT_TEXT)
    print_head (listing);
  done = listing->list != NULL
             ? tsr_cli_list (cli, writer, "variables", list_variables (listing), NULL)
             : tsr_cli_list (cli, writer, "steps", list_steps (listing), NULL);
  if (writer != NULL)
    tsr_cli_end_json (cli, writer, !done);
  tsr_cli_flush (cli);
  tsr_cli_say_diagnostics (cli, listing->report);
}

int
tsr_cli_run_liveness (TsrCli *cli, int argc, char **argv)
{
  g_autofree char *source = NULL;
  g_autofree char *step = NULL;
  g_autofree char *group = NULL;
  g_autofree char *depth = NULL;
  gboolean gone = FALSE, no_always_live = FALSE;
  const GOptionEntry entries[] = {
    { "source", 's', 0, G_OPTION_ARG_STRING, &source,
      N_ ("where: all (the default), an IPU as in ipu0, or tiles as in tile5 or 0,5,10-20,top5"),
      N_ ("SOURCE") },
    { "step", 0, 0, G_OPTION_ARG_STRING, &step,
      N_ ("the variables that are not always live and live at this step; with --table steps, "
          "separated by commas"),
      N_ ("N") },
    { "group-by", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &group,
      N_ ("with --table: rows of a variable, prefix, category or life; of cycle-estimates of a "
          "type or tile"),
      N_ ("WHAT") },
    { "depth", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &depth,
      N_ ("parts of a prefix, split at /"), N_ ("N") },
    { "gone", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_NONE, &gone,
      N_ ("with --table=a-to-b: only what is live at the first step and gone by the second"),
      NULL },
    { "no-always-live", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_NONE, &no_always_live,
      N_ ("with --table=peak: without what is always live"), NULL },
    { NULL }
  };
  Listing listing = { .cli = cli, .step = TSR_UNKNOWN };

  if (!tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS | TSR_CLI_TABLE,
                      argc, argv))
    return cli->status;
  if (cli->table != NULL)
    return tsr_cli_print_table (cli, &(TsrCliTableWords){ .source = source,
                                                          .steps = step,
                                                          .group = group,
                                                          .depth = depth,
                                                          .gone = gone,
                                                          .no_always_live = no_always_live });
  listing.words = source != NULL ? source : "all";
  if (step != NULL && !g_ascii_string_to_signed (step, 10, 0, G_MAXUINT32 - 1, &listing.step, NULL))
    return tsr_cli_fail (cli, _ ("The step must be a whole number from 0 on, not \"%s\""), step);
  if (load (&listing))
    print_liveness (&listing);
  listing_close (&listing);
  return cli->status;
}
