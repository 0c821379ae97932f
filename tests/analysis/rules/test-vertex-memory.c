/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule vertex-memory at and beside each of its thresholds, on code made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

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
  vertex.code_array = g_new (gint64, f->c.n_tiles);
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
      g_autoptr (Fixture) f = fixture_new_pair (60000);

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
          g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_UPPER_BOUND);
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
  g_autoptr (Fixture) missing = fixture_new_pair (60000);
  g_autoptr (Fixture) types = fixture_new_pair (60000);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = fixture_new_pair (60000);
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

/* Evidence is the compute sets with most state of the vertices, and their part of all of it. */
static void
test_compute_sets (void)
{
  /* by compute set: of vertex 0, 1, 2 */
  static const gint64 counts[7][3] = { { 1, 0, 0 }, { 7, 2, 0 },  { 0, 0, 0 }, { 3, 0, 5 },
                                       { 3, 0, 5 }, { 0, 90, 0 }, { 2, 1, 0 } };
  static const guint32 order[] = { 1, 3, 4, 5, 6 };
  static const char *const names[] = { "p::Add<float>", "p::Add<half>", "p::Mul<int>" };

  for (guint variant = 0; variant < 3; variant++)
    {
      g_autoptr (Fixture) f = fixture_new_pair (60000);
      TsrProgramTables tables = { 0 };
      guint32 set_names[7], start[8], types[21];
      gint64 sizes[3] = { 40, 1, 16 }, entry_counts[21], all = 0;
      TsrVerdict v;

      tables.strings = tsr_string_table_new ();
      tables.n_compute_sets = 7;
      tables.compute_set_name = set_names;
      tables.vertex_start = start;
      tables.vertex_type = types;
      tables.vertex_type_size = sizes;
      for (guint s = 0; s < 7; s++)
        {
          g_autofree char *name = g_strdup_printf ("set %u", s);

          set_names[s] = tsr_string_table_intern (tables.strings, name, -1);
          start[s] = 3 * s;
          for (guint k = 0; k < 3; k++)
            {
              types[3 * s + k] = k;
              entry_counts[3 * s + k] = counts[s][k];
              all += variant == 2 && k == 2 ? 0 : counts[s][k] * sizes[k];
            }
        }
      start[7] = 21;
      fixture_category (f, variant == 1 ? "vertexCode" : "vertexInstanceState")[1]
          = variant == 1   ? 12000
            : variant == 0 ? 10000
                           : 0;
      fixture_finish (f, 0);
      f->c.programs = &tables;
      f->c.entry_counts = entry_counts;
      for (guint k = 0; k < 3; k++)
        {
          add_vertex (f, names[k], 700 + k, 10);
          g_array_index (f->c.vertices, TsrInsightVertex, k).state = 900 - k;
          g_array_index (f->c.vertices, TsrInsightVertex, k).count = 17;
        }
      for (guint k = 0; variant == 2 && k < 2; k++)
        add_vertex (f, "p::Add<half>", 1000, 10);
      g_assert_cmpint (fixture_check (f, "vertex-memory", &v), ==, TSR_RULE_FIRED);
      for (guint i = 0; i < 5; i++)
        {
          const TsrEvidence *evidence = &g_array_index (v.finding->evidence, TsrEvidence, i);
          guint32 set = order[i];
          gint64 bytes = 0;
          g_autofree char *name = g_strdup_printf ("set %u", set);

          for (guint k = 0; k < 3; k++)
            bytes += variant == 2 && k == 2 ? 0 : counts[set][k] * sizes[k];
          g_assert_cmpstr (evidence->name, ==, name);
          g_assert_cmpint (evidence->bytes, ==, bytes);
          g_assert_cmpfloat_with_epsilon (evidence->share, (double)bytes / (double)all, 1e-12);
        }
      if (variant == 0)
        g_assert_nonnull (
            strstr (v.finding->text, ", largest: p::Add<float> (17 instances, 900 B)"));
      if (variant == 1)
        g_assert_nonnull (strstr (v.finding->text, ", largest: p::Mul<int> (702 B)"));
      if (variant < 2)
        g_assert_cmpstr (v.finding->where.names[0], ==, variant == 0 ? names[0] : names[2]);
      tsr_verdict_clear (&v);
      f->c.programs = NULL;
      f->c.entry_counts = NULL;
      tsr_string_table_free (tables.strings);
    }
}

/* The vertex whose kinds have most code, or save most on a report that does not fit, of those with
 * four kinds or more that have code: where it fires and what it says. */
