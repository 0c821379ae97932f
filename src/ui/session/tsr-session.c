/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The session of one window.  What is computed from the report is in its TsrReportData; the session
 * makes a property of each node, and adapts to it what is selected. */

#include "config.h"

#include "tsr-session.h"

#include "tsr-markers.h"

static void tsr_session_want_words (TsrSession *self, GHashTable *words);

/* The selection of a session as words of a link, and back.  Tiles, steps and a source wait until
 * what they are numbers of has been read. */

#define MANY 4096 /* tiles that a link names one by one */

static void
save_tiles (TsrSession *self, GHashTable *words)
{
  guint n = 0;
  const guint *tiles = tsr_tile_selection_peek (tsr_session_get_selection (self), &n);
  g_autofree char *text = n > 0 && n <= MANY ? tsr_memory_format_tiles (tiles, n) : NULL;

  tsr_view_words_set (words, "tiles", text);
}

static void
save_steps (TsrSession *self, GHashTable *words)
{
  TsrStepSelection *selection = tsr_session_get_steps (self);
  const TsrLivenessSource *source = tsr_step_selection_get_source (selection);
  TsrMemory *memory = tsr_session_get_memory (self);
  const char *const *names = tsr_step_selection_peek_variables (selection);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *source_text
      = source != NULL && memory != NULL ? tsr_liveness_source_dup_text (source) : NULL;
  guint n = 0;
  const guint *steps = tsr_step_selection_peek (selection, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? "," : "", steps[i]);
  tsr_view_words_set (words, "steps", n > 0 ? text->str : NULL);
  tsr_view_words_set (words, "source", source_text);
  g_string_truncate (text, 0);
  /* A name may have any character but a line feed. */
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", names[i]);
  tsr_view_words_set (words, "variables", text->len > 0 ? text->str : NULL);
}

static void
save_range (TsrSession *self, TsrView view, GHashTable *words)
{
  TsrViewport *viewport = tsr_session_get_viewport (self, tsr_view_get_nick (view));
  double from, to, first, end;
  char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;

  tsr_viewport_get_range (viewport, &from, &to);
  tsr_viewport_get_domain (viewport, &first, &end);
  if (from != first || to != end)
    text = g_strdup_printf ("%s-%s", g_ascii_formatd (a, sizeof a, "%.6g", from),
                            g_ascii_formatd (b, sizeof b, "%.6g", to));
  tsr_view_words_set (words, "range", text);
}

void
tsr_session_save_words (TsrSession *self, TsrView view, GHashTable *words)
{
  g_return_if_fail (TSR_IS_SESSION (self) && words != NULL);

  save_tiles (self, words);
  save_steps (self, words);
  save_range (self, view, words);
}

/* Liveness steps and variables of a link to a page that does not show them are how that page was
 * left: nobody goes there for them. */
static gboolean
shows_steps (GHashTable *words)
{
  const TsrView view = tsr_view_words_get_view (words);

  return view == TSR_VIEW_LIVENESS || view == TSR_VIEW_MEMORY;
}

static void
hold_others (TsrSession *self, GHashTable *words)
{
  if (!shows_steps (words))
    tsr_session_hold_subject (self);
}

static void
release_others (TsrSession *self, GHashTable *words)
{
  if (!shows_steps (words))
    tsr_session_release_subject (self);
}

/* The memory, the liveness must be there. */
static void
tsr_session_apply_tiles (TsrSession *self, GHashTable *words)
{
  const char *text = tsr_view_words_get (words, "tiles");
  g_autoptr (GArray) tiles
      = text != NULL ? tsr_memory_parse_tiles (tsr_session_get_memory (self), text, NULL) : NULL;

  if (tiles != NULL)
    tsr_tile_selection_set (tsr_session_get_selection (self), (const guint *)tiles->data,
                            tiles->len);
  else
    tsr_tile_selection_clear (tsr_session_get_selection (self));
}

