/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which operation each program and variable belongs to, and what can be asked of operations. */

#include "config.h"

#include "tsr-operations-private.h"

#include "tsr-operation-rule.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* ---- from contexts to operations */

typedef struct
{
  TsrOperations *self;
  TsrOperationRule *rule;
  GArray *contexts; /* of the operations so far */
} Finder;

/* The operation that @debug_id belongs to, added if it is new; TSR_NO_INDEX if it has no
 * context. */
static guint32
find_operation (Finder *finder, gint64 debug_id)
{
  TsrOperations *self = finder->self;
  const guint32 context = tsr_operation_rule_find_id (finder->rule, debug_id);

  if (context == TSR_NO_INDEX)
    return TSR_NO_INDEX;
  if (self->of_context[context] == TSR_NO_INDEX)
    {
      self->of_context[context] = finder->contexts->len;
      g_array_append_val (finder->contexts, context);
    }
  return self->of_context[context];
}

static void
assign_all (TsrOperations *self, TsrOperationRule *rule)
{
  const TsrProgramTables *programs = self->programs;
  Finder finder = { self, rule, g_array_new (FALSE, FALSE, sizeof (guint32)) };

  self->of_context = g_new (guint32, MAX (self->debug->n, 1));
  for (guint i = 0; i < self->debug->n; i++)
    self->of_context[i] = TSR_NO_INDEX;
  self->of_program = g_new (guint32, MAX (programs->n_programs, 1));
  self->of_variable = g_new (guint32, MAX (self->n_variables, 1));
  for (guint32 i = 0; i < programs->n_programs; i++)
    self->of_program[i] = find_operation (&finder, programs->program_debug_id[i]);
  for (guint i = 0; i < self->n_variables; i++)
    self->of_variable[i]
        = find_operation (&finder, tsr_variables_get_debug_id (self->variables, i));
  self->n = finder.contexts->len + 1;
  self->context = g_new (guint32, self->n);
  if (finder.contexts->len > 0)
    memcpy (self->context, finder.contexts->data, finder.contexts->len * sizeof (guint32));
  self->context[self->n - 1] = TSR_NO_INDEX;
  for (guint32 i = 0; i < programs->n_programs; i++)
    self->of_program[i] = MIN (self->of_program[i], self->n - 1);
  for (guint i = 0; i < self->n_variables; i++)
    self->of_variable[i] = MIN (self->of_variable[i], self->n - 1);
  /* Contexts below an operation lead to it, as far as they were walked over. */
  for (guint32 i = 0; i < self->debug->n; i++)
    {
      const guint32 context = tsr_operation_rule_find (rule, i);

      if (context != TSR_NO_INDEX && context != i)
        self->of_context[i] = self->of_context[context];
    }
  g_array_unref (finder.contexts);
}

static void
list_programs (TsrOperations *self)
{
  const guint32 n = self->programs->n_programs;
  g_autofree guint32 *at = NULL;

  self->program_start = g_new0 (guint32, self->n + 1);
  self->program = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    self->program_start[self->of_program[i] + 1]++;
  for (guint i = 0; i < self->n; i++)
    self->program_start[i + 1] += self->program_start[i];
  at = g_memdup2 (self->program_start, sizeof (guint32) * self->n);
  for (guint32 i = 0; i < n; i++)
    self->program[at[self->of_program[i]]++] = i;
  for (guint i = 0; i < self->n; i++)
    self->figures[TSR_OPERATION_PROGRAMS][i] = self->program_start[i + 1] - self->program_start[i];
  self->totals[TSR_OPERATION_PROGRAMS] = n;
}

/* ---- object */

GStrv
tsr_operations_dup_layers (const TsrDebugTables *debug)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  guint16 poplar[2];

  g_return_val_if_fail (debug != NULL, NULL);
  poplar[0] = tsr_debug_tables_find_layer (debug, "poplibs");
  poplar[1] = tsr_debug_tables_find_layer (debug, "poplar");
  for (guint i = 0; i < G_N_ELEMENTS (poplar); i++)
    if (poplar[i] != TSR_DEBUG_NO_LAYER)
      {
        g_strv_builder_add (words, "poplibs");
        break;
      }
  for (guint i = 0; i < debug->n_layers; i++)
    if (i != poplar[0] && i != poplar[1] && debug->layers[i].n_contexts > 0)
      g_strv_builder_add (words, debug->layers[i].name);
  return g_strv_builder_end (words);
}

