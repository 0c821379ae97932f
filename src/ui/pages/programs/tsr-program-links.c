/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What other views show of a program is found in the tables, and asked for in words of a link. */

#include "config.h"

#include "tsr-program-links.h"

#include "tsr-page.h"
#include "tsr-rows.h"
#include "tsr-subject-parts.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>

/* The first step of @program, else of what is below it: one of @run (nullable) if there is one.
 * TSR_NO_INDEX: none. */
static guint32
find_executed (TsrPrograms *programs,
               const TsrExecutionTables *t,
               guint32 program,
               const TsrTraceRun *run)
{
  g_autoptr (GArray) below = tsr_programs_find_below (programs, program);
  g_autofree guint8 *wanted = g_new0 (guint8, tsr_programs_get_n (programs) + 1);
  guint32 best = TSR_NO_INDEX;
  guint rank = 0; /* of the best: 2 its own, 1 of the run */

  for (guint i = 0; i < below->len; i++)
    wanted[g_array_index (below, guint32, i)] = 1;
  for (guint32 step = 0; t != NULL && step < t->n_steps; step++)
    {
      guint32 of = tsr_programs_get_of_step (programs, t, step);
      guint own;

      if (of == TSR_NO_INDEX || !wanted[of])
        continue;
      own = (of == program ? 2 : 0)
            + (run != NULL && step >= run->first_step && step < run->end_step ? 1 : 0);
      if (best == TSR_NO_INDEX || own > rank)
        {
          best = step;
          rank = own;
        }
    }
  return best;
}

/* The IPU on which a step took longest, or TSR_NO_INDEX. */
static guint
find_ipu (const TsrExecutionTables *t, guint32 step)
{
  guint found = TSR_NO_INDEX;
  gint64 most = -1;

  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
      if (t->slice_step[i] == step)
        {
          gint64 cycles = tsr_narrow_get (&t->slice_cycles, i);

          if (cycles > most || found == TSR_NO_INDEX)
            {
              most = cycles;
              found = ipu;
            }
          break;
        }
  return found;
}

/* Its first step is selected, and all of its name are found. */
void
tsr_program_links_show_in_trace (GtkWidget *widget,
                                 TsrSession *session,
                                 TsrPrograms *programs,
                                 guint32 program)
{
  TsrReport *report = tsr_session_get_report (session);
  const TsrExecutionTables *t = tsr_report_get_execution_tables (report);
  TsrTrace *trace = tsr_session_get_trace (session);
  const TsrTraceRun *run = NULL;
  guint32 step, set;
  guint ipu;
  g_autoptr (GHashTable) words = NULL;
  g_autofree char *selected = NULL, *search = NULL;
  const char *name = NULL;

  if (trace != NULL)
    run = tsr_trace_state_get_chosen_run (tsr_session_get_trace_state (session), trace);
  step = find_executed (programs, t, program, run);
  ipu = step != TSR_NO_INDEX ? find_ipu (t, step) : TSR_NO_INDEX;
  if (ipu == TSR_NO_INDEX)
    {
      tsr_session_want (session, TSR_STAGE_EXECUTION);
      tsr_notice_show (widget, tsr_session_is_stage_pending (session, TSR_STAGE_EXECUTION)
                                   ? _ ("The execution is still being read")
                                   : _ ("No execution of it is recorded"));
      return;
    }
  words = tsr_page_new_words (TSR_VIEW_EXECUTION_TRACE);
  selected = g_strdup_printf ("%" G_GINT64_FORMAT "@%u", tsr_execution_tables_get_step_id (t, step),
                              ipu);
  tsr_view_words_set (words, "selected", selected);
  if (run == NULL || step < run->first_step || step >= run->end_step)
    tsr_view_words_set (words, "run", "all");
  if (tsr_programs_get_of_step (programs, t, step) == program)
    {
      const TsrProgramTables *tables = tsr_programs_get_tables (programs);

      /* Steps are called by their compute sets where they have one. */
      set = t->step_compute_set != NULL ? t->step_compute_set[step] : TSR_NO_INDEX;
      if (set < tables->n_compute_sets)
        name = tsr_string_table_get (tables->strings, tables->compute_set_name[set]);
      if (name == NULL || *name == '\0')
        name = tsr_programs_get_name (programs, program);
    }
  if (name != NULL && *name != '\0')
    {
      search = tsr_filter_dup_name (name);
      tsr_view_words_set (words, "search", search);
    }
  tsr_page_go (widget, words);
}

