/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 9 to 11 and 13 at and beside each of their thresholds, on exchanges and vertices made by
 * hand. */

#include "config.h"

#include "insight-fixture.h"

#include <string.h>

#define T 100000

/* Two tiles that hold @exc in all; tile 1 is the worst. */
static Fixture *
make (gint64 exc)
{
  Fixture *f = fixture_new (2, T);

  f->inc[0] = f->exc[0] = exc / 2 - 100;
  f->inc[1] = f->exc[1] = exc - f->exc[0];
  return f;
}

static void
add_exchange (Fixture *f, const char *name, gint64 on_worst, gint64 total, guint32 group)
{
  const TsrInsightExchange exchange = { name, 0, TRUE, total, on_worst, group, g_new0 (gint64, 1) };

  if (f->c.exchanges == NULL)
    f->c.exchanges = g_array_new (FALSE, FALSE, sizeof (TsrInsightExchange));
  g_array_append_val (f->c.exchanges, exchange);
  f->c.n_exchange_groups = MAX (f->c.n_exchange_groups, group + 1);
}

static void
test_exchange_code (void)
{
  static const struct
  {
    gint64 worst, other;
    TsrRuleResult result;
  } cases[] = {
    { 10000, 0, TSR_RULE_FIRED },
    { 9999, 10000, TSR_RULE_FINE },  /* 19999 of 100000 in all */
    { 9999, 10001, TSR_RULE_FIRED }, /* a fifth of all memory */
  };
  TsrVerdict v;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = make (100000);

      fixture_category (f, "internalExchangeCode")[1] = cases[i].worst;
      fixture_category (f, "internalExchangeCode")[0] = cases[i].other;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "exchange-code", &v), ==, cases[i].result);
      if (v.finding != NULL)
        {
          g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
          g_assert_cmpint (v.finding->bytes, ==, TSR_UNKNOWN);
        }
      tsr_verdict_clear (&v);
    }
}

static void
test_exchange_severity (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Fixture) f = fixture_new (2, T);
      TsrVerdict v;

      fixture_fill (f, 1000, 1000);
      f->inc[1] = f->exc[1] = 80000 - i;
      fixture_category (f, "internalExchangeCode")[1] = 20000;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "exchange-code", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpint (v.finding->severity, ==, i == 0 ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
      tsr_verdict_clear (&v);
    }
}

