/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads vars_info of profile.pop, millions of rows, into narrow columns in one scan.  Ids of other
 * tables become indices into what the caller has read of them. */

#pragma once

#include "tsr-id-index.h"
#include "tsr-profile.h"

G_BEGIN_DECLS

#define TSR_LOWERED_TELLS_NOT (G_MAXUINT32) /* size, offset: unknown or out of range */

/* What the columns of vars_info refer to.  Each index may be empty. */
typedef struct
{
  TsrIdIndex names;       /* vars_string_table.id ... */
  const guint32 *strings; /* ... and the string that each stands for */
  gsize n_strings;
  TsrIdIndex variables;
  TsrIdIndex categories;
  const guint16 *category_places; /* by place in the index above, which is in order of ids */
  TsrIdIndex classes;
  guint n_tiles;            /* tiles are below this */
  gint64 bytes_per_tile;    /* TSR_UNKNOWN: any offset will do */
  const gint64 *overflowed; /* (nullable) by tile: bytes beyond the tile's memory */
  guint rows_for_two;       /* fewer rowids are read by one thread; 0: what pays */
  gboolean brief;           /* scans for ids, tiles, sizes, always_live and classes alone */
} TsrLoweredKeys;

/* Rows in the order of the file (by rowid, or by the key of a WITHOUT ROWID table). 28 bytes each,
 * and 8 more if the ids are not consecutive.  A brief scan leaves the other columns NULL. */
typedef struct
{
  gsize n;
  gint64 first_id;
  gint64 *id;                 /* (nullable): first_id + row */
  guint32 *tile;              /* TSR_NO_INDEX */
  guint32 *size;              /* bytes; TSR_LOWERED_TELLS_NOT */
  guint32 *offset;            /* bytes; TSR_LOWERED_TELLS_NOT */
  guint32 *name;              /* into strings; TSR_NO_STRING */
  guint32 *variable;          /* place in keys->variables; TSR_NO_INDEX */
  guint32 *equivalence_class; /* place in keys->classes; TSR_NO_INDEX */
  guint16 *category;          /* G_MAXUINT16 */
  guint8 *always_live;        /* 0, 1, 255 */
  guint8 *alignment;          /* log2 of bytes; 255 */
} TsrLoweredRows;

void tsr_lowered_rows_clear (TsrLoweredRows *rows);

/* Appends row @at of @from to @rows, whose columns have room for *@room rows (0 at first) and grow.
 * Every row then has its own id.  FALSE when there is no memory. */
gboolean
tsr_lowered_rows_append (TsrLoweredRows *rows, gsize *room, const TsrLoweredRows *from, gsize at);

static inline gint64
tsr_lowered_rows_get_id (const TsrLoweredRows *rows, gsize at)
{
  return rows->id != NULL ? rows->id[at] : rows->first_id + (gint64)at;
}

/* Scans vars_info with two threads, each for half of the rowids, if there are many rows and they
 * have rowids; else with one.  Counts rows in @progress.  Without the table the result is empty. */
gboolean tsr_profile_scan_lowered (TsrProfile *self,
                                   const TsrLoweredKeys *keys,
                                   TsrLoweredRows *rows,
                                   TsrProgress *progress,
                                   GError **error);

/* Sizes or offsets alone, by row as above: a quarter of the time.  (transfer full): *values. */
typedef enum
{
  TSR_LOWERED_SIZE,
  TSR_LOWERED_OFFSET,
} TsrLoweredNumber;
gboolean tsr_profile_scan_lowered_numbers (
    TsrProfile *self, TsrLoweredNumber which, guint32 **values, gsize *n, GError **error);

/* Passes the same rows, with rowids from @first to @last (G_MININT64 and G_MAXINT64: all), to @func
 * in batches, so that they do not stay in memory.  @func returns FALSE to stop, which is not an
 * error. */
typedef gboolean (*TsrLoweredBatchFunc) (const TsrLoweredRows *rows, gpointer data);
gboolean tsr_profile_stream_lowered (TsrProfile *self,
                                     const TsrLoweredKeys *keys,
                                     gint64 first,
                                     gint64 last,
                                     TsrLoweredBatchFunc func,
                                     gpointer data,
                                     GError **error);

G_END_DECLS
