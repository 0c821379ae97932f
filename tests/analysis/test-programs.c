/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs: figures of made reports against recursive SQL, those of random graphs against naive
 * recursion over the tree that they stand for, and graphs that no program should fall over. */

#include "config.h"

#include "analysis-test.h"
#include "hand-programs.h"
#include "tsr-error.h"
#include "tsr-program-code.h"
#include "tsr-report-read.h"
#include "tsr-trace.h"

#include <math.h>

/* ----------------------------------------------------------- recursive SQL */

static const char prepare[]
    = "CREATE TABLE q_edge AS SELECT parent p, child c FROM program_children UNION ALL"
      " SELECT id, callee FROM programs WHERE callee IS NOT NULL;"
      "CREATE INDEX q_edge_p ON q_edge (p);"
      "CREATE INDEX q_live ON liveness_steps (program); CREATE INDEX q_ran ON steps (program);"
      "CREATE TABLE q_mult AS SELECT id, CASE WHEN type LIKE 'Repeat%' THEN repeat_count ELSE 1 END"
      " m FROM programs; CREATE INDEX q_mult_i ON q_mult (id);"
      "CREATE TABLE q_x AS WITH RECURSIVE w (p, n) AS (SELECT program, 1 FROM program_roots WHERE"
      " kind = 'control' AND compilation_step = (SELECT max (id) FROM compilation_steps)"
      " UNION ALL SELECT e.c, w.n * m.m FROM w JOIN q_edge e ON e.p = w.p JOIN q_mult m ON m.id ="
      " w.p) SELECT p, sum (n) n FROM w GROUP BY p; CREATE INDEX q_x_p ON q_x (p);"
      "CREATE TABLE q_step AS SELECT program p, cycles FROM " TSR_TEST_STEP_CYCLES ";"
      "CREATE INDEX q_step_p ON q_step (p);"
      "CREATE TABLE q_self AS SELECT p.id,"
      " coalesce ((SELECT maximum FROM tile_arrays WHERE id = coalesce ((SELECT"
      "  estimated_cycles_by_tile FROM compute_sets c WHERE c.compute_set = p.compute_set),"
      "  p.estimated_cycles_by_tile)), 0) est,"
      " coalesce ((SELECT total FROM tile_arrays WHERE id = p.data_in_by_tile), 0) + coalesce"
      "  ((SELECT total FROM tile_arrays WHERE id = p.data_out_by_tile), 0) moved,"
      " coalesce ((SELECT sum (flops) FROM compute_set_vertices v WHERE v.compute_set ="
      "  p.compute_set), 0) flops,"
      " (SELECT count (*) FROM compute_set_vertices v WHERE v.compute_set = p.compute_set AND flops"
      "  IS NULL) no_flops,"
      " coalesce ((SELECT sum (cycles) FROM q_step WHERE p = p.id), 0) cycles,"
      " (SELECT max (not_always_live_bytes) FROM liveness_steps l WHERE l.program = p.id) live,"
      " coalesce ((SELECT total FROM tile_arrays WHERE id = p.code_bytes_by_tile), 0) exchange,"
      " CASE WHEN p.control_code_by_tile IS NULL THEN 0 ELSE (SELECT total FROM tile_arrays WHERE "
      "id"
      "  = p.control_code_by_tile) - coalesce ((SELECT sum (a.total) FROM programs q JOIN "
      "tile_arrays"
      "  a ON a.id = q.control_code_by_tile WHERE q.id IN (SELECT child FROM program_children WHERE"
      "  parent = p.id)), 0) END control FROM programs p; CREATE INDEX q_self_i ON q_self (id);";

static gint64
get_number (const char *text)
{
  return *text == '\0' ? TSR_UNKNOWN : g_ascii_strtoll (text, NULL, 10);
}

typedef struct
{
  AnalysisReport report;
  TsrPrograms *programs;
} Fixture;

static void
fixture_open (Fixture *f, const char *preset, const char *sql)
{
  g_autoptr (GError) error = NULL;

  analysis_report_open (&f->report, preset, sql, TSR_LOAD_NO_LOWERED);
  f->programs = tsr_programs_new (f->report.report, NULL, &error);
  g_assert_no_error (error);
}

static void
fixture_close (Fixture *f)
{
  tsr_programs_unref (f->programs);
  analysis_report_clear (&f->report);
}

static void
check_figure (
    Fixture *f, guint32 program, TsrProgramFigure figure, const char *expected, gboolean recorded)
{
  gint64 value = tsr_programs_get (f->programs, program, figure);

  if (value != (recorded ? get_number (expected) : TSR_UNKNOWN))
    g_error ("program %d, figure %u: %" G_GINT64_FORMAT ", not %s", (int)program, figure, value,
             expected);
}

/* Every program by itself. */
static void
check_selves (Fixture *f, gboolean recorded)
{
  const char *folder = f->report.folder;
  g_autoptr (GPtrArray) rows
      = tsr_test_ask_rows (folder, "SELECT s.id, coalesce (x.n, 0), s.est, s.moved, CASE WHEN "
                                   "s.no_flops THEN NULL ELSE s.flops END, s.cycles, s.live, "
                                   "s.exchange, s.control, (SELECT count (*) FROM steps WHERE "
                                   "program = s.id) FROM q_self s LEFT JOIN q_x x ON x.p = s.id");
  static const TsrProgramFigure figures[]
      = { TSR_PROGRAM_EXECUTIONS,    TSR_PROGRAM_ESTIMATED_SELF, TSR_PROGRAM_MOVED_SELF,
          TSR_PROGRAM_FLOPS_SELF,    TSR_PROGRAM_CYCLES_SELF,    TSR_PROGRAM_LIVE_SELF,
          TSR_PROGRAM_EXCHANGE_SELF, TSR_PROGRAM_CONTROL_SELF,   TSR_PROGRAM_STEPS };

  g_assert_cmpuint (rows->len, ==, tsr_programs_get_n (f->programs));
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv row = rows->pdata[i];
      guint32 program = tsr_programs_find (f->programs, get_number (row[0]));

      for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
        check_figure (
            f, program, figures[k], row[k + 1],
            recorded || (figures[k] != TSR_PROGRAM_CYCLES_SELF && figures[k] != TSR_PROGRAM_STEPS));
    }
}