const char *
tsr_operations_get_layer_title (const char *layer)
{
  g_return_val_if_fail (layer != NULL, NULL);
  return g_str_equal (layer, "poplibs") || g_str_equal (layer, "poplar")
             ? _ ("Poplar and PopLibs")
             : tsr_debug_layer_get_title (layer);
}

TsrOperations *
tsr_operations_new (TsrPrograms *programs,
                    const TsrDebugTables *debug,
                    const char *layer,
                    TsrMemory *memory,
                    TsrVariables *variables,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (TsrOperations) self = NULL;
  g_autoptr (TsrOperationRule) rule = NULL;

  g_return_val_if_fail (programs != NULL && tsr_programs_get_report (programs) != NULL, NULL);
  g_return_val_if_fail (debug != NULL && layer != NULL && memory != NULL, NULL);

  self = g_new0 (TsrOperations, 1);
  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  g_mutex_init (&self->worst_lock);
  self->graph = tsr_programs_ref (programs);
  self->report = tsr_programs_get_report (programs);
  self->debug = debug;
  self->programs = tsr_programs_get_tables (programs);
  self->execution = tsr_report_get_execution_tables (self->report);
  self->memory = tsr_memory_ref (memory);
  self->n_tiles = tsr_memory_get_n_tiles (memory);
  self->clock = tsr_report_get_summary (self->report)->target.clock_frequency;
  if (variables != NULL)
    {
      self->variables = tsr_variables_ref (variables);
      self->n_variables = tsr_variables_get_n (variables);
    }
  rule = tsr_operation_rule_new (debug, layer, error);
  if (rule == NULL)
    return NULL;
  self->layer = tsr_operation_rule_get_layer (rule);
  self->none_title = g_str_equal (self->layer, "poplibs")
                         ? g_strdup (_ ("No debug information"))
                         : g_strdup_printf (_ ("No operation of %s"),
                                            tsr_operations_get_layer_title (self->layer));
  assign_all (self, rule);
  for (guint i = 0; i < TSR_N_OPERATION_FIGURES; i++)
    {
      self->figures[i] = g_new0 (gint64, self->n);
      self->totals[i] = TSR_UNKNOWN;
    }
  self->balance = g_new (double, self->n);
  list_programs (self);
  if (!tsr_operations_compute_code (self, cancellable, error)
      || !tsr_operations_compute_cycles (self, cancellable, error)
      || !tsr_operations_compute_variables (self, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

TsrOperations *
tsr_operations_ref (TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_operations_unref (TsrOperations *self)
{
  g_return_if_fail (self != NULL);
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  tsr_operations_clear_edges (self);
  for (guint i = 0; i < TSR_N_OPERATION_FIGURES; i++)
    g_free (self->figures[i]);
  g_free (self->balance);
  g_free (self->none_title);
  g_free (self->context);
  g_free (self->of_context);
  g_free (self->of_program);
  g_free (self->of_variable);
  g_free (self->program_start);
  g_free (self->program);
  g_clear_pointer (&self->variables, tsr_variables_unref);
  tsr_memory_unref (self->memory);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->worst_lock);
  tsr_programs_unref (self->graph);
  g_free (self);
}

const char *
tsr_operations_get_layer (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->layer;
}

const TsrDebugTables *
tsr_operations_get_debug (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->debug;
}

TsrVariables *
tsr_operations_get_variables (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->variables;
}

guint
tsr_operations_get_n_tiles (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_tiles;
}

TsrPrograms *
tsr_operations_get_graph (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->graph;
}

TsrReport *
tsr_operations_get_report (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->report;
}

guint
tsr_operations_get_roles (const TsrOperations *self, guint operation, guint variable)
{
  const TsrOperationLinks *links;
  guint roles = 0;

  g_return_val_if_fail (self != NULL && variable < self->n_variables, 0);
  links = &self->links;
  for (guint32 i = links->start != NULL ? links->start[variable] : 0;
       links->start != NULL && i < links->start[variable + 1]; i++)
    if (links->operation[i] == operation)
      roles |= 1u << links->role[i];
  return roles;
}

guint
tsr_operations_get_n (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n;
}

gboolean
tsr_operations_is_none (const TsrOperations *self, guint operation)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return operation == self->n - 1;
}

guint32
tsr_operations_get_context (const TsrOperations *self, guint operation)
{
  g_return_val_if_fail (self != NULL && operation < self->n, TSR_NO_INDEX);
  return self->context[operation];
}

const char *
tsr_operations_get_name (const TsrOperations *self, guint operation)
{
  g_return_val_if_fail (self != NULL && operation < self->n, NULL);
  if (self->context[operation] == TSR_NO_INDEX)
    return NULL;
  return tsr_debug_tables_get_text (self->debug, self->debug->name[self->context[operation]]);
}

const guint64 *
tsr_operations_get_replaced (const TsrOperations *self, guint operation, guint *n)
{
  g_return_val_if_fail (self != NULL && operation < self->n && n != NULL, NULL);
  *n = 0;
  if (self->context[operation] == TSR_NO_INDEX)
    return NULL;
  return tsr_debug_tables_get_ids (self->debug, self->context[operation], TSR_DEBUG_REPLACED, n);
}

const guint32 *
tsr_operations_get_programs (const TsrOperations *self, guint operation, guint *n)
{
  g_return_val_if_fail (self != NULL && operation < self->n && n != NULL, NULL);
  *n = self->program_start[operation + 1] - self->program_start[operation];
  return self->program + self->program_start[operation];
}

guint
tsr_operations_of_program (const TsrOperations *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < self->programs->n_programs, 0);
  return self->of_program[program];
}

guint
tsr_operations_of_variable (const TsrOperations *self, guint variable)
{
  g_return_val_if_fail (self != NULL && variable < self->n_variables, 0);
  return self->of_variable[variable];
}

const char *
tsr_operations_get_none_title (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->none_title;
}

guint32
tsr_operations_find_costliest (const TsrOperations *self, guint operation)
{
  TsrPrograms *graph;
  const guint32 *programs;
  guint32 found;
  guint n;

  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  graph = tsr_operations_get_graph (self);
  programs = tsr_operations_get_programs (self, operation, &n);
  found = n > 0 ? programs[0] : TSR_NO_INDEX;
  for (guint i = 1; i < n; i++)
    if (tsr_programs_get (graph, programs[i], TSR_PROGRAM_CYCLES_SELF)
        > tsr_programs_get (graph, found, TSR_PROGRAM_CYCLES_SELF))
      found = programs[i];
  return found;
}

guint
tsr_operations_of_context (const TsrOperations *self, guint32 context)
{
  g_return_val_if_fail (self != NULL && context < self->debug->n, 0);
  return MIN (self->of_context[context], self->n - 1);
}

gint64
tsr_operations_get (const TsrOperations *self, guint operation, TsrOperationFigure figure)
{
  g_return_val_if_fail (self != NULL && operation < self->n, TSR_UNKNOWN);
  g_return_val_if_fail (figure < TSR_N_OPERATION_FIGURES, TSR_UNKNOWN);
  return self->figures[figure][operation];
}

double
tsr_operations_get_balance (const TsrOperations *self, guint operation)
{
  g_return_val_if_fail (self != NULL && operation < self->n, NAN);
  return self->balance[operation];
}

double
tsr_operations_get_gflops (const TsrOperations *self, guint operation)
{
  gint64 flops, cycles;

  g_return_val_if_fail (self != NULL && operation < self->n, NAN);
  flops = self->figures[TSR_OPERATION_FLOPS][operation];
  cycles = self->figures[TSR_OPERATION_WALL_CYCLES][operation];
  if (flops == TSR_UNKNOWN || cycles == TSR_UNKNOWN || cycles <= 0)
    return NAN;
  return (double)flops / ((double)cycles / self->clock) / 1e9;
}

double
tsr_operations_get_clock (const TsrOperations *self)
{
  g_return_val_if_fail (self != NULL, NAN);
  return self->clock;
}

gint64
tsr_operations_get_total (const TsrOperations *self, TsrOperationFigure figure)
{
  g_return_val_if_fail (self != NULL && figure < TSR_N_OPERATION_FIGURES, TSR_UNKNOWN);
  return self->totals[figure];
}
