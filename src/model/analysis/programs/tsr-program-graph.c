/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of programs: edges, roots, and an order in which children come first. */

#include "config.h"

#include "tsr-programs-private.h"

#include "tsr-id-index.h"
#include "tsr-trace.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#define CANCEL_EVERY 65536
#define LOOP         0x80u /* beside the group of a type */

/* ------------------------------------------------------------------- edges */

/* Children, then the callee. */
static void
make_edges (TsrPrograms *self)
{
  const TsrProgramTables *t = self->tables;
  gsize n = t->child_start[self->n];
  guint32 at = 0;

  for (guint32 p = 0; p < self->n; p++)
    n += t->program_callee[p] != TSR_NO_INDEX;
  self->edge_start = g_new (guint32, (gsize)self->n + 1);
  self->edge_child = g_new (guint32, MAX (n, 1));
  for (guint32 p = 0; p < self->n; p++)
    {
      self->edge_start[p] = at;
      for (guint32 c = t->child_start[p]; c < t->child_start[p + 1]; c++)
        self->edge_child[at++] = t->child[c];
      if (t->program_callee[p] != TSR_NO_INDEX)
        self->edge_child[at++] = t->program_callee[p];
    }
  self->edge_start[self->n] = at;
}

static void
cut (TsrPrograms *self, guint32 program, guint32 edge, TsrDiagnostics *diagnostics)
{
  const TsrProgramTables *t = self->tables;
  gboolean call
      = edge + 1 == self->edge_start[program + 1] && t->program_callee[program] != TSR_NO_INDEX;
  const char *table = call ? "programs" : "program_children";
  gint64 id = t->program_id[program];

  if (self->edge_cut == NULL)
    self->edge_cut = g_new0 (guint8, self->edge_start[self->n]);
  self->edge_cut[edge] = TRUE;
  if (diagnostics == NULL || tsr_diagnostics_has (diagnostics, "program-cycle", table, id))
    return;
  tsr_diagnostics_add (diagnostics, TSR_SEVERITY_ERROR, "program-cycle", "profile.pop", table, id,
                       TSR_NO_ROW,
                       _ ("program %" PRId64 " has program %" PRId64 " below it, which has it "
                          "below itself: this link is left out of all sums"),
                       id, t->program_id[self->edge_child[edge]]);
}

/* ------------------------------------------------------------------- roots */

static TsrRootKind
parse_kind (const char *word)
{
  return g_strcmp0 (word, "control") == 0    ? TSR_ROOT_CONTROL
         : g_strcmp0 (word, "function") == 0 ? TSR_ROOT_FUNCTION
                                             : TSR_ROOT_OTHER;
}

/* The tables have them by step, kind and position. */
static void
take_roots (TsrPrograms *self, GArray *roots)
{
  const TsrProgramTables *t = self->tables;
  guint end = t->n_roots;

  while (end > 0)
    {
      guint first = end - 1;

      while (first > 0 && t->root_step[first - 1] == t->root_step[end - 1])
        first--;
      for (guint i = first; i < end; i++)
        {
          TsrProgramRoot root = { t->root_program[i], t->root_step[i],
                                  parse_kind (tsr_string_table_get (t->strings, t->root_kind[i])) };

          g_array_append_val (roots, root);
        }
      if (end == t->n_roots)
        self->n_latest = roots->len;
      end = first;
    }
}

typedef struct
{
  guint32 program, edge;
} Frame;

enum
{
  NEW,
  OPEN,
  DONE
};

typedef struct
{
  GArray *stack;   /* Frame */
  guint8 *colours; /* by program */
  guint32 n_ordered;
  TsrDiagnostics *diagnostics; /* (nullable) */
} Walk;

static void
enter (TsrPrograms *self, Walk *walk, guint32 program, guint32 rank)
{
  Frame frame = { program, self->edge_start[program] };

  walk->colours[program] = OPEN;
  self->reach[program] = rank;
  g_array_append_val (walk->stack, frame);
}

