/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli render: a view's chart as an image, drawn as in the window.  This file parses the
 * command line and draws the view of memory. */

#include "config.h"

#include "cmd-render.h"

#include "tsr-painter.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_SIZE 32767 /* of a cairo image, device pixels */

static const char *const views[] = { "memory", "liveness", "trace" };

static void
wish_clear (TsrRenderWish *wish)
{
  char *words[] = { wish->view,  wish->output, wish->size, wish->breakdown, wish->order,
                    wish->tiles, wish->from,   wish->to,   wish->scale,     wish->source,
                    wish->steps, wish->filter, wish->run,  wish->ipu,       wish->exclude };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_free (words[i]);
  g_strfreev (wish->variables);
}

gboolean
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
    { "--from-always-live", "liveness", NULL, wish->from_always_live },
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
  };
  gboolean known = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    known = known || g_strcmp0 (wish->view, views[i]) == 0;
  if (!known)
    {
      tsr_cli_fail (cli,
                    _ ("Which view? There are --view=memory, --view=liveness and --view=trace"));
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
      tsr_cli_fail (cli, _ ("Where to? Give --output=FILE, ending in .png, .svg or .pdf"));
      return FALSE;
    }
  wish->chart.units = cli->units;
  wish->chart.include_gaps = wish->gaps;
  wish->chart.show_max = !wish->no_max;
  wish->chart.fit_data = wish->fit;
  if (wish->breakdown != NULL && !tsr_breakdown_parse (wish->breakdown, &wish->chart.breakdown))
    {
      tsr_cli_fail (cli,
                    _ ("There is no breakdown \"%s\"; there are none, region, category and "
                       "liveness"),
                    wish->breakdown);
      return FALSE;
    }
  if (wish->order != NULL && !tsr_tile_order_parse (wish->order, &wish->chart.order))
    {
      tsr_cli_fail (cli, _ ("There is no order \"%s\"; there are software, physical and bytes"),
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

void
tsr_render_paint_range (
    TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model, double from, double to)
{
  g_autoptr (GError) error = NULL;

  if (!tsr_painter_export (model, wish->output, from, to, wish->width, wish->height,
                           wish->scale_factor, wish->dark, &error))
    tsr_cli_fail (cli, "%s", error->message);
}

void
tsr_render_paint (TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model)
{
  double from, to;

  if (parse_range (cli, wish, model, &from, &to))
    tsr_render_paint_range (cli, wish, model, from, to);
}

static void
render_memory (TsrCli *cli, TsrRenderWish *wish, TsrReport *report)
{
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrTileSelection) selection = tsr_tile_selection_new ();
  g_autoptr (TsrMemoryChart) chart = tsr_memory_chart_new (memory, selection, NULL);

  if (!check_possible (cli, wish, chart) || !select_tiles (cli, wish, memory, selection))
    return;
  tsr_memory_chart_set_options (chart, &wish->chart);
  tsr_render_paint (cli, wish, TSR_CHART_MODEL (chart));
}

static gboolean
parse_words (TsrCli *cli, TsrRenderWish *wish, int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "view", 'v', 0, G_OPTION_ARG_STRING, &wish->view,
      N_ ("which chart: memory, liveness or trace"), N_ ("NAME") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &wish->output,
      N_ ("file to write, ending in .png, .svg or .pdf"), N_ ("FILE") },
    { "size", 's', 0, G_OPTION_ARG_STRING, &wish->size,
      N_ ("size in pixels, or in points for PDF (1200x600)"), N_ ("WxH") },
    { "scale", 0, 0, G_OPTION_ARG_STRING, &wish->scale,
      N_ ("pixels of the picture for each of the size (1; PNG only)"), N_ ("N") },
    { "dark", 'd', 0, G_OPTION_ARG_NONE, &wish->dark, N_ ("dark colours"), NULL },
    { "breakdown", 0, 0, G_OPTION_ARG_STRING, &wish->breakdown,
      N_ ("none, region, category or liveness"), N_ ("KIND") },
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
    { "from-always-live", 0, 0, G_OPTION_ARG_NONE, &wish->from_always_live,
      N_ ("begin the axis at what is always live"), NULL },
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
    { NULL },
  };

  return tsr_cli_parse (cli, tsr_cli_find_command ("render"), entries, TSR_CLI_UNITS, argc, argv)
         && parse_wish (cli, wish);
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
  if (strcmp (wish->view, "memory") == 0)
    return TSR_LOAD_UP_TO_MEMORY;
  if (strcmp (wish->view, "trace") == 0)
    return TSR_LOAD_LEAN | TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED;
  return TSR_LOAD_LEAN | TSR_LOAD_NO_EXECUTION;
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
