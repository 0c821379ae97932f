/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code and vertex state of operations.  The code of a vertex type lies once on each tile that has
 * such a vertex, so an operation needs the numbers of vertices by tile: compute sets whose vertices
 * of a type lie on the same tiles have the same array, and each pair of arrays is added up once. */

#include "config.h"

#include "tsr-operations-private.h"

#include <string.h>

/* Numbers of tiles that are kept while operations are gone through: 32 MiB. */
#define KEPT_VALUES (8u << 20)

/* Programs between two looks at whether somebody still wants them. */
#define CANCEL_EVERY 4096

typedef struct
{
  gint64 id, sum, maximum; /* TSR_UNKNOWN: the array cannot be used */
  guint32 *values;         /* (nullable) */
} Array;

typedef struct
{
  gint64 counts, code; /* ids of arrays */
  gint64 bytes;
} Pair;

typedef struct
{
  TsrOperations *self;
  TsrProfile *profile;
  GHashTable *arrays; /* id to Array */
  GHashTable *pairs;
  guint32 *present; /* by tile: all bits where the type that is added up is */

  /* Of the operation that is gone through: entries of compute_set_vertices by type, as lists. */
  guint32 *first; /* by type: place in next + 1 */
  GArray *types;  /* guint32: those with a list */
  GArray *items;  /* Item */
} Reader;

typedef struct
{
  guint32 entry, next;
} Item;

static void
array_free (gpointer data)
{
  g_free (((Array *)data)->values);
  g_free (data);
}

static guint
pair_hash (gconstpointer key)
{
  const Pair *pair = key;

  return g_int64_hash (&pair->counts) * 31 + g_int64_hash (&pair->code);
}

static gboolean
pair_equal (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;

  return x->counts == y->counts && x->code == y->code;
}

/* (transfer none): valid until the next call.  FALSE: cannot be read on.  *found NULL: no such
 * array. */
static gboolean
read_array (Reader *reader, gint64 id, Array **found, GError **error)
{
  const guint n = reader->self->n_tiles;
  gboolean there = FALSE;
  Array *array;

  *found = NULL;
  if (id == TSR_UNKNOWN || n == 0)
    return TRUE;
  array = g_hash_table_lookup (reader->arrays, &id);
  if (array == NULL)
    {
      array = g_new0 (Array, 1);
      array->id = id;
      array->values = g_new (guint32, n);
      if (!tsr_profile_read_tile_array (reader->profile, id, n, array->values, &there, error))
        {
          array_free (array);
          return FALSE;
        }
      if (!there)
        g_clear_pointer (&array->values, g_free);
      g_hash_table_insert (reader->arrays, &array->id, array);
    }
  if (array->values != NULL)
    *found = array;
  return TRUE;
}

static void
make_room (Reader *reader)
{
  if ((guint64)g_hash_table_size (reader->arrays) * MAX (reader->self->n_tiles, 1) > KEPT_VALUES)
    g_hash_table_remove_all (reader->arrays);
}

/* Bytes of the type's code on tiles with vertices of the items from @item on. */
static gboolean
add_up (Reader *reader, guint32 type, guint32 item, gint64 *bytes, GError **error)
{
  const TsrOperations *self = reader->self;
  const gint64 code_id = self->programs->vertex_type_code[type].id;
  guint32 *present = reader->present;
  Array *code, *counts;
  guint64 sum = 0;

  *bytes = TSR_UNKNOWN;
  make_room (reader);
  memset (present, 0, self->n_tiles * sizeof *present);
  for (; item != 0; item = g_array_index (reader->items, Item, item - 1).next)
    {
      const guint32 entry = g_array_index (reader->items, Item, item - 1).entry;

      if (!read_array (reader, self->programs->vertex_count_by_tile[entry].id, &counts, error))
        return FALSE;
      if (counts == NULL)
        return TRUE;
      for (guint tile = 0; tile < self->n_tiles; tile++)
        present[tile] |= counts->values[tile] != 0 ? G_MAXUINT32 : 0;
    }
  if (!read_array (reader, code_id, &code, error))
    return FALSE;
  if (code == NULL)
    return TRUE;
  /* Without a branch, which would go either way: this is what operations take most time for. */
  for (guint tile = 0; tile < self->n_tiles; tile++)
    sum += code->values[tile] & present[tile];
  *bytes = (gint64)sum;
  return TRUE;
}

