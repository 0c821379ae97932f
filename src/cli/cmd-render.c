/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli render: a view's chart as an image, drawn as in the window.  This file parses the
 * command line and draws the view of memory. */

#include "config.h"

#include "tsr-chart-model.h"
#include "tsr-cli-trace.h"
#include "tsr-cli.h"
#include "tsr-liveness-chart.h"
#include "tsr-memory-chart.h"
#include "tsr-operation-rows.h"
#include "tsr-painter.h"
#include "tsr-program-icicle.h"
#include "tsr-roofline.h"
#include "tsr-rows.h"
#include "tsr-trace-chart.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  char *view, *output, *size, *from, *to, *scale;
  gboolean dark, no_max;
  int width, height;
  double scale_factor;

  /* memory */
  char *breakdown, *order, *tiles;
  gboolean gaps, fit;
  TsrMemoryChartOptions chart;

  /* liveness */
  char *source, *steps, *filter;
  char **variables;
  gboolean no_always_live, from_zero, no_structure, no_peaks;

  /* trace */
  char *run, *ipu, *exclude;
  gboolean flat, flame, bsp, by_finish, time, no_fold, no_balance, no_lanes, no_labels, no_blocks,
      no_align, group_syncs, flushes, utilisation, live_memory;

  /* programs */
  char *widths, *program;

  /* operations */
  char *layer, *operation;
} TsrRenderWish;

static gboolean tsr_render_parse_number (const char *text, double *number);
static void tsr_render_paint_range (
    TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model, double from, double to);
static void tsr_render_paint (TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model);

/* tessera-cli render --view=trace: the execution, run by run. */

#define HEAD       90.0 /* title, legend and ruler */
#define MAX_LOADED 400  /* sets of numbers of each tile that are kept */

typedef struct
{
  TsrCli *cli;
  TsrRenderWish *wish;
  TsrTrace *trace;
  TsrTraceState *state;
} Drawing;

static void
set_options (Drawing *self)
{
  const TsrRenderWish *wish = self->wish;
  const struct
  {
    TsrTraceOptions option;
    gboolean on;
  } options[] = {
    { TSR_TRACE_OPTION_BSP, wish->bsp },
    { TSR_TRACE_OPTION_TIME, wish->time },
    { TSR_TRACE_OPTION_FOLD, !wish->no_fold },
    { TSR_TRACE_OPTION_BALANCE, !wish->no_balance },
    { TSR_TRACE_OPTION_LANES, !wish->no_lanes },
    { TSR_TRACE_OPTION_LABELS, !wish->no_labels },
    { TSR_TRACE_OPTION_GROUP_SYNCS, wish->group_syncs },
    { TSR_TRACE_OPTION_BLOCKS, !wish->no_blocks },
    { TSR_TRACE_OPTION_FLUSHES, wish->flushes },
    { TSR_TRACE_OPTION_ALIGN_CLOCKS, !wish->no_align },
    { TSR_TRACE_OPTION_USE, wish->utilisation },
    { TSR_TRACE_OPTION_LIVE, wish->live_memory },
  };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    tsr_trace_state_set_option (self->state, options[i].option, options[i].on);
  tsr_trace_state_set_shape (self->state, wish->flat ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
}

static gboolean
check_options (Drawing *self)
{
  double clock = tsr_trace_get_clock (self->trace);

  if (self->wish->flat && self->wish->flame)
    tsr_cli_fail (self->cli, _ ("--flat and --flame exclude each other"));
  else if (self->wish->time && !(isfinite (clock) && clock > 0))
    tsr_cli_fail (self->cli, _ ("%s: the report does not record the clock frequency; see --time"),
                  self->cli->path);
  else
    return TRUE;
  return FALSE;
}

/* Beside numbers, as in the other commands, there are two words. */
static gboolean
choose_run (Drawing *self)
{
  guint run;

  if (self->wish->run == NULL || strcmp (self->wish->run, "profiled") == 0)
    return TRUE;
  if (strcmp (self->wish->run, "all") == 0)
    {
      tsr_trace_state_set_run (self->state, TSR_TRACE_RUN_ALL);
      return TRUE;
    }
  if (!tsr_cli_trace_run (self->cli, self->trace, self->wish->run, &run))
    return FALSE;
  tsr_trace_state_set_run (self->state, (int)run);
  return TRUE;
}

static gboolean
choose_ipu (Drawing *self)
{
  guint ipu;

  if (!tsr_cli_trace_ipu (self->cli, self->trace, self->wish->ipu, &ipu))
    return FALSE;
  tsr_trace_state_set_ipu (self->state, ipu);
  return TRUE;
}

static gboolean
exclude_types (Drawing *self)
{
  guint32 hidden;

  if (!tsr_cli_trace_exclude (self->cli, self->trace, self->wish->exclude, &hidden))
    return FALSE;
  for (guint t = 0; t < tsr_trace_get_n_types (self->trace); t++)
    if ((hidden >> t & 1) != 0)
      tsr_trace_state_set_hidden (self->state, tsr_trace_get_type (self->trace, t)->label, TRUE);
  return TRUE;
}

static gboolean
matches_filter (const char *name, gpointer data)
{
  return tsr_filter_match (data, name);
}

static gboolean
set_trace_filter (Drawing *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter = NULL;
  g_autoptr (TsrTraceMatches) matches = NULL;

  if (self->wish->filter == NULL)
    return TRUE;
  filter = tsr_filter_new (self->wish->filter, &error);
  if (filter == NULL)
    {
      tsr_cli_fail (self->cli, "%s", error->message);
      return FALSE;
    }
  if (tsr_filter_is_empty (filter))
    return TRUE;
  matches = tsr_trace_matches_new (self->trace, matches_filter, filter);
  tsr_trace_state_set_search (self->state, self->wish->filter, matches);
  return TRUE;
}

/* On all IPUs, or on the one that is drawn. */
static gboolean
select_trace_steps (Drawing *self)
{
  g_auto (GStrv) words = NULL;
  guint only = tsr_trace_state_get_ipu (self->state);

  if (self->wish->steps == NULL)
    return TRUE;
  words = g_strsplit (self->wish->steps, ",", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      gint64 id;

      if (!g_ascii_string_to_signed (g_strstrip (words[i]), 10, G_MININT64 + 1, G_MAXINT64, &id,
                                     NULL))
        {
          tsr_cli_fail (self->cli, _ ("A step is named by its id, not \"%s\"; see --step"),
                        words[i]);
          return FALSE;
        }
      for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (self->trace); ipu++)
        if (only == TSR_NO_INDEX || only == ipu)
          tsr_trace_state_toggle_step (self->state, id, ipu);
    }
  return TRUE;
}

