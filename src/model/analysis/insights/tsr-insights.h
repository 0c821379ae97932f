/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Insights: whether a report fits, and findings by the rules of docs/insights.md.  Each rule is a
 * pure function of what it is given; its thresholds stand in one table (tsr-insight-limits.c).  All
 * bytes are of one replica.  Worker thread; the result is immutable and shared by reference. */

#pragma once

#include "tsr-liveness.h"
#include "tsr-operations.h"
#include "tsr-trace.h"
#include "tsr-vertices.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_FINDING_ERROR,   /* does not fit */
  TSR_FINDING_WARNING, /* costs at least 10 % of a tile or of the run, or threatens the fit */
  TSR_FINDING_ADVICE,  /* 2 to 10 % */
  TSR_FINDING_INFO,
} TsrFindingSeverity;

typedef enum
{
  TSR_CONFIDENCE_EXACT,
  TSR_CONFIDENCE_ESTIMATE,
  TSR_CONFIDENCE_UPPER_BOUND,
} TsrConfidence;

typedef struct
{
  char *name;
  gint64 bytes, cycles; /* TSR_UNKNOWN: not this kind */
  double share;         /* 0..1 of what the finding is about; NaN */
} TsrEvidence;

/* What shows the finding: which view, and what is selected there.  Unset: TSR_NO_INDEX, NULL, 0. */
typedef struct
{
  TsrView view;
  guint *tiles;
  guint n_tiles;
  guint step;            /* liveness step */
  guint run, ipu;        /* of the trace: row of the run, IPU over all replicas */
  GStrv names;           /* variables, vertex types or programs that are selected, largest first */
  gboolean prefixes;     /* of the trace: names are the first parts of names */
  const char *breakdown; /* (nullable) nick, for the Memory view */
  const char *tab;       /* (nullable) "vertices", "exchanges", "variables": detail tab */
  char *layer;           /* (nullable): word of a software layer, for Operations */
  char *operation;       /* (nullable): its key in the list of operations */
} TsrFindingWhere;

typedef struct
{
  const char *rule; /* stable id: "out-of-memory" */
  TsrFindingSeverity severity;
  char *title;  /* at most 60 characters, with the number in it; translated, as all texts */
  char *text;   /* what, where, why it matters */
  char *action; /* what to try, the cheapest first */
  gint64 bytes; /* saved over all tiles; TSR_UNKNOWN when no number can be given */
  gint64 bytes_worst_tile;
  gint64 cycles;
  char *scope;      /* "replica", "ipu0", "tile5" */
  GArray *evidence; /* TsrEvidence, at most five */
  TsrFindingWhere where;
  GStrv inputs;             /* tables used */
  TsrConfidence confidence; /* of the savings */
  gboolean at_least;        /* an estimate that leaves something out: more is saved */
} TsrFinding;

/* A rule that did not fire, or that could not be checked. */
typedef struct
{
  const char *rule;
  char *title; /* what the rule looks for */
  char *text;  /* measured value and threshold; or what is missing and the option that records it */
} TsrUnfired;

/* One line of "Largest": by kind and scope. */
typedef enum
{
  TSR_LARGEST_VERTEX_STATE,
  TSR_LARGEST_VERTEX_CODE,
  TSR_LARGEST_VARIABLE, /* always live, and not always live at the peak */
  TSR_LARGEST_EXCHANGE,
  TSR_LARGEST_STEP, /* program step with most live memory */
} TsrLargestKind;
typedef struct
{
  TsrLargestKind kind;
  char *scope; /* "replica", "ipu0", "tile5" */
  char *name;
  gint64 bytes;
  gboolean always_live; /* variables */
  guint step;           /* TSR_LARGEST_STEP, and where a variable was looked at */
  guint n_peaks;        /* TSR_LARGEST_STEP: of that program, of which this is the highest */
  GStrv used_in;        /* (nullable) compute sets of a vertex type */
} TsrLargest;

typedef enum
{
  TSR_FITS,
  TSR_OUT_OF_MEMORY,
  TSR_FIT_UNKNOWN,
} TsrFit;

typedef struct _TsrInsights TsrInsights;

/* @liveness, @vertices and @trace (nullable): without them what needs them is listed as not
 * checked. Sizes in texts are in @units.  NULL only when cancelled.  The same result for every
 * number of threads. */
TsrInsights *tsr_insights_new (TsrReport *report,
                               TsrMemory *memory,
                               TsrLiveness *liveness,
                               TsrVertices *vertices,
                               TsrTrace *trace,
                               TsrUnits units,
                               TsrProgress *progress,
                               GCancellable *cancellable,
                               GError **error);
/* @operations (nullable): those of the first layer, with the variables of @liveness, by whoever has
 * them already; NULL: they are computed here. */
TsrInsights *tsr_insights_new_with_operations (TsrReport *report,
                                               TsrMemory *memory,
                                               TsrLiveness *liveness,
                                               TsrVertices *vertices,
                                               TsrTrace *trace,
                                               TsrOperations *operations,
                                               TsrUnits units,
                                               TsrProgress *progress,
                                               GCancellable *cancellable,
                                               GError **error);
TsrInsights *tsr_insights_ref (TsrInsights *self);
void tsr_insights_unref (TsrInsights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrInsights, tsr_insights_unref)

