/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page owns no data: the memory, the selection, the visible range and the options are the
 * session's.  What changes of them is told to tsr_memory_page_update, which shows what follows from
 * it, each part once. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-compact.h"
#include "tsr-memory-texts.h"
#include "tsr-subject-parts.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (TsrMemoryPage, tsr_memory_page, TSR_TYPE_PAGE)

TsrSession *
tsr_memory_page_get_session (TsrMemoryPage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

TsrTileSelection *
tsr_memory_page_get_selection (TsrMemoryPage *self)
{
  return tsr_session_get_selection (tsr_memory_page_get_session (self));
}

/* Selection */

static void
update_extent (TsrMemoryPage *self)
{
  double from = G_MAXDOUBLE, to = -G_MAXDOUBLE;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);

  for (guint i = 0; self->model != NULL && i < n; i++)
    {
      double position = tsr_chart_model_position_of (TSR_CHART_MODEL (self->model), tiles[i]);

      from = MIN (from, position);
      to = MAX (to, position + 1);
    }
  tsr_chart_set_selected_extent (self->chart, from <= to ? from : 0, from <= to ? to : 0);
}

static void
show_selection (TsrMemoryPage *self)
{
  guint n;

  tsr_tile_selection_peek (tsr_memory_page_get_selection (self), &n);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "memory.clear-selection", n > 0);
  tsr_memory_page_show_selection_in_entry (self);
}

static void
on_chart_select (TsrChart *chart, double from, double to, int mode, TsrMemoryPage *self)
{
  g_autoptr (GArray) data = tsr_chart_dup_data (chart, from, to);

  if (data->len > 0 || mode == TSR_SELECT_CLEAR)
    tsr_tile_selection_change (tsr_memory_page_get_selection (self), mode,
                               (const guint *)(gpointer)data->data, data->len);
}

static void
on_hover_changed (TsrChart *chart, TsrMemoryPage *self)
{
  guint32 tile = tsr_plane_get_hover (TSR_PLANE (chart));
  g_autofree char *text = NULL;

  if (self->memory != NULL && tile != TSR_NO_DATUM)
    text = tsr_memory_texts_tile (self->memory, tile);
  tsr_page_set_status_left (TSR_PAGE (self), text);
}

/* Model */

/* What the user wants of the chart; it shows as much as the report has. */
static void
get_wish (TsrMemoryPage *self, TsrMemoryChartOptions *options)
{
  options->breakdown = tsr_memory_page_get (self, TSR_MEMORY_OPTION_BREAKDOWN);
  options->order = tsr_memory_page_get (self, TSR_MEMORY_OPTION_ORDER);
  options->include_gaps = tsr_memory_page_get (self, TSR_MEMORY_OPTION_INCLUDE_GAPS);
  options->show_max = tsr_memory_page_get (self, TSR_MEMORY_OPTION_SHOW_MAX);
  options->fit_data = tsr_memory_page_get (self, TSR_MEMORY_OPTION_FIT_DATA);
  options->from_zero = tsr_memory_page_get (self, TSR_MEMORY_OPTION_FROM_ZERO);
  options->units = tsr_session_get_units (tsr_memory_page_get_session (self));
}

void
tsr_memory_page_get_options (TsrMemoryPage *self, TsrMemoryChartOptions *options)
{
  g_return_if_fail (TSR_IS_MEMORY_PAGE (self));
  if (self->model != NULL)
    tsr_memory_chart_get_options (self->model, options);
  else
    get_wish (self, options);
}

static void
on_series_changed (TsrMemoryPage *self)
{
  g_autofree char *hidden = tsr_chart_model_dup_hidden (TSR_CHART_MODEL (self->model));

  tsr_view_state_set_text (tsr_page_get_view_state (TSR_PAGE (self)), TSR_MEMORY_OPTION_HIDDEN,
                           hidden);
}

static void
set_memory (TsrMemoryPage *self, TsrMemory *memory)
{
  TsrMemoryChartOptions options;

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  tsr_plane_set_model (TSR_PLANE (self->chart), NULL);
  g_clear_object (&self->model);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  tsr_page_set_status_left (TSR_PAGE (self), NULL);
  if (memory == NULL)
    {
      /* What was shown stays under the progress; its place is kept. */
      tsr_page_set_status_right (TSR_PAGE (self), NULL);
      return;
    }
  get_wish (self, &options);
  self->memory = tsr_memory_ref (memory);
  self->model = tsr_memory_chart_new (memory, tsr_memory_page_get_selection (self), &options);
  tsr_chart_model_set_hidden (TSR_CHART_MODEL (self->model),
                              tsr_page_get_option_text (TSR_PAGE (self), TSR_MEMORY_OPTION_HIDDEN));
  g_signal_connect_swapped (self->model, "series-changed", G_CALLBACK (on_series_changed), self);
  if (self->scope_replica == NULL)
    tsr_memory_page_make_scope_line (self);
}

