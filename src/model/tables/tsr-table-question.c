/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions as values: a copy that a worker holds, and whether two of them ask the same. */

#include "config.h"

#include "tsr-tables.h"

#include <string.h>

#define REF(place, ref)                                                                            \
  do                                                                                               \
    if ((place) != NULL)                                                                           \
      ref (place);                                                                                 \
  while (0)

TsrTableQuestion *
tsr_table_question_copy (const TsrTableQuestion *question)
{
  TsrTableQuestion *copy;
  TsrMemoryQuestion *memory;
  TsrLivenessQuestion *liveness;
  TsrTraceQuestion *trace;
  TsrProgramQuestion *programs;

  g_return_val_if_fail (question != NULL, NULL);
  copy = g_memdup2 (question, sizeof *question);
  memory = &copy->of_memory;
  liveness = &copy->of_liveness;
  trace = &copy->of_trace;
  programs = &copy->of_programs;
  REF (copy->report, g_object_ref);
  REF (copy->memory, tsr_memory_ref);
  REF (copy->insights, tsr_insights_ref);
  REF (copy->plan, tsr_plan_ref);
  REF (memory->liveness, tsr_liveness_ref);
  REF (memory->vertices, tsr_vertices_ref);
  REF (liveness->liveness, tsr_liveness_ref);
  REF (liveness->vertices, tsr_vertices_ref);
  REF (trace->trace, tsr_trace_ref);
  REF (trace->memory, tsr_memory_ref);
  REF (trace->live, tsr_trace_live_ref);
  REF (copy->of_operations.operations, tsr_operations_ref);
  REF (copy->of_operations.liveness, tsr_liveness_ref);
  memory->tiles = g_memdup2 (memory->tiles, memory->n_tiles * sizeof *memory->tiles);
  memory->why = g_strdup (memory->why);
  tsr_liveness_source_copy (&question->of_liveness.source, &liveness->source);
  trace->regex = g_strdup (trace->regex);
  REF (programs->programs, tsr_programs_ref);
  REF (programs->code, tsr_program_code_ref);
  programs->hidden = g_strdupv (programs->hidden);
  programs->opened = g_strdupv (programs->opened);
  return copy;
}

void
tsr_table_question_free (TsrTableQuestion *question)
{
  TsrMemoryQuestion *memory = &question->of_memory;
  TsrLivenessQuestion *liveness = &question->of_liveness;
  TsrTraceQuestion *trace = &question->of_trace;
  TsrProgramQuestion *programs = &question->of_programs;

  g_clear_object (&question->report);
  g_clear_pointer (&question->memory, tsr_memory_unref);
  g_clear_pointer (&question->insights, tsr_insights_unref);
  g_clear_pointer (&question->plan, tsr_plan_unref);
  g_clear_pointer (&memory->liveness, tsr_liveness_unref);
  g_clear_pointer (&memory->vertices, tsr_vertices_unref);
  g_clear_pointer (&liveness->liveness, tsr_liveness_unref);
  g_clear_pointer (&liveness->vertices, tsr_vertices_unref);
  g_clear_pointer (&trace->trace, tsr_trace_unref);
  g_clear_pointer (&trace->memory, tsr_memory_unref);
  g_clear_pointer (&trace->live, tsr_trace_live_unref);
  g_clear_pointer (&question->of_operations.operations, tsr_operations_unref);
  g_clear_pointer (&question->of_operations.liveness, tsr_liveness_unref);
  g_free (memory->tiles);
  g_free (memory->why);
  tsr_liveness_source_clear (&liveness->source);
  g_free (trace->regex);
  g_clear_pointer (&programs->programs, tsr_programs_unref);
  g_clear_pointer (&programs->code, tsr_program_code_unref);
  g_strfreev (programs->hidden);
  g_strfreev (programs->opened);
  g_free (question);
}

static gboolean
equal_memory (const TsrMemoryQuestion *a, const TsrMemoryQuestion *b)
{
  return a->liveness == b->liveness && a->vertices == b->vertices && a->n_tiles == b->n_tiles
         && (a->n_tiles == 0 || memcmp (a->tiles, b->tiles, a->n_tiles * sizeof *a->tiles) == 0)
         && a->pending == b->pending && g_strcmp0 (a->why, b->why) == 0;
}

static gboolean
equal_liveness (const TsrLivenessQuestion *a, const TsrLivenessQuestion *b)
{
  return a->liveness == b->liveness && a->vertices == b->vertices
         && a->vertices_pending == b->vertices_pending
         && tsr_liveness_source_equal (&a->source, &b->source) && a->n_steps == b->n_steps
         && memcmp (a->steps, b->steps, a->n_steps * sizeof *a->steps) == 0 && a->peak == b->peak
         && a->by == b->by && a->depth == b->depth
         && a->include_always_live == b->include_always_live && a->dying == b->dying
         && a->by_tile == b->by_tile;
}

static gboolean
equal_trace (const TsrTraceQuestion *a, const TsrTraceQuestion *b)
{
  if (a->n_steps != b->n_steps || a->n_marked != b->n_marked
      || a->marked_cycles != b->marked_cycles)
    return FALSE;
  for (guint i = 0; i < a->n_steps; i++)
    if (a->steps[i].step_id != b->steps[i].step_id || a->steps[i].ipu != b->steps[i].ipu)
      return FALSE;
  return a->trace == b->trace && a->memory == b->memory && a->has_liveness == b->has_liveness
         && a->live == b->live && a->has_debug == b->has_debug && a->run == b->run
         && a->from == b->from && a->to == b->to && a->ipu == b->ipu && a->hidden == b->hidden
         && a->group == b->group && a->depth == b->depth && g_strcmp0 (a->regex, b->regex) == 0
         && a->flushes == b->flushes && a->replica == b->replica;
}

/* None is the same as an empty list. */
static gboolean
equal_words (char **a, char **b)
{
  static char *none[] = { NULL };

  return g_strv_equal ((const char *const *)(a != NULL ? a : none),
                       (const char *const *)(b != NULL ? b : none));
}

static gboolean
equal_programs (const TsrProgramQuestion *a, const TsrProgramQuestion *b)
{
  return a->programs == b->programs && a->code == b->code && a->step == b->step
         && a->root == b->root && equal_words (a->hidden, b->hidden) && a->grouped == b->grouped
         && equal_words (a->opened, b->opened) && a->program == b->program
         && a->variable == b->variable;
}

static gboolean
equal_operations (const TsrOperationQuestion *a, const TsrOperationQuestion *b)
{
  return a->operations == b->operations && a->operation == b->operation
         && a->grouping == b->grouping && a->depth == b->depth && a->liveness == b->liveness;
}

gboolean
tsr_table_question_equal (const TsrTableQuestion *a, const TsrTableQuestion *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);
  return a->report == b->report && a->memory == b->memory && a->insights == b->insights
         && a->scope == b->scope && a->plan == b->plan && a->measures == b->measures
         && a->units == b->units && equal_memory (&a->of_memory, &b->of_memory)
         && equal_liveness (&a->of_liveness, &b->of_liveness)
         && equal_trace (&a->of_trace, &b->of_trace)
         && equal_programs (&a->of_programs, &b->of_programs)
         && equal_operations (&a->of_operations, &b->of_operations);
}
