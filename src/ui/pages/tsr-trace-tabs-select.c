/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rows of the tabs select: names and steps of the trace; where they lead. */

#include "config.h"

#include "tsr-trace-tabs-private.h"

#include "tsr-page.h"

#include <glib/gi18n.h>

/* Rows of Aggregate all of whose names are selected. */
void
tsr_trace_tabs_show_names (TsrTraceTabs *self)
{
  TsrTraceTabPage *page = &self->pages[TSR_TRACE_TAB_AGGREGATE];
  TsrTraceMatches *matches = tsr_trace_state_get_selected_names (tsr_trace_tabs_get_state (self));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  const TsrTraceAnswer *answer = page->answer;
  const TsrTraceAggregate *aggregate;
  g_autofree guint8 *flags = NULL; /* 1: a name of it is selected, 2: one is not */

  if (answer == NULL || answer->aggregates == NULL || answer->aggregates->len != 1)
    return;
  aggregate = g_ptr_array_index (answer->aggregates, 0);
  if (aggregate->group_of_name == NULL)
    return;
  flags = g_new0 (guint8, aggregate->rows->len + 1);
  for (guint i = 0; matches != NULL && i < tsr_trace_get_n_names (answer->trace); i++)
    if (aggregate->group_of_name[i] != TSR_NO_INDEX)
      flags[aggregate->group_of_name[i]] |= tsr_trace_matches_has (matches, i) ? 1 : 2;
  for (guint32 i = 0; i < tsr_rows_get_n (answer->rows); i++)
    if (flags[answer->row_group[i]] == 1)
      g_array_append_val (rows, i);
  self->applying = TRUE;
  tsr_row_view_select (page->view, (const guint32 *)(gpointer)rows->data, rows->len);
  self->applying = FALSE;
}

static void
select_slice (TsrTraceTabs *self, const TsrTrace *trace, guint32 slice, gboolean go)
{
  TsrTraceStepRef ref;
  TsrTraceSlice info;

  tsr_trace_get_slice (trace, slice, &info);
  ref.step_id = info.step_id;
  ref.ipu = info.ipu;
  tsr_trace_state_set_steps (tsr_trace_tabs_get_state (self), &ref, 1);
  if (go && info.start != TSR_UNKNOWN)
    tsr_trace_tabs_go_to (self, info.start, MAX (info.end, info.start + 1));
}

/* A group whose names are in other groups as well: its first steps. */
static void
select_first_steps (TsrTraceTabPage *page, const guint32 *rows, guint n_rows)
{
  TsrTraceTabs *self = page->tabs;
  const TsrTraceAnswer *answer = page->answer;
  g_autoptr (GArray) refs = g_array_new (FALSE, FALSE, sizeof (TsrTraceStepRef));

  for (guint k = 0; k < n_rows && refs->len < TSR_TRACE_MAX_SELECTED; k++)
    {
      g_autoptr (GArray) slices = tsr_trace_aggregate_dup_slices (
          answer->trace, &answer->query,
          g_ptr_array_index (answer->aggregates, answer->row_aggregate[rows[k]]),
          answer->row_group[rows[k]], TSR_TRACE_MAX_SELECTED - refs->len);

      for (guint i = 0; i < slices->len; i++)
        {
          TsrTraceSlice slice;
          TsrTraceStepRef ref;

          tsr_trace_get_slice (answer->trace, g_array_index (slices, guint32, i), &slice);
          ref.step_id = slice.step_id;
          ref.ipu = slice.ipu;
          g_array_append_val (refs, ref);
        }
    }
  tsr_trace_state_set_steps (tsr_trace_tabs_get_state (self),
                             (const TsrTraceStepRef *)(gpointer)refs->data, refs->len);
  if (refs->len == TSR_TRACE_MAX_SELECTED)
    tsr_page_toast (GTK_WIDGET (self), _ ("The first steps of the group are selected"));
}

static void
on_rows_selected (TsrRowView *view, TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;
  g_autoptr (TsrTraceMatches) matches = NULL;
  g_autoptr (GArray) rows = NULL;

  if (self->applying || page->tab != TSR_TRACE_TAB_AGGREGATE || page->answer == NULL
      || page->answer->aggregates == NULL)
    return;
  rows = tsr_row_view_dup_selected (view);
  matches = tsr_trace_answer_dup_matches (page->answer, (const guint32 *)(gpointer)rows->data,
                                          rows->len);
  self->applying = TRUE;
  tsr_trace_state_set_selected_names (tsr_trace_tabs_get_state (self), matches);
  if (matches == NULL && rows->len > 0)
    select_first_steps (page, (const guint32 *)(gpointer)rows->data, rows->len);
  self->applying = FALSE;
}

static void
on_copy_selected (TsrRowView *view, TsrTraceTabPage *page)
{
  g_autoptr (GArray) rows = NULL;

  if (page->tabs->applying || page->answer == NULL || page->answer->copies == NULL)
    return;
  rows = tsr_row_view_dup_selected (view);
  if (rows->len == 1 && g_array_index (rows, guint32, 0) < page->answer->copies->len)
    select_slice (
        page->tabs, page->answer->trace,
        g_array_index (page->answer->copies, TsrTraceLoneCopy, g_array_index (rows, guint32, 0))
            .slice,
        FALSE);
}

static void
on_activate_copy (TsrRowView *view, guint row, TsrTraceTabPage *page)
{
  if (page->answer != NULL && page->answer->copies != NULL && row < page->answer->copies->len)
    select_slice (page->tabs, page->answer->trace,
                  g_array_index (page->answer->copies, TsrTraceLoneCopy, row).slice, TRUE);
}

/* A group's first step; a period of a pipeline. */
static void
on_activate_row (TsrRowView *view, guint row, TsrTraceTabPage *page)
{
  TsrTraceTabs *self = page->tabs;
  const TsrTraceAnswer *answer = page->answer;

  if (answer != NULL && answer->row_group != NULL && row < tsr_rows_get_n (answer->rows))
    {
      const TsrTraceAggregate *aggregate
          = g_ptr_array_index (answer->aggregates, answer->row_aggregate[row]);

      select_slice (
          self, answer->trace,
          g_array_index (aggregate->rows, TsrTraceAggregateRow, answer->row_group[row]).first_slice,
          TRUE);
    }
  else if (answer != NULL && answer->stages != NULL && answer->replica < answer->stages->len)
    {
      const TsrTraceStages *stages = g_ptr_array_index (answer->stages, answer->replica);

      if (row < stages->periods->len)
        tsr_trace_tabs_go_to (self, g_array_index (stages->periods, TsrTracePeriod, row).from,
                              g_array_index (stages->periods, TsrTracePeriod, row).to);
    }
}

void
tsr_trace_tabs_follow_rows (TsrTraceTabPage *page)
{
  g_signal_connect (page->view, "selection-changed", G_CALLBACK (on_rows_selected), page);
  g_signal_connect (page->view, "activate-row", G_CALLBACK (on_activate_row), page);
  if (page->tab == TSR_TRACE_TAB_OVERLAP)
    {
      g_signal_connect (page->more, "selection-changed", G_CALLBACK (on_copy_selected), page);
      g_signal_connect (page->more, "activate-row", G_CALLBACK (on_activate_copy), page);
    }
}
