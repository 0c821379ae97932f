/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers liveness steps, finds equivalence classes, and fits code, vertex state and variables to
 * the sizes that a preset asks for. */

#include "config.h"

#include "tsr-gen-lower.h"

#include "tsr-gen-presets.h"

#include <string.h>

#define MIB (1024.0 * 1024.0)

/* ---- liveness steps */

static void
visit (TsrGenModel *self, TsrGenProgram *program)
{
  if (program->callee != NULL)
    {
      visit (self, program->callee);
      return;
    }
  if (program->children != NULL)
    {
      for (guint i = 0; i < program->children->len; i++)
        visit (self, g_ptr_array_index (program->children, i));
      return;
    }
  g_array_append_val (program->visits, self->steps->len);
  g_array_append_val (self->steps, program->id);
}

void
tsr_gen_number_steps (TsrGenModel *self)
{
  g_array_set_size (self->steps, 0);
  for (guint i = 0; i < self->programs->len; i++)
    g_array_set_size (((TsrGenProgram *)g_ptr_array_index (self->programs, i))->visits, 0);
  for (guint i = 0; i < self->control->len; i++)
    visit (self, g_ptr_array_index (self->control, i));
}

gboolean
tsr_gen_fill_steps (TsrGenModel *self, TsrGenProgram *tail, guint64 n)
{
  tsr_gen_number_steps (self);
  if (self->steps->len > n)
    {
      g_printerr ("tessera-make-report: %s has %u liveness steps, more than its %" G_GUINT64_FORMAT
                  "\n",
                  self->preset->name, self->steps->len, n);
      return FALSE;
    }
  for (guint64 missing = n - self->steps->len; missing > 0; missing--)
    {
      TsrGenProgram *sync = tsr_gen_program (self, missing % 4 == 0 ? "WriteUndef" : "Sync",
                                             missing % 4 == 0 ? "" : "Internal");

      tsr_gen_append (tail, sync);
    }
  tsr_gen_number_steps (self);
  return TRUE;
}

/* ---- classes */

static void
add_interval (GArray *intervals, guint32 start, guint32 end)
{
  TsrGenInterval *last
      = intervals->len == 0 ? NULL : &g_array_index (intervals, TsrGenInterval, intervals->len - 1);

  if (last != NULL && start <= last->end)
    last->end = MAX (last->end, end);
  else
    {
      const TsrGenInterval interval = { start, end };
      g_array_append_val (intervals, interval);
    }
}

static guint32
visit_of (const TsrGenProgram *program, guint i)
{
  return g_array_index (program->visits, guint32, MIN (i, program->visits->len - 1));
}

/* Intervals of @var: from each visit of @born to the matching one of @dies. */
static GArray *
intervals_of (const TsrGenModel *self, const TsrGenVar *var)
{
  GArray *intervals = g_array_new (FALSE, FALSE, sizeof (TsrGenInterval));
  const guint n = var->born == NULL ? 1 : var->born->visits->len;
  const guint n_dies = var->dies == NULL ? 0 : var->dies->visits->len;

  if (var->spans || var->born == NULL)
    {
      const guint32 start = var->born == NULL || n == 0 ? 0 : visit_of (var->born, 0);
      const guint32 end = n_dies == 0 ? self->steps->len : visit_of (var->dies, n_dies - 1) + 1;

      add_interval (intervals, start, MAX (end, start + 1));
      return intervals;
    }
  for (guint i = 0; i < n; i++)
    {
      const guint32 start = visit_of (var->born, i);
      guint32 end = n_dies == 0 ? self->steps->len : visit_of (var->dies, i) + 1;

      add_interval (intervals, start, MAX (end, start + 1));
    }
  return intervals;
}

static void
find_classes (TsrGenModel *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (
      (GHashFunc)g_bytes_hash, (GEqualFunc)g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);

  for (guint i = 0; i < self->vars->len; i++)
    {
      TsrGenVar *var = g_ptr_array_index (self->vars, i);
      g_autoptr (GArray) intervals = NULL;
      GBytes *key;
      gpointer found;

      if (var->born == NULL && var->dies == NULL)
        continue;
      intervals = intervals_of (self, var);
      key = g_bytes_new (intervals->data, intervals->len * sizeof (TsrGenInterval));
      if (g_hash_table_lookup_extended (known, key, NULL, &found))
        {
          var->class_id = GPOINTER_TO_UINT (found);
          g_bytes_unref (key);
          continue;
        }
      var->class_id = self->classes->len;
      g_hash_table_insert (known, key, GUINT_TO_POINTER (var->class_id));
      g_ptr_array_add (self->classes, g_array_ref (intervals));
    }
}

