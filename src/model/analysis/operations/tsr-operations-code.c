/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code and vertex state of operations.  The code of a vertex type lies once on each tile that has
 * such a vertex, so an operation needs the numbers of vertices by tile. */

#include "config.h"

#include "tsr-operations-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Operations between two looks at whether somebody still wants them. */
#define CANCEL_EVERY 256

typedef struct
{
  TsrOperations *self;
  TsrProfile *profile;
  guint32 *values;  /* by tile: of the array that was read last */
  guint32 *present; /* by tile: all bits where the type that is added up is */
  gint64 *sums;     /* by tile: of the operation that is gone through; NULL: nobody wants them */
  gint64 missing;   /* of the arrays that it needs, the last that cannot be used; TSR_UNKNOWN */
  gboolean told;    /* there was none of these */

  /* Entries of compute_set_vertices by type, as lists. */
  guint32 *taken; /* by compute set: the last operation that had it, + 1 */
  guint32 *first; /* by type: place in next + 1 */
  GArray *types;  /* guint32: those with a list */
  GArray *items;  /* Item */
} Reader;

typedef struct
{
  guint32 entry, next;
} Item;

static void
reader_init (Reader *reader, TsrOperations *self, TsrProfile *profile, gint64 *sums)
{
  const TsrProgramTables *tables = self->programs;

  *reader = (Reader){ .self = self, .profile = profile, .sums = sums, .told = TRUE };
  reader->present = g_new (guint32, MAX (self->n_tiles, 1));
  reader->taken = g_new0 (guint32, MAX (tables->n_compute_sets, 1));
  reader->first = g_new0 (guint32, MAX (tables->n_vertex_types, 1));
  reader->types = g_array_new (FALSE, FALSE, sizeof (guint32));
  reader->items = g_array_new (FALSE, FALSE, sizeof (Item));
}

static void
reader_clear (Reader *reader)
{
  g_free (reader->present);
  g_free (reader->taken);
  g_free (reader->first);
  g_array_unref (reader->types);
  g_array_unref (reader->items);
}

/* *values (transfer none) (nullable): valid until the next call; NULL: it cannot be used.  FALSE:
 * the file cannot be read on. */
static gboolean
read_array (Reader *reader, gint64 id, const guint32 **values, GError **error)
{
  *values = NULL;
  if (id != TSR_UNKNOWN
      && !tsr_profile_peek_tile_array (reader->profile, id, reader->self->n_tiles, values, error))
    return FALSE;
  if (*values == NULL)
    {
      reader->told = FALSE;
      reader->missing = id;
    }
  return TRUE;
}

/* ---- each tile's */

/* Adds it to the sums, or takes it away. */
static gboolean
add_array (Reader *reader, const TsrTileArrayRef *ref, gboolean away, GError **error)
{
  const guint n = reader->self->n_tiles;
  gint64 *sums = reader->sums;
  const guint32 *values;

  if (ref->total == 0 || (ref->id == TSR_UNKNOWN && ref->total == TSR_UNKNOWN))
    return TRUE;
  if (!read_array (reader, ref->id, &values, error))
    return FALSE;
  for (guint tile = 0; values != NULL && !away && tile < n; tile++)
    sums[tile] += values[tile];
  for (guint tile = 0; values != NULL && away && tile < n; tile++)
    sums[tile] -= values[tile];
  return TRUE;
}

/* Without its children's, each once. */
static gboolean
add_control (Reader *reader, guint32 program, GError **error)
{
  const TsrOperations *self = reader->self;
  const TsrTileArrayRef *code = self->programs->program_control_code;
  g_autoptr (GHashTable) seen = NULL;
  guint32 first, end;

  if (code[program].id == TSR_UNKNOWN && code[program].total == TSR_UNKNOWN)
    return TRUE;
  if (!add_array (reader, &code[program], FALSE, error))
    return FALSE;
  tsr_programs_get_edges (self->graph, program, &first, &end);
  if (self->programs->program_callee[program] != TSR_NO_INDEX)
    end--; /* what is called has its code elsewhere */
  if (end > first)
    seen = g_hash_table_new (NULL, NULL);
  for (guint32 edge = first; edge < end; edge++)
    {
      const guint32 child = tsr_programs_get_child (self->graph, edge);

      if (!tsr_programs_is_cut (self->graph, edge)
          && g_hash_table_add (seen, GUINT_TO_POINTER (child))
          && !add_array (reader, &code[child], TRUE, error))
        return FALSE;
    }
  return TRUE;
}

