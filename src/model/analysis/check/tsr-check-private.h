/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the parts of a check share.  One object for one run of tsr_check_run, one thread.  Tables
 * are described by rows of data (tsr-check-tables.c): the engine validates every cell by its
 * description and hands the good values to the table's own function. */

#pragma once

#include "tsr-check-ids.h"
#include "tsr-check.h"
#include "tsr-scan.h"

G_BEGIN_DECLS

/* Sets of ids that other tables refer to. */
typedef enum
{
  TSR_SET_NONE,
  TSR_SET_CATEGORIES,
  TSR_SET_STRINGS,
  TSR_SET_VARIABLES,
  TSR_SET_CLASSES,
  TSR_SET_LIVENESS_STEPS,
  TSR_SET_PROGRAMS,
  TSR_SET_COMPUTE_SETS,
  TSR_SET_VERTEX_TYPES,
  TSR_SET_COMPILATION_STEPS,
  TSR_SET_RUNS,
  TSR_SET_STEPS,
  TSR_SET_TILE_CYCLES,
  TSR_SET_ARRAYS,
  TSR_SET_CONTEXTS, /* of debug.cbor */
  TSR_N_SETS,
} TsrSetName;

typedef enum
{
  TSR_KIND_INTEGER,       /* any */
  TSR_KIND_COUNT,         /* >= 0: bytes, cycles, numbers of things */
  TSR_KIND_BOOLEAN,       /* 0 or 1 */
  TSR_KIND_TILE,          /* of the replica */
  TSR_KIND_TILE_OF_IPU,   /* within one IPU */
  TSR_KIND_IPU,           /* of the replica */
  TSR_KIND_ANY_IPU,       /* over all replicas */
  TSR_KIND_REGION,        /* 0, 1, 2 */
  TSR_KIND_LIVENESS_STEP, /* 0 .. number of liveness steps - 1 */
  TSR_KIND_LIVENESS_END,  /* 0 .. number of liveness steps */
  TSR_KIND_NUMBER,        /* integer or real, >= 0 */
  TSR_KIND_BALANCE,       /* 0..1 */
  TSR_KIND_TEXT,
  TSR_KIND_BLOB,
  TSR_KIND_ID,           /* what other tables refer to */
  TSR_KIND_REFERENCE,    /* to an id of a set */
  TSR_KIND_ARRAY,        /* to tile_arrays: a number for each tile of a replica */
  TSR_KIND_ARRAY_OF_IPU, /* likewise, of an IPU */
} TsrKind;

typedef struct
{
  const char *name; /* NULL ends a table */
  TsrKind kind;
  gboolean nullable;
  TsrSetName set; /* REFERENCE; ID: the set that the column fills */
} TsrCheckColumn;

#define TSR_CHECK_MAX_COLUMNS 20

typedef struct _TsrCheck TsrCheck;

