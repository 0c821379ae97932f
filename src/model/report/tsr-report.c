/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The report object: starts the loading thread, publishes each part when its stage is done, and
 * announces it on the main context of whoever opened it.  The loading thread holds a reference
 * until it ends. */

#include "config.h"

#include "tsr-report.h"

#include "tsr-error.h"
#include "tsr-report-private.h"

#include <glib/gi18n-lib.h>

struct _TsrReport
{
  GObject parent_instance;

  TsrPlace *place;
  char *location;
  char *name; /* base name of the location until the files are known */
  TsrLoadFlags flags;
  GCancellable *cancellable;
  GMainContext *context; /* NULL when opened in the caller's thread */
  TsrDiagnostics *diagnostics;
  guint64 announced; /* diagnostics that were announced; loading thread */

  /* Set once by the loading thread (programs twice where reading is slow); read by any through
   * atomic pointers. */
  TsrReportFiles *files;
  TsrSummary *summary;
  TsrMemoryTables *memory;
  TsrProgramTables *programs;
  TsrProgramTables *early_programs; /* (nullable): that programs was at first, without arrays */
  TsrLivenessTables *liveness;
  TsrExecutionTables *execution;
  TsrLoweredTables *lowered;

  GMutex preview_lock;
  TsrExecutionPreview *preview; /* (nullable); guarded by the lock */

  TsrProgress *progress[TSR_N_STAGES];
  int states[TSR_N_STAGES];     /* TsrStageState, atomic */
  GError *errors[TSR_N_STAGES]; /* set before the state becomes failed */

  GMutex profile_lock;
  TsrProfile *profile; /* to open further readers from; guarded by the lock */
};

enum
{
  STAGE_CHANGED,
  DIAGNOSTICS_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TsrReport, tsr_report, G_TYPE_OBJECT)

static void
tsr_report_finalize (GObject *object)
{
  TsrReport *self = TSR_REPORT (object);

  g_clear_object (&self->place);
  g_free (self->location);
  g_free (self->name);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_pointer (&self->diagnostics, tsr_diagnostics_unref);
  g_clear_pointer (&self->files, tsr_report_files_free);
  g_clear_pointer (&self->summary, tsr_summary_free);
  g_clear_pointer (&self->memory, tsr_memory_tables_free);
  if (self->programs != self->early_programs)
    g_clear_pointer (&self->programs, tsr_program_tables_free);
  g_clear_pointer (&self->early_programs, tsr_program_tables_free);
  g_clear_pointer (&self->liveness, tsr_liveness_tables_free);
  g_clear_pointer (&self->execution, tsr_execution_tables_free);
  g_clear_pointer (&self->lowered, tsr_lowered_tables_free);
  g_clear_pointer (&self->preview, tsr_execution_preview_unref);
  g_mutex_clear (&self->preview_lock);
  for (guint i = 0; i < TSR_N_STAGES; i++)
    {
      g_clear_pointer (&self->progress[i], tsr_progress_unref);
      g_clear_error (&self->errors[i]);
    }
  g_clear_object (&self->profile);
  g_mutex_clear (&self->profile_lock);
  G_OBJECT_CLASS (tsr_report_parent_class)->finalize (object);
}

