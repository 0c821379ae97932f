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
                      vertices; else the same */
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
  TsrLoadDepth depth; /* of the stage that is read */
  TsrDiagnostics *diagnostics;
  GCancellable *cancellable;
} TsrLoading;

void tsr_loading_clear (TsrLoading *loading);
/* Prefetches @tables (NULL-terminated) of a slow profile, level by level. */
void tsr_loading_prefetch (TsrLoading *loading, const char *const *tables);

/* (transfer full): the parts.  NULL and @error when the stage failed. */
TsrSummary *tsr_load_summary (TsrLoading *loading, TsrProgress *progress, GError **error);
TsrMemoryTables *tsr_load_memory (TsrLoading *loading,
                                  const TsrSummary *summary,
                                  TsrProgress *progress,
                                  GError **error);
TsrProgramTables *tsr_load_programs (TsrLoading *loading, TsrProgress *progress, GError **error);
/* @programs (nullable): with them steps refer to programs. */
TsrLivenessTables *tsr_load_liveness (TsrLoading *loading,
                                      const TsrSummary *summary,
                                      const TsrProgramTables *programs,
                                      TsrProgress *progress,
                                      GError **error);
/* @programs (nullable): with them steps refer to programs and compute sets.  @show (nullable) gets
 * a preview of what has been read at most ten times a second, in any thread. */
typedef void (*TsrExecutionPreviewFunc) (TsrExecutionPreview *preview, gpointer data);
TsrExecutionTables *tsr_load_execution (TsrLoading *loading,
                                        const TsrSummary *summary,
                                        const TsrProgramTables *programs,
                                        TsrExecutionPreviewFunc show,
                                        gpointer data,
                                        TsrProgress *progress,
                                        GError **error);
/* @memory and @liveness (nullable): with them rows refer to categories and variables, and intervals
 * are clipped to the steps. */
TsrLoweredTables *tsr_load_lowered (TsrLoading *loading,
                                    const TsrSummary *summary,
                                    const TsrMemoryTables *memory,
                                    const TsrLivenessTables *liveness,
                                    TsrProgress *progress,
                                    GError **error);
gboolean tsr_stream_lowered (TsrLoading *loading,
                             const TsrSummary *summary,
                             const TsrMemoryTables *memory,
                             const TsrLivenessTables *liveness,
                             guint tile,
                             TsrLoweredFunc func,
                             gpointer data,
                             GError **error);
/* @tiles: ascending, each once. */
TsrLoweredTables *tsr_load_lowered_of (TsrLoading *loading,
                                       const TsrSummary *summary,
                                       const TsrMemoryTables *memory,
                                       const TsrLivenessTables *liveness,
                                       const guint *tiles,
                                       guint n_tiles,
                                       GError **error);
void tsr_program_tables_free (TsrProgramTables *tables);
void tsr_liveness_tables_free (TsrLivenessTables *tables);
void tsr_execution_tables_free (TsrExecutionTables *tables);
void tsr_summary_free (TsrSummary *summary);
void tsr_memory_tables_free (TsrMemoryTables *tables);

G_END_DECLS
