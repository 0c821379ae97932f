/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli render --view=trace: the execution, run by run. */

#include "config.h"

#include "cmd-render.h"

#include "tsr-cli-trace.h"
#include "tsr-painter.h"
#include "tsr-rows.h"
#include "tsr-trace-chart.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

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
    tsr_cli_fail (self->cli, _ ("%s: the report does not tell the clock's frequency; see --time"),
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
set_filter (Drawing *self)
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
select_steps (Drawing *self)
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
parse_range (Drawing *self, TsrTraceFold *fold, double *from, double *to)
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

static void
draw (Drawing *self)
{
  g_autoptr (TsrTraceChart) chart = NULL;
  double from;
  double to;

  set_options (self);
  if (!check_options (self) || !choose_run (self) || !choose_ipu (self) || !exclude_types (self)
      || !set_filter (self) || !select_steps (self))
    return;
  chart = tsr_trace_chart_new (self->trace, self->state);
  if (self->wish->by_finish)
    tsr_trace_chart_set_tile_order (chart, TSR_TRACE_TILES_BY_FINISH);
  if (!parse_range (self, tsr_trace_chart_get_fold (chart), &from, &to))
    return;
  fit_rows (self, chart);
  if (self->wish->bsp)
    load_tiles (self, chart, from, to);
  tsr_render_paint_range (self->cli, self->wish, TSR_CHART_MODEL (chart), from, to);
}

void
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
    draw (&drawing);
}
