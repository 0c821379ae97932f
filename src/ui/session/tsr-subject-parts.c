/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One way for each kind of subject to its programs; all else follows from these. */

#include "config.h"

#include "tsr-subject-parts.h"

#include "tsr-operation-columns.h"

#include <glib/gi18n.h>
#include <string.h>

static GArray *
new_rows (const guint32 *rows, guint n)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (n > 0)
    g_array_append_vals (array, rows, n);
  return array;
}

/* A single program, or none. */
static GArray *
new_row (guint32 program)
{
  return new_rows (&program, program != TSR_NO_INDEX ? 1 : 0);
}

/* (nullable): those of the layer of the subject. */
static TsrOperations *
peek_operations (TsrSession *session, const TsrSubject *subject)
{
  TsrOperations *operations = tsr_session_peek_data (session, TSR_DATA_OPERATIONS);

  return operations != NULL && subject->layer != NULL
                 && g_str_equal (subject->layer, tsr_operations_get_layer (operations))
             ? operations
             : NULL;
}

static GArray *
of_program (TsrSession *session, const TsrSubject *subject)
{
  TsrPrograms *programs = tsr_session_peek_data (session, TSR_DATA_PROGRAMS);

  return programs != NULL ? new_row (tsr_programs_find (programs, subject->id)) : NULL;
}

/* When operations are of another layer by now, the program that stands for it. */
static GArray *
of_operation (TsrSession *session, const TsrSubject *subject)
{
  TsrOperations *operations = peek_operations (session, subject);
  g_auto (GStrv) keys = NULL;
  GArray *all = NULL;

  if (operations == NULL && tsr_session_peek_data (session, TSR_DATA_OPERATIONS) != NULL)
    return of_program (session, subject);
  if (operations == NULL || subject->name == NULL)
    return NULL;
  keys = g_strsplit (subject->name, "\n", -1);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      const guint operation = tsr_operation_find (operations, keys[i]);
      const guint32 *programs;
      guint n;

      if (operation == TSR_NO_INDEX)
        continue;
      programs = tsr_operations_get_programs (operations, operation, &n);
      if (all == NULL)
        all = new_rows (programs, n);
      else if (n > 0)
        g_array_append_vals (all, programs, n);
    }
  return all;
}

static GArray *
of_step (TsrSession *session, const TsrSubject *subject)
{
  TsrReport *report = tsr_session_get_report (session);
  const TsrExecutionTables *t = report != NULL ? tsr_report_get_execution_tables (report) : NULL;

  if (t == NULL)
    return NULL;
  for (guint32 step = 0; step < t->n_steps; step++)
    if (tsr_execution_tables_get_step_id (t, step) == subject->id)
      return new_row (t->step_program[step]);
  return new_row (TSR_NO_INDEX);
}

static GArray *
of_live_step (TsrSession *session, const TsrSubject *subject)
{
  TsrLiveness *liveness = tsr_session_peek_data (session, TSR_DATA_LIVENESS);

  if (liveness == NULL)
    return NULL;
  return new_row (subject->id >= 0 && subject->id < tsr_liveness_get_n_steps (liveness)
                      ? tsr_liveness_get_step_program (liveness, (guint)subject->id)
                      : TSR_NO_INDEX);
}

GArray *
tsr_subject_parts_dup_programs (TsrSession *session)
{
  const TsrSubject *subject;
  TsrPrograms *programs;

  g_return_val_if_fail (TSR_IS_SESSION (session), NULL);
  subject = tsr_session_peek_subject (session);
  programs = tsr_session_peek_data (session, TSR_DATA_PROGRAMS);
  switch (subject->kind)
    {
    case TSR_SUBJECT_OPERATION:
      return of_operation (session, subject);
    case TSR_SUBJECT_STEP:
      return of_step (session, subject);
    case TSR_SUBJECT_LIVE_STEP:
      return of_live_step (session, subject);
    case TSR_SUBJECT_PROGRAM:
      return of_program (session, subject);
    case TSR_SUBJECT_COMPUTE_SET:
      return programs != NULL ? new_row (tsr_programs_find_of_set (programs, subject->name)) : NULL;
    case TSR_SUBJECT_NONE:
    case TSR_SUBJECT_VARIABLE:
    default:
      return new_rows (NULL, 0);
    }
}

