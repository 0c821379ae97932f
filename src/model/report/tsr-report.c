/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The report object: starts the loading thread, publishes each part when its stage is done, and
 * announces it on the caller's main context.  The loading thread holds a reference until it ends.
 * What the stages are is one table, stage_kinds.
 */

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
  guint64 announced;   /* diagnostics that were announced; loading thread */
  gboolean steps_told; /* by tsr_report_read_steps; one thread reads at a time */

  /* Set once by the loading thread (memory and programs twice where reading is slow); read by any
   * through atomic pointers. */
  TsrReportFiles *files;
  gpointer parts[TSR_N_STAGES];
  /* All that were ever published: others may have those of before for as long as there is the
   * report.  Loading thread. */
  GPtrArray *kept[TSR_N_STAGES];

  GMutex preview_lock;
  TsrExecutionPreview *preview; /* (nullable); guarded by the lock */

  TsrProgress *progress[TSR_N_STAGES];
  int states[TSR_N_STAGES];     /* TsrStageState, atomic */
  GError *errors[TSR_N_STAGES]; /* set before the state becomes failed */

  GMutex profile_lock;
  TsrProfile *profile; /* to open further readers from; guarded by the lock */

  int on_demand; /* atomic */
  GMutex want_lock;
  guint wanted;        /* stages, a bit each; guarded by the lock */
  gboolean is_reading; /* there is a loading thread; guarded by the lock */

  /* Of the loading thread; where stages wait to be wanted, of one after the other. */
  TsrLoading loading;
  TsrDiagnostics *early_told; /* (nullable): what was wrong with the early parts */
  GError *end;                /* (nullable): why nothing is read any more */
};

enum
{
  STAGE_CHANGED,
  DIAGNOSTICS_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TsrReport, tsr_report, G_TYPE_OBJECT)

/* ------------------------------------------------------------- the stages */

typedef struct
{
  gpointer (*load) (TsrLoading *loading, TsrProgress *progress, GError **error);
  GDestroyNotify free;
  TsrLoadFlags without; /* that leave it out */
  guint also_wanted;    /* stages that are read with it, a bit each */
  /* Where reading is slow: how much of the programs it needs before it, and the tables that are
   * then read together, so that both wait once. */
  TsrLoadDepth programs_depth;
  const char *const *with_programs; /* (nullable): it needs none */
} StageKind;

static const char *const for_liveness[]
    = { "compute_sets",       "programs",         "vertex_types",
        "liveness_steps",     "liveness_by_ipu",  "variables",
        "variable_lifetimes", "variables_by_ipu", NULL };

static const char *const for_execution[] = { "compute_sets",
                                             "programs",
                                             "program_children",
                                             "vertex_types",
                                             "compute_set_vertices",
                                             "compilation_steps",
                                             "program_roots",
                                             "runs",
                                             "steps",
                                             "steps_by_ipu",
                                             "run_cycles_by_ipu",
                                             "tile_cycles",
                                             "execution_cycle_totals",
                                             NULL };