/* 27 equal exchanges, three equal ones, and one that its callers call 27 times. */
static void
test_exchange_groups (void)
{
  g_autoptr (Fixture) many = make (60000);
  g_autoptr (Fixture) one = make (60000);
  g_autoptr (Fixture) missing = make (60000);
  TsrVerdict v;

  fixture_category (many, "internalExchangeCode")[1] = 20000;
  fixture_finish (many, 0);
  for (guint i = 0; i < 27; i++)
    add_exchange (many, "a/0/ExchangePre", 100, 250, 0);
  for (guint i = 0; i < 3; i++)
    add_exchange (many, "b/0/ExchangePre", 50, 60, 1);
  g_assert_cmpint (fixture_check (many, "exchange-code", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 26 * 100);
  g_assert_cmpint (v.finding->bytes, ==, 26 * 250);
  g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_UPPER_BOUND);
  g_assert_cmpuint (v.finding->evidence->len, ==, 5);
  g_assert_cmpstr (v.finding->where.tab, ==, "exchanges");
  tsr_verdict_clear (&v);

  fixture_category (one, "internalExchangeCode")[1] = 20000;
  fixture_finish (one, 0);
  add_exchange (one, "a/ExchangePre", 2700, 5400, 0);
  g_assert_cmpint (fixture_check (one, "exchange-code", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, TSR_UNKNOWN);
  g_assert_cmpint (v.finding->bytes, ==, TSR_UNKNOWN);
  tsr_verdict_clear (&v);

  fixture_finish (missing, 0);
  g_assert_cmpint (fixture_result (missing, "exchange-code"), ==, TSR_RULE_NOT_CHECKED);
}

/* ----------------------------------------------------------- vertex-memory */

static void
add_vertex (Fixture *f, const char *name, gint64 code, gint64 other_code)
{
  TsrInsightVertex vertex = { .name = name, .row = f->c.vertices != NULL ? f->c.vertices->len : 0 };

  if (f->c.vertices == NULL)
    {
      f->c.vertices = g_array_new (FALSE, FALSE, sizeof (TsrInsightVertex));
      f->c.arrays = g_ptr_array_new_with_free_func (g_free);
    }
  vertex.code = code;
  vertex.code_array = g_new (gint64, 2);
  vertex.code_array[0] = other_code;
  vertex.code_array[1] = code;
  g_ptr_array_add (f->c.arrays, vertex.code_array);
  g_array_append_val (f->c.vertices, vertex);
}

static void
test_specialisations (void)
{
  static const struct
  {
    guint n;
    gint64 code; /* of each */
    TsrRuleResult result;
  } cases[] = { { 4, 750, TSR_RULE_FIRED }, { 4, 749, TSR_RULE_FINE }, { 3, 2000, TSR_RULE_FINE } };
  static const char *const names[]
      = { "p::Add<float>", "p::Add<half>", "p::Add<int>", "p::Add<f,h>" };
  TsrVerdict v;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = make (60000);

      fixture_category (f, "vertexCode")[1] = 11999;
      fixture_finish (f, 0);
      for (guint k = 0; k < cases[i].n; k++)
        add_vertex (f, names[k], cases[i].code, 10);
      add_vertex (f, "p::Adder<float>", 900, 10);
      g_assert_cmpint (fixture_check (f, "vertex-memory", &v), ==, cases[i].result);
      if (v.finding != NULL)
        {
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, 3 * 750);
          g_assert_cmpint (v.finding->bytes, ==, 3 * 750 + 3 * 10);
          g_assert_cmpuint (g_strv_length (v.finding->where.names), ==, 4);
          g_assert_nonnull (strstr (v.finding->text, "p::Add: 4 specialisations"));
        }
      tsr_verdict_clear (&v);
    }
}

static void
test_vertex_memory (void)
{
  static const struct
  {
    const char *category;
    gint64 bytes;
    TsrRuleResult result;
  } cases[] = {
    { "vertexInstanceState", 10000, TSR_RULE_FIRED },
    { "vertexInstanceState", 9999, TSR_RULE_FINE },
    { "vertexFieldData", 10000, TSR_RULE_FIRED },
    { "copyDescriptor", 10000, TSR_RULE_FIRED },
    { "vectorListDescriptor", 10000, TSR_RULE_FIRED },
    { "vertexCode", 12000, TSR_RULE_FIRED },
    { "vertexCode", 11999, TSR_RULE_FINE },
    { "vertexCode", TSR_UNKNOWN, TSR_RULE_NOT_CHECKED },
  };
  g_autoptr (Fixture) missing = make (60000);
  g_autoptr (Fixture) types = make (60000);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = make (60000);
      TsrVerdict v;

      fixture_category (f, cases[i].category)[1] = cases[i].bytes;
      fixture_finish (f, 0);
      add_vertex (f, "p::Add<float>", 100, 100);
      g_assert_cmpint (fixture_check (f, "vertex-memory", &v), ==, cases[i].result);
      if (v.finding != NULL)
        g_assert_cmpint (v.finding->bytes_worst_tile, ==, TSR_UNKNOWN);
      tsr_verdict_clear (&v);
    }
  fixture_finish (missing, 0);
  g_assert_cmpint (fixture_result (missing, "vertex-memory"), ==, TSR_RULE_NOT_CHECKED);
  fixture_category (types, "vertexCode")[1] = 10;
  fixture_finish (types, 0);
  g_assert_cmpint (fixture_result (types, "vertex-memory"), ==, TSR_RULE_NOT_CHECKED);
}

/* ----------------------------------------------------- io-code-and-headers */

