/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Figures of vertices, compute sets and exchanges for any tiles, with a cache of the arrays by tile
 * that they need. */

#include "config.h"

#include "tsr-vertices-private.h"

#include "tsr-error.h"
#include "tsr-variables-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* ------------------------------------------------------------------ object */

typedef struct
{
  gint64 id;
  gint64 *values;
} KeptArray;

/* Enough for what a view shows at one time; 94,208 tiles are 750 KiB each. */
#define ARRAYS_KEPT 16

static void
kept_array_free (gpointer data)
{
  KeptArray *kept = data;

  g_free (kept->values);
  g_free (kept);
}

TsrVertices *
tsr_vertices_new (TsrReport *report, TsrMemory *memory)
{
  TsrVertices *self;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  g_return_val_if_fail (memory != NULL, NULL);
  g_return_val_if_fail (tsr_report_get_program_tables (report) != NULL, NULL);

  self = g_new0 (TsrVertices, 1);
  g_atomic_ref_count_init (&self->refs);
  self->report = g_object_ref (report);
  self->memory = tsr_memory_ref (memory);
  self->tables = tsr_report_get_program_tables (report);
  g_mutex_init (&self->lock);
  self->arrays = g_queue_new ();
  return self;
}

TsrVertices *
tsr_vertices_ref (TsrVertices *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_vertices_unref (TsrVertices *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_queue_free_full (self->arrays, kept_array_free);
  g_free (self->runs);
  g_mutex_clear (&self->lock);
  tsr_memory_unref (self->memory);
  g_object_unref (self->report);
  g_free (self);
}

const TsrProgramTables *
tsr_vertices_get_tables (TsrVertices *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->tables;
}

TsrMemory *
tsr_vertices_get_memory (TsrVertices *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->memory;
}

/* ------------------------------------------------------------------ arrays */

static gint64 *
find_kept (TsrVertices *self, gint64 id)
{
  gint64 *values = NULL;

  g_mutex_lock (&self->lock);
  for (GList *l = self->arrays->head; l != NULL && values == NULL; l = l->next)
    {
      KeptArray *kept = l->data;

      if (kept->id != id)
        continue;
      values = g_memdup2 (kept->values,
                          MAX (tsr_memory_get_n_tiles (self->memory), 1) * sizeof *values);
      g_queue_unlink (self->arrays, l);
      g_queue_push_head_link (self->arrays, l);
    }
  g_mutex_unlock (&self->lock);
  return values;
}

static void
keep (TsrVertices *self, gint64 id, const gint64 *values)
{
  KeptArray *kept = g_new (KeptArray, 1);

  kept->id = id;
  kept->values
      = g_memdup2 (values, MAX (tsr_memory_get_n_tiles (self->memory), 1) * sizeof *values);
  g_mutex_lock (&self->lock);
  g_queue_push_head (self->arrays, kept);
  if (self->arrays->length > ARRAYS_KEPT)
    kept_array_free (g_queue_pop_tail (self->arrays));
  g_mutex_unlock (&self->lock);
}

typedef struct
{
  gint64 id, sum, maximum;
} ReadArray;

void
tsr_array_reader_init (TsrArrayReader *self,
                       TsrVertices *vertices,
                       const guint *tiles,
                       guint n_tiles,
                       GCancellable *cancellable)
{
  memset (self, 0, sizeof *self);
  self->self = vertices;
  self->tiles = tiles;
  self->n_tiles = n_tiles;
  self->cancellable = cancellable;
  self->read = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
}

void
tsr_array_reader_clear (TsrArrayReader *self)
{
  g_clear_pointer (&self->read, g_hash_table_unref);
  g_clear_object (&self->profile);
}

TsrArrayReader *
tsr_array_reader_new (TsrVertices *vertices,
                      const guint *tiles,
                      guint n_tiles,
                      GCancellable *cancellable)
{
  TsrArrayReader *self;

  g_return_val_if_fail (vertices != NULL, NULL);
  self = g_new (TsrArrayReader, 1);
  tsr_array_reader_init (self, vertices, tiles, n_tiles, cancellable);
  return self;
}

void
tsr_array_reader_free (TsrArrayReader *self)
{
  tsr_array_reader_clear (self);
  g_free (self);
}

/* The numbers of all tiles into self->values. */
static gboolean
read_values (TsrArrayReader *self, gint64 id, gboolean *found, GError **error)
{
  guint n_all = tsr_memory_get_n_tiles (self->self->memory);

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (self->profile == NULL)
    {
      self->profile = tsr_report_open_profile (self->self->report, error);
      if (self->profile == NULL)
        return FALSE;
      tsr_database_set_cancellable (tsr_profile_get_database (self->profile), self->cancellable);
    }
  if (!tsr_profile_peek_tile_array (self->profile, id, n_all, &self->values, error))
    return FALSE;
  *found = self->values != NULL;
  return TRUE;
}

gint64 *
tsr_array_reader_dup (TsrArrayReader *self, TsrTileArrayRef ref, GError **error)
{
  gboolean found = FALSE;
  gint64 *numbers;
  guint n;

  g_return_val_if_fail (self != NULL, NULL);
  if (ref.id != TSR_UNKNOWN && !read_values (self, ref.id, &found, error))
    return NULL;
  n = tsr_memory_get_n_tiles (self->self->memory);
  numbers = g_new (gint64, MAX (n, 1));
  for (guint tile = 0; tile < n; tile++)
    numbers[tile] = found ? (gint64)self->values[tile] : TSR_UNKNOWN;
  return numbers;
}

gint64 *
tsr_vertices_dup_array (TsrVertices *self, TsrTileArrayRef ref, GError **error)
{
  g_auto (TsrArrayReader) reader = { 0 };
  gint64 *numbers = ref.id != TSR_UNKNOWN ? find_kept (self, ref.id) : NULL;

  if (numbers != NULL)
    return numbers;
  tsr_array_reader_init (&reader, self, NULL, 0, NULL);
  numbers = tsr_array_reader_dup (&reader, ref, error);
  if (numbers != NULL && ref.id != TSR_UNKNOWN)
    keep (self, ref.id, numbers);
  return numbers;
}

static gboolean
read_array (TsrArrayReader *self, ReadArray *array, GError **error)
{
  guint n_all = tsr_memory_get_n_tiles (self->self->memory);
  guint n = self->tiles != NULL ? self->n_tiles : n_all;
  gboolean found = FALSE;

  array->sum = array->maximum = TSR_UNKNOWN;
  if (!read_values (self, array->id, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  array->sum = array->maximum = 0;
  /* 2^20 tiles of 32 bits at most. */
  for (guint i = 0; i < n; i++)
    {
      guint tile = self->tiles != NULL ? self->tiles[i] : i;
      gint64 value = tile < n_all ? self->values[tile] : 0;

      array->sum += value;
      array->maximum = MAX (array->maximum, value);
    }
  return TRUE;
}

gboolean
tsr_array_reader_get (
    TsrArrayReader *self, TsrTileArrayRef ref, gint64 *sum, gint64 *maximum, GError **error)
{
  ReadArray *array;

  g_return_val_if_fail (self != NULL && sum != NULL && maximum != NULL, FALSE);
  *sum = *maximum = TSR_UNKNOWN;
  if (self->tiles == NULL || ref.total == 0)
    {
      *sum = ref.total;
      *maximum = ref.total == 0 ? 0 : ref.maximum;
    }
  if (ref.id == TSR_UNKNOWN || (*sum != TSR_UNKNOWN && *maximum != TSR_UNKNOWN))
    return TRUE;
  array = g_hash_table_lookup (self->read, &ref.id);
  if (array == NULL)
    {
      array = g_new0 (ReadArray, 1);
      array->id = ref.id;
      if (!read_array (self, array, error))
        {
          g_free (array);
          return FALSE;
        }
      g_hash_table_insert (self->read, &array->id, array);
    }
  *sum = array->sum;
  *maximum = array->maximum;
  return TRUE;
}

/* ------------------------------------------------------------------- lists */

/* Instances of an entry of compute_set_vertices on the reader's tiles. */
static gboolean
get_count (TsrArrayReader *reader, guint entry, gint64 *count, GError **error)
{
  const TsrProgramTables *tables = reader->self->tables;
  gint64 maximum;

  *count = tables->vertex_count[entry];
  if (*count == 0 || (reader->tiles == NULL && *count != TSR_UNKNOWN))
    return TRUE;
  return tsr_array_reader_get (reader, tables->vertex_count_by_tile[entry], count, &maximum, error);
}

static gint64
multiply (gint64 a, gint64 b, gboolean *overflow)
{
  gint64 product;

  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN)
    return a == 0 || b == 0 ? 0 : TSR_UNKNOWN;
  if (!__builtin_mul_overflow (a, b, &product))
    return product;
  *overflow = TRUE;
  return TSR_UNKNOWN;
}

static gint64
get_state (const TsrProgramTables *tables, guint type, gint64 count, gboolean *overflow)
{
  return multiply (tables->vertex_type_size[type], count, overflow);
}

static void
say_overflow (TsrVertices *self, gboolean overflow)
{
  if (overflow)
    tsr_variables_say_sum_too_large (tsr_report_get_diagnostics (self->report),
                                     "compute_set_vertices");
}

static int
compare_names (TsrStringTable *strings, guint32 a, guint32 b)
{
  return g_strcmp0 (tsr_string_table_get (strings, a), tsr_string_table_get (strings, b));
}

/* Largest first; what is not known last.  Rows of one name and size keep their order: the sort is
 * stable. */
static int
compare_sizes (gint64 a, gint64 b)
{
  return (b > a) - (b < a);
}

static int
compare_vertices (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrVertexRow *x = a;
  const TsrVertexRow *y = b;
  const TsrProgramTables *tables = data;
  gint64 x_sum = x->state_bytes;
  gint64 y_sum = y->state_bytes;
  int order;

  tsr_variables_sum_add (&x_sum, x->code_bytes);
  tsr_variables_sum_add (&y_sum, y->code_bytes);
  order = compare_sizes (x_sum, y_sum);
  if (order == 0)
    order = compare_names (tables->strings, tables->vertex_type_name[x->type],
                           tables->vertex_type_name[y->type]);
  return order;
}

/* Counts of all types by one walk over the compute sets. */
static gboolean
count_vertices (TsrArrayReader *reader, TsrVertexRow *rows, GError **error)
{
  const TsrProgramTables *tables = reader->self->tables;
  gboolean overflow = FALSE;

  for (guint set = 0; set < tables->n_compute_sets; set++)
    for (guint i = tables->vertex_start[set]; i < tables->vertex_start[set + 1]; i++)
      {
        guint type = tables->vertex_type[i];
        gint64 count;

        if (!get_count (reader, i, &count, error))
          return FALSE;
        if (count == 0)
          continue;
        rows[type].n_compute_sets++;
        overflow |= !tsr_variables_sum_add (&rows[type].count, count);
      }
  for (guint type = 0; type < tables->n_vertex_types; type++)
    rows[type].state_bytes = get_state (tables, type, rows[type].count, &overflow);
  say_overflow (reader->self, overflow);
  return TRUE;
}

GArray *
tsr_vertices_list (
    TsrVertices *self, const guint *tiles, guint n_tiles, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *tables;
  g_auto (TsrArrayReader) reader = { 0 };
  g_autofree TsrVertexRow *rows = NULL;
  GArray *list;

  g_return_val_if_fail (self != NULL, NULL);
  tables = self->tables;
  rows = g_new0 (TsrVertexRow, MAX (tables->n_vertex_types, 1));
  tsr_array_reader_init (&reader, self, tiles, n_tiles, cancellable);
  if (!count_vertices (&reader, rows, error))
    return NULL;
  list = g_array_new (FALSE, FALSE, sizeof (TsrVertexRow));
  for (guint type = 0; type < tables->n_vertex_types; type++)
    {
      gint64 maximum;

      rows[type].type = type;
      if (!tsr_array_reader_get (&reader, tables->vertex_type_code[type], &rows[type].code_bytes,
                                 &maximum, error))
        {
          g_array_unref (list);
          return NULL;
        }
      if (tiles == NULL || rows[type].count != 0 || rows[type].code_bytes != 0)
        g_array_append_val (list, rows[type]);
    }
  g_array_sort_with_data (list, compare_vertices, (gpointer)tables);
  return list;
}

static int
compare_sets (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrComputeSetRow *x = a;
  const TsrComputeSetRow *y = b;
  const TsrProgramTables *tables = data;
  int order = compare_sizes (x->state_bytes, y->state_bytes);

  if (order == 0)
    order = compare_names (tables->strings, tables->compute_set_name[x->compute_set],
                           tables->compute_set_name[y->compute_set]);
  return order;
}

static gboolean
fill_set (TsrArrayReader *reader, TsrComputeSetRow *row, gboolean *overflow, GError **error)
{
  const TsrProgramTables *tables = reader->self->tables;
  guint set = row->compute_set;
  gint64 sum;

  row->flops = reader->tiles == NULL ? 0 : TSR_UNKNOWN;
  for (guint i = tables->vertex_start[set]; i < tables->vertex_start[set + 1]; i++)
    {
      gint64 count;

      if (!get_count (reader, i, &count, error))
        return FALSE;
      row->n_types += count != 0;
      *overflow |= !tsr_variables_sum_add (&row->count, count);
      *overflow |= !tsr_variables_sum_add (
          &row->state_bytes, get_state (tables, tables->vertex_type[i], count, overflow));
      *overflow |= !tsr_variables_sum_add (&row->flops, tables->vertex_flops[i]);
    }
  /* Nothing here: its cycles on these tiles need no look. */
  if (reader->tiles != NULL && row->count == 0)
    return TRUE;
  return tsr_array_reader_get (reader, tables->compute_set_estimated_cycles[set], &sum,
                               &row->estimated_cycles, error);
}

GArray *
tsr_vertices_list_compute_sets (
    TsrVertices *self, const guint *tiles, guint n_tiles, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *tables;
  g_auto (TsrArrayReader) reader = { 0 };
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsrComputeSetRow));
  gboolean overflow = FALSE;

  g_return_val_if_fail (self != NULL, NULL);
  tables = self->tables;
  tsr_array_reader_init (&reader, self, tiles, n_tiles, cancellable);
  for (guint set = 0; set < tables->n_compute_sets; set++)
    {
      TsrComputeSetRow row = { .compute_set = set };

      if (!fill_set (&reader, &row, &overflow, error))
        return NULL;
      if (tiles == NULL || row.count != 0)
        g_array_append_val (list, row);
    }
  say_overflow (self, overflow);
  g_array_sort_with_data (list, compare_sets, (gpointer)tables);
  return g_steal_pointer (&list);
}

GArray *
tsr_vertices_dup_compute_sets_of (TsrVertices *self, guint vertex_type)
{
  const TsrProgramTables *tables;
  GArray *sets;

  g_return_val_if_fail (self != NULL, NULL);
  tables = self->tables;
  sets = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 set = 0; set < tables->n_compute_sets; set++)
    for (guint i = tables->vertex_start[set]; i < tables->vertex_start[set + 1]; i++)
      if (tables->vertex_type[i] == vertex_type)
        {
          g_array_append_val (sets, set);
          break;
        }
  return sets;
}
