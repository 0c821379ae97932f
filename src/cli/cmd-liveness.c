/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli liveness: the live memory of a source at each step, or the variables that are live at
 * one. */

#include "config.h"

#include "tsr-cli-tables.h"
#include "tsr-error.h"
#include "tsr-liveness.h"

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

  if (!open_report (listing,
                    TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN | TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_LOWERED))
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
  if (!few && !open_report (listing, TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN | TSR_LOAD_NO_EXECUTION))
    return FALSE;
  ok = (!few || load_tiles (listing, &error)) && compute (listing, &error);
  if (ok)
    return TRUE;
  tsr_cli_say_diagnostics (listing->cli, listing->report);
  tsr_cli_fail (listing->cli, "%s: %s", listing->cli->path, error->message);
  return FALSE;
}

/* -------------------------------------------------------------------- JSON */

static gint64
known_index (guint step)
{
  return step != TSR_NO_INDEX ? (gint64)step : TSR_UNKNOWN;
}

static void
write_step (Listing *listing, TsrJsonWriter *writer, guint step)
{
  tsr_json_writer_int (writer, "step", step);
  tsr_json_writer_int (writer, "program", get_tables (listing)->step_program_id[step]);
  tsr_json_writer_int (writer, "notAlwaysLive", listing->series->not_always_live[step]);
}

static void
write_steps (Listing *listing, TsrJsonWriter *writer)
{
  const TsrLivenessSeries *series = listing->series;
  g_autofree char *source = tsr_liveness_source_dup_text (listing->memory, &listing->source);
  guint n = MIN (listing->cli->limit, series->n_steps);

  tsr_json_writer_string (writer, "source", source);
  tsr_json_writer_int (writer, "alwaysLive", series->always_live);
  tsr_json_writer_int (writer, "peakStep", known_index (series->peak_step));
  tsr_json_writer_int (writer, "peakBytes", series->peak_bytes);
  tsr_json_writer_begin_array (writer, "steps");
  for (guint step = 0; step < n; step++)
    {
      tsr_json_writer_begin_object (writer, NULL);
      write_step (listing, writer, step);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
  if (n < series->n_steps)
    tsr_json_writer_boolean (writer, "truncated", TRUE);
}

static void
write_variables (Listing *listing, TsrJsonWriter *writer)
{
  guint n = MIN (listing->cli->limit, listing->list->len);

  write_step (listing, writer, listing->step);
  tsr_json_writer_begin_array (writer, "variables");
  for (guint i = 0; i < n; i++)
    {
      const TsrVariableBytes *entry = &g_array_index (listing->list, TsrVariableBytes, i);

      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_string (writer, "name",
                              tsr_variables_get_name (listing->variables, entry->variable));
      tsr_json_writer_int (writer, "bytes", entry->bytes);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
  if (n < listing->list->len)
    tsr_json_writer_boolean (writer, "truncated", TRUE);
}

static void
write_json (Listing *listing)
{
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();

  tsr_json_writer_begin_object (writer, NULL);
  if (listing->list != NULL)
    write_variables (listing, writer);
  else
    write_steps (listing, writer);
  tsr_cli_end_json (listing->cli, writer, FALSE);
}

/* --------------------------------------------------------- tables, CSV too */

static void
print_steps (Listing *listing)
{
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (listing->cli);
  gboolean people = listing->cli->format == TSR_FORMAT_TEXT;
  guint n = MIN (listing->cli->limit, listing->series->n_steps);

  tsr_cli_table_add_column (table, _ ("Step"), "step", TRUE);
  tsr_cli_table_add_column (table, _ ("Program"), "program", TRUE);
  tsr_cli_table_add_column (table, _ ("Not always live"), "notAlwaysLive", TRUE);
  if (people)
    {
      tsr_cli_table_add_column (table, _ ("Type"), "", FALSE);
      tsr_cli_table_add_column (table, _ ("Name"), "", FALSE);
    }
  for (guint step = 0; step < n; step++)
    {
      tsr_cli_table_index (table, step);
      tsr_cli_table_index (table, get_tables (listing)->step_program_id[step]);
      tsr_cli_table_bytes (table, listing->series->not_always_live[step]);
      if (!people)
        continue;
      tsr_cli_table_text (table, tsr_liveness_get_step_type (listing->liveness, step));
      tsr_cli_table_text (table, tsr_liveness_get_step_name (listing->liveness, step));
    }
  tsr_cli_table_finish (table);
  if (people && n < listing->series->n_steps)
    {
      guint more = listing->series->n_steps - n;
      g_autofree char *count = tsr_units_dup_count (more);

      printf (ngettext ("%s more step is not listed\n", "%s more steps are not listed\n", more),
              count);
    }
}

static void
print_variables (Listing *listing)
{
  g_autoptr (TsrCliTable) table = tsr_cli_table_new (listing->cli);
  guint n = MIN (listing->cli->limit, listing->list->len);

  tsr_cli_table_add_column (table, _ ("Bytes"), "bytes", TRUE);
  tsr_cli_table_add_column (table, _ ("Variable"), "name", FALSE);
  for (guint i = 0; i < n; i++)
    {
      const TsrVariableBytes *entry = &g_array_index (listing->list, TsrVariableBytes, i);

      tsr_cli_table_bytes (table, entry->bytes);
      tsr_cli_table_text (table, tsr_variables_get_name (listing->variables, entry->variable));
    }
  tsr_cli_table_finish (table);
  if (listing->cli->format == TSR_FORMAT_TEXT && n < listing->list->len)
    {
      guint more = listing->list->len - n;
      g_autofree char *count = tsr_units_dup_count (more);

      printf (
          ngettext ("%s more variable is not listed\n", "%s more variables are not listed\n", more),
          count);
    }
}

static void
print_field (Listing *listing, const char *name, gint64 bytes)
{
  g_autofree char *text = tsr_units_dup_bytes (listing->cli->units, bytes);

  tsr_cli_print_field (name, text);
}

static void
print_index (const char *name, gint64 number)
{
  g_autofree char *text = number == TSR_UNKNOWN ? NULL : g_strdup_printf ("%" PRId64, number);

  tsr_cli_print_field (name, text);
}

static void
print_head (Listing *listing)
{
  const TsrLivenessSeries *series = listing->series;
  g_autofree char *label = tsr_liveness_source_dup_label (listing->memory, &listing->source);
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
  print_index (listing->list != NULL ? _ ("Step") : _ ("Peak step"), known_index (step));
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
  if (listing->cli->format == TSR_FORMAT_JSON)
    write_json (listing);
  else
    {
      if (listing->cli->format == TSR_FORMAT_TEXT)
        print_head (listing);
      if (listing->list != NULL)
        print_variables (listing);
      else
        print_steps (listing);
      tsr_cli_flush (listing->cli);
    }
  tsr_cli_say_diagnostics (listing->cli, listing->report);
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
      N_ ("the variables that are not always live and live at this step; with --table steps, with "
          "commas between them"),
      N_ ("N") },
    { "group-by", 0, 0, G_OPTION_ARG_STRING, &group,
      N_ ("with --table: rows of a variable, prefix, category or life; of cycle-estimates of a "
          "type or tile"),
      N_ ("WHAT") },
    { "depth", 0, 0, G_OPTION_ARG_STRING, &depth, N_ ("parts of a prefix, split at /"), N_ ("N") },
    { "gone", 0, 0, G_OPTION_ARG_NONE, &gone,
      N_ ("with --table=a-to-b: only what is live at the first step and gone by the second"),
      NULL },
    { "no-always-live", 0, 0, G_OPTION_ARG_NONE, &no_always_live,
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
