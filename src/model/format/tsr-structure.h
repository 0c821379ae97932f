/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The structure of any SQLite file without one string of the user's, so that it can be sent to us:
 * what "tessera-cli schema" prints and "Copy structure for a bug report" copies.  Written as it is
 * read. */

#pragma once

#include "tsr-database.h"
#include "tsr-json-writer.h"

G_BEGIN_DECLS

/* Writes the JSON object of CLI "schema".  @quick: nothing that needs a scan of a table.  @limit:
 * most tables, 0 for all ("truncated": true when cut).  On an error half-way the object is left
 * open for tsr_json_writer_finish (writer, TRUE). */
gboolean tsr_structure_write (TsrDatabase *database,
                              gboolean quick,
                              guint limit,
                              TsrJsonWriter *writer,
                              TsrProgress *progress,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
