/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Summary as text. */

#include "config.h"

#include "tsr-summary-rows.h"

#include "tsr-debug-tables.h"
#include "tsr-error.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

static void
row_free (gpointer data)
{
  TsrSummaryRow *row = data;

  g_free (row->label);
  g_free (row->value);
  g_free (row->tooltip);
  g_free (row);
}

static void
section_free (gpointer data)
{
  TsrSummarySection *section = data;

  g_free (section->title);
  g_ptr_array_unref (section->rows);
  g_free (section);
}

static TsrSummarySection *
add_section (GPtrArray *sections, const char *id, const char *title)
{
  TsrSummarySection *section = g_new0 (TsrSummarySection, 1);

  section->id = id;
  section->title = g_strdup (title);
  section->rows = g_ptr_array_new_with_free_func (row_free);
  g_ptr_array_add (sections, section);
  return section;
}

/* Takes @value; an unknown one is a dash that says why.  @name is English. */
static TsrSummaryRow *
add_row (TsrSummarySection *section, const char *name, char *value)
{
  TsrSummaryRow *row = g_new0 (TsrSummaryRow, 1);

  row->name = name;
  row->label = g_strdup (_ (name));
  if (value == NULL || *value == '\0')
    {
      g_free (value);
      row->value = g_strdup ("–");
      row->tooltip = g_strdup (_ ("The report does not record this"));
    }
  else
    row->value = value;
  g_ptr_array_add (section->rows, row);
  return row;
}

static TsrSummaryRow *
add_count (TsrSummarySection *section, const char *name, gint64 count)
{
  return add_row (section, name, count == TSR_UNKNOWN ? NULL : tsr_units_dup_count (count));
}

static TsrSummaryRow *
add_bytes (TsrSummarySection *section, const char *name, gint64 bytes, TsrUnits units)
{
  TsrSummaryRow *row
      = add_row (section, name, bytes == TSR_UNKNOWN ? NULL : tsr_units_dup_bytes (units, bytes));

  if (bytes != TSR_UNKNOWN)
    row->tooltip = tsr_units_dup_bytes_exact (bytes);
  return row;
}

static void
add_note (TsrSummarySection *section, char *text)
{
  TsrSummaryRow *row = g_new0 (TsrSummaryRow, 1);

  row->kind = TSR_ROW_NOTE;
  row->label = text;
  row->space_above = TRUE;
  g_ptr_array_add (section->rows, row);
}

static gint64
multiply (gint64 a, gint64 b)
{
  gint64 product;

  if (a < 0 || b < 0 || __builtin_mul_overflow (a, b, &product))
    return TSR_UNKNOWN;
  return product;
}

/* The target with what the memory knows, or assumes as all pages do, where the file has nothing. */
static TsrTarget
effective_target (const TsrSummary *summary, TsrMemory *memory)
{
  TsrTarget target = summary->target;
  gint64 n_tiles, per_ipu;

  if (memory == NULL)
    return target;
  n_tiles = tsr_memory_get_n_tiles (memory);
  per_ipu = tsr_memory_get_tiles_per_ipu (memory);
  if (target.tiles_per_replica == TSR_UNKNOWN)
    target.tiles_per_replica = n_tiles;
  if (target.num_tiles == TSR_UNKNOWN)
    target.num_tiles
        = target.num_replicas != TSR_UNKNOWN ? multiply (n_tiles, target.num_replicas) : n_tiles;
  if (per_ipu == TSR_UNKNOWN
      || (target.tiles_per_ipu != TSR_UNKNOWN && !target.tiles_per_ipu_assumed))
    return target;
  target.tiles_per_ipu = per_ipu;
  target.tiles_per_ipu_assumed = TRUE;
  target.bytes_per_ipu = multiply (target.bytes_per_tile, per_ipu);
  target.ipus_per_replica = tsr_memory_get_n_ipus (memory);
  target.num_ipus = multiply (target.ipus_per_replica, target.num_replicas);
  return target;
}

