/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Search by name: what is found in the demo report and in which order, against a walk over all
 * names with g_utf8_casefold and a full sort; places by number; chunks and cancelling. */

#include "config.h"

#include "analysis-test.h"
#include "tsr-debug-tables.h"
#include "tsr-search.h"

#include <string.h>

#define MOST 40

static void
open_demo (AnalysisReport *self, const char *sql)
{
  analysis_report_open (self, "demo", sql, TSR_LOAD_ALL);
  self->search
      = tsr_search_new (self->report, self->memory, self->variables,
                        1u << TSR_VIEW_MEMORY | 1u << TSR_VIEW_SUMMARY | 1u << TSR_VIEW_LIVENESS);
}

typedef struct
{
  GArray *found; /* TsrFound, of the last call */
  guint n_calls;
} Result;

static void
on_found (gpointer data, const TsrFound *found, guint n_found)
{
  Result *result = data;

  g_array_set_size (result->found, 0);
  g_array_append_vals (result->found, found, n_found);
  result->n_calls++;
}

/* (transfer full) (element-type TsrFound) */
static GArray *
run (AnalysisReport *self, const char *text)
{
  Result result = { g_array_new (FALSE, TRUE, sizeof (TsrFound)), 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (tsr_search_run (self->search, text, MOST, on_found, &result, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result.n_calls, >=, 1);
  return result.found;
}

/* The naive way */

static gboolean
starts_word (const gunichar *name, glong at)
{
  return at == 0 || !g_unichar_isalnum (name[at - 1])
         || (g_unichar_islower (name[at - 1]) && g_unichar_isupper (name[at]));
}

/* Letters, each in lower case if @lower. */
static gunichar *
dup_letters (const char *text, gboolean lower, glong *n)
{
  gunichar *letters = g_utf8_to_ucs4_fast (text, -1, n);

  for (glong i = 0; i < *n && lower; i++)
    letters[i] = g_unichar_tolower (letters[i]);
  return letters;
}

/* 0 exact .. 3 inside, 4 not at all. */
static guint
judge (const char *name, char **words)
{
  glong length, word_length;
  g_autofree gunichar *letters = dup_letters (name, FALSE, &length);
  g_autofree gunichar *folded = dup_letters (name, TRUE, &length);
  guint n = g_strv_length (words), worst = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree gunichar *word = dup_letters (words[i], TRUE, &word_length);
      guint best = 4;

      for (glong k = 0; k + word_length <= length; k++)
        {
          if (memcmp (folded + k, word, (gsize)word_length * sizeof *word) != 0)
            continue;
          if (n == 1 && word_length == length)
            best = 0;
          best = MIN (best, k == 0 ? 1u : starts_word (letters, k) ? 2u : 3u);
        }
      worst = MAX (worst, best);
    }
  return worst;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const TsrFound *x = a, *y = b;
  int place = (x->kind > TSR_FOUND_IPU) - (y->kind > TSR_FOUND_IPU);

  if (x->match != y->match)
    return (int)x->match - (int)y->match;
  if (place != 0)
    return place;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  if (x->kind != y->kind)
    return (int)x->kind - (int)y->kind;
  return (x->index > y->index) - (x->index < y->index);
}

static void
consider (GArray *all, TsrFoundKind kind, guint index, const char *name, gint64 bytes, char **words)
{
  TsrFound found = { kind, index, TSR_NO_INDEX, name, bytes, 0, NULL };
  guint match = name != NULL ? judge (name, words) : 4;

  found.match = match;
  if (match < 4)
    g_array_append_val (all, found);
}

/* (transfer full): all that match, but places, programs of one name each. */
static GArray *
search_naively (AnalysisReport *self, const char *text)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (TsrFound));
  GArray *result = g_array_new (FALSE, TRUE, sizeof (TsrFound));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  const TsrProgramTables *p = tsr_report_get_program_tables (self->report);
  const TsrLivenessTables *l = tsr_report_get_liveness_tables (self->report);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  consider (all, TSR_FOUND_VIEW, TSR_VIEW_MEMORY, "Memory", TSR_UNKNOWN, words);
  consider (all, TSR_FOUND_VIEW, TSR_VIEW_SUMMARY, "Summary", TSR_UNKNOWN, words);
  consider (all, TSR_FOUND_VIEW, TSR_VIEW_LIVENESS, "Liveness", TSR_UNKNOWN, words);
  for (guint i = 0; i < tsr_variables_get_n (self->variables); i++)
    consider (all, TSR_FOUND_VARIABLE, i, tsr_variables_get_name (self->variables, i),
              tsr_variables_get_bytes (self->variables, i), words);
  for (guint i = 0; i < p->n_vertex_types; i++)
    consider (all, TSR_FOUND_VERTEX_TYPE, i,
              tsr_string_table_get (p->strings, p->vertex_type_name[i]),
              p->vertex_type_code[i].total, words);
  for (guint i = 0; i < p->n_compute_sets; i++)
    consider (all, TSR_FOUND_COMPUTE_SET, i,
              tsr_string_table_get (p->strings, p->compute_set_name[i]), TSR_UNKNOWN, words);
  for (guint i = 0; i < p->n_programs; i++)
    for (guint step = 0; step < l->n_steps; step++)
      if (l->step_program[step] == i)
        {
          consider (all, TSR_FOUND_PROGRAM, i,
                    tsr_string_table_get (p->strings, p->program_name[i]), p->program_code[i].total,
                    words);
          break;
        }
  g_array_sort (all, compare);
  for (guint i = 0; i < all->len; i++)
    {
      const TsrFound *found = &g_array_index (all, TsrFound, i);

      if (found->kind == TSR_FOUND_PROGRAM && !g_hash_table_add (seen, (char *)found->name))
        continue;
      g_array_append_val (result, *found);
    }
  g_array_unref (all);
  return result;
}