static void
tsr_report_class_init (TsrReportClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_report_finalize;
  signals[STAGE_CHANGED] = g_signal_new ("stage-changed", TSR_TYPE_REPORT, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[DIAGNOSTICS_CHANGED]
      = g_signal_new ("diagnostics-changed", TSR_TYPE_REPORT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 0);
}

static void
tsr_report_init (TsrReport *self)
{
  self->cancellable = g_cancellable_new ();
  self->diagnostics = tsr_diagnostics_new ();
  g_mutex_init (&self->profile_lock);
  g_mutex_init (&self->preview_lock);
  for (guint i = 0; i < TSR_N_STAGES; i++)
    self->progress[i] = tsr_progress_new ();
}

static TsrReport *
report_new (TsrPlace *place, const char *path, TsrLoadFlags flags)
{
  TsrReport *self = g_object_new (TSR_TYPE_REPORT, NULL);

  self->place = g_object_ref (place);
  self->location = g_strdup (path);
  self->name = g_filename_display_basename (path);
  self->flags = flags;
  return self;
}

/* ------------------------------------------------------------- announcing */

typedef struct
{
  TsrReport *report;
  int stage; /* -1: diagnostics */
} Announcement;

static void
announcement_free (gpointer data)
{
  Announcement *announcement = data;

  g_object_unref (announcement->report);
  g_free (announcement);
}

static gboolean
deliver (gpointer data)
{
  Announcement *announcement = data;

  if (announcement->stage < 0)
    g_signal_emit (announcement->report, signals[DIAGNOSTICS_CHANGED], 0);
  else
    g_signal_emit (announcement->report, signals[STAGE_CHANGED], 0, announcement->stage);
  return G_SOURCE_REMOVE;
}

static void
announce (TsrReport *self, int stage)
{
  Announcement *announcement;
  GSource *source;

  if (self->context == NULL)
    return;
  announcement = g_new0 (Announcement, 1);
  announcement->report = g_object_ref (self);
  announcement->stage = stage;
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[tessera] report stage");
  g_source_set_callback (source, deliver, announcement, announcement_free);
  g_source_attach (source, self->context);
  g_source_unref (source);
}

static void
set_state (TsrReport *self, TsrStage stage, TsrStageState state)
{
  guint64 n = tsr_diagnostics_get_n_total (self->diagnostics);

  g_atomic_int_set (&self->states[stage], state);
  if (n != self->announced)
    {
      self->announced = n;
      announce (self, -1);
    }
  announce (self, stage);
}

static void
fail (TsrReport *self, TsrStage stage, GError *error)
{
  self->errors[stage] = error;
  set_state (self, stage, TSR_STAGE_FAILED);
}

/* ---------------------------------------------------------------- loading */

static gboolean
find_files (TsrReport *self, TsrLoading *loading, GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *location = tsr_place_dup_display_name (self->place, self->location);
  TsrReportFiles *files = tsr_report_files_find (self->place, self->location, self->diagnostics,
                                                 self->cancellable, error);

  if (files == NULL)
    return FALSE;
  loading->files = files;
  g_atomic_pointer_set (&self->files, files);
  if (files->folder != NULL)
    return TRUE;
  for (guint i = 0; files->reports[i] != NULL; i++)
    {
      g_autofree char *shown = tsr_place_dup_display_name (self->place, files->reports[i]);

      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", shown);
    }
  g_set_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT,
               _ ("%s holds several reports; open one of them: %s"), location, list->str);
  return FALSE;
}

static void
keep_profile (TsrReport *self, TsrProfile *profile)
{
  if (profile == NULL)
    return;
  g_mutex_lock (&self->profile_lock);
  self->profile = g_object_ref (profile);
  g_mutex_unlock (&self->profile_lock);
}

/* (transfer none): @preview, NULL when there is nothing to see any more. */
static void
set_preview (TsrExecutionPreview *preview, gpointer data)
{
  TsrReport *self = data;
  TsrExecutionPreview *old;

  g_mutex_lock (&self->preview_lock);
  old = self->preview;
  self->preview = preview != NULL ? tsr_execution_preview_ref (preview) : NULL;
  g_mutex_unlock (&self->preview_lock);
  g_clear_pointer (&old, tsr_execution_preview_unref);
}

/* Reads one stage; NULL and the error when it failed. */
static gpointer
load_stage (TsrReport *self, TsrLoading *loading, TsrStage stage, GError **error)
{
  TsrProgress *progress = self->progress[stage];

  switch (stage)
    {
    case TSR_STAGE_MEMORY:
      return tsr_load_memory (loading, self->summary, progress, error);
    case TSR_STAGE_PROGRAMS:
      return tsr_load_programs (loading, progress, error);
    case TSR_STAGE_LIVENESS:
      return tsr_load_liveness (loading, self->summary, self->programs, progress, error);
    case TSR_STAGE_EXECUTION:
      return tsr_load_execution (loading, self->summary, self->programs, set_preview, self,
                                 progress, error);
    case TSR_STAGE_LOWERED:
      return tsr_load_lowered (loading, self->summary, self->memory, self->liveness, progress,
                               error);
    case TSR_STAGE_SUMMARY:
    case TSR_N_STAGES:
    default:
      g_assert_not_reached ();
    }
}

static void
publish (TsrReport *self, TsrStage stage, gpointer part)
{
  if (stage == TSR_STAGE_MEMORY)
    g_atomic_pointer_set (&self->memory, part);
  else if (stage == TSR_STAGE_PROGRAMS)
    g_atomic_pointer_set (&self->programs, part);
  else if (stage == TSR_STAGE_LIVENESS)
    g_atomic_pointer_set (&self->liveness, part);
  else if (stage == TSR_STAGE_EXECUTION)
    g_atomic_pointer_set (&self->execution, part);
  else
    g_atomic_pointer_set (&self->lowered, part);
  set_state (self, stage, TSR_STAGE_READY);
}