static void
show_options (TsrMemoryPage *self)
{
  TsrMemoryChartOptions options;

  get_wish (self, &options);
  if (self->model != NULL)
    {
      tsr_chart_model_set_hidden (
          TSR_CHART_MODEL (self->model),
          tsr_page_get_option_text (TSR_PAGE (self), TSR_MEMORY_OPTION_HIDDEN));
      tsr_memory_chart_set_options (self->model, &options);
    }
  tsr_memory_page_get_options (self, &options);
  tsr_memory_page_update_labels (self, &options);
}

/* What is live at one liveness step: which step, the popover that chooses it, and the bytes by
 * tile; and what each tile holds at its own peak.  Both are computed in a worker. */

static gboolean
is_step_wished (TsrMemoryPage *self)
{
  return tsr_memory_page_get (self, TSR_MEMORY_OPTION_AT_STEP) != 0;
}

static TsrLiveness *
get_liveness (TsrMemoryPage *self)
{
  return tsr_session_get_liveness (tsr_memory_page_get_session (self));
}

/* The fullest step of the replica, where nobody chose one. */
static guint
fullest_step (TsrMemoryPage *self)
{
  TsrReport *report = tsr_session_get_report (tsr_memory_page_get_session (self));
  const TsrLivenessTables *t = report != NULL ? tsr_report_get_liveness_tables (report) : NULL;
  guint best = 0;

  for (guint i = 1; t != NULL && i < t->n_steps; i++)
    if (t->step_bytes[i] > t->step_bytes[best])
      best = i;
  return best;
}

static guint
get_step (TsrMemoryPage *self)
{
  TsrLiveness *liveness = get_liveness (self);
  guint step
      = tsr_step_selection_get_step (tsr_session_get_steps (tsr_memory_page_get_session (self)));

  if (liveness == NULL)
    return TSR_NO_INDEX;
  return step < tsr_liveness_get_n_steps (liveness) ? step : fullest_step (self);
}

/* Code is there at every step. */
static gboolean
is_code_shown (TsrMemoryPage *self)
{
  const TsrMemoryValue *value
      = tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH) == TSR_MEMORY_GRAPH_TILE_MAP
            ? tsr_memory_page_get_value (self)
            : NULL;

  return value != NULL && value->kind == TSR_MEMORY_VALUE_PROGRAM;
}

gboolean
tsr_memory_page_is_at_step (TsrMemoryPage *self)
{
  return is_step_wished (self) && !is_code_shown (self)
         && tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH) != TSR_MEMORY_GRAPH_VARIABLES
         && tsr_memory_page_get_lowered (self) != NULL
         && tsr_liveness_get_n_steps (tsr_memory_page_get_lowered (self)) > 0;
}

static void
show_step (TsrMemoryPage *self)
{
  gboolean shown = tsr_memory_page_is_at_step (self) && self->step_bytes != NULL;

  if (self->model != NULL)
    tsr_memory_chart_set_step (self->model, self->step_shown, shown ? self->step_bytes : NULL);
  tsr_memory_page_update_tile_map (self);
}

/* Of everything, for the graph of totals and the map's figures; and of what the map shows, when
 * that is a category or a variable. */
typedef struct
{
  TsrLiveness *liveness;
  guint step;
  TsrMemoryValueKind kind;
  guint index;
  char *key; /* (nullable): of the value; NULL: only of everything */
} StepJob;

typedef struct
{
  guint step;
  gint64 *bytes, *value_bytes;
  char *key;
} StepResult;

static void
step_job_free (gpointer data)
{
  StepJob *job = data;

  tsr_liveness_unref (job->liveness);
  g_free (job->key);
  g_free (job);
}

static void
step_result_free (gpointer data)
{
  StepResult *result = data;

  g_free (result->bytes);
  g_free (result->value_bytes);
  g_free (result->key);
  g_free (result);
}

static gpointer
compute_step (gpointer data, GCancellable *cancellable, GError **error)
{
  StepJob *job = data;
  StepResult *result = g_new0 (StepResult, 1);

  result->step = job->step;
  result->bytes = tsr_liveness_dup_tiles_at (job->liveness, job->step, cancellable, error);
  if (result->bytes != NULL && job->key != NULL)
    {
      result->value_bytes = job->kind == TSR_MEMORY_VALUE_CATEGORY
                                ? tsr_liveness_dup_category_at (job->liveness, job->index,
                                                                job->step, cancellable, error)
                                : tsr_liveness_dup_variable_at (job->liveness, job->index,
                                                                job->step, cancellable, error);
      result->key = g_steal_pointer (&job->key);
    }
  if (result->bytes != NULL && (result->key == NULL || result->value_bytes != NULL))
    return result;
  step_result_free (result);
  return NULL;
}

void
tsr_memory_page_clear_step (TsrMemoryPage *self)
{
  g_clear_pointer (&self->step_bytes, g_free);
  g_clear_pointer (&self->step_value_bytes, g_free);
  g_clear_pointer (&self->step_value_key, g_free);
}