static void
check (AnalysisReport *self, const char *text)
{
  g_autoptr (GArray) found = run (self, text);
  g_autoptr (GArray) expected = search_naively (self, text);

  g_assert_cmpuint (found->len, ==, MIN (expected->len, MOST));
  for (guint i = 0; i < found->len; i++)
    {
      const TsrFound *a = &g_array_index (found, TsrFound, i);
      const TsrFound *b = &g_array_index (expected, TsrFound, i);

      g_assert_cmpuint (a->kind, ==, b->kind);
      g_assert_cmpuint (a->index, ==, b->index);
      g_assert_cmpuint (a->match, ==, b->match);
      g_assert_cmpint (a->bytes, ==, b->bytes);
      g_assert_cmpstr (a->name, ==, b->name);
    }
}

static void
test_order (void)
{
  static const char *const texts[]
      = { "weight", "conv", "a",  "mem",  "memory", "poplin", "layer weight", "no such name at all",
          "m",      "/",    "::", "CONV", "out" };
  g_auto (AnalysisReport) demo = { 0 };
  guint n_variables;

  open_demo (&demo, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    check (&demo, texts[i]);
  /* Parts of names that are there, long and short. */
  n_variables = tsr_variables_get_n (demo.variables);
  for (guint i = 0; i < 60; i++)
    {
      const char *name
          = tsr_variables_get_name (demo.variables, g_test_rand_int_range (0, (int)n_variables));
      gsize length = strlen (name), from, n;
      g_autofree char *part = NULL;

      if (length == 0 || !g_str_is_ascii (name))
        continue;
      from = g_test_rand_int_range (0, (int)length);
      n = g_test_rand_int_range (1, (int)(length - from) + 1);
      part = g_strndup (name + from, n);
      /* Numbers are tiles as well. */
      if (strpbrk (part, " ") == NULL && strspn (part, "0123456789") != n)
        check (&demo, part);
    }
}

/* Capitals, and what stands beside them and beside small letters in ASCII. */
static void
test_capitals (void)
{
  static const char letters[] = "@AZ[`az{";
  g_auto (AnalysisReport) demo = { 0 };

  open_demo (&demo,
             "UPDATE variables SET name = 'q' || substr ('@AZ[`az{', 1 + id % 8, 1) || 'Q' || id");
  for (guint i = 0; letters[i] != '\0'; i++)
    for (guint first = 0; first < 2; first++)
      {
        const char text[] = { first ? 'Q' : 'q', letters[i], 'q', '\0' };

        check (&demo, text + (first ? 0 : 1));
        check (&demo, text);
      }
}

static void
test_places (void)
{
  static const struct
  {
    const char *text;
    TsrFoundKind kind;
    guint index;
  } places[] = { { "3", TSR_FOUND_TILE, 3 },
                 { "tile 3", TSR_FOUND_TILE, 3 },
                 { "TILE3", TSR_FOUND_TILE, 3 },
                 { "  tile   0 ", TSR_FOUND_TILE, 0 },
                 { "ipu 0", TSR_FOUND_IPU, 0 },
                 { "IPU0", TSR_FOUND_IPU, 0 },
                 { "mem", TSR_FOUND_VIEW, TSR_VIEW_MEMORY } };
  static const char *const nowhere[]
      = { "tile 99999999", "tile -1", "tile 99999999999999999999", "ipu 77", "tile 1 2", "tile" };
  g_auto (AnalysisReport) demo = { 0 };
  gint64 sum = 0;

  /* Variables of the same names, which have more bytes, stand behind them. */
  open_demo (&demo,
             "UPDATE variables SET name = CASE (id - (SELECT min (id) FROM variables)) WHEN 0 "
             "THEN 'ipu 0' WHEN 1 THEN 'tile 3' WHEN 2 THEN '3' WHEN 3 THEN 'memory' WHEN 4 "
             "THEN 'ipu0' ELSE name END, size_bytes = size_bytes + (id < 5 + (SELECT min (id) FROM "
             "variables)) * 1000000000000");
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GArray) found = run (&demo, places[i].text);

      g_assert_cmpuint (found->len, >, 0);
      g_assert_cmpuint (g_array_index (found, TsrFound, 0).kind, ==, places[i].kind);
      g_assert_cmpuint (g_array_index (found, TsrFound, 0).index, ==, places[i].index);
    }
  for (guint i = 0; i < G_N_ELEMENTS (nowhere); i++)
    {
      g_autoptr (GArray) found = run (&demo, nowhere[i]);

      for (guint k = 0; k < found->len; k++)
        {
          g_assert_cmpuint (g_array_index (found, TsrFound, k).kind, !=, TSR_FOUND_TILE);
          g_assert_cmpuint (g_array_index (found, TsrFound, k).kind, !=, TSR_FOUND_IPU);
        }
    }
  {
    g_autoptr (GArray) ipu = run (&demo, "ipu 0");
    guint first, end;

    tsr_memory_get_ipu_tiles (demo.memory, 0, &first, &end);
    for (guint tile = first; tile < end; tile++)
      sum += tsr_memory_peek (demo.memory, tsr_memory_get_fullness_metric (demo.memory))[tile];
    g_assert_cmpint (g_array_index (ipu, TsrFound, 0).bytes, ==, sum);
  }
}

