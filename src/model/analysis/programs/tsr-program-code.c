/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code on single tiles, by the arrays of programs and of vertex types.  Control code of a program
 * has its children's in it, so what a program has by itself is its array minus those of its
 * children. */

#include "config.h"

#include "tsr-program-code.h"

struct _TsrProgramCode
{
  gatomicrefcount refs;
  TsrPrograms *programs;
  guint tile;
  gint64 *own, *total; /* by program; own: without vertices */
  gint64 *types;       /* by vertex type */
};

static gint64
add (gint64 a, gint64 b, int sign)
{
  return a == TSR_UNKNOWN || b == TSR_UNKNOWN ? TSR_UNKNOWN : a + sign * b;
}

static gboolean
is_told (const TsrTileArrayRef *ref)
{
  return ref->id != TSR_UNKNOWN || ref->total != TSR_UNKNOWN;
}

/* The children of @program, callees left out, each once. */
static void
find_children (const TsrPrograms *programs, guint32 program, GArray *children)
{
  const TsrProgramTables *t = tsr_programs_get_tables (programs);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint32 first, end;

  g_array_set_size (children, 0);
  tsr_programs_get_edges (programs, program, &first, &end);
  if (t->program_callee[program] != TSR_NO_INDEX)
    end--;
  for (guint32 e = first; e < end; e++)
    {
      guint32 child = tsr_programs_get_child (programs, e);

      if (!tsr_programs_is_cut (programs, e) && g_hash_table_add (seen, GUINT_TO_POINTER (child)))
        g_array_append_val (children, child);
    }
}

/* ---------------------------------------------------------------- one tile */

static gboolean
read_own (TsrProgramCode *self, TsrArrayReader *reader, GError **error)
{
  const TsrProgramTables *t = tsr_programs_get_tables (self->programs);
  g_autofree gint64 *control = g_new (gint64, MAX (t->n_programs, 1));
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64 maximum;

  for (guint32 p = 0; p < t->n_programs; p++)
    {
      control[p] = 0;
      if (is_told (&t->program_control_code[p])
          && !tsr_array_reader_get (reader, t->program_control_code[p], &control[p], &maximum,
                                    error))
        return FALSE;
    }
  for (guint32 p = 0; p < t->n_programs; p++)
    {
      gint64 exchange
          = tsr_programs_get (self->programs, p, TSR_PROGRAM_EXCHANGE_SELF); /* 0: has none */

      if (is_told (&t->program_code[p])
          && !tsr_array_reader_get (reader, t->program_code[p], &exchange, &maximum, error))
        return FALSE;
      self->own[p] = TSR_UNKNOWN;
      if (tsr_programs_get (self->programs, p, TSR_PROGRAM_CONTROL_SELF) == TSR_UNKNOWN
          || !tsr_programs_tells_vertices (self->programs, p))
        continue;
      self->own[p] = add (control[p], exchange, 1);
      if (!is_told (&t->program_control_code[p]))
        continue;
      find_children (self->programs, p, children);
      for (guint i = 0; i < children->len; i++)
        self->own[p] = add (self->own[p], control[g_array_index (children, guint32, i)], -1);
    }
  return TRUE;
}

TsrProgramCode *
tsr_program_code_new (TsrPrograms *programs,
                      TsrVertices *vertices,
                      guint tile,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TsrProgramCode) self = NULL;
  const TsrProgramTables *t;
  TsrArrayReader *reader;
  gint64 maximum;
  gboolean ok;

  g_return_val_if_fail (programs != NULL && vertices != NULL, NULL);
  t = tsr_programs_get_tables (programs);
  self = g_new0 (TsrProgramCode, 1);
  g_atomic_ref_count_init (&self->refs);
  self->programs = tsr_programs_ref (programs);
  self->tile = tile;
  self->own = g_new (gint64, MAX (t->n_programs, 1));
  self->types = g_new (gint64, MAX (t->n_vertex_types, 1));
  reader = tsr_array_reader_new (vertices, &self->tile, 1, cancellable);
  ok = read_own (self, reader, error);
  for (guint i = 0; ok && i < t->n_vertex_types; i++)
    ok = tsr_array_reader_get (reader, t->vertex_type_code[i], &self->types[i], &maximum, error);
  tsr_array_reader_free (reader);
  if (!ok)
    return NULL;
  self->total = tsr_programs_sum_once (programs, self->own, self->types, cancellable, error);
  return self->total != NULL ? g_steal_pointer (&self) : NULL;
}

TsrProgramCode *
tsr_program_code_ref (TsrProgramCode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_program_code_unref (TsrProgramCode *self)
{
  g_return_if_fail (self != NULL);
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  tsr_programs_unref (self->programs);
  g_free (self->own);
  g_free (self->total);
  g_free (self->types);
  g_free (self);
}

gint64
tsr_program_code_get_self (const TsrProgramCode *self, guint32 program)
{
  const TsrProgramTables *t;
  gint64 sum;
  guint32 set;

  g_return_val_if_fail (self != NULL && program < tsr_programs_get_n (self->programs), TSR_UNKNOWN);
  t = tsr_programs_get_tables (self->programs);
  sum = self->own[program];
  set = t->program_compute_set[program];
  if (set == TSR_NO_INDEX)
    return sum;
  for (guint32 i = t->vertex_start[set]; i < t->vertex_start[set + 1]; i++)
    sum = add (sum, self->types[t->vertex_type[i]], 1);
  return sum;
}

gint64
tsr_program_code_get_own (const TsrProgramCode *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < tsr_programs_get_n (self->programs), TSR_UNKNOWN);
  return self->own[program];
}

