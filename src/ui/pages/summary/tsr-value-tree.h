/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names and values as nested rows: engine options, framework.json, app.json.  Items are made when
 * their row comes on screen, children when their row is opened, so a hundred thousand siblings cost
 * nothing until they are looked at.  Each row is copied with Ctrl+C or its menu. */

#pragma once

#include "tsr-json.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_VALUE_ITEM (tsr_value_item_get_type ())
G_DECLARE_FINAL_TYPE (TsrValueItem, tsr_value_item, TSR, VALUE_ITEM, GObject)

const char *tsr_value_item_get_name (TsrValueItem *self);
const char *tsr_value_item_get_value (TsrValueItem *self); /* "" for a group */
/* (transfer full): name and value, or for a group its whole content, as text. */
char *tsr_value_item_dup_text (TsrValueItem *self);
/* (transfer full) (nullable): items below it. */
GListModel *tsr_value_item_dup_children (TsrValueItem *self);

/* (transfer full): members of @root, or @root itself when it is a single value. */
GListModel *tsr_value_model_new_json (TsrJson *root);
/* (transfer full): pairs name, value; names are split at their dots.  Only those that match all
 * words of @filter (a word with "-" before it: that do not contain it) in name or value, whatever
 * their case, and @accept (nullable).  *n_shown of *n_all. */
GListModel *tsr_value_model_new_options (const char *const *pairs,
                                         const char *filter,
                                         gboolean (*accept) (const char *name),
                                         guint *n_shown,
                                         guint *n_all);

#define TSR_TYPE_VALUE_TREE (tsr_value_tree_get_type ())
G_DECLARE_FINAL_TYPE (TsrValueTree, tsr_value_tree, TSR, VALUE_TREE, GtkWidget)

GtkWidget *tsr_value_tree_new (const char *accessible_name);
/* @expand: open all rows at first. */
void tsr_value_tree_set_model (TsrValueTree *self, GListModel *model, gboolean expand);
/* (transfer none) (nullable): rows as they are open now, GtkTreeListRow; for tests. */
GListModel *tsr_value_tree_get_rows (TsrValueTree *self);
/* Selects a row and brings it into view; what the keys Right and Left do with it. */
void tsr_value_tree_select (TsrValueTree *self, guint position);
gboolean tsr_value_tree_key (TsrValueTree *self, guint key);

G_END_DECLS