static void
add_replica_note (TsrSummarySection *section, const TsrTarget *target)
{
  g_autofree char *tiles = NULL;

  if (target->num_replicas <= 1 || target->tiles_per_replica == TSR_UNKNOWN)
    return;
  tiles = tsr_units_dup_count (target->tiles_per_replica);
  add_note (section,
            g_strdup_printf (_ ("The memory pages show one replica of %" PRId64 ": %" PRId64
                                " IPUs with %s tiles.  All replicas hold the same program"),
                             target->num_replicas, target->ipus_per_replica, tiles));
}

/* "IPU" or "IPU Model", as the world writes it. */
static char *
dup_type (const char *type)
{
  if (type == NULL)
    return NULL;
  if (g_ascii_strcasecmp (type, "Ipu") == 0)
    return g_strdup ("IPU");
  if (g_ascii_strcasecmp (type, "IpuModel") == 0)
    return g_strdup (_ ("IPU Model"));
  return g_strdup (g_ascii_strcasecmp (type, "Cpu") == 0 ? "CPU" : type);
}

/* A time as it is written there, made easier to read; anything else as it is. */
static char *
dup_timestamp (const char *timestamp)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time
      = timestamp != NULL ? g_date_time_new_from_iso8601 (timestamp, utc) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S %Z") : g_strdup (timestamp);
}

static void
add_target (GPtrArray *sections, const TsrSummary *summary, const TsrTarget *target, TsrUnits units)
{
  TsrSummarySection *section = add_section (sections, "target", _ ("Target"));
  TsrSummaryRow *row;

  add_row (section, N_ ("Type"), dup_type (target->type));
  add_row (section, N_ ("Architecture"), g_strdup (target->architecture));
  add_row (section, N_ ("Clock"),
           target->clock_frequency > 0 ? tsr_units_dup_hertz (target->clock_frequency) : NULL);
  row = add_count (section, N_ ("Tiles per IPU"), target->tiles_per_ipu);
  row->space_above = TRUE;
  if (target->tiles_per_ipu_assumed || target->tiles_per_ipu == TSR_UNKNOWN)
    {
      row->kind = TSR_ROW_TILES_PER_IPU;
      g_free (row->tooltip);
      row->tooltip = g_strdup (_ ("The report does not record the number of tiles of an IPU.  It "
                                  "is assumed from the number of tiles and can be changed here"));
    }
  if (target->num_replicas != TSR_UNKNOWN && target->num_replicas > 1)
    {
      add_count (section, N_ ("IPUs per replica"), target->ipus_per_replica);
      add_count (section, N_ ("Replicas"), target->num_replicas);
    }
  add_count (section, N_ ("Total tiles"), target->num_tiles);
  add_count (section, N_ ("Total IPUs"), target->num_ipus);
  add_bytes (section, N_ ("Memory per tile"), target->bytes_per_tile, units)->space_above = TRUE;
  add_bytes (section, N_ ("Memory per IPU"), target->bytes_per_ipu, units);
  add_bytes (section, N_ ("Memory per replica"), target->memory_per_replica, units);
  add_bytes (section, N_ ("Total memory"), target->total_memory, units);
  add_replica_note (section, target);
}

/* "off", "Off" and the like are shown alike. */
static char *
dup_level (const char *level)
{
  char *text;

  if (level == NULL || *level == '\0')
    return NULL;
  text = g_strdup (level);
  text[0] = g_ascii_toupper (text[0]);
  return text;
}

static void
add_graph_and_poplar (GPtrArray *sections, const TsrSummary *summary)
{
  TsrSummarySection *section = add_section (sections, "graph", _ ("Graph"));
  TsrSummaryRow *row;

  add_count (section, N_ ("Compute sets"), summary->graph.num_compute_sets);
  add_count (section, N_ ("Edges"), summary->graph.num_edges);
  add_count (section, N_ ("Variables"), summary->graph.num_vars);
  add_count (section, N_ ("Vertices"), summary->graph.num_vertices);

  section = add_section (sections, "poplar", _ ("Poplar and instrumentation"));
  add_row (section, N_ ("Poplar version"), g_strdup (summary->poplar_version));
  row = add_row (section, N_ ("Compute sets"), dup_level (summary->compute_instrumentation));
  row->space_above = TRUE;
  if (row->tooltip == NULL)
    row->tooltip = g_strdup (
        _ ("What cycles were measured for: each vertex, tile, IPU, the device, or nothing (then "
           "estimates are used, if there are any)"));
  row = add_row (section, N_ ("External exchanges"),
                 dup_level (summary->external_exchange_instrumentation));
  if (row->tooltip == NULL)
    row->tooltip = g_strdup (_ ("Whether exchanges between IPUs and with the host were measured"));
}