static void
tsr_session_apply_steps (TsrSession *self, GHashTable *words)
{
  TsrStepSelection *selection = tsr_session_get_steps (self);
  const char *source_text = tsr_view_words_get (words, "source");
  const char *text = tsr_view_words_get (words, "steps");
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", TSR_MAX_SELECTED_STEPS + 1);
  guint n_steps = tsr_liveness_get_n_steps (tsr_session_get_liveness (self));
  g_auto (TsrLivenessSource) source = { 0 };
  guint steps[TSR_MAX_SELECTED_STEPS];
  guint n = 0;

  for (guint i = 0; parts[i] != NULL && n < TSR_MAX_SELECTED_STEPS; i++)
    {
      guint64 step;

      if (g_ascii_string_to_unsigned (parts[i], 10, 0, G_MAXUINT32, &step, NULL) && step < n_steps)
        steps[n++] = step;
    }
  hold_others (self, words);
  tsr_step_selection_set (selection, steps, n);
  release_others (self, words);
  if (source_text != NULL
      && tsr_liveness_source_parse (tsr_session_get_memory (self), source_text, &source, NULL))
    tsr_step_selection_set_source (selection, &source);
  else
    tsr_step_selection_set_source (selection, NULL);
}

static void
apply_range (TsrSession *self, TsrView view, GHashTable *words)
{
  TsrViewport *viewport = tsr_session_get_viewport (self, tsr_view_get_nick (view));
  const char *text = tsr_view_words_get (words, "range");
  char *end = NULL;
  double from = text != NULL ? g_ascii_strtod (text, &end) : 0;
  double to = end != NULL && end != text && *end == '-' ? g_ascii_strtod (end + 1, NULL) : 0;

  if (from < to)
    tsr_viewport_set_range (viewport, from, to, 0);
  else
    tsr_viewport_fit (viewport);
}

void
tsr_session_load_words (TsrSession *self, TsrView view, GHashTable *words)
{
  const char *names = tsr_view_words_get (words, "variables");
  g_auto (GStrv) list = g_strsplit (names != NULL ? names : "", "\n", -1);

  g_return_if_fail (TSR_IS_SESSION (self) && words != NULL);
  hold_others (self, words);
  tsr_step_selection_set_variables (tsr_session_get_steps (self), (const char *const *)list);
  release_others (self, words);
  if (view != TSR_N_VIEWS)
    apply_range (self, view, words);
  tsr_session_want_words (self, words);
}

struct _TsrSession
{
  GObject parent_instance;

  TsrSettings *settings;
  TsrReport *report;
  TsrReportData *data; /* (nullable): of the report */
  guint options[TSR_N_DATA_OPTIONS];
  guint asked; /* nodes of the data that somebody shows, a bit each */
  TsrTileSelection *selection;
  TsrStepSelection *steps;
  TsrTraceState *trace_state;
  TsrMarkers *markers;
  TsrSubject subject;
  guint subject_serial;
  guint held; /* nothing that is selected becomes the subject */
  gboolean shared_steps, shared_variables;
  GHashTable *wanted_tiles, *wanted_steps; /* (nullable): words that wait for what they name */
  GHashTable *viewports;                   /* name -> TsrViewport */
  GHashTable *view_states;                 /* name -> TsrViewState */
  GHashTable *states;                      /* name -> GVariant */
};

G_DEFINE_FINAL_TYPE (TsrSession, tsr_session, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_REPORT,
  PROP_UNITS,
  PROP_TILES_PER_IPU,
  PROP_DATA, /* as many as the data have nodes */
  N_PROPS = PROP_DATA + TSR_N_DATA
};
static GParamSpec *props[N_PROPS];

enum
{
  STAGE_CHANGED,
  MARKERS_ERROR_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static gboolean
has_ended (TsrReport *report, TsrStage stage)
{
  TsrStageState state = tsr_report_get_stage_state (report, stage);

  return state == TSR_STAGE_READY || state == TSR_STAGE_FAILED;
}

static gpointer
get_data (TsrSession *self, TsrData node)
{
  return self->data != NULL ? tsr_report_data_get (self->data, node) : NULL;
}

/* Whether @node may come yet. */
static gboolean
is_pending (TsrSession *self, TsrData node)
{
  return self->data != NULL && tsr_report_data_get (self->data, node) == NULL
         && !tsr_report_data_is_settled (self->data, node);
}

/* ---------------------------------------------------------------- subject */

const TsrSubject *
tsr_session_peek_subject (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return &self->subject;
}

guint
tsr_session_get_subject_serial (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), 0);
  return self->subject_serial;
}

void
tsr_session_set_subject (TsrSession *self, const TsrSubject *subject)
{
  g_return_if_fail (TSR_IS_SESSION (self) && subject != NULL);
  if (self->held > 0 || tsr_subject_equal (subject, &self->subject))
    return;
  tsr_subject_set (&self->subject, subject);
  self->subject_serial++;
}

