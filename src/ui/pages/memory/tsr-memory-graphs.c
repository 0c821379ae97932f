/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graphs of the Memory page: which one is shown, what the tile map's colours stand for, the
 * variables that are plotted, and what is live at one liveness step. */

#include "config.h"

#include "tsr-memory-page-private.h"

#include "tsr-drop-down.h"
#include "tsr-compact.h"

#include "tsr-memory-texts.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#define PROGRAM_KEY "program:" /* before its id, in links */

static const char *const graph_nicks[TSR_MEMORY_N_GRAPHS] = { "total", "variables", "tile-map" };

const char *
tsr_memory_graph_get_nick (TsrMemoryGraph graph)
{
  return graph_nicks[MIN (graph, TSR_MEMORY_N_GRAPHS - 1)];
}

TsrLiveness *
tsr_memory_page_get_lowered (TsrMemoryPage *self)
{
  TsrLiveness *liveness = tsr_session_get_liveness (tsr_memory_page_get_session (self));

  return liveness != NULL && tsr_liveness_has_lowered (liveness) ? liveness : NULL;
}

const char *
tsr_memory_page_get_why (TsrMemoryPage *self)
{
  TsrSession *session = tsr_memory_page_get_session (self);

  if (tsr_session_is_lowered_pending (session))
    return _ ("Reading the variables of each tile…");
  return _ ("The report has no lowered variables (table vars_info, engine option "
            "autoReport.outputLoweredVars)");
}

/* Tile map */

static void
value_clear (gpointer data)
{
  g_free (((TsrMemoryValue *)data)->key);
  g_free (((TsrMemoryValue *)data)->label);
}

static void
add_value (TsrMemoryPage *self, TsrMemoryValueKind kind, guint index, char *key, const char *label)
{
  TsrMemoryValue value = { key, g_strdup (label), kind, index };

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
        add_value (self, TSR_MEMORY_VALUE_METRIC, metrics[i].metric, g_strdup (metrics[i].key),
                   metrics[i].label);
    }
}

static void
add_variables (TsrMemoryPage *self)
{
  TsrLiveness *liveness = tsr_memory_page_get_lowered (self);
  TsrStepSelection *steps = tsr_session_get_steps (tsr_memory_page_get_session (self));
  const char *const *lists[] = { tsr_variable_picker_peek_names (self->picker),
                                 tsr_step_selection_peek_variables (steps) };
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint k = 0; liveness != NULL && k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; lists[k] != NULL && lists[k][i] != NULL && i < 32; i++)
      {
        guint variable = tsr_variables_find (tsr_liveness_get_variables (liveness), lists[k][i]);

        if (variable != TSR_NO_INDEX && g_hash_table_add (seen, GUINT_TO_POINTER (variable)))
          add_value (self, TSR_MEMORY_VALUE_VARIABLE, variable,
                     g_strconcat ("variable:", lists[k][i], NULL), lists[k][i]);
      }
}

/* The program that a link names, "program:12", once it is known. */
static void
add_program (TsrMemoryPage *self)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  const char *key = tsr_page_get_option_text (TSR_PAGE (self), TSR_MEMORY_OPTION_VALUE);
  TsrPrograms *programs;
  g_autofree char *label = NULL;
  guint32 program;
  gint64 id;

  if (!g_str_has_prefix (key, PROGRAM_KEY)
      || !g_ascii_string_to_signed (key + strlen (PROGRAM_KEY), 10, G_MININT64, G_MAXINT64, &id,
                                    NULL))
    return;
  tsr_session_want (session, TSR_STAGE_PROGRAMS);
  programs = tsr_session_get_programs (session);
  program = programs != NULL ? tsr_programs_find (programs, id) : TSR_NO_INDEX;
  if (program == TSR_NO_INDEX)
    return;
  label = g_strdup_printf (_ ("Code of %s"), tsr_programs_get_label (programs, program));
  add_value (self, TSR_MEMORY_VALUE_PROGRAM, program, g_strdup (key), label);
}