gint64
tsr_program_code_get_type (const TsrProgramCode *self, guint32 type)
{
  g_return_val_if_fail (self != NULL, TSR_UNKNOWN);
  g_return_val_if_fail (type < tsr_programs_get_tables (self->programs)->n_vertex_types,
                        TSR_UNKNOWN);
  return self->types[type];
}

gint64
tsr_program_code_get_total (const TsrProgramCode *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < tsr_programs_get_n (self->programs), TSR_UNKNOWN);
  return self->total[program];
}

guint
tsr_program_code_find_worst_tile (TsrMemory *memory)
{
  const gint64 *bytes;
  guint worst = 0;

  g_return_val_if_fail (memory != NULL, 0);
  bytes = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  for (guint tile = 1; bytes != NULL && tile < tsr_memory_get_n_tiles (memory); tile++)
    if (bytes[tile] > bytes[worst])
      worst = tile;
  return worst;
}

/* --------------------------------------------------------------- all tiles */

typedef struct
{
  TsrArrayReader *reader;
  gint64 *sums;
  guint n_tiles;
} Adding;

static gboolean
add_array (Adding *adding, const TsrTileArrayRef *ref, int sign, GError **error)
{
  g_autofree gint64 *values = NULL;

  if (!is_told (ref))
    return TRUE;
  values = tsr_array_reader_dup (adding->reader, *ref, error);
  for (guint i = 0; values != NULL && i < adding->n_tiles; i++)
    adding->sums[i] = add (adding->sums[i], values[i], sign);
  return values != NULL;
}

static gboolean
add_control (Adding *adding, TsrPrograms *programs, guint32 program, GError **error)
{
  const TsrProgramTables *t = tsr_programs_get_tables (programs);
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (!is_told (&t->program_control_code[program]))
    return TRUE;
  find_children (programs, program, children);
  if (!add_array (adding, &t->program_control_code[program], 1, error))
    return FALSE;
  for (guint i = 0; i < children->len; i++)
    if (!add_array (adding, &t->program_control_code[g_array_index (children, guint32, i)], -1,
                    error))
      return FALSE;
  return TRUE;
}

static gboolean
add_vertices (Adding *adding, TsrPrograms *programs, GArray *of, GError **error)
{
  const TsrProgramTables *t = tsr_programs_get_tables (programs);
  g_autofree guint8 *used = g_new0 (guint8, MAX (t->n_vertex_types, 1));
  gboolean told = TRUE;

  for (guint i = 0; i < of->len && told; i++)
    told = tsr_programs_tells_vertices (programs, g_array_index (of, guint32, i));
  for (guint tile = 0; tile < adding->n_tiles && !told; tile++)
    adding->sums[tile] = TSR_UNKNOWN;
  for (guint i = 0; i < of->len && told; i++)
    {
      guint32 set = t->program_compute_set[g_array_index (of, guint32, i)];

      if (set == TSR_NO_INDEX)
        continue;
      for (guint32 k = t->vertex_start[set]; k < t->vertex_start[set + 1]; k++)
        used[t->vertex_type[k]] = 1;
    }
  for (guint i = 0; i < t->n_vertex_types; i++)
    if (used[i] && !add_array (adding, &t->vertex_type_code[i], 1, error))
      return FALSE;
  return TRUE;
}

/* The array of @program that has @figure, neither of its parts nor of what is below it. */
static const TsrTileArrayRef *
get_array (const TsrProgramTables *t, guint32 program, TsrTileFigure figure)
{
  return figure == TSR_CODE_EXCHANGE   ? &t->program_code[program]
         : figure == TSR_TILE_RECEIVED ? &t->program_data_in[program]
         : figure == TSR_TILE_SENT     ? &t->program_data_out[program]
                                       : tsr_program_tables_get_estimate (t, program);
}

gint64 *
tsr_programs_dup_by_tile (TsrPrograms *programs,
                          TsrVertices *vertices,
                          guint32 program,
                          TsrTileFigure figure,
                          gboolean below,
                          GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (GArray) of = NULL;
  g_autofree gint64 *sums = NULL;
  const TsrProgramTables *t;
  Adding adding;
  gboolean ok = TRUE;

  g_return_val_if_fail (programs != NULL && vertices != NULL, NULL);
  g_return_val_if_fail (program < tsr_programs_get_n (programs) && figure < TSR_N_TILE_FIGURES,
                        NULL);
  t = tsr_programs_get_tables (programs);
  of = below ? tsr_programs_find_below (programs, program)
             : g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!below)
    g_array_append_val (of, program);
  adding.n_tiles = tsr_memory_get_n_tiles (tsr_vertices_get_memory (vertices));
  adding.sums = sums = g_new0 (gint64, MAX (adding.n_tiles, 1));
  adding.reader = tsr_array_reader_new (vertices, NULL, 0, cancellable);
  if (figure == TSR_CODE_VERTEX)
    ok = add_vertices (&adding, programs, of, error);
  for (guint i = 0; ok && figure != TSR_CODE_VERTEX && i < of->len; i++)
    {
      guint32 p = g_array_index (of, guint32, i);

      ok = figure == TSR_CODE_CONTROL ? add_control (&adding, programs, p, error)
                                      : add_array (&adding, get_array (t, p, figure), 1, error);
    }
  tsr_array_reader_free (adding.reader);
  return ok ? g_steal_pointer (&sums) : NULL;
}
