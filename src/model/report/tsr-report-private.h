/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the report object and its loading stages share.  Only report/ includes this. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* How much of its tables a stage reads. */
typedef enum
{
  TSR_DEPTH_WHOLE,
  TSR_DEPTH_LEAN,  /* as TSR_LOAD_LEAN says */
  TSR_DEPTH_NAMES, /* of the programs only what they and others are called: neither children nor
                      vertices; of the execution only runs and steps; else the same */
} TsrLoadDepth;

/* What the stages pass on to each other; on the loading thread. */
typedef struct
{
  TsrPlace *place;
  TsrLoadFlags flags;
  TsrReportFiles *files;
  TsrProfile *profile; /* NULL without a readable profile.pop */
  TsrSource *archive;  /* (nullable): opened early if there is no profile */
  TsrTileRows tiles;   /* read early if the target does not have the number of tiles */
  gboolean tiles_read;
  TsrLoadDepth depth;  /* of the stage that is read */
  gboolean steps_told; /* what is wrong with runs and steps is among the diagnostics */
  /* (nullable): what the stages before have read.  With programs, steps refer to programs and
   * compute sets; with memory and liveness, lowered variables refer to categories and variables,
   * and intervals are clipped to the steps. */
  gconstpointer parts[TSR_N_STAGES];
  /* (nullable): gets a preview of the execution at most ten times a second, in any thread. */
  void (*show) (TsrExecutionPreview *preview, gpointer data);
  gpointer show_data;
  TsrDiagnostics *diagnostics;
  GCancellable *cancellable;
} TsrLoading;

void tsr_loading_clear (TsrLoading *loading);
/* Prefetches @tables (NULL-terminated) of a slow profile, level by level. */
void tsr_loading_prefetch (TsrLoading *loading, const char *const *tables);

/* (transfer full): the part that each stage reads, of the type that tsr_report_get_*() has for it.
 * NULL and @error when the stage failed. */
gpointer tsr_load_summary (TsrLoading *loading, TsrProgress *progress, GError **error);
gpointer tsr_load_memory (TsrLoading *loading, TsrProgress *progress, GError **error);
gpointer tsr_load_programs (TsrLoading *loading, TsrProgress *progress, GError **error);
gpointer tsr_load_liveness (TsrLoading *loading, TsrProgress *progress, GError **error);
gpointer tsr_load_execution (TsrLoading *loading, TsrProgress *progress, GError **error);
gpointer tsr_load_lowered (TsrLoading *loading, TsrProgress *progress, GError **error);
gpointer tsr_load_debug (TsrLoading *loading, TsrProgress *progress, GError **error);
gboolean tsr_stream_lowered (
    TsrLoading *loading, guint tile, TsrLoweredFunc func, gpointer data, GError **error);
TsrLoweredTables *tsr_load_lowered_brief (TsrLoading *loading, GError **error);
/* @tiles: ascending, each once. */
TsrLoweredTables *
tsr_load_lowered_of (TsrLoading *loading, const guint *tiles, guint n_tiles, GError **error);
void tsr_program_tables_free (TsrProgramTables *tables);
void tsr_liveness_tables_free (TsrLivenessTables *tables);
void tsr_summary_free (TsrSummary *summary);
void tsr_memory_tables_free (TsrMemoryTables *tables);

G_END_DECLS
