/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A set of row ids as ranges: dense ids, the usual case, cost one range however many there are.
 * Filled, sealed, asked; one thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 first, last; /* both in the set */
  guint64 before;     /* ids of the set that are less than first; set by sealing */
} TsrIdRange;

typedef struct
{
  GArray *ranges;   /* TsrIdRange; ascending and apart once sealed */
  gboolean present; /* the table and its id column exist: references can be checked */
  gboolean in_order;
  guint64 n_ids;
} TsrIdSet;

void tsr_id_set_init (TsrIdSet *self);
void tsr_id_set_clear (TsrIdSet *self);
void tsr_id_set_add (TsrIdSet *self, gint64 id);
/* Sorts and merges; the number of ids that were added more than once. */
guint64 tsr_id_set_seal (TsrIdSet *self);
gboolean tsr_id_set_contains (const TsrIdSet *self, gint64 id);
/* Place of @id among the ids in ascending order; an array index for what ids stand for.  -1: it is
 * none of them, as TSR_UNKNOWN is not. */
gint64 tsr_id_set_index (const TsrIdSet *self, gint64 id);
/* Id at @place; -1 beyond the last. */
gint64 tsr_id_set_get (const TsrIdSet *self, guint64 place);
/* Ids of the set in [@first, @end). */
guint64 tsr_id_set_count (const TsrIdSet *self, gint64 first, gint64 end);
/* Largest id; -1 when empty. */
gint64 tsr_id_set_last (const TsrIdSet *self);

G_END_DECLS
