/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes the list: contexts with programs in the order of these, then those without. */

#include "config.h"

#include "tsr-operation-list.h"

#include "tsr-operation-rule.h"
#include "tsr-programs.h"

#include <string.h>

typedef struct
{
  const TsrProgramTables *programs;
  const TsrDebugTables *debug;
  guint32 *of_program; /* context of each; TSR_NO_INDEX */
  guint32 *group_of;   /* by context; TSR_NO_INDEX */
  GArray *contexts;    /* by group */
} Making;

static void
add_group (Making *making, guint32 context)
{
  if (context == TSR_NO_INDEX || making->group_of[context] != TSR_NO_INDEX)
    return;
  making->group_of[context] = making->contexts->len;
  g_array_append_val (making->contexts, context);
}

/* Groups of programs in the order in which a walk from the roots first comes to one. */
static void
walk (Making *making, const TsrPrograms *graph)
{
  const guint32 n = tsr_programs_get_n (graph);
  guint n_roots = 0;
  const TsrProgramRoot *roots = tsr_programs_peek_roots (graph, &n_roots);
  g_autofree guint8 *seen = g_malloc0 (MAX (n, 1));
  g_autoptr (GArray) todo = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < n_roots; i++)
    {
      g_array_append_val (todo, roots[i].program);
      while (todo->len > 0)
        {
          const guint32 at = g_array_index (todo, guint32, todo->len - 1);
          guint32 first;
          guint32 end;

          g_array_set_size (todo, todo->len - 1);
          if (seen[at])
            continue;
          seen[at] = TRUE;
          add_group (making, making->of_program[at]);
          tsr_programs_get_edges (graph, at, &first, &end);
          while (end-- > first)
            {
              guint32 child = tsr_programs_get_child (graph, end);

              g_array_append_val (todo, child);
            }
        }
    }
  for (guint32 i = 0; i < n; i++)
    add_group (making, making->of_program[i]);
}

/* Which contexts others replaced. */
static guint8 *
mark_replaced (const TsrDebugTables *debug)
{
  guint8 *marks = g_malloc0 (MAX (debug->n, 1));

  for (guint32 i = 0; i < debug->n; i++)
    {
      guint n = 0;
      const guint64 *ids = tsr_debug_tables_get_ids (debug, i, TSR_DEBUG_REPLACED, &n);

      for (guint k = 0; k < n; k++)
        {
          const guint32 row = tsr_debug_tables_find (debug, (gint64)ids[k]);

          if (row != TSR_NO_INDEX)
            marks[row] = TRUE;
        }
    }
  return marks;
}

static void
list_programs (TsrOperationList *self, const Making *making)
{
  const guint32 n = making->programs->n_programs;
  g_autofree guint32 *at = NULL;

  self->program_start = g_new0 (guint32, self->n_groups + 1);
  self->program = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    if (making->of_program[i] != TSR_NO_INDEX)
      self->program_start[making->group_of[making->of_program[i]] + 1]++;
  for (guint i = 0; i < self->n_groups; i++)
    self->program_start[i + 1] += self->program_start[i];
  at = g_memdup2 (self->program_start, sizeof (guint32) * (self->n_groups + 1));
  for (guint32 i = 0; i < n; i++)
    if (making->of_program[i] != TSR_NO_INDEX)
      self->program[at[making->group_of[making->of_program[i]]]++] = i;
}

/* Steps of groups that have none yet, of their programs: @first and one behind the last. */
static void
take_steps (TsrOperationList *self, const guint32 *first, const guint32 *end)
{
  for (guint group = 0; group < self->n_groups; group++)
    if (self->first_step[group] == TSR_NO_INDEX)
      {
        guint32 last = 0;

        for (guint32 i = self->program_start[group]; i < self->program_start[group + 1]; i++)
          {
            self->first_step[group] = MIN (self->first_step[group], first[self->program[i]]);
            last = MAX (last, end[self->program[i]]);
          }
        self->last_step[group] = last > 0 ? last - 1 : TSR_NO_INDEX;
      }
}

/* Calls and what encloses others are no steps: an operation that is nothing else is live where
 * these lead to. */