static void
on_step_computed (gpointer owner, gpointer data, const GError *error)
{
  TsrMemoryPage *self = owner;
  StepResult *result = data;

  if (result == NULL)
    {
      tsr_notice_show (GTK_WIDGET (self), error->message);
      return;
    }
  tsr_memory_page_clear_step (self);
  self->step_bytes = g_steal_pointer (&result->bytes);
  self->step_value_bytes = g_steal_pointer (&result->value_bytes);
  self->step_value_key = g_steal_pointer (&result->key);
  self->step_shown = result->step;
  step_result_free (result);
  show_step (self);
  if (self->model == NULL)
    return;
  tsr_memory_page_update_possible (self);
  tsr_memory_page_update_scope (self);
}

static void
update_step_words (TsrMemoryPage *self)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  TsrLiveness *liveness = get_liveness (self);
  gboolean is_pending = tsr_session_is_lowered_pending (session);
  guint step = get_step (self), n = liveness != NULL ? tsr_liveness_get_n_steps (liveness) : 0;
  g_autofree char *label = NULL;
  const char *name;

  if (tsr_memory_page_is_at_step (self) && step != TSR_NO_INDEX)
    {
      g_autofree char *number = tsr_units_dup_count (step);

      label = g_strdup_printf (_ ("At step %s"), number);
    }
  else if (is_step_wished (self) && is_pending)
    label = g_strdup (_ ("Reading…"));
  gtk_menu_button_set_label (self->step_button, label != NULL ? label : _ ("Peak of each tile"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->step_button),
                            is_pending || (tsr_memory_page_get_lowered (self) != NULL && n > 0));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->step_button),
                               tsr_memory_page_get_lowered (self) != NULL
                                       || (is_pending && !is_step_wished (self))
                                   ? _ ("Memory at the peak of each tile, or at one liveness step")
                                   : tsr_memory_page_get_why (self));
  tsr_traffic_label_set_stages (
      self->step_traffic, session,
      (liveness == NULL ? 1u << TSR_STAGE_LIVENESS : 0)
          | (is_step_wished (self) && is_pending ? 1u << TSR_STAGE_LOWERED : 0));
  gtk_widget_set_sensitive (GTK_WIDGET (self->step_spin), n > 0);
  name = step < n ? tsr_liveness_get_step_name (liveness, step) : NULL;
  gtk_label_set_label (self->step_name, name != NULL ? name : "");
  gtk_adjustment_configure (gtk_spin_button_get_adjustment (self->step_spin), step < n ? step : 0,
                            0, MAX (n, 1) - 1, 1, 10, 0);
  gtk_check_button_set_active (is_step_wished (self) ? self->step_on : self->step_off, TRUE);
}

/* The value of the map that is told at a step by itself, or NULL. */
static const TsrMemoryValue *
get_own_value (TsrMemoryPage *self)
{
  const TsrMemoryValue *value
      = tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH) == TSR_MEMORY_GRAPH_TILE_MAP
            ? tsr_memory_page_get_value (self)
            : NULL;

  return value != NULL && value->kind != TSR_MEMORY_VALUE_METRIC
                 && value->kind != TSR_MEMORY_VALUE_PROGRAM
             ? value
             : NULL;
}

static gboolean
is_step_computed (TsrMemoryPage *self, guint step, const TsrMemoryValue *value)
{
  return self->step_bytes != NULL && self->step_shown == step
         && (value == NULL || g_strcmp0 (self->step_value_key, value->key) == 0);
}

static void
compute_at (TsrMemoryPage *self, guint step, const TsrMemoryValue *value)
{
  StepJob *job = g_new0 (StepJob, 1);

  job->liveness = tsr_liveness_ref (tsr_memory_page_get_lowered (self));
  job->step = step;
  if (value != NULL)
    {
      job->kind = value->kind;
      job->index = value->index;
      job->key = g_strdup (value->key);
    }
  tsr_latest_run (self->step_latest, compute_step, job, step_job_free, on_step_computed);
}

static void
update_step (TsrMemoryPage *self)
{
  guint step = get_step (self);
  const TsrMemoryValue *value = get_own_value (self);

  if (is_step_wished (self) && gtk_widget_get_mapped (GTK_WIDGET (self)))
    tsr_session_want (tsr_memory_page_get_session (self), TSR_STAGE_LOWERED);
  update_step_words (self);
  if (!tsr_memory_page_is_at_step (self) || is_step_computed (self, step, value))
    {
      tsr_latest_cancel (self->step_latest);
      show_step (self);
    }
  else
    compute_at (self, step, value);
}

static gpointer
compute_peaks (gpointer data, GCancellable *cancellable, GError **error)
{
  return tsr_liveness_dup_categories_at_peaks (data, cancellable, error);
}

static void
on_peaks_computed (gpointer owner, gpointer data, const GError *error)
{
  TsrMemoryPage *self = owner;

  if (data == NULL || self->model == NULL)
    {
      g_free (data);
      if (error != NULL)
        tsr_notice_show (GTK_WIDGET (self), error->message);
      return;
    }
  tsr_memory_chart_set_peaks (self->model, data);
  tsr_memory_page_update (self, TSR_MEMORY_BIT (OPTION_BREAKDOWN));
}