/* Cycles, not positions: an axis with folds is nobody's unit. */
static gboolean
parse_trace_range (Drawing *self, TsrTraceFold *fold, double *from, double *to)
{
  gint64 first;
  gint64 end;
  double low;
  double high;

  tsr_trace_fold_get_domain (fold, &first, &end);
  low = (double)first;
  high = (double)end;
  if ((self->wish->from != NULL && !tsr_render_parse_number (self->wish->from, &low))
      || (self->wish->to != NULL && !tsr_render_parse_number (self->wish->to, &high))
      || low < (double)first || high > (double)end || (low >= high && first < end))
    {
      tsr_cli_fail (self->cli,
                    _ ("The cycles must lie within %.0f and %.0f; see --from, --to and --run"),
                    (double)first, (double)end);
      return FALSE;
    }
  *from = tsr_trace_fold_get_position (fold, (gint64)low);
  *to = tsr_trace_fold_get_position (fold, (gint64)high);
  if (!(*to > *from))
    *to = *from + 1;
  return TRUE;
}

/* All rows into the picture, as far as they can be read then. */
static void
fit_rows (Drawing *self, TsrTraceChart *chart)
{
  double room = self->wish->height - HEAD;
  double height;

  if (self->wish->bsp)
    {
      guint n = tsr_trace_state_get_ipu (self->state) != TSR_NO_INDEX
                    ? 1
                    : MAX (tsr_trace_get_n_ipus (self->trace), 1);

      tsr_trace_chart_set_bsp_height (chart, 40);
      height = tsr_trace_chart_get_height (chart);
      tsr_trace_chart_set_bsp_height (chart, floor (40 + (room - height) / n));
    }
  for (double row = 17; row >= 10 && tsr_trace_chart_get_height (chart) > room; row--)
    tsr_trace_chart_set_row_height (chart, row);
}

/* What the tiles do is read for what a first layout asks for. */
static void
load_tiles (Drawing *self, TsrTraceChart *chart, double from, double to)
{
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (GArray) wanted = NULL;
  TsrChartGeometry geometry = { .width = self->wish->width,
                                .height = self->wish->height,
                                .scale = self->wish->scale_factor,
                                .from = from,
                                .to = to,
                                .legend = TRUE,
                                .measure = *tsr_painter_get_measure () };
  TsrPlotArea area;

  tsr_chart_model_layout (TSR_CHART_MODEL (chart), &geometry, list, &area);
  wanted = tsr_trace_chart_dup_wanted (chart);
  for (guint i = 0; i < MIN (wanted->len, MAX_LOADED); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrTileCycles) cycles
          = tsr_trace_load_tile_cycles (self->trace, g_array_index (wanted, guint32, i), &error);

      if (cycles == NULL && error != NULL)
        {
          tsr_cli_say ("%s", error->message);
          return;
        }
    }
}

/* FALSE when the memory that is live at each step is not known. */
static gboolean
load_live (Drawing *self, TsrTraceChart *chart)
{
  TsrReport *report = tsr_trace_get_report (self->trace);
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrVariables) variables = NULL;
  g_autoptr (TsrLiveness) liveness = NULL;
  g_autoptr (TsrTraceLive) live = NULL;
  g_autoptr (GError) error = NULL;
  static const TsrStage needed[] = { TSR_STAGE_MEMORY, TSR_STAGE_LIVENESS };

  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    if (tsr_report_get_stage_state (report, needed[i]) != TSR_STAGE_READY)
      {
        tsr_cli_fail_stage (self->cli, report, needed[i]);
        return FALSE;
      }
  memory = tsr_memory_new (report);
  variables = tsr_variables_new (report, self->cli->cancellable, &error);
  if (variables != NULL)
    {
      liveness = tsr_liveness_new (report, memory, variables);
      live = tsr_trace_live_new (self->trace, liveness, self->cli->cancellable, &error);
    }
  if (live == NULL)
    {
      tsr_cli_fail (self->cli, "%s: %s", self->cli->path, error->message);
      return FALSE;
    }
  tsr_trace_chart_set_live (chart, live, self->cli->units, NULL);
  return TRUE;
}