/* ---- code */

static void
add_control_code (TsrGenModel *self)
{
  GPtrArray *roots[2] = { self->control, self->functions };

  for (guint kind = 0; kind < 2; kind++)
    for (guint i = 0; i < roots[kind]->len; i++)
      {
        TsrGenProgram *root = g_ptr_array_index (roots[kind], i);
        g_autoptr (GPtrArray) todo = g_ptr_array_new ();
        g_autofree guint64 *bytes = g_new0 (guint64, self->n_ipus);

        g_ptr_array_add (todo, root);
        while (todo->len > 0)
          {
            TsrGenProgram *program = g_ptr_array_steal_index_fast (todo, todo->len - 1);

            for (guint k = 0; program->children != NULL && k < program->children->len; k++)
              g_ptr_array_add (todo, g_ptr_array_index (program->children, k));
            for (guint ipu = 0; program->children == NULL && ipu < self->n_ipus; ipu++)
              if (program->ipus >> ipu & 1)
                bytes[ipu] += program->control_bytes;
          }
        for (guint ipu = 0; ipu < self->n_ipus; ipu++)
          if (bytes[ipu] > 0)
            {
              g_autofree char *name
                  = g_strdup_printf ("%s %u", kind == 0 ? "control program" : "function", i);
              TsrGenVar *var = tsr_gen_compiler_var (self, TSR_GEN_CONTROL_CODE, name, ipu, 0,
                                                     self->tiles_per_ipu, 0, NULL, NULL);

              var->grain = 1;
              var->bytes = (double)bytes[ipu] * self->tiles_per_ipu;
            }
      }
}

static void
add_vertex_state (TsrGenModel *self, TsrGenComputeSet *set)
{
  for (guint ipu = 0; ipu < self->n_ipus; ipu++)
    {
      g_autofree guint32 *sizes = g_new0 (guint32, self->tiles_per_ipu);
      guint first = G_MAXUINT, last = 0;
      TsrGenVar *var;

      for (guint i = 0; i < set->vertices->len; i++)
        {
          const TsrGenVertices *vertices = g_ptr_array_index (set->vertices, i);

          for (guint tile = 0; tile < self->tiles_per_ipu; tile++)
            sizes[tile]
                += vertices->count[ipu * self->tiles_per_ipu + tile] * vertices->type->size_bytes;
        }
      for (guint tile = 0; tile < self->tiles_per_ipu; tile++)
        if (sizes[tile] > 0)
          {
            first = MIN (first, tile);
            last = tile;
          }
      if (first == G_MAXUINT)
        continue;
      var = tsr_gen_compiler_var (self, TSR_GEN_VERTEX_STATE, set->name, ipu, first,
                                  last - first + 1, 0, NULL, NULL);
      var->sizes = g_memdup2 (sizes + first, sizeof (guint32) * var->count);
    }
}

/* A vertex type's code lies on every tile that has an instance, once. */
static void
add_vertex_code (TsrGenModel *self, TsrGenVertexType *type)
{
  g_autofree guint8 *present = g_new0 (guint8, self->n_tiles);

  for (guint i = 0; i < self->compute_sets->len; i++)
    {
      const TsrGenComputeSet *set = g_ptr_array_index (self->compute_sets, i);

      for (guint k = 0; k < set->vertices->len; k++)
        {
          const TsrGenVertices *vertices = g_ptr_array_index (set->vertices, k);

          for (guint tile = 0; vertices->type == type && tile < self->n_tiles; tile++)
            present[tile] |= vertices->count[tile] > 0;
        }
    }
  for (guint ipu = 0; ipu < self->n_ipus; ipu++)
    {
      const guint8 *here = present + ipu * self->tiles_per_ipu;
      guint32 *sizes = g_new0 (guint32, self->tiles_per_ipu);
      gboolean any = FALSE;

      for (guint tile = 0; tile < self->tiles_per_ipu; tile++)
        if (here[tile])
          {
            sizes[tile] = MAX (4, (guint32)(type->code_bytes / 4) * 4);
            any = TRUE;
          }
      if (any)
        {
          g_autofree char *name = g_strdup_printf ("__runCodelet_%s", type->name);

          type->code[ipu] = tsr_gen_compiler_var (self, TSR_GEN_VERTEX_CODE, name, ipu, 0,
                                                  self->tiles_per_ipu, 0, NULL, NULL);
          type->code[ipu]->sizes = g_steal_pointer (&sizes);
        }
      g_free (sizes);
    }
}

