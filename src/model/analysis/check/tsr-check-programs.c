/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program tree, vertices and tile arrays: what rows must say about one another. */

#include "config.h"

#include "tsr-check-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------------------- programs */

static void
add_edge (TsrCheck *check, gint64 parent, gint64 child)
{
  const TsrIdSet *set = &check->sets[TSR_SET_PROGRAMS];
  gint64 from = tsr_id_set_index (set, parent);
  gint64 to = tsr_id_set_index (set, child);
  TsrEdge edge = { (guint32)from, (guint32)to };

  if (from >= 0 && to >= 0 && from < G_MAXUINT32 && to < G_MAXUINT32)
    g_array_append_val (check->edges, edge);
}

void
tsr_check_program_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  if (v[5] != TSR_UNKNOWN)
    add_edge (check, v[0], v[5]);
}

void
tsr_check_child_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  add_edge (check, v[0], v[2]);
}

typedef struct
{
  guint32 *start; /* [program]: first of its edges; one more at the end */
  guint32 *child;
  guint8 *state; /* 0 not seen, 1 on the path, 2 done */
  GArray *path;  /* TsrEdge: program, next edge */
} Walk;

static void
walk_from (TsrCheck *check, Walk *walk, guint32 root)
{
  const TsrIdSet *set = &check->sets[TSR_SET_PROGRAMS];
  TsrEdge step = { root, walk->start[root] };

  if (walk->state[root] != 0)
    return;
  walk->state[root] = 1;
  g_array_append_val (walk->path, step);
  while (walk->path->len > 0)
    {
      TsrEdge *top = &g_array_index (walk->path, TsrEdge, walk->path->len - 1);

      if (top->child == walk->start[top->parent + 1])
        {
          walk->state[top->parent] = 2;
          g_array_set_size (walk->path, walk->path->len - 1);
          continue;
        }
      step.parent = walk->child[top->child];
      step.child = walk->start[step.parent];
      if (walk->state[step.parent] == 1)
        tsr_check_add (check, TSR_SEVERITY_ERROR, "program-cycle", "program_children",
                       tsr_id_set_get (set, top->parent),
                       _ ("program %" PRId64 " has program %" PRId64
                          " below it, which has it below itself: a cycle"),
                       tsr_id_set_get (set, top->parent), tsr_id_set_get (set, step.parent));
      top->child++;
      if (walk->state[step.parent] != 0)
        continue;
      walk->state[step.parent] = 1;
      g_array_append_val (walk->path, step);
    }
}

/* Children and callees are one graph; no program may come back to itself in it. */
void
tsr_check_program_tree (TsrCheck *check)
{
  guint64 n = check->sets[TSR_SET_PROGRAMS].n_ids;
  const TsrEdge *edges = (const TsrEdge *)(const void *)check->edges->data;
  Walk walk = { 0 };

  if (n == 0 || n >= G_MAXUINT32)
    return;
  walk.start = g_new0 (guint32, n + 2);
  walk.child = g_new0 (guint32, MAX (check->edges->len, 1));
  walk.state = g_new0 (guint8, n);
  walk.path = g_array_new (FALSE, FALSE, sizeof (TsrEdge));
  for (guint i = 0; i < check->edges->len; i++)
    walk.start[edges[i].parent + 2]++;
  for (guint64 i = 0; i < n; i++)
    walk.start[i + 2] += walk.start[i + 1];
  for (guint i = 0; i < check->edges->len; i++)
    walk.child[walk.start[edges[i].parent + 1]++] = edges[i].child;
  for (guint64 i = 0; i < n; i++)
    walk_from (check, &walk, (guint32)i);
  g_free (walk.start);
  g_free (walk.child);
  g_free (walk.state);
  g_array_unref (walk.path);
}

void
tsr_check_program_variable_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  if (v[3] != TSR_UNKNOWN && v[4] != TSR_UNKNOWN && v[3] > v[4])
    tsr_check_add (check, TSR_SEVERITY_ERROR, "interval-reversed", check->table->name, row,
                   _ ("from_element %" PRId64 " is after to_element %" PRId64), v[3], v[4]);
}

/* ---------------------------------------------------------------- vertices */

void
tsr_check_vertex_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  const gint64 *others;

  if (v[2] == TSR_UNKNOWN || check->n_vertices == TSR_UNKNOWN)
    {
      check->n_vertices = TSR_UNKNOWN;
      return;
    }
  check->n_vertices = tsr_check_wrap_add (check->n_vertices, v[2]);
  if (v[3] == TSR_UNKNOWN)
    return;
  others = g_hash_table_lookup (check->vertex_counts, &v[3]);
  if (others == NULL)
    g_hash_table_insert (check->vertex_counts, g_memdup2 (&v[3], sizeof v[3]),
                         g_memdup2 (&v[2], sizeof v[2]));
  else if (*others != v[2])
    tsr_check_add (
        check, TSR_SEVERITY_ERROR, "count-differs", check->table->name, row,
        _ ("count is %" PRId64 ", but another row with the same count_by_tile has %" PRId64), v[2],
        *others);
}

static void
compare_count (TsrCheck *check, const char *column, gint64 told, gint64 counted, const char *where)
{
  if (told != TSR_UNKNOWN && counted != TSR_UNKNOWN && told != counted && counted > 0)
    tsr_check_add (check, check->ours ? TSR_SEVERITY_ERROR : TSR_SEVERITY_WARNING,
                   "graph-count-differs", "graph", TSR_NO_ROW,
                   _ ("%s is %" PRId64 ", %s has %" PRId64), column, told, where, counted);
}

