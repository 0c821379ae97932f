/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli insights: whether a report fits, what fills it and what would help. */

#include "config.h"

#include "tsr-cli-plan.h"
#include "tsr-cli-tables.h"
#include "tsr-insights.h"
#include "tsr-records.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>

typedef struct
{
  TsrCli *cli;
  TsrReport *report;
  TsrMemory *memory;
  TsrInsights *insights;
} Printing;

static gint64
get_metric (Printing *printing, TsrMetric metric, guint tile)
{
  const gint64 *values = tsr_memory_peek (printing->memory, metric);

  return values != NULL ? values[tile] : TSR_UNKNOWN;
}

static gint64
get_ipu (Printing *printing, guint tile)
{
  if (tsr_memory_get_tiles_per_ipu (printing->memory) == TSR_UNKNOWN
      || tsr_memory_is_tiles_per_ipu_assumed (printing->memory))
    return TSR_UNKNOWN;
  return tsr_memory_get_ipu (printing->memory, tile);
}

static guint
get_bin_tiles (TsrInsights *insights, guint bin)
{
  guint n_ipus = 0;
  const guint *histogram = tsr_insights_peek_histogram (insights, &n_ipus);
  guint tiles = 0;

  for (guint ipu = 0; ipu < n_ipus; ipu++)
    tiles += histogram[ipu * (TSR_N_BINS + 1) + bin];
  return tiles;
}

/* -------------------------------------------------------------------- JSON */

