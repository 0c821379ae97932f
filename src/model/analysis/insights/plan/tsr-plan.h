/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fix plan: which changes together make a program fit (docs/insights.md#the-fix-plan).  A plan
 * has measures; a set of them is forecast for every tile, and the plan proposes a set.  Built and
 * asked by worker threads; immutable, shared by reference.
 *
 * What a measure does to the lowered variables (rows of vars_info), word for word.  "Touches": has
 * a row of program_variables.  f, a, b are liveness steps; the program of a step is
 * liveness_steps.program.
 *
 *   instrumentation   rows of category instrumentationResults are gone.
 *
 *   halve-fp32        rows of category variable that belong to a variable with element_type float
 *                     or float32, whose name has none of the words "keep-fp32"
 *                     (tsr_insight_patterns_get): half the bytes, in whole 8 bytes.
 *
 *   drop:NAME         all rows of variable NAME are gone: it lives off the chip.  Offered for
 *                     variables of the program that are always live or resident.
 *
 *   move:NAME         NAME is spread evenly: on each IPU, for each equivalence class (or always
 *                     live), its B bytes are U = ceil (B / 8) words.  The R receivers are the tiles
 *                     of that IPU that have a row of category vertexCode or vertexInstanceState,
 *                     all tiles of the IPU when none has.  Receiver i of 0 .. R - 1, by tile, gets
 *                     8 x (U / R + (i < U mod R)) bytes; no other tile has any.
 *
 *   recompute:NAME    NAME is not kept where nothing touches it.  For each interval [p, q) of each
 *                     of its classes: of the steps in [p, q) whose program touches NAME take the
 *                     neighbours a < b that are farthest apart (the first such pair); f is the
 *                     first step of all in [p, q) that touches it.  NAME is live in [p, a + 1) and
 *                     [b, q).  For every other variable X that the program of step f touches, and
 *                     each class of X with an interval that contains f:
 *                     - X is made by the compiler (none of its rows has a variable): X is live at
 *                       b, [b, b + 1), as well;
 *                     - X is an input: role 0 or 1, and live at f - 1: X is kept, live in
 *                       [f, b + 1) as well.  If that interval of X itself is recomputed in the same
 *                       set, X is live in [b, b + 1) only, and what the program that makes X
 *                       touches follows by the same rules; nothing if X is live at b anyway;
 *                     - X is always live, or begins at f: nothing.
 *                     An interval with fewer than two such steps, or with b = a + 1, stays.
 *
 *   outline:NAME      rows of category internalExchangeCode whose names are equal but for digits,
 *                     and equal in bytes on every tile, stand more than once: all but those of the
 *                     first name (lowest row) are gone.  NAME is the first name.
 *
 *   memory-proportion:NAME, serialise:NAME
 *                     rows made by the compiler with base name NAME (before '#') are gone: an upper
 *                     bound.
 *
 *   batch             rows that are not always live, of category variable or message and no
 *                     resident variable: half the bytes, in whole 8 bytes: an upper bound.
 *
 *   exchange, layout  no number; nothing happens to any row.
 *
 * In a set a row is first dropped, then spread, then halved by halve-fp32, then by batch, then its
 * lifetime changes; each at most once.  So two measures never count a byte twice. */

#pragma once

#include "tsr-insights.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_MEASURE_EXACT,       /* L'(t) follows from the report */
  TSR_MEASURE_UPPER_BOUND, /* saves at most this */
  TSR_MEASURE_LISTED,      /* no number is known; in no total, and not forecast */
} TsrMeasureKind;
const char *tsr_measure_kind_get_nick (TsrMeasureKind kind); /* "upper-bound" */

typedef struct
{
  char *id;            /* stable: "recompute:model/bn1/out" */
  TsrMeasureKind kind; /* of the saving */
  char *title;         /* what to do, with the name; translated, as all texts */
  char *text;          /* what it means, and for upper bounds what it must shrink to */
  char *missing;       /* (nullable): "Cannot be computed: needs X ..."; then there is no number */
  char *variable;      /* (nullable): name of the variable, or base name, that it is about */
  gint64 worst_tile;   /* bytes saved on w by this alone; TSR_UNKNOWN */
  gint64 relief;       /* by how much the sum of need(t) falls; TSR_UNKNOWN */
  const gint64 *saved; /* (nullable): by tile, L(t) - L'(t) by this alone; less than 0: receives */
  gint64 cycles;       /* that it costs in each run of the program; TSR_UNKNOWN: not known */
  const char *option;  /* (nullable): engine option or API call ... */
  const char *source;  /* (nullable): ... and what documents it: a repository and its file */
} TsrMeasure;

typedef struct _TsrPlan TsrPlan;

/* A set of measures: a bit for each, by its place in the list, which has at most TSR_PLAN_MOST. */
typedef guint64 TsrMeasureSet;
#define TSR_PLAN_MOST 64

/* @liveness (nullable).  Sizes in texts are in @units.  Without lowered variables there is a plan
 * that has no measures and says why.  NULL only when cancelled. */
TsrPlan *tsr_plan_new (TsrReport *report,
                       TsrMemory *memory,
                       TsrLiveness *liveness,
                       TsrUnits units,
                       GCancellable *cancellable,
                       GError **error);
TsrPlan *tsr_plan_ref (TsrPlan *self);
void tsr_plan_unref (TsrPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrPlan, tsr_plan_unref)