/* With all below. */
static void
check_totals (Fixture *f, gboolean recorded)
{
  const char *folder = f->report.folder;
  g_autoptr (GPtrArray) times = tsr_test_ask_rows (
      folder,
      "WITH RECURSIVE w (r, p, n, part) AS (SELECT id, id, 1, 1.0 FROM programs UNION ALL "
      "SELECT r, e.c, w.n * m.m, w.part * coalesce (1.0 * xp.n * m.m / xc.n, 1.0) FROM w JOIN "
      "q_edge e ON e.p = w.p JOIN q_mult m ON m.id = w.p LEFT JOIN q_x xp ON xp.p = w.p LEFT JOIN "
      "q_x xc ON xc.p = e.c) SELECT r, sum (w.n * s.est), sum (w.n * s.moved), CASE WHEN sum "
      "(s.no_flops) > 0 THEN NULL ELSE sum (w.n * s.flops) END, printf ('%%.3f', sum (w.part * "
      "s.cycles)) FROM w JOIN q_self s ON s.id = w.p GROUP BY r ORDER BY r");
  g_autoptr (GPtrArray) once = tsr_test_ask_rows (
      folder,
      "WITH RECURSIVE w (r, p) AS (SELECT id, id FROM programs UNION SELECT r, e.c FROM w "
      "JOIN q_edge e ON e.p = w.p), types (r, bytes) AS (SELECT r, sum (total) FROM (SELECT "
      "DISTINCT "
      "w.r, v.vertex_type, a.total FROM w JOIN programs p ON p.id = w.p JOIN compute_set_vertices "
      "v "
      "ON v.compute_set = p.compute_set JOIN vertex_types t ON t.id = v.vertex_type JOIN "
      "tile_arrays "
      "a ON a.id = t.code_bytes_by_tile) GROUP BY r), sums (r, live, bytes) AS (SELECT w.r, max "
      "(s.live), sum (s.control + s.exchange) FROM w JOIN q_self s ON s.id = w.p GROUP BY w.r) "
      "SELECT r, live, sums.bytes + coalesce (types.bytes, 0) FROM sums LEFT JOIN types USING (r) "
      "ORDER BY r");

  g_assert_cmpuint (times->len, >, 2);
  g_assert_cmpuint (times->len, ==, once->len);
  for (guint i = 0; i < times->len; i++)
    {
      GStrv a = times->pdata[i], b = once->pdata[i];
      guint32 program = tsr_programs_find (f->programs, get_number (a[0]));

      check_figure (f, program, TSR_PROGRAM_ESTIMATED, a[1], TRUE);
      check_figure (f, program, TSR_PROGRAM_MOVED, a[2], TRUE);
      check_figure (f, program, TSR_PROGRAM_FLOPS, a[3], TRUE);
      check_figure (f, program, TSR_PROGRAM_LIVE, b[1], TRUE);
      check_figure (f, program, TSR_PROGRAM_CODE, b[2], TRUE);
      if (recorded)
        g_assert_cmpfloat (fabs ((double)tsr_programs_get (f->programs, program, TSR_PROGRAM_CYCLES)
                                 - g_ascii_strtod (a[4], NULL)),
                           <=, 0.501);
    }
}

/* Those of a compilation step follow each other, and are the latest's where none is asked for. */
static void
check_roots (Fixture *f)
{
  const TsrProgramTables *t = tsr_programs_get_tables (f->programs);
  guint n, first, end, latest_first, latest_end, sum = 0, n_control = 0, n_function = 0;
  const TsrProgramRoot *roots = tsr_programs_peek_roots (f->programs, &n);

  for (guint32 step = 0; step < t->n_compilation_steps; step++)
    {
      tsr_programs_find_roots (f->programs, step, &first, &end);
      g_assert_cmpuint (
          end - first, ==,
          tsr_test_ask (f->report.folder,
                        "SELECT count (*) FROM program_roots WHERE compilation_step = "
                        "%d",
                        (int)t->compilation_step_id[step]));
      for (guint i = first; i < end; i++)
        {
          g_assert_cmpuint (roots[i].step, ==, step);
          g_assert_cmpuint (roots[i].program, ==, t->root_program[sum + i - first]);
          n_control += roots[i].kind == TSR_ROOT_CONTROL;
          n_function += roots[i].kind == TSR_ROOT_FUNCTION;
        }
      sum += end - first;
    }
  g_assert_cmpuint (sum, ==, n);
  g_assert_cmpuint (n_control, ==,
                    tsr_test_ask (f->report.folder,
                                  "SELECT count (*) FROM program_roots WHERE kind = 'control'"));
  g_assert_cmpuint (n_function, ==,
                    tsr_test_ask (f->report.folder,
                                  "SELECT count (*) FROM program_roots WHERE kind = 'function'"));
  tsr_programs_find_roots (f->programs, TSR_NO_INDEX, &latest_first, &latest_end);
  g_assert_true (latest_first == first && latest_end == end);
  tsr_programs_find_roots (f->programs, t->n_compilation_steps, &first, &end);
  g_assert_true (first == end);
}

/* The first that executes a compute set of that name; of a name that none has there is none. */
static void
check_sets (const TsrPrograms *programs)
{
  const TsrProgramTables *t = tsr_programs_get_tables (programs);

  for (guint32 set = 0; set < t->n_compute_sets; set++)
    {
      const char *name = tsr_string_table_get (t->strings, t->compute_set_name[set]);
      guint32 first = TSR_NO_INDEX;

      for (guint32 p = t->n_programs; p-- > 0;)
        if (t->program_compute_set[p] != TSR_NO_INDEX
            && g_strcmp0 (tsr_string_table_get (t->strings,
                                                t->compute_set_name[t->program_compute_set[p]]),
                          name)
                   == 0)
          first = p;
      g_assert_cmpuint (tsr_programs_find_of_set (programs, name), ==, first);
    }
  g_assert_cmpuint (tsr_programs_find_of_set (programs, "no/such/set"), ==, TSR_NO_INDEX);
}

static void
test_sql (gconstpointer data)
{
  const char *preset = data;
  gboolean recorded = !g_str_equal (preset, "oom");
  Fixture f = { 0 };
  const TsrProgramRoot *roots;
  gint64 sum = 0;
  guint n, first, end;

  fixture_open (&f, preset, prepare);
  check_selves (&f, recorded);
  check_totals (&f, recorded);
  /* What was measured is all below the control programs. */
  roots = tsr_programs_peek_roots (f.programs, &n);
  tsr_programs_find_roots (f.programs, TSR_NO_INDEX, &first, &end);
  for (guint i = first; recorded && i < end; i++)
    if (roots[i].kind == TSR_ROOT_CONTROL)
      sum += tsr_programs_get (f.programs, roots[i].program, TSR_PROGRAM_CYCLES);
  if (recorded)
    {
      g_assert_cmpint (sum, ==, tsr_programs_get_all_cycles (f.programs));
      g_assert_cmpint (sum, ==, tsr_test_ask (f.report.folder, "SELECT sum (cycles) FROM q_step"));
    }
  g_assert_cmpuint (end - first, ==,
                    tsr_test_ask (f.report.folder,
                                  "SELECT count (*) FROM program_roots WHERE compilation_step = "
                                  "(SELECT max (id) FROM compilation_steps)"));
  check_roots (&f);
  fixture_close (&f);
}