const TsrMemoryValue *
tsr_memory_page_get_value (TsrMemoryPage *self)
{
  const char *key = tsr_page_get_option_text (TSR_PAGE (self), TSR_MEMORY_OPTION_VALUE);

  for (guint i = 0; i < self->values->len; i++)
    if (g_strcmp0 (g_array_index (self->values, TsrMemoryValue, i).key, key) == 0)
      return &g_array_index (self->values, TsrMemoryValue, i);
  return self->values->len > 0 ? &g_array_index (self->values, TsrMemoryValue, 0) : NULL;
}

/* Variables may be those that were selected on another page. */
static void
list_values (TsrMemoryPage *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  guint selected = GTK_INVALID_LIST_POSITION;

  g_array_set_size (self->values, 0);
  if (self->memory != NULL)
    {
      add_metrics (self);
      for (guint c = 0; tsr_memory_has_categories (self->memory)
                        && c < tsr_memory_get_n_categories (self->memory);
           c++)
        add_value (self, TSR_MEMORY_VALUE_CATEGORY, c,
                   g_strconcat ("category:", tsr_memory_get_category_name (self->memory, c), NULL),
                   tsr_memory_get_category_label (self->memory, c));
      add_variables (self);
      add_program (self);
    }
  for (guint i = 0; i < self->values->len; i++)
    g_ptr_array_add (names, g_array_index (self->values, TsrMemoryValue, i).label);
  g_ptr_array_add (names, NULL);
  if (self->values->len > 0)
    selected = (guint)(tsr_memory_page_get_value (self)
                       - &g_array_index (self->values, TsrMemoryValue, 0));
  tsr_drop_down_set_rows (self->value_chooser, (const char *const *)names->pdata, selected);
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

typedef struct
{
  TsrPrograms *programs;
  TsrVertices *vertices;
  guint32 program;
} CodeJob;

static void
code_job_free (gpointer data)
{
  CodeJob *job = data;

  tsr_programs_unref (job->programs);
  tsr_vertices_unref (job->vertices);
  g_free (job);
}

/* Control, exchange and vertices, by tile. */
static gpointer
read_code (gpointer data, GCancellable *cancellable, GError **error)
{
  const CodeJob *job = data;
  guint n = tsr_memory_get_n_tiles (tsr_vertices_get_memory (job->vertices));
  gint64 *sums = g_new0 (gint64, MAX (n, 1));

  for (guint kind = 0; kind < TSR_N_CODE_KINDS; kind++)
    {
      g_autofree gint64 *bytes = tsr_programs_dup_by_tile (
          job->programs, job->vertices, job->program, kind, TRUE, cancellable, error);

      if (bytes == NULL)
        {
          g_free (sums);
          return NULL;
        }
      for (guint i = 0; i < n; i++)
        sums[i] = sums[i] == TSR_UNKNOWN || bytes[i] == TSR_UNKNOWN
                      ? TSR_UNKNOWN
                      : tsr_add_saturating (sums[i], bytes[i], NULL);
    }
  return sums;
}

static void
on_code_read (gpointer owner, gpointer data, const GError *error)
{
  TsrMemoryPage *self = owner;

  g_clear_pointer (&self->code_bytes, g_free);
  self->code_bytes = data;
  if (data == NULL)
    tsr_notice_show (GTK_WIDGET (self), error->message);
  tsr_memory_page_update_tile_map (self);
}

/* (nullable): the code of a program, which is read when somebody looks at it. */
static const gint64 *
get_code (TsrMemoryPage *self, const TsrMemoryValue *value)
{
  TsrSession *session = tsr_memory_page_get_session (self);
  TsrVertices *vertices = tsr_session_get_vertices (session);
  CodeJob *job;

  if (g_strcmp0 (self->code_key, value->key) == 0 || vertices == NULL)
    return self->code_bytes;
  g_clear_pointer (&self->code_bytes, g_free);
  g_free (self->code_key);
  self->code_key = g_strdup (value->key);
  job = g_new0 (CodeJob, 1);
  job->programs = tsr_programs_ref (tsr_session_get_programs (session));
  job->vertices = tsr_vertices_ref (vertices);
  job->program = value->index;
  tsr_latest_run (self->code_latest, read_code, job, code_job_free, on_code_read);
  return NULL;
}

static void
clear_code (TsrMemoryPage *self)
{
  g_clear_pointer (&self->code_bytes, g_free);
  g_clear_pointer (&self->code_key, g_free);
}

void
tsr_memory_page_update_tile_map (TsrMemoryPage *self)
{
  TsrUnits units = tsr_session_get_units (tsr_memory_page_get_session (self));
  const TsrMemoryValue *value = tsr_memory_page_get_value (self);
  gboolean at_step = tsr_memory_page_is_at_step (self) && self->step_bytes != NULL;
  gint64 capacity = TSR_UNKNOWN;
  g_autofree gint64 *owned = NULL;
  g_autofree char *step = tsr_units_dup_count (self->step_shown);
  g_autofree char *label = NULL;
  const gint64 *values = NULL;
  const char *key;

  if (self->tile_map == NULL || value == NULL
      || tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH) != TSR_MEMORY_GRAPH_TILE_MAP)
    return;
  key = strchr (value->key, ':') != NULL ? strchr (value->key, ':') + 1 : value->key;
  if (at_step && value->kind != TSR_MEMORY_VALUE_METRIC)
    {
      /* What is shown stays until it is computed. */
      if (g_strcmp0 (self->step_value_key, value->key) != 0)
        return;
      values = self->step_value_bytes;
      label = g_strdup_printf (_ ("%s, live at step %s"), value->label, step);
    }
  else if (value->kind == TSR_MEMORY_VALUE_PROGRAM)
    {
      values = get_code (self, value);
      if (values == NULL)
        return;
    }
  else if (value->kind == TSR_MEMORY_VALUE_CATEGORY)
    values = owned = tsr_memory_dup_category (self->memory, value->index, FALSE);
  else if (value->kind == TSR_MEMORY_VALUE_VARIABLE && tsr_memory_page_get_lowered (self) != NULL)
    values = owned = tsr_variables_dup_bytes_by_tile (
        tsr_liveness_get_variables (tsr_memory_page_get_lowered (self)), value->index);
  else if (value->kind == TSR_MEMORY_VALUE_METRIC
           && (!at_step || value->index == TSR_METRIC_ALWAYS_LIVE))
    {
      tsr_tile_map_set_metric (self->tile_map, value->index, key, value->label, units);
      return;
    }
  else if (value->kind == TSR_MEMORY_VALUE_METRIC)
    {
      values = owned = dup_live (self, value->index);
      if (value->index <= TSR_METRIC_EXCLUDING_GAPS)
        capacity = tsr_memory_get_capacity (self->memory);
      if (value->index != TSR_METRIC_NOT_ALWAYS_LIVE)
        key = "liveAtStep";
      label = g_strdup_printf (value->index == TSR_METRIC_NOT_ALWAYS_LIVE
                                   ? _ ("Not always live at step %s")
                                   : _ ("Live at step %s"),
                               step);
    }
  tsr_tile_map_set_values (self->tile_map, values, key, label != NULL ? label : value->label,
                           capacity, units);
}