static gboolean
is_wanted (TsrReport *self, TsrStage stage)
{
  static const TsrLoadFlags without[TSR_N_STAGES] = {
    [TSR_STAGE_PROGRAMS] = TSR_LOAD_NO_PROGRAMS,
    [TSR_STAGE_LIVENESS] = TSR_LOAD_NO_LIVENESS,
    [TSR_STAGE_EXECUTION] = TSR_LOAD_NO_EXECUTION,
    [TSR_STAGE_LOWERED] = TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED,
  };

  return (self->flags & without[stage]) == 0;
}

/* Where reading is slow the programs' arrays, a quarter of a file, must not keep the liveness from
 * being seen: it gets programs without them, which are those of the report until the whole ones
 * have come. */
static void
load_early_programs (TsrReport *self, TsrLoading *loading)
{
  /* Those of the liveness too, so that both stages wait once. */
  static const char *const names[] = { "compute_sets",
                                       "programs",
                                       "program_children",
                                       "vertex_types",
                                       "compute_set_vertices",
                                       "compilation_steps",
                                       "program_roots",
                                       "liveness_steps",
                                       "liveness_by_ipu",
                                       "variables",
                                       "variables_by_ipu",
                                       "variable_lifetimes",
                                       NULL };
  g_autoptr (TsrDiagnostics) ignored = tsr_diagnostics_new ();
  TsrLoading early = *loading;
  TsrProgramTables *programs;

  tsr_loading_prefetch (loading, names);
  early.diagnostics = ignored;
  early.without_arrays = TRUE;
  programs = tsr_load_programs (&early, NULL, NULL);
  self->early_programs = programs;
  g_atomic_pointer_set (&self->programs, programs);
}

static gboolean
is_slow (const TsrLoading *loading)
{
  return loading->profile != NULL
         && tsr_database_is_slow (tsr_profile_get_database (loading->profile));
}

/* What the profile's source has to say beside its bytes. */
static void
tell_warning (TsrReport *self, TsrLoading *loading)
{
  g_autoptr (GError) warning = NULL;
  TsrSource *source;

  if (loading->profile == NULL)
    return;
  source = tsr_database_get_source (tsr_profile_get_database (loading->profile));
  warning = tsr_source_steal_warning (source);
  if (warning != NULL)
    tsr_diagnostics_add (self->diagnostics, TSR_SEVERITY_INFO, "not-kept",
                         tsr_source_get_base_name (source), NULL, TSR_NO_ROW, TSR_NO_ROW, "%s",
                         warning->message);
}

/* What is slow and will be read nearly as a whole is fetched from here on, whatever the stages do
 * meanwhile. */
static void
fetch_all (TsrReport *self, TsrLoading *loading)
{
  if (is_wanted (self, TSR_STAGE_LOWERED) && is_wanted (self, TSR_STAGE_EXECUTION))
    tsr_source_prefetch_all (tsr_database_get_source (tsr_profile_get_database (loading->profile)));
}

/* The stages after the summary.  What one lacks does not stop the next; a report that is cancelled
 * or has changed is not read on. */
static void
load_rest (TsrReport *self, TsrLoading *loading)
{
  static const TsrStage usual[] = { TSR_STAGE_MEMORY, TSR_STAGE_PROGRAMS, TSR_STAGE_LIVENESS,
                                    TSR_STAGE_EXECUTION, TSR_STAGE_LOWERED };
  static const TsrStage liveness_first[]
      = { TSR_STAGE_MEMORY, TSR_STAGE_LIVENESS, TSR_STAGE_PROGRAMS, TSR_STAGE_EXECUTION,
          TSR_STAGE_LOWERED };
  gboolean slow = is_slow (loading) && is_wanted (self, TSR_STAGE_PROGRAMS)
                  && is_wanted (self, TSR_STAGE_LIVENESS);
  g_autoptr (GError) end = NULL;

  if ((self->flags & TSR_LOAD_SUMMARY_ONLY) != 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    {
      TsrStage stage = slow ? liveness_first[i] : usual[i];
      GError *error = NULL;
      gpointer part;

      if (end != NULL || !is_wanted (self, stage))
        {
          fail (self, stage,
                end != NULL
                    ? g_error_copy (end)
                    : g_error_new_literal (TSR_ERROR, TSR_ERROR_MISSING_PART,
                                           _ ("this part of the report was not asked for")));
          continue;
        }
      set_state (self, stage, TSR_STAGE_LOADING);
      if (slow && stage == TSR_STAGE_LIVENESS)
        load_early_programs (self, loading);
      if (slow && stage == TSR_STAGE_PROGRAMS)
        fetch_all (self, loading);
      part = load_stage (self, loading, stage, &error);
      set_preview (NULL, self);
      tell_warning (self, loading);
      if (part != NULL)
        {
          publish (self, stage, part);
          continue;
        }
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
          || g_error_matches (error, TSR_ERROR, TSR_ERROR_CHANGED))
        end = g_error_copy (error);
      if (stage == TSR_STAGE_PROGRAMS)
        g_atomic_pointer_set (&self->programs, NULL);
      fail (self, stage, error);
    }
}

