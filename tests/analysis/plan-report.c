/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Takes "tiny" with its programs, and puts other tiles, variables and steps into it. */

#include "config.h"

#include "plan-report.h"

#include "tsr-test.h"

/* As "tiny" has them. */
#define N_PROGRAMS 28

enum
{
  VARIABLE = 0,
  CONSTANT = 1,
  MESSAGE = 2,
  VERTEX_CODE = 5,
  VERTEX_STATE = 6,
  EXCHANGE_CODE = 10,
  INSTRUMENTATION = 15,
};

/* What is not always live has an id of a class, or one of these. */
enum
{
  ALWAYS = -1,
  UNTOLD = -2,
  UNKNOWN = -3,
};

typedef struct
{
  guint tile;
  int size, offset, category, name, variable, class; /* -1: NULL */
} Row;

typedef struct
{
  GRand *random;
  GString *sql;
  guint n_tiles, n_steps, n_classes, n_names;
  gboolean is_long, is_unknown, is_kept;
  guint from[10], to[10]; /* of each class, the first interval */
  GArray *rows;
  gint64 *held; /* by tile */
} Maker;

#define SQL(...) g_string_append_printf (self->sql, __VA_ARGS__)

static guint
below (Maker *self, guint n)
{
  return (guint)g_rand_int_range (self->random, 0, (gint32)n);
}

static gboolean
one_of (Maker *self, guint n)
{
  return below (self, n) == 0;
}

static int
add_name (Maker *self, const char *name)
{
  SQL ("INSERT INTO vars_string_table VALUES (%u, '%s');", self->n_names, name);
  return (int)self->n_names++;
}

static int
draw_size (Maker *self)
{
  return (int)(one_of (self, 3) ? 9 + below (self, 3000) : 16 + 8 * below (self, 250));
}

static void
add_row (Maker *self, guint tile, int size, int category, int name, int variable, int class)
{
  Row row = { tile, size, (int)self->held[tile], category, name, variable, class };

  self->held[tile] += size;
  if (self->is_unknown && one_of (self, 60))
    row.size = -1;
  if (self->is_unknown && one_of (self, 60))
    row.offset = -1;
  g_array_append_val (self->rows, row);
}

/* Class 0 is live at all steps; where much is kept, of the others the odd ones are brief, and hold
 * temporaries. */
static int
draw_class (Maker *self, gboolean temporary)
{
  guint class = 1 + below (self, self->n_classes - 1);

  if (self->is_kept)
    class = 1 + (class - 1) / 2 * 2 + !temporary;
  return one_of (self, 8) ? 0 : (int)(5 * MIN (class, self->n_classes - 1));
}

/* Several rows on some of the tiles. */
static void
add_rows (Maker *self, int category, int name, int variable, const int *classes, guint n_classes)
{
  const guint only = one_of (self, 3) ? below (self, self->n_tiles) : self->n_tiles;

  for (guint tile = 0; tile < self->n_tiles; tile++)
    for (guint n = only == self->n_tiles || only == tile ? below (self, 4) : 0; n > 0; n--)
      add_row (self, tile, draw_size (self), category, name, variable,
               classes[below (self, n_classes)]);
}

static void
add_classes (Maker *self)
{
  SQL ("INSERT INTO equivalence_class_intervals VALUES (0, 0, %u);", self->n_steps);
  for (guint c = 1; c < self->n_classes; c++)
    {
      guint n = self->is_long && one_of (self, 2) ? 400 : 1 + below (self, 3);

      for (guint i = 0, from = below (self, self->n_steps / 2); i < n && from < self->n_steps; i++)
        {
          guint most = n > 3 || (self->is_kept && c % 2 == 1) ? 2 : self->n_steps;
          guint to = from + 1 + below (self, MIN (most, self->n_steps - from));

          SQL ("INSERT INTO equivalence_class_intervals VALUES (%u, %u, %u);", 5 * c, from, to);
          if (i == 0)
            {
              self->from[c] = from;
              self->to[c] = to;
            }
          from = to + 1 + (n > 3 ? 0 : below (self, 4));
        }
      SQL ("INSERT INTO equivalence_class_intervals SELECT %u, %u, %u WHERE NOT EXISTS (SELECT *"
           " FROM equivalence_class_intervals WHERE equivalence_class = %u);",
           5 * c, self->n_steps - 1, self->n_steps, 5 * c);
    }
}

static void
add_touch (Maker *self, guint variable, guint role, int program)
{
  SQL ("INSERT INTO program_variables VALUES (%d, %u, %u, %u, 9, 8);", program, role, variable,
       below (self, 9));
}