/* Names of vertices there may be, but nothing that executes them. */
static void
test_none (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;

  tsr_test_sql (folder, "profile.pop", "DELETE FROM programs");
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (tsr_report_get_program_tables (report));
  g_assert_null (tsr_programs_new (report, NULL, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  tsr_test_folder_free (folder);
}

/* What is no code, of a fifth of the programs, alone and with all below, by the arrays that SQL
 * finds. */
static void
check_figures (Fixture *f)
{
  static const char *const columns[] = { "data_in_by_tile", "data_out_by_tile",
                                         "coalesce (c.estimated_cycles_by_tile, "
                                         "p.estimated_cycles_by_tile)" };
  const guint n_tiles = tsr_memory_get_n_tiles (f->report.memory);
  const TsrProgramTables *t = tsr_programs_get_tables (f->programs);
  guint n_known[G_N_ELEMENTS (columns)] = { 0 };

  for (guint32 p = 0; p < tsr_programs_get_n (f->programs); p += 5)
    for (guint i = 0; i < 2 * G_N_ELEMENTS (columns); i++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (GPtrArray) arrays = tsr_test_ask_rows (
            f->report.folder,
            "WITH RECURSIVE e(parent, child) AS (SELECT parent, child FROM program_children UNION"
            " SELECT id, callee FROM programs WHERE callee IS NOT NULL), b(id) AS (SELECT "
            "%" G_GINT64_FORMAT " UNION SELECT e.child FROM b JOIN e ON e.parent = b.id WHERE %u)"
            " SELECT %s AS a FROM b JOIN programs p ON p.id = b.id LEFT JOIN compute_sets c"
            " ON c.compute_set = p.compute_set WHERE a IS NOT NULL",
            t->program_id[p], i % 2, columns[i / 2]);
        g_autofree gint64 *wanted = g_new0 (gint64, n_tiles);
        g_autofree gint64 *got
            = tsr_programs_dup_by_tile (f->programs, f->report.vertices, p,
                                        TSR_TILE_RECEIVED + i / 2, i % 2 != 0, NULL, &error);

        g_assert_no_error (error);
        for (guint k = 0; k < arrays->len; k++)
          {
            const gint64 array = g_ascii_strtoll (((GStrv)arrays->pdata[k])[0], NULL, 10);
            g_autofree gint64 *one
                = tsr_report_sum_tile_arrays (f->report.report, &array, 1, n_tiles);

            for (guint tile = 0; tile < n_tiles; tile++)
              wanted[tile] += one[tile];
          }
        n_known[i / 2] += arrays->len;
        for (guint tile = 0; tile < n_tiles; tile++)
          g_assert_cmpint (got[tile], ==, wanted[tile]);
      }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_assert_cmpuint (n_known[i], >, 3);
}

/* One tile, and the sum over all tiles. */
static void
test_tiles (void)
{
  Fixture f = { 0 };
  g_autoptr (TsrProgramCode) code = NULL;
  g_autoptr (GError) error = NULL;
  guint tile;

  fixture_open (&f, "demo", "UPDATE compute_sets SET name = 'same' WHERE compute_set % 5 = 3");
  check_sets (f.programs);
  tile = tsr_program_code_find_worst_tile (f.report.memory);
  code = tsr_program_code_new (f.programs, f.report.vertices, tile, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tile, ==,
                    tsr_test_ask (f.report.folder, "SELECT tile FROM memory_by_tile ORDER BY "
                                                   "including_gaps DESC, tile LIMIT 1"));
  for (guint32 p = 0; p < tsr_programs_get_n (f.programs); p++)
    for (guint below = 0; below < 2; below++)
      {
        gint64 on_tile = 0, all = 0;

        for (TsrTileFigure kind = 0; kind < TSR_N_CODE_KINDS; kind++)
          {
            g_autofree gint64 *values = tsr_programs_dup_by_tile (f.programs, f.report.vertices, p,
                                                                  kind, below != 0, NULL, &error);

            g_assert_no_error (error);
            on_tile += values[tile];
            for (guint i = 0; i < tsr_memory_get_n_tiles (f.report.memory); i++)
              all += values[i];
          }
        g_assert_cmpint (on_tile, ==,
                         below ? tsr_program_code_get_total (code, p)
                               : tsr_program_code_get_self (code, p));
        g_assert_cmpint (all, ==,
                         below ? tsr_programs_get (f.programs, p, TSR_PROGRAM_CODE)
                               : tsr_programs_get (f.programs, p, TSR_PROGRAM_CONTROL_SELF)
                                     + tsr_programs_get (f.programs, p, TSR_PROGRAM_EXCHANGE_SELF)
                                     + tsr_programs_get (f.programs, p, TSR_PROGRAM_VERTEX_SELF));
      }
  check_figures (&f);
  fixture_close (&f);
}

/* Vertices that are not told are not none: of programs without a compute set it is known. */
static void
test_tiles_untold (void)
{
  Fixture f = { 0 };
  guint n_known = 0, n_unknown = 0;

  fixture_open (&f, "demo", "DROP TABLE compute_set_vertices");
  for (guint32 p = 0; p < tsr_programs_get_n (f.programs); p++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree gint64 *values = tsr_programs_dup_by_tile (f.programs, f.report.vertices, p,
                                                            TSR_CODE_VERTEX, FALSE, NULL, &error);
      const gint64 wanted
          = tsr_programs_get_tables (f.programs)->program_compute_set[p] == TSR_NO_INDEX
                ? 0
                : TSR_UNKNOWN;

      g_assert_no_error (error);
      n_known += wanted == 0;
      n_unknown += wanted != 0;
      for (guint i = 0; i < tsr_memory_get_n_tiles (f.report.memory); i++)
        g_assert_cmpint (values[i], ==, wanted);
    }
  g_assert_cmpuint (n_known, >, 0);
  g_assert_cmpuint (n_unknown, >, 0);
  fixture_close (&f);
}

/* ------------------------------------------------------------ random graphs */

typedef struct
{
  const HandPrograms *hand;
  const TsrPrograms *programs;
  __int128 estimated;
  gboolean unknown;
  guint8 seen[64], types[16];
} Naive;

/* The tree that the graph stands for, whole. */
static void
walk_naive (Naive *naive, guint32 program, __int128 times, gboolean known)
{
  guint32 first, end;
  gint64 own = hand_programs_get_estimated (naive->hand, program);
  gint64 repeats = tsr_programs_get_repeats (naive->programs, program);

  if (own == TSR_UNKNOWN || (!known && own != 0))
    naive->unknown = TRUE;
  else
    naive->estimated += times * own;
  naive->seen[program] = 1;
  tsr_programs_get_edges (naive->programs, program, &first, &end);
  for (guint32 e = first; e < end; e++)
    walk_naive (naive, tsr_programs_get_child (naive->programs, e),
                repeats == TSR_UNKNOWN ? times : times * repeats,
                known && (repeats != TSR_UNKNOWN));
}

static gint64
sum_naive_code (Naive *naive)
{
  const TsrProgramTables *t = &naive->hand->tables;
  gint64 sum = 0;

  for (guint32 p = 0; p < t->n_programs; p++)
    if (naive->seen[p])
      {
        guint32 set = t->program_compute_set[p];
        gint64 control = tsr_programs_get (naive->programs, p, TSR_PROGRAM_CONTROL_SELF);

        if (t->program_code[p].total == TSR_UNKNOWN)
          return TSR_UNKNOWN;

        g_assert_cmpint (control, !=, TSR_UNKNOWN);
        sum += control + t->program_code[p].total;
        for (guint32 i = set != TSR_NO_INDEX ? t->vertex_start[set] : 0;
             set != TSR_NO_INDEX && i < t->vertex_start[set + 1]; i++)
          naive->types[t->vertex_type[i]] = 1;
      }
  for (guint i = 0; i < t->n_vertex_types; i++)
    if (naive->types[i] && t->vertex_type_code[i].total == TSR_UNKNOWN)
      return TSR_UNKNOWN;
    else if (naive->types[i])
      sum += t->vertex_type_code[i].total;
  return sum;
}

/* How often each program is executed, and parts of cycles, from the first row to the last: children
 * have higher rows. */
static void
check_parts (const HandPrograms *hand, const TsrPrograms *programs)
{
  const guint32 n = tsr_programs_get_n (programs);
  g_autofree double *times = g_new0 (double, n), *weights = g_new0 (double, n);
  g_autofree guint32 *edges = g_new0 (guint32, n), *passing = g_new0 (guint32, n);
  g_autofree guint8 *reached = g_new0 (guint8, n);
  guint n_roots;
  const TsrProgramRoot *roots = tsr_programs_peek_roots (programs, &n_roots);

  reached[0] = hand->tables.n_roots > 0;
  for (guint i = 0; i < n_roots; i++)
    {
      times[roots[i].program] = roots[i].kind == TSR_ROOT_CONTROL ? 1 : NAN;
      weights[roots[i].program] = 1;
    }
  for (guint way = 0; way < 3; way++) /* what is below the root; sums; parts */
    for (guint32 p = 0; p < n; p++)
      {
        const gint64 count = tsr_programs_get_repeats (programs, p);
        const double repeats = count != TSR_UNKNOWN ? (double)count : 1;
        guint32 edge, end;

        for (tsr_programs_get_edges (programs, p, &edge, &end); edge < end; edge++)
          {
            const guint32 c = tsr_programs_get_child (programs, edge);
            const gboolean passes = reached[p] == reached[c];

            if (way == 0)
              reached[c] |= reached[p];
            else if (way == 1)
              {
                edges[c]++;
                passing[c] += passes;
                weights[c] += passes ? weights[p] * repeats : 0;
                if (passes && times[p] != 0 && count != 0)
                  times[c] += count != TSR_UNKNOWN ? times[p] * repeats : NAN;
              }
            else
              g_assert_cmpfloat_with_epsilon (tsr_programs_get_part (programs, p, edge),
                                              edges[c] == 1    ? 1
                                              : !passes        ? 0
                                              : weights[c] > 0 ? weights[p] * repeats / weights[c]
                                                               : 1.0 / passing[c],
                                              1e-9);
            g_assert_cmpuint (tsr_programs_find_parent (programs, edge), ==, p);
          }
      }
  for (guint32 p = 0; p < n; p++)
    {
      g_assert_cmpuint (tsr_programs_get_n_parents (programs, p), ==, edges[p]);
      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_EXECUTIONS), ==,
                       isnan (times[p]) ? TSR_UNKNOWN : (gint64)times[p]);
    }
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 400; seed++)
    {
      g_autoptr (HandPrograms) hand = hand_programs_new_random (seed, 3 + seed % 11);
      g_autoptr (GError) error = NULL;
      TsrPrograms *programs;
      guint32 n;

      /* Code that is there, and not told. */
      if (seed % 3 == 1)
        hand->tables.program_code[seed % hand->tables.n_programs]
            = (TsrTileArrayRef){ 1, TSR_UNKNOWN, TSR_UNKNOWN };
      if (seed % 5 == 1)
        hand->tables.vertex_type_code[seed % 6].total = TSR_UNKNOWN;
      programs = tsr_programs_new_from_tables (&hand->tables, NULL, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      n = tsr_programs_get_n (programs);
      for (guint32 p = 0; p < n; p++)
        {
          Naive naive = { .hand = hand, .programs = programs };
          g_autoptr (GArray) below = tsr_programs_find_below (programs, p);
          guint n_seen = 0;

          walk_naive (&naive, p, 1, TRUE);
          for (guint32 other = 0; other < n; other++)
            n_seen += naive.seen[other];
          g_assert_cmpuint (below->len, ==, n_seen);
          for (guint i = 0; i < below->len; i++)
            g_assert_cmpuint (naive.seen[g_array_index (below, guint32, i)]--, ==, 1);
          for (guint i = 0; i < below->len; i++)
            naive.seen[g_array_index (below, guint32, i)] = 1;
          g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_CODE), ==,
                           sum_naive_code (&naive));
          /* A loop that runs 0 times hides what is unknown below it. */
          if (!naive.unknown)
            g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_ESTIMATED), ==,
                             (gint64)naive.estimated);
        }
      check_parts (hand, programs);
      tsr_programs_unref (programs);
    }
}