static gboolean
are_peaks_wished (TsrMemoryPage *self)
{
  return tsr_memory_page_get (self, TSR_MEMORY_OPTION_BREAKDOWN) == TSR_BREAKDOWN_PEAK
         && tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH) == TSR_MEMORY_GRAPH_TOTAL;
}

static void
update_peaks (TsrMemoryPage *self)
{
  TsrLiveness *liveness = tsr_memory_page_get_lowered (self);

  if (self->has_peaks || self->model == NULL || liveness == NULL || !are_peaks_wished (self)
      || tsr_liveness_get_n_steps (liveness) == 0)
    return;
  self->has_peaks = TRUE;
  tsr_latest_run (self->peaks_latest, compute_peaks, tsr_liveness_ref (liveness),
                  (GDestroyNotify)tsr_liveness_unref, on_peaks_computed);
}

gboolean
tsr_memory_page_waits_for_peaks (TsrMemoryPage *self)
{
  TsrMemoryChartOptions options;

  tsr_memory_page_get_options (self, &options);
  return are_peaks_wished (self) && options.breakdown != TSR_BREAKDOWN_PEAK
         && !tsr_memory_page_is_at_step (self)
         && (self->has_peaks
             || tsr_session_is_lowered_pending (tsr_memory_page_get_session (self)));
}

/* A step that is chosen elsewhere is what this page shows when one comes to it; when it is not
 * chosen any more, the peaks are back.  On the page itself its own controls decide. */
static gboolean
follow_step (TsrMemoryPage *self)
{
  TsrViewState *state = tsr_page_get_view_state (TSR_PAGE (self));
  gboolean chosen
      = tsr_step_selection_get_step (tsr_session_get_steps (tsr_memory_page_get_session (self)))
        != TSR_NO_INDEX;
  gboolean changes = is_step_wished (self) != chosen;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) || (!chosen && !self->follows_step))
    return FALSE;
  self->follows_step = chosen;
  tsr_view_state_hold (state);
  tsr_view_state_set (state, TSR_MEMORY_OPTION_MAP_STEP, chosen);
  tsr_view_state_set (state, TSR_MEMORY_OPTION_AT_STEP, chosen);
  tsr_view_state_release (state);
  return changes;
}

static void
on_steps_changed (TsrMemoryPage *self)
{
  if (!follow_step (self))
    tsr_memory_page_update (self, TSR_MEMORY_BIT (EVENT_STEP));
}

/* Which steps there are is read when one may be chosen; what is live at it, when it is. */
static void
on_step_popover (TsrMemoryPage *self)
{
  tsr_session_want (tsr_memory_page_get_session (self), TSR_STAGE_LIVENESS);
}

static void
on_step_check (GtkCheckButton *check, TsrMemoryPage *self)
{
  tsr_page_set_option (TSR_PAGE (self), TSR_MEMORY_OPTION_AT_STEP,
                       gtk_check_button_get_active (check));
}

static void
on_step_spin (GtkSpinButton *spin, TsrMemoryPage *self)
{
  guint step = (guint)gtk_spin_button_get_value_as_int (spin);

  if (get_liveness (self) == NULL || step == get_step (self))
    return;
  tsr_step_selection_set (tsr_session_get_steps (tsr_memory_page_get_session (self)), &step, 1);
  tsr_page_set_option (TSR_PAGE (self), TSR_MEMORY_OPTION_AT_STEP, TRUE);
}

static void
init_step (TsrMemoryPage *self)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->step_off = GTK_CHECK_BUTTON (gtk_check_button_new_with_label (_ ("Peak of each tile")));
  self->step_on = GTK_CHECK_BUTTON (gtk_check_button_new_with_label (_ ("At liveness step")));
  gtk_check_button_set_group (self->step_on, self->step_off);
  self->step_spin = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (0, 1, 1));
  gtk_spin_button_set_numeric (self->step_spin, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->step_spin), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Liveness step"), -1);
  self->step_name = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->step_name, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (self->step_name, 44);
  gtk_label_set_xalign (self->step_name, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->step_name), "dim-label");
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->step_on));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->step_spin));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->step_off));
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->step_name));
  self->step_traffic = tsr_traffic_label_new ();
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->step_traffic));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (self->step_button, popover);
  self->step_latest = tsr_latest_new (self, step_result_free);
  self->peaks_latest = tsr_latest_new (self, g_free);
  g_signal_connect_swapped (popover, "map", G_CALLBACK (on_step_popover), self);
  g_signal_connect (self->step_on, "toggled", G_CALLBACK (on_step_check), self);
  g_signal_connect (self->step_spin, "value-changed", G_CALLBACK (on_step_spin), self);
}

static gboolean
restore_step (TsrMemoryPage *self)
{
  g_signal_connect_object (tsr_session_get_steps (tsr_memory_page_get_session (self)),
                           "steps-changed", G_CALLBACK (on_steps_changed), self, G_CONNECT_SWAPPED);
  return follow_step (self);
}