static void
write_head (Printing *printing, TsrJsonWriter *writer)
{
  static const char *const statuses[] = { "fits", "out-of-memory", NULL };
  gint64 excluding = tsr_insights_get_excluding_gaps (printing->insights);
  gint64 whole = tsr_insights_get_memory_per_replica (printing->insights);
  guint n_top = 0;
  const guint *top = tsr_insights_peek_top (printing->insights, &n_top);

  tsr_json_writer_begin_object (writer, NULL);
  tsr_json_writer_string (writer, "status", statuses[tsr_insights_get_fit (printing->insights)]);
  tsr_json_writer_int (writer, "includingGaps",
                       tsr_insights_get_including_gaps (printing->insights));
  tsr_json_writer_int (writer, "excludingGaps", excluding);
  tsr_json_writer_int (writer, "memoryPerReplica", whole);
  tsr_json_writer_double (
      writer, "percent",
      excluding == TSR_UNKNOWN || whole <= 0 ? NAN : 100 * (double)excluding / (double)whole);
  tsr_json_writer_begin_array (writer, "topTiles");
  for (guint i = 0; i < n_top; i++)
    {
      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_int (writer, "tile", top[i]);
      tsr_json_writer_int (writer, "ipu", get_ipu (printing, top[i]));
      tsr_json_writer_int (writer, "includingGaps",
                           get_metric (printing, TSR_METRIC_INCLUDING_GAPS, top[i]));
      tsr_json_writer_int (writer, "excludingGaps",
                           get_metric (printing, TSR_METRIC_EXCLUDING_GAPS, top[i]));
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
  tsr_json_writer_begin_array (writer, "histogram");
  for (guint bin = 0; bin <= TSR_N_BINS; bin++)
    {
      gint64 from, to;

      tsr_insights_get_bin (printing->insights, bin, &from, &to);
      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_int (writer, "from", from);
      tsr_json_writer_int (writer, "to", bin == TSR_N_BINS ? TSR_UNKNOWN : to);
      tsr_json_writer_int (writer, "tiles", get_bin_tiles (printing->insights, bin));
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
}

static void
write_where (TsrJsonWriter *writer, const TsrFindingWhere *where)
{
  tsr_json_writer_begin_object (writer, "where");
  tsr_json_writer_string (writer, "view", tsr_view_get_key (where->view));
  tsr_json_writer_begin_array (writer, "tiles");
  for (guint i = 0; i < where->n_tiles; i++)
    tsr_json_writer_int (writer, NULL, where->tiles[i]);
  tsr_json_writer_end_array (writer);
  tsr_json_writer_int (writer, "step", where->step != TSR_NO_INDEX ? where->step : TSR_UNKNOWN);
  tsr_json_writer_begin_array (writer, "names");
  for (guint i = 0; where->names != NULL && where->names[i] != NULL; i++)
    tsr_json_writer_string (writer, NULL, where->names[i]);
  tsr_json_writer_end_array (writer);
  tsr_json_writer_string (writer, "breakdown", where->breakdown);
  tsr_json_writer_string (writer, "tab", where->tab);
  tsr_json_writer_int (writer, "run", where->run != TSR_NO_INDEX ? where->run : TSR_UNKNOWN);
  tsr_json_writer_int (writer, "ipu", where->ipu != TSR_NO_INDEX ? where->ipu : TSR_UNKNOWN);
  tsr_json_writer_string (writer, "layer", where->layer);
  tsr_json_writer_string (writer, "operation", where->operation);
  tsr_json_writer_end_object (writer);
}

/* A finding's last members, most of which are no cells. */
static void
write_more (gpointer data, guint32 row, TsrJsonWriter *writer)
{
  Printing *printing = data;
  const TsrFinding *finding
      = g_ptr_array_index (tsr_insights_peek_findings (printing->insights), row);

  tsr_json_writer_begin_array (writer, "evidence");
  for (guint i = 0; i < finding->evidence->len; i++)
    {
      const TsrEvidence *evidence = &g_array_index (finding->evidence, TsrEvidence, i);

      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_string (writer, "name", evidence->name);
      tsr_json_writer_int (writer, "bytes", evidence->bytes);
      tsr_json_writer_int (writer, "cycles", evidence->cycles);
      tsr_json_writer_double (writer, "share", evidence->share);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
  write_where (writer, &finding->where);
  tsr_json_writer_string (writer, "confidence", tsr_confidence_get_nick (finding->confidence));
}

/* ------------------------------------------------------------------- lists */

typedef struct
{
  const char *rule, *severity, *title, *text, *action, *scope, *confidence;
  gint64 bytes, bytes_worst_tile, cycles;
} Line;

static void
fill_finding (gpointer data, guint32 row, gpointer record)
{
  Printing *printing = data;
  const TsrFinding *finding
      = g_ptr_array_index (tsr_insights_peek_findings (printing->insights), row);

  *(Line *)record = (Line){ finding->rule,
                            tsr_finding_severity_get_nick (finding->severity),
                            finding->title,
                            finding->text,
                            finding->action,
                            finding->scope,
                            tsr_confidence_get_nick (finding->confidence),
                            finding->bytes,
                            finding->bytes_worst_tile,
                            finding->cycles };
}

static TsrRows *
list_findings (Printing *printing)
{
  static const TsrField fields[] = {
    TSR_FIELD (Line, rule, "rule", NULL, TEXT),
    TSR_FIELD (Line, severity, "severity", NULL, TEXT),
    TSR_FIELD (Line, title, "title", NULL, TEXT),
    TSR_FIELD (Line, text, "text", NULL, TEXT),
    TSR_FIELD (Line, action, "action", NULL, TEXT),
    TSR_FIELD (Line, bytes, "bytes", NULL, BYTES),
    TSR_FIELD (Line, bytes_worst_tile, "bytesWorstTile", NULL, BYTES),
    TSR_FIELD (Line, cycles, "cycles", NULL, COUNT),
    TSR_FIELD (Line, scope, "scope", NULL, TEXT),
    TSR_FIELD (Line, confidence, "confidence", NULL, TEXT), /* in JSON behind what is no cell */
  };
  guint n_fields = G_N_ELEMENTS (fields) - (printing->cli->format == TSR_FORMAT_JSON ? 1 : 0);

  return tsr_records_new (tsr_insights_peek_findings (printing->insights)->len, fields, n_fields,
                          sizeof (Line), fill_finding, printing);
}

static void
write_unfired (TsrJsonWriter *writer, const char *key, GPtrArray *list)
{
  tsr_json_writer_begin_array (writer, key);
  for (guint i = 0; i < list->len; i++)
    {
      const TsrUnfired *unfired = g_ptr_array_index (list, i);

      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_string (writer, "rule", unfired->rule);
      tsr_json_writer_string (writer, "title", unfired->title);
      tsr_json_writer_string (writer, "text", unfired->text);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
}

/* -------------------------------------------------------------------- text */

static void
print_paragraph (const char *text)
{
  g_autofree char *printable = tsr_print_dup_clean (text);

  printf ("  %s\n", printable);
}

static void
print_bytes (Printing *printing, const char *name, gint64 bytes)
{
  g_autofree char *size = NULL;

  if (bytes == TSR_UNKNOWN)
    return;
  size = tsr_units_dup_bytes (printing->cli->units, bytes);
  tsr_cli_print_field (name, size);
}

static void
print_finding (Printing *printing, const TsrFinding *finding)
{
  static const char *const severities[]
      = { N_ ("Error"), N_ ("Warning"), N_ ("Advice"), N_ ("Info") };
  g_autofree char *title = tsr_print_dup_clean (finding->title);

  /* Translators: a severity and the title of a finding. */
  printf (_ ("%s: %s\n"), _ (severities[finding->severity]), title);
  print_paragraph (finding->text);
  print_paragraph (finding->action);
  print_bytes (printing, tsr_finding_get_saving_title (finding, TRUE), finding->bytes_worst_tile);
  print_bytes (printing, tsr_finding_get_saving_title (finding, FALSE), finding->bytes);
  if (finding->cycles != TSR_UNKNOWN)
    {
      g_autofree char *cycles = tsr_finding_dup_cycles (finding->cycles);

      tsr_cli_print_field (tsr_finding_get_cycles_title (finding), cycles);
    }
  for (guint i = 0; i < finding->evidence->len; i++)
    {
      const TsrEvidence *evidence = &g_array_index (finding->evidence, TsrEvidence, i);
      g_autofree char *size = tsr_evidence_dup_size (evidence, printing->cli->units);
      g_autofree char *share = tsr_units_dup_percent (evidence->share, 1);
      g_autofree char *name = g_strconcat ("  ", evidence->name, NULL);
      g_autofree char *value = g_strdup_printf ("%s (%s)", size, share);

      tsr_cli_print_field (name, value);
    }
}

static void
print_unfired (const char *heading, GPtrArray *list)
{
  if (list->len == 0)
    return;
  putchar ('\n');
  tsr_cli_print_heading (heading);
  for (guint i = 0; i < list->len; i++)
    {
      const TsrUnfired *unfired = g_ptr_array_index (list, i);

      tsr_cli_print_field (unfired->title, unfired->text);
    }
}

static void
print_text (Printing *printing)
{
  g_autofree char *status = tsr_insights_dup_status (printing->insights, printing->cli->units);
  g_autofree char *detail
      = tsr_insights_dup_status_detail (printing->insights, printing->cli->units);
  g_autofree char *silence = tsr_insights_dup_silence (printing->insights);
  GPtrArray *findings = tsr_insights_peek_findings (printing->insights);
  guint n_top = 0;
  const guint *top = tsr_insights_peek_top (printing->insights, &n_top);

  tsr_cli_print_heading (status);
  print_paragraph (detail);
  for (guint i = 0; i < n_top; i++)
    {
      g_autofree char *name = g_strdup_printf (_ ("Tile %u"), top[i]);
      g_autofree char *size = tsr_units_dup_bytes (
          printing->cli->units,
          get_metric (printing, tsr_memory_get_fullness_metric (printing->memory), top[i]));

      tsr_cli_print_field (name, size);
    }
  for (guint i = 0; i < (guint)MIN (printing->cli->limit, findings->len); i++)
    {
      putchar ('\n');
      print_finding (printing, g_ptr_array_index (findings, i));
    }
  if (silence != NULL)
    printf ("\n%s\n", silence);
  print_unfired (_ ("Checked, fine"), tsr_insights_peek_fine (printing->insights));
  print_unfired (_ ("Not checked"), tsr_insights_peek_not_checked (printing->insights));
}

/* ---------------------------------------------------------------- the command */

static void
print_insights (Printing *printing)
{
  TsrCli *cli = printing->cli;
  g_autoptr (TsrJsonWriter) writer = cli->format == TSR_FORMAT_JSON ? tsr_cli_begin_json () : NULL;
  gboolean done;

  if (cli->format == TSR_FORMAT_TEXT)
    {
      print_text (printing);
      tsr_cli_flush (cli);
      return;
    }
  if (writer != NULL)
    write_head (printing, writer);
  done = tsr_cli_list (cli, writer, "findings", list_findings (printing),
                       &(TsrPrint){ .write_members = write_more, .data = printing });
  if (writer != NULL)
    {
      write_unfired (writer, "fine", tsr_insights_peek_fine (printing->insights));
      write_unfired (writer, "notChecked", tsr_insights_peek_not_checked (printing->insights));
      tsr_cli_end_json (cli, writer, !done);
    }
  tsr_cli_flush (cli);
}

/* FALSE and @error when cancelled. */
static gboolean
find_insights (Printing *printing, GError **error)
{
  GCancellable *cancellable = printing->cli->cancellable;
  g_autoptr (TsrVariables) variables = NULL;
  g_autoptr (TsrLiveness) liveness = NULL;
  g_autoptr (TsrVertices) vertices = NULL;
  g_autoptr (TsrTrace) trace = NULL;

  /* Variables that cannot be told are listed as not checked. */
  if (tsr_report_get_liveness_tables (printing->report) != NULL)
    variables = tsr_variables_new (printing->report, cancellable, NULL);
  if (variables != NULL)
    liveness = tsr_liveness_new (printing->report, printing->memory, variables);
  if (tsr_report_get_program_tables (printing->report) != NULL)
    vertices = tsr_vertices_new (printing->report, printing->memory);
  /* So is what needs an execution. */
  trace = tsr_trace_new (printing->report, cancellable, NULL);
  printing->insights = tsr_insights_new (printing->report, printing->memory, liveness, vertices,
                                         trace, printing->cli->units, NULL, cancellable, error);
  return printing->insights != NULL;
}

/* --plan alone is --plan with nothing: the next word is not its value. */
static void
complete_plan (int argc, char **argv)
{
  static char plan[] = "--plan=";

  for (int i = 0; i < argc && !g_str_equal (argv[i], "--"); i++)
    if (g_str_equal (argv[i], "--plan"))
      argv[i] = plan;
}

int
tsr_cli_run_insights (TsrCli *cli, int argc, char **argv)
{
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *scope = NULL;
  g_autofree char *plan = NULL;
  const GOptionEntry entries[]
      = { { "scope", 0, TSR_CLI_OF_TABLE, G_OPTION_ARG_STRING, &scope,
            N_ ("with --table=largest: of the replica (the default), of its ipus or of tiles"),
            N_ ("SCOPE") },
          { "plan", 0, 0, G_OPTION_ARG_STRING, &plan,
            N_ ("what would make it fit: all measures and a proposal; with ids, what these leave; "
                "with --table=plan, on each tile"),
            N_ ("[ID,...]") },
          { NULL } };
  Printing printing = { .cli = cli };

  complete_plan (argc, argv);
  if (!tsr_cli_parse (cli, entries, TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS | TSR_CLI_TABLE,
                      argc, argv))
    return cli->status;
  if (cli->table != NULL)
    return tsr_cli_print_table (cli, &(TsrCliTableWords){ .scope = scope, .plan = plan });
  if (plan != NULL)
    return tsr_cli_print_plan (cli, plan);
  report = tsr_cli_open (cli, cli->is_remote ? TSR_LOAD_NO_DEBUG : TSR_LOAD_ALL);
  if (report == NULL)
    return cli->status;
  if (tsr_report_get_memory_tables (report) == NULL)
    return tsr_cli_fail_stage (cli, report, TSR_STAGE_MEMORY);
  printing.report = report;
  printing.memory = tsr_memory_new (report);
  if (find_insights (&printing, &error))
    {
      print_insights (&printing);
      tsr_cli_say_diagnostics (cli, report);
    }
  else
    tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  g_clear_pointer (&printing.insights, tsr_insights_unref);
  tsr_memory_unref (printing.memory);
  return cli->status;
}