static void
draw_trace (Drawing *self)
{
  g_autoptr (TsrTraceChart) chart = NULL;
  double from;
  double to;

  set_options (self);
  if (!check_options (self) || !choose_run (self) || !choose_ipu (self) || !exclude_types (self)
      || !set_trace_filter (self) || !select_trace_steps (self))
    return;
  chart = tsr_trace_chart_new (self->trace, self->state);
  if (self->wish->by_finish)
    tsr_trace_chart_set_tile_order (chart, TSR_TRACE_TILES_BY_FINISH);
  if (self->wish->live_memory && !load_live (self, chart))
    return;
  if (!parse_trace_range (self, tsr_trace_chart_get_fold (chart), &from, &to))
    return;
  fit_rows (self, chart);
  if (self->wish->bsp)
    load_tiles (self, chart, from, to);
  tsr_render_paint_range (self->cli, self->wish, TSR_CHART_MODEL (chart), from, to);
}

static void
tsr_render_trace (TsrCli *cli, TsrRenderWish *wish, TsrReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceState) state = tsr_trace_state_new ();
  Drawing drawing = { .cli = cli, .wish = wish, .state = state };

  if (tsr_report_get_execution_tables (report) == NULL)
    {
      tsr_cli_fail_stage (cli, report, TSR_STAGE_EXECUTION);
      return;
    }
  drawing.trace = trace = tsr_trace_new (report, cli->cancellable, &error);
  if (trace == NULL)
    tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  else
    draw_trace (&drawing);
}

/* tessera-cli render --view=liveness: the graph of a source, with steps, peaks and variables. */

#define N_PEAKS 9

typedef struct
{
  TsrCli *cli;
  TsrRenderWish *wish;
  TsrLiveness *liveness;
  TsrMemory *memory;
  TsrLivenessSource source;
  TsrLivenessChart *chart;
} LivenessDrawing;

static gboolean
choose_source (LivenessDrawing *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;

  if (self->wish->source == NULL)
    tsr_liveness_get_default_source (self->liveness, &self->source);
  else if (!tsr_liveness_source_parse (self->memory, self->wish->source, &self->source, &error))
    {
      tsr_cli_fail (self->cli, "%s", error->message);
      return FALSE;
    }
  if (tsr_liveness_can_show (self->liveness, &self->source, &why))
    return TRUE;
  tsr_cli_fail (self->cli, "%s: %s", self->cli->path, why);
  return FALSE;
}

/* "12,500,peak": the letters A, B ... stand at these. */
static gboolean
select_steps (LivenessDrawing *self, const TsrLivenessSeries *series, TsrStepSelection *selection)
{
  g_auto (GStrv) words = NULL;
  guint steps[TSR_MAX_SELECTED_STEPS];
  guint n = 0;

  if (self->wish->steps == NULL)
    return TRUE;
  words = g_strsplit (self->wish->steps, ",", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = g_strstrip (words[i]);
      guint64 step = series->peak_step;

      if (n == TSR_MAX_SELECTED_STEPS)
        {
          tsr_cli_fail (self->cli, _ ("At most %d steps can be marked"), TSR_MAX_SELECTED_STEPS);
          return FALSE;
        }
      if ((strcmp (word, "peak") != 0
           && !g_ascii_string_to_unsigned (word, 10, 0, G_MAXUINT32, &step, NULL))
          || step >= series->n_steps)
        {
          tsr_cli_fail (self->cli,
                        _ ("There is no step \"%s\": there are 0 to %u, and peak; see --step"),
                        word, MAX (series->n_steps, 1) - 1);
          return FALSE;
        }
      steps[n++] = step;
    }
  tsr_step_selection_set (selection, steps, n);
  return TRUE;
}

static gboolean
add_variables (LivenessDrawing *self)
{
  TsrVariables *variables = tsr_liveness_get_variables (self->liveness);

  for (guint i = 0; self->wish->variables != NULL && self->wish->variables[i] != NULL; i++)
    {
      const char *name = self->wish->variables[i];
      guint variable = tsr_variables_find (variables, name);
      g_autoptr (GArray) lives = NULL;
      guint first;
      guint end;
      g_autofree guint *tiles = NULL;
      const guint *on = self->source.tiles;
      guint n_on = self->source.n_tiles;

      if (variable == TSR_NO_INDEX)
        {
          tsr_cli_fail (self->cli, _ ("There is no variable \"%s\"; see --variable"), name);
          return FALSE;
        }
      if (self->source.kind == TSR_LIVENESS_IPU)
        {
          tsr_memory_get_ipu_tiles (self->memory, self->source.ipu, &first, &end);
          n_on = end - first;
          on = tiles = g_new (guint, MAX (n_on, 1));
          for (guint t = 0; t < n_on; t++)
            tiles[t] = first + t;
        }
      lives = tsr_variables_dup_lifetimes (variables, variable,
                                           self->source.kind == TSR_LIVENESS_ALL ? NULL : on, n_on);
      tsr_liveness_chart_add_lifetime (self->chart, name, lives);
    }
  return TRUE;
}