/* What follows from a change */

/* What the scope line and the strip do not say. */
#define NOT_IN_SCOPE                                                                               \
  (TSR_MEMORY_BIT (OPTION_ORDER) | TSR_MEMORY_BIT (OPTION_SHOW_MAX)                                \
   | TSR_MEMORY_BIT (OPTION_FIT_DATA) | TSR_MEMORY_BIT (OPTION_FROM_ZERO)                          \
   | TSR_MEMORY_BIT (OPTION_MINI_MAP) | TSR_MEMORY_BIT (OPTION_TAB) | TSR_MEMORY_BIT (OPTION_IPU)  \
   | TSR_MEMORY_BIT (OPTION_SCALE) | TSR_MEMORY_BIT (OPTION_PLOTTED)                               \
   | TSR_MEMORY_BIT (OPTION_HIDDEN_VARIABLES) | TSR_MEMORY_BIT (OPTION_HIDDEN)                     \
   | TSR_MEMORY_BIT (OPTION_MAP_STEP) | TSR_MEMORY_BIT (OPTION_MAP_COLOUR))

void
tsr_memory_page_update (TsrMemoryPage *self, guint64 changed)
{
  const guint64 made = TSR_MEMORY_BIT (EVENT_MEMORY) | TSR_MEMORY_BIT (EVENT_LIVENESS);

  changed |= self->due;
  if ((changed & TSR_MEMORY_BIT (EVENT_MEMORY)) != 0)
    {
      set_memory (self, tsr_session_get_memory (tsr_memory_page_get_session (self)));
      changed |= TSR_MEMORY_BIT (EVENT_TILES);
    }
  if ((changed & made) != 0)
    {
      tsr_memory_page_make_graphs (self);
      changed = (changed & ~made) | TSR_MEMORY_BIT (EVENT_MADE);
    }
  /* A choice that is made now comes back here, with all that is due. */
  self->due = changed;
  if ((changed & (TSR_MEMORY_BIT (EVENT_MADE) | TSR_MEMORY_BIT (OPTION_GRAPH))) != 0
      && tsr_memory_page_choose_variables (self))
    return;
  self->due = 0;
  tsr_chart_set_mini_map (self->chart, tsr_memory_page_get (self, TSR_MEMORY_OPTION_MINI_MAP));
  if ((changed & TSR_MEMORY_PEAK_BITS) != 0)
    update_peaks (self);
  show_options (self);
  tsr_memory_page_show_graphs (self, changed);
  if ((changed & TSR_MEMORY_STEP_BITS) != 0)
    update_step (self);
  if ((changed & (TSR_MEMORY_BIT (EVENT_TILES) | TSR_MEMORY_BIT (EVENT_UNITS))) != 0)
    show_selection (self);
  update_extent (self);
  if ((changed & (TSR_MEMORY_STEP_BITS | TSR_MEMORY_PEAK_BITS)) != 0 && self->model != NULL)
    tsr_memory_page_update_possible (self);
  if ((changed & ~NOT_IN_SCOPE) != 0)
    tsr_memory_page_update_scope (self);
}

static const char *
get_graph_nick (guint value)
{
  return tsr_memory_graph_get_nick (value);
}

static const char *
get_breakdown_nick (guint value)
{
  return tsr_breakdown_get_nick (value);
}

static const char *
get_order_nick (guint value)
{
  return tsr_tile_order_get_nick (value);
}

static const char *
get_tab_nick (guint value)
{
  return tsr_memory_tab_get_nick (value);
}

static const char *
get_map_colour_nick (guint value)
{
  return value == TSR_ADDRESS_BY_LIFE ? "life" : "category";
}

#define ONLY_IN(tab) .of = TSR_MEMORY_OPTION_TAB, .where = 1u << TSR_MEMORY_TAB_##tab
#define ONLY(graph)  .of = TSR_MEMORY_OPTION_GRAPH, .where = 1u << TSR_MEMORY_GRAPH_##graph

