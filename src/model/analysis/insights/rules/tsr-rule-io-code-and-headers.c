/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 11, io-code-and-headers: code and headers of copies to the host and between IPUs
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "io-code-and-headers.size", 0.04, N_ ("of a tile"),
    N_ ("Fires when they take, on the worst tile, at least") },
  { "io-code-and-headers.share", 0.03, N_ ("of all memory"), N_ ("or, on all tiles, at least") },
  { "io-code-and-headers.copies", 8, N_ ("copies"),
    N_ ("The saving assumes that the same work is done by") },
};

static const char *const io_names[] = { "hostExchangePacketHeader", "globalExchangePacketHeader",
                                        "hostExchangeCode", "globalExchangeCode" };
#define N_HEADERS 2

static gint64
scale (gint64 bytes, double factor)
{
  return bytes != TSR_UNKNOWN ? (gint64)((double)bytes * factor) : TSR_UNKNOWN;
}

/* What headers take less when so few copies as are enough do the work. */
static void
save_headers (const TsrInsightContext *c, gint64 *worst_tile, gint64 *all_tiles)
{
  double copies = LIMIT ("io-code-and-headers.copies");
  gint64 headers = 0;
  gint64 all_headers = 0;

  *worst_tile = *all_tiles = TSR_UNKNOWN;
  if (c->n_stream_copies == TSR_UNKNOWN || (double)c->n_stream_copies < copies)
    return;
  for (guint i = 0; i < N_HEADERS; i++)
    {
      headers = tsr_insight_add (headers, tsr_insight_get_category (c, io_names[i], c->worst));
      all_headers = tsr_insight_add (all_headers, tsr_insight_sum_category (c, io_names[i]));
    }
  *worst_tile = scale (headers, 1 - copies / (double)c->n_stream_copies);
  *all_tiles = scale (all_headers, 1 - copies / (double)c->n_stream_copies);
}

static void
fire_io_code (const TsrInsightContext *c, TsrVerdict *verdict, gint64 bytes, double share)
{
  TsrFinding *finding = tsr_verdict_fire (verdict, TSR_FINDING_ADVICE);

  verdict->about = TSR_ABOUT_IO_CODE;
  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "category";
  finding->where.tab = "exchanges";
  for (guint i = 0; i < G_N_ELEMENTS (io_names); i++)
    {
      gint64 part = tsr_insight_get_category (c, io_names[i], c->worst);

      for (guint k = 0; k < c->n_categories; k++)
        if (g_str_equal (c->category_names[k], io_names[i]))
          tsr_finding_add_evidence (finding, c->category_labels[k], part,
                                    (double)part / (double)MAX (bytes, 1));
    }
  save_headers (c, &finding->bytes_worst_tile, &finding->bytes);
  if (finding->bytes != TSR_UNKNOWN || finding->bytes_worst_tile != TSR_UNKNOWN)
    finding->confidence = TSR_CONFIDENCE_ESTIMATE;
  /* What made it fire comes first. */
  finding->title
      = tsr_rule_of_tile (c, bytes) < LIMIT ("io-code-and-headers.size")
                && share >= LIMIT ("io-code-and-headers.share")
            ? g_strdup_printf (_ ("Copies off the chip take %s of all memory"), PERCENT (share))
            : g_strdup_printf (_ ("Copies off the chip take %s on tile %u (%s)"), SIZE (bytes),
                               c->worst, PERCENT (tsr_rule_of_tile (c, bytes)));
  finding->text = g_strdup_printf (
      _ ("Code and packet headers of copies to the host and between IPUs take %s on tile %u, and "
         "%s of the memory of all tiles.%s"),
      SIZE (bytes), c->worst, PERCENT (share), tsr_rule_say_allocated (c));
  finding->action = g_strdup (
      _ ("Fewer and larger streams; tiles of their own for I/O; another number of batches in each "
         "copy."));
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  gint64 bytes = 0;
  gint64 all = 0;
  gint64 saving, unused;
  double share;

  if (!tsr_rule_has_categories (c, verdict))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (io_names); i++)
    {
      bytes = tsr_insight_add (bytes, tsr_insight_get_category (c, io_names[i], c->worst));
      all = tsr_insight_add (all, tsr_insight_sum_category (c, io_names[i]));
    }
  share = tsr_rule_of_all (c, all);
  save_headers (c, &saving, &unused);
  tsr_rule_judge_code (c, verdict, bytes, share, saving, LIMIT ("io-code-and-headers.size"),
                       LIMIT ("io-code-and-headers.share"), fire_io_code);
}

const TsrInsightRule tsr_rule_io_code_and_headers = {
  .id = "io-code-and-headers",
  .title = N_ ("Code and headers of copies to the host and between IPUs"),
  .meaning = N_ ("Code and packet headers of copies to the host and between IPUs."),
  .inputs = "memory_by_tile_category programs",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};