/* Scales code_bytes of all types so that the category comes to the preset's size. */
static void
fit_vertex_code (TsrGenModel *self)
{
  const double target = self->preset->vertex_code * MIB;
  double sum = 0;

  if (target <= 0)
    return;
  for (guint i = 0; i < self->vertex_types->len; i++)
    {
      const TsrGenVertexType *type = g_ptr_array_index (self->vertex_types, i);

      for (guint ipu = 0; ipu < self->n_ipus; ipu++)
        for (guint tile = 0; type->code[ipu] != NULL && tile < self->tiles_per_ipu; tile++)
          sum += type->code[ipu]->sizes[tile];
    }
  for (guint i = 0; i < self->vertex_types->len; i++)
    {
      const TsrGenVertexType *type = g_ptr_array_index (self->vertex_types, i);
      const guint32 bytes = MAX (4, (guint32)(type->code_bytes * target / sum / 4 + 0.5) * 4);

      for (guint ipu = 0; ipu < self->n_ipus; ipu++)
        for (guint tile = 0; type->code[ipu] != NULL && tile < self->tiles_per_ipu; tile++)
          if (type->code[ipu]->sizes[tile] > 0)
            type->code[ipu]->sizes[tile] = bytes;
    }
}

void
tsr_gen_add_code (TsrGenModel *self)
{
  for (guint i = 0; i < self->compute_sets->len; i++)
    add_vertex_state (self, g_ptr_array_index (self->compute_sets, i));
  for (guint i = 0; i < self->vertex_types->len; i++)
    add_vertex_code (self, g_ptr_array_index (self->vertex_types, i));
  fit_vertex_code (self);
  add_control_code (self);
}

/* ---- vertices */

static guint64
count_vertices (TsrGenModel *self)
{
  guint64 n = 0;

  for (guint i = 0; i < self->vertex_types->len; i++)
    ((TsrGenVertexType *)g_ptr_array_index (self->vertex_types, i))->count = 0;
  for (guint i = 0; i < self->compute_sets->len; i++)
    {
      const TsrGenComputeSet *set = g_ptr_array_index (self->compute_sets, i);

      for (guint k = 0; k < set->vertices->len; k++)
        {
          TsrGenVertices *vertices = g_ptr_array_index (set->vertices, k);

          vertices->total = 0;
          for (guint tile = 0; tile < self->n_tiles; tile++)
            vertices->total += vertices->count[tile];
          vertices->type->count += vertices->total;
          n += vertices->total;
        }
    }
  return n;
}

/* Grows or shrinks the state of one type by a word, whichever comes nearest to the target, until
 * nothing comes nearer. */
static void
fit_vertex_sizes (TsrGenModel *self)
{
  const gint64 target = (gint64)(self->preset->vertex_state * MIB);
  gint64 sum = 0;

  if (target == 0)
    return;
  for (guint i = 0; i < self->vertex_types->len; i++)
    {
      const TsrGenVertexType *type = g_ptr_array_index (self->vertex_types, i);
      sum += type->count * type->size_bytes;
    }
  while (TRUE)
    {
      TsrGenVertexType *best = NULL;
      gint64 best_miss = ABS (sum - target), step = sum < target ? 4 : -4;

      for (guint i = 0; i < self->vertex_types->len; i++)
        {
          TsrGenVertexType *type = g_ptr_array_index (self->vertex_types, i);
          const gint64 miss = ABS (sum + step * (gint64)type->count - target);

          if (miss < best_miss && type->size_bytes + step >= 4 && type->size_bytes + step <= 48)
            {
              best = type;
              best_miss = miss;
            }
        }
      if (best == NULL)
        return;
      sum += step * (gint64)best->count;
      best->size_bytes += step;
    }
}