void
tsr_session_drop_subject (TsrSession *self, TsrSubjectKind kind)
{
  const TsrSubject none = { 0 };

  g_return_if_fail (TSR_IS_SESSION (self));
  if (self->subject.kind == kind)
    tsr_session_set_subject (self, &none);
}

void
tsr_session_hold_subject (TsrSession *self)
{
  g_return_if_fail (TSR_IS_SESSION (self));
  self->held++;
}

void
tsr_session_release_subject (TsrSession *self)
{
  g_return_if_fail (TSR_IS_SESSION (self) && self->held > 0);
  self->held--;
}

gboolean
tsr_session_has_shared_steps (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), FALSE);
  return self->shared_steps;
}

gboolean
tsr_session_has_shared_variables (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), FALSE);
  return self->shared_variables;
}

/* The last one is the newest. */
static void
on_live_steps (TsrSession *self)
{
  const guint step = tsr_step_selection_get_step (self->steps);

  self->shared_steps = self->held > 0;
  if (step != TSR_NO_INDEX)
    tsr_session_set_subject (self, &(TsrSubject){ .kind = TSR_SUBJECT_LIVE_STEP, .id = step });
  else
    tsr_session_drop_subject (self, TSR_SUBJECT_LIVE_STEP);
}

static void
on_variables (TsrSession *self)
{
  const char *const *names = tsr_step_selection_peek_variables (self->steps);
  const guint n = g_strv_length ((GStrv)names);

  self->shared_variables = self->held > 0;
  if (n > 0)
    tsr_session_set_subject (
        self, &(TsrSubject){ .kind = TSR_SUBJECT_VARIABLE, .name = (char *)names[n - 1] });
  else
    tsr_session_drop_subject (self, TSR_SUBJECT_VARIABLE);
}

static void
on_trace_steps (TsrSession *self)
{
  guint n = 0;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (self->trace_state, &n);

  if (n > 0)
    tsr_session_set_subject (self,
                             &(TsrSubject){ .kind = TSR_SUBJECT_STEP, .id = steps[n - 1].step_id });
  else
    tsr_session_drop_subject (self, TSR_SUBJECT_STEP);
}

static void
follow_selection (TsrSession *self)
{
  g_signal_connect_object (self->steps, "steps-changed", G_CALLBACK (on_live_steps), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->steps, "variables-changed", G_CALLBACK (on_variables), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->trace_state, "steps-changed", G_CALLBACK (on_trace_steps), self,
                           G_CONNECT_SWAPPED);
}

/* ------------------------------------------------------------------ what follows from it */

/* Tiles that are not there any more cannot stay selected. */
static void
trim_selection (TsrSession *self)
{
  guint n = 0, kept = 0;
  guint n_tiles = tsr_memory_get_n_tiles (get_data (self, TSR_DATA_MEMORY));
  const guint *tiles = tsr_tile_selection_peek (self->selection, &n);
  g_autofree guint *copy = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    if (tiles[i] < n_tiles)
      copy[kept++] = tiles[i];
  if (kept != n)
    tsr_tile_selection_set (self->selection, copy, kept);
}

/* Steps that are not there any more cannot stay selected. */
static void
trim_steps (TsrSession *self)
{
  guint n = 0, kept = 0;
  guint n_steps = tsr_liveness_get_n_steps (get_data (self, TSR_DATA_LIVENESS));
  const guint *steps = tsr_step_selection_peek (self->steps, &n);
  guint copy[TSR_MAX_SELECTED_STEPS];

  for (guint i = 0; i < n; i++)
    if (steps[i] < n_steps)
      copy[kept++] = steps[i];
  if (kept != n)
    tsr_step_selection_set (self->steps, copy, kept);
}

