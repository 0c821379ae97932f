/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graphs of the Memory page: which one is shown, what the tile map's colours stand for, the
 * variables that are plotted, and what is live at one liveness step. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-fold.h"

#include "tsr-memory-words.h"

#include <glib/gi18n.h>

#define STATE_GRAPH     "memory-graph"
#define STATE_AT_STEP   "memory-at-step"
#define STATE_VALUE     "memory-tile-map-value"
#define STATE_VARIABLES "memory-plotted-variables"
#define STATE_IPU       "memory-tile-map-ipu"

static const char *const graph_nicks[TSR_MEMORY_N_GRAPHS] = { "total", "variables", "tile-map" };

const char *
tsr_memory_graph_get_nick (TsrMemoryGraph graph)
{
  return graph_nicks[MIN (graph, TSR_MEMORY_N_GRAPHS - 1)];
}

gboolean
tsr_memory_graph_parse (const char *nick, TsrMemoryGraph *graph)
{
  for (guint i = 0; i < TSR_MEMORY_N_GRAPHS; i++)
    if (g_strcmp0 (nick, graph_nicks[i]) == 0)
      {
        *graph = i;
        return TRUE;
      }
  return FALSE;
}

static TsrLiveness *
get_liveness (TsrMemoryPage *self)
{
  return tsr_session_get_liveness (tsr_memory_page_get_session (self));
}

/* Liveness of which the lowered variables are there, or NULL. */
static TsrLiveness *
get_lowered (TsrMemoryPage *self)
{
  TsrLiveness *liveness = get_liveness (self);

  return liveness != NULL && tsr_liveness_has_lowered (liveness) ? liveness : NULL;
}

/* Why variables by tile cannot be shown. */
static const char *
get_why (TsrMemoryPage *self)
{
  if (tsr_session_is_lowered_pending (tsr_memory_page_get_session (self)))
    return _ ("Reading the variables of each tile…");
  return _ ("The report does not hold lowered variables (table vars_info, engine option "
            "autoReport.outputLoweredVars)");
}

/* Step */

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

/* Whether what is shown is that of a step. */
static gboolean
is_at_step (TsrMemoryPage *self)
{
  return self->at_step && self->graph != TSR_MEMORY_GRAPH_VARIABLES && get_lowered (self) != NULL
         && tsr_liveness_get_n_steps (get_lowered (self)) > 0;
}

static void update_tile_map (TsrMemoryPage *self);

static void
show_step (TsrMemoryPage *self)
{
  gboolean shown = is_at_step (self) && self->step_bytes != NULL;

  if (self->model != NULL)
    {
      self->applying = TRUE;
      tsr_memory_chart_set_step (self->model, self->step_shown, shown ? self->step_bytes : NULL);
      self->applying = FALSE;
      tsr_memory_page_restore_hidden_series (self);
      tsr_memory_page_update_possible (self);
    }
  update_tile_map (self);
  tsr_memory_page_update_scope (self);
}

typedef struct
{
  TsrLiveness *liveness;
  guint step;
} StepJob;

typedef struct
{
  guint step;
  gint64 *bytes;
} StepResult;

static void
step_job_free (gpointer data)
{
  tsr_liveness_unref (((StepJob *)data)->liveness);
  g_free (data);
}

static void
step_result_free (gpointer data)
{
  g_free (((StepResult *)data)->bytes);
  g_free (data);
}

static gpointer
compute_step (gpointer data, GCancellable *cancellable, GError **error)
{
  StepJob *job = data;
  gint64 *bytes = tsr_liveness_dup_tiles_at (job->liveness, job->step, cancellable, error);
  StepResult *result;

  if (bytes == NULL)
    return NULL;
  result = g_new0 (StepResult, 1);
  result->step = job->step;
  result->bytes = bytes;
  return result;
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
  g_free (self->step_bytes);
  self->step_bytes = g_steal_pointer (&result->bytes);
  self->step_shown = result->step;
  step_result_free (result);
  show_step (self);
}

