/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page owns no data: liveness, source, steps, variables and the visible range are the
 * session's, the options are settings.  What the graph shows is fed by workers (tsr-liveness-feed),
 * what the tabs show they compute themselves. */

#include "config.h"

#include "tsr-control-row.h"
#include "tsr-compact.h"
#include "tsr-liveness-page-private.h"
#include "tsr-memory-texts.h"
#include "tsr-popover.h"
#include "tsr-subject-parts.h"

#include <glib/gi18n.h>
#include <string.h>

static TsrSession *tsr_liveness_page_get_session (TsrLivenessPage *self);
static TsrStepSelection *tsr_liveness_page_get_steps (TsrLivenessPage *self);
static guint tsr_liveness_page_get (TsrLivenessPage *self, TsrLivenessOption option);
static void tsr_liveness_page_apply_options (TsrLivenessPage *self);
static void tsr_liveness_page_apply_matches (TsrLivenessPage *self);
static void tsr_liveness_page_update_statistics (TsrLivenessPage *self);
static void tsr_liveness_page_update_lines (TsrLivenessPage *self);
static void tsr_liveness_page_update_lifetimes (TsrLivenessPage *self);

/* The scope line of the Liveness page, each part the control that changes it, and what stands in
 * the status strip. */

#define MANY 40 /* characters */

static GtkWidget *
new_replica_popover (TsrLivenessPage *self)
{
  GtkWidget *popover = gtk_popover_new (), *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  tsr_popover_set_child (GTK_POPOVER (popover), label);
  gtk_widget_add_css_class (popover, "scope-popover");
  self->replica_text = GTK_LABEL (label);
  return popover;
}

static void
make_scope_line (TsrLivenessPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));

  self->scope_replica = tsr_scope_line_add_popover (
      line, _ ("Per replica"), _ ("Figures are for one replica; click for what that is"),
      new_replica_popover (self));
  self->scope_source = tsr_scope_line_add_button (line, "", _ ("Whose memory is shown (Ctrl+T)"),
                                                  "liveness.edit-source");
  self->scope_always = tsr_scope_line_add_button (
      line, "", _ ("Switch between including and leaving out what is always live"),
      "liveness.include-always-live");
  self->scope_live = tsr_scope_line_add_text (
      line, _ ("live bytes, no gaps"),
      _ ("Sizes of the variables that are live.  What two variables share is counted for each; "
         "gaps and packing are not counted, so a tile may need more than its liveness shows."));
  self->scope_steps = tsr_scope_line_add_text (line, "", NULL);
  self->scope_selection
      = tsr_scope_line_add_text (line, "", _ ("Click in the graph; Shift-click adds steps"));
  self->scope_program = tsr_scope_line_add_button (
      line, _ ("program"), _ ("Show the program of the selected step in the Program Tree"),
      "liveness.show-in-programs");
  self->scope_operation = tsr_scope_line_add_button (
      line, _ ("operation"), _ ("Show the operation of the selected step in Operations"),
      "liveness.show-in-operations");
  self->scope_clear = tsr_scope_line_add_button (line, _ ("clear"),
                                                 _ ("Clear the selection (Escape in the chart)"),
                                                 "liveness.clear-selection");
  tsr_scope_line_set_part_told (line, self->scope_source, TRUE);
  tsr_scope_line_set_part_told (line, self->scope_selection, TRUE); /* by the status strip */
}

static char *
dup_selection (const guint *steps, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (n == 0)
    return g_strdup (_ ("no selection"));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *count = tsr_units_dup_count (steps[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", count);
    }
  return g_strdup_printf (g_dngettext (NULL, "selection: step %s", "selection: steps %s", n),
                          text->str);
}

/* Which tiles, as long as they can be told in a few words. */
static char *
dup_source (const TsrLivenessSource *source)
{
  g_autofree char *tiles = NULL;

  if (source->kind == TSR_LIVENESS_TILES && source->n_tiles > 1)
    tiles = tsr_memory_format_tiles (source->tiles, source->n_tiles);
  if (tiles != NULL && strlen (tiles) <= MANY)
    return g_strdup_printf (_ ("tiles %s"), tiles);
  return tsr_liveness_source_dup_label (source);
}

/* The scope line and the status strip. */
static void
tsr_liveness_page_update_scope (TsrLivenessPage *self)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (self));
  TsrReport *report = tsr_session_get_report (tsr_liveness_page_get_session (self));
  const TsrSummary *summary = report != NULL ? tsr_report_get_summary (report) : NULL;
  g_autofree char *replicas = NULL, *source = NULL, *count = NULL, *n_steps = NULL,
                  *selection = NULL;
  TsrMemory *memory;
  guint n, total;
  const guint *steps = tsr_step_selection_peek (tsr_liveness_page_get_steps (self), &n);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.clear-selection", n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.show-in-programs", n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.show-in-operations", n > 0);
  if (self->liveness == NULL)
    return;
  if (self->scope_replica == NULL)
    make_scope_line (self);
  memory = tsr_liveness_get_memory (self->liveness);
  replicas = tsr_memory_texts_replicas (summary, memory);
  gtk_label_set_label (self->replica_text, replicas);
  tsr_page_update_replica_part (TSR_PAGE (self), self->scope_replica);
  source = dup_source (&self->source);
  tsr_scope_line_set_part_text (line, self->scope_source, source);
  tsr_scope_line_set_part_text (
      line, self->scope_always,
      tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE)
          ? _ ("with always-live")
          : _ ("without always-live"));
  total = tsr_liveness_get_n_steps (self->liveness);
  count = tsr_units_dup_count (total);
  n_steps = g_strdup_printf (g_dngettext (NULL, "%s step", "%s steps", total), count);
  tsr_scope_line_set_part_text (line, self->scope_steps, n_steps);
  /* What leads away from the selected step needs the room. */
  tsr_scope_line_set_part_texts (line, self->scope_live, _ ("live bytes, no gaps"),
                                 n > 0 ? _ ("live bytes") : NULL);
  tsr_scope_line_set_part_told (line, self->scope_steps, n > 0);
  selection = dup_selection (steps, n);
  tsr_scope_line_set_part_text (line, self->scope_selection, selection);
  tsr_scope_line_set_part_visible (line, self->scope_selection, n > 0);
  tsr_scope_line_set_part_visible (line, self->scope_program, n > 0);
  tsr_scope_line_set_part_visible (line, self->scope_operation, n > 0);
  tsr_scope_line_set_part_visible (line, self->scope_clear, n > 0);
}

