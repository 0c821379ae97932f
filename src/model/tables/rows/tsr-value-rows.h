/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names and values as a tree of rows: framework.json, app.json, engine options.  A row's key is its
 * place in the way of a JSON Pointer ("/opt/batchSize", "/layers/[0]"); of members of one name the
 * second has "~#2" behind it. */

#pragma once

#include "tsr-json.h"
#include "tsr-rows.h"

G_BEGIN_DECLS

/* (transfer full): members of @root, or @root itself when it is a single value; columns "name" and
 * "value" (empty for a group).  tsr_rows_dup_whole gives a group as JSON. */
TsrRows *tsr_value_rows_new_json (TsrJson *root);
/* (transfer full): pairs name, value; names are split at their dots.  Only those that match all
 * words of @filter (a word with "-" before it: that do not contain it) in name or value, whatever
 * their case, and @accept (nullable).  *n_shown of *n_all. */
TsrRows *tsr_value_rows_new_options (const char *const *pairs,
                                     const char *filter,
                                     gboolean (*accept) (const char *name),
                                     guint *n_shown,
                                     guint *n_all);

G_END_DECLS
