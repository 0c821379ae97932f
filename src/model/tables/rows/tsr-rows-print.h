/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows as JSON; as CSV they are in tsr-rows.h.  Piece by piece, for tables of any length. */

#pragma once

#include "tsr-json-writer.h"
#include "tsr-rows.h"

G_BEGIN_DECLS

/* Appends @order's rows [first, end) to an array that is open, an object for each: "key" from @keys
 * (nullable), by row, of a tree the "parent's" key, then its cells by their columns' keys, exact as
 * in CSV, null where nothing is known. */
void tsr_rows_write_json (TsrRows *self,
                          TsrRowOrder *order,
                          guint32 first,
                          guint32 end,
                          char *const *keys,
                          TsrJsonWriter *writer);

G_END_DECLS