static void
update_step_words (TsrMemoryPage *self)
{
  TsrLiveness *liveness = get_liveness (self);
  guint step = get_step (self), n = liveness != NULL ? tsr_liveness_get_n_steps (liveness) : 0;
  g_autofree char *label = NULL;
  const char *name;

  if (is_at_step (self) && step != TSR_NO_INDEX)
    {
      g_autofree char *number = tsr_units_dup_count (step);

      label = g_strdup_printf (_ ("At step %s"), number);
    }
  gtk_menu_button_set_label (self->step_button, label != NULL ? label : _ ("Peak of each tile"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->step_button), get_lowered (self) != NULL && n > 0);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->step_button),
                               get_lowered (self) != NULL
                                   ? _ ("Memory at the peak of each tile, or at one liveness step")
                                   : get_why (self));
  name = step < n ? tsr_liveness_get_step_name (liveness, step) : NULL;
  gtk_label_set_label (self->step_name, name != NULL ? name : "");
  self->applying = TRUE;
  gtk_spin_button_set_range (self->step_spin, 0, MAX (n, 1) - 1);
  if (step < n)
    gtk_spin_button_set_value (self->step_spin, step);
  gtk_check_button_set_active (self->at_step ? self->step_on : self->step_off, TRUE);
  self->applying = FALSE;
}

/* Computes what is live at the step unless it is there. */
static void
update_step (TsrMemoryPage *self)
{
  guint step = get_step (self);
  StepJob *job;

  update_step_words (self);
  if (!is_at_step (self) || (self->step_bytes != NULL && self->step_shown == step))
    {
      tsr_latest_cancel (self->step_latest);
      show_step (self);
      return;
    }
  job = g_new0 (StepJob, 1);
  job->liveness = tsr_liveness_ref (get_lowered (self));
  job->step = step;
  tsr_latest_run (self->step_latest, compute_step, job, step_job_free, on_step_computed);
}

void
tsr_memory_page_set_at_step (TsrMemoryPage *self, gboolean at_step)
{
  self->at_step = at_step;
  tsr_session_set_state (tsr_memory_page_get_session (self), STATE_AT_STEP,
                         g_variant_new_boolean (at_step));
  update_step (self);
  tsr_memory_page_update_options (self);
}

static void
on_step_check (GtkCheckButton *check, TsrMemoryPage *self)
{
  if (!self->applying && gtk_check_button_get_active (check))
    g_object_set (self, "at-step", check == self->step_on, NULL);
}

static void
on_step_spin (GtkSpinButton *spin, TsrMemoryPage *self)
{
  guint step = (guint)gtk_spin_button_get_value_as_int (spin);

  if (self->applying)
    return;
  tsr_step_selection_set (tsr_session_get_steps (tsr_memory_page_get_session (self)), &step, 1);
  if (!self->at_step)
    g_object_set (self, "at-step", TRUE, NULL);
}

static void
make_step_popover (TsrMemoryPage *self)
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
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (self->step_button, popover);
  g_signal_connect (self->step_off, "toggled", G_CALLBACK (on_step_check), self);
  g_signal_connect (self->step_on, "toggled", G_CALLBACK (on_step_check), self);
  g_signal_connect (self->step_spin, "value-changed", G_CALLBACK (on_step_spin), self);
}

/* Tile map */

typedef enum
{
  VALUE_METRIC,
  VALUE_CATEGORY,
  VALUE_VARIABLE,
} ValueKind;

typedef struct
{
  char *key, *label;
  ValueKind kind;
  guint index;
} Value;

static void
value_clear (gpointer data)
{
  g_free (((Value *)data)->key);
  g_free (((Value *)data)->label);
}

static void
add_value (TsrMemoryPage *self, ValueKind kind, guint index, char *key, const char *label)
{
  Value value = { key, g_strdup (label), kind, index };

  g_array_append_val (self->values, value);
}