gboolean
tsr_gen_fit_vertices (TsrGenModel *self)
{
  const guint64 target = self->preset->n_vertices;
  guint64 n = count_vertices (self);

  if (target > 0 && n > target)
    {
      g_printerr ("tessera-make-report: %s has %" G_GUINT64_FORMAT
                  " vertices, more than its %" G_GUINT64_FORMAT "\n",
                  self->preset->name, n, target);
      return FALSE;
    }
  for (guint round = 0; n < target; round++)
    {
      const TsrGenComputeSet *set
          = g_ptr_array_index (self->compute_sets, round * 7 % self->compute_sets->len);
      TsrGenVertices *vertices = g_ptr_array_index (set->vertices, 0);

      for (guint tile = 0; n < target && tile < self->n_tiles; tile++)
        if (vertices->count[tile] > 0)
          {
            vertices->count[tile]++;
            n++;
          }
    }
  count_vertices (self);
  fit_vertex_sizes (self);
  return TRUE;
}

/* ---- sizes */

/* Slow waves over the tiles of an IPU, so that a chart of tiles is not a flat line. */
static double
tile_shape (const TsrGenModel *self, guint tile)
{
  const guint row = tile / 23 % 16;
  const double wave = row < 8 ? row / 8.0 : (16 - row) / 8.0;

  return 0.94 + 0.1 * wave + 0.04 * tsr_gen_unit (self->seed, 71, tile);
}

static void
size_var (const TsrGenModel *self, TsrGenVar *var, double factor)
{
  const guint n = var->count * var->pieces;
  const guint64 bytes = (guint64)(var->bytes * factor + 0.5);
  const guint64 grains = bytes / var->grain;
  g_autofree double *weights = NULL;
  double total = 0, sum = 0;
  guint64 given = 0;

  if (var->sizes != NULL)
    return;
  var->sizes = g_new0 (guint32, n);
  weights = g_new (double, n);
  for (guint i = 0; i < n; i++)
    {
      const guint tile = (var->first + i / var->pieces) % self->tiles_per_ipu;
      double weight = 1;

      if (var->spread > 0)
        {
          const double u = tsr_gen_unit (self->seed, 1000 + var->index, i);

          weight = (1 - var->spread + 2 * var->spread * u) * tile_shape (self, tile);
        }
      total += weights[i] = weight;
    }
  for (guint i = 0; i < n; i++)
    {
      guint64 until;

      sum += weights[i];
      until = i == n - 1 ? grains : (guint64)(grains * (sum / total) + 0.5);
      until = CLAMP (until, given, grains);
      var->sizes[i] = (until - given) * var->grain;
      given = until;
    }
  var->sizes[n - 1] += bytes - grains * var->grain;
}

/* Bytes live at each step: of what is fixed, and of what scales with the temporaries. */
static void
live_bytes (const TsrGenModel *self, double *fixed, double *scaled)
{
  const guint n = self->steps->len;

  memset (fixed, 0, sizeof (double) * (n + 1));
  memset (scaled, 0, sizeof (double) * (n + 1));
  for (guint i = 0; i < self->vars->len; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (self->vars, i);
      double *to = var->scale == TSR_GEN_SCALE_TEMPORARY ? scaled : fixed;
      const GArray *intervals;

      if (var->class_id == TSR_GEN_ALWAYS)
        continue;
      intervals = g_ptr_array_index (self->classes, var->class_id);
      for (guint k = 0; k < intervals->len; k++)
        {
          const TsrGenInterval *interval = &g_array_index (intervals, TsrGenInterval, k);

          to[interval->start] += var->bytes;
          to[interval->end] -= var->bytes;
        }
    }
  for (guint step = 1; step < n; step++)
    {
      fixed[step] += fixed[step - 1];
      scaled[step] += scaled[step - 1];
    }
}

static double
temporary_factor (const TsrGenModel *self)
{
  const double target = self->preset->peak * MIB;
  const guint n = self->steps->len;
  g_autofree double *fixed = NULL, *scaled = NULL;
  double low = 0, high = 1000;

  if (target <= 0)
    return 1;
  fixed = g_new (double, n + 1);
  scaled = g_new (double, n + 1);
  live_bytes (self, fixed, scaled);
  for (guint round = 0; round < 60; round++)
    {
      const double factor = (low + high) / 2;
      double peak = 0;

      for (guint step = 0; step < n; step++)
        peak = MAX (peak, fixed[step] + factor * scaled[step]);
      if (peak > target)
        high = factor;
      else
        low = factor;
    }
  return low;
}