/* Depth first from @root over what is new; appends to the order. */
static gboolean
visit (TsrPrograms *self,
       Walk *walk,
       guint32 root,
       guint32 rank,
       GCancellable *cancellable,
       GError **error)
{
  if (walk->colours[root] == NEW)
    enter (self, walk, root, rank);
  while (walk->stack->len > 0)
    {
      Frame *frame = &g_array_index (walk->stack, Frame, walk->stack->len - 1);
      guint32 child, edge = frame->edge;

      if (edge == self->edge_start[frame->program + 1])
        {
          walk->colours[frame->program] = DONE;
          self->order[walk->n_ordered++] = frame->program;
          g_array_set_size (walk->stack, walk->stack->len - 1);
          if (walk->n_ordered % CANCEL_EVERY == 0
              && g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          continue;
        }
      frame->edge++;
      child = self->edge_child[edge];
      if (walk->colours[child] == OPEN)
        {
          cut (self, frame->program, edge, walk->diagnostics);
          continue;
        }
      self->n_parents[child]++;
      if (walk->colours[child] == NEW)
        enter (self, walk, child, rank);
    }
  return TRUE;
}

/* What no root leads to, but for what is @below (nullable) something else. */
static gboolean
add_others (TsrPrograms *self,
            GArray *others,
            Walk *walk,
            const guint8 *below,
            GCancellable *cancellable,
            GError **error)
{
  TsrRootKind kind = self->tables->n_roots == 0 ? TSR_ROOT_CONTROL : TSR_ROOT_OTHER;

  for (guint32 p = 0; p < self->n; p++)
    if (walk->colours[p] == NEW && (below == NULL || !below[p]))
      {
        TsrProgramRoot root = { p, TSR_NO_INDEX, kind };

        g_array_append_val (others, root);
        if (!visit (self, walk, p, TSR_NO_INDEX, cancellable, error))
          return FALSE;
      }
  return TRUE;
}

/* In a ring that nothing leads to, the first one is its root. */
static gboolean
find_others (
    TsrPrograms *self, GArray *others, Walk *walk, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *below = g_new0 (guint8, MAX (self->n, 1));

  for (guint32 e = 0; e < self->edge_start[self->n]; e++)
    below[self->edge_child[e]] = TRUE;
  return add_others (self, others, walk, below, cancellable, error)
         && add_others (self, others, walk, NULL, cancellable, error);
}

static gboolean
make_order (TsrPrograms *self,
            TsrDiagnostics *diagnostics,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (TsrProgramRoot));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (TsrProgramRoot));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_autofree guint8 *colours = g_new0 (guint8, MAX (self->n, 1));
  Walk walk = { stack, colours, 0, diagnostics };
  guint32 rank = 0;

  self->order = g_new (guint32, MAX (self->n, 1));
  self->reach = g_new (guint32, MAX (self->n, 1));
  self->n_parents = g_new0 (guint32, MAX (self->n, 1));
  take_roots (self, roots);
  for (guint i = 0; i < roots->len; i++)
    {
      const TsrProgramRoot *root = &g_array_index (roots, TsrProgramRoot, i);

      rank += i > 0 && root->step != root[-1].step;
      if (!visit (self, &walk, root->program, rank, cancellable, error))
        return FALSE;
    }
  if (!find_others (self, others, &walk, cancellable, error))
    return FALSE;
  g_array_insert_vals (roots, self->n_latest, others->data, others->len);
  self->n_latest += others->len;
  self->n_roots = roots->len;
  self->roots = (TsrProgramRoot *)(gpointer)g_array_free (g_steal_pointer (&roots), FALSE);
  return TRUE;
}

static const char *
get_text (const TsrPrograms *self, guint32 string)
{
  const char *text = tsr_string_table_get (self->tables->strings, string);

  return text != NULL ? text : "";
}

static void
take_types (TsrPrograms *self)
{
  const TsrProgramTables *t = self->tables;
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL); /* group, and LOOP */

  self->repeats = g_new (gint64, MAX (self->n, 1));
  self->groups = g_new (guint8, MAX (self->n, 1));
  for (guint32 p = 0; p < self->n; p++)
    {
      gpointer key = GUINT_TO_POINTER (t->program_type[p]), value;
      gint64 count = t->program_repeat_count[p];
      guint of;

      if (!g_hash_table_lookup_extended (known, key, NULL, &value))
        {
          const char *type = get_text (self, t->program_type[p]);

          of = (guint)tsr_step_group_of (type);
          if (g_str_has_prefix (type, "Repeat"))
            of |= LOOP;
          value = GUINT_TO_POINTER (of);
          g_hash_table_insert (known, key, value);
        }
      of = GPOINTER_TO_UINT (value);
      self->groups[p] = (guint8)(of & ~LOOP);
      self->repeats[p] = (of & LOOP) == 0 ? 1 : count >= 0 ? count : TSR_UNKNOWN;
    }
}

gboolean
tsr_programs_make_graph (TsrPrograms *self,
                         TsrDiagnostics *diagnostics,
                         GCancellable *cancellable,
                         GError **error)
{
  take_types (self);
  make_edges (self);
  return make_order (self, diagnostics, cancellable, error);
}

/* --------------------------------------------------------------- questions */

const char *
tsr_programs_get_type (const TsrPrograms *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < self->n, "");
  return get_text (self, self->tables->program_type[program]);
}

const char *
tsr_programs_get_name (const TsrPrograms *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < self->n, "");
  return get_text (self, self->tables->program_name[program]);
}