static gboolean
set_liveness_filter (LivenessDrawing *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrFilter) filter = NULL;
  guint n = tsr_liveness_get_n_steps (self->liveness);
  g_autofree guint8 *matches = NULL;

  if (self->wish->filter == NULL)
    return TRUE;
  filter = tsr_filter_new (self->wish->filter, &error);
  if (filter == NULL)
    {
      tsr_cli_fail (self->cli, "%s", error->message);
      return FALSE;
    }
  matches = g_malloc (MAX (n, 1));
  for (guint i = 0; i < n; i++)
    matches[i] = tsr_filter_match (filter, tsr_liveness_get_step_name (self->liveness, i));
  if (!tsr_filter_is_empty (filter))
    tsr_liveness_chart_set_matches (self->chart, matches);
  return TRUE;
}

static void
draw_liveness (LivenessDrawing *self, TsrLivenessSeries *series, TsrStepSelection *selection)
{
  g_autofree char *label = tsr_liveness_source_dup_label (&self->source);
  TsrLivenessChartOptions options = { .include_always_live = !self->wish->no_always_live,
                                      .show_max = !self->wish->no_max,
                                      .from_zero = self->wish->from_zero,
                                      .structure = !self->wish->no_structure,
                                      .units = self->cli->units };

  tsr_liveness_chart_set_series (self->chart, series, label);
  tsr_liveness_chart_set_options (self->chart, &options);
  if (!self->wish->no_peaks)
    {
      g_autoptr (GArray) peaks = tsr_liveness_find_peak_programs (self->liveness, series, N_PEAKS);

      tsr_liveness_chart_set_peaks (self->chart, peaks);
    }
  if (select_steps (self, series, selection) && add_variables (self) && set_liveness_filter (self))
    tsr_render_paint (self->cli, self->wish, TSR_CHART_MODEL (self->chart));
}

static void
tsr_render_liveness (TsrCli *cli, TsrRenderWish *wish, TsrReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrVariables) variables = tsr_variables_new (report, cli->cancellable, &error);
  g_autoptr (TsrLiveness) liveness = NULL;
  g_autoptr (TsrLivenessSeries) series = NULL;
  g_autoptr (TsrStepSelection) selection = tsr_step_selection_new ();
  g_autoptr (TsrLivenessChart) chart = NULL;
  LivenessDrawing drawing = { .cli = cli, .wish = wish, .memory = memory };

  if (variables != NULL)
    {
      drawing.liveness = liveness = tsr_liveness_new (report, memory, variables);
      if (choose_source (&drawing))
        series = tsr_liveness_compute (liveness, &drawing.source, cli->cancellable, &error);
    }
  if (series != NULL)
    {
      drawing.chart = chart = tsr_liveness_chart_new (liveness, selection);
      draw_liveness (&drawing, series, selection);
    }
  else if (error != NULL)
    tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  tsr_liveness_source_clear (&drawing.source);
}

#define MAX_SIZE 32767 /* of a cairo image, device pixels */

static const char *const views[] = { "memory", "liveness", "trace", "programs", "operations" };

static void
wish_clear (TsrRenderWish *wish)
{
  char *words[] = { wish->view,   wish->output,  wish->size,  wish->breakdown, wish->order,
                    wish->tiles,  wish->from,    wish->to,    wish->scale,     wish->source,
                    wish->steps,  wish->filter,  wish->run,   wish->ipu,       wish->exclude,
                    wish->widths, wish->program, wish->layer, wish->operation };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_free (words[i]);
  g_strfreev (wish->variables);
}

/* FALSE if @text is not a finite number. */
static gboolean
tsr_render_parse_number (const char *text, double *number)
{
  char *end = NULL;

  *number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*number);
}

static gboolean
parse_size (TsrCli *cli, TsrRenderWish *wish)
{
  char rest = '\0';

  wish->width = 1200;
  wish->height = 600;
  wish->scale_factor = 1;
  if (wish->size != NULL
      && (sscanf (wish->size, "%5dx%5d%c", &wish->width, &wish->height, &rest) != 2
          || wish->width < 100 || wish->height < 100))
    {
      tsr_cli_fail (cli, _ ("The size must be WIDTHxHEIGHT, each at least 100, not \"%s\""),
                    wish->size);
      return FALSE;
    }
  if (wish->scale != NULL
      && (!tsr_render_parse_number (wish->scale, &wish->scale_factor) || wish->scale_factor < 0.1
          || wish->scale_factor > 16))
    {
      tsr_cli_fail (cli, _ ("The scale must be a number from 0.1 to 16, not \"%s\""), wish->scale);
      return FALSE;
    }
  if (MAX (wish->width, wish->height) * MAX (wish->scale_factor, 1) <= MAX_SIZE)
    return TRUE;
  tsr_cli_fail (cli, _ ("The picture would be more than %d pixels wide or high"), MAX_SIZE);
  return FALSE;
}