static void
test_bases (void)
{
  static const char *const names[]
      = { "p::A<float>", "p::A<half>", "p::Ab<a>", "p::A",     "p::A<x<y>>", "p::Ab<b>", "p::B<1>",
          "p::B<2>",     "p::Ab<c>",   "p::B",     "p::Ab<d>", "p::B<3>",    "p::A<z>",  "p::C" };
  static const guint bases[] = { 0, 0, 2, 0, 0, 2, 6, 6, 2, 6, 2, 6, 0, 13 };
  static const gint64 codes[] = { 0, 1, 256, 500, 512, 700, 750, 1000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  guint n_fired = 0;

  for (guint round = 0; round < 600; round++)
    {
      const gboolean overflows = round % 2 == 0;
      g_autoptr (Fixture) f = fixture_new_pair (60000);
      guint best = TSR_NO_INDEX, n = 0, k = 0;
      gint64 code = 0, largest = 0, weight = -1, all = 0;
      TsrVerdict v;

      fixture_category (f, "vertexCode")[1] = 11999;
      f->ovf[1] = overflows ? 9 : 0;
      fixture_finish (f, 0);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          const gboolean untold = round % 3 == 2 && g_rand_int_range (rand, 0, 9) == 0;

          add_vertex (f, names[i], untold ? TSR_UNKNOWN : codes[g_rand_int_range (rand, 0, 8)],
                      g_rand_int_range (rand, 0, 9));
          if (untold || (round % 5 == 4 && i == 1))
            g_array_index (f->c.vertices, TsrInsightVertex, i).code_array = NULL;
        }
      for (guint b = 0; b < G_N_ELEMENTS (names); b++)
        {
          gint64 sum = 0, most = 0;
          guint count = 0;

          for (guint i = 0; i < G_N_ELEMENTS (names); i++)
            if (bases[i] == b)
              {
                const gint64 one = g_array_index (f->c.vertices, TsrInsightVertex, i).code;

                sum = sum == TSR_UNKNOWN || one == TSR_UNKNOWN ? TSR_UNKNOWN : sum + one;
                most = MAX (most, one);
                count += one > 0;
              }
          if (sum == TSR_UNKNOWN || count < 4 || sum - overflows * most <= weight)
            continue;
          weight = sum - overflows * most;
          best = b;
          n = count;
          code = sum;
          largest = most;
        }
      for (guint t = 0; t < 2; t++)
        {
          gint64 sum = 0, most = 0;

          for (guint i = 0; i < G_N_ELEMENTS (names); i++)
            if (bases[i] == best)
              {
                const gint64 *one = g_array_index (f->c.vertices, TsrInsightVertex, i).code_array;

                sum = one == NULL || sum == TSR_UNKNOWN ? TSR_UNKNOWN : sum + one[t];
                most = one == NULL ? most : MAX (most, one[t]);
              }
          all = sum == TSR_UNKNOWN || all == TSR_UNKNOWN ? TSR_UNKNOWN : all + sum - most;
        }
      fixture_check (f, "vertex-memory", &v);
      g_assert_cmpint (v.result == TSR_RULE_FIRED, ==,
                       best != TSR_NO_INDEX
                           && (code >= 3000 || (overflows && code - largest >= 1024)));
      if (v.finding != NULL)
        {
          const char *name = best == 0 ? "p::A" : best == 2 ? "p::Ab" : "p::B";
          g_autofree char *said = g_strdup_printf (
              "%s: %u specialisations, %s of code on tile 1.  One of them would need at most %s.",
              name, n, tsr_insight_size (&f->c, code), tsr_insight_size (&f->c, largest));

          g_assert_cmpstr (v.finding->text, ==, said);
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, code - largest);
          g_assert_cmpint (v.finding->bytes, ==, all);
          g_assert_cmpint (v.about, ==, TSR_ABOUT_VERTICES);
          g_assert_cmpstr (v.finding->scope, ==, "tile1");
          g_assert_cmpstr (v.finding->where.tab, ==, "vertices");
          g_assert_cmpstr (v.finding->where.breakdown, ==, "category");
          for (guint i = 0; i < G_N_ELEMENTS (names); i++)
            if (bases[i] == best && g_array_index (f->c.vertices, TsrInsightVertex, i).code > 0)
              g_assert_cmpstr (v.finding->where.names[k++], ==, names[i]);
          g_assert_null (v.finding->where.names[k]);
          n_fired++;
        }
      tsr_verdict_clear (&v);
    }
  g_assert_cmpuint (n_fired, >, 50);
}

/* State or code of all vertices, and the largest of them, if there is any. */
static void
test_largest (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);

  for (guint round = 0; round < 100; round++)
    {
      static const char *const names[] = { "a", "b", "c" };
      const gboolean state = round % 2 == 0, both = round % 4 == 0;
      const guint n = round % 5;
      g_autoptr (Fixture) f = fixture_new_pair (60000);
      g_autofree char *example = NULL, *said = NULL;
      gint64 largest = 0;
      guint at = 0;
      TsrVerdict v;

      fixture_category (f, "vertexFieldData")[1] = state ? 10000 : 9999;
      fixture_category (f, "vertexCode")[1] = state && !both ? 11999 : 12000;
      fixture_finish (f, 0);
      for (guint i = 0; i < MIN (n, 3); i++)
        {
          const gint64 size = g_rand_int_range (rand, 0, 3);

          add_vertex (f, names[i], state ? 7 - i : size, 0);
          g_array_index (f->c.vertices, TsrInsightVertex, i).state = state ? size : 7 - i;
          g_array_index (f->c.vertices, TsrInsightVertex, i).count = 17 + i;
          if (size > largest)
            {
              largest = size;
              at = i;
            }
        }
      example = largest == 0 ? g_strdup ("")
                : state ? g_strdup_printf (", largest: %s (%u instances, %d B)", names[at], 17 + at,
                                           (int)largest)
                        : g_strdup_printf (", largest: %s (%d B)", names[at], (int)largest);
      said = g_strdup_printf ("%s of vertices takes %s on tile 1%s.", state ? "State" : "Code",
                              state ? "9.77 KiB" : "11.7 KiB", example);
      g_assert_cmpint (fixture_check (f, "vertex-memory", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpstr (v.finding->text, ==, said);
      g_assert_cmpstr (v.finding->where.names != NULL ? v.finding->where.names[0] : "", ==,
                       largest > 0 ? names[at] : "");
      tsr_verdict_clear (&v);
    }
}

void
add_vertex_memory_tests (void)
{
  g_test_add_func ("/insight-rules/vertex-memory/bases", test_bases);
  g_test_add_func ("/insight-rules/vertex-memory/largest", test_largest);
  g_test_add_func ("/insight-rules/vertex-memory/compute-sets", test_compute_sets);
  g_test_add_func ("/insight-rules/vertex-memory/specialisations", test_specialisations);
  g_test_add_func ("/insight-rules/vertex-memory/vertex-memory", test_vertex_memory);
}