/* The first one stands for one that there is not: that is no choice. */
static void
on_value (TsrMemoryPage *self)
{
  guint selected = gtk_drop_down_get_selected (self->value_chooser);

  if (selected < self->values->len
      && &g_array_index (self->values, TsrMemoryValue, selected)
             != tsr_memory_page_get_value (self))
    tsr_memory_page_set_value (self, g_array_index (self->values, TsrMemoryValue, selected).key);
}

gboolean
tsr_memory_page_set_value (TsrMemoryPage *self, const char *key)
{
  TsrViewState *state;
  guint i = 0;

  g_return_val_if_fail (TSR_IS_MEMORY_PAGE (self), FALSE);
  while (i < self->values->len
         && g_strcmp0 (g_array_index (self->values, TsrMemoryValue, i).key, key) != 0)
    i++;
  if (i == self->values->len)
    return FALSE;
  state = tsr_page_get_view_state (TSR_PAGE (self));
  if (g_str_equal (tsr_view_state_get_text (state, TSR_MEMORY_OPTION_VALUE), key))
    return TRUE;
  /* Another value has other sizes. */
  tsr_view_state_hold (state);
  tsr_view_state_set_text (state, TSR_MEMORY_OPTION_SCALE, NULL);
  tsr_view_state_set_text (state, TSR_MEMORY_OPTION_VALUE, key);
  tsr_view_state_release (state);
  return TRUE;
}

