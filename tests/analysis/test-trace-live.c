/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Execution steps as liveness steps: by hand, against a search through all assignments, and of
 * programs that are executed here, where the right step is known.  Bytes against loops over all
 * slices. */

#include "config.h"

#include "analysis-test.h"
#include "trace-test.h"
#include "tsr-error.h"
#include "tsr-trace-live.h"

#include <string.h>

/* An execution of programs "a", "b", ... and the liveness steps of the same. */
typedef struct
{
  TraceTest *test;
  TsrTrace *trace;
  TsrTraceLive *live;
  guint n_live;
  guint32 *program;
} Bed;

static void
bed_clear (Bed *bed)
{
  g_clear_pointer (&bed->live, tsr_trace_live_unref);
  g_clear_pointer (&bed->trace, tsr_trace_unref);
  g_clear_pointer (&bed->test, trace_test_free);
  g_clear_pointer (&bed->program, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bed, bed_clear)

static guint32
get_program (TraceTest *test, char letter)
{
  const char name[] = { letter, '\0' };

  return letter == '?' ? TSR_NO_INDEX : trace_test_get_program (test, "OnTileExecute", name);
}

/* @runs: a letter for each step, a blank before the next run; step k is live with (k + 1) * 100. */
static void
bed_init (Bed *bed, const char *live, const char *runs)
{
  g_autofree gint64 *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gint64 at = 0;

  bed->test = trace_test_new (1);
  bed->n_live = (guint)strlen (live);
  bed->program = g_new (guint32, bed->n_live);
  bytes = g_new (gint64, bed->n_live);
  for (guint i = 0; i < bed->n_live; i++)
    {
      bed->program[i] = get_program (bed->test, live[i]);
      bytes[i] = (i + 1) * 100;
    }
  trace_test_begin_run (bed->test, "run");
  for (const char *c = runs; *c != '\0'; c++)
    {
      const char name[] = { *c, '\0' };

      if (*c == ' ')
        trace_test_begin_run (bed->test, "run");
      else
        trace_test_add_simple (bed->test, "OnTileExecute", *c == '?' ? NULL : name, 0, at, at + 10);
      at += 10;
    }
  bed->trace = trace_test_build (bed->test);
  bed->live = tsr_trace_live_new_from_steps (bed->trace, bed->program, bed->n_live, bytes, 1, NULL,
                                             &error);
  g_assert_no_error (error);
}

/* "3", "1 7" for each step that is looked at, "-" for none. */
static char *
dup_found (const Bed *bed)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 step = 0; step < tsr_trace_get_tables (bed->trace)->n_steps; step++)
    {
      guint32 first = 0, last = 0;
      guint n = tsr_trace_live_get_steps (bed->live, step, &first, &last), counted = 0;

      g_string_append (text, step > 0 ? ", " : "");
      for (guint32 i = 0; i < bed->n_live; i++)
        if (tsr_trace_live_may_be (bed->live, step, i))
          {
            g_string_append_printf (text, counted++ > 0 ? " %u" : "%u", i);
            g_assert_cmpuint (i, >=, first);
            g_assert_cmpuint (i, <=, last);
          }
      g_assert_cmpuint (counted, ==, n);
      if (n == 0)
        g_string_append (text, "-");
      else
        g_assert_true (tsr_trace_live_may_be (bed->live, step, first)
                       && tsr_trace_live_may_be (bed->live, step, last));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
check_found (const char *live, const char *runs, const char *expected)
{
  g_auto (Bed) bed = { NULL };
  g_autofree char *found = NULL;

  bed_init (&bed, live, runs);
  found = dup_found (&bed);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_by_hand (void)
{
  check_found ("abc", "abc", "0, 1, 2");
  /* A function that is called twice, and what the liveness does not know. */
  check_found ("axybxyc", "axyb?xyc", "0, 1, 2, 3, -, 4, 5, 6");
  check_found ("axxxb", "axxxb", "0, 1, 2, 3, 4");
  /* A branch left one of the calls out; each may be it. */
  check_found ("axxxb", "axxb", "0, 1 2, 2 3, 4");
  /* A loop around calls alone. */
  check_found ("axxb", "axxxxb", "0, 1 2, 1 2, 1 2, 1 2, 3");
  /* A loop that goes back to a; the last call is in order. */
  check_found ("faxbx", "faxaxaxbx", "0, 1, 2, 1, 2, 1, 2, 3, 4");
  /* ... with a call before a in the loop, and one before the loop: which is not told where it goes
     back, as the loop may begin behind the call. */
  check_found ("xaxb", "xaxaxb", "0, 1, 0 2, 1, 2, 3");
  /* Another run begins again. */
  check_found ("axbx", "axbx bx axb", "0, 1, 2, 3, 2, 3, 0, 1, 2");
  /* Out of any order. */
  check_found ("axb", "xab", "1, 0, 2");
}

/* Of many sets as many are kept as there is room for; steps of others have all of their program's.
 * Each n of the calls in a run are others. */
static void
test_limit (void)
{
  enum
  {
    N = 11
  };
  static const char live[] = "axxxxxxxxxxxyyyyyyyyyyyb";
  g_autoptr (GString) runs = g_string_new (NULL);
  g_auto (Bed) bed = { NULL };
  guint32 step = 0;
  guint n_exact = 2; /* a and b */

  for (int n = 1; n <= N; n++)
    g_string_append_printf (runs, "%sa%.*s%.*sb", n > 1 ? " " : "", n, "xxxxxxxxxxx", n,
                            "yyyyyyyyyyy");
  bed_init (&bed, live, runs->str);
  for (guint32 n = 1; n <= N; n++, step += 2)
    for (guint32 k = 0; k < 2 * n; k++)
      {
        const guint32 all = k < n ? 1 : 1 + N, at = all + k % n;
        guint32 first, last;
        const guint found = tsr_trace_live_get_steps (bed.live, 1 + step++, &first, &last);
        const gboolean exact = first == at && last == at + N - n;

        g_assert_cmpuint (found, ==, last - first + 1);
        g_assert_true (exact || (first == all && last == all + N - 1));
        n_exact += exact;
      }
  g_assert_cmpuint (n_exact, ==, 4 * bed.n_live + 4 + 1);
}

static void
test_nothing (void)
{
  g_autoptr (TraceTest) test = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  guint32 program;
  const gint64 bytes = 7;

  trace_test_add_simple (test, "Sync", "Internal", 0, 0, 10);
  program = trace_test_get_program (test, "OnTileExecute", "never");
  trace = trace_test_build (test);
  g_assert_null (tsr_trace_live_new_from_steps (trace, &program, 1, &bytes, 1, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
}

/* ------------------------------------------------------------------ oracle */

/* Every assignment of the letters [first, end) that goes up by @apart at least within [from, to):
 * marks what is in any. */
typedef struct
{
  const char *live, *runs;
  guint n_live;
  guint8 *may; /* [letter * n_live + step] */
  guint place[64];
} Search;

static gboolean
search (Search *s, guint first, guint at, guint end, guint from, guint to, guint apart)
{
  gboolean any = FALSE;

  if (at == end)
    {
      for (guint i = first; i < end; i++)
        s->may[i * s->n_live + s->place[i]] = 1;
      return TRUE;
    }
  for (guint k = from; k < to; k++)
    if (s->live[k] == s->runs[at])
      {
        s->place[at] = k;
        any |= search (s, first, at + 1, end, k + apart, to, apart);
      }
  return any;
}

static gboolean
can_place (Search *s, guint at, guint end, guint from, guint to)
{
  g_autofree guint8 *may = g_memdup2 (s->may, 64 * (gsize)s->n_live);
  gboolean can = search (s, at, at, end, from, to, 1);

  memcpy (s->may, may, 64 * (gsize)s->n_live);
  return can;
}

static gboolean
search_jump (Search *s, guint first, guint end, const guint from[2], const guint to[2])
{
  gboolean any = FALSE;

  for (guint jump = first; jump <= end; jump++)
    if (can_place (s, first, jump, from[0], to[0]) && can_place (s, jump, end, from[1], to[1]))
      {
        search (s, first, first, jump, from[0], to[0], 1);
        search (s, jump, jump, end, from[1], to[1], 1);
        any = TRUE;
      }
  return any;
}

static guint
count (const char *text, char letter)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == letter;
  return n;
}

static gboolean
is_told (const Search *s, guint k)
{
  return count (s->live, s->live[k]) == 1 && strchr (s->runs, s->live[k]) != NULL;
}

static void
search_anywhere (Search *s, guint first, guint end, guint from, guint to)
{
  for (guint i = first; i < end; i++)
    if (!search (s, i, i, i + 1, from, to, 1))
      search (s, i, i, i + 1, 0, s->n_live, 1);
}

static void
search_stretch (Search *s, guint first, guint end, int before, int after)
{
  guint from[2] = { (guint)(before + 1), 0 };
  guint to[2] = { s->n_live, after >= 0 ? (guint)after : s->n_live };
  guint near_from[2] = { from[0], 0 }, near_to[2] = { s->n_live, to[1] };

  if (before < 0 || after < 0 || before < after)
    {
      if (!search (s, first, first, end, from[0], to[1], 1)
          && !search (s, first, first, end, from[0], to[1], 0))
        search_anywhere (s, first, end, from[0], to[1]);
      return;
    }
  for (guint k = s->n_live; k-- > from[0];)
    if (is_told (s, k))
      near_to[0] = k;
  for (guint k = 0; k < to[1]; k++)
    if (is_told (s, k))
      near_from[1] = k + 1;
  if (!search_jump (s, first, end, near_from, near_to) && !search_jump (s, first, end, from, to))
    search_anywhere (s, first, end, 0, s->n_live);
}

static void
search_all (Search *s)
{
  guint n = (guint)strlen (s->runs), first = 0;
  int before = -1;

  for (guint i = 0; i <= n; i++)
    {
      gboolean ends = i == n || s->runs[i] == ' ';
      gboolean told = !ends && count (s->live, s->runs[i]) == 1;
      int at = told ? (int)(strchr (s->live, s->runs[i]) - s->live) : -1;

      if (!ends && !told)
        continue;
      search_stretch (s, first, i, before, at);
      if (told)
        s->may[i * s->n_live + (guint)at] = 1;
      before = at;
      first = i + 1;
    }
}

static void
test_oracle (void)
{
  for (guint seed = 0; seed < 4000; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      guint n_letters = (guint)g_rand_int_range (rand, 2, 7);
      char live[12] = "", runs[16] = "";
      guint8 may[64 * 12] = { 0 };
      guint n_live = (guint)g_rand_int_range (rand, 3, 11);
      guint n = (guint)g_rand_int_range (rand, 3, 13), step = 0;
      Search s = { .live = live, .runs = runs, .n_live = n_live, .may = may };
      g_auto (Bed) bed = { NULL };

      for (guint i = 0; i < n_live; i++)
        live[i] = (char)('a' + g_rand_int_range (rand, 0, (gint32)n_letters));
      for (guint i = 0; i < n; i++)
        runs[i] = live[g_rand_int_range (rand, 0, (gint32)n_live)];
      /* Every third is in order here and there. */
      for (guint i = 1; i < n && seed % 3 == 0; i++)
        if (i % 5 != 0 && strchr (live, runs[i - 1])[1] != '\0')
          runs[i] = strchr (live, runs[i - 1])[1];
      if (n > 6 && seed % 5 == 0)
        runs[n / 2] = ' ';
      search_all (&s);
      bed_init (&bed, live, runs);
      for (guint i = 0; i < n; i++)
        {
          if (runs[i] == ' ')
            continue;
          for (guint k = 0; k < n_live; k++)
            if (tsr_trace_live_may_be (bed.live, step, k) != may[i * n_live + k])
              g_error ("live %s, runs %s: step %u as %u", live, runs, i, k);
          step++;
        }
    }
}

/* ------------------------------------------------------- programs that run */

/* A program of functions x, y, z ... of several calls, told steps, and loops with a told step in
 * each; the execution says what each step was. */
typedef struct
{
  GRand *rand;
  GString *live, *runs;
  GArray *was; /* guint */
  char told;
} Walk;

static void
add_leaf (Walk *walk, char letter)
{
  g_string_append_c (walk->live, letter);
}

/* Appends a body of the program to live, and (times) its execution to runs. */
static void
add_body (Walk *walk, guint depth, gboolean loops)
{
  guint n = (guint)g_rand_int_range (walk->rand, 1, 5);

  for (guint i = 0; i < n; i++)
    if (depth > 0 && g_rand_int_range (walk->rand, 0, 3) == 0)
      {
        gsize from = walk->live->len, ran = walk->runs->len;
        guint times = loops ? (guint)g_rand_int_range (walk->rand, 1, 4) : 1;

        add_body (walk, depth - 1, loops);
        /* What one pass through it executes; the loop does it again. */
        if (times > 1 && walk->told <= 'z' && walk->live->len > from)
          {
            gsize pass;

            add_leaf (walk, walk->told);
            g_string_append_c (walk->runs, walk->told++);
            g_array_append_vals (walk->was, (guint[]){ (guint)walk->live->len - 1 }, 1);
            pass = walk->runs->len - ran;
            for (guint k = 1; k < times; k++)
              for (gsize j = 0; j < pass; j++)
                {
                  guint was = g_array_index (walk->was, guint, ran + j);

                  g_string_append_c (walk->runs, walk->runs->str[ran + j]);
                  g_array_append_val (walk->was, was);
                }
          }
      }
    else
      {
        char letter = (char)('A' + g_rand_int_range (walk->rand, 0, 4));
        guint step = (guint)walk->live->len;

        if (walk->told <= 'z' && g_rand_int_range (walk->rand, 0, 4) == 0)
          letter = walk->told++;
        add_leaf (walk, letter);
        g_string_append_c (walk->runs, letter);
        g_array_append_val (walk->was, step);
      }
}

static void
test_walks (void)
{
  guint n_told = 0, n_steps = 0;

  for (guint seed = 0; seed < 600; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (GString) live = g_string_new (NULL), runs = g_string_new (NULL);
      g_autoptr (GArray) was = g_array_new (FALSE, FALSE, sizeof (guint));
      Walk walk = { rand, live, runs, was, 'a' };
      g_auto (Bed) bed = { NULL };

      for (guint i = 0; i < 4; i++)
        add_body (&walk, 3, seed % 2 == 0);
      bed_init (&bed, live->str, runs->str);
      for (guint step = 0; step < runs->len; step++)
        {
          guint32 first, last;
          guint n = tsr_trace_live_get_steps (bed.live, step, &first, &last);
          guint right = g_array_index (was, guint, step);

          if (!tsr_trace_live_may_be (bed.live, step, right))
            g_error ("live %s, runs %s: step %u is not %u", live->str, runs->str, step, right);
          if (seed % 2 == 1)
            g_assert_cmpuint (n, ==, 1);
          n_told += n == 1;
          n_steps++;
        }
    }
  g_test_message ("%u of %u steps are told", n_told, n_steps);
  g_assert_cmpuint (n_told, >, n_steps * 9 / 10);
}

/* ------------------------------------------------------------------- bytes */

static void
check_bytes (
    const TsrTraceLive *live, const TsrTrace *trace, const gint64 *bytes, guint n_live, guint ipu)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  g_autoptr (GRand) rand = g_rand_new_with_seed (ipu);
  gint64 begin, end;

  tsr_trace_get_span (trace, &begin, &end);
  for (guint q = 0; q < 300; q++)
    {
      gint64 from = begin - 50 + (gint64)(g_rand_double (rand) * (double)(end - begin + 100));
      gint64 to
          = from + 1 + (gint64)(g_rand_double (rand) * (double)(end - begin) / (1 + q % 40 * q));
      gint64 least = TSR_UNKNOWN, most = TSR_UNKNOWN;
      gint64 found[2];
      gsize holds = t->ipu_start[ipu + 1], first = TSR_NO_SLICE;

      for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
        if (t->slice_start[i] != TSR_UNKNOWN && t->slice_start[i] <= from)
          holds = i;
      for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
        {
          gint64 low = TSR_UNKNOWN, high = TSR_UNKNOWN;
          gboolean told = TRUE;

          if (t->slice_start[i] == TSR_UNKNOWN
              || (i != holds && (t->slice_start[i] <= from || t->slice_start[i] >= to)))
            continue;
          for (guint k = 0; k < n_live; k++)
            if (tsr_trace_live_may_be (live, t->slice_step[i], k))
              {
                told = told && bytes[k] != TSR_UNKNOWN;
                low = low == TSR_UNKNOWN ? bytes[k] : MIN (low, bytes[k]);
                high = MAX (high, bytes[k]);
              }
          if (!told)
            continue;
          first = high > most ? i : first;
          least = MAX (least, low);
          most = MAX (most, high);
        }
      tsr_trace_live_list (live, ipu, 1, (gint64[]){ from, to }, &found[0], &found[1]);
      g_assert_cmpint (found[0], ==, least);
      g_assert_cmpint (found[1], ==, most);
      g_assert_cmpuint (tsr_trace_live_find_slice (live, ipu, from, to), ==, first);
    }
}

/* Many at once are each by itself. */
static void
check_columns (const TsrTraceLive *live, const TsrTrace *trace, guint ipu, guint n)
{
  g_autofree gint64 *edges = g_new (gint64, n + 1), *found = g_new (gint64, 2 * n);
  g_autofree gsize *starts = g_new (gsize, n + 1);
  gint64 begin, end;

  tsr_trace_get_span (trace, &begin, &end);
  for (guint i = 0; i <= n; i++)
    edges[i] = begin - 20 + (end - begin + 40) * i / n;
  tsr_trace_live_list (live, ipu, n, edges, found, found + n);
  tsr_trace_find_starts (trace, ipu, edges, n + 1, starts);
  for (guint i = 0; i <= n; i++)
    g_assert_cmpuint (starts[i], ==, tsr_trace_find_start (trace, ipu, edges[i]));
  for (guint i = 0; i < n; i++)
    {
      gint64 least, most;

      tsr_trace_live_list (live, ipu, 1, edges + i, &least, &most);
      g_assert_cmpint (found[i], ==, least);
      g_assert_cmpint (found[n + i], ==, most);
    }
}

static void
test_bytes (void)
{
  static const guint sizes[] = { 100, 1000, 7, 1000, 64, 1000 };

  for (guint seed = 0; seed < G_N_ELEMENTS (sizes); seed++)
    {
      const guint n_ipus = 3 + seed % 2, of_replica = seed % 2 == 0 ? 3 : 2;
      g_autoptr (TraceTest) test = trace_test_new_random (seed, n_ipus, sizes[seed], 5);
      g_autoptr (TsrTrace) trace = NULL;
      g_autoptr (TsrTraceLive) live = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      guint n = 40;
      g_autofree guint32 *program = g_new (guint32, n);
      g_autofree gint64 *bytes = g_new (gint64, 3 * n);

      /* Two replicas of the same; of one IPU nothing is known. */
      test->target.num_ipus = n_ipus;
      test->target.ipus_per_replica = of_replica;
      test->target.num_replicas = n_ipus / of_replica;
      trace = trace_test_build (test);
      for (guint i = 0; i < n; i++)
        program[i]
            = test->tables.step_program[g_rand_int_range (rand, 0, (gint32)test->tables.n_steps)];
      for (guint i = 0; i < 3 * n; i++)
        bytes[i] = i % 17 == 16 || (seed == 3 && i >= n) ? TSR_UNKNOWN
                                                         : g_rand_int_range (rand, 0, 1 << 20);
      live = tsr_trace_live_new_from_steps (trace, program, n, bytes, seed == 3 ? 1 : of_replica,
                                            NULL, &error);
      g_assert_no_error (error);
      for (guint ipu = 0; ipu < n_ipus; ipu++)
        {
          check_bytes (live, trace, bytes + ipu % of_replica * n, n, ipu);
          check_columns (live, trace, ipu, 37);
          check_columns (live, trace, ipu, 5000);
        }
    }
}

/* Every call of a function is in the execution, so that each step is told. */
static void
test_report (void)
{
  char *folder = NULL;
  g_autoptr (TsrReport) report = analysis_open_preset ("pytorch", NULL, 0, &folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTrace) trace = tsr_trace_new (report, NULL, &error);
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrVariables) variables = tsr_variables_new (report, NULL, &error);
  g_autoptr (TsrLiveness) liveness = tsr_liveness_new (report, memory, variables);
  g_autoptr (TsrTraceLive) live = tsr_trace_live_new (trace, liveness, NULL, &error);
  const TsrLivenessTables *t = tsr_report_get_liveness_tables (report);
  guint n = tsr_trace_get_tables (trace)->n_steps, n_several = 0;

  g_assert_no_error (error);
  g_assert_cmpint (tsr_trace_live_get_most (live), ==,
                   tsr_test_ask (folder, "SELECT max(not_always_live_bytes) FROM liveness_steps"));
  for (guint32 step = 0; step < n; step++)
    {
      guint32 first = 0, last = 0;

      g_assert_cmpuint (tsr_trace_live_get_steps (live, step, &first, &last), ==, 1);
      g_assert_cmpuint (t->step_program[first], ==,
                        tsr_trace_get_tables (trace)->step_program[step]);
      for (guint32 k = 0, of = 0; k < t->n_steps; k++)
        if (t->step_program[k] == t->step_program[first] && of++ == 1)
          n_several++;
    }
  g_assert_cmpuint (n_several, ==,
                    tsr_test_ask (folder, "SELECT count(*) FROM steps WHERE program IN (SELECT "
                                          "program FROM liveness_steps GROUP BY program HAVING "
                                          "count(*) > 1)"));
  g_assert_cmpuint (n_several, >, n / 2);
  tsr_test_folder_free (folder);
}

/* What is live on none of the IPUs is recorded. */
static void
test_no_ipus (void)
{
  char *folder = NULL;
  g_autoptr (TsrReport) report = analysis_open_preset (
      "demo", "DROP TABLE liveness_by_ipu; DROP TABLE vars_info", 0, &folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTrace) trace = tsr_trace_new (report, NULL, &error);
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrVariables) variables = tsr_variables_new (report, NULL, &error);
  g_autoptr (TsrLiveness) liveness = tsr_liveness_new (report, memory, variables);

  g_assert_no_error (error);
  g_assert_cmpuint (tsr_memory_get_n_ipus (memory), >, 1);
  g_assert_null (tsr_trace_live_new (trace, liveness, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_assert_nonnull (strstr (error->message, "liveness_by_ipu"));
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-live/by-hand", test_by_hand);
  g_test_add_func ("/trace-live/limit", test_limit);
  g_test_add_func ("/trace-live/nothing", test_nothing);
  g_test_add_func ("/trace-live/oracle", test_oracle);
  g_test_add_func ("/trace-live/walks", test_walks);
  g_test_add_func ("/trace-live/bytes", test_bytes);
  g_test_add_func ("/trace-live/report", test_report);
  g_test_add_func ("/trace-live/no-ipus", test_no_ipus);
  return g_test_run ();
}
