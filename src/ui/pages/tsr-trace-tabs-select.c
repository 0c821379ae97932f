/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rows of the tabs select: names and steps of the trace; where they lead. */

#include "config.h"

#include "tsr-trace-tabs-private.h"

/* Rows of Aggregate all of whose steps are selected. */
void
tsr_trace_tabs_show_group (TsrTraceTabs *self)
{
  TsrTraceTabPage *page = &self->pages[TSR_TRACE_TAB_AGGREGATE];
  TsrTraceMatches *group = tsr_trace_state_get_selected_group (tsr_trace_tabs_get_state (self));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  const TsrTraceAnswer *answer = page->answer;
  const TsrTraceAggregate *aggregate;
  g_autofree guint8 *has = NULL;

  if (answer == NULL || answer->aggregates == NULL || answer->aggregates->len != 1)
    return;
  aggregate = g_ptr_array_index (answer->aggregates, 0);
  has = g_new0 (guint8, aggregate->rows->len + 1);
  if (group != NULL)
    tsr_trace_aggregate_find_rows (aggregate, group, has);
  for (guint32 i = 0; i < tsr_rows_get_n (answer->rows); i++)
    if (has[answer->row_group[i]])
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
  tsr_trace_state_set_selected_group (tsr_trace_tabs_get_state (self), matches);
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