/* The type's code on tiles with vertices of the items from @item on.  *bytes: of all tiles;
 * TSR_UNKNOWN. */
static gboolean
add_type (Reader *reader, guint32 type, guint32 item, gint64 *bytes, GError **error)
{
  const TsrOperations *self = reader->self;
  guint32 *present = reader->present;
  gint64 *sums = reader->sums;
  const guint32 *values;
  gint64 sum = 0;
  gboolean any = FALSE;

  *bytes = TSR_UNKNOWN;
  for (; item != 0; item = g_array_index (reader->items, Item, item - 1).next)
    {
      const guint32 entry = g_array_index (reader->items, Item, item - 1).entry;

      if (!read_array (reader, self->programs->vertex_count_by_tile[entry].id, &values, error))
        return FALSE;
      if (values == NULL)
        return TRUE;
      for (guint tile = 0; !any && tile < self->n_tiles; tile++)
        present[tile] = values[tile] != 0 ? G_MAXUINT32 : 0;
      for (guint tile = 0; any && tile < self->n_tiles; tile++)
        present[tile] |= values[tile] != 0 ? G_MAXUINT32 : 0;
      any = TRUE;
    }
  if (!read_array (reader, self->programs->vertex_type_code[type].id, &values, error))
    return FALSE;
  if (values == NULL)
    return TRUE;
  /* Without a branch, which would go either way: this is what operations take most time for. */
  for (guint tile = 0; tile < self->n_tiles; tile++)
    sum += values[tile] & present[tile];
  for (guint tile = 0; sums != NULL && tile < self->n_tiles; tile++)
    sums[tile] += values[tile] & present[tile];
  *bytes = sum;
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

      if (tables->vertex_count[i] == 0 || tables->vertex_type_code[type].total == 0)
        continue;
      item.next = reader->first[type];
      if (item.next == 0)
        g_array_append_val (reader->types, type);
      g_array_append_val (reader->items, item);
      reader->first[type] = reader->items->len;
    }
}

/* Takes the compute sets of an operation, each once for all operations of the same @mark (not 0).
 */
static void
take_sets (Reader *reader, guint operation, guint32 mark)
{
  const TsrOperations *self = reader->self;

  for (guint32 i = self->program_start[operation]; i < self->program_start[operation + 1]; i++)
    {
      const guint32 set = self->programs->program_compute_set[self->program[i]];

      if (set == TSR_NO_INDEX || reader->taken[set] == mark)
        continue;
      reader->taken[set] = mark;
      take_set (reader, set);
    }
}

/* Each type once on each tile that has such a vertex of one of @n operations; the first one is of
 * no other call with the same reader. */
static gboolean
add_vertices (Reader *reader, const guint *operations, guint n, gint64 *bytes, GError **error)
{
  gboolean good = TRUE;

  g_array_set_size (reader->types, 0);
  g_array_set_size (reader->items, 0);
  for (guint i = 0; i < n; i++)
    take_sets (reader, operations[i], operations[0] + 1);
  *bytes = 0;
  for (guint i = 0; i < reader->types->len; i++)
    {
      const guint32 type = g_array_index (reader->types, guint32, i);
      gint64 code = TSR_UNKNOWN;

      good = good && add_type (reader, type, reader->first[type], &code, error);
      tsr_variables_sum_add (bytes, code);
      reader->first[type] = 0;
    }
  return good;
}

static gboolean
add_programs (Reader *reader, guint operation, gboolean control, gboolean exchange, GError **error)
{
  const TsrOperations *self = reader->self;

  for (guint32 i = self->program_start[operation]; i < self->program_start[operation + 1]; i++)
    if ((control && !add_control (reader, self->program[i], error))
        || (exchange
            && !add_array (reader, &self->programs->program_code[self->program[i]], FALSE, error)))
      return FALSE;
  return TRUE;
}