/* Bytes at @step as the graph shows them. */
static gint64
get_bytes (TsrLivenessPage *self, guint step)
{
  gint64 bytes, sum;

  if (self->series == NULL || step >= self->series->n_steps)
    return TSR_UNKNOWN;
  bytes = self->series->not_always_live[step];
  if (!tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE)
      || bytes == TSR_UNKNOWN)
    return bytes;
  if (self->series->always_live == TSR_UNKNOWN
      || __builtin_add_overflow (bytes, self->series->always_live, &sum))
    return TSR_UNKNOWN;
  return sum;
}

static void
append_exact (GString *out, gint64 bytes, const char *words)
{
  g_autofree char *text = tsr_units_dup_bytes_exact (bytes);

  g_string_append_printf (out, " · %s %s", text, words);
}

static char *
dup_step (TsrLivenessPage *self, guint step)
{
  g_autofree char *words = tsr_liveness_step_text (self->shown, step);
  GString *out = g_string_new (words);

  if (self->series == NULL || step >= self->series->n_steps)
    return g_string_free (out, FALSE);
  append_exact (out, self->series->not_always_live[step], _ ("not always live"));
  if (tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE))
    {
      gint64 bytes = get_bytes (self, step);

      append_exact (out, bytes, _ ("in all"));
      if (bytes != TSR_UNKNOWN && self->series->capacity != TSR_UNKNOWN
          && self->series->capacity > 0)
        {
          g_autofree char *percent
              = tsr_units_dup_percent ((double)bytes / self->series->capacity, 2);

          g_string_append (out, " · ");
          g_string_append_printf (out, _ ("%s of the memory"), percent);
        }
    }
  return g_string_free (out, FALSE);
}

static void
tsr_liveness_page_update_status_left (TsrLivenessPage *self)
{
  guint32 step = tsr_plane_get_hover (TSR_PLANE (self->chart));
  g_autofree char *text = tsr_plane_dup_line (TSR_PLANE (self->lifetimes));

  if (step == TSR_NO_DATUM && gtk_widget_has_focus (GTK_WIDGET (self->chart)))
    step = tsr_plane_get_cursor (TSR_PLANE (self->chart));
  if (self->shown != NULL && step < tsr_liveness_get_n_steps (self->shown))
    {
      g_free (text);
      text = dup_step (self, step);
    }
  tsr_page_set_status_left (TSR_PAGE (self), text);
}

static char *
dup_peak (TsrLivenessPage *self, TsrUnits units)
{
  const TsrLivenessSeries *series = self->series;
  g_autofree char *bytes = NULL, *step = NULL, *percent = NULL;
  gint64 peak;

  if (series == NULL || series->peak_step == TSR_NO_INDEX)
    return NULL;
  peak = get_bytes (self, series->peak_step);
  bytes = tsr_units_dup_bytes (units, peak);
  step = tsr_units_dup_count (series->peak_step);
  if (!tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE) || peak == TSR_UNKNOWN
      || series->capacity == TSR_UNKNOWN || series->capacity <= 0)
    return g_strdup_printf (_ ("Peak: %s at step %s"), bytes, step);
  percent = tsr_units_dup_percent ((double)peak / series->capacity, 1);
  return g_strdup_printf (_ ("Peak: %s at step %s, %s of the memory"), bytes, step, percent);
}

static void
tsr_liveness_page_update_status_right (TsrLivenessPage *self)
{
  TsrUnits units = tsr_session_get_units (tsr_liveness_page_get_session (self));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *peak = NULL;
  guint n;
  const guint *steps = tsr_step_selection_peek (tsr_liveness_page_get_steps (self), &n);

  for (guint i = 0; i < n; i++)
    {
      gint64 bytes = get_bytes (self, steps[i]), first = get_bytes (self, steps[0]), difference;
      g_autofree char *title = tsr_liveness_step_title (i, steps[i]);
      g_autofree char *size = tsr_units_dup_bytes (units, bytes);

      g_string_append_printf (text, "%s%s, %s", i > 0 ? " · " : "", title, size);
      if (i > 0 && bytes != TSR_UNKNOWN && first != TSR_UNKNOWN
          && !__builtin_sub_overflow (bytes, first, &difference))
        {
          g_autofree char *signed_text = tsr_units_dup_bytes_signed (units, difference);

          g_string_append_printf (text, " (%s)", signed_text);
        }
    }
  if (n == 0)
    {
      peak = dup_peak (self, units);
      g_string_append (text, peak != NULL ? peak : "");
    }
  tsr_page_set_status_right (TSR_PAGE (self), text->len > 0 ? text->str : NULL);
}