/* A word that only another view knows would be left out in silence. */
static gboolean
check_view (TsrCli *cli, TsrRenderWish *wish)
{
  const struct
  {
    const char *option, *view, *other; /* views that know it */
    gboolean given;
  } own[] = {
    { "--breakdown", "memory", NULL, wish->breakdown != NULL },
    { "--order", "memory", NULL, wish->order != NULL },
    { "--tile", "memory", NULL, wish->tiles != NULL },
    { "--gaps", "memory", NULL, wish->gaps },
    { "--fit", "memory", NULL, wish->fit },
    { "--source", "liveness", NULL, wish->source != NULL },
    { "--step", "liveness", "trace", wish->steps != NULL },
    { "--filter", "liveness", "trace", wish->filter != NULL },
    { "--variable", "liveness", NULL, wish->variables != NULL },
    { "--no-always-live", "liveness", NULL, wish->no_always_live },
    { "--from-zero", "memory", "liveness", wish->from_zero },
    { "--no-structure", "liveness", NULL, wish->no_structure },
    { "--no-peaks", "liveness", NULL, wish->no_peaks },
    { "--no-max", "memory", "liveness", wish->no_max },
    { "--run", "trace", NULL, wish->run != NULL },
    { "--ipu", "trace", NULL, wish->ipu != NULL },
    { "--exclude", "trace", NULL, wish->exclude != NULL },
    { "--flat", "trace", NULL, wish->flat },
    { "--flame", "trace", NULL, wish->flame },
    { "--bsp", "trace", NULL, wish->bsp },
    { "--by-finish", "trace", NULL, wish->by_finish },
    { "--time", "trace", NULL, wish->time },
    { "--no-fold", "trace", NULL, wish->no_fold },
    { "--no-balance", "trace", NULL, wish->no_balance },
    { "--no-lanes", "trace", NULL, wish->no_lanes },
    { "--no-labels", "trace", NULL, wish->no_labels },
    { "--no-blocks", "trace", NULL, wish->no_blocks },
    { "--no-align", "trace", NULL, wish->no_align },
    { "--group-syncs", "trace", NULL, wish->group_syncs },
    { "--flushes", "trace", NULL, wish->flushes },
    { "--utilisation", "trace", NULL, wish->utilisation },
    { "--live-memory", "trace", NULL, wish->live_memory },
    { "--width", "programs", NULL, wish->widths != NULL },
    { "--program", "programs", NULL, wish->program != NULL },
    { "--layer", "operations", NULL, wish->layer != NULL },
    { "--operation", "operations", NULL, wish->operation != NULL },
  };
  gboolean known = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    known = known || g_strcmp0 (wish->view, views[i]) == 0;
  if (!known)
    {
      tsr_cli_fail (cli, _ ("Name a view: --view=memory, --view=liveness, --view=trace, "
                            "--view=programs or --view=operations"));
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (own[i].given && strcmp (own[i].view, wish->view) != 0
        && g_strcmp0 (own[i].other, wish->view) != 0)
      {
        tsr_cli_fail (cli, _ ("%s is for --view=%s"), own[i].option, own[i].view);
        return FALSE;
      }
  return TRUE;
}

static gboolean
parse_wish (TsrCli *cli, TsrRenderWish *wish)
{
  if (!check_view (cli, wish))
    return FALSE;
  if (wish->output == NULL)
    {
      tsr_cli_fail (cli, _ ("Name a file to write: --output=FILE, ending in .png, .svg or .pdf"));
      return FALSE;
    }
  wish->chart.units = cli->units;
  wish->chart.include_gaps = wish->gaps;
  wish->chart.show_max = !wish->no_max;
  wish->chart.fit_data = wish->fit;
  wish->chart.from_zero = wish->from_zero;
  if (wish->breakdown != NULL && !tsr_breakdown_parse (wish->breakdown, &wish->chart.breakdown))
    {
      tsr_cli_fail (cli,
                    _ ("There is no breakdown \"%s\"; choose none, region, category, liveness "
                       "or peak"),
                    wish->breakdown);
      return FALSE;
    }
  if (wish->order != NULL && !tsr_tile_order_parse (wish->order, &wish->chart.order))
    {
      tsr_cli_fail (cli, _ ("There is no order \"%s\"; choose software, physical or bytes"),
                    wish->order);
      return FALSE;
    }
  return parse_size (cli, wish);
}

static gboolean
parse_range (TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model, double *from, double *to)
{
  double least, start, end;

  tsr_chart_model_get_domain (model, &start, &end, &least);
  *from = start;
  *to = end;
  if ((wish->from != NULL && !tsr_render_parse_number (wish->from, from))
      || (wish->to != NULL && !tsr_render_parse_number (wish->to, to)) || *from < start || *to > end
      || *to - *from < MIN (least, end - start))
    {
      tsr_cli_fail (cli,
                    _ ("The range must lie within %.0f and %.0f and be at least %.0f wide; see "
                       "--from and --to"),
                    start, end, MIN (least, end - start));
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_possible (TsrCli *cli, TsrRenderWish *wish, TsrMemoryChart *chart)
{
  g_autofree char *why = NULL;

  if (tsr_memory_chart_can_break_down (chart, wish->chart.breakdown, &why)
      && tsr_memory_chart_can_order (chart, wish->chart.order, &why))
    return TRUE;
  tsr_cli_fail (cli, "%s: %s", cli->path, why);
  return FALSE;
}

static gboolean
select_tiles (TsrCli *cli, TsrRenderWish *wish, TsrMemory *memory, TsrTileSelection *selection)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) tiles = NULL;

  if (wish->tiles == NULL)
    return TRUE;
  tiles = tsr_memory_parse_tiles (memory, wish->tiles, &error);
  if (tiles == NULL)
    {
      tsr_cli_fail (cli, "%s", error->message);
      return FALSE;
    }
  tsr_tile_selection_set (selection, (const guint *)(const void *)tiles->data, tiles->len);
  return TRUE;
}

/* The same with positions of the model's x axis. */
static void
tsr_render_paint_range (
    TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model, double from, double to)
{
  g_autoptr (GError) error = NULL;

  if (!tsr_painter_export (model, wish->output, from, to, wish->width, wish->height,
                           wish->scale_factor, wish->dark, &error))
    tsr_cli_fail (cli, "%s", error->message);
}

/* Draws the requested range; on failure prints what is wrong and sets the status. */
static void
tsr_render_paint (TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model)
{
  double from, to;

  if (parse_range (cli, wish, model, &from, &to))
    tsr_render_paint_range (cli, wish, model, from, to);
}

/* Gives @chart what TSR_BREAKDOWN_PEAK stacks; FALSE after saying what is wrong. */
static gboolean
load_peaks (TsrCli *cli, TsrReport *report, TsrMemory *memory, TsrMemoryChart *chart)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrVariables) variables = tsr_variables_new (report, cli->cancellable, &error);
  gint64 *peaks = NULL;

  if (variables != NULL)
    {
      g_autoptr (TsrLiveness) liveness = tsr_liveness_new (report, memory, variables);

      peaks = tsr_liveness_dup_categories_at_peaks (liveness, cli->cancellable, &error);
    }
  if (peaks == NULL)
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return FALSE;
    }
  tsr_memory_chart_set_peaks (chart, peaks);
  return TRUE;
}

