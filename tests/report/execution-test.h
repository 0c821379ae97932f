/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tests of damaged executions share: one that is as it should be, and whether a slice is
 * still as it was made. */

#pragma once

#include "tables-test.h"

/* Two replicas of two IPUs with four tiles; three runs of four, six and five steps; step s of IPU i
 * is from 100 s + i to 100 s + 90 + i, after a lead-in of i; its other figures follow from s and i,
 * too.  Rowids of steps_by_ipu are 1 + 4 s + i. */
#define N_STEPS 15
#define N_IPUS  4
static const char base[]
    = "CREATE TABLE target (num_ipus, ipus_per_replica, num_replicas, tiles_per_ipu,"
      " bytes_per_tile);"
      "INSERT INTO target VALUES (4, 2, 2, 4, 1000);"
      "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT);"
      "INSERT INTO programs VALUES (10, 'main', 'Sequence'), (11, 'cs', 'OnTileExecute');"
      "CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name TEXT);"
      "INSERT INTO compute_sets VALUES (0, 'a/b'), (1, 'a/c');"
      "CREATE TABLE runs (id INTEGER PRIMARY KEY, name, first_step, end_step, microseconds_start,"
      " microseconds_end);"
      "INSERT INTO runs VALUES (5, 'one', 0, 4, 0, 0), (6, 'two', 4, 10, 1, 2),"
      " (7, 'three', 10, 15, 2, 3);"
      "CREATE TABLE run_cycles_by_ipu (run, ipu, cycles);"
      "INSERT INTO run_cycles_by_ipu VALUES (5, 0, 400), (6, 3, 600);"
      "CREATE TABLE execution_cycle_totals (ipu, total);"
      "INSERT INTO execution_cycle_totals VALUES (0, 1500), (2, 1502);"
      "CREATE TABLE steps (id INTEGER PRIMARY KEY, type, program, compute_set, run, tile_cycles);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 14)"
      " INSERT INTO steps SELECT i, iif (i % 2, 'DoExchange', 'OnTileExecute'), 11, i % 2, 5 +"
      " (i >= 4) + (i >= 10), i + 1 FROM n;"
      "CREATE TABLE steps_by_ipu (step_id, ipu, cycles, active_tiles, cycles_base,"
      " active_cycles_from_min, active_cycles_from_max, active_cycles_to_max, tile_balance,"
      " active_tile_balance, data_in, data_out);"
      "CREATE TABLE ipus (i); INSERT INTO ipus VALUES (0), (1), (2), (3);"
      "INSERT INTO steps_by_ipu SELECT id, i, 80 + i, 1 + i, 100 * id, 0, i, 90 + i, 0.25, 0.5,"
      " 4 * id, 8 * id FROM steps, ipus ORDER BY id, i;"
      "CREATE TABLE blocks (id INTEGER PRIMARY KEY, program, name, ipu, tile, run, cycles_from,"
      " cycles_to, is_stream_copy, is_common, is_overflow, is_block_flush);"
      "INSERT INTO blocks VALUES (1, 11, NULL, 1, 2, 6, 500, 600, 0, 1, 0, 0),"
      " (2, 10, 'block', 0, 0, 6, 10, 20, 1, 0, 0, 1);";

static inline char *
dup_base (const char *sql)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *all = g_strconcat (base, sql, NULL);

  tsr_test_sql (folder, "profile.pop", all);
  return folder;
}

/* (transfer full): the report of @base after @sql, its folder gone. */
static inline TsrReport *
open_damaged (const char *sql)
{
  char *folder = dup_base (sql);
  TsrReport *report = open_tables (folder, TSR_LOAD_ALL);

  tsr_test_folder_free (folder);
  return report;
}

/* The same, and what is said of it, and what it holds, is noted. */
static inline TsrReport *
damage (const char *sql)
{
  TsrReport *report = open_damaged (sql);

  note_said (report, sql, open_damaged);
  return report;
}

static inline gint64
id_of (const TsrExecutionTables *t, guint step)
{
  return t->step_id != NULL ? t->step_id[step] : t->first_step_id + step;
}

/* The slice of @step (id) on @ipu, or G_MAXSIZE; there is at most one. */
static inline gsize
find_slice (const TsrExecutionTables *t, gint64 step, guint ipu)
{
  gsize found = G_MAXSIZE;

  if (ipu >= t->n_ipus)
    return G_MAXSIZE;
  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    if (id_of (t, t->slice_step[i]) == step)
      {
        g_assert_cmpuint (found, ==, G_MAXSIZE);
        found = i;
      }
  return found;
}

static inline gboolean
is_as_made (const TsrExecutionTables *t, gsize i, gint64 s, guint ipu)
{
  return i != G_MAXSIZE && t->slice_start[i] == 100 * s + ipu
         && t->slice_end[i] == 100 * s + 90 + ipu && tsr_narrow_get (&t->slice_lead_in, i) == ipu
         && tsr_narrow_get (&t->slice_cycles, i) == 80 + ipu
         && tsr_narrow_get (&t->slice_active_tiles, i) == 1 + ipu
         && tsr_narrow_get (&t->slice_data_in, i) == 4 * s
         && tsr_narrow_get (&t->slice_data_out, i) == 8 * s && t->slice_tile_balance[i] == 0.25f
         && t->slice_active_tile_balance[i] == 0.5f;
}

/* All slices are as made but that of @step and @ipu (or of all IPUs: -1; of no step: -1). */
static inline void
check_others (const TsrExecutionTables *t, gint64 step, int ipu)
{
  for (gsize i = 0; i < t->ipu_start[t->n_ipus]; i++)
    g_assert_cmpuint (t->slice_step[i], <, t->n_steps);
  for (guint p = 0; p < t->n_ipus; p++)
    for (gsize i = t->ipu_start[p] + 1; i < t->ipu_start[p + 1]; i++)
      {
        gint64 before = t->slice_start[i - 1];
        gint64 after = t->slice_start[i];

        g_assert_true (after == TSR_UNKNOWN || (before != TSR_UNKNOWN && before <= after));
      }
  for (gint64 s = 0; s < N_STEPS; s++)
    for (guint p = 0; p < N_IPUS; p++)
      if (s != step || (ipu >= 0 && (guint)ipu != p))
        g_assert_true (is_as_made (t, find_slice (t, s, p), s, p));
}

#define TABLES(report) tsr_report_get_execution_tables (report)
