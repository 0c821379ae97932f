/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of pages.  A new view: its header and one line here, its files in meson.build. */

#include "config.h"

#include "tsr-liveness-page.h"
#include "tsr-insights-page.h"
#include "tsr-memory-page.h"
#include "tsr-operation-page.h"
#include "tsr-page.h"
#include "tsr-program-page.h"
#include "tsr-summary-page.h"
#include "tsr-trace-page.h"

#define SHOWS(subject) (1u << TSR_COLOUR_##subject)

static const TsrPageInfo pages[] = {
  { TSR_VIEW_SUMMARY, "tsr-summary-symbolic", tsr_summary_page_get_type,
    SHOWS (VERDICT) | SHOWS (MEMORY) },
  { TSR_VIEW_INSIGHTS, "tsr-insights-symbolic", tsr_insights_page_get_type,
    SHOWS (VERDICT) | SHOWS (MEMORY) | SHOWS (LIFE) | SHOWS (IPU) },
  { TSR_VIEW_MEMORY, "tsr-memory-symbolic", tsr_memory_page_get_type,
    SHOWS (VERDICT) | SHOWS (MARK) | SHOWS (MEMORY) | SHOWS (LIFE) | SHOWS (REGION) | SHOWS (AMOUNT)
        | SHOWS (NAME) | SHOWS (CATEGORY) },
  { TSR_VIEW_LIVENESS, "tsr-liveness-symbolic", tsr_liveness_page_get_type,
    SHOWS (VERDICT) | SHOWS (MARK) | SHOWS (MEMORY) | SHOWS (LIFE) | SHOWS (NAME)
        | SHOWS (CATEGORY) },
  { TSR_VIEW_EXECUTION_TRACE, "tsr-trace-symbolic", tsr_trace_page_get_type,
    SHOWS (MARK) | SHOWS (LIFE) | SHOWS (AMOUNT) | SHOWS (STEP) | SHOWS (NAME) },
  { TSR_VIEW_PROGRAM_TREE, "tsr-programs-symbolic", tsr_program_page_get_type,
    SHOWS (STEP) | SHOWS (CATEGORY) },
  { TSR_VIEW_OPERATIONS, "tsr-operations-symbolic", tsr_operation_page_get_type,
    SHOWS (STEP) | SHOWS (CATEGORY) },
};

const TsrPageInfo *
tsr_pages_get (guint *n_pages)
{
  g_return_val_if_fail (n_pages != NULL, NULL);
  *n_pages = G_N_ELEMENTS (pages);
  return pages;
}

const TsrPageInfo *
tsr_pages_find (TsrView view)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (pages[i].view == view)
      return &pages[i];
  return NULL;
}
