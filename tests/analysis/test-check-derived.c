/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What `check` has to find, derived from docs/report.sql: each rule of the schema is a question in
 * plain SQL for the rows that break it.  A report that is altered in one place must give findings
 * for those rows, and for no others; a row that breaks two rules may be told once. */

#include "config.h"

#include "tsr-check.h"
#include "tsr-test.h"

#include <string.h>

/* Columns: row, and what belongs together: rows of one group break the rule by one another, and
 * naming one of them is enough. */
typedef struct
{
  const char *code, *table, *sql;
} Rule;

#define N_TILES "(SELECT tiles_per_ipu * ipus_per_replica FROM target)"

/* Bytes of each tile that live at each step; a variable lives once, however often its class says
 * so. */
#define LIVE                                                                                       \
  "WITH lives AS (SELECT DISTINCT i.equivalence_class AS class, s.step AS step"                    \
  "    FROM equivalence_class_intervals i JOIN liveness_steps s"                                   \
  "    ON s.step >= i.start_step AND s.step < i.end_step),"                                        \
  "  live AS (SELECT v.tile AS tile, l.step AS step, sum (v.size_bytes) AS bytes"                  \
  "    FROM vars_info v JOIN lives l ON l.class = v.equivalence_class"                             \
  "    WHERE v.always_live = 0 GROUP BY v.tile, l.step)"

/* Bytes that the tile's variables occupy: from the left, what each adds to those before it. */
#define OCCUPIED                                                                                   \
  "WITH ends AS (SELECT tile, offset, offset + size_bytes AS e,"                                   \
  "    coalesce (max (offset + size_bytes) OVER (PARTITION BY tile ORDER BY offset, id"            \
  "      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM vars_info),"         \
  "  occupied AS (SELECT tile, sum (max (e - max (offset, before), 0)) AS bytes, max (e) AS e"     \
  "    FROM ends GROUP BY tile)"