static void
render_memory (TsrCli *cli, TsrRenderWish *wish, TsrReport *report)
{
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrTileSelection) selection = tsr_tile_selection_new ();
  g_autoptr (TsrMemoryChart) chart = tsr_memory_chart_new (memory, selection, NULL);

  if (wish->chart.breakdown == TSR_BREAKDOWN_PEAK && !load_peaks (cli, report, memory, chart))
    return;
  if (!check_possible (cli, wish, chart) || !select_tiles (cli, wish, memory, selection))
    return;
  tsr_memory_chart_set_options (chart, &wish->chart);
  tsr_render_paint (cli, wish, TSR_CHART_MODEL (chart));
}

/* The program of --program as the root; FALSE after saying that there is none. */
static gboolean
set_root (TsrCli *cli, TsrRenderWish *wish, TsrPrograms *programs, TsrProgramIcicle *icicle)
{
  guint32 program = TSR_NO_INDEX;
  gint64 id;

  if (wish->program == NULL)
    return TRUE;
  if (g_ascii_string_to_signed (wish->program, 10, G_MININT64, G_MAXINT64, &id, NULL))
    program = tsr_programs_find (programs, id);
  if (program == TSR_NO_INDEX)
    {
      tsr_cli_fail (cli, _ ("%s: There is no program %s"), cli->path, wish->program);
      return FALSE;
    }
  tsr_program_icicle_set_root (icicle, TSR_NO_INDEX, program);
  return TRUE;
}

static void
render_programs (TsrCli *cli, TsrRenderWish *wish, TsrReport *report)
{
  TsrIcicleWidth width = TSR_ICICLE_CYCLES;
  g_autoptr (TsrPrograms) programs = NULL;
  g_autoptr (TsrProgramCode) code = NULL;
  g_autoptr (TsrProgramIcicle) icicle = NULL;
  g_autoptr (GError) error = NULL;

  if (wish->widths != NULL && !tsr_icicle_width_parse (wish->widths, &width))
    {
      tsr_cli_fail (cli, _ ("--%s takes one of %s, not \"%s\""), "width", "cycles, code, live",
                    wish->widths);
      return;
    }
  programs = tsr_programs_new (report, cli->cancellable, &error);
  if (programs != NULL && width == TSR_ICICLE_CODE && tsr_report_get_memory_tables (report) != NULL)
    {
      g_autoptr (TsrMemory) memory = tsr_memory_new (report);
      g_autoptr (TsrVertices) vertices = tsr_vertices_new (report, memory);

      code = tsr_program_code_new (programs, vertices, tsr_program_code_find_worst_tile (memory),
                                   cli->cancellable, &error);
    }
  if (error != NULL)
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return;
    }
  icicle = tsr_program_icicle_new (programs, code);
  if (!tsr_program_icicle_has_width (icicle, width))
    {
      tsr_cli_fail (cli, _ ("%s: The report does not record the widths of programs: %s"), cli->path,
                    tsr_icicle_width_get_name (width));
      return;
    }
  tsr_program_icicle_set_units (icicle, cli->units);
  tsr_program_icicle_set_width (icicle, width);
  if (set_root (cli, wish, programs, icicle))
    tsr_render_paint (cli, wish, TSR_CHART_MODEL (icicle));
}

/* The roofline. */
static void
render_operations (TsrCli *cli, TsrRenderWish *wish, TsrReport *report)
{
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrPrograms) programs = NULL;
  g_autoptr (TsrOperations) operations = NULL;
  g_autoptr (TsrRoofline) roofline = NULL;
  g_autoptr (GError) error = NULL;
  guint selected = TSR_NO_INDEX;

  programs = tsr_programs_new (report, cli->cancellable, &error);
  if (programs != NULL)
    operations = tsr_operations_new (programs, tsr_report_get_debug_tables (report),
                                     wish->layer != NULL ? wish->layer : "poplibs", memory, NULL,
                                     cli->cancellable, &error);
  if (operations == NULL)
    {
      tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
      return;
    }
  if (wish->operation != NULL)
    selected = tsr_operation_find (operations, wish->operation);
  if (wish->operation != NULL && selected == TSR_NO_INDEX)
    {
      tsr_cli_fail (cli, _ ("%s: There is no operation %s in this layer"), cli->path,
                    wish->operation);
      return;
    }
  roofline = tsr_roofline_new (operations, cli->units);
  if (tsr_roofline_get_n (roofline) == 0)
    {
      tsr_cli_fail (cli,
                    _ ("%s: No operation has FLOPs, measured cycles and exchanged bytes; record "
                       "them with the engine option autoReport.outputExecutionProfile"),
                    cli->path);
      return;
    }
  tsr_roofline_set_selected (roofline, selected);
  tsr_render_paint (cli, wish, TSR_CHART_MODEL (roofline));
}

