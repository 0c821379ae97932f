/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A report: immutable parts, each sealed by a loading stage and then shared without locks.  A
 * loader (one thread per report) reads stage after stage, and announces each on the main context of
 * the thread that started it.  The accessor of a part returns NULL until its stage is ready.
 *
 * Parts contain what the files say and what follows by definition (numTiles).  Everything computed
 * from them is in analysis/. */

#pragma once

#include "tsr-archive.h"
#include "tsr-debug-tables.h"
#include "tsr-execution-tables.h"
#include "tsr-json.h"
#include "tsr-profile.h"
#include "tsr-report-files.h"
#include "tsr-report-tables.h"

G_BEGIN_DECLS

#define TSR_TYPE_REPORT (tsr_report_get_type ())
G_DECLARE_FINAL_TYPE (TsrReport, tsr_report, TSR, REPORT, GObject)

typedef enum
{
  TSR_STAGE_SUMMARY,   /* files, target, graph, options, JSON, availability of views */
  TSR_STAGE_MEMORY,    /* tiles, regions, categories */
  TSR_STAGE_PROGRAMS,  /* programs, compute sets, vertex types */
  TSR_STAGE_LIVENESS,  /* liveness steps, variables and their lifetimes */
  TSR_STAGE_EXECUTION, /* runs, steps by IPU, blocks */
  TSR_STAGE_LOWERED,   /* lowered variables and equivalence classes: the big scan */
  TSR_STAGE_DEBUG,     /* contexts of debug.cbor */
  TSR_N_STAGES,
} TsrStage;

typedef enum
{
  TSR_STAGE_PENDING,
  TSR_STAGE_LOADING,
  TSR_STAGE_READY,
  TSR_STAGE_FAILED, /* see tsr_report_get_stage_error */
} TsrStageState;

typedef enum
{
  TSR_VIEW_SUMMARY,
  TSR_VIEW_INSIGHTS,
  TSR_VIEW_MEMORY,
  TSR_VIEW_LIVENESS,
  TSR_VIEW_PROGRAM_TREE,
  TSR_VIEW_OPERATIONS,
  TSR_VIEW_EXECUTION_TRACE,
  TSR_N_VIEWS,
} TsrView;

/* Something that a view lacks: with it, the view would be available, or would show more. */
typedef struct
{
  char *table;  /* table, table.column or file name */
  char *option; /* (nullable): engine option that records it */
  char *text;   /* translated sentence */
} TsrMissing;

typedef struct
{
  gboolean available;
  GPtrArray *missing; /* TsrMissing; may be non-empty for an available view that shows less */
} TsrAvailability;

typedef struct
{
  /* From the file, else derived from each other, else TSR_UNKNOWN; names and meanings as in libpva.
   */
  char *type, *architecture;
  gint64 num_ipus, ipus_per_replica, num_replicas, tiles_per_ipu;
  gint64 num_tiles, tiles_per_replica;
  gint64 bytes_per_tile, bytes_per_ipu, memory_per_replica, total_memory;
  gint64 interleaved_start;
  double clock_frequency;         /* Hz, NaN if unknown */
  gboolean tiles_per_ipu_assumed; /* 1,472 or 1,216: exactly one divides the number of tiles */
} TsrTarget;

typedef struct
{
  TsrTarget target;
  TsrTarget told; /* the same, without values that depend on an assumed number of tiles per IPU */
  TsrGraphRow graph;
  char *poplar_version, *timestamp, *report_version, *engine_name; /* each (nullable) */
  char *compute_instrumentation, *external_exchange_instrumentation;
  gboolean synthetic;
  gboolean unstable;        /* the file says that a later Poplar may not read it */
  GStrv engine_options;     /* pairs name, value */
  TsrJson *framework, *app; /* (nullable) */
  TsrAvailability views[TSR_N_VIEWS];
  GStrv unknown_tables; /* tables of profile.pop that we do not know */
} TsrSummary;

