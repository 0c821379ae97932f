/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The session of one window.  What is computed from the sealed report (memory, then liveness and
 * vertices, then insights; the trace) follows the report's stages: update_derived starts what can
 * be started.
 */

#include "config.h"

#include "tsr-session.h"

#include "tsr-derived.h"
#include "tsr-markers.h"
#include "tsr-session-private.h"

struct _TsrSession
{
  GObject parent_instance;

  TsrSettings *settings;
  TsrReport *report;
  TsrDerived memory, liveness, vertices, insights, trace;
  gboolean memory_complete;   /* the one that is there or running has more than totals */
  gboolean liveness_complete; /* the same knows the lowered variables */
  gboolean insights_wanted;
  TsrTileSelection *selection;
  TsrStepSelection *steps;
  TsrTraceState *trace_state;
  TsrMarkers *markers;
  GHashTable *wanted_tiles, *wanted_steps; /* (nullable): words that wait for what they name */
  GHashTable *viewports;                   /* name -> TsrViewport */
  GHashTable *states;                      /* name -> GVariant */
  TsrUnits units;
  guint tiles_per_ipu;
};

G_DEFINE_FINAL_TYPE (TsrSession, tsr_session, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_REPORT,
  PROP_MEMORY,
  PROP_LIVENESS,
  PROP_VERTICES,
  PROP_INSIGHTS,
  PROP_TRACE,
  PROP_UNITS,
  PROP_TILES_PER_IPU,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

enum
{
  STAGE_CHANGED,
  MARKERS_ERROR_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* ------------------------------------------------------------------ what is computed */

static gboolean
has_ended (TsrSession *self, TsrStage stage)
{
  TsrStageState state = tsr_report_get_stage_state (self->report, stage);

  return state == TSR_STAGE_READY || state == TSR_STAGE_FAILED;
}

static gboolean
is_ready (TsrSession *self, TsrStage stage)
{
  return tsr_report_get_stage_state (self->report, stage) == TSR_STAGE_READY;
}

static void
start (TsrSession *self, TsrDerived *derived)
{
  const TsrDerivedInputs inputs = {
    .report = self->report,
    .tiles_per_ipu = self->tiles_per_ipu,
    .units = self->units,
    .memory = derived != &self->memory ? self->memory.value : NULL,
    .liveness = derived == &self->insights ? self->liveness.value : NULL,
    .vertices = derived == &self->insights ? self->vertices.value : NULL,
    .trace = derived == &self->insights ? self->trace.value : NULL,
  };

  tsr_derived_start (derived, G_OBJECT (self), &inputs);
}

static void
update_memory (TsrSession *self)
{
  gboolean complete = is_ready (self, TSR_STAGE_MEMORY);

  if (tsr_report_get_memory_tables (self->report) == NULL
      || (!complete && !tsr_report_is_on_demand (self->report)))
    return;
  if (!tsr_derived_is_open (&self->memory) && self->memory_complete == complete)
    return;
  self->memory_complete = complete;
  start (self, &self->memory);
}

static void
update_liveness (TsrSession *self)
{
  gboolean complete = has_ended (self, TSR_STAGE_LOWERED);

  if (self->memory.value == NULL || !is_ready (self, TSR_STAGE_LIVENESS))
    return;
  if (!tsr_derived_is_open (&self->liveness) && self->liveness_complete == complete)
    return;
  self->liveness_complete = complete;
  start (self, &self->liveness);
}

static void
update_trace (TsrSession *self)
{
  /* The programs come before, with their names at least. */
  if (tsr_derived_is_open (&self->trace) && is_ready (self, TSR_STAGE_EXECUTION))
    start (self, &self->trace);
}

/* Whether @derived will not change any more: there, or never to be had. */
static gboolean
is_settled (TsrSession *self, TsrDerived *derived, TsrStage stage)
{
  return has_ended (self, stage) && (derived->done || !is_ready (self, stage));
}

static void
update_insights (TsrSession *self)
{
  if (!self->insights_wanted || self->memory.value == NULL
      || !tsr_derived_is_open (&self->insights))
    return;
  /* The loader goes on meanwhile: liveness without the lowered variables is not settled when these
   * end only now. */
  if (self->liveness.value != NULL && !self->liveness_complete)
    return;
  if (!is_settled (self, &self->memory, TSR_STAGE_MEMORY)
      || self->memory_complete != is_ready (self, TSR_STAGE_MEMORY))
    return;
  if (is_settled (self, &self->liveness, TSR_STAGE_LIVENESS) && has_ended (self, TSR_STAGE_LOWERED)
      && is_settled (self, &self->vertices, TSR_STAGE_PROGRAMS)
      && is_settled (self, &self->trace, TSR_STAGE_EXECUTION))
    start (self, &self->insights);
}

static void
update_derived (TsrSession *self)
{
  if (self->report == NULL)
    return;
  update_memory (self);
  update_liveness (self);
  if (self->memory.value != NULL && tsr_derived_is_open (&self->vertices)
      && is_ready (self, TSR_STAGE_PROGRAMS))
    start (self, &self->vertices);
  update_trace (self);
  update_insights (self);
}

/* What was found with other inputs does not hold any more. */
static void
drop_insights (TsrSession *self)
{
  if (tsr_derived_is_open (&self->insights))
    return;
  tsr_derived_clear (&self->insights);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_INSIGHTS]);
}