void
tsr_operations_set_array_missing (gint64 id, GError **error)
{
  g_set_error (
      error, TSR_ERROR, TSR_ERROR_CORRUPT,
      _ ("profile.pop: tile_arrays has no usable row %" PRId64 ", which the numbers by tile need"),
      id);
}

gboolean
tsr_operations_add_code (TsrOperations *self,
                         guint operation,
                         TsrOperationByTile what,
                         TsrProfile *profile,
                         gint64 *sums,
                         GError **error)
{
  Reader reader;
  gint64 bytes;
  gboolean good;

  reader_init (&reader, self, profile, sums);
  if (what == TSR_OPERATION_BY_TILE_VERTEX)
    good = add_vertices (&reader, &operation, 1, &bytes, error);
  else
    good = add_programs (&reader, operation, what == TSR_OPERATION_BY_TILE_CONTROL,
                         what == TSR_OPERATION_BY_TILE_EXCHANGE, error);
  if (good && !reader.told)
    {
      tsr_operations_set_array_missing (reader.missing, error);
      good = FALSE;
    }
  reader_clear (&reader);
  return good;
}

static gboolean
compute_vertex_code (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *tables = self->programs;
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self->report, error);
  gint64 *total = &self->totals[TSR_OPERATION_VERTEX_CODE];
  gboolean good = TRUE;
  Reader reader;

  if (profile == NULL)
    return FALSE;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  reader_init (&reader, self, profile, NULL);
  for (guint i = 0; good && i < self->n; i++)
    good = (i % CANCEL_EVERY != 0 || !g_cancellable_set_error_if_cancelled (cancellable, error))
           && add_vertices (&reader, &i, 1, &self->figures[TSR_OPERATION_VERTEX_CODE][i], error);
  reader_clear (&reader);
  *total = 0;
  for (guint i = 0; i < tables->n_vertex_types; i++)
    tsr_variables_sum_add (total, tables->vertex_type_code[i].total);
  for (guint32 i = 0; i < tables->n_programs; i++)
    if (!tsr_programs_tells_vertices (self->graph, i))
      {
        self->figures[TSR_OPERATION_VERTEX_CODE][self->of_program[i]] = TSR_UNKNOWN;
        *total = tables->n_vertex_types == 0 ? TSR_UNKNOWN : *total;
      }
  return good;
}

static gint64
get_most (const Reader *reader, const gint64 *sums)
{
  const guint n = reader->self->n_tiles;
  gint64 most = 0;

  for (guint tile = 0; tile < n; tile++)
    most = MAX (most, sums[tile]);
  return reader->told && n > 0 ? most : TSR_UNKNOWN;
}

gboolean
tsr_operations_read_group_code (TsrOperations *self,
                                const guint *operations,
                                const guint *starts,
                                guint n_groups,
                                gint64 *vertices,
                                gint64 *worst,
                                GCancellable *cancellable,
                                GError **error)
{
  g_autoptr (TsrProfile) profile = NULL;
  g_autofree gint64 *sums = NULL;
  gboolean good = TRUE;
  Reader reader;

  g_return_val_if_fail (self != NULL && operations != NULL && starts != NULL, FALSE);
  g_return_val_if_fail (vertices != NULL && worst != NULL, FALSE);
  profile = tsr_report_open_profile (self->report, error);
  if (profile == NULL)
    return FALSE;
  sums = g_new (gint64, MAX (self->n_tiles, 1));
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  reader_init (&reader, self, profile, sums);
  for (guint g = 0; good && g < n_groups; g++)
    {
      const guint *of = operations + starts[g];
      const guint n = starts[g + 1] - starts[g];

      memset (sums, 0, self->n_tiles * sizeof *sums);
      reader.told = TRUE;
      good = !g_cancellable_set_error_if_cancelled (cancellable, error)
             && add_vertices (&reader, of, n, &vertices[g], error);
      for (guint i = 0; good && i < n; i++)
        good = add_programs (&reader, of[i], TRUE, TRUE, error);
      worst[g] = get_most (&reader, sums);
    }
  reader_clear (&reader);
  return good;
}