/* The words that waited for @node: applied when it is there, forgotten when it will not be. */
static void
take_words (TsrSession *self,
            TsrData node,
            GHashTable **wanted,
            void (*apply) (TsrSession *self, GHashTable *words))
{
  if (*wanted == NULL || is_pending (self, node))
    return;
  if (get_data (self, node) != NULL)
    apply (self, *wanted);
  g_clear_pointer (wanted, g_hash_table_unref);
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
on_memory_changed (TsrSession *self)
{
  if (get_data (self, TSR_DATA_MEMORY) != NULL)
    trim_selection (self);
  take_words (self, TSR_DATA_MEMORY, &self->wanted_tiles, tsr_session_apply_tiles);
}

static void
on_liveness_changed (TsrSession *self)
{
  if (get_data (self, TSR_DATA_LIVENESS) != NULL)
    trim_steps (self);
  take_words (self, TSR_DATA_LIVENESS, &self->wanted_steps, tsr_session_apply_steps);
}

static void
on_trace_changed (TsrSession *self)
{
  forget_trace_names (self);
  if (get_data (self, TSR_DATA_TRACE) != NULL)
    tsr_markers_set_report (self->markers, self->report);
}

static void
on_data_changed (TsrReportData *data, TsrData node, TsrSession *self)
{
  static void (*const follow[TSR_N_DATA]) (TsrSession * self) = {
    [TSR_DATA_MEMORY] = on_memory_changed,
    [TSR_DATA_LIVENESS] = on_liveness_changed,
    [TSR_DATA_TRACE] = on_trace_changed,
  };

  if (follow[node] != NULL)
    follow[node](self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DATA + node]);
}

static void
on_stage_changed (TsrReport *report, TsrStage stage, TsrSession *self)
{
  g_signal_emit (self, signals[STAGE_CHANGED], 0, (int)stage);
}

static void
set_option (TsrSession *self, TsrDataOption option, guint value)
{
  self->options[option] = value;
  if (self->data != NULL)
    tsr_report_data_set_option (self->data, option, value);
}

static void
on_units_changed (TsrSettings *settings, const char *key, TsrSession *self)
{
  set_option (self, TSR_DATA_OPTION_UNITS, tsr_settings_get_units (settings));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_UNITS]);
}

static void
take_report (TsrSession *self, TsrReport *report)
{
  self->report = g_object_ref (report);
  self->data = tsr_report_data_new (report, self->options, NULL);
  for (guint i = 0; i < TSR_N_DATA; i++)
    if ((self->asked & 1u << i) != 0)
      tsr_report_data_ask (self->data, i);
  g_signal_connect (self->data, "changed", G_CALLBACK (on_data_changed), self);
  /* After the data's own: who hears of a stage asks what is pending. */
  g_signal_connect (report, "stage-changed", G_CALLBACK (on_stage_changed), self);
}

static void
drop_report (TsrSession *self)
{
  forget_trace_names (self);
  tsr_markers_set_report (self->markers, NULL);
  if (self->report == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->data, self);
  g_object_run_dispose (G_OBJECT (self->data));
  g_clear_object (&self->data);
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
  g_clear_pointer (&self->view_states, g_hash_table_unref);
  g_clear_pointer (&self->states, g_hash_table_unref);
  tsr_subject_clear (&self->subject);
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
    case PROP_UNITS:
      g_value_set_int (value, tsr_session_get_units (self));
      break;
    case PROP_TILES_PER_IPU:
      g_value_set_uint (value, tsr_session_get_tiles_per_ipu (self));
      break;
    default:
      g_value_set_pointer (value, get_data (self, id - PROP_DATA));
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
  props[PROP_UNITS] = g_param_spec_int ("units", NULL, NULL, TSR_UNITS_BINARY, TSR_UNITS_BYTES,
                                        TSR_UNITS_BINARY, flags);
  props[PROP_TILES_PER_IPU]
      = g_param_spec_uint ("tiles-per-ipu", NULL, NULL, 0, G_MAXUINT, 0, flags);
  for (guint i = 0; i < TSR_N_DATA; i++)
    props[PROP_DATA + i]
        = g_param_spec_pointer (tsr_report_data_peek_kinds ()[i].name, NULL, NULL, flags);
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
  self->selection = tsr_tile_selection_new ();
  self->steps = tsr_step_selection_new ();
  self->trace_state = tsr_trace_state_new ();
  self->markers = tsr_markers_new (self->trace_state, NULL);
  tsr_markers_set_error_func (self->markers, on_markers_error, self);
  follow_selection (self);
  self->viewports = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->view_states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
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
  self->options[TSR_DATA_OPTION_UNITS] = tsr_settings_get_units (settings);
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
    take_report (self, report);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REPORT]);
  for (guint i = 0; i < TSR_N_DATA; i++)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DATA + i]);
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
  return self->report != NULL && !has_ended (self->report, stage);
}

