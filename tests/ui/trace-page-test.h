/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of the Execution Trace over a made report, in a window of 1280 by 720. */

#pragma once

#include "tsr-trace-page.h"
#include "tsr-ui-test.h"

typedef struct
{
  char *folder;
  TsrSettings *settings;
  TsrSession *session;
  GtkWidget *window;
  TsrTracePage *page;
} PageTest;

typedef struct
{
  const char *name;
  void (*test) (PageTest *f, gconstpointer data);
} PageTestCase;

/* Each case has a report and a page of its own, both ready. */
int page_test_main (int argc, char **argv, const PageTestCase *cases, guint n_cases);

/* The page without a report; the report; neither. */
void page_test_show (PageTest *f);
void page_test_open (PageTest *f);
void page_test_drop (PageTest *f);
void page_test_set_up (PageTest *f, gconstpointer data);
void page_test_tear_down (PageTest *f, gconstpointer data);

gboolean page_test_is_ready (PageTest *f);
#define page_test_settle(f) tsr_ui_test_wait (page_test_is_ready (f))

TsrTraceState *page_test_get_state (PageTest *f);
TsrTraceView *page_test_get_view (PageTest *f);
TsrTrace *page_test_get_trace (PageTest *f);
void page_test_fire (PageTest *f, const char *action);
/* Actions of the view, as its keys fire them. */
void page_test_fire_view (PageTest *f, const char *action);
void page_test_get_visible (PageTest *f, gint64 *from, gint64 *to);
/* The only one that is selected. */
const TsrTraceStepRef *page_test_get_only_step (PageTest *f);
guint32 page_test_get_selected_slice (PageTest *f);
void page_test_lay_out (PageTest *f);
/* The longest slice of computing in the domain on IPU 0. */
guint32 page_test_get_longest (PageTest *f);