typedef struct
{
  gboolean from_archive; /* total is .text of archive.a; there is nothing else */
  TsrTileRows tiles;
  TsrRegionRows regions;
  TsrCategoryRows categories;
  TsrTileCategoryRows by_category;
  gint64 *allocated_by_tile; /* (nullable) [category * n_tiles + tile]: from vars_info, only when
                                by_category is not present */
  gint64 bytes_per_tile;     /* capacity, or TSR_UNKNOWN */
  gint64 tiles_per_ipu;      /* or TSR_UNKNOWN */
  gboolean tiles_per_ipu_assumed;
} TsrMemoryTables;

typedef enum
{
  TSR_LOAD_ALL = 0,
  TSR_LOAD_SUMMARY_ONLY = 1 << 0,
  TSR_LOAD_NO_SCAN = 1 << 1, /* in the memory stage, leave out what requires a scan of vars_info */
  TSR_LOAD_NO_PROGRAMS
  = 1 << 2, /* leave out single stages: they fail with TSR_ERROR_MISSING_PART */
  TSR_LOAD_NO_LIVENESS = 1 << 3, /* leaves out the lowered variables too */
  TSR_LOAD_NO_LOWERED = 1 << 4,
  TSR_LOAD_NO_EXECUTION = 1 << 5,
  TSR_LOAD_LEAN = 1 << 6,      /* leave the numbers of each tile alone: the memory has totals and no
                                  regions or categories, and the totals of tile arrays are unknown
                                  until somebody reads an array by its id */
  TSR_LOAD_ON_DEMAND = 1 << 7, /* where reading is slow: see tsr_report_want */
  TSR_LOAD_NO_DEBUG = 1 << 8,
  TSR_LOAD_NAMES = 1 << 9, /* of programs their names and types, not what is below them */
  TSR_LOAD_UP_TO_MEMORY = TSR_LOAD_NO_PROGRAMS | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED
                          | TSR_LOAD_NO_EXECUTION | TSR_LOAD_NO_DEBUG,
} TsrLoadFlags;

/* Starts loading @path in @place in a new thread and returns at once.  Signals, on the
 * thread-default main context of the caller: "stage-changed" (TsrStage) and "diagnostics-changed".
 */
TsrReport *tsr_report_open (TsrPlace *place, const char *path, TsrLoadFlags flags);

/* A report with TSR_LOAD_ON_DEMAND, where reading is slow: after the summary only what @stage needs
 * is read, and each stage once somebody has asked for it; before, it is pending.  The memory of the
 * tiles and the programs are there early as TSR_LOAD_LEAN has them (the memory's stage is announced
 * then and is pending still), and are replaced by the whole ones when their stages are ready.  Does
 * nothing for other reports. */
void tsr_report_want (TsrReport *self, TsrStage stage);
/* TRUE from the summary on for such a report; and of it while nobody has asked for @stage.  Any
 * thread. */
gboolean tsr_report_is_on_demand (TsrReport *self);
gboolean tsr_report_is_waiting (TsrReport *self, TsrStage stage);

/* For the command line and tests: loads in this thread; NULL and @error if it cannot be opened at
 * all. */
TsrReport *tsr_report_open_sync (TsrPlace *place,
                                 const char *path,
                                 TsrLoadFlags flags,
                                 GCancellable *cancellable,
                                 GError **error);

/* Reads @stage of a report that was opened with TSR_LOAD_SUMMARY_ONLY, in this thread and with a
 * connection of its own; TRUE at once when it is there.  The programs should be there before the
 * stages of liveness and execution, the memory and the liveness before the lowered variables: what
 * is not there they refer to as unknown.  FALSE and @error as the stage's; a stage that was
 * cancelled can be read again.  One thread at a time for a report. */
gboolean
tsr_report_read_stage (TsrReport *self, TsrStage stage, GCancellable *cancellable, GError **error);

/* Makes loading stop soon; stages that are not ready fail with G_IO_ERROR_CANCELLED. Never blocks.
 */
void tsr_report_cancel (TsrReport *self);

/* State of a stage; its progress 0..1 or -1; its error when it failed. Any thread. */
TsrStageState tsr_report_get_stage_state (TsrReport *self, TsrStage stage);
double tsr_report_get_stage_fraction (TsrReport *self, TsrStage stage);
const GError *tsr_report_get_stage_error (TsrReport *self, TsrStage stage);