static void
add_metrics (TsrMemoryPage *self)
{
  const struct
  {
    TsrMetric metric;
    const char *key, *label;
  } metrics[] = {
    { TSR_METRIC_EXCLUDING_GAPS, "excludingGaps", _ ("Memory excluding gaps") },
    { TSR_METRIC_INCLUDING_GAPS, "includingGaps", _ ("Memory including gaps") },
    { TSR_METRIC_TOTAL, "total", _ ("Total in the file") },
    { TSR_METRIC_ALWAYS_LIVE, "alwaysLive", _ ("Always live") },
    { TSR_METRIC_NOT_ALWAYS_LIVE, "notAlwaysLive", _ ("Not always live") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      /* The file's total is excluding gaps, where both are told. */
      if (metrics[i].metric == TSR_METRIC_TOTAL && self->values->len > 0)
        continue;
      if (tsr_memory_peek (self->memory, metrics[i].metric) != NULL)
        add_value (self, VALUE_METRIC, metrics[i].metric, g_strdup (metrics[i].key),
                   metrics[i].label);
    }
}

static void
add_variables (TsrMemoryPage *self)
{
  TsrLiveness *liveness = get_lowered (self);
  TsrStepSelection *steps = tsr_session_get_steps (tsr_memory_page_get_session (self));
  const char *const *lists[] = { tsr_variable_picker_peek_names (self->picker),
                                 tsr_step_selection_peek_variables (steps) };
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint k = 0; liveness != NULL && k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; lists[k] != NULL && lists[k][i] != NULL && i < 32; i++)
      {
        guint variable = tsr_variables_find (tsr_liveness_get_variables (liveness), lists[k][i]);

        if (variable != TSR_NO_INDEX && g_hash_table_add (seen, GUINT_TO_POINTER (variable)))
          add_value (self, VALUE_VARIABLE, variable, g_strconcat ("variable:", lists[k][i], NULL),
                     lists[k][i]);
      }
}

static const Value *
get_value (TsrMemoryPage *self)
{
  for (guint i = 0; i < self->values->len; i++)
    if (g_strcmp0 (g_array_index (self->values, Value, i).key, self->value_key) == 0)
      return &g_array_index (self->values, Value, i);
  return self->values->len > 0 ? &g_array_index (self->values, Value, 0) : NULL;
}

static void
list_values (TsrMemoryPage *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  g_array_set_size (self->values, 0);
  if (self->memory != NULL)
    {
      add_metrics (self);
      for (guint c = 0; tsr_memory_has_categories (self->memory)
                        && c < tsr_memory_get_n_categories (self->memory);
           c++)
        add_value (self, VALUE_CATEGORY, c,
                   g_strconcat ("category:", tsr_memory_get_category_name (self->memory, c), NULL),
                   tsr_memory_get_category_label (self->memory, c));
      add_variables (self);
    }
  for (guint i = 0; i < self->values->len; i++)
    gtk_string_list_append (names, g_array_index (self->values, Value, i).label);
  self->applying = TRUE;
  gtk_drop_down_set_model (self->value_chooser, G_LIST_MODEL (names));
  if (get_value (self) != NULL)
    gtk_drop_down_set_selected (
        self->value_chooser, (guint)(get_value (self) - &g_array_index (self->values, Value, 0)));
  self->applying = FALSE;
}

/* Live at the step: all of it, or what is not always live. */
static gint64 *
dup_live (TsrMemoryPage *self, TsrMetric metric)
{
  guint n = tsr_memory_get_n_tiles (self->memory);
  const gint64 *always = tsr_memory_peek (self->memory, TSR_METRIC_ALWAYS_LIVE);
  gint64 *live = g_memdup2 (self->step_bytes, MAX (n, 1) * sizeof *live);

  for (guint i = 0; metric != TSR_METRIC_NOT_ALWAYS_LIVE && i < n; i++)
    live[i] = live[i] == TSR_UNKNOWN || always == NULL || always[i] == TSR_UNKNOWN
                  ? TSR_UNKNOWN
                  : tsr_add_saturating (live[i], always[i], NULL);
  return live;
}

static void
update_tile_map (TsrMemoryPage *self)
{
  TsrUnits units = tsr_session_get_units (tsr_memory_page_get_session (self));
  const Value *value = get_value (self);
  gint64 capacity = TSR_UNKNOWN;
  g_autofree gint64 *owned = NULL;
  g_autofree char *label = NULL;
  const gint64 *values = NULL;

  if (self->tile_map == NULL || self->graph != TSR_MEMORY_GRAPH_TILE_MAP || value == NULL)
    return;
  if (value->kind == VALUE_CATEGORY)
    values = owned = tsr_memory_dup_category (self->memory, value->index, FALSE);
  else if (value->kind == VALUE_VARIABLE && get_lowered (self) != NULL)
    values = owned = tsr_variables_dup_bytes_by_tile (
        tsr_liveness_get_variables (get_lowered (self)), value->index);
  else if (value->kind == VALUE_METRIC)
    {
      values = tsr_memory_peek (self->memory, value->index);
      if (value->index <= TSR_METRIC_EXCLUDING_GAPS)
        capacity = tsr_memory_get_capacity (self->memory);
      if (is_at_step (self) && self->step_bytes != NULL && value->index != TSR_METRIC_ALWAYS_LIVE)
        {
          values = owned = dup_live (self, value->index);
          label = g_strdup_printf (value->index == TSR_METRIC_NOT_ALWAYS_LIVE
                                       ? _ ("Not always live at step %u")
                                       : _ ("Live at step %u"),
                                   self->step_shown);
        }
    }
  tsr_tile_map_set_values (self->tile_map, values, label != NULL ? label : value->label, capacity,
                           units);
}