/* What the liveness graph shows, computed in workers: the source over all steps with its peaks, the
 * same of the selected tiles, and the lifetimes of the selected variables.  What is drawn stays
 * until what comes in its place is there. */

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
  fed->peaks = tsr_liveness_find_peak_programs (job->liveness, series, MOST_PEAKS);
  return fed;
}

static void
show_message (TsrLivenessPage *self, const char *text)
{
  gtk_label_set_label (self->message, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL);
}

static void
on_series_changed (TsrChartModel *model, TsrLivenessPage *self)
{
  g_autofree char *hidden = tsr_chart_model_dup_hidden (model);

  tsr_view_state_set_text (tsr_page_get_view_state (TSR_PAGE (self)), TSR_LIVENESS_OPTION_HIDDEN,
                           hidden);
}

static void
show_hidden (TsrLivenessPage *self)
{
  if (self->model != NULL)
    tsr_chart_model_set_hidden (
        TSR_CHART_MODEL (self->model),
        tsr_page_get_option_text (TSR_PAGE (self), TSR_LIVENESS_OPTION_HIDDEN));
}

static void
drop_model (TsrLivenessPage *self)
{
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
      g_clear_object (&self->model);
      g_clear_pointer (&self->shown, tsr_liveness_unref);
      self->shown = tsr_liveness_ref (self->liveness);
      self->model = tsr_liveness_chart_new (self->liveness, tsr_liveness_page_get_steps (self));
      show_hidden (self);
      g_signal_connect_object (self->model, "series-changed", G_CALLBACK (on_series_changed), self,
                               0);
    }
  label = tsr_liveness_source_dup_label (&self->source);
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

/* The session has another liveness, or another source is wanted. */
static void
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

static void
tsr_liveness_page_apply_options (TsrLivenessPage *self)
{
  TsrLivenessChartOptions options = {
    .include_always_live = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE),
    .show_max = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_SHOW_MAX),
    .from_zero = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_FROM_ZERO),
    .structure = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_STRUCTURE),
    .units = tsr_session_get_units (tsr_liveness_page_get_session (self)),
  };

  gtk_widget_action_set_enabled (
      GTK_WIDGET (self), "liveness.from-zero",
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

static void
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
      text = tsr_liveness_source_dup_label (&source);
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

static void
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

static void
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
static void
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
          && tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_TAB) != TSR_LIVENESS_TAB_LIFETIMES))
    return;
  self->lifetimes_stale = FALSE;
  tsr_lifetime_view_set_source (self->lifetimes, self->liveness, &self->source);
}

/* What the graph shows, computed in workers. */
static void
tsr_liveness_page_init_feed (TsrLivenessPage *self)
{
  self->series_work = tsr_latest_new (self, fed_free);
  self->statistics_work = tsr_latest_new (self, (GDestroyNotify)tsr_liveness_series_unref);
  self->lines_work = tsr_latest_new (self, (GDestroyNotify)g_ptr_array_unref);
  self->lifetimes_stale = TRUE;
}

static void
tsr_liveness_page_clear_feed (TsrLivenessPage *self)
{
  g_clear_pointer (&self->series_work, tsr_latest_free);
  g_clear_pointer (&self->statistics_work, tsr_latest_free);
  g_clear_pointer (&self->lines_work, tsr_latest_free);
  g_clear_object (&self->model);
  g_clear_pointer (&self->shown, tsr_liveness_unref);
  drop_series (self);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  tsr_liveness_source_clear (&self->source);
  memset (&self->source, 0, sizeof self->source);
}

#define N_PEAK_KEYS 9

G_DEFINE_FINAL_TYPE (TsrLivenessPage, tsr_liveness_page, TSR_TYPE_PAGE)

