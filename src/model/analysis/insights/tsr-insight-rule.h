/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a file of rules/ is made with.  One worker thread. */

#pragma once

#include "tsr-insights-private.h"

G_BEGIN_DECLS

#define SIZE(bytes)    tsr_insight_size (c, bytes)
#define PERCENT(share) tsr_insight_percent (c, share)
#define COUNT(count)   tsr_insight_count (c, count)
#define CYCLES(cycles) tsr_insight_cycles (c, cycles)
/* A threshold of the rule itself: of the array "limits" of its file. */
#define LIMIT(name) tsr_insight_limits_find (limits, G_N_ELEMENTS (limits), name)

/* Groups of steps on one IPU, and what they cost together. */
typedef struct
{
  guint ipu;    /* of the profiled replica */
  gint64 tiles; /* of the IPU that compute, where that matters */
  GArray *groups;
  gint64 cost;
  guint64 n_skipped; /* steps that do not tell what is needed */
} TsrRuleTally;

double tsr_rule_of_tile (const TsrInsightContext *c, gint64 bytes);

/* Share of all memory without gaps. */
double tsr_rule_of_all (const TsrInsightContext *c, gint64 bytes);

/* Whether there are categories by tile and a worst tile; else the verdict says what is missing. */
gboolean tsr_rule_has_categories (const TsrInsightContext *c, TsrVerdict *verdict);

/* Where categories are sums of sizes a text says so. */
const char *tsr_rule_say_allocated (const TsrInsightContext *c);

/* Whether the rules about full tiles can say anything; else the verdict says what is missing. */
gboolean tsr_rule_has_fullness (const TsrInsightContext *c, TsrVerdict *verdict);

void tsr_rule_tally_clear (TsrRuleTally *tally);

/* Keeps the dearer one of two. */
void tsr_rule_tally_keep (TsrRuleTally *best, TsrRuleTally *other);

/* A compute set by its row, else the name of the step. */
guint64 tsr_rule_get_compute_key (const TsrTrace *trace, gsize slice);

void tsr_rule_add_to_group (TsrInsightGroup *group, const TsrInsightStep *step, double cost);

/* The sum is rounded once, not in each group. */
void tsr_rule_tally_sum (TsrRuleTally *tally);

gint64 tsr_rule_sum_first_five (const GArray *groups);

const char *tsr_rule_say_skipped (const TsrInsightContext *c, const TsrRuleTally *tally);

/* Whether the worst tile's variables are known; else the verdict says what is missing. */
gboolean tsr_rule_has_held (const TsrInsightContext *c, TsrVerdict *verdict);

void tsr_rule_show_in_liveness (const TsrInsightContext *c, TsrFinding *finding, gboolean tile);

const char *tsr_rule_get_step_name (const TsrInsightContext *c, guint step);

/* The dearest five of @groups as evidence and names; @tiles: with the tile that takes longest. */
void tsr_rule_add_groups (const TsrInsightContext *c,
                          TsrFinding *finding,
                          const GArray *groups,
                          gboolean tiles);

/* The largest categories on @tile; share is of what the tile holds. */
void tsr_rule_add_categories (const TsrInsightContext *c, TsrFinding *finding, guint tile);

/* The operations with the most, at most five; borrowed. */
typedef struct
{
  const TsrInsightOperation *first[5];
  guint n;
  gint64 sum; /* what these have */
} TsrRuleRanking;

/* FALSE, and why in the verdict, where operations are not known.  What has no debug information is
 * no operation. */
gboolean tsr_rule_rank_operations (const TsrInsightContext *c,
                                   TsrVerdict *verdict,
                                   gint64 (*get) (const TsrInsightOperation *operation),
                                   TsrRuleRanking *ranking);

/* A note that leads to the first. */
TsrFinding *tsr_rule_fire_operations (const TsrInsightContext *c,
                                      TsrVerdict *verdict,
                                      const TsrRuleRanking *ranking);

typedef void (*TsrRuleFire) (const TsrInsightContext *c,
                             TsrVerdict *verdict,
                             gint64 bytes,
                             double share);

/* By @bytes on the worst tile, their @share of all memory and the @saving, with the limits of a
 * rule. */
void tsr_rule_judge_code (const TsrInsightContext *c,
                          TsrVerdict *verdict,
                          gint64 bytes,
                          double share,
                          gint64 saving,
                          double size_limit,
                          double share_limit,
                          TsrRuleFire fire);

G_END_DECLS
