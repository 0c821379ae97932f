/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a synthetic report says about programs, vertices and time, recomputed tile by tile: arrays
 * are decoded here, sums of code must be the memory categories, a step's numbers must follow from
 * the cycles of its tiles, and steps of one IPU must not overlap unless they copy on I/O tiles. */

#include "config.h"

#include "tsr-test.h"

#include <math.h>
#include <sqlite3.h>
#include <string.h>

typedef struct
{
  sqlite3 *db;
  char *folder;
  gint64 n_tiles, tiles_per_ipu, n_ipus;
} Report;

static gint64
ask (const Report *self, const char *sql)
{
  return tsr_test_query (self->folder, "profile.pop", sql);
}

static sqlite3_stmt *
prepare (const Report *self, const char *sql)
{
  sqlite3_stmt *stmt = NULL;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &stmt, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (self->db));
  return stmt;
}

static Report *
report_new (const char *name)
{
  Report *self = g_new0 (Report, 1);
  g_autofree char *path = NULL;

  self->folder = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), name, NULL);
  path = g_build_filename (self->folder, "profile.pop", NULL);
  g_assert_cmpint (sqlite3_open_v2 (path, &self->db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  self->tiles_per_ipu = ask (self, "SELECT tiles_per_ipu FROM target");
  self->n_ipus = ask (self, "SELECT ipus_per_replica FROM target");
  self->n_tiles = self->tiles_per_ipu * self->n_ipus;
  return self;
}

static void
report_free (Report *self)
{
  sqlite3_close (self->db);
  g_free (self->folder);
  g_free (self);
}

static guint32
word (const guint8 *bytes)
{
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (guint32)bytes[3] << 24;
}

/* (transfer full): array @id with @n values; zeros for NULL. */
static guint32 *
decode (const Report *self, gint64 id, gint64 n)
{
  guint32 *values = g_new0 (guint32, n);
  guint64 total = 0, maximum = 0;
  sqlite3_stmt *stmt;
  const guint8 *data;
  int size;

  if (id == 0)
    return values;
  stmt = prepare (self, "SELECT encoding, total, maximum, data FROM tile_arrays WHERE id = ?");
  sqlite3_bind_int64 (stmt, 1, id);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  data = sqlite3_column_blob (stmt, 3);
  size = sqlite3_column_bytes (stmt, 3);
  switch (sqlite3_column_int (stmt, 0))
    {
    case 0:
      g_assert_cmpint (size, ==, 4 * n);
      for (gint64 i = 0; i < n; i++)
        values[i] = word (data + 4 * i);
      break;
    case 1:
      g_assert_cmpint (size, ==, 2 * n);
      for (gint64 i = 0; i < n; i++)
        values[i] = data[2 * i] | data[2 * i + 1] << 8;
      break;
    case 2:
      g_assert_cmpint (size % 8, ==, 0);
      for (int i = 0; i < size; i += 8)
        {
          g_assert_cmpint (word (data + i), <, n);
          values[word (data + i)] = word (data + i + 4);
        }
      break;
    case 3:
      g_assert_cmpint (size, ==, 4);
      for (gint64 i = 0; i < n; i++)
        values[i] = word (data);
      break;
    default:
      g_assert_not_reached ();
    }
  for (gint64 i = 0; i < n; i++)
    {
      total += values[i];
      maximum = MAX (maximum, values[i]);
    }
  g_assert_cmpuint (total, ==, sqlite3_column_int64 (stmt, 1));
  g_assert_cmpuint (maximum, ==, sqlite3_column_int64 (stmt, 2));
  sqlite3_finalize (stmt);
  return values;
}

static void
add_array (const Report *self, gint64 *sum, gint64 id, gint64 times)
{
  g_autofree guint32 *values = decode (self, id, self->n_tiles);

  for (gint64 i = 0; i < self->n_tiles; i++)
    sum[i] += times * values[i];
}

/* @sql gives array ids (and factors): their sum on each tile is the tile's allocated @category. */
static void
check_category (const Report *self, const char *category, const char *sql)
{
  g_autofree gint64 *sum = g_new0 (gint64, self->n_tiles);
  sqlite3_stmt *stmt = prepare (self, sql);
  gint64 total = 0;

  while (sqlite3_step (stmt) == SQLITE_ROW)
    add_array (self, sum, sqlite3_column_int64 (stmt, 0), sqlite3_column_int64 (stmt, 1));
  sqlite3_finalize (stmt);
  stmt = prepare (self, "SELECT tile, sum (size_bytes) FROM vars_info WHERE category ="
                        " (SELECT id FROM var_categories WHERE name = ?) GROUP BY tile");
  sqlite3_bind_text (stmt, 1, category, -1, SQLITE_STATIC);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    {
      const gint64 tile = sqlite3_column_int64 (stmt, 0);

      g_assert_cmpint (sum[tile], ==, sqlite3_column_int64 (stmt, 1));
      total += sum[tile];
      sum[tile] = 0;
    }
  sqlite3_finalize (stmt);
  for (gint64 i = 0; i < self->n_tiles; i++)
    g_assert_cmpint (sum[i], ==, 0);
  g_assert_cmpint (total, >, 0);
}

static void
test_code (gconstpointer name)
{
  Report *self = report_new (name);

  check_category (self, "internalExchangeCode",
                  "SELECT code_bytes_by_tile, 1 FROM programs WHERE type = 'DoExchange'");
  check_category (self, "globalExchangeCode",
                  "SELECT code_bytes_by_tile, 1 FROM programs WHERE type = 'GlobalExchange'");
  check_category (self, "hostExchangeCode",
                  "SELECT code_bytes_by_tile, 1 FROM programs WHERE type = 'StreamCopyMid'");
  check_category (self, "vertexCode", "SELECT code_bytes_by_tile, 1 FROM vertex_types");
  check_category (self, "vertexInstanceState",
                  "SELECT count_by_tile, size_bytes FROM compute_set_vertices v JOIN vertex_types t"
                  " ON t.id = v.vertex_type");
  check_category (self, "controlCode",
                  "SELECT control_code_by_tile, 1 FROM programs WHERE id NOT IN"
                  " (SELECT parent FROM program_children)");
  report_free (self);
}

/* A parent's control code is the sum of its children's, tile by tile. */
static void
test_parents (gconstpointer name)
{
  Report *self = report_new (name);
  sqlite3_stmt *stmt = prepare (
      self, "SELECT p.control_code_by_tile, c.control_code_by_tile, p.id FROM program_children k"
            " JOIN programs p ON p.id = k.parent JOIN programs c ON c.id = k.child"
            " ORDER BY k.parent, k.position");
  g_autofree gint64 *sum = g_new0 (gint64, self->n_tiles);
  gint64 parent = -1, array = 0;
  gboolean more = TRUE;

  while (more)
    {
      more = sqlite3_step (stmt) == SQLITE_ROW;
      if (parent >= 0 && (!more || sqlite3_column_int64 (stmt, 2) != parent))
        {
          g_autofree guint32 *own = decode (self, array, self->n_tiles);

          for (gint64 i = 0; i < self->n_tiles; i++)
            g_assert_cmpint (own[i], ==, sum[i]);
          memset (sum, 0, sizeof (gint64) * self->n_tiles);
        }
      if (!more)
        break;
      parent = sqlite3_column_int64 (stmt, 2);
      array = sqlite3_column_int64 (stmt, 0);
      add_array (self, sum, sqlite3_column_int64 (stmt, 1), 1);
    }
  sqlite3_finalize (stmt);
  report_free (self);
}

/* Each must give no row. */
static const char *const contradictions[] = {
  "SELECT 1 WHERE (SELECT num_vertices FROM graph) <> (SELECT sum (count) FROM "
  "compute_set_vertices)",
  "SELECT 1 WHERE (SELECT num_compute_sets FROM graph) <> (SELECT count (*) FROM compute_sets)",
  "SELECT 1 WHERE (SELECT max (compute_set) FROM compute_sets) <>"
  " (SELECT count (*) - 1 FROM compute_sets)",
  "SELECT v.compute_set FROM compute_set_vertices v JOIN tile_arrays a ON a.id = v.count_by_tile"
  " WHERE v.count <> a.total",
  "SELECT compute_set FROM compute_set_vertices GROUP BY compute_set HAVING sum (estimated_cycles) "
  "<>"
  " (SELECT total FROM compute_sets c JOIN tile_arrays a ON a.id = c.estimated_cycles_by_tile"
  " WHERE c.compute_set = compute_set_vertices.compute_set)",
  "SELECT child FROM program_children WHERE child NOT IN (SELECT id FROM programs)",
  /* A tree: nothing has two parents, and no root has one. */
  "SELECT child FROM program_children GROUP BY child HAVING count (*) > 1",
  "SELECT program FROM program_roots WHERE program IN (SELECT child FROM program_children)",
  "SELECT id FROM programs WHERE id NOT IN (SELECT child FROM program_children)"
  " AND id NOT IN (SELECT program FROM program_roots)",
  "SELECT id FROM programs WHERE callee NOT IN"
  " (SELECT program FROM program_roots WHERE kind = 'function')",
  "SELECT id FROM programs WHERE (type = 'OnTileExecute') <> (compute_set IS NOT NULL)",
  "SELECT id FROM programs WHERE (type = 'Call') <> (callee IS NOT NULL)",
  "SELECT step FROM liveness_steps WHERE program NOT IN (SELECT id FROM programs)",
  "SELECT step FROM liveness_steps WHERE program IN (SELECT parent FROM program_children)",
  "SELECT variable FROM program_variables WHERE variable NOT IN (SELECT id FROM variables)",
  "SELECT p.variable FROM program_variables p JOIN variables v ON v.id = p.variable"
  " WHERE p.bytes > v.size_bytes OR p.bytes <= 0",
  "SELECT id FROM programs p WHERE (SELECT total FROM tile_arrays WHERE id = data_in_by_tile) <>"
  " (SELECT total FROM tile_arrays WHERE id = data_out_by_tile)",
  "SELECT s.id FROM steps s JOIN programs p ON p.id = s.program WHERE s.type <> p.type OR"
  " s.compute_set IS NOT p.compute_set",
  "SELECT r.id FROM runs r WHERE first_step <> (SELECT min (id) FROM steps WHERE run = r.id)"
  " OR end_step <> (SELECT max (id) + 1 FROM steps WHERE run = r.id)",
  "SELECT ipu FROM execution_cycle_totals t WHERE total <> (SELECT sum (cycles) FROM"
  " run_cycles_by_ipu r WHERE r.ipu = t.ipu)",
  "SELECT step_id FROM steps_by_ipu GROUP BY step_id HAVING count (*) <>"
  " (SELECT num_ipus FROM target)",
  "SELECT step_id FROM steps_by_ipu WHERE cycles <> active_cycles_to_max - active_cycles_from_max",
  "SELECT step_id FROM steps_by_ipu WHERE active_cycles_from_min > active_cycles_from_max OR"
  " active_cycles_to_min > active_cycles_to_max OR cycles < 0",
  "SELECT id FROM blocks WHERE cycles_from >= cycles_to",
  "SELECT id FROM blocks WHERE is_block_flush <> (name = 'BlockFlush')",
  "SELECT b.id FROM blocks b JOIN programs p ON p.id = b.program WHERE b.name <> p.name OR"
  " b.is_stream_copy <> (p.type = 'StreamCopyMid')",
  /* Clocks differ from IPU to IPU, by the same in every block. */
  "SELECT a.id FROM blocks a JOIN steps_by_ipu i ON i.ipu = a.ipu JOIN steps s ON s.id = i.step_id"
  " AND s.run = a.run AND s.program = a.program GROUP BY a.id HAVING NOT max (a.cycles_from ="
  " i.cycles_base + i.active_cycles_from_max + 1000000 + 150000 * a.ipu AND a.cycles_to ="
  " i.cycles_base + i.active_cycles_to_max + 1000000 + 150000 * a.ipu)",
  /* A replica's bytes are those of the program. */
  "SELECT s.id FROM steps s JOIN programs p ON p.id = s.program JOIN steps_by_ipu i ON"
  " i.step_id = s.id WHERE p.data_in_by_tile IS NOT NULL GROUP BY s.id HAVING sum (data_in) <>"
  " (SELECT num_replicas FROM target) * (SELECT total FROM tile_arrays WHERE id = "
  "p.data_in_by_tile)",
};

static void
test_contradictions (gconstpointer name)
{
  Report *self = report_new (name);

  for (guint i = 0; i < G_N_ELEMENTS (contradictions); i++)
    if (ask (self, contradictions[i]) != G_MININT64)
      g_error ("%s: %s", self->folder, contradictions[i]);
  report_free (self);
}

/* Numbers of one step on one IPU, from the cycles of its tiles. */
static void
check_slice (const Report *self, sqlite3_stmt *slice)
{
  const gint64 n = self->tiles_per_ipu;
  const gint64 from_min = sqlite3_column_int64 (slice, 3);
  g_autofree guint32 *start = decode (self, sqlite3_column_int64 (slice, 9), n);
  g_autofree guint32 *cycles = decode (self, sqlite3_column_int64 (slice, 10), n);
  gint64 active = 0, sum = 0, most = 0,
         bounds[4] = { G_MAXINT64, G_MININT64, G_MAXINT64, G_MININT64 };

  for (gint64 tile = 0; tile < n; tile++)
    {
      const gint64 from = sqlite3_column_type (slice, 9) == SQLITE_NULL ? from_min : start[tile];

      if (cycles[tile] == 0)
        continue;
      active++;
      sum += cycles[tile];
      most = MAX (most, cycles[tile]);
      bounds[0] = MIN (bounds[0], from);
      bounds[1] = MAX (bounds[1], from);
      bounds[2] = MIN (bounds[2], from + cycles[tile]);
      bounds[3] = MAX (bounds[3], from + cycles[tile]);
    }
  g_assert_cmpint (active, ==, sqlite3_column_int64 (slice, 1));
  g_assert_cmpint (most, ==, sqlite3_column_int64 (slice, 0));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (bounds[i], ==, sqlite3_column_int64 (slice, 3 + i));
  g_assert_cmpfloat_with_epsilon (sqlite3_column_double (slice, 7), (double)sum / n / most, 1e-12);
  g_assert_cmpfloat_with_epsilon (sqlite3_column_double (slice, 8), (double)sum / active / most,
                                  1e-12);
  /* tileBalance = activeTileBalance x A / N */
  g_assert_cmpfloat_with_epsilon (sqlite3_column_double (slice, 7),
                                  sqlite3_column_double (slice, 8) * active / n, 1e-12);
}

static void
test_slices (gconstpointer name)
{
  Report *self = report_new (name);
  /* Each set once: its steps repeat it. */
  sqlite3_stmt *slice = prepare (
      self, "SELECT cycles, active_tiles, cycles_base, active_cycles_from_min,"
            " active_cycles_from_max, active_cycles_to_min, active_cycles_to_max, tile_balance,"
            " active_tile_balance, start_by_tile, cycles_by_tile FROM steps s JOIN steps_by_ipu i"
            " ON i.step_id = s.id JOIN tile_cycles t ON t.set_id = s.tile_cycles AND t.ipu = i.ipu"
            " GROUP BY t.id");
  guint n = 0;

  for (; sqlite3_step (slice) == SQLITE_ROW; n++)
    check_slice (self, slice);
  sqlite3_finalize (slice);
  g_assert_cmpuint (n, ==,
                    ask (self, "SELECT count (*) FROM tile_cycles WHERE set_id IN"
                               " (SELECT tile_cycles FROM steps)"));
  g_assert_cmpint (ask (self, "SELECT count (DISTINCT cycles) FROM steps s JOIN steps_by_ipu i ON"
                              " i.step_id = s.id WHERE tile_cycles IS NOT NULL"
                              " GROUP BY tile_cycles, ipu ORDER BY 1 DESC LIMIT 1"),
                   ==, 1);
  report_free (self);
}

/* On one IPU each step begins where the one before ended, also across runs; only a copy on I/O
 * tiles runs beside what follows it, and whoever waits for it waits until it has ended. */
static void
test_chain (gconstpointer name)
{
  Report *self = report_new (name);
  const gint64 n_ipus = ask (self, "SELECT num_ipus FROM target");
  g_autofree gint64 *end = g_new0 (gint64, n_ipus);
  g_autofree gint64 *copied = g_new0 (gint64, n_ipus);
  guint n_beside = 0, n_lead = 0;
  sqlite3_stmt *stmt
      = prepare (self, "SELECT ipu, cycles_base + active_cycles_from_max, cycles_base +"
                       " active_cycles_to_max, type, cycles_base + active_cycles_from_min"
                       " FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id ORDER BY s.id, ipu");

  while (sqlite3_step (stmt) == SQLITE_ROW)
    {
      const gint64 ipu = sqlite3_column_int64 (stmt, 0);
      const gint64 from = sqlite3_column_int64 (stmt, 1), to = sqlite3_column_int64 (stmt, 2);
      const char *type = (const char *)sqlite3_column_text (stmt, 3);

      n_lead += sqlite3_column_int64 (stmt, 4) < from;
      if (from != end[ipu])
        {
          /* What follows a copy that runs beside begins where the copy began. */
          g_assert_cmpint (from, <, end[ipu]);
          g_assert_cmpint (end[ipu], ==, copied[ipu]);
          n_beside++;
        }
      if (g_str_equal (type, "StreamCopyMid"))
        copied[ipu] = to;
      if (g_str_equal (type, "StreamCopyBegin"))
        g_assert_cmpint (to, >=, copied[ipu]);
      end[ipu] = to;
    }
  sqlite3_finalize (stmt);
  g_assert_cmpuint (n_lead, >, 0);
  if (g_str_equal (name, "demo"))
    g_assert_cmpuint (n_beside, >, 0);
  else
    g_assert_cmpuint (n_beside, ==, 0);
  report_free (self);
}

/* In the run that a trace opens on, the last one, there is something to see in each of its parts.
 */
static void
test_demo_trace (void)
{
#define LAST "run = (SELECT max (id) FROM runs)"
#define MIDS(kind)                                                                                 \
  "SELECT count(*) FROM steps s JOIN programs p ON p.id = s.program WHERE " LAST                   \
  " AND s.type = 'StreamCopyMid' AND p.stream_copy_kind = '" kind "'"
  static const struct
  {
    const char *question;
    gint64 least;
  } wanted[] = {
    { "SELECT count (DISTINCT ipu) FROM steps_by_ipu", 2 },
    { "SELECT count (*) FROM runs", 3 },
    { MIDS ("host"), 2 },
    { MIDS ("remote_buffer"), 2 },
    { "SELECT count (*) FROM steps WHERE type = 'GlobalExchange' AND " LAST, 4 },
    { "SELECT count (*) FROM steps s JOIN tile_cycles t ON t.set_id = s.tile_cycles WHERE " LAST,
      1000 },
    { "SELECT count (DISTINCT name) FROM blocks WHERE NOT is_stream_copy AND " LAST, 3 },
    { "SELECT count (*) FROM blocks WHERE is_stream_copy AND NOT is_block_flush AND " LAST, 4 },
    { "SELECT count (*) FROM blocks WHERE is_block_flush AND " LAST, 2 },
    { "SELECT count (*) FROM steps s JOIN programs p ON p.id = s.program WHERE p.name ="
      " 'BlockFlush' AND " LAST,
      3 },
  };
  Report *self = report_new ("demo");

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (ask (self, wanted[i].question) < wanted[i].least)
      g_error ("%s: less than %d", wanted[i].question, (int)wanted[i].least);
  report_free (self);
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "tiny", "demo", "oom", "poplibs" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *code = g_strdup_printf ("/report-programs/code/%s", names[i]);
      g_autofree char *parents = g_strdup_printf ("/report-programs/parents/%s", names[i]);
      g_autofree char *rest = g_strdup_printf ("/report-programs/contradictions/%s", names[i]);
      g_autofree char *slices = g_strdup_printf ("/report-programs/slices/%s", names[i]);
      g_autofree char *chain = g_strdup_printf ("/report-programs/chain/%s", names[i]);

      g_test_add_data_func (code, names[i], test_code);
      g_test_add_data_func (parents, names[i], test_parents);
      g_test_add_data_func (rest, names[i], test_contradictions);
      if (g_str_equal (names[i], "oom"))
        continue;
      g_test_add_data_func (slices, names[i], test_slices);
      g_test_add_data_func (chain, names[i], test_chain);
    }
  g_test_add_func ("/report-programs/demo-trace", test_demo_trace);
  return g_test_run ();
}