static TsrSession *
tsr_liveness_page_get_session (TsrLivenessPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

static TsrStepSelection *
tsr_liveness_page_get_steps (TsrLivenessPage *self)
{
  return tsr_session_get_steps (tsr_liveness_page_get_session (self));
}

static guint
tsr_liveness_page_get (TsrLivenessPage *self, TsrLivenessOption option)
{
  return tsr_page_get_option (TSR_PAGE (self), option);
}

/* Selection */

static void
update_extent (TsrLivenessPage *self)
{
  guint n, from = G_MAXUINT, to = 0;
  const guint *steps = tsr_step_selection_peek (tsr_liveness_page_get_steps (self), &n);

  for (guint i = 0; i < n; i++)
    {
      from = MIN (from, steps[i]);
      to = MAX (to, steps[i]);
    }
  tsr_chart_set_selected_extent (self->chart, n > 0 ? from : 0, n > 0 ? to + 1.0 : 0);
}

static void
on_steps_changed (TsrLivenessPage *self)
{
  update_extent (self);
  tsr_liveness_page_update_scope (self);
  tsr_liveness_page_update_status_right (self);
}

/* A range is its two ends: A and B. */
static void
on_chart_select (TsrChart *chart, double from, double to, int mode, TsrLivenessPage *self)
{
  TsrStepSelection *selection = tsr_liveness_page_get_steps (self);
  guint n_steps = self->shown != NULL ? tsr_liveness_get_n_steps (self->shown) : 0, pair[2], n;

  if (mode == TSR_SELECT_CLEAR)
    {
      tsr_step_selection_set (selection, NULL, 0);
      return;
    }
  if (n_steps == 0)
    return;
  pair[0] = CLAMP (from, 0, n_steps - 1);
  pair[1] = CLAMP (to - 1, pair[0], n_steps - 1);
  n = pair[1] > pair[0] ? 2 : 1;
  if (mode == TSR_SELECT_REPLACE)
    tsr_step_selection_set (selection, pair, n);
  else
    for (guint i = 0; i < n; i++)
      tsr_step_selection_toggle (selection, pair[i]);
}

static void
tsr_liveness_page_go_to_step (TsrLivenessPage *self, guint step)
{
  g_return_if_fail (TSR_IS_LIVENESS_PAGE (self));
  if (self->shown == NULL || step >= tsr_liveness_get_n_steps (self->shown))
    return;
  tsr_step_selection_set (tsr_liveness_page_get_steps (self), &step, 1);
  tsr_viewport_reveal (tsr_chart_get_viewport (self->chart), step, step + 1.0);
  tsr_plane_set_cursor (TSR_PLANE (self->chart), step);
}

static void
go_to_peak (TsrLivenessPage *self, guint place)
{
  if (self->peaks == NULL || place >= self->peaks->len)
    return;
  tsr_liveness_tabs_set_peak (self->tabs, place);
  tsr_liveness_page_go_to_step (self, g_array_index (self->peaks, TsrPeak, place).step);
}

static void
on_jump (TsrPeaksPopover *popover, guint place, TsrLivenessPage *self)
{
  go_to_peak (self, place);
  gtk_widget_grab_focus (GTK_WIDGET (self->chart));
}

static void
on_peak_changed (TsrLivenessPage *self)
{
  guint place = tsr_liveness_tabs_get_peak (self->tabs);

  if (self->peaks != NULL && place < self->peaks->len && self->shown != NULL)
    tsr_liveness_page_go_to_step (self, g_array_index (self->peaks, TsrPeak, place).step);
}

/* Where the next and previous match begin: cursor, else the step chosen last, else what is seen. */
static void
go_to_match (TsrLivenessPage *self, int direction)
{
  guint step = tsr_plane_get_cursor (TSR_PLANE (self->chart));

  if (step == TSR_NO_DATUM)
    step = tsr_step_selection_get_step (tsr_liveness_page_get_steps (self));
  step = tsr_step_filter_find (self->step_filter, step, direction);
  if (step != TSR_NO_INDEX)
    tsr_liveness_page_go_to_step (self, step);
}

static void
on_next_match (TsrLivenessPage *self)
{
  go_to_match (self, 1);
}

static void
on_previous_match (TsrLivenessPage *self)
{
  go_to_match (self, -1);
}

static void
on_units_changed (TsrLivenessPage *self)
{
  tsr_liveness_page_apply_options (self);
  tsr_liveness_page_update_statistics (self);
}

/* Lifetimes */

static void
move_to (GtkWidget *widget, GtkWidget *box, GtkPaned *paned)
{
  g_object_ref (widget);
  if (gtk_widget_get_parent (widget) == GTK_WIDGET (paned))
    gtk_paned_set_end_child (paned, NULL);
  else if (gtk_widget_get_parent (widget) != NULL)
    gtk_box_remove (GTK_BOX (gtk_widget_get_parent (widget)), widget);
  if (box != NULL)
    gtk_box_append (GTK_BOX (box), widget);
  else
    gtk_paned_set_end_child (paned, widget);
  g_object_unref (widget);
}

static gboolean
on_place_lifetimes (gpointer data)
{
  TsrLivenessPage *self = data;
  gboolean beside = tsr_split_get_orientation (self->split) == GTK_ORIENTATION_HORIZONTAL;
  gboolean below = beside && tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_LIFETIMES);
  GtkWidget *box = tsr_tabs_get (TSR_TABS (self->tabs), TSR_LIVENESS_TAB_LIFETIMES)->child;

  self->place_idle = 0;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.lifetimes", beside);
  tsr_lifetime_view_align (self->lifetimes, below || !beside ? self->chart : NULL);
  if (below == self->lifetimes_below)
    return G_SOURCE_REMOVE;
  self->lifetimes_below = below;
  move_to (GTK_WIDGET (self->lifetimes), below ? NULL : box, self->paned);
  gtk_widget_set_visible (box, !below);
  tsr_liveness_page_update_lifetimes (self);
  return G_SOURCE_REMOVE;
}

/* In an idle: the orientation changes while places are given. */
static void
place_lifetimes (TsrLivenessPage *self)
{
  if (self->place_idle == 0)
    self->place_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_place_lifetimes, self, NULL);
}

/* Options */

static const char *
get_tab_nick (guint tab)
{
  return tsr_tables_get_key ("liveness", tab);
}

static const char *
get_order_nick (guint order)
{
  static const char *const nicks[] = { "bytes", "birth", "death" };

  return nicks[order];
}

static const char *
get_colour_nick (guint colour)
{
  return colour == TSR_LIFETIME_COLOUR_CATEGORY ? "category" : "prefix";
}

static const char *
get_by_nick (guint by)
{
  static const char *const nicks[TSR_LIVENESS_N_BY] = { "variable", "prefix", "category", "life" };

  return nicks[by];
}

static const char *
get_mode_nick (guint second)
{
  return second ? "2" : "1";
}