static void
add_report (GPtrArray *sections, TsrReport *report, const TsrSummary *summary)
{
  TsrSummarySection *section = add_section (sections, "report", _ ("Report"));
  g_autofree char *folder = tsr_report_dup_folder (report);
  g_autofree char *path = g_filename_display_name (folder);
  TsrSummaryRow *row;

  row = add_row (section, N_ ("Name"), g_strdup (tsr_report_get_name (report)));
  row = add_row (section, N_ ("Folder"), g_strdup (path));
  row->tooltip = g_strdup (path);
  add_row (section, N_ ("Compiled program"), g_strdup (summary->engine_name));
  row = add_row (section, N_ ("Compiled at"), dup_timestamp (summary->timestamp));
  if (row->tooltip == NULL)
    row->tooltip = g_strdup (summary->timestamp);
  add_row (section, N_ ("Format version"), g_strdup (summary->report_version));
  if (summary->synthetic)
    add_note (section, g_strdup (_ ("Synthetic: written by tessera-make-report, not recorded on a "
                                    "machine")));
}

static const char *
file_title (TsrFileKind kind)
{
  switch (kind)
    {
    case TSR_FILE_PROFILE:
      return _ ("Profile");
    case TSR_FILE_ARCHIVE:
      return _ ("Executable archive");
    case TSR_FILE_DEBUG:
      return _ ("Debug information");
    case TSR_FILE_FRAMEWORK:
      return _ ("Framework information");
    case TSR_FILE_APP:
      return _ ("Application information");
    default:
      return "";
    }
}

static void
doubt (TsrSummaryRow *row, const char *why)
{
  g_autofree char *path = row->tooltip;

  row->kind = TSR_ROW_DOUBTFUL_FILE;
  row->tooltip = g_strdup_printf ("%s\n%s", path != NULL ? path : "", why);
}

/* What debug.cbor has once it is read: ", 1,234 contexts, 5 layers"; why it could not be. */
static void
say_debug (TsrReport *report, GString *value, TsrSummaryRow *row)
{
  const TsrDebugTables *debug = tsr_report_get_debug_tables (report);
  const GError *error = tsr_report_get_stage_error (report, TSR_STAGE_DEBUG);
  g_autofree char *contexts = debug != NULL ? tsr_units_dup_count (debug->n) : NULL;
  g_autofree char *layers = debug != NULL ? tsr_units_dup_count (debug->n_layers) : NULL;

  if (debug != NULL)
    {
      g_string_append (value, ", ");
      g_string_append_printf (value, ngettext ("%s context", "%s contexts", debug->n), contexts);
      g_string_append (value, ", ");
      g_string_append_printf (value, ngettext ("%s layer", "%s layers", debug->n_layers), layers);
      if (!debug->complete)
        g_string_append_printf (value, ", %s", _ ("damaged"));
    }
  else if (row->kind != TSR_ROW_NO_FILE && error != NULL
           && !g_error_matches (error, TSR_ERROR, TSR_ERROR_MISSING_PART)
           && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_string_append_printf (value, ", %s", _ ("not readable"));
      doubt (row, error->message);
    }
}

/* A file that was found and has an error is told as one to look at; its tooltip has the first. */
static void
say_errors (TsrReport *report, const char *name, TsrSummaryRow *row)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);

  for (guint i = 0; row->kind == TSR_ROW_FILE && i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    {
      const TsrDiagnostic *diagnostic = tsr_diagnostics_get (diagnostics, i);

      if (diagnostic->severity == TSR_SEVERITY_ERROR && g_strcmp0 (diagnostic->file, name) == 0)
        {
          g_autofree char *line = tsr_diagnostic_dup_line (diagnostic);

          doubt (row, line);
        }
    }
}