static const StageKind stage_kinds[TSR_N_STAGES] = {
  [TSR_STAGE_SUMMARY] = { tsr_load_summary, (GDestroyNotify)tsr_summary_free },
  [TSR_STAGE_MEMORY] = { tsr_load_memory, (GDestroyNotify)tsr_memory_tables_free },
  [TSR_STAGE_PROGRAMS]
  = { tsr_load_programs, (GDestroyNotify)tsr_program_tables_free, .without = TSR_LOAD_NO_PROGRAMS },
  [TSR_STAGE_LIVENESS]
  = { tsr_load_liveness, (GDestroyNotify)tsr_liveness_tables_free, .without = TSR_LOAD_NO_LIVENESS,
      .programs_depth = TSR_DEPTH_NAMES, .with_programs = for_liveness },
  [TSR_STAGE_EXECUTION] = { tsr_load_execution, (GDestroyNotify)tsr_execution_tables_free,
                            .without = TSR_LOAD_NO_EXECUTION, .programs_depth = TSR_DEPTH_LEAN,
                            .with_programs = for_execution },
  [TSR_STAGE_LOWERED] = { tsr_load_lowered, (GDestroyNotify)tsr_lowered_tables_free,
                          .without = TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED,
                          .also_wanted = 1u << TSR_STAGE_LIVENESS },
  [TSR_STAGE_DEBUG]
  = { tsr_load_debug, (GDestroyNotify)tsr_debug_tables_free, .without = TSR_LOAD_NO_DEBUG },
};

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
  g_clear_pointer (&self->preview, tsr_execution_preview_unref);
  g_mutex_clear (&self->preview_lock);
  for (guint i = 0; i < TSR_N_STAGES; i++)
    {
      g_clear_pointer (&self->kept[i], g_ptr_array_unref);
      g_clear_pointer (&self->progress[i], tsr_progress_free);
      g_clear_error (&self->errors[i]);
    }
  tsr_loading_clear (&self->loading);
  g_clear_pointer (&self->early_told, tsr_diagnostics_unref);
  g_clear_error (&self->end);
  g_clear_object (&self->profile);
  g_mutex_clear (&self->profile_lock);
  g_mutex_clear (&self->want_lock);
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
  g_mutex_init (&self->want_lock);
  g_mutex_init (&self->preview_lock);
  for (guint i = 0; i < TSR_N_STAGES; i++)
    {
      self->kept[i] = g_ptr_array_new_with_free_func (stage_kinds[i].free);
      self->progress[i] = tsr_progress_new ();
    }
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
  memcpy (loading->parts, self->parts, sizeof loading->parts);
  return stage_kinds[stage].load (loading, self->progress[stage], error);
}

static void
set_part (TsrReport *self, TsrStage stage, gpointer part)
{
  if (part != NULL)
    g_ptr_array_add (self->kept[stage], part);
  g_atomic_pointer_set (&self->parts[stage], part);
}

static gboolean
is_wanted (TsrReport *self, TsrStage stage)
{
  return (self->flags & stage_kinds[stage].without) == 0;
}

/* Reads @stage with a connection of its own, whose findings go to @told. */
static gpointer
load_apart (
    TsrReport *self, TsrStage stage, TsrLoadDepth depth, TsrDiagnostics *told, GError **error)
{
  TsrLoading apart = self->loading;
  g_autoptr (TsrProfile) profile = tsr_profile_open_part (self->loading.profile, told, error);
  gpointer part;

  if (profile == NULL)
    return NULL;
  apart.profile = profile;
  apart.diagnostics = told;
  apart.depth = depth;
  part = load_stage (self, &apart, stage, error);
  /* What it took of what was read early. */
  self->loading.tiles = apart.tiles;
  self->loading.tiles_read = apart.tiles_read;
  return part;
}

/* What is wrong with it is told now, where the rest may never be read, and only once. */
static gpointer
load_telling (TsrReport *self, TsrStage stage, TsrLoadDepth depth, GError **error)
{
  g_autoptr (TsrDiagnostics) told = tsr_diagnostics_new ();
  gpointer part = load_apart (self, stage, depth, told, error);

  if (!tsr_report_is_on_demand (self))
    return part;
  if (self->early_told == NULL)
    self->early_told = tsr_diagnostics_new ();
  tsr_diagnostics_merge_new (self->diagnostics, told, self->early_told);
  tsr_diagnostics_merge_new (self->early_told, told, self->early_told);
  return part;
}

/* Where reading is slow the programs' arrays, a quarter of a file, must not keep the liveness from
 * being seen, nor the trace: they get programs without them, which are those of the report until
 * the whole ones have come. */
