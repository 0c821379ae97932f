/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens the page of the trace in a window. */

#include "config.h"

#include "trace-page-test.h"

#include "tsr-test.h"
#include "tsr-ui-init.h"

gboolean
page_test_is_ready (PageTest *f)
{
  return tsr_session_get_trace (f->session) != NULL
         && tsr_trace_view_get_chart (tsr_ui_test_child (f->page, "view")) != NULL
         && !tsr_trace_page_is_busy (f->page);
}

void
page_test_open (PageTest *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);

  tsr_session_set_report (f->session, report);
}

void
page_test_show (PageTest *f)
{
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 720);
  f->page = g_object_new (TSR_TYPE_TRACE_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
  gtk_window_present (GTK_WINDOW (f->window));
}

void
page_test_set_up (PageTest *f, gconstpointer data)
{
  f->folder = tsr_test_report_new ("demo");
  page_test_show (f);
  page_test_open (f);
  page_test_settle (f);
  tsr_ui_test_wait (tsr_plane_get_area (TSR_PLANE (tsr_ui_test_child (f->page, "view")))->width
                    > 0);
}

void
page_test_drop (PageTest *f)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  tsr_session_close (f->session);
  tsr_ui_test_drop (f->session);
  g_object_unref (f->settings);
}

void
page_test_tear_down (PageTest *f, gconstpointer data)
{
  page_test_drop (f);
  tsr_test_folder_free (f->folder);
}

TsrTraceState *
page_test_get_state (PageTest *f)
{
  return tsr_session_get_trace_state (f->session);
}

TsrTraceView *
page_test_get_view (PageTest *f)
{
  return tsr_ui_test_child (f->page, "view");
}

TsrTrace *
page_test_get_trace (PageTest *f)
{
  return tsr_session_get_trace (f->session);
}

void
page_test_fire (PageTest *f, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (f->page), action, NULL));
}

/* Actions of the view, as its keys fire them. */
void
page_test_fire_view (PageTest *f, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page_test_get_view (f)), action, NULL));
}

void
page_test_get_visible (PageTest *f, gint64 *from, gint64 *to)
{
  g_assert_true (tsr_trace_view_get_visible (page_test_get_view (f), from, to));
}

const TsrTraceStepRef *
page_test_get_only_step (PageTest *f)
{
  guint n;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (page_test_get_state (f), &n);

  g_assert_cmpuint (n, ==, 1);
  return steps;
}

guint32
page_test_get_selected_slice (PageTest *f)
{
  const TsrTraceStepRef *step = page_test_get_only_step (f);

  return tsr_trace_find_step (page_test_get_trace (f), step->step_id, step->ipu);
}

void
page_test_lay_out (PageTest *f)
{
  gtk_widget_queue_allocate (GTK_WIDGET (page_test_get_view (f)));
  tsr_ui_test_run (60);
}

/* The longest slice of computing in the domain on IPU 0. */
guint32
page_test_get_longest (PageTest *f)
{
  TsrTrace *trace = page_test_get_trace (f);
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  guint32 best = TSR_NO_SLICE;
  gint64 from, to;

  tsr_trace_state_get_domain (page_test_get_state (f), trace, &from, &to);
  for (gsize i = tables->ipu_start[0]; i < tables->ipu_start[1]; i++)
    {
      guint type = tsr_trace_get_slice_type (trace, (guint32)i);

      if (tables->slice_start[i] < from || tables->slice_end[i] > to
          || tables->slice_start[i] == TSR_UNKNOWN
          || tsr_trace_get_type (trace, type)->group != TSR_STEP_GROUP_COMPUTE)
        continue;
      if (best == TSR_NO_SLICE
          || tables->slice_end[i] - tables->slice_start[i]
                 > tables->slice_end[best] - tables->slice_start[best])
        best = (guint32)i;
    }
  g_assert_cmpuint (best, !=, TSR_NO_SLICE);
  return best;
}

int
page_test_main (int argc, char **argv, const PageTestCase *cases, guint n_cases)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  for (guint i = 0; i < n_cases; i++)
    g_test_add (cases[i].name, PageTest, NULL, page_test_set_up, cases[i].test,
                page_test_tear_down);
  return g_test_run ();
}