static const TsrViewOption options[TSR_MEMORY_N_OPTIONS] = {
  [TSR_MEMORY_OPTION_GRAPH] = { "graph", "graph", TSR_MEMORY_GRAPH_TOTAL, get_graph_nick,
                                TSR_MEMORY_N_GRAPHS, .is_named = TRUE },
  [TSR_MEMORY_OPTION_BREAKDOWN]
  = { "breakdown", "breakdown", TSR_BREAKDOWN_PEAK, get_breakdown_nick, TSR_N_BREAKDOWNS,
      .setting = "memory-breakdown" },
  [TSR_MEMORY_OPTION_ORDER] = { "order", "order", TSR_ORDER_SOFTWARE, get_order_nick,
                                TSR_ORDER_BYTES + 1, .setting = "memory-order" },
  [TSR_MEMORY_OPTION_INCLUDE_GAPS]
  = { "include-gaps", "gaps", FALSE, .setting = "memory-include-gaps" },
  [TSR_MEMORY_OPTION_SHOW_MAX] = { "show-max", "max", TRUE, .setting = "memory-show-max" },
  [TSR_MEMORY_OPTION_FIT_DATA] = { "fit-data", "fit", FALSE, .setting = "memory-fit-data" },
  [TSR_MEMORY_OPTION_FROM_ZERO] = { "from-zero", "from-zero", FALSE, .setting = "from-zero" },
  [TSR_MEMORY_OPTION_MINI_MAP] = { "mini-map", NULL, FALSE, .setting = "mini-map" },
  [TSR_MEMORY_OPTION_AT_STEP] = { "at-step", "at-step", FALSE },
  [TSR_MEMORY_OPTION_TAB]
  = { "tab", "tab", TSR_MEMORY_TAB_DETAILS, get_tab_nick, TSR_MEMORY_N_TABS },
  [TSR_MEMORY_OPTION_VALUE] = { NULL, "value", .kind = TSR_VIEW_TEXT, ONLY (TILE_MAP) },
  [TSR_MEMORY_OPTION_IPU]
  = { NULL, "ipu", TSR_NO_INDEX, .kind = TSR_VIEW_NUMBER, .is_passing = TRUE, ONLY (TILE_MAP) },
  [TSR_MEMORY_OPTION_SCALE] = { NULL, "scale", .kind = TSR_VIEW_TEXT, ONLY (TILE_MAP) },
  [TSR_MEMORY_OPTION_PLOTTED] = { NULL, "plotted", .kind = TSR_VIEW_TEXT, ONLY (VARIABLES) },
  [TSR_MEMORY_OPTION_HIDDEN_VARIABLES]
  = { NULL, "hidden", .kind = TSR_VIEW_TEXT, ONLY (VARIABLES) },
  [TSR_MEMORY_OPTION_HIDDEN]
  = { NULL, "hidden", .kind = TSR_VIEW_TEXT, .setting = "memory-hidden-series", ONLY (TOTAL) },
  [TSR_MEMORY_OPTION_MAP_STEP] = { NULL, "map-step", FALSE, ONLY_IN (VARIABLES) },
  [TSR_MEMORY_OPTION_MAP_COLOUR]
  = { NULL, "map-colour", TSR_ADDRESS_BY_CATEGORY, get_map_colour_nick, 2, ONLY_IN (VARIABLES) },
};

static void
on_options_changed (TsrPage *page, guint64 changed)
{
  tsr_memory_page_update (TSR_MEMORY_PAGE (page), changed);
}

/* The session */

static void
on_memory (TsrMemoryPage *self)
{
  tsr_memory_page_update (self, TSR_MEMORY_BIT (EVENT_MEMORY));
}

static void
on_units (TsrMemoryPage *self)
{
  tsr_memory_page_update (self, TSR_MEMORY_BIT (EVENT_UNITS));
}

static void
on_tiles (TsrMemoryPage *self)
{
  tsr_memory_page_update (self, TSR_MEMORY_BIT (EVENT_TILES));
}

static void
on_variables (TsrMemoryPage *self)
{
  tsr_memory_page_update (self, TSR_MEMORY_BIT (EVENT_VARIABLES));
}

static void
on_code (TsrMemoryPage *self)
{
  tsr_memory_page_update (self, TSR_MEMORY_BIT (EVENT_CODE));
}

void
tsr_memory_page_update_graphs (TsrMemoryPage *self)
{
  tsr_memory_page_update (self, TSR_MEMORY_BIT (EVENT_LIVENESS));
}

static void
on_liveness (TsrMemoryPage *self)
{
  /* It has gone with its memory, of which the page hears, too. */
  if (!tsr_session_is_data_pending (tsr_memory_page_get_session (self), TSR_DATA_LIVENESS))
    tsr_memory_page_update_graphs (self);
}

/* Page */

static void
follow_session (TsrMemoryPage *self, TsrSession *session)
{
  const struct
  {
    gpointer object;
    const char *signal;
    void (*run) (TsrMemoryPage *self);
  } rows[] = {
    { session, "notify::memory", on_memory },
    { session, "notify::units", on_units },
    { session, "notify::liveness", on_liveness },
    { session, "notify::programs", on_code },
    { session, "notify::vertices", on_code },
    { tsr_session_get_selection (session), "changed", on_tiles },
    { tsr_session_get_steps (session), "variables-changed", on_variables },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_signal_connect_object (rows[i].object, rows[i].signal, G_CALLBACK (rows[i].run), self,
                             G_CONNECT_SWAPPED);
}

static void
tsr_memory_page_set_session (TsrPage *page, TsrSession *session)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  TsrSettings *settings = tsr_session_get_settings (session);
  TsrViewport *viewport = tsr_session_get_viewport (session, "memory");

  TSR_PAGE_CLASS (tsr_memory_page_parent_class)->set_session (page, session);
  tsr_page_restore_options (page, session);
  tsr_split_keep_state (self->split, session, "memory");
  tsr_memory_page_restore_details (self);
  tsr_row_view_set_settings (self->details, settings, "memory-details-expanded");
  tsr_navigation_set_settings (self->navigation, settings);
  tsr_navigation_set_viewport (self->navigation, viewport);
  tsr_navigation_set_viewport (self->zoom_menu, viewport);
  tsr_chart_set_viewport (self->chart, viewport);
  self->due = G_MAXUINT64; /* of the options, too */
  if (!restore_step (self))
    on_memory (self);
  follow_session (self, session);
}

