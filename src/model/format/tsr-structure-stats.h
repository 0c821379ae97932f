/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Statistics of one column of a table, value by value, without keeping any value except the
 * smallest and the largest number.  Private to tsr-structure.c. */

#pragma once

#include "tsr-json-writer.h"

#include <sqlite3.h>

G_BEGIN_DECLS

/* Different values are counted up to this many. */
#define TSR_STATS_MAX_DISTINCT (1 << 18)
#define TSR_STATS_MAX_LENGTHS  16

typedef struct
{
  guint64 n_null, n_integer, n_real, n_text, n_blob;
  gint64 min_integer, max_integer;       /* when n_integer > 0 */
  double min_real, max_real;             /* when n_real > 0 */
  gint64 min_length, max_length;         /* of BLOBs */
  gint64 lengths[TSR_STATS_MAX_LENGTHS]; /* the different ones, ascending */
  guint n_lengths;                       /* more than fit: TSR_STATS_MAX_LENGTHS + 1 */
  guint64 *seen;                         /* open addressing; 0 is free */
  gsize n_seen, seen_size;
  gboolean uncounted; /* too many different values */
  guint8 first_bytes[8];
  guint n_first_bytes; /* 0: none, or they may be text */
} TsrColumnStats;

void tsr_column_stats_clear (TsrColumnStats *self);

/* Counts column @place of the current row of @statement. */
void tsr_column_stats_add (TsrColumnStats *self, sqlite3_stmt *statement, int place);
/* Counts a BLOB of which only the length was read; different values are then not counted. */
void tsr_column_stats_add_blob (TsrColumnStats *self, gint64 length);

/* Keeps the first 8 of @bytes, the beginning of a BLOB, unless they may be text in UTF-8, UTF-16 or
 * any encoding that includes ASCII. */
void tsr_column_stats_take_first_bytes (TsrColumnStats *self, const guint8 *bytes, gsize length);

/* Writes the members "storage" to "firstBytes"; all null for a NULL @self. */
void tsr_column_stats_write (const TsrColumnStats *self, TsrJsonWriter *writer);

G_END_DECLS