static char *
dup_operation_name (TsrSession *session, const TsrSubject *subject)
{
  TsrOperations *operations = peek_operations (session, subject);
  g_auto (GStrv) keys = g_strsplit (subject->name != NULL ? subject->name : "", "\n", -1);
  const guint n = g_strv_length (keys);
  const guint operation
      = operations != NULL && n == 1 ? tsr_operation_find (operations, keys[0]) : TSR_NO_INDEX;

  if (n > 1)
    {
      g_autofree char *count = tsr_units_dup_count (n);

      return g_strdup_printf (g_dngettext (NULL, "%s operation", "%s operations", n), count);
    }
  if (operation == TSR_NO_INDEX)
    return NULL;
  return g_strdup (tsr_operations_is_none (operations, operation)
                       ? tsr_operations_get_none_title (operations)
                       : tsr_operations_get_name (operations, operation));
}

char *
tsr_subject_parts_dup_name (TsrSession *session)
{
  const TsrSubject *subject;
  TsrPrograms *programs;
  g_autoptr (GArray) rows = NULL;

  g_return_val_if_fail (TSR_IS_SESSION (session), NULL);
  subject = tsr_session_peek_subject (session);
  if (subject->kind == TSR_SUBJECT_OPERATION)
    return dup_operation_name (session, subject);
  if (subject->kind == TSR_SUBJECT_COMPUTE_SET || subject->kind == TSR_SUBJECT_VARIABLE)
    return g_strdup (subject->name);
  rows = tsr_subject_parts_dup_programs (session);
  programs = tsr_session_peek_data (session, TSR_DATA_PROGRAMS);
  return rows != NULL && rows->len > 0 && programs != NULL
             ? g_strdup (tsr_programs_get_name (programs, g_array_index (rows, guint32, 0)))
             : NULL;
}

guint8 *
tsr_subject_parts_dup_flags (TsrSession *session, gboolean below, guint32 *n)
{
  g_autoptr (GArray) rows = NULL;
  TsrPrograms *programs;
  TsrReport *report;
  const TsrProgramTables *t;
  guint8 *flags;

  g_return_val_if_fail (TSR_IS_SESSION (session) && n != NULL, NULL);
  rows = tsr_subject_parts_dup_programs (session);
  programs = tsr_session_peek_data (session, TSR_DATA_PROGRAMS);
  report = tsr_session_get_report (session);
  t = report != NULL ? tsr_report_get_program_tables (report) : NULL;
  if (rows == NULL || rows->len == 0 || t == NULL)
    return NULL;
  if (below && rows->len == 1 && programs != NULL)
    {
      GArray *all = tsr_programs_find_below (programs, g_array_index (rows, guint32, 0));

      g_array_unref (g_steal_pointer (&rows));
      rows = all;
    }
  *n = t->n_programs;
  flags = g_new0 (guint8, (gsize)t->n_programs + 1);
  for (guint i = 0; i < rows->len; i++)
    if (g_array_index (rows, guint32, i) < t->n_programs)
      flags[g_array_index (rows, guint32, i)] = 1;
  return flags;
}

/* The operation of the first variable of the name, or @selected if that has one. */
static guint
find_of_variable (TsrOperations *operations, const char *name, guint selected)
{
  TsrVariables *variables = tsr_operations_get_variables (operations);
  guint found = variables != NULL ? tsr_variables_find (variables, name) : TSR_NO_INDEX;

  if (found == TSR_NO_INDEX)
    return TSR_NO_INDEX;
  for (guint i = 0; selected != TSR_NO_INDEX && i < tsr_variables_get_n (variables); i++)
    if (tsr_operations_of_variable (operations, i) == selected
        && strcmp (tsr_variables_get_name (variables, i), name) == 0)
      return selected;
  return tsr_operations_of_variable (operations, found);
}