/* What has a step says the first one; a search without memory and variables finds the rest. */
static void
test_parts (void)
{
  g_auto (AnalysisReport) demo = { 0 };
  const TsrLivenessTables *liveness;
  g_autoptr (GArray) found = NULL;
  g_autoptr (GArray) few = NULL;
  g_autoptr (GArray) none = NULL;
  guint n_programs = 0;

  open_demo (&demo, NULL);
  liveness = tsr_report_get_liveness_tables (demo.report);
  found = run (&demo, "a");
  for (guint i = 0; i < found->len; i++)
    {
      const TsrFound *one = &g_array_index (found, TsrFound, i);

      if (one->kind != TSR_FOUND_PROGRAM)
        continue;
      n_programs++;
      g_assert_cmpuint (liveness->step_program[one->step], ==, one->index);
      for (guint step = 0; step < one->step; step++)
        g_assert_cmpuint (liveness->step_program[step], !=, one->index);
    }
  g_clear_pointer (&demo.search, tsr_search_unref);
  demo.search = tsr_search_new (demo.report, NULL, NULL, 1u << TSR_VIEW_MEMORY);
  few = run (&demo, "a");
  g_assert_cmpuint (few->len, >, 0);
  for (guint i = 0; i < few->len; i++)
    g_assert_true (g_array_index (few, TsrFound, i).kind == TSR_FOUND_VERTEX_TYPE
                   || g_array_index (few, TsrFound, i).kind == TSR_FOUND_COMPUTE_SET
                   || g_array_index (few, TsrFound, i).index == TSR_VIEW_MEMORY);
  g_clear_pointer (&demo.search, tsr_search_unref);
  demo.search = tsr_search_new (demo.report, demo.memory, demo.variables, 0);
  none = run (&demo, "a");
  g_assert_cmpuint (none->len, ==, 0); /* nothing to show it in */
  if (n_programs == 0)
    g_test_message ("no program among the first");
}