static void
load_early_programs (TsrReport *self, TsrStage stage)
{
  const TsrProgramTables *there = self->parts[TSR_STAGE_PROGRAMS];
  const TsrLoadDepth depth = stage_kinds[stage].programs_depth;
  TsrProgramTables *programs;

  if ((there != NULL && (depth == TSR_DEPTH_NAMES || there->has_structure))
      || tsr_report_get_stage_state (self, TSR_STAGE_PROGRAMS) == TSR_STAGE_FAILED)
    return;
  tsr_loading_prefetch (&self->loading, stage_kinds[stage].with_programs);
  programs = load_telling (self, TSR_STAGE_PROGRAMS, depth, NULL);
  if (programs != NULL)
    set_part (self, TSR_STAGE_PROGRAMS, programs);
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

static gboolean
is_pending (TsrReport *self, TsrStage stage)
{
  return tsr_report_get_stage_state (self, stage) == TSR_STAGE_PENDING;
}

/* What is slow and will be read nearly as a whole is fetched from here on, whatever the stages do
 * meanwhile. */
static void
fetch_all (TsrReport *self)
{
  guint wanted;

  g_mutex_lock (&self->want_lock);
  wanted = self->wanted;
  g_mutex_unlock (&self->want_lock);
  if (is_wanted (self, TSR_STAGE_LOWERED) && is_wanted (self, TSR_STAGE_EXECUTION)
      && (wanted & 1u << TSR_STAGE_LOWERED) != 0)
    tsr_source_prefetch_all (
        tsr_database_get_source (tsr_profile_get_database (self->loading.profile)));
}

/* Ends @stage with what was read of it, or with @error, which is taken. */
static void
finish_stage (TsrReport *self, TsrStage stage, gpointer part, GError *error)
{
  if (part != NULL)
    {
      set_part (self, stage, part);
      set_state (self, stage, TSR_STAGE_READY);
      return;
    }
  /* What one lacks does not stop the next; a report that is cancelled or has changed is not read
   * on. */
  if (self->end == NULL
      && (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
          || g_error_matches (error, TSR_ERROR, TSR_ERROR_CHANGED)))
    self->end = g_error_copy (error);
  /* Those without arrays stay where they are as much as there will be. */
  if (stage == TSR_STAGE_PROGRAMS && !tsr_report_is_on_demand (self))
    set_part (self, stage, NULL);
  fail (self, stage, error);
}

/* The memory as far as all stages need it. */
static void
load_early_memory (TsrReport *self)
{
  GError *error = NULL;
  gpointer part;

  if (self->loading.profile == NULL || self->end != NULL
      || !tsr_profile_has_rows (self->loading.profile, "memory_by_tile"))
    return;
  part = load_telling (self, TSR_STAGE_MEMORY, TSR_DEPTH_LEAN, &error);
  if (part == NULL)
    {
      finish_stage (self, TSR_STAGE_MEMORY, NULL, error);
      return;
    }
  set_part (self, TSR_STAGE_MEMORY, part);
  announce (self, TSR_STAGE_MEMORY);
}

static TsrLoadDepth
get_depth (TsrReport *self, TsrStage stage)
{
  const gboolean is_lean = (self->flags & TSR_LOAD_LEAN) != 0;

  if (stage == TSR_STAGE_PROGRAMS && (self->flags & TSR_LOAD_NAMES) != 0)
    return TSR_DEPTH_NAMES;
  return is_lean || (tsr_report_is_on_demand (self) && stage == TSR_STAGE_EXECUTION)
             ? TSR_DEPTH_LEAN
             : TSR_DEPTH_WHOLE;
}

static void
load_wanted_stage (TsrReport *self, TsrStage stage)
{
  const gboolean on_demand = tsr_report_is_on_demand (self);
  const gboolean slow = is_slow (&self->loading) && is_wanted (self, TSR_STAGE_PROGRAMS)
                        && is_wanted (self, TSR_STAGE_LIVENESS);
  GError *error = NULL;
  gpointer part;

  if (self->end != NULL)
    {
      fail (self, stage, g_error_copy (self->end));
      return;
    }
  if (!is_wanted (self, stage))
    {
      fail (self, stage,
            g_error_new_literal (TSR_ERROR, TSR_ERROR_MISSING_PART,
                                 _ ("this part of the report was not requested")));
      return;
    }
  set_state (self, stage, TSR_STAGE_LOADING);
  if (slow && stage_kinds[stage].with_programs != NULL
      && (on_demand || stage == TSR_STAGE_LIVENESS))
    load_early_programs (self, stage);
  if (slow && stage == TSR_STAGE_PROGRAMS)
    fetch_all (self);
  if (self->early_told != NULL && (stage == TSR_STAGE_MEMORY || stage == TSR_STAGE_PROGRAMS))
    part = load_telling (self, stage, TSR_DEPTH_WHOLE, &error);
  else
    {
      self->loading.depth = get_depth (self, stage);
      part = load_stage (self, &self->loading, stage, &error);
    }
  set_preview (NULL, self);
  tell_warning (self, &self->loading);
  finish_stage (self, stage, part, error);
}

/* The next stage to read; TSR_N_STAGES when nobody wants one, and the thread ends. */
static TsrStage
take_wanted (TsrReport *self)
{
  static const TsrStage usual[] = { TSR_STAGE_MEMORY,    TSR_STAGE_PROGRAMS, TSR_STAGE_LIVENESS,
                                    TSR_STAGE_EXECUTION, TSR_STAGE_LOWERED,  TSR_STAGE_DEBUG };
  static const TsrStage liveness_first[]
      = { TSR_STAGE_MEMORY,    TSR_STAGE_LIVENESS, TSR_STAGE_PROGRAMS,
          TSR_STAGE_EXECUTION, TSR_STAGE_LOWERED,  TSR_STAGE_DEBUG };
  /* What is much comes last. */
  static const TsrStage on_demand[] = { TSR_STAGE_MEMORY,   TSR_STAGE_LIVENESS, TSR_STAGE_EXECUTION,
                                        TSR_STAGE_PROGRAMS, TSR_STAGE_LOWERED,  TSR_STAGE_DEBUG };
  const TsrStage *order = usual;
  TsrStage next = TSR_N_STAGES;

  if (tsr_report_is_on_demand (self))
    order = on_demand;
  else if (is_slow (&self->loading) && is_wanted (self, TSR_STAGE_PROGRAMS)
           && is_wanted (self, TSR_STAGE_LIVENESS))
    order = liveness_first;
  g_mutex_lock (&self->want_lock);
  for (guint i = 0; i < G_N_ELEMENTS (usual) && next == TSR_N_STAGES; i++)
    if ((self->wanted & 1u << order[i]) != 0 && is_pending (self, order[i]))
      next = order[i];
  /* Liveness needs the memory, of which an archive has no early part. */
  if (next == TSR_STAGE_LIVENESS && self->parts[TSR_STAGE_MEMORY] == NULL
      && is_pending (self, TSR_STAGE_MEMORY))
    next = TSR_STAGE_MEMORY;
  self->is_reading = next != TSR_N_STAGES;
  g_mutex_unlock (&self->want_lock);
  return next;
}

static void
load_wanted (TsrReport *self)
{
  TsrStage stage;

  while ((stage = take_wanted (self)) != TSR_N_STAGES)
    load_wanted_stage (self, stage);
}

static void
want (TsrReport *self, guint stages)
{
  g_mutex_lock (&self->want_lock);
  self->wanted |= stages;
  g_mutex_unlock (&self->want_lock);
}

/* The stages after the summary. */
static void
load_rest (TsrReport *self)
{
  if ((self->flags & TSR_LOAD_SUMMARY_ONLY) != 0)
    return;
  if (tsr_report_is_on_demand (self))
    load_early_memory (self);
  else
    want (self, ~0u);
  load_wanted (self);
}

static void
load (TsrReport *self)
{
  gpointer summary = NULL;
  GError *error = NULL;

  self->loading = (TsrLoading){
    .place = g_object_ref (self->place),
    .flags = self->flags,
    .diagnostics = self->diagnostics,
    .cancellable = self->cancellable,
    .show = set_preview,
    .show_data = self,
  };
  set_state (self, TSR_STAGE_SUMMARY, TSR_STAGE_LOADING);
  if (find_files (self, &self->loading, &error))
    summary = load_stage (self, &self->loading, TSR_STAGE_SUMMARY, &error);
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
      keep_profile (self, self->loading.profile);
      set_part (self, TSR_STAGE_SUMMARY, summary);
      g_atomic_int_set (&self->on_demand, (self->flags & TSR_LOAD_ON_DEMAND) != 0
                                              && (self->flags & TSR_LOAD_SUMMARY_ONLY) == 0
                                              && is_slow (&self->loading));
      set_state (self, TSR_STAGE_SUMMARY, TSR_STAGE_READY);
      load_rest (self);
    }
  if (!tsr_report_is_on_demand (self))
    tsr_loading_clear (&self->loading);
}