/* --------------------------------------------------------------- odd graphs */

static TsrPrograms *
make (HandPrograms *hand, TsrDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  TsrPrograms *programs;

  hand_programs_seal (hand);
  programs = tsr_programs_new_from_tables (&hand->tables, NULL, NULL, diagnostics, NULL, &error);
  g_assert_no_error (error);
  return programs;
}

/* 64 functions that each call the next one twice: 2^64 executions of the last. */
static void
test_doubling (void)
{
  g_autoptr (HandPrograms) hand = hand_programs_new ();
  TsrPrograms *programs;
  guint32 previous = hand_programs_add (hand, "Sequence", "main");

  hand_programs_root (hand, previous, "control");
  for (guint i = 0; i < 64; i++)
    {
      guint32 next = hand_programs_add (hand, "Sequence", "function");

      hand_programs_set_code (hand, next, 10);
      hand_programs_root (hand, next, "function");
      for (guint k = 0; k < 2; k++)
        {
          guint32 call = hand_programs_add (hand, "Call", "call");

          hand_programs_child (hand, previous, call);
          hand_programs_call (hand, call, next);
        }
      previous = next;
    }
  {
    guint32 leaf = hand_programs_add (hand, "DoExchange", "leaf");

    hand_programs_child (hand, previous, leaf);
    hand_programs_set_estimated (hand, leaf, 1);
    hand_programs_set_code (hand, leaf, 7);
    programs = make (hand, NULL);
    g_assert_cmpint (tsr_programs_get (programs, leaf, TSR_PROGRAM_EXECUTIONS), ==, TSR_UNKNOWN);
    g_assert_cmpint (tsr_programs_get (programs, leaf, TSR_PROGRAM_ESTIMATED), ==, 1);
  }
  /* Function i (from 1) is row 1 + 3 (i - 1), and is executed 2^i times. */
  for (guint i = 1; i <= 64; i++)
    {
      guint32 function = 1 + 3 * (i - 1);

      g_assert_cmpint (tsr_programs_get (programs, function, TSR_PROGRAM_EXECUTIONS), ==,
                       i < 63 ? (gint64)1 << i : TSR_UNKNOWN);
      g_assert_cmpint (tsr_programs_get (programs, function, TSR_PROGRAM_ESTIMATED), ==,
                       64 - i < 63 ? (gint64)1 << (64 - i) : TSR_UNKNOWN);
      g_assert_cmpint (tsr_programs_get (programs, function, TSR_PROGRAM_CODE), ==,
                       7 + 10 * (64 - (gint64)i + 1));
      g_assert_cmpuint (tsr_programs_get_n_parents (programs, function), ==, 2);
    }
  g_assert_cmpint (tsr_programs_get (programs, 0, TSR_PROGRAM_ESTIMATED), ==, TSR_UNKNOWN);
  g_assert_cmpint (tsr_programs_get (programs, 0, TSR_PROGRAM_CODE), ==, 7 + 640);
  tsr_programs_unref (programs);
}