/* @v: one value for each described column; TSR_UNKNOWN when NULL, absent or found wrong. */
typedef void (*TsrCheckRowFunc) (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
/* After the last row. */
typedef void (*TsrCheckEndFunc) (TsrCheck *check);

typedef struct
{
  const char *name; /* NULL ends the list */
  const TsrCheckColumn *columns;
  TsrCheckRowFunc row; /* (nullable) */
  TsrCheckEndFunc end; /* (nullable) */
} TsrCheckTable;

/* In the order in which they are read: what a function needs of another table comes before. */
extern const TsrCheckTable tsr_check_tables[];

typedef struct
{
  gint64 first, end; /* steps of a run, rows of a tile */
} TsrSpan;

typedef struct
{
  guint32 parent, child; /* places in the set of programs */
} TsrEdge;

typedef struct
{
  gint64 class, start, end;
} TsrLifetime;

/* The last step of a run. */
typedef struct
{
  gint64 step;
  gboolean seen; /* in steps_by_ipu */
} TsrRunEnd;

/* Of one IPU, in the order of steps: the step that begins last so far. */
typedef struct
{
  gint64 step;                /* the latest one seen */
  gint64 start, started_step; /* TSR_UNKNOWN: none */
} TsrLastStart;

/* The first step that ends before an earlier one of its IPU begins. */
typedef struct
{
  gint64 row, step, ipu, end, earlier_step, start;
} TsrEarlyStep;

/* One allocation of the tile that is being read. */
typedef struct
{
  gint64 offset, size, class;
} TsrAllocation;

struct _TsrCheck
{
  TsrReport *report;
  TsrProfile *profile;
  TsrDiagnostics *diagnostics;
  TsrProgress *progress;
  GCancellable *cancellable;
  const char *file;   /* base name of profile.pop */
  gboolean ours;      /* the file says that it follows the rules for writers */
  guint64 file_bytes; /* nothing is allocated that such a file cannot justify */
  guint64 bytes_before;
  GHashTable *flagged; /* "table\nrow" that a reader or an earlier test found wrong */

  const TsrCheckTable *table; /* being read */

  /* TSR_UNKNOWN when not told. */
  gint64 n_tiles, tiles_per_ipu, n_ipus, n_all_ipus, bytes_per_tile, interleaved_start;
  const TsrMemoryTables *memory; /* (nullable) */

  TsrIdSet sets[TSR_N_SETS];
  TsrIdSet arrays, arrays_of_ipu; /* referred to as such */

  gint64 n_steps;    /* liveness steps */
  gint64 *declared;  /* [step] liveness_steps */
  gint64 *lifetimes; /* [step + 1] differences from variable_lifetimes */
  gboolean has_lifetimes;
  gint64 *ipu_declared, *ipu_lowered; /* [ipu * (steps + 1) + step]; the second: differences */
  gboolean has_ipu_declared;
  gint64 *variable_bytes, *variable_ipu_bytes, *variable_lowered; /* [variable] */
  gboolean has_variable_ipus;

  GArray *intervals;     /* TsrLifetime, by class, start */
  guint *class_start;    /* [place of the class]: first of its intervals; one more at the end */
  gint64 *allocated;     /* [category]: sum over vars_info; after the last one rows without one */
  gint64 *tile_category; /* [tile * (categories + 1) + category]: likewise; NULL when too large */
  GArray *tile_vars;     /* TsrSpan, [tile]; first = TSR_UNKNOWN: no row */
  gint64 tile;           /* of vars_info that is being read; -1 before the first row */
  gint64 tile_rows;      /* rows of it seen */
  gboolean tile_sound;   /* every value of it was good */
  gint64 tile_always_live;
  GArray *tile_allocations; /* TsrAllocation */
  gint64 *tile_steps;       /* [step + 1]: differences, all 0 between tiles */
  gboolean vars_sound;      /* in order and every value good: sums over tiles can be compared */
  gboolean lives_told;      /* always_live and equivalence_class are there */
  gboolean vars_in_order;
  gboolean intervals_sound; /* of equivalence classes */

  GArray *edges; /* TsrEdge */
  GArray *runs;  /* TsrSpan, [place of the run] */
  gint64 previous_end_step;
  GArray *run_ends;             /* TsrRunEnd, by step: of the runs all of whose steps are there */
  GArray *last_starts;          /* TsrLastStart, [ipu] */
  gint64 slice_step, slice_ipu; /* of the row before */
  guint64 n_slices, n_early;
  TsrEarlyStep early;
  gint64 n_vertices;         /* sum of counts; TSR_UNKNOWN once one is unknown */
  GHashTable *vertex_counts; /* tile array to the count that it must add up to */
};

/* What the loader already told is not told again in other words. */
void tsr_check_note_earlier_findings (TsrCheck *check);
/* Adds a finding at @row of the table that is being read (or @table). */
void tsr_check_add (TsrCheck *check,
                    TsrSeverity severity,
                    const char *code,
                    const char *table,
                    gint64 row,
                    const char *format,
                    ...) G_GNUC_PRINTF (6, 7);
/* Whether @row already has a finding: what follows from it is not told again. */
gboolean tsr_check_is_flagged (TsrCheck *check, const char *table, gint64 row);
/* TRUE when @n values of 8 bytes are not more than the file justifies. */
gboolean tsr_check_may_hold (TsrCheck *check, guint64 n);
/* Zeroed; NULL when @n values are too many for this file. */
gint64 *tsr_check_new_values (TsrCheck *check, guint64 n);

/* Sums that may wrap around for a hostile file but never undefined. */
static inline gint64
tsr_check_wrap_add (gint64 a, gint64 b)
{
  return (gint64)((guint64)a + (guint64)b);
}

/* ---- parts */
void tsr_check_memory_invariants (TsrCheck *check);

void tsr_check_interval_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_interval_end (TsrCheck *check);
void tsr_check_tile_vars_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_vars_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
/* A row that somebody complained about already: it counts, and nothing can be added up. */
void tsr_check_vars_flagged_row (TsrCheck *check, gint64 row, const gint64 *values);
void tsr_check_vars_end (TsrCheck *check);

void tsr_check_variable_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_variable_ipu_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_lifetime_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_liveness_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_liveness_ipu_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_liveness_invariants (TsrCheck *check);

void tsr_check_program_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_child_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_program_tree (TsrCheck *check);
void tsr_check_program_variable_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_vertex_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_vertex_end (TsrCheck *check);

void tsr_check_run_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_step_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_step_end (TsrCheck *check);
void tsr_check_slice_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_slice_end (TsrCheck *check);
void tsr_check_block_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);
void tsr_check_array_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v);

gboolean tsr_check_archive (TsrCheck *check, GError **error);
/* Before the tables, which refer to its contexts. */
gboolean tsr_check_debug (TsrCheck *check, GError **error);

G_END_DECLS
