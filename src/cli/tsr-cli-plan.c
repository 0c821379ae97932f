/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fix plan as text, CSV and JSON. */

#include "config.h"

#include "tsr-cli-plan.h"

#include "tsr-cli-tables.h"
#include "tsr-plan-rows.h"
#include "tsr-records.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>

typedef struct
{
  TsrCli *cli;
  TsrMemory *memory;
  TsrLiveness *liveness; /* (nullable) */
  TsrPlan *plan;
} Printing;

static gint64
get_index (guint index)
{
  return index != TSR_NO_INDEX ? (gint64)index : TSR_UNKNOWN;
}

/* ----------------------------------------------------------------- measures */

typedef struct
{
  const char *id, *kind, *title, *text, *missing, *option, *source;
  gint64 worst_tile, relief, cycles;
} MeasureLine;

static void
fill_measure (gpointer data, guint32 row, gpointer record)
{
  Printing *printing = data;
  guint n = 0;
  const TsrMeasure *measure = &tsr_plan_peek_measures (printing->plan, &n)[row];

  *(MeasureLine *)record
      = (MeasureLine){ measure->id,      tsr_measure_kind_get_nick (measure->kind),
                       measure->title,   measure->text,
                       measure->missing, measure->option,
                       measure->source,  measure->worst_tile,
                       measure->relief,  measure->cycles };
}

static TsrRows *
list_measures (Printing *printing)
{
  static const TsrField fields[] = {
    TSR_FIELD (MeasureLine, id, "id", N_ ("Measure"), TEXT),
    TSR_FIELD (MeasureLine, kind, "kind", NULL, TEXT),
    TSR_FIELD (MeasureLine, title, "title", NULL, TEXT),
    TSR_FIELD (MeasureLine, text, "text", NULL, TEXT),
    TSR_FIELD (MeasureLine, missing, "missing", NULL, TEXT),
    TSR_FIELD (MeasureLine, worst_tile, "bytesWorstTile", NULL, BYTES),
    TSR_FIELD (MeasureLine, relief, "relief", NULL, BYTES),
    TSR_FIELD (MeasureLine, cycles, "cycles", NULL, COUNT),
    TSR_FIELD (MeasureLine, option, "option", NULL, TEXT),
    TSR_FIELD (MeasureLine, source, "source", NULL, TEXT),
  };
  guint n = 0;

  tsr_plan_peek_measures (printing->plan, &n);
  return tsr_records_new (n, fields, G_N_ELEMENTS (fields), sizeof (MeasureLine), fill_measure,
                          printing);
}

static void
print_measure (Printing *printing, const TsrMeasure *measure)
{
  g_autofree char *title = tsr_print_dup_clean (measure->title);
  g_autofree char *text = tsr_print_dup_clean (measure->text);
  g_autofree char *id = tsr_print_dup_clean (measure->id);
  g_autofree char *worst = tsr_units_dup_bytes (printing->cli->units, measure->worst_tile);
  g_autofree char *relief = tsr_units_dup_bytes (printing->cli->units, measure->relief);

  printf ("\n%s\n  %s\n  %s\n", title, id, text);
  if (measure->missing != NULL)
    printf ("  %s\n", measure->missing);
  if (measure->worst_tile != TSR_UNKNOWN)
    tsr_cli_print_field (measure->kind == TSR_MEASURE_UPPER_BOUND
                             ? _ ("Saves up to, on the worst tile")
                             : _ ("Saves, on the worst tile"),
                         worst);
  if (measure->relief != TSR_UNKNOWN)
    tsr_cli_print_field (_ ("Of what is too much, all tiles"), relief);
  if (measure->cycles != TSR_UNKNOWN)
    {
      g_autofree char *cycles = tsr_finding_dup_cycles (measure->cycles);

      tsr_cli_print_field (_ ("Costs, estimated"), cycles);
    }
  else if (measure->saved != NULL)
    tsr_cli_print_field (_ ("Costs"), _ ("not known"));
  if (measure->option != NULL)
    tsr_cli_print_field (_ ("Set with"), measure->option);
  if (measure->source != NULL)
    tsr_cli_print_field (_ ("Documented in"), measure->source);
}

/* ----------------------------------------------------------------- forecast */

static void
write_number (TsrJsonWriter *writer, const char *key, const TsrPlanNumber *number)
{
  tsr_json_writer_begin_object (writer, key);
  tsr_json_writer_int (writer, "tiles", number->n_over);
  tsr_json_writer_int (writer, "worstTile", get_index (number->worst));
  tsr_json_writer_int (writer, "bytesWorstTile", number->most);
  tsr_json_writer_int (writer, "bytes", number->sum);
  tsr_json_writer_end_object (writer);
}

