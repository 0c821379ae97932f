/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the liveness graph shows, computed in workers: the source over all steps with its peaks, the
 * same of the selected tiles, and the lifetimes of the selected variables.  What is drawn stays
 * until what comes in its place is there. */

#include "config.h"

#include "tsr-liveness-page-private.h"

#include <glib/gi18n.h>

#define MOST_PEAKS 9

typedef struct
{
  TsrLiveness *liveness;
  TsrLivenessSource source;
  GStrv names;       /* of variables */
  GPtrArray *groups; /* (nullable) TsrLivenessGroup */
} Job;

static Job *
job_new (TsrLiveness *liveness, const TsrLivenessSource *source)
{
  Job *job = g_new0 (Job, 1);

  job->liveness = tsr_liveness_ref (liveness);
  tsr_liveness_source_copy (source, &job->source);
  return job;
}

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_liveness_unref (job->liveness);
  tsr_liveness_source_clear (&job->source);
  g_strfreev (job->names);
  g_clear_pointer (&job->groups, g_ptr_array_unref);
  g_free (job);
}

/* The source over all steps */

typedef struct
{
  TsrLivenessSeries *series;
  GArray *peaks;
} Fed;

static void
fed_free (gpointer data)
{
  Fed *fed = data;

  g_clear_pointer (&fed->series, tsr_liveness_series_unref);
  g_clear_pointer (&fed->peaks, g_array_unref);
  g_free (fed);
}

static gpointer
compute_series (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  TsrLivenessSeries *series
      = tsr_liveness_compute (job->liveness, &job->source, cancellable, error);
  Fed *fed;

  if (series == NULL)
    return NULL;
  fed = g_new0 (Fed, 1);
  fed->series = series;
  fed->peaks = tsr_liveness_find_peaks (series, MOST_PEAKS);
  return fed;
}

static void
show_message (TsrLivenessPage *self, const char *text)
{
  gtk_label_set_label (self->message, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL);
}

/* What is hidden stays so in the next graph. */
static void
keep_hidden (TsrLivenessPage *self)
{
  if (self->model == NULL)
    return;
  g_strfreev (self->hidden);
  self->hidden = tsr_liveness_chart_dup_hidden (self->model);
}

static void
drop_model (TsrLivenessPage *self)
{
  keep_hidden (self);
  tsr_plane_set_model (TSR_PLANE (self->chart), NULL);
  g_clear_object (&self->model);
  g_clear_pointer (&self->shown, tsr_liveness_unref);
}

static void
drop_series (TsrLivenessPage *self)
{
  g_clear_pointer (&self->series, tsr_liveness_series_unref);
  g_clear_pointer (&self->peaks, g_array_unref);
}

static void
show_peaks (TsrLivenessPage *self)
{
  gint64 always = self->series == NULL ? TSR_UNKNOWN
                  : tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE)
                      ? self->series->always_live
                      : 0;

  tsr_peaks_popover_set_peaks (self->peaks_popover, self->liveness, self->peaks, always,
                               tsr_session_get_units (tsr_liveness_page_get_session (self)));
  gtk_widget_set_sensitive (GTK_WIDGET (self->peaks_button),
                            self->peaks != NULL && self->peaks->len > 0);
}

static void
on_series (gpointer owner, gpointer result, const GError *error)
{
  TsrLivenessPage *self = owner;
  Fed *fed = result;
  g_autofree char *label = NULL;
  gboolean fresh = self->model == NULL || self->shown != self->liveness;

  drop_series (self);
  show_message (self, fed == NULL ? error->message : NULL);
  if (fed != NULL)
    {
      self->series = g_steal_pointer (&fed->series);
      self->peaks = g_steal_pointer (&fed->peaks);
      fed_free (fed);
    }
  if (fresh)
    {
      keep_hidden (self);
      g_clear_object (&self->model);
      g_clear_pointer (&self->shown, tsr_liveness_unref);
      self->shown = tsr_liveness_ref (self->liveness);
      self->model = tsr_liveness_chart_new (self->liveness, tsr_liveness_page_get_steps (self));
      tsr_liveness_chart_set_hidden (self->model, (const char *const *)self->hidden);
      g_clear_pointer (&self->hidden, g_strfreev);
    }
  label = tsr_liveness_source_dup_label (tsr_liveness_get_memory (self->liveness), &self->source);
  tsr_liveness_chart_set_series (self->model, self->series, label);
  tsr_liveness_chart_set_peaks (self->model, self->peaks);
  tsr_liveness_page_apply_options (self);
  tsr_liveness_page_apply_matches (self);
  if (fresh)
    tsr_plane_set_model (TSR_PLANE (self->chart), TSR_CHART_MODEL (self->model));
  show_peaks (self);
  tsr_liveness_tabs_set_peaks (self->tabs, self->peaks);
  tsr_liveness_page_update_statistics (self);
  tsr_liveness_page_update_lines (self);
  tsr_liveness_page_update_scope (self);
  tsr_liveness_page_update_status_right (self);
}