/* The same, from what was added up before where all items have one array. */
static gboolean
get_code (Reader *reader, guint32 type, gint64 *bytes, GError **error)
{
  const TsrProgramTables *tables = reader->self->programs;
  const guint32 first = reader->first[type];
  const Item *item = &g_array_index (reader->items, Item, first - 1);
  Pair key = { tables->vertex_count_by_tile[item->entry].id, tables->vertex_type_code[type].id, 0 };
  Pair *known;

  if (tables->vertex_type_code[type].total == 0)
    {
      *bytes = 0;
      return TRUE;
    }
  while (item->next != 0)
    {
      item = &g_array_index (reader->items, Item, item->next - 1);
      if (tables->vertex_count_by_tile[item->entry].id != key.counts)
        return add_up (reader, type, first, bytes, error);
    }
  known = g_hash_table_lookup (reader->pairs, &key);
  if (known == NULL)
    {
      if (!add_up (reader, type, first, &key.bytes, error))
        return FALSE;
      known = g_memdup2 (&key, sizeof key);
      g_hash_table_add (reader->pairs, known);
    }
  *bytes = known->bytes;
  return TRUE;
}

static void
take_set (Reader *reader, guint32 set)
{
  const TsrProgramTables *tables = reader->self->programs;

  for (guint32 i = tables->vertex_start[set]; i < tables->vertex_start[set + 1]; i++)
    {
      const guint32 type = tables->vertex_type[i];
      Item item = { i, 0 };

      if (type >= tables->n_vertex_types || tables->vertex_count[i] == 0)
        continue;
      item.next = reader->first[type];
      if (item.next == 0)
        g_array_append_val (reader->types, type);
      g_array_append_val (reader->items, item);
      reader->first[type] = reader->items->len;
    }
}

static gboolean
vertex_code_of (Reader *reader, guint operation, guint32 *taken, gint64 *bytes, GError **error)
{
  const TsrOperations *self = reader->self;
  const TsrProgramTables *tables = self->programs;
  gboolean good = TRUE;

  g_array_set_size (reader->types, 0);
  g_array_set_size (reader->items, 0);
  for (guint32 i = self->program_start[operation]; i < self->program_start[operation + 1]; i++)
    {
      const guint32 set = tables->program_compute_set[self->program[i]];

      if (set >= tables->n_compute_sets || taken[set] == operation + 1)
        continue;
      taken[set] = operation + 1;
      take_set (reader, set);
    }
  *bytes = 0;
  for (guint i = 0; i < reader->types->len; i++)
    {
      const guint32 type = g_array_index (reader->types, guint32, i);
      gint64 code = TSR_UNKNOWN;

      good = good && get_code (reader, type, &code, error);
      tsr_variables_sum_add (bytes, code);
      reader->first[type] = 0;
    }
  return good;
}

static gboolean
compute_vertex_code (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *tables = self->programs;
  g_autofree guint32 *taken = g_new0 (guint32, MAX (tables->n_compute_sets, 1));
  g_autofree guint32 *first = g_new0 (guint32, MAX (tables->n_vertex_types, 1));
  g_autofree guint32 *present = g_new (guint32, MAX (self->n_tiles, 1));
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, array_free);
  g_autoptr (GHashTable) pairs = g_hash_table_new_full (pair_hash, pair_equal, g_free, NULL);
  g_autoptr (GArray) types = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self->report, error);
  Reader reader = { self, profile, arrays, pairs, present, first, types, items };
  gint64 *total = &self->totals[TSR_OPERATION_VERTEX_CODE];

  if (profile == NULL)
    return FALSE;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  for (guint i = 0; i < self->n; i++)
    if (!vertex_code_of (&reader, i, taken, &self->figures[TSR_OPERATION_VERTEX_CODE][i], error))
      return FALSE;
  *total = 0;
  for (guint i = 0; i < tables->n_vertex_types; i++)
    tsr_variables_sum_add (total, tables->vertex_type_code[i].total);
  return TRUE;
}

/* ---- control code, exchange code */

