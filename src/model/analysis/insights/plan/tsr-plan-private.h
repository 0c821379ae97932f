/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Inside of TsrPlan, for the files that it is made of.  From the bottom: lives (what recomputing
 * does to lifetimes), candidates (which measures there are), cells (rows by tile, class and what
 * measures do to them), forecast, texts, then what
 * builds the plan and what asks it. */

#pragma once

#include "tsr-live-sums.h"
#include "tsr-plan.h"

G_BEGIN_DECLS

/* What a measure does to a row of the lowered tables. */
typedef enum
{
  TSR_PLAN_GONE,
  TSR_PLAN_SPREAD,
  TSR_PLAN_HALVED,
  TSR_PLAN_BATCH,
  TSR_PLAN_RECOMPUTED, /* only its lifetime */
  TSR_PLAN_NOTHING,
} TsrPlanAct;

/* Rows that all measures treat alike. */
typedef struct
{
  TsrMeasureSet mask; /* measures that change them */
  guint32 entry;      /* of TsrVariables, where lifetimes may change; else TSR_NO_INDEX */
} TsrPlanSubject;

/* Rows of one tile, class and subject.  Halved, they are (bytes + pad2) / 2; halved twice (bytes +
 * pad4) / 4: each row is rounded up to whole 8 bytes. */
typedef struct
{
  guint32 class_index; /* or TSR_CLASS_... */
  guint32 subject;     /* 0: no measure changes them */
  gint64 bytes;        /* TSR_UNKNOWN when that of any row is */
  guint32 pad2;
  guint32 pad4 : 31;
  guint32 above : 1; /* the start of interleaved memory; told on tiles that are split only */
} TsrPlanCell;

/* Of one tile. */
typedef struct
{
  gint64 live;  /* L'(t); TSR_UNKNOWN */
  gint64 above; /* the same of what lies above the start of interleaved memory; TSR_UNKNOWN, and
                 * where the tile is not split */
  guint32 step; /* of live; TSR_NO_INDEX */
  guint32 above_step; /* unless @above is not known */
} TsrPlanPeak;

/* What a spread variable has on an IPU. */
typedef struct
{
  guint measure, ipu;
  guint32 class_index, subject;
  gint64 bytes; /* TSR_UNKNOWN */
} TsrPlanShare;

/* A program's variable, by program. */
typedef struct
{
  guint32 entry;
  guint8 role;
} TsrPlanTouch;

/* Lifetimes with some variables recomputed: classes of their own behind those of the report. */
typedef struct
{
  TsrLoweredTables lowered; /* the report's, with intervals of its own */
  TsrLiveAxis axis;
  GHashTable *remap; /* entry -> GArray of guint32 pairs: class, class instead of it */
} TsrPlanWorld;

struct _TsrPlan
{
  gatomicrefcount refs;
  TsrMemory *memory;
  TsrLiveness *liveness;   /* (nullable) keeps variables and tables alive */
  TsrVariables *variables; /* (nullable) borrowed from it */
  const TsrLoweredTables *lowered;
  const TsrLivenessTables *tables;
  const TsrProgramTables *programs; /* (nullable) */
  TsrReport *report;
  TsrUnits units;

  char *missing;
  TsrFit fit;
  guint n_tiles, n_steps, n_needing, worst;
  gint64 capacity, interleaved_start; /* TSR_UNKNOWN */
  gint64 *over_now;                   /* by tile: need(t), or inc(t) - T where that is 0 */
  TsrPlanPeak *now;                   /* (nullable) before it is known */
  guint8 *split;                      /* by tile: overflows, and addresses are known */
  guint *needing;                     /* tiles, largest need first */

  /* what programs touch (nullable without program_variables) */
  guint32 *touch_start; /* n_programs + 1 */
  TsrPlanTouch *touches;
  GHashTable *touched; /* entry -> GArray of guint32: steps, ascending */
  guint8 *of_program;  /* by entry: any of its rows has a variable */