void
tsr_liveness_page_update_feed (TsrLivenessPage *self)
{
  TsrSession *session = tsr_liveness_page_get_session (self);
  TsrLiveness *liveness = tsr_session_get_liveness (session);
  g_auto (TsrLivenessSource) source = { 0 };

  if (liveness == NULL)
    {
      tsr_latest_cancel (self->series_work);
      tsr_latest_cancel (self->statistics_work);
      tsr_latest_cancel (self->lines_work);
      drop_model (self);
      drop_series (self);
      g_clear_pointer (&self->liveness, tsr_liveness_unref);
      tsr_step_filter_set_liveness (self->step_filter, NULL);
      tsr_liveness_tabs_set_source (self->tabs, NULL);
      tsr_liveness_page_update_lifetimes (self);
      tsr_page_set_status_left (TSR_PAGE (self), NULL);
      tsr_page_set_status_right (TSR_PAGE (self), NULL);
      return;
    }
  tsr_source_chooser_get_source (session, &source);
  if (liveness == self->liveness && tsr_liveness_source_equal (&source, &self->source))
    return;
  if (liveness != self->liveness)
    {
      g_clear_pointer (&self->liveness, tsr_liveness_unref);
      self->liveness = tsr_liveness_ref (liveness);
      tsr_step_filter_set_liveness (self->step_filter, liveness);
    }
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
  tsr_liveness_source_copy (&source, &self->source);
  tsr_latest_run (self->series_work, compute_series, job_new (liveness, &source), job_free,
                  on_series);
  tsr_liveness_tabs_set_source (self->tabs, &self->source);
  self->lifetimes_stale = TRUE;
  tsr_liveness_page_update_lifetimes (self);
  tsr_liveness_page_update_scope (self);
}

void
tsr_liveness_page_apply_options (TsrLivenessPage *self)
{
  TsrLivenessChartOptions options = {
    .include_always_live = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE),
    .show_max = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_SHOW_MAX),
    .from_always_live = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_FROM_ALWAYS_LIVE)
                        && tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE),
    .structure = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_STRUCTURE),
    .units = tsr_session_get_units (tsr_liveness_page_get_session (self)),
  };

  gtk_widget_action_set_enabled (
      GTK_WIDGET (self), "liveness.from-always-live",
      tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE));
  tsr_liveness_tabs_set_include_always_live (
      self->tabs, tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE));
  if (self->model == NULL)
    return;
  tsr_liveness_chart_set_options (self->model, &options);
  show_peaks (self);
  tsr_liveness_page_update_scope (self);
  tsr_liveness_page_update_status_right (self);
}

void
tsr_liveness_page_apply_matches (TsrLivenessPage *self)
{
  if (self->model != NULL && self->shown == self->liveness)
    tsr_liveness_chart_set_matches (self->model,
                                    tsr_step_filter_peek_matches (self->step_filter, NULL));
}

/* The selected tiles */

static gpointer
compute_statistics (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;

  return tsr_liveness_compute (job->liveness, &job->source, cancellable, error);
}

/* The line of few tiles lies flat at the bottom of a graph of all: its most is told in words. */
static char *
dup_statistics_label (TsrLivenessPage *self, const char *tiles, const TsrLivenessSeries *series)
{
  TsrUnits units = tsr_session_get_units (tsr_liveness_page_get_session (self));
  gint64 most = series->peak_bytes;
  g_autofree char *size = NULL;

  if (most != TSR_UNKNOWN && !tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE))
    most = series->always_live != TSR_UNKNOWN ? most - series->always_live : TSR_UNKNOWN;
  if (most == TSR_UNKNOWN)
    return g_strdup_printf (_ ("Selected: %s"), tiles);
  size = tsr_units_dup_bytes (units, most);
  return g_strdup_printf (_ ("Selected: %s, at most %s"), tiles, size);
}

static void
show_statistics (TsrLivenessPage *self, TsrLivenessSeries *series)
{
  TsrTileSelection *selection = tsr_session_get_selection (tsr_liveness_page_get_session (self));
  g_autofree char *label = NULL, *text = NULL;
  TsrLivenessSource source = { .kind = TSR_LIVENESS_TILES };

  if (self->model == NULL)
    return;
  source.tiles = (guint *)tsr_tile_selection_peek (selection, &source.n_tiles);
  if (series != NULL && source.n_tiles > 0)
    {
      text = tsr_liveness_source_dup_label (tsr_liveness_get_memory (self->liveness), &source);
      label = dup_statistics_label (self, text, series);
    }
  tsr_liveness_chart_set_tiles_series (self->model, label != NULL ? series : NULL, label);
}

static void
on_statistics (gpointer owner, gpointer result, const GError *error)
{
  g_autoptr (TsrLivenessSeries) series = result;

  show_statistics (owner, series);
}

void
tsr_liveness_page_update_statistics (TsrLivenessPage *self)
{
  TsrTileSelection *selection = tsr_session_get_selection (tsr_liveness_page_get_session (self));
  TsrLivenessSource source = { .kind = TSR_LIVENESS_TILES };

  source.tiles = (guint *)tsr_tile_selection_peek (selection, &source.n_tiles);
  if (!tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_STATISTICS) || self->liveness == NULL
      || source.n_tiles == 0 || !tsr_liveness_can_show (self->liveness, &source, NULL))
    {
      tsr_latest_cancel (self->statistics_work);
      show_statistics (self, NULL);
      return;
    }
  tsr_latest_run (self->statistics_work, compute_statistics, job_new (self->liveness, &source),
                  job_free, on_statistics);
}

