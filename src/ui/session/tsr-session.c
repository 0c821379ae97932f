/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The session of one window.  The memory is computed in a worker from the sealed report; a newer
 * request makes the older one's result void (generation number). */

#include "config.h"

#include "tsr-session.h"

struct _TsrSession
{
  GObject parent_instance;

  TsrSettings *settings;
  TsrReport *report;
  TsrMemory *memory;
  TsrTileSelection *selection;
  GHashTable *viewports; /* name -> TsrViewport */
  GHashTable *states;    /* name -> GVariant */
  TsrUnits units;
  guint tiles_per_ipu;
  guint generation; /* of the memory that is wanted */
  gboolean computing;
};

G_DEFINE_FINAL_TYPE (TsrSession, tsr_session, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_REPORT,
  PROP_MEMORY,
  PROP_UNITS,
  PROP_TILES_PER_IPU,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

enum
{
  STAGE_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

typedef struct
{
  TsrReport *report;
  guint tiles_per_ipu;
  guint generation;
} MemoryJob;

static void
memory_job_free (gpointer data)
{
  MemoryJob *job = data;

  g_object_unref (job->report);
  g_free (job);
}

static void
memory_job_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  MemoryJob *job = data;
  TsrMemory *memory;

  if (job->tiles_per_ipu > 0)
    memory = tsr_memory_new_with_tiles_per_ipu (job->report, job->tiles_per_ipu);
  else
    memory = tsr_memory_new (job->report);
  g_task_return_pointer (task, memory, (GDestroyNotify)tsr_memory_unref);
}

/* Tiles that are not there any more cannot stay selected. */
static void
trim_selection (TsrSession *self)
{
  guint n = 0, kept = 0;
  guint n_tiles = tsr_memory_get_n_tiles (self->memory);
  const guint *tiles = tsr_tile_selection_peek (self->selection, &n);
  g_autofree guint *copy = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    if (tiles[i] < n_tiles)
      copy[kept++] = tiles[i];
  if (kept != n)
    tsr_tile_selection_set (self->selection, copy, kept);
}

static void
on_memory_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrSession *self = TSR_SESSION (source);
  MemoryJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (TsrMemory) memory = g_task_propagate_pointer (G_TASK (result), NULL);

  if (job->generation != self->generation)
    return;
  self->computing = FALSE;
  g_clear_pointer (&self->memory, tsr_memory_unref);
  self->memory = g_steal_pointer (&memory);
  if (self->memory != NULL)
    trim_selection (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MEMORY]);
}

static void
compute_memory (TsrSession *self)
{
  MemoryJob *job = g_new0 (MemoryJob, 1);
  g_autoptr (GTask) task = g_task_new (self, NULL, on_memory_ready, NULL);

  job->report = g_object_ref (self->report);
  job->tiles_per_ipu = self->tiles_per_ipu;
  job->generation = ++self->generation;
  self->computing = TRUE;
  g_task_set_source_tag (task, compute_memory);
  g_task_set_task_data (task, job, memory_job_free);
  g_task_run_in_thread (task, memory_job_run);
}

static void
on_stage_changed (TsrReport *report, TsrStage stage, TsrSession *self)
{
  if (report != self->report)
    return;
  if (stage == TSR_STAGE_MEMORY
      && tsr_report_get_stage_state (report, TSR_STAGE_MEMORY) == TSR_STAGE_READY
      && self->memory == NULL && !self->computing)
    compute_memory (self);
  g_signal_emit (self, signals[STAGE_CHANGED], 0, (int)stage);
}

static void
on_units_changed (TsrSettings *settings, const char *key, TsrSession *self)
{
  self->units = tsr_settings_get_units (settings);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_UNITS]);
}

static void
drop_report (TsrSession *self)
{
  self->generation++;
  self->computing = FALSE;
  g_clear_pointer (&self->memory, tsr_memory_unref);
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

  drop_report (self);
  g_clear_object (&self->settings);
  g_clear_object (&self->selection);
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
      g_value_set_pointer (value, self->memory);
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
  props[PROP_UNITS] = g_param_spec_int ("units", NULL, NULL, TSR_UNITS_BINARY, TSR_UNITS_BYTES,
                                        TSR_UNITS_BINARY, flags);
  props[PROP_TILES_PER_IPU]
      = g_param_spec_uint ("tiles-per-ipu", NULL, NULL, 0, G_MAXUINT, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  signals[STAGE_CHANGED]
      = g_signal_new ("stage-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
tsr_session_init (TsrSession *self)
{
  self->selection = tsr_tile_selection_new ();
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
      if (tsr_report_get_stage_state (report, TSR_STAGE_MEMORY) == TSR_STAGE_READY)
        compute_memory (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REPORT]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MEMORY]);
  g_object_thaw_notify (G_OBJECT (self));
}

void
tsr_session_close (TsrSession *self)
{
  g_return_if_fail (TSR_IS_SESSION (self));

  self->tiles_per_ipu = 0;
  tsr_session_set_report (self, NULL);
  tsr_tile_selection_clear (self->selection);
  g_hash_table_remove_all (self->viewports);
  g_hash_table_remove_all (self->states);
}

TsrMemory *
tsr_session_get_memory (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->memory;
}

gboolean
tsr_session_is_memory_pending (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), FALSE);
  if (self->report == NULL || self->memory != NULL)
    return FALSE;
  return self->computing
         || tsr_report_get_stage_state (self->report, TSR_STAGE_MEMORY) != TSR_STAGE_FAILED;
}

TsrTileSelection *
tsr_session_get_selection (TsrSession *self)
{
  g_return_val_if_fail (TSR_IS_SESSION (self), NULL);
  return self->selection;
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
  if (self->memory != NULL || self->computing)
    compute_memory (self);
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