static void
add_files (GPtrArray *sections, TsrReport *report, TsrUnits units)
{
  TsrSummarySection *section = add_section (sections, "files", _ ("Files"));
  const TsrReportFiles *files = tsr_report_get_files (report);

  for (guint i = 0; files != NULL && i < TSR_N_FILES; i++)
    {
      const TsrReportFile *file = &files->files[i];
      const char *name = file->name != NULL ? file->name : tsr_file_kind_get_fixed_name (i);
      g_autofree char *shown = g_filename_display_name (name);
      g_autofree char *label = g_strdup_printf (_ ("%s (%s)"), file_title (i), shown);
      g_autofree char *location
          = file->path != NULL ? tsr_place_dup_location (files->place, file->path) : NULL;
      g_autofree char *path = location != NULL ? g_filename_display_name (location) : NULL;
      GString *value = g_string_new (NULL);
      TsrSummaryRow *row;

      if (file->found && file->bytes != TSR_UNKNOWN)
        {
          g_autofree char *size = tsr_units_dup_bytes (units, file->bytes);

          g_string_append (value, size);
        }
      else
        g_string_append (value, file->found ? _ ("found") : _ ("not found"));
      if (file->note != NULL)
        g_string_append_printf (value, ", %s", file->note);
      row = add_row (section, tsr_file_kind_get_fixed_name (i), NULL);
      g_free (row->label);
      row->label = g_steal_pointer (&label);
      row->kind = file->found ? TSR_ROW_FILE : TSR_ROW_NO_FILE;
      g_free (row->tooltip);
      row->tooltip = g_strdup (path);
      if (i == TSR_FILE_DEBUG)
        say_debug (report, value, row);
      say_errors (report, name, row);
      g_free (row->value);
      row->value = g_string_free (value, FALSE);
    }
}

GPtrArray *
tsr_summary_rows_new (TsrReport *report, TsrMemory *memory, TsrUnits units)
{
  GPtrArray *sections;
  const TsrSummary *summary;
  TsrTarget target;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  sections = g_ptr_array_new_with_free_func (section_free);
  summary = tsr_report_get_summary (report);
  if (summary == NULL)
    return sections;
  target = effective_target (summary, memory);
  add_target (sections, summary, &target, units);
  add_graph_and_poplar (sections, summary);
  add_report (sections, report, summary);
  add_files (sections, report, units);
  return sections;
}

/* ---------------------------------------------------------------- verdict */

static gint64
sum_of (TsrMemory *memory, TsrMetric metric)
{
  const gint64 *values = tsr_memory_peek (memory, metric);
  gint64 sum = 0;

  if (values == NULL)
    return TSR_UNKNOWN;
  for (guint i = 0; i < tsr_memory_get_n_tiles (memory); i++)
    {
      if (values[i] == TSR_UNKNOWN)
        return TSR_UNKNOWN;
      sum = tsr_add_saturating (sum, values[i], NULL);
    }
  return sum;
}

static void
find_fullest (TsrSummaryVerdict *self, TsrMemory *memory, TsrUnits units)
{
  const gint64 *values = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  gint64 capacity = tsr_memory_get_capacity (memory);
  gint64 most = TSR_UNKNOWN;
  g_autofree char *bytes = NULL;
  g_autofree char *whole = NULL;

  for (guint i = 0; values != NULL && i < tsr_memory_get_n_tiles (memory); i++)
    if (values[i] != TSR_UNKNOWN && (self->fullest_tile == TSR_UNKNOWN || values[i] > most))
      {
        most = values[i];
        self->fullest_tile = i;
      }
  if (self->fullest_tile == TSR_UNKNOWN)
    return;
  bytes = tsr_units_dup_bytes (units, most);
  if (capacity == TSR_UNKNOWN || capacity <= 0)
    {
      self->fullest_text = g_steal_pointer (&bytes);
      return;
    }
  whole = tsr_units_dup_bytes (units, capacity);
  self->fullest_share = (double)most / capacity;
  self->fullest_text = g_strdup_printf (_ ("%s of %s"), bytes, whole);
}

