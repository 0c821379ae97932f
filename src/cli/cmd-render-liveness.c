/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli render --view=liveness: the graph of a source, with steps, peaks and variables. */

#include "config.h"

#include "cmd-render.h"

#include "tsr-liveness-chart.h"
#include "tsr-rows.h"

#include <glib/gi18n.h>
#include <string.h>

#define N_PEAKS 9

typedef struct
{
  TsrCli *cli;
  TsrRenderWish *wish;
  TsrLiveness *liveness;
  TsrMemory *memory;
  TsrLivenessSource source;
  TsrLivenessChart *chart;
} Drawing;

static gboolean
choose_source (Drawing *self)
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
select_steps (Drawing *self, const TsrLivenessSeries *series, TsrStepSelection *selection)
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
add_variables (Drawing *self)
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
set_filter (Drawing *self)
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
draw (Drawing *self, TsrLivenessSeries *series, TsrStepSelection *selection)
{
  g_autofree char *label = tsr_liveness_source_dup_label (self->memory, &self->source);
  TsrLivenessChartOptions options = { .include_always_live = !self->wish->no_always_live,
                                      .show_max = !self->wish->no_max,
                                      .from_always_live = self->wish->from_always_live,
                                      .structure = !self->wish->no_structure,
                                      .units = self->cli->units };

  tsr_liveness_chart_set_series (self->chart, series, label);
  tsr_liveness_chart_set_options (self->chart, &options);
  if (!self->wish->no_peaks)
    {
      g_autoptr (GArray) peaks = tsr_liveness_find_peaks (series, N_PEAKS);

      tsr_liveness_chart_set_peaks (self->chart, peaks);
    }
  if (select_steps (self, series, selection) && add_variables (self) && set_filter (self))
    tsr_render_paint (self->cli, self->wish, TSR_CHART_MODEL (self->chart));
}

void
tsr_render_liveness (TsrCli *cli, TsrRenderWish *wish, TsrReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrVariables) variables = tsr_variables_new (report, cli->cancellable, &error);
  g_autoptr (TsrLiveness) liveness = NULL;
  g_autoptr (TsrLivenessSeries) series = NULL;
  g_autoptr (TsrStepSelection) selection = tsr_step_selection_new ();
  g_autoptr (TsrLivenessChart) chart = NULL;
  Drawing drawing = { .cli = cli, .wish = wish, .memory = memory };

  if (variables != NULL)
    {
      drawing.liveness = liveness = tsr_liveness_new (report, memory, variables);
      if (choose_source (&drawing))
        series = tsr_liveness_compute (liveness, &drawing.source, cli->cancellable, &error);
    }
  if (series != NULL)
    {
      drawing.chart = chart = tsr_liveness_chart_new (liveness, selection);
      draw (&drawing, series, selection);
    }
  else if (error != NULL)
    tsr_cli_fail (cli, "%s: %s", cli->path, error->message);
  tsr_liveness_source_clear (&drawing.source);
}