static void
test_io_code (void)
{
  static const struct
  {
    gint64 headers, code, other;
    gint64 copies;
    TsrRuleResult result;
    gint64 saving;
  } cases[] = {
    { 1600, 2400, 0, 4, TSR_RULE_FIRED, TSR_UNKNOWN },
    { 1600, 2400, 0, 64, TSR_RULE_FIRED, 1400 },
    { 1600, 2400, 0, 8, TSR_RULE_FIRED, 0 },
    { 1600, 2400, 0, 7, TSR_RULE_FIRED, TSR_UNKNOWN },
    { 1600, 2399, 0, 64, TSR_RULE_FINE, 0 },
    { 1600, 1400, 3000, 16, TSR_RULE_FIRED, 800 },
    { 1600, 1400, 2999, 16, TSR_RULE_FINE, 0 },
    { 1600, 2400, 0, TSR_UNKNOWN, TSR_RULE_FIRED, TSR_UNKNOWN },
  };
  g_autoptr (Fixture) missing = make (200000);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = fixture_new (2, T);
      TsrVerdict v;

      /* 200000 bytes in all, of which 3 % are 6000. */
      f->inc[0] = 99999;
      f->inc[1] = f->exc[0] = f->exc[1] = 100000;
      f->c.capacity = T;
      fixture_category (f, "hostExchangePacketHeader")[1] = cases[i].headers - 100;
      fixture_category (f, "globalExchangePacketHeader")[1] = 100;
      fixture_category (f, "hostExchangeCode")[1] = cases[i].code - 1;
      fixture_category (f, "globalExchangeCode")[1] = 1;
      fixture_category (f, "globalExchangeCode")[0] = cases[i].other;
      f->c.n_stream_copies = cases[i].copies;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "io-code-and-headers", &v), ==, cases[i].result);
      if (v.finding != NULL)
        {
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, cases[i].saving);
          g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
        }
      tsr_verdict_clear (&v);
    }
  fixture_finish (missing, 0);
  g_assert_cmpint (fixture_result (missing, "io-code-and-headers"), ==, TSR_RULE_NOT_CHECKED);
}

/* ------------------------------------------------------------ one-off-code */

static void
test_one_off (void)
{
  static const struct
  {
    gint64 exchange, vertex, control;
    double median;
    gboolean known;
    TsrRuleResult result;
  } cases[] = {
    { 1000, 1500, 500, 4, TRUE, TSR_RULE_FIRED },
    { 1000, 1500, 499, 4, TRUE, TSR_RULE_FINE },
    { 1000, 1500, 500, 3.5, TRUE, TSR_RULE_FINE },
    { 1000, 1500, 500, 4, FALSE, TSR_RULE_NOT_CHECKED },
    { 1000, TSR_UNKNOWN, 500, 4, TRUE, TSR_RULE_NOT_CHECKED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = make (60000);
      TsrInsightOneOff *code = &f->c.one_off;
      TsrVerdict v;

      fixture_finish (f, 0);
      code->known = cases[i].known;
      code->missing = "steps";
      code->median = cases[i].median;
      code->exchange = cases[i].exchange;
      code->vertex = cases[i].vertex;
      code->control = cases[i].control;
      code->exchange_total = 5000;
      g_assert_cmpint (fixture_check (f, "one-off-code", &v), ==, cases[i].result);
      if (v.finding != NULL)
        {
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, 3000);
          g_assert_cmpint (v.finding->bytes, ==, 5000);
        }
      else if (v.result == TSR_RULE_NOT_CHECKED && !cases[i].known)
        g_assert_nonnull (strstr (v.text, "autoReport.outputExecutionProfile"));
      tsr_verdict_clear (&v);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/code/exchange", test_exchange_code);
  g_test_add_func ("/insights/code/exchange-severity", test_exchange_severity);
  g_test_add_func ("/insights/code/exchange-groups", test_exchange_groups);
  g_test_add_func ("/insights/code/specialisations", test_specialisations);
  g_test_add_func ("/insights/code/vertex-memory", test_vertex_memory);
  g_test_add_func ("/insights/code/io", test_io_code);
  g_test_add_func ("/insights/code/one-off", test_one_off);
  return g_test_run ();
}