/* Depends on tiles only: fits exactly when no tile has need(t) > 0. */
TsrFit tsr_insights_get_fit (TsrInsights *self);
/* (transfer none): "Fits: fullest tile 1806 uses 368 of 624 KiB (59 %), 256 KiB free"; the second,
 * smaller line.  In @units. (transfer full) */
char *tsr_insights_dup_status (TsrInsights *self, TsrUnits units);
char *tsr_insights_dup_status_detail (TsrInsights *self, TsrUnits units);
gint64 tsr_insights_get_including_gaps (TsrInsights *self);
gint64 tsr_insights_get_excluding_gaps (TsrInsights *self);
gint64 tsr_insights_get_memory_per_replica (TsrInsights *self);
/* Critical tiles (docs/insights.md#memory), worst first; the first is w.  Empty when nothing is
 * known. */
const guint *tsr_insights_peek_critical (TsrInsights *self, guint *n_tiles);
/* The five tiles with the largest including gaps, ties to the lower. */
const guint *tsr_insights_peek_top (TsrInsights *self, guint *n_tiles);
/* Parts of the fullest tile's bar, bytes that add up to its capacity (or to what it needs): always
 * live, not always live at its peak, packing loss, gaps, free; each TSR_UNKNOWN when not told. */
void tsr_insights_get_worst_parts (TsrInsights *self, gint64 parts[5]);

/* Histogram of including gaps: 24 bins from 0 to the capacity and one more beyond it:
 * [ipu * (TSR_N_BINS + 1) + bin] tiles. */
#define TSR_N_BINS 24
const guint *tsr_insights_peek_histogram (TsrInsights *self, guint *n_ipus);
/* The bin that @tile of @memory, which the insights are of, is counted in; TSR_NO_INDEX: in none.
 */
guint tsr_insights_find_bin (TsrInsights *self, TsrMemory *memory, guint tile);
/* Bytes [from, to) of a bin; the last one has no end (G_MAXINT64). */
void tsr_insights_get_bin (TsrInsights *self, guint bin, gint64 *from, gint64 *to);

/* (transfer none) (element-type TsrFinding): by severity, then by size (docs/insights.md#findings).
 */
GPtrArray *tsr_insights_peek_findings (TsrInsights *self);
GPtrArray *tsr_insights_peek_fine (TsrInsights *self);        /* TsrUnfired */
GPtrArray *tsr_insights_peek_not_checked (TsrInsights *self); /* TsrUnfired */
/* (transfer full) (nullable): where there is no finding, what that means: nothing was checked, some
 * rules were not, or all is fine. */
char *tsr_insights_dup_silence (TsrInsights *self);
/* (transfer none) (element-type TsrLargest): replica first, then IPUs, then the five top tiles; by
 * kind; at most five of each. */
GPtrArray *tsr_insights_peek_largest (TsrInsights *self);

/* (transfer full): a finding as Markdown: title, text, action, evidence as a table, the command
 * line that prints it again. */
char *tsr_finding_dup_markdown (const TsrFinding *finding, const char *location, TsrUnits units);
const char *tsr_finding_severity_get_nick (TsrFindingSeverity severity);
const char *tsr_confidence_get_nick (TsrConfidence confidence);
/* (transfer none): what stands before @finding's saving on the worst tile, or over all tiles:
 * "Saves up to, on the worst tile"; "about", "at least" or nothing by its confidence.  Translated.
 */
const char *tsr_finding_get_saving_title (const TsrFinding *finding, gboolean worst_tile);

/* (transfer none): words by which variables are recognised ("accumulators", "stash",
 * "keep-fp32", "optimiser"), compared without case anywhere in a name. */
const char *const *tsr_insight_patterns_get (const char *list);

/* (transfer full): "12,000 cycles". */
char *tsr_finding_dup_cycles (gint64 cycles);
/* (transfer full): how much a line of evidence is: bytes, cycles or both; "" for neither. */
char *tsr_evidence_dup_size (const TsrEvidence *evidence, TsrUnits units);
/* (transfer none): what stands before the cycles that @finding saves. Translated. */
const char *tsr_finding_get_cycles_title (const TsrFinding *finding);

/* The rules in order, for those who explain them: help and documents.  Texts are not yet
 * translated.  FALSE: there is no rule @index. */
typedef struct
{
  const char *id;      /* stable: "out-of-memory" */
  const char *title;   /* what the rule looks for */
  const char *meaning; /* what it measures, in a sentence or two */
} TsrInsightRuleText;
gboolean tsr_insight_rules_describe (guint index, TsrInsightRuleText *text);

/* Thresholds, in the order of the rules: one table for all. */
typedef struct
{
  const char *name; /* "near-capacity.free": the rule's id, or "execution", and a word */
  double value;
  const char *unit;    /* "of a tile" (a share), "steps" (a count), ...; not yet translated */
  const char *meaning; /* what begins at the value: "Fires when ... less free than" */
} TsrInsightLimit;
const TsrInsightLimit *tsr_insight_limits_get (guint *n_limits);
/* (transfer full): "5 % of a tile", "50 steps". */
char *tsr_insight_limit_dup_value (const TsrInsightLimit *limit);

G_END_DECLS