static gpointer
loading_thread (gpointer data)
{
  g_autoptr (TsrReport) self = data;

  load (self);
  return NULL;
}

static gpointer
wanted_thread (gpointer data)
{
  g_autoptr (TsrReport) self = data;

  load_wanted (self);
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
  self->is_reading = TRUE;
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
tsr_report_want (TsrReport *self, TsrStage stage)
{
  gboolean starts;

  g_return_if_fail (TSR_IS_REPORT (self) && stage < TSR_N_STAGES);
  g_mutex_lock (&self->want_lock);
  self->wanted |= 1u << stage;
  self->wanted |= stage_kinds[stage].also_wanted;
  starts = !self->is_reading && tsr_report_is_on_demand (self) && is_pending (self, stage);
  self->is_reading |= starts;
  g_mutex_unlock (&self->want_lock);
  if (starts)
    g_thread_unref (g_thread_new ("report", wanted_thread, g_object_ref (self)));
}

gboolean
tsr_report_is_on_demand (TsrReport *self)
{
  g_return_val_if_fail (TSR_IS_REPORT (self), FALSE);
  return g_atomic_int_get (&self->on_demand);
}

gboolean
tsr_report_is_waiting (TsrReport *self, TsrStage stage)
{
  gboolean is_wanted;

  g_return_val_if_fail (TSR_IS_REPORT (self) && stage < TSR_N_STAGES, FALSE);
  if (!tsr_report_is_on_demand (self) || !is_pending (self, stage))
    return FALSE;
  g_mutex_lock (&self->want_lock);
  is_wanted = (self->wanted & 1u << stage) != 0;
  g_mutex_unlock (&self->want_lock);
  return !is_wanted;
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
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_pointer_get (&self->files);
}

const TsrSummary *
tsr_report_get_summary (TsrReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_pointer_get (&self->parts[TSR_STAGE_SUMMARY]);
}

const TsrProgramTables *
tsr_report_get_program_tables (TsrReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_pointer_get (&self->parts[TSR_STAGE_PROGRAMS]);
}

const TsrLivenessTables *
tsr_report_get_liveness_tables (TsrReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_pointer_get (&self->parts[TSR_STAGE_LIVENESS]);
}

const TsrExecutionTables *
tsr_report_get_execution_tables (TsrReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_pointer_get (&self->parts[TSR_STAGE_EXECUTION]);
}

const TsrDebugTables *
tsr_report_get_debug_tables (TsrReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_pointer_get (&self->parts[TSR_STAGE_DEBUG]);
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
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_pointer_get (&self->parts[TSR_STAGE_LOWERED]);
}

const TsrMemoryTables *
tsr_report_get_memory_tables (TsrReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_pointer_get (&self->parts[TSR_STAGE_MEMORY]);
}

TsrDiagnostics *
tsr_report_get_diagnostics (TsrReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->diagnostics;
}

const char *
tsr_report_get_location (TsrReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
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
  g_return_val_if_fail (self != NULL, NULL);
  return self->place;
}

TsrProfile *
tsr_report_open_profile (TsrReport *self, GError **error)
{
  TsrProfile *profile = NULL;

  g_return_val_if_fail (self != NULL, NULL);
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
    .steps_told = self->steps_told,
    .diagnostics = self->diagnostics,
    .cancellable = cancellable,
  };
  for (guint i = 0; i < TSR_N_STAGES; i++)
    loading->parts[i] = g_atomic_pointer_get (&self->parts[i]);
  if (*profile != NULL)
    tsr_database_set_cancellable (tsr_profile_get_database (*profile), cancellable);
  return TRUE;
}