static gpointer
compute_memory (const TsrDerivedInputs *inputs, GCancellable *cancellable)
{
  if (inputs->tiles_per_ipu > 0)
    return tsr_memory_new_with_tiles_per_ipu (inputs->report, inputs->tiles_per_ipu);
  return tsr_memory_new (inputs->report);
}

/* Tiles that are not there any more cannot stay selected. */
static void
trim_selection (TsrSession *self)
{
  guint n = 0, kept = 0;
  guint n_tiles = tsr_memory_get_n_tiles (self->memory.value);
  const guint *tiles = tsr_tile_selection_peek (self->selection, &n);
  g_autofree guint *copy = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    if (tiles[i] < n_tiles)
      copy[kept++] = tiles[i];
  if (kept != n)
    tsr_tile_selection_set (self->selection, copy, kept);
}

static void
on_memory_ready (GObject *owner, TsrDerived *derived)
{
  TsrSession *self = TSR_SESSION (owner);

  if (derived->value != NULL)
    trim_selection (self);
  if (derived->value != NULL && self->wanted_tiles != NULL)
    tsr_session_apply_tiles (self, self->wanted_tiles);
  g_clear_pointer (&self->wanted_tiles, g_hash_table_unref);
  /* The others stand on it. */
  tsr_derived_clear (&self->liveness);
  tsr_derived_clear (&self->vertices);
  drop_insights (self);
  g_object_notify_by_pspec (owner, props[PROP_MEMORY]);
  update_derived (self);
}

static gpointer
compute_liveness (const TsrDerivedInputs *inputs, GCancellable *cancellable)
{
  g_autoptr (TsrVariables) variables = tsr_variables_new (inputs->report, cancellable, NULL);

  if (variables == NULL)
    return NULL;
  return tsr_liveness_new (inputs->report, inputs->memory, variables);
}

/* Steps that are not there any more cannot stay selected. */
static void
trim_steps (TsrSession *self)
{
  guint n = 0, kept = 0;
  guint n_steps = tsr_liveness_get_n_steps (self->liveness.value);
  const guint *steps = tsr_step_selection_peek (self->steps, &n);
  guint copy[TSR_MAX_SELECTED_STEPS];

  for (guint i = 0; i < n; i++)
    if (steps[i] < n_steps)
      copy[kept++] = steps[i];
  if (kept != n)
    tsr_step_selection_set (self->steps, copy, kept);
}

static void
on_liveness_ready (GObject *owner, TsrDerived *derived)
{
  TsrSession *self = TSR_SESSION (owner);

  if (derived->value != NULL)
    trim_steps (self);
  if (derived->value != NULL && self->wanted_steps != NULL)
    tsr_session_apply_steps (self, self->wanted_steps);
  g_clear_pointer (&self->wanted_steps, g_hash_table_unref);
  drop_insights (self);
  g_object_notify_by_pspec (owner, props[PROP_LIVENESS]);
  update_derived (self);
}

static gpointer
compute_vertices (const TsrDerivedInputs *inputs, GCancellable *cancellable)
{
  return tsr_vertices_new (inputs->report, inputs->memory);
}

static void
on_vertices_ready (GObject *owner, TsrDerived *derived)
{
  drop_insights (TSR_SESSION (owner));
  g_object_notify_by_pspec (owner, props[PROP_VERTICES]);
  update_derived (TSR_SESSION (owner));
}