static char *
dup_total (TsrMetric metric, const char *bytes)
{
  switch (metric)
    {
    case TSR_METRIC_INCLUDING_GAPS:
      return g_strdup_printf (_ ("%s including gaps"), bytes);
    case TSR_METRIC_EXCLUDING_GAPS:
      return g_strdup_printf (_ ("%s excluding gaps"), bytes);
    case TSR_METRIC_ALWAYS_LIVE:
      return g_strdup_printf (_ ("%s always live"), bytes);
    default:
      return g_strdup (bytes);
    }
}

/* "One replica: 898 MiB including gaps, 893 MiB excluding gaps, 651 MiB always live". */
static char *
dup_totals (TsrMemory *memory, TsrUnits units)
{
  static const TsrMetric metrics[] = { TSR_METRIC_INCLUDING_GAPS, TSR_METRIC_EXCLUDING_GAPS,
                                       TSR_METRIC_ALWAYS_LIVE, TSR_METRIC_TOTAL };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      gint64 sum = sum_of (memory, metrics[i]);
      g_autofree char *bytes = sum != TSR_UNKNOWN ? tsr_units_dup_bytes (units, sum) : NULL;
      g_autofree char *part = bytes != NULL ? dup_total (metrics[i], bytes) : NULL;

      /* The bare total only where nothing says what is in it. */
      if (part == NULL || (metrics[i] == TSR_METRIC_TOTAL && text->len > 0))
        continue;
      g_string_append (text, text->len > 0 ? ", " : _ ("One replica: "));
      g_string_append (text, part);
    }
  return g_string_free (text, FALSE);
}

static void
judge (TsrSummaryVerdict *self, TsrMemory *memory)
{
  guint n_tiles = tsr_memory_get_n_tiles (memory), n_over = 0, n_known = 0;
  const gint64 *values = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  gint64 capacity = tsr_memory_get_capacity (memory);

  for (guint i = 0; i < n_tiles; i++)
    {
      gint64 need = tsr_memory_get_need (memory, i);

      /* More bytes than the tile has never fit, whatever else the file does not tell. */
      if (need == TSR_UNKNOWN && values != NULL && values[i] != TSR_UNKNOWN
          && capacity != TSR_UNKNOWN && values[i] > capacity)
        need = values[i] - capacity;
      n_known += need != TSR_UNKNOWN;
      n_over += need != TSR_UNKNOWN && need > 0;
    }
  if (n_over > 0)
    {
      g_autofree char *count = tsr_units_dup_count (n_over);

      self->kind = TSR_SUMMARY_VERDICT_DOES_NOT_FIT;
      self->title
          = g_strdup_printf (g_dngettext (NULL, "Does not fit: %s tile has too little memory",
                                          "Does not fit: %s tiles have too little memory", n_over),
                             count);
    }
  else if (n_tiles > 0 && n_known == n_tiles)
    {
      self->kind = TSR_SUMMARY_VERDICT_FITS;
      self->title = g_strdup (_ ("Fits in memory"));
    }
  else
    {
      self->kind = TSR_SUMMARY_VERDICT_UNKNOWN;
      self->title = g_strdup (_ ("It is not known whether it fits"));
      self->why = capacity == TSR_UNKNOWN
                      ? _ ("The report does not record the memory of a tile.")
                      : _ ("The report does not record the memory including gaps of all tiles.");
    }
}

void
tsr_summary_verdict_init (TsrSummaryVerdict *self,
                          TsrMemory *memory,
                          const char *why,
                          TsrUnits units)
{
  g_autofree char *totals = NULL;

  g_return_if_fail (self != NULL);
  *self = (TsrSummaryVerdict){ .kind = TSR_SUMMARY_VERDICT_PENDING,
                               .fullest_tile = TSR_UNKNOWN,
                               .fullest_share = NAN };
  if (memory != NULL)
    {
      judge (self, memory);
      find_fullest (self, memory, units);
      totals = dup_totals (memory, units);
      self->text = self->why != NULL ? g_strdup_printf ("%s  %s", self->why, totals)
                                     : g_steal_pointer (&totals);
      return;
    }
  if (why != NULL)
    {
      self->kind = TSR_SUMMARY_VERDICT_UNKNOWN;
      self->title = g_strdup (_ ("It is not known whether it fits"));
      self->text = g_strdup (why);
      return;
    }
  self->title = g_strdup (_ ("Reading memory…"));
  self->text = g_strdup ("");
}

