/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the records of operations say: their API, and the tensors that they name as inputs and
 * outputs; they are read once, when somebody first asks.  And producers and consumers: edges from
 * those tensors, and from program_variables, which every layer has. */

#include "config.h"

#include "tsr-operations-private.h"

#include <string.h>

static void
clear_declared (TsrOperations *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      if (self->input_names != NULL)
        g_clear_pointer (&self->input_names[i], g_ptr_array_unref);
      if (self->output_names != NULL)
        g_clear_pointer (&self->output_names[i], g_ptr_array_unref);
    }
  g_clear_pointer (&self->apis, g_free);
  g_clear_pointer (&self->input_names, g_free);
  g_clear_pointer (&self->output_names, g_free);
  g_clear_pointer (&self->outputs, g_hash_table_unref);
  g_clear_pointer (&self->inputs, g_hash_table_unref);
  g_clear_pointer (&self->variable_of, g_hash_table_unref);
  g_clear_pointer (&self->names, g_string_chunk_free);
}

void
tsr_operations_clear_edges (TsrOperations *self)
{
  clear_declared (self);
  g_free (self->links.start);
  g_free (self->links.operation);
  g_free (self->links.role);
}

/* ---- what contexts declare */

static void
declare (
    TsrOperations *self, GHashTable *table, GPtrArray **list, const char *name, guint32 operation)
{
  const char *kept = g_string_chunk_insert_const (self->names, name);
  GArray *operations = g_hash_table_lookup (table, kept);

  if (operations == NULL)
    {
      operations = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (table, (gpointer)kept, operations);
    }
  /* A record is taken at once, so a second mention is next to the first. */
  if (operations->len > 0 && g_array_index (operations, guint32, operations->len - 1) == operation)
    return;
  g_array_append_val (operations, operation);
  if (*list == NULL)
    *list = g_ptr_array_new ();
  g_ptr_array_add (*list, (gpointer)kept);
}

static const char *
find_text (const TsrJson *record, const char *key)
{
  for (guint i = 0; i < tsr_json_get_n_children (record); i++)
    {
      const TsrJson *child = tsr_json_get_child (record, i);

      if (g_strcmp0 (tsr_json_get_key (child), key) == 0
          && tsr_json_get_kind (child) == TSR_JSON_STRING)
        return tsr_json_get_text (child);
    }
  return NULL;
}

/* What was called, by the words of the layers. */
static const char *
find_api (TsrOperations *self, const TsrJson *record)
{
  static const char *const keys[]
      = { "api", "opid", "opType", "op_type", "opcode", "class", "category" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *text = find_text (record, keys[i]);

      if (text != NULL && *text != '\0')
        {
          /* "ai.onnx.Conv:11": without the version. */
          g_autofree char *api = g_str_equal (keys[i], "opid")
                                     ? g_strndup (text, strcspn (text, ":"))
                                     : g_strdup (text);

          return g_string_chunk_insert_const (self->names, api);
        }
    }
  return NULL;
}

/* An instruction of HLO writes one value, which has its name. */
static void
declare_record (TsrOperations *self, guint32 operation, const TsrJson *record)
{
  const char *hlo = find_text (record, "hlo_name");

  self->apis[operation] = find_api (self, record);
  if (g_str_equal (self->layer,
                   "poplibs")) /* its tensors have names that others do not know: "in", "0" */
    return;
  for (guint output = 0; output < 2; output++)
    {
      g_auto (GStrv) names = tsr_debug_record_dup_tensors (record, output == 1);

      for (guint i = 0; names[i] != NULL; i++)
        declare (self, output ? self->outputs : self->inputs,
                 output ? &self->output_names[operation] : &self->input_names[operation], names[i],
                 operation);
    }
  if (hlo != NULL)
    declare (self, self->outputs, &self->output_names[operation], hlo, operation);
}

static int
compare_offsets (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrOperations *self = data;
  const gint64 x = self->debug->offset[self->context[*(const guint32 *)a]];
  const gint64 y = self->debug->offset[self->context[*(const guint32 *)b]];

  return x < y ? -1 : x > y;
}