static void
write_forecast (Printing *printing, TsrJsonWriter *writer, const TsrForecast *forecast)
{
  guint n = 0;
  const TsrMeasure *measures = tsr_plan_peek_measures (printing->plan, &n);
  guint tile = forecast->peak_tile;

  tsr_json_writer_begin_array (writer, "set");
  for (guint i = 0; i < n; i++)
    if ((forecast->set >> i & 1) != 0)
      tsr_json_writer_string (writer, NULL, measures[i].id);
  tsr_json_writer_end_array (writer);
  tsr_json_writer_string (writer, "verdict", tsr_plan_verdict_get_nick (forecast->verdict));
  write_number (writer, "atBest", &forecast->best);
  write_number (writer, "packed", &forecast->packed);
  tsr_json_writer_begin_object (writer, "nextPeak");
  tsr_json_writer_int (writer, "tile", get_index (tile));
  tsr_json_writer_int (writer, "step",
                       tile != TSR_NO_INDEX ? get_index (forecast->peak_step[tile]) : TSR_UNKNOWN);
  tsr_json_writer_string (writer, "program", forecast->peak_name);
  tsr_json_writer_end_object (writer);
  tsr_json_writer_int (writer, "cycles", forecast->cycles);
  tsr_json_writer_int (writer, "unknownCycles", forecast->n_unknown_cycles);
}

/* --------------------------------------------------------------------- whole */

static void
write_head (Printing *printing, TsrJsonWriter *writer)
{
  static const char *const fits[] = { "fits", "out-of-memory", NULL };
  TsrPlanGrowth growth;

  tsr_plan_get_growth (printing->plan, &growth);
  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_string (writer, "status", fits[tsr_plan_get_fit (printing->plan)]);
  tsr_json_writer_string (writer, "missing", tsr_plan_get_missing (printing->plan));
  tsr_json_writer_int (writer, "worstTile", get_index (tsr_plan_get_worst (printing->plan)));
  tsr_json_writer_int (writer, "tilesOverflowing", tsr_plan_get_n_needing (printing->plan));
  tsr_json_writer_begin_object (writer, "growth");
  tsr_json_writer_double (writer, "atBest", growth.best);
  tsr_json_writer_int (writer, "atBestTile", get_index (growth.best_tile));
  tsr_json_writer_double (writer, "packed", growth.packed);
  tsr_json_writer_int (writer, "packedTile", get_index (growth.packed_tile));
  tsr_json_writer_end_object (writer);
}

static void
write_proposal (Printing *printing, TsrJsonWriter *writer, const TsrProposal *proposal)
{
  tsr_json_writer_begin_object (writer, "proposal");
  write_forecast (printing, writer, proposal->forecast);
  tsr_json_writer_int (writer, "candidates", proposal->n_candidates);
  tsr_json_writer_boolean (writer, "greedy", proposal->greedy);
  tsr_json_writer_boolean (writer, "upperBounds", proposal->bounded);
  tsr_json_writer_string (writer, "text", proposal->text);
  tsr_json_writer_end_object (writer);
}

static void
print_growth (Printing *printing)
{
  TsrPlanGrowth growth;

  g_autofree char *packed = NULL;
  g_autofree char *best = NULL;

  tsr_plan_get_growth (printing->plan, &growth);
  if (isnan (growth.packed) || isnan (growth.best))
    return;
  packed = tsr_units_dup_percent (growth.packed, 0);
  best = tsr_units_dup_percent (growth.best, 0);
  printf (
      tsr_plan_get_fit (printing->plan) == TSR_FITS
          /* Translators: shares of now, and the tiles that decide them. */
          ? _ ("What scales with the batch could grow to %s, packed as now (tile %u); to %s at "
               "best (tile %u)\n")
          : _ ("What scales with the batch would have to shrink to %s, packed as now (tile %u); "
               "to %s at best (tile %u)\n"),
      packed, growth.packed_tile, best, growth.best_tile);
}

static void
print_all_as_text (Printing *printing, const TsrProposal *proposal)
{
  g_autofree char *status = tsr_plan_dup_status (printing->plan);
  g_autofree char *rest = tsr_plan_dup_forecast_text (printing->plan, proposal->forecast);
  guint n = 0;
  const TsrMeasure *measures = tsr_plan_peek_measures (printing->plan, &n);

  tsr_cli_print_heading (status);
  print_growth (printing);
  for (guint i = 0; i < (guint)MIN (printing->cli->limit, n); i++)
    print_measure (printing, &measures[i]);
  printf ("\n");
  tsr_cli_print_heading (_ ("Proposal"));
  printf ("%s\n", proposal->text);
  for (guint i = 0; i < n; i++)
    if ((proposal->set >> i & 1) != 0)
      {
        g_autofree char *title = tsr_print_dup_clean (measures[i].title);
        g_autofree char *id = tsr_print_dup_clean (measures[i].id);

        printf ("- %s (%s)\n", title, id);
      }
  printf ("%s\n%s", tsr_plan_verdict_get_name (proposal->forecast->verdict), rest);
}