/* Range of the map's colours. */
static void
on_map_changed (TsrTileMap *map, TsrMemoryPage *self)
{
  g_autofree char *text = NULL;
  gint64 from, to;

  if (map != self->tile_map)
    return;
  tsr_tile_map_get_scale (map, &from, &to);
  if (tsr_tile_map_has_scale (map))
    text = g_strdup_printf ("%" PRId64 "-%" PRId64, from, to);
  tsr_view_state_set_text (tsr_page_get_view_state (TSR_PAGE (self)), TSR_MEMORY_OPTION_SCALE,
                           text);
}

static void
show_scale (TsrMemoryPage *self)
{
  const char *text = tsr_page_get_option_text (TSR_PAGE (self), TSR_MEMORY_OPTION_SCALE);
  g_auto (GStrv) ends = g_strsplit (text, "-", 2);
  gint64 from = 0, to = 0;

  if (g_strv_length (ends) != 2
      || !g_ascii_string_to_signed (ends[0], 10, 0, G_MAXINT64 / 2, &from, NULL)
      || !g_ascii_string_to_signed (ends[1], 10, 0, G_MAXINT64 / 2, &to, NULL))
    from = to = 0;
  if (self->tile_map != NULL)
    tsr_tile_map_set_scale (self->tile_map, from, to);
}

/* Place 0 is all of them; the map has the wish only where the report has the IPU. */
static guint
get_ipu_place (TsrMemoryPage *self)
{
  guint ipu = tsr_memory_page_get (self, TSR_MEMORY_OPTION_IPU);

  return self->memory != NULL && ipu < tsr_memory_get_n_ipus (self->memory) ? ipu + 1 : 0;
}

static void
show_ipu (TsrMemoryPage *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint n = self->memory != NULL ? tsr_memory_get_n_ipus (self->memory) : 0;
  guint place = get_ipu_place (self), ipu = place - 1;

  g_ptr_array_add (names, g_strdup (_ ("All IPUs")));
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, g_strdup_printf (_ ("IPU %u"), i));
  g_ptr_array_add (names, NULL);
  tsr_drop_down_set_rows (self->ipu_chooser, (const char *const *)names->pdata, place);
  if (self->tile_map != NULL)
    tsr_tile_map_set_ipus (self->tile_map, place > 0 ? &ipu : NULL, place > 0 ? 1 : 0);
}

static void
on_ipu (TsrMemoryPage *self)
{
  guint selected = gtk_drop_down_get_selected (self->ipu_chooser);

  if (selected != GTK_INVALID_LIST_POSITION && selected != get_ipu_place (self))
    tsr_page_set_option (TSR_PAGE (self), TSR_MEMORY_OPTION_IPU,
                         selected > 0 ? selected - 1 : TSR_NO_INDEX);
}

static void
on_map_select (TsrTileMapView *view, GArray *tiles, int mode, TsrMemoryPage *self)
{
  tsr_tile_selection_change (tsr_memory_page_get_selection (self), mode,
                             (const guint *)(gpointer)tiles->data, tiles->len);
}

/* Variables */

static void
on_picked (TsrMemoryPage *self)
{
  tsr_view_state_set_lines (tsr_page_get_view_state (TSR_PAGE (self)), TSR_MEMORY_OPTION_PLOTTED,
                            tsr_variable_picker_peek_names (self->picker));
}

static void
on_lines_changed (TsrChartModel *model, TsrMemoryPage *self)
{
  g_autofree char *hidden = tsr_chart_model_dup_hidden (model);

  tsr_view_state_set_text (tsr_page_get_view_state (TSR_PAGE (self)),
                           TSR_MEMORY_OPTION_HIDDEN_VARIABLES, hidden);
}

static void
show_hidden_variables (TsrMemoryPage *self)
{
  tsr_chart_model_set_hidden (
      TSR_CHART_MODEL (self->variables_model),
      tsr_page_get_option_text (TSR_PAGE (self), TSR_MEMORY_OPTION_HIDDEN_VARIABLES));
}

