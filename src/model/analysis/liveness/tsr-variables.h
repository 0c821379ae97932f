/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Variables as people know them, over both of the report's tables: one entry for each row of
 * `variables`, and one for each base name that only lowered variables have (the text before '#'; an
 * always-live one that the compiler made belongs to the pseudo-variable of its category).  Every
 * lowered variable belongs to exactly one entry.  Immutable, shared by reference between threads.
 */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

/* libpva knows two classes; the third is ours and shown beside them, never in their place. */
typedef enum
{
  TSR_LIFE_ALWAYS,    /* always live */
  TSR_LIFE_RESIDENT,  /* not always live, but at 98 % of the liveness steps and more */
  TSR_LIFE_TEMPORARY, /* not always live otherwise */
  TSR_LIFE_UNKNOWN,
} TsrLife;
#define TSR_RESIDENT_SHARE 0.98
/* (nullable): "Always live", translated; NULL: unknown. */
const char *tsr_life_get_name (TsrLife life);

typedef struct _TsrVariables TsrVariables;

/* The liveness stage of @report must have ended; the lowered variables are used when they are
 * there. NULL and @error when cancelled or when the report has neither table. */
TsrVariables *tsr_variables_new (TsrReport *report, GCancellable *cancellable, GError **error);
/* Likewise, but with the lowered variables of @tiles (ascending, each once) alone, which are read
 * here; the lowered stage need not be loaded.  What is asked of these tiles is the same; sums over
 * all tiles are not.  TSR_ERROR_MISSING_PART without lowered variables. */
TsrVariables *tsr_variables_new_on_tiles (TsrReport *report,
                                          const guint *tiles,
                                          guint n_tiles,
                                          GCancellable *cancellable,
                                          GError **error);
TsrVariables *tsr_variables_ref (TsrVariables *self);
void tsr_variables_unref (TsrVariables *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrVariables, tsr_variables_unref)

guint tsr_variables_get_n (TsrVariables *self);
const char *tsr_variables_get_name (TsrVariables *self, guint variable);
/* Bytes over all tiles of a replica: as `variables` tells, else the sum of its lowered ones. */
gint64 tsr_variables_get_bytes (TsrVariables *self, guint variable);
TsrLife tsr_variables_get_life (TsrVariables *self, guint variable);
/* Share of the liveness steps at which any part of it is live, 0..1; NaN when not known. */
double tsr_variables_get_live_share (TsrVariables *self, guint variable);
const char *tsr_variables_get_category (TsrVariables *self,
                                        guint variable); /* (nullable) camelCase */
const char *tsr_variables_get_element_type (TsrVariables *self, guint variable); /* (nullable) */
const char *tsr_variables_get_shape (TsrVariables *self, guint variable);        /* (nullable) */
gint64 tsr_variables_get_debug_id (TsrVariables *self, guint variable);          /* TSR_UNKNOWN */
/* TRUE for the pseudo-variable of a category of compiler data (vertexCode, controlCode ...) and for
 * entries that are no row of `variables`: not the user's own. */
gboolean tsr_variables_is_compiler_made (TsrVariables *self, guint variable);

/* The entry named @name (exactly), or TSR_NO_INDEX; ties to the first. */
guint tsr_variables_find (TsrVariables *self, const char *name);

/* Entry of a row of TsrLoweredTables. */
guint tsr_variables_of_lowered (TsrVariables *self, gsize row);
/* (transfer none): rows of TsrLoweredTables that belong to @variable, in file order. */
const guint32 *tsr_variables_peek_lowered (TsrVariables *self, guint variable, gsize *n_rows);

/* Bytes of @variable on each tile (its allocations added up), n_tiles values.  (transfer full);
 * NULL without lowered variables. */
gint64 *tsr_variables_dup_bytes_by_tile (TsrVariables *self, guint variable);

typedef struct
{
  guint32 from, to; /* liveness steps, half-open */
  gint64 bytes;     /* live in all of it, on the tiles asked for */
} TsrLifetime;
/* (transfer full) (element-type TsrLifetime): when @variable is live, in order, without overlap;
 * two neighbours differ in bytes.  On @tiles, or on all tiles when @tiles is NULL; an always-live
 * one is live in [0, n_steps).  From lowered variables, else from variable_lifetimes (all tiles
 * only; empty otherwise). */
GArray *
tsr_variables_dup_lifetimes (TsrVariables *self, guint variable, const guint *tiles, guint n_tiles);

/* The first @depth parts of a name split at '/'; all of it when it has no more.  (transfer full) */
char *tsr_name_dup_prefix (const char *name, guint depth);

G_END_DECLS
