/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the rules share: the quantities of docs/insights.md#quantities as plain arrays, so that a
 * rule is a pure function of them and a test can make them by hand.  Only tsr-insight*.c, the plan
 * and their tests include this.  One worker thread. */

#pragma once

#include "tsr-insights.h"
#include "tsr-known.h"

G_BEGIN_DECLS

/* What a rule needs to know of an entry of TsrVariables. */
typedef struct
{
  const char *name, *category, *element_type; /* borrowed; (nullable) but for name */
  gint64 bytes;                               /* over all tiles */
  TsrLife life;
  gboolean compiler_made;
} TsrInsightVariable;

/* A variable's bytes on the worst tile. */
typedef struct
{
  guint32 variable;
  gint64 always;  /* of its always-live allocations */
  gint64 at_peak; /* of those that are not, live at k*(w) */
  gint64 all;     /* of all */
} TsrInsightHeld;

/* Where a tile's addresses are not used. */
typedef struct
{
  gint64 from, bytes;
  const char *before, *after; /* names of the neighbours; (nullable) at the ends */
} TsrInsightGap;

/* A program with exchange code of its own. */
typedef struct
{
  const char *name;
  guint32 program;        /* row of the program tables */
  gboolean internal;      /* between tiles of one IPU */
  gint64 total, on_worst; /* bytes of code */
  guint32 group;          /* internal ones with equal names but for digits and equal code arrays */
  gint64 *by_scope;       /* bytes of code in each scope */
} TsrInsightExchange;

/* What "largest" lists are about: the replica, an IPU, a tile: tiles [first, end). */
typedef struct
{
  TsrLivenessSourceKind kind;
  guint index; /* IPU or tile */
  guint first, end;
} TsrInsightScope;

/* A vertex type. */
typedef struct
{
  const char *name;
  guint32 row;         /* of the program tables; TSR_NO_INDEX in tests */
  gint64 code;         /* on the worst tile */
  gint64 count, state; /* instances and their bytes, on the worst tile */
  gint64 *code_array;  /* (nullable), borrowed: n_tiles values */
} TsrInsightVertex;

/* Code of programs that run once in a run. */
typedef struct
{
  gboolean known;
  const char *missing; /* table that is not there when not known */
  double median;       /* occurrences of the median program in one run */
  guint n_programs;
  gint64 exchange, vertex, control;                   /* on the worst tile */
  gint64 exchange_total, vertex_total, control_total; /* on all tiles */
  GPtrArray *names;                                   /* (nullable) of the largest, borrowed */
  GArray *bytes;                                      /* gint64, likewise */
  const char *tab; /* (nullable): detail tab that lists the largest */
} TsrInsightOneOff;

/* The execution of the profiled run, as its rules see it (docs/insights.md#execution). */
typedef struct
{
  const char *missing;      /* (nullable): table without which nothing can be said */
  const TsrTrace *trace;    /* (nullable), borrowed */
  guint run;                /* row */
  guint first_ipu, n_ipus;  /* of the replica that is looked at */
  gint64 *from, *to;        /* S(i): [from, to) by IPU of the replica */
  gint64 span;              /* S */
  gboolean one_run;         /* no other run was recorded */
  gboolean estimated;       /* by the IPU Model */
  gboolean without_balance; /* instrumentation is coarser than tiles */
} TsrInsightExecution;

/* An operation, as the rules about operations see it. */
typedef struct
{
  const char *name; /* (nullable): what has no debug information */
  guint64 id;       /* of its context */
  gint64 cycles;    /* over tiles and executions; TSR_UNKNOWN */
  gint64 on_worst;  /* bytes of its variables on w: always live or at the peak; all of them where
                       that is not told */
} TsrInsightOperation;

/* Those of the layer that the Operations page opens with. */
typedef struct
{
  const char *layer, *title; /* (nullable): no debug information is known; its word and name */
  gboolean unread;           /* there is a debug.cbor, which was not read, or could not be */
  gboolean without_programs; /* the report has none: nothing can be said */
  gboolean estimated;        /* nothing was measured */
  gint64 cycles;             /* of the report; TSR_UNKNOWN */
  GArray *list;              /* (nullable) TsrInsightOperation; NULL without programs */
} TsrInsightOperations;

