/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builds and frees the parts of the program that a report describes. */

#include "config.h"

#include "tsr-gen-model.h"

#include "tsr-gen-presets.h"

#include <string.h>

static const struct
{
  const char *name;
  gboolean code;
} categories[TSR_GEN_N_CATEGORIES] = {
  [TSR_GEN_VARIABLE] = { "variable", FALSE },
  [TSR_GEN_CONSTANT] = { "constant", FALSE },
  [TSR_GEN_MESSAGE] = { "message", FALSE },
  [TSR_GEN_CONTROL_CODE] = { "controlCode", TRUE },
  [TSR_GEN_CONTROL_ID] = { "controlId", FALSE },
  [TSR_GEN_VERTEX_CODE] = { "vertexCode", TRUE },
  [TSR_GEN_VERTEX_STATE] = { "vertexInstanceState", FALSE },
  [TSR_GEN_VERTEX_FIELD] = { "vertexFieldData", FALSE },
  [TSR_GEN_VECTOR_LIST] = { "vectorListDescriptor", FALSE },
  [TSR_GEN_COPY_DESCRIPTOR] = { "copyDescriptor", FALSE },
  [TSR_GEN_INTERNAL_EXCHANGE] = { "internalExchangeCode", TRUE },
  [TSR_GEN_HOST_EXCHANGE] = { "hostExchangeCode", TRUE },
  [TSR_GEN_GLOBAL_EXCHANGE] = { "globalExchangeCode", TRUE },
  [TSR_GEN_HOST_HEADER] = { "hostExchangePacketHeader", FALSE },
  [TSR_GEN_GLOBAL_HEADER] = { "globalExchangePacketHeader", FALSE },
  [TSR_GEN_INSTRUMENTATION] = { "instrumentationResults", FALSE },
  [TSR_GEN_STACK] = { "stack", FALSE },
  [TSR_GEN_SHARED_DATA] = { "sharedDataStorage", FALSE },
};

const char *
tsr_gen_category_name (guint category)
{
  g_return_val_if_fail (category < TSR_GEN_N_CATEGORIES, NULL);
  return categories[category].name;
}

gboolean
tsr_gen_category_is_code (guint category)
{
  g_return_val_if_fail (category < TSR_GEN_N_CATEGORIES, FALSE);
  return categories[category].code;
}

static void
var_free (gpointer data)
{
  TsrGenVar *var = data;

  g_free (var->name);
  g_free (var->sizes);
  g_free (var->offsets);
  g_free (var);
}

static void
variable_free (gpointer data)
{
  TsrGenVariable *variable = data;

  g_free (variable->name);
  g_array_unref (variable->dims);
  g_free (variable->by_ipu);
  g_free (variable);
}

static void
program_free (gpointer data)
{
  TsrGenProgram *program = data;

  g_free (program->name);
  g_clear_pointer (&program->children, g_ptr_array_unref);
  g_array_unref (program->links);
  g_array_unref (program->visits);
  g_free (program->code);
  g_free (program->clocks);
  g_free (program);
}

static void
vertex_type_free (gpointer data)
{
  TsrGenVertexType *type = data;

  g_free (type->name);
  g_free (type->code);
  g_free (type);
}

static void
vertices_free (gpointer data)
{
  TsrGenVertices *vertices = data;

  g_free (vertices->count);
  g_free (vertices);
}

static void
compute_set_free (gpointer data)
{
  TsrGenComputeSet *set = data;

  g_free (set->name);
  g_ptr_array_unref (set->vertices);
  g_free (set);
}

static void
context_free (gpointer data)
{
  TsrGenContext *context = data;

  g_free (context->name);
  g_free (context->file);
  g_free (context->function);
  g_array_unref (context->pairs);
  g_free (context);
}

static void
pair_clear (gpointer data)
{
  g_variant_unref (((TsrGenPair *)data)->value);
}

static void
run_free (gpointer data)
{
  TsrGenRun *run = data;

  g_free (run->name);
  g_ptr_array_unref (run->programs);
  g_free (run);
}