/* Loops that run 2^60 times: what fits is exact, what does not is unknown. */
static void
test_many_repeats (void)
{
  const gint64 many = (gint64)1 << 60;
  g_autoptr (HandPrograms) hand = hand_programs_new ();
  TsrPrograms *programs;

  for (guint32 i = 0; i < 4; i++)
    hand_programs_add (hand, i < 3 ? "Repeat" : "DoExchange", NULL);
  for (guint32 i = 0; i < 3; i++)
    {
      hand->tables.program_repeat_count[i] = i == 0 ? 16 : i == 1 ? 7 : many;
      hand_programs_child (hand, i, i + 1);
    }
  hand_programs_root (hand, 0, "control");
  hand_programs_set_estimated (hand, 3, 1);
  hand_programs_set_code (hand, 3, 10);
  programs = make (hand, NULL);
  g_assert_cmpint (tsr_programs_get (programs, 3, TSR_PROGRAM_ESTIMATED), ==, 1);
  g_assert_cmpint (tsr_programs_get (programs, 2, TSR_PROGRAM_ESTIMATED), ==, many);
  g_assert_cmpint (tsr_programs_get (programs, 1, TSR_PROGRAM_ESTIMATED), ==, 7 * many);
  g_assert_cmpint (tsr_programs_get (programs, 0, TSR_PROGRAM_ESTIMATED), ==, TSR_UNKNOWN);
  g_assert_cmpint (tsr_programs_get (programs, 2, TSR_PROGRAM_EXECUTIONS), ==, 16 * 7);
  g_assert_cmpint (tsr_programs_get (programs, 3, TSR_PROGRAM_EXECUTIONS), ==, TSR_UNKNOWN);
  g_assert_cmpint (tsr_programs_get (programs, 0, TSR_PROGRAM_CODE), ==, 10);
  tsr_programs_unref (programs);
}

/* A ring below a root, a program that has itself below it, and a ring that nothing leads to. */
static void
test_rings (void)
{
  g_autoptr (HandPrograms) hand = hand_programs_new ();
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  TsrPrograms *programs;
  const TsrProgramRoot *roots;
  guint32 edge, end;
  guint n;

  for (guint i = 0; i < 8; i++)
    {
      hand_programs_add (hand, "DoExchange", "p");
      hand_programs_set_estimated (hand, i, 1 << i);
      hand_programs_set_code (hand, i, 1 << i);
    }
  hand_programs_root (hand, 0, "control");
  hand_programs_child (hand, 0, 1);
  hand_programs_child (hand, 1, 2);
  hand_programs_child (hand, 2, 0); /* back */
  hand_programs_child (hand, 2, 3);
  hand_programs_child (hand, 3, 3); /* itself */
  hand_programs_child (hand, 4, 5);
  hand_programs_call (hand, 5, 4); /* a ring of its own */
  hand_programs_child (hand, 7, 6);
  hand->tables.program_control_code[0].total = 5;
  programs = make (hand, diagnostics);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (diagnostics), ==, 3);
  g_assert_true (tsr_diagnostics_has (diagnostics, "program-cycle", "program_children", 2));
  g_assert_true (tsr_diagnostics_has (diagnostics, "program-cycle", "program_children", 3));
  g_assert_true (tsr_diagnostics_has (diagnostics, "program-cycle", "programs", 5));
  for (guint32 p = 0; p < 6; p++)
    {
      static const gint64 totals[] = { 15, 14, 12, 8, 48, 32 };

      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_ESTIMATED), ==, totals[p]);
      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_CODE), ==,
                       totals[p] + (p == 0 ? 5 : 0));
      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_EXECUTIONS), ==,
                       p < 4 ? 1 : TSR_UNKNOWN);
    }
  tsr_programs_get_edges (programs, 2, &edge, &end);
  g_assert_true (tsr_programs_is_cut (programs, edge));
  g_assert_cmpfloat (tsr_programs_get_part (programs, 2, edge), ==, 0);
  g_assert_false (tsr_programs_is_cut (programs, edge + 1));
  g_assert_cmpuint (tsr_programs_find_parent (programs, edge), ==, 2);
  g_assert_cmpuint (tsr_programs_find_parent (programs, edge + 1), ==, 2);
  roots = tsr_programs_peek_roots (programs, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (roots[1].program, ==, 7);
  g_assert_cmpuint (roots[2].program, ==, 4);
  g_assert_cmpint (roots[2].kind, ==, TSR_ROOT_OTHER);
  tsr_programs_unref (programs);
  /* What is computed again tells nothing new. */
  programs = tsr_programs_new_from_tables (&hand->tables, NULL, NULL, diagnostics, NULL, NULL);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, 3);
  tsr_programs_unref (programs);
}