static void
find_steps (TsrOperationList *self, const TsrPrograms *graph, const TsrLivenessTables *liveness)
{
  const guint32 n = tsr_programs_get_n (graph);
  const guint32 *order = tsr_programs_peek_order (graph);
  g_autofree guint32 *first = g_new (guint32, MAX (n, 1));
  g_autofree guint32 *end = g_new0 (guint32, MAX (n, 1));

  self->first_step = g_new (guint32, MAX (self->n_groups, 1));
  self->last_step = g_new (guint32, MAX (self->n_groups, 1));
  for (guint i = 0; i < self->n_groups; i++)
    self->first_step[i] = TSR_NO_INDEX;
  for (guint32 i = 0; i < n; i++)
    first[i] = TSR_NO_INDEX;
  for (guint32 i = 0; liveness != NULL && i < liveness->n_steps; i++)
    {
      const guint32 program = liveness->step_program[i];

      if (program >= n)
        continue;
      first[program] = MIN (first[program], i);
      end[program] = i + 1;
    }
  take_steps (self, first, end);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 edge;
      guint32 edges_end;

      tsr_programs_get_edges (graph, order[i], &edge, &edges_end);
      for (; edge < edges_end; edge++)
        if (!tsr_programs_is_cut (graph, edge))
          {
            const guint32 child = tsr_programs_get_child (graph, edge);

            first[order[i]] = MIN (first[order[i]], first[child]);
            end[order[i]] = MAX (end[order[i]], end[child]);
          }
    }
  take_steps (self, first, end);
}

static void
list_operations (TsrOperationList *self, const Making *making)
{
  g_autoptr (GArray) operations = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 *columns[3];

  for (guint32 group = 0; group < self->n_groups; group++)
    {
      const guint32 context = g_array_index (making->contexts, guint32, group);
      guint n_ids = 0;
      const guint64 *ids
          = tsr_debug_tables_get_ids (making->debug, context, TSR_DEBUG_REPLACED, &n_ids);
      guint32 entry[3] = { context, TSR_NO_INDEX, group };
      const guint before = operations->len;

      for (guint i = 0; i < n_ids; i++)
        {
          entry[1] = tsr_debug_tables_find (making->debug, (gint64)ids[i]);
          if (entry[1] != TSR_NO_INDEX)
            g_array_append_vals (operations, entry, 3);
        }
      entry[1] = TSR_NO_INDEX;
      if (operations->len == before)
        g_array_append_vals (operations, entry, 3);
    }
  self->n = operations->len / 3;
  for (guint k = 0; k < 3; k++)
    {
      columns[k] = g_new (guint32, MAX (self->n, 1));
      for (guint i = 0; i < self->n; i++)
        columns[k][i] = g_array_index (operations, guint32, 3 * i + k);
    }
  self->context = columns[0];
  self->replaced = columns[1];
  self->group = columns[2];
}

TsrOperationList *
tsr_operation_list_new (const TsrProgramTables *programs,
                        const TsrDebugTables *debug,
                        const TsrLivenessTables *liveness,
                        const char *layer,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (TsrOperationRule) rule = NULL;
  g_autoptr (TsrPrograms) graph = NULL;
  g_autofree guint32 *of_program = NULL;
  g_autofree guint32 *group_of = NULL;
  g_autofree guint8 *replaced = NULL;
  g_autoptr (GArray) contexts = g_array_new (FALSE, FALSE, sizeof (guint32));
  Making making = { programs, debug, NULL, NULL, contexts };
  TsrOperationList *self;

  g_return_val_if_fail (programs != NULL && debug != NULL, NULL);
  rule = tsr_operation_rule_new (debug, layer, error);
  if (rule != NULL)
    graph = tsr_programs_new_from_tables (programs, NULL, NULL, NULL, cancellable, error);
  if (graph == NULL)
    return NULL;
  making.of_program = of_program = g_new (guint32, MAX (programs->n_programs, 1));
  making.group_of = group_of = g_new (guint32, MAX (debug->n, 1));
  for (guint32 i = 0; i < programs->n_programs; i++)
    of_program[i] = tsr_operation_rule_find_id (rule, programs->program_debug_id[i]);
  memset (group_of, 0xff, debug->n * sizeof *group_of);
  walk (&making, graph);
  replaced = mark_replaced (debug);
  for (guint32 i = 0; i < debug->n; i++)
    if (!replaced[i] && tsr_operation_rule_is_operation (rule, i))
      add_group (&making, i);

  self = g_new0 (TsrOperationList, 1);
  self->n_groups = contexts->len;
  list_programs (self, &making);
  find_steps (self, graph, liveness);
  list_operations (self, &making);
  return self;
}

void
tsr_operation_list_free (TsrOperationList *self)
{
  g_return_if_fail (self != NULL);
  g_free (self->context);
  g_free (self->replaced);
  g_free (self->group);
  g_free (self->program_start);
  g_free (self->program);
  g_free (self->first_step);
  g_free (self->last_step);
  g_free (self);
}
