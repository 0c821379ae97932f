/* SPDX-License-Identifier: GPL-3.0-or-later */

/* On a report that does not fit, what saves 1 KiB on the worst tile is a finding whatever its
 * share: each rule at 1,024 and 1,020 bytes, and silent on the same report where it fits. */

#include "config.h"

#include "insight-fixture.h"

#include <string.h>

#define T       1000000
#define N_TILES 16
#define N_STEPS 100

/* Tile 3 is the worst of sixteen equally full ones; @need bytes too full. */
static Fixture *
make (gint64 need)
{
  Fixture *f = fixture_new (N_TILES, T);

  fixture_fill (f, 900000, 900000);
  f->inc[3] = f->exc[3] = 900001;
  f->ovf[3] = need;
  return f;
}

/* @saving bytes that only the rule in question could save. */
typedef void (*Fill) (Fixture *f, guint saving);

static void
fill_gaps (Fixture *f, guint saving)
{
  f->exc[3] = f->inc[3] - saving;
  fixture_finish (f, 0);
}

static void
fill_imbalance (Fixture *f, guint saving)
{
  f->inc[3] = f->exc[3] = 900000 + saving;
  fixture_finish (f, 0);
}

/* Two steps of a hundred; what is live at all others is as much as a tile of this size has. */
static void
fill_spike (Fixture *f, guint saving)
{
  guint32 floor = fixture_variable (f, "floor", "half", TSR_LIFE_TEMPORARY);
  guint32 spike = fixture_variable (f, "spike", "half", TSR_LIFE_TEMPORARY);

  fixture_row (f, 3, 10, floor, 0, N_STEPS);
  fixture_row (f, 3, saving, spike, 40, 42);
  fixture_finish (f, N_STEPS);
}

/* Kept from 10 to 80; the peak is at 50, below a hundredth of the tile. */
static void
fill_kept (Fixture *f, guint saving)
{
  guint32 kept = fixture_variable (f, "out", "half", TSR_LIFE_TEMPORARY);
  guint32 work = fixture_variable (f, "work", "half", TSR_LIFE_TEMPORARY);

  fixture_row (f, 3, saving, kept, 10, 80);
  fixture_row (f, 3, 50000, work, 50, 51);
  fixture_finish (f, N_STEPS);
}

/* Temporaries that never live together make up most of the program, and what is live at the peak is
 * mostly something else. */
static void
fill_fp32 (Fixture *f, guint saving)
{
  guint32 fp32 = fixture_variable (f, "out", "float", TSR_LIFE_TEMPORARY);
  guint32 half = fixture_variable (f, "work", "half", TSR_LIFE_TEMPORARY);

  fixture_row (f, 3, 2 * saving, fp32, 10, 11);
  fixture_row (f, 3, 500000, half, 10, 11);
  for (guint k = 20; k < 60; k++)
    fixture_row (f, 3, 400000, half, k, k + 1);
  fixture_finish (f, N_STEPS);
}

static void
fill_resident (Fixture *f, guint saving)
{
  guint32 weights = fixture_variable (f, "weights", "half", TSR_LIFE_ALWAYS);

  fixture_row (f, 3, saving, weights, 0, 0);
  fixture_finish (f, N_STEPS);
}

/* Five equal ones: four too many; and five that save nothing. */
static void
fill_exchanges (Fixture *f, guint saving)
{
  fixture_category (f, "internalExchangeCode")[3] = 2000;
  fixture_finish (f, 0);
  f->c.exchanges = g_array_new (FALSE, FALSE, sizeof (TsrInsightExchange));
  f->c.n_exchange_groups = 2;
  for (guint i = 0; i < 10; i++)
    {
      const TsrInsightExchange exchange
          = { "e/0", 0, TRUE, 0, i < 5 ? saving / 4 : 0, i < 5 ? 0 : 1, g_new0 (gint64, 1) };

      g_array_append_val (f->c.exchanges, exchange);
    }
}