  guint n_measures;
  TsrMeasure measures[TSR_PLAN_MOST];
  TsrPlanAct acts[TSR_PLAN_MOST];
  guint32 entries[TSR_PLAN_MOST]; /* that a measure is about; TSR_NO_INDEX */

  GHashTable *twins; /* name of lowered -> measure + 1: equal exchanges but the first of each */

  GArray *subjects; /* TsrPlanSubject */
  TsrPlanCell *cells;
  gsize *cell_start;        /* n_tiles + 1 */
  TsrMeasureSet *tile_mask; /* measures that change anything on the tile */
  guint32 *receiver;        /* by tile: place among its IPU's receivers; TSR_NO_INDEX */
  guint *n_receivers;       /* by IPU */
  GArray *shares;           /* TsrPlanShare */

  TsrPlanWorld *base; /* nothing is recomputed */
  TsrPlanGrowth growth;
};

/* ---- lives */
gboolean tsr_plan_read_touches (TsrPlan *self, GCancellable *cancellable, GError **error);
/* Whether recomputing @entry changes any of its lifetimes; the cycles of what makes it, or
 * TSR_UNKNOWN. */
gboolean tsr_plan_can_recompute (TsrPlan *self, guint32 entry, gint64 *cycles);
/* Entries whose lifetimes change when @entry is recomputed: itself, inputs, temporaries.
 * (transfer full) (element-type guint32) */
GArray *tsr_plan_list_changed (TsrPlan *self, guint32 entry);
TsrPlanWorld *tsr_plan_world_new (TsrPlan *self, TsrMeasureSet recomputed);
void tsr_plan_world_free (TsrPlanWorld *world);

/* ---- candidates: fills the acts, the entries and the measures, without numbers and texts */
gboolean tsr_plan_find_candidates (TsrPlan *self, GCancellable *cancellable, GError **error);

gboolean tsr_plan_is_halved (TsrPlan *self, guint32 entry);
/* A place that no row has, not even one without a category, where the report has none of @name. */
guint16 tsr_plan_find_category (TsrPlan *self, const char *name);

/* ---- cells */
gboolean tsr_plan_fill_cells (TsrPlan *self, GCancellable *cancellable, GError **error);

/* ---- forecast */
typedef struct _TsrPlanEval TsrPlanEval;
/* A set to ask about tiles one by one, on one thread. */
TsrPlanEval *tsr_plan_eval_new (TsrPlan *self, const TsrPlanWorld *world, TsrMeasureSet set);
void tsr_plan_eval_free (TsrPlanEval *eval);
void tsr_plan_eval_tile (TsrPlanEval *eval, guint tile, TsrPlanPeak *peak);
/* What the tile has too much packed as now, less than 0: free; TSR_UNKNOWN. */
gint64 tsr_plan_get_packed (const TsrPlan *self, guint tile, const TsrPlanPeak *peak);
/* Of all tiles into an array of n_tiles; where the set changes nothing, what is there now. */
gboolean tsr_plan_eval_all (TsrPlan *self,
                            TsrMeasureSet set,
                            TsrPlanPeak *peaks,
                            GCancellable *cancellable,
                            GError **error);
/* Those of @set that recompute. */
TsrMeasureSet tsr_plan_get_recomputed (TsrPlan *self, TsrMeasureSet set);
/* What each measure saves by itself. */
gboolean tsr_plan_find_savings (TsrPlan *self, GCancellable *cancellable, GError **error);
gboolean tsr_plan_find_growth (TsrPlan *self, GCancellable *cancellable, GError **error);

/* ---- the plan */
void tsr_plan_measure_clear (TsrMeasure *measure);
TsrMeasureSet tsr_plan_get_of_kind (TsrPlan *self, TsrMeasureKind kind); /* that have a number */

/* ---- texts */
void tsr_plan_write_texts (TsrPlan *self);

#define TSR_PLAN_BIT(i) ((TsrMeasureSet)1 << (i))

G_END_DECLS
