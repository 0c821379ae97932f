/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-summary-page.h"

struct _TsrSummaryPage
{
  TsrPage parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrSummaryPage, tsr_summary_page, TSR_TYPE_PAGE)

static void
tsr_summary_page_class_init (TsrSummaryPageClass *klass)
{
  TSR_PAGE_CLASS (klass)->view = TSR_VIEW_SUMMARY;
  TSR_PAGE_CLASS (klass)->stage = TSR_STAGE_SUMMARY;
}

static void
tsr_summary_page_init (TsrSummaryPage *self)
{
}
