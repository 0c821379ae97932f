/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Describes the structure of any SQLite file without any of the user's strings, so that it can be
 * sent to us: what "tessera-cli schema" prints and "Copy structure for a bug report" copies.  It is
 * written while it is read.
 *
 * The description has names of tables, columns and indexes (null if a name may be SQL: it has a
 * quote, or is a view's column and not a plain word); declared types made of usual type words, else
 * "other"; whether a column is NOT NULL and its place in the primary key; how many values of each
 * storage class; smallest and largest number; number of different values (null with BLOBs that are
 * not read, or beyond 2^18); blobLengths {"min", "max", "values"}, where values lists the lengths
 * if there are 16 different ones at most; the first 8 bytes, in hexadecimal, of the first BLOB
 * unless they may be text.  Never SQL, default values, or texts.
 *
 * Views and virtual tables are named, but not queried.  For a table that cannot be read, unknown
 * members are null. */

#pragma once

#include "tsr-database.h"
#include "tsr-json-writer.h"

G_BEGIN_DECLS

/* Writes the JSON object of the command "schema".  @quick: leaves out members that require scanning
 * a table.  @limit: most tables, 0 for all (when cut, "numTables" and
 * "truncated": true).  If tables could not be
 * read, returns FALSE with the first error after all others were written, and the object is left
 * open for tsr_json_writer_finish (writer, TRUE).  @progress counts tables. */
gboolean tsr_structure_write (TsrDatabase *database,
                              gboolean quick,
                              guint limit,
                              TsrJsonWriter *writer,
                              TsrProgress *progress,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