/* A chain a million deep and a program with a million children. */
static void
test_million (void)
{
  const guint n = 1000000;

  for (guint way = 0; way < 2; way++)
    {
      g_autoptr (HandPrograms) hand = hand_programs_new ();
      TsrPrograms *programs;

      for (guint i = 0; i < n; i++)
        {
          hand_programs_add (hand, i + 1 < n && (way == 0 || i == 0) ? "Sequence" : "DoExchange",
                             NULL);
          hand_programs_set_estimated (hand, i, 1);
          hand_programs_set_code (hand, i, 2);
          if (i > 0)
            hand_programs_child (hand, way == 0 ? i - 1 : 0, i);
        }
      hand_programs_root (hand, 0, "control");
      programs = make (hand, NULL);
      g_assert_cmpint (tsr_programs_get (programs, 0, TSR_PROGRAM_ESTIMATED), ==, n);
      g_assert_cmpint (tsr_programs_get (programs, 0, TSR_PROGRAM_CODE), ==, 2 * n);
      g_assert_cmpint (tsr_programs_get (programs, n - 1, TSR_PROGRAM_EXECUTIONS), ==, 1);
      g_assert_cmpint (tsr_programs_get (programs, n / 2, TSR_PROGRAM_CODE), ==,
                       way == 0 ? 2 * (n - n / 2) : 2);
      tsr_programs_unref (programs);
    }
}

/* Ids that no row has, a loop without a count, a type that nobody knows, several steps. */
static void
test_report (void)
{
  g_autofree char *folder = NULL;
  Fixture f = { 0 };
  guint32 p;
  guint n;

  fixture_open (
      &f, "demo",
      "INSERT INTO programs (id, name, type, callee) VALUES (9000, 'lost', 'Call', 123456);"
      "INSERT INTO programs (id, name, type) VALUES (9001, 'what', 'NewKind');"
      "INSERT INTO program_children VALUES (9001, 0, 9000), (9001, 1, 777777);"
      "UPDATE programs SET repeat_count = NULL WHERE type = 'Repeat'");
  p = tsr_programs_find (f.programs, 9001);
  g_assert_cmpstr (tsr_programs_get_label (f.programs, p), ==, "Unknown (NewKind) (what)");
  g_assert_cmpint (tsr_programs_get (f.programs, p, TSR_PROGRAM_EXECUTIONS), ==, TSR_UNKNOWN);
  g_assert_cmpint (tsr_programs_get (f.programs, p, TSR_PROGRAM_CODE), ==, 0);
  p = tsr_programs_find (f.programs, 153); /* in the loop */
  g_assert_cmpint (tsr_programs_get (f.programs, p, TSR_PROGRAM_EXECUTIONS), ==, TSR_UNKNOWN);
  p = tsr_programs_find (f.programs, 148);
  g_assert_cmpint (tsr_programs_get (f.programs, p, TSR_PROGRAM_ESTIMATED), ==, TSR_UNKNOWN);
  /* Measured all the same. */
  g_assert_cmpint (tsr_programs_get (f.programs, p, TSR_PROGRAM_CYCLES), ==,
                   1385616 - 2 * 20000); /* but the waits that lead two runs */
  tsr_programs_peek_roots (f.programs, &n);
  g_assert_cmpuint (n, ==,
                    tsr_test_ask (f.report.folder, "SELECT count (*) FROM program_roots") + 1);
  g_assert_true (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (f.report.report)) >= 2);
  fixture_close (&f);
}

/* Which vertices compute sets are of is not told: that is not nothing. */
static void
test_untold (void)
{
  static const char *const changes[]
      = { "DELETE FROM compute_set_vertices", "DROP TABLE vertex_types", "DROP TABLE compute_sets",
          "UPDATE programs SET compute_set = NULL" };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      Fixture f = { 0 };
      guint32 compute, exchange, all;

      fixture_open (&f, "demo", changes[i]);
      compute = tsr_programs_find (f.programs, 3);
      exchange = tsr_programs_find (f.programs, 1);
      all = tsr_programs_find (f.programs, 148);
      g_assert_false (tsr_programs_tells_vertices (f.programs, compute));
      g_assert_true (tsr_programs_tells_vertices (f.programs, exchange));
      g_assert_cmpint (tsr_programs_get (f.programs, compute, TSR_PROGRAM_FLOPS), ==, TSR_UNKNOWN);
      g_assert_cmpint (tsr_programs_get (f.programs, compute, TSR_PROGRAM_VERTEX_SELF), ==,
                       TSR_UNKNOWN);
      g_assert_cmpint (tsr_programs_get (f.programs, compute, TSR_PROGRAM_CODE), ==, TSR_UNKNOWN);
      g_assert_cmpint (tsr_programs_get (f.programs, all, TSR_PROGRAM_FLOPS), ==, TSR_UNKNOWN);
      g_assert_cmpint (tsr_programs_get (f.programs, all, TSR_PROGRAM_CODE), ==, TSR_UNKNOWN);
      g_assert_cmpint (tsr_programs_get (f.programs, exchange, TSR_PROGRAM_FLOPS), ==, 0);
      g_assert_cmpint (tsr_programs_get (f.programs, exchange, TSR_PROGRAM_CODE), >, 0);
      fixture_close (&f);
    }
}

/* Of what programs were measured, against SQL: steps without a program are of the only one of their
 * compute set; what one IPU does not tell may be the longest; and there are sums that no number
 * holds. */