/* Into @worst, by operation, and behind them of all together, where a type of vertex that several
 * operations have counts once a tile. */
static gboolean
read_worst (TsrOperations *self, gint64 *worst, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self->report, error);
  g_autofree gint64 *sums = g_new (gint64, MAX (self->n_tiles, 1));
  g_autofree gint64 *all = g_new0 (gint64, MAX (self->n_tiles, 1));
  g_autofree guint *operations = g_new (guint, MAX (self->n, 1));
  gboolean good = TRUE, told = TRUE;
  gint64 bytes;
  Reader reader;

  if (profile == NULL)
    return FALSE;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  reader_init (&reader, self, profile, sums);
  for (guint i = 0; good && i < self->n; i++)
    {
      operations[i] = i;
      worst[i] = TSR_UNKNOWN;
      if (self->figures[TSR_OPERATION_CODE][i] == TSR_UNKNOWN)
        {
          told = FALSE;
          continue;
        }
      memset (sums, 0, self->n_tiles * sizeof *sums);
      reader.told = TRUE;
      good = (i % CANCEL_EVERY != 0 || !g_cancellable_set_error_if_cancelled (cancellable, error))
             && add_programs (&reader, i, TRUE, TRUE, error);
      for (guint tile = 0; tile < self->n_tiles; tile++)
        all[tile] += sums[tile];
      good = good && add_vertices (&reader, &i, 1, &bytes, error);
      worst[i] = get_most (&reader, sums);
      told = told && reader.told;
    }
  reader.sums = all;
  reader.told = told;
  memset (reader.taken, 0, self->programs->n_compute_sets * sizeof *reader.taken);
  good = good && (!told || add_vertices (&reader, operations, self->n, &bytes, error));
  worst[self->n] = get_most (&reader, all);
  reader_clear (&reader);
  return good;
}

gboolean
tsr_operations_read_worst_code (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  g_autofree gint64 *worst = NULL;
  gboolean good = TRUE;

  g_return_val_if_fail (self != NULL, FALSE);
  g_mutex_lock (&self->worst_lock);
  if (!self->worst_read)
    {
      worst = g_new (gint64, self->n + 1);
      good = self->worst_read = read_worst (self, worst, cancellable, error);
      if (good)
        {
          memcpy (self->figures[TSR_OPERATION_CODE_WORST], worst, self->n * sizeof *worst);
          self->totals[TSR_OPERATION_CODE_WORST] = worst[self->n];
        }
    }
  g_mutex_unlock (&self->worst_lock);
  return good;
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
    if (tables->program_compute_set[i - 1] != TSR_NO_INDEX)
      owner[tables->program_compute_set[i - 1]] = self->of_program[i - 1];
  for (guint set = 0; set < tables->n_compute_sets; set++)
    for (guint32 i = tables->vertex_start[set]; i < tables->vertex_start[set + 1]; i++)
      {
        const gint64 count = tables->vertex_count[i];
        const gint64 size = tables->vertex_type_size[tables->vertex_type[i]];
        gint64 bytes = TSR_UNKNOWN;

        if (count == 0)
          bytes = 0;
        else if (count != TSR_UNKNOWN && size != TSR_UNKNOWN
                 && __builtin_mul_overflow (count, size, &bytes))
          bytes = TSR_UNKNOWN;
        add (self, TSR_OPERATION_VERTEX_STATE, owner[set], bytes);
      }
  for (guint32 i = 0; i < tables->n_programs; i++)
    if (!tsr_programs_tells_vertices (self->graph, i))
      add (self, TSR_OPERATION_VERTEX_STATE, self->of_program[i], TSR_UNKNOWN);
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
  for (guint i = 0; i < self->n; i++)
    self->figures[TSR_OPERATION_CODE_WORST][i] = TSR_UNKNOWN;
  self->totals[TSR_OPERATION_CODE_WORST] = TSR_UNKNOWN;
  return TRUE;
}
