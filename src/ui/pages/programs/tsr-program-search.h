/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search of the Program Tree: an entry for words of types and names, or an id, the number of
 * rows that match, and buttons to the one before and after.  Rows are looked at in a worker.
 * Signals: as TsrMatchBar.  Main thread. */

#pragma once

#include "tsr-match-bar.h"
#include "tsr-tables.h"

G_BEGIN_DECLS

#define TSR_TYPE_PROGRAM_SEARCH (tsr_program_search_get_type ())
G_DECLARE_FINAL_TYPE (TsrProgramSearch, tsr_program_search, TSR, PROGRAM_SEARCH, TsrMatchBar)

/* @rows (nullable): with a text "name" first and a column "id".  @places: of its rows. */
void
tsr_program_search_set_rows (TsrProgramSearch *self, TsrRows *rows, const TsrProgramPlace *places);
/* FALSE while it is not known, and of a row of other rows. */
gboolean tsr_program_search_matches (TsrProgramSearch *self, TsrRows *rows, guint32 row);
guint tsr_program_search_get_n (TsrProgramSearch *self);
gboolean tsr_program_search_is_busy (TsrProgramSearch *self);

G_END_DECLS
