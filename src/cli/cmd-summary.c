/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli summary: what the report is.  Reads the small tables only. */

#include "config.h"

#include "tsr-cli-tables.h"
#include "tsr-records.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>

/* One line of the summary: a key in JSON, a label for people, and its value as @kind says. */
typedef enum
{
  FIELD_TEXT,
  FIELD_COUNT,
  FIELD_BYTES,
  FIELD_HERTZ,
} FieldKind;

typedef struct
{
  const char *section, *key, *label;
  FieldKind kind;
  const char *text;
  gint64 number;
  double hertz;
} Field;

#define N_FIELDS 21

/* In the order in which CLI JSON has them.  A number that rests on an assumed number of tiles per
 * IPU is not told here: the window shows it marked, a script could not see the mark. */
static void
list_fields (const TsrSummary *summary, Field *fields)
{
  const TsrTarget *t = &summary->told;
  const Field all[N_FIELDS] = {
    { "target", "type", N_ ("Type"), FIELD_TEXT, t->type },
    { "target", "architecture", N_ ("Architecture"), FIELD_TEXT, t->architecture },
    { "target", "numIPUs", N_ ("IPUs"), FIELD_COUNT, NULL, t->num_ipus },
    { "target", "ipusPerReplica", N_ ("IPUs per replica"), FIELD_COUNT, NULL, t->ipus_per_replica },
    { "target", "numReplicas", N_ ("Replicas"), FIELD_COUNT, NULL, t->num_replicas },
    { "target", "tilesPerIpu", N_ ("Tiles per IPU"), FIELD_COUNT, NULL, t->tiles_per_ipu },
    { "target", "numTiles", N_ ("Tiles"), FIELD_COUNT, NULL, t->num_tiles },
    { "target", "tilesPerReplica", N_ ("Tiles per replica"), FIELD_COUNT, NULL,
      t->tiles_per_replica },
    { "target", "bytesPerTile", N_ ("Memory per tile"), FIELD_BYTES, NULL, t->bytes_per_tile },
    { "target", "bytesPerIPU", N_ ("Memory per IPU"), FIELD_BYTES, NULL, t->bytes_per_ipu },
    { "target", "memoryPerReplica", N_ ("Memory per replica"), FIELD_BYTES, NULL,
      t->memory_per_replica },
    { "target", "totalMemory", N_ ("Memory of all replicas"), FIELD_BYTES, NULL, t->total_memory },
    { "target", "clockFrequency", N_ ("Clock"), FIELD_HERTZ, NULL, 0, t->clock_frequency },
    { "graph", "numComputeSets", N_ ("Compute sets"), FIELD_COUNT, NULL,
      summary->graph.num_compute_sets },
    { "graph", "numVertices", N_ ("Vertices"), FIELD_COUNT, NULL, summary->graph.num_vertices },
    { "graph", "numEdges", N_ ("Edges"), FIELD_COUNT, NULL, summary->graph.num_edges },
    { "graph", "numVars", N_ ("Variables"), FIELD_COUNT, NULL, summary->graph.num_vars },
    { NULL, "poplarVersion", N_ ("Poplar version"), FIELD_TEXT, summary->poplar_version },
    { NULL, "timestamp", N_ ("Compiled at"), FIELD_TEXT, summary->timestamp },
    { NULL, "computeInstrumentation", N_ ("Compute instrumentation"), FIELD_TEXT,
      summary->compute_instrumentation },
    { NULL, "externalExchangeInstrumentation", N_ ("External exchange instrumentation"), FIELD_TEXT,
      summary->external_exchange_instrumentation },
  };

  for (guint i = 0; i < N_FIELDS; i++)
    fields[i] = all[i];
}

/* -------------------------------------------------------------------- JSON */

static void
write_fields (TsrJsonWriter *writer, const Field *fields)
{
  const char *section = NULL;

  for (guint i = 0; i < N_FIELDS; i++)
    {
      if (g_strcmp0 (section, fields[i].section) != 0)
        {
          if (section != NULL)
            tsr_json_writer_end_object (writer);
          section = fields[i].section;
          if (section != NULL)
            tsr_json_writer_begin_object (writer, section);
        }
      if (fields[i].kind == FIELD_TEXT)
        tsr_json_writer_string (writer, fields[i].key, fields[i].text);
      else if (fields[i].kind == FIELD_HERTZ)
        tsr_json_writer_double (writer, fields[i].key, fields[i].hertz);
      else
        tsr_json_writer_int (writer, fields[i].key, fields[i].number);
    }
}

static void
write_tree (TsrJsonWriter *writer, const char *key, const TsrJson *tree)
{
  if (tree != NULL)
    tsr_json_write (tree, writer, key);
  else
    tsr_json_writer_null (writer, key);
}

/* (transfer full): where a file is on its machine, whatever the user's home folder is. */
static char *
dup_path (const TsrReportFiles *files, const char *path)
{
  char *expanded = TSR_IS_REMOTE_PLACE (files->place)
                       ? tsr_remote_place_expand (TSR_REMOTE_PLACE (files->place), path, NULL, NULL)
                       : NULL;

  return expanded != NULL ? expanded : g_strdup (path);
}

