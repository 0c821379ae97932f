/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Some rows of a table as CSV: what a user copies from a list.  Pure, any thread. */

#pragma once

#include "tsr-table.h"

G_BEGIN_DECLS

/* (transfer full): a line of headings, beginning with @label_title, and one for each of @rows;
 * plain digits, empty where nothing is known, RFC 4180. */
char *
tsr_table_dup_rows_csv (TsrTable *table, const char *label_title, const guint *rows, guint n_rows);

G_END_DECLS