static void
on_value (TsrMemoryPage *self)
{
  guint selected = gtk_drop_down_get_selected (self->value_chooser);

  if (self->applying || selected >= self->values->len)
    return;
  tsr_memory_page_set_value (self, g_array_index (self->values, Value, selected).key);
}

gboolean
tsr_memory_page_set_value (TsrMemoryPage *self, const char *key)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), FALSE);
  for (guint i = 0; i < self->values->len; i++)
    if (g_strcmp0 (g_array_index (self->values, Value, i).key, key) == 0)
      {
        if (g_strcmp0 (self->value_key, key) != 0)
          {
            g_free (self->value_key);
            self->value_key = g_strdup (key);
            /* Another value has other sizes. */
            if (self->tile_map != NULL)
              tsr_tile_map_set_scale (self->tile_map, 0, 0);
          }
        tsr_session_set_state (tsr_memory_page_get_session (self), STATE_VALUE,
                               g_variant_new_string (key));
        self->applying = TRUE;
        gtk_drop_down_set_selected (self->value_chooser, i);
        self->applying = FALSE;
        update_tile_map (self);
        return TRUE;
      }
  return FALSE;
}

void
tsr_memory_page_want_value (TsrMemoryPage *self, const char *key)
{
  if (tsr_memory_page_set_value (self, key))
    return;
  g_free (self->value_key);
  self->value_key = g_strdup (key);
}

/* Place 0 is all of them; the map has the wish only where the report has the IPU. */
static void
show_ipu (TsrMemoryPage *self)
{
  guint n = self->memory != NULL ? tsr_memory_get_n_ipus (self->memory) : 0;
  guint place = self->ipu_place <= n ? self->ipu_place : 0, ipu = place - 1;

  self->applying = TRUE;
  gtk_drop_down_set_selected (self->ipu_chooser, place);
  self->applying = FALSE;
  if (self->tile_map != NULL)
    tsr_tile_map_set_ipus (self->tile_map, place > 0 ? &ipu : NULL, place > 0 ? 1 : 0);
}

static void
list_ipus (TsrMemoryPage *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint n = self->memory != NULL ? tsr_memory_get_n_ipus (self->memory) : 0;

  gtk_string_list_append (names, _ ("All IPUs"));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf (_ ("IPU %u"), i);

      gtk_string_list_append (names, name);
    }
  self->applying = TRUE;
  gtk_drop_down_set_model (self->ipu_chooser, G_LIST_MODEL (names));
  self->applying = FALSE;
  show_ipu (self);
}

void
tsr_memory_page_set_ipu_place (TsrMemoryPage *self, guint place)
{
  self->ipu_place = place;
  tsr_session_set_state (tsr_memory_page_get_session (self), STATE_IPU,
                         g_variant_new_uint32 (place));
  show_ipu (self);
}

static void
on_ipu (TsrMemoryPage *self)
{
  guint selected = gtk_drop_down_get_selected (self->ipu_chooser);

  if (!self->applying && selected != GTK_INVALID_LIST_POSITION)
    tsr_memory_page_set_ipu_place (self, selected);
}

static void
on_map_select (TsrTileMapView *view, GArray *tiles, int mode, TsrMemoryPage *self)
{
  tsr_memory_page_select_tiles (self, (const guint *)(gpointer)tiles->data, tiles->len, mode);
}

/* Variables */

static void
update_variables (TsrMemoryPage *self)
{
  g_autoptr (GArray) chosen = tsr_variable_picker_dup_chosen (self->picker);

  if (self->variables_model != NULL)
    tsr_variables_chart_set_variables (self->variables_model,
                                       (const guint32 *)(gpointer)chosen->data, chosen->len);
}

void
tsr_memory_page_update_plotted (TsrMemoryPage *self)
{
  tsr_session_set_state (tsr_memory_page_get_session (self), STATE_VARIABLES,
                         g_variant_new_strv (tsr_variable_picker_peek_names (self->picker), -1));
  update_variables (self);
  list_values (self);
}

