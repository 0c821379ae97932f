/* SPDX-License-Identifier: GPL-3.0-or-later */

/* "Largest" as a table: vertices, variables, exchanges and program steps of the replica, of its
 * IPUs or of the fullest tiles. */

#pragma once

#include "tsr-insights.h"
#include "tsr-rows.h"
#include "tsr-view-words.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_LARGEST_OF_REPLICA,
  TSR_LARGEST_OF_IPUS,
  TSR_LARGEST_OF_TILES,
} TsrLargestScope;
#define TSR_N_LARGEST_SCOPES 3

/* (transfer full): the entries of one scope; holds a reference to @insights. */
TsrRows *tsr_largest_rows_new (TsrInsights *insights, TsrLargestScope scope);
/* (transfer none): the entry of @row of such a table. */
const TsrLargest *tsr_largest_rows_get (TsrInsights *insights, TsrLargestScope scope, guint row);
/* (transfer full): where it shows. */
GHashTable *tsr_largest_dup_words (const TsrLargest *largest);

G_END_DECLS
