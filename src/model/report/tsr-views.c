/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of views: names, the tables that each needs, and the engine option that records each
 * table.  Looks up which of them a report has. */

#include "config.h"

#include "tsr-views.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const struct
{
  const char *nick;
  const char *key;
  const char *title;
} view_names[TSR_N_VIEWS] = {
  [TSR_VIEW_SUMMARY] = { "summary", "summary", N_ ("Summary") },
  [TSR_VIEW_INSIGHTS] = { "insights", "insights", N_ ("Insights") },
  [TSR_VIEW_MEMORY] = { "memory", "memory", N_ ("Memory") },
  [TSR_VIEW_LIVENESS] = { "liveness", "liveness", N_ ("Liveness") },
  [TSR_VIEW_PROGRAM_TREE] = { "programs", "programTree", N_ ("Program Tree") },
  [TSR_VIEW_OPERATIONS] = { "operations", "operations", N_ ("Operations") },
  [TSR_VIEW_EXECUTION_TRACE] = { "trace", "executionTrace", N_ ("Execution Trace") },
};

/* What each view wants.  A part of the report is a table, "table.column" or one of the fixed
 * files.  Without a needed part there is no view; without another it shows less. */
typedef struct
{
  TsrView view;
  const char *part;
  gboolean needed;
  const char *option;
  const char *text;
} Want;

#define GRAPH     "autoReport.outputGraphProfile"
#define EXECUTION "autoReport.outputExecutionProfile"
#define LOWERED   "autoReport.outputLoweredVars"
#define DEBUG     "autoReport.outputDebugInfo"

static const Want wants[] = {
  { TSR_VIEW_SUMMARY, "target", FALSE, GRAPH, N_ ("The target is not recorded") },
  { TSR_VIEW_SUMMARY, "graph", FALSE, GRAPH, N_ ("The size of the graph is not recorded") },
  { TSR_VIEW_INSIGHTS, "memory_by_tile", TRUE, GRAPH,
    N_ ("The memory of the tiles is not recorded") },
  { TSR_VIEW_INSIGHTS, "vars_info", FALSE, LOWERED,
    N_ ("The variables on each tile are not recorded") },
  { TSR_VIEW_INSIGHTS, "steps_by_ipu", FALSE, EXECUTION, N_ ("No execution is recorded") },
  { TSR_VIEW_MEMORY, "memory_by_tile", TRUE, GRAPH,
    N_ ("The memory of the tiles is not recorded") },
  { TSR_VIEW_MEMORY, "memory_by_tile.including_gaps", FALSE, GRAPH, N_ ("Gaps are not recorded") },
  { TSR_VIEW_MEMORY, "memory_by_tile.always_live", FALSE, GRAPH,
    N_ ("The always-live bytes of the tiles are not recorded") },
  { TSR_VIEW_MEMORY, "memory_by_tile_region", FALSE, GRAPH,
    N_ ("The memory regions of the tiles are not recorded") },
  { TSR_VIEW_MEMORY, "memory_by_tile_category", FALSE, GRAPH,
    N_ ("The categories of the tiles are not recorded") },
  { TSR_VIEW_LIVENESS, "liveness_steps", TRUE, GRAPH, N_ ("The liveness steps are not recorded") },
  { TSR_VIEW_LIVENESS, "vars_info.equivalence_class", FALSE, LOWERED,
    N_ ("The variables on each tile are not recorded") },
  { TSR_VIEW_LIVENESS, "debug.cbor", FALSE, DEBUG, N_ ("There is no debug information") },
  { TSR_VIEW_PROGRAM_TREE, "programs", TRUE, GRAPH, N_ ("The programs are not recorded") },
  { TSR_VIEW_PROGRAM_TREE, "program_children", TRUE, GRAPH,
    N_ ("The children of the programs are not recorded") },
  { TSR_VIEW_PROGRAM_TREE, "debug.cbor", FALSE, DEBUG, N_ ("There is no debug information") },
  { TSR_VIEW_OPERATIONS, "programs", TRUE, GRAPH, N_ ("The programs are not recorded") },
  { TSR_VIEW_OPERATIONS, "debug.cbor", TRUE, DEBUG, N_ ("There is no debug information") },
  { TSR_VIEW_OPERATIONS, "programs.debug_id", FALSE, GRAPH,
    N_ ("The debug contexts of the programs are not recorded") },
  { TSR_VIEW_EXECUTION_TRACE, "steps", TRUE, EXECUTION, N_ ("No execution is recorded") },
  { TSR_VIEW_EXECUTION_TRACE, "steps_by_ipu", TRUE, EXECUTION, N_ ("No execution is recorded") },
  { TSR_VIEW_EXECUTION_TRACE, "tile_cycles", FALSE, "debug.computeInstrumentationLevel",
    N_ ("The cycles of single tiles are not recorded") },
};