/* @name NULL: unless the user selected it, none. */
static void
mark_row (TsrMemoryPage *self, TsrMemoryTab tab, const char *name)
{
  if (name == NULL && !self->subject_rows[tab])
    return;
  tsr_memory_page_want_row (self, tab, name);
  if (name == NULL)
    tsr_row_view_select (tsr_memory_page_get_rows (self, tab), NULL, 0);
  self->subject_rows[tab] = name != NULL;
}

/* The row of the compute set and that of the exchange, in the tables as they are, of the first of
 * the subject's programs that have one; of an operation its largest variables. */
static gboolean
tsr_memory_page_take_subject (TsrPage *page, const TsrSubject *subject)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  TsrSession *session = tsr_page_get_session (page);
  g_autoptr (GArray) programs = NULL;
  const char *set = NULL, *exchange = NULL;

  if (subject->kind == TSR_SUBJECT_COMPUTE_SET || subject->kind == TSR_SUBJECT_VARIABLE)
    return TRUE;
  programs = tsr_subject_parts_dup_programs (session);
  if (programs == NULL)
    return FALSE;
  tsr_subject_parts_find_names (session, programs, &set, &exchange);
  mark_row (self, TSR_MEMORY_TAB_COMPUTE_SETS, set);
  mark_row (self, TSR_MEMORY_TAB_EXCHANGES, exchange);
  tsr_subject_parts_show_variables (session);
  tsr_memory_page_update_scope (self);
  return TRUE;
}

gboolean
tsr_memory_page_is_marked (TsrMemoryPage *self, TsrMemoryTab tab)
{
  if (tab == TSR_MEMORY_N_TABS)
    return tsr_memory_page_is_marked (self, TSR_MEMORY_TAB_VARIABLES)
           || tsr_memory_page_is_marked (self, TSR_MEMORY_TAB_COMPUTE_SETS)
           || tsr_memory_page_is_marked (self, TSR_MEMORY_TAB_EXCHANGES);
  return tab == TSR_MEMORY_TAB_VARIABLES
             ? tsr_session_has_shared_variables (tsr_memory_page_get_session (self))
             : self->subject_rows[tab];
}

/* The next table that has something marked. */
static void
show_marked (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (widget);
  const guint from = tsr_memory_page_get_tab (self);

  for (guint i = 1; i <= TSR_MEMORY_N_TABS; i++)
    {
      const TsrMemoryTab tab = (from + i) % TSR_MEMORY_N_TABS;

      if (!tsr_memory_page_is_marked (self, tab))
        continue;
      g_object_set (self, "tab", tsr_memory_tab_get_nick (tab), NULL);
      return;
    }
}

static void
tsr_memory_page_focus_start (TsrPage *page)
{
  gtk_widget_grab_focus (tsr_memory_page_get_graph_widget (TSR_MEMORY_PAGE (page)));
}

/* The tab that is open: the tree of details, or the scope and the table that is shown. */
static char *
tsr_memory_page_dup_text (TsrPage *page)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (page);
  TsrRowView *view = tsr_memory_page_get_rows (self, tsr_memory_page_get_tab (self));
  g_autofree char *scope = NULL, *csv = NULL;

  if (view == NULL)
    return tsr_memory_page_dup_details_csv (self);
  scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (page));
  csv = tsr_row_view_dup_csv (view);
  return g_strdup_printf ("%s\n\n%s", scope, csv);
}

static void
edit_tiles (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (widget);

  gtk_widget_grab_focus (GTK_WIDGET (self->tile_entry));
  gtk_editable_select_region (GTK_EDITABLE (self->tile_entry), 0, -1);
}

static void
clear_selection (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_tile_selection_clear (tsr_memory_page_get_selection (TSR_MEMORY_PAGE (widget)));
}

static void
select_fullest (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (widget);

  if (self->memory != NULL)
    tsr_memory_page_enter_tiles (self, "top1");
}

static void
read_variables (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tsr_session_want (tsr_memory_page_get_session (TSR_MEMORY_PAGE (widget)), TSR_STAGE_LOWERED);
}

static void
add_variable (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (widget);

  g_object_set (self, "graph", tsr_memory_graph_get_nick (TSR_MEMORY_GRAPH_VARIABLES), NULL);
  tsr_variable_picker_popup (self->picker);
}