#define ONLY(option, value) .of = TSR_LIVENESS_OPTION_##option, .where = 1u << TSR_LIVENESS_##value
#define GROUPED(tab)                                                                               \
  [TSR_LIVENESS_OPTION_BY + TSR_LIVENESS_TAB_##tab]                                                \
      = { NULL,                                                                                    \
          "by",                                                                                    \
          TSR_LIVENESS_BY_VARIABLE,                                                                \
          get_by_nick,                                                                             \
          TSR_LIVENESS_N_BY,                                                                       \
          ONLY (TAB, TAB_##tab) },                                                                 \
      [TSR_LIVENESS_OPTION_DEPTH + TSR_LIVENESS_TAB_##tab]                                         \
      = { NULL,                                                                                    \
          "depth",                                                                                 \
          2,                                                                                       \
          .kind = TSR_VIEW_NUMBER,                                                                 \
          .least = 1,                                                                              \
          .most = TSR_LIVENESS_MAX_DEPTH,                                                          \
          .is_named = TRUE,                                                                        \
          ONLY (BY + TSR_LIVENESS_TAB_##tab, BY_PREFIX) },                                         \
      [TSR_LIVENESS_OPTION_GROUPS + TSR_LIVENESS_TAB_##tab]                                        \
      = { NULL, "groups", .kind = TSR_VIEW_TEXT,                                                   \
          ONLY (BY + TSR_LIVENESS_TAB_##tab, BY_PREFIX) | 1u << TSR_LIVENESS_BY_CATEGORY           \
              | 1u << TSR_LIVENESS_BY_LIFE }
#define WITH_MODE(tab)                                                                             \
  [TSR_LIVENESS_OPTION_MODE + TSR_LIVENESS_TAB_##tab]                                              \
      = { NULL, "mode", FALSE, get_mode_nick, 2, ONLY (TAB, TAB_##tab) }

static const TsrViewOption options[TSR_LIVENESS_N_OPTIONS] = {
  [TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE]
  = { "include-always-live", "always", TRUE, .setting = "liveness-include-always-live",
      .is_named = TRUE },
  [TSR_LIVENESS_OPTION_FROM_ZERO] = { "from-zero", "from-zero", FALSE, .setting = "from-zero" },
  [TSR_LIVENESS_OPTION_SHOW_MAX] = { "show-max", "max", TRUE, .setting = "liveness-show-max" },
  [TSR_LIVENESS_OPTION_STRUCTURE]
  = { "structure", "structure", TRUE, .setting = "liveness-structure" },
  [TSR_LIVENESS_OPTION_STATISTICS]
  = { "statistics", "statistics", FALSE, .setting = "liveness-statistics" },
  [TSR_LIVENESS_OPTION_LIFETIMES]
  = { "lifetimes", "lifetimes", TRUE, .setting = "liveness-lifetimes" },
  [TSR_LIVENESS_OPTION_MINI_MAP] = { "mini-map", NULL, FALSE, .setting = "mini-map" },
  [TSR_LIVENESS_OPTION_TAB] = { "tab", "tab", TSR_LIVENESS_TAB_TEMPORARY, get_tab_nick,
                                TSR_LIVENESS_N_TABS, .setting = "liveness-tab", .is_named = TRUE },
  [TSR_LIVENESS_OPTION_HIDDEN] = { NULL, "hidden", .kind = TSR_VIEW_TEXT },
  /* A filter that is not named would hide what is. */
  [TSR_LIVENESS_OPTION_MATCH] = { NULL, "match", .kind = TSR_VIEW_TEXT, .is_passing = TRUE },
  [TSR_LIVENESS_OPTION_LIFETIME_ORDER]
  = { NULL, "lifetime-order", TSR_LIFETIME_BY_BYTES, get_order_nick, 3 },
  [TSR_LIVENESS_OPTION_LIFETIME_COLOUR]
  = { NULL, "lifetime-colour", TSR_LIFETIME_COLOUR_PREFIX, get_colour_nick, 2 },
  [TSR_LIVENESS_OPTION_LIFETIME_FILTER]
  = { NULL, "lifetime-filter", .kind = TSR_VIEW_TEXT, .is_passing = TRUE },
  [TSR_LIVENESS_OPTION_PEAK]
  = { NULL, "peak", 1, .kind = TSR_VIEW_NUMBER, .least = 1, ONLY (TAB, TAB_PEAK) },
  GROUPED (ALWAYS),
  GROUPED (TEMPORARY),
  GROUPED (PEAK),
  GROUPED (A_TO_B),
  WITH_MODE (CYCLES),
  WITH_MODE (A_TO_B),
};

/* Without a table there is nothing to save or copy. */
static void
show_tab (TsrLivenessPage *self)
{
  TsrLivenessTab tab = tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_TAB);
  gboolean table = tsr_tabs_get (TSR_TABS (self->tabs), tab)->view != NULL;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.save-table", table);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "liveness.copy-table", table);
  tsr_liveness_page_update_lifetimes (self);
}

#define BIT(option) TSR_VIEW_BIT (TSR_LIVENESS_OPTION_##option)

static void
on_options_changed (TsrPage *page, guint64 changed)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);

  if ((changed & BIT (TAB)) != 0)
    show_tab (self);
  if ((changed & BIT (HIDDEN)) != 0)
    show_hidden (self);
  if ((changed & (BIT (TAB) - 1)) != 0)
    tsr_liveness_page_apply_options (self);
  if ((changed & (BIT (STATISTICS) | BIT (INCLUDE_ALWAYS_LIVE))) != 0)
    tsr_liveness_page_update_statistics (self);
  if ((changed & BIT (MINI_MAP)) != 0)
    tsr_chart_set_mini_map (self->chart,
                            tsr_liveness_page_get (self, TSR_LIVENESS_OPTION_MINI_MAP));
  if ((changed & BIT (LIFETIMES)) != 0)
    place_lifetimes (self);
}

/* What the tabs show beside the options as words of a link, and back: filter and order of the
 * table.
 */

static TsrRowView *
get_table (TsrLivenessPage *self)
{
  return tsr_tabs_get_shown (TSR_TABS (self->tabs))->view;
}

static void
tsr_liveness_page_save_words (TsrPage *page, GHashTable *words)
{
  TsrRowView *view = get_table (TSR_LIVENESS_PAGE (page));

  tsr_row_view_save_filter (view, words);
  tsr_row_view_save_sort (view, words);
}

static void
tsr_liveness_page_load_words (TsrPage *page, GHashTable *words)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  TsrViewState *state = tsr_page_get_view_state (page);
  gboolean whole = tsr_view_state_is_whole (state, words);

  /* Insights speak of variables wherever they are; the words are those of this tab. */
  if (g_strcmp0 (tsr_view_words_get (words, "tab"), "variables") == 0)
    {
      tsr_page_set_option (page, TSR_LIVENESS_OPTION_TAB, TSR_LIVENESS_TAB_TEMPORARY);
      tsr_view_state_load_words (state, words);
    }
  if (whole || tsr_view_words_get (words, "by") != NULL)
    tsr_liveness_tabs_show_groups (self->tabs);
  tsr_row_view_load_filter (get_table (self), words);
  tsr_row_view_load_sort (get_table (self), words, whole);
}

/* The liveness step with most bytes of the subject's programs, unless one of them is selected, or
 * the user compares several; of an operation its largest variables, unless the user chose some. */
static gboolean
tsr_liveness_page_take_subject (TsrPage *page, const TsrSubject *subject)
{
  TsrSession *session = tsr_page_get_session (page);
  TsrStepSelection *selection = tsr_session_get_steps (session);
  TsrLiveness *liveness = tsr_session_peek_data (session, TSR_DATA_LIVENESS);
  g_autoptr (GArray) programs = NULL;
  guint step, n = 0;

  if (subject->kind == TSR_SUBJECT_LIVE_STEP || subject->kind == TSR_SUBJECT_VARIABLE)
    return TRUE;
  programs = liveness != NULL ? tsr_subject_parts_dup_programs (session) : NULL;
  if (programs == NULL)
    return FALSE;
  step = tsr_subject_parts_find_live_step (session, liveness,
                                           tsr_step_selection_get_step (selection));
  tsr_step_selection_peek (selection, &n);
  if (step == TSR_NO_INDEX && tsr_session_has_shared_steps (session))
    tsr_step_selection_set (selection, NULL, 0);
  if (step != TSR_NO_INDEX && (n < 2 || tsr_session_has_shared_steps (session)))
    tsr_step_selection_set (selection, &step, 1);
  tsr_subject_parts_show_variables (session);
  return TRUE;
}

/* Page */

static void
follow_session (TsrLivenessPage *self, TsrSession *session)
{
  TsrStepSelection *steps = tsr_session_get_steps (session);

  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (tsr_liveness_page_update_feed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::units", G_CALLBACK (on_units_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (steps, "source-changed", G_CALLBACK (tsr_liveness_page_update_feed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (steps, "steps-changed", G_CALLBACK (on_steps_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (steps, "variables-changed", G_CALLBACK (tsr_liveness_page_update_lines),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_selection (session), "changed",
                           G_CALLBACK (tsr_liveness_page_update_statistics), self,
                           G_CONNECT_SWAPPED);
}

static void
tsr_liveness_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  TsrViewport *viewport = tsr_session_get_viewport (session, "liveness");
  TsrViewState *state;

  TSR_PAGE_CLASS (tsr_liveness_page_parent_class)->set_session (page, session);
  tsr_split_keep_state (self->split, session, "liveness");
  tsr_source_chooser_set_session (self->source_chooser, session);
  tsr_lifetime_view_set_session (self->lifetimes, session, viewport);
  tsr_page_restore_options (page, session);
  state = tsr_page_get_view_state (page);
  tsr_liveness_tabs_set_session (self->tabs, session, state);
  tsr_view_state_bind (state, TSR_LIVENESS_OPTION_MATCH,
                       tsr_match_bar_get_entry (TSR_MATCH_BAR (self->step_filter)), "text");
  tsr_lifetime_view_bind (self->lifetimes, state, TSR_LIVENESS_OPTION_LIFETIME_ORDER,
                          TSR_LIVENESS_OPTION_LIFETIME_COLOUR, TSR_LIVENESS_OPTION_LIFETIME_FILTER);
  show_tab (self);
  tsr_navigation_set_settings (self->navigation, tsr_session_get_settings (session));
  tsr_navigation_set_viewport (self->navigation, viewport);
  tsr_navigation_set_viewport (self->zoom_menu, viewport);
  tsr_chart_set_viewport (self->chart, viewport);
  follow_session (self, session);
  update_extent (self);
  tsr_liveness_page_apply_options (self);
  tsr_liveness_page_update_feed (self);
  place_lifetimes (self);
}

static void
tsr_liveness_page_focus_start (TsrPage *page)
{
  gtk_widget_grab_focus (GTK_WIDGET (TSR_LIVENESS_PAGE (page)->chart));
}

/* What the line and the strip say, and the table that is shown. */
static char *
tsr_liveness_page_dup_text (TsrPage *page)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (page);
  TsrRowView *view = get_table (self);
  g_autofree char *csv = view != NULL ? tsr_row_view_dup_csv (view) : NULL;

  return tsr_page_join_text (page, csv, NULL);
}

/* Actions */

/* To a view of programs, with that of the step that was selected last. */
static void
show_program_in (TsrLivenessPage *self, TsrView view)
{
  guint n = 0, program = TSR_NO_INDEX;
  const guint *steps = tsr_step_selection_peek (tsr_liveness_page_get_steps (self), &n);

  if (n > 0 && self->liveness != NULL && steps[n - 1] < tsr_liveness_get_n_steps (self->liveness))
    program = tsr_liveness_get_step_program (self->liveness, steps[n - 1]);
  tsr_page_go_to_program (TSR_PAGE (self), view, program);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (widget);

  if (g_str_equal (name, "liveness.edit-source"))
    tsr_source_chooser_popup (self->source_chooser);
  else if (g_str_equal (name, "liveness.source"))
    tsr_source_chooser_enter (self->source_chooser, g_variant_get_string (parameter, NULL));
  else if (g_str_equal (name, "liveness.filter-steps"))
    gtk_widget_grab_focus (GTK_WIDGET (self->step_filter));
  else if (g_str_equal (name, "liveness.next-match"))
    go_to_match (self, 1);
  else if (g_str_equal (name, "liveness.previous-match"))
    go_to_match (self, -1);
  else if (g_str_equal (name, "liveness.peaks"))
    gtk_menu_button_popup (self->peaks_button);
  else if (g_str_equal (name, "liveness.show-in-programs"))
    show_program_in (self, TSR_VIEW_PROGRAM_TREE);
  else if (g_str_equal (name, "liveness.show-in-operations"))
    show_program_in (self, TSR_VIEW_OPERATIONS);
  else if (g_str_equal (name, "liveness.clear-selection"))
    tsr_step_selection_set (tsr_liveness_page_get_steps (self), NULL, 0);
}

/* "liveness.peak-3", "liveness.add-peak-3" */
static void
run_peak_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (widget);
  guint place = name[strlen (name) - 1] - '1';

  if (!g_str_has_prefix (name, "liveness.add-"))
    go_to_peak (self, place);
  else if (self->peaks != NULL && place < self->peaks->len)
    tsr_step_selection_toggle (tsr_liveness_page_get_steps (self),
                               g_array_index (self->peaks, TsrPeak, place).step);
}

/* The menus stand beside the table; the actions are its own. */
static void
run_table_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_tabs_run (TSR_TABS (TSR_LIVENESS_PAGE (widget)->tabs),
                g_str_equal (name, "liveness.save-table") ? "rows.save" : "rows.copy-all");
}

static void
on_chart_forward (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree char *name = g_strdup_printf ("chart.%s", g_action_get_name (G_ACTION (action)));

  gtk_widget_activate_action_variant (widget, name, parameter);
}

static void
add_forwarding (TsrLivenessPage *self)
{
  static const GActionEntry chart_entries[] = {
    { .name = "export-image", .activate = on_chart_forward },
    { .name = "export-data", .activate = on_chart_forward },
    { .name = "copy-image", .activate = on_chart_forward },
  };
  g_autoptr (GSimpleActionGroup) chart = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (chart), chart_entries,
                                   G_N_ELEMENTS (chart_entries), self->chart);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "chart", G_ACTION_GROUP (chart));
  tsr_split_add_forwarding (self->split, GTK_WIDGET (self));
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  static const char *const actions[][2] = {
    { "liveness.edit-source", "<Control>t" },
    { "liveness.filter-steps", "slash <Shift>slash" },
    { "liveness.next-match", "n" },
    { "liveness.previous-match", "p" },
    { "liveness.peaks", "" },
    { "liveness.clear-selection", "" },
    { "liveness.show-in-programs", "" },
    { "liveness.show-in-operations", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    tsr_page_class_install_action (widget_class, actions[i][0], actions[i][1], run_action);
  gtk_widget_class_install_action (widget_class, "liveness.source", "s", run_action);
  gtk_widget_class_install_action (widget_class, "liveness.save-table", NULL, run_table_action);
  gtk_widget_class_install_action (widget_class, "liveness.copy-table", NULL, run_table_action);
  for (guint i = 0; i < N_PEAK_KEYS; i++)
    {
      g_autofree char *go = g_strdup_printf ("liveness.peak-%u", i + 1);
      g_autofree char *add = g_strdup_printf ("liveness.add-peak-%u", i + 1);

      gtk_widget_class_install_action (widget_class, go, NULL, run_peak_action);
      gtk_widget_class_install_action (widget_class, add, NULL, run_peak_action);
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + i, 0, go, NULL);
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_1 + i, 0, go, NULL);
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + i, GDK_CONTROL_MASK, add,
                                           NULL);
    }
}