TsrGenModel *
tsr_gen_model_new (const TsrGenPreset *preset, guint64 seed)
{
  TsrGenModel *self = g_new0 (TsrGenModel, 1);

  self->preset = preset;
  self->seed = tsr_gen_mix (seed);
  self->n_ipus = preset->ipus_per_replica;
  self->tiles_per_ipu = preset->tiles_per_ipu;
  self->n_tiles = self->n_ipus * self->tiles_per_ipu;
  self->programs = g_ptr_array_new_with_free_func (program_free);
  self->control = g_ptr_array_new ();
  self->functions = g_ptr_array_new ();
  self->compute_sets = g_ptr_array_new_with_free_func (compute_set_free);
  self->vertex_types = g_ptr_array_new_with_free_func (vertex_type_free);
  self->variables = g_ptr_array_new_with_free_func (variable_free);
  self->vars = g_ptr_array_new_with_free_func (var_free);
  self->contexts = g_ptr_array_new_with_free_func (context_free);
  self->runs = g_ptr_array_new_with_free_func (run_free);
  self->strings = g_ptr_array_new_with_free_func (g_free);
  self->string_ids = g_hash_table_new (g_str_hash, g_str_equal);
  self->temporaries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->classes = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  self->tiles = g_new0 (TsrGenTile, self->n_tiles);
  return self;
}

void
tsr_gen_model_free (TsrGenModel *self)
{
  g_ptr_array_unref (self->programs);
  g_ptr_array_unref (self->control);
  g_ptr_array_unref (self->functions);
  g_ptr_array_unref (self->compute_sets);
  g_ptr_array_unref (self->vertex_types);
  g_ptr_array_unref (self->variables);
  g_ptr_array_unref (self->vars);
  g_ptr_array_unref (self->contexts);
  g_ptr_array_unref (self->runs);
  g_hash_table_unref (self->string_ids);
  g_ptr_array_unref (self->strings);
  g_hash_table_unref (self->temporaries);
  g_array_unref (self->steps);
  g_ptr_array_unref (self->classes);
  g_free (self->live);
  if (self->live_by_ipu != NULL)
    for (guint i = 0; i < self->n_ipus; i++)
      g_free (self->live_by_ipu[i]);
  g_free (self->live_by_ipu);
  g_free (self->tiles);
  g_free (self);
}

TsrGenProgram *
tsr_gen_program (TsrGenModel *self, const char *type, const char *name)
{
  TsrGenProgram *program = g_new0 (TsrGenProgram, 1);

  program->id = self->programs->len;
  program->name = g_strdup (name);
  program->type = type;
  program->balance = 1;
  program->count = self->tiles_per_ipu;
  program->ipus = self->n_ipus == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << self->n_ipus) - 1;
  program->links = g_array_new (FALSE, TRUE, sizeof (TsrGenLink));
  program->visits = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_ptr_array_add (self->programs, program);
  return program;
}

void
tsr_gen_append (TsrGenProgram *parent, TsrGenProgram *child)
{
  if (parent->children == NULL)
    parent->children = g_ptr_array_new ();
  g_ptr_array_add (parent->children, child);
}

TsrGenProgram *
tsr_gen_sequence (TsrGenModel *self, TsrGenProgram *parent, const char *type, const char *name)
{
  TsrGenProgram *program = tsr_gen_program (self, type, name);

  program->children = g_ptr_array_new ();
  if (parent != NULL)
    tsr_gen_append (parent, program);
  return program;
}

TsrGenProgram *
tsr_gen_call (TsrGenModel *self, TsrGenProgram *parent, TsrGenProgram *callee)
{
  TsrGenProgram *program = tsr_gen_program (self, "Call", callee->name);

  program->callee = callee;
  program->control_bytes = 4;
  tsr_gen_append (parent, program);
  return program;
}

void
tsr_gen_link (TsrGenProgram *self, guint role, TsrGenVariable *variable, double share)
{
  const TsrGenLink link = { role, variable, share };

  if (variable == NULL)
    return;
  for (guint i = 0; i < self->links->len; i++)
    {
      const TsrGenLink *other = &g_array_index (self->links, TsrGenLink, i);

      if (other->role == role && other->variable == variable)
        return;
    }
  g_array_append_val (self->links, link);
}