void
tsr_session_close (TsrSession *self)
{
  GHashTableIter iter;
  gpointer state;

  g_return_if_fail (TSR_IS_SESSION (self));

  self->options[TSR_DATA_OPTION_TILES_PER_IPU] = 0;
  self->asked = 0;
  g_clear_pointer (&self->wanted_tiles, g_hash_table_unref);
  g_clear_pointer (&self->wanted_steps, g_hash_table_unref);
  tsr_session_set_report (self, NULL);
  tsr_tile_selection_clear (self->selection);
  tsr_step_selection_clear (self->steps);
  tsr_trace_state_clear (self->trace_state);
  tsr_subject_clear (&self->subject);
  g_hash_table_remove_all (self->viewports);
  g_hash_table_remove_all (self->states);
  g_hash_table_iter_init (&iter, self->view_states);
  while (g_hash_table_iter_next (&iter, NULL, &state))
    tsr_view_state_reset (state);
}

gpointer
tsr_session_get_data (TsrSession *self, TsrData node)
{
  g_return_val_if_fail (TSR_IS_SESSION (self) && node < TSR_N_DATA, NULL);

  if (tsr_report_data_peek_kinds ()[node].is_on_request && (self->asked & 1u << node) == 0)
    {
      self->asked |= 1u << node;
      if (self->data != NULL)
        tsr_report_data_ask (self->data, node);
    }
  return get_data (self, node);
}

gpointer
tsr_session_peek_data (TsrSession *self, TsrData node)
{
  g_return_val_if_fail (TSR_IS_SESSION (self) && node < TSR_N_DATA, NULL);
  return get_data (self, node);
}

gboolean
tsr_session_is_data_pending (TsrSession *self, TsrData node)
{
  g_return_val_if_fail (TSR_IS_SESSION (self) && node < TSR_N_DATA, FALSE);
  return is_pending (self, node);
}

TsrTraceState *
tsr_session_get_trace_state (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->trace_state;
}

gboolean
tsr_session_is_lowered_pending (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), FALSE);
  if (self->report == NULL)
    return FALSE;
  /* The stage ends before its signal is here. */
  return !has_ended (self->report, TSR_STAGE_LOWERED)
         || (tsr_report_get_stage_state (self->report, TSR_STAGE_LOWERED) == TSR_STAGE_READY
             && !tsr_report_data_is_settled (self->data, TSR_DATA_LIVENESS));
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
  return self->options[TSR_DATA_OPTION_UNITS];
}

guint
tsr_session_get_tiles_per_ipu (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), 0);
  return self->options[TSR_DATA_OPTION_TILES_PER_IPU];
}

void
tsr_session_set_layer (TsrSession *self, const char *layer)
{
  g_return_if_fail (TSR_IS_SESSION (self));
  set_option (self, TSR_DATA_OPTION_LAYER, layer != NULL ? g_quark_from_string (layer) : 0);
}

void
tsr_session_set_tiles_per_ipu (TsrSession *self, guint tiles_per_ipu)
{
  g_return_if_fail (TSR_IS_SESSION (self));

  if (tiles_per_ipu == self->options[TSR_DATA_OPTION_TILES_PER_IPU])
    return;
  set_option (self, TSR_DATA_OPTION_TILES_PER_IPU, tiles_per_ipu);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TILES_PER_IPU]);
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

TsrViewState *
tsr_session_get_view_state (TsrSession *self,
                            const char *key,
                            const TsrViewOption *options,
                            guint n_options)
{
  TsrViewState *state;

  g_return_val_if_fail (TSR_IS_SESSION (self) && key != NULL && options != NULL, NULL);
  state = g_hash_table_lookup (self->view_states, key);
  if (state == NULL)
    {
      state = tsr_view_state_new (self->settings, options, n_options);
      g_hash_table_insert (self->view_states, g_strdup (key), state);
    }
  return state;
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

/* Applies tiles, and steps and source, of @words now where the memory and the liveness are there,
 * else when they come. */
static void
tsr_session_want_words (TsrSession *self, GHashTable *words)
{
  g_clear_pointer (&self->wanted_tiles, g_hash_table_unref);
  g_clear_pointer (&self->wanted_steps, g_hash_table_unref);
  if (get_data (self, TSR_DATA_MEMORY) != NULL)
    tsr_session_apply_tiles (self, words);
  else
    self->wanted_tiles = g_hash_table_ref (words);
  if (get_data (self, TSR_DATA_LIVENESS) != NULL)
    tsr_session_apply_steps (self, words);
  else
    self->wanted_steps = g_hash_table_ref (words);
}