/* (transfer none) (nullable): why there is no plan, and which option records what is missing. */
const char *tsr_plan_get_missing (TsrPlan *self);
/* As TsrInsights tells it. */
TsrFit tsr_plan_get_fit (TsrPlan *self);
/* w; TSR_NO_INDEX. */
guint tsr_plan_get_worst (TsrPlan *self);
guint tsr_plan_get_n_tiles (TsrPlan *self);
guint tsr_plan_get_n_needing (TsrPlan *self); /* tiles with need(t) > 0 */
/* (transfer none): the largest relief first, those without a number last. */
const TsrMeasure *tsr_plan_peek_measures (TsrPlan *self, guint *n_measures);
/* TSR_NO_INDEX: there is none. */
guint tsr_plan_find (TsrPlan *self, const char *id);
/* Ids with commas; names may have commas, too.  Measures without a number are refused:
 * TSR_ERROR_ARGUMENT with the id that is off and those there are. */
gboolean tsr_plan_parse (TsrPlan *self, const char *ids, TsrMeasureSet *set, GError **error);
/* (transfer full): the ids of @set, with commas. */
char *tsr_plan_dup_ids (TsrPlan *self, TsrMeasureSet set);

/* "298 KiB too much on tile 706, 869 tiles overflow".  (transfer full) */
char *tsr_plan_dup_status (TsrPlan *self);

/* ---------------------------------------------------------------- forecast */

typedef enum
{
  TSR_PLAN_FITS,         /* packed as now, on all tiles; no upper bound is ticked */
  TSR_PLAN_MAY_FIT,      /* at best, on all tiles */
  TSR_PLAN_DOES_NOT_FIT, /* not even at best */
  TSR_PLAN_UNKNOWN,
} TsrPlanVerdict;
const char *tsr_plan_verdict_get_nick (TsrPlanVerdict verdict); /* "may-fit" */
const char *tsr_plan_verdict_get_name (TsrPlanVerdict verdict); /* translated */

/* One of the two numbers, over all tiles. */
typedef struct
{
  gint64 *over; /* by tile: bytes too many; 0 or less: fits, and so much is free; TSR_UNKNOWN */
  guint n_over; /* tiles with more than 0 */
  guint worst;  /* the tile with most of it, ties to the lower; TSR_NO_INDEX: none is known */
  gint64 most;  /* on it; TSR_UNKNOWN: it fits, and what is free is not known */
  gint64 sum;   /* of all that are more than 0; TSR_UNKNOWN */
} TsrPlanNumber;

typedef struct
{
  TsrMeasureSet set;
  TsrPlanVerdict verdict;
  guint n_tiles;
  gint64 *live;       /* by tile: L'(t); TSR_UNKNOWN */
  gint64 *live_now;   /* L(t) */
  guint32 *peak_step; /* by tile: first step where it is reached; TSR_NO_INDEX */
  TsrPlanNumber best; /* L'(t) - T */
  /* need(t) - (L(t) - L'(t)); need(t) here goes on below 0: inc(t) - T.  On a tile that overflows
   * no more is freed than is freed above the start of interleaved memory (H(t) of
   * docs/insights.md). */
  TsrPlanNumber packed;
  guint peak_tile;        /* where most remains: packed.worst */
  char *peak_name;        /* (nullable): program of the step there */
  gint64 cycles;          /* that the measures cost, those known; TSR_UNKNOWN: none is */
  guint n_unknown_cycles; /* measures whose cycles are not known */
} TsrForecast;

/* (transfer full): @set as a bit for each measure; those without a number must not be in it.  Takes
 * about as long as the peaks of all tiles.  NULL and @error only when cancelled. */
TsrForecast *
tsr_plan_forecast (TsrPlan *self, TsrMeasureSet set, GCancellable *cancellable, GError **error);
void tsr_forecast_free (TsrForecast *forecast);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrForecast, tsr_forecast_free)

/* ---------------------------------------------------------------- proposal */

typedef struct
{
  TsrMeasureSet set; /* 0: nothing helps, or nothing is needed */
  gboolean greedy;   /* more than TSR_PLAN_EXACT_CANDIDATES: there may be fewer that do */
  gboolean bounded;  /* upper bounds are in it: exact ones are not enough */
  guint n_candidates;
  TsrForecast *forecast; /* of the set: what remains */
  char *text;            /* a sentence that says all this */
} TsrProposal;
#define TSR_PLAN_EXACT_CANDIDATES 12

/* (transfer full): the fewest exact measures that fit, else the fewest of all that may fit; where
 * none do, what helps most.  Of equally many the first in the order of the list.  NULL and @error
 * only when cancelled. */
TsrProposal *tsr_plan_propose (TsrPlan *self, GCancellable *cancellable, GError **error);
void tsr_proposal_free (TsrProposal *proposal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrProposal, tsr_proposal_free)

/* -------------------------------------------------------------- room to grow */

/* By which factor what scales with the batch (the rows that "batch" is about) could grow on every
 * tile, or must shrink (below 1; 0: that alone is not enough): at best, and packed as now.  NaN:
 * not known, or nothing scales. */
typedef struct
{
  double best, packed;
  guint best_tile, packed_tile; /* that decide; TSR_NO_INDEX */
} TsrPlanGrowth;
void tsr_plan_get_growth (TsrPlan *self, TsrPlanGrowth *growth);

/* (transfer full): the two numbers, the next peak and the costs of a forecast, a line each. */
char *tsr_plan_dup_forecast_text (TsrPlan *self, const TsrForecast *forecast);
/* (transfer full): a forecast as plain text for a ticket: status, measures with their savings,
 * verdict, what remains, the command line that prints it again.  @location: of the report. */
char *tsr_plan_dup_text (TsrPlan *self, const TsrForecast *forecast, const char *location);

G_END_DECLS
