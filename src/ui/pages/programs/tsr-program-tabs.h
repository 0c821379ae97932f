/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs of the Program Tree (TsrTabs): what belongs to the selected program.  Main thread. */

#pragma once

#include "tsr-tabs.h"

G_BEGIN_DECLS

/* In their order; those of the register first. */
typedef enum
{
  TSR_PROGRAM_DETAIL_VARIABLES,
  TSR_PROGRAM_DETAIL_VERTICES,
  TSR_PROGRAM_DETAIL_STEPS,
  TSR_PROGRAM_DETAIL_DEBUG,
  TSR_PROGRAM_DETAIL_TILES,
  TSR_PROGRAM_N_DETAILS
} TsrProgramDetail;
const char *tsr_program_detail_get_nick (guint detail);

#define TSR_TYPE_PROGRAM_TABS (tsr_program_tabs_get_type ())
G_DECLARE_FINAL_TYPE (TsrProgramTabs, tsr_program_tabs, TSR, PROGRAM_TABS, TsrTabs)

/* Once. */
void tsr_program_tabs_set_session (TsrProgramTabs *self, TsrSession *session);
/* Row of the program tables, or TSR_NO_INDEX. */
void tsr_program_tabs_set_program (TsrProgramTabs *self, guint32 program);
gboolean tsr_program_tabs_is_busy (TsrProgramTabs *self);

G_END_DECLS