/* Its liveness steps; of what is below it the one with most bytes. */
void
tsr_program_links_show_in_liveness (GtkWidget *widget,
                                    TsrSession *session,
                                    TsrPrograms *programs,
                                    guint32 program)
{
  TsrLiveness *liveness = tsr_session_get_liveness (session);
  TsrReport *report = tsr_session_get_report (session);
  guint best = TSR_NO_INDEX;
  g_autoptr (GHashTable) words = NULL;
  g_autoptr (GString) steps = g_string_new (NULL);
  g_autoptr (GArray) below = NULL;
  g_autofree guint8 *wanted = NULL;
  guint n = 0;

  below = tsr_programs_find_below (programs, program);
  wanted = g_new0 (guint8, tsr_programs_get_n (programs) + 1);
  for (guint i = 0; i < below->len; i++)
    wanted[g_array_index (below, guint32, i)] = 1;
  for (guint i = 0; liveness != NULL && i < tsr_liveness_get_n_steps (liveness); i++)
    if (tsr_liveness_get_step_program (liveness, i) == program && n < TSR_MAX_SELECTED_STEPS)
      g_string_append_printf (steps, "%s%u", n++ > 0 ? "," : "", i);
  if (n == 0)
    best = tsr_subject_parts_find_fullest (liveness, report, wanted, tsr_programs_get_n (programs),
                                           TSR_NO_INDEX);
  if (best != TSR_NO_INDEX)
    g_string_append_printf (steps, "%u", best);
  if (steps->len == 0)
    {
      tsr_notice_show (widget, liveness == NULL ? _ ("There is no liveness")
                                                : _ ("No liveness step executes this program"));
      return;
    }
  words = tsr_page_new_words (TSR_VIEW_LIVENESS);
  tsr_view_words_set (words, "steps", steps->str);
  tsr_page_go (widget, words);
}

void
tsr_program_links_show_in_memory (GtkWidget *widget,
                                  TsrSession *session,
                                  TsrPrograms *programs,
                                  guint32 program)
{
  guint32 set;
  const TsrProgramTables *t;
  g_autoptr (GHashTable) words = NULL;
  g_autofree char *value = NULL;
  const char *name, *type;

  t = tsr_programs_get_tables (programs);
  set = t->program_compute_set[program];
  type = tsr_programs_get_type (programs, program);
  name = set < t->n_compute_sets ? tsr_string_table_get (t->strings, t->compute_set_name[set])
                                 : tsr_programs_get_name (programs, program);
  words = tsr_page_new_words (TSR_VIEW_MEMORY);
  tsr_session_save_words (session, TSR_VIEW_MEMORY, words);
  tsr_view_words_set (words, "range", NULL);
  tsr_view_words_set (words, "graph", "tile-map");
  value = g_strdup_printf ("program:%" G_GINT64_FORMAT, t->program_id[program]);
  tsr_view_words_set (words, "value", value);
  if (set < t->n_compute_sets || g_strcmp0 (type, "DoExchange") == 0)
    {
      g_autofree char *filter = tsr_filter_dup_name (name);

      tsr_view_words_set (words, "tab", set < t->n_compute_sets ? "compute-sets" : "exchanges");
      tsr_view_words_set (words, "filter", filter);
      tsr_view_words_set (words, "row", name);
    }
  else
    tsr_view_words_set (words, "tab", "details");
  tsr_page_go (widget, words);
}