typedef struct
{
  TsrUnits units;
  /* the target; TSR_UNKNOWN where not told */
  gint64 capacity; /* T */
  gint64 n_replicas, interleaved_start, memory_per_replica;
  gint64 tiles_per_ipu;
  guint n_tiles, n_ipus;
  guint n_listed_ipus; /* that have a scope */

  /* by tile: n_tiles values, NULL where the file has no such column */
  const gint64 *inc, *exc, *ovf, *not_always_live;
  const gint64 *always_live; /* al(t) */
  const gint64 *interleaved; /* bytes of region 1 */
  const gint64 *fullness;    /* inc, else what stands for it */

  /* by category and tile; NULL where not told */
  guint n_categories;
  const char **category_names, **category_labels;
  gint64 **category_bytes;
  gboolean categories_allocated; /* sums of sizes instead of addresses */

  /* derived by tsr_insight_context_derive () */
  gint64 *need;
  guint n_needing, n_unknown; /* tiles */
  TsrFit fit;
  gint64 sum_inc, sum_exc, sum_need;
  guint *critical, n_critical, top[5], n_top;
  guint worst; /* w, or TSR_NO_INDEX */

  /* variables; n_variables is 0 without any table of them */
  guint n_variables;
  TsrInsightVariable *variables;

  /* Lowered variables (nullable) and what they give for w. */
  const TsrLoweredTables *lowered;
  const guint32 *entry; /* variable of a row of lowered */
  guint n_steps;
  gint64 *worst_series; /* (nullable) n(w,k) */
  gint64 *all_series;   /* (nullable) n of all tiles */
  guint worst_peak;     /* k*(w), or TSR_NO_INDEX */
  gint64 worst_live;    /* n(w,k*) */
  GArray *held;         /* (nullable) TsrInsightHeld, largest first */
  GArray *gaps;         /* (nullable) TsrInsightGap, largest first */
  gint64 below_end;     /* end of w's last allocation below the interleaved region; TSR_UNKNOWN */
  GArray *lifetimes; /* (nullable) TsrLifetime over all tiles, by variable; only without lowered */
  guint32 *lifetime_start; /* n_variables + 1 */

  /* Program of a step and what programs touch; (nullable) */
  const char **step_names; /* by step, borrowed, each (nullable) */
  const guint32 *step_program;
  GHashTable *touched; /* (nullable) variable -> GHashTable of programs */

  GArray *scopes;                     /* TsrInsightScope: the replica, then IPUs, then top tiles */
  gint64 *vertex_code, *vertex_state; /* (nullable) [scope * vertex types + type] */
  GArray *exchanges;                  /* (nullable) TsrInsightExchange, largest on w first */
  guint n_exchange_groups;
  gint64 n_stream_copies;
  GArray *vertices;                 /* (nullable) TsrInsightVertex, in the tables' order */
  GPtrArray *arrays;                /* (nullable) of numbers by tile that vertices borrow */
  const TsrProgramTables *programs; /* (nullable) */
  gint64 *entry_counts; /* with programs: instances on w, by entry of compute_set_vertices */
  TsrInsightOneOff one_off;

  TsrInsightExecution execution;
  TsrInsightOperations operations;

  gint64 *owned_always_live; /* (nullable): what always_live and entry point at, if it is ours */
  guint32 *owned_entry;
  GStringChunk *chunk; /* of texts made on the way */
  GCancellable *cancellable;
} TsrInsightContext;

/* Sums, needs, the fit, critical and top tiles from the arrays above. */
void tsr_insight_context_derive (TsrInsightContext *c);
void tsr_insight_context_clear (TsrInsightContext *c);
/* Fills @c; FALSE when cancelled.  The parts, in order. */
gboolean tsr_insight_context_collect (TsrInsightContext *c,
                                      TsrReport *report,
                                      TsrMemory *memory,
                                      TsrLiveness *liveness,
                                      TsrVertices *vertices,
                                      TsrOperations *operations,
                                      GError **error);