/* Of each kind as many as match, whatever of the report is there. */
static void
test_missing (void)
{
  static const struct
  {
    const char *sql;
    TsrLoadFlags flags;
  } cases[] = {
    { NULL, TSR_LOAD_ALL },
    { NULL, TSR_LOAD_NO_LIVENESS },
    { NULL, TSR_LOAD_NO_PROGRAMS },
    { NULL, TSR_LOAD_UP_TO_MEMORY },
    { NULL, TSR_LOAD_SUMMARY_ONLY },
    { "DELETE FROM programs WHERE id <> (SELECT program FROM liveness_steps WHERE step = 3)",
      TSR_LOAD_ALL },
    { "DELETE FROM programs WHERE id <> (SELECT program FROM liveness_steps WHERE step = 0)",
      TSR_LOAD_ALL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint views = 0; views < 2; views++)
      {
        g_auto (AnalysisReport) tiny = { 0 };
        const TsrProgramTables *programs;
        const TsrLivenessTables *liveness;
        Result result = { g_array_new (FALSE, TRUE, sizeof (TsrFound)), 0 };
        g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
        guint n[TSR_FOUND_CONTEXT + 1] = { 0 }, n_programs = 0;

        analysis_report_open (&tiny, "tiny", cases[i].sql, cases[i].flags);
        programs = tsr_report_get_program_tables (tiny.report);
        liveness = tsr_report_get_liveness_tables (tiny.report);
        tiny.search = tsr_search_new (tiny.report, tiny.memory, tiny.variables,
                                      views == 0 ? G_MAXUINT : 1u << TSR_VIEW_LIVENESS);
        g_assert_true (tsr_search_run (tiny.search, "e", 5000, on_found, &result, NULL, NULL));
        for (guint k = 0; k < result.found->len; k++)
          {
            const TsrFound *found = &g_array_index (result.found, TsrFound, k);

            n[found->kind]++;
            if (found->kind == TSR_FOUND_PROGRAM && found->step != TSR_NO_INDEX)
              g_assert_cmpuint (liveness->step_program[found->step], ==, found->index);
          }
        g_array_unref (result.found);
        for (guint p = 0; programs != NULL && p < programs->n_programs; p++)
          {
            const char *name = tsr_string_table_get (programs->strings, programs->program_name[p]);
            gboolean shown = views == 0;

            for (guint s = 0; liveness != NULL && s < liveness->n_steps; s++)
              shown |= liveness->step_program[s] == p;
            if (shown && name != NULL && strpbrk (name, "eE") != NULL)
              n_programs += g_hash_table_add (seen, (char *)name);
          }
        g_assert_cmpuint (n[TSR_FOUND_PROGRAM], ==, n_programs);
        g_assert_true ((n[TSR_FOUND_VARIABLE] > 0) == (tiny.variables != NULL));
        g_assert_true ((n[TSR_FOUND_VERTEX_TYPE] > 0) == (views == 0 && programs != NULL));
      }
}

static void
test_letters (void)
{
  g_auto (AnalysisReport) demo = { 0 };
  static const char *const texts[] = { "größe/été_x", "GRÖSS", "été", "É", "x" };

  open_demo (&demo, "UPDATE variables SET name = 'Größe/ÉTÉ_x' WHERE rowid IN"
                    "  (SELECT rowid FROM variables ORDER BY id LIMIT 1 OFFSET 7);");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GArray) found = run (&demo, texts[i]);
      gboolean there = FALSE;

      for (guint k = 0; k < found->len; k++)
        there |= g_strcmp0 (g_array_index (found, TsrFound, k).name, "Größe/ÉTÉ_x") == 0;
      if (i == 1)
        g_assert_false (there); /* ß stays a letter of its own */
      else if (i < 4)
        g_assert_true (there);
    }
}

/* (transfer full): of few letters, so that parts of it are found elsewhere. */
static char *
draw_name (guint most)
{
  static const char *const letters[]
      = { "a", "A", "b", "é", "É", "ß", "/", "_", "名", "Q", "a", "b" };
  GString *name = g_string_new (NULL);

  for (gint i = g_test_rand_int_range (1, (gint)most + 1); i > 0; i--)
    g_string_append (name, letters[g_test_rand_int_range (0, G_N_ELEMENTS (letters))]);
  return g_string_free (name, FALSE);
}

