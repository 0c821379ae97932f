/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes a TsrTable: columns first, then rows in depth-first order, then values. */

#pragma once

#include "tsr-table.h"

G_BEGIN_DECLS

typedef struct _TsrTableBuilder TsrTableBuilder;

TsrTableBuilder *tsr_table_builder_new (void);

/* Returns the column's number.  All columns come before the first row. */
guint tsr_table_builder_add_column (TsrTableBuilder *self,
                                    TsrValueKind kind,
                                    const char *title,
                                    const char *definition);
/* Returns the row's number; @parent is -1 or an earlier row.  Values begin unknown. */
int tsr_table_builder_add_row (TsrTableBuilder *self,
                               int parent,
                               const char *key,
                               const char *label,
                               const char *definition,
                               gboolean heading);
/* The values of this row are of another kind than their columns (a step number among bytes);
 * columns of fractions and differences have none there. */
void tsr_table_builder_set_row_kind (TsrTableBuilder *self, int row, TsrValueKind kind);
void tsr_table_builder_set_value (TsrTableBuilder *self, int row, guint column, gint64 value);
void tsr_table_builder_set_fraction (TsrTableBuilder *self, int row, guint column, double value);

/* (transfer full): the table; the builder is gone. */
TsrTable *tsr_table_builder_end (TsrTableBuilder *self);

G_END_DECLS