TsrGenVertexType *
tsr_gen_vertex_type (TsrGenModel *self, const char *name, guint size_bytes, double code_bytes)
{
  TsrGenVertexType *type;

  for (guint i = 0; i < self->vertex_types->len; i++)
    {
      type = g_ptr_array_index (self->vertex_types, i);
      if (g_str_equal (type->name, name))
        return type;
    }
  type = g_new0 (TsrGenVertexType, 1);
  type->id = self->vertex_types->len;
  type->name = g_strdup (name);
  type->size_bytes = size_bytes;
  type->code_bytes = code_bytes;
  type->assembly = strstr (name, "poplin::") != NULL || strstr (name, "ScaledAdd") != NULL;
  type->code = g_new0 (TsrGenVar *, self->n_ipus);
  g_ptr_array_add (self->vertex_types, type);
  return type;
}

TsrGenComputeSet *
tsr_gen_compute_set (TsrGenModel *self, TsrGenProgram *program)
{
  TsrGenComputeSet *set = g_new0 (TsrGenComputeSet, 1);

  set->id = self->compute_sets->len;
  set->name = g_strdup (program->name);
  set->program = program;
  set->vertices = g_ptr_array_new_with_free_func (vertices_free);
  program->compute_set = set;
  g_ptr_array_add (self->compute_sets, set);
  return set;
}

TsrGenVertices *
tsr_gen_vertices (TsrGenModel *self, TsrGenComputeSet *set, TsrGenVertexType *type, double flops)
{
  TsrGenVertices *vertices = g_new0 (TsrGenVertices, 1);

  vertices->type = type;
  vertices->flops = flops;
  vertices->count = g_new0 (guint16, self->n_tiles);
  g_ptr_array_add (set->vertices, vertices);
  return vertices;
}

TsrGenVariable *
tsr_gen_variable (TsrGenModel *self,
                  const char *name,
                  guint category,
                  const char *element_type,
                  guint element_bytes)
{
  TsrGenVariable *variable = g_new0 (TsrGenVariable, 1);

  variable->id = self->variables->len;
  variable->name = g_strdup (name);
  variable->category = category;
  variable->element_type = element_type;
  variable->element_bytes = element_bytes;
  variable->dims = g_array_new (FALSE, FALSE, sizeof (guint32));
  variable->by_ipu = g_new0 (guint64, self->n_ipus);
  g_ptr_array_add (self->variables, variable);
  return variable;
}

void
tsr_gen_variable_shape (TsrGenVariable *self, guint n, const guint32 *dims)
{
  g_array_set_size (self->dims, 0);
  g_array_append_vals (self->dims, dims, n);
}

guint64
tsr_gen_variable_elements (const TsrGenVariable *self)
{
  guint64 n = 1;

  for (guint i = 0; i < self->dims->len; i++)
    n *= g_array_index (self->dims, guint32, i);
  return n;
}

TsrGenVar *
tsr_gen_var (TsrGenModel *self,
             TsrGenVariable *variable,
             const char *name,
             guint ipu,
             guint first,
             guint count,
             double bytes)
{
  TsrGenVar *var = g_new0 (TsrGenVar, 1);

  g_assert (ipu < self->n_ipus && count <= self->tiles_per_ipu && first < self->tiles_per_ipu);
  var->index = self->vars->len;
  var->name = g_strdup (name);
  var->variable = variable;
  var->category = variable->category;
  var->ipu = ipu;
  var->first = first;
  var->count = count;
  var->pieces = 1;
  var->bytes = bytes;
  var->scale = -1;
  var->grain = MAX (variable->element_bytes, 1);
  var->alignment = tsr_gen_category_is_code (variable->category) ? 4 : 8;
  var->class_id = TSR_GEN_ALWAYS;
  g_ptr_array_add (self->vars, var);
  return var;
}