/* (transfer none) (nullable): NULL until its stage is ready. */
const TsrReportFiles *tsr_report_get_files (
    TsrReport *self); /* with the summary, or when it failed because there are several reports */
const TsrSummary *tsr_report_get_summary (TsrReport *self);
const TsrMemoryTables *tsr_report_get_memory_tables (TsrReport *self);
const TsrProgramTables *tsr_report_get_program_tables (TsrReport *self);
const TsrLivenessTables *tsr_report_get_liveness_tables (TsrReport *self);
const TsrLoweredTables *tsr_report_get_lowered_tables (TsrReport *self);
const TsrExecutionTables *tsr_report_get_execution_tables (TsrReport *self);
const TsrDebugTables *tsr_report_get_debug_tables (TsrReport *self);
/* (transfer full) (nullable): what the execution stage has read so far, while it is loading: a new
 * one at most ten times a second.  NULL before and after.  Any thread. */
TsrExecutionPreview *tsr_report_dup_execution_preview (TsrReport *self);
TsrDiagnostics *tsr_report_get_diagnostics (TsrReport *self);

/* (transfer none): path in the report's place that was asked for; short name for titles. */
const char *tsr_report_get_location (TsrReport *self);
/* (transfer full): that path as users, links and the list of recent reports write it
 * (tsr_place_dup_location); and the same for the report's folder, once the files are known. */
char *tsr_report_dup_location (TsrReport *self);
char *tsr_report_dup_folder (TsrReport *self);
const char *tsr_report_get_name (TsrReport *self);
TsrPlace *tsr_report_get_place (TsrReport *self);

/* (transfer full) (nullable): another reader of profile.pop for the calling thread; NULL if there
 * is no such file. */
TsrProfile *tsr_report_open_profile (TsrReport *self, GError **error);

/* Reads the lowered variables again, for callers that need each of them once without keeping them
 * (the stage need not be loaded; that of liveness should be).  Calls @func with batches in file
 * order.  A batch has its own columns; strings and classes are the same for all; there are no rows
 * by tile.  If @tile is not TSR_NO_INDEX, only the rows that tile_vars names for that tile are
 * read, if it does.  @func returns FALSE to stop, which is not an error.  FALSE and @error as for
 * the stage.  Any thread. */
typedef gboolean (*TsrLoweredFunc) (const TsrLoweredTables *batch, gpointer data);
gboolean tsr_report_stream_lowered (TsrReport *self,
                                    guint tile,
                                    TsrLoweredFunc func,
                                    gpointer data,
                                    GCancellable *cancellable,
                                    GError **error);

/* (transfer full): the lowered variables of @tiles only (ascending, each once), as the stage would
 * have them, with their ids; free with tsr_lowered_tables_free.  Reads only the rows that tile_vars
 * names if they belong to the tile and have no gap, else all rows once, without keeping the others.
 * For callers that need a few tiles and nothing else; conditions and errors as above. */
TsrLoweredTables *tsr_report_read_lowered_of (
    TsrReport *self, const guint *tiles, guint n_tiles, GCancellable *cancellable, GError **error);
/* (transfer full): all lowered variables with ids, tiles, sizes, always_live and classes as the
 * stage would have them, in half of its time; other columns and tile_start are NULL.  What is wrong
 * with the rows is told by the stage alone.  Free, conditions and errors as above. */
TsrLoweredTables *
tsr_report_read_lowered_brief (TsrReport *self, GCancellable *cancellable, GError **error);
void tsr_lowered_tables_free (TsrLoweredTables *tables);

/* (transfer full): only the runs and steps of the execution, as the stage would have them; nothing
 * by IPU, no block.  Free with tsr_execution_tables_free.  Its findings are among the diagnostics,
 * once, also when the stage is read afterwards.  Conditions and errors as of
 * tsr_report_read_stage. */
TsrExecutionTables *
tsr_report_read_steps (TsrReport *self, GCancellable *cancellable, GError **error);

const char *tsr_view_get_nick (TsrView view);  /* "memory": command line, links */
const char *tsr_view_get_key (TsrView view);   /* "executionTrace": JSON */
const char *tsr_view_get_title (TsrView view); /* translated */

G_END_DECLS