/* A graph without a line says nothing: the selected variables, else the largest three. */
static void
choose_first_variables (TsrMemoryPage *self)
{
  TsrStepSelection *steps = tsr_session_get_steps (tsr_memory_page_get_session (self));
  const char *const *selected = tsr_step_selection_peek_variables (steps);
  const char *const *names = tsr_variable_picker_peek_names (self->picker);
  g_autoptr (GArray) largest = NULL;
  const char *first[4] = { NULL };

  if ((names != NULL && names[0] != NULL) || get_lowered (self) == NULL)
    return;
  if (selected != NULL && selected[0] != NULL)
    {
      tsr_variable_picker_set_names (self->picker, selected);
      return;
    }
  largest = tsr_variable_picker_suggest (self->picker, NULL);
  for (guint i = 0; i < MIN (largest->len, 3); i++)
    first[i] = tsr_variables_get_name (tsr_liveness_get_variables (get_lowered (self)),
                                       g_array_index (largest, guint32, i));
  tsr_variable_picker_set_names (self->picker, first);
}

/* Which */

GtkWidget *
tsr_memory_page_get_graph_widget (TsrMemoryPage *self)
{
  return self->graph == TSR_MEMORY_GRAPH_TILE_MAP ? GTK_WIDGET (self->map_view)
                                                  : GTK_WIDGET (self->chart);
}

static void
show_graph (TsrMemoryPage *self)
{
  gboolean variables = self->graph == TSR_MEMORY_GRAPH_VARIABLES;
  gboolean map = self->graph == TSR_MEMORY_GRAPH_TILE_MAP;
  TsrChartModel *model = TSR_CHART_MODEL (self->model);

  gtk_widget_set_visible (self->breakdown_box, !variables && !map);
  gtk_widget_set_visible (self->options_fold, !variables && !map);
  gtk_widget_set_visible (GTK_WIDGET (self->order_button), !map);
  gtk_widget_set_visible (gtk_widget_get_ancestor (GTK_WIDGET (self->navigation), TSR_TYPE_FOLD),
                          !map);
  gtk_widget_set_visible (GTK_WIDGET (self->step_button), !variables);
  gtk_widget_set_visible (GTK_WIDGET (self->value_chooser), map);
  gtk_widget_set_visible (GTK_WIDGET (self->ipu_chooser),
                          map && self->memory != NULL && tsr_memory_get_n_ipus (self->memory) > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->picker), variables);
  if (variables && get_lowered (self) == NULL)
    {
      gtk_label_set_label (self->graph_words, get_why (self));
      gtk_stack_set_visible_child (self->graph_stack, GTK_WIDGET (self->graph_words));
      return;
    }
  if (variables)
    model = TSR_CHART_MODEL (self->variables_model);
  if (!map && tsr_plane_get_model (TSR_PLANE (self->chart)) != model)
    tsr_plane_set_model (TSR_PLANE (self->chart), model);
  gtk_stack_set_visible_child (self->graph_stack, tsr_memory_page_get_graph_widget (self));
}

void
tsr_memory_page_set_graph (TsrMemoryPage *self, TsrMemoryGraph graph)
{
  self->graph = graph;
  tsr_session_set_state (tsr_memory_page_get_session (self), STATE_GRAPH,
                         g_variant_new_string (tsr_memory_graph_get_nick (graph)));
  if (graph == TSR_MEMORY_GRAPH_VARIABLES)
    {
      choose_first_variables (self);
      tsr_memory_page_update_plotted (self);
    }
  show_graph (self);
  update_step (self);
}