/* Where much is kept, a variable is made where its @class begins, of one or two others, and read
 * where it ends. */
static void
add_touches (Maker *self, guint variable, int class)
{
  if (self->is_kept && class > 0)
    {
      add_touch (self, variable, 2, (int)self->from[class / 5]);
      add_touch (self, 3 + 2 * below (self, 6), below (self, 3), (int)self->from[class / 5]);
      add_touch (self, 100 + below (self, 7), below (self, 3), (int)self->from[class / 5]);
      add_touch (self, variable, below (self, 2), (int)self->to[class / 5] - 1);
    }
  for (guint n = below (self, self->is_kept ? 2 : 6); n > 0; n--)
    add_touch (self, variable, below (self, 3), (int)below (self, N_PROGRAMS));
}

static void
add_variables (Maker *self)
{
  static const char *const names[]
      = { "act,1", "act", "w/Master", "data", "in/loss", "act,2,b", "w", "Größe", "x#/y", "10" };
  static const char *const types[] = { "'float'", "'float32'", "'half'", "NULL" };
  const gboolean typeless = one_of (self, 8);

  for (guint i = 0, n = 1 + below (self, G_N_ELEMENTS (names)); i < n; i++)
    {
      const gboolean always = one_of (self, self->is_kept ? 10 : 3);
      const int category = one_of (self, 8) ? MESSAGE : one_of (self, 5) ? CONSTANT : VARIABLE;
      const int classes[] = { draw_class (self, FALSE), draw_class (self, FALSE) };
      const int always_live[] = { ALWAYS };
      guint id = 3 + 2 * i;

      SQL ("INSERT INTO variables (id, name, always_live, category, element_type) VALUES (%u, '%s',"
           " %d, %d, %s);",
           id, names[i], always, category, types[typeless ? 3 : below (self, 4)]);
      add_rows (self, category, add_name (self, "other"), (int)id, always ? always_live : classes,
                always ? 1 : 1 + below (self, 2));
      add_touches (self, id, always ? ALWAYS : classes[0]);
    }
}

/* Some are told, some stand among the lowered variables alone, by one name or by two. */
static void
add_temporaries (Maker *self)
{
  static const char *const names[]
      = { "conv", "MatMul/a", "reduce", "gemM", "sum", "Grouped", "x/mat_mul" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *first = g_strconcat (names[i], "#", NULL);
      g_autofree char *second = g_strconcat (names[i], "#17", NULL);
      const int category = one_of (self, 3) ? MESSAGE : VARIABLE;
      const int classes[] = { draw_class (self, TRUE), draw_class (self, one_of (self, 2)) };

      if (one_of (self, 3))
        continue;
      if (one_of (self, 2))
        {
          SQL ("INSERT INTO variables (id, name, always_live, category) VALUES (%u, '%s', 0, %d);",
               100 + i, names[i], category);
          if (one_of (self, 3))
            add_touches (self, 100 + i, classes[0]);
        }
      add_rows (self, category, add_name (self, first), -1, classes, 2);
      if (one_of (self, 2))
        add_rows (self, category, add_name (self, second), -1, classes, 1);
    }
  if (self->is_unknown && one_of (self, 2))
    add_row (self, below (self, self->n_tiles), 64, VARIABLE, add_name (self, "untold"), -1,
             one_of (self, 2) ? UNTOLD : UNKNOWN);
}

static void
add_code (Maker *self)
{
  static const char *const names[] = { "1/ex", "12/ex", "a/ex1", "a/ex22", "a/ex", "b7c",
                                       "b77c", "b8c",   "x3y",   "xy",     "x44y", "7" };
  const int results = add_name (self, "counters"), code = add_name (self, "code");
  g_autofree int *sizes = g_new (int, 3 * self->n_tiles);

  /* Two are of as many bytes, but on other tiles. */
  for (guint i = 0; i < 2 * self->n_tiles; i++)
    sizes[i] = one_of (self, 2) ? 0 : draw_size (self);
  for (guint tile = 0; tile < self->n_tiles; tile++)
    sizes[2 * self->n_tiles + tile] = sizes[self->n_tiles - 1 - tile];
  for (guint tile = 0; tile < self->n_tiles; tile++)
    {
      if (one_of (self, 2))
        add_row (self, tile, draw_size (self), INSTRUMENTATION, results, -1, ALWAYS);
      if (one_of (self, 3))
        add_row (self, tile, 40, one_of (self, 2) ? VERTEX_CODE : VERTEX_STATE, code, -1, ALWAYS);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const int *of_tile = sizes + self->n_tiles * below (self, 3);
      const int name = add_name (self, names[i]);
      const int class = one_of (self, 4) ? draw_class (self, TRUE) : ALWAYS;

      if (one_of (self, 3))
        continue;
      for (guint tile = 0; tile < self->n_tiles; tile++)
        if (of_tile[tile] > 0)
          add_row (self, tile, of_tile[tile], EXCHANGE_CODE, name, -1, class);
    }
}