/* The ranges of each word where it begins a word first, else where it is first. */
static void
check_ranges (const char *name, char **words, const char *text)
{
  g_autoptr (GArray) ranges = tsr_search_find_ranges (name, text);
  g_autofree guint8 *marked = g_new0 (guint8, strlen (name) + 1);
  glong length, n;
  g_autofree gunichar *letters = dup_letters (name, FALSE, &length);
  g_autofree gunichar *folded = dup_letters (name, TRUE, &length);
  guint last = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree gunichar *word = dup_letters (words[i], TRUE, &n);
      glong at = -1;

      for (glong k = 0; k + n <= length && (at < 0 || !starts_word (letters, at)); k++)
        if (memcmp (folded + k, word, (gsize)n * sizeof *word) == 0
            && (at < 0 || starts_word (letters, k)))
          at = k;
      if (at < 0)
        continue;
      for (const char *p = g_utf8_offset_to_pointer (name, at);
           p < g_utf8_offset_to_pointer (name, at + n); p++)
        marked[p - name] = 1;
    }
  for (guint i = 0; i < ranges->len; i++)
    {
      const TsrMatchRange range = g_array_index (ranges, TsrMatchRange, i);

      g_assert_true (i == 0 ? range.from >= last : range.from > last);
      g_assert_cmpuint (range.from, <, range.to);
      for (guint k = last; k < range.to; k++)
        g_assert_cmpuint (marked[k], ==, k >= range.from);
      last = range.to;
    }
  for (gsize k = last; name[k] != '\0'; k++)
    g_assert_cmpuint (marked[k], ==, 0);
}

/* Names and texts of letters of one byte and of several. */
static void
test_drawn (void)
{
  g_auto (AnalysisReport) demo = { 0 };
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *name = draw_name (9);

      g_string_append_printf (sql, "UPDATE variables SET name = '%s' WHERE id %% 60 = %u;", name,
                              i);
    }
  open_demo (&demo, sql->str);
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *one = draw_name (3), *two = draw_name (2);
      g_autofree char *text = i % 3 > 0 ? g_strdup (one) : g_strconcat (one, " ", two, NULL);
      g_auto (GStrv) words = g_strsplit (text, " ", -1);

      check (&demo, text);
      for (guint k = 0; k < 20; k++)
        {
          g_autofree char *name = draw_name (9);

          check_ranges (name, words, text);
        }
    }
}

static void
test_ranges (void)
{
  static const struct
  {
    const char *name, *text, *expected;
  } cases[] = { { "layer/conv/weights", "conv", "6-10 " },
                { "layer/conv/weights", "WEIGHTS lay", "0-3 11-18 " },
                { "deconv/conv", "conv", "7-11 " }, /* the one that begins a word */
                { "aaaa", "aa aaa", "0-3 " },
                { "abcd", "bc cd", "1-4 " },
                { "Größe/ÉTÉ_x", "été", "8-13 " },
                { "abc", "x", "" },
                { "abc", "x b", "1-2 " },
                /* the first 16 words */
                { "abc", "a a a a a a a a a a a a a a a a c", "0-1 " } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) ranges = tsr_search_find_ranges (cases[i].name, cases[i].text);
      g_autoptr (GString) shown = g_string_new (NULL);

      for (guint k = 0; k < ranges->len; k++)
        g_string_append_printf (shown, "%u-%u ", g_array_index (ranges, TsrMatchRange, k).from,
                                g_array_index (ranges, TsrMatchRange, k).to);
      g_assert_cmpstr (shown->str, ==, cases[i].expected);
    }
}