/* In the order of the file. */
static gboolean
read_declared (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  g_autofree guint32 *order = g_new (guint32, self->n);

  if (self->declared_read)
    return TRUE;
  for (guint32 i = 0; i < self->n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int)self->n - 1, sizeof *order, compare_offsets, self);
  self->apis = g_new0 (const char *, self->n);
  self->names = g_string_chunk_new (4096);
  self->outputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
  self->inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
  self->variable_of = g_hash_table_new (g_str_hash, g_str_equal);
  self->input_names = g_new0 (GPtrArray *, self->n);
  self->output_names = g_new0 (GPtrArray *, self->n);
  for (guint32 i = 0; i + 1 < self->n; i++)
    {
      GError *local = NULL;
      g_autoptr (TsrJson) record = tsr_debug_tables_read_record (
          self->debug, self->context[order[i]], cancellable, &local);

      if (record != NULL)
        declare_record (self, order[i], record);
      else if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      g_clear_error (&local); /* a damaged record declares nothing */
    }
  for (guint i = self->n_variables; i > 0; i--) /* the first of a name stays */
    g_hash_table_insert (self->variable_of,
                         (gpointer)tsr_variables_get_name (self->variables, i - 1),
                         GUINT_TO_POINTER (i));
  self->declared_read = TRUE;
  return TRUE;
}

gboolean
tsr_operations_read_records (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  gboolean good;

  g_return_val_if_fail (self != NULL, FALSE);
  g_mutex_lock (&self->lock);
  good = read_declared (self, cancellable, error);
  if (!good)
    clear_declared (self);
  g_mutex_unlock (&self->lock);
  return good;
}

const char *
tsr_operations_get_api (TsrOperations *self, guint operation)
{
  const char *api;

  g_return_val_if_fail (self != NULL && operation < self->n, NULL);
  g_mutex_lock (&self->lock);
  api = self->apis != NULL ? self->apis[operation] : NULL;
  g_mutex_unlock (&self->lock);
  return api;
}

/* ---- edges of one operation */

typedef struct
{
  TsrOperations *self;
  guint32 operation;
  gboolean produced;
  GHashTable *edges; /* (element-type TsrOperationEdge): by name and ends */
} Search;

static guint
hash_edge (gconstpointer key)
{
  const TsrOperationEdge *edge = key;

  return g_str_hash (edge->name) ^ edge->from * 31 ^ edge->to * 17;
}

static gboolean
equal_edges (gconstpointer a, gconstpointer b)
{
  const TsrOperationEdge *x = a, *y = b;

  return x->from == y->from && x->to == y->to && g_str_equal (x->name, y->name)
         && (x->variable == y->variable || x->variable == TSR_NO_INDEX
             || y->variable == TSR_NO_INDEX);
}

static void
add_edge (Search *search, guint32 other, guint32 variable, const char *name, TsrEdgeKinds kind)
{
  TsrOperations *self = search->self;
  TsrOperationEdge edge = { search->produced ? search->operation : other,
                            search->produced ? other : search->operation,
                            variable,
                            name,
                            TSR_UNKNOWN,
                            kind };
  TsrOperationEdge *known;

  if (other == search->operation)
    return;
  known = g_hash_table_lookup (search->edges, &edge);
  if (known != NULL)
    {
      known->kinds |= kind;
      return;
    }
  if (variable != TSR_NO_INDEX)
    edge.bytes = tsr_variables_get_bytes (self->variables, variable);
  g_hash_table_add (search->edges, g_memdup2 (&edge, sizeof edge));
}

static gboolean
has_role (const TsrOperationLinks *links, guint variable, guint role)
{
  for (guint32 i = links->start[variable]; i < links->start[variable + 1]; i++)
    if (links->role[i] == role)
      return TRUE;
  return FALSE;
}

/* The operation that a variable belongs to, if its programs use it and it holds nothing from one
 * execution to the next, so that somebody writes it before others read it; TSR_NO_INDEX. */