static void
fill_vertices (Fixture *f, guint saving)
{
  static const char *const names[]
      = { "p::Add<float>", "p::Add<half>", "p::Add<int>", "p::Add<f,h>",
          "q::Mul<float>", "q::Mul<half>", "q::Mul<int>", "q::Mul<f,h>" };

  fixture_category (f, "vertexCode")[3] = 9000;
  fixture_finish (f, 0);
  f->c.vertices = g_array_new (FALSE, FALSE, sizeof (TsrInsightVertex));
  f->c.arrays = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      TsrInsightVertex vertex = { .name = names[i], .row = i };

      /* The second one has more code, nearly all of it in one kind: that cannot be saved. */
      vertex.code = i < 3 ? saving / 3 + (i < saving % 3) : i == 3 ? 500 : i == 7 ? 6000 : 1;
      vertex.code_array = g_new0 (gint64, N_TILES);
      vertex.code_array[3] = vertex.code;
      g_ptr_array_add (f->c.arrays, vertex.code_array);
      g_array_append_val (f->c.vertices, vertex);
    }
}

/* 64 copies of which 8 are enough. */
static void
fill_io (Fixture *f, guint saving)
{
  fixture_category (f, "hostExchangePacketHeader")[3] = (saving * 8 + 6) / 7;
  f->c.n_stream_copies = 64;
  fixture_finish (f, 0);
}

static void
fill_instrumentation (Fixture *f, guint saving)
{
  fixture_category (f, "instrumentationResults")[3] = saving;
  fixture_finish (f, 0);
}

static void
fill_one_off (Fixture *f, guint saving)
{
  fixture_finish (f, 0);
  f->c.one_off.known = TRUE;
  f->c.one_off.median = 4;
  f->c.one_off.exchange = saving;
}

static const struct
{
  const char *rule;
  Fill fill;
  gboolean saves; /* a number is given */
} cases[] = {
  { "tile-imbalance", fill_imbalance, TRUE }, { "gaps-on-full-tiles", fill_gaps, TRUE },
  { "peak-spike", fill_spike, TRUE },         { "long-lived-activations", fill_kept, TRUE },
  { "fp32-at-peak", fill_fp32, TRUE },        { "resident-state", fill_resident, FALSE },
  { "exchange-code", fill_exchanges, TRUE },  { "vertex-memory", fill_vertices, TRUE },
  { "io-code-and-headers", fill_io, TRUE },   { "instrumentation", fill_instrumentation, TRUE },
  { "one-off-code", fill_one_off, TRUE },
};

static void
test_rule (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  static const struct
  {
    guint saving;
    gint64 need;
    TsrRuleResult result;
  } sizes[] = {
    { 1024, 500000, TSR_RULE_FIRED },
    { 1020, 500000, TSR_RULE_FINE },
    { 1024, 0, TSR_RULE_FINE },
  };

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      g_autoptr (Fixture) f = make (sizes[k].need);
      TsrVerdict v;

      cases[i].fill (f, sizes[k].saving);
      g_assert_cmpuint (f->c.worst, ==, 3);
      g_assert_cmpint (f->c.fit, ==, sizes[k].need > 0 ? TSR_OUT_OF_MEMORY : TSR_FITS);
      g_assert_cmpint (fixture_check (f, cases[i].rule, &v), ==, sizes[k].result);
      if (v.finding != NULL)
        g_assert_cmpint (v.finding->bytes_worst_tile, ==, cases[i].saves ? 1024 : TSR_UNKNOWN);
      tsr_verdict_clear (&v);
    }
}

/* Every rule about memory that names a saving is among them. */
static void
test_all_rules (void)
{
  guint n = 0;

  for (guint i = 0; i < TSR_N_RULES; i++)
    n += tsr_insight_rules_get (i)->saves_bytes;
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (cases));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean found = FALSE;

      for (guint k = 0; k < TSR_N_RULES; k++)
        found = found
                || (tsr_insight_rules_get (k)->saves_bytes
                    && g_str_equal (tsr_insight_rules_get (k)->id, cases[i].rule));
      g_assert_true (found);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/insights/overflow/%s", cases[i].rule);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_rule);
    }
  g_test_add_func ("/insights/overflow/all-rules", test_all_rules);
  return g_test_run ();
}