static void
load (TsrReport *self)
{
  TsrLoading loading = {
    .place = g_object_ref (self->place),
    .flags = self->flags,
    .diagnostics = self->diagnostics,
    .cancellable = self->cancellable,
  };
  TsrSummary *summary = NULL;
  GError *error = NULL;

  set_state (self, TSR_STAGE_SUMMARY, TSR_STAGE_LOADING);
  if (find_files (self, &loading, &error))
    summary = tsr_load_summary (&loading, self->progress[TSR_STAGE_SUMMARY], &error);
  if (summary == NULL)
    {
      GError *copy = g_error_copy (error);

      fail (self, TSR_STAGE_SUMMARY, error);
      for (TsrStage stage = TSR_STAGE_MEMORY + 1; stage < TSR_N_STAGES; stage++)
        fail (self, stage, g_error_copy (copy));
      fail (self, TSR_STAGE_MEMORY, copy);
    }
  else
    {
      keep_profile (self, loading.profile);
      g_atomic_pointer_set (&self->summary, summary);
      set_state (self, TSR_STAGE_SUMMARY, TSR_STAGE_READY);
      load_rest (self, &loading);
    }
  tsr_loading_clear (&loading);
}

static gpointer
loading_thread (gpointer data)
{
  g_autoptr (TsrReport) self = data;

  load (self);
  return NULL;
}