/* Object */

static void
tsr_liveness_page_dispose (GObject *object)
{
  TsrLivenessPage *self = TSR_LIVENESS_PAGE (object);

  g_clear_handle_id (&self->place_idle, g_source_remove);
  if (self->tabs != NULL)
    g_signal_handlers_disconnect_by_data (self->tabs, self);
  if (self->step_filter != NULL)
    g_signal_handlers_disconnect_by_data (self->step_filter, self);
  if (self->split != NULL)
    g_signal_handlers_disconnect_by_data (self->split, self);
  tsr_liveness_page_clear_feed (self);
  self->tabs = NULL;
  self->step_filter = NULL;
  self->split = NULL;
  G_OBJECT_CLASS (tsr_liveness_page_parent_class)->dispose (object);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrLivenessPage, source_chooser), TSR_PAGE_CHILD (TsrLivenessPage, navigation),
  TSR_PAGE_CHILD (TsrLivenessPage, zoom_menu),      TSR_PAGE_CHILD (TsrLivenessPage, step_filter),
  TSR_PAGE_CHILD (TsrLivenessPage, peaks_button),   TSR_PAGE_CHILD (TsrLivenessPage, peaks_popover),
  TSR_PAGE_CHILD (TsrLivenessPage, split),          TSR_PAGE_CHILD (TsrLivenessPage, paned),
  TSR_PAGE_CHILD (TsrLivenessPage, chart),          TSR_PAGE_CHILD (TsrLivenessPage, message),
  TSR_PAGE_CHILD (TsrLivenessPage, tabs),           { NULL },
};

