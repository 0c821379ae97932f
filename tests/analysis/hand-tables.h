/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Liveness and lowered tables made by hand, without a file. */

#pragma once

#include "tsr-profile.h"
#include "tsr-report-tables.h"

G_BEGIN_DECLS

typedef struct
{
  TsrLivenessTables liveness;
  TsrLoweredTables lowered;
  TsrCategoryRows categories;
} HandTables;

/* Empty tables of @n_steps steps, @n_tiles tiles, and the categories variable, message, vertexCode.
 */
HandTables *hand_tables_new (guint n_steps, guint n_tiles);
void hand_tables_free (HandTables *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HandTables, hand_tables_free)

guint32 hand_tables_add_variable (
    HandTables *self, const char *name, gint64 bytes, int always, int category);
/* Of the variable added last. */
void hand_tables_add_lifetime (HandTables *self, guint32 from, guint32 to, gint64 bytes);
/* A class with pairs from, to; ended by from == to. */
guint32 hand_tables_add_class (HandTables *self, const guint32 *intervals);
/* Rows come in tile order. */
void hand_tables_add_row (HandTables *self,
                          guint tile,
                          guint32 size,
                          const char *name,
                          guint32 variable,
                          guint32 class_index,
                          int category,
                          int always);
/* Many rows, classes and variables from @seed; tile_start may be of any order (by_tile). */
HandTables *hand_tables_new_random (guint seed, guint n_steps, guint n_tiles, guint n_rows);

/* Whether @row is live at @step, looked up interval by interval; -1: not told. */
int hand_tables_is_live (const HandTables *self, gsize row, guint step);

G_END_DECLS