static gboolean
parse_words (TsrCli *cli, TsrRenderWish *wish, int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "view", 'v', 0, G_OPTION_ARG_STRING, &wish->view,
      N_ ("which chart: memory, liveness, trace, programs or operations"), N_ ("NAME") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &wish->output,
      N_ ("file to write, ending in .png, .svg or .pdf"), N_ ("FILE") },
    { "size", 's', 0, G_OPTION_ARG_STRING, &wish->size,
      N_ ("size in pixels, or in points for PDF (1200x600)"), N_ ("WxH") },
    { "scale", 0, 0, G_OPTION_ARG_STRING, &wish->scale,
      N_ ("pixels of the picture for each of the size (1; PNG only)"), N_ ("N") },
    { "dark", 'd', 0, G_OPTION_ARG_NONE, &wish->dark, N_ ("dark colours"), NULL },
    { "breakdown", 0, 0, G_OPTION_ARG_STRING, &wish->breakdown,
      N_ ("none, region, category, liveness or peak"), N_ ("KIND") },
    { "gaps", 0, 0, G_OPTION_ARG_NONE, &wish->gaps, N_ ("with the gaps"), NULL },
    { "no-max", 0, 0, G_OPTION_ARG_NONE, &wish->no_max,
      N_ ("without the line of the memory that there is"), NULL },
    { "fit", 0, 0, G_OPTION_ARG_NONE, &wish->fit, N_ ("fit the axis to the data"), NULL },
    { "order", 0, 0, G_OPTION_ARG_STRING, &wish->order, N_ ("software, physical or bytes"),
      N_ ("ORDER") },
    { "tile", 't', 0, G_OPTION_ARG_STRING, &wish->tiles,
      N_ ("tiles to mark as selected: 0,5,10-20,ipu1,top5"), N_ ("LIST") },
    { "from", 0, 0, G_OPTION_ARG_STRING, &wish->from, N_ ("first tile, step or cycle"), N_ ("N") },
    { "to", 0, 0, G_OPTION_ARG_STRING, &wish->to, N_ ("end of the tiles, steps or cycles"),
      N_ ("N") },
    { "source", 0, 0, G_OPTION_ARG_STRING, &wish->source,
      N_ ("liveness of: all, ipu1, tile5, 0,5,10-20 (all, or the tile that does not fit)"),
      N_ ("SOURCE") },
    { "step", 0, 0, G_OPTION_ARG_STRING, &wish->steps,
      N_ ("steps to mark as A, B ...: 12,500,peak; of a trace: their ids"), N_ ("LIST") },
    { "variable", 0, 0, G_OPTION_ARG_STRING_ARRAY, &wish->variables,
      N_ ("a variable to lay over the graph; up to six times"), N_ ("NAME") },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &wish->filter,
      N_ ("steps in full colour: words of their names"), N_ ("TEXT") },
    { "no-always-live", 0, 0, G_OPTION_ARG_NONE, &wish->no_always_live,
      N_ ("without what is always live"), NULL },
    { "from-zero", 0, 0, G_OPTION_ARG_NONE, &wish->from_zero,
      N_ ("begin the axis at 0, however much is the same everywhere"), NULL },
    { "no-structure", 0, 0, G_OPTION_ARG_NONE, &wish->no_structure,
      N_ ("without the bands of the program below"), NULL },
    { "no-peaks", 0, 0, G_OPTION_ARG_NONE, &wish->no_peaks, N_ ("without numbers at the peaks"),
      NULL },
    { "run", 0, 0, G_OPTION_ARG_STRING, &wish->run,
      N_ ("run of a trace: its number, profiled (the last complete one) or all"), N_ ("RUN") },
    { "ipu", 0, 0, G_OPTION_ARG_STRING, &wish->ipu, N_ ("only this IPU"), N_ ("N") },
    { "exclude", 0, 0, G_OPTION_ARG_STRING, &wish->exclude, N_ ("types of steps to leave out"),
      N_ ("TYPE,...") },
    { "flat", 0, 0, G_OPTION_ARG_NONE, &wish->flat, N_ ("steps in one row"), NULL },
    { "flame", 0, 0, G_OPTION_ARG_NONE, &wish->flame,
      N_ ("a row for each part of their names (as without --flat)"), NULL },
    { "bsp", 0, 0, G_OPTION_ARG_NONE, &wish->bsp, N_ ("with the tiles of each IPU"), NULL },
    { "by-finish", 0, 0, G_OPTION_ARG_NONE, &wish->by_finish,
      N_ ("tiles in the order in which they finish the longest step"), NULL },
    { "time", 0, 0, G_OPTION_ARG_NONE, &wish->time, N_ ("a ruler in time, not in cycles"), NULL },
    { "no-fold", 0, 0, G_OPTION_ARG_NONE, &wish->no_fold,
      N_ ("long waits for the host at their full length"), NULL },
    { "no-balance", 0, 0, G_OPTION_ARG_NONE, &wish->no_balance,
      N_ ("without the shade of what tiles do not use"), NULL },
    { "no-lanes", 0, 0, G_OPTION_ARG_NONE, &wish->no_lanes,
      N_ ("steps that overlap over each other"), NULL },
    { "no-labels", 0, 0, G_OPTION_ARG_NONE, &wish->no_labels, N_ ("without names of steps"), NULL },
    { "no-blocks", 0, 0, G_OPTION_ARG_NONE, &wish->no_blocks,
      N_ ("without blocks of lightweight profiling"), NULL },
    { "no-align", 0, 0, G_OPTION_ARG_NONE, &wish->no_align,
      N_ ("blocks as each IPU's clock has it"), NULL },
    { "group-syncs", 0, 0, G_OPTION_ARG_NONE, &wish->group_syncs,
      N_ ("neighbouring syncs as one block"), NULL },
    { "flushes", 0, 0, G_OPTION_ARG_NONE, &wish->flushes,
      N_ ("blocks with the profiler's own copies"), NULL },
    { "utilisation", 0, 0, G_OPTION_ARG_NONE, &wish->utilisation,
      N_ ("with what shares the time of each IPU"), NULL },
    { "live-memory", 0, 0, G_OPTION_ARG_NONE, &wish->live_memory,
      N_ ("with the memory that is live on each IPU"), NULL },
    { "width", 0, 0, G_OPTION_ARG_STRING, &wish->widths,
      N_ ("what the width of a program shows: cycles, code or live"), N_ ("WHAT") },
    { "program", 0, 0, G_OPTION_ARG_STRING, &wish->program,
      N_ ("the program with this id and what is below it"), N_ ("ID") },
    { "layer", 0, 0, G_OPTION_ARG_STRING, &wish->layer,
      N_ ("software layer, by its name in the report (poplibs)"), N_ ("NAME") },
    { "operation", 0, 0, G_OPTION_ARG_STRING, &wish->operation,
      N_ ("operation to mark: a key of the list of operations"), N_ ("KEY") },
    { NULL },
  };

  return tsr_cli_parse (cli, entries, TSR_CLI_UNITS, argc, argv) && parse_wish (cli, wish);
}

