/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Columns of numbers and texts that are filled one by one and then become TsrRows.  For tables
 * that are computed for one question and shown once.  Any thread, one at a time. */

#pragma once

#include "tsr-rows.h"

G_BEGIN_DECLS

typedef struct _TsrGrid TsrGrid;

TsrGrid *tsr_grid_new (guint32 n_rows);
void tsr_grid_free (TsrGrid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrGrid, tsr_grid_free)

/* A column of numbers; one of texts, which the filter looks at.  @title (nullable: for CSV and
 * JSON alone), @definition (nullable). */
TsrRowColumn *
tsr_grid_column (const char *key, const char *title, const char *definition, TsrValueKind kind);
TsrRowColumn *tsr_grid_text_column (const char *key, const char *title, const char *definition);

/* Each takes @column and gives its n_rows cells to fill: TSR_UNKNOWN and NULL at first.  (transfer
 * none), valid until _to_rows.  Texts are borrowed from something that was given to _keep, or come
 * from _intern. */
gint64 *tsr_grid_add_values (TsrGrid *self, TsrRowColumn *column);
const char **tsr_grid_add_texts (TsrGrid *self, TsrRowColumn *column);

/* Keys of the rows, as by tsr_grid_add_texts: of untranslated words and numbers, for rows whose
 * names are translated or built.  A key is unique in the table. */
const char **tsr_grid_add_keys (TsrGrid *self);

/* The kind of each row's numbers, in all columns but fractions, in place of the column's: to fill,
 * bytes at first. */
TsrValueKind *tsr_grid_add_row_kinds (TsrGrid *self);

/* (transfer none) (nullable): a copy of @text that lives as long as the rows. */
const char *tsr_grid_intern (TsrGrid *self, const char *text);
/* @data is freed with the rows. */
void tsr_grid_keep (TsrGrid *self, gpointer data, GDestroyNotify free_data);

/* (transfer full): takes @self. */
TsrRows *tsr_grid_to_rows (TsrGrid *self);

G_END_DECLS