TsrGenVar *
tsr_gen_compiler_var (TsrGenModel *self,
                      guint category,
                      const char *name,
                      guint ipu,
                      guint first,
                      guint count,
                      double bytes,
                      TsrGenProgram *born,
                      TsrGenProgram *dies)
{
  TsrGenVariable *variable;
  TsrGenVar *var;

  if (born == NULL && dies == NULL)
    {
      if (self->pseudo[category] == NULL)
        {
          self->pseudo[category]
              = tsr_gen_variable (self, tsr_gen_category_name (category), category, NULL, 0);
          self->pseudo[category]->always_live = TRUE;
        }
      variable = self->pseudo[category];
    }
  else
    {
      const char *hash = strchr (name, '#');
      g_autofree char *base = hash == NULL ? g_strdup (name) : g_strndup (name, hash - name);

      variable = g_hash_table_lookup (self->temporaries, base);
      if (variable == NULL)
        {
          variable = tsr_gen_variable (self, base, category, "unsigned char", 1);
          g_hash_table_insert (self->temporaries, g_strdup (base), variable);
        }
    }
  var = tsr_gen_var (self, variable, name, ipu, first, count, bytes);
  var->compiler_made = TRUE;
  var->category = category;
  var->grain = 4;
  var->alignment = tsr_gen_category_is_code (category) ? 4 : 8;
  var->born = born;
  var->dies = dies;
  return var;
}

guint64
tsr_gen_context_id (guint64 n)
{
  /* An odd factor is a bijection on 63 bits: ids are spread out and never twice the same. */
  return (n * G_GUINT64_CONSTANT (0x5851f42d4c957f2d)) & G_GUINT64_CONSTANT (0x7fffffffffffffff);
}

guint64
tsr_gen_context (TsrGenModel *self, guint64 parent, const char *layer, const char *name)
{
  TsrGenContext *context = g_new0 (TsrGenContext, 1);

  context->id = tsr_gen_context_id (++self->next_context);
  context->pairs = g_array_new (FALSE, FALSE, sizeof (TsrGenPair));
  g_array_set_clear_func (context->pairs, pair_clear);
  context->parent = parent;
  context->layer = layer;
  context->name = g_strdup (name);
  g_ptr_array_add (self->contexts, context);
  return context->id;
}

guint64
tsr_gen_poplibs (TsrGenModel *self, guint64 parent, const char *name, const char *api)
{
  const guint64 id = tsr_gen_context (self, parent, "poplibs", name);

  tsr_gen_context_pair (tsr_gen_context_last (self), "api", api);
  return id;
}

void
tsr_gen_own (TsrGenModel *self, TsrGenVariable *variable, guint64 parent)
{
  if (variable->debug_id == 0)
    variable->debug_id = tsr_gen_context (self, parent, "poplar", variable->name);
}

TsrGenContext *
tsr_gen_context_last (TsrGenModel *self)
{
  return g_ptr_array_index (self->contexts, self->contexts->len - 1);
}

void
tsr_gen_context_value (TsrGenContext *self, const char *key, GVariant *value)
{
  const TsrGenPair pair = { key, g_variant_ref_sink (value) };

  g_array_append_val (self->pairs, pair);
}

void
tsr_gen_context_pair (TsrGenContext *self, const char *key, const char *value)
{
  tsr_gen_context_value (self, key, g_variant_new_string (value));
}

gboolean
tsr_gen_program_has_tile (const TsrGenModel *self, const TsrGenProgram *program, guint tile)
{
  return (tile + self->tiles_per_ipu - program->first) % self->tiles_per_ipu < program->count;
}

void
tsr_gen_find_vars (const TsrGenModel *self, guint tile, GPtrArray **vars)
{
  if (tile % self->tiles_per_ipu != 0)
    return;
  g_clear_pointer (vars, g_ptr_array_unref);
  *vars = g_ptr_array_new ();
  for (guint i = 0; i < self->vars->len; i++)
    {
      TsrGenVar *var = g_ptr_array_index (self->vars, i);

      if (var->ipu == tile / self->tiles_per_ipu)
        g_ptr_array_add (*vars, var);
    }
}

gint64
tsr_gen_var_slot (const TsrGenModel *self, const TsrGenVar *var, guint local_tile)
{
  const guint at = (local_tile + self->tiles_per_ipu - var->first) % self->tiles_per_ipu;

  return at < var->count ? (gint64)at * var->pieces : -1;
}

guint32
tsr_gen_var_tile_bytes (const TsrGenModel *self, const TsrGenVar *var, guint local_tile)
{
  const gint64 slot = tsr_gen_var_slot (self, var, local_tile);
  guint32 sum = 0;

  for (guint i = 0; slot >= 0 && i < var->pieces; i++)
    sum += var->sizes[slot + i];
  return sum;
}