static gboolean
print_all (Printing *printing, GError **error)
{
  TsrCli *cli = printing->cli;
  g_autoptr (TsrProposal) proposal = NULL;
  g_autoptr (TsrJsonWriter) writer = NULL;
  gboolean done;

  if (cli->format != TSR_FORMAT_CSV)
    {
      proposal = tsr_plan_propose (printing->plan, cli->cancellable, error);
      if (proposal == NULL)
        return FALSE;
    }
  if (cli->format == TSR_FORMAT_TEXT)
    {
      print_all_as_text (printing, proposal);
      return TRUE;
    }
  if (cli->format == TSR_FORMAT_JSON)
    {
      writer = tsr_cli_begin_json ();
      write_head (printing, writer);
    }
  done = tsr_cli_list (cli, writer, "measures", list_measures (printing), NULL);
  if (writer != NULL)
    {
      write_proposal (printing, writer, proposal);
      tsr_cli_end_json (cli, writer, !done);
    }
  return TRUE;
}

static gboolean
print_forecast (Printing *printing, const char *ids, GError **error)
{
  TsrCli *cli = printing->cli;
  g_autoptr (TsrForecast) now = NULL, forecast = NULL;
  g_autoptr (TsrJsonWriter) writer = NULL;
  g_autoptr (TsrRowOrder) order = NULL;
  TsrRows *rows;
  TsrMeasureSet set;
  gboolean done;

  if (!tsr_plan_parse (printing->plan, ids, &set, error)
      || (now = tsr_plan_forecast (printing->plan, 0, cli->cancellable, error)) == NULL
      || (forecast = tsr_plan_forecast (printing->plan, set, cli->cancellable, error)) == NULL)
    return FALSE;
  rows = tsr_plan_rows_new (now, forecast, printing->memory, printing->liveness);
  order = tsr_cli_arrange (cli, rows, "packed");
  if (cli->format == TSR_FORMAT_TEXT)
    {
      g_autofree char *text = tsr_plan_dup_text (printing->plan, forecast, cli->path);

      printf ("%s\n", text);
    }
  if (cli->format == TSR_FORMAT_JSON)
    {
      writer = tsr_cli_begin_json ();
      write_head (printing, writer);
      write_forecast (printing, writer, forecast);
    }
  done = tsr_cli_list (cli, writer, "tiles", rows, &(TsrPrint){ .order = order });
  if (writer != NULL)
    tsr_cli_end_json (cli, writer, !done);
  return TRUE;
}

/* What cannot be planned is said by the plan. */
static TsrPlan *
make_plan (TsrCli *cli, TsrReport *report, Printing *printing, GError **error)
{
  g_autoptr (TsrVariables) variables = NULL;

  if (tsr_report_get_liveness_tables (report) != NULL)
    variables = tsr_variables_new (report, cli->cancellable, NULL);
  if (variables != NULL)
    printing->liveness = tsr_liveness_new (report, printing->memory, variables);
  return tsr_plan_new (report, printing->memory, printing->liveness, cli->units, cli->cancellable,
                       error);
}

int
tsr_cli_print_plan (TsrCli *cli, const char *ids)
{
  g_autoptr (TsrReport) report = tsr_cli_open (cli, TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_DEBUG);
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrLiveness) liveness = NULL;
  g_autoptr (TsrPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  Printing printing = { .cli = cli };
  gboolean ok;

  if (report == NULL)
    return cli->status;
  if (tsr_report_get_memory_tables (report) == NULL)
    return tsr_cli_fail_stage (cli, report, TSR_STAGE_MEMORY);
  printing.memory = memory = tsr_memory_new (report);
  printing.plan = plan = make_plan (cli, report, &printing, &error);
  liveness = printing.liveness;
  if (plan == NULL)
    return tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  if (tsr_plan_get_missing (plan) != NULL)
    return tsr_cli_fail (cli, "%s: %s", cli->path, tsr_plan_get_missing (plan));
  ok = ids != NULL && *ids != '\0' ? print_forecast (&printing, ids, &error)
                                   : print_all (&printing, &error);
  if (!ok)
    return tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  tsr_cli_flush (cli);
  tsr_cli_say_diagnostics (cli, report);
  return cli->status;
}