static gpointer
compute_insights (const TsrDerivedInputs *inputs, GCancellable *cancellable)
{
  return tsr_insights_new (inputs->report, inputs->memory, inputs->liveness, inputs->vertices,
                           inputs->trace, inputs->units, NULL, cancellable, NULL);
}

static void
on_insights_ready (GObject *owner, TsrDerived *derived)
{
  g_object_notify_by_pspec (owner, props[PROP_INSIGHTS]);
}

static gpointer
compute_trace (const TsrDerivedInputs *inputs, GCancellable *cancellable)
{
  return tsr_trace_new (inputs->report, cancellable, NULL);
}

/* Names are found in one trace; what was looked for is looked for again. */
static void
forget_trace_names (TsrSession *self)
{
  g_autofree char *text = g_strdup (tsr_trace_state_get_search (self->trace_state));

  tsr_trace_state_set_selected_group (self->trace_state, NULL);
  tsr_trace_state_set_search (self->trace_state, text, NULL);
}

static void
on_trace_ready (GObject *owner, TsrDerived *derived)
{
  TsrSession *self = TSR_SESSION (owner);

  forget_trace_names (self);
  if (derived->value != NULL)
    tsr_markers_set_report (self->markers, self->report);
  g_object_notify_by_pspec (owner, props[PROP_TRACE]);
  update_insights (self);
}

static const TsrDerivedKind memory_kind
    = { compute_memory, (GDestroyNotify)tsr_memory_unref, on_memory_ready };
static const TsrDerivedKind liveness_kind
    = { compute_liveness, (GDestroyNotify)tsr_liveness_unref, on_liveness_ready };
static const TsrDerivedKind vertices_kind
    = { compute_vertices, (GDestroyNotify)tsr_vertices_unref, on_vertices_ready };
static const TsrDerivedKind insights_kind
    = { compute_insights, (GDestroyNotify)tsr_insights_unref, on_insights_ready };
static const TsrDerivedKind trace_kind
    = { compute_trace, (GDestroyNotify)tsr_trace_unref, on_trace_ready };

/* ------------------------------------------------------------------ the report */

static void
on_stage_changed (TsrReport *report, TsrStage stage, TsrSession *self)
{
  if (report != self->report)
    return;
  update_derived (self);
  g_signal_emit (self, signals[STAGE_CHANGED], 0, (int)stage);
}

static void
on_units_changed (TsrSettings *settings, const char *key, TsrSession *self)
{
  self->units = tsr_settings_get_units (settings);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_UNITS]);
  /* Their texts have sizes in them. */
  drop_insights (self);
  update_derived (self);
}

static void
drop_report (TsrSession *self)
{
  forget_trace_names (self);
  tsr_markers_set_report (self->markers, NULL);
  tsr_derived_clear (&self->trace);
  tsr_derived_clear (&self->insights);
  tsr_derived_clear (&self->vertices);
  tsr_derived_clear (&self->liveness);
  tsr_derived_clear (&self->memory);
  if (self->report == NULL)
    return;
  g_signal_handlers_disconnect_by_func (self->report, on_stage_changed, self);
  tsr_report_cancel (self->report);
  g_clear_object (&self->report);
}

static void
tsr_session_dispose (GObject *object)
{
  TsrSession *self = TSR_SESSION (object);

  if (self->trace_state != NULL)
    drop_report (self);
  if (self->markers != NULL)
    tsr_markers_set_error_func (self->markers, NULL, NULL);
  g_clear_pointer (&self->markers, tsr_markers_free);
  g_clear_object (&self->trace_state);
  g_clear_object (&self->settings);
  g_clear_object (&self->selection);
  g_clear_object (&self->steps);
  g_clear_pointer (&self->wanted_tiles, g_hash_table_unref);
  g_clear_pointer (&self->wanted_steps, g_hash_table_unref);
  g_clear_pointer (&self->viewports, g_hash_table_unref);
  g_clear_pointer (&self->states, g_hash_table_unref);
  G_OBJECT_CLASS (tsr_session_parent_class)->dispose (object);
}