static void
test_steps (void)
{
  static const char *const changes[]
      = { "UPDATE steps SET program = NULL WHERE compute_set IS NOT NULL",
          "UPDATE steps SET program = NULL WHERE compute_set IS NOT NULL AND id % 2;"
          "UPDATE programs SET compute_set = (SELECT compute_set FROM programs WHERE id = 3)"
          " WHERE id = (SELECT min (id) FROM programs);"
          "UPDATE programs SET compute_set = NULL WHERE id = 3;"
          "UPDATE programs SET compute_set = (SELECT compute_set FROM programs WHERE id < 20 AND"
          " compute_set IS NOT NULL ORDER BY id DESC) WHERE id = (SELECT max (id) FROM programs)",
          "UPDATE steps_by_ipu SET cycles = NULL WHERE (step_id + ipu) % 97 = 5 AND step_id IN"
          " (SELECT id FROM steps WHERE type = 'OnTileExecute');"
          "UPDATE steps SET tile_cycles = NULL WHERE id % 97 = 7;"
          "UPDATE steps SET tile_cycles = (SELECT min (set_id) FROM tile_cycles) WHERE id % 97 = 8",
          "UPDATE steps_by_ipu SET cycles = 1 << 53" };
  guint n_repeated = 0, n_untold = 0;

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      Fixture f = { 0 };
      g_autoptr (GPtrArray) rows = NULL;

      fixture_open (&f, "demo", changes[i]);
      rows = tsr_test_ask_rows (
          f.report.folder,
          "WITH st AS (SELECT c.id, coalesce (c.program, (SELECT CASE count (*) WHEN 1 THEN max"
          " (p.id) END FROM programs p WHERE p.compute_set = s.compute_set)) p, CASE WHEN c.id IN"
          " (SELECT step_id FROM steps_by_ipu WHERE cycles IS NULL) THEN NULL ELSE c.cycles END"
          " cycles, tile_cycles FROM " TSR_TEST_STEP_CYCLES " c JOIN steps s USING (id))"
          " SELECT p.id, count (st.id), CASE WHEN count (cycles) = count (st.id) THEN coalesce"
          " (sum (cycles), 0) END, (SELECT cycles FROM st WHERE p = p.id ORDER BY id DESC LIMIT 1),"
          " count (st.id) > 1 AND count (tile_cycles) = count (st.id) AND count (DISTINCT"
          " tile_cycles) = 1, (SELECT CASE WHEN count (cycles) = count (*) AND total (cycles) <"
          " 9.2e18 THEN CAST (total (cycles) AS INTEGER) END FROM st) FROM programs p LEFT JOIN st "
          "ON st.p = p.id GROUP BY p.id");
      for (guint k = 0; k < rows->len; k++)
        {
          GStrv row = rows->pdata[k];
          const guint32 p = tsr_programs_find (f.programs, get_number (row[0]));

          check_figure (&f, p, TSR_PROGRAM_STEPS, row[1], TRUE);
          check_figure (&f, p, TSR_PROGRAM_CYCLES_SELF, row[2], TRUE);
          check_figure (&f, p, TSR_PROGRAM_CYCLES_LAST, row[3], TRUE);
          g_assert_cmpint (tsr_programs_is_repeated (f.programs, p), ==, get_number (row[4]));
          g_assert_cmpint (tsr_programs_get_all_cycles (f.programs), ==, get_number (row[5]));
          n_repeated += *row[4] == '1';
          n_untold += *row[2] == '\0';
        }
      g_assert_cmpint (
          tsr_programs_get (f.programs, tsr_programs_find (f.programs, 148), TSR_PROGRAM_CYCLES)
              == TSR_UNKNOWN,
          ==, i >= 2);
      fixture_close (&f);
    }
  g_assert_cmpuint (n_repeated, >, 10);
  g_assert_cmpuint (n_untold, >, 3);
}

/* What an earlier compilation step alone leads to is executed there, what both lead to, in the
 * latest one. */
static void
test_two_steps (void)
{
  g_autoptr (HandPrograms) hand = hand_programs_new ();
  g_autoptr (TsrPrograms) programs = NULL;
  static const gint64 executions[] = { 1, 1, 2, 1, TSR_UNKNOWN, 1 };
  guint n;

  for (guint i = 0; i < 6; i++)
    hand_programs_add (hand, "Sequence", NULL);
  for (guint i = 0; i < 2; i++)
    hand_programs_child (hand, 0, 2);
  hand_programs_child (hand, 1, 2);
  hand_programs_child (hand, 1, 3);
  hand_programs_root (hand, 1, "control");
  hand_programs_root (hand, 5, "control");
  hand_programs_root (hand, 0, "control");
  hand_programs_seal (hand);
  for (guint i = 0; i < 3; i++)
    hand->tables.root_step[i] = i > 1;
  programs = tsr_programs_new_from_tables (&hand->tables, NULL, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (tsr_programs_peek_roots (programs, &n)[0].program, ==, 0);
  g_assert_cmpuint (n, ==, 4);
  for (guint32 p = 0; p < 6; p++)
    g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_EXECUTIONS), ==, executions[p]);
  for (guint32 edge = 0; edge < 4; edge++)
    g_assert_cmpfloat (tsr_programs_get_part (programs, edge / 2, edge), ==,
                       edge < 2    ? 0.5
                       : edge == 2 ? 0
                                   : 1);
}

/* Control code without that of each child, once.  Where any is told, a program without an array has
 * none; children that have more are reported once. */
static void
test_control (void)
{
  for (guint seed = 0; seed < 400; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (HandPrograms) hand = hand_programs_new_random (seed, 3 + seed % 11);
      g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
      const TsrProgramTables *t = &hand->tables;
      gboolean told = FALSE;
      guint n_odd = 0;

      for (guint32 p = 0; p < t->n_programs; p++)
        {
          /* Of all, of half, of none; of one an array alone. */
          const gboolean has = seed % 4 < 2 && g_rand_int_range (random, 0, 1 + seed % 4) == 0;
          const gint64 total
              = has ? g_rand_int_range (random, 0, 5 + 80 * (gint32)(t->n_programs - p))
                    : TSR_UNKNOWN;

          hand->tables.program_control_code[p] = (TsrTileArrayRef){ TSR_UNKNOWN, total, total };
        }
      if (seed % 4 != 2)
        hand->tables.program_control_code[seed % t->n_programs]
            = (TsrTileArrayRef){ 7, TSR_UNKNOWN, TSR_UNKNOWN };
      for (guint32 p = 0; p < t->n_programs; p++)
        told = told || t->program_control_code[p].id != TSR_UNKNOWN
               || t->program_control_code[p].total != TSR_UNKNOWN;
      for (guint again = 0; again < 3; again++)
        {
          g_autoptr (TsrPrograms) programs = tsr_programs_new_from_tables (
              t, NULL, NULL, again < 2 ? diagnostics : NULL, NULL, NULL);

          for (guint32 p = 0; p < t->n_programs; p++)
            {
              const TsrTileArrayRef *own = &t->program_control_code[p];
              g_autofree guint8 *seen = g_new0 (guint8, t->n_programs);
              gint64 wanted = own->total;
              gboolean odd;

              if (told && own->id == TSR_UNKNOWN && wanted == TSR_UNKNOWN)
                wanted = 0;
              for (guint32 c = t->child_start[p]; c < t->child_start[p + 1]; c++)
                {
                  const TsrTileArrayRef *of = &t->program_control_code[t->child[c]];

                  if (seen[t->child[c]]++ == 0 && own->total != TSR_UNKNOWN && wanted != TSR_UNKNOWN
                      && (of->id != TSR_UNKNOWN || of->total > 0))
                    wanted = of->total == TSR_UNKNOWN ? TSR_UNKNOWN : wanted - of->total;
                }
              odd = wanted != TSR_UNKNOWN && wanted < 0;
              n_odd += again == 0 && odd;
              g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_CONTROL_SELF), ==,
                               odd ? TSR_UNKNOWN : wanted);
              g_assert_cmpint (tsr_diagnostics_has (diagnostics, "control-code-sum", "programs", p),
                               ==, odd);
            }
          g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), ==, n_odd);
        }
    }
}