/* The selected variables, and groups of them */

typedef struct
{
  char *name;
  GArray *lifetimes;
} Line;

static void
line_free (gpointer data)
{
  Line *line = data;

  g_free (line->name);
  g_array_unref (line->lifetimes);
  g_free (line);
}

static void
take_line (GPtrArray *lines, char *name, GArray *lifetimes)
{
  Line *line = g_new0 (Line, 1);

  line->name = name;
  line->lifetimes = lifetimes;
  g_ptr_array_add (lines, line);
}

/* A group with nothing but always-live bytes has no line. */
static gboolean
add_groups (Job *job, GPtrArray *lines, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < job->groups->len; i++)
    {
      const TsrLivenessGroup *group = job->groups->pdata[i];
      g_autoptr (GArray) lifetimes = NULL;

      if (group->liveness != job->liveness)
        continue;
      lifetimes = tsr_liveness_dup_sum_of (job->liveness, &job->source, group->variables, group->n,
                                           cancellable, error);
      if (lifetimes == NULL)
        return FALSE;
      if (lifetimes->len > 0)
        take_line (lines, tsr_liveness_group_dup_label (group), g_steal_pointer (&lifetimes));
    }
  return TRUE;
}

static gpointer
compute_lines (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  TsrVariables *variables = tsr_liveness_get_variables (job->liveness);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (line_free);

  for (guint i = 0; job->names != NULL && job->names[i] != NULL; i++)
    {
      guint variable = tsr_variables_find (variables, job->names[i]);
      GArray *lifetimes;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (variable == TSR_NO_INDEX)
        continue;
      lifetimes = tsr_liveness_dup_lifetimes (job->liveness, &job->source, variable);
      if (lifetimes != NULL)
        take_line (lines, g_strdup (job->names[i]), lifetimes);
    }
  if (!add_groups (job, lines, cancellable, error))
    return NULL;
  return g_steal_pointer (&lines);
}

static void
on_lines (gpointer owner, gpointer result, const GError *error)
{
  TsrLivenessPage *self = owner;
  g_autoptr (GPtrArray) lines = result;

  if (self->model == NULL)
    return;
  tsr_liveness_chart_clear_lifetimes (self->model);
  for (guint i = 0; lines != NULL && i < lines->len; i++)
    {
      const Line *line = g_ptr_array_index (lines, i);

      tsr_liveness_chart_add_lifetime (self->model, line->name, line->lifetimes);
    }
}

void
tsr_liveness_page_update_lines (TsrLivenessPage *self)
{
  const char *const *names = tsr_step_selection_peek_variables (tsr_liveness_page_get_steps (self));
  GPtrArray *groups = tsr_liveness_tabs_peek_groups (self->tabs);
  Job *job;

  if (self->liveness == NULL || ((names == NULL || names[0] == NULL) && groups->len == 0))
    {
      tsr_latest_cancel (self->lines_work);
      if (self->model != NULL)
        tsr_liveness_chart_clear_lifetimes (self->model);
      return;
    }
  job = job_new (self->liveness, &self->source);
  job->names = g_strdupv ((char **)names);
  job->groups = g_ptr_array_ref (groups);
  tsr_latest_run (self->lines_work, compute_lines, job, job_free, on_lines);
}

/* The lifetimes are computed when they are seen. */
void
tsr_liveness_page_update_lifetimes (TsrLivenessPage *self)
{
  if (self->liveness == NULL)
    {
      tsr_lifetime_view_set_source (self->lifetimes, NULL, NULL);
      self->lifetimes_stale = TRUE;
      return;
    }
  if (!self->lifetimes_stale
      || (!self->lifetimes_below
          && tsr_liveness_tabs_get_tab (self->tabs) != TSR_LIVENESS_TAB_LIFETIMES))
    return;
  self->lifetimes_stale = FALSE;
  tsr_lifetime_view_set_source (self->lifetimes, self->liveness, &self->source);
}

void
tsr_liveness_page_init_feed (TsrLivenessPage *self)
{
  self->series_work = tsr_latest_new (self, fed_free);
  self->statistics_work = tsr_latest_new (self, (GDestroyNotify)tsr_liveness_series_unref);
  self->lines_work = tsr_latest_new (self, (GDestroyNotify)g_ptr_array_unref);
  self->lifetimes_stale = TRUE;
}

void
tsr_liveness_page_clear_feed (TsrLivenessPage *self)
{
  g_clear_pointer (&self->series_work, tsr_latest_free);
  g_clear_pointer (&self->statistics_work, tsr_latest_free);
  g_clear_pointer (&self->lines_work, tsr_latest_free);
  g_clear_object (&self->model);
  g_clear_pointer (&self->hidden, g_strfreev);
  g_clear_pointer (&self->shown, tsr_liveness_unref);
  drop_series (self);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
}
