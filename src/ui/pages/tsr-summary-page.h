/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Summary: does it fit, what it ran on, what was recorded, which files there are. */

#pragma once

#include "tsr-page.h"

G_BEGIN_DECLS

#define TSR_TYPE_SUMMARY_PAGE (tsr_summary_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrSummaryPage, tsr_summary_page, TSR, SUMMARY_PAGE, TsrPage)

G_END_DECLS
