/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One hit of a search: icon, name with what matched in bold, kind, bytes.  Rows are kept and filled
 * again.  Main thread. */

#pragma once

#include "tsr-search.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_SEARCH_ROW (tsr_search_row_get_type ())
G_DECLARE_FINAL_TYPE (TsrSearchRow, tsr_search_row, TSR, SEARCH_ROW, GtkListBoxRow)

TsrSearchRow *tsr_search_row_new (void);
/* @text: what was searched for. */
void
tsr_search_row_set (TsrSearchRow *self, const TsrFound *found, const char *text, TsrUnits units);
const char *tsr_search_row_get_name (TsrSearchRow *self);

G_END_DECLS