void
tsr_memory_page_update_graphs (TsrMemoryPage *self)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  TsrLiveness *liveness = get_lowered (self);
  TsrMemoryChartOptions options;

  tsr_latest_cancel (self->step_latest);
  g_clear_pointer (&self->step_bytes, g_free);
  g_clear_object (&self->variables_model);
  tsr_tile_map_view_set_map (self->map_view, NULL);
  g_clear_object (&self->tile_map);
  tsr_variable_picker_set_variables (
      self->picker, liveness != NULL ? tsr_liveness_get_variables (liveness) : NULL);
  tsr_variable_picker_set_units (self->picker, tsr_session_get_units (session));
  if (self->memory != NULL)
    {
      self->tile_map = tsr_tile_map_new (self->memory, tsr_memory_page_get_selection (self));
      tsr_tile_map_view_set_map (self->map_view, self->tile_map);
    }
  if (self->memory != NULL && liveness != NULL)
    {
      tsr_memory_page_get_options (self, &options);
      self->variables_model
          = tsr_variables_chart_new (self->memory, tsr_liveness_get_variables (liveness),
                                     tsr_memory_page_get_selection (self));
      tsr_variables_chart_set_units (self->variables_model, options.units);
      tsr_variables_chart_set_order (self->variables_model, options.order);
    }
  if (self->graph == TSR_MEMORY_GRAPH_VARIABLES)
    choose_first_variables (self);
  list_values (self);
  list_ipus (self);
  update_variables (self);
  show_graph (self);
  update_step (self);
}

static void
on_steps_changed (TsrMemoryPage *self)
{
  update_step (self);
}

static void
on_variables_changed (TsrMemoryPage *self)
{
  if (self->graph == TSR_MEMORY_GRAPH_TILE_MAP)
    list_values (self);
}

static void
on_map_hover (TsrPlane *view, TsrMemoryPage *self)
{
  g_autofree char *line = tsr_plane_dup_line (view);

  tsr_page_set_status_left (TSR_PAGE (self), line);
}

void
tsr_memory_page_restore_graphs (TsrMemoryPage *self)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  GVariant *graph = tsr_session_get_state (session, STATE_GRAPH);
  GVariant *at_step = tsr_session_get_state (session, STATE_AT_STEP);
  GVariant *value = tsr_session_get_state (session, STATE_VALUE);
  GVariant *variables = tsr_session_get_state (session, STATE_VARIABLES);
  GVariant *ipu = tsr_session_get_state (session, STATE_IPU);

  if (graph != NULL)
    tsr_memory_graph_parse (g_variant_get_string (graph, NULL), &self->graph);
  if (at_step != NULL)
    self->at_step = g_variant_get_boolean (at_step);
  if (value != NULL)
    self->value_key = g_variant_dup_string (value, NULL);
  if (ipu != NULL)
    self->ipu_place = g_variant_get_uint32 (ipu);
  if (variables != NULL)
    {
      g_autofree const char **names = g_variant_get_strv (variables, NULL);

      tsr_variable_picker_set_names (self->picker, names);
    }
  g_signal_connect_object (tsr_session_get_steps (session), "steps-changed",
                           G_CALLBACK (on_steps_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tsr_session_get_steps (session), "variables-changed",
                           G_CALLBACK (on_variables_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::liveness", G_CALLBACK (tsr_memory_page_update_graphs),
                           self, G_CONNECT_SWAPPED);
}

void
tsr_memory_page_init_graphs (TsrMemoryPage *self)
{
  g_autoptr (GtkExpression) expression
      = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

  self->values = g_array_new (FALSE, FALSE, sizeof (Value));
  g_array_set_clear_func (self->values, value_clear);
  self->step_latest = tsr_latest_new (self, step_result_free);
  gtk_drop_down_set_expression (self->value_chooser, expression);
  make_step_popover (self);
  g_signal_connect_swapped (self->value_chooser, "notify::selected", G_CALLBACK (on_value), self);
  g_signal_connect_swapped (self->ipu_chooser, "notify::selected", G_CALLBACK (on_ipu), self);
  g_signal_connect_swapped (self->picker, "changed", G_CALLBACK (tsr_memory_page_update_plotted),
                            self);
  g_signal_connect (self->map_view, "select", G_CALLBACK (on_map_select), self);
  g_signal_connect (self->map_view, "hover-changed", G_CALLBACK (on_map_hover), self);
  g_signal_connect (self->map_view, "toast", G_CALLBACK (tsr_page_toast), NULL);
}

void
tsr_memory_page_clear_graphs (TsrMemoryPage *self)
{
  g_clear_pointer (&self->step_latest, tsr_latest_free);
  g_clear_pointer (&self->step_bytes, g_free);
  g_clear_pointer (&self->values, g_array_unref);
  g_clear_pointer (&self->value_key, g_free);
  g_clear_object (&self->variables_model);
  g_clear_object (&self->tile_map);
}

TsrTileMapView *
tsr_memory_page_get_map_view (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->map_view;
}

TsrVariablePicker *
tsr_memory_page_get_picker (TsrMemoryPage *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), NULL);
  return self->picker;
}
