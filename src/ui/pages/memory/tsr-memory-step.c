/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is live at one liveness step: which step, the popover that chooses it, and the bytes by
 * tile; and what each tile holds at its own peak.  Both are computed in a worker. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include <glib/gi18n.h>

static gboolean
is_wished (TsrMemoryPage *self)
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
is_code (TsrMemoryPage *self)
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
  return is_wished (self) && !is_code (self)
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
      tsr_page_toast (GTK_WIDGET (self), error->message);
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
  else if (is_wished (self) && is_pending)
    label = g_strdup (_ ("Reading…"));
  gtk_menu_button_set_label (self->step_button, label != NULL ? label : _ ("Peak of each tile"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->step_button),
                            is_pending || (tsr_memory_page_get_lowered (self) != NULL && n > 0));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->step_button),
                               tsr_memory_page_get_lowered (self) != NULL
                                       || (is_pending && !is_wished (self))
                                   ? _ ("Memory at the peak of each tile, or at one liveness step")
                                   : tsr_memory_page_get_why (self));
  tsr_traffic_label_set_stages (
      self->step_traffic, session,
      (liveness == NULL ? 1u << TSR_STAGE_LIVENESS : 0)
          | (is_wished (self) && is_pending ? 1u << TSR_STAGE_LOWERED : 0));
  gtk_widget_set_sensitive (GTK_WIDGET (self->step_spin), n > 0);
  name = step < n ? tsr_liveness_get_step_name (liveness, step) : NULL;
  gtk_label_set_label (self->step_name, name != NULL ? name : "");
  gtk_adjustment_configure (gtk_spin_button_get_adjustment (self->step_spin), step < n ? step : 0,
                            0, MAX (n, 1) - 1, 1, 10, 0);
  gtk_check_button_set_active (is_wished (self) ? self->step_on : self->step_off, TRUE);
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
is_computed (TsrMemoryPage *self, guint step, const TsrMemoryValue *value)
{
  return self->step_bytes != NULL && self->step_shown == step
         && (value == NULL || g_strcmp0 (self->step_value_key, value->key) == 0);
}

static void
compute (TsrMemoryPage *self, guint step, const TsrMemoryValue *value)
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

void
tsr_memory_page_update_step (TsrMemoryPage *self)
{
  guint step = get_step (self);
  const TsrMemoryValue *value = get_own_value (self);

  if (is_wished (self) && gtk_widget_get_mapped (GTK_WIDGET (self)))
    tsr_session_want (tsr_memory_page_get_session (self), TSR_STAGE_LOWERED);
  update_step_words (self);
  if (!tsr_memory_page_is_at_step (self) || is_computed (self, step, value))
    {
      tsr_latest_cancel (self->step_latest);
      show_step (self);
    }
  else
    compute (self, step, value);
}

/* The peak of each tile */

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
        tsr_page_toast (GTK_WIDGET (self), error->message);
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

void
tsr_memory_page_update_peaks (TsrMemoryPage *self)
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
  gboolean chosen
      = tsr_step_selection_get_step (tsr_session_get_steps (tsr_memory_page_get_session (self)))
        != TSR_NO_INDEX;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) || (!chosen && !self->follows_step))
    return FALSE;
  self->follows_step = chosen;
  tsr_address_panel_set_at_step (self->panel, chosen);
  if (is_wished (self) == chosen)
    return FALSE;
  tsr_page_set_option (TSR_PAGE (self), TSR_MEMORY_OPTION_AT_STEP, chosen);
  return TRUE;
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
  if (gtk_check_button_get_active (check))
    tsr_page_set_option (TSR_PAGE (self), TSR_MEMORY_OPTION_AT_STEP, check == self->step_on);
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

void
tsr_memory_page_init_step (TsrMemoryPage *self)
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
  g_signal_connect (self->step_off, "toggled", G_CALLBACK (on_step_check), self);
  g_signal_connect (self->step_on, "toggled", G_CALLBACK (on_step_check), self);
  g_signal_connect (self->step_spin, "value-changed", G_CALLBACK (on_step_spin), self);
}

gboolean
tsr_memory_page_restore_step (TsrMemoryPage *self)
{
  g_signal_connect_object (tsr_session_get_steps (tsr_memory_page_get_session (self)),
                           "steps-changed", G_CALLBACK (on_steps_changed), self, G_CONNECT_SWAPPED);
  return follow_step (self);
}
