/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Inside of TsrVariables for what is computed from it (liveness), and its core on tables alone. */

#pragma once

#include "tsr-variables.h"

G_BEGIN_DECLS

/* When an allocation is live: an index of an equivalence class, or one of these. */
#define TSR_CLASS_UNTOLD  (G_MAXUINT32 - 2) /* not always live, and no class is told */
#define TSR_CLASS_ALWAYS  (G_MAXUINT32 - 1)
#define TSR_CLASS_UNKNOWN (G_MAXUINT32) /* nothing is told */

/* All allocations of one variable in one class, over all tiles. */
typedef struct
{
  guint32 variable;
  guint32 class_index; /* or TSR_CLASS_... */
  gint64 bytes;        /* TSR_UNKNOWN when that of any is */
} TsrVariablePart;

/* Entries 0 .. n_told - 1 are the rows of `variables`; behind them those that only lowered
 * variables have, in the order in which the file first names them. */
struct _TsrVariables
{
  gatomicrefcount refs;
  TsrReport *report;               /* (nullable) keeps the tables alive */
  const TsrLivenessTables *tables; /* (nullable) */
  const TsrLoweredTables *lowered; /* (nullable) */
  TsrLoweredTables *own_lowered;   /* (nullable) the same, when they are not the report's */
  const TsrCategoryRows *categories;
  TsrDiagnostics *diagnostics; /* (nullable) */

  guint n, n_told, n_steps;
  GPtrArray *names;  /* const char *, [entry]; never NULL */
  GPtrArray *owned;  /* char *: names of entries that are no row of `variables` */
  GHashTable *index; /* name to the first entry + 1 */
  gint64 *bytes;
  double *share;
  guint8 *life;
  guint8 *compiler_made;
  guint16 *category; /* into categories, TSR_NO_CATEGORY */

  /* Where a row of the lowered tables without a variable goes: by category when the compiler made
   * it for always, else by name.  The last place is for no name. */
  guint32 *entry_of_category; /* TSR_NO_INDEX: goes by name */
  guint32 *entry_of_name;     /* length of the strings + 1 */
  guint32 n_names;

  guint32 *part_start; /* n + 1 */
  TsrVariablePart *parts;

  GMutex lock;
  gsize *row_start; /* n + 1; NULL until somebody asks */
  guint32 *rows;
};

/* (nullable) @tables, @lowered, @categories, @diagnostics: borrowed, must live as long as the
 * result. */
TsrVariables *tsr_variables_new_from_tables (const TsrLivenessTables *tables,
                                             const TsrLoweredTables *lowered,
                                             const TsrCategoryRows *categories,
                                             TsrDiagnostics *diagnostics,
                                             GCancellable *cancellable,
                                             GError **error);

/* Class of a row, or TSR_CLASS_...  A class makes "always live" superfluous where that is not told.
 */
static inline guint32
tsr_lowered_get_class (const TsrLoweredTables *lowered, gsize row)
{
  if (lowered->always_live[row] == 1)
    return TSR_CLASS_ALWAYS;
  if (lowered->equivalence_class[row] != TSR_NO_INDEX)
    return lowered->equivalence_class[row];
  return lowered->always_live[row] == 0 ? TSR_CLASS_UNTOLD : TSR_CLASS_UNKNOWN;
}

static inline gint64
tsr_lowered_get_bytes (const TsrLoweredTables *lowered, gsize row)
{
  return lowered->size[row] == TSR_LOWERED_UNKNOWN ? TSR_UNKNOWN : (gint64)lowered->size[row];
}

/* The @i-th row of a tile, for tile_start[tile] <= i < tile_start[tile + 1]. */
static inline gsize
tsr_lowered_get_row (const TsrLoweredTables *lowered, gsize i)
{
  return lowered->by_tile != NULL ? lowered->by_tile[i] : i;
}

static inline guint32
tsr_variables_get_entry (const TsrVariables *self, gsize row)
{
  const TsrLoweredTables *lowered = self->lowered;

  if (lowered->variable[row] != TSR_NO_INDEX)
    return lowered->variable[row];
  if (lowered->always_live[row] == 1 && lowered->category[row] != TSR_NO_CATEGORY
      && self->entry_of_category[lowered->category[row]] != TSR_NO_INDEX)
    return self->entry_of_category[lowered->category[row]];
  return self->entry_of_name[MIN (lowered->name[row], self->n_names)];
}

/* Adds @value to @sum: unknown stays unknown, and a sum beyond 2^63 - 1 becomes unknown.  FALSE
 * exactly then. */
static inline gboolean
tsr_variables_sum_add (gint64 *sum, gint64 value)
{
  if (*sum == TSR_UNKNOWN || value == TSR_UNKNOWN)
    {
      *sum = TSR_UNKNOWN;
      return TRUE;
    }
  if (!__builtin_add_overflow (*sum, value, sum) && *sum != TSR_UNKNOWN)
    return TRUE;
  *sum = TSR_UNKNOWN;
  return FALSE;
}

/* Says once for each @table that sizes add up to more than can be counted. */
void tsr_variables_say_sum_too_large (TsrDiagnostics *diagnostics, const char *table);

/* ---- a sum over steps from intervals: events at steps, added up from left to right */
typedef struct
{
  guint32 step;
  gint32 live;    /* +1: something begins, -1: ends */
  gint32 unknown; /* likewise, something of unknown size */
  gint64 bytes;
} TsrLiveEvent;
/* Adds an interval of something of @bytes (TSR_UNKNOWN) to @events. */
void tsr_live_events_add (GArray *events, guint32 from, guint32 to, gint64 bytes);
/* (transfer full) (element-type TsrLifetime): sorts @events and adds them up; *overflow is set when
 * a sum was beyond 2^63 - 1 and became unknown. */
GArray *tsr_live_events_merge (GArray *events, gboolean *overflow);

G_END_DECLS