/* Of @c->lowered and @c->worst: the series, what w holds and its gaps. */
gboolean tsr_insight_context_look_at_worst (TsrInsightContext *c, GError **error);
gboolean tsr_insight_context_collect_code (TsrInsightContext *c,
                                           TsrReport *report,
                                           TsrVertices *vertices,
                                           GError **error);
/* After the worst tile; @variables (nullable): those of the liveness; @operations as above. */
gboolean tsr_insight_context_collect_operations (TsrInsightContext *c,
                                                 TsrReport *report,
                                                 TsrMemory *memory,
                                                 TsrVariables *variables,
                                                 TsrOperations *operations,
                                                 GError **error);

/* Like tsr_known_add, but what does not fit is the largest number. */
gint64 tsr_insight_add (gint64 a, gint64 b);
guint tsr_insight_get_ipu (const TsrInsightContext *c, guint tile);
/* (nullable): bytes of a category by tile. */
const gint64 *tsr_insight_find_category (const TsrInsightContext *c, const char *name);
/* cat(t, c) and its sum over all tiles; TSR_UNKNOWN when not told, 0 for a category that the report
 * does not have. */
gint64 tsr_insight_get_category (const TsrInsightContext *c, const char *name, guint tile);
gint64 tsr_insight_sum_category (const TsrInsightContext *c, const char *name);