TsrReport *
tsr_report_open (TsrPlace *place, const char *path, TsrLoadFlags flags)
{
  TsrReport *self;

  g_return_val_if_fail (TSR_IS_PLACE (place), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  self = report_new (place, path, flags);
  self->context = g_main_context_ref_thread_default ();
  g_thread_unref (g_thread_new ("report", loading_thread, g_object_ref (self)));
  return self;
}

TsrReport *
tsr_report_open_sync (TsrPlace *place,
                      const char *path,
                      TsrLoadFlags flags,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TsrReport) self = NULL;

  g_return_val_if_fail (TSR_IS_PLACE (place), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  self = report_new (place, path, flags);
  if (cancellable != NULL)
    g_set_object (&self->cancellable, cancellable);
  load (self);
  if (self->errors[TSR_STAGE_SUMMARY] == NULL)
    return g_steal_pointer (&self);
  if (error != NULL)
    *error = g_error_copy (self->errors[TSR_STAGE_SUMMARY]);
  return NULL;
}

void
tsr_report_cancel (TsrReport *self)
{
  g_return_if_fail (TSR_IS_REPORT (self));
  g_cancellable_cancel (self->cancellable);
}

/* -------------------------------------------------------------- accessors */

TsrStageState
tsr_report_get_stage_state (TsrReport *self, TsrStage stage)
{
  g_return_val_if_fail (TSR_IS_REPORT (self) && stage < TSR_N_STAGES, TSR_STAGE_FAILED);
  return g_atomic_int_get (&self->states[stage]);
}

double
tsr_report_get_stage_fraction (TsrReport *self, TsrStage stage)
{
  g_return_val_if_fail (TSR_IS_REPORT (self) && stage < TSR_N_STAGES, -1);
  return tsr_progress_get_fraction (self->progress[stage]);
}

const GError *
tsr_report_get_stage_error (TsrReport *self, TsrStage stage)
{
  if (tsr_report_get_stage_state (self, stage) != TSR_STAGE_FAILED)
    return NULL;
  return self->errors[stage];
}

const TsrReportFiles *
tsr_report_get_files (TsrReport *self)
{
  return g_atomic_pointer_get (&self->files);
}

const TsrSummary *
tsr_report_get_summary (TsrReport *self)
{
  return g_atomic_pointer_get (&self->summary);
}

const TsrProgramTables *
tsr_report_get_program_tables (TsrReport *self)
{
  return g_atomic_pointer_get (&self->programs);
}

const TsrLivenessTables *
tsr_report_get_liveness_tables (TsrReport *self)
{
  return g_atomic_pointer_get (&self->liveness);
}

const TsrExecutionTables *
tsr_report_get_execution_tables (TsrReport *self)
{
  return g_atomic_pointer_get (&self->execution);
}

TsrExecutionPreview *
tsr_report_dup_execution_preview (TsrReport *self)
{
  TsrExecutionPreview *preview;

  g_return_val_if_fail (TSR_IS_REPORT (self), NULL);
  g_mutex_lock (&self->preview_lock);
  preview = self->preview != NULL ? tsr_execution_preview_ref (self->preview) : NULL;
  g_mutex_unlock (&self->preview_lock);
  return preview;
}

const TsrLoweredTables *
tsr_report_get_lowered_tables (TsrReport *self)
{
  return g_atomic_pointer_get (&self->lowered);
}

const TsrMemoryTables *
tsr_report_get_memory_tables (TsrReport *self)
{
  return g_atomic_pointer_get (&self->memory);
}

TsrDiagnostics *
tsr_report_get_diagnostics (TsrReport *self)
{
  return self->diagnostics;
}

const char *
tsr_report_get_location (TsrReport *self)
{
  return self->location;
}

char *
tsr_report_dup_location (TsrReport *self)
{
  g_return_val_if_fail (TSR_IS_REPORT (self), NULL);
  return tsr_place_dup_location (self->place, self->location);
}

char *
tsr_report_dup_folder (TsrReport *self)
{
  const TsrReportFiles *files = tsr_report_get_files (self);

  g_return_val_if_fail (TSR_IS_REPORT (self), NULL);
  if (files == NULL || files->folder == NULL)
    return tsr_report_dup_location (self);
  return tsr_place_dup_location (self->place, files->folder);
}

const char *
tsr_report_get_name (TsrReport *self)
{
  const TsrReportFiles *files = tsr_report_get_files (self);

  return files != NULL && files->name != NULL ? files->name : self->name;
}

TsrPlace *
tsr_report_get_place (TsrReport *self)
{
  return self->place;
}

TsrProfile *
tsr_report_open_profile (TsrReport *self, GError **error)
{
  TsrProfile *profile = NULL;

  g_mutex_lock (&self->profile_lock);
  if (self->profile != NULL)
    profile = tsr_profile_open_again (self->profile, error);
  g_mutex_unlock (&self->profile_lock);
  return profile;
}

/* A profile of the calling thread's own in @loading, NULL without one; the caller owns it. */
static gboolean
begin_reading (TsrReport *self,
               TsrLoading *loading,
               TsrProfile **profile,
               GCancellable *cancellable,
               GError **error)
{
  GError *local_error = NULL;

  *profile = tsr_report_open_profile (self, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  *loading = (TsrLoading){
    .place = self->place,
    .flags = self->flags,
    .files = self->files,
    .profile = *profile,
    .diagnostics = self->diagnostics,
    .cancellable = cancellable,
  };
  if (*profile != NULL)
    tsr_database_set_cancellable (tsr_profile_get_database (*profile), cancellable);
  return TRUE;
}

gboolean
tsr_report_stream_lowered (TsrReport *self,
                           guint tile,
                           TsrLoweredFunc func,
                           gpointer data,
                           GCancellable *cancellable,
                           GError **error)
{
  g_autoptr (TsrProfile) profile = NULL;
  TsrLoading loading;

  g_return_val_if_fail (TSR_IS_REPORT (self), FALSE);
  g_return_val_if_fail (tsr_report_get_summary (self) != NULL, FALSE);
  return begin_reading (self, &loading, &profile, cancellable, error)
         && tsr_stream_lowered (&loading, tsr_report_get_summary (self),
                                tsr_report_get_memory_tables (self),
                                tsr_report_get_liveness_tables (self), tile, func, data, error);
}

TsrLoweredTables *
tsr_report_read_lowered_of (
    TsrReport *self, const guint *tiles, guint n_tiles, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProfile) profile = NULL;
  TsrLoading loading;

  g_return_val_if_fail (TSR_IS_REPORT (self), NULL);
  g_return_val_if_fail (tsr_report_get_summary (self) != NULL, NULL);
  g_return_val_if_fail (tiles != NULL || n_tiles == 0, NULL);
  if (!begin_reading (self, &loading, &profile, cancellable, error))
    return NULL;
  return tsr_load_lowered_of (&loading, tsr_report_get_summary (self),
                              tsr_report_get_memory_tables (self),
                              tsr_report_get_liveness_tables (self), tiles, n_tiles, error);
}
