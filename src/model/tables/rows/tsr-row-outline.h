/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is shown of rows in an order: all rows of a table, and of a tree those whose parents are all
 * expanded.  What is expanded is remembered by the rows' keys and outlives the table.  While there
 * is a filter all is expanded but what is collapsed meanwhile, and that is forgotten with the
 * filter.  Nothing but what is shown costs anything.  One thread. */

#pragma once

#include "tsr-rows.h"

G_BEGIN_DECLS

typedef struct _TsrRowOutline TsrRowOutline;

TsrRowOutline *tsr_row_outline_new (void);
void tsr_row_outline_free (TsrRowOutline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrRowOutline, tsr_row_outline_free)

/* Both or none. */
void tsr_row_outline_set (TsrRowOutline *self, TsrRows *rows, TsrRowOrder *order);
TsrRows *tsr_row_outline_get_rows (TsrRowOutline *self);      /* (nullable) (transfer none) */
TsrRowOrder *tsr_row_outline_get_order (TsrRowOutline *self); /* (nullable) (transfer none) */

/* Number of rows shown; the row at a position; the position of a row, TSR_NO_INDEX when it is not
 * shown. */
guint32 tsr_row_outline_get_n (TsrRowOutline *self);
guint32 tsr_row_outline_get_row (TsrRowOutline *self, guint32 position);
guint32 tsr_row_outline_find (TsrRowOutline *self, guint32 row);

/* TRUE when there are rows below it that pass. */
gboolean tsr_row_outline_can_expand (TsrRowOutline *self, guint32 row);
gboolean tsr_row_outline_is_expanded (TsrRowOutline *self, guint32 row);
/* @below: and all rows below it. */
void
tsr_row_outline_set_expanded (TsrRowOutline *self, guint32 row, gboolean expanded, gboolean below);
void tsr_row_outline_set_all_expanded (TsrRowOutline *self, gboolean expanded);

/* Keys of what is expanded: (transfer full), sorted; replaced by @keys (nullable). */
char **tsr_row_outline_dup_keys (TsrRowOutline *self);
void tsr_row_outline_set_keys (TsrRowOutline *self, const char *const *keys);

G_END_DECLS