static void
find_factors (const TsrGenModel *self, double *factors)
{
  const TsrGenPreset *preset = self->preset;
  const double targets[TSR_GEN_N_SCALES] = {
    [TSR_GEN_SCALE_INTERNAL_EXCHANGE] = preset->internal_exchange,
    [TSR_GEN_SCALE_HOST_EXCHANGE] = preset->host_exchange,
    [TSR_GEN_SCALE_GLOBAL_EXCHANGE] = preset->global_exchange,
    [TSR_GEN_SCALE_HOST_HEADER] = preset->host_header,
    [TSR_GEN_SCALE_VERTEX_FIELD] = preset->vertex_field,
  };
  double sums[TSR_GEN_N_SCALES] = { 0 }, others = 0;

  for (guint i = 0; i < self->vars->len; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (self->vars, i);

      if (var->scale >= 0)
        sums[var->scale] += var->bytes;
    }
  for (guint i = 0; i < TSR_GEN_N_SCALES; i++)
    factors[i] = targets[i] > 0 && sums[i] > 0 ? targets[i] * MIB / sums[i] : 1;
  factors[TSR_GEN_SCALE_TEMPORARY] = temporary_factor (self);
  if (preset->always_live <= 0 || sums[TSR_GEN_SCALE_CONSTANT] <= 0)
    return;
  for (guint i = 0; i < self->vars->len; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (self->vars, i);

      if (var->class_id != TSR_GEN_ALWAYS || var->scale == TSR_GEN_SCALE_CONSTANT)
        continue;
      if (var->sizes == NULL)
        others += var->bytes * (var->scale >= 0 ? factors[var->scale] : 1);
      else
        for (guint k = 0; k < var->count * var->pieces; k++)
          others += var->sizes[k];
    }
  factors[TSR_GEN_SCALE_CONSTANT]
      = MAX (preset->always_live * MIB - others, 0) / sums[TSR_GEN_SCALE_CONSTANT];
}

static guint64
count_rows (const TsrGenModel *self)
{
  guint64 rows = 0;

  for (guint i = 0; i < self->vars->len; i++)
    {
      const TsrGenVar *var = g_ptr_array_index (self->vars, i);

      for (guint k = 0; k < var->count * var->pieces; k++)
        rows += var->sizes[k] > 0;
    }
  return rows;
}

/* Small descriptors on every tile until there are as many rows as the preset wants. */
static gboolean
fill_rows (TsrGenModel *self)
{
  const guint64 target = self->preset->n_rows;
  guint64 rows = count_rows (self);

  if (target > 0 && rows > target)
    {
      g_printerr ("tessera-make-report: %s has %" G_GUINT64_FORMAT
                  " lowered variables, more than its %" G_GUINT64_FORMAT "\n",
                  self->preset->name, rows, target);
      return FALSE;
    }
  for (guint n = 0; rows < target; n++)
    {
      const guint count = MIN (self->tiles_per_ipu, target - rows);
      g_autofree char *name = g_strdup_printf ("vectorList#%u", n);
      TsrGenVar *var = tsr_gen_compiler_var (self, TSR_GEN_VECTOR_LIST, name, n % self->n_ipus, 0,
                                             count, 4.0 * count, NULL, NULL);

      size_var (self, var, 1);
      rows += count;
    }
  return TRUE;
}

void
tsr_gen_add_up (TsrGenModel *self)
{
  self->n_rows = count_rows (self);
  for (guint i = 0; i < self->vars->len; i++)
    {
      TsrGenVar *var = g_ptr_array_index (self->vars, i);
      guint64 bytes = 0;
      gpointer found;

      for (guint k = 0; k < var->count * var->pieces; k++)
        bytes += var->sizes[k];
      var->offsets = g_new0 (guint32, var->count * var->pieces);
      var->variable->size += bytes;
      var->variable->by_ipu[var->ipu] += bytes;
      self->allocated[var->category] += bytes;
      if (!g_hash_table_lookup_extended (self->string_ids, var->name, NULL, &found))
        {
          found = GUINT_TO_POINTER (self->strings->len);
          g_ptr_array_add (self->strings, g_strdup (var->name));
          g_hash_table_insert (self->string_ids,
                               g_ptr_array_index (self->strings, self->strings->len - 1), found);
        }
      var->string = GPOINTER_TO_UINT (found);
    }
}

gboolean
tsr_gen_lower (TsrGenModel *self)
{
  double factors[TSR_GEN_N_SCALES];

  find_classes (self);
  find_factors (self, factors);
  for (guint i = 0; i < self->vars->len; i++)
    {
      TsrGenVar *var = g_ptr_array_index (self->vars, i);

      size_var (self, var, var->scale >= 0 ? factors[var->scale] : 1);
    }
  return fill_rows (self);
}