static void
render_report (TsrCli *cli, TsrRenderWish *wish, TsrReport *report)
{
  gboolean liveness = strcmp (wish->view, "liveness") == 0;
  const GError *error = NULL;

  if (strcmp (wish->view, "trace") == 0)
    {
      tsr_cli_say_diagnostics (cli, report);
      tsr_render_trace (cli, wish, report);
      return;
    }
  if (strcmp (wish->view, "operations") == 0)
    {
      static const TsrStage needed[] = { TSR_STAGE_MEMORY, TSR_STAGE_PROGRAMS, TSR_STAGE_DEBUG };

      for (guint i = 0; i < G_N_ELEMENTS (needed) && cli->status == TSR_EXIT_FINE; i++)
        if (tsr_report_get_stage_state (report, needed[i]) != TSR_STAGE_READY)
          tsr_cli_fail_stage (cli, report, needed[i]);
      if (cli->status == TSR_EXIT_FINE)
        render_operations (cli, wish, report);
      tsr_cli_say_diagnostics (cli, report);
      return;
    }
  if (strcmp (wish->view, "programs") == 0)
    {
      if (tsr_report_get_program_tables (report) == NULL)
        tsr_cli_fail_stage (cli, report, TSR_STAGE_PROGRAMS);
      else
        render_programs (cli, wish, report);
      tsr_cli_say_diagnostics (cli, report);
      return;
    }
  if (tsr_report_get_memory_tables (report) == NULL)
    {
      tsr_cli_fail_stage (cli, report, TSR_STAGE_MEMORY);
      return;
    }
  tsr_cli_say_diagnostics (cli, report);
  if (liveness && tsr_report_get_liveness_tables (report) == NULL)
    {
      error = tsr_report_get_stage_error (report, TSR_STAGE_LIVENESS);
      tsr_cli_fail (cli, "%s: %s", cli->path,
                    error != NULL ? error->message : _ ("The liveness could not be read"));
    }
  else if (liveness)
    tsr_render_liveness (cli, wish, report);
  else
    render_memory (cli, wish, report);
}

static TsrLoadFlags
get_load_flags (const TsrRenderWish *wish)
{
  if (strcmp (wish->view, "memory") == 0 && wish->chart.breakdown != TSR_BREAKDOWN_PEAK)
    return TSR_LOAD_UP_TO_MEMORY;
  if (strcmp (wish->view, "trace") == 0)
    return TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN | TSR_LOAD_NO_DEBUG
           | (wish->live_memory ? 0 : TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED);
  if (strcmp (wish->view, "operations") == 0)
    return TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED;
  if (strcmp (wish->view, "programs") == 0)
    return TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LOWERED | TSR_LOAD_NO_DEBUG;
  return TSR_LOAD_LEAN | TSR_LOAD_NAMES | TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_DEBUG;
}

int
tsr_cli_run_render (TsrCli *cli, int argc, char **argv)
{
  g_autoptr (TsrReport) report = NULL;
  TsrRenderWish wish = { NULL };

  if (parse_words (cli, &wish, argc, argv))
    report = tsr_cli_open (cli, get_load_flags (&wish));
  if (report != NULL)
    render_report (cli, &wish, report);
  wish_clear (&wish);
  return cli->status;
}