static void
tsr_memory_page_dispose (GObject *object)
{
  TsrMemoryPage *self = TSR_MEMORY_PAGE (object);

  for (guint i = 0; i < TSR_MEMORY_N_TABS; i++)
    g_clear_pointer (&self->wanted_rows[i], g_free);
  tsr_memory_page_clear_graphs (self);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  g_clear_pointer (&self->error_popover, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_memory_page_parent_class)->dispose (object);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "memory.edit-tiles", NULL, edit_tiles);
  gtk_widget_class_install_action (widget_class, "memory.show-marked", NULL, show_marked);
  gtk_widget_class_install_action (widget_class, "memory.clear-selection", NULL, clear_selection);
  gtk_widget_class_install_action (widget_class, "memory.select-fullest", NULL, select_fullest);
  gtk_widget_class_install_action (widget_class, "memory.add-variable", NULL, add_variable);
  gtk_widget_class_install_action (widget_class, "memory.read-variables", NULL, read_variables);
  for (guint i = 0; i < TSR_MEMORY_N_GRAPHS; i++)
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + i, GDK_CONTROL_MASK,
                                         "memory.graph", "s", tsr_memory_graph_get_nick (i));
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_v, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "memory.add-variable", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_t, GDK_CONTROL_MASK,
                                       "memory.edit-tiles", NULL);
}

static const TsrPageChild children[] = {
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_none_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_region_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_category_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_liveness_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_peak_check),
  TSR_PAGE_CHILD (TsrMemoryPage, gaps_check),
  TSR_PAGE_CHILD (TsrMemoryPage, max_check),
  TSR_PAGE_CHILD (TsrMemoryPage, breakdown_button),
  TSR_PAGE_CHILD (TsrMemoryPage, order_software),
  TSR_PAGE_CHILD (TsrMemoryPage, order_physical),
  TSR_PAGE_CHILD (TsrMemoryPage, order_bytes),
  TSR_PAGE_CHILD (TsrMemoryPage, sort_button),
  TSR_PAGE_CHILD (TsrMemoryPage, navigation),
  TSR_PAGE_CHILD (TsrMemoryPage, zoom_menu),
  TSR_PAGE_CHILD (TsrMemoryPage, tile_entry),
  TSR_PAGE_CHILD (TsrMemoryPage, split),
  TSR_PAGE_CHILD (TsrMemoryPage, chart),
  TSR_PAGE_CHILD (TsrMemoryPage, value_chooser),
  TSR_PAGE_CHILD (TsrMemoryPage, ipu_chooser),
  TSR_PAGE_CHILD (TsrMemoryPage, step_button),
  TSR_PAGE_CHILD (TsrMemoryPage, view_button),
  TSR_PAGE_CHILD (TsrMemoryPage, total_options),
  TSR_PAGE_CHILD (TsrMemoryPage, picker),
  TSR_PAGE_CHILD (TsrMemoryPage, graph_stack),
  TSR_PAGE_CHILD (TsrMemoryPage, graph_words),
  TSR_PAGE_CHILD (TsrMemoryPage, map_view),
  TSR_PAGE_CHILD (TsrMemoryPage, tabs),
  TSR_PAGE_CHILD (TsrMemoryPage, details_buttons),
  { NULL },
};

static void
bind_template (TsrPageClass *klass)
{
  g_type_ensure (TSR_TYPE_CHART);
  g_type_ensure (TSR_TYPE_CONTROL_ROW);
  g_type_ensure (TSR_TYPE_COMPACT);
  g_type_ensure (TSR_TYPE_NAVIGATION);
  g_type_ensure (TSR_TYPE_ROW_MESSAGE);
  g_type_ensure (TSR_TYPE_SPLIT);
  g_type_ensure (TSR_TYPE_TABS);
  g_type_ensure (TSR_TYPE_TILE_MAP_VIEW);
  g_type_ensure (TSR_TYPE_VARIABLE_PICKER);
  tsr_page_class_set_template (klass, "tsr-memory-page.ui", children);
}

static void
tsr_memory_page_class_init (TsrMemoryPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrPageClass *page_class = TSR_PAGE_CLASS (klass);

  object_class->dispose = tsr_memory_page_dispose;
  page_class->view = TSR_VIEW_MEMORY;
  page_class->stage = TSR_STAGE_MEMORY;
  page_class->set_session = tsr_memory_page_set_session;
  page_class->focus_start = tsr_memory_page_focus_start;
  page_class->dup_text = tsr_memory_page_dup_text;
  page_class->save_words = tsr_memory_page_save_words;
  page_class->load_words = tsr_memory_page_load_words;
  page_class->take_subject = tsr_memory_page_take_subject;
  tsr_page_class_set_options (page_class, "memory", options, G_N_ELEMENTS (options),
                              on_options_changed);
  install_actions (GTK_WIDGET_CLASS (klass));
  bind_template (page_class);
}

static void
tsr_memory_page_init (TsrMemoryPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  tsr_memory_page_init_entry (self);
  tsr_memory_page_init_graphs (self);
  init_step (self);
  tsr_memory_page_init_details (self);
  tsr_plane_set_file_name (TSR_PLANE (self->chart), "memory");
  g_signal_connect (self->chart, "select", G_CALLBACK (on_chart_select), self);
  g_signal_connect (self->chart, "hover-changed", G_CALLBACK (on_hover_changed), self);
}

TsrRowView *
tsr_memory_page_get_details (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->details;
}