TsrExecutionTables *
tsr_report_read_steps (TsrReport *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProfile) profile = NULL;
  TsrExecutionTables *tables;
  TsrLoading loading;

  g_return_val_if_fail (TSR_IS_REPORT (self), NULL);
  g_return_val_if_fail (tsr_report_get_summary (self) != NULL, NULL);
  if (!begin_reading (self, &loading, &profile, cancellable, error))
    return NULL;
  loading.depth = TSR_DEPTH_NAMES;
  tables = tsr_load_execution (&loading, NULL, error);
  self->steps_told = self->steps_told || tables != NULL;
  return tables;
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
         && tsr_stream_lowered (&loading, tile, func, data, error);
}

TsrLoweredTables *
tsr_report_read_lowered_brief (TsrReport *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrDiagnostics) unheard = tsr_diagnostics_new ();
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (TsrProfile) silent = NULL;
  TsrLoading loading;

  g_return_val_if_fail (TSR_IS_REPORT (self), NULL);
  g_return_val_if_fail (tsr_report_get_summary (self) != NULL, NULL);
  if (!begin_reading (self, &loading, &profile, cancellable, error))
    return NULL;
  loading.diagnostics = unheard;
  if (profile != NULL)
    {
      silent = tsr_profile_open_part (profile, unheard, error);
      if (silent == NULL)
        return NULL;
      tsr_database_set_cancellable (tsr_profile_get_database (silent), cancellable);
      loading.profile = silent;
    }
  return tsr_load_lowered_brief (&loading, error);
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
  return tsr_load_lowered_of (&loading, tiles, n_tiles, error);
}

