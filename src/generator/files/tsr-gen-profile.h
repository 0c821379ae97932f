/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes profile.pop.  The file is new, nobody reads it yet, and it is discarded on failure, so
 * there is no journal and no sync, and everything is one transaction. */

#pragma once

#include "tsr-gen-arrays.h"
#include "tsr-gen-clock.h"
#include "tsr-gen-model.h"

#include <sqlite3.h>

G_BEGIN_DECLS

/* What the writers of tables share. */
typedef struct
{
  sqlite3 *db;
  TsrGenModel *model;
  TsrGenClock *clock;
  TsrGenArrays *arrays;
  GArray *program_arrays;  /* TsrGenProgramArrays, by program */
  GArray *set_arrays;      /* guint32: estimated cycles, by compute set */
  GPtrArray *count_arrays; /* GArray of guint32, by compute set: counts of each vertex type */
  guint32 *code_arrays;    /* by vertex type */
  GError **error;
  gboolean failed;
} TsrGenWriter;

typedef struct
{
  guint32 code, control, estimated, data_in, data_out;
} TsrGenProgramArrays;

/* The first error of SQLite is kept, with @what failed; what is written after it does nothing. */
void tsr_gen_fail (TsrGenWriter *self, const char *what);
/* A prepared "INSERT INTO @table VALUES (...)" for @n columns; NULL after a failure. */
sqlite3_stmt *tsr_gen_insert_begin (TsrGenWriter *self, const char *table, guint n);
/* One row.  @types has a letter for each column: i gint64, u guint64, a a tile_arrays id (0: NULL),
 * m gint64 (-1: NULL), r double (NaN: NULL), s text (NULL: NULL), b GBytes, n NULL (no argument).
 */
void tsr_gen_insert (TsrGenWriter *self, sqlite3_stmt *stmt, const char *types, ...);
void tsr_gen_insert_end (sqlite3_stmt *stmt);

void tsr_gen_write_report (TsrGenWriter *self); /* info, options, target, graph */
void tsr_gen_write_memory (TsrGenWriter *self); /* memory_by_tile and its parts */
void tsr_gen_write_programs (TsrGenWriter *self);
void tsr_gen_write_variables (TsrGenWriter *self);
void tsr_gen_write_liveness (TsrGenWriter *self);
void tsr_gen_write_runs (TsrGenWriter *self);
void tsr_gen_write_steps (TsrGenWriter *self);
void tsr_gen_write_rows (TsrGenWriter *self); /* vars_info */

/* Fills the arrays that programs and compute sets refer to. */
void tsr_gen_collect_arrays (TsrGenWriter *self);

/* Writes @path, which must not exist.  @confirmed_only: only the tables and columns that are known
 * from Poplar's own files. */
gboolean tsr_gen_profile_write (TsrGenModel *model,
                                const char *path,
                                gboolean confirmed_only,
                                GError **error);

G_END_DECLS