guint
tsr_subject_parts_find_operation (TsrSession *session, TsrOperations *operations, guint selected)
{
  const TsrSubject *subject;
  g_autoptr (GArray) rows = NULL;

  g_return_val_if_fail (TSR_IS_SESSION (session) && operations != NULL, TSR_NO_INDEX);
  subject = tsr_session_peek_subject (session);
  if (subject->kind == TSR_SUBJECT_VARIABLE)
    return find_of_variable (operations, subject->name, selected);
  rows = tsr_subject_parts_dup_programs (session);
  return rows != NULL && rows->len > 0
             ? tsr_operations_of_program (operations, g_array_index (rows, guint32, 0))
             : TSR_NO_INDEX;
}

guint
tsr_subject_parts_find_fullest (
    TsrLiveness *liveness, TsrReport *report, const guint8 *flags, guint32 n, guint selected)
{
  const TsrLivenessTables *t = report != NULL ? tsr_report_get_liveness_tables (report) : NULL;
  guint best = TSR_NO_INDEX;

  for (guint i = 0;
       t != NULL && liveness != NULL && flags != NULL && i < tsr_liveness_get_n_steps (liveness);
       i++)
    {
      const guint program = tsr_liveness_get_step_program (liveness, i);

      if (program >= n || !flags[program])
        continue;
      if (i == selected)
        return i;
      if (best == TSR_NO_INDEX || t->step_bytes[i] > t->step_bytes[best])
        best = i;
    }
  return best;
}

guint
tsr_subject_parts_find_live_step (TsrSession *session, TsrLiveness *liveness, guint selected)
{
  guint best = TSR_NO_INDEX;

  g_return_val_if_fail (TSR_IS_SESSION (session) && liveness != NULL, TSR_NO_INDEX);
  for (guint below = 0; best == TSR_NO_INDEX && below < 2; below++)
    {
      guint32 n = 0;
      g_autofree guint8 *flags = tsr_subject_parts_dup_flags (session, below != 0, &n);

      best = tsr_subject_parts_find_fullest (liveness, tsr_session_get_report (session), flags, n,
                                             selected);
    }
  return best;
}

void
tsr_subject_parts_find_names (TsrSession *session,
                              const GArray *programs,
                              const char **set,
                              const char **exchange)
{
  TsrReport *report;
  const TsrProgramTables *t;

  g_return_if_fail (TSR_IS_SESSION (session) && programs != NULL);
  g_return_if_fail (set != NULL && exchange != NULL);
  report = tsr_session_get_report (session);
  t = report != NULL ? tsr_report_get_program_tables (report) : NULL;
  *set = *exchange = NULL;
  for (guint i = 0; t != NULL && i < programs->len && (*set == NULL || *exchange == NULL); i++)
    {
      const guint32 program = g_array_index (programs, guint32, i);

      if (program >= t->n_programs)
        continue;
      if (*set == NULL && t->program_compute_set[program] < t->n_compute_sets)
        *set = tsr_string_table_get (t->strings,
                                     t->compute_set_name[t->program_compute_set[program]]);
      if (*exchange == NULL
          && g_strcmp0 (tsr_string_table_get (t->strings, t->program_type[program]), "DoExchange")
                 == 0)
        *exchange = tsr_string_table_get (t->strings, t->program_name[program]);
    }
}

void
tsr_subject_parts_show_variables (TsrSession *session)
{
  const TsrSubject *subject;
  TsrStepSelection *selection;
  TsrOperations *operations;
  guint operation = TSR_NO_INDEX;
  g_auto (GStrv) names = NULL;

  g_return_if_fail (TSR_IS_SESSION (session));
  subject = tsr_session_peek_subject (session);
  selection = tsr_session_get_steps (session);
  if (*tsr_step_selection_peek_variables (selection) != NULL
      && !tsr_session_has_shared_variables (session))
    return;
  if (subject->kind != TSR_SUBJECT_OPERATION)
    {
      tsr_step_selection_set_variables (selection, NULL);
      return;
    }
  if (tsr_report_is_on_demand (tsr_session_get_report (session)))
    return;
  operations = peek_operations (session, subject);
  if (operations != NULL)
    operation = tsr_operation_find (operations, subject->name);
  if (operation != TSR_NO_INDEX)
    names = tsr_operations_dup_largest (operations, operation);
  tsr_step_selection_set_variables (selection, (const char *const *)names);
}