static void
write_files (TsrJsonWriter *writer, const TsrReportFiles *files)
{
  tsr_json_writer_begin_array (writer, "files");
  for (guint i = 0; i < TSR_N_FILES; i++)
    {
      const TsrReportFile *file = &files->files[i];
      g_autofree char *path = dup_path (files, file->path);

      tsr_json_writer_begin_object (writer, NULL);
      tsr_json_writer_string (writer, "name", file->name);
      tsr_json_writer_string (writer, "path", path);
      tsr_json_writer_boolean (writer, "found", file->found);
      tsr_json_writer_int (writer, "bytes", file->found ? file->bytes : TSR_UNKNOWN);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_array (writer);
}

static void
write_views (TsrJsonWriter *writer, const TsrSummary *summary)
{
  tsr_json_writer_begin_object (writer, "views");
  for (guint i = 0; i < TSR_N_VIEWS; i++)
    {
      const TsrAvailability *view = &summary->views[i];

      tsr_json_writer_begin_object (writer, tsr_view_get_key (i));
      tsr_json_writer_boolean (writer, "available", view->available);
      tsr_json_writer_begin_array (writer, "missing");
      for (guint m = 0; m < view->missing->len; m++)
        tsr_json_writer_string (writer, NULL,
                                ((TsrMissing *)g_ptr_array_index (view->missing, m))->table);
      tsr_json_writer_end_array (writer);
      tsr_json_writer_end_object (writer);
    }
  tsr_json_writer_end_object (writer);
}

static void
write_json (TsrCli *cli, TsrReport *report, const Field *fields)
{
  const TsrSummary *summary = tsr_report_get_summary (report);
  g_autoptr (TsrJsonWriter) writer = tsr_cli_begin_json ();

  tsr_json_writer_begin_object (writer, NULL);
  write_fields (writer, fields);
  tsr_json_writer_begin_object (writer, "engineOptions");
  for (guint i = 0; summary->engine_options[i] != NULL && summary->engine_options[i + 1] != NULL;
       i += 2)
    tsr_json_writer_string (writer, summary->engine_options[i], summary->engine_options[i + 1]);
  tsr_json_writer_end_object (writer);
  write_tree (writer, "framework", summary->framework);
  write_tree (writer, "app", summary->app);
  write_files (writer, tsr_report_get_files (report));
  write_views (writer, summary);
  tsr_json_writer_end_object (writer);
  tsr_cli_end_json (cli, writer, FALSE);
}

/* --------------------------------------------------------------------- CSV */

/* (transfer full) (nullable): as @cli writes numbers for people; NULL: as a script reads them. */
static char *
dup_value (TsrCli *cli, const Field *field)
{
  if (field->kind == FIELD_TEXT)
    return g_strdup (field->text);
  if (field->kind == FIELD_HERTZ ? !isfinite (field->hertz) : field->number == TSR_UNKNOWN)
    return NULL;
  if (field->kind == FIELD_HERTZ)
    return cli != NULL ? tsr_units_dup_hertz (field->hertz) : tsr_number_dup_plain (field->hertz);
  if (cli == NULL)
    return g_strdup_printf ("%" G_GINT64_FORMAT, field->number);
  return field->kind == FIELD_BYTES ? tsr_units_dup_bytes (cli->units, field->number)
                                    : tsr_units_dup_count (field->number);
}

typedef struct
{
  const char *name, *value;
} Line;

static void
add_line (
    GArray *lines, GStringChunk *texts, const char *section, const char *key, const char *value)
{
  g_autofree char *name
      = g_strjoin (section != NULL ? "." : "", section != NULL ? section : "", key, NULL);
  Line line = { g_string_chunk_insert (texts, name),
                value != NULL ? g_string_chunk_insert (texts, value) : NULL };

  g_array_append_val (lines, line);
}

static void
write_csv (TsrCli *cli, TsrReport *report, const Field *fields)
{
  static const TsrField columns[] = { TSR_FIELD (Line, name, "name", NULL, TEXT),
                                      TSR_FIELD (Line, value, "value", NULL, TEXT) };
  char **options = tsr_report_get_summary (report)->engine_options;
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_autoptr (GStringChunk) texts = g_string_chunk_new (4096);

  for (guint i = 0; i < N_FIELDS; i++)
    {
      g_autofree char *value = dup_value (NULL, &fields[i]);

      add_line (lines, texts, fields[i].section, fields[i].key, value);
    }
  for (guint i = 0; options[i] != NULL && options[i + 1] != NULL; i += 2)
    add_line (lines, texts, "engineOptions", options[i], options[i + 1]);
  tsr_cli_print_list (cli,
                      tsr_records_new (lines->len, columns, G_N_ELEMENTS (columns), sizeof (Line),
                                       NULL, lines->data),
                      NULL);
}

/* -------------------------------------------------------------------- text */

static void
print_fields (TsrCli *cli, const Field *fields)
{
  static const char *const headings[] = { N_ ("Target"), N_ ("Graph"), N_ ("Program") };
  guint heading = 0;

  for (guint i = 0; i < N_FIELDS; i++)
    {
      g_autofree char *value = dup_value (cli, &fields[i]);

      if (i == 0 || g_strcmp0 (fields[i].section, fields[i - 1].section) != 0)
        tsr_cli_print_heading (_ (headings[heading++]));
      tsr_cli_print_field (_ (fields[i].label), value);
    }
}

/* Nested JSON as indented lines; @depth is bounded by the reader. */
static void
print_tree (const TsrJson *tree, guint depth)
{
  for (guint i = 0; i < tsr_json_get_n_children (tree); i++)
    {
      const TsrJson *child = tsr_json_get_child (tree, i);
      const char *key = tsr_json_get_key (child);
      g_autofree char *name = key != NULL ? g_strdup_printf ("%*s%s", (int)(2 * depth), "", key)
                                          : g_strdup_printf ("%*s[%u]", (int)(2 * depth), "", i);
      gboolean container = tsr_json_get_kind (child) == TSR_JSON_OBJECT
                           || tsr_json_get_kind (child) == TSR_JSON_ARRAY;

      tsr_cli_print_field (name, container ? "" : tsr_json_get_text (child));
      print_tree (child, depth + 1);
    }
}

static void
print_files (TsrCli *cli, const TsrReportFiles *files)
{
  tsr_cli_print_heading (_ ("Files"));
  for (guint i = 0; i < TSR_N_FILES; i++)
    {
      const TsrReportFile *file = &files->files[i];
      g_autofree char *size = file->found ? tsr_units_dup_bytes (cli->units, file->bytes)
                                          : g_strdup (_ ("not found"));
      g_autofree char *text
          = file->note != NULL ? g_strdup_printf ("%s, %s", size, file->note) : g_strdup (size);

      tsr_cli_print_field (file->name, text);
    }
}

static void
print_views (const TsrSummary *summary)
{
  tsr_cli_print_heading (_ ("Views"));
  for (guint i = 0; i < TSR_N_VIEWS; i++)
    {
      const TsrAvailability *view = &summary->views[i];
      const char *state = !view->available         ? _ ("not available")
                          : view->missing->len > 0 ? _ ("available, shows less")
                                                   : _ ("available");

      tsr_cli_print_field (tsr_view_get_title (i), state);
      for (guint m = 0; m < view->missing->len; m++)
        tsr_cli_print_field ("", ((TsrMissing *)g_ptr_array_index (view->missing, m))->text);
    }
}

static void
print_text (TsrCli *cli, TsrReport *report, const Field *fields)
{
  const TsrSummary *summary = tsr_report_get_summary (report);

  tsr_cli_print_heading (tsr_report_get_location (report));
  if (summary->synthetic)
    printf ("  %s\n", _ ("Synthetic: made by tessera-make-report, not by a program on IPUs"));
  print_fields (cli, fields);
  if (summary->target.tiles_per_ipu_assumed)
    {
      g_autofree char *count = tsr_units_dup_count (summary->target.tiles_per_ipu);

      printf (_ ("  The report does not record the tiles per IPU; %s would divide its tiles.\n"),
              count);
    }
  if (summary->engine_options[0] != NULL)
    tsr_cli_print_heading (_ ("Engine options"));
  for (guint i = 0; summary->engine_options[i] != NULL && summary->engine_options[i + 1] != NULL;
       i += 2)
    tsr_cli_print_field (summary->engine_options[i], summary->engine_options[i + 1]);
  if (summary->framework != NULL)
    {
      tsr_cli_print_heading ("framework.json");
      print_tree (summary->framework, 0);
    }
  if (summary->app != NULL)
    {
      tsr_cli_print_heading ("app.json");
      print_tree (summary->app, 0);
    }
  print_files (cli, tsr_report_get_files (report));
  print_views (summary);
  tsr_cli_flush (cli);
}

int
tsr_cli_run_summary (TsrCli *cli, int argc, char **argv)
{
  g_autoptr (TsrReport) report = NULL;
  Field fields[N_FIELDS];

  if (!tsr_cli_parse (cli, NULL, TSR_CLI_FORMAT | TSR_CLI_LIMIT | TSR_CLI_UNITS | TSR_CLI_TABLE,
                      argc, argv))
    return cli->status;
  if (cli->table != NULL)
    return tsr_cli_print_table (cli, &(TsrCliTableWords){ 0 });
  report = tsr_cli_open (cli, TSR_LOAD_SUMMARY_ONLY);
  if (report == NULL)
    return cli->status;
  list_fields (tsr_report_get_summary (report), fields);
  if (cli->format == TSR_FORMAT_JSON)
    write_json (cli, report, fields);
  else if (cli->format == TSR_FORMAT_CSV)
    write_csv (cli, report, fields);
  else
    print_text (cli, report, fields);
  tsr_cli_say_diagnostics (cli, report);
  return cli->status;
}