static void
show_variables (TsrMemoryPage *self)
{
  TsrViewState *state = tsr_page_get_view_state (TSR_PAGE (self));
  g_auto (GStrv) names = tsr_view_state_dup_lines (state, TSR_MEMORY_OPTION_PLOTTED);
  g_autoptr (GArray) chosen = NULL;

  if (!g_strv_equal ((const char *const *)names, tsr_variable_picker_peek_names (self->picker)))
    tsr_variable_picker_set_names (self->picker, (const char *const *)names);
  if (self->variables_model == NULL)
    return;
  chosen = tsr_variable_picker_dup_chosen (self->picker);
  tsr_variables_chart_set_variables (self->variables_model, (const guint32 *)(gpointer)chosen->data,
                                     chosen->len);
}

/* A graph without a line says nothing: the selected variables, else the largest three. */
gboolean
tsr_memory_page_choose_variables (TsrMemoryPage *self)
{
  TsrStepSelection *steps = tsr_session_get_steps (tsr_memory_page_get_session (self));
  const char *const *selected = tsr_step_selection_peek_variables (steps);
  TsrViewState *state = tsr_page_get_view_state (TSR_PAGE (self));
  TsrLiveness *lowered = tsr_memory_page_get_lowered (self);
  g_autoptr (GArray) largest = NULL;
  const char *first[4] = { NULL };

  if (lowered == NULL
      || tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH) != TSR_MEMORY_GRAPH_VARIABLES
      || *tsr_view_state_get_text (state, TSR_MEMORY_OPTION_PLOTTED) != '\0')
    return FALSE;
  largest = tsr_variable_picker_suggest (self->picker, NULL);
  for (guint i = 0; i < MIN (largest->len, 3); i++)
    first[i] = tsr_variables_get_name (tsr_liveness_get_variables (lowered),
                                       g_array_index (largest, guint32, i));
  if (selected == NULL || selected[0] == NULL)
    selected = first;
  tsr_view_state_set_lines (state, TSR_MEMORY_OPTION_PLOTTED, selected);
  return selected[0] != NULL;
}

/* Which */

GtkWidget *
tsr_memory_page_get_graph_widget (TsrMemoryPage *self)
{
  return tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH) == TSR_MEMORY_GRAPH_TILE_MAP
             ? GTK_WIDGET (self->map_view)
             : GTK_WIDGET (self->chart);
}