static void
bind_template (TsrPageClass *klass)
{
  g_type_ensure (TSR_TYPE_CHART);
  g_type_ensure (TSR_TYPE_CONTROL_ROW);
  g_type_ensure (TSR_TYPE_COMPACT);
  g_type_ensure (TSR_TYPE_LIVENESS_TABS);
  g_type_ensure (TSR_TYPE_NAVIGATION);
  g_type_ensure (TSR_TYPE_PEAKS_POPOVER);
  g_type_ensure (TSR_TYPE_SOURCE_CHOOSER);
  g_type_ensure (TSR_TYPE_SPLIT);
  g_type_ensure (TSR_TYPE_STEP_FILTER);
  tsr_page_class_set_template (klass, "tsr-liveness-page.ui", children);
}

static void
tsr_liveness_page_class_init (TsrLivenessPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  object_class->dispose = tsr_liveness_page_dispose;
  page_class->view = TSR_VIEW_LIVENESS;
  page_class->stage = TSR_STAGE_LIVENESS;
  page_class->set_session = tsr_liveness_page_set_session;
  page_class->focus_start = tsr_liveness_page_focus_start;
  page_class->dup_text = tsr_liveness_page_dup_text;
  page_class->save_words = tsr_liveness_page_save_words;
  page_class->load_words = tsr_liveness_page_load_words;
  page_class->take_subject = tsr_liveness_page_take_subject;
  tsr_page_class_set_options (page_class, "liveness", options, G_N_ELEMENTS (options),
                              on_options_changed);
  install_actions (GTK_WIDGET_CLASS (klass));
  bind_template (page_class);
}

