/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Program tables made by hand: rows are added one by one, links and roots sorted at the end. */

#include "config.h"

#include "hand-programs.h"

typedef struct
{
  guint32 parent, child;
} Edge;

typedef struct
{
  guint32 program, kind;
} Root;

HandPrograms *
hand_programs_new (void)
{
  HandPrograms *self = g_new0 (HandPrograms, 1);

  self->tables.strings = tsr_string_table_new ();
  self->tables.has_structure = TRUE;
  self->edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  self->roots = g_array_new (FALSE, FALSE, sizeof (Root));
  return self;
}

void
hand_programs_free (HandPrograms *self)
{
  TsrProgramTables *t = &self->tables;
  gpointer const columns[] = {
    t->program_id,
    t->program_name,
    t->program_type,
    t->program_compute_set,
    t->program_callee,
    t->program_repeat_count,
    t->program_debug_id,
    t->program_stream_copy_kind,
    t->program_code,
    t->program_control_code,
    t->program_estimated_cycles,
    t->program_data_in,
    t->program_data_out,
    t->child_start,
    t->child,
    t->compute_set_id,
    t->compute_set_name,
    t->compute_set_estimated_cycles,
    t->vertex_type_id,
    t->vertex_type_name,
    t->vertex_type_size,
    t->vertex_type_source,
    t->vertex_type_code,
    t->vertex_start,
    t->vertex_type,
    t->vertex_count,
    t->vertex_flops,
    t->root_step,
    t->root_kind,
    t->root_program,
  };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_free (columns[i]);
  tsr_string_table_free (t->strings);
  g_array_unref (self->edges);
  g_array_unref (self->roots);
  g_free (self);
}

static TsrTileArrayRef
told (gint64 value)
{
  return (TsrTileArrayRef){ TSR_UNKNOWN, value, value };
}

guint32
hand_programs_add (HandPrograms *self, const char *type, const char *name)
{
  TsrProgramTables *t = &self->tables;
  guint32 row = t->n_programs++;

#define GROW(column) t->column = g_renew (__typeof__ (*t->column), t->column, self->capacity)
  if (row >= self->capacity)
    {
      self->capacity = MAX (16, self->capacity * 2);
      GROW (program_id);
      GROW (program_name);
      GROW (program_type);
      GROW (program_compute_set);
      GROW (program_callee);
      GROW (program_repeat_count);
      GROW (program_debug_id);
      GROW (program_stream_copy_kind);
      GROW (program_code);
      GROW (program_control_code);
      GROW (program_estimated_cycles);
      GROW (program_data_in);
      GROW (program_data_out);
    }
#undef GROW
  t->program_id[row] = row;
  t->program_name[row] = tsr_string_table_intern (t->strings, name, -1);
  t->program_type[row] = tsr_string_table_intern (t->strings, type, -1);
  t->program_compute_set[row] = t->program_callee[row] = TSR_NO_INDEX;
  t->program_repeat_count[row] = t->program_debug_id[row] = TSR_UNKNOWN;
  t->program_stream_copy_kind[row] = TSR_NO_STRING;
  t->program_code[row] = t->program_control_code[row] = t->program_estimated_cycles[row]
      = t->program_data_in[row] = t->program_data_out[row] = told (0);
  return row;
}

void
hand_programs_child (HandPrograms *self, guint32 parent, guint32 child)
{
  Edge edge = { parent, child };

  g_array_append_val (self->edges, edge);
}

void
hand_programs_call (HandPrograms *self, guint32 program, guint32 callee)
{
  self->tables.program_callee[program] = callee;
}

void
hand_programs_root (HandPrograms *self, guint32 program, const char *kind)
{
  Root root = { program, tsr_string_table_intern (self->tables.strings, kind, -1) };

  g_array_append_val (self->roots, root);
}

void
hand_programs_set_code (HandPrograms *self, guint32 program, gint64 bytes)
{
  self->tables.program_code[program] = told (bytes);
}

void
hand_programs_set_estimated (HandPrograms *self, guint32 program, gint64 cycles)
{
  self->tables.program_estimated_cycles[program] = told (cycles);
}