/* Texts that live as long as @c: a size in the context's units, a share, a count. */
const char *tsr_insight_size (const TsrInsightContext *c, gint64 bytes);
const char *tsr_insight_percent (const TsrInsightContext *c, double share);
const char *tsr_insight_count (const TsrInsightContext *c, gint64 count);
const char *tsr_insight_text (const TsrInsightContext *c, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

/* What a change saves (docs/insights.md#what-a-change-saves): the variables marked in @in shrink by
 * @factor; of one that is not always live only in its intervals of at least @least steps, without
 * the first and last @trim of each.  saved on w and over all tiles. */
typedef struct
{
  const guint8 *in; /* by variable */
  double factor;
  guint least;
  double trim;
} TsrInsightChange;
gboolean tsr_insight_get_saving (const TsrInsightContext *c,
                                 const TsrInsightChange *change,
                                 gint64 *worst_tile,
                                 gint64 *all_tiles);

/* Variables that w (@tile), or all tiles, hold at @peak and nowhere outside [from, to); largest
 * first.  (transfer full) (element-type TsrVariableBytes). */
GArray *tsr_insight_list_inside (
    const TsrInsightContext *c, gboolean tile, guint peak, guint from, guint to);

/* Likewise: that are live at @peak and not at the step @other. */
GArray *
tsr_insight_list_not_at (const TsrInsightContext *c, gboolean tile, guint peak, guint other);

/* What w holds at its peak that is not always live, by variable and interval. */
typedef struct
{
  guint32 variable;
  guint32 from, to;
  gint64 bytes;
} TsrInsightSpan;
/* (transfer full) (element-type TsrInsightSpan): largest first. */
GArray *tsr_insight_list_spans (const TsrInsightContext *c);
/* Bytes over all tiles, not always live and live at @step, of variables marked in @in. */
gint64 tsr_insight_sum_at (const TsrInsightContext *c, const guint8 *in, guint step);
/* Tiles that hold any of @variable. */
guint tsr_insight_count_tiles (const TsrInsightContext *c, guint32 variable);
/* (transfer full): by variable, whether it is always live on any critical tile. */
guint8 *tsr_insight_find_always_live (const TsrInsightContext *c);
/* Estimated cycles of the program at a liveness step; TSR_UNKNOWN. */
gint64 tsr_insight_get_step_cycles (const TsrInsightContext *c, guint step);

/* ---- the execution */
/* @trace (nullable) must outlive the context. */
void tsr_insight_context_collect_execution (TsrInsightContext *c,
                                            const TsrTrace *trace,
                                            const TsrSummary *summary);
void tsr_insight_context_clear_execution (TsrInsightContext *c);

/* A walk over the steps of an IPU of the replica in the profiled run that took time, the start-up
 * wait left out: set ipu, leave the rest zero. */
typedef struct
{
  guint ipu; /* 0 .. n_ipus - 1 */
  gboolean begun;
  gsize slice;
  gint64 cycles; /* d */
  const TsrTraceType *type;
  TsrStepGroup group;
} TsrInsightStep;
gboolean tsr_insight_next_step (const TsrInsightContext *c, TsrInsightStep *step);
const char *tsr_insight_step_get_name (const TsrInsightContext *c, gsize slice);

/* Steps that a rule adds up: by compute set, name or prefix. */
typedef struct
{
  double exact;  /* cost, while adding */
  gint64 cost;   /* cycles */
  gint64 cycles; /* d of all of them */
  guint64 count;
  double most;   /* cost of the dearest one */
  guint32 slice; /* it */
} TsrInsightGroup;
GArray *tsr_insight_groups_new (void); /* TsrInsightGroup */
GHashTable *tsr_insight_places_new (void);
TsrInsightGroup *tsr_insight_groups_get (GArray *groups, GHashTable *places, guint64 key);
void tsr_insight_groups_sort (GArray *groups); /* the dearest first */

/* The first two parts of names, each once; a place for each, counted from 0 as they come. */
typedef struct _TsrInsightPrefixes TsrInsightPrefixes;
TsrInsightPrefixes *tsr_insight_prefixes_new (const TsrInsightContext *c);
void tsr_insight_prefixes_free (TsrInsightPrefixes *self);
guint tsr_insight_prefixes_get (TsrInsightPrefixes *self, gsize slice, const char **prefix);
const char *tsr_insight_get_prefix (const TsrInsightContext *c, const char *name);

/* (transfer full) (nullable) (element-type TsrTraceStages): of the run's time without start-up. */
GPtrArray *tsr_insight_list_stages (const TsrInsightContext *c);

double tsr_insight_of_span (const TsrInsightContext *c, gint64 cycles);     /* of S */
const char *tsr_insight_cycles (const TsrInsightContext *c, gint64 cycles); /* "12,000 (9.02 ms)" */

/* ------------------------------------------------------------------ rules */

typedef enum
{
  TSR_RULE_FINE,
  TSR_RULE_FIRED,
  TSR_RULE_NOT_CHECKED,
} TsrRuleResult;

/* What findings are about, so that those about the same bytes name each other. */
enum
{
  TSR_ABOUT_EXCHANGE_CODE = 1 << 0,
  TSR_ABOUT_VERTICES = 1 << 1,
  TSR_ABOUT_IO_CODE = 1 << 2,
};

typedef struct
{
  TsrRuleResult result;
  TsrFinding *finding; /* of a rule that fired */
  char *text;          /* else */
  guint about;
  GArray *variables; /* (nullable) guint32 */
} TsrVerdict;

typedef struct
{
  const char *id;
  const char *title;   /* translatable: what the rule looks for */
  const char *meaning; /* translatable: what it measures, in words */
  const char *inputs;  /* tables, separated by spaces */
  void (*check) (const TsrInsightContext *c, TsrVerdict *verdict);
  gboolean saves_bytes;          /* on the worst tile */
  const TsrInsightLimit *limits; /* its own thresholds */
  guint n_limits;
} TsrInsightRule;

/* Rules 1 to 22 in order. */
#define TSR_N_RULES 22
const TsrInsightRule *tsr_insight_rules_get (guint index);
/* Thresholds: the value of one in a list; those that belong to no rule alone. */
double tsr_insight_limits_find (const TsrInsightLimit *limits, guint n_limits, const char *name);
const TsrInsightLimit *tsr_insight_limits_get_shared (guint *n_limits);
double tsr_insight_limits_find_shared (const char *name);

extern const TsrInsightRule tsr_rule_out_of_memory;
extern const TsrInsightRule tsr_rule_near_capacity;
extern const TsrInsightRule tsr_rule_tile_imbalance;
extern const TsrInsightRule tsr_rule_gaps_on_full_tiles;
extern const TsrInsightRule tsr_rule_peak_spike;
extern const TsrInsightRule tsr_rule_long_lived_activations;
extern const TsrInsightRule tsr_rule_fp32_at_peak;
extern const TsrInsightRule tsr_rule_resident_state;
extern const TsrInsightRule tsr_rule_exchange_code;
extern const TsrInsightRule tsr_rule_vertex_memory;
extern const TsrInsightRule tsr_rule_io_code_and_headers;
extern const TsrInsightRule tsr_rule_instrumentation;
extern const TsrInsightRule tsr_rule_one_off_code;
extern const TsrInsightRule tsr_rule_compute_imbalance;
extern const TsrInsightRule tsr_rule_idle_tiles;
extern const TsrInsightRule tsr_rule_exchange_bound;
extern const TsrInsightRule tsr_rule_host_wait;
extern const TsrInsightRule tsr_rule_unoverlapped_io;
extern const TsrInsightRule tsr_rule_stage_imbalance;
extern const TsrInsightRule tsr_rule_tiny_steps;
extern const TsrInsightRule tsr_rule_operation_cycles;
extern const TsrInsightRule tsr_rule_operation_memory;

/* FALSE, and what is missing in the verdict; @balance: the rule needs tiles' balances. */
gboolean
tsr_insight_has_execution (const TsrInsightContext *c, gboolean balance, TsrVerdict *verdict);
/* Whether @saving on the worst tile is a finding whatever its share: the report does not fit. */
gboolean tsr_insight_counts (const TsrInsightContext *c, gint64 saving);
/* Verdicts.  _fire gives a finding with nothing saved, about the whole replica, in Memory. */
void tsr_verdict_clear (TsrVerdict *verdict);
TsrFinding *tsr_verdict_fire (TsrVerdict *verdict, TsrFindingSeverity severity);
void tsr_verdict_fine (TsrVerdict *verdict, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* @part: table, or "table.column", that is not there. */
void tsr_verdict_missing (TsrVerdict *verdict, const char *part);
/* The same for a value that the file does not tell for @tile. */
void tsr_verdict_unknown (TsrVerdict *verdict, const char *part, guint tile);
/* What the rule needs is not known: @text says why, and what helps. */
void tsr_verdict_not_checked (TsrVerdict *verdict, const char *text);
void tsr_verdict_add_variable (TsrVerdict *verdict, guint32 variable);

void tsr_finding_free (TsrFinding *finding);
/* Ignored beyond five. */
void tsr_finding_add_evidence (TsrFinding *finding, const char *name, gint64 bytes, double share);
void tsr_finding_add_cycles (
    TsrFinding *finding, const char *name, gint64 bytes, gint64 cycles, double share);
void tsr_finding_set_tile (TsrFinding *finding, guint tile); /* scope and where */
void tsr_finding_set_tiles (TsrFinding *finding, const guint *tiles, guint n_tiles);
void tsr_finding_add_name (TsrFinding *finding, const char *name); /* to where.names */

/* A finding about the execution: it saves @cycles, its severity goes by their share of S, it shows
 * in the trace of @ipu (of the replica; TSR_NO_INDEX: all). */
TsrFinding *tsr_insight_fire_execution (const TsrInsightContext *c,
                                        TsrVerdict *verdict,
                                        guint ipu,
                                        gint64 cycles);
TsrFindingSeverity tsr_insight_execution_severity (const TsrInsightContext *c, gint64 cycles);
/* (transfer full): @text with what holds for all findings about an execution. */
char *tsr_insight_dup_execution_text (const TsrInsightContext *c, const char *text);

gboolean tsr_insight_matches (const char *name, const char *list);

/* "Largest" lists; (element-type TsrLargest). */
GPtrArray *tsr_insight_list_largest (const TsrInsightContext *c,
                                     TsrLiveness *liveness,
                                     TsrVertices *vertices,
                                     GCancellable *cancellable);

G_END_DECLS