static void
show_graph (TsrMemoryPage *self)
{
  TsrMemoryGraph graph = tsr_memory_page_get (self, TSR_MEMORY_OPTION_GRAPH);
  gboolean variables = graph == TSR_MEMORY_GRAPH_VARIABLES;
  gboolean map = graph == TSR_MEMORY_GRAPH_TILE_MAP;
  TsrChartModel *model = TSR_CHART_MODEL (self->model);

  if (variables)
    tsr_session_want (tsr_memory_page_get_session (self), TSR_STAGE_LOWERED);
  gtk_widget_set_visible (GTK_WIDGET (self->breakdown_button), !variables && !map);
  gtk_widget_set_visible (self->total_options, !variables);
  gtk_widget_set_visible (self->view_button, !map);
  gtk_widget_set_visible (gtk_widget_get_ancestor (GTK_WIDGET (self->navigation), TSR_TYPE_COMPACT),
                          !map);
  gtk_widget_set_visible (GTK_WIDGET (self->step_button), !variables);
  gtk_widget_set_visible (GTK_WIDGET (self->value_chooser), map);
  gtk_widget_set_visible (GTK_WIDGET (self->ipu_chooser),
                          map && self->memory != NULL && tsr_memory_get_n_ipus (self->memory) > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->picker), variables);
  if (variables && tsr_memory_page_get_lowered (self) == NULL)
    {
      TsrSession *session = tsr_memory_page_get_session (self);
      guint stages = tsr_session_is_lowered_pending (session) ? 1u << TSR_STAGE_LOWERED : 0;

      tsr_row_message_set (self->graph_words, NULL, tsr_memory_page_get_why (self), FALSE);
      tsr_row_message_set_stages (self->graph_words, session, stages);
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
tsr_memory_page_make_graphs (TsrMemoryPage *self)
{
  TsrLiveness *liveness = tsr_memory_page_get_lowered (self);

  tsr_latest_cancel (self->peaks_latest);
  self->has_peaks = FALSE;
  if (self->model != NULL)
    tsr_memory_chart_set_peaks (self->model, NULL);
  tsr_latest_cancel (self->step_latest);
  tsr_memory_page_clear_step (self);
  tsr_latest_cancel (self->code_latest);
  clear_code (self);
  g_clear_object (&self->variables_model);
  tsr_tile_map_view_set_map (self->map_view, NULL);
  g_clear_object (&self->tile_map);
  tsr_variable_picker_set_variables (
      self->picker, liveness != NULL ? tsr_liveness_get_variables (liveness) : NULL);
  if (self->memory == NULL)
    return;
  self->tile_map = tsr_tile_map_new (self->memory, tsr_memory_page_get_selection (self));
  tsr_tile_map_view_set_map (self->map_view, self->tile_map);
  show_scale (self);
  g_signal_connect_object (self->tile_map, "changed", G_CALLBACK (on_map_changed), self, 0);
  if (liveness == NULL)
    return;
  self->variables_model = tsr_variables_chart_new (
      self->memory, tsr_liveness_get_variables (liveness), tsr_memory_page_get_selection (self));
  g_signal_connect_object (self->variables_model, "series-changed", G_CALLBACK (on_lines_changed),
                           self, 0);
}

void
tsr_memory_page_show_graphs (TsrMemoryPage *self, guint64 changed)
{
  TsrMemoryChartOptions options;

  tsr_memory_page_get_options (self, &options);
  if (self->variables_model != NULL)
    {
      /* First, for whatever changes tells what is hidden. */
      show_hidden_variables (self);
      tsr_variables_chart_set_units (self->variables_model, options.units);
      tsr_variables_chart_set_order (self->variables_model, options.order);
    }
  if ((changed & TSR_MEMORY_BIT (EVENT_UNITS)) != 0)
    tsr_variable_picker_set_units (self->picker, options.units);
  if ((changed & (TSR_MEMORY_BIT (EVENT_MADE) | TSR_MEMORY_BIT (OPTION_PLOTTED))) != 0)
    show_variables (self);
  if ((changed
       & (TSR_MEMORY_BIT (EVENT_MADE) | TSR_MEMORY_BIT (OPTION_GRAPH)
          | TSR_MEMORY_BIT (OPTION_PLOTTED) | TSR_MEMORY_BIT (OPTION_VALUE)
          | TSR_MEMORY_BIT (EVENT_VARIABLES) | TSR_MEMORY_BIT (EVENT_CODE)))
      != 0)
    list_values (self);
  if ((changed & (TSR_MEMORY_BIT (EVENT_MADE) | TSR_MEMORY_BIT (OPTION_IPU))) != 0)
    show_ipu (self);
  if ((changed & TSR_MEMORY_BIT (OPTION_SCALE)) != 0)
    show_scale (self);
  if ((changed & (TSR_MEMORY_BIT (EVENT_MADE) | TSR_MEMORY_BIT (OPTION_GRAPH))) != 0)
    show_graph (self);
}

static void
on_map_hover (TsrPlane *view, TsrMemoryPage *self)
{
  g_autofree char *line = tsr_plane_dup_line (view);

  tsr_page_set_status_left (TSR_PAGE (self), line);
}

void
tsr_memory_page_init_graphs (TsrMemoryPage *self)
{
  self->values = g_array_new (FALSE, FALSE, sizeof (TsrMemoryValue));
  g_array_set_clear_func (self->values, value_clear);
  tsr_drop_down_set_shrinking (self->value_chooser, 18, 26);
  self->code_latest = tsr_latest_new (self, g_free);
  g_signal_connect_swapped (self->value_chooser, "notify::selected", G_CALLBACK (on_value), self);
  g_signal_connect_swapped (self->ipu_chooser, "notify::selected", G_CALLBACK (on_ipu), self);
  g_signal_connect_swapped (self->picker, "changed", G_CALLBACK (on_picked), self);
  g_signal_connect (self->map_view, "select", G_CALLBACK (on_map_select), self);
  g_signal_connect (self->map_view, "hover-changed", G_CALLBACK (on_map_hover), self);
}

void
tsr_memory_page_clear_graphs (TsrMemoryPage *self)
{
  g_clear_pointer (&self->peaks_latest, tsr_latest_free);
  g_clear_pointer (&self->step_latest, tsr_latest_free);
  tsr_memory_page_clear_step (self);
  g_clear_pointer (&self->code_latest, tsr_latest_free);
  clear_code (self);
  g_clear_pointer (&self->values, g_array_unref);
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