static void
tsr_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TsrSession *self = TSR_SESSION (object);

  switch (id)
    {
    case PROP_REPORT:
      g_value_set_object (value, self->report);
      break;
    case PROP_MEMORY:
      g_value_set_pointer (value, self->memory.value);
      break;
    case PROP_LIVENESS:
      g_value_set_pointer (value, self->liveness.value);
      break;
    case PROP_VERTICES:
      g_value_set_pointer (value, self->vertices.value);
      break;
    case PROP_INSIGHTS:
      g_value_set_pointer (value, self->insights.value);
      break;
    case PROP_TRACE:
      g_value_set_pointer (value, self->trace.value);
      break;
    case PROP_UNITS:
      g_value_set_int (value, self->units);
      break;
    case PROP_TILES_PER_IPU:
      g_value_set_uint (value, self->tiles_per_ipu);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tsr_session_class_init (TsrSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = tsr_session_dispose;
  object_class->get_property = tsr_session_get_property;
  props[PROP_REPORT] = g_param_spec_object ("report", NULL, NULL, TSR_TYPE_REPORT, flags);
  props[PROP_MEMORY] = g_param_spec_pointer ("memory", NULL, NULL, flags);
  props[PROP_LIVENESS] = g_param_spec_pointer ("liveness", NULL, NULL, flags);
  props[PROP_VERTICES] = g_param_spec_pointer ("vertices", NULL, NULL, flags);
  props[PROP_INSIGHTS] = g_param_spec_pointer ("insights", NULL, NULL, flags);
  props[PROP_TRACE] = g_param_spec_pointer ("trace", NULL, NULL, flags);
  props[PROP_UNITS] = g_param_spec_int ("units", NULL, NULL, TSR_UNITS_BINARY, TSR_UNITS_BYTES,
                                        TSR_UNITS_BINARY, flags);
  props[PROP_TILES_PER_IPU]
      = g_param_spec_uint ("tiles-per-ipu", NULL, NULL, 0, G_MAXUINT, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  signals[STAGE_CHANGED]
      = g_signal_new ("stage-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[MARKERS_ERROR_CHANGED]
      = g_signal_new ("markers-error-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                      NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
on_markers_error (gpointer self)
{
  g_signal_emit (self, signals[MARKERS_ERROR_CHANGED], 0);
}

static void
tsr_session_init (TsrSession *self)
{
  self->memory.kind = &memory_kind;
  self->liveness.kind = &liveness_kind;
  self->vertices.kind = &vertices_kind;
  self->insights.kind = &insights_kind;
  self->trace.kind = &trace_kind;
  self->selection = tsr_tile_selection_new ();
  self->steps = tsr_step_selection_new ();
  self->trace_state = tsr_trace_state_new ();
  self->markers = tsr_markers_new (self->trace_state, NULL);
  tsr_markers_set_error_func (self->markers, on_markers_error, self);
  self->viewports = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->states
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_variant_unref);
}

TsrSession *
tsr_session_new (TsrSettings *settings)
{
  TsrSession *self;

  g_return_val_if_fail (TSR_IS_SETTINGS (settings), NULL);
  self = g_object_new (TSR_TYPE_SESSION, NULL);
  self->settings = g_object_ref (settings);
  self->units = tsr_settings_get_units (settings);
  g_signal_connect_object (settings, "changed::units", G_CALLBACK (on_units_changed), self, 0);
  return self;
}

TsrSettings *
tsr_session_get_settings (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->settings;
}

TsrReport *
tsr_session_get_report (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->report;
}

void
tsr_session_set_report (TsrSession *self, TsrReport *report)
{
  g_return_if_fail (TSR_IS_SESSION (self));
  g_return_if_fail (report == NULL || TSR_IS_REPORT (report));

  if (report == self->report)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  drop_report (self);
  if (report != NULL)
    {
      self->report = g_object_ref (report);
      g_signal_connect (report, "stage-changed", G_CALLBACK (on_stage_changed), self);
      update_derived (self);
    }
  for (guint i = PROP_REPORT; i <= PROP_TRACE; i++)
    g_object_notify_by_pspec (G_OBJECT (self), props[i]);
  g_object_thaw_notify (G_OBJECT (self));
}

void
tsr_session_want (TsrSession *self, TsrStage stage)
{
  g_return_if_fail (TSR_IS_SESSION (self));
  if (self->report != NULL)
    tsr_report_want (self->report, stage);
}

gboolean
tsr_session_is_stage_pending (TsrSession *self, TsrStage stage)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), FALSE);
  return self->report != NULL && !has_ended (self, stage);
}

void
tsr_session_close (TsrSession *self)
{
  g_return_if_fail (TSR_IS_SESSION (self));

  self->tiles_per_ipu = 0;
  self->insights_wanted = FALSE;
  g_clear_pointer (&self->wanted_tiles, g_hash_table_unref);
  g_clear_pointer (&self->wanted_steps, g_hash_table_unref);
  tsr_session_set_report (self, NULL);
  tsr_tile_selection_clear (self->selection);
  tsr_step_selection_clear (self->steps);
  tsr_trace_state_clear (self->trace_state);
  g_hash_table_remove_all (self->viewports);
  g_hash_table_remove_all (self->states);
}

TsrMemory *
tsr_session_get_memory (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->memory.value;
}

TsrLiveness *
tsr_session_get_liveness (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->liveness.value;
}

TsrVertices *
tsr_session_get_vertices (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->vertices.value;
}

TsrInsights *
tsr_session_get_insights (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  if (!self->insights_wanted)
    {
      self->insights_wanted = TRUE;
      update_derived (self);
    }
  return self->insights.value;
}

TsrTrace *
tsr_session_get_trace (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->trace.value;
}

TsrTraceState *
tsr_session_get_trace_state (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->trace_state;
}

gboolean
tsr_session_is_trace_pending (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), FALSE);
  if (self->report == NULL || self->trace.value != NULL)
    return FALSE;
  return tsr_report_get_stage_state (self->report, TSR_STAGE_EXECUTION) != TSR_STAGE_FAILED
         && !self->trace.done;
}

