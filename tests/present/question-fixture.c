/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole report and what the register of tables is asked of it. */

#include "config.h"

#include "question-fixture.h"

static void
open_liveness (QuestionFixture *self)
{
  TsrTableQuestion *q = &self->question;
  g_autoptr (TsrLivenessSeries) series = NULL;
  g_autoptr (GError) error = NULL;

  if (tsr_report_get_stage_state (q->report, TSR_STAGE_LIVENESS) != TSR_STAGE_READY)
    return;
  self->variables = tsr_variables_new (q->report, NULL, NULL);
  if (self->variables == NULL)
    return;
  q->of_memory.liveness = q->of_liveness.liveness
      = tsr_liveness_new (q->report, q->memory, self->variables);
  q->of_operations.liveness = q->of_memory.liveness;
  g_assert_true (tsr_liveness_source_parse (q->memory, "all", &q->of_liveness.source, &error));
  series = tsr_liveness_compute (q->of_liveness.liveness, &q->of_liveness.source, NULL, NULL);
  q->of_liveness.peak = series != NULL ? series->peak_step : TSR_NO_INDEX;
}

static void
open_programs (QuestionFixture *self)
{
  TsrTableQuestion *q = &self->question;
  g_autoptr (GError) error = NULL;

  if (tsr_report_get_stage_state (q->report, TSR_STAGE_PROGRAMS) != TSR_STAGE_READY)
    return;
  q->of_memory.vertices = q->of_liveness.vertices = tsr_vertices_new (q->report, q->memory);
  q->of_programs.programs = tsr_programs_new (q->report, NULL, &error);
  g_assert_no_error (error);
  q->of_programs.code
      = tsr_program_code_new (q->of_programs.programs, q->of_memory.vertices,
                              tsr_program_code_find_worst_tile (q->memory), NULL, &error);
  g_assert_no_error (error);
}

void
question_fixture_set_layer (QuestionFixture *self, const char *layer)
{
  TsrTableQuestion *q = &self->question;
  const TsrDebugTables *debug = tsr_report_get_debug_tables (q->report);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&q->of_operations.operations, tsr_operations_unref);
  if (debug != NULL && q->of_programs.programs != NULL)
    q->of_operations.operations = tsr_operations_new (q->of_programs.programs, debug, layer,
                                                      q->memory, self->variables, NULL, &error);
  g_assert_no_error (error);
}

void
question_fixture_open (QuestionFixture *self, const char *folder)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  TsrTableQuestion *q = &self->question;

  q->report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  q->memory = tsr_memory_new (q->report);
  q->of_liveness.peak = TSR_NO_INDEX;
  q->of_liveness.depth = 1;
  q->of_liveness.include_always_live = TRUE;
  open_liveness (self);
  open_programs (self);
  q->of_trace.memory = q->memory;
  q->of_trace.trace = tsr_trace_new (q->report, NULL, NULL);
  q->of_trace.ipu = TSR_NO_INDEX;
  q->of_trace.depth = 2;
  if (q->of_trace.trace != NULL)
    tsr_trace_get_span (q->of_trace.trace, &q->of_trace.from, &q->of_trace.to);
  q->insights
      = tsr_insights_new (q->report, q->memory, q->of_memory.liveness, q->of_memory.vertices,
                          q->of_trace.trace, TSR_UNITS_BINARY, NULL, NULL, &error);
  g_assert_no_error (error);
  q->plan
      = tsr_plan_new (q->report, q->memory, q->of_memory.liveness, TSR_UNITS_BINARY, NULL, &error);
  g_assert_no_error (error);
  q->of_programs.step = q->of_programs.root = TSR_NO_INDEX;
  q->of_programs.program = q->of_programs.variable = TSR_NO_INDEX;
  q->of_operations.operation = TSR_NO_INDEX;
  question_fixture_set_layer (self, "poplibs");
}

void
question_fixture_close (QuestionFixture *self)
{
  TsrTableQuestion *q = &self->question;

  tsr_liveness_source_clear (&q->of_liveness.source);
  g_clear_pointer (&q->insights, tsr_insights_unref);
  g_clear_pointer (&q->plan, tsr_plan_unref);
  g_clear_pointer (&q->of_trace.trace, tsr_trace_unref);
  g_clear_pointer (&q->of_operations.operations, tsr_operations_unref);
  g_clear_pointer (&q->of_programs.code, tsr_program_code_unref);
  g_clear_pointer (&q->of_programs.programs, tsr_programs_unref);
  g_clear_pointer (&q->of_memory.vertices, tsr_vertices_unref);
  g_clear_pointer (&q->of_memory.liveness, tsr_liveness_unref);
  g_clear_pointer (&self->variables, tsr_variables_unref);
  tsr_memory_unref (q->memory);
  g_object_unref (q->report);
}