/* By program: TRUE where two or more edges lead to it, or to something above it. */
static guint8 *
dup_shared (TsrPrograms *programs)
{
  const guint32 n = tsr_programs_get_n (programs);
  const guint32 *order = tsr_programs_peek_order (programs);
  guint8 *shared = g_new0 (guint8, MAX (n, 1));

  for (guint32 i = n; i > 0; i--) /* parents first */
    {
      const guint32 at = order[i - 1];
      guint32 first, end;

      if (tsr_programs_get_n_parents (programs, at) > 1)
        shared[at] = TRUE;
      tsr_programs_get_edges (programs, at, &first, &end);
      for (guint32 edge = first; shared[at] && edge < end; edge++)
        if (!tsr_programs_is_cut (programs, edge))
          shared[tsr_programs_get_child (programs, edge)] = TRUE;
    }
  return shared;
}

static void
add (TsrOperations *self, TsrOperationFigure figure, guint operation, gint64 value)
{
  tsr_variables_sum_add (&self->figures[figure][operation], value);
  tsr_variables_sum_add (&self->totals[figure], value);
}

static void
compute_program_code (TsrOperations *self)
{
  g_autofree guint8 *shared = dup_shared (self->graph);

  for (guint32 i = 0; i < self->programs->n_programs; i++)
    {
      const guint operation = self->of_program[i];
      const gint64 code = tsr_programs_get (self->graph, i, TSR_PROGRAM_EXCHANGE_SELF);

      add (self, TSR_OPERATION_CONTROL_CODE, operation,
           tsr_programs_get (self->graph, i, TSR_PROGRAM_CONTROL_SELF));
      add (self, TSR_OPERATION_EXCHANGE_CODE, operation, code);
      add (self, TSR_OPERATION_SHARED_EXCHANGE, operation, shared[i] ? code : 0);
    }
}

/* A compute set's vertices have one state, whoever executes it: it is with the first program. */
static void
compute_state (TsrOperations *self)
{
  const TsrProgramTables *tables = self->programs;
  g_autofree guint32 *owner = g_new (guint32, MAX (tables->n_compute_sets, 1));

  for (guint i = 0; i < tables->n_compute_sets; i++)
    owner[i] = self->n - 1;
  for (guint32 i = tables->n_programs; i > 0; i--)
    if (tables->program_compute_set[i - 1] < tables->n_compute_sets)
      owner[tables->program_compute_set[i - 1]] = self->of_program[i - 1];
  for (guint set = 0; set < tables->n_compute_sets; set++)
    for (guint32 i = tables->vertex_start[set]; i < tables->vertex_start[set + 1]; i++)
      {
        const guint32 type = tables->vertex_type[i];
        const gint64 count = tables->vertex_count[i];
        const gint64 size
            = type < tables->n_vertex_types ? tables->vertex_type_size[type] : TSR_UNKNOWN;
        gint64 bytes = TSR_UNKNOWN;

        if (count == 0)
          bytes = 0;
        else if (count != TSR_UNKNOWN && size != TSR_UNKNOWN
                 && __builtin_mul_overflow (count, size, &bytes))
          bytes = TSR_UNKNOWN;
        add (self, TSR_OPERATION_VERTEX_STATE, owner[set], bytes);
      }
}

gboolean
tsr_operations_compute_code (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  static const TsrOperationFigure parts[]
      = { TSR_OPERATION_CONTROL_CODE, TSR_OPERATION_EXCHANGE_CODE, TSR_OPERATION_VERTEX_CODE };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    self->totals[parts[i]] = 0;
  self->totals[TSR_OPERATION_SHARED_EXCHANGE] = self->totals[TSR_OPERATION_VERTEX_STATE] = 0;
  self->totals[TSR_OPERATION_CODE] = 0;
  compute_program_code (self);
  compute_state (self);
  if (!compute_vertex_code (self, cancellable, error))
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    {
      for (guint i = 0; i < self->n; i++)
        tsr_variables_sum_add (&self->figures[TSR_OPERATION_CODE][i], self->figures[parts[k]][i]);
      tsr_variables_sum_add (&self->totals[TSR_OPERATION_CODE], self->totals[parts[k]]);
    }
  return TRUE;
}