void
tsr_summary_verdict_clear (TsrSummaryVerdict *self)
{
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->fullest_text, g_free);
}

/* ---------------------------------------------------------------- as text */

gboolean
tsr_option_is_recording (const char *name)
{
  static const char *const prefixes[] = {
    "autoReport.", "profiler.", "debug.instrument", "debug.profiling", "debug.branchRecord",
  };
  static const char *const names[] = {
    "debug.computeInstrumentationLevel",
    "debug.externalExchangeInstrumentationLevel",
    "debug.allowOutOfMemory",
    "debug.retainDebugInformation",
    "debug.outputAllSymbols",
    "debug.loweredVarDumpFile",
    "target.saveArchive",
  };

  g_return_val_if_fail (name != NULL, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_ascii_strncasecmp (name, prefixes[i], strlen (prefixes[i])) == 0)
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (name, names[i]) == 0)
      return TRUE;
  return FALSE;
}

static void
append_json (GString *text, const char *title, TsrJson *json)
{
  g_autoptr (TsrJsonWriter) writer = NULL;
  g_autofree char *written = NULL;

  if (json == NULL)
    return;
  writer = tsr_json_writer_new_string (2);
  tsr_json_write (json, writer, NULL);
  tsr_json_writer_finish (writer, FALSE);
  written = tsr_json_writer_dup_text (writer);
  g_string_append_printf (text, "\n%s\n%s\n", title, g_strchomp (written));
}

char *
tsr_summary_rows_dup_text (TsrReport *report, TsrMemory *memory, TsrUnits units)
{
  g_autoptr (GPtrArray) sections = NULL;
  const TsrSummary *summary;
  GString *text;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  sections = tsr_summary_rows_new (report, memory, units);
  summary = tsr_report_get_summary (report);
  text = g_string_new (NULL);
  if (memory != NULL)
    {
      g_auto (TsrSummaryVerdict) verdict = { 0 };

      tsr_summary_verdict_init (&verdict, memory, NULL, units);
      g_string_append_printf (text, "%s\n", verdict.title);
      if (verdict.fullest_text != NULL)
        g_string_append_printf (text, _ ("Fullest tile: %" PRId64 ", %s\n"), verdict.fullest_tile,
                                verdict.fullest_text);
      g_string_append_printf (text, "%s\n\n", verdict.text);
    }
  for (guint i = 0; i < sections->len; i++)
    {
      const TsrSummarySection *section = g_ptr_array_index (sections, i);

      g_string_append_printf (text, "%s%s\n", i > 0 ? "\n" : "", section->title);
      for (guint k = 0; k < section->rows->len; k++)
        {
          const TsrSummaryRow *row = g_ptr_array_index (section->rows, k);

          if (row->kind == TSR_ROW_NOTE)
            g_string_append_printf (text, "  %s\n", row->label);
          else
            g_string_append_printf (text, "  %s: %s\n", row->label, row->value);
        }
    }
  if (summary == NULL)
    return g_string_free (text, FALSE);
  if (summary->engine_options != NULL && summary->engine_options[0] != NULL)
    g_string_append_printf (text, "\n%s\n", _ ("Engine options"));
  for (guint i = 0; summary->engine_options != NULL && summary->engine_options[i] != NULL; i += 2)
    g_string_append_printf (text, "  %s: %s\n", summary->engine_options[i],
                            summary->engine_options[i + 1]);
  append_json (text, _ ("Framework information"), summary->framework);
  append_json (text, _ ("Application information"), summary->app);
  return g_string_free (text, FALSE);
}
