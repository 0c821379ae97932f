/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Program Tree: what the programs of a report are made of, as a tree with figures or as a list
 * of the costliest; beside it the roots, below it what belongs to the selected program. */

#pragma once

#include "tsr-icicle-view.h"
#include "tsr-page.h"
#include "tsr-program-search.h"
#include "tsr-program-tabs.h"
#include "tsr-row-view.h"
#include "tsr-split.h"

G_BEGIN_DECLS

#define TSR_TYPE_PROGRAM_PAGE (tsr_program_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrProgramPage, tsr_program_page, TSR, PROGRAM_PAGE, TsrPage)

/* Actions: programs.list ("tree", "costliest", "icicle"), .grouped, .matching (booleans), .tab
 * (nick), .layer (a word of the debug information), .next-alike, .previous-alike, .show-tree,
 * .show-costliest, .search, .next-match, .previous-match, .next-tab, .previous-tab, .expand-all,
 * .collapse-all, .expand-here, .go-to-first, .alone, .all, .show-in-trace, .show-in-liveness,
 * .show-in-memory, .copy-name, .save-table, .copy-table; .kind and .column (a word). */

/* (transfer none), for tests. */
TsrRowView *tsr_program_page_get_tree (TsrProgramPage *self);
TsrIcicleView *tsr_program_page_get_icicle (TsrProgramPage *self);
TsrRowView *tsr_program_page_get_roots (TsrProgramPage *self);
/* Row of the program tables, or TSR_NO_INDEX. */
guint32 tsr_program_page_get_program (TsrProgramPage *self);
void tsr_program_page_set_program (TsrProgramPage *self, guint32 program);
gboolean tsr_program_page_is_busy (TsrProgramPage *self);

G_END_DECLS