static gboolean
has_part (const char *part, const TsrReportFiles *files, TsrProfile *profile)
{
  g_auto (GStrv) words = NULL;

  if (g_str_equal (part, "debug.cbor"))
    return files->files[TSR_FILE_DEBUG].found && files->files[TSR_FILE_DEBUG].bytes != 0;
  if (profile == NULL)
    return FALSE;
  words = g_strsplit (part, ".", 2);
  if (!tsr_profile_has_rows (profile, words[0]))
    return FALSE;
  return words[1] == NULL || tsr_profile_has_column (profile, words[0], words[1]);
}

static void
missing_free (gpointer data)
{
  TsrMissing *missing = data;

  g_free (missing->table);
  g_free (missing->option);
  g_free (missing->text);
  g_free (missing);
}

static void
add_missing (TsrAvailability *availability, const Want *want)
{
  TsrMissing *missing = g_new0 (TsrMissing, 1);

  missing->table = g_strdup (want->part);
  missing->option = g_strdup (want->option);
  /* Translators: "The memory of the tiles is not recorded (memory_by_tile; engine option ...)" */
  missing->text = g_strdup_printf (_ ("%s (%s; recorded with the engine option %s)"),
                                   _ (want->text), want->part, want->option);
  g_ptr_array_add (availability->missing, missing);
}

void
tsr_views_prefetch (TsrProfile *profile)
{
  static const TsrTablePart small[] = {
    { "report_info", TRUE }, { "engine_options", TRUE }, { "target", TRUE },
    { "graph", TRUE },       { "blocks", FALSE },
  };
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (TsrTablePart));
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_array_append_vals (parts, small, G_N_ELEMENTS (small));
  for (guint i = 0; i < G_N_ELEMENTS (wants); i++)
    {
      TsrTablePart part = { 0 };

      /* "table.column", or a file, which is no table's name. */
      g_ptr_array_add (names, g_strndup (wants[i].part, strcspn (wants[i].part, ".")));
      part.name = g_ptr_array_index (names, i);
      g_array_append_val (parts, part);
    }
  tsr_database_prefetch (tsr_profile_get_database (profile),
                         (const TsrTablePart *)(gpointer)parts->data, parts->len);
}

void
tsr_views_probe (TsrAvailability *views, const TsrReportFiles *files, TsrProfile *profile)
{
  for (guint i = 0; i < TSR_N_VIEWS; i++)
    {
      views[i].available = TRUE;
      views[i].missing = g_ptr_array_new_with_free_func (missing_free);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wants); i++)
    {
      if (has_part (wants[i].part, files, profile))
        continue;
      add_missing (&views[wants[i].view], &wants[i]);
      if (wants[i].needed)
        views[wants[i].view].available = FALSE;
    }
  /* Lightweight profiling records blocks and no steps. */
  if (has_part ("blocks", files, profile))
    views[TSR_VIEW_EXECUTION_TRACE].available = TRUE;
  /* archive.a alone gives every tile's total. */
  if (files->files[TSR_FILE_ARCHIVE].found)
    views[TSR_VIEW_MEMORY].available = TRUE;
}

void
tsr_availability_clear (TsrAvailability *availability)
{
  g_clear_pointer (&availability->missing, g_ptr_array_unref);
}

const char *
tsr_view_get_nick (TsrView view)
{
  g_return_val_if_fail (view < TSR_N_VIEWS, NULL);
  return view_names[view].nick;
}

const char *
tsr_view_get_key (TsrView view)
{
  g_return_val_if_fail (view < TSR_N_VIEWS, NULL);
  return view_names[view].key;
}

const char *
tsr_view_get_title (TsrView view)
{
  g_return_val_if_fail (view < TSR_N_VIEWS, NULL);
  return _ (view_names[view].title);
}