static void
connect_parts (TsrLivenessPage *self)
{
  g_signal_connect (self->chart, "select", G_CALLBACK (on_chart_select), self);
  g_signal_connect_swapped (self->chart, "hover-changed",
                            G_CALLBACK (tsr_liveness_page_update_status_left), self);
  g_signal_connect_object (self->lifetimes, "hover-changed",
                           G_CALLBACK (tsr_liveness_page_update_status_left), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->tabs, "peak-changed", G_CALLBACK (on_peak_changed), self);
  g_signal_connect_swapped (self->tabs, "groups-changed",
                            G_CALLBACK (tsr_liveness_page_update_lines), self);
  g_signal_connect_swapped (self->step_filter, "matches-changed",
                            G_CALLBACK (tsr_liveness_page_apply_matches), self);
  g_signal_connect_swapped (self->step_filter, "next", G_CALLBACK (on_next_match), self);
  g_signal_connect_swapped (self->step_filter, "previous", G_CALLBACK (on_previous_match), self);
  g_signal_connect_swapped (self->step_filter, "left", G_CALLBACK (gtk_widget_grab_focus),
                            self->chart);
  g_signal_connect (self->peaks_popover, "jump", G_CALLBACK (on_jump), self);
  g_signal_connect_swapped (self->split, "notify::orientation", G_CALLBACK (place_lifetimes), self);
}

static void
tsr_liveness_page_init (TsrLivenessPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->lifetimes = tsr_lifetime_view_new ();
  gtk_box_append (GTK_BOX (tsr_tabs_get (TSR_TABS (self->tabs), TSR_LIVENESS_TAB_LIFETIMES)->child),
                  GTK_WIDGET (self->lifetimes));
  tsr_liveness_page_init_feed (self);
  add_forwarding (self);
  tsr_plane_set_file_name (TSR_PLANE (self->chart), "liveness");
  connect_parts (self);
}

TsrLifetimeView *
tsr_liveness_page_get_lifetimes (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->lifetimes;
}

TsrLivenessChart *
tsr_liveness_page_get_model (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->model;
}

GArray *
tsr_liveness_page_get_peaks (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), NULL);
  return self->peaks;
}

gboolean
tsr_liveness_page_is_busy (TsrLivenessPage *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_PAGE (self), FALSE);
  return tsr_latest_is_running (self->series_work) || tsr_latest_is_running (self->statistics_work)
         || tsr_latest_is_running (self->lines_work) || tsr_tabs_is_busy (TSR_TABS (self->tabs))
         || tsr_step_filter_is_busy (self->step_filter)
         || tsr_lifetime_view_is_busy (self->lifetimes) || self->place_idle != 0;
}