/* Of each type, without any figure: what is missing is not told where the type would have it, or
 * an array is there. */
static void
test_types (void)
{
  static const char *const types[] = { "Sequence",
                                       "Repeat",
                                       "RepeatWhileTrue",
                                       "If",
                                       "Call",
                                       "DoExchange",
                                       "GlobalExchange",
                                       "StreamCopyBegin",
                                       "StreamCopyMid",
                                       "StreamCopyEnd",
                                       "Sync",
                                       "Sans",
                                       "SyncAns",
                                       "OnTileExecute",
                                       "OnTileCopy",
                                       "OnEveryTileSwitch",
                                       "WriteUndef",
                                       "NewKind",
                                       "",
                                       NULL };
  static const gint64 counts[] = { TSR_UNKNOWN, 0, 3 };
  const TsrTileArrayRef untold[]
      = { { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN }, { 1, TSR_UNKNOWN, TSR_UNKNOWN } };
  g_autoptr (HandPrograms) hand = hand_programs_new ();
  g_autoptr (TsrPrograms) programs = NULL;
  TsrProgramTables *t = &hand->tables;
  const guint n_each = G_N_ELEMENTS (types) * G_N_ELEMENTS (counts), n_types = 2 * n_each;

  for (guint i = 0; i < n_types; i++)
    {
      g_autofree char *name = g_strdup_printf ("n%u", i % 2);
      const guint32 p = hand_programs_add (hand, types[i % n_each / G_N_ELEMENTS (counts)],
                                           i % 3 > 0 ? name : NULL);

      t->program_repeat_count[p] = counts[i % G_N_ELEMENTS (counts)];
      t->program_code[p] = t->program_estimated_cycles[p] = t->program_data_in[p]
          = t->program_data_out[p] = untold[i / n_each];
    }
  for (guint i = 0; i < 400; i++)
    {
      g_autofree char *name = g_strdup_printf ("n%u", i / 2);

      hand_programs_add (hand, "Sequence", name);
    }
  programs = make (hand, NULL);
  for (guint32 p = 0; p < t->n_programs; p++)
    {
      const char *type = p < n_types ? types[p % n_each / G_N_ELEMENTS (counts)] : "Sequence";
      const char *name = tsr_programs_get_name (programs, p);
      const char *shown = type == NULL || *type == '\0'   ? "Unknown"
                          : g_str_equal (type, "NewKind") ? "Unknown (NewKind)"
                                                          : type;
      g_autofree char *label = g_strconcat (shown, *name != '\0' ? " (" : NULL, name, ")", NULL);

      g_assert_cmpstr (tsr_programs_get_label (programs, p), ==, label);
    }
  for (guint32 p = 0; p < n_types; p++)
    {
      const char *type = types[p % n_each / G_N_ELEMENTS (counts)];
      const TsrStepGroup group = tsr_step_group_of (type != NULL ? type : "");
      const gboolean computes = group == TSR_STEP_GROUP_COMPUTE;
      const gboolean has = p >= n_each;
      const gint64 moved = has || (tsr_step_group_is_useful (group) && !computes) ? TSR_UNKNOWN : 0;
      const gint64 computed = computes ? TSR_UNKNOWN : 0;

      g_assert_cmpstr (tsr_programs_get_type (programs, p), ==, type != NULL ? type : "");
      g_assert_cmpint (tsr_programs_get_repeats (programs, p), ==,
                       type != NULL && g_str_has_prefix (type, "Repeat")
                           ? counts[p % G_N_ELEMENTS (counts)]
                           : 1);
      g_assert_cmpint (tsr_programs_tells_vertices (programs, p), ==, !computes);
      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_MOVED_SELF), ==, moved);
      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_EXCHANGE_SELF), ==, moved);
      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_ESTIMATED_SELF), ==,
                       MIN (moved, computed));
      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_FLOPS_SELF), ==, computed);
      g_assert_cmpint (tsr_programs_get (programs, p, TSR_PROGRAM_VERTEX_SELF), ==, computed);
    }
}

/* Also after many programs, below a root or not. */
static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  for (guint way = 0; way < 3; way++)
    {
      g_autoptr (HandPrograms) hand
          = way == 2 ? hand_programs_new_random (1, 8) : hand_programs_new ();
      g_autoptr (GError) error = NULL;

      for (guint i = 0; way < 2 && i < 70000; i++)
        {
          hand_programs_add (hand, "Sequence", NULL);
          if (i > 0)
            hand_programs_child (hand, 0, i);
        }
      if (way < 2)
        {
          if (way == 1)
            hand_programs_root (hand, 0, "control");
          hand_programs_seal (hand);
        }
      g_assert_null (
          tsr_programs_new_from_tables (&hand->tables, NULL, NULL, NULL, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/programs/sql/demo", "demo", test_sql);
  g_test_add_data_func ("/programs/sql/pytorch", "pytorch", test_sql);
  g_test_add_data_func ("/programs/sql/oom", "oom", test_sql);
  g_test_add_func ("/programs/tiles", test_tiles);
  g_test_add_func ("/programs/tiles-untold", test_tiles_untold);
  g_test_add_func ("/programs/random", test_random);
  g_test_add_func ("/programs/doubling", test_doubling);
  g_test_add_func ("/programs/many-repeats", test_many_repeats);
  g_test_add_func ("/programs/rings", test_rings);
  g_test_add_func ("/programs/million", test_million);
  g_test_add_func ("/programs/report", test_report);
  g_test_add_func ("/programs/untold", test_untold);
  g_test_add_func ("/programs/steps", test_steps);
  g_test_add_func ("/programs/two-steps", test_two_steps);
  g_test_add_func ("/programs/control", test_control);
  g_test_add_func ("/programs/types", test_types);
  g_test_add_func ("/programs/cancelled", test_cancelled);
  g_test_add_func ("/programs/none", test_none);
  return g_test_run ();
}