static int
compare_tiles (gconstpointer a, gconstpointer b)
{
  const Row *x = a;
  const Row *y = b;

  return x->tile < y->tile ? -1 : x->tile > y->tile;
}

static void
write_rows (Maker *self)
{
  if (one_of (self, 2))
    g_array_sort (self->rows, compare_tiles);
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      g_autofree char *class = g_strdup_printf ("%d", row->class);

      SQL ("INSERT INTO vars_info VALUES (%u, %u, nullif (%d, -1), %d, %d, nullif (%d, -1),"
           " nullif (%d, -1), %s, %s, 8);",
           i, row->tile, row->size, row->category, row->name, row->variable, row->offset,
           row->class == ALWAYS    ? "1"
           : row->class == UNKNOWN ? "NULL"
                                   : "0",
           row->class < 0 ? "NULL" : class);
    }
}

static void
write_tiles (Maker *self, guint n_ipus)
{
  int capacity = (int)((one_of (self, 6) ? 40000 : 9000) + 8 * below (self, 1000));

  SQL ("UPDATE target SET num_ipus = %u, ipus_per_replica = %u, num_replicas = 1, tiles_per_ipu ="
       " nullif (%u, 0), bytes_per_tile = %d, interleaved_start = nullif (%d, 0);",
       n_ipus, n_ipus, one_of (self, 8) ? 0 : self->n_tiles / n_ipus, capacity,
       one_of (self, 3) ? 0 : capacity / 2);
  for (guint tile = 0; tile < self->n_tiles; tile++)
    {
      int including = (int)(self->held[tile] * (30 + below (self, 70)) / 100);
      int over = MAX (including - capacity, 0) + (one_of (self, 8) ? (int)below (self, 900) : 0);

      SQL ("INSERT INTO memory_by_tile (tile, including_gaps, overflowed) VALUES (%u,"
           " nullif (%d, -1), nullif (%d, -1));",
           tile, self->is_unknown && one_of (self, 6) ? -1 : including,
           self->is_unknown && one_of (self, 6) ? -1 : over);
    }
}

char *
plan_report_new (GRand *random, guint round)
{
  char *folder = tsr_test_report_new ("tiny");
  Maker maker = { .random = random, .sql = g_string_new (NULL) };
  Maker *self = &maker;
  guint n_ipus = 1 + below (self, 3);

  self->is_long = round % 4 == 1;
  self->is_unknown = round % 5 == 2;
  self->is_kept = round % 2 == 0;
  self->n_tiles = n_ipus * (1 + below (self, 4));
  self->n_steps = self->is_long ? 300 + below (self, 300) : 4 + below (self, N_PROGRAMS - 4);
  self->n_classes = 3 + below (self, 6);
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->held = g_new0 (gint64, self->n_tiles);
  SQL ("BEGIN;"
       "DELETE FROM memory_by_tile; DELETE FROM memory_by_tile_region;"
       "DELETE FROM memory_by_tile_category; DELETE FROM vars_info; DELETE FROM tile_vars;"
       "DELETE FROM vars_string_table; DELETE FROM equivalence_class_intervals;"
       "DELETE FROM variables; DELETE FROM variables_by_ipu; DELETE FROM variable_lifetimes;"
       "DELETE FROM liveness_steps; DELETE FROM liveness_by_ipu; DROP TABLE program_variables;"
       "CREATE TABLE program_variables (program INTEGER, role INTEGER, variable INTEGER,"
       " from_element INTEGER, to_element INTEGER, bytes INTEGER);");
  add_classes (self);
  add_variables (self);
  add_temporaries (self);
  add_code (self);
  write_rows (self);
  write_tiles (self, n_ipus);
  for (guint step = 0; step < self->n_steps; step++)
    SQL ("INSERT INTO liveness_steps VALUES (%u, nullif (%d, -1), 0);", step,
         one_of (self, 12) ? -1 : (int)(self->is_kept ? step : below (self, N_PROGRAMS)));
  if (one_of (self, 8))
    SQL ("DELETE FROM program_variables WHERE rowid > %u;", self->n_steps % 2);
  SQL ("COMMIT");
  tsr_test_sql (folder, "profile.pop", self->sql->str);
  g_string_free (self->sql, TRUE);
  g_array_unref (self->rows);
  g_free (self->held);
  return folder;
}