static void
test_cancel (void)
{
  g_auto (AnalysisReport) demo = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Result result = { g_array_new (FALSE, TRUE, sizeof (TsrFound)), 0 };

  open_demo (&demo, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_false (tsr_search_run (demo.search, "a", MOST, on_found, &result, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (result.n_calls, ==, 0);
  g_assert_true (tsr_search_run (demo.search, " \t ", MOST, on_found, &result, NULL, NULL));
  g_assert_cmpuint (result.n_calls, ==, 1);
  g_assert_cmpuint (result.found->len, ==, 0);
  g_assert_true (tsr_search_run (demo.search, "\xff\xc3", MOST, on_found, &result, NULL, NULL));
  g_array_unref (result.found);
}

/* The contexts of a layer by name, each name once, from the whole list of what is found. */
static void
check_contexts (AnalysisReport *self, const TsrDebugTables *debug, const char *text)
{
  Result result = { g_array_new (FALSE, TRUE, sizeof (TsrFound)), 0 };
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n = 0;

  g_assert_true (tsr_search_run (self->search, text, 50000, on_found, &result, NULL, NULL));
  for (guint i = 0; i < debug->n; i++)
    {
      const char *name = tsr_debug_tables_get_text (debug, debug->name[i]);
      guint match = judge (name, words);
      char *key = g_strdup_printf ("%u %s", debug->layer[i], name);

      if (!g_hash_table_add (seen, key) || match >= 4)
        continue;
      n = 0;
      for (guint k = 0; k < result.found->len; k++)
        {
          const TsrFound *found = &g_array_index (result.found, TsrFound, k);

          if (found->kind != TSR_FOUND_CONTEXT || found->index != i)
            continue;
          n++;
          g_assert_cmpuint (found->match, ==, match);
          g_assert_cmpstr (found->name, ==, name);
          g_assert_cmpstr (found->layer, ==, debug->layers[debug->layer[i]].name);
        }
      g_assert_cmpuint (n, ==, 1);
      g_hash_table_insert (seen, g_strdup_printf ("found %u", i), NULL);
    }
  n = 0;
  for (guint k = 0; k < result.found->len; k++)
    {
      const TsrFound *found = &g_array_index (result.found, TsrFound, k);
      g_autofree char *key = g_strdup_printf ("found %u", found->index);

      n += found->kind == TSR_FOUND_CONTEXT;
      g_assert_true (found->kind != TSR_FOUND_CONTEXT || g_hash_table_contains (seen, key));
    }
  g_test_message ("%s: %u contexts", text, n);
  g_assert_true ((n > 0) == !g_str_equal (text, "no such name"));
  g_array_unref (result.found);
}

/* Steps from @from up to @to; G_MAXUINT32 when it is not above. */
static guint
walk_up (const TsrDebugTables *debug, guint32 from, guint32 to)
{
  guint steps = 0;

  for (; from != to && from != TSR_NO_INDEX; from = debug->parent[from])
    steps++;
  return from == to ? steps : G_MAXUINT32;
}

/* Each program asked how far it is. */
static void
check_carrier (AnalysisReport *self, const TsrDebugTables *debug, guint32 row, guint *counts)
{
  const TsrProgramTables *programs = tsr_report_get_program_tables (self->report);
  guint32 program, context;
  TsrCarries carries = tsr_search_find_carrier (self->search, row, &program, &context);
  guint best[2] = { G_MAXUINT32, G_MAXUINT32 };
  guint32 first[2] = { TSR_NO_INDEX, TSR_NO_INDEX };

  for (guint i = 0; i < programs->n_programs; i++)
    {
      guint32 own = tsr_debug_tables_find (debug, programs->program_debug_id[i]);

      for (guint up = 0; up < 2 && own != TSR_NO_INDEX; up++)
        {
          guint steps = walk_up (debug, up ? row : own, up ? own : row);

          if (steps >= best[up])
            continue;
          best[up] = steps;
          first[up] = i;
        }
    }
  counts[carries]++;
  g_assert_cmpint (carries, ==,
                   first[0] != TSR_NO_INDEX   ? TSR_CARRIES_BELOW
                   : first[1] != TSR_NO_INDEX ? TSR_CARRIES_ABOVE
                                              : TSR_CARRIES_NONE);
  g_assert_cmpuint (program, ==, first[carries == TSR_CARRIES_ABOVE]);
  if (carries != TSR_CARRIES_NONE)
    g_assert_cmpuint (context, ==,
                      tsr_debug_tables_find (debug, programs->program_debug_id[program]));
  else
    g_assert_cmpuint (context, ==, TSR_NO_INDEX);
}

/* With debug.cbor, of which some contexts have lost their programs. */
static void
open_debug (AnalysisReport *self, TsrLoadFlags flags)
{
  self->folder = tsr_test_folder_new ();
  tsr_test_make_report (self->folder, "demo", "--force", "--only=profile,debug", NULL);
  tsr_test_sql (self->folder, "profile.pop",
                "UPDATE programs SET debug_id = NULL WHERE id % 3 <> 0;");
  self->report = analysis_open_report (self->folder, flags);
  self->search = tsr_search_new (self->report, NULL, NULL, 1u << TSR_VIEW_PROGRAM_TREE);
}

static void
test_contexts (void)
{
  static const char *const texts[] = { "conv", "layer relu", "MODEL", "no such name" };
  g_auto (AnalysisReport) demo = { 0 };
  const TsrDebugTables *debug;
  guint counts[3] = { 0 };
  g_autoptr (GArray) without = NULL;

  open_debug (&demo, TSR_LOAD_ALL);
  debug = tsr_report_get_debug_tables (demo.report);
  g_assert_nonnull (debug);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    check_contexts (&demo, debug, texts[i]);
  for (guint32 row = 0; row < debug->n; row += 1 + debug->n / 300)
    check_carrier (&demo, debug, row, counts);
  g_test_message ("below %u, above %u, none %u", counts[0], counts[1], counts[2]);
  g_assert_cmpuint (counts[TSR_CARRIES_BELOW], >, 0);
  g_assert_cmpuint (counts[TSR_CARRIES_NONE], >, 0);
  g_clear_pointer (&demo.search, tsr_search_unref);
  demo.search = tsr_search_new (demo.report, NULL, NULL, 1u << TSR_VIEW_MEMORY);
  without = run (&demo, "conv");
  for (guint i = 0; i < without->len; i++)
    g_assert_cmpint (g_array_index (without, TsrFound, i).kind, !=, TSR_FOUND_CONTEXT);
}

/* Contexts are not looked for, nor is anything read, while their file has not been. */
static void
test_without_debug (void)
{
  g_auto (AnalysisReport) demo = { 0 };
  g_autoptr (GArray) found = NULL;
  guint32 program, context;

  open_debug (&demo, TSR_LOAD_NO_DEBUG);
  found = run (&demo, "conv");
  g_assert_cmpuint (found->len, >, 0);
  for (guint i = 0; i < found->len; i++)
    g_assert_cmpint (g_array_index (found, TsrFound, i).kind, ==, TSR_FOUND_PROGRAM);
  g_assert_null (tsr_report_get_debug_tables (demo.report));
  g_assert_cmpint (tsr_search_find_carrier (demo.search, 0, &program, &context), ==,
                   TSR_CARRIES_NONE);
}

/* A clock that goes on whenever it is looked at. */
static gint64 now, tick;

gint64
g_get_monotonic_time (void)
{
  return now += tick;
}

typedef struct
{
  guint n_calls, n_found, n_same;
} Growth;

static void
on_more (gpointer data, const TsrFound *found, guint n_found)
{
  Growth *growth = data;

  growth->n_calls++;
  growth->n_same += n_found == growth->n_found;
  growth->n_found = n_found;
}

/* What is found is told each time that more than 20 ms have gone by and there is more of it. */
static void
test_chunks (void)
{
  static const gint64 ticks[] = { 0, 20000, 20001 };
  g_auto (AnalysisReport) demo = { 0 };
  Growth growth[G_N_ELEMENTS (ticks)] = { { 0 } };
  g_autoptr (GError) error = NULL;

  open_debug (&demo, TSR_LOAD_ALL);
  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++)
    {
      tick = ticks[i];
      g_assert_true (tsr_search_run (demo.search, "a", 50000, on_more, &growth[i], NULL, &error));
      g_assert_cmpuint (growth[i].n_found, ==, growth[0].n_found);
      g_assert_cmpuint (growth[i].n_same, <=, 1);
    }
  tick = 0;
  g_assert_cmpuint (growth[0].n_calls, ==, 1);
  g_assert_cmpuint (growth[2].n_calls, >, growth[1].n_calls);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/order", test_order);
  g_test_add_func ("/search/capitals", test_capitals);
  g_test_add_func ("/search/places", test_places);
  g_test_add_func ("/search/parts", test_parts);
  g_test_add_func ("/search/missing", test_missing);
  g_test_add_func ("/search/letters", test_letters);
  g_test_add_func ("/search/ranges", test_ranges);
  g_test_add_func ("/search/drawn", test_drawn);
  g_test_add_func ("/search/cancel", test_cancel);
  g_test_add_func ("/search/contexts", test_contexts);
  g_test_add_func ("/search/without-debug", test_without_debug);
  g_test_add_func ("/search/chunks", test_chunks);
  return g_test_run ();
}