guint32
tsr_programs_find (const TsrPrograms *self, gint64 id)
{
  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  return tsr_id_index_find_id (self->tables->program_id, self->n, id);
}

guint32
tsr_programs_find_of_set (const TsrPrograms *self, const char *name)
{
  const TsrProgramTables *t;
  g_autofree guint8 *wanted = NULL;

  g_return_val_if_fail (self != NULL && name != NULL, TSR_NO_INDEX);
  t = self->tables;
  wanted = g_new0 (guint8, t->n_compute_sets);
  for (guint i = 0; i < t->n_compute_sets; i++)
    wanted[i] = g_strcmp0 (tsr_string_table_get (t->strings, t->compute_set_name[i]), name) == 0;
  for (guint i = 0; i < t->n_programs; i++)
    if (t->program_compute_set[i] != TSR_NO_INDEX && wanted[t->program_compute_set[i]])
      return i;
  return TSR_NO_INDEX;
}

gint64
tsr_programs_get_repeats (const TsrPrograms *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < self->n, TSR_UNKNOWN);
  return self->repeats[program];
}

void
tsr_programs_get_edges (const TsrPrograms *self, guint32 program, guint32 *first, guint32 *end)
{
  g_return_if_fail (self != NULL && program < self->n);
  *first = self->edge_start[program];
  *end = self->edge_start[program + 1];
}

guint32
tsr_programs_get_child (const TsrPrograms *self, guint32 edge)
{
  g_return_val_if_fail (self != NULL && edge < self->edge_start[self->n], TSR_NO_INDEX);
  return self->edge_child[edge];
}

guint32
tsr_programs_find_parent (const TsrPrograms *self, guint32 edge)
{
  guint32 low = 0, high;

  g_return_val_if_fail (self != NULL && edge < self->edge_start[self->n], TSR_NO_INDEX);
  /* The last one that begins there or before: those before it without edges begin there too. */
  for (high = self->n; high - low > 1;)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->edge_start[middle] <= edge)
        low = middle;
      else
        high = middle;
    }
  return low;
}

GArray *
tsr_programs_find_below (const TsrPrograms *self, guint32 program)
{
  g_autofree guint8 *seen = NULL;
  GArray *found;

  g_return_val_if_fail (self != NULL && program < self->n, NULL);
  seen = g_new0 (guint8, self->n);
  found = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (found, program);
  seen[program] = 1;
  for (guint i = 0; i < found->len; i++)
    {
      guint32 p = g_array_index (found, guint32, i);

      for (guint32 e = self->edge_start[p]; e < self->edge_start[p + 1]; e++)
        {
          guint32 child = self->edge_child[e];

          if (tsr_programs_is_cut (self, e) || seen[child])
            continue;
          seen[child] = 1;
          g_array_append_val (found, child);
        }
    }
  return found;
}

gboolean
tsr_programs_is_cut (const TsrPrograms *self, guint32 edge)
{
  g_return_val_if_fail (self != NULL && edge < self->edge_start[self->n], FALSE);
  return self->edge_cut != NULL && self->edge_cut[edge];
}

guint32
tsr_programs_get_n_parents (const TsrPrograms *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < self->n, 0);
  return self->n_parents[program];
}

const guint32 *
tsr_programs_peek_order (const TsrPrograms *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->order;
}

const TsrProgramRoot *
tsr_programs_peek_roots (const TsrPrograms *self, guint *n)
{
  g_return_val_if_fail (self != NULL, NULL);
  *n = self->n_roots;
  return self->roots;
}

void
tsr_programs_find_roots (const TsrPrograms *self, guint32 step, guint *first, guint *end)
{
  g_return_if_fail (self != NULL);
  *first = 0;
  *end = self->n_latest;
  /* A graph has a program, and so a root. */
  if (step == TSR_NO_INDEX || self->roots[0].step == step)
    return;
  for (*first = self->n_latest; *first < self->n_roots && self->roots[*first].step != step;)
    ++*first;
  for (*end = *first; *end < self->n_roots && self->roots[*end].step == step;)
    ++*end;
}

const char *
tsr_root_kind_get_nick (TsrRootKind kind)
{
  static const char *const nicks[TSR_N_ROOT_KINDS] = { "control", "function", "other" };

  g_return_val_if_fail (kind < TSR_N_ROOT_KINDS, NULL);
  return nicks[kind];
}

const char *
tsr_root_kind_get_name (TsrRootKind kind)
{
  static const char *const names[TSR_N_ROOT_KINDS]
      = { N_ ("Control program"), N_ ("Function"), N_ ("Other") };

  g_return_val_if_fail (kind < TSR_N_ROOT_KINDS, NULL);
  return _ (names[kind]);
}