static const Rule rules[] = {
  { "value-out-of-range", "tile_vars",
    "SELECT tile, tile FROM tile_vars WHERE tile < 0 OR tile >= " N_TILES },
  { "interval-reversed", "tile_vars",
    "SELECT tile, tile FROM tile_vars WHERE end_var < first_var" },
  { "tile-range-differs", "tile_vars",
    "SELECT v.tile, v.tile FROM (SELECT tile, min (id) AS a, max (id) + 1 AS e FROM vars_info"
    "  GROUP BY tile) v LEFT JOIN tile_vars t ON t.tile = v.tile"
    "  WHERE t.first_var IS NOT v.a OR t.end_var IS NOT v.e" },
  { "total-differs", "memory_by_tile",
    "SELECT tile, tile FROM memory_by_tile WHERE total IS NOT excluding_gaps" },
  { "gaps-negative", "memory_by_tile",
    "SELECT tile, tile FROM memory_by_tile WHERE including_gaps < excluding_gaps" },
  { "last-address-differs", "memory_by_tile",
    OCCUPIED "SELECT m.tile, m.tile FROM memory_by_tile m LEFT JOIN occupied o ON o.tile = m.tile"
             "  WHERE m.including_gaps IS NOT coalesce (o.e, 0)" },
  { "addresses-differ", "memory_by_tile",
    OCCUPIED "SELECT m.tile, m.tile FROM memory_by_tile m LEFT JOIN occupied o ON o.tile = m.tile"
             "  WHERE m.excluding_gaps IS NOT coalesce (o.bytes, 0)" },
  { "always-live-differs", "memory_by_tile",
    "SELECT m.tile, m.tile FROM memory_by_tile m WHERE m.always_live IS NOT coalesce ((SELECT"
    "  sum (v.size_bytes) FROM vars_info v WHERE v.tile = m.tile AND v.always_live = 1), 0)" },
  { "tile-peak-differs", "memory_by_tile",
    LIVE "SELECT m.tile, m.tile FROM memory_by_tile m WHERE m.not_always_live IS NOT coalesce"
         "  ((SELECT max (l.bytes) FROM live l WHERE l.tile = m.tile), 0)" },
  { "region-sum-differs", "memory_by_tile_region",
    "SELECT m.tile, m.tile FROM memory_by_tile m WHERE m.excluding_gaps IS NOT"
    "  (SELECT sum (r.bytes) FROM memory_by_tile_region r WHERE r.tile = m.tile)" },
  { "overlap-exceeds-region", "memory_by_tile_region",
    "SELECT tile, tile FROM memory_by_tile_region WHERE overlapped_bytes > bytes" },
  { "category-sum-differs", "memory_by_tile_category",
    "SELECT r.tile, r.tile FROM memory_by_tile_region r WHERE r.bytes IS NOT r.overlapped_bytes +"
    "  (SELECT coalesce (sum (c.non_overlapped), 0) FROM memory_by_tile_category c"
    "   WHERE c.tile = r.tile AND c.region = r.region)" },
  /* Each shared byte is counted for two variables at least. */
  { "overlap-sum-differs", "memory_by_tile_category",
    "SELECT r.tile, r.tile FROM memory_by_tile_region r WHERE 2 * r.overlapped_bytes >"
    "  (SELECT coalesce (sum (c.overlapped), 0) FROM memory_by_tile_category c"
    "   WHERE c.tile = r.tile AND c.region = r.region)" },
  { "intervals-overlap", "equivalence_class_intervals",
    "SELECT a.rowid, a.equivalence_class FROM equivalence_class_intervals a WHERE EXISTS"
    "  (SELECT 1 FROM equivalence_class_intervals b WHERE b.rowid <> a.rowid"
    "   AND b.equivalence_class = a.equivalence_class"
    "   AND b.start_step < a.end_step AND a.start_step < b.end_step)" },
  { "wrong-type", "tile_arrays", "SELECT id, id FROM tile_arrays WHERE typeof (data) <> 'blob'" },
  /* What the loader tells of those that steps refer to. */
  { "value-of-wrong-type", "tile_arrays",
    "SELECT id, id FROM tile_arrays WHERE typeof (data) <> 'blob' AND id IN"
    "  (SELECT start_by_tile FROM tile_cycles UNION SELECT cycles_by_tile FROM tile_cycles)" },
  /* Those of tile_cycles have one number for each tile of an IPU, all others of a replica. */
  { "array-length-wrong", "tile_arrays",
    "SELECT a.id, a.id FROM tile_arrays a WHERE a.encoding < 2 AND length (a.data) <>"
    "  CASE a.encoding WHEN 0 THEN 4 ELSE 2 END * CASE WHEN a.id IN"
    "    (SELECT start_by_tile FROM tile_cycles UNION SELECT cycles_by_tile FROM tile_cycles) THEN "
    "(SELECT tiles_per_ipu FROM target)"
    "    ELSE " N_TILES " END" },
};

typedef struct
{
  const char *name, *sql;
  gboolean sound; /* nothing to find */
} Alteration;

static const Alteration alterations[] = {
  { "nothing", "SELECT 1", TRUE },
  { "tile", "UPDATE tile_vars SET tile = 100000 WHERE tile = (SELECT max (tile) FROM tile_vars)",
    FALSE },
  { "gaps", "UPDATE memory_by_tile SET including_gaps = excluding_gaps - 1 WHERE tile = 1", FALSE },
  { "region-overlap",
    "UPDATE memory_by_tile_region SET overlapped_bytes = overlapped_bytes + 8 WHERE tile = 1"
    " AND region = 0",
    FALSE },
  { "intervals",
    "INSERT INTO equivalence_class_intervals SELECT * FROM equivalence_class_intervals LIMIT 1",
    FALSE },
  { "range-reversed", "UPDATE tile_vars SET end_var = first_var - 1 WHERE tile = 1", FALSE },
  { "array-text",
    "UPDATE tile_arrays SET data = data || x'00000000' WHERE id ="
    " (SELECT min (id) FROM tile_arrays WHERE encoding < 2)",
    FALSE },
  { "array-length",
    "UPDATE tile_arrays SET data = CAST (data || x'00000000' AS BLOB) WHERE id ="
    " (SELECT min (id) FROM tile_arrays WHERE encoding < 2)",
    FALSE },
};

