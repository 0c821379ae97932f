/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SQL that makes numbers of a report odd, drawn by a number. */

#include "config.h"

#include "drawn-sql.h"

/* Numbers of a report, with the first column of their table. */
static const struct
{
  const char *table, *key, *columns;
} numbers[] = {
  { "memory_by_tile", "tile",
    "total including_gaps excluding_gaps overflowed always_live not_always_live peak_step" },
  { "memory_by_tile_region", "tile", "bytes overlapped_bytes" },
  { "var_categories", "id", "allocated_bytes" },
  { "memory_by_tile_category", "tile", "non_overlapped overlapped" },
  { "vars_info", "id",
    "tile size_bytes category name variable offset always_live equivalence_class alignment" },
  { "tile_vars", "tile", "first_var end_var" },
  { "equivalence_class_intervals", "equivalence_class", "start_step end_step" },
  { "variables", "id", "size_bytes always_live category debug_id" },
  { "variables_by_ipu", "variable", "size_bytes ipu" },
  { "variable_lifetimes", "variable", "start_step end_step size_bytes" },
  { "liveness_steps", "step", "program not_always_live_bytes" },
  { "liveness_by_ipu", "step", "not_always_live_bytes ipu" },
  { "programs", "id",
    "compute_set repeat_count callee debug_id code_bytes_by_tile control_code_by_tile "
    "estimated_cycles_by_tile data_in_by_tile data_out_by_tile" },
  { "program_children", "parent", "child" },
  { "program_roots", "compilation_step", "program" },
  { "program_variables", "program", "to_element bytes role variable from_element" },
  { "compute_sets", "compute_set", "estimated_cycles_by_tile" },
  { "vertex_types", "id", "size_bytes code_bytes_by_tile" },
  { "compute_set_vertices", "compute_set",
    "count count_by_tile flops estimated_cycles measured_cycles" },
  { "runs", "id", "first_step end_step microseconds_start microseconds_end" },
  { "run_cycles_by_ipu", "run", "cycles ipu" },
  { "steps", "id", "program compute_set run tile_cycles" },
  { "steps_by_ipu", "step_id",
    "cycles active_tiles cycles_base active_cycles_from_min active_cycles_from_max "
    "active_cycles_to_min active_cycles_to_max tile_balance active_tile_balance data_in data_out "
    "all_cycles_from_min all_cycles_from_max all_cycles_to_min all_cycles_to_max ipu" },
  { "tile_cycles", "id", "set_id ipu start_by_tile cycles_by_tile" },
  { "blocks", "id",
    "program ipu tile run cycles_from cycles_to is_stream_copy is_common is_overflow "
    "is_block_flush" },
  { "execution_cycle_totals", "ipu", "total" },
};

char *
drawn_sql_new (guint seed)
{
  static const char *const odd[] = { "NULL", "(SELECT max (%s) FROM %s)", "0", "2 * %s", "-1" };
  GString *sql = g_string_new (NULL);

  for (guint i = 0; i < 16; i++)
    {
      guint n[5];
      g_auto (GStrv) columns = NULL;
      g_autoptr (GString) value = NULL;
      const char *column;

      for (guint k = 0; k < G_N_ELEMENTS (n); k++)
        n[k] = (seed = seed * 1103515245 + 12345) >> 16 & 0x7fff;
      n[0] %= G_N_ELEMENTS (numbers);
      columns = g_strsplit (numbers[n[0]].columns, " ", -1);
      column = columns[n[1] % g_strv_length (columns)];
      value = g_string_new (odd[n[2] % G_N_ELEMENTS (odd)]);
      g_string_replace (value, "FROM %s", "FROM TABLE", 0);
      g_string_replace (value, "%s", column, 0);
      g_string_replace (value, "TABLE", numbers[n[0]].table, 0);
      g_string_append_printf (sql, "UPDATE OR IGNORE %s SET %s = %s WHERE %s %% %u = %u; ",
                              numbers[n[0]].table, column, value->str, numbers[n[0]].key,
                              2 + n[3] % 6, n[4] % (2 + n[3] % 6));
    }
  return g_string_free (sql, FALSE);
}

/* Numbers that there is one row of. */
static const char *const single[]
    = { "num_ipus", "ipus_per_replica", "num_replicas", "tiles_per_ipu", "bytes_per_tile" };

char *
edge_sql_new (guint i, char **what)
{
  static const char *const edges[] = {
    "(SELECT max (%s) + 1 FROM TABLE)", "-1", "0", "1", "2147483648", "9007199254740992", "NULL"
  };

  for (guint t = 0; t < G_N_ELEMENTS (numbers); t++)
    {
      g_auto (GStrv) columns = g_strsplit (numbers[t].columns, " ", -1);
      const guint n = g_strv_length (columns);
      GString *sql;

      if (i >= n)
        {
          i -= n;
          continue;
        }
      *what = g_strconcat (numbers[t].table, ".", columns[i], NULL);
      sql = g_string_new (NULL);
      for (guint k = 0; k < G_N_ELEMENTS (edges); k++)
        g_string_append_printf (sql,
                                "UPDATE OR IGNORE TABLE SET %%s = %s WHERE KEY ="
                                " (SELECT DISTINCT KEY FROM TABLE ORDER BY KEY LIMIT 1 OFFSET"
                                " (SELECT count (DISTINCT KEY) * %u / %u FROM TABLE)); ",
                                edges[k], k, (guint)G_N_ELEMENTS (edges));
      g_string_replace (sql, "%s", columns[i], 0);
      g_string_replace (sql, "TABLE", numbers[t].table, 0);
      g_string_replace (sql, "KEY", numbers[t].key, 0);
      return g_string_free (sql, FALSE);
    }
  if (i < G_N_ELEMENTS (single) * G_N_ELEMENTS (edges))
    {
      const char *column = single[i / G_N_ELEMENTS (edges)];
      const char *edge = edges[i % G_N_ELEMENTS (edges)];
      GString *sql = g_string_new (NULL);

      *what = g_strdup_printf ("target.%s, edge %u", column, i % (guint)G_N_ELEMENTS (edges));
      g_string_printf (sql, "UPDATE target SET %s = %s", column, edge);
      g_string_replace (sql, "%s", column, 0);
      g_string_replace (sql, "TABLE", "target", 0);
      return g_string_free (sql, FALSE);
    }
  i -= G_N_ELEMENTS (single) * G_N_ELEMENTS (edges);
  if (i < G_N_ELEMENTS (numbers))
    {
      *what = g_strconcat ("without ", numbers[i].table, NULL);
      return g_strconcat ("DROP TABLE ", numbers[i].table, NULL);
    }
  return NULL;
}