void
tsr_check_vertex_end (TsrCheck *check)
{
  const TsrSummary *summary = tsr_report_get_summary (check->report);

  if (summary == NULL)
    return;
  compare_count (check, "num_vertices", summary->graph.num_vertices, check->n_vertices,
                 "compute_set_vertices");
  compare_count (check, "num_compute_sets", summary->graph.num_compute_sets,
                 (gint64)check->sets[TSR_SET_COMPUTE_SETS].n_ids, "compute_sets");
}

/* ------------------------------------------------------------- tile arrays */

enum
{
  DENSE_32,
  DENSE_16,
  SPARSE,
  UNIFORM,
  N_ENCODINGS
};

static guint32
read_u32 (const guint8 *bytes)
{
  return (guint32)bytes[0] | (guint32)bytes[1] << 8 | (guint32)bytes[2] << 16
         | (guint32)bytes[3] << 24;
}

/* Number of tiles the array is for; 0 when that is not known or it is used both ways. */
static gint64
tiles_of_array (TsrCheck *check, gint64 id)
{
  gboolean replica = tsr_id_set_contains (&check->arrays, id);
  gboolean ipu = tsr_id_set_contains (&check->arrays_of_ipu, id);
  gint64 n = replica ? check->n_tiles : ipu ? check->tiles_per_ipu : TSR_UNKNOWN;

  return replica == ipu || n == TSR_UNKNOWN ? 0 : n;
}

static gboolean
check_length (TsrCheck *check, gint64 row, gint64 encoding, gsize length, gint64 n_tiles)
{
  static const guint width[N_ENCODINGS] = { 4, 2, 8, 4 };
  gint64 wanted = encoding == UNIFORM                  ? 4
                  : encoding == SPARSE || n_tiles == 0 ? TSR_UNKNOWN
                                                       : n_tiles * width[encoding];

  if (wanted != TSR_UNKNOWN ? (gint64)length == wanted : length % width[encoding] == 0)
    return TRUE;
  if (wanted != TSR_UNKNOWN)
    tsr_check_add (
        check, TSR_SEVERITY_ERROR, "array-length-wrong", check->table->name, row,
        _ ("data has %zu bytes; encoding %" PRId64 " for %" PRId64 " tiles takes %" PRId64), length,
        encoding, n_tiles, wanted);
  else
    tsr_check_add (check, TSR_SEVERITY_ERROR, "array-length-wrong", check->table->name, row,
                   _ ("data has %zu bytes, which is not a multiple of %u"), length,
                   width[encoding]);
  return FALSE;
}

static gboolean
check_sparse_tile (TsrCheck *check, gint64 row, gint64 tile, gint64 previous, gint64 n_tiles)
{
  if (tile <= previous)
    tsr_check_add (
        check, TSR_SEVERITY_ERROR, "array-tile-wrong", check->table->name, row,
        _ ("tile %" PRId64 " comes after tile %" PRId64 "; tiles must be in ascending order"), tile,
        previous);
  else if (n_tiles > 0 && tile >= n_tiles)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "array-tile-wrong", check->table->name, row,
                   _ ("tile %" PRId64 " is beyond the %" PRId64 " tiles"), tile, n_tiles);
  else
    return TRUE;
  return FALSE;
}

/* FALSE when a finding was added, or a sum cannot be made. */
static gboolean
sum_array (TsrCheck *check,
           gint64 row,
           gint64 encoding,
           const guint8 *data,
           gsize length,
           gint64 n_tiles,
           gint64 *total,
           gint64 *maximum)
{
  gsize step = encoding == DENSE_16 ? 2 : encoding == SPARSE ? 8 : 4;
  gint64 previous = -1;

  *total = *maximum = 0;
  for (gsize i = 0; i + step <= length; i += step)
    {
      gint64 value = encoding == DENSE_16 ? (guint32)(data[i] | data[i + 1] << 8)
                                          : read_u32 (data + i + (encoding == SPARSE ? 4 : 0));

      if (encoding == SPARSE
          && !check_sparse_tile (check, row, read_u32 (data + i), previous, n_tiles))
        return FALSE;
      if (encoding == SPARSE)
        previous = read_u32 (data + i);
      *total += value;
      *maximum = MAX (*maximum, value);
    }
  if (encoding == UNIFORM && n_tiles > 0)
    *total *= n_tiles;
  return encoding != UNIFORM || n_tiles > 0;
}

void
tsr_check_array_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  const gint64 *count = g_hash_table_lookup (check->vertex_counts, &row);
  gint64 n_tiles = tiles_of_array (check, row);
  gsize length;
  const guint8 *data = tsr_scan_peek_blob (scan, 4, &length);
  gint64 total, maximum;

  if (v[1] == TSR_UNKNOWN || v[4] == TSR_UNKNOWN)
    return;
  if (v[1] >= N_ENCODINGS)
    {
      tsr_check_add (check, TSR_SEVERITY_ERROR, "array-encoding-unknown", check->table->name, row,
                     _ ("encoding is %" PRId64 "; known are 0 to 3"), v[1]);
      return;
    }
  if (!check_length (check, row, v[1], length, n_tiles)
      || !sum_array (check, row, v[1], data, length, n_tiles, &total, &maximum))
    return;
  if (v[2] != TSR_UNKNOWN && v[2] != total)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "array-total-differs", check->table->name, row,
                   _ ("total is %" PRId64 ", the numbers add up to %" PRId64), v[2], total);
  else if (v[3] != TSR_UNKNOWN && v[3] != maximum)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "array-maximum-differs", check->table->name, row,
                   _ ("maximum is %" PRId64 ", the largest number is %" PRId64), v[3], maximum);
  else if (count != NULL && *count != total)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "count-differs", "compute_set_vertices", TSR_NO_ROW,
                   _ ("count is %" PRId64 ", but its count_by_tile, tile_arrays row %" PRId64
                      ", adds up to %" PRId64),
                   *count, row, total);
}