gboolean
tsr_report_read_stage (TsrReport *self, TsrStage stage, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProfile) profile = NULL;
  GError *local_error = NULL;
  TsrLoading loading;
  gpointer part;

  g_return_val_if_fail (TSR_IS_REPORT (self) && stage < TSR_N_STAGES, FALSE);
  g_return_val_if_fail (tsr_report_get_summary (self) != NULL, FALSE);
  g_return_val_if_fail ((self->flags & TSR_LOAD_SUMMARY_ONLY) != 0, FALSE);
  if (tsr_report_get_stage_state (self, stage) == TSR_STAGE_READY)
    return TRUE;
  if (tsr_report_get_stage_state (self, stage) == TSR_STAGE_FAILED)
    {
      g_propagate_error (error, g_error_copy (self->errors[stage]));
      return FALSE;
    }
  if (!begin_reading (self, &loading, &profile, cancellable, error))
    return FALSE;
  set_state (self, stage, TSR_STAGE_LOADING);
  part = load_stage (self, &loading, stage, &local_error);
  if (part == NULL && g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      set_state (self, stage, TSR_STAGE_PENDING);
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (part == NULL && error != NULL)
    *error = g_error_copy (local_error);
  finish_stage (self, stage, part, local_error);
  return part != NULL;
}