static guint32
find_maker (const TsrOperations *self, guint variable)
{
  const TsrOperationLinks *links = &self->links;
  const guint32 owner = self->of_variable[variable];

  if (owner + 1 == self->n
      || tsr_variables_get_life (self->variables, variable) != TSR_LIFE_TEMPORARY)
    return TSR_NO_INDEX;
  for (guint32 i = links->start[variable]; i < links->start[variable + 1]; i++)
    if (links->operation[i] == owner && links->role[i] == TSR_VARIABLE_USED)
      return owner;
  return TSR_NO_INDEX;
}

/* Who writes a variable, and who reads it.  "Used" may be either: it reads a variable that another
 * program is recorded to write; else, if one is recorded to read it, the variable's maker writes it
 * and the others read it; without a maker all that use it may write it. */
typedef struct
{
  gboolean written, read;
  guint32 maker; /* TSR_NO_INDEX */
} Users;

static Users
find_users (const TsrOperations *self, guint variable)
{
  Users users = { has_role (&self->links, variable, TSR_VARIABLE_DESTINATION),
                  has_role (&self->links, variable, TSR_VARIABLE_SOURCE), TSR_NO_INDEX };

  if (!users.written && users.read)
    users.maker = find_maker (self, variable);
  return users;
}

static gboolean
takes_part (const TsrOperationLinks *links, guint32 link, const Users *users, gboolean writes)
{
  const gboolean is_maker = users->maker == TSR_NO_INDEX || links->operation[link] == users->maker;

  if (links->role[link] != TSR_VARIABLE_USED)
    return links->role[link] == (writes ? TSR_VARIABLE_DESTINATION : TSR_VARIABLE_SOURCE);
  if (users->written || !users->read)
    return users->written && !writes;
  return is_maker == writes;
}

static void
add_recorded (Search *search, guint variable)
{
  const TsrOperationLinks *links = &search->self->links;
  const Users users = find_users (search->self, variable);
  gboolean mine = FALSE;

  for (guint32 i = links->start[variable]; i < links->start[variable + 1]; i++)
    mine = mine
           || (links->operation[i] == search->operation
               && takes_part (links, i, &users, search->produced));
  for (guint32 i = links->start[variable]; mine && i < links->start[variable + 1]; i++)
    if (takes_part (links, i, &users, !search->produced))
      add_edge (search, links->operation[i], variable,
                tsr_variables_get_name (search->self->variables, variable), TSR_EDGE_RECORDED);
}

static void
add_declared (Search *search)
{
  TsrOperations *self = search->self;
  const GPtrArray *names = search->produced ? self->output_names[search->operation]
                                            : self->input_names[search->operation];
  GHashTable *others = search->produced ? self->inputs : self->outputs;

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      const GArray *operations = g_hash_table_lookup (others, name);
      /* One more than its index; 0 where there is none, so that it becomes TSR_NO_INDEX. */
      const guint32 variable = GPOINTER_TO_UINT (g_hash_table_lookup (self->variable_of, name));

      for (guint k = 0; operations != NULL && k < operations->len; k++)
        add_edge (search, g_array_index (operations, guint32, k), variable - 1, name,
                  TSR_EDGE_DECLARED);
    }
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const TsrOperationEdge *x = a, *y = b;
  const int order = strcmp (x->name, y->name);

  if (order != 0)
    return order;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return x->variable < y->variable ? -1 : x->variable > y->variable;
}

GArray *
tsr_operations_dup_edges (TsrOperations *self,
                          guint operation,
                          gboolean produced,
                          GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (GHashTable) edges = g_hash_table_new_full (hash_edge, equal_edges, g_free, NULL);
  Search search = { self, operation, produced, edges };
  GArray *list;
  GHashTableIter iter;
  gpointer edge;

  g_return_val_if_fail (self != NULL && operation < self->n, NULL);
  if (!tsr_operations_read_records (self, cancellable, error))
    return NULL;
  for (guint i = 0; self->links.start != NULL && i < self->n_variables; i++)
    add_recorded (&search, i);
  if (operation + 1 < self->n)
    add_declared (&search);
  list = g_array_new (FALSE, FALSE, sizeof (TsrOperationEdge));
  g_hash_table_iter_init (&iter, edges);
  while (g_hash_table_iter_next (&iter, &edge, NULL))
    g_array_append_vals (list, edge, 1);
  g_array_sort (list, compare_edges);
  return list;
}
