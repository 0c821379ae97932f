/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 9, exchange-code: code of exchanges
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const TsrInsightLimit limits[] = {
  { "exchange-code.size", 0.1, N_ ("of a tile"),
    N_ ("Fires when it takes, on the worst tile, at least") },
  { "exchange-code.share", 0.2, N_ ("of all memory"), N_ ("or, on all tiles, at least") },
  { "exchange-code.warning", 0.8, N_ ("of a tile"),
    N_ ("A warning when the worst tile is full to at least") },
  { "exchange-code.group", 4, N_ ("exchanges"),
    N_ ("Exchanges with equal code form a group from") },
};

/* What repeating one exchange of each group of equal ones would save; *largest is the group that
 * saves most on the worst tile. */
typedef struct
{
  gint64 worst_tile, all_tiles;
  guint largest_members;
  gint64 largest_saving;
  const char *largest_name;
} Repeats;

static void
find_repeats (const TsrInsightContext *c, Repeats *repeats)
{
  g_autofree guint *members = g_new0 (guint, MAX (c->n_exchange_groups, 1));
  g_autofree guint *first = g_new0 (guint, MAX (c->n_exchange_groups, 1));

  *repeats = (Repeats){ TSR_UNKNOWN, TSR_UNKNOWN, 0, -1, NULL };
  for (guint i = 0; c->exchanges != NULL && i < c->exchanges->len; i++)
    {
      const TsrInsightExchange *exchange = &g_array_index (c->exchanges, TsrInsightExchange, i);

      if (exchange->group >= c->n_exchange_groups)
        continue;
      if (members[exchange->group]++ == 0)
        first[exchange->group] = i;
    }
  for (guint g = 0; g < c->n_exchange_groups; g++)
    {
      const TsrInsightExchange *one;
      gint64 saving;

      if (members[g] < LIMIT ("exchange-code.group"))
        continue;
      if (repeats->worst_tile == TSR_UNKNOWN)
        repeats->worst_tile = repeats->all_tiles = 0;
      one = &g_array_index (c->exchanges, TsrInsightExchange, first[g]);
      saving = (gint64)(members[g] - 1) * one->on_worst;
      repeats->worst_tile = tsr_insight_add (repeats->worst_tile, saving);
      repeats->all_tiles
          = tsr_insight_add (repeats->all_tiles, (gint64)(members[g] - 1) * one->total);
      if (saving <= repeats->largest_saving)
        continue;
      repeats->largest_saving = saving;
      repeats->largest_members = members[g];
      repeats->largest_name = one->name;
    }
}

static void
fire_exchange_code (const TsrInsightContext *c, TsrVerdict *verdict, gint64 bytes, double share)
{
  gboolean full = c->inc != NULL && c->inc[c->worst] != TSR_UNKNOWN
                  && tsr_rule_of_tile (c, c->inc[c->worst]) >= LIMIT ("exchange-code.warning");
  TsrFinding *finding = tsr_verdict_fire (verdict, full ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  const char *repeated = "";
  Repeats repeats;

  verdict->about = TSR_ABOUT_EXCHANGE_CODE;
  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "category";
  finding->where.tab = "exchanges";
  for (guint i = 0; c->exchanges != NULL && i < c->exchanges->len; i++)
    {
      const TsrInsightExchange *exchange = &g_array_index (c->exchanges, TsrInsightExchange, i);

      if (!exchange->internal || exchange->on_worst <= 0)
        continue;
      tsr_finding_add_evidence (finding, exchange->name, exchange->on_worst,
                                (double)exchange->on_worst / (double)MAX (bytes, 1));
      tsr_finding_add_name (finding, exchange->name);
    }
  find_repeats (c, &repeats);
  finding->bytes_worst_tile = repeats.worst_tile;
  finding->bytes = repeats.all_tiles;
  if (repeats.largest_members > 0)
    repeated = tsr_insight_text (
        c,
        _ ("  %s exchanges like %s have equal code: repeated or outlined once, up to %s "
           "less for all such groups."),
        COUNT (repeats.largest_members), repeats.largest_name, SIZE (repeats.worst_tile));
  finding->confidence
      = finding->bytes == TSR_UNKNOWN ? TSR_CONFIDENCE_EXACT : TSR_CONFIDENCE_UPPER_BOUND;
  finding->title = g_strdup_printf (_ ("Code of exchanges takes %s on tile %u (%s)"), SIZE (bytes),
                                    c->worst, PERCENT (tsr_rule_of_tile (c, bytes)));
  finding->text = g_strdup_printf (
      _ ("Code of exchanges takes %s on tile %u, and %s of the memory of all tiles.%s%s"),
      SIZE (bytes), c->worst, PERCENT (share), repeated, tsr_rule_say_allocated (c));
  finding->action
      = g_strdup (_ ("Repeat or outline equal blocks instead of unrolling them; fewer, larger "
                     "operations; fewer changes of layout between operations."));
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  gint64 bytes;
  double share;
  Repeats repeats;

  if (!tsr_rule_has_categories (c, verdict))
    return;
  bytes = tsr_insight_get_category (c, "internalExchangeCode", c->worst);
  share = tsr_rule_of_all (c, tsr_insight_sum_category (c, "internalExchangeCode"));
  find_repeats (c, &repeats);
  tsr_rule_judge_code (c, verdict, bytes, share, repeats.worst_tile, LIMIT ("exchange-code.size"),
                       LIMIT ("exchange-code.share"), fire_exchange_code);
}

const TsrInsightRule tsr_rule_exchange_code = {
  .id = "exchange-code",
  .title = N_ ("Code of exchanges"),
  .meaning = N_ ("Code of exchanges between tiles.  Exchanges whose names are equal but "
                 "for digits, with equal code on each tile, could be repeated instead."),
  .inputs = "memory_by_tile_category programs tile_arrays",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};
