/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers are values: made by a worker, shown by a tab, printed by the command line. */

#include "config.h"

#include "tsr-table-answer.h"

#include "tsr-trace-rows.h"

TsrTableAnswer *
tsr_table_answer_new (const char *title, const char *text)
{
  TsrTableAnswer *answer = g_new0 (TsrTableAnswer, 1);

  answer->title = g_strdup (title);
  answer->text = g_strdup (text);
  return answer;
}

void
tsr_table_answer_free (TsrTableAnswer *answer)
{
  if (answer == NULL)
    return;
  g_clear_pointer (&answer->rows, tsr_rows_unref);
  g_clear_pointer (&answer->more, tsr_rows_unref);
  g_clear_pointer (&answer->liveness, tsr_liveness_unref);
  tsr_trace_answer_free (answer->trace);
  g_free (answer->title);
  g_free (answer->text);
  g_free (answer->note);
  g_free (answer->variables);
  g_free (answer->allocations);
  g_free (answer->members);
  g_free (answer->first);
  g_free (answer->n);
  g_free (answer);
}