gboolean
tsr_session_is_lowered_pending (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), FALSE);
  if (self->report == NULL)
    return FALSE;
  /* The stage ends before its signal is here. */
  return !has_ended (self, TSR_STAGE_LOWERED)
         || (is_ready (self, TSR_STAGE_LOWERED)
             && (self->liveness.running != NULL || !self->liveness_complete));
}

gboolean
tsr_session_is_memory_pending (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), FALSE);
  if (self->report == NULL || self->memory.value != NULL)
    return FALSE;
  return self->memory.running != NULL
         || tsr_report_get_stage_state (self->report, TSR_STAGE_MEMORY) != TSR_STAGE_FAILED;
}

const char *
tsr_session_get_markers_error (TsrSession *self)
{
  const GError *error;

  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  error = self->markers != NULL ? tsr_markers_get_error (self->markers) : NULL;
  return error != NULL ? error->message : NULL;
}

TsrTileSelection *
tsr_session_get_selection (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->selection;
}

TsrStepSelection *
tsr_session_get_steps (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->steps;
}

TsrUnits
tsr_session_get_units (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), TSR_UNITS_BINARY);
  return self->units;
}

guint
tsr_session_get_tiles_per_ipu (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), 0);
  return self->tiles_per_ipu;
}

void
tsr_session_set_tiles_per_ipu (TsrSession *self, guint tiles_per_ipu)
{
  g_return_if_fail (TSR_IS_SESSION (self));

  if (tiles_per_ipu == self->tiles_per_ipu)
    return;
  self->tiles_per_ipu = tiles_per_ipu;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TILES_PER_IPU]);
  if (self->memory.value != NULL || self->memory.running != NULL)
    start (self, &self->memory);
}

TsrViewport *
tsr_session_get_viewport (TsrSession *self, const char *key)
{
  TsrViewport *viewport;

  g_return_val_if_fail (TSR_IS_SESSION (self) && key != NULL, NULL);
  viewport = g_hash_table_lookup (self->viewports, key);
  if (viewport == NULL)
    {
      viewport = tsr_viewport_new ();
      g_hash_table_insert (self->viewports, g_strdup (key), viewport);
    }
  return viewport;
}

GVariant *
tsr_session_get_state (TsrSession *self, const char *key)
{
  g_return_val_if_fail (TSR_IS_SESSION (self) && key != NULL, NULL);
  return g_hash_table_lookup (self->states, key);
}

void
tsr_session_set_state (TsrSession *self, const char *key, GVariant *value)
{
  g_return_if_fail (TSR_IS_SESSION (self) && key != NULL);
  if (value == NULL)
    g_hash_table_remove (self->states, key);
  else
    g_hash_table_replace (self->states, g_strdup (key), g_variant_ref_sink (value));
}

void
tsr_session_want_words (TsrSession *self, GHashTable *words)
{
  g_clear_pointer (&self->wanted_tiles, g_hash_table_unref);
  g_clear_pointer (&self->wanted_steps, g_hash_table_unref);
  if (self->memory.value != NULL)
    tsr_session_apply_tiles (self, words);
  else
    self->wanted_tiles = g_hash_table_ref (words);
  if (self->liveness.value != NULL)
    tsr_session_apply_steps (self, words);
  else
    self->wanted_steps = g_hash_table_ref (words);
}