void
hand_programs_seal (HandPrograms *self)
{
  TsrProgramTables *t = &self->tables;
  guint32 *at;

  t->child_start = g_new0 (guint32, (gsize)t->n_programs + 1);
  t->child = g_new (guint32, MAX (self->edges->len, 1));
  for (guint i = 0; i < self->edges->len; i++)
    t->child_start[g_array_index (self->edges, Edge, i).parent + 1]++;
  for (guint32 p = 0; p < t->n_programs; p++)
    t->child_start[p + 1] += t->child_start[p];
  at = g_memdup2 (t->child_start, ((gsize)t->n_programs + 1) * sizeof *at);
  for (guint i = 0; i < self->edges->len; i++)
    {
      const Edge *edge = &g_array_index (self->edges, Edge, i);

      t->child[at[edge->parent]++] = edge->child;
    }
  g_free (at);
  t->n_roots = self->roots->len;
  t->root_step = g_new (guint32, MAX (t->n_roots, 1));
  t->root_kind = g_new (guint32, MAX (t->n_roots, 1));
  t->root_program = g_new (guint32, MAX (t->n_roots, 1));
  for (guint i = 0; i < t->n_roots; i++)
    {
      t->root_step[i] = TSR_NO_INDEX;
      t->root_kind[i] = g_array_index (self->roots, Root, i).kind;
      t->root_program[i] = g_array_index (self->roots, Root, i).program;
    }
  if (t->vertex_start == NULL)
    t->vertex_start = g_new0 (guint32, 1);
}

/* Six types, and a compute set for every second program, with some of them. */
static void
add_vertices (HandPrograms *self, GRand *random)
{
  TsrProgramTables *t = &self->tables;
  guint n = 0;

  t->n_vertex_types = 6;
  t->vertex_type_code = g_new (TsrTileArrayRef, 6);
  for (guint i = 0; i < 6; i++)
    t->vertex_type_code[i] = told (g_rand_int_range (random, 0, 1000));
  t->n_compute_sets = t->n_programs;
  t->compute_set_estimated_cycles = g_new (TsrTileArrayRef, t->n_compute_sets);
  t->vertex_start = g_new0 (guint32, (gsize)t->n_compute_sets + 1);
  t->vertex_type = g_new (guint32, (gsize)t->n_compute_sets * 6);
  t->vertex_flops = g_new0 (gint64, (gsize)t->n_compute_sets * 6);
  for (guint32 p = 0; p < t->n_programs; p++)
    {
      if (g_rand_boolean (random))
        t->program_compute_set[p] = p;
      t->compute_set_estimated_cycles[p] = told (g_rand_int_range (random, 0, 100));
      for (guint i = 0; i < 6; i++)
        if (g_rand_boolean (random))
          t->vertex_type[n++] = i;
      t->vertex_start[p + 1] = n;
    }
}

HandPrograms *
hand_programs_new_random (guint seed, guint n)
{
  static const char *const types[] = { "Sequence", "Repeat", "DoExchange", "Call" };
  HandPrograms *self = hand_programs_new ();
  GRand *random = g_rand_new_with_seed (seed);

  for (guint i = 0; i < n; i++)
    {
      guint32 p = hand_programs_add (self, types[g_rand_int_range (random, 0, 4)], NULL);

      hand_programs_set_code (self, p, g_rand_int_range (random, 0, 1000));
      hand_programs_set_estimated (self, p, g_rand_int_range (random, 0, 100));
      if (g_rand_int_range (random, 0, 8) > 0)
        self->tables.program_repeat_count[p] = g_rand_int_range (random, 0, 5);
    }
  for (guint i = 0; i + 1 < n; i++)
    {
      guint edges = (guint)g_rand_int_range (random, 0, 4);

      for (guint k = 0; k < edges; k++)
        hand_programs_child (self, i, (guint32)g_rand_int_range (random, (int)i + 1, (int)n));
      if (g_rand_int_range (random, 0, 3) == 0)
        hand_programs_call (self, i, (guint32)g_rand_int_range (random, (int)i + 1, (int)n));
    }
  add_vertices (self, random);
  if (g_rand_boolean (random))
    hand_programs_root (self, 0, "control");
  hand_programs_seal (self);
  g_rand_free (random);
  return self;
}

gint64
hand_programs_get_estimated (const HandPrograms *self, guint32 program)
{
  const TsrProgramTables *t = &self->tables;
  guint32 set = t->program_compute_set[program];

  return set != TSR_NO_INDEX ? t->compute_set_estimated_cycles[set].maximum
                             : t->program_estimated_cycles[program].maximum;
}