static TsrReport *
check (const char *folder)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  TsrReport *report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (tsr_check_run (report, NULL, NULL, &error));
  g_assert_no_error (error);
  return report;
}

static gboolean
has_row (GPtrArray *rows, gint64 row)
{
  if (row == TSR_NO_ROW)
    return rows->len > 0;
  for (guint i = 0; i < rows->len; i++)
    if (g_ascii_strtoll (((char **)g_ptr_array_index (rows, i))[0], NULL, 10) == row)
      return TRUE;
  return FALSE;
}

/* Whether some finding in the rule's table names a row of @rows that is in @group, or the rule's
 * own finding names none. */
static gboolean
is_told (TsrDiagnostics *found, const Rule *rule, GPtrArray *rows, const char *group)
{
  for (guint d = 0; d < tsr_diagnostics_get_n_kept (found); d++)
    {
      const TsrDiagnostic *finding = tsr_diagnostics_get (found, d);

      if (g_strcmp0 (finding->table, rule->table) != 0)
        continue;
      if (finding->row == TSR_NO_ROW && g_str_equal (finding->code, rule->code))
        return TRUE;
      for (guint i = 0; i < rows->len; i++)
        {
          char **row = g_ptr_array_index (rows, i);

          if (g_str_equal (row[1], group) && g_ascii_strtoll (row[0], NULL, 10) == finding->row)
            return TRUE;
        }
    }
  return FALSE;
}

static void
test_alteration (gconstpointer data)
{
  const Alteration *alteration = data;
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrReport) report = NULL;
  TsrDiagnostics *found;
  guint n_broken = 0;
  guint n_explained = 0;

  tsr_test_sql (folder, "profile.pop", alteration->sql);
  report = check (folder);
  found = tsr_report_get_diagnostics (report);
  for (guint r = 0; r < G_N_ELEMENTS (rules); r++)
    {
      g_autoptr (GPtrArray) rows = tsr_test_query_rows (folder, "profile.pop", rules[r].sql);

      n_broken += rows->len;
      for (guint i = 0; i < rows->len; i++)
        {
          char **row = g_ptr_array_index (rows, i);

          g_test_message ("%s@%s: row %s", rules[r].code, rules[r].table, row[0]);
          if (!is_told (found, &rules[r], rows, row[1]))
            g_error ("not found: %s in %s, row %s", rules[r].code, rules[r].table, row[0]);
        }
      for (guint d = 0; d < tsr_diagnostics_get_n_kept (found); d++)
        {
          const TsrDiagnostic *finding = tsr_diagnostics_get (found, d);

          n_explained += g_str_equal (finding->code, rules[r].code)
                         && g_strcmp0 (finding->table, rules[r].table) == 0
                         && has_row (rows, finding->row);
        }
    }
  for (guint d = 0; d < tsr_diagnostics_get_n_kept (found); d++)
    {
      g_autofree char *line = tsr_diagnostic_dup_line (tsr_diagnostics_get (found, d));

      g_test_message ("found: %s", line);
    }
  g_assert_cmpuint (n_explained, ==, tsr_diagnostics_get_n_kept (found));
  g_assert_true ((n_broken == 0) == alteration->sound);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (alterations); i++)
    {
      g_autofree char *path = g_strconcat ("/check-derived/", alterations[i].name, NULL);

      g_test_add_data_func (path, &alterations[i], test_alteration);
    }
  return g_test_run ();
}
